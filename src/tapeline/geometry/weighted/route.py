"""Least-cost routes of a disc among obstacles over ground of several factors, bracketed.

    mud, mire = WeightedRing((8, 0, 16, 0, 16, 9, 8, 9), 2.0), WeightedDisc(20, 5, 2.5, 4.0)
    ground = WeightedGround([mud, mire])
    slow = WeightedRouter(field, r, ground)
    route = slow.cheapest((3, 4), [PointGoal(30, 6)])
    route.lower <= least cost <= route.upper, route.upper - route.lower <= 0.001

The upper bound is the cost of `route.path`, free of obstacles, as the ledger of the ground has it.
Why the lower bound is one: see `branch_and_bound`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.errors import ShapeError
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.weighted.branch_and_bound import EPS, WeightedRoute, cheapest
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.reach import WeightedReach

__all__ = ["EPS", "WeightedRoute", "WeightedRouter"]


class WeightedRouter(Prepared):
    """Routes of a disc of radius r on a field, over ground with factors; ask as often as you like.

    Made as `Prepared` is.
    """

    def cheapest(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        eps: float = EPS,
        limit: float = math.inf,
        work: int = 400_000,
        known: Sequence[tuple[float, Path] | None] = (),
    ) -> WeightedRoute | None:
        """The least-cost route to the cheapest of the goals, None if none costs `limit` or less.

        A route whose bracket holds `limit` is given. work: legs looked at before WorkLimitError.
        known: for each goal a way that can be gone and its cost; without, one is looked for where
        the bounds do not close.
        Raises ShapeError for numbers that are nan, and for an eps that is not above 0.
        """
        return cheapest(self, start, goals, eps, limit, work, known)

    def reach(self, start: tuple[float, float], budget: float, eps: float = EPS) -> WeightedReach:
        """All places that cost `budget` or less from a start."""
        if math.isnan(budget) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the budget a number")
        return WeightedReach(self, start, budget, eps)
