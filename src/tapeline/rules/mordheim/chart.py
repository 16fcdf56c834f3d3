"""Where a charge may run: the ground as a chart, prepared once for each table, size and reading.

Ladders are charged their height; edges lead down, one base radius off; gaps of up to 3 inches are
crossed as level ground between two edges. Each search puts in the bodies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps
from tapeline.engine.paths import Point
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.rectangles.contact import overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.mordheim.contact import discs_of, without
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, GAP_IN, GAP_RISE_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.state import height, may_climb, movement, radius, touching_at_start
from tapeline.rules.mordheim.terrain import box_about, terrain_of
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground, box_of
from tapeline.table.solids import Ground as Plan
from tapeline.table.storeys import Edge, Surface
from tapeline.travel.chart import Chart, Draft, Gap, with_discs
from tapeline.travel.crossings import faces_under
from tapeline.travel.rims import closer_about
from tapeline.travel.search import Seeker
from tapeline.travel.terrain import Terrain

__all__ = ["chart_of", "gone_round", "over_gap", "peopled", "shortest"]


#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-7


def chart_of(state: State, body: Body, *, climb: bool = False) -> Chart:
    """The chart for a model. climb: with what it touched when the phase began to be climbed, as
    far as it climbs that (MH-CLIMB-1, -6)."""
    ground = terrain_of(state)
    climb = climb and may_climb(body)
    touched = frozenset(touching_at_start(body)) if climb else frozenset()
    highest = movement(body) if touched else 0.0
    key = ("chart", radius(body), height(body), touched, highest)
    found = ground.kept.get(key)
    if not isinstance(found, Chart):
        r, tall = radius(body), height(body)
        draft = Draft(ground, r, tall, overhang=r, under_floors=True)
        found = ground.kept[key] = _drawn(draft, touched, highest)
    return found


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

    def discs() -> Iterator[tuple[str, str, float, float, float]]:
        for other in [*others] if target is None else [*others, target]:
            less = _LESS if other is target else 0.0
            for surface in chart.terrain.storeys.near(box_about(*other.centre, other.base.reach)):
                if surface.id not in chart.surfaces or (less and surface.ramp is not None):
                    continue
                z = surface.height(other.x, other.y)
                if not closer_than(abs(z - other.z), CONTACT_RISE_IN):
                    continue
                slope = chart.levels.level(surface.id).slope
                for k, (x, y, r) in enumerate(discs_of(other)):
                    if slope is not None:
                        # Two discs of the plan meet farther off along the slope.
                        r = (r + radius_) * slope.factor - radius_
                    yield surface.id, f"{other.id}:{k}", x, y, r - less

    return with_discs(chart, discs())


def _drawn(draft: Draft, touched: frozenset[str], highest: float) -> Chart:
    def over(draft: Draft, edge: Edge) -> None:
        _drops(draft, edge)
        if touched:
            _climbs(draft, touched, highest, edge)

    def down(drop: float) -> float | None:
        return None if draft.terrain.low(drop) or more_than(drop, JUMP_DOWN_IN) else 0.0

    def climbed(drop: float) -> float | None:
        return None if draft.terrain.low(drop) or more_than(drop, highest) else drop

    draft.over_edges(over)
    draft.over_rims("drop", down)
    draft.over_rims("climb", climbed, touched)
    for ladder in draft.terrain.table.ladders:
        draft.ladder(ladder, ladder.head[2] - ladder.foot[2])
    draft.over_gaps(GAP_IN, _jump)
    return draft.chart()


def _jump(here: Surface, there: Surface) -> tuple[float, float] | None:
    """The height at which a gap is gone over, and what that costs besides its width."""
    may = closer_than(there.z - here.z, GAP_RISE_IN)
    return (here.z, 0.0) if may and not more_than(here.z - there.z, JUMP_DOWN_IN) else None


# Over edges: drops, climbs.
def _drops(draft: Draft, edge: Edge) -> None:
    """Down over an edge, to the nearest place off it that keeps the base clear of what stands
    below: straight down, or as far off as a face under the edge demands, one base radius at
    most (3.10)."""
    surface, ground = edge.surface, draft.terrain
    ends = Line(*edge.at(0.0), *edge.at(1.0))
    beside: dict[float, list[Plan]] = {}
    for off in _shifts(ground, draft.r, edge):
        line, parts = draft.strip(edge, off)
        for begin, end, below in parts:
            drop = surface.z - below.z
            if ground.low(drop) or more_than(drop, JUMP_DOWN_IN):
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


def _shifts(ground: Terrain, r: float, edge: Edge) -> list[float]:
    """How far off an edge a base may have to land for faces that run along it, inches."""
    found = {0.0, r}
    (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
    for solid in ground.with_plates(box_of(Line(ax, ay, bx, by), r)):
        ring = solid.ground.ring or ()
        for k in range(0, len(ring), 2):
            sides = (ring[k - 2], ring[k - 1]), (ring[k], ring[k + 1])
            offs = [(x - ax) * edge.nx + (y - ay) * edge.ny for x, y in sides]
            if abs(offs[0] - offs[1]) <= TOLERANCE and 0.0 < offs[0] + r < r:
                found.add(offs[0] + r)
    return sorted(found)


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
    """Up to an edge by climbing, from one base radius off it."""
    surface, ground = edge.surface, draft.terrain
    line, parts = draft.strip(edge, draft.r)
    for begin, end, below in parts:
        drop = surface.z - below.z
        if ground.low(drop) or more_than(drop, highest):
            continue
        t, u = begin / line.length, end / line.length
        faces = faces_under(ground, *edge.at(0.5 * (t + u)), surface.z, below.z)
        if any(face.entry in touched for face in faces):
            lower = (below.id, line.at(begin), line.at(end))
            draft.portal("climb", lower, (surface.id, edge.at(t), edge.at(u)), drop)


# Gaps crossed within what may be jumped, where the straightest way over would be too wide (3.11).
# The search takes a gap for level ground and does not bind how long it is crossed. Where a way
# crosses one by more than may be jumped, the gap is replaced. The best way over is then as wide as
# may be: between parallel edges two portals, aslant to either side, hold all such crossings; else
# links at places of the edge do, set closer about the best until it is known. Ways that are
# narrower for the sake of what stands about take strips: each from a short piece of the edge jumped
# from to all that lies near enough to all of that piece.


#: The kind of a crossing of exactly the greatest width.
LEAP = "leap"
#: Inches: length of a strip's edge; between links at first, how much closer each time, the closest.
_STRIP, _APART, _CLOSER, _CLOSEST = 0.5, 0.25, 8.0, 2e-7
#: Length: shorter pieces of an edge lead nowhere.
_SPECK = 1e-9
#: Sine of the angle between edges that are parallel.
_PARALLEL = 1e-9


class Leap(NamedTuple):
    """A link over a gap: the id of the gap's level, the gap, where along the edge it leaves, and
    how far the next link is. Inches."""

    name: str
    gap: Gap
    at: float
    apart: float


def narrowed(
    levels: Levels, name: str, gap: Gap, solids: Sequence[Ground], r: float, *, rough: bool = False
) -> tuple[Levels, dict[str, Leap], list[str]]:
    """The levels with a gap replaced by what may be jumped of it; links on it by id; the names of
    its strips.

    solids: what stands in the way of a base of radius r over it. rough: without strips.
    """
    air = levels.level(name)
    levels = levels.keeping(lambda way: name not in (way.start[0], way.end[0]))
    strips: list[str] = []
    if not rough:
        levels, strips = _with_strips(levels, air, gap)
    if _parallel(gap):
        return levels.with_more(portals=_slanting(name, gap, solids, r)), {}, strips
    found = dict(_links(name, gap, 0.0, gap.near.length, _APART, solids, r))
    return levels.with_more(links=found), {link.id: leap for link, leap in found.items()}, strips


def closer(
    levels: Levels,
    route: LevelRoute,
    leaps: dict[str, Leap],
    solids: Mapping[str, Sequence[Ground]],
    r: float,
) -> tuple[Levels, dict[str, Leap]] | None:
    """The levels with closer links about those that a route takes; None once they are as close as
    they need to be. solids: as of `narrowed`, by gap."""
    taken = [leaps[way] for way in route.links if way in leaps and leaps[way].apart > _CLOSEST]
    if not taken:
        return None
    _, gap, at, apart = leap = taken[0]
    begin, end = max(0.0, at - apart), min(gap.near.length, at + apart)
    fresh = dict(_links(leap.name, gap, begin, end, apart / _CLOSER, solids[leap.name], r))
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


def _with_strips(levels: Levels, air: Level, gap: Gap) -> tuple[Levels, list[str]]:
    count = max(1, math.ceil(gap.near.length / _STRIP))
    extra, portals = [], []
    for k in range(count):
        near = gap.near.part(k / count * gap.near.length, (k + 1) / count * gap.near.length)
        # Within reach of both ends is within reach of all between.
        spans = [spans_near_point(gap.far, *place, GAP_IN) for place in (near.start, near.end)]
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
    name: str,
    gap: Gap,
    begin: float,
    end: float,
    apart: float,
    solids: Iterable[Ground],
    r: float,
) -> Iterator[tuple[Link, Leap]]:
    """Links of exactly the greatest width from places of an edge, so far apart."""
    count = max(1, math.ceil((end - begin) / apart))
    for k in range(count + 1):
        s = begin + k / count * (end - begin)
        start = gap.near.at(s)
        for t in _so_far(gap.far, start):
            landing = gap.far.at(t)
            over = Line(*start, *landing)
            if any(overlaps(r - solid.nearest_to(over).distance) for solid in solids):
                continue
            label = f"{LEAP} {name} {s!r} {t!r}"
            cost = math.dist(start, landing)
            link = Link(label, LEAP, (gap.start, *start), (gap.end, *landing), cost, False)
            yield link, Leap(name, gap, s, apart)


def _so_far(line: Line, place: Point) -> list[float]:
    """Lengths along a line at which it is exactly the greatest width from a place."""
    ux, uy = _unit(line)
    dx, dy = place[0] - line.ax, place[1] - line.ay
    along, off = dx * ux + dy * uy, dx * uy - dy * ux
    if more_than(abs(off), GAP_IN):
        return []
    half = math.sqrt(max(0.0, (GAP_IN - off) * (GAP_IN + off)))
    return [t for t in dict.fromkeys((along - half, along + half)) if 0.0 <= t <= line.length]


def _slanting(name: str, gap: Gap, solids: Sequence[Ground], r: float) -> Iterator[Portal]:
    """Between parallel edges: crossings of exactly the greatest width, one to either side."""
    near, far = gap.near, gap.far
    ux, uy = _unit(near)
    dx, dy = far.ax - near.ax, far.ay - near.ay
    along = dx * ux + dy * uy
    sx, sy = dx - along * ux, dy - along * uy
    width = math.hypot(sx, sy)
    if more_than(width, GAP_IN):
        return
    aside = math.sqrt(max(0.0, (GAP_IN - width) * (GAP_IN + width)))
    last = along + (far.bx - far.ax) * ux + (far.by - far.ay) * uy
    for shift in dict.fromkeys((aside, -aside)):
        low, high = max(0.0, min(along, last) - shift), min(near.length, max(along, last) - shift)
        vx, vy = sx + shift * ux, sy + shift * uy
        for number, (a, b) in enumerate(_free(near, low, high, (vx, vy), solids, r)):
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


# The search, within what may be jumped.
def shortest(
    chart: Chart,
    tall: float,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    limit: float,
    *,
    rough: bool = False,
) -> LevelRoute | None:
    """The shortest route that crosses no gap by more than may be jumped; rough: nearly, and over
    levels that are cut down to the limit already.

    tall: the base that jumps, inches.
    """
    if not rough:
        levels = levels.within(seeker.start, goals, limit)
    best: LevelRoute | None = None
    leaps: dict[str, Leap] = {}
    strips: set[str] = set()
    spots = chart.spots
    solids: dict[str, list[Ground]] = {}
    while True:
        route = seeker.route(levels, goals, limit)
        if route is None:
            return best
        wide = next(
            (
                step.level
                for step in route.steps
                if over_gap(chart, step.level)
                and not step.link
                and more_than(step.path.length, GAP_IN)
            ),
            None,
        )
        if wide is not None:
            gap = chart.gaps.get(wide)
            if gap is None:
                levels = _without(levels, {wide})  # round what stands in a strip
                continue
            solids[wide] = _in_way_over(chart, gap, seeker.radius, tall)
            levels, more, names = narrowed(
                levels, wide, gap, solids[wide], seeker.radius, rough=rough
            )
            leaps |= more
            strips |= set(names)
            continue
        if best is None or route.cost < best.cost:
            best = route
        about = None if rough else closer_about(chart.terrain, levels, route, spots)
        if about is not None:
            levels, spots = about
            continue
        finer = None if rough else closer(levels, route, leaps, solids, seeker.radius)
        if finer is not None:
            levels, leaps = finer
        elif leaps and strips:
            # The best of the leaps, which lie too far apart to be told from strips at first.
            levels, strips = _without(levels, strips), set()
        else:
            return best


def over_gap(chart: Chart, level: str) -> bool:
    """Whether a level is the air over a gap, or a strip of it."""
    return level.partition("/")[0] in chart.gaps


def _in_way_over(chart: Chart, gap: Gap, r: float, tall: float) -> list[Ground]:
    """What stands in the way of a base over a gap."""
    z, ground = chart.surfaces[gap.start].z, chart.terrain
    near = ground.with_plates(box_of(gap.near, GAP_IN + r))
    return [solid.ground for solid in near if ground.stops(solid, z, z, tall)]


def _without(levels: Levels, gone: set[str]) -> Levels:
    """The levels without ways to and from some of them."""
    return levels.keeping(lambda way: not {way.start[0], way.end[0]} & gone)
