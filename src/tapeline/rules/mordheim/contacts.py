"""Bases in contact: along a way, at its end, and across low barriers that both touch (3.6.8)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, same, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.rectangles.contact import border_of, distance_to, spans_inside
from tapeline.geometry.rectangles.rectangle import (
    region_of_circle,
    separation,
)
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.policy import terrain_of
from tapeline.rules.mordheim.standing import clear_spans, meeting_part
from tapeline.rules.mordheim.state import footprint
from tapeline.rules.mordheim.terrain import LOW
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Solid
from tapeline.travel.route import Crossing, Route, Stretch
from tapeline.travel.terrain import Terrain, sunk_into

__all__ = [
    "across_barrier",
    "barriers_touched",
    "fights_from",
    "first_contact",
    "in_contact",
    "stands_on",
]

Point: TypeAlias = tuple[float, float]


def across_barrier(state: State, a: Body, b: Body) -> bool:
    """Whether two models fight across a low barrier: both touch it, or one stands on it and it
    leaves the other no room to come up and touch (3.6.8)."""
    if not closer_than(abs(a.z - b.z), CONTACT_RISE_IN):
        return False
    if math.hypot(a.x - b.x, a.y - b.y) > a.base.reach + b.base.reach + 4.0:
        return False
    ground = terrain_of(state)
    for low, other in ((a, b), (b, a)):
        for solid in barriers_touched(ground, low):
            if not _holds_gap(solid, a, b):
                continue
            if low is a and solid in barriers_touched(ground, b):
                return True
            if stands_on(solid, other) and not _room_beside(state, low, other):
                return True
    return False


def stands_on(solid: Solid, body: Body) -> bool:
    """Whether a base stands on top of a solid, with some of it at least."""
    return same(solid.top, body.z) and overlaps(sunk_into(body, solid.ground))


def _room_beside(state: State, low: Body, top: Body) -> bool:
    """Whether one could come up to where another stands and touch it there."""
    surface = terrain_of(state).storeys.support(top.x, top.y, top.z, TOLERANCE)
    if surface is None or surface.ramp is not None:
        return False
    border = border_of(meeting_part(low, top))
    return any(clear_spans(state, low, piece, surface, (top.id,)) for piece in border)


def barriers_touched(ground: Terrain, body: Body) -> Iterator[Solid]:
    """Low barriers that a base touches."""
    r = body.base.reach + TOLERANCE
    for solid in ground.storeys.solids_near((body.x - r, body.y - r, body.x + r, body.y + r)):
        rise = solid.top - body.z
        if solid.walk_through or not more_than(rise, 0.0) or more_than(solid.bottom, body.z + 1.0):
            continue
        low = ground.low(rise) or LOW in solid.traits
        if low and within(-sunk_into(body, solid.ground), 0.0):
            yield solid


def _holds_gap(solid: Solid, a: Body, b: Body) -> bool:
    """Whether the segment between the nearest points of two bases crosses a barrier: lies inside
    it, and is no longer than the way straight through, so that it does not run along it."""
    one, two = _nearest_points(a, b)
    gap = Line(*one, *two)
    return solid.ground.holds(gap, TOLERANCE) and within(gap.length, _through(solid, gap))


def _through(solid: Solid, gap: Line) -> float:
    """How far it is through a barrier, square to one of its sides, at the middle of a segment."""
    ring = solid.ground.ring
    if ring is None:
        return math.inf
    x, y = gap.at(0.5 * gap.length)
    far = 2.0 * max(math.hypot(x - ring[k], y - ring[k + 1]) for k in range(0, len(ring), 2))
    least = math.inf
    for k in range(0, len(ring), 2):
        ux, uy = ring[k] - ring[k - 2], ring[k + 1] - ring[k - 1]
        d = math.hypot(ux, uy)
        line = Line(x - far * uy / d, y + far * ux / d, x + far * uy / d, y - far * ux / d)
        for begin, end in solid.ground.spans(line):
            if begin - TOLERANCE <= far <= end + TOLERANCE:
                least = min(least, end - begin)
    return least


def _nearest_points(a: Body, b: Body) -> tuple[Point, Point]:
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        d = math.hypot(b.x - a.x, b.y - a.y)
        ux, uy = ((b.x - a.x) / d, (b.y - a.y) / d) if d > 0.0 else (1.0, 0.0)
        return (
            (a.x + a.base.radius * ux, a.y + a.base.radius * uy),
            (b.x - b.base.radius * ux, b.y - b.base.radius * uy),
        )
    shapes = [
        region_of_circle(m.x, m.y, m.base.radius) if isinstance(m.base, Round) else footprint(m)
        for m in (a, b)
    ]
    found = separation(shapes[0], shapes[1])
    return found.on_a, found.on_b


def in_contact(state: State, body: Body) -> list[Body]:
    """Enemies whose bases touch a model's, in scene order."""
    return [enemy for enemy in state.enemies(body) if touching(body, enemy)]


def fights_from(state: State, body: Body) -> list[Body]:
    """Enemies it would fight where it stands: in contact, or across a low barrier (3.6.8)."""
    return [e for e in state.enemies(body) if touching(body, e) or across_barrier(state, body, e)]


def first_contact(body: Body, enemy: Body, track: Route) -> tuple[float, Place] | None:
    """Length of the way at which a base first touches another, and the place; None if never.

    body: as it stands at the start of the way. Jumps pass over; only where they land counts.
    """
    for gone, part in track.marked:
        if isinstance(part, Crossing):
            if touching(_at(body, part.end), enemy):
                return gone + part.length, part.end
        else:
            share = _first_touch(body, enemy, part)
            if share is not None:
                return gone + share * part.length, part.at(share)
    return None


def _at(body: Body, place: Place) -> Body:
    return replace(body, x=place.x, y=place.y, z=place.z, _digest=[])


def _first_touch(body: Body, enemy: Body, part: Stretch) -> float | None:
    """Share of a piece at which the bases first touch."""
    spans = list(_level_span(part, enemy))
    leg = part.leg
    if (
        not spans
        or nearest_to_point(leg, *enemy.centre).distance
        > body.base.reach + enemy.base.reach + TOLERANCE
    ):
        return None
    low, high = spans[0]
    meet = meeting_part(body, enemy)
    if leg.length <= 0.0:
        return low if within(distance_to(meet, *leg.start)[0], 0.0) else None
    # Where the bases meet to the letter; if they only pass within the tolerance, where that begins.
    for more in (0.0, TOLERANCE):
        for begin, end in spans_inside(meet, leg, more):
            a, b = max(low, begin / leg.length), min(high, end / leg.length)
            if a <= b:
                return a
    return None


def _level_span(part: Stretch, enemy: Body) -> Iterator[tuple[float, float]]:
    """The shares of a piece at which its height is less than 1 inch from the enemy's."""
    a, b = part.start.z - enemy.z, part.end.z - enemy.z
    if a == b:
        if closer_than(abs(a), CONTACT_RISE_IN):
            yield 0.0, 1.0
        return
    limit = CONTACT_RISE_IN - 2 * TOLERANCE
    ends = sorted(((-limit - a) / (b - a), (limit - a) / (b - a)))
    low, high = max(0.0, ends[0]), min(1.0, ends[1])
    if low <= high:
        yield low, high
