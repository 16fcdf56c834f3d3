"""The most direct route of a charge, over all storeys (3.6); straight ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple

from tapeline.engine.kept import Kept
from tapeline.engine.limits import TOLERANCE, affords, more_than, same, within
from tapeline.engine.paths import Leg, LegPath, Place, Point
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.contact import distance_to, overlap_part
from tapeline.geometry.rectangles.rectangle import Part as Shape
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.mordheim.chart import (
    FENCE,
    chart_of,
    corner_climbs,
    gone_round,
    jumps_past,
    peopled,
)
from tapeline.rules.mordheim.contact import about_centre, across_barrier, first_contact, touching
from tapeline.rules.mordheim.corridor import Barred
from tapeline.rules.mordheim.figures import GAP_IN
from tapeline.rules.mordheim.goals import Onto, ends_about, landing_beside, with_goals
from tapeline.rules.mordheim.state import (
    base_part,
    charging_allowance,
    height,
    movement,
    radius,
    targets_of,
)
from tapeline.rules.mordheim.terrain import stand_height, terrain_of
from tapeline.rules.mordheim.walker import ends_in_contact, facings_along, route_of, walk, walker_of
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.solids import Solid
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Place3
from tapeline.travel.chart import Chart
from tapeline.travel.corner_ways import straight_off
from tapeline.travel.corners import over_corners
from tapeline.travel.gaps import (
    Jumper,
    crossed_straight,
    leads_over_gaps,
    leap_over,
    without_gaps,
)
from tapeline.travel.ramp_sides import SIDE, dearer, side_of, sides_jumped_off, sides_near, sides_of
from tapeline.travel.rim_search import Spots, over_rims
from tapeline.travel.rim_search import within as within_rims
from tapeline.travel.rims import LEAP
from tapeline.travel.route import Route, Stretch
from tapeline.travel.search import Seeker, legs_of_step, pointed, ways_of

__all__ = [
    "WAYS",
    "ChargePlan",
    "away",
    "cheaper",
    "equally_short",
    "falls_short",
    "ladder_ends",
    "over_a_gap",
    "planned",
    "route_to_contact",
    "straight_towards",
]


# Where a declared charge leads.


@dataclass(frozen=True, slots=True)
class ChargePlan:
    """Where a declared charge leads: the way, the targets it is meant to touch, whether there is a
    way to contact at all, and how the base faces on it, degrees."""

    track: Route
    targets: tuple[str, ...]
    feasible: bool
    facing: float

    @property
    def over_a_gap(self) -> bool:
        """Whether it jumps a gap, so that what comes of it would tell how wide that is."""
        return any(hurdle.kind == "gap" for hurdle in self.track.crossings)


class Aside(NamedTuple):
    """What a way keeps off besides all that is in the way of any.

    wide: bodies on other bases than they have. posts: others that nobody lands past. longest: a
    way that is longer need not be found, inches.
    """

    wide: tuple[Body, ...] = ()
    posts: tuple[Body, ...] = ()
    longest: float = math.inf


#: No more than is in the way of any.
NOTHING = Aside()

#: Plans of charges that were made last: whether they may be told, the referee and the procedure
#: ask for the same.
_PLANS = Kept(64)


def planned(state: State, body: Body) -> ChargePlan | None:
    """The most direct route of a declared charge (3.6); None if no target is left on the table.

    Of several targets those are charged that this move can reach, the one named first before all.
    """
    return _PLANS.once(state, body, lambda: _planned(state, body))


def cheaper(
    state: State, body: Body, plan: ChargePlan, fits: Callable[[Route], bool] = lambda track: True
) -> ChargePlan:
    """The same by a way equally short that costs the least, as it leads over less slow ground: of
    such ways the owner goes which he likes. fits: whether a way is one of those looked for."""
    best, length = plan, plan.track.length
    if not plan.feasible or not more_than(plan.track.cost, length):
        return plan
    apart = math.dist(body.centre, plan.track.end.xy)
    if not more_than(length, apart):
        return plan  # straight there
    for side in (1.0, -1.0):
        way, barred = plan, list[Barred]()
        while len(barred) < WAYS and (at := _slowed_at(way.track, side)) is not None:
            barred.append(at)
            other = equally_short(state, body, plan, not_over=barred)
            # One that is shorter turns its base otherwise: a plan of its own.
            if other is None or more_than(length, other.track.length):
                break
            if more_than(best.track.cost, other.track.cost) and fits(other.track):
                best = other
            way = other
        if not more_than(best.track.cost, length):
            break
    return best


def _slowed_at(track: Route, side: float) -> Barred | None:
    """The middle of the piece of a way that slow ground makes dearest, and a side of it: left or,
    where that is negative, right."""
    slow = [
        ((part.factor if part.alone is None else part.alone[0]) * part.length - part.length, part)
        for part in track.parts
        if isinstance(part, Stretch) and part.leg.length > TOLERANCE
    ]
    more, part = max(slow, key=lambda one: one[0], default=(0.0, None))
    if part is None or not more_than(more, 0.0):
        return None
    leg, s = part.leg, 0.5 * part.leg.length
    (x, y), (px, py), (qx, qy) = leg.at(s), leg.at(0.9 * s), leg.at(1.1 * s)
    along = math.dist((px, py), (qx, qy))
    z = 0.5 * (part.start.z + part.end.z)
    return Barred(Place(x, y, z), (-side * (qy - py) / along, side * (qx - px) / along))


def _planned(state: State, body: Body) -> ChargePlan | None:
    targets = tuple(t for t in targets_of(body) if t in state.bodies)
    if not targets:
        return None
    full = charging_allowance(body)
    several = len(targets) > 1
    beyond: list[ChargePlan] = []
    for some in _preferred(targets):
        plans: list[ChargePlan] = []
        for plan in _plans(state, body, some, near=several):
            # Where a way is too long already, none as short as that can be afforded either.
            found = cheaper(state, body, plan) if affords(plan.track.length, full) else plan
            if affords(found.track.cost, full):
                return found
            plans.append(found)
        beyond = beyond or plans
    for some in (targets, targets[:1]) if several else ():
        plans = list(_plans(state, body, some, near=False))
        if plans:
            return _most_direct(plans)
    if beyond:
        return cheaper(state, body, _most_direct(beyond))
    towards = straight_towards(state, body, state.body(targets[0]))
    return ChargePlan(towards, targets[:1], False, body.facing)


def over_a_gap(state: State, a: Place3, b: Place3) -> bool:
    """Whether the straight line between two places of one height leaves the floor they are on."""
    if a[:2] == b[:2] or not same(a[2], b[2]):
        return False
    surface = storeys_of(state.table).support(*a, TOLERANCE)
    return surface is not None and surface.leaves(Line(*a[:2], *b[:2]), TOLERANCE) is not None


def falls_short(state: State, body: Body, target: str) -> bool:
    """Whether it is sure, and may be told, that no way leads to a target for what a charge may
    cost; never where one might over a gap, since whether that is jumped would tell how wide it is.
    """
    foe, climb = state.body(target), state.option("climb_in_charge") == "yes"
    jumps = over_a_gap(state, (body.x, body.y, body.z), (foe.x, foe.y, foe.z))
    if climb or jumps or _comes_to_a_gap(state, body, foe):
        return False
    full = charging_allowance(body)
    plans = _plans(state, body, (target,), near=True)
    return not any(affords(plan.track.cost, full) for plan in plans)


def _comes_to_a_gap(state: State, body: Body, target: Body) -> bool:
    """Whether a way to a target for what a charge may cost could lead over a gap, however wide."""
    widest, full = Shape((0.0, 0.0), body.base.reach), charging_allowance(body) + TOLERANCE
    chart = chart_of(state, body, far=full)
    sought = _sought(state, body, [target], gone_round(state, body), chart, widest)
    if sought is None:
        chart = chart_of(state, body)
        return leads_over_gaps(chart, chart.levels)
    levels = sought.levels.within(sought.seeker.start, sought.goals, full)
    on, far = {level.id for level in levels.levels}, full + radius(body) + target.base.reach
    return leads_over_gaps(chart, levels) or any(
        math.dist(body.centre, gap.near.start) + math.dist(gap.near.start, target.centre)
        <= far + 2.0 * (gap.near.length + gap.far.length)
        for _, gap, _ in chart.corners
        if {gap.start, gap.end} <= on
    )


def _most_direct(plans: list[ChargePlan]) -> ChargePlan:
    """The shortest of some ways, as the base reaches farthest; the first of those equally short."""
    least = min(plan.track.length for plan in plans)
    return next(plan for plan in plans if within(plan.track.length, least))


def _preferred(targets: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Which targets to charge: as many as can be together with the one named first; without it if
    it cannot be charged at all."""
    for k, first in enumerate(targets):
        rest = targets[k + 1 :]
        for count in range(len(rest), -1, -1):
            yield from ((first, *others) for others in combinations(rest, count))


