"""Reach and the referee agree: what is in reach judges legal by its way, what is out by no path."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tapeline as tl
from support.scenarios import example_scenes
from tapeline.analysis.reach import Reach
from tapeline.analysis.ways import Way
from tapeline.engine.codec import plain
from tapeline.engine.paths import Leg
from tapeline.errors import DocumentError
from tapeline.play.battle import Battle

pytestmark = pytest.mark.compiled

ALL = [
    path
    for path in sorted((Path(__file__).parents[2] / "examples").glob("trench-*.json"))
    if path.stem in example_scenes()
]
BUILT = [path for path in ALL if path.stem == "trench-storeys"]
EXAMPLES = [path for path in ALL if path not in BUILT]
#: Models that fly there.
FLYERS = ("b-herald", "b-wing-1", "b-wing-2")
#: Readings that change where a model may go or what it costs.
READINGS = {
    "terrain_in": ("centre", "half_area"),
    "edge_overhang": ("none", "under_half"),
    "retreat_direction": ("any", "directly_away"),
}


def battle_of(path: Path, options: dict[str, str], actor: str) -> Battle:
    """An example in the middle of an Activation."""
    document: dict[str, Any] = json.loads(path.read_text())
    document["options"] = {**document.get("options", {}), **options}
    side = next(model["side"] for model in document["models"] if model["id"] == actor)
    turn = {**document.get("turn", {}), "active": side, "progress": {"actor": actor}}
    document["turn"] = turn
    return tl.load(document)


def models_of(path: Path) -> list[str]:
    return [model["id"] for model in json.loads(path.read_text())["models"]]


def action_of(reach: Reach, path: tuple[Leg, ...]) -> dict[str, Any]:
    legs = [{k: v for k, v in plain(leg).items() if v not in (None, "walk")} for leg in path]
    return {"kind": reach.leeway.kind, "actor": reach.leeway.body, "path": legs}


def points_about(reach: Reach, rng: Random, count: int) -> Iterator[tuple[float, float]]:
    x, y = reach.leeway.start
    for _ in range(count):
        far = (reach.allowance + 1.0) * math.sqrt(rng.random())
        angle = rng.uniform(0.0, math.tau)
        yield x + far * math.cos(angle), y + far * math.sin(angle)
    if reach.leeway.heading is not None:
        for _ in range(count):
            far = rng.uniform(0.0, reach.allowance + 1.0)
            yield x + far * reach.leeway.heading[0], y + far * reach.leeway.heading[1]


def ways_to(
    p: tuple[float, float], reach: Reach, known: list[Way], rng: Random
) -> Iterator[tuple[Leg, ...]]:
    """Paths to a place that somebody might try: straight, by one bend, by a known way."""
    yield (Leg(to=p),)
    x, y = reach.leeway.start
    for _ in range(2):
        t, off = rng.random(), rng.gauss(0.0, 1.0)
        dx, dy = p[0] - x, p[1] - y
        yield (Leg(to=(x + t * dx - off * dy * 0.2, y + t * dy + off * dx * 0.2)), Leg(to=p))
    for way in sorted(known, key=lambda w: math.dist(w.end, p) if w.path.legs else 99.0)[:2]:
        yield (*way.legs, Leg(to=p))


@pytest.mark.parametrize("options", list(product(*READINGS.values())), ids="-".join)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_reach_and_referee_agree(
    path: Path, options: tuple[str, ...], budget: Callable[[int, int], int]
) -> None:
    rng = Random(f"{path.stem} {options}")
    reading = dict(zip(READINGS, options, strict=True))
    models = models_of(path)
    seen = {True: 0, False: 0}
    for actor in rng.sample(models, budget(2, 8)):
        battle = battle_of(path, reading, actor)
        for kind in ("move", "dash", "retreat"):
            reach = battle.reach(actor, kind)
            known: list[Way] = []
            for p in points_about(reach, rng, budget(8, 30)):
                inside = reach.contains(p)
                way = reach.route(p)
                assert inside == (way is not None) or reach.leeway.slow or reach.leeway.no_return
                if reach.findings:
                    continue
                if way is not None:
                    assert inside
                    assert not reach.excludes(p)
                    assert way.cost <= reach.allowance + 1e-6
                    assert way.lower <= way.cost + 1e-12
                    verdict = battle.judge(action_of(reach, way.legs), nearest=False)
                    assert verdict.legal, (actor, kind, p, verdict.findings)
                    known.append(way)
                    seen[True] += 1
                elif reach.excludes(p):
                    for legs in ways_to(p, reach, known, rng):
                        verdict = battle.judge(action_of(reach, legs), nearest=False)
                        assert not verdict.legal, (actor, kind, p, legs)
                    seen[False] += 1
    assert min(seen.values()) >= 3, seen


@pytest.mark.parametrize("path", BUILT, ids=lambda p: p.stem)
def test_over_storeys_the_reach_on_its_own_surface_judges_legal(
    path: Path, budget: Callable[[int, int], int]
) -> None:
    """Places without a height, on the surface that the model stands on."""
    rng = Random(path.stem)
    seen = {True: 0, False: 0}
    for actor in rng.sample([m for m in models_of(path) if m not in FLYERS], budget(4, 13)):
        battle = battle_of(path, {}, actor)
        for kind in ("move", "dash"):
            reach = battle.reach(actor, kind)
            assert not reach.findings
            for p in points_about(reach, rng, budget(15, 60)):
                way = reach.route(p)
                seen[way is not None] += 1
                if way is not None:
                    assert reach.contains(p)
                    assert way.lower - 1e-12 <= way.cost <= reach.allowance + 1e-6
                    verdict = battle.judge(action_of(reach, way.legs), nearest=False)
                    assert verdict.legal, (actor, kind, p, verdict.findings)
    assert min(seen.values()) >= 10, seen


@pytest.mark.parametrize("path", BUILT, ids=lambda p: p.stem)
def test_over_storeys_flyers_are_refused(path: Path) -> None:
    for actor in FLYERS:
        with pytest.raises(DocumentError, match="flies; over storeys its reach is not told"):
            battle_of(path, {}, actor).reach(actor, "move")
