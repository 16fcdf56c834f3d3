"""Costs and readings of ground in Mordheim, on random paths over random ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, red
from tapeline.engine.paths import Leg
from tapeline.rules.mordheim.walker import walk
from tapeline.travel.route import Route


def _ground(rng: Random, kinds: tuple[str, ...]) -> list[Doc]:
    terrain: list[Doc] = [
        block("B", 16, 22, 10, 16, 1.5),
        {"id": "s", "stairs": {"foot": [14, 13, 0], "head": [16, 13, 1.5], "width": 1.4}},
    ]
    for k in range(6):
        x, y, turn = rng.uniform(8, 24), rng.uniform(8, 20), rng.uniform(0, 90)
        size = {"centre": [x, y], "width": rng.uniform(1, 4), "depth": 2, "facing": turn}
        kind = kinds[k % len(kinds)]
        terrain.append({"id": f"g{k}", "kind": kind, "shape": {"rectangle": size}})
    for k in range(3):
        x, y = rng.uniform(13, 18), rng.uniform(10, 16)
        height = rng.choice([0.5, 0.99, 1.0, 1.0, 2.0])
        terrain.append({"id": f"w{k}", "wall": [[x, y], [x + 2, y + 1]], "height": height})
    return terrain


def _path(rng: Random) -> tuple[Leg, ...]:
    x, y = 12.0, 13.0
    legs = []
    for _ in range(rng.randrange(1, 4)):
        angle, far = rng.uniform(-1.2, 1.2), rng.uniform(0.5, 4)
        x, y = x + far * math.cos(angle), y + far * math.sin(angle)
        legs.append(Leg(to=(x, y)))
    return tuple(legs)


def _walked(terrain: list[Doc], path: tuple[Leg, ...], **options: str) -> Route:
    table = Table([red(12, 13), blue(44, 44)], terrain, **options)
    return walk(table.state, table.body(), path)


def _worse(terrain: list[Doc]) -> list[Doc]:
    return [{**t, "kind": "crawlhole"} if t.get("kind") == "rubble" else t for t in terrain]


def test_a_path_never_costs_less_when_a_factor_rises(budget: Callable[[int, int], int]) -> None:
    rng = Random(1)
    slower = 0
    for _ in range(budget(40, 2000)):
        terrain, path = _ground(rng, ("rubble",)), _path(rng)
        first, second = _walked(terrain, path), _walked(_worse(terrain), path)
        assert second.length == pytest.approx(first.length, abs=1e-9)
        assert second.cost >= first.cost - 1e-9
        slower += second.cost > first.cost + 1e-6
        whole = _walked(terrain, path, difficult_mode="whole_move")
        assert whole.cost >= first.cost - 1e-9
        assert {h.clause for h in second.hits} == {h.clause for h in first.hits}
    assert slower > 5


def test_cost_lies_between_length_and_four_times_it(budget: Callable[[int, int], int]) -> None:
    rng = Random(2)
    for _ in range(budget(40, 2000)):
        track = _walked(_ground(rng, ("rubble", "crawlhole", "open")), _path(rng))
        assert track.length - 1e-9 <= track.cost <= 4 * track.length + 1e-9
        flat = sum(math.hypot(p.end.x - p.start.x, p.end.y - p.start.y) for p in track.parts)
        assert track.length >= flat - 1e-9


def test_leaping_more_never_bars_more(budget: Callable[[int, int], int]) -> None:
    """With `low_limit` at "le" every path goes at least as far as with "lt"."""
    rng = Random(3)
    freed = 0
    for _ in range(budget(120, 2000)):
        terrain, path = _ground(rng, ("open",)), _path(rng)
        strict, lenient = _walked(terrain, path), _walked(terrain, path, low_limit="le")
        barred = {h.about for h in strict.hits if h.clause == "MH-TER-6"}
        still = {h.about for h in lenient.hits if h.clause == "MH-TER-6"}
        assert still <= barred
        freed += still < barred
    assert freed > 0


def test_splitting_a_leg_changes_nothing(budget: Callable[[int, int], int]) -> None:
    rng = Random(4)
    for _ in range(budget(40, 2000)):
        terrain, path = _ground(rng, ("rubble", "crawlhole")), _path(rng)
        whole = _walked(terrain, path)
        at: tuple[float, float] = (12.0, 13.0)
        split: list[Leg] = []
        for leg in path:
            assert leg.to is not None
            t = rng.random()
            middle = (at[0] + t * (leg.to[0] - at[0]), at[1] + t * (leg.to[1] - at[1]))
            split += [Leg(to=middle), leg]
            at = leg.to
        parts = _walked(terrain, tuple(split))
        assert _told(parts) == _told(whole)
        assert parts.cost == pytest.approx(whole.cost, abs=1e-8)


def _told(track: Route) -> set[Any]:
    return {(h.clause, h.about) for h in track.hits}