def _plans(
    state: State, body: Body, targets: tuple[str, ...], *, near: bool, aside: Aside = NOTHING
) -> Iterator[ChargePlan]:
    """Ways into contact with all of some targets: the base as it stands or a quarter turn from it,
    whichever is shorter; if that does not do, turned so that it reaches farther, as far off as the
    target may be.

    near: only within what a charge may cost. aside: what the ways keep off besides.
    """
    best = list(_facing_so(state, body, targets, _quarters(body), near, aside))
    if len(best) > 1 and more_than(best[0].track.length, best[1].track.length):
        best.reverse()
    yield from best
    if isinstance(body.base, Round):
        return
    if len(targets) > 1:
        alike = (turn for t in targets for turn in _quarters(state.body(t)))
        yield from _facing_so(state, body, targets, alike, True, aside)
        return
    target = state.body(targets[0])
    for reach in (body.base.reach, radius(body)):
        disc = Shape((0.0, 0.0), reach)
        only = near or (bool(best) and reach <= radius(body))
        climb = state.option("climb_in_charge") == "yes"
        track = route_to_contact(
            state, body, targets, climb=climb, shape=disc, near=only, aside=aside
        )
        if track is None:
            continue
        for facing in (*_corner_first(body, track.end, target), *facings_along(body, track)):
            turned = body.at(body.x, body.y, facing=facing)
            met = first_contact(turned, target, track)
            ways = (track,) if met is None else (track, track.upto(met[0]))
            fitting = [way for way in ways if ends_in_contact(state, turned, way, targets)]
            if fitting:
                yield ChargePlan(fitting[0], targets, True, facing)
                break


