"""Windows as intervals of leaving turns, distances between gates, how much a search takes up."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.surfaces import search_arrays as arrays
from tapeline.geometry.surfaces import unfolding
from tapeline.geometry.surfaces.gates import Gates
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Gate, Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.portal_gaps import FreePieces
from tapeline.geometry.surfaces.search_arrays import (
    FlatLevels,
    Image,
    SearchMemory,
    image_at,
    windows_of,
)
from tapeline.geometry.surfaces.unfolding import least
from tapeline.geometry.surfaces.window_search import Search


def gate(a: complex, b: complex, c: complex, d: complex, cost: float = 0.0) -> Gate:
    portal = Portal("p", "k", ("x", 0, 0, 1, 0), ("y", 0, 0, 1, 0), cost)
    return Gate(portal, 0, 0, a, b, c, d, -1)


def laid(gates: list[Gate]) -> Gates:
    pieces = [FreePieces([(0.0, 1.0)], (g.a, g.b, g.c, g.d)).cut(frozenset())[0] for g in gates]
    leads = np.array([(g.start, g.end) for g in gates], dtype=np.int64).reshape(-1, 2)
    none, count = np.zeros((0, 4), dtype=complex), len(gates)
    links = [g.link for g in gates]
    return Gates(links, np.arange(count), leads, none, pieces, np.zeros(count, dtype=bool))


class Unfolding:
    """Gates, and a source with its images behind them, as the kernels have them."""

    def __init__(self, gates: list[Gate], source: Image, ahead: float = math.tau) -> None:
        table, room = laid(gates), 64
        self.gates = gates
        ints, ends = table.ints.ravel().tolist(), table.ends.ravel().tolist()
        self.plan = FlatLevels([], ints, ends, [], [], [], [], [], [])
        self.taken = SearchMemory(
            best=[], told=[0] * arrays.TOLD, left=[], ahead=[],
            onward=[], opens=[], heads=[], met=[],
            met_ints=[], points=[], waiting=[], waiting_ints=[], things=[], legs=[],
            sources=[source.x, source.y, source.radius, source.angle, ahead, source.cost]
            + [0.0] * 5,
            source_ints=[0, source.sense, -1, -1, -1, -1, -1],
            images=[0.0] * (arrays.IMAGE * room), image_ints=[0] * (arrays.IMAGE_INTS * room),
            windows=[0.0] * 512, found=[], fanned=[], rows=[], fractions=[], parts=[],
            cuts=[0.0] * (unfolding.CUT * unfolding.CUTS + 6),
        )  # fmt: skip
        row = (source.x, source.y, source.angle, source.cost, source.cost, source.first)
        self.taken.images[: arrays.IMAGE] = [*row, source.last, 0.0, 1.0]
        self.taken.image_ints[: arrays.IMAGE_INTS] = [0, 0, source.sense, 0, -1, -1, 0, 0]
        self.taken.told[arrays.IMAGES] = 1

    def image(self, number: int) -> Image:
        return image_at(self.taken, number)

    def figure(self, number: int, column: int) -> float:
        return self.taken.images[arrays.IMAGE * number + column]

    def seen(self, number: int) -> tuple[complex, complex]:
        """The part of its last window that an image's legs cross."""
        _, end = windows_of(self.taken, number)
        ax, ay, bx, by = self.taken.windows[end - 4 : end]
        c, d = complex(ax, ay), complex(bx, by)
        begin, stop = self.figure(number, arrays.BEGIN), self.figure(number, arrays.STOP)
        return c + begin * (d - c), c + stop * (d - c)

    def behind(self, number: int, through: int) -> list[int]:
        """The images of an image behind a gate."""
        one, taken = self.gates[through], self.taken
        begin, end = windows_of(taken, number)
        found = []
        count = unfolding.cut_window(
            self.image(number), taken.windows[begin:end], one.a, one.b, one.length, taken.cuts
        )
        for cut in range(count):
            for mirrored in (False, True):
                made = unfolding.unfold(self.plan, taken, number, through, cut, mirrored)
                depth = taken.image_ints[arrays.IMAGE_INTS * made + arrays.DEPTH]
                taken.told[arrays.IMAGES] = made + 1
                taken.told[arrays.SEEN_FLOATS] += 4 * depth
                found.append(made)
        return found

    def idle(self, number: int, through: int) -> bool:
        return unfolding.idle(self.plan, self.taken, number, through)


