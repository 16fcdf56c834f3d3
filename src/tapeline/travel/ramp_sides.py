"""Ways over the sides of ramps: on to what lies a step beside or off to it, and down off them;
jumps off them and on to them.

A slope is longer than what lies beside it, so that no portal leads over its side: links stand for
such a way, closer and closer about the best of them (`rim_search.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.table.solids import box_of
from tapeline.table.storeys import Edge, Surface, ramp_ring
from tapeline.travel.chart import Chart
from tapeline.travel.draft import SPECK, Draft
from tapeline.travel.nearness import lowest
from tapeline.travel.rim_search import Spot, Way, lengths_about

__all__ = [
    "APART", "SIDE", "Landed", "dearer", "jumps", "jumps_at", "jumps_near",
    "jumps_off", "only_crosses", "over_sides",
    "side_of", "sides_at_ends", "sides_jumped_off", "sides_near", "sides_of",
]  # fmt: skip

#: Where a jump down off a place of an edge lands: a surface and the place on it; None if nowhere.
Landed: TypeAlias = Callable[[Surface, Point, Point], tuple[str, Point] | None]

#: The kind of a link over a side.
SIDE = "side"
#: Inches between the first links, at most.
APART = 0.5
#: Length off a side at which is looked what lies beyond.
_BEYOND = 1e-6


class _Side(NamedTuple):
    """A piece of a side of a ramp, between two lengths of its line, as a way to a level beside it;
    or of any edge, over which one jumps.

    r: of the base. stretch: true length of the slope for each unit of the line. both: also back.
    dear: whether its links cost what they may spare of the slope. off: of a jump, its unit normal;
    landed: of a jump, where it lands; free: whether it goes there sideways at no cost. past: it
    lands past bodies.
    """

    surface: Surface
    line: Line
    begin: float
    end: float
    onto: str
    r: float
    stretch: float
    both: bool = False
    dear: bool = False
    off: Point = (0.0, 0.0)
    landed: Landed | None = None
    free: bool = False
    past: bool = False

    def spots(self) -> dict[Link, Spot]:
        """Links all along it."""
        count = max(1, math.ceil((self.end - self.begin) / APART))
        step = (self.end - self.begin) / count
        return self._links((self.begin + k * step for k in range(count + 1)), APART)

    def at(self, places: Iterable[float]) -> dict[Link, Spot]:
        """Links at some lengths of its line."""
        return self._links(places, APART)

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links about one, nearer each other."""
        lengths, step = lengths_about(spot)
        places = [spot.at[0] + length for length in lengths]
        return self._links(places, step, (places[0], places[-1]))

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """Links where the base just touches one that stands on a level beside it."""
        flat = (levels.level(name) for name in names - {self.surface.id})
        dx, dy = (self.r * n for n in self.off)
        found = [
            s
            for level in flat
            for u, v, reach in level.field.bodies.values()
            for x, y in (level.plan(u, v),)
            for span in spans_near_point(self.line, x - dx, y - dy, reach + self.r)
            for s in span
        ]
        return self._links((s for s in found if self.begin < s < self.end), APART)

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The link that is best on the plan, with nothing else in between."""

        def length(t: float) -> float:
            place = self.line.at(self.begin + t * (self.end - self.begin))
            return math.dist(start, place) + math.dist(place, end)

        return self._links([self.begin + lowest(length) * (self.end - self.begin)], APART)

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two links are no farther from each other than they are at first."""
        return abs(one.at[0] - other.at[0]) <= 1.5 * APART

    def unsure(self, spot: Spot) -> float:
        """How much shorter a way may be that leads over it between a link and the next."""
        return 0.5 * spot.apart * (1.0 + self.stretch)

    def _links(
        self, places: Iterable[float], apart: float, last: tuple[float, ...] = ()
    ) -> dict[Link, Spot]:
        found: dict[Link, Spot] = {}
        for s in places:
            if self.begin <= s <= self.end:
                place = self.line.at(s)
                onto: tuple[str, Point] | None = (self.onto, place)
                if self.landed is not None:
                    onto = self.landed(self.surface, place, self.off)
                if onto is None:
                    continue
                kind = SIDE if self.landed is None else "drop"
                on = f"{self.surface.id} {self.line.start} {self.begin!r}{' past' * self.past}"
                name = f"{kind} {on} {onto[0]} {s!r}"
                ends = (self.surface.id, *place), (onto[0], *onto[1])
                spot = Spot(self, (s,), apart, s in last)
                # What a jump off or on to a ramp spares sideways makes no way more direct.
                spared = _spared(self.surface, place) if self.dear else 0.0
                cost = spared + (0.0 if self.free else math.dist(place, onto[1]))
                found[Link(name, kind, *ends, cost, self.both)] = spot
        return found


