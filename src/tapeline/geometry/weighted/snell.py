"""Kernels: a way made as cheap as ways of its kind are, by sliding where it meets borders.

P, K: the places of a way, as `backtrack` has them.
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.backends import kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints, segment_free
from tapeline.geometry.weighted.backtrack import ALONG, MARK, PLACE, STRAIGHT, lay_way, touch
from tapeline.geometry.weighted.dijkstra import (
    NODE,
    TAU,
    TIE,
    leg_over,
    met_at,
)

__all__ = ["place_along", "polish"]

#: Length: how close the end of a run along a bent border is to where it gains most.
_CLOSE = 1e-7
#: Length: how far short of the tangent a leg comes to a circle, for it must not cut it.
_SHY = 1e-6
#: Rounds of sliding before it is left at that; how often places are slid on together.
_ROUNDS, _PUSH = 60, 4
#: How often the stretch is halved in which a way may slide and still be gone.
_HALVINGS = 8


@kernel
@no_refcount
def place_along(i: int, t: float, NF: Floats) -> tuple[float, float]:
    """The place t farther along the border of node i."""
    f = NODE * i
    x, y, ux, uy, bend = NF[f], NF[f + 1], NF[f + 2], NF[f + 3], NF[f + 8]
    if bend == 0.0:
        return x + t * ux, y + t * uy
    c, s = math.cos(bend * t), math.sin(bend * t)
    return x + (s * ux - (1.0 - c) * uy) / bend, y + (s * uy + (1.0 - c) * ux) / bend


@kernel
@no_refcount
def _slid(
    i: int,
    t: float,
    px: float,
    py: float,
    v: float,
    qx: float,
    qy: float,
    w: float,
    most: float,
    NF: Floats,
) -> float:
    """Where along the border of node i, near t, a way from p over v to q over w is cheapest.

    most: how far from the node at most.
    """
    f = NODE * i
    reach = 2.0 * NF[f + 7] + 0.05
    first, last = max(-NF[f + 9], -most), min(NF[f + 10], most)
    lo, hi = max(first, t - reach), min(last, t + reach)
    if NF[f + 8] != 0.0:
        golden = 0.6180339887498949
        while hi - lo > 1e-8:
            a, b = hi - golden * (hi - lo), lo + golden * (hi - lo)
            ax, ay = place_along(i, a, NF)
            bx, by = place_along(i, b, NF)
            ca = v * math.sqrt((ax - px) ** 2 + (ay - py) ** 2)
            ca += w * math.sqrt((ax - qx) ** 2 + (ay - qy) ** 2)
            cb = v * math.sqrt((bx - px) ** 2 + (by - py) ** 2)
            cb += w * math.sqrt((bx - qx) ** 2 + (by - qy) ** 2)
            if ca <= cb:
                hi = b
            else:
                lo = a
        return 0.5 * (lo + hi)
    ux, uy = NF[f + 2], NF[f + 3]
    p = (px - NF[f]) * ux + (py - NF[f + 1]) * uy
    q = (qx - NF[f]) * ux + (qy - NF[f + 1]) * uy
    a2 = ((px - NF[f]) * uy - (py - NF[f + 1]) * ux) ** 2
    b2 = ((qx - NF[f]) * uy - (qy - NF[f + 1]) * ux) ** 2
    lo, hi = max(lo, min(p, q)), min(hi, max(p, q))
    if lo >= hi:
        return max(first, min(last, lo if lo > t else hi))
    t = min(max(t, lo), hi)
    for _ in range(40):
        d1, d2 = math.sqrt(a2 + (t - p) ** 2), math.sqrt(b2 + (t - q) ** 2)
        if d1 == 0.0 or d2 == 0.0:
            return t
        slope = v * (t - p) / d1 + w * (t - q) / d2
        if slope > 0.0:
            hi = t
        else:
            lo = t
        bend = v * a2 / (d1 * d1 * d1) + w * b2 / (d2 * d2 * d2)
        new = t - slope / bend if bend > 0.0 else 0.5 * (lo + hi)
        if not lo < new < hi:
            new = 0.5 * (lo + hi)
        if abs(new - t) < 1e-11 or hi - lo < 1e-11:
            return new
        t = new
    return t


@kernel
@no_refcount
def _run_end(
    i: int,
    t: float,
    x: float,
    y: float,
    v: float,
    w: float,
    sense: float,
    length: float,
    most: float,
    NF: Floats,
) -> float:
    """Where, near t, a run along the bent border of node i is cheapest begun from x, y.

    v: factor of the straight leg there, w: of the run, which goes on in `sense` for `length` from
    t. A run is ended as one in the other sense is begun.
    """
    f = NODE * i
    bend = NF[f + 8]
    reach = 2.0 * NF[f + 7] + 0.05
    lo, hi = max(-NF[f + 9], -most, t - reach), min(NF[f + 10], most, t + reach)
    if sense > 0.0:
        hi = min(hi, t + length)
    else:
        lo = max(lo, t - length)
    radius = 1.0 / abs(bend)
    cx, cy = NF[f] - NF[f + 3] / bend, NF[f + 1] + NF[f + 2] / bend
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy)
    if d > radius + 1e-9:
        # From outside no place beyond the tangent is seen.
        turn = sense if bend > 0.0 else -sense
        angle = math.atan2(dy, dx) + turn * math.acos(radius / d)
        bx, by = place_along(i, t, NF)
        off = (angle - math.atan2(by - cy, bx - cx)) % TAU
        if off > math.pi:
            off -= TAU
        last = t + off / bend
        if sense > 0.0:
            hi = min(hi, last - _SHY)
        else:
            lo = max(lo, last + _SHY)
    if lo >= hi:
        return lo if sense < 0.0 else hi
    golden = 0.6180339887498949
    a, b = hi - golden * (hi - lo), lo + golden * (hi - lo)
    ax, ay = place_along(i, a, NF)
    bx, by = place_along(i, b, NF)
    ca = v * math.sqrt((ax - x) ** 2 + (ay - y) ** 2) - w * sense * a
    cb = v * math.sqrt((bx - x) ** 2 + (by - y) ** 2) - w * sense * b
    while hi - lo > _CLOSE:
        if ca <= cb:
            hi, b, cb = b, a, ca
            a = hi - golden * (hi - lo)
            ax, ay = place_along(i, a, NF)
            ca = v * math.sqrt((ax - x) ** 2 + (ay - y) ** 2) - w * sense * a
        else:
            lo, a, ca = a, b, cb
            b = lo + golden * (hi - lo)
            bx, by = place_along(i, b, NF)
            cb = v * math.sqrt((bx - x) ** 2 + (by - y) ** 2) - w * sense * b
    return 0.5 * (lo + hi)


@kernel
@no_refcount
def _slides(k: int, K: Ints) -> bool:
    """Whether place k is where two straight legs meet on a border."""
    return K[MARK * k] >= 0 and K[MARK * k + 1] == STRAIGHT and K[MARK * k - 2] == STRAIGHT


@kernel
@no_refcount
def _farther(k: int, scale: float, most: float, NF: Floats, P: Floats, K: Ints) -> float:
    """Where along its border place k is if it slides on by `scale` times what it last did."""
    i, g = K[MARK * k], PLACE * k
    t = P[g + 3] + scale * (P[g + 3] - P[g + 5])
    return min(max(t, -NF[NODE * i + 9], -most), NF[NODE * i + 10], most)


@kernel
@no_refcount
def _stretched(m: int, scale: float, most: float, NF: Floats, P: Floats, K: Ints) -> float:
    """The cost of the straight legs if each place slid on by `scale` times what it last did."""
    total = 0.0
    px, py = P[0], P[1]
    for k in range(1, m):
        g = PLACE * k
        x, y = P[g], P[g + 1]
        if k < m - 1 and _slides(k, K) and P[g + 3] != P[g + 5]:
            x, y = place_along(K[MARK * k], _farther(k, scale, most, NF, P, K), NF)
        if K[MARK * k - 2] == STRAIGHT:
            total += P[g - PLACE + 2] * math.sqrt((x - px) ** 2 + (y - py) ** 2)
        px, py = x, y
    return total


@kernel
@no_refcount
def _pushed(m: int, most: float, NF: Floats, P: list[float], K: Ints) -> None:
    """Slide all places on together for as long as that gains.

    One by one they come to rest slowly where two borders meet at a small angle.
    """
    scale, best = 0.0, _stretched(m, 0.0, most, NF, P, K)
    more = 1.0
    while more < 5000.0:
        cost = _stretched(m, more, most, NF, P, K)
        if cost >= best - 1e-13:
            break
        scale, best = more, cost
        more *= 2.0
    if scale == 0.0:
        return
    for k in range(1, m - 1):
        g = PLACE * k
        if _slides(k, K) and P[g + 3] != P[g + 5]:
            t = _farther(k, scale, most, NF, P, K)
            P[g], P[g + 1] = place_along(K[MARK * k], t, NF)
            P[g + 3] = t


@kernel
@no_refcount
def _settled(
    m: int, most: float, NF: Floats, AP: Floats, SI: Ints, P: list[float], K: list[int]
) -> int:
    """Slide the places of a way until none gains, by `most` at most; how many are left."""
    for turn in range(_ROUNDS):
        moved = 0.0
        for k in range(m):
            P[PLACE * k + 5] = P[PLACE * k + 3]
        k = 1
        while k < m - 1:
            g = PLACE * k
            i, kind, came = K[MARK * k], K[MARK * k + 1], K[MARK * k - 2]
            px, py, v = P[g - PLACE], P[g - PLACE + 1], P[g - PLACE + 2]
            qx, qy, w = P[g + PLACE], P[g + PLACE + 1], P[g + 2]
            ox, oy, t0 = P[g], P[g + 1], P[g + 3]
            if kind >= 0:
                a, sense = SI[4 * kind], float(SI[4 * kind + 1])
                cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
                first = came == STRAIGHT and (k == 1 or K[MARK * k - 5] < 0)
                last = k + 2 < m and K[MARK * k + 4] == STRAIGHT and K[MARK * k + 7] < 0
                if first:
                    P[g], P[g + 1] = touch(px, py, cx, cy, radius, sense)
                if last:
                    qx, qy = P[g + 2 * PLACE], P[g + 2 * PLACE + 1]
                    ex, ey = P[g + PLACE], P[g + PLACE + 1]
                    ex, ey = touch(qx, qy, cx, cy, radius, -sense)
                    off = abs(ex - P[g + PLACE]) + abs(ey - P[g + PLACE + 1])
                    P[g + PLACE], P[g + PLACE + 1] = ex, ey
                    if off > 1e-12:
                        P[g + PLACE + 3] = 1.0
                        moved = max(moved, off)
                off = abs(P[g] - ox) + abs(P[g + 1] - oy)
                if off > 1e-12:
                    P[g + 3] = 1.0
                    moved = max(moved, off)
                begin = math.atan2(P[g + 1] - cy, P[g] - cx)
                end = math.atan2(P[g + PLACE + 1] - cy, P[g + PLACE] - cx)
                turned = (sense * (end - begin)) % TAU
                if first and last and TAU - 1.0 < turned < TAU - 1e-9:
                    # Nothing is left of the arc: straight past it.
                    for h in range(k, m - 2):
                        for c in range(PLACE):
                            P[PLACE * h + c] = P[PLACE * (h + 2) + c]
                        for c in range(MARK):
                            K[MARK * h + c] = K[MARK * (h + 2) + c]
                    m -= 2
                    P[g - PLACE + 3] = P[g - PLACE + 3] if P[g - PLACE + 3] != 0.0 else 1e-300
                    moved = 1.0
                    continue
                k += 2
                continue
            k += 1
            if i < 0 or (came <= ALONG and kind <= ALONG):
                continue
            if kind <= ALONG:
                sense = 1.0 if kind == ALONG else -1.0
                t = _run_end(i, t0, px, py, v, w, sense, P[g + 4], most, NF)
            elif came <= ALONG:
                sense = -1.0 if came == ALONG else 1.0
                t = _run_end(i, t0, qx, qy, w, v, sense, P[g - PLACE + 4], most, NF)
            else:
                t = _slid(i, t0, px, py, v, qx, qy, w, most, NF)
            bx, by = place_along(i, t, NF)
            if came == STRAIGHT and kind == STRAIGHT:
                gain = v * math.sqrt((ox - px) ** 2 + (oy - py) ** 2)
                gain += w * math.sqrt((ox - qx) ** 2 + (oy - qy) ** 2)
                gain -= v * math.sqrt((bx - px) ** 2 + (by - py) ** 2)
                gain -= w * math.sqrt((bx - qx) ** 2 + (by - qy) ** 2)
                if gain <= 1e-13:
                    continue
            elif abs(t - t0) <= 2.0 * _CLOSE:
                # Else it moves, gain or not: beyond the tangent a leg cannot be gone.
                continue
            moved = max(moved, abs(t - t0))
            P[g], P[g + 1], P[g + 3] = bx, by, t
            if kind <= ALONG:
                P[g + 4] -= sense * (t - t0)
            elif came <= ALONG:
                P[g - PLACE + 4] -= sense * (t - t0)
        if moved < 1e-9:
            break
        if turn % _PUSH == _PUSH - 1:
            _pushed(m, most, NF, P, K)
    return m


@kernel
@no_refcount
def _total(
    m: int,
    NF: Floats,
    NI: Ints,
    AP: Floats,
    AI: Ints,
    SI: Ints,
    P: Floats,
    K: Ints,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    BOARD: Any,
) -> float:
    """What a way costs whose places were slid; infinity if it can no longer be gone."""
    total = 0.0
    for k in range(m - 1):
        g = PLACE * k
        px, py, qx, qy = P[g], P[g + 1], P[g + PLACE], P[g + PLACE + 1]
        kind = K[MARK * k + 1]
        if kind >= 0:
            a = SI[4 * kind]
            cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
            begin = math.atan2(py - cy, px - cx)
            end = math.atan2(qy - cy, qx - cx)
            turned = (SI[4 * kind + 1] * (end - begin)) % TAU
            if turned > TAU - 1e-6:
                turned = 0.0
            total += P[g + 2] * radius * turned
            if (P[g + 3] != 0.0 or P[g + PLACE + 3] != 0.0) and (
                turned > 6.0
                or met_at(begin, AP[6 * a + 3], AP[6 * a + 4], AI[3 * a + 2]) < 0.0
                or met_at(end, AP[6 * a + 3], AP[6 * a + 4], AI[3 * a + 2]) < 0.0
            ):
                return math.inf
            continue
        if kind <= ALONG:
            total += P[g + 2] * P[g + 4]
            continue
        dist = math.sqrt((px - qx) ** 2 + (py - qy) ** 2)
        total += P[g + 2] * dist
        if dist < 1e-8 or (P[g + 3] == 0.0 and P[g + PLACE + 3] == 0.0):
            continue
        i, j = K[MARK * k], K[MARK * (k + 1)]
        if not (i >= 0 and j >= 0 and NI[i] == NI[j] and NF[NODE * i + 8] == 0.0):
            w = leg_over(px, py, qx, qy, XL, AR, AQ, AF, AC, WT)
            if w < 0.0 or w > P[g + 2] + 1e-6:
                return math.inf
        if not segment_free(px, py, qx, qy, r, slack, *BOARD):
            return math.inf
    return total


@kernel
@no_refcount
def polish(
    x: float,
    y: float,
    price: float,
    at: int,
    NF: Floats,
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    order: Ints,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
    taken: Ints,
    kin: Ints,
    P: list[float],
    K: list[int],
    chain: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> float:
    """The cost of the way to a place after where it meets borders was slid to where that gains.

    price, at: as `place_cost` found them. chain: from its second on, where each node came from.
    P, K: the places of the way, filled in. chain[0] is set to how many there are, 0 if there was
    no room for them.
    """
    ROUND = (XL, AR, AQ, AF, AC, WT, r, slack, (W, J, E, D, S, T, B, R, Q))
    m = lay_way(x, y, price, at, NF, NI, AP, cost, SF, SI, P, K, chain, WT)
    chain[0] = m
    if m == 0:
        return price
    m = _settled(m, math.inf, NF, AP, SI, P, K)
    total = _total(m, NF, NI, AP, AI, SI, P, K, *ROUND)
    chain[0] = m
    if total <= price + TIE:
        return min(total, price)
    # It slid over a corner or into something; as far as it can be gone it gains all the same.
    hi = 0.0
    for k in range(1, m - 1):
        if K[MARK * k] >= 0:
            hi = max(hi, abs(P[PLACE * k + 3]))
    lo = good = 0.0
    for turn in range(_HALVINGS + 1):
        far = 0.5 * (lo + hi) if turn < _HALVINGS else good
        m = lay_way(x, y, price, at, NF, NI, AP, cost, SF, SI, P, K, chain, WT)
        if far == 0.0:
            chain[0] = m
            return price
        m = _settled(m, far, NF, AP, SI, P, K)
        total = _total(m, NF, NI, AP, AI, SI, P, K, *ROUND)
        if total <= price + TIE:
            lo = good = far
        else:
            hi = far
    chain[0] = m
    return min(total, price)
