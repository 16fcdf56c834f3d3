"""Cheapest routes and reach of a disc over levels, links and portals: one exact search.

A shortest way runs on each level along common tangents of circles and along their free arcs. At a
link's exit it may turn anywhere. Where it crosses a portal it either passes an end of a free piece
of it, where it may turn too, or crosses inside: there the sum of the ways on both sides is least,
so the angle with the portal is the same on both, and the way is straight once the level behind is
unfolded into the plane of the level before it. It can be unfolded to either side, since a portal
may be entered and left on any: two rigid images of each source. So the search takes up point
sources and arcs as `search` does, besides their images behind portals, whose straight legs must
cross the windows of the portals in order. Nothing is sampled; cost error <= 1e-9 for each leg, as
there.

It is best first by cost and what is left at least, and leaves out what no cheapest way needs:

- Legs outside the interval of turns that crosses a window's chain (`unfolding`).
- Images that come to a window dearer than walking along it from a mark: places of the window whose
  costs are noted, for either direction of the portal, as a mark where one is entered is one where
  the other is left. This is the filter of windows by distances known at vertices.
- Points in a place that was taken up as cheaply: one source a place. Of ways of equal cost all stay
  that are told apart by links or places, where ties are told.
- Images on a side of a portal where the disc has no room, as at a wall's foot or a roof's rim.
- Ways round through portals along one line back to where they were.

Sources: windows and unfolding, Mitchell, Mount and Papadimitriou, "The discrete geodesic problem"
(1987), and Chen and Han, "Shortest paths on a polyhedron" (1990); the filter, Xin and Wang,
"Improving Chen and Han's algorithm on the discrete geodesic problem" (2009).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.board import Board
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.scratch import listed
from tapeline.geometry.discs.shortest_path import _goal_rows
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces import search_arrays as arrays
from tapeline.geometry.surfaces import search_steps as steps
from tapeline.geometry.surfaces.gates import Gates
from tapeline.geometry.surfaces.image_legs import MORE_ARCS, MORE_SPANS, PART
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.portal_gaps import just_beside
from tapeline.geometry.surfaces.search_arrays import FlatLevels, LevelBoards, SearchMemory
from tapeline.geometry.surfaces.steps import FoundWay, Part, SourceRow, Step, steps_of
from tapeline.geometry.surfaces.unfolding import CUT, CUTS
from tapeline.geometry.surfaces.windows import ROW, crossings
from tapeline.work import count_work

__all__ = ["Search"]

#: What is left from a goal that a bound cannot tell.
_NOTHING_LEFT = -1e18
#: Images, and legs, there is room for at first.
_IMAGES, _LEGS = 64, 512
#: Images of one image behind a gate at most: parts of the gate, to either side.
_BEHIND = 12
#: Steps of work that a leg counts as, and legs made before they are counted.
_LEG, _COUNTED = 20, 5_000
#: Floats for what meets one circle.
_SPANS = 2048
#: Arrays that grow together when the search comes back for room, and numbers a row of each.
_GROWN = {
    steps.ROOM_LEGS: {"waiting": 1, "waiting_ints": 1, "things": 2, "legs": arrays.LEG_ROW},
    steps.ROOM_IMAGES: {"images": arrays.IMAGE, "image_ints": arrays.IMAGE_INTS},
    steps.ROOM_WINDOWS: {"windows": 4},
    steps.ROOM_SOURCES: {"sources": arrays.SOURCE, "source_ints": arrays.SOURCE_INTS},
    steps.ROOM_MET: {"met": 2, "met_ints": 2},
    steps.ROOM_FOUND: {"found": 1, "fanned": 1},
    steps.ROOM_PARTS: {"parts": PART, "fractions": 1},
}
_WHOLE = {"waiting_ints", "things", "image_ints", "source_ints", "met_ints", "found", "fanned"}


class _Goals(NamedTuple):
    """Goals on a level: rows, whose they are, angles that are shut, segments to come to."""

    rows: Sequence[Sequence[float]] = ()
    owners: Sequence[int] = ()
    shut: Sequence[float] = ()
    bounds: Sequence[Sequence[float]] = ()


class Search:
    """One search from a start, to goals or as far as the limit."""

    def __init__(
        self,
        levels: Network,
        start: Place,
        r: float,
        forbid: Iterable[str],
        limit: float,
        zones: Mapping[str, Sequence[Circle]] | None,
        slack: float,
        work: int,
        strict: bool,
        ties: bool,
    ) -> None:
        """ties: whether ways of equal cost are told, too."""
        self.levels, self.slack, self.work, self.ties = levels, slack, work, ties
        self.limit = float(limit)
        self.first = levels.number(start[0])
        if not (math.isfinite(start[1]) and math.isfinite(start[2])):
            raise ShapeError("the start needs finite coordinates")
        self.start = levels.levels[self.first].own(start[1], start[2])
        around = {name: tuple(discs) for name, discs in (zones or {}).items()}
        for name in around:
            levels.number(name)
        self.queries = [
            levels.around(at, r, around, slack).query for at in range(len(levels.levels))
        ]
        self.compiled = compiled = self.queries[0].compiled
        self._floats = partial(backends.blank, compiled=compiled)
        self._ints = partial(backends.blank_ints, compiled=compiled)
        self.kernels = self.queries[0].kernels
        barred = frozenset(forbid)
        if strict:
            levels.check(r, barred, slack)
        self.gates: Gates = levels.matrix(r, around, slack)
        # Gates keep their index, so that twins are found; forbidden ones have no place to enter.
        self.barred = self.gates.of_kinds(barred)
        # Rows of goals, whose they are, angles that are shut, bounds, by level.
        self.goals: list[_Goals] = [_Goals() for _ in self.queries]
        self.owners: list[int] = []
        self.bounded = self.ran = False
        self._lay()

    # Levels laid out flat.

    def _lay(self) -> None:
        """Lay levels and gates out, with nothing found yet."""
        table, compiled = self.gates, self.compiled
        shut = set(self.barred)
        f, i = self._floats, self._ints
        entered = table.by_entry(len(self.queries))
        rows: list[int] = []
        by_level: list[int] = []
        doors: list[int] = []
        at = arcs = most_gates = most_targets = 0
        queries, ends = self.queries, [0] * 7
        boards = [query.board for query in queries]
        marked = table.marked(len(queries))
        for query, board, here, marks in zip(queries, boards, entered, marked, strict=True):
            c = query.circles
            shown = [k for k in here if k not in shut] if shut else here
            doors += [*(k for k in here if k in shut), *shown] if shut else here
            count = len(c.counts)
            targets, first = count + marks, len(by_level)
            rows += (at, at + count, at + targets, first, first + len(shown))
            rows += (0, 0, 0, 0, 0, 0, c.room, arcs)
            by_level += shown
            pieces = (
                board.edges, board.discs, board.starts, board.parts, board.slots, board.rings,
                board.ring_starts,
            )  # fmt: skip
            for k, piece in enumerate(pieces):
                rows += (ends[k], ends[k] + len(piece))
                ends[k] += len(piece)
            at += targets
            arcs += 2 * c.room * count
            most_gates = max(most_gates, len(shown))
            most_targets = max(most_targets, targets)
        none_f, none_i = f(0), i(0)
        self.plan = FlatLevels(
            backends.ints(rows, compiled), backends.ints(table.ints.ravel(), compiled),
            backends.floats(table.ends.ravel(), compiled), backends.ints(by_level, compiled),
            f(3 * at), i(2 * at), none_f, none_f, none_f,
        )  # fmt: skip
        self.targets = at
        together = _joined_arrays if compiled else _joined_lists
        self.standing = LevelBoards(
            float(queries[0].r), float(self.slack),
            Board(*map(together, zip(*boards, strict=True))),
            i(at), together([q.circles.arcs for q in queries]), f(_SPANS), none_f, none_i,
        )  # fmt: skip
        for query, v in zip(queries, range(0, len(rows), arrays.LEVEL), strict=True):
            begin, end = rows[v], rows[v + 1]
            if begin < end:
                self.standing.arc_counts[begin:end] = query.circles.counts
                self.plan.targets[3 * begin : 3 * end] = query.circles.discs
        self.kernels.write_targets(
            self.plan, self.standing, backends.ints(doors, compiled), self._done()
        )
        self.most_images = _BEHIND * most_gates + 2
        self.most_targets, self.most_goals = most_targets, 0

    def _begin(self) -> None:
        """Room for what will be found."""
        f, i = self._floats, self._ints
        images, legs = _IMAGES + self.most_images, _LEGS + self.most_legs
        marks = self.gates.marks
        self.taken = SearchMemory(
            best=f(1, value=self.limit),
            told=i(arrays.TOLD),
            left=f(marks, value=math.inf),
            ahead=f(marks, value=-1.0),
            onward=f(self.targets, value=-1.0),
            opens=backends.ints(self.gates.opens(just_beside(self.slack)), self.compiled),
            heads=i(self.targets, value=-1),
            met=f(2 * _LEGS),
            met_ints=i(2 * _LEGS),
            points=i(len(self.queries), value=-1),
            waiting=f(legs + images),
            waiting_ints=i(legs + images),
            things=i(2 * (legs + images)),
            legs=f(arrays.LEG_ROW * legs),
            sources=f(arrays.SOURCE * images),
            source_ints=i(arrays.SOURCE_INTS * images),
            images=f(arrays.IMAGE * images),
            image_ints=i(arrays.IMAGE_INTS * images),
            windows=f(8 * images),
            found=i(_IMAGES),
            fanned=i(_IMAGES),
            rows=f(ROW * self.most_legs),
            fractions=f(64),
            parts=f(PART * 64),
            cuts=f(CUT * CUTS + 6),
        )

    @property
    def most_legs(self) -> int:
        """Legs that one source has at most."""
        return 4 * self.most_targets + 2 * self.most_goals + 2

    # Goals, and what is left to them at least.

    def aim(self, goals: Sequence[tuple[str, Goal]]) -> tuple[bool, int | None]:
        """Take up goals. Whether any can be met at all; the goal the start is in already."""
        sought: list[list[tuple[int, Goal]]] = [[] for _ in self.queries]
        there: int | None = None
        for number, (name, goal) in enumerate(goals):
            at = self.levels.number(name)
            level = self.levels.levels[at]
            x, y = level.own(goal.x, goal.y)
            own: Goal = PointGoal(x, y)
            if isinstance(goal, CircleGoal):
                own = CircleGoal(x, y, goal.radius, goal.outward, goal.shut)
                if (
                    there is None
                    and at == self.first
                    and not goal.outward
                    and not goal.shut
                    and math.dist(self.start, (x, y)) <= goal.radius
                ):
                    there = number
            sought[at].append((number, own))
        any_row = False
        for at, query in enumerate(self.queries):
            if not sought[at]:
                continue
            own_goals = [goal for _, goal in sought[at]]
            nowhere = (math.inf, math.inf)
            rows, owners, shut, first, _ = _goal_rows(query, nowhere, own_goals)
            bounds = [_goal_bound(row) for row in rows[:first]]
            for k, goal in enumerate(own_goals):
                if isinstance(goal, CircleGoal) and not goal.outward and not goal.shut:
                    for a, b in self.gates.inside(at, goal.x, goal.y, goal.radius):
                        rows.append([3.0, a.real, a.imag, b.real, b.imag, 0.0])
                        bounds.append([a.real, a.imag, b.real, b.imag, 0.0])
                        rows += ([0.0, z.real, z.imag, 0.0, 0.0, 0.0] for z in (a, b))
                        owners += (k, k, k)
            # Of a circle that is shut in part each open arc has an end among the rows.
            in_part = {
                k for k, it in enumerate(own_goals) if isinstance(it, CircleGoal) and it.shut
            }
            any_row = any_row or any(
                k not in in_part or (row[0] == 0.0 and query.standable(row[1], row[2]))
                for row, k in zip(rows, owners, strict=True)
            )
            self.goals[at] = _Goals(rows, [sought[at][k][0] for k in owners], shut, bounds)
        self.bounded = True
        return any_row, there

    def _bound(self) -> None:
        """What is left at least from each gate's exit, and from places of each level."""
        plan, compiled = self.plan, self.compiled
        flat_goals: list[float] = []
        shut: list[float] = []
        self.owners = []
        for at, goals in enumerate(self.goals):
            if not goals.rows:
                continue
            v = arrays.LEVEL * at
            plan.levels[v + arrays.GOALS] = len(flat_goals) // 6
            plan.levels[v + arrays.SHUT] = len(shut)
            for row in goals.rows:
                flat_goals += row
            self.owners += goals.owners
            shut += goals.shut
            plan.levels[v + arrays.GOALS_END] = len(flat_goals) // 6
            plan.levels[v + arrays.SHUT_END] = len(shut)
            self.most_goals = max(self.most_goals, len(goals.rows))
        starts = [*accumulate((len(goals.bounds) for goals in self.goals), initial=0)]
        most = starts[-1] + len(plan.by_level) + len(self.goals)
        self.plan = plan = plan._replace(
            goals=backends.floats(flat_goals, compiled),
            shut=backends.floats(shut, compiled),
            bounds=self._floats(5 * most),
        )
        if self.bounded:
            leaving, by_exit = self.gates.by_exit(len(self.queries))
            left = [v for goals in self.goals for row in goals.bounds for v in row]
            self.kernels.least_left(
                plan,
                backends.ints(starts, compiled),
                backends.floats(left, compiled),
                backends.ints(leaving, compiled),
                backends.ints(by_exit, compiled),
                self._done(),
                self._ints(len(self.gates)),
                self._ints(len(self.gates)),
            )

    def _done(self) -> Any:
        """1 for each gate that is not to be entered."""
        done = self._ints(len(self.gates))
        for k in self.barred:
            done[k] = 1
        return done

    # The search.

    def run(self) -> bool:
        """Search. Gives whether the limit cut anything off."""
        self.ran = True
        while True:
            self._bound()
            self._begin()
            code = self._run()
            if code == 0:
                break
            # A circle with more free arcs than there is room for: hardly ever.
            self.queries[int(self.taken.told[arrays.ASKED])].more(-2)
            self._lay()
        for level, query in enumerate(self.queries):
            v, c = arrays.LEVEL * level, query.circles
            begin, end = int(self.plan.levels[v]), int(self.plan.levels[v + 1])
            at = int(self.plan.levels[v + arrays.ARCS])
            c.counts[:] = self.standing.arc_counts[begin:end]
            c.arcs[:] = self.standing.arcs[at : at + len(c.arcs)]
        return bool(self.taken.told[arrays.CUT])

    def _run(self) -> int:
        """Search with what room there is, and more where it is asked for; 0 when through."""
        self.kernels.begin(self.taken, self.first, *map(float, self.start), self.limit)
        counted = 0
        while True:
            code = self.kernels.run(
                self.plan, self.standing, self.taken, self.limit, self.ties,
                min(self.work, counted + _COUNTED), self.most_legs, self.most_images,
            )  # fmt: skip
            pushed = int(self.taken.told[arrays.PUSHED])
            if pushed > counted:
                count_work(_LEG * (pushed - counted), "a route over storeys")
                counted = pushed
            if code in (0, MORE_ARCS):
                return int(code)
            if code == steps.OPENS:
                number = int(self.taken.told[arrays.ASKED])
                gate, leaving, side = number // 4, bool(number // 2 % 2), 2 * (number % 2) - 1
                self.taken.opens[number] = int(self._open(gate, leaving, side))
            elif code == MORE_SPANS:
                spans = self._floats(2 * len(self.standing.spans))
                self.standing = self.standing._replace(spans=spans)
            elif code != steps.MORE_WORK:
                self._grow(_GROWN[code])
            elif pushed > self.work:
                raise WorkLimitError(
                    f"the search over levels made {pushed} legs, more than {self.work}; "
                    "give a shorter limit or more work"
                )

    def _grow(self, strides: Mapping[str, int]) -> None:
        """Give some arrays twice the room, or more where one thing may take more."""
        more: dict[str, Any] = {}
        for name, stride in strides.items():
            had = getattr(self.taken, name)
            rows = len(had) // stride + self.most_legs + self.most_images
            empty = self._ints if name in _WHOLE else self._floats
            more[name] = empty(len(had) + stride * rows)
            more[name][: len(had)] = had
        self.taken = self.taken._replace(**more)

    def _open(self, number: int, leaving: bool, side: int) -> bool:
        """Whether legs may come to a gate, or leave it, to one side of it: not where the disc has
        no room just beside it, as at a wall's foot, but for another gate along it, which a leg
        takes at once. Where neither side has room legs may end on the gate itself."""
        if self._has_room(number, leaving, side):
            return True
        return not self._has_room(number, leaving, -side) or self.gates.runs_along(
            number, leaving, just_beside(self.slack)
        )

    def _has_room(self, number: int, leaving: bool, side: int) -> bool:
        def work() -> bool:
            gate = self.gates[number]
            query = self.queries[gate.end if leaving else gate.start]
            return self.levels.room(gate, leaving, side, query.r, query.zones, self.slack)

        return self.gates.room(number, leaving, side, work)

    # What was found.

    @property
    def states(self) -> int:
        """How many sources were taken up."""
        return 0 if not self.ran else int(self.taken.told[arrays.TAKEN])

    @property
    def found(self) -> list[tuple[float, int, int]]:
        """Ways to goals as they were found: cost, the goal, the last leg by number."""
        ways = []
        for leg in listed(self.taken.found[: int(self.taken.told[arrays.GOALS_FOUND])]):
            row = self._leg(leg)
            level = self._image_int(int(row[ROW]), 1)
            goal = self.owners[int(self.plan.levels[arrays.LEVEL * level + arrays.GOALS] + row[2])]
            ways.append((row[1], goal, leg))
        return ways

    def way_by(self, leg: int) -> FoundWay:
        """The way whose last leg that is."""
        row = self._leg(leg)
        return self.way(int(row[ROW]), row[5], row[6:10])

    def _leg(self, leg: int) -> list[float]:
        return listed(self.taken.legs[arrays.LEG_ROW * leg : arrays.LEG_ROW * (leg + 1)])

    def images(self, level: int) -> list[int]:
        """Images on a level whose legs were looked at, by number, in order."""
        return self._fanned.get(level, [])

    @cached_property
    def _fanned(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        if not self.ran:
            return found
        for image in listed(self.taken.fanned[: int(self.taken.told[arrays.FANNED])]):
            found.setdefault(self._image_int(image, 1), []).append(image)
        return found

    def image(self, number: int) -> arrays.Image:
        """An image by number."""
        return arrays.image_at(self.taken, number)

    def ahead(self, number: int) -> float:
        """How far its source may be turned round."""
        return float(self.taken.sources[arrays.SOURCE * self._image_int(number, 0) + arrays.AHEAD])

    def leads(self, number: int, ends: Sequence[float]) -> bool:
        """Whether a leg of an image crosses its windows and is free."""
        begin, end = arrays.windows_of(self.taken, number)
        flat = listed(self.taken.windows[begin:end])
        px, py, qx, qy = ends
        if flat and not crossings(px, py, qx, qy, flat, [0.0] * len(flat)):
            return False
        return bool(self.kernels.way_free(self.plan, self.standing, self.taken, number, *ends))

    def way(self, number: int, turned: float, ends: Sequence[float]) -> FoundWay:
        """The way by a leg of an image."""
        return FoundWay(self._image_int(number, 0), turned, self.parts(number, ends))

    def _image_int(self, image: int, column: int) -> int:
        return int(self.taken.image_ints[arrays.IMAGE_INTS * image + column])

    def parts(self, image: int, ends: Sequence[float]) -> tuple[Part, ...]:
        """A leg of an image as what it is on each level, and the gates between."""
        count = self.kernels.write_way(self.plan, self.taken, image, *ends)
        flat = listed(self.taken.parts[: PART * count])
        found: list[Part] = []
        for k in range(count - 1, -1, -1):
            level, ax, ay, bx, by, gate = flat[PART * k : PART * (k + 1)]
            if gate >= 0.0:
                found.append((self.gates[int(gate)], complex(ax, ay)))
            found.append((int(level), Line(ax, ay, bx, by)))
        return tuple(found)

    def steps(self, way: FoundWay) -> tuple[Step, ...]:
        """The whole way: to a source, round it, and on by parts."""
        taken: list[tuple[SourceRow, FoundWay]] = []
        while way.source >= 0:
            f, k = arrays.SOURCE * way.source, arrays.SOURCE_INTS * way.source
            row = listed(self.taken.sources[f : f + arrays.SOURCE])
            ints = listed(self.taken.source_ints[k : k + arrays.SOURCE_INTS])
            taken.append((SourceRow(ints[0], row[0], row[1], row[2], row[3], ints[1]), way))
            parts: tuple[Part, ...] = ()
            if ints[arrays.BY] >= 0:
                parts = self.parts(ints[arrays.BY], row[arrays.LEG : arrays.LEG + 4])
            if ints[arrays.THROUGH] >= 0:
                parts = (*parts, (self.gates[ints[arrays.THROUGH]], complex(row[0], row[1])))
            way = FoundWay(ints[arrays.PARENT], row[arrays.TURNED], parts)
        return steps_of(self.levels, taken)


def _goal_bound(row: Sequence[float]) -> list[float]:
    """A goal as the bound of what is left needs it: a segment, and what may be taken off."""
    less = 0.0 if row[0] == 0.0 else (-row[3] if row[0] == 1.0 else _NOTHING_LEFT)
    return [row[1], row[2], row[1], row[2], less]


def _joined_lists(pieces: Sequence[Any]) -> Any:
    return list(chain.from_iterable(pieces))


def _joined_arrays(pieces: Sequence[Any]) -> Any:
    import numpy as np

    return np.concatenate(pieces)
