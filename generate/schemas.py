"""The published JSON Schemas of all documents.

Schemas describe the shape of a document. What needs the table or the rules (ids that exist, a
polygon that does not cross itself, figures a profile has) is found when the document is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tapeline.engine.deployment_system import deploying
from tapeline.engine.events import EVENTS
from tapeline.engine.verdicts import Verdict
from tapeline.play.cases import CASE_FORMAT, CaseDoc
from tapeline.play.entries import How
from tapeline.play.fairness import LONGEST
from tapeline.play.match import LOG_FORMAT
from tapeline.play.systems import load_system, system_names
from tapeline.table.scene import SCENE_FORMAT, SceneDoc

__all__ = ["action_schema", "schemas"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REF = "#/$defs/{model}"


class _Generator(GenerateJsonSchema):
    """As pydantic does it, with closed records and fields that may be left out."""

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        document = super().dataclass_schema(schema)
        document.setdefault("additionalProperties", False)
        return document


def _adapter_schema(kind: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a type and the definitions it refers to."""
    schema = TypeAdapter(kind).json_schema(ref_template=_REF, schema_generator=_Generator)
    return schema, schema.pop("$defs", {})


def _tagged(schema: dict[str, Any], key: str, value: str) -> dict[str, Any]:
    """An object schema with one more key that has to hold one value."""
    return {
        **schema,
        "properties": {key: {"const": value}, **schema.get("properties", {})},
        "required": [key, *schema.get("required", [])],
        "title": value,
    }


def _document(name: str, title: str, schema: dict[str, Any], defs: dict[str, Any]) -> Any:
    document = {"$schema": _DIALECT, "$id": f"{name}.schema.json", **schema, "title": title}
    if defs:
        document["$defs"] = dict(sorted(defs.items()))
    return document


def _scene() -> Any:
    schema = SceneDoc.model_json_schema(ref_template=_REF, schema_generator=_Generator)
    return _document("scene", f"Scene ({SCENE_FORMAT})", schema, schema.pop("$defs"))


def _case() -> Any:
    schema = CaseDoc.model_json_schema(ref_template=_REF, schema_generator=_Generator)
    defs = schema.pop("$defs")
    scene = SceneDoc.model_json_schema(ref_template=_REF, schema_generator=_Generator)
    defs |= scene.pop("$defs")
    defs["SceneDoc"] = scene
    schema["properties"]["scene"] = {
        "description": "The scene, or the path of its file relative to the case.",
        "anyOf": [{"$ref": "#/$defs/SceneDoc"}, {"type": "string"}],
    }
    defs["StepDoc"]["properties"]["action"] = {
        "description": "One action of the system of the scene; see its action schema.",
        "anyOf": [
            {
                "type": "object",
                "properties": {"kind": {"type": "string"}},
                "required": ["kind"],
            },
            {"type": "null"},
        ],
    }
    return _document("case", f"Case ({CASE_FORMAT})", schema, defs)


def action_schema(system_name: str) -> Any:
    """The schema of the actions of one system, told apart by their kind."""
    system = load_system(system_name)
    defs: dict[str, Any] = {}
    branches = []
    for kind, action in deploying(system).actions.items():
        schema, more = _adapter_schema(action)
        defs |= more
        defs[f"action_{kind}"] = _tagged(schema, "kind", kind)
        branches.append({"$ref": f"#/$defs/action_{kind}"})
    title = f"Action of {system.title}"
    name = f"action-{system_name}"
    return _document(name, title, {"type": "object", "oneOf": branches}, defs)


def _verdict() -> Any:
    schema, defs = _adapter_schema(Verdict)
    return _document("verdict", "Verdict", schema, defs)


_ANSWER = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"roll": {"type": "array", "items": {"type": "integer"}}},
            "required": ["roll"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"choose": {}},
            "required": ["choose"],
            "additionalProperties": False,
        },
    ]
}


