"""Over the rims of round surfaces: links at places of them, set closer about the best of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.geometry.plane.legs import Arc, Leg, Line
from tapeline.geometry.plane.sweeps import (
    nearest_to_circle,
    nearest_to_point,
    nearest_to_segment,
    spans_near_point,
    spans_near_segment,
)
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.table.solids import Ground
from tapeline.table.storeys import Edge, Surface
from tapeline.travel.nearness import lowest
from tapeline.travel.terrain import Terrain

__all__ = ["LEAP", "Passage", "Rim", "Shore", "Spot", "closer_about", "straight_over"]

Point: TypeAlias = tuple[float, float]

#: The kind of a link over a gap.
LEAP = "leap"
#: Places of a rim that have a link at first; inches between those of the sides of a gap.
_PLACES, _APART = 48, 0.5
#: How much closer they are set each time; inches, the closest.
_CLOSER, _CLOSEST = 8, 2e-7
#: To either side as many angles of those that may lead aslant, half as far apart each time, since
#: the best aslant changes from place to place.
_ASLANT = 4
#: Sides of a gap that face each other this little, as the cosine between normal and direction, do
#: not.
_FACING = 1e-6
#: Length: widths no farther apart are one.
_SAME = 1e-12
#: Length off a round edge at which is looked what lies beyond.
_BEYOND = 1e-6


class Spot(NamedTuple):
    """A link over a rim: of which way, where, and how far the next one is, inches."""

    way: Way
    at: tuple[float, ...]
    apart: float


class Way(Protocol):
    """Over a rim, by links at any of its places."""

    def spots(self) -> dict[Link, Spot]:
        """Links all along it."""

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links as far round a spot as the next was, closer."""

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The best link for who comes from one place and goes to another with nothing in between,
        as far as that is told at once."""


def straight_over(
    levels: Levels, spots: Mapping[str, Spot], start: Point, end: Point
) -> tuple[Levels, dict[str, Spot]]:
    """The levels with the best links over rims for who goes from one place to another straight.

    Else a way that comes to a rim between the places tried first would seem longer than it is, and
    one over another rim or edge be taken for the shortest.
    """
    ways = {id(spot.way): spot.way for spot in spots.values()}
    found = {k: v for way in ways.values() for k, v in way.straight(start, end).items()}
    fresh = {link: spot for link, spot in found.items() if link.id not in spots}
    return levels.with_more(links=fresh), {**spots, **{k.id: v for k, v in fresh.items()}}


def closer_about(
    levels: Levels, route: LevelRoute, spots: Mapping[str, Spot]
) -> tuple[Levels, dict[str, Spot]] | None:
    """The levels with closer links about the one that a route takes, in place of all others of
    that way; None once they are as close as they need to be."""
    taken = [spots[link] for link in route.links if link in spots]
    spot = next((s for s in taken if s.apart > _CLOSEST), None)
    if spot is None:
        return None
    fresh = spot.way.about(spot)
    kept = {name: other for name, other in spots.items() if other.way is not spot.way}
    levels = levels.keeping(lambda link: link.id not in spots or link.id in kept)
    return levels.with_more(links=fresh), {**kept, **{k.id: v for k, v in fresh.items()}}


class Rim(NamedTuple):
    """The rim of a round surface as a way of a kind, down or `up` it, or `both`.

    cost: of a drop, None where it is no way. r, tall: of the base that goes over it. inset: how far
    in from the rim it stands on top. aslant: whether it may lead aslant, and costs its length then.
    """

    terrain: Terrain
    kind: str
    surface: Surface
    cost: Callable[[float], float | None]
    r: float
    tall: float
    up: bool = False
    both: bool = False
    inset: float = 0.0
    aslant: bool = False

    def spots(self) -> dict[Link, Spot]:
        """Links all round it."""
        step = math.tau / _PLACES
        return dict(self._links([k * step for k in range(_PLACES)], [0.0], step))

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links at angles about one, and aslant by angles about its own."""
        (angle, off), step = spot.at, spot.apart / self._circle[2]
        count = _ASLANT if self.aslant else _CLOSER
        closer = step / (2.0 if self.aslant else _CLOSER)
        steps = range(-count, count + 1)
        offs = [0.0]
        if self.aslant:
            widest = self._widest
            turn = widest / count * step * _PLACES / math.tau
            offs = [o for o in (off + k * turn for k in steps) if abs(o) <= widest]
        return dict(self._links([angle + k * closer for k in steps], offs, closer))

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The best link from inside it to outside, or back, with nothing in between."""
        cx, cy, radius = self._circle
        near, far = max(0.0, radius - self.inset), radius + self.r
        within = [math.dist(place, (cx, cy)) for place in (start, end)]
        if min(within) >= radius or max(within) <= far:
            return {}
        inner, outer = (start, end) if within[0] < within[1] else (end, start)
        if self.aslant:
            line = Line(*inner, *outer)
            over, down = (spans_near_point(line, cx, cy, d)[0][1] for d in (radius, far))
            (ax, ay), (bx, by) = line.at(over), line.at(down)
            angle = math.atan2(by - cy, bx - cx)
            off = math.remainder(math.atan2(ay - cy, ax - cx) - angle, math.tau)
            return dict(self._links([angle], [off], math.tau / _PLACES))
        begin = math.atan2(inner[1] - cy, inner[0] - cx)
        turn = math.atan2(outer[1] - cy, outer[0] - cx) - begin
        turn = (turn + math.pi) % math.tau - math.pi

        def length(t: float) -> float:
            ux, uy = math.cos(begin + t * turn), math.sin(begin + t * turn)
            return math.dist(inner, (cx + near * ux, cy + near * uy)) + math.dist(
                outer, (cx + far * ux, cy + far * uy)
            )

        angle = begin + lowest(length) * turn
        return dict(self._links([angle], [0.0], math.tau / _PLACES))

    @property
    def _circle(self) -> tuple[float, float, float]:
        assert self.surface.outer.circle is not None
        return self.surface.outer.circle

    @property
    def _widest(self) -> float:
        """The angle at which a way over it would run along it."""
        radius = self._circle[2]
        return math.acos(radius / (radius + self.r))

    def _links(
        self, angles: list[float], offs: list[float], step: float
    ) -> Iterator[tuple[Link, Spot]]:
        """Links between places one base radius off the rim, at angles, and the rim, aslant by some.

        The outer places come first: there something may stand in the way.
        """
        (cx, cy, radius), surface = self._circle, self.surface
        near, far = max(0.0, radius - self.inset), radius + self.r
        for angle in angles:
            x, y = cx + far * math.cos(angle), cy + far * math.sin(angle)
            below = self.terrain.storeys.below(x, y, surface.z, TOLERANCE)
            if below is None or below.ramp is not None:
                continue
            cost = self.cost(surface.z - below.z)
            if cost is None or not self._free(x, y, below.z):
                continue
            for off in offs:
                rim = cx + near * math.cos(angle + off), cy + near * math.sin(angle + off)
                ends = (surface.id, *rim), (below.id, x, y)
                start, end = ends[::-1] if self.up else ends
                length = math.dist(rim, (x, y)) if self.aslant else cost
                name = f"{self.kind} {surface.id} {angle!r} {off!r}"
                link = Link(name, self.kind, start, end, length, self.both)
                yield link, Spot(self, (angle, off), step * radius)

    def _free(self, x: float, y: float, z: float) -> bool:
        """Whether a base has room at a place, where it may touch what stands about."""
        r = self.r
        near = self.terrain.beside((x - r, y - r, x + r, y + r), z, self.tall)
        return not any(
            self.terrain.takes_room(solid, z, self.tall)
            and solid.ground.depth(x, y) > TOLERANCE - r
            for solid in near
        )


class Shore(NamedTuple):
    """A side of a gap: a surface, the edge of it, and the unit normal that leads off; of a rim the
    normal is that of each place."""

    surface: Surface
    edge: Leg
    normal: Point | None = None

    @classmethod
    def of_edge(cls, edge: Edge) -> Shore:
        """A straight side."""
        line = Line(edge.ax, edge.ay, edge.bx, edge.by)
        return cls(edge.surface, line, (edge.nx, edge.ny))

    @classmethod
    def of_rim(cls, surface: Surface, towards: Point) -> Shore:
        """The rim of a round surface, cut open on the side away from a place."""
        assert surface.outer.circle is not None
        cx, cy, radius = surface.outer.circle
        away = math.atan2(cy - towards[1], cx - towards[0])
        return cls(surface, Arc(cx, cy, radius, away, math.tau))

    def off(self, s: float) -> Point:
        """The unit normal that leads off at a length of it."""
        if self.normal is not None:
            return self.normal
        assert isinstance(self.edge, Arc)
        angle = self.edge.angle(s)
        return math.cos(angle), math.sin(angle)

    def drops(self, terrain: Terrain, s: float) -> bool:
        """Whether more than a step leads down at a length of a rim."""
        if self.normal is not None:
            return True
        (x, y), (nx, ny) = self.edge.at(s), self.off(s)
        surface, x, y = self.surface, x + _BEYOND * nx, y + _BEYOND * ny
        beyond, _ = terrain.storeys.beyond(surface, x, y)
        return beyond is not None and not terrain.low(surface.z - beyond.height(x, y), surface)


class Passage(NamedTuple):
    """A way over a gap, from a side of it to another, of which one is a rim, by straight jumps.

    widest: how far may be jumped. cost: besides the width. r: of the base that jumps. solids: what
    is in its way. inset: how far in from the edges it takes off and lands.
    """

    name: str
    terrain: Terrain
    near: Shore
    far: Shore
    widest: float
    cost: float
    r: float
    solids: Sequence[Ground]
    inset: float = 0.0

    def spots(self) -> dict[Link, Spot]:
        """Links from all places that are near enough to the far side to all that are to those, the
        nearest among them."""
        near, far = self.near.edge, self.far.edge
        if isinstance(far, Line):
            spans = spans_near_segment(near, *far, self.widest)
            closest = nearest_to_segment(near, *far)
        else:
            spans = spans_near_point(near, far.cx, far.cy, far.radius + self.widest)
            closest = nearest_to_circle(near, far.cx, far.cy, far.radius)
        if more_than(closest.distance, self.widest):
            return {}
        places = [s for span in spans for s in _spaced(*span)]
        found: dict[Link, Spot] = {}
        for s in dict.fromkeys([closest.travelled, *places]):
            landings = [t for span in self._reached(s) for t in _spaced(*span)]
            found |= self._links(s, landings, (0.0, far.length), closest.distance, _APART)
        return found

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links between places about those of one."""
        (s, t), step = spot.at, spot.apart / _CLOSER
        steps = [k * step for k in range(-_CLOSER, _CLOSER + 1)]
        width = math.dist(self.near.edge.at(s), self.far.edge.at(t))
        window = max(0.0, t - spot.apart), min(t + spot.apart, self.far.edge.length)
        found: dict[Link, Spot] = {}
        for more in steps:
            if 0.0 <= s + more <= self.near.edge.length:
                ends = [end for span in self._reached(s + more) for end in span]
                landings = [*(t + k for k in steps), *ends]
                found |= self._links(s + more, landings, window, width, step)
        return found

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """None: what a jump spares depends on both of its sides."""
        return {}

    def _reached(self, s: float) -> list[tuple[float, float]]:
        """Lengths of the far side between which it is near enough to a place of the near one."""
        return spans_near_point(self.far.edge, *self.near.edge.at(s), self.widest)

    def _links(
        self,
        s: float,
        landings: Iterable[float],
        window: tuple[float, float],
        width: float,
        apart: float,
    ) -> Iterator[tuple[Link, Spot]]:
        """Links from a place of the near side to some of the far one, and to the nearest, within
        two lengths of it, and no wider than may be jumped; or than is known to be so narrow, since
        on a rim the tolerance of a width would lead far aside."""
        widest = max(self.widest, width) + _SAME
        (ax, ay), (nx, ny) = self.near.edge.at(s), self.near.off(s)
        nearest = nearest_to_point(self.far.edge, ax, ay).travelled
        for t in dict.fromkeys([nearest, *landings]):
            if not window[0] <= t <= window[1]:
                continue
            (bx, by), (mx, my) = self.far.edge.at(t), self.far.off(t)
            line = Line(ax, ay, bx, by)
            dx, dy, width = bx - ax, by - ay, line.length
            if width > widest or width <= _BEYOND:
                continue
            if min(dx * nx + dy * ny, -dx * mx - dy * my) <= _FACING * width:
                continue
            if any(overlaps(self.r - solid.nearest_to(line).distance) for solid in self.solids):
                continue
            if not (self.near.drops(self.terrain, s) and self.far.drops(self.terrain, t)):
                continue
            edge = self.near.surface.id, ax - self.inset * nx, ay - self.inset * ny
            onto = self.far.surface.id, bx - self.inset * mx, by - self.inset * my
            name, cost = f"{self.name} {s!r} {t!r}", width + self.cost
            yield Link(name, LEAP, edge, onto, cost, False), Spot(self, (s, t), apart)


def _spaced(begin: float, end: float) -> list[float]:
    """Lengths from one to another, those two among them."""
    count = max(1, math.ceil((end - begin) / _APART))
    return [begin + k / count * (end - begin) for k in range(count + 1)]
