"""Scenes for tests of the engine, in the systems of the suite."""

from __future__ import annotations

import math
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


def regiment(
    unit_id: str, side: str, x: float, y: float, facing: float = 0.0, stands: int = 3
) -> list[dict[str, Any]]:
    """The stands of a line, 4 cm wide each, from the left; x, y: the first."""
    angle = math.radians(facing - 90.0)
    return [
        {
            "id": f"{unit_id}.{index + 1}",
            "side": side,
            "profile": "bows",
            "position": [x + 4.0 * index * math.cos(angle), y + 4.0 * index * math.sin(angle)],
            "facing": facing,
        }
        for index in range(stands)
    ]


def blocks_scene(*regiments: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A table of 80 x 60 cm with a rock; by default two regiments a side that face each other."""
    if not regiments:
        regiments = (
            regiment("A", "red", 10, 30),
            regiment("B", "red", 10, 12),
            regiment("C", "blue", 40, 26, 180),
            regiment("D", "blue", 70, 42, 180),
        )
    rock = {"id": "R", "kind": "rock", "shape": {"circle": {"centre": [24, 40], "radius": 4}}}
    return {
        "format": "tapeline-scene/1",
        "system": "blocks",
        "name": "four regiments",
        "table": {"width": 80, "depth": 60, "unit": "cm"},
        "terrain": [rock],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": [stand for stands in regiments for stand in stands],
        "units": [
            {
                "id": stands[0]["id"].split(".")[0],
                "side": stands[0]["side"],
                "members": [stand["id"] for stand in stands],
            }
            for stands in regiments
        ],
        **more,
    }
