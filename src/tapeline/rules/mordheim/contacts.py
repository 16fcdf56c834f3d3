"""Bases that come into contact along a way, and at its end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.limits import TOLERANCE, closer_than, within
from tapeline.engine.state import State
from tapeline.geometry.plane.sweeps import nearest_to_point, spans_near_point
from tapeline.rules.mordheim.approach import across_barrier
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.measures import flat_gap, touching
from tapeline.rules.mordheim.track import Hurdle, Place, Stretch, Track
from tapeline.table.bodies import Body, Round

__all__ = ["fights_from", "first_contact", "in_contact"]

#: Halvings of an interval of shares; 2^-60 of any move is far below the tolerance.
_HALVINGS = 60
#: Pieces of an arc along which the gap of shapes is taken as convex.
_ARC_PIECES = 16
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def in_contact(state: State, body: Body) -> list[Body]:
    """Enemies whose bases touch a model's, in scene order."""
    return [enemy for enemy in state.enemies(body) if touching(body, enemy)]


def fights_from(state: State, body: Body) -> list[Body]:
    """Enemies it would fight where it stands: in contact, or across a low barrier (3.6.8)."""
    return [e for e in state.enemies(body) if touching(body, e) or across_barrier(state, body, e)]


def first_contact(body: Body, enemy: Body, track: Track) -> tuple[float, Place] | None:
    """Length of the way at which a base first touches another, and the place; None if never.

    body: as it stands at the start of the way. Jumps pass over; only where they land counts.
    """
    gone = 0.0
    for part in track.parts:
        if isinstance(part, Hurdle):
            if touching(_at(body, part.end), enemy):
                return gone + part.length, part.end
        else:
            share = _first_touch(body, enemy, part)
            if share is not None:
                return gone + share * part.length, part.at(share)
        gone += part.length
    return None


def _at(body: Body, place: Place) -> Body:
    return replace(body, x=place.x, y=place.y, z=place.z, _digest=[])


def _first_touch(body: Body, enemy: Body, part: Stretch) -> float | None:
    """Share of a straight piece at which the bases first touch."""
    spans = list(_level_span(part, enemy))
    if not spans:
        return None
    low, high = spans[0]
    if (
        nearest_to_point(part.leg, *enemy.centre).distance
        > body.base.reach + enemy.base.reach + 1.0
    ):
        return None
    if isinstance(body.base, Round) and isinstance(enemy.base, Round):
        return _first_of_discs(body.base.radius + enemy.base.radius, enemy, part, low, high)
    pieces = 1 if part.arc is None else _ARC_PIECES
    for index in range(pieces):
        a = low + (high - low) * index / pieces
        b = low + (high - low) * (index + 1) / pieces
        share = _first_of_shapes(body, enemy, part, a, b)
        if share is not None:
            return share
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


def _first_of_discs(
    room: float, enemy: Body, part: Stretch, low: float, high: float
) -> float | None:
    leg = part.leg
    if leg.length <= 0.0:
        touches = within(math.dist((part.start.x, part.start.y), enemy.centre), room)
        return low if touches else None
    # Where the bases meet to the letter; if they only pass within the tolerance, where that begins.
    for apart in (room, room + TOLERANCE):
        for begin, end in spans_near_point(leg, *enemy.centre, apart):
            a, b = max(low, begin / leg.length), min(high, end / leg.length)
            if a <= b:
                return a
    return None


def _first_of_shapes(
    body: Body, enemy: Body, part: Stretch, low: float, high: float
) -> float | None:
    """The gap of two convex shapes, one sliding straight, is convex along the way: its least place
    by golden section, then the first touch by halving. An arc is taken in short pieces."""

    def measured(t: float) -> float:
        return flat_gap(_at(body, part.at(t)), enemy)

    a, b = low, high
    for _ in range(_HALVINGS):
        c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
        if within(measured(c), 0.0):
            b = c
            break
        if measured(c) < measured(d):
            b = d
        else:
            a = c
    best = next((t for t in (low, b, high) if within(measured(t), 0.0)), None)
    if best is None or best == low:
        return best
    a, b = low, best
    for _ in range(_HALVINGS):
        middle = 0.5 * (a + b)
        if within(measured(middle), 0.0):
            b = middle
        else:
            a = middle
    return b
