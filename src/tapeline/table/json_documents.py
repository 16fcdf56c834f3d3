"""JSON read strictly, and the faults of a document as path and sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from tapeline.errors import DocumentError, Fault, printable
from tapeline.table.goals import GOAL_KINDS
from tapeline.table.marks import halves, parts_of_document
from tapeline.table.puzzle import CONDITION_KINDS

__all__ = ["content_of", "faults_of", "parse_json", "read_json", "validate"]


_MEGABYTE = 1 << 20
_MOST_MEGABYTES = 256
_OUTLINES = frozenset({"polygon", "rectangle", "circle"})
#: Parts that pydantic puts into a path to say which form of a union it tried, by the key before.
_TAGS = {
    "terrain": frozenset({"piece", "floor", "wall", "ramp", "stairs", "ladder", "rope", "face"}),
    "shape": _OUTLINES,
    "shapes": _OUTLINES,
    "floor": _OUTLINES,
    "floors": _OUTLINES,
    "holes": _OUTLINES,
    "hatches": _OUTLINES,
    "units": frozenset({"regiment", "unit"}),
    "goals": GOAL_KINDS | CONDITION_KINDS,
    "always": CONDITION_KINDS,
    "until": CONDITION_KINDS,
}


def _path(parts: Iterable[int | str]) -> str:
    text, holder = "", ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part in _TAGS.get(holder, ()):
            holder = ""
        else:
            shown = printable(part)
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            text += f".{shown}" if text else shown
            holder = part
    return text


_MESSAGES = {
    "missing": "is missing",
    "extra_forbidden": "is not a known key",
    "unexpected_keyword_argument": "is not a known key",
    "missing_argument": "is missing",
    "string_type": "must be a text",
    "string_unicode": "must be a text that UTF-8 can write",
    "string_too_short": "must have at least {min_length} character(s)",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": (
        "must be an id: letters, digits and _ . : - after a letter or digit"
    ),
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a whole number of sane size",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "dataclass_type": "must be an object",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}
_BARE = {"missing", "missing_argument", "extra_forbidden", "unexpected_keyword_argument"}
#: What pydantic calls the plain branches of a union, as the last part of a path.
_BRANCHES = frozenset({"str", "int", "float", "bool", "none", "dict[str,any]", "list[any]"})


def faults_of(error: ValidationError) -> list[Fault]:
    """The faults of a pydantic error as path and sentence, with what came."""
    found: list[Fault] = []
    unions: dict[str, tuple[int, list[str]]] = {}
    for item in error.errors(include_url=False):
        kind, where = item["type"], item["loc"]
        template = _MESSAGES.get(kind)
        if template is not None:
            message = template.format(**item.get("ctx", {}))
        else:
            message = str(item["msg"]).removeprefix("Value error, ")
            message = message[0].lower() + message[1:]
        if kind in _BARE:
            found.append(Fault(_path(where), message))
            continue
        came = repr(item.get("input"))
        came = came if len(came) <= 60 else came[:57] + "..."
        if len(where) > 1 and where[-1] in _BRANCHES:
            path = _path(where[:-1])
            if path in unions:
                place, messages = unions[path]
                messages.append(message.removeprefix("must be "))
                found[place] = Fault(path, f"{' or '.join(messages)}; got {came}")
                continue
            unions[path] = (len(found), [message])
            where = where[:-1]
        found.append(Fault(_path(where), f"{message}; got {came}"))
    return found


class _Reject(ValueError):
    pass


class _NoNumber(float):
    """What stands for a number that no document may hold."""

    fault: str


def content_of(path: str | Path) -> bytes:
    """What is in a file. Raises DocumentError if no file can have such a name or it is too large,
    as a device that never ends; OSError."""
    try:
        with Path(path).open("rb") as file:
            parts = [*islice(iter(lambda: file.read(_MEGABYTE), b""), _MOST_MEGABYTES)]
            endless = bool(file.read(1))
    except ValueError as error:
        found = [*halves(str(path), "name")] or [Fault("name", f"is none of a file: {error}")]
        raise DocumentError(str(path), found) from None
    if endless:
        fault = Fault("", f"is larger than {_MOST_MEGABYTES} MB, as no document is")
        raise DocumentError(str(path), [fault])
    return b"".join(parts)


def read_json(path: str | Path) -> Any:
    """The plain values in a JSON file. Raises as `content_of` and `parse_json` do."""
    return parse_json(content_of(path), str(path))


def parse_json(text: str | bytes, what: str) -> Any:
    """JSON text to plain values. Raises DocumentError on bad syntax, a repeated key, nan, or
    half a character."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in items:
            if key in seen:
                raise _Reject(f"the key {key!r} stands twice in one object")
            seen[key] = value
        return seen

    refused: list[_NoNumber] = []

    def no_number(fault: str) -> float:
        refused.append(_NoNumber("nan"))
        refused[-1].fault = fault
        return refused[-1]

    def number(digits: str) -> float:
        value = float(digits)
        return value if math.isfinite(value) else no_number(f"{digits[:40]} is too large a number")

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        if not text.strip():
            raise _Reject("is empty")
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_constant=lambda name: no_number(f"{name} is not a number that JSON knows"),
            parse_float=number,
        )
        if refused:
            parts = parts_of_document(value)
            faults = [Fault(at, item.fault) for at, _, item in parts if isinstance(item, _NoNumber)]
            raise DocumentError(what, faults)
        if "\\ud" in text.lower():
            found = [*halves(value)]
            if found:
                raise DocumentError(what, found)
        return value
    except UnicodeDecodeError as error:
        message = f"is not UTF-8 text (byte {error.start})"
    except json.JSONDecodeError as error:
        what_is = error.msg.removesuffix(" at")  # as "Unterminated string starting at"
        message = f"is not JSON: {what_is} at line {error.lineno}, column {error.colno}"
    except _Reject as error:
        message = str(error)
    except RecursionError:
        message = "is nested too deeply"
    except ValueError as error:
        message = f"holds a number that is too long ({error})"
    raise DocumentError(what, [Fault("", message)])


def validate(model: type[BaseModel], value: Any, what: str) -> Any:
    """A document model from plain values. Raises DocumentError with every fault."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise DocumentError(what, faults_of(error)) from None
    except RecursionError:
        raise DocumentError(what, [Fault("", "is nested too deeply")]) from None
