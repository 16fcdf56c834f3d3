"""Gaps between models, where they stand and along a way in three dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than, overlaps, same, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.sweeps import farthest_from_point, nearest_to_point, spans_near_point
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.state import base_mm, flies, height, radius
from tapeline.table.bodies import Body
from tapeline.travel.route import Route, Stretch

__all__ = [
    "Around",
    "Near",
    "around",
    "away_from",
    "comes_back",
    "comes_onto",
    "enemies_within",
    "first_near",
    "gap",
    "gap_at",
    "gap_there",
    "holding",
    "ignored_by",
    "least",
    "leaves",
    "level_with",
    "lowest",
    "most",
    "overlap",
    "reach_of",
    "runs_over",
]


def gap(a: Body, b: Body) -> float:
    """Least distance between two bases, inches: zero when one stands over the other, G-2."""
    return gap_at(math.hypot(a.x - b.x, a.y - b.y), a, b)


def gap_at(centre_distance: float, a: Body, b: Body) -> float:
    """The gap of two bases whose centres are so far apart on the plan, inches."""
    flat = max(0.0, centre_distance - radius(a) - radius(b))
    return flat if a.z == b.z else math.hypot(flat, a.z - b.z)


def reach_of(a: Body, b: Body, limit: float) -> float | None:
    """Centre distance on the plan at which the gap is `limit`, inches; None if it never is."""
    rise = abs(a.z - b.z)
    if not within(rise, limit):
        return None
    return radius(a) + radius(b) + math.sqrt(max(0.0, limit * limit - rise * rise))


def level_with(a: Body, b: Body) -> bool:
    """Whether two bases stand at one height, so that they could overlap."""
    return same(a.z, b.z)


class Around(NamedTuple):
    """Models near another one, in scene order."""

    friends: list[Body]
    enemies: list[Body]


def around(state: State, body: Body, far: float) -> Around:
    """Other models whose bases come, on the plan, as near as `far` to the centre of one."""
    found = Around([], [])
    x, y, side, me = body.x, body.y, body.side, body.id
    for other in state.bodies.values():
        dx, dy, reach = other.x - x, other.y - y, far + other.base.reach
        if dx * dx + dy * dy <= reach * reach and other.id != me:
            (found.friends if other.side == side else found.enemies).append(other)
    return found


def enemies_within(state: State, body: Body, limit: float) -> list[Body]:
    """Enemies whose gap to a body is within the limit, in scene order."""
    near = around(state, body, radius(body) + limit + 2.0 * TOLERANCE).enemies
    return [enemy for enemy in near if within(gap(body, enemy), limit)]


def ignored_by(body: Body, enemy: Body) -> bool:
    """Whether the enemy's base is too small to hold this model back, TC-KW-3."""
    limit = body.stat("retreat_guard_base_mm")
    return limit > 0 and within(base_mm(enemy), limit)


def holding(state: State, body: Body) -> list[Body]:
    """S: the enemies within 1 inch of a model, in scene order."""
    return enemies_within(state, body, NEAR_IN)


def away_from(body: Body, enemies: list[Body]) -> tuple[float, float] | None:
    """Unit vector along the sum of the unit vectors from enemies to a model; None if it is 0."""
    sx = sy = 0.0
    for enemy in enemies:
        dx, dy = body.x - enemy.x, body.y - enemy.y
        d = math.hypot(dx, dy)
        if d > 0.0:
            sx, sy = sx + dx / d, sy + dy / d
    length = math.hypot(sx, sy)
    return None if same(length, 0.0) else (sx / length, sy / length)


#: Halvings that find a place on a leg.
_HALVINGS = 90
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


class Near(NamedTuple):
    """A gap somewhere on a way: how wide, after what length, and where; inches."""

    gap: float
    travelled: float
    place: Place


def gap_there(mover: Body, other: Body, place: Place) -> float:
    """The gap between a mover that stands, or flies, at a place and another base, G-2.

    Beside a flyer another model is as tall as its body (reading fly_clearance, volume).
    """
    flat = math.hypot(place.x - other.x, place.y - other.y) - radius(mover) - radius(other)
    rise = other.z - place.z
    if rise < 0.0 and flies(mover):
        rise = min(0.0, rise + height(other))
    if flat <= 0.0:
        return abs(rise)
    return flat if rise == 0.0 else math.hypot(flat, rise)


def lowest(f: Callable[[float], float]) -> float:
    """Where a convex function of 0 to 1 is least."""
    low, high = 0.0, 1.0
    a, b = 1.0 - _GOLDEN, _GOLDEN
    fa, fb = f(a), f(b)
    for _ in range(_HALVINGS):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - _GOLDEN * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + _GOLDEN * (high - low)
            fb = f(b)
    middle = 0.5 * (low + high)
    return min((0.0, middle, 1.0), key=f)


