"""What the server has to start from: rule systems, their clauses, and the examples."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tapeline.engine import clauses as engine_clauses
from tapeline.engine import system as engine_system
from tapeline.engine.controls import Control
from tapeline.engine.deployment_system import deploying
from tapeline.play.battle import Battle, load
from tapeline.play.opening import opening_of
from tapeline.play.systems import load_system, system_names
from tapeline.table.bodies import MM_PER_UNIT
from tapeline.table.marks import thaw
from tapeline.web.documents import catalogue as documents
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views.asked import reach_view, route_view
from tapeline.web.views.board import board_of
from tapeline.web.views.verdicts import verdict_of

__all__ = ["clause", "demo", "demo_try", "example", "examples", "system"]


_KINDS = {bool: "flag", int: "whole", float: "number", str: "text", tuple: "list"}


@cache
def system(name: str) -> documents.System:
    """A system as the editor and the start page need it. Raises UnknownSystemError."""
    found = load_system(name)
    unit: Literal["in", "cm"] = "cm" if found.unit == "cm" else "in"
    profiles = [_profile(profile) for profile in found.profiles.values()]
    return documents.System.of(
        found,
        unit=unit,
        units=any(profile.form == "stands" for profile in profiles),
        traits=sorted(found.traits),
        readings=[
            documents.Reading.of(option, values=dict(option.values)) for option in found.options
        ],
        profiles=profiles,
        terrain=[
            documents.Terrain.of(kind, traits=sorted(kind.traits))
            for kind in found.terrain_kinds.values()
        ],
        actions=list(found.actions),
        clauses=len(found.book),
        marks={name: _KINDS.get(mark.kind, "text") for name, mark in found.marks.items()},
        mm=MM_PER_UNIT[found.unit],
    )


def _profile(profile: engine_system.Profile) -> documents.Profile:
    """A profile with files goes as a regiment, one that says its stands as a unit of them."""
    stats = profile.stats
    form: Literal["model", "regiment", "stands"] = "model"
    count = least = most = files = 1
    if "files" in stats:
        form, files = "regiment", _whole(stats["files"], 5)
        size = stats.get("size")
        bounds = size if isinstance(size, tuple) and len(size) == 2 else (1, 100)
        least, most = _whole(bounds[0], 1), _whole(bounds[1], 100)
        count = max(least, min(most, 2 * files))
    elif "stands" in stats:
        form, count, most = "stands", _whole(stats["stands"], 1), 20
    counts = {"count": count, "least": least, "most": most, "files": min(files, count)}
    return documents.Profile.of(profile, stats=thaw(stats), form=form, **counts)


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def clause(system_name: str, clause_id: str) -> documents.Clause:
    """A clause of a system. Raises UnknownSystemError, KeyError."""
    found: engine_clauses.Clause = deploying(load_system(system_name)).book[clause_id]
    return documents.Clause.of(found, source=found.src, state=str(found.status))


def examples(folder: Path | None) -> list[documents.Example]:
    """Scenes of a folder whose systems are installed: by system, the easy ones to begin first."""
    found = []
    for name, scene in sorted(_scenes(folder).items(), key=lambda one: _hardness(one[1])):
        unit, table = scene["table"]["unit"], scene["table"]
        found.append(
            documents.Example(
                name=name,
                system=scene["system"],
                title=scene.get("name") or name,
                says=_says(scene),
                width=table["width"],
                game="game" in scene,
                depth=table["depth"],
                unit=unit,
                counts=_counts(scene),
                puzzle=_task(scene),
                lesson=len(scene["lesson"]["steps"]) if "lesson" in scene else None,
            )
        )
    return sorted(found, key=lambda one: one.system)


def _task(scene: dict[str, Any]) -> documents.Task | None:
    puzzle = scene.get("puzzle")
    return puzzle and documents.Task(words=puzzle["task"], level=puzzle.get("level", 1))


def _hardness(scene: dict[str, Any]) -> tuple[int, bool, int, int, bool, int]:
    """A set-up, later rounds, bodies in some state, storeys and many bodies make it harder to begin
    with; a puzzle says how hard it is. Scenes come before puzzles and lessons."""
    level = scene.get("puzzle", {}).get("level", 1) if {"puzzle", "lesson"} & {*scene} else 0
    bodies = [*scene.get("models", []), *scene.get("units", [])]
    states = sum(bool(body.get("state")) for body in bodies)
    storeys = any("floor" in entry or "floors" in entry for entry in scene.get("terrain", []))
    set_up = "deployment" in scene
    return level, set_up, scene.get("turn", {}).get("round", 1), states, storeys, len(bodies)


def example(folder: Path | None, name: str) -> dict[str, Any]:
    """The scene of that name. Raises KeyError."""
    return _scenes(folder)[name]


def _scenes(folder: Path | None) -> dict[str, dict[str, Any]]:
    """The scenes, puzzles and lessons of a folder, by name of the file without its ending."""
    if folder is None:
        return {}
    known, found = system_names(), {}
    paths = [
        path
        for sub in ("", "puzzles/", "lessons/", "set-ups/")
        for path in folder.glob(f"{sub}*.json")
    ]
    for path in sorted(paths):
        scene = json.loads(path.read_bytes())
        if (
            isinstance(scene, dict)
            and str(scene.get("format", "")).startswith("tapeline-scene/")
            and scene.get("system") in known
        ):
            found[path.stem] = scene
    return found


def _counts(scene: dict[str, Any]) -> dict[str, int]:
    """Bodies on the table by name of the side; a regiment counts once."""
    bodies = Counter(
        body["side"]
        for body in (*scene.get("models", []), *scene.get("units", []))
        if "members" not in body and "gone" not in body.get("state", {})
    )
    return {side.get("name") or side["id"]: bodies[side["id"]] for side in scene["sides"]}


def _says(scene: dict[str, Any]) -> str:
    """One sentence on what lies on the table."""
    terrain = scene.get("terrain", [])
    kinds = Counter(entry["kind"] for entry in terrain if "shape" in entry or "shapes" in entry)
    parts = [name if count == 1 else f"{name} ({count})" for name, count in kinds.most_common(4)]
    floors = sum("floor" in entry or "floors" in entry for entry in terrain)
    if floors:
        parts.append("one floor" if floors == 1 else f"{floors} floors")
    if not parts:
        return "An empty table."
    first = " Begins with the set-up." if "deployment" in scene else ""
    return ", ".join(parts).capitalize() + "." + first


#: The scene and the body: walls on two sides, and nothing said of it that a stranger need know.
SCENE, BODY = "trench-ruined-square", "b-1"


def demo(folder: Path | None) -> documents.Demo:
    """The board at the start. Raises KeyError where the folder has no such scene."""
    battle, control = _begun(folder)
    board = board_of(battle, terrain=True)
    reach = reach_view(battle, BODY, control.reach)
    return documents.Demo(example=SCENE, body=BODY, board=board, reach=reach)


def demo_try(folder: Path | None, to: tuple[float, float]) -> Verdict:
    """The verdict on a move to a place: straight, else by the true way if there is one."""
    battle, control = _begun(folder)
    action = battle.action({**control.action, control.slot: [{"to": list(to)}]})
    verdict = battle.judge(action)
    way = None if verdict.legal else route_view(battle, BODY, control.reach, to)
    if way is not None:
        action = battle.action({**control.action, control.slot: way.path})
        verdict = battle.judge(action)
    return verdict_of(battle, action, verdict)


@cache
def _begun(folder: Path | None) -> tuple[Battle, Control]:
    battle = load(example(folder, SCENE))
    for step in opening_of(battle, BODY):
        battle, _ = battle.play(dict(step.action))
    controls = battle.system.controls(battle.state, BODY)
    return battle, next(c for c in controls if c.reach and not c.why_not)
