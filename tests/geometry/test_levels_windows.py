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
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.surfaces.images import Image
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Gate, Link, Portal
from tapeline.geometry.surfaces.matrix import Matrix, segments_apart
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.unfolding import idle, least, on_line, unfolded


def gate(a: complex, b: complex, c: complex, d: complex, cost: float = 0.0) -> Gate:
    portal = Portal("p", "k", ("x", 0, 0, 1, 0), ("y", 0, 0, 1, 0), cost)
    return Gate(portal, 0, 0, a, b, c, d, -1)


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
        source = Image(0, 0, z.real, z.imag, sense, angle, 0.0, 0.0, 0.0, ahead)
        a, b, c, d = (spot(rng) for _ in range(4))
        if min(abs(b - a), abs(d - c)) < 0.1:
            continue
        first, second = gate(a, b, a, b), gate(c, d, c, d)
        # Images to the other side of a gate that leads where it is are those straight on.
        once = [one for one in unfolded(source, 0, first, radius) if one.sense == sense]
        twice = [
            two for one in once for two in unfolded(one, 1, second, radius) if two.sense == sense
        ]
        for _ in range(40):
            t = rng.uniform(0.0, ahead)
            out = cmath.rect(1.0, angle + sense * t)
            p, way = z + radius * out, out * (1j * sense) if radius else out
            one, two = met(p, way, a, b), met(p, way, c, d)
            through = [one], [one, two] if one and two and two[0] > one[0] + 1e-6 else [None]
            for k, (images, crossed) in enumerate(zip((once, twice), through, strict=True)):
                held = [
                    image
                    for image in images
                    if (t - image.first + 1e-9) % math.tau <= image.last - image.first + 2e-9
                ]
                if any(v is None or not 1e-6 < v[1] < 1.0 - 1e-6 for v in crossed):
                    continue
                assert len(held) == 1
                assert crossed[-1] is not None
                share = crossed[-1][1]
                assert held[0].begin - 1e-8 <= share <= held[0].end + 1e-8
                length = radius * t + crossed[-1][0]
                assert held[0].low <= length + 1e-8
                seen[k] += 1
            if one is None and not any(
                abs(v) < 1e-6 for image in once for v in (t - image.first, t - image.last)
            ):
                assert not any(
                    (t - image.first) % math.tau <= image.last - image.first for image in once
                )
    assert seen[0] > 500
    assert seen[1] > 80


def test_least_cost_of_a_window_is_that_of_its_places(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(4)
    count = 0
    for _ in range(budget(200, 20_000)):
        radius = rng.choice((0.0, 0.5, 1.5))
        z, angle = spot(rng, 2.0), rng.uniform(0.0, math.tau) if radius else 0.0
        source = Image(0, 0, z.real, z.imag, 1, angle, 1.0, 1.0, 0.0, math.tau)
        a, b = spot(rng), spot(rng)
        for image in unfolded(source, 0, gate(a, b, a, b, 0.5), radius):
            places = [image.seen[0] + k / 200 * (image.seen[1] - image.seen[0]) for k in range(201)]
            costs = [least(image, radius, place, place) for place in places]
            assert image.low <= min(costs) + 1e-9
            assert image.low >= min(costs) - abs(b - a) / 200
            assert image.cost == 1.5
            count += 1
    assert count > 200


def test_a_point_in_a_gate_enters_where_it_stands() -> None:
    through = gate(0j, 4 + 0j, 10j, 10j + 4j)
    here = Image(0, 0, 1.0, 0.0, 1, 0.0, 0.0, 0.0, 0.0, math.tau)
    assert on_line(here, 0.0, through) == pytest.approx(11j)
    assert not list(unfolded(here, 0, through, 0.0))
    beside = Image(0, 0, -1.0, 0.0, 1, 0.0, 0.0, 0.0, 0.0, math.tau)
    assert on_line(beside, 0.0, through) is None
    assert not list(unfolded(beside, 0, through, 0.0))


def test_round_through_gates_along_one_line_and_back_is_idle() -> None:
    """From level 0 to 1 and 2 along one line, back to 0: there, or a step farther on."""
    line, moved = (0j, 4 + 0j), (3j, 3j + 4)
    portal = Portal("p", "k", ("x", 0, 0, 1, 0), ("y", 0, 0, 1, 0))
    gates = [
        Gate(portal, start, end, *line, *out, -1)
        for start, end, out in ((0, 1, line), (1, 2, line), (2, 0, line), (2, 0, moved))
    ]
    here = Image(0, 0, 1.0, -1.0, 1, 0.0, 0.0, 0.0, 0.0, math.tau)
    one = next(iter(unfolded(here, 0, gates[0], 0.0)))
    two = next(iter(unfolded(one, 1, gates[1], 0.0)))
    assert not idle(gates, here, gates[0])
    assert not idle(gates, one, gates[1])
    assert idle(gates, two, gates[2])
    assert not idle(gates, two, gates[3])


def test_distances_of_segments_are_those_of_the_plane(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    n = budget(30, 300)
    one, two = ([(spot(rng), spot(rng)) for _ in range(n)] for _ in range(2))
    one[0], two[0] = (1 + 1j, 1 + 1j), (2 + 2j, 2 + 2j)
    one[1], two[1] = (0j, 4 + 0j), (1 + 0j, 2 + 0j)
    got = segments_apart(np.array(one), np.array(two))
    for i, (a, b) in enumerate(one):
        for j, (c, d) in enumerate(two):
            flat = [v for z in (a, b, c, d) for v in (z.real, z.imag)]
            assert got[i, j] == pytest.approx(segment_segment(*flat)[0], abs=1e-12)


def test_the_matrix_is_kept_for_a_radius_and_tells_what_is_left() -> None:
    levels = Levels(
        [Level(name, Field.of()) for name in ("a", "b", "c")],
        [Link("up", "ladder", ("b", 6.0, 8.0), ("c", 6.0, 9.0), 2.0, both=False)],
        [Portal("door", "door", ("a", 2, 3, 6, 3), ("b", 2, 3, 6, 3), 1.0)],
    )
    matrix = levels.matrix(0.5)
    assert levels.matrix(0.5) is matrix
    assert levels.matrix(0.4) is not matrix
    assert levels.matrix(0.5, {"a": [(4.0, 3.0, 0.5)]}) is not matrix
    door, back, up = [
        next(k for k, g in enumerate(matrix.gates) if (g.link.id, g.start) == what)
        for what in (("door", 0), ("door", 1), ("up", 1))
    ]
    assert matrix.apart[door, up] == pytest.approx(5.0)
    assert matrix.apart[door, back] == 0.0
    assert matrix.apart[up, door] == math.inf
    shown = [door, back, up]
    left = matrix.to_go(shown, [(2, 6.0, 12.0, 6.0, 12.0, -0.5)])
    assert list(left) == pytest.approx([9.5, 1.0 + 9.5, 2.5])
    assert list(matrix.to_go([door, back], [(2, 6.0, 12.0, 6.0, 12.0, 0.0)])) == [math.inf] * 2
    assert Matrix(()).gates == ()


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
