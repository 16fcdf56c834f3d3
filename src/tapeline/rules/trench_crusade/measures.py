"""Gaps between models, who is within 1 inch of whom, and whether one sees the other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.limits import same, within
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.figures import NEAR_IN
from tapeline.rules.trench_crusade.state import base_mm, radius
from tapeline.table.bodies import Body

__all__ = ["enemies_within", "gap", "gap_at", "holding", "ignored_by", "reach_of"]


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


def enemies_within(state: State, body: Body, limit: float) -> list[Body]:
    """Enemies whose gap to a body is within the limit, in scene order."""
    return [enemy for enemy in state.enemies(body) if within(gap(body, enemy), limit)]


def ignored_by(body: Body, enemy: Body) -> bool:
    """Whether the enemy's base is too small to hold this model back, TC-KW-3."""
    limit = body.stat("retreat_guard_base_mm")
    return limit > 0 and within(base_mm(enemy), limit)


def holding(state: State, body: Body) -> list[Body]:
    """S: the enemies within 1 inch of a model, in scene order."""
    return enemies_within(state, body, NEAR_IN)


def gaps(body: Body, others: Iterator[Body]) -> Iterator[tuple[Body, float]]:
    """Each of the others with its gap, inches."""
    return ((other, gap(body, other)) for other in others)
