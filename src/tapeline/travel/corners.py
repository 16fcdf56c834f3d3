"""Corners of surfaces: jumps over inner ones, as of a hole or of an L; climbs at outer ones.

A search takes gaps between edges that face each other for ground; the gap of two edges that meet is
looked at only where the way found turns at their corner, or where one by jumps some way apart over
any corners is shorter. Between the places where that bends before and after, the best jump is told
at once: the straight one, or if that is too wide one as wide as may be jumped, by its angle (golden
section). With it the route is searched for anew, among the ways that it takes, until it grows no
shorter (coordinate descent). Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

from tapeline.engine.kept import Kept
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.intersections import lengths_at
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.table.solids import ring_sides
from tapeline.table.storeys import Edge
from tapeline.travel.chart import Chart, Corner
from tapeline.travel.gaps import Jumper, leap_over, leaps
from tapeline.travel.nearness import lowest
from tapeline.travel.rim_search import Spot
from tapeline.travel.rims import LEAP
from tapeline.travel.search import Seeker, ways_of

__all__ = ["OuterCorner", "best_climb", "outer_corners", "over_corners", "ring_corners"]


#: Searches for one way, and for one that is pulled taut; length by which it must become shorter
#: each time.
_TRIES, _FEW, _SHORTER = 12, 3, 1e-9
#: Length: a place so near a corner, or an edge, is there.
_AT = 1e-7
#: Places of the angle looked at first; how near, of all of it, the best is found.
_ANGLES, _SHARE = 32, 1e-12


#: Jumps over the corners of a chart, by who makes them.
_MADE = Kept(64)

#: Where a climb begins and where it ends.
Way = tuple[Point, Point]


class OuterCorner(NamedTuple):
    """An outer corner of a surface: its place, the angle of the normal of one of the edges that
    meet there, and how far it is from that to the normal of the other, radians."""

    at: Point
    angle: float
    turn: float

    def is_off(self, place: Point) -> bool:
        """Whether a place lies beyond it, between the normals of both edges."""
        angle = math.atan2(place[1] - self.at[1], place[0] - self.at[0])
        return 0.0 <= math.remainder(angle - self.angle, math.tau) / self.turn <= 1.0

    def climbed(
        self, before: Point, after: Point, r: float, up: bool, clear: float = 0.0
    ) -> Way | None:
        """Where a base that touches it begins and ends a climb, up or down, by which the way from
        one place straight there and straight on to another is shortest.

        clear: how near to the other place it may end at most; None if it can end nowhere."""

        (x, y), (ox, oy) = self.at, before if up else after
        # From outside it is gone straight only to where the base does not go round the corner.
        aim = math.remainder(math.atan2(oy - y, ox - x) - self.angle, math.tau) / self.turn
        seen = math.acos(min(1.0, r / max(r, math.dist(self.at, (ox, oy))))) / abs(self.turn)
        least, most = (min(max(t, 0.0), 1.0) for t in (aim - seen, aim + seen))

        def ends(t: float) -> Way:
            turned = self.angle + (least + t * (most - least)) * self.turn
            dx, dy = r * math.cos(turned), r * math.sin(turned)
            places = (x + dx, y + dy), (x - dx, y - dy)
            return places if up else places[::-1]

        long = _long(before, after)
        best = ends(lowest(lambda t: long(ends(t))))
        if math.dist(best[1], after) >= clear:
            return best
        far = math.dist(self.at, after)
        cosine = (r * r + far * far - clear * clear) / (2.0 * r * far) if far > 0.0 else 2.0
        if abs(cosine) > 1.0 or most <= least:
            return None
        to = math.atan2(after[1] - y, after[0] - x) + (math.pi if up else 0.0)
        turns = (math.remainder(to + k * math.acos(cosine) - self.angle, math.tau) for k in (-1, 1))
        shares = ((turn / self.turn - least) / (most - least) for turn in turns)
        return min((ends(t) for t in shares if 0.0 <= t <= 1.0), key=long, default=None)


def _long(before: Point, after: Point) -> Callable[[Way], float]:
    """How long a way is over a climb."""
    return lambda way: math.dist(before, way[0]) + math.dist(way[1], after)


def outer_corners(edges: Iterable[Edge]) -> Iterator[OuterCorner]:
    """The outer corners between edges of a surface over which it is gone."""
    ends = [
        (edge, edge.at(t), edge.at(1.0 - t))
        for edge in edges
        if edge.beyond is not None
        for t in (0.0, 1.0)
    ]
    for (edge, at, away), (other, there, _) in combinations(ends, 2):
        if edge is other or math.dist(at, there) > _AT:
            continue
        off = (away[0] - at[0]) * other.nx + (away[1] - at[1]) * other.ny
        if off < -_AT:  # what lies along one edge is within the other
            angle = math.atan2(edge.ny, edge.nx)
            turn = math.remainder(math.atan2(other.ny, other.nx) - angle, math.tau)
            yield OuterCorner(at, angle, turn)


def ring_corners(ring: Sequence[float]) -> Iterator[OuterCorner]:
    """The outer corners of a counter-clockwise ring."""
    sides = ring_sides(ring)
    for before, after in pairwise([sides[-1], *sides]):
        first, second = (
            math.atan2(side.ax - side.bx, side.by - side.ay) for side in (before, after)
        )
        turn = math.remainder(second - first, math.tau)
        if turn > _AT:
            yield OuterCorner(after.start, first, turn)


def _climbed_at(
    edge: Edge, before: Point, after: Point, r: float, up: bool, clear: float
) -> Way | None:
    """As `OuterCorner.climbed`, straight over an edge; None where no way leads over it."""
    (ox, oy), (ix, iy) = (before, after) if up else (after, before)
    off = (ox - edge.ax) * edge.nx + (oy - edge.ay) * edge.ny - r
    deep = (edge.ax - ix) * edge.nx + (edge.ay - iy) * edge.ny
    if off < -_AT or deep < 0.0 or edge.length <= _AT:
        return None
    deep, off, long = abs(deep - r), max(0.0, off), edge.length
    ux, uy = (edge.bx - edge.ax) / long, (edge.by - edge.ay) / long
    out, on = ((x - edge.ax) * ux + (y - edge.ay) * uy for x, y in ((ox, oy), (ix, iy)))
    best = on if off + deep <= _AT else (out * deep + on * off) / (off + deep)
    best = min(max(best, 0.0), long)
    left, goal = (deep, on) if up else (off, out)
    shares = [best]
    if math.hypot(best - goal, left) < clear:
        spread = math.sqrt(clear * clear - left * left)
        shares = [s for s in (goal - spread, goal + spread) if 0.0 <= s <= long]

    def ends(s: float) -> Way:
        x, y = edge.at(s / long)
        places = (x + r * edge.nx, y + r * edge.ny), (x - r * edge.nx, y - r * edge.ny)
        return places if up else places[::-1]

    return min(map(ends, shares), key=_long(before, after), default=None)


def best_climb(
    edges: Sequence[Edge],
    near: Point,
    before: Point,
    after: Point,
    r: float,
    up: bool,
    clear: float,
    faces: bool,
) -> Way | None:
    """Where a base begins and ends a climb over the edges and outer corners about a place, by which
    the way straight there and straight on is shortest; None if there is nothing to climb.

    clear: how near to the place after it may end at most. faces: whether over edges too."""
    ways = [
        _climbed_at(edge, before, after, r, up, clear)
        for edge in edges
        if faces
        and edge.beyond is not None
        and point_segment(*near, edge.ax, edge.ay, edge.bx, edge.by)[0] < 2.0 * r
    ]
    corners = (it for it in outer_corners(edges) if math.dist(it.at, near) < 2.0 * r)
    ways += [corner.climbed(before, after, r, up, clear) for corner in corners]
    return min((way for way in ways if way is not None), key=_long(before, after), default=None)


class _Turn(NamedTuple):
    """An inner corner that a way comes over: the places before and after. ends: how near the one
    after may be come to, where that is the middle of a goal."""

    corner: Corner
    before: Point
    after: Point
    ends: float
    open: bool


class _Node(NamedTuple):
    """A place of a way, the levels it comes on and goes on; shift: of the latter, laid out."""

    come: str
    gone: str
    at: complex
    shift: complex


def over_corners(
    jumper: Jumper,
    levels: Levels,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    route: LevelRoute,
    find: Callable[[Levels, float], LevelRoute | None],
    farthest: float = 0.0,
) -> tuple[LevelRoute, dict[str, Corner]] | None:
    """A route shorter than another by jumps over inner corners, and which it jumps over by which
    links; None if none is.

    find: the shortest route on some levels within a limit. farthest: how long one may be that jumps
    over corners at which the other does not turn. Where part of the line of a jump is free before
    the lip and beyond it (`inset`), what is no wider than may be jumped is found nearly, to be
    pulled taut.
    """
    near = partial(_nearest, jumper, levels, seeker, goals, find)
    best = near(route, {})
    closest = route if best is None else best[0]
    limit = min(farthest, closest.cost)
    begun = _over_any(jumper, levels, seeker, goals, closest, limit, find) if limit else None
    return best if begun is None else near(*begun) or begun


def _over_any(
    jumper: Jumper,
    levels: Levels,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    other: LevelRoute,
    limit: float,
    find: Callable[[Levels, float], LevelRoute | None],
) -> tuple[LevelRoute, dict[str, Corner]] | None:
    """The shortest route within a limit by jumps over any inner corners, some way apart and the
    best between places of another route, and which those are; None if it leads over none."""
    corners = dict[Link, Corner]()
    _, *by, _, _ = jumper  # whoever jumps, from where and to what
    made: dict[str, dict[Link, Spot]] = _MADE.once(jumper.chart.corners, tuple(by), dict)
    jumper = jumper._replace(made=made)
    near = levels.within(seeker.start, goals, limit)
    on = {level.id for level in near.levels}
    for corner in jumper.chart.corners:
        gap = corner.gap
        if {gap.start, gap.end} <= on:
            name = f"{corner.name} {gap.near.start}"
            jumps = leaps(jumper, name, gap, corner.cost)
            corners |= dict.fromkeys(jumps, corner)
            for turn in _passing(corner, seeker, goals, other):
                corners |= dict.fromkeys(_leaps(turn, jumper.widest, jumper.inset), corner)
    if not corners:
        return None
    near = near.with_more(links=corners).within(seeker.start, goals, limit)
    names = {link.id: corner for link, corner in corners.items()}
    if all(link.id not in names for link in near.links):
        return None
    route = find(near, limit)
    known = {} if route is None else {link: names[link] for link in route.links if link in names}
    return (route, known) if route is not None and known else None


def _passing(
    corner: Corner, seeker: Seeker, goals: Sequence[tuple[str, Goal]], route: LevelRoute
) -> Iterator[_Turn]:
    """A corner, come over from a place where a route begins or changes level to a later one or to
    the middle of a goal."""
    places = [seeker.start, *((step.level, *step.at) for step in route.steps[:-1])]
    for k, (start, *before) in enumerate(places):
        if start != corner.gap.start:
            continue
        for end, *after in places[k + 1 :]:
            if end == corner.gap.end:
                yield _Turn(corner, (before[0], before[1]), (after[0], after[1]), 0.0, True)
        for end, goal in goals:
            if end == corner.gap.end and isinstance(goal, CircleGoal):
                yield _Turn(corner, (before[0], before[1]), (goal.x, goal.y), goal.radius, True)


def _nearest(
    jumper: Jumper,
    levels: Levels,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    find: Callable[[Levels, float], LevelRoute | None],
    route: LevelRoute,
    begun: Mapping[str, Corner],
) -> tuple[LevelRoute, dict[str, Corner]] | None:
    """A route shorter than another by jumps over the inner corners that it turns, or jumps over by
    links that are known, and all that are known then; None if none is."""
    chart, widest, spared = jumper.chart, jumper.widest, jumper.inset
    if not begun and not any(
        chart.corners_at(x.end) for step in route.steps for x in step.path.legs
    ):
        return None
    known = dict(begun)
    best, local = route, _along(chart, levels, seeker, goals, route)
    for _ in range(_FEW if spared else _TRIES):
        turns = [*_turns(local, seeker, goals, best, chart, known, widest, not spared)]
        if spared and best is not route and not any(turn.open for turn in turns):
            break  # it is pulled taut
        fresh: list[Link] = []
        for turn in turns:
            for link in _leaps(turn, widest, spared):
                if link.id not in known:
                    known[link.id] = turn.corner
                    fresh.append(link)
        local = local.with_more(links=fresh)
        closer = find(local, best.cost) if fresh else None
        if closer is None or closer.cost > best.cost - _SHORTER:
            break
        best = closer
    return None if best is route else (best, known)


def _along(
    chart: Chart,
    levels: Levels,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    route: LevelRoute,
) -> Levels:
    """The levels with the ways alone that a route takes, and those to goals."""
    taken = ways_of(route)
    gaps = {leap_over(link) for link in taken} & chart.gaps.keys()
    kept = levels.keeping(
        lambda way: (
            way.id in taken or way.kind == "goal" or not gaps.isdisjoint((way.start[0], way.end[0]))
        )
    )
    had = {link.id for link in kept.links} | {portal.id for portal in kept.portals}
    level, x, y = seeker.start
    links: dict[str, Link] = {}
    for step in route.steps:
        end = (step.level, *levels.level(step.level).plan(*step.at))
        if step.link and step.link.partition("@")[0] not in had:  # put in by the search
            links[step.link] = Link(step.link, step.kind, (level, x, y), end, step.cost, False)
        level, x, y = end
    return kept.with_more(links=links.values()).within(seeker.start, goals, route.cost)


def _turns(
    local: Levels,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    route: LevelRoute,
    chart: Chart,
    known: Mapping[str, Corner],
    widest: float,
    on_rims: bool,
) -> Iterator[_Turn]:
    """The inner corners that a route turns at, or jumps over by links that are known, with the
    places next to them and with those where it bends, laid out in one plane.

    on_rims: whether who lands on a rim may jump on from that very place; then also a gap that is
    jumped next to one of them, as a corner whose edges do not meet."""
    nodes = [_Node(seeker.start[0], seeker.start[0], complex(*seeker.start[1:]), 0j)]
    jumps: dict[int, Corner] = {}
    gaps: dict[int, Corner] = {}
    loose: set[int] = set()
    sliding = {portal.id for portal in local.portals}
    flat = {level.id for level in local.levels if level.slope is None}
    for step in route.steps:
        for leg in step.path.legs:
            _put(nodes, step.level, complex(*leg.end), nodes[-1].shift)
        if step.link:
            here, at, shift = nodes[-1].at, complex(*step.at), nodes[-1].shift
            shift += 0j if step.link in known else here - at
            if {nodes[-1].gone, step.level} <= flat and (
                step.link in sliding or (step.link in known and abs(at - here) < widest - _AT)
            ):
                loose.add(len(nodes) - 1)
                if _put(nodes, step.level, at, shift):
                    loose.add(len(nodes) - 1)
            else:
                _put(nodes, step.level, at, shift)
            over = step.level if step.level in chart.gaps else leap_over(step.link)
            if step.link in known:
                jumps[len(nodes) - 1] = known[step.link]
            elif over in chart.gaps:
                gap = chart.gaps[over]
                lands = len(nodes) if over == step.level else len(nodes) - 1
                gaps[lands] = Corner(over, gap, 0.0)
    goal, last = goals[route.goal][1], len(nodes) - 1

    def bend(k: int, on: int, through: bool) -> int:
        k += on
        while through and 0 < k < last:
            before, at, after = (nodes[m].at + nodes[m].shift for m in (k - 1, k, k + 1))
            aside = ((at - before).conjugate() * (after - at)).imag
            if k not in loose and abs(aside) > _AT * abs(after - before):
                break
            k += on
        return min(max(k, 0), last)

    def places(to: int, at: int) -> Iterator[tuple[Point, float]]:
        """Where it goes to from a place, as it lies there, and how near that may be come to: the
        middle of the goal, and where it is come to now, which the rim may lead to aside."""
        shift = nodes[to].shift - nodes[at].shift
        if to == last and isinstance(goal, CircleGoal):
            yield (goal.x + shift.real, goal.y + shift.imag), goal.radius
        yield _point(nodes[to].at + shift), 0.0

    for k in range(1, last + 1):
        one = k - 1 if k in jumps else k
        at = nodes[k].at
        corners = [jumps[k]] if k in jumps else chart.corners_at(_point(at)) if k < last else ()
        leads = nodes[one].come, nodes[k].gone
        for corner in corners:
            if leads != (corner.gap.start, corner.gap.end):
                continue
            for through in (True, False):
                a, b = bend(one, -1, through), bend(k, 1, through)
                before = _point(nodes[a].at + nodes[a].shift - nodes[k].shift)
                for after, ends in places(b, k):
                    yield _Turn(corner, before, after, ends, k not in loose)
        first, then = ({**gaps, **jumps}.get(m) for m in (k, k + 1))
        if on_rims and first and then and (k in jumps or k + 1 in jumps):
            # It jumps on from where it lands.
            a = bend(k - 1, -1, True)
            before = _point(nodes[a].at + nodes[a].shift - nodes[k - 1].shift)
            for after, ends in places(bend(k + 1, 1, True), k + 1):
                yield from _between(first, then, before, after, ends, widest)


def _point(at: complex) -> Point:
    return at.real, at.imag


def _between(
    first: Corner, then: Corner, before: Point, after: Point, ends: float, widest: float
) -> Iterator[_Turn]:
    """Two jumps one after the other, over corners or from side to side of a gap, by that place of
    the far edge of the first between them by which the way from one place to another is shortest:
    neither can be moved alone."""

    def both(t: float) -> tuple[_Turn, _Turn]:
        rim = first.gap.far.at(t)
        return _Turn(first, before, rim, 0.0, True), _Turn(then, rim, after, ends, True)

    def cost(t: float) -> float:
        total = 0.0
        for turn in both(t):
            found = _across(turn, widest, 0.0)
            if found is None:
                return math.inf
            p, q = found
            total += math.dist(turn.before, p) + math.dist(p, q) + math.dist(q, turn.after)
        return total

    step = first.gap.far.length / _ANGLES
    best = min((k * step for k in range(1, _ANGLES)), key=cost)
    best = min((best, least_of_convex(cost, best - step, best + step, _SHARE)), key=cost)
    if cost(best) < math.inf:
        yield from both(best)


def _put(nodes: list[_Node], level: str, at: complex, shift: complex) -> bool:
    """A place that a way comes to next, if it is another; one and the same on two levels is one."""
    if abs(nodes[-1].at - at) <= _AT:
        nodes[-1] = nodes[-1]._replace(gone=level)
        return False
    nodes.append(_Node(nodes[-1].gone, level, at, shift))
    return True


def _leaps(turn: _Turn, widest: float, spared: float) -> Iterator[Link]:
    """The best jump over an inner corner, if there is one."""
    corner, a, b = turn.corner, turn.before, turn.after
    found = _across(turn, widest, spared)
    if found is not None and (width := math.dist(*found)) > _AT:
        p, q = found
        (x, y), (u, v) = _run_up(a, p, q, spared), _run_up(b, q, p, spared, turn.ends)
        name = f"{LEAP} {corner.name} {p!r} {q!r}"
        ends = (corner.gap.start, x, y), (corner.gap.end, u, v)
        yield Link(name, LEAP, *ends, width + corner.cost, False)


def _run_up(a: Point, p: Point, q: Point, spared: float, near: float = 0.0) -> Point:
    """Of what is free before a lip p of a jump to q, the place nearest to another, no nearer to it
    than that."""
    width = math.dist(p, q)
    dx, dy = (p[0] - q[0]) / width, (p[1] - q[1]) / width
    along, aside = (a[0] - p[0]) * dx + (a[1] - p[1]) * dy, (a[0] - p[0]) * dy - (a[1] - p[1]) * dx
    short = math.sqrt(max(0.0, near * near - aside * aside))
    far = min(spared, max(0.0, along - short))
    return p[0] + far * dx, p[1] + far * dy


def _across(turn: _Turn, widest: float, spared: float) -> tuple[Point, Point] | None:
    """Where the best jump for who comes from a and goes to b takes off and lands."""
    corner, a, b, ends, _ = turn
    near, far = corner.gap.near, corner.gap.far  # both begin at the corner
    s, t = _met(a, b, near), _met(a, b, far)
    if s is None or t is None or s <= 0.0 or t <= 0.0:
        return None
    if s > near.length:
        s = near.length
        t = _met(near.at(s), b, far) or 0.0
    if t > far.length:
        t = far.length
        s = min(near.length, _met(a, far.at(t), near) or 0.0)
    if math.dist(far.at(t), b) < ends:  # it lands where it comes to the goal
        there = [at for at in lengths_at(far, (*b, ends)) if 0.0 < at <= far.length]
        t = min(there, key=lambda at: math.dist(a, far.at(at)), default=0.0)
        s = min(near.length, _met(a, far.at(t), near) or 0.0)
    if s <= 0.0 or t <= 0.0:
        return None
    p, q = near.at(s), far.at(t)
    if (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]) > (q[0] - a[0]) * (
        b[0] - a[0]
    ) + (q[1] - a[1]) * (b[1] - a[1]):
        return None  # it is the other way round
    if math.dist(p, q) <= widest:
        return p, q

    def rest(p: Point, q: Point) -> float:
        if math.dist(q, b) < ends:
            return math.inf
        before, after = _run_up(a, p, q, spared), _run_up(b, q, p, spared, ends)
        return math.dist(a, before) + math.dist(after, b)

    return _as_wide(corner, widest, rest)


def _as_wide(
    corner: Corner, widest: float, rest: Callable[[Point, Point], float]
) -> tuple[Point, Point] | None:
    """The jump of a width over an inner corner with the least to go besides."""
    near, far = corner.gap.near, corner.gap.far
    if math.dist(near.start, far.start) > _AT:  # two sides of a gap
        return _as_wide_between(near, far, widest, rest)
    (ux, uy), (vx, vy) = ((e.bx - e.ax, e.by - e.ay) for e in (near, far))
    angle = abs(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy))

    def jump(turn: float) -> tuple[Point, Point] | None:
        # By the law of sines, turn: the angle between the near edge and the jump.
        s = widest * math.sin(angle + turn) / math.sin(angle)
        t = widest * math.sin(turn) / math.sin(angle)
        if not (0.0 <= s <= near.length and 0.0 <= t <= far.length):
            return None
        return near.at(s), far.at(t)

    def cost(turn: float) -> float:
        found = jump(turn)
        return math.inf if found is None else rest(*found)

    step = (math.pi - angle) / _ANGLES
    best = min((k * step for k in range(1, _ANGLES)), key=cost)
    return jump(min((best, least_of_convex(cost, best - step, best + step, _SHARE)), key=cost))


def _as_wide_between(
    near: Line, far: Line, widest: float, rest: Callable[[Point, Point], float]
) -> tuple[Point, Point] | None:
    """As `_as_wide`, between two edges that do not meet."""

    def jump(s: float) -> tuple[Point, Point] | None:
        p = near.at(s)
        ends = [far.at(t) for t in lengths_at(far, (*p, widest)) if 0.0 <= t <= far.length]
        return min(((p, q) for q in ends), key=lambda it: rest(*it), default=None)

    def cost(s: float) -> float:
        found = jump(s)
        return math.inf if found is None else rest(*found)

    step = near.length / _ANGLES
    best = min((k * step for k in range(_ANGLES + 1)), key=cost)
    low, high = max(0.0, best - step), min(near.length, best + step)
    return jump(min((best, least_of_convex(cost, low, high, _SHARE)), key=cost))


def _met(a: Point, b: Point, edge: Line) -> float | None:
    """The length of an edge, gone on beyond its ends, at which the line from a to b crosses it."""
    ux, uy = (edge.bx - edge.ax) / edge.length, (edge.by - edge.ay) / edge.length
    dx, dy = b[0] - a[0], b[1] - a[1]
    down = ux * dy - uy * dx
    if abs(down) <= 1e-12:
        return None
    return ((a[0] - edge.ax) * dy - (a[1] - edge.ay) * dx) / down
