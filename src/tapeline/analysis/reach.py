"""Where a body can get to in one move, by which way, and at what cost.

The rules say what the body may do (`System.reaching`); geometry searches. On ground of one cost
membership, costs and ways are exact to 1e-9. Where slow ground or a zone that may not be entered
again bends the way, a place has a bracket: the least cost is at least `Way.lower`, and `Way.cost`
is what the referee takes for the way given. What `contains` says is in reach has a way to show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from tapeline.analysis.contours import Point, Ring, contours, cut, disc, rings_area, widened
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.move_limits import BodyCircle, MoveLimits
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.engine.verdicts import Finding
from tapeline.errors import DocumentError, Fault, ShapeError
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line, Path
from tapeline.geometry.plane.sweeps import farthest_from_point, spans_near_point
from tapeline.table.bodies import Round

if TYPE_CHECKING:
    from tapeline.geometry.discs.reach import DiscReach as PlainReach
    from tapeline.geometry.weighted.reach import WeightedReach
    from tapeline.geometry.weighted.route import WeightedRouter

from tapeline.analysis.ways import Border, Way, least_way, slow_router, told

__all__ = ["EPS", "Reach", "leeway_of", "reach_of", "route_of"]

#: Length: how closely an outline follows the border unless said otherwise, table units.
EPS = 0.001
#: Cost: how far apart the bounds of a way over slow ground may lie unless said otherwise.
GAP = 0.001
#: Length: a way this much dearer than it is long has crossed slow ground.
_SLOW = 1e-9
#: Cost: corners of a marched border are not sought more closely than this, each takes a search.
_MARCHED = 0.01
#: Squares of the mesh across the allowance where an outline has to be marched.
_SQUARES = 24

_Piece: TypeAlias = tuple[Path, "PlainReach"]


class Reach:
    """Where a body can get to in one move. Points are (x, y), table units.

    leeway: what the rules say the body may do. findings: why the move may not be made now; empty
    if it may.
    """

    def __init__(self, leeway: MoveLimits, gap: float = GAP, work: int = 1_000_000) -> None:
        self.leeway = leeway
        self.gap = gap
        self._work = work
        self._limit = leeway.allowance + leeway.slack
        self._known: dict[Point, Way | None] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why the move may not be made now."""
        return self.leeway.findings

    @property
    def allowance(self) -> float:
        """What the body may spend, table units."""
        return self.leeway.allowance

    # Asking about a place.

    def contains(self, p: Point) -> bool:
        """Whether the body can get to a place and may stop there; there is a way to show for it.

        Complete on ground of one cost. Where the least cost lies within the bracket of `route`
        below the allowance, a place may be told out of reach; `excludes` tells the sure ones.
        """
        if self._no_end(p):
            return False
        way = self._way(p, quick=True)
        return way is not None and way.cost <= self._limit

    def excludes(self, p: Point) -> bool:
        """Whether the body surely cannot end at a place: no way of the allowance leads there."""
        if self._no_end(p):
            return True
        way = self._way(p)
        return way is None or way.lower > self._limit

    def cost(self, p: Point) -> float:
        """What the way of `route` costs; infinity if the place is out of reach.

        Given also for places that may be crossed but not stopped at.
        """
        way = self._way(p)
        return way.cost if way is not None and way.cost <= self._limit else math.inf

    def route(self, p: Point) -> Way | None:
        """A cheapest way to a place where the body may stop, None if it is out of reach."""
        if self._no_end(p):
            return None
        way = self._way(p)
        return way if way is not None and way.cost <= self._limit else None

    def _no_end(self, p: Point) -> bool:
        lee = self.leeway
        return any(zone.depth(*p) > lee.slack for zone in lee.no_end) or any(
            lee.radius + ground.depth(*p) > lee.slack for ground in lee.crossed
        )

    def _way(self, p: Point, quick: bool = False) -> Way | None:
        """The best way known to a place with its bracket; None if there surely is none.

        quick: any way within the allowance will do.
        """
        p = (float(p[0]), float(p[1]))
        if not (math.isfinite(p[0]) and math.isfinite(p[1])):
            raise ShapeError("a place needs finite coordinates")
        if p in self._known:
            return self._known[p]
        way, final = self._found(p, quick)
        if final:
            if len(self._known) > 100_000:
                self._known.clear()
            self._known[p] = way
        return way

    def _found(self, p: Point, quick: bool) -> tuple[Way | None, bool]:
        lee = self.leeway
        if not all(zone.depth(*p) >= -lee.slack for zone in lee.keep_in):
            return None, True
        if lee.heading is not None:
            return self._straight(p), True
        plain = self._plain.route(*p)
        if plain is None:
            return None, True
        lower = plain.length
        best: Way | None = None
        for path in self._paths(p, plain.path):
            best = self._better(best, path, lower)
            if best is not None and best.cost - lower <= _SLOW:
                return best, True
        if quick and best is not None and best.cost <= self._limit:
            return best, False
        if self._everywhere is not None:
            shown = self._everywhere.witness(*p)
            if shown is not None:
                best = self._better(best, shown[1], lower)
                if quick and best is not None and best.cost <= self._limit:
                    return best, False
        if self._slow is not None:
            low, bent = least_way(self._slow, lee.start, PointGoal(*p), self.gap, self._limit)
            if low > self._limit:
                return None, True
            lower = max(lower, low)
            if bent is not None:
                best = self._better(best, bent, lower)
        if best is None:
            return Way(plain.path, plain.length, math.inf, lower, height=lee.height), True
        return replace(best, lower=min(lower, best.cost)), True

    def _better(self, best: Way | None, path: Path, lower: float) -> Way | None:
        """The cheaper of a way and a path, if that keeps to the zones."""
        if not self._keeps(path):
            return best
        toll = self.leeway.toll(path)
        if best is not None and best.cost <= toll.cost:
            return best
        return told(self.leeway, path, toll, lower)

    def _paths(self, p: Point, plain: Path) -> Iterator[Path]:
        """The shortest path to a place; where that comes back into a zone, others that do not."""
        yield plain
        if self.leeway.no_return and not self._keeps(plain):
            for before, beyond in self._beyond:
                found = beyond.route(*p)
                if found is not None:
                    yield Path((*before.legs, *found.path.legs))

    def _keeps(self, path: Path) -> bool:
        """Whether a path stays in what it may not leave, and out of what it has left."""
        lee = self.leeway
        for zone in lee.keep_in:
            for leg in path.legs:
                if farthest_from_point(leg, zone.x, zone.y).distance > zone.radius + lee.slack:
                    return False
        return all(
            _visits(path, zone, radius) <= 1
            for zone in lee.no_return
            for radius in (zone.radius, zone.radius - 2.0 * TOLERANCE)
        )

    def _straight(self, p: Point) -> Way | None:
        """The one straight way there is, if the place lies on it."""
        lee = self.leeway
        assert lee.heading is not None
        dx, dy = p[0] - lee.start[0], p[1] - lee.start[1]
        along = dx * lee.heading[0] + dy * lee.heading[1]
        aside = dx * lee.heading[1] - dy * lee.heading[0]
        length = math.hypot(dx, dy)
        if along < 0.0 or abs(aside) > lee.slack or length > self._limit:
            return None
        if not self._plain.contains(*p) or self._plain.cost(*p) > length + _SLOW:
            return None
        path = Path((Line(*lee.start, *p),) if length > 0.0 else ())
        if not self._keeps(path):
            return None
        toll = lee.toll(path)
        return told(lee, path, toll, toll.cost)

    # What is searched once.

    @cached_property
    def _plain(self) -> PlainReach:
        """Reach by length alone: what it leaves out is out of reach."""
        return self._by_length(self._limit)

    def _by_length(self, allowance: float) -> PlainReach:
        from tapeline.geometry.discs.reach import reach

        lee = self.leeway
        out, keep = ([zone.circle for zone in zones] for zones in (lee.keep_out, lee.keep_in))
        more: dict[str, Any] = {"zones": out, "slack": lee.slack, "work": self._work}
        if keep:
            return reach(lee.obstacles, lee.start, lee.radius, allowance, keep=keep, **more)
        return lee.obstacles.reach(lee.start, lee.radius, allowance, **more)

    @cached_property
    def _beyond(self) -> list[_Piece]:
        """Ways that have left zones, to where they bend, and what is in reach from there."""
        lee = self.leeway
        out = [zone.circle for zone in lee.keep_out]
        found: list[_Piece] = []
        for g in self._plain.generators[1:]:
            x, y = g.x + g.radius * math.cos(g.angle), g.y + g.radius * math.sin(g.angle)
            left = [zone.circle for zone in lee.no_return if zone.depth(x, y) <= 0.0]
            way = self._plain.route(x, y) if left and g.cost < self._limit else None
            if way is None or not self._keeps(way.path):
                continue
            rest, zones = self._limit - g.cost, [*out, *left]
            beyond = lee.obstacles.reach(
                (x, y), lee.radius, rest, zones=zones, slack=lee.slack, work=self._work
            )
            found.append((way.path, beyond))
        return found

    @cached_property
    def _slow(self) -> WeightedRouter | None:
        """Ways over slow ground, if there is any within the allowance."""
        return slow_router(self.leeway, self._limit)

    @cached_property
    def _everywhere(self) -> WeightedReach | None:
        """Costs of all places over slow ground from one search, if it may go as it likes."""
        if self._slow is None or self.leeway.keep_in or self.leeway.no_return:
            return None
        return self._slow.reach(self.leeway.start, self._limit)

    # The border.

    @property
    def area(self) -> float:
        """Area of where it may stop, within the eps of `outline`, square units."""
        return self.outline().area

    def outline(self, eps: float = EPS, *, resolution: float | None = None) -> Border:
        """The border of the places where the body may stop.

        eps: how closely corners follow it; no closer than 0.01 where every place has to be asked
        for by itself, round zones that may not be entered again and, over slow ground, in zones
        that may not be left. resolution: side of the squares that chords span there and over slow
        ground, a twenty-fourth of the allowance by default. ShapeError for an eps below 1e-6.
        """
        return self.bands((self.allowance,), eps, resolution=resolution)[0]

    def bands(
        self,
        levels: Sequence[float],
        eps: float = EPS,
        *,
        resolution: float | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Border]:
        """The borders of the places where the body may stop for at most each of some costs.

        eps and resolution as in `outline`. progress: called with how many places have been
        measured, where a border is marched.
        """
        if not 1e-6 <= eps < math.inf:
            raise ShapeError(f"eps must be between 1e-6 and infinity, not {eps}")
        limits = [min(level, self.allowance) + self.leeway.slack for level in levels]
        if self.leeway.heading is not None:
            # A line has no area.
            return [Border((), eps, 0.0) for _ in limits]
        if self._slow is None and not self.leeway.no_return and not self.leeway.uneven:
            return [self._exact(limit, eps) for limit in limits]
        step = resolution or max(self.allowance, 1e-3) / _SQUARES
        if self._slow is not None and self._everywhere is not None:
            slow, start = self._slow, self.leeway.start
            found = [slow.reach(start, limit).outline(eps, step).rings for limit in limits]
            return [self._cut(rings, eps, step) for rings in found]
        fine, eps = eps, max(eps, _MARCHED)
        x, y = self.leeway.start
        # A little farther than asked, so that the border lies between known costs.
        farther = replace(self.leeway, allowance=self.allowance + 1.5 * step)
        wide = Reach(farther, max(self.gap, eps))
        box = box_about(x, y, self._limit + step)
        more: dict[str, Any] = {"bounds": wide._bounds, "progress": progress}
        marched = contours(lambda x, y: wide.cost((x, y)), box, step, limits, eps, **more)
        return [replace(self._cut(rings, fine, step), eps=eps) for rings in marched]

    def _bounds(self, x: float, y: float) -> tuple[float, float]:
        """What it costs to get to a place, from below and from above, quickly."""
        known = self._known.get((x, y))
        if known is not None:
            return known.cost, known.cost
        plain = self._plain.route(x, y)
        if plain is None:
            return math.inf, math.inf
        upper = self.leeway.toll(plain.path).cost if self._keeps(plain.path) else math.inf
        return (upper, upper) if upper - plain.length <= _SLOW else (plain.length, upper)

    def _exact(self, limit: float, eps: float) -> Border:
        found = self._by_length(limit).outline(eps)
        if not self.leeway.keep_in and not self.leeway.crossed and not self._ends_near(limit):
            return Border(found.rings, eps, found.area)
        return self._cut(found.rings, eps, None)

    def _ends_near(self, limit: float) -> list[BodyCircle]:
        return [z for z in self.leeway.no_end if z.depth(*self.leeway.start) > -limit]

    def _cut(self, rings: Iterable[Ring], eps: float, resolution: float | None) -> Border:
        """Rings cut down to what may not be left, without the places where it may not stop."""
        left = list(rings)
        for zone in self.leeway.keep_in:
            left = cut(left, disc(*zone.circle, eps), keep=True)
        for zone in self._ends_near(self._limit):
            left = cut(left, disc(*zone.circle, eps), keep=False)
        for ground in self.leeway.crossed:
            left = cut(left, widened(ground, self.leeway.radius, eps), keep=False)
        return Border(tuple(left), eps, rings_area(left), resolution)


