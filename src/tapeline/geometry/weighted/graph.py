"""The nodes, links and arcs over which costs spread: borders of ground and arcs of obstacles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from tapeline.geometry import backends
from tapeline.geometry.plane.legs import Arc
from tapeline.geometry.plane.sweeps import Approach, nearest_to_point
from tapeline.geometry.weighted.arrays import NODE, Graph
from tapeline.geometry.weighted.curves import Curve, GrownObstacles
from tapeline.geometry.weighted.regions import WeightedGround

__all__ = ["STEP", "Net", "closer"]

#: Length: how far apart nodes on a border lie at most.
STEP = 0.035
#: Length: near the end of a border their distance halves until it is no more than this.
_LEAST = 0.002
#: Nodes by the start: how many times farther from it than the one before each is.
_WIDER = 1.5
#: Length: ends of borders and of arcs this near to each other are one.
_SAME = 1e-6


def closer(near: Approach) -> set[float]:
    """Places along a curve by the start: as close to each other as that is, and ever wider."""
    small, places = max(near.distance, _LEAST), {near.travelled}
    while small < STEP:
        places |= {near.travelled - small, near.travelled + small}
        small *= _WIDER
    return places


class Net:
    """Nodes on the borders of a ground, with links along them, and the arcs near to a place.

    curves: the borders, free of obstacles. arcs_of: the arcs of an obstacle's circle by index.
    start: near it nodes lie as close as its distance from the border asks for.
    on: for each node its curve, -1 where several end, below that a portal.
    """

    def __init__(
        self,
        ground: WeightedGround,
        obstacles: GrownObstacles,
        curves: list[Curve],
        arcs_of: Callable[[int], list[Curve]],
        start: tuple[float, float] | None = None,
    ) -> None:
        self._ground, self._obstacles = ground, obstacles
        self._arcs_of = arcs_of
        self._start = start
        self.nodes: list[float] = []
        self.on: list[int] = []
        self._links: list[list[tuple[int, float]]] = []
        self._ends: list[int] = []
        self.arcs: list[Curve] = []
        self._arc_ints: list[int] = []
        self._arc_floats: list[float] = []
        self._known: set[int] = set()
        for number, curve in enumerate(curves):
            self._line(number, curve)
        for x, y, radius in obstacles.circles:
            if radius == 0.0 and obstacles.free(x, y):
                self._end(x, y)
        self._made: dict[str, tuple[Any, ...]] = {}
        self._begins: list[int] = []
        self._portals = 0
        self.joined: list[list[tuple[tuple[float, float], tuple[float, float], float]]] = []

    def _node(self, row: Sequence[float], curve: int) -> int:
        self.nodes += row
        self.on.append(curve)
        self._links.append([])
        return len(self.on) - 1

    def _end(self, x: float, y: float) -> int:
        """The node where borders end, a new one if there is none."""
        found = self._at(x, y)
        if found >= 0:
            return found
        node = self._turn(x, y)
        self._ends.append(node)
        return node

    def _turn(self, x: float, y: float) -> int:
        """A new node at which a way may turn anyhow."""
        low = min(self._ground.around(x, y))
        return self._node((x, y, 0.0, 0.0, low, low, low, 0.0, 0.0, 0.0, 0.0), -1)

    def _at(self, x: float, y: float) -> int:
        for node in self._ends:
            if math.hypot(self.nodes[NODE * node] - x, self.nodes[NODE * node + 1] - y) <= _SAME:
                return node
        return -1

    def join(
        self,
        sides: Sequence[tuple[complex, complex]],
        factors: Sequence[tuple[float, float]],
        costs: tuple[float, float],
        start: tuple[float, float],
    ) -> None:
        """Join places of a portal, or the ends of a link: a way from each to the one beside it.

        sides: places here and there, x + y i, in order along both. factors: to the left and to the
        right of each side. costs: from here to there, and back; infinity for no way.
        """
        self._portals += 1
        number = -1 - self._portals
        joined: list[tuple[tuple[float, float], tuple[float, float], float]] = []
        self.joined.append(joined)
        gaps = [abs(b - a) for (a, _), (b, _) in pairwise(sides)]
        for k, places in enumerate(sides):
            begins = any(abs(z - complex(*start)) <= _SAME for z in places)
            gap = max([*gaps[max(0, k - 1) : k + 1], 0.0])
            # Where a way may turn: at the ends, and where a border runs along the portal.
            turns = begins or k in (0, len(sides) - 1) or any(f != g for f, g in factors)
            made = []
            for side, z in enumerate(places):
                x, y = z.real, z.imag
                if turns:
                    made.append(self._turn(x, y))
                else:
                    u = sides[-1][side] - sides[0][side]
                    u /= abs(u)
                    left, right = factors[side]
                    row = [x, y, u.real, u.imag, left, right, min(left, right), gap, 0.0]
                    row += [abs(z - sides[0][side]), abs(sides[-1][side] - z)]
                    made.append(self._node(row, number))
                if begins and abs(z - complex(*start)) <= _SAME:
                    self._begins.append(made[-1])
            one, two = places
            along = abs(one - sides[0][0])
            joined.append(((one.real, one.imag), (two.real, two.imag), along))
            if costs[0] < math.inf:
                self._links[made[0]].append((made[1], costs[0]))
            if costs[1] < math.inf:
                self._links[made[1]].append((made[0], costs[1]))

    def _line(self, number: int, curve: Curve) -> None:
        leg, length = curve.leg, curve.leg.length
        n = max(3 if curve.closed else 1, math.ceil(length / STEP))
        marks = {length * k / n for k in range(n + 1)}
        if not curve.closed:
            small = 0.5 * length / n
            while small > _LEAST:
                marks |= {small, length - small}
                small *= 0.5
        if self._start is not None:
            near = nearest_to_point(leg, *self._start)
            if near.distance < STEP:
                marks |= closer(near)
                marks = {s for s in marks if 0.0 <= s <= length}
        places = [s for s, t in pairwise([*sorted(marks), math.inf]) if t - s > _SAME]
        places[0], places[-1] = 0.0, length
        row: list[int] = []
        for k, s in enumerate(places):
            x, y = leg.at(s)
            if not curve.closed and k in (0, len(places) - 1):
                row.append(self._end(x, y))
                continue
            if curve.closed and k == len(places) - 1:
                row.append(row[0])
                continue
            if isinstance(leg, Arc):
                angle = leg.angle(s) + math.copysign(0.5 * math.pi, leg.sweep)
                bend = math.copysign(1.0 / leg.radius, leg.sweep)
            else:
                angle, bend = math.atan2(leg.by - leg.ay, leg.bx - leg.ax), 0.0
            gap = places[k + 1] - s
            if k > 0:
                gap = max(gap, s - places[k - 1])
            row.append(
                self._node(
                    [
                        x, y, math.cos(angle), math.sin(angle),
                        curve.left, curve.right, curve.along, gap, bend,
                        length if curve.closed else s, length if curve.closed else length - s,
                    ],
                    number,
                )
            )  # fmt: skip
        for (a, s), (b, t) in pairwise(zip(row, places, strict=True)):
            if a != b:
                self._links[a].append((b, curve.along * (t - s)))
                self._links[b].append((a, curve.along * (t - s)))

    def _near(self, x: float, y: float, far: float) -> bool:
        """Take in the arcs within a distance; whether there were new ones."""
        new = False
        for index, (cx, cy, radius) in enumerate(self._obstacles.circles):
            if index in self._known or radius == 0.0:
                continue
            if math.hypot(cx - x, cy - y) - radius > far:
                continue
            self._known.add(index)
            for curve in self._arcs_of(index):
                leg = curve.leg
                assert isinstance(leg, Arc)
                new = True
                self.arcs.append(curve)
                begin = leg.begin if leg.sweep >= 0.0 else leg.begin + leg.sweep
                sweep = abs(leg.sweep)
                self._arc_floats += [leg.cx, leg.cy, leg.radius, begin, sweep, curve.right]
                ends = [-1, -1]
                if not curve.closed:
                    for k, angle in enumerate((begin, begin + sweep)):
                        ends[k] = self._at(
                            leg.cx + leg.radius * math.cos(angle),
                            leg.cy + leg.radius * math.sin(angle),
                        )
                self._arc_ints += [*ends, int(curve.closed)]
        return new

    def graph(self, x: float, y: float, far: float, compiled: bool) -> Graph:
        """The graph for a search from a start, arcs within a distance of it taken in."""
        if self._near(x, y, far):
            self._made.pop("arcs", None)
        floats, ints = backends.floats, backends.ints
        if "nodes" not in self._made:
            begins, others, costs = [0], [], []
            # The start has one to where a portal is entered there.
            for links in (*self._links, [(other, 0.0) for other in self._begins]):
                others += [other for other, _ in links]
                costs += [cost for _, cost in links]
                begins.append(len(others))
            self._made["nodes"] = (
                floats([*self.nodes, *(0.0,) * NODE], compiled),
                ints([*self.on, -1], compiled),
                ints(begins, compiled),
                ints(others, compiled),
                floats(costs, compiled),
            )
        if "arcs" not in self._made:
            self._made["arcs"] = (
                floats(self._arc_floats, compiled),
                ints(self._arc_ints, compiled),
            )
        return Graph(*self._made["nodes"], *self._made["arcs"])
