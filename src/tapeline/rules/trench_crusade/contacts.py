"""Contact of a charge off level ground: through the air, and over an edge.

A flyer goes straight, over what stands there, or round it. Climbing or jumping on to a top a base
is set down on it but in part; jumping down round a corner it lands in contact at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, affords, more_than, same
from tapeline.engine.paths import Leg, Place
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.plane.intersections import both_circles
from tapeline.geometry.plane.legs import Arc, Line, Point
from tapeline.geometry.plane.sweeps import Span, nearest_to_point
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.ground import JUST_IN, level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import beside, reach_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.rules.trench_crusade.walker import keeps_to_table, lay
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.table.storeys import Surface
from tapeline.table.terrain import Ramp
from tapeline.travel.chart import Chart
from tapeline.travel.draft import SPECK
from tapeline.travel.level_routes import Disc
from tapeline.travel.nearness import Other
from tapeline.travel.rim_search import Spot
from tapeline.travel.rims import Passage, Rim
from tapeline.travel.route import Route, Stretch
from tapeline.travel.search import CORNER
from tapeline.travel.slopes import NearOnSlope
from tapeline.travel.stops import is_held, last_held, last_stop
from tapeline.travel.terrain import Terrain

__all__ = [
    "Landing",
    "LeapTouch",
    "RimTouch",
    "Touch",
    "by_ladders",
    "contact_of",
    "edge_contacts",
    "flights",
    "flights_beside",
    "flights_over",
    "in_contact",
    "oval_of",
]


#: The level of edges over which contact is come to.
_CONTACT = "contact"
#: How portals are gone.
_MANNERS = {"climb": "climb", CORNER: "climb", "land": "jump"}
#: Inches on a circle of contact that who lands is surely clear of a ledge beyond.
_CLEAR = 0.3 * TOLERANCE
#: Places of a rim that are tried for contact, and by how much its last ones may be missed.
_PLACES, _LAST = 64, 1e-9
#: Places of half of the circle of contact that jumps are aimed at.
_SIDES = 8
#: Legs about a quarter of the curve of an inch, a degree apart: a way is longer for them by less
#: than 1e-4 inch an enemy. By how many halvings the place of each is found.
_TANGENTS, _HALVINGS = 90, 50
#: Far beyond any table, inches.
_FAR = 1e4


def contact_of(mover: Body, target: Body) -> Point | None:
    """Where the straight line to a target comes to base contact on the plan."""
    reach = radius(mover) + radius(target)
    d = math.dist(mover.centre, target.centre)
    if d <= reach:
        return None
    k = (d - reach) / d
    return mover.x + k * (target.x - mover.x), mover.y + k * (target.y - mover.y)


def oval_of(mover: Body, target: Body, ramp: Ramp) -> NearOnSlope:
    """Where a mover on a ramp is within 1 inch of a target on it."""
    return NearOnSlope.about(target.centre, radius(mover) + radius(target), NEAR_IN, ramp)


def flights(state: State, mover: Body, target: Body) -> list[Route]:
    """The straight way through the air; else the shorter of the way over and the way round: to
    contact, or where nobody can stand in contact to within 1 inch. Several where they tie."""
    to, z = _straight_to(state, mover, target)
    direct = lay(state, mover, (Leg(to=to, z=z, how="fly"),))
    if _may_be_flown(state, mover, direct):
        return [direct]
    found = [_over(state, mover, to, z)]
    circle = Disc(target.x, target.y, radius(mover) + radius(target))
    if not more_than(abs(mover.z - target.z), 0.0):
        round_it = level_routes(state, mover).routes_to(mover, mover.centre, circle)
        found += [lay(state, mover, track.legs) for track in round_it]
    if not _is_on_slope(state, target):
        found += _beside(state, mover, circle, z)
    return _shortest(state, mover, found) or _shortest(
        state, mover, list(_within_an_inch(state, mover, target))
    )


def flights_over(state: State, mover: Body, target: Body, others: Sequence[Body]) -> list[Route]:
    """The ways over all that stands in their upright planes and over the inches of other enemies:
    to contact, or until near the target, where these no longer count, and straight on to it."""
    (x, y), z = _straight_to(state, mover, target)
    zones = [beside(mover, enemy) for enemy in others]
    found = [_over(state, mover, (x, y), z, zones)]
    circle = Disc(target.x, target.y, radius(mover) + radius(target))
    left = math.dist(mover.centre, (x, y)) - NEAR_IN
    if left > 0.0:
        near = _over(state, mover, Line(*mover.centre, x, y).at(left), z, zones)
        found.append(lay(state, mover, (*near.legs, Leg(to=(x, y), z=z, how="fly"))))
    if not _is_on_slope(state, target):
        found += _beside(state, mover, circle, z, zones=zones)
    return [way for way in found if _may_be_flown(state, mover, way)]


def _straight_to(state: State, mover: Body, target: Body) -> tuple[Point, float]:
    """Where the straight line to a target ends in contact; on a slope, of which no place touches
    it, within 1 inch."""
    slope = terrain_of(state).under(target)
    if slope is None or slope.ramp is None:
        return contact_of(mover, target) or mover.centre, target.z
    to = oval_of(mover, target, slope.ramp).nearest((mover.x, mover.y, mover.z), slope.ramp.foot)
    return to, slope.height(*to)


def _is_on_slope(state: State, target: Body) -> bool:
    slope = terrain_of(state).under(target)
    return slope is not None and slope.ramp is not None


def flights_beside(
    state: State, mover: Body, target: Body, avoid: Sequence[Body] = ()
) -> list[Route]:
    """The shortest ways through the air to contact where the base is on no other.

    avoid: enemies over whose inches they lead; with some all ways are told, however long.
    """
    if _is_on_slope(state, target):
        return []
    r = radius(mover)
    level = [b for b in state.others(mover) if b.id != target.id and same(b.z, target.z)]
    taken = [Disc(*b.centre, r + radius(b)) for b in level]
    circle = Disc(*target.centre, r + radius(target))
    zones = [beside(mover, enemy) for enemy in avoid]
    ways = _beside(state, mover, circle, target.z, taken, zones)
    if avoid:
        return [way for way in ways if _may_be_flown(state, mover, way)]
    return _shortest(state, mover, ways)


def _shortest(state: State, mover: Body, ways: list[Route]) -> list[Route]:
    """Those of some ways that may be flown and are as short as any."""
    able = [way for way in ways if _may_be_flown(state, mover, way)]
    least = min((way.length for way in able), default=0.0)
    kept: list[Route] = []
    for way in able:
        known = any(math.dist(way.end, other.end) <= TOLERANCE for other in kept)
        if affords(way.length, least) and not known:
            kept.append(way)
    return kept


def _may_be_flown(state: State, mover: Body, way: Route) -> bool:
    return not way.hits and keeps_to_table(state, mover, way)


def _within_an_inch(state: State, mover: Body, target: Body) -> Iterator[Route]:
    """Ways to the places within 1 inch of a target, at every height at which there are some."""
    levels = {surface.z for surface in terrain_of(state).storeys.surfaces if surface.ramp is None}
    for z in sorted({*levels, target.z}):
        reach = reach_of(mover.at(*target.centre, z), target, NEAR_IN)
        if reach is not None:
            yield from _beside(state, mover, Disc(*target.centre, reach), z)


def _beside(
    state: State,
    mover: Body,
    circle: Disc,
    z: float,
    taken: Sequence[Disc] = (),
    zones: Sequence[Other] = (),
) -> list[Route]:
    """The straight ways, or those over what is in them, to the places of a circle at a height where
    the base can stand that are next to the straight line, on either side."""
    ways = []
    for place in _perches(state, mover, circle, z, taken):
        direct = lay(state, mover, (Leg(to=place, z=z, how="fly"),))
        ways.append(_over(state, mover, place, z, zones) if direct.hits or zones else direct)
    return ways


def _perches(
    state: State, mover: Body, circle: Disc, z: float, taken: Sequence[Disc]
) -> Iterator[Point]:
    """Of the places on a circle at a height where a base can stand those next to the straight line
    from it, one on either side."""
    terrain, r = terrain_of(state), radius(mover)
    x, y, reach = circle
    shut = level_routes(state, mover).shut(mover.at(x, y, z), circle, taken)
    whole = Arc(x, y, reach, 0.0, math.tau)
    for o in terrain.near((x - reach - r, y - reach - r, x + reach + r, y + reach + r)):
        if terrain.is_barred(o) and abs(z - o.top) <= TOLERANCE:
            shut += [(a / reach, b / reach) for a, b in o.ground.spans_near(whole, r)]
    straight = math.atan2(mover.y - y, mover.x - x)
    back = Place(x - reach * math.cos(straight), y - reach * math.sin(straight), z)
    front = Place(x + reach * math.cos(straight), y + reach * math.sin(straight), z)
    for turn in (math.pi, -math.pi):
        way = Route(back, (Stretch(back, front, how="fly", arc=(x, y, turn)),))
        share = 1.0
        while share > 0.0:
            s = last_stop(terrain, way, share * way.length, r, ())
            share = s / way.length
            inside = _shut_at(shut, straight - turn * (1.0 - share))
            if inside is None:
                break
            begin, end = inside  # how far on either side of here it is shut
            share -= (begin if turn > 0.0 else end) / math.pi + 1e-12
        if share > 0.0:
            yield way.place(share * way.length).xy


def _shut_at(shut: list[tuple[float, float]], angle: float) -> tuple[float, float] | None:
    """How far back and on an angle lies from the ends of a shut interval, if it is deeper in it
    than rounding is off."""
    for begin, end in shut:
        past = (angle - begin) % math.tau
        if 1e-9 < past < end - begin - 1e-9:
            return past, end - begin - past
    return None


def _over(state: State, mover: Body, to: Point, z: float, zones: Sequence[Other] = ()) -> Route:
    """The shortest line in the upright plane of the straight way that goes over all that stands
    in it, and over the inches of enemies."""
    line, heights, r = Line(*mover.centre, *to), terrain_of(state), radius(mover)
    profile = [(0.0, mover.z), (line.length, z)]
    high, tall = max(mover.z, z), height(mover)
    for o in heights.beside(box_of(line, r), mover.z, tall):
        if o.bottom >= high + tall:
            continue
        for begin, end in o.ground.spans_near(line, r):
            profile += [(begin, o.top), (end, o.top)]
    for enemy in zones:
        if enemy.low - NEAR_IN < high:
            profile += _over_inch(enemy, line)
    hull: list[tuple[float, float]] = []
    for s, top in sorted(profile):
        while hull and hull[-1][0] == s and hull[-1][1] <= top and len(hull) > 1:
            hull.pop()
        while len(hull) > 1:
            (a, za), (b, zb) = hull[-2], hull[-1]
            if (b - a) * (top - za) - (zb - za) * (s - a) < 0.0:
                break
            hull.pop()
        if not hull or hull[-1][0] != s or top > hull[-1][1]:
            hull.append((s, top))
    legs = [Leg(to=line.at(s), z=top, how="fly") for s, top in hull[1:]]
    return lay(state, mover, tuple(legs))


def _over_inch(enemy: Other, line: Line) -> Iterator[tuple[float, float]]:
    """Corners of the straight legs that lead about the inch of an enemy, above a line on the plan:
    how far along, and how high.

    The inch ends in an upright cylinder and, above the body, in the curve of those points that are
    1 inch from its rim; each leg touches it, and leads on in another direction than the one before
    by a share of a right angle.
    """
    if line.length == 0.0:
        return
    ux, uy = (line.bx - line.ax) / line.length, (line.by - line.ay) / line.length
    dx, dy = enemy.x - line.ax, enemy.y - line.ay
    along, off = dx * ux + dy * uy, abs(dx * uy - dy * ux)
    lean = off - enemy.room  # how far off the rim the plane is, where nearest
    if lean >= NEAR_IN:
        return
    highest = math.acos(max(0.0, lean / NEAR_IN))

    def touched(turn: float) -> tuple[float, float, float, float]:
        """How far out and how high the curve is where so much of it is turned from its side, and
        how much higher and farther in it leads there."""
        flat, rise = NEAR_IN * math.cos(turn), NEAR_IN * math.sin(turn)
        far = enemy.room + flat
        out = math.sqrt(max(0.0, far * far - off * off))
        return out, enemy.high + rise, out * flat, far * rise

    def turned(direction: float) -> float:
        """Where the curve has a direction, the steepest first: it turns one way only."""
        low, high = 0.0, highest
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            _, _, up, ahead = touched(middle)
            low, high = (middle, high) if math.atan2(ahead, up) < direction else (low, middle)
        return 0.5 * (low + high)

    turns = (turned(0.5 * math.pi * k / _TANGENTS) for k in range(1, _TANGENTS))
    places = [touched(turn) for turn in (0.0, *turns, highest)]
    for (a, za, ua, wa), (b, zb, ub, wb) in pairwise(places):
        # Where the legs that touch at both meet.
        cross = ua * wb - ub * wa
        t = ((b - a) * ub + (zb - za) * wb) / cross if cross else 0.0
        for s in (along - a + t * wa, along + a - t * wa):
            if 0.0 < s < line.length:
                yield s, za + t * ua


class Touch(NamedTuple):
    """Over a piece of an edge on to a top, to contact with a target no farther in than the base is
    set down for nothing. id: of the portal. off: the direction that leads off. deep: how far in
    from the edge the target is. reach: between both centres."""

    id: str
    portal: Portal
    target: Body
    off: Point
    deep: float
    reach: float

    @property
    def level(self) -> str:
        """The level of its goal."""
        return _CONTACT

    @property
    def goal(self) -> CircleGoal:
        """A circle that the piece is in: who is there has come to contact."""
        _, ax, ay, bx, by = self.portal.end
        return CircleGoal(0.5 * (ax + bx), 0.5 * (ay + by), math.hypot(bx - ax, by - ay))

    def leg(self, at: Point) -> Leg:
        """The last leg of who comes over the edge at a place."""
        (x, y), (nx, ny), target = at, self.off, self.target
        aside = (x - target.x) * ny - (y - target.y) * nx
        inset = self.deep - math.sqrt(max(0.0, self.reach**2 - aside**2))
        end = x - inset * nx, y - inset * ny
        return Leg(to=end, how=_MANNERS[self.portal.kind], z=target.z)


class RimTouch(NamedTuple):
    """Up a rim (a way of `rim_search`) to contact with a target no farther in, straight from the
    rim, than the base is set down for nothing. last: angles at which contact ends."""

    id: str
    terrain: Terrain
    rim: Rim
    target: Body
    reach: float
    taken: Sequence[Span] = ()
    last: tuple[float, ...] = ()
    level: str = _CONTACT

    @property
    def goal(self) -> CircleGoal:
        """A circle that the rim is in."""
        x, y, radius = self.rim.circle
        return CircleGoal(x, y, 2.0 * radius)

    def leg(self, at: Point) -> Leg:
        """The last leg of who comes over the rim at a place."""
        x, y, _ = self.rim.circle
        to = self._contact(math.atan2(at[1] - y, at[0] - x))
        return Leg(to=to, how="climb", z=self.target.z)

    def bounded(self) -> RimTouch | None:
        """With the angles at which contact ends; None if there is none."""
        x, y, radius = self.rim.circle
        far = math.dist((x, y), self.target.centre)
        near = self.reach + self.rim.r
        cosine = (radius**2 + far**2 - near**2) / (2.0 * radius * far) if far > SPECK else -1.0
        if cosine >= 1.0:
            return None
        middle, wide = (
            math.atan2(self.target.y - y, self.target.x - x),
            math.acos(max(-1.0, cosine)),
        )
        tried = [middle + wide * k / _PLACES for k in range(-_PLACES, _PLACES + 1)]
        held = {angle: self._contact(angle) is not None for angle in tried}
        last = _last(lambda angle: self._contact(angle) is not None, held)
        found = (*last, *(angle for angle in tried if held[angle]))
        return self._replace(rim=self.rim._replace(cuts=(*self.rim.cuts, *last)), last=found)

    def spots(self) -> dict[Link, Spot]:
        """Links all along it."""
        return self._to_contact(self.rim.at(self.last))

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links about one, nearer each other."""
        return self._to_contact(self.rim.about(spot))

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """Links where the base touches one that stands on a level below."""
        return self._to_contact(self.rim.touching(levels, names - {_CONTACT}))

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The link straight at the middle of it."""
        del end
        x, y, _ = self.rim.circle
        return self._to_contact(self.rim.at([math.atan2(start[1] - y, start[0] - x)]))

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two links are near each other."""
        return self.rim.beside(one, other)

    def unsure(self, spot: Spot) -> float:
        """How much shorter a way may be by a place nearer than the next."""
        return self.rim.unsure(spot)

    def _to_contact(self, found: dict[Link, Spot]) -> dict[Link, Spot]:
        x, y, radius = self.rim.circle
        links = dict[Link, Spot]()
        for link, spot in found.items():
            angle = spot.at[0]
            if self._contact(angle) is not None:
                end = _CONTACT, x + radius * math.cos(angle), y + radius * math.sin(angle)
                name = f"{self.id}@{angle!r}"
                links[link._replace(id=name, end=end, both=False)] = spot._replace(way=self)
        return links

    def _contact(self, angle: float) -> Point | None:
        """Where the base is in contact that comes over the rim at an angle; None if nowhere."""
        (x, y, radius), (tx, ty) = self.rim.circle, self.target.centre
        ux, uy = math.cos(angle), math.sin(angle)
        wx, wy = x + radius * ux - tx, y + radius * uy - ty
        along = wx * ux + wy * uy
        left = self.reach**2 - (wx * wx + wy * wy - along * along)
        inset = along - math.sqrt(max(0.0, left))
        if left < 0.0 or not 0.0 <= inset <= self.rim.r:
            return None
        to = x + (radius - inset) * ux, y + (radius - inset) * uy
        return to if _is_free(to, self.target, self.taken, self.terrain, self.rim.r) else None


