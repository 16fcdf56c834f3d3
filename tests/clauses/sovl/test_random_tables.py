"""Random tables: symmetry of verdicts, slow independent sampling, nearest orders, offers."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from shapely.affinity import rotate, translate
from shapely.geometry import Point, Polygon

from tapeline.engine.codec import parse_action
from tapeline.engine.referee import judge
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError
from tapeline.rules.sovl import SYSTEM
from tapeline.table.scene import parse_scene

SIZE = 36.0
KINDS = ("forest", "swamp", "cliff", "building", "river", "lake")
OPTIONS = {spec.name: tuple(spec.values) for spec in SYSTEM.options}
PROFILES = ("Imperial Archers", "Cavalry", "Trolls", "Giant Eagle", "Mongrel Skirmishers")

Doc = dict[str, Any]


def random_scene(rng: Random) -> Doc:
    """A square table; A1 is active with a full allowance."""
    terrain = []
    for index in range(rng.randint(2, 8)):
        x, y = rng.uniform(0, SIZE), rng.uniform(0, SIZE)
        shape: Doc
        if rng.random() < 0.3:
            shape = {"circle": {"centre": [x, y], "radius": rng.uniform(0.5, 3)}}
        else:
            count = rng.randint(3, 6)
            turns = sorted(rng.uniform(0, 360) for _ in range(count))
            if max((b - a) % 360 for a, b in zip(turns, turns[1:] + turns[:1], strict=True)) > 170:
                turns = [360 * k / count for k in range(count)]
            r = rng.uniform(0.8, 4)
            shape = {
                "polygon": [
                    [x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a))]
                    for a in turns
                ]
            }
        terrain.append({"id": f"F{index}", "kind": rng.choice(KINDS), "shape": shape})
    units = []
    for index in range(rng.randint(2, 6)):
        profile = rng.choice(PROFILES)
        units.append(
            {
                "id": f"{'A' if index % 2 == 0 else 'B'}{index // 2 + 1}",
                "side": "A" if index % 2 == 0 else "B",
                "profile": profile,
                "models": 1 if profile == "Giant Eagle" else rng.randint(3, 12),
                "files": 1 if profile == "Giant Eagle" else 3,
                "position": [rng.uniform(4, SIZE - 4), rng.uniform(4, SIZE - 4)],
                "facing": rng.choice([0, 90, 180, 270, 45, rng.uniform(0, 360)]),
            }
        )
    return {
        "format": "tapeline-scene/1",
        "system": "sovl",
        "options": {name: rng.choice(values) for name, values in OPTIONS.items()},
        "table": {"width": SIZE, "depth": SIZE, "unit": "in"},
        "terrain": terrain,
        "sides": [{"id": "A"}, {"id": "B"}],
        "units": units,
        "turn": {"progress": {"unit": "A1", "allowance": rng.choice([2.5, 4, 8, 12, 16])}},
    }


def tables(rng: Random, count: int) -> list[tuple[Doc, State]]:
    """So many random tables on which the units stand as they may."""
    found: list[tuple[Doc, State]] = []
    while len(found) < count:
        document = random_scene(rng)
        try:
            found.append((document, state_from_scene(parse_scene(document), SYSTEM)))
        except DocumentError:
            continue
    return found


def moved(document: Doc, point: Callable[[float, float], list[float]], turn: Any) -> Doc:
    """The scene with all places and facings carried over."""
    units = [
        {**unit, "position": point(*unit["position"]), "facing": turn(unit["facing"])}
        for unit in document["units"]
    ]
    terrain = []
    for piece in document["terrain"]:
        shape = piece["shape"]
        if "circle" in shape:
            centre = point(*shape["circle"]["centre"])
            shape = {"circle": {**shape["circle"], "centre": centre}}
        else:
            shape = {"polygon": [point(*corner) for corner in shape["polygon"]]}
        terrain.append({**piece, "shape": shape})
    return {**document, "units": units, "terrain": terrain}


BORDERS = ("left", "right", "bottom", "top")


def essence(verdict: Verdict) -> Any:
    """What no symmetry may change; it changes the names of the borders."""
    found = [(f.clause, "edge" if f.about in BORDERS else f.about) for f in verdict.findings]
    return verdict.kind, sorted(found), round(verdict.cost, 6)


def random_order(rng: Random) -> Doc:
    """An Advance, a Pivot or a shot of A1."""
    kind = rng.choice(["advance", "advance", "pivot", "pivot", "shoot"])
    if kind == "advance":
        return {"kind": kind, "actor": "A1", "distance": rng.uniform(0.1, 18)}
    if kind == "pivot":
        return {"kind": kind, "actor": "A1", "by": rng.uniform(-180, 180)}
    return {"kind": kind, "actor": "A1", "target": "B1"}


@pytest.mark.parametrize("symmetry", ["quarter", "mirror"])
def test_symmetry_changes_no_verdict(symmetry: str, budget: Callable[[int, int], int]) -> None:
    rng = Random(f"symmetry {symmetry}")
    kinds = set()
    for document, state in tables(rng, budget(60, 3000)):
        if symmetry == "quarter":
            other = moved(document, lambda x, y: [SIZE - y, x], lambda f: f + 90)
        else:
            other = moved(document, lambda x, y: [SIZE - x, y], lambda f: 180 - f)
        twin = state_from_scene(parse_scene(other), SYSTEM)
        for _ in range(4):
            order = random_order(rng)
            same = dict(order)
            if symmetry == "mirror" and "by" in order:
                same["by"] = -order["by"]
            one = judge(SYSTEM, state, parse_action(SYSTEM, order))
            two = judge(SYSTEM, twin, parse_action(SYSTEM, same))
            assert essence(one) == essence(two), (document, order)
            kinds.add(one.kind)
    assert {"LEGAL", "STOPPED", "ILLEGAL"} <= kinds


def ground(document: Doc, piece: Doc) -> Any:
    """A piece as shapely sees it."""
    shape = piece["shape"]
    if "circle" in shape:
        return Point(shape["circle"]["centre"]).buffer(shape["circle"]["radius"], 128)
    return Polygon(shape["polygon"])


def footprint(state: State, unit: str) -> Any:
    """A unit as shapely sees it."""
    body = state.bodies[unit]
    w, d = body.base.width, body.base.depth  # type: ignore[union-attr]
    box = Polygon([(-d / 2, -w / 2), (d / 2, -w / 2), (d / 2, w / 2), (-d / 2, w / 2)])
    return translate(rotate(box, body.facing, origin=(0, 0)), body.x, body.y)


def test_advances_agree_with_sampling(budget: Callable[[int, int], int]) -> None:
    """Distance and cost against poses a hundredth of an inch apart, by shapely."""
    rng = Random("sampling")
    step, compared = 0.02, 0
    for document, state in tables(rng, budget(40, 1500)):
        if state.option("contact.graze") == "stop":
            continue
        body = state.bodies["A1"]
        flying, scout = body.keyword("Flying"), body.keyword("Scout")
        wanted = rng.uniform(0.5, 10)
        order = {"kind": "advance", "actor": "A1", "distance": wanted}
        verdict = judge(SYSTEM, state, parse_action(SYSTEM, order))
        solid = [footprint(state, unit) for unit in state.bodies if unit != "A1"]
        slow = []
        for piece in document["terrain"]:
            if piece["kind"] in ("forest", "swamp"):
                slow.append(ground(document, piece))
            elif not flying:
                solid.append(ground(document, piece))
        start = footprint(state, "A1")
        c, s = math.cos(math.radians(body.facing)), math.sin(math.radians(body.facing))
        at, entries, reached = 0.0, 0, wanted
        inside = [start.intersection(area).area > 1e-4 for area in slow]
        while at < wanted:
            at = min(wanted, at + step)
            pose = translate(start, at * c, at * s)
            x0, y0, x1, y1 = pose.bounds
            off = min(x0, y0, SIZE - x1, SIZE - y1) < -1e-6
            if off or any(pose.intersection(area).area > 2e-3 for area in solid):
                reached = at
                break
            for index, area in enumerate(slow):
                now = pose.intersection(area).area > 1e-4
                entries += now and not inside[index]
                inside[index] = now
        if verdict.legal:
            assert verdict.value("moved") == pytest.approx(reached, abs=0.15)
            if state.option("terrain.penalty") == "per_feature":
                due = 0 if flying or scout else 2 * entries
                loss = verdict.value("cost") - verdict.value("moved")  # type: ignore[operator]
                assert loss == pytest.approx(due) or verdict.kind == "STOPPED"
                compared += 1
    assert compared > 3


def test_nearest_orders_are_legal_and_the_most(budget: Callable[[int, int], int]) -> None:
    rng = Random("nearest")
    found = 0
    for _, state in tables(rng, budget(80, 3000)):
        for _ in range(4):
            order = random_order(rng)
            verdict = judge(SYSTEM, state, parse_action(SYSTEM, order))
            if verdict.nearest is None:
                continue
            found += 1
            near = dict(verdict.nearest.action)
            assert judge(SYSTEM, state, parse_action(SYSTEM, near)).legal
            figure = "distance" if order["kind"] == "advance" else "by"
            wanted, got = abs(order[figure]), abs(near[figure])
            sides = (-1.0, 1.0) if figure == "by" else (-1.0,)
            assert got <= wanted or figure == "by"
            for part in (0.001, 0.1, 0.5, 0.9):
                nearer = (1.0 - part) * abs(wanted - got) - 1e-5
                for side in sides if nearer > 0.0 else ():
                    figured = math.copysign(wanted + side * nearer, order[figure])
                    other = judge(SYSTEM, state, parse_action(SYSTEM, {**order, figure: figured}))
                    assert not other.legal, (order, near, figured)
    assert found > 10


def test_offers_are_legal(budget: Callable[[int, int], int]) -> None:
    rng = Random("offers")
    for _, state in tables(rng, budget(80, 3000)):
        for action in SYSTEM.offers(state, rng):
            assert judge(SYSTEM, state, action).legal, action
