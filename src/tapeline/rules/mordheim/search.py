"""The search for the shortest way into contact, over the chart of a table (3.6).

What is found is walked, so that what it costs and what it meets is measured by the
same code as any other path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.rectangles.contact import distance_to, spans_inside
from tapeline.geometry.rectangles.rectangle import Part as Shape
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.mordheim.charts import chart_of, peopled
from tapeline.rules.mordheim.contact import meeting_part, stand_height, touching, without
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, GAP_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.leaps import Leap, closer, narrowed
from tapeline.rules.mordheim.meeting import Segment, meeting_places
from tapeline.rules.mordheim.state import base_part, charging_allowance, height, radius
from tapeline.rules.mordheim.terrain import free_at, terrain_of
from tapeline.rules.mordheim.walker import at_place, walk
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Ground, box_of
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart, Gap
from tapeline.travel.route import Part, Route, Stretch
from tapeline.travel.search import SLACK, Seeker, legs_of_step, pointed

__all__ = ["searched", "until", "with_lines"]

Point: TypeAlias = tuple[float, float]

#: Legs that one search may make; a search within a charge makes a few thousand.
_WORK = 100_000
#: Inches by which a way to a far target is sought to be longer than its distance at first, how
#: often farther it is sought, and how much farther each time.
_DETOUR, _LIMITS, _FARTHER = 6.0, 4, 1.4
#: Kinds of ways that lead from a level to a goal on it.
_LAST = ("goal", "hang")
#: Where a target's level is come to: places looked at; legs made from each; inches beyond all.
_DOORS, _FEW, _ANYWHERE = 24, 4_000, 1e6
#: Halvings of a segment of an edge in search of what of it is clear.
_DEEP = 6
#: Straight pieces in place of a circle on stairs.
_AROUND = 12


def searched(
    state: State,
    body: Body,
    aims: list[Body],
    others: list[Body],
    *,
    climb: bool,
    shape: Shape | None,
    near: bool,
) -> Route | None:
    """The shortest way into contact that a search finds, walked, so that what it costs and meets is
    measured as of any other path.

    others: bodies that are in the way, targets included. shape: what touches the targets, about
    the centre, if that is not the base as it faces. near: only within what a charge may cost.
    Within that the search is exact over all ways. Farther targets are sought through single places
    of edges and stairs first; the way through those is then the shortest, which is as far as a
    failed charge asks for.
    """
    chart = chart_of(state, body, climb=climb)
    here = chart.terrain.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if here is None or here.id not in chart.surfaces:
        return None
    seeker = Seeker((here.id, body.x, body.y), radius(body), _WORK)
    single = aims[0] if len(aims) == 1 and isinstance(aims[0].base, Round) else None
    bodies = [other for other in others if single is None or other.id != single.id]
    levels, goals, onto = with_goals(
        state, body, aims, chart, peopled(chart, seeker.radius, bodies, single), shape
    )
    if not goals:
        return None
    tall, limit = height(body), charging_allowance(body) + TOLERANCE
    route = shortest(chart, tall, seeker, levels, goals, limit)
    if route is None and not near:
        coarse = _far(chart, tall, seeker, levels, goals, aims[0].centre)
        if coarse is None:
            return None
        taken = {link.partition("@")[0] for link in coarse.links}
        through = levels.keeping(lambda way: way.id in taken or way.kind == "goal")
        route = shortest(chart, tall, seeker, through, goals, coarse.cost)
        if route is None or route.cost > coarse.cost:
            route = coarse
    if route is None:
        return None
    legs: list[Leg] = []
    for step in route.steps:
        if over_gap(chart, step.level):
            continue  # one leg with the landing
        below = onto.get(step.link)
        if below is None:
            legs += legs_of_step(step, levels.level(step.level), heights=True)
            continue
        landing = landing_beside(state, body, aims[0], step.at, below)
        assert landing is not None, "the segment is clear"
        legs.append(Leg(to=landing, z=below.z, how="drop"))
    return _met(state, body, aims, walk(state, body, _standing(state, legs), manner="charge"))


def _far(
    chart: Chart,
    tall: float,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    target: Point,
) -> LevelRoute | None:
    """The shortest route through single places of edges and stairs, however far.

    Sought within a little more than the distance first: what a limit leaves out of account need
    not be looked at, and what is found within it is the shortest.
    """
    towards = [seeker.start[1:], target]
    limit = math.dist(*towards) + _DETOUR
    for number in range(_LIMITS + 1):
        if number == 1 and _cut_off(seeker, levels, goals):
            return None
        if number == _LIMITS:
            limit = math.inf
        coarse = pointed(levels.within(seeker.start, goals, limit), towards, "goal")
        found = shortest(chart, tall, seeker, coarse, goals, limit, rough=True)
        if found is not None:
            return found
        limit *= _FARTHER
    return None


def _cut_off(seeker: Seeker, levels: Levels, goals: Sequence[tuple[str, Goal]]) -> bool:
    """Whether nothing gets to a goal from where its own level is come to.

    Told only where that is quickly found out: a target that others stand around.
    """
    last = {name for name, _ in goals}
    ways: list[Link | Portal] = [*levels.links, *levels.portals]
    last |= {way.start[0] for way in ways if way.kind in _LAST}
    doors = [seeker.start] if seeker.start[0] in last else []
    for gate in levels.gates(seeker.radius, slack=SLACK):
        level = levels.levels[gate.end]
        if level.id in last and gate.link.kind not in _LAST:
            doors.append((level.id, *level.plan(gate.c.real, gate.c.imag)))
    if len(doors) > _DOORS:
        return False
    inner = levels.keeping(lambda way: way.kind in _LAST)
    for door in doors:
        near = inner.within(door, goals, _ANYWHERE)
        try:
            answer = near.route(
                door, list(goals), seeker.radius, slack=SLACK, strict=False, work=_FEW
            )
        except WorkLimitError:
            return False
        if answer.route is not None:
            return False
    return True


def _standing(state: State, legs: list[Leg]) -> LegPath:
    """Legs of which the last leads on to what the base comes to stand on there, within a step."""
    last = legs[-1] if legs else None
    if last is not None and last.how == "walk" and last.to is not None and last.z is not None:
        ground = terrain_of(state)
        surface = ground.storeys.support(*last.to, last.z, TOLERANCE)
        if surface is not None and surface.ramp is None:
            legs = [*legs[:-1], replace(last, z=stand_height(ground, surface, *last.to))]
    return tuple(legs)


def _met(state: State, body: Body, aims: list[Body], track: Route) -> Route:
    """A way, cut where it meets its target on stairs, before the floor that they lead to."""
    first = min(track.hits, key=lambda hit: hit.travelled, default=None)
    if first is not None and len(aims) == 1 and first.about == aims[0].id:
        cut = until(track, first.travelled)
        if touching(at_place(body, cut.end), aims[0]):
            return cut
    return track


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
    """The shortest route that crosses no gap by more than may be jumped; rough: nearly.

    tall: the base that jumps, inches.
    """
    levels = levels.within(seeker.start, goals, limit)
    best: LevelRoute | None = None
    leaps: dict[str, Leap] = {}
    strips: set[str] = set()
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


# Where contact is made.


def with_goals(
    state: State,
    body: Body,
    aims: list[Body],
    chart: Chart,
    levels: Levels,
    shape: Shape | None,
) -> tuple[Levels, list[tuple[str, Goal]], dict[str, Surface]]:
    """The levels with all the places at which a charge may end, these as goals, and what is landed
    on from segments of edges, by the names of their ways."""
    where = _levels_at(chart, body, aims[0])
    goals, lines = meeting_places(state, body, aims, where, shape)
    single = aims[0] if len(aims) == 1 else None
    above: list[tuple[Segment, Surface]] = []
    if single is not None and shape is None and isinstance(body.base, Round):
        above = list(_above(state, body, single, chart, where))
    on_stairs = [] if single is None else _on_stairs(chart, radius(body), single)
    levels, ends = with_lines(levels, [*(line for line, _ in above), *lines, *on_stairs])
    goals += ends
    if single is not None:
        levels, hanging = _on_ladders(chart, levels, radius(body), single)
        goals += hanging
    return levels, goals, {f"goal {number}": below for number, (_, below) in enumerate(above)}


def _levels_at(chart: Chart, body: Body, target: Body) -> list[Surface]:
    """Level surfaces from which a target can be touched."""
    return [
        surface
        for surface in chart.terrain.storeys.near(_about(target, body.base.reach))
        if surface.id in chart.surfaces
        and surface.ramp is None
        and closer_than(abs(surface.z - target.z), CONTACT_RISE_IN)
    ]


def _about(target: Body, more: float) -> Box:
    far = more + target.base.reach
    return target.x - far, target.y - far, target.x + far, target.y + far


def _above(
    state: State, body: Body, target: Body, chart: Chart, where: list[Surface]
) -> Iterator[tuple[Segment, Surface]]:
    """Segments of edges from which a jump down lands beside the target, and what on: where it
    stands in the way of landing right under the edge, the nearest place clear of it is taken
    (3.10)."""
    ground, meet = chart.terrain, meeting_part(body, target)
    for below in where:
        for surface in ground.storeys.near(_about(target, radius(body))):
            drop = surface.z - below.z
            jumped = not ground.low(drop) and not more_than(drop, JUMP_DOWN_IN)
            if surface.id not in chart.surfaces or surface.ramp is not None or not jumped:
                continue

            def clear(place: Point, surface: Surface = surface, below: Surface = below) -> bool:
                landing = landing_beside(state, body, target, place, below)
                return landing is not None and surface.depth(*landing) <= TOLERANCE

            for edge in ground.storeys.edges(surface):
                line = Line(edge.ax, edge.ay, edge.bx, edge.by)
                over = spans_inside(base_part(target), line)
                for begin, end in without(spans_inside(meet, line), over):
                    for a, b in _clear_parts(line, begin, end, clear):
                        yield (surface.id, line.at(a), line.at(b)), below


def _clear_parts(
    line: Line, begin: float, end: float, clear: Callable[[Point], bool], depth: int = _DEEP
) -> Iterator[tuple[float, float]]:
    """Lengths of an edge between which all is clear: those whose ends and middle are, found by
    halving."""
    if end - begin <= TOLERANCE:
        return
    middle = 0.5 * (begin + end)
    found = [clear(line.at(s)) for s in (begin, middle, end)]
    if all(found):
        yield begin, end
    elif depth and any(found):
        for a, b in ((begin, middle), (middle, end)):
            yield from _clear_parts(line, a, b, clear, depth - 1)


def landing_beside(
    state: State, body: Body, target: Body, edge: Point, below: Surface
) -> Point | None:
    """Where a base lands that jumps off an edge at a place and is kept off by the target; None
    without room."""
    _, (x, y) = distance_to(meeting_part(body, target), *edge)
    if below.depth(x, y) < -TOLERANCE or more_than(math.dist(edge, (x, y)), radius(body)):
        return None
    return (x, y) if free_at(state, terrain_of(state), body, x, y, below.z) else None


def _on_stairs(chart: Chart, r: float, target: Body) -> Iterator[Segment]:
    """Segments of stairs on which the base meets a target that is at their height.

    A circle there lies just inside the one of contact: the way is cut where they meet.
    """
    reach = r + target.base.reach
    for ramp in chart.terrain.table.ramps:
        (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
        run = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / run, (by - ay) / run
        limit = CONTACT_RISE_IN - 2.0 * TOLERANCE
        low = max(0.0, (target.z - limit - az) / (bz - az) * run)
        high = min(run, (target.z + limit - az) / (bz - az) * run)
        if low >= high or ramp.id not in chart.surfaces:
            continue
        half = 0.5 * ramp.width
        cs = (target.x - ax) * ux + (target.y - ay) * uy
        cw = (target.y - ay) * ux - (target.x - ax) * uy
        turns = [math.tau * k / _AROUND for k in range(_AROUND + 1)]
        ring = [(cs + reach * math.cos(t), cw + reach * math.sin(t)) for t in turns]
        pieces = list(pairwise(ring))
        for s in (low, high):
            if abs(s - cs) < reach:
                w = math.sqrt((reach - s + cs) * (reach + s - cs))
                pieces.append(((s, cw - w), (s, cw + w)))
        for one, two in pieces:
            cut = _clipped(one, two, (low, -half, high, half))
            if cut is not None:
                a, b = ((ax + s * ux - w * uy, ay + s * uy + w * ux) for s, w in cut)
                yield ramp.id, a, b


def _on_ladders(
    chart: Chart, levels: Levels, r: float, target: Body
) -> tuple[Levels, list[tuple[str, Goal]]]:
    """Goals on ladders whose upper end the target bars: where the bases first meet."""
    z = target.z - CONTACT_RISE_IN + 2.0 * TOLERANCE
    reach = r + target.base.reach
    found: list[tuple[str, Goal]] = []
    extra: list[Level] = []
    links: list[Link] = []
    for ladder in chart.terrain.table.ladders:
        (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
        way = next((k for k in levels.links if k.id == f"ladder {ladder.id}"), None)
        if way is None or not az < z < bz:
            continue
        line = Line(ax, ay, bx, by)
        t = (z - az) / (bz - az)
        if more_than(math.dist(line.at(t * line.length), target.centre), reach):
            # Not overhead where it begins to count: met beside the ladder, farther up.
            spans = spans_near_point(line, target.x, target.y, reach)
            t = next((low / line.length for low, _ in spans if low > t * line.length), 1.0)
        x, y, up = ax + t * (bx - ax), ay + t * (by - ay), t * (bz - az)
        if t >= 1.0 or not closer_than(az + up - target.z, CONTACT_RISE_IN):
            continue
        name = f"hang {ladder.id}"
        extra.append(Level(name, Field.of(box=(x - 1.0, y - 1.0, x + 1.0, y + 1.0)), az + up))
        links.append(Link(name, "hang", way.start, (name, x, y), up, both=False))
        found.append((name, PointGoal(x, y)))
    return (levels.with_more(extra, links) if extra else levels), found


def _without(levels: Levels, gone: set[str]) -> Levels:
    """The levels without ways to and from some of them."""
    return levels.keeping(lambda way: not {way.start[0], way.end[0]} & gone)


def with_lines(
    levels: Levels, lines: Sequence[tuple[str, Point, Point]]
) -> tuple[Levels, list[tuple[str, Goal]]]:
    """Levels on which anywhere on some segments is a goal: each leads to a level of its own."""
    extra: list[Level] = []
    portals: list[Portal] = []
    goals: list[tuple[str, Goal]] = []
    for number, (level, a, b) in enumerate(lines):
        if math.dist(a, b) <= TOLERANCE:
            continue
        name = f"goal {number}"
        seen = levels.level(level)
        a, b = seen.own(*a), seen.own(*b)
        half = 0.5 * math.dist(a, b) + 1.0
        x, y = 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])
        box = (x - 4.0 * half, y - 4.0 * half, x + 4.0 * half, y + 4.0 * half)
        extra.append(Level(name, Field.of(box=box)))
        here = (level, *seen.plan(*a), *seen.plan(*b))
        portals.append(Portal(name, "goal", here, (name, *a, *b), both=False))
        goals.append((name, CircleGoal(x, y, half)))
    if not extra:
        return levels, []
    return levels.with_more(extra, portals=portals), goals


def _clipped(
    a: Point, b: Point, box: tuple[float, float, float, float]
) -> tuple[Point, Point] | None:
    """The part of a segment in a box."""
    low, high = 0.0, 1.0
    for p, q, least, most in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        if p == q:
            if not least <= p <= most:
                return None
            continue
        t, u = sorted(((least - p) / (q - p), (most - p) / (q - p)))
        low, high = max(low, t), min(high, u)
    if low >= high:
        return None
    dx, dy = b[0] - a[0], b[1] - a[1]
    return (a[0] + low * dx, a[1] + low * dy), (a[0] + high * dx, a[1] + high * dy)


def until(track: Route, length: float) -> Route:
    """The beginning of a way of that length; what is longer only by rounding is left out."""
    kept: list[Part] = []
    for gone, part in track.marked:
        if gone >= length - 1e-12:
            break
        if gone + part.length <= length:
            kept.append(part)
            continue
        if isinstance(part, Stretch):
            kept.append(part.upto((length - gone) / part.length))
        break
    return Route(track.start, tuple(kept))
