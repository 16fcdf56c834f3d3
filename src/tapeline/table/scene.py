"""The scene document: its shape, and every fault of it at once, each with its path.

Shape is checked by pydantic, outlines by shapely. Terrain stands in `terrain_documents.py`. What
needs a rule system (profiles, options, states) is checked by `engine.setup`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, ValidationError

from tapeline.errors import DocumentError, Fault
from tapeline.table.deployment import DeploymentDoc, deployment_faults
from tapeline.table.goals import GameDoc, game_faults
from tapeline.table.json_documents import faults_of
from tapeline.table.puzzle import LessonDoc, PuzzleDoc, lesson_faults, puzzle_faults
from tapeline.table.terrain_documents import (
    Degrees,
    Id,
    Length,
    Name,
    NamedDoc,
    Point,
    StrictDoc,
    TerrainEntryDoc,
    WallDoc,
    terrain_faults,
)
from tapeline.table.zones import ZoneDoc, zone_faults

__all__ = [
    "SCENE_FORMAT",
    "BaseDoc",
    "ModelDoc",
    "RegimentDoc",
    "SceneDoc",
    "SideDoc",
    "TableDoc",
    "TurnDoc",
    "UnitDoc",
    "parse_scene",
]

SCENE_FORMAT = "tapeline-scene/1"

Millimetres = Annotated[float, Field(ge=0.1, le=2_000, allow_inf_nan=False)]
#: Marks and inline profiles: plain JSON values.
Json = Any


class TableDoc(StrictDoc):
    """The table: width along x, depth along y, in its unit."""

    width: Annotated[float, Field(ge=0.001, le=1_000, allow_inf_nan=False)]
    depth: Annotated[float, Field(ge=0.001, le=1_000, allow_inf_nan=False)]
    unit: Literal["in", "cm"]


class SideDoc(NamedDoc):
    """A player."""


class BaseDoc(StrictDoc):
    """A base: exactly one of a diameter in mm, width and depth in mm, or a diameter or width
    and depth in table units."""

    round_mm: Millimetres | None = None
    round: Length | None = None
    rectangle_mm: Annotated[list[Millimetres], Field(min_length=2, max_length=2)] | None = None
    rectangle: Annotated[list[Length], Field(min_length=2, max_length=2)] | None = None


class ModelDoc(StrictDoc):
    """One model or stand. profile: a name the system knows, or figures inline."""

    id: Id
    side: Id
    name: Name = ""
    profile: str | dict[str, Json]
    base: BaseDoc | None = None
    position: Point
    z: Annotated[float, Field(ge=-1_000, le=1_000, allow_inf_nan=False)] = 0.0
    facing: Degrees = 0.0
    state: dict[str, Json] = {}


class RegimentDoc(StrictDoc):
    """Models ranked base to base that move as one rectangle; position is its centre.

    base: the base of one model; with `rectangle` the footprint of the whole regiment.
    """

    id: Id
    side: Id
    name: Name = ""
    profile: str | dict[str, Json]
    models: Annotated[int, Field(ge=1, le=500)]
    files: Annotated[int, Field(ge=1, le=100)] | None = None
    base: BaseDoc | None = None
    position: Point
    z: Annotated[float, Field(ge=-1_000, le=1_000, allow_inf_nan=False)] = 0.0
    facing: Degrees = 0.0
    state: dict[str, Json] = {}


class UnitDoc(StrictDoc):
    """Models or stands that are ordered together."""

    id: Id
    side: Id
    name: Name = ""
    members: Annotated[list[Id], Field(min_length=1, max_length=100)]
    profile: str | dict[str, Json] = ""
    state: dict[str, Json] = {}


def _unit_tag(value: Any) -> str:
    if isinstance(value, dict):
        return "unit" if "members" in value else "regiment"
    return "unit" if isinstance(value, UnitDoc) else "regiment"


class TurnDoc(StrictDoc):
    """Where the game is. progress: what the system remembers within the phase."""

    round: Annotated[int, Field(ge=1, le=1_000)] = 1
    phase: str = ""
    active: str = ""
    initiative: str = ""
    progress: dict[str, Json] = {}


class SceneDoc(StrictDoc):
    """A whole table: what `tapeline check` reads."""

    format: Literal["tapeline-scene/1"]
    system: Annotated[str, Field(min_length=1, max_length=40)]
    name: Name = ""
    options: dict[str, str] = {}
    table: TableDoc
    terrain: Annotated[list[TerrainEntryDoc], Field(max_length=2_000)] = []
    sides: Annotated[list[SideDoc], Field(min_length=2, max_length=8)]
    models: Annotated[list[ModelDoc], Field(max_length=2_000)] = []
    units: Annotated[
        list[
            Annotated[
                Annotated[RegimentDoc, Tag("regiment")] | Annotated[UnitDoc, Tag("unit")],
                Discriminator(_unit_tag),
            ]
        ],
        Field(max_length=500),
    ] = []
    turn: TurnDoc = TurnDoc()
    zones: Annotated[list[ZoneDoc], Field(max_length=100)] = []
    deployment: DeploymentDoc | None = None
    game: GameDoc | None = None
    puzzle: PuzzleDoc | None = None
    lesson: LessonDoc | None = None


def parse_scene(
    value: Any, what: str = "scene", further: Callable[[SceneDoc], Iterable[Fault]] | None = None
) -> SceneDoc:
    """A scene from plain JSON values, or DocumentError with every fault of shape and outline.

    further: finds more faults in a scene that has some already; what it finds is reported with
    them. It is given the sound part of the scene when not even the shape is right.
    """
    if isinstance(value, dict) and "format" in value and value["format"] != SCENE_FORMAT:
        came = repr(value["format"])[:60]
        raise DocumentError(what, [Fault("format", f"must be {SCENE_FORMAT!r}; got {came}")])
    try:
        scene = SceneDoc.model_validate(value)
    except ValidationError as error:
        faults = faults_of(error)
        faults += _faults_of_rest(value, error, further)
        raise DocumentError(what, faults) from None
    except RecursionError:
        raise DocumentError(what, [Fault("", "is nested too deeply")]) from None
    faults = _faults_of_sense(scene)
    if faults:
        if further is not None:
            faults.extend(further(scene))
        raise DocumentError(what, faults)
    return scene


def _faults_of_sense(scene: SceneDoc) -> list[Fault]:
    sides, table = [side.id for side in scene.sides], scene.table
    zones = zone_faults(scene.zones, sides, table.width, table.depth)
    faults = [*_ids(scene), *terrain_faults(scene.terrain), *zones, *_bases(scene)]
    owners = {one.id: one.side for one in (*scene.models, *scene.units)}
    places = [zone.id for zone in scene.zones]
    if scene.deployment is not None and not zones:
        units = {unit.id: unit.members for unit in scene.units if isinstance(unit, UnitDoc)}
        faults += deployment_faults(scene.deployment, sides, scene.zones, owners, units)
    if scene.game is not None:
        faults += game_faults(scene.game, sides, places, owners)
    if scene.puzzle is not None:
        faults += puzzle_faults(scene.puzzle, sides, owners, places)
    if scene.lesson is not None:
        terrain = [piece.id for piece in scene.terrain]
        faults += lesson_faults(scene.lesson, owners, places, terrain)
    return faults


_LISTS = ("terrain", "sides", "models", "units", "zones")
_OPTIONAL = {name for name, field in SceneDoc.model_fields.items() if not field.is_required()}


def _faults_of_rest(
    value: Any, error: ValidationError, further: Callable[[SceneDoc], Iterable[Fault]] | None
) -> list[Fault]:
    """Faults of the sound part of a scene whose shape is wrong: bad entries are left out."""
    if not isinstance(value, dict):
        return []
    rest, left_out = dict(value), {key: set[int]() for key in _LISTS}
    for item in error.errors(include_url=False, include_context=False):
        where = item["loc"]
        key = str(where[0]) if where else ""
        if len(where) > 1 and key in _LISTS and isinstance(where[1], int):
            left_out[key].add(where[1])
        elif key in _OPTIONAL or item["type"] == "extra_forbidden":
            rest.pop(key, None)
    kept: dict[str, list[int]] = {}
    unsure: set[str] = set()
    for key in _LISTS:  # sides before those who belong to one, models before their units
        items = rest.get(key)
        if not isinstance(items, list):
            lost = value.get(key)
            unsure |= _names(lost if isinstance(lost, list) else [])
            if key == "models" and key in value:
                rest.pop("units", None)
            continue
        kept[key] = [
            index
            for index, item in enumerate(items)
            if index not in left_out[key] and not _names_any(item, unsure)
        ]
        unsure |= _names(items[index] for index in left_out[key])
        rest[key] = [items[index] for index in kept[key]]
    if _names_any(rest.get("turn"), unsure):
        del rest["turn"]
    if unsure:
        for key in ("puzzle", "lesson", "game", "deployment"):
            rest.pop(key, None)
    try:
        scene = SceneDoc.model_validate(rest)
    except (ValidationError, RecursionError):
        return []
    faults = _faults_of_sense(scene)
    if further is not None:
        faults.extend(further(scene))

    def renumber(text: str) -> str:
        return _ENTRY.sub(lambda m: f"{m[1]}[{kept[m[1]][int(m[2])]}]", text)

    return [Fault(renumber(fault.path), renumber(fault.message)) for fault in faults]


_ENTRY = re.compile(r"\b(terrain|sides|models|units|zones)\[(\d+)\]")


def _names_any(item: Any, ids: set[str]) -> bool:
    """Whether an entry refers to one of the ids."""
    if not isinstance(item, dict):
        return False
    members = item.get("members")
    named = [item.get("side"), item.get("active"), item.get("initiative")]
    named += members if isinstance(members, list) else []
    return any(isinstance(name, str) and name in ids for name in named)


def _names(items: Iterable[Any]) -> set[str]:
    return {
        item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), str)
    }


def _lists(scene: SceneDoc, names: Iterable[str]) -> list[tuple[str, list[Any]]]:
    """Lists of entries of a scene, by name."""
    return [(name, getattr(scene, name)) for name in names]


def _ids(scene: SceneDoc) -> list[Fault]:
    faults = []
    seen: dict[str, str] = {}
    for kind, items in _lists(scene, _LISTS):
        for index, item in enumerate(items):
            where = f"{kind}[{index}].id"
            if item.id in seen:
                faults.append(Fault(where, f"{item.id!r} is already the id at {seen[item.id]}"))
            seen.setdefault(item.id, where)
    for index, entry in enumerate(scene.terrain):
        for place, opening in enumerate(entry.openings if isinstance(entry, WallDoc) else ()):
            where = f"terrain[{index}].openings[{place}].id"
            if opening.id in seen:
                message = f"{opening.id!r} is already the id at {seen[opening.id]}"
                faults.append(Fault(where, message))
            seen.setdefault(opening.id, where)
    sides = [side.id for side in scene.sides]
    models = {model.id: model for model in scene.models}
    for kind, items in _lists(scene, ("models", "units")):
        for index, item in enumerate(items):
            if item.side not in sides:
                allowed = ", ".join(sides)
                message = f"no side {item.side!r}; sides are {allowed}"
                faults.append(Fault(f"{kind}[{index}].side", message))
    owner: dict[str, str] = {}
    for index, unit in enumerate(scene.units):
        if not isinstance(unit, UnitDoc):
            continue
        for place, member in enumerate(unit.members):
            where = f"units[{index}].members[{place}]"
            if member not in models:
                faults.append(Fault(where, f"no model has the id {member!r}"))
            elif models[member].side != unit.side and unit.side in sides:
                faults.append(Fault(where, f"{member!r} belongs to side {models[member].side!r}"))
            if member in owner:
                faults.append(Fault(where, f"{member!r} is already in unit {owner[member]!r}"))
            owner.setdefault(member, unit.id)
    for name in ("active", "initiative"):
        side = getattr(scene.turn, name)
        if side and side not in sides:
            message = f"no side {side!r}; sides are {', '.join(sides)}"
            faults.append(Fault(f"turn.{name}", message))
    return faults


def _bases(scene: SceneDoc) -> list[Fault]:
    faults = []
    for kind, items in _lists(scene, ("models", "units")):
        for index, item in enumerate(items):
            base = getattr(item, "base", None)
            if base is None:
                continue
            given = [base.round_mm, base.round, base.rectangle_mm, base.rectangle]
            if sum(entry is not None for entry in given) != 1:
                message = "give exactly one of round_mm, round, rectangle_mm and rectangle"
                faults.append(Fault(f"{kind}[{index}].base", message))
    return faults
