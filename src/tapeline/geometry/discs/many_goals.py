"""Shortest routes to points on one state of a table, one by one or many in one call."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, overload

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import Cells, Circles, FreeSpace
from tapeline.geometry.discs.goals import Answer, ShortestPath
from tapeline.geometry.discs.many_routes import ANSWER, LEG, Questions
from tapeline.geometry.discs.scratch import SCRATCH, Space, listed
from tapeline.geometry.discs.tangent_graph import Goals, Search
from tapeline.geometry.plane.checks import LARGEST, checked
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.work import count_work

__all__ = [
    "REASONS",
    "Asking",
    "Routes",
    "count_states",
    "legs_of",
    "more_room",
    "no_cells",
    "widened",
]

#: What came of a search by its number: nothing to say when a route was found; see `Answer.reason`.
REASONS = ("", "limit", "cut off", "start", "goal")
#: What it is called where work is counted.
DOING = "a route"
#: Most arcs there is room for on one circle.
_MOST_ARCS = 1 << 14
#: Rows a query that there is room for at first: a head and its legs.
_ROWS = 4
#: Rows there is room for at first.
_FIRST = 64

Point = Sequence[float]


class Routes(Sequence[Answer]):
    """Answers of many searches in flat arrays, in the order of the questions; see `Field.routes`.

    routes[i] is the answer that `Field.route` gives, ties included. The arrays (lists in plain
    Python), for n questions:
    lengths: (n,) float64, table units, infinity where there is no route.
    codes: (n,) int64, 0 where there is one, else the place of the reason in REASONS.
    states, tested: (n,) int64, states made and legs tested.
    first: (n + 1,) int64, the row where the routes of a question begin, and the end.
    rows: float64, 6 a row. The head of a route: 2, its length, how many legs follow, 0, 0, 0; then
    its legs: 0, ax, ay, bx, by, 0 for a line, 1, cx, cy, radius, begin, sweep (radians,
    counter-clockwise) for an arc. The first route of a question is the shortest; others are as
    short within 1e-9.
    """

    __slots__ = ("_O", "lengths", "rows")

    def __init__(self, lengths: Any, O: Any, rows: Any) -> None:  # noqa: E741
        self.lengths, self._O, self.rows = lengths, O, rows

    @property
    def codes(self) -> Any:
        """0 where there is a route, else the place of the reason in REASONS."""
        return self._O[0:-ANSWER:ANSWER]

    @property
    def states(self) -> Any:
        """How many states each search made."""
        return self._O[1:-ANSWER:ANSWER]

    @property
    def tested(self) -> Any:
        """How many legs each search tested."""
        return self._O[2:-ANSWER:ANSWER]

    @property
    def first(self) -> Any:
        """The row where the routes of each begin, and the end."""
        return self._O[3::ANSWER]

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> list[Answer]: ...
    def __getitem__(self, index: int | slice) -> Answer | list[Answer]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"there are {count} routes, none has the number {index}")
        o = ANSWER * (index % count)
        code, states, tested, begin, _, _, _, end = listed(self._O[o : o + 2 * ANSWER])
        return _answer(code, states, tested, listed(self.rows[LEG * begin : LEG * end]))


class Asking:
    """One disc on one state of a table: all that `ways` takes beside the questions.

    Not the field itself: it keeps this one, and the pair would wait for the collector.
    """

    __slots__ = ("_circles", "_compiled", "_free", "_kernel")

    def __init__(self, kernels: Any, free: FreeSpace, circles: Circles) -> None:
        self._kernel, self._free, self._circles = kernels.ways, free, circles
        self._compiled = type(circles.discs) is not list

    def use(self, cells: Cells) -> None:
        """Take up cells laid meanwhile; the answers stay the same."""
        self._free = self._free._replace(cells=cells)

    def _asked(
        self, first: int, count: int, limit: float, questions: Questions, goals: Goals | None = None
    ) -> int:
        """Call the kernel. Gives what ran out, as it does."""
        space, circles = SCRATCH.space(self._compiled), self._circles
        space.grow_circles(len(circles.counts), circles.room)
        asked = Search(self._free, circles, space.goal if goals is None else goals, space.search)
        code: int = self._kernel(first, count, limit, questions, asked, goals is not None)
        return code

    def _more(self, code: int, space: Space, work: int) -> None:
        """Give more room where the kernel ran out of it."""
        if code == 2:
            self._circles = widened(self._circles, self._compiled)
        else:
            more_room(code, space, work)

    def one(self, start: Point, goal: Point, limit: float, work: int) -> Answer:
        """The shortest route from a point to a point."""
        (sx, sy), (gx, gy) = start, goal
        if not (
            -LARGEST <= sx <= LARGEST
            and -LARGEST <= sy <= LARGEST
            and -LARGEST <= gx <= LARGEST
            and -LARGEST <= gy <= LARGEST
            and limit == limit
        ):
            _refuse((sx, sy), (gx, gy), limit)
        space = SCRATCH.space(self._compiled)
        points: Any = space.question.points
        points[0], points[1], points[2], points[3] = sx, sy, gx, gy
        return self._told(space, limit, work)

    def nearest(
        self, start: Point, goals: Goals, owners: Sequence[int], limit: float, work: int
    ) -> Answer:
        """The shortest route from a place where the disc may stand to the nearest of some goals.

        owners: of each row of the goals the number that the route is to have.
        """
        space = SCRATCH.space(self._compiled)
        points: Any = space.question.points
        points[0], points[1] = start
        return self._told(space, limit, work, goals, owners)

    def _told(
        self,
        space: Space,
        limit: float,
        work: int,
        goals: Goals | None = None,
        owners: Sequence[int] = (0,),
    ) -> Answer:
        """The answer to the question of a space."""
        while True:
            code = self._asked(0, 1, limit, space.question, goals)
            if code == 0:
                break
            if code == 5:
                space.grow_rows()
            else:
                self._more(code, space, work)
        _, _, answers, rows = space.question
        what, states, tested, _, _, _, _, end = listed(answers)
        count_states(states, states, work)
        return _answer(what, states, tested, listed(rows[: LEG * end]), owners)

    def many(self, starts: Any, goals: Any, limit: float, work: int) -> Routes:
        """The shortest routes from points to points, each as `one` gives it."""
        if not limit == limit:
            raise ShapeError("the limit is not a number")
        space = SCRATCH.space(self._compiled)
        points, count = _paired(starts, goals, self._compiled)
        answers, lengths = space.ints(ANSWER * (count + 1)), space.floats(count)
        rows = space.floats(LEG * (_ROWS * count + _FIRST))
        at = 0
        while True:
            code = self._asked(at, count, limit, Questions(points, lengths, answers, rows))
            if code == 0:
                break
            at = int(space.search.told[6])
            if code == 5:
                more = space.floats(2 * len(rows))
                more[: len(rows)] = rows
                rows = more
            else:
                self._more(code, space, work)
        found = Routes(lengths, answers, rows[: LEG * int(answers[-1])])
        states = listed(found.states)
        count_states(sum(states) + count, max(states, default=0), work)
        return found


def _refuse(start: Point, goal: Point, limit: float) -> None:
    checked(start, "start")
    checked(goal, "goal")
    raise ShapeError("the limit is not a number" if limit != limit else "not a number")


def _paired(starts: Any, goals: Any, compiled: bool) -> tuple[Any, int]:
    """Start and goal of each question, flat, and how many there are; one point stands for all."""
    if not compiled:
        a = [(float(x), float(y)) for x, y in starts]
        b = [(float(x), float(y)) for x, y in goals]
        count = _count(len(a), len(b))
        a, b = (points * count if len(points) != count else points for points in (a, b))
        flat = [v for one, two in zip(a, b, strict=True) for v in (*one, *two)]
        checked(flat, "route")
        return flat, count
    import numpy as np

    pair = [np.asarray(points, np.float64) for points in (starts, goals)]
    for points in pair:
        if points.size and (points.ndim != 2 or points.shape[1] != 2):
            raise ShapeError(f"routes: points must be rows of x, y, not of shape {points.shape}")
    count = _count(len(pair[0]), len(pair[1]))
    both = np.empty((count, 4))
    if count:
        both[:, :2], both[:, 2:] = pair
    # Of arrays the largest by size also finds a nan.
    checked((float(abs(both).max(initial=0.0)),), "route")
    return both.ravel(), count


def _count(starts: int, goals: int) -> int:
    if starts != goals and 1 not in (starts, goals):
        raise ShapeError(f"routes: {starts} starts but {goals} goals")
    return min(starts, goals) if 0 in (starts, goals) else max(starts, goals)


def legs_of(rows: list[float], begin: int, end: int) -> list[Leg]:
    """The legs that rows of `ways` tell of."""
    legs: list[Leg] = []
    for z in range(LEG * begin, LEG * end, LEG):
        if rows[z] == 0.0:
            legs.append(Line(*rows[z + 1 : z + 5]))
        else:
            legs.append(Arc(*rows[z + 1 : z + 6]))
    return legs


def _answer(
    code: int, states: int, tested: int, rows: list[float], owners: Sequence[int] = (0,)
) -> Answer:
    """The answer that the rows of one question tell of."""
    if code:
        return Answer(None, REASONS[code], states, tested)
    count = len(rows) // LEG
    if rows[2] + 1.0 == count:
        path = Path(tuple(legs_of(rows, 1, count)))
        return Answer(ShortestPath(rows[1], path, owners[int(rows[3])]), "", states, tested)
    routes = []
    at = 0
    while at < count:
        _, length, legs, goal, _, _ = rows[LEG * at : LEG * at + LEG]
        end = at + 1 + int(legs)
        path = Path(tuple(legs_of(rows, at + 1, end)))
        routes.append(ShortestPath(length, path, owners[int(goal)]))
        at = end
    main, *ties = _distinct(routes)
    if ties:
        main = ShortestPath(main.length, main.path, main.goal, tuple(ties))
    return Answer(main, "", states, tested)


def _distinct(routes: Sequence[ShortestPath]) -> list[ShortestPath]:
    """Routes that run differently, told apart at eighths of their length."""
    kept: list[tuple[ShortestPath, list[tuple[float, float]]]] = []
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


def widened(circles: Circles, compiled: bool) -> Circles:
    """Circles with room for more arcs each; a fresh start, as it happens hardly ever."""
    discs, known, _, room = circles
    room *= 2
    if room > _MOST_ARCS:
        raise WorkLimitError("one circle has more than 16,000 free arcs")
    counts = [0 if discs[3 * i + 2] == 0.0 and n == 0 else -1 for i, n in enumerate(known)]
    arcs = backends.blank(2 * room * len(counts), compiled)
    return Circles(discs, backends.ints(counts, compiled), arcs, room)


def count_states(states: int, worst: int, work: int) -> None:
    """Count the states that searches made in all; WorkLimitError for one of more than it may."""
    count_work(states + 1, DOING)
    if worst > work:
        raise WorkLimitError(
            f"the search made {worst} states, more than {work}; give a shorter limit or more work"
        )


def more_room(code: int, space: Space, work: int) -> None:
    """Give more room where a search ran out of it: 1 nodes, 3 spans, 4 found.

    WorkLimitError for more nodes than the work allows.
    """
    count_work(space.nodes, DOING)
    if code == 3:
        space.grow_spans()
    elif code == 4:
        space.grow_found()
    elif space.nodes > 2 * work:
        raise WorkLimitError(
            f"the search made {work} states without an answer; give a shorter limit or more work"
        )
    else:
        space.grow_nodes(2 * space.nodes)


@functools.cache
def no_cells(compiled: bool) -> Cells:
    """What kernels take where no cells are laid."""
    return backends.room(compiled, Cells, 0, 0, 0)
