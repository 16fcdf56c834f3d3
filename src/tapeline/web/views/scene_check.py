"""Scenes as the editor sends them: every fault with the entry it is about, and the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tapeline.engine.setup import battlefield_from_scene
from tapeline.engine.state import State
from tapeline.errors import DocumentError, UnknownSystemError
from tapeline.errors import Fault as Found
from tapeline.play.battle import Battle, load, zone_notes
from tapeline.play.systems import load_system
from tapeline.table.scene import parse_scene
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Battlefield, Floor, Piece
from tapeline.web.documents.catalogue import Checked, Fault, Fix
from tapeline.web.views.board import board_of

__all__ = ["checked"]

#: The list and the number of the entry that a fault is in.
_ENTRY = re.compile(r"^(terrain|sides|models|units|zones)\[(\d+)\]")
#: Where a height could be another: of a body, or of an end of a way.
_HEIGHT = re.compile(
    r"^(?:(?:models|units)\[\d+\]\.z|terrain\[\d+\]\.(?:ramp|stairs|ladder|rope)\.(?:foot|head))$"
)
#: Length: what lies nearer to the border of a surface is on it.
_NEAR = 1e-6
#: No coordinate of a scene is larger.
_FARTHEST = 10_000


def checked(scene: dict[str, Any]) -> Checked:
    """A scene looked at: its faults, or its board; notes on what is odd but allowed."""
    try:
        battle = load(scene)
    except UnknownSystemError as error:
        return Checked(faults=[Fault(path="system", message=str(error))], notes=[], board=None)
    except DocumentError as error:
        return Checked(faults=list(_told(scene, error.faults)), notes=[], board=None)
    if battle.state.deployment is not None:
        battle = _as_put(scene, battle)
    notes = [*_notes(battle.state), *battle.system.notes(battle.state)]
    return Checked(faults=[], notes=notes, board=board_of(battle))


def _as_put(scene: dict[str, Any], battle: Battle) -> Battle:
    """The scene with everybody where the document puts them, if all can stand there, so that those
    in the trays are seen as well."""
    try:
        return load({name: part for name, part in scene.items() if name != "deployment"})
    except DocumentError:
        return battle


def _told(scene: dict[str, Any], faults: tuple[Found, ...]) -> Iterator[Fault]:
    ground: Battlefield | None = None
    if any(_HEIGHT.match(fault.path) for fault in faults):
        ground = _ground(scene)
    for fault in dict.fromkeys(faults):
        fixes = [] if ground is None else list(_heights(scene, fault, ground))
        about = _about(scene, fault.path)
        yield Fault.of(fault, about=about, fixes=fixes)


def _entry(scene: dict[str, Any], path: str) -> dict[str, Any] | None:
    match = _ENTRY.match(path)
    items = scene.get(match[1]) if match else None
    if match is None or not isinstance(items, list) or int(match[2]) >= len(items):
        return None
    entry = items[int(match[2])]
    return entry if isinstance(entry, dict) else None


def _about(scene: dict[str, Any], path: str) -> str | None:
    entry = _entry(scene, path)
    found = entry.get("id") if entry else None
    return found if isinstance(found, str) else None


def _ground(scene: dict[str, Any]) -> Battlefield | None:
    """The table with that part of its terrain whose shape is sound; None if there is none."""
    terrain = scene.get("terrain", [])
    rest: dict[str, Any] = {
        name: scene[name] for name in ("format", "system", "table", "sides") if name in scene
    }
    while isinstance(terrain, list):
        try:
            document = parse_scene(rest | {"terrain": terrain})
            return battlefield_from_scene(document, load_system(document.system))
        except UnknownSystemError:
            return None
        except DocumentError as error:
            places = [_ENTRY.match(fault.path) for fault in error.faults]
            bad = {int(place[2]) for place in places if place and place[1] == "terrain"}
            if not bad:
                return None
            terrain = [entry for index, entry in enumerate(terrain) if index not in bad]
    return None


def _heights(scene: dict[str, Any], fault: Found, ground: Battlefield) -> Iterator[Fix]:
    """The heights at which there is something to stand on where the fault is."""
    entry = _entry(scene, fault.path)
    if entry is None or not _HEIGHT.match(fault.path):
        return
    if fault.path.endswith(".z"):
        place, path = [entry.get("position"), entry.get("z", 0)], fault.path
        place = [*place[0], place[1]] if isinstance(place[0], list) else []
    else:
        _, key, end = fault.path.rsplit(".", 2)
        way = entry.get(key)
        found = way.get(end) if isinstance(way, dict) else None
        place, path = found if isinstance(found, list) else [], f"{fault.path}[2]"
    if len(place) != 3 or not all(
        isinstance(part, int | float) and abs(part) <= _FARTHEST for part in place
    ):
        return
    x, y, _ = place
    own = entry.get("id")
    surfaces = [s for s in storeys_of(ground).over(x, y, _NEAR) if own not in s.entries]
    heights = {round(surface.height(x, y), 9) for surface in surfaces}
    for z in sorted(heights):
        label = "Put it on the table" if z == 0 else f"Put it {z:g} {ground.unit} up"
        yield Fix(label=label, path=path, value=z)


def _notes(state: State) -> Iterator[str]:
    table = state.table
    for side in state.sides:
        if not any(body.side == side.id for body in state.bodies.values()):
            yield f"{side.name} has nothing on the table yet"
    ground: tuple[Piece | Floor, ...] = (*table.pieces, *table.floors)
    for entry in ground:
        if all(
            west >= table.width or east <= 0 or south >= table.depth or north <= 0
            for west, south, east, north in (outline.box for outline in entry.outlines)
        ):
            yield f"{entry.name} lies off the table"
    yield from zone_notes(state)
