"""Actions as people type them: JSON, or `advance A1 distance=5`."""

from __future__ import annotations

import re
import shlex
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from tapeline.engine.paths import Leg
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.table.json_documents import parse_json, read_json

__all__ = ["ACTION_HELP", "EXAMPLES", "read_action", "read_answer", "read_value"]

#: Actions in short form as `--help` shows them, each with a scene that ships and what is done on
#: it before, so that the action is legal.
EXAMPLES = {
    "move r-2 path=9,9;9,10.4,0@drop;11,12": ("examples/trench-storeys.json", "activate r-2"),
    "declare_charge r-captain targets=b-ogre,b-adept": ("examples/mordheim-market.json",),
}

ACTION_HELP = (
    "An action: JSON, @FILE with JSON, or short: KIND ACTOR KEY=VALUE ... Commas part the items "
    "of a list, semicolons the legs of a path: x,y or x,y,height, with @manner where it is not "
    f"walked. Examples: {'; '.join(EXAMPLES)}."
)

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_POINT = re.compile(rf"{_NUMBER},{_NUMBER}")
_LEG = rf"({_NUMBER}),({_NUMBER})(?:,({_NUMBER}))?(?:@(\w+))?"
_LEGS = re.compile(rf"{_LEG}(?:[;:]{_LEG})*")
#: How a value of an action is typed.
_Form: TypeAlias = Literal["text", "list", "path", "json"]


def read_value(text: str, where: str) -> Any:
    """A value as typed: JSON if it is JSON, a point `x,y`, else the text itself.

    >>> read_value("5", "x"), read_value("3,4.5", "x"), read_value("blue-2", "x")
    (5, [3.0, 4.5], 'blue-2')
    """
    if _POINT.fullmatch(text):
        return [float(part) for part in text.split(",")]
    if text.startswith(tuple('{["-0123456789')) or text in {"true", "false", "null"}:
        try:
            return parse_json(text, where)
        except DocumentError:
            if text.startswith(("{", "[", '"')):
                raise
    return text


def _legs(text: str) -> list[dict[str, Any]]:
    """Legs as typed, where the text fits `_LEGS`."""
    legs = []
    for x, y, z, how in re.findall(_LEG, text):
        leg: dict[str, Any] = {"to": [float(x), float(y)]}
        if z:
            leg["z"] = float(z)
        if how:
            leg["how"] = how
        legs.append(leg)
    return legs


def read_answer(text: str, where: str) -> Any:
    """An answer to a choice as typed: as `read_value`, but points are the legs of a path.

    >>> read_answer("3,4;5,6", "x")
    [{'to': [3.0, 4.0]}, {'to': [5.0, 6.0]}]
    """
    return _legs(text) if _LEGS.fullmatch(text) else read_value(text, where)


def read_action(text: str, system: System | None = None) -> dict[str, Any]:
    """The document of an action as typed. Raises DocumentError, OSError.

    system: whose actions say which values are texts, lists or paths; without one the looks of a
    value decide.

    >>> read_action("advance A1 distance=5")
    {'kind': 'advance', 'actor': 'A1', 'distance': 5}
    >>> read_action("move R2 path=10,12;14,15,3@climb")["path"]
    [{'to': [10.0, 12.0]}, {'to': [14.0, 15.0], 'z': 3.0, 'how': 'climb'}]
    """
    text = text.strip()
    if text.startswith("@"):
        data = read_json(text[1:])
    elif text.startswith("{"):
        data = parse_json(text, "action")
    else:
        return _short(text, system)
    if not isinstance(data, dict):
        raise DocumentError("action", [Fault("", "must be an object with the key kind")])
    return data


def _forms(kind: type) -> dict[str, _Form]:
    """How the values of an action of this kind are typed."""
    found: dict[str, _Form] = {}
    for name, hint in get_type_hints(kind).items():
        options = [part for part in get_args(hint) if part is not NoneType]
        kept = options[0] if NoneType in get_args(hint) and len(options) == 1 else hint
        inner = get_args(kept)
        several = get_origin(kept) is tuple and inner[1:] == (...,)
        if several and inner[0] is Leg:
            found[name] = "path"
        elif several and _is_text(inner[0]):
            found[name] = "list"
        else:
            found[name] = "text" if _is_text(kept) else "json"
    return found


def _is_text(hint: Any) -> bool:
    return hint is str or (get_origin(hint) is Literal and isinstance(get_args(hint)[0], str))


def _typed(key: str, text: str, form: _Form | None) -> Any:
    """The value of a key as typed, where it has the form."""
    if form is None and key == "path" and _LEGS.fullmatch(text):
        form = "path"
    if form in (None, "json") or text == "null" or text.startswith(("{", "[", '"')):
        return read_value(text, key)
    if form == "text":
        return text
    if form == "list":
        return [item for item in text.split(",") if item]
    if text and not _LEGS.fullmatch(text):
        message = f"must be legs x,y or x,y,height@manner, with semicolons between; got {text!r}"
        raise DocumentError("action", [Fault(key, message)])
    return _legs(text)


def _short(text: str, system: System | None) -> dict[str, Any]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise DocumentError("action", [Fault("", f"{text!r}: {error}")]) from None
    if not words:
        raise DocumentError("action", [Fault("", "is empty")])
    document: dict[str, Any] = {"kind": words[0]}
    kind = None if system is None else system.actions.get(words[0])
    forms: dict[str, _Form] = {"actor": "text"} if kind is None else _forms(kind)
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
        else:
            document[key] = _typed(key, value, forms.get(key))
    if faults:
        raise DocumentError("action", faults)
    return document
