"""Reach inside a fence: its border is told once, though two rings make the fence."""

from __future__ import annotations

import math

import pytest

from tapeline.geometry.discs.field import Field
from tapeline.geometry.surfaces.level import fence

pytestmark = pytest.mark.compiled

SQUARE = (0.0, 0.0, 8.0, 0.0, 8.0, 8.0, 0.0, 8.0)
#: A floor with a nook.
NOOK = (0.0, 0.0, 8.0, 0.0, 8.0, 3.0, 3.0, 3.0, 3.0, 8.0, 0.0, 8.0)


def test_all_of_a_small_floor_is_one_ring() -> None:
    field = Field.of(grounds=fence(SQUARE))
    outline = field.reach((4.0, 4.0), 0.5, 9.0).outline(0.001)
    assert len(outline.rings) == 1
    assert outline.area == pytest.approx(64.0, abs=1e-3)


@pytest.mark.parametrize("start", [(2.0, 2.0), (1.0, 6.5), (6.5, 0.5)])
def test_part_of_a_floor_has_the_area_of_the_places_in_reach(start: tuple[float, float]) -> None:
    field = Field.of(grounds=fence(NOOK))
    reach = field.reach(start, 0.5, 4.0)
    outline = reach.outline(0.001)
    step = 0.05
    inside = sum(
        reach.contains((i + 0.5) * step, (k + 0.5) * step) for i in range(170) for k in range(170)
    )
    assert outline.area == pytest.approx(inside * step * step, abs=0.35)
    assert len(outline.rings) == 1
    xs, ys = zip(*outline.rings[0], strict=True)
    assert min(xs) >= -1e-6
    assert min(ys) >= -1e-6
    assert math.dist(start, (max(xs), start[1])) <= 4.0 + 1e-3


def test_a_fence_along_the_side_of_a_table_is_border_once() -> None:
    box = (-0.5, -0.5, 20.5, 20.5)
    field = Field.of(box=box, grounds=fence((0.0, 0.0, 8.0, 0.0, 8.0, 6.0, 0.0, 6.0)))
    outline = field.reach((3.0, 2.0), 0.5, 4.0).outline(0.001)
    assert len(outline.rings) == 1
    # The circle of 4 in about (3, 2) without what is left of x = 0 and below y = 0.
    left = 16.0 * math.acos(0.75) - 3.0 * math.sqrt(7.0)
    below = 16.0 * math.acos(0.5) - 2.0 * math.sqrt(12.0)
    both = _corner(4.0, 3.0, 2.0)
    assert outline.area == pytest.approx(16.0 * math.pi - left - below + both, abs=1e-2)


def _corner(r: float, a: float, b: float) -> float:
    """Area of a circle about the origin where x < -a and y < -b, by slices."""
    n, top = 40_000, math.sqrt(r * r - b * b)
    step = (top - a) / n
    return step * sum(math.sqrt(r * r - (a + (i + 0.5) * step) ** 2) - b for i in range(n))
