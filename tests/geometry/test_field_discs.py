"""Fields: what stands where, local updates, batches, exact contact."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.discs.reach import reach
from tapeline.geometry.discs.shortest_path import shortest
from tapeline.geometry.plane.legs import Arc, Line, Path

pytestmark = pytest.mark.compiled


def random_table(rng: random.Random, bodies: int = 20) -> dict[str, Any]:
    """What to hand to Field.of."""
    solids = []
    for _ in range(rng.randint(0, 12)):
        x, y = rng.uniform(2, 28), rng.uniform(2, 28)
        w, h, a = rng.uniform(0.5, 5), rng.uniform(0.3, 3), rng.uniform(0, math.tau)
        c, s = math.cos(a), math.sin(a)
        solids.append(
            [
                v
                for p, q in ((0, 0), (w, 0), (w, h), (w / 2, h / 2), (0, h))
                for v in (x + p * c - q * s, y + p * s + q * c)
            ]
        )
    return {
        "width": 30,
        "depth": 30,
        "solids": solids,
        "posts": [(rng.uniform(0, 30), rng.uniform(0, 30), rng.uniform(0.2, 2)) for _ in range(4)],
        "walls": [[rng.uniform(0, 30) for _ in range(4)] for _ in range(2)],
        "bodies": {
            f"b{i}": (rng.uniform(0, 30), rng.uniform(0, 30), rng.uniform(0.3, 1.2))
            for i in range(bodies)
        },
    }


def random_field(rng: random.Random, bodies: int = 20) -> Field:
    return Field.of(**random_table(rng, bodies))


def test_local_updates_equal_a_fresh_field(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(2)
    routes = 0
    for _ in range(budget(12, 400)):
        table = random_table(rng, 10)
        field = Field.of(**table)
        for step in range(12):
            names = list(field.bodies)
            kind = rng.randrange(3)
            if kind == 0 or not names:
                field = field.added(
                    f"n{step}", rng.uniform(0, 30), rng.uniform(0, 30), rng.uniform(0.2, 2)
                )
            elif kind == 1:
                field = field.removed(rng.choice(names))
            else:
                field = field.moved(rng.choice(names), rng.uniform(-1, 31), rng.uniform(-1, 31))
            a = (rng.uniform(1, 29), rng.uniform(1, 29))
            b = (rng.uniform(1, 29), rng.uniform(1, 29))
            other = Field.of(**{**table, "bodies": field.bodies})
            assert field.standable(*a, 0.5) == other.standable(*a, 0.5)
            assert field.straight(*a, *b, 0.5) == other.straight(*a, *b, 0.5)
            one = shortest(field, a, [PointGoal(*b)], 0.5, limit=25.0)
            two = shortest(other, a, [PointGoal(*b)], 0.5, limit=25.0)
            assert one.reason == two.reason
            if one.route is not None:
                routes += 1
                assert two.route is not None
                assert one.route.length == two.route.length
            # Work out all arcs, so that the next change has something to forget.
            field.reach(a, 0.5, 30.0)
    assert routes > 10


def test_a_field_never_changes() -> None:
    field = Field.of(width=10, depth=10, bodies={"a": (5.0, 5.0, 1.0)})
    moved = field.moved("a", 1.0, 1.0)
    gone = field.removed("a")
    assert field.bodies == {"a": (5.0, 5.0, 1.0)}
    assert moved.bodies == {"a": (1.0, 1.0, 1.0)}
    assert gone.bodies == {}
    assert not field.standable(5.0, 5.0, 0.5)
    assert moved.standable(5.0, 5.0, 0.5)
    assert gone.standable(5.0, 5.0, 0.5)


def test_many_bodies_in_one_cell() -> None:
    field = Field.of(width=10, depth=10)
    for i in range(40):
        field = field.added(f"{i}", 5.0 + i * 1e-3, 5.0, 0.1)
    assert not field.standable(5.188, 5.0, 0.05)
    assert field.standable(5.19, 5.0, 0.05)
    for i in range(40):
        field = field.removed(f"{i}")
    assert field.standable(5.0, 5.0, 0.05)


def test_a_crowd_that_comes_at_once() -> None:
    crowd = {f"b{i}": (5.0 + 0.01 * i, 5.0, 0.5) for i in range(30)}
    one_by_one = Field.of(width=10, depth=10)
    for name, body in crowd.items():
        one_by_one = one_by_one.added(name, *body)
    at_once = Field.of(width=10, depth=10).with_bodies(crowd)
    assert at_once.bodies == one_by_one.bodies == crowd
    for x in (4.0, 4.2, 5.1, 5.9, 6.2):
        assert at_once.standable(x, 5.0, 0.3) == one_by_one.standable(x, 5.0, 0.3)


def test_batch_is_the_single_answer(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(4)
    said = {True: 0, False: 0}
    for _ in range(budget(10, 300)):
        field = random_field(rng)
        corners: list[float] = []
        starts = [0]
        paths = []
        while len(paths) < 40:
            path = [(rng.uniform(1, 29), rng.uniform(1, 29))]
            if not field.standable(*path[0], 0.4):
                continue
            for _ in range(rng.randint(0, 3)):
                x, y = path[-1]
                path.append((x + rng.uniform(-3, 3), y + rng.uniform(-3, 3)))
            if len(path) == 1:
                path.append(path[0])
            paths.append(path)
            corners += [v for p in path for v in p]
            starts.append(len(corners) // 2)
        many = field.follows_many(corners, starts, 0.4)
        for path, answer in zip(paths, many, strict=True):
            assert field.follows(path, 0.4) == answer
            said[answer] += 1
    assert min(said.values()) > 20


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize("shift", [0.0, 0.1, 97.3])
def test_exact_contact_is_clear_and_a_hair_less_is_not(quarter: int, shift: float) -> None:
    def place(x: float, y: float) -> tuple[float, float]:
        for _ in range(quarter):
            x, y = -y, x
        return x + shift, y + shift

    r = 125 / 254
    field = Field.of(
        walls=[(*place(-5, 0), *place(5, 0))],
        posts=[(*place(0, 2 + 2 * r), 1.0)],
    )
    # Along the wall, tangent to the post's underside: the gap between is exactly the base.
    assert field.follows([place(-3, r), place(3, r)], r)
    assert field.follows([place(-3, 1 + r), place(3, 1 + r)], r)
    assert not field.follows([place(-3, r - 1e-7), place(3, r - 1e-7)], r)
    assert not field.follows([place(-3, 1 + r + 1e-7), place(3, 1 + r + 1e-7)], r)


def test_arcs_round_a_body_in_contact() -> None:
    field = Field.of(bodies={"a": (5.0, 5.0, 1.0)})
    assert field.follows(Path((Arc(5.0, 5.0, 1.5, 0.3, 4.0),)), 0.5)
    assert not field.follows(Path((Arc(5.0, 5.0, 1.5 - 1e-6, 0.3, 4.0),)), 0.5)
    walled = Field.of(walls=[(5.0, 7.0, 5.0, 8.0)], bodies={"a": (5.0, 5.0, 1.0)})
    assert walled.follows(Path((Arc(5.0, 5.0, 1.5, 0.0, math.pi),)), 0.5)
    assert not walled.follows(Path((Arc(5.0, 5.0, 1.5, 0.0, math.pi),)), 0.5 + 1e-6)


def test_arcs_against_straight_pieces(budget: Callable[[int, int], int]) -> None:
    """An arc is free when a fine polygon about it is, and blocked when one inside it is."""
    rng = random.Random(8)
    said = {True: 0, False: 0}
    for _ in range(budget(60, 3000)):
        field = random_field(rng, 8)
        arc = Arc(
            rng.uniform(4, 26),
            rng.uniform(4, 26),
            rng.uniform(0.2, 4),
            rng.uniform(-7, 7),
            rng.uniform(-6.2, 6.2),
        )
        pieces = 400
        corners = [arc.at(arc.length * k / pieces) for k in range(pieces + 1)]
        sag = arc.length**2 / pieces**2 / (8 * arc.radius) + 1e-9
        answer = field.follows(Path((arc,)), 0.5)
        said[answer] += 1
        if field.follows(corners, 0.5 + sag):
            assert answer
        if not field.follows(corners, 0.5 - sag):
            assert not answer
    assert min(said.values()) >= 5


def test_reach_is_the_route_asked_everywhere(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    inside = outside = 0
    for _ in range(budget(12, 400)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        zones = [(rng.uniform(0, 30), rng.uniform(0, 30), rng.uniform(1, 3))]
        zone = reach(field, start, 0.5, 8.0, zones=zones)
        for _ in range(30):
            x, y = start[0] + rng.uniform(-8, 8), start[1] + rng.uniform(-8, 8)
            answer = shortest(field, start, [PointGoal(x, y)], 0.5, limit=8.0, zones=zones)
            if answer.route is None:
                outside += 1
                assert not zone.contains(x, y)
                assert zone.route(x, y) is None
                continue
            inside += 1
            assert math.isclose(zone.cost(x, y), answer.route.length, abs_tol=1e-9)
            way = zone.route(x, y)
            assert way is not None
            assert math.isclose(way.path.length, answer.route.length, abs_tol=1e-9)
            if way.path.legs:
                assert math.dist(way.path.end, (x, y)) < 1e-9
            assert field.follows(way.path, 0.5, 2e-9)
    assert min(inside, outside) > 50


def test_reach_may_cross_but_not_stop() -> None:
    zone = reach(Field.of(), (0.0, 0.0), 0.5, 6.0, no_end=[(3.0, 0.0, 1.0)])
    assert zone.contains(4.0, 0.0)
    assert zone.contains(5.9, 0.0)
    assert not zone.contains(3.5, 0.0)
    assert not zone.contains(6.1, 0.0)
    assert zone.cost(3.5, 0.0) == 3.5


def test_reach_of_nothing() -> None:
    assert reach(Field.of(), (1.0, 1.0), 0.5, 0.0).contains(1.0, 1.0)
    assert not reach(Field.of(), (1.0, 1.0), 0.5, 0.0).contains(1.0, 1.001)
    assert not reach(Field.of(posts=[(1.0, 1.0, 1.0)]), (1.0, 1.0), 0.5, 5.0).contains(3.0, 3.0)


@pytest.mark.parametrize(
    "ring",
    [
        [0, 0, 1, 0],
        [0, 0, 1, 0, 2, 0],
        [0, 0, 1, 0, 1, math.nan],
        [0, 0, 1, 0, 1, math.inf],
        [0, 0, 1, 0, 1],
        [0, 0, 0, 0, 0, 0],
    ],
)
def test_rings_that_will_not_do(ring: list[float]) -> None:
    with pytest.raises(ShapeError):
        Field.of(solids=[ring])


def test_fields_that_will_not_do() -> None:
    with pytest.raises(ShapeError):
        Field.of(posts=[(0.0, 0.0, -1.0)])
    with pytest.raises(ShapeError):
        Field.of(width=0.0, depth=5.0)
    with pytest.raises(ShapeError):
        Field.of(bodies={"a": (0.0, math.nan, 1.0)})
    field = Field.of(bodies={"a": (0.0, 0.0, 1.0)})
    with pytest.raises(ShapeError):
        field.added("a", 1.0, 1.0, 1.0)
    with pytest.raises(ShapeError):
        field.moved("b", 1.0, 1.0)
    with pytest.raises(ShapeError):
        field.removed("b")
    with pytest.raises(ShapeError):
        Field.of(walls=[(0, 0, 1, 1)]).standable(0.0, 0.0, 0.0)


def test_corners_given_twice_or_clockwise_are_the_same_ring() -> None:
    one = Field.of(solids=[[0, 0, 2, 0, 2, 2, 0, 2]])
    two = Field.of(solids=[[0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2]])
    for x, y in ((-0.5, 1.0), (-0.499, 1.0), (1.0, 1.0), (2.3, 2.3), (2.4, 2.4)):
        assert one.standable(x, y, 0.5) == two.standable(x, y, 0.5)
    a = shortest(one, (-1.0, 1.0), [PointGoal(3.0, 1.5)], 0.5).route
    b = shortest(two, (-1.0, 1.0), [PointGoal(3.0, 1.5)], 0.5).route
    assert a is not None
    assert b is not None
    assert math.isclose(a.length, b.length, abs_tol=1e-12)


def test_empty_path_and_lines() -> None:
    field = Field.of(width=5, depth=5)
    assert field.follows([], 0.5)
    assert field.follows(Path(()), 0.5)
    assert field.follows(Path((Line(1, 1, 2, 2),)), 0.5)
    assert not field.follows(Path((Line(0.4, 1, 2, 2),)), 0.5)


def test_what_was_known_of_an_arc_is_forgotten_when_a_body_comes_near() -> None:
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    a, b = (-5.0, 0.2), (5.0, 0.2)
    over = shortest(field, a, [PointGoal(*b)], 0.5).route
    assert over is not None
    for other in (
        field.added("x", 0.0, 2.39, 0.4),
        field.added("x", 9.0, 9.0, 0.4).moved("x", 0.0, 2.39),
    ):
        under = shortest(other, a, [PointGoal(*b)], 0.5).route
        assert under is not None
        assert other.follows(under.path, 0.5, 2e-9)
        assert under.length > over.length + 0.01
        back = shortest(other.removed("x"), a, [PointGoal(*b)], 0.5).route
        assert back is not None
        assert back.length == over.length


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.1e10, 1e300])
def test_no_number_that_will_not_do_is_ever_clear(bad: float) -> None:
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    for ask in (
        lambda: field.standable(bad, 0.0, 0.5),
        lambda: field.standable(3.0, 0.0, bad),
        lambda: field.straight(3.0, 0.0, 3.0, bad, 0.5),
        lambda: field.follows([(3.0, 0.0), (bad, 0.0)], 0.5),
        lambda: field.follows(Path((Arc(3.0, 3.0, 1.0, bad, 1.0),)), 0.5),
        lambda: field.follows_many([3.0, 0.0, bad, 0.0], [0, 2], 0.5),
        lambda: field.reach((bad, 0.0), 0.5, 1.0),
        lambda: field.reach((3.0, 0.0), 0.5, bad),
        lambda: field.reach((3.0, 0.0), 0.5, 1.0).contains(3.0, bad),
        lambda: field.added("a", bad, 0.0, 1.0),
        lambda: Field.of(walls=[(0.0, 0.0, 1.0, bad)]),
    ):
        with pytest.raises(ShapeError):
            ask()


def test_a_budget_of_a_million_is_answered() -> None:
    rng = random.Random(61)
    field = random_field(rng)
    zone = field.reach((3.0, 3.0), 0.5, 1e6)
    for _ in range(20):
        x, y = rng.uniform(0, 30), rng.uniform(0, 30)
        route = shortest(field, (3.0, 3.0), [PointGoal(x, y)], 0.5).route
        assert zone.contains(x, y) == (route is not None)
