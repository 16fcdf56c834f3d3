"""Shortest routes against polygonised offsets: never shorter than free space a hair too large
allows, never longer than free space a hair too small allows. Uses shapely only."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry import box

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal

pytestmark = pytest.mark.compiled

TABLE = 24.0


def visibility_length(
    free: shapely.Geometry, a: tuple[float, float], b: tuple[float, float]
) -> float:
    """Length of the shortest path in a polygonal free space by a visibility graph."""
    free = free.buffer(1e-9)
    shapely.prepare(free)
    corners = [a, b]
    for part in shapely.get_parts(free):
        for ring in (part.exterior, *part.interiors):
            corners += list(ring.coords)[:-1]
    points = np.array(corners)
    length = {0: 0.0}
    left = np.hypot(*(points - points[1]).T)  # A*: the rest is at least straight
    heap = [(float(left[0]), 0)]
    done: set[int] = set()
    while heap:
        _, i = heapq.heappop(heap)
        d = length[i]
        if i in done:
            continue
        if i == 1:
            return d
        done.add(i)
        lines = np.stack([np.broadcast_to(points[i], points.shape), points], axis=1)
        seen = shapely.covers(free, shapely.linestrings(lines))
        step = np.hypot(*(points - points[i]).T)
        for j in np.nonzero(seen)[0]:
            if int(j) not in done and d + step[j] < length.get(int(j), math.inf):
                length[int(j)] = d + step[j]
                heapq.heappush(heap, (d + step[j] + left[j], int(j)))
    return math.inf


def random_table(rng: random.Random) -> tuple[list[Polygon], list[tuple[float, float, float]]]:
    shapes = []
    for _ in range(rng.randint(3, 9)):
        w, h = rng.uniform(1, 6), rng.uniform(0.5, 3)
        shape = box(0, 0, w, h)
        if rng.random() < 0.4:
            shape = shape.union(box(0, 0, 0.6, h + 2))
        shape = translate(
            rotate(shape, rng.uniform(0, 360)), rng.uniform(2, 20), rng.uniform(2, 20)
        )
        if all(not shape.intersects(other) for other in shapes):
            shapes.append(shape)
    discs = [
        (rng.uniform(1, 23), rng.uniform(1, 23), rng.uniform(0.4, 1.2))
        for _ in range(rng.randint(0, 6))
    ]
    return shapes, discs


def free_space(
    shapes: list[Polygon],
    discs: list[tuple[float, float, float]],
    r: float,
    k: float,
    segments: int,
) -> shapely.Geometry:
    """Free space with arcs as chords of circles k times as large: inscribed for k = 1."""
    grown = [s.buffer(r * k, quad_segs=segments) for s in shapes]
    grown += [shapely.Point(x, y).buffer((s + r) * k, quad_segs=segments) for x, y, s in discs]
    return box(r, r, TABLE - r, TABLE - r).difference(shapely.union_all(grown))


def flat(shape: Polygon) -> list[float]:
    ring = shapely.geometry.polygon.orient(shape).exterior.coords[:-1]
    return [float(v) for corner in ring for v in corner]


def test_route_lies_between_inscribed_and_circumscribed(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(11)
    segments = 5
    outside = 1.0 / math.cos(math.pi / (4 * segments))
    checked = 0
    for _ in range(budget(5, 1500)):
        shapes, discs = random_table(rng)
        r = rng.choice([0.49, 0.63, 0.98])
        field = Field.of(
            solids=[flat(s) for s in shapes],
            thickness=r,
            posts=[(x, y, s + r) for x, y, s in discs],
            box=(r, r, TABLE - r, TABLE - r),
        )
        large = free_space(shapes, discs, r, 1.0, segments)
        small = free_space(shapes, discs, r, outside, segments)
        for _ in range(3):
            a = (rng.uniform(r, TABLE - r), rng.uniform(r, TABLE - r))
            b = (rng.uniform(r, TABLE - r), rng.uniform(r, TABLE - r))
            if not (small.covers(shapely.Point(a)) and small.covers(shapely.Point(b))):
                continue
            route = field.route(a, [PointGoal(*b)], 0.0, slack=1e-9).route
            low, high = visibility_length(large, a, b), visibility_length(small, a, b)
            if route is None:
                assert high == math.inf
                continue
            checked += 1
            assert low - 1e-6 <= route.length <= high + 1e-6
            assert math.isclose(route.path.length, route.length, abs_tol=1e-9)
            if route.path.legs:
                points = shapely.points([route.path.at(route.length * k / 400) for k in range(401)])
                for s in shapes:
                    assert shapely.distance(s, points).min() >= r - 1e-6
                for x, y, size in discs:
                    assert shapely.distance(shapely.Point(x, y), points).min() >= size + r - 1e-6
    assert checked >= budget(5, 1500)