def over_sides(draft: Draft, *, down: bool, dear: bool) -> None:
    """Ways over the sides of all ramps. down: down off them too, where that is more than a step.
    dear: steps cost what walking beside a ramp may spare, so that no cheapest way does so."""
    for surface in draft.sided:
        if surface.ramp is not None:
            ways = partial(_over_sides, draft, surface, down, dear)
            draft.over(f"sides {down} {dear}", surface.id, ways)


def jumps(draft: Draft, landed: Landed) -> None:
    """Jumps down off the sides of ramps, and off edges on to ramps."""
    for surface in draft.sided:
        draft.over("jumps", surface.id, partial(_jumps, draft, surface, landed))


def _jumps(draft: Draft, surface: Surface, landed: Landed) -> None:
    if surface.ramp is not None:
        for line, off in _both_sides(surface):
            stretch = math.hypot(1.0, (surface.top - surface.z) / line.length)
            way = _Side(surface, line, 0.0, line.length, "", draft.r, stretch)
            draft.take(way._replace(off=off, landed=landed))
        return
    ramps = [s for s in draft.terrain.storeys.near(surface.outer.box) if s.ramp is not None]
    for edge in draft.terrain.edges(surface) if ramps else ():
        line = Line(edge.ax, edge.ay, edge.bx, edge.by)
        box = box_of(line, draft.r)
        if any(ramp.z < surface.z and ramp.outer.meets(box) for ramp in ramps):
            way = _Side(surface, line, 0.0, line.length, "", draft.r, 1.0)
            draft.take(way._replace(off=(edge.nx, edge.ny), landed=landed))


def jumps_off(
    draft: Draft, edge: Edge, spans: Iterable[tuple[float, float]], landed: Landed
) -> None:
    """Jumps down off an edge between some lengths of it, each to where it lands, at no cost."""
    line = Line(edge.ax, edge.ay, edge.bx, edge.by)
    way = _Side(edge.surface, line, 0.0, 0.0, "", draft.r, 1.0, off=(edge.nx, edge.ny), free=True)
    for begin, end in spans:
        if end - begin > SPECK:
            draft.beside_edge(edge.surface, way._replace(begin=begin, end=end, landed=landed))


def jumps_at(
    surface: Surface,
    line: Line,
    spans: Sequence[tuple[float, float]],
    r: float,
    landed: Landed,
    corners: Iterable[Point],
    short: Callable[[Point, Point], bool],
) -> dict[Link, Spot]:
    """Jumps down off some lengths of a line along an edge of a surface, which lies to its left,
    each to where it lands, at no cost. r: of the base. corners: places that it may land at from
    no farther than that, each from a few lengths only. short: whether it is looked at from where
    to where one jumps to such a place."""
    off = ((line.by - line.ay) / line.length, (line.ax - line.bx) / line.length)
    way = _Side(surface, line, 0.0, 0.0, "", r, 1.0, off=off, landed=landed, free=True, past=True)
    found = _all_spots(way, spans)
    ends = [
        s
        for place in corners
        for span in spans_near_point(line, *place, r)
        for s in span
        if short(line.at(s), place)
    ]
    for begin, end in spans:
        found |= way._replace(begin=begin, end=end).at(ends)
    return found


