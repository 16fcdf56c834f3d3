"""A charge planned: which stand goes first, where each is to end, by which ways.

What is planned is judged by the clauses like a charge given stand by stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from tapeline.engine.limits import affords
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.charge import (
    attacked_edges,
    beside,
    front_contact,
    who_sees,
)
from tapeline.rules.warmaster.charge_aim import aims, first_poses, least_travel
from tapeline.rules.warmaster.charge_line import Line, behind, has_room, in_touch, line_up
from tapeline.rules.warmaster.moving import MoveSpec, Moving
from tapeline.rules.warmaster.planner import Plan, plan_move
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import kept_for, stands_of, unit_of
from tapeline.rules.warmaster.wanted import middle, shared_out
from tapeline.rules.warmaster.ways import Ways
from tapeline.table.bodies import Body

__all__ = ["plan_charge"]


def plan_charge(
    state: State, spec: MoveSpec, at: tuple[str, str] | None = None
) -> tuple[StandMove, ...]:
    """Stands in order with their ways into the target of a charge; the best found, which need not
    be legal. Empty where nothing of the target is seen. Raises UnknownIdError.

    at: the stand and the edge of it to go at, where that is settled (WM-CHG-2). Plans for the state
    looked at last are remembered with its table.
    """
    known: dict[object, tuple[StandMove, ...]] = kept_for(state, "warmaster:charges")
    if (spec, at) not in known:
        known[spec, at] = _planned(state, spec, at)
    return known[spec, at]


def _planned(state: State, spec: MoveSpec, at: tuple[str, str] | None) -> tuple[StandMove, ...]:
    """The charge that brings most stands into contact, of those found; else the best tried."""
    moving = Moving(state, spec)
    ways = Ways(moving)
    foes = [rect_of(body) for body in stands_of(state, unit_of(state, spec.target or ""))]
    tried: Plan | None = None
    best: Line | None = None
    for first, poses in _first_stands(moving, _goals(state, spec, at)):
        for pose in poses:
            ends = _places(moving, first, pose, foes)
            if ends is not None:
                plan = plan_move(state, spec, ends, first=first.id)
                tried = tried or plan
                touching = in_touch(list(ends.values()), foes)
                if plan.whole and touching > (0 if best is None else best.touching):
                    best = Line(plan.stands, touching)
            if best is not None and best.touching == len(moving.bodies):
                return best.stands
            study = ways.way(first, pose, (), detours=True)
            if study is not None:
                best = line_up(moving, study, foes, 0 if best is None else best.touching) or best
                # Farther from the centre it may not go, once there is a way to here.
                break
    if best is not None:
        return best.stands
    return () if tried is None else tried.stands


def _goals(state: State, spec: MoveSpec, at: tuple[str, str] | None) -> list[tuple[Body, str]]:
    """Stands of the target with the edges of them that may be attacked."""
    if at is not None:
        return [(state.bodies[at[0]], at[1])]
    unit = unit_of(state, spec.unit)
    return [(b, edge) for b in aims(state, spec) for edge in attacked_edges(state, unit, b)]


def _first_stands(
    moving: Moving, goals: Iterable[tuple[Body, str]]
) -> Iterator[tuple[Body, Iterator[Rect]]]:
    """Stands that may go first, with the poses on the attacked edge that they may go to."""
    for body, edge in goals:
        for first in who_sees(moving.state, moving.unit, body):
            yield first, first_poses(moving, first, body, edge)


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
            if not has_room(moving.state, place, taken, barriers):
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
    yield from ((0, place) for place in beside(placed, placed[0]))
    yield from ((1, place) for place in behind(placed))
