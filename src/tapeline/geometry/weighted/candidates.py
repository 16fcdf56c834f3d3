"""Kernels: the nodes and arcs that ways into a block of squares may come from within a cost.

By their cost and by Snell's law. Blocks of 4 by 4 squares are looked at sixteen together first.

    AT  ints    0 the sixteen blocks that LO, LT are of, 1 how many nodes, 2 states; 3 the block
                that BO, BT are of, 4 how many nodes, 5 states; 6 where the last price came from;
                7 sides crossed, 8 blocks of sixteen that wait, 9 the first of them
    LO  ints    the nodes, then LT the states, that may lead into the sixteen blocks round a block
    BO  ints    likewise, with BT, into a block
    SEEN  ints  of those that may lead into a block, as `cost_to_point` has it
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.backends import kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints
from tapeline.geometry.weighted.cost_to_point import swing
from tapeline.geometry.weighted.dijkstra import NODE, SLIP, STATE, TAU

__all__ = ["BLOCK", "BLOCKS", "list_block"]

#: Squares along the side of a block, blocks along the side of those looked at first.
BLOCK, BLOCKS = 4, 4
#: How many distances between nodes a leg may be off Snell's law, as `dijkstra` has it, with room.
_OFF = 1.6


@kernel
@no_refcount
def _leads(
    i: int, x: float, y: float, rho: float, limit: float, NF: Floats, cost: Floats, SL: Floats
) -> bool:
    """Whether a leg from node i may lead into the circle of radius rho about a point."""
    f = NODE * i
    dx, dy = x - NF[f], y - NF[f + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    if cost[i] + NF[f + 6] * max(0.0, dist - rho) > limit:
        return False
    ux, uy = NF[f + 2], NF[f + 3]
    if (ux == 0.0 and uy == 0.0) or dist < 1.2 * rho + 2.0 * NF[f + 7]:
        return True
    across, ahead = ux * dy - uy * dx, (ux * dx + uy * dy) / dist
    # Directions to places of the circle differ from that to its middle by no more than this.
    swing = 1.6 * rho / dist
    for side in range(2):
        if (across < -rho) if side == 0 else (across > rho):
            continue
        w = NF[f + 4 + side]
        wide = _OFF * NF[f + 7] * (SL[2 * i + 1] + w / (dist - rho) + w * abs(NF[f + 8]))
        if abs(w * ahead - SL[2 * i]) <= wide + w * swing + 1e-9:
            return True
    return False


@kernel
@no_refcount
def _winds(
    s: int, x: float, y: float, rho: float, limit: float, AP: Floats, SF: Floats, SI: Ints
) -> bool:
    """Whether a leg from the arc of state s may lead into the circle of radius rho about x, y."""
    a = 6 * SI[4 * s]
    g = STATE * s
    radius, w = AP[a + 2], AP[a + 5]
    dx, dy = x - AP[a], y - AP[a + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    far = max(0.0, dist - rho)
    v = far * far - radius * radius
    if v <= 0.0:
        return True
    if SF[g] + w * math.sqrt(v) > limit:
        return False
    turn = swing(dist, radius, rho)
    if turn > math.pi:
        return True
    sense = SI[4 * s + 1]
    tangent = math.sqrt(dist * dist - radius * radius)
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    turned = (sense * (leave - SF[g + 4])) % TAU
    # Ways to some places of the circle may only just have to go round.
    if turned + turn >= TAU - SLIP:
        return True
    least = SF[g] + w * (radius * turned + tangent - rho)
    return turned - turn <= SF[g + 5] + SLIP and least <= limit


@kernel
@no_refcount
def _chosen(
    x: float,
    y: float,
    rho: float,
    limit: float,
    nodes: int,
    states: int,
    some: Ints,
    more: Ints,
    BO: list[int],
    BT: list[int],
    NF: Floats,
    AP: Floats,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
) -> tuple[int, int]:
    """Those of some nodes and of more states that may lead into a circle, put into BO and BT."""
    kept, wound = 0, 0
    for k in range(nodes):
        if _leads(some[k], x, y, rho, limit, NF, cost, SL):
            BO[kept] = some[k]
            kept += 1
    for k in range(states):
        if _winds(more[k], x, y, rho, limit, AP, SF, SI):
            BT[wound] = more[k]
            wound += 1
    return kept, wound


@kernel
@no_refcount
def list_block(block: int, MESH: Any, ABOUT: Any, close: float, LISTS: Any, PRICE: Any) -> None:
    """See to it that BO and BT are of a block."""
    SEEN, AT, LO, LT, order, taken = LISTS
    if AT[3] == block:
        return
    NF, AP, cost, SL, SF, SI = PRICE[0], PRICE[5], PRICE[8], PRICE[9], PRICE[10], PRICE[11]
    BO, BT = PRICE[7], PRICE[12]
    x0, y0, step, columns = MESH
    i0, j0, mx, my = ABOUT[0], ABOUT[1], ABOUT[2], ABOUT[3]
    half = 0.5 * math.sqrt(2.0) * step
    wide = BLOCK * BLOCKS
    ii, jj = i0 // wide, j0 // wide
    if AT[0] != jj * columns + ii:
        AT[0] = jj * columns + ii
        x, y = x0 + step * wide * (ii + 0.5), y0 + step * wide * (jj + 0.5)
        AT[1], AT[2] = _chosen(
            x, y, half * wide, close, len(order), len(taken), order, taken, LO, LT,
            NF, AP, cost, SL, SF, SI,
        )  # fmt: skip
    AT[3] = block
    AT[4], AT[5] = _chosen(
        mx, my, half * BLOCK, close, AT[1], AT[2], LO, LT, BO, BT, NF, AP, cost, SL, SF, SI
    )
    for k in range(AT[4] + AT[5]):
        SEEN[k] = 0
