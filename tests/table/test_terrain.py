"""Outlines of terrain: their boxes and rings, against shapely."""

from __future__ import annotations

import random

import pytest
from shapely import Point
from shapely import Polygon as Shape

from tapeline.geometry.plane.legs import Line
from tapeline.table.solids import Ground, ground_of
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


def test_a_plan_holds_a_leg_but_not_across_a_notch() -> None:
    plain = ground_of([(0, 0), (10, 0), (10, 2), (0, 2)])
    assert plain.holds(Line(0, 1, 10, 1), 1e-6)
    assert plain.holds(Line(0, 2, 10, 2), 1e-6)  # along its border
    assert not plain.holds(Line(0, 1, 10.001, 1), 1e-6)
    notched = ground_of([(0, 0), (10, 0), (10, 2), (3.02, 2), (3.01, 0.5), (3, 2), (0, 2)])
    assert notched.holds(Line(0, 0.4, 10, 0.4), 1e-6)
    assert not notched.holds(Line(0, 1, 10, 1), 1e-6)
    assert not notched.holds(Line(0, 2, 10, 2), 1e-6)


def test_marks_near_a_border_lie_on_both_sides_of_it() -> None:
    square = ground_of([(2, -3), (8, -3), (8, 3), (2, 3)])
    assert sorted({round(s, 9) for s in square.marks_near(Line(0, 0, 10, 0), 1.0)}) == [1, 3, 7, 9]
    disc = Ground.of_circle((5.0, 0.0, 3.0))
    assert sorted({round(s, 9) for s in disc.marks_near(Line(0, 0, 10, 0), 1.0)}) == [1, 3, 7, 9]
