"""Kernels: a way made as cheap as ways of its kind are, by sliding where it meets borders.

P   floats  places of a way, 5 each: x, y, factor to the next, how far it was slid, length of
            the run along a bent border to the next
K   ints    places, 3 each: the node that slides (-1 none), what leads on (the state whose arc
            does, -1 a straight leg, -2 a run along a bent border, -3 one against it), the node
            whose border that run keeps to
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import Floats, Ints, segment_free
from tapeline.geometry.gears import bare, kernel
from tapeline.geometry.slow.spreading import (
    NODE,
    STATE,
    TAU,
    TIE,
    leg_over,
    met_at,
)

__all__ = ["AGAINST", "ALONG", "MARK", "PLACE", "STRAIGHT", "place_along", "polish"]

#: Floats and ints of a place of a way.
PLACE, MARK = 5, 3
#: What leads on from a place: a straight leg, a run along a bent border or against it.
STRAIGHT, ALONG, AGAINST = -1, -2, -3
#: Length: runs along a bent border are told from chords by this.
_RUN = 1e-9
#: Length: how close the end of a run along a bent border is to where it gains most.
_CLOSE = 1e-7
#: Length: how far short of the tangent a leg comes to a circle, for it must not cut it.
_SHY = 1e-6


@kernel
@bare
def place_along(i: int, t: float, NF: Floats) -> tuple[float, float]:
    """The place t farther along the border of node i."""
    f = NODE * i
    x, y, ux, uy, bend = NF[f], NF[f + 1], NF[f + 2], NF[f + 3], NF[f + 8]
    if bend == 0.0:
        return x + t * ux, y + t * uy
    c, s = math.cos(bend * t), math.sin(bend * t)
    return x + (s * ux - (1.0 - c) * uy) / bend, y + (s * uy + (1.0 - c) * ux) / bend


@kernel
@bare
def _slid(
    i: int, t: float, px: float, py: float, v: float, qx: float, qy: float, w: float, NF: Floats
) -> float:
    """Where along the border of node i, near t, a way from p over v to q over w is cheapest."""
    f = NODE * i
    reach = 2.0 * NF[f + 7] + 0.05
    lo, hi = max(-NF[f + 9], t - reach), min(NF[f + 10], t + reach)
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
        return max(-NF[f + 9], min(NF[f + 10], lo if lo > t else hi))
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
@bare
def _run_end(
    i: int,
    t: float,
    x: float,
    y: float,
    v: float,
    w: float,
    sense: float,
    length: float,
    NF: Floats,
) -> float:
    """Where, near t, a run along the bent border of node i is cheapest begun from x, y.

    v: factor of the straight leg there, w: of the run, which goes on in `sense` for `length` from
    t. A run is ended as one in the other sense is begun.
    """
    f = NODE * i
    bend = NF[f + 8]
    reach = 2.0 * NF[f + 7] + 0.05
    lo, hi = max(-NF[f + 9], t - reach), min(NF[f + 10], t + reach)
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
@bare
def _runs(i: int, ax: float, ay: float, bx: float, by: float, gain: float, NF: Floats) -> float:
    """How long a run from a to b along the bent border of node i is; 0 if the gain is not its."""
    f = NODE * i
    bend = NF[f + 8]
    radius = 1.0 / abs(bend)
    cx, cy = NF[f] - NF[f + 3] / bend, NF[f + 1] + NF[f + 2] / bend
    if (
        abs(math.sqrt((ax - cx) ** 2 + (ay - cy) ** 2) - radius) > _RUN
        or abs(math.sqrt((bx - cx) ** 2 + (by - cy) ** 2) - radius) > _RUN
    ):
        return 0.0
    half = 0.5 * math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) / radius
    length = 2.0 * radius * math.asin(min(1.0, half))
    return length if abs(min(NF[f + 4], NF[f + 5]) * length - gain) <= _RUN else 0.0


@kernel
@bare
def _tangent(
    x: float, y: float, cx: float, cy: float, radius: float, turn: float
) -> tuple[float, float]:
    """Where a straight leg from x, y touches a circle that it then goes round in a sense."""
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy)
    angle = math.atan2(dy, dx)
    if d > radius:
        angle += turn * math.acos(radius / d)
    return cx + radius * math.cos(angle), cy + radius * math.sin(angle)


@kernel
@bare
def _laid(
    x: float,
    y: float,
    price: float,
    at: int,
    NF: Floats,
    NI: Ints,
    AP: Floats,
    cost: Floats,
    SF: Floats,
    SI: Ints,
    P: list[float],
    K: list[int],
    chain: list[int],
    WT: Floats,
) -> int:
    """The places of the way to a point, as the search found it; how many, 0 if there is no room."""
    count = len(NI)
    room = len(K) // MARK - 4
    # Forward from the start: the chain is read backwards into K, then turned round.
    n = 0
    here = at
    while here >= 0:
        if n >= room // 2:
            return 0
        K[n] = here
        n += 1
        here = chain[1 + here] if here < count else SI[4 * (here - count) + 2]
    # The chain lies at the far end of P until it has been read.
    base = len(P) - n
    for k in range(n):
        P[base + k] = float(K[n - 1 - k])
    m = 0
    arc = -1
    ax, ay = 0.0, 0.0
    before = -1
    for k in range(n + 1):
        last = k == n
        item = -1 if last else int(P[base + k])
        if PLACE * (m + 3) > base or m + 3 > room:
            return 0
        if last or item < count:
            tx, ty = x, y
            if not last:
                tx, ty = NF[NODE * item], NF[NODE * item + 1]
            if arc >= 0:
                a, sense = SI[4 * arc], SI[4 * arc + 1]
                cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
                P[PLACE * m], P[PLACE * m + 1] = _tangent(tx, ty, cx, cy, radius, -float(sense))
                P[PLACE * m + 2], P[PLACE * m + 3] = AP[6 * a + 5], 0.0
                K[MARK * m], K[MARK * m + 1], K[MARK * m + 2] = -1, STRAIGHT, -1
                m += 1
            elif before >= 0:
                dist = math.sqrt((tx - ax) ** 2 + (ty - ay) ** 2)
                gain = (price if last else cost[item]) - cost[before]
                run, border = 0.0, -1
                if NF[NODE * before + 8] != 0.0:
                    border = before
                elif not last and NF[NODE * item + 8] != 0.0:
                    border = item
                if border >= 0:
                    run = _runs(border, ax, ay, tx, ty, gain, NF)
                g = PLACE * (m - 1)
                if run > 0.0:
                    f = NODE * border
                    ahead = NF[f + 2] * (tx - ax) + NF[f + 3] * (ty - ay) > 0.0
                    P[g + 2], P[g + 4] = min(NF[f + 4], NF[f + 5]), run
                    K[MARK * m - 2] = ALONG if ahead else AGAINST
                    K[MARK * m - 1] = border
                else:
                    P[g + 2] = gain / dist if dist > 1e-12 else WT[0]
            P[PLACE * m], P[PLACE * m + 1] = tx, ty
            P[PLACE * m + 2], P[PLACE * m + 3] = WT[0], 0.0
            slides = not last and (NF[NODE * item + 2] != 0.0 or NF[NODE * item + 3] != 0.0)
            K[MARK * m], K[MARK * m + 1], K[MARK * m + 2] = item if slides else -1, STRAIGHT, -1
            m += 1
            arc, before = -1, item
            ax, ay = tx, ty
            continue
        s = item - count
        a = SI[4 * s]
        if arc >= 0:
            P[PLACE * m], P[PLACE * m + 1] = SF[STATE * s + 2], SF[STATE * s + 3]
            P[PLACE * m + 2], P[PLACE * m + 3] = AP[6 * a + 5], 0.0
            K[MARK * m], K[MARK * m + 1], K[MARK * m + 2] = -1, STRAIGHT, -1
            m += 1
        else:
            P[PLACE * (m - 1) + 2] = AP[6 * a + 5]
        met = SF[STATE * s + 4]
        P[PLACE * m] = AP[6 * a] + AP[6 * a + 2] * math.cos(met)
        P[PLACE * m + 1] = AP[6 * a + 1] + AP[6 * a + 2] * math.sin(met)
        P[PLACE * m + 2], P[PLACE * m + 3] = AP[6 * a + 5], 0.0
        K[MARK * m], K[MARK * m + 1], K[MARK * m + 2] = -1, s, -1
        m += 1
        arc, before = s, -1
    return _merged(m, NF, NI, P, K)


@kernel
@bare
def _merged(m: int, NF: Floats, NI: Ints, P: list[float], K: list[int]) -> int:
    """Of a run along one border the first and the last place; how many are left."""
    kept = 0
    for k in range(m):
        i, kind = K[MARK * k], K[MARK * k + 1]
        if 0 < k < m - 1 and i >= 0:
            g = PLACE * (kept - 1)
            before = K[MARK * kept - 2]
            if kind <= ALONG:
                if before == kind and NI[K[MARK * kept - 1]] == NI[K[MARK * k + 2]] == NI[i]:
                    P[g + 4] += P[PLACE * k + 4]
                    continue
            elif kind == STRAIGHT and before == STRAIGHT and NF[NODE * i + 8] == 0.0:
                last_on, next_on = K[MARK * (kept - 1)], K[MARK * (k + 1)]
                if (
                    last_on >= 0
                    and next_on >= 0
                    and NI[last_on] == NI[i] == NI[next_on]
                    and abs(P[g + 2] - P[PLACE * k + 2]) < 1e-6
                ):
                    continue
        for c in range(PLACE):
            P[PLACE * kept + c] = P[PLACE * k + c]
        for c in range(MARK):
            K[MARK * kept + c] = K[MARK * k + c]
        kept += 1
    return kept


@kernel
@bare
def _settled(m: int, NF: Floats, AP: Floats, SI: Ints, P: list[float], K: list[int]) -> int:
    """Slide the places of a way until none gains; how many are left."""
    for _ in range(60):
        moved = 0.0
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
                    P[g], P[g + 1] = _tangent(px, py, cx, cy, radius, sense)
                if last:
                    qx, qy = P[g + 2 * PLACE], P[g + 2 * PLACE + 1]
                    ex, ey = P[g + PLACE], P[g + PLACE + 1]
                    ex, ey = _tangent(qx, qy, cx, cy, radius, -sense)
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
                t = _run_end(i, t0, px, py, v, w, sense, P[g + 4], NF)
            elif came <= ALONG:
                sense = -1.0 if came == ALONG else 1.0
                t = _run_end(i, t0, qx, qy, w, v, sense, P[g - 1], NF)
            else:
                t = _slid(i, t0, px, py, v, qx, qy, w, NF)
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
                P[g - 1] -= sense * (t - t0)
        if moved < 1e-9:
            break
    return m


@kernel
@bare
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
    m = _laid(x, y, price, at, NF, NI, AP, cost, SF, SI, P, K, chain, WT)
    chain[0] = m
    if m == 0:
        return price
    m = _settled(m, NF, AP, SI, P, K)
    total = 0.0
    good = True
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
                good = False
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
                good = False
                break
        if not segment_free(px, py, qx, qy, r, slack, W, J, E, D, S, T, B, R, Q):
            good = False
            break
    if good and total <= price + TIE:
        chain[0] = m
        return min(total, price)
    chain[0] = _laid(x, y, price, at, NF, NI, AP, cost, SF, SI, P, K, chain, WT)
    return price
