"""What a search over levels answers: the cheapest route, and everywhere within an allowance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK, WORK
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.scratch import listed
from tapeline.geometry.discs.tangent_graph import TIE, TURN
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.steps import FoundWay, LevelAnswer, LevelRoute, Ties
from tapeline.geometry.surfaces.window_search import Search

__all__ = ["LevelReach", "reach", "route"]

_TAU = math.tau
#: Length: routes over the same links that are no farther from each other are one.
_SAME = 1e-6


def route(
    levels: Network,
    start: Place,
    goals: Sequence[tuple[str, Goal]],
    r: float,
    *,
    forbid: Iterable[str] = (),
    limit: float = math.inf,
    zones: Mapping[str, Sequence[Circle]] | None = None,
    slack: float = SLACK,
    work: int = WORK,
    strict: bool = True,
) -> LevelAnswer:
    """The cheapest route of a disc of radius r from a place to the nearest of goals on levels.

    Cost: length walked on the levels, in their own planes, and what links charge. forbid: kinds of
    links that may not be used. limit: dearer routes are not looked for. zones: by level, discs that
    the centre keeps out of, in the level's own plane. work: legs made before WorkLimitError.
    strict: raise ShapeError for a link at whose ends a disc of this radius can never stand (bodies
    apart); else such a link is closed. Error <= 1e-9 a leg while |coordinate| <= 200.
    Raises ShapeError for numbers that will not do and levels that are not there.
    """
    if math.isnan(limit):
        raise ShapeError("the limit is not a number")
    search = Search(levels, start, r, forbid, limit, zones, slack, work, strict, ties=True)
    able, there = search.aim(goals)
    if not search.queries[search.first].standable(*search.start):
        return LevelAnswer(None, "start")
    if there is not None:
        return LevelAnswer(LevelRoute(0.0, (), there))
    if not able:
        return LevelAnswer(None, "goal")
    cut = search.run()
    count = search.states
    ways = search.found
    if not ways:
        return LevelAnswer(None, "limit" if cut else "cut off", count)
    most = min(ways)[0] + TIE
    cost, goal, leg = min(ways, key=lambda way: way[:2])
    found = LevelRoute(cost, search.steps(search.way_by(leg)), goal)
    near = [way for way in ways if way[0] <= most]
    if len(near) > 1:
        found = replace(found, ties=Ties(lambda: _ties(search, found, near)))
    return LevelAnswer(found, "", count)


def _ties(
    search: Search, cheapest: LevelRoute, ways: Iterable[tuple[float, int, int]]
) -> list[LevelRoute]:
    """The other ways, the cheapest of them first; of those that are the same one."""
    kept: list[LevelRoute] = []
    for cost, goal, leg in sorted(ways, key=lambda way: way[:2]):
        found = LevelRoute(cost, search.steps(search.way_by(leg)), goal) if kept else cheapest
        if not any(
            found.links == other.links and found.runs_beside(other, _SAME) for other in kept
        ):
            kept.append(found)
    return kept[1:]


class LevelReach:
    """Everywhere a disc can get to over levels within an allowance. Made by `Levels.reach`."""

    def __init__(
        self, search: Search, allowance: float, no_end: Mapping[str, Sequence[Circle]] | None = None
    ) -> None:
        self._search = search
        self.allowance = allowance
        self._ends = {search.levels.number(name): tuple(v) for name, v in (no_end or {}).items()}
        self._packed: dict[int, tuple[Any, list[int], Any]] = {}

    def _pack(self, at: int) -> tuple[Any, list[int], Any]:
        found = self._packed.get(at)
        if found is None:
            search = self._search
            flat: list[float] = []
            numbers = search.images(at)
            for number in numbers:
                image = search.image(number)
                sense = float(image.sense) if image.radius > 0.0 else 0.0
                flat += (image.x, image.y, image.radius, sense, image.angle)
                flat += (search.ahead(number), image.cost)
            compiled = search.compiled
            found = (
                backends.floats(flat, compiled),
                numbers,
                backends.blank(len(numbers), compiled),
            )
            self._packed[at] = found
        return found

    def _best(self, place: Place) -> tuple[float, FoundWay] | None:
        search = self._search
        at = search.levels.number(place[0])
        if not (math.isfinite(place[1]) and math.isfinite(place[2])):
            raise ShapeError("a place needs finite coordinates")
        x, y = search.levels.levels[at].own(place[1], place[2])
        rows, numbers, out = self._pack(at)
        if not numbers or not search.queries[at].standable(x, y):
            return None
        search.kernels.arrivals(x, y, rows, out)
        costs = listed(out)
        order = sorted(i for i, cost in enumerate(costs) if cost <= self.allowance + TIE)
        for i in sorted(order, key=costs.__getitem__):
            image = search.image(numbers[i])
            px, py, turned = image.x, image.y, 0.0
            if image.radius > 0.0:
                d = math.hypot(x - px, y - py)
                leave = math.atan2(y - py, x - px)
                leave -= image.sense * math.acos(min(1.0, image.radius / d))
                turned = (image.sense * (leave - image.angle)) % _TAU
                if turned > _TAU - TURN:
                    turned = 0.0
                px += image.radius * math.cos(leave)
                py += image.radius * math.sin(leave)
            ends = (px, py, float(x), float(y))
            if search.leads(numbers[i], ends):
                return costs[i], search.way(numbers[i], turned, ends)
        return None

    def cost(self, place: Place) -> float:
        """Cost of the cheapest way to a place; infinity if it is not within the allowance."""
        found = self._best(place)
        return math.inf if found is None else found[0]

    def contains(self, place: Place) -> bool:
        """Whether the disc can get to a place and may end there."""
        if self._ends and all(map(math.isfinite, place[1:])):
            at = self._search.levels.number(place[0])
            x, y = self._search.levels.levels[at].own(place[1], place[2])
            slack = self._search.slack
            for ex, ey, radius in self._ends.get(at, ()):
                if math.hypot(x - ex, y - ey) < radius - slack:
                    return False
        return self._best(place) is not None

    def route(self, place: Place) -> LevelRoute | None:
        """A cheapest way to a place, None if it is not within the allowance."""
        found = self._best(place)
        if found is None:
            return None
        return LevelRoute(found[0], self._search.steps(found[1]))

    @property
    def levels(self) -> tuple[str, ...]:
        """Ids of the levels that are reached."""
        search = self._search
        return tuple(level.id for i, level in enumerate(search.levels.levels) if search.images(i))


def reach(
    levels: Network,
    start: Place,
    r: float,
    allowance: float,
    *,
    forbid: Iterable[str] = (),
    zones: Mapping[str, Sequence[Circle]] | None = None,
    no_end: Mapping[str, Sequence[Circle]] | None = None,
    slack: float = SLACK,
    work: int = WORK,
    strict: bool = True,
) -> LevelReach:
    """Where a disc of radius r can get to over levels within an allowance; as `route`.

    no_end: circles by level, in the level's own plane as zones are, that the centre may cross but
    not stop in. Empty if the disc may not stand at the start.
    """
    if not (math.isfinite(allowance) and allowance >= 0.0):
        raise ShapeError(f"an allowance must be 0 or more and finite, not {allowance}")
    search = Search(levels, start, r, forbid, allowance, zones, slack, work, strict, ties=False)
    if search.queries[search.first].standable(*search.start):
        search.run()
    return LevelReach(search, allowance, no_end)
