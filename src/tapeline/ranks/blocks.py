"""Where the stands of a unit are to end: blocks moved or wheeled, lines and columns formed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from tapeline.engine.limits import closer_than, more_than
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import Point

__all__ = ["as_block", "as_column", "as_line", "middle", "pivot_of", "shared_out", "wheeled"]


def middle(rects: Sequence[Rect]) -> Point:
    """The middle of a unit: the mean of its stands' centres."""
    count = len(rects)
    return sum(r.x for r in rects) / count, sum(r.y for r in rects) / count


def as_block(rects: Sequence[Rect], to: Point, by: float) -> list[Rect]:
    """The stands moved as one: turned about their middle by degrees, the middle shifted to `to`."""
    centre = middle(rects)
    dx, dy = to[0] - centre[0], to[1] - centre[1]
    return [rect.turned(math.radians(by), centre).moved(dx, dy) for rect in rects]


def pivot_of(rects: Sequence[Rect], side: str) -> Point:
    """The front corner at one end of a unit as its first stand faces; side "left" or "right"."""
    corners = [rect.corners[1 if side == "left" else 0] for rect in rects]
    places = [rects[0].local(corner) for corner in corners]
    outward = [left if side == "left" else -left for _, left in places]
    # Of stands in file, whose corners are as far out but for rounding, the foremost.
    ends = [i for i, out in enumerate(outward) if not more_than(max(outward), out)]
    return corners[max(ends, key=lambda i: places[i][0])]


def wheeled(rects: Sequence[Rect], pivot: Point, by: float) -> list[Rect]:
    """The stands turned about one point by degrees."""
    return [rect.turned(math.radians(by), pivot) for rect in rects]


def _slot(lead: Rect, ahead: float, left: float) -> Rect:
    x, y = lead.world(ahead, left)
    return Rect(x, y, lead.facing, lead.width, lead.depth, lead.ux, lead.uy)


def as_line(lead: Rect, count: int, place: int) -> list[Rect]:
    """The places of a line of stands, from left to right; the given one is `lead`'s, from 0."""
    return [_slot(lead, 0.0, (place - index) * lead.width) for index in range(count)]


def as_column(lead: Rect, count: int) -> list[Rect]:
    """The places of a column of stands, `lead`'s first."""
    return [_slot(lead, -index * lead.depth, 0.0) for index in range(count)]


def shared_out(rects: Sequence[Rect], places: Sequence[Rect]) -> list[Rect]:
    """For each stand a place of its own, so that the farthest goes as short a way as can be."""
    best: tuple[float, tuple[Rect, ...]] = (math.inf, tuple(places))
    for order in itertools.permutations(places):
        ways = [math.hypot(p.x - r.x, p.y - r.y) for r, p in zip(rects, order, strict=True)]
        cost = max(ways, default=0.0) + 1e-3 * sum(ways)
        if closer_than(cost, best[0]):
            best = (cost, order)
    return list(best[1])
