"""Bases that share ground: hand figures, and dense sampling as a second source."""

from __future__ import annotations

import math
from random import Random

import pytest

from tapeline.engine.bases import base_extent, base_overlap
from tapeline.table.bodies import Base, Body, Rectangle, Round

pytestmark = pytest.mark.compiled


def body(base: Base, x: float, y: float, facing: float = 0.0, name: str = "a") -> Body:
    return Body(name, "red", name, base, x, y, 0.0, facing)


def test_discs() -> None:
    assert base_overlap(body(Round(1), 0, 0), body(Round(2), 2, 0)) == 1.0
    assert base_overlap(body(Round(1), 0, 0), body(Round(2), 3, 0)) == 0.0
    assert base_overlap(body(Round(1), 0, 0), body(Round(2), 3, 4)) == -2.0


@pytest.mark.parametrize("quarter", [0, 90, 180, 270, 360, -90])
def test_disc_against_a_side_a_corner_and_the_inside(quarter: float) -> None:
    # width 4 across, depth 2 along the facing; turned by quarters about its centre
    block = body(Rectangle(4, 2), 10, 10, quarter)
    c, s = round(math.cos(math.radians(quarter))), round(math.sin(math.radians(quarter)))

    def at(ahead: float, aside: float) -> Body:
        return body(Round(1), 10 + c * ahead - s * aside, 10 + s * ahead + c * aside)

    for ahead, aside, depth in [
        (2, 0, 0.0), (1.5, 0, 0.5), (0, 3, 0.0), (0, 2.75, 0.25),
        (1 + 0.6, 2 + 0.8, 0.0), (1 + 0.3, 2 + 0.4, 0.5), (0, 0, 2.0), (0.5, 1, 1.5), (3, 0, -1.0),
    ]:  # fmt: skip
        assert base_overlap(block, at(ahead, aside)) == pytest.approx(depth, abs=1e-12)
        assert base_overlap(at(ahead, aside), block) == pytest.approx(depth, abs=1e-12)


def test_rectangles() -> None:
    a = body(Rectangle(4, 2), 0, 0)
    assert base_overlap(a, body(Rectangle(4, 2), 2, 0)) == 0.0
    assert base_overlap(a, body(Rectangle(4, 2), 1.75, 0)) == 0.25
    assert base_overlap(a, body(Rectangle(4, 2), 0, 4)) == 0.0
    assert base_overlap(a, body(Rectangle(4, 2), 2, 4)) == 0.0, "corner on corner"
    assert base_overlap(a, body(Rectangle(2, 2), 0, 0)) == 2.0
    turned = body(Rectangle(2, 2), 1 + math.sqrt(2), 0, 45)
    assert base_overlap(a, turned) == pytest.approx(0.0, abs=1e-12)
    assert base_overlap(a, body(Rectangle(2, 2), 1, 0, 45)) == pytest.approx(math.sqrt(2))


def _inside(b: Body, x: float, y: float) -> float:
    """How deep a point lies in a base, by its own definition; negative outside."""
    angle = math.radians(b.facing)
    dx, dy = x - b.x, y - b.y
    if isinstance(b.base, Round):
        return b.base.radius - math.hypot(dx, dy)
    u = dx * math.cos(angle) + dy * math.sin(angle)
    v = -dx * math.sin(angle) + dy * math.cos(angle)
    return min(b.base.depth / 2 - abs(u), b.base.width / 2 - abs(v))


def _random_body(rng: Random) -> Body:
    base: Base = (
        Round(rng.uniform(0.3, 2))
        if rng.random() < 0.4
        else Rectangle(rng.uniform(0.3, 4), rng.uniform(0.3, 4))
    )
    return body(base, rng.uniform(0, 5), rng.uniform(0, 5), rng.uniform(-360, 720))


def test_against_sampling() -> None:
    rng = Random(11)
    met = apart = 0
    for _ in range(400):
        a, b = _random_body(rng), _random_body(rng)
        depth = base_overlap(a, b)
        assert base_overlap(b, a) == pytest.approx(depth, abs=1e-12)
        steps = 24
        west, south, east, north = base_extent(a)
        common = any(
            _inside(a, x, y) > 0 and _inside(b, x, y) > 0
            for i in range(steps + 1)
            for j in range(steps + 1)
            for x, y in [(west + (east - west) * i / steps, south + (north - south) * j / steps)]
        )
        if common:
            assert depth > 0
            met += 1
        if depth < -1e-9:
            assert not common
            apart += 1
            # The figure never promises more room than there is: shift by it and they still do
            # not meet.
            dx, dy = b.x - a.x, b.y - a.y
            far = math.hypot(dx, dy)
            nearer = b.at(b.x + dx / far * depth * 0.999, b.y + dy / far * depth * 0.999)
            assert base_overlap(a, nearer) <= 1e-9
        if depth > 0.5:
            assert common, "an overlap that deep cannot fall between the samples"
    assert met > 100
    assert apart > 100


def test_the_depth_is_a_shift_that_parts_rectangles() -> None:
    rng = Random(5)
    tried = 0
    while tried < 200:
        a, b = _random_body(rng), _random_body(rng)
        depth = base_overlap(a, b)
        if depth <= 0:
            continue
        tried += 1
        best = min(
            base_overlap(a, b.at(b.x + depth * math.cos(t), b.y + depth * math.sin(t)))
            for t in (math.tau * k / 720 for k in range(720))
        )
        assert best <= 1e-4, "a shift by the depth in the best direction parts them"
        less = 0.9 * depth
        assert all(
            base_overlap(a, b.at(b.x + less * math.cos(t), b.y + less * math.sin(t))) > 0
            for t in (math.tau * k / 36 for k in range(36))
        ), "no smaller shift does"


def test_extent() -> None:
    assert base_extent(body(Round(1.5), 3, 4)) == (1.5, 2.5, 4.5, 5.5)
    assert base_extent(body(Rectangle(4, 2), 3, 4)) == (2, 2, 4, 6)
    assert base_extent(body(Rectangle(4, 2), 3, 4, 90)) == (1, 3, 5, 5)
    assert base_extent(body(Rectangle(4, 2), 3, 4, -270)) == (1, 3, 5, 5)
    half = math.sqrt(2)
    assert base_extent(body(Rectangle(2, 2), 0, 0, 45)) == pytest.approx((-half, -half, half, half))
