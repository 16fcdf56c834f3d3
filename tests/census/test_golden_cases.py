"""Every golden case is judged as it is written, and every word of its verdicts stays the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.documents import fingerprint, pin_documents, pinned_documents
from support.scenarios import GOLDEN
from tapeline.cli.telling import verdict_document
from tapeline.engine.codec import event_document
from tapeline.engine.referee import Session
from tapeline.play.cases import case_files, read_cases, run_case

FILES = [path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_case_is_judged_as_written(path: Path, request: pytest.FixtureRequest) -> None:
    wrong: dict[str, list[Any]] = {}
    found: dict[str, str] = {}
    for case in read_cases(path):
        said: list[Any] = []

        def note(session: Session, said: list[Any] = said) -> None:
            events = [event_document(event) for event in session.events]
            said.append([verdict_document(session.verdict), events])

        result = run_case(case, path, watch=note)
        if not result.passed:
            wrong[case.id] = [step.wrong for step in result.steps]
        found[f"{path.stem}/{case.id}"] = fingerprint(*said)
    assert found
    assert wrong == {}
    system = path.parent.name.replace("_", "-")
    if request.config.getoption("--census-write"):
        pin_documents(system, "golden", found)
    pinned = pinned_documents(system)["golden"]
    assert [name for name in found if found[name] != pinned.get(name)] == [], "verdicts changed"
