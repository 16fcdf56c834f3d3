"""How far apart two outlines are, held against shapely."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from tapeline.table.solids import Ground, ground_of

L_SHAPE = ((0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0))
BAR = ((-1.0, 0.2), (5.0, 0.2), (5.0, 0.6), (-1.0, 0.6))


def moved(kind: str, dx: float, dy: float) -> tuple[Ground, BaseGeometry, float]:
    """An outline, its shape for shapely, and the radius by which that is to be grown."""
    if kind == "circle":
        return Ground.of_circle((dx, dy, 0.75)), Point(dx, dy), 0.75
    ring = tuple((x + dx, y + dy) for x, y in (L_SHAPE if kind == "L" else BAR))
    return ground_of(ring), Polygon(ring), 0.0


@pytest.mark.parametrize("kinds", [*product(("L", "bar", "circle"), repeat=2)], ids="-".join)
def test_it_is_the_distance_between_them_or_nothing_where_they_meet(kinds: tuple[str, str]) -> None:
    rng, apart = Random(5), 0
    for _ in range(200):
        one, shape, r = moved(kinds[0], 0.0, 0.0)
        other, beside, q = moved(kinds[1], rng.uniform(-8.0, 8.0), rng.uniform(-5.0, 5.0))
        true = max(0.0, shape.distance(beside) - r - q)
        apart += true > 0.0
        assert one.apart(other) == pytest.approx(true, abs=1e-9)
    assert 20 < apart < 200


def test_two_that_cross_without_a_corner_inside_meet() -> None:
    bar, across = ground_of(BAR), ground_of(((1.0, -3.0), (1.5, -3.0), (1.5, 3.0), (1.0, 3.0)))
    assert bar.apart(across) == 0.0


def test_one_inside_the_other_is_not_apart_from_it() -> None:
    outer = ground_of(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))
    inner = ground_of(((4.0, 4.0), (5.0, 4.0), (5.0, 5.0), (4.0, 5.0)))
    disc = Ground.of_circle((4.5, 4.5, 0.5))
    assert [outer.apart(inner), inner.apart(outer), outer.apart(disc), disc.apart(outer)] == [
        0.0
    ] * 4
