"""What a route over levels is: steps on levels and through links and portals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tapeline.geometry.plane.legs import Path

__all__ = ["LevelAnswer", "LevelRoute", "Step", "Ties"]


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


class Ties(Sequence["LevelRoute"]):
    """Routes as cheap as another, made out when they are looked at."""

    def __init__(self, work: Callable[[], Iterable[LevelRoute]]) -> None:
        self._work: Callable[[], Iterable[LevelRoute]] | None = work
        self._routes: tuple[LevelRoute, ...] = ()

    def _all(self) -> tuple[LevelRoute, ...]:
        if self._work is not None:
            self._routes, self._work = tuple(self._work()), None
        return self._routes

    def __getitem__(self, number: Any) -> Any:
        return self._all()[number]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())


@dataclass(frozen=True, slots=True)
class LevelRoute:
    """A cheapest route: its steps in order and what they add up to. goal: index of the goal.

    ties: other routes of the same cost within 1e-9, as far as the search met them.
    """

    cost: float
    steps: tuple[Step, ...]
    goal: int = 0
    ties: Sequence[LevelRoute] = ()

    @property
    def length(self) -> float:
        """Length walked on levels, without what links charge."""
        return sum(step.path.length for step in self.steps)

    @property
    def links(self) -> tuple[str, ...]:
        """Ids of the links and portals taken, in order."""
        return tuple(step.link for step in self.steps if step.link)

    def runs_beside(self, other: LevelRoute, near: float) -> bool:
        """Whether another route, as far as told by places along them, is nowhere farther off."""
        mine, its = self._places(), other._places()
        return len(mine) == len(its) and all(
            math.dist(p, q) < near for p, q in zip(mine, its, strict=True)
        )

    def _places(self) -> list[tuple[float, float]]:
        paths = (step.path for step in self.steps if step.path.legs)
        return [path.at(path.length * k / 4.0) for path in paths for k in range(1, 5)]


@dataclass(frozen=True, slots=True)
class LevelAnswer:
    """What a search over levels found; reason as in `shortest.Answer`. states: sources taken up."""

    route: LevelRoute | None
    reason: str = ""
    states: int = 0
