"""MH-CHG-10 and -15: enemies beside the route of a charge (3.6.5).

The corridor is the centre line of the route on the plan with so much to each side of it, and discs
at its corners; its ends are flat, or round where `intercept_caps` says so. An enemy intercepts if
its base meets the corridor and is no farther from the line than it is wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, closer_than, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.plane.sweeps import nearest_to_point, nearest_to_ring
from tapeline.geometry.rectangles.contact import spans_inside
from tapeline.geometry.rectangles.rectangle import Part, Rect, Region, separation
from tapeline.rules.mordheim.contact import flat_gap, meeting_part, spans_over
from tapeline.rules.mordheim.figures import BOOK, CONTACT_RISE_IN, CORRIDOR_IN
from tapeline.rules.mordheim.state import (
    base_part,
    charging_allowance,
    condition,
    height,
    is_engaged,
    is_fleeing,
    is_hidden,
    radius,
)
from tapeline.rules.mordheim.terrain import free_at, terrain_of
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import box_of
from tapeline.table.storeys import storeys_of
from tapeline.travel.route import Route, Stretch

__all__ = [
    "Barred",
    "Interceptor",
    "barred_at",
    "corridor_width",
    "distance_to_route",
    "interceptors",
    "passed_by",
    "set_in_way",
]

BOOK.resolves_each("""
MH-CHG-10 (seed) No charge past another enemy who fights nobody and stands within 2 inches of its
    route.