def jumps_near(
    ways: Iterable[Way],
    place: Point,
    far: float,
    landed: Landed,
    short: Callable[[Line, float, float], bool],
) -> dict[Link, Spot]:
    """Those of some jumps off edges, at no cost, that are so near to a place, each to where it
    lands. short: of a piece of an edge, whether it is looked at."""
    found: dict[Link, Spot] = {}
    for way in ways:
        if isinstance(way, _Side) and way.free:
            spans = [
                (max(way.begin, begin), min(way.end, end))
                for begin, end in spans_near_point(way.line, *place, far)
            ]
            spans = [span for span in spans if span[0] < span[1] and short(way.line, *span)]
            found |= _all_spots(way._replace(landed=landed, past=True), spans)
    return found


def _all_spots(way: _Side, spans: Iterable[tuple[float, float]]) -> dict[Link, Spot]:
    """Links along some lengths of a way."""
    ways = (way._replace(begin=begin, end=end) for begin, end in spans if end - begin > SPECK)
    return {link: spot for way in ways for link, spot in way.spots().items()}


def _both_sides(surface: Surface) -> Iterator[tuple[Line, Point]]:
    """The sides of a ramp, each with its unit normal."""
    assert surface.ramp is not None
    foot_right, head_right, head_left, foot_left = ramp_ring(surface.ramp)
    for line, sign in ((Line(*foot_right, *head_right), 1.0), (Line(*foot_left, *head_left), -1.0)):
        ux, uy = (line.bx - line.ax) / line.length, (line.by - line.ay) / line.length
        yield line, (sign * uy, -sign * ux)


def _over_sides(draft: Draft, surface: Surface, down: bool, dear: bool) -> None:
    for line, normal in _both_sides(surface):
        for begin, end, levels in _beside(draft, line, normal):
            above = math.inf
            for other in levels:
                _over_side(draft, surface, (line, normal), (begin, end), other, above, down, dear)
                above = other.z


def _beside(
    draft: Draft, line: Line, normal: Point
) -> Iterator[tuple[float, float, list[Surface]]]:
    """Lengths of a line between which the same level surfaces lie just beside it, the highest
    first."""
    x, y = (_BEYOND * n for n in normal)
    off, storeys = Line(line.ax + x, line.ay + y, line.bx + x, line.by + y), draft.terrain.storeys
    cuts = {0.0, line.length}
    for surface in storeys.near(box_of(off, 0.0)):
        cuts.update(s for plan in surface.plans for span in plan.spans(off) for s in span)
    for begin, end in pairwise(sorted(cuts)):
        if end - begin > SPECK:
            over = storeys.over(*off.at(0.5 * (begin + end)), TOLERANCE)
            yield begin, end, [s for s in over if s.ramp is None and s.id in draft.surfaces]


def _over_side(
    draft: Draft,
    surface: Surface,
    side: tuple[Line, Point],
    run: tuple[float, float],
    other: Surface,
    above: float,
    down: bool,
    dear: bool,
) -> None:
    """Ways over a piece of a side to a level surface beside it. above: height of the next one."""
    (line, normal), r, z = side, draft.r, other.z
    bottom, rise = surface.z, surface.top - surface.z
    stretch, step = math.hypot(1.0, rise / line.length), draft.terrain.step(surface, other)

    def piece(low: float, high: float) -> tuple[float, float]:
        """Its lengths at which it is between two heights."""
        begin, end = ((h - bottom) / rise * line.length for h in (low, high))
        return max(run[0], begin), min(run[1], end)

    low = step if draft.terrain.policy.step_included else step - 2.0 * TOLERANCE
    begin, end = piece(z - low, z + low)
    if end - begin > SPECK:
        draft.take(_Side(surface, line, begin, end, other.id, r, stretch, True, dear))
    # Beside what is more than a step high no base stands at the side: it goes on till it is clear.
    # So near the head that the base is on what the ramp leads up to it is not the side it goes off.
    begin, top = piece(z, min(above, z + step))
    end = min(piece(z, above)[1], line.length - r)
    first, last = max(begin, top - r), end if down and end > top else top
    if last - first > SPECK:
        edge = Edge(surface, *line.at(first), *line.at(last), *normal, other)
        height = bottom + 0.5 * (first + last) / line.length * rise
        name = draft.strip_off(edge, r, height)
        draft.take(_Side(surface, line, first, last, name, r, stretch, dear=dear))


