"""What the borders of several Minkowski sums have in common: where a shape touches many at once.

Points, and pieces of lines where straight sides lie on each other. Each pair of pieces is met in
closed form, and only what lies on the border of every sum is kept. O(n^2) for n pieces in all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.geometry.plane.intersections import both_circles, foot_on, lengths_at
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.rectangles.contact import border_of, distance_to
from tapeline.geometry.rectangles.rectangle import Part

__all__ = ["common_border"]


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
