"""What a move may leave behind, a scene may hold: the tolerance, and rounding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tapeline.errors import DocumentError
from tapeline.play.battle import load

EXAMPLES = Path(__file__).parents[2] / "examples"


def with_model_in_a_block(depth: float) -> dict[str, Any]:
    """A Mordheim table with one model so deep in the west face of a block at x = 20."""
    scene: dict[str, Any] = json.loads((EXAMPLES / "mordheim-market.json").read_text())
    kept = [
        scene["models"][0],
        next(m for m in scene["models"] if m["side"] != scene["models"][0]["side"]),
    ]
    for model in kept:
        model.pop("z", None)
        model.pop("state", None)
    corners = [[20, 10], [24, 10], [24, 14], [20, 14]]
    block = {"id": "block", "kind": "block", "shape": {"polygon": corners}, "height": 3.0}
    scene["terrain"], scene["models"] = [block], kept
    radius = load(dict(scene, terrain=[])).state.bodies[kept[0]["id"]].base.reach
    kept[0]["position"] = [20.0 - radius + depth, 12.0]
    kept[1]["position"] = [35.0, 35.0]
    return scene


def test_a_touch_with_rounding_is_no_fault() -> None:
    load(with_model_in_a_block(1.000001e-6))


def test_more_is() -> None:
    with pytest.raises(DocumentError, match="inside 'block'"):
        load(with_model_in_a_block(1.1e-6))
