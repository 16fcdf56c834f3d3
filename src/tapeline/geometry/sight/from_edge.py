"""Sight from an edge: is there a free line from some point of a segment, forward, to an area?

What lies within `slack` of a line blocks it, so a slit no wider than two of that lets nothing
through. The free lines then form an open set, and the lines at its border touch two of: the ends of
the edge, corners of the area, circles of that radius about the corners of features; or, where sight
reaches only so deep into a feature, run square to one of its sides, or are those by a spot that
have least of it. Those lines decide it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tapeline.geometry.backends import chosen, converted, functions, room
from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.clip import clip_to
from tapeline.geometry.rectangles.gaps import convex_hull
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Point,
    Region,
    region_of_segment,
    separation,
)
from tapeline.geometry.sight.critical_lines import EdgeSight, SightRoom
from tapeline.geometry.sight.deep_lines import least_inside, lines_little_inside, sides_of
from tapeline.work import count_work

__all__ = ["Deep", "sight_from_edge"]

#: Length: boxes farther apart are not looked at more closely.
_NEAR = 1e-2
#: Share of the slack by which candidate lines keep off more than they must.
_MORE = 1e-3


@dataclass(frozen=True, slots=True)
class Deep:
    """A feature that sight enters only from or to a point in it or on its edge, so deep."""

    region: Region
    depth: float


def sight_from_edge(
    a: Point,
    b: Point,
    target: Sequence[float],
    features: Sequence[Region],
    deep: Sequence[Deep] = (),
    slack: float = 1e-6,
) -> tuple[Point, Point] | None:
    """A free line from a point of the edge ab to a convex area, or None if there is none.

    a, b: the edge, with what is before it on its right. target: flat corners, counter-clockwise.
    Lines go strictly forward: the end lies before the line of the edge by more than the slack.
    Features block what runs within the slack of them.

    >>> box = (4.0, 5.0, 6.0, 5.0, 6.0, 7.0, 4.0, 7.0)
    >>> sight_from_edge((0.0, 0.0), (10.0, 0.0), box, [])
    >>> line = sight_from_edge((10.0, 0.0), (0.0, 0.0), box, [])
    >>> line[1][1] >= 5.0
    True
    """
    length = math.dist(a, b)
    nx, ny = (b[1] - a[1]) / length, (a[0] - b[0]) / length
    ahead = clip_to(target, [(-nx, -ny, -(nx * a[0] + ny * a[1]) - slack)])
    if not ahead:
        return None
    hull = convex_hull([a, b, *((ahead[i], ahead[i + 1]) for i in range(0, len(ahead), 2))])
    # What does not come near the box about the hull is far from both.
    left, right = min(hull[::2]) - _NEAR, max(hull[::2]) + _NEAR
    low, high = min(hull[1::2]) - _NEAR, max(hull[1::2]) + _NEAR

    def near_hull(region: Region) -> bool:
        x0, y0, x1, y1 = region.bounds
        return x0 <= right and x1 >= left and y0 <= high and y1 >= low

    parts = [p for f in features if near_hull(f) for p in f.parts]
    hiding = [d for d in deep if near_hull(d.region)]
    every = (*parts, *(part for d in hiding for part in d.region.parts))
    corners = [v for part in every for v in part.loop]
    starts = itertools.accumulate((len(part.loop) for part in every), initial=0)
    owners = [k for k, d in enumerate(hiding) for _ in d.region.parts]
    sides = [math.hypot(dx - cx, dy - cy) for cx, cy, dx, dy in sides_of(ahead)]
    radii, middling = [part.radius for part in every], list(_middling(a, b, ahead))
    owners, depths = [*[-1] * len(parts), *owners], [d.depth for d in hiding]
    backend, edge, n = chosen(), (*a, *b, nx, ny, length), len(every)
    flat = (edge, ahead, sides, hull, corners, list(starts), radii, owners, depths, middling)
    sight = converted(EdgeSight(*flat), backend)
    spots = (len(ahead) + len(corners) + 4) // 2 * 3
    scratch = room(backend, SightRoom, 4, 4, 2 * n, n, spots, 1)
    scratch.stopped[0] = -1
    count_work(spots**2 // 50, "sight")
    first_free_line = functions(backend).first_free_line
    keep = slack * (1.0 + _MORE)
    if not first_free_line(sight, slack, keep, scratch):
        close = [part for part, near in zip(every, scratch.near, strict=True) if near]
        tried = list(_little_inside(edge, ahead, hull, close, hiding, slack, keep))
        if not tried:
            return None
        # None but those can be free.
        sight = converted(EdgeSight(*flat[:-1], [v for line in tried for v in line]), backend)
        if not first_free_line(sight, slack, keep, scratch):
            return None
    x0, y0, x1, y1 = (float(v) for v in scratch.line)
    return (x0, y0), (x1, y1)


def _little_inside(
    edge: Sequence[float],
    ahead: Sequence[float],
    hull: Sequence[float],
    every: Sequence[Part],
    hiding: Sequence[Deep],
    slack: float,
    keep: float,
) -> Iterator[tuple[float, float, float, float]]:
    """Lines to be tried where some may begin or end in a deep feature, that have no more of it than
    they may."""
    xs, ys = ahead[::2], ahead[1::2]
    area = Region((Part(tuple(ahead)),), (min(xs), min(ys), max(xs), max(ys)))
    line = region_of_segment((edge[0], edge[1]), (edge[2], edge[3]))
    ends = False
    for d in hiding:
        starts, comes = (separation(end, d.region).gap <= slack for end in (line, area))
        ends |= starts or comes
        if starts != comes:
            whole = ((part.loop, part.radius) for part in d.region.parts)
            if least_inside(edge[:4] if starts else ahead, hull, [*whole]) > d.depth + slack:
                return
    if not ends:
        return
    spots = [(edge[0], edge[1], 0.0), (edge[2], edge[3], 0.0)]
    spots += [(ahead[i], ahead[i + 1], 0.0) for i in range(0, len(ahead), 2)]
    for part in every:
        loop = part.loop
        spots += [(loop[i], loop[i + 1], part.radius + keep) for i in range(0, len(loop), 2)]
    parts = [(p.loop, p.radius, k) for k, d in enumerate(hiding) for p in d.region.parts]
    depths = [d.depth + 0.5 * slack for d in hiding]
    yield from lines_little_inside(edge, ahead, hull, spots, parts, depths)


def _middling(a: Point, b: Point, ahead: Sequence[float]) -> Iterator[float]:
    """A few lines near the middle, among which most answers are found."""
    xs, ys = ahead[::2], ahead[1::2]
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    for share in (0.5, 0.25, 0.75, 0.02, 0.98):
        start = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        for end in (middle, *zip(xs, ys, strict=True)):
            if math.dist(start, end) > ROUNDING:
                yield from (*start, *end)
