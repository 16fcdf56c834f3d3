"""Where along a way a base can stop: more than half carried, on no friend (TC-MOVE-11, G-8)."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE, overlaps
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.rules.trench_crusade.closeness import overlap
from tapeline.rules.trench_crusade.policy import on_table, terrain_of
from tapeline.rules.trench_crusade.state import radius
from tapeline.table.bodies import Body
from tapeline.travel.route import Crossing, Route

__all__ = ["is_held", "last_stop"]

#: Share of a base that must be carried, a little more than half, so that rounding keeps it so.
_CARRIED = 0.5 + 2.0 * TOLERANCE
#: Inches. A stretch of a way that carries the base for no longer may be passed over.
_BRIEF = 1e-3


def last_stop(state: State, mover: Body, way: Route, s: float) -> float:
    """The last length up to s at which the base can stop; 0 where it began.

    Exact to the tolerance of the rules, whatever the way leads over. A friend is gone back from to
    where the base came onto it. Moving a base by ds changes the share of it that is carried by at
    most 2 ds / (pi r), so from a share too small by d the way is gone back by pi r d / 2 at once;
    only stretches of less than 0.001 in that would carry it may be passed over.
    """
    r, friends = radius(mover), list(state.friends(mover))
    bad: float | None = None
    while s > 0.0:
        place = way.place(s)
        friend = next((f for f in friends if overlaps(overlap(mover, f, place))), None)
        if friend is not None:
            s, bad = _came_onto(way, s, mover, friend), None
            continue
        share = _share(state, mover, place)
        if share > _CARRIED:
            return s if bad is None else _border(state, mover, way, s, bad)
        begin = _begin(way, s)
        if share < 0.0:  # on a ladder, or in the air
            s, bad = begin, None
            continue
        leap = max(_BRIEF, (_CARRIED - share) * 0.5 * math.pi * r)
        s, bad = (s - leap, s) if s - leap > begin else (begin, None)
    return 0.0


def is_held(state: State, mover: Body, place: Place) -> bool:
    """Whether more than half of the base is carried at a place."""
    return _share(state, mover, place) > _CARRIED


def _share(state: State, mover: Body, place: Place) -> float:
    """The share of the base that is carried at a place; -1 where nothing carries its centre."""
    heights = terrain_of(state)
    surface = heights.storeys.support(*place, TOLERANCE)
    if surface is None:
        return -1.0
    if on_table(surface):
        return 1.0
    return heights.support(surface, place.x, place.y, radius(mover))


def _begin(way: Route, s: float) -> float:
    """Where the part of the way that a length lies in begins; of one that ends there, that one."""
    return max((before for before, _ in way.marked if before < s), default=0.0)


def _border(state: State, mover: Body, way: Route, good: float, bad: float) -> float:
    """The last length at which the base is carried, between one where it is and one where not."""
    while bad - good > 0.5 * TOLERANCE:
        middle = 0.5 * (good + bad)
        good, bad = (middle, bad) if is_held(state, mover, way.place(middle)) else (good, middle)
    return good


def _came_onto(way: Route, s: float, mover: Body, friend: Body) -> float:
    """Where the base came onto the friend's that it is on at s; just before, if by a step down."""
    room = radius(mover) + radius(friend)
    for before, part in reversed(tuple(way.marked)):
        if before >= s:
            continue
        if isinstance(part, Crossing):
            return before
        if s >= before + part.length and not overlaps(overlap(mover, friend, part.end)):
            return s - 0.5 * TOLERANCE
        here = (s - before) / part.length * part.leg.length
        begins = [b for b, _ in spans_near_point(part.leg, friend.x, friend.y, room) if b < here]
        begin = max(begins, default=0.0)
        if begin > 0.0:
            return before + part.length * begin / part.leg.length
        s = before
    return 0.0
