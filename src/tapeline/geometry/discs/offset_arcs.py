"""Kernels: the free arcs of a circle that the centre of a disc may run along.

Everything in the way shuts intervals of angles: sides of the table, discs, the strip and the ends
of each edge, insides of solids. What no interval covers is free.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.clearance import (
    BOARD,
    Floats,
    Ints,
    deep_in_ring,
    near_point,
    segment_free,
)
from tapeline.geometry.discs.spans import cell_at, left_free, next_crossing

__all__ = ["ARCS", "free_arcs"]

_TAU = 2.0 * math.pi
#: Arcs a circle may have before the caller must give more room.
ARCS = 8


@kernel
@no_refcount
def _block(L: list[float], n: int, begin: float, width: float) -> int:
    """Note an interval of angles that is not free. Gives the new count, -1 when L is full."""
    if n < 0 or 2 * n + 4 > len(L):
        return -1
    if width >= _TAU:
        L[2 * n], L[2 * n + 1] = 0.0, _TAU
        return n + 1
    b = begin % _TAU
    e = b + width
    if e > _TAU:
        L[2 * n], L[2 * n + 1] = 0.0, e - _TAU
        n += 1
        e = _TAU
    L[2 * n], L[2 * n + 1] = b, e
    return n + 1


@kernel
@no_refcount
def _block_disc(
    L: list[float], n: int, cx: float, cy: float, radius: float, x: float, y: float, g: float
) -> int:
    """Note where a circle runs inside a disc of radius g."""
    if g <= 0.0:
        return n
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy)
    if d >= radius + g or radius >= d + g:
        return n
    if d + radius <= g:
        return _block(L, n, 0.0, _TAU)
    v = (radius * radius + d * d - g * g) / (2.0 * radius * d)
    half = math.acos(max(-1.0, min(1.0, v)))
    return _block(L, n, math.atan2(dy, dx) - half, 2.0 * half)


@kernel
@no_refcount
def _block_strip(
    L: list[float],
    n: int,
    cx: float,
    cy: float,
    radius: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    g: float,
) -> int:
    """Note where a circle runs inside the rectangle along an edge, g to either side."""
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0 or g <= 0.0:
        return n
    ux, uy = dx / length, dy / length
    # Across: off + radius * cos(t - (along + 90 deg)) in (-g, g); along: at + radius * cos in
    # (0, length). Each is one interval about the axis, mirrored: two, or one that is whole.
    off = (cy - ay) * ux - (cx - ax) * uy
    at = (cx - ax) * ux + (cy - ay) * uy
    if abs(off) >= radius + g or at <= -radius or at >= length + radius:
        return n
    axis = math.atan2(uy, ux)
    lo, hi = (-g - off) / radius, (g - off) / radius
    a0 = 0.0 if hi >= 1.0 else math.acos(hi)
    a1 = math.pi if lo <= -1.0 else math.acos(lo)
    lo, hi = -at / radius, (length - at) / radius
    b0 = 0.0 if hi >= 1.0 else math.acos(hi)
    b1 = math.pi if lo <= -1.0 else math.acos(lo)
    for i in range(2):
        p = axis + 0.5 * math.pi + (a0 if i == 0 else -a1)
        wp = a1 - a0
        for j in range(2):
            wq = b1 - b0
            s = (axis + (b0 if j == 0 else -b1) - p) % _TAU
            if s < wp:
                n = _block(L, n, p + s, min(wp, s + wq) - s)
            if s + wq > _TAU:
                n = _block(L, n, p, min(wp, s + wq - _TAU))
    return n


@kernel
@no_refcount
def _block_ring(
    L: list[float],
    n: int,
    cx: float,
    cy: float,
    radius: float,
    R: Floats,
    lo: int,
    hi: int,
    slack: float,
) -> int:
    """Note where a circle runs deeper than slack inside a ring, between crossings."""
    if (
        cx + radius <= R[lo]
        or cy + radius <= R[lo + 1]
        or cx - radius >= R[lo + 2]
        or cy - radius >= R[lo + 3]
    ):
        return n
    t = 0.0
    while t < _TAU:
        nxt = next_crossing(cx, cy, radius, 0.0, 1.0, t, _TAU, R, lo, hi)
        m = 0.5 * (t + nxt)
        if deep_in_ring(cx + radius * math.cos(m), cy + radius * math.sin(m), R, lo, hi, slack):
            n = _block(L, n, t, nxt - t)
        t = nxt
    return n


@kernel
@no_refcount
def _gather(
    cx: float,
    cy: float,
    radius: float,
    r: float,
    slack: float,
    L: list[float],
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """Note all that is not free on a circle. Gives how many intervals, -1 when L is full."""
    n = 0
    g = r - slack
    # The table's sides.
    v = (W[5] + g - cx) / radius
    if v > -1.0:
        half = math.acos(min(1.0, v))
        n = _block(L, n, half, _TAU - 2.0 * half)
    v = (cx - W[7] + g) / radius
    if v > -1.0:
        half = math.acos(min(1.0, v))
        n = _block(L, n, math.pi + half, _TAU - 2.0 * half)
    v = (W[6] + g - cy) / radius
    if v > -1.0:
        half = math.acos(min(1.0, v))
        n = _block(L, n, 0.5 * math.pi + half, _TAU - 2.0 * half)
    v = (cy - W[8] + g) / radius
    if v > -1.0:
        half = math.acos(min(1.0, v))
        n = _block(L, n, 1.5 * math.pi + half, _TAU - 2.0 * half)
    for k in range(J[1], J[2]):
        g = D[3 * k + 2] + r - slack
        n = _block_disc(L, n, cx, cy, radius, D[3 * k], D[3 * k + 1], g)
        if n < 0:
            return -1
    reach = radius + r
    cell = W[2]
    nx, ny = int(W[3]), int(W[4])
    m, room = J[0], J[3]
    j0 = cell_at((cy - reach - W[1]) / cell, ny)
    j1 = cell_at((cy + reach - W[1]) / cell, ny)
    i0 = cell_at((cx - reach - W[0]) / cell, nx)
    i1 = cell_at((cx + reach - W[0]) / cell, nx)
    for j in range(j0, j1 + 1):
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(S[c], S[c + 1]):
                e = T[s]
                if e < m:
                    e *= 5
                    ax, ay, bx, by = E[e], E[e + 1], E[e + 2], E[e + 3]
                    g = E[e + 4] + r - slack
                    far = radius + g
                    if g <= 0.0 or near_point(cx, cy, ax, ay, bx, by) >= far * far:
                        continue
                    n = _block_disc(L, n, cx, cy, radius, ax, ay, g)
                    n = _block_disc(L, n, cx, cy, radius, bx, by, g)
                    n = _block_strip(L, n, cx, cy, radius, ax, ay, bx, by, g)
                else:
                    k = 3 * (e - m)
                    g = D[k + 2] + r - slack
                    n = _block_disc(L, n, cx, cy, radius, D[k], D[k + 1], g)
                if n < 0:
                    return -1
            for s in range(c * room, (c + 1) * room):
                k = 3 * B[s]
                if k < 0:
                    break
                n = _block_disc(L, n, cx, cy, radius, D[k], D[k + 1], D[k + 2] + r - slack)
                if n < 0:
                    return -1
    for i in range(J[4]):
        n = _block_ring(L, n, cx, cy, radius, R, Q[i], Q[i + 1], slack)
        if n < 0:
            return -1
    return n


@entry(
    "int64(float64, float64, float64, float64, float64, float64[::1], int64, int64, "
    f"float64[::1], {BOARD})"
)
@no_refcount
def free_arcs(
    cx: float,
    cy: float,
    radius: float,
    r: float,
    slack: float,
    A: list[float],
    at: int,
    room: int,
    L: list[float],
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """The free arcs of a circle that the centre of a disc of radius r may run along.

    Written to A[at:] as (from, to), 0 <= from < tau, to <= from + tau; the whole circle is
    (0, tau). Gives their count; -1 when more than `room`, -2 when the scratch L is full.
    """
    if radius <= 0.0:
        if segment_free(cx, cy, cx, cy, r, slack, W, J, E, D, S, T, B, R, Q):
            A[at], A[at + 1] = 0.0, _TAU
            return 1
        return 0
    n = _gather(cx, cy, radius, r, slack, L, W, J, E, D, S, T, B, R, Q)
    if n < 0:
        return -2
    found = left_free(L, n, _TAU, A, at, room)
    if found > 1 and A[at] == 0.0 and A[at + 2 * found - 1] == _TAU:
        A[at + 1] += _TAU
        A[at] = A[at + 2 * found - 2]
        found -= 1
    return found
