"""Over the rim of a round surface: links at places of it, set closer about the best of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.table.storeys import Surface
from tapeline.travel.terrain import Terrain

__all__ = ["Rim", "Spot", "closer_about", "spots_of"]

#: Places of a rim that have a link at first; how much closer they are set each time; inches, the
#: closest.
_PLACES, _CLOSER, _CLOSEST = 48, 8, 2e-7


class Rim(NamedTuple):
    """The rim of a round surface as a way of a kind, down or `up` it.

    cost: of a drop, None where it is no way. r, tall: of the base that goes over it.
    """

    kind: str
    surface: Surface
    cost: Callable[[float], float | None]
    r: float
    tall: float
    up: bool = False


class Spot(NamedTuple):
    """A link over a rim: at which angle, and how far the next one is, radians."""

    rim: Rim
    at: float
    apart: float


def spots_of(terrain: Terrain, rim: Rim) -> dict[Link, Spot]:
    """Links all round a rim."""
    step = math.tau / _PLACES
    return dict(_links(terrain, rim, [k * step for k in range(_PLACES)], step))


def closer_about(
    terrain: Terrain, levels: Levels, route: LevelRoute, spots: Mapping[str, Spot]
) -> tuple[Levels, dict[str, Spot]] | None:
    """The levels with closer links about the one that a route takes, in place of all others of
    that rim; None once they are as close as they need to be."""
    taken = [spots[way] for way in route.links if way in spots]
    spot = next((s for s in taken if s.apart * _radius(s.rim) > _CLOSEST), None)
    if spot is None:
        return None
    step = spot.apart / _CLOSER
    angles = [spot.at + k * step for k in range(-_CLOSER, _CLOSER + 1)]
    fresh = dict(_links(terrain, spot.rim, angles, step))
    kept = {name: other for name, other in spots.items() if other.rim is not spot.rim}
    levels = levels.keeping(lambda way: way.id not in spots or way.id in kept)
    return levels.with_more(links=fresh), {**kept, **{k.id: v for k, v in fresh.items()}}


def _radius(rim: Rim) -> float:
    assert rim.surface.outer.circle is not None
    return rim.surface.outer.circle[2]


def _links(
    terrain: Terrain, rim: Rim, angles: list[float], apart: float
) -> Iterator[tuple[Link, Spot]]:
    """Links at angles of a rim, between the rim and a place one base radius off it."""
    assert rim.surface.outer.circle is not None
    (cx, cy, radius), surface = rim.surface.outer.circle, rim.surface
    for angle in angles:
        ux, uy = math.cos(angle), math.sin(angle)
        x, y = cx + (radius + rim.r) * ux, cy + (radius + rim.r) * uy
        below = terrain.storeys.below(x, y, surface.z, TOLERANCE)
        if below is None or below.ramp is not None:
            continue
        cost = rim.cost(surface.z - below.z)
        if cost is None or not _free(terrain, rim, x, y, below.z):
            continue
        ends = (surface.id, cx + radius * ux, cy + radius * uy), (below.id, x, y)
        start, end = (ends[1], ends[0]) if rim.up else ends
        name = f"{rim.kind} {surface.id} {angle!r}"
        yield Link(name, rim.kind, start, end, cost, False), Spot(rim, angle, apart)


def _free(terrain: Terrain, rim: Rim, x: float, y: float, z: float) -> bool:
    """Whether a base has room at a place, where it may touch what stands about."""
    r = rim.r
    near = terrain.beside((x - r, y - r, x + r, y + r), z, rim.tall)
    return not any(
        terrain.takes_room(solid, z, rim.tall) and solid.ground.depth(x, y) > TOLERANCE - r
        for solid in near
    )
