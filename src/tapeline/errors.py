"""Everything Tapeline raises. An illegal move is never among it: that is a verdict.

TapelineError
├── DocumentError      a scene, action, case or log that cannot be used; lists every fault
│   └── UnknownIdError     an id that nothing on the table has
├── ShapeError         a shape the geometry cannot measure (nan, negative radius, ...)
├── WorkLimitError     a search stopped at its stated work limit; says which and how to raise it
├── DeadlineError      a question took more steps of work than its asker allows (`tapeline.work`)
├── BackendError       a backend that cannot be had (no compiler installed)
├── DiceError          dice that do not fit the roll that was asked for
│   └── DiceExhaustedError scripted dice ran out
├── AnswerError        an answer that does not fit the question that was asked
├── MatchOverError     a deed in a match that has ended
├── MeasuringError     a question that the rules do not let anybody ask yet; names the clauses
├── RuleBookError      a rule system put together wrongly (found at load, never in play)
├── UnknownSystemError no rule system of that name is installed
└── LogError           a match log that does not replay; names the first entry that differs
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapeline.wording import counted

__all__ = [
    "AnswerError",
    "BackendError",
    "DeadlineError",
    "DiceError",
    "DiceExhaustedError",
    "DocumentError",
    "Fault",
    "LogError",
    "MatchOverError",
    "MeasuringError",
    "RuleBookError",
    "ShapeError",
    "TapelineError",
    "UnknownIdError",
    "UnknownSystemError",
    "WorkLimitError",
    "in_one_line",
    "printable",
]

#: What a terminal obeys instead of showing it, what turns the order of letters round, and halves
#: of characters, which no encoding can write.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    """One line of a text from elsewhere as it may be shown: control characters written out.

    >>> print(printable("red" + chr(27) + "[2J"))
    red\\u001b[2J
    """
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class TapelineError(Exception):
    """Anything Tapeline raises on purpose."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a document: where, what came, what is allowed."""

    path: str
    message: str

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.message}" if self.path else self.message)


class DocumentError(TapelineError):
    """A document that cannot be used. `faults` holds every fault, in document order."""

    def __init__(self, what: str, faults: Sequence[Fault]) -> None:
        self.what = what
        self.faults = tuple(faults)
        head = f"{printable(what)}: {counted(len(self.faults), 'fault')}"
        super().__init__("\n".join([head, *(f"  {fault}" for fault in self.faults)]))

    def faults_at(self, where: str) -> list[Fault]:
        """The faults as those of a larger document that holds this one there."""
        return [Fault(".".join(filter(None, (where, f.path))), f.message) for f in self.faults]


class UnknownIdError(DocumentError):
    """An id that nothing on the table has. unknown: that id, where a field of an action may hold
    it."""

    def __init__(self, what: str, faults: Sequence[Fault], unknown: str | None = None) -> None:
        super().__init__(what, faults)
        self.unknown = unknown

    def in_field(self, fields: Mapping[str, object]) -> UnknownIdError:
        """The same, with the name of the field that holds the id."""
        for name, value in fields.items():
            ids = value if isinstance(value, tuple) else (value,)
            if self.unknown is not None and self.unknown in ids:
                return UnknownIdError(self.what, [Fault(name, f.message) for f in self.faults])
        return self


class ShapeError(TapelineError, ValueError):
    """A shape that cannot be measured: nan, infinity, negative radius, too few corners."""


class WorkLimitError(TapelineError):
    """A search reached its work limit before it could answer; no answer is given."""


class DeadlineError(TapelineError):
    """A question took more steps of work than its asker allows; says what it was doing."""


class BackendError(TapelineError, RuntimeError):
    """The wanted backend is not to be had: Numba is missing, or no such backend."""


class DiceError(TapelineError, ValueError):
    """Dice that do not fit the roll: wrong count or a face that the die does not have."""


class DiceExhaustedError(DiceError):
    """Scripted dice ran out before the rules stopped asking."""


class AnswerError(TapelineError, ValueError):
    """An answer that does not fit the question: not among the options, or of the wrong kind."""


class MeasuringError(TapelineError):
    """A question whose answer would tell what may not be measured yet.

    reasons: each a clause and what it says of the question. clauses: the ids alone.
    """

    def __init__(self, reasons: Sequence[tuple[str, str]]) -> None:
        self.reasons = tuple(reasons)
        self.clauses = tuple(clause for clause, _ in reasons)
        super().__init__("; ".join(f"{text} ({clause})" for clause, text in reasons))


class RuleBookError(TapelineError):
    """A rule system put together wrongly: found when it is loaded, never in play."""


class UnknownSystemError(TapelineError, LookupError):
    """No installed rule system has that name."""


class MatchOverError(TapelineError):
    """A deed in a match that has ended; says how it did."""


class LogError(TapelineError):
    """A match log that does not replay or was tampered with; `entry` is the first that differs."""

    def __init__(self, message: str, entry: int | None = None) -> None:
        self.entry = entry
        super().__init__(message)


def in_one_line(error: TapelineError) -> str:
    """An error in one line, for where there is room for no more."""
    if isinstance(error, DocumentError):
        return "; ".join(map(str, error.faults))
    return str(error)
