"""Costs from a start to everywhere within a limit, over ground with factors: one search.

Ways are ranked by the nodes of the borders, which err by the square of their distance; of every
kind that comes close the best is slid to where it is cheapest, or as far as it can be gone.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.scratch import listed
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.weighted.arrays import (
    ARC,
    BEND,
    MARK,
    NODE,
    PLACE,
    STATE,
    Costs,
    Sources,
    Spread,
    WayPlaces,
)
from tapeline.geometry.weighted.backtrack import ALONG, STRAIGHT
from tapeline.geometry.weighted.candidates import Lists, Mesh
from tapeline.geometry.weighted.contour import Front
from tapeline.geometry.weighted.contour_sides import SideRoom
from tapeline.geometry.weighted.dijkstra import DijkstraSearch, Near
from tapeline.geometry.weighted.graph import Net
from tapeline.geometry.weighted.marching_squares import Rings
from tapeline.geometry.weighted.node_legs import TIE
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.work import count_work

__all__ = ["RESOLUTION", "CostSearch", "Ring"]

#: Corners x, y in order.
Ring: TypeAlias = tuple[tuple[float, float], ...]
#: Length: sides of the squares over which an outline is marched.
RESOLUTION = 0.2
#: States on arcs that there is room for at first.
_ROOM = 1024
#: Corners of a mesh of squares before the caller must ask for larger ones.
_CORNERS = 4_000_000


class CostSearch:
    """Costs from a start to everywhere within a limit."""

    def __init__(
        self,
        slow: Prepared,
        start: tuple[float, float],
        limit: float,
        net: Net | None = None,
        wide: float | None = None,
    ) -> None:
        """net: instead of the router's own. wide: how far off the start coordinates may lie."""
        self.slow = slow
        compiled = self.compiled = bool(slow.obstacles.query.compiled)
        self.kernels = backends.functions(compiled)
        self.limit = limit
        self.wide = limit if wide is None else wide
        net = net or slow.net_from(start)
        graph = net.graph(*start, self.wide, compiled)
        far = self.wide + 1.0
        areas = slow.areas(
            compiled, (start[0] - far, start[1] - far, start[0] + far, start[1] + far)
        )
        count, arcs = len(graph.curves), len(graph.ends) // 3
        queue = count + 4 * arcs + len(graph.others)
        near = backends.room(compiled, Near, count, arcs, 5, queue, queue)
        room = _ROOM
        while True:
            sizes = (count, count, 2 * count, STATE * room, 4 * room, 2 * arcs, count + room)
            costs = backends.room(compiled, Costs, *sizes)
            search = DijkstraSearch(float(limit), graph, costs, near, areas, slow.clearance)
            made = self.kernels.spread(*start, self.wide, search)
            count_work(count + (made if made >= 0 else room), "a reach over slow ground")
            if made >= 0:
                break
            room *= 4
            if room > 1 << 22:
                raise WorkLimitError("more than a million arcs were taken up; lower the budget")
        sources = self._by_cost(near.nodes[: int(near.counts[0])], costs, made)
        n = len(sources.nodes) + len(sources.states)
        way = backends.room(compiled, WayPlaces, 2 * PLACE * 1024, MARK * 1024, 2)
        tried, seen = backends.blank(n, compiled), backends.blank_ints(n, compiled)
        self.spread = Spread(graph, costs, sources, tried, seen, way, areas, slow.clearance)

    def _by_cost(self, near: Any, costs: Costs, made: int) -> Sources:
        """The nodes got to and the states taken up, each from the cheapest on."""
        import numpy as np

        cost, states, near = np.asarray(costs.cost), np.asarray(costs.states), np.asarray(near, int)
        got: Any = np.append(near[cost[near] <= self.limit], len(cost) - 1)
        wound: Any = np.flatnonzero(np.asarray(costs.arrivals)[3 : 4 * made : 4] != -2)
        got = got[np.argsort(cost[got], kind="stable")]
        wound = wound[np.argsort(states[STATE * wound], kind="stable")]
        found = Sources(got, wound, [len(got), len(wound)])
        return backends.converted(found, self.compiled)

    def cost(self, x: float, y: float) -> float:
        """What a way to a place costs, infinity if it is over the limit; it is kept for `path`."""
        return float(self.kernels.price_place(x, y, self.limit, self.spread))

    def known(self, x: float, y: float) -> tuple[float, Path] | None:
        """The way of `cost` and what the ledger has it cost; None if there is none."""
        if math.isinf(self.cost(x, y)):
            return None
        path = self.path()
        return None if path is None else (self.slow.ground.cost(path), path)

    def path(self) -> Path | None:
        """The way of the last cost; None if it was too long to keep."""
        legs: list[Leg] = []
        graph, arrivals, way = self.spread.graph, self.spread.costs.arrivals, self.spread.way
        count = int(way.found[1])
        for k in range(count - 1):
            g = PLACE * k
            ax, ay, bx, by = (float(way.places[i]) for i in (g, g + 1, g + PLACE, g + PLACE + 1))
            kind = int(way.marks[MARK * k + 1])
            if kind == STRAIGHT:
                if math.hypot(bx - ax, by - ay) > 1e-11:
                    legs.append(Line(ax, ay, bx, by))
                continue
            if kind < 0:
                border = NODE * int(way.marks[MARK * k + 2])
                x, y, ux, uy = (float(v) for v in graph.nodes[border : border + 4])
                bend = float(graph.nodes[border + BEND])
                cx, cy, radius = x - uy / bend, y + ux / bend, 1.0 / abs(bend)
                begin = math.atan2(ay - cy, ax - cx)
                sweep = float(way.places[g + 4]) * (bend if kind == ALONG else -bend)
            else:
                a, sense = ARC * int(arrivals[4 * kind]), int(arrivals[4 * kind + 1])
                cx, cy, radius = (float(v) for v in graph.arcs[a : a + 3])
                begin = math.atan2(ay - cy, ax - cx)
                turned = (sense * (math.atan2(by - cy, bx - cx) - begin)) % math.tau
                sweep = 0.0 if turned > math.tau - 1e-6 else sense * turned
            if abs(sweep) * radius > 1e-11:
                legs.append(Arc(cx, cy, radius, begin, sweep))
        return Path(tuple(legs)) if count > 0 else None

    def outline(
        self, middle: tuple[float, float], half: float, level: float, eps: float, step: float
    ) -> tuple[list[Ring], list[float]]:
        """Rings round where the cost is at most `level`, in a square of half that side; areas.

        Those of holes are below 0. Raises ShapeError for a step too small.
        """
        blocks = math.ceil((half + step) / (8.0 * step))
        n = 16 * blocks + 1
        if n * n > _CORNERS:
            raise ShapeError(f"squares of {step} are too small for a budget of {level:g}")
        x0, y0 = middle[0] - 0.5 * (n - 1) * step, middle[1] - 0.5 * (n - 1) * step
        # Corners are told by their parts of sides, which rounds.
        mesh = Mesh(x0, y0, step, n, self.limit, level - TIE, eps)
        make, sources, m = partial(backends.room, self.compiled), self.spread.sources, n * n
        many, parts = blocks * blocks, make(SideRoom, 64, 512)
        front = make(Front, m, m, m, 2 * m, 2 * m, m, 16 * many, many, many, 3, parts)
        wide, into = (make(Sources, len(sources.nodes), len(sources.states), 2) for _ in range(2))
        lists = Lists(sources, wide, backends.blank_ints(3, self.compiled))
        crossed = self.kernels.march(mesh, front, lists, self.spread._replace(sources=into))
        front = front._replace(sides=front.sides[:crossed])
        front.sides.sort()
        rings = make(Rings, 2 * crossed, crossed + 2, crossed, 2 * m)
        made = self.kernels.trace_rings(mesh, front, crossed, rings)
        corners, begins = listed(rings.corners), listed(rings.begins[: made + 1])
        found = [
            tuple(zip(corners[2 * a : 2 * b : 2], corners[2 * a + 1 : 2 * b : 2], strict=True))
            for a, b in pairwise(begins)
        ]
        return found, listed(rings.areas[:made])
