"""The shortest way of a charge over storeys and through the air (G-20 in three dimensions).

A route is searched for on the chart of the table and then laid like any other path, so that what
it costs and meets is measured by the same code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, affords, more_than
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.trench_crusade.charts import chart_of
from tapeline.rules.trench_crusade.figures import CHARGE_CAP_IN, NEAR_IN
from tapeline.rules.trench_crusade.going import lay
from tapeline.rules.trench_crusade.ground import Disc, ground_of
from tapeline.rules.trench_crusade.measures import reach_of
from tapeline.rules.trench_crusade.policy import terrain_of
from tapeline.rules.trench_crusade.state import flies, height, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.travel.chart import Chart, with_discs
from tapeline.travel.route import Crossing, Route
from tapeline.travel.search import Seeker, legs_of, pointed

__all__ = ["does_forbidden", "routes_over"]

Point: TypeAlias = tuple[float, float]

#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-7
#: Inches between two ways that are not the same.
_ELSEWHERE = 1e-3
#: Legs that one search may make.
_WORK = 200_000
#: Searches tried for one route.
_TRIES = 6


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
        way = _flight(state, mover, target)
        return [] if way is None else [way]
    if not avoid and not clear_of and not off:
        straight = _straight(state, mover, target, forbid)
        if straight is not None:
            return [straight]
    search = _Search(state, mover, target, forbid, avoid, clear_of, off)
    for closer in (True, False) if touching else (False,):
        found = search.best(closer, limit)
        if found:
            return found
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


def _contact(mover: Body, target: Body) -> Point | None:
    """Where the straight line to a target comes to base contact on the plan."""
    reach = radius(mover) + radius(target)
    d = math.dist(mover.centre, target.centre)
    if d <= reach:
        return None
    k = (d - reach) / d
    return mover.x + k * (target.x - mover.x), mover.y + k * (target.y - mover.y)


def _straight(state: State, mover: Body, target: Body, forbid: frozenset[str]) -> Route | None:
    """The straight way on one level, if nothing is in it."""
    to = _contact(mover, target)
    if to is None or more_than(abs(mover.z - target.z), 0.0):
        return None
    way = lay(state, mover, (Leg(to=to),))
    if way.hits or does_forbidden(way, forbid):
        return None
    return way if affords(way.length, math.dist(mover.centre, to)) else None


# Through the air.


def _flight(state: State, mover: Body, target: Body) -> Route | None:
    """The straight way through the air; else the shorter of the way over and the way round."""
    to = _contact(mover, target)
    if to is None:
        to = mover.centre
    direct = lay(state, mover, (Leg(to=to, z=target.z, how="fly"),))
    if not direct.hits:
        return direct
    found = [_over(state, mover, to, target.z)]
    if not more_than(abs(mover.z - target.z), 0.0):
        goal = Disc(target.x, target.y, radius(mover) + radius(target))
        round_it = ground_of(state).routes_to(mover, mover.centre, goal)
        found += [lay(state, mover, track.legs) for track in round_it]
    ways = [way for way in found if not way.hits]
    return min(ways, key=lambda way: way.length, default=None)


def _over(state: State, mover: Body, to: Point, z: float) -> Route:
    """The shortest line in the upright plane of the straight way that goes over all that stands
    in it."""
    line, heights, r = Line(*mover.centre, *to), terrain_of(state), radius(mover)
    profile = [(0.0, mover.z), (line.length, z)]
    high, tall = max(mover.z, z), height(mover)
    for o in heights.beside(box_of(line, r), mover.z, tall):
        if o.bottom >= high + tall:
            continue
        for begin, end in o.ground.spans_near(line, r):
            profile += [(begin, o.top), (end, o.top)]
    hull: list[tuple[float, float]] = []
    for s, top in sorted(profile):
        while hull and hull[-1][0] == s and hull[-1][1] <= top and len(hull) > 1:
            hull.pop()
        while len(hull) > 1:
            (a, za), (b, zb) = hull[-2], hull[-1]
            if (b - a) * (top - za) - (zb - za) * (s - a) < 0.0:
                break
            hull.pop()
        if not hull or hull[-1][0] != s or top > hull[-1][1]:
            hull.append((s, top))
    legs = [Leg(to=line.at(s), z=top, how="fly") for s, top in hull[1:]]
    return lay(state, mover, tuple(legs))


# On foot.


def _apart(one: Route, other: Route) -> bool:
    """Whether two ways lead elsewhere from each other, not merely in other parts."""
    ends = [(part.end.x, part.end.y) for part in one.parts]
    return any(other.nearest(p).distance > _ELSEWHERE for p in ends)


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
        self.levels = with_discs(self.chart, self._discs(avoid, clear_of))
        here = terrain_of(state).under(mover)
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
                    more = 3.0 * TOLERANCE if zone else 0.0
                    yield name, f"{other.id} {zone}", *other.centre, reach - self.r + more
        # Nobody lands on the target: its base is in the way, but for its very border.
        for name, surface in self.chart.surfaces.items():
            x, y = self.target.centre
            near = surface.ramp is None and surface.depth(x, y) >= -self.r - radius(self.target)
            if near and not more_than(abs(surface.z - self.target.z), 0.0):
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
        levels = self.levels
        for _ in range(_TRIES if goals else 0):
            route = self._shortest(levels, goals, limit)
            if route is None:
                return []
            way = self._laid(route)
            if way is not None:
                return self._with_ties(way, route)
            # The way as laid does what the rules forbid: seek one without its ledges and gaps.
            used = {link.partition("@")[0] for link in route.links}
            portals = [
                p for p in levels.portals if p.id not in used or p.kind in ("step", "stairs")
            ]
            links = [link for link in levels.links if link.id not in used]
            if len(portals) == len(levels.portals) and len(links) == len(levels.links):
                return []
            levels = Levels(levels.levels, links, portals)
        return []

    def _laid(self, route: LevelRoute) -> Route | None:
        """A route as the rules lay it; None if it does what they forbid."""
        legs = [
            leg
            for step in route.steps
            if step.level not in self.chart.air  # one leg with the landing
            for leg in legs_of(step, self.levels.level(step.level), heights=False)
        ]
        way = lay(self.state, self.mover, tuple(legs))
        return None if any(hit.clause != "TC-MOVE-11" for hit in way.hits) else way

    def _with_ties(self, way: Route, route: LevelRoute) -> list[Route]:
        """A way and others as short that lead elsewhere."""
        ways = [way]
        for tie in route.ties:
            other = self._laid(tie)
            if other is None or not affords(other.length, way.length):
                continue
            if all(_apart(other, known) for known in ways):
                ways.append(other)
        return ways

    def _shortest(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        """The shortest route. What is quickly found bounds what must be looked at: the way on the
        level itself, then ways through single places."""
        near = min(limit, CHARGE_CAP_IN + 1.0)
        ends = (self.mover.centre, self.target.centre)
        best: LevelRoute | None = None
        seeker, here = self.seeker, self.seeker.start[0]
        if any(level == here for level, _ in goals):
            same = [goal for goal in goals if goal[0] == here]
            best = seeker.route(Levels([levels.level(here)]), same, near)
        bound = near if best is None else best.cost
        levels = levels.within(seeker.start, goals, bound)
        if levels.portals:
            coarse = seeker.route(pointed(levels, ends), goals, bound)
            if coarse is not None and (best is None or coarse.cost < best.cost):
                best, bound = coarse, coarse.cost
                levels = levels.within(seeker.start, goals, bound)
        if levels.portals or levels.links:
            exact = seeker.route(levels, goals, bound)
            if exact is not None and (best is None or exact.cost < best.cost):
                best = exact
        if best is None and limit > near:
            best = seeker.route(pointed(self.levels, ends), goals, limit)
        return best

    def _goals(self, touching: bool) -> Iterator[tuple[str, Goal]]:
        target = self.target
        for surface in self.chart.surfaces.values():
            z = surface.height(target.x, target.y)
            if touching:
                if surface.ramp is not None or more_than(abs(z - target.z), 0.0):
                    continue
                reach: float | None = self.r + radius(target)
            else:
                reach = reach_of(self.mover.at(target.x, target.y, z), target, NEAR_IN)
            if reach is not None and surface.depth(target.x, target.y) >= -reach:
                shut = self._shut(reach) if touching else ()
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
        return tuple(ground_of(self.state).shut(there, circle, found))
