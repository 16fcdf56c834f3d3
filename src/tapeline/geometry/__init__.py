"""Shapes and numbers, no rules: distances, sweeps, routes, reach, sight, rectangles.

The names below are loaded when first asked for, so importing this folder costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tapeline.geometry.discs.field import Field
    from tapeline.geometry.discs.goals import Answer, CircleGoal, Goal, PointGoal, ShortestPath
    from tapeline.geometry.discs.many_goals import Routes
    from tapeline.geometry.discs.reach import DiscReach, Outline
    from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
    from tapeline.geometry.sight.visible_region import Blockers, Views, VisibleRegion

__all__ = [
    "Answer",
    "Arc",
    "Blockers",
    "CircleGoal",
    "DiscReach",
    "Field",
    "Goal",
    "Leg",
    "Line",
    "Outline",
    "Path",
    "PointGoal",
    "Routes",
    "ShortestPath",
    "Views",
    "VisibleRegion",
]

_HOME = {
    "Answer": "discs.goals",
    "Arc": "plane.legs",
    "Blockers": "sight.visible_region",
    "CircleGoal": "discs.goals",
    "Field": "discs.field",
    "Goal": "discs.goals",
    "Leg": "plane.legs",
    "Line": "plane.legs",
    "Path": "plane.legs",
    "PointGoal": "discs.goals",
    "Outline": "discs.reach",
    "DiscReach": "discs.reach",
    "ShortestPath": "discs.goals",
    "Routes": "discs.many_goals",
    "Views": "sight.visible_region",
    "VisibleRegion": "sight.visible_region",
}

#: Names of before that programs may still ask for.
_FORMER = {"Reach": "DiscReach", "Route": "ShortestPath"}


def __getattr__(name: str) -> Any:
    name = _FORMER.get(name, name)
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
