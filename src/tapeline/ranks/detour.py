"""How far it is round a barrier from one unit to another, stands left out of account.

A shortest curve between two areas that must bend leaves the first square from its nearest point
to a corner of an obstacle, or along a tangent to a round one, and comes to the second in the same
way; between those places it is a shortest path of a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.rectangles.rectangle import Rect, Region, nearest_point, separation
from tapeline.ranks.bases import Point

__all__ = ["detour"]


@lru_cache(maxsize=64)
def _field(regions: tuple[Region, ...]) -> Field:
    solids = [outline for region in regions for outline in region.outlines]
    posts = [
        (*part.loop, part.radius)
        for region in regions
        for part in region.parts
        if len(part.loop) == 2
    ]
    return Field.of(solids=solids, posts=[(x, y, r) for x, y, r in posts])


def _bends(regions: Sequence[Region], stands: Sequence[Rect]) -> Iterator[Point]:
    """Where a curve from or to some stands may first touch an obstacle."""
    for region in regions:
        for outline in region.outlines:
            yield from ((outline[i], outline[i + 1]) for i in range(0, len(outline), 2))
        for part in region.parts:
            if len(part.loop) != 2:
                continue
            x, y, r = *part.loop, part.radius
            for rect in stands:
                for cx, cy in rect.corners:
                    far = math.hypot(cx - x, cy - y)
                    if far <= r:
                        continue
                    base, spread = math.atan2(cy - y, cx - x), math.acos(r / far)
                    for angle in (base + spread, base - spread):
                        yield x + r * math.cos(angle), y + r * math.sin(angle)
                # Square off a side of the stand, along a tangent.
                for ux, uy in ((rect.ux, rect.uy), (-rect.uy, rect.ux)):
                    yield x + r * ux, y + r * uy
                    yield x - r * ux, y - r * uy


def detour(
    one: Sequence[Rect], other: Sequence[Rect], barriers: Sequence[Region], limit: float
) -> float:
    """Length of the shortest curve between two groups of stands outside barriers, cm.

    Infinite if there is none of at most the limit.
    """
    field = _field(tuple(barriers))

    def clear(a: Point, b: Point) -> bool:
        return field.follows([a, b], 0.0)

    best = math.inf
    for rect in one:
        for target in other:
            apart = separation(rect, target)
            if apart.gap < best and clear(apart.on_a, apart.on_b):
                best = apart.gap
    first = _ends(one, other, barriers, limit, clear)
    last = _ends(other, one, barriers, limit, clear)
    best = min(best, limit + 2.0 * LENGTH)
    for length, place in sorted(first):
        if length >= best:
            break
        for more, end in last:
            if math.dist(place, end) + length + more >= best:
                continue
            rest = best - length - more
            route = field.route(place, [PointGoal(*end)], 0.0, limit=rest).route
            if route is not None:
                best = min(best, length + more + route.length)
    return best if best <= limit else math.inf


def _ends(
    stands: Sequence[Rect],
    others: Sequence[Rect],
    barriers: Sequence[Region],
    limit: float,
    clear: Callable[[Point, Point], bool],
) -> list[tuple[float, Point]]:
    found = []
    for place in set(_bends(barriers, stands)):
        # From there it is no nearer to the others than to circles about them.
        rest = limit - max(0.0, min(_past(rect, place) for rect in others)) + LENGTH
        near = [rect for rect in stands if _past(rect, place) <= rest]
        nearest = min((nearest_point(rect, place) for rect in near), default=(math.inf, place))
        if nearest[0] <= rest and clear(nearest[1], place):
            found.append((nearest[0], place))
    return found


def _past(rect: Rect, place: Point) -> float:
    """How far a place is from the circle about a rectangle; below 0 in it."""
    return math.dist(rect.centre, place) - rect.reach
