"""State of others after a model moved: offset, union, triangulation, all by GEOS."""

from __future__ import annotations

import shapely
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from bench.tables import Table

__all__ = ["Offset"]


class Offset:
    """Offsets of terrain are kept; those of models and the union are made anew."""

    def __init__(self, table: Table, quad_segs: int = 8) -> None:
        self.table, self.quad_segs = table, quad_segs
        r = table.radius
        self.terrain = [shape.buffer(r, quad_segs=quad_segs) for shape in table.shapes]
        self.inset = box(r, r, table.width - r, table.depth - r)

    def free(self, discs: list[tuple[float, float, float]]) -> BaseGeometry:
        """Free space with the models where they are now."""
        r = self.table.radius
        grown = [
            shapely.Point(x, y).buffer(size + r, quad_segs=self.quad_segs) for x, y, size in discs
        ]
        return self.inset.difference(shapely.union_all(self.terrain + grown))

    def mesh(self, discs: list[tuple[float, float, float]]) -> BaseGeometry:
        """The same cut into triangles, as a router on a mesh needs it."""
        return shapely.constrained_delaunay_triangles(self.free(discs))
