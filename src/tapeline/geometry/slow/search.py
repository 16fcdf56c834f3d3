"""Kernels: a lower bound of the least cost over ground of several factors.

All curves that a least-cost path may touch are cut into short pieces: borders between factors
(segments and arcs), free arcs round obstacles, the goal. A path is a chain of legs from piece to
piece. A leg from x on piece I to y on piece J over ground of factor w costs at least
w * u . (y - x) for any unit vector u: a sum of a function of x and one of y, both affine. So the
cost of a chain is at least an affine function of the places on its pieces, which is least at ends
of pieces: the least cost over all chains is bounded by a shortest path in the graph of the pieces'
ends. With u from middle to middle the bound falls short by the square of the pieces' lengths only.

A bent piece is taken as its chord, and each leg that meets it gives up w times its sagitta. A leg
is left out only when it cannot be run from any place of I to any place of J.

    PF  floats  pieces, 8 each: ax, ay, bx, by, sagitta, half (chord / 2 + sagitta), p, q (places of
                the ends along the piece's curve, lengths)
    PI  ints    pieces, 5 each: kind, curve (-1 none), circle (-1 none), factors to the left and to
                the right as bits of WT
    CF  floats  curves, 4 each: factor along it, period (0: open), radius (0: straight), factor of
                chords (0: there are none)
    WT  floats  factors, ascending
    XL  floats  all places where the factor changes, obstacles or not, as borders, 5 each: px, py,
                qx, qy, sagitta
    OE  floats  edges that the centre keeps g away from, 5 each: px, py, qx, qy, g
    OD  floats  discs that the centre stays out of, 3 each: x, y, radius
    GR, GQ      rings that the centre may not enter, flat, and where each begins (and the end)
    AR, AQ, AF  rings of areas, likewise, and each one's factor as index of WT
    AC  floats  circles of areas, 4 each: x, y, radius, index of WT
    TW  ints    pieces: the piece behind a portal, place for place, -1 for none; empty: no portals
    TC  floats  pieces: what that portal charges
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from tapeline.geometry.discs.clearance import near_point, near_segment
from tapeline.geometry.gears import bare, entry, kernel

__all__ = ["ARC", "BORDER", "GOAL", "POINT", "ROUND", "explore", "leg_factor"]

Floats: TypeAlias = Sequence[float]
Ints: TypeAlias = Sequence[int]

#: Kinds of pieces: a point, a straight border, a bent border, an arc round an obstacle, a goal arc.
POINT, BORDER, ROUND, ARC, GOAL = 0, 1, 2, 3, 4

#: Length: how deep in an obstacle a leg may be before it counts as barred.
_SLACK = 1e-8
#: Length: orientations nearer to zero than this decide nothing.
_FLAT = 1e-10
#: Length: runs along a border that are shorter are nothing.
_PART = 1e-6

_WORLD = (
    "float64[::1], int64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64[::1], float64[::1], int64[::1], float64[::1], int64[::1], int64[::1], float64[::1]"
)


@kernel
@bare
def _in_ring(x: float, y: float, R: Floats, lo: int, hi: int) -> bool:
    inside = False
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo, hi, 2):
        bx, by = R[i], R[i + 1]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
        ax, ay = bx, by
    return inside


@kernel
@bare
def _ring2(x: float, y: float, R: Floats, lo: int, hi: int) -> float:
    """Square of the distance of a point from the border of a ring."""
    best = math.inf
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo, hi, 2):
        bx, by = R[i], R[i + 1]
        d = near_point(x, y, ax, ay, bx, by)
        if d < best:
            best = d
        ax, ay = bx, by
    return best


@kernel
@bare
def _all_cross(
    i: int, j: int, PF: Floats, px: float, py: float, qx: float, qy: float, sag: float
) -> bool:
    """Whether every segment from piece i to piece j crosses the inside of the segment pq.

    The side of p on which a line through x and y lies is bilinear in the places of x and y, so
    four ends of pieces stand for all.
    """
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return False
    dx, dy = dx / length, dy / length
    i *= 8
    j *= 8
    mi = sag + PF[i + 4] + _FLAT
    mj = sag + PF[j + 4] + _FLAT
    s1 = dx * (PF[i + 1] - py) - dy * (PF[i] - px)
    s2 = dx * (PF[i + 3] - py) - dy * (PF[i + 2] - px)
    s3 = dx * (PF[j + 1] - py) - dy * (PF[j] - px)
    s4 = dx * (PF[j + 3] - py) - dy * (PF[j + 2] - px)
    if s1 > mi and s2 > mi:
        if s3 > -mj or s4 > -mj:
            return False
        sign = 1.0
    elif s1 < -mi and s2 < -mi:
        if s3 < mj or s4 < mj:
            return False
        sign = -1.0
    else:
        return False
    m = max(PF[i + 4], PF[j + 4]) + _FLAT
    for a in range(2):
        ax, ay = PF[i + 2 * a], PF[i + 2 * a + 1]
        for b in range(2):
            ux, uy = PF[j + 2 * b] - ax, PF[j + 2 * b + 1] - ay
            d = m * math.sqrt(ux * ux + uy * uy)
            if sign * (ux * (py - ay) - uy * (px - ax)) > -d:
                return False
            if sign * (ux * (qy - ay) - uy * (qx - ax)) < d:
                return False
    return True


@kernel
@bare
def _all_along(i: int, j: int, PF: Floats, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether every segment from piece i to piece j runs along a part of the segment pq."""
    i *= 8
    j *= 8
    if PF[i + 4] > 0.0 or PF[j + 4] > 0.0:
        return False
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return False
    dx, dy = dx / length, dy / length
    for k in range(4):
        at = (i if k < 2 else j) + 2 * (k % 2)
        if abs(dx * (PF[at + 1] - py) - dy * (PF[at] - px)) > _FLAT:
            return False
    a = dx * (PF[i] - px) + dy * (PF[i + 1] - py)
    b = dx * (PF[i + 2] - px) + dy * (PF[i + 3] - py)
    c = dx * (PF[j] - px) + dy * (PF[j + 1] - py)
    d = dx * (PF[j + 2] - px) + dy * (PF[j + 3] - py)
    # The gap between the pieces, if they lie apart.
    low = min(max(a, b), max(c, d))
    high = max(min(a, b), min(c, d))
    return min(high, length) - max(low, 0.0) > _PART


