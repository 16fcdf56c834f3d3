"""A base going over terrain: what a path of legs makes of a `Route`.

Where surfaces lie one above another the base goes on the highest one within a step, so that it
walks over low things and up stairs; it may not go where nothing carries its centre. What it runs
into, what ground costs and how it crosses is the policy of a system. Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.paths import Leg, LegPath, Place, Point
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.table.bodies import Body
from tapeline.table.sheer import Sheer
from tapeline.table.solids import box_of
from tapeline.table.storeys import TABLE, Surface
from tapeline.table.terrain import Ladder, Ramp
from tapeline.travel.route import Crossing, Hit, Part, Stretch, note
from tapeline.travel.terrain import Terrain
from tapeline.work import count_work

__all__ = ["SPECK", "MoverPolicy", "Sort", "Walker"]

Shape: TypeAlias = Line | Arc

#: Steps of work that a leg counts as.
_LEG = 20
#: Shorter pieces of a leg are roundings; length.
SPECK = 1e-9
#: Steps of an arc walked on a slope, radians.
_STEP = math.radians(1.0)


class Sort(NamedTuple):
    """Ground of one sort on a leg, between two lengths; the rest as in `Stretch`."""

    begin: float
    end: float
    factor: float
    what: str
    clause: str
    piece: str | None
    danger: str | None = None


@dataclass(frozen=True, slots=True)
class MoverPolicy:
    """How the models of a rule system walk.

    clause: says that a way cannot go on; step_clause: that steps are free. unknown: the words for
    a manner of moving that there is not, with {name}, {how} and {known}. blames_mover: whether it
    is the mover that such findings are about. heeds_z: whether the height at the end of a leg
    chooses among surfaces. crossings: by manner, what carries out a leg to a place, at a height.

    Of a walker and a leg over a surface between two heights: in_way notes what the base runs into,
    sorts gives the ground in order. falls_off notes what lies where nothing carries it. stands
    notes what it would stand in at a place. reaches: whether it reaches the end of a ladder, at
    a place, from beside it. take_ladder goes along one.
    """

    clause: str
    step_clause: str
    unknown: str
    blames_mover: bool
    heeds_z: bool
    crossings: Mapping[str, Callable[[Walker, Point, float | None], None]]
    in_way: Callable[[Walker, Shape, Surface, float, float], None]
    sorts: Callable[[Walker, Shape, Surface, float, float], Iterable[Sort]]
    falls_off: Callable[[Walker, Shape], None]
    stands: Callable[[Walker, Place], None]
    reaches: Callable[[Walker, Place], bool]
    take_ladder: Callable[[Walker, Ladder, Place], None]


class Walker:
    """A base on its way.

    place, surface: where it is; top: what it is on top of that is no floor. lost: it cannot go on
    from here. beside: whether anything has been near enough to be in the way. may_leave: it goes
    on beyond the edge of the table. slowed: slow ground costs it more. bars: bodies that it may
    not go through; bars_end: bodies that it may not stand on.
    """

    def __init__(
        self,
        state: State,
        body: Body,
        terrain: Terrain,
        policy: MoverPolicy,
        *,
        radius: float,
        may_leave: bool = False,
        slowed: bool = True,
        bars: Iterable[Body] = (),
        bars_end: Iterable[Body] = (),
    ) -> None:
        self.state, self.body, self.terrain, self.policy = state, body, terrain, policy
        self.storeys = terrain.storeys
        self.radius, self.tall = radius, terrain.policy.height(body)
        self.may_leave, self.slowed = may_leave, slowed
        self.bars, self.bars_end = tuple(bars), tuple(bars_end)
        self.start = self.place = Place(body.x, body.y, body.z)
        self.parts: list[Part] = []
        self.hits: list[Hit] = []
        self.length = 0.0
        self.lost = self.beside = False
        self.top: Sheer | None = None
        self.surface = self.storeys.support(*self.place, TOLERANCE)
        if self.surface is None and may_leave and body.z == 0.0:
            self.surface = self.storeys.ground  # beyond the edge the ground goes on

    # What it adds to the way.

    def hit(
        self,
        clause: str,
        text: str,
        place: Place | None = None,
        *,
        about: str | None = None,
        measured: float | None = None,
        limit: float | None = None,
        travelled: float | None = None,
    ) -> None:
        """Something the base may not do; of one thing the first place counts."""
        at = self.place if place is None else place
        gone = self.length if travelled is None else travelled
        note(self.hits, Hit(clause, text, at, gone, about, measured, limit))

    def refuse(
        self,
        clause: str,
        text: str,
        *,
        about: str | None = None,
        measured: float | None = None,
        limit: float | None = None,
    ) -> None:
        """The way cannot go on."""
        if about is None and self.policy.blames_mover:
            about = self.body.id
        self.hit(clause, text, about=about, measured=measured, limit=limit)
        self.lost = True

    def add(self, part: Part) -> None:
        """One more part of the way."""
        self.parts.append(part)
        self.length += part.length
        self.place = part.end

    def step(self, surface: Surface) -> None:
        """Step up or down onto another surface on the spot, which costs nothing."""
        x, y, z = self.place
        end = Place(x, y, surface.height(x, y))
        if abs(end.z - z) > TOLERANCE:
            clause = self.policy.step_clause
            self.add(Stretch(self.place, end, 1.0, "a step", clause, counted=0.0))
        self.place, self.surface = end, surface

    def step_to(self, z: float) -> bool:
        """Step to a surface of that height on the spot. Whether there is one within a step."""
        x, y, here = self.place
        found = self.storeys.support(x, y, z, TOLERANCE)
        if self.surface is None or found is None:
            return False
        if not self.terrain.low(abs(z - here), self.surface, found):
            return False
        self.step(found)
        return True

    def cross(self, crossing: Crossing, surface: Surface | None) -> None:
        """Take a climb or a jump and stand on what it leads to."""
        self.add(crossing)
        self.surface = surface
        self.policy.stands(self, self.place)

    # Legs.

    def follow(self, path: LegPath) -> None:
        """Take the legs of a path, as far as anything carries the base.

        "walk" on whatever carries the base, up and down stairs, and along a ladder or rope where
        `z` says so; what crosses ends at `to`, `z`. What is wrong on the way is among the hits,
        each with the clause it breaks.
        """
        for leg in path:
            if self.lost:
                return
            if not leg.is_turn:  # pivoting is no movement
                self._take(leg)

    def _take(self, leg: Leg) -> None:
        policy, at, to = self.policy, self.place, leg.to
        crossing = policy.crossings.get(leg.how)
        if crossing is None and leg.how != "walk":
            known = ", ".join(("walk", *policy.crossings))
            text = policy.unknown.format(name=self.body.name, how=leg.how, known=known)
            self.refuse(policy.clause, text)
        elif to is None and crossing is not None:
            self.refuse(policy.clause, f"A {leg.how} goes straight.")
        elif to is None:
            shape = leg.shape(at.x, at.y)
            if shape is not None:
                self.walk(shape)
        elif crossing is not None:
            crossing(self, to, leg.z)
        else:
            self._go(to, leg.z)

    def _go(self, to: Point, z: float | None) -> None:
        """Walk straight to a place, or along a ladder where its height says so."""
        at = self.place
        if z is not None and more_than(abs(z - at.z), 0.0):
            ladder = self._ladder_to(Place(*to, z))
            if ladder is not None:
                self.policy.take_ladder(self, ladder, Place(*to, z))
                return
        self.walk(Line(at.x, at.y, *to), z)
        if z is not None and not self.lost and abs(self.place.z - z) > TOLERANCE:
            self.step_to(z)
            self.ends_at(z, self.policy.clause)

    def ends_at(self, z: float | None, clause: str, leg: str = "path") -> None:
        """A leg that says so ends at a height."""
        if z is None or self.lost or abs(self.place.z - z) <= TOLERANCE:
            return
        there = " there" if leg == "path" else ""
        text = f"The {leg} comes to a height of {self.place.z:.4g} in{there}, not {z:.4g}."
        self.refuse(clause, text, measured=self.place.z, limit=z)

    def walk(self, leg: Shape, z: float | None = None) -> None:
        """Walk along a straight leg or an arc on whatever carries the base; z: where it is to end,
        if that is said."""
        if leg.length <= SPECK or self.lost:
            return
        count_work(_LEG, "a path")
        if self.surface is None and not self.parts:
            low = self.terrain.under(self.body.at(*self.place))
            if low is not None:
                self.step(low)  # off a low obstacle
        if self.surface is None:
            self.policy.falls_off(self, leg)
            return
        for begin, end in pairwise(self._borders(leg)):
            if end - begin <= SPECK:
                continue
            nxt = self._carrier(leg, begin, end, z if self.policy.heeds_z else None)
            if nxt is None:
                self.policy.falls_off(self, leg.part(begin, end))
                return
            if nxt is not self.surface:
                self.step(nxt)
            self._on_surface(leg.part(begin, end), nxt)

    def off_table(self, x: float, y: float) -> bool:
        """Whether a place lies beyond the edge of the table."""
        return not (0.0 <= x <= self.terrain.table.width and 0.0 <= y <= self.terrain.table.depth)

    def _borders(self, leg: Shape) -> list[float]:
        """Lengths at which a leg crosses the border of a surface, its ends among them."""
        cuts = {0.0, leg.length}
        box = box_of(leg, TOLERANCE)
        off = self.off_table(*box[:2]) or self.off_table(*box[2:])
        for surface in self.storeys.near(box):
            if surface.id != TABLE or off:
                cuts.update(surface.marks(leg, TOLERANCE))
        return sorted(cuts)

    def _carrier(
        self, leg: Shape, begin: float, end: float, wanted: float | None
    ) -> Surface | None:
        """What carries the base between two lengths: the highest surface within a step, or one
        that leads to the height wanted."""
        here = self.surface
        assert here is not None
        at, middle, last = leg.at(begin), leg.at(0.5 * (begin + end)), leg.at(end)
        z = here.height(*at)
        able = [
            s
            for s in self.storeys.over(*middle, TOLERANCE)
            if s.depth(*last, TOLERANCE) >= -TOLERANCE
            and self.terrain.low(abs(s.height(*at) - z), here, s)
        ]
        if not able:
            off = here.ramp is None and self.off_table(*middle)
            return here if self.may_leave and (here.id == TABLE or off) else None
        if wanted is not None:
            there = leg.end
            leading = [
                s
                for s in able
                if abs(s.height(*there) - wanted) <= TOLERANCE
                and s.depth(*there, TOLERANCE) >= -TOLERANCE
            ]
            if here in leading:
                return here
            able = leading or able
        best = max(s.height(*middle) for s in able)
        if here in able and here.height(*middle) >= best - TOLERANCE:
            return here
        return next(s for s in able if s.height(*middle) >= best)

    def _on_surface(self, leg: Shape, surface: Surface) -> None:
        """Walk a leg that one surface carries; an arc on a slope in steps."""
        if surface.ramp is None or not isinstance(leg, Arc):
            self._step_on(leg, surface)
            return
        grade, count = _grade(surface.ramp), max(1, math.ceil(abs(leg.sweep) / _STEP))
        for k in range(count):
            arc = leg.part(leg.length * k / count, leg.length * (k + 1) / count)
            assert isinstance(arc, Arc)
            self._step_on(arc, surface, grade, _true_length(arc, grade))

    def _step_on(
        self, leg: Shape, surface: Surface, grade: Point | None = None, true: float | None = None
    ) -> None:
        """Walk a leg that one surface carries. grade, true: of an arc on a slope, how that rises
        and how long the arc really is."""
        start_z, end_z = surface.height(*leg.start), surface.height(*leg.end)
        self.beside = self.beside or surface.id != TABLE
        self.policy.in_way(self, leg, surface, start_z, end_z)
        whole, rise = leg.length, end_z - start_z
        for sort in self.policy.sorts(self, leg, surface, start_z, end_z):
            begin, end, factor, what, clause, piece, danger = sort
            part = leg.part(begin, end)
            first = Place(*part.start, start_z + rise * begin / whole)
            last = Place(*part.end, start_z + rise * end / whole)
            if begin == 0.0:
                first = self.place
            turn = part.turn if isinstance(part, Arc) else None
            counted = None if true is None else true * (end - begin) / whole
            if grade is not None:
                last = last._replace(z=surface.height(*part.end))
            self.add(
                Stretch(
                    first, last, factor, what, clause, "walk", piece, turn, counted, grade,
                    danger=danger,
                )
            )  # fmt: skip
        self.surface = surface

    # Ladders and ropes.

    def _ladder_to(self, end: Place) -> Ladder | None:
        """The ladder or rope that leads from where the base is to a place, if one does."""
        for ladder in self.terrain.table.ladders:
            if self._on_ladder(ladder, self.place) and self._on_ladder(ladder, end):
                return ladder
        return None

    def _on_ladder(self, ladder: Ladder, place: Place) -> bool:
        (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
        if more_than(az, place.z) or more_than(place.z, bz):
            return False
        t = min(1.0, max(0.0, (place.z - az) / (bz - az)))
        x, y = ax + t * (bx - ax), ay + t * (by - ay)
        apart = math.hypot(place.x - x, place.y - y)
        if apart <= TOLERANCE:
            return True
        at_end = min(abs(place.z - az), abs(place.z - bz)) <= TOLERANCE
        if not at_end or more_than(apart, self.radius):
            return False
        return self.policy.reaches(self, Place(x, y, place.z))


def _grade(ramp: Ramp) -> Point:
    """How much a slope rises along x and y."""
    (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
    run = math.hypot(bx - ax, by - ay)
    return (bz - az) * (bx - ax) / run / run, (bz - az) * (by - ay) / run / run


def _true_length(arc: Arc, grade: Point) -> float:
    """The length of a short arc on a slope, by Simpson's rule: exact for one of a degree."""
    gx, gy = grade

    def rate(s: float) -> float:
        angle = arc.angle(s)
        return math.hypot(1.0, gy * math.cos(angle) - gx * math.sin(angle))

    return arc.length * (rate(0.0) + 4.0 * rate(0.5 * arc.length) + rate(arc.length)) / 6.0
