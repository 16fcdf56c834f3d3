"""G-12: who sees whom, with models as upright cylinders and opaque terrain as prisms; in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.kept import Kept
from tapeline.engine.limits import more_than, overlaps, within
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.bodies import BodySight, Solid, Solids, sight_between_bodies
from tapeline.rules.trench_crusade.ground import built, terrain_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid as Obstacle
from tapeline.table.solids import entries_between, grounds_of, wall_solids
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import ramp_ring, storeys_of
from tapeline.table.terrain import Circle, Place3, Wall
from tapeline.travel.terrain import Terrain

__all__ = ["cover_between", "is_attested", "looks", "models_block", "seen", "sight_line", "visible"]

#: The trait of what gives cover.
_COVER = "cover"

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


def sight_line(state: State, viewer: Body, target: Body) -> BodySight:
    """Sight from the axis of one model to the body of another, with the line."""
    return _SEEN.once(state, (viewer, target), lambda: _sight_line(state, viewer, target))


def _sight_line(state: State, viewer: Body, target: Body) -> BodySight:
    eye = Solid(Part(viewer.centre), viewer.z, viewer.z + height(viewer))
    body = _body(target)
    r = radius(target)
    box = (
        min(viewer.x, target.x - r),
        min(viewer.y, target.y - r),
        max(viewer.x, target.x + r),
        max(viewer.y, target.y + r),
    )
    opaque = _with_trait(state, "opaque", box)
    if built(state.table):
        opaque += _screens(terrain_of(state), box)
    solids = [Solid(part, s.bottom, s.top) for s in opaque for part in s.ground.region.parts]
    if models_block(state):
        others = (b for b in state.bodies.values() if b.id not in (viewer.id, target.id))
        solids += map(_body, others)
    if not solids:
        return BodySight(True, ((*viewer.centre, eye.top), (*target.centre, body.top)))
    return sight_between_bodies(eye, body, Solids(solids))


def _body(body: Body) -> Solid:
    """A model as sight takes it: an upright cylinder."""
    return Solid(Part(body.centre, radius(body)), body.z, body.z + height(body))


def cover_between(state: State, attacker: Body, target: Body) -> bool:
    """Whether the target is in or behind a piece that gives cover, at the height of either, and
    that the attacker is not in, or on a floor, stairs or a ramp that does. What ends at the feet of
    the lower one gives none, unless it is flat."""
    (ax, ay), (bx, by) = a, b = attacker.centre, target.centre
    line = Line(*a, *b)
    low = min(attacker.z, target.z)
    high = max(attacker.z + height(attacker), target.z + height(target))
    if _cover_under(state, target) - _cover_under(state, attacker):
        return True
    return any(
        (more_than(piece.top, low) or within(low, piece.bottom))
        and piece.bottom < high
        and not overlaps(piece.ground.depth(*a))
        and piece.ground.spans(line)
        for piece in _with_trait(
            state, _COVER, (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        )
    )


def _cover_under(state: State, body: Body) -> set[str]:
    """The floors, stairs and ramps giving cover that a model stands on."""
    table = state.table
    key = f"trench-crusade {_COVER} under"
    found = table.prepared.get(key)
    if not isinstance(found, dict):
        found = {
            floor.id: [*grounds_of(floor.outlines)] for floor in table.floors if floor.has(_COVER)
        }
        found |= {ramp.id: [plan_of(ramp_ring(ramp))] for ramp in table.ramps if ramp.has(_COVER)}
        table.prepared[key] = found
    surface = terrain_of(state).under(body) if found else None
    on = () if surface is None else surface.entries
    return {
        name for name in on if any(overlaps(p.depth(*body.centre)) for p in found.get(name, ()))
    }


def _with_trait(state: State, trait: str, box: Box) -> list[Obstacle]:
    """The pieces of terrain with a trait near a box. Cover is given by walls too; whether one may
    be seen through is another matter."""
    table = state.table
    key = f"trench-crusade {trait}"
    found = table.prepared.get(key)
    if not isinstance(found, tuple):
        solids = [
            Obstacle(piece.id, plan, piece.bottom, piece.top)
            for piece in table.pieces
            if piece.has(trait)
            for plan in grounds_of(piece.outlines)
        ]
        solids += [
            Obstacle(wall.id, part.ground, part.bottom, part.top)
            for wall in table.walls
            if trait == _COVER and wall.has(trait)
            for part in wall_solids(wall)
        ]
        found = table.prepared[key] = solids, Grid([solid.ground.box for solid in solids])
    solids, grid = found
    return [solids[i] for i in grid.near(box)]


def _screens(heights: Terrain, box: Box) -> list[Obstacle]:
    """Walls with their openings, and floors, that stand in the way of sight near a box."""
    solids = heights.storeys.solids_near(box)
    found = [s for s in solids if isinstance(heights.entries[s.entry], Wall)]
    found += heights.plates(box)
    return [s for s in found if not s.see_through]


#: The clause that asks for sight.
_CLAUSE = "TC-CHG-2"


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one model sees another, as a charge asks (TC-CHG-2)."""
    if is_attested(state):
        return Seen(None, "The players settle who sees whom (los_mode attested).", _CLAUSE)
    found = sight_line(state, a, b)
    if not found.visible:
        blocks = tuple(_between(state, a, b))
        return Seen(False, f"{a.name} cannot see {b.name}.", _CLAUSE, (), blocks)
    lines = () if found.line is None else ((found.line[0][:2], found.line[1][:2]),)
    covered = cover_between(state, a, b)
    cover = f"{b.name} has cover from {a.name}." if covered else ""
    return Seen(True, f"{a.name} sees {b.name}.", _CLAUSE, lines, cover=cover)


def looks(state: State, body: Body) -> Look:
    """From the middle of the model past all that stands as high as its eyes."""
    others = state.bodies.values() if models_block(state) else ()
    tops = ((other, other.z + height(other)) for other in others)
    words = "What is as tall as its eyes are high and stands there is seen; less may be hidden."
    return Look.past(body, body.z + height(body), _solids_in_sight(state), tops, words)


def _solids_in_sight(state: State) -> list[Obstacle]:
    """All terrain that is not seen past, models apart."""
    storeys = storeys_of(state.table)
    walls = {wall.id for wall in state.table.walls}
    solids = _with_trait(state, "opaque", (-math.inf, -math.inf, math.inf, math.inf))
    solids += [s for s in storeys.solids if s.entry in walls and not s.see_through]
    return solids + list(storeys.plates)


def _middle(body: Body) -> Place3:
    return body.x, body.y, body.z + 0.5 * height(body)


def _between(state: State, a: Body, b: Body) -> Iterator[str]:
    """What the line between the middles of two models runs into."""
    solids = _solids_in_sight(state)
    if models_block(state):
        solids += [
            Obstacle(
                other.id,
                plan_of(Circle(other.x, other.y, radius(other))),
                other.z,
                other.z + height(other),
            )
            for other in state.bodies.values()
            if other.id not in (a.id, b.id)
        ]
    yield from entries_between(solids, _middle(a), _middle(b))
