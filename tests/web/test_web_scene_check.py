"""Scenes as the editor sends them: faults with their entries, fixes, notes, the board."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from support.scenarios import ROOT
from tapeline.engine.deployment import in_trays
from tapeline.play.battle import load
from tapeline.play.files import examples_folder
from tapeline.play.systems import system_names
from tapeline.web.views import catalogue
from tapeline.web.views.scene_check import checked

HOUSE: dict[str, Any] = {
    "format": "tapeline-scene/1",
    "system": "mordheim",
    "name": "A house",
    "table": {"width": 24, "depth": 24, "unit": "in"},
    "terrain": [
        {"id": "floor", "floor": {"polygon": [[8, 8], [16, 8], [16, 16], [8, 16]]}, "z": 3},
        {"id": "ladder", "ladder": {"foot": [7.5, 12, 0], "head": [8, 12, 3]}},
    ],
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "models": [
        {"id": "red-1", "side": "red", "profile": "Ghoul", "position": [10, 10], "z": 3},
        {"id": "blue-1", "side": "blue", "profile": "Zombie", "position": [20, 20]},
    ],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The house with one value put at a path such as models[0].z."""
    scene = copy.deepcopy(HOUSE)
    put(scene, path, value)
    return scene


def put(document: Any, path: str, value: Any) -> None:
    *way, last = [
        int(part) if part.isdigit() else part
        for part in path.replace("[", ".").replace("]", "").split(".")
    ]
    for part in way:
        document = document[part]
    document[last] = value


def test_a_sound_scene_gives_its_board() -> None:
    found = checked(HOUSE)
    assert found.faults == []
    assert found.notes == []
    assert found.board is not None
    assert {figure.id for figure in found.board.figures} == {"red-1", "blue-1"}
    assert {ground.id for ground in found.board.terrain or []} == {"floor", "ladder"}


def test_checking_leaves_the_scene_as_it_is() -> None:
    scene = changed("models[0].z", 0.5)
    before = copy.deepcopy(scene)
    checked(scene)
    assert scene == before


