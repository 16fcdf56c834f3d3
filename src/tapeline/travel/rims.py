"""Ways over the rims of round surfaces: links at places of them, down, up and over gaps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.intersections import both_circles, lengths_at
from tapeline.geometry.plane.legs import Arc, Leg, Line, Point
from tapeline.geometry.plane.sweeps import (
    nearest_to_circle,
    nearest_to_point,
    nearest_to_segment,
    spans_near_point,
    spans_near_segment,
)
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.table.solids import Ground, box_of
from tapeline.table.storeys import Edge, Surface
from tapeline.travel.crossings import comes_over
from tapeline.travel.nearness import lowest
from tapeline.travel.rim_search import Spot
from tapeline.travel.terrain import Terrain

__all__ = ["LEAP", "Passage", "Rim", "Shore"]

Disc: TypeAlias = tuple[float, float, float]

#: The kind of a link over a gap.
LEAP = "leap"
#: Places of a rim that have a link at first; inches between those of the sides of a gap.
_PLACES, _APART = 48, 0.5
#: Places to either side of one that are looked at, the next closer; where the best was one of the
#: last of them, a wider stretch about that.
_EACH_WAY, _CLOSER, _SHIFTED = 6, 4.0, 2.0
#: To either side as many angles of those that may lead aslant, half as far apart each time, since
#: the best aslant changes from place to place.
_ASLANT = 4
#: Sides of a gap that face each other this little, as the cosine between normal and direction, do
#: not.
_FACING = 1e-6
#: Length: widths no farther apart are one; how closely is told where a jump just lands somewhere.
_SAME, _ROOT = 1e-13, 1e-9
#: Length: who comes over what he lands on no earlier lands where he means to.
_SHORT = 1e-4
#: Length off a round edge at which is looked what lies beyond.
_BEYOND = 1e-6


class Rim(NamedTuple):
    """The rim of a round surface as a way of a kind, down or `up` it, or `both`.

    cost: of a drop, None where it is no way. r, tall: of the base that goes over it. inset: how far
    in from the rim it stands on top. aslant: whether it may lead aslant, and costs its length then.
    slopes: whether it leads down on to ramps. nearest: whether to the nearest free place beyond the
    rim, as below one that juts out; else one base radius beyond it.
    cuts: angles at which what stands about, or lies below, begins or ends; found by `spots`.
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
    slopes: bool = False
    nearest: bool = False
    cuts: tuple[float, ...] = ()

    def spots(self) -> dict[Link, Spot]:
        """Links all round it."""
        step, way = math.tau / _PLACES, self._replace(cuts=tuple(sorted(self._found())))
        return dict(way._links([k * step for k in range(_PLACES)] + [*way.cuts], step))

    def at(self, angles: Sequence[float]) -> dict[Link, Spot]:
        """Links at some angles."""
        return dict(self._links(angles, math.tau / _PLACES))

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links at angles about one, nearer each other; aslant by angles about its own."""
        (at, off), step = spot.at, spot.apart / self.circle[2]
        count, closer = _EACH_WAY, step / (_SHIFTED if spot.last else _CLOSER)
        offs = [0.0]
        if self.aslant:
            count, closer = _ASLANT, step / 2.0
            widest = self._widest
            turn = widest / count * step * _PLACES / math.tau
            each = (off + k * turn for k in range(-count, count + 1))
            offs = [one for one in each if abs(one) <= widest]
        angles = [at + k * closer for k in range(-count, count + 1)]
        cuts = (at + math.remainder(cut - at, math.tau) for cut in self.cuts)
        near = [cut for cut in cuts if abs(cut - at) <= count * closer]
        return dict(self._links([*angles, *near], closer, offs, angles))

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The best link from inside it to outside, or back, with nothing in between."""
        cx, cy, radius = self.circle
        near, far = self._on_top, radius + self.r
        within = [math.dist(place, (cx, cy)) for place in (start, end)]
        if min(within) >= radius or max(within) <= far:
            return {}
        inner, outer = (start, end) if within[0] < within[1] else (end, start)
        if self.aslant:
            line = Line(*inner, *outer)
            ends = [span[1] for d in (radius, far) for span in spans_near_point(line, cx, cy, d)]
            if len(ends) < 2:  # it begins on the very rim
                return {}
            (ax, ay), (bx, by) = map(line.at, ends)
            angle = math.atan2(by - cy, bx - cx)
            off = math.remainder(math.atan2(ay - cy, ax - cx) - angle, math.tau)
            return dict(self._links([angle], math.tau / _PLACES, [off]))
        begin = math.atan2(inner[1] - cy, inner[0] - cx)
        turn = math.remainder(math.atan2(outer[1] - cy, outer[0] - cx) - begin, math.tau)

        def length(t: float) -> float:
            ux, uy = math.cos(begin + t * turn), math.sin(begin + t * turn)
            return math.dist(inner, (cx + near * ux, cy + near * uy)) + math.dist(
                outer, (cx + far * ux, cy + far * uy)
            )

        return dict(self._links([begin + lowest(length) * turn], math.tau / _PLACES))

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """Links that lead to, or off, where the base touches one that stands on a level."""
        (cx, cy, radius), step = self.circle, math.tau / _PLACES
        angles: list[float] = []
        for name in names:
            ring = self._on_top if name == self.surface.id else radius + self.r
            for x, y, reach in levels.level(name).field.bodies.values():
                for px, py in both_circles((cx, cy, ring), (x, y, reach + self.r)):
                    angles.append(math.atan2(py - cy, px - cx))
        return dict(self._links(angles, step))

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two links are no farther from each other than they are at first."""
        return abs(math.remainder(one.at[0] - other.at[0], math.tau)) <= 1.5 * math.tau / _PLACES

    def unsure(self, spot: Spot) -> float:
        """How much shorter a way may be that leads over the rim by a place nearer than the next."""
        return spot.apart * (1.0 + 0.5 * self.r / self.circle[2])

    @property
    def circle(self) -> tuple[float, float, float]:
        """Of the rim: the middle and the radius."""
        assert self.surface.outer.circle is not None
        return self.surface.outer.circle

    @property
    def _on_top(self) -> float:
        """How far from the middle a base stands on top."""
        return max(0.0, self.circle[2] - self.inset)

    @property
    def _widest(self) -> float:
        """The angle at which a way over it would run along it."""
        radius = self.circle[2]
        return math.acos(radius / (radius + self.r))

    def _found(self) -> Iterator[float]:
        """Angles at which a base on the rim, or beside it, comes to what leaves it no room, or over
        another surface."""
        (cx, cy, radius), z = self.circle, self.surface.z
        rim = Arc(cx, cy, self._on_top, 0.0, math.tau)
        beside = Arc(cx, cy, radius + self.r, 0.0, math.tau)
        box = box_of(beside, self.r)
        below = [s for s in self.terrain.storeys.near(box) if self._led_to(s) and s.z < z]
        for arc, heights in (
            (rim, {z} if rim.radius else set[float]()),
            (beside, {s.z for s in below if s.ramp is None}),
        ):
            for height in heights:
                for solid in self.terrain.beside(box, height, self.tall):
                    if self.terrain.takes_room(solid, height, self.tall):
                        yield from _ends(solid.ground.spans_near(arc, self.r), arc)
        for surface in below:
            for plan in surface.plans:
                yield from _ends(plan.spans(beside), beside)

    def _links(
        self,
        angles: Sequence[float],
        step: float,
        offs: Sequence[float] = (0.0,),
        shown: Sequence[float] = (),
    ) -> Iterator[tuple[Link, Spot]]:
        """Links between places one base radius off the rim, at angles, and the rim, aslant by some.
        shown: angles looked at about another, in order.

        The outer places come first: there something may stand in the way.
        """
        (cx, cy, _), surface = self.circle, self.surface
        near, step = self._on_top, step * self.circle[2]
        for angle in angles:
            found = next(self._beyond(math.cos(angle), math.sin(angle)), None)
            if found is None:
                continue
            (x, y), below, cost = found
            last = angle in (*shown[:1], *shown[-1:])
            for off in offs:
                rim = cx + near * math.cos(angle + off), cy + near * math.sin(angle + off)
                ends = (surface.id, *rim), (below.id, x, y)
                start, end = ends[::-1] if self.up else ends
                length = math.dist(rim, (x, y)) if self.aslant else cost
                name = f"{self.kind} {surface.id} {angle!r} {off!r}"
                link = Link(name, self.kind, start, end, length, self.both)
                yield link, Spot(self, (angle, off), step, last)

    def _beyond(self, ux: float, uy: float) -> Iterator[tuple[Point, Surface, float]]:
        """Free places beyond the rim in a direction, the nearest first: what is below, and what the
        way there costs."""
        cx, cy, radius = self.circle
        far = radius + self.r
        line = Line(cx + radius * ux, cy + radius * uy, cx + far * ux, cy + far * uy)
        stops = {self.r}
        if self.nearest:
            stops.add(0.0)
            for solid in self.terrain.near(box_of(line, self.r)):
                stops.update(end for _, end in solid.ground.spans_near(line, self.r))
        for far in sorted(stops):
            x, y = line.at(far)
            below = self.terrain.storeys.below(x, y, self.surface.z, TOLERANCE)
            if below is None or not self._led_to(below):
                continue
            if self.terrain.steps_up(self.surface, x, y, self.surface.z) is not None:
                continue
            cost = self.cost(self.surface.z - below.height(x, y))
            if cost is not None and self._free(x, y, below):
                yield (x, y), below, cost

    def _led_to(self, below: Surface) -> bool:
        return self.slopes or below.ramp is None

    def _free(self, x: float, y: float, below: Surface) -> bool:
        """Whether a base has room at a place, where it may touch what stands about."""
        r, z = self.r, below.height(x, y)
        box = (x - r, y - r, x + r, y + r)
        ramp, ground = below.ramp, self.terrain
        near = ground.on_ramp(box, ramp) if ramp else ground.beside(box, z, self.tall)
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
        if terrain.steps_up(surface, x, y, surface.z) is not None:
            return False
        return beyond is not None and not terrain.low(surface.z - beyond.height(x, y), surface)


class Passage(NamedTuple):
    """A way over a gap, from a side of it to another, of which one is a rim, by straight jumps.

    widest: how far may be jumped. cost: besides the width. r: of the base that jumps. solids: what
    is in its way. inset: how far in from the edges it takes off and lands. onto: what a link
    between two lengths is made of another kind by; None where it is none. along: whether the
    inset lies along the line of the jump; then start: where it comes from, if that is on the near
    side; clear: a disc that nobody lands beyond.
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
    onto: Callable[[Link, float, float], Link | None] | None = None
    along: bool = False
    start: Point | None = None
    clear: Disc | None = None

    def spots(self, aims: Sequence[Point] = (), start: Point = (0.0, 0.0)) -> dict[Link, Spot]:
        """Links from all places that are near enough to the far side to all that are to those, the
        nearest among them, and where they just pass two things that stand in the way of others.

        aims: places beyond that others lead straight at, from each place and from the start."""
        near, far = self.near.edge, self.far.edge
        if isinstance(far, Line):
            # Where it is just as wide as may be jumped, along all of it, for a touch is no span.
            spans = spans_near_segment(near, *far, self.widest)
            spans = spans or spans_near_segment(near, *far, self.widest + TOLERANCE)
            closest = nearest_to_segment(near, *far)
        else:
            spans = spans_near_point(near, far.cx, far.cy, far.radius + self.widest)
            closest = nearest_to_circle(near, far.cx, far.cy, far.radius)
        if more_than(closest.distance, self.widest):
            return {}
        places = [s for span in spans for s in _spaced(*span)]
        found: dict[Link, Spot] = {}
        met, width = set[int](), closest.distance + _SAME
        straight = (s for aim in aims for s in _met_by(_unit(start, aim), near))
        for s in dict.fromkeys([closest.travelled, *places, *straight]):
            at = near.at(s)
            landings = [t for span in self._reached(s) for t in _spaced(*span)]
            landings += [t for aim in aims for t in _met_by(_unit(at, aim), far)]
            landings += self._straight_on(s)
            found |= self._links(s, landings, width, _APART, met)
        for s, t in self._past(sorted(met)):
            found |= self._links(s, [t], width, _APART)
        return found

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links between places about those of one, nearer each other."""
        (s, t), step = spot.at, spot.apart / (_SHIFTED if spot.last else _CLOSER)
        steps = [k * step for k in range(-_EACH_WAY, _EACH_WAY + 1)]
        width = math.dist(self.near.edge.at(s), self.far.edge.at(t))
        far = _EACH_WAY * step
        found: dict[Link, Spot] = {}
        for more in steps:
            if 0.0 <= s + more <= self.near.edge.length:
                ends = [end for span in self._reached(s + more) for end in span]
                landings = [*(t + k for k in steps), *ends, *self._straight_on(s + more)]
                last = {t + steps[0], t + steps[-1]} if abs(more) < far else set(landings)
                for link, one in self._links(s + more, landings, width, step):
                    found[link] = one._replace(last=one.at[1] in last)
        return found

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """None: who stands on either side is gone past between other places."""
        del levels, names
        return {}

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """None: what a jump spares depends on both of its sides."""
        del start, end
        return {}

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two links are no farther from each other than they are at first."""
        return all(abs(a - b) <= 1.5 * _APART for a, b in zip(one.at, other.at, strict=True))

    def unsure(self, spot: Spot) -> float:
        """How much shorter a way may be that leads over the gap between places nearer than the
        next."""
        return 2.0 * spot.apart

    def _past(self, met: Iterable[int]) -> Iterator[tuple[float, float]]:
        """Lengths of both sides between which a base just passes two of some solids, or one of them
        from an end of a straight side."""
        discs = [disc for k in met for disc in _rounded(self.solids[k], self.r)]
        ends = [
            (*end, 0.0)
            for edge in (self.near.edge, self.far.edge)
            if isinstance(edge, Line)
            for end in (edge.start, edge.end)
        ]
        pairs = [*combinations(discs, 2), *((end, disc) for end in ends for disc in discs)]
        for one, two in pairs:
            for line in _tangents(one, two):
                near, far = _met_by(line, self.near.edge), _met_by(line, self.far.edge)
                yield from ((s, t) for s in near for t in far)

    def _reached(self, s: float) -> list[tuple[float, float]]:
        """Lengths of the far side between which it is near enough to a place of the near one."""
        return spans_near_point(self.far.edge, *self.near.edge.at(s), self.widest)

    def _straight_on(self, s: float) -> list[float]:
        """Where who takes off at a length of the near side straight from where it comes from lands:
        beside that it comes there by a bend, so the best is often there."""
        if self.start is None:
            return []
        return _met_by(_unit(self.start, self.near.edge.at(s)), self.far.edge)

    def _links(
        self,
        s: float,
        landings: Iterable[float],
        width: float,
        apart: float,
        met: set[int] | None = None,
    ) -> Iterator[tuple[Link, Spot]]:
        """Links from a place of the near side to some of the far one, and to the nearest, no wider
        than may be jumped; or than is known to be so narrow, since on a rim the tolerance of a
        width would lead far aside.

        met: is told which solids are in the way of others."""
        widest = max(self.widest + _SAME, width)
        # Where part of the line is free ways are laid anew, and land where they come over a floor.
        whole = not self.along and not self.far.surface.is_convex
        (ax, ay), (nx, ny) = self.near.edge.at(s), self.near.off(s)
        nearest = nearest_to_point(self.far.edge, ax, ay).travelled
        for t in self._off_disc((ax, ay), [nearest, *landings]):
            (bx, by), (mx, my) = self.far.edge.at(t), self.far.off(t)
            line = Line(ax, ay, bx, by)
            dx, dy, width = bx - ax, by - ay, line.length
            if width > widest or width <= _BEYOND:
                continue
            if min(dx * nx + dy * ny, -dx * mx - dy * my) <= _FACING * width:
                continue
            box = box_of(line, self.r)
            barred = (
                k
                for k, plan in enumerate(self.solids)
                if plan.meets(box) and overlaps(self.r - plan.nearest_to(line).distance)
            )
            if (first := next(barred, None)) is not None:
                if met is not None:
                    met.update((first, *barred))
                continue
            if not self.near.drops(self.terrain, s):
                continue
            if whole:
                over = comes_over(self.far.surface, line)
                if over is not None and over < width - _SHORT:
                    continue  # it lands before
            ux, uy = dx / width, dy / width
            edge = self._free(self.near, (ax, ay), (-ux, -uy), (-nx, -ny))
            there = self._free(self.far, (bx, by), (ux, uy), (-mx, -my))
            name, cost = f"{self.name} {s!r} {t!r}", width + self.cost
            link: Link | None = Link(name, LEAP, edge, there, cost, False)
            if self.onto is not None and link is not None:
                link = self.onto(link, s, t)
            if link is not None:
                yield link, Spot(self, (s, t), apart)

    def _off_disc(self, start: Point, landings: Iterable[float]) -> list[float]:
        """Lengths of the far side, of some, at which a jump from a place lands not beyond the disc
        that nobody lands beyond; and those between at which it just does: the best is often
        there."""
        length = self.far.edge.length
        each = list(dict.fromkeys(t for t in landings if 0.0 <= t <= length))
        if self.clear is None or not self._may_meet(self.clear):
            return each
        off = {t: self._off(self.clear, start, t) for t in each}
        for low, high in pairwise(sorted(off)):
            short = off[low] < 0.0
            if short == (off[high] < 0.0):
                continue
            while high - low > _ROOT:
                middle = 0.5 * (low + high)
                if (self._off(self.clear, start, middle) < 0.0) == short:
                    low = middle
                else:
                    high = middle
            off[high if short else low] = 0.0
        return [t for t, far in off.items() if far >= -TOLERANCE]

    def _may_meet(self, disc: Disc) -> bool:
        """Whether who lands on the far side may come upon a disc."""
        x, y, reach = disc
        return nearest_to_point(self.far.edge, x, y).distance <= reach + self.inset

    def _off(self, disc: Disc, start: Point, t: float) -> float:
        """How far off a disc a jump from a place lands; negative on or beyond it."""
        (bx, by), (mx, my) = self.far.edge.at(t), self.far.off(t)
        width = math.dist(start, (bx, by)) or 1.0
        along = (bx - start[0]) / width, (by - start[1]) / width
        there = self._free(self.far, (bx, by), along, (-mx, -my))
        return point_segment(disc[0], disc[1], bx, by, *there[1:])[0] - disc[2]

    def _free(self, side: Shore, lip: Point, *ways: Point) -> tuple[str, float, float]:
        """Where what is free beyond a lip begins or ends: so far in, in the first of some
        directions that leads to a place; or nearer, where who comes is so near."""
        ways = ways if self.along else ways[-1:]
        ends = [(lip[0] + self.inset * ux, lip[1] + self.inset * uy) for ux, uy in ways]
        on = (end for end in ends if len(ends) == 1 or side.surface.depth(*end, 0.0) >= 0.0)
        x, y = next(on, ends[-1])
        if side is self.near and self.start is not None:
            _, x, y = point_segment(*self.start, x, y, *lip)
        return side.surface.id, x, y


