"""Kernels: the places of a way to a point, as the search found it.

P   floats  places, 6 each: x, y, factor to the next, how far it was slid, length of the run along a
            bent border to the next, how far it was slid before the last round
K   ints    places, 3 each: the node that slides (-1 none), what leads on (the state whose arc
            does, -1 a straight leg, -2 a run along a bent border, -3 one against it), the node
            whose border that run keeps to
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints
from tapeline.geometry.weighted.dijkstra import NODE, STATE

__all__ = ["AGAINST", "ALONG", "MARK", "PLACE", "STRAIGHT", "lay_way", "touch"]

#: Floats and ints of a place of a way.
PLACE, MARK = 6, 3
#: What leads on from a place: a straight leg, a run along a bent border or against it.
STRAIGHT, ALONG, AGAINST = -1, -2, -3
#: Length: runs along a bent border are told from chords by this.
_RUN = 1e-9


@kernel
@no_refcount
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
@no_refcount
def touch(
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
@no_refcount
def lay_way(
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
                P[PLACE * m], P[PLACE * m + 1] = touch(tx, ty, cx, cy, radius, -float(sense))
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
            slides = (
                not last
                and NI[item] >= 0
                and (NF[NODE * item + 2] != 0.0 or NF[NODE * item + 3] != 0.0)
            )
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
@no_refcount
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
