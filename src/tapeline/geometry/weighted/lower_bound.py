"""Kernels: a lower bound of the least cost over ground of several factors, from piece to piece.

What pieces are, why the bound is one, and the arrays: see `leg_cost`. Besides:

    TW  ints    pieces: the piece behind a portal, place for place, -1 for none; empty: no portals
    TC  floats  pieces: what that portal charges

At a place inside a straight border a least-cost path turns only by what the ground beyond it gains:
from a leg over the cheaper side it goes on over the dearer one, and a run along the border, which
costs as the cheaper side does, begins and ends with legs over the dearer one. Anything else could
be cut short within the cheaper side. So legs over that side lead on over the other only, and only
legs over the dearer side lead on to all. (Not where the path ends, begins, or takes a portal.)

A portal changes nothing for a path that does not take it: a place on it is needed only where it is
taken; at its ends others end or pass, and have places of their own. So legs that come to it lead on
through it only, and what comes through it leads on by legs; or, where its side is cheaper than the
one behind, by a run along it and through it again. (Such runs are none at equal cost: the path
might as well stay behind it, with two ways fewer.) So it is where ground is even on both sides
(GATE); elsewhere (PORTAL) all leads on to all.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence
from heapq import heappop, heappush

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.weighted.leg_cost import (
    GATE,
    GOAL,
    INNER,
    POINT,
    PORTAL,
    UNSURE,
    WORLD,
    Floats,
    Ints,
    _side,
    leg_factor,
)

__all__ = ["explore"]

#: Length: pieces nearer than this touch.
_TOUCH = 1e-6


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


@kernel
def _is_end(kind: int) -> bool:
    """Whether a path may begin or end, or take a portal, on a piece."""
    return kind in (POINT, GOAL, PORTAL, GATE)


@kernel
def _over_cheaper(i: int, j: int, st: int, PF: Floats, PI: Ints, CF: Floats, WT: Floats) -> bool:
    """Whether a leg between a straight border and piece j surely runs over its cheaper side."""
    if st >= 2:
        return st < 2 + UNSURE and WT[st - 2] == CF[4 * PI[5 * i + 1]]
    return _side(i, j, PF, PI) == min(PI[5 * i + 3], PI[5 * i + 4])


@entry(
    "int64(int64[::1], float64, float64[::1], float64[::1], int64, int64[::1], float64[::1], "
    "float64[::1], float64[::1], int64[::1], uint8[::1], "
    f"{WORLD})"
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

    dist: two each piece, infinity where nothing cheaper than `limit` leads on. plain: as dist, for
    chains whose last leg is straight, not along the piece's own curve, and inside straight borders
    not over their cheaper side either. On portals (GATE) plain is for chains that came through
    it, and dist for the others only. parent: four each piece, two for each of these: where the
    chain comes from, -1 for nowhere; of 2 n more the chain to that end is that of `plain`.
    low: for each piece, what a path still costs at least from any place of it. other: dist and then
    plain of the search from the far end, or empty. status: one each pair of pieces (0 not yet
    looked at, 1 no leg, 2 + factor), filled in. Gives how many pairs were looked at, -1 when more
    than `work`.

    A leg is passed over when every path with it costs `limit` or more, whatever its places. An end
    is passed over only by what this graph itself says (`other`): the straight way from that end
    may be more than the affine bounds admit.
    """
    n = len(PI) // 5
    for k in range(2 * n):
        dist[k] = plain[k] = math.inf
        parent[k] = parent[2 * n + k] = -1
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
        i = node // 2
        end = node % 2
        inner = PI[5 * i] == INNER
        gate = PI[5 * i] == GATE
        if d > dist[node] and not ((inner or gate) and d == plain[node]):
            continue
        # Whether a chain of this cost leads on to all.
        every = not inner or plain[node] <= d
        come = 2 * n + node if inner and every else node
        through = True
        if gate:
            # Came by a leg or a run: on through it. Came through it: on by legs.
            through, every = d == dist[node], d == plain[node]
        if PI[5 * i] == GOAL and d > 0.0:
            continue
        f = 8 * i
        mx, my = 0.5 * (PF[f] + PF[f + 2]), 0.5 * (PF[f + 1] + PF[f + 3])
        size = PF[f + 5]
        reached = min(dist[2 * i], dist[2 * i + 1])
        curve = PI[5 * i + 1]
        along = curve >= 0 and every
        if gate:
            reached = min(plain[2 * i], plain[2 * i + 1])
            if along:
                along = TW[i] >= 0 and CF[4 * curve] < CF[4 * PI[5 * TW[i] + 1]]
            if along and d < dist[node]:
                # A run within the piece: its bound is least from an end to the same or the other.
                still = other[2 * n + node] if len(other) > 0 else 0.0
                if d + still < limit:
                    dist[node] = d
                    parent[node] = 2 * n + node
                    through = True
        if len(TW) > 0 and TW[i] >= 0 and through:
            # A place here is one there, so what is affine in the one is in the other.
            at = 2 * TW[i] + end
            c = d + TC[i]
            still = other[at] if len(other) > 0 else 0.0
            if c < plain[at] and c + still < limit:
                plain[at] = c
                if gate:
                    parent[2 * n + at] = come
                    heappush(heap, (c, at))
                elif c < dist[at]:
                    dist[at] = c
                    parent[at] = come
                    heappush(heap, (c, at))
        if gate:
            if not every:
                continue
            come = 2 * n + node
        for j in range(n):
            into = PI[5 * j] == GATE
            if j == i:
                if along:
                    # Met at this end, run along, left at the other.
                    at = 2 * i + 1 - end
                    c = d + CF[4 * curve] * (PF[f + 7] - PF[f + 6])
                    still = other[2 * n + at if into else at] if len(other) > 0 else 0.0
                    if c < dist[at] and c + still < limit:
                        dist[at] = c
                        parent[at] = come
                        heappush(heap, (c, at))
                continue
            st = status[i * n + j]
            same = curve >= 0 and PI[5 * j + 1] == curve
            if (st == 1 and not same) or (same and not along):
                continue
            if into:
                worst = max(dist[2 * j], dist[2 * j + 1])
            else:
                worst = max(plain[2 * j], plain[2 * j + 1])
            if worst <= d:
                continue
            g = 8 * j
            ends = sided = False
            if not same:
                ux = 0.5 * (PF[g] + PF[g + 2]) - mx
                uy = 0.5 * (PF[g + 1] + PF[g + 3]) - my
                s = math.sqrt(ux * ux + uy * uy) - PF[g + 5] - size
                if reached + cheapest * max(0.0, s) + low[j] >= limit:
                    continue
                # The affine bound from this end falls short of the straight way by no more.
                if d + cheapest * s >= worst:
                    continue
                ends = s <= _TOUCH and (_is_end(PI[5 * i]) or _is_end(PI[5 * j]))
                if not (every or ends) and _over_cheaper(i, j, st, PF, PI, CF, WT):
                    continue
                sided = PI[5 * j] == INNER and not ends
                if (
                    sided
                    and d + cheapest * max(0.0, s) >= max(dist[2 * j], dist[2 * j + 1])
                    and _over_cheaper(j, i, st, PF, PI, CF, WT)
                ):
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
                    w = WT[(st - 2) % UNSURE] if st >= 2 else cheapest
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
                    if c >= dist[at] and (
                        option > 0
                        or into
                        or c >= plain[at]
                        or (sided and _over_cheaper(j, i, st, PF, PI, CF, WT))
                    ):
                        continue
                    still = other[2 * n + at if into else at] if len(other) > 0 else 0.0
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
                            k = k % UNSURE
                            if WT[k] > w:
                                l0 *= WT[k] / w
                                l1 *= WT[k] / w
                                w = WT[k]
                                c = d + (l0 if b == 0 else l1)
                        if not (every or ends) and _over_cheaper(i, j, st, PF, PI, CF, WT):
                            break
                        if c >= (dist[at] if into else plain[at]) or c + still >= limit:
                            continue
                        if not into and not (sided and _over_cheaper(j, i, st, PF, PI, CF, WT)):
                            plain[at] = c
                            if PI[5 * j] == INNER:
                                parent[2 * n + at] = come
                                if c >= dist[at]:
                                    heappush(heap, (c, at))
                        if c >= dist[at]:
                            continue
                    dist[at] = c
                    parent[at] = come
                    heappush(heap, (c, at))
    return tests
