"""The shortest way of a flyer's charge: straight, over what stands there, or round it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, affords, more_than, same
from tapeline.engine.paths import Leg, Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.ground import level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import reach_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.rules.trench_crusade.walker import keeps_to_table, lay
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.table.terrain import Ramp
from tapeline.travel.level_routes import Disc
from tapeline.travel.route import Route, Stretch
from tapeline.travel.slopes import NearOnSlope
from tapeline.travel.stops import last_stop

__all__ = ["contact_of", "flights", "flights_beside", "oval_of"]

Point: TypeAlias = tuple[float, float]


def contact_of(mover: Body, target: Body) -> Point | None:
    """Where the straight line to a target comes to base contact on the plan."""
    reach = radius(mover) + radius(target)
    d = math.dist(mover.centre, target.centre)
    if d <= reach:
        return None
    k = (d - reach) / d
    return mover.x + k * (target.x - mover.x), mover.y + k * (target.y - mover.y)


def oval_of(mover: Body, target: Body, ramp: Ramp) -> NearOnSlope:
    """Where a mover on a ramp is within 1 inch of a target on it."""
    return NearOnSlope.about(target.centre, radius(mover) + radius(target), NEAR_IN, ramp)


def flights(state: State, mover: Body, target: Body) -> list[Route]:
    """The straight way through the air; else the shorter of the way over and the way round: to
    contact, or where nobody can stand in contact to within 1 inch. Several where they tie."""
    to, z = contact_of(mover, target) or mover.centre, target.z
    slope = terrain_of(state).under(target)
    ramp = None if slope is None else slope.ramp
    if slope is not None and ramp is not None:  # no place on it touches the target
        to = oval_of(mover, target, ramp).nearest((mover.x, mover.y, mover.z), ramp.foot)
        z = slope.height(*to)
    direct = lay(state, mover, (Leg(to=to, z=z, how="fly"),))
    if _may_be_flown(state, mover, direct):
        return [direct]
    found = [_over(state, mover, to, z)]
    circle = Disc(target.x, target.y, radius(mover) + radius(target))
    if not more_than(abs(mover.z - target.z), 0.0):
        round_it = level_routes(state, mover).routes_to(mover, mover.centre, circle)
        found += [lay(state, mover, track.legs) for track in round_it]
    if ramp is None:
        found += _beside(state, mover, circle, z)
    return _shortest(state, mover, found) or _shortest(
        state, mover, list(_within_an_inch(state, mover, target))
    )


def flights_beside(state: State, mover: Body, target: Body) -> list[Route]:
    """The shortest ways through the air to contact where the base is on no other."""
    r, slope = radius(mover), terrain_of(state).under(target)
    if slope is not None and slope.ramp is not None:
        return []
    level = [b for b in state.others(mover) if b.id != target.id and same(b.z, target.z)]
    taken = [Disc(*b.centre, r + radius(b)) for b in level]
    circle = Disc(*target.centre, r + radius(target))
    return _shortest(state, mover, _beside(state, mover, circle, target.z, taken))


def _shortest(state: State, mover: Body, ways: list[Route]) -> list[Route]:
    """Those of some ways that may be flown and are as short as any."""
    able = [way for way in ways if _may_be_flown(state, mover, way)]
    least = min((way.length for way in able), default=0.0)
    kept: list[Route] = []
    for way in able:
        known = any(math.dist(way.end, other.end) <= TOLERANCE for other in kept)
        if affords(way.length, least) and not known:
            kept.append(way)
    return kept


def _may_be_flown(state: State, mover: Body, way: Route) -> bool:
    return not way.hits and keeps_to_table(state, mover, way)


def _within_an_inch(state: State, mover: Body, target: Body) -> Iterator[Route]:
    """Ways to the places within 1 inch of a target, at every height at which there are some."""
    levels = {surface.z for surface in terrain_of(state).storeys.surfaces if surface.ramp is None}
    for z in sorted({*levels, target.z}):
        reach = reach_of(mover.at(*target.centre, z), target, NEAR_IN)
        if reach is not None:
            yield from _beside(state, mover, Disc(*target.centre, reach), z)


def _beside(
    state: State, mover: Body, circle: Disc, z: float, taken: Sequence[Disc] = ()
) -> list[Route]:
    """The straight ways, or those over what is in them, to the places of a circle at a height where
    the base can stand that are next to the straight line, on either side."""
    ways = []
    for place in _perches(state, mover, circle, z, taken):
        direct = lay(state, mover, (Leg(to=place, z=z, how="fly"),))
        ways.append(_over(state, mover, place, z) if direct.hits else direct)
    return ways


def _perches(
    state: State, mover: Body, circle: Disc, z: float, taken: Sequence[Disc]
) -> Iterator[Point]:
    """Of the places on a circle at a height where a base can stand those next to the straight line
    from it, one on either side."""
    terrain, r = terrain_of(state), radius(mover)
    x, y, reach = circle
    shut = level_routes(state, mover).shut(mover.at(x, y, z), circle, taken)
    whole = Arc(x, y, reach, 0.0, math.tau)
    for o in terrain.near((x - reach - r, y - reach - r, x + reach + r, y + reach + r)):
        if terrain.is_barred(o) and abs(z - o.top) <= TOLERANCE:
            shut += [(a / reach, b / reach) for a, b in o.ground.spans_near(whole, r)]
    straight = math.atan2(mover.y - y, mover.x - x)
    back = Place(x - reach * math.cos(straight), y - reach * math.sin(straight), z)
    front = Place(x + reach * math.cos(straight), y + reach * math.sin(straight), z)
    for turn in (math.pi, -math.pi):
        way = Route(back, (Stretch(back, front, how="fly", arc=(x, y, turn)),))
        share = 1.0
        while share > 0.0:
            s = last_stop(terrain, way, share * way.length, r, ())
            share = s / way.length
            inside = _shut_at(shut, straight - turn * (1.0 - share))
            if inside is None:
                break
            begin, end = inside  # how far on either side of here it is shut
            share -= (begin if turn > 0.0 else end) / math.pi + 1e-12
        if share > 0.0:
            yield way.place(share * way.length).xy


def _shut_at(shut: list[tuple[float, float]], angle: float) -> tuple[float, float] | None:
    """How far back and on an angle lies from the ends of a shut interval, if it is deeper in it
    than rounding is off."""
    for begin, end in shut:
        past = (angle - begin) % math.tau
        if 1e-9 < past < end - begin - 1e-9:
            return past, end - begin - past
    return None


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
