"""Bases that come into contact along a way, and at its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.limits import TOLERANCE, closer_than, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.rectangles.contact import distance_to, spans_inside
from tapeline.rules.mordheim.barriers import across_barrier
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.standing import meeting_part
from tapeline.table.bodies import Body
from tapeline.travel.route import Crossing, Route, Stretch

__all__ = ["fights_from", "first_contact", "in_contact"]


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
