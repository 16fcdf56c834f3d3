"""What a route over levels is: steps on levels and through links and portals."""

from __future__ import annotations

from dataclasses import dataclass

from tapeline.geometry.plane.legs import Path

__all__ = ["LevelAnswer", "LevelRoute", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a route: a path walked on a level, or a link or portal taken to it.

    link: its id, or "" for a path. level: walked on, or arrived at. path: legs in the level's own
    plane. at: the place where the step ends, in that plane. cost: length walked, or charged.
    """

    level: str
    path: Path
    at: tuple[float, float]
    cost: float
    link: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LevelRoute:
    """A cheapest route: its steps in order and what they add up to. goal: index of the goal.

    ties: other routes of the same cost within 1e-9, as far as the search met them.
    """

    cost: float
    steps: tuple[Step, ...]
    goal: int = 0
    ties: tuple[LevelRoute, ...] = ()

    @property
    def length(self) -> float:
        """Length walked on levels, without what links charge."""
        return sum(step.path.length for step in self.steps)

    @property
    def links(self) -> tuple[str, ...]:
        """Ids of the links and portals taken, in order."""
        return tuple(step.link for step in self.steps if step.link)


@dataclass(frozen=True, slots=True)
class LevelAnswer:
    """What a search over levels found; reason as in `shortest.Answer`. states: sources taken up."""

    route: LevelRoute | None
    reason: str = ""
    states: int = 0
