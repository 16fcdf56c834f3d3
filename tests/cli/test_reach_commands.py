"""`reach`, `route` and `warmup`: what they print and draw, their exit codes, plain errors."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tapeline.geometry import backends

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
HALL = str(ROOT / "docs" / "pictures" / "town-hall.json")
SQUARE = str(ROOT / "examples" / "trench-ruined-square.json")


def classes(path: Path) -> list[str]:
    return [node.get("class", "") for node in ElementTree.parse(path).iter()]


def test_reach_tells_places_and_their_ways(run: Run) -> None:
    result = run("reach", HALL, "r-3", "--to", "28.8,22.6", "--to", "23.1,28.6")
    assert result.exit_code == 0
    assert "r-3: move up to 6 in" in result.stdout
    assert "(28.8, 22.6): in reach, 5.76 in long, costs 5.76" in result.stdout
    assert "round (27.2, 22.5)" in result.stdout
    assert "not now" not in result.stdout


def test_reach_of_a_place_too_far_exits_1(run: Run) -> None:
    result = run("reach", HALL, "r-3", "--to", "25,29.2")
    assert result.exit_code == 1
    assert "(25, 29.2): out of reach" in result.stdout


def test_reach_as_json_gives_a_path_that_judges_legal(run: Run) -> None:
    result = run("reach", HALL, "r-3", "--to", "22.2,21.1", "--json")
    document: dict[str, Any] = json.loads(result.stdout)
    assert document["format"] == "tapeline-reach/1"
    (place,) = document["places"]
    way = place["way"]
    assert place["reachable"]
    assert way["length"] < way["cost"] <= way["lower"] + 0.0011
    action = json.dumps({"kind": "move", "actor": "r-3", "path": way["path"]})
    judged = run("judge", HALL, "-a", action)
    assert judged.exit_code == 0
    assert "LEGAL" in judged.stdout


def test_reach_says_why_it_is_not_now(run: Run) -> None:
    result = run("reach", SQUARE, "r-5", "--json")
    document = json.loads(result.stdout)
    assert [finding["clause"] for finding in document["findings"]] == ["TC-ACT-1", "TC-ACT-10"]
    (band,) = document["bands"]
    assert band["cost"] == 6.0
    assert band["resolution"] is None
    assert 90.0 < band["area"] < 95.0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_reach_draws_bands_zones_and_ways(run: Run, tmp_path: Path, theme: str) -> None:
    words = ("reach", SQUARE, "r-5", "--to", "33.5,16.5", "-o", "reach.svg", "--theme", theme)
    result = run(*words)
    assert result.exit_code == 0
    found = classes(tmp_path / "reach.svg")
    assert found.count("band") == 3
    assert found.count("outline") == 3
    assert found.count("band-label") == 3
    assert "zone" in found
    assert found.count("way-end") == 1
    text = (tmp_path / "reach.svg").read_text()
    assert ">move 6 in<" in text
    assert "within 0.001 in of the true border" in text


def test_bases_at_the_border_of_what_is_shown_reach_over_nothing_else(
    run: Run, tmp_path: Path
) -> None:
    """A part of the table is shown: they are cut off there."""
    run("reach", HALL, "r-3", "-o", "part.svg")
    run("draw", HALL, "-o", "whole.svg")
    layers = [
        {item.get("class"): item for item in ElementTree.parse(tmp_path / name).iter()}["bodies"]
        for name in ("part.svg", "whole.svg")
    ]
    assert [layer.get("clip-path") is not None for layer in layers] == [True, False]


def test_what_a_single_storey_is_stands_below_the_title(run: Run, tmp_path: Path) -> None:
    scene = str(ROOT / "examples" / "trench-storeys.json")
    run("reach", scene, "r-ox", "-o", "part.svg")
    lines = {
        item.text: float(item.get("y", "0"))
        for item in ElementTree.parse(tmp_path / "part.svg").iter()
        if item.text and item.get("y")
    }
    captions = [y for text, y in lines.items() if text.startswith("On the table, below ")]
    titles = [y for text, y in lines.items() if text.startswith("Trench Crusade")]
    assert len(captions) == len(titles) == 1
    assert captions[0] > titles[0] + 14.0


def test_route_leads_to_a_place_and_to_the_edge_of_a_zone(run: Run, tmp_path: Path) -> None:
    result = run("route", SQUARE, "r-3", "--to", "b-3", "-o", "way.svg")
    assert result.exit_code == 0
    assert "13.69 in long" in result.stdout
    assert "at least 3 moves of 6" in result.stdout
    assert "way moved" in classes(tmp_path / "way.svg")
    result = run("route", SQUARE, "r-3", "--to", "22.5,20.6", "--json")
    document = json.loads(result.stdout)
    assert document["format"] == "tapeline-route/1"
    assert document["way"]["cost"] > 3.9


def test_route_without_a_way_exits_1(run: Run) -> None:
    result = run("route", SQUARE, "r-3", "--to", "24,19.5")
    assert result.exit_code == 1
    assert "no way of r-3 leads to 24,19.5" in result.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("reach", HALL, "nobody"), "nobody"),
        (("reach", HALL, "r-3", "--kind", "fly"), "must be one of move, dash, retreat"),
        (("reach", HALL, "r-3", "--to", "here"), "must be a place x,y"),
        (("reach", HALL, "r-3", "--to", "1.2.3,4"), "must be a place x,y"),
        (("reach", HALL, "r-3", "--to", "1e9,4"), "must be a place x,y"),
        (("reach", HALL, "r-3", "-o", "reach.gif"), "pictures are .svg or .png"),
        (("reach", HALL, "r-3", "-o", f"{HALL}/reach.svg"), "reach.svg: Not a directory"),
        (("opponent", HALL, "-o", "."), ".: Is a directory"),
        (("survey", HALL, "--report", f"{HALL}/of/it.html"), "it.html: Not a directory"),
        (("route", HALL, "r-3", "--to", "nobody"), "nobody"),
        (("reach", str(ROOT / "examples" / "sovl-ford.json"), "A1"), "advance and pivot"),
    ],
)
def test_errors_are_plain(run: Run, words: tuple[str, ...], told: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_warmup_without_numba_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapeline.cli.warmup.find_spec", lambda name: None)
    result = run("warmup")
    assert result.exit_code == 2
    assert "pip install 'tapeline[fast]'" in result.stderr


def test_warmup_tells_folder_and_kernels(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    told: list[int] = []

    def fake(progress: Callable[[int, int], None]) -> Path:
        told.append(3)
        progress(3, 3)
        return backends.cache_folder()

    monkeypatch.setattr(backends, "warmup", fake)
    document = json.loads(run("warmup", "--json").stdout)
    assert told == [3]
    assert document["format"] == "tapeline-warmup/1"
    assert document["kernels"] == 3
    assert document["folder"] == str(backends.cache_folder())


def test_reach_of_who_stands_high_on_stairs_is_of_the_stairs(run: Run, tmp_path: Path) -> None:
    """The stairs count to the storey of their foot, the model on them to the one it has come to."""
    scene = json.loads((ROOT / "examples" / "mordheim-market.json").read_text())
    model = scene["models"][0]
    foe = next(other for other in scene["models"] if other["side"] != model["side"])
    model |= {"position": [13.5, 20], "z": 3.5}
    foe |= {"position": [35, 35], "z": 0}
    for one in (model, foe):
        one.pop("state", None)
    floor = {"polygon": [[14, 10], [20, 10], [20, 30], [14, 30]]}
    scene["terrain"] = [
        {"id": "up", "stairs": {"foot": [10, 20, 0], "head": [14, 20, 4], "width": 3}},
        {"id": "top", "floor": floor, "z": 4},
        {"id": "low", "floor": {"polygon": [[30, 10], [36, 10], [36, 16], [30, 16]]}, "z": 2},
        {"id": "lower", "ladder": {"foot": [30, 13, 0], "head": [30, 13, 2]}},
    ]
    scene["models"] = [model, foe]
    progress = {"step": "remaining"}
    scene["turn"] = {"phase": "movement", "active": model["side"], "progress": progress}
    path = tmp_path / "stairs.json"
    path.write_text(json.dumps(scene))
    result = run("reach", str(path), model["id"], "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    (band,) = document["bands"]
    xs = [x for ring in band["rings"] for x, _ in ring]
    assert max(xs) <= 14.0 + 1e-6
    assert [floor["from"] for floor in document["floors"]] == [2.0, 4.0]


def test_no_leg_too_short_to_measure_is_told(run: Run) -> None:
    result = run("reach", HALL, "r-3", "--to", "22.2,21.1")
    legs = [line.split() for line in result.output.splitlines() if line.startswith("    ")]
    assert [leg[0] for leg in legs] == ["1", "2", "3"]
    assert all(float(leg[1]) > 0.1 for leg in legs)
