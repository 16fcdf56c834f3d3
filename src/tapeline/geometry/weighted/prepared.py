"""Ground of several factors prepared for one radius: obstacles, borders, and arrays for kernels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle, Wall
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line, box_of
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.weighted.arrays import Areas, Clearance
from tapeline.geometry.weighted.curves import Curve, GrownObstacles, arcs_of, borders_of
from tapeline.geometry.weighted.graph import STEP, Net
from tapeline.geometry.weighted.leg_cost import Barriers
from tapeline.geometry.weighted.regions import WeightedGround, WeightedRing

__all__ = ["Prepared"]

#: A box that holds everything.
EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)


class Prepared:
    """Ground with factors, for a disc of radius r on a field: what all searches over it share.

    zones: discs (x, y, radius) that the disc's centre keeps out of. slack: how deep in an obstacle
    still counts as clear of it (length). borders: curves between factors, where free of obstacles;
    factors: all that occur, ascending.
    Raises ShapeError for a radius that will not do.
    """

    def __init__(
        self,
        field: Field,
        r: float,
        ground: WeightedGround,
        zones: Iterable[Circle] = (),
        slack: float = SLACK,
    ) -> None:
        self.obstacles = GrownObstacles(field, r, zones, slack)
        self.ground = ground
        self.changes = borders_of(ground, self.obstacles) if ground.areas else []
        self.borders: list[Curve] = [curve for curve in self.changes if curve.free]
        self._arcs: dict[int, list[Curve]] = {}
        factors = {1.0}
        for curve in self.changes:
            factors |= {curve.left, curve.right}
        factors |= {area.factor for area in ground.areas}
        self.factors = sorted(factors)
        self._whole: dict[bool, tuple[Areas, Barriers]] = {}
        self._rank = {f: k for k, f in enumerate(self.factors)}

    @cached_property
    def _net(self) -> Net:
        """The nodes and arcs over which costs spread, made once."""
        return Net(self.ground, self.obstacles, self.borders, self.arcs_of_circle)

    def net_from(self, start: tuple[float, float]) -> Net:
        """The net for a search from a start: one of its own where a border is near it."""
        x, y = start
        for curve, (x0, y0, x1, y1) in zip(self.borders, self._boxes, strict=True):
            near = x0 - STEP < x < x1 + STEP and y0 - STEP < y < y1 + STEP
            if near and nearest_to_point(curve.leg, x, y).distance < STEP:
                return self.own_net(start)
        return self._net

    @cached_property
    def _boxes(self) -> list[Box]:
        return [box_of(curve.leg) for curve in self.borders]

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
            bits |= 1 << self._rank[f]
        return bits

    def areas(self, compiled: bool, box: Box = EVERYWHERE) -> Areas:
        """The ground as kernels take it: of borders and areas what may lie in a box."""
        x0, y0, x1, y1 = box
        borders: list[float] = []
        for ax, ay, bx, by, sag in self._chords:
            if (
                max(ax, bx) > x0 - sag
                and min(ax, bx) < x1 + sag
                and max(ay, by) > y0 - sag
                and min(ay, by) < y1 + sag
            ):
                borders += (ax, ay, bx, by, sag)
        rings: list[float] = []
        begins, ranks = [0], []
        circles: list[float] = []
        for area, (u0, v0, u1, v1) in zip(self.ground.areas, self.ground.boxes, strict=True):
            if not (u0 < x1 and u1 > x0 and v0 < y1 and v1 > y0):
                continue
            if isinstance(area, WeightedRing):
                rings += (u0, v0, u1, v1, *area.ring)
                begins.append(len(rings))
                ranks.append(self._rank[area.factor])
            else:
                circles += (area.x, area.y, area.radius, self._rank[area.factor])
        areas = Areas(borders, rings, begins, ranks, circles, self.factors)
        return backends.converted(areas, compiled)

    @cached_property
    def _chords(self) -> list[Wall]:
        """Where the factor changes: segments, or short chords of arcs, and their sagittas."""
        found: list[Wall] = []
        for leg in (curve.leg for curve in self.changes):
            if isinstance(leg, Line):
                found.append((leg.ax, leg.ay, leg.bx, leg.by, 0.0))
                continue
            n = max(1, math.ceil(abs(leg.sweep) / (math.pi / 8.0)))
            sag = leg.radius * (leg.sweep / n) ** 2 / 8.0
            places = [leg.at(leg.length * k / n) for k in range(n + 1)]
            found += [(*a, *b, sag) for a, b in pairwise(places)]
        return found

    def _barriers(self, compiled: bool) -> Barriers:
        """What the disc keeps out of, as kernels take it."""
        obstacles = self.obstacles
        edges = [v for edge in obstacles.edges for v in edge]
        rings: list[float] = []
        begins = [0]
        for ring in obstacles.grounds:
            xs, ys = ring[0::2], ring[1::2]
            rings += (min(xs), min(ys), max(xs), max(ys), *ring)
            begins.append(len(rings))
            for i in range(0, len(ring), 2):
                edges += (ring[i - 2], ring[i - 1], ring[i], ring[i + 1], 0.0)
        discs = [v for disc in obstacles.discs for v in disc]
        return backends.converted(Barriers(edges, discs, rings, begins), compiled)

    def whole(self, compiled: bool) -> tuple[Areas, Barriers]:
        """All areas and barriers, made once."""
        found = self._whole.get(compiled)
        if found is None:
            found = self._whole[compiled] = self.areas(compiled), self._barriers(compiled)
        return found

    @cached_property
    def clearance(self) -> Clearance:
        """What the disc keeps clear of, as kernels take it."""
        query = self.obstacles.query
        return Clearance(float(query.r), float(query.slack), query.board)
