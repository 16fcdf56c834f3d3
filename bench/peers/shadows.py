"""The region seen from a point, by shapely: the table less the shadow of every edge."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

__all__ = ["Shadows"]


class Shadows:
    """Outlines ready for many eyes; the table's border closes every view."""

    def __init__(self, shapes: Sequence[Polygon], width: float, depth: float) -> None:
        self.frame = box(0.0, 0.0, width, depth)
        self.far = 4.0 * math.hypot(width, depth)
        self.shapes = list(shapes)
        rings = [np.asarray(shape.exterior.coords) for shape in shapes]
        self.edges = np.concatenate([np.stack([r[:-1], r[1:]], axis=1) for r in rings])

    def seen_from(self, eye: tuple[float, float]) -> BaseGeometry:
        """The region seen, exact for polygons."""
        e = np.asarray(eye)
        d = self.edges - e
        turn = d[:, 0, 0] * d[:, 1, 1] - d[:, 0, 1] * d[:, 1, 0]
        use = np.abs(turn) > 1e-12  # edges seen from their end cast no shadow
        near, d = self.edges[use], d[use]
        far = e + d / np.linalg.norm(d, axis=2, keepdims=True) * self.far
        quads = np.stack([near[:, 0], near[:, 1], far[:, 1], far[:, 0]], axis=1)
        shadows = shapely.union_all([*shapely.polygons(quads), *self.shapes])
        return self.frame.difference(shadows)
