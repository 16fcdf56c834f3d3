"""Actions as people type them: JSON, or `advance A1 distance=5`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

from tapeline.errors import DocumentError, Fault

__all__ = ["ACTION_HELP", "read_action", "read_answer", "read_value"]

ACTION_HELP = (
    "An action: JSON, @FILE with JSON, or short: KIND ACTOR KEY=VALUE ... "
    "(advance A1 distance=5; move R2 path=10,12:14,15; charge red-1 target=blue-2)."
)

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_POINT = re.compile(rf"{_NUMBER},{_NUMBER}")
_POINTS = re.compile(rf"{_NUMBER},{_NUMBER}(?::{_NUMBER},{_NUMBER})*")


def read_value(text: str, where: str) -> Any:
    """A value as typed: JSON if it is JSON, a point `x,y`, else the text itself.

    >>> read_value("5", "x"), read_value("3,4.5", "x"), read_value("blue-2", "x")
    (5, [3.0, 4.5], 'blue-2')
    """
    from tapeline.table.scene import parse_json

    if _POINT.fullmatch(text):
        return [float(part) for part in text.split(",")]
    if text[:1] in '{["-0123456789' or text in {"true", "false", "null"}:
        try:
            return parse_json(text, where)
        except DocumentError:
            if text[:1] in '{["':
                raise
    return text


def _legs(text: str) -> list[dict[str, Any]]:
    return [{"to": [float(part) for part in point.split(",")]} for point in text.split(":")]


def read_answer(text: str, where: str) -> Any:
    """An answer to a choice as typed: as `read_value`, but points are the legs of a path.

    >>> read_answer("3,4:5,6", "x")
    [{'to': [3.0, 4.0]}, {'to': [5.0, 6.0]}]
    """
    return _legs(text) if _POINTS.fullmatch(text) else read_value(text, where)


def read_action(text: str) -> dict[str, Any]:
    """The document of an action as typed. Raises DocumentError, OSError.

    >>> read_action("advance A1 distance=5")
    {'kind': 'advance', 'actor': 'A1', 'distance': 5}
    >>> read_action("move R2 path=10,12:14,15")["path"]
    [{'to': [10.0, 12.0]}, {'to': [14.0, 15.0]}]
    """
    from tapeline.table.scene import parse_json

    text = text.strip()
    if text.startswith("@"):
        data = parse_json(Path(text[1:]).read_bytes(), text[1:])
    elif text.startswith("{"):
        data = parse_json(text, "action")
    else:
        return _short(text)
    if not isinstance(data, dict):
        raise DocumentError("action", [Fault("", "must be an object with the key kind")])
    return data


def _short(text: str) -> dict[str, Any]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise DocumentError("action", [Fault("", f"{text!r}: {error}")]) from None
    if not words:
        raise DocumentError("action", [Fault("", "is empty")])
    document: dict[str, Any] = {"kind": words[0]}
    faults = []
    for place, word in enumerate(words[1:], 1):
        key, equals, value = word.partition("=")
        if not equals:
            if place == 1:
                document["actor"] = word
            else:
                faults.append(Fault("", f"{word!r} must be KEY=VALUE"))
        elif key in document:
            faults.append(Fault(key, "is given twice"))
        elif key == "path" and _POINTS.fullmatch(value):
            document[key] = _legs(value)
        elif key == "actor":
            document[key] = value
        else:
            document[key] = read_value(value, key)
    if faults:
        raise DocumentError("action", faults)
    return document
