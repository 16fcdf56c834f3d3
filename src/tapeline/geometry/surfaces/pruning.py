"""Which links and portals a route within a limit can take at all, told by straight distances.

Each way costs at least the straight distances on the levels between the boxes of the ways taken,
and what those charge; and, on the plan, the straight distance from the start to it and from it to a
goal, but for what ways may lead aside for nothing (an ellipse). A way is left out when the least
from the start through it to a goal is more than the limit: no search within the limit would have
taken it up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeline.geometry import backends
from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.discs.priority_queue import take_least, value_fell
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.way_boxes import WayTable

__all__ = ["MANY", "leads_aside", "least_through", "mark_worthwhile", "most_taken"]

#: Length: a way is left out only if it exceeds the limit by more.
_SPARE = 1e-6
#: Length: a way leads no farther than it costs, but for rounding. Length, squared: nothing.
_NOTHING, _TINY = 1e-9, 1e-24
#: Ways that lead aside, one after the other, which are counted. As long as no more of the ways than
#: this are left others may be left out too.
_ASIDE, _FEWER = 16, 0.8
#: Of more ways than this the distances on the plan cost more than they spare.
MANY = 700
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
    spare: Mapping[str, float] | None = None,
    open_: Any = None,
) -> Any:
    """For each link, then each portal: the least that a route that takes it may cost; infinity
    where that is more than the limit. An array.

    spare: of links by id, how far off each may be entered and left, and how much less charged.
    open_: whether each may be taken, an array; else all may.

    Raises ShapeError for levels that are not there.
    """
    count = len(levels.links) + len(levels.portals)
    least = np.zeros(count) if open_ is None else np.where(open_, 0.0, math.inf)
    here, numbers, more = np.flatnonzero(least == 0.0), levels.numbers(), np.zeros(count)
    asked = _Question(levels, start, goals, limit)
    if spare:
        more[: len(levels.links)] = [spare.get(link.id, 0.0) for link in levels.links]
    bounds = (_by_legs, _on_plan) if limit < math.inf and count <= MANY else (_by_legs,)
    while len(here):
        for told in bounds:
            found = told(asked, numbers[here], more[here])
            least[here] = np.maximum(least[here], found)
            least[least > limit + _SPARE] = math.inf
            before, here = len(here), here[least[here] < math.inf]
        if len(bounds) == 1 or len(here) > _FEWER * before:
            break
    return least


class _Question(NamedTuple):
    """What is asked: from where on which levels, to what, and within what."""

    levels: Network
    start: Place
    goals: Sequence[tuple[str, Goal]]
    limit: float


def _by_legs(asked: _Question, numbers: Any, spare: Any) -> Any:
    """The least of each of some ways by the straight distances from one to the next."""
    levels, start, goals, limit = asked
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    rows: list[float] = []
    for name, goal in goals:
        radius = 0.0
        if isinstance(goal, CircleGoal):
            radius = math.inf if goal.outward else goal.radius
        rows += (boxes.levels.get(name, -1), *levels.level(name).own(goal.x, goal.y), radius)
    costs = _unknown(levels, limit)
    backends.functions(compiled).mark_worthwhile(
        _table(levels, numbers, spare),
        backends.ints(numbers, compiled),
        boxes.levels.get(start[0], -1),
        *map(float, levels.level(start[0]).own(start[1], start[2])),
        backends.floats(rows, compiled),
        costs,
    )
    begun, onward, done = map(np.asarray, (costs.begun, costs.onward, costs.done))
    least = np.where(done == 1, begun + onward, math.inf)
    return least.reshape(-1, 2).min(axis=1)[numbers]


def _on_plan(asked: _Question, numbers: Any, spare: Any) -> Any:
    """The least of each of some ways by the straight distances on the plan from the start to it and
    on to a goal: what others lead aside for nothing is all that a route may spare of these."""
    levels, start, goals, limit = asked
    rows, least = levels.boxes().rows, np.full(len(numbers), math.inf)
    farthest = float(rows.aside[numbers].max(initial=0.0))
    table = _table(levels, numbers, spare)
    spared = farthest * _aside(levels, table, numbers, [start], 0.0, limit, _ASIDE)
    a, b, c, d = rows.plan[numbers].T
    off = [_off(complex(*start[1:]), *side) for side in ((a, b), (c, d))]
    for _, goal in goals:
        near = 0.0
        if isinstance(goal, CircleGoal):
            near = math.inf if goal.outward else goal.radius
        z = complex(goal.x, goal.y)
        there = off[0] + np.maximum(0.0, _off(z, c, d) - near) + rows.cost[numbers, 0]
        back = off[1] + np.maximum(0.0, _off(z, a, b) - near) + rows.cost[numbers, 1]
        least = np.minimum(least, np.minimum(there, back))
    return least - 3.0 * spare - spared


def _off(z: complex, a: Any, b: Any) -> Any:
    """How far a place is from each of some segments, x + y i."""
    along, ahead = b - a, z - a
    squares = np.maximum((along * along.conjugate()).real, _TINY)
    share = np.clip((ahead * along.conjugate()).real / squares, 0.0, 1.0)
    return abs(ahead - share * along)


def leads_aside(
    levels: Network,
    places: Iterable[Place],
    limit: float,
    most: float,
    *,
    off: float = 0.0,
    back: bool = False,
) -> bool:
    """Whether ways taken within a limit may lead farther on the plan than they cost, by more than
    that altogether. A way over an edge may lead down for nothing to a place a little off it.

    places: where these begin, or, back, end: so far off one of them at most. limit: finite. Told by
    straight distances, so it may do so though no ways do.
    """
    numbers = levels.numbers()
    farthest = float(levels.boxes().rows.aside[numbers].max(initial=0.0))
    if farthest <= _NOTHING:
        return False
    times, table = int(most / farthest) + 1, levels.boxes().table(levels.levels[0].compiled)
    table = table.back() if back else table
    return _aside(levels, table, numbers, places, off, limit, times) >= times


def _table(levels: Network, numbers: Any, spare: Any) -> WayTable:
    """The table of ways, where some spare so much."""
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    table = boxes.table(compiled)
    if not spare.any():
        return table
    more = np.zeros(len(boxes.ways))
    more[numbers] = spare
    return table.wider(more, compiled)


def _aside(
    levels: Network,
    table: WayTable,
    numbers: Any,
    places: Iterable[Place],
    off: float,
    limit: float,
    times: int,
) -> float:
    """How many of some ways that lead farther on the plan than they cost may be taken one after
    another within a limit; infinity for as many as `times`."""
    boxes, compiled = levels.boxes(), levels.levels[0].compiled
    far: Any = np.zeros((len(boxes.ways), 2), dtype=np.int64)
    far[numbers] = (boxes.rows.aside[numbers] > _NOTHING)[:, None]
    if not far.any():
        return 0.0
    ends: list[float] = []
    for name, x, y in places:
        level = levels.level(name)
        stretched = off * (1.0 if level.slope is None else level.slope.factor)
        ends += (boxes.levels.get(name, -1), *level.own(x, y), stretched)
    taken = backends.functions(compiled).most_taken(
        table,
        backends.ints(numbers, compiled),
        backends.floats(ends, compiled),
        times,
        _unknown(levels, limit)._replace(still=backends.ints(far.ravel(), compiled)),
    )
    return math.inf if taken >= times else float(taken)


def _unknown(levels: Network, limit: float) -> _Costs:
    """Room for what is known of each way, as `boxes` has them, within a limit."""
    count, compiled = 2 * len(levels.boxes().ways), levels.levels[0].compiled
    f, i = backends.blank, backends.blank_ints
    return _Costs(
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
def most_taken(ways: WayTable, numbers: Ints, starts: Floats, times: int, costs: _Costs) -> int:
    """How many of the ways that are `still` may be taken one after another, `times` at most.

    starts: places to begin at, as goals. numbers, costs: as of `mark_worthwhile`.
    """
    least, last = costs.begun, costs.onward
    for at in range(2 * len(numbers)):
        i = 2 * numbers[at // 2] + at % 2
        for g in range(0, len(starts), _GOAL):
            if ways.before[i] == starts[g]:
                x, y = starts[g + 1], starts[g + 2]
                off = max(0.0, _apart(ways.entered, 4 * i, x, y, x, y) - starts[g + 3])
                least[i] = min(least[i], off + ways.cost[i])
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
            # Most have been told of something cheaper, which takes no distance to know.
            if done[j] == 0 and known < least[j]:
                found = known + _apart(there, 4 * j, x0, y0, x1, y1)
                if not backward:
                    found += ways.cost[j]
                if found < least[j] and found <= most[j]:
                    least[j] = found
                    count = value_fell(least, 1, 0, heap, place, count, j)