def _visits(path: Path, zone: BodyCircle, radius: float) -> int:
    """How often a path is in a circle: stretches apart from each other."""
    count, before, end = 0, 0.0, -1.0
    for leg in path.legs:
        for a, b in spans_near_point(leg, zone.x, zone.y, radius):
            if before + a > end + 1e-9:
                count += 1
            end = before + b
        before += leg.length
    return count


# Asking a system.


def leeway_of(system: System, state: State, body: str, kind: str | None = None) -> MoveLimits:
    """What a body may do in one move of a kind, the system's usual kind unless said.

    Raises UnknownIdError for a body that is not on the table, DocumentError for a kind that the
    system does not know, a body whose base is no disc, or a system without reach, MeasuringError
    where the rules do not let anybody know yet.
    """
    if not system.reaching:
        why = system.no_reach or f"{system.title} does not say where a body can get to"
        raise DocumentError("reach", [Fault("system", why)])
    wanted = next(iter(system.reaching)) if kind is None else kind
    if wanted not in system.reaching:
        known = ", ".join(system.reaching)
        raise DocumentError("reach", [Fault("kind", f"must be one of {known}; got {wanted!r}")])
    mover = state.body(body)
    if not isinstance(mover.base, Round):
        fault = Fault("body", f"{mover.name} has no round base; reach is for round ones")
        raise DocumentError("reach", [fault])
    system.permit(state, Question("reach", body, wanted))
    return system.reaching[wanted](state, mover)


