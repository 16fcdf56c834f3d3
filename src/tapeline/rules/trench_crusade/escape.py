"""G-31: whether a retreating model can get more than 1 inch away from all enemies."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.limits import TOLERANCE, affords
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.geometry.discs.route import CircleGoal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.rules.trench_crusade.actions import Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.figures import NEAR_IN
from tapeline.rules.trench_crusade.ground import Disc, ground_of
from tapeline.rules.trench_crusade.heights import heights_of, in_space
from tapeline.rules.trench_crusade.measures import holding, level_with, reach_of
from tapeline.rules.trench_crusade.state import flies, radius
from tapeline.rules.trench_crusade.track import Track, legs_of
from tapeline.table.bodies import Body
from tapeline.table.storeys import TABLE

__all__ = ["can_escape", "ways_out"]

Point = tuple[float, float]

#: Rays tried before the exact search.
_RAYS = 16
#: How far beyond an edge a trial end lies, inches: clear of the tolerance.
_BEYOND_IN = 1e-5


def can_escape(state: State, body: Body, allowance: float) -> bool:
    """Whether some path of the allowance ends more than 1 inch from every enemy."""
    if allowance <= 0.0:
        return False
    if any(_legal(state, body, end, allowance) for end in ways_out(state, body, allowance)):
        return True
    only = state.option("retreat_direction") == "directly_away"
    if in_space(state, body) and _has_other_ways(state, body, allowance):
        # Up, down or through the air: the player is asked for a path, and may always stay.
        return True
    return not only and _search(state, body, allowance)


def _has_other_ways(state: State, body: Body, allowance: float) -> bool:
    """Whether a model may leave its level within an allowance, so that no search of it decides."""
    if flies(body):
        return True
    heights, reach = heights_of(state), allowance + radius(body)
    x, y = body.centre
    near = heights.storeys.near((x - reach, y - reach, x + reach, y + reach))
    return any(surface.id != TABLE for surface in near) or body.z != 0.0


def ways_out(state: State, body: Body, allowance: float) -> Iterator[Point]:
    """Ends of straight retreats worth trying: just out of the zones and all the way, on rays.

    Directly away just beyond each friend as well, so that there is a way if any of these is one:
    a friend alone can bar an end and not what lies behind it.
    """
    from tapeline.rules.trench_crusade.retreat import away_from

    held = holding(state, body)
    zones = list(_zones(state, body, held))
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


def _zones(state: State, body: Body, held: list[Body]) -> Iterator[Disc]:
    for enemy in held:
        reach = reach_of(body, enemy, NEAR_IN)
        if reach is not None:
            yield Disc(enemy.x, enemy.y, reach)


def _legal(state: State, body: Body, end: Point, allowance: float) -> bool:
    held = tuple(enemy.id for enemy in holding(state, body))
    walk = Walk(body.id, (Leg(to=end),), allowance, "retreat", held)
    return not _findings(state, walk)


def _findings(state: State, walk: Walk) -> bool:
    from tapeline.rules.trench_crusade.context import Context

    return bool(BOOK.check(Walk, Context(state, walk, None))[0])


def _search(state: State, body: Body, allowance: float) -> bool:
    """The exact test: the shortest way across the border of the zones, never over an enemy's
    base, within 1 inch of enemies that were farther, or through what is impassable."""
    ground, r = ground_of(state), radius(body)
    held = holding(state, body)
    own = list(_zones(state, body, held))
    walls = [Disc(e.x, e.y, r + radius(e)) for e in held if level_with(body, e)]
    ids = {enemy.id for enemy in held}
    for enemy in state.enemies(body):
        reach = reach_of(body, enemy, NEAR_IN)
        if enemy.id not in ids and reach is not None:
            walls.append(Disc(enemy.x, enemy.y, reach + 3 * TOLERANCE))
    goals = []
    for zone in own:
        others = [disc for disc in (*own, *walls) if disc is not zone]
        shut = ground.shut(body, zone, others)
        if not shut or shut[0][1] - shut[0][0] < math.tau - 1e-9:
            goals.append(CircleGoal(zone.x, zone.y, zone.radius, True, tuple(shut)))
    if not goals:
        return False
    reach = allowance + r + 1.0
    near = (body.x - reach, body.y - reach, body.x + reach, body.y + reach)
    router = ground.router(body, discs=walls, near=near)
    found = router.shortest(body.centre, goals, limit=allowance + TOLERANCE)
    if found is None:
        return False
    track = Track(body.centre, legs_of(found.path.legs))
    # A shortest way that costs too much over Difficult ground, or comes back into a zone it has
    # left, proves nothing: the player is then asked for a path, and may always stay.
    return affords(track.length, allowance)
