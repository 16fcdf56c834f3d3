"""Things that can be climbed: sides of blocks and walls, and faces of their own (3.9)."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.rules.mordheim.ground import ground_of
from tapeline.rules.mordheim.state import radius
from tapeline.table.bodies import Body
from tapeline.table.sheer import Sheer
from tapeline.travel.terrain import Terrain

__all__ = ["touching_features"]


def touched_from_below(ground: Terrain, x: float, y: float, z: float, r: float) -> list[Sheer]:
    """What a base touches that rises beside it, its foot within a step of the base."""
    return [
        feature
        for feature in ground.features(_box(x, y, r + TOLERANCE))
        if more_than(feature.top, z)
        and (feature.bottom <= z or ground.low(feature.bottom - z))
        and within(abs(feature.distance(x, y) - r), 0.0)
    ]


def touched_from_above(ground: Terrain, x: float, y: float, z: float, r: float) -> list[Sheer]:
    """What a base touches or overhangs the top edge of, its top within a step of the base."""
    return [
        feature
        for feature in ground.features(_box(x, y, r + TOLERANCE))
        if not more_than(feature.bottom, z)
        and more_than(z, feature.bottom)
        and abs(feature.top - z) <= TOLERANCE
        and within(math.dist(feature.nearest(x, y), (x, y)), r)
    ]


def touching_features(state: State, body: Body) -> tuple[str, ...]:
    """Ids of the climbable things a model touches where it stands, each once (MH-CLIMB-2)."""
    ground, r = ground_of(state), radius(body)
    found = [
        *touched_from_below(ground, body.x, body.y, body.z, r),
        *touched_from_above(ground, body.x, body.y, body.z, r),
    ]
    return tuple(dict.fromkeys(feature.entry for feature in found))


def _box(x: float, y: float, r: float) -> Box:
    return x - r, y - r, x + r, y + r