def reach_of(
    system: System, state: State, body: str, kind: str | None = None, *, gap: float = GAP
) -> Reach:
    """Where a body can get to in one move of a kind; raises as `leeway_of`.

    gap: how far apart the bounds of a way over slow ground may lie; a search that would take too
    long lets them go wider, and the way says so.
    """
    return Reach(leeway_of(system, state, body, kind), gap)


def route_of(
    system: System,
    state: State,
    body: str,
    to: Point | str,
    kind: str | None = None,
    *,
    limit: float = math.inf,
    gap: float = GAP,
) -> Way | None:
    """A cheapest way of a body to a place, or as near to another body as its move may bring it.

    limit: dearer ways are not looked for; without one the way may take several moves. A body
    that may not leave a zone, or must go straight, has only the ways of its reach. None if there
    is no way. Raises as `leeway_of`.
    """
    lee = leeway_of(system, state, body, kind)
    reach = Reach(lee, gap)
    target = state.body(to) if isinstance(to, str) else None
    if target is None:
        assert not isinstance(to, str)
        if not (math.isfinite(to[0]) and math.isfinite(to[1])):
            raise ShapeError("a place needs finite coordinates")
        found = reach.route(to)
        if found is not None:
            return found if found.cost <= limit else None
    if lee.keep_in or lee.heading is not None or lee.no_return:
        return None
    goal: Goal
    if target is None:
        assert not isinstance(to, str)
        if reach._no_end(to):
            return None
        goal = PointGoal(*to)
    else:
        zones = [zone for zone in (*lee.keep_out, *lee.no_end) if zone.about == target.id]
        if not zones or not isinstance(target.base, Round):
            goal = PointGoal(*target.centre)
        else:
            goal = CircleGoal(*max(zones, key=lambda zone: zone.radius).circle)
    return _unbounded(lee, goal, limit, gap)


def _unbounded(lee: MoveLimits, goal: Goal, limit: float, gap: float) -> Way | None:
    zones = [zone.circle for zone in lee.keep_out]
    answer = lee.obstacles.route(
        lee.start, [goal], lee.radius, limit=limit, zones=zones, slack=lee.slack
    )
    if answer.route is None:
        return None
    path, lower = answer.route.path, answer.route.length
    toll = lee.toll(path)
    if toll.cost - lower > _SLOW:
        slow = slow_router(lee, toll.cost)
        if slow is not None:
            low, found = least_way(slow, lee.start, goal, gap, min(limit, toll.cost))
            if low > limit:
                return None
            lower = max(lower, min(low, toll.cost))
            other = lee.toll(found) if found is not None else toll
            if found is not None and other.cost < toll.cost:
                path, toll = found, other
    if toll.cost > limit:
        return None
    return told(lee, path, toll, min(lower, toll.cost))
