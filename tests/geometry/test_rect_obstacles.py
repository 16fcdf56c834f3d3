"""Packed obstacles against the single-feature functions, and both backends against each other."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.rectangles.free_leg import free_leg
from tapeline.geometry.rectangles.motion_plan import FreeSpace, MotionPlan, plan_stand
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import (
    Point,
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
)
from tapeline.geometry.rectangles.slide import Contact, slide
from tapeline.geometry.rectangles.turn import turn

T = 1e-6


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    backends.use("plain")
    yield
    backends.use("auto")


def table(rng: random.Random, count: int) -> list[Region]:
    regions = []
    for _ in range(count):
        x, y = rng.uniform(0, 24), rng.uniform(0, 24)
        if rng.random() < 0.3:
            regions.append(region_of_circle(x, y, rng.uniform(0.3, 1.5)))
            continue
        n = rng.randint(3, 7)
        size = rng.uniform(0.6, 2.5)
        turns = [2 * math.pi * (k + 0.7 * rng.random()) / n for k in range(n)]
        regions.append(
            region_of_polygon(
                [
                    (x + size * r * math.cos(a), y + size * r * math.sin(a))
                    for a in turns
                    for r in [rng.uniform(0.5, 1)]
                ]
            )
        )
    return regions


def first_of(contacts: Iterable[Contact | None], else_: float) -> tuple[float, list[int]]:
    """Where the first contact is, and with which of the features; `else_` where there is none."""
    found = [(contact.at, i) for i, contact in enumerate(contacts) if contact is not None]
    at = min(found)[0] if found else else_
    return at, [i for s, i in found if s <= at + 1e-9]


def first_turn(rect: Rect, regions: list[Region], pivot: Point, by: float) -> Any:
    return first_of((turn(rect, r, pivot, by, T).contact for r in regions), abs(by))


def test_first_contacts_agree_with_the_single_functions(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(31)
    hits = [0, 0, 0]
    for _ in range(budget(60, 5_000)):
        regions = table(rng, 14)
        walls = Obstacles(regions)
        rect = Rect(rng.uniform(8, 16), rng.uniform(8, 16), rng.uniform(0, 6.3), 4, 2)
        angle = rng.uniform(0, 2 * math.pi)
        u = (math.cos(angle), math.sin(angle))
        at, found = first_of((slide(rect, r, u, 8.0, T).contact for r in regions), 8.0)
        mine, owner = walls.slide(rect, u, 8.0, T)
        assert mine == pytest.approx(at, abs=1e-9)
        assert owner == -1 if not found else owner in found
        hits[0] += bool(found)

        pivot = rng.choice([(rect.x, rect.y), rect.corners[1]])
        by = rng.uniform(-2 * math.pi, 2 * math.pi)
        at, found = first_turn(rect, regions, pivot, by)
        mine, owner = walls.turn(rect, pivot, by, T)
        assert mine == pytest.approx(at, abs=1e-9)
        assert owner == -1 if not found else owner in found
        hits[1] += bool(found)

        shift, by = (6 * u[0], 6 * u[1]), rng.uniform(-math.pi, math.pi)
        contacts = [free_leg(rect, r, (rect.x, rect.y), shift, by, T).contact for r in regions]
        first = min((c.at for c in contacts if c is not None), default=1.0)
        mine, owner = walls.free(rect, shift, by, T)
        assert mine == pytest.approx(first, abs=1e-9)
        assert (owner == -1) == all(c is None for c in contacts)
        hits[2] += owner >= 0
    assert min(hits) > 10


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 30])
def test_flush_neighbours_do_not_stop_what_leaves_them(degrees: float) -> None:
    me = Rect.of_degrees(20, 20, degrees, 4, 2)
    left = Rect.of_degrees(*me.world(0, 4), degrees, 4, 2)
    behind = Rect.of_degrees(*me.world(-2, 0), degrees, 4, 2)
    walls = Obstacles([region_of_polygon(r.corners) for r in (left, behind)])
    assert walls.slide(me, (me.ux, me.uy), 8, T) == (8, -1)
    at, owner = walls.slide(me, (-me.ux, -me.uy), 8, T)
    assert at == pytest.approx(0, abs=1e-12)
    assert owner == 1
    # About the front left corner: counter-clockwise off both, clockwise into both.
    assert walls.turn(me, me.corners[1], 0.5, T) == (0.5, -1)
    at, owner = walls.turn(me, me.corners[1], -0.5, T)
    assert at == pytest.approx(0, abs=1e-6)
    assert owner in (0, 1)


def test_shallow_touches_are_left_to_the_general_way() -> None:
    me = Rect(10, 10, 0, 2, 2)
    reach = math.sqrt(2)
    for gap, met in ((5e-7, -1), (-5e-7, -1), (-5e-6, 0)):
        walls = Obstacles([box(10 + reach + gap, 5, 20, 15)])
        assert walls.turn(me, (10, 10), math.pi / 2, T)[1] == met
        assert walls.free(me, (0, 0), math.pi / 2, T)[1] == met


def test_nothing_there_and_bad_input() -> None:
    empty = Obstacles([])
    me = Rect(0, 0, 0, 1, 1)
    assert empty.slide(me, (1, 0), 5) == (5, -1)
    assert empty.turn(me, (0, 0), -1) == (1, -1)
    assert empty.free(me, (1, 0), 1) == (1, -1)
    with pytest.raises(ShapeError):
        empty.slide(me, (0, 0), 5)
    with pytest.raises(ShapeError):
        empty.turn(me, (0, 0), 7)
    with pytest.raises(ShapeError):
        empty.free(me, (math.nan, 0), 1)
    with pytest.raises(ShapeError, match="1000 times round"):
        Obstacles([box(1.6, -9, 2, 9)]).free(Rect(0, 0, 0, 2, 2), (0.3, 0), 1e5, 1e-3)
    cog = region_of_polygon([(1.6 + 0.3 * math.cos(k / 7), math.sin(k / 7)) for k in range(43)])
    # Nearness, not overlap: every corner that crosses the line of a side counts, 65536 in all.
    with pytest.raises(WorkLimitError):
        Obstacles([cog]).free(Rect(0, 0, 0, 2, 2), (0.3, 0), 6000.0, -1e-3)


@pytest.mark.long
def test_both_gears_give_the_same_answers() -> None:
    warm()
    rng = random.Random(33)
    walls = Obstacles(table(rng, 40))
    rects = [
        Rect(rng.uniform(2, 22), rng.uniform(2, 22), rng.uniform(0, 6.3), 4, 2) for _ in range(300)
    ]
    loops = [v for r in rects for v in r.loop]
    turns = [rng.uniform(0, 2 * math.pi) for _ in rects]
    ways = [v for a in turns for v in (math.cos(a), math.sin(a))]
    centres = [v for r in rects for v in (r.x, r.y)]
    legs = [v for a in turns for v in (4 * math.cos(a), 4 * math.sin(a), a - 3)]
    answers = []
    for backend in ("plain", "compiled"):
        backends.use(backend)
        made = backend == "compiled"
        answers.append(
            [
                walls.slides(
                    backends.floats(loops, made),
                    backends.floats(ways, made),
                    backends.floats([8.0] * 300, made),
                ),
                walls.turns(
                    backends.floats(loops, made),
                    backends.floats(centres, made),
                    backends.floats(turns, made),
                ),
                walls.frees(
                    backends.floats(loops, made),
                    backends.floats(centres, made),
                    backends.floats(legs, made),
                ),
            ]
        )
    for (at0, part0), (at1, part1) in zip(*answers, strict=True):
        assert list(part0) == list(part1)
        assert max(abs(a - b) for a, b in zip(at0, at1, strict=True)) <= 1e-12


def test_a_batch_is_its_single_calls() -> None:
    rng = random.Random(37)
    hits = 0
    for _ in range(6):
        walls = Obstacles(table(rng, 25))
        rects = [Rect(rng.uniform(4, 20), rng.uniform(4, 20), rng.uniform(0, 6), 5, 2)] * 3
        ways = [(math.cos(a), math.sin(a)) for a in (rng.uniform(0, 6.3) for _ in rects)]
        slid, met = walls.slides(
            [v for r in rects for v in r.loop], [v for w in ways for v in w], [8.0] * 3, T
        )
        for rect, way, at, part in zip(rects, ways, slid, met, strict=True):
            one = walls.slide(rect, way, 8.0, T)
            assert one[1] == (walls.owners[part] if part >= 0 else -1)
            assert one[0] == pytest.approx(at, abs=1e-12)  # the way is brought to unit length again
        pivots = [rng.choice(rect.corners) for rect in rects]
        angles = [rng.uniform(-3, 3) for _ in rects]
        loops = [v for r in rects for v in r.loop]
        turned, met = walls.turns(loops, [v for p in pivots for v in p], angles, T)
        for rect, pivot, angle, at, part in zip(rects, pivots, angles, turned, met, strict=True):
            owner = walls.owners[part] if part >= 0 else -1
            assert walls.turn(rect, pivot, angle, T) == (at, owner)
            hits += owner >= 0
    assert hits > 3


def test_a_long_wall_behind_many_small_ones_is_found() -> None:
    """Sorting from left to right must not lose what begins far away."""
    small = [box(30 + 0.5 * k, 2, 30.2 + 0.5 * k, 2.2) for k in range(20)]
    walls = Obstacles([box(0, 20, 60, 20.5), *small])
    me = Rect(50, 15, 0, 4, 2)
    assert walls.slide(me, (0, 1), 9) == (3.0, 0)
    near = me.moved(0, 2.9)
    at, owner = walls.turn(near, (near.x, near.y), math.pi / 2)
    assert owner == 0
    assert at == pytest.approx(_least(near, 2.1), abs=1e-9)
    assert walls.free(me, (0, 9), 0.0) == (pytest.approx(1 / 3), 0)


def _least(rect: Rect, height: float) -> float:
    """The first angle at which a corner of a rectangle turned about its centre is so high."""
    angles = []
    for x, y in rect.corners:
        x, y = x - rect.x, y - rect.y
        rho, phase = math.hypot(x, y), math.atan2(y, x)
        angles += [
            (s - phase) % (2 * math.pi)
            for s in (math.asin(height / rho), math.pi - math.asin(height / rho))
        ]
    return min(angles)


def test_everything_round_a_pivot_is_met_in_both_senses() -> None:
    """Small walls on a ring: turning either way meets the one next in that sense."""
    me = Rect(0, 0, 0, 2, 8)
    for pivot in [(0.0, 0.0), me.corners[0], (-4.0, 0.0), (1.0, 5.0), (7.0, -3.0)]:
        posts = [
            region_of_circle(
                pivot[0] + 5.2 * math.cos(0.3 + k), pivot[1] + 5.2 * math.sin(0.3 + k), 0.1
            )
            for k in range(6)
        ]
        walls = Obstacles(posts)
        for angle in (2 * math.pi, -2 * math.pi, math.pi, -math.pi, 1.5, -1.5):
            at, found = first_turn(me, posts, pivot, angle)
            mine, owner = walls.turn(me, pivot, angle, T)
            assert mine == pytest.approx(at, abs=1e-9)
            assert owner == (found[0] if found else -1)


def test_turns_about_any_pivot_agree_with_the_general_way(
    budget: Callable[[int, int], int],
) -> None:
    """Corners, middles of sides, places inside, beside, before and behind; up to a whole turn."""
    rng = random.Random(45)
    met = missed = 0
    for _ in range(budget(60, 3_000)):
        regions = table(rng, 10)
        walls = Obstacles(regions)
        rect = Rect(rng.uniform(8, 16), rng.uniform(8, 16), rng.uniform(0, 6.3), 5, 2)
        (ax, ay), (bx, by) = (rect.corners[k] for k in rng.sample(range(4), 2))
        for pivot in (
            (ax, ay),
            (0.5 * (ax + bx), 0.5 * (ay + by)),
            (rect.x + rng.uniform(-6, 6), rect.y + rng.uniform(-6, 6)),
        ):
            angle = rng.choice((math.pi / 2, 0.4, 3.0, 2 * math.pi)) * rng.choice((1, -1))
            at, found = first_turn(rect, regions, pivot, angle)
            mine, owner = walls.turn(rect, pivot, angle, T)
            assert mine == pytest.approx(at, abs=1e-9)
            assert owner == -1 if not found else owner in found
            met, missed = met + bool(found and at > 0.0), missed + (not found)
    assert min(met, missed) > 20


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("corner", range(4))
def test_what_is_a_hair_off_a_turn_is_not_met(sense: int, corner: int) -> None:
    """Posts on the line where the front of a 5 x 2 ends, and beside its trailing side."""
    for facing in (0.0, 0.7, 2.2):
        me = Rect(20, 20, facing, 5, 2)
        px, py = me.corners[corner]
        # In the frame of the pivot: x to the trailing neighbour, y to the leading one.
        (ax, ay), (bx, by) = me.corners[corner - 1], me.corners[(corner + 1) % 4]
        if sense * ((ax - px) * (by - py) - (ay - py) * (bx - px)) < 0.0:
            (ax, ay), (bx, by) = (bx, by), (ax, ay)
        wide, high = math.dist((ax, ay), (px, py)), math.dist((bx, by), (px, py))
        base, r = math.atan2(ay - py, ax - px), 0.25

        def place(
            along: float,
            up: float,
            by: float,
            base: float = base,
            p: tuple[float, float] = (px, py),
        ) -> tuple[float, float]:
            """A place of the frame, turned on by an angle, on the table."""
            c, s = math.cos(base + sense * by), math.sin(base + sense * by)
            return p[0] + c * along - s * sense * up, p[1] + s * along + c * sense * up

        for angle in (0.1, 0.8, math.pi / 2):
            for along in (0.3, 0.5 * wide, wide - 0.1):
                for off, hit in ((1e-7, False), (-1e-7, True)):
                    post = region_of_circle(*place(along, high + r + off, angle), r)
                    at, owner = Obstacles([post]).turn(me, (px, py), sense * angle)
                    assert (owner == 0) is hit
                    assert at == pytest.approx(angle, abs=1e-5)
            for up in (0.0, 0.5 * high, high):
                post = region_of_circle(*place(wide + r + 1e-7, up, 0.0), r)
                assert Obstacles([post]).turn(me, (px, py), sense * angle) == (angle, -1)
            post = region_of_circle(*place(wide + r - 1e-6, 0.5 * high, 0.0), r)
            assert Obstacles([post]).turn(me, (px, py), sense * angle) == (0.0, 0)


@pytest.mark.parametrize("sense", [1, -1])
def test_a_pivot_within_a_side_sweeps_on_both_sides_of_it(sense: int) -> None:
    # 5 x 2 about a place 2 from the end of its long side: a post ahead of that end is met where it
    # leaves the top of the box behind, and one beyond the far end only after more than a quarter.
    me = Rect(0.5 * sense, 1.0, math.pi / 2, 5, 2)
    ahead = region_of_circle(-2.4 * sense, 1.0, 0.25)
    behind = region_of_circle(3.3 * sense, 0.0, 0.25)
    at, owner = Obstacles([ahead, behind]).turn(me, (0, 0), sense * math.pi / 2)
    (expected, _) = first_turn(me, [ahead], (0, 0), sense * math.pi / 2)
    assert at == pytest.approx(expected, abs=1e-9)
    assert owner == 0
    assert 0.0 < at < 0.3
    assert Obstacles([behind]).turn(me, (0, 0), sense * math.pi / 2) == (math.pi / 2, -1)


def test_many_slides_are_the_single_ones() -> None:
    rng = random.Random(44)
    walls = Obstacles(table(rng, 12))
    rects = [
        Rect(rng.uniform(0, 24), rng.uniform(0, 24), rng.uniform(0, 7), 3, 1) for _ in range(60)
    ]
    loops = [v for rect in rects for v in rect.loop]
    at, part = walls.slides(loops, [v for r in rects for v in (r.ux, r.uy)], [5.0] * len(rects))
    found = [walls.slide(rect, (rect.ux, rect.uy), 5.0) for rect in rects]
    assert found == [(s, walls.owners[k] if k >= 0 else -1) for s, k in zip(at, part, strict=True)]
    assert len({region for _, region in found}) > 3


@pytest.mark.long
def test_both_backends_plan_the_same_legs() -> None:
    """Of 150 random tasks, some on the spot and some measured along the way."""
    warm()
    rng, tasks = random.Random(62), []
    for k in range(150):
        me = Rect(rng.uniform(0, 20), rng.uniform(1, 30), rng.uniform(-3, 3), 4, 2)
        far = 0.0 if k % 10 == 0 else 12.0
        goal = me.moved(rng.uniform(-far, far), rng.uniform(-far, far))
        goal = goal.turned(rng.choice((0.0, math.pi / 2, rng.uniform(-3, 3))))
        tasks.append(
            (me, goal, tuple(table(rng, rng.randint(2, 9))), rng.choice((10, 30, 60)), k % 3 == 0)
        )
    plans: dict[str, list[MotionPlan]] = {"plain": [], "compiled": []}
    for backend, made in plans.items():
        backends.use(backend)
        for me, goal, regions, limit, followed in tasks:
            space = FreeSpace(regions, 48, 36, T)
            made.append(plan_stand(me, goal, space, limit, followed=followed, work=120))
    found = 0
    for one, two in zip(plans["plain"], plans["compiled"], strict=True):
        assert (one.legs is None) == (two.legs is None)
        if one.legs is None or two.legs is None:
            continue
        found += 1
        assert [type(leg) for leg in one.legs] == [type(leg) for leg in two.legs]
        assert two.cost == pytest.approx(one.cost, abs=1e-9)
    assert found > 40
