"""Scenes for tests of the engine, in the toy system."""

from __future__ import annotations

from typing import Any


def disc(disc_id: str, side: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"id": disc_id, "side": side, "profile": "disc", "position": [x, y], **more}


def toy_scene(*models: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A 24 x 24 table with a bog; by default two discs a side and a flyer."""
    if not models:
        models = (
            disc("R1", "red", 5, 5),
            disc("R2", "red", 5, 9, profile="flyer", facing=90),
            disc("B1", "blue", 8, 5, facing=180),
            disc("B2", "blue", 1.5, 20, state={"shoved": 1}),
        )
    return {
        "format": "tapeline-scene/1",
        "system": "toy",
        "name": "four discs",
        "table": {"width": 24, "depth": 24, "unit": "in"},
        "terrain": [
            {"id": "T1", "kind": "bog", "shape": {"circle": {"centre": [16, 5], "radius": 2}}},
            {
                "id": "T2",
                "kind": "wall",
                "shape": {"rectangle": {"centre": [12, 18], "width": 4, "depth": 1, "facing": 30}},
                "traits": ["slippery"],
            },
        ],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": list(models),
        "units": [{"id": "U1", "side": "blue", "members": ["B1", "B2"]}]
        if {"B1", "B2"} <= {m["id"] for m in models}
        else [],
        **more,
    }
