"""Structures of flat arrays that the kernels of this folder share, and how their rows are laid out.

Lengths are table units, angles radians; a factor is the cost of a unit of length, 1 or more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.board import Clearance
from tapeline.geometry.discs.clearance import in_ring, leg_free, stand_free

__all__ = [
    "AHEAD",
    "ARC",
    "BEHIND",
    "BEND",
    "GAP",
    "LEFT",
    "LOW",
    "MARK",
    "NODE",
    "PLACE",
    "RIGHT",
    "STATE",
    "TAU",
    "UX",
    "UY",
    "Areas",
    "Clearance",
    "Costs",
    "Graph",
    "Sources",
    "Spread",
    "WayPlaces",
    "clear_leg",
    "clear_place",
    "factor_at",
    "rank_at",
]

TAU = 2.0 * math.pi

#: Floats of a node: x, y; direction of its border (0, 0 where borders end); factor to the left and
#: to the right of it, least factor around; distance to the next node; bend of the border (1 over
#: its radius, above 0 to the left); how far the border goes on behind and ahead.
NODE = 11
UX, UY, LEFT, RIGHT, LOW, GAP, BEND, BEHIND, AHEAD = 2, 3, 4, 5, 6, 7, 8, 9, 10
#: Floats of an arc: x, y, radius, begin, sweep (> 0), factor.
ARC = 6
#: Floats of a state on an arc: cost; place, an angle from where the arc begins in its sense; where
#: the leg to it came from (x, y), at which angle that met the arc; how far the arc goes on.
STATE = 6
#: Floats and ints of a place of a way.
PLACE, MARK = 6, 3


class Graph(NamedTuple):
    """Nodes close together on borders between factors, links along these, and arcs of obstacles.

    nodes: NODE floats each, the last one the start. curves: of each node the number of its curve,
    -1 where curves end, below that a portal, alike on both its sides. begins, others, costs: where
    each node's links begin (and the end), to which node each leads, at what cost. arcs: ARC floats
    each. ends: 3 ints an arc: node at its begin and at its end (-1 none), whether it is closed.
    """

    nodes: list[float]
    curves: Ints
    begins: Ints
    others: Ints
    costs: Floats
    arcs: Floats
    ends: Ints


class Areas(NamedTuple):
    """Ground by factor; where areas overlap the greatest factor counts.

    borders: all places where the factor changes, 5 floats each: a segment px, py, qx, qy and the
    sagitta of the arc that it is the chord of, 0 for none. rings: corners of areas, flat. begins:
    where each ring begins, and the end. ranks: its factor, as index of `factors`. circles: areas, 4
    floats each: x, y, radius, rank. factors: all that occur, ascending from 1.
    """

    borders: Floats
    rings: Floats
    begins: Ints
    ranks: Ints
    circles: Floats
    factors: Floats


class Costs(NamedTuple):
    """What a search has found: costs from the start to nodes and to states on arcs.

    cost, came: of each node (infinity: not within the limit), and the node it was come to from, or
    the state, counted on from the nodes; -1 none. slopes: two floats a node: how fast cost grows
    along its border, and how that bends. states: STATE floats each. arrivals: 4 ints a state: arc,
    sense, from which node or state, the state that came to that arc and sense before. last: two a
    (arc, sense): its last state. kinds: of each node, then of each state, a number for the kind of
    the way there: ways that meet the same borders and arcs in order share it.
    """

    cost: list[float]
    came: list[int]
    slopes: list[float]
    states: list[float]
    arrivals: list[int]
    last: list[int]
    kinds: list[int]


class Sources(NamedTuple):
    """Nodes that were come to and states that were taken up: where a last leg may come from.

    counts: of how many nodes, and of how many states that is known.
    """

    nodes: list[int]
    states: list[int]
    counts: list[int]


class WayPlaces(NamedTuple):
    """The places of a way.

    places: PLACE floats each: x, y, factor to the next, how far it was slid along its border,
    length of the run along a bent border to the next, how far it was slid before. marks:
    MARK ints each: the node that slides (-1 none), what leads on (the state whose arc does, -1 a
    straight leg, -2 a run along a bent border, -3 one against it), the node whose border that run
    keeps to. found: the node its last leg comes from, or the state counted on from the nodes; how
    many places it has, 0 if there was no room.
    """

    places: list[float]
    marks: list[int]
    found: list[int]


class Spread(NamedTuple):
    """Everything that tells the price of a place once costs have spread from a start.

    tried, seen: scratch, one each node of the sources, then each state.
    """

    graph: Graph
    costs: Costs
    sources: Sources
    tried: list[float]
    seen: list[int]
    way: WayPlaces
    areas: Areas
    clear: Clearance


@kernel
def clear_place(x: float, y: float, clear: Clearance) -> bool:
    """Whether the disc may stand at a place."""
    return stand_free(x, y, clear.r, clear.slack, clear.board)


@kernel
def clear_leg(px: float, py: float, qx: float, qy: float, clear: Clearance) -> bool:
    """Whether the disc may go straight from p to q."""
    return leg_free(px, py, qx, qy, clear.r, clear.slack, clear.board)


@kernel
def rank_at(x: float, y: float, areas: Areas) -> int:
    """The greatest factor of the areas round a point on no border, as index of `factors`."""
    here = 0
    for k in range(len(areas.ranks)):
        if areas.ranks[k] > here and in_ring(
            x, y, areas.rings, areas.begins[k], areas.begins[k + 1]
        ):
            here = areas.ranks[k]
    circles = areas.circles
    for k in range(0, len(circles), 4):
        ux, uy = x - circles[k], y - circles[k + 1]
        if circles[k + 3] > here and ux * ux + uy * uy < circles[k + 2] * circles[k + 2]:
            here = int(circles[k + 3])
    return here


@kernel
def factor_at(x: float, y: float, areas: Areas) -> float:
    """The greatest factor of the areas round a point on no border."""
    return areas.factors[rank_at(x, y, areas)]