@kernel
@bare
def _side(i: int, j: int, PF: Floats, PI: Ints) -> int:
    """Factors, as bits, over which a straight leg may leave piece i for piece j."""
    left, right = PI[5 * i + 3], PI[5 * i + 4]
    if left == right:
        return left
    if PI[5 * i + 2] >= 0 and PI[5 * i + 2] == PI[5 * j + 2]:
        return left  # a chord runs inside its circle
    f, g = 8 * i, 8 * j
    dx, dy = PF[f + 2] - PF[f], PF[f + 3] - PF[f + 1]
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return left | right
    s1 = (dx * (PF[g + 1] - PF[f + 1]) - dy * (PF[g] - PF[f])) / length
    s2 = (dx * (PF[g + 3] - PF[f + 1]) - dy * (PF[g + 2] - PF[f])) / length
    sag = PF[g + 4]
    if min(s1, s2) >= sag - 1e-12 and max(s1, s2) > sag + _FLAT:
        if PF[f + 4] == 0.0:
            return left
        # From a bent piece a leg may pass beside the chord: it must lie within the tangents too,
        # which are off the chord by no more than this angle.
        off = 4.0 * PF[f + 4] / length
        c, s = math.cos(off), math.sin(off)
        ux, uy = (c * dx + s * dy) / length, (c * dy - s * dx) / length
        vx, vy = (c * dx - s * dy) / length, (c * dy + s * dx) / length
        inside = off < 1.0
        for k in range(2):
            x, y = PF[g + 2 * k], PF[g + 2 * k + 1]
            if (
                ux * (y - PF[f + 1]) - uy * (x - PF[f]) < sag
                or vx * (y - PF[f + 3]) - vy * (x - PF[f + 2]) < sag
            ):
                inside = False
        if inside:
            return left
        return left | right
    sag += PF[f + 4]
    if max(s1, s2) <= -sag + 1e-12 and min(s1, s2) < -sag - _FLAT:
        return right
    return left | right


