"""Where a charge may run: the ground as a chart, prepared once for each table, size and reading.

Ladders are charged their height; edges lead down, one base radius off; gaps of up to 3 inches are
crossed as level ground between two edges. Each search puts in the bodies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, within
from tapeline.engine.state import State
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import Span, without
from tapeline.geometry.rectangles.contact import border_of, distance_to, overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.mordheim.contact import discs_of
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, GAP_IN, GAP_RISE_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.state import (
    base_part,
    height,
    may_climb,
    movement,
    radius,
    touching_at_start,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, box_of, ring_sides
from tapeline.table.storeys import STANDABLE, Edge, Surface
from tapeline.travel.chart import Chart, Point, ring_of, with_discs
from tapeline.travel.charts import Charts
from tapeline.travel.corner_ways import CornerWay
from tapeline.travel.corners import outer_corners, ring_corners
from tapeline.travel.crossings import climbable_parts
from tapeline.travel.draft import SPECK, Draft
from tapeline.travel.landing import Borders
from tapeline.travel.ramp_sides import (
    Landed,
    jumps,
    jumps_at,
    jumps_near,
    jumps_off,
    over_sides,
)
from tapeline.travel.rim_search import Spot
from tapeline.travel.rims import Rim
from tapeline.travel.terrain import Terrain

__all__ = [
    "FENCE", "chart_of", "corner_climbs", "gone_round", "jumps_past", "landing_among",
    "not_inside", "peopled",
]  # fmt: skip


#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-8
#: Length: what rounding adds to a distance; a place a little more than one base radius off is come
#: to from much farther along an edge.
_HAIR = 1e-13
#: Landings that are kept of a table, for one size of base.
_LANDINGS = 4096
#: How the levels on top of what is climbed over are named.
FENCE = "fence"
#: Steps between the discs that stand for one on a slope.
_ROW = 96


def chart_of(
    state: State,
    body: Body,
    *,
    climb: bool = False,
    far: float = math.inf,
    to: Circle | None = None,
    sided: float = math.inf,
) -> Chart:
    """The chart for a model. climb: with what it touched when the phase began to be climbed, as
    far as it climbs that (MH-CLIMB-1, -6). far: how far it goes; all ways within that are there,
    or those that end in a circle. sided: how far off it goes over sides of ramps, and jumps beside
    what is round or aslant, at most."""
    ground = terrain_of(state)
    climb = climb and may_climb(body)
    touched = frozenset(touching_at_start(body)) if climb else frozenset()
    highest = movement(body) if touched else 0.0
    key = ("chart", radius(body), height(body), touched, highest)
    found = ground.kept.get(key)
    if not isinstance(found, Charts):
        r, tall = radius(body), height(body)
        draft = Draft(ground, r, tall, overhang=r, under_floors=True)
        ways = partial(_draw, touched=touched, highest=highest)
        found = ground.kept[key] = Charts(draft, ways, shift=r)
    return found.about(ground.under(body), body.x, body.y, far, to, sided)


def corner_climbs(chart: Chart, here: str, body: Body) -> Iterator[Link]:
    """Straight up the outer corners that a model on a level touches: ways up faces begin at their
    ends, round the corner from there."""
    touched = touching_at_start(body) if may_climb(body) else ()
    highest, at = movement(body), body.centre
    for surface in chart.surfaces.values():
        rise = surface.z - body.z
        if surface.ramp is not None or not any(entry in touched for entry in surface.entries):
            continue
        if chart.terrain.low(rise) or more_than(rise, highest):
            continue
        for corner in outer_corners(chart.terrain.storeys.edges(surface)):
            if within(math.dist(corner.at, at), radius(body)) and corner.is_off(at):
                name = f"climb {surface.id} {corner.at!r}"
                yield Link(name, "climb", (here, *at), (surface.id, *corner.at), rise, False)


def gone_round(state: State, body: Body) -> list[Body]:
    """Other bodies that a way goes round: all, or all but friends (`pass_through`)."""
    passes = state.option("pass_through") == "friends"
    return [other for other in state.others(body) if not (passes and other.side == body.side)]


def peopled(
    chart: Chart, radius_: float, others: Iterable[Body], target: Body | None = None
) -> Levels:
    """The levels with bodies on them that are in the way of a base of a radius.

    target: is gone to; it is in the way of landings, and not on stairs, where it is met.
    """

    oblong = list[tuple[str, Body]]()

    def discs() -> Iterator[tuple[str, str, float, float, float]]:
        for other in [*others] if target is None else [*others, target]:
            less = _LESS if other is target else 0.0
            for surface in chart.terrain.storeys.near(
                box_about(*other.centre, other.base.reach + radius_)
            ):
                if surface.id not in chart.surfaces or (less and surface.ramp is not None):
                    continue
                z = surface.height(other.x, other.y)
                if not closer_than(abs(z - other.z), CONTACT_RISE_IN):
                    continue
                slope = chart.levels.level(surface.id).slope
                if slope is None and isinstance(other.base, Rectangle):
                    oblong.append((surface.id, other))
                for k, (x, y, r) in enumerate(discs_of(other)):
                    if slope is None:
                        yield surface.id, f"{other.id}:{k}", x, y, r - less
                        continue
                    for n, (far, wide) in enumerate(_row(r + radius_, slope.factor)):
                        u, v = x + far * math.cos(slope.angle), y + far * math.sin(slope.angle)
                        grown = max(0.0, wide - radius_)
                        yield surface.id, f"{other.id}:{k}.{n}", u, v, grown

    levels = with_discs(chart, discs())
    # The discs that stand for a rectangle leave some room at its sides, where no way may end.
    parts, near = dict[str, list[Part]](), dict[str, Link | Portal]()
    for name, other in oblong:
        parts.setdefault(name, []).append(overlap_part(base_part(other), Part((0.0, 0.0), radius_)))
        box = box_about(*other.centre, other.base.reach + radius_)
        near |= {way.id: way for way in chart.ways_at(name, box)}
    return not_inside(levels, near.values(), parts) if near else levels


def not_inside(
    levels: Levels, ways: Iterable[Link | Portal], parts: Mapping[str, Sequence[Part]]
) -> Levels:
    """The levels without what of some of their ways begins or ends inside parts of these."""
    gone, kept = set[str](), list[Portal]()
    for way in ways:
        taken = list[Span]()
        for side in (way.start, way.end):
            for part in parts.get(side[0], ()):
                if isinstance(way, Portal):
                    line = Line(*side[1:])
                    taken += [
                        (a / line.length, b / line.length) for a, b in spans_inside(part, line)
                    ]
                elif distance_to(part, *side[1:3])[0] < -LENGTH:
                    gone.add(way.id)
        if not taken or not isinstance(way, Portal):
            continue
        gone.add(way.id)
        start, end = Line(*way.start[1:]), Line(*way.end[1:])
        for a, b in without([(0.0, 1.0)], taken):
            if (b - a) * end.length > SPECK:
                upper = (way.start[0], *start.at(a * start.length), *start.at(b * start.length))
                lower = (way.end[0], *end.at(a * end.length), *end.at(b * end.length))
                kept.append(way._replace(id=f"{way.id}/{len(kept)}", start=upper, end=lower))
    if not gone:
        return levels
    return levels.keeping(lambda way: way.id not in gone).with_more(portals=kept)


def _row(r: float, factor: float) -> list[tuple[float, float]]:
    """Discs that cover what two discs of the plan keep apart on a slope, an ellipse: how far up it
    each lies, on the plan, and its radius on the slope, by a ten-thousandth of r more at most for
    stairs of 40 degrees.

    An ellipse is the union of the discs about its long axis that touch it from within (those of
    its medial axis); these are some of them, wider by what lies between two.
    """
    long = factor * r
    apart = (long * long - r * r) / (long * long)
    touch = [math.pi * k / _ROW for k in range(_ROW + 1)]

    def disc(t: float) -> tuple[float, float]:
        c = apart * long * math.cos(t)
        return c, r * math.sqrt(1.0 - apart * math.cos(t) ** 2)

    found = [disc(t) for t in touch]
    more = 0.0
    for k, t in enumerate(touch[:-1]):
        x, y = long * math.cos(t + 0.5 * math.pi / _ROW), r * math.sin(t + 0.5 * math.pi / _ROW)
        more = max(more, *(math.hypot(x - c, y) - wide for c, wide in found[k : k + 2]))
    return [(c / factor, wide + more) for c, wide in found]


def _draw(draft: Draft, touched: frozenset[str], highest: float) -> None:
    def over(draft: Draft, edge: Edge) -> None:
        _drops(draft, edge)
        if touched:
            _climbs(draft, touched, highest, edge)

    def down(drop: float) -> float | None:
        return None if draft.terrain.low(drop) or more_than(drop, JUMP_DOWN_IN) else 0.0

    def climbed(drop: float) -> float | None:
        return None if draft.terrain.low(drop) or more_than(drop, highest) else drop

    draft.over_edges(over)
    for surface in draft.here:
        draft.over("off corners", surface.id, partial(_drops_off_corners, draft, surface))
    draft.over_rims("drop", down, slopes=True, nearest=True)
    draft.over_rims("climb", climbed, touched, both=True)
    for k, solid in enumerate(draft.terrain.climbed):
        if solid.entry in touched and STANDABLE not in solid.traits:
            draft.over(FENCE, f"{solid.entry} {k}", partial(_over_fence, draft, solid, highest))
    for ladder in draft.terrain.table.ladders:
        draft.ladder(ladder, ladder.head[2] - ladder.foot[2])
    draft.over_gaps(GAP_IN, _jump)
    draft.over_round_gaps(GAP_IN, _jump)
    over_sides(draft, down=False, dear=False)
    jumps(draft, _landed_of(draft, ramps=True))


def _jump(here: Surface, there: Surface) -> tuple[float, float] | None:
    """The height at which a gap is gone over, and what that costs besides its width."""
    may = closer_than(there.z - here.z, GAP_RISE_IN)
    return (here.z, 0.0) if may and not more_than(here.z - there.z, JUMP_DOWN_IN) else None


# Over the sides of ramps, and on to them.


#: What keeps a base off a place: a plan, what a body bars, or what it jumps off.
_Thing: TypeAlias = Plan | Part | Surface


class _Landed(NamedTuple):
    """What is landed among: the ground, the surfaces that count, by id, the radius and the height
    of the base, and what bodies bar to its centre, each with its height."""

    terrain: Terrain
    surfaces: dict[str, Surface]
    r: float
    tall: float
    bodies: Sequence[tuple[Part, float]] = ()

    def nearest_off(
        self, upper: Surface, at: Point, off: Point, ramps: bool = False
    ) -> tuple[str, Point] | None:
        """What a jump off a place of an edge lands on and where: at the least distance off it in
        any direction, one base radius at most, that keeps the base clear of what stands below and
        is not under what it jumps off (3.10). ramps: only jumps off ramps or on to them, or only
        others."""
        onto = [*self._may_carry(upper, at, ramps)]
        if not onto:
            return None
        things, to = list[_Thing](), at
        while True:
            # What is nearest clear of some of the things, and bars no other, is nearest of all.
            found = self._lands(upper, at, to, ramps)
            if isinstance(found, str):
                return found, to
            fresh = [thing for thing in found if not any(thing is one for one in things)]
            if not fresh:
                break
            things += fresh
            clear = (
                p for p in self._places(at, things) if not any(self._bars(t, p) for t in things)
            )
            if (nearest := next(clear, None)) is None:
                if len(onto) == 1:
                    return None
                break  # what bars it on the one may carry it itself
            to = nearest
        # Nothing carries it there, or not as it should.
        (x, y), r = at, self.r
        solids = self.terrain.with_plates(box_about(x, y, 2.0 * r))
        things = [upper, *{solid.ground for solid in solids}, *(part for part, _ in self.bodies)]
        straight, tried = Line(x, y, x + r * off[0], y + r * off[1]), list[Point]()
        stops = {*_stops(solids, straight, r)}
        stops.update(begin for one in onto for begin, _ in one.outer.spans(straight))
        for to in self._places(at, things, map(straight.at, sorted(stops))):
            # Borders of what stands flush cross in one place many times over.
            if any(math.dist(to, other) <= LENGTH for other in tried):
                continue
            tried.append(to)
            if not any(one.depth(*to, TOLERANCE) >= -TOLERANCE for one in onto):
                continue
            found = self._lands(upper, at, to, ramps)
            if isinstance(found, str):
                return found, to
        return None

    def lands_on(self, upper: Surface, at: Point, to: Point) -> str | None:
        """The level surface that a jump off a place of an edge to a place lands on."""
        found = self._lands(upper, at, to, ramps=False)
        return found if isinstance(found, str) else None

    def _may_carry(self, upper: Surface, at: Point, ramps: bool) -> Iterator[Surface]:
        """The surfaces on which a jump off a place of an edge may end, told by their heights within
        one base radius of it."""
        z, near = upper.height(*at), self.r + TOLERANCE
        for surface in self.terrain.storeys.near(box_about(*at, near)):
            if surface.id not in self.surfaces or bool(upper.ramp or surface.ramp) != ramps:
                continue
            low, high = surface.heights(*at, near)
            if not (self.terrain.low(z - low) or more_than(z - high, JUMP_DOWN_IN)):
                yield surface

    def _places(
        self, at: Point, things: Sequence[_Thing], more: Iterable[Point] = ()
    ) -> Iterator[Point]:
        """Places at which a base may be the nearest to one that is clear of some things, the
        nearest first, one base radius off at most."""
        borders = self._borders(things).near(*at, self.r + _HAIR)
        lone = len(things) == 1 and isinstance(things[0], Plan) and things[0].is_box
        places = [*more, *(borders.alone(*at) if lone else borders.places(*at))]
        near = ((math.dist(at, to), to) for to in places)
        yield from (to for _, to in sorted(one for one in near if one[0] <= self.r + _HAIR))

    def _borders(self, things: Iterable[_Thing]) -> Borders:
        borders = Borders(self.r)
        for thing in things:
            if isinstance(thing, Plan):
                borders.add((thing,))
            elif isinstance(thing, Part):
                borders.trace(border_of(thing))
            else:
                borders.add_within(thing, 0.0)
        return borders

    def corners(self, upper: Surface, z: float, about: Point, far: float) -> list[Point]:
        """Places near one at which a base that stands at a height touches two things, or a thing
        on the rim of what is jumped off, and is clear of all."""
        box, ground = box_about(*about, far + self.r), self.terrain
        solids = [s for s in ground.beside(box, z, self.tall) if ground.takes_room(s, z, self.tall)]
        things: list[_Thing] = [upper, *(s.ground for s in solids)]
        things += [part for part, _ in self.bodies]
        borders = self._borders(things).near(*about, far)
        near = (p for p in borders.places(*about) if math.dist(about, p) <= far)
        return [p for p in near if not any(self._bars(thing, p) for thing in things)]

    def _bars(self, thing: _Thing, to: Point) -> bool:
        """Whether a thing keeps the base off a place; no gain from the rules' tolerance."""
        if isinstance(thing, Plan):
            return self.r + thing.depth(*to, self.r) > LENGTH
        if isinstance(thing, Part):
            return distance_to(thing, *to)[0] < -LENGTH
        return thing.depth(*to, TOLERANCE) > TOLERANCE

    def _lands(self, upper: Surface, at: Point, to: Point, ramps: bool) -> str | Sequence[_Thing]:
        """What a jump off a place of an edge to a place lands on, or what keeps it off; nothing
        does where else it may not land."""
        ground, z = self.terrain, upper.height(*at)
        if upper.depth(*to, TOLERANCE) > TOLERANCE:
            return [upper]
        below = ground.storeys.below(*to, z, TOLERANCE)
        if (
            below is None
            or ground.steps_up(upper, *to, z) is not None
            or below.id not in self.surfaces
            or bool(upper.ramp or below.ramp) != ramps
        ):
            return ()
        level = below.height(*to)
        if ground.low(z - level) or more_than(z - level, JUMP_DOWN_IN):
            return ()
        box = box_about(*to, self.r)
        ramp = below.ramp
        near = ground.on_ramp(box, ramp) if ramp else ground.beside(box, level, self.tall)
        barred = [
            solid
            for solid in near
            if ground.takes_room(solid, level, self.tall) and self._bars(solid.ground, to)
        ]
        if barred and any(
            ramp.id == solid.entry for ramp in ground.table.ramps for solid in barred
        ):
            return ()  # sideways along stairs it does not look for a place
        barring: list[_Thing] = [solid.ground for solid in barred]
        for part, height_ in self.bodies:
            if closer_than(abs(height_ - level), CONTACT_RISE_IN) and self._bars(part, to):
                barring.append(part)
        if barring:
            return barring
        line = Line(*at, *to)
        crossed = any(
            ground.stops(solid, z, z, self.tall)
            and not solid.ground.clear_of(line, 0.0)
            and overlaps(-solid.ground.nearest_to(line).distance)
            for solid in near
        )
        return () if crossed else below.id