class LeapTouch(NamedTuple):
    """Over a gap with a rim to contact with a target no farther beyond the far lip, along the line
    of the jump, than the base is set down for nothing. start: of who comes."""

    terrain: Terrain
    way: Passage
    target: Body
    reach: float
    start: Point
    taken: Sequence[Span] = ()
    level: str = _CONTACT

    @property
    def id(self) -> str:
        """The beginning of the ids of its links."""
        return f"{self.way.name} to contact"

    @property
    def goal(self) -> CircleGoal:
        """A circle that all places of contact are in."""
        return CircleGoal(*self.target.centre, 2.0 * self.reach)

    def leg(self, at: Point) -> Leg:
        """The last leg of who comes to contact at a place."""
        return Leg(to=at, how="jump", z=self.target.z)

    def spots(self) -> dict[Link, Spot]:
        """Links at places all along it, and straight at the target and past either side of it."""
        aims = [self.target.centre, *map(self._at, self._turns(_SIDES))]
        way = self.way._replace(name=f"{self.id}@", onto=self._onto)
        return way.spots(aims, self.start)

    def ends(self) -> list[Point]:
        """Where contact ends on either side."""

        def held(angle: float) -> bool:
            return self._is_free(self._at(angle))

        known = {angle: held(angle) for angle in self._turns(_PLACES)}
        return [self._at(angle) for angle in _last(held, known)]

    def _onto(self, link: Link, s: float, t: float) -> Link | None:
        """A link all along the line of its jump to contact; None if it comes to none."""
        way, (x, y) = self.way, self.target.centre
        (px, py), (qx, qy) = way.near.edge.at(s), way.far.edge.at(t)
        width = math.hypot(qx - px, qy - py)
        ux, uy = (qx - px) / width, (qy - py) / width
        along, aside = (x - qx) * ux + (y - qy) * uy, (x - qx) * uy - (y - qy) * ux
        beyond = along - math.sqrt(max(0.0, self.reach**2 - aside**2))
        to = qx + beyond * ux, qy + beyond * uy
        if abs(aside) > self.reach or not 0.0 <= beyond <= way.r or not self._is_free(to):
            return None
        start = link.start[0], px - way.inset * ux, py - way.inset * uy
        start = start if way.near.surface.depth(*start[1:]) >= 0.0 else link.start
        return link._replace(start=start, end=(_CONTACT, *to))

    def _turns(self, count: int) -> list[float]:
        """Angles about the target, on the side of who comes."""
        turn = math.atan2(self.start[1] - self.target.y, self.start[0] - self.target.x)
        return [turn + (k / count - 0.5) * math.pi for k in range(count + 1)]

    def _at(self, angle: float) -> Point:
        (x, y), reach = self.target.centre, self.reach
        return x + reach * math.cos(angle), y + reach * math.sin(angle)

    def _is_free(self, to: Point) -> bool:
        return _is_free(to, self.target, self.taken, self.terrain, self.way.r)