def _there(before: float, piece: Stretch, t: float, mover: Body, other: Body) -> Near:
    """The gap at a share of a piece."""
    place = piece.at(t)
    return Near(gap_there(mover, other, place), before + t * piece.length, place)


def _on_level(way: Route, mover: Body, other: Body, limit: float) -> float | None:
    """Centre distance at which the gap on a level way is a limit; None if it surely never is."""
    reach = reach_of(mover, other, limit)
    if reach is not None:
        x, y, _ = way.start
        span = reach + way.length + 1e-3
        if (other.x - x) ** 2 + (other.y - y) ** 2 <= span * span:
            return reach
    return None


def _begin(way: Route, mover: Body, other: Body) -> Near:
    return Near(gap_there(mover, other, way.start), 0.0, way.start)


def _far_off(piece: Stretch, mover: Body, other: Body, limit: float) -> bool:
    a = piece.start
    span = limit + radius(mover) + radius(other) + math.dist(a, piece.end)
    if piece.arc is not None:
        span += 2.0 * piece.length
    return math.hypot(a.x - other.x, a.y - other.y) > span + 1e-3


def _nearest(piece: Stretch, mover: Body, other: Body) -> float:
    """The share of a piece at which the gap is least."""
    if piece.arc is not None:
        return nearest_to_point(piece.leg, other.x, other.y).travelled / piece.leg.length
    (ax, ay, az), (bx, by, bz) = piece.start, piece.end
    if az != bz:
        return lowest(lambda t: gap_there(mover, other, piece.at(t)))
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    along = (other.x - ax) * dx + (other.y - ay) * dy
    return min(1.0, max(0.0, along / square)) if square > 0.0 else 0.0


def _turns(piece: Stretch, other: Body) -> list[float]:
    """Shares of a piece between which its greatest gap lies at one of them, in order."""
    if piece.arc is None:
        return [0.0, 1.0]
    far = farthest_from_point(piece.leg, other.x, other.y).travelled
    return [0.0, far / piece.leg.length, 1.0]


def _halved(
    piece: Stretch,
    mover: Body,
    other: Body,
    low: float,
    high: float,
    holds: Callable[[float], bool],
) -> float:
    """The least share of a piece at which something holds of the gap that does at the high one."""
    for _ in range(_HALVINGS if high > low else 0):
        middle = 0.5 * (low + high)
        if holds(gap_there(mover, other, piece.at(middle))):
            high = middle
        else:
            low = middle
    return high


def least(way: Route, mover: Body, other: Body, limit: float) -> Near | None:
    """The least gap on a way, the first such place; None if it is surely more than a limit."""
    if way.level:
        if _on_level(way, mover, other, limit) is None:
            return None
        close = way.nearest(other.centre)
        place = Place(*close.place, mover.z)
        return Near(gap_at(close.distance, mover, other), close.travelled, place)
    best: Near | None = _begin(way, mover, other)
    if best is not None and not within(best.gap, limit):
        best = None
    for before, piece in way.traced:
        if _far_off(piece, mover, other, limit):
            continue
        near = _there(before, piece, _nearest(piece, mover, other), mover, other)
        if best is None or near.gap < best.gap - 1e-12:
            best = near
    return best


def first_near(way: Route, mover: Body, other: Body, limit: float) -> Near | None:
    """The first place on a way with a gap of a limit or less; a tangent counts, at its place."""
    if way.level:
        reach = _on_level(way, mover, other, limit)
        s = None if reach is None else way.touches(other.centre, reach)
        return None if s is None else Near(limit, s, way.place(s))
    here = _begin(way, mover, other)
    if here.gap <= limit:
        return here
    for before, piece in way.traced:
        if _far_off(piece, mover, other, limit):
            continue
        t = _nearest(piece, mover, other)
        near = _there(before, piece, t, mover, other)
        if not within(near.gap, limit):
            continue
        if near.gap < limit:
            reach = radius(mover) + radius(other) + limit
            spans = []
            if piece.arc is not None and level_with(mover.at(*near.place), other):
                spans = spans_near_point(piece.leg, other.x, other.y, reach)
            if spans:
                t = spans[0][0] / piece.leg.length
            else:
                t = _halved(piece, mover, other, 0.0, t, lambda gap: gap <= limit)
            near = _there(before, piece, t, mover, other)
        return near
    return None


def most(way: Route, mover: Body, other: Body) -> Near:
    """The greatest gap on a way, the first such place."""
    if way.level:
        far = way.farthest(other.centre)
        place = Place(*far.place, mover.z)
        return Near(gap_at(far.distance, mover, other), far.travelled, place)
    best = _begin(way, mover, other)
    for before, piece in way.traced:
        for t in sorted(_turns(piece, other), key=lambda t: 0.0 < t < 1.0):
            near = _there(before, piece, t, mover, other)
            if near.gap > best.gap + 1e-12:
                best = near
    return best


