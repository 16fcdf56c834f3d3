"""Routes on random tables: turned, mirrored and shifted alike; circles met as their points are."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.discs.shortest_path import Answer, shortest

from .test_field_discs import random_field

pytestmark = pytest.mark.compiled

Point = tuple[float, float]


def lattice_table(rng: random.Random) -> tuple[list[list[Point]], list[tuple[Point, float]], float]:
    """Boxes and posts on a lattice whose gaps are often exactly the base: all edges are razors."""
    r = rng.choice([0.5, 125 / 254])
    step = 2 * r
    boxes = []
    for _ in range(rng.randint(1, 6)):
        x, y = rng.randint(0, 8) * step, rng.randint(0, 8) * step
        w, h = rng.randint(1, 4) * step, rng.randint(1, 4) * step
        boxes.append([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    posts = [
        ((rng.randint(0, 10) * step, rng.randint(0, 10) * step), r)
        for _ in range(rng.randint(0, 4))
    ]
    return boxes, posts, r


@given(
    seed=st.integers(0, 10**9),
    quarter=st.integers(0, 3),
    mirror=st.booleans(),
    dx=st.sampled_from([0.0, 0.1, 33.3, -1e3]),
    dy=st.sampled_from([0.0, -7.7, 512.0]),
)
def test_turned_mirrored_shifted(
    seed: int, quarter: int, mirror: bool, dx: float, dy: float
) -> None:
    rng = random.Random(seed)
    boxes, posts, r = lattice_table(rng)
    a = (rng.randint(-1, 11) * r * 2 + rng.choice([0.0, r]), rng.randint(-1, 11) * r * 2)
    b = (rng.randint(-1, 11) * r * 2, rng.randint(-1, 11) * r * 2 + rng.choice([0.0, r]))

    def place(p: Point) -> Point:
        x, y = (-p[0], p[1]) if mirror else p
        for _ in range(quarter):
            x, y = -y, x
        return x + dx, y + dy

    def ask(where: Callable[[Point], Point]) -> Answer:
        field = Field.of(
            solids=[[v for corner in box for v in where(corner)] for box in boxes],
            posts=[(*where(p), size) for p, size in posts],
        )
        return shortest(field, where(a), [PointGoal(*where(b))], r)

    plain, other = ask(lambda p: p), ask(place)
    assert plain.reason == other.reason
    if plain.route is not None:
        assert other.route is not None
        assert math.isclose(plain.route.length, other.route.length, abs_tol=2e-9)
    back = None
    field = Field.of(
        solids=[[v for corner in box for v in corner] for box in boxes],
        posts=[(*p, size) for p, size in posts],
    )
    back = shortest(field, b, [PointGoal(*a)], r).route
    assert (back is None) == (plain.route is None)
    if back is not None and plain.route is not None:
        assert math.isclose(plain.route.length, back.length, abs_tol=2e-9)
        assert field.follows(back.path, r, 3e-9)


def test_a_circle_is_met_where_its_nearest_place_is(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(51)
    r = 0.5
    met = away = 0
    for _ in range(budget(15, 1500)):
        field = random_field(rng, 10)
        name = rng.choice(list(field.bodies))
        x, y, size = field.bodies[name]
        radius = size + r + rng.choice([0.0, 1.0])
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        if not field.standable(*start, r) or math.dist(start, (x, y)) <= radius:
            continue
        answer = shortest(field, start, [CircleGoal(x, y, radius)], r)
        best = math.inf
        for k in range(120):
            a = k * math.tau / 120
            point = PointGoal(x + radius * math.cos(a), y + radius * math.sin(a))
            route = shortest(field, start, [point], r).route
            if route is not None:
                best = min(best, route.length)
        if answer.route is None:
            away += 1
            assert best == math.inf
            continue
        met += 1
        # Never longer than to any place of the circle, and no more than a step shorter.
        assert answer.route.length <= best + 1e-9
        # The open place may be narrower than the step, so its own end is asked for as well.
        end = answer.route.path.end if answer.route.path.legs else start
        assert math.isclose(math.dist(end, (x, y)), radius, abs_tol=1e-9)
        there = shortest(field, start, [PointGoal(*end)], r).route
        assert there is not None
        best = min(best, there.length)
        assert answer.route.length >= best - 1e-7
        if answer.route.path.legs:
            assert math.isclose(math.dist(answer.route.path.end, (x, y)), radius, abs_tol=1e-8)
        assert field.follows(answer.route.path, r, 3e-9)
    assert met >= 5


def test_the_way_out_is_the_nearest_open_place(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(52)
    r = 0.4
    out = 0
    for _ in range(budget(20, 1500)):
        field = random_field(rng, 6)
        x, y, radius = rng.uniform(5, 25), rng.uniform(5, 25), rng.uniform(2, 5)
        d, a = rng.uniform(0, radius), rng.uniform(0, math.tau)
        start = (x + d * math.cos(a), y + d * math.sin(a))
        if not field.standable(*start, r):
            continue
        answer = shortest(field, start, [CircleGoal(x, y, radius, outward=True)], r)
        best = math.inf
        for k in range(120):
            a = k * math.tau / 120
            point = PointGoal(x + radius * math.cos(a), y + radius * math.sin(a))
            route = shortest(field, start, [point], r).route
            if route is not None:
                best = min(best, route.length)
        if answer.route is None:
            assert best == math.inf
            continue
        out += 1
        assert answer.route.length <= best + 1e-9
        # The open place may be narrower than the step, so its own end is asked for as well.
        end = answer.route.path.end if answer.route.path.legs else start
        assert math.isclose(math.dist(end, (x, y)), radius, abs_tol=1e-9)
        there = shortest(field, start, [PointGoal(*end)], r).route
        assert there is not None
        best = min(best, there.length)
        assert answer.route.length >= best - 1e-7
        assert field.follows(answer.route.path, r, 3e-9)
    assert out >= 5
