"""The ground as levels, links and portals for one size of base: where a charge may run.

Every surface is a level, stairs and ramps are levels that slope, ladders and ropes links charged
their length. Over a ledge leads a strip one base radius wide, over a gap a level between its lips;
a Climb is a portal charged its height. Prepared once for each table, size and reading.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TypeAlias

from tapeline.engine.charting import SPECK, Charting
from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.level import Level, fence
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.trench_crusade.figures import JUMP_SHARE, LOW_OBSTACLE_IN
from tapeline.rules.trench_crusade.heights import heights_of
from tapeline.rules.trench_crusade.state import height, may_leave_table, movement, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground, Solid
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Edge, Surface
from tapeline.table.terrain import Wall
from tapeline.travel.crossings import faces_under
from tapeline.travel.terrain import Terrain

__all__ = ["Chart", "chart_of"]

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Chart:
    """Levels for one size of base. surfaces: those that are levels, by id; air: levels that are
    not stood on: strips beyond ledges, and gaps."""

    heights: Terrain
    levels: Levels
    surfaces: dict[str, Surface]
    air: frozenset[str]


def chart_of(state: State, body: Body, forbid: frozenset[str]) -> Chart:
    """The chart for a model that will not do some things: climb, jump, jump_down, dangerous."""
    heights = heights_of(state)
    widest = JUMP_SHARE * movement(state, body)
    free = may_leave_table(body)
    hang = state.option("edge_overhang") == "under_half"
    key = ("chart", radius(body), height(body), widest, free, hang, forbid)
    found = heights.kept.get(key)
    if not isinstance(found, Chart):
        made = _Charting(heights, radius(body), height(body), widest, forbid)
        found = heights.kept[key] = made.chart(math.inf if free else radius(body) if hang else 0.0)
    return found


def _ring_of(danger: Ground) -> list[float]:
    """Dangerous ground as a ring; a circle by corners close round it."""
    return list(danger.ring) if danger.ring is not None else danger.turned(0.0)


class _Charting(Charting):
    """Makes a chart."""

    def __init__(
        self, heights: Terrain, r: float, tall: float, widest: float, forbid: frozenset[str]
    ) -> None:
        super().__init__(heights.storeys, r)
        self.heights, self.tall, self.widest = heights, tall, widest
        self.forbid = forbid

    def chart(self, over_edge: float) -> Chart:
        """over_edge: how far a base may hang over the edge of the table."""
        levels = [self._level(surface, over_edge) for surface in self.surfaces.values()]
        for surface in self.surfaces.values():
            if surface.ramp is not None:
                self.ramp_ends(surface)
            elif surface.id != TABLE:
                for edge in self.storeys.edges(surface):
                    if edge.beyond is not None and edge.beyond.id in self.surfaces:
                        self._edge(surface, edge, edge.beyond)
        for ladder in self.heights.table.ladders:
            self.ladder(ladder, math.dist(ladder.foot, ladder.head))
        if "climb" not in self.forbid:
            for wall in self.heights.table.walls:
                self._over(wall)
        if "jump" not in self.forbid:
            self._gaps()
        made = Levels([*levels, *self.air], self.links, self.portals)
        return Chart(self.heights, made, self.surfaces, frozenset(a.id for a in self.air))

    def leaning(self, box: Box, z: float) -> list[Ground]:
        return self._stopping(self.heights.near(box), z, z)

    # Levels.

    def _stopping(self, found: Iterable[Solid], low: float, high: float) -> list[Ground]:
        return [o.ground for o in found if self.heights.stops(o, low, high, self.tall)]

    def _level(self, surface: Surface, over_edge: float) -> Level:
        reach, ramp = self.around(surface), surface.ramp
        if ramp is not None:
            found = self.heights.in_way(reach, surface, ramp.foot[2], ramp.head[2], self.tall)
            dangers = map(_ring_of, self._dangers(surface))
            return self.slope(surface, [o.ground for o in found], dangers)
        z = surface.z
        found = self.heights.in_way(reach, surface, z, z, self.tall)
        rings, posts = self.obstacles([o.ground for o in found])
        grounds: list[list[float]] = []
        if surface.id == TABLE:
            x0, y0, x1, y1 = surface.outer.box
            reach = (x0 - over_edge, y0 - over_edge, x1 + over_edge, y1 + over_edge)
        else:
            assert surface.outer.ring is not None
            grounds += fence(surface.outer.ring, 2.0 * self.r + 2.0)
        grounds += [list(hole.ring) for hole in surface.holes if hole.ring is not None]
        for danger in self._dangers(surface):
            if danger.circle is not None and danger.circle[2] >= self.r:
                x, y, far = danger.circle
                posts.append((x, y, far - self.r))  # for the centre a disc, as for level ground
            else:
                grounds.append(_ring_of(danger))
        made = Field.of(solids=rings, posts=posts, grounds=grounds, box=reach)
        return Level(surface.id, made, z)

    def _dangers(self, surface: Surface) -> Iterable[Ground]:
        """Dangerous ground that is gone round."""
        if "dangerous" not in self.forbid:
            return
        for zone in self.heights.patches_near(surface.outer.box):
            if zone.hazard and zone.lies(surface, surface.z):
                yield zone.plan

    def _air(self, ring: list[float], z: float, name: str) -> str:
        """A level in the air over a ring."""
        found = self.heights.near(self.round_ring(ring))
        self.in_the_air(name, ring, z, self._stopping(found, z, z))
        return name

    # Edges: steps, jumps down, climbs.

    def _edge(self, surface: Surface, edge: Edge, beyond: Surface) -> None:
        a, b = edge.at(0.0), edge.at(1.0)
        if not more_than(edge.drop(*edge.at(0.5)), self.heights.step(surface, beyond)):
            if beyond.ramp is None:
                self.portal("step", (surface.id, a, b), (beyond.id, a, b), both=True)
            return
        line, parts = self.strip(edge, self.r + self._ledge_beyond(edge, surface.z))
        ledge = ""
        for begin, end, below in parts:
            drop = surface.z - below.z
            if not more_than(drop, self.heights.step(surface, below)):
                continue
            lower = (below.id, line.at(begin), line.at(end))
            if "jump_down" not in self.forbid:
                if not ledge:
                    ring = [*a, *b, line.bx, line.by, line.ax, line.ay]
                    ledge = self._air(_positive(ring), surface.z, f"ledge {len(self.air)}")
                    self.portal("ledge", (surface.id, a, b), (ledge, a, b))
                self.portal("drop", (ledge, line.at(begin), line.at(end)), lower)
            if "climb" not in self.forbid:
                t, u = begin / line.length, end / line.length
                middle = edge.at(0.5 * (t + u))
                if faces_under(self.heights, *middle, surface.z, below.z):
                    upper = (surface.id, self._inside(edge, t), self._inside(edge, u))
                    self.portal("climb", lower, upper, drop, both=True)

    def _inside(self, edge: Edge, t: float) -> Point:
        """A place of an edge, one base radius in from it."""
        x, y = edge.at(t)
        return x - self.r * edge.nx, y - self.r * edge.ny

    def _ledge_beyond(self, edge: Edge, z: float) -> float:
        """How far what carries a floor stands out beyond its edge."""
        x, y = edge.at(0.5)
        far = 0.0
        ahead = Line(x, y, x + 2.0 * edge.nx, y + 2.0 * edge.ny)
        for o in self.heights.near((x, y, x, y)):
            carries = not more_than(abs(o.top - z), LOW_OBSTACLE_IN)  # else it is a step below
            spans = o.ground.spans(ahead) if carries else []
            if spans and spans[0][0] <= TOLERANCE and not self.heights.is_barred(o):
                far = max(far, spans[0][1])
        return far

    def _over(self, wall: Wall) -> None:
        """Climbs over a wall that stands free, where it is whole."""
        if UNCLIMBABLE in wall.traits or "impassable" in wall.traits:
            return
        off = self.r + 0.5 * wall.thickness
        for (ax, ay), (bx, by), gone, till in wall.straights():
            d = till - gone
            ux, uy = (bx - ax) / d, (by - ay) / d
            cuts = {0.0, d}
            for o in wall.openings:
                cuts |= {min(d, max(0.0, s - gone)) for s in (o.start, o.end)}
            for begin, end in pairwise(sorted(cuts)):
                middle = gone + 0.5 * (begin + end)
                whole = not any(o.start < middle < o.end for o in wall.openings)
                if whole and end - begin > SPECK:
                    sides = [
                        tuple(
                            (ax + s * ux - k * off * uy, ay + s * uy + k * off * ux)
                            for s in (begin, end)
                        )
                        for k in (1.0, -1.0)
                    ]
                    self._over_part(wall, sides[0], sides[1])

    def _over_part(self, wall: Wall, left: tuple[Point, ...], right: tuple[Point, ...]) -> None:
        def on(side: tuple[Point, ...]) -> Surface | None:
            x, y = 0.5 * (side[0][0] + side[1][0]), 0.5 * (side[0][1] + side[1][1])
            found = self.at_height(x, y, wall.bottom)
            return found[0] if found and found[0].ramp is None else None

        one, two = on(left), on(right)
        rise = wall.top - wall.bottom
        if one is None or one is not two:
            return
        if more_than(rise, self.heights.step(one)) and "trench" not in wall.traits:
            start, end = (one.id, left[0], left[1]), (two.id, right[0], right[1])
            self.portal("climb", start, end, 2.0 * rise, both=True)

    # Gaps.

    def _gaps(self) -> None:
        level = [s for s in self.surfaces.values() if s.ramp is None and s.id != TABLE]
        edges = {
            s.id: [
                e
                for e in self.storeys.edges(s)
                if e.beyond is not None and more_than(e.drop(*e.at(0.5)), self.heights.step(s))
            ]
            for s in level
        }
        for edge, far in self.facing(edges, product(level, level)):
            self._gap(edge, far)

    def _gap(self, edge: Edge, far: Edge) -> None:
        """A level across a gap between two edges that face each other."""
        ring = self.across(edge, far, self.widest)
        if ring is None:
            return
        z, over = edge.surface.z, far.surface.z
        name = self._air(ring, max(z, over), f"gap {len(self.air)}")
        inner = (self._inside(edge, 0.0), self._inside(edge, 1.0))
        self.portal("take off", (edge.surface.id, *inner), (name, edge.at(0.0), edge.at(1.0)))
        inner = (self._inside(far, 0.0), self._inside(far, 1.0))
        rise = max(0.0, over - z)
        landing = (name, far.at(0.0), far.at(1.0))
        self.portal("jump", landing, (far.surface.id, *inner), rise)


def _positive(ring: list[float]) -> list[float]:
    """A ring counter-clockwise."""
    area = sum(ring[i - 2] * ring[i + 1] - ring[i] * ring[i - 1] for i in range(0, len(ring), 2))
    if area > 0.0:
        return ring
    return [v for i in range(len(ring) - 2, -1, -2) for v in (ring[i], ring[i + 1])]
