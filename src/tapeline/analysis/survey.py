"""Is a table fair: how far each side gets, what it sees, and what lies between the two.

Ways start where a base may be set up: wholly in a zone of its side. They are true routes round
terrain, by the search that reach and routes use, from the nearest of many places along the border
of that ground, so what is found is a way that can be walked, and no more than one `step` longer
than the shortest; slow ground is left out and said. Areas are counted in squares of `step`, by
their middles; how much of the squares along the border may be counted wrong is told with them.
Sight is on the plan, from eyes all over a zone, past what the system says is not seen past.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tapeline.analysis.survey_figures import (
    KINDS,
    LIMITS,
    Array,
    Choke,
    Difference,
    GoalFigures,
    Lanes,
    Lines,
    SideFigures,
    Survey,
    SurveyOptions,
    because,
    compared,
    off_words,
)
from tapeline.analysis.survey_ways import (
    ON,
    border_of,
    depth_in,
    front_of,
    gap_between,
    inset,
    nearest_ways,
    places_along,
)
from tapeline.analysis.symmetry import MIRRORS, symmetry_of
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.sight.visible_region import Blockers, VisibleRegion
from tapeline.table.bodies import MM_PER_UNIT, Body
from tapeline.table.goals import CarryDoc, GoalDoc, LeaveDoc
from tapeline.table.terrain import Circle, Outline

__all__ = ["survey_of"]

#: A goal: id, name, whose it is (None: everybody's), and the places at which it is reached.
_Target: TypeAlias = tuple[str, str, str | None, Array]

#: Lattices of sight are so many steps wide, and ways are looked at every so many.
_EYES, _ALONG = 2, 0.5
#: Of a square along the border of an area, how much may be counted wrong: half of it by its middle,
#: a quarter by sources half a step apart.
_SHARE = 0.75
#: Gaps wider than the widest base times this are no choke points.
_WIDE = 1.0


def survey_of(
    system: System,
    state: State,
    goals: Sequence[GoalDoc],
    options: SurveyOptions,
    progress: Callable[[int, int], None] | None = None,
) -> Survey:
    """The survey of a table with zones of two sides.

    state: with one body on a round base on the level of the table, which stands for all; it is
    taken up before anything is measured. progress: called with how many fields of ways are done, a
    side and a base each, and of how many. Raises DocumentError where zones or a way of moving are
    lacking, or nobody can be set up.
    """
    return _Surveyor(system, state, goals, options, progress).survey()


class _Surveyor:
    def __init__(
        self,
        system: System,
        state: State,
        goals: Sequence[GoalDoc],
        options: SurveyOptions,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.progress, self.fields = progress, 0
        self.system, self.state, self.table, self.options = system, state, state.table, options
        self.mm = MM_PER_UNIT[self.table.unit]
        self.step = options.step * (25.4 / self.mm)
        self.radius = 0.5 * options.base_mm / self.mm
        zoned = dict.fromkeys(zone.side for zone in self.table.zones if zone.side)
        if len(zoned) != 2:
            message = f"a survey needs zones of two sides; got {', '.join(zoned) or 'none'}"
            raise DocumentError("survey", [Fault("zones", f"{message} (see --zones)")])
        one, other = (side.id for side in state.sides if side.id in zoned)
        self.pair = (one, other)
        self.body: Body = next(iter(state.bodies.values()))
        # Of no game: `System.may_measure` has nothing to forbid.
        limits = next(iter(system.reaching.values()))(state, self.body)
        self.field: Field = limits.obstacles
        self.move = limits.allowance if options.move is None else options.move
        if not self.move > 0.0:
            raise DocumentError("survey", [Fault("--move", "must be more than 0")])
        self.notes = []
        if limits.slow:
            names = ", ".join(dict.fromkeys(slow.piece for slow in limits.slow))
            most = max(slow.factor for slow in limits.slow)
            self.notes.append(
                f"Slow ground ({names}) is counted as open: ways over it take up to {most:g} times "
                "as long."
            )
        if limits.storeys is not None:
            self.notes.append("Only ways on the level of the table are looked at.")
        self.goals = goals
        columns = max(2, round(self.table.width / self.step))
        rows = max(2, round(self.table.depth / self.step))
        self.cell = (self.table.width / columns, self.table.depth / rows)
        xs = (np.arange(columns) + 0.5) * self.cell[0]
        ys = (np.arange(rows) + 0.5) * self.cell[1]
        self.shape = (rows, columns)
        self.cells: Array = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)

    # Where one goes.

    def zones(self, side: int) -> list[Outline]:
        return [zone.outline for zone in self.table.zones if zone.side == self.pair[side]]

    def set_up(self, side: int, r: float, places: Array) -> npt.NDArray[np.bool_]:
        """Whether a base may be set up at each of some places."""
        zones = self.zones(side)

        def room(x: float, y: float) -> bool:
            inside = any(depth_in(zone, x, y) >= r - ON for zone in zones)
            return inside and self.field.standable(x, y, r)

        return np.array([room(x, y) for x, y in places.tolist()], dtype=bool)

    def sources(self, side: int, r: float) -> Array:
        """Places along the border of where a base may be set up, no farther apart than a step."""
        found = [p for zone in self.zones(side) for p in inset(zone, r, 0.5 * self.step)]
        places = np.array(found, dtype=np.float64).reshape(-1, 2)
        inside = places[self.set_up(side, r, places)]
        if not len(inside):
            inside = self.cells[self.set_up(side, r, self.cells)]
        if not len(inside):
            name, mm = self.pair[side], 2.0 * r * self.mm
            message = f"no base of {mm:g} mm can be set up in the zone of {name!r}"
            raise DocumentError("survey", [Fault("zones", message)])
        return np.unique(np.round(inside, 9), axis=0)

    def standing(self, r: float) -> npt.NDArray[np.bool_]:
        return np.array([self.field.standable(x, y, r) for x, y in self.cells.tolist()], dtype=bool)

    def arrivals(self, side: int, r: float) -> Array:
        """Length of the way to the middle of each square, infinite where there is none."""
        best = np.full(len(self.cells), math.inf)
        free = self.standing(r)
        found, _ = nearest_ways(self.field, r, self.sources(side, r), self.cells[free])
        best[free] = found
        best[self.set_up(side, r, self.cells)] = 0.0
        self.fields += 1
        if self.progress is not None:
            self.progress(self.fields, 2 * len({self.options.base_mm, *self.options.sizes_mm}))
        return best

    @cached_property
    def came(self) -> tuple[Array, Array]:
        return self.arrivals(0, self.radius), self.arrivals(1, self.radius)

    # What one sees.

    @cached_property
    def blockers(self) -> Blockers:
        looks = self.system.looks
        look = looks(self.state, self.body) if looks is not None else None
        blocks = [] if look is None else [region for _, region in look.blocks]
        if look is None:
            self.notes.append(f"{self.system.title} has no sight to draw: nothing blocks it here.")
        return Blockers(blocks, self.table.width, self.table.depth)

    @cached_property
    def eyes(self) -> tuple[list[Point], list[Point]]:
        """Places of a lattice, or else of the border, of each zone, where a base may be set up."""
        found = []
        for side in (0, 1):
            lattice = self.lattice()
            inside = lattice[self.set_up(side, self.radius, lattice)]
            eyes = inside if len(inside) else self.sources(side, self.radius)
            found.append([(x, y) for x, y in eyes.tolist()])
        return found[0], found[1]

    def lattice(self) -> Array:
        """Every second square both ways, the same from every edge."""
        rows, columns = (math.ceil(count / _EYES) for count in self.shape)
        xs = (np.arange(columns) + 0.5) * (self.table.width / columns)
        ys = (np.arange(rows) + 0.5) * (self.table.depth / rows)
        return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)

    @cached_property
    def views(self) -> tuple[list[VisibleRegion], list[VisibleRegion]]:
        one, other = self.eyes
        return list(self.blockers.views(one)), list(self.blockers.views(other))

    def seen(self, side: int, places: Array) -> tuple[float, float]:
        """Share of places that somebody in the zone sees, and of the zone that sees any of them."""
        points = [(x, y) for x, y in places.tolist()]
        hit = np.array([[view.contains(p) for p in points] for view in self.views[side]])
        if not hit.size:
            return 0.0, 0.0
        return float(hit.any(axis=0).mean()), float(hit.any(axis=1).mean())

    def lines(self) -> Lines:
        ones, others = self.eyes
        found = [
            (math.dist(eye, to), eye, to)
            for eye, view in zip(ones, self.views[0], strict=True)
            for to in others
            if view.contains(to)
        ]
        if not found:
            return Lines(0.0, None, None, None)
        share = len(found) / (len(ones) * len(others))
        least, most = min(found), max(found)
        mean = math.fsum(one[0] for one in found) / len(found)
        return Lines(share, least[0], mean, most[0], (least[1:], most[1:]))

    # Goals.

    @cached_property
    def targets(self) -> list[_Target]:
        """Id, name, whose it is, and the places at which it is reached."""
        table = self.table
        radius = self.options.middle
        radius = min(table.width, table.depth) / 6.0 if radius is None else radius
        middle = Circle(0.5 * table.width, 0.5 * table.depth, radius)
        found: list[_Target] = [("middle", "the middle", None, self.places(middle))]
        zones = {zone.id: zone for zone in table.zones}
        for goal in self.goals:
            name = goal.name or goal.id
            if isinstance(goal, CarryDoc):
                x, y = goal.at
                found.append((goal.id, name, goal.side, self.places(Circle(x, y, self.radius))))
            elif isinstance(goal, LeaveDoc):
                gaps = {
                    "north": table.depth - self.cells[:, 1],
                    "south": self.cells[:, 1],
                    "east": table.width - self.cells[:, 0],
                    "west": self.cells[:, 0],
                }
                within = gaps[goal.edge] <= goal.within
                if within.any():
                    found.append((goal.id, name, goal.side, self.cells[within]))
            elif getattr(goal, "zone", None) in zones:
                outline = zones[getattr(goal, "zone")].outline  # noqa: B009
                found.append((goal.id, name, goal.side, self.places(outline)))
        return found

    def places(self, outline: Outline) -> Array:
        """Squares inside an outline, and places along its border."""
        inside = [p for p in self.cells.tolist() if depth_in(outline, *p) > 0.0]
        return np.array([*inside, *inset(outline, 0.0, 0.5 * self.step)], dtype=np.float64)

    def goal(self, side: int, target: _Target) -> GoalFigures:
        name, words, _, places = target
        x = (places[:, 0] >= 0.0) & (places[:, 0] <= self.table.width)
        places = places[x & (places[:, 1] >= 0.0) & (places[:, 1] <= self.table.depth)]
        sees, seen_from = self.seen(side, places)
        free = np.array(
            [self.field.standable(x, y, self.radius) for x, y in places.tolist()], dtype=bool
        )
        ends = places[free]
        sources = self.sources(side, self.radius)
        if not len(ends):
            return GoalFigures(name, words, None, None, sees, seen_from, None)
        if self.set_up(side, self.radius, ends).any():
            return GoalFigures(name, words, 0.0, 0.0, sees, seen_from, 1.0)
        lengths, at = nearest_ways(self.field, self.radius, sources, ends)
        k = int(np.argmin(lengths))
        if not math.isfinite(lengths[k]):
            return GoalFigures(name, words, None, None, sees, seen_from, None)
        way = self.field.routes([sources[at[k]]], [ends[k]], self.radius)[0].route
        assert way is not None
        line = places_along(way.path, _ALONG * self.step)
        hidden = [not any(view.contains(p) for view in self.views[1 - side]) for p in line]
        cover = sum(hidden) / len(hidden)
        length = way.length
        return GoalFigures(
            name, words, length, length / self.move, sees, seen_from, cover, tuple(line)
        )

    # Lanes and gaps.

    def lanes(self, mm: float) -> Lanes:
        r = 0.5 * mm / self.mm
        try:
            came = self.came if mm == self.options.base_mm else (
                self.arrivals(0, r), self.arrivals(1, r)
            )  # fmt: skip
        except DocumentError:
            return Lanes(mm, 0, (), (), None)
        one, other = (a.reshape(self.shape) for a in came)
        both = np.isfinite(one) & np.isfinite(other)
        if not both.any():
            return Lanes(mm, 0, (), (), None)
        lead = np.full(self.shape, math.nan)
        lead[both] = one[both] - other[both]
        front = front_of(lead)
        groups = self._joined(front, r)
        across = float(np.min((one + other)[both]))
        widths, places = [], []
        for group in groups:
            points = self.cells[group]
            wide = float(np.max(np.ptp(points, axis=0))) + max(self.cell)
            middle = points[np.argmin(((points - points.mean(axis=0)) ** 2).sum(axis=1))]
            widths.append(wide)
            places.append((float(middle[0]), float(middle[1])))
        order = sorted(range(len(widths)), key=lambda k: -widths[k])
        return Lanes(
            mm, len(order), tuple(widths[k] for k in order), tuple(places[k] for k in order), across
        )

    def _joined(self, front: npt.NDArray[np.bool_], r: float) -> list[list[int]]:
        """Squares of a front, those together that a base may pass straight between."""
        rows, columns = self.shape
        left = set(np.flatnonzero(front.reshape(-1)).tolist())
        groups = []
        while left:
            open_now, group = [left.pop()], []
            while open_now:
                k = open_now.pop()
                group.append(k)
                row, column = divmod(k, columns)
                for i in range(max(0, row - 2), min(rows, row + 3)):
                    for j in range(max(0, column - 2), min(columns, column + 3)):
                        n = i * columns + j
                        if n in left and self._straight(k, n, r):
                            left.remove(n)
                            open_now.append(n)
            groups.append(sorted(group))
        return sorted(groups)

    def _straight(self, k: int, n: int, r: float) -> bool:
        (ax, ay), (bx, by) = self.cells[k].tolist(), self.cells[n].tolist()
        return self.field.straight(ax, ay, bx, by, r)

    def chokes(self) -> Iterator[Choke]:
        """Gaps between two things that stop a base, where nothing else is in the way."""
        solids: list[tuple[float, ...]] = []
        for kind, _, figures, _ in self.field.things:
            if kind in ("solid", "ground", "wall"):
                solids.append(tuple(figures))
        sizes = sorted(self.options.sizes_mm)
        widest = _WIDE * max(sizes) / self.mm
        w, d = self.table.width, self.table.depth
        edges = [(0.0, 0.0, w, 0.0), (w, 0.0, w, d), (w, d, 0.0, d), (0.0, d, 0.0, 0.0)]
        pairs = [*combinations(solids, 2), *((a, edge) for a in solids for edge in edges)]
        told = set()
        for a, b in pairs:
            width, place, ends = gap_between(a, b)
            if not ON < width <= widest or not self._open(place, 0.5 * width):
                continue
            key = (round(place[0], 6), round(place[1], 6))
            if key in told:
                continue
            told.add(key)
            passes = [mm for mm in sizes if mm / self.mm <= width + ON]
            between = (self._named(ends[0]), "edge" if b in edges else self._named(ends[1]))
            yield Choke(width, between, place, passes[-1] if passes else None)

    def _open(self, place: Point, r: float) -> bool:
        return self.field.standable(*place, max(0.0, r - ON))

    def _named(self, place: Point) -> str:
        """The piece whose border a point is on."""
        near = [
            (abs(depth_in(outline, *place)), entry.id)
            for entry in self.table.pieces
            for outline in entry.outlines
        ]
        return min(near, default=(0.0, "terrain"))[1]

    # All of it.

    def figures(self, side: int) -> SideFigures:
        came = self.came[side].reshape(self.shape)
        count = came.size
        area, error = [], []
        for turn in range(1, self.options.turns + 1):
            reached = came <= turn * self.move + ON
            area.append(float(reached.sum()) / count)
            error.append(_SHARE * float(border_of(reached).sum()) / count)
        lattice = self.lattice()
        sees, _ = self.seen(side, lattice)
        goals = tuple(
            self.goal(side, target)
            for target in self.targets
            if target[2] in (None, self.pair[side])
        )
        room = float((came == 0.0).sum()) / count
        return SideFigures(self.pair[side], room, tuple(area), tuple(error), sees, goals)

    def survey(self) -> Survey:
        options = self.options
        sides = self.figures(0), self.figures(1)
        found = [symmetry_of(self.table, self.pair, kind) for kind in MIRRORS]
        symmetry = min(
            found, key=lambda one: (max([0.0, *(z.apart for z in one.zones)]), one.apart)
        )
        symmetric = symmetry.apart <= options.tolerance
        differences = tuple(self.differences(sides))
        unfair = [one for one in differences if not one.fair]
        worst, blocked = self.worst(symmetry.kind)
        off = off_words(symmetry, options.tolerance)
        fair = not unfair
        if symmetric:
            verdict = f"fair: the same from both sides ({KINDS[symmetry.kind]})"
            verdict = verdict if fair else "not fair: " + because(unfair)
        elif fair:
            verdict = "fair by its figures, though it is not the same from both sides: " + off[0]
        else:
            verdict = "not fair: " + because(unfair)
        return Survey(
            sides, symmetry, symmetric, tuple(self.lanes(mm) for mm in options.sizes_mm),
            tuple(sorted(self.chokes(), key=lambda one: (one.width, one.place))), self.lines(),
            differences, fair, verdict, worst, self.move, self.step, tuple(self.notes), options,
            off, blocked, (self.came[0].reshape(self.shape), self.came[1].reshape(self.shape)),
        )  # fmt: skip

    def differences(self, sides: tuple[SideFigures, SideFigures]) -> Iterator[Difference]:
        one, other = sides
        for turn, (a, b) in enumerate(zip(one.area, other.area, strict=True), 1):
            yield compared(f"table reached by turn {turn}", 100 * a, 100 * b, "%", LIMITS["area"])
        yield compared("table seen", 100 * one.sees, 100 * other.sees, "%", LIMITS["sight"])
        theirs = {goal.id: goal for goal in other.goals}
        for goal in one.goals:
            if goal.id not in theirs:
                continue
            to = theirs[goal.id]
            yield compared(f"time to {goal.name}", goal.turns, to.turns, "turns", LIMITS["goal"])
            yield compared(
                f"{goal.name} seen", 100 * goal.sees, 100 * to.sees, "%", LIMITS["sight"]
            )
            yield compared(
                f"zone that sees {goal.name}", 100 * goal.seen_from, 100 * to.seen_from, "%",
                LIMITS["sight"],
            )  # fmt: skip
            yield compared(
                f"cover on the way to {goal.name}", _percent(goal.cover), _percent(to.cover), "%",
                LIMITS["cover"],
            )  # fmt: skip
        own = [
            [goal.turns for goal in side.goals if goal.id not in shared]
            for side, shared in ((one, {*theirs}), (other, {goal.id for goal in one.goals}))
        ]
        if own[0] or own[1]:
            yield compared(
                "time to goals of its own", _mean(own[0]), _mean(own[1]), "turns", LIMITS["goal"]
            )

    def worst(self, kind: str) -> tuple[tuple[Point, float, str] | None, bool]:
        """Of `Survey`: worst and blocked."""
        x, y = MIRRORS[kind]
        far = (self.options.turns + 1) * self.move
        one, other = (np.minimum(a, far).reshape(self.shape) for a in self.came)
        turned = other[:: -1 if y else 1, :: -1 if x else 1]
        apart = one - turned
        k = int(np.argmax(np.abs(apart)))
        gap = float(apart.reshape(-1)[k])
        if abs(gap) <= self.options.tolerance:
            return None, False
        px, py = self.cells[k].tolist()
        longer = max(float(one.reshape(-1)[k]), float(turned.reshape(-1)[k]))
        return ((px, py), abs(gap), self.pair[int(gap > 0.0)]), longer >= far


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None
