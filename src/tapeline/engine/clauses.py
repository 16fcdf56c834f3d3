"""The clause registry: every clause of a rule system, counted, and what each does.

A clause is *enforced* (a function that reports findings), *resolved* (a procedure carries it
out and cites it) or *registered* with the reason why there is nothing to do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from textwrap import dedent
from typing import Any, Literal, TypeVar, cast, get_args

from tapeline.engine.verdicts import Finding
from tapeline.errors import RuleBookError
from tapeline.work import count_work

__all__ = ["DECLARED", "Clause", "Moment", "RuleBook", "Status"]

Source = Literal["seed", "public", "figure", "pick"]
Check = Callable[[Any], Iterable[Finding]]
Lift = Callable[[Any, Finding], bool]
CheckT = TypeVar("CheckT", bound=Check)
LiftT = TypeVar("LiftT", bound=Lift)
#: A clause as text: id, source, what it says.
_ENTRY = re.compile(rf"(\S+) \(({'|'.join(get_args(Source))})\) (.+)")


#: Steps of work that a clause counts as, apart from what its measures count.
_LOOK = 10


class Moment(StrEnum):
    """When a clause looks: at the declaration, along the path, at its end, at an answer."""

    DECLARE = "declare"
    PATH = "path"
    END = "end"
    ANSWER = "answer"


#: The moment of the clauses that look at what is declared, however far it leads.
DECLARED = frozenset({Moment.DECLARE})
#: When clauses look at what takes long to work out.
_LATE = (Moment.PATH, Moment.END)


class Status(StrEnum):
    """What the engine does about a clause."""

    ENFORCED = "enforced"
    RESOLVED = "resolved"
    REGISTERED = "registered"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. says: what it demands, in our words; reason: why it is only registered.

    where: the module that writes it down. bars: the kinds of action it can refuse; lifts: the
    clauses to which it is an exception.
    """

    id: str
    src: Source
    status: Status
    says: str
    where: str
    at: Moment | None = None
    bars: tuple[type, ...] = ()
    lifts: tuple[str, ...] = ()
    reason: str = ""
    check: Check | None = None
    lift: Lift | None = None


