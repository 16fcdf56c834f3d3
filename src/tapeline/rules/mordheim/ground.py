"""The terrain of a table as the rules of movement see it, prepared once for each table.

Heights decide what matters to a base that stands at one: a solid stops it if it rises by the limit
of a barrier or more above its feet and begins below its head. Lower solids are leapt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import (
    nearest_to_circle,
    nearest_to_ring,
)
from tapeline.geometry.rectangles.rectangle import separation
from tapeline.rules.mordheim.figures import (
    BARRIER_IN,
    DIFFICULT_FACTOR,
    VERY_DIFFICULT_FACTOR,
)
from tapeline.rules.mordheim.state import footprint, height
from tapeline.rules.mordheim.terrain import DIFFICULT, VERY_DIFFICULT
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, wall_stretch
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import SOLID, Storeys, Surface, ramp_ring, storeys_of
from tapeline.table.terrain import Battlefield, Opening, Ramp

__all__ = ["Area", "Door", "Ground", "clearance", "ground_of", "sunk_into"]

Leg: TypeAlias = Line | Arc


def clearance(leg: Leg, plan: Plan) -> tuple[float, tuple[float, float]]:
    """Least distance of a leg, negative inside, and the point of the leg."""
    if plan.ring is not None:
        near = nearest_to_ring(leg, plan.ring)
    else:
        assert plan.circle is not None
        near = nearest_to_circle(leg, *plan.circle)
    return near.distance, near.at


def sunk_into(body: Body, plan: Plan) -> float:
    """How deep a base stands in a plan, in its true shape; beside it negative, if not by less than
    the tolerance then a bound of how far off it is."""
    base = body.base
    if not isinstance(base, Rectangle):
        return base.radius + plan.depth(body.x, body.y)
    apart = base.reach + plan.depth(body.x, body.y)
    if apart <= -TOLERANCE:
        return apart
    shape = footprint(body)
    found = separation(shape, plan.region)
    return found.depth - found.gap


@dataclass(frozen=True, slots=True)
class Area:
    """Slow ground at heights from bottom to top; surface: only on that one, a floor or ramp."""

    entry: str
    name: str
    plan: Plan
    bottom: float
    top: float
    factor: float
    clause: str
    surface: str = ""

    def at(self, surface: Surface, z: float) -> bool:
        """Whether it lies on a surface at a height."""
        if self.surface:
            return self.surface in surface.entries
        return self.bottom - TOLERANCE <= z <= self.top + TOLERANCE


@dataclass(frozen=True, slots=True)
class Door:
    """The place of a door or gap in a wall on the plan."""

    opening: Opening
    plan: Plan


class Ground:
    """A battlefield prepared for a reading of `low_limit`."""

    def __init__(self, table: Battlefield, low_limit: str) -> None:
        self.table = table
        self.low_limit = low_limit
        self.storeys: Storeys = storeys_of(table)
        self.areas = tuple(_areas(table))
        self._areas = Grid([area.plan.box for area in self.areas])
        self.doors = tuple(
            Door(opening, plan_of(wall_stretch(wall, opening.start, opening.end)))
            for wall in table.walls
            for opening in wall.openings
            if opening.kind != "window"
        )
        self._doors = Grid([door.plan.box for door in self.doors])
        self.ramps = [(ramp, plan_of(ramp_ring(ramp))) for ramp in table.ramps]
        self.names = {entry.id: entry.name for entry in table.entries}
        #: Searches prepared for one radius, by what they depend on.
        self.kept: dict[object, object] = {}

    def low(self, rise: float) -> bool:
        """Whether a barrier of that height is leapt (MH-TER-6, `low_limit`)."""
        if self.low_limit == "le":
            return not more_than(rise, BARRIER_IN)
        return closer_than(rise, BARRIER_IN)

    def name(self, entry: str) -> str:
        """The name of a piece of terrain."""
        return self.names.get(entry, entry)

    # Solids.

    def stops(self, solid: Solid, low: float, high: float, tall: float) -> bool:
        """Whether a solid stops a base that stands at heights from low to high, so tall."""
        if solid.walk_through:
            return False
        return not self.low(solid.top - low) and more_than(high + tall, solid.bottom)

    def rises(self, solid: Solid, z: float, tall: float) -> bool:
        """Whether a solid rises above a base that stands at z, a barrier included."""
        if solid.walk_through:
            return False
        return more_than(solid.top, z) and more_than(z + tall, solid.bottom)

    def wedge(self, ramp: Ramp, z: float, tall: float) -> Solid | None:
        """The part of a ramp that stands in the way of a base at a height beside it."""
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        if more_than(az, z + tall) or self.low(bz - z):
            return None
        t = min(1.0, max(0.0, (z + BARRIER_IN - az) / (bz - az)))
        if (1.0 - t) * math.hypot(bx - ax, by - ay) <= TOLERANCE:
            return None
        cut = Ramp(
            ramp.id,
            ramp.kind,
            ramp.name,
            (ax + t * (bx - ax), ay + t * (by - ay), az),
            ramp.head,
            ramp.width,
        )
        return Solid(ramp.id, plan_of(ramp_ring(cut)), az, bz)

    def wedges(self, box: Box, z: float, tall: float) -> list[Solid]:
        """Parts of ramps near a box that stand in the way of a base at a height."""
        found = []
        for ramp, plan in self.ramps:
            if plan.meets(box):
                solid = self.wedge(ramp, z, tall)
                if solid is not None:
                    found.append(solid)
        return found

    def beside(self, box: Box, z: float, tall: float) -> list[Solid]:
        """Solids near a box, and the parts of ramps that stand in the way at a height."""
        return [*self.near(box), *self.wedges(box, z, tall)]

    def near(self, box: Box) -> list[Solid]:
        """Solids near a box: blocks, walls and floors."""
        found = self.storeys.solids_near(box)
        if self.table.floors:
            found += [plate for plate in self.storeys.plates if plate.ground.meets(box)]
        return found

    def overlapped(
        self, body: Body, *, floors: bool = True, barriers: bool = True
    ) -> tuple[float, Solid] | None:
        """The solid that a base overlaps most where it stands, and how deep.

        floors: floors above it and stairs beside it count too; not for one on stairs.
        barriers: low ones count too.
        """
        far, tall = body.base.reach, height(body)
        box = (body.x - far, body.y - far, body.x + far, body.y + far)
        worst: tuple[float, Solid] | None = None
        solids = self.beside(box, body.z, tall) if floors else self.storeys.solids_near(box)
        for solid in solids:
            if not self.rises(solid, body.z, tall):
                continue
            if not barriers and self.low(solid.top - body.z):
                continue
            depth = sunk_into(body, solid.ground)
            if depth > TOLERANCE and (worst is None or depth > worst[0]):
                worst = (depth, solid)
        return worst

    # Slow ground and doors.

    def areas_near(self, box: Box) -> list[Area]:
        """Slow ground whose box meets a box."""
        return [self.areas[i] for i in self._areas.near(box)]

    def doors_near(self, box: Box) -> list[Door]:
        """Doors and gaps whose box meets a box."""
        return [self.doors[i] for i in self._doors.near(box)]


def _areas(table: Battlefield) -> list[Area]:
    found = []

    def slow(traits: frozenset[str]) -> tuple[float, str] | None:
        if VERY_DIFFICULT in traits:
            return VERY_DIFFICULT_FACTOR, "MH-TER-4"
        return (DIFFICULT_FACTOR, "MH-TER-3") if DIFFICULT in traits else None

    for piece in table.pieces:
        how = slow(piece.traits)
        if how is None:
            continue
        bottom, top = piece.bottom, piece.top
        # Slow ground on top of a block lies there, not inside it.
        if SOLID in piece.traits:
            bottom = top
        found += [Area(piece.id, piece.name, plan_of(o), bottom, top, *how) for o in piece.outlines]
    for floor in table.floors:
        how = slow(floor.traits)
        if how is not None:
            found += [
                Area(floor.id, floor.name, plan_of(o), floor.z, floor.z, *how, surface=floor.id)
                for o in floor.outlines
            ]
    for ramp in table.ramps:
        how = slow(ramp.traits)
        if how is not None:
            plan = plan_of(ramp_ring(ramp))
            low, high = ramp.foot[2], ramp.head[2]
            found.append(Area(ramp.id, ramp.name, plan, low, high, *how, surface=ramp.id))
    return found


def ground_of(state: State) -> Ground:
    """The ground of a state, prepared for the readings in force."""
    low_limit = state.option("low_limit")
    key = f"mordheim ground {low_limit}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Ground):
        found = state.table.prepared[key] = Ground(state.table, low_limit)
    return found
