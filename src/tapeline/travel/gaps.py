"""Gaps crossed within what may be jumped, where the straightest way over would be too wide.

The search takes a gap for level ground and does not bind how long it is crossed. Where a way
crosses one by more than may be jumped, the gap is replaced. The best way over is then as wide as
may be: between parallel edges two portals, aslant to either side, hold all such crossings; else
links at places of the edge do, set closer about the best until it is known. Ways that are narrower
for the sake of what stands about take strips: each from a short piece of the edge jumped from to
all that lies near enough to all of that piece. At the rims of round surfaces gaps are links from
the first (`rims.py`). Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import Point
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.intersections import lengths_at
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.rectangles.contact import overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.table.solids import Ground, box_of
from tapeline.travel.chart import Chart, Gap
from tapeline.travel.rim_search import UNSURE, Descent, Found, over_rims
from tapeline.travel.rims import LEAP
from tapeline.travel.search import Seeker

__all__ = ["Jumper", "leads_over_gaps", "over_gap", "shortest"]

#: Length of a strip's edge; between links at first, how much closer each time, the closest.
_STRIP, _APART, _CLOSER, _CLOSEST = 0.5, 0.25, 8.0, 2e-7
#: Length: shorter pieces of an edge lead nowhere.
_SPECK = 1e-9
#: Sine of the angle between edges that are parallel.
_PARALLEL = 1e-9


class Jumper(NamedTuple):
    """Who looks for a way over gaps: the chart, its radius and height, the widest gap it jumps."""

    chart: Chart
    radius: float
    tall: float
    widest: float


class Leap(NamedTuple):
    """A link over a gap: the id of the gap's level, the gap, where along the edge it leaves, and
    how far the next link is."""

    name: str
    gap: Gap
    at: float
    apart: float


def _narrowed(
    jumper: Jumper,
    levels: Levels,
    name: str,
    gap: Gap,
    solids: Sequence[Ground],
    *,
    rough: bool = False,
) -> tuple[Levels, dict[str, Leap], list[str]]:
    """The levels with a gap replaced by what may be jumped of it; links on it by id; the names of
    its strips.

    solids: what stands in the way of a base over it. rough: without strips.
    """
    air = levels.level(name)
    levels = levels.keeping(lambda way: name not in (way.start[0], way.end[0]))
    strips: list[str] = []
    if not rough:
        levels, strips = _with_strips(levels, air, gap, jumper.widest)
    if _parallel(gap):
        return levels.with_more(portals=_slanting(jumper, name, gap, solids)), {}, strips
    found = dict(_links(jumper, name, gap, (0.0, gap.near.length), _APART, solids))
    return levels.with_more(links=found), {link.id: leap for link, leap in found.items()}, strips


def _closer(
    jumper: Jumper,
    levels: Levels,
    route: LevelRoute,
    leaps: dict[str, Leap],
    solids: Mapping[str, Sequence[Ground]],
) -> tuple[Levels, dict[str, Leap]] | None:
    """The levels with closer links about those that a route takes; None once they are as close as
    they need to be. solids: as of `_narrowed`, by gap."""
    taken = [leaps[way] for way in route.links if way in leaps and leaps[way].apart > _CLOSEST]
    if not taken:
        return None
    _, gap, at, apart = leap = taken[0]
    begin, end = max(0.0, at - apart), min(gap.near.length, at + apart)
    fresh = dict(_links(jumper, leap.name, gap, (begin, end), apart / _CLOSER, solids[leap.name]))
    kept = {way: other for way, other in leaps.items() if other.name != leap.name}
    levels = levels.keeping(lambda way: way.id not in leaps or way.id in kept)
    levels = levels.with_more(links=fresh)
    return levels, {**kept, **{link.id: made for link, made in fresh.items()}}


def _parallel(gap: Gap) -> bool:
    (ux, uy), (vx, vy) = _unit(gap.near), _unit(gap.far)
    return abs(ux * vy - uy * vx) <= _PARALLEL


def _unit(line: Line) -> Point:
    length = line.length
    return (line.bx - line.ax) / length, (line.by - line.ay) / length


def _with_strips(levels: Levels, air: Level, gap: Gap, widest: float) -> tuple[Levels, list[str]]:
    count = max(1, math.ceil(gap.near.length / _STRIP))
    extra, portals = [], []
    for k in range(count):
        near = gap.near.part(k / count * gap.near.length, (k + 1) / count * gap.near.length)
        # Within reach of both ends is within reach of all between.
        spans = [spans_near_point(gap.far, *place, widest) for place in (near.start, near.end)]
        if not all(spans):
            continue
        low, high = max(span[0][0] for span in spans), min(span[0][1] for span in spans)
        if high - low <= _SPECK:
            continue
        far, name = gap.far.part(low, high), f"{air.id}/{k}"
        extra.append(Level(name, air.field, air.height, air.slope))
        for kind, here, there, line in (
            ("take off", gap.start, name, near),
            ("land", name, gap.end, far),
        ):
            side = (*line.start, *line.end)
            portals.append(
                Portal(f"{kind} {name}", kind, (here, *side), (there, *side), 0.0, False)
            )
    return levels.with_more(extra, portals=portals), [level.id for level in extra]


def _links(
    jumper: Jumper,
    name: str,
    gap: Gap,
    span: tuple[float, float],
    apart: float,
    solids: Iterable[Ground],
) -> Iterator[tuple[Link, Leap]]:
    """Links of exactly the greatest width from places of an edge, so far apart."""
    begin, end = span
    count = max(1, math.ceil((end - begin) / apart))
    for k in range(count + 1):
        s = begin + k / count * (end - begin)
        start = gap.near.at(s)
        for t in _so_far(gap.far, start, jumper.widest):
            landing = gap.far.at(t)
            over = Line(*start, *landing)
            box = box_of(over, jumper.radius)
            near = (solid for solid in solids if solid.meets(box))
            if any(overlaps(jumper.radius - solid.nearest_to(over).distance) for solid in near):
                continue
            label = f"{LEAP} {name} {s!r} {t!r}"
            cost = math.dist(start, landing)
            link = Link(label, LEAP, (gap.start, *start), (gap.end, *landing), cost, False)
            yield link, Leap(name, gap, s, apart)


def _so_far(line: Line, place: Point, widest: float) -> list[float]:
    """Lengths along a line at which it is exactly the greatest width from a place."""
    return [t for t in lengths_at(line, (*place, widest), TOLERANCE) if 0.0 <= t <= line.length]


def _slanting(jumper: Jumper, name: str, gap: Gap, solids: Sequence[Ground]) -> Iterator[Portal]:
    """Between parallel edges: crossings of exactly the greatest width, one to either side."""
    near, far, widest = gap.near, gap.far, jumper.widest
    ux, uy = _unit(near)
    dx, dy = far.ax - near.ax, far.ay - near.ay
    along = dx * ux + dy * uy
    sx, sy = dx - along * ux, dy - along * uy
    width = math.hypot(sx, sy)
    if more_than(width, widest):
        return
    aside = math.sqrt(max(0.0, (widest - width) * (widest + width)))
    last = along + (far.bx - far.ax) * ux + (far.by - far.ay) * uy
    for shift in dict.fromkeys((aside, -aside)):
        low, high = max(0.0, min(along, last) - shift), min(near.length, max(along, last) - shift)
        vx, vy = sx + shift * ux, sy + shift * uy
        for number, (a, b) in enumerate(_free(near, low, high, (vx, vy), solids, jumper.radius)):
            piece = near.part(a, b)
            start = (gap.start, *piece.start, *piece.end)
            end = (gap.end, piece.ax + vx, piece.ay + vy, piece.bx + vx, piece.by + vy)
            label = f"{LEAP} {name} {shift!r} {number}"
            yield Portal(label, LEAP, start, end, math.hypot(vx, vy), False)


def _free(
    near: Line, low: float, high: float, over: Point, solids: Iterable[Ground], r: float
) -> Iterator[tuple[float, float]]:
    """Lengths of an edge between which nothing is in the way of a base that jumps so far over."""
    swept = Part((0.0, 0.0, *over), r - TOLERANCE)
    gone = [
        span
        for solid in solids
        for part in solid.region.parts
        for span in spans_inside(overlap_part(part, swept), near)
    ]
    at = low
    for begin, end in [*sorted(gone), (high, high)]:
        if min(begin, high) - at > TOLERANCE:
            yield at, min(begin, high)
        at = max(at, end)


def shortest(
    jumper: Jumper,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    limit: float,
    *,
    rough: bool = False,
    too_wide: list[str] | None = None,
) -> LevelRoute | None:
    """The shortest route that crosses no gap by more than may be jumped; rough: nearly, and over
    levels that are cut down to the limit already.

    too_wide: gaps that were found to be so within a shorter limit; more are put in.
    """
    spots = {} if rough else jumper.chart.spots
    if not rough:
        levels = levels.within(seeker.start, goals, limit + (UNSURE if spots else 0.0))

    def descend(levels: Levels, descent: Descent) -> Found | None:
        return _descended(jumper, seeker, levels, goals, descent, rough=rough, too_wide=too_wide)

    return over_rims(levels, spots, limit, descend)


def _descended(
    jumper: Jumper,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    descent: Descent,
    *,
    rough: bool,
    too_wide: list[str] | None,
) -> Found | None:
    """The shortest route of a descent; as of `shortest`."""
    leaps: dict[str, Leap] = {}
    strips: set[str] = set()
    solids: dict[str, list[Ground]] = {}

    def narrow(name: str, gap: Gap) -> None:
        nonlocal levels, leaps, strips
        solids[name] = _in_way_over(jumper, gap)
        levels, more, names = _narrowed(jumper, levels, name, gap, solids[name], rough=rough)
        leaps |= more
        strips |= set(names)

    found = [] if too_wide is None else too_wide
    for name in found:
        narrow(name, jumper.chart.gaps[name])
    while True:
        route = seeker.route(levels, goals, descent.limit)
        if route is None:
            return descent.best
        wide = next(
            (
                step.level
                for step in route.steps
                if over_gap(jumper.chart, step.level)
                and not step.link
                and more_than(step.path.length, jumper.widest)
            ),
            None,
        )
        if wide is not None:
            gap = jumper.chart.gaps.get(wide)
            if gap is None:
                levels = _without(levels, {wide})  # round what stands in a strip
                continue
            narrow(wide, gap)
            found.append(wide)
            continue
        if not descent.take(route):
            return descent.best
        about = descent.closer(levels, route)
        if about is not None:
            levels = about
            continue
        finer = None if rough else _closer(jumper, levels, route, leaps, solids)
        if finer is not None:
            levels, leaps = finer
        elif leaps and strips:
            # The best of the leaps, which lie too far apart to be told from strips at first.
            levels, strips = _without(levels, strips), set()
        else:
            return descent.best


def over_gap(chart: Chart, level: str) -> bool:
    """Whether a level is the air over a gap, or a strip of it."""
    return level.partition("/")[0] in chart.gaps


def leads_over_gaps(chart: Chart, levels: Levels) -> bool:
    """Whether a way on some levels of a chart may lead over a gap."""
    leaps = any(link.kind == LEAP for link in levels.links)
    return leaps or any(over_gap(chart, level.id) for level in levels.levels)


def _in_way_over(jumper: Jumper, gap: Gap) -> list[Ground]:
    """What stands in the way of a base over a gap."""
    chart, r, tall, widest = jumper
    z, ground = chart.surfaces[gap.start].z, chart.terrain
    near = ground.with_plates(box_of(gap.near, widest + r))
    return [solid.ground for solid in near if ground.stops(solid, z, z, tall)]


def _without(levels: Levels, gone: set[str]) -> Levels:
    """The levels without ways to and from some of them."""
    return levels.keeping(lambda way: not {way.start[0], way.end[0]} & gone)
