"""What any line out of a wood has of it at least, against lines drawn at random and shapely."""

from __future__ import annotations

from random import Random

import pytest
from shapely.geometry import LineString, Point, Polygon

from tapeline.geometry.rectangles.gaps import convex_hull
from tapeline.geometry.sight.deep_lines import least_inside

WOOD = (0.0, 0.0, 12.0, 0.0, 12.0, 8.0, 0.0, 8.0)
#: A second part, that comes out of the first.
ANNEX = (10.0, 2.0, 16.0, 3.0, 15.0, 6.0, 10.0, 6.0)
FRONT = (4.0, 4.0, 8.0, 4.5)


def _corners(loop: tuple[float, ...]) -> list[tuple[float, float]]:
    return list(zip(loop[::2], loop[1::2], strict=True))


@pytest.mark.parametrize("parts", [[(WOOD, 0.0)], [(WOOD, 0.0), (ANNEX, 0.0)], [((6.0, 4.0), 5.0)]])
def test_no_line_out_of_a_wood_has_less_of_it(
    parts: list[tuple[tuple[float, ...], float]],
) -> None:
    rng = Random(5)
    wood = Polygon()
    for loop, radius in parts:
        # Inside of the circle, so that shapely's has no more.
        part = Point(loop).buffer(radius, 256) if radius else Polygon(_corners(loop))
        wood = wood.union(part)
    told = 0
    for _ in range(40):
        x, y = rng.uniform(-6.0, 22.0), rng.uniform(-8.0, 16.0)
        area = (x, y, x + 3.0, y, x + 3.0, y + 2.0, x, y + 2.0)
        if wood.intersects(Polygon(_corners(area))):
            continue
        hull = convex_hull([*_corners(FRONT), *_corners(area)])
        least = least_inside(FRONT, hull, parts)
        drawn = []
        for _ in range(300):
            s, u, v = rng.random(), rng.random(), rng.random()
            start = (FRONT[0] + s * (FRONT[2] - FRONT[0]), FRONT[1] + s * (FRONT[3] - FRONT[1]))
            drawn.append(LineString([start, (x + 3.0 * u, y + 2.0 * v)]).intersection(wood).length)
        assert least <= min(drawn) + 1e-3
        told += least > 0.5 * min(drawn)
    assert told > 15  # it is no empty bound


def test_who_stands_half_out_of_a_wood_may_see_past_it() -> None:
    hull = convex_hull([(-1.0, 4.0), (3.0, 4.0), (0.0, 20.0), (4.0, 20.0)])
    assert least_inside((-1.0, 4.0, 3.0, 4.0), hull, [(WOOD, 0.0)]) == 0.0


def test_of_a_square_wood_the_least_is_what_lies_straight_ahead() -> None:
    area = [(4.0, 20.0), (8.0, 20.0), (8.0, 22.0), (4.0, 22.0)]
    hull = convex_hull([*_corners(FRONT), *area])
    assert least_inside(FRONT, hull, [(WOOD, 0.0)]) == pytest.approx(3.5, abs=1e-12)
