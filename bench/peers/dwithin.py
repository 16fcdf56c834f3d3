"""Is a swept disc clear? Distance tests of shapely on prepared geometry."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely import MultiPoint

from bench.tables import Table

__all__ = ["Prepared"]


class Prepared:
    """Terrain as one prepared union, models as prepared points; a path is a ready LineString."""

    def __init__(self, table: Table) -> None:
        self.terrain = shapely.union_all(table.shapes)
        self.models = MultiPoint([(x, y) for x, y, _ in table.discs])
        self.near = table.radius
        self.apart = table.radius + table.discs[0][2]
        shapely.prepare(self.terrain)
        shapely.prepare(self.models)

    def many(self, lines: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Whether each path is clear; models are asked only about paths that terrain lets pass."""
        clear: npt.NDArray[np.bool_] = ~shapely.dwithin(self.terrain, lines, self.near)
        left = np.nonzero(clear)[0]
        clear[left] = ~shapely.dwithin(self.models, lines[left], self.apart)
        return clear

    def one(self, line: shapely.LineString) -> bool:
        """Whether one path is clear."""
        return not (
            shapely.dwithin(self.terrain, line, self.near)
            or shapely.dwithin(self.models, line, self.apart)
        )
