"""Ways and borders of reach as they are told, and the search for a way over slow ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tapeline.analysis.contours import Point, Ring
from tapeline.engine.codec import plain
from tapeline.engine.move_limits import MoveLimits, Toll
from tapeline.engine.paths import LegPath, legs_of
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Path

if TYPE_CHECKING:
    from tapeline.geometry.weighted.route import WeightedRouter

__all__ = ["Border", "Way", "least_way", "slow_router", "told", "way_document"]

#: Legs a search over slow ground may look at, and by how much its gap is widened when it must stop.
_SLOW_WORK = 60_000
_WIDER = (1.0, 8.0, 64.0)


def way_document(legs: LegPath, cost: float, lower: float) -> dict[str, Any]:
    """The legs of a way, its cost and the bound below it, as JSON."""
    path = [{k: v for k, v in plain(leg).items() if v is not None} for leg in legs]
    return {"path": path, "cost": cost, "lower": lower}


@dataclass(frozen=True, slots=True)
class Way:
    """A way to a place.

    path: its legs; legs: the same as an action takes them. length: of the path. cost: what the
    referee takes for it; lower: no way costs less; both are the same but for rounding where the
    ground is of one cost. hazards: names of hazards for which the rules ask a roll on this way.
    height: what its last leg says that it ends at, if it must. Table units.
    """

    path: Path
    length: float
    cost: float
    lower: float
    hazards: tuple[str, ...] = ()
    height: float | None = None

    @property
    def legs(self) -> LegPath:
        """The path as the legs of an action."""
        return legs_of(self.path.legs, self.height)

    def document(self) -> dict[str, Any]:
        """As JSON: path, cost, lower, length, hazards."""
        whole = {"length": self.length, "hazards": list(self.hazards)}
        return {**way_document(self.legs, self.cost, self.lower), **whole}

    @property
    def end(self) -> Point:
        """Where it ends. IndexError if it has no legs."""
        return self.path.end

    @property
    def gap(self) -> float:
        """How much cheaper a way might be at most."""
        return max(0.0, self.cost - self.lower)


@dataclass(frozen=True, slots=True)
class Border:
    """The border of a reach: rings of corners, the reach on their left, so holes run clockwise.

    eps: how far the true border is from the rings. resolution: None where that holds everywhere;
    otherwise the border was marched: corners are in reach and cost the level within eps, chords
    span one square of this side, and parts smaller than a square may be missed. area: of the
    rings, square units.
    """

    rings: tuple[Ring, ...]
    eps: float
    area: float
    resolution: float | None = None

    def document(self) -> dict[str, Any]:
        """As JSON: area, eps, resolution, rings."""
        return {
            "area": self.area,
            "eps": self.eps,
            "resolution": self.resolution,
            "rings": [[list(corner) for corner in ring] for ring in self.rings],
        }


def told(lee: MoveLimits, path: Path, toll: Toll, lower: float) -> Way:
    """A path with what the referee takes for it, as a way."""
    return Way(path, path.length, toll.cost, lower, toll.hazards, lee.height)


def least_way(
    slow: WeightedRouter, start: Point, goal: Goal, gap: float, limit: float
) -> tuple[float, Path | None]:
    """A lower bound of the cost over slow ground and a path near it; infinity if over the limit.

    Where the search cannot bring its bounds so close in the work allowed, they are let go wider.
    """
    for wider in _WIDER:
        try:
            found = slow.cheapest(start, [goal], wider * gap, limit, _SLOW_WORK)
        except WorkLimitError:
            continue
        return (math.inf, None) if found is None else (found.lower, found.path)
    return 0.0, None


def slow_router(lee: MoveLimits, far: float) -> WeightedRouter | None:
    """Ways over slow ground, if any of it is so near to the start."""
    from tapeline.geometry.weighted.regions import WeightedDisc, WeightedGround, WeightedRing
    from tapeline.geometry.weighted.route import WeightedRouter

    areas: list[WeightedRing | WeightedDisc] = []
    for patch in lee.slow:
        if not patch.within(*lee.start, far):
            continue
        if patch.circle is not None:
            areas.append(WeightedDisc(*patch.circle, patch.factor))
        elif patch.ring is not None:
            areas.append(WeightedRing(patch.ring, patch.factor))
    if not areas:
        return None
    zones = [zone.circle for zone in lee.keep_out]
    return WeightedRouter(lee.obstacles, lee.radius, WeightedGround(areas), zones, lee.slack)