def _last(held: Callable[[float], bool], known: Mapping[float, bool]) -> list[float]:
    """The last angles that are held beside others that are not, among some in order of which it is
    known."""
    return [
        last_held(held, *((one, other) if known[one] else (other, one)), _LAST)
        for one, other in pairwise(known)
        if known[one] is not known[other]
    ]


def _is_free(to: Point, target: Body, taken: Sequence[Span], terrain: Terrain, r: float) -> bool:
    """Whether a base is carried where it comes to contact with a target, with no other there."""
    turn = math.atan2(to[1] - target.y, to[0] - target.x)
    if any((turn - a) % math.tau < b - a for a, b in taken):
        return False
    return is_held(terrain, Place(*to, target.z), r)


class Landing(NamedTuple):
    """Off a ledge and round a corner of it to contact, with no portal. level: in the air beyond."""

    id: str
    level: str
    goal: CircleGoal

    def leg(self, at: Point) -> Leg:
        """The last leg of who lands at a place."""
        return Leg(to=at, how="drop")


@lru_cache(maxsize=64)
def in_contact(z: float) -> Level:
    """The level of edges over which contact is come to, at the height of the target."""
    box = (-_FAR, -_FAR, _FAR, _FAR)
    return Level(_CONTACT, lambda compiled: Field.of(box=box, compiled=compiled), z)


