"""Which links and portals a route within a limit can take at all, told by straight distances.

Each way costs at least the straight distances on the levels between the boxes of the ways taken,
and what those charge. A way is left out when the least from the start through it to a goal is more
than the limit: no search within the limit would have taken it up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.surfaces.links import Link, Place, Portal
from tapeline.geometry.surfaces.network import Network

__all__ = ["worthwhile"]

#: Length: a way is left out only if it exceeds the limit by more.
_SPARE = 1e-6


def worthwhile(
    levels: Network, start: Place, goals: Sequence[tuple[str, Goal]], limit: float
) -> list[bool]:
    """For each link, then each portal: whether a route within the limit may take it.

    limit: finite. Raises ShapeError for levels that are not there.
    """
    ways: list[Link | Portal] = [*levels.links, *levels.portals]
    if not ways:
        return []
    n = len(ways)
    level = [(levels.number(way.start[0]), levels.number(way.end[0])) for way in ways]
    corners = np.array([levels.sides(way) for way in ways])
    into, out = _boxes(corners[:, 0], corners[:, 1]), _boxes(corners[:, 2], corners[:, 3])
    # Each way, then each way back.
    before = np.array([a for a, _ in level] + [b for _, b in level])
    after = np.array([b for _, b in level] + [a for a, _ in level])
    entered, left = np.concatenate((into, out)), np.concatenate((out, into))
    cost = np.array([way.cost for way in ways] + [w.cost if w.both else math.inf for w in ways])
    # The least with which a way may have been taken, and what is left then at least.
    begun = np.full(2 * n, math.inf)
    x, y = levels.level(start[0]).own(start[1], start[2])
    here = before == levels.number(start[0])
    begun[here] = _off(entered[here], x, y)
    begun += cost
    onward = np.full(2 * n, math.inf)
    for name, goal in goals:
        at = levels.number(name)
        x, y = levels.levels[at].own(goal.x, goal.y)
        there = after == at
        off = _off(left[there], x, y)
        if isinstance(goal, CircleGoal):
            off = np.zeros_like(off) if goal.outward else np.maximum(0.0, off - goal.radius)
        onward[there] = np.minimum(onward[there], off)
    most = limit + _SPARE
    _spread(begun, most, left, after, entered, before, cost, False)
    _spread(onward, most, entered, before, left, after, cost, True)
    stays = begun + onward <= most
    return [bool(one or back) for one, back in zip(stays[:n], stays[n:], strict=True)]


def _spread(
    least: Any,
    most: float,
    mine: Any,
    my_level: Any,
    its: Any,
    its_level: Any,
    cost: Any,
    backward: bool,
) -> None:
    """Let each way pass on what it costs to those that can come next, as long as that falls.

    mine, its: boxes of the ends by which a way hands on and by which the next takes over.
    """
    fresh = least <= most
    while fresh.any():
        rows = np.flatnonzero(fresh)
        known = least[rows] + (cost[rows] if backward else 0.0)
        step = _apart(mine[rows], its)
        step[my_level[rows][:, None] != its_level] = math.inf
        found = (known[:, None] + step).min(axis=0)
        if not backward:
            found += cost
        fresh = (found < least) & (found <= most)
        least[fresh] = found[fresh]


def _boxes(a: Any, b: Any) -> Any:
    """Boxes of segments: least x, least y, greatest x, greatest y."""
    return np.stack(
        (
            np.minimum(a.real, b.real),
            np.minimum(a.imag, b.imag),
            np.maximum(a.real, b.real),
            np.maximum(a.imag, b.imag),
        ),
        axis=1,
    )


def _off(boxes: Any, x: float, y: float) -> Any:
    """How far a point is from each box."""
    return _apart(np.array([[x, y, x, y]]), boxes)[0]


def _apart(one: Any, two: Any) -> Any:
    """How far each of some boxes is from each of others: rows of the first."""
    dx = np.maximum(two[:, 0] - one[:, 2:3], one[:, 0:1] - two[:, 2])
    dy = np.maximum(two[:, 1] - one[:, 3:4], one[:, 1:2] - two[:, 3])
    return np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0))
