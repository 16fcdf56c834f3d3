"""Where a model comes to stand that goes or falls over an edge (3.10, 3.12, 3.13)."""

from __future__ import annotations

import math
from collections.abc import Collection

from tapeline.engine.limits import TOLERANCE, closer_than, overlaps
from tapeline.engine.placing import base_overlap
from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.ground import ground_of
from tapeline.rules.mordheim.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface
from tapeline.travel.landing import Borders, Landing, landing, nearest_free
from tapeline.travel.terrain import Terrain

__all__ = ["fall_over", "free_at"]


def fall_over(
    state: State, body: Body, edge: tuple[float, float], normal: tuple[float, float], z: float
) -> Landing | None:
    """Where a model lands that goes over an edge at a height, and how far down; None off the table.

    One base radius beyond the edge; the nearest free place on the same surface if that is taken,
    or on the next one below if there is no room on it.
    """
    ground, r = ground_of(state), radius(body)
    x, y = edge[0] + r * normal[0], edge[1] + r * normal[1]
    w, d = ground.table.width, ground.table.depth
    x, y = min(max(x, 0.0), w), min(max(y, 0.0), d)
    return landing(
        ground.storeys, x, y, z, lambda below: _free_place(state, ground, body, x, y, below)
    )


def free_at(
    state: State,
    ground: Terrain,
    body: Body,
    x: float,
    y: float,
    z: float,
    but: Collection[str] = (),
) -> bool:
    """Whether a model may stand there: clear of solids and of all other bases but for some."""
    moved = body.at(x, y, z)
    if ground.overlapped(moved) is not None:
        return False
    for other in state.others(body):
        if other.id in but or not closer_than(abs(other.z - z), CONTACT_RISE_IN):
            continue
        far = body.base.reach + other.base.reach
        if math.hypot(other.x - x, other.y - y) < far and overlaps(base_overlap(moved, other)):
            return False
    return True


def _free_place(
    state: State, ground: Terrain, body: Body, x: float, y: float, surface: Surface
) -> tuple[float, float] | None:
    """The nearest place on a surface where the base fits."""
    # A rectangle is given the room of the circle about it, however it faces.
    r, tall, z = body.base.reach, height(body), surface.height(x, y)

    def able(px: float, py: float) -> bool:
        if surface.depth(px, py) < -TOLERANCE:
            return False
        return free_at(state, ground, body, px, py, surface.height(px, py))

    def borders(room: float) -> Borders:
        found = Borders(r)
        for other in state.others(body):
            away = math.hypot(other.x - x, other.y - y)
            near = closer_than(abs(other.z - z), CONTACT_RISE_IN)
            if near and away <= room + r + other.base.reach:
                found.circles.append((other.x, other.y, r + other.base.reach))
        box = (x - room - r, y - room - r, x + room + r, y + room + r)
        found.add(
            solid.ground for solid in ground.with_plates(box) if ground.takes_room(solid, z, tall)
        )
        return found

    return nearest_free(x, y, able, borders, 2.0 * max(ground.table.width, ground.table.depth))