def _facing_so(
    state: State,
    body: Body,
    targets: tuple[str, ...],
    facings: Iterable[float],
    near: bool,
    aside: Aside,
) -> Iterator[ChargePlan]:
    """Ways into contact for a base that faces so, one for each facing."""
    climb = state.option("climb_in_charge") == "yes"
    for facing in facings:
        turned = body.at(body.x, body.y, facing=facing)
        faced = state if facing == body.facing else state.with_body(turned)
        track = route_to_contact(faced, turned, targets, climb=climb, near=near, aside=aside)
        if track is not None and ends_in_contact(faced, turned, track, targets):
            yield ChargePlan(track, targets, True, facing)
            near = True


def _quarters(body: Body) -> tuple[float, ...]:
    """Facings of a base that differ by quarter turns: two if it is oblong, degrees."""
    base = body.base
    if isinstance(base, Round) or same(base.width, base.depth):
        return (body.facing,)
    return body.facing, body.facing + 90.0


def _corner_first(body: Body, at: Place, target: Body) -> Iterator[float]:
    """Facings in which a corner of the base points at the nearest point of a target, degrees."""
    assert isinstance(body.base, Rectangle)
    _, (x, y) = distance_to(base_part(target), at.x, at.y)
    towards = math.degrees(math.atan2(y - at.y, x - at.x))
    corner = math.degrees(math.atan2(body.base.width, body.base.depth))
    yield towards - corner
    yield towards + corner


# The shortest way into contact.


