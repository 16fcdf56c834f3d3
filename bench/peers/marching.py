"""Fast marching on a raster (scikit-fmm): how far it is to every cell, as good as the grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
import skfmm
from shapely import Polygon

from bench.peers.visibility import free_space
from bench.tables import Point, Table

__all__ = ["Raster"]


class Raster:
    """A window of the table round a start, cells of side h; making it is not part of the query."""

    def __init__(
        self,
        table: Table,
        start: Point,
        budget: float,
        h: float,
        slow: Sequence[tuple[Polygon, float]] = (),
    ) -> None:
        self.h, self.budget = h, budget
        n = math.ceil(budget / h) + 4
        self.xs = start[0] + h * np.arange(-n, n + 1)
        self.ys = start[1] + h * np.arange(-n, n + 1)
        r = table.radius
        free = free_space(table.shapes, table.discs, r, table.width, table.depth)
        shapely.prepare(free)
        x, y = np.meshgrid(self.xs, self.ys)
        self.blocked: npt.NDArray[np.bool_] = ~shapely.contains_xy(free, x, y)
        # The start is the zero line of a small circle: distances to it are exact near by.
        self.start_radius = 2.0 * h
        phi = np.hypot(x - start[0], y - start[1]) - self.start_radius
        self.phi: Any = np.ma.array(phi, mask=self.blocked)
        self.speed = np.ones_like(phi)
        for shape, factor in slow:
            shapely.prepare(shape)
            self.speed[shapely.contains_xy(shape, x, y)] = 1.0 / factor
        # What the circle about the start costs, exact when the start is on ground of one factor.
        self.offset = self.start_radius / float(self.speed[n, n])

    def march(self) -> npt.NDArray[np.float64]:
        """Lengths to all cells, nan beyond the budget or out of reach: (rows by y, by x)."""
        times: Any = skfmm.travel_time(self.phi, self.speed, dx=self.h, order=2, narrow=self.budget)
        found: npt.NDArray[np.float64] = np.asarray(times.filled(np.nan)) + self.offset
        return found
