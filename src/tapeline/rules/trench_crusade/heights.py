"""The terrain of a table with storeys as the rules see it, prepared once for each table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.areas import disc_disc_area, disc_ring_area
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.sight.volume import Prism
from tapeline.rules.trench_crusade.figures import LOW_OBSTACLE_IN, TRENCH_WALL_IN
from tapeline.rules.trench_crusade.ground import TRENCH, Disc, Shape, is_low
from tapeline.rules.trench_crusade.state import flies, height, radius
from tapeline.table.bodies import Body
from tapeline.table.sheer import Sheer, faces_near
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import (
    SOLID,
    STANDABLE,
    TABLE,
    UNCLIMBABLE,
    Storeys,
    Surface,
    ramp_ring,
    storeys_of,
)
from tapeline.table.terrain import Battlefield, Floor, Piece, Ramp

__all__ = [
    "Heights",
    "Obstacle",
    "Zone",
    "built",
    "heights_of",
    "in_space",
    "on_table",
]

Leg: TypeAlias = Line | Arc


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What may stand in the way of a base: a solid from bottom to top, or IMPASSABLE ground."""

    entry: str
    name: str
    plan: Plan
    bottom: float
    top: float
    traits: frozenset[str]
    impassable: bool = False

    @property
    def low(self) -> float:
        """Up to what height it is Open for movement, TC-TER-7."""
        return TRENCH_WALL_IN if TRENCH in self.traits else LOW_OBSTACLE_IN


@dataclass(frozen=True, slots=True)
class Zone:
    """Difficult or Dangerous ground at heights from bottom to top, or on one floor or ramp."""

    shape: Shape
    entry: str
    name: str
    bottom: float
    top: float
    difficult: bool
    dangerous: bool
    surface: str = ""

    def lies(self, surface: Surface | None, z: float) -> bool:
        """Whether it lies on a surface at a height."""
        if self.surface:
            return surface is not None and self.surface in surface.entries
        return self.bottom - TOLERANCE <= z <= self.top + TOLERANCE