MH-CHG-15 (public) By the newer text the opponent may set one such enemy in the way of the charger.
""")

#: Radians: less of a turn between two pieces of a route is no corner.
_STRAIGHT = 1e-6
#: What of a piece of a route at each end of it is too near that end to tell two routes apart.
_ENDS = 0.1
#: Length, inches: a bound exceeds what it is compared with by more than rounding.
_CLEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Interceptor:
    """An enemy beside the route: how far from the line, within how much that counts, and the
    nearest point of the line; inches."""

    body: str
    gap: float
    limit: float
    place: tuple[float, float]


def _pieces(track: Route) -> list[Stretch]:
    """The pieces of a route; its crossings as straight ones."""
    return [p if isinstance(p, Stretch) else Stretch(p.start, p.end) for p in track.parts]


def _height(piece: Stretch, travelled: float) -> float:
    """The height after some length of a piece on the plan."""
    low, high, length = piece.start.z, piece.end.z, piece.leg.length
    return low + (travelled / length if length > 0.0 else 0.0) * (high - low)


def _rise(piece: Stretch, enemy: Body) -> float:
    """How far an enemy stands below all of a piece, or above it."""
    low, high = sorted((piece.start.z, piece.end.z))
    return max(0.0, low - enemy.z, enemy.z - high)


def _flat_distance(leg: Line | Arc, enemy: Body) -> tuple[float, float]:
    """Distance of a leg to a base on the plan, 0 inside it, and where along the leg."""
    if isinstance(enemy.base, Round):
        near = nearest_to_point(leg, enemy.x, enemy.y)
        return max(0.0, near.distance - enemy.base.radius), near.travelled
    near = nearest_to_ring(leg, base_part(enemy).loop)
    return max(0.0, near.distance), near.travelled


def distance_to_route(
    state: State, track: Route, enemy: Body, most: float = math.inf
) -> tuple[float, Place]:
    """Distance of an enemy's base to the centre line, by `distance_mode`, and the nearest point.

    most: farther pieces need not be measured; infinity if all are.
    """
    best, place = math.inf, track.start
    for piece in _pieces(track):
        if _at_least(state, piece, enemy) > min(best, most) + _CLEAR:
            continue
        distance, s = _piece_distance(state, piece, enemy)
        if distance < best:
            best, place = distance, Place(*piece.leg.at(s), _height(piece, s))
    if not track.parts:
        best, _ = _piece_distance(state, Stretch(track.start, track.start), enemy)
    return best, place


def _at_least(state: State, piece: Stretch, enemy: Body) -> float:
    """A bound on the distance of an enemy to a piece that costs little; 0 where none does."""
    if state.option("distance_mode") == "plan2d" or piece.start.z == piece.end.z:
        return 0.0
    return math.hypot(_flat_distance(piece.leg, enemy)[0], _rise(piece, enemy))


def _piece_distance(state: State, piece: Stretch, enemy: Body) -> tuple[float, float]:
    leg = piece.leg
    flat, s = _flat_distance(leg, enemy)
    if state.option("distance_mode") == "plan2d":
        return flat, s
    if piece.start.z == piece.end.z:
        return math.hypot(flat, piece.start.z - enemy.z), s
    length = leg.length
    if length == 0.0:
        return math.hypot(flat, _rise(piece, enemy)), 0.0
    # On a slope: the distance to a level base is convex along a straight line.

    def measured(t: float) -> float:
        at = leg.at(t)
        point = Line(*at, *at)
        return math.hypot(_flat_distance(point, enemy)[0], _height(piece, t) - enemy.z)

    nearest = least_of_convex(measured, 0.0, length, 1e-12 * max(1.0, length))
    s = min((0.0, nearest, length), key=measured)
    return measured(s), s


# The corridor on the plan.


def corridor_width(state: State, charger: Body) -> float:
    """Inches to each side of the centre line (`intercept_from`)."""
    if state.option("intercept_from") == "swept_base":
        return CORRIDOR_IN + radius(charger)
    return CORRIDOR_IN


def _meets(enemy: Body, pieces: list[Stretch], width: float) -> bool:
    """Whether a base meets the corridor with flat ends; touching counts."""
    legs = [piece.leg for piece in pieces if piece.leg.length > 0.0]
    for leg in legs:
        if within(_to_strip(enemy, leg, width), 0.0):
            return True
    for first, second in pairwise(legs):
        turn = _heading(second, False) - _heading(first, True)
        if abs(math.remainder(turn, math.tau)) > _STRAIGHT:
            x, y = first.end
            if within(_flat_distance(Line(x, y, x, y), enemy)[0], width):
                return True
    return False


def _heading(leg: Line | Arc, at_end: bool) -> float:
    if isinstance(leg, Line):
        return math.atan2(leg.by - leg.ay, leg.bx - leg.ax)
    angle = leg.angle(leg.length if at_end else 0.0)
    return angle + math.copysign(0.5 * math.pi, leg.sweep)


def _to_strip(enemy: Body, leg: Line | Arc, width: float) -> float:
    """Distance of a base to what lies within a width of a leg along its normals; 0 or less if
    they overlap."""
    if isinstance(leg, Line):
        middle = (0.5 * (leg.ax + leg.bx), 0.5 * (leg.ay + leg.by))
        strip = Rect(*middle, _heading(leg, False), 2.0 * width, leg.length)
        base = base_part(enemy)
        own = Region((base,), (enemy.x, enemy.y, enemy.x, enemy.y))
        return separation(own, Region((Part(strip.loop),), (*middle, *middle))).gap
    rim = Arc(leg.cx, leg.cy, leg.radius + width, leg.begin, leg.sweep)
    best = _to_ring_sector(enemy, rim, max(0.0, leg.radius - width))
    if width > leg.radius:
        # Normals longer than the radius run through the centre and out on the other side.
        rim = Arc(leg.cx, leg.cy, width - leg.radius, leg.begin + math.pi, leg.sweep)
        best = min(best, _to_ring_sector(enemy, rim, 0.0))
    return best


def _to_ring_sector(enemy: Body, rim: Arc, inner: float) -> float:
    """Distance of a base to the part of a ring between an inner radius and a rim."""
    x, y = enemy.centre
    dx, dy = x - rim.cx, y - rim.cy
    d = math.hypot(dx, dy)
    if inner <= d <= rim.radius and rim.travelled_to(math.atan2(dy, dx)) is not None:
        return 0.0
    borders: list[Line | Arc] = [rim]
    if inner > 0.0:
        borders.append(Arc(rim.cx, rim.cy, inner, rim.begin, rim.sweep))
    for angle in (rim.begin, rim.begin + rim.sweep):
        c, s = math.cos(angle), math.sin(angle)
        borders.append(
            Line(
                rim.cx + inner * c,
                rim.cy + inner * s,
                rim.cx + rim.radius * c,
                rim.cy + rim.radius * s,
            )
        )
    return min(_flat_distance(border, enemy)[0] for border in borders)


def _may_intercept(state: State, charger: Body, enemy: Body) -> bool:
    if enemy.side == charger.side or is_engaged(enemy):
        return False
    if state.option("intercept_exclude") == "none":
        return True
    return condition(enemy) == "standing" and not is_fleeing(enemy) and not is_hidden(enemy)


def passed_by(state: State, charger: Body, track: Route, targets: tuple[str, ...]) -> bool:
    """Whether some other enemy stands near enough that a route so long could have led past it; one
    over a gap counts as long as any charge, so as not to tell how wide that is (MH-GAP-3)."""
    jumps = any(hurdle.kind == "gap" for hurdle in track.crossings)
    far = charging_allowance(charger) if jumps else track.length
    far += corridor_width(state, charger)
    return any(
        enemy.id not in targets and within(flat_gap(charger, enemy), far)
        for enemy in state.enemies(charger)
    )


class Barred(NamedTuple):
    """A place of a route beside which an enemy stands, and the side on which, a unit vector."""

    place: Place
    side: tuple[float, float]


def barred_at(state: State, track: Route, enemy: Body) -> Barred | None:
    """A place of the piece of a route that passes an enemy the nearest, short of its ends, or where
    a crossing lands: a way over there passes him as well. None of a route that leads straight up or
    down."""
    passed = [
        (*_piece_distance(state, piece, enemy), piece, isinstance(part, Stretch))
        for part, piece in zip(track.parts, _pieces(track), strict=True)
        if piece.leg.length > TOLERANCE
    ]
    if not passed:
        return None
    _, s, piece, walked = min(passed, key=lambda one: one[0])
    leg = piece.leg
    if not walked:
        s = leg.length
    elif not _ENDS * leg.length <= s <= (1.0 - _ENDS) * leg.length:
        s = 0.5 * leg.length
    x, y = leg.at(s)
    way = _heading(leg, False) if isinstance(leg, Line) else leg.angle(s) + 0.5 * math.pi
    left = (-math.sin(way), math.cos(way))
    sign = math.copysign(1.0, (enemy.x - x) * left[0] + (enemy.y - y) * left[1])
    return Barred(Place(x, y, _height(piece, s)), (sign * left[0], sign * left[1]))


def interceptors(
    state: State, charger: Body, track: Route, targets: tuple[str, ...]
) -> list[Interceptor]:
    """Enemies that intercept a charge along a route, in scene order, by the readings in force."""
    width = corridor_width(state, charger)
    flat_ends = state.option("intercept_caps") == "flat"
    pieces = _pieces(track)
    found = []
    for enemy in state.bodies.values():
        if enemy.id in targets or not _may_intercept(state, charger, enemy):
            continue
        distance, place = distance_to_route(state, track, enemy, width)
        if not within(distance, width):
            continue
        if flat_ends and not _meets(enemy, pieces, width):
            continue
        found.append(Interceptor(enemy.id, distance, width, place.xy))
    return found


# Setting one in the way.


def set_in_way(state: State, near: Interceptor, track: Route) -> Place | None:
    """Where an interceptor is set: the point of the centre line nearest to it at which its base
    fits, clear of other bases, solids and low barriers alike; None if it fits nowhere."""
    enemy = state.body(near.body)
    places = [place for piece in _pieces(track) for place in _places(state, enemy, piece)]
    by_way = sorted(places, key=lambda p: math.dist(p, (enemy.x, enemy.y, enemy.z)))
    return next((place for place in by_way if _fits(state, enemy, place)), None)


def _fits(state: State, enemy: Body, place: Place) -> bool:
    supported = storeys_of(state.table).support(*place, TOLERANCE) is not None
    return supported and free_at(state, terrain_of(state), enemy, *place)


def _places(state: State, enemy: Body, piece: Stretch) -> Iterator[Place]:
    """Where on a piece of the line the nearest place for a base may be: its nearest point, its
    ends, and where the base comes clear of another or of a solid."""
    leg, tall = piece.leg, height(enemy)
    low, high = sorted((piece.start.z, piece.end.z))
    marks = {nearest_to_point(leg, enemy.x, enemy.y).travelled, 0.0, leg.length}
    for other in state.others(enemy):
        level = closer_than(other.z - high, CONTACT_RISE_IN) and closer_than(
            low - other.z, CONTACT_RISE_IN
        )
        if level and leg.length > 0.0:
            marks |= {s for span in spans_inside(meeting_part(enemy, other), leg) for s in span}
    ground = terrain_of(state)
    box = box_of(leg, enemy.base.reach)
    for solid in ground.beside(box, low, tall) if low == high else ground.with_plates(box):
        if leg.length > 0.0 and ground.takes_room(solid, low, tall + high - low):
            marks |= {s for span in spans_over(enemy, solid.ground, leg) for s in span}
    for s in marks:
        yield Place(*leg.at(s), _height(piece, s))
