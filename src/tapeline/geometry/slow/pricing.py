"""Kernel: what it costs to get to a place, once costs have spread to nodes and arcs."""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import Floats, Ints, near_point, place_free, segment_free
from tapeline.geometry.gears import entry, kernel
from tapeline.geometry.slow.spreading import (
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

__all__ = ["place_cost"]


@kernel
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


@entry(
    "float64(float64, float64, float64, float64, int64, int64, "
    f"{NET}{SPREAD}float64[::1], int64[::1], {GROUND})"
)
def place_cost(
    x: float,
    y: float,
    limit: float,
    known: float,
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
    """What it costs to get to a place, infinity if more than the limit.

    known: the factor there, if no border is near, else 0. The arrays are as `spread` left them.
    order, taken: the nodes got to and the states taken up that the last leg may come from, so many
    of each. tried: scratch for them. found: the node that it comes from, or the state counted on
    from the nodes.
    """
    found[0] = -1
    if not place_free(x, y, r, slack, W, J, E, D, S, T, B, R, Q):
        return math.inf
    count = len(NI)
    here = known
    if known == 0.0:
        here = -1.0 if _on_border(x, y, XL, AC) else ground_at(x, y, AR, AQ, AF, AC, WT)
    best, at = math.inf, -1
    for k in range(nodes):
        tried[k] = math.inf
        i = order[k]
        d = cost[i]
        if d > limit:
            continue
        f = NODE * i
        dx, dy = x - NF[f], y - NF[f + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        w = max(here, NF[f + 6])
        if d + w * dist > limit:
            continue
        beside = dist <= NEAR or (here < 0.0 and dist <= NF[f + 7])
        if not beside and (NF[f + 2] != 0.0 or NF[f + 3] != 0.0):
            w = leaves(i, dx, dy, dist, NF, SL)
            if w < 0.0 or (here > 0.0 and w != here):
                continue
        c = d + w * dist
        tried[k] = c
        if c < best:
            best, at = c, k
    for k in range(states):
        tried[nodes + k] = math.inf
        s = taken[k]
        a, sense = SI[4 * s], SI[4 * s + 1]
        w = AP[6 * a + 5]
        if here > 0.0 and w != here:
            continue
        g = STATE * s
        cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
        dx, dy = x - cx, y - cy
        v = dx * dx + dy * dy - radius * radius
        if v < -1e-7 * radius:
            continue
        tangent = math.sqrt(v) if v > 0.0 else 0.0
        c = SF[g] + w * tangent
        if c > limit:
            continue
        leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
        turned = (sense * (leave - SF[g + 4])) % TAU
        if turned > TAU - SLIP:
            turned = 0.0
        if turned > SF[g + 5] + SLIP:
            continue
        c += w * radius * turned
        tried[nodes + k] = c
        if c < best:
            best, at = c, nodes + k
    while best <= limit:
        turn = at >= nodes
        if turn:
            s = taken[at - nodes]
            a, sense = SI[4 * s], SI[4 * s + 1]
            cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
            dx, dy = x - cx, y - cy
            v = dx * dx + dy * dy - radius * radius
            tangent = math.sqrt(v) if v > 0.0 else 0.0
            leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
            px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
        else:
            s = order[at]
            px, py = NF[NODE * s], NF[NODE * s + 1]
        # Obstacles first: they are on a grid, borders are not.
        tried[at] = math.inf
        if segment_free(px, py, x, y, r, slack, W, J, E, D, S, T, B, R, Q):
            w = here
            met = borders_met(px, py, x, y, XL, AR, AQ, AF, AC, WT)
            if met != 0 or here < 0.0:
                w = -1.0 if met < 0 else leg_over(px, py, x, y, XL, AR, AQ, AF, AC, WT)
            c = best
            if turn:
                if w != AP[6 * a + 5] and tangent > NEAR:
                    w = -1.0
            else:
                c = cost[s] + w * math.sqrt((x - px) * (x - px) + (y - py) * (y - py))
            if w > 0.0 and c <= best + TIE:
                found[0] = count + s if turn else s
                return best
            if w > 0.0:
                tried[at] = c
        best, at = math.inf, -1
        for k in range(nodes + states):
            if tried[k] < best:
                best, at = tried[k], k
    return math.inf
