"""Every golden case is judged as it is written, every word of its verdicts stays the same, and
pictures say what they say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from support.documents import pin_documents, pinned_documents
from support.judged import GOLDEN_FILES, Run, judge_case, judged
from tapeline.geometry import backends
from tapeline.play.cases import read_cases

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


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in GOLDEN_FILES}), ids=lambda f: f.name
)
def test_plain_kernels_say_the_same(folder: Path, budget: Callable[[int, int], int]) -> None:
    """Every word: of the first case of every eighth file, of all cases with --long."""
    backends.use("plain")
    pinned = pinned_documents(folder.name.replace("_", "-"))["golden"]
    changed = [
        f"{path.stem}/{case.id}"
        for path in [path for path in GOLDEN_FILES if path.parent == folder][:: budget(8, 1)]
        for case in read_cases(path)[: budget(1, 10_000)]
        if judge_case(case, path, draws=False).said != pinned[f"{path.stem}/{case.id}"]
    ]
    assert changed == []


def test_every_golden_case_has_an_id_of_its_own() -> None:
    cases = [case for path in GOLDEN_FILES for case in json.loads(path.read_text("utf-8"))]
    assert [case for case, n in Counter(case["id"] for case in cases).items() if n > 1] == []
