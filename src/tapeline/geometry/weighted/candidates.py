"""Kernels: the nodes and arcs that ways into a block of squares may come from within a cost.

Told by their cost and by Snell's law. Blocks of 4 by 4 squares are looked at sixteen together
first, then each by itself.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.weighted.arrays import (
    ARC,
    BEND,
    GAP,
    LEFT,
    LOW,
    NODE,
    STATE,
    TAU,
    UX,
    UY,
    Costs,
    Graph,
    Sources,
    Spread,
)
from tapeline.geometry.weighted.cost_to_point import About, leg_turn
from tapeline.geometry.weighted.node_legs import SLIP

__all__ = ["BLOCK", "BLOCKS", "ROUGH", "Block", "Lists", "Mesh", "list_block"]

#: Squares along the side of a block, blocks along the side of those looked at first.
BLOCK, BLOCKS = 4, 4
#: Cost: a way not yet polished may be too dear by this.
ROUGH = 0.01
#: How many distances between nodes a leg may be off Snell's law, as `dijkstra` has it, with room.
_OFF = 1.6


class Mesh(NamedTuple):
    """Squares, and what is sought on them.

    x0, y0: their corner south-west. step: the side of one. columns: how many corners along a side
    of all, one more than a multiple of 16. limit: up to which cost prices are known. level: the
    cost at the border sought; eps: how closely.
    """

    x0: float
    y0: float
    step: float
    columns: int
    limit: float
    level: float
    eps: float


class Block(NamedTuple):
    """A block of squares: its number, column and row of its first square; factors; circle round it.

    factor: the one all over it, 0 if a border may be there. worst: the greatest on it and a side of
    a square beyond; even: whether that is the only one there.
    """

    number: int
    column: int
    row: int
    factor: float
    worst: float
    even: bool
    about: About


class Lists(NamedTuple):
    """Sources of ways: all by cost, and (wide) those that may lead into sixteen blocks.

    Those that may lead into one block are the `sources` of a `Spread`. at: which sixteen; which
    block; where the last price came from.
    """

    all: Sources
    wide: Sources
    at: list[int]


@kernel
def _leads(i: int, about: About, limit: float, graph: Graph, costs: Costs) -> bool:
    """Whether a leg from node i may lead into a circle."""
    nodes, slopes, (x, y, rho) = graph.nodes, costs.slopes, about
    f = NODE * i
    dx, dy = x - nodes[f], y - nodes[f + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    if costs.cost[i] + nodes[f + LOW] * max(0.0, dist - rho) > limit:
        return False
    ux, uy = nodes[f + UX], nodes[f + UY]
    if (ux == 0.0 and uy == 0.0) or dist < 1.2 * rho + 2.0 * nodes[f + GAP]:
        return True
    across, ahead = ux * dy - uy * dx, (ux * dx + uy * dy) / dist
    # Directions to places of the circle differ from that to its middle by no more than this.
    turn = 1.6 * rho / dist
    slope, bend = slopes[2 * i], slopes[2 * i + 1]
    for side in range(2):
        if (across < -rho) if side == 0 else (across > rho):
            continue
        w = nodes[f + LEFT + side]
        wide = _OFF * nodes[f + GAP] * (bend + w / (dist - rho) + w * abs(nodes[f + BEND]))
        if abs(w * ahead - slope) <= wide + w * turn + 1e-9:
            return True
    return False


@kernel
def _winds(s: int, about: About, limit: float, graph: Graph, costs: Costs) -> bool:
    """Whether a leg from the arc of state s may lead into a circle."""
    arcs, states, arrivals, (x, y, rho) = graph.arcs, costs.states, costs.arrivals, about
    a, g = ARC * arrivals[4 * s], STATE * s
    cost, radius, w = states[g], arcs[a + 2], arcs[a + 5]
    dx, dy = x - arcs[a], y - arcs[a + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    far = max(0.0, dist - rho)
    v = far * far - radius * radius
    if v <= 0.0:
        return True
    if cost + w * math.sqrt(v) > limit:
        return False
    turn = leg_turn(dist, radius, rho)
    if turn > math.pi:
        return True
    sense = arrivals[4 * s + 1]
    tangent = math.sqrt(dist * dist - radius * radius)
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    turned = (sense * (leave - states[g + 4])) % TAU
    # Ways to some places of the circle may only just have to go round.
    if turned + turn >= TAU - SLIP:
        return True
    least = cost + w * (radius * turned + tangent - rho)
    return turned - turn <= states[g + 5] + SLIP and least <= limit


@kernel
def _choose(about: About, limit: float, some: Sources, into: Sources, spread: Spread) -> None:
    """Put those of some nodes and states that may lead into a circle into another list."""
    kept, wound = 0, 0
    for k in range(some.counts[0]):
        if _leads(some.nodes[k], about, limit, spread.graph, spread.costs):
            into.nodes[kept] = some.nodes[k]
            kept += 1
    for k in range(some.counts[1]):
        if _winds(some.states[k], about, limit, spread.graph, spread.costs):
            into.states[wound] = some.states[k]
            wound += 1
    into.counts[0], into.counts[1] = kept, wound


@kernel
def list_block(block: Block, mesh: Mesh, lists: Lists, spread: Spread) -> None:
    """See to it that the sources are those of a block."""
    at, sources = lists.at, spread.sources
    if at[1] == block.number:
        return
    limit = mesh.level + ROUGH
    half = 0.5 * math.sqrt(2.0) * mesh.step
    wide = BLOCK * BLOCKS
    i, j = block.column // wide, block.row // wide
    if at[0] != j * mesh.columns + i:
        at[0] = j * mesh.columns + i
        x, y = mesh.x0 + mesh.step * wide * (i + 0.5), mesh.y0 + mesh.step * wide * (j + 0.5)
        _choose(About(x, y, half * wide), limit, lists.all, lists.wide, spread)
    at[1] = block.number
    about = About(block.about.x, block.about.y, half * BLOCK)
    _choose(about, limit, lists.wide, sources, spread)
    for k in range(sources.counts[0] + sources.counts[1]):
        spread.seen[k] = 0