def edge_contacts(
    chart: Chart, mover: Body, target: Body, taken: Sequence[Span] = ()
) -> Iterator[Touch | RimTouch | LeapTouch | Landing]:
    """Contact that is come to over edges about a target on level ground.

    taken: angles about the target, radians, at which another base is in the way."""
    surface = chart.terrain.under(target)
    if surface is None or surface.ramp is not None:
        return
    reach, ledges = radius(mover) + radius(target), dict[str, list[Portal]]()
    (x, y), near = target.centre, reach + radius(mover) + SPECK
    for portal in chart.portals_to.get(surface.id, ()):
        _, ax, ay, bx, by = portal.end
        if not (min(ax, bx) - near <= x <= max(ax, bx) + near):
            continue
        if not (min(ay, by) - near <= y <= max(ay, by) + near):
            continue
        if portal.kind in _MANNERS:
            for touch in _touches(portal, target, radius(mover), reach):
                for free in _untaken(touch, taken):
                    yield from _held(chart.terrain, free, radius(mover))
        elif portal.kind == "drop":
            ledges.setdefault(portal.start[0], []).append(portal)
    for rim in chart.over_rims:
        if isinstance(rim, Rim) and rim.kind == "climb" and rim.surface.id == surface.id:
            name = f"{surface.id} to contact"
            over = RimTouch(name, chart.terrain, rim, target, reach, taken).bounded()
            if over is not None:
                yield over
        elif (
            isinstance(rim, Passage)
            and rim.far.surface.id == surface.id
            and nearest_to_point(rim.far.edge, x, y).distance <= near
        ):
            yield LeapTouch(chart.terrain, rim, target, reach, mover.centre, taken)
    for name, portals in ledges.items():
        for way in chart.portals_to.get(name, ()):
            upper = chart.surfaces.get(way.start[0])
            if upper is not None and upper.ramp is None:
                yield from _landings(name, upper, portals, target, reach, taken)


