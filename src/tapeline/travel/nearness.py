"""How near a route comes to another base: the least gap, the first, the greatest; overlaps.

On a level piece of a route all this is in closed form. On one that rises the gap to a base is
convex along it: its least value is found by golden section, where it comes to a limit by halving.
Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than, overlaps, within
from tapeline.engine.paths import Place
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.plane.sweeps import farthest_from_point, nearest_to_point, spans_near_point
from tapeline.table.storeys import Surface
from tapeline.travel.route import Route, Stretch

__all__ = [
    "Near",
    "Other",
    "comes_back",
    "comes_onto",
    "first_convex",
    "first_near",
    "least",
    "leaves",
    "lowest",
    "most",
    "runs_over",
]

#: Halvings that find a place on a leg.
_HALVINGS = 90
#: Share of a piece: how closely the first place within a distance is found.
_SHARE = 1e-13
#: Length: more than rounding is off.
_CLEAR = 1e-3


class Near(NamedTuple):
    """A gap somewhere on a way: how wide, after what length, and where. space: of the first, that
    length with crossings as long as they are in space, so that it tells apart what is free."""

    gap: float
    travelled: float
    place: Place
    space: float = 0.0


class Other(NamedTuple):
    """A round base beside a way: its centre on the plan, the heights from which and up to which it
    is measured to, and how far apart the centres are where it touches the one that goes. slopes:
    those it stands on, or at the foot or head of."""

    x: float
    y: float
    low: float
    high: float
    room: float
    slopes: tuple[Surface, ...] = ()

    def rise(self, z: float) -> float:
        """How far above a height it lies; below it negative."""
        return self.low - z if z < self.low else min(0.0, self.high - z)

    def apart(self, place: Place) -> float:
        """How far apart the centres are on the plan."""
        return math.hypot(place.x - self.x, place.y - self.y)

    def gap(self, place: Place) -> float:
        """The gap to a base that is at a place."""
        flat, rise = self.apart(place) - self.room, self.rise(place.z)
        if flat <= 0.0:
            return abs(rise)
        return flat if rise == 0.0 else math.hypot(flat, rise)

    def reach(self, z: float, limit: float) -> float | None:
        """How far apart the centres are on the plan where the gap at a height is a limit; None if
        it never is."""
        rise = abs(self.rise(z))
        if not within(rise, limit):
            return None
        return self.room + math.sqrt(max(0.0, limit * limit - rise * rise))

    def overlap(self, place: Place) -> float:
        """How deep a base at a place is in it; 0 if it is not on one level or slope with it."""
        return max(0.0, self.room - self.apart(place)) if self.is_level_with(place) else 0.0

    def is_level_with(self, place: Place) -> bool:
        """Whether a place is at its height, on a slope with it, or at the slope's foot or head."""
        if abs(place.z - self.low) <= TOLERANCE:
            return True
        return any(abs(s.height(place.x, place.y) - place.z) <= TOLERANCE for s in self.slopes)

    def is_far(self, way: Route, limit: float) -> bool:
        """Whether it surely is farther than a limit from all of a way; not told of those that rise
        or cross, which may count shorter than they are."""
        if not way.level:
            return False
        x, y, z = way.start
        reach = self.reach(z, limit)
        if reach is None:
            return True
        span = reach + way.length + _CLEAR
        return (self.x - x) ** 2 + (self.y - y) ** 2 > span * span


def lowest(f: Callable[[float], float]) -> float:
    """The share, 0 to 1, at which a convex function is least; an end where it is no more there."""
    return min((0.0, least_of_convex(f, 0.0, 1.0, _SHARE), 1.0), key=f)


def first_convex(measured: Callable[[float], float], limit: float, begin: float) -> float | None:
    """The first share at which a convex measure comes within a limit that it begins beyond;
    None if it never does. Found to 1e-12 of the whole."""
    near = 1.0
    if not within(measured(near), limit):
        near = least_of_convex(measured, begin, near, _SHARE, limit + TOLERANCE)
    if not within(measured(near), limit):
        return None
    # Falling until it is within: halve between the last place beyond and the first one within.
    mark, beyond = max(limit, measured(near)), begin
    while near - beyond > _SHARE:
        middle = 0.5 * (beyond + near)
        if not beyond < middle < near:
            break
        if measured(middle) <= mark:
            near = middle
        else:
            beyond = middle
    return near


