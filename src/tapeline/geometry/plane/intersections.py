"""Where lines and circles meet: closed forms, each with a slack within which a miss is a touch."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.geometry.plane.legs import Line

__all__ = ["both_circles", "foot_on", "lengths_at"]

Point = tuple[float, float]
Circle = tuple[float, float, float]


def foot_on(line: Line, place: Point) -> Point:
    """The point of a line nearest to a place.

    >>> foot_on(Line(0.0, 0.0, 4.0, 0.0), (1.0, 2.0))
    (1.0, 0.0)
    """
    length = line.length
    if length == 0.0:
        return line.start
    dx, dy = (line.bx - line.ax) / length, (line.by - line.ay) / length
    return line.at((place[0] - line.ax) * dx + (place[1] - line.ay) * dy)


def lengths_at(line: Line, circle: Circle, slack: float = 0.0) -> list[float]:
    """Lengths along a line, gone on beyond both ends, at which it crosses a circle; one where it
    touches. The line has a length.

    >>> lengths_at(Line(0.0, 0.0, 1.0, 0.0), (5.0, 3.0, 5.0))
    [1.0, 9.0]
    """
    x, y, radius = circle
    length = line.length
    ux, uy = (line.bx - line.ax) / length, (line.by - line.ay) / length
    middle = (x - line.ax) * ux + (y - line.ay) * uy
    off = (x - line.ax) * uy - (y - line.ay) * ux
    if abs(off) > radius + slack:
        return []
    half = math.sqrt(max(0.0, (radius - off) * (radius + off)))
    return list(dict.fromkeys((middle - half, middle + half)))


def both_circles(one: Circle, two: Circle, slack: float = 0.0) -> Iterator[Point]:
    """The points of two circles, two or one; none of circles about one centre.

    >>> list(both_circles((0.0, 0.0, 5.0), (8.0, 0.0, 5.0)))
    [(4.0, 3.0), (4.0, -3.0)]
    """
    (ax, ay, r), (bx, by, q) = one, two
    dx, dy = bx - ax, by - ay
    d = math.hypot(dx, dy)
    if d == 0.0 or d > r + q + slack or abs(r - q) > d + slack:
        return
    along = (d * d + r * r - q * q) / (2.0 * d)
    off = math.sqrt(max(0.0, (r - along) * (r + along)))
    ux, uy = dx / d, dy / d
    for side in dict.fromkeys((off, -off)):
        yield ax + along * ux - side * uy, ay + along * uy + side * ux
