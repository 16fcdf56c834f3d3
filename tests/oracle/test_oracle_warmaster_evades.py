"""Planned evades: found wherever a slow search at random finds one, in the open always."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from shapely import Polygon
from shapely.ops import unary_union

import tapeline as tl
from oracle.oracle_stands import Pose, base, corners, sampled, scene

pytestmark = pytest.mark.compiled

PACE = {"Infantry": 20.0, "Cavalry": 30.0, "Wolf Chariots": 30.0, "Artillery": 10.0}


def _size(profile: str) -> tuple[float, float]:
    return (4.0, 2.0) if profile == "Infantry" else (2.0, 4.0)


def _unit(rng: Random, profile: str, at: tuple[float, float], count: int) -> list[Pose]:
    """A line, a column or a staggered line of stands."""
    front, depth = _size(profile)
    facing = rng.uniform(0.0, 360.0)
    c, s = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    form = rng.choice(["line", "line", "column", "staggered"])
    steps = {
        "line": [(0.0, k * front) for k in range(count)],
        "column": [(-k * depth, 0.0) for k in range(count)],
        "staggered": [(-0.5 * (k % 2), k * front) for k in range(count)],
    }[form]
    return [(at[0] + a * c + b * s, at[1] + a * s - b * c, facing) for a, b in steps]


def _at(rng: Random, near: float, far: float) -> tuple[float, float]:
    way, length = rng.uniform(0.0, math.tau), rng.uniform(near, far)
    return 90.0 + length * math.cos(way), 60.0 + length * math.sin(way)


def _document(rng: Random, profile: str, count: int, crowd: int) -> dict[str, Any]:
    """A unit and an enemy in its sight, with so many more enemy units about it."""
    units = {
        "U": ("red", _unit(rng, profile, (90.0, 60.0), count)),
        "E": ("blue", _unit(rng, "Infantry", _at(rng, 6.0, 22.0), rng.randint(1, 3))),
    }
    for k in range(crowd):
        units[f"F{k}"] = ("blue", _unit(rng, "Infantry", _at(rng, 7.0, 15.0), rng.randint(1, 3)))
    document = scene(units)
    for model in document["models"]:
        model["profile"] = profile if model["side"] == "red" else "Infantry"
    for unit in document["units"]:
        unit["profile"] = profile if unit["side"] == "red" else "Infantry"
    document["turn"] = {"phase": "initiative", "active": "red"}
    return document


def _answering(rng: Random, profile: str, count: int, crowd: int) -> tuple[tl.Battle, str]:
    """A battle in which the unit may answer to an enemy, with the id of that."""
    while True:
        try:
            battle = tl.load(_document(rng, profile, count, crowd))
        except tl.DocumentError:
            continue
        for target in battle.state.units:
            verdict = battle.judge({"kind": "evade", "actor": "U", "target": target}, nearest=False)
            found = {finding.clause for finding in verdict.findings}
            if target != "U" and not found - {"WM-EVADE-11"}:
                return battle, target


def _poses(battle: tl.Battle, unit: str) -> list[Pose]:
    state = battle.state
    bodies = (state.bodies[name] for name in state.units[unit].members)
    return [(body.x, body.y, body.facing) for body in bodies]


@pytest.mark.parametrize("seed", range(120))
def test_wm_evade_11_in_the_open_there_is_always_one(seed: int) -> None:
    rng = Random(f"open {seed}")
    profile = rng.choice(list(PACE))
    battle, target = _answering(rng, profile, rng.choice([1, 2, 3, 3, 3, 4]), 0)
    verdict = battle.judge({"kind": "evade", "actor": "U", "target": target})
    assert verdict.legal, [finding.text for finding in verdict.findings]
    front, depth = _size(profile)
    ends = [base((*m.end[:2], m.facing), front, depth) for m in verdict.moved]
    enemies = [base(pose) for pose in _poses(battle, target)]
    assert min(end.distance(enemy) for end in ends for enemy in enemies) >= 5.0 - 1e-6
    for movement, before in zip(verdict.moved, verdict.moved, strict=True):
        start = (*before.start[:2], battle.state.bodies[movement.body].facing)
        end = (*movement.end[:2], movement.facing)
        pairs = zip(corners(start, front, depth), corners(end, front, depth), strict=True)
        assert max(math.dist(a, b) for a, b in pairs) <= PACE[profile] + 1e-6


def _moved(pose: Pose, u: tuple[float, float], far: float, by: float) -> Pose:
    return pose[0] + far * u[0], pose[1] + far * u[1], pose[2] + by


def _clear(start: Pose, end: Pose, size: tuple[float, float], others: list[Polygon]) -> bool:
    """Whether a stand gets from pose to pose in one leg, turning evenly, touching nothing."""
    by = math.remainder(end[2] - start[2], 360.0)
    legs = [{"to": list(end[:2]), "by": by}]
    whole = unary_union(others) if others else Polygon()
    return not any(
        base(pose, *size).distance(whole) < 1e-4 for leg in sampled(start, legs, 40) for pose in leg
    )


def _slow(battle: tl.Battle, target: str, profile: str, rng: Random) -> Iterator[dict[str, Any]]:
    """Evades that end clear of all enemies by plain ways, at random places on the line."""
    size, pace = _size(profile), PACE[profile]
    mine = _poses(battle, "U")
    names = battle.state.units["U"].members
    foes = [
        base(pose)
        for unit in battle.state.units.values()
        if unit.side == "blue"
        for pose in _poses(battle, unit.id)
    ]
    theirs = [base(pose) for pose in _poses(battle, target)]
    gaps = [min(base(pose, *size).distance(foe) for foe in theirs) for pose in mine]
    first = gaps.index(min(gaps))
    foe = min(theirs, key=base(mine[first], *size).distance)
    a, b = _nearest(base(mine[first], *size), foe)
    length = math.dist(a, b)
    u = ((a[0] - b[0]) / length, (a[1] - b[1]) / length)
    for _ in range(1500):
        far = rng.uniform(1.0, pace)
        end = _moved(mine[first], u, far, rng.choice([0.0, 180.0, 90.0, 270.0]))
        if not _ends_well(mine[first], end, size, pace, foes):
            continue
        if not _clear(mine[first], end, size, foes):
            continue
        rest = [k for k in range(len(mine)) if k != first]
        for order in itertools.permutations(rest):
            placed, plan = [end], [(first, end)]
            for k in order:
                place = _beside(rng.choice(placed), rng.choice("lrbf"), size)
                taken = [base(pose, *size).buffer(-1e-6) for pose in placed]
                if not _ends_well(mine[k], place, size, pace, foes) or any(
                    base(place, *size).intersects(other) for other in taken
                ):
                    break
                if not _clear(mine[k], place, size, [*foes, *(t.buffer(-1e-3) for t in taken)]):
                    break
                placed.append(place)
                plan.append((k, place))
            else:
                yield {
                    "kind": "evade",
                    "actor": "U",
                    "target": target,
                    "stands": [
                        {"stand": names[k], "path": [_leg(mine[k], pose)]} for k, pose in plan
                    ],
                }


def _leg(start: Pose, end: Pose) -> dict[str, Any]:
    by = math.remainder(end[2] - start[2], 360.0)
    leg: dict[str, Any] = {"to": [end[0], end[1]]}
    return leg | ({"by": by, "how": "free"} if abs(by) > 1e-9 else {})


def _nearest(a: Polygon, b: Polygon) -> tuple[tuple[float, float], tuple[float, float]]:
    from shapely.ops import nearest_points

    p, q = nearest_points(a, b)
    return (p.x, p.y), (q.x, q.y)


def _beside(pose: Pose, side: str, size: tuple[float, float]) -> Pose:
    c, s = math.cos(math.radians(pose[2])), math.sin(math.radians(pose[2]))
    ahead, left = {"l": (0.0, 1.0), "r": (0.0, -1.0), "b": (-1.0, 0.0), "f": (1.0, 0.0)}[side]
    x, y = ahead * size[1], left * size[0]
    return pose[0] + x * c - y * s, pose[1] + x * s + y * c, pose[2]


def _ends_well(
    start: Pose, end: Pose, size: tuple[float, float], pace: float, foes: list[Polygon]
) -> bool:
    there = base(end, *size)
    pairs = zip(corners(start, *size), corners(end, *size), strict=True)
    return max(math.dist(a, b) for a, b in pairs) <= pace and all(
        there.distance(foe) >= 5.0 for foe in foes
    )


def test_wm_evade_11_none_is_found_where_a_slow_search_finds_none(
    budget: Callable[[int, int], int],
) -> None:
    """A slow search that finds one where the plan says there is none has caught it out."""
    none = 0
    for seed in range(budget(30, 300)):
        rng = Random(f"crowd {seed}")
        profile = rng.choice(["Infantry", "Cavalry"])
        battle, target = _answering(rng, profile, rng.randint(1, 3), rng.randint(2, 5))
        verdict = battle.judge({"kind": "evade", "actor": "U", "target": target}, nearest=False)
        if verdict.legal:
            continue
        none += 1
        assert [finding.clause for finding in verdict.findings] == ["WM-EVADE-11"]
        for action in itertools.islice(_slow(battle, target, profile, rng), 20):
            assert not battle.judge(action, nearest=False).legal, (seed, action)
    assert none >= 2