def _there(before: float, piece: Stretch, t: float, other: Other) -> Near:
    """The gap at a share of a piece."""
    place = piece.at(t)
    return Near(other.gap(place), before + t * piece.length, place)


def _far_off(piece: Stretch, other: Other, limit: float) -> bool:
    a = piece.start
    span = limit + other.room + math.dist(a, piece.end)
    if piece.arc is not None:
        span += 2.0 * piece.length
    return math.hypot(a.x - other.x, a.y - other.y) > span + _CLEAR


def _nearest(piece: Stretch, other: Other) -> float:
    """The share of a piece at which the gap is least."""
    if piece.arc is not None and piece.grade is None:
        whole = piece.leg.length
        near = nearest_to_point(piece.leg, other.x, other.y)
        return near.travelled / whole if whole > 0.0 else 0.0
    (ax, ay, az), (bx, by, bz) = piece.start, piece.end
    if az != bz or piece.grade is not None:
        return lowest(lambda t: other.gap(piece.at(t)))
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    along = (other.x - ax) * dx + (other.y - ay) * dy
    return min(1.0, max(0.0, along / square)) if square > 0.0 else 0.0


def _turns(piece: Stretch, other: Other) -> list[float]:
    """Shares of a piece between which its greatest gap lies at one of them, in order."""
    if piece.arc is None or piece.leg.length <= 0.0:
        return [0.0, 1.0]
    if piece.grade is not None:
        return [0.0, lowest(lambda t: -other.gap(piece.at(t))), 1.0]
    far = farthest_from_point(piece.leg, other.x, other.y).travelled
    return [0.0, far / piece.leg.length, 1.0]


def _comes_to(piece: Stretch, other: Other, limit: float, out: float, near: float) -> float:
    """The share of a piece at which the gap, which is more than a limit at one share and at most
    that at a later one, comes to it last."""
    spans = _shares_within(piece, other, limit)
    if spans is not None:
        return max((begin for begin, _ in spans if begin <= near), default=near)
    return _halved(piece, other, out, near, lambda gap: gap <= limit)


def _goes_from(piece: Stretch, other: Other, limit: float, near: float, out: float) -> float:
    """The share of a piece at which the gap, which is at most a limit at one share and more than
    that at a later one, comes to it first."""
    spans = _shares_within(piece, other, limit)
    if spans is not None:
        return min((end for _, end in spans if near <= end <= out), default=near)
    return _halved(piece, other, near, out, lambda gap: gap > limit)


def _shares_within(piece: Stretch, other: Other, limit: float) -> list[tuple[float, float]] | None:
    """Shares of a level piece between which the gap is less than a limit; None of others."""
    level = piece.start.z == piece.end.z and piece.grade is None
    reach = other.reach(piece.start.z, limit) if level else None
    whole = piece.leg.length
    if reach is None or whole <= 0.0:
        return None
    spans = spans_near_point(piece.leg, other.x, other.y, reach)
    return [(begin / whole, end / whole) for begin, end in spans]


def _halved(
    piece: Stretch, other: Other, low: float, high: float, holds: Callable[[float], bool]
) -> float:
    """The least share of a piece at which something holds of the gap that does at the high one."""
    for _ in range(_HALVINGS if high > low else 0):
        middle = 0.5 * (low + high)
        if holds(other.gap(piece.at(middle))):
            high = middle
        else:
            low = middle
    return high


def least(way: Route, other: Other, limit: float) -> Near | None:
    """The least gap on a way, the first such place; None if it is surely more than a limit."""
    if other.is_far(way, limit):
        return None
    best: Near | None = Near(other.gap(way.start), 0.0, way.start)
    if best is not None and not within(best.gap, limit):
        best = None
    for before, piece in way.traced:
        if _far_off(piece, other, limit):
            continue
        near = _there(before, piece, _nearest(piece, other), other)
        if best is None or near.gap < best.gap - 1e-12:
            best = near
        elif way.level and near.gap == 0.0 and other.apart(near.place) < other.apart(best.place):
            best = near  # of places over it the one deepest
    return best


