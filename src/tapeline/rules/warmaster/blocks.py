"""Help for moving whole units: blocks, wheels, lines, columns, brigades, as plain stand moves.

Each is planned and then judged by the clauses like a move given stand by stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import Point, rect_of
from tapeline.ranks.blocks import (
    as_block,
    as_column,
    as_line,
    middle,
    pivot_of,
    shared_out,
    wheeled,
)
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Block,
    Brigade,
    FormColumn,
    FormLine,
    MoveUnit,
    Wheel,
)
from tapeline.rules.warmaster.measures import MoveSpec, spec_of
from tapeline.rules.warmaster.plans import MovePlan, plan_move
from tapeline.rules.warmaster.sequence import do_move
from tapeline.rules.warmaster.state import stands_of, unit_of
from tapeline.table.bodies import Unit

__all__ = [
    "do_about_face",
    "do_block",
    "do_brigade",
    "do_form_column",
    "do_form_line",
    "do_wheel",
    "planned",
    "turned_about",
]


Poses = Callable[[Sequence[Rect]], Sequence[Rect]]


def _plan(
    state: State, unit: Unit, poses: Poses, pivot: Point | None
) -> tuple[MoveSpec, dict[str, Rect], MovePlan]:
    """The kind of move that the unit may make, where its stands are to end, the ways found."""
    bodies = stands_of(state, unit)
    there = poses([rect_of(body) for body in bodies])
    ends = dict(zip((body.id for body in bodies), there, strict=True))
    spec = spec_of(state, unit)
    return spec, ends, plan_move(state, spec, ends, pivot)


def planned(state: State, unit: Unit, poses: Poses, pivot: Point | None = None) -> MoveUnit:
    """A plain move of the unit to some poses."""
    return MoveUnit(actor=unit.id, stands=_plan(state, unit, poses, pivot)[2].stands)


def _judged(
    run: Run, unit: Unit, poses: Poses, pivot: Point | None = None
) -> tuple[MoveUnit, list[Finding]]:
    """A plain move of the unit to some poses, and what bars it: what is wrong with the poses
    themselves or, if that is nothing, that no ways to them were found."""
    spec, ends, plan = _plan(run.state, unit, poses, pivot)
    action = MoveUnit(actor=unit.id, stands=plan.stands)
    barred = run.check(action)
    found = barred or run.check(replace(spec, stands=plan.stands))
    if barred or not found:
        return action, found
    order = [move.stand for move in plan.stands] or list(ends)
    asked = run.check(replace(spec, ends=tuple((name, ends[name]) for name in order)))
    return action, asked or [_no_way(unit, plan, found[0])]


def _no_way(unit: Unit, plan: MovePlan, bars: Finding) -> Finding:
    """That the stands of a unit find no ways to their places, and what was tried."""
    orders = f"{plan.orders} order{'' if plan.orders == 1 else 's'} of its stands"
    text = (
        f"No clear ways were found for {unit.name} to its places: tried straight, turning before, "
        f"after or as it goes, and round what is in between, in {orders}. The plainest is barred: "
        f"{bars.text}"
    )
    return Finding(text, place=bars.place, about=bars.about, clause="WM-STAND-4")


def _carry(run: Run, actor: str, poses: Poses, pivot: Point | None = None) -> Procedure:
    unit = unit_of(run.state, actor)
    if not stands_of(run.state, unit):
        run.refuse(run.check(MoveUnit(actor=unit.id)))
        return
    action, refused = _judged(run, unit, poses, pivot)
    run.refuse(refused)
    yield from do_move(run, action)


def do_block(run: Run, action: Block) -> Procedure:
    """Move a unit as one block."""
    yield from _carry(
        run, action.actor, lambda rects: as_block(rects, action.to or middle(rects), action.by)
    )


def do_wheel(run: Run, action: Wheel) -> Procedure:
    """Wheel a unit about a front corner at one of its ends."""
    unit = unit_of(run.state, action.actor)
    rects = [rect_of(body) for body in stands_of(run.state, unit)]
    # Who is off the table has no corner to wheel about, and is refused.
    pivot = pivot_of(rects, action.about) if rects else None
    yield from _carry(
        run, action.actor, lambda now: wheeled(now, pivot or (0.0, 0.0), action.by), pivot
    )


def turned_about(rects: Sequence[Rect]) -> list[Rect]:
    """Every stand turned about on the spot."""
    return [rect.turned(math.pi) for rect in rects]


def do_about_face(run: Run, action: AboutFace) -> Procedure:
    """Turn every stand about on the spot."""
    yield from _carry(run, action.actor, turned_about)


def _lead(rects: Sequence[Rect], to: Point | None, facing: float | None) -> Rect:
    first = rects[0]
    x, y = to if to is not None else (first.x, first.y)
    if facing is None:
        return first.moved(x - first.x, y - first.y)
    return Rect.of_degrees(x, y, facing, first.width, first.depth)


def do_form_line(run: Run, action: FormLine) -> Procedure:
    """Form a line on the first stand."""

    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        count = len(rects)
        place = {"left": count - 1, "right": 0}.get(action.extend, (count - 1) // 2)
        lead = _lead(rects, action.to, action.facing)
        places = as_line(lead, count, place)
        first = places.pop(place)
        return [first, *shared_out(rects[1:], places)]

    yield from _carry(run, action.actor, poses)


def do_form_column(run: Run, action: FormColumn) -> Procedure:
    """Form a column behind the first stand."""

    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        lead = _lead(rects, action.to, action.facing)
        places = as_column(lead, len(rects))
        return [places[0], *shared_out(rects[1:], places[1:])]

    yield from _carry(run, action.actor, poses)


def do_brigade(run: Run, action: Brigade) -> Procedure:
    """Move several units as one block, those ahead in its direction first."""
    if not action.units or len(set(action.units)) < len(action.units):
        text = "A brigade is made of one unit, or of several different ones."
        run.refuse([Finding(text, clause="WM-CMD-8")])
    units = [unit_of(run.state, name) for name in action.units]
    rects = [rect_of(body) for unit in units for body in stands_of(run.state, unit)]
    for unit in units:
        if not stands_of(run.state, unit):
            run.refuse(run.check(MoveUnit(actor=unit.id)))
    centre = middle(rects)
    to = action.to or centre
    shift = (to[0] - centre[0], to[1] - centre[1])

    def ahead(unit: Unit) -> float:
        x, y = middle([rect_of(body) for body in stands_of(run.state, unit)])
        return -(x * shift[0] + y * shift[1])

    refused: list[Finding] = []
    waiting = sorted(units, key=ahead)
    while waiting:
        for unit in waiting:
            poses = _moved_with(centre, shift, action.by)
            move, refused = _judged(run, unit, poses)
            if not refused:
                yield from do_move(run, move)
                waiting.remove(unit)
                break
        else:
            run.refuse(refused)


def _moved_with(centre: Point, shift: Point, by: float) -> Poses:
    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        turned = (rect.turned(math.radians(by), centre) for rect in rects)
        return [rect.moved(*shift) for rect in turned]

    return poses
