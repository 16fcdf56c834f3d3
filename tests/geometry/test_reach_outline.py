"""The border of a reach: closed forms, and every place inside or outside as membership says."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.discs.field import Field

from .test_field_discs import random_field


def test_open_ground_is_a_circle() -> None:
    outline = Field.of().reach((3.0, 4.0), 0.5, 6.0).outline(1e-4)
    assert len(outline.rings) == 1
    assert math.isclose(outline.area, math.pi * 36, rel_tol=1e-4)
    assert all(math.isclose(math.dist(p, (3.0, 4.0)), 6.0) for p in outline.rings[0])


def test_half_a_table() -> None:
    # Against the table's side, from half way: the far part of the circle is cut off.
    outline = Field.of(width=100, depth=100).reach((3.0, 50.0), 0.5, 5.0).outline(1e-4)
    d = 2.5
    cut = 25 * math.acos(d / 5) - d * math.sqrt(25 - d * d)
    assert math.isclose(outline.area, math.pi * 25 - cut, abs_tol=0.01)


def test_behind_a_long_wall_the_border_is_an_involute() -> None:
    # A half plane of wall to the right of x = 0 below y = 0: round its corner at (0, 0).
    r, allowance = 0.5, 4.0
    field = Field.of(walls=[(0.0, 0.0, 0.0, -100.0)])
    start = (-r, -2.0)
    outline = field.reach(start, r, allowance).outline(1e-4)
    # Past the corner (after 2 along the wall) the string unwinds from the corner's circle: at
    # angle t gone round, it is 2 - r t long, and the tip is perpendicular to the radius.
    for k in range(1, 20):
        t = k * math.pi / 20
        length = allowance - 2.0 - r * t
        a = math.pi - t
        x = r * math.cos(a) + length * math.sin(a)
        y = r * math.sin(a) - length * math.cos(a)
        near = min(math.dist((x, y), corner) for ring in outline.rings for corner in ring)
        assert near < 0.05
        step = 5e-4
        assert outline.contains(x - step * math.sin(a), y + step * math.cos(a))
        assert not outline.contains(x + step * math.sin(a), y - step * math.cos(a))


def test_an_island_leaves_a_hole() -> None:
    outline = Field.of(posts=[(2.0, 0.0, 0.5)]).reach((0.0, 0.0), 0.5, 6.0).outline(1e-4)
    assert len(outline.rings) == 2
    inner = min(outline.rings, key=len)
    assert all(abs(math.dist(p, (2.0, 0.0)) - 1.0) < 1e-6 for p in inner)


def test_a_closed_room_is_its_inside() -> None:
    room = [(0, 0, 4, 0), (4, 0, 4, 3), (4, 3, 0, 3), (0, 3, 0, 0)]
    outline = Field.of(walls=room).reach((2.0, 1.0), 0.5, 20.0).outline(1e-4)
    assert len(outline.rings) == 1
    assert math.isclose(outline.area, 3.0 * 2.0, abs_tol=1e-3)


def test_nothing_to_reach() -> None:
    assert Field.of().reach((0.0, 0.0), 0.5, 0.0).outline().rings == ()
    blocked = Field.of(posts=[(0.0, 0.0, 1.0)]).reach((0.0, 0.0), 0.5, 3.0)
    assert blocked.outline().rings == ()
    assert blocked.generators == ()


@pytest.mark.parametrize("eps", [0.0, -1.0, math.nan, math.inf])
def test_eps_that_will_not_do(eps: float) -> None:
    with pytest.raises(ShapeError):
        Field.of().reach((0.0, 0.0), 0.5, 1.0).outline(eps)


def test_outline_is_membership(budget: Callable[[int, int], int]) -> None:
    """Outside a band of eps about the border, the rings and membership say the same."""
    rng = random.Random(31)
    eps = 0.002
    inside = outside = 0
    for _ in range(budget(20, 2000)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        zone = field.reach(start, 0.5, 6.0)
        outline = zone.outline(eps)
        for _ in range(60):
            x, y = start[0] + rng.uniform(-6.2, 6.2), start[1] + rng.uniform(-6.2, 6.2)
            said = zone.contains(x, y)
            inside += said
            outside += not said
            if outline.contains(x, y) != said:
                rim = [(x + 1.1 * eps * math.cos(k), y + 1.1 * eps * math.sin(k)) for k in range(7)]
                assert any(zone.contains(*p) != said for p in rim)
    assert min(inside, outside) > 50


def test_corners_are_on_the_border(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(32)
    corners = 0
    for _ in range(budget(6, 300)):
        field = random_field(rng)
        zone = field.reach((rng.uniform(1, 29), rng.uniform(1, 29)), 0.5, 5.0)
        for ring in zone.outline(0.01).rings:
            for x, y in ring[::5]:
                corners += 1
                rim = [(x + 1e-4 * math.cos(k), y + 1e-4 * math.sin(k)) for k in range(7)]
                states = {zone.contains(*p) for p in rim}
                assert False in states
                # In a wedge between obstacles it is thinner than any step: look closely.
                assert True in states or any(
                    zone.contains(x + d * math.cos(k / 8), y + d * math.sin(k / 8))
                    for d in (0.0, 1e-9, 1e-4, 1e-3, 0.01)
                    for k in range(50)
                )
    assert corners > 50


def test_bracket_holds_the_reach_between_two_outlines(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(33)
    inside = outside = 0
    for _ in range(budget(8, 500)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        zone = field.reach(start, 0.5, 6.0)
        inner, outer = zone.bracket(0.02)
        assert inner.area <= outer.area
        for _ in range(80):
            x, y = start[0] + rng.uniform(-6.2, 6.2), start[1] + rng.uniform(-6.2, 6.2)
            if inner.contains(x, y):
                inside += 1
                assert zone.contains(x, y)
            if not outer.contains(x, y):
                outside += 1
                assert not zone.contains(x, y)
    assert min(inside, outside) > 50
    inner, outer = Field.of().reach((0.0, 0.0), 0.5, 6.0).bracket(0.01)
    assert inner.area < math.pi * 36 < outer.area
