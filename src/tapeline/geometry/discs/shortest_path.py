"""Shortest routes of a disc on a `Field`: the friendly side of `tangent_graph.py`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK, WORK, Board
from tapeline.geometry.discs.dominance import GENERATOR
from tapeline.geometry.discs.generators import NOWHERE
from tapeline.geometry.discs.goals import Answer, CircleGoal, Goal, PointGoal, Route
from tapeline.geometry.discs.many_goals import (
    Asking,
    distinct,
    legs_of,
    more_nodes,
    no_cells,
    too_many,
    widened,
)
from tapeline.geometry.discs.many_routes import LEG
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.offset_arcs import ARCS
from tapeline.geometry.discs.offset_sides import SIDE
from tapeline.geometry.discs.scratch import SCRATCH, Space, listed
from tapeline.geometry.discs.tangent_graph import LINK, NODE
from tapeline.geometry.discs.updates import Sides
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.plane.legs import Leg, Path

__all__ = ["Answer", "Query", "shortest"]

_TAU = math.tau


class Query:
    """One search: a field, a radius, zones of this query only."""

    def __init__(self, field: Board, r: float, zones: tuple[Circle, ...], slack: float) -> None:
        checked((r, slack), "disc")
        if r < 0.0:
            raise ShapeError(f"a disc's radius must be 0 or more and finite, not {r}")
        self.field, self.r, self.slack, self.zones = field, r, slack, zones
        self.compiled = field.compiled
        self.kernels = field.kernels
        self.board = list(field.board_for(r))
        self.solids = field.solids_for(r)
        self.circles = field.circles(r)
        # Cells know nothing of zones.
        self.cells = field.cells_for(r, slack) if not zones else no_cells(field.compiled)
        if zones:
            flat = [v for x, y, radius in zones for v in (x, y, radius)]
            checked(flat, "zone")
            if any(z[2] < 0.0 for z in zones):
                raise ShapeError("a zone needs a radius of 0 or more")
            self._overlay(zones)

    def _overlay(self, zones: Sequence[Circle]) -> None:
        c, compiled = self.circles, self.compiled
        self.circles = c = c.copy()
        loose = [v for x, y, radius in zones for v in (x, y, radius - self.r)]
        rims = [v for zone in zones for v in zone]
        join = _joined_arrays if compiled else _joined_lists
        self.board[3] = join(self.board[3], loose, float)
        ints = self.board[1].copy()
        ints[2] = ints[1] + len(zones)
        self.board[1] = ints
        for x, y, radius in zones:
            self.kernels.forget_near(c.C, c.N, x, y, radius)
            if c.sides is not None:
                self.kernels.forget_sides(c.sides.H, c.sides.M, x, y, radius)
        c.C = join(c.C, rims, float)
        c.N = join(c.N, [-1] * len(zones), int)
        c.A = join(c.A, [0.0] * (2 * c.room * len(zones)), float)

    def arcs(self, x: float, y: float, radius: float, slack: float) -> list[tuple[float, float]]:
        """Free arcs of any circle."""
        room = 64
        while True:
            out = SCRATCH.floats("arcs", 2 * room, self.compiled)
            lines = SCRATCH.space(self.compiled).L
            n = self.kernels.free_arcs(
                x, y, radius, self.r, slack, out, 0, room, lines, *self.board
            )
            if n >= 0:
                return [(float(out[2 * i]), float(out[2 * i + 1])) for i in range(n)]
            if n == -2:
                SCRATCH.space(self.compiled).grow_scratch()
            room *= 2

    def sides(self) -> Sides:
        """Sides and their free pieces, as far as they are known; zones taken in."""
        known = self.circles.sides
        if known is None:
            flat = self.field.sides(self.r)
            count = len(flat) // SIDE
            known = Sides(
                backends.floats(flat, self.compiled),
                backends.ints([-1] * count, self.compiled),
                backends.floats([0.0] * (2 * ARCS * count), self.compiled),
                ARCS,
            )
            self.circles.sides = known
        return known

    def keeps(self, x: float, y: float) -> bool:
        """Whether a place is in all that the centre may not leave; nothing here."""
        return True

    def kept_arcs(self) -> list[float]:
        """Free arcs of discs to stay in: x, y, radius, from, to; none here."""
        return []

    def more(self, code: int) -> None:
        """Give more room where a kernel ran out of it: -2 arcs, -3 scratch, -4 pieces of a side."""
        if code == -2:
            self._widen()
        elif code == -3:
            SCRATCH.space(self.compiled).grow_scratch()
        else:
            sides = self.sides()
            sides.room *= 2
            if sides.room > 1 << 14:
                raise WorkLimitError("one edge has more than 16,000 free pieces")
            sides.Z = backends.floats([0.0] * (2 * sides.room * len(sides.M)), self.compiled)
            for i in range(len(sides.M)):
                sides.M[i] = -1

    def standable(self, x: float, y: float) -> bool:
        """Whether the disc may stand at a place."""
        if not self.kernels.place_free(x, y, self.r, self.slack, *self.board):
            return False
        return not self.kernels.in_solid(x, y, *self.solids)

    def run(
        self,
        start: tuple[float, float],
        limit: float,
        goals: list[float],
        shut: list[float],
        first: int,
        work: int,
    ) -> tuple[list[int], Space, list[int]]:
        """Search within the limit. Gives the found nodes, where they are, counts."""
        compiled = self.compiled
        space = SCRATCH.space(compiled)
        flat, intervals = space.none, space.none
        if goals:
            flat, intervals = backends.floats(goals, compiled), backends.floats(shut, compiled)
        while True:
            c = self.circles
            space.grow_circles(len(c.N), c.room)
            code = self.kernels.search(
                *start,
                limit,
                self.r,
                self.slack,
                c.C,
                c.N,
                c.A,
                c.room,
                flat,
                intervals,
                first,
                space.cand,
                space.head,
                space.some,
                space.near,
                space.F,
                space.K,
                space.found,
                space.told,
                space.L,
                *self.cells,
                *self.board,
            )
            if code == 0:
                told = listed(space.told[:6])
                if told[0] < len(space.found):
                    break
                space.grow_found()
            else:
                self._more(code, space, work)
        if told[2] > work:
            raise too_many(told[2], work)
        return listed(space.found[: told[0]]), space, told

    def sources(
        self, start: tuple[float, float], limit: float, work: int
    ) -> tuple[Any, int, Any, Any, Any] | None:
        """All states within a limit as generators, how many, copies of the search's arrays.

        None if the disc may not stand at the start.
        """
        space = SCRATCH.space(self.compiled)
        kernel, empty = self.kernels.sources, space.none
        while True:
            c = self.circles
            space.grow_circles(len(c.N), c.room)
            code = kernel(
                *start,
                limit,
                self.r,
                self.slack,
                c.C,
                c.N,
                c.A,
                c.room,
                empty,
                empty,
                space.cand,
                space.head,
                space.some,
                space.near,
                space.F,
                space.K,
                space.found,
                space.told,
                space.L,
                space.V,
                *self.solids,
                *self.cells,
                *self.board,
            )
            if code == 0:
                break
            if code == NOWHERE:
                return None
            if code == 4:
                space.grow_found()
            else:
                self._more(code, space, work)
        count, _, made, _, _, near = listed(space.told[:6])
        if made > work:
            raise too_many(made, work)
        return (
            space.V[: GENERATOR * count].copy(),
            count,
            space.F[: NODE * made].copy(),
            space.K[: LINK * made].copy(),
            space.cand[:near].copy(),
        )

    def _more(self, code: int, space: Space, work: int) -> None:
        """Give more room where `search` ran out of it."""
        if code == 1:
            more_nodes(space, work)
        elif code == 2:
            self._widen()
        else:
            space.grow_scratch()

    def legs(self, F: Any, K: Any, cand: Any, node: int) -> list[Leg]:
        """The legs that lead to a node."""
        size = 64 * LEG
        while True:
            rows = SCRATCH.floats("legs", size, self.compiled)
            end = self.kernels.write_legs(node, F, K, cand, self.circles.C, rows, 0)
            if end >= 0:
                return legs_of(listed(rows[: LEG * end]), 0, end)
            size = 2 * len(rows)

    def _widen(self) -> None:
        self.circles = widened(self.circles, self.compiled)


def _joined_lists(values: Any, more: list[Any], kind: type) -> Any:
    return [*values, *more]


def _joined_arrays(values: Any, more: list[Any], kind: type) -> Any:
    import numpy as np

    return np.concatenate((values, np.array(more, np.float64 if kind is float else np.int64)))


def _complement(arcs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """What lies between arcs given in order round the circle."""
    if not arcs:
        return [(0.0, _TAU)]
    gaps = []
    for i, (_, end) in enumerate(arcs):
        begin = arcs[(i + 1) % len(arcs)][0]
        width = (begin - end) % _TAU
        if width > 1e-11 and not (len(arcs) == 1 and arcs[0][1] - arcs[0][0] >= _TAU - 1e-11):
            gaps.append((end % _TAU, end % _TAU + width))
    return gaps


def _goal_rows(
    query: Query, start: tuple[float, float], goals: Sequence[Goal]
) -> tuple[list[list[float]], list[int], list[float], int, bool]:
    """Goals as the kernel takes them: circles cut down to where the disc may stand on them.

    The least way to a circle ends square on it, or at an end of a free arc; those are points.
    Gives rows, the caller's index of each, shut intervals, how many rows bound the rest, and
    whether the start is in a goal already.
    """
    rows: list[list[float]] = []
    owners: list[int] = []
    ends: list[tuple[list[float], int]] = []
    shut: list[float] = []
    there = False
    for number, goal in enumerate(goals):
        if isinstance(goal, PointGoal):
            checked((goal.x, goal.y), "goal")
            if query.standable(goal.x, goal.y):
                rows.append([0.0, goal.x, goal.y, 0.0, 0.0, 0.0])
                owners.append(number)
            continue
        x, y, radius = goal.x, goal.y, goal.radius
        checked((x, y, radius), "goal")
        if radius < 0.0:
            raise ShapeError(f"a goal needs a radius of 0 or more, not {radius}")
        if not goal.outward and not goal.shut and math.dist(start, (x, y)) <= radius:
            there = True
        if radius == 0.0:
            rows.append([0.0, x, y, 0.0, 0.0, 0.0])
            owners.append(number)
            continue
        wide = query.arcs(x, y, radius, query.slack)
        if not wide:
            continue
        exact = query.arcs(x, y, radius, 0.0)
        marks = [a for arc in exact if arc[1] - arc[0] < _TAU - 1e-11 for a in arc]
        for begin, end in wide:
            if not any((a - begin) % _TAU <= end - begin for a, _ in exact):
                marks.append(0.5 * (begin + end))
        marks += [a for pair in goal.shut for a in pair]
        lo = len(shut) // 2
        for begin, end in (*_complement(wide), *goal.shut):
            shut += [begin, end]
        kind = 2.0 if goal.outward else 1.0
        rows.append([kind, x, y, radius, float(lo), float(len(shut) // 2)])
        owners.append(number)
        for a in marks:
            if goal.open_at(a):
                px, py = x + radius * math.cos(a), y + radius * math.sin(a)
                ends.append(([0.0, px, py, 0.0, 0.0, 0.0], number))
    first = len(rows)
    for row, number in ends:
        rows.append(row)
        owners.append(number)
    return rows, owners, shut, first, there


def shortest(
    field: Board,
    start: tuple[float, float],
    goals: Sequence[Goal],
    r: float,
    *,
    limit: float = math.inf,
    zones: Iterable[Circle] = (),
    slack: float = SLACK,
    work: int = WORK,
) -> Answer:
    """The shortest route of a disc of radius r from a point to the nearest of the goals.

    zones: discs (x, y, radius) that the disc's centre keeps out of in this search. limit: longer
    routes are not looked for. slack: how deep in an obstacle still counts as clear of it (length).
    work: states the search may make. Length error <= 1e-9 while |coordinate| <= 200.
    Raises ShapeError for numbers that will not do, WorkLimitError when work runs out.
    """
    checked(start, "start")
    if math.isnan(limit):
        raise ShapeError("the limit is not a number")
    zones = tuple(zones)
    if len(goals) == 1 and isinstance(goals[0], PointGoal):
        if not zones:
            return field.asking(r, slack).one(start, (goals[0].x, goals[0].y), limit, work)
        query = Query(field, r, zones, slack)
        asking = Asking(
            query.kernels, r, slack, query.circles, query.solids, query.cells, query.board
        )
        return asking.one(start, (goals[0].x, goals[0].y), limit, work)
    query = Query(field, r, zones, slack)
    if not query.standable(*start):
        return Answer(None, "start")
    rows, owners, shut, first, there = _goal_rows(query, start, goals)
    if there:
        numbers = [
            i
            for i, goal in enumerate(goals)
            if isinstance(goal, CircleGoal) and math.dist(start, (goal.x, goal.y)) <= goal.radius
        ]
        return Answer(Route(0.0, Path(()), numbers[0]))
    if not rows:
        return Answer(None, "goal")
    flat = [v for row in rows for v in row]
    straight = max(0.0, min(_straight(row, start) for row in rows))
    # Most routes are hardly longer than the straight line: look near it first, then farther.
    extra = 0.05 * straight + 0.25
    states = tested = 0
    while True:
        reach_to = min(limit, straight + extra)
        got, space, told = query.run(start, reach_to, flat, shut, first, work)
        states, tested = states + told[2], tested + told[4]
        if got:
            break
        if reach_to >= limit:
            return Answer(None, "limit" if told[1] else "cut off", states, tested)
        if not told[1]:
            return Answer(None, "cut off", states, tested)
        extra *= 4.0
    return _answer(query, got, space, owners, states, tested)


def _answer(
    query: Query,
    got: Sequence[int],
    space: Space,
    owners: Sequence[int],
    states: int,
    tested: int,
) -> Answer:
    """The shortest of the routes found, the others as short as ties."""
    if len(got) == 1:
        return Answer(_route(query, space, got[0], owners), "", states, tested)
    lengths = [float(space.F[NODE * node]) for node in got]
    least = min(lengths)
    best = [node for node, length in zip(got, lengths, strict=True) if length <= least + 1e-9]
    routes = [_route(query, space, node, owners) for node in best]
    if len(routes) > 1:
        routes = distinct(routes)
    main = routes[0]
    if len(routes) > 1:
        main = Route(main.length, main.path, main.goal, tuple(routes[1:]))
    return Answer(main, "", states, tested)


def _straight(row: Sequence[float], start: tuple[float, float]) -> float:
    d = math.dist(start, (row[1], row[2]))
    return d if row[0] == 0.0 else (d - row[3] if row[0] == 1.0 else row[3] - d)


def _route(query: Query, space: Space, node: int, owners: Sequence[int]) -> Route:
    legs = query.legs(space.F, space.K, space.cand, node)
    goal = owners[int(space.K[LINK * node + 4])]
    return Route(float(space.F[NODE * node]), Path(tuple(legs)), goal)
