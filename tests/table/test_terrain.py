"""Outlines of terrain: their boxes and rings, against shapely."""

from __future__ import annotations

import random

import pytest
from shapely import Point
from shapely import Polygon as Shape

from tapeline.table.terrain import Circle, Outline, Polygon, box_about


def outlines(rng: random.Random) -> list[tuple[Outline, Shape]]:
    """A few outlines with the same as shapely sees them; circles by four points of them."""
    made: list[tuple[Outline, Shape]] = []
    for _ in range(rng.randint(1, 4)):
        corners = tuple(
            (rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0)) for _ in range(rng.randint(3, 7))
        )
        x, y, r = rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0), rng.uniform(0.1, 5.0)
        made.append((Polygon(corners), Shape(corners)))
        made.append((Circle(x, y, r), Point(x, y).buffer(r, quad_segs=1)))
    return made


@pytest.mark.parametrize("seed", range(20))
def test_boxes_are_those_of_shapely(seed: int) -> None:
    made = outlines(random.Random(seed))
    for outline, shape in made:
        assert outline.box == pytest.approx(shape.bounds, abs=1e-12)
    every = [shape.bounds for _, shape in made]
    about = [f(b[k] for b in every) for k, f in enumerate((min, min, max, max))]
    assert box_about(outline for outline, _ in made) == pytest.approx(about, abs=1e-12)


def test_the_box_about_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="unpack"):
        box_about([])


def test_a_ring_is_the_corners_one_after_the_other() -> None:
    assert Polygon(((0.0, 1.0), (2.0, 3.0), (4.0, 9.0))).ring == (0.0, 1.0, 2.0, 3.0, 4.0, 9.0)
