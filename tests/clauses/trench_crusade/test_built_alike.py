"""Level ground is judged alike with and without something built far off.

A block in a corner has every move laid over storeys by other code; it changes no golden case.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, red
from tapeline.dice import Roll
from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.errors import DocumentError
from tapeline.play.cases import CaseDoc, case_files, read_cases, run_case
from tapeline.rules.trench_crusade import SYSTEM

pytestmark = pytest.mark.compiled

GOLDEN = Path(__file__).parents[2] / "golden" / "trench_crusade"
#: Kinds of terrain that make a table one with storeys by themselves.
BUILT = {"block", "blockhouse", "building", "crates"}


def _corner(scene: dict[str, Any]) -> dict[str, Any]:
    w, d = scene["table"]["width"], scene["table"]["depth"]
    return box("block", w - 1, w - 0.5, d - 1, d - 0.5, height=2, id="far-off")


def _level(scene: dict[str, Any]) -> bool:
    """Whether nothing is built in a scene and everybody stands on the table."""
    flat = all(entry.get("kind") not in BUILT and "shape" in entry for entry in scene["terrain"])
    return flat and all(not model.get("z") for model in scene["models"])


def _cases() -> list[tuple[Path, CaseDoc]]:
    return [
        (path, case)
        for path in case_files([GOLDEN])
        for case in read_cases(path)
        if isinstance(case.scene, dict) and _level({"terrain": [], **case.scene})
    ]


def test_a_block_far_off_changes_no_golden_case(budget: Callable[[int, int], int]) -> None:
    """None of some 300, of all with --long."""
    judged, wrong, cases = 0, dict[str, Any](), _cases()
    for path, case in cases[:: budget(len(cases) // 300, 1)]:
        scene = dict(case.scene)
        scene["terrain"] = [*scene.get("terrain", []), _corner(scene)]
        try:
            result = run_case(case.model_copy(update={"scene": scene}), path)
        except DocumentError:
            continue
        judged += 1
        if not result.passed:
            wrong[case.id] = [step.wrong for step in result.steps if step.wrong]
    assert wrong == {}
    assert judged > 130


@pytest.mark.parametrize("terrain", [[], [box("block", 40, 44, 40, 44, height=3)]])
@pytest.mark.parametrize("up", [1.6, 1.3])
def test_g_22_the_base_of_another_enemy_stops_a_charge(up: float, terrain: list[Any]) -> None:
    # Small bases do not interpose against an Amalgam, but it does not run over them either.
    models = [red("A", 10, 10, 60, profile="Amalgam"), blue("T", 20, 10), blue("E", 12, 10 + up)]
    table = Table(models, terrain)
    assert table.do("charge", "A", (6,), target="T").legal
    a, e = table.body(), table.body("E")
    assert math.dist(a.centre, e.centre) - a.base.reach - e.base.reach == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("off", [1e-5, 1e-4, 1e-3])
def test_tc_chg_3_who_is_all_but_passed_still_interposes(off: float) -> None:
    # Going round its zone would cost next to nothing, but it is not the shortest route.
    models = [red("A", 10, 10), blue("T", 20, 10), blue("E", 15, 10 + 125 / 127 + 1 - off)]
    for terrain in ([], [box("block", 40, 44, 40, 44, height=3)]):
        verdict = Table(models, terrain).do("charge", "A", target="T")
        assert [f.clause for f in verdict.findings] == ["TC-CHG-3"]


# Scenes at random.

Doc = dict[str, Any]
FAR: Doc = box("block", 47, 47.5, 47, 47.5, height=2, id="far-off")


def _scene(rng: Random) -> tuple[list[Doc], list[Doc], dict[str, str]] | None:
    """A model in the middle among others and level terrain; None if two bases overlap."""
    base, profile = rng.choice([25, 32, 50]), rng.choice(["Azeb", "War Wolf", "Amalgam"])
    models = [red("A", 20, 20, base, profile=profile)]

    def place(width: float) -> tuple[float, float]:
        return 20 + rng.uniform(-width, width), 20 + rng.uniform(-width, width)

    near = 2.2 if rng.random() < 0.4 else 8.0
    models += [
        blue(f"E{k}", *place(near if k == 0 else 8.0), rng.choice([25, 32, 50]))
        for k in range(rng.randint(1, 4))
    ]
    models += [red(f"F{k}", *place(6.0)) for k in range(rng.randint(0, 2))]
    for i, one in enumerate(models):
        for other in models[:i]:
            room = (one["base"]["round_mm"] + other["base"]["round_mm"]) / 50.8
            if math.dist(one["position"], other["position"]) < room + 0.001:
                return None
    terrain = []
    heights = {"tank trap": 0.5, "barricade": 0.5, "wall": 1.0, "mud": 0.0, "minefield": 0.0}
    for k in range(rng.randint(0, 3)):
        (x, y), kind = place(7.0), rng.choice(sorted(heights))
        w, d = rng.uniform(0.5, 4), rng.uniform(0.5, 4)
        terrain.append(box(kind, x, x + w, y, y + d, id=f"t{k}", height=heights[kind]))
    options = {
        "interpose_route": rng.choice(["direct", "avoid"]),
        "terrain_in": rng.choice(["centre", "half_area"]),
        "charge_from_within_1": rng.choice(["forbid", "allow"]),
        "los_mode": "attested",
    }
    return models, terrain, options


def _action(rng: Random, models: list[Doc]) -> Doc:
    kind = rng.choice(["charge", "charge", "move", "dash", "retreat"])
    if kind == "charge":
        target = rng.choice([m["id"] for m in models if m["side"] == "blue"])
        forbid = ["dangerous"] if rng.random() < 0.3 else []
        return {"kind": kind, "actor": "A", "target": target, "forbid": forbid}
    (x, y), path = (20.0, 20.0), []
    for _ in range(rng.randint(1, 3)):
        x, y = x + rng.uniform(-3, 3), y + rng.uniform(-3, 3)
        path.append({"to": [x, y]})
    return {"kind": kind, "actor": "A", "path": path}


def _played(table: Table, action: Doc, rng: Random) -> tuple[Any, ...]:
    """What is said of an action, asked and come to, with dice at random and answers by default."""
    session, asked = Session(SYSTEM, table.state, parse_action(SYSTEM, action)), []
    while (ask := session.ask) is not None:
        asked.append(ask.clause)
        if isinstance(ask, Roll):
            session.send(Answer(faces=tuple(rng.randint(1, 6) for _ in range(ask.count))))
        elif not session.send(Answer(value=ask.default)):
            break
    findings = {
        (f.clause, f.about, None if f.travelled is None else round(f.travelled, 3))
        for f in session.verdict.findings
    }
    bodies = session.state.bodies.values()
    stand = {b.id: (round(b.x, 4), round(b.y, 4), b.z, sorted(b.marks.items())) for b in bodies}
    return session.verdict.kind, findings, asked, stand


def test_a_block_far_off_changes_nothing_at_random(budget: Callable[[int, int], int]) -> None:
    rng, kinds = Random(3), set()
    for _ in range(budget(150, 4000)):
        made = _scene(rng)
        if made is None:
            continue
        models, terrain, options = made
        action, seed = _action(rng, models), rng.random()
        try:
            tables = [Table(models, t, **options) for t in (terrain, [*terrain, FAR])]
        except DocumentError:
            continue
        level, built = (_played(table, action, Random(seed)) for table in tables)
        assert level == built, (models, terrain, options, action)
        kinds.add((action["kind"], str(level[0])))
    assert len(kinds) >= 7
