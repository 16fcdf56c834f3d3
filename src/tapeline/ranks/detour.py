"""How far it is round a barrier from one unit to another, stands left out of account.

A shortest curve between two areas that must bend leaves the first square from its nearest point
to a corner of an obstacle, or along a tangent to a round one, and comes to the second in the same
way; between those places it is a shortest path of a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.rectangles.rectangle import Rect, Region, nearest_point, separation
from tapeline.ranks.bases import Point

__all__ = ["detour"]


def _field(regions: Sequence[Region]) -> Field:
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
    field = _field(barriers)

    def clear(a: Point, b: Point) -> bool:
        return field.follows([a, b], 0.0)

    best = math.inf
    for rect in one:
        for target in other:
            apart = separation(rect, target)
            if apart.gap < best and clear(apart.on_a, apart.on_b):
                best = apart.gap
    first = _ends(one, barriers, limit, clear)
    last = _ends(other, barriers, limit, clear)
    for length, place in sorted(first):
        if length >= min(best, limit + 1.0):
            break
        for more, end in last:
            if length + more >= min(best, limit + 1.0):
                continue
            if math.dist(place, end) + length + more >= min(best, limit + 1.0):
                continue
            rest = limit + 1.0 - length - more
            route = field.route(place, [PointGoal(*end)], 0.0, limit=rest).route
            if route is not None:
                best = min(best, length + more + route.length)
    return best if best <= limit else math.inf


def _ends(
    stands: Sequence[Rect],
    barriers: Sequence[Region],
    limit: float,
    clear: Callable[[Point, Point], bool],
) -> list[tuple[float, Point]]:
    found = []
    for place in set(_bends(barriers, stands)):
        nearest = min(nearest_point(rect, place) for rect in stands)
        if nearest[0] <= limit and clear(nearest[1], place):
            found.append((nearest[0], place))
    return found