def _touches(portal: Portal, target: Body, r: float, reach: float) -> Iterator[Touch]:
    """Pieces of an edge over which a target is come to before the base is set down whole."""
    (here, ax, ay, bx, by), (_, cx, cy, dx, dy) = portal.start, portal.end
    far, apart = math.hypot(bx - ax, by - ay), math.hypot(ax - cx, ay - cy)
    if apart <= SPECK:  # no base is set down there whole
        return
    ux, uy, nx, ny = (bx - ax) / far, (by - ay) / far, (ax - cx) / apart, (ay - cy) / apart
    cx, cy = cx + r * nx, cy + r * ny  # on the very edge
    deep = (cx - target.x) * nx + (cy - target.y) * ny
    if (dx - cx) * ux + (dy - cy) * uy < 0.0:  # up a corner
        return
    if deep <= 0.0 or deep - r >= reach:
        return
    least = math.sqrt(max(0.0, reach**2 - (deep - JUST_IN) ** 2)) if deep < reach else 0.0
    most = math.sqrt(reach**2 - max(0.0, deep - r) ** 2)
    middle = (target.x - cx) * ux + (target.y - cy) * uy
    pieces = [(-most, -least), (least, most)] if least else [(-most, most)]
    for number, (begin, end) in enumerate(pieces):
        s, t = max(0.0, middle + begin), min(far, middle + end)
        if t - s <= SPECK:
            continue
        name = f"{portal.id} to contact {number}"
        lower = here, ax + s * ux, ay + s * uy, ax + t * ux, ay + t * uy
        upper = _CONTACT, cx + s * ux, cy + s * uy, cx + t * ux, cy + t * uy
        way = Portal(name, portal.kind, lower, upper, portal.cost, False)
        yield Touch(name, way, target, (nx, ny), deep, reach)


