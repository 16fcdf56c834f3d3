"""Floors, walls, ramps, ladders and faces in scenes: faults by path, and the way there and back."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from support.scenes import toy_scene
from support.toy import SYSTEM
from tapeline.engine.digest import digest
from tapeline.engine.scene_document import scene_document
from tapeline.engine.setup import state_from_scene
from tapeline.errors import DocumentError
from tapeline.table.scene import parse_scene
from tapeline.table.terrain import Floor, Ladder, Wall

STOREYS = replace(SYSTEM, storeys=True)

FLOOR: dict[str, Any] = {
    "id": "F",
    "floor": {"rectangle": {"centre": [18, 18], "width": 4, "depth": 4}},
    "z": 3,
    "kind": "roof",
    "holes": [{"rectangle": {"centre": [18, 18], "width": 1, "depth": 1}}],
    "traits": ["slippery"],
}
WALL: dict[str, Any] = {
    "id": "W",
    "wall": [[2, 14], [8, 14], [8, 20]],
    "height": 3,
    "openings": [
        {"id": "W-v", "kind": "window", "from": 8, "to": 9, "sill": 1, "head": 2},
        {"id": "W-d", "kind": "door", "from": 1, "to": 2, "head": 2, "shut": True},
    ],
}
STAIRS: dict[str, Any] = {
    "id": "S",
    "stairs": {"foot": [14, 18, 0], "head": [16, 18, 3], "width": 1},
}
LADDER: dict[str, Any] = {"id": "L", "ladder": {"foot": [17, 18, 0], "head": [17, 18, 3]}}
ROPE: dict[str, Any] = {"id": "R", "rope": {"foot": [19, 20, 0], "head": [19, 20, 3]}}
RAMP: dict[str, Any] = {"id": "P", "ramp": {"foot": [22, 17, 0], "head": [20, 17, 3], "width": 1}}
FACE: dict[str, Any] = {"id": "C", "face": {"from": [20, 16], "to": [20, 17], "top": 3}}
ALL = [WALL, FLOOR, STAIRS, LADDER, ROPE, RAMP, FACE]


def scene(*entries: dict[str, Any]) -> dict[str, Any]:
    document = toy_scene()
    document["terrain"] += [copy.deepcopy(entry) for entry in entries]
    return document


def changed(entry: dict[str, Any], *keys_and_value: Any) -> dict[str, Any]:
    *keys, value = keys_and_value
    entry = copy.deepcopy(entry)
    at: Any = entry
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    return entry


def test_a_scene_with_everything_goes_there_and_back() -> None:
    first = state_from_scene(parse_scene(scene(*ALL)), STOREYS)
    document = scene_document(first, STOREYS)
    assert [entry["id"] for entry in document["terrain"]] == ["T1", "T2", *"WFSLRPC"]
    again = state_from_scene(parse_scene(document), STOREYS)
    assert again.table == first.table
    assert digest(again) == digest(first)


def test_records_hold_what_the_document_says() -> None:
    table = state_from_scene(parse_scene(scene(*ALL)), STOREYS).table
    (floor,) = table.floors
    assert isinstance(floor, Floor)
    assert (floor.z, floor.kind, floor.traits, len(floor.holes)) == (3, "roof", {"slippery"}, 1)
    (wall,) = table.walls
    assert isinstance(wall, Wall)
    assert [o.id for o in wall.openings] == ["W-d", "W-v"]
    assert (wall.openings[0].bottom, wall.openings[0].top, wall.openings[0].shut) == (0, 2, True)
    ladder, rope = table.ladders
    assert isinstance(ladder, Ladder)
    assert (ladder.kind, rope.kind) == ("ladder", "rope")
    assert [ramp.kind for ramp in table.ramps] == ["stairs", "ramp"]
    assert table.faces[0].bottom == 0


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry["id"])
def test_every_entry_counts_in_the_digest(entry: dict[str, Any]) -> None:
    with_it = state_from_scene(
        parse_scene(scene(FLOOR, entry) if entry is not FLOOR else scene(FLOOR)), STOREYS
    )
    without = state_from_scene(
        parse_scene(scene(FLOOR) if entry is not FLOOR else scene()), STOREYS
    )
    assert digest(with_it) != digest(without)


ONE: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "floor and floors": (
        [{**FLOOR, "floors": [FLOOR["floor"]]}],
        "terrain[2]",
        "exactly one of floor and floors",
    ),
    "floor without a height": (
        [{k: v for k, v in FLOOR.items() if k != "z"}],
        "terrain[2].z",
        "is missing",
    ),
    "floor a circle": (
        [changed(FLOOR, "floor", {"circle": {"centre": [5, 5], "radius": 1}})],
        "terrain[2].floor",
        "one of the keys polygon, rectangle",
    ),
    "floor of a strange kind": ([{**FLOOR, "kind": "carpet"}], "terrain[2].kind", "'carpet'"),
    "floor of a strange trait": (
        [{**FLOOR, "traits": ["wet"]}],
        "terrain[2].traits[0]",
        "among slippery",
    ),
    "hole across itself": (
        [changed(FLOOR, "holes", 0, {"polygon": [[0, 0], [4, 3], [4, 0], [0, 4]]})],
        "terrain[2].holes[0].polygon",
        "not a simple polygon",
    ),
    "wall of one corner": ([{**WALL, "wall": [[1, 1]]}], "terrain[2].wall", "at least 2"),
    "wall corner twice": (
        [{**WALL, "wall": [[1, 1], [1, 1], [9, 1]]}],
        "terrain[2].wall[0]",
        "twice",
    ),
    "wall across itself": (
        [{**WALL, "wall": [[0, 0], [4, 0], [4, 4], [2, -2]], "openings": []}],
        "terrain[2].wall",
        "crosses itself",
    ),
    "wall folded": (
        [{**WALL, "wall": [[0, 0], [9, 0], [0, 1]], "openings": []}],
        "terrain[2].wall[1]",
        "meet at",
    ),
    "wall of two corners closed": (
        [{**WALL, "wall": [[0, 0], [9, 0]], "closed": True, "openings": []}],
        "terrain[2].wall",
        "3 corners",
    ),
    "opening beyond its wall": (
        [changed(WALL, "openings", 0, "to", 12.5)],
        "terrain[2].openings[0].to",
        "beyond the wall, which is 12 long",
    ),
    "opening turned about": (
        [changed(WALL, "openings", 1, "to", 0.5)],
        "terrain[2].openings[1].to",
        "must be beyond from",
    ),
    "window without a sill": (
        [changed(WALL, "openings", 0, "sill", None)],
        "terrain[2].openings[0].sill",
        "is missing",
    ),
    "window above the wall": (
        [changed(WALL, "openings", 0, "head", 3.5)],
        "terrain[2].openings[0].head",
        "above the wall",
    ),
    "window shut": (
        [changed(WALL, "openings", 0, "shut", True)],
        "terrain[2].openings[0].shut",
        "only a door",
    ),
    "gap with a head": (
        [changed(WALL, "openings", 0, {"id": "g", "kind": "gap", "from": 4, "to": 5, "head": 2})],
        "terrain[2].openings[0].head",
        "has none",
    ),
    "openings in one another": (
        [changed(WALL, "openings", 1, {"id": "g", "kind": "gap", "from": 8.5, "to": 10})],
        "terrain[2].openings[1]",
        "overlaps the opening 'W-v'",
    ),
    "opening with the id of a model": (
        [changed(WALL, "openings", 1, "id", "R1")],
        "terrain[2].openings[1].id",
        "already the id",
    ),
    "stairs downward": (
        [FLOOR, changed(STAIRS, "stairs", "foot", [14, 18, 4])],
        "terrain[3].stairs.head[2]",
        "above the foot",
    ),
    "stairs straight up": (
        [FLOOR, changed(STAIRS, "stairs", "foot", [16, 18, 0])],
        "terrain[3].stairs.head",
        "that is a ladder",
    ),
    "stairs without a width": (
        [FLOOR, {"id": "S", "stairs": {"foot": [14, 18, 0], "head": [16, 18, 3]}}],
        "terrain[3].stairs.width",
        "is missing",
    ),
    "ladder in the air": (
        [FLOOR, changed(LADDER, "ladder", "head", [17, 18, 4])],
        "terrain[3].ladder.head",
        "in the air",
    ),
    "rope of two figures": (
        [FLOOR, changed(ROPE, "rope", "foot", [19, 20])],
        "terrain[3].rope.foot",
        "at least 3 entries",
    ),
    "face of no height": (
        [FLOOR, changed(FACE, "face", "top", 0)],
        "terrain[3].face.top",
        "above bottom",
    ),
    "face of no length": (
        [FLOOR, changed(FACE, "face", "to", [20, 16])],
        "terrain[3].face.to",
        "same place",
    ),
    "model in the air": ([], "models[0].z", "nothing to stand on"),
}


@pytest.mark.parametrize("name", ONE)
def test_one_fault(name: str) -> None:
    entries, path, words = ONE[name]
    document = scene(*entries)
    if name == "model in the air":
        document["models"][0]["z"] = 1.0
    with pytest.raises(DocumentError) as raised:
        state_from_scene(parse_scene(document), STOREYS)
    found = [(fault.path, fault.message) for fault in raised.value.faults]
    assert [where for where, _ in found] == [path]
    assert words in found[0][1]


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry["id"])
def test_systems_without_storeys_say_so(entry: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as raised:
        state_from_scene(parse_scene(scene(entry)), SYSTEM)
    assert [fault.path for fault in raised.value.faults] == ["terrain[2]"]
    assert "no terrain of the sort" in raised.value.faults[0].message
