"""The search for the shortest way into contact, over the chart of a table (3.6).

What is found is walked, so that what it costs and what it meets is measured by the
same code as any other path.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.rectangles.contact import distance_to, spans_inside
from tapeline.geometry.rectangles.rectangle import Part as Shape
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
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

__all__ = ["Search", "until", "with_lines"]

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


class Search:
    """A search for the shortest way into contact.

    others: bodies that are in the way, targets included. shape: what touches the targets, about
    the centre, if that is not the base as it faces.
    """

    def __init__(
        self,
        state: State,
        body: Body,
        aims: list[Body],
        others: list[Body],
        climb: bool,
        shape: Shape | None = None,
    ) -> None:
        self.state, self.body, self.aims, self.shape = state, body, aims, shape
        self.ground = terrain_of(state)
        self.r = radius(body)
        self.chart: Chart = chart_of(state, body, climb=climb)
        single = aims[0].id if len(aims) == 1 and isinstance(aims[0].base, Round) else None
        others = [other for other in others if other.id != single]
        self.levels: Levels = peopled(
            self.chart, self.r, others, state.body(single) if single else None
        )
        #: What is landed on from segments of edges, by the names of their ways.
        self.onto: dict[str, Surface] = {}
        #: Gaps by the names of their levels; strips of them too.
        self.gaps = dict(self.chart.gaps)
        storeys = self.ground.storeys
        here = storeys.support(body.x, body.y, body.z, TOLERANCE)
        start = "" if here is None else here.id
        self.seeker = Seeker((start, body.x, body.y), self.r, _WORK)

    def best(self, *, near: bool = False) -> Route | None:
        """The shortest way found, walked. near: only within what a charge may cost.

        Within what a charge may cost the search is exact over all ways. Farther targets are
        sought through single places of edges and stairs first; the way through those is then
        the shortest, which is as far as a failed charge asks for.
        """
        if self.seeker.start[0] not in self.chart.surfaces:
            return None
        where = self._levels_at(self.aims[0])
        goals, lines = meeting_places(self.state, self.body, self.aims, where, self.shape)
        above = list(self._above())
        self.levels, ends = with_lines(
            self.levels, [*(line for line, _ in above), *lines, *self._on_stairs()]
        )
        self.onto = {f"goal {number}": below for number, (_, below) in enumerate(above)}
        goals += ends
        goals += self._on_ladders()
        if not goals:
            return None
        limit = charging_allowance(self.body) + TOLERANCE
        route = self._route(self.levels, goals, limit)
        if route is None and not near:
            coarse = self._far(goals)
            if coarse is None:
                return None
            taken = {link.partition("@")[0] for link in coarse.links}
            through = self.levels.keeping(lambda way: way.id in taken or way.kind == "goal")
            route = self._route(through, goals, coarse.cost)
            if route is None or route.cost > coarse.cost:
                route = coarse
        return None if route is None else self._walked(route)

    def _far(self, goals: Sequence[tuple[str, Goal]]) -> LevelRoute | None:
        """The shortest route through single places of edges and stairs, however far.

        Sought within a little more than the distance first: what a limit leaves out of account
        need not be looked at, and what is found within it is the shortest.
        """
        towards = [self.body.centre, self.aims[0].centre]
        limit = math.dist(*towards) + _DETOUR
        for number in range(_LIMITS + 1):
            if number == 1 and self._cut_off(goals):
                return None
            if number == _LIMITS:
                limit = math.inf
            levels = self.levels.within(self.seeker.start, goals, limit)
            found = self._route(pointed(levels, towards, "goal"), goals, limit, rough=True)
            if found is not None:
                return found
            limit *= _FARTHER
        return None

    def _cut_off(self, goals: Sequence[tuple[str, Goal]]) -> bool:
        """Whether nothing gets to a goal from where its own level is come to.

        Told only where that is quickly found out: a target that others stand around.
        """
        levels = self.levels
        last = {name for name, _ in goals}
        ways: list[Link | Portal] = [*levels.links, *levels.portals]
        last |= {way.start[0] for way in ways if way.kind in _LAST}
        doors: list[tuple[str, float, float]] = []
        if self.seeker.start[0] in last:
            doors.append(self.seeker.start)
        for gate in levels.gates(self.r, slack=SLACK):
            level = levels.levels[gate.end]
            if level.id in last and gate.link.kind not in _LAST:
                doors.append((level.id, *level.plan(gate.c.real, gate.c.imag)))
        if len(doors) > _DOORS:
            return False
        inner = levels.keeping(lambda way: way.kind in _LAST)
        for door in doors:
            near = inner.within(door, goals, _ANYWHERE)
            try:
                answer = near.route(door, list(goals), self.r, slack=SLACK, strict=False, work=_FEW)
            except WorkLimitError:
                return False
            if answer.route is not None:
                return False
        return True

    def _route(
        self,
        levels: Levels,
        goals: Sequence[tuple[str, Goal]],
        limit: float,
        *,
        rough: bool = False,
    ) -> LevelRoute | None:
        """The shortest route that crosses no gap by more than may be jumped; rough: nearly."""
        levels = levels.within(self.seeker.start, goals, limit)
        best: LevelRoute | None = None
        leaps: dict[str, Leap] = {}
        strips: set[str] = set()
        solids: dict[str, list[Ground]] = {}
        while True:
            route = self.seeker.route(levels, goals, limit)
            if route is None:
                return best
            wide = next(
                (
                    step.level
                    for step in route.steps
                    if step.level in self.gaps
                    and not step.link
                    and more_than(step.path.length, GAP_IN)
                ),
                None,
            )
            if wide is not None:
                if wide not in self.chart.gaps:
                    levels = _without(levels, {wide})  # round what stands in a strip
                    continue
                gap = self.gaps[wide]
                solids[wide] = self._over(gap)
                levels, more, names = narrowed(levels, wide, gap, solids[wide], self.r, rough=rough)
                leaps |= more
                strips |= set(names)
                self.gaps |= dict.fromkeys(names, gap)
                continue
            if best is None or route.cost < best.cost:
                best = route
            finer = None if rough else closer(levels, route, leaps, solids, self.r)
            if finer is not None:
                levels, leaps = finer
            elif leaps and strips:
                # The best of the leaps, which lie too far apart to be told from strips at first.
                levels, strips = _without(levels, strips), set()
            else:
                return best

    def _over(self, gap: Gap) -> list[Ground]:
        """What stands in the way of the base over a gap."""
        z, tall = self.chart.surfaces[gap.start].z, height(self.body)
        near = self.ground.with_plates(box_of(gap.near, GAP_IN + self.r))
        return [solid.ground for solid in near if self.ground.stops(solid, z, z, tall)]

    # Where contact is made.

    def _levels_at(self, target: Body) -> list[Surface]:
        """Level surfaces from which a target can be touched."""
        far = self.body.base.reach + target.base.reach
        box = (target.x - far, target.y - far, target.x + far, target.y + far)
        return [
            surface
            for surface in self.ground.storeys.near(box)
            if surface.id in self.chart.surfaces
            and surface.ramp is None
            and closer_than(abs(surface.z - target.z), CONTACT_RISE_IN)
        ]

    def _above(self) -> Iterator[tuple[Segment, Surface]]:
        """Segments of edges from which a jump down lands beside the target, and what on: where it
        stands in the way of landing right under the edge, the nearest place clear of it is taken
        (3.10)."""
        target = self.aims[0]
        if len(self.aims) > 1 or self.shape is not None or not isinstance(self.body.base, Round):
            return
        meet, far = meeting_part(self.body, target), self.r + target.base.reach
        box = (target.x - far, target.y - far, target.x + far, target.y + far)
        for below in self._levels_at(target):
            for surface in self.ground.storeys.near(box):
                drop = surface.z - below.z
                jumped = not self.ground.low(drop) and not more_than(drop, JUMP_DOWN_IN)
                if surface.id not in self.chart.surfaces or surface.ramp is not None or not jumped:
                    continue
                for edge in self.ground.storeys.edges(surface):
                    line = Line(edge.ax, edge.ay, edge.bx, edge.by)
                    over = spans_inside(base_part(target), line)
                    for begin, end in without(spans_inside(meet, line), over):
                        for a, b in self._landed(line, begin, end, surface, below):
                            yield (surface.id, line.at(a), line.at(b)), below

    def _landed(
        self,
        line: Line,
        begin: float,
        end: float,
        surface: Surface,
        below: Surface,
        depth: int = _DEEP,
    ) -> Iterator[tuple[float, float]]:
        """Lengths of an edge from which the base comes to stand clear beside the target: those
        whose ends and middle do, found by halving."""
        if end - begin <= TOLERANCE:
            return
        middle = 0.5 * (begin + end)
        landings = [self._beside(line.at(s), below) for s in (begin, middle, end)]
        clear = [place is not None and surface.depth(*place) <= TOLERANCE for place in landings]
        if all(clear):
            yield begin, end
        elif depth and any(clear):
            for a, b in ((begin, middle), (middle, end)):
                yield from self._landed(line, a, b, surface, below, depth - 1)

    def _beside(self, edge: Point, below: Surface) -> Point | None:
        """Where a base lands that jumps off an edge at a place and is kept off by the target; None
        without room."""
        _, (x, y) = distance_to(meeting_part(self.body, self.aims[0]), *edge)
        if below.depth(x, y) < -TOLERANCE or more_than(math.dist(edge, (x, y)), self.r):
            return None
        clear = free_at(self.state, self.ground, self.body, x, y, below.z)
        return (x, y) if clear else None

    def _on_stairs(self) -> Iterator[tuple[str, Point, Point]]:
        """Segments of stairs on which the base meets a target that is at their height.

        A circle there lies just inside the one of contact: the way is cut where they meet.
        """
        if len(self.aims) > 1:
            return
        target = self.aims[0]
        reach = self.r + target.base.reach
        for ramp in self.ground.table.ramps:
            (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
            run = math.hypot(bx - ax, by - ay)
            ux, uy = (bx - ax) / run, (by - ay) / run
            limit = CONTACT_RISE_IN - 2.0 * TOLERANCE
            low = max(0.0, (target.z - limit - az) / (bz - az) * run)
            high = min(run, (target.z + limit - az) / (bz - az) * run)
            if low >= high or ramp.id not in self.chart.surfaces:
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

    def _on_ladders(self) -> list[tuple[str, Goal]]:
        """Goals on ladders whose upper end the target bars: where the bases first meet."""
        target = self.aims[0]
        if len(self.aims) > 1:
            return []
        z = target.z - CONTACT_RISE_IN + 2.0 * TOLERANCE
        reach = self.r + target.base.reach
        found: list[tuple[str, Goal]] = []
        extra: list[Level] = []
        links: list[Link] = []
        for ladder in self.ground.table.ladders:
            (ax, ay, az), (bx, by, bz) = ladder.foot, ladder.head
            way = next((k for k in self.levels.links if k.id == f"ladder {ladder.id}"), None)
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
        if extra:
            self.levels = self.levels.with_more(extra, links)
        return found

    # From a route to a way.

    def _walked(self, route: LevelRoute) -> Route:
        legs = self._standing(list(self._legs(route.steps)))
        track = walk(self.state, self.body, tuple(legs), manner="charge")
        first = min(track.hits, key=lambda hit: hit.travelled, default=None)
        if first is not None and len(self.aims) == 1 and first.about == self.aims[0].id:
            # Met on stairs, before the floor that they lead to.
            cut = until(track, first.travelled)
            if touching(at_place(self.body, cut.end), self.aims[0]):
                return cut
        return track

    def _standing(self, legs: list[Leg]) -> list[Leg]:
        """Legs of which the last leads on to what the base comes to stand on there, within a
        step."""
        last = legs[-1] if legs else None
        if last is None or last.how != "walk" or last.to is None or last.z is None:
            return legs
        surface = self.ground.storeys.support(*last.to, last.z, TOLERANCE)
        if surface is None or surface.ramp is not None:
            return legs
        return [*legs[:-1], replace(last, z=stand_height(self.ground, surface, *last.to))]

    def _legs(self, steps: Sequence[Step]) -> Iterator[Leg]:
        for step in steps:
            if step.level in self.gaps:
                continue  # one leg with the landing
            below = self.onto.get(step.link)
            if below is None:
                yield from legs_of_step(step, self.levels.level(step.level), heights=True)
                continue
            landing = self._beside(step.at, below)
            assert landing is not None, "the segment is clear"
            yield Leg(to=landing, z=below.z, how="drop")


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