def landing_among(chart: Chart, body: Body, others: Iterable[Body]) -> _Landed:
    """Where a base lands among others."""
    disc = Part((0.0, 0.0), radius(body))
    bodies = [(overlap_part(base_part(other), disc), other.z) for other in others]
    return _Landed(chart.terrain, chart.surfaces, radius(body), height(body), bodies)


def _landed_of(draft: Draft, ramps: bool = False) -> Landed:
    """Where a base lands with nobody about, as of `nearest_off`; kept with the table, as charts of
    parts of it ask alike."""
    key, ground = ("landings", draft.r, draft.tall, ramps), draft.terrain
    found: Any = ground.kept.get(key)
    if found is None:
        among = _Landed(ground, draft.surfaces, draft.r, draft.tall)

        @lru_cache(maxsize=_LANDINGS)
        def landed(upper: str, at: Point, off: Point) -> tuple[str, Point] | None:
            return among.nearest_off(among.surfaces[upper], at, off, ramps)

        found = ground.kept[key] = landed
    return lambda upper, at, off: found(upper.id, at, off)


def jumps_past(
    chart: Chart, body: Body, others: Sequence[Body], to: Point, limit: float
) -> dict[Link, Spot]:
    """Jumps down off edges where others stand in the way of the landing that would be the nearest,
    to that which is it then (3.10). to, limit: only those by which a way to a place may be so
    short, but for what a jump shifts it."""
    r, found = radius(body), dict[Link, Spot]()
    landed = landing_among(chart, body, others)

    def short(line: Line, begin: float, end: float) -> bool:
        """Whether the shortest way over a piece of a line may be so short."""
        ux, uy = (line.bx - line.ax) / line.length, (line.by - line.ay) / line.length
        places = [(x - line.ax, y - line.ay) for x, y in (body.centre, to)]
        (s, a), (t, b) = ((x * ux + y * uy, abs(x * uy - y * ux)) for x, y in places)
        at = min(max(s + (t - s) * a / (a + b) if a + b > 0.0 else s, begin), end)
        return math.hypot(at - s, a) + math.hypot(at - t, b) < limit + r

    def over(at: Point, landing: Point, more: float = 0.0) -> bool:
        return math.dist(body.centre, at) + math.dist(landing, to) < limit + more

    for other in others:
        far = 2.0 * r + other.base.reach
        if math.dist(body.centre, other.centre) + math.dist(other.centre, to) > limit + r + 2 * far:
            continue
        found |= jumps_near(chart.over_rims, other.centre, far, landed.nearest_off, short)
        meet = overlap_part(base_part(other), Part((0.0, 0.0), r))
        for below in chart.terrain.storeys.near(box_about(*other.centre, r + other.base.reach)):
            if below.ramp or not closer_than(abs(below.z - other.z), CONTACT_RISE_IN):
                continue
            for start, end, upper, off in chart.drops_to.get(below.id, ()):
                if off < r - TOLERANCE:
                    spans = [span for span in spans_inside(meet, end) if short(start, *span)]
                    if spans:
                        there = chart.surfaces[upper]
                        corners = landed.corners(there, below.z, other.centre, far)
                        land = landed.nearest_off
                        found |= jumps_at(there, start, spans, r, land, corners, over)
    return {
        link: spot
        for link, spot in found.items()
        if over(link.start[1:], link.end[1:], spot.way.unsure(spot))
    }


