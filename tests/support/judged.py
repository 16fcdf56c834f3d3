"""Golden cases judged once for all workers, by whichever comes first to a file."""

from __future__ import annotations

import contextlib
import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from generate.clauses import CaseClauses, StepClauses, clauses_of

from support.ahead import one_ahead
from support.documents import fingerprint
from support.scenarios import GOLDEN
from tapeline.engine.codec import event_document, verdict_document
from tapeline.engine.referee import Session
from tapeline.picture import draw
from tapeline.play.cases import CaseDoc, case_files, read_cases, run_case

GOLDEN_FILES = tuple(path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text())


class Judged(NamedTuple):
    """A case judged: what is not as written at any step, what the pictures of the steps lack, a
    hash of all that was said, and the clauses of its verdicts."""

    wrong: list[list[str]]
    undrawn: list[str]
    said: str
    clauses: CaseClauses


class Run(NamedTuple):
    """A run of the tests: a folder of all its workers together, and whether it is a long one."""

    folder: Path
    long: bool


def judged(path: Path, run: Run) -> dict[str, Judged]:
    """The cases of a golden file by id, some of them drawn, or all; kept for other workers."""
    kept = run.folder / f"judged-{path.parent.name}-{path.stem}.json"
    with contextlib.nullcontext() if kept.exists() else one_ahead(path):
        if not kept.exists():
            _keep(path, kept, run.long)
    return {
        case_id: Judged(
            wrong,
            undrawn,
            said,
            CaseClauses(system, case, tuple(StepClauses(*map(tuple, step)) for step in steps)),
        )
        for case_id, (wrong, undrawn, said, (system, case, steps)) in json.loads(
            kept.read_text()
        ).items()
    }


def _keep(path: Path, kept: Path, long: bool) -> None:
    """Judge the cases of a golden file, and write what was found."""
    cases = read_cases(path)
    every = 1 if long else max(1, len(cases) // 2)
    found = {case.id: judge_case(case, path, n % every == 0) for n, case in enumerate(cases)}
    written = kept.with_suffix(f".{os.getpid()}.part")
    written.write_text(json.dumps(found))
    written.replace(kept)


def judge_case(case: CaseDoc, path: Path, draws: bool) -> Judged:
    """A case judged now, by the kernels in use; draws: whether its steps are drawn too."""
    said: list[Any] = []
    undrawn: list[str] = []

    def note(session: Session) -> None:
        events = [event_document(event) for event in session.events]
        said.append([verdict_document(session.verdict), events])
        if draws:
            undrawn.extend(f"step {len(said) - 1}: {what}" for what in _undrawn(session))

    result = run_case(case, path, watch=note)
    wrong = [] if result.passed else [list(step.wrong) for step in result.steps]
    return Judged(wrong, undrawn, fingerprint(*said), clauses_of(result))


def _undrawn(session: Session) -> Iterator[str]:
    """What the picture of a step does not say of its verdict."""
    verdict = session.verdict
    root = ElementTree.fromstring(
        draw(session.start, session.system, action=session.action, verdict=verdict)
    )
    shown = " ".join(item.text or "" for item in root.iter())
    kinds = [item.get("data-kind") for item in root.iter() if item.get("class") == "verdict"]
    if kinds != [str(verdict.kind)]:
        yield f"says {kinds}, not {verdict.kind}"
    ways = any("nearest" in item.get("class", "").split() for item in root.iter())
    if verdict.nearest is not None and "path" in verdict.nearest.action and not ways:
        yield "no way to the nearest"
    pins = sum(item.get("class") == "pin" for item in root.iter())
    if pins < sum(finding.place is not None for finding in verdict.findings):
        yield f"only {pins} pins"
    yield from (f"not {f.clause}" for f in verdict.findings if f.clause not in shown)
