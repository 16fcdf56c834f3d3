"""A path of legs as a way in three dimensions: on foot over the ground, or through the air."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.paths import Leg, LegPath, Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.rules.trench_crusade import crossings
from tapeline.rules.trench_crusade.flight import fly
from tapeline.rules.trench_crusade.state import flies
from tapeline.rules.trench_crusade.walker import Walker
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

__all__ = ["lay"]

_CROSSINGS = {
    "climb": crossings.climb,
    "drop": crossings.jump_down,
    "jump": crossings.jump_gap,
}


def lay(state: State, body: Body, path: LegPath) -> Route:
    """The way a path makes, as far as anything carries the base; FLYING models fly it.

    Legs: "walk" on whatever carries the base, up and down stairs, and along a ladder or rope where
    `z` says so; "climb", "drop" (jump down) and "jump" (over a gap) end at `to`, `z`. What is
    wrong on the way is among its hits, each with the clause it breaks.
    """
    if flies(body):
        return fly(state, body, path)
    walker = Walker(state, body)
    for leg in path:
        if walker.lost:
            break
        _take(walker, leg)
    walker.settle()
    return walker.way()


def _take(walker: Walker, leg: Leg) -> None:
    if leg.is_turn:
        return
    at = walker.place
    if leg.how in _CROSSINGS and leg.to is not None:
        _CROSSINGS[leg.how](walker, leg.to, leg.z)
        return
    if leg.how != "walk":
        known = ", ".join(("walk", *_CROSSINGS))
        text = f"{walker.body.name} does not move by {leg.how!r}; legs are {known}."
        walker.refuse("TC-TER-7", text)
        return
    if leg.to is None:
        assert leg.centre is not None
        assert leg.by is not None
        dx, dy = at.x - leg.centre[0], at.y - leg.centre[1]
        walker.walk(Arc(*leg.centre, math.hypot(dx, dy), math.atan2(dy, dx), math.radians(leg.by)))
        return
    if leg.z is not None and more_than(abs(leg.z - at.z), 0.0):
        ladder = walker.ladder_to(Place(*leg.to, leg.z))
        if ladder is not None:
            walker.take_ladder(ladder, Place(*leg.to, leg.z))
            return
    walker.walk(Line(at.x, at.y, *leg.to))
    if leg.z is None or walker.lost:
        return
    if abs(walker.place.z - leg.z) > TOLERANCE and not walker.step_to(leg.z):
        text = f"The path comes to a height of {walker.place.z:.4g} in there, not {leg.z:.4g}."
        walker.refuse("TC-TER-7", text, measured=walker.place.z, limit=leg.z)
