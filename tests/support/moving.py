"""Whole scenes shifted, turned and mirrored, with the actions that go with them."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

Point = list[float]


@dataclass(frozen=True)
class Motion:
    """What becomes of points, headings (degrees), angles of rotation and the table."""

    name: str
    point: Callable[[Point, dict[str, float]], Point]
    heading: Callable[[float], float]
    turn: Callable[[float], float]
    swaps_table: bool = False
    margin: float = 0.0


QUARTER = Motion(
    "quarter turn",
    lambda p, t: [t["depth"] - p[1], p[0]],
    lambda h: (h + 90.0) % 360.0,
    lambda a: a,
    swaps_table=True,
)
HALF = Motion(
    "half turn",
    lambda p, t: [t["width"] - p[0], t["depth"] - p[1]],
    lambda h: (h + 180.0) % 360.0,
    lambda a: a,
)
MIRROR = Motion(
    "mirror",
    lambda p, t: [t["width"] - p[0], p[1]],
    lambda h: (180.0 - h) % 360.0,
    lambda a: -a,
)


def shift(dx: float, dy: float) -> Motion:
    """Into a table so much larger that its edges play no part, at one of many places."""
    return Motion(
        f"shift by {dx:g}, {dy:g}",
        lambda p, t: [p[0] + dx, p[1] + dy],
        lambda h: h,
        lambda a: a,
        margin=400.0,
    )


def turned(degrees: float, far: float = 400.0) -> Motion:
    """Turned by any angle about a place so far in on a table that its edges play no part."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Motion(
        f"turn by {degrees:g}",
        lambda p, t: [far + c * p[0] - s * p[1], far + s * p[0] + c * p[1]],
        lambda h: (h + degrees) % 360.0,
        lambda a: a,
        margin=2.0 * far,
    )


_POINTS = {"to", "centre", "about", "stop", "position"}
_HEADINGS = {"facing", "direction"}
_TURNS = {"by"}
#: The hand about which a unit wheels: the other one in a mirror.
_HANDS = {"left": "right", "right": "left"}
#: Keys of values that may be a hand.
_SIDES = {"about", "extend"}


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)
    )


def moved_action(action: Any, motion: Motion, table: dict[str, float]) -> Any:
    """The action for the scene moved; keys tell points, headings and rotations apart."""
    if isinstance(action, list):
        return [moved_action(item, motion, table) for item in action]
    if not isinstance(action, dict):
        return action
    if action.get("kind") == "wheel":
        # A side that is not said has another hand in the mirror.
        action = {"about": "left", **action}
    found = {}
    for key, value in action.items():
        if key in _POINTS and _is_point(value):
            found[key] = motion.point(value, table)
        elif key in _HEADINGS and isinstance(value, int | float):
            found[key] = motion.heading(value)
        elif key in _TURNS and isinstance(value, int | float):
            found[key] = motion.turn(value)
        elif key in _SIDES and isinstance(value, str) and motion.turn(1.0) < 0.0:
            found[key] = _HANDS.get(value, value)
        else:
            found[key] = moved_action(value, motion, table)
    return found


def _outline(shape: dict[str, Any], motion: Motion, table: dict[str, float]) -> dict[str, Any]:
    if "polygon" in shape:
        return {"polygon": [motion.point(corner, table) for corner in shape["polygon"]]}
    key = "circle" if "circle" in shape else "rectangle"
    figures = dict(shape[key])
    figures["centre"] = motion.point(figures["centre"], table)
    if key == "rectangle":
        figures["facing"] = motion.heading(figures.get("facing", 0.0))
    return {key: figures}


def _built(piece: dict[str, Any], motion: Motion, table: dict[str, float]) -> None:
    """Move what houses are built of: floors, walls, ramps, stairs, ladders, ropes, faces."""
    for key in ("shape", "floor"):
        if piece.get(key) is not None:
            piece[key] = _outline(piece[key], motion, table)
    for key in ("shapes", "floors", "holes", "hatches"):
        if piece.get(key):
            piece[key] = [_outline(shape, motion, table) for shape in piece[key]]
    if "wall" in piece:
        piece["wall"] = [motion.point(corner, table) for corner in piece["wall"]]
    for key in ("ramp", "stairs", "ladder", "rope"):
        for end in ("foot", "head"):
            if key in piece:
                x, y, z = piece[key][end]
                piece[key][end] = [*motion.point([x, y], table), z]
    if "face" in piece:
        for end in ("from", "to"):
            piece["face"][end] = motion.point(piece["face"][end], table)


def moved_scene(scene: dict[str, Any], motion: Motion) -> dict[str, Any]:
    """The scene with everything on it moved."""
    scene = copy.deepcopy(scene)
    table = dict(scene["table"])
    for piece in scene.get("terrain", []):
        _built(piece, motion, table)
    for item in [*scene.get("models", []), *scene.get("units", [])]:
        if "position" in item:
            item["position"] = motion.point(item["position"], table)
            item["facing"] = motion.heading(item.get("facing", 0.0))
    if motion.swaps_table:
        scene["table"]["width"], scene["table"]["depth"] = table["depth"], table["width"]
    scene["table"]["width"] += motion.margin
    scene["table"]["depth"] += motion.margin
    return scene


def perturbed(action: dict[str, Any], rng: Random, ids: list[str]) -> dict[str, Any]:
    """The action with figures or ids changed, mostly still well-formed: often illegal."""
    action = copy.deepcopy(action)

    def walk(node: Any, key: str) -> Any:
        if isinstance(node, bool):
            return node
        if isinstance(node, int | float):
            return rng.choice((node, node * rng.uniform(0.2, 3), node + rng.uniform(-4, 4), -node))
        if isinstance(node, str):
            return rng.choice(ids) if node in ids and rng.random() < 0.3 else node
        if isinstance(node, list):
            return [walk(item, key) for item in node]
        if isinstance(node, dict):
            return {
                name: item if name == "kind" else walk(item, name) for name, item in node.items()
            }
        return node

    found = walk(action, "")
    assert isinstance(found, dict)
    return found
