"""Clipping convex loops by half-planes, and polygons of any kind part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.errors import ShapeError
from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.rectangle import Rect

__all__ = ["HalfPlane", "clip_loop", "clip_to", "front_arc", "loop_area"]

#: (nx, ny, h): the points p with n.p <= h. n need not be of unit length.
HalfPlane = tuple[float, float, float]


@kernel
def clip_loop(loop: Floats, nx: float, ny: float, h: float, out: list[float]) -> int:
    """Cut a convex loop to n.p <= h into `out` (len(loop) + 4 numbers); returns the numbers used.

    The half-plane is closed: a loop that only touches it leaves a point or a segment.
    Source: Sutherland and Hodgman 1974.
    """
    n = len(loop) // 2
    count = 0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay = loop[2 * i], loop[2 * i + 1]
        bx, by = loop[2 * j], loop[2 * j + 1]
        fa, fb = nx * ax + ny * ay - h, nx * bx + ny * by - h
        if fa <= 0.0:
            out[count], out[count + 1] = ax, ay
            count += 2
        if (fa < 0.0 and fb > 0.0) or (fa > 0.0 and fb < 0.0):
            if n == 2 and i == 1:
                continue
            t = fa / (fa - fb)
            out[count], out[count + 1] = ax + t * (bx - ax), ay + t * (by - ay)
            count += 2
    return count


def clip_to(loop: Sequence[float], planes: Sequence[HalfPlane]) -> tuple[float, ...]:
    """A convex loop cut to several closed half-planes; () if nothing is left.

    >>> clip_to((0, 0, 2, 0, 2, 2, 0, 2), [(1, 0, 1)])
    (0, 0, 1.0, 0.0, 1.0, 2.0, 0, 2)
    """
    current: Sequence[float] = tuple(loop)
    for nx, ny, h in planes:
        if not (math.isfinite(nx) and math.isfinite(ny) and math.isfinite(h)):
            raise ShapeError(f"half-plane ({nx}, {ny}, {h}) must be finite")
        out = [0.0] * (len(current) + 4)
        current = out[: clip_loop(current, nx, ny, h, out)]
        if not current:
            return ()
    kept: list[float] = []
    for i in range(0, len(current), 2):
        p = (current[i], current[i + 1])
        if not kept or (kept[-2], kept[-1]) != p:
            kept.extend(p)
    while len(kept) > 2 and kept[:2] == kept[-2:]:
        del kept[-2:]
    return tuple(kept)


def loop_area(loop: Sequence[float]) -> float:
    """Area of a counter-clockwise loop."""
    n = len(loop) // 2
    return 0.5 * math.fsum(
        loop[2 * i - 2] * loop[2 * i + 1] - loop[2 * i] * loop[2 * i - 1] for i in range(n)
    )


def front_arc(rect: Rect, spread: float, half_width: float) -> tuple[HalfPlane, ...]:
    """The half-planes of an arc to the front of a rectangle.

    All points at or before the front line whose distance sideways from the middle of the front is
    at most `half_width` plus forward distance times tan(spread). half_width = half the rectangle's
    width starts the arc at its corners, 0 at the middle of the front.
    spread: radians, 0 <= spread < pi / 2, to each side.

    >>> planes = front_arc(Rect(10, 10, 0, 4, 2), math.pi / 4, 2)
    >>> clip_to((13, 17, 17, 17, 17, 19, 13, 19), planes)
    (16.0, 17.0, 17, 17, 17.0, 18.0)
    """
    if not 0.0 <= spread < 0.5 * math.pi:
        raise ShapeError(f"arc: spread {spread} must lie in [0, pi / 2)")
    c, s = math.cos(spread), math.sin(spread)
    if abs(spread - 0.25 * math.pi) <= ROUNDING:
        c = s = 1.0
    ux, uy = rect.ux, rect.uy
    fx, fy = rect.front
    planes: list[HalfPlane] = [(-ux, -uy, -(ux * fx + uy * fy))]
    for sign in (1.0, -1.0):
        # sign * left * cos - forward * sin <= half_width * cos
        nx, ny = -sign * uy * c - ux * s, sign * ux * c - uy * s
        planes.append((nx, ny, nx * fx + ny * fy + half_width * c))
    return tuple(planes)