def sides_of(route: LevelRoute) -> frozenset[str]:
    """The sides of ramps that a route leads over."""
    return frozenset(side_of(step.link) for step in route.steps if step.kind == SIDE)


def sides_at_ends(route: LevelRoute, levels: Levels) -> frozenset[str]:
    """The sides of ramps that begin where a route comes to their foot or head by the ramp itself: a
    place farther along them may be better."""
    ends = [
        (step.level, levels.level(step.level).plan(*step.at))
        for step in route.steps
        if step.kind == "stairs"
    ]
    return frozenset(
        side_of(link.id)
        for link in (levels.links if ends else ())
        if link.kind == SIDE
        and any(link.end[0] == on and math.dist(link.end[1:], at) <= TOLERANCE for on, at in ends)
    )


def sides_jumped_off(
    route: LevelRoute, levels: Levels, spots: Mapping[str, Spot]
) -> frozenset[str]:
    """The sides of ramps that a route jumps off, where they are low enough to be stepped over."""
    jumped = tuple(step.link for step in route.steps if step.link.startswith("drop "))
    found = set()
    for link in levels.links if jumped else ():
        way = spots[link.id].way if link.kind == SIDE and link.id in spots else None
        if isinstance(way, _Side):
            over = f"drop {way.surface.id} {way.line.start} "
            if any(name.startswith(over) for name in jumped):
                found.add(side_of(link.id))
    return frozenset(found)


def side_of(link: str) -> str:
    """The side that a link leads over."""
    return link.rpartition(" ")[0]


def only_crosses(route: LevelRoute, start: str, chart: Chart) -> bool:
    """Whether a route that begins on a level leads over sides of ramps only to cross these, from
    one level back on to it."""
    before, came = start, ""
    for step in route.steps:
        if step.kind == SIDE:
            surface = chart.surfaces.get(step.level)
            if surface is not None and surface.ramp is not None:
                came = before
            elif came and (step.level == came or step.level in chart.air):
                came = ""
            else:
                return False
        elif came and step.link:
            return False
        before = step.level
    return not came


def sides_near(levels: Levels, spots: Mapping[str, Spot], place: Point, far: float) -> Levels:
    """The levels without ways over sides of ramps, and jumps on to these, that are farther off."""
    gone = {
        link.id
        for link in levels.links
        if link.id in spots
        and isinstance(spots[link.id].way, _Side)
        and math.dist(link.start[1:], place) > far
    }
    return levels.keeping(lambda way: way.id not in gone) if gone else levels


def dearer(levels: Levels, spots: Mapping[str, Spot]) -> tuple[Levels, dict[str, Spot]]:
    """Levels and the spots of their links, where those over the sides of ramps cost what they may
    spare."""
    spots = {link.id: spots[link.id] for link in levels.links if link.id in spots}
    ways = {id(spot.way): spot.way for spot in spots.values() if isinstance(spot.way, _Side)}
    dear = {key: way._replace(dear=True) for key, way in ways.items() if way.landed is None}
    links = []
    for link in levels.links:
        way = dear.get(id(spots[link.id].way)) if link.kind == SIDE else None
        if way is not None:
            links.append(
                link._replace(cost=_spared(way.surface, way.line.at(spots[link.id].at[0])))
            )
    kept = levels.keeping(lambda way: way.kind != SIDE).with_more(links=links)
    return kept, {k: one._replace(way=dear.get(id(one.way), one.way)) for k, one in spots.items()}


def _spared(surface: Surface, place: Point) -> float:
    """How much longer the slope is than the plan from an end to a place of it, the nearer end."""
    assert surface.ramp is not None
    (ax, ay, _), (bx, by, _) = surface.ramp.foot, surface.ramp.head
    z, grade = surface.height(*place), (surface.top - surface.z) / math.hypot(bx - ax, by - ay)
    return min(z - surface.z, surface.top - z) * (math.hypot(1.0, grade) - 1.0) / grade
