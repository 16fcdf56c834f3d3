"""A charge planned: which stand goes first, where each is to end, by which ways.

What is planned is judged by the clauses like a charge given stand by stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.engine.limits import TOLERANCE, affords, more_than
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.rectangle import Rect, overlaps
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.charge import (
    attacked_edges,
    beside,
    front_contact,
    who_sees,
)
from tapeline.rules.warmaster.charge_aim import aims, first_poses, least_travel
from tapeline.rules.warmaster.moving import Barrier, MoveSpec, Moving
from tapeline.rules.warmaster.planner import Plan, plan_move
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import kept_for, stands_of, unit_of
from tapeline.rules.warmaster.wanted import middle, shared_out
from tapeline.table.bodies import Body

__all__ = ["plan_charge"]


def plan_charge(state: State, spec: MoveSpec) -> tuple[StandMove, ...]:
    """Stands in order with their ways into the target of a charge; the best found, which need not
    be legal. Empty where nothing of the target is seen. Raises UnknownIdError.

    Plans for the state looked at last are remembered with its table.
    """
    known: dict[MoveSpec, tuple[StandMove, ...]] = kept_for(state, "warmaster:charges")
    if spec not in known:
        known[spec] = _planned(state, spec)
    return known[spec]


def _planned(state: State, spec: MoveSpec) -> tuple[StandMove, ...]:
    unit, target = unit_of(state, spec.unit), unit_of(state, spec.target or "")
    moving = Moving(state, spec)
    foes = [rect_of(body) for body in stands_of(state, target)]
    best: Plan | None = None
    for body in aims(state, spec):
        for edge in attacked_edges(state, unit, body):
            for first in who_sees(state, unit, body):
                for pose in first_poses(moving, first, body, edge):
                    ends = _places(moving, first, pose, foes)
                    if ends is None:
                        continue
                    plan = plan_move(state, spec, ends, first=first.id)
                    if plan.whole:
                        return plan.stands
                    best = best or plan
    return () if best is None else best.stands


def _places(
    moving: Moving, first: Body, pose: Rect, foes: Sequence[Rect]
) -> dict[str, Rect] | None:
    """A place for every stand: the first at its pose; then, one by one, where most of a front is on
    the enemy, beside rather than behind, near to the unit. None if there is no room."""
    far = moving.spec.allowance + pose.reach
    box = (pose.x - far, pose.y - far, pose.x + far, pose.y + far)
    barriers = moving.heeded(first, (), box)
    others = [body for body in moving.bodies if body.id != first.id]
    rects = [rect_of(body) for body in others]
    x0, y0 = middle([rect_of(body) for body in moving.bodies])
    taken = [pose]
    for _ in others:
        best: tuple[tuple[float, int, float], Rect] | None = None
        for rank, place in _offered(taken):
            if not any(affords(least_travel(r, place), moving.spec.allowance) for r in rects):
                continue
            if not _has_room(moving.state, place, taken, barriers):
                continue
            contact = front_contact(place, foes)
            key = (-round(contact, 6), rank, math.hypot(place.x - x0, place.y - y0))
            if best is None or key < best[0]:
                best = (key, place)
        if best is None:
            return None
        taken.append(best[1])
    places = shared_out(rects, taken[1:])
    return {first.id: pose, **{b.id: place for b, place in zip(others, places, strict=True)}}


def _offered(placed: Sequence[Rect]) -> Iterator[tuple[int, Rect]]:
    """Places beside those taken, then behind them."""
    for place in beside(placed, placed[0]):
        yield 0, place
    for rect in placed:
        x, y = rect.world(-rect.depth, 0.0)
        yield 1, Rect(x, y, rect.facing, rect.width, rect.depth, rect.ux, rect.uy)


def _has_room(
    state: State, place: Rect, placed: Sequence[Rect], barriers: Sequence[Barrier]
) -> bool:
    width, depth = state.table.width, state.table.depth
    for x, y in place.corners:
        if more_than(-x, 0.0) or more_than(x, width) or more_than(-y, 0.0) or more_than(y, depth):
            return False
    if any(overlaps(place, rect, TOLERANCE) for rect in placed):
        return False
    return not any(
        barrier.sort in ("foe", "friend", "terrain")
        and _near(place, barrier.box)
        and overlaps(place, barrier.shape, TOLERANCE)
        for barrier in barriers
    )


def _near(rect: Rect, box: Box) -> bool:
    reach = rect.reach
    return box[0] - reach <= rect.x <= box[2] + reach and box[1] - reach <= rect.y <= box[3] + reach
