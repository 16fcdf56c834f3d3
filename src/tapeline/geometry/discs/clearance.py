"""Kernels: does a disc that moves along a leg keep clear of everything near it?

All is laid out on a uniform grid (Ericson 2005, ch. 7): only parts in cells that the leg comes
within a radius of are asked, by closed forms of distance. See `board.Board` for what is asked.
"""

from __future__ import annotations

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.board import Board, FreeSpace
from tapeline.geometry.discs.spans import cell_at
from tapeline.geometry.plane.distance import point_in_ring

__all__ = [
    "Floats",
    "deep_in_ring",
    "enters",
    "free_batch",
    "in_ring",
    "in_solid",
    "leg_free",
    "near_point",
    "near_segment",
    "stand_free",
]


@kernel
def near_point(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Square of the distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    ux, uy = px - ax, py - ay
    t = ux * dx + uy * dy
    if t <= 0.0:
        return ux * ux + uy * uy
    l2 = dx * dx + dy * dy
    if t >= l2:
        ux, uy = px - bx, py - by
        return ux * ux + uy * uy
    c = ux * dy - uy * dx
    return c * c / l2


@kernel
def near_segment(
    px: float, py: float, qx: float, qy: float, ax: float, ay: float, bx: float, by: float
) -> float:
    """Square of the distance of two segments, 0 where they cross."""
    ux, uy = qx - px, qy - py
    vx, vy = bx - ax, by - ay
    d1, d2 = ux * (ay - py) - uy * (ax - px), ux * (by - py) - uy * (bx - px)
    if (d1 > 0.0) != (d2 > 0.0):
        d3 = vx * (py - ay) - vy * (px - ax)
        d4 = vx * (qy - ay) - vy * (qx - ax)
        if (d3 > 0.0) != (d4 > 0.0):
            return 0.0
    a = near_point(px, py, ax, ay, bx, by)
    b = near_point(qx, qy, ax, ay, bx, by)
    c = near_point(ax, ay, px, py, qx, qy)
    d = near_point(bx, by, px, py, qx, qy)
    if b < a:
        a = b
    if c < a:
        a = c
    if d < a:
        a = d
    return a


@kernel
def deep_in_ring(x: float, y: float, R: Floats, lo: int, hi: int, slack: float) -> bool:
    """Whether a point is deeper than slack in the ring R[lo:hi]."""
    if x < R[lo] + slack or y < R[lo + 1] + slack or x > R[lo + 2] - slack or y > R[lo + 3] - slack:
        return False
    if not in_ring(x, y, R, lo, hi):
        return False
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo + 4, hi, 2):
        bx, by = R[i], R[i + 1]
        if near_point(x, y, ax, ay, bx, by) <= slack * slack:
            return False
        ax, ay = bx, by
    return True


@kernel
def enters(
    px: float, py: float, qx: float, qy: float, R: Floats, lo: int, hi: int, slack: float
) -> bool:
    """Whether a segment goes deeper than slack into the ring R[lo:hi].

    Between two crossings of the border's lines it is inside or outside as its middle is.
    """
    if (
        max(px, qx) <= R[lo] + slack
        or max(py, qy) <= R[lo + 1] + slack
        or min(px, qx) >= R[lo + 2] - slack
        or min(py, qy) >= R[lo + 3] - slack
    ):
        return False
    dx, dy = qx - px, qy - py
    t = 0.0
    while t < 1.0:
        nxt = 1.0
        ax, ay = R[hi - 2], R[hi - 1]
        for i in range(lo + 4, hi, 2):
            bx, by = R[i], R[i + 1]
            ux, uy = bx - ax, by - ay
            den = dx * uy - dy * ux
            if den != 0.0:
                s = ((ax - px) * uy - (ay - py) * ux) / den
                if t + 1e-13 < s < nxt:
                    nxt = s
            ax, ay = bx, by
        m = 0.5 * (t + nxt)
        if deep_in_ring(px + m * dx, py + m * dy, R, lo, hi, slack):
            return True
        t = nxt
    return False


@kernel
def in_ring(x: float, y: float, R: Floats, lo: int, hi: int) -> bool:
    """`point_in_ring` for a ring R[lo:hi] whose box stands before its corners."""
    if x < R[lo] or y < R[lo + 1] or x > R[lo + 2] or y > R[lo + 3]:
        return False
    return point_in_ring(x, y, R, lo + 4, hi)


@entry()
def in_solid(x: float, y: float, R: Floats, Q: Ints) -> bool:
    """Whether a point is inside one of the rings; on a border either answer may come."""
    for i in range(len(Q) - 1):  # noqa: SIM110  no generators in kernels
        if in_ring(x, y, R, Q[i], Q[i + 1]):
            return True
    return False