@pytest.mark.parametrize("name", system_names())
def test_a_blank_table_is_sound_and_says_who_is_missing(name: str) -> None:
    unit = catalogue.system(name).unit
    scene = {
        "format": "tapeline-scene/1",
        "system": name,
        "table": {"width": 60, "depth": 40, "unit": unit},
        "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    }
    found = checked(scene)
    assert found.faults == []
    assert found.notes == [
        "Red has nothing on the table yet",
        "Blue has nothing on the table yet",
    ]


def test_a_host_that_nobody_commands_is_noted() -> None:
    scene = json.loads((ROOT / "examples/warmaster-hill.json").read_text("utf-8"))
    assert checked(scene).notes == []
    scene["models"] = [model for model in scene["models"] if model["id"] != "red-general"]
    assert checked(scene).notes == ["Red host has no character to give orders"]


@pytest.mark.parametrize(
    ("path", "value", "where", "about", "words"),
    [
        ("models[1].position", [23.9, 20], "models[1].position", None, None),
        ("models[1].position", [30, 20], "models[1].position", "blue-1", "not on the table"),
        ("models[0].profile", "Ghul", "models[0].profile", "red-1", "did you mean Ghoul"),
        ("models[1].z", 1, "models[1].z", "blue-1", "nothing to stand on"),
        ("terrain[1].ladder.head", [8, 12, 2], "terrain[1].ladder.head", "ladder", "in the air"),
        (
            "terrain[0].floor.polygon",
            [[8, 8], [16, 15], [16, 8], [8, 16]],
            "terrain[0].floor.polygon",
            "floor",
            "not a simple polygon",
        ),
        ("terrain[0].floor", {"square": 3}, "terrain[0].floor", "floor", "polygon, rectangle"),
        ("system", "chess", "system", None, "chess"),
        ("options", {"nonesuch": "x"}, "options.nonesuch", None, "no such option"),
        ("turn", {"phase": "tea"}, "turn.phase", None, "must be one of"),
    ],
)
def test_a_fault_names_its_place_and_its_entry(
    path: str, value: Any, where: str, about: str | None, words: str | None
) -> None:
    found = checked(changed(path, value))
    if words is None:  # Mordheim lets bases hang over the edge
        assert found.faults == []
        return
    assert found.board is None
    [fault] = [fault for fault in found.faults if fault.path == where]
    assert fault.about == about
    assert words in fault.message


def test_all_faults_at_once_with_those_of_the_sound_part() -> None:
    scene = changed("models[0].profile", "Ghul")
    put(scene, "models[1].facing", "north")
    put(scene, "terrain[1].ladder.foot", [7.5, 12, 1])
    about = {fault.about for fault in checked(scene).faults}
    assert about == {"red-1", "blue-1", "ladder"}


def test_each_fix_of_a_body_in_the_air_ends_the_fault() -> None:
    scene = changed("models[0].z", 1.5)
    [fault] = checked(scene).faults
    assert [(fix.path, fix.value) for fix in fault.fixes] == [
        ("models[0].z", 0.0),
        ("models[0].z", 3.0),
    ]
    assert [fix.label for fix in fault.fixes] == ["Put it on the table", "Put it 3 in up"]
    for fix in fault.fixes:
        mended = copy.deepcopy(scene)
        put(mended, fix.path, fix.value)
        assert checked(mended).faults == []


def test_a_ladder_in_the_air_is_offered_the_floor_above_its_head() -> None:
    scene = changed("terrain[1].ladder.head", [9, 12, 5])
    fault = next(f for f in checked(scene).faults if f.path == "terrain[1].ladder.head")
    assert ("terrain[1].ladder.head[2]", 3.0) in [(fix.path, fix.value) for fix in fault.fixes]
    fix = next(fix for fix in fault.fixes if fix.value == 3.0)
    put(scene, fix.path, fix.value)
    assert checked(scene).faults == []


def test_stairs_in_the_air_are_not_offered_themselves() -> None:
    scene = copy.deepcopy(HOUSE)
    stairs = {"foot": [4, 12, 0], "head": [8, 12, 4], "width": 1}
    scene["terrain"].append({"id": "stairs", "stairs": stairs})
    [fault] = checked(scene).faults
    assert fault.path == "terrain[2].stairs.head"
    assert [fix.value for fix in fault.fixes] == [0.0, 3.0]
    put(scene, fault.fixes[1].path, fault.fixes[1].value)
    assert checked(scene).faults == []


def test_a_floor_that_nobody_can_reach_is_a_fault_of_that_floor() -> None:
    scene = copy.deepcopy(HOUSE)
    del scene["terrain"][1]
    faults = checked(scene).faults
    assert [(fault.path, fault.about) for fault in faults] == [("terrain[0]", "floor")]
    assert "nobody can reach" in faults[0].message


def test_terrain_off_the_table_is_noted_not_refused() -> None:
    scene = copy.deepcopy(HOUSE)
    far = {"circle": {"centre": [40, 5], "radius": 3}}
    near = {"circle": {"centre": [26, 5], "radius": 3}}
    everywhere = {"polygon": [[-5, -5], [30, -5], [30, 30], [-5, 30]]}
    scene["terrain"] += [
        {"id": "far", "kind": "rubble", "name": "Far rubble", "shape": far},
        {"id": "near", "kind": "rubble", "shape": near},
        {"id": "ground", "kind": "open", "shape": everywhere},
    ]
    found = checked(scene)
    assert (found.faults, found.notes) == ([], ["Far rubble lies off the table"])


@pytest.mark.parametrize(
    "scene",
    [
        {},
        {"format": "tapeline-scene/1", "system": "sovl", "terrain": 3, "models": {"a": 1}},
        {"format": "tapeline-scene/1", "system": ["sovl"], "terrain": [1, None, {}]},
        {**HOUSE, "models": [{"id": "red-1", "position": ["x"], "z": 9}]},
        {**HOUSE, "terrain": [{"id": "l", "ladder": {"foot": [1, 1, 5], "head": [1, 1, 9]}}]},
        {**HOUSE, "units": [{"id": ["u"], "members": [[]]}]},
        {**HOUSE, "models": [{**HOUSE["models"][0], "z": "high"}]},
        {**HOUSE, "models": [{**HOUSE["models"][0], "z": "high", "position": [1]}]},
        {**HOUSE, "system": "chess", "models": [{**HOUSE["models"][0], "z": "high"}]},
        {**HOUSE, "sides": [{"id": "red"}, {"id": 3}], "models": [{"z": []}]},
        {**HOUSE, "sides": [{}], "models": [{**HOUSE["models"][0], "z": 1}], "terrain": [7, 8]},
    ],
)
def test_whatever_is_sent_is_told_its_faults(scene: dict[str, Any]) -> None:
    found = checked(scene)
    assert found.faults
    assert found.board is None


def test_every_example_is_sound() -> None:
    folder = examples_folder()
    for one in catalogue.examples(folder):
        found = checked(catalogue.example(folder, one.name))
        assert found.board is not None, one.name
        # The editor shows those in trays where the scene puts them.
        state = load(catalogue.example(folder, one.name)).state
        assert len(found.board.figures) == len(state.bodies) + len([*in_trays(state.gone)])