@entry(f"int64(int64, int64, {_WORLD})")
@bare
def leg_factor(
    i: int,
    j: int,
    PF: Floats,
    PI: Ints,
    CF: Floats,
    WT: Floats,
    XL: Floats,
    OE: Floats,
    OD: Floats,
    GR: Floats,
    GQ: Ints,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
) -> int:
    """The cheapest factor, as index of WT, at which a straight leg may run from piece i to piece j.

    -1 when no leg can: all meet an obstacle, or all cross a border on the way. A leg runs over
    ground of one factor: it ends where it meets a border.
    """
    ki, kj = PI[5 * i + 2], PI[5 * j + 2]
    if ki >= 0 and ki == kj and PI[5 * i] == ARC:
        return -1
    bits = _side(i, j, PF, PI) & _side(j, i, PF, PI)
    if bits == 0:
        return -1
    f, g = 8 * i, 8 * j
    cx, cy = 0.5 * (PF[f] + PF[f + 2]), 0.5 * (PF[f + 1] + PF[f + 3])
    ex, ey = 0.5 * (PF[g] + PF[g + 2]), 0.5 * (PF[g + 1] + PF[g + 3])
    h = max(PF[f + 5], PF[g + 5])
    x0, x1 = min(cx, ex) - h, max(cx, ex) + h
    y0, y1 = min(cy, ey) - h, max(cy, ey) + h
    # No place of a leg is farther than h from the same fraction of the leg between the middles.
    for k in range(0, len(OD), 3):
        r = OD[k + 2] - _SLACK - h
        if r > 0.0 and near_point(OD[k], OD[k + 1], cx, cy, ex, ey) < r * r:
            return -1
    for k in range(0, len(OE), 5):
        px, py, qx, qy, grown = OE[k], OE[k + 1], OE[k + 2], OE[k + 3], OE[k + 4]
        if (
            max(px, qx) + grown < x0
            or min(px, qx) - grown > x1
            or max(py, qy) + grown < y0
            or min(py, qy) - grown > y1
        ):
            continue
        r = grown - _SLACK - h
        if r > 0.0 and near_segment(cx, cy, ex, ey, px, py, qx, qy) < r * r:
            return -1
        if _all_cross(i, j, PF, px, py, qx, qy, 0.0):
            return -1
    for k in range(0, len(XL), 5):
        px, py, qx, qy = XL[k], XL[k + 1], XL[k + 2], XL[k + 3]
        if max(px, qx) < x0 or min(px, qx) > x1 or max(py, qy) < y0 or min(py, qy) > y1:
            continue
        if _all_cross(i, j, PF, px, py, qx, qy, XL[k + 4]):
            return -1
        # A run along a border is that border's: the leg ends where it begins.
        if XL[k + 4] == 0.0 and _all_along(i, j, PF, px, py, qx, qy):
            return -1
    # At places of the leg that are farther than h from all borders every leg meets the same
    # ground. Tried: the middles between where the leg between the middles meets a border or passes
    # the end of one.
    d = h + _SLACK
    dx, dy = ex - cx, ey - cy
    l2 = dx * dx + dy * dy
    begin = 0.0
    while begin < 1.0:
        end = 1.0
        for k in range(0, len(XL), 5):
            px, py, qx, qy = XL[k], XL[k + 1], XL[k + 2], XL[k + 3]
            if max(px, qx) < x0 or min(px, qx) > x1 or max(py, qy) < y0 or min(py, qy) > y1:
                continue
            c1 = dx * (py - cy) - dy * (px - cx)
            c2 = dx * (qy - cy) - dy * (qx - cx)
            if (c1 > 0.0) != (c2 > 0.0):
                part = c1 / (c1 - c2)
                mx, my = px + part * (qx - px), py + part * (qy - py)
                t = ((mx - cx) * dx + (my - cy) * dy) / l2 if l2 > 0.0 else 0.0
                if begin + 1e-6 < t < end:
                    end = t
            if c1 * c1 <= d * d * l2 and l2 > 0.0:
                t = ((px - cx) * dx + (py - cy) * dy) / l2
                if begin + 1e-6 < t < end:
                    end = t
            if c2 * c2 <= d * d * l2 and l2 > 0.0:
                t = ((qx - cx) * dx + (qy - cy) * dy) / l2
                if begin + 1e-6 < t < end:
                    end = t
        t = 0.5 * (begin + end)
        begin = end
        x, y = cx + t * (ex - cx), cy + t * (ey - cy)
        for k in range(len(GQ) - 1):
            lo, hi = GQ[k], GQ[k + 1]
            if _in_ring(x, y, GR, lo, hi) and _ring2(x, y, GR, lo, hi) > d * d:
                return -1
        clear = True
        for k in range(0, len(XL), 5):
            px, py, qx, qy = XL[k], XL[k + 1], XL[k + 2], XL[k + 3]
            r = d + XL[k + 4]
            if (
                max(px, qx) + r >= x
                and min(px, qx) - r <= x
                and max(py, qy) + r >= y
                and min(py, qy) - r <= y
                and near_point(x, y, px, py, qx, qy) <= r * r
            ):
                clear = False
                break
        if clear:
            here = 0
            for k in range(len(AF)):
                if AF[k] > here and _in_ring(x, y, AR, AQ[k], AQ[k + 1]):
                    here = AF[k]
            for k in range(0, len(AC), 4):
                ux, uy = x - AC[k], y - AC[k + 1]
                if AC[k + 3] > here and ux * ux + uy * uy < AC[k + 2] * AC[k + 2]:
                    here = int(AC[k + 3])
            bits &= 1 << here
            if bits == 0:
                return -1
    k = 0
    while bits & (1 << k) == 0:
        k += 1
    return k


