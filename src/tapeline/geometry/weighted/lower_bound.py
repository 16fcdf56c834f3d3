"""Kernels: a lower bound of the least cost over ground of several factors, from piece to piece.

What pieces are, and why the bound is one: see `leg_cost`.

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
from heapq import heappop, heappush
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.weighted.leg_cost import (
    GATE,
    GOAL,
    INNER,
    POINT,
    PORTAL,
    UNSURE,
    Pieces,
    leg_factor,
    sides,
)

__all__ = ["Bounds", "explore"]

#: Length: pieces nearer than this touch.
_TOUCH = 1e-6


class Bounds(NamedTuple):
    """Lower bounds of the cost to both ends of every piece, two each.

    dist: infinity where nothing cheaper than the limit leads on. plain: likewise for chains whose
    last leg is straight, not along the piece's own curve, and inside straight borders not over
    their cheaper side either. On portals (GATE) plain is for chains that came through it, and dist
    for the others only. parent: of each of dist, then of plain, where the chain comes from: an end
    of a piece, and counted on from all of these one whose chain is that of plain; -1 nowhere.
    """

    dist: list[float]
    plain: list[float]
    parent: list[int]


@kernel
def _corners(i: int, j: int, ends: Floats) -> tuple[float, float, float, float]:
    """Lower bounds of the length of a straight leg, at the ends of piece i and piece j.

    The one at 2 a + b is from end a to end b; none is negative, and their affine spread bounds the
    length from every place to every place.
    """
    f, g = 8 * i, 8 * j
    ax, ay, bx, by = ends[f], ends[f + 1], ends[f + 2], ends[f + 3]
    px, py, qx, qy = ends[g], ends[g + 1], ends[g + 2], ends[g + 3]
    sag = ends[f + 4] + ends[g + 4]
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
            more_i = -(ux * vx + uy * vy) / d - 4.0 * ends[f + 4]
            more_j = (ux * wx + uy * wy) / d - 4.0 * ends[g + 4]
            if more_i > -1e-14 and more_j > -1e-14:
                more_i, more_j = max(0.0, more_i), max(0.0, more_j)
                i0, i1 = (0.0, more_i) if si == 0 else (more_i, 0.0)
                j0, j1 = (0.0, more_j) if sj == 0 else (more_j, 0.0)
                return i0 + j0, i0 + j1, i1 + j0, i1 + j1
        return 0.0, 0.0, 0.0, 0.0
    for trial in range(2):
        if trial == 1:
            # Along the shortest way from piece to piece.
            _, x, y, u, v = segment_segment(ax, ay, bx, by, px, py, qx, qy)
            ux, uy = u - x, v - y
            d = math.sqrt(ux * ux + uy * uy)
        if d < near:
            continue
        ux, uy = ux / d, uy / d
        a0, a1 = ux * ax + uy * ay, ux * bx + uy * by
        b0, b1 = ux * px + uy * py, ux * qx + uy * qy
        low = min(b0, b1) - max(a0, a1) - sag
        if low > -1e-14:
            return (
                max(0.0, b0 - a0 - sag),
                max(0.0, b1 - a0 - sag),
                max(0.0, b0 - a1 - sag),
                max(0.0, b1 - a1 - sag),
            )
    return 0.0, 0.0, 0.0, 0.0


@kernel
def _is_end(kind: int) -> bool:
    """Whether a path may begin or end, or take a portal, on a piece."""
    return kind in (POINT, GOAL, PORTAL, GATE)


@kernel
def _over_cheaper(i: int, j: int, st: int, pieces: Pieces) -> bool:
    """Whether a leg between a straight border and piece j surely runs over its cheaper side."""
    kinds, factors = pieces.kinds, pieces.areas.factors
    if st >= 2:
        return st < 2 + UNSURE and factors[st - 2] == pieces.curves[4 * kinds[5 * i + 1]]
    return sides(i, j, pieces) == min(kinds[5 * i + 3], kinds[5 * i + 4])


@kernel
def _shift(i: int, j: int, option: int, pieces: Pieces) -> tuple[float, float]:
    """How far piece j lies beyond piece i of the same curve, from middle to middle.

    And what was added to its places for that: on a closed curve they repeat. option: 1 ahead (on a
    closed curve), 2 behind, 0 whichever is nearer.
    """
    ends, period = pieces.ends, pieces.curves[4 * pieces.kinds[5 * i + 1] + 1]
    v = 0.5 * (ends[8 * j + 6] + ends[8 * j + 7] - ends[8 * i + 6] - ends[8 * i + 7])
    if period == 0.0:
        return v, 0.0
    turned = v % period
    if option == 0:
        if turned > 0.5 * period:
            turned -= period
        return turned, turned - v
    shift = turned - v
    if option == 2:
        shift -= period
    return v + shift, shift


@kernel
def _run(i: int, end: int, j: int, option: int, pieces: Pieces) -> tuple[float, float]:
    """Costs of runs along their curve from an end of piece i to the ends of piece j."""
    ends, w = pieces.ends, pieces.curves[4 * pieces.kinds[5 * i + 1]]
    v, shift = _shift(i, j, option, pieces)
    p = ends[8 * i + 6 + end]
    s = 1.0 if v >= 0.0 else -1.0
    return (
        w * max(0.0, s * (ends[8 * j + 6] + shift - p)),
        w * max(0.0, s * (ends[8 * j + 7] + shift - p)),
    )


@kernel
def _chord(i: int, end: int, j: int, pieces: Pieces) -> tuple[float, float]:
    """Bounds of the lengths of chords of their curve from an end of piece i to the ends of piece j.

    -1 where no chord is needed: the arc costs no more.
    """
    ends, f, g = pieces.ends, 8 * i, 8 * j
    c = 4 * pieces.kinds[5 * i + 1]
    along, radius, across = pieces.curves[c], pieces.curves[c + 2], pieces.curves[c + 3]
    v, shift = _shift(i, j, 0, pieces)
    whole = abs(v) + 0.5 * (ends[f + 7] - ends[f + 6] + ends[g + 7] - ends[g + 6])
    half = 0.5 * whole / radius
    # A chord is at least this part of its arc.
    part = math.sin(half) / half if 0.0 < half < 1.5 else 0.0
    if across * part >= along:
        return -1.0, -1.0
    length = _corners(i, j, ends)
    if min(length[0], length[1], length[2], length[3]) > 0.0:
        return length[2 * end], length[2 * end + 1]
    s = 1.0 if v >= 0.0 else -1.0
    p = ends[f + 6 + end]
    return (
        part * max(0.0, s * (ends[g + 6] + shift - p)),
        part * max(0.0, s * (ends[g + 7] + shift - p)),
    )


@entry()
def explore(
    sources: Ints, limit: float, low: Floats, other: Bounds, work: int, made: Bounds, pieces: Pieces
) -> int:
    """Lower bounds of the cost from any source piece to both ends of every piece.

    low: for each piece, what a path still costs at least from any place of it. other: the bounds
    from the far end, or empty. The status of pairs of pieces is filled in. Gives how many pairs
    were looked at, -1 when more than `work`.

    A leg is passed over when every path with it costs `limit` or more, whatever its places. An end
    is passed over only by what this graph itself says (`other`): the straight way from that end
    may be more than the affine bounds admit.
    """
    ends, kinds, curves, status, areas, _, twins, charges = pieces
    dist, plain, parent = made
    known = len(other.dist) > 0
    n = len(kinds) // 5
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
    cheapest = areas.factors[0]
    while len(heap) > 0:
        d, node = heappop(heap)
        i = node // 2
        end = node % 2
        inner = kinds[5 * i] == INNER
        gate = kinds[5 * i] == GATE
        if d > dist[node] and not ((inner or gate) and d == plain[node]):
            continue
        # Whether a chain of this cost leads on to all.
        every = not inner or plain[node] <= d
        come = 2 * n + node if inner and every else node
        through = True
        if gate:
            # Came by a leg or a run: on through it. Came through it: on by legs.
            through, every = d == dist[node], d == plain[node]
        if kinds[5 * i] == GOAL and d > 0.0:
            continue
        f = 8 * i
        mx, my = 0.5 * (ends[f] + ends[f + 2]), 0.5 * (ends[f + 1] + ends[f + 3])
        size = ends[f + 5]
        reached = min(dist[2 * i], dist[2 * i + 1])
        curve = kinds[5 * i + 1]
        along = curve >= 0 and every
        if gate:
            reached = min(plain[2 * i], plain[2 * i + 1])
            if along:
                along = twins[i] >= 0 and curves[4 * curve] < curves[4 * kinds[5 * twins[i] + 1]]
            if along and d < dist[node]:
                # A run within the piece: its bound is least from an end to the same or the other.
                still = other.plain[node] if known else 0.0
                if d + still < limit:
                    dist[node] = d
                    parent[node] = 2 * n + node
                    through = True
        if len(twins) > 0 and twins[i] >= 0 and through:
            # A place here is one there, so what is affine in the one is in the other.
            at = 2 * twins[i] + end
            c = d + charges[i]
            still = other.dist[at] if known else 0.0
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
            into = kinds[5 * j] == GATE
            if j == i:
                if along:
                    # Met at this end, run along, left at the other.
                    at = 2 * i + 1 - end
                    c = d + curves[4 * curve] * (ends[f + 7] - ends[f + 6])
                    still = 0.0
                    if known:
                        still = other.plain[at] if into else other.dist[at]
                    if c < dist[at] and c + still < limit:
                        dist[at] = c
                        parent[at] = come
                        heappush(heap, (c, at))
                continue
            st = int(status[i * n + j])
            same = curve >= 0 and kinds[5 * j + 1] == curve
            if (st == 1 and not same) or (same and not along):
                continue
            if into:
                worst = max(dist[2 * j], dist[2 * j + 1])
            else:
                worst = max(plain[2 * j], plain[2 * j + 1])
            if worst <= d:
                continue
            touch = sided = False
            if not same:
                g = 8 * j
                ux, uy = 0.5 * (ends[g] + ends[g + 2]) - mx, 0.5 * (ends[g + 1] + ends[g + 3]) - my
                s = math.sqrt(ux * ux + uy * uy) - ends[g + 5] - size
                if reached + cheapest * max(0.0, s) + low[j] >= limit:
                    continue
                # The affine bound from this end falls short of the straight way by no more.
                if d + cheapest * s >= worst:
                    continue
                touch = s <= _TOUCH and (_is_end(kinds[5 * i]) or _is_end(kinds[5 * j]))
                if not (every or touch) and _over_cheaper(i, j, st, pieces):
                    continue
                sided = kinds[5 * j] == INNER and not touch
                if (
                    sided
                    and d + cheapest * max(0.0, s) >= max(dist[2 * j], dist[2 * j + 1])
                    and _over_cheaper(j, i, st, pieces)
                ):
                    continue
            elif reached + low[j] >= limit:
                continue
            options = 1
            if same:
                options = 3 if curves[4 * curve + 1] > 0.0 else 2
            for option in range(options):
                w = 1.0
                if option > 0:
                    # Along the curve, one way or (a closed one) the other.
                    l0, l1 = _run(i, end, j, option, pieces)
                else:
                    if st == 1 or (
                        same and (curves[4 * curve + 2] == 0.0 or curves[4 * curve + 3] == 0.0)
                    ):
                        continue
                    w = areas.factors[(st - 2) % UNSURE] if st >= 2 else cheapest
                    if same:
                        l0, l1 = _chord(i, end, j, pieces)
                        if l0 < 0.0:
                            continue
                    else:
                        length = _corners(i, j, ends)
                        l0, l1 = length[2 * end], length[2 * end + 1]
                    l0 *= w
                    l1 *= w
                for b in range(2):
                    at = 2 * j + b
                    c = d + (l0 if b == 0 else l1)
                    if c >= dist[at] and (
                        option > 0
                        or into
                        or c >= plain[at]
                        or (sided and _over_cheaper(j, i, st, pieces))
                    ):
                        continue
                    still = 0.0
                    if known:
                        still = other.plain[at] if into else other.dist[at]
                    if c + still >= limit:
                        continue
                    if option == 0:
                        if st == 0:
                            tests += 1
                            if tests > work:
                                return -1
                            k = leg_factor(i, j, pieces)
                            st = 1 if k < 0 else 2 + k
                            status[i * n + j] = st
                            status[j * n + i] = st
                            if st == 1:
                                break
                            k = k % UNSURE
                            if areas.factors[k] > w:
                                l0 *= areas.factors[k] / w
                                l1 *= areas.factors[k] / w
                                w = areas.factors[k]
                                c = d + (l0 if b == 0 else l1)
                        if not (every or touch) and _over_cheaper(i, j, st, pieces):
                            break
                        if c >= (dist[at] if into else plain[at]) or c + still >= limit:
                            continue
                        if not into and not (sided and _over_cheaper(j, i, st, pieces)):
                            plain[at] = c
                            if kinds[5 * j] == INNER:
                                parent[2 * n + at] = come
                                if c >= dist[at]:
                                    heappush(heap, (c, at))
                        if c >= dist[at]:
                            continue
                    dist[at] = c
                    parent[at] = come
                    heappush(heap, (c, at))
    return tests
