"""Where the centre of a base goes: a path of legs, and what the ground or the air makes of it.

A route is read from legs as they are given, on level ground, or laid over terrain by a walker. It
has parts in order, each beginning where the one before ended: stretches on one sort of ground,
and crossings. Lengths in table units. Nothing changes a part or a route once it is made; they are
not frozen because a verdict makes many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, affords, more_than, same
from tapeline.engine.paths import Leg, LegPath, Place, Point
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Arc, Line, arc_from
from tapeline.geometry.plane.sweeps import farthest_from_point, nearest_to_point
from tapeline.table.bodies import Body
from tapeline.travel.landing import Landing

__all__ = [
    "Crossing",
    "Given",
    "Hit",
    "Measured",
    "Part",
    "Route",
    "Stretch",
    "just_before",
    "note",
    "shares_between",
    "steepness",
]

#: Less of a way than this is none, and two lengths no farther apart are one; length.
_SPECK, _ROUNDING = 1e-9, 1e-12


class Measured(NamedTuple):
    """A distance somewhere along a route: how far, after what length, and where."""

    distance: float
    travelled: float
    place: Point


class Hit(NamedTuple):
    """What a base may not do on its way: the clause broken, by how much, where.

    travelled: length of the way before.
    """

    clause: str
    text: str
    place: Place
    travelled: float
    about: str | None = None
    measured: float | None = None
    limit: float | None = None

    @property
    def finding(self) -> Finding:
        """The same as a clause tells it."""
        where = self.place.xy, self.about, self.travelled
        return Finding(self.text, self.measured, self.limit, *where)


class Given(NamedTuple):
    """A leg of a path as documents give it, and its number there, from 1."""

    number: int
    leg: Leg


def note(hits: list[Hit], hit: Hit) -> None:
    """Note a hit; of one clause and thing the one that comes first on the way is kept, and of those
    that come at once, as a sill and the window above it do, the one by more.

    A thing may be several solids, which are met in another order than they are looked at.
    """
    for index, known in enumerate(hits):
        if (known.clause, known.about) == (hit.clause, hit.about):
            if same(hit.travelled, known.travelled):
                sooner = more_than(hit.measured or 0.0, known.measured or 0.0)
            else:
                sooner = hit.travelled < known.travelled
            if sooner:
                hits[index] = hit
            return
    hits.append(hit)


@dataclass(slots=True)
class Stretch:
    """A piece of the way of the centre on one sort of ground: straight, an arc, or a turn.

    factor: of cost to length. what: the ground in words. clause: what sets the factor. how: the
    manner of its leg. piece: id of the ground or link. arc: of an arc, its centre on the plan and
    the signed angle, radians. counted: its length where that is not the way in space: the height
    of a ladder, 0 for a step. grade: of an arc on a slope, how that rises along x and y. danger:
    the dangerous ground it is in, by name. alone: factor and clause of its own ground, where worse
    ground slows the whole way. given: the leg it is a part of, where that is written again as it
    was. crosses: of a piece of a crossing, its length in space. leg: the same piece on the plan.
    length: in space, or as counted.
    """

    start: Place
    end: Place
    factor: float = 1.0
    what: str = ""
    clause: str = ""
    how: str = "walk"
    piece: str | None = None
    arc: tuple[float, float, float] | None = None
    counted: float | None = None
    grade: Point | None = None
    danger: str | None = None
    alone: tuple[float, str] | None = None
    given: Given | None = None
    crosses: float | None = None
    leg: Line | Arc = field(init=False, repr=False, compare=False)
    length: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        (ax, ay, _), (bx, by, _) = self.start, self.end
        leg = Line(ax, ay, bx, by) if self.arc is None else arc_from(ax, ay, *self.arc)
        length = self.counted
        if length is None:
            length = math.dist(self.start, self.end) if self.arc is None else leg.length
        self.leg = leg
        self.length = length

    @property
    def cost(self) -> float:
        """What it takes of the allowance."""
        return self.length * self.factor

    @property
    def on_ladder(self) -> bool:
        """Whether it is along a ladder or a rope."""
        return self.what in ("ladder", "rope")

    @property
    def own(self) -> tuple[float, str]:
        """Factor and clause of its own ground."""
        return (self.factor, self.clause) if self.alone is None else self.alone

    @property
    def taken(self) -> Leg:
        """The same piece as a leg of an action."""
        if self.arc is not None:
            return Leg.about(*self.arc)
        return leg_to(self.end, self.how)

    def at(self, t: float) -> Place:
        """The place at a share of its length."""
        a, b = self.start, self.end
        if self.arc is not None:
            x, y = self.leg.at(t * self.leg.length)
            gx, gy = self.grade or (0.0, 0.0)
            return Place(x, y, a.z + gx * (x - a.x) + gy * (y - a.y))
        return Place(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z))

    def along(self, planned: float) -> float:
        """How much of its length lies behind after some length on the plan."""
        if self.counted is None and self.start.z == self.end.z:
            return planned
        flat = self.leg.length
        return planned / flat * self.length if flat > 0.0 else 0.0

    def upto(self, t: float) -> Stretch:
        """Its beginning, a share of its length."""
        if t >= 1.0:
            return self
        arc = None if self.arc is None else (*self.arc[:2], self.arc[2] * t)
        counted = None if self.counted is None else self.counted * t
        return replace(self, end=self.at(t), arc=arc, counted=counted)


@dataclass(slots=True)
class Crossing:
    """A climb, a jump down, or a jump over a gap.

    start, end: where the base stands before and, when it passes, after. cost: what it takes when
    it passes. clause: what sets that. rise: height climbed or jumped down; of a gap, how far its
    other side lies lower. width: of a gap. peak: the greatest height on the way. lips: of a gap,
    the near and the far edge with the direction that leads off each, for falls. fall: what comes
    of a failure, if that is known beforehand. low: of a gap, what comes of failing the jump down
    on its far side. piece: id of what is climbed. danger: the dangerous ground it ends in, by name.
    """

    kind: str
    start: Place
    end: Place
    cost: float
    clause: str = ""
    rise: float = 0.0
    width: float = 0.0
    peak: float = -math.inf
    lips: tuple[tuple[Point, Point], ...] = ()
    fall: Landing | None = None
    low: Landing | None = None
    piece: str | None = None
    danger: str | None = None

    @property
    def length(self) -> float:
        """Length of the way that it makes up: what it costs."""
        return self.cost

    @property
    def taken(self) -> Leg:
        """The same crossing as a leg of an action."""
        return leg_to(self.end, _HOW.get(self.kind, self.kind))

    @property
    def trace(self) -> tuple[tuple[Place, Place], ...]:
        """Straight pieces in space that the centre goes along: up, across, down."""
        a, b = self.start, self.end
        top = max(a.z, b.z, self.peak)
        up, over = Place(a.x, a.y, top), Place(b.x, b.y, top)
        return tuple(pair for pair in ((a, up), (up, over), (over, b)) if pair[0] != pair[1])

    @property
    def paid(self) -> Iterator[tuple[Place, Place, float]]:
        """The same pieces, each with what it takes of the cost: the height of a climb, of a jump
        down or over a gap what leads across; setting the base down is free."""
        climbs, left = self.kind in _CLIMBS, self.cost
        heights = [abs(a.z - b.z) for a, b in self.trace]
        if climbs:
            left = max(0.0, left - sum(heights))
            taken = self.cost - left
        else:
            taken = min(left, max(0.0, self.end.z - self.start.z))
            left -= taken
        for (a, b), height in zip(self.trace, heights, strict=True):
            if height > 0.0:
                share = min(height, taken)
                taken -= share
                yield a, b, share
                continue
            flat = math.dist(a, b)
            if climbs or not 0.0 < left < flat:
                yield a, b, left
                continue
            t = left / flat
            lip = Place(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z)
            yield a, lip, left
            yield lip, b, 0.0


_CLIMBS = frozenset({"climb", "climb up", "climb down"})
_HOW = {"climb up": "climb", "climb down": "climb", "jump down": "drop", "gap": "jump"}

Part: TypeAlias = Stretch | Crossing


@dataclass(slots=True)
class Route:
    """A way in parts, each beginning where the one before ended, and what is wrong with it.

    level: whether it goes on level ground alone, by legs that are written again as they were given.
    beside: whether it led past anything that could have been in the way. marked: each part with
    the length before it. length: of all parts, slow ground counted once.
    """

    start: Place
    parts: tuple[Part, ...] = ()
    hits: tuple[Hit, ...] = ()
    beside: bool = False
    level: bool = False
    marked: tuple[tuple[float, Part], ...] = field(init=False, repr=False, compare=False)
    length: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        marked, gone = [], 0.0
        for part in self.parts:
            marked.append((gone, part))
            gone += part.length
        self.marked = tuple(marked)
        self.length = gone

    @classmethod
    def read(cls, start: Place | Body, legs: LegPath) -> Route:
        """A path as documents give it, on level ground; turns on the spot take no length."""
        at = origin = Place(start.x, start.y, start.z)
        parts = []
        for number, leg in enumerate(legs, 1):
            shape = leg.shape(at.x, at.y)
            end = at if shape is None else Place(*shape.end, at.z)
            arc = shape.turn if isinstance(shape, Arc) else None
            parts.append(Stretch(at, end, arc=arc, given=Given(number, leg)))
            at = end
        return cls(origin, tuple(parts), level=True)

    @property
    def end(self) -> Place:
        """Where it ends if every crossing is passed."""
        return self.parts[-1].end if self.parts else self.start

    @property
    def stretches(self) -> tuple[tuple[float, Stretch], ...]:
        """Each stretch with the length before it."""
        return tuple((s, part) for s, part in self.marked if isinstance(part, Stretch))

    @property
    def traced(self) -> list[tuple[float, Stretch]]:
        """Each piece in space that the centre goes along, with the length before it; a crossing as
        the straight pieces it leads up, across and down."""
        found: list[tuple[float, Stretch]] = []
        for before, part in self.marked:
            if isinstance(part, Stretch):
                found.append((before, part))
                continue
            for a, b, share in part.paid:
                found.append((before, Stretch(a, b, counted=share, crosses=math.dist(a, b))))
                before += share
        return found

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """Its climbs and jumps, in order."""
        return tuple(part for part in self.parts if isinstance(part, Crossing))

    @property
    def cost(self) -> float:
        """What the whole way takes of the allowance."""
        return sum((part.cost for part in self.parts), 0.0)

    @property
    def legs(self) -> LegPath:
        """The way as legs of an action: those given, the last cut where it ends, or one a part."""
        found: list[Leg] = []
        for given, group in groupby(self.parts, _given):
            parts = list(group)
            found += [part.taken for part in parts] if given is None else [_cut(given.leg, parts)]
        return tuple(found)

    # Its beginning.

    def place(self, s: float) -> Place:
        """Where that much of its length lies behind; before a crossing until it is behind."""
        for before, part in self.marked:
            if before + part.length > s:
                return (
                    part.start if isinstance(part, Crossing) else part.at(_share(s, before, part))
                )
        return self.end

    def upto(self, s: float, *, step: bool = True) -> Route:
        """The beginning of that length; a crossing is taken whole or not at all. step: whether it
        takes what comes there and costs nothing, as a step does."""
        kept: list[Part] = []
        for before, part in self.marked:
            if not step and before >= s - _ROUNDING:
                break
            if before + part.length <= s:
                kept.append(part)
                continue
            if isinstance(part, Stretch) and s > before:
                kept.append(part.upto(_share(s, before, part)))
            break
        return Route(self.start, tuple(kept), level=self.level)

    def findings(self, clause: str = "") -> Iterator[Finding]:
        """What is wrong on it, by one clause if that is named."""
        return (hit.finding for hit in self.hits if clause in ("", hit.clause))

    @property
    def until_hit(self) -> Route:
        """Its beginning up to the first of what is wrong on it, beside that; all of it if nothing
        is."""
        if not self.hits:
            return self
        first = min(hit.travelled for hit in self.hits)
        return replace(self.upto(first, step=False), beside=True)

    def spending(self, allowance: float, *, crossings: bool = False) -> Route:
        """The beginning that takes at most that of the allowance; it ends before the first
        crossing unless they are taken too.

        Where the worst ground slows the whole way, only what of it is met on that beginning does.
        """
        if any(isinstance(part, Stretch) and part.alone is not None for part in self.parts):
            return self._spending_whole(allowance, crossings)
        kept: list[Part] = []
        left = allowance
        for part in self.parts:
            if isinstance(part, Crossing):
                if not crossings or not affords(part.cost, left):
                    break
            elif not affords(part.cost, left):
                share = left / part.cost
                if share * part.length > _SPECK:
                    kept.append(part.upto(share))
                break
            kept.append(part)
            left = max(0.0, left - part.cost)
        return Route(self.start, tuple(kept), level=self.level)

    def _spending_whole(self, allowance: float, crossings: bool) -> Route:
        kept: list[Part] = []
        length, worst = 0.0, (1.0, "")
        for part in self.parts:
            if isinstance(part, Crossing):  # at its own price
                if not crossings or not affords(length * worst[0] + part.cost, allowance):
                    break
                allowance -= part.cost
                kept.append(part)
                continue
            factor = max(worst[0], part.own[0])
            room = allowance / factor - length
            if part.length > 0.0 and not room > _SPECK:
                break
            worst = max(worst, part.own, key=lambda of: of[0])
            if not affords(part.length, room):
                kept.append(part.upto(room / part.length))
                break
            kept.append(part)
            length += part.length
        factor, clause = worst
        slowed = (
            replace(part, factor=factor, clause=clause if factor > 1.0 else part.own[1])
            if isinstance(part, Stretch)
            else part
            for part in kept
        )
        return Route(self.start, tuple(slowed))

    # How near it comes to a point of the plan.

    def nearest(self, p: Point) -> Measured:
        """Where it comes nearest to a point; the first such place."""
        start = self.start.xy
        best = Measured(math.dist(start, p), 0.0, start)
        for before, part in self.marked:
            if isinstance(part, Crossing):
                end = part.end.xy
                d = math.dist(end, p)
                if d < best.distance:
                    best = Measured(d, before + part.length, end)
                continue
            near = nearest_to_point(part.leg, *p)
            if near.distance < best.distance:
                best = Measured(near.distance, before + part.along(near.travelled), near.at)
        return best

    def farthest(self, p: Point) -> Measured:
        """Where its stretches get farthest from a point; the first such place."""
        best = Measured(math.dist(self.start.xy, p), 0.0, self.start.xy)
        for before, part in self.stretches:
            far = farthest_from_point(part.leg, *p)
            if far.distance > best.distance:
                best = Measured(far.distance, before + part.along(far.travelled), far.at)
        return best

    def box(self, margin: float) -> tuple[float, float, float, float]:
        """A box about it on the plan, so much wider on every side."""
        xs, ys = [self.start.x], [self.start.y]
        for part in self.parts:
            x, y, _ = part.end
            if isinstance(part, Stretch) and part.arc is not None:
                x, y, _ = part.arc
                far = math.dist(part.start.xy, (x, y))
                xs += [x - far, x + far]
                ys += [y - far, y + far]
            else:
                xs.append(x)
                ys.append(y)
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def shares_between(
    start_z: float, end_z: float, low: float, high: float
) -> tuple[float, float] | None:
    """From which share of a leg that is not level to which its height lies between two others; None
    if it does nowhere."""
    marks = sorted((z - start_z) / (end_z - start_z) for z in (low, high))
    begin, end = max(0.0, marks[0]), min(1.0, marks[1])
    return (begin, end) if begin < end else None


def steepness(leg: Line | Arc, rise: float) -> float:
    """How much longer a straight leg is in space than on the plan; 1 of an arc."""
    straight = isinstance(leg, Line) and leg.length > 0.0
    return math.hypot(leg.length, rise) / leg.length if straight else 1.0


def just_before(s: float) -> float:
    """A length of a way that is one with another, and at which a step there is not yet taken."""
    return max(0.0, s - 0.5 * TOLERANCE)


def _share(s: float, before: float, part: Stretch) -> float:
    return (s - before) / part.length if part.length > 0.0 else 0.0


def leg_to(end: Place, how: str) -> Leg:
    """A straight leg of an action that ends at a place, gone in some manner."""
    return Leg(to=end.xy, z=end.z, how=how)


def _given(part: Part) -> Given | None:
    return part.given if isinstance(part, Stretch) else None


def _cut(leg: Leg, parts: Sequence[Part]) -> Leg:
    """A leg as far as its first parts go; the leg itself if they are all of it."""
    gone = [part for part in parts if isinstance(part, Stretch)]
    if leg.to is not None:
        return leg if gone[-1].end.xy == leg.to else Leg(to=gone[-1].end.xy)
    if leg.centre is None or leg.by is None:
        return leg
    sweep = sum(part.arc[2] for part in gone if part.arc is not None)
    whole = abs(sweep - math.radians(leg.by)) <= _SPECK
    return leg if whole else Leg.about(*leg.centre, sweep)
