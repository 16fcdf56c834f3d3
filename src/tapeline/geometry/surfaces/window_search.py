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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.scratch import listed
from tapeline.geometry.discs.shortest_path import Query, _goal_rows
from tapeline.geometry.discs.tangent_graph import TIE, TURN
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.images import (
    Image,
    Part,
    Plane,
    Source,
    apart,
    goal_bound,
)
from tapeline.geometry.surfaces.links import Gate, Place
from tapeline.geometry.surfaces.marks import CLEAR, Marks
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.portal_gaps import just_beside
from tapeline.geometry.surfaces.route import parts_of, steps_of
from tapeline.geometry.surfaces.steps import Step
from tapeline.geometry.surfaces.unfolding import idle, on_line, unfolded
from tapeline.geometry.surfaces.windows import ROW, Found, Rays
from tapeline.work import count_work

__all__ = ["Search"]

_TAU = math.tau
#: Arrivals of equal cost kept at one place: ties beyond are not told.
_EQUAL = 3
#: Steps of work that a leg counts as.
_LEG = 20
#: Decimals of a coordinate by which points are in one place.
_PLACES = 9
#: Angle: a leg may leave an image this much outside its own turns, but for rounding.
_OWN = 1e-7


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
        self.limit = limit
        self.first = levels.number(start[0])
        if not (math.isfinite(start[1]) and math.isfinite(start[2])):
            raise ShapeError("the start needs finite coordinates")
        self.start = levels.levels[self.first].own(start[1], start[2])
        around = {name: tuple(discs) for name, discs in (zones or {}).items()}
        for name in around:
            levels.number(name)
        queries = [
            Query(level.field, r, around.get(level.id, ()), slack) for level in levels.levels
        ]
        barred = frozenset(forbid)
        if strict:
            levels.check(r, barred, slack)
        # Gates keep their index, so that twins are found; forbidden ones have no place to enter.
        self.matrix = levels.matrix(r, around, slack)
        self.gates = self.matrix.gates
        self.planes: list[Plane] = []
        for i, query in enumerate(queries):
            plane = Plane(query, self.gates, i)
            if barred and any(self.gates[k].link.kind in barred for k in plane.gates):
                shown = [k for k in plane.gates if self.gates[k].link.kind not in barred]
                for k, (gate, _, _, _) in enumerate(plane.doors):
                    if gate not in shown:
                        plane.targets[3 * (plane.circles + k) + 2] = -1.0
                plane.gates = shown
            self.planes.append(plane)
        self.compiled = queries[0].compiled
        self.kernels = queries[0].kernels
        most = max(plane.count for plane in self.planes)
        self.out = Found(
            backends.floats([0.0] * (4 * ROW * most), self.compiled),
            backends.ints([0], self.compiled),
            backends.floats([0.0] * 64, self.compiled),
        )
        self.told = self.out.told
        self.heap: list[tuple[float, int, int, Any]] = []
        self.sources: list[Source] = []
        self.images: list[list[Image]] = [[] for _ in self.planes]
        self.met: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
        # Whether a gate has room beside it: gate, leaving, side.
        self.opens: dict[tuple[int, bool, int], bool] = {}
        # Points taken up by place: level, x, y; their costs and numbers.
        self.places: dict[tuple[int, float, float], list[tuple[float, int]]] = {}
        self.marks = Marks(self.gates, self.planes)
        self.found: list[tuple[float, int, float, tuple[Part, ...], int]] = []
        self.pushed = 0
        self.to_go = [0.0] * len(self.gates)

    # Goals, and what is left to them at least.

    def aim(self, goals: Sequence[tuple[str, Goal]]) -> tuple[bool, int | None]:
        """Take up goals. Whether any can be met at all; the goal the start is in already."""
        sought: list[list[tuple[int, Goal]]] = [[] for _ in self.planes]
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
        any_row, goal_room = False, 0
        for at, plane in enumerate(self.planes):
            if not sought[at]:
                continue
            own_goals = [goal for _, goal in sought[at]]
            nowhere = (math.inf, math.inf)
            rows, owners, shut, first, _ = _goal_rows(plane.query, nowhere, own_goals)
            bounds = [goal_bound(row) for row in rows[:first]]
            for k, goal in enumerate(own_goals):
                if isinstance(goal, CircleGoal) and not goal.outward and not goal.shut:
                    for row in self._windows_inside(at, goal):
                        rows.append(row)
                        owners.append(k)
                        bounds.append([row[1], row[2], row[3], row[4], 0.0])
                        for x, y in ((row[1], row[2]), (row[3], row[4])):
                            rows.append([0.0, x, y, 0.0, 0.0, 0.0])
                            owners.append(k)
            any_row = any_row or bool(rows)
            plane.goals = backends.floats([v for row in rows for v in row], self.compiled)
            plane.shut = backends.floats(shut, self.compiled)
            plane.owners = [sought[at][k][0] for k in owners]
            plane.bounds = [v for row in bounds for v in row]
            goal_room = max(goal_room, len(rows))
        if 2 * ROW * goal_room > len(self.out.rows):
            rows = backends.floats([0.0] * (2 * ROW * goal_room), self.compiled)
            self.out = self.out._replace(rows=rows)
        self._bound()
        return any_row, there

    def _windows_inside(self, at: int, goal: CircleGoal) -> Iterator[list[float]]:
        """Pieces of windows that lead right into a goal's circle."""
        for gate in self.gates:
            if gate.end != at or gate.length == 0.0:
                continue
            along = (gate.d - gate.c) / gate.length
            z = (complex(goal.x, goal.y) - gate.c) / along
            if abs(z.imag) > goal.radius:
                continue
            half = math.sqrt((goal.radius - z.imag) * (goal.radius + z.imag))
            low, high = max(0.0, z.real - half), min(gate.length, z.real + half)
            if low <= high:
                a, b = gate.c + low * along, gate.c + high * along
                yield [3.0, a.real, a.imag, b.real, b.imag, 0.0]

    def _bound(self) -> None:
        """What is left at least from each gate's exit, and from places of each level."""
        shown = sorted(k for plane in self.planes for k in plane.gates)
        self.to_go = [math.inf] * len(self.gates)
        if shown:
            goals = [
                (at, *plane.bounds[k : k + 5])
                for at, plane in enumerate(self.planes)
                for k in range(0, len(plane.bounds), 5)
            ]
            for k, left in zip(shown, self.matrix.to_go(shown, goals), strict=True):
                self.to_go[k] = float(left)
        for plane in self.planes:
            rows = list(plane.bounds)
            for i in plane.gates:
                gate = self.gates[i]
                if self.to_go[i] < math.inf:
                    rows += (gate.a.real, gate.a.imag, gate.b.real, gate.b.imag)
                    rows.append(gate.link.cost + self.to_go[i])
            if not rows:
                rows = [0.0, 0.0, 0.0, 0.0, math.inf]
            plane.bounds = backends.floats(rows, self.compiled)

    # The search.

    def run(self) -> bool:
        """Search. Gives whether the limit cut anything off."""
        self._push(0.0, 0, self._point(self.first, complex(*self.start), 0.0, -1, -1, 0.0, ()))
        best = self.limit
        while self.heap:
            estimate, _, kind, what = heappop(self.heap)
            if estimate > best + TIE:
                break
            if kind == 0:
                self._take_source(what)
            elif kind == 1:
                self._take_image(what, estimate)
            elif kind == 2:
                self._take_leg(*what)
            else:
                image, row = what
                parts = self._parts(image, row[6:10])
                if self._free(parts):
                    best = min(best, row[1])
                    goal = self.planes[image.level].owners[int(row[2])]
                    self.found.append((row[1], image.source, row[5], parts, goal))
        return bool(self.told[0])

    def _push(self, estimate: float, kind: int, what: object) -> None:
        if estimate == math.inf:
            return
        if estimate > self.limit + TIE:
            self.told[0] = 1
            return
        self.pushed += 1
        count_work(_LEG, "a route over storeys")
        if self.pushed > self.work:
            raise WorkLimitError(
                f"the search over levels made {self.pushed} legs, more than {self.work}; "
                "give a shorter limit or more work"
            )
        heappush(self.heap, (estimate, self.pushed, kind, what))

    def _known(self, key: tuple[int, int, int], cost: float) -> bool:
        """Whether a point was reached cheaper already, or as cheaply often enough."""
        had = self.met.setdefault(key, [])
        if any(other < cost - TIE for other, _ in had) or len(had) >= _EQUAL:
            return True
        had.append((cost, 0.0))
        return False

    def _had(self, plane: Plane, j: int, cost: float) -> bool:
        """Whether a leg that costs so much leads to a point that was reached cheaper already."""
        key = plane.keys[j]
        if key is None:
            return False
        if key[0] < 0:
            _, number, mark = key
            known = self.marks.entered[number][abs(mark)]
            if mark < 0:
                total = cost + self.gates[number].link.cost
                return cost >= known - TIE and total >= self.marks.left[number][-mark] - TIE
            if cost > known + CLEAR:
                return True
        return any(other < cost - TIE for other, _ in self.met.get(key, ()))

    def _point(
        self,
        level: int,
        z: complex,
        cost: float,
        circle: int,
        parent: int,
        turned: float,
        parts: tuple[Part, ...],
    ) -> Source:
        """A source that may be left anyhow."""
        return Source(level, z.real, z.imag, 0.0, 1, 0.0, _TAU, cost, circle, parent, turned, parts)

    def _take_source(self, source: Source) -> None:
        number = len(self.sources)
        if source.radius == 0.0:
            key = (source.level, round(source.x, _PLACES), round(source.y, _PLACES))
            had = self.places.setdefault(key, [])
            if any(self._again(source, *other) for other in had):
                return
            had.append((source.cost, number))
        self.sources.append(source)
        self._fan(
            Image(
                number,
                source.level,
                source.x,
                source.y,
                source.sense,
                source.angle,
                source.cost,
                source.cost,
                0.0,
                source.ahead,
            )
        )

    def _again(self, source: Source, cost: float, number: int) -> bool:
        """Whether a point need not be taken up: one in its place, had at a cost, does as well.

        Of ways as cheap those that are told apart by their links stay where ties are told, but no
        way that leads round to where it was.
        """
        if cost < source.cost - TIE or not self.ties:
            return cost <= source.cost + TIE
        if cost > source.cost + TIE:
            return False
        at = source.parent
        while at >= 0 and self.sources[at].cost >= cost - TIE:
            if at == number:
                return True
            at = self.sources[at].parent
        other = self.sources[number]
        return (
            other.parent == source.parent
            and abs(other.turned - source.turned) <= TURN
            and [gate.link.id for gate, _ in other.parts if isinstance(gate, Gate)]
            == [gate.link.id for gate, _ in source.parts if isinstance(gate, Gate)]
        )

    def _take_image(self, image: Image, estimate: float) -> None:
        source = self.sources[image.source]
        if not self.marks.trim(image, source.radius):
            return
        at = image.before
        while at is not None and at.windows:
            if not self.marks.lives(at, source, estimate):
                return
            at = at.before
        self._fan(image)

    def _take_leg(self, image: Image, row: Sequence[float]) -> None:
        """A leg to a circle, to a corner or to where a gate is entered."""
        plane, j, cost = self.planes[image.level], int(row[2]), row[1]
        if j >= plane.circles:
            number, mark, _, out = plane.doors[j - plane.circles]
            gate = self.gates[number]
            if not image.windows and row[1] == image.cost and self._back(image.source, number):
                return
            if self._had(plane, j, cost):
                return
            if 0 < mark < len(self.marks.left[number]) - 1:
                # Only a mark: no way turns there.
                if self._free(self._parts(image, row[6:10])):
                    self.marks.note(number, mark, cost)
                return
            if self._known((-1, number, mark), cost):
                return
            parts = self._parts(image, row[6:10])
            if not self._free(parts):
                self.met[-1, number, mark].pop()
                return
            behind = self.marks.left[number][mark]
            self.marks.note(number, mark, cost)
            if cost + gate.link.cost > behind + CLEAR:
                return
            self._leave(image, number, out, cost, row[5], parts)
            return
        x, y, radius = (float(v) for v in plane.targets[3 * j : 3 * j + 3])
        if radius == 0.0:
            if self._known((image.level, j, 0), cost):
                return
            parts = self._parts(image, row[6:10])
            if not plane.query.arcs_of(j) or not self._free(parts):
                self.met[image.level, j, 0].pop()
                return
            z = complex(x, y)
            self._take_source(self._point(image.level, z, cost, j, image.source, row[5], parts))
            return
        sense, met = int(row[3]), row[4]
        slip = TURN + self.slack / max(radius, 1e-3)
        for slot, (begin, end_) in enumerate(plane.query.arcs_of(j)):
            width = end_ - begin
            t = (met - begin) % _TAU
            if t > width:
                if t >= _TAU - slip:
                    t = 0.0
                elif t <= width + slip:
                    t = width
                else:
                    continue
            place = t if sense > 0 else width - t
            whole = width >= _TAU - TURN
            had = self.met.setdefault((image.level, j, 2 * slot + (sense > 0)), [])
            equal = 0
            for other, its in had:
                ahead = place - its
                if whole and ahead < -TURN:
                    ahead += _TAU
                if ahead >= -TURN:
                    there = other + radius * max(0.0, ahead)
                    if there < cost - TIE:
                        return
                    equal += there <= cost + TIE
            if equal >= _EQUAL:
                return
            parts = self._parts(image, row[6:10])
            if not self._free(parts):
                return
            had.append((cost, place))
            ahead = _TAU if whole else max(0.0, width - place)
            self._take_source(
                Source(
                    image.level,
                    x,
                    y,
                    radius,
                    sense,
                    met,
                    ahead,
                    cost,
                    j,
                    image.source,
                    row[5],
                    parts,
                )
            )
            return

    def _leave(
        self,
        image: Image,
        number: int,
        out: complex,
        cost: float,
        turned: float,
        parts: tuple[Part, ...],
    ) -> None:
        """A gate is entered at a cost: take up the place behind it."""
        gate = self.gates[number]
        total = cost + gate.link.cost
        parts = (*parts, (gate, out))
        source = self._point(gate.end, out, total, -1, image.source, turned, parts)
        self._push(total + self.to_go[number], 0, source)

    def _back(self, source: int, number: int) -> bool:
        """Whether a source was just reached by the same gate the other way."""
        came, twin = self.sources[source].parts, self.gates[number].twin
        return bool(came) and twin >= 0 and came[-1][0] is self.gates[twin]

    def _fan(self, image: Image) -> None:
        """All legs of an image, and its images behind the gates of its level."""
        source, plane = self.sources[image.source], self.planes[image.level]
        flat = [v for z in image.windows for v in (z.real, z.imag)]
        if len(flat) // 4 > len(self.out.fractions):
            room = backends.floats([0.0] * (len(flat) // 2), self.compiled)
            self.out = self.out._replace(fractions=room)
        rays = Rays(
            image.x,
            image.y,
            source.radius,
            image.sense,
            image.angle,
            *self._turns(image),
            image.cost,
            self.limit,
            backends.floats(flat, self.compiled),
        )
        own = -1 if flat else source.circle
        n = self.kernels.fan(rays, plane.targets, own, plane.bounds, self.out)
        for row in self._rows(n):
            if row[0] > self.limit + TIE or not self._had(plane, int(row[2]), row[1]):
                self._push(row[0], 2, (image, row))
        if len(plane.goals):
            n = self.kernels.finish(rays, plane.goals, plane.shut, self.out)
            for row in self._rows(n):
                self._push(row[0], 3, (image, row))
        self.images[image.level].append(image)
        for number in plane.gates:
            if self.gates[number].length > 0.0:
                self._unfold(image, number, self.gates[number])

    def _turns(self, image: Image) -> tuple[float, float]:
        """The turns between which legs of an image leave, with room for rounding."""
        source = self.sources[image.source]
        if source.radius == 0.0:
            return image.first - _OWN, image.last + _OWN
        return max(0.0, image.first - _OWN), min(source.ahead, image.last + _OWN)

    def _rows(self, count: int) -> list[list[float]]:
        flat = listed(self.out.rows[: ROW * count])
        return [flat[ROW * i : ROW * (i + 1)] for i in range(count)]

    def _unfold(self, image: Image, number: int, gate: Gate) -> None:
        """Take up the images of an image behind a gate, as far as any legs lead there."""
        togo, radius = self.to_go[number], self.sources[image.source].radius
        if togo == math.inf:
            return
        z = complex(image.x, image.y)
        far = apart(z, z, (gate.a.real, gate.a.imag, gate.b.real, gate.b.imag), 0) - radius
        if self.told[0] and image.cost + far + gate.link.cost + togo > self.limit + TIE:
            return
        if idle(self.gates, image, gate):
            return
        out = on_line(image, radius, gate)
        if out is not None:
            if not self._back(image.source, number):
                stay = Line(z.real, z.imag, z.real, z.imag)
                self._leave(image, number, out, image.cost, 0.0, ((image.level, stay),))
            return
        for other in unfolded(image, number, gate, radius):
            if other.low + togo <= self.limit + TIE:
                came = -other.side if other.sense == image.sense else other.side
                if not self._open(number, False, came) or not self._open(number, True, other.side):
                    continue
                if not self.marks.trim(other, radius):
                    continue
            self._push(other.low + togo, 1, other)

    def _open(self, number: int, leaving: bool, side: int) -> bool:
        """Whether legs may come to a gate, or leave it, to one side of it: not where the disc has
        no room just beside it, as at a wall's foot, but for another gate along it, which a leg
        takes at once. Where neither side has room legs may end on the gate itself."""
        key = (number, leaving, side)
        found = self.opens.get(key)
        if found is None:
            found = self._has_room(number, leaving, side)
            if not found:
                near = just_beside(self.slack)
                found = not self._has_room(number, leaving, -side)
                found = found or self.matrix.runs_along(number, leaving, near)
            self.opens[key] = found
        return found

    def _has_room(self, number: int, leaving: bool, side: int) -> bool:
        gate = self.gates[number]
        query = self.planes[gate.end if leaving else gate.start].query
        return self.levels.room(gate, leaving, side, query.r, query.zones, self.slack)

    def _parts(self, image: Image, ends: Sequence[float]) -> tuple[Part, ...]:
        return parts_of(self.gates, image, ends)

    def _free(self, parts: Sequence[Part]) -> bool:
        for what, line in parts:
            if not isinstance(what, int):
                continue
            assert isinstance(line, Line)
            query = self.planes[what].query
            ends = (line.ax, line.ay, line.bx, line.by)
            if not self.kernels.leg_free(*ends, query.r, query.slack, query.board):
                return False
        return True

    def steps(self, number: int, turned: float, parts: Sequence[Part]) -> tuple[Step, ...]:
        """The whole way: to a source, round it, and on by parts."""
        return steps_of(self.levels, self.sources, number, turned, parts)