def route_to_contact(
    state: State,
    body: Body,
    targets: Sequence[str],
    *,
    climb: bool = False,
    shape: Shape | None = None,
    near: bool = False,
    aside: Aside = NOTHING,
) -> Route | None:
    """The shortest way into contact with all targets, the base facing as it does at its end; None
    if there is none.

    Stairs, ladders, jumps down and over gaps are on the way; climbs only with `climb`. Other bases
    and solids of 1 inch or more are gone round. shape: what touches, about the centre, if not the
    base. near: only what a charge may cost is looked at.
    """
    aims = [state.body(target) for target in targets]
    if all(touching(body, aim) or across_barrier(state, body, aim) for aim in aims):
        return Route(Place(body.x, body.y, body.z))
    if len(aims) == 1 and aside is NOTHING:
        track = _straight(state, body, aims[0], shape)
        if track is not None:
            return track
    how = _How(climb, shape, near, aside)
    ends = list(ladder_ends(state, body))
    if ends:
        ways = (_by_ladder(state, body, aims, end, how) for end in ends)
        found = [way for way in ways if way is not None]
        # Nobody goes up to jump down again: of the two ends, drops count by their height.
        return min(
            found, key=lambda way: way.length + sum(h.rise for h in way.crossings), default=None
        )
    others = gone_round(state, body)
    track = searched(state, body, aims, others, **how._asdict())
    friends = {friend.id for friend in state.friends(body) if friend not in others}
    if track is not None and any(hit.about in friends for hit in track.hits):
        # It jumps down or over onto one of those that it may walk past: round them all.
        everyone = list(state.others(body))
        track = searched(state, body, aims, everyone, **how._asdict())
    return track


def equally_short(
    state: State,
    body: Body,
    plan: ChargePlan,
    *,
    clear_of: Iterable[Body] = (),
    off: float = 0.0,
    not_over: Iterable[Barred] = (),
) -> ChargePlan | None:
    """Another way of a plan, no longer; None if there is none.

    clear_of, off: its centre line is more than so far off the bases of these. not_over: places
    that it does not lead over, nor close by on the side of whoever stands beside them.
    """
    more, beside = off + _ASIDE - radius(body), radius(body) - _ASIDE
    wide = tuple(_grown(one, one.base.reach + more) for one in clear_of)
    # A post no wider than the point, so far aside that the base meets it on the way barred.
    posts = tuple(
        _grown(body.at(at.x + beside * x, at.y + beside * y, at.z), 0.0, f"{body.id}:{k}")
        for k, (at, (x, y)) in enumerate(not_over)
    )
    length = plan.track.length
    near = affords(length, charging_allowance(body))
    plans = _plans(state, body, plan.targets, near=near, aside=Aside(wide, posts, length))
    return next((other for other in plans if not more_than(other.track.length, length)), None)


def _grown(body: Body, reach: float, name: str | None = None) -> Body:
    """A body on a round base of so much."""
    return replace(body, id=name or body.id, base=Round(reach), _digest=[])


class _How(NamedTuple):
    """What `route_to_contact` is asked besides from where to whom."""

    climb: bool
    shape: Shape | None
    near: bool
    aside: Aside


def ladder_ends(state: State, body: Body) -> Iterator[Place]:
    """Where a model that hangs on a ladder or rope gets off, its foot first; none for others."""
    ground = terrain_of(state)
    if ground.storeys.support(body.x, body.y, body.z, TOLERANCE) is not None:
        return
    ladder = ground.storeys.ladder_at(body.x, body.y, body.z, TOLERANCE)
    if ladder is None:
        return
    for end in (Place(*ladder.foot), Place(*ladder.head)):
        found = ground.overlapped(body.at(*end))
        if found is None:
            yield end
        else:
            yield from _beside(state, body, end, found[1])


def _beside(state: State, body: Body, end: Place, solid: Solid) -> Iterator[Place]:
    """The place square off a side of a solid that leaves no room at the very end of a ladder."""
    r = radius(body)
    for nx, ny, beyond in solid.ground.faces(*end.xy):
        off = r - beyond
        there = Place(end.x + off * nx, end.y + off * ny, end.z)
        if 0.0 < off <= r + TOLERANCE and terrain_of(state).overlapped(body.at(*there)) is None:
            yield there
            return


