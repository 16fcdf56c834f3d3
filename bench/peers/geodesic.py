"""Shortest paths on a folded surface by pygeodesic: the exact algorithm of Mitchell, Mount and
Papadimitriou (1987), for points, with nothing in the way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from pygeodesic import geodesic

__all__ = ["Surface"]

Point3: TypeAlias = tuple[float, float, float]
#: Length: corners this near to each other are one.
_SAME = 9


class Surface:
    """Convex facets that share edges, cut into triangles about a place inside each."""

    def __init__(self, facets: Iterable[tuple[Sequence[Point3], Point3]]) -> None:
        """facets: corners in order, all that lie on its border among them, and a place inside."""
        self._numbers: dict[tuple[float, ...], int] = {}
        points: list[Point3] = []
        faces: list[tuple[int, int, int]] = []

        def number(point: Point3) -> int:
            key = tuple(round(v, _SAME) for v in point)
            if key not in self._numbers:
                self._numbers[key] = len(points)
                points.append(point)
            return self._numbers[key]

        for corners, inside in facets:
            ring, middle = [number(corner) for corner in corners], number(inside)
            faces += ((ring[k - 1], ring[k], middle) for k in range(len(ring)))
        #: Its corners, and the numbers of those of each triangle.
        self.points, self.faces = points, faces
        self._number = number
        self._search: Any = geodesic.PyGeodesicAlgorithmExact(np.array(points), np.array(faces))

    def length(self, start: Point3, goal: Point3) -> float:
        """Of the shortest path between two of its places, inf without one."""
        found = self._search.geodesicDistance(self._number(start), self._number(goal))
        return math.inf if found is None or found[0] is None else float(found[0])
