"""Every golden case is judged as it is written, every word of its verdicts stays the same, and
pictures say what they say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from support.documents import pin_documents, pinned_documents
from support.judged import GOLDEN_FILES, Run, judged

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("path", GOLDEN_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_case_is_judged_as_written(
    path: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    cases = judged(path, run)
    found = {f"{path.stem}/{case_id}": case.said for case_id, case in cases.items()}
    wrong = {case_id: case.wrong for case_id, case in cases.items() if case.wrong}
    assert found
    assert wrong == {}
    assert {case_id: case.undrawn for case_id, case in cases.items() if case.undrawn} == {}
    system = path.parent.name.replace("_", "-")
    if request.config.getoption("--census-write"):
        pin_documents(system, "golden", found)
    pinned = pinned_documents(system)["golden"]
    assert [name for name in found if found[name] != pinned.get(name)] == [], "verdicts changed"


def test_every_golden_case_has_an_id_of_its_own() -> None:
    cases = [case for path in GOLDEN_FILES for case in json.loads(path.read_text("utf-8"))]
    assert [case for case, n in Counter(case["id"] for case in cases).items() if n > 1] == []
