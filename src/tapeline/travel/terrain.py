"""The terrain of a table as bases that walk meet it, prepared once for each policy.

Heights decide what matters to a base that stands at one: a solid stops it if it rises by more than
a step above its feet and begins below its head. What a walker runs into, what reach and routes go
round and where a base may come to stand are all taken from the one list of solids here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.bases import base_shape
from tapeline.engine.kept import Kept
from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, same, within
from tapeline.errors import Fault
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Leg, Line, box_of
from tapeline.geometry.plane.sweeps import Approach, Span
from tapeline.geometry.rectangles.rectangle import separation
from tapeline.table.bodies import Body, Round
from tapeline.table.sheer import Sheer, faces_near, run_over
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, grounds_of, wall_solids, wall_stretch
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import (
    SOLID,
    STANDABLE,
    UNCLIMBABLE,
    Edge,
    Surface,
    ramp_ring,
    storeys_of,
)
from tapeline.table.terrain import (
    Battlefield,
    Face,
    Floor,
    Ladder,
    Opening,
    Outline,
    Piece,
    Polygon,
    Ramp,
    Wall,
    box_about,
)
from tapeline.travel.route import shares_between

__all__ = ["Door", "Patch", "SlowKind", "Terrain", "TerrainPolicy", "spans_in", "sunk_into"]


class SlowKind(NamedTuple):
    """A trait of slow ground: how many times its length counts, and by what clause."""

    trait: str
    factor: float
    clause: str


@dataclass(frozen=True, slots=True)
class TerrainPolicy:
    """What terrain means to a rule system under its readings.

    height: of a model. step: up to what height things are gone over without a climb, table units;
    step_included: whether that very height still is; steps: others for what has a trait, or is a
    piece of that kind; stands_on_low: whether a base may end on what it goes over.
    barred: trait of ground that nobody passes at any height; "" if there is none. low_piece:
    whether a piece that is no solid carries a base on top. slow: kinds of slow ground, the worst
    first; hazard: trait of ground that needs a roll; half_area: whether ground counts for a base by
    more than half of its area, and not by its centre.
    steep: whether a base may be at the foot of a ramp that rises more than a step under it.
    walls_are_ground: whether a wall that is gone over may be slow or need a roll, as a piece may.
    """

    height: Callable[[Body], float]
    step: float
    step_included: bool
    stands_on_low: bool
    slow: tuple[SlowKind, ...]
    steps: tuple[tuple[str, float], ...] = ()
    barred: str = ""
    low_piece: Callable[[Piece], bool] | None = None
    hazard: str = ""
    half_area: bool = False
    steep: bool = False
    walls_are_ground: bool = False


@dataclass(frozen=True, slots=True)
class Patch:
    """Slow or dangerous ground at heights from bottom to top; surface: only on that floor or ramp.

    factor: what its length counts, by a clause; 1 if it is not slow. hazard: whether it needs a
    roll.
    """

    entry: str
    name: str
    plan: Plan
    bottom: float
    top: float
    factor: float
    clause: str
    hazard: bool
    surface: str = ""

    def lies(self, surface: Surface | None, z: float) -> bool:
        """Whether it lies on a surface at a height."""
        if self.surface:
            return surface is not None and self.surface in surface.entries
        return self.bottom - TOLERANCE <= z <= self.top + TOLERANCE

    def lies_along(
        self, surface: Surface, length: float, start_z: float, end_z: float
    ) -> tuple[float, float] | None:
        """From which length to which of a leg on a surface it lies there; None if it does nowhere.

        On a slope: where the base is at its height.
        """
        if start_z == end_z or self.surface:
            return (0.0, length) if self.lies(surface, start_z) else None
        found = shares_between(start_z, end_z, self.bottom, self.top)
        return None if found is None else (found[0] * length, found[1] * length)


#: What has a top that is stood on.
BLOCK = frozenset({SOLID, STANDABLE})
#: Corners on the rim of a round surface between which it is stepped on to.
_RIM = 8
#: Length off an edge at which is looked what lies beyond.
_BEYOND = 1e-6
#: How many answers about ramps are remembered of a table: places on slopes are without number.
_REMEMBERED = 1024


class Door(NamedTuple):
    """The place of a door or gap in a wall on the plan."""

    opening: Opening
    plan: Plan


class Terrain:
    """A table under one policy. Boxes are on the plan; `tall` is how tall a base is."""

    def __init__(self, table: Battlefield, policy: TerrainPolicy) -> None:
        self.table, self.policy = table, policy
        self.storeys = storeys_of(table)
        self.entries = {entry.id: entry for entry in table.entries}
        self.patches = tuple(_patches(table, policy))
        self._patch_grid = Grid([patch.plan.box for patch in self.patches])
        self._ramps = [(ramp, plan_of(ramp_ring(ramp))) for ramp in table.ramps]
        self._ramp_grid = Grid([plan.box for _, plan in self._ramps])
        self._steps: dict[str, float] = {}
        for trait, step in policy.steps:
            for entry in table.entries:
                of_kind = isinstance(entry, Piece) and entry.kind == trait
                if of_kind or trait in getattr(entry, "traits", ()):
                    self._steps[entry.id] = step
        #: What is no solid and yet stood on.
        self.low_tops = [
            Solid(piece.id, plan_of(outline), piece.bottom, piece.top, piece.traits)
            for piece in table.pieces
            if policy.low_piece and policy.low_piece(piece)
            for outline in piece.outlines
        ]
        barred = [p for p in table.pieces if policy.barred in p.traits and SOLID not in p.traits]
        self._barred = [
            Solid(piece.id, plan_of(outline), piece.bottom, piece.top, piece.traits)
            for piece in barred
            for outline in piece.outlines
        ]
        # Nobody comes on to such a floor, as into a pool on one, nor on to such stairs.
        self._barred += [
            Solid(floor.id, plan_of(outline), floor.z, floor.z, floor.traits)
            for floor in table.floors
            if policy.barred in floor.traits
            for outline in floor.outlines
        ]
        self._barred += [
            Solid(ramp.id, plan, ramp.foot[2], ramp.head[2], ramp.traits)
            for ramp, plan in self._ramps
            if policy.barred in ramp.traits
        ]
        self._barred_grid = Grid([solid.ground.box for solid in self._barred])
        #: Which solids ramps lead to; parts of ramps that stand in the way.
        self._led_to, self._cut = Kept(_REMEMBERED), Kept(_REMEMBERED)
        #: Charts for routes, by what they depend on.
        self.kept: dict[object, object] = {}
        self._edges: dict[str, tuple[Edge, ...]] = {}

    def name(self, entry: str) -> str:
        """The name of a piece of terrain."""
        found = self.entries.get(entry)
        return entry if found is None else found.name

    def idle_faults(self) -> Iterator[Fault]:
        """Ladders, ropes and faces with traits of ground: no rule says what these come to there."""
        policy = self.policy
        ground = {policy.barred, policy.hazard, *(kind.trait for kind in policy.slow)}
        for entry in self.table.entries:
            if isinstance(entry, Ladder | Face):
                kind = entry.kind if isinstance(entry, Ladder) else "face"
                for trait in sorted(ground & entry.traits):
                    text = f"{trait!r} is a trait of ground; a {kind} is climbed the same with it"
                    yield Fault(f"{self.table.where(entry.id)}.traits", text)

    # Steps.

    def step(self, *surfaces: Surface) -> float:
        """The height up to which a base goes from one of the surfaces to the other."""
        found = [self._steps[e] for s in surfaces for e in s.entries if e in self._steps]
        return max(found, default=self.policy.step)

    def low(self, rise: float, *surfaces: Surface) -> bool:
        """Whether a base goes over a height, on or off surfaces, without a climb."""
        limit = self.step(*surfaces)
        return within(rise, limit) if self.policy.step_included else closer_than(rise, limit)

    def steps_up(self, surface: Surface, x: float, y: float, z: float) -> Surface | None:
        """What lies at a place as high as a base that comes from a surface, or a step higher: it
        goes on to that there, not down past it."""
        for other in self.storeys.over(x, y, 0.0):
            rise = other.height(x, y) - z
            if other is not surface and within(0.0, rise) and self.low(rise, surface, other):
                return other
        return None

    def edges(self, surface: Surface) -> tuple[Edge, ...]:
        """The straight border of a surface in pieces beyond which lies one and the same; nothing
        lies beyond where a floor or a ramp is a step higher there: it goes on with that."""
        found = self._edges.get(surface.id)
        if found is None:
            edges = self.storeys.edges(surface)
            pieces = (piece for edge in edges for piece in self._but_steps_up(edge))
            found = self._edges[surface.id] = tuple(pieces)
        return found

    def _but_steps_up(self, edge: Edge) -> Iterator[Edge]:
        """An edge in pieces, nothing beyond those at which something lies a step higher."""
        surface, low = edge.surface, min(edge.surface.z, edge.surface.top)
        x, y = (_BEYOND * n for n in (edge.nx, edge.ny))
        line = Line(edge.ax + x, edge.ay + y, edge.bx + x, edge.by + y)
        steps = list[tuple[float, float, str]]()
        for other in self.storeys.near(box_of(line, 0.0)) if edge.beyond is not None else ():
            if other is not surface and more_than(other.top, low) and other.entries:
                spans = self._up_to(line, surface, other)
                steps += [(begin, end, other.entries[0]) for begin, end in spans]
        if not steps:
            yield edge
            return
        cuts = sorted({0.0, line.length, *(s for step in steps for s in step[:2])})
        for begin, end in pairwise(cuts):
            if end - begin <= TOLERANCE:
                continue
            (ax, ay), (bx, by) = edge.at(begin / line.length), edge.at(end / line.length)
            piece = replace(edge, ax=ax, ay=ay, bx=bx, by=by)
            half = 0.5 * (begin + end)
            up = next((entry for one, two, entry in steps if one <= half <= two), None)
            yield piece if up is None else replace(piece, beyond=None, against=up)

    def _up_to(self, line: Line, surface: Surface, other: Surface) -> Iterator[Span]:
        """Lengths of a line just off a surface at which another is there, a step higher; a ramp of
        which the foot is no higher than that stands in the way at any height."""
        step = self.step(surface, other)
        step -= 0.0 if self.policy.step_included else 2.0 * TOLERANCE
        if other.ramp is not None and self.low(other.z - surface.top, surface, other):
            step = math.inf
        for begin, end in pairwise(other.marks(line, 0.0)):
            if end - begin <= TOLERANCE or other.depth(*line.at(0.5 * (begin + end))) < 0.0:
                continue
            first, last = (
                other.height(*line.at(s)) - surface.height(*line.at(s)) for s in (begin, end)
            )
            if abs(first - last) <= TOLERANCE:
                if more_than(first, 0.0) and within(first, step):
                    yield begin, end
                continue
            shares = shares_between(first, last, 0.0, step)
            if shares is not None:
                yield begin + shares[0] * (end - begin), begin + shares[1] * (end - begin)

    def step_over(self, solid: Solid) -> float:
        """Up to what height above the feet a solid is gone over."""
        for trait, step in self.policy.steps:
            if trait in solid.traits:
                return step
        return self.policy.step

    def under(self, body: Body) -> Surface | None:
        """What carries a model, be it by way of a low obstacle that it stands on."""
        x, y, z = body.x, body.y, body.z
        found = self.storeys.support(x, y, z, TOLERANCE)
        if found is not None:
            return found
        for low in self.low_tops:
            if abs(low.top - z) <= 2.0 * TOLERANCE and low.ground.depth(x, y) >= -TOLERANCE:
                return self.storeys.support(x, y, low.bottom, TOLERANCE)
        return None

    def goes_from(self, body: Body) -> Surface | None:
        """What a model begins to go on: what carries it, or the ramp that is a step above it there,
        as it is over the low end of one."""
        here = self.under(body)
        for other in self.storeys.over(body.x, body.y, TOLERANCE) if here is not None else ():
            rise = other.height(body.x, body.y) - body.z
            if other.ramp is not None and more_than(rise, 0.0) and self.low(rise, other):
                return other
        return None if here is None else self.off_rim(here, body.x, body.y)

    def within_rim(self, surface: Surface) -> list[tuple[float, float]]:
        """Corners on the rim of a round surface."""
        assert surface.outer.circle is not None
        x, y, r = surface.outer.circle
        turns = (math.tau * k / _RIM for k in range(_RIM))
        return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]

    def off_rim(self, surface: Surface, x: float, y: float) -> Surface:
        """A surface, or what lies a step below it for who stands close to the rim of a round one,
        beyond the lines between corners on it."""
        if surface.outer.circle is None:
            return surface
        cx, cy, r = surface.outer.circle
        below = self.storeys.below(x, y, surface.z, TOLERANCE)
        inner = math.hypot(x - cx, y - cy) < r * math.cos(math.pi / _RIM)
        if inner or below is None or below.ramp is not None:
            return surface
        return below if self.low(surface.z - below.z, surface, below) else surface

    # Solids.

    def near(self, box: Box) -> list[Solid]:
        """Blocks, walls and ground that nobody passes near a box, but for shut doors."""
        found = [solid for solid in self.storeys.solids_near(box) if not solid.walk_through]
        if self._barred:
            found += [self._barred[i] for i in self._barred_grid.near(box)]
        return found

    def plates(self, box: Box) -> list[Solid]:
        """Floors as solids, to who stands under them."""
        return [self._plates[i] for i in self._plate_grid.near(box)]

    @cached_property
    def _plates(self) -> tuple[Solid, ...]:
        # A floor is never barred ground: who is on it is not in it.
        bare = {self.policy.barred}
        return tuple(
            plate if bare.isdisjoint(plate.traits) else replace(plate, traits=plate.traits - bare)
            for plate in self.storeys.plates
        )

    @cached_property
    def _plate_grid(self) -> Grid:
        return Grid([plate.ground.box for plate in self._plates])

    def with_plates(self, box: Box) -> list[Solid]:
        """Solids near a box, floors too."""
        return [*self.near(box), *self.plates(box)]

    def beside(self, box: Box, z: float, tall: float, r: float = 0.0) -> list[Solid]:
        """Solids near a box to who stands at a height on no ramp: floors and parts of ramps too. r:
        of a base that may be at the foot of one."""
        return [*self.near(box), *self.plates(box), *self._wedges(box, z, tall, r)]

    def gone_on(self, ramp: Ramp, z: float, r: float) -> float:
        """The height up to which a ramp does not stand in the way of a base at a height: a step, or
        what of it a base at its foot reaches over."""
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        high = z + self.policy.step
        if not self.policy.steep or not self.low(abs(az - z)):
            return high
        return max(high, az + r * (bz - az) / math.hypot(bx - ax, by - ay))

    def _wedges(self, box: Box, z: float, tall: float, r: float) -> Iterator[Solid]:
        """Parts of ramps near a box that stand in the way of a base at a height beside them."""
        for ramp in (self._ramps[i][0] for i in self._ramp_grid.near(box)):
            (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
            if more_than(az, z + tall) or self.low(bz - z):
                continue
            t = min(1.0, max(0.0, (self.gone_on(ramp, z, r) - az) / (bz - az)))
            if (1.0 - t) * math.hypot(bx - ax, by - ay) > TOLERANCE:
                yield self._cut.once(ramp, t, partial(self._cut_at, ramp, t))

    def _cut_at(self, ramp: Ramp, t: float) -> Solid:
        """A ramp beyond a share of its plan."""
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        cut = replace(ramp, foot=(ax + t * (bx - ax), ay + t * (by - ay), az))
        traits = ramp.traits - {self.policy.barred}
        return Solid(ramp.id, plan_of(ramp_ring(cut)), az, bz, traits)

    def is_barred(self, solid: Solid) -> bool:
        """Whether nobody passes a solid however low it is."""
        return self.policy.barred in solid.traits

    def stops(self, solid: Solid, low: float, high: float, tall: float) -> bool:
        """Whether a solid stops a base that stands at heights from low to high."""
        if solid.walk_through or not more_than(high + tall, solid.bottom):
            return False
        if self.is_barred(solid):
            flat = same(solid.top, solid.bottom) and same(solid.top, low)  # a pool on a roof
            return flat or not more_than(low, 0.0) or more_than(solid.top, low)
        rise, step = solid.top - low, self.step_over(solid)
        return more_than(rise, step) if self.policy.step_included else not closer_than(rise, step)

    def in_way(
        self, box: Box, surface: Surface, low: float, high: float, tall: float, r: float = 0.0
    ) -> list[Solid]:
        """What stops a base that goes on a surface at heights from low to high: on a ramp neither
        floors that it leads through or up to, nor what else it leads up to."""
        if surface.ramp is None:
            return [o for o in self.beside(box, low, tall, r) if self.stops(o, low, high, tall)]
        return [
            o
            for o in self.on_ramp(box, surface.ramp)
            if self.stops(o, low, high, tall) and not self._leads_to(surface.ramp, o)
        ]

    def on_ramp(self, box: Box, ramp: Ramp) -> list[Solid]:
        """Solids near a box to who is on a ramp: floors more than a step above its head too."""
        above = (p for p in self.plates(box) if not self.low(p.top - ramp.head[2]))
        return [*self.near(box), *above]

    def run_into(
        self, solids: Iterable[Solid], leg: Leg, r: float, start_z: float, end_z: float, tall: float
    ) -> Iterator[tuple[Solid, Leg, float, Approach]]:
        """What of the solids in its way a base of radius r runs into on a leg between two heights.

        Of each the part of the leg on which it is at the height of the base, the length before
        that part, and where the part comes nearest to it.
        """
        for solid in solids:
            part, before = leg, 0.0
            if start_z != end_z:
                top = solid.top - (0.0 if self.is_barred(solid) else self.step_over(solid))
                found = shares_between(start_z, end_z, solid.bottom - tall, top)
                if found is None:
                    continue
                before = found[0] * leg.length
                part = leg.part(before, found[1] * leg.length)
            if solid.ground.clear_of(part, r):
                continue
            near = solid.ground.nearest_to(part)
            if overlaps(r - near.distance):
                yield solid, part, before, near

    def _leads_to(self, ramp: Ramp | None, solid: Solid) -> bool:
        """Whether a ramp leads up to the top of a solid that may be entered, or on its way there
        into one that stands flush with such a one."""
        if ramp is None or self.is_barred(solid) or not same(solid.top, ramp.head[2]):
            return False
        return self._led_to.once(solid, ramp.id, partial(self._leads_into, ramp, solid))

    def _leads_into(self, ramp: Ramp, solid: Solid) -> bool:
        """The same of a solid as high as the head of the ramp."""
        x, y, z = ramp.head
        if solid.ground.depth(x, y) >= -TOLERANCE:
            return True
        line = Line(x, y, *ramp.foot[:2])
        box = box_of(line, 0.0)
        if not solid.ground.meets(box):
            return False
        tops = [Sheer(o.entry, o.bottom, z, o.ground) for o in self.near(box) if same(o.top, z)]
        return any(top.plan is solid.ground for top in run_over(tops, line, TOLERANCE)[1])

    def takes_room(self, solid: Solid, z: float, tall: float) -> bool:
        """Whether a base cannot stand at a height where a solid is."""
        if self.policy.stands_on_low:
            return self.stops(solid, z, z, tall)
        above = more_than(solid.top, z) and more_than(z + tall, solid.bottom)
        return above and not solid.walk_through

    def overlapped(
        self, body: Body, *, on: Ramp | None = None, barriers: bool = True
    ) -> tuple[float, Solid] | None:
        """The solid that a base is deepest in where it stands, and how deep: a low one where its
        centre is, which would be on top.

        on: a ramp that it stands on; floors that it leads through, ramps beside and what it leads
        up to do not count. barriers: low ones count too.
        """
        far, tall = body.base.reach, self.policy.height(body)
        box = (body.x - far, body.y - far, body.x + far, body.y + far)
        worst: tuple[float, Solid] | None = None
        for solid in self.on_ramp(box, on) if on else self.beside(box, body.z, tall, far):
            taken = self.takes_room(solid, body.z, tall) and not self._leads_to(on, solid)
            if not taken and (on or not self._lifts(solid, body)):
                continue
            if not barriers and self.low(solid.top - body.z):
                continue
            depth = sunk_into(body, solid.ground)
            if depth > TOLERANCE and (worst is None or depth > worst[0]):
                worst = (depth, solid)
        return worst or (None if on or self.policy.stands_on_low else self._in_ramp(body))

    @staticmethod
    def headroom(solid: Solid, z: float) -> float | None:
        """The height that a solid leaves above a place; None for what comes down to it, and for a
        window."""
        above = more_than(solid.bottom, z) and not solid.see_through
        return solid.bottom - z if above else None

    def _in_ramp(self, body: Body) -> tuple[float, Solid] | None:
        """The ramp less than a step above the middle of a base: it would be on that. How deep it is
        in it on the plan."""
        for other in self.storeys.over(*body.centre, 0.0):
            ramp, depth = other.ramp, other.depth(*body.centre)
            rise = other.height(*body.centre) - body.z
            if ramp is not None and overlaps(depth) and more_than(rise, 0.0) and self.low(rise):
                return depth, Solid(ramp.id, other.outer, other.z, other.top, ramp.traits)
        return None

    def rises(self, solid: Solid, z: float) -> bool:
        """Whether a block at a height has a top above that: who comes over it is on it."""
        return solid.traits >= BLOCK and within(solid.bottom, z) and more_than(solid.top, z)

    def _lifts(self, solid: Solid, body: Body) -> bool:
        """Whether the centre of a base is over a block whose top is above its feet."""
        x, y = body.centre
        if not self.rises(solid, body.z) or not overlaps(solid.ground.depth(x, y)):
            return False
        top = self.storeys.support(x, y, solid.top, TOLERANCE)
        return top is not None and self.off_rim(top, x, y) is top

    # Sheer surfaces.

    def features(self, box: Box, *, climbable: bool = True) -> list[Sheer]:
        """Sheer surfaces near a box: those that can be climbed, or all but barred ones."""
        found = [
            Sheer(solid.entry, solid.bottom, solid.top, solid.ground)
            for solid in self.climbed_near(box)
            if not self.is_barred(solid) and not (climbable and UNCLIMBABLE in solid.traits)
        ]
        found += faces_near(self.table.faces, box, UNCLIMBABLE if climbable else "")
        return found

    @cached_property
    def _windowed(self) -> frozenset[str]:
        """The walls with windows, which are climbed as if they had none."""
        return frozenset(
            wall.id
            for wall in self.table.walls
            if any(opening.kind == "window" for opening in wall.openings)
        )

    @cached_property
    def _filled(self) -> tuple[tuple[Solid, ...], Grid]:
        """These walls without their windows."""
        solids = tuple(
            solid
            for wall in self.table.walls
            if wall.id in self._windowed
            for solid in wall_solids(
                replace(wall, openings=tuple(o for o in wall.openings if o.kind != "window"))
            )
            if not solid.walk_through
        )
        return solids, Grid([solid.ground.box for solid in solids])

    def climbed_near(self, box: Box) -> list[Solid]:
        """What stands near a box, walls without their windows."""
        filled, grid = self._filled
        solids = [solid for solid in self.near(box) if solid.entry not in self._windowed]
        return solids + [filled[k] for k in grid.near(box)]

    @cached_property
    def climbed(self) -> list[Solid]:
        """All that may be climbed over: solids but shut doors, walls without their windows."""
        solids = self.storeys.solids
        whole = [s for s in solids if not s.walk_through and s.entry not in self._windowed]
        return [*whole, *self._filled[0]]

    def climbed_to(self, solid: Solid, x: float, y: float) -> float:
        """The top of what is climbed at the part of a solid nearest to a place: of a wall with
        windows, over these."""
        if solid.entry not in self._windowed:
            return solid.top
        at = solid.ground.nearest(x, y)
        return max(
            solid.top,
            *(
                wall.top
                for wall in self._filled[0]
                if wall.entry == solid.entry
                and wall.bottom <= solid.bottom
                and wall.ground.depth(*at) >= -TOLERANCE
            ),
        )

    # Ground and doors.

    def patches_near(self, box: Box) -> list[Patch]:
        """Slow and dangerous ground whose box meets a box."""
        return [self.patches[i] for i in self._patch_grid.near(box)]

    def dangers_at(
        self, surface: Surface | None, x: float, y: float, z: float, r: float
    ) -> Iterator[Patch]:
        """The dangerous ground a base is in at a place."""
        for patch in self.patches_near((x - r, y - r, x + r, y + r)):
            if not patch.hazard or not patch.lies(surface, z):
                continue
            half = patch.plan.share(x, y, r) - 0.5 if self.policy.half_area else None
            if (patch.plan.depth(x, y) if half is None else half) > TOLERANCE:
                yield patch

    def danger_at(self, surface: Surface | None, x: float, y: float, z: float, r: float) -> str:
        """The name of the dangerous ground a base is in at a place; "" if it is in none."""
        return next((patch.name for patch in self.dangers_at(surface, x, y, z, r)), "")

    def hazards_off(self, body: Body, beyond: bool = False) -> frozenset[int]:
        """Which patches are dangerous ground that a model is not in, so that it can go round it.

        beyond: without those either that touch what it is in, or each other from there on.
        """
        inside = [*self._dangers_under(body)] if self._hazards else []
        off = {k for k in self._hazards if not any(self.patches[k] is patch for patch in inside)}
        while beyond and inside:
            plan = inside.pop().plan
            touched = {k for k in off if self.patches[k].plan.apart(plan) <= TOLERANCE}
            inside += (self.patches[k] for k in touched)
            off -= touched
        return frozenset(off)

    @cached_property
    def _hazards(self) -> frozenset[int]:
        return frozenset(k for k, patch in enumerate(self.patches) if patch.hazard)

    def hazards_near(self, box: Box, among: frozenset[int]) -> list[Patch]:
        """Those of some patches whose box meets a box."""
        return [self.patches[k] for k in self._patch_grid.near(box) if k in among] if among else []

    def danger_under(self, body: Body) -> str:
        """The name of the dangerous ground a model stands in; "" if it stands in none."""
        return next((patch.name for patch in self._dangers_under(body)), "")

    def _dangers_under(self, body: Body) -> Iterator[Patch]:
        """The dangerous ground a model stands in."""
        surface = self.storeys.support(body.x, body.y, body.z, TOLERANCE)
        return self.dangers_at(surface, body.x, body.y, body.z, body.base.reach)

    def support(self, surface: Surface, x: float, y: float, r: float) -> float:
        """The share of a base on a surface that the surface, or one within a step, carries."""
        z = surface.height(x, y)
        share = 0.0
        for other in self.storeys.near((x - r, y - r, x + r, y + r)):
            if other is surface or self.low(abs(other.height(x, y) - z), surface, other):
                share += other.outer.share(x, y, r) - sum(h.share(x, y, r) for h in other.holes)
        return share

    def doors_near(self, box: Box) -> list[Door]:
        """Doors and gaps in walls whose box meets a box."""
        doors, grid = self._doors
        return [doors[i] for i in grid.near(box)]

    @cached_property
    def _doors(self) -> tuple[tuple[Door, ...], Grid]:
        doors = tuple(
            Door(opening, plan_of(wall_stretch(wall, opening.start, opening.end)))
            for wall in self.table.walls
            for opening in wall.openings
            if opening.kind != "window"
        )
        return doors, Grid([door.plan.box for door in doors])


class _Lying(NamedTuple):
    """The outlines of an entry that is slow or dangerous, and where they lie, as of a patch."""

    entry: Piece | Wall | Floor | Ramp
    outlines: Sequence[Outline]
    bottom: float
    top: float
    surface: str
    factor: float
    clause: str
    hazard: bool

    def counts_as(self, other: _Lying) -> bool:
        """Whether ground that is both may go for the other: it lies wherever that lies."""
        there = self.bottom <= other.bottom and other.top <= self.top
        alike = other.factor in (1.0, self.factor) and (self.hazard or not other.hazard)
        return there and alike and self.surface == other.surface


def _patches(table: Battlefield, policy: TerrainPolicy) -> Iterator[Patch]:
    """Slow and dangerous ground. By the centre of a base, what shares a border is one: there is no
    way between along the border."""
    ground = tuple(_lying(table, policy))
    parts = [(o, some) for some in ground for o in some.outlines if isinstance(o, Polygon)]
    grid = Grid([outline.box for outline, _ in parts])
    for some in ground:
        beyond: list[Polygon] = []
        if not policy.half_area:
            x0, y0, x1, y1 = box_about(some.outlines)
            near = grid.near((x0 - TOLERANCE, y0 - TOLERANCE, x1 + TOLERANCE, y1 + TOLERANCE))
            others = (parts[k] for k in near)
            beyond = [o for o, it in others if it is not some and it.counts_as(some)]
        entry, outlines, low, high, surface, factor, clause, hazard = some
        for plan in grounds_of(outlines, beyond):
            yield Patch(entry.id, entry.name, plan, low, high, factor, clause, hazard, surface)


def _lying(table: Battlefield, policy: TerrainPolicy) -> Iterator[_Lying]:
    def of(
        entry: Piece | Wall | Floor | Ramp,
        outlines: Sequence[Outline],
        low: float,
        high: float,
        surface: str,
    ) -> Iterator[_Lying]:
        kinds = [kind for kind in policy.slow if kind.trait in entry.traits]
        hazard = policy.hazard in entry.traits
        if kinds or hazard:
            factor, clause = kinds[0][1:] if kinds else (1.0, "")
            yield _Lying(entry, outlines, low, high, surface, factor, clause, hazard)

    for piece in table.pieces:
        if policy.barred not in piece.traits:
            # Ground on top of a block lies there, not inside it; low ground is gone through.
            bottom = piece.top if SOLID in piece.traits else piece.bottom
            yield from of(piece, piece.outlines, bottom, piece.top, "")
    for wall in table.walls if policy.walls_are_ground else ():
        if policy.barred in wall.traits:
            continue
        parts = [solid for solid in wall_solids(wall) if not solid.walk_through]
        for low, high in sorted({(solid.bottom, solid.top) for solid in parts}):
            level = (s.ground.ring for s in parts if (s.bottom, s.top) == (low, high))
            rings = [Polygon(tuple(zip(r[::2], r[1::2], strict=True))) for r in level if r]
            yield from of(wall, rings, low, high, "")
    for floor in table.floors:
        yield from of(floor, floor.outlines, floor.z, floor.z, floor.id)
    for ramp in table.ramps:
        yield from of(ramp, [Polygon(ramp_ring(ramp))], ramp.foot[2], ramp.head[2], ramp.id)


def spans_in(plan: Plan, leg: Leg, r: float | None) -> list[Span]:
    """Where a centre is deeper in a plan than the tolerance, or with r where more than half of the
    base is; lengths of the leg."""
    if r is not None:
        return plan.spans_half(leg, r)

    def deep(begin: float, end: float) -> bool:
        marks = (begin + f * (end - begin) for f in (0.5, 0.25, 0.75))
        return any(overlaps(plan.depth(*leg.at(s))) for s in marks)

    return [span for span in plan.spans(leg) if deep(*span)]


def sunk_into(body: Body, plan: Plan) -> float:
    """How deep a base stands in a plan, in its true shape; beside it negative, if not by less than
    the tolerance then a bound of how far off it is."""
    apart = body.base.reach + plan.depth(body.x, body.y)
    if isinstance(body.base, Round) or apart <= -TOLERANCE:
        return apart
    found = separation(base_shape(body), plan.region)
    return found.depth - found.gap