@kernel
def _corners(i: int, j: int, PF: Floats, out: MutableSequence[float]) -> None:
    """Lower bounds of the length of a straight leg, at the ends of piece i and piece j.

    out[2 * a + b]: from end a to end b; none is negative, and their affine spread bounds the
    length from every place to every place.
    """
    f, g = 8 * i, 8 * j
    ax, ay, bx, by = PF[f], PF[f + 1], PF[f + 2], PF[f + 3]
    px, py, qx, qy = PF[g], PF[g + 1], PF[g + 2], PF[g + 3]
    sag = PF[f + 4] + PF[g + 4]
    ux, uy = px + qx - ax - bx, py + qy - ay - by
    d = math.sqrt(ux * ux + uy * uy)
    near = 1e-9
    # Do the pieces meet at an end? v: along i from there, w: along j.
    si = sj = -1
    vx = vy = wx = wy = 0.0
    if abs(ax - px) + abs(ay - py) < near:
        si, sj, vx, vy, wx, wy = 0, 0, bx - ax, by - ay, qx - px, qy - py
    elif abs(bx - px) + abs(by - py) < near:
        si, sj, vx, vy, wx, wy = 1, 0, ax - bx, ay - by, qx - px, qy - py
    elif abs(ax - qx) + abs(ay - qy) < near:
        si, sj, vx, vy, wx, wy = 0, 1, bx - ax, by - ay, px - qx, py - qy
    elif abs(bx - qx) + abs(by - qy) < near:
        si, sj, vx, vy, wx, wy = 1, 1, ax - bx, ay - by, px - qx, py - qy
    if si >= 0:
        # At the fraction t from there a bent piece is within 4 t sagittas of its chord.
        for trial in range(2):
            if trial == 1:
                e = math.sqrt(vx * vx + vy * vy)
                d = math.sqrt(wx * wx + wy * wy)
                if e == 0.0 or d == 0.0:
                    break
                ux, uy = wx / d - vx / e, wy / d - vy / e
                d = math.sqrt(ux * ux + uy * uy)
            if d < near:
                continue
            more_i = -(ux * vx + uy * vy) / d - 4.0 * PF[f + 4]
            more_j = (ux * wx + uy * wy) / d - 4.0 * PF[g + 4]
            if more_i > -1e-14 and more_j > -1e-14:
                more_i, more_j = max(0.0, more_i), max(0.0, more_j)
                for a in range(2):
                    for b in range(2):
                        out[2 * a + b] = (more_i if a != si else 0.0) + (more_j if b != sj else 0.0)
                return
        out[0] = out[1] = out[2] = out[3] = 0.0
        return
    for trial in range(2):
        if trial == 1:
            # Along the shortest way from piece to piece.
            best = math.inf
            for k in range(4):
                if k == 0:
                    sx, sy, cx, cy, dx, dy = ax, ay, px, py, qx, qy
                elif k == 1:
                    sx, sy, cx, cy, dx, dy = bx, by, px, py, qx, qy
                elif k == 2:
                    sx, sy, cx, cy, dx, dy = px, py, ax, ay, bx, by
                else:
                    sx, sy, cx, cy, dx, dy = qx, qy, ax, ay, bx, by
                ex, ey = dx - cx, dy - cy
                l2 = ex * ex + ey * ey
                t = 0.0
                if l2 > 0.0:
                    t = max(0.0, min(1.0, ((sx - cx) * ex + (sy - cy) * ey) / l2))
                vx, vy = cx + t * ex - sx, cy + t * ey - sy
                d = vx * vx + vy * vy
                if d < best:
                    best = d
                    if k < 2:
                        ux, uy = vx, vy
                    else:
                        ux, uy = -vx, -vy
            d = math.sqrt(ux * ux + uy * uy)
        if d < near:
            continue
        ux, uy = ux / d, uy / d
        a0, a1 = ux * ax + uy * ay, ux * bx + uy * by
        b0, b1 = ux * px + uy * py, ux * qx + uy * qy
        low = min(b0, b1) - max(a0, a1) - sag
        if low > -1e-14:
            out[0] = max(0.0, b0 - a0 - sag)
            out[1] = max(0.0, b1 - a0 - sag)
            out[2] = max(0.0, b0 - a1 - sag)
            out[3] = max(0.0, b1 - a1 - sag)
            return
    out[0] = out[1] = out[2] = out[3] = 0.0