def first_near(way: Route, other: Other, limit: float) -> Near | None:
    """The first place on a way with a gap of a limit or less; a tangent counts, at its place."""
    if other.is_far(way, limit):
        return None
    gap = other.gap(way.start)
    if gap <= limit:
        return Near(gap, 0.0, way.start)
    behind = 0.0
    for before, piece in way.traced:
        span = piece.length if piece.crosses is None else piece.crosses
        if not _far_off(piece, other, limit):
            t = _nearest(piece, other)
            if within(_there(before, piece, t, other).gap, limit):
                t = _comes_to(piece, other, limit, 0.0, t)
                return _there(before, piece, t, other)._replace(space=behind + t * span)
        behind += span
    return None


def most(way: Route, other: Other) -> Near:
    """The greatest gap on a way, the first such place."""
    best = Near(other.gap(way.start), 0.0, way.start)
    for before, piece in way.traced:
        for t in sorted(_turns(piece, other), key=lambda t: 0.0 < t < 1.0):
            near = _there(before, piece, t, other)
            if near.gap > best.gap + 1e-12:
                best = near
    return best


def leaves(way: Route, other: Other, limit: float) -> float:
    """The first length at which the gap is more than a limit; the whole length if it never is."""
    if more_than(other.gap(way.start), limit):
        return 0.0
    for before, piece in way.traced:
        for one, two in pairwise(_turns(piece, other)):
            if more_than(other.gap(piece.at(two)), limit):
                return before + _goes_from(piece, other, limit, one, two) * piece.length
    return way.length


def comes_back(way: Route, other: Other, limit: float) -> Near | None:
    """Where a way that has got farther than a limit from a base is as near again, and the length
    at which it came to that; None if it never does."""
    if other.is_far(way, limit):
        return None
    out = more_than(other.gap(way.start), limit)
    for before, piece in way.traced:
        last = 0.0
        for t in sorted({*_turns(piece, other), _nearest(piece, other)}):
            near = _there(before, piece, t, other)
            if more_than(near.gap, limit):
                out = True
            elif out:
                entry = _comes_to(piece, other, limit, last, t)
                return near._replace(travelled=before + entry * piece.length)
            last = t
    return None


def runs_over(way: Route, other: Other, *, sliding: bool = False) -> Near | None:
    """Where a way leads deepest over another base, how deep in place of a gap, and the length at
    which it comes onto it; None if it does not. Who slides may begin in contact by the tolerance.
    """
    if other.is_far(way, 0.0):
        return None
    begin, deep = other.overlap(way.start), _deepest(way, other)
    if not overlaps(deep.gap - (begin if sliding else 0.0)):
        return None
    s = comes_onto(way, other)
    if s == 0.0 and not overlaps(begin):
        s = comes_onto(way, other._replace(room=other.room - TOLERANCE))  # it begins touching
    return deep._replace(travelled=min(deep.travelled, s))


def _deepest(way: Route, other: Other) -> Near:
    """Where two bases are deepest in each other on a way: how deep, in place of a gap."""
    best = Near(0.0, 0.0, way.start)
    for before, part in way.marked:
        if isinstance(part, Stretch) and part.length > 0.0 and not _far_off(part, other, 0.0):
            near = nearest_to_point(part.leg, other.x, other.y)
            whole = part.leg.length
            t = near.travelled / whole if whole else 0.0
            if other.room - near.distance > best.gap:
                place = part.at(t)
                depth = other.overlap(place)
                if depth > best.gap:
                    best = Near(depth, before + t * part.length, place)
        depth = other.overlap(part.end)
        if depth > best.gap:
            best = Near(depth, before + part.length, part.end)
    return best


def comes_onto(way: Route, other: Other) -> float:
    """The length at which a base first comes onto another; the whole length if it never does."""
    for before, part in way.marked:
        if not isinstance(part, Stretch):
            if other.overlap(part.end) > TOLERANCE:
                return before
            continue
        leg = part.leg
        if leg.length <= 0.0:  # a step up or down
            if other.overlap(part.end) > TOLERANCE >= other.overlap(part.start):
                return before
            continue
        if _far_off(part, other, 0.0):
            continue
        for begin, _ in spans_near_point(leg, other.x, other.y, other.room):
            t = begin / leg.length
            if other.is_level_with(part.at(t)):
                return before + t * part.length
    return way.length
