"""The ground as levels, links and portals for one size of base: where a charge may run.

Every surface is a level, stairs and ramps are levels that slope, ladders and ropes links charged
their length. Over a ledge leads a strip one base radius wide, over a gap a level between its lips;
a Climb is a portal charged its height. Prepared once for each table, size and reading.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.levels.levels import Level, Levels, Link, Portal, Slope, fence
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.legs import Line
from tapeline.rules.trench_crusade.figures import JUMP_SHARE
from tapeline.rules.trench_crusade.heights import Heights, Obstacle, heights_of, spans_inside
from tapeline.rules.trench_crusade.state import height, may_leave_table, movement, radius
from tapeline.table.bodies import Body
from tapeline.table.flooring import grown
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Edge, Surface, ramp_ring
from tapeline.table.terrain import Ladder, Wall

__all__ = ["Chart", "chart_of"]

Point: TypeAlias = tuple[float, float]

#: Corners of a polygon in place of a circle.
_ROUND = 48
#: Length: shorter pieces of an edge lead nowhere.
_SPECK = 1e-6
#: Edges that face each other this little, as the cosine between normal and direction, do not.
_FACING = 1e-6


@dataclass(frozen=True)
class Chart:
    """Levels for one size of base. surfaces: those that are levels, by id; air: levels that are
    not stood on: strips beyond ledges, and gaps."""

    heights: Heights
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


def _turned(plan_circle: tuple[float, float, float], more: float) -> list[float]:
    """A polygon round a circle."""
    x, y, r = plan_circle
    far = (r + more) / math.cos(math.pi / _ROUND)
    turns = [math.tau * (k + 0.5) / _ROUND for k in range(_ROUND)]
    return [v for t in turns for v in (x + far * math.cos(t), y + far * math.sin(t))]


class _Charting:
    """Makes a chart."""

    def __init__(
        self, heights: Heights, r: float, tall: float, widest: float, forbid: frozenset[str]
    ) -> None:
        self.heights, self.r, self.tall, self.widest = heights, r, tall, widest
        self.forbid = forbid
        self.storeys = heights.storeys
        self.surfaces = {s.id: s for s in self.storeys.surfaces if s.outer.ring is not None}
        self.links: list[Link] = []
        self.portals: list[Portal] = []
        self.air: list[Level] = []

    def chart(self, over_edge: float) -> Chart:
        """over_edge: how far a base may hang over the edge of the table."""
        levels = [self._level(surface, over_edge) for surface in self.surfaces.values()]
        for surface in self.surfaces.values():
            if surface.ramp is not None:
                self._ramp_ends(surface)
            elif surface.id != TABLE:
                for edge in self.storeys.edges(surface):
                    if edge.beyond is not None and edge.beyond.id in self.surfaces:
                        self._edge(surface, edge, edge.beyond)
        for ladder in self.heights.table.ladders:
            self._ladder(ladder)
        if "climb" not in self.forbid:
            for wall in self.heights.table.walls:
                self._over(wall)
        if "jump" not in self.forbid:
            self._gaps()
        made = Levels([*levels, *self.air], self.links, self.portals)
        return Chart(self.heights, made, self.surfaces, frozenset(a.id for a in self.air))

    # Levels.

    def _level(self, surface: Surface, over_edge: float) -> Level:
        if surface.ramp is not None:
            return self._slope(surface)
        x0, y0, x1, y1 = surface.outer.box
        reach = (x0 - self.r, y0 - self.r, x1 + self.r, y1 + self.r)
        found = [
            *self.heights.near(reach),
            *self.heights.plates(reach),
            *self.heights.wedges(reach, surface.z, self.tall),
        ]
        rings, posts = self._solids(found, surface.z, surface.z)
        grounds: list[list[float]] = []
        if surface.id == TABLE:
            reach = (x0 - over_edge, y0 - over_edge, x1 + over_edge, y1 + over_edge)
        else:
            assert surface.outer.ring is not None
            grounds += fence(surface.outer.ring, 2.0 * self.r + 2.0)
        grounds += [list(hole.ring) for hole in surface.holes if hole.ring is not None]
        grounds += self._dangers(surface)
        made = Field.of(solids=rings, posts=posts, grounds=grounds, box=reach)
        return Level(surface.id, made, surface.z)

    def _dangers(self, surface: Surface) -> Iterable[list[float]]:
        """Dangerous ground that is gone round."""
        if "dangerous" not in self.forbid:
            return
        for zone in self.heights.zones_near(surface.outer.box):
            if zone.dangerous and zone.lies(surface, surface.z):
                shape = zone.shape
                if shape.ring is not None:
                    yield list(shape.ring)
                elif shape.circle is not None:
                    yield _turned(shape.circle, 0.0)

    def _solids(
        self, found: Iterable[Obstacle], low: float, high: float
    ) -> tuple[list[tuple[float, ...]], list[tuple[float, float, float]]]:
        rings, posts = [], []
        for o in found:
            if self.heights.stops(o, low, high, self.tall):
                if o.plan.ring is not None:
                    rings.append(o.plan.ring)
                elif o.plan.circle is not None:
                    posts.append(o.plan.circle)
        return rings, posts

    def _slope(self, surface: Surface) -> Level:
        ramp = surface.ramp
        assert ramp is not None
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        run = math.hypot(bx - ax, by - ay)
        slope = Slope.rising(math.atan2(by - ay, bx - ax), bz - az, run, ax, ay)
        x0, y0, x1, y1 = surface.outer.box
        reach = (x0 - self.r, y0 - self.r, x1 + self.r, y1 + self.r)
        found = [
            o
            for o in self.heights.near(reach)
            if not (abs(o.top - bz) <= TOLERANCE and o.plan.depth(bx, by) >= -TOLERANCE)
        ]
        # A base is a disc on the plan: solids are grown by it there, before they are stretched.
        rings, posts = self._solids(found, az, bz)
        own = [slope.ring(grown(ring, self.r)) for ring in rings]
        own += [slope.ring(_turned(post, self.r)) for post in posts]
        own += [slope.ring(ring) for ring in self._dangers(surface)]
        assert surface.outer.ring is not None
        outline = slope.ring(surface.outer.ring)
        xs, ys = outline[0::2], outline[1::2]
        pad = self.r + 1.0
        bounds = (min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad)
        made = Field.of(grounds=[*fence(outline, 2.0 * pad), *own], box=bounds)
        return Level(surface.id, made, az, slope)

    def _air(self, ring: list[float], z: float, name: str) -> str:
        """A level in the air over a ring, kept free of what stands as high."""
        xs, ys = ring[0::2], ring[1::2]
        reach = (min(xs) - self.r, min(ys) - self.r, max(xs) + self.r, max(ys) + self.r)
        rings, posts = self._solids(self.heights.near(reach), z, z)
        made = Field.of(
            solids=rings, posts=posts, grounds=fence(ring, 2.0 * self.r + 2.0), box=reach
        )
        self.air.append(Level(name, made, z))
        return name

    # Ways.

    def _portal(
        self,
        kind: str,
        start: tuple[str, Point, Point],
        end: tuple[str, Point, Point],
        cost: float = 0.0,
        *,
        both: bool = False,
    ) -> None:
        if math.dist(start[1], start[2]) > _SPECK:
            name = f"{kind} {len(self.portals)}"
            one, two = (start[0], *start[1], *start[2]), (end[0], *end[1], *end[2])
            self.portals.append(Portal(name, kind, one, two, cost, both))

    def _at_height(self, x: float, y: float, z: float, but: str) -> list[Surface]:
        return [
            s
            for s in self.storeys.over(x, y, TOLERANCE)
            if s.id in self.surfaces and s.id != but and abs(s.height(x, y) - z) <= TOLERANCE
        ]

    def _ramp_ends(self, surface: Surface) -> None:
        ramp = surface.ramp
        assert ramp is not None
        foot_right, head_right, head_left, foot_left = ramp_ring(ramp)
        for (x, y, z), a, b in (
            (ramp.foot, foot_right, foot_left),
            (ramp.head, head_right, head_left),
        ):
            for other in self._at_height(x, y, z, surface.id):
                self._portal("stairs", (surface.id, a, b), (other.id, a, b), both=True)

    def _ladder(self, ladder: Ladder) -> None:
        ends: list[tuple[str, float, float]] = []
        for x, y, z in (ladder.foot, ladder.head):
            for surface in self._at_height(x, y, z, ""):
                place = self._beside(x, y, surface)
                if place is not None:
                    ends.append((surface.id, *place))
                    break
        if len(ends) == 2 and ends[0][0] != ends[1][0]:
            length = math.dist(ladder.foot, ladder.head)
            self.links.append(Link(f"ladder {ladder.id}", "ladder", ends[0], ends[1], length))

    def _beside(self, x: float, y: float, surface: Surface) -> Point | None:
        """An end of a ladder, or one base radius off the solid that it leans on."""
        z, end = surface.height(x, y), (x, y)
        box = (x - self.r, y - self.r, x + self.r, y + self.r)
        for o in self.heights.near(box):
            depth = o.plan.depth(x, y)
            if not self.heights.stops(o, z, z, self.tall) or depth <= TOLERANCE - self.r:
                continue
            px, py = o.plan.nearest(x, y)
            dx, dy = (x - px, y - py) if depth < 0.0 else (px - x, py - y)
            d = math.hypot(dx, dy)
            if d <= TOLERANCE:
                dx, dy, d = *_outward(o, px, py), 1.0
            x, y = px + dx / d * self.r, py + dy / d * self.r
        if more_than(math.dist((x, y), end), self.r) or surface.depth(x, y) < -TOLERANCE:
            return None
        return x, y

    # Edges: steps, jumps down, climbs.

    def _edge(self, surface: Surface, edge: Edge, beyond: Surface) -> None:
        a, b = edge.at(0.0), edge.at(1.0)
        if not more_than(edge.drop(*edge.at(0.5)), self.heights.step(surface, beyond)):
            if beyond.ramp is None:
                self._portal("step", (surface.id, a, b), (beyond.id, a, b), both=True)
            return
        off = self.r + self._ledge_beyond(edge, surface.z)
        sx, sy = edge.nx * off, edge.ny * off
        line = Line(a[0] + sx, a[1] + sy, b[0] + sx, b[1] + sy)
        cuts = {0.0, line.length}
        box = (
            min(line.ax, line.bx),
            min(line.ay, line.by),
            max(line.ax, line.bx),
            max(line.ay, line.by),
        )
        for other in self.storeys.near(box):
            for plan in (other.outer, *other.holes):
                cuts.update(s for span in spans_inside(line, plan) for s in span)
        strip = ""
        for begin, end in pairwise(sorted(cuts)):
            if end - begin <= _SPECK:
                continue
            below = self.storeys.below(*line.at(0.5 * (begin + end)), surface.z, TOLERANCE)
            if below is None or below.id not in self.surfaces or below.ramp is not None:
                continue
            drop = surface.z - below.z
            if not more_than(drop, self.heights.step(surface, below)):
                continue
            lower = (below.id, line.at(begin), line.at(end))
            if "jump_down" not in self.forbid:
                if not strip:
                    ring = [*a, *b, line.bx, line.by, line.ax, line.ay]
                    strip = self._air(_positive(ring), surface.z, f"ledge {len(self.air)}")
                    self._portal("ledge", (surface.id, a, b), (strip, a, b))
                self._portal("drop", (strip, line.at(begin), line.at(end)), lower)
            if "climb" not in self.forbid:
                t, u = begin / line.length, end / line.length
                middle = edge.at(0.5 * (t + u))
                if self._sheer(middle, surface.z, below.z):
                    upper = (surface.id, self._inside(edge, t), self._inside(edge, u))
                    self._portal("climb", lower, upper, drop, both=True)

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
            spans = spans_inside(ahead, o.plan) if o.top <= z + 1.0 + TOLERANCE else []
            if spans and spans[0][0] <= TOLERANCE and not o.impassable:
                far = max(far, spans[0][1])
        return far

    def _sheer(self, edge: Point, level: float, z: float) -> bool:
        x, y = edge
        return any(
            f.distance(x, y) <= TOLERANCE
            and abs(f.top - level) <= 1.0 + TOLERANCE
            and f.bottom <= z + 1.0 + TOLERANCE
            for f in self.heights.features((x, y, x, y))
        )

    def _over(self, wall: Wall) -> None:
        """Climbs over a wall that stands free, where it is whole."""
        if UNCLIMBABLE in wall.traits or "impassable" in wall.traits:
            return
        corners = [*wall.line, wall.line[0]] if wall.closed else list(wall.line)
        gone, off = 0.0, self.r + 0.5 * wall.thickness
        for (ax, ay), (bx, by) in pairwise(corners):
            d = math.hypot(bx - ax, by - ay)
            ux, uy = (bx - ax) / d, (by - ay) / d
            cuts = {0.0, d}
            for o in wall.openings:
                cuts |= {min(d, max(0.0, s - gone)) for s in (o.start, o.end)}
            for begin, end in pairwise(sorted(cuts)):
                middle = gone + 0.5 * (begin + end)
                whole = not any(o.start < middle < o.end for o in wall.openings)
                if whole and end - begin > _SPECK:
                    sides = [
                        tuple(
                            (ax + s * ux - k * off * uy, ay + s * uy + k * off * ux)
                            for s in (begin, end)
                        )
                        for k in (1.0, -1.0)
                    ]
                    self._over_part(wall, sides[0], sides[1])
            gone += d

    def _over_part(self, wall: Wall, left: tuple[Point, ...], right: tuple[Point, ...]) -> None:
        def on(side: tuple[Point, ...]) -> Surface | None:
            x, y = 0.5 * (side[0][0] + side[1][0]), 0.5 * (side[0][1] + side[1][1])
            found = self._at_height(x, y, wall.bottom, "")
            return found[0] if found and found[0].ramp is None else None

        one, two = on(left), on(right)
        rise = wall.top - wall.bottom
        if one is None or one is not two:
            return
        if more_than(rise, self.heights.step(one)) and "trench" not in wall.traits:
            start, end = (one.id, left[0], left[1]), (two.id, right[0], right[1])
            self._portal("climb", start, end, 2.0 * rise, both=True)

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
        for here in level:
            for there in level:
                for edge in edges[here.id]:
                    for far in edges[there.id]:
                        if far is not edge:
                            self._gap(edge, far)

    def _gap(self, edge: Edge, far: Edge) -> None:
        """A level across a gap between two edges that face each other."""
        gap, x, y, u, v = segment_segment(
            edge.ax, edge.ay, edge.bx, edge.by, far.ax, far.ay, far.bx, far.by
        )
        if gap <= _SPECK or more_than(gap, self.widest):
            return
        dx, dy = (u - x) / gap, (v - y) / gap
        if dx * edge.nx + dy * edge.ny <= _FACING or -(dx * far.nx + dy * far.ny) <= _FACING:
            return
        hull = _hull([edge.at(0.0), edge.at(1.0), far.at(0.0), far.at(1.0)])
        if len(hull) < 3:
            return
        z, over = edge.surface.z, far.surface.z
        name = self._air(
            [c for corner in hull for c in corner], max(z, over), f"gap {len(self.air)}"
        )
        inner = (self._inside(edge, 0.0), self._inside(edge, 1.0))
        self._portal("take off", (edge.surface.id, *inner), (name, edge.at(0.0), edge.at(1.0)))
        inner = (self._inside(far, 0.0), self._inside(far, 1.0))
        rise = max(0.0, over - z)
        landing = (name, far.at(0.0), far.at(1.0))
        self._portal("jump", landing, (far.surface.id, *inner), rise)


def _positive(ring: list[float]) -> list[float]:
    """A ring counter-clockwise."""
    area = sum(ring[i - 2] * ring[i + 1] - ring[i] * ring[i - 1] for i in range(0, len(ring), 2))
    if area > 0.0:
        return ring
    return [v for i in range(len(ring) - 2, -1, -2) for v in (ring[i], ring[i + 1])]


def _outward(o: Obstacle, x: float, y: float) -> Point:
    """The unit normal of the border of an obstacle at a point of it."""
    for step in range(8):
        t = math.tau * step / 8
        ux, uy = math.cos(t), math.sin(t)
        if o.plan.depth(x + 1e-3 * ux, y + 1e-3 * uy) <= 1e-7 - 1e-3:
            return ux, uy
    return 1.0, 0.0


def _hull(points: list[Point]) -> list[Point]:
    """Convex hull, counter-clockwise, without corners on a straight side."""
    found = sorted(set(points))

    def chain(order: list[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in order:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > _SPECK * _SPECK:
                    break
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return chain(found) + chain(found[::-1]) if len(found) > 2 else []
