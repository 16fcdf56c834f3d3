"""Discs on legs against dense sampling and shapely."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.areas import disc_disc_area, disc_ring_area, spans_half_in_ring
from tapeline.geometry.plane.distance import point_ring, segment_segment
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.plane.sweeps import (
    farthest_from_point,
    nearest_to_circle,
    nearest_to_point,
    nearest_to_ring,
    nearest_to_segment,
    spans_inside_ring,
    spans_near_point,
    spans_near_ring,
    spans_near_segment,
)

from .oracle_discs import arc_places, disc_polygon, line_places, share_inside, solid_gap, spans_of

pytestmark = pytest.mark.compiled

N = 2000


def random_leg(rng: random.Random) -> tuple[Leg, np.ndarray]:
    # Half of the figures lie on a coarse lattice, so that touching and running along happen.
    def figure(low: float, high: float) -> float:
        v = rng.uniform(low, high)
        return float(round(v)) if rng.random() < 0.5 else v

    if rng.random() < 0.5:
        line = (figure(0, 8), figure(0, 8), figure(0, 8), figure(0, 8))
        return Line(*line), line_places(*line, N)
    arc = (
        figure(0, 8),
        figure(0, 8),
        max(0.25, figure(0, 4)),
        rng.choice([0.0, math.pi / 2, rng.uniform(-7, 7)]),
        rng.choice([math.pi, -math.pi / 2, math.tau, rng.uniform(-6.2, 6.2)]),
    )
    return Arc(*arc), arc_places(*arc, N)


def random_ring(rng: random.Random) -> tuple[list[float], shapely.Polygon]:
    """A simple ring, concave more often than not, sometimes on a lattice."""
    while True:
        n = rng.randint(3, 8)
        angles = sorted(rng.uniform(0, math.tau) for _ in range(n))
        cx, cy = rng.uniform(2, 6), rng.uniform(2, 6)
        corners = [
            (cx + d * math.cos(a), cy + d * math.sin(a))
            for a, d in ((a, rng.uniform(0.4, 3.5)) for a in angles)
        ]
        if rng.random() < 0.5:
            corners = [(float(round(x)), float(round(y))) for x, y in corners]
        shape = shapely.Polygon(corners)
        if len(set(corners)) == n and shape.is_valid and shape.area > 0.1:
            shape = shapely.geometry.polygon.orient(shape)
            return [float(v) for p in shape.exterior.coords[:-1] for v in p], shape


def agree(exact: list[tuple[float, float]], rough: list[tuple[float, float]], step: float) -> bool:
    """Whether sampled spans fit: each sampled one inside an exact one and hardly shorter."""
    wide = [(a, b) for a, b in exact if b - a > 2.5 * step]
    for a, b in rough:
        if not any(c - 1e-9 <= a and b <= d + 1e-9 for c, d in exact):
            return False
    for a, b in wide:
        covered = sum(max(0.0, min(b, d) - max(a, c)) for c, d in rough)
        if covered < (b - a) - 4.5 * step:
            return False
    return True


def test_approach_and_spans(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(21)
    found = 0
    for _ in range(budget(250, 8_000)):
        leg, places = random_leg(rng)
        step = leg.length / N
        ring, shape = random_ring(rng)
        x, y = rng.uniform(0, 8), rng.uniform(0, 8)
        k = rng.choice([0.5, 1.0, rng.uniform(0.05, 3)])
        there = np.hypot(places[:, 0] - x, places[:, 1] - y)
        near, far = nearest_to_point(leg, x, y), farthest_from_point(leg, x, y)
        assert -1e-9 <= there.min() - near.distance <= step + 1e-9
        assert -1e-9 <= far.distance - there.max() <= step + 1e-9
        assert math.isclose(math.dist(near.at, (x, y)), near.distance, abs_tol=1e-9)
        assert math.dist(leg.at(near.travelled), near.at) < 1e-9
        disc = nearest_to_circle(leg, x, y, k)
        assert math.isclose(disc.distance, near.distance - k, abs_tol=1e-9)
        spans = spans_near_point(leg, x, y, k)
        assert agree(spans, spans_of(there < k - 1e-9, leg.length), step)
        ax, ay, bx, by = ring[:4]
        edge = shapely.LineString([(ax, ay), (bx, by)])
        gaps = solid_gap(places, edge)
        near = nearest_to_segment(leg, ax, ay, bx, by)
        assert -1e-9 <= gaps.min() - near.distance <= step + 1e-9
        spans = spans_near_segment(leg, ax, ay, bx, by, k)
        assert agree(spans, spans_of(gaps < k - 1e-9, leg.length), step)
        gaps = solid_gap(places, shape)
        near = nearest_to_ring(leg, ring)
        assert -2e-7 <= gaps.min() - near.distance <= step + 1e-8
        assert math.dist(leg.at(near.travelled), near.at) < 1e-9
        assert math.isclose(math.dist(near.at, near.to), abs(near.distance), abs_tol=1e-8)
        spans = spans_near_ring(leg, ring, k)
        assert agree(spans, spans_of(gaps < k - 1e-9, leg.length), step)
        inside = spans_inside_ring(leg, ring)
        assert agree(inside, spans_of(gaps < -1e-8, leg.length), step)
        found += bool(inside) + bool(spans)
    assert found > budget(250, 8_000) / 4


def test_distances_by_shapely(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(22)
    for _ in range(budget(400, 40_000)):
        ring, shape = random_ring(rng)
        x, y = rng.uniform(0, 8), rng.uniform(0, 8)
        d, px, py = point_ring(x, y, ring)
        assert math.isclose(d, float(solid_gap(np.array([[x, y]]), shape)[0]), abs_tol=1e-9)
        assert math.isclose(math.dist((x, y), (px, py)), abs(d), abs_tol=1e-9)
        a = [
            float(rng.randint(0, 4)) if rng.random() < 0.5 else rng.uniform(0, 4) for _ in range(8)
        ]
        d, px, py, qx, qy = segment_segment(*a)
        one, two = (
            shapely.LineString([(a[0], a[1]), (a[2], a[3])]),
            shapely.LineString([(a[4], a[5]), (a[6], a[7])]),
        )
        assert math.isclose(d, one.distance(two), abs_tol=1e-9)
        assert math.isclose(math.dist((px, py), (qx, qy)), d, abs_tol=1e-9)
        assert one.distance(shapely.Point(px, py)) < 1e-9
        assert two.distance(shapely.Point(qx, qy)) < 1e-9


def test_shares_by_chords(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(23)
    for _ in range(budget(300, 30_000)):
        ring, shape = random_ring(rng)
        x, y, r = rng.uniform(0, 8), rng.uniform(0, 8), rng.uniform(0.2, 2)
        low, high = disc_polygon(x, y, r, shape)
        assert low - 1e-9 <= disc_ring_area(x, y, r, ring) <= high + 1e-9
        s, d = rng.uniform(0.2, 2), rng.uniform(0, 4)
        circle = shapely.Point(d, 0.0).buffer(s, quad_segs=400)
        low, high = disc_polygon(0.0, 0.0, r, circle)
        rim = 2 * math.pi * s * s * (1 - math.cos(math.pi / 800))
        assert low - 1e-9 <= disc_disc_area(d, r, s) <= high + 2 * rim


def test_half_area_spans(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(24)
    both = 0
    for _ in range(budget(40, 2000)):
        leg, places = random_leg(rng)
        ring, shape = random_ring(rng)
        r = rng.choice([0.5, rng.uniform(0.2, 1.5)])
        spans = spans_half_in_ring(leg, r, ring)
        for i in range(0, N + 1, 97):
            x, y = places[i]
            low, high = disc_polygon(x, y, r, shape)
            half = 0.5 * math.pi * r * r
            along = i * leg.length / N
            held = any(a <= along <= b for a, b in spans)
            if low > half + 1e-4:
                assert held
                both |= 1
            if high < half - 1e-4:
                assert not held
                both |= 2
    assert both == 3


def test_share_by_sunflower() -> None:
    rng = random.Random(25)
    for _ in range(10):
        ring, shape = random_ring(rng)
        x, y, r = rng.uniform(2, 6), rng.uniform(2, 6), rng.uniform(0.5, 2)
        rough = share_inside(x, y, r, lambda p, s=shape: shapely.contains_xy(s, p))  # type: ignore[misc]
        assert math.isclose(disc_ring_area(x, y, r, ring) / (math.pi * r * r), rough, abs_tol=0.02)


def test_a_disc_follows_a_path_when_no_sample_comes_too_near(
    budget: Callable[[int, int], int],
) -> None:
    rng = random.Random(26)
    said = {True: 0, False: 0}
    for _ in range(budget(200, 20_000)):
        shapes = [random_ring(rng) for _ in range(rng.randint(1, 3))]
        posts = [(rng.uniform(0, 8), rng.uniform(0, 8), rng.uniform(0.2, 1)) for _ in range(3)]
        r = rng.choice([0.1, 0.25, 0.5])
        field = Field.of(
            box=(-9.0, -9.0, 17.0, 17.0), solids=[ring for ring, _ in shapes], posts=posts[:2]
        ).added("a", *posts[2])
        leg, places = random_leg(rng)
        gap = np.full(len(places), math.inf)
        for _, shape in shapes:
            gap = np.minimum(gap, solid_gap(places, shape))
        for x, y, s in posts:
            gap = np.minimum(gap, np.hypot(places[:, 0] - x, places[:, 1] - y) - s)
        low, high = np.min(places), np.max(places)
        least = min(float(gap.min()), float(low) + 9.0, 17.0 - float(high))
        answer = field.follows(Path((leg,)), r)
        said[answer] += 1
        if least < r - 1e-8:
            assert not answer
        if least > r + leg.length / N:
            assert answer
    assert min(said.values()) > budget(200, 20_000) / 20
