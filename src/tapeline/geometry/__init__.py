"""Shapes and numbers, no rules: distances, sweeps, routes, reach, sight, rectangles.

The names below are loaded when first asked for, so importing this folder costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tapeline.geometry.field import Field
    from tapeline.geometry.goals import CircleGoal, Goal, PointGoal, Route
    from tapeline.geometry.legs import Arc, Leg, Line, Path
    from tapeline.geometry.reach import Outline, Reach
    from tapeline.geometry.shortest import Answer

__all__ = [
    "Answer",
    "Arc",
    "CircleGoal",
    "Field",
    "Goal",
    "Leg",
    "Line",
    "Outline",
    "Path",
    "PointGoal",
    "Reach",
    "Route",
]

_HOME = {
    "Answer": "shortest",
    "Arc": "legs",
    "CircleGoal": "goals",
    "Field": "field",
    "Goal": "goals",
    "Leg": "legs",
    "Line": "legs",
    "Path": "legs",
    "PointGoal": "goals",
    "Outline": "reach",
    "Reach": "reach",
    "Route": "goals",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
