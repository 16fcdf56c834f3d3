"""Kernels for convex loops: depth, distance, nearest point, projections.

A loop is a flat sequence x0, y0, x1, y1, ... of a convex polygon, counter-clockwise; one corner is
a point, two are a segment. The functions use only floats and indexing, so that the same source
runs on tuples and lists and compiles for float64 arrays.

Source: separating axes, Gottschalk, Lin and Manocha 1996; Ericson, Real-Time Collision Detection,
chapter 5.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.epsilons import ROUNDING

__all__ = [
    "Pair",
    "depth_of_loops",
    "depth_of_parts",
    "distance_of_loops",
    "extent",
    "lie_of_loops",
    "loops_part",
    "nearest_on_loop",
    "nearest_on_segment",
    "normal_of_side",
    "rectangle_loop",
    "turn_loop",
    "unit_vector",
]


class Pair(NamedTuple):
    """Two convex loops, grown by radii that sum to `radius`."""

    a: Floats
    b: Floats
    radius: float


@kernel
def unit_vector(angle: float) -> tuple[float, float]:
    """(cos, sin), exact where the angle is a multiple of 90 degrees, equal at odd ones of 45."""
    k = math.floor(angle / (0.5 * math.pi) + 0.5)
    rest = angle - k * (0.5 * math.pi)
    if abs(rest) <= ROUNDING:
        c, s = 1.0, 0.0
    elif abs(abs(rest) - 0.25 * math.pi) <= ROUNDING:
        c = math.sqrt(0.5)
        s = c if rest > 0.0 else -c
    else:
        c, s = math.cos(rest), math.sin(rest)
    q = k % 4
    if q == 0:
        return c, s
    if q == 1:
        return -s, c
    if q == 2:
        return -c, -s
    return s, -c


@kernel
def rectangle_loop(
    x: float, y: float, ux: float, uy: float, width: float, depth: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Corners of a rectangle about (x, y), its facing the unit vector u: front right, front left,
    rear left, rear right."""
    fx, fy = 0.5 * depth * ux, 0.5 * depth * uy
    sx, sy = -0.5 * width * uy, 0.5 * width * ux
    ax, ay, bx, by = x + fx, y + fy, x - fx, y - fy
    return ax - sx, ay - sy, ax + sx, ay + sy, bx + sx, by + sy, bx - sx, by - sy


@kernel
def extent(loop: Floats, nx: float, ny: float) -> tuple[float, float]:
    """From where to where a loop reaches along (nx, ny)."""
    low, high = math.inf, -math.inf
    for i in range(0, len(loop), 2):
        p = nx * loop[i] + ny * loop[i + 1]
        if p < low:
            low = p
        if p > high:
            high = p
    return low, high


@kernel
def normal_of_side(loop: Floats, i: int) -> tuple[float, float]:
    """The outward unit normal of a loop's side from corner i on; (0, 0) if it has no length."""
    j = i + 1 if 2 * i + 2 < len(loop) else 0
    ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
    length = math.sqrt(ex * ex + ey * ey)
    if length == 0.0:
        return 0.0, 0.0
    return ey / length, -ex / length


@kernel
def _least_overlap(a: Floats, b: Floats, enough: float) -> tuple[float, float, float]:
    """Least overlap of two loops over all separating axes, and the unit vector of its axis.

    Infinite for two points, which have none. The first axis with `enough` at most ends the search.
    """
    best = math.inf
    bx = by = 0.0
    for which in range(2):
        n = len(a if which == 0 else b) // 2
        for i in range(n if n > 2 else n - 1):
            nx, ny = normal_of_side(a if which == 0 else b, i)
            if nx == 0.0 and ny == 0.0:
                continue
            a0, a1 = extent(a, nx, ny)
            b0, b1 = extent(b, nx, ny)
            if a1 - b0 < best:
                best = a1 - b0
                bx, by = nx, ny
            if b1 - a0 < best:
                best = b1 - a0
                bx, by = -nx, -ny
            if best <= enough:
                return best, bx, by
    return best, bx, by


@kernel
def depth_of_loops(a: Floats, b: Floats, out: list[float]) -> float:
    """Least overlap over all separating axes; positive is the depth of the overlap.

    Not positive: the loops do not overlap, and their distance is at least the negative of it.
    out[0:2]: unit direction in which to push b by the depth; out[2:4]: the corner of b that lies
    deepest (the mean of all that do).
    """
    nb = len(b) // 2
    best, bx, by = _least_overlap(a, b, -math.inf)
    if best == math.inf:
        # Two points have no axis: they do not overlap, and may be any distance apart.
        best = 0.0
    low = math.inf
    for k in range(nb):
        p = bx * b[2 * k] + by * b[2 * k + 1]
        if p < low:
            low = p
    sx = sy = 0.0
    count = 0
    for k in range(nb):
        if bx * b[2 * k] + by * b[2 * k + 1] <= low + ROUNDING:
            sx += b[2 * k]
            sy += b[2 * k + 1]
            count += 1
    out[0], out[1], out[2], out[3] = bx, by, sx / count, sy / count
    return best


