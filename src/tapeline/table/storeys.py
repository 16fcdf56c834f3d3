"""What follows from the terrain of a table in three dimensions: surfaces, edges, solids, support.

    storeys = storeys_of(table)
    storeys.support(4.0, 5.0, 3.0, 1e-6)      # the surface a centre at (4, 5) and height 3 is over
    storeys.below(4.0, 5.0, 3.0)              # the next one under it
    storeys.edges(surface)                    # where it ends, and what lies beyond

Surfaces of the same height that meet are one surface. Pieces with the trait "solid" stand in the
way; the tops of those with "standable" are surfaces. Worked out once for each table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from tapeline.geometry.plane.distance import Ring, sides_of
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Leg, Line, Point
from tapeline.table.outlines import Area, cut_out, joined, straightened, without_holes
from tapeline.table.solids import Ground, Solid, ground_of, grounds_of, wall_solids
from tapeline.table.terrain import Battlefield, Circle, Ladder, Piece, Polygon, Ramp
from tapeline.work import count_work

__all__ = [
    "SOLID",
    "STANDABLE",
    "TABLE",
    "UNCLIMBABLE",
    "Edge",
    "Storeys",
    "Surface",
    "ramp_between",
    "ramp_ring",
    "storeys_of",
]


#: The id of the surface that is the table itself.
TABLE = "table"
#: Places of which is remembered what is over them.
_PLACES = 8192
#: Traits with a meaning for every system that has storeys.
SOLID, STANDABLE, UNCLIMBABLE = "solid", "standable", "unclimbable"

#: Length: what lies nearer is the same place; two heights no farther apart are one.
_SAME = 1e-9
#: Length beyond an edge at which is looked what lies there.
_BEYOND = 1e-6


@dataclass(frozen=True, slots=True)
class Surface:
    """What bases stand on: an outline without its holes, level or sloped.

    id: TABLE, or the id of the first entry it is made of; two surfaces of one entry have #2, #3
    added. entries: ids of the terrain it belongs to. z: its height, of a ramp that of its foot.
    """

    id: str
    entries: tuple[str, ...]
    outer: Ground
    holes: tuple[Ground, ...] = ()
    z: float = 0.0
    ramp: Ramp | None = None

    @property
    def plans(self) -> tuple[Ground, ...]:
        """Its outline and its holes."""
        return (self.outer, *self.holes)

    @property
    def is_convex(self) -> bool:
        """Whether a straight line between two places of it never leaves it."""
        ring = self.outer.ring
        if self.holes or ring is None:
            return not self.holes
        sides = list(sides_of(ring))
        turns = [
            (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            for (ax, ay, bx, by), (cx, cy, dx, dy) in pairwise([*sides, sides[0]])
        ]
        return min(turns) >= 0.0 or max(turns) <= 0.0

    def depth(self, x: float, y: float, most: float = math.inf) -> float:
        """How deep a point of the plan is inside; negative outside and over a hole. most: as of
        `Ground.depth`."""
        inside = self.outer.depth(x, y, most)
        for hole in self.holes:
            inside = min(inside, -hole.depth(x, y, most))
        return inside

    def height(self, x: float, y: float) -> float:
        """The height at a point of the plan."""
        ramp = self.ramp
        if ramp is None:
            return self.z
        ux, uy, run = self._along
        t = ((x - ramp.foot[0]) * ux + (y - ramp.foot[1]) * uy) / run
        return ramp.foot[2] + min(1.0, max(0.0, t)) * (ramp.head[2] - ramp.foot[2])

    def heights(self, x: float, y: float, far: float) -> tuple[float, float]:
        """The least and the greatest height within a length of a point of the plan."""
        if self.ramp is None:
            return self.z, self.z
        ux, uy, _ = self._along
        dx, dy = far * ux, far * uy
        return self.height(x - dx, y - dy), self.height(x + dx, y + dy)

    @property
    def _along(self) -> tuple[float, float, float]:
        assert self.ramp is not None
        (ax, ay, _), (bx, by, _) = self.ramp.foot, self.ramp.head
        run = math.hypot(bx - ax, by - ay)
        return (bx - ax) / run, (by - ay) / run, run

    @property
    def top(self) -> float:
        """Its greatest height."""
        return self.z if self.ramp is None else self.ramp.head[2]

    def marks(self, leg: Leg, slack: float) -> list[float]:
        """Lengths of a leg between which it is over the surface or off it; its ends among them.

        slack: corners as near as that to the leg count as on it.
        """
        return sorted(set().union(*(plan.marks(leg, slack) for plan in self.plans)))

    def leaves(self, leg: Leg, slack: float) -> float | None:
        """The first length of a leg at which it goes off by more than slack."""
        for begin, end in pairwise(self.marks(leg, slack)):
            if end - begin > _SAME and (
                self.depth(*leg.at(0.5 * (begin + end)), slack) < -slack
                or self.depth(*leg.at(end), slack) < -slack
            ):
                return begin
        return None

    def enters(self, leg: Leg, slack: float) -> float | None:
        """The first length of a leg at which it is over the surface."""
        marks = self.marks(leg, slack)
        for k, s in enumerate(marks):
            if self.depth(*leg.at(s), slack) >= -slack:
                return s
            if k + 1 == len(marks):
                return None
            if self.depth(*leg.at(0.5 * (s + marks[k + 1])), slack) >= -slack:
                return s
        return None

    def borders(self) -> Iterator[tuple[float, float, float, float, float, float]]:
        """Straight borders: ax, ay, bx, by and the unit normal that leads off (no circles)."""
        for ground, sign in ((self.outer, 1.0), *((hole, -1.0) for hole in self.holes)):
            for ax, ay, bx, by in sides_of(ground.ring or ()):
                d = math.hypot(bx - ax, by - ay)
                yield ax, ay, bx, by, sign * (by - ay) / d, -sign * (bx - ax) / d


@dataclass(frozen=True, slots=True)
class Edge:
    """A straight piece of the border of a surface, and what lies beyond it.

    nx, ny: unit normal that leads off. beyond: the surface a base that goes over would come to, at
    most as high; None where a solid rises above the surface there, whose entry is `against`.
    """

    surface: Surface
    ax: float
    ay: float
    bx: float
    by: float
    nx: float
    ny: float
    beyond: Surface | None
    against: str = ""

    @property
    def length(self) -> float:
        """Its length on the plan."""
        return math.hypot(self.bx - self.ax, self.by - self.ay)

    def at(self, t: float) -> Point:
        """The point at a share of its length."""
        return self.ax + t * (self.bx - self.ax), self.ay + t * (self.by - self.ay)

    def drop(self, x: float, y: float) -> float:
        """How far down what lies beyond is at a point of the edge; 0 against a solid."""
        if self.beyond is None:
            return 0.0
        return self.surface.height(x, y) - self.beyond.height(x, y)


@dataclass(slots=True)
class _Layer:
    """Things on the plan by place."""

    boxes: list[Box]
    grid: Grid = field(init=False)

    def __post_init__(self) -> None:
        self.grid = Grid(self.boxes)

    def near(self, box: Box) -> list[int]:
        return self.grid.near(box)


class Storeys:
    """A table in three dimensions. Make it with `storeys_of`."""

    def __init__(self, table: Battlefield) -> None:
        self.table = table
        solids: list[Solid] = []
        for piece in table.pieces:
            if piece.has(SOLID) and piece.top > piece.bottom:
                solids += [
                    Solid(piece.id, ground, piece.bottom, piece.top, piece.traits)
                    for ground in grounds_of(piece.outlines)
                ]
        for wall in table.walls:
            solids += wall_solids(wall)
        #: Blocks and walls; floors are among `plates`.
        self.solids = tuple(solids)
        self.surfaces = tuple(_surfaces(table))
        self._solids = _Layer([solid.ground.box for solid in self.solids])
        self._surfaces = _Layer([surface.outer.box for surface in self.surfaces])
        self._by_id = {surface.id: surface for surface in self.surfaces}
        self._edges: dict[str, tuple[Edge, ...]] = {}
        self._over: dict[tuple[float, float, float], list[Surface]] = {}

    @cached_property
    def plates(self) -> tuple[Solid, ...]:
        """Floors as thin solids, their holes cut out and their hatches not."""
        found: list[Solid] = []
        for floor in self.table.floors:
            outlines = [o.corners for o in floor.outlines]
            for area in cut_out(outlines, [h.corners for h in floor.holes]):
                found += [
                    Solid(floor.id, ground_of(r), floor.z - floor.thickness, floor.z, floor.traits)
                    for r in without_holes(area)
                ]
        return tuple(found)

    @cached_property
    def parts(self) -> dict[tuple[str, float, float], list[Ring]]:
        """The rings of all parts of what blocks and floors were cut from: by entry, from and to
        what height."""
        found: dict[tuple[str, float, float], list[Ring]] = {}
        for part in (*self.solids, *self.plates):
            if part.ground.ring:
                found.setdefault((part.entry, part.bottom, part.top), []).append(part.ground.ring)
        return found

    @cached_property
    def opaque(self) -> tuple[Solid, ...]:
        """What blocks sight: blocks, walls without their windows, floors without their holes."""
        return tuple(solid for solid in (*self.solids, *self.plates) if not solid.see_through)

    @property
    def ground(self) -> Surface:
        """The surface that is the table."""
        return self.surfaces[0]

    def surface(self, surface_id: str) -> Surface:
        """A surface by id; KeyError if there is none."""
        return self._by_id[surface_id]

    # What stands where.

    def solids_near(self, box: Box) -> list[Solid]:
        """Blocks and parts of walls whose box on the plan meets a box."""
        return [self.solids[i] for i in self._solids.near(box)]

    def near(self, box: Box) -> list[Surface]:
        """Surfaces whose box on the plan meets a box."""
        return [self.surfaces[i] for i in self._surfaces.near(box)]

    def over(self, x: float, y: float, slack: float) -> list[Surface]:
        """Surfaces that a point of the plan is over, the highest first."""
        known = self._over.get((x, y, slack))
        if known is None:
            box = (x - slack, y - slack, x + slack, y + slack)
            found = [self.surfaces[i] for i in self._surfaces.near(box)]
            found = [surface for surface in found if surface.depth(x, y, slack) >= -slack]
            known = sorted(found, key=lambda surface: -surface.height(x, y))
            if len(self._over) >= _PLACES:
                self._over.clear()
            self._over[x, y, slack] = known
        return [*known]

    def support(self, x: float, y: float, z: float, slack: float) -> Surface | None:
        """The surface at a height under a point of the plan."""
        for surface in self.over(x, y, slack):
            if abs(surface.height(x, y) - z) <= slack:
                return surface
        return None

    def below(self, x: float, y: float, z: float, slack: float = _SAME) -> Surface | None:
        """The next surface lower than a height by more than slack; None off the table."""
        for surface in self.over(x, y, slack):
            if surface.height(x, y) < z - slack:
                return surface
        return None

    def ladder_at(self, x: float, y: float, z: float, slack: float) -> Ladder | None:
        """The ladder or rope on which a point is, between its foot and its head."""
        for ladder in self.table.ladders:
            (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
            t = (z - az) / (bz - az)
            if -slack <= (z - az) and (z - bz) <= slack:
                px, py = ax + t * (bx - ax), ay + t * (by - ay)
                if math.hypot(x - px, y - py) <= slack:
                    return ladder
        return None

    # Edges.

    def edges(self, surface: Surface) -> tuple[Edge, ...]:
        """The straight border of a surface in pieces beyond which lies one and the same.

        The border of the table is none, and neither is that of a circle: ask `beyond` there.
        """
        found = self._edges.get(surface.id)
        if found is None:
            found = () if surface.id == TABLE else tuple(self._cut(surface))
            self._edges[surface.id] = found
        return found

    def beyond(self, surface: Surface, x: float, y: float) -> tuple[Surface | None, str]:
        """What lies at a point just off a surface: the next surface at most as high, or None and
        the entry of the solid that rises there."""
        z = surface.height(x, y)
        for solid in self.solids_near((x, y, x, y)):
            if solid.walk_through or solid.bottom > z + _SAME or solid.top <= z + _SAME:
                continue
            if solid.ground.depth(x, y, 0.0) > 0.0:
                return None, solid.entry
        for other in self.over(x, y, _SAME):
            if other is not surface and other.height(x, y) <= z + _BEYOND:
                return other, ""
        return None, ""

    def _cut(self, surface: Surface) -> Iterator[Edge]:
        for ax, ay, bx, by, nx, ny in surface.borders():
            ox, oy = _BEYOND * nx, _BEYOND * ny
            line = Line(ax + ox, ay + oy, bx + ox, by + oy)
            box = (min(ax, bx) - 1.0, min(ay, by) - 1.0, max(ax, bx) + 1.0, max(ay, by) + 1.0)
            cuts = {0.0, line.length}
            grounds = [solid.ground for solid in self.solids_near(box)]
            for i in self._surfaces.near(box):
                other = self.surfaces[i]
                grounds += other.plans
            for ground in grounds:
                cuts.update(s for span in ground.spans(line) for s in span)
            corners = sum(len(ground.ring or ()) for ground in grounds if ground.rim is None)
            count_work(1 + corners // 8, "the edges of floors")
            marks = sorted(cuts)
            run: tuple[float, float, Surface | None, str] | None = None
            for begin, end in pairwise(marks):
                if end - begin <= _SAME:
                    continue
                here = self.beyond(surface, *line.at(0.5 * (begin + end)))
                if run is not None and (run[2], run[3]) == here:
                    run = (run[0], end, *here)
                    continue
                if run is not None:
                    yield _edge(surface, ax, ay, bx, by, nx, ny, line.length, run)
                run = (begin, end, *here)
            if run is not None:
                yield _edge(surface, ax, ay, bx, by, nx, ny, line.length, run)


def _edge(
    surface: Surface,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    nx: float,
    ny: float,
    length: float,
    run: tuple[float, float, Surface | None, str],
) -> Edge:
    begin, end, beyond, against = run
    t, u = begin / length, end / length
    first = (ax, ay) if begin == 0.0 else (ax + t * (bx - ax), ay + t * (by - ay))
    last = (bx, by) if end == length else (ax + u * (bx - ax), ay + u * (by - ay))
    return Edge(surface, *first, *last, nx, ny, beyond, against)


def ramp_ring(ramp: Ramp) -> tuple[Point, Point, Point, Point]:
    """Corners of a ramp on the plan, counter-clockwise: foot right, head right, head left, foot
    left as one goes up."""
    (ax, ay, _), (bx, by, _) = ramp.foot, ramp.head
    run = math.hypot(bx - ax, by - ay)
    half = 0.5 * ramp.width / run
    wx, wy = -(by - ay) * half, (bx - ax) * half
    return (ax - wx, ay - wy), (bx - wx, by - wy), (bx + wx, by + wy), (ax + wx, ay + wy)


def ramp_between(ramp: Ramp, low: float, high: float) -> Ring | None:
    """What of a ramp lies between two heights; None if nothing does."""
    (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
    t, u = (min(1.0, max(0.0, (z - az) / (bz - az))) for z in (low, high))
    if t >= u:
        return None
    foot, head = ((ax + s * (bx - ax), ay + s * (by - ay), az) for s in (t, u))
    return tuple(c for corner in ramp_ring(replace(ramp, foot=foot, head=head)) for c in corner)


def _surfaces(table: Battlefield) -> Iterator[Surface]:
    w, d = table.width, table.depth
    corners = ((0.0, 0.0), (w, 0.0), (w, d), (0.0, d))
    yield Surface(TABLE, (), ground_of(corners))
    parts: list[tuple[float, str, Area]] = []
    round_tops: list[tuple[float, Piece, Circle]] = []
    for piece in table.pieces:
        if piece.has(SOLID) and piece.has(STANDABLE):
            parts += [
                (piece.top, piece.id, (o.corners, ()))
                for o in piece.outlines
                if isinstance(o, Polygon)
            ]
            round_tops += [(piece.top, piece, o) for o in piece.outlines if isinstance(o, Circle)]
    for floor in table.floors:
        # A hole is one of its own floor: another floor may lie in it.
        outlines, holes = [o.corners for o in floor.outlines], [h.corners for h in floor.holes]
        areas = cut_out(outlines, holes) if holes else [(o, ()) for o in outlines]
        parts += [(floor.z, floor.id, area) for area in areas]
    heights: list[float] = []
    for z in sorted(part[0] for part in parts):
        if not heights or z > heights[-1] + _SAME:
            heights.append(z)
    taken: dict[str, int] = {}

    def name(entry: str) -> str:
        taken[entry] = taken.get(entry, 0) + 1
        return entry if taken[entry] == 1 else f"{entry}#{taken[entry]}"

    for z in heights:
        here = [part for part in parts if abs(part[0] - z) <= _SAME]
        whole = joined([area for _, _, area in here]) if len(here) > 1 else [((0,), here[0][2])]
        for of, (outer, inner) in whole:
            entries = tuple(dict.fromkeys(here[i][1] for i in of))
            plan, *gaps = (ground_of(straightened(ring)) for ring in (outer, *inner))
            yield Surface(name(entries[0]), entries, plan, tuple(gaps), z)
    for z, piece, circle in round_tops:
        yield Surface(name(piece.id), (piece.id,), ground_of(circle), (), z)
    for ramp in table.ramps:
        yield Surface(name(ramp.id), (ramp.id,), ground_of(ramp_ring(ramp)), (), ramp.foot[2], ramp)


def storeys_of(table: Battlefield) -> Storeys:
    """The table in three dimensions, worked out once."""
    found = table.prepared.get("storeys")
    if not isinstance(found, Storeys):
        found = table.prepared["storeys"] = Storeys(table)
    return found
