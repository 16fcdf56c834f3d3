"""WM-EVADE: a unit makes off from the enemy that it answers to."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import UnitMarked
from tapeline.engine.limits import TOLERANCE, closer_than, overlaps, within
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import Evade
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.citing import goes_over
from tapeline.rules.warmaster.confusion import confuse
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.figures import EVADE_CLEAR_CM, EVADE_LEAST_CM
from tapeline.rules.warmaster.initiative import cite_answer
from tapeline.rules.warmaster.moves import carry_out
from tapeline.rules.warmaster.moving import MoveSpec, MoveStudy, study_of
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.profiles import flies
from tapeline.rules.warmaster.stands import (
    Nearest,
    Point,
    apart,
    apart_at_least,
    is_engaged,
    nearest_pairs,
    rect_of,
)
from tapeline.rules.warmaster.state import called, stands_of, unit_of, units_on_table
from tapeline.table.bodies import Unit
from tapeline.table.marks import Marks

__all__ = ["away_from", "do_evade", "shunned"]

Ask = Context[MoveSpec]


def _pairs(ask: Ask) -> list[Nearest]:
    """The nearest pairs of stands of the evading unit and the unit that it evades."""
    spec = ask.action
    target = ask.state.units.get(spec.target or "")
    if target is None:
        return []
    return nearest_pairs(ask.stands, stands_of(ask.state, target))


def away_from(pair: Nearest) -> Point | None:
    """The direction straight away from the enemy of a nearest pair; None where they touch."""
    dx, dy = pair.on_own[0] - pair.on_other[0], pair.on_own[1] - pair.on_other[1]
    length = math.hypot(dx, dy)
    return None if length <= TOLERANCE else (dx / length, dy / length)


def _evades(ask: Ask) -> MoveStudy | None:
    return ask.measure(study_of) if ask.action.kind == "evade" else None


@BOOK.clause("WM-EVADE-5", src="seed", bars=MoveSpec, at=Moment.PATH)
def the_nearest_stand_goes_first(ask: Ask) -> Iterator[Finding]:
    """The stand nearest to the enemy evades first."""
    study = _evades(ask)
    if study is None:
        return
    pairs, first = _pairs(ask), study.stands[0]
    if pairs and all(pair.own.id != first.body.id for pair in pairs):
        names = " or ".join(dict.fromkeys(called(ask.state, pair.own.id) for pair in pairs))
        text = f"{first.name} goes first; {names} is nearest to the enemy."
        yield Finding(text, about=first.body.id)


def _course(study: MoveStudy) -> tuple[float, float]:
    """How far the centre of the first stand goes, and how far it strays from a straight line."""
    first = study.stands[0]
    x0, y0 = first.start.x, first.start.y
    dx, dy = first.end.x - x0, first.end.y - y0
    length = math.hypot(dx, dy)
    stray, behind = 0.0, 0.0
    for number, pose in enumerate(first.poses):
        ex, ey = pose.x - x0, pose.y - y0
        if length <= TOLERANCE:
            stray = max(stray, math.hypot(ex, ey))
            continue
        stray = max(stray, abs(ex * dy - ey * dx) / length)
        along = (ex * dx + ey * dy) / length
        stray = max(stray, behind - along)
        behind = max(behind, along)
        if number < len(first.path):
            leg = first.path[number]
            if leg.centre is not None and math.dist(leg.centre, (pose.x, pose.y)) > TOLERANCE:
                # The centre runs on an arc; it strays by the height of the arc over its chord.
                radius = math.dist(leg.centre, (pose.x, pose.y))
                stray = max(stray, radius * (1.0 - math.cos(math.radians(leg.by or 0.0) / 2)))
    return length, stray


@BOOK.clause("WM-EVADE-6", src="seed", bars=MoveSpec, at=Moment.PATH)
def the_first_stand_goes_straight(ask: Ask) -> Iterator[Finding]:
    """The first stand goes in one straight line, turning as it likes."""
    study = _evades(ask)
    if study is None:
        return
    _, stray = _course(study)
    if not within(stray, 0.0):
        first = study.stands[0]
        text = f"{first.name} strays {stray:.4f} cm from a straight line."
        yield Finding(text, stray, 0.0, (first.end.x, first.end.y), first.body.id)


def _from_ray(x: float, y: float, way: Point) -> float:
    """How far a point lies from the ray from the origin along a unit vector."""
    ahead = x * way[0] + y * way[1]
    return abs(x * way[1] - y * way[0]) if ahead > 0.0 else math.hypot(x, y)


@BOOK.clause("WM-EVADE-1", src="seed", bars=MoveSpec, at=Moment.PATH)
def directly_away(ask: Ask) -> Iterator[Finding]:
    """An evade goes directly away from the closest enemy."""
    study = _evades(ask)
    if study is None:
        return
    first = study.stands[0]
    length, stray = _course(study)
    ways = [away_from(pair) for pair in _pairs(ask) if pair.own.id == first.body.id]
    if length <= TOLERANCE or not within(stray, 0.0) or not ways:
        return
    dx, dy = first.end.x - first.start.x, first.end.y - first.start.y
    off = min(_from_ray(dx, dy, way) for way in ways if way is not None)
    if not within(off, 0.0):
        text = f"{first.name} ends {off:.4f} cm from the line straight away from the enemy."
        yield Finding(text, off, 0.0, (first.end.x, first.end.y), first.body.id)


@BOOK.clause("WM-EVADE-2", src="seed", bars=MoveSpec, at=Moment.END)
def at_least_one_centimetre(ask: Ask) -> Iterator[Finding]:
    """An evade goes at least 1 cm."""
    study = _evades(ask)
    if study is None:
        return
    length, _ = _course(study)
    if closer_than(length, EVADE_LEAST_CM):
        first = study.stands[0]
        text = f"{first.name} goes {length:.4f} cm; at least {EVADE_LEAST_CM:g} are needed."
        yield Finding(text, length, EVADE_LEAST_CM, about=first.body.id)


@BOOK.clause("WM-EVADE-9", src="seed", bars=MoveSpec, at=Moment.PATH)
def not_through_enemies_or_fights(ask: Ask) -> Iterator[Finding]:
    """An evade does not go through enemies or combats; it bursts through friends alone."""
    if ask.action.kind != "evade":
        return
    for name in ask.action.burst:
        unit = ask.state.units.get(name)
        if unit is None or unit.side != ask.unit.side or unit.id == ask.unit.id:
            yield Finding(f"{called(ask.state, name)} is no other unit of this side.", about=name)
        elif is_engaged(ask.state, unit):
            yield Finding(f"{unit.name} is in combat: no way leads through it.", about=name)


@BOOK.clause("WM-EVADE-10", src="seed", bars=MoveSpec, at=Moment.END)
def clear_of_enemies_and_fights(ask: Ask) -> Iterator[Finding]:
    """Every stand ends at least 5 cm from all enemy units and all units in combat."""
    study = _evades(ask)
    if study is None:
        return
    for unit in shunned(ask.state, ask.unit):
        gaps = [
            (apart(stand.end, rect_of(body)).gap, stand)
            for stand in study.stands
            for body in stands_of(ask.state, unit)
            if apart_at_least(stand.end, rect_of(body)) < EVADE_CLEAR_CM
        ]
        if not gaps:
            continue
        gap, stand = min(gaps, key=lambda pair: pair[0])
        if closer_than(gap, EVADE_CLEAR_CM):
            text = (
                f"{stand.name} ends {gap:.4f} cm from {unit.name}; {EVADE_CLEAR_CM:g} are needed."
            )
            place = (stand.end.x, stand.end.y)
            yield Finding(text, gap, EVADE_CLEAR_CM, place, unit.id)


def shunned(state: State, unit: Unit) -> Iterator[Unit]:
    """The units that an evade ends clear of: enemies, and whoever fights."""
    for other in units_on_table(state):
        if other.id != unit.id and (other.side != unit.side or is_engaged(state, other)):
            yield other


@BOOK.clause("WM-EVADE-12", src="seed", bars=MoveSpec, at=Moment.END)
def completely_clear_of_friends(ask: Ask) -> Iterator[Finding]:
    """A unit that bursts through friends ends completely clear of them."""
    study = _evades(ask)
    if study is None:
        return
    for name in ask.action.burst:
        unit = ask.state.units.get(name)
        for body in () if unit is None else stands_of(ask.state, unit):
            for stand in study.stands:
                depth = apart(stand.end, rect_of(body)).depth
                if overlaps(depth):
                    text = f"{stand.name} ends {depth:.4f} cm over {called(ask.state, body.id)}."
                    yield Finding(text, depth, 0.0, (stand.end.x, stand.end.y), body.id)


@BOOK.clause("WM-FLY-1", src="public", bars=Evade, at=Moment.DECLARE)
def flyers_never_evade(ask: Context[Evade]) -> Iterator[Finding]:
    """Flyers may charge on initiative; they never evade."""
    if ask.stands and flies(ask.stands):
        yield Finding(f"{ask.unit.name} flies; flyers do not evade.", about=ask.unit.id)


BOOK.resolves(
    "WM-EVADE-3",
    "seed",
    "Directly away is along the line through the nearest points of the two nearest stands.",
)
BOOK.resolves(
    "WM-EVADE-4", "seed", "Where several pairs of stands are nearest, the evading player picks one."
)
BOOK.resolves("WM-EVADE-7", "seed", "The stand turns as it goes, as it likes.")
BOOK.resolves(
    "WM-EVADE-8", "seed", "The others follow one by one; distance spent turning counts for all."
)
BOOK.resolves(
    "WM-EVADE-11",
    "seed",
    "Each evade proposed is judged; a unit for which none is legal does not evade.",
)
BOOK.resolves("WM-EVADE-13", "seed", "The unit burst through is confused; the evading one is not.")
BOOK.resolves(
    "WM-STAND-10",
    "seed",
    "Only an evading unit passes over another unit on the ground, by bursting through it.",
)


def do_evade(run: Run, action: Evade) -> MoveStudy:
    """Carry out an evade, and confuse the friends burst through; gives the move as measured."""
    unit = unit_of(run.state, action.actor)
    spec = MoveSpec(
        unit=unit.id,
        kind="evade",
        stands=action.stands,
        allowance=pace_of(run.state, unit, "evade").allowance,
        target=action.target,
        burst=action.burst,
    )
    study = carry_out(run, spec, "WM-EVADE-1")
    run.cite("WM-EVADE-2", "WM-EVADE-3", "WM-EVADE-5", "WM-EVADE-6", "WM-EVADE-10", "WM-EVADE-11")
    if len(study.stands) > 1:
        run.cite("WM-EVADE-8")
    if any(barrier.sort != "placed" for stand in study.stands for barrier in stand.barriers):
        run.cite("WM-EVADE-9")
    cite_answer(run, unit, action.target)
    if len(_pairs(Context(run.start, spec, run))) > 1:
        run.cite("WM-EVADE-4")
    if any(leg.by for leg in study.stands[0].path):
        run.cite("WM-EVADE-7")
    run.emit(UnitMarked(unit.id, Marks({"initiative": True}), "WM-INIT-4"))
    for name in action.burst:
        friend = unit_of(run.start, name)
        there = [rect_of(body) for body in stands_of(run.start, friend)]
        if any(goes_over(stand, rect) for stand in study.stands for rect in there):
            run.cite("WM-STAND-10", "WM-EVADE-12")
            confuse(run, friend, "WM-EVADE-13")
    return study
