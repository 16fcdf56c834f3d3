"""Where a body can get to over all storeys in one move, by ways that need no roll.

Ways come from one exact search over surfaces, stairs and ladders, by length, and where ground is
slow from one over the same by cost; each is measured by the referee's own code before it is told,
so that what is in reach judges legal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tapeline.analysis.contours import contours, rings_area
from tapeline.analysis.reach import GAP
from tapeline.analysis.ways import Border, way_document
from tapeline.engine.limits import affords
from tapeline.engine.move_limits import MoveLimits, SurfaceLimits
from tapeline.engine.paths import LegPath
from tapeline.engine.verdicts import Finding
from tapeline.errors import DocumentError, Fault, ShapeError
from tapeline.geometry import backends

if TYPE_CHECKING:
    from tapeline.geometry.surfaces.weighted import WeightedLevelReach
    from tapeline.geometry.weighted.regions import WeightedArea

__all__ = ["StoreyReach", "StoreyWay"]

#: x, y and height, table units.
Place = tuple[float, float, float]

#: Length: how near a height must be to that of a surface.
_NEAR = 1e-6
#: Cost: how closely corners of a border are sought unless said otherwise.
EPS = 0.01
#: Cost: a way this much dearer than it is long has crossed slow ground.
_EVEN = 1e-9
#: Legs that proving a lower bound may look at before it is told as far as it came; in plain Python.
_SLOW_WORK, _PLAIN_WORK = 60_000, 1_500
#: Corners in place of a circle of slow ground on a slope.
_CORNERS = 64
#: Squares of the mesh across the allowance.
_SQUARES = 16


@dataclass(frozen=True, slots=True)
class StoreyWay:
    """A way over storeys: the legs of an action and what the referee takes for them.

    lower: no way costs less; the same but for rounding where no ground is slow, else within 0.001
    of it unless the search for that would take too long.
    """

    legs: LegPath
    cost: float
    lower: float

    def document(self) -> dict[str, Any]:
        """As JSON: path, cost, lower."""
        return way_document(self.legs, self.cost, self.lower)

    @property
    def gap(self) -> float:
        """How much cheaper a way might be at most."""
        return max(0.0, self.cost - self.lower)


class StoreyReach:
    """Where a body can get to in one move over all storeys. Places are (x, y, height).

    Complete where the search knows all that the rules do (`complete`): else places may be told out
    of reach whose cheapest way goes, say, on to a ramp from its side. Over slow ground a place may
    be, too, whose least cost lies within 0.001 below the allowance.
    """

    def __init__(self, leeway: MoveLimits) -> None:
        if leeway.storeys is None:
            raise DocumentError("reach", [Fault("kind", "this move keeps to one storey")])
        self.leeway = leeway
        self._storeys: SurfaceLimits = leeway.storeys
        self._found = self._storeys.levels.reach(
            (self._storeys.start, *leeway.start),
            leeway.radius,
            leeway.allowance + self._storeys.dearer + leeway.slack,
            forbid=self._storeys.forbid,
            zones=self._storeys.keep_out,
            slack=leeway.slack,
            strict=False,
        )
        # That one goes by length; where ground is slow another goes by cost.
        self._over = self._by_cost()

    def _by_cost(self) -> WeightedLevelReach | None:
        areas = {name: list(self._areas(name)) for name in self._found.levels}
        areas = {name: found for name, found in areas.items() if found}
        if not areas:
            return None
        from tapeline.geometry.surfaces.weighted import WeightedLevels

        lee, storeys = self.leeway, self._storeys
        zones, forbid = storeys.keep_out, storeys.forbid
        slow = WeightedLevels(
            storeys.levels, lee.radius, areas, zones=zones, forbid=forbid, slack=lee.slack
        )
        limit = lee.allowance + storeys.dearer + lee.slack
        return slow.reach((storeys.start, *lee.start), limit, self._found)

    def _areas(self, surface: str) -> Iterator[WeightedArea]:
        """Slow ground of a surface near enough to matter, in the surface's own plane."""
        from tapeline.geometry.weighted.regions import WeightedDisc, WeightedRing

        lee, slope = self.leeway, self._storeys.levels.level(surface).slope
        for patch in self._storeys.grounds.get(surface, ()):
            if not patch.within(*lee.start, lee.allowance + lee.slack):
                continue
            ring = patch.ring
            if patch.circle is not None:
                if slope is None:
                    yield WeightedDisc(*patch.circle, patch.factor)
                    continue
                ring = _inscribed(*patch.circle)
            if ring is not None:
                yield WeightedRing(ring if slope is None else tuple(slope.ring(ring)), patch.factor)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why the move may not be made now."""
        return self.leeway.findings

    @property
    def complete(self) -> bool:
        """Whether every place within reach is told, over slow ground but for 0.001 of cost."""
        return not self._storeys.partial

    @property
    def surfaces(self) -> dict[str, tuple[float, float]]:
        """The surfaces it can come to: lowest and highest height by id."""
        heights = self._storeys.heights
        return {name: heights[name] for name in self._found.levels if name in heights}

    def surface_at(self, place: Place) -> str | None:
        """The surface of a place that it can come to, if there is one."""
        x, y, z = place
        if not all(map(math.isfinite, place)):
            raise ShapeError("a place needs finite coordinates")
        for name in self.surfaces:
            level = self._storeys.levels.level(name)
            if abs(level.height_at(x, y) - z) > _NEAR:
                continue
            own = level.own(x, y)
            if level.field.standable(*own, self.leeway.radius, self.leeway.slack):
                return name
        return None

    def route(self, place: Place) -> StoreyWay | None:
        """A cheapest way to a place where the body may stop, None if none is known."""
        name = self.surface_at(place)
        if name is None:
            return None
        way = self._best(name, place[0], place[1])
        if way is None or not affords(way.cost, self.leeway.allowance):
            return None
        if self._over is not None and way.gap > _EVEN:
            work = _SLOW_WORK if backends.chosen() else _PLAIN_WORK
            proven = self._over.route((name, place[0], place[1]), GAP, work)
            if proven is not None:
                way = replace(way, lower=min(way.cost, max(way.lower, proven.lower)))
        return way

    def _known(self, place: Place) -> StoreyWay | None:
        """A way within the allowance, its lower bound not yet proven."""
        name = self.surface_at(place)
        way = None if name is None else self._best(name, place[0], place[1])
        return way if way is not None and affords(way.cost, self.leeway.allowance) else None

    def _best(self, surface: str, x: float, y: float) -> StoreyWay | None:
        """The best way known to a place on a surface, whatever the referee takes for it."""
        found = self._found.route((surface, x, y))
        if found is None:
            return None
        legs = self._storeys.legs(found)
        cost = self._storeys.toll(legs)
        if self._over is not None and cost > found.cost + _EVEN:
            bent = self._over.witness((surface, x, y))
            if bent is not None and bent.cost < cost:
                round_it = self._storeys.legs(bent)
                toll = self._storeys.toll(round_it)
                if toll < cost:
                    legs, cost = round_it, toll
        return StoreyWay(legs, cost, min(found.cost, cost))

    def bands(
        self,
        surface: str,
        limits: Sequence[float],
        eps: float = EPS,
        *,
        resolution: float | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Border]:
        """For each limit the border of what can be come to on a surface at that cost, on the plan.

        Marched: corners are in reach and their cost is the limit within eps; chords span one square
        of side `resolution` (a sixteenth of the allowance unless given), and parts smaller than a
        square may be missed. progress: called with how many places were measured.
        """
        allowance, (sx, sy) = self.leeway.allowance, self.leeway.start
        step = resolution or max(allowance, 1e-3) / _SQUARES
        if surface not in self.surfaces:
            return [Border((), eps, 0.0, step) for _ in limits]
        level = self._storeys.levels.level(surface)

        def cost(x: float, y: float) -> float:
            way = self._best(surface, x, y)
            return math.inf if way is None else way.cost

        def bounds(x: float, y: float) -> tuple[float, float]:
            own = level.own(x, y)
            if not level.field.standable(*own, self.leeway.radius, self.leeway.slack):
                return math.inf, math.inf
            low = self._found.cost((surface, x, y))
            return low, math.inf if low > 0.0 or surface != self._storeys.start else 0.0

        far = allowance + step
        box = (sx - far, sy - far, sx + far, sy + far)
        marched = contours(cost, box, step, limits, eps, bounds=bounds, progress=progress)
        return [Border(tuple(rings), eps, rings_area(rings), step) for rings in marched]

    def contains(self, place: Place) -> bool:
        """Whether the body can get to a place and may stop there."""
        return self._known(place) is not None

    def cost(self, place: Place) -> float:
        """What the way to a place costs; infinity if it is out of reach."""
        way = self._known(place)
        return math.inf if way is None else way.cost


def _inscribed(x: float, y: float, radius: float) -> tuple[float, ...]:
    """Corners of a circle; on a slope it is none, and what is told there may be too slow."""
    turns = [math.tau * k / _CORNERS for k in range(_CORNERS)]
    return tuple(v for t in turns for v in (x + radius * math.cos(t), y + radius * math.sin(t)))
