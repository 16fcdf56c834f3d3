"""The documents as TypeScript declarations, for the type check of the page.

What the page sends may leave out what has a default; what the server sends has every field.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import textwrap
from typing import Any

from pydantic.json_schema import JsonSchemaMode, models_json_schema

from tapeline.web import documents
from tapeline.web.documents import asked, catalogue, live, match
from tapeline.web.documents.base import Document

__all__ = ["SENT_BY_PAGE", "declarations", "kinds"]

#: What the page sends, in bodies and over the live connection.
SENT_BY_PAGE: tuple[type[Document], ...] = (
    match.NewMatch,
    match.Act,
    match.Answered,
    match.Think,
    match.Undo,
    match.Override,
    match.Reply,
    match.Ending,
    match.AllowHints,
    match.Copy,
    match.Trial,
    asked.Push,
    catalogue.Listed,
    live.Say,
    live.Draw,
    live.Point,
    live.Hello,
    live.Try,
    live.Commit,
    live.Reveal,
    live.Ping,
)

#: Messages of the live connection by direction.
_MESSAGES: dict[str, tuple[type[Document], ...]] = {
    "ToServer": (live.Hello, live.Try, live.Ping),
    "FromServer": (
        live.Now,
        live.Present,
        live.Talk,
        live.LookHere,
        live.Tried,
        live.Refused,
        live.Pong,
    ),
}

_HEAD = """\
// The documents that travel between server and page, written by: make docs
// Their source, with more words: src/tapeline/web/documents/*.py
"""

_WIDTH = 100

_PLAIN = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}


def kinds() -> list[type[Document]]:
    """Every document, by module and then in the order of their definition."""
    found: dict[str, type[Document]] = {}
    for module in pkgutil.iter_modules(documents.__path__, f"{documents.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if (
                isinstance(value, type)
                and issubclass(value, Document)
                and value is not Document
                and value.__module__ == module.name
            ):
                found[value.__name__] = value
    return list(found.values())


def declarations() -> str:
    """The text of the declaration file."""
    every = kinds()
    asked: list[tuple[type[Document], JsonSchemaMode]] = [
        (kind, "validation" if kind in SENT_BY_PAGE else "serialization") for kind in every
    ]
    _, schema = models_json_schema(asked, ref_template="{model}")
    parts = [_HEAD, *(_interface(kind, schema["$defs"][kind.__name__]) for kind in every)]
    parts += [
        f"export type {name} = {' | '.join(kind.__name__ for kind in members)};\n"
        for name, members in _MESSAGES.items()
    ]
    return "\n".join(parts)


def _interface(kind: type[Document], schema: dict[str, Any]) -> str:
    fields = schema.get("properties", {})
    needed = schema.get("required", []) if kind in SENT_BY_PAGE else fields
    lines = [*_comment(schema.get("description", "")), f"export interface {kind.__name__} {{"]
    for field, given in fields.items():
        mark = "" if field in needed or "const" in given else "?"
        lines.append(f"  {field}{mark}: {_type(given)};")
    return "\n".join([*lines, "}", ""])


def _comment(words: str) -> list[str]:
    """A documentation comment of the words; line breaks of the source mean nothing."""
    if not words:
        return []
    paragraphs = [" ".join(paragraph.split()) for paragraph in words.split("\n\n")]
    lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, _WIDTH - 3)]
    return ["/**", *(f" * {line}" for line in lines), " */"]


def _type(schema: dict[str, Any]) -> str:
    """The type of a JSON Schema as pydantic writes them. Raises ValueError on an unknown form."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    form = schema.get("type")
    if form is None:
        return "unknown"
    if form in _PLAIN:
        return _PLAIN[form]
    if form == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
        inner = _type(schema["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if form == "object" and "properties" not in schema:
        values = schema.get("additionalProperties", True)
        return f"Record<string, {'any' if values is True else _type(values)}>"
    raise ValueError(f"no TypeScript for this schema: {schema}")
