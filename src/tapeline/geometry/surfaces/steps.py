"""What a route over levels is: steps on levels and through links and portals; and the
way that a search found, from which it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.network import Network

__all__ = ["FoundWay", "LevelAnswer", "LevelRoute", "Part", "SourceRow", "Step", "Ties", "steps_of"]


#: A straight part of a way: level and leg; or a gate and where it is left.
Part: TypeAlias = tuple[int, Line] | tuple[Gate, complex]


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


class SourceRow(NamedTuple):
    """A point (radius 0, sense 1) or an arc that a way runs round, taken up at an angle."""

    level: int
    x: float
    y: float
    radius: float
    angle: float
    sense: int


class FoundWay(NamedTuple):
    """A way from a source, by number: how far round it, and straight on by parts."""

    source: int
    turned: float
    parts: tuple[Part, ...]


def steps_of(levels: Network, chain: Sequence[tuple[SourceRow, FoundWay]]) -> tuple[Step, ...]:
    """The whole way, from its last source back: to each, round it, and on by parts."""
    steps: list[Step] = []
    legs: list[Leg] = []

    def walked(level: int) -> None:
        if legs:
            path = Path(tuple(legs))
            name = levels.levels[level].id
            steps.append(Step(name, path, path.end, path.length))
            legs.clear()

    for source, (_, sweep, onward) in reversed(chain):
        if source.radius * sweep > 0.0:
            legs.append(Arc(source.x, source.y, source.radius, source.angle, source.sense * sweep))
        for what, then in onward:
            if isinstance(what, int):
                assert isinstance(then, Line)
                if then.length > 0.0:
                    legs.append(then)
                continue
            assert isinstance(then, complex)
            walked(what.start)
            name = levels.levels[what.end].id
            link = what.link
            if steps and steps[-1].link == link.id and steps[-1].cost == link.cost == 0.0:
                steps.pop()  # there and back again on the spot
                continue
            steps.append(
                Step(name, Path(()), (then.real, then.imag), link.cost, link.id, link.kind)
            )
    if legs:
        walked(_ends_on(*chain[0]))
    return tuple(steps)


def _ends_on(source: SourceRow, way: FoundWay) -> int:
    """The level on which a last piece of way ends."""
    for what, _ in reversed(way.parts):
        return what if isinstance(what, int) else what.end
    return source.level
