"""Least-cost routes of a disc among obstacles over ground of several factors, bracketed.

    ground = Ground([SlowRing((8, 0, 16, 0, 16, 9, 8, 9), 2.0), SlowDisc(20, 5, 2.5, 4.0)])
    slow = SlowRouter(field, r, ground)
    route = slow.cheapest((3, 4), [PointGoal(30, 6)])
    route.lower <= least cost <= route.upper, route.upper - route.lower <= 0.001

The upper bound is the cost of `route.path`, free of obstacles and costed by `Ground.ledger`. Why
the lower bound is one: see `bracketing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import gears
from tapeline.geometry.discs.field import SLACK, Circle, Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.legs import Line, Path
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.slow.borders import Curve, Obstacles, arcs_of, borders_of
from tapeline.geometry.slow.bracketing import Bracketing, SlowRoute
from tapeline.geometry.slow.ground import Ground, SlowDisc, SlowRing
from tapeline.geometry.slow.net import STEP, Net
from tapeline.geometry.slow.reach import SlowReach

__all__ = ["EPS", "SlowRoute", "SlowRouter"]

#: Cost: how far the bounds of an answer may lie apart unless said otherwise.
EPS = 0.001


class SlowRouter:
    """Routes of a disc of radius r on a field, over ground with factors; ask as often as you like.

    zones: discs (x, y, radius) that the disc's centre keeps out of. slack: how deep in an obstacle
    still counts as clear of it (length). Of a `route.Router` give its `field` and r = 0.
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
        self._changes = borders_of(ground, self.obstacles) if ground.areas else []
        self.borders: list[Curve] = [curve for curve in self._changes if curve.free]
        self._arcs: dict[int, list[Curve]] = {}
        factors = {1.0}
        for curve in self._changes:
            factors |= {curve.left, curve.right}
        factors |= {area.factor for area in ground.areas}
        self.factors = sorted(factors)
        self._bit = {f: k for k, f in enumerate(self.factors)}
        self._world_cache: dict[bool, tuple[Any, ...]] = {}
        self._net: Net | None = None

    @property
    def net(self) -> Net:
        """The nodes and arcs over which costs spread, made once."""
        if self._net is None:
            self._net = Net(self.ground, self.obstacles, self.borders, self._arcs_of)
        return self._net

    def net_from(self, start: tuple[float, float]) -> Net:
        """The net for a search from a start: one of its own where a border is near it."""
        if all(nearest_to_point(c.leg, *start).distance >= STEP for c in self.borders):
            return self.net
        return Net(self.ground, self.obstacles, self.borders, self._arcs_of, start=start)

    def cheapest(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        eps: float = EPS,
        limit: float = math.inf,
        work: int = 400_000,
        known: Sequence[tuple[float, Path] | None] = (),
    ) -> SlowRoute | None:
        """The least-cost route to the cheapest of the goals, None if none costs `limit` or less.

        A route whose bracket holds `limit` is given. work: legs looked at before WorkLimitError.
        known: for each goal a way that can be gone and its cost; without, one is looked for where
        the bounds do not close.
        Raises ShapeError for numbers that are nan, and for an eps that is not above 0.
        """
        if not (eps > 0.0 and math.isfinite(eps)):
            raise ShapeError("eps is above 0")
        if math.isnan(limit) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the limit a number")
        start = (float(start[0]), float(start[1]))
        lower = math.inf
        best: SlowRoute | None = None
        for number, goal in enumerate(goals):
            numbers = [goal.x, goal.y]
            if isinstance(goal, CircleGoal):
                numbers.append(goal.radius)
            if not all(math.isfinite(v) for v in numbers):
                raise ShapeError("a goal needs finite coordinates")
            if isinstance(goal, PointGoal):
                goal = PointGoal(float(goal.x), float(goal.y))
            cap = limit if best is None else min(limit, best.upper)
            found = self._bracketed(start, goal, eps, work, cap, dict(enumerate(known)).get(number))
            if found is None:
                lower = min(lower, cap)
                continue
            lower = min(lower, found.lower)
            if best is None or found.upper < best.upper:
                best = SlowRoute(found.lower, found.upper, found.path, found.ledger, number)
        if best is None or best.lower > limit:
            return None
        return SlowRoute(min(lower, best.lower), best.upper, best.path, best.ledger, best.goal)

    def _bracketed(
        self,
        start: tuple[float, float],
        goal: Goal,
        eps: float,
        work: int,
        limit: float,
        known: tuple[float, Path] | None,
    ) -> SlowRoute | None:
        try:
            return Bracketing(self, start, goal, eps, work).run(limit, known)
        except WorkLimitError:
            if known is not None or not isinstance(goal, PointGoal):
                raise
            direct = self.obstacles.shortest(start, [goal], limit)
            if direct is None:
                raise
            # A search of another kind may know a cheaper way than this one came upon.
            reach = self.reach(start, min(limit, self.ground.cost(direct.path)))
            known = reach.known(goal.x, goal.y)
            if known is None:
                raise
        return Bracketing(self, start, goal, eps, work).run(limit, known)

    def reach(self, start: tuple[float, float], budget: float, eps: float = EPS) -> SlowReach:
        """All places that cost `budget` or less from a start."""
        if math.isnan(budget) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the budget a number")
        return SlowReach(self, start, budget, eps)

    def _arcs_of(self, index: int) -> list[Curve]:
        found = self._arcs.get(index)
        if found is None:
            found = arcs_of(self.obstacles, index, self.ground, self.borders)
            self._arcs[index] = found
        return found

    def _bits(self, factors: Sequence[float]) -> int:
        bits = 0
        for f in factors:
            bits |= 1 << self._bit[f]
        return bits

    def _world(self, compiled: bool) -> tuple[Any, ...]:
        """Everything that does not change from query to query, from WT on."""
        found = self._world_cache.get(compiled)
        if found is not None:
            return found
        lines: list[float] = []
        for curve in self._changes:
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
        floats, ints = gears.floats, gears.ints
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
