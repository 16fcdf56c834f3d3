"""A chart in the making: ways over edges, rims, ladders and gaps, for one size of base.

What else leads over an edge, and which gaps may be jumped, comes from the system. Every piece of
work is done once, and then serves charts of the whole table and of parts of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, groupby, pairwise
from typing import Any

import numpy as np

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.distance import Ring, point_segment, segment_segment
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.level import Level, Slope, fence
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.table.outlines import beyond, grown
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import TABLE, Edge, Surface, ramp_between, ramp_ring
from tapeline.table.terrain import Ladder, Ramp
from tapeline.travel.chart import Chart, Corner, Gap, Point, ring_of
from tapeline.travel.rim_search import Spot, Way
from tapeline.travel.rims import LEAP, Passage, Rim, Shore
from tapeline.travel.route import shares_between
from tapeline.travel.terrain import Terrain
from tapeline.work import making_what_stays

__all__ = ["SPECK", "Draft", "inside"]

#: Length: shorter pieces of an edge lead nowhere.
SPECK = 1e-6
#: Edges that face each other this little, as the cosine between normal and direction, do not.
_FACING = 1e-6


@dataclass(slots=True)
class _Ways:
    """What one piece of work adds to a chart. air: levels that are not stood on, over gaps and
    beyond edges."""

    number: int
    links: list[Link] = field(default_factory=list)
    portals: list[Portal] = field(default_factory=list)
    air: list[Level] = field(default_factory=list)
    gaps: dict[str, Gap] = field(default_factory=dict)
    corners: list[Corner] = field(default_factory=list)
    spots: dict[str, Spot] = field(default_factory=dict)


class Draft:
    """A chart in the making: every surface is a level; ways are added one kind after another.

    r, tall: of the base. overhang: how far it may hang over the edge of the table. under_floors:
    whether floors bar jumps below them, and ladders that end there. hazards: patches of ground that
    needs a roll which it goes round. sides: whether ways lead over the sides of ramps.
    """

    def __init__(
        self,
        terrain: Terrain,
        r: float,
        tall: float,
        *,
        overhang: float,
        under_floors: bool,
        hazards: frozenset[int] = frozenset(),
        sides: bool = False,
    ) -> None:
        self.terrain, self.r, self.tall = terrain, r, tall
        self.overhang, self.hazards, self.sides = overhang, hazards, sides
        self._solids = terrain.with_plates if under_floors else terrain.near
        self.surfaces = {s.id: s for s in terrain.storeys.surfaces}
        self._levels: dict[str, Level] = {}
        #: The levels drawn last.
        self._drawn: Levels | None = None
        #: Where ways over edges begin.
        self._rooms: dict[object, list[tuple[float, float, float]]] = {}
        #: Pieces of work by name; the one at hand; of the chart in the making.
        self._done: dict[tuple[str, ...], _Ways] = {}
        self._work = _Ways(0)
        self._taken: list[_Ways] = []
        self._here = self._sided = self.surfaces
        #: Ways beside edges of a surface, put off until a chart has them.
        self._beside_edges: dict[str, list[Way]] = {}
        self._ways_named, self._air_named, self._leaps_named = count(), count(), count()

    def chart(
        self,
        ways: Callable[[Draft], None],
        here: dict[str, Surface] | None = None,
        sided: dict[str, Surface] | None = None,
    ) -> Chart:
        """The chart of what `ways` adds: of the whole table, or of some surfaces, by id, and of
        what leads from one of these to another. sided: those with ways over sides, if not all."""
        with making_what_stays():
            here = self.surfaces if here is None else here
            self._taken, self._here, self._sided = [], here, here if sided is None else sided
            return self._chart(ways)

    def _chart(self, ways: Callable[[Draft], None]) -> Chart:
        ways(self)
        levels = [self._level(surface) for surface in self._here.values()]
        air = [level for work in self._taken for level in work.air]
        links = [link for work in self._taken for link in work.links if self._leads_here(link)]
        portals = [way for work in self._taken for way in work.portals if self._leads_here(way)]
        made = self._drawn = Levels([*levels, *air], links, portals, self._drawn)
        made.numbers()  # for all questions, whoever stands where
        gaps = {name: gap for work in self._taken for name, gap in work.gaps.items()}
        corners = tuple(corner for work in self._taken for corner in work.corners)
        spots = {name: spot for work in self._taken for name, spot in work.spots.items()}
        names = frozenset(level.id for level in air)
        return Chart(self.terrain, made, self._here, gaps, corners, names, spots)

    @property
    def here(self) -> Iterable[Surface]:
        """The surfaces of the chart in the making."""
        return self._here.values()

    @property
    def sided(self) -> Iterable[Surface]:
        """Those of them over the sides of which ways lead, and beside the edges of which."""
        return self._sided.values()

    def _leads_here(self, way: Link | Portal) -> bool:
        """Whether a way leads from and to what is there: levels in the air are."""
        if self._here is self.surfaces:
            return True
        beyond = (name in self.surfaces and name not in self._here for name in _ends(way))
        return not any(beyond)

    def _once(self, name: tuple[str, ...], work: Callable[[], None]) -> None:
        """Take up what a piece of work adds, which is done but once."""
        found = self._done.get(name)
        if found is None:
            found = self._done[name] = self._work = _Ways(len(self._done))
            work()
        self._taken.append(found)

    # Levels.

    def _level(self, surface: Surface) -> Level:
        """A surface as a level, the same in all charts."""
        found = self._levels.get(surface.id)
        if found is None:
            ramp = surface.ramp
            found = self._flat(surface) if ramp is None else self._slope(surface, ramp)
            self._levels[surface.id] = found
        return found

    def _flat(self, surface: Surface) -> Level:
        """A surface that does not slope as a level."""

        def free(compiled: bool) -> Field:
            return self._field(surface, compiled)

        return Level(surface.id, free, surface.z)

    def _field(self, surface: Surface, compiled: bool) -> Field:
        """What stands in the way on a surface that does not slope."""
        table, z = self.terrain.table, surface.z
        # Level ground goes on for who may leave the table.
        leaves = surface.id == TABLE and self.overhang == math.inf
        far = self.r + (table.width + table.depth if leaves else 0.0)
        box = self._on_table(_grown(surface.outer.box, far))
        rings, posts = _outlines(self.terrain.in_way(box, surface, z, z, self.tall, self.r))
        grounds: list[Ring] = []
        if surface.id != TABLE:
            grounds += fence(ring_of(surface.outer), 2.0 * self.r + 2.0)
        grounds += [hole.ring for hole in surface.holes if hole.ring is not None]
        grounds += self._low_ramps(surface, box) if self.sides else ()
        for plan in self._hazards(surface):
            if plan.circle is not None and plan.circle[2] >= self.r:
                x, y, far = plan.circle
                posts.append((x, y, far - self.r))  # of its whole size for the centre
            else:
                grounds.append(ring_of(plan))
        made = Field.of(solids=rings, posts=posts, grounds=grounds, box=box, compiled=compiled)
        made.border(self.r)  # for all questions, whoever stands where
        return made

    def _low_ramps(self, surface: Surface, box: Box) -> Iterator[Ring]:
        """What of ramps lies no more than a step above a surface: who goes there is on them."""
        for other in self.terrain.storeys.near(box):
            if other.ramp is not None:
                high = surface.z + self.terrain.step(surface, other)
                high = max(high, self.terrain.gone_on(other.ramp, surface.z, self.r))
                ring = ramp_between(other.ramp, surface.z, high)
                if ring is not None:
                    yield ring

    def _on_table(self, box: Box) -> Box:
        """As much of a box as a base may come to without hanging over the table's edge too far."""
        far, table = self.overhang, self.terrain.table
        left, low, right, high = box
        right, high = min(right, table.width + far), min(high, table.depth + far)
        return max(left, -far), max(low, -far), right, high

    def _slope(self, surface: Surface, ramp: Ramp) -> Level:
        """A ramp as a level that slopes."""
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        slope = Slope.rising(
            math.atan2(by - ay, bx - ax), bz - az, math.hypot(bx - ax, by - ay), ax, ay
        )

        def free(compiled: bool) -> Field:
            box = _grown(surface.outer.box, self.r)
            solids = self.terrain.in_way(box, surface, az, bz, self.tall)
            over = [s for s in solids if s.ground.ring and more_than(s.bottom - self.tall, az)]
            rings, posts = _outlines(s for s in solids if s not in over)
            # A base is a disc on the plan: solids are grown by it there, before they are stretched.
            own = [slope.ring(grown(solid, self.r)) for solid in rings]
            for solid in over:  # in the way only from where there is no room under it
                share = (solid.bottom - self.tall - az) / (bz - az)
                own += [slope.ring(part) for part in self._from_share(solid, ramp, share)]
            own += [slope.ring(Plan.of_circle(post).turned(self.r)) for post in posts]
            own += [slope.ring(ring_of(plan)) for plan in self._hazards(surface)]
            outline = slope.ring(ring_of(surface.outer))
            pad = self.r + 1.0
            grounds = [*fence(outline, 2.0 * pad), *own]
            made = Field.of(grounds=grounds, box=_box_round(outline, pad), compiled=compiled)
            made.border(self.r)
            return made

        return Level(surface.id, free, az, slope)

    def _from_share(self, solid: Solid, ramp: Ramp, share: float) -> list[list[float]]:
        """What keeps a base off a solid beyond a share of the plan of a ramp."""
        (ax, ay, _), (bx, by, _) = ramp.foot, ramp.head
        start = ax + share * (bx - ax), ay + share * (by - ay)
        return beyond(grown(solid.ground.ring or (), self.r), start, (bx - ax, by - ay))

    def _hazards(self, surface: Surface) -> list[Plan]:
        """Ground on a surface that is gone round."""
        near = self.terrain.hazards_near(surface.outer.box, self.hazards)
        return [
            patch.plan
            for patch in near
            if patch.lies_along(surface, 1.0, surface.z, surface.top) is not None
        ]

    def in_the_air(self, kind: str, points: Iterable[Point], z: float) -> str:
        """A level over the hull of some points, kept free of what stands as high. Its name."""
        return self.air_over(kind, [c for corner in _hull(points) for c in corner], z)

    def air_over(self, kind: str, ring: Ring, z: float) -> str:
        """The same over an outline."""

        def free(compiled: bool) -> Field:
            box = self._on_table(_box_round(ring, self.r))
            near = self._solids(box)
            rings, posts = _outlines(s for s in near if self.terrain.stops(s, z, z, self.tall))
            fences = fence(ring, 2.0 * self.r + 2.0)
            return Field.of(solids=rings, posts=posts, grounds=fences, box=box, compiled=compiled)

        name = f"{kind} {next(self._air_named)}"
        self._work.air.append(Level(name, free, z))
        return name

    # Ways.

    def portal(
        self,
        kind: str,
        start: tuple[str, Point, Point],
        end: tuple[str, Point, Point],
        cost: float = 0.0,
        *,
        both: bool = False,
    ) -> None:
        """A way over a segment of one level on to a segment of another."""
        if math.dist(start[1], start[2]) > SPECK:
            name = f"{kind} {next(self._ways_named)}"
            one, two = (start[0], *start[1], *start[2]), (end[0], *end[1], *end[2])
            self._work.portals.append(Portal(name, kind, one, two, cost, both))

    def at_height(self, x: float, y: float, z: float, but: str = "") -> list[Surface]:
        """Surfaces that pass through a place, one left out."""
        return [
            s
            for s in self.terrain.storeys.over(x, y, TOLERANCE)
            if s.id in self.surfaces and s.id != but and abs(s.height(x, y) - z) <= TOLERANCE
        ]

    def over_edges(self, more: Callable[[Draft, Edge], None], sort: str = "edges") -> None:
        """On to ramps and off them, steps over edges, and what a system adds beyond those; sort:
        tells that apart from what it adds otherwise."""
        for surface in self._here.values():
            self._once((sort, surface.id), partial(self._over_edges_of, surface, more))
            if surface.id in self._beside_edges and surface.id in self._sided:
                ways = self._beside_edges[surface.id]
                self._once((f"beside {sort}", surface.id), partial(self._take_all, ways))

    def beside_edge(self, surface: Surface, way: Way) -> None:
        """A way beside an edge of a surface, for charts in which ways lead over its sides."""
        self._beside_edges.setdefault(surface.id, []).append(way)

    def _take_all(self, ways: Iterable[Way]) -> None:
        for way in ways:
            self.take(way)

    def _over_edges_of(self, surface: Surface, more: Callable[[Draft, Edge], None]) -> None:
        if surface.ramp is not None:
            self._ramp_ends(surface)
            return
        for edge in self.terrain.edges(surface):
            beyond = edge.beyond
            if beyond is None or beyond.id not in self.surfaces:
                continue
            a, b = edge.at(0.0), edge.at(1.0)
            if not self.terrain.low(edge.drop(*edge.at(0.5)), surface, beyond):
                more(self, edge)
            elif beyond.ramp is None:
                self.portal("step", (surface.id, a, b), (beyond.id, a, b), both=True)
        if surface.outer.circle is not None:
            self._steps_within(surface)

    def _steps_within(self, surface: Surface) -> None:
        """Steps on to a round surface and off it, over lines within its rim: what is stepped from
        lies under it too. Who stands beyond them begins a step lower."""
        ring = self.terrain.within_rim(surface)
        for (ax, ay), (bx, by) in pairwise([ring[-1], *ring]):
            line, parts = self.strip(Edge(surface, ax, ay, bx, by, 0.0, 0.0, None), 0.0)
            for begin, end, below in parts:
                if self.terrain.low(surface.z - below.z, surface, below):
                    one, two = line.at(begin), line.at(end)
                    self.portal("step", (surface.id, one, two), (below.id, one, two), both=True)

    def over(self, kind: str, entry: str, ways: Callable[[], None]) -> None:
        """What else leads over a piece of terrain."""
        self._once((kind, entry), ways)

    def over_rims(
        self,
        kind: str,
        cost: Callable[[float], float | None],
        up: Container[str] | None = None,
        *,
        both: bool = False,
        inset: float = 0.0,
        aslant: bool = False,
        slopes: bool = False,
        nearest: bool = False,
    ) -> None:
        """Down over the rims of round surfaces, or up those of some entries, or both; cost: of a
        drop, None where it may not. inset, aslant, slopes, nearest: as of a rim."""
        for surface in self._here.values():
            climbed = up is None or any(entry in up for entry in surface.entries)
            if surface.outer.circle is not None and climbed:
                rim = Rim(
                    self.terrain, kind, surface, cost, self.r, self.tall,
                    up=up is not None, both=both, inset=inset, aslant=aslant, slopes=slopes,
                    nearest=nearest,
                )  # fmt: skip
                self._once((kind, surface.id), partial(self.take, rim))

    def take(self, way: Way) -> None:
        """A way over a rim or a side of a ramp."""
        found = way.spots()
        self._work.links += found
        self._work.spots |= {link.id: spot for link, spot in found.items()}

    def _ramp_ends(self, surface: Surface) -> None:
        """On to a ramp and off it over its foot and its head."""
        ramp = surface.ramp
        assert ramp is not None
        foot_right, head_right, head_left, foot_left = ramp_ring(ramp)
        for (x, y, z), a, b in (
            (ramp.foot, foot_right, foot_left),
            (ramp.head, head_right, head_left),
        ):
            line = Line(*a, *b)
            for other in self.at_height(x, y, z, surface.id):
                if other.ramp is not None and not all(
                    other in self.at_height(*c, z) for c in (a, b)
                ):
                    continue  # the side of another ramp comes to it
                # Beside a round top the corners of an end lie on nothing.
                spans = other.outer.spans(line) if other.outer.circle else [(0.0, line.length)]
                for begin, end in spans:
                    one, two = line.at(begin), line.at(end)
                    self.portal("stairs", (surface.id, one, two), (other.id, one, two), both=True)
                if not any(end - begin > SPECK for begin, end in spans):
                    ends = (surface.id, x, y), (other.id, x, y)
                    name = f"stairs {next(self._ways_named)}"
                    self._work.links.append(Link(name, "stairs", *ends, 0.0))

    def ladder(self, ladder: Ladder, cost: float) -> None:
        """A ladder, where a base has room at both of its ends."""
        self._once(("ladder", ladder.id), partial(self._ladder, ladder, cost))

    def _ladder(self, ladder: Ladder, cost: float) -> None:
        ends: list[tuple[str, float, float]] = []
        for x, y, z in (ladder.foot, ladder.head):
            for surface in self.at_height(x, y, z):
                place = self._beside(x, y, surface)
                if place is not None:
                    ends.append((surface.id, *place))
                    break
        if len(ends) == 2 and ends[0][0] != ends[1][0]:
            self._work.links.append(Link(f"ladder {ladder.id}", "ladder", ends[0], ends[1], cost))

    def _beside(self, x: float, y: float, surface: Surface) -> Point | None:
        """An end of a ladder, or one base radius off what it leans on."""
        end = (x, y)
        box = (x - self.r, y - self.r, x + self.r, y + self.r)
        z = surface.height(x, y)
        solids = self._solids(box)
        plans = [s.ground for s in solids if self.terrain.takes_room(s, z, self.tall)]
        # What it leans on where two stand flush is off both.
        leans = [plan.outward(x, y) for plan in plans if within(abs(plan.depth(x, y)), 0.0)]
        dx, dy = sum(u for u, _ in leans), sum(v for _, v in leans)
        d = math.hypot(dx, dy)
        if d > TOLERANCE:
            x, y = x + dx / d * self.r, y + dy / d * self.r
        for plan in plans:
            depth = plan.depth(x, y)
            if depth <= TOLERANCE - self.r:
                continue
            px, py = plan.nearest(x, y)
            dx, dy = (x - px, y - py) if depth < 0.0 else (px - x, py - y)
            d = math.hypot(dx, dy)
            if d > TOLERANCE:
                x, y = px + dx / d * self.r, py + dy / d * self.r
        if more_than(math.dist((x, y), end), self.r) or surface.depth(x, y) < -TOLERANCE:
            return None
        return x, y

    # Edges and gaps.

    def strip(
        self, edge: Edge, off: float, z: float | None = None
    ) -> tuple[Line, list[tuple[float, float, Surface]]]:
        """The line so far beyond an edge, and its lengths with the level surface below each. z: the
        height of the edge, of a piece of the side of a ramp."""
        (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
        sx, sy = edge.nx * off, edge.ny * off
        line = Line(ax + sx, ay + sy, bx + sx, by + sy)
        cuts = {0.0, line.length}
        for other in self.terrain.storeys.near(box_of(line, 0.0)):
            for plan in other.plans:
                cuts.update(s for span in plan.spans(line) for s in span)
        found = []
        for begin, end in pairwise(sorted(cuts)):
            if end - begin <= SPECK:
                continue
            x, y = line.at(0.5 * (begin + end))
            height = edge.surface.z if z is None else z
            below = self.terrain.storeys.below(x, y, height, TOLERANCE)
            if off and self.terrain.steps_up(edge.surface, x, y, height) is not None:
                continue  # it would go down past that
            if below is not None and below.id in self.surfaces and below.ramp is None:
                found.append((begin, end, below))
        return line, found

    def strip_off(self, edge: Edge, off: float, z: float) -> str:
        """The name of a level in the air so far beyond a piece of the side of a ramp, from the far
        side of which ways lead down."""
        line, parts = self.strip(edge, off, z)
        name = self.in_the_air("ledge", (edge.at(0.0), edge.at(1.0), line.start, line.end), z)
        for begin, end, below in parts:
            ends = line.at(begin), line.at(end)
            self.portal("drop", (name, *ends), (below.id, *ends))
        return name

    def over_gaps(
        self,
        widest: float,
        jump: Callable[[Surface, Surface], tuple[float, float] | None],
        inset: float = 0.0,
    ) -> None:
        """Levels across gaps, between edges that face each other and are no farther apart than
        widest.

        jump: height at which a base goes over from one surface to another, and what that costs
        besides the width; None where it may not. inset: how far in from the edges it takes off and
        lands.
        """
        level = [s for s in self._here.values() if s.ramp is None]
        every = [(n, edge) for n, s in enumerate(level) for edge in self.terrain.edges(s)]
        deep = {id(edge) for _, edge in every if self._is_deep(edge)}
        edges = [(n, edge) for n, edge in every if edge.beyond is not None]
        off = widest + 2.0 * TOLERANCE
        for (k, m), pairs in groupby(
            _near_pairs(edges, off), lambda pair: (pair[0][0], pair[1][0])
        ):
            here, there = level[k], level[m]
            near = there.outer.meets(_grown(here.outer.box, off))
            found = jump(here, there) if near else None
            if found is None:
                continue
            facing = (
                (edge, far) for (_, edge), (_, far) in pairs if far is not edge and id(edge) in deep
            )
            across = partial(self._over_gaps_between, facing, widest, found, inset)
            self._once((f"gaps {widest!r}", here.id, there.id), across)

    def _over_gaps_between(
        self,
        edges: Iterable[tuple[Edge, Edge]],
        widest: float,
        jump: tuple[float, float],
        inset: float,
    ) -> None:
        for edge, far in edges:
            if _face(edge, far, widest):
                self._gap(edge, far, *jump, inset)
            elif (corner := _corner(edge, far, jump[1])) is not None:
                self._work.corners.append(corner)

    def over_round_gaps(
        self,
        widest: float,
        jump: Callable[[Surface, Surface], tuple[float, float] | None],
        inset: float = 0.0,
    ) -> None:
        """Links across gaps from and to the rims of round surfaces; as of `over_gaps`."""
        for rim in self._here.values():
            if rim.outer.circle is None:
                continue
            for other in self.terrain.storeys.near(_grown(rim.outer.box, widest)):
                if other is not rim and other.ramp is None and other.id in self._here:
                    ways = jump(rim, other), jump(other, rim)
                    across = partial(self._over_round_gap, rim, other, widest, ways, inset)
                    self._once((f"round gaps {widest!r} {ways!r}", rim.id, other.id), across)

    def _over_round_gap(
        self,
        rim: Surface,
        other: Surface,
        widest: float,
        ways: tuple[tuple[float, float] | None, tuple[float, float] | None],
        inset: float,
    ) -> None:
        """ways: from the rim and back, as of `jump`."""
        solids = self._solids(_grown(rim.outer.box, widest + self.r))
        for near, far in self._facing(rim, other):
            found = ways[near.surface.id != rim.id]
            if found is None:
                continue
            z, cost = found
            stop = [s.ground for s in solids if self.terrain.stops(s, z, z, self.tall)]
            name = f"{LEAP} rim {next(self._leaps_named)}"
            sides = self.terrain, near, far
            self.take(Passage(name, *sides, widest, cost, self.r, stop, inset))

    def _facing(self, rim: Surface, other: Surface) -> Iterator[tuple[Shore, Shore]]:
        """Sides of gaps from a rim to another surface, and back; back from another rim is found
        there."""
        assert rim.outer.circle is not None
        x, y, _ = rim.outer.circle
        if other.outer.circle is not None:
            yield Shore.of_rim(rim, other.outer.circle[:2]), Shore.of_rim(other, (x, y))
            return
        for edge in self.terrain.edges(other):
            _, *nearest = point_segment(x, y, edge.ax, edge.ay, edge.bx, edge.by)
            sides = Shore.of_rim(rim, (nearest[0], nearest[1])), Shore.of_edge(edge)
            if edge.beyond is not None:
                yield sides
            if self._is_deep(edge):
                yield sides[::-1]

    def _is_deep(self, edge: Edge) -> bool:
        """Whether an edge is more than a step."""
        if edge.beyond is None:
            return False
        return not self.terrain.low(edge.drop(*edge.at(0.5)), edge.surface)

    def _deep(self, edge: Edge) -> tuple[float, float]:
        """Shares of an edge between which it is more than a step, as over a slope in part."""
        if edge.beyond is None or edge.beyond.ramp is None:
            return 0.0, 1.0
        step = self.terrain.step(edge.surface, edge.beyond) + 2.0 * TOLERANCE
        drops = edge.drop(*edge.at(0.0)), edge.drop(*edge.at(1.0))
        if min(drops) >= step or abs(drops[1] - drops[0]) <= TOLERANCE:
            return 0.0, 1.0
        return shares_between(*drops, step, math.inf) or (0.0, 0.0)

    def _gap(self, edge: Edge, far: Edge, z: float, cost: float, inset: float) -> None:
        """Off an edge on to a level over a gap, and from there on to the far side."""
        here, there = edge.surface.id, far.surface.id
        near, beyond = (edge.at(0.0), edge.at(1.0)), (far.at(0.0), far.at(1.0))
        name = self.in_the_air("gap", (*near, *beyond), z)
        edges = Line(*near[0], *near[1]), Line(*beyond[0], *beyond[1])
        self._work.gaps[name] = Gap(here, there, *edges, (edge.nx, edge.ny), (far.nx, far.ny))
        # Who jumps from the very edge may do so anywhere along it.
        first, last = self._deep(edge) if inset else (0.0, 1.0)
        for begin, end, depth in self.room(edge, inset):
            t, u = max(begin, first), min(end, last)
            if t < u:
                off = inside(edge, t, depth), inside(edge, u, depth)
                self.portal("take off", (here, *off), (name, edge.at(t), edge.at(u)))
        for begin, end, depth in self.room(far, inset):
            on = inside(far, begin, depth), inside(far, end, depth)
            self.portal("land", (name, far.at(begin), far.at(end)), (there, *on), cost)

    def room(self, edge: Edge, inset: float) -> list[tuple[float, float, float]]:
        """Between which shares of an edge ways over it begin and end, and how far in from it: at
        the edge itself where a base has room there and not so far in."""
        key = edge.surface.id, edge.at(0.0), edge.at(1.0), inset
        found = self._rooms.get(key)
        if found is None:
            found = self._rooms[key] = [(0.0, 1.0, inset), *self._narrow(edge, inset)]
        return found

    def _narrow(self, edge: Edge, inset: float) -> Iterator[tuple[float, float, float]]:
        z, r = edge.surface.z, self.r
        line = Line(*inside(edge, 0.0, inset), *inside(edge, 1.0, inset))
        box = box_of(line, r)
        solids = self.terrain.in_way(box, edge.surface, z, z, self.tall, r) if inset else ()
        barred = [span for o in solids for span in o.ground.spans_near(line, r)]
        if not barred:
            return
        line = Line(*edge.at(0.0), *edge.at(1.0))
        at_edge = [span for o in solids for span in o.ground.spans_near(line, r)]
        marks = {0.0, edge.length, *(s for span in (*barred, *at_edge) for s in span)}
        for begin, end in pairwise(sorted(marks)):
            so_far_in, here = (
                any(s <= begin and end <= t for s, t in spans) for spans in (barred, at_edge)
            )
            if so_far_in and not here and end - begin > r:  # else one beside it is as good
                yield begin / edge.length, end / edge.length, 0.0


def _ends(way: Link | Portal) -> tuple[str, str]:
    return way.start[0], way.end[0]


def inside(edge: Edge, t: float, inset: float) -> Point:
    """A place of an edge, so far in from it."""
    x, y = edge.at(t)
    return x - inset * edge.nx, y - inset * edge.ny


def _near_pairs(
    edges: Sequence[tuple[int, Edge]], far: float
) -> Iterator[tuple[tuple[int, Edge], tuple[int, Edge]]]:
    """Edges whose boxes are no farther apart and that may face each other, each with its surface's
    number; by those first."""
    if not edges:
        return
    ends: Any = np.array([(e.ax, e.ay, e.bx, e.by) for _, e in edges]).reshape(-1, 2, 2)
    least, most = ends.min(axis=1), ends.max(axis=1) + far
    near = (least[None] <= most[:, None]).all(axis=2)
    rows, columns = np.nonzero(near & near.T)
    # Of each some of the other lies beyond it.
    off: Any = np.array([(e.nx, e.ny) for _, e in edges])
    facing = np.ones(len(rows), dtype=bool)
    for one, other in ((rows, columns), (columns, rows)):
        beyond = ((ends[other] - ends[one][:, :1]) * off[one][:, None]).sum(axis=2)
        facing &= beyond.max(axis=1) > -SPECK
    rows, columns = rows[facing], columns[facing]
    on = np.array([number for number, _ in edges])
    for k in np.lexsort((columns, rows, on[columns], on[rows])):
        yield edges[rows[k]], edges[columns[k]]


def _face(edge: Edge, far: Edge, widest: float) -> bool:
    """Whether two edges face each other over a gap no wider than that."""
    aside = max(
        min(far.ax, far.bx) - max(edge.ax, edge.bx),
        min(edge.ax, edge.bx) - max(far.ax, far.bx),
        min(far.ay, far.by) - max(edge.ay, edge.by),
        min(edge.ay, edge.by) - max(far.ay, far.by),
    )
    if more_than(aside, widest):
        return False
    gap, x, y, u, v = segment_segment(
        edge.ax, edge.ay, edge.bx, edge.by, far.ax, far.ay, far.bx, far.by
    )
    if gap <= SPECK or more_than(gap, widest):
        return False
    for one, other, dx, dy in ((edge, far, u - x, v - y), (far, edge, x - u, y - v)):
        leads = (dx * one.nx + dy * one.ny) / gap
        ahead = max(
            (px - one.ax) * one.nx + (py - one.ay) * one.ny
            for px, py in (other.at(0.0), other.at(1.0))
        )
        # Round a corner the nearest places lie along one of them, and others beyond it.
        if leads < -_FACING or (leads <= _FACING and (ahead <= SPECK or gap >= widest)):
            return False
    return len(_hull((edge.at(0.0), edge.at(1.0), far.at(0.0), far.at(1.0)))) > 2


def _corner(edge: Edge, far: Edge, cost: float) -> Corner | None:
    """The inner corner at which two edges that lead down to level ground meet, if they do, each
    with some of the other beyond it."""
    if any(one.beyond is None or one.beyond.ramp is not None for one in (edge, far)):
        return None
    near, beyond = (Line(*one.at(0.0), *one.at(1.0)) for one in (edge, far))
    ends = [
        (math.dist(p, q), k, m)
        for k, p in enumerate((near.start, near.end))
        for m, q in enumerate((beyond.start, beyond.end))
    ]
    apart, k, m = min(ends)
    if apart > SPECK:
        return None
    near, beyond = (
        line.part(line.length, 0.0) if at else line for line, at in ((near, k), (beyond, m))
    )
    for one, line in ((edge, beyond), (far, near)):
        if (line.bx - line.ax) * one.nx + (line.by - line.ay) * one.ny <= SPECK:
            return None
    name = f"{edge.surface.id} {far.surface.id} {near.at(0.5 * near.length)}"
    off, back = (edge.nx, edge.ny), (far.nx, far.ny)
    return Corner(name, Gap(edge.surface.id, far.surface.id, near, beyond, off, back), cost)


def _outlines(solids: Iterable[Solid]) -> tuple[list[Ring], list[Circle]]:
    """Solids as rings and circles."""
    plans = [solid.ground for solid in solids]
    rings: list[Ring] = [plan.ring for plan in plans if plan.ring is not None]
    return rings, [plan.circle for plan in plans if plan.circle is not None]


def _box_round(ring: Sequence[float], more: float) -> Box:
    """The box of a ring, so much wider."""
    xs, ys = ring[0::2], ring[1::2]
    return _grown((min(xs), min(ys), max(xs), max(ys)), more)


def _grown(box: Box, more: float) -> Box:
    """A box so much wider on every side."""
    return box[0] - more, box[1] - more, box[2] + more, box[3] + more


def _hull(points: Iterable[Point]) -> list[Point]:
    """Convex hull, counter-clockwise, without corners on a straight side."""
    found = sorted(set(points))

    def chain(order: list[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in order:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > SPECK * SPECK:
                    break
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return chain(found) + chain(found[::-1])
