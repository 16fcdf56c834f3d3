"""WM-FLY: flyers fly over everything, and back home when they stray."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.dice import Roll
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved, Progressed, TurnChanged
from tapeline.engine.limits import overlaps, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import separation
from tapeline.rules.warmaster.actions import HomeBack
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.characters import make_way
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.figures import HOME_BACK_CM
from tapeline.rules.warmaster.landing import room_to_land
from tapeline.rules.warmaster.moving import MoveSpec, study_of
from tapeline.rules.warmaster.profiles import flies, is_character
from tapeline.rules.warmaster.stands import Point, is_engaged, rect_of, shape_of
from tapeline.rules.warmaster.state import (
    HOME,
    INITIATIVE,
    called,
    characters,
    stands_of,
    unit_of,
    words,
)
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["do_home_back", "far_from_home"]

#: A home back goes this far for each point of the die (WM-FLY-2), cm.
HOME_CM_PER_POINT = 10.0


def _gap(state: State, unit: Unit, character: Body) -> float:
    shape = shape_of(character)
    return min(separation(shape, rect_of(body)).gap for body in stands_of(state, unit))


def far_from_home(state: State, unit: Unit) -> bool:
    """Whether a flyer is more than 20 cm from every character of its side."""
    stands = stands_of(state, unit)
    return (
        bool(stands)
        and flies(stands)
        and all(
            not within(_gap(state, unit, body), HOME_BACK_CM)
            for body in characters(state, unit.side)
        )
    )


@BOOK.clause("WM-FLY-4", src="public", bars=MoveSpec, at=Moment.END)
def flyers_land_clear(ask: Context[MoveSpec]) -> Iterator[Finding]:
    """Flyers pass over everything; they do not land on stands, where infantry may not go or in
    woods, nor touching enemies unless they charge."""
    study = ask.measure(study_of)
    if not flies(stand.body for stand in study.stands):
        return
    ground = ground_of(ask.state)
    for stand in study.stands:
        rect = stand.end
        reach = rect.reach
        box = (rect.x - reach, rect.y - reach, rect.x + reach, rect.y + reach)
        place = (rect.x, rect.y)
        for feature in ground.no_landing(box):
            depth = separation(rect, feature.region).depth
            if overlaps(depth):
                text = f"{stand.name} lands {depth:.4f} cm inside {feature.name}."
                yield Finding(text, depth, 0.0, place, feature.id)
        for barrier in stand.barriers:
            if barrier.sort == "foe" and not ask.action.charges:
                gap = separation(rect, barrier.shape).gap
                if within(gap, 0.0):
                    text = f"{stand.name} lands touching {barrier.name}."
                    yield Finding(text, gap, 0.0, place, barrier.id)


@BOOK.clause("WM-FLY-2", src="public", bars=HomeBack, at=Moment.DECLARE)
def strayed_flyers_go_home(ask: Context[HomeBack]) -> Iterator[Finding]:
    """Before orders a flyer more than 20 cm from all its characters goes back D6 x 10 cm toward
    one of them, facing as before; it may do so confused, not engaged."""
    unit, state = ask.unit, ask.state
    if unit.side != state.turn.active or state.turn.phase not in (INITIATIVE, HOME):
        yield Finding("Flyers go home before orders, in their own turn.", about=unit.id)
    if not ask.stands or not flies(ask.stands):
        yield Finding(f"{unit.name} does not fly.", about=unit.id)
        return
    if unit.id in words(state, "home"):
        yield Finding(f"{unit.name} has gone home this turn.", about=unit.id)
    if is_engaged(state, unit):
        yield Finding(f"{unit.name} is in combat.", about=unit.id)
    if ask.action.most is not None and ask.action.most < 0.0:
        yield Finding("A flyer goes home by 0 cm or more.", ask.action.most, 0.0, about=unit.id)
    character = state.bodies.get(ask.action.character)
    if character is None or not is_character(character) or character.side != unit.side:
        text = f"{called(ask.state, ask.action.character)} is no character of this side."
        yield Finding(text, about=ask.action.character)
        return
    for body in characters(state, unit.side):
        gap = _gap(state, unit, body)
        if within(gap, HOME_BACK_CM):
            text = f"{unit.name} is {gap:.4f} cm from {body.name}; more than 20 is straying."
            yield Finding(text, gap, HOME_BACK_CM, about=body.id)


def do_home_back(run: Run, action: HomeBack) -> Procedure:
    """Roll, then move the flyer straight toward the character, as far as it finds room to land and
    is to go."""
    most = math.inf if action.most is None else action.most
    unit = unit_of(run.state, action.actor)
    character = run.state.body(action.character)
    if run.state.turn.phase == INITIATIVE:
        run.emit(TurnChanged(phase=HOME, clause="WM-CMD-1"))
        run.emit(Progressed(Marks({"closed": True}), "WM-INIT-3"))
    roll = Roll(1, f"{unit.name} goes home", "WM-FLY-2", unit.side, about=unit.id)
    faces = yield from run.roll(roll)
    distance = HOME_CM_PER_POINT * faces[0]
    pair = min(
        (
            (separation(rect_of(body), shape_of(character)), body)
            for body in stands_of(run.state, unit)
        ),
        key=lambda item: item[0].gap,
    )[0]
    dx, dy = pair.on_b[0] - pair.on_a[0], pair.on_b[1] - pair.on_a[1]
    length = math.hypot(dx, dy)
    v: Point = (dx / length, dy / length)
    reach = room_to_land(run.state, unit, v, min(distance, length, most))
    for body in stands_of(run.state, unit):
        x, y = body.x + reach * v[0], body.y + reach * v[1]
        path = (Leg(to=(x, y)),) if reach > 0.0 else ()
        run.emit(Moved(body.id, x, y, body.z, body.facing, path, "WM-FLY-2"))
    yield from make_way(run, unit_of(run.state, unit.id))
    run.cite("WM-FLY-4")
    home = (*words(run.state, "home"), unit.id)
    run.emit(Progressed(Marks({"home": home}), "WM-FLY-2"))
    run.value(distance=distance, moved=reach)