@entry()
def stand_free(x: float, y: float, r: float, slack: float, board: Board) -> bool:
    """Whether a disc of radius r may stand at a place. The inside of solids is not asked here."""
    return leg_free(x, y, x, y, r, slack, board)


@kernel
def _leg_meets(
    discs: Floats, k: int, px: float, py: float, qx: float, qy: float, r: float, slack: float
) -> bool:
    """Whether a disc of radius r that goes straight from p to q enters the one at discs[k]."""
    g = discs[k + 2] + r - slack
    return g > 0.0 and near_point(discs[k], discs[k + 1], px, py, qx, qy) < g * g


@entry()
def leg_free(
    px: float, py: float, qx: float, qy: float, r: float, slack: float, board: Board
) -> bool:
    """Whether a disc of radius r may go straight from p to q."""
    grid, counts, edges, discs, starts, parts, slots, rings, ring_starts = board
    x0, x1 = min(px, qx), max(px, qx)
    y0, y1 = min(py, qy), max(py, qy)
    g = r - slack
    if x0 < grid[5] + g or y0 < grid[6] + g or x1 > grid[7] - g or y1 > grid[8] - g:
        return False
    for k in range(3 * counts[1], 3 * counts[2], 3):
        if _leg_meets(discs, k, px, py, qx, qy, r, slack):
            return False
    x0, x1, y0, y1 = x0 - r, x1 + r, y0 - r, y1 + r
    cell = grid[2]
    nx, ny = int(grid[3]), int(grid[4])
    m, room = counts[0], counts[3]
    j0 = cell_at((y0 - grid[1]) / cell, ny)
    j1 = cell_at((y1 - grid[1]) / cell, ny)
    dx, dy = qx - px, qy - py
    for j in range(j0, j1 + 1):
        # The part of the leg within r of this row of cells bounds the columns; the rows at the
        # rim of the grid take in all that lies beyond it.
        ta, tb = 0.0, 1.0
        if dy != 0.0 and j1 > j0:
            if j > 0:
                t = (grid[1] + j * cell - r - py) / dy
                if dy > 0.0:
                    ta = max(ta, t)
                else:
                    tb = min(tb, t)
            if j < ny - 1:
                t = (grid[1] + (j + 1) * cell + r - py) / dy
                if dy > 0.0:
                    tb = min(tb, t)
                else:
                    ta = max(ta, t)
            # Rounding: a leg that only touches a row is looked at in it all the same.
            ta, tb = max(0.0, ta - 1e-12), min(1.0, tb + 1e-12)
            if ta > tb:
                continue
        xa, xb = px + ta * dx, px + tb * dx
        if xa > xb:
            xa, xb = xb, xa
        i0 = cell_at((xa - r - grid[0]) / cell, nx)
        i1 = cell_at((xb + r - grid[0]) / cell, nx)
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(starts[c], starts[c + 1]):
                e = parts[s]
                if e < m:
                    e *= 5
                    ax, ay, bx, by = edges[e], edges[e + 1], edges[e + 2], edges[e + 3]
                    g = edges[e + 4]
                    if (
                        (ax if ax > bx else bx) < x0 - g
                        or (ax if ax < bx else bx) > x1 + g
                        or (ay if ay > by else by) < y0 - g
                        or (ay if ay < by else by) > y1 + g
                    ):
                        continue
                    g += r - slack
                    if g > 0.0 and near_segment(px, py, qx, qy, ax, ay, bx, by) < g * g:
                        return False
                elif _leg_meets(discs, 3 * (e - m), px, py, qx, qy, r, slack):
                    return False
            for s in range(c * room, (c + 1) * room):
                if slots[s] < 0:
                    break
                if _leg_meets(discs, 3 * slots[s], px, py, qx, qy, r, slack):
                    return False
    for i in range(counts[4]):
        if enters(px, py, qx, qy, rings, ring_starts[i], ring_starts[i + 1], slack):
            return False
    return True


@entry()
def free_batch(corners: Floats, starts: Ints, out: list[bool], free: FreeSpace) -> None:
    """Whether the disc may follow each path, corners starts[i] to starts[i + 1] - 1, x, y each.

    A path may not begin inside a solid.
    """
    r, slack, board = free.r, free.slack, free.board
    for i in range(len(starts) - 1):
        lo, hi = 2 * starts[i], 2 * starts[i + 1]
        ok = True
        if hi - lo == 2:
            ok = stand_free(corners[lo], corners[lo + 1], r, slack, board)
        for k in range(lo, hi - 2, 2):
            px, py, qx, qy = corners[k], corners[k + 1], corners[k + 2], corners[k + 3]
            if not leg_free(px, py, qx, qy, r, slack, board):
                ok = False
                break
        if ok and lo < hi:
            ok = not in_solid(corners[lo], corners[lo + 1], free.solids, free.solid_starts)
        out[i] = ok
