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


def trench_scene(terrain: list[Any], models: list[Any]) -> dict[str, Any]:
    return {
        "format": "tapeline-scene/1",
        "system": "trench-crusade",
        "table": {"width": 48, "depth": 48, "unit": "in"},
        "terrain": terrain,
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": models,
    }


def test_a_touch_with_rounding_is_no_fault() -> None:
    load(with_model_in_a_block(1.000001e-6))


def test_more_is() -> None:
    with pytest.raises(DocumentError, match="inside 'block'"):
        load(with_model_in_a_block(1.1e-6))


def test_blocks_whose_outlines_cross_themselves_are_faults_beside_a_faulty_model() -> None:
    """Their tops are not joined: what is wrong with them is said, and with the model."""
    ring = [[15.8, 14.3], [16.4, 10.4], [26.3, 70], [25.7, 15.8]]
    block = [[14.5, 23.2], [15.4, 17.3], [25.2, 18.8], [24.4, 24.7]]
    blocks = [
        {"id": "b1", "kind": "block", "shape": {"polygon": block}},
        {"id": "b2", "kind": "block", "shape": {"polygon": ring}},
    ]
    model = {"id": "A", "side": "red", "profile": "Azeb", "position": [20, 20], "z": 2}
    document = trench_scene(blocks, [model, 0.5])
    with pytest.raises(DocumentError) as caught:
        load(document)
    paths = [fault.path for fault in caught.value.faults]
    assert "models[1]" in paths
    assert any(path.startswith("terrain[1]") for path in paths)


@pytest.mark.parametrize(
    ("x", "z", "fault"), [(9.0, 0.0, True), (9.0, 1.0, False), (7.8, 0.0, False)]
)
def test_nobody_stands_in_a_block_that_is_stepped_on(x: float, z: float, fault: bool) -> None:
    """Its top carries whose centre is over it; the rim of a base may be (G-1)."""
    model = {"side": "red", "profile": "Azeb", "z": z}
    shape = {"rectangle": {"centre": [10, 10], "width": 4, "depth": 4}}
    block = {"id": "low", "kind": "block", "shape": shape, "height": 1}
    enemy = {"id": "B", "side": "blue", "profile": "Azeb", "position": [20, 20]}
    document = trench_scene([block], [{"id": "A", "position": [x, 10], **model}, enemy])
    if fault:
        with pytest.raises(DocumentError, match="inside 'low'"):
            load(document)
    else:
        load(document)
