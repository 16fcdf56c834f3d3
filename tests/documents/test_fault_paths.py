"""Faults of bodies name the entry of the document they are about, also where others have left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tapeline.errors import DocumentError
from tapeline.play.battle import load

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("trench-mire", "base_mm", [30, 40]),
        ("mordheim-market", "z", 50.0),
        ("warmaster-dale", "z", 3.0),
    ],
)
def test_models_that_have_left_are_counted_in_the_path(name: str, key: str, value: Any) -> None:
    scene: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text())
    member = {model for unit in scene.get("units", []) for model in unit.get("members", [])}
    free = [k for k, model in enumerate(scene["models"]) if model["id"] not in member]
    gone, odd = free[0], free[1]
    scene["models"][gone]["state"] = {"gone": "casualty"}
    scene["models"][odd][key] = value
    with pytest.raises(DocumentError) as caught:
        load(scene)
    paths = [fault.path for fault in caught.value.faults]
    assert any(path.startswith(f"models[{odd}]") for path in paths), paths
    assert not any(path.startswith(("@", f"models[{odd - 1}].")) for path in paths), paths
