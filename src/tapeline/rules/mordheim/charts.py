"""The ground as levels, links and portals for one size of base: where a charge may run.

Every surface is a level. Stairs are levels of their own that slope; ladders are links charged their
height; edges lead down, one base radius off; gaps of up to 3 inches are crossed as level ground
between two edges. Prepared once for each table, size and reading; each search puts in the bodies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tapeline.engine.charting import Charting
from tapeline.engine.limits import TOLERANCE, closer_than, more_than
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.level import Level, fence
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.mordheim.figures import (
    CONTACT_RISE_IN,
    GAP_IN,
    GAP_RISE_IN,
    JUMP_DOWN_IN,
)
from tapeline.rules.mordheim.ground import ground_of
from tapeline.rules.mordheim.standing import without
from tapeline.rules.mordheim.state import (
    footprint,
    height,
    may_climb,
    movement,
    radius,
    touching_at_start,
)
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import box_of
from tapeline.table.storeys import TABLE, Edge, Surface
from tapeline.travel.crossings import faces_under
from tapeline.travel.terrain import Terrain

__all__ = ["Chart", "Gap", "chart_of", "discs_of", "gone_round", "peopled"]

Point: TypeAlias = tuple[float, float]

#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-7


class Gap(NamedTuple):
    """A gap between two surfaces: their ids, and the edges jumped from and landed on."""

    start: str
    end: str
    near: Line
    far: Line


@dataclass(frozen=True)
class Chart:
    """Levels for one size of base. surfaces: those that are levels, by id."""

    ground: Terrain
    levels: Levels
    surfaces: dict[str, Surface]
    gaps: dict[str, Gap] = field(default_factory=dict)


def chart_of(state: State, body: Body, *, climb: bool = False) -> Chart:
    """The chart for a model. climb: with what it touched when the phase began to be climbed, as
    far as it climbs that (MH-CLIMB-1, -6)."""
    ground = ground_of(state)
    climb = climb and may_climb(body)
    touched = frozenset(touching_at_start(body)) if climb else frozenset()
    highest = movement(body) if touched else 0.0
    key = ("chart", radius(body), height(body), touched, highest)
    found = ground.kept.get(key)
    if not isinstance(found, Chart):
        found = ground.kept[key] = _Charting(
            ground, radius(body), height(body), touched, highest
        ).chart()
    return found


def gone_round(state: State, body: Body) -> list[Body]:
    """Other bodies that a way goes round: all, or all but friends (`pass_through`)."""
    passes = state.option("pass_through") == "friends"
    return [other for other in state.others(body) if not (passes and other.side == body.side)]


def peopled(
    chart: Chart, radius_: float, others: Iterable[Body], target: Body | None = None
) -> Levels:
    """The levels with bodies on them that are in the way of a base of a radius.

    target: is gone to; it is in the way of landings, and not on stairs, where it is met.
    """
    levels = chart.levels
    by_surface: dict[str, Field] = {}
    everyone = [*others] if target is None else [*others, target]
    for other in everyone:
        less = _LESS if other is target else 0.0
        for surface in chart.ground.storeys.near(_around(other)):
            if surface.id not in chart.surfaces or (less and surface.ramp is not None):
                continue
            z = surface.height(other.x, other.y)
            if not closer_than(abs(z - other.z), CONTACT_RISE_IN):
                continue
            level = levels.level(surface.id)
            put = by_surface.get(surface.id, level.field)
            for k, (x, y, r) in enumerate(discs_of(other)):
                own = level.own(x, y)
                if level.slope is not None:
                    # Two discs of the plan meet farther off along the slope.
                    r = (r + radius_) * level.slope.factor - radius_
                put = put.added(f"{other.id}:{k}", *own, r - less)
            by_surface[surface.id] = put
    for name, changed in by_surface.items():
        levels = levels.with_field(name, changed)
    return levels


def _around(body: Body) -> tuple[float, float, float, float]:
    r = body.base.reach
    return body.x - r, body.y - r, body.x + r, body.y + r


def discs_of(body: Body) -> Iterator[tuple[float, float, float]]:
    """A base as discs: a round one as it is, a rectangle covered from inside by a row of them."""
    base = body.base
    if not isinstance(base, Rectangle):
        yield body.x, body.y, base.radius
        return
    rect = footprint(body)
    small, large = sorted((base.width, base.depth))
    along = base.depth >= base.width
    count = max(1, math.ceil(large / small))
    for k in range(count):
        s = (k + 0.5) / count * large - 0.5 * large
        s = max(-0.5 * (large - small), min(0.5 * (large - small), s))
        x, y = rect.world(s, 0.0) if along else rect.world(0.0, s)
        yield x, y, 0.5 * small
    for x, y in rect.corners:
        yield x, y, 0.0


class _Charting(Charting):
    """Makes a chart."""

    def __init__(
        self, ground: Terrain, r: float, tall: float, touched: frozenset[str], highest: float
    ) -> None:
        super().__init__(ground.storeys, r)
        self.ground, self.tall, self.touched, self.highest = ground, tall, touched, highest
        self.gaps: dict[str, Gap] = {}

    def chart(self) -> Chart:
        levels = [self._level(surface) for surface in self.surfaces.values()]
        for surface in self.surfaces.values():
            if surface.ramp is not None:
                self.ramp_ends(surface)
            elif surface.id != TABLE:
                self._edges(surface)
        for ladder in self.ground.table.ladders:
            self.ladder(ladder, ladder.head[2] - ladder.foot[2])
        self._all_gaps()
        made = Levels([*levels, *self.air], self.links, self.portals)
        return Chart(self.ground, made, self.surfaces, self.gaps)

    def leaning(self, box: Box, z: float) -> list[Plan]:
        found = self.ground.with_plates(box)
        return [s.ground for s in found if self.ground.takes_room(s, z, self.tall)]

    # Levels.

    def _level(self, surface: Surface) -> Level:
        reach, ramp = self.around(surface), surface.ramp
        if ramp is not None:
            solids = self.ground.in_way(reach, surface, ramp.foot[2], ramp.head[2], self.tall)
            return self.slope(surface, [solid.ground for solid in solids])
        z = surface.z
        solids = self.ground.in_way(reach, surface, z, z, self.tall)
        rings, posts = self.obstacles([solid.ground for solid in solids])
        grounds: list[list[float]] = []
        if surface.id != TABLE:
            assert surface.outer.ring is not None
            grounds += fence(surface.outer.ring, 2.0 * self.r + 2.0)
        grounds += [list(hole.ring) for hole in surface.holes if hole.ring is not None]
        made = Field.of(solids=rings, posts=posts, grounds=grounds, box=reach)
        return Level(surface.id, made, z)

    # Edges: steps, drops, climbs.

    def _edges(self, surface: Surface) -> None:
        for edge in self.storeys.edges(surface):
            if edge.beyond is None or edge.beyond.id not in self.surfaces:
                continue
            if self.ground.low(edge.drop(*edge.at(0.5))):
                if edge.beyond.ramp is None:
                    a, b = edge.at(0.0), edge.at(1.0)
                    self.portal("step", (surface.id, a, b), (edge.beyond.id, a, b), both=True)
                continue
            self._drops(surface, edge)
            self._climbs(surface, edge)

    def _drops(self, surface: Surface, edge: Edge) -> None:
        """Down over an edge, to the nearest place off it that keeps the base clear of what stands
        below: straight down, or as far off as a face under the edge demands, one base radius at
        most (3.10)."""
        ends = Line(*edge.at(0.0), *edge.at(1.0))
        for off in self._shifts(edge):
            line, parts = self.strip(edge, off)
            for begin, end, below in parts:
                drop = surface.z - below.z
                if self.ground.low(drop) or more_than(drop, JUMP_DOWN_IN):
                    continue
                for a, b in self._landed(ends, line, (begin, end), off, below):
                    t, u = a / line.length, b / line.length
                    lower = (below.id, line.at(a), line.at(b))
                    self.portal("drop", (surface.id, edge.at(t), edge.at(u)), lower)

    def _shifts(self, edge: Edge) -> list[float]:
        """How far off an edge a base may have to land for faces that run along it, inches."""
        found = {0.0, self.r}
        (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
        for solid in self.ground.with_plates(box_of(Line(ax, ay, bx, by), self.r)):
            ring = solid.ground.ring or ()
            for k in range(0, len(ring), 2):
                sides = (ring[k - 2], ring[k - 1]), (ring[k], ring[k + 1])
                offs = [(x - ax) * edge.nx + (y - ay) * edge.ny for x, y in sides]
                if abs(offs[0] - offs[1]) <= TOLERANCE and 0.0 < offs[0] + self.r < self.r:
                    found.add(offs[0] + self.r)
        return sorted(found)

    def _landed(
        self, edge: Line, line: Line, span: tuple[float, float], off: float, below: Surface
    ) -> list[tuple[float, float]]:
        """Lengths of an edge from which a base lands on a line beside it, so far off: there it is
        clear, and nowhere nearer, since what stands below is nearer to the edge than its radius by
        just that much."""
        near: list[tuple[float, float]] = []
        gone: list[tuple[float, float]] = []
        left = self.r - off
        for solid in self.ground.beside(box_of(edge, 2.0 * self.r), below.z, self.tall):
            if not self.ground.takes_room(solid, below.z, self.tall):
                continue
            gone += solid.ground.spans_near(line, self.r)
            near += solid.ground.spans_near(edge, left + 2.0 * TOLERANCE)
            if off > 0.0 and left > 2.0 * TOLERANCE:
                gone += solid.ground.spans_near(edge, left - 2.0 * TOLERANCE)
        free = without([span], gone)
        return without(free, without([(0.0, edge.length)], near)) if off > 0.0 else free

    def _climbs(self, surface: Surface, edge: Edge) -> None:
        """Up to an edge by climbing, from one base radius off it."""
        line, parts = self.strip(edge, self.r)
        for begin, end, below in parts:
            drop = surface.z - below.z
            if self.ground.low(drop) or more_than(drop, self.highest):
                continue
            t, u = begin / line.length, end / line.length
            if self._climbable(edge.at(0.5 * (t + u)), surface.z, below.z):
                lower = (below.id, line.at(begin), line.at(end))
                self.portal("climb", lower, (surface.id, edge.at(t), edge.at(u)), drop)

    def _climbable(self, edge: Point, level: float, z: float) -> bool:
        faces = faces_under(self.ground, *edge, level, z)
        return any(face.entry in self.touched for face in faces)

    # Gaps.

    def _all_gaps(self) -> None:
        level = [s for s in self.surfaces.values() if s.ramp is None and s.id != TABLE]
        edges = {
            s.id: [
                e
                for e in self.storeys.edges(s)
                if e.beyond is not None and not self.ground.low(e.drop(*e.at(0.5)))
            ]
            for s in level
        }
        may = (
            (here, there)
            for here in level
            for there in level
            if closer_than(there.z - here.z, GAP_RISE_IN)
            and not more_than(here.z - there.z, JUMP_DOWN_IN)
        )
        for edge, far in self.facing(edges, may):
            self._gap(edge, far)

    def _gap(self, edge: Edge, far: Edge) -> None:
        """A level across a gap between two edges that face each other."""
        ring = self.across(edge, far, GAP_IN)
        if ring is None:
            return
        z, name = edge.surface.z, f"gap {len(self.air)}"
        solids = self.ground.with_plates(self.round_ring(ring))
        stopping = [s.ground for s in solids if self.ground.stops(s, z, z, self.tall)]
        self.in_the_air(name, ring, z, stopping)
        gap = Gap(
            edge.surface.id,
            far.surface.id,
            Line(*edge.at(0.0), *edge.at(1.0)),
            Line(*far.at(0.0), *far.at(1.0)),
        )
        self.gaps[name] = gap
        for kind, here, there, line in (
            ("take off", gap.start, name, gap.near),
            ("land", name, gap.end, gap.far),
        ):
            self.portal(kind, (here, line.start, line.end), (there, line.start, line.end))
