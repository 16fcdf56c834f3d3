"""Where a retreat may end, what else may lead out, and a legal way in place of a refused one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, affords, more_than, within
from tapeline.engine.paths import Leg, LegPath, Place
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.rules.trench_crusade.actions import Walk
from tapeline.rules.trench_crusade.book import JUMP_SHARE, LOW_OBSTACLE_IN, NEAR_IN
from tapeline.rules.trench_crusade.context import is_legal
from tapeline.rules.trench_crusade.ground import built, level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import (
    away_from,
    beside,
    holding,
    level_with,
    reach_of,
)
from tapeline.rules.trench_crusade.state import (
    flies,
    height,
    may_leave_table,
    movement,
    radius,
)
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Surface
from tapeline.table.terrain import Ladder
from tapeline.travel.landing import Borders
from tapeline.travel.level_routes import Disc, shortest_to
from tapeline.travel.route import Route
from tapeline.travel.terrain import Terrain

__all__ = [
    "SHORT_IN",
    "Out",
    "climbs",
    "has_other_ways",
    "out_of_zones",
    "ways_out",
    "zones_of",
]


#: How far off a limit an offered end stays, inches: clear of the tolerance.
SHORT_IN = 4 * TOLERANCE
#: Rays tried.
_RAYS = 16
#: How far beyond an edge a trial end lies, inches: clear of the tolerance.
_BEYOND_IN = 1e-5
#: Ends tried in place of a refused one.
_ENDS = 60
#: Pieces of a ramp, inches, that are not told clear or not.
_SMALL_IN = 1e-3


class Out(NamedTuple):
    """A legal way out in place of a refused one, what is said of it, and how far off it ends."""

    path: LegPath
    text: str
    short: float


def out_of_zones(state: State, walk: Walk, track: Route) -> Out | None:
    """A legal retreat in place of a refused one that has no legal beginning: the same way gone on;
    else straight from any of its legs to the nearest place clear of everybody, or out on a ray."""
    if walk.manner != "retreat" or track.length <= 0.0:
        return None
    wanted = walk.path[-1].to or track.end.xy
    longer = _clear_end(state, walk, track)
    if longer is not None and longer[-1].to is not None:
        short = math.dist(longer[-1].to, wanted)
        text = f"Going {short:.2f} in farther the same way ends clear of every enemy."
        return Out(longer, text, short)
    near = sorted(
        _clear_places(state, walk, wanted, track.end.z), key=lambda end: math.dist(end, wanted)
    )
    rays = ways_out(state, state.body(walk.actor), walk.allowance)
    for end in (*near[:_ENDS], *sorted(rays, key=lambda end: math.dist(end, wanted))):
        for last in _last_legs(state, walk, end):
            for kept in range(len(walk.path) - 1, -1, -1):
                path = (*walk.path[:kept], last)
                if is_legal(state, replace(walk, path=path)):
                    short = math.dist(end, wanted)
                    there = f"A way out ends {short:.2f} in from there."
                    return Out(path, there if short else "Straight there it gets away.", short)
    return None


def _last_legs(state: State, walk: Walk, end: Point) -> Iterator[Leg]:
    """How a retreat may come straight to a place: on its level, down a ledge, through the air."""
    yield Leg(to=end)
    if flies(state.body(walk.actor)):
        for surface in terrain_of(state).storeys.over(*end, TOLERANCE):
            yield Leg(to=end, z=surface.height(*end), how="fly")
    elif built(state.table):
        yield Leg(to=end, how="drop")


def _clear_places(state: State, walk: Walk, wanted: Point, z: float) -> Iterator[Point]:
    """Places at the borders of what a retreat may not end in at a height, those nearest to where it
    was to end among them."""
    body, (x, y) = state.body(walk.actor), wanted
    there, r = body.at(x, y, z), radius(body)
    borders = Borders(r + SHORT_IN)
    for other in state.others(body):
        near = NEAR_IN if other.side != body.side else 0.0
        reach = reach_of(there, other, near)
        if reach is not None and math.dist(other.centre, (x, y)) <= reach + walk.allowance:
            borders.circles.append((other.x, other.y, reach + SHORT_IN))
    box = box_about(x, y, walk.allowance + r)
    borders.add(solid.ground for solid in level_routes(state, body).bars(there, box))
    yield x, y
    yield from borders.places(x, y)
    away = away_from(body, holding(state, body))
    if away is not None:  # where a retreat goes directly away it ends on one line
        along = (x - body.x) * away[0] + (y - body.y) * away[1]
        along = min(walk.allowance, max(0.0, along))
        yield body.x + along * away[0], body.y + along * away[1]


def _clear_end(state: State, walk: Walk, track: Route) -> LegPath | None:
    """A retreat that ends too near, gone on straight until it is clear; None if that is illegal."""
    stretches = track.stretches
    last = stretches[-1][1].leg if stretches else None
    if not isinstance(last, Line) or last.length <= 0.0 or walk.path[-1].how != "walk":
        return None
    body = state.body(walk.actor)
    ux, uy = (last.bx - last.ax) / last.length, (last.by - last.ay) / last.length
    out = 0.0
    for enemy in state.enemies(body):
        reach = reach_of(body, enemy, NEAR_IN)
        if reach is None:
            continue
        ex, ey = enemy.x - last.bx, enemy.y - last.by
        along = ex * ux + ey * uy
        room = (reach + SHORT_IN) ** 2 - (ex * ex + ey * ey - along * along)
        if room > 0.0 and math.hypot(ex, ey) <= reach + SHORT_IN:
            out = max(out, along + math.sqrt(room))
    path = (*walk.path[:-1], Leg(to=(last.bx + out * ux, last.by + out * uy)))
    longer = Walk(walk.actor, path, walk.allowance, walk.manner, walk.held)
    return path if out > 0.0 and is_legal(state, longer) else None


def ways_out(state: State, body: Body, allowance: float) -> Iterator[Point]:
    """Ends of straight retreats worth trying: just out of the zones and all the way, on rays.

    Directly away just beyond each friend as well, so that there is a way if any of these is one:
    a friend alone can bar an end and not what lies behind it.
    """
    held = holding(state, body)
    zones = list(zones_of(body, held))
    away = away_from(body, held)
    start = math.atan2(away[1], away[0]) if away is not None else 0.0
    only = state.option("retreat_direction") == "directly_away"
    if only and away is None:
        return
    for k in range(1 if only else _RAYS):
        angle = start + math.tau * k / _RAYS
        c, s = math.cos(angle), math.sin(angle)
        out = 0.0
        for zone in zones:
            ex, ey = zone.x - body.x, zone.y - body.y
            b = ex * c + ey * s
            h2 = zone.radius**2 - (ex * ex + ey * ey - b * b)
            if h2 > 0.0:
                out = max(out, b + math.sqrt(h2))
        ends = [out + _BEYOND_IN, 0.5 * (out + allowance), allowance]
        if only:
            line = Line(body.x, body.y, body.x + allowance * c, body.y + allowance * s)
            for friend in state.friends(body):
                room = radius(body) + radius(friend)
                ends += [b + _BEYOND_IN for _, b in spans_near_point(line, *friend.centre, room)]
        for d in ends:
            if out < d <= allowance:
                yield body.x + d * c, body.y + d * s


def zones_of(body: Body, held: list[Body]) -> Iterator[Disc]:
    """The zones that enemies hold a model in, as its centre meets them: what is no farther than
    the tolerance beyond 1 inch is within it, so that no retreat ends there."""
    for enemy in held:
        reach = reach_of(body, enemy, NEAR_IN + TOLERANCE)
        if reach is not None:
            yield Disc(enemy.x, enemy.y, reach)


def has_other_ways(state: State, body: Body, allowance: float) -> bool:
    """Whether a model may leave its level within an allowance, so that no search of it decides.

    What each way off it costs at least is told from how far that is and how high; from stairs that
    lead to nothing so near that is the straight line to a place clear of all. Through the air low
    flights round what is about are searched, where no other can be so short.
    """
    terrain = terrain_of(state)
    here = terrain.goes_from(body)
    r, (x, y) = radius(body), body.centre
    near = box_about(x, y, allowance + r)
    if flies(body):
        return has_clear_end(state, body, allowance) and not _is_shut_in(state, body, allowance)
    if here is None:
        return True
    if any(affords(_least_on_ladder(body, way), allowance) for way in terrain.table.ladders):
        return True
    if here.ramp is not None:
        if any(other.id not in (here.id, TABLE) for other in terrain.storeys.near(near)):
            return True
        if any(face.entry not in here.entries for face in terrain.features(near)):
            return True
        # A Climb on to the ramp itself may bring a base farther than it costs.
        return has_clear_end(state, body, allowance + max(0.0, 2.0 * r - LOW_OBSTACLE_IN))
    if here.id != TABLE:
        if here.depth(x, y) <= 0.0 or climbs(state, body, allowance):
            return True
        to_edge = max(0.0, here.depth(x, y) - r)
        if not here.is_convex and affords(to_edge, allowance):  # a Jump from arm to arm
            return True
    others = [other for other in terrain.storeys.near(near) if other.id not in (here.id, TABLE)]
    if here.id != TABLE:
        others.append(terrain.storeys.ground)
    widest = JUMP_SHARE * movement(state, body)
    for other in others:
        if affords(_least_onto(terrain, body, here, other), allowance):
            if not _has_room_by(state, body, here, other, allowance):
                continue
            # What is no step higher or lower is not come to over a gap but by a Jump.
            level = other.ramp is None and terrain.low(abs(other.z - here.z), here, other)
            if not more_than(_between(here, other), widest if level else max(widest, r)):
                return True
    return False


def has_clear_end(state: State, body: Body, allowance: float) -> bool:
    """Whether there is a place to end a retreat at no farther off than an allowance, whatever is in
    between: on a surface, more than 1 inch from every enemy, on no friend and on nothing
    impassable. No way is shorter than the straight line, through the air or, on foot, on the plan.
    """
    terrain, r, (x, y) = terrain_of(state), radius(body), body.centre
    box = box_about(x, y, allowance + r)
    if any(low.ground.depth(x, y) > -(allowance + r) for low in terrain.low_tops):
        return True  # such tops are no surfaces
    for surface in terrain.storeys.near(box):
        if surface.ramp is not None:
            if _is_clear_on_ramp(state, body, surface, allowance):
                return True
            continue
        off = abs(surface.z - body.z) if flies(body) else 0.0
        limit = allowance + TOLERANCE
        if off <= limit and _is_clear_on(state, body, surface, math.sqrt(limit**2 - off**2)):
            return True
    return False


def _is_shut_in(state: State, body: Body, allowance: float) -> bool:
    """Whether no flight from the table leads out; False where that is not told.

    A flight over a wall, or over the body of an enemy that it keeps 1 inch off, goes up as high and
    down again. Where all that is about is too high for that within the allowance, it goes round,
    and no flight is shorter than the shortest way round on the plan. It goes over the bases of the
    enemies that hold it, and over friends, as high as it likes.
    """
    terrain, r, (x, y), z = terrain_of(state), radius(body), body.centre, body.z
    here, limit = terrain.goes_from(body), allowance + TOLERANCE
    if here is None or here.id != TABLE or state.option("retreat_direction") == "directly_away":
        return False
    box = box_about(x, y, limit + r)
    if any(low.ground.depth(x, y) > -(limit + r) for low in terrain.low_tops):
        return False
    for surface in terrain.storeys.near(box):
        if surface.ramp is not None:
            if _is_clear_on_ramp(state, body, surface, allowance):
                return False
        elif surface.id != TABLE and abs(surface.z - z) <= limit:
            far = math.sqrt(limit**2 - (surface.z - z) ** 2)
            if _is_clear_on(state, body, surface, far):
                return False
    held = {enemy.id for enemy in holding(state, body)}
    zones, foreign, least_high = list[Disc](), list[Disc](), math.inf
    for enemy in state.enemies(body):
        other = beside(body, enemy)
        reach = other.reach(z, NEAR_IN + TOLERANCE)
        if reach is None or math.dist(enemy.centre, (x, y)) > reach + limit:
            continue
        (zones if enemy.id in held else foreign).append(Disc(enemy.x, enemy.y, reach))
        if enemy.id not in held:
            least_high = min(least_high, other.high - z)
    routes = level_routes(state, body)
    least_high = min([least_high, *(solid.top - z for solid in routes.bars(body, box))])
    out = max((zone.radius - math.dist(zone[:2], (x, y)) for zone in zones), default=0.0)
    if math.hypot(out, 2.0 * least_high) < limit:
        return False  # it may go over
    friends = [
        Disc(f.x, f.y, r + radius(f) - TOLERANCE)
        for f in state.friends(body)
        if level_with(body, f)
    ]
    ends = [d for d in (*zones, *friends) if math.dist(d[:2], (x, y)) <= d.radius + limit]
    goals = []
    for disc in ends:
        others = [other for other in (*zones, *friends, *foreign) if other is not disc]
        shut = routes.shut(body, disc, others, 0.5 * TOLERANCE)
        if not shut or shut[0][1] - shut[0][0] < math.tau - 1e-9:
            goals.append(CircleGoal(*disc, True, tuple(shut)))
    field = routes.field(body, discs=foreign, near=box)
    found = shortest_to(field, (x, y), goals, limit) if goals else None
    return found is None or not affords(found.length, allowance)


def _is_clear_on(state: State, body: Body, surface: Surface, far: float) -> bool:
    """Whether there is such a place on a level surface, so far off on the plan: the nearest is
    where the model is, nearest to that on one border of what keeps it off, or where two cross."""
    (x, y), r, there = body.centre, radius(body), body.at(*body.centre, surface.z)
    rooms = []
    for enemy in state.enemies(body):
        reach = beside(body, enemy).reach(surface.z, NEAR_IN + TOLERANCE)
        if reach is not None:
            rooms.append(Disc(enemy.x, enemy.y, reach))
    rooms += [
        Disc(f.x, f.y, r + radius(f) - TOLERANCE)
        for f in state.friends(body)
        if level_with(there, f)
    ]
    rooms = [disc for disc in rooms if math.dist(disc[:2], (x, y)) <= disc.radius + far]
    solids = level_routes(state, body).bars(there, box_about(x, y, far + r))
    barred = [solid.ground for solid in solids if terrain_of(state).is_barred(solid)]
    borders = Borders(r)
    borders.circles += rooms
    borders.add(barred, r - TOLERANCE)
    # The centre of a base that a roof carries is at least no farther off it than it reaches.
    inset = -r
    if surface.id == TABLE:
        inset = _table_inset(state, body, far)
        borders.add_within(surface, inset)
    else:
        borders.add([surface.outer])

    def is_clear(place: Point) -> bool:
        return (
            math.dist(place, (x, y)) <= far + LENGTH
            and surface.outer.depth(*place) >= inset - LENGTH
            and all(math.dist(place, room[:2]) >= room.radius - LENGTH for room in rooms)
            and all(-plan.depth(*place) >= r - TOLERANCE - LENGTH for plan in barred)
        )

    return is_clear((x, y)) or any(
        is_clear(place) for place in borders.near(x, y, far).places(x, y)
    )


def _table_inset(state: State, body: Body, far: float) -> float:
    """How far in from the edge of the table its centre stays, going no farther than that."""
    if may_leave_table(body):
        return -far
    under_half = state.option("edge_overhang") == "under_half"
    return 0.0 if under_half else radius(body) - TOLERANCE


def _is_clear_on_ramp(state: State, body: Body, surface: Surface, allowance: float) -> bool:
    """Whether there is such a place on a ramp: pieces of it are halved (branch and bound) until
    each is within 1 inch of an enemy at all corners, and so throughout, as a gap is convex, or too
    far off; those too small to be told count as clear."""
    assert surface.ramp is not None
    (fx, fy, _), (hx, hy, _) = surface.ramp.foot, surface.ramp.head
    run, r = math.hypot(hx - fx, hy - fy), radius(body)
    ux, uy = (hx - fx) / run, (hy - fy) / run
    half, limit = 0.5 * surface.ramp.width + r, allowance + TOLERANCE
    along = (body.x - fx) * ux + (body.y - fy) * uy
    across = (body.y - fy) * ux - (body.x - fx) * uy
    enemies = [beside(body, enemy) for enemy in state.enemies(body)]
    pieces = [(0.0, run, -half, half)]
    while pieces:
        a, b, c, d = pieces.pop()
        corners = [
            Place(x, y, surface.height(x, y))
            for s, t in ((a, c), (a, d), (b, c), (b, d))
            for x, y in ((fx + s * ux - t * uy, fy + s * uy + t * ux),)
        ]
        if any(all(within(e.gap(corner), NEAR_IN) for corner in corners) for e in enemies):
            continue
        low, high = corners[0].z, corners[-1].z
        off = max(0.0, low - body.z, body.z - high) if flies(body) else 0.0
        apart = max(0.0, a - along, along - b), max(0.0, c - across, across - d)
        if math.hypot(*apart, off) > limit:
            continue
        if max(b - a, d - c) < _SMALL_IN:
            return True
        if b - a >= d - c:
            pieces += [(a, 0.5 * (a + b), c, d), (0.5 * (a + b), b, c, d)]
        else:
            pieces += [(a, b, c, 0.5 * (c + d)), (a, b, 0.5 * (c + d), d)]
    return False


def _least_on_ladder(body: Body, ladder: Ladder) -> float:
    """What a way by a ladder costs at least."""
    apart = min(math.dist(body.centre, end[:2]) for end in (ladder.foot, ladder.head))
    return max(0.0, apart - radius(body)) + abs(ladder.head[2] - ladder.foot[2])


def _has_room_by(state: State, body: Body, here: Surface, other: Surface, allowance: float) -> bool:
    """Whether what stands about leaves room to climb on to another surface, or to come down there,
    no farther off than the allowance."""
    rise, far = other.z - here.z, allowance + (0.0 if here.id == TABLE else 2.0 * radius(body))
    if other.ramp is not None or terrain_of(state).low(abs(rise), here, other):
        return True
    if rise > 0.0:
        return _has_room(state, body, here.z, other.outer, far - rise)
    off = _table_inset(state, body, far) if other.id == TABLE else -radius(body)
    return _has_room(state, body, other.z, other.outer, far, off)


def _has_room(
    state: State, body: Body, z: float, plan: Ground, far: float, inset: float | None = None
) -> bool:
    """Whether a base may be at a height so deep in a plan, or touching it, so near, and clear of
    what stands in the way there: where it is, or at a place on their borders."""
    r, (x, y) = radius(body), body.centre
    near = box_about(x, y, far + r)
    bars = [o.ground for o in level_routes(state, body).bars(body.at(x, y, z), near)]
    borders = Borders(r)
    borders.add(bars, r - TOLERANCE)
    inset = -r if inset is None else inset
    if inset > 0.0:
        borders.add_within(terrain_of(state).storeys.ground, inset)
    else:
        borders.add([plan], -inset)

    def has_room(place: Point) -> bool:
        return (
            math.dist(place, (x, y)) <= far + TOLERANCE
            and plan.depth(*place) >= inset - TOLERANCE
            and all(-other.depth(*place) >= r - TOLERANCE - LENGTH for other in bars)
        )

    return not bars or has_room((x, y)) or any(map(has_room, borders.places(x, y)))


def _least_onto(terrain: Terrain, body: Body, here: Surface, other: Surface) -> float:
    """What it costs at least to come from one surface on to another one."""
    r, (x, y) = radius(body), body.centre
    off = 0.0 if other.id == TABLE else max(0.0, -other.depth(x, y) - r)
    if other.ramp is not None:
        return off
    rise = other.z - here.z
    if terrain.low(abs(rise), here, other):
        return off if here.id == TABLE else max(off, here.depth(x, y) - r)
    if rise > 0.0:
        return off + rise
    to_edge = here.depth(x, y)
    if other.id != TABLE and not _lies_all_under(here, other, r):
        return max(off, to_edge - r)
    return min(to_edge + r, max(0.0, to_edge - r) - rise)  # a Jump Down, a Climb


def _lies_all_under(here: Surface, other: Surface, r: float) -> bool:
    """Whether a surface goes on below all edges of one above by more than a base lands off them."""
    ring = here.outer.ring
    corners = zip(ring[::2], ring[1::2], strict=True) if ring else ()
    return ring is not None and other.is_convex and all(other.depth(*at) >= r for at in corners)


def _between(here: Surface, other: Surface) -> float:
    """How far apart two surfaces lie on the plan; 0 where that is not told."""
    is_round = here.outer.ring is None or other.outer.ring is None
    if is_round or TABLE in (here.id, other.id):
        return 0.0
    return here.outer.apart(other.outer)


def climbs(state: State, body: Body, allowance: float) -> bool:
    """Whether a model may climb on to something that stands about, or over it."""
    terrain, r, z, (x, y) = terrain_of(state), radius(body), body.z, body.centre
    return any(
        terrain.stops(o, z, z, height(body))
        and not terrain.is_barred(o)
        and UNCLIMBABLE not in o.traits
        and affords(max(0.0, -o.ground.depth(x, y) - r) + o.top - z, allowance)
        and _has_room(state, body, z, o.ground, allowance - (o.top - z))
        for o in terrain.climbed_near(box_about(x, y, allowance + r))
    )
