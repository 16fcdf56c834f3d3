"""The most direct way into contact over all storeys; straight ways; ways off the table (3.6, 3.14).

A route is searched for on the chart of the table and then walked by `walking`, so that what it
costs and what it meets is measured by the same code as any other path.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, within
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.levels.levels import Level, LevelRoute, Levels, Portal, Step
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import spans_near_ring
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
    separation,
)
from tapeline.rules.mordheim.charts import Chart, chart_of, peopled
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, GAP_IN
from tapeline.rules.mordheim.ground import Ground, ground_of, spans_inside
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.state import height, radius
from tapeline.rules.mordheim.terrain import LOW
from tapeline.rules.mordheim.track import Part, Place, Stretch, Track
from tapeline.rules.mordheim.walker import Walker, at_place
from tapeline.rules.mordheim.walking import walk
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.solids import Solid
from tapeline.table.storeys import TABLE, Surface

__all__ = ["Escape", "across_barrier", "away", "escapes", "route_to_contact", "straight_towards"]

Point: TypeAlias = tuple[float, float]

#: How deep in an obstacle a way found by a search may be: less than the tolerance of the rules.
_SLACK = 0.9 * TOLERANCE
#: Radians of an arc of a slope given as one straight leg.
_CHORD = math.radians(1.0)


# Contact across a barrier.


def across_barrier(state: State, a: Body, b: Body) -> bool:
    """Whether two models fight across a low barrier that both touch (3.6.8)."""
    if not closer_than(abs(a.z - b.z), CONTACT_RISE_IN):
        return False
    if math.hypot(a.x - b.x, a.y - b.y) > a.base.reach + b.base.reach + 4.0:
        return False
    ground = ground_of(state)
    return any(
        _holds_gap(solid, a, b) for solid in _barriers(ground, a) if within(_off(b, solid), 0.0)
    )


def _barriers(ground: Ground, body: Body) -> Iterator[Solid]:
    """Low barriers that a base touches."""
    r = body.base.reach + TOLERANCE
    for solid in ground.storeys.solids_near((body.x - r, body.y - r, body.x + r, body.y + r)):
        rise = solid.top - body.z
        if solid.walk_through or not more_than(rise, 0.0) or more_than(solid.bottom, body.z + 1.0):
            continue
        low = ground.low(rise) or LOW in solid.traits
        if low and within(_off(body, solid), 0.0):
            yield solid


def _off(body: Body, solid: Solid) -> float:
    """Distance of a base from a solid on the plan; negative where they overlap."""
    base, plan = body.base, solid.ground
    if isinstance(base, Round):
        return -plan.depth(body.x, body.y) - base.radius
    found = separation(_footprint(body), _region(solid))
    return found.gap - found.depth


def _footprint(body: Body) -> Rect:
    base = body.base
    assert isinstance(base, Rectangle)
    return Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)


def _region(solid: Solid) -> Region:
    plan = solid.ground
    if plan.circle is not None:
        return region_of_circle(*plan.circle)
    assert plan.ring is not None
    return region_of_polygon(list(zip(plan.ring[0::2], plan.ring[1::2], strict=True)))


def _holds_gap(solid: Solid, a: Body, b: Body) -> bool:
    """Whether the segment between the nearest points of two bases lies inside a barrier."""
    one, two = _nearest_points(a, b)
    marks = (0.0, 0.25, 0.5, 0.75, 1.0)
    return all(
        solid.ground.depth(one[0] + t * (two[0] - one[0]), one[1] + t * (two[1] - one[1]))
        >= -TOLERANCE
        for t in marks
    )


def _nearest_points(a: Body, b: Body) -> tuple[Point, Point]:
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        d = math.hypot(b.x - a.x, b.y - a.y)
        ux, uy = ((b.x - a.x) / d, (b.y - a.y) / d) if d > 0.0 else (1.0, 0.0)
        return (
            (a.x + a.base.radius * ux, a.y + a.base.radius * uy),
            (b.x - b.base.radius * ux, b.y - b.base.radius * uy),
        )
    shapes = [
        region_of_circle(m.x, m.y, m.base.radius) if isinstance(m.base, Round) else _footprint(m)
        for m in (a, b)
    ]
    found = separation(shapes[0], shapes[1])
    return found.on_a, found.on_b


# The route of a charge.


def route_to_contact(
    state: State, body: Body, targets: Sequence[str], *, climb: bool = False
) -> Track | None:
    """The shortest way into contact with all targets; None if there is none.

    Stairs, ladders, jumps down and over gaps are on the way; climbs only with `climb`. Other bases
    and solids of 1 inch or more are gone round.
    """
    aims = [state.body(target) for target in targets]
    if all(touching(body, aim) or across_barrier(state, body, aim) for aim in aims):
        return Track(Place(body.x, body.y, body.z))
    if len(aims) == 1:
        track = _straight(state, body, aims[0])
        if track is not None:
            return track
    return _Search(state, body, aims, climb).best()


def _straight(state: State, body: Body, target: Body) -> Track | None:
    """The straight way to a round target on the same surface, if nothing is in it."""
    if not isinstance(target.base, Round) or abs(target.z - body.z) > TOLERANCE:
        return None
    reach = radius(body) + target.base.radius
    dx, dy = target.x - body.x, target.y - body.y
    d = math.hypot(dx, dy)
    if d <= reach:
        return None
    end = (target.x - dx / d * reach, target.y - dy / d * reach)
    track = walk(state, body, (Leg(to=end),), manner="charge")
    flat = all(isinstance(p, Stretch) and p.start.z == p.end.z == body.z for p in track.parts)
    return track if flat and not track.hits else None


class _Search:
    """A search for the shortest way into contact."""

    def __init__(self, state: State, body: Body, aims: list[Body], climb: bool) -> None:
        self.state, self.body, self.aims = state, body, aims
        self.ground = ground_of(state)
        self.r = radius(body)
        self.chart: Chart = chart_of(state, body, climb=climb)
        single = aims[0].id if len(aims) == 1 and isinstance(aims[0].base, Round) else None
        others = [other for other in state.others(body) if other.id != single]
        self.levels: Levels = peopled(self.chart, others, state.body(single) if single else None)
        storeys = self.ground.storeys
        here = storeys.support(body.x, body.y, body.z, TOLERANCE)
        self.start: Surface | None = here

    def best(self) -> Track | None:
        """The shortest way found, walked."""
        if self.start is None or self.start.id not in self.chart.surfaces:
            return None
        goals = list(self._goals())
        sides = list(self._sides())
        self.levels, ends = with_lines(self.levels, sides)
        goals += ends
        route = self._route(goals) if goals else None
        return self._walked(route) if route is not None else None

    def _route(self, goals: Sequence[tuple[str, Goal]]) -> LevelRoute | None:
        """The shortest route whose jumps over gaps are not too wide."""
        assert self.start is not None
        levels = self.levels
        for _ in range(len(self.chart.gaps) + 1):
            answer = levels.route(
                (self.start.id, self.body.x, self.body.y),
                list(goals),
                self.r,
                slack=_SLACK,
                strict=False,
            )
            route = answer.route
            if route is None:
                return None
            wide = {
                step.level
                for step in route.steps
                if step.level in self.chart.gaps and more_than(step.path.length, GAP_IN)
            }
            if not wide:
                return route
            levels = Levels(
                levels.levels,
                levels.links,
                [p for p in levels.portals if not {p.start[0], p.end[0]} & wide],
            )
        return None

    # Where contact is made.

    def _goals(self) -> Iterator[tuple[str, Goal]]:
        if len(self.aims) > 1:
            for surface in self._levels_at(self.aims[0]):
                for point in self._common_places(surface):
                    yield surface.id, PointGoal(*point)
            return
        target = self.aims[0]
        for surface in self._levels_at(target):
            yield from ((surface.id, PointGoal(*p)) for p in self._behind_barriers(surface))
            if isinstance(target.base, Round):
                reach = self.r + target.base.radius
                shut = tuple(self._shut(surface, target.x, target.y, reach))
                yield surface.id, CircleGoal(target.x, target.y, reach, shut=shut)
            else:
                for x, y in _footprint(target).corners:
                    shut = (*self._shut(surface, x, y, self.r), *self._inner(target, x, y))
                    yield surface.id, CircleGoal(x, y, self.r, shut=shut)

    def _levels_at(self, target: Body) -> Iterator[Surface]:
        """Surfaces from which a target can be touched."""
        far = self.r + target.base.reach
        box = (target.x - far, target.y - far, target.x + far, target.y + far)
        for surface in self.ground.storeys.near(box):
            if surface.id not in self.chart.surfaces:
                continue
            z = surface.height(target.x, target.y)
            if closer_than(abs(z - target.z), CONTACT_RISE_IN):
                yield surface

    def _shut(
        self, surface: Surface, x: float, y: float, reach: float
    ) -> Iterator[tuple[float, float]]:
        """Angles of a circle at which the base would stand across a low barrier."""
        z = surface.height(x, y)
        circle = Arc(x, y, reach, 0.0, math.tau)
        far = reach + self.r
        tall = height(self.body)
        for solid in self.ground.storeys.solids_near((x - far, y - far, x + far, y + far)):
            if not self.ground.rises(solid, z, tall) or not self.ground.low(solid.top - z):
                continue
            plan = solid.ground
            if plan.ring is None:
                continue
            for begin, end in spans_near_ring(circle, plan.ring, self.r - _SLACK):
                yield begin / reach, end / reach

    def _inner(self, target: Body, x: float, y: float) -> Iterator[tuple[float, float]]:
        """Angles about a corner of a base that are not beyond its two sides."""
        outward = math.atan2(y - target.y, x - target.x)
        rect = _footprint(target)
        ux = math.atan2(*reversed(_difference(rect.world(1.0, 0.0), rect.world(0.0, 0.0))))
        quarter = min(
            (ux + k * 0.5 * math.pi + 0.25 * math.pi for k in range(4)),
            key=lambda a: abs(math.remainder(a - outward, math.tau)),
        )
        yield quarter + 0.25 * math.pi, quarter - 0.25 * math.pi + math.tau

    def _behind_barriers(self, surface: Surface) -> Iterator[Point]:
        """Places across a low barrier that the target touches, square to it (3.6.8)."""
        target = self.aims[0]
        for solid in _barriers(self.ground, target):
            px, py = solid.ground.nearest(target.x, target.y)
            d = math.hypot(px - target.x, py - target.y)
            if d <= TOLERANCE:
                continue
            ux, uy = (px - target.x) / d, (py - target.y) / d
            line = Line(px, py, px + 8.0 * ux, py + 8.0 * uy)
            through = _crossed(line, solid)
            if through is None:
                continue
            x, y = px + ux * (through + self.r), py + uy * (through + self.r)
            if surface.depth(x, y) < -TOLERANCE:
                continue
            there = at_place(self.body, Place(x, y, surface.height(x, y)))
            if self.ground.overlapped(there) is None and across_barrier(self.state, there, target):
                yield x, y

    def _common_places(self, surface: Surface) -> Iterator[Point]:
        """Places that touch all targets; round ones, the first two decide."""
        one, two, *more = self.aims
        if not (isinstance(one.base, Round) and isinstance(two.base, Round)):
            return
        r1, r2 = self.r + one.base.radius, self.r + two.base.radius
        dx, dy = two.x - one.x, two.y - one.y
        d = math.hypot(dx, dy)
        if d == 0.0 or more_than(d, r1 + r2) or more_than(abs(r1 - r2), d):
            return
        along = (d * d + r1 * r1 - r2 * r2) / (2.0 * d)
        off = math.sqrt(max(0.0, (r1 - along) * (r1 + along)))
        ux, uy = dx / d, dy / d
        for side in (off, -off):
            x, y = one.x + along * ux - side * uy, one.y + along * uy + side * ux
            there = at_place(self.body, Place(x, y, surface.height(x, y)))
            if self.ground.overlapped(there) is None and all(touching(there, aim) for aim in more):
                yield x, y
            if off == 0.0:
                return

    # Sides of a rectangle.

    def _sides(self) -> Iterator[tuple[str, Point, Point]]:
        """Segments from anywhere on which the base touches a side of a rectangular target."""
        target = self.aims[0]
        if len(self.aims) > 1 or isinstance(target.base, Round):
            return
        corners = _footprint(target).corners
        area = sum(
            a[0] * b[1] - b[0] * a[1]
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
        )
        order = corners if area > 0.0 else corners[::-1]
        for surface in self._levels_at(target):
            for (ax, ay), (bx, by) in zip(order, (*order[1:], order[0]), strict=True):
                d = math.hypot(bx - ax, by - ay)
                nx, ny = (by - ay) / d * self.r, -(bx - ax) / d * self.r
                line = Line(ax + nx, ay + ny, bx + nx, by + ny)
                yield from self._clear_pieces(surface, line)

    def _clear_pieces(self, surface: Surface, line: Line) -> Iterator[tuple[str, Point, Point]]:
        """The pieces of a line on which the base would not stand across a low barrier."""
        z, tall, far = surface.height(*line.at(0.0)), height(self.body), self.r
        box = (
            min(line.ax, line.bx) - far,
            min(line.ay, line.by) - far,
            max(line.ax, line.bx) + far,
            max(line.ay, line.by) + far,
        )
        gone: list[tuple[float, float]] = []
        for solid in self.ground.storeys.solids_near(box):
            low = self.ground.rises(solid, z, tall) and self.ground.low(solid.top - z)
            if low and solid.ground.ring is not None:
                gone += spans_near_ring(line, solid.ground.ring, self.r - _SLACK)
        at = 0.0
        for begin, end in [*sorted(gone), (line.length, line.length)]:
            if begin > at:
                yield surface.id, line.at(at), line.at(begin)
            at = max(at, end)

    # From a route to a way.

    def _walked(self, route: LevelRoute) -> Track:
        track = walk(self.state, self.body, tuple(self._legs(route.steps)), manner="charge")
        first = min(track.hits, key=lambda hit: hit.travelled, default=None)
        if first is not None and len(self.aims) == 1 and first.about == self.aims[0].id:
            # Met on stairs, before the floor that they lead to.
            cut = _until(track, first.travelled)
            if touching(at_place(self.body, cut.end), self.aims[0]):
                return cut
        return track

    def _legs(self, steps: Sequence[Step]) -> Iterator[Leg]:
        for step in steps:
            level = self.levels.level(step.level)
            end = level.plan(*step.at)
            if step.link:
                leg = self._link_leg(step, level, end)
                if leg is not None:
                    yield leg
            elif step.level in self.chart.gaps:
                far = self.chart.surfaces[self.chart.gaps[step.level][1]]
                yield Leg(to=end, z=far.height(*end), how="jump")
            else:
                yield from _path_legs(step, level)

    def _link_leg(self, step: Step, level: Level, end: Point) -> Leg | None:
        if step.kind == "ladder":
            return Leg(to=end, z=level.height_at(*end))
        if step.kind == "drop":
            return Leg(to=end, z=level.height_at(*end), how="drop")
        if step.kind == "climb":
            return Leg(to=end, z=level.height_at(*end), how="climb")
        return None


def _difference(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


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
        half = 0.5 * math.dist(a, b) + 1.0
        x, y = 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])
        box = (x - 4.0 * half, y - 4.0 * half, x + 4.0 * half, y + 4.0 * half)
        extra.append(Level(name, Field.of(box=box)))
        portals.append(Portal(name, "goal", (level, *a, *b), (name, *a, *b), both=False))
        goals.append((name, CircleGoal(x, y, half)))
    if not extra:
        return levels, []
    made = Levels([*levels.levels, *extra], levels.links, [*levels.portals, *portals])
    return made, goals


def _crossed(line: Line, solid: Solid) -> float | None:
    """How far a line that begins on the border of a solid goes through it."""
    spans = spans_inside(line, solid.ground)
    if not spans or spans[0][0] > TOLERANCE:
        return None
    return spans[0][1]


def _path_legs(step: Step, level: Level) -> Iterator[Leg]:
    for leg in step.path.legs:
        if isinstance(leg, Line):
            yield Leg(to=level.plan(leg.bx, leg.by))
        elif level.slope is None:
            yield Leg(centre=(leg.cx, leg.cy), by=math.degrees(leg.sweep))
        else:
            count = max(1, math.ceil(abs(leg.sweep) / _CHORD))
            for k in range(1, count + 1):
                yield Leg(to=level.plan(*leg.at(leg.length * k / count)))


# Straight ways.


def straight_towards(state: State, body: Body, target: Body) -> Track:
    """Straight towards a target as far as nothing blocks: a solid, a base, an edge."""
    dx, dy = target.x - body.x, target.y - body.y
    d = math.hypot(dx, dy)
    if d <= TOLERANCE:
        return Track(Place(body.x, body.y, body.z))
    return away(state, body, (dx / d, dy / d), d)


def away(state: State, body: Body, direction: tuple[float, float], distance: float) -> Track:
    """Straight along a unit vector for a length on the plan, as far as nothing blocks."""
    end = (body.x + direction[0] * distance, body.y + direction[1] * distance)
    walker = Walker(state, body)
    walker.walk(Line(body.x, body.y, *end))
    if state.option("difficult_mode") == "whole_move":
        walker.slowed_as_a_whole()
    track = walker.track()
    if not track.hits:
        return track
    return _until(track, min(hit.travelled for hit in track.hits))


def _until(track: Track, length: float) -> Track:
    """The beginning of a way of that length, hurdles and all."""
    kept: list[Part] = []
    gone = 0.0
    for part in track.parts:
        if gone >= length - 1e-12:
            break
        if gone + part.length > length:
            if isinstance(part, Stretch):
                kept.append(part.upto((length - gone) / part.length))
            break
        kept.append(part)
        gone += part.length
    return Track(track.start, tuple(kept))


# Ways off the table.


@dataclass(frozen=True, slots=True)
class Escape:
    """A way to the nearest table edge. leaves: whether it gets there, the base touching it."""

    edge: str
    track: Track
    leaves: bool


def escapes(state: State, body: Body) -> list[Escape]:
    """Ways to the table edge nearest to the base; several where edges are equally near (3.14)."""
    w, d = state.table.width, state.table.depth
    r = radius(body)
    far = {
        "west": body.x - r,
        "south": body.y - r,
        "east": w - r - body.x,
        "north": d - r - body.y,
    }
    least = min(far.values())
    found = []
    for edge, distance in far.items():
        if more_than(distance, least):
            continue
        track = _to_edge(state, body, edge)
        if track is not None:
            end = at_place(body, track.end)
            left = _left_to_edge(state, end, edge)
            found.append(Escape(edge, track, within(left, 0.0)))
    return found


def _left_to_edge(state: State, body: Body, edge: str) -> float:
    r = radius(body)
    return {
        "west": body.x - r,
        "south": body.y - r,
        "east": state.table.width - r - body.x,
        "north": state.table.depth - r - body.y,
    }[edge]


def _at_edge(state: State, body: Body, edge: str, p: Point) -> Point:
    """The place straight ahead where the base touches the edge."""
    r, w, d = radius(body), state.table.width, state.table.depth
    x = {"west": r, "east": w - r}.get(edge, min(max(p[0], 0.0), w))
    y = {"south": r, "north": d - r}.get(edge, min(max(p[1], 0.0), d))
    return x, y


def _to_edge(state: State, body: Body, edge: str) -> Track | None:
    """Straight to an edge; round what is in the way if that is on the table itself."""
    if _left_to_edge(state, body, edge) <= TOLERANCE:
        return Track(Place(body.x, body.y, body.z))
    goal = _at_edge(state, body, edge, (body.x, body.y))
    distance = math.dist(goal, (body.x, body.y))
    ux, uy = (goal[0] - body.x) / distance, (goal[1] - body.y) / distance
    straight = away(state, body, (ux, uy), distance)
    ground = ground_of(state)
    surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
    reached = within(_left_to_edge(state, at_place(body, straight.end), edge), 0.0)
    if reached or surface is None or surface.id != TABLE:
        return straight
    chart = chart_of(state, body)
    ground_level = peopled(chart, state.others(body)).level(TABLE)
    corners = {(x, y) for x in (0.0, state.table.width) for y in (0.0, state.table.depth)}
    a, b = sorted({_at_edge(state, body, edge, corner) for corner in corners})
    levels, goals = with_lines(Levels([ground_level]), [(TABLE, a, b)])
    answer = levels.route((TABLE, body.x, body.y), goals, radius(body), slack=_SLACK, strict=False)
    if answer.route is None:
        return straight
    path: list[Leg] = []
    for step in answer.route.steps:
        path += _path_legs(step, ground_level)
    track = walk(state, body, tuple(path), manner="flee")
    return track if not track.hits else straight
