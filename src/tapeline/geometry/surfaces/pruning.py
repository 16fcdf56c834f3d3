"""Which links and portals a route within a limit can take at all, told by straight distances.

Each way costs at least the straight distances on the levels between the boxes of the ways taken,
and what those charge. A way is left out when the least from the start through it to a goal is more
than the limit: no search within the limit would have taken it up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeline.geometry import backends
from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.discs.priority_queue import take_least, value_fell
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.way_boxes import WayTable

__all__ = ["leads_aside", "least_through", "mark_worthwhile", "most_taken"]

#: Length: a way is left out only if it exceeds the limit by more.
_SPARE = 1e-6
#: Length: a way leads no farther than it costs, but for rounding.
_NOTHING = 1e-9
#: Floats of a goal: level by number, x, y, the radius of a circle.
_GOAL = 4


class _Costs(NamedTuple):
    """Of each way: the least with which it may have been taken, what is left then at least, the
    most that is looked at, whether it is through, and whether it passes nothing on; room for who
    comes next."""

    begun: list[float]
    onward: list[float]
    most: list[float]
    done: list[int]
    still: list[int]
    heap: list[int]
    place: list[int]


def least_through(
    levels: Network,
    start: Place,
    goals: Sequence[tuple[str, Goal]],
    limit: float,
    open_: Any = None,
) -> Any:
    """For each link, then each portal: the least that a route that takes it may cost; infinity
    where that is more than the limit. An array.

    open_: whether each may be taken, an array; else all may.

    Raises ShapeError for levels that are not there.
    """
    if not (levels.links or levels.portals):
        return np.zeros(0)
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    rows: list[float] = []
    for name, goal in goals:
        radius = 0.0
        if isinstance(goal, CircleGoal):
            radius = math.inf if goal.outward else goal.radius
        rows += (boxes.levels.get(name, -1), *levels.level(name).own(goal.x, goal.y), radius)
    numbers, costs = _unknown(levels, limit)
    taken = numbers if open_ is None else numbers[open_]
    backends.functions(compiled).mark_worthwhile(
        boxes.table(compiled),
        backends.ints(taken, compiled),
        boxes.levels.get(start[0], -1),
        *map(float, levels.level(start[0]).own(start[1], start[2])),
        backends.floats(rows, compiled),
        costs,
    )
    begun, onward, done = map(np.asarray, (costs.begun, costs.onward, costs.done))
    least = np.where(done == 1, begun + onward, math.inf)
    return least.reshape(-1, 2).min(axis=1)[numbers]


def leads_aside(levels: Network, start: Place, limit: float, most: float) -> bool:
    """Whether ways taken within a limit may lead farther on the plan than they cost, by more than
    that altogether. A way over an edge may lead down for nothing to a place a little off it.

    limit: finite. Told by straight distances, so it may do so though no ways do.
    """
    numbers, costs = _unknown(levels, limit)
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    aside = boxes.rows.aside[numbers]
    farthest = float(aside.max(initial=0.0))
    if farthest <= _NOTHING:
        return False
    times = int(most / farthest) + 1
    far: Any = np.zeros((len(boxes.ways), 2), dtype=np.int64)
    far[numbers] = (aside > _NOTHING)[:, None]
    taken = backends.functions(compiled).most_taken(
        boxes.table(compiled),
        backends.ints(numbers, compiled),
        boxes.levels.get(start[0], -1),
        *map(float, levels.level(start[0]).own(start[1], start[2])),
        times,
        costs._replace(still=backends.ints(far.ravel(), compiled)),
    )
    return bool(taken >= times)


def _unknown(levels: Network, limit: float) -> tuple[Any, _Costs]:
    """Ways by number, as `boxes` has them, and room for what is known of each within a limit."""
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    count, f, i = 2 * len(boxes.ways), backends.blank, backends.blank_ints
    return levels.numbers(), _Costs(
        begun=f(count, compiled, math.inf),
        onward=f(count, compiled, math.inf),
        most=f(count, compiled, limit + _SPARE),
        done=i(count, compiled, 1),
        still=i(count, compiled),
        heap=i(count, compiled),
        place=i(count, compiled),
    )


@entry()
def mark_worthwhile(
    ways: WayTable, numbers: Ints, start: int, x: float, y: float, goals: Floats, costs: _Costs
) -> None:
    """Set costs.done to whether each of some ways, there (2 k) and back (2 k + 1), is worthwhile.

    numbers: k of the ways that may be taken; costs: no costs known, all done, and the limit.
    """
    begun, onward = costs.begun, costs.onward
    for at in range(2 * len(numbers)):
        i = 2 * numbers[at // 2] + at % 2
        costs.done[i] = 0
        if ways.before[i] == start:
            begun[i] = _apart(ways.entered, 4 * i, x, y, x, y) + ways.cost[i]
        for g in range(0, len(goals), _GOAL):
            if ways.after[i] == goals[g]:
                gx, gy = goals[g + 1], goals[g + 2]
                off = _apart(ways.left, 4 * i, gx, gy, gx, gy) - goals[g + 3]
                onward[i] = min(onward[i], max(0.0, off))
    _spread(ways, begun, costs, False)
    for at in range(2 * len(numbers)):
        i = 2 * numbers[at // 2] + at % 2
        costs.done[i] = 0
        costs.most[i] -= begun[i]
    _spread(ways, onward, costs, True)
    for at in range(2 * len(numbers)):
        i = 2 * numbers[at // 2] + at % 2
        costs.done[i] = 1 if onward[i] <= costs.most[i] else 0


@entry()
def most_taken(
    ways: WayTable, numbers: Ints, start: int, x: float, y: float, times: int, costs: _Costs
) -> int:
    """How many of the ways that are `still` may be taken one after another, `times` at most.

    numbers, costs: as of `mark_worthwhile`.
    """
    least, last = costs.begun, costs.onward
    for at in range(2 * len(numbers)):
        i = 2 * numbers[at // 2] + at % 2
        if ways.before[i] == start:
            least[i] = _apart(ways.entered, 4 * i, x, y, x, y) + ways.cost[i]
    for taken in range(times):
        for at in range(2 * len(numbers)):
            costs.done[2 * numbers[at // 2] + at % 2] = 0
        _spread(ways, least, costs, False)
        any_taken = False
        for at in range(2 * len(numbers)):
            i = 2 * numbers[at // 2] + at % 2
            last[i] = math.inf
            if costs.still[i] == 1 and least[i] <= costs.most[i]:
                last[i] = least[i]
                any_taken = True
            least[i] = math.inf
        if not any_taken:
            return taken
        for at in range(2 * len(numbers)):
            i = 2 * numbers[at // 2] + at % 2
            if last[i] < math.inf:
                _pass_on(ways, i, last[i], least)
    return times


@kernel
def _pass_on(ways: WayTable, i: int, known: float, least: list[float]) -> None:
    """Tell all that can come next after a way what they cost at least by it."""
    k = 4 * i
    x0, y0, x1, y1 = ways.left[k], ways.left[k + 1], ways.left[k + 2], ways.left[k + 3]
    level = ways.after[i]
    for at in range(ways.entry_starts[level], ways.entry_starts[level + 1]):
        j = ways.by_entry[at]
        found = known + _apart(ways.entered, 4 * j, x0, y0, x1, y1) + ways.cost[j]
        least[j] = min(least[j], found)


@kernel
def _apart(boxes: Floats, k: int, x0: float, y0: float, x1: float, y1: float) -> float:
    """How far a box of a row is from another."""
    dx = max(x0 - boxes[k + 2], boxes[k] - x1, 0.0)
    dy = max(y0 - boxes[k + 3], boxes[k + 1] - y1, 0.0)
    return math.sqrt(dx * dx + dy * dy)


@kernel
def _spread(ways: WayTable, least: list[float], costs: _Costs, backward: bool) -> None:
    """Let each way pass on what it costs to those that can come next, the cheapest first; backward,
    to those that can come before. Source: Dijkstra 1959."""
    here, there, onto = ways.left, ways.entered, ways.after
    starts, others = ways.entry_starts, ways.by_entry
    if backward:
        here, there, onto = ways.entered, ways.left, ways.before
        starts, others = ways.exit_starts, ways.by_exit
    done, most, heap, place = costs.done, costs.most, costs.heap, costs.place
    count = 0
    for k in range(len(done)):
        place[k] = -1
        if done[k] == 0 and least[k] < math.inf:
            count = value_fell(least, 1, 0, heap, place, count, k)
    while count > 0:
        i = heap[0]
        best = least[i]
        count = take_least(least, 1, 0, heap, place, count)
        done[i] = 1
        if best > most[i] or costs.still[i] == 1:
            continue
        known = best + (ways.cost[i] if backward else 0.0)
        x0, y0, x1, y1 = here[4 * i], here[4 * i + 1], here[4 * i + 2], here[4 * i + 3]
        for at in range(starts[onto[i]], starts[onto[i] + 1]):
            j = others[at]
            if done[j] == 0:
                found = known + _apart(there, 4 * j, x0, y0, x1, y1)
                if not backward:
                    found += ways.cost[j]
                if found < least[j] and found <= most[j]:
                    least[j] = found
                    count = value_fell(least, 1, 0, heap, place, count, j)