def _stops(solids: Iterable[Solid], way: Line, r: float) -> Iterator[float]:
    """Lengths of a way at which a base on it may come to be clear of some solids, ascending: its
    begin, where it leaves one behind, and its end. The begin, which often does, at no cost."""
    yield 0.0
    stops, most = {r}, min(r, way.length)
    for plan in {solid.ground for solid in solids}:
        # Who is near what is convex at the end left it nowhere: no such place is lost.
        if not (plan.is_box or plan.circle) or plan.depth(*way.end, r) < LENGTH - r:
            stops.update(end for _, end in plan.spans_near(way, r) if end < most)
    yield from sorted(stops)


# Over edges: drops, climbs.


def _drops(draft: Draft, edge: Edge) -> None:
    """Down over an edge, to the nearest place off it that keeps the base clear of what stands
    below: straight down, or as far off as a face under the edge demands, one base radius at
    most (3.10)."""
    surface, ground = edge.surface, draft.terrain
    able, sure = list[tuple[float, float]](), list[tuple[float, float]]()
    ends = Line(*edge.at(0.0), *edge.at(1.0))
    beside: dict[float, list[Plan]] = {}
    for off, faced in sorted(_shifts(ground, draft.r, edge).items()):
        line, parts = draft.strip(edge, off)
        for begin, end, below in parts:
            drop = surface.z - below.z
            if ground.low(drop) or more_than(drop, JUMP_DOWN_IN):
                continue
            able.append((begin, end))
            if faced and not any(ground.takes_room(one, below.z, draft.tall) for one in faced):
                continue
            if below.z not in beside:
                near = ground.beside(box_of(ends, 2.0 * draft.r), below.z, draft.tall)
                beside[below.z] = [
                    solid.ground for solid in near if ground.takes_room(solid, below.z, draft.tall)
                ]
            solids = beside[below.z]
            for a, b in _landed(solids, draft.r, ends, line, (begin, end), off):
                t, u = a / line.length, b / line.length
                lower = (below.id, line.at(a), line.at(b))
                draft.portal("drop", (surface.id, edge.at(t), edge.at(u)), lower)
                sure.append((a, b))
    # Elsewhere what stands below is round or aslant, or has a corner there.
    whole = [(0.0, ends.length)]
    left = without(without(whole, without(whole, able)), sure)
    jumps_off(draft, edge, left, _landed_of(draft))


