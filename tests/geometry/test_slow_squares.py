"""The mesh under an outline over slow ground: room round its corners, rings traced through it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from tapeline.geometry.plane.distance import ring_area
from tapeline.geometry.slow.borders import Obstacles
from tapeline.geometry.slow.clearing import room_round
from tapeline.geometry.slow.squares import trace_rings

from .test_field_discs import random_field


def test_the_room_round_corners_is_free_and_no_more_is(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(31)
    n, step, wide = 33, 0.35, 0.35
    shut = touching = 0
    for _ in range(budget(6, 100)):
        field, r = random_field(rng), rng.choice([0.2, 0.4, 1.1])
        query = Obstacles(field, r, zones=[(12.0, 9.0, 2.0)]).query
        x0, y0 = rng.uniform(-3.0, 15.0), rng.uniform(-3.0, 15.0)
        room = [0.0] * (n * n)
        room_round(x0, y0, step, n, wide, room, query.r, query.slack, *query.board)
        for k, far in enumerate(room):
            x, y = x0 + step * (k % n), y0 + step * (k // n)
            free = query.kernels.place_free(x, y, query.r, query.slack, *query.board)
            assert free == (far >= 0.0), (x, y)
            shut += not free
            if free and k % 7 == 0:
                spots = [
                    (x + far * math.cos(t), y + far * math.sin(t))
                    for t in (rng.uniform(0.0, math.tau) for _ in range(8))
                ]
                for u, v in spots:
                    # Up to where it just touches; a hair less for rounding.
                    u, v = x + (1.0 - 1e-9) * (u - x), y + (1.0 - 1e-9) * (v - y)
                    assert query.kernels.place_free(u, v, query.r, 1e-8, *query.board)
                if far < wide - 1e-6:
                    touching += 1
                    around = [
                        query.kernels.place_free(
                            x + (far + 0.02) * math.cos(0.05 * t),
                            y + (far + 0.02) * math.sin(0.05 * t),
                            query.r,
                            query.slack,
                            *query.board,
                        )
                        for t in range(126)
                    ]
                    assert not all(around)
    assert min(shut, touching) > 50


def test_rings_run_with_the_inside_on_their_left() -> None:
    # Two corners that touch at a saddle, a hole, and one corner alone; sides are cut in half.
    rows = [
        "........",
        ".###....",
        ".#.#....",
        ".###.#..",
        "....#...",
        "........",
    ]
    n = 8
    inside = [0] * (n * n)
    for j, row in enumerate(rows):
        for i, mark in enumerate(row):
            inside[j * n + i] = int(mark == "#")
    place, sides = [-1.0] * (2 * n * n), []
    for k in range(n * n - n):
        for up, other in enumerate((k + 1, k + n)):
            if (up or k % n < n - 1) and inside[k] != inside[other]:
                place[2 * k + up] = 0.5
                sides.append(2 * k + up)
    for joined, areas in ((0, [-0.5, 0.5, 0.5, 8.5]), (1, [-0.5, 10.5])):
        follow, out = [0] * (2 * n * n), [0.0] * (2 * len(sides))
        begins = [0] * (len(sides) + 2)
        count = trace_rings(
            0.0, 0.0, 1.0, n, inside, place, [joined] * (n * n), sides, len(sides), follow, out,
            begins,
        )  # fmt: skip
        found = [out[2 * begins[k] : 2 * begins[k + 1]] for k in range(count)]
        assert begins[count] == len(sides)
        assert sorted(ring_area(ring) for ring in found) == areas
