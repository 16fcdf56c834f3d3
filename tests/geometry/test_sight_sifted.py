"""Lines that are dropped in bulk are never free: the answer is that of looking at every one."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
)
from tapeline.geometry.sight import critical_lines
from tapeline.geometry.sight.from_edge import Deep, sight_from_edge


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


def test_sifted_lines_are_not_free(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, seen, hidden = Random(11), 0, 0
    for _ in range(budget(400, 20_000)):
        grid = rng.random() < 0.5
        features = _features(rng, grid)
        deep = [
            Deep(_polygon(rng, rng.uniform(-15, 15), rng.uniform(0, 25), 9.0), 2.0)
            for _ in range(rng.choice((0, 1, 2, 3)))
        ]
        far, turn = rng.uniform(6.0, 28.0), rng.uniform(-1.4, 1.4)
        x, y = far * math.sin(turn), far * math.cos(turn)
        if grid:
            x, y = 2.0 * round(0.5 * x), 2.0 * round(0.5 * y)
        target = Rect.of_degrees(x, y, 0.0 if grid else rng.uniform(0, 360), 4.0, 2.0).loop
        edge = ((2.0, 0.0), (-2.0, 0.0))
        monkeypatch.setattr(critical_lines, "_FEW", 10**9)
        every = sight_from_edge(*edge, target, features, deep)
        monkeypatch.setattr(critical_lines, "_FEW", 0)
        assert sight_from_edge(*edge, target, features, deep) == every
        seen += every is not None
        hidden += every is None
    assert min(seen, hidden) > 40
