"""Golden cases judged, once in each process that asks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from support.scenarios import GOLDEN
from tapeline.engine.codec import event_document, verdict_document
from tapeline.engine.referee import Session
from tapeline.play.cases import CaseResult, case_files, read_cases, run_case

GOLDEN_FILES = tuple(path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text())


class Judged(NamedTuple):
    """A case judged, and what was said at each step: the verdict and the events, in full."""

    result: CaseResult
    said: list[Any]


@cache
def judged(path: Path) -> tuple[Judged, ...]:
    """The cases of a golden file."""
    found = []
    for case in read_cases(path):
        said: list[Any] = []

        def note(session: Session, said: list[Any] = said) -> None:
            events = [event_document(event) for event in session.events]
            said.append([verdict_document(session.verdict), events])

        found.append(Judged(run_case(case, path, watch=note), said))
    return tuple(found)
