"""The route of a charge: the shortest, who interposes, how far it is followed (G-20 to G-22)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tapeline.engine.kept import Kept
from tapeline.engine.limits import TOLERANCE, affords, more_than, within
from tapeline.engine.paths import LegPath, legs_of
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.plane.grid import box_about
from tapeline.rules.trench_crusade.actions import Charge
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.contacts import flights_beside, flights_over
from tapeline.rules.trench_crusade.ground import BEYOND, in_space, level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import (
    SKIRTED_IN,
    base_of,
    based,
    beside,
    fits_by,
    gap,
    holding,
    ignored_by,
    level_with,
    met_before,
    on_friend,
    reach_of,
    runs_out,
)
from tapeline.rules.trench_crusade.route import does_forbidden, routes_over
from tapeline.rules.trench_crusade.state import flies, movement, radius
from tapeline.rules.trench_crusade.walker import (
    barred_hits,
    enters_danger,
    is_held,
    keeps_to_table,
    last_stop,
    lay,
    lay_level,
    over_ground,
)
from tapeline.table.bodies import Body
from tapeline.travel.level_routes import Disc, shortest_to
from tapeline.travel.nearness import comes_onto, most, runs_over
from tapeline.travel.route import Crossing, Route, Stretch

__all__ = ["Approach", "approach", "others_of", "way_taken"]

#: Routes of charges that were sought last: offers, the referee and later states ask for the same.
_APPROACHES = Kept(64)


@dataclass(frozen=True, slots=True)
class Approach:
    """A route to a target.

    track: to base contact, or to within 1 inch where contact cannot be had. near: length at
    which the gap to the target first is 1 inch. interposers: other enemies that are within 1 inch
    before that, the first first, with the length. shortest: length of the shortest route, which
    is less than the track's if the wanted path strays. strays: whether it does. ties: other
    routes as short on which nobody interposes. barred: if somebody does on all, the others.
    """

    track: Route
    near: float
    interposers: tuple[tuple[float, Body], ...]
    shortest: float
    strays: bool = False
    ties: tuple[Route, ...] = ()
    barred: tuple[Approach, ...] = ()

    def met(self) -> Iterator[tuple[float, Body, Approach]]:
        """Who interposes, after which length of the first route on which he does."""
        told = set()
        for plan in (self, *self.barred):
            for s, enemy in plan.interposers:
                if enemy.id not in told:
                    told.add(enemy.id)
                    yield s, enemy, plan


def others_of(state: State, mover: Body, target: Body) -> list[Body]:
    """Enemies of the mover other than the target that can interpose, in scene order."""
    held = holding(state, mover)
    free = {e.id for e in held} if held and all(ignored_by(mover, e) for e in held) else set()
    return [e for e in state.enemies(mover) if e.id != target.id and e.id not in free]


def _leaves(state: State, mover: Body, route: Route) -> bool:
    """Whether a route gets more than 1 inch away from an enemy that holds the charger."""
    held = holding(state, mover)
    if all(ignored_by(mover, enemy) for enemy in held):
        return False
    return any(more_than(most(route, based(mover, enemy)).gap, NEAR_IN) for enemy in held)


def _goals(mover: Body, target: Body) -> list[float]:
    """Centre distances at which the charge has arrived: contact, else within 1 inch."""
    near = reach_of(mover, target, NEAR_IN)
    goals = []
    if level_with(mover, target):
        goals.append(radius(mover) + radius(target))
    if near is not None:
        goals.append(near)
    return goals


def _zones(mover: Body, enemies: Sequence[Body]) -> list[Disc]:
    """Where a model at its height is within 1 inch of enemies."""
    reaches = [(enemy, beside(mover, enemy).reach(mover.z, NEAR_IN)) for enemy in enemies]
    return [Disc(*enemy.centre, reach) for enemy, reach in reaches if reach is not None]


def _avoiding(
    state: State, mover: Body, target: Body, forbid: frozenset[str], others: Sequence[Body]
) -> list[Route]:
    """The shortest routes that keep out of the zones of other enemies until near the target.

    Within 1 inch of the target zones no longer count, and the way from there to contact is
    straight unless terrain stands in that last inch.
    """
    routes, start = level_routes(state, mover), mover.centre
    seek = partial(routes.routes_to, mover, forbid="dangerous" in forbid, beyond=BEYOND in forbid)
    goals = _goals(mover, target)
    if not goals:
        return []
    zones = _zones(mover, others)
    near = Disc(target.x, target.y, goals[-1])
    first = seek(start, near, discs=zones)
    if len(goals) == 1 or not first:
        return first
    touch, whole = Disc(target.x, target.y, goals[0]), []
    for track in first:
        contact = seek(track.end.xy, touch)
        whole += [Route.read(mover, (*track.legs, *last.legs)) for last in contact[:1]]
    whole += seek(start, touch, discs=zones)
    least = min((track.length for track in whole), default=0.0)
    return [track for track in whole if affords(track.length, least)][:1] or first


def _on_level(state: State, mover: Body, target: Body, forbid: frozenset[str]) -> list[Route]:
    """The shortest routes on level ground; several where they tie, none if it is cut off."""
    routes, round_it = level_routes(state, mover), "dangerous" in forbid
    goals = [Disc(target.x, target.y, goal) for goal in _goals(mover, target)]
    if goals:
        direct = routes.straight(routes.field(mover), mover.centre, goals[0])
        if direct is not None and not (
            round_it and does_forbidden(state, mover, lay_level(state, mover, direct.legs), forbid)
        ):
            return [direct]
    for goal in goals:
        found = routes.routes_to(
            mover, mover.centre, goal, forbid=round_it, beyond=BEYOND in forbid
        )
        if found:
            return found
    return []


def _plan(
    state: State,
    mover: Body,
    target: Body,
    routes: Sequence[Route],
    shortest: float,
    strays: bool,
    zone: float,
) -> Approach | None:
    """The routes that nobody interposes on, or the first with those who do."""
    plans, others = [], others_of(state, mover, target)
    for route in routes:
        near, found = met_before(mover, target, route, others, zone)
        plans.append(Approach(route, near, found, shortest, strays))
    clear = [plan for plan in plans if not plan.interposers]
    if len(clear) > 1:
        clear = [plan for plan in clear if not _leaves(state, mover, plan.track)] or clear[:1]
    if not clear:
        return replace(plans[0], barred=tuple(plans[1:])) if plans else None
    return replace(clear[0], ties=tuple(plan.track for plan in clear[1:]))


def approach(
    state: State,
    mover: Body,
    target: Body,
    hazards: Sequence[str] = (),
    wanted: LegPath | None = None,
    limit: float = math.inf,
) -> Approach | None:
    """The route of a charge; None if nothing leads to the target.

    hazards: what the charger will not do or go through. wanted: the path the player wants, or its
    beginning; the shortest route goes on from its end. limit: what over storeys is longer does not
    matter.
    """
    # All that it depends on: a shot or a fight that leaves everybody as they are changes nothing.
    bodies, gone = tuple(state.bodies.values()), movement(state, mover)
    key = (bodies, gone, state.options, mover, target, tuple(hazards), wanted, limit)
    work = partial(_approach, state, mover, target, hazards, wanted, limit)
    return _APPROACHES.once(state.table, key, work)


def _approach(
    state: State,
    mover: Body,
    target: Body,
    hazards: Sequence[str],
    wanted: LegPath | None,
    limit: float,
) -> Approach | None:
    level, forbid = not in_space(state, mover), frozenset(hazards)
    others = others_of(state, mover, target)

    def sought(there: Body, forbid: frozenset[str]) -> list[Route]:
        if avoid:
            find = _avoiding if level else _round_zones
            return find(state, there, target, forbid, others)
        if level:
            return _on_level(state, there, target, forbid)
        return routes_over(state, there, target, forbid, limit=limit)

    def laid(there: Body, way: Route) -> Route:
        return over_ground(state, there, way) if level else way

    def seek(there: Body) -> list[Route]:
        found = sought(there, forbid)
        if not _may_lead_on(state, there, forbid):
            return found
        # Straight on into what touches the Dangerous ground that it is in is no going into any.
        ways = sought(there, forbid | {BEYOND})
        ways = [way for way in ways if not does_forbidden(state, there, laid(there, way), forbid)]
        longer = ways and found and not more_than(found[0].length, ways[0].length)
        return found if longer or not ways else ways

    avoid = False
    ways = seek(mover)
    if not ways:
        return None
    if state.option("interpose_route") == "avoid":
        met = [bool(met_before(mover, target, way, others)[1]) for way in ways]
        avoid = any(met) if level else all(met)
        round_them = seek(mover) if avoid else []
        avoid, ways = bool(round_them), round_them or ways
    shortest, zone = ways[0].length, SKIRTED_IN if avoid else NEAR_IN
    if not wanted:
        return _plan(state, mover, target, ways, shortest, False, zone)
    put = lay_level if level else lay
    begun = put(state, mover, wanted)
    whole = [put(state, mover, (*wanted, *way.legs)) for way in seek(mover.at(*begun.end))]
    if level:
        strays = not whole or _astray(state, mover, wanted, begun, forbid)
        strays = strays or not affords(whole[0].length, shortest)
    else:
        able = [way for way in whole if _is_able(state, mover, way, forbid)]
        follow = [way for way in able if affords(way.length, shortest)]
        strays = bool(begun.hits) or not follow
        whole = whole if strays else follow
    return _plan(state, mover, target, whole or ways, shortest, strays, zone)


def _may_lead_on(state: State, mover: Body, forbid: frozenset[str]) -> bool:
    """Whether Dangerous ground that a charger keeps out of touches what it is in."""
    if "dangerous" not in forbid:
        return False
    terrain = terrain_of(state)
    return terrain.hazards_off(mover) != terrain.hazards_off(mover, beyond=True)


def _astray(
    state: State, mover: Body, wanted: LegPath, begun: Route, forbid: frozenset[str]
) -> bool:
    """Whether a wanted way on level ground cannot be taken."""
    return (
        any(leg.how != "walk" or leg.z not in (None, mover.z) for leg in wanted)
        or any(barred_hits(state, mover, begun))
        or not keeps_to_table(state, mover, begun)
        or ("dangerous" in forbid and enters_danger(state, mover, begun) is not None)
    )


def _is_able(state: State, mover: Body, way: Route, forbid: frozenset[str]) -> bool:
    """Whether a way over storeys can be taken by one that will not do some things."""
    return (
        not way.hits
        and not does_forbidden(state, mover, way, forbid)
        and keeps_to_table(state, mover, way)
    )


def _round_zones(
    state: State, mover: Body, target: Body, forbid: frozenset[str], others: Sequence[Body]
) -> list[Route]:
    """The shortest way that keeps out of the zones of other enemies until near the target.

    As on level ground: within 1 inch of the target they no longer count, and what leads there may
    go on to contact as if alone; or the whole way keeps out of them.
    """
    if flies(mover):
        level = _avoiding(state, mover, target, frozenset(), others)
        flown = [lay(state, mover, track.legs) for track in level]
        able = [way for way in flown if _is_able(state, mover, way, frozenset())]
        able += flights_over(state, mover, target, others)
        clear = [way for way in able if not met_before(mover, target, way, others, SKIRTED_IN)[1]]
        return _least_in_contact(mover, target, clear)
    near = routes_over(state, mover, target, forbid, avoid=others, touching=False)
    whole = routes_over(state, mover, target, forbid, avoid=others)
    for way in near[:1]:
        last = routes_over(state, mover.at(*way.end), target, forbid)
        whole += [lay(state, mover, (*way.legs, *more.legs)) for more in last[:1]]
    clear = [
        way
        for way in whole
        if not way.hits
        and not does_forbidden(state, mover, way, forbid)
        and not met_before(mover, target, way, others, SKIRTED_IN)[1]
    ]
    return _least_in_contact(mover, target, clear)


def _least_in_contact(mover: Body, target: Body, ways: list[Route]) -> list[Route]:
    """The shortest of some ways that end in contact with a target, else of all; none of none."""
    touching = [way for way in ways if within(gap(mover.at(*way.end), target), 0.0)]
    return [min(touching or ways, key=lambda way: way.length)] if ways else []


def _other_contact(
    state: State, mover: Body, target: Body, hazards: Sequence[str], allowance: float
) -> Route | None:
    """Of the shortest routes to a contact point free of other bases one that the allowance covers
    and on which nobody interposes; None if there is none. Under `interpose_route` avoid it may be
    one round the enemies who would."""
    others = others_of(state, mover, target)
    plans: list[tuple[Sequence[Body], float]] = [((), NEAR_IN)]
    if others and state.option("interpose_route") == "avoid":
        plans.append((others, SKIRTED_IN))
    forbid = frozenset(hazards)
    for avoid, zone in plans:
        ways = _free_contacts(state, mover, target, forbid, allowance, avoid)
        if _may_lead_on(state, mover, forbid):
            more = _free_contacts(state, mover, target, forbid | {BEYOND}, allowance, avoid)
            ways += [way for way in more if not does_forbidden(state, mover, way, forbid)]
        ways = [way for way in ways if not way.hits]
        if avoid:
            ways = [way for way in ways if not met_before(mover, target, way, others, zone)[1]]
        least = min((way.length for way in ways), default=0.0)
        for way in ways:
            if (
                affords(way.length, least)
                and affords(way.cost, allowance)
                and within(gap(mover.at(*way.end), target), 0.0)
                and not on_friend(state, mover, way.end)
                and not met_before(mover, target, way, others, zone)[1]
                and not _leaves(state, mover, way)
            ):
                return way
    return None


def _free_contacts(
    state: State,
    mover: Body,
    target: Body,
    forbid: frozenset[str],
    allowance: float,
    avoid: Sequence[Body],
) -> list[Route]:
    """The shortest routes to a contact point free of other bases, as far as an allowance might
    cover them. avoid: enemies whose inches are kept out of until near the target."""
    if not in_space(state, mover):
        return _contacts_on_level(state, mover, target, forbid, allowance, avoid)
    if flies(mover):
        round_them = _contacts_on_level(state, mover, target, frozenset(), allowance, avoid)
        level = [lay(state, mover, track.legs) for track in round_them]
        over = flights_beside(state, mover, target, avoid)
        return sorted((*level, *over), key=lambda way: way.length)
    return routes_over(
        state,
        mover,
        target,
        forbid,
        avoid=avoid,
        clear_of=[enemy for enemy in state.enemies(mover) if enemy.id != target.id],
        off=list(state.friends(mover)),
        limit=allowance + TOLERANCE,
    )


def _contacts_on_level(
    state: State,
    mover: Body,
    target: Body,
    forbid: frozenset[str],
    allowance: float,
    avoid: Sequence[Body],
) -> list[Route]:
    """The shortest routes on level ground to a contact point free of other bases, as far as an
    allowance might cover them; several where they tie."""
    if not level_with(mover, target):
        return []
    routes, r = level_routes(state, mover), radius(mover)
    room = r + radius(target)
    level = [b for b in state.others(mover) if level_with(mover, b)]
    taken = [Disc(b.x, b.y, r + radius(b)) for b in level if b.id != target.id]
    shut = routes.shut(mover, Disc(target.x, target.y, room), taken)
    if shut and shut[0][1] - shut[0][0] >= math.tau - 1e-9:
        return []
    walls = [Disc(b.x, b.y, r + radius(b)) for b in level if b.side != mover.side]
    near = box_about(*mover.centre, allowance + r + 1.0)
    field = routes.field(
        mover,
        discs=[*walls, *_zones(mover, avoid)],
        forbid="dangerous" in forbid,
        beyond=BEYOND in forbid,
        near=near,
    )
    goal = CircleGoal(target.x, target.y, room, shut=tuple(shut))
    found = shortest_to(field, mover.centre, [goal], allowance + TOLERANCE)
    paths = () if found is None else (found, *found.ties)
    return [lay_level(state, mover, legs_of(way.path.legs)) for way in paths]


def way_taken(
    run: Run, mover: Body, target: Body, way: Route, action: Charge, allowance: float
) -> tuple[Route, list[str]]:
    """The way that the charger really follows, and the clauses that end it before the target."""
    state, whole = run.state, way
    ended: list[str] = []
    if way.level:
        way = way.upto(_spent_at(over_ground(state, mover, way), allowance))
    else:
        way = way.spending(allowance, crossings=True)
    if action.stop is not None and state.option("charge_extent") == "upto":
        way = way.upto(min(way.length, whole.nearest(action.stop).travelled))
    for enemy in state.enemies(mover):
        base = base_of(state, mover, enemy)
        if enemy.id != target.id and runs_over(way, base) is not None:
            way = way.upto(comes_onto(way, base), step=False)  # nor up a step on to it
    if on_friend(state, mover, way.end):
        run.cite("TC-MOVE-5")
        other = _other_contact(state, mover, target, action.forbid, allowance)
        if other is not None:
            return other, ended
    out = runs_out(whole, allowance)
    if out is not None and isinstance(out[0], Crossing) and within(out[1], way.length):
        ended.append(fits_by(out[0], out[2], allowance))  # stands before what does not fit
    if not (way.level or flies(mover) or is_held(state, mover, way.end)):
        ended.append("TC-MOVE-11")
    way = _standing(state, way)
    # Who cannot take the next ledge stands off it; at a ladder's foot may be a friend.
    way = way.upto(last_stop(state, mover, way, way.length))
    return over_ground(state, mover, way) if way.level else way, ended


def _spent_at(way: Route, allowance: float) -> float:
    """The length at which an allowance is spent to the letter; the whole length if it never is."""
    left = allowance
    for before, part in way.marked:
        if isinstance(part, Stretch) and part.cost > left:
            return before + left / part.factor
        left -= part.cost
    return way.length


def _standing(state: State, way: Route) -> Route:
    """A way cut back to where the model can stand: not on a ladder."""
    last = way.parts[-1] if way.parts else None
    if isinstance(last, Stretch) and last.on_ladder:
        x, y, z = way.end
        if terrain_of(state).storeys.support(x, y, z, TOLERANCE) is None:
            return Route(way.start, way.parts[:-1])
    return way
