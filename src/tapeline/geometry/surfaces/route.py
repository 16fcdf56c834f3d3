"""A way that the search over levels found: its parts on each level, and its steps in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.steps import Step

__all__ = ["FoundWay", "Part", "SourceRow", "steps_of"]

#: A straight part of a way: level and leg; or a gate and where it is left.
Part: TypeAlias = tuple[int, Line] | tuple[Gate, complex]


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
