"""Kernels: when one sliding rectangle first meets one convex part, in the rectangle's own frame.

The rectangle is a box between four numbers there, so a slide is a line cut by half-planes or a
rounded box. Round parts of many corners are left to the general way of `slide`. Turns:
`turn_impact.py`.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.epsilons import PARALLEL

__all__ = [
    "Frame",
    "PackedParts",
    "Sliding",
    "box_ahead",
    "box_overlap",
    "box_slide",
    "frame_of",
]


class PackedParts(NamedTuple):
    """The convex parts of many regions as flat arrays, from left to right.

    corners: x0, y0, ...; starts: the first number of each part, and the end. boxes: middle and half
    lengths, 4 a part. normals: outward unit normal and offset of each side, 3 a corner. rights: the
    farthest right of any part so far.
    """

    corners: Floats
    starts: Ints
    radii: Floats
    boxes: Floats
    normals: Floats
    rights: Floats


class Sliding(NamedTuple):
    """A slide along a unit vector: how far at most, and the overlap that is still none."""

    dx: float
    dy: float
    limit: float
    need: float


#: A rectangle: its centre (x, y), the unit vector along it, its half lengths along that and across.
Frame: TypeAlias = tuple[float, float, float, float, float, float]


@kernel
def frame_of(A: Floats, at: int) -> Frame:
    """The frame of the rectangle at A[at]."""
    ex, ey = A[at + 2] - A[at], A[at + 3] - A[at + 1]
    fx, fy = A[at + 4] - A[at + 2], A[at + 5] - A[at + 3]
    e = math.sqrt(ex * ex + ey * ey)
    x, y = 0.5 * (A[at] + A[at + 4]), 0.5 * (A[at + 1] + A[at + 5])
    return x, y, ex / e, ey / e, 0.5 * e, 0.5 * math.sqrt(fx * fx + fy * fy)


@kernel
def _rounded(
    x: float, y: float, dx: float, dy: float, hx: float, hy: float, g: float, out: list[float]
) -> bool:
    """Where the line (x, y) + s (dx, dy) runs in a box of half lengths hx, hy grown by g > 0."""
    lo, hi = -math.inf, math.inf
    for axis in range(2):
        p = x if axis == 0 else y
        k = dx if axis == 0 else dy
        h = (hx if axis == 0 else hy) + g
        if abs(k) < PARALLEL:
            if p >= h or p <= -h:
                return False
        else:
            s0, s1 = (-h - p) / k, (h - p) / k
            lo, hi = max(lo, min(s0, s1)), min(hi, max(s0, s1))
    if lo >= hi:
        return False
    for end in range(2):
        s = lo if end == 0 else hi
        px, py = x + s * dx, y + s * dy
        if abs(px) > hx and abs(py) > hy:
            # The square at a corner: what misses the arc there never comes in.
            qx = (hx if px > 0.0 else -hx) - x
            qy = (hy if py > 0.0 else -hy) - y
            across = qx * dy - qy * dx
            root = g * g - across * across
            if root <= 0.0:
                return False
            root = math.sqrt(root)
            along = qx * dx + qy * dy
            if end == 0:
                lo = along - root
            else:
                hi = along + root
    out[0], out[1] = lo, hi
    return lo < hi


@kernel
def _extent(frame: Frame, loop: Floats) -> tuple[float, float, float, float]:
    """Least and greatest of a loop along a rectangle and to its left, from its centre."""
    x, y, ux, uy, _, _ = frame
    p0, p1 = math.inf, -math.inf
    q0, q1 = math.inf, -math.inf
    for i in range(0, len(loop), 2):
        cx, cy = loop[i] - x, loop[i + 1] - y
        p, q = cx * ux + cy * uy, cy * ux - cx * uy
        if p < p0:
            p0 = p
        if p > p1:
            p1 = p
        if q < q0:
            q0 = q
        if q > q1:
            q1 = q
    return p0, p1, q0, q1


@kernel
def box_overlap(frame: Frame, loop: Floats, radius: float, need: float) -> bool:
    """Whether a rectangle and a part, sharp or a disc, overlap by more than `need` >= 0."""
    n, (x, y, ux, uy, hx, hy) = len(loop), frame
    if radius > 0.0:
        p = abs((loop[0] - x) * ux + (loop[1] - y) * uy) - hx
        q = abs((loop[1] - y) * ux - (loop[0] - x) * uy) - hy
        if p > 0.0 and q > 0.0:
            return radius - math.sqrt(p * p + q * q) > need
        return radius - max(p, q) > need
    p0, p1, q0, q1 = _extent(frame, loop)
    if hx - p0 <= need or hx + p1 <= need or hy - q0 <= need or hy + q1 <= need:
        return False
    ax, ay = loop[n - 2] - x, loop[n - 1] - y
    for i in range(0, n if n > 2 else 0, 2):
        bx, by = loop[i] - x, loop[i + 1] - y
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        # The outward normal is (ey, -ex): how far the rectangle reaches in past this side.
        deep = ax * ey - ay * ex + hx * abs(ey * ux - ex * uy) + hy * abs(ey * uy + ex * ux)
        if length > 0.0 and deep <= need * length:
            return False
        ax, ay = bx, by
    return True


@kernel
def box_ahead(frame: Frame, loop: Floats, radius: float, need: float, out: list[float]) -> bool:
    """Shifts of a rectangle along itself at which it overlaps a part, sharp or a disc.

    out[0:2]: where it overlaps at all; out[2:4]: where by more than `need` >= 0. False where it
    never does by that.
    """
    n, (x, y, ux, uy, hx, hy) = len(loop), frame
    if radius > 0.0:
        p = (loop[0] - x) * ux + (loop[1] - y) * uy
        q = abs((loop[1] - y) * ux - (loop[0] - x) * uy) - hy
        grown = radius - need
        if q >= grown:
            return False
        wide = radius
        if q > 0.0:
            wide = math.sqrt((radius - q) * (radius + q))
            grown = math.sqrt((grown - q) * (grown + q))
        out[0], out[1] = p - hx - wide, p + hx + wide
        out[2], out[3] = p - hx - grown, p + hx + grown
        return out[2] < out[3]
    p0, p1, q0, q1 = _extent(frame, loop)
    if hy - q0 <= need or hy + q1 <= need:
        return False
    lo, hi = p0 - hx, p1 + hx
    low, high = lo + need, hi - need
    ax, ay = loop[n - 2] - x, loop[n - 1] - y
    for i in range(0, n if n > 2 else 0, 2):
        bx, by = loop[i] - x, loop[i + 1] - y
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length > 0.0:
            k = (ey * ux - ex * uy) / length
            deep = (ax * ey - ay * ex) / length + hx * abs(k)
            deep += hy * abs(ey * uy + ex * ux) / length
            # Past this side by `deep` less k for each unit of the shift.
            if abs(k) < PARALLEL:
                if deep <= need:
                    return False
            elif k > 0.0:
                hi, high = min(hi, deep / k), min(high, (deep - need) / k)
            else:
                lo, low = max(lo, deep / k), max(low, (deep - need) / k)
        ax, ay = bx, by
    out[0], out[1], out[2], out[3] = lo, hi, low, high
    return low < high


@kernel
def box_slide(
    f: Frame, slide: Sliding, best: float, which: int, parts: PackedParts, out: list[float]
) -> float:
    """Length that a rectangle slides to the contact with a part; `best` if not before.

    The part is sharp (radius 0), or has one corner and a radius > need.
    """
    (dx, dy, limit, need), (_, _, ux, uy, _, _) = slide, f
    C, N, radius = parts.corners, parts.normals, parts.radii[which]
    start, stop = parts.starts[which], parts.starts[which + 1]
    du, dv = dx * ux + dy * uy, dy * ux - dx * uy
    if radius > 0.0:
        x, y = C[start] - f[0], C[start + 1] - f[1]
        p, q = x * ux + y * uy, y * ux - x * uy
        if not _rounded(p, q, -du, -dv, f[4], f[5], radius - need, out):
            return best
        if out[0] >= limit or out[1] <= 0.0:
            return best
        _rounded(p, q, -du, -dv, f[4], f[5], radius, out)
        return min(best, max(out[0], 0.0))
    p0, p1, q0, q1 = _extent(f, C[start:stop])
    sides = (stop - start) // 2 if stop - start > 2 else 0
    lo = 0.0
    low, high = -math.inf, math.inf
    for i in range(4 + sides):
        if i == 0:
            p, k = f[4] - p0, du
        elif i == 1:
            p, k = f[4] + p1, -du
        elif i == 2:
            p, k = f[5] - q0, dv
        elif i == 3:
            p, k = f[5] + q1, -dv
        else:
            j = 3 * (start // 2 + i - 4)
            nx, ny = N[j], N[j + 1]
            k = -(nx * dx + ny * dy)
            p = N[j + 2] - (nx * f[0] + ny * f[1])
            p += f[4] * abs(nx * ux + ny * uy) + f[5] * abs(ny * ux - nx * uy)
        # Deeper than `need` on this side while p + k s > need.
        if abs(k) < PARALLEL:
            if p <= need:
                return best
        elif k > 0.0:
            lo, low = max(lo, -p / k), max(low, (need - p) / k)
            if lo >= best or low >= limit:
                return best
        else:
            high = min(high, (need - p) / k)
            if high <= 0.0:
                return best
    if low >= high:
        return best
    return lo