def point(x: float, y: float, cost: float = 0.0) -> Image:
    return Image(x, y, 0.0, 1, 0.0, 0.0, math.tau, cost, 0)


def spot(rng: random.Random, far: float = 4.0) -> complex:
    return complex(rng.uniform(-far, far), rng.uniform(-far, far))


def met(p: complex, way: complex, a: complex, b: complex) -> tuple[float, float] | None:
    """How far along a ray it meets a segment, and at what share of that."""
    det = (way.conjugate() * (b - a)).imag
    if abs(det) < 1e-9:
        return None
    along = ((a - p).conjugate() * (b - a)).imag / det
    share = ((a - p).conjugate() * way).imag / det
    return (along, share) if along > 0.0 and 0.0 <= share <= 1.0 else None


def test_images_hold_just_the_legs_that_cross_their_windows(
    budget: Callable[[int, int], int],
) -> None:
    """Through one gate, and through two that stay where they are: legs drawn one by one."""
    rng = random.Random(3)
    seen = [0, 0]
    for _ in range(budget(300, 30_000)):
        radius = rng.choice((0.0, 0.5, 1.5))
        ahead = rng.choice((math.tau, rng.uniform(0.2, 5.0))) if radius else math.tau
        z, angle, sense = spot(rng, 2.0), rng.uniform(0.0, math.tau), rng.choice((-1, 1))
        if not radius:
            angle, sense = 0.0, 1
        source = Image(z.real, z.imag, radius, sense, angle, 0.0, ahead, 0.0, 0)
        a, b, c, d = (spot(rng) for _ in range(4))
        if min(abs(b - a), abs(d - c)) < 0.1:
            continue
        first, second = gate(a, b, a, b), gate(c, d, c, d)
        # Images to the other side of a gate that leads where it is are those straight on.
        seen_from = Unfolding([first, second], source, ahead)
        once = [one for one in seen_from.behind(0, 0) if seen_from.image(one).sense == sense]
        twice = [
            two
            for one in once
            for two in seen_from.behind(one, 1)
            if seen_from.image(two).sense == sense
        ]
        for _ in range(40):
            t = rng.uniform(0.0, ahead)
            out = cmath.rect(1.0, angle + sense * t)
            p, way = z + radius * out, out * (1j * sense) if radius else out
            one, two = met(p, way, a, b), met(p, way, c, d)
            through = [one], [one, two] if one and two and two[0] > one[0] + 1e-6 else [None]
            for k, (images, crossed) in enumerate(zip((once, twice), through, strict=True)):
                held = [
                    number
                    for number in images
                    if (t - seen_from.image(number).first + 1e-9) % math.tau
                    <= seen_from.image(number).last - seen_from.image(number).first + 2e-9
                ]
                if any(v is None or not 1e-6 < v[1] < 1.0 - 1e-6 for v in crossed):
                    continue
                assert len(held) == 1
                assert crossed[-1] is not None
                share = crossed[-1][1]
                assert seen_from.figure(held[0], arrays.BEGIN) - 1e-8 <= share
                assert share <= seen_from.figure(held[0], arrays.STOP) + 1e-8
                length = radius * t + crossed[-1][0]
                assert seen_from.figure(held[0], arrays.LOW) <= length + 1e-8
                seen[k] += 1
            turns = [seen_from.image(number) for number in once]
            if one is None and not any(
                abs(v) < 1e-6 for image in turns for v in (t - image.first, t - image.last)
            ):
                assert not any(
                    (t - image.first) % math.tau <= image.last - image.first for image in turns
                )
    assert seen[0] > 500
    assert seen[1] > 80


