"""The scenes that suites over all systems begin from: the examples, and what golden cases use."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from support.scenes import blocks_scene, toy_scene
from tapeline.play.systems import system_names

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"


@cache
def example_scenes() -> dict[str, dict[str, Any]]:
    """Example tables by file name without suffix; puzzles and lessons are not among them."""
    found = {}
    for path in sorted(EXAMPLES.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(document, dict) and document.get("format") == "tapeline-scene/1":
            found[path.stem] = document
    return found


@cache
def golden_cases() -> tuple[tuple[Path, dict[str, Any]], ...]:
    """Every golden case with its file, the scene inlined."""
    found = []
    for path in sorted(GOLDEN.rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for case in document if isinstance(document, list) else [document]:
            if not isinstance(case, dict) or case.get("format") != "tapeline-case/1":
                continue
            if isinstance(case["scene"], str):
                where = path.parent / case["scene"]
                case = {**case, "scene": json.loads(where.read_text(encoding="utf-8"))}
            found.append((path, case))
    return tuple(found)


def scenes_of(system: str) -> dict[str, dict[str, Any]]:
    """Scenes of one system to play from; for those of the suite their own."""
    if system == "toy":
        return {"toy": toy_scene()}
    if system == "blocks":
        return {"blocks": blocks_scene()}
    return {name: s for name, s in example_scenes().items() if s.get("system") == system}


def scene_of(case: dict[str, Any]) -> dict[str, Any]:
    """The scene of a golden case under the options of the case."""
    scene: dict[str, Any] = case["scene"]
    if "options" not in case:
        return scene
    return {**scene, "options": {**scene.get("options", {}), **case["options"]}}


def golden_scenes(system: str) -> list[dict[str, Any]]:
    """The scenes of the golden cases of one system under the options of the case, each once."""
    found: dict[str, dict[str, Any]] = {}
    for _, case in golden_cases():
        scene = scene_of(case)
        if scene.get("system") == system:
            found.setdefault(json.dumps(scene, sort_keys=True), scene)
    return list(found.values())


def systems() -> tuple[str, ...]:
    """Every installed system, and the toy one."""
    return tuple(dict.fromkeys(("toy", *system_names())))
