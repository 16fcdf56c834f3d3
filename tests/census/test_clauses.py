"""The clause census: every clause is shown by golden cases; the page of clauses is up to date."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from generate.clauses import SystemCensus, census, page, tallied

from support.installing import toy_installed
from support.judged import GOLDEN_FILES, Run, judged
from support.scenarios import ROOT
from tapeline.engine.clauses import Status

PAGE = ROOT / "docs" / "reference" / "clauses.md"
OURS = ("mordheim", "sovl", "trench-crusade", "warmaster")
NOTES = {"mordheim": "MH", "sovl": "SV", "trench-crusade": "TC", "warmaster": "WM"}


pytestmark = [pytest.mark.compiled, pytest.mark.after]


@cache
def _found(run: Run) -> dict[str, SystemCensus]:
    # From the last file on: other workers may still be judging them from the first one on.
    files = {path: judged(path, run) for path in reversed(GOLDEN_FILES)}
    cases = (case for path in GOLDEN_FILES for case in files[path].values())
    return tallied((case.clauses for case in cases), OURS)


@pytest.fixture
def found(run: Run) -> dict[str, SystemCensus]:
    """Worked out in the first test that asks, by the kernels which that one uses."""
    return _found(run)


@pytest.mark.parametrize("name", OURS)
def test_every_clause_is_shown(found: dict[str, SystemCensus], name: str) -> None:
    """Enforced: bites in one verdict and passes in another; resolved: cited; else a reason."""
    assert found[name].lacking() == {}
    for shown in found[name].clauses:
        if shown.clause.status is Status.REGISTERED:
            assert len(shown.clause.reason.split()) >= 2, shown.clause.id


@pytest.mark.parametrize("name", OURS)
def test_no_seed_clause_is_only_registered_without_cause(
    found: dict[str, SystemCensus], name: str
) -> None:
    seed = [s.clause for s in found[name].clauses if s.clause.src == "seed"]
    assert len(seed) > 10
    only_registered = [c.id for c in seed if c.status is Status.REGISTERED]
    assert only_registered == []


@pytest.mark.parametrize("name", OURS)
def test_ids_and_words(found: dict[str, SystemCensus], name: str) -> None:
    for shown in found[name].clauses:
        clause = shown.clause
        assert re.fullmatch(rf"{NOTES[name]}-[A-Z]+-\d+[a-z]?", clause.id), clause.id
        assert not clause.says[0].islower(), clause.id
        assert clause.says.endswith("."), clause.id
        assert clause.where.startswith("tapeline.rules."), clause.id


def test_the_page_is_up_to_date(found: dict[str, SystemCensus]) -> None:
    """If this fails: make docs"""
    assert PAGE.read_text(encoding="utf-8") == page(found.values())


def test_what_no_case_shows_is_told() -> None:
    with toy_installed():
        lacking = census([], ["toy"])["toy"].lacking()
        assert lacking["TY-MOV-1"] == "never bites, never passes"
        assert lacking["TY-MOV-6"] == "not cited"
        assert "TY-DEF-1" not in lacking
        assert "**never bites**" in page([census([], ["toy"])["toy"]])


def test_bites_passes_and_lifts_are_counted(tmp_path: Path) -> None:
    import json

    from support.scenes import toy_scene

    def case(case_id: str, actor: str, x: float) -> dict[str, object]:
        action = {"kind": "move", "actor": actor, "path": [{"to": [x, 7]}]}
        scene = toy_scene()
        scene["models"][0]["position"] = [2, 7]
        scene["models"][1]["position"] = [2, 9.5]
        scene["models"][2]["position"] = [5, 7]
        steps = [{"action": action}]
        return {
            "format": "tapeline-case/1", "id": case_id, "scene": scene, "steps": steps,
        }  # fmt: skip

    path = tmp_path / "cases.json"
    path.write_text(json.dumps([case("A", "R1", 8), case("B", "R2", 8), case("C", "R1", 2.5)]))
    with toy_installed():
        shown = {s.clause.id: s for s in census([path], ["toy"])["toy"].clauses}
    assert shown["TY-MOV-3"].bites == ("A",)
    assert shown["TY-MOV-3"].passes == ("B", "C")
    assert shown["TY-FLY-1"].bites == ("B",), "lifts for the flyer"
    assert shown["TY-FLY-1"].passes == ("A",), "and does not for the other"
    assert shown["TY-MOV-6"].cited == ("B", "C")
    assert shown["TY-MOV-6"].lacking == ""
