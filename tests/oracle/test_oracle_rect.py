"""Slides and turns of rectangles against dense sampling with shapely.

The oracle knows poses only: it samples the motion and asks shapely whether interiors overlap.
Circles are judged by distance to the centre, so nothing is polygonised.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate

from tapeline.geometry.rectangles.free_leg import free_leg
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
    separation,
    union_of,
)
from tapeline.geometry.rectangles.slide import slide
from tapeline.geometry.rectangles.turn import turn

Solid = tuple[list[Polygon], list[tuple[float, float, float]]]


def star(rng: random.Random, x: float, y: float, size: float) -> list[tuple[float, float]]:
    """A simple polygon round a point, seldom convex."""
    n = rng.randint(3, 9)
    turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
    while (
        len(set(turns)) < n
        or max((b - a) % (2 * math.pi) for a, b in zip(turns, [*turns[1:], turns[0]], strict=True))
        > 3.0
    ):
        turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
    return [
        (x + r * math.cos(a), y + r * math.sin(a))
        for a in turns
        for r in [size * rng.uniform(0.3, 1.0)]
    ]


def scene(rng: random.Random) -> tuple[Rect, Region, Polygon, Solid]:
    rect = Rect(
        rng.uniform(-1, 1),
        rng.uniform(-1, 1),
        rng.uniform(-4, 4),
        rng.uniform(1, 5),
        rng.uniform(1, 3),
    )
    regions: list[Region] = []
    polygons: list[Polygon] = []
    circles: list[tuple[float, float, float]] = []
    for _ in range(rng.choice([1, 1, 2])):
        away, angle = rng.uniform(2, 6), rng.uniform(0, 2 * math.pi)
        x, y = away * math.cos(angle), away * math.sin(angle)
        if rng.random() < 0.35:
            circles.append((x, y, rng.uniform(0.2, 2)))
            regions.append(region_of_circle(*circles[-1]))
        else:
            corners = star(rng, x, y, rng.uniform(0.5, 3))
            polygons.append(Polygon(corners))
            regions.append(region_of_polygon(corners))
    return rect, union_of(regions), Polygon(rect.corners), (polygons, circles)


def overlap(moved: Polygon, solid: Solid) -> float:
    """Positive when interiors overlap: area for polygons, depth for circles; else minus the gap."""
    value = -math.inf
    for polygon in solid[0]:
        area = moved.intersection(polygon).area
        value = max(value, area if area > 0.0 else -moved.distance(polygon))
    for x, y, r in solid[1]:
        value = max(value, r - moved.distance(shapely.Point(x, y)))
    return value


def check(
    spans: list[tuple[float, float]],
    limit: float,
    pose: Callable[[float], Polygon],
    solid: Solid,
    samples: int,
) -> None:
    """Overlap at every sample well inside a span, none outside, and contact at each start."""
    hair = 1e-5
    for k in range(samples + 1):
        s = limit * k / samples
        inside = any(a + hair < s < b - hair for a, b in spans)
        outside = all(s < a - hair or s > b + hair for a, b in spans)
        value = overlap(pose(s), solid)
        if inside:
            assert value > 0.0, (s, spans, value)
        if outside:
            assert value < 1e-9, (s, spans, value)
    for a, b in spans:
        if 0.0 < a < limit:
            assert abs(overlap(pose(a), solid)) < 1e-8
            assert overlap(pose(min(a + 1e-4, 0.5 * (a + b))), solid) > 0.0
            assert overlap(pose(a - 1e-4), solid) <= 0.0


@pytest.fixture
def cases(budget: Callable[[int, int], int]) -> int:
    return budget(120, 10_000)


def test_slides_agree_with_samples(cases: int) -> None:
    rng = random.Random(11)
    hits = 0
    for _ in range(cases):
        rect, region, body, solid = scene(rng)
        angle = rng.choice([rect.facing, rng.uniform(0, 2 * math.pi)])
        u = (math.cos(angle), math.sin(angle))
        result = slide(rect, region, u, 9.0)
        spans = [(s.start, s.stop) for s in result.spans]
        hits += bool(spans)

        def pose(s: float, body: Polygon = body, u: tuple[float, float] = u) -> Polygon:
            return translate(body, s * u[0], s * u[1])

        check(spans, 9.0, pose, solid, 60)
        if result.contact is not None and result.contact.at > 0.0:
            place = shapely.Point(result.contact.ends[0])
            assert pose(result.contact.at).distance(place) < 1e-6
    assert hits > cases // 5


def test_turns_agree_with_samples(cases: int) -> None:
    rng = random.Random(12)
    hits = 0
    for _ in range(cases):
        rect, region, body, solid = scene(rng)
        pivot = rng.choice(
            [(rect.x, rect.y), rect.corners[0], (rng.uniform(-3, 3), rng.uniform(-3, 3))]
        )
        angle = rng.uniform(-2 * math.pi, 2 * math.pi)
        result = turn(rect, region, pivot, angle)
        spans = [(s.start, s.stop) for s in result.spans]
        hits += bool(spans)

        def pose(
            s: float, body: Polygon = body, p: tuple[float, float] = pivot, a: float = angle
        ) -> Polygon:
            return rotate(body, math.copysign(s, a), origin=p, use_radians=True)

        check(spans, abs(angle), pose, solid, 60)
    assert hits > cases // 5


def test_gaps_agree_with_shapely_and_depths_separate(cases: int) -> None:
    rng = random.Random(13)
    overlapping = 0
    for _ in range(cases * 5):
        rect, region, body, solid = scene(rng)
        s = separation(rect, region)
        gap = min(
            [body.distance(p) for p in solid[0]]
            + [max(0.0, body.distance(shapely.Point(x, y)) - r) for x, y, r in solid[1]]
        )
        assert s.gap == pytest.approx(gap, abs=1e-9)
        if s.depth > 0.0 and len(region.parts) == 1:
            overlapping += 1
            way = (s.on_a[0] - s.on_b[0], s.on_a[1] - s.on_b[1])
            assert math.hypot(*way) == pytest.approx(s.depth, abs=1e-9)
            # Moving the feature by that much separates; by a hair less, in any direction, not.
            apart = translate(body, -way[0], -way[1])
            assert overlap(apart, solid) < 1e-9
            for k in range(12):
                a = k * math.pi / 6
                near = translate(body, 0.999 * s.depth * math.cos(a), 0.999 * s.depth * math.sin(a))
                assert overlap(near, solid) > 0.0
    assert overlapping > 10


def test_free_legs_agree_with_samples(cases: int) -> None:
    rng = random.Random(14)
    hits = 0
    for _ in range(cases // 2):
        rect, region, body, solid = scene(rng)
        angle = rng.uniform(-math.pi, math.pi)
        shift = (rng.uniform(-8, 8), rng.uniform(-8, 8))
        result = free_leg(rect, region, (rect.x, rect.y), shift, angle)
        spans = [(s.start, s.stop) for s in result.spans]
        hits += bool(spans)

        def pose(
            t: float,
            body: Polygon = body,
            c: tuple[float, float] = (rect.x, rect.y),
            v: tuple[float, float] = shift,
            w: float = angle,
        ) -> Polygon:
            return translate(rotate(body, w * t, origin=c, use_radians=True), v[0] * t, v[1] * t)

        check(spans, 1.0, pose, solid, 60)
    assert hits > cases // 10
