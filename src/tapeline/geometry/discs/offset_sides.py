"""Kernels: the straight parts of the border of free ground, and where they are free.

A side is an edge moved off by as much as a disc keeps from it (or an edge of ground that the centre
may not enter, or of the table), with the free ground on its right. With the free arcs of `search`,
the free pieces of the sides are the whole border of where a disc may be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints, deep_in_ring, near_point
from tapeline.geometry.discs.spans import cell_at, left_free

__all__ = ["SIDE", "all_sides", "along_ring", "forget_sides", "free_pieces", "offset", "once"]

#: Floats of a side: ax, ay, bx, by; then how much shorter each end gets as it is moved back by 1.
SIDE = 6
#: Where the sides of a table that is bounded on some sides only are cut off, table units.
_FAR = 1e6
#: Length: places along a line that are as near as this are one.
_SAME = 1e-9


def offset(edges: Iterable[Sequence[float]], both: bool) -> list[float]:
    """Sides of edges (ax, ay, bx, by, distance): on their right, on their left too if `both`."""
    flat: list[float] = []
    for ax, ay, bx, by, off in edges:
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        if length == 0.0:
            continue
        mx, my = off * dy / length, -off * dx / length
        flat += [ax + mx, ay + my, bx + mx, by + my, 0.0, 0.0]
        if both:
            flat += [bx - mx, by - my, ax - mx, ay - my, 0.0, 0.0]
    return flat


def along_ring(ring: Sequence[float]) -> list[float]:
    """The edges of a ring, corners counter-clockwise, as sides; moved back they still meet."""
    n = len(ring) // 2
    corners = [(ring[2 * i], ring[2 * i + 1]) for i in range(n)]
    headings = [
        math.atan2(corners[(i + 1) % n][1] - y, corners[(i + 1) % n][0] - x)
        for i, (x, y) in enumerate(corners)
    ]
    mitres = []
    for i in range(n):
        turn = (headings[i] - headings[i - 1] + math.pi) % math.tau - math.pi
        mitres.append(max(-1e3, min(1e3, math.tan(0.5 * turn))))
    flat: list[float] = []
    for i, (x, y) in enumerate(corners):
        j = (i + 1) % n
        flat += [x, y, *corners[j], mitres[i], mitres[j]]
    return flat


def once(sides: Sequence[float]) -> list[float]:
    """Sides without what of them lies on earlier ones that run the same way, as where the two rings
    of a `fence` cover each other: a border is put together from each of its pieces once.

    Where two end alike the lesser mitre is kept; where one ends along the other there is none.
    """
    kept: list[list[float]] = []
    # By line: where its sides begin and end along it, and which of the kept they are.
    lines: dict[tuple[float, float, float], list[tuple[float, float, int]]] = {}
    for k in range(0, len(sides), SIDE):
        ax, ay, bx, by, *mitres = sides[k : k + SIDE]
        length = math.hypot(bx - ax, by - ay)
        if length == 0.0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        at = ax * ux + ay * uy
        line = lines.setdefault(
            (round(ux, 9) + 0.0, round(uy, 9) + 0.0, round(ax * uy - ay * ux, 8) + 0.0), []
        )
        left = [(0.0, length)]
        for begin, end, one in line:
            lo, hi = begin - at, end - at
            # What is deep in either is shut: the one that reaches farther past an end has it.
            for i, end_at in enumerate((lo, hi)):
                if -_SAME <= end_at <= length + _SAME and hi > _SAME and lo < length - _SAME:
                    alike = abs(end_at - i * length) <= _SAME
                    kept[one][4 + i] = min(kept[one][4 + i], mitres[i] if alike else 0.0)
            left = [
                (p, q)
                for p0, q0 in left
                for p, q in ((p0, min(q0, lo)), (max(p0, hi), q0))
                if q - p > _SAME
            ]
        for p, q in left:
            line.append((at + p, at + q, len(kept)))
            start = (ax, ay, mitres[0]) if p == 0.0 else (ax + p * ux, ay + p * uy, 0.0)
            stop = (bx, by, mitres[1]) if q == length else (ax + q * ux, ay + q * uy, 0.0)
            kept.append([*start[:2], *stop[:2], start[2], stop[2]])
    return [v for side in kept for v in side]


def all_sides(
    edges: Sequence[Sequence[float]],
    walls: int,
    rings: Iterable[Sequence[float]],
    table: tuple[float, float, float, float],
    r: float,
) -> list[float]:
    """The straight parts of the border of where a disc of radius r may be, all of them.

    edges: ax, ay, bx, by, thickness; the first `walls` of them have two sides. rings: corners of
    ground that the centre may not enter. table: x0, y0, x1, y1, infinite where there is no edge.
    """
    grown = [(*edge[:4], edge[4] + r) for edge in edges]
    flat = offset([v for v in grown[:walls] if v[4] > 0.0], both=True)
    flat += offset([v for v in grown[walls:] if v[4] > 0.0], both=False)
    for ring in rings:
        flat += along_ring(ring)
    # The table's own sides; where it has no bounds they end far out.
    x0, y0, x1, y1 = table[0] + r, table[1] + r, table[2] - r, table[3] - r
    w, s, e, n = max(x0, -_FAR), max(y0, -_FAR), min(x1, _FAR), min(y1, _FAR)
    for end, side in (
        (x0, (x0, s, x0, n)),
        (y1, (w, y1, e, y1)),
        (x1, (x1, n, x1, s)),
        (y0, (e, y0, w, y0)),
    ):
        if math.isfinite(end):
            flat += (*side, -1.0, -1.0)
    return once(flat)


@entry("void(float64[::1], int64[::1], float64, float64, float64)")
@no_refcount
def forget_sides(H: Floats, M: list[int], x: float, y: float, reach: float) -> None:
    """Forget the free pieces of sides that come within `reach` of a point."""
    for i in range(len(M)):
        k = SIDE * i
        if near_point(x, y, H[k], H[k + 1], H[k + 2], H[k + 3]) <= reach * reach:
            M[i] = -1


@kernel
@no_refcount
def _shut(L: list[float], n: int, lo: float, hi: float, length: float) -> int:
    """Note a stretch that is not free. Gives the new count, -1 when L is full."""
    if lo < 0.0:
        lo = 0.0
    if hi > length:
        hi = length
    if n < 0 or hi <= lo:
        return n
    if 2 * n + 2 > len(L):
        return -1
    L[2 * n], L[2 * n + 1] = lo, hi
    return n + 1


@kernel
@no_refcount
def _shut_disc(
    L: list[float],
    n: int,
    ax: float,
    ay: float,
    vx: float,
    vy: float,
    length: float,
    x: float,
    y: float,
    g: float,
) -> int:
    """Note where a side runs inside a disc of radius g."""
    dx, dy = x - ax, y - ay
    off = dx * vy - dy * vx
    if g <= 0.0 or abs(off) >= g:
        return n
    along = dx * vx + dy * vy
    half = math.sqrt((g - off) * (g + off))
    return _shut(L, n, along - half, along + half, length)


@kernel
@no_refcount
def _shut_strip(
    L: list[float],
    n: int,
    ax: float,
    ay: float,
    vx: float,
    vy: float,
    length: float,
    px: float,
    py: float,
    qx: float,
    qy: float,
    g: float,
) -> int:
    """Note where a side runs inside the rectangle along an edge, g to either side."""
    ex, ey = qx - px, qy - py
    d = math.sqrt(ex * ex + ey * ey)
    if d == 0.0 or g <= 0.0:
        return n
    ex, ey = ex / d, ey / d
    lo, hi = 0.0, length
    # Across the edge from -g to g, and along it from 0 to d.
    for k in range(2):
        if k == 0:
            at, slope, least, most = (ay - py) * ex - (ax - px) * ey, vy * ex - vx * ey, -g, g
        else:
            at, slope, least, most = (ax - px) * ex + (ay - py) * ey, vx * ex + vy * ey, 0.0, d
        if abs(slope) < 1e-15:
            if at <= least or at >= most:
                return n
            continue
        s, t = (least - at) / slope, (most - at) / slope
        if s > t:
            s, t = t, s
        lo, hi = max(lo, s), min(hi, t)
    return _shut(L, n, lo, hi, length)


@kernel
@no_refcount
def _shut_below(
    L: list[float], n: int, at: float, slope: float, least: float, length: float
) -> int:
    """Note where at + s * slope is less than `least`."""
    if slope == 0.0:
        return _shut(L, n, 0.0, length, length) if at < least else n
    s = (least - at) / slope
    if slope > 0.0:
        return _shut(L, n, 0.0, s, length)
    return _shut(L, n, s, length, length)


@kernel
@no_refcount
def _shut_ring(
    L: list[float],
    n: int,
    ax: float,
    ay: float,
    vx: float,
    vy: float,
    length: float,
    R: Floats,
    lo: int,
    hi: int,
    slack: float,
) -> int:
    """Note where a side runs deeper than slack inside a ring, between crossings."""
    bx, by = ax + length * vx, ay + length * vy
    if (
        max(ax, bx) <= R[lo]
        or max(ay, by) <= R[lo + 1]
        or min(ax, bx) >= R[lo + 2]
        or min(ay, by) >= R[lo + 3]
    ):
        return n
    t = 0.0
    while t < length:
        nxt = length
        px, py = R[hi - 2], R[hi - 1]
        for i in range(lo + 4, hi, 2):
            qx, qy = R[i], R[i + 1]
            ex, ey = qx - px, qy - py
            den = vx * ey - vy * ex
            if den != 0.0:
                s = ((px - ax) * ey - (py - ay) * ex) / den
                if t + 1e-12 < s < nxt:
                    nxt = s
            px, py = qx, qy
        m = 0.5 * (t + nxt)
        if deep_in_ring(ax + m * vx, ay + m * vy, R, lo, hi, slack):
            n = _shut(L, n, t, nxt, length)
        t = nxt
    return n


@kernel
@no_refcount
def _gather(
    ax: float,
    ay: float,
    vx: float,
    vy: float,
    length: float,
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
    """Note all that is not free on a side. Gives how many stretches, -1 when L is full."""
    g = r - slack
    n = _shut_below(L, 0, ax, vx, W[5] + g, length)
    n = _shut_below(L, n, ay, vy, W[6] + g, length)
    n = _shut_below(L, n, -ax, -vx, g - W[7], length)
    n = _shut_below(L, n, -ay, -vy, g - W[8], length)
    for k in range(3 * J[1], 3 * J[2], 3):
        n = _shut_disc(L, n, ax, ay, vx, vy, length, D[k], D[k + 1], D[k + 2] + r - slack)
    bx, by = ax + length * vx, ay + length * vy
    cell = W[2]
    nx, ny = int(W[3]), int(W[4])
    m, room = J[0], J[3]
    j0 = cell_at((min(ay, by) - r - W[1]) / cell, ny)
    j1 = cell_at((max(ay, by) + r - W[1]) / cell, ny)
    i0 = cell_at((min(ax, bx) - r - W[0]) / cell, nx)
    i1 = cell_at((max(ax, bx) + r - W[0]) / cell, nx)
    for j in range(j0, j1 + 1):
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(S[c], S[c + 1]):
                e = T[s]
                if e < m:
                    e *= 5
                    px, py, qx, qy = E[e], E[e + 1], E[e + 2], E[e + 3]
                    g = E[e + 4] + r - slack
                    if g <= 0.0:
                        continue
                    n = _shut_disc(L, n, ax, ay, vx, vy, length, px, py, g)
                    n = _shut_disc(L, n, ax, ay, vx, vy, length, qx, qy, g)
                    n = _shut_strip(L, n, ax, ay, vx, vy, length, px, py, qx, qy, g)
                else:
                    k = 3 * (e - m)
                    g = D[k + 2] + r - slack
                    n = _shut_disc(L, n, ax, ay, vx, vy, length, D[k], D[k + 1], g)
            for s in range(c * room, (c + 1) * room):
                k = 3 * B[s]
                if k < 0:
                    break
                g = D[k + 2] + r - slack
                n = _shut_disc(L, n, ax, ay, vx, vy, length, D[k], D[k + 1], g)
            if n < 0:
                return -1
    for i in range(J[4]):
        n = _shut_ring(L, n, ax, ay, vx, vy, length, R, Q[i], Q[i + 1], slack)
    return n


@kernel
@no_refcount
def free_pieces(
    ax: float,
    ay: float,
    bx: float,
    by: float,
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
    """The free pieces of a side, written to A[at:] as lengths (from, to) from its first end.

    Gives their count; -1 when more than `room`, -2 when the scratch L is full.
    """
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return 0
    n = _gather(ax, ay, dx / length, dy / length, length, r, slack, L, W, J, E, D, S, T, B, R, Q)
    if n < 0:
        return -2
    return left_free(L, n, length, A, at, room)
