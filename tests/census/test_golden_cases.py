"""Every golden case is judged as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.judged import GOLDEN_FILES, judged


@pytest.mark.parametrize("path", GOLDEN_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_case_is_judged_as_written(path: Path) -> None:
    results = judged(path)
    assert results
    wrong = {r.id: [step.wrong for step in r.steps if step.wrong] for r in results}
    assert {name: what for name, what in wrong.items() if what} == {}
    assert [r.id for r in results if not r.passed] == []
