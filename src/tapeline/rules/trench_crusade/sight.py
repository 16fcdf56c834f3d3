"""G-12: who sees whom, with models as upright cylinders and opaque terrain as prisms."""

from __future__ import annotations

from tapeline.engine.kept import Kept
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.rectangle import region_of_circle
from tapeline.geometry.sight.volume import Cylinder, Prism, SightLine, sight_over_heights
from tapeline.rules.trench_crusade.ground import ground_of
from tapeline.rules.trench_crusade.policy import built, terrain_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.terrain import Wall
from tapeline.travel.terrain import Terrain

__all__ = ["is_attested", "models_block", "sight_line", "visible"]

#: Lines of sight that were looked along last.
_SEEN = Kept(256)


def is_attested(state: State) -> bool:
    """Whether the players settle who sees whom."""
    return state.option("los_mode") == "attested"


def models_block(state: State) -> bool:
    """Whether models stand in the way of sight."""
    return state.option("models_block_los") == "yes"


def visible(state: State, viewer: Body, target: Body, *, attested: bool = True) -> bool:
    """Whether one model sees another. attested: what the players say, where they settle it."""
    return attested if is_attested(state) else sight_line(state, viewer, target).visible


def sight_line(state: State, viewer: Body, target: Body) -> SightLine:
    """Sight from one model to another, with the line."""
    return _SEEN.once(state, (viewer, target), lambda: _sight_line(state, viewer, target))


def _sight_line(state: State, viewer: Body, target: Body) -> SightLine:
    r = radius(target)
    box = (
        min(viewer.x, target.x - r),
        min(viewer.y, target.y - r),
        max(viewer.x, target.x + r),
        max(viewer.y, target.y + r),
    )
    prisms = ground_of(state).prisms(box)
    if built(state.table):
        prisms += _screens(terrain_of(state), box)
    if models_block(state):
        prisms += [
            Prism(region_of_circle(b.x, b.y, radius(b)), b.z, b.z + height(b))
            for b in state.bodies.values()
            if b.id not in (viewer.id, target.id)
        ]
    if not prisms:
        eye = (viewer.x, viewer.y, viewer.z + height(viewer))
        return SightLine(True, (eye, (target.x, target.y, target.z + height(target))), ())
    return sight_over_heights(
        (viewer.x, viewer.y, viewer.z, viewer.z + height(viewer)),
        Cylinder(target.x, target.y, r, target.z, target.z + height(target)),
        prisms,
    )


def _screens(heights: Terrain, box: Box) -> list[Prism]:
    """Walls with their openings, and floors, that stand in the way of sight near a box."""
    solids = heights.storeys.solids_near(box)
    found = [s for s in solids if isinstance(heights.entries[s.entry], Wall)]
    found += heights.plates(box)
    return [Prism(s.ground.region, s.bottom, s.top) for s in found if not s.see_through]
