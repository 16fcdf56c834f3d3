"""Gaps between models where they stand, and as they are measured along a way."""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, overlaps, same, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.ground import terrain_of
from tapeline.rules.trench_crusade.state import base_mm, flies, height, radius
from tapeline.table.bodies import Body
from tapeline.travel.nearness import Other

__all__ = [
    "Around",
    "around",
    "away_from",
    "base_of",
    "based",
    "beside",
    "enemies_within",
    "gap",
    "gap_at",
    "holding",
    "ignored_by",
    "level_with",
    "on_friend",
    "reach_of",
]


def gap(a: Body, b: Body) -> float:
    """Least distance between two bases, inches: zero when one stands over the other, G-2."""
    return gap_at(math.hypot(a.x - b.x, a.y - b.y), a, b)


def gap_at(centre_distance: float, a: Body, b: Body) -> float:
    """The gap of two bases whose centres are so far apart on the plan, inches."""
    flat = max(0.0, centre_distance - radius(a) - radius(b))
    return flat if a.z == b.z else math.hypot(flat, a.z - b.z)


def reach_of(a: Body, b: Body, limit: float) -> float | None:
    """Centre distance on the plan at which the gap is `limit`, inches; None if it never is."""
    rise = abs(a.z - b.z)
    if not within(rise, limit):
        return None
    return radius(a) + radius(b) + math.sqrt(max(0.0, limit * limit - rise * rise))


def level_with(a: Body, b: Body) -> bool:
    """Whether two bases stand at one height, so that they could overlap."""
    return same(a.z, b.z)


class Around(NamedTuple):
    """Models near another one, in scene order."""

    friends: list[Body]
    enemies: list[Body]


def around(state: State, body: Body, far: float) -> Around:
    """Other models whose bases come, on the plan, as near as `far` to the centre of one."""
    found = Around([], [])
    x, y, side, me = body.x, body.y, body.side, body.id
    for other in state.bodies.values():
        dx, dy, reach = other.x - x, other.y - y, far + other.base.reach
        if dx * dx + dy * dy <= reach * reach and other.id != me:
            (found.friends if other.side == side else found.enemies).append(other)
    return found


def enemies_within(state: State, body: Body, limit: float) -> list[Body]:
    """Enemies whose gap to a body is within the limit, in scene order."""
    near = around(state, body, radius(body) + limit + 2.0 * TOLERANCE).enemies
    return [enemy for enemy in near if within(gap(body, enemy), limit)]


def ignored_by(body: Body, enemy: Body) -> bool:
    """Whether the enemy's base is too small to hold this model back, TC-KW-3."""
    limit = body.stat("retreat_guard_base_mm")
    return limit > 0 and within(base_mm(enemy), limit)


def holding(state: State, body: Body) -> list[Body]:
    """S: the enemies within 1 inch of a model, in scene order."""
    return enemies_within(state, body, NEAR_IN)


def away_from(body: Body, enemies: list[Body]) -> tuple[float, float] | None:
    """Unit vector along the sum of the unit vectors from enemies to a model; None if it is 0."""
    sx = sy = 0.0
    for enemy in enemies:
        dx, dy = body.x - enemy.x, body.y - enemy.y
        d = math.hypot(dx, dy)
        if d > 0.0:
            sx, sy = sx + dx / d, sy + dy / d
    length = math.hypot(sx, sy)
    return None if same(length, 0.0) else (sx / length, sy / length)


def beside(mover: Body, other: Body) -> Other:
    """Another base as one that moves is measured to it along a way, G-2.

    A flyer keeps off its body, which is as tall as it is (reading fly_clearance, volume). Who holds
    whom is told by `based`.
    """
    top = other.z + height(other) if flies(mover) else other.z
    return Other(other.x, other.y, other.z, top, mover.base.reach + other.base.reach)


def base_of(state: State, mover: Body, other: Body) -> Other:
    """Another base as one that moves might come onto it: at its height, and on a slope that either
    stands on, where no two bases of one place are at one height."""
    terrain, found = terrain_of(state), beside(mover, other)
    if not terrain.table.ramps:
        return found
    (x, y), room = other.centre, found.room
    slopes = tuple(
        ramp
        for ramp in terrain.storeys.near((x - room, y - room, x + room, y + room))
        if ramp.ramp is not None
        and same(ramp.height(x, y), other.z)
        and ramp.depth(x, y, room) > -room
    )
    return found._replace(slopes=slopes) if slopes else found


def on_friend(state: State, mover: Body, place: Place) -> bool:
    """Whether a model would be on the base of a friend at a place."""
    friends = state.friends(mover)
    return any(overlaps(base_of(state, mover, friend).overlap(place)) for friend in friends)


def based(mover: Body, other: Body) -> Other:
    """Another base as one that stays within 1 inch of it is measured to it, flying or not, G-2."""
    return Other(other.x, other.y, other.z, other.z, mover.base.reach + other.base.reach)
