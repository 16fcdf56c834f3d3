"""The middle of the part of a shape near another one, against shapely."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest
from shapely import Point, Polygon

from tapeline.geometry.rectangles.overlap_centre import middle_near
from tapeline.geometry.rectangles.rectangle import region_of_circle, region_of_polygon


def _ring(rng: Random, x: float, y: float) -> list[tuple[float, float]]:
    turns = sorted(rng.uniform(0.0, math.tau) for _ in range(rng.randint(3, 6)))
    return [(x + 3.0 * math.cos(t) * rng.uniform(0.9, 1.0), y + 3.0 * math.sin(t)) for t in turns]


def test_middles_of_parts_near_polygons(budget: Callable[[int, int], int]) -> None:
    rng, tried = Random(5), 0
    for _ in range(budget(300, 10_000)):
        a = Polygon(_ring(rng, 10.0, 10.0)).convex_hull
        b = Polygon(_ring(rng, 10.0 + rng.uniform(4.0, 9.0), 10.0 + rng.uniform(-4.0, 4.0)))
        b = b.convex_hull
        if a.area < 0.2 or b.area < 0.2 or a.distance(b) == 0.0:
            continue
        h = rng.uniform(0.5, 5.0)
        part = a.intersection(b.buffer(h, quad_segs=256))
        got = middle_near(*(region_of_polygon(s.exterior.coords[:-1]) for s in (a, b)), h)
        if part.area < 1e-3:
            assert part.area > 0.0 or got is None, (a, b, h)
            continue
        tried += 1
        assert got is not None
        assert Point(got).distance(part.centroid) < 2e-3, (a, b, h)
    assert tried > 60


def test_middle_of_the_part_near_a_circle() -> None:
    square = region_of_polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
    disc = region_of_circle(6, 2, 1)
    part = Polygon([(0, 0), (4, 0), (4, 4), (0, 4)]).intersection(Point(6, 2).buffer(3, 512))
    got = middle_near(square, disc, 2)
    assert got == pytest.approx((part.centroid.x, part.centroid.y), abs=1e-4)


def test_nothing_is_near() -> None:
    left = region_of_polygon([(0, 0), (1, 0), (1, 1), (0, 1)])
    right = region_of_polygon([(9, 0), (10, 0), (10, 1), (9, 1)])
    assert middle_near(left, right, 2) is None
