"""Sight from an edge against lines drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from tapeline.geometry.rectangles.rectangle import (
    Point,
    Rect,
    Region,
    overlaps,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    region_of_segment,
    separation,
)
from tapeline.geometry.sight.from_edge import sight_from_edge


def _polygon(rng: Random, x: float, y: float, far: float) -> Region:
    count = rng.randint(3, 8)
    turns = [2.0 * math.pi * k / count for k in range(count)]
    spans = [rng.uniform(0.4, 1.0) * far for _ in turns]
    corners = [
        (x + s * math.cos(t), y + s * math.sin(t)) for s, t in zip(spans, turns, strict=True)
    ]
    return region_of_polygon(corners)


def _features(rng: Random, grid: bool) -> list[Region]:
    """Stands, on a grid of their own size so that many touch and are aligned, or anywhere."""
    found = []
    for _ in range(rng.randint(2, 18)):
        x, y = rng.uniform(-22.0, 22.0), rng.uniform(2.0, 26.0)
        if grid:
            x, y = 2.0 * round(0.5 * x), 2.0 * round(0.5 * y)
        shape = rng.random()
        if grid or shape < 0.4:
            turn = 0.0 if grid else rng.uniform(0.0, 360.0)
            found.append(region_of_rect(Rect.of_degrees(x, y, turn, 4.0, 2.0)))
        elif shape < 0.85:
            found.append(region_of_circle(x, y, rng.uniform(0.5, 3.0)))
        else:
            found.append(_polygon(rng, x, y, 5.0))
    return found


def test_a_free_line_is_found_wherever_one_is_drawn(budget: Callable[[int, int], int]) -> None:
    """Against lines drawn at random, each looked at by itself with a third of a hair to spare."""
    rng, seen, hidden = Random(11), 0, 0
    for _ in range(budget(150, 4_000)):
        grid = rng.random() < 0.5
        features = _features(rng, grid)
        far, turn = rng.uniform(6.0, 28.0), rng.uniform(-1.4, 1.4)
        x, y = far * math.sin(turn), far * math.cos(turn)
        if grid:
            x, y = 2.0 * round(0.5 * x), 2.0 * round(0.5 * y)
        target = Rect.of_degrees(x, y, 0.0 if grid else rng.uniform(0, 360), 4.0, 2.0)
        line = sight_from_edge((2.0, 0.0), (-2.0, 0.0), target.loop, features)
        if line is not None:
            assert all(_gap(feature, *line) > 0.9e-6 for feature in features)
            seen += 1
            continue
        hidden += 1
        for _ in range(40):
            end = target.world(rng.uniform(-0.9, 0.9), rng.uniform(-1.9, 1.9))
            start = (rng.uniform(-2.0, 2.0), 0.0)
            if end[1] > 0.01:
                drawn = region_of_segment(start, end)
                assert any(overlaps(drawn, f, -1e-5) for f in features)
    assert min(seen, hidden) > 20


def _gap(feature: Region, a: Point, b: Point) -> float:
    return separation(feature, region_of_segment(a, b)).gap
