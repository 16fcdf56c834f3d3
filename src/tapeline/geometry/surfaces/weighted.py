"""Cheapest routes and reach over levels where ground is slow: costs with a proven bracket.

    slow = WeightedLevels(levels, 0.5, {"floor": [WeightedRing((0, 0, 9, 0, 9, 9, 0, 9), 2.0)]})
    reach = slow.reach(("ground", 1, 1), 8.0)
    reach.cost(("floor", 3, 4)), reach.witness(("floor", 3, 4))
    route = reach.route(("floor", 3, 4))
    route.lower <= least cost <= route.upper

Costs spread over all levels at once (`layout`), from nodes on borders and on portals. The way found
to a place is then slid to where it is cheapest: within levels as `weighted.reach` has it, and where
it takes a portal. `route` proves its bracket place by place (`branch_and_bound`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tapeline.errors import ShapeError
from tapeline.geometry.discs.board import SLACK, WORK
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.distance import ring_area
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.surfaces.branch_and_bound import Taken, bracket
from tapeline.geometry.surfaces.layout import Atlas
from tapeline.geometry.surfaces.links import Gate, Place
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.results import LevelReach
from tapeline.geometry.surfaces.results import reach as plain_reach
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.geometry.weighted.cost_search import CostSearch
from tapeline.geometry.weighted.reach import RESOLUTION, WeightedOutline
from tapeline.geometry.weighted.regions import WeightedArea, WeightedGround
from tapeline.geometry.weighted.route import EPS

__all__ = ["WeightedLevelReach", "WeightedLevelRoute", "WeightedLevels"]

#: Rounds of sliding places on portals; how often a slide that cannot be gone is halved.
_ROUNDS, _HALVINGS = 8, 6
#: Length: places on a portal are slid to within this.
_CLOSE = 1e-9
#: Cost: gains smaller than this are rounding.
_GAIN = 1e-12


@dataclass(frozen=True, slots=True)
class WeightedLevelRoute:
    """A route over levels and the bracket of the least cost: lower <= least <= upper = route.cost.

    route: its steps; of one walked on a level the cost is factor times length.
    """

    lower: float
    upper: float
    route: LevelRoute


@dataclass(slots=True)
class _Walk:
    """Legs walked on a level, in its own plane, and the gate taken after them, how far along it."""

    level: int
    legs: list[Leg]
    gate: Gate | None = None
    along: float = 0.0


class WeightedLevels:
    """Levels with slow ground on them, for a disc of radius r; ask as often as you like.

    grounds: by level, areas with factors, in the level's own plane, as zones are. zones: discs that
    the centre keeps out of. forbid: kinds of links that may not be used.
    Raises ShapeError for levels that are not there, and for areas that will not do.
    """

    def __init__(
        self,
        levels: Levels,
        r: float,
        grounds: Mapping[str, Sequence[WeightedArea]],
        *,
        zones: Mapping[str, Sequence[Circle]] | None = None,
        forbid: Iterable[str] = (),
        slack: float = SLACK,
        work: int = WORK,
    ) -> None:
        self.levels, self.r, self.slack, self.work = levels, r, slack, work
        self.forbid = tuple(forbid)
        self.zones = {name: tuple(discs) for name, discs in (zones or {}).items()}
        self.areas = {levels.number(name): tuple(areas) for name, areas in grounds.items()}
        self._grounds = {number: WeightedGround(areas) for number, areas in self.areas.items()}
        self._even = WeightedGround()

    def ground(self, level: int) -> WeightedGround:
        """The ground of a level, by number."""
        return self._grounds.get(level, self._even)

    def cost(self, route: LevelRoute) -> float:
        """What a route over the levels costs."""
        return math.fsum(
            step.cost if step.link else self.ground(self.levels.number(step.level)).cost(step.path)
            for step in route.steps
        )

    def costed(self, route: LevelRoute) -> LevelRoute:
        """The same route with its costs by the ground."""
        steps = tuple(
            step
            if step.link
            else replace(step, cost=self.ground(self.levels.number(step.level)).cost(step.path))
            for step in route.steps
        )
        return LevelRoute(math.fsum(step.cost for step in steps), steps, route.goal)

    def reach(
        self, start: Place, budget: float, shortest: LevelReach | None = None
    ) -> WeightedLevelReach:
        """All places that cost `budget` or less from a start.

        shortest: the reach by length of the same start and budget, if it is known already.
        Raises ShapeError for numbers that are not finite, a budget below 0 and a level that is not
        there.
        """
        return WeightedLevelReach(self, start, budget, shortest)


class WeightedLevelReach:
    """The places that cost a budget or less from a start, over levels with slow ground."""

    def __init__(
        self, slow: WeightedLevels, start: Place, budget: float, shortest: LevelReach | None = None
    ) -> None:
        if not (math.isfinite(budget) and budget >= 0.0):
            raise ShapeError(f"a budget must be 0 or more and finite, not {budget}")
        self.slow, self.start, self.budget = slow, start, budget
        levels = slow.levels
        self._first = levels.number(start[0])
        # By length alone: what it leaves out is out of reach, and no way is shorter.
        self._plain: LevelReach = shortest or plain_reach(
            levels,
            start,
            slow.r,
            budget,
            forbid=slow.forbid,
            zones=slow.zones,
            slack=slow.slack,
            work=slow.work,
            strict=False,
        )

    @property
    def shortest(self) -> LevelReach:
        """Reach by length alone within the budget: its costs are lower bounds."""
        return self._plain

    @property
    def levels(self) -> tuple[str, ...]:
        """Ids of the levels that may be reached."""
        return self._plain.levels

    @cached_property
    def atlas(self) -> Atlas:
        """The levels laid out in one plane."""
        slow, start = self.slow, self.start
        own = complex(*slow.levels.levels[self._first].own(*start[1:]))
        zones = {slow.levels.number(name): discs for name, discs in slow.zones.items()}
        return Atlas(
            slow.levels,
            self._first,
            own,
            slow.r,
            self.budget + 2.0 * RESOLUTION,
            slow.areas,
            zones,
            slow.forbid,
            slow.slack,
        )

    @cached_property
    def _taken(self) -> Taken:
        """Places of the atlas by which a gate is entered and left: how far along it they are."""
        found = {}
        net = self.atlas.net
        for crossing, pairs in zip(self.atlas.crossings, net.joined, strict=True):
            there, back = crossing.ways
            for (ax, ay), (bx, by), along in pairs:
                if there is not None:
                    found[ax, ay, bx, by] = there, crossing.begin + along
                if back is not None:
                    found[bx, by, ax, ay] = back, crossing.begin + along
        return found

    @cached_property
    def _search(self) -> CostSearch:
        atlas = self.atlas
        z = atlas.start + atlas.sheets[self._first].shift
        return CostSearch(atlas.prepared, (z.real, z.imag), atlas.limit, atlas.net, math.inf)

    def _own(self, place: Place) -> tuple[int, complex] | None:
        """Level and place in its own plane; None for one surely out of reach."""
        number = self.slow.levels.number(place[0])
        if not (math.isfinite(place[1]) and math.isfinite(place[2])):
            raise ShapeError("a place needs finite coordinates")
        if math.isinf(self._plain.cost(place)):
            return None
        return number, complex(*self.slow.levels.levels[number].own(*place[1:]))

    def witness(self, place: Place) -> LevelRoute | None:
        """A way to a place of nearly the least cost; None if that is over the budget."""
        found = self._best(place)
        return found if found is not None and found.cost <= self.budget + _CLOSE else None

    def _best(self, place: Place) -> LevelRoute | None:
        """The best way known to a place, be it over the budget."""
        at = self._own(place)
        if at is None:
            return None
        shown = self._plain.route(place)
        best = None if shown is None else self.slow.costed(shown)
        if best is not None and best.cost <= self._plain.cost(place) + _CLOSE:
            return best
        if at[0] in self.atlas.sheets:
            z = at[1] + self.atlas.sheets[at[0]].shift
            price = self._search.cost(z.real, z.imag)
            path = self._search.path() if price < math.inf else None
            if path is not None:
                walks = self._walks(path, self._taken)
                self._slide(walks)
                found = self._route(walks)
                if best is None or found.cost < best.cost:
                    best = found
        return best

    def cost(self, place: Place) -> float:
        """What the way of `witness` costs; infinity over the budget."""
        found = self.witness(place)
        return math.inf if found is None else found.cost

    def contains(self, place: Place) -> bool:
        """Whether a place is in reach, with a way to show for it."""
        return self.witness(place) is not None

    def excludes(self, place: Place) -> bool:
        """Whether a place is surely out of reach; it may be told so only if that is proven."""
        return not self.contains(place) and self.route(place) is None

    def route(
        self, place: Place, eps: float = EPS, work: int = 400_000
    ) -> WeightedLevelRoute | None:
        """The cheapest route to a place, its bracket proven; None if it surely costs too much.

        Where `work` legs looked at do not bring the bounds within eps, the answer says how close
        they came. Raises ShapeError for an eps that is not above 0.
        """
        if not (eps > 0.0 and math.isfinite(eps)):
            raise ShapeError("eps is above 0")
        at = self._own(place)
        best = self._best(place)
        if at is None or best is None:
            return None
        lower = self._plain.cost(place)
        if best.cost - lower <= eps:
            return WeightedLevelRoute(min(lower, best.cost), best.cost, best)
        found = bracket(self.atlas, *at, eps, work, self.budget, lower, best.cost)
        if found is None:
            return None
        lower, path, taken = found
        if path.legs:
            walks = self._walks(path, taken)
            self._slide(walks)
            shown = self._route(walks)
            if shown.cost < best.cost:
                best = shown
        return WeightedLevelRoute(min(lower, best.cost), best.cost, best)

    # Ways in the levels' own planes.

    def _walks(self, path: Path, taken: Taken) -> list[_Walk]:
        """A path of the atlas as what is walked on each level, and the gates between.

        taken: lines of the path that are gates, and how far along they are.
        """
        atlas = self.atlas
        walks = [_Walk(self._first, [])]
        for leg in path.legs:
            if isinstance(leg, Line):
                gate = taken.get((leg.ax, leg.ay, leg.bx, leg.by))
                if gate is not None:
                    walks[-1].gate, walks[-1].along = gate
                    walks.append(_Walk(gate[0].end, []))
                    continue
            by = -atlas.sheets[walks[-1].level].shift
            if isinstance(leg, Line):
                x, y = by.real, by.imag
                walks[-1].legs.append(Line(leg.ax + x, leg.ay + y, leg.bx + x, leg.by + y))
            else:
                walks[-1].legs.append(leg._replace(cx=leg.cx + by.real, cy=leg.cy + by.imag))
        return walks

    def _route(self, walks: Sequence[_Walk]) -> LevelRoute:
        steps = tuple(self._steps(walks))
        return LevelRoute(math.fsum(step.cost for step in steps), steps)

    def _steps(self, walks: Sequence[_Walk]) -> Iterator[Step]:
        for walk in walks:
            level = self.slow.levels.levels[walk.level]
            if walk.legs:
                path = Path(tuple(walk.legs))
                yield Step(level.id, path, path.end, self.slow.ground(walk.level).cost(path))
            gate = walk.gate
            if gate is not None:
                z = _on(gate.c, gate.d, walk.along, gate.length)
                name = self.slow.levels.levels[gate.end].id
                link = gate.link
                yield Step(name, Path(()), (z.real, z.imag), link.cost, link.id, link.kind)

    def _slide(self, walks: list[_Walk]) -> None:
        """Slide the places where portals are taken to where the legs beside them cost least."""
        for _ in range(_ROUNDS):
            gained = False
            for before, after in pairwise(walks):
                gained |= self._slid(before, after)
            if not gained:
                break

    def _slid(self, before: _Walk, after: _Walk) -> bool:
        gate = before.gate
        assert gate is not None
        if gate.length == 0.0 or not before.legs or not after.legs:
            return False
        last, first = before.legs[-1], after.legs[0]
        if isinstance(last, Arc) or isinstance(first, Arc):
            return False
        had = (self._priced(before.level, last), self._priced(after.level, first))
        v, w = (c / max(leg.length, 1e-12) for c, leg in zip(had, (last, first), strict=True))
        p, q = complex(last.ax, last.ay), complex(first.bx, first.by)

        def rough(t: float) -> float:
            into, out = (_on(gate.a, gate.b, t, gate.length), _on(gate.c, gate.d, t, gate.length))
            return v * abs(into - p) + w * abs(q - out)

        aim, at = least_of_convex(rough, 0.0, gate.length, _CLOSE), before.along
        for _ in range(_HALVINGS):
            into, out = _on(gate.a, gate.b, aim, gate.length), _on(gate.c, gate.d, aim, gate.length)
            one = Line(p.real, p.imag, into.real, into.imag)
            two = Line(out.real, out.imag, q.real, q.imag)
            if self._open(before.level, one) and self._open(after.level, two):
                cost = self._priced(before.level, one) + self._priced(after.level, two)
                if cost < sum(had) - _GAIN:
                    before.legs[-1], after.legs[0], before.along = one, two, aim
                    return True
            aim = 0.5 * (aim + at)
        return False

    def _priced(self, level: int, leg: Line) -> float:
        return self.slow.ground(level).cost(Path((leg,)))

    def _open(self, level: int, leg: Line) -> bool:
        """Whether the disc may go a leg on a level."""
        by = self.atlas.sheets[level].shift
        x, y = by.real, by.imag
        return self.atlas.prepared.obstacles.straight(
            leg.ax + x, leg.ay + y, leg.bx + x, leg.by + y
        )

    # The border on a level.

    def outline(
        self, level: str, eps: float = EPS, resolution: float = RESOLUTION
    ) -> WeightedOutline:
        """The border on a level, in its own plane, as `WeightedReach.outline` has it.

        Within half the distance of nodes (0.035) of a portal corners may cost so much too much.
        Raises ShapeError for an eps or a resolution that will not do.
        """
        if not (1e-6 <= eps < math.inf and 1e-3 <= resolution < math.inf):
            raise ShapeError("eps must be 1e-6 or more and the resolution 0.001 or more")
        number = self.slow.levels.number(level)
        sheet = self.atlas.sheets.get(number)
        if sheet is None or self.budget == 0.0 or level not in self.levels:
            return WeightedOutline((), eps, 0.0, resolution)
        z = sheet.middle + sheet.shift
        marched, _ = self._search.outline(
            (z.real, z.imag), sheet.half, self.budget, eps, resolution
        )
        x, y = sheet.shift.real, sheet.shift.imag
        rings = tuple(tuple((u - x, v - y) for u, v in ring) for ring in marched)
        area = math.fsum(ring_area([v for corner in ring for v in corner]) for ring in rings)
        return WeightedOutline(rings, eps, area, resolution)


def _on(a: complex, b: complex, along: float, length: float) -> complex:
    """The place so far along a segment."""
    return a if length == 0.0 else a + min(1.0, along / length) * (b - a)
