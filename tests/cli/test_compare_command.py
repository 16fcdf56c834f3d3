"""`compare`: one position under the values of a reading, in words, as JSON and as a picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import tapeline as tl
from tapeline.engine.events import Moved, TurnChanged

Run = Callable[..., Result]
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def by_the_edge(tmp_path: Path) -> str:
    """A scene in which r-2 stands an inch from the edge of the table."""
    battle = tl.load(EXAMPLES / "trench-ruined-square.json")
    moved = battle.override([TurnChanged(active="red"), Moved("r-2", 20.0, 1.0, 0.0, 0.0, ())])
    path = tmp_path / "edge.json"
    path.write_text(json.dumps(moved.play(tl.Activate("r-2"))[0].scene()))
    return str(path)


def test_verdict_and_reach_differ_by_the_reading(
    run: Run, by_the_edge: str, tmp_path: Path
) -> None:
    picture = tmp_path / "both.svg"
    asked = ["edge_overhang", "-a", "move r-2 path=20,0.4", "--reach", "r-2", "-o", str(picture)]
    result = run("compare", by_the_edge, *asked, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["differences"] == ["The verdicts differ.", "The areas in reach differ."]
    whole, half = document["readings"]
    assert (whole["value"], half["value"]) == ("none", "under_half")
    assert (whole["verdict"]["kind"], half["verdict"]["kind"]) == ("ILLEGAL", "LEGAL")
    assert half["reach"]["area"] > whole["reach"]["area"] + 0.5
    ids = [node.get("id") for node in ElementTree.parse(picture).iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    text = picture.read_text()
    assert "edge_overhang = none: ILLEGAL" in text
    assert "edge_overhang = under_half: LEGAL" in text


def test_threat_is_told_under_each_value(run: Run) -> None:
    scene = str(EXAMPLES / "sovl-ford.json")
    result = run("compare", scene, "contact.graze", "--threat", "E4", "--on", "W1")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("W1 is struck") == 2
    assert "The danger where it stands is the same." in result.stdout


def test_what_is_not_there_is_named(run: Run, by_the_edge: str) -> None:
    assert run("compare", by_the_edge, "edge_overhang").exit_code == 2
    unknown = run("compare", by_the_edge, "nothing", "--reach", "r-2")
    assert "options are edge_overhang" in unknown.stderr
    value = run("compare", by_the_edge, "edge_overhang", "--value", "some", "--reach", "r-2")
    assert "must be one of none, under_half" in value.stderr
