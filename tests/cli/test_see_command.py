"""`see`: who sees whom, and the region seen."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
FORD = str(Path(__file__).parents[2] / "examples" / "sovl-ford.json")


def test_a_side_looks_at_one_who_stood_elsewhere(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "seen.svg"
    result = run("see", FORD, "west", "--on", "E7", "--at", "24,24", "-o", str(picture), "--json")
    document: dict[str, Any] = json.loads(result.stdout)
    assert document["format"] == "tapeline-sight/1"
    assert document["at"] == [24.0, 24.0]
    assert {True, False} >= {seen["sees"] for seen in document["seen"]}
    assert len(document["seen"]) == len(document["views"]) > 1
    regions = [n for n in ElementTree.parse(picture).iter() if n.get("class") == "region"]
    assert regions


def test_who_is_in_the_way_is_named(run: Run) -> None:
    result = run("see", FORD, "W6")
    assert result.exit_code == 0
    assert "W6 > E7: Bowmen of Alder cannot see Redcap pickets" in result.stdout
    assert "mill" in result.stdout
    assert run("see", FORD, "W6", "--at", "1,1").exit_code == 2
