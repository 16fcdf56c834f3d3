"""Kernels: paths of straight legs over fine cells that already know what a disc may meet in them.

For one radius the ground is cut into cells of a uniform grid (Ericson 2005, ch. 7), walked cell by
cell (Amanatides and Woo 1987). A cell is free (nothing can be too near a centre in it), shut
(something surely is, wherever the centre is) or holds the few parts that may be. Free cells are
passed without a test, shut ones end a path at once, all else is decided by the same distances as in
`clearance.py`: cells only leave out what is certain, with room for rounding.

`board.Cells` are the arrays F, G and V here, `Board.discs` D:

    F  0, 1 corner of the cells; 2 side; 3 one over it; 4, 5 columns, rows;
       6..9 where a centre may be: table less the radius, and within the cells;
       10..13 the table less the radius; 14 radius less slack; 15 slack; 16 edges;
       17, 18 solid rings: where in F, where in G; 19 their number, 0 where cells tell all of them;
       20, 21, 22 the same for rings that the centre may not enter; 23 first body; 24 radius;
       then PART floats a part:
       ax, ay, bx, by, the square to keep, square of the cross product that is clear of it,
       dot product beyond its ends that is clear of it, square of its length
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.board import Cells, FreeSpace
from tapeline.geometry.discs.clearance import (
    enters,
    in_ring,
    in_solid,
    leg_free,
    near_point,
    near_segment,
)
from tapeline.geometry.discs.priority_queue import INDEX
from tapeline.geometry.plane.checks import LARGEST

__all__ = [
    "BAD",
    "CLEAR",
    "HEAD",
    "OUTSIDE",
    "PART",
    "SHUT",
    "corners_free",
    "lay_cells",
    "leg_clear",
    "mark_bodies",
    "outside_solids",
    "path_free",
    "paths_free",
]

#: Floats before the parts; floats a part.
HEAD = 25
PART = 8
#: Answers: not clear, clear, a number that will not do, a path that leaves the cells.
SHUT = 0
CLEAR = 1
BAD = 2
OUTSIDE = 3

#: Room for rounding, length: cells are taken to be this much larger on every side.
_ROOM = 1e-8
#: How much farther than the corners of a cell something is kept off, length, before its middle
#: speaks for all places in it that are clear: far beyond rounding.
_SURE = 1e-6
#: By how much more than what is to be kept a square must be for a leg to be clear without its
#: distance: far beyond rounding, and less than slack makes of it.
_BEYOND = 1.0 + 1e-10


@kernel
def _cells_of(x0: float, y0: float, x1: float, y1: float, F: Floats) -> tuple[int, int, int, int]:
    """First and last column, first and last row of a box on the fine cells."""
    nx, ny = F[4] - 1.0, F[5] - 1.0
    return (
        int(min(nx, max(0.0, (x0 - F[0]) / F[2]))),
        int(min(nx, max(0.0, (x1 - F[0]) / F[2]))),
        int(min(ny, max(0.0, (y0 - F[1]) / F[2]))),
        int(min(ny, max(0.0, (y1 - F[1]) / F[2]))),
    )


@entry()
def lay_cells(F: list[float], G: list[int], parts: int, R: Floats, Q: Ints) -> int:
    """Fill in the cells: what each may meet of the parts, and the inside of solid rings.

    Gives how many ints that takes. Where G is too short, it holds no cells yet. F[19] becomes 0
    where the cells tell of every place that is clear of all edges whether it is in a solid.
    """
    x0, y0, cell = F[0], F[1], F[2]
    nx, ny = int(F[4]), int(F[5])
    edges, g = int(F[16]), F[14]
    half = 0.7071067811865476 * cell + _ROOM
    for c in range(nx * ny):
        G[c] = 0
    # First how many parts a cell may meet, then the lists.
    end = nx * ny
    for turn in range(2):
        if turn == 1:
            for c in range(nx * ny):
                if G[c] > 0:
                    count = G[c]
                    G[c] = end
                    end += count + 1
            if end > len(G):
                return end
            for c in range(nx * ny):
                if G[c] > 0:
                    G[G[c]] = 0
        for e in range(parts):
            k = HEAD + PART * e
            ax, ay, bx, by = F[k], F[k + 1], F[k + 2], F[k + 3]
            if F[k + 4] <= 0.0:
                continue
            keep = F[k + 4] ** 0.5
            far, near = keep + half, keep - half
            i0, i1, j0, j1 = _cells_of(
                min(ax, bx) - far, min(ay, by) - far, max(ax, bx) + far, max(ay, by) + far, F
            )
            for j in range(j0, j1 + 1):
                y = y0 + (j + 0.5) * cell
                for i in range(i0, i1 + 1):
                    c = j * nx + i
                    if G[c] < 0:
                        continue
                    d = near_point(x0 + (i + 0.5) * cell, y, ax, ay, bx, by)
                    if d >= far * far:
                        continue
                    if near > 0.0 and d < near * near:
                        G[c] = -1
                    elif turn == 0:
                        G[c] += 1
                    else:
                        G[G[c]] += 1
                        G[G[c] + G[G[c]]] = e
    # A cell that meets no edge is all inside or all outside of a solid. Of any other, so are the
    # places clear of all edges if nothing but such lies between them and the middle.
    sure = g > half + _SURE
    if sure:
        F[19] = 0.0
    if edges > 0 and g > 0.0:
        for i in range(len(Q) - 1):
            lo, hi = Q[i], Q[i + 1]
            i0, i1, j0, j1 = _cells_of(R[lo], R[lo + 1], R[lo + 2], R[lo + 3], F)
            for j in range(j0, j1 + 1):
                for k in range(i0, i1 + 1):
                    c = j * nx + k
                    if (G[c] == 0 or (sure and G[c] > 0)) and in_ring(
                        x0 + (k + 0.5) * cell, y0 + (j + 0.5) * cell, R, lo, hi
                    ):
                        G[c] = -1
    # Equal lists of neighbours are one, so that a leg that goes on in it tests it once.
    for c in range(1, nx * ny):
        if G[c] > 0:
            for before in (c - 1, c - nx):
                if before >= 0 and G[before] > 0:
                    same = True
                    for k in range(G[G[c]] + 1):
                        if G[G[before] + k] != G[G[c] + k]:
                            same = False
                            break
                    if same:
                        G[c] = G[before]
                        break
    return end


@entry()
def mark_bodies(V: list[int], F: Floats, D: Floats, k: int, put: bool) -> None:
    """Put disc k into the cells where it may be too near, or take it out."""
    x, y, far = D[3 * k], D[3 * k + 1], D[3 * k + 2] + F[24] - F[15]
    if not far > 0.0:
        return
    cell = F[2]
    far += 0.7071067811865476 * cell + _ROOM
    nx = int(F[4])
    i0, i1, j0, j1 = _cells_of(x - far, y - far, x + far, y + far, F)
    for j in range(j0, j1 + 1):
        dy = F[1] + (j + 0.5) * cell - y
        for i in range(i0, i1 + 1):
            dx = F[0] + (i + 0.5) * cell - x
            if dx * dx + dy * dy >= far * far:
                continue
            c = j * nx + i
            w = V[c]
            if w < 0:
                continue
            if put:
                if w >= 1 << 47 or k >= 65535:
                    V[c] = -1
                else:
                    V[c] = (w << 16) | (k + 1)
            else:
                kept, at = 0, 0
                while w != 0:
                    one = w & 65535
                    w >>= 16
                    if one != k + 1:
                        kept |= one << at
                        at += 16
                V[c] = kept


@kernel
def _too_near(square: float, keep: float, give: float) -> bool:
    """Whether the square of a distance is below that to keep, `give` (length) forgiven."""
    if square >= keep:
        return False
    if give == 0.0:
        return True
    g = math.sqrt(keep) - give
    return g > 0.0 and square < g * g


@kernel
def _bodies_clear(
    px: float, py: float, qx: float, qy: float, w: int, give: float, F: Floats, D: Floats
) -> bool:
    """Whether a leg keeps off the bodies of a cell."""
    if w > 0:
        while w != 0:
            k = 3 * (((w & 65535) - 1) & INDEX)
            w >>= 16
            g = D[k + 2] + F[24] - F[15]
            if _too_near(near_point(D[k], D[k + 1], px, py, qx, qy), g * g, give):
                return False
        return True
    for k in range(3 * int(F[23]), len(D), 3):
        g = D[k + 2] + F[24] - F[15]
        if g > 0.0 and _too_near(near_point(D[k], D[k + 1], px, py, qx, qy), g * g, give):
            return False
    return True


@kernel
def _parts_clear(
    px: float, py: float, qx: float, qy: float, at: int, give: float, F: Floats, G: Ints
) -> bool:
    """Whether a leg keeps off the parts of a list."""
    edges = int(F[16])
    at &= INDEX
    lx, ly = qx - px, qy - py
    l2 = lx * lx + ly * ly
    for s in range(at + 1, at + 1 + G[at]):
        e = G[s] & INDEX
        k = HEAD + PART * e
        ax, ay, bx, by = F[k], F[k + 1], F[k + 2], F[k + 3]
        if e >= edges:
            if _too_near(near_point(ax, ay, px, py, qx, qy), F[k + 4], give):
                return False
            continue
        # Both ends of the edge well off on one side of the leg's line?
        ux, uy = px - ax, py - ay
        c, d = ly * ux - lx * uy, ly * (px - bx) - lx * (py - by)
        off = F[k + 4] * l2 * _BEYOND
        if c * d > 0.0 and c * c > off and d * d > off:
            continue
        # Both ends of the leg well off on one side of the edge's line, or beyond one of its ends?
        dx, dy, vx, vy = bx - ax, by - ay, qx - ax, qy - ay
        c, d = dx * uy - dy * ux, dx * vy - dy * vx
        off = F[k + 5]
        if c * d > 0.0 and c * c > off and d * d > off:
            continue
        c, d = dx * ux + dy * uy, dx * vx + dy * vy
        off = F[k + 6]
        if (c < -off and d < -off) or (c > off + F[k + 7] and d > off + F[k + 7]):
            continue
        if _too_near(near_segment(px, py, qx, qy, ax, ay, bx, by), F[k + 4], give):
            return False
    return True


@kernel
def _leg_shut(px: float, py: float, qx: float, qy: float, F: Floats, G: Ints) -> bool:
    """Whether a leg within the cells crosses one that is shut."""
    nx = int(F[4])
    ax, ay = (px - F[0]) * F[3], (py - F[1]) * F[3]
    bx, by = (qx - F[0]) * F[3], (qy - F[1]) * F[3]
    # Looked for at places along it, some three quarters of a cell apart: that misses no more than
    # corners of cells.
    count = int(1.4 * max(abs(bx - ax), abs(by - ay)))
    dx, dy = (bx - ax) / (count + 1), (by - ay) / (count + 1)
    for k in range(1, count + 1):  # noqa: SIM110  no generators in kernels
        if G[(int(ay + k * dy) * nx + int(ax + k * dx)) & INDEX] < 0:
            return True
    return False


@kernel
def _leg_free(
    px: float, py: float, qx: float, qy: float, give: float, F: Floats, G: Ints, D: Floats, V: Ints
) -> bool:
    """Whether a leg within the cells is clear: the cells it crosses, one after the other."""
    nx = int(F[4])
    ax, ay = (px - F[0]) * F[3], (py - F[1]) * F[3]
    bx, by = (qx - F[0]) * F[3], (qy - F[1]) * F[3]
    i, j, k, m = int(ax), int(ay), int(bx), int(by)
    c = j * nx + i
    across, up = k - i, m - j
    dx, dy = bx - ax, by - ay
    right, above = 1, nx
    tx = ty = sx = sy = 0.0
    if across > 0:
        sx = 1.0 / dx
        tx = (i + 1 - ax) * sx
    elif across < 0:
        sx = -1.0 / dx
        tx = (ax - i) * sx
        across, right = -across, -1
    if up > 0:
        sy = 1.0 / dy
        ty = (j + 1 - ay) * sy
    elif up < 0:
        sy = -1.0 / dy
        ty = (ay - j) * sy
        up, above = -up, -nx
    last, before = 0, 0
    while True:
        c &= INDEX
        at, w = G[c], V[c]
        if at != last:
            if at < 0:
                return False
            last = at
            if at > 0 and not _parts_clear(px, py, qx, qy, at, give, F, G):
                return False
        if w != before:
            before = w
            if w != 0 and not _bodies_clear(px, py, qx, qy, w, give, F, D):
                return False
        if across > 0 and (up == 0 or tx < ty):
            across -= 1
            c += right
            tx += sx
        elif up > 0:
            up -= 1
            c += above
            ty += sy
        else:
            return True


@kernel
def _within(x: float, y: float, F: Floats) -> bool:
    """Whether a centre is on the table and within the cells."""
    return F[6] <= x <= F[8] and F[7] <= y <= F[9]


@kernel
def _beyond(x: float, y: float, F: Floats) -> int:
    """What to answer about a corner that is not within: BAD, SHUT or OUTSIDE; CLEAR if it is."""
    if not (-LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST):
        return BAD
    if x < F[10] or y < F[11] or x > F[12] or y > F[13]:
        return SHUT
    return CLEAR if _within(x, y, F) else OUTSIDE


@kernel
def _worse(one: int, two: int) -> int:
    """Of two answers of `_beyond` the one that counts: BAD, then SHUT, then OUTSIDE."""
    if one == BAD or two == BAD:
        return BAD
    if one == SHUT or two == SHUT:
        return SHUT
    return OUTSIDE if one == OUTSIDE or two == OUTSIDE else CLEAR


@kernel
def _cell(x: float, y: float, F: Floats) -> int:
    return (int((y - F[1]) * F[3]) * int(F[4]) + int((x - F[0]) * F[3])) & INDEX


@kernel
def leg_clear(px: float, py: float, qx: float, qy: float, give: float, free: FreeSpace) -> bool:
    """Whether a disc may go straight from p to q, deeper than its slack by up to `give` (length).

    As `clearance.leg_free`, by cells where some are laid and hold the leg.
    """
    slack = free.slack + give
    F, G, V = free.cells
    if len(G) > 0 and give < 0.5 * _ROOM and _within(px, py, F) and _within(qx, qy, F):
        if G[_cell(qx, qy, F)] < 0 or _leg_shut(px, py, qx, qy, F, G):
            return False
        if not _leg_free(px, py, qx, qy, give, F, G, free.board.discs, V):
            return False
        return F[22] == 0.0 or _grounds_clear(px, py, qx, qy, slack, F, G)
    return leg_free(px, py, qx, qy, free.r, slack, free.board)


@kernel
def outside_solids(x: float, y: float, free: FreeSpace) -> bool:
    """Whether a place clear of all edges is outside every solid: by cells where there are some."""
    F, G, _ = free.cells
    if len(G) > 0 and _within(x, y, F):
        at = G[_cell(x, y, F)]
        if at == 0 or (at > 0 and F[19] == 0.0):
            return True
    return not in_solid(x, y, free.solids, free.solid_starts)


@kernel
def _grounds_clear(
    px: float, py: float, qx: float, qy: float, slack: float, F: Floats, G: Ints
) -> bool:
    """Whether a leg enters no ring that the centre keeps out of."""
    at, lo = int(F[21]), int(F[20])
    for i in range(at, at + int(F[22])):
        if enters(px, py, qx, qy, F, lo + G[i], lo + G[i + 1], slack):
            return False
    return True


@kernel
def _outside_solids(x: float, y: float, F: Floats, G: Ints) -> bool:
    """Whether a place clear of all edges is outside every solid."""
    if G[_cell(x, y, F)] == 0:
        return True
    at, lo = int(F[18]), int(F[17])
    for i in range(at, at + int(F[19])):  # noqa: SIM110  no generators in kernels
        if in_ring(x, y, F, lo + G[i], lo + G[i + 1]):
            return False
    return True


@entry()
def corners_free(
    legs: int,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    cx: float,
    cy: float,
    dx: float,
    dy: float,
    cells: Cells,
    D: Floats,
) -> int:
    """Whether a path of up to three legs is clear; corners beyond the last one repeat it."""
    F, G, V = cells
    if not (
        _within(ax, ay, F) and _within(bx, by, F) and _within(cx, cy, F) and _within(dx, dy, F)
    ):
        return _worse(
            _worse(_beyond(ax, ay, F), _beyond(bx, by, F)),
            _worse(_beyond(cx, cy, F), _beyond(dx, dy, F)),
        )
    if G[_cell(bx, by, F)] < 0 or G[_cell(cx, cy, F)] < 0 or G[_cell(dx, dy, F)] < 0:
        return SHUT
    if not _leg_free(ax, ay, bx, by, 0.0, F, G, D, V):
        return SHUT
    if legs > 1 and not _leg_free(bx, by, cx, cy, 0.0, F, G, D, V):
        return SHUT
    if legs > 2 and not _leg_free(cx, cy, dx, dy, 0.0, F, G, D, V):
        return SHUT
    if F[22] > 0.0:
        if not _grounds_clear(ax, ay, bx, by, F[15], F, G):
            return SHUT
        if legs > 1 and not _grounds_clear(bx, by, cx, cy, F[15], F, G):
            return SHUT
        if legs > 2 and not _grounds_clear(cx, cy, dx, dy, F[15], F, G):
            return SHUT
    return CLEAR if _outside_solids(ax, ay, F, G) else SHUT


@kernel
def _one_path(P: Floats, lo: int, hi: int, F: Floats, G: Ints, D: Floats, V: Ints) -> int:
    """Whether the path with corners lo to hi - 1 is clear."""
    for k in range(2 * lo, 2 * hi, 2):
        if not _within(P[k], P[k + 1], F):
            worst = CLEAR
            for m in range(2 * lo, 2 * hi, 2):
                worst = _worse(worst, _beyond(P[m], P[m + 1], F))
            return worst
    for k in range(2 * lo, 2 * hi, 2):
        if G[_cell(P[k], P[k + 1], F)] < 0:
            return SHUT
    if hi - lo == 1:
        k = 2 * lo
        if not _leg_free(P[k], P[k + 1], P[k], P[k + 1], 0.0, F, G, D, V):
            return SHUT
        if not _grounds_clear(P[k], P[k + 1], P[k], P[k + 1], F[15], F, G):
            return SHUT
    for k in range(2 * lo, 2 * hi - 2, 2):
        if not _leg_free(P[k], P[k + 1], P[k + 2], P[k + 3], 0.0, F, G, D, V):
            return SHUT
    if F[22] > 0.0:
        for k in range(2 * lo, 2 * hi - 2, 2):
            if not _grounds_clear(P[k], P[k + 1], P[k + 2], P[k + 3], F[15], F, G):
                return SHUT
    return CLEAR if lo == hi or _outside_solids(P[2 * lo], P[2 * lo + 1], F, G) else SHUT


@entry()
def path_free(P: Floats, F: Floats, G: Ints, D: Floats, V: Ints) -> int:
    """Whether one path is clear; corners flat, as a user has them: Numba looks at its type."""
    return _one_path(P, 0, len(P) // 2, F, G, D, V)


@entry()
def paths_free(P: Floats, N: Ints, out: list[bool], cells: Cells, D: Floats) -> int:
    """For each path, corners P[2 * N[i]:2 * N[i + 1]], whether it is clear.

    Gives BAD or OUTSIDE where a path is so, and stops there; else CLEAR.
    """
    F, G, V = cells
    for i in range(len(N) - 1):
        answer = _one_path(P, N[i], N[i + 1], F, G, D, V)
        if answer > CLEAR:
            return answer
        out[i] = answer == CLEAR
    return CLEAR
