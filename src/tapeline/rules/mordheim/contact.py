"""Distances and contact of bases, along a way and across low barriers; room to stand."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import pairwise

from tapeline.engine.bases import base_overlap, base_shape
from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, same, within
from tapeline.engine.paths import Place, Point
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Leg, Line
from tapeline.geometry.plane.sweeps import Span, nearest_to_point
from tapeline.geometry.rectangles.contact import border_of, distance_to, overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part, separation
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.state import base_part, footprint, height
from tapeline.rules.mordheim.terrain import LOW, free_at, stand_height, terrain_of
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import Surface
from tapeline.travel.route import Crossing, Route, Stretch, shares_between
from tapeline.travel.terrain import Terrain, sunk_into

__all__ = [
    "ACROSS",
    "about_centre",
    "across_barrier",
    "barriers_touched",
    "clear_spans",
    "discs_of",
    "fights_from",
    "first_contact",
    "flat_gap",
    "gap",
    "gap_of",
    "in_contact",
    "meeting_part",
    "near_level",
    "spans_over",
    "stands_on",
    "touching",
]


# Distances (3.1).


def flat_gap(a: Body, b: Body) -> float:
    """Distance of two bases on the plan, inches: 0 where they overlap."""
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        return max(0.0, math.hypot(a.x - b.x, a.y - b.y) - a.base.radius - b.base.radius)
    return max(0.0, -base_overlap(a, b))


def gap_of(state: State, flat: float, rise: float) -> float:
    """The gap for a distance on the plan and a difference of base heights, inches."""
    if rise == 0.0 or state.option("distance_mode") == "plan2d":
        return flat
    return math.hypot(flat, rise)


def gap(state: State, a: Body, b: Body) -> float:
    """Distance from base to base by the reading in force (`distance_mode`), inches."""
    return gap_of(state, flat_gap(a, b), a.z - b.z)


def touching(a: Body, b: Body) -> bool:
    """Whether two bases are in contact: no gap on the plan, less than 1 inch of height between."""
    if not closer_than(abs(a.z - b.z), CONTACT_RISE_IN):
        return False
    return within(flat_gap(a, b), 0.0)


# Room.


#: Inches: those farther from each other do not meet across a barrier.
ACROSS = 4.0
#: Length: shorter pieces of a line are roundings.
_SPECK = 1e-9


def about_centre(body: Body) -> Part:
    """The base of a model as it faces, about its centre."""
    return base_part(body.at(0.0, 0.0))


def meeting_part(body: Body, other: Body) -> Part:
    """Where the centre of a model is while its base, facing as it does, overlaps another; they
    touch on its border."""
    return overlap_part(base_part(other), about_centre(body))


def spans_over(body: Body, plan: Plan, leg: Leg) -> Iterator[Span]:
    """Lengths of a leg between which a base overlaps a plan."""
    shape = about_centre(body)
    if shape.radius > 0.0:
        yield from plan.spans_near(leg, shape.radius)
        return
    for part in plan.region.parts:
        yield from spans_inside(overlap_part(part, shape), leg)


def clear_spans(
    state: State, body: Body, leg: Leg, surface: Surface, but: Collection[str] = ()
) -> list[Span]:
    """Lengths of a leg over a level surface between which a base could come to stand, facing as
    given; the ends of each too.

    but: bodies that are not in its way.
    """
    ground, z, tall = terrain_of(state), surface.z, height(body)
    marks = {0.0, leg.length}
    for over in ground.storeys.near(box_of(leg, TOLERANCE)):
        if over.ramp is None and (over is surface or (over.z > z and ground.low(over.z - z))):
            marks |= set(over.marks(leg, TOLERANCE))
    for solid in ground.beside(box_of(leg, body.base.reach), z, tall):
        if ground.takes_room(solid, z, tall):
            marks |= {s for span in spans_over(body, solid.ground, leg) for s in span}
    for other in state.others(body):
        level = closer_than(abs(other.z - z), 2.0 * CONTACT_RISE_IN)
        if level and other.id not in but and _is_close(leg, body, other):
            marks |= {s for span in spans_inside(meeting_part(body, other), leg) for s in span}

    def fits(s: float) -> bool:
        x, y = leg.at(s)
        there = (x, y, stand_height(ground, surface, x, y))
        return surface.depth(x, y) >= -TOLERANCE and free_at(state, ground, body, *there, but)

    found: list[Span] = []
    before = False
    for begin, end in pairwise(sorted(marks)):
        if end - begin <= _SPECK:
            continue
        clear = fits(0.5 * (begin + end))
        if clear and before:
            found[-1] = (found[-1][0], end)
        elif clear:
            found.append((begin, end))
        elif not before and fits(begin):
            # As in an alley that is just as wide as the base.
            found.append((begin, begin))
        before = clear
    if not before and fits(leg.length):
        found.append((leg.length, leg.length))
    return found


def _is_close(leg: Leg, body: Body, other: Body) -> bool:
    far = body.base.reach + other.base.reach
    x0, y0, x1, y1 = box_of(leg, far)
    return x0 <= other.x <= x1 and y0 <= other.y <= y1


def discs_of(body: Body) -> Iterator[tuple[float, float, float]]:
    """A base as discs: a round one as it is, a rectangle covered from inside by a row of them."""
    base = body.base
    if not isinstance(base, Rectangle):
        yield body.x, body.y, base.radius
        return
    rect = footprint(body)
    small, large = sorted((base.width, base.depth))
    along = base.depth >= base.width
    count = max(1, math.ceil(large / small))
    for k in range(count):
        s = (k + 0.5) / count * large - 0.5 * large
        s = max(-0.5 * (large - small), min(0.5 * (large - small), s))
        x, y = rect.world(s, 0.0) if along else rect.world(0.0, s)
        yield x, y, 0.5 * small
    for x, y in rect.corners:
        yield x, y, 0.0


# Contact.


def across_barrier(state: State, a: Body, b: Body) -> bool:
    """Whether two models fight across a low barrier: both touch it, or one stands on it and it
    leaves the other no room to come up and touch (3.6.8)."""
    if not closer_than(abs(a.z - b.z), CONTACT_RISE_IN):
        return False
    if math.hypot(a.x - b.x, a.y - b.y) > a.base.reach + b.base.reach + ACROSS:
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
    for solid in ground.storeys.solids_near(box_about(body.x, body.y, r)):
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
    found = separation(base_shape(a), base_shape(b))
    return found.on_a, found.on_b


def in_contact(state: State, body: Body) -> list[Body]:
    """Enemies whose bases touch a model's, in scene order."""
    return [enemy for enemy in state.enemies(body) if touching(body, enemy)]