def test_least_cost_of_a_window_is_that_of_its_places(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(4)
    count = 0
    for _ in range(budget(200, 20_000)):
        radius = rng.choice((0.0, 0.5, 1.5))
        z, angle = spot(rng, 2.0), rng.uniform(0.0, math.tau) if radius else 0.0
        source = Image(z.real, z.imag, radius, 1, angle, 0.0, math.tau, 1.0, 0)
        a, b = spot(rng), spot(rng)
        seen_from = Unfolding([gate(a, b, a, b, 0.5)], source)
        for number in seen_from.behind(0, 0):
            image, (p, q) = seen_from.image(number), seen_from.seen(number)
            costs = [least(image, p + k / 200 * (q - p), p + k / 200 * (q - p)) for k in range(201)]
            low = seen_from.figure(number, arrays.LOW)
            assert low <= min(costs) + 1e-9
            assert low >= min(costs) - abs(b - a) / 200
            assert image.cost == 1.5
            count += 1
    assert count > 200


def test_a_point_in_a_gate_enters_where_it_stands() -> None:
    through = gate(0j, 4 + 0j, 10j, 10j + 4j)
    here = Unfolding([through], point(1.0, 0.0))
    stands, out = unfolding.on_line(here.plan, here.image(0), 0)
    assert stands
    assert out == pytest.approx(11j)
    assert not here.behind(0, 0)
    beside = Unfolding([through], point(-1.0, 0.0))
    assert not unfolding.on_line(beside.plan, beside.image(0), 0)[0]
    assert not beside.behind(0, 0)


def test_round_through_gates_along_one_line_and_back_is_idle() -> None:
    """From level 0 to 1 and 2 along one line, back to 0: there, or a step farther on."""
    line, moved = (0j, 4 + 0j), (3j, 3j + 4)
    portal = Portal("p", "k", ("x", 0, 0, 1, 0), ("y", 0, 0, 1, 0))
    gates = [
        Gate(portal, start, end, *line, *out, -1)
        for start, end, out in ((0, 1, line), (1, 2, line), (2, 0, line), (2, 0, moved))
    ]
    here = Unfolding(gates, point(1.0, -1.0))
    one = here.behind(0, 0)[0]
    two = here.behind(one, 1)[0]
    assert not here.idle(0, 0)
    assert not here.idle(one, 1)
    assert here.idle(two, 2)
    assert not here.idle(two, 3)


def test_gates_are_kept_for_a_radius_and_what_is_left_from_each_is_told() -> None:
    levels = Levels(
        [Level(name, Field.of()) for name in ("a", "b", "c")],
        [Link("up", "ladder", ("b", 6.0, 8.0), ("c", 6.0, 9.0), 2.0, both=False)],
        [Portal("door", "door", ("a", 2, 3, 6, 3), ("b", 2, 3, 6, 3), 1.0)],
    )
    table = levels.matrix(0.5)
    assert levels.matrix(0.5) is table
    assert levels.matrix(0.4) is not table
    assert levels.matrix(0.5, {"a": [(4.0, 3.0, 0.5)]}) is not table
    door, back, up = [
        next(k for k, g in enumerate(table) if (g.link.id, g.start) == what)
        for what in (("door", 0), ("door", 1), ("up", 1))
    ]
    for forbid, left in ((), (9.0, 1.0 + 9.0, 2.0)), (("ladder",), (math.inf,) * 3):
        search = Search(
            levels, ("a", 0.0, 0.0), 0.5, forbid, 99.0, None, 1e-9, 9_999, True, ties=True
        )
        search.aim([("c", PointGoal(6.0, 11.0))])
        search.run()
        told = [search.plan.ends[arrays.ENDS * k + arrays.TO_GO] for k in (door, back, up)]
        assert told == pytest.approx(left)
    assert list(laid([])) == []


def test_round_a_low_stall_a_search_stays_small() -> None:
    """Four portals round a stall that is walked over, between posts: images of arcs narrow."""
    posts = [(-1.5, 0.5, 0.8), (3.5, 0.4, 0.8), (1.0, 2.8, 0.7), (1.0, -1.9, 0.7)]
    levels = Levels(
        [Level("ground", Field.of(posts=posts)), Level("stall", Field.of(posts=posts), 1.0)],
        portals=[
            Portal(f"p{k}", "edge", ("ground", *side), ("stall", *side))
            for k, side in enumerate([(0, 0, 2, 0), (2, 0, 2, 1), (2, 1, 0, 1), (0, 1, 0, 0)])
        ],
    )
    answer = levels.route(
        ("ground", -4.0, -2.0), [("ground", PointGoal(7.0, 3.0))], 0.5, limit=14.0, work=4_000
    )
    assert answer.route is not None
    alone = Field.of(posts=posts).route((-4.0, -2.0), [PointGoal(7.0, 3.0)], 0.5)
    assert alone.route is not None
    assert answer.route.cost == pytest.approx(alone.route.length, abs=1e-9)
