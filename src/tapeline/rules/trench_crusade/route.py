"""The shortest way of a charge over storeys and through the air (G-20 in three dimensions).

A route is searched for on the chart of the table and then laid like any other path, so that what
it costs and meets is measured by the same code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise

from tapeline.engine.kept import Kept
from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, same, within
from tapeline.engine.paths import Leg, Place
from tapeline.engine.prefix import end_of
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.plane.distance import Ring
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.rules.trench_crusade.book import CHARGE_CAP_IN, JUMP_SHARE, NEAR_IN
from tapeline.rules.trench_crusade.contacts import (
    Landing,
    LeapTouch,
    RimTouch,
    Touch,
    by_ladders,
    contact_of,
    edge_contacts,
    flights,
    in_contact,
    oval_of,
)
from tapeline.rules.trench_crusade.ground import chart_of, level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import (
    SKIRTED_IN,
    base_of,
    beside,
    gap,
    met_before,
    reach_of,
)
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, movement, radius
from tapeline.rules.trench_crusade.walker import enters_danger, keeps_to_table, lay
from tapeline.table.bodies import Body
from tapeline.table.marks import EMPTY
from tapeline.table.outlines import grown
from tapeline.table.solids import box_of
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart, Corner, ring_of, with_discs
from tapeline.travel.corners import best_climb, over_corners
from tapeline.travel.draft import SPECK
from tapeline.travel.gaps import Jumper, crossed_straight, from_lips, leap_over, without_gaps
from tapeline.travel.level_routes import Disc
from tapeline.travel.nearness import first_near, runs_over
from tapeline.travel.ramp_sides import (
    SIDE,
    dearer,
    only_crosses,
    side_of,
    sides_at_ends,
    sides_of,
)
from tapeline.travel.rim_search import UNSURE, Spot, Spots, over_rims, straight_over
from tapeline.travel.rims import LEAP, Passage
from tapeline.travel.route import Crossing, Route, Stretch
from tapeline.travel.search import CORNER, Seeker, legs_of_step, ways_of
from tapeline.travel.slopes import inch_on
from tapeline.travel.taut import JUMPED, taut

__all__ = ["does_forbidden", "routes_over"]


#: Length by which a target is smaller than it is, so that its border can be come to.
_LESS = 5e-8
#: Inches between two ways that are not the same.
_ELSEWHERE = 1e-3
#: Legs that one search may make.
_WORK = 200_000
#: Inches by which a way to a target is sought to be longer than its distance at first.
_DETOUR = 1.5
#: How many times what a charge may cost far targets are sought within before the whole table is.
_FARTHER = (1.15, 1.4, 2.0)
#: Searches tried for one route.
_TRIES = 6
#: Other routes looked at whose jumps may cost less than they seem.
_OTHERS = 3
#: Legs laid for one way found, at most: two corners are brought nearer to their best in turn.
_LAID = 24
#: Rounds in which climbs are brought to their best.
_ROUNDS = 60
#: Portals that lead straight up or down, and what names a piece of one.
_UPRIGHT, _PIECE = ("climb", "drop"), "#"
#: How legs over an edge lead straight on beyond it.
_STRAIGHT = ("drop", "jump")
#: Radius of the circle that a way to a target on a slope is sought to.
_TOUCHING = 0.5
#: Inches off the edge of a top at which nobody is on it.
_HAIR = 4.0 * TOLERANCE
#: Length by which a way must be shorter to be another.
_NO_NEARER = 1e-9
#: Levels of charts where ways over the sides of ramps cost what they may spare.
_DEAR = Kept(16)
#: Routes that were sought last with nobody else in the way, by table.
_ROUTES = Kept(256)


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
    seek = partial(_sought, state, mover, target, forbid, limit, touching)
    if avoid or clear_of or off:
        return seek(avoid, clear_of, off)
    # All that it depends on: where others go, and what happens to these two, changes nothing.
    able = movement(state, mover), may_leave_table(mover)
    one, other = (replace(body, marks=EMPTY, _digest=[]) for body in (mover, target))
    key = one, other, able, state.options, forbid, limit, touching
    return [*_ROUTES.once(state.table, key, seek)]


def _sought(
    state: State,
    mover: Body,
    target: Body,
    forbid: frozenset[str],
    limit: float,
    touching: bool,
    avoid: Sequence[Body] = (),
    clear_of: Sequence[Body] = (),
    off: Sequence[Body] = (),
) -> list[Route]:
    if flies(mover):
        return flights(state, mover, target)
    if not avoid and not clear_of and not off:
        direct = _direct(state, mover, target, forbid)
        if direct is not None:
            return [direct]
    search = _Search(state, mover, target, forbid, avoid, clear_of, off)
    for closer in (True, False) if touching else (False,):
        found = search.best(closer, limit)
        if found:
            return found if closer else search.till_near(found, limit)
    return []


def does_forbidden(state: State, mover: Body, way: Route, forbid: frozenset[str]) -> bool:
    """Whether a way does something that the charger will not do. Leaving the Dangerous ground that
    it stands in is no going into any."""
    kinds = {"climb": "climb", "jump": "jump", "drop": "jump_down"}
    for part in way.parts:
        if isinstance(part, Crossing):
            down = part.kind == "jump" and more_than(part.rise, 0.0)  # a Jump Down too
            if kinds[part.kind] in forbid or (down and "jump_down" in forbid):
                return True
    return "dangerous" in forbid and enters_danger(state, mover, way) is not None


def _direct(state: State, mover: Body, target: Body, forbid: frozenset[str]) -> Route | None:
    """The straight walk to contact, if nothing is in it: there is none shorter."""
    to = contact_of(mover, target)
    way = None if to is None else lay(state, mover, (Leg(to=to),))
    if (
        to is None
        or way is None
        or way.hits
        or way.crossings
        or does_forbidden(state, mover, way, forbid)
    ):
        return None
    if not within(beside(mover, target).gap(way.end), 0.0):
        return None
    able = affords(way.length, math.dist(mover.centre, to)) and keeps_to_table(state, mover, way)
    return way if able else None


def _till_near(way: Route, mover: Body, target: Body) -> Route:
    """A way as far as it first is within 1 inch of a target; a climb, jump, drop or ladder on which
    it comes so near is taken whole, as nobody stops there."""
    near = first_near(way, beside(mover, target), NEAR_IN)
    if near is None:
        return way
    for before, part in way.marked:
        whole = isinstance(part, Crossing) or part.on_ladder
        passed = before <= near.travelled < before + part.length
        if whole and passed and not within(gap(mover.at(*part.start), target), NEAR_IN):
            till = way.upto(before + part.length)
            return till if within(gap(mover.at(*till.end), target), NEAR_IN) else way
    return way.upto(near.travelled)


# On foot.


def _apart(one: Route, other: Route) -> bool:
    """Whether two ways lead elsewhere from each other, not merely in other parts."""
    ends = [(part.end.x, part.end.y) for part in one.parts]
    return any(other.nearest(p).distance > _ELSEWHERE for p in ends)


def _without_ground(field: Field, ring: Ring) -> Field:
    """A field in which no centre comes into a ring."""
    found: dict[str, list[tuple[float, ...]]] = {"solid": [], "post": [], "ground": []}
    for kind, _, figures, _ in field.things:
        found.setdefault(kind, []).append(figures)
    return Field.of(
        solids=found["solid"],
        posts=[(x, y, r) for x, y, r in found["post"]],
        grounds=[*found["ground"], ring],
        bodies=field.bodies,
        box=field.table,
        compiled=field.compiled,
    )


def _a_hair_off(portal: Portal, top: Surface) -> Portal:
    """A step off a top that ends a hair off its edge."""
    name, ax, ay, bx, by = portal.end
    far = math.hypot(bx - ax, by - ay) / _HAIR
    nx, ny = (by - ay) / far, (ax - bx) / far
    if top.depth(0.5 * (ax + bx) + nx, 0.5 * (ay + by) + ny) > 0.0:
        nx, ny = -nx, -ny
    return portal._replace(id=f"{portal.id} off", end=(name, ax + nx, ay + ny, bx + nx, by + ny))


def _walks_on(leg: Leg) -> bool:
    return leg.how == "walk" and not leg.is_arc


def _beside_sides(route: LevelRoute) -> LevelRoute:
    """A route that leads over no side of a ramp, without its ties that do."""
    return replace(route, ties=tuple(tie for tie in route.ties if not sides_of(tie)))


def _without_jumps(levels: Levels, gone: Collection[str], gaps: Collection[str]) -> Levels:
    """The levels without some ways, and without straight jumps over some gaps."""
    return levels.keeping(lambda way: way.id not in gone and leap_over(way.id) not in gaps)


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
        self.avoid = avoid
        self.base = base_of(state, mover, target)
        self.clear_of = [base_of(state, mover, other) for other in clear_of]
        self.forbid = forbid
        self.r = radius(mover)
        self.widest = JUMP_SHARE * movement(state, mover)
        self.chart: Chart = chart_of(state, mover, forbid)
        self.shut: set[str] = set()
        self.known: list[Spot] = []
        self.discs = list(self._discs(avoid, clear_of))
        taken = self._shut(self.r + radius(target), avoid, (*clear_of, *off))
        self.met: list[Touch | RimTouch | LeapTouch | Landing] = []
        self.on_rims: dict[Link, Spot] = {}
        for met in edge_contacts(self.chart, mover, target, taken):
            spots = met.spots() if isinstance(met, RimTouch | LeapTouch) else None
            if spots is None or spots:
                self.met.append(met)
                self.on_rims |= spots or {}
        self.ladders = list(by_ladders(self.chart, mover, target, CHARGE_CAP_IN))
        self.spots = {**self.chart.spots, **{k.id: spot for k, spot in self.on_rims.items()}}
        here = terrain_of(state).goes_from(mover)
        start = "" if here is None else here.id
        self.seeker = Seeker((start, mover.x, mover.y), self.r, _WORK)
        on, apart = terrain_of(state).under(target), self.r + radius(target)
        clear = "" if on is None else on.id, target.x, target.y, apart
        self.jumper = Jumper(
            self.chart,
            self.r,
            height(mover),
            self.widest,
            self.r,
            1.0,
            self.seeker.start,
            clear,
            {},
        )
        self.levels = self._with(self.chart)

    def _discs(
        self, avoid: Sequence[Body], clear_of: Sequence[Body]
    ) -> Iterator[tuple[str, str, float, float, float]]:
        """What stands in the way on the levels of the chart: zones, and bases."""
        for others, zone in ((avoid, True), (clear_of, False)):
            for other in others:
                for name, surface in self.chart.surfaces.items():
                    if zone and surface.ramp is not None:
                        continue
                    z = surface.height(other.x, other.y)
                    there = self.mover.at(other.x, other.y, z)
                    reach = reach_of(there, other, NEAR_IN) if zone else None
                    if not zone and not more_than(abs(z - other.z), 0.0):
                        reach = self.r + radius(other)
                    if reach is None or surface.depth(other.x, other.y) < -reach:
                        continue
                    yield name, f"{other.id} {zone}", *other.centre, reach - self.r

    def _target(self) -> Iterator[tuple[str, str, float, float, float]]:
        """The target on levels of its height: its base is in the way, but for its very border."""
        x, y = self.target.centre
        for name, surface in self.chart.surfaces.items():
            near = surface.ramp is None and surface.depth(x, y) >= -self.r - radius(self.target)
            if near and not more_than(abs(surface.z - self.target.z), 0.0):
                yield name, "the target", x, y, radius(self.target) - _LESS

    def _by_steps(self) -> Levels:
        """The levels without what of those a step below lies under what the target stands on; a
        hair off that they lead up to it."""
        levels, terrain = self.levels, self.chart.terrain
        top = terrain.under(self.target)
        if top is None:
            return levels
        lower: set[str] = set()
        for name, surface in self.chart.surfaces.items():
            rise = self.target.z - surface.z
            if surface.ramp is None and more_than(rise, 0.0) and terrain.low(rise, surface, top):
                ring, field = grown(ring_of(top.outer), _HAIR), levels.level(name).field
                levels = levels.with_field(name, _without_ground(field, ring))
                lower.add(name)
        steps = [
            portal
            for portal in levels.portals
            if portal.kind == "step" and portal.start[0] == top.id and portal.end[0] in lower
        ]
        levels = levels.keeping(lambda way: way not in steps)
        return levels.with_more(portals=[_a_hair_off(portal, top) for portal in steps])

    @cached_property
    def _dear(self) -> Levels:
        """The levels where ways over the sides of ramps cost what they may spare."""
        chart = self.chart
        work = partial(dearer, chart.levels, chart.spots)
        return self._with(replace(chart, levels=_DEAR.once(chart.levels, None, work)[0]))

    def _with(self, chart: Chart) -> Levels:
        """The levels of the chart with what is in the way, and what leads over edges to contact."""
        portals = [it.portal for it in self.met if isinstance(it, Touch)]
        levels = with_discs(chart, [*self.discs, *self._target()])
        links = [*self.ladders, *self.on_rims, *from_lips(levels, self.seeker.start, self.r)]
        if portals or links:
            levels = levels.with_more(
                [in_contact(self.target.z)] if portals or self.on_rims else (), links, portals
            )
        return self._off_zones(self._off_slopes(levels)) if self.avoid else levels

    def _off_slopes(self, levels: Levels) -> Levels:
        """The levels without what of their slopes is within 1 inch of an enemy who is kept out of,
        as straight legs lead round it."""
        for name, surface in self.chart.surfaces.items():
            if surface.ramp is None:
                continue
            for enemy in self.avoid:
                met = beside(self.mover, enemy)
                ring = inch_on(surface.ramp, enemy.centre, met.room, met.low, NEAR_IN)
                if ring:
                    level = levels.level(name)
                    own = tuple(v for place in ring for v in level.own(*place))
                    levels = levels.with_field(name, _without_ground(level.field, own))
        return levels

    def _off_zones(self, levels: Levels) -> Levels:
        """The levels without what of their ways up and down leads through the inch of an enemy who
        is kept out of: he may be near between the levels only."""
        shut, pieces = set[str](), list[Portal]()
        for link in levels.links:
            (here, ax, ay), (there, bx, by) = link.start, link.end
            at = Line(ax, ay, bx, by)
            if at.length == 0.0 and self._met_on(levels, here, at, there, at):  # it leans nowhere
                shut.add(link.id)
        for portal in levels.portals:
            (here, *_), (there, *_) = portal.start, portal.end
            one, two, begin = Line(*portal.start[1:]), Line(*portal.end[1:]), 0.0
            met = self._met_on(levels, here, one, there, two) if portal.kind in _UPRIGHT else []
            if not met:
                continue
            shut.add(portal.id)
            for number, (s, t) in enumerate([*met, (one.length, one.length)]):
                if s - begin > SPECK:
                    start, end = (here, *one.part(begin, s)), (there, *two.part(begin, s))
                    name = f"{portal.id}{_PIECE}{number}"
                    pieces.append(portal._replace(id=name, start=start, end=end))
                begin = max(begin, t)
        if not shut:
            return levels
        return levels.keeping(lambda way: way.id not in shut).with_more(portals=pieces)

    def _met_on(
        self, levels: Levels, here: str, one: Line, there: str, two: Line
    ) -> list[tuple[float, float]]:
        """From where to where along a way from one level to another it leads through the inches of
        enemies, straight up or down at its lower end; in order."""
        ends = (levels.level(here), one), (levels.level(there), two)
        (low, foot), (high, _) = sorted(ends, key=lambda end: end[0].height)
        if low.slope or high.slope or not more_than(high.height - low.height, 0.0):
            return []
        ux = uy = 0.0
        if foot.length > 0.0:
            ux, uy = (foot.bx - foot.ax) / foot.length, (foot.by - foot.ay) / foot.length
        found = []
        for enemy in self.avoid:
            met = beside(self.mover, enemy)
            reach = met.reach(min(max(met.low, low.height), high.height), NEAR_IN)
            dx, dy = enemy.x - foot.ax, enemy.y - foot.ay
            along = dx * ux + dy * uy
            off = math.hypot(dx - along * ux, dy - along * uy)
            if reach is not None and off < reach:
                half = math.sqrt(reach * reach - off * off)
                begin, end = max(0.0, along - half), min(foot.length, along + half)
                if begin < end or foot.length == 0.0:
                    found.append((begin, end))
        return sorted(found)

    def best(self, touching: bool, limit: float) -> list[Route]:
        """The shortest way found, laid, and those that tie with it.

        touching: to base contact, else to within 1 inch.
        Within what a charge may cost the search is exact over all ways; farther targets are sought
        through single places of edges and stairs.
        """
        if self.seeker.start[0] not in self.chart.surfaces:
            return []
        goals = list(self._goals(touching))
        levels, rounded, aslant, least = self.levels, False, False, 0.0
        self.shut = set()
        best, self.known, dear = list[Route](), [], None
        for _ in range(_TRIES if goals else 0):
            self.jumper = self.jumper._replace(aslant=aslant)
            route, coarse = self._shortest(levels, goals, limit, least)
            if route is None:
                fewer = None if dear is None else self._without(levels, dear, corners=True)
                if fewer is None:
                    break
                levels, dear = fewer, None
                continue
            least = route.cost
            known, self.known = self.known, []
            way = self._laid(route, goals)
            onto = way is not None and runs_over(way, self.base) is not None
            if onto and not rounded:
                # Who goes over what the target stands on is on it too: up to it only by its edges.
                levels, rounded = self._by_steps(), True
                continue
            if way is not None and not onto:
                if not best or way.length < best[0].length - TOLERANCE:
                    best = self._with_ties(way, route, goals)
                # Jumps aslant cost less than they were planned to: others may be shorter.
                limit = min(limit, best[0].length)
                near = None if coarse or aslant else self._over_jumps(levels, goals, limit)
                if near is not None:
                    # What it leads over is known, if it is not dearer than planned.
                    dear = None if affords(best[0].length, route.cost) else route
                    levels, aslant, least, self.known = near, True, 0.0, known
                    continue
                if affords(best[0].length, route.cost):
                    return best
            if coarse:
                # Far off a gap that nobody may jump so is gone round, at the second try all are.
                gaps = {step.level for step in route.steps if step.level in self.chart.gaps}
                if way is not None or not gaps:
                    break
                self.shut |= {*self.chart.gaps} if self.shut else gaps
                least = math.inf  # within what a charge may cost there was none
                continue
            # The way as laid does what the rules forbid: seek one without its ledges and gaps. What
            # is dearer than planned is so by its corners: seek one without these.
            fewer = self._without(levels, route, corners=way is not None and not onto)
            if fewer is None:
                break
            levels = fewer
        return best

    def _over_jumps(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> Levels | None:
        """The levels as far as a route within a limit leads; None if it leads over no gap."""
        near = levels.within(self.seeker.start, goals, limit + UNSURE)
        return near if any(level.id in self.chart.gaps for level in near.levels) else None

    def _without(self, levels: Levels, route: LevelRoute, corners: bool) -> Levels | None:
        """The levels without the ledges and gaps that a route takes; None if it takes none.

        corners: whether, if it climbs over corners, these alone go.
        """
        over = {step.link for step in route.steps if corners and step.kind == CORNER}
        gaps = {leap_over(link) for link in over or route.links} & self.chart.gaps.keys()
        used = {it.partition("@")[0] for it in over or route.links if leap_over(it) not in gaps}
        if not used <= {link.id for link in levels.links} | {way.id for way in levels.portals}:
            used |= {*self.spots}  # one that was put closer
        fewer = without_gaps(levels, gaps).keeping(
            lambda way: way.id not in used or way.kind in ("step", "stairs")
        )
        same = len(fewer.portals) + len(fewer.links) == len(levels.portals) + len(levels.links)
        return None if same else fewer

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
            way = None if route is None else self._laid(route, [(slope.id, goal)])
            way = way and _till_near(way, mover, target)
            if way is None or way.length >= ends[0].length - _NO_NEARER:
                break
            ends = [way]
        return ends

    def _laid(self, route: LevelRoute, goals: Sequence[tuple[str, Goal]]) -> Route | None:
        """A route as the rules lay it, over the inner corners that it turns where that is shorter:
        nobody goes out of his way to a jump because less of it counts. None if it does what they
        forbid."""
        way = self._pulled(route, goals, {})
        if way is None or "jump" in self.forbid:
            return way
        find = partial(self._route_on, goals)
        over = over_corners(self.jumper, self.levels, self.seeker, goals, route, find)
        other = over and self._pulled(over[0], goals, over[1])
        return other if other and other.length < way.length else way

    def _route_on(
        self, goals: Sequence[tuple[str, Goal]], levels: Levels, limit: float
    ) -> LevelRoute | None:
        return self.seeker.route(levels, goals, limit)

    def _pulled(
        self, route: LevelRoute, goals: Sequence[tuple[str, Goal]], corners: Mapping[str, Corner]
    ) -> Route | None:
        """A route as the rules lay it, pulled taut where that is shorter; None if it does what they
        forbid. corners: that it jumps over, by its links."""
        legs: list[Leg] = []
        for step in route.steps:
            if step.level not in self.chart.air:  # one leg with the landing
                legs += self._legs_of(step, self.levels.level(step.level))
            elif step is route.steps[-1]:
                legs.append(Leg(to=step.at, how="drop"))
        ways = [lay(self.state, self.mover, tuple(legs))]
        met = beside(self.mover, self.target)
        others: list[Sequence[Leg]] = []
        if any(step.kind in JUMPED for step in route.steps):
            others += self._taut(route, goals, corners)
        first = legs[0].to if [leg.how for leg in legs[:2]] == ["walk", "climb"] else None
        if first is not None and math.dist(self.mover.centre, first) < self.r:
            others.append(legs[1:])  # from where it is, nearer than a base to the ledge
        over = [k for k, leg in enumerate(legs) if leg.how != "walk"]
        if len(over) == len(ways[0].crossings):
            less = list(legs)  # climbs from where the base comes to what is climbed
            for k, crossing in zip(over, ways[0].crossings, strict=True):
                if legs[k].how == "climb" and k > 0 and legs[k - 1].to is not None:
                    less[k - 1] = replace(legs[k - 1], to=crossing.start.xy)
                    less[k] = replace(legs[k], to=crossing.end.xy, z=crossing.end.z)
            others.append(less)
        goal, tried = goals[route.goal][1], {tuple(legs)}
        queue = [(it, True) for it in self._at_best_places(legs, ways[0], goal)]
        queue += ((tuple(it), False) for it in others)
        for more, settled in queue:
            if more in tried or len(tried) > _LAID:
                continue
            tried.add(more)
            way = lay(self.state, self.mover, more)
            if not settled:
                queue += ((it, True) for it in self._at_best_places(more, way, goal))
            near = not self.off and within(met.gap(way.end), met.gap(ways[0].end))
            if near or math.dist(way.end, ways[0].end) <= TOLERANCE:
                ways.append(way)
        able = [way for way in ways if self._may_go(way)]
        if not able:
            aside = self._a_hair_aside(legs, ways[0])
            able = [aside] if self._may_go(aside) else []
        # Nobody turns aside for more of a jump's line to be free.
        bent = (
            ways[0] if any(isinstance(self._touch(it), LeapTouch) for it in route.steps) else None
        )
        # Who could not stop there would go back to before the edge.
        return min(able, key=lambda way: (bool(way.hits), way is bent, way.length), default=None)

    def _may_go(self, way: Route) -> bool:
        """Whether a way keeps to the table and does nothing that the rules forbid."""
        return (
            keeps_to_table(self.state, self.mover, way)
            and not does_forbidden(self.state, self.mover, way, self.forbid)
            and all(hit.clause == "TC-MOVE-11" for hit in way.hits)
            and all(runs_over(way, base) is None for base in self.clear_of)
            and not self._met(way)
        )

    def _met(self, way: Route) -> bool:
        """Whether a way leads through the inch of an enemy who is kept out of."""
        if not self.avoid:
            return False
        return bool(met_before(self.mover, self.target, way, self.avoid, SKIRTED_IN)[1])

    def _a_hair_aside(self, legs: Sequence[Leg], way: Route) -> Route:
        """The way over edges a hair beside where they were crossed, as far as it leads farther so:
        at the very end of an edge there may be nothing to climb or to jump over."""
        k, (x, y, _) = 1, end_of((*self.mover.centre, 0.0), (legs[0],))
        while k < len(legs):
            to, end = legs[k].to, end_of((x, y, 0.0), (legs[k],))[:2]
            if way.hits and legs[k].how != "walk" and to is not None and to != (x, y):
                apart = math.dist((x, y), to) / _HAIR
                dx, dy = (y - to[1]) / apart, (to[0] - x) / apart
                # What turns round a corner stays, and leads straight aside beyond.
                first = k if legs[k - 1].to is None else k - 1
                come = Leg(to=(x, y)) if first == k else legs[first]
                for ax, ay in ((dx, dy), (-dx, -dy)):
                    begins = replace(come, to=(x + ax, y + ay))
                    ends = replace(legs[k], to=(to[0] + ax, to[1] + ay))
                    beside = [*legs[:first], begins, ends, *legs[k + 1 :]]
                    other = lay(self.state, self.mover, tuple(beside))
                    if not other.hits or other.length > way.length + TOLERANCE:
                        legs, way, k, end = beside, other, first + 1, (to[0] + ax, to[1] + ay)
                        break
            k, (x, y) = k + 1, end
        return way

    def _at_best_places(
        self, legs: Sequence[Leg], way: Route, goal: Goal
    ) -> Iterator[tuple[Leg, ...]]:
        """The same legs with every climb where the whole way is shortest, straight on: over a face
        or over a corner where faces meet, where a base may climb in any direction between their
        normals.

        Ways of the chart up a face end at its corners, and each is sought for itself; here all are
        brought to their best in turn until none gains (coordinate descent): over corners alone,
        over faces too, and with the last climb straight to contact.
        """
        if all(leg.how != "climb" for leg in legs):
            return
        for faces, touching in ((False, False), (True, False), (True, True)):
            if not touching or legs[-1].how == "climb":
                yield tuple(self._descended(list(legs), way, goal, faces, touching))

    def _descended(
        self, legs: list[Leg], way: Route, goal: Goal, faces: bool, touching: bool
    ) -> list[Leg]:
        places, moved = [(crossing.start, crossing.end) for crossing in way.crossings], math.inf
        for _ in range(_ROUNDS):
            over = [k for k, leg in enumerate(legs) if leg.how != "walk"]
            if moved <= _NO_NEARER or len(over) != len(places):
                break
            moved = 0.0
            for j in reversed(
                range(len(over) if touching or legs[-1].how != "climb" else len(over) - 1)
            ):
                if legs[over[j]].how == "climb":
                    moved = max(moved, self._at_best_place(legs, over[j], places, j, goal, faces))
        return legs

    def _at_best_place(
        self,
        legs: list[Leg],
        k: int,
        places: list[tuple[Place, Place]],
        j: int,
        goal: Goal,
        faces: bool,
    ) -> float:
        """Bring a climb to its best between what is before and after it. How far it ends from where
        it did. faces: whether over faces too, and with the jumps beside it."""
        # What is walked to the face and on from it, round its end perhaps, is made straight.
        first, last, near = k, k + 1, 0.0
        while first and legs[first - 1].how == "walk":
            if first < k and not any(leg.is_arc for leg in legs[first - 1 : first + 1]):
                break
            first -= 1
        come = legs[first - 1].how if first and faces else "walk"
        come = come if come in _STRAIGHT else "walk"
        first -= come != "walk"
        while any(leg.is_arc for leg in legs[last : last + 2]):
            last += 1
        onward = legs[last] if last < len(legs) else legs[k]
        go = onward.how if last < len(legs) else "walk"
        while faces and go in _STRAIGHT and last + 1 < len(legs) and _walks_on(legs[last + 1]):
            last += 1
        before = legs[first - 1].to if first else self.mover.centre
        after = legs[last].to if last < len(legs) else self.target.centre
        if last + 1 == len(legs) and isinstance(goal, CircleGoal):
            after, near = (goal.x, goal.y), goal.radius
        elif last == len(legs):  # it ends in contact
            near = self.r + radius(self.target)
        if go == "climb" or before is None or after is None:
            return 0.0
        if not faces and go != "walk" and (go != "drop" or last + 1 < len(legs)):
            return 0.0
        (start, end), r, heights = places[j], self.r, self.chart.terrain.storeys
        low, high = sorted((start, end), key=lambda place: place.z)
        edges = [
            edge
            for surface in (heights.support(*high, TOLERANCE),)
            if surface is not None and surface.ramp is None
            for edge in heights.edges(surface)
        ]
        best = best_climb(edges, low.xy, before, after, r, low is start, near, faces)
        if best is None:
            return 0.0
        begin, to = best
        on, gone = Line(*to, *after), math.dist(to, end.xy)
        stays = come == "walk" and math.dist(before, begin) <= TOLERANCE
        ahead = [] if stays else [Leg(to=begin, how=come)]
        left = on.length - near
        beyond = [Leg(to=on.at(left), z=onward.z, how=go)] if left > TOLERANCE else []
        legs[first : last + 1] = [*ahead, replace(legs[k], to=to), *beyond]
        places[j] = Place(*begin, start.z), Place(*to, end.z)
        return gone

    def _touch(self, step: Step) -> Touch | RimTouch | LeapTouch | None:
        """What a step leads over to contact, if it does."""
        name = step.link.partition("@")[0].partition(_PIECE)[0]
        found = (it for it in self.met if isinstance(it, Touch | RimTouch | LeapTouch))
        return next((it for it in found if it.id == name), None)

    def _legs_of(self, step: Step, level: Level) -> Iterable[Leg]:
        """The legs of a step to a level."""
        touch = self._touch(step)
        return legs_of_step(step, level, heights=False) if touch is None else [touch.leg(step.at)]

    def _taut(
        self, route: LevelRoute, goals: Sequence[tuple[str, Goal]], corners: Mapping[str, Corner]
    ) -> Iterator[list[Leg]]:
        """The legs of a route pulled taut, to where it ends and straight at what it ends at."""
        goal = goals[route.goal][1]
        last = next(step for step in reversed(route.steps) if step.link or step.cost > TOLERANCE)
        touch, end = self._touch(last), complex(*last.at)
        ends = [(end, 0.0)]
        if isinstance(touch, LeapTouch):
            ends += ((complex(*place), 0.0) for place in touch.ends())
            ends.append((complex(*touch.target.centre), touch.reach))
        elif isinstance(touch, Touch) and touch.portal.kind not in ("climb", CORNER):
            to, at = touch.leg(last.at).to or last.at, touch.target.centre
            ends = [(complex(*to), 0.0), (complex(*at), touch.reach)]
        elif touch is None and last.level not in self.chart.air and isinstance(goal, CircleGoal):
            ends.append((complex(goal.x, goal.y), goal.radius))
        pulled = partial(taut, route, self.levels, self.chart.air, self.seeker.start)
        lips = {
            step.link: None
            if same(step.cost - corners[step.link].cost, self.widest)
            else (corners[step.link].gap.near, corners[step.link].gap.far)
            for step in route.steps
            if step.link in corners
        } | {
            step.link: lips
            for step in route.steps
            if step.kind == LEAP and (lips := self._lips(step.link))
        }
        for bound in (False, True):
            for it in ends:
                yield pulled(it, self._legs_of, bound=bound, spared=self.r, lips=lips)

    def _lips(self, link: str) -> tuple[Line | Arc, Line | Arc] | None:
        """The edges that a link over a gap leads from and to."""
        gap = self.chart.gaps.get(leap_over(link))
        if gap is not None:
            return gap.near, gap.far
        name = link.partition(" to contact@")[0] if "@" in link else link.rsplit(" ", 2)[0]
        ways = (way for way in self.chart.over_rims if isinstance(way, Passage))
        return next(((w.near.edge, w.far.edge) for w in ways if w.name == name), None)

    def _with_ties(
        self, way: Route, route: LevelRoute, goals: Sequence[tuple[str, Goal]]
    ) -> list[Route]:
        """A way and others as short that lead elsewhere."""
        ways = [way]
        for tie in route.ties:
            other = None if tie.runs_beside(route, 0.1 * _ELSEWHERE) else self._laid(tie, goals)
            if other is None or not affords(other.length, way.length):
                continue
            if all(_apart(other, known) for known in ways):
                ways.append(other)
        return ways

    def _shortest(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float, least: float = 0.0
    ) -> tuple[LevelRoute | None, bool]:
        """The shortest route, and whether it is one through single places, which is sought over all
        ways, where there is none within what a charge may cost.

        least: the shortest over more ways than these."""
        near, seeker = min(limit, CHARGE_CAP_IN + 1.0), self.seeker
        best = None if least > near else self._over_rims(levels, goals, near, least)
        if best is not None or limit <= near:
            return best, False
        towards = (self.mover.centre, self.target.centre)
        # What a limit leaves out takes no time.
        sooner = (times * near for times in _FARTHER) if limit == math.inf else ()
        limits = (*sooner, limit)
        far = without_gaps(self._dear, self.shut) if self.shut else self._dear
        wider = ((far.within(seeker.start, goals, most), most) for most in limits)
        return seeker.through_places(wider, goals, towards), True

    def _over_rims(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float, least: float
    ) -> LevelRoute | None:
        """The shortest route, over the best places of the rims that it leads over; over the sides
        of ramps where that spares more than the slope, which nobody walks beside."""
        unsure, start = UNSURE if self.spots else 0.0, self.seeker.start
        # Within little more than the distance first: what is found there is the shortest.
        for most in sorted({min(limit, max(self._straight, least) + _DETOUR), limit}):
            near, spots = self._near(levels, goals, most + unsure)
            places = partial(self._over_places, goals, most, most < limit)
            first, near, spots = self._crossed(near, spots, places)
            if first is not None:
                break
        sides = sides_of(first) | sides_at_ends(first, near) if first else frozenset[str]()
        near = near.keeping(lambda way: way.kind != SIDE or side_of(way.id) in sides)
        if not sides and not any(link.id in spots for link in near.links):
            return _beside_sides(first) if first and first.cost <= limit else None
        if first:
            limit = min(limit, first.cost + TOLERANCE)
            near = near.within(start, goals, limit + unsure)
        best = partial(self._over_best, goals, limit)
        return crossed_straight(self.jumper, near, spots, best)[0]

    def _crossed(
        self, levels: Levels, spots: Spots, find: Callable[[Levels, Spots], LevelRoute | None]
    ) -> tuple[LevelRoute | None, Levels, Spots]:
        """The shortest route with straight jumps for the gaps that it leads over, and with the
        levels and spots that it was found on.

        Where jumps aslant may cost less than they seem, over other gaps too: those over which the
        next routes lead that take nothing of it, as far as these are not longer by more than that.
        """
        crooked: list[str] = []
        first, near, on = crossed_straight(self.jumper, levels, spots, find, crooked)
        used, other = set[str](), first
        for _ in range(_OTHERS if self.jumper.aslant else 0):
            if first is None or other is None or other.cost > first.cost + UNSURE:
                break
            gaps = [s.level for s in other.steps if s.level in self.chart.gaps]
            if other is not first and gaps:
                crooked += dict.fromkeys(gaps)
                first, near, on = crossed_straight(self.jumper, levels, spots, find, crooked)
            used |= ways_of(other)
            other = find(_without_jumps(near, used, crooked), on)
        return first, near, on

    def _near(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> tuple[Levels, Spots]:
        """The levels as far as a route within a limit may lead, and their spots."""
        near, spots = levels.within(self.seeker.start, goals, limit), self.spots
        if not spots:
            return near, spots
        return straight_over(near, spots, self.mover.centre, self.target.centre)

    def _over_places(
        self,
        goals: Sequence[tuple[str, Goal]],
        limit: float,
        sure: bool,
        levels: Levels,
        spots: Spots,
    ) -> LevelRoute | None:
        """The shortest route over the places that were first put on rims and sides of ramps."""
        # Without rims there is nothing unsure.
        limit += 0.0 if sure or not any(link.id in spots for link in levels.links) else UNSURE
        first = self.seeker.route(levels, goals, limit)
        if first is None or not any(step.kind == SIDE for step in first.steps):
            return first
        straight = first.cost - self._straight <= _NO_NEARER
        if straight or only_crosses(first, self.seeker.start[0], self.chart):
            return first
        return self.seeker.route(dearer(levels, spots)[0], goals, limit)

    def _over_best(
        self, goals: Sequence[tuple[str, Goal]], limit: float, levels: Levels, spots: Spots
    ) -> LevelRoute | None:
        return over_rims(levels, spots, self.seeker, goals, limit, self._straight, self.known)

    @property
    def _straight(self) -> float:
        """How long a straight way on the plan to base contact is."""
        far = math.dist(self.mover.centre, self.target.centre)
        return far - radius(self.mover) - radius(self.target)

    def _goals(self, touching: bool) -> Iterator[tuple[str, Goal]]:
        target = self.target
        if touching:
            yield from ((it.level, it.goal) for it in self.met)
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
                shut = (
                    (*self._shut(reach, (), self.off), *self._steps(surface, reach))
                    if touching
                    else ()
                )
                yield surface.id, CircleGoal(target.x, target.y, reach, shut=shut)

    def _shut(
        self, reach: float, avoid: Sequence[Body], others: Sequence[Body]
    ) -> tuple[tuple[float, float], ...]:
        """Angles of the circle about the target at which the base would be in a zone, or on another
        of its height."""
        target = self.target
        there = self.mover.at(*target.centre, target.z)
        level = [other for other in others if same(other.z, target.z)]
        found = [Disc(*other.centre, self.r + radius(other)) for other in level]
        for other in avoid:
            near = reach_of(there, other, NEAR_IN)
            if near is not None:
                found.append(Disc(*other.centre, near))
        if not found:
            return ()
        circle = Disc(*target.centre, reach)
        return tuple(level_routes(self.state, self.mover).shut(there, circle, found))

    def _steps(self, surface: Surface, reach: float) -> Iterator[tuple[float, float]]:
        """Angles of the circle about the target at which a base on a surface would be on another, a
        step above or below it: by more than a hair, as a way may end where the step is."""
        terrain, (x, y) = terrain_of(self.state), self.target.centre
        circle = Arc(x, y, reach, 0.0, math.tau)
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
                    yield (begin - _HAIR) / reach, (end + _HAIR) / reach
