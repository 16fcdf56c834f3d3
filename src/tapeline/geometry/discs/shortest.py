"""Shortest routes of a disc on a `Field`: the friendly side of `search.py`."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import gears
from tapeline.geometry.discs.arcs import ARCS
from tapeline.geometry.discs.field import SLACK, WORK, Circle, Field, Sides, checked
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal, Route
from tapeline.geometry.discs.search import NODE
from tapeline.geometry.discs.sides import SIDE
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path

__all__ = ["SCRATCH", "Answer", "Query", "Space", "listed", "shortest"]

_TAU = math.tau
#: Scratch for the blocked intervals of one circle: pairs of floats.
INTERVALS = 2048
#: Nodes there is room for at first.
_NODES = 2048
#: Nodes that may reach a goal at the least length, or be taken up in a reach.
_FOUND = 256


class Space:
    """Arrays that a search writes to, in one gear; they only grow."""

    __slots__ = ("F", "K", "L", "cand", "compiled", "found", "head", "none", "row", "told")

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled
        self.cand = self.head = self.ints(0)
        self.F, self.K = self.floats(NODE * _NODES), self.ints(6 * _NODES)
        self.found, self.told = self.ints(_FOUND), self.ints(8)
        self.L, self.row, self.none = self.floats(INTERVALS), self.floats(6), self.floats(0)

    def floats(self, size: int) -> Any:
        """New floats, all 0."""
        return gears.floats([0.0] * size, self.compiled)

    def ints(self, size: int) -> Any:
        """New whole numbers, all 0."""
        return gears.ints([0] * size, self.compiled)


class _Scratch(threading.local):
    """Arrays that kernels write to; one set a thread and gear."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, bool], Any] = {}
        self.spaces: tuple[Space, Space | None] = (Space(False), None)

    def space(self, compiled: bool) -> Space:
        """What searches write to."""
        found = self.spaces[compiled]
        if found is None:
            found = Space(True)
            self.spaces = (self.spaces[0], found)
        return found

    def floats(self, name: str, size: int, compiled: bool) -> Any:
        """Floats by name, at least that many."""
        had = self.kept.get((name, compiled))
        if had is None or len(had) < size:
            had = gears.floats([0.0] * size, compiled)
            self.kept[name, compiled] = had
        return had

    def ints(self, name: str, size: int, compiled: bool) -> Any:
        """Whole numbers by name, at least that many."""
        had = self.kept.get((name, compiled))
        if had is None or len(had) < size:
            had = gears.ints([0] * size, compiled)
            self.kept[name, compiled] = had
        return had


