"""Ledges, and where a model comes to lie that goes over one (TC-FALL-1, TC-DOWN-4)."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE, overlaps, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.closeness import overlap
from tapeline.rules.trench_crusade.figures import LEDGE_NEAR_IN
from tapeline.rules.trench_crusade.heights import built, heights_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface
from tapeline.travel.edges import NearEdge, edges_beside
from tapeline.travel.landing import Borders, Landing, landing, nearest_free
from tapeline.travel.terrain import Terrain

__all__ = ["free_place", "landing_off", "ledge_near"]

Point = tuple[float, float]

#: Inches. On a surface less than half as wide a free place is looked for so far at most.
_ROOM = 4.0
#: Inches from an edge at which a little more than half of any base is carried.
_JUST_IN = 8.0 * TOLERANCE


def landing_off(state: State, body: Body, lip: Point, normal: Point, z: float) -> Landing | None:
    """Where a model lands that Falls over a lip: on the first surface below that can hold it.

    One base radius beyond the lip; the nearest place on that surface where nothing stands, if the
    base does not fit there. None if nothing below can hold it.
    """
    heights, r = heights_of(state), radius(body)
    w, d = heights.table.width, heights.table.depth
    x = min(max(lip[0] + r * normal[0], r), w - r)
    y = min(max(lip[1] + r * normal[1], r), d - r)
    return landing(
        heights.storeys, x, y, z, lambda below: free_place(state, heights, body, x, y, below)
    )


def ledge_near(state: State, body: Body) -> NearEdge | None:
    """The nearest ledge within 1 inch of a base."""
    if not built(state.table):
        return None
    heights = heights_of(state)
    surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None or surface.ramp is not None:
        return None
    ledges = [
        edge
        for edge in edges_beside(heights.storeys, surface, body)
        if not heights.low(edge.drop, surface) and within(edge.distance, LEDGE_NEAR_IN)
    ]
    return min(ledges, key=lambda edge: edge.distance, default=None)


def free_place(
    state: State, heights: Terrain, body: Body, x: float, y: float, surface: Surface
) -> Point | None:
    """The nearest place to (x, y) on a surface where the base fits; None if there is none."""
    r, tall, z, table = radius(body), height(body), surface.height(x, y), heights.table

    def able(px: float, py: float) -> bool:
        inside = r - TOLERANCE <= px <= table.width - r + TOLERANCE
        inside = inside and r - TOLERANCE <= py <= table.depth - r + TOLERANCE
        if not inside or surface.depth(px, py) < -TOLERANCE:
            return False
        place = Place(px, py, surface.height(px, py))
        if heights.overlapped(body.at(*place)) is not None:
            return False
        if heights.support(surface, px, py, r) <= 0.5 + TOLERANCE:
            return False
        return not any(overlaps(overlap(body, o, place)) for o in state.others(body))

    def borders(room: float) -> Borders:
        found = Borders(r)
        for other in state.others(body):
            reach = r + radius(other)
            if within(abs(other.z - z), 0.0) and math.dist(other.centre, (x, y)) <= room + reach:
                found.circles.append((other.x, other.y, reach))
        box = (x - room - r, y - room - r, x + room + r, y + room + r)
        found.add(o.ground for o in heights.beside(box, z, tall) if heights.takes_room(o, z, tall))
        if surface.outer.ring is not None and surface.ramp is None:
            found.add_inside(surface.outer.ring, _JUST_IN)
            found.add_inside(surface.outer.ring, r)
        return found

    across = surface.outer.box[2] - surface.outer.box[0]
    farthest = min(2.0 * max(table.width, table.depth), max(_ROOM, 2.0 * across))
    return nearest_free(x, y, able, borders, farthest)