#: A key or commitment of dice, and several of them by side.
_KEY: dict[str, Any] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_BY_SIDE: dict[str, Any] = {"type": "object", "additionalProperties": _KEY}


def _log() -> Any:
    defs: dict[str, Any] = {}
    branches = []
    for name, kind in EVENTS.items():
        schema, more = _adapter_schema(kind)
        defs |= more
        defs[f"event_{name}"] = _tagged(schema, "event", name)
        branches.append({"$ref": f"#/$defs/event_{name}"})
    defs["event"] = {"type": "object", "oneOf": branches}
    defs["answer"] = _ANSWER
    digest = {"type": "string", "description": "Hash of the state after the entry."}
    common = {
        "n": {"type": "integer", "minimum": 1, "description": "From 1, without gaps."},
        "by": {"type": "string", "description": "The side that did it."},
        "hash": digest,
    }
    told = {
        "answers": {"type": "array", "items": {"$ref": "#/$defs/answer"}},
        "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
        "ask": {
            "type": "object",
            "description": "The question left open.",
            "properties": {"ask": {"enum": ["roll", "choice"]}},
            "required": ["ask"],
        },
        "commitments": {**_BY_SIDE, "description": "Of sides whose keys the open roll waits for."},
        "key": {**_KEY, "description": "Of the server, from which the dice of this entry come."},
        "reveals": {**_BY_SIDE, "description": "Keys of sides that these dice come from too."},
    }
    action = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}

    def entry(what: str, required: list[str], **properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "title": what,
            "properties": {"what": {"const": what}, **common, **properties},
            "required": ["n", "what", *required, "hash"],
            "additionalProperties": False,
        }

    defs["header"] = {
        "type": "object",
        "title": "header",
        "properties": {
            "format": {"const": LOG_FORMAT},
            "scene": {"type": "object", "description": "A scene document."},
            "hash": digest,
            "dice": _fixed_dice(),
        },
        "required": ["format", "scene", "hash"],
        "additionalProperties": False,
    }
    defs["action"] = entry("action", ["action"], action=action, **told)
    defs["answered"] = entry("answer", [], **told)
    defs["override"] = entry(
        "override", ["events", "reason"], events=told["events"], reason={"type": "string"}
    )
    defs["undo"] = entry(
        "undo",
        ["to"],
        to={"type": "integer", "minimum": 0, "description": "How many entries still count."},
    )
    side = {"type": "string", "description": "A side."}
    result = {
        "type": "object",
        "properties": {"how": {"enum": [*get_args(How)]}, "winner": side, "loser": side},
        "required": ["how"],
        "additionalProperties": False,
    }
    defs["result"] = entry("result", ["result"], result=result)
    lines = ("header", "action", "answered", "override", "undo", "result")
    schema = {
        "description": "One line of a log: the header first, then one entry a line.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in lines],
    }
    return _document("log-line", f"Line of a match log ({LOG_FORMAT})", schema, defs)


def _fixed_dice() -> dict[str, Any]:
    """The schema of what a header tells of dice fixed beforehand."""
    number = {"type": "integer", "minimum": 0, "maximum": LONGEST}
    known = {
        "commitment": {**_KEY, "description": "Shown before the first entry."},
        "salt": {"type": "string"},
        "typed": {"type": "boolean", "description": "Whether players may type faces in."},
        "after": {**number, "description": "Entries up to this one come from elsewhere."},
        "key": {**_KEY, "description": "The key of entry `told`."},
        "told": number,
    }
    return {
        "type": "object",
        "description": "Dice of a server, fixed beforehand.",
        "properties": known,
        "required": ["commitment", "salt", "typed"],
        "additionalProperties": False,
    }


def schemas(systems: Iterable[str] | None = None) -> dict[str, Any]:
    """Every schema by file name; actions of the systems named, of all installed ones if None."""
    names = system_names() if systems is None else tuple(systems)
    documents = [_scene(), _case(), _verdict(), _log(), *map(action_schema, names)]
    return {document["$id"]: document for document in documents}
