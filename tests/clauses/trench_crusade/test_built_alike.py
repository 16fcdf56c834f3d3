"""Level ground is judged alike with and without something built far off.

A block in a corner has every move laid over storeys by other code; it changes no golden case.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, red
from tapeline.errors import DocumentError
from tapeline.play.cases import CaseDoc, case_files, read_cases, run_case

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


def test_a_block_far_off_changes_no_golden_case() -> None:
    judged, wrong = 0, {}
    for path, case in _cases():
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
