"""A base going over the ground of a table with storeys: what a path of legs makes of a `Route`.

Where surfaces lie one above another the base goes on the highest one within a step, so that it
walks over low obstacles and up stairs; it may not go where nothing carries its centre.
"""

from __future__ import annotations

import math
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Leg, Line
from tapeline.rules.trench_crusade.figures import DIFFICULT_FACTOR
from tapeline.rules.trench_crusade.heights import heights_of, on_table
from tapeline.rules.trench_crusade.state import height, may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import TABLE, Surface
from tapeline.table.terrain import Ladder
from tapeline.travel.route import Crossing, Hit, Part, Route, Stretch, note
from tapeline.travel.terrain import Terrain, carries_head, spans_in

__all__ = ["Walker"]

#: Shorter pieces of a leg are roundings; length.
_SPECK = 1e-9
#: Steps of an arc walked on a slope, radians.
_CHORD = math.radians(1.0)


class Walker:
    """A base on its way. place, surface: where it is; lost: it cannot go on from here."""

    def __init__(self, state: State, body: Body) -> None:
        self.state = state
        self.body = body
        self.heights: Terrain = heights_of(state)
        self.storeys = self.heights.storeys
        self.radius = radius(body)
        self.tall = height(body)
        self.start = self.place = Place(body.x, body.y, body.z)
        self.parts: list[Part] = []
        self.hits: list[Hit] = []
        self.length = 0.0
        self.lost = False
        self.surface = self.storeys.support(body.x, body.y, body.z, TOLERANCE)
        if self.surface is None and body.z == 0.0 and may_leave_table(body):
            self.surface = self.storeys.ground  # beyond the edge the ground goes on
        self.slowed = not body.keyword("NEGATE DIFFICULT TERRAIN")

    def way(self) -> Route:
        """The way so far."""
        return Route(self.start, tuple(self.parts), tuple(self.hits))

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

    def refuse(self, clause: str, text: str, **more: float | str | None) -> None:
        """The way cannot go on."""
        self.hit(clause, text, **{"about": self.body.id, **more})  # type: ignore[arg-type]
        self.lost = True

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
        end = Place(x, y, level)
        if abs(level - z) > TOLERANCE:
            self.add(Stretch(self.place, end, 1.0, "a step", "TC-TER-7", counted=0.0))
        self.place = end

    def step_to(self, z: float) -> bool:
        """Step to a surface of that height on the spot. Whether there is one within a step."""
        x, y, here = self.place
        found = self.storeys.support(x, y, z, TOLERANCE)
        if self.surface is None or found is None:
            return False
        if more_than(abs(z - here), self.heights.step(self.surface, found)):
            return False
        self.step(found)
        return True

    def cross(self, hurdle: Crossing, surface: Surface | None) -> None:
        """Take a climb or a jump and stand on what it leads to."""
        self.add(hurdle)
        self.surface = surface
        self.fits()

    # Walking.

    def walk(self, leg: Leg) -> None:
        """Walk along a straight leg or an arc on whatever carries the base."""
        if leg.length <= _SPECK or self.lost:
            return
        low = self.heights.under(self.body) if self.surface is None and not self.parts else None
        if low is not None:
            self.step(low)  # off a low obstacle
        if self.surface is None:
            self._nothing_carries(leg)
            return
        for begin, end in pairwise(self._borders(leg)):
            if end - begin <= _SPECK:
                continue
            nxt = self._carrier(leg, begin, end)
            if nxt is None:
                self._nothing_carries(leg.part(begin, end))
                return
            if nxt is not self.surface:
                self.step(nxt)
            self._on_surface(leg.part(begin, end), nxt)

    def _borders(self, leg: Leg) -> list[float]:
        cuts = {0.0, leg.length}
        box = box_of(leg, TOLERANCE)
        w, d = self.heights.table.width, self.heights.table.depth
        off = box[0] < 0.0 or box[1] < 0.0 or box[2] > w or box[3] > d
        for surface in self.storeys.near(box):
            if surface.id != TABLE or off:
                cuts.update(surface.marks(leg, TOLERANCE))
        return sorted(cuts)

    def _carrier(self, leg: Leg, begin: float, end: float) -> Surface | None:
        """What carries the base between two lengths: the highest surface within a step."""
        here = self.surface
        assert here is not None
        at, middle, last = leg.at(begin), leg.at(0.5 * (begin + end)), leg.at(end)
        z = here.height(*at)
        able = [
            s
            for s in self.storeys.over(*middle, TOLERANCE)
            if s.depth(*last) >= -TOLERANCE
            and not more_than(abs(s.height(*at) - z), self.heights.step(here, s))
        ]
        if not able:
            if on_table(here) and may_leave_table(self.body):
                return here
            return None
        best = max(s.height(*middle) for s in able)
        if here in able and here.height(*middle) >= best - TOLERANCE:
            return here
        return next(s for s in able if s.height(*middle) >= best)

    def _nothing_carries(self, leg: Leg) -> None:
        name = self.body.name
        ahead = leg.at(min(1e-3, leg.length))
        w, d = self.heights.table.width, self.heights.table.depth
        if not (0.0 <= ahead[0] <= w and 0.0 <= ahead[1] <= d):
            self.lost = True  # TC-MOVE-6 says so
            return
        below = self.storeys.below(*ahead, self.place.z)
        if below is None or self.surface is None:
            self.refuse("TC-TER-7", f"Nothing carries {name} there.")
            return
        drop = self.place.z - below.height(*ahead)
        text = f"The path goes over a ledge {drop:.4g} in high: climb, jump down or go round."
        self.refuse("TC-TER-7", text, measured=drop, limit=self.heights.step(below))

    def _on_surface(self, leg: Leg, surface: Surface) -> None:
        """Walk a leg that one surface carries."""
        if surface.ramp is not None and isinstance(leg, Arc):
            count = max(1, math.ceil(abs(leg.sweep) / _CHORD))
            at = [leg.at(leg.length * k / count) for k in range(count + 1)]
            for one, two in pairwise(at):
                self._on_surface(Line(*one, *two), surface)
            return
        start_z, end_z = surface.height(*leg.start), surface.height(*leg.end)
        self._obstacles_in_way(leg, surface, start_z, end_z)
        whole, rise = leg.length, end_z - start_z
        for begin, end, slow, danger in self._sorts(leg, surface, start_z):
            part = leg.part(begin, end)
            first = Place(*part.start, start_z + rise * begin / whole)
            last = Place(*part.end, start_z + rise * end / whole)
            arc = (part.cx, part.cy, part.sweep) if isinstance(part, Arc) else None
            ramp = surface.ramp
            what = "" if ramp is None else ramp.kind
            piece = None if ramp is None else ramp.id
            factor, clause = 1.0, "TC-MOVE-4" if ramp is None else "TC-TER-7"
            if slow is not None:
                factor, clause = DIFFICULT_FACTOR if self.slowed else 1.0, "TC-TER-2"
                piece, what = slow
            self.add(
                Stretch(
                    first, last, factor, what, clause, piece=piece, arc=arc, danger=danger or None
                )
            )
        self.surface = surface

    def _sorts(
        self, leg: Leg, surface: Surface, z: float
    ) -> list[tuple[float, float, tuple[str, str] | None, str]]:
        """A leg in pieces of one sort of ground: from, to, Difficult piece, Dangerous piece."""
        r = self.radius if self.heights.policy.half_area else None
        slow: list[tuple[float, float, tuple[str, str]]] = []
        risky: list[tuple[float, float, str]] = []
        for zone in self.heights.patches_near(box_of(leg, r or 0.0)):
            if not zone.lies(surface, z):
                continue
            for begin, end in spans_in(zone.plan, leg, r):
                if zone.factor > 1.0:
                    slow.append((begin, end, (zone.entry, zone.name)))
                if zone.hazard:
                    risky.append((begin, end, zone.name))
        if not slow and not risky:
            return [(0.0, leg.length, None, "")]
        marks = {0.0, leg.length}
        for begin, end, *_ in (*slow, *risky):
            marks |= {begin, end}
        found: list[tuple[float, float, tuple[str, str] | None, str]] = []
        for begin, end in pairwise(sorted(m for m in marks if 0.0 <= m <= leg.length)):
            if end - begin <= _SPECK:
                continue
            half = 0.5 * (begin + end)
            one = next((s[2] for s in slow if s[0] <= half <= s[1]), None)
            two = next((s[2] for s in risky if s[0] <= half <= s[1]), "")
            found.append((begin, end, one, two))
        return found

    def _obstacles_in_way(self, leg: Leg, surface: Surface, start_z: float, end_z: float) -> None:
        r, low = self.radius, min(start_z, end_z)
        for o, part, before, near in self.heights.run_into(
            leg, r, surface, start_z, end_z, self.tall
        ):
            depth = r - near.distance
            start = r + o.ground.depth(*leg.start)
            if overlaps(start) and not more_than(depth, start):
                continue
            along = before + (o.ground.first_near(part, r - TOLERANCE) or 0.0)
            self._bump(o, depth, Place(*near.to, low), low, self.length + along)

    def _bump(self, o: Solid, depth: float, place: Place, low: float, at: float) -> None:
        name = self.heights.name(o.entry)
        if self.heights.is_barred(o):
            text = f"The base runs {depth:.2f} in into {name}, which is impassable."
            self.hit(
                "TC-TER-5", text, place, about=o.entry, measured=depth, limit=0.0, travelled=at
            )
            return
        rise = o.top - low
        text = f"The base runs {depth:.2f} in into {name}, {rise:.4g} in high, to be climbed."
        if o.bottom > low + TOLERANCE:
            text = f"{name} is too low to go under: {o.bottom - low:.4g} in."
        self.hit(
            "TC-TER-7",
            text,
            place,
            about=o.entry,
            measured=rise,
            limit=self.heights.step_over(o),
            travelled=at,
        )

    # Standing.

    def fits(self) -> None:
        """Note what the base would stand in where it is."""
        surface, place = self.surface, self.place
        body = self.body.at(place.x, place.y, place.z)
        ramp = None if surface is None else surface.ramp
        found = self.heights.overlapped(body, on_ramp=ramp is not None)
        if found is None or (ramp is not None and carries_head(found[1], ramp)):
            return
        depth, o = found
        self._bump(o, depth, place, place.z, self.length)

    def settle(self) -> None:
        """The end of the way: more than half of the base is carried, TC-MOVE-11."""
        surface = self.surface
        if self.lost or surface is None or not self.parts or on_table(surface):
            return
        share = self.heights.support(surface, self.place.x, self.place.y, self.radius)
        if share <= 0.5 + TOLERANCE:
            name = self.heights.name(surface.entries[0])
            text = f"Only {100.0 * share:.0f} % of the base would stand on {name}: more than half."
            self.hit("TC-MOVE-11", text, about=surface.entries[0], measured=share, limit=0.5)

    # Ladders and ropes.

    def ladder_to(self, end: Place) -> Ladder | None:
        """The ladder or rope that leads from where the base is to a place, if one does."""
        for ladder in self.heights.table.ladders:
            if self._on_ladder(ladder, self.place) and self._on_ladder(ladder, end):
                return ladder
        return None

    def _on_ladder(self, ladder: Ladder, place: Place) -> bool:
        (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
        if more_than(az, place.z) or more_than(place.z, bz):
            return False
        t = min(1.0, max(0.0, (place.z - az) / (bz - az)))
        apart = math.hypot(place.x - ax - t * (bx - ax), place.y - ay - t * (by - ay))
        at_end = min(abs(place.z - az), abs(place.z - bz)) <= TOLERANCE
        # The base need not stand on the very foot or head: it reaches them.
        return apart <= TOLERANCE or (at_end and not more_than(apart, self.radius))

    def take_ladder(self, ladder: Ladder, end: Place) -> None:
        """Go up or down a ladder or rope, by its true length."""
        (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
        share = abs(end.z - self.place.z) / (bz - az)
        length = share * math.dist((ax, ay, az), (bx, by, bz))
        self.add(
            Stretch(
                self.place, end, 1.0, ladder.kind, "TC-TER-7", "walk", ladder.id, counted=length
            )
        )
        self.surface = self.storeys.support(*end, TOLERANCE)
        if self.surface is None:
            self.refuse("TC-TER-7", f"{self.body.name} may not stop on a {ladder.kind} there.")
        else:
            self.fits()
