"""The ground of a table with storeys as levels, links and portals, for one size of base.

What is the same for every system that searches for routes over storeys: surfaces as levels, stairs
as levels that slope, ladders as links, the strip beyond an edge, the span of a gap. What stands in
the way, what may be climbed or jumped and at what cost is the system's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.level import Level, Slope, fence
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.table.flooring import grown
from tapeline.table.solids import Ground, box_of
from tapeline.table.storeys import Edge, Storeys, Surface, ramp_ring
from tapeline.table.terrain import Ladder

__all__ = ["SPECK", "Charting", "Obstacles", "pointed"]

Point: TypeAlias = tuple[float, float]
#: Rings and circles that a base must keep clear of.
Obstacles: TypeAlias = tuple[list[tuple[float, ...]], list[tuple[float, float, float]]]

#: Length: shorter pieces of an edge lead nowhere.
SPECK = 1e-6
#: Edges that face each other this little, as the cosine between normal and direction, do not.
_FACING = 1e-6
#: Places of a portal that stand for it: inches between two, and how many at most.
_SPACED, _PLACES = 1.5, 6


class Charting:
    """Makes levels, links and portals for bases of a radius; systems add their own ways."""

    def __init__(self, storeys: Storeys, r: float) -> None:
        self.storeys, self.r = storeys, r
        self.surfaces = {s.id: s for s in storeys.surfaces if s.outer.ring is not None}
        self.links: list[Link] = []
        self.portals: list[Portal] = []
        #: Levels that are not stood on, over gaps and beyond edges.
        self.air: list[Level] = []

    # What a system says.

    def leaning(self, box: Box, z: float) -> Iterable[Ground]:
        """Plans near a box of what a ladder that ends at a height may lean on."""
        raise NotImplementedError

    def obstacles(self, grounds: Iterable[Ground]) -> Obstacles:
        """Plans as rings and circles."""
        rings: list[tuple[float, ...]] = []
        posts: list[tuple[float, float, float]] = []
        for ground in grounds:
            if ground.ring is not None:
                rings.append(ground.ring)
            elif ground.circle is not None:
                posts.append(ground.circle)
        return rings, posts

    # Levels.

    def around(self, surface: Surface) -> Box:
        """The box of a surface, a base radius wider."""
        x0, y0, x1, y1 = surface.outer.box
        return x0 - self.r, y0 - self.r, x1 + self.r, y1 + self.r

    def slope(
        self,
        surface: Surface,
        grounds: Iterable[Ground],
        more: Iterable[list[float]] = (),
    ) -> Level:
        """A ramp as a level that slopes. grounds: what stands in the way; more: rings as well."""
        ramp = surface.ramp
        assert ramp is not None
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        run = math.hypot(bx - ax, by - ay)
        slope = Slope.rising(math.atan2(by - ay, bx - ax), bz - az, run, ax, ay)
        # A base is a disc on the plan: solids are grown by it there, before they are stretched.
        rings, posts = self.obstacles(grounds)
        own = [slope.ring(grown(ring, self.r)) for ring in rings]
        own += [slope.ring(Ground.of_circle(post).turned(self.r)) for post in posts]
        own += [slope.ring(ring) for ring in more]
        assert surface.outer.ring is not None
        outline = slope.ring(surface.outer.ring)
        xs, ys = outline[0::2], outline[1::2]
        pad = self.r + 1.0
        bounds = (min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad)
        made = Field.of(grounds=[*fence(outline, 2.0 * pad), *own], box=bounds)
        return Level(surface.id, made, az, slope)

    def in_the_air(self, name: str, ring: list[float], z: float, grounds: Iterable[Ground]) -> None:
        """A level over a ring, kept free of what stands as high."""
        rings, posts = self.obstacles(grounds)
        made = Field.of(
            solids=rings,
            posts=posts,
            grounds=fence(ring, 2.0 * self.r + 2.0),
            box=self.round_ring(ring),
        )
        self.air.append(Level(name, made, z))

    def round_ring(self, ring: list[float]) -> Box:
        """The box of a ring, a base radius wider."""
        xs, ys = ring[0::2], ring[1::2]
        return min(xs) - self.r, min(ys) - self.r, max(xs) + self.r, max(ys) + self.r

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
            name = f"{kind} {len(self.portals)}"
            one, two = (start[0], *start[1], *start[2]), (end[0], *end[1], *end[2])
            self.portals.append(Portal(name, kind, one, two, cost, both))

    def at_height(self, x: float, y: float, z: float, but: str = "") -> list[Surface]:
        """Surfaces that pass through a place, one left out."""
        return [
            s
            for s in self.storeys.over(x, y, TOLERANCE)
            if s.id in self.surfaces and s.id != but and abs(s.height(x, y) - z) <= TOLERANCE
        ]

    def ramp_ends(self, surface: Surface) -> None:
        """On to a ramp and off it over its foot and its head."""
        ramp = surface.ramp
        assert ramp is not None
        foot_right, head_right, head_left, foot_left = ramp_ring(ramp)
        for (x, y, z), a, b in (
            (ramp.foot, foot_right, foot_left),
            (ramp.head, head_right, head_left),
        ):
            for other in self.at_height(x, y, z, surface.id):
                self.portal("stairs", (surface.id, a, b), (other.id, a, b), both=True)

    def ladder(self, ladder: Ladder, cost: float) -> None:
        """A ladder, where a base has room at both of its ends."""
        ends: list[tuple[str, float, float]] = []
        for x, y, z in (ladder.foot, ladder.head):
            for surface in self.at_height(x, y, z):
                place = self._beside(x, y, surface)
                if place is not None:
                    ends.append((surface.id, *place))
                    break
        if len(ends) == 2 and ends[0][0] != ends[1][0]:
            self.links.append(Link(f"ladder {ladder.id}", "ladder", ends[0], ends[1], cost))

    def _beside(self, x: float, y: float, surface: Surface) -> Point | None:
        """An end of a ladder, or one base radius off what it leans on."""
        end = (x, y)
        box = (x - self.r, y - self.r, x + self.r, y + self.r)
        for ground in self.leaning(box, surface.height(x, y)):
            depth = ground.depth(x, y)
            if depth <= TOLERANCE - self.r:
                continue
            px, py = ground.nearest(x, y)
            dx, dy = (x - px, y - py) if depth < 0.0 else (px - x, py - y)
            d = math.hypot(dx, dy)
            if d <= TOLERANCE:
                dx, dy, d = *ground.outward(px, py), 1.0
            x, y = px + dx / d * self.r, py + dy / d * self.r
        if more_than(math.dist((x, y), end), self.r) or surface.depth(x, y) < -TOLERANCE:
            return None
        return x, y

    # Edges and gaps.

    def strip(self, edge: Edge, off: float) -> tuple[Line, list[tuple[float, float, Surface]]]:
        """The line so far beyond an edge, and its lengths with the level surface below each."""
        (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
        sx, sy = edge.nx * off, edge.ny * off
        line = Line(ax + sx, ay + sy, bx + sx, by + sy)
        cuts = {0.0, line.length}
        for other in self.storeys.near(box_of(line, 0.0)):
            for plan in other.plans:
                cuts.update(s for span in plan.spans(line) for s in span)
        found = []
        for begin, end in pairwise(sorted(cuts)):
            if end - begin <= SPECK:
                continue
            x, y = line.at(0.5 * (begin + end))
            below = self.storeys.below(x, y, edge.surface.z, TOLERANCE)
            if below is not None and below.id in self.surfaces and below.ramp is None:
                found.append((begin, end, below))
        return line, found

    def across(self, edge: Edge, far: Edge, widest: float) -> list[float] | None:
        """The ring between two edges that face each other over a gap no wider than that."""
        gap, x, y, u, v = segment_segment(
            edge.ax, edge.ay, edge.bx, edge.by, far.ax, far.ay, far.bx, far.by
        )
        if gap <= SPECK or more_than(gap, widest):
            return None
        dx, dy = (u - x) / gap, (v - y) / gap
        if dx * edge.nx + dy * edge.ny <= _FACING or -(dx * far.nx + dy * far.ny) <= _FACING:
            return None
        hull = _hull([edge.at(0.0), edge.at(1.0), far.at(0.0), far.at(1.0)])
        return [c for corner in hull for c in corner] if len(hull) > 2 else None

    def facing(
        self, edges: dict[str, list[Edge]], may: Iterable[tuple[Surface, Surface]]
    ) -> Iterator[tuple[Edge, Edge]]:
        """Pairs of different edges, of each pair of surfaces."""
        for here, there in may:
            for edge in edges[here.id]:
                for far in edges[there.id]:
                    if far is not edge:
                        yield edge, far


def pointed(levels: Levels, towards: Iterable[Point], keep: str = "") -> Levels:
    """The levels with links at single places of each portal in its stead: quick to search, and no
    way found is shorter than the shortest.

    towards: places to which each portal has a link where it comes nearest. keep: a kind of portal
    that stays.
    """
    places = tuple(towards)
    links: list[Link] = []
    for portal in levels.portals:
        if portal.kind == keep:
            continue
        (_, ax, ay, bx, by), (_, cx, cy, dx, dy) = portal.start, portal.end
        length = math.hypot(bx - ax, by - ay)
        count = min(_PLACES, max(1, math.ceil(length / _SPACED)))
        shares = {k / count for k in range(count + 1)}
        for x, y in places:
            t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (length * length)
            shares.add(min(1.0, max(0.0, t)))
        links += [
            Link(
                f"{portal.id}@{t!r}",
                portal.kind,
                (portal.start[0], ax + t * (bx - ax), ay + t * (by - ay)),
                (portal.end[0], cx + t * (dx - cx), cy + t * (dy - cy)),
                portal.cost,
                portal.both,
            )
            for t in sorted(shares)
        ]
    kept = levels.keeping(lambda way: isinstance(way, Link) or way.kind == keep)
    return kept.with_more(links=links)


def _hull(points: list[Point]) -> list[Point]:
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

    return chain(found) + chain(found[::-1]) if len(found) > 2 else []
