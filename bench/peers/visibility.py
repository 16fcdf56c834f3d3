"""Shortest paths of a disc as others do it: polygonised offset, visibility graph, Dijkstra."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rustworkx
import shapely
from shapely import Polygon
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

__all__ = ["VisibilityGraph", "free_space"]


def free_space(
    shapes: Sequence[Polygon],
    discs: Sequence[tuple[float, float, float]],
    radius: float,
    width: float,
    depth: float,
    quad_segs: int = 8,
) -> BaseGeometry:
    """Where the centre of a disc may be, arcs cut into chords (inscribed: a hair too large)."""
    grown = [shape.buffer(radius, quad_segs=quad_segs) for shape in shapes]
    grown += [shapely.Point(x, y).buffer(r + radius, quad_segs=quad_segs) for x, y, r in discs]
    inset = box(radius, radius, width - radius, depth - radius)
    return inset.difference(shapely.union_all(grown))


class VisibilityGraph:
    """All pairs of corners that see each other; a query joins its two ends and searches."""

    def __init__(self, free: BaseGeometry) -> None:
        self.free = free.buffer(1e-7)
        shapely.prepare(self.free)
        rings = []
        for part in shapely.get_parts(free):
            rings.append(part.exterior)
            rings.extend(part.interiors)
        self.corners = np.vstack([np.asarray(ring.coords)[:-1] for ring in rings])
        n = len(self.corners)
        self.graph = rustworkx.PyGraph(multigraph=False)
        self.graph.add_nodes_from(range(n))
        edges = []
        for i in range(n - 1):
            rest = self.corners[i + 1 :]
            seen = self._sees(self.corners[i], rest)
            lengths = np.hypot(*(rest[seen] - self.corners[i]).T)
            others = np.nonzero(seen)[0] + i + 1
            edges += [(i, int(j), float(w)) for j, w in zip(others, lengths, strict=True)]
        self.graph.add_edges_from(edges)

    def _sees(self, point: np.ndarray, others: np.ndarray) -> np.ndarray:
        lines = np.empty((len(others), 2, 2))
        lines[:, 0] = point
        lines[:, 1] = others
        found: np.ndarray = shapely.covers(self.free, shapely.linestrings(lines))
        return found

    def length(self, start: tuple[float, float], goal: tuple[float, float]) -> float:
        """Length of the shortest path, inf if there is none."""
        a, b = np.asarray(start), np.asarray(goal)
        if self._sees(a, b[None])[0]:
            return float(np.hypot(*(b - a)))
        graph = self.graph.copy()
        s, g = graph.add_node(-1), graph.add_node(-2)
        for node, point in ((s, a), (g, b)):
            seen = np.nonzero(self._sees(point, self.corners))[0]
            lengths = np.hypot(*(self.corners[seen] - point).T)
            graph.add_edges_from(
                [(node, int(j), float(w)) for j, w in zip(seen, lengths, strict=True)]
            )
        found = rustworkx.dijkstra_shortest_path_lengths(graph, s, float, g)
        return float(found[g]) if g in found else float("inf")