@kernel
def nearest_on_segment(
    ax: float, ay: float, bx: float, by: float, px: float, py: float, out: list[float]
) -> float:
    """Squared distance from p to segment ab; out[0:2] is the nearest point of the segment."""
    ex, ey = bx - ax, by - ay
    length = ex * ex + ey * ey
    t = 0.0
    if length > 0.0:
        t = ((px - ax) * ex + (py - ay) * ey) / length
    if t <= 0.0:
        x, y = ax, ay
    elif t >= 1.0:
        x, y = bx, by
    else:
        x, y = ax + t * ex, ay + t * ey
    out[0], out[1] = x, y
    return (px - x) * (px - x) + (py - y) * (py - y)


@kernel
def nearest_on_loop(loop: Floats, px: float, py: float, out: list[float]) -> float:
    """Distance from p to a convex loop, 0 inside; out[0:2] is the nearest point."""
    n = len(loop) // 2
    if n == 1:
        out[0], out[1] = loop[0], loop[1]
        return math.hypot(px - loop[0], py - loop[1])
    inside = n > 2
    best = math.inf
    x = y = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = loop[2 * i], loop[2 * i + 1], loop[2 * j], loop[2 * j + 1]
        if (bx - ax) * (py - ay) - (by - ay) * (px - ax) < 0.0:
            inside = False
        d = nearest_on_segment(ax, ay, bx, by, px, py, out)
        if d < best:
            best = d
            x, y = out[0], out[1]
    if inside:
        out[0], out[1] = px, py
        return 0.0
    out[0], out[1] = x, y
    return math.sqrt(best)


@kernel
def distance_of_loops(a: Floats, b: Floats, out: list[float]) -> float:
    """Distance of two convex loops that do not overlap.

    out[0:4]: nearest point on a, nearest point on b; where a whole stretch is nearest, the mean of
    its ends (the nearest pairs of two convex sets form a convex set, so the mean is one too).
    """
    best = math.inf
    s0 = s1 = s2 = s3 = 0.0
    count = 0
    for which in range(2):
        one, other = (a, b) if which == 0 else (b, a)
        m = len(other) // 2
        for i in range(0, len(one), 2):
            px, py = one[i], one[i + 1]
            for k in range(m if m > 2 else 1):
                j = k + 1 if k + 1 < m else 0
                ax, ay, bx, by = other[2 * k], other[2 * k + 1], other[2 * j], other[2 * j + 1]
                d = math.sqrt(nearest_on_segment(ax, ay, bx, by, px, py, out))
                x0, y0, x1, y1 = px, py, out[0], out[1]
                if which == 1:
                    x0, y0, x1, y1 = x1, y1, x0, y0
                if d < best - ROUNDING:
                    best, count = d, 1
                    s0, s1, s2, s3 = x0, y0, x1, y1
                elif d <= best + ROUNDING:
                    s0 += x0
                    s1 += y0
                    s2 += x1
                    s3 += y1
                    count += 1
                    if d < best:
                        best = d
    out[0], out[1], out[2], out[3] = s0 / count, s1 / count, s2 / count, s3 / count
    return best


@entry()
def lie_of_loops(a: Floats, b: Floats, out: list[float]) -> float:
    """Depth of two loops that overlap, `out` as of `depth_of_loops`; else the negative of their
    distance, `out` as of `distance_of_loops`."""
    core = depth_of_loops(a, b, out)
    if core > 0.0:
        return core
    return -distance_of_loops(a, b, out)


@kernel
def depth_of_parts(a: Floats, b: Floats, radius: float, out: list[float]) -> float:
    """Depth of two loops grown by radii that sum to `radius`; not positive when apart.

    Grown loops (radius > 0) that are apart give the negative of their distance.
    """
    core = depth_of_loops(a, b, out)
    if core > 0.0:
        return core + radius
    if radius == 0.0:
        return core
    return radius - distance_of_loops(a, b, out)


@kernel
def loops_part(a: Floats, b: Floats, need: float) -> bool:
    """Whether on some axis two loops overlap by `need` at most; negative: are that far apart.

    The axes and the figures are those of `depth_of_loops`: true just where its depth is at most
    `need`, told as soon as one axis says so.
    """
    best, _, _ = _least_overlap(a, b, need)
    return best <= need


@kernel
def turn_loop(
    loop: Floats, px: float, py: float, c: float, s: float, dx: float, dy: float, out: list[float]
) -> None:
    """Turn a loop about p by the angle of (c, s), then shift it by (dx, dy), into `out`."""
    n = len(loop) // 2
    for i in range(n):
        x, y = loop[2 * i] - px, loop[2 * i + 1] - py
        out[2 * i], out[2 * i + 1] = px + dx + c * x - s * y, py + dy + s * x + c * y
