"""What the server refuses, apart from what the referee and the documents refuse.

Errors travel from a worker as JSON values: `error_said` and back, `error_from`.
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.errors import (
    AnswerError,
    DocumentError,
    Fault,
    MatchOverError,
    MeasuringError,
    TapelineError,
    UnknownSystemError,
    WorkLimitError,
)

__all__ = [
    "BusyError",
    "ForbiddenError",
    "MissingError",
    "ProgramError",
    "StaleVersionError",
    "TooMuchWorkError",
    "TooOftenError",
    "error_from",
    "error_said",
    "stale",
]


class MissingError(TapelineError):
    """No such match, or no link with that secret: nobody is told which."""


class StaleVersionError(TapelineError):
    """The match has moved on since the page decided."""


class ForbiddenError(TapelineError):
    """A link that may not do this."""


class TooOftenError(TapelineError):
    """Asked too often; `after` says in how many seconds it may be asked again."""

    def __init__(self, message: str, after: float) -> None:
        self.after = after
        super().__init__(message)

    @property
    def headers(self) -> dict[str, str]:
        """What an answer tells of it: whole seconds, one at least."""
        return {"retry-after": str(max(1, math.ceil(self.after)))}


class BusyError(TapelineError):
    """The server has as many of something as it takes."""


class ProgramError(TapelineError):
    """A program that was to play for a side did not: what happened, and who could play instead."""


class TooMuchWorkError(TapelineError):
    """A question that took more than its share, or came while too many of its kind waited."""


_PLAIN: dict[str, type[TapelineError]] = {
    "answer": AnswerError,
    "forbidden": ForbiddenError,
    "missing": MissingError,
    "over": MatchOverError,
    "program": ProgramError,
    "system": UnknownSystemError,
    "work": TooMuchWorkError,
    "other": TapelineError,
}


def error_said(error: TapelineError) -> dict[str, Any]:
    """An error as JSON values."""
    if isinstance(error, DocumentError):
        faults = [[fault.path, fault.message] for fault in error.faults]
        return {"error": "document", "what": error.what, "faults": faults}
    if isinstance(error, MeasuringError):
        return {"error": "measuring", "reasons": [list(reason) for reason in error.reasons]}
    if isinstance(error, WorkLimitError):
        return {"error": "work", "message": f"too much work: {error}"}
    kind = next(name for name, made in _PLAIN.items() if isinstance(error, made))
    return {"error": kind, "message": str(error)}


def error_from(said: dict[str, Any]) -> TapelineError:
    """The error that `error_said` has told."""
    if said["error"] == "document":
        return DocumentError(said["what"], [Fault(path, words) for path, words in said["faults"]])
    if said["error"] == "measuring":
        return MeasuringError([(clause, text) for clause, text in said["reasons"]])
    return _PLAIN[said["error"]](said["message"])


def stale(version: int, now: int) -> StaleVersionError:
    """What is said to whoever means a version that is past."""
    return StaleVersionError(
        f"The match has moved on: this was for version {version}, it is at {now}."
    )