def _untaken(touch: Touch, taken: Sequence[Span]) -> Iterator[Touch]:
    """The pieces of a piece of an edge over which no other base is in the way of contact."""
    if not taken:
        yield touch
        return
    here, there, (x, y) = touch.portal.start, touch.portal.end, touch.target.centre
    line, lower = Line(*there[1:]), Line(*here[1:])
    ux, uy = (line.bx - line.ax) / line.length, (line.by - line.ay) / line.length
    ends = {0.0, line.length}
    for angle in (angle for span in taken for angle in span):
        px, py = x + touch.reach * math.cos(angle), y + touch.reach * math.sin(angle)
        ends.add(min(line.length, max(0.0, (px - line.ax) * ux + (py - line.ay) * uy)))
    for number, (s, t) in enumerate(pairwise(sorted(ends))):
        to = touch.leg(line.at(0.5 * (s + t))).to
        angle = math.atan2(to[1] - y, to[0] - x) if to is not None else 0.0
        if t - s <= SPECK or any((angle - a) % math.tau < b - a for a, b in taken):
            continue
        name = f"{touch.id} {number}"
        start, end = (here[0], *lower.part(s, t)), (there[0], *line.part(s, t))
        portal = touch.portal._replace(id=name, start=start, end=end)
        yield touch._replace(id=name, portal=portal)


