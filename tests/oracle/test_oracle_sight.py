"""Sight against dense sampling: a line said to be free is checked by shapely or by many samples of
it; where nothing is said to be seen, thousands of lines are tried and all must be blocked."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import LineString, Point, Polygon

from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
)
from tapeline.geometry.sight.bodies import Solid, Solids, sight_between_bodies
from tapeline.geometry.sight.lines import sight_to_region

Wall = tuple[Polygon | None, tuple[float, float, float] | None]


def star(rng: random.Random, x: float, y: float, size: float) -> list[tuple[float, float]]:
    n = rng.randint(3, 8)
    turns = [2 * math.pi * (k + 0.8 * rng.random()) / n for k in range(n)]
    return [
        (x + r * math.cos(a), y + r * math.sin(a))
        for a in turns
        for r in [size * rng.uniform(0.4, 1.0)]
    ]


def walls(rng: random.Random, count: int) -> tuple[list[Region], list[Wall]]:
    regions: list[Region] = []
    solids: list[Wall] = []
    while len(regions) < count:
        x, y = rng.uniform(2, 10), rng.uniform(-5, 5)
        if rng.random() < 0.3:
            circle = (x, y, rng.uniform(0.3, 1.6))
            regions.append(region_of_circle(*circle))
            solids.append((None, circle))
        else:
            corners = star(rng, x, y, rng.uniform(0.5, 2.5))
            if not Polygon(corners).is_valid:
                continue
            regions.append(region_of_polygon(corners))
            solids.append((Polygon(corners), None))
    return regions, solids


def length_inside(line: LineString, wall: Wall) -> float:
    polygon, circle = wall
    if polygon is not None:
        return float(line.intersection(polygon).length)
    assert circle is not None
    gap = line.distance(Point(circle[0], circle[1]))
    return math.sqrt(max(0.0, circle[2] ** 2 - gap**2))


def deep(line: LineString, wall: Wall) -> bool:
    """Whether the line runs deeper than 2e-9 inside."""
    if wall[0] is not None:
        return length_inside(line, (wall[0].buffer(-2e-9), None)) > 0.0
    return length_inside(line, wall) > 2e-4  # half a chord 1e-9 deep in a circle


def test_sight_to_an_area(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(21)
    seen = hidden = 0
    for _ in range(budget(150, 10_000)):
        regions, solids = walls(rng, rng.randint(1, 6))
        target = Rect(12 + rng.random(), rng.uniform(-2, 2), rng.uniform(0, 3), 4, 2)
        result = sight_to_region((0.0, 0.0), target, regions)
        body = Polygon(target.corners)
        if result.visible:
            seen += 1
            assert result.line is not None
            line = LineString(result.line)
            assert body.distance(Point(result.line[1])) < 1e-8
            for wall in solids:
                assert not deep(line, wall)
        else:
            hidden += 1
            for _ in range(150):
                a, b = rng.uniform(-1, 1), rng.uniform(-2, 2)
                line = LineString([(0.0, 0.0), target.world(a, b)])
                assert any(length_inside(line, wall) > 0.0 for wall in solids)
    assert seen > 20
    assert hidden > 20


def enters(p: np.ndarray, q: np.ndarray, prism: tuple[Wall, float, float]) -> np.ndarray:
    """For rows of segments pq (n, 3): how many of 400 samples lie well inside the prism."""
    (polygon, circle), h0, h1 = prism
    t = (np.arange(400) + 0.5) / 400
    points = p[:, None, :] + t[None, :, None] * (q - p)[:, None, :]
    level = (points[..., 2] > h0) & (points[..., 2] < h1)
    if polygon is not None:
        plan = shapely.contains_xy(polygon, points[..., 0], points[..., 1])
    else:
        assert circle is not None
        plan = np.hypot(points[..., 0] - circle[0], points[..., 1] - circle[1]) < circle[2]
    return np.asarray((level & plan).sum(axis=1))


@pytest.mark.parametrize("floating", [False, True])
def test_sight_from_an_axis_to_a_body(budget: Callable[[int, int], int], floating: bool) -> None:
    rng = random.Random(23 + floating)
    noise = np.random.default_rng(24)
    seen = hidden = 0
    for _ in range(budget(60, 3_000)):
        regions, solids = walls(rng, rng.randint(2, 9))
        prisms: list[Solid] = []
        plain = []
        for region, wall in zip(regions, solids, strict=True):
            h0 = rng.choice([0.0, 0.0, rng.uniform(0, 2)]) if floating else 0.0
            h1 = h0 + rng.uniform(0.5, 5)
            prisms.extend(Solid(part, h0, h1) for part in region.parts)
            plain.append((wall, h0, h1))
        z = rng.uniform(0, 3)
        w = rng.uniform(0, 3)
        ty, radius = rng.uniform(-1, 1), rng.uniform(0.3, 1)
        target = Solid(Part((12.0, ty), radius), w, w + 1.5)
        eye = Solid(Part((0.0, 0.0)), z, z + 1.5)
        result = sight_between_bodies(eye, target, Solids(prisms))
        if result.visible:
            seen += 1
            assert result.line is not None
            (x0, y0, z0), (x1, y1, z1) = result.line
            assert math.hypot(x0, y0) < 2e-8
            assert z - 2e-8 <= z0 <= z + 1.5 + 2e-8
            assert math.hypot(x1 - 12.0, y1 - ty) <= radius + 2e-8
            assert w - 2e-8 <= z1 <= w + 1.5 + 2e-8
            # Well inside means inside a prism shrunk by a hair.
            p, q = np.array([[x0, y0, z0]]), np.array([[x1, y1, z1]])
            for (polygon, circle), h0, h1 in plain:
                small: Wall = (
                    (polygon.buffer(-1e-7), None)
                    if polygon is not None
                    else (None, (circle[0], circle[1], circle[2] - 1e-7) if circle else None)
                )
                assert enters(p, q, (small, h0 + 1e-7, h1 - 1e-7))[0] == 0
        else:
            hidden += 1
            n = 300
            turn = noise.uniform(0, 2 * math.pi, n)
            out = radius * np.sqrt(noise.uniform(0, 1, n))
            p = np.column_stack([np.zeros(n), np.zeros(n), noise.uniform(z, z + 1.5, n)])
            q = np.column_stack(
                [
                    12.0 + out * np.cos(turn),
                    ty + out * np.sin(turn),
                    noise.uniform(w, w + 1.5, n),
                ]
            )
            count = sum(enters(p, q, solid) for solid in plain)
            # A line that no sample finds blocked must at least run within a sample of a border.
            for row in np.flatnonzero(np.asarray(count) == 0):
                fine = np.linspace(p[row], q[row], 20_000)
                assert any(
                    enters(fine[k : k + 1], fine[k + 1999 : k + 2000], solid)[0] > 0
                    for solid in plain
                    for k in range(0, 18_000, 1999)
                ), (eye, target, prisms, p[row], q[row])
    assert seen > 10
    assert hidden > 10
