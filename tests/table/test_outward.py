"""Normals of the border of a plan, whichever way it faces."""

from __future__ import annotations

import math

import pytest

from tapeline.table.solids import ground_of
from tapeline.table.terrain import Circle


@pytest.mark.parametrize("degrees", [0.0, 17.0, 38.0, 45.0, 101.5, 289.0])
def test_the_normal_of_a_side_at_any_angle(degrees: float) -> None:
    t = math.radians(degrees)
    u, v = (math.cos(t), math.sin(t)), (-math.sin(t), math.cos(t))
    corners = [
        (20 + a * u[0] + b * v[0], 20 + a * u[1] + b * v[1])
        for a, b in ((-2, -1), (2, -1), (2, 1), (-2, 1))
    ]
    plan = ground_of(tuple(corners))
    side = 20 + 2 * u[0] + 0.3 * v[0], 20 + 2 * u[1] + 0.3 * v[1]
    assert plan.outward(*side) == pytest.approx(u)
    corner = ((u[0] + v[0]) / math.sqrt(2), (u[1] + v[1]) / math.sqrt(2))
    assert plan.outward(*corners[2]) == pytest.approx(corner)


def test_the_normal_of_a_circle() -> None:
    plan = ground_of(Circle(10.0, 10.0, 2.0))
    t = math.radians(77.0)
    place = 10 + 2 * math.cos(t), 10 + 2 * math.sin(t)
    assert plan.outward(*place) == pytest.approx((math.cos(t), math.sin(t)))
