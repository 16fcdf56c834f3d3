"""A table as the kernels see it: what stands on it, where a disc may be, go and get to.

A `Field` never changes; moving, adding or removing a body gives another one that shares all the
rest, at the cost of copying a few short arrays. What is worked out for one radius (the circles and
their free arcs) is kept and carried over: only circles near a moved body are worked out again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import SLACK, WORK, Board, FreeSpace
from tapeline.geometry.discs.goals import Answer, Goal, PointGoal
from tapeline.geometry.discs.many_goals import Asking, Routes, no_cells
from tapeline.geometry.discs.obstacles import Circle, StaticBoard, Thing, ground_of, with_boxes
from tapeline.geometry.discs.offset_sides import all_sides
from tapeline.geometry.discs.reach import DiscReach, reach
from tapeline.geometry.discs.scratch import listed, rows_of
from tapeline.geometry.discs.shortest_path import arcs_of_circle, shortest
from tapeline.geometry.discs.swept_clear import Checker, lay, marked, walked
from tapeline.geometry.discs.updates import FreeBorder, border_of, keep, more_circles
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.plane.distance import Ring
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Arc, Leg, Path

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Field"]

#: Changes of bodies that a prepared state outlives unasked.
_CHANGES = 32
#: Single calls after which a field prepares itself: it takes as long as some hundred calls.
_OFTEN = 200
#: As how many of these a search for a reach counts, which tests legs by the dozen.
_LEGS = 10
#: Angle, radians: arcs that end this near to each other end alike.
_SAME = 1e-11


class Field:
    """What stands on a table. Make one with `Field.of`.

    >>> field = Field.of(width=10.0, depth=10.0, solids=[[4, 4, 6, 4, 6, 6, 4, 6]])
    >>> field.standable(3.0, 5.0, 1.0), field.standable(3.5, 5.0, 1.0)
    (True, False)
    >>> field.follows([(1.0, 1.0), (9.0, 1.0)], 1.0)
    True
    >>> field.added("a", 5.0, 1.0, 0.5).follows([(1.0, 1.0), (9.0, 1.0)], 1.0)
    False
    """

    __slots__ = (
        "_asked",
        "_asking",
        "_bodies",
        "_borders",
        "_boxed",
        "_checkers",
        "_earlier",
        "_ground",
        "_ready",
        "board",
        "compiled",
    )

    def __init__(
        self,
        ground: StaticBoard,
        bodies: Mapping[str, int],
        board: Board,
        borders: dict[float, FreeBorder],
        compiled: bool,
    ) -> None:
        self._ground = ground
        self._bodies = bodies
        self._borders = borders
        self._boxed: list[tuple[str, str | int, tuple[float, ...], float, Box]] | None = None
        self.board = board
        self.compiled = compiled
        self._checkers: dict[tuple[float, float], Checker] = {}
        # Those of an earlier state, and the bodies that have changed since.
        self._earlier: dict[tuple[float, float], tuple[Checker, list[int]]] = {}
        self._ready: dict[float, Callable[[Any], bool]] = {}
        self._asked = 0
        self._asking: dict[tuple[float, float], Asking] = {}

    @classmethod
    def of(
        cls,
        *,
        width: float = math.inf,
        depth: float = math.inf,
        solids: Iterable[Ring] = (),
        walls: Iterable[Sequence[float]] = (),
        posts: Iterable[Circle] = (),
        grounds: Iterable[Ring] = (),
        bodies: Mapping[str, Circle] | None = None,
        box: tuple[float, float, float, float] | None = None,
        thickness: float | Sequence[float] = 0.0,
        compiled: bool | None = None,
    ) -> Field:
        """A field of a table from (0, 0) to (width, depth), or of `box`; no bounds by default.

        solids: simple rings that no disc may overlap; thickness, one or one each: how
        much farther than its radius a disc keeps off.
        walls: segments (ax, ay, bx, by[, thickness]). posts: round solids. grounds: rings that the
        centre of a disc may not enter. bodies: round things that come and go, by id.
        Raises ShapeError for numbers that are not finite, rings without area, negative radii.
        """
        if compiled is None:
            compiled = backends.chosen()
        table = box if box is not None else (0.0, 0.0, float(width), float(depth))
        if box is None and math.isinf(width) and math.isinf(depth):
            table = (-math.inf, -math.inf, math.inf, math.inf)
        ground = ground_of(table, solids, walls, posts, grounds, thickness, compiled)
        field = cls(ground, {}, ground.board, {}, compiled)
        return field.with_bodies(bodies) if bodies else field

    # What it is made of.

    @property
    def bodies(self) -> dict[str, Circle]:
        """Bodies by id: x, y, radius."""
        return {name: self._disc(k) for name, k in self._bodies.items()}

    @property
    def posts(self) -> tuple[Circle, ...]:
        """What is round and stands still: x, y, radius; the first discs of the board."""
        return self._ground.posts

    def board_for(self, r: float) -> Board:
        """The board for one radius: a point (radius 0) keeps out of solids as of grounds.

        ShapeError for a point among walls: it would slip through, being as thin as they are.
        """
        g = self._ground
        if r > 0.0:
            return self.board
        if g.thin_walls:
            raise ShapeError("a disc of radius 0 cannot keep off walls without thickness")
        if g.thick > 0.0:
            return self.board
        counts: Any = self.board.counts.copy()
        rings, starts = g.all_rings
        counts[4] = len(starts) - 1
        return self.board._replace(counts=counts, rings=rings, ring_starts=starts)

    def _disc(self, k: int) -> Circle:
        discs = self.board.discs
        return float(discs[3 * k]), float(discs[3 * k + 1]), float(discs[3 * k + 2])

    @property
    def kernels(self) -> Any:
        """The entries in the backend of this field."""
        return backends.functions(self.compiled)

    def on_backend(self, compiled: bool) -> Field:
        """The same field in plain Python or compiled."""
        if compiled == self.compiled:
            return self
        ground, board = self._ground.on_backend(compiled), backends.converted(self.board, compiled)
        return Field(ground, self._bodies, board, {}, compiled)

    # Bodies come and go.

    def added(self, name: str, x: float, y: float, radius: float) -> Field:
        """With one more body. ShapeError if the id is taken or a number will not do."""
        return self.with_bodies({name: (x, y, radius)})

    def with_bodies(self, more: Mapping[str, Circle]) -> Field:
        """With more bodies. ShapeError if an id is taken or a number will not do."""
        for name, body in more.items():
            if name in self._bodies:
                raise ShapeError(f"there is a body {name!r} already")
            checked(body, f"body {name!r}")
            if body[2] < 0.0:
                raise ShapeError(f"body {name!r}: a radius must be 0 or more, not {body[2]}")
        used, k = set(self._bodies.values()), len(self._ground.posts) - 1
        numbers = {}
        for name in more:
            k = next(n for n in count(k + 1) if n not in used)
            numbers[name] = k
        field = self._changed({**self._bodies, **numbers})
        for name, (x, y, radius) in more.items():
            field._make_room(numbers[name])
            field._put(numbers[name], float(x), float(y), float(radius))
        return field

    def _make_room(self, k: int) -> None:
        """See that there is a place for body k."""
        board = self.board
        if 3 * k == len(board.discs):
            discs = backends.joined(board.discs, [0.0, 0.0, -math.inf])
            self.board = board._replace(discs=discs)
            board.counts[1] = board.counts[2] = k + 1
            for border in self._borders.values():
                border.circles = more_circles(border.circles, [0.0, 0.0, 0.0], 0)

    def removed(self, *names: str) -> Field:
        """Without these bodies. ShapeError if there is no such body."""
        for name in names:
            if name not in self._bodies:
                raise ShapeError(f"there is no body {name!r}")
        field = self._changed({k: v for k, v in self._bodies.items() if k not in names})
        for name in names:
            field._take(self._bodies[name])
        return field

    def moved(self, name: str, x: float, y: float) -> Field:
        """With a body at another place. ShapeError if there is no such body."""
        if name not in self._bodies:
            raise ShapeError(f"there is no body {name!r}")
        checked((x, y), f"body {name!r}")
        k = self._bodies[name]
        radius = float(self.board.discs[3 * k + 2])
        field = self._changed(self._bodies)
        field._take(k)
        field._put(k, float(x), float(y), radius)
        return field

    def _changed(self, bodies: Mapping[str, int]) -> Field:
        grid, counts, edges, discs, starts, parts, slots, rings, ring_at = self.board
        board = Board(
            grid, counts.copy(), edges, discs.copy(), starts, parts, slots.copy(), rings, ring_at
        )
        borders = {r: border.copy() for r, border in self._borders.items()}
        field = Field(self._ground, bodies, board, borders, self.compiled)
        for key, (checker, changed) in self._earlier.items():
            if len(changed) < _CHANGES:
                field._earlier[key] = checker, changed.copy()
        for key, checker in self._checkers.items():
            field._earlier[key] = checker, []
        return field

    def _take(self, k: int) -> None:
        x, y, radius = self._disc(k)
        self.kernels.put_body(self.board, k, True)
        self.board.discs[3 * k + 2] = -math.inf
        self._forget(k, x, y, radius)

    def _put(self, k: int, x: float, y: float, radius: float) -> None:
        discs = self.board.discs
        discs[3 * k], discs[3 * k + 1], discs[3 * k + 2] = x, y, radius
        if not self.kernels.put_body(self.board, k, False):
            self._regrid()
        i = self._forget(k, x, y, radius)
        for r, border in self._borders.items():
            discs, counts, _, _ = border.circles
            discs[3 * i], discs[3 * i + 1], discs[3 * i + 2] = x, y, radius + r
            counts[i] = -1

    def _forget(self, k: int, x: float, y: float, radius: float) -> int:
        """Forget what was known near body k, which was there or is now, and its own circle.

        Gives that circle's number.
        """
        for _, changed in self._earlier.values():
            if k not in changed:
                changed.append(k)
        i = self._ground.first_body + k - len(self._ground.posts)
        for r, border in self._borders.items():
            border.forget(self.kernels, x, y, radius + r)
            border.circles.counts[i] = 0
            border.circles.discs[3 * i + 2] = 0.0
        return i

    def _regrid(self) -> None:
        """Give the cells more room and put every body in again."""
        room, discs = int(self.board.counts[3]), self.board.discs
        # Of several that come at once the later ones have no place yet.
        numbers = [k for k in self._bodies.values() if 3 * k < len(discs)]
        put = [k for k in numbers if discs[3 * k + 2] > -math.inf]
        while True:
            room *= 2
            cells = len(self.board.starts) - 1
            self.board = self.board._replace(
                slots=backends.blank_ints(cells * room, self.compiled, -1)
            )
            self.board.counts[3] = room
            if all(self.kernels.put_body(self.board, k, False) for k in put):
                return

    # What a disc may do.

    def standable(self, x: float, y: float, r: float, slack: float = SLACK) -> bool:
        """Whether a disc of radius r may stand at (x, y): clear of all and on the table."""
        x, y, r, slack = float(x), float(y), float(r), float(slack)
        checked((x, y, r, slack), "place")
        if not self.kernels.stand_free(x, y, r, slack, self.board_for(r)):
            return False
        return not self.kernels.in_solid(x, y, *self.solids_for(r))

    def straight(
        self, ax: float, ay: float, bx: float, by: float, r: float, slack: float = SLACK
    ) -> bool:
        """Whether a disc of radius r may go straight from one place where it may stand."""
        ax, ay, bx, by, r, slack = (float(v) for v in (ax, ay, bx, by, r, slack))
        checked((ax, ay, bx, by, r, slack), "leg")
        return bool(self.kernels.leg_free(ax, ay, bx, by, r, slack, self.board_for(r)))

    def checker(self, r: float, slack: float = SLACK) -> Checker:
        """`follows` for one radius, prepared: the fastest way to ask about many paths singly.

        Kept, and carried over to other states by local update. Raises ShapeError as `follows`.
        """
        key = (r, slack)
        found = self._checkers.get(key)
        if found is None:
            checked(key, "radius")
            free = self.free_space(r, slack)
            cells = self._ground.cells.get(key)
            if cells is None:
                cells = lay(free, len(self._ground.posts), self.compiled)
                keep(self._ground.cells, key, cells)
            cells = marked(self.kernels, self.board.discs, cells, self._earlier.pop(key, None))
            found = Checker(self.kernels, free, cells)
            keep(self._checkers, key, found)
            asking = self._asking.get(key)
            if asking is not None:
                asking.use(cells)
            if slack == SLACK:
                keep(self._ready, r, found.one)
        return found

    def follows(
        self, path: Path | Sequence[Sequence[float]], r: float, slack: float = SLACK
    ) -> bool:
        """Whether a disc of radius r may follow a path of legs, or of straight legs by corners.

        Raises ShapeError for numbers that are not finite or beyond LARGEST.
        """
        if slack == SLACK:
            ready = self._ready.get(r)
            if ready is not None:
                try:
                    return ready(path)
                except TypeError:
                    if not isinstance(path, Path):
                        raise
        return self._follows(path, r, slack)

    def _follows(self, path: Path | Sequence[Sequence[float]], r: float, slack: float) -> bool:
        if not isinstance(path, Path):
            known = self._checkers.get((r, slack))
            if known is None and self.compiled:
                self._asked += 1
                if self._asked >= _OFTEN:
                    self._asked = 0
                    known = self.checker(r, slack)
            if known is not None:
                return known.one(path)
            flat = [float(v) for x, y in path for v in (x, y)]
            return bool(self.walked(flat, (0, len(flat) // 2), r, slack)[0])
        for leg in path.legs:
            checked(leg, "leg")
        if path.legs and not self.standable(*path.legs[0].start, r, slack):
            return False
        free = self.free_space(r, slack)
        return all(self._goes_along(leg, free) for leg in path.legs)

    def _goes_along(self, leg: Leg, free: FreeSpace) -> bool:
        """Whether a disc may go along a leg: of an arc, whether a free arc of its circle holds
        it."""
        figures = [float(v) for v in leg]
        if not isinstance(leg, Arc):
            return bool(self.kernels.leg_free(*figures, free.r, free.slack, free.board))
        x, y, radius, begin, sweep = figures
        for first, last in arcs_of_circle(self.kernels, free, x, y, radius):
            turned = (min(begin, begin + sweep) - first) % math.tau
            turned = 0.0 if turned > math.tau - _SAME else turned
            if last - first > math.tau - _SAME or turned + abs(sweep) <= last - first + _SAME:
                return True
        return False

    def follows_many(
        self, corners: Sequence[float], starts: Sequence[int], r: float, slack: float = SLACK
    ) -> Any:
        """`follows` for many paths of straight legs at once, bit for bit the single answers.

        corners: flat x, y of all paths, float64. starts: index of each path's first corner, and
        the count of corners at the end, int64. Gives a list or array of bool. Raises ShapeError as
        `follows`, and for starts that are not in order or beyond the corners.
        """
        known = self._checkers.get((r, slack))
        if known is None and self.compiled and len(starts) > _OFTEN:
            known = self.checker(r, slack)
        if known is not None:
            return known.many(corners, starts)
        return self.walked(corners, starts, r, slack)

    def walked(
        self, corners: Sequence[float], starts: Sequence[int], r: float, slack: float = SLACK
    ) -> Any:
        """`follows_many` with nothing prepared: the same answers."""
        return walked(self.kernels, self.free_space(r, slack), corners, starts)

    def route(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        r: float,
        *,
        limit: float = math.inf,
        zones: Iterable[Circle] = (),
        slack: float = SLACK,
        work: int = WORK,
    ) -> Answer:
        """The shortest route of a disc of radius r to the nearest goal.

        See `shortest_path.shortest`.
        """
        if len(goals) == 1 and goals[0].__class__ is PointGoal and not zones:
            known = self._asking.get((r, slack)) or self.asking(r, slack)
            return known.one(start, (goals[0].x, goals[0].y), limit, work)
        return shortest(self, start, goals, r, limit=limit, zones=zones, slack=slack, work=work)

    def routes(
        self,
        starts: Sequence[Sequence[float]] | npt.NDArray[np.float64],
        goals: Sequence[Sequence[float]] | npt.NDArray[np.float64],
        r: float,
        *,
        limit: float = math.inf,
        slack: float = SLACK,
        work: int = WORK,
    ) -> Routes:
        """`route` from many points to many points in one call, each bit for bit the single answer.

        starts, goals: points (x, y), as many of both, or one that stands for all; arrays (n, 2)
        are fastest. limit, slack, work: as `route`, for each. Raises as `route`, and ShapeError
        for points that do not pair.

        >>> field = Field.of(width=10.0, depth=10.0, solids=[[4, 4, 6, 4, 6, 6, 4, 6]])
        >>> found = field.routes([(2.0, 5.0)], [(2.0, 9.0), (8.0, 5.0), (5.0, 5.0)], 0.5)
        >>> [round(float(length), 3) for length in found.lengths], found[2].reason
        ([4.0, 7.048, inf], 'goal')
        """
        if self.compiled and max(len(starts), len(goals)) > _OFTEN:
            self.checker(r, slack)
        return self.asking(r, slack).many(starts, goals, limit, work)

    def free_space(self, r: float, slack: float = SLACK) -> FreeSpace:
        """Where a disc may be, with cells if a checker was made. Raises ShapeError as `route`."""
        checked((r, slack), "radius")
        known = self._checkers.get((r, slack))
        cells = no_cells(self.compiled) if known is None else known.cells
        board = self.board_for(r)
        return FreeSpace(float(r), float(slack), board, cells, *self.solids_for(r))

    def asking(self, r: float, slack: float = SLACK) -> Asking:
        """What routes of one disc to points take; kept. Raises ShapeError as `route`."""
        found = self._asking.get((r, slack))
        if found is None:
            checked((r, slack), "disc")
            if r < 0.0:
                raise ShapeError(f"a disc's radius must be 0 or more and finite, not {r}")
            found = Asking(self.kernels, self.free_space(r, slack), self.border(r).circles)
            keep(self._asking, (r, slack), found)
        return found

    def reach(
        self,
        start: tuple[float, float],
        r: float,
        allowance: float,
        *,
        zones: Iterable[Circle] = (),
        no_end: Iterable[Circle] = (),
        slack: float = SLACK,
        work: int = WORK,
    ) -> DiscReach:
        """Where a disc of radius r can get to within an allowance; see `reach.reach`."""
        if self.compiled and (r, slack) not in self._checkers:
            self._asked += _LEGS
            if self._asked >= _OFTEN:
                self._asked = 0
                self.checker(r, slack)
        return reach(self, start, r, allowance, zones=zones, no_end=no_end, slack=slack, work=work)

    @property
    def things(self) -> Iterator[tuple[str, str | int, tuple[float, ...], float]]:
        """All that stands on the table: kind, id or index, figures, thickness.

        Kinds: "solid" and "ground" (rings), "wall" (ax, ay, bx, by), "post" and "body" (x, y,
        radius). Grounds bind the centre alone: their thickness is minus infinity.
        """
        g = self._ground
        for i, ring in enumerate(_rings(*g.solids)):
            yield "solid", i, ring, g.thicknesses[i]
        for i, (*ends, thickness) in enumerate(rows_of(self.board.edges[: 5 * g.walls], 5)):
            yield "wall", i, tuple(ends), thickness
        for i, post in enumerate(g.posts):
            yield "post", i, post, 0.0
        for name, disc in self.bodies.items():
            yield "body", name, disc, 0.0
        for i, ring in enumerate(_rings(self.board.rings, self.board.ring_starts)):
            yield "ground", i, ring, -math.inf

    @property
    def boxed(self) -> list[Thing]:
        """The same, each with the box of its figures; kept."""
        if self._boxed is None:
            self._boxed = list(with_boxes(self.things))
        return self._boxed

    @property
    def table(self) -> tuple[float, float, float, float]:
        """Least x, least y, greatest x, greatest y; infinite where there is no edge."""
        x0, y0, x1, y1 = listed(self.board.grid[5:9])
        return x0, y0, x1, y1

    # For searches.

    def border(self, r: float) -> FreeBorder:
        """What is known of the border of where a disc of radius r may be; kept."""
        found = self._borders.get(r)
        if found is None:
            found = border_of(self._ground, self.board.discs, r, self.compiled)
            self._borders[r] = found
        return found

    def sides(self, r: float) -> list[float]:
        """The straight parts of that border, all of them."""
        board = self.board_for(r)
        rings = _rings(board.rings, board.ring_starts)
        return all_sides(list(rows_of(board.edges, 5)), self._ground.walls, rings, self.table, r)

    def solids_for(self, r: float) -> tuple[Any, Any]:
        """Rings that a disc may not be inside of, with their boxes, and where each begins.

        None for a point that keeps out of solids as of grounds: it may stand on their border.
        """
        g = self._ground
        flat, starts = g.solids
        if r > 0.0 or g.thick > 0.0:
            return flat, starts
        return flat[:0], starts[:1]


def _rings(flat: Any, starts: Any) -> Iterator[tuple[float, ...]]:
    """Corners of rings laid out as those of a board, boxes left out."""
    return (tuple(listed(flat[a + 4 : b])) for a, b in pairwise(listed(starts)))
