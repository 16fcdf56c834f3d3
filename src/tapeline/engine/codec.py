"""Actions, answers, events and verdicts as JSON documents, and back.

Writing is plain Python and fast; reading goes through pydantic, strictly, with every fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from tapeline.dice import Roll, check_faces
from tapeline.engine.actions import Action, Request
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.events import EVENTS, Event, Rolled
from tapeline.engine.paths import Leg
from tapeline.errors import DocumentError, Fault
from tapeline.table.marks import Marks, freeze, halves, thaw

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from tapeline.engine.referee import Rules
    from tapeline.engine.verdicts import Verdict

__all__ = [
    "action_document",
    "action_marks",
    "answer_document",
    "answer_from",
    "ask_document",
    "check_kind",
    "event_document",
    "event_from",
    "parse_action",
    "plain",
    "verdict_document",
]


#: Largest figure in an action; hundreds of times the largest table.
_LARGEST = 1e6
#: Lists and objects within one another in an action.
_DEEPEST = 50
#: What is a JSON value as it is.
_PLAIN = frozenset((type(None), str, bool, int, float))


@cache
def _plan(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (field.name, field.default if field.default_factory is MISSING else field.default_factory())
        for field in fields(kind)
        if not field.name.startswith("_")
    )


def plain(value: Any) -> Any:
    """Anything the engine makes, as plain JSON values; fields at their default are left out."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str | bool | int | float):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Marks):
        return thaw(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        document = {}
        for name, default in _plan(type(value)):
            item = getattr(value, name)
            if default is not MISSING and item == default and type(item) is type(default):
                continue
            document[name] = plain(item)
        return document
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")


def action_document(action: Action) -> dict[str, Any]:
    """An action as it stands in a case, a log or a request."""
    return {"kind": action.kind, **plain(action)}


def action_marks(action: Action) -> Marks:
    """The same as frozen values."""
    frozen = freeze(action_document(action))
    assert isinstance(frozen, Marks)
    return frozen


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _read(kind: Any, data: Any, what: str) -> Any:
    from pydantic import ValidationError

    from tapeline.table.json_documents import faults_of

    try:
        found = [*halves(data)]
        if not found:
            return _adapter(kind).validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        found = faults_of(error)
    except (TypeError, ValueError) as error:
        found = [Fault("", f"cannot be written as JSON: {error}")]
    except RecursionError:
        found = [Fault("", "is nested too deeply")]
    raise DocumentError(what, found)


def _without_legs(value: Any) -> Any:
    """Legs of a path, as a way or a verdict gives them, as plain values."""
    if isinstance(value, tuple | list):
        return [plain(item) if isinstance(item, Leg) else item for item in value]
    return value


def check_kind(system: Rules, kind: Any, where: str, path: str = "kind") -> None:
    """Raises DocumentError, with what there is, if the system has no action of a kind."""
    if not isinstance(kind, str) or kind not in system.actions:
        known = ", ".join(system.actions)
        message = f"{system.title} has no action {kind!r}; it has {known}"
        raise DocumentError(where, [Fault(path, message)])


def parse_action(system: Rules, data: Any, where: str = "action") -> Action:
    """An action of the system from its document or from a `Request`.

    Raises DocumentError that names the fault and what is allowed.
    """
    if isinstance(data, Action):
        if type(data) not in system.procedures:
            fault = Fault("kind", f"{system.title} has no action {data.kind!r}")
            raise DocumentError(where, [fault])
        return data
    if isinstance(data, Request):
        data = {key: _without_legs(value) for key, value in data.document().items()}
    if isinstance(data, Marks):
        data = thaw(data)
    if not isinstance(data, Mapping):
        raise DocumentError(
            where, [Fault("", f"must be an object with the key kind; got {data!r}"[:120])]
        )
    parameters = dict(data)
    kind = parameters.pop("kind", None)
    if kind is None:
        known = ", ".join(system.actions)
        raise DocumentError(where, [Fault("kind", f"is missing; {system.title} has {known}")])
    check_kind(system, kind, where)
    faults = list(_too_large(parameters, ""))
    if faults:
        raise DocumentError(where, faults)
    action = _read(system.actions[kind], parameters, where)
    assert isinstance(action, Action)
    return action


def _too_large(value: Any, path: str, depth: int = 0) -> Iterator[Fault]:
    """Figures that no table has use for, and whose squares no float holds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) > _LARGEST:
            came = str(value) if abs(value) < 1e18 else "far more"
            yield Fault(path, f"must be a number up to {_LARGEST:,.0f}; got {came}")
    elif depth > _DEEPEST:
        yield Fault(path[:60], "is nested too deeply")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _too_large(item, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _too_large(item, f"{path}[{index}]", depth + 1)


def event_document(event: Event) -> dict[str, Any]:
    """An event as it stands in a log."""
    name = next(name for name, kind in EVENTS.items() if type(event) is kind)
    return {"event": name, **plain(event)}


def event_from(data: Any, where: str = "event") -> Event:
    """The inverse of `event_document`. Raises DocumentError."""
    name = data.get("event") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or name not in EVENTS:
        allowed = ", ".join(EVENTS)
        raise DocumentError(where, [Fault("event", f"must be one of {allowed}")])
    parameters = dict(data)
    kind = EVENTS[parameters.pop("event")]
    event: Event = _read(kind, parameters, where)
    if isinstance(event, Rolled):
        fault = check_faces(event.roll, event.faces)
        if fault is not None:
            raise DocumentError(where, [Fault("faces", fault)])
    return event


def answer_document(answer: Answer) -> dict[str, Any]:
    """An answer as it stands in a case or a log: {"roll": [...]} or {"choose": ...}."""
    if answer.faces is not None:
        return {"roll": list(answer.faces)}
    return {"choose": thaw(answer.value)}


def answer_from(data: Any, where: str = "answer") -> Answer:
    """The inverse of `answer_document`. Raises DocumentError."""
    if isinstance(data, Mapping) and set(data) == {"roll"}:
        faces = data["roll"]
        if isinstance(faces, list | tuple) and all(
            isinstance(face, int) and not isinstance(face, bool) for face in faces
        ):
            return Answer(faces=tuple(faces))
        raise DocumentError(where, [Fault("roll", f"must be a list of faces; got {faces!r}"[:120])])
    if isinstance(data, Mapping) and set(data) == {"choose"}:
        try:
            return Answer(value=freeze(data["choose"]))
        except TypeError as error:
            raise DocumentError(where, [Fault("choose", str(error))]) from None
    raise DocumentError(where, [Fault("", 'must be {"roll": [faces]} or {"choose": value}')])


def ask_document(ask: Ask) -> dict[str, Any]:
    """What is asked, as JSON: the same form as in a match log."""
    return {"ask": "roll" if isinstance(ask, Roll) else "choice", **plain(ask)}


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON: kind, legal, findings, moved, ledger, cost, nearest, ask, values, cites,
    checked; what is empty is left out."""
    document: dict[str, Any] = {"kind": str(verdict.kind), "legal": verdict.legal}
    for key, value in plain(verdict).items():
        if key not in document and key != "ask":
            document[key] = value
    if verdict.ask is not None:
        document["ask"] = ask_document(verdict.ask)
    return document
