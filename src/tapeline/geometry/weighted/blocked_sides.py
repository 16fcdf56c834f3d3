"""Kernels: which parts of a side of a mesh obstacles bar, and whether a way may pass between them.

Every obstacle, grown by the disc, is convex: it bars one part of a side, or none. Barred parts are
2 floats each: from where to where, of the side's length as 1.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.clearance import Floats
from tapeline.geometry.discs.spans import cell_at
from tapeline.geometry.weighted.arrays import Clearance

__all__ = ["CLOSE", "barred_parts", "free_at", "passable", "spanned"]

#: Part of a side: nearer to where a part begins or ends than this is not told.
CLOSE = 1e-7


@kernel
def _within(
    at: float, grows: float, low: float, high: float, lo: float, hi: float
) -> tuple[float, float]:
    """Of the t from lo to hi those where at + grows t lies between low and high."""
    if grows == 0.0:
        return (lo, hi) if low < at < high else (math.inf, -math.inf)
    t, u = (low - at) / grows, (high - at) / grows
    if t > u:
        t, u = u, t
    return max(lo, t), min(hi, u)


@kernel
def _in_disc(
    ax: float, ay: float, dx: float, dy: float, cx: float, cy: float, g: float
) -> tuple[float, float]:
    """Between which t the places a + t d lie in a circle."""
    ux, uy = ax - cx, ay - cy
    d2 = dx * dx + dy * dy
    b = ux * dx + uy * dy
    v = b * b - d2 * (ux * ux + uy * uy - g * g)
    if v <= 0.0:
        return math.inf, -math.inf
    s = math.sqrt(v)
    return (-b - s) / d2, (s - b) / d2


@kernel
def _near_edge(
    ax: float, ay: float, dx: float, dy: float, px: float, py: float, qx: float, qy: float, g: float
) -> tuple[float, float]:
    """Between which t the places a + t d are nearer than g to a segment."""
    lo, hi = _in_disc(ax, ay, dx, dy, px, py, g)
    t, u = _in_disc(ax, ay, dx, dy, qx, qy, g)
    lo, hi = min(lo, t), max(hi, u)
    vx, vy = qx - px, qy - py
    l2 = vx * vx + vy * vy
    if l2 > 0.0:
        far = g * math.sqrt(l2)
        ux, uy = ax - px, ay - py
        t, u = _within(vx * uy - vy * ux, vx * dy - vy * dx, -far, far, -math.inf, math.inf)
        t, u = _within(vx * ux + vy * uy, vx * dx + vy * dy, 0.0, l2, t, u)
        if t < u:
            lo, hi = min(lo, t), max(hi, u)
    return lo, hi


@kernel
def _noted(lo: float, hi: float, n: int, barred: list[float]) -> int:
    """Note a part, if it is one of the side; how many there are now, -1 if there is no room."""
    if n < 0 or lo >= hi or hi <= 0.0 or lo >= 1.0:
        return n
    if 2 * n + 2 > len(barred):
        return -1
    barred[2 * n], barred[2 * n + 1] = lo, hi
    return n + 1


@kernel
def barred_parts(
    ax: float, ay: float, bx: float, by: float, barred: list[float], clear: Clearance
) -> int:
    """The parts of a side from a to b where the disc may not stand; how many.

    -1 if they cannot be told: there are too many, or a ring that may not be entered is near.
    """
    r, slack, board = clear
    grid, counts, edges, discs, starts, parts, slots, rings, ring_starts = board
    x0, x1 = min(ax, bx), max(ax, bx)
    y0, y1 = min(ay, by), max(ay, by)
    for k in range(counts[4]):
        lo = ring_starts[k]
        if x1 >= rings[lo] and x0 <= rings[lo + 2] and y1 >= rings[lo + 1] and y0 <= rings[lo + 3]:
            return -1
    dx, dy = bx - ax, by - ay
    g = r - slack
    n = 0
    if x0 < grid[5] + g or y0 < grid[6] + g or x1 > grid[7] - g or y1 > grid[8] - g:
        t, u = _within(ax, dx, grid[5] + g, grid[7] - g, -math.inf, math.inf)
        t, u = _within(ay, dy, grid[6] + g, grid[8] - g, t, u)
        if t >= u:
            t, u = math.inf, math.inf
        n = _noted(-math.inf, t, n, barred)
        n = _noted(u, math.inf, n, barred)
    for k in range(counts[1], counts[2]):
        g = discs[3 * k + 2] + r - slack
        if g > 0.0:
            t, u = _in_disc(ax, ay, dx, dy, discs[3 * k], discs[3 * k + 1], g)
            n = _noted(t, u, n, barred)
    x0, x1, y0, y1 = x0 - r, x1 + r, y0 - r, y1 + r
    cell = grid[2]
    nx, ny = int(grid[3]), int(grid[4])
    m, room = counts[0], counts[3]
    i0, i1 = cell_at((x0 - grid[0]) / cell, nx), cell_at((x1 - grid[0]) / cell, nx)
    j0, j1 = cell_at((y0 - grid[1]) / cell, ny), cell_at((y1 - grid[1]) / cell, ny)
    for j in range(j0, j1 + 1):
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(starts[c], starts[c + 1]):
                e = parts[s]
                if e < m:
                    e *= 5
                    px, py, qx, qy = edges[e], edges[e + 1], edges[e + 2], edges[e + 3]
                    g = edges[e + 4]
                    if (
                        max(px, qx) < x0 - g
                        or min(px, qx) > x1 + g
                        or max(py, qy) < y0 - g
                        or min(py, qy) > y1 + g
                    ):
                        continue
                    g += r - slack
                    if g > 0.0:
                        t, u = _near_edge(ax, ay, dx, dy, px, py, qx, qy, g)
                        n = _noted(t, u, n, barred)
                else:
                    k = 3 * (e - m)
                    g = discs[k + 2] + r - slack
                    if g > 0.0:
                        t, u = _in_disc(ax, ay, dx, dy, discs[k], discs[k + 1], g)
                        n = _noted(t, u, n, barred)
            for s in range(c * room, (c + 1) * room):
                k = 3 * slots[s]
                if k < 0:
                    break
                g = discs[k + 2] + r - slack
                if g > 0.0:
                    t, u = _in_disc(ax, ay, dx, dy, discs[k], discs[k + 1], g)
                    n = _noted(t, u, n, barred)
    return n


@kernel
def free_at(t: float, n: int, barred: Floats) -> int:
    """Whether the disc may stand at a part of a side: 1 or 0, -1 if that is too close to tell."""
    if n < 0:
        return -1
    free = 1
    for k in range(n):
        lo, hi = barred[2 * k], barred[2 * k + 1]
        if abs(t - lo) < CLOSE or abs(t - hi) < CLOSE:
            return -1
        if lo < t < hi:
            free = 0
    return free


@kernel
def spanned(n: int, barred: Floats) -> tuple[float, float, bool]:
    """From where to where a side is barred, and whether all between is."""
    low, high = math.inf, -math.inf
    for k in range(n):
        low, high = min(low, barred[2 * k]), max(high, barred[2 * k + 1])
    at, further = low, True
    while at < high and further:
        further = False
        for k in range(n):
            if barred[2 * k] <= at < barred[2 * k + 1]:
                at, further = barred[2 * k + 1], True
    return low, high, at >= high


@kernel
def passable(n: int, a_free: bool, b_free: bool, even: bool, barred: Floats) -> bool:
    """Whether a way may pass a side from whose ends none leads on that is cheap enough.

    even: all within a side's length of it is ground of one factor. A way through a free part that
    begins at an end does not get farther than one through that end does, if it goes on for a
    side's length or more; so only parts between two that are barred count.
    """
    if n < 0:
        return True
    if n == 0:
        return not (even and a_free and b_free)
    low, high, whole = spanned(n, barred)
    if (not a_free and low > 0.0) or (not b_free and high < 1.0):
        return True
    return not whole or (not even and (low > 0.0 or high < 1.0))
