"""How deep sight must reach out of and into woods, against a grid of lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from tapeline.geometry.rectangles.rectangle import region_of_polygon, union_of
from tapeline.geometry.sight.from_edge import Deep, sight_from_edge

pytestmark = pytest.mark.compiled

Floats: TypeAlias = npt.NDArray[np.float64]
Loop: TypeAlias = list[tuple[float, float]]

#: What a line has that meets nothing, one that meets what nobody sees past, and one that misses.
FREE, OPAQUE, BARRED = 0.0, 30.0, 50.0
#: cm: as closely as the grid finds the least.
CLOSE = 1e-4


def _rect(x: float, y: float, turn: float, width: float, depth: float) -> Loop:
    c, s = math.cos(turn), math.sin(turn)
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    halves = [(0.5 * width * i, 0.5 * depth * j) for i, j in corners]
    return [(x + a * c - b * s, y + a * s + b * c) for a, b in halves]


def _within(loop: Loop, x: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """From where to where lines from (x, 0), turned from straight ahead, lie in a convex loop."""
    low, high = np.full(x.shape, -np.inf), np.full(x.shape, np.inf)
    for (ax, ay), (bx, by) in zip(loop, loop[1:] + loop[:1], strict=True):
        left = -(bx - ax) * ay - (by - ay) * (x - ax)
        grows = (bx - ax) * np.cos(turn) - (by - ay) * np.sin(turn)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -left / grows
        low = np.where(grows > 0.0, np.maximum(low, at), low)
        high = np.where(grows < 0.0, np.minimum(high, at), high)
    return low, high


def _inside(
    x: Floats, turn: Floats, target: Loop, woods: Sequence[Sequence[Loop]], stands: Sequence[Loop]
) -> Floats:
    """The most that lines have of a wood that they begin or end in; OPAQUE and more if anything
    else is in the way."""
    low, high = _within(target, x, turn)
    size = np.maximum(low, 1e-9)
    # A touch of a corner counts, but for rounding.
    worst = np.where(low > high + 1e-9, BARRED, FREE)
    for stand in stands:
        enters, leaves = _within(stand, x, turn)
        over = np.minimum(leaves, size) - np.maximum(enters, 0.0)
        worst = np.maximum(worst, np.where(over > 0.0, OPAQUE + over, FREE))
    for wood in woods:
        cut = [(np.maximum(a, 0.0), np.minimum(b, size)) for a, b in _spans(wood, x, turn)]
        total = sum((np.maximum(b - a, 0.0) for a, b in cut), np.zeros(x.shape))
        if len(cut) == 2:
            (a, b), (c, d) = cut
            both = np.minimum(b, d) - np.maximum(a, c)
            total = total - np.where((b > a) & (d > c), np.maximum(both, 0.0), 0.0)
        ends = np.zeros(x.shape, dtype=bool)
        for a, b in cut:
            ends |= (b > a) & ((a <= 1e-9) | (b >= size - 1e-9))
        worst = np.maximum(worst, np.where(ends | (total <= 0.0), total, OPAQUE + total))
    return worst


def _spans(wood: Sequence[Loop], x: Floats, turn: Floats) -> list[tuple[Floats, Floats]]:
    return [_within(part, x, turn) for part in wood]


def _least(
    target: Loop, woods: Sequence[Sequence[Loop]], stands: Sequence[Loop], tries: int
) -> float:
    """The least of it that a line from the edge has, by a grid; the best of it are closed in on."""
    xs, turns = np.meshgrid(np.linspace(-2.0, 2.0, 81), np.linspace(-1.5, 1.5, 401), indexing="ij")
    found = _inside(xs, turns, target, woods, stands)
    least = float(found.min())
    for k in np.argsort(found.ravel())[: 60 * tries : 60]:
        x, turn, best = xs.ravel()[k], turns.ravel()[k], found.ravel()[k]
        wide, far = 4.0 / 80, 3.0 / 400
        for _ in range(30):
            near = np.clip(np.linspace(x - wide, x + wide, 9), -2.0, 2.0)
            leaning = np.linspace(turn - far, turn + far, 9)
            begins, leans = np.meshgrid(near, leaning, indexing="ij")
            tried = _inside(begins, leans, target, woods, stands)
            at = int(tried.argmin())
            if tried.ravel()[at] < best:
                x, turn, best = begins.ravel()[at], leans.ravel()[at], tried.ravel()[at]
            wide, far = 0.6 * wide, 0.6 * far
        least = min(least, float(best))
    return least


def _wood(rng: Random, x: float, y: float) -> list[Loop]:
    x, y = x + rng.uniform(-1.5, 1.5), y + rng.uniform(-0.4, 0.8)
    one = _rect(x, y, rng.uniform(-0.8, 0.8), rng.uniform(3.0, 8.0), rng.uniform(2.2, 4.5))
    aside, ahead, turn = rng.uniform(-3.0, 3.0), rng.uniform(-1.0, 3.0), rng.uniform(0.0, 6.0)
    other = _rect(x + aside, y + ahead, turn, rng.uniform(1.0, 5.0), rng.uniform(0.5, 3.0))
    return [one, other] if rng.random() < 0.5 else [one]


def _apart(stand: Loop, target: Loop) -> bool:
    """Whether a stand is surely clear of the front edge and of the target."""
    corner, opposite = np.array(stand[::2]), np.array(target[::2])
    far = math.dist(corner.mean(axis=0), opposite.mean(axis=0))
    return far > 4.5 and min(y for _, y in stand) > 0.05


def test_sight_needs_to_reach_as_deep_as_the_best_line_has(
    budget: Callable[[int, int], int],
) -> None:
    """What a line has no more of than it may is seen along, and lines given have no more."""
    rng, needed = Random(36), 0
    for _ in range(budget(60, 3_000)):
        far, way = rng.uniform(5.0, 12.0), rng.uniform(-0.5, 0.5)
        x, y = far * math.sin(way), far * math.cos(way)
        target = _rect(x, y, rng.uniform(-0.8, 0.8), 4.0, 2.0)
        woods = [_wood(rng, 0.0, 0.3)]
        if rng.random() < 0.4:
            woods.append(_wood(rng, x, y - 1.5))
        stands = [
            _rect(rng.uniform(-4.0, 4.0), rng.uniform(1.5, 5.0), rng.uniform(0.0, 6.0), 4.0, 2.0)
            for _ in range(rng.randint(0, 2))
        ]
        stands = [stand for stand in stands if _apart(stand, target)]
        least = _least(target, woods, stands, 3)
        if not 0.0 < least < OPAQUE:
            continue
        needed += 1
        flat = tuple(v for corner in target for v in corner)
        features = [region_of_polygon(stand) for stand in stands]
        shapes = [union_of(map(region_of_polygon, wood)) for wood in woods]
        for depth in (least + CLOSE, least - CLOSE, 0.9 * least):
            deep = [Deep(shape, depth) for shape in shapes]
            line = sight_from_edge((2.0, 0.0), (-2.0, 0.0), flat, features, deep)
            if line is None:
                assert depth < least, (target, woods, stands, least)
                continue
            (px, py), (qx, qy) = line
            assert abs(py) < 1e-9
            # Of what is exactly along a border the grid tells nothing: a hair turned it does.
            turn = math.atan2(qx - px, qy - py) + np.array([0.0, -1e-9, 1e-9])
            beside = np.full(turn.shape, px)
            assert _inside(beside, turn, target, woods, stands).min() < depth + 2e-5
    assert needed > 20
