"""extremitypathfinder on polygonised offsets: exact for its polygons, slow to prepare."""

from __future__ import annotations

import numpy as np
import shapely
from extremitypathfinder import PolygonEnvironment
from shapely.geometry.polygon import orient

from bench.peers.visibility import free_space
from bench.tables import Pair, Point, Table

__all__ = ["Extremities"]


class Extremities:
    """The largest part of the free space, prepared."""

    def __init__(self, table: Table, quad_segs: int = 8) -> None:
        free = free_space(
            table.shapes, table.discs, table.radius, table.width, table.depth, quad_segs
        )
        part = max(shapely.get_parts(free), key=lambda one: float(one.area))
        part = orient(shapely.remove_repeated_points(part, 1e-6))
        self.part = part.buffer(-1e-6, join_style="mitre")
        shapely.prepare(self.part)
        self.space = PolygonEnvironment()
        self.space.store(
            np.asarray(part.exterior.coords)[:-1],
            [np.asarray(hole.coords)[:-1] for hole in part.interiors],
            validate=False,
        )

    def holds(self, pair: Pair) -> bool:
        """Whether both ends lie in the part."""
        return bool(all(self.part.covers(shapely.Point(end)) for end in pair))

    def length(self, start: Point, goal: Point) -> float:
        """Length of the shortest path, inf if there is none."""
        found = self.space.find_shortest_path(start, goal)[1]
        return float("inf") if found is None else float(found)
