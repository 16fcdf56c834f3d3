"""Kernel: a way made as cheap as ways of its kind are, by sliding its crossings of borders."""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import Floats, Ints, segment_free
from tapeline.geometry.gears import entry, kernel
from tapeline.geometry.slow.spreading import (
    GROUND,
    NET,
    NODE,
    SPREAD,
    STATE,
    TIE,
    leg_over,
)

__all__ = ["polish"]


@kernel
def _along(i: int, t: float, NF: Floats) -> tuple[float, float]:
    """The place t farther along the border of node i."""
    f = NODE * i
    x, y, ux, uy, bend = NF[f], NF[f + 1], NF[f + 2], NF[f + 3], NF[f + 8]
    if bend == 0.0:
        return x + t * ux, y + t * uy
    c, s = math.cos(bend * t), math.sin(bend * t)
    return x + (s * ux - (1.0 - c) * uy) / bend, y + (s * uy + (1.0 - c) * ux) / bend


@kernel
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
            ax, ay = _along(i, a, NF)
            bx, by = _along(i, b, NF)
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


@entry(
    "float64(float64, float64, float64, int64, "
    f"{NET}{SPREAD}"
    "float64[::1], int64[::1], int64[::1], "
    f"{GROUND})"
)
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
    """The cost of the way to a place after its crossings of borders were slid to where they gain.

    price, at: as `place_cost` found them. chain: from its second on, where each node came from.
    P: places of the way, 4 floats each: x, y, factor to the next, how far it was slid; K: 2 ints
    each: the node that slides (-1 none), the state whose arc leads on (-1: a straight leg).
    chain[0] is set to how many places there are, 0 if there was no room or they may not be slid so.
    """
    count = len(NI)
    room = len(K) // 2 - 4
    # Forward from the start: the chain is read backwards into K, then turned round.
    n = 0
    here = at
    while here >= 0:
        if n >= room // 2:
            chain[0] = 0
            return price
        K[n] = here
        n += 1
        here = chain[1 + here] if here < count else SI[4 * (here - count) + 2]
    for k in range(n):
        P[k] = float(K[n - 1 - k])
    steps = n
    # The chain lies at the far end of P until it has been read.
    base = len(P) - steps
    for k in range(steps - 1, -1, -1):
        P[base + k] = P[k]
    m = 0
    arc = -1
    ax, ay = 0.0, 0.0
    before = -1
    for k in range(steps + 1):
        last = k == steps
        item = -1 if last else int(P[base + k])
        if 4 * m + 12 > base or m + 3 > room:
            chain[0] = 0
            return price
        if last or item < count:
            tx, ty = x, y
            if not last:
                tx, ty = NF[NODE * item], NF[NODE * item + 1]
            if arc >= 0:
                a, sense = SI[4 * arc], SI[4 * arc + 1]
                cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
                dx, dy = tx - cx, ty - cy
                v = dx * dx + dy * dy - radius * radius
                tangent = math.sqrt(v) if v > 0.0 else 0.0
                leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
                P[4 * m], P[4 * m + 1] = (
                    cx + radius * math.cos(leave),
                    cy + radius * math.sin(leave),
                )
                P[4 * m + 2], P[4 * m + 3] = AP[6 * a + 5], 0.0
                K[2 * m], K[2 * m + 1] = -1, -1
                m += 1
            elif before >= 0:
                dist = math.sqrt((tx - ax) ** 2 + (ty - ay) ** 2)
                gain = (price if last else cost[item]) - cost[before]
                P[4 * (m - 1) + 2] = gain / dist if dist > 1e-12 else WT[0]
            P[4 * m], P[4 * m + 1], P[4 * m + 2], P[4 * m + 3] = tx, ty, WT[0], 0.0
            slides = not last and (NF[NODE * item + 2] != 0.0 or NF[NODE * item + 3] != 0.0)
            K[2 * m], K[2 * m + 1] = item if slides else -1, -1
            m += 1
            arc, before = -1, item
            ax, ay = tx, ty
            continue
        s = item - count
        a = SI[4 * s]
        if arc >= 0:
            P[4 * m], P[4 * m + 1] = SF[STATE * s + 2], SF[STATE * s + 3]
            P[4 * m + 2], P[4 * m + 3] = AP[6 * a + 5], 0.0
            K[2 * m], K[2 * m + 1] = -1, -1
            m += 1
        else:
            P[4 * (m - 1) + 2] = AP[6 * a + 5]
        met = SF[STATE * s + 4]
        P[4 * m] = AP[6 * a] + AP[6 * a + 2] * math.cos(met)
        P[4 * m + 1] = AP[6 * a + 1] + AP[6 * a + 2] * math.sin(met)
        P[4 * m + 2], P[4 * m + 3] = AP[6 * a + 5], 0.0
        K[2 * m], K[2 * m + 1] = -1, s
        m += 1
        arc, before = s, -1
    # Of a run along one border the first and the last place.
    kept = 0
    for k in range(m):
        i = K[2 * k]
        if 0 < k < m - 1 and i >= 0 and K[2 * (kept - 1)] >= 0 and K[2 * k + 2] >= 0:
            last_on, next_on = K[2 * (kept - 1)], K[2 * k + 2]
            if (
                NI[last_on] == NI[i] == NI[next_on]
                and abs(P[4 * (kept - 1) + 2] - P[4 * k + 2]) < 1e-6
                and NF[NODE * i + 8] == 0.0
            ):
                continue
        for c in range(4):
            P[4 * kept + c] = P[4 * k + c]
        K[2 * kept], K[2 * kept + 1] = K[2 * k], K[2 * k + 1]
        kept += 1
    m = kept
    chain[0] = m
    gained = 0.0
    for _ in range(60):
        moved = 0.0
        for k in range(1, m - 1):
            i = K[2 * k]
            if i < 0:
                continue
            p, q = 4 * (k - 1), 4 * (k + 1)
            if K[2 * k - 1] >= 0:
                continue
            if NF[NODE * i + 8] != 0.0 and (
                (K[2 * k - 2] >= 0 and NI[K[2 * k - 2]] == NI[i])
                or (K[2 * k + 2] >= 0 and NI[K[2 * k + 2]] == NI[i])
            ):
                # A run along a bent border is no straight leg.
                continue
            px, py, qx, qy = P[p], P[p + 1], P[q], P[q + 1]
            v, w = P[p + 2], P[4 * k + 2]
            old = v * math.sqrt((P[4 * k] - px) ** 2 + (P[4 * k + 1] - py) ** 2)
            old += w * math.sqrt((P[4 * k] - qx) ** 2 + (P[4 * k + 1] - qy) ** 2)
            t = _slid(i, P[4 * k + 3], px, py, v, qx, qy, w, NF)
            bx, by = _along(i, t, NF)
            new = v * math.sqrt((bx - px) ** 2 + (by - py) ** 2)
            new += w * math.sqrt((bx - qx) ** 2 + (by - qy) ** 2)
            if new >= old - 1e-13:
                continue
            moved = max(moved, abs(t - P[4 * k + 3]))
            gained += old - new
            P[4 * k], P[4 * k + 1], P[4 * k + 3] = bx, by, t
        if moved < 1e-9:
            break
    if gained <= TIE:
        return price
    for k in range(m - 1):
        if K[2 * k + 1] >= 0 or (P[4 * k + 3] == 0.0 and P[4 * k + 7] == 0.0):
            continue
        px, py, qx, qy = P[4 * k], P[4 * k + 1], P[4 * k + 4], P[4 * k + 5]
        if (px - qx) ** 2 + (py - qy) ** 2 < 1e-16:
            continue
        i, j = K[2 * k], K[2 * k + 2]
        if not (i >= 0 and j >= 0 and NI[i] == NI[j]):
            w = leg_over(px, py, qx, qy, XL, AR, AQ, AF, AC, WT)
            if w < 0.0 or w > P[4 * k + 2] + 1e-6:
                chain[0] = 0
                return price
        if not segment_free(px, py, qx, qy, r, slack, W, J, E, D, S, T, B, R, Q):
            chain[0] = 0
            return price
    return price - gained