def _spaced(begin: float, end: float) -> list[float]:
    """Lengths from one to another, those two among them."""
    count = max(1, math.ceil((end - begin) / _APART))
    return [begin + k / count * (end - begin) for k in range(count + 1)]


def _unit(start: Point, end: Point) -> Line:
    """A line of length 1 from one place towards another."""
    (x, y), apart = start, math.dist(start, end) or 1.0
    return Line(x, y, x + (end[0] - x) / apart, y + (end[1] - y) / apart)


def _ends(spans: Iterable[tuple[float, float]], arc: Arc) -> Iterator[float]:
    """Angles of the ends of some of its lengths, its own left out."""
    yield from (s / arc.radius for span in spans for s in span if 0.0 < s < arc.length)


def _rounded(plan: Ground, r: float) -> Iterator[Disc]:
    """A plan grown by a radius as discs: itself, or those about its corners."""
    if plan.circle is not None:
        x, y, radius = plan.circle
        yield x, y, radius + r
    ring = plan.ring or ()
    yield from ((ring[k], ring[k + 1], r) for k in range(0, len(ring), 2))


def _tangents(one: Disc, two: Disc) -> Iterator[Line]:
    """The lines that touch two discs."""
    (ax, ay, r), (bx, by, q) = one, two
    d = math.hypot(bx - ax, by - ay)
    towards = math.atan2(by - ay, bx - ax)
    for along in dict.fromkeys((r - q, r + q)) if d > 0.0 else ():
        if abs(along) <= d:
            for turn in (math.acos(along / d), -math.acos(along / d)):
                ux, uy = math.cos(towards + turn), math.sin(towards + turn)
                x, y = ax + r * ux, ay + r * uy
                yield Line(x, y, x - uy, y + ux)


def _met_by(line: Line, edge: Leg) -> list[float]:
    """Lengths of an edge at which a line of length 1, gone on beyond both ends, crosses it."""
    ux, uy = line.bx - line.ax, line.by - line.ay
    if isinstance(edge, Arc):
        crossed = lengths_at(line, (edge.cx, edge.cy, edge.radius))
        places = ((line.ax + s * ux - edge.cx, line.ay + s * uy - edge.cy) for s in crossed)
        found = (edge.travelled_to(math.atan2(y, x)) for x, y in places)
        return [s for s in found if s is not None]
    a = (edge.ax - line.ax) * uy - (edge.ay - line.ay) * ux
    b = (edge.bx - line.ax) * uy - (edge.by - line.ay) * ux
    return [a / (a - b) * edge.length] if a * b <= 0.0 and a != b else []
