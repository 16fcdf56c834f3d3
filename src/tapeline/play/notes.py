"""Notes on a scene: what is odd but allowed."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.state import State
from tapeline.table.zones import outsiders
from tapeline.wording import listed

__all__ = ["zone_notes"]


def zone_notes(state: State) -> Iterator[str]:
    """Which models stand outside the zones of their side, a sentence each."""
    zones = state.table.zones
    sides = {side.id: side.name for side in state.sides}
    for body in outsiders(zones, state.bodies.values()):
        where = listed([zone.name for zone in zones if zone.side == body.side])
        name = body.name if body.name == body.id else f"{body.name} ({body.id})"
        yield f"{name} stands outside {where}, where {sides[body.side]} sets up"
