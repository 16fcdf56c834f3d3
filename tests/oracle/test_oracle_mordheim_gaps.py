"""Charges over gaps against a grid of take-offs and landings, closer and closer about the best."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from clauses.mordheim.staging import Doc, Table, blue, red
from tapeline.rules.mordheim.route import planned
from tapeline.table.marks import Marks

pytestmark = pytest.mark.compiled

Point = tuple[float, float]
#: The edge jumped from, where both begin and end.
_X, _LOW, _HIGH = 10.0, 4.0, 16.0


def best_way(a: Point, e: Point, f0: Point, f1: Point) -> float:
    """The shortest way over with a jump of 3 inches at most: one inch of it is contact."""
    low, high, begin, end = _LOW, _HIGH, 0.0, 1.0
    best = math.inf
    for _ in range(9):
        ys, shares = np.linspace(low, high, 401), np.linspace(begin, end, 401)
        lx = f0[0] + shares * (f1[0] - f0[0])
        ly = f0[1] + shares * (f1[1] - f0[1])
        jump = np.hypot(lx[None, :] - _X, ly[None, :] - ys[:, None])
        before = np.hypot(_X - a[0], ys - a[1])[:, None]
        after = (np.hypot(lx - e[0], ly - e[1]) - 1.0)[None, :]
        cost = np.where((jump <= 3.0 + 1e-9) & (after >= 0.0), before + jump + after, np.inf)
        i, j = np.unravel_index(np.argmin(cost), cost.shape)
        best = min(best, float(cost[i, j]))
        dy, ds = (high - low) / 12, (end - begin) / 12
        low, high = max(_LOW, ys[i] - dy), min(_HIGH, ys[i] + dy)
        begin, end = max(0.0, shares[j] - ds), min(1.0, shares[j] + ds)
    return best


@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_mh_gap_7_the_shortest_way_that_may_be_jumped(seed: int, tilted: bool) -> None:
    rng = Random(f"gaps {seed}")
    width = rng.uniform(2.2, 2.999)
    lean = rng.uniform(-0.9, 0.9) if tilted else 0.0
    f0, f1 = (_X + width + max(0.0, -lean), _LOW), (_X + width + max(0.0, lean), _HIGH)
    roofs: list[Doc] = [
        {"id": "R", "shape": {"polygon": [[2, 4], [10, 4], [10, 16], [2, 16]]}},
        {"id": "G", "shape": {"polygon": [[*f0], [24, 4], [24, 16], [*f1]]}},
    ]
    terrain = [{**roof, "kind": "building", "height": 4} for roof in roofs]
    a = (rng.uniform(9.3, 9.9), rng.uniform(7, 13))
    e = (max(f0[0], f1[0]) + rng.uniform(0.2, 0.9), a[1] + rng.uniform(-4, 4))
    wanted = best_way(a, e, f0, f1)
    assert wanted < 8.0
    table = Table([red(*a, z=4), blue(*e, z=4)], terrain, step="declarations")
    body = table.body().marked(**Marks({"targets": ("E",), "charge": "declared"}))
    plan = planned(table.state.with_body(body), body)
    assert plan is not None
    assert plan.feasible
    assert plan.track.cost == pytest.approx(wanted, abs=1e-6)
    assert max(hurdle.width for hurdle in plan.track.crossings) <= 3.0 + 1e-6