def leaves(way: Route, mover: Body, other: Body, limit: float) -> float:
    """The first length at which the gap is more than a limit; the whole length if it never is."""
    if way.level:
        reach = reach_of(mover, other, limit)
        return way.length if reach is None else way.leaves(other.centre, reach)
    if more_than(gap_there(mover, other, way.start), limit):
        return 0.0
    for before, piece in way.traced:
        for one, two in pairwise(_turns(piece, other)):
            if more_than(gap_there(mover, other, piece.at(two)), limit):
                t = _halved(piece, mover, other, one, two, lambda gap: gap > limit)
                return before + t * piece.length
    return way.length


def comes_back(way: Route, mover: Body, other: Body, limit: float) -> Near | None:
    """Where a way that has got farther than a limit from a model is as near again, and the length
    at which it came to that; None if it never does."""
    if way.level and _on_level(way, mover, other, limit) is None:
        return None
    out: float | None = None
    for near in _samples(way, mover, other):
        if more_than(near.gap, limit):
            out = near.travelled
        elif out is not None:
            return near._replace(travelled=_enters(way, mover, other, limit, out, near.travelled))
    return None


def _samples(way: Route, mover: Body, other: Body) -> Iterator[Near]:
    """Places of a way between which its gap to a model only grows or only falls, in order."""
    yield _begin(way, mover, other)
    for before, piece in way.traced:
        for t in sorted({*_turns(piece, other), _nearest(piece, mover, other)}):
            yield _there(before, piece, t, mover, other)


def _enters(way: Route, mover: Body, other: Body, limit: float, out: float, near: float) -> float:
    """Where a gap that only falls between two lengths comes to a limit."""
    reach = reach_of(mover, other, limit)
    if way.level and reach is not None:
        return way.last_entry(other.centre, reach, near)
    while near - out > 0.5 * TOLERANCE:
        middle = 0.5 * (out + near)
        if gap_there(mover, other, way.place(middle)) > limit:
            out = middle
        else:
            near = middle
    return near


def overlap(mover: Body, other: Body, place: Place) -> float:
    """How deep two bases are in each other if the mover stands at a place; 0 at other heights."""
    if abs(place.z - other.z) > TOLERANCE:
        return 0.0
    apart = math.hypot(place.x - other.x, place.y - other.y)
    return max(0.0, radius(mover) + radius(other) - apart)


def runs_over(way: Route, mover: Body, other: Body, *, sliding: bool = False) -> Near | None:
    """Where a way leads deepest over another base, how deep in place of a gap, and the length at
    which it comes onto it; None if it does not. Who slides may begin in contact by the tolerance.
    """
    if way.level:
        return _runs_over_level(way, mover, other, sliding)
    deep = _deepest(way, mover, other)
    if not overlaps(deep.gap):
        return None
    if sliding and deep.gap <= overlap(mover, other, way.start) + TOLERANCE:
        return None
    return deep._replace(travelled=min(deep.travelled, comes_onto(way, mover, other)))


def _runs_over_level(way: Route, mover: Body, other: Body, sliding: bool) -> Near | None:
    room, begin = radius(mover) + radius(other), math.dist(way.start.xy, other.centre)
    if not level_with(mover, other) or begin > room + way.length + 1e-3:
        return None
    if sliding:
        room = min(room, begin)
    near = way.nearest(other.centre)
    if not overlaps(room - near.distance):
        return None
    s = way.enters(other.centre, room)
    if s == 0.0 and not overlaps(room - begin):
        s = way.enters(other.centre, room - TOLERANCE)
    at = near.travelled if s is None else s
    return Near(room - near.distance, at, Place(*near.place, mover.z))


def _deepest(way: Route, mover: Body, other: Body) -> Near:
    """Where two bases are deepest in each other on a way: how deep, in place of a gap."""
    best = Near(0.0, 0.0, way.start)
    for before, part in way.marked:
        places = [(before + part.length, part.end)]
        if isinstance(part, Stretch) and part.length > 0.0:
            leg = part.leg
            near = nearest_to_point(leg, other.x, other.y)
            t = near.travelled / leg.length if leg.length else 0.0
            places.insert(0, (before + t * part.length, part.at(t)))
        for s, place in places:
            depth = overlap(mover, other, place)
            if depth > best.gap:
                best = Near(depth, s, place)
    return best


def comes_onto(way: Route, mover: Body, other: Body) -> float:
    """The length at which the base first comes onto another; the whole length if it never does."""
    room = radius(mover) + radius(other)
    if way.level:
        s = way.enters(other.centre, room)
        return way.length if s is None else s
    for before, part in way.marked:
        if not isinstance(part, Stretch):
            if overlap(mover, other, part.end) > TOLERANCE:
                return before
            continue
        leg = part.leg
        for begin, _ in spans_near_point(leg, other.x, other.y, room) if leg.length else []:
            t = begin / leg.length
            if abs(part.at(t).z - other.z) <= TOLERANCE:
                return before + t * part.length
    return way.length
