"""Every golden case is judged as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.scenarios import GOLDEN
from tapeline.play.cases import case_files, run_case_file

FILES = [path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_case_is_judged_as_written(path: Path) -> None:
    results = run_case_file(path)
    assert results
    wrong = {r.id: [step.wrong for step in r.steps if step.wrong] for r in results}
    assert {name: what for name, what in wrong.items() if what} == {}
    assert [r.id for r in results if not r.passed] == []