def _drops_off_corners(draft: Draft, surface: Surface) -> None:
    """Down off the outer corners of a surface, where a face under each keeps the base one radius
    off."""
    if surface.ramp is not None:
        return
    among, landed = _Landed(draft.terrain, draft.surfaces, draft.r, draft.tall), _landed_of(draft)
    for corner in outer_corners(draft.terrain.edges(surface)):
        nearest = landed(surface, corner.at, (math.cos(corner.angle), math.sin(corner.angle)))
        # All places one base radius off a corner are as near, where nothing nearer is clear.
        if nearest is None or math.dist(corner.at, nearest[1]) < draft.r - LENGTH:
            continue

        def lands(to: Point, at: Point = corner.at) -> tuple[str, float] | None:
            onto = among.lands_on(surface, at, to)
            return None if onto is None else (onto, 0.0)

        draft.take(CornerWay("drop", surface.id, corner, draft.r, lands))


def _shifts(ground: Terrain, r: float, edge: Edge) -> dict[float, list[Solid]]:
    """How far off an edge a base may have to land, inches, each with what keeps it off by a face
    that runs along the edge."""
    found: dict[float, list[Solid]] = {0.0: [], r: []}
    (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
    for solid in ground.with_plates(box_of(Line(ax, ay, bx, by), r)):
        ring = solid.ground.ring or ()
        for k in range(0, len(ring), 2):
            x, y, u, v = ring[k - 2], ring[k - 1], ring[k], ring[k + 1]
            if (v - y) * edge.nx <= (u - x) * edge.ny:
                continue  # it faces the other way
            offs = [(p - ax) * edge.nx + (q - ay) * edge.ny for p, q in ((x, y), (u, v))]
            if abs(offs[0] - offs[1]) <= TOLERANCE and 0.0 < offs[0] + r < r:
                found.setdefault(offs[0] + r, []).append(solid)
    return found


def _landed(
    solids: Sequence[Plan], r: float, edge: Line, line: Line, span: tuple[float, float], off: float
) -> list[tuple[float, float]]:
    """Lengths of an edge from which a base lands on a line beside it, so far off: there it is
    clear, and nowhere nearer, since what stands below is nearer to the edge than its radius by
    just that much."""
    left = r - off
    free = [span]
    if off > 0.0:
        near = [found for plan in solids for found in plan.spans_near(edge, left + 2.0 * TOLERANCE)]
        free = without(free, without([(0.0, edge.length)], near))
    for plan in solids:
        if not free:
            break
        gone = plan.spans_near(line, r)
        if off > 0.0 and left > 2.0 * TOLERANCE:
            gone += plan.spans_near(edge, left - 2.0 * TOLERANCE)
        free = without(free, gone)
    return free


def _climbs(draft: Draft, touched: frozenset[str], highest: float, edge: Edge) -> None:
    """Up to an edge by climbing, from one base radius off it, and down where it is too high to
    jump."""
    surface, ground = edge.surface, draft.terrain
    line, parts = draft.strip(edge, draft.r)
    for begin, end, below in parts:
        drop = surface.z - below.z
        if ground.low(drop) or more_than(drop, highest):
            continue
        t, u = begin / line.length, end / line.length
        down = more_than(drop, JUMP_DOWN_IN)  # what is lower is jumped down, at no cost
        for v, w in climbable_parts(ground, edge, (t, u), below.z, touched):
            lower = (below.id, line.at(v * line.length), line.at(w * line.length))
            upper = (surface.id, edge.at(v), edge.at(w))
            draft.portal("climb", lower, upper, drop, both=down)


def _over_fence(draft: Draft, solid: Solid, highest: float) -> None:
    """Up the sides of a fence, wall or column, over its top and down, from one base radius off."""
    ground, outline = draft.terrain, ring_of(solid.ground)

    def climbed(rise: float) -> float | None:
        """What it costs to climb so far, from what its foot is no more than a step above."""
        low = ground.low(rise) or not ground.low(solid.bottom - solid.top + rise)
        return None if low or more_than(rise, highest) else rise

    top = draft.air_over(FENCE, outline, solid.top)
    if solid.ground.circle is not None:
        over = Surface(top, (solid.entry,), solid.ground, (), solid.top)
        rim = Rim(ground, "climb", over, climbed, draft.r, draft.tall, up=True, both=True)
        draft.take(rim)
        return
    for side in ring_sides(outline):
        nx, ny = (side.by - side.ay) / side.length, (side.ax - side.bx) / side.length
        edge = Edge(ground.storeys.surfaces[0], *side.start, *side.end, nx, ny, None)
        line, parts = draft.strip(edge, draft.r, solid.top)
        for begin, end, below in parts:
            cost = climbed(solid.top - below.z)
            if cost is not None:
                foot = (below.id, line.at(begin), line.at(end))
                draft.portal("climb", foot, (top, side.at(begin), side.at(end)), cost, both=True)

    def lands(to: Point) -> tuple[str, float] | None:
        """What a base stands on at a place beside it, and what the climb costs from or to there."""
        below = ground.storeys.below(*to, solid.top, TOLERANCE)
        cost = None if below is None or below.ramp else climbed(solid.top - below.z)
        if below is None or cost is None or below.id not in draft.surfaces:
            return None
        near = ground.beside(box_about(*to, draft.r), below.z, draft.tall)
        free = not any(
            draft.r + one.ground.depth(*to, draft.r) > LENGTH
            for one in near
            if ground.takes_room(one, below.z, draft.tall)
        )
        return (below.id, cost) if free else None

    for corner in ring_corners(outline):
        draft.take(CornerWay("climb", top, corner, draft.r, lands, both=True))
