"""Golden cases judged, once in each process that asks; their clauses once for all workers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generate.clauses import CaseClauses, StepClauses, clauses_of

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


def clauses_judged(path: Path, shared: Path) -> list[CaseClauses]:
    """What the cases of a golden file show of clauses; kept for other workers in a folder."""
    kept = shared / f"clauses-{path.parent.name}-{path.stem}.json"
    if not kept.exists():
        found = [clauses_of(case.result) for case in judged(path)]
        written = kept.with_suffix(f".{id(found)}.part")
        written.write_text(json.dumps(found))
        written.replace(kept)
    return [
        CaseClauses(system, case, tuple(StepClauses(*map(tuple, step)) for step in steps))
        for system, case, steps in json.loads(kept.read_text())
    ]
