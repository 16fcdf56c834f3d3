"""One entry of a match's log: an action, an answer, an override, an undo or a result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tapeline.engine.asks import Answer
from tapeline.engine.codec import answer_document, answer_from, event_document, event_from
from tapeline.engine.events import Event
from tapeline.errors import DocumentError, Fault
from tapeline.table.marks import halves

__all__ = ["HOWS", "Entry", "Result", "entry_from", "is_key", "read_at", "result_from"]


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


_KEYS = {
    *("n", "what", "by", "action", "answers", "events", "ask", "to", "reason", "hash"),
    *("commitments", "key", "reveals", "result"),
}
_HEX = re.compile("[0-9a-f]{64}")


def is_key(value: object) -> bool:
    """Whether a value is a key or commitment of dice: 32 bytes in hexadecimal, in lower case."""
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def entry_from(data: Any, line: int, place: int) -> Entry:
    """An entry from a line of a log. place: the number it must have. Raises DocumentError."""
    what = f"log line {line}"

    def fail(path: str, message: str) -> DocumentError:
        return DocumentError(what, [Fault(path, message)])

    if not isinstance(data, dict):
        raise fail("", "must be an object")
    unknown = set(data) - _KEYS
    if unknown:
        raise fail(sorted(unknown)[0], "is not a known key")
    number = data.get("n")
    if isinstance(number, bool) or not isinstance(number, int) or number != place:
        raise fail("n", f"must be {place}: entries are numbered without gaps; got {number!r}"[:120])
    kind = data.get("what")
    if kind not in ("action", "answer", "override", "undo", "result"):
        raise fail("what", f"must be action, answer, override, undo or result; got {kind!r}"[:120])
    if not isinstance(data.get("hash"), str):
        raise fail("hash", "is missing")
    if (kind == "action") != isinstance(data.get("action"), dict):
        raise fail("action", "belongs to an entry of kind action, and only there")
    if kind == "action" and not isinstance(data["action"].get("kind"), str):
        raise fail("action.kind", "must be a text: the name of the action")
    to = data.get("to")
    if (kind == "undo") != (isinstance(to, int) and not isinstance(to, bool)):
        raise fail("to", "belongs to an entry of kind undo, and only there")
    if (kind == "result") != ("result" in data):
        raise fail("result", "belongs to an entry of kind result, and only there")
    for key in ("answers", "events"):
        if not isinstance(data.get(key, []), list):
            raise fail(key, "must be a list")
    for key in ("by", "reason"):
        if not isinstance(data.get(key, ""), str):
            raise fail(key, "must be a text")
    if not isinstance(data.get("ask"), dict | type(None)):
        raise fail("ask", "must be an object")
    for key in ("commitments", "reveals"):
        of_sides = data.get(key, {})
        if not isinstance(of_sides, dict) or not all(map(is_key, of_sides.values())):
            raise fail(key, "must be an object of 64 hexadecimal digits, in lower case, by side")
    if "key" in data and not is_key(data["key"]):
        raise fail("key", "must be 64 hexadecimal digits, in lower case")
    return Entry(
        kind,
        data["hash"],
        data.get("action"),
        tuple(
            read_at(f"answers[{i}]", answer_from, answer)
            for i, answer in enumerate(data.get("answers", []))
        ),
        tuple(
            read_at(f"events[{i}]", event_from, event)
            for i, event in enumerate(data.get("events", []))
        ),
        data.get("ask"),
        data.get("by", ""),
        to,
        data.get("reason", ""),
        data.get("commitments", {}),
        data.get("key", ""),
        data.get("reveals", {}),
        read_at("result", result_from, data["result"]) if kind == "result" else None,
    )


def read_at(where: str, read: Callable[[Any], T], data: Any) -> T:
    """What `read` makes of the data; its faults are told of the place `where`."""
    try:
        return read(data)
    except DocumentError as error:
        raise DocumentError(where, error.faults_at(where)) from None


#: Ways of ending. draw: agreed on; time: the clock of a side ran out.
HOWS = ("resigned", "draw", "time")


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
        'Blue gives up: Red wins.'
        """
        if self.how == "draw":
            return "A draw, as agreed."
        what = "gives up" if self.how == "resigned" else "has no time left"
        wins = f": {name(self.winner)} wins" if self.winner else ""
        return f"{name(self.loser)} {what}{wins}."


def result_from(data: Any) -> Result:
    """A result from its document. Raises DocumentError."""
    if not isinstance(data, dict) or data.get("how") not in HOWS:
        raise DocumentError("result", [Fault("how", f"must be one of {', '.join(HOWS)}")])
    faults = [
        Fault(key, "must be a text" if key in ("winner", "loser") else "is not a known key")
        for key, value in data.items()
        if key != "how" and not (key in ("winner", "loser") and isinstance(value, str))
    ]
    if faults:
        raise DocumentError("result", faults)
    return Result(data["how"], data.get("winner", ""), data.get("loser", ""))
