"""Everywhere a disc can get to over slow ground within a budget, from one search.

    reach = slow.reach((3, 4), 12.0)
    reach.contains(9, 5), reach.cost(9, 5), reach.witness(9, 5), reach.outline()

`cost` is that of a way that can be gone, so what is told in reach is. How far it may be from the
least: ways are ranked by the nodes of the borders, which err by the square of their distance; of
every kind that comes close the best is slid to where it is cheapest, or as far as it can be gone.
That this is within EPS is tested, not proven: at 80,000 random places it was at most 0.00031 above
what `WeightedRouter.cheapest` had found. `route` proves its bracket place by place, by that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from tapeline.errors import ShapeError
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.weighted.branch_and_bound import WeightedRoute, cheapest
from tapeline.geometry.weighted.cost_search import RESOLUTION, CostSearch
from tapeline.geometry.weighted.prepared import Prepared

__all__ = ["EPS", "RESOLUTION", "WeightedOutline", "WeightedReach"]

#: Cost: how far a cost may be above the least.
EPS = 0.001


@dataclass(frozen=True, slots=True)
class WeightedOutline:
    """The border of a reach as rings of corners, the reach on their left: holes run clockwise.

    Corners cost the budget within eps, or are within eps of an obstacle; each can be got to. A
    chord spans one square of side `resolution`; parts apart from the
    rest and narrower than four of them may be missed.
    area: of the rings, square units.
    """

    rings: tuple[tuple[tuple[float, float], ...], ...]
    eps: float
    area: float
    resolution: float


class WeightedReach:
    """The places that cost a budget or less from a start, over ground with factors."""

    def __init__(
        self, slow: Prepared, start: tuple[float, float], budget: float, eps: float = EPS
    ) -> None:
        self.slow, self.start, self.budget, self.eps = slow, start, budget, eps
        self._open = budget >= 0.0 and slow.obstacles.free(*start)

    @cached_property
    def _search(self) -> CostSearch:
        # A little farther than asked, so that the border lies between known costs.
        return CostSearch(self.slow, self.start, self.budget + 2.0 * RESOLUTION)

    def search(self) -> None:
        """Search now rather than at the first question."""
        if self._open:
            _ = self._search

    def cost(self, x: float, y: float) -> float:
        """What a way to a place costs, no more than EPS above the least; infinity over the budget.

        Raises ShapeError for numbers that are not finite.
        """
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ShapeError("a place needs finite coordinates")
        if not self._open:
            return math.inf
        found = self._search.cost(float(x), float(y))
        return found if found <= self.budget else math.inf

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is in reach, with a way to show for it.

        A point whose least cost lies within EPS below the budget may be told out of reach; one
        told in reach is.
        """
        return self.cost(x, y) <= self.budget

    def witness(self, x: float, y: float) -> tuple[float, Path] | None:
        """A way to a place and what it costs, as `cost` says; None if that is over the budget."""
        price = self.cost(x, y)
        if math.isinf(price):
            return None
        path = self._search.path()
        paid = math.inf if path is None else self.slow.ground.cost(path)
        if path is None or abs(paid - price) > 1e-7:
            found = cheapest(self.slow, self.start, [PointGoal(x, y)], self.eps, self.budget)
            return None if found is None else (found.upper, found.path)
        return paid, path

    def known(self, x: float, y: float) -> tuple[float, Path] | None:
        """The way of `cost` as the ledger has it, be it over the budget; None if there is none."""
        if not (self._open and math.isfinite(x) and math.isfinite(y)):
            return None
        return self._search.known(float(x), float(y))

    def route(self, x: float, y: float) -> WeightedRoute | None:
        """The cheapest route to a point, its bracket proven; None if it surely costs too much."""
        if self.budget < 0.0:
            return None
        return cheapest(
            self.slow,
            self.start,
            [PointGoal(x, y)],
            self.eps,
            self.budget,
            known=[self.known(x, y)],
        )

    def excludes(self, x: float, y: float) -> bool:
        """Whether a point is surely out of reach; it may be told so only if that is proven."""
        return not self.contains(x, y) and self.route(x, y) is None

    def outline(self, eps: float = EPS, resolution: float = RESOLUTION) -> WeightedOutline:
        """The border as rings; for a budget of 0 there are none.

        Raises ShapeError for an eps or a resolution that will not do.
        """
        if not (1e-6 <= eps < math.inf and 1e-3 <= resolution < math.inf):
            raise ShapeError("eps must be 1e-6 or more and the resolution 0.001 or more")
        if not self._open or self.budget == 0.0:
            return WeightedOutline((), eps, 0.0, resolution)
        level = self.budget
        rings, areas = self._search.outline(self.start, level, level, eps, resolution)
        return WeightedOutline(tuple(rings), eps, math.fsum(areas), resolution)
