"""Zones: kept, told, drawn, and without effect on any ruling."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tapeline as tl
from support.scenarios import EXAMPLES
from tapeline.cli.app import app
from tapeline.errors import DocumentError
from tapeline.picture.page import draw
from tapeline.play.battle import load, zone_notes
from tapeline.web.views.board import board_of
from tapeline.web.views.scene_check import checked

SOUTH: dict[str, Any] = {
    "id": "south",
    "name": "South edge",
    "side": "red",
    "shape": {"polygon": [[0, 0], [48, 0], [48, 12], [0, 12]]},
}
WELL: dict[str, Any] = {"id": "well", "shape": {"circle": {"centre": [24, 24], "radius": 3}}}
SCENE: dict[str, Any] = {
    "format": "tapeline-scene/1",
    "system": "trench-crusade",
    "table": {"width": 48, "depth": 48, "unit": "in"},
    "terrain": [
        {
            "id": "wall",
            "kind": "ruin",
            "shape": {"rectangle": {"centre": [24, 20], "width": 8, "depth": 1}},
        }
    ],
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "models": [
        {"id": "r1", "side": "red", "profile": "Azeb", "position": [20, 8]},
        {"id": "b1", "side": "blue", "profile": "Heretic Trooper", "position": [28, 30]},
    ],
    "zones": [SOUTH, WELL],
    "turn": {"round": 1, "active": "red"},
}
#: The radius of a base of 25 mm, in.
RADIUS = 12.5 / 25.4


def scene(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SCENE), **changes}


def zones(*found: dict[str, Any]) -> dict[str, Any]:
    return scene(zones=[*found])


def placed(x: float, y: float, *found: dict[str, Any]) -> list[str]:
    document = zones(*found) if found else scene()
    document["models"][0] |= {"position": [x, y], "base": {"round_mm": 25}}
    return [*zone_notes(load(document).state)]


def test_zones_are_kept_as_they_are() -> None:
    battle = load(scene())
    south, well = battle.state.table.zones
    assert (south.id, south.name, south.side) == ("south", "South edge", "red")
    assert (well.name, well.side) == ("well", "")
    again = load(battle.scene())
    assert again.state == battle.state
    assert again.scene() == battle.scene()
    assert battle.scene()["zones"][0] == SOUTH
    bare = load(zones())
    assert "zones" not in bare.scene()


def test_no_ruling_depends_on_them() -> None:
    """The hash of a state is over all that a ruling may depend on."""
    with_them, bare = load(scene()), load(zones())
    assert with_them.hash == bare.hash
    with_them, _ = with_them.play(tl.Activate("r1"))
    bare, _ = bare.play(tl.Activate("r1"))
    over = tl.Move("r1", path=[{"to": [20, 13.9]}])
    assert with_them.judge(over) == bare.judge(over)
    assert with_them.judge(over).legal, "out of the zone of its side"


@pytest.mark.parametrize(
    ("bad", "path", "says"),
    [
        (
            {**SOUTH, "shape": {"polygon": [[0, 0], [10, 10], [10, 0], [0, 9]]}},
            "zones[0].shape.polygon",
            "not a simple polygon",
        ),
        (
            {**SOUTH, "shape": {"polygon": [[0, 0], [5, 0], [9, 0]]}},
            "zones[0].shape.polygon",
            "no area",
        ),
        (
            {**SOUTH, "shape": {"polygon": [[0, 0], [math.nan, 0], [9, 9]]}},
            "zones[0].shape.polygon[1][0]",
            "finite",
        ),
        ({**SOUTH, "side": "green"}, "zones[0].side", "no side 'green'; sides are red, blue"),
        (
            {**SOUTH, "shape": {"polygon": [[0, 0], [48.5, 0], [48.5, 9], [0, 9]]}},
            "zones[0].shape",
            "must lie on the table, 48 x 48",
        ),
        (
            {**WELL, "shape": {"circle": {"centre": [2, 24], "radius": 3}}},
            "zones[0].shape",
            "must lie on the table",
        ),
        (
            {**WELL, "shape": {"rectangle": {"centre": [47, 24], "width": 2, "depth": 3}}},
            "zones[0].shape",
            "must lie on the table",
        ),
        ({**SOUTH, "id": "r1"}, "zones[0].id", "already the id at models[0].id"),
        ({**SOUTH, "id": "a b"}, "zones[0].id", "must be an id"),
        ({**SOUTH, "shape": {"blob": 1}}, "zones[0].shape", "one of the keys polygon"),
        ({"id": "south"}, "zones[0].shape", "is missing"),
        ({**SOUTH, "traits": []}, "zones[0].traits", "is not a known key"),
    ],
)  # fmt: skip
def test_a_faulty_zone_is_named(bad: dict[str, Any], path: str, says: str) -> None:
    with pytest.raises(DocumentError) as error:
        load(zones(bad))
    assert [fault.path for fault in error.value.faults] == [path]
    assert says in error.value.faults[0].message
    told = checked(zones(bad))
    assert told.faults[0].path == path
    assert told.faults[0].about == bad["id"]


def test_two_zones_of_one_id_and_faults_elsewhere_keep_their_numbers() -> None:
    bad = {**SOUTH, "side": "green", "id": "other"}
    with pytest.raises(DocumentError) as error:
        load(zones({**SOUTH, "name": 3}, SOUTH, SOUTH, bad))
    assert [fault.path for fault in error.value.faults] == [
        "zones[0].name",
        "zones[2].id",
        "zones[3].side",
    ]


def test_a_zone_of_a_side_that_is_faulty_itself_is_not_blamed() -> None:
    document = scene(sides=[{"id": "red", "name": 1}, {"id": "blue"}, {"id": "green"}])
    with pytest.raises(DocumentError) as error:
        load(document)
    assert [fault.path for fault in error.value.faults] == ["sides[0].name"]


@pytest.mark.parametrize(
    ("y", "within"),
    [(8, True), (12 - RADIUS, True), (12 - RADIUS + 1e-4, False), (12, False), (20, False)],
)
def test_the_whole_base_must_be_within(y: float, within: bool) -> None:
    told = placed(10, y)
    assert told == ([] if within else ["r1 stands outside South edge, where Red sets up"])


def test_a_circle_is_as_wide_as_it_says() -> None:
    well = {**WELL, "side": "red", "name": "Well"}
    assert placed(24 + 3 - RADIUS, 24, well) == []
    assert placed(24 + 3 - RADIUS + 0.01, 24, well) == ["r1 stands outside Well, where Red sets up"]


def test_zones_of_one_side_count_together_and_others_not() -> None:
    west = {**SOUTH, "shape": {"polygon": [[0, 0], [20, 0], [20, 12], [0, 12]]}}
    corners = [[20, 0], [48, 0], [48, 9], [20, 9]]
    east = {**SOUTH, "id": "east", "name": "East", "shape": {"polygon": corners}}
    assert placed(20, 8, west, east) == []
    assert placed(20, 9, west, east) == ["r1 stands outside South edge and East, where Red sets up"]
    blues = placed(20, 8, {**SOUTH, "side": "blue"})
    assert blues == ["b1 stands outside South edge, where Blue sets up"]
    assert placed(20, 30, WELL) == [], "a zone of nobody binds nobody"


def test_a_rectangle_is_looked_at_as_it_stands() -> None:
    document = scene(system="sovl", terrain=[], models=[], zones=[SOUTH])
    document["table"] = {"width": 60, "depth": 40, "unit": "in"}
    unit = {
        "id": "A1", "side": "red", "models": 10, "files": 5,
        "profile": next(iter(load(EXAMPLES / "sovl-ford.json").system.profiles)),
        "position": [20, 11], "facing": 0, "base": {"rectangle": [6, 1.5]},
    }  # fmt: skip
    document |= {"units": [unit], "turn": {}}
    # Facing along x it is 6 deep along y; facing along y it is 1.5.
    assert len([*zone_notes(load(document).state)]) == 1
    document["units"] = [{**unit, "facing": 90}]
    assert [*zone_notes(load(document).state)] == []


def test_check_tells_it_and_can_be_used_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    document = scene()
    document["models"][0]["position"] = [20, 16]
    path.write_text(json.dumps(document))
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 0
    assert "note: r1 stands outside South edge, where Red sets up" in result.output
    report = json.loads(CliRunner().invoke(app, ["check", str(path), "--json"]).output)
    assert report["files"][0]["notes"] == ["r1 stands outside South edge, where Red sets up"]
    assert "r1 stands outside South edge, where Red sets up" in checked(document).notes


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_zones_are_drawn_with_pattern_and_name_under_the_terrain(theme: str) -> None:
    battle = load(scene())
    svg = draw(battle.state, battle.system, theme=theme)
    for index, zone in enumerate(battle.state.table.zones):
        at = svg.index(f'data-zone="{zone.id}"')
        assert at < svg.index('data-piece="wall"')
        assert f'fill="url(#zone-{index})"' in svg
        assert f'data-label="{zone.id}"' in svg
        assert f">{zone.name}</text>" in svg
    leans = {part.split(")")[0] for part in svg.split('patternTransform="rotate(')[1:]}
    assert len(leans) == 2, "told apart without colour too"
    assert "data-zone" not in draw(load(zones()).state, battle.system, theme=theme)


def test_the_board_of_the_page_has_them_always() -> None:
    battle = load(scene())
    for terrain in (True, False):
        south, well = board_of(battle, terrain=terrain).zones
        assert (south.id, south.side, south.label) == ("south", "red", "South edge")
        assert south.shape.corners == [(0, 0), (48, 0), (48, 12), (0, 12)]
        assert south.says == "South edge, a zone, where Red sets up, between 0, 0 and 48, 12"
        assert (well.side, well.shape.circle) == (None, (24, 24, 3))
        assert well.says == "well, a zone, between 21, 21 and 27, 27"


def test_an_example_has_them_and_everybody_stands_where_they_should() -> None:
    battle = load(EXAMPLES / "trench-two-lines.json")
    assert {zone.side for zone in battle.state.table.zones} == {"red", "blue", ""}
    assert [*zone_notes(battle.state)] == []