def _by_ladder(state: State, body: Body, aims: list[Body], end: Place, how: _How) -> Route | None:
    """The way into contact from a ladder by one of its ends, or to a target met on it."""
    off = Leg(to=end.xy, z=end.z)
    track = walk(state, body, (off,))
    # That bases touch is enough to meet; what is hit overlaps.
    met = first_contact(body, aims[0], track) if len(aims) == 1 else None
    cut = track if met is None else track.upto(met[0], step=False)
    if any(met is None or hit.travelled < cut.length - TOLERANCE for hit in track.hits):
        return None
    if met is not None:
        return cut
    there = body.at(*end)
    ids = [aim.id for aim in aims]
    onward = route_to_contact(state.with_body(there), there, ids, **how._asdict())
    if onward is None:
        return None
    track = walk(state, body, (off, *onward.legs))
    return track if not track.hits else None


def _straight(state: State, body: Body, target: Body, shape: Shape | None) -> Route | None:
    """The straight way to a target on the same surface, if nothing is in it."""
    if abs(target.z - body.z) > TOLERANCE:
        return None
    part = overlap_part(base_part(target), about_centre(body) if shape is None else shape)
    distance, end = distance_to(part, body.x, body.y)
    if distance <= 0.0:
        return None
    track = walk(state, body, (Leg(to=end),))
    flat = all(isinstance(p, Stretch) and p.start.z == p.end.z == body.z for p in track.parts)
    return track if flat and not track.hits else None


def straight_towards(state: State, body: Body, target: Body) -> Route:
    """Straight towards a target as far as nothing blocks: a solid, a base, an edge."""
    dx, dy = target.x - body.x, target.y - body.y
    d = math.hypot(dx, dy)
    if d <= TOLERANCE:
        return Route(Place(body.x, body.y, body.z))
    return away(state, body, (dx / d, dy / d), d)


def away(state: State, body: Body, direction: tuple[float, float], distance: float) -> Route:
    """Straight along a unit vector for a length on the plan, as far as nothing blocks."""
    end = (body.x + direction[0] * distance, body.y + direction[1] * distance)
    walker = walker_of(state, body)
    walker.walk(Line(body.x, body.y, *end))
    return route_of(walker).until_hit


#: Legs that one search may make; a search within a charge makes a few thousand.
_WORK = 100_000
#: Inches by which a way to a far target is sought to be longer than its distance, one after the
#: other.
_LITTLE, _DETOUR = 1.0, 6.0
#: Ways equally short of one charge that are looked at one after the other.
WAYS = 16
#: Inches by which a charge may fall short while its way is still the shortest of all.
_MISSED = 1.0
#: Inches by which another way, equally short, is farther off an enemy than bars it at least, or
#: off a place of the first: the same one shifted by as much is longer by more than the tolerance.
_ASIDE = 0.02