@entry(
    "int64(int64[::1], float64, float64[::1], float64[::1], int64, int64[::1], float64[::1], "
    "float64[::1], float64[::1], int64[::1], uint8[::1], "
    f"{_WORLD})"
)
def explore(
    sources: Ints,
    limit: float,
    low: Floats,
    other: Floats,
    work: int,
    TW: Ints,
    TC: Floats,
    dist: MutableSequence[float],
    plain: MutableSequence[float],
    parent: MutableSequence[int],
    status: MutableSequence[int],
    PF: Floats,
    PI: Ints,
    CF: Floats,
    WT: Floats,
    XL: Floats,
    OE: Floats,
    OD: Floats,
    GR: Floats,
    GQ: Ints,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
) -> int:
    """Lower bounds of the cost from any source piece to both ends of every piece.

    dist, parent: two each piece, infinity and -1 where nothing cheaper than `limit` leads on.
    plain: as dist, for chains whose last leg is straight, not along the piece's own curve.
    low: for each piece, what a path still costs at least from any place of it. other: lower bounds
    found by the search from the far end, two each piece, or empty. status: one each pair of pieces
    (0 not yet looked at, 1 no leg, 2 + factor), filled in. Gives how many pairs were looked at, -1
    when more than `work`.

    A leg is passed over when every path with it costs `limit` or more, whatever its places. An end
    is passed over only by what this graph itself says (`other`): the straight way from that end
    may be more than the affine bounds admit.
    """
    n = len(PI) // 5
    for k in range(2 * n):
        dist[k] = plain[k] = math.inf
        parent[k] = -1
    heap = [(0.0, 0)]
    heappop(heap)
    for source in sources:
        for a in range(2):
            dist[2 * source + a] = plain[2 * source + a] = 0.0
            heappush(heap, (0.0, 2 * source + a))
    tests = 0
    cheapest = WT[0]
    length = [0.0, 0.0, 0.0, 0.0]
    while len(heap) > 0:
        d, node = heappop(heap)
        if d > dist[node]:
            continue
        i = node // 2
        end = node % 2
        if PI[5 * i] == GOAL and d > 0.0:
            continue
        f = 8 * i
        mx, my = 0.5 * (PF[f] + PF[f + 2]), 0.5 * (PF[f + 1] + PF[f + 3])
        size = PF[f + 5]
        reached = min(dist[2 * i], dist[2 * i + 1])
        curve = PI[5 * i + 1]
        if len(TW) > 0 and TW[i] >= 0:
            # A place here is one there, so what is affine in the one is in the other.
            at = 2 * TW[i] + end
            c = d + TC[i]
            still = other[at] if len(other) > 0 else 0.0
            if c < plain[at] and c + still < limit:
                plain[at] = c
                if c < dist[at]:
                    dist[at] = c
                    parent[at] = node
                    heappush(heap, (c, at))
        for j in range(n):
            if j == i:
                if curve >= 0:
                    # Met at this end, run along, left at the other.
                    at = 2 * i + 1 - end
                    c = d + CF[4 * curve] * (PF[f + 7] - PF[f + 6])
                    still = other[at] if len(other) > 0 else 0.0
                    if c < dist[at] and c + still < limit:
                        dist[at] = c
                        parent[at] = node
                        heappush(heap, (c, at))
                continue
            st = status[i * n + j]
            same = curve >= 0 and PI[5 * j + 1] == curve
            if st == 1 and not same:
                continue
            worst = max(plain[2 * j], plain[2 * j + 1])
            if worst <= d:
                continue
            g = 8 * j
            if not same:
                ux = 0.5 * (PF[g] + PF[g + 2]) - mx
                uy = 0.5 * (PF[g + 1] + PF[g + 3]) - my
                s = math.sqrt(ux * ux + uy * uy) - PF[g + 5] - size
                if reached + cheapest * max(0.0, s) + low[j] >= limit:
                    continue
                # The affine bound from this end falls short of the straight way by no more.
                if d + cheapest * s >= worst:
                    continue
            elif reached + low[j] >= limit:
                continue
            options = 1
            if same:
                options = 3 if CF[4 * curve + 1] > 0.0 else 2
            for option in range(options):
                w = 1.0
                if option > 0:
                    # Along the curve, one way or (a closed one) the other.
                    w = CF[4 * curve]
                    period = CF[4 * curve + 1]
                    pi, qi = PF[8 * i + 6], PF[8 * i + 7]
                    pj, qj = PF[g + 6], PF[g + 7]
                    v = 0.5 * (pj + qj - pi - qi)
                    shift = 0.0
                    if period > 0.0:
                        turned = v % period
                        shift = turned - v
                        if option == 2:
                            shift -= period
                        v = v + shift
                    p = pi if end == 0 else qi
                    s = 1.0 if v >= 0.0 else -1.0
                    l0 = w * max(0.0, s * (pj + shift - p))
                    l1 = w * max(0.0, s * (qj + shift - p))
                else:
                    if st == 1 or (same and (CF[4 * curve + 2] == 0.0 or CF[4 * curve + 3] == 0.0)):
                        continue
                    w = WT[st - 2] if st >= 2 else cheapest
                    part = 0.0
                    v = shift = 0.0
                    if same:
                        # A chord is at least this part of its arc; where the arc costs no more,
                        # the chord is not needed.
                        pi, qi = PF[8 * i + 6], PF[8 * i + 7]
                        pj, qj = PF[g + 6], PF[g + 7]
                        period = CF[4 * curve + 1]
                        v = 0.5 * (pj + qj - pi - qi)
                        if period > 0.0:
                            turned = v % period
                            if turned > 0.5 * period:
                                turned -= period
                            shift = turned - v
                            v = turned
                        whole = abs(v) + 0.5 * (qi - pi + qj - pj)
                        half = 0.5 * whole / CF[4 * curve + 2]
                        part = math.sin(half) / half if 0.0 < half < 1.5 else 0.0
                        if CF[4 * curve + 3] * part >= CF[4 * curve]:
                            continue
                    _corners(i, j, PF, length)
                    if same and min(length[0], length[1], length[2], length[3]) <= 0.0:
                        s = 1.0 if v >= 0.0 else -1.0
                        p = PF[8 * i + 6 + end]
                        length[2 * end] = part * max(0.0, s * (PF[g + 6] + shift - p))
                        length[2 * end + 1] = part * max(0.0, s * (PF[g + 7] + shift - p))
                    l0 = w * length[2 * end]
                    l1 = w * length[2 * end + 1]
                for b in range(2):
                    at = 2 * j + b
                    c = d + (l0 if b == 0 else l1)
                    if c >= (plain[at] if option == 0 else dist[at]):
                        continue
                    still = other[at] if len(other) > 0 else 0.0
                    if c + still >= limit:
                        continue
                    if option == 0:
                        if st == 0:
                            tests += 1
                            if tests > work:
                                return -1
                            k = leg_factor(i, j, PF, PI, CF, WT, XL, OE, OD, GR, GQ, AR, AQ, AF, AC)
                            st = 1 if k < 0 else 2 + k
                            status[i * n + j] = st
                            status[j * n + i] = st
                            if st == 1:
                                break
                            if WT[k] > w:
                                l0 *= WT[k] / w
                                l1 *= WT[k] / w
                                w = WT[k]
                                c = d + (l0 if b == 0 else l1)
                                if c >= plain[at] or c + still >= limit:
                                    continue
                        plain[at] = c
                        if c >= dist[at]:
                            continue
                    dist[at] = c
                    parent[at] = node
                    heappush(heap, (c, at))
    return tests
