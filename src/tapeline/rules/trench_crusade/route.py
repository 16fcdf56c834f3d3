"""The shortest way of a charge over storeys and through the air (G-20 in three dimensions).

A route is searched for on the chart of the table and then laid like any other path, so that what
it costs and meets is measured by the same code. On the chart ladders and ropes are charged their
length; over a ledge leads a strip one base radius wide, over a gap a level between its lips; a
Climb is a portal charged its height.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.trench_crusade.book import CHARGE_CAP_IN, JUMP_SHARE, LOW_OBSTACLE_IN, NEAR_IN
from tapeline.rules.trench_crusade.flights import contact_of, flights, oval_of
from tapeline.rules.trench_crusade.ground import level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import beside, reach_of
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, movement, radius
from tapeline.rules.trench_crusade.walker import keeps_to_table, lay
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.table.storeys import UNCLIMBABLE, Edge, Surface
from tapeline.table.terrain import Wall
from tapeline.travel.chart import Chart, with_discs
from tapeline.travel.crossings import faces_under
from tapeline.travel.draft import SPECK, Draft, inside
from tapeline.travel.level_routes import Disc
from tapeline.travel.nearness import first_near, runs_over
from tapeline.travel.ramp_sides import SIDE, dearer, only_crosses, over_sides, side_of, sides_of
from tapeline.travel.rim_search import UNSURE, Descent, Found, Spots, over_rims, straight_over
from tapeline.travel.route import Crossing, Route, Stretch
from tapeline.travel.search import Seeker, legs_of_step, pointed
from tapeline.travel.terrain import Terrain

__all__ = ["chart_of", "does_forbidden", "routes_over"]

Point: TypeAlias = tuple[float, float]

#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-8
#: Inches between two ways that are not the same.
_ELSEWHERE = 1e-3
#: Legs that one search may make.
_WORK = 200_000
#: Inches by which a way to a target is sought to be longer than its distance at first.
_DETOUR = 1.5
#: How many times what a charge may cost far targets are sought within before the whole table is.
_FARTHER = (1.4, 2.0)
#: Searches tried for one route.
_TRIES = 6
#: Radius of the circle that a way to a target on a slope is sought to.
_TOUCHING = 0.5
#: Inches in from an edge at which a little more than half of any base is carried.
_JUST_IN = 8.0 * TOLERANCE
#: Length by which a way must be shorter to be another.
_NO_NEARER = 1e-9


def chart_of(state: State, body: Body, forbid: frozenset[str]) -> Chart:
    """The chart for a model that will not do some things: climb, jump, jump_down, dangerous, or
    beside: walk beside a ramp to spare the slope."""
    heights = terrain_of(state)
    widest, avoids = JUMP_SHARE * movement(state, body), "dangerous" in forbid
    hang = state.option("edge_overhang") == "under_half"
    overhang = math.inf if may_leave_table(body) else radius(body) if hang else 0.0
    like = (radius(body), height(body), overhang, avoids)
    key = ("chart", like, widest, forbid)
    found = heights.kept.get(key)
    if not isinstance(found, Chart):
        draft = heights.kept.get(("draft", like))
        if not isinstance(draft, Draft):
            r, tall, far, hazards = like
            draft = Draft(
                heights,
                r,
                tall,
                overhang=far,
                under_floors=False,
                round_hazards=hazards,
                sides=True,
            )
            heights.kept["draft", like] = draft
        found = heights.kept[key] = draft.chart(partial(_draw, widest=widest, forbid=forbid))
    return found


def _draw(draft: Draft, widest: float, forbid: frozenset[str]) -> None:
    low = draft.terrain.low
    sort = " ".join(("edges", *sorted(forbid & {"climb", "jump_down"})))
    draft.over_edges(lambda draft, edge: _over_ledge(draft, forbid, edge), sort)
    for ladder in draft.terrain.table.ladders:
        draft.ladder(ladder, math.dist(ladder.foot, ladder.head))
    if "climb" not in forbid:
        for wall in draft.terrain.table.walls:
            draft.over("wall", wall.id, partial(_over_wall, draft, wall))
    if "jump" not in forbid:
        draft.over_gaps(widest, _jump, draft.r)
        draft.over_round_gaps(widest, _jump, draft.r)
    over_sides(draft, down="jump_down" not in forbid, dear="beside" in forbid)
    if "jump_down" not in forbid:
        draft.over_rims("drop", lambda drop: None if low(drop) else draft.r, aslant=True)
    if "climb" not in forbid:
        climbed = {p.id for p in draft.terrain.table.pieces if UNCLIMBABLE not in p.traits}
        draft.over_rims(
            "climb", lambda drop: None if low(drop) else drop, climbed, both=True, inset=draft.r
        )


def _jump(here: Surface, there: Surface) -> tuple[float, float]:
    """The height at which a gap is gone over, and what that costs besides its width."""
    return max(here.z, there.z), max(0.0, there.z - here.z)


# Jumps down and climbs.


def _over_ledge(draft: Draft, forbid: frozenset[str], edge: Edge) -> None:
    surface, a, b = edge.surface, edge.at(0.0), edge.at(1.0)
    line, parts = draft.strip(edge, draft.r + _ledge_beyond(draft.terrain, edge))
    ledge = ""
    for begin, end, below in parts:
        drop = surface.z - below.z
        if draft.terrain.low(drop, surface, below):
            continue
        lower = (below.id, line.at(begin), line.at(end))
        if "jump_down" not in forbid:
            if not ledge:
                ledge = draft.in_the_air("ledge", (a, b, line.start, line.end), surface.z)
                draft.portal("ledge", (surface.id, a, b), (ledge, a, b))
            draft.portal("drop", (ledge, line.at(begin), line.at(end)), lower)
        if "climb" not in forbid:
            t, u = begin / line.length, end / line.length
            if faces_under(draft.terrain, *edge.at(0.5 * (t + u)), surface.z, below.z):
                upper = (surface.id, inside(edge, t, draft.r), inside(edge, u, draft.r))
                draft.portal("climb", lower, upper, drop, both=True)


def _ledge_beyond(terrain: Terrain, edge: Edge) -> float:
    """How far what carries a floor stands out beyond its edge."""
    x, y = edge.at(0.5)
    far = 0.0
    ahead = Line(x, y, x + 2.0 * edge.nx, y + 2.0 * edge.ny)
    for o in terrain.near((x, y, x, y)):
        carries = not more_than(abs(o.top - edge.surface.z), LOW_OBSTACLE_IN)  # else a step below
        spans = o.ground.spans(ahead) if carries else []
        if spans and spans[0][0] <= TOLERANCE and not terrain.is_barred(o):
            far = max(far, spans[0][1])
    return far


def _over_wall(draft: Draft, wall: Wall) -> None:
    """Climbs over a wall that stands free, where it is whole."""
    if UNCLIMBABLE in wall.traits or "impassable" in wall.traits:
        return
    off = draft.r + 0.5 * wall.thickness
    for (ax, ay), (bx, by), gone, till in wall.straights():
        d = till - gone
        ux, uy = (bx - ax) / d, (by - ay) / d
        cuts = {0.0, d}
        for o in wall.openings:
            cuts |= {min(d, max(0.0, s - gone)) for s in (o.start, o.end)}
        for begin, end in pairwise(sorted(cuts)):
            middle = gone + 0.5 * (begin + end)
            whole = not any(o.start < middle < o.end for o in wall.openings)
            if whole and end - begin > SPECK:
                sides = [
                    tuple(
                        (ax + s * ux - k * off * uy, ay + s * uy + k * off * ux)
                        for s in (begin, end)
                    )
                    for k in (1.0, -1.0)
                ]
                _over_part(draft, wall, sides[0], sides[1])


def _over_part(draft: Draft, wall: Wall, left: tuple[Point, ...], right: tuple[Point, ...]) -> None:
    def on(side: tuple[Point, ...]) -> Surface | None:
        x, y = 0.5 * (side[0][0] + side[1][0]), 0.5 * (side[0][1] + side[1][1])
        found = draft.at_height(x, y, wall.bottom)
        return found[0] if found and found[0].ramp is None else None

    one, two = on(left), on(right)
    rise = wall.top - wall.bottom
    if one is None or one is not two:
        return
    if not draft.terrain.low(rise, one) and "trench" not in wall.traits:
        start, end = (one.id, left[0], left[1]), (two.id, right[0], right[1])
        draft.portal("climb", start, end, 2.0 * rise, both=True)


def routes_over(
    state: State,
    mover: Body,
    target: Body,
    forbid: frozenset[str],
    *,
    avoid: Sequence[Body] = (),
    clear_of: Sequence[Body] = (),
    off: Sequence[Body] = (),
    limit: float = math.inf,
    touching: bool = True,
) -> list[Route]:
    """The shortest way of a charger to base contact, or to within 1 inch where contact cannot be
    had, and others as short as far as the search met them; none if nothing leads there.

    avoid: enemies whose 1-inch zones are kept out of. clear_of: models whose bases are. off: models
    that may be crossed, on whose bases it does not end in contact. touching: whether to contact at
    all, if there is a way.
    """
    if flies(mover):
        return flights(state, mover, target)
    straight: list[Route] = []
    if not avoid and not clear_of and not off:
        straight = _straight(state, mover, target, forbid)
        if straight and not straight[0].crossings:
            return straight
    search = _Search(state, mover, target, forbid, avoid, clear_of, off)
    most = min([limit, *(way.length + TOLERANCE for way in straight)])
    for closer in (True, False) if touching else (False,):
        found = search.best(closer, most)
        if straight and (not found or found[0].length > straight[0].length - TOLERANCE):
            return straight
        if found:
            return found if closer else search.till_near(found, limit)
    return []


def does_forbidden(way: Route, forbid: frozenset[str]) -> bool:
    """Whether a way does something that the charger will not do."""
    kinds = {"climb": "climb", "jump": "jump", "drop": "jump_down"}
    for part in way.parts:
        if isinstance(part, Crossing) and kinds[part.kind] in forbid:
            return True
        if "dangerous" in forbid and part.danger is not None:
            return True
    return False


def _straight(state: State, mover: Body, target: Body, forbid: frozenset[str]) -> list[Route]:
    """The straight way, on one level, over steps, down a ledge or over a gap, if nothing is in it,
    or straight up to who stands at an edge. A Jump spares what takes the base to the lip and sets
    it down beyond. None if none is free; two if they are as short."""
    to = contact_of(mover, target)
    ways: list[Route] = []
    tries: list[tuple[Leg, ...]] = []
    if to is not None:
        tries = [(Leg(to=to, how=how),) for how in ("walk", "drop", "jump")]
    if "climb" not in forbid and more_than(target.z - mover.z, LOW_OBSTACLE_IN):
        tries += _up_edges(state, mover, target)
    for legs in tries:
        way = lay(state, mover, legs)
        if way.hits or more_than(abs(way.end.z - target.z), 0.0) or does_forbidden(way, forbid):
            continue
        if not way.crossings and not affords(way.length, math.dist(mover.centre, way.end.xy)):
            continue  # over a slope, beside which it may be shorter
        if keeps_to_table(state, mover, way) and within(beside(mover, target).gap(way.end), 0.0):
            ways.append(way)
        if ways and not way.crossings:
            break
    least = min((way.length for way in ways), default=0.0)
    short = [way for way in ways if affords(way.length, least)]
    return [way for k, way in enumerate(short) if all(_apart(way, o) for o in short[:k])]


def _up_edges(state: State, mover: Body, target: Body) -> Iterator[tuple[Leg, ...]]:
    """Ways straight up beneath an edge, to contact with a target so near it that the base is not
    set down whole before it."""
    surface, r = terrain_of(state).under(target), radius(mover)
    reach = r + radius(target)
    level = surface is not None and surface.ramp is None and surface.outer.circle is None
    for edge in terrain_of(state).storeys.edges(surface) if surface and level else ():
        (ax, ay), (bx, by) = edge.at(0.0), edge.at(1.0)
        far = math.dist((ax, ay), (bx, by))
        ux, uy = (bx - ax) / far, (by - ay) / far
        deep = (ax - target.x) * edge.nx + (ay - target.y) * edge.ny
        least = math.sqrt(max(0.0, reach**2 - (deep - _JUST_IN) ** 2))
        if deep <= 0.0 or deep - r > reach:
            continue
        most = math.sqrt(reach**2 - max(0.0, deep - r) ** 2)
        middle = (target.x - ax) * ux + (target.y - ay) * uy
        aside = (mover.x - ax) * ux + (mover.y - ay) * uy - middle
        for sign in (1.0, -1.0):
            s = sign * min(most, max(0.0 if deep > reach else least, sign * aside))
            x, y = ax + (middle + s) * ux, ay + (middle + s) * uy
            inset = deep - math.sqrt(max(0.0, reach**2 - s**2))
            up = Leg(to=(x - inset * edge.nx, y - inset * edge.ny), how="climb", z=target.z)
            yield Leg(to=(x + r * edge.nx, y + r * edge.ny)), up


def _till_near(way: Route, mover: Body, target: Body) -> Route:
    """A way as far as it first is within 1 inch of a target."""
    near = first_near(way, beside(mover, target), NEAR_IN)
    return way if near is None else way.upto(near.travelled)


# On foot.


def _apart(one: Route, other: Route) -> bool:
    """Whether two ways lead elsewhere from each other, not merely in other parts."""
    ends = [(part.end.x, part.end.y) for part in one.parts]
    return any(other.nearest(p).distance > _ELSEWHERE for p in ends)


def _without(levels: Levels, route: LevelRoute, spots: Iterable[str]) -> Levels | None:
    """The levels without the ledges and gaps that a route takes; None if it takes none.

    spots: links over rims, all of which go if it takes one that was put closer.
    """
    used = {link.partition("@")[0] for link in route.links}
    if not used <= {link.id for link in levels.links} | {way.id for way in levels.portals}:
        used |= {*spots}
    fewer = levels.keeping(lambda way: way.id not in used or way.kind in ("step", "stairs"))
    same = len(fewer.portals) + len(fewer.links) == len(levels.portals) + len(levels.links)
    return None if same else fewer


def _beside_sides(route: LevelRoute) -> LevelRoute:
    """A route that leads over no side of a ramp, without its ties that do."""
    return replace(route, ties=tuple(tie for tie in route.ties if not sides_of(tie)))


class _Search:
    """A search for the shortest way over storeys."""

    def __init__(
        self,
        state: State,
        mover: Body,
        target: Body,
        forbid: frozenset[str],
        avoid: Sequence[Body],
        clear_of: Sequence[Body],
        off: Sequence[Body],
    ) -> None:
        self.state, self.mover, self.target, self.off = state, mover, target, off
        self.forbid = forbid
        self.r = radius(mover)
        self.chart: Chart = chart_of(state, mover, forbid)
        self.discs = list(self._discs(avoid, clear_of))
        self.levels = with_discs(self.chart, [*self.discs, *self._target(0.0)])
        here = terrain_of(state).goes_from(mover)
        start = "" if here is None else here.id
        self.seeker = Seeker((start, mover.x, mover.y), self.r, _WORK)

    def _discs(
        self, avoid: Sequence[Body], clear_of: Sequence[Body]
    ) -> Iterator[tuple[str, str, float, float, float]]:
        """What stands in the way on the levels of the chart: zones, and bases."""
        for others, zone in ((avoid, True), (clear_of, False)):
            for other in others:
                for name, surface in self.chart.surfaces.items():
                    z = surface.height(other.x, other.y)
                    there = self.mover.at(other.x, other.y, z)
                    reach = reach_of(there, other, NEAR_IN) if zone else None
                    if not zone and not more_than(abs(z - other.z), 0.0):
                        reach = self.r + radius(other)
                    if reach is None or surface.depth(other.x, other.y) < -reach:
                        continue
                    yield name, f"{other.id} {zone}", *other.centre, reach - self.r

    def _target(self, step: float) -> Iterator[tuple[str, str, float, float, float]]:
        """The target on levels no more than a step off its own: its base is in the way, but for its
        very border."""
        x, y = self.target.centre
        for name, surface in self.chart.surfaces.items():
            near = surface.ramp is None and surface.depth(x, y) >= -self.r - radius(self.target)
            if near and not more_than(abs(surface.z - self.target.z), step):
                yield name, "the target", x, y, radius(self.target) - _LESS

    def best(self, touching: bool, limit: float) -> list[Route]:
        """The shortest way found, laid, and those that tie with it.

        touching: to base contact, else to within 1 inch.
        Within what a charge may cost the search is exact over all ways; farther targets are sought
        through single places of edges and stairs.
        """
        if self.seeker.start[0] not in self.chart.surfaces:
            return []
        goals = list(self._goals(touching))
        levels, rounded = self.levels, False
        for _ in range(_TRIES if goals else 0):
            route, coarse = self._shortest(levels, goals, limit)
            if route is None:
                return []
            way = self._laid(route)
            onto = way is not None and runs_over(way, beside(self.mover, self.target)) is not None
            if onto and not rounded:
                # Who goes on a level a step below may be on that of the target.
                discs, rounded = [*self.discs, *self._target(LOW_OBSTACLE_IN)], True
                levels = with_discs(self.chart, discs)
                continue
            if way is not None and not onto:
                return self._with_ties(way, route)
            if coarse:
                return []
            # The way as laid does what the rules forbid: seek one without its ledges and gaps.
            fewer = _without(levels, route, self.chart.spots)
            if fewer is None:
                return []
            levels = fewer
        return []

    def till_near(self, ways: Sequence[Route], limit: float) -> list[Route]:
        """Ways as far as they first are within 1 inch of the target; on a slope what is so near is
        an oval, and the shortest way meets its border square."""
        mover, target = self.mover, self.target
        ends = [_till_near(way, mover, target) for way in ways]
        slope = terrain_of(self.state).under(target)
        if slope is None or slope.ramp is None:
            return ends
        for _ in range(_TRIES):
            last = ends[0].parts[-1] if ends[0].parts else None
            if not isinstance(last, Stretch) or last.start.z == last.end.z:
                break
            oval = oval_of(mover, target, slope.ramp)
            nearest = oval.nearest(last.start, slope.ramp.foot)
            centre = oval.circle_met((last.start.xy, nearest), _TOUCHING)
            goal = CircleGoal(*centre, _TOUCHING)
            route, _ = self._shortest(self.levels, [(slope.id, goal)], limit)
            way = None if route is None else self._laid(route)
            way = way and _till_near(way, mover, target)
            if way is None or way.length >= ends[0].length - _NO_NEARER:
                break
            ends = [way]
        return ends

    def _laid(self, route: LevelRoute) -> Route | None:
        """A route as the rules lay it; None if it does what they forbid."""
        legs = [
            leg
            for step in route.steps
            if step.level not in self.chart.air  # one leg with the landing
            for leg in legs_of_step(step, self.levels.level(step.level), heights=False)
        ]
        way = lay(self.state, self.mover, tuple(legs))
        stays = keeps_to_table(self.state, self.mover, way)
        return way if stays and all(hit.clause == "TC-MOVE-11" for hit in way.hits) else None

    def _with_ties(self, way: Route, route: LevelRoute) -> list[Route]:
        """A way and others as short that lead elsewhere."""
        ways = [way]
        for tie in route.ties:
            other = None if tie.runs_beside(route, 0.1 * _ELSEWHERE) else self._laid(tie)
            if other is None or not affords(other.length, way.length):
                continue
            if all(_apart(other, known) for known in ways):
                ways.append(other)
        return ways

    def _shortest(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> tuple[LevelRoute | None, bool]:
        """The shortest route, and whether it is one through single places, which is sought over all
        ways, where there is none within what a charge may cost."""
        near, seeker = min(limit, CHARGE_CAP_IN + 1.0), self.seeker
        best = self._over_rims(levels, goals, near)
        if best is not None or limit <= near:
            return best, False
        towards = (self.mover.centre, self.target.centre)
        # What a limit leaves out takes no time.
        for most in (*(min(limit, times * near) for times in _FARTHER), limit):
            levels, _ = dearer(self.levels.within(seeker.start, goals, most), self.chart.spots)
            coarse = pointed(levels, towards)
            best = seeker.route(coarse, goals, most)
            if best is not None or most == limit:
                break
        return best, True

    def _over_rims(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        """The shortest route, over the best places of the rims that it leads over; over the sides
        of ramps where that spares more than the slope, which nobody walks beside."""
        unsure, start = UNSURE if self.chart.spots else 0.0, self.seeker.start
        # Within little more than the distance first: what is found there is the shortest.
        least = min(limit, self._straight + _DETOUR)
        near, spots = self._near(levels, goals, least + unsure)
        first = self._over_places(near, spots, goals, least)
        if first is None:
            near, spots = self._near(levels, goals, limit + unsure)
            first = self._over_places(near, spots, goals, limit + unsure)
        sides = sides_of(first) if first else frozenset[str]()
        near = near.keeping(lambda way: way.kind != SIDE or side_of(way.id) in sides)
        if not sides and not any(link.id in spots for link in near.links):
            return _beside_sides(first) if first and first.cost <= limit else None
        if first:
            limit = min(limit, first.cost + TOLERANCE)
            near = near.within(start, goals, limit + unsure)
        return self._over_best(near, spots, goals, limit)

    def _near(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> tuple[Levels, Spots]:
        """The levels as far as a route within a limit may lead, and their spots."""
        near, spots = levels.within(self.seeker.start, goals, limit), self.chart.spots
        if not spots:
            return near, spots
        return straight_over(near, spots, self.mover.centre, self.target.centre)

    def _over_places(
        self, levels: Levels, spots: Spots, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        """The shortest route over the places that were first put on rims and sides of ramps."""
        first = self.seeker.route(levels, goals, limit)
        if first is None or not any(step.kind == SIDE for step in first.steps):
            return first
        straight = first.cost - self._straight <= _NO_NEARER
        if straight or only_crosses(first, self.seeker.start[0], self.chart):
            return first
        return self.seeker.route(dearer(levels, spots)[0], goals, limit)

    def _over_best(
        self, levels: Levels, spots: Spots, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        least = self._straight

        def descend(levels: Levels, descent: Descent) -> Found | None:
            more: Levels | None = levels
            while more is not None:
                route = self.seeker.route(more, goals, descent.limit)
                if route is None or not descent.take(route):
                    break
                if abs(route.cost - least) <= _NO_NEARER:
                    break
                more = descent.closer(more, route)
            return descent.best

        return over_rims(levels, spots, limit, descend, least)

    @property
    def _straight(self) -> float:
        """How long a straight way on the plan to base contact is."""
        far = math.dist(self.mover.centre, self.target.centre)
        return far - radius(self.mover) - radius(self.target)

    def _goals(self, touching: bool) -> Iterator[tuple[str, Goal]]:
        target = self.target
        for surface in self.chart.surfaces.values():
            z = surface.height(target.x, target.y)
            if touching:
                if surface.ramp is not None or more_than(abs(z - target.z), 0.0):
                    continue
                reach: float | None = self.r + radius(target)
            elif surface.ramp is not None and not more_than(abs(z - target.z), 0.0):
                reach = oval_of(self.mover, target, surface.ramp).inner
            else:
                reach = reach_of(self.mover.at(target.x, target.y, z), target, NEAR_IN)
            if reach is not None and surface.depth(target.x, target.y) >= -reach:
                shut = (*self._shut(reach), *self._steps(surface, reach)) if touching else ()
                yield surface.id, CircleGoal(target.x, target.y, reach, shut=shut)

    def _shut(self, reach: float) -> tuple[tuple[float, float], ...]:
        """Angles of the circle about the target at which the base would be on another."""
        target = self.target
        found = [
            Disc(other.x, other.y, self.r + radius(other))
            for other in self.off
            if not more_than(abs(other.z - target.z), 0.0)
        ]
        if not found:
            return ()
        there = self.mover.at(target.x, target.y, target.z)
        circle = Disc(target.x, target.y, reach)
        return tuple(level_routes(self.state, self.mover).shut(there, circle, found))

    def _steps(self, surface: Surface, reach: float) -> Iterator[tuple[float, float]]:
        """Angles of the circle about the target at which a base on a surface would be on another, a
        step above or below it: by more than a hair, as a way may end where the step is."""
        terrain, (x, y) = terrain_of(self.state), self.target.centre
        circle, hair = Arc(x, y, reach, 0.0, math.tau), 4.0 * TOLERANCE
        for other in terrain.storeys.near(box_of(circle, 0.0)):
            if other is surface or other.ramp is not None:
                continue
            if not terrain.low(abs(other.z - surface.z), surface, other):
                continue
            top = max(other, surface, key=lambda it: it.z)
            for begin, end in pairwise(sorted(top.marks(circle, 0.0))):
                middle = circle.at(0.5 * (begin + end))
                on_top = overlaps(top.depth(*middle)) and terrain.off_rim(top, *middle) is top
                if on_top is (top is other):
                    yield (begin - hair) / reach, (end + hair) / reach