def _held(terrain: Terrain, touch: Touch, r: float) -> Iterator[Touch]:
    """As much of a piece of an edge as where more than half of the base is carried."""
    here, there = touch.portal.start, touch.portal.end
    line, lower = Line(*there[1:]), Line(*here[1:])

    def held(s: float) -> bool:
        to = touch.leg(line.at(s)).to
        return to is not None and is_held(terrain, Place(*to, touch.target.z), r)

    ends = 0.0, line.length
    inner = next((s for s in (*ends, 0.5 * line.length) if held(s)), None)
    if inner is None:
        return
    s, t = (end if held(end) else last_held(held, inner, end, 0.1 * TOLERANCE) for end in ends)
    if t - s > SPECK:
        start, end = lower.part(s, t), line.part(s, t)
        portal = touch.portal._replace(start=(here[0], *start), end=(there[0], *end))
        yield touch._replace(portal=portal)


def _landings(
    name: str,
    upper: Surface,
    portals: Sequence[Portal],
    target: Body,
    reach: float,
    taken: Sequence[Span],
) -> Iterator[Landing]:
    """Contact no farther off the corners of a ledge than the ways down are; there the base is just
    clear of it."""
    x, y = target.centre
    clear = min(
        -upper.depth(0.5 * (p.end[1] + p.end[3]), 0.5 * (p.end[2] + p.end[4])) for p in portals
    )
    circle = Arc(x, y, reach, 0.0, math.tau)
    spans = upper.outer.spans_near(circle, clear)
    shut = [((s - _CLEAR) / reach, (t + _CLEAR) / reach) for s, t in spans]
    if shut:
        yield Landing("", name, CircleGoal(x, y, reach, shut=(*shut, *taken)))


