"""Rectangular bases of bodies: their shapes and boxes, how far apart they are, contact."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from tapeline.engine.limits import TOLERANCE, overlaps, within
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    Separation,
    region_of_circle,
    region_of_rect,
    separation,
)
from tapeline.table.bodies import Body, Rectangle, Round

__all__ = [
    "ByPlace",
    "NearestPair",
    "Point",
    "alike",
    "all_nearest_to",
    "angle_between",
    "apart",
    "apart_at_least",
    "away_from",
    "box_about",
    "box_about_all",
    "box_of_slide",
    "grown",
    "in_contact",
    "nearest_pairs",
    "nearest_to",
    "rect_of",
    "region_of",
    "shape_of",
    "shifts_within",
    "touch",
    "unit_gap",
    "ways_off",
]


ThingT = TypeVar("ThingT")


@dataclass(frozen=True, slots=True)
class NearestPair:
    """A pair of stands as near to each other as two units come, with their nearest points."""

    own: Body
    other: Body
    gap: float
    on_own: Point
    on_other: Point


#: Bases and distances remembered: those of some hundred stands, asked for again and again.
_REMEMBERED = 1 << 14


_rect = lru_cache(maxsize=_REMEMBERED)(Rect.of_degrees)


@lru_cache(maxsize=_REMEMBERED)
def apart(a: Rect, b: Rect) -> Separation:
    """How two stands lie to each other."""
    return separation(a, b)


def rect_of(body: Body) -> Rect:
    """The base of a stand as a rectangle; its width is the front edge, cm."""
    base = body.base
    assert isinstance(base, Rectangle)
    return _rect(body.x, body.y, body.facing, base.width, base.depth)


@lru_cache(maxsize=_REMEMBERED)
def region_of(rect: Rect) -> Region:
    """A rectangle as a region; made once."""
    return region_of_rect(rect)


def shape_of(body: Body) -> Rect | Region:
    """The base of a stand or of a character."""
    if isinstance(body.base, Round):
        return region_of_circle(body.x, body.y, body.base.radius)
    return rect_of(body)


def apart_at_least(a: Rect, b: Rect) -> float:
    """A length that two rectangles are surely apart; not above 0 where they might meet."""
    return math.hypot(a.x - b.x, a.y - b.y) - a.reach - b.reach


def touch(a: Rect, b: Rect) -> bool:
    """Whether two stands are in contact: no gap and no overlap (WM-FORM-2)."""
    if apart_at_least(a, b) > TOLERANCE:
        return False
    lie = apart(a, b)
    return within(lie.gap, 0.0) and not overlaps(lie.depth)


def in_contact(a: Rect, b: Rect) -> bool:
    """Whether two bases have no gap between them."""
    return apart_at_least(a, b) <= TOLERANCE and within(apart(a, b).gap, 0.0)


def unit_gap(one: Iterable[Body], other: Sequence[Body]) -> float:
    """The least distance between stands of two units, cm; infinite if one has none."""
    least = math.inf
    rects = [rect_of(body) for body in other]
    for body in one:
        a = rect_of(body)
        for b in rects:
            if apart_at_least(a, b) < least:
                least = min(least, apart(a, b).gap)
    return least


def nearest_pairs(one: Sequence[Body], other: Sequence[Body]) -> list[NearestPair]:
    """All pairs of stands at the least distance between two units, within the tolerance."""
    found: list[NearestPair] = []
    least = math.inf
    rects = [(body, rect_of(body)) for body in other]
    for own in one:
        a = rect_of(own)
        for body, b in rects:
            if apart_at_least(a, b) > least + TOLERANCE:
                continue
            lie = apart(a, b)
            least = min(least, lie.gap)
            found.append(NearestPair(own, body, lie.gap, lie.on_a, lie.on_b))
    return [pair for pair in found if within(pair.gap, least)]


def all_nearest_to(stands: Sequence[Body], other: Body) -> list[NearestPair]:
    """The stands that are nearest to another or to a character, within the tolerance."""
    shape, lies, least = shape_of(other), [], math.inf
    for body in stands:
        # One that is plainly farther than another is not measured.
        past = math.dist(body.centre, other.centre) - body.base.reach - other.base.reach
        if past <= least + 2.0 * TOLERANCE:
            lies.append((separation(rect_of(body), shape), body))
            least = min(least, lies[-1][0].gap)
    return [
        NearestPair(body, other, lie.gap, lie.on_a, lie.on_b)
        for lie, body in lies
        if within(lie.gap, least)
    ]


def nearest_to(stands: Sequence[Body], other: Body) -> NearestPair:
    """The first of the stands that are nearest to another or to a character."""
    return all_nearest_to(stands, other)[0]


def away_from(pair: NearestPair) -> Point | None:
    """The direction straight away from the other of a nearest pair; None where they touch."""
    dx, dy = pair.on_own[0] - pair.on_other[0], pair.on_own[1] - pair.on_other[1]
    length = math.hypot(dx, dy)
    return None if length <= TOLERANCE else (dx / length, dy / length)


def ways_off(one: Sequence[Body], other: Sequence[Body]) -> list[tuple[NearestPair, Point]]:
    """The nearest pairs of two units, each with the direction straight away; of those of one stand
    that lead the same way the first."""
    found: list[tuple[NearestPair, Point]] = []
    for pair in nearest_pairs(one, other):
        u = away_from(pair)
        if u is not None and not any(
            pair.own.id == known.own.id and within(math.dist(u, way), 0.0) for known, way in found
        ):
            found.append((pair, u))
    return found


@lru_cache(maxsize=_REMEMBERED)
def shifts_within(start: Rect, end: Rect, u: Point, far: float) -> tuple[float, float] | None:
    """The shifts of an end along a direction at which no corner is farther than that from where it
    begins: each is in a circle about its beginning, so they are one stretch; None if there are
    none."""
    low, high = -math.inf, math.inf
    for (x0, y0), (x1, y1) in zip(start.corners, end.corners, strict=True):
        dx, dy = x1 - x0, y1 - y0
        along, across = dx * u[0] + dy * u[1], dx * u[1] - dy * u[0]
        if not within(abs(across), far):
            return None
        half = math.sqrt(max(0.0, far * far - across * across))
        low, high = max(low, -along - half), min(high, -along + half)
    # At just that far the circles touch in one place, but for rounding.
    return (min(low, high), max(low, high)) if within(low, high) else None


def angle_between(a: Rect, b: Rect) -> float:
    """The smaller angle from the facing of one rectangle to that of another, radians."""
    return math.atan2(a.ux * b.uy - a.uy * b.ux, a.ux * b.ux + a.uy * b.uy)


def alike(a: Rect, b: Rect) -> bool:
    """Whether two stands face the same way: turning one so moves no corner by more than the
    tolerance."""
    return abs(angle_between(a, b)) * max(a.reach, b.reach) <= TOLERANCE


@lru_cache(maxsize=_REMEMBERED)
def grown(rect: Rect, by: float) -> Region:
    """The ground within a length of a rectangle."""
    return Region((Part(rect.loop, by),), box_about(rect, by))


def box_about(shape: Rect | Region, more: float = 0.0) -> Box:
    """A box about a shape, with so much more around it; of a rectangle the box of its circle."""
    if isinstance(shape, Region):
        left, low, right, high = shape.bounds
    else:
        x, y, r = shape.x, shape.y, shape.reach
        left, low, right, high = x - r, y - r, x + r, y + r
    return left - more, low - more, right + more, high + more


def box_about_all(rects: Iterable[Rect], more: float = 0.0) -> Box:
    """A box about the circles of some rectangles; of none one about nothing."""
    nothing = (math.inf, math.inf, -math.inf, -math.inf)
    boxes = [box_about(rect, more) for rect in rects] or [nothing]
    left, low, right, high = zip(*boxes, strict=True)
    return min(left), min(low), max(right), max(high)


def box_of_slide(rect: Rect, dx: float, dy: float) -> Box:
    """A box about all that a rectangle sweeps on a slide."""
    x, y, far = rect.x + dx, rect.y + dy, rect.reach
    return (min(rect.x, x) - far, min(rect.y, y) - far, max(rect.x, x) + far, max(rect.y, y) + far)


class ByPlace(Generic[ThingT]):
    """Things of a table, found by the boxes about them."""

    __slots__ = ("_grid", "things")

    def __init__(self, things: Iterable[ThingT], box: Callable[[ThingT], Box]) -> None:
        self.things = tuple(things)
        self._grid = Grid([box(thing) for thing in self.things])

    def near(self, box: Box) -> list[ThingT]:
        """Those whose boxes meet a box, in the order given."""
        return [self.things[index] for index in self._grid.near(box)]
