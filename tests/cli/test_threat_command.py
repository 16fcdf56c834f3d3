"""`threat`: whom the enemy can strike, at places and in a picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
EXAMPLES = Path(__file__).parents[2] / "examples"
SQUARE = str(EXAMPLES / "trench-ruined-square.json")
LESSON = str(EXAMPLES / "lessons" / "trench-lesson.json")
MARKET = str(EXAMPLES / "mordheim-market.json")


def test_places_are_told_with_who_strikes_and_how_likely(run: Run) -> None:
    result = run("threat", SQUARE, "b-3", "--on", "r-2", "--at", "20,27", "--at", "2,2")
    assert result.exit_code == 0
    assert "Brother Moss, where it stands" in result.stdout
    assert "at (20, 27): 100 %" in result.stdout
    assert "Cur Three" in result.stdout
    assert "at (2, 2): safe" in result.stdout
    assert "It is activated next" in result.stdout


def test_json_and_picture_have_the_bands(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "threat.svg"
    result = run(
        "threat", LESSON, "crow", "--on", "cedar", "--resolution", "8", "-o", str(picture), "--json"
    )
    document: dict[str, Any] = json.loads(result.stdout)
    assert document["format"] == "tapeline-threat/1"
    assert [target["on"] for target in document["targets"]] == ["cedar"]
    areas = [band["area"] for band in document["bands"]]
    assert areas[0] < areas[2]
    regions = [n for n in ElementTree.parse(picture).iter() if n.get("class") == "region"]
    assert len(regions) == sum(bool(band["rings"]) for band in document["bands"])


def test_nobody_measures_before_charges_are_declared(run: Run) -> None:
    sides = [side["id"] for side in json.loads(Path(MARKET).read_text())["sides"]]
    result = run("threat", MARKET, sides[1])
    assert result.exit_code == 2
    assert "MH-CHG-2" in result.stderr


def test_a_place_needs_somebody_to_stand_there(run: Run) -> None:
    result = run("threat", SQUARE, "blue", "--at", "1,1")
    assert result.exit_code == 2
    assert "--on" in result.stderr
