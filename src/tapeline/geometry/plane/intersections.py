"""Where lines, circles and pieces of borders meet: closed forms.

Those of lines and circles take a slack within which a miss is a touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.plane.legs import Line, Point

__all__ = ["Piece", "border_crossings", "both_circles", "foot_on", "lengths_at"]

Circle = tuple[float, float, float]
#: A straight piece (ax, ay, bx, by, at most 0) or a circle (x, y, 0, 0, its radius).
Piece = tuple[float, float, float, float, float]


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


def border_crossings(p: Piece, q: Piece, *, touching: bool) -> list[Point]:
    """Points in which two pieces cross. touching: also where they touch a circle, or end at it."""
    if p[4] > 0.0 and q[4] > 0.0:
        found = list(both_circles((p[0], p[1], p[4]), (q[0], q[1], q[4])))
        return found if touching or len(found) > 1 else []
    if p[4] > 0.0:
        return border_crossings(q, p, touching=touching)
    ex, ey = p[2] - p[0], p[3] - p[1]
    if q[4] > 0.0:
        length = math.hypot(ex, ey)
        met = lengths_at(Line(*p[:4]), (q[0], q[1], q[4]))
        if len(met) < 2 and not touching:
            return []
        beyond = ROUNDING if touching else 0.0
        return [
            (p[0] + s * ex / length, p[1] + s * ey / length)
            for s in met
            if -beyond <= s <= length + beyond
        ]
    fx, fy = q[2] - q[0], q[3] - q[1]
    den = ex * fy - ey * fx
    if den == 0.0:
        return []
    gx, gy = q[0] - p[0], q[1] - p[1]
    t, s = (gx * fy - gy * fx) / den, (gx * ey - gy * ex) / den
    if -ROUNDING <= t <= 1.0 + ROUNDING and -ROUNDING <= s <= 1.0 + ROUNDING:
        return [(p[0] + t * ex, p[1] + t * ey)]
    return []
