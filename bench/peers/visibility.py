"""Shortest paths of a disc as others do it: polygonised offset, visibility graph, Dijkstra."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import rustworkx
import shapely
from shapely import Polygon
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

__all__ = ["VisibilityGraph", "corners_of", "free_space", "lazy_length"]

Points = npt.NDArray[np.float64]


def free_space(
    shapes: Sequence[Polygon],
    discs: Sequence[tuple[float, float, float]],
    radius: float,
    width: float,
    depth: float,
    quad_segs: int = 8,
    outside: bool = False,
) -> BaseGeometry:
    """Where the centre of a disc may be, arcs cut into chords.

    outside: chords round the arcs (free space a hair too small) instead of inside them (too large).
    """
    k = 1.0 / math.cos(math.pi / (4 * quad_segs)) if outside else 1.0
    grown = [shape.buffer(k * radius, quad_segs=quad_segs) for shape in shapes]
    grown += [
        shapely.Point(x, y).buffer(k * (r + radius), quad_segs=quad_segs) for x, y, r in discs
    ]
    inset = box(radius, radius, width - radius, depth - radius)
    return inset.difference(shapely.union_all(grown))


def corners_of(free: BaseGeometry) -> Points:
    """All corners of polygons."""
    rings = []
    for part in shapely.get_parts(free):
        if isinstance(part, Polygon) and not part.is_empty:
            rings.append(part.exterior)
            rings.extend(part.interiors)
    return np.vstack([np.asarray(ring.coords)[:-1] for ring in rings] or [np.empty((0, 2))])


def _seen(free: BaseGeometry, point: Points, others: Points) -> npt.NDArray[np.bool_]:
    lines = np.empty((len(others), 2, 2))
    lines[:, 0] = point
    lines[:, 1] = others
    found: npt.NDArray[np.bool_] = shapely.contains_properly(free, shapely.linestrings(lines))
    return found


def lazy_length(
    free: BaseGeometry, start: tuple[float, float], goal: tuple[float, float], limit: float
) -> float:
    """Length of the shortest path in polygonal free space, inf above `limit`; no preparation.

    A* over the corners near enough to matter: slow, but nothing is built for the whole table.
    """
    straight = math.dist(start, goal)
    if straight > limit:
        return math.inf
    x, y = 0.5 * (start[0] + goal[0]), 0.5 * (start[1] + goal[1])
    h = 0.5 * limit + 1e-6
    window = box(x - h, y - h, x + h, y + h)
    cut = free.intersection(window)
    near = cut.buffer(1e-7, join_style="mitre")
    shapely.prepare(near)
    ends = np.array([start, goal])
    points = corners_of(cut)
    detour = np.hypot(*(points - ends[0]).T) + np.hypot(*(points - ends[1]).T)
    points = np.vstack([ends, points[detour <= limit + 1e-6]])
    left = np.hypot(*(points - ends[1]).T)
    best = {0: 0.0}
    heap = [(straight, 0)]
    done = set()
    while heap:
        estimate, i = heapq.heappop(heap)
        if estimate > limit + 1e-6:
            break
        if i == 1:
            return best[1]
        if i in done:
            continue
        done.add(i)
        steps = np.hypot(*(points - points[i]).T)
        likely = np.nonzero(best[i] + steps + left <= limit + 1e-6)[0]
        for j in likely[_seen(near, points[i], points[likely])]:
            cost = best[i] + float(steps[j])
            if cost < best.get(int(j), math.inf):
                best[int(j)] = cost
                heapq.heappush(heap, (cost + float(left[j]), int(j)))
    return math.inf


class VisibilityGraph:
    """All pairs of corners that see each other; a query joins its two ends and searches."""

    def __init__(self, free: BaseGeometry) -> None:
        self.free = free.buffer(1e-7, join_style="mitre")
        shapely.prepare(self.free)
        self.corners = corners_of(free)
        n = len(self.corners)
        self.graph: Any = rustworkx.PyGraph(multigraph=False)
        self.graph.add_nodes_from(range(n))
        edges = []
        for i in range(n - 1):
            rest = self.corners[i + 1 :]
            seen = _seen(self.free, self.corners[i], rest)
            lengths = np.hypot(*(rest[seen] - self.corners[i]).T)
            others = np.nonzero(seen)[0] + i + 1
            edges += [(i, int(j), float(w)) for j, w in zip(others, lengths, strict=True)]
        self.graph.add_edges_from(edges)

    def length(
        self,
        start: tuple[float, float],
        goal: tuple[float, float],
        limit: float = math.inf,
    ) -> float:
        """Length of the shortest path, inf if there is none. The graph is as before afterwards.

        limit: only corners that a path so long could touch are joined to the ends.
        """
        a, b = np.asarray(start), np.asarray(goal)
        if _seen(self.free, a, b[None])[0]:
            return float(np.hypot(*(b - a)))
        s, g = self.graph.add_node(-1), self.graph.add_node(-2)
        joined = np.arange(len(self.corners))
        if math.isfinite(limit):
            way = np.hypot(*(self.corners - a).T) + np.hypot(*(self.corners - b).T)
            joined = np.nonzero(way <= limit)[0]
        for node, point in ((s, a), (g, b)):
            seen = joined[_seen(self.free, point, self.corners[joined])]
            lengths = np.hypot(*(self.corners[seen] - point).T)
            self.graph.add_edges_from(
                [(node, int(j), float(w)) for j, w in zip(seen, lengths, strict=True)]
            )
        found = rustworkx.dijkstra_shortest_path_lengths(self.graph, s, float, g)
        self.graph.remove_nodes_from([s, g])
        return float(found[g]) if g in found else float("inf")
