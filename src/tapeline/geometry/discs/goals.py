"""What a route may lead to, and what a search for one gives back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry.plane.legs import Path

__all__ = ["Answer", "CircleGoal", "Goal", "PointGoal", "ShortestPath"]

_TAU = math.tau


@dataclass(frozen=True, slots=True)
class PointGoal:
    """Reach a point."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CircleGoal:
    """Reach a circle, from outside (outward False) or from inside (outward True).

    shut: angular intervals (from, to), radians counter-clockwise, where it may not be reached;
    their ends may.
    """

    x: float
    y: float
    radius: float
    outward: bool = False
    shut: tuple[tuple[float, float], ...] = ()

    def open_at(self, angle: float) -> bool:
        """Whether the circle may be reached at that angle."""
        for begin, end in self.shut:
            t = (angle - begin) % _TAU
            width = end - begin
            if 1e-12 < t < width - 1e-12:
                return False
        return True


Goal: TypeAlias = PointGoal | CircleGoal


@dataclass(frozen=True, slots=True)
class ShortestPath:
    """A shortest path: its length and legs; goal is the index of the goal it reaches.

    ties: other paths of the same length within 1e-9.
    """

    length: float
    path: Path
    goal: int = 0
    ties: tuple[ShortestPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search for a route found.

    route: the shortest, with its ties, or None; then reason says why: "start" (the disc may not
    stand there), "goal" (no place of the goals is free), "limit" (longer than the limit), "cut
    off" (there is no way at all). states, tested: how many states were made and legs tested.
    """

    route: ShortestPath | None
    reason: str = ""
    states: int = 0
    tested: int = 0
