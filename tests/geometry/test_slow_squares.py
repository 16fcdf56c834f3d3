"""The mesh under an outline over slow ground: room round corners, parts of sides, rings traced."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.distance import ring_area
from tapeline.geometry.weighted.arrays import Clearance
from tapeline.geometry.weighted.candidates import Mesh
from tapeline.geometry.weighted.contour import Front
from tapeline.geometry.weighted.contour_sides import CLOSE, SideRoom, free_parts, passable
from tapeline.geometry.weighted.corner_room import room_round
from tapeline.geometry.weighted.curves import GrownObstacles
from tapeline.geometry.weighted.marching_squares import Rings, trace_rings
from tapeline.geometry.weighted.regions import WeightedGround
from tapeline.geometry.weighted.route import WeightedRouter

from .test_field_discs import random_field


def test_the_room_round_corners_is_free_and_no_more_is(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(31)
    n, step, wide = 33, 0.35, 0.35
    shut = touching = deep = 0
    for _ in range(budget(6, 100)):
        field, r = random_field(rng), rng.choice([0.2, 0.4, 1.1])
        query = GrownObstacles(field, r, zones=[(12.0, 9.0, 2.0)]).query
        x0, y0 = rng.uniform(-3.0, 15.0), rng.uniform(-3.0, 15.0)
        room = [0.0] * (n * n)
        for k in range(4):
            # In four parts that share their rims.
            mesh = Mesh(x0, y0, step, n, 0.0, 0.0, 0.0)
            room_round(mesh, k % 2 * 16, k // 2 * 16, 16, room, Clearance(r, SLACK, query.board))
        for k, far in enumerate(room):
            x, y = x0 + step * (k % n), y0 + step * (k // n)
            free = query.kernels.stand_free(x, y, query.r, query.slack, query.board)
            assert free == (far >= 0.0), (x, y)
            shut += not free
            if far < -1e-6 and k % 7 == 0:
                deep += 1
                for t in (rng.uniform(0.0, math.tau) for _ in range(4)):
                    u, v = x - 0.999999 * far * math.cos(t), y - 0.999999 * far * math.sin(t)
                    assert not query.kernels.stand_free(u, v, query.r, query.slack, query.board)
            if free and k % 7 == 0:
                spots = [
                    (x + far * math.cos(t), y + far * math.sin(t))
                    for t in (rng.uniform(0.0, math.tau) for _ in range(8))
                ]
                for u, v in spots:
                    # Up to where it just touches; a hair less for rounding.
                    u, v = x + (1.0 - 1e-9) * (u - x), y + (1.0 - 1e-9) * (v - y)
                    assert query.kernels.stand_free(u, v, query.r, 1e-8, query.board)
                if far < wide - 1e-6:
                    touching += 1
                    around = [
                        query.kernels.stand_free(
                            x + (far + 0.02) * math.cos(0.05 * t),
                            y + (far + 0.02) * math.sin(0.05 * t),
                            query.r,
                            query.slack,
                            query.board,
                        )
                        for t in range(126)
                    ]
                    assert not all(around)
    assert min(shut, touching, deep) > 50


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
        out, begins = [0.0] * (2 * len(sides)), [0] * (len(sides) + 2)
        told = [0.0] * len(sides)
        mesh = Mesh(0.0, 0.0, 1.0, n, 0.0, 0.0, 0.0)
        spare = SideRoom([], [])
        front = Front(inside, [], [], place, sides, [joined] * (n * n), [], [], [], [], spare)
        rings = Rings(out, begins, told, [0] * (2 * n * n))
        count = trace_rings(mesh, front, len(sides), rings)
        found = [out[2 * begins[k] : 2 * begins[k + 1]] for k in range(count)]
        assert begins[count] == len(sides)
        assert sorted(ring_area(ring) for ring in found) == areas
        assert told[:count] == [ring_area(ring) for ring in found]


def test_parts_of_sides_are_free_where_the_disc_may_stand(
    budget: Callable[[int, int], int],
) -> None:
    rng = random.Random(37)
    free = barred = slips = 0
    for _ in range(budget(30, 600)):
        field, r = random_field(rng), rng.choice([0.2, 0.4, 1.1])
        query = GrownObstacles(field, r, zones=[(12.0, 9.0, 2.0)]).query
        for _ in range(40):
            ax, ay = rng.uniform(-2.0, 26.0), rng.uniform(-2.0, 26.0)
            length = rng.choice([0.2, 1.0])
            bx, by = (ax + length, ay) if rng.random() < 0.5 else (ax, ay + length)
            parts = SideRoom([0.0] * 64, [0.0] * 512)
            n = free_parts(ax, ay, bx, by, parts, Clearance(r, SLACK, query.board))
            ends = parts.free[: 2 * n]
            told = []
            for t in (k / 40.0 for k in range(41)):
                x, y = ax + t * (bx - ax), ay + t * (by - ay)
                stands = query.kernels.stand_free(x, y, query.r, query.slack, query.board)
                told.append(stands)
                if all(abs(t - end) > CLOSE for end in ends):
                    inside = any(a < t < b for a, b in zip(ends[::2], ends[1::2], strict=True))
                    assert inside == stands, (x, y)
                free += stands
                barred += not stands
            # A free stretch between two that are barred may be passed, and is told.
            first = told.index(False) if False in told else 0
            last = 40 - told[::-1].index(False) if False in told else 0
            if any(told[first:last]):
                slips += 1
                assert passable(n, told[0], told[-1], True, parts)
            if n == 1 and ends[0] == 0.0 and ends[1] == 1.0:
                assert not passable(n, True, True, True, parts)
                assert passable(n, True, True, False, parts)
    assert min(free, barred) > 500
    assert slips > 3


def test_a_room_behind_a_gap_narrower_than_a_square_is_in_the_outline() -> None:
    # Walls across the table with gaps for a disc of 0.4 that leave its centre 0.02 to 0.1: the
    # first off the corners of the mesh, the second, next to it, with one corner before it.
    for gap, at in ((0.02, 5.33), (0.1, 5.31), (0.06, 5.4)):
        walls = [(0.0, 6.0, at - 0.4 - 0.5 * gap, 6.0), (at + 0.4 + 0.5 * gap, 6.0, 12.0, 6.0)]
        field = Field.of(width=12.0, depth=12.0, walls=walls)
        slow = WeightedRouter(field.on_backend(False), 0.4, WeightedGround())
        outline = slow.reach((5.0, 4.0), 5.0).outline(resolution=0.4)
        beyond = [y for ring in outline.rings for _, y in ring if y > 6.5]
        assert len(beyond) > 20, gap
        assert max(beyond) > 8.9