class RuleBook:
    """All clauses of one system, in the order they were written down."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._clauses: dict[str, Clause] = {}
        self._by_subject: dict[type, tuple[Clause, ...]] = {}
        self._early_first: dict[type, list[Clause]] = {}
        self._lifting: dict[str, tuple[Clause, ...]] = {}
        self._sealed = False

    def __iter__(self) -> Iterator[Clause]:
        return iter(self._clauses.values())

    def __len__(self) -> int:
        return len(self._clauses)

    def __contains__(self, clause_id: object) -> bool:
        return clause_id in self._clauses

    def __getitem__(self, clause_id: str) -> Clause:
        return self._clauses[clause_id]

    def _add(self, clause: Clause) -> None:
        if self._sealed:
            raise RuleBookError(f"{clause.id}: the rule book is closed")
        if not clause.id.startswith(self.prefix + "-"):
            raise RuleBookError(f"{clause.id}: ids of this system begin with {self.prefix}-")
        if clause.id in self._clauses:
            raise RuleBookError(f"{clause.id}: written down twice")
        if not clause.says.strip():
            raise RuleBookError(f"{clause.id}: says nothing; give a docstring or says=")
        self._clauses[clause.id] = clause

    def clause(
        self,
        clause_id: str,
        *,
        src: Source,
        bars: type | tuple[type, ...],
        at: Moment,
        lifts: tuple[str, ...] = (),
    ) -> Callable[[CheckT], CheckT]:
        """Register a function that reports what breaks the clause; its docstring says it."""

        def keep(check: CheckT) -> CheckT:
            self._enforce(clause_id, src, check, at=at, bars=bars, lifts=lifts, check=check)
            return check

        return keep

    def exception(
        self,
        clause_id: str,
        *,
        src: Source,
        lifts: str | tuple[str, ...],
        bars: type | tuple[type, ...] = (),
    ) -> Callable[[LiftT], LiftT]:
        """Register a function that says whether it lifts one finding of the clauses named."""

        def keep(lift: LiftT) -> LiftT:
            self._enforce(clause_id, src, lift, bars=bars, lifts=lifts, lift=lift)
            return lift

        return keep

    def _enforce(
        self, clause_id: str, src: Source, function: Callable[..., object], **more: Any
    ) -> None:
        """Register what a function does, one kind of action or clause or several of them."""
        for name in ("bars", "lifts"):
            more[name] = more[name] if isinstance(more[name], tuple) else (more[name],)
        says = _first_paragraph(function)
        self._add(Clause(clause_id, src, Status.ENFORCED, says, function.__module__, **more))

    def resolves(self, clause_id: str, src: Source, says: str) -> None:
        """Register a clause that a procedure carries out and cites in events or the ledger."""
        self._add(Clause(clause_id, src, Status.RESOLVED, says, _caller()))

    def resolves_each(self, table: str) -> None:
        """The same for several: on a line each its id, the source in brackets and what it says.

        A line that goes on is indented.
        """
        for entry in re.split(r"\n(?=\S)", dedent(table).strip()):
            found = _ENTRY.fullmatch(" ".join(entry.split()))
            if found is None:
                raise RuleBookError(f"{entry!r}: give an id, (a source) and what it says")
            src = cast(Source, found[2])
            self._add(Clause(found[1], src, Status.RESOLVED, found[3], _caller()))

    def registers(self, clause_id: str, src: Source, says: str, reason: str) -> None:
        """Register a clause with nothing to check, with the reason."""
        if not reason.strip():
            raise RuleBookError(f"{clause_id}: a registered clause needs its reason")
        self._add(Clause(clause_id, src, Status.REGISTERED, says, _caller(), reason=reason))

    def seal(self) -> None:
        """Close the book. Raises RuleBookError on a lift of an unknown or of each other."""
        if self._sealed:
            return
        lifting: dict[str, list[Clause]] = {}
        for clause in self:
            for lifted in clause.lifts:
                if lifted not in self:
                    raise RuleBookError(f"{clause.id} lifts {lifted}, which is not in the book")
                if self._lifts_at_last(lifted, clause.id):
                    raise RuleBookError(f"{clause.id} and {lifted} lift each other")
                lifting.setdefault(lifted, []).append(clause)
        for lifted, clauses in lifting.items():
            self._lifting[lifted] = tuple(clauses)
        subjects: dict[type, list[Clause]] = {}
        for clause in self:
            if clause.check is not None:
                for subject in clause.bars:
                    subjects.setdefault(subject, []).append(clause)
        self._by_subject = {subject: tuple(found) for subject, found in subjects.items()}
        for subject, found in subjects.items():
            self._early_first[subject] = sorted(found, key=lambda clause: clause.at in _LATE)
        self._sealed = True

    def _lifts_at_last(self, start: str, wanted: str) -> bool:
        """Whether `wanted` is `start`, or lifted by it, or by what it lifts, and so on."""
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            clause_id = ahead.pop()
            if clause_id == wanted:
                return True
            if clause_id in self and clause_id not in seen:
                seen.add(clause_id)
                ahead.extend(self[clause_id].lifts)
        return False

    def barring(self, subject: type) -> tuple[Clause, ...]:
        """The enforced clauses that look at this kind of action."""
        return self._by_subject.get(subject, ())

    def check(
        self,
        subject: type,
        ask: Any,
        at: frozenset[Moment] | None = None,
        but: frozenset[str] = frozenset(),
    ) -> tuple[list[Finding], list[str]]:
        """All findings of all clauses that bar the subject, and the ids that were looked at.

        at: only clauses that look then. but: clauses that do not look.
        """
        findings: list[Finding] = []
        looked: list[str] = []
        for clause in self.barring(subject):
            if (at is not None and clause.at not in at) or clause.id in but:
                continue
            looked.append(clause.id)
            count_work(_LOOK, clause.id)
            assert clause.check is not None
            for finding in clause.check(ask):
                stamped = self._unlifted(clause, finding, ask, looked)
                if stamped is not None:
                    findings.append(stamped)
        return findings, looked

    def bars(self, clause: Clause, ask: Any) -> bool:
        """Whether one clause has a finding that no other lifts; the first will do."""
        assert clause.check is not None
        count_work(_LOOK, clause.id)
        if clause.id not in self._lifting:
            return next(iter(clause.check(ask)), None) is not None
        return any(self._unlifted(clause, finding, ask, []) for finding in clause.check(ask))

    def allows(self, subject: type, ask: Any, at: frozenset[Moment] | None = None) -> bool:
        """Whether no clause has a finding that no other lifts; those that look at the path last.

        at: only clauses that look then.
        """
        for clause in self._early_first.get(subject, ()):
            if (at is None or clause.at in at) and self.bars(clause, ask):
                return False
        return True

    def _unlifted(
        self, clause: Clause, finding: Finding, ask: Any, looked: list[str]
    ) -> Finding | None:
        """A finding as that of its clause, None if another lifts it; those that do are looked."""
        stamped = replace(finding, clause=clause.id)
        lifters = self._lifting.get(clause.id, ())
        lifted = [x.id for x in lifters if x.lift is not None and x.lift(ask, stamped)]
        looked += lifted
        return None if lifted else stamped


def _caller() -> str:
    """The module that writes a clause down."""
    return str(sys._getframe(2).f_globals["__name__"])


def _first_paragraph(function: Callable[..., object]) -> str:
    text = (function.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(text.split())
