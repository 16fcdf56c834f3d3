"""Golden cases judged once for all workers, whichever comes first to a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from generate.clauses import CaseClauses, StepClauses, clauses_of

from support.documents import fingerprint
from support.scenarios import GOLDEN
from tapeline.engine.codec import event_document, verdict_document
from tapeline.engine.referee import Session
from tapeline.play.cases import CaseDoc, case_files, read_cases, run_case

GOLDEN_FILES = tuple(path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text())


class Judged(NamedTuple):
    """A case judged: what is not as written at any step, a hash of all that was said, and the
    clauses of its verdicts."""

    wrong: list[list[str]]
    said: str
    clauses: CaseClauses


def judged(path: Path, shared: Path) -> dict[str, Judged]:
    """The cases of a golden file by id; kept for other workers in a folder."""
    kept = shared / f"judged-{path.parent.name}-{path.stem}.json"
    if not kept.exists():
        found = {case.id: _judged(case, path) for case in read_cases(path)}
        written = kept.with_suffix(f".{id(found)}.part")
        written.write_text(json.dumps(found))
        written.replace(kept)
    return {
        case_id: Judged(
            wrong,
            said,
            CaseClauses(system, case, tuple(StepClauses(*map(tuple, step)) for step in steps)),
        )
        for case_id, (wrong, said, (system, case, steps)) in json.loads(kept.read_text()).items()
    }


def _judged(case: CaseDoc, path: Path) -> Judged:
    said: list[Any] = []

    def note(session: Session) -> None:
        events = [event_document(event) for event in session.events]
        said.append([verdict_document(session.verdict), events])

    result = run_case(case, path, watch=note)
    wrong = [] if result.passed else [list(step.wrong) for step in result.steps]
    return Judged(wrong, fingerprint(*said), clauses_of(result))
