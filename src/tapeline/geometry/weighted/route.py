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

from tapeline.errors import ShapeError
from tapeline.geometry.weighted.branch_and_bound import EPS, WeightedRoute, cheapest
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.reach import WeightedReach

__all__ = ["EPS", "WeightedRoute", "WeightedRouter"]


class WeightedRouter(Prepared):
    """Routes of a disc of radius r on a field, over ground with factors; ask as often as you like.

    Made as `Prepared` is.
    """

    cheapest = cheapest

    def reach(self, start: tuple[float, float], budget: float, eps: float = EPS) -> WeightedReach:
        """All places that cost `budget` or less from a start."""
        if math.isnan(budget) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the budget a number")
        return WeightedReach(self, start, budget, eps)