def searched(
    state: State,
    body: Body,
    aims: list[Body],
    others: list[Body],
    *,
    climb: bool,
    shape: Shape | None,
    near: bool,
    aside: Aside,
) -> Route | None:
    """The shortest way into contact that a search finds, walked, so that what it costs and meets is
    measured as of any other path.

    others: bodies that are in the way, targets included. shape: what touches the targets, about
    the centre, if that is not the base as it faces. near: only within what a charge may cost.
    aside: what it keeps off besides.
    Within that the search is exact over all ways. Farther targets are sought through single places
    of edges and stairs first; the way through those is then the shortest, which is as far as a
    failed charge asks for.
    """
    others = [*others, *aside.wide]
    full, (centre, gone) = charging_allowance(body) + TOLERANCE, (aims[0].centre, movement(body))
    sure, away = full + _MISSED, math.dist(body.centre, centre)
    drawn = partial(chart_of, state, body, climb=climb, to=ends_about(state, body, aims))
    # Within the distance, of the centres, and little more first: less need be drawn and searched.
    little, more, crooked = away + _LITTLE, away + _DETOUR, list[str]()
    farther = [far for far in (little, more, 2.0 * more, math.inf) if far > sure and not near]
    sought: _Sought | None = None
    route: LevelRoute | None = None
    for far in (*([away] if away < full else []), sure, *farther):
        # One longer than that is sought without sides farther off than it is walked (`gone`).
        chart = drawn(far=far, sided=math.inf if far <= sure else gone)
        if sought is None or chart is not sought.jumper.chart:
            sought = _sought(state, body, aims, [*others, *aside.posts], chart, shape, climb)
        if sought is None:
            return None
        if far >= sure:
            route = sought.through_places(centre, gone, far, crooked, sure)
        if route is None and far <= sure:
            route = sought.shortest(min(far, full))
        if route is not None or far > aside.longest + TOLERANCE:
            break
    if sought is not None:
        least = sure if route is None else min(sure, route.cost)
        beside = sought.past(body, aims, others, least)
        if beside is not None:
            sought, route = beside
    if sought is None or route is None or (near and route.cost > full):
        return None
    track = _walked(state, body, aims, sought, route)
    if track.hits:
        able = _clear_without(state, body, aims, sought, route, lambda less: less.shortest(full))
        track, sought, route = min(
            able, key=lambda way: way[0].length, default=(track, sought, route)
        )
    off = sought.stepping_off(route) if route.cost <= sure else None
    if off is not None:
        stepped = _walked(state, body, aims, sought, off)
        if stepped.hits:
            bound = route
            able = _clear_without(
                state, body, aims, sought, off, lambda less: less.stepping_off(bound)
            )
            track, _, route = min(able, key=lambda way: way[2].cost, default=(track, sought, route))
        else:
            track, route = stepped, off
    if any(hurdle.kind == "gap" for hurdle in track.crossings):
        # Nobody jumps over a gap who goes no farther without.
        bare = sought.over_no_gap(route.cost + TOLERANCE)
        other = None if bare is None else _walked(state, body, aims, sought, bare)
        if other and bare and not other.hits and not more_than(other.length, track.length):
            route, track = bare, other
    closer = sought.over_corners(route, sure)
    other = None if closer is None else _walked(state, body, aims, sought, closer)
    if other is None or other.hits or (other.length >= track.length and not track.hits):
        return track
    return track if any(more_than(h.width, GAP_IN) for h in other.crossings) else other


def _clear_without(
    state: State,
    body: Body,
    aims: list[Body],
    sought: _Sought,
    route: LevelRoute,
    find: Callable[[_Sought], LevelRoute | None],
) -> list[tuple[Route, _Sought, LevelRoute]]:
    """What is found without one of the ways over edges and gaps that a route leads over, walked,
    where nothing is in the way: what the search takes for a way may be none, as at a corner, or
    beside who stands there."""
    fewer = [(less, find(less)) for less in map(sought.without, ways_of(route))]
    ways = [
        (_walked(state, body, aims, less, found), less, found)
        for less, found in fewer
        if found is not None
    ]
    return [way for way in ways if not way[0].hits]


def _walked(
    state: State, body: Body, aims: list[Body], sought: _Sought, route: LevelRoute
) -> Route:
    """A route of a search, walked."""
    jumper, levels, onto = sought.jumper, sought.levels, sought.onto
    legs: list[Leg] = []
    for step in route.steps:
        if step.level in jumper.chart.gaps:
            continue  # one leg with the landing
        if step.link not in onto:
            along = legs_of_step(step, levels.level(step.level), heights=True)
            over = step.level in jumper.chart.air and step.level.startswith(FENCE)
            legs += (replace(leg, how="climb") for leg in along) if over else along
            continue
        below, at = onto[step.link]
        landing = at or landing_beside(state, body, aims[0], step.at, below)
        assert landing is not None, "the segment is clear"
        legs.append(Leg(to=landing, z=below.z, how="drop"))
    return _met(body, aims, walk(state, body, _standing(state, legs)))


