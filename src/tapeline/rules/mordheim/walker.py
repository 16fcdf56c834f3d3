"""A base going over the ground, piece by piece: what a path of legs makes of a `Route`.

Where surfaces lie one above another the base goes on the highest one within a step, so that it
walks over low boxes and up stairs; it may not go where nothing carries its centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps
from tapeline.engine.paths import Place
from tapeline.engine.placing import base_overlap
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Leg, Line
from tapeline.geometry.plane.sweeps import (
    nearest_to_point,
    nearest_to_ring,
    spans_near_point,
    spans_near_ring,
)
from tapeline.rules.mordheim.figures import BARRIER_IN, CONTACT_RISE_IN
from tapeline.rules.mordheim.ground import ground_of
from tapeline.rules.mordheim.state import footprint, height, radius
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.sheer import Sheer
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import TABLE, Surface
from tapeline.table.terrain import Ladder
from tapeline.travel.route import Crossing, Hit, Part, Route, Stretch, note
from tapeline.travel.terrain import Terrain, carries_head

__all__ = ["Walker", "at_place"]

#: Shorter pieces of a leg are roundings; length.
_SPECK = 1e-9
#: Steps of an arc walked on a slope, radians.
_CHORD = math.radians(1.0)


def at_place(body: Body, place: Place) -> Body:
    """The model somewhere else."""
    return body.at(place.x, place.y, place.z)


class Walker:
    """A base on its way. place, surface: where it is; lost: nothing carries it on from here."""

    def __init__(self, state: State, body: Body) -> None:
        self.state = state
        self.body = body
        self.ground: Terrain = ground_of(state)
        self.storeys = self.ground.storeys
        self.radius = radius(body)
        self.tall = height(body)
        self.start = self.place = Place(body.x, body.y, body.z)
        self.parts: list[Part] = []
        self.hits: list[Hit] = []
        self.length = 0.0
        self.lost = False
        #: Whether anything has been near enough to be in the way.
        self.beside = False
        #: What the base is on top of that is no floor: it must climb on.
        self.top: Sheer | None = None
        self.surface = self.storeys.support(body.x, body.y, body.z, TOLERANCE)
        friends = state.option("pass_through") == "friends"
        self._passed = {f.id for f in state.friends(body)} if friends else set()
        self._others = [
            other
            for other in state.bodies.values()
            if other.id != body.id and not self._shares(other)
        ]

    @classmethod
    def at_end_of(cls, state: State, body: Body, track: Route) -> Walker:
        """A base at the end of a way, to go on from there."""
        walker = cls(state, body)
        walker.place = track.end
        walker.surface = walker.storeys.support(*track.end, 2.0 * TOLERANCE)
        return walker

    def _shares(self, other: Body) -> bool:
        """Whether the two already overlap where the mover starts, as bases put down together."""
        if more_than(abs(other.z - self.body.z), 0.0):
            return False
        far = self.body.base.reach + other.base.reach
        if math.hypot(other.x - self.body.x, other.y - self.body.y) > far:
            return False
        return overlaps(base_overlap(self.body, other))

    def track(self) -> Route:
        """The way so far. What must be climbed is told once, where the base first meets it."""
        touched = {hit.about: hit for hit in self.hits if hit.clause == "MH-MOVE-5"}
        crossed = {hit.about for hit in self.hits if hit.clause == "MH-TER-6"}
        hits = []
        for hit in self.hits:
            if hit.clause == "MH-MOVE-5" and hit.about is not None and hit.about in crossed:
                continue
            first = touched.get(hit.about) if hit.clause == "MH-TER-6" else None
            if first is not None and first.travelled < hit.travelled:
                hit = hit._replace(place=first.place, travelled=first.travelled)
            hits.append(hit)
        return Route(self.start, tuple(self.parts), tuple(hits), self.beside)

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

    def add(self, part: Part) -> None:
        """One more part of the way."""
        self.parts.append(part)
        self.length += part.length
        self.place = part.end

    def step(self, surface: Surface) -> None:
        """Step up or down onto another surface on the spot, which costs nothing."""
        x, y, z = self.place
        level = surface.height(x, y)
        self.surface = surface
        if abs(level - z) > TOLERANCE:
            end = Place(x, y, level)
            self.add(Stretch(self.place, end, 1.0, "a step", "MH-TER-1", counted=0.0))
        else:
            self.place = Place(x, y, level)

    def step_to(self, z: float) -> bool:
        """Step to a surface of that height on the spot. Whether there is one within a step."""
        x, y, here = self.place
        if self.surface is None or not self.ground.low(abs(z - here)):
            return False
        found = self.storeys.support(x, y, z, TOLERANCE)
        if found is not None:
            self.step(found)
        return found is not None

    def step_on_edge(self) -> None:
        """Step up where the base has come exactly to the edge of a surface a step higher."""
        if self.surface is None or self.surface.ramp is not None or self.lost:
            return
        x, y, z = self.place
        for higher in self.storeys.over(x, y, TOLERANCE):
            rise = higher.height(x, y) - z
            if higher.ramp is None and more_than(rise, 0.0) and self.ground.low(rise):
                self.step(higher)
                return

    def cross(self, hurdle: Crossing, surface: Surface | None) -> None:
        """Take a climb or a jump and stand on what it leads to."""
        self.add(hurdle)
        self.surface = surface
        self.fits(hurdle.end)

    # Walking.

    def walk(self, leg: Leg, z: float | None = None) -> None:
        """Walk along a straight leg or an arc on whatever carries the base; z: where it is to end,
        if that is said."""
        if leg.length <= _SPECK or self.lost:
            return
        if self.surface is None:
            self._fallen_off(leg)
            return
        for begin, end in pairwise(self._borders(leg)):
            if end - begin <= _SPECK:
                continue
            nxt = self._carrier(leg, begin, end, z)
            if nxt is None:
                self._fallen_off(leg.part(begin, end))
                return
            if nxt is not self.surface:
                self.step(nxt)
            self._on_surface(leg.part(begin, end), nxt)

    def _borders(self, leg: Leg) -> list[float]:
        """Lengths at which a leg crosses the border of a surface, its ends among them."""
        cuts = {0.0, leg.length}
        box = box_of(leg, TOLERANCE)
        for surface in self.storeys.near(box):
            if surface.id != TABLE or self._off_table(box):
                cuts.update(surface.marks(leg, TOLERANCE))
        return sorted(cuts)

    def _off_table(self, box: tuple[float, float, float, float]) -> bool:
        w, d = self.ground.table.width, self.ground.table.depth
        return box[0] < 0.0 or box[1] < 0.0 or box[2] > w or box[3] > d

    def _carrier(self, leg: Leg, begin: float, end: float, wanted: float | None) -> Surface | None:
        """What carries the base between two lengths: the highest surface within a step, or one
        that leads to the height wanted."""
        assert self.surface is not None
        at, middle = leg.at(begin), leg.at(0.5 * (begin + end))
        z = self.surface.height(*at)
        found = self.storeys.over(*middle, TOLERANCE)
        last = leg.at(end)
        able = [
            s
            for s in found
            if s.depth(*last) >= -TOLERANCE and self.ground.low(abs(s.height(*at) - z))
        ]
        if not able:
            return None
        if wanted is not None:
            there = leg.end
            leading = [
                s
                for s in able
                if abs(s.height(*there) - wanted) <= TOLERANCE and s.depth(*there) >= -TOLERANCE
            ]
            if self.surface in leading:
                return self.surface
            able = leading or able
        best = max(s.height(*middle) for s in able)
        if self.surface in able and self.surface.height(*middle) >= best - TOLERANCE:
            return self.surface
        return next(s for s in able if s.height(*middle) >= best)

    def _fallen_off(self, leg: Leg) -> None:
        self.lost = True
        name = self.body.name
        ahead = leg.at(min(1e-3, leg.length))
        w, d = self.ground.table.width, self.ground.table.depth
        if self.surface is not None and not (0.0 <= ahead[0] <= w and 0.0 <= ahead[1] <= d):
            self.hit("MH-MOVE-5", f"{name} would leave the table.")
            return
        below = self.storeys.below(*ahead, self.place.z)
        if below is None:
            self.hit("MH-MOVE-5", f"Nothing carries {name} there.")
            return
        drop = self.place.z - below.height(*ahead)
        text = f"The path goes over an edge {drop:.4g} in high: jump down, climb or go round."
        self.hit("MH-MOVE-5", text, measured=drop, limit=BARRIER_IN)

    def _on_surface(self, leg: Leg, surface: Surface) -> None:
        """Walk a leg that one surface carries."""
        if surface.ramp is not None and isinstance(leg, Arc):
            count = max(1, math.ceil(abs(leg.sweep) / _CHORD))
            at = [leg.at(leg.length * k / count) for k in range(count + 1)]
            for one, two in pairwise(at):
                self._on_surface(Line(*one, *two), surface)
            return
        start_z = surface.height(*leg.at(0.0))
        end_z = surface.height(*leg.at(leg.length))
        self.beside = self.beside or surface.id != TABLE
        self._solids_in_way(leg, surface, start_z, end_z)
        self._bases_in_way(leg, start_z, end_z)
        whole = leg.length
        rise = end_z - start_z
        for begin, end, factor, what, clause, piece in self._sorts(leg, surface, start_z, end_z):
            part = leg.part(begin, end)
            first = Place(*part.start, start_z + rise * begin / whole)
            last = Place(*part.end, start_z + rise * end / whole)
            if begin == 0.0:
                first = self.place
            arc = (part.cx, part.cy, part.sweep) if isinstance(part, Arc) else None
            self.add(Stretch(first, last, factor, what, clause, "walk", piece, arc))
        self.surface = surface

    def _sorts(
        self, leg: Leg, surface: Surface, start_z: float, end_z: float
    ) -> Iterable[tuple[float, float, float, str, str, str | None]]:
        """A leg in pieces of one sort of ground: from, to, factor, words, clause, terrain."""
        box = box_of(leg, 0.0)
        low, high = min(start_z, end_z), max(start_z, end_z)
        covers: list[tuple[float, float, float, str, str, str | None]] = []
        for area in self.ground.patches_near(box):
            begin_at, end_at = 0.0, leg.length
            if start_z == end_z or area.surface:
                if not area.lies(surface, start_z):
                    continue
            else:
                # On a slope: where the base is at the height of the area.
                ends = sorted(
                    (z - start_z) / (end_z - start_z) * leg.length for z in (area.bottom, area.top)
                )
                begin_at, end_at = max(0.0, ends[0]), min(leg.length, ends[1])
            for inner, outer in area.plan.spans(leg):
                begin, end = max(inner, begin_at), min(outer, end_at)
                if end - begin <= _SPECK:
                    continue
                middle = leg.at(0.5 * (begin + end))
                if overlaps(area.plan.depth(*middle)):
                    covers.append((begin, end, area.factor, area.name, area.clause, area.entry))
        for solid in self.storeys.solids_near(box):
            top = solid.top - low
            if solid.walk_through or not more_than(top, 0.0) or not self.ground.low(top):
                continue
            if more_than(solid.bottom, high + self.tall):
                continue
            name = self.ground.name(solid.entry)
            covers += [
                (begin, end, 1.0, f"over {name}", "MH-TER-6", solid.entry)
                for begin, end in solid.ground.spans(leg)
            ]
        for door in self.ground.doors_near(box):
            o = door.opening
            if not (o.bottom - BARRIER_IN < low < o.top):
                continue
            word = "through a door" if o.kind == "door" else "through a gap"
            clause = "MH-TER-2" if o.kind == "door" else "MH-TER-1"
            covers += [(begin, end, 1.0, word, clause, o.id) for begin, end in door.plan.spans(leg)]
        ramp = surface.ramp
        plain = ("open ground" if ramp is None else ramp.kind, None if ramp is None else ramp.id)
        if not covers:
            yield 0.0, leg.length, 1.0, plain[0], "MH-TER-1", plain[1]
            return
        marks = {0.0, leg.length, *(c[0] for c in covers), *(c[1] for c in covers)}
        run: tuple[float, float, float, str, str, str | None] | None = None
        for begin, end in pairwise(sorted(m for m in marks if 0.0 <= m <= leg.length)):
            if end - begin <= _SPECK:
                continue
            half = 0.5 * (begin + end)
            here = [c for c in covers if c[0] <= half <= c[1]]
            worst = max(here, key=lambda c: (c[2], c[4]), default=None)
            sort = worst[2:] if worst is not None else (1.0, plain[0], "MH-TER-1", plain[1])
            if run is not None and run[2:] == sort:
                run = (run[0], end, *sort)
                continue
            if run is not None:
                yield run
            run = (begin, end, *sort)
        if run is not None:
            yield (run[0], leg.length, *run[2:])

    # What is in the way.

    def _solids_in_way(self, leg: Leg, surface: Surface, start_z: float, end_z: float) -> None:
        r, ground = self.radius, self.ground
        low, high = min(start_z, end_z), max(start_z, end_z)
        if not self.beside:
            self.beside = bool(ground.in_way(box_of(leg, r), surface, low, high, self.tall))
        for solid, part, before, near in ground.run_into(
            leg, r, surface, start_z, end_z, self.tall
        ):
            depth = r - near.distance
            if self._backing_off(part, solid, depth):
                continue
            first = solid.ground.first_near(part, r - TOLERANCE)
            along = before + (first or 0.0)
            name = self.ground.name(solid.entry)
            rise = solid.top - low
            if more_than(solid.bottom, high) and not solid.see_through:
                room = solid.bottom - high
                self.hit(
                    "MH-MOVE-5",
                    f"{name} leaves {room:.4g} in of height; {self.body.name} needs "
                    f"{self.tall:.4g} in.",
                    Place(*leg.at(along), low),
                    about=solid.entry,
                    measured=room,
                    limit=self.tall,
                    travelled=self.length + along,
                )
            elif near.distance < -TOLERANCE:
                text = f"{name} rises {rise:.4g} in; only what is lower than {BARRIER_IN:g} in is "
                text += "leapt."
                if solid.see_through:
                    text = f"{name} has a window there, which lets nobody through."
                self.hit(
                    "MH-TER-6",
                    text,
                    Place(*leg.at(along), low),
                    about=solid.entry,
                    measured=rise,
                    limit=BARRIER_IN,
                    travelled=self.length + along,
                )
            else:
                self.hit(
                    "MH-MOVE-5",
                    f"The base goes {depth:.4g} in into {name}.",
                    Place(*near.at, low),
                    about=solid.entry,
                    measured=depth,
                    limit=0.0,
                    travelled=self.length + along,
                )

    def _backing_off(self, leg: Leg, solid: Solid, depth: float) -> bool:
        """Whether a base that already stands in a solid only leaves it."""
        start = self.radius + solid.ground.depth(*leg.start)
        return overlaps(start) and not more_than(depth, start) and self.length == 0.0

    def _bases_in_way(self, leg: Leg, start_z: float, end_z: float) -> None:
        r = self.radius
        box = box_of(leg, r)
        for other in self._others:
            if other.id in self._passed:
                continue
            far = other.base.reach
            if (
                other.x + far < box[0]
                or other.x - far > box[2]
                or other.y + far < box[1]
                or other.y - far > box[3]
            ):
                continue
            span = _near_level(other.z, start_z, end_z, leg.length)
            if span is None:
                continue
            self.beside = True
            part = leg if span == (0.0, leg.length) else leg.part(*span)
            depth, begins = self._depth_on(part, other)
            if overlaps(depth):
                along = span[0] + begins
                share = along / leg.length
                self.hit(
                    "MH-MOVE-5",
                    f"The path goes through the base of {other.name}.",
                    Place(*leg.at(along), start_z + share * (end_z - start_z)),
                    about=other.id,
                    measured=depth,
                    limit=0.0,
                    travelled=self.length + share * math.hypot(leg.length, end_z - start_z),
                )

    def _depth_on(self, part: Leg, other: Body) -> tuple[float, float]:
        """How deep the base comes into another along a leg, and where it begins to touch it."""
        r, base = self.radius, other.base
        if isinstance(base, Rectangle):
            rect = footprint(other)
            near = nearest_to_ring(part, rect.loop)
            depth, spans = r - near.distance, spans_near_ring(part, rect.loop, r)
        else:
            near = nearest_to_point(part, other.x, other.y)
            limit = r + base.radius
            depth, spans = limit - near.distance, spans_near_point(part, other.x, other.y, limit)
        return depth, spans[0][0] if spans else near.travelled

    def fits(self, place: Place) -> None:
        """Note what the base would overlap at a place where it comes to stand."""
        body = at_place(self.body, place)
        surface = self.surface
        found = None
        if surface is not None:
            found = self.ground.overlapped(body, on_ramp=surface.ramp is not None)
        if found is not None and not (
            surface is not None
            and surface.ramp is not None
            and carries_head(found[1], surface.ramp)
        ):
            depth, solid = found
            name = self.ground.name(solid.entry)
            text = f"{self.body.name} would stand {depth:.4g} in inside {name}."
            self.hit("MH-MOVE-5", text, place, about=solid.entry, measured=depth, limit=0.0)
        for other in self._others:
            if not closer_than(abs(other.z - place.z), CONTACT_RISE_IN):
                continue
            if math.hypot(other.x - place.x, other.y - place.y) > (
                self.body.base.reach + other.base.reach
            ):
                continue
            depth = base_overlap(body, other)
            if overlaps(depth):
                text = f"{self.body.name} would stand on the base of {other.name}."
                self.hit("MH-MOVE-5", text, place, about=other.id, measured=depth, limit=0.0)

    # Ladders.

    def ladder_to(self, x: float, y: float, z: float) -> Ladder | None:
        """The ladder or rope that leads from where the base is to a place, if one does."""
        for ladder in self.ground.table.ladders:
            if self._on_ladder(ladder, self.place) and self._on_ladder(ladder, Place(x, y, z)):
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
        # Where the base cannot come to the very foot or head, its radius reaches there.
        return self.ground.overlapped(at_place(self.body, Place(x, y, place.z))) is not None

    def take_ladder(self, ladder: Ladder, end: Place) -> None:
        """Go up or down a ladder or rope, by its height."""
        low, high = sorted((self.place.z, end.z))
        hatch = any(
            low - TOLERANCE <= floor.z <= high + TOLERANCE
            and any(_within(h.corners, ladder) for h in floor.hatches)
            for floor in self.ground.table.floors
        )
        clause, what = (
            ("MH-TER-2", f"{ladder.kind} through a hatch")
            if hatch
            else (
                "MH-TER-1",
                ladder.kind,
            )
        )
        self._bases_on_ladder(end)
        part = Stretch(self.place, end, 1.0, what, clause, "walk", ladder.id, counted=high - low)
        self.add(part)
        self.surface = self.storeys.support(*end, TOLERANCE)

    def _bases_on_ladder(self, end: Place) -> None:
        """Note the bases that are passed through on a ladder from here to its place at the end."""
        start = self.place
        leg, rise = Line(start.x, start.y, end.x, end.y), end.z - start.z
        for other in self._others:
            span = _near_level(other.z, start.z, end.z, 1.0)
            if other.id in self._passed or span is None:
                continue
            upright = leg.length <= _SPECK
            part = leg if upright else leg.part(span[0] * leg.length, span[1] * leg.length)
            depth, along = self._depth_on(part, other)
            if overlaps(depth):
                share = span[0] + (0.0 if upright else along / leg.length)
                x, y = leg.at(share * leg.length)
                self.hit(
                    "MH-MOVE-5",
                    f"The path goes through the base of {other.name}.",
                    Place(x, y, start.z + share * rise),
                    about=other.id,
                    measured=depth,
                    limit=0.0,
                    travelled=self.length + share * abs(rise),
                )

    def settle(self) -> None:
        """The end of the way: the base fits where it stands."""
        if self.top is not None and not self.lost:
            name = self.ground.name(self.top.entry)
            self.hit("MH-CLIMB-1", f"{self.body.name} must not stop on top of {name}.")
        elif self.parts and not self.lost:
            self.fits(self.place)

    def slowed_as_a_whole(self) -> None:
        """`whole_move`: the worst ground met counts for the whole way."""
        walked = [part for part in self.parts if isinstance(part, Stretch)]
        worst = max(walked, key=lambda part: part.factor, default=None)
        if worst is None or worst.factor == 1.0:
            return
        self.parts = [
            replace(
                part,
                factor=worst.factor,
                clause=worst.clause,
                alone=(part.factor, part.clause),
            )
            if isinstance(part, Stretch)
            else part
            for part in self.parts
        ]


def _near_level(
    z: float, start_z: float, end_z: float, length: float
) -> tuple[float, float] | None:
    """Lengths of a leg between which it is less than 1 inch above or below a height."""
    if abs(start_z - end_z) <= TOLERANCE:
        return (0.0, length) if closer_than(abs(z - start_z), CONTACT_RISE_IN) else None
    limit = CONTACT_RISE_IN - 2.0 * TOLERANCE
    marks = sorted((v - start_z) / (end_z - start_z) * length for v in (z - limit, z + limit))
    begin, end = max(0.0, marks[0]), min(length, marks[1])
    return (begin, end) if begin < end else None


def _within(corners: tuple[tuple[float, float], ...], ladder: Ladder) -> bool:
    from tapeline.table.solids import ground_of as plan_of

    plan = plan_of(corners)
    return any(plan.depth(x, y) >= -TOLERANCE for x, y, _ in (ladder.foot, ladder.head))
