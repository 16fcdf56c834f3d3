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
from tapeline.geometry.surfaces.way_boxes import WayBoxes, boxes_apart

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
    boxes = levels.boxes()
    numbers = np.array([2 * boxes.position[way.id][0] for way in ways])
    # By number, there and back; what is no way of these levels costs infinitely much.
    cost = np.full(len(boxes.cost), math.inf)
    for one in (numbers, numbers + 1):
        cost[one] = boxes.cost[one]
    # The least with which a way may have been taken, and what is left then at least.
    begun = np.full(len(cost), math.inf)
    x, y = levels.level(start[0]).own(start[1], start[2])
    here = boxes.before == boxes.levels.get(start[0], -1)
    begun[here] = _off(boxes.entered[here], x, y)
    begun += cost
    onward = np.full(len(cost), math.inf)
    for name, goal in goals:
        x, y = levels.level(name).own(goal.x, goal.y)
        there = boxes.after == boxes.levels.get(name, -1)
        off = _off(boxes.left[there], x, y)
        if isinstance(goal, CircleGoal):
            off = np.zeros_like(off) if goal.outward else np.maximum(0.0, off - goal.radius)
        onward[there] = np.minimum(onward[there], off)
    most = np.full(len(cost), limit + _SPARE)
    _spread(begun, most, boxes, cost, False)
    _spread(onward, most - begun, boxes, cost, True)
    stays = begun + onward <= most
    found: list[bool] = (stays[numbers] | stays[numbers + 1]).tolist()
    return found


def _spread(least: Any, most: Any, boxes: WayBoxes, cost: Any, backward: bool) -> None:
    """Let each way pass on what it costs to those that can come next, level by level, as long as
    that falls; backward, to those that can come before.

    most: beyond which no cost of a way counts.
    """
    here, there = (boxes.entered, boxes.left) if backward else (boxes.left, boxes.entered)
    onto = boxes.before if backward else boxes.after
    waiting: dict[int, list[Any]] = {}

    def wait(rows: Any) -> None:
        levels = onto[rows]
        for level in set(levels.tolist()):
            waiting.setdefault(level, []).append(rows[levels == level])

    wait(np.flatnonzero(least <= most))
    while waiting:
        level = next(iter(waiting))
        rows = np.unique(np.concatenate(waiting.pop(level)))
        columns = boxes.by_level[level][0 if backward else 1]
        known = least[rows] + (cost[rows] if backward else 0.0)
        found = (known[:, None] + boxes_apart(here[rows], there[columns])).min(axis=0)
        if not backward:
            found += cost[columns]
        better = (found < least[columns]) & (found <= most[columns])
        least[columns[better]] = found[better]
        wait(columns[better])


def _off(boxes: Any, x: float, y: float) -> Any:
    """How far a point is from each box."""
    return boxes_apart(np.array([[x, y, x, y]]), boxes)[0]