class _Sought(NamedTuple):
    """What a search for a way into contact goes over, from where, and to what."""

    jumper: Jumper
    seeker: Seeker
    levels: Levels
    goals: list[tuple[str, Goal]]
    onto: dict[str, Onto]
    aim: Point

    def shortest(self, limit: float) -> LevelRoute | None:
        """The shortest route within a limit; over the sides of ramps where that spares more than
        the slope, which nobody walks beside."""
        levels, spots = self._near(self.levels, limit)
        if all(link.kind != SIDE for link in levels.links):
            return self._over_gaps(levels, spots, limit)
        first = self._over_gaps(*dearer(levels, spots), limit)
        sides = sides_of(first) if first else frozenset[str]()
        if first is None or not sides:
            return first
        return self._over_sides(levels, sides, first.cost)

    def stepping_off(self, route: LevelRoute) -> LevelRoute | None:
        """A shorter route than one that jumps off the sides of ramps by a step off them lower down,
        if there is one."""
        sides = sides_jumped_off(route, self.levels, self.jumper.chart.spots)
        found = self._over_sides(self.levels, sides, route.cost) if sides else None
        return found if found and sides_of(found) and found.cost < route.cost else None

    def _over_sides(self, levels: Levels, sides: frozenset[str], limit: float) -> LevelRoute | None:
        """The shortest route within a limit that leads over some sides of ramps and no others."""
        levels = levels.keeping(lambda way: way.kind != SIDE or side_of(way.id) in sides)
        return self._along(levels, limit)

    def _along(
        self, levels: Levels, limit: float, crooked: list[str] | None = None
    ) -> LevelRoute | None:
        """The shortest route on some levels within a limit; crooked: as of `crossed_straight`."""
        return self._over_gaps(*self._near(levels, limit), limit, crooked)

    def _near(self, levels: Levels, limit: float) -> tuple[Levels, Spots]:
        """The levels as far as a route within a limit may lead, and their spots."""
        start, spots = self.seeker.start, self.jumper.chart.spots
        near = within_rims(levels, start, self.goals, limit, spots)
        return straight_off(near, spots, start[1:], self.aim)

    def _over_gaps(
        self, levels: Levels, spots: Spots, limit: float, crooked: list[str] | None = None
    ) -> LevelRoute | None:
        def find(levels: Levels, spots: Spots) -> LevelRoute | None:
            return over_rims(levels, spots, self.seeker, self.goals, limit)

        return crossed_straight(self.jumper, levels, spots, find, crooked)[0]

    def _seek(self, levels: Levels, limit: float) -> LevelRoute | None:
        return self.seeker.route(levels, self.goals, limit)

    def past(
        self, body: Body, aims: list[Body], others: list[Body], limit: float
    ) -> tuple[_Sought, LevelRoute] | None:
        """A shorter route than a limit by jumps down that land past others, and what it is of."""
        chart, aim = self.jumper.chart, aims[0]
        found = jumps_past(chart, body, others, aim.centre, limit + aim.base.reach + radius(body))
        if not found:
            return None
        spots = {**chart.spots, **{link.id: found[link] for link in found}}
        jumper = self.jumper._replace(chart=replace(chart, spots=spots))
        sought = self._replace(jumper=jumper, levels=self.levels.with_more(links=found))
        route = sought.shortest(limit)
        return None if route is None or route.cost >= limit else (sought, route)

    def without(self, link: str) -> _Sought:
        """The same without a way over an edge or a gap, at any of its places."""
        chart, gap = self.jumper.chart, leap_over(link)
        if gap in chart.gaps:
            return self._replace(levels=without_gaps(self.levels, {gap}))
        spot = chart.spots.get(link)
        gone = {name for name, one in chart.spots.items() if spot and one.way is spot.way} or {link}
        return self._replace(levels=self.levels.keeping(lambda way: way.id not in gone))

    def over_no_gap(self, limit: float) -> LevelRoute | None:
        """The shortest route within a limit that jumps over no gap."""
        levels = self.levels.keeping(lambda way: way.kind not in ("take off", LEAP))
        return self._replace(levels=levels).shortest(limit)

    def over_corners(self, route: LevelRoute, sure: float) -> LevelRoute | None:
        """A shorter route than one by jumps over inner corners. sure: of one no longer than that
        other gaps are crossed as they may be too."""
        jumper, crooked = self.jumper, list[str]()

        def find(levels: Levels, limit: float) -> LevelRoute | None:
            return (
                self._seek(levels, limit) if limit > sure else self._along(levels, limit, crooked)
            )

        found = over_corners(jumper, self.levels, self.seeker, self.goals, route, find, sure)
        return found and found[0]

    def through_places(
        self, target: Point, gone: float, limit: float, crooked: list[str], sure: float
    ) -> LevelRoute | None:
        """The shortest route within a limit through the single places of edges and stairs through
        which a route is the shortest. gone: how much of it is walked; farther off it leads over no
        side of a ramp. crooked: as of `crossed_straight`. sure: one no longer than that is the
        shortest of all."""
        jumper, start = self.jumper, self.seeker.start
        levels = sides_near(self.levels, jumper.chart.spots, start[1:], gone)
        near, _ = dearer(levels.within(start, self.goals, limit), jumper.chart.spots)
        places = pointed(near, [start[1:], target], "goal")
        coarse, *_ = crossed_straight(
            jumper,
            places,
            {},
            lambda levels, _: self._seek(levels, limit),
            crooked,
            lambda levels, least: self._seek(levels, min(limit, least + _LITTLE)),
        )
        if coarse is None:
            return None
        taken = ways_of(coarse)
        over = {level.id for level in levels.levels if level.id in crooked}
        through = levels.keeping(
            lambda way: way.id in taken or way.kind == "goal" or not over.isdisjoint(_between(way))
        )
        among = self.levels if coarse.cost <= sure else through
        route = self._replace(levels=among).shortest(coarse.cost)
        return coarse if route is None or route.cost > coarse.cost else route


