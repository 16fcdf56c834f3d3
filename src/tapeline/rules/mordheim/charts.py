"""The ground as levels, links and portals for one size of base: where a charge may run.

Every surface is a level. Stairs are levels of their own that slope; ladders are links charged their
height; edges lead down, one base radius off; gaps of up to 3 inches are crossed as level ground
between two edges. Prepared once for each table, size and reading; each search puts in the bodies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.levels.levels import Level, Levels, Link, Portal, Slope, fence
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.mordheim.features import features_near
from tapeline.rules.mordheim.figures import (
    CONTACT_RISE_IN,
    GAP_IN,
    GAP_RISE_IN,
    JUMP_DOWN_IN,
)
from tapeline.rules.mordheim.ground import Ground, ground_of, spans_inside
from tapeline.rules.mordheim.state import height, radius, touching_at_start
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.flooring import grown
from tapeline.table.solids import Solid
from tapeline.table.storeys import TABLE, Edge, Surface, ramp_ring
from tapeline.table.terrain import Ladder

__all__ = ["Chart", "chart_of", "discs_of", "peopled"]

Point: TypeAlias = tuple[float, float]

#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-7
#: Corners of a polygon in place of a circle that a slope stretches.
_ROUND = 48
#: Length: shorter pieces of an edge lead nowhere.
_SPECK = 1e-6
#: Edges that face each other this little, as the cosine between normal and direction, do not.
_FACING = 1e-6


@dataclass(frozen=True)
class Chart:
    """Levels for one size of base. surfaces: those that are levels, by id."""

    ground: Ground
    levels: Levels
    surfaces: dict[str, Surface]
    gaps: dict[str, tuple[str, str]] = field(default_factory=dict)


def chart_of(state: State, body: Body, *, climb: bool = False) -> Chart:
    """The chart for a model. climb: with what it touched when the phase began to be climbed."""
    ground = ground_of(state)
    touched = frozenset(touching_at_start(body)) if climb else frozenset()
    key = ("chart", radius(body), height(body), touched)
    found = ground.kept.get(key)
    if not isinstance(found, Chart):
        found = ground.kept[key] = _Charting(ground, radius(body), height(body), touched).chart()
    return found


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
    rect = Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)
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


class _Charting:
    """Makes a chart."""

    def __init__(self, ground: Ground, r: float, tall: float, touched: frozenset[str]) -> None:
        self.ground, self.r, self.tall, self.touched = ground, r, tall, touched
        self.storeys = ground.storeys
        self.surfaces = {s.id: s for s in self.storeys.surfaces if s.outer.ring is not None}
        self.links: list[Link] = []
        self.portals: list[Portal] = []
        self.extra: list[Level] = []
        self.gaps: dict[str, tuple[str, str]] = {}

    def chart(self) -> Chart:
        levels = [self._level(surface) for surface in self.surfaces.values()]
        for surface in self.surfaces.values():
            if surface.ramp is not None:
                self._ramp_ends(surface)
            elif surface.id != TABLE:
                self._edges(surface)
        for ladder in self.ground.table.ladders:
            self._ladder(ladder)
        self._all_gaps()
        return Chart(
            self.ground,
            Levels([*levels, *self.extra], self.links, self.portals),
            self.surfaces,
            self.gaps,
        )

    # Levels.

    def _level(self, surface: Surface) -> Level:
        if surface.ramp is not None:
            return self._slope(surface)
        box = surface.outer.box
        reach = (box[0] - self.r, box[1] - self.r, box[2] + self.r, box[3] + self.r)
        solids = [*self.ground.near(reach), *self.ground.wedges(reach, surface.z, self.tall)]
        rings, posts = self._obstacles(solids, surface.z, surface.z)
        bounds = reach
        grounds: list[list[float]] = []
        if surface.id != TABLE:
            assert surface.outer.ring is not None
            grounds += fence(surface.outer.ring, 2.0 * self.r + 2.0)
        grounds += [list(hole.ring) for hole in surface.holes if hole.ring is not None]
        made = Field.of(solids=rings, posts=posts, grounds=grounds, box=bounds)
        return Level(surface.id, made, surface.z)

    def _obstacles(
        self, solids: Iterable[Solid], low: float, high: float
    ) -> tuple[list[tuple[float, ...]], list[tuple[float, float, float]]]:
        rings, posts = [], []
        for solid in solids:
            if self.ground.stops(solid, low, high, self.tall):
                if solid.ground.ring is not None:
                    rings.append(solid.ground.ring)
                else:
                    assert solid.ground.circle is not None
                    posts.append(solid.ground.circle)
        return rings, posts

    def _slope(self, surface: Surface) -> Level:
        ramp = surface.ramp
        assert ramp is not None
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        run = math.hypot(bx - ax, by - ay)
        slope = Slope.rising(math.atan2(by - ay, bx - ax), bz - az, run, ax, ay)
        box = surface.outer.box
        reach = (box[0] - self.r, box[1] - self.r, box[2] + self.r, box[3] + self.r)
        solids = [
            solid
            for solid in self.storeys.solids_near(reach)
            if not (abs(solid.top - bz) <= TOLERANCE and solid.ground.depth(bx, by) >= -TOLERANCE)
        ]
        # A base is a disc on the plan: solids are grown by it there, before they are stretched.
        rings, posts = self._obstacles(solids, az, bz)
        own = [slope.ring(grown(ring, self.r)) for ring in rings]
        for x, y, radius_ in posts:
            turns = [math.tau * (k + 0.5) / _ROUND for k in range(_ROUND)]
            far = (radius_ + self.r) / math.cos(math.pi / _ROUND)
            flat = [v for t in turns for v in (x + far * math.cos(t), y + far * math.sin(t))]
            own.append(slope.ring(flat))
        assert surface.outer.ring is not None
        outline = slope.ring(surface.outer.ring)
        xs, ys = outline[0::2], outline[1::2]
        pad = self.r + 1.0
        bounds = (min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad)
        made = Field.of(grounds=[*fence(outline, 2.0 * pad), *own], box=bounds)
        return Level(surface.id, made, az, slope)

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
        if math.dist(start[1], start[2]) <= _SPECK:
            return
        name = f"{kind} {len(self.portals)}"
        self.portals.append(
            Portal(
                name,
                kind,
                (start[0], *start[1], *start[2]),
                (end[0], *end[1], *end[2]),
                cost,
                both,
            )
        )

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
        ends = []
        for x, y, z in (ladder.foot, ladder.head):
            for surface in self._at_height(x, y, z, ""):
                place = self._beside(x, y, surface)
                if place is not None:
                    ends.append((surface.id, *place))
                    break
        if len(ends) == 2 and ends[0][0] != ends[1][0]:
            rise = ladder.head[2] - ladder.foot[2]
            self.links.append(Link(f"ladder {ladder.id}", "ladder", ends[0], ends[1], rise))

    def _beside(self, x: float, y: float, surface: Surface) -> Point | None:
        """An end of a ladder, or one base radius off the solid that it leans on."""
        z, end = surface.height(x, y), (x, y)
        box = (x - self.r, y - self.r, x + self.r, y + self.r)
        for solid in self.ground.near(box):
            if not self.ground.rises(solid, z, self.tall):
                continue
            depth = solid.ground.depth(x, y)
            if depth <= -self.r + TOLERANCE:
                continue
            px, py = solid.ground.nearest(x, y)
            dx, dy = (x - px, y - py) if depth < 0.0 else (px - x, py - y)
            d = math.hypot(dx, dy)
            if d <= TOLERANCE:
                dx, dy, d = *_outward(solid, px, py), 1.0
            x, y = px + dx / d * self.r, py + dy / d * self.r
        if more_than(math.dist((x, y), end), self.r):
            return None
        return (x, y) if surface.depth(x, y) >= -TOLERANCE else None

    # Edges: steps, drops, climbs.

    def _edges(self, surface: Surface) -> None:
        for edge in self.storeys.edges(surface):
            if edge.beyond is None or edge.beyond.id not in self.surfaces:
                continue
            if self.ground.low(edge.drop(*edge.at(0.5))):
                if edge.beyond.ramp is None:
                    a, b = edge.at(0.0), edge.at(1.0)
                    self._portal("step", (surface.id, a, b), (edge.beyond.id, a, b), both=True)
                continue
            self._drops(surface, edge)

    def _drops(self, surface: Surface, edge: Edge) -> None:
        """Down over an edge, one base radius off it, and up again by climbing."""
        a, b = edge.at(0.0), edge.at(1.0)
        sx, sy = edge.nx * self.r, edge.ny * self.r
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
        for begin, end in pairwise(sorted(cuts)):
            if end - begin <= _SPECK:
                continue
            x, y = line.at(0.5 * (begin + end))
            below = self.storeys.below(x, y, surface.z, TOLERANCE)
            if below is None or below.id not in self.surfaces or below.ramp is not None:
                continue
            drop = surface.z - below.z
            if self.ground.low(drop):
                continue
            t, u = begin / line.length, end / line.length
            upper = (surface.id, edge.at(t), edge.at(u))
            lower = (below.id, line.at(begin), line.at(end))
            if not more_than(drop, JUMP_DOWN_IN):
                self._portal("drop", upper, lower)
            middle = edge.at(0.5 * (t + u))
            feature = self._climbable(middle, surface.z, below.z)
            if feature:
                self._portal("climb", lower, upper, drop)

    def _climbable(self, edge: Point, level: float, z: float) -> bool:
        for feature in features_near(self.ground, *edge, TOLERANCE):
            if feature.entry not in self.touched or feature.distance(*edge) > TOLERANCE:
                continue
            up = abs(feature.top - level) <= TOLERANCE or self.ground.low(abs(feature.top - level))
            if up and (feature.bottom <= z or self.ground.low(feature.bottom - z)):
                return True
        return False

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
        for here in level:
            for there in level:
                if closer_than(there.z - here.z, GAP_RISE_IN) and not more_than(
                    here.z - there.z, JUMP_DOWN_IN
                ):
                    for edge in edges[here.id]:
                        for far in edges[there.id]:
                            if far is not edge:
                                self._gap(edge, far)

    def _gap(self, edge: Edge, far: Edge) -> None:
        """A level across a gap between two edges that face each other."""
        gap, x, y, u, v = segment_segment(
            edge.ax, edge.ay, edge.bx, edge.by, far.ax, far.ay, far.bx, far.by
        )
        if gap <= _SPECK or more_than(gap, GAP_IN):
            return
        dx, dy = (u - x) / gap, (v - y) / gap
        faces = dx * edge.nx + dy * edge.ny
        back = -(dx * far.nx + dy * far.ny)
        if faces <= _FACING or back <= _FACING:
            return
        hull = _hull([edge.at(0.0), edge.at(1.0), far.at(0.0), far.at(1.0)])
        if len(hull) < 3:
            return
        ring = [c for corner in hull for c in corner]
        xs, ys = ring[0::2], ring[1::2]
        reach = (min(xs) - self.r, min(ys) - self.r, max(xs) + self.r, max(ys) + self.r)
        z = edge.surface.z
        rings, posts = self._obstacles(self.storeys.solids_near(reach), z, z)
        name = f"gap {len(self.extra)}"
        made = Field.of(
            solids=rings, posts=posts, grounds=fence(ring, 2.0 * self.r + 2.0), box=reach
        )
        self.extra.append(Level(name, made, z))
        self.gaps[name] = (edge.surface.id, far.surface.id)
        first, last = edge.at(0.0), edge.at(1.0)
        self._portal("take off", (edge.surface.id, first, last), (name, first, last))
        first, last = far.at(0.0), far.at(1.0)
        self._portal("land", (name, first, last), (far.surface.id, first, last))


def _outward(solid: Solid, x: float, y: float) -> Point:
    """The unit normal of the border of a solid at a point of it."""
    for step in range(8):
        t = math.tau * step / 8
        ux, uy = math.cos(t), math.sin(t)
        if solid.ground.depth(x + 1e-3 * ux, y + 1e-3 * uy) <= -1e-3 + 1e-7:
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

    if len(found) < 3:
        return []
    return chain(found) + chain(found[::-1])
