"""Kernels: a view expanded from triangle to triangle, through every edge that borders do not close.

From the triangle of the eye the cone through each edge is followed into the next triangle, cut in
two at its corner, until it ends on border: work goes with what is seen, not with what there is.

Source: triangular expansion (Bungiu et al., Efficient computation of visibility polygons, 2014).
"""

from __future__ import annotations

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.epsilons import LENGTH, PARALLEL

__all__ = ["ELSEWHERE", "ROW", "direction", "expand"]

#: Numbers of a row: direction a range begins in (`direction`), its piece, the ends of what it
#: closes (x, y each).
ROW = 6
#: Answer: there are no triangles, or the eye is not inside one that is open.
ELSEWHERE = -2
#: Squares: below these an eye is on an edge, and a cone has no width.
_ON_EDGE = LENGTH * LENGTH
_NO_WIDTH = PARALLEL * PARALLEL


@kernel
def direction(x: float, y: float) -> float:
    """A number from -2 to 2 that rises with the angle of (x, y), which goes from -pi to pi."""
    s = abs(x) + abs(y)
    if s == 0.0:
        return 0.0
    v = y / s
    if x >= 0.0:
        return v
    return 2.0 - v if y >= 0.0 else -2.0 - v


@kernel
def expand(
    ex: float,
    ey: float,
    M: Floats,
    Q: Ints,
    cones: list[float],
    edges: list[int],
    X: list[float],
    at: int,
) -> int:
    """List in rows at X[at] what an eye sees. Gives how many, -1 when X is too short, or ELSEWHERE.

    M, Q: triangles of `constrained_delaunay.triangles`. cones, edges: scratch, 4 and 1 a triangle
    and 4 more.
    """
    if len(Q) == 0:
        return ELSEWHERE
    count, columns, lines = Q[0], Q[1], Q[2]
    across = 3 + 3 * count
    on = across + 3 * count
    i, j = min(columns - 1, int(ex * M[0])), min(lines - 1, int(ey * M[1]))
    t = 3 * Q[on + 4 * count + j * columns + i]
    looked = 0
    k = 0
    while k < 3:
        a, b = 2 + 2 * Q[3 + t + k], 2 + 2 * Q[3 + t + (k + 1 if k < 2 else 0)]
        ux, uy = M[b] - M[a], M[b + 1] - M[a + 1]
        side = ux * (ey - M[a + 1]) - uy * (ex - M[a])
        if side < 0.0:
            t = Q[across + t + k]
            looked += 1
            if t < 0 or looked > count:
                return ELSEWHERE
            t -= t % 3
            k = 0
            continue
        if side * side <= _ON_EDGE * (ux * ux + uy * uy):
            return ELSEWHERE
        k += 1
    if Q[on + 3 * count + t // 3] != 0:
        return ELSEWHERE
    size = 0
    for k in range(2, -1, -1):
        a, b = 2 + 2 * Q[3 + t + k], 2 + 2 * Q[3 + t + (k + 1 if k < 2 else 0)]
        cones[4 * size], cones[4 * size + 1] = M[a] - ex, M[a + 1] - ey
        cones[4 * size + 2], cones[4 * size + 3] = M[b] - ex, M[b + 1] - ey
        edges[size] = t + k
        size += 1
    kept = 0
    last = -1
    while size > 0:
        size -= 1
        edge = edges[size]
        rx, ry = cones[4 * size], cones[4 * size + 1]
        lx, ly = cones[4 * size + 2], cones[4 * size + 3]
        # From open triangle to open triangle, the right part of the cone first.
        while Q[on + edge] < 0:
            edge = Q[across + edge]
            t = edge - edge % 3
            k = edge - t
            one, two = t + (k + 1 if k < 2 else 0), t + (k + 2 if k < 1 else k - 1)
            c = 2 + 2 * Q[3 + two]
            cx, cy = M[c] - ex, M[c + 1] - ey
            if rx * cy - ry * cx <= 0.0:
                edge = two
            elif cx * ly - cy * lx <= 0.0:
                edge = one
            else:
                cones[4 * size], cones[4 * size + 1] = cx, cy
                cones[4 * size + 2], cones[4 * size + 3] = lx, ly
                edges[size] = two
                size += 1
                lx, ly = cx, cy
                edge = one
        wide = rx * ly - ry * lx
        if wide <= 0.0 or wide * wide <= _NO_WIDTH * (rx * rx + ry * ry) * (lx * lx + ly * ly):
            continue
        t = edge - edge % 3
        k = edge - t
        a, b = 2 + 2 * Q[3 + edge], 2 + 2 * Q[3 + t + (k + 1 if k < 2 else 0)]
        ax, ay = M[a] - ex, M[a + 1] - ey
        bx, by = M[b] - ex, M[b + 1] - ey
        piece = Q[on + edge]
        row = at + ROW * kept
        if piece == last:
            row -= ROW
        else:
            if row + ROW > len(X):
                return -1
            X[row], X[row + 1] = direction(rx, ry), piece
            if rx == ax and ry == ay:
                X[row + 2], X[row + 3] = M[a], M[a + 1]
            else:
                s = _along(ax, ay, bx, by, rx, ry)
                X[row + 2], X[row + 3] = ex + s * rx, ey + s * ry
            last = piece
            kept += 1
        if lx == bx and ly == by:
            X[row + 4], X[row + 5] = M[b], M[b + 1]
        else:
            s = _along(ax, ay, bx, by, lx, ly)
            X[row + 4], X[row + 5] = ex + s * lx, ey + s * ly
    return kept


@kernel
def _along(ax: float, ay: float, bx: float, by: float, ux: float, uy: float) -> float:
    """How many times u leads from the origin to the line through a and b."""
    dx, dy = bx - ax, by - ay
    den = ux * dy - uy * dx
    return (ax * dy - ay * dx) / den if den != 0.0 else 1.0