SCRATCH = _Scratch()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search for a route found.

    route: the shortest, with its ties, or None; then reason says why: "start" (the disc may not
    stand there), "goal" (no place of the goals is free), "limit" (longer than the limit), "cut
    off" (there is no way at all). states, tested: how many states were made and legs tested.
    """

    route: Route | None
    reason: str = ""
    states: int = 0
    tested: int = 0


class Query:
    """One search: a field, a radius, zones of this query only."""

    def __init__(self, field: Field, r: float, zones: tuple[Circle, ...], slack: float) -> None:
        checked((r, slack), "disc")
        if r < 0.0:
            raise ShapeError(f"a disc's radius must be 0 or more and finite, not {r}")
        self.field, self.r, self.slack, self.zones = field, r, slack, zones
        self.compiled = field.compiled
        self.kernels = field.kernels
        self.board = list(field.board_for(r))
        self.solids = field.solids_for(r)
        self.circles = field.circles(r)
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
            self._more(n == -2)
            room *= 2

    def _more(self, scratch: bool) -> None:
        if scratch:
            space = SCRATCH.space(self.compiled)
            size = 2 * len(space.L)
            if size > 1 << 22:
                raise WorkLimitError("more than a million obstacles meet one circle")
            space.L = space.floats(size)

    def sides(self) -> Sides:
        """Sides and their free pieces, as far as they are known; zones taken in."""
        known = self.circles.sides
        if known is None:
            flat = self.field.sides(self.r)
            count = len(flat) // SIDE
            known = Sides(
                gears.floats(flat, self.compiled),
                gears.ints([-1] * count, self.compiled),
                gears.floats([0.0] * (2 * ARCS * count), self.compiled),
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
            self._more(True)
        else:
            sides = self.sides()
            sides.room *= 2
            if sides.room > 1 << 14:
                raise WorkLimitError("one edge has more than 16,000 free pieces")
            sides.Z = gears.floats([0.0] * (2 * sides.room * len(sides.M)), self.compiled)
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
        """Search within the limit. Gives the found nodes, where they are, counts.

        Two goal figures alone are a point, which is looked for in rounds up to the limit; then the
        second count may be 10 or 11, as `search_point` gives them.
        """
        compiled = self.compiled
        space = SCRATCH.space(compiled)
        flat, intervals = space.row, space.none
        point = len(goals) == 2
        if not point and goals:
            flat, intervals = gears.floats(goals, compiled), gears.floats(shut, compiled)
        elif not point:
            flat = space.none
        x, y = start
        while True:
            c = self.circles
            count = len(c.N)
            if len(space.cand) < count or len(space.head) < 2 * c.room * count:
                space.cand, space.head = space.ints(count), space.ints(2 * c.room * count)
            if point:
                code = self.kernels.search_point(
                    x,
                    y,
                    goals[0],
                    goals[1],
                    limit,
                    self.r,
                    self.slack,
                    c.C,
                    c.N,
                    c.A,
                    c.room,
                    flat,
                    intervals,
                    space.cand,
                    space.head,
                    space.F,
                    space.K,
                    space.found,
                    space.told,
                    space.L,
                    *self.solids,
                    *self.board,
                )
                if code >= 10:
                    return [], space, [0, code, 0, 0, 0, 0]
            else:
                code = self.kernels.search(
                    x,
                    y,
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
                    space.F,
                    space.K,
                    space.found,
                    space.told,
                    space.L,
                    *self.board,
                )
            if code == 0:
                told = listed(space.told[:6])
                if told[0] < len(space.found):
                    break
                space.found = space.ints(2 * len(space.found))
            elif code == 1:
                nodes = len(space.K) // 3
                if nodes > 2 * work:
                    raise WorkLimitError(
                        f"the search made {work} states without an answer; "
                        "give a shorter limit or more work"
                    )
                space.F, space.K = space.floats(NODE * nodes), space.ints(6 * nodes)
            elif code == 2:
                self._widen()
            else:
                self._more(True)
        if told[2] > work:
            raise WorkLimitError(
                f"the search made {told[2]} states, more than {work}; "
                "give a shorter limit or more work"
            )
        return listed(space.found[: told[0]]), space, told

    def states(
        self, start: tuple[float, float], limit: float, work: int
    ) -> tuple[Any, int, Any, Any, Any]:
        """All states within a limit: node numbers, their count, copies of the search's arrays."""
        got, space, told = self.run(start, limit, [], [], 0, work)
        return (
            space.found[: len(got)].copy(),
            len(got),
            space.F[: NODE * told[2]].copy(),
            space.K[: 6 * told[2]].copy(),
            space.cand[: told[5]].copy(),
        )

    def legs(self, F: Any, K: Any, cand: Any, node: int) -> list[Leg]:
        """The legs that lead to a node."""
        c = self.circles.C
        legs: list[Leg] = []
        row = listed(F[NODE * node : NODE * node + NODE])
        parent = int(K[6 * node + 3])
        while node > 0:
            _, _, px, py, qx, qy, leave, _ = row
            if qx != px or qy != py:
                legs.append(Line(px, py, qx, qy))
            if parent <= 0:
                break
            node = parent
            row = listed(F[NODE * node : NODE * node + NODE])
            circle, sense, _, parent = listed(K[6 * node : 6 * node + 4])
            i = 3 * int(cand[circle])
            x, y, radius = listed(c[i : i + 3])
            turned = (sense * (leave - row[1])) % _TAU
            if turned > _TAU - 1e-9:
                turned = 0.0
            if radius * turned > 0.0:
                legs.append(Arc(x, y, radius, row[1], sense * turned))
        legs.reverse()
        return legs

    def _widen(self) -> None:
        """Give every circle room for more arcs; a fresh start, as it happens hardly ever."""
        c = self.circles
        room = 2 * c.room
        if room > 1 << 14:
            raise WorkLimitError("one circle has more than 16,000 free arcs")
        wide = c.copy()
        wide.room = room
        wide.A = gears.floats([0.0] * (2 * room * len(c.N)), self.compiled)
        for i in range(len(c.N)):
            wide.N[i] = 0 if wide.C[3 * i + 2] == 0.0 and c.N[i] == 0 else -1
        self.circles = wide


def listed(values: Any) -> list[Any]:
    """A slice of one of a gear's arrays as a list of Python numbers."""
    return values if type(values) is list else values.tolist()


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
    field: Field,
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
    query = Query(field, r, tuple(zones), slack)
    if len(goals) == 1 and isinstance(goals[0], PointGoal):
        point = [float(goals[0].x), float(goals[0].y)]
        checked(point, "goal")
        got, space, told = query.run(start, limit, point, [], 1, work)
        if not got:
            reasons = {0: "cut off", 1: "limit", 10: "start", 11: "goal"}
            return Answer(None, reasons[told[1]], told[2], told[4])
        return _answer(query, got, space, [0], told[2], told[4])
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
        routes = _distinct(routes)
    main = routes[0]
    if len(routes) > 1:
        main = Route(main.length, main.path, main.goal, tuple(routes[1:]))
    return Answer(main, "", states, tested)


def _straight(row: Sequence[float], start: tuple[float, float]) -> float:
    d = math.dist(start, (row[1], row[2]))
    return d if row[0] == 0.0 else (d - row[3] if row[0] == 1.0 else row[3] - d)


def _route(query: Query, space: Space, node: int, owners: Sequence[int]) -> Route:
    legs = query.legs(space.F, space.K, space.cand, node)
    goal = owners[int(space.K[6 * node + 4])]
    return Route(float(space.F[NODE * node]), Path(tuple(legs)), goal)


def _distinct(routes: Sequence[Route]) -> list[Route]:
    """Routes that run differently, told apart at eighths of their length."""
    kept: list[tuple[Route, list[tuple[float, float]]]] = []
    for route in sorted(routes, key=lambda one: (one.length, one.goal)):
        marks = []
        if route.path.legs:
            marks = [route.path.at(route.length * k / 8.0) for k in range(1, 9)]
        if not any(
            len(marks) == len(other)
            and all(math.dist(a, b) < 1e-6 for a, b in zip(marks, other, strict=True))
            for _, other in kept
        ):
            kept.append((route, marks))
    return [route for route, _ in kept]
