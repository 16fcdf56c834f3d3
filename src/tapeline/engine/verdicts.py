"""What the referee says: a verdict with every finding, the ledger and the nearest legal move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tapeline.engine.asks import Ask
from tapeline.engine.paths import LegPath
from tapeline.table.marks import EMPTY, Marks, Value

__all__ = ["Finding", "Kind", "LedgerLine", "Movement", "Nearest", "Verdict"]


class Kind(StrEnum):
    """The five kinds of verdict."""

    LEGAL = "LEGAL"
    STOPPED = "STOPPED"
    ILLEGAL = "ILLEGAL"
    CHOICE = "CHOICE"
    FORCED = "FORCED"


@dataclass(frozen=True, slots=True)
class Finding:
    """One clause broken: by how much, where, and on account of what.

    clause: the id, stamped by the rule book. measured and limit: table units, degrees or a
    count, None where nothing is measured. place: where it bites, table units. about: the id of
    the body or piece concerned. travelled: how far along the path, table units.
    """

    text: str
    measured: float | None = None
    limit: float | None = None
    place: tuple[float, float] | None = None
    about: str | None = None
    travelled: float | None = None
    clause: str = ""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One entry of what a move cost: distance times factor, or a fixed price.

    payer: where several move in one action, the body or unit that pays it out of an allowance of
    its own; allowance: how much that is, where it is known.
    """

    what: str
    distance: float
    factor: float
    cost: float
    clause: str
    payer: str | None = None
    allowance: float | None = None


@dataclass(frozen=True, slots=True)
class Movement:
    """A body that moved: from where, along which legs, and where and how it stands now."""

    body: str
    start: tuple[float, float, float]
    path: LegPath
    end: tuple[float, float, float]
    facing: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest legal move in place of a refused one.

    action: ready to be judged in its stead; for a refused answer, {"path": the legs to answer}.
    how: "prefix" the longest legal part of the wanted path, "end" the closest legal end, "turn"
    or "distance" the wanted order with another figure.
    short_by: how far it ends from where the player wanted, table units or degrees; of a path on
    the plan, with the height where a climb, a jump or a ladder is left.
    """

    action: Marks
    how: str
    text: str
    short_by: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's answer to one action.

    moved: what really moved, in order.
    ask: what must be rolled or chosen before it can go on, if anything.
    cites: every clause that bore on the action, that is, one that was carried out or whose
    condition arose and was met (or broken: then it is a finding too); checked: every clause that
    was looked at.
    values: figures of the outcome, such as "hits" or "allowance_left".
    """

    kind: Kind
    findings: tuple[Finding, ...] = ()
    moved: tuple[Movement, ...] = ()
    ledger: tuple[LedgerLine, ...] = ()
    cost: float = 0.0
    nearest: Nearest | None = None
    ask: Ask | None = None
    values: Marks = EMPTY
    cites: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the action may be done; a pending roll or choice does not make it illegal."""
        return self.kind is not Kind.ILLEGAL

    def value(self, name: str) -> Value:
        """One figure of the outcome; KeyError if the verdict has none of that name."""
        return self.values[name]