def by_ladders(chart: Chart, mover: Body, target: Body, limit: float) -> Iterator[Link]:
    """Ladders at whose foot or head no base stands, taken from where one first reaches them,
    straight from where it is or square off a floor too low to go under, and left for where it goes,
    or square off such a floor."""
    r, ladders = radius(mover), chart.terrain.table.ladders
    links = {link.id: link for link in chart.levels.links} if ladders else {}
    for ladder in ladders:
        link = links.get(f"ladder {ladder.id}")
        if link and _stands(chart, link.start, r) and _stands(chart, link.end, r):
            continue
        cost = math.dist(ladder.foot, ladder.head)
        for (ax, ay, az), (bx, by, bz) in (ends := (ladder.foot, ladder.head), ends[::-1]):
            far = math.dist((ax, ay), mover.centre) + cost + math.dist((bx, by), target.centre)
            if far - 4.0 * r - radius(target) > limit:
                continue
            ons = [_towards((ax, ay), mover.centre, r), *_off_floors(chart, mover, ax, ay, az)]
            offs = [*_left(target, (bx, by), r), *_off_floors(chart, mover, bx, by, bz)]
            for number, (start, to) in enumerate(product(ons, offs)):
                on, off = _there(chart, *start, az), _there(chart, *to, bz)
                if on is not None and off is not None and on[0] != off[0]:
                    name = f"ladder {ladder.id} {az!r} {number}"
                    yield Link(name, "ladder", on, off, cost, False)


def _off_floors(chart: Chart, mover: Body, x: float, y: float, z: float) -> Iterator[Point]:
    """Beside the floors at an end of a ladder that are too low to go under."""
    r = radius(mover)
    for plate in chart.terrain.plates((x, y, x, y)):
        px, py = plate.ground.nearest(x, y)
        ux, uy = plate.ground.outward(px, py)
        place = px + r * ux, py + r * uy
        low = chart.terrain.takes_room(plate, z, height(mover))
        if low and not more_than(math.dist(place, (x, y)), r):
            yield place


def _left(target: Body, head: Point, r: float) -> Iterator[Point]:
    """Where a ladder is left for a target: in contact, if it is so near, else towards it."""
    (x, y), reach = target.centre, r + radius(target)
    d = math.dist(head, target.centre)
    if not reach - r <= d <= reach + r or d <= 0.0:
        yield _towards(head, target.centre, r)
        return
    yield x + reach / d * (head[0] - x), y + reach / d * (head[1] - y)
    yield from both_circles((*head, r), (x, y, reach))


def _stands(chart: Chart, place: tuple[str, float, float], r: float) -> bool:
    """Whether a base may stand at a place of a chart."""
    name, x, y = place
    level = chart.levels.level(name)
    return level.field.standable(*level.own(x, y), r)


def _there(chart: Chart, x: float, y: float, z: float) -> tuple[str, float, float] | None:
    """A place at a height on a level of a chart."""
    for surface in chart.terrain.storeys.over(x, y, TOLERANCE):
        if surface.id in chart.surfaces and abs(surface.height(x, y) - z) <= TOLERANCE:
            return surface.id, x, y
    return None


def _towards(place: Point, other: Point, r: float) -> Point:
    """What is within a radius of a place and nearest to another."""
    d = math.dist(place, other)
    t = min(1.0, r / d) if d > 0.0 else 0.0
    return place[0] + t * (other[0] - place[0]), place[1] + t * (other[1] - place[1])
