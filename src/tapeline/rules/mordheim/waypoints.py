"""Paths up, down and across that a model may think of: ladders, stairs, climbs, jumps, gaps.

For offers only: they are proposals, judged like any other path.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.limits import closer_than, more_than
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import EDGE_MIN_DROP_IN, GAP_IN, GAP_RISE_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.state import charging_allowance, movement, radius, touching_at_start
from tapeline.table.bodies import Body
from tapeline.table.storeys import Edge, Storeys, Surface, storeys_of
from tapeline.table.terrain import Ladder, Ramp

__all__ = ["waypoints"]

#: Heights that differ by less are one, inches.
_SAME_IN = 1e-6
#: How far beyond the top edge a climb goes on, and beyond a gap a jump, inches.
_ON_IN = 0.6


def waypoints(state: State, body: Body) -> list[LegPath]:
    """Paths by which a model might change its level, in the order of the scene."""
    storeys = storeys_of(state.table)
    surface = storeys.support(*body.centre, body.z, _SAME_IN)
    found = [*_links(state, body), *_climbs(storeys, body)]
    if surface is not None:
        for edge in storeys.edges(surface):
            found += _over_edge(storeys, surface, edge, body)
    return found


def _reaches(body: Body, x: float, y: float) -> bool:
    return math.dist(body.centre, (x, y)) <= charging_allowance(body)


def _links(state: State, body: Body) -> Iterator[LegPath]:
    ways: list[Ladder | Ramp] = [*state.table.ladders, *state.table.ramps]
    for way in ways:
        for (ax, ay, az), (bx, by, bz) in ((way.foot, way.head), (way.head, way.foot)):
            if abs(az - body.z) > _SAME_IN or not _reaches(body, ax, ay):
                continue
            yield Leg(to=(ax, ay)), Leg(to=(bx, by), z=bz)


def _climbs(storeys: Storeys, body: Body) -> Iterator[LegPath]:
    """Up what it touched as the phase began."""
    touched = touching_at_start(body)
    for solid in storeys.solids:
        if solid.entry not in touched or not more_than(solid.top, body.z):
            continue
        if solid.top - body.z > movement(body):
            continue
        x, y = solid.ground.nearest(*body.centre)
        far = math.dist((x, y), body.centre)
        if far <= 0.0 or far > movement(body):
            continue
        ux, uy = (x - body.x) / far, (y - body.y) / far
        yield (Leg(to=(x + _ON_IN * ux, y + _ON_IN * uy), z=solid.top, how="climb"),)


def _over_edge(storeys: Storeys, surface: Surface, edge: Edge, body: Body) -> Iterator[LegPath]:
    t = ((body.x - edge.ax) * (edge.bx - edge.ax) + (body.y - edge.ay) * (edge.by - edge.ay)) / (
        edge.length**2
    )
    x, y = edge.at(min(1.0, max(0.0, t)))
    if not _reaches(body, x, y):
        return
    drop = edge.drop(x, y)
    r = radius(body)
    out = (x + r * edge.nx, y + r * edge.ny)
    if edge.beyond is not None and drop >= EDGE_MIN_DROP_IN:
        low = edge.beyond.height(*out)
        if not more_than(drop, JUMP_DOWN_IN):
            yield (Leg(to=out, z=low, how="drop"),)
        if drop <= movement(body):
            yield (Leg(to=out, z=low, how="climb"),)
    height = surface.height(x, y)
    for step in (1.0, 2.0, GAP_IN):
        px, py = x + step * edge.nx, y + step * edge.ny
        for other in storeys.over(px, py, 0.0):
            level = other.height(px, py)
            if other is not surface and closer_than(abs(level - height), GAP_RISE_IN):
                to = (px + _ON_IN * edge.nx, py + _ON_IN * edge.ny)
                yield (Leg(to=to, z=level, how="jump"),)
