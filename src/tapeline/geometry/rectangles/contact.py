"""Where a convex shape that slides without turning touches another: Minkowski sums as parts.

The places of the centre of the moving shape at which the two overlap are a convex loop grown by a
radius again (the sum of the fixed one and the moving one turned upside down; de Berg et al.,
Computational Geometry, 13.3). Its border is where they touch. O(n + m), exact but for rounding.
`common_border`: pieces are met pair by pair, what lies on every border is kept; O(n^2).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.geometry.plane.distance import point_ring, point_segment
from tapeline.geometry.plane.intersections import both_circles, foot_on, lengths_at
from tapeline.geometry.plane.legs import Arc, Line, Point
from tapeline.geometry.plane.sweeps import (
    Span,
    spans_near_point,
    spans_near_ring,
    spans_near_segment,
)
from tapeline.geometry.rectangles.rectangle import Part

__all__ = [
    "border_of",
    "common_border",
    "distance_to",
    "extreme_corners",
    "overlap_part",
    "spans_inside",
]


#: Sine of an angle: sides that turn by less go on as one.
_STRAIGHT = 1e-12


def _points(loop: tuple[float, ...]) -> list[Point]:
    return list(zip(loop[0::2], loop[1::2], strict=True))


def overlap_part(fixed: Part, moving: Part) -> Part:
    """The places at which a moving part, given about its centre, overlaps a fixed one.

    Loops are convex, counter-clockwise; of one corner, or two of which one is given at most.

    >>> overlap_part(Part((5.0, 5.0), 1.0), Part((0.0, 0.0), 0.5))
    Part(loop=(5.0, 5.0), radius=1.5)
    >>> square = (1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0)
    >>> overlap_part(Part(square), Part(square)).loop
    (-2.0, -2.0, 2.0, -2.0, 2.0, 2.0, -2.0, 2.0)
    """
    radius = fixed.radius + moving.radius
    a, b = _points(fixed.loop), [(-x, -y) for x, y in _points(moving.loop)]
    if len(a) == 1 or len(b) == 1:
        (sx, sy), many = (a[0], b) if len(a) == 1 else (b[0], a)
        return Part(tuple(v for x, y in many for v in (sx + x, sy + y)), radius)
    i = min(range(len(a)), key=lambda k: (a[k][1], a[k][0]))
    j = min(range(len(b)), key=lambda k: (b[k][1], b[k][0]))
    x, y = a[i][0] + b[j][0], a[i][1] + b[j][1]
    steps = [*_sides(a, i), *_sides(b, j)]
    steps.sort(key=lambda side: math.atan2(side[1], side[0]) % math.tau)
    joined: list[Point] = []
    for dx, dy in steps:
        if joined:
            ux, uy = joined[-1]
            if abs(ux * dy - uy * dx) <= _STRAIGHT * math.hypot(ux, uy) * math.hypot(dx, dy):
                joined[-1] = (ux + dx, uy + dy)
                continue
        joined.append((dx, dy))
    corners: list[float] = []
    for dx, dy in joined:
        corners += (x, y)
        x, y = x + dx, y + dy
    return Part(tuple(corners), radius)


def _sides(points: list[Point], first: int) -> list[Point]:
    n = len(points)
    order = [points[(first + k) % n] for k in range(n + 1)]
    return [(order[k + 1][0] - order[k][0], order[k + 1][1] - order[k][1]) for k in range(n)]


def border_of(part: Part) -> list[Line | Arc]:
    """The border of a part in order, counter-clockwise: its sides and the arcs at its corners.

    >>> border_of(Part((1.0, 2.0), 0.5))
    [Arc(cx=1.0, cy=2.0, radius=0.5, begin=0.0, sweep=6.283185307179586)]
    """
    points, r = _points(part.loop), part.radius
    if len(points) == 1:
        return [Arc(*points[0], r, 0.0, math.tau)]
    found: list[Line | Arc] = []
    n = len(points)
    headings = [
        math.atan2(points[(k + 1) % n][1] - points[k][1], points[(k + 1) % n][0] - points[k][0])
        for k in range(n)
    ]
    for k, (ax, ay) in enumerate(points):
        bx, by = points[(k + 1) % n]
        d = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / d * r, -(bx - ax) / d * r
        found.append(Line(ax + nx, ay + ny, bx + nx, by + ny))
        if r > 0.0:
            turn = (headings[(k + 1) % n] - headings[k]) % math.tau
            found.append(Arc(bx, by, r, headings[k] - 0.5 * math.pi, turn))
    return found


def distance_to(part: Part, x: float, y: float) -> tuple[float, Point]:
    """Distance of a point from the border of a part, negative inside, and the nearest point of it.

    >>> distance_to(Part((0.0, 0.0), 1.0), 3.0, 0.0)
    (2.0, (1.0, 0.0))
    """
    loop, r = part.loop, part.radius
    if len(loop) == 2:
        d, px, py = math.hypot(x - loop[0], y - loop[1]), loop[0], loop[1]
    elif len(loop) == 4:
        d, px, py = point_segment(x, y, *loop)
    else:
        d, px, py = point_ring(x, y, loop)
    if d == 0.0:
        return -r, (px + r, py)
    share = r / d
    return d - r, (px + share * (x - px), py + share * (y - py))


def spans_inside(part: Part, leg: Line | Arc, more: float = 0.0) -> list[Span]:
    """Lengths of a leg between which its point is inside a part grown by `more`; running along the
    border is outside."""
    r = part.radius + more
    if len(part.loop) == 2:
        return spans_near_point(leg, part.loop[0], part.loop[1], r)
    if len(part.loop) == 4:
        return spans_near_segment(leg, *part.loop, r)
    return spans_near_ring(leg, part.loop, r)


def extreme_corners(part: Part, ux: float, uy: float, slack: float) -> list[Point]:
    """The points of a part that lie farthest along a unit vector: one, or the ends of a side.

    slack: length by which a corner may fall short.
    """
    points = _points(part.loop)
    most = max(x * ux + y * uy for x, y in points)
    r = part.radius
    return [(x + r * ux, y + r * uy) for x, y in points if x * ux + y * uy >= most - slack]


def common_border(sums: Sequence[Part], slack: float) -> list[Line | Arc]:
    """The border of one sum, or what those of several share; points as lines without length.

    slack: how far off a border still counts as on it.
    """
    first, *more = sums
    found: list[Line | Arc] = border_of(first)
    for part in more:
        pieces = border_of(part)
        found = [common for one in found for two in pieces for common in _common(one, two, slack)]
    if not more:
        return found
    ends: dict[Line | Arc, None] = {}
    for piece in found:
        on_all = all(
            abs(distance_to(part, *place)[0]) <= slack
            for part in sums
            for place in (piece.start, piece.at(0.5 * piece.length), piece.end)
        )
        if on_all:
            ends[piece] = None
    return list(ends)


def _common(one: Line | Arc, two: Line | Arc, slack: float) -> Iterator[Line]:
    """Points, or the piece of line, that two pieces of border share."""
    if isinstance(one, Line) and isinstance(two, Line):
        yield from _lines(one, two, slack)
        return
    if isinstance(one, Arc) and isinstance(two, Arc):
        places = both_circles((one.cx, one.cy, one.radius), (two.cx, two.cy, two.radius), slack)
    else:
        line, arc = (one, two) if isinstance(one, Line) else (two, one)
        assert isinstance(line, Line)
        assert isinstance(arc, Arc)
        places = _line_arc(line, arc, slack)
    for x, y in places:
        yield Line(x, y, x, y)


def _lines(one: Line, two: Line, slack: float) -> Iterator[Line]:
    if min(one.length, two.length) <= slack:
        point, other = (one, two) if one.length <= two.length else (two, one)
        if math.dist(foot_on(other, point.start), point.start) <= slack:
            yield point
        return
    ux, uy = (one.bx - one.ax) / one.length, (one.by - one.ay) / one.length
    along = [(x - one.ax) * ux + (y - one.ay) * uy for x, y in (two.start, two.end)]
    off = [(x - one.ax) * uy - (y - one.ay) * ux for x, y in (two.start, two.end)]
    if max(map(abs, off)) <= slack:
        low, high = max(0.0, min(along)), min(one.length, max(along))
        if low <= high + slack:
            yield one.part(low, max(low, high))
        return
    if (off[0] * off[1] > 0.0 and min(map(abs, off)) > slack) or off[0] == off[1]:
        return
    t = min(1.0, max(0.0, off[0] / (off[0] - off[1])))
    s = along[0] + t * (along[1] - along[0])
    if -slack <= s <= one.length + slack:
        x, y = one.at(s)
        yield Line(x, y, x, y)


def _line_arc(line: Line, arc: Arc, slack: float) -> Iterator[tuple[float, float]]:
    length = line.length
    if length <= slack:
        if abs(math.dist(line.start, (arc.cx, arc.cy)) - arc.radius) <= slack:
            yield line.start
        return
    ux, uy = (line.bx - line.ax) / length, (line.by - line.ay) / length
    for s in lengths_at(line, (arc.cx, arc.cy, arc.radius), slack):
        if -slack <= s <= length + slack:
            yield line.ax + s * ux, line.ay + s * uy
