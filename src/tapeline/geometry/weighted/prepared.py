"""Ground of several factors prepared for one radius: obstacles, borders, and arrays for kernels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.weighted.curves import Curve, Obstacles, arcs_of, borders_of
from tapeline.geometry.weighted.graph import STEP, Net
from tapeline.geometry.weighted.regions import Ground, SlowDisc, SlowRing

__all__ = ["Prepared"]


class Prepared:
    """Ground with factors, for a disc of radius r on a field: what all searches over it share.

    zones, slack: as of `SlowRouter`. borders: curves between factors, where free of obstacles;
    factors: all that occur, ascending.
    Raises ShapeError for a radius that will not do.
    """

    def __init__(
        self,
        field: Field,
        r: float,
        ground: Ground,
        zones: Iterable[Circle] = (),
        slack: float = SLACK,
    ) -> None:
        self.obstacles = Obstacles(field, r, zones, slack)
        self.ground = ground
        self.changes = borders_of(ground, self.obstacles) if ground.areas else []
        self.borders: list[Curve] = [curve for curve in self.changes if curve.free]
        self._arcs: dict[int, list[Curve]] = {}
        factors = {1.0}
        for curve in self.changes:
            factors |= {curve.left, curve.right}
        factors |= {area.factor for area in ground.areas}
        self.factors = sorted(factors)
        self._bit = {f: k for k, f in enumerate(self.factors)}
        self._world_cache: dict[bool, tuple[Any, ...]] = {}
        self._net: Net | None = None

    @property
    def known_net(self) -> Net | None:
        """The net, if it is made."""
        return self._net

    @property
    def net(self) -> Net:
        """The nodes and arcs over which costs spread, made once."""
        if self._net is None:
            self._net = Net(self.ground, self.obstacles, self.borders, self.arcs_of_circle)
        return self._net

    def net_from(self, start: tuple[float, float]) -> Net:
        """The net for a search from a start: one of its own where a border is near it."""
        if all(nearest_to_point(c.leg, *start).distance >= STEP for c in self.borders):
            return self.net
        return self.own_net(start)

    def own_net(self, start: tuple[float, float]) -> Net:
        """A net for a search from this start alone."""
        return Net(self.ground, self.obstacles, self.borders, self.arcs_of_circle, start=start)

    def arcs_of_circle(self, index: int) -> list[Curve]:
        """The free arcs of a circle of the obstacles, cut where ground changes."""
        found = self._arcs.get(index)
        if found is None:
            found = arcs_of(self.obstacles, index, self.ground, self.borders)
            self._arcs[index] = found
        return found

    def bits(self, factors: Sequence[float]) -> int:
        """Which of the factors these are, one bit each."""
        bits = 0
        for f in factors:
            bits |= 1 << self._bit[f]
        return bits

    def world(self, compiled: bool) -> tuple[Any, ...]:
        """Everything that does not change from query to query, from WT on."""
        found = self._world_cache.get(compiled)
        if found is not None:
            return found
        lines: list[float] = []
        for curve in self.changes:
            leg = curve.leg
            if isinstance(leg, Line):
                lines += [leg.ax, leg.ay, leg.bx, leg.by, 0.0]
                continue
            n = max(1, math.ceil(abs(leg.sweep) / (math.pi / 8.0)))
            for k in range(n):
                a = leg.at(leg.length * k / n)
                b = leg.at(leg.length * (k + 1) / n)
                lines += [*a, *b, leg.radius * (leg.sweep / n) ** 2 / 8.0]
        edges = [v for edge in self.obstacles.edges for v in edge]
        discs = [v for disc in self.obstacles.discs for v in disc]
        barred: list[float] = []
        where = [0]
        for ring in self.obstacles.grounds:
            barred += ring
            where.append(len(barred))
            for i in range(0, len(ring), 2):
                edges += [ring[i - 2], ring[i - 1], ring[i], ring[i + 1], 0.0]
        rings: list[float] = []
        begins = [0]
        factors: list[int] = []
        circles: list[float] = []
        for area in self.ground.areas:
            if isinstance(area, SlowRing):
                rings += area.ring
                begins.append(len(rings))
                factors.append(self._bit[area.factor])
            elif isinstance(area, SlowDisc):
                circles += [area.x, area.y, area.radius, self._bit[area.factor]]
        floats, ints = backends.floats, backends.ints
        found = (
            floats(self.factors, compiled),
            floats(lines, compiled),
            floats(edges, compiled),
            floats(discs, compiled),
            floats(barred, compiled),
            ints(where, compiled),
            floats(rings, compiled),
            ints(begins, compiled),
            ints(factors, compiled),
            floats(circles, compiled),
        )
        self._world_cache[compiled] = found
        return found
