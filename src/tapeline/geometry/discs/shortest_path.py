"""Shortest routes of a disc on a `Field`: the friendly side of `tangent_graph.py`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK, WORK, Board, Circles, FreeSpace, Sides
from tapeline.geometry.discs.confined import holds, within_disc
from tapeline.geometry.discs.dominance import GENERATOR, NOWHERE
from tapeline.geometry.discs.free_border import ARCS
from tapeline.geometry.discs.goals import Answer, CircleGoal, Goal, PointGoal, ShortestPath
from tapeline.geometry.discs.many_goals import (
    Asking,
    count_states,
    legs_of,
    more_room,
    no_cells,
    widened,
)
from tapeline.geometry.discs.many_routes import LEG
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.offset_sides import SIDE
from tapeline.geometry.discs.scratch import SCRATCH, Space, listed
from tapeline.geometry.discs.tangent_graph import LINK, NODE, Goals, Search
from tapeline.geometry.discs.updates import FreeBorder, more_circles
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.plane.legs import Leg, Path

__all__ = ["Answer", "Query", "SearchField", "arcs_of_circle", "shortest"]

_TAU = math.tau


class SearchField(Protocol):
    """What a search asks of a `Field`, which imports this file."""

    compiled: bool

    @property
    def kernels(self) -> Any:
        """The kernels that go with its arrays."""

    def free_space(self, r: float, slack: float) -> FreeSpace:
        """Where a disc may be."""

    def border(self, r: float) -> FreeBorder:
        """What is known of the border of free ground; kept."""

    def sides(self, r: float) -> list[float]:
        """The straight parts of that border."""

    def asking(self, r: float, slack: float) -> Asking:
        """What routes of one disc to points take."""


class Query:
    """One search: a field, a radius, zones of this query only, discs that the centre stays in."""

    def __init__(
        self,
        field: SearchField,
        r: float,
        zones: tuple[Circle, ...],
        slack: float,
        keep: tuple[Circle, ...] = (),
    ) -> None:
        checked((r, slack), "disc")
        if r < 0.0:
            raise ShapeError(f"a disc's radius must be 0 or more and finite, not {r}")
        self.field, self.r, self.slack, self.zones, self.keep = field, r, slack, zones, keep
        self.compiled = field.compiled
        self.kernels = field.kernels
        self.free = field.free_space(r, slack)
        self.border = field.border(r)
        if zones:
            flat = [v for x, y, radius in zones for v in (x, y, radius)]
            checked(flat, "zone")
            if any(z[2] < 0.0 for z in zones):
                raise ShapeError("a zone needs a radius of 0 or more")
            self._overlay(zones)
        if keep:
            self.border = self.border.copy()
            self._restrict()

    @property
    def board(self) -> Board:
        """What stands on the table, zones among it."""
        return self.free.board

    @property
    def circles(self) -> Circles:
        """The circles that the disc may run round."""
        return self.border.circles

    def _overlay(self, zones: Sequence[Circle]) -> None:
        """Zones are loose discs of the board; cells know nothing of them."""
        board = self.free.board
        counts: Any = board.counts.copy()
        counts[2] = counts[1] + len(zones)
        loose = [v for x, y, radius in zones for v in (x, y, radius - self.r)]
        board = board._replace(counts=counts, discs=backends.joined(board.discs, loose))
        self.free = self.free._replace(board=board, cells=no_cells(self.compiled))
        self.border = border = self.border.copy()
        for x, y, radius in zones:
            border.forget(self.kernels, x, y, radius)
        border.circles = more_circles(border.circles, [v for zone in zones for v in zone], -1)

    def _restrict(self) -> None:
        """Cut the free arcs of all circles down to the discs to stay in."""
        for i in range(len(self.circles.counts)):
            x, y, g = circle = _circle(self.circles, i)
            if self.circles.counts[i] == 0:
                continue
            if any(math.hypot(x - kx, y - ky) > g + kr for kx, ky, kr in self.keep):
                self.circles.counts[i] = 0
            elif g == 0.0:
                continue
            elif any(math.hypot(x - kx, y - ky) + g > kr for kx, ky, kr in self.keep):
                arcs = self.arcs(x, y, g, self.slack)
                for disc in self.keep:
                    arcs = within_disc(arcs, circle, disc)
                if len(arcs) > self.circles.room:
                    self._widen()
                    return
                c = self.circles
                c.counts[i] = len(arcs)
                for k, (begin, end) in enumerate(arcs):
                    c.arcs[2 * (c.room * i + k)] = begin
                    c.arcs[2 * (c.room * i + k) + 1] = end

    def arcs(self, x: float, y: float, radius: float, slack: float) -> list[tuple[float, float]]:
        """Free arcs of any circle."""
        free = self.free if slack == self.slack else self.free._replace(slack=slack)
        return arcs_of_circle(self.kernels, free, x, y, radius)

    def sides(self) -> Sides:
        """Sides and their free pieces, as far as they are known; zones taken in."""
        if self.border.sides is None:
            flat = self.field.sides(self.r)
            self.border.sides = self._unknown(backends.floats(flat, self.compiled), ARCS)
        return self.border.sides

    def _unknown(self, figures: Any, room: int) -> Sides:
        """Sides of which nothing is known, with room for that many free pieces each."""
        count = len(figures) // SIDE
        return Sides(
            figures,
            backends.blank_ints(count, self.compiled, -1),
            backends.blank(2 * room * count, self.compiled),
            room,
        )

    def keeps(self, x: float, y: float) -> bool:
        """Whether a place is in all that the centre may not leave."""
        return holds(self.keep, x, y, self.slack)

    def kept_arcs(self) -> list[float]:
        """Free arcs of the discs to stay in, each within the others: x, y, radius, from, to.

        One row a disc at least.
        """
        flat: list[float] = []
        for i, circle in enumerate(self.keep):
            arcs = self.arcs(*circle, self.slack) if circle[2] > 0.0 else []
            for k, disc in enumerate(self.keep):
                # Of two circles that are one, the first is the border.
                if k != i and not (k > i and circle == disc):
                    arcs = [] if circle == disc else within_disc(arcs, circle, disc)
            for begin, end in arcs or [(0.0, 0.0)]:
                flat += [*circle, begin, end]
        return flat

    def more(self, code: int) -> None:
        """Give more room where `outline` ran out of it: -2 arcs, -3 spans, -4 pieces of a side."""
        if code == -2:
            self._widen()
        elif code == -3:
            SCRATCH.space(self.compiled).grow_spans()
        else:
            sides = self.sides()
            if 2 * sides.room > 1 << 14:
                raise WorkLimitError("one edge has more than 16,000 free pieces")
            self.border.sides = self._unknown(sides.figures, 2 * sides.room)

    def standable(self, x: float, y: float) -> bool:
        """Whether the disc may stand at a place."""
        free = self.free
        if not self.kernels.stand_free(x, y, free.r, free.slack, free.board):
            return False
        return not self.kernels.in_solid(x, y, free.solids, free.solid_starts)

    def sources(
        self, start: tuple[float, float], limit: float, work: int
    ) -> tuple[Any, int, Any, Any, Any] | None:
        """All states within a limit as generators, how many, copies of the search's arrays.

        None if the disc may not stand at the start.
        """
        space = SCRATCH.space(self.compiled)
        kernel = self.kernels.sources
        while True:
            space.grow_circles(len(self.circles.counts), self.circles.room)
            search, V = space.search, space.generators
            asked = Search(self.free, self.circles, space.none, search)
            code = kernel(*start, limit, asked, V)
            if code == 0:
                break
            if code == NOWHERE:
                return None
            self._more(code, space, work)
        count, _, made, _, _, near = listed(search.told[:6])
        count_states(made, made, work)
        return (
            V[: GENERATOR * count].copy(),
            count,
            search.nodes[: NODE * made].copy(),
            search.links[: LINK * made].copy(),
            search.candidates[:near].copy(),
        )

    def _more(self, code: int, space: Space, work: int) -> None:
        """Give more room where `search` ran out of it."""
        if code == 2:
            self._widen()
        else:
            more_room(code, space, work)

    def legs(self, F: Any, K: Any, cand: Any, node: int) -> list[Leg]:
        """The legs that lead to a node."""
        size = 64 * LEG
        while True:
            rows = SCRATCH.floats("legs", size, self.compiled)
            end = self.kernels.write_legs(node, F, K, cand, self.circles.discs, rows, 0)
            if end >= 0:
                return legs_of(listed(rows[: LEG * end]), 0, end)
            size = 2 * len(rows)

    def _widen(self) -> None:
        """More room for arcs, for this search alone."""
        self.border = FreeBorder(widened(self.circles, self.compiled), self.border.sides)
        if self.keep:
            self._restrict()


def arcs_of_circle(
    kernels: Any, free: FreeSpace, x: float, y: float, radius: float
) -> list[tuple[float, float]]:
    """Where on a circle the centre of a disc may be: angles from and to."""
    compiled = type(free.board.discs) is not list
    room, space = 64, SCRATCH.space(compiled)
    while True:
        out = SCRATCH.floats("arcs", 2 * room, compiled)
        n = kernels.free_arcs(x, y, radius, out, 0, room, space.search.spans, free)
        if n >= 0:
            return [(float(out[2 * i]), float(out[2 * i + 1])) for i in range(n)]
        if n == -2:
            space.grow_spans()
        room *= 2


def _circle(circles: Circles, i: int) -> Circle:
    x, y, radius = (float(v) for v in circles.discs[3 * i : 3 * i + 3])
    return x, y, radius


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
    field: SearchField,
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
    zones, point = tuple(zones), goals[0] if len(goals) == 1 else None
    if isinstance(point, PointGoal) and not zones:
        return field.asking(r, slack).one(start, (point.x, point.y), limit, work)
    query = Query(field, r, zones, slack)
    if isinstance(point, PointGoal):
        asking = Asking(query.kernels, query.free, query.circles)
        return asking.one(start, (point.x, point.y), limit, work)
    if not query.standable(*start):
        return Answer(None, "start")
    rows, owners, shut, first, there = _goal_rows(query, start, goals)
    if there:
        numbers = [
            i
            for i, goal in enumerate(goals)
            if isinstance(goal, CircleGoal) and math.dist(start, (goal.x, goal.y)) <= goal.radius
        ]
        return Answer(ShortestPath(0.0, Path(()), numbers[0]))
    if not rows:
        return Answer(None, "goal")
    flat = [v for row in rows for v in row]
    wanted = backends.converted(Goals(flat, shut, first), query.compiled)
    asking = Asking(query.kernels, query.free, query.circles)
    return asking.nearest(start, wanted, owners, limit, work)
