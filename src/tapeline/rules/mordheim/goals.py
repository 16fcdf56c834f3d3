"""Where a charge may end: in contact, or across a low barrier (3.6.3, 3.6.7, 3.6.8).

For one target the places are the border of a Minkowski sum, for several what such borders have in
common: points, and pieces of lines where squares stand side by side. Of these only what leaves the
base room to stand is kept. A target is also met from above, on stairs and on ladders."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, same
from tapeline.engine.paths import Point
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.grid import Box, box_about
from tapeline.geometry.plane.intersections import foot_on
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import Span, spans_near_point, without
from tapeline.geometry.rectangles.contact import (
    common_border,
    distance_to,
    extreme_corners,
    overlap_part,
    spans_inside,
)
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.rectangles.rectangle import Part as Shape
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.mordheim.chart import landing_among, not_inside
from tapeline.rules.mordheim.contact import (
    ACROSS,
    about_centre,
    across_barrier,
    barriers_touched,
    clear_spans,
    meeting_part,
    near_level,
    stands_on,
    touching,
)
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.state import base_part, height, radius
from tapeline.rules.mordheim.terrain import free_at, stand_height, terrain_of
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Solid
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart
from tapeline.travel.ramp_sides import Landed
from tapeline.travel.terrain import Terrain

__all__ = ["Onto", "ends_about", "landing_beside", "with_goals", "with_lines"]


#: The id of a surface and the ends of a piece of line on it.
Segment: TypeAlias = tuple[str, Point, Point]
#: What is landed on, and where if that is one place for all of a segment.
Onto: TypeAlias = tuple[Surface, Point | None]


def meeting_places(
    state: State, body: Body, aims: list[Body], surfaces: list[Surface], shape: Part | None = None
) -> tuple[list[tuple[str, Goal]], list[Segment]]:
    """Goals on level surfaces, and segments anywhere on which is one, for a base that faces as
    given.

    shape: what touches, about the centre, if that is not the base itself.
    """
    part = about_centre(body) if shape is None else shape
    if shape is not None:
        # It may turn as it likes: room for half its short side is all that is sure to be needed.
        body = replace(body, base=Round(radius(body)), _digest=[])
    sums = [overlap_part(base_part(aim), part) for aim in aims]
    goals: list[tuple[str, Goal]] = []
    lines: list[Segment] = []
    for surface in surfaces:
        if not all(closer_than(abs(surface.z - aim.z), CONTACT_RISE_IN) for aim in aims):
            continue
        for piece in common_border(sums, TOLERANCE):
            if isinstance(piece, Arc):
                goal = _circle(state, body, piece, surface)
                if goal is not None:
                    goals.append((surface.id, goal))
            else:
                found, straight = _line(state, body, piece, surface)
                goals += ((surface.id, point) for point in found)
                lines += straight
        goals += ((surface.id, goal) for goal in _across(state, body, aims, surface))
    return goals, lines


def _circle(state: State, body: Body, arc: Arc, surface: Surface) -> CircleGoal | None:
    """An arc as a goal, shut where the base has no room to stand; None if that is everywhere."""
    spans = clear_spans(state, body, arc, surface)
    if not spans:
        return None
    whole = arc.sweep >= math.tau
    shut = []
    for k, (_, end) in enumerate(spans):
        last = k + 1 == len(spans)
        following = spans[0][0] + math.tau * arc.radius if last else spans[k + 1][0]
        if following - end > TOLERANCE * TOLERANCE or not whole:
            shut.append((arc.begin + end / arc.radius, arc.begin + following / arc.radius))
    return CircleGoal(arc.cx, arc.cy, arc.radius, shut=tuple(shut))


def _line(
    state: State, body: Body, line: Line, surface: Surface
) -> tuple[list[PointGoal], list[Segment]]:
    if line.length <= TOLERANCE:
        x, y = line.start
        return ([PointGoal(x, y)] if _fits(state, body, x, y, surface) else []), []
    spans = clear_spans(state, body, line, surface)
    points = [PointGoal(*line.at(begin)) for begin, end in spans if end - begin <= TOLERANCE]
    pieces = [(line.at(begin), line.at(end)) for begin, end in spans if end - begin > TOLERANCE]
    return points, [(surface.id, *piece) for piece in pieces]


def _fits(state: State, body: Body, x: float, y: float, surface: Surface) -> bool:
    if surface.depth(x, y) < -TOLERANCE:
        return False
    ground = terrain_of(state)
    return free_at(state, ground, body, x, y, stand_height(ground, surface, x, y))


# Across a low barrier.
def _across(state: State, body: Body, aims: list[Body], surface: Surface) -> Iterator[Goal]:
    """Places on a surface from which one target is met across a low barrier, and all others too or
    touched."""
    ground = terrain_of(state)
    for target in aims:
        for solid in _barriers_of(ground, target):
            for x, y in _beyond(solid, body, target):
                if surface.depth(x, y) < -TOLERANCE:
                    continue
                there = body.at(x, y, stand_height(ground, surface, x, y))
                if not free_at(state, ground, body, x, y, there.z):
                    continue
                if across_barrier(state, there, target) and all(
                    touching(there, aim) or across_barrier(state, there, aim) for aim in aims
                ):
                    yield PointGoal(x, y)


def _barriers_of(ground: Terrain, target: Body) -> Iterator[Solid]:
    """Low barriers that a target touches, and those it stands on."""
    yield from barriers_touched(ground, target)
    box = box_about(target.x, target.y, target.base.reach)
    yield from (solid for solid in ground.storeys.solids_near(box) if stands_on(solid, target))


def _beyond(solid: Solid, body: Body, target: Body) -> Iterator[Point]:
    """Places of a base against a barrier whose nearest point of the target lies straight through:
    square to a side of it, through a corner, or along a radius of a round one."""
    plan, shape, own = solid.ground, about_centre(body), base_part(target)
    if plan.circle is not None:
        cx, cy, rc = plan.circle
        d = math.hypot(target.x - cx, target.y - cy)
        ux, uy = (target.x - cx, target.y - cy) if d > TOLERANCE else (body.x - cx, body.y - cy)
        d = math.hypot(ux, uy)
        for n in ((ux / d, uy / d), (-ux / d, -uy / d)) if d > 0.0 else ():
            yield from _off(shape, (cx + rc * n[0], cy + rc * n[1]), n)
        return
    assert plan.ring is not None
    ring = list(zip(plan.ring[0::2], plan.ring[1::2], strict=True))
    for (ax, ay), (bx, by) in zip(ring[-1:] + ring[:-1], ring, strict=True):
        d = math.hypot(bx - ax, by - ay)
        n = ((by - ay) / d, -(bx - ax) / d)
        face = Line(ax, ay, bx, by)
        for e in extreme_corners(own, *n, TOLERANCE):
            yield from _off(shape, foot_on(face, e), n)
        # Where the base goes straight, if the faces are flush.
        yield from _off(shape, foot_on(face, body.centre), n)
    for x, y in ring:
        d = math.hypot(x - target.x, y - target.y)
        if d > TOLERANCE:
            yield from _off(shape, (x, y), ((x - target.x) / d, (y - target.y) / d))


def _off(shape: Part, at: Point, n: Point) -> Iterator[Point]:
    """Centres of a shape that touches a place from the side of a unit normal."""
    near = extreme_corners(shape, -n[0], -n[1], TOLERANCE)
    for x, y in near:
        yield at[0] - x, at[1] - y
    if len(near) > 1:
        yield (
            at[0] - sum(x for x, _ in near) / len(near),
            at[1] - sum(y for _, y in near) / len(near),
        )


def ends_about(state: State, body: Body, aims: list[Body]) -> Circle:
    """A circle that holds all places at which a charge may end."""
    first, ground = aims[0], terrain_of(state)
    # Who lands between two may leave an edge one base radius off.
    off = len(aims) * body.base.reach + first.base.reach
    across = ACROSS if any(_barriers_of(ground, first)) else 0.0
    return *first.centre, off + across + TOLERANCE


# From above, on stairs, on ladders.


#: Halvings of a segment of an edge in search of what of it is clear: to the tolerance.
_DEEP = 20
#: Length, inches: what of two ways equally long one is said to be shorter.
_HAIR = 1e-9
#: Places of a line at which is looked where a jump lands, besides its ends.
_PLACES = 8
#: Straight pieces in place of a circle on stairs.
_AROUND = 12


# Where contact is made.
def with_goals(
    state: State, body: Body, aims: list[Body], chart: Chart, levels: Levels, shape: Shape | None
) -> tuple[Levels, list[tuple[str, Goal]], dict[str, Onto]]:
    """The levels with all the places at which a charge may end, these as goals, and what is landed
    on from segments of edges, by the names of their ways."""
    where = _levels_at(chart, body, aims[0])
    goals, lines = meeting_places(state, body, aims, where, shape)
    single = aims[0] if len(aims) == 1 else None
    if shape is None and not isinstance(body.base, Round):
        levels = _landing_clear(levels, where, [meeting_part(body, aim) for aim in aims])
    above: list[tuple[Segment, Onto]] = []
    if single is not None and shape is None:
        above = list(_above(state, body, single, chart, where))
    if len(aims) <= 2 and shape is None and all(isinstance(b.base, Round) for b in (body, *aims)):
        landed = landing_among(chart, body, state.others(body)).nearest_off
        above += _between(state, body, aims, chart, goals, landed)
        for aim in aims:
            above += _along_rims(state, body, aim, aims, chart, where, landed)
    on_stairs = [] if single is None else _on_stairs(chart, radius(body), single)
    levels, ends = with_lines(levels, [*(line for line, _ in above), *lines, *on_stairs])
    goals += ends
    if single is not None:
        levels, hanging = _on_ladders(chart, levels, radius(body), single)
        goals += hanging
    return levels, goals, {f"goal {number}": onto for number, (_, onto) in enumerate(above)}


def _levels_at(chart: Chart, body: Body, target: Body) -> list[Surface]:
    """Level surfaces from which a target can be touched."""
    return [
        surface
        for surface in chart.terrain.storeys.near(
            box_about(*target.centre, body.base.reach + target.base.reach)
        )
        if surface.id in chart.surfaces
        and surface.ramp is None
        and closer_than(abs(surface.z - target.z), CONTACT_RISE_IN)
    ]


def _landing_clear(levels: Levels, where: list[Surface], meets: list[Part]) -> Levels:
    """Without the landings at which a rectangular base, though its short side has room, would stand
    on a target."""
    parts = {surface.id: meets for surface in where}
    drops = [p for p in levels.portals if p.kind == "drop" and p.end[0] in parts]
    return not_inside(levels, drops, parts)


def _edges_over(chart: Chart, below: Surface, box: Box) -> Iterator[tuple[Surface, Line]]:
    """Edges in a box from which one may jump down to a surface."""
    ground = chart.terrain
    for surface in ground.storeys.near(box):
        drop = surface.z - below.z
        jumped = not ground.low(drop) and not more_than(drop, JUMP_DOWN_IN)
        if surface.id in chart.surfaces and surface.ramp is None and jumped:
            for edge in ground.storeys.edges(surface):
                yield surface, Line(edge.ax, edge.ay, edge.bx, edge.by)


def _above(
    state: State, body: Body, target: Body, chart: Chart, where: list[Surface]
) -> Iterator[tuple[Segment, Onto]]:
    """Segments of edges from which a jump down lands beside the target, and what on: where it
    stands in the way of landing right under the edge, the nearest place clear of it is taken
    (3.10)."""
    ground = chart.terrain
    meet, box = (
        meeting_part(body, target),
        box_about(*target.centre, radius(body) + target.base.reach),
    )
    for below in where:
        for surface, line in _edges_over(chart, below, box):

            def clear(place: Point, surface: Surface = surface, below: Surface = below) -> bool:
                landing = landing_beside(state, body, target, place, below)
                if landing is None or ground.steps_up(surface, *landing, surface.z) is not None:
                    return False
                return surface.depth(*landing) <= TOLERANCE

            over = spans_inside(base_part(target), line)
            for begin, end in without(spans_inside(meet, line), over):
                for a, b in _clear_parts(line, begin, end, clear):
                    yield (surface.id, line.at(a), line.at(b)), (below, None)


def _between(
    state: State,
    body: Body,
    aims: list[Body],
    chart: Chart,
    goals: list[tuple[str, Goal]],
    landed: Landed,
) -> Iterator[tuple[Segment, Onto]]:
    """Segments of edges from which a jump down lands where it touches a target and another, or
    something else that keeps it off, at once, since that is the nearest place clear of both: round
    bases only. landed: where jumps land."""
    for level, goal in goals:
        below, r = chart.surfaces[level], radius(body)
        for x, y in _corners(goal):
            kept = _kept_off(state, body, aims, (x, y), below)
            for surface, line in _edges_over(chart, below, box_about(x, y, r)) if kept else ():
                spans = spans_near_point(line, x, y, r)
                if not spans or surface.depth(x, y) > TOLERANCE:
                    continue
                for span, ((ax, ay), (bx, by)) in product(spans, kept):
                    # Between the rays that lead through the place from what it touches.
                    turn = ax * by - ay * bx
                    off = [(x - p, y - q) for p, q in map(line.at, span)]
                    one, two = (
                        ((u * by - v * bx) / turn, (ax * v - ay * u) / turn) for u, v in off
                    )
                    cut = _clipped(one, two, (0.0, 0.0, math.inf, math.inf))
                    if cut is not None:
                        one, two = ((x - s * ax - t * bx, y - s * ay - t * by) for s, t in cut)
                        for a, b in _nearest_from(landed, surface, Line(*one, *two), (x, y)):
                            yield (surface.id, a, b), (below, (x, y))


def _along_rims(
    state: State,
    body: Body,
    target: Body,
    aims: list[Body],
    chart: Chart,
    where: list[Surface],
    landed: Landed,
) -> Iterator[tuple[Segment, Onto]]:
    """Segments of edges under which a target stands, from which a jump down lands farther along
    the edge, the nearest place clear of it that is not under what is jumped off (3.10): round
    bases only. landed: where jumps land."""
    meet, r = meeting_part(body, target), radius(body)
    box = box_about(*target.centre, r + radius(target))
    for below in where:

        def lands(x: float, y: float, below: Surface = below) -> bool:
            there = body.at(x, y, below.z)
            return (
                all(touching(there, aim) for aim in aims)
                and below.depth(x, y) >= -TOLERANCE
                and free_at(state, chart.terrain, body, *there.centre, below.z)
            )

        for surface, line in _edges_over(chart, below, box):
            for a, b in spans_inside(meet, line):
                ends = [s for s in (a, b) if 0.0 < s < line.length and lands(*line.at(s))]
                far = min(r, (b - a) / len(ends)) if ends else 0.0
                for s in ends:
                    off = s + far if s == a else s - far
                    _, nearest = distance_to(meet, *line.at(0.5 * (s + off)))
                    if surface.depth(*nearest) > TOLERANCE:
                        way = Line(*line.at(s), *line.at(off))
                        for one, two in _nearest_from(landed, surface, way, way.start):
                            yield (surface.id, one, two), (below, way.start)


def _nearest_from(
    landed: Landed, surface: Surface, line: Line, to: Point
) -> list[tuple[Point, Point]]:
    """What of a line along an edge is such that a jump off it lands at a place, none being nearer:
    one piece, for half planes bound it."""

    def lands(s: float) -> bool:
        at = line.at(s)
        found = landed(surface, at, (0.0, 0.0))
        return found is not None and math.dist(at, found[1]) > math.dist(at, to) - TOLERANCE

    ends = [0.0, line.length]
    if not all(map(lands, ends)):
        step = line.length / _PLACES
        sure = [k * step for k in range(_PLACES + 1) if lands(k * step)]
        if not sure:
            return []
        ends = [_last(lands, sure[0], sure[0] - step), _last(lands, sure[-1], sure[-1] + step)]
        ends = [min(max(s, 0.0), line.length) for s in ends]
    return [(line.at(ends[0]), line.at(ends[1]))] if ends[1] - ends[0] > TOLERANCE else []


def _last(holds: Callable[[float], bool], yes: float, no: float) -> float:
    """The last length, from one at which something holds to one at which it does not."""
    while abs(no - yes) > 0.1 * TOLERANCE:
        middle = 0.5 * (yes + no)
        yes, no = (middle, no) if holds(middle) else (yes, middle)
    return yes


def _corners(goal: Goal) -> list[Point]:
    """A place that is a goal, or the ends of what of a circle is one."""
    if isinstance(goal, PointGoal):
        return [(goal.x, goal.y)]
    if not isinstance(goal, CircleGoal):
        return []
    turns = {turn for span in goal.shut for turn in span}
    return [
        (goal.x + goal.radius * math.cos(turn), goal.y + goal.radius * math.sin(turn))
        for turn in turns
    ]


def _kept_off(
    state: State, body: Body, aims: list[Body], at: Point, below: Surface
) -> list[tuple[Point, Point]]:
    """Ways to the middle of a base from what it touches at a place: from a target and from
    something else each."""
    ground, r, (x, y), tall = terrain_of(state), radius(body), at, height(body)
    box = box_about(x, y, r + TOLERANCE)
    solids = (s for s in ground.beside(box, below.z, tall) if ground.takes_room(s, below.z, tall))
    parts = [part for solid in solids for part in solid.ground.region.parts]
    parts += [base_part(other) for other in state.others(body) if same(other.z, below.z)]
    touched = []
    for part in [*map(base_part, aims), *parts]:
        off, (px, py) = distance_to(part, x, y)
        if same(off, r):
            touched.append((x - px, y - py))
    if not touched:
        return []
    (ax, ay), *others = touched
    return [((ax, ay), (bx, by)) for bx, by in others if abs(ax * by - ay * bx) > TOLERANCE]


def _clear_parts(
    line: Line, begin: float, end: float, clear: Callable[[Point], bool], depth: int = _DEEP
) -> list[Span]:
    """Lengths of an edge between which all is clear: those whose ends and middle are, found by
    halving."""
    middle = 0.5 * (begin + end)
    found = [clear(line.at(s)) for s in (begin, middle, end)]
    if end - begin <= TOLERANCE or not depth or not any(found):
        return []
    if all(found):
        return [(begin, end)]
    parts = _clear_parts(line, begin, middle, clear, depth - 1)
    for a, b in _clear_parts(line, middle, end, clear, depth - 1):
        if parts and parts[-1][1] == a:
            a, _ = parts.pop()
        parts.append((a, b))
    return parts


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
        span = near_level(target.z, az, bz)
        if span is None or ramp.id not in chart.surfaces:
            continue
        low, high = (share * run for share in span)
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
    """Goals on ladders whose end the target bars, up or down: where the bases first meet."""
    reach = r + target.base.reach
    found: list[tuple[str, Goal]] = []
    extra: list[Level] = []
    links: list[Link] = []
    for ladder in chart.terrain.table.ladders:
        way = next((k for k in levels.links if k.id == f"ladder {ladder.id}"), None)
        if way is None:
            continue
        for start, (ax, ay, az), (bx, by, bz) in (
            (way.start, ladder.foot, ladder.head),
            (way.end, ladder.head, ladder.foot),
        ):
            z = target.z - math.copysign(CONTACT_RISE_IN - 2.0 * TOLERANCE, bz - az)
            t = (z - az) / (bz - az)
            if not 0.0 < t < 1.0:
                continue
            line = Line(ax, ay, bx, by)
            if more_than(math.dist(line.at(t * line.length), target.centre), reach):
                # Not in the way where it begins to count: met beside the ladder, farther on.
                spans = spans_near_point(line, target.x, target.y, reach)
                t = next((low / line.length for low, _ in spans if low > t * line.length), 1.0)
            x, y, z = ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az)
            if t >= 1.0 or not closer_than(abs(z - target.z), CONTACT_RISE_IN):
                continue
            name = f"hang {ladder.id} {start[0]}"
            extra.append(Level(name, Field.of(box=(x - 1.0, y - 1.0, x + 1.0, y + 1.0)), z))
            # Of ways equally long the one down it is gone, not the one that jumps down to its foot.
            cost = z - az if bz > az else az - z - _HAIR
            links.append(Link(name, "hang", start, (name, x, y), cost, both=False))
            found.append((name, PointGoal(x, y)))
    return (levels.with_more(extra, links) if extra else levels), found


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
