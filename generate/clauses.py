"""The census: what every clause of a rule system does, and the cases that show it.

An enforced clause has to bite in one verdict of a case and to pass (be looked at and find
nothing) in another; a resolved one has to be cited in a case; a registered one gives its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tapeline.engine.clauses import Clause, Status
from tapeline.engine.deployment_system import deploying
from tapeline.engine.system import System
from tapeline.engine.verdicts import Verdict
from tapeline.play.cases import CaseResult, case_files, run_case_file
from tapeline.play.systems import load_system, system_names

__all__ = ["CaseClauses", "ClauseShown", "SystemCensus", "census", "clauses_of", "page", "tallied"]

#: Cases named for each clause on the page.
_NAMED = 3


class StepClauses(NamedTuple):
    """The clauses of one verdict, by id: of its findings, cited, and looked at."""

    found: tuple[str, ...]
    cites: tuple[str, ...]
    checked: tuple[str, ...]


class CaseClauses(NamedTuple):
    """A case that was judged: the name of its system, its id, and the clauses of each step."""

    system: str
    case: str
    steps: tuple[StepClauses, ...]


@dataclass(frozen=True, slots=True)
class ClauseShown:
    """One clause and the ids of the cases in which it bites, passes and is cited, in order."""

    clause: Clause
    bites: tuple[str, ...]
    passes: tuple[str, ...]
    cited: tuple[str, ...]

    @property
    def lacking(self) -> str:
        """What no case shows yet; empty when all is shown."""
        status = self.clause.status
        if status is Status.REGISTERED:
            return ""
        if status is Status.RESOLVED:
            return "" if self.cited else "not cited"
        missing = []
        if not self.bites:
            missing.append("never bites")
        if not self.passes:
            missing.append("never passes")
        return ", ".join(missing)


@dataclass(frozen=True, slots=True)
class SystemCensus:
    """All clauses of one system, in the order of its book, and how many cases were run."""

    system: System
    cases: int
    clauses: tuple[ClauseShown, ...]

    def lacking(self) -> dict[str, str]:
        """Clauses that no case shows in full, with what is missing."""
        return {shown.clause.id: shown.lacking for shown in self.clauses if shown.lacking}


class _Tally:
    def __init__(self, system: System) -> None:
        self.system = system
        self._book = deploying(system).book
        self.cases = 0
        self.bites: dict[str, dict[str, None]] = {}
        self.passes: dict[str, dict[str, None]] = {}
        self.cited: dict[str, dict[str, None]] = {}
        self._lifters: dict[str, list[str]] = {}
        for clause in system.book:
            for lifted in clause.lifts:
                self._lifters.setdefault(lifted, []).append(clause.id)

    def see(self, case: str, step: StepClauses) -> None:
        for clause_id in step.cites:
            self.cited.setdefault(clause_id, {})[case] = None
        for clause_id in step.found:
            self.bites.setdefault(clause_id, {})[case] = None
            # What could have lifted the finding was asked and did not.
            for lifter in self._lifters.get(clause_id, ()):
                self.passes.setdefault(lifter, {})[case] = None
        for clause_id in step.checked:
            clause = self._book[clause_id]
            if clause.lift is not None:
                self.bites.setdefault(clause_id, {})[case] = None
            elif clause_id not in step.found:
                self.passes.setdefault(clause_id, {})[case] = None

    def result(self) -> SystemCensus:
        clauses = tuple(
            ClauseShown(
                clause,
                tuple(self.bites.get(clause.id, ())),
                tuple(self.passes.get(clause.id, ())),
                tuple(self.cited.get(clause.id, ())),
            )
            for clause in self.system.book
        )
        return SystemCensus(self.system, self.cases, clauses)


def census(
    places: Iterable[str | Path], systems: Iterable[str] | None = None
) -> dict[str, SystemCensus]:
    """Run every case in the files and folders; what they show of each system's clauses.

    Raises DocumentError for a malformed case, OSError.
    """
    judged = (r for path in case_files(places) for r in run_case_file(path))
    return tallied(map(clauses_of, judged), systems)


def clauses_of(result: CaseResult) -> CaseClauses:
    """The clauses that the verdicts of a case found, cited and looked at."""
    steps = tuple(_clauses(step.verdict) for step in result.steps)
    return CaseClauses(result.start.system.name, result.id, steps)


def _clauses(verdict: Verdict) -> StepClauses:
    found = dict.fromkeys(finding.clause for finding in verdict.findings)
    return StepClauses(tuple(found), tuple(verdict.cites), tuple(verdict.checked))


def tallied(
    cases: Iterable[CaseClauses], systems: Iterable[str] | None = None
) -> dict[str, SystemCensus]:
    """What cases that have been judged show of each system's clauses."""
    names = system_names() if systems is None else tuple(systems)
    tallies = {name: _Tally(load_system(name)) for name in names}
    for name, case, steps in cases:
        tally = tallies.get(name)
        if tally is None:
            continue
        tally.cases += 1
        for step in steps:
            tally.see(case, step)
    return {name: tally.result() for name, tally in tallies.items()}


def _cases(ids: Sequence[str]) -> str:
    more = f" +{len(ids) - _NAMED}" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _row(shown: ClauseShown) -> str:
    clause = shown.clause
    if clause.status is Status.REGISTERED:
        proof = clause.reason
    elif clause.status is Status.RESOLVED:
        proof = f"cited in {_cases(shown.cited)}" if shown.cited else "**not cited**"
    else:
        bites = f"bites in {_cases(shown.bites)}" if shown.bites else "**never bites**"
        passes = f"passes in {len(shown.passes)}" if shown.passes else "**never passes**"
        proof = f"{bites}; {passes}"
    says = clause.says.replace("|", "\\|")
    lifts = f" Lifts {', '.join(clause.lifts)}." if clause.lifts else ""
    return f"| {clause.id} | {clause.src} | {clause.status} | {says}{lifts} | {proof} |"


def _section(found: SystemCensus) -> list[str]:
    system = found.system
    sources = ("seed", "public", "figure", "pick")
    lines = [f"## {system.title}", "", f"{len(found.clauses)} clauses, {found.cases} cases.", ""]
    lines += ["| | " + " | ".join(sources) + " | all |", "|---|" + "--:|" * (len(sources) + 1)]
    for status in Status:
        of_status = [s for s in found.clauses if s.clause.status is status]
        counts = [sum(s.clause.src == source for s in of_status) for source in sources]
        lines.append(f"| {status} | {' | '.join(map(str, counts))} | {len(of_status)} |")
    shown = len(found.clauses) - len(found.lacking())
    lines += ["", f"Shown in full by the cases: {shown} of {len(found.clauses)}.", ""]
    lines += ["| clause | from | state | says | shown by |", "|---|---|---|---|---|"]
    lines += [_row(shown) for shown in found.clauses]
    return [*lines, ""]


def page(found: Iterable[SystemCensus]) -> str:
    """The page of all clauses, as Markdown."""
    lines = [
        "# Clauses",
        "",
        "Written by `make docs`; do not edit. *Enforced*: a function refuses what breaks it.",
        "*Resolved*: a procedure carries it out and cites it. *Registered*: nothing to do, with",
        "the reason. The cases are those in `tests/golden`, by the ids of the rules notes.",
        "",
    ]
    for system in found:
        lines += _section(system)
    return "\n".join(lines).rstrip() + "\n"