def fights_from(state: State, body: Body) -> list[Body]:
    """Enemies it would fight where it stands: in contact, or across a low barrier (3.6.8)."""
    return [e for e in state.enemies(body) if touching(body, e) or across_barrier(state, body, e)]


def first_contact(
    body: Body, enemy: Body, track: Route, since: float = 0.0
) -> tuple[float, Place] | None:
    """Length of the way at which a base first touches another, and the place; None if never.

    body: as it stands at the start of the way. Jumps pass over; only where they land counts.
    since: only the parts that begin at that length or later are looked at.
    """
    for gone, part in track.marked:
        if gone < since:
            continue
        if isinstance(part, Crossing):
            if touching(body.at(*part.end), enemy):
                return gone + part.length, part.end
        else:
            share = _first_touch(body, enemy, part)
            if share is not None:
                return gone + share * part.length, part.at(share)
    return None


def _first_touch(body: Body, enemy: Body, part: Stretch) -> float | None:
    """Share of a piece at which the bases first touch."""
    span = near_level(enemy.z, part.start.z, part.end.z)
    leg = part.leg
    if (
        span is None
        or nearest_to_point(leg, *enemy.centre).distance
        > body.base.reach + enemy.base.reach + TOLERANCE
    ):
        return None
    low, high = span
    meet = meeting_part(body, enemy)
    if leg.length <= 0.0:
        return low if within(distance_to(meet, *leg.start)[0], 0.0) else None
    # Where the bases meet to the letter; if they only pass within the tolerance, or meet where the
    # piece ends, where they are nearest, so that rounding does not part them.

    def off(share: float) -> float:
        return distance_to(meet, *leg.at(share * leg.length))[0]

    for more in (0.0, TOLERANCE):
        for begin, end in spans_inside(meet, leg, more):
            a, b = max(low, begin / leg.length), min(high, end / leg.length)
            if a <= b:
                return a if more == 0.0 else min((a, 0.5 * (a + b), b), key=off)
    return None


def near_level(z: float, start_z: float, end_z: float) -> Span | None:
    """Shares of a leg between which it is less than 1 inch above or below a height; None if it is
    nowhere."""
    if start_z == end_z:
        return (0.0, 1.0) if closer_than(abs(z - start_z), CONTACT_RISE_IN) else None
    limit = CONTACT_RISE_IN - 2.0 * TOLERANCE
    return shares_between(start_z, end_z, z - limit, z + limit)
