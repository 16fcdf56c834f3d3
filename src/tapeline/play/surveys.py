"""Tables to be surveyed: scenes, or bare outlines with zones, made into a state with one body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tapeline.analysis.survey import survey_of
from tapeline.analysis.survey_figures import Survey, SurveyOptions
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import BackendError, DocumentError, Fault
from tapeline.geometry import backends
from tapeline.play.systems import load_system
from tapeline.table.goals import GoalDoc
from tapeline.table.scene import SceneDoc, parse_scene

__all__ = ["ZONES", "Surveyed", "TableDefaults", "compile_kernels", "survey", "table_scene"]

#: Zones for tables that state none.
ZONES = ("long-edges", "short-edges", "corners")
_SIDES = ("player", "opponent")


def compile_kernels() -> None:
    """Thousands of ways: worth the compiler, where there is one."""
    with suppress(BackendError):
        backends.warmup()


@dataclass(frozen=True, slots=True)
class TableDefaults:
    """What a table that is no scene, or lacks zones, is given.

    system: its rules. terrain: the kind of every bare outline, the first that nobody enters nor
    sees past unless said. zones: of ZONES; depth: how deep they are, inches.
    """

    system: str = "trench-crusade"
    terrain: str = ""
    zones: str = "long-edges"
    depth: float = 8.0


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A table, without its bodies, and what its survey found."""

    name: str
    system: System
    state: State
    survey: Survey

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"table": self.name, "system": self.system.name, **self.survey.document()}


def survey(
    document: Mapping[str, Any],
    options: SurveyOptions | None = None,
    defaults: TableDefaults | None = None,
    name: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Surveyed:
    """The survey of a table: a scene, or `{width, depth, unit, terrain, deployment}` with corners.

    Plain values in, nothing kept between calls, so that it can be one unit of work for a process.
    progress: as of `survey_of`. Raises DocumentError.
    """
    options = options or SurveyOptions()
    scene = table_scene(document, defaults or TableDefaults(), name)
    goals, system, state = _standing(scene, options.base_mm)
    found = survey_of(system, state, goals, options, progress)
    from dataclasses import replace

    return Surveyed(scene["name"], system, replace(state, bodies={}), found)


def table_scene(
    document: Mapping[str, Any], defaults: TableDefaults, name: str = ""
) -> dict[str, Any]:
    """A scene document with zones of two sides, of a scene or of a bare table.

    Raises DocumentError for what is neither.
    """
    if not isinstance(document, Mapping):
        raise DocumentError("survey", [Fault("", "must be an object: a scene, or a bare table")])
    if "format" in document:
        scene = {**document, "name": document.get("name") or name}
    else:
        scene = _from_outlines(document, defaults, name)
    whole = parse_scene(scene)
    if not any(zone.side for zone in whole.zones):
        scene["zones"] = [*scene.get("zones", ()), *_zones(whole, defaults)]
    return scene


def _from_outlines(
    document: Mapping[str, Any], defaults: TableDefaults, name: str
) -> dict[str, Any]:
    missing = [key for key in ("width", "depth", "terrain") if key not in document]
    if missing:
        text = (
            f"is lacking: a table is a scene, or has width, depth and terrain ({name or 'table'})"
        )
        raise DocumentError("survey", [Fault(key, text) for key in missing])
    if not isinstance(document["terrain"], list):
        raise DocumentError("survey", [Fault("terrain", "must be a list of outlines")])
    system = load_system(defaults.system)
    kind = defaults.terrain or _closed(system)
    terrain = [
        {"id": f"terrain-{k}", "kind": kind, "shape": {"polygon": corners}}
        for k, corners in enumerate(document["terrain"], 1)
    ]
    scene: dict[str, Any] = {
        "format": "tapeline-scene/1",
        "system": defaults.system,
        "name": name,
        "table": {key: document.get(key, "in") for key in ("width", "depth", "unit")},
        "terrain": terrain,
        "sides": [{"id": side, "name": side.capitalize()} for side in _SIDES],
    }
    if "options" in document:
        scene["options"] = document["options"]
    deployment = document.get("deployment")
    if isinstance(deployment, Mapping) and all(side in deployment for side in _SIDES):
        scene["zones"] = [_zone(side, deployment[side]) for side in _SIDES]
    return scene


def _closed(system: System) -> str:
    """The first kind of terrain that nobody enters nor sees past."""
    for name, kind in system.terrain_kinds.items():
        if {"impassable", "opaque"} <= kind.traits:
            return name
    return next(iter(system.terrain_kinds))


def _zone(side: str, corners: Any) -> dict[str, Any]:
    name = f"Zone of {side}"
    return {"id": f"zone-{side}", "name": name, "side": side, "shape": {"polygon": corners}}


def _zones(scene: SceneDoc, defaults: TableDefaults) -> list[dict[str, Any]]:
    w, d = scene.table.width, scene.table.depth
    deep = defaults.depth * (2.54 if scene.table.unit == "cm" else 1.0)
    if defaults.zones == "corners":
        shapes = [[[0, 0], [w / 2, 0], [0, d / 2]], [[w, d], [w / 2, d], [w, d / 2]]]
    elif (defaults.zones == "long-edges") == (w >= d):
        shapes = [[[0, 0], [w, 0], [w, deep], [0, deep]],
                  [[w, d], [0, d], [0, d - deep], [w, d - deep]]]  # fmt: skip
    else:
        shapes = [[[0, 0], [deep, 0], [deep, d], [0, d]],
                  [[w, d], [w - deep, d], [w - deep, 0], [w, 0]]]  # fmt: skip
    return [_zone(side.id, shape) for side, shape in zip(scene.sides[:2], shapes, strict=True)]


#: Parts of a scene that are not the table.
_LEFT_OUT = ("models", "units", "turn", "deployment", "game", "puzzle", "lesson", "progress")


def _standing(scene: Mapping[str, Any], base_mm: float) -> tuple[list[GoalDoc], System, State]:
    """The goals of a scene, and its table with one body that stands somewhere on it."""
    whole = parse_scene(dict(scene))
    system = load_system(whole.system)
    if not system.reaching:
        why = system.no_reach or "it does not say where a body can get to"
        raise DocumentError("survey", [Fault("system", f"{system.title}: {why}")])
    bare = {key: value for key, value in scene.items() if key not in _LEFT_OUT}
    profile = next(p for p in system.profiles.values() if p.base_mm and len(p.base_mm) == 1)
    width, depth = whole.table.width, whole.table.depth
    last: DocumentError | None = None
    for k in range(400):
        # A lattice of places gone through in no order, until the body has room.
        place = [
            width * (0.05 + 0.9 * (k * 0.618034 % 1)),
            depth * (0.05 + 0.9 * (k * 0.754878 % 1)),
        ]
        bare["models"] = [
            {"id": "surveyor", "side": whole.sides[0].id, "profile": profile.name,
             "base": {"round_mm": base_mm}, "position": place}
        ]  # fmt: skip
        try:
            state = state_from_scene(parse_scene(bare), system)
        except DocumentError as error:
            last = error
            continue
        return list(whole.game.goals) if whole.game else [], system, state
    assert last is not None
    raise last