def _sought(
    state: State,
    body: Body,
    aims: list[Body],
    others: list[Body],
    chart: Chart,
    shape: Shape | None,
    climb: bool = False,
) -> _Sought | None:
    """The search for a way into contact on a chart; None where nothing is stood on, there is no
    room to begin, or nothing is touched."""
    here = chart.terrain.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if here is None or here.id not in chart.surfaces:
        return None
    here = chart.terrain.off_rim(here, body.x, body.y)
    seeker = Seeker((here.id, body.x, body.y), radius(body), _WORK)
    single = aims[0] if len(aims) == 1 and isinstance(aims[0].base, Round) else None
    bodies = [other for other in others if single is None or other.id != single.id]
    levels = peopled(chart, seeker.radius, bodies, single)
    if climb:
        levels = levels.with_more(links=corner_climbs(chart, here.id, body))
    levels, goals, onto = with_goals(state, body, aims, chart, levels, shape)
    jumper = Jumper(chart, seeker.radius, height(body), GAP_IN)
    if not goals or not seeker.stands(levels):
        return None
    return _Sought(jumper, seeker, levels, goals, onto, aims[0].centre)


def _between(way: Link | Portal) -> tuple[str, str]:
    """The levels that a way leads from and to."""
    return way.start[0], way.end[0]


def _standing(state: State, legs: list[Leg]) -> LegPath:
    """Legs of which the last leads on to what the base comes to stand on there, within a step."""
    last = legs[-1] if legs else None
    if last is not None and last.how == "walk" and last.to is not None and last.z is not None:
        ground = terrain_of(state)
        surface = ground.storeys.support(*last.to, last.z, TOLERANCE)
        if surface is not None and surface.ramp is None:
            legs = [*legs[:-1], replace(last, z=stand_height(ground, surface, *last.to))]
    return tuple(legs)


def _met(body: Body, aims: list[Body], track: Route) -> Route:
    """A way, cut where it meets its target on stairs, before the floor that they lead to."""
    first = min(track.hits, key=lambda hit: hit.travelled, default=None)
    if first is not None and len(aims) == 1 and first.about == aims[0].id:
        cut = track.until_hit
        if touching(body.at(*cut.end), aims[0]):
            return cut
    return track
