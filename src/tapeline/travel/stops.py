"""Where on its way a base can stop: more than half of it carried, on nobody."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tapeline.engine.limits import TOLERANCE, overlaps
from tapeline.engine.paths import Place
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.table.storeys import TABLE
from tapeline.travel.nearness import Other
from tapeline.travel.route import Crossing, Route, Stretch, just_before
from tapeline.travel.terrain import Terrain

__all__ = ["is_held", "last_held", "last_stop"]

#: Share of a base that must be carried, a little more than half, so that rounding keeps it so.
_CARRIED = 0.5 + 2.0 * TOLERANCE
#: Table units. A stretch of a way that carries the base for no longer may be passed over.
_BRIEF = 1e-3


def last_stop(terrain: Terrain, way: Route, s: float, r: float, others: Sequence[Other]) -> float:
    """The last length up to s at which the base can stop; 0 where it began.

    others: bases that it may not stop on; it goes back from one to where it came onto it. Exact to
    the tolerance of the rules, whatever the way leads over. Moving a base by ds changes the share
    of it that is carried by at most 2 ds / (pi r), so from a share too small by d the way is gone
    back by pi r d / 2 at once; only stretches of less than 0.001 that would carry it may be passed
    over.
    """
    bad: float | None = None
    while s > 0.0:
        place = way.place(s)
        other = next((o for o in others if overlaps(o.overlap(place))), None)
        if other is not None:
            s, bad = _came_onto(way, s, other), None
            continue
        share = _share(terrain, place, r)
        if share > _CARRIED:
            if bad is None:
                return s
            return last_held(lambda t: is_held(terrain, way.place(t), r), s, bad, 0.5 * TOLERANCE)
        begin = _begin(way, s)
        if share < 0.0:  # on a ladder, or in the air
            s, bad = max(begin, _left(terrain, way, s)), None
            continue
        leap = max(_BRIEF, (_CARRIED - share) * 0.5 * math.pi * r)
        s, bad = (s - leap, s) if s - leap > begin else (begin, None)
    return 0.0


def is_held(terrain: Terrain, place: Place, r: float) -> bool:
    """Whether more than half of a base is carried at a place."""
    return _share(terrain, place, r) > _CARRIED


def _share(terrain: Terrain, place: Place, r: float) -> float:
    """The share of a base that is carried at a place; -1 where nothing carries its centre."""
    surface = terrain.storeys.support(*place, TOLERANCE)
    if surface is None:
        return -1.0
    return 1.0 if surface.id == TABLE else terrain.support(surface, place.x, place.y, r)


def _begin(way: Route, s: float) -> float:
    """Where the part of the way that a length lies in begins; of one that ends there, that one."""
    return max((before for before, _ in way.marked if before < s), default=0.0)


def _left(terrain: Terrain, way: Route, s: float) -> float:
    """Just before a level flight last came to, or left, what lies at its height, before a length
    that is in the air; 0 if it did not."""
    before, part = [(b, p) for b, p in way.marked if b < s][-1]
    if not isinstance(part, Stretch) or part.how != "fly" or part.start.z != part.end.z:
        return 0.0
    marks = (
        before + mark - TOLERANCE
        for surface in terrain.storeys.surfaces
        if surface.ramp is None and abs(surface.z - part.start.z) <= TOLERANCE
        for mark in surface.marks(part.leg, TOLERANCE)
    )
    return max((mark for mark in marks if mark < s - TOLERANCE), default=0.0)


def last_held(held: Callable[[float], bool], good: float, bad: float, within: float) -> float:
    """The last value, to within so much, at which a base is carried, between one where it is and
    one where it is not."""
    while abs(bad - good) > within:
        middle = 0.5 * (good + bad)
        good, bad = (middle, bad) if held(middle) else (good, middle)
    return good


def _came_onto(way: Route, s: float, other: Other) -> float:
    """Where the base came onto another that it is on at s; just before, if by a step down."""
    for before, part in reversed(tuple(way.marked)):
        if before >= s:
            continue
        if isinstance(part, Crossing):
            return before
        if s >= before + part.length and not overlaps(other.overlap(part.end)):
            return just_before(s)
        here = (s - before) / part.length * part.leg.length
        begins = [
            b for b, _ in spans_near_point(part.leg, other.x, other.y, other.room) if b < here
        ]
        begin = max(begins, default=0.0)
        if begin > 0.0:
            return before + part.length * begin / part.leg.length
        s = before
    return 0.0
