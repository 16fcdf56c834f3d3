"""Charges of rectangular bases on an open table against dense sampling of facings and approaches.

The oracle knows corners only: it slides one polygon towards another along a direction and finds the
first corner of either that comes to a side of the other; then it takes the best of many directions,
and where turning is asked for of many facings, closer and closer about the best.
"""

from __future__ import annotations

import math
from random import Random

import pytest

from clauses.mordheim.staging import Table, blue, red
from tapeline.rules.mordheim.route import planned
from tapeline.table.marks import Marks

pytestmark = pytest.mark.compiled

Point = tuple[float, float]
_TURNS = 24


def corners(x: float, y: float, facing: float, width: float, depth: float) -> list[Point]:
    c, s = math.cos(facing), math.sin(facing)
    halves = [(depth / 2, width / 2), (-depth / 2, width / 2), (-depth / 2, -width / 2)]
    halves.append((depth / 2, -width / 2))
    return [(x + c * f - s * w, y + s * f + c * w) for f, w in halves]


def meets(p: Point, ux: float, uy: float, side: tuple[Point, Point]) -> float:
    """How far a point goes along a direction to a side; infinity if it misses it."""
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    turn = ux * dy - uy * dx
    if abs(turn) < 1e-14:
        return math.inf
    go = ((ax - p[0]) * dy - (ay - p[1]) * dx) / turn
    along = ((ax - p[0]) * uy - (ay - p[1]) * ux) / turn
    return go if -1e-12 <= along <= 1.0 + 1e-12 and go >= -1e-12 else math.inf


def slide(mover: list[Point], target: list[Point], angle: float) -> float:
    """How far one polygon goes along a direction until it touches another."""
    ux, uy = math.cos(angle), math.sin(angle)
    sides = list(zip(target, [*target[1:], target[0]], strict=True))
    own = list(zip(mover, [*mover[1:], mover[0]], strict=True))
    ways = [meets(p, ux, uy, side) for p in mover for side in sides]
    ways += [meets(p, -ux, -uy, side) for p in target for side in own]
    return min(ways)


def nearest(mover: list[Point], target: list[Point], towards: float) -> float:
    """The shortest way into contact without turning: the best of many directions, then closer."""
    best, at, half = math.inf, towards, 0.5 * math.pi
    for _ in range(9):
        for k in range(-_TURNS, _TURNS + 1):
            angle = at + k / _TURNS * half
            way = slide(mover, target, angle)
            if way < best:
                best, found = way, angle
        at, half = found, half / 8.0
    return best


@pytest.mark.parametrize("seed", range(16))
def test_the_way_is_the_gap_as_it_stands_or_a_quarter_turn_from_it(seed: int) -> None:
    rng = Random(f"squares {seed}")
    square = rng.random() < 0.5
    w = rng.uniform(0.7, 1.2)
    d = w if square else rng.uniform(1.3, 2.2)
    tw = rng.uniform(0.7, 1.6)
    td = rng.choice([tw, rng.uniform(0.7, 2.0)])
    facing, turned = rng.uniform(0, 360), rng.uniform(0, 360)
    towards, far = rng.uniform(0, math.tau), rng.uniform(3.5, 8.0)
    x, y = 24 + far * math.cos(towards), 24 + far * math.sin(towards)
    table = Table(
        [
            red(24, 24, base={"rectangle": [w, d]}, facing=facing),
            blue(x, y, base={"rectangle": [tw, td]}, facing=turned),
        ],
        step="declarations",
    )
    body = table.body().marked(**Marks({"targets": ("E",), "charge": "declared"}))
    plan = planned(table.state.with_body(body), body)
    assert plan is not None
    assert plan.feasible
    other = corners(x, y, math.radians(turned), tw, td)
    ways = [
        nearest(corners(24, 24, math.radians(facing + quarter), w, d), other, towards)
        for quarter in ((0,) if square else (0, 90))
    ]
    assert min(ways) < 8.0
    assert plan.track.cost == pytest.approx(min(ways), abs=1e-6)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 5))]
)
def test_out_of_reach_as_it_stands_it_turns_to_reach_farthest(seed: int) -> None:
    """Whether a charge gets there at all is told by the best of many facings."""
    rng = Random(f"corners {seed}")
    w, tw = rng.uniform(0.8, 1.2), rng.uniform(0.8, 1.2)
    turned, towards = rng.uniform(0, 360), rng.uniform(0, math.tau)
    other = corners(24, 24, math.radians(turned), tw, tw)
    c, s = math.cos(towards), math.sin(towards)

    def farthest(far: float) -> float:
        found, at, half = math.inf, 0.0, 0.25 * math.pi
        for _ in range(6):
            for k in range(-5, 6):
                facing = at + k / 5 * half
                mover = corners(24 + far * c, 24 + far * s, facing, w, w)
                way = nearest(mover, other, towards + math.pi)
                if way < found:
                    found, kept = way, facing
            at, half = kept, half / 4
        return found

    edge = 9.0 + (8.0 - farthest(9.0))
    for far, gets_there in ((edge - 0.02, True), (edge + 0.02, False)):
        assert (farthest(far) < 8.0) == gets_there
        # As it stands a flat side is ahead, and it falls short.
        models = [
            red(
                24 + far * c,
                24 + far * s,
                base={"rectangle": [w, w]},
                facing=math.degrees(towards),
            ),
            blue(24, 24, base={"rectangle": [tw, tw]}, facing=turned),
        ]
        table = Table(models, step="declarations")
        table.charge("E")
        assert (table.mark("charge") == "success") == gets_there
