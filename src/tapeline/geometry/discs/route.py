"""Routes among obstacles that each state how far the centre keeps from them.

A `Router` is a `Field` asked about a point: every obstacle comes already grown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tapeline.errors import ShapeError
from tapeline.geometry.discs.board import WORK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal, ShortestPath
from tapeline.geometry.discs.obstacles import Circle, Wall
from tapeline.geometry.discs.shortest_path import shortest
from tapeline.geometry.plane.distance import Ring

__all__ = ["Box", "CircleGoal", "Goal", "PointGoal", "Router", "ShortestPath", "Wall"]

#: Least x, least y, greatest x, greatest y.
Box: TypeAlias = tuple[float, float, float, float]


class Router:
    """Obstacles for discs of one size; ask it for as many routes as you like.

    rings: solid polygons and how far the centre keeps from each (the disc's radius, or 0 for
    ground that only the centre may not enter). walls: segments likewise. discs: round obstacles by
    the radius that the centre keeps from them. border: the box that the centre stays in.
    slack: how deep the centre may be inside an obstacle, to absorb rounding (length).
    Raises ShapeError for nan, infinity or a negative radius.
    """

    def __init__(
        self,
        rings: Iterable[tuple[Ring, float]] = (),
        discs: Iterable[Circle] = (),
        walls: Iterable[Wall] = (),
        border: Box | None = None,
        slack: float = 1e-9,
    ) -> None:
        solids, thick, grounds = [], [], []
        for ring, growth in rings:
            if not (math.isfinite(growth) and growth >= 0.0):
                raise ShapeError(f"the centre keeps 0 or more from a ring, not {growth}")
            if growth > 0.0:
                solids.append(ring)
                thick.append(growth)
            else:
                grounds.append(ring)
        self.slack = slack
        self.field = Field.of(
            solids=solids,
            thickness=thick,
            grounds=grounds,
            posts=discs,
            walls=walls,
            box=border if border is not None else (-math.inf, -math.inf, math.inf, math.inf),
        )

    def free(self, x: float, y: float) -> bool:
        """Whether the centre may be at a point."""
        return self.field.standable(x, y, 0.0, self.slack)

    def segment_free(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether the centre may go straight from one free point to another."""
        return self.field.straight(ax, ay, bx, by, 0.0, self.slack)

    def shortest(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        limit: float = math.inf,
        work: int = WORK,
    ) -> ShortestPath | None:
        """The shortest route from a point to the nearest of the goals, None if there is none.

        limit: routes longer than this are not looked for. work: states made before WorkLimitError.
        Raises ShapeError for coordinates that are not finite.
        """
        answer = shortest(self.field, start, goals, 0.0, limit=limit, slack=self.slack, work=work)
        return answer.route
