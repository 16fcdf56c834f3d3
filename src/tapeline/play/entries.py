"""One entry of a match's log: an action, an answer, an override, an undo or a result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field

from tapeline.engine.asks import Answer
from tapeline.engine.codec import answer_document, answer_from, event_document, event_from
from tapeline.engine.events import Event
from tapeline.errors import DocumentError, Fault
from tapeline.table.json_documents import validate
from tapeline.table.marks import halves
from tapeline.table.terrain_documents import StrictDoc

__all__ = ["Entry", "How", "Key", "Result", "entry_from", "is_key", "read_at"]


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log.

    what: "action", "answer", "override", "undo" or "result". by: the side that did it, "" if not
    said. action: its document (for "action"). answers: dice and choices used, in order. events:
    what happened. ask: the question left open. to: for "undo", how many entries still count.
    hash: of the state after the entry. reason: for an override, why. result: for "result".

    Dice of a server, as of `fairness`: commitments, of the sides that the roll left open waits for;
    key, of the server, from which the dice of this entry come; reveals, of those sides.
    """

    what: str
    hash: str
    action: Mapping[str, Any] | None = None
    answers: tuple[Answer, ...] = ()
    events: tuple[Event, ...] = ()
    ask: Mapping[str, Any] | None = None
    by: str = ""
    to: int | None = None
    reason: str = ""
    commitments: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    reveals: Mapping[str, str] = field(default_factory=dict)
    result: Result | None = None

    def __post_init__(self) -> None:
        faults = [*halves({"by": self.by, "reason": self.reason})]
        if faults:
            raise DocumentError(f"entry of the kind {self.what}", faults)

    def document(self, number: int) -> dict[str, Any]:
        """The entry as a line of the log."""
        told: dict[str, Any] = {
            "by": self.by or None,
            "action": None if self.action is None else dict(self.action),
            "answers": [answer_document(answer) for answer in self.answers] or None,
            "events": [event_document(event) for event in self.events] or None,
            "ask": None if self.ask is None else dict(self.ask),
            "to": self.to,
            "reason": self.reason or None,
            "commitments": dict(self.commitments) or None,
            "key": self.key or None,
            "reveals": dict(self.reveals) or None,
            "result": None if self.result is None else self.result.document(),
        }
        said = {name: value for name, value in told.items() if value is not None}
        return {"n": number, "what": self.what, **said, "hash": self.hash}


_HEX = re.compile("[0-9a-f]{64}")


def is_key(value: object) -> bool:
    """Whether a value is a key or commitment of dice: 32 bytes in hexadecimal, in lower case."""
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _key(value: str) -> str:
    if not is_key(value):
        raise ValueError("must be 64 hexadecimal digits, in lower case")
    return value


#: A key or commitment of dice in a document.
Key = Annotated[str, AfterValidator(_key)]


#: How a match may end. draw: agreed on; time: the clock of a side ran out.
How = Literal["resigned", "draw", "time"]


class _ResultDoc(StrictDoc):
    how: How
    winner: str = ""
    loser: str = ""


class _EntryDoc(StrictDoc):
    n: int
    what: Literal["action", "answer", "override", "undo", "result"]
    hash: str
    by: str = ""
    action: dict[str, Any] | None = None
    answers: list[Any] = Field([])
    events: list[Any] = Field([])
    ask: dict[str, Any] | None = None
    to: int | None = None
    reason: str = ""
    commitments: dict[str, Key] = Field({})
    key: Key | None = None
    reveals: dict[str, Key] = Field({})
    result: _ResultDoc | None = None


def entry_from(data: Any, line: int, place: int) -> Entry:
    """An entry from a line of a log. place: the number it must have. Raises DocumentError."""
    what = f"log line {line}"
    told: _EntryDoc = validate(_EntryDoc, data, what)
    faults = [
        Fault(key, f"belongs to an entry of kind {kind}, and only there")
        for key, kind in (("action", "action"), ("to", "undo"), ("result", "result"))
        if (getattr(told, key) is not None) != (told.what == kind)
    ]
    if told.n != place:
        message = f"must be {place}: entries are numbered without gaps; got {told.n}"
        faults.insert(0, Fault("n", message[:120]))
    if told.action is not None and not isinstance(told.action.get("kind"), str):
        faults.append(Fault("action.kind", "must be a text: the name of the action"))
    if faults:
        raise DocumentError(what, faults)
    return Entry(
        told.what,
        told.hash,
        told.action,
        tuple(read_at(f"answers[{i}]", answer_from, one) for i, one in enumerate(told.answers)),
        tuple(read_at(f"events[{i}]", event_from, one) for i, one in enumerate(told.events)),
        told.ask,
        told.by,
        told.to,
        told.reason,
        told.commitments,
        told.key or "",
        told.reveals,
        None if told.result is None else Result(**told.result.model_dump()),
    )


def read_at(where: str, read: Callable[[Any], T], data: Any) -> T:
    """What `read` makes of the data; its faults are told of the place `where`."""
    try:
        return read(data)
    except DocumentError as error:
        raise DocumentError(where, error.faults_at(where)) from None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. winner: a side, "" for none. loser: who gave up or had no time left."""

    how: str
    winner: str = ""
    loser: str = ""

    def document(self) -> dict[str, str]:
        """The result as a log holds it."""
        sides = {"winner": self.winner, "loser": self.loser}
        return {"how": self.how} | {name: side for name, side in sides.items() if side}

    def words(self, name: Callable[[str], str] = str) -> str:
        """In a sentence. name: of a side.

        >>> Result("resigned", winner="red", loser="blue").words(str.title)
        'Blue gave up: Red won.'
        """
        if self.how == "draw":
            return "A draw, as agreed."
        what = "gave up" if self.how == "resigned" else "ran out of time"
        won = f": {name(self.winner)} won" if self.winner else ""
        return f"{name(self.loser)} {what}{won}."
