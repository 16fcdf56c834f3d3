"""Kernels: what it costs to get to a place, once costs have spread to nodes and arcs.

`place_cost` gives the cheapest of the ways whose last leg comes from a node or an arc as they
stand. Nodes lie apart, so it may take the wrong one of two ways of nearly the same cost: a leg from
between two nodes is cheaper than from either, and much so where the place lies nearer to the border
than nodes to each other. `least` therefore slides the ways of every kind that may be the cheapest,
by what their last leg costs from the best place next to its node.

    PRICE   the arrays from NF on, as `place_cost` takes them
    POLISH  likewise as `snell.polish` takes them, with the places of ways
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints, near_point, place_free, segment_free
from tapeline.geometry.weighted.dijkstra import (
    GROUND,
    NEAR,
    NET,
    NODE,
    SLIP,
    SPREAD,
    STATE,
    TAU,
    TIE,
    borders_met,
    ground_at,
    leaves,
    leg_over,
)
from tapeline.geometry.weighted.snell import place_along, polish

__all__ = ["FOUND", "least", "place_cost", "price_from", "price_place", "swing"]

#: Where `found` lies in PRICE.
FOUND = 15
#: Cost: what a way by the nodes may be too dear by, whose last leg comes from the best place.
_UNSURE = 0.004


@kernel
@no_refcount
def _on_border(x: float, y: float, XL: Floats, AC: Floats) -> bool:
    """Whether a point is on a border, as near as can be told."""
    for k in range(0, len(XL), 5):
        if XL[k + 4] == 0.0 and (
            near_point(x, y, XL[k], XL[k + 1], XL[k + 2], XL[k + 3]) <= NEAR * NEAR
        ):
            return True
    for k in range(0, len(AC), 4):
        ux, uy = x - AC[k], y - AC[k + 1]
        if abs(math.sqrt(ux * ux + uy * uy) - AC[k + 2]) <= NEAR:
            return True
    return False


@kernel
@no_refcount
def _here(
    x: float, y: float, XL: Floats, AR: Floats, AQ: Ints, AF: Ints, AC: Floats, WT: Floats
) -> float:
    """The factor at a point, -1 on a border."""
    return -1.0 if _on_border(x, y, XL, AC) else ground_at(x, y, AR, AQ, AF, AC, WT)


@kernel
@no_refcount
def _leaving(
    i: int, dx: float, dy: float, dist: float, here: float, NF: Floats, SL: Floats
) -> float:
    """The factor of a last leg from node i to a place dx, dy away; -1 if there can be none."""
    f = NODE * i
    w = max(here, NF[f + 6])
    beside = dist <= NEAR or (here < 0.0 and dist <= NF[f + 7])
    if not beside and (NF[f + 2] != 0.0 or NF[f + 3] != 0.0):
        w = leaves(i, dx, dy, dist, NF, SL)
        if here > 0.0 and w != here:
            return -1.0
    return w


@kernel
@no_refcount
def _round(
    s: int, x: float, y: float, here: float, limit: float, AP: Floats, SF: Floats, SI: Ints
) -> float:
    """What a way costs whose last leg leaves the arc of state s; infinity if there can be none."""
    a, sense = SI[4 * s], SI[4 * s + 1]
    w = AP[6 * a + 5]
    if here > 0.0 and w != here:
        return math.inf
    g = STATE * s
    cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
    dx, dy = x - cx, y - cy
    v = dx * dx + dy * dy - radius * radius
    if v < -1e-7 * radius:
        return math.inf
    tangent = math.sqrt(v) if v > 0.0 else 0.0
    c = SF[g] + w * tangent
    if c > limit:
        return math.inf
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    turned = (sense * (leave - SF[g + 4])) % TAU
    if turned > TAU - SLIP:
        turned = 0.0
    return c + w * radius * turned if turned <= SF[g + 5] + SLIP else math.inf


@kernel
@no_refcount
def _from(
    s: int, x: float, y: float, count: int, NF: Floats, AP: Floats, SI: Ints
) -> tuple[float, float]:
    """Where the last leg to a place begins, from a node or from a state counted on from them."""
    if s < count:
        return NF[NODE * s], NF[NODE * s + 1]
    a, sense = SI[4 * (s - count)], SI[4 * (s - count) + 1]
    cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
    dx, dy = x - cx, y - cy
    v = dx * dx + dy * dy - radius * radius
    tangent = math.sqrt(v) if v > 0.0 else 0.0
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    return cx + radius * math.cos(leave), cy + radius * math.sin(leave)


@kernel
@no_refcount
def _over(
    px: float,
    py: float,
    x: float,
    y: float,
    here: float,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
) -> float:
    """The factor of a last leg to a place of factor `here`; -1 if it crosses a border."""
    met = borders_met(px, py, x, y, XL, AR, AQ, AF, AC, WT)
    if met < 0:
        return -1.0
    if met == 0 and here > 0.0:
        return here
    return leg_over(px, py, x, y, XL, AR, AQ, AF, AC, WT)


@kernel
@no_refcount
def _paid(
    s: int,
    px: float,
    py: float,
    x: float,
    y: float,
    w: float,
    told: float,
    count: int,
    cost: Floats,
    AP: Floats,
    SI: Ints,
) -> float:
    """What a way with such a last leg costs, told what one from an arc does; infinity for none."""
    if w < 0.0:
        return math.inf
    dist = math.sqrt((x - px) * (x - px) + (y - py) * (y - py))
    if s < count:
        return cost[s] + w * dist
    return told if w == AP[6 * SI[4 * (s - count)] + 5] or dist <= NEAR else math.inf


@kernel
@no_refcount
def swing(far: float, radius: float, rho: float) -> float:
    """By how much tangents from a circle to places of another turn from that to its middle at most.

    far: the distance of their middles, radius and rho theirs. -1 if no such thing can be said.
    """
    v = (far - rho) ** 2 - radius * radius
    if far <= rho or v <= 0.0:
        return -1.0
    return math.asin(rho / far) + rho * radius / ((far - rho) * math.sqrt(v))


@kernel
@no_refcount
def _seen(
    s: int,
    mx: float,
    my: float,
    rho: float,
    count: int,
    NF: Floats,
    AP: Floats,
    SI: Ints,
    r: float,
    slack: float,
    BOARD: Any,
) -> int:
    """Whether last legs from a node or an arc to the circle of radius rho about mx, my are free.

    1 none is, 2 all are, 3 not told. No place of such a leg is farther than `off` from the same
    fraction of the leg to the middle, so obstacles grown by as much less, or more, tell.
    """
    off = rho
    if s >= count:
        a = 6 * SI[4 * (s - count)]
        radius = AP[a + 2]
        far = math.sqrt((mx - AP[a]) ** 2 + (my - AP[a + 1]) ** 2)
        turned = swing(far, radius, rho)
        if turned < 0.0:
            return 3
        off = max(rho, radius * turned)
    px, py = _from(s, mx, my, count, NF, AP, SI)
    if off < r and not segment_free(px, py, mx, my, r - off, slack, *BOARD):
        return 1
    # An arc touches its own obstacle.
    return 2 if s < count and segment_free(px, py, mx, my, r + off, slack, *BOARD) else 3


@kernel
@no_refcount
def place_cost(
    x: float,
    y: float,
    limit: float,
    known: float,
    mx: float,
    my: float,
    rho: float,
    SEEN: list[int],
    nodes: int,
    states: int,
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
    tried: list[float],
    found: list[int],
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
    """What it costs to get to a free place, infinity if more than the limit.

    known: the factor there, if no border is near, else 0. The arrays are as `spread` left them.
    order, taken: the nodes got to and the states taken up that the last leg may come from, so many
    of each. tried: scratch for them. rho: the place lies in the circle of this radius about mx, my,
    for which SEEN is kept, 0 each at first; 0 for none. found: the node that it comes from, or the
    state counted on from the nodes.
    """
    found[0] = -1
    BOARD = (W, J, E, D, S, T, B, R, Q)
    count = len(NI)
    here = known
    if known == 0.0:
        here = _here(x, y, XL, AR, AQ, AF, AC, WT)
    best, at = math.inf, -1
    for k in range(nodes):
        tried[k] = math.inf
        i = order[k]
        d = cost[i]
        if d > limit or (rho > 0.0 and SEEN[k] == 1):
            continue
        dx, dy = x - NF[NODE * i], y - NF[NODE * i + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        if d + max(here, NF[NODE * i + 6]) * dist > limit:
            continue
        w = _leaving(i, dx, dy, dist, here, NF, SL)
        if w < 0.0:
            continue
        c = d + w * dist
        tried[k] = c
        if c < best:
            best, at = c, k
    for k in range(states):
        tried[nodes + k] = math.inf
        s = taken[k]
        if rho > 0.0 and SEEN[nodes + k] == 1:
            continue
        c = _round(s, x, y, here, limit, AP, SF, SI)
        if c > limit:
            continue
        tried[nodes + k] = c
        if c < best:
            best, at = c, nodes + k
    while best <= limit:
        s = order[at] if at < nodes else count + taken[at - nodes]
        # Obstacles first: they are on a grid, borders are not.
        tried[at] = math.inf
        seen = 3
        if rho > 0.0:
            if SEEN[at] == 0:
                SEEN[at] = _seen(s, mx, my, rho, count, NF, AP, SI, r, slack, BOARD)
            seen = SEEN[at]
        px, py = _from(s, x, y, count, NF, AP, SI)
        if seen == 2 or (seen == 3 and segment_free(px, py, x, y, r, slack, *BOARD)):
            w = _over(px, py, x, y, here, XL, AR, AQ, AF, AC, WT)
            c = _paid(s, px, py, x, y, w, best, count, cost, AP, SI)
            if c <= best + TIE:
                found[0] = s
                return best
            tried[at] = c
        best, at = math.inf, -1
        for k in range(nodes + states):
            if tried[k] < best:
                best, at = tried[k], k
    return math.inf


@kernel
@no_refcount
def price_from(s: int, x: float, y: float, limit: float, known: float, PRICE: Any) -> float:
    """What it costs to get to a free place from one node, or state counted on from the nodes.

    Infinity if there is no such way. The other arguments as for `least`.
    """
    NF, AP, cost, SL, SF, SI = PRICE[0], PRICE[5], PRICE[8], PRICE[9], PRICE[10], PRICE[11]
    XL, AR, AQ, AF, AC, WT = PRICE[16], PRICE[17], PRICE[18], PRICE[19], PRICE[20], PRICE[21]
    count = len(PRICE[1])
    here = known if known != 0.0 else _here(x, y, XL, AR, AQ, AF, AC, WT)
    if s < count:
        dx, dy = x - NF[NODE * s], y - NF[NODE * s + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        w = _leaving(s, dx, dy, dist, here, NF, SL)
        c = cost[s] + w * dist if w > 0.0 else math.inf
    else:
        c = _round(s - count, x, y, here, limit, AP, SF, SI)
    if c > limit:
        return math.inf
    px, py = _from(s, x, y, count, NF, AP, SI)
    if not segment_free(px, py, x, y, *PRICE[22:]):
        return math.inf
    w = _over(px, py, x, y, here, XL, AR, AQ, AF, AC, WT)
    return _paid(s, px, py, x, y, w, c, count, cost, AP, SI)


@kernel
@no_refcount
def _slid(
    i: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    dist: float,
    w: float,
    NF: Floats,
    cost: Floats,
    SL: Floats,
) -> float:
    """What a way costs whose last leg comes from the best place of its border next to node i.

    As cost grows at the node, so not too much: it grows faster on both sides.
    """
    f = NODE * i
    ux, uy = NF[f + 2], NF[f + 3]
    c = cost[i] + w * dist
    if ux == 0.0 and uy == 0.0:
        return c
    slope = SL[2 * i]
    far = NF[f + 7]
    t = -far if slope > 0.0 else far
    if abs(slope) < w:
        t = ux * dx + uy * dy - abs(ux * dy - uy * dx) * slope / math.sqrt(w * w - slope * slope)
        t = min(max(t, -far), far)
    t = min(max(t, -NF[f + 9]), NF[f + 10])
    px, py = place_along(i, t, NF)
    return min(c, cost[i] + slope * t + w * math.sqrt((x - px) ** 2 + (y - py) ** 2))


@kernel
@no_refcount
def least(
    x: float,
    y: float,
    limit: float,
    known: float,
    rough: float,
    enough: float,
    nodes: int,
    states: int,
    PRICE: Any,
    POLISH: Any,
) -> float:
    """What it costs to get to a place by the cheapest way, all that may be it polished.

    rough: as `place_cost` has just found it; known, nodes, states as given to that. enough: no more
    is looked for below this. found and the places of the way are those of the last way polished,
    which is the cheapest unless what is given is no more than `enough`.
    """
    NF, NI, AP = PRICE[0], PRICE[1], PRICE[5]
    order, cost, SL, SF, SI, taken = (
        PRICE[7], PRICE[8], PRICE[9], PRICE[10], PRICE[11], PRICE[12],
    )  # fmt: skip
    kin, tried, found = PRICE[13], PRICE[14], PRICE[FOUND]
    XL, AR, AQ, AF, AC, WT = PRICE[16], PRICE[17], PRICE[18], PRICE[19], PRICE[20], PRICE[21]
    board = PRICE[22:]
    count = len(NI)
    here = known if known != 0.0 else _here(x, y, XL, AR, AQ, AF, AC, WT)
    first = last = found[0]
    price = rough
    best = polish(x, y, rough, first, *POLISH)
    if best <= enough:
        return best
    others = 0
    for k in range(nodes):
        tried[k] = math.inf
        i = order[k]
        dx, dy = x - NF[NODE * i], y - NF[NODE * i + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        low = max(here, NF[NODE * i + 6])
        if kin[i] == kin[first] or cost[i] + low * (dist - NF[NODE * i + 7]) > best + _UNSURE:
            continue
        w = _leaving(i, dx, dy, dist, here, NF, SL)
        if w < 0.0:
            continue
        c = _slid(i, x, y, dx, dy, dist, w, NF, cost, SL)
        if c <= best + _UNSURE:
            tried[k] = c
            others += 1
    for k in range(states):
        tried[nodes + k] = math.inf
        s = taken[k]
        if kin[count + s] == kin[first] or SF[STATE * s] > best + _UNSURE:
            continue
        c = _round(s, x, y, here, best + _UNSURE, AP, SF, SI)
        if c <= best + _UNSURE:
            tried[nodes + k] = c
            others += 1
    while others > 0:
        c, at = math.inf, -1
        for k in range(nodes + states):
            if tried[k] < c:
                c, at = tried[k], k
        if c > best + _UNSURE:
            break
        tried[at] = math.inf
        others -= 1
        s = order[at] if at < nodes else count + taken[at - nodes]
        px, py = _from(s, x, y, count, NF, AP, SI)
        if not segment_free(px, py, x, y, *board):
            continue
        w = _over(px, py, x, y, here, XL, AR, AQ, AF, AC, WT)
        paid = _paid(s, px, py, x, y, w, c, count, cost, AP, SI)
        if paid == math.inf:
            continue
        for k in range(nodes + states):
            if tried[k] < math.inf:
                other = order[k] if k < nodes else count + taken[k - nodes]
                if kin[other] == kin[s]:
                    tried[k] = math.inf
                    others -= 1
        c = polish(x, y, paid, s, *POLISH)
        last = s
        if c < best:
            best, first, price = c, s, paid
            found[0] = s
            if best <= enough:
                return best
    if last != first:
        best = polish(x, y, price, first, *POLISH)
    return best


@entry(
    "float64(float64, float64, float64, int64, int64, "
    f"{NET}{SPREAD}float64[::1], int64[::1], float64[::1], int64[::1], int64[::1], {GROUND})"
)
@no_refcount
def price_place(
    x: float,
    y: float,
    limit: float,
    nodes: int,
    states: int,
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
    tried: list[float],
    found: list[int],
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
    """What it costs to get to a place, infinity if more than the limit; the way is in P and K.

    As `place_cost` and `snell.polish` have it.
    """
    GROUNDS = (XL, AR, AQ, AF, AC, WT, r, slack, W, J, E, D, S, T, B, R, Q)
    LAID = (NF, NI, LI, LN, LC, AP, AI, order, cost, SL, SF, SI, taken, kin)
    PRICE = (*LAID, tried, found, *GROUNDS)
    POLISH = (*LAID, P, K, chain, *GROUNDS)
    if not place_free(x, y, r, slack, W, J, E, D, S, T, B, R, Q):
        return math.inf
    rough = place_cost(x, y, limit, 0.0, x, y, 0.0, found, nodes, states, *PRICE)
    if rough > limit:
        return math.inf
    return least(x, y, limit, 0.0, rough, 0.0, nodes, states, PRICE, POLISH)
