"""Prepared answers about paths: cells change nothing but the time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field

from .test_field_discs import random_field


@pytest.fixture(params=["plain", "compiled"])
def backend(request: pytest.FixtureRequest) -> Iterator[Callable[[Field], Field]]:
    """Puts a field into one backend."""
    if request.param == "compiled":
        warm()
    backends.use("plain")
    yield lambda field: field.on_backend(request.param == "compiled")
    backends.use("auto")


def random_paths(rng: random.Random, count: int, reach: float = 3.0) -> list[list[Any]]:
    paths = []
    for _ in range(count):
        path = [(rng.uniform(-1, 31), rng.uniform(-1, 31))]
        for _ in range(rng.randint(0, 5)):
            x, y = path[-1]
            path.append((x + rng.uniform(-reach, reach), y + rng.uniform(-reach, reach)))
        paths.append(path)
    return paths


def flattened(paths: list[list[Any]]) -> tuple[list[float], list[int]]:
    corners, starts = [], [0]
    for path in paths:
        corners += [v for corner in path for v in corner]
        starts.append(len(corners) // 2)
    return corners, starts


def all_ways_to_ask(field: Field, paths: list[list[Any]], r: float) -> list[bool]:
    """The answers with nothing prepared, having checked that all others are the same."""
    corners, starts = flattened(paths)
    plain = [bool(v) for v in field.walked(corners, starts, r)]
    check = field.checker(r)
    assert [check(path) for path in paths] == plain
    assert [check.flat([v for p in path for v in p]) for path in paths] == plain
    assert [field.follows(path, r) for path in paths] == plain
    assert [bool(v) for v in field.follows_many(corners, starts, r)] == plain
    assert [bool(v) for v in check.many(corners, starts)] == plain
    return plain


def test_all_ways_to_ask_agree(
    backend: Callable[[Field], Field], budget: Callable[[int, int], int]
) -> None:
    rng = random.Random(71)
    said = {True: 0, False: 0}
    for _ in range(budget(6, 400)):
        field = backend(random_field(rng))
        for step in range(3):
            for answer in all_ways_to_ask(field, random_paths(rng, 60), 0.4):
                said[answer] += 1
            name = rng.choice(list(field.bodies))
            x, y = rng.uniform(-1, 31), rng.uniform(-1, 31)
            kind = rng.randrange(3)
            if kind == 0:
                field = field.moved(name, x, y)
            elif kind == 1:
                field = field.removed(name)
            else:
                field = field.added(f"new {step}", x, y, 1.3)
    assert min(said.values()) > 100


def test_both_gears_agree_when_prepared(budget: Callable[[int, int], int]) -> None:
    warm()
    backends.use("plain")
    rng = random.Random(72)
    for _ in range(budget(4, 300)):
        field = random_field(rng)
        paths = random_paths(rng, 80)
        quick = all_ways_to_ask(field.on_backend(True), paths, 0.45)
        assert all_ways_to_ask(field, paths, 0.45) == quick
        laid = field.on_backend(True).checker(0.45).cells.lists.tolist()
        assert laid == field.checker(0.45).cells.lists
    backends.use("auto")


def test_free_cells_are_free_and_shut_ones_shut(budget: Callable[[int, int], int]) -> None:
    """Up to their very corners, which are the farthest from the middles that were measured."""
    rng = random.Random(74)
    free = shut = 0
    for _ in range(budget(2, 200)):
        field = random_field(rng, 8)
        r = rng.uniform(0.3, 0.8)
        check = field.checker(r)
        flat, lists, marks = check.cells
        cell, columns = flat[2], int(flat[4])
        for c in range(len(marks)):
            if lists[c] > 0 or (lists[c] == 0 and marks[c]):
                continue
            x, y = flat[0] + c % columns * cell, flat[1] + c // columns * cell
            for px, py in ((x, y), (x + cell, y), (x, y + cell), (x + cell, y + cell)):
                if r <= px <= 30.0 - r and r <= py <= 30.0 - r:
                    assert field.standable(px, py, r) == (lists[c] == 0)
                    free, shut = free + (lists[c] == 0), shut + (lists[c] < 0)
    assert free > 3000
    assert shut > 300


def test_cells_with_edges_tell_inside_from_outside(backend: Callable[[Field], Field]) -> None:
    """On either side of the edges of a solid, and no solid is asked about by itself."""
    ring = [3.1, 3.2, 17.3, 4.1, 16.8, 10.2, 10.3, 9.7, 9.6, 17.1, 2.7, 16.4]
    field = backend(Field.of(width=20, depth=20, solids=[ring, [12, 12, 15, 12, 15, 15, 12, 15]]))
    r = 0.45
    check = field.checker(r)
    assert check.cells.figures[19] == 0.0
    told = {True: 0, False: 0}
    for k in range(0, len(ring), 2):
        ax, ay, bx, by = ring[k - 2], ring[k - 1], ring[k], ring[k + 1]
        long = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / long, (ax - bx) / long
        for i in range(1, 60):
            x, y = ax + i / 60 * (bx - ax), ay + i / 60 * (by - ay)
            for off in (r + 1e-3, r, r + 0.3, r - 1e-7):
                there = (x + off * nx, y + off * ny)
                fine = field.standable(*there, r)
                assert all_ways_to_ask(field, [[there, there]], r) == [fine]
                told[fine] += 1
                # As far from the edge, but within the solid.
                there = (x - off * nx, y - off * ny)
                assert all_ways_to_ask(field, [[there, there]], r) == [False]
    assert min(told.values()) > 300


def test_along_things_in_contact_and_a_hair_nearer(backend: Callable[[Field], Field]) -> None:
    """Razor edges: legs that run on the very border of what is allowed, cell after cell."""
    r = 125 / 254
    for turn in range(8):
        c, s = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)

        def place(x: float, y: float, c: float = c, s: float = s) -> tuple[float, float]:
            return c * x - s * y + 20.0, s * x + c * y + 20.0

        field = backend(
            Field.of(
                width=40,
                depth=40,
                walls=[(*place(-6, 0), *place(6, 0))],
                bodies={"a": (*place(0, 2 + 2 * r), 1.0)},
            )
        )
        for off, fine in ((0.0, True), (0.5e-9, True), (2e-9, False), (1e-7, False)):
            for path in (
                [place(-5, r - off), place(5, r - off)],
                [place(-5, 1 + r + off), place(0, 1 + r + off), place(5, 1 + r + off)],
                [place(-6 - r + off, -5), place(-6 - r + off, 5)],
            ):
                assert all_ways_to_ask(field, [path], r) == [fine]


def test_more_bodies_in_a_cell_than_it_has_room_for(backend: Callable[[Field], Field]) -> None:
    field = backend(Field.of(width=10, depth=10))
    for i in range(9):
        field = field.added(f"{i}", 5.0 + i * 0.1, 5.0, 0.1)
        assert all_ways_to_ask(field, [[(5.0 + i * 0.1, 4.0), (5.0 + i * 0.1, 6.0)]], 0.05) == [
            False
        ]
    clear = [(6.0, 5.0), (7.0, 5.0)]
    assert all_ways_to_ask(field, [clear, [(5.4, 4.0), (5.4, 6.0)]], 0.05) == [True, False]
    for i in range(8):
        field = field.removed(f"{i}")
    assert all_ways_to_ask(field, [[(5.4, 4.0), (5.4, 6.0)], [(5.8, 4.0), (5.8, 6.0)]], 0.05) == [
        True,
        False,
    ]


def test_a_state_remembers_what_it_was_asked_before(backend: Callable[[Field], Field]) -> None:
    """Local updates through many states, asked at some of them only."""
    rng = random.Random(73)
    field = backend(Field.of(width=30, depth=30, bodies={f"{i}": (i, i, 0.5) for i in range(20)}))
    for step in range(60):
        field = field.moved(str(rng.randrange(20)), rng.uniform(0, 30), rng.uniform(0, 30))
        if step % 7 == 0:
            fresh = backend(Field.of(width=30, depth=30, bodies=field.bodies))
            paths = random_paths(rng, 30)
            assert all_ways_to_ask(field, paths, 0.5) == all_ways_to_ask(fresh, paths, 0.5)


def test_beginning_inside_a_solid_or_alone(backend: Callable[[Field], Field]) -> None:
    field = backend(Field.of(width=40, depth=40, solids=[[10, 10, 30, 10, 30, 30, 10, 30]]))
    inside = [[(20.0, 20.0), (21.0, 20.0)], [(20.0, 20.0)], [(11.0, 11.0), (11.0, 12.0)]]
    # Clear of the border, yet in a cell that is not clear of it.
    inside += [[(10.55, 20.0), (10.6, 20.0)], [(10.55, 20.0)]]
    assert all_ways_to_ask(field, inside, 0.5) == [False] * 5
    assert all_ways_to_ask(field, [[], [(5.0, 5.0)], [(0.4, 5.0)]], 0.5) == [True, True, False]
    assert field.walked([20.0, 20.0], [0, 1], 0.5) == [False]


def test_grounds_bind_the_centre(backend: Callable[[Field], Field]) -> None:
    field = backend(Field.of(width=20, depth=20, grounds=[[5, 5, 10, 5, 10, 10, 5, 10]]))
    paths = [
        [(4.0, 6.0), (6.0, 6.0)],
        [(4.0, 5.0), (11.0, 5.0)],
        [(1.0, 1.0), (4.0, 4.0), (4.0, 12.0), (12.0, 4.0)],
        [(7.0, 7.0)],
    ]
    assert all_ways_to_ask(field, paths, 0.5) == [False, True, False, False]


def test_off_the_cells(backend: Callable[[Field], Field]) -> None:
    """Tables without bounds, radii 0, and places where numbers hold too little."""
    field = backend(Field.of(posts=[(0.0, 0.0, 1.0)], bodies={"far": (500.0, 0.0, 1.0)}))
    paths = [[(-9.0, 0.0), (9.0, 0.0)], [(490.0, 0.0), (510.0, 0.0)], [(400.0, 2.0), (600.0, 2.0)]]
    assert all_ways_to_ask(field, paths, 0.5) == [False, False, True]
    assert all_ways_to_ask(field, paths, 0.0) == [False, False, True]
    far = backend(Field.of(walls=[(1e9, 1e9 - 50, 1e9 + 7, 1e9 + 50)], posts=[(1e9, 1e9, 1.0)]))
    assert all_ways_to_ask(far, [[(1e9 - 9, 1e9), (1e9 + 9, 1e9)]], 0.5) == [False]
    assert len(far.checker(0.5).cells.marks) == 1


def test_whole_numbers_will_do_and_compile_nothing(backend: Callable[[Field], Field]) -> None:
    field = backend(Field.of(width=10, depth=10, posts=[(5, 5, 1)]))
    check = field.checker(1)
    twin = field.kernels.path_free
    before = len(twin.overloads) if field.compiled else 0
    assert check([(2, 2), (8, 2)])
    assert not check([(2, 5), (8, 5.0)])
    assert check.flat([2, 2, 8, 2])
    assert not check.flat([[2, 5], [8, 5]] if field.compiled else [2, 5, 8, 5])
    assert field.follows([(2, 2), (8, 2)], 1)
    assert field.standable(2, 2, 1)
    assert field.straight(2, 2, 8, 2, 1)
    if field.compiled:
        assert len(twin.overloads) == before


def test_any_array_will_do() -> None:
    np = pytest.importorskip("numpy")
    warm()
    check = Field.of(width=10, depth=10, posts=[(5, 5, 1)], compiled=True).checker(0.5)
    for path, clear in (([[2, 2], [8, 2]], True), ([[2, 5], [8, 5]], False)):
        for array in (
            np.array(path),
            np.array(path, np.float32),
            np.array(path, np.float64),
            np.array(path, np.float64).ravel(),
            np.repeat(np.array(path, np.float64).ravel(), 2)[::2],
        ):
            assert check.flat(array) == clear
        assert check(np.array(path)) == clear


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.1e10])
def test_numbers_that_will_not_do(backend: Callable[[Field], Field], bad: float) -> None:
    for field in (Field.of(width=9, depth=9, posts=[(4, 4, 1)]), Field.of(posts=[(0, 0, 1)])):
        check = backend(field).checker(0.5)
        for path in (
            [(1.0, 1.0), (2.0, bad)],
            [(bad, 1.0), (2.0, 1.0)],
            [(-5.0, 4.0), (2.0, bad), (2.0, 2.0)],
            [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (bad, 1.0)],
            [(bad, 1.0)],
            [(1.0, 1.0)] * 7 + [(1.0, bad)],
        ):
            with pytest.raises(ShapeError, match="from -1e10 to 1e10"):
                check(path)
            with pytest.raises(ShapeError, match="from -1e10 to 1e10"):
                check.many(*flattened([[(1.0, 1.0)], path]))
        with pytest.raises(ShapeError):
            backend(field).checker(bad)


@pytest.mark.parametrize("starts", [[0, 3], [-1, 2], [0, 2, 1], [1, 0]])
def test_starts_that_will_not_do(backend: Callable[[Field], Field], starts: list[int]) -> None:
    field = backend(Field.of(width=9, depth=9))
    with pytest.raises(ShapeError, match="starts"):
        field.follows_many([1.0, 1.0, 2.0, 2.0], starts, 0.5)
    with pytest.raises(ShapeError, match="starts"):
        field.checker(0.5).many([1.0, 1.0, 2.0, 2.0], starts)


def test_a_field_prepares_itself_when_asked_often() -> None:
    warm()
    field = Field.of(width=9, depth=9, posts=[(4, 4, 1)], compiled=True)
    said = {field.follows([(1.0, 1.0), (8.0, 1.0)], 0.5, slack) for slack in (SLACK, 1e-7)}
    for _ in range(450):
        said.add(field.follows([(1.0, 1.0), (8.0, 1.0)], 0.5))
    assert said == {True}
    assert not field.follows([(1.0, 4.0), (8.0, 4.0)], 0.5)
    assert field.checker(0.5) is field.checker(0.5)