class Heights:
    """A battlefield with storeys, prepared for a reading of `terrain_in`."""

    def __init__(self, table: Battlefield, half_area: bool) -> None:
        self.table = table
        self.half_area = half_area
        self.storeys: Storeys = storeys_of(table)
        self.names = {entry.id: entry.name for entry in table.entries}
        self.traits = {entry.id: _traits(entry) for entry in table.entries}
        self.obstacles = tuple(self._obstacles())
        self._obstacle_grid = Grid([o.plan.box for o in self.obstacles])
        self.zones = tuple(_zones(table))
        self._zone_grid = Grid([zone.shape.box for zone in self.zones])
        self._walls = frozenset(wall.id for wall in table.walls)
        self.ramps = [(ramp, plan_of(ramp_ring(ramp))) for ramp in table.ramps]
        #: Charts for charges, by what they depend on.
        self.kept: dict[object, object] = {}

    def _obstacles(self) -> Iterable[Obstacle]:
        for solid in self.storeys.solids:
            if not solid.walk_through:
                hard = "impassable" in solid.traits
                name = self.names[solid.entry]
                yield Obstacle(
                    solid.entry, name, solid.ground, solid.bottom, solid.top, solid.traits, hard
                )
        for piece in self.table.pieces:
            if piece.has("impassable") and not piece.has(SOLID):
                for o in piece.outlines:
                    yield Obstacle(
                        piece.id,
                        piece.name,
                        plan_of(o),
                        piece.bottom,
                        piece.top,
                        piece.traits,
                        True,
                    )

    def name(self, entry: str) -> str:
        """The name of a piece of terrain."""
        return self.names.get(entry, entry)

    # Steps.

    def step(self, *surfaces: Surface) -> float:
        """The height up to which going from one of the surfaces to the other is Open."""
        trench = any(TRENCH in self.traits[e] for s in surfaces for e in s.entries)
        return TRENCH_WALL_IN if trench else LOW_OBSTACLE_IN

    def under(self, body: Body) -> Surface | None:
        """What carries a model, be it by way of a low obstacle that it stands on."""
        x, y, z = body.x, body.y, body.z
        found = self.storeys.support(x, y, z, TOLERANCE)
        if found is not None:
            return found
        for piece in self.table.pieces:
            on_top = is_low(piece) and abs(piece.top - z) <= 2.0 * TOLERANCE
            if on_top and any(plan_of(o).depth(x, y) >= -TOLERANCE for o in piece.outlines):
                return self.storeys.support(x, y, piece.bottom, TOLERANCE)
        return None

    # Obstacles.

    def near(self, box: Box) -> list[Obstacle]:
        """Solids and impassable ground whose box meets a box."""
        return [self.obstacles[i] for i in self._obstacle_grid.near(box)]

    def beside(self, box: Box, z: float, tall: float) -> list[Obstacle]:
        """Obstacles near a box to who stands at a height on no ramp: floors above and ramps too."""
        return [*self.near(box), *self.plates(box), *self.wedges(box, z, tall)]

    def plates(self, box: Box) -> list[Obstacle]:
        """Floors as obstacles to who stands under them."""
        if not self.table.floors:
            return []
        return [
            Obstacle(p.entry, self.names[p.entry], p.ground, p.bottom, p.top, p.traits)
            for p in self.storeys.plates
            if p.ground.meets(box)
        ]

    def wedges(self, box: Box, z: float, tall: float) -> list[Obstacle]:
        """Parts of ramps near a box that stand in the way of a base at a height beside them."""
        found = []
        for ramp, plan in self.ramps:
            (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
            rise = z + LOW_OBSTACLE_IN - az
            if not plan.meets(box) or more_than(az, z + tall) or rise >= bz - az:
                continue
            t = max(0.0, rise / (bz - az))
            foot = (ax + t * (bx - ax), ay + t * (by - ay), az)
            cut = plan_of(
                ramp_ring(Ramp(ramp.id, ramp.kind, ramp.name, foot, ramp.head, ramp.width))
            )
            found.append(Obstacle(ramp.id, ramp.name, cut, az, bz, ramp.traits))
        return found

    def stops(self, o: Obstacle, low: float, high: float, tall: float) -> bool:
        """Whether an obstacle stops a base that stands at heights from low to high, so tall."""
        if o.impassable:
            if more_than(low, 0.0) and not more_than(o.top, low):
                return False
            return o.bottom < high + tall - TOLERANCE
        return more_than(o.top - low, o.low) and more_than(high + tall, o.bottom)

    def standing_in(self, body: Body, *, on_ramp: bool = False) -> tuple[float, Obstacle] | None:
        """The obstacle that a base is deepest in where it stands, and how deep."""
        r, tall = radius(body), height(body)
        box = (body.x - r, body.y - r, body.x + r, body.y + r)
        worst: tuple[float, Obstacle] | None = None
        for o in self.near(box) if on_ramp else self.beside(box, body.z, tall):
            depth = r + o.plan.depth(body.x, body.y)
            if depth <= TOLERANCE or (worst is not None and depth <= worst[0]):
                continue
            if self.stops(o, body.z, body.z, tall):
                worst = (depth, o)
        return worst

    # Sheer surfaces.

    def features(self, box: Box, *, climbable: bool = True) -> list[Sheer]:
        """Sheer surfaces near a box: those that can be climbed, or all but IMPASSABLE ones."""
        found = [
            Sheer(o.entry, o.bottom, o.top, o.plan)
            for o in self.near(box)
            if not o.impassable and not (climbable and UNCLIMBABLE in o.traits)
        ]
        found += faces_near(self.table.faces, box, UNCLIMBABLE if climbable else "")
        return found

    # Sight.

    def screens(self, box: Box) -> list[Prism]:
        """Walls with their openings, and floors, that stand in the way of sight near a box."""
        found = [s for s in self.storeys.solids_near(box) if s.entry in self._walls]
        found += [p for p in self.storeys.plates if p.ground.meets(box)]
        return [Prism(s.ground.region, s.bottom, s.top) for s in found if not s.see_through]

    # Ground.

    def zones_near(self, box: Box) -> list[Zone]:
        """Difficult and Dangerous ground whose box meets a box."""
        return [self.zones[i] for i in self._zone_grid.near(box)]

    def danger_at(self, surface: Surface | None, x: float, y: float, z: float, r: float) -> str:
        """The name of the Dangerous ground a base is in at a place; "" if it is in none."""
        for zone in self.zones_near((x - r, y - r, x + r, y + r)):
            if zone.dangerous and zone.lies(surface, z):
                inside = (
                    zone.shape.share(x, y, r) > 0.5 + TOLERANCE
                    if self.half_area
                    else zone.shape.depth(x, y) > TOLERANCE
                )
                if inside:
                    return zone.name
        return ""

    def danger_under(self, body: Body) -> str:
        """The name of the Dangerous ground a model stands in; "" if it stands in none."""
        surface = self.storeys.support(body.x, body.y, body.z, TOLERANCE)
        return self.danger_at(surface, body.x, body.y, body.z, radius(body))

    def support(self, surface: Surface, x: float, y: float, r: float) -> float:
        """The share of a base on a surface that the surface, or one within a step, carries."""
        z = surface.height(x, y)
        box = (x - r, y - r, x + r, y + r)
        share = 0.0
        for other in self.storeys.near(box):
            off = abs(other.height(x, y) - z)
            if other is surface or not more_than(off, self.step(surface, other)):
                share += _share(other.outer, x, y, r) - sum(
                    _share(hole, x, y, r) for hole in other.holes
                )
        return share


def _share(plan: Plan, x: float, y: float, r: float) -> float:
    whole = math.pi * r * r
    if plan.ring is not None:
        return disc_ring_area(x, y, r, plan.ring) / whole
    assert plan.circle is not None
    cx, cy, reach = plan.circle
    return disc_disc_area(math.hypot(x - cx, y - cy), r, reach) / whole


def _traits(entry: object) -> frozenset[str]:
    traits: frozenset[str] = getattr(entry, "traits", frozenset())
    if isinstance(entry, Piece) and entry.kind == TRENCH:
        return traits | {TRENCH}
    return traits


def _shape(plan: Plan, piece: Piece) -> Shape:
    circle = None if plan.circle is None else Disc(*plan.circle)
    return Shape(piece, plan.ring, circle, plan.box)


def _zones(table: Battlefield) -> Iterable[Zone]:
    for piece in table.pieces:
        slow, risky = piece.has("difficult"), piece.has("dangerous")
        if not (slow or risky) or piece.has("impassable"):
            continue
        # Ground on top of a block lies there, not inside it; low ground is gone through.
        bottom = piece.top if piece.has(SOLID) else piece.bottom
        for o in piece.outlines:
            shape = _shape(plan_of(o), piece)
            yield Zone(shape, piece.id, piece.name, bottom, piece.top, slow, risky)
    ways: tuple[Floor | Ramp, ...] = (*table.floors, *table.ramps)
    for entry in ways:
        slow, risky = entry.has("difficult"), entry.has("dangerous")
        if not (slow or risky):
            continue
        stand_in = Piece(entry.id, entry.kind, entry.name, ())
        if isinstance(entry, Ramp):
            plans = [plan_of(ramp_ring(entry))]
            bottom, top = entry.foot[2], entry.head[2]
        else:
            plans, bottom, top = [plan_of(o) for o in entry.outlines], entry.z, entry.z
        for plan in plans:
            shape = _shape(plan, stand_in)
            yield Zone(shape, entry.id, entry.name, bottom, top, slow, risky, surface=entry.id)


def built(table: Battlefield) -> bool:
    """Whether a table has storeys, walls or tops to stand on: whether heights matter on it."""
    found = table.prepared.get("trench-crusade built")
    if not isinstance(found, bool):
        found = bool(table.structures) or any(
            p.has(SOLID) or p.has(STANDABLE) for p in table.pieces
        )
        table.prepared["trench-crusade built"] = found
    return found


def in_space(state: State, body: Body, path: LegPath = ()) -> bool:
    """Whether a move is measured in three dimensions: on a built table, in the air, up or down."""
    return (
        built(state.table)
        or flies(body)
        or body.z != 0.0
        or any(leg.how != "walk" or leg.z is not None for leg in path)
    )


def heights_of(state: State) -> Heights:
    """The prepared terrain of a state's table."""
    half = state.options.get("terrain_in") == "half_area"
    key = f"trench-crusade heights {half}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Heights):
        found = state.table.prepared[key] = Heights(state.table, half)
    return found


def on_table(surface: Surface | None) -> bool:
    """Whether a surface is the table itself."""
    return surface is not None and surface.id == TABLE
