"""How far a line may enter a feature, with a slack that shows; many walls behind one another."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from tapeline.geometry.rectangles.rectangle import region_of_polygon, region_of_segment, union_of
from tapeline.geometry.sight.lines import sight_to_region
from tapeline.geometry.sight.visible_region import Blockers

SLACK = 1e-3
WALL = region_of_polygon([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])


def clear(a: tuple[float, float], b: tuple[float, float]) -> bool:
    there, back = (sight_to_region(p, q, [WALL], slack=SLACK).visible for p, q in ((a, b), (b, a)))
    assert there == back
    return there


@pytest.mark.parametrize(("deep", "free"), [(0.0, True), (1.25, True), (1.75, False)])
def test_a_corner_is_cut_where_both_sides_run_through_more_than_the_slack(
    deep: float, free: bool
) -> None:
    # Parallel to the corner's diagonal; the farther side runs 2 (deep - 1) slacks inside.
    k = math.sqrt(0.5) * 2.0 * deep * SLACK
    assert clear((-3.0 + k, 3.0), (3.0 + k, -3.0)) == free


@pytest.mark.parametrize(("deep", "free"), [(1.5, True), (2.5, False)])
def test_an_end_may_stand_a_little_inside(deep: float, free: bool) -> None:
    assert clear((deep * SLACK, 2.0), (-3.0, 2.0)) == free


def test_short_lines_are_blocked_as_well() -> None:
    assert not clear((1.0, 1.0), (1.0 + 3.5 * SLACK, 1.0))
    assert not clear((1.0, 1.0), (2.5, 1.0))
    assert clear((1.0, 1.0), (1.0 + 1.5 * SLACK, 1.0))


def test_many_walls_behind_one_another() -> None:
    """Walls of one feature in shells about the eye; the nearest in each direction by hand."""
    rng = random.Random(7)
    for _ in range(60):
        walls = []
        for shell in rng.sample(range(2, 40), 38):
            middle, half = rng.uniform(0.5, 1.0), rng.uniform(0.02, 0.14)
            walls.append((float(shell), middle - half, middle + half))
        segments = []
        for d, a, b in walls:
            ends = [(50 + d * math.cos(t), 50 + d * math.sin(t)) for t in (a, b)]
            segments.append(region_of_segment(*ends))
        view = Blockers([union_of(segments)], 100.0, 100.0).seen_from((50.0, 50.0))
        turns = sorted(t for wall in walls for t in wall[1:])
        for low, high in itertools.pairwise(turns):
            t = 0.5 * (low + high)
            ux, uy = math.cos(t), math.sin(t)
            seen = min(
                (d * math.cos(0.5 * (b - a)) / math.cos(t - 0.5 * (a + b)))
                if a < t < b
                else 50.0 / max(abs(ux), abs(uy))
                for d, a, b in walls
            )
            assert view.distance(ux, uy) == pytest.approx(seen, abs=1e-9)
