"""A path of legs laid over the ground: what it costs, what it meets, where it ends."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.paths import Leg, LegPath, Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.rules.mordheim import crossings
from tapeline.rules.mordheim.walker import Walker
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

__all__ = ["Manner", "walk"]

Manner: TypeAlias = Literal["move", "run", "crawl", "charge", "flee"]

_CROSSINGS = {
    "climb": crossings.climb,
    "drop": crossings.jump_down,
    "jump": crossings.jump_gap,
}


def walk(state: State, body: Body, path: LegPath, *, manner: Manner = "move") -> Route:
    """The way a path makes over the ground, as far as anything carries the base.

    Legs: "walk" on whatever carries the base, up and down stairs, and along a ladder or rope where
    `z` says so; "climb", "drop" and "jump" end at `to`, `z`. What is wrong on the way is among its
    hits, each with the clause it breaks. manner is how the model goes; it alters no geometry.
    """
    walker = Walker(state, body)
    for leg in path:
        if walker.lost:
            break
        _take(walker, leg)
    if path and path[-1].how == "walk" and path[-1].z is None and walker.parts:
        walker.step_on_edge()
    walker.settle()
    if state.option("difficult_mode") == "whole_move":
        walker.slowed_as_a_whole()
    return walker.track()


def _take(walker: Walker, leg: Leg) -> None:
    if leg.is_turn:
        return  # pivoting is no movement
    if leg.how in _CROSSINGS:
        if leg.to is None:
            walker.hit("MH-MOVE-5", f"A {leg.how} goes straight.")
            walker.lost = True
            return
        _CROSSINGS[leg.how](walker, leg.to, leg.z)
        return
    if leg.how != "walk":
        known = ", ".join(("walk", *_CROSSINGS))
        walker.hit("MH-MOVE-5", f"Nobody moves by {leg.how!r}; legs are {known}.")
        walker.lost = True
        return
    at = walker.place
    if leg.to is None:
        assert leg.centre is not None
        assert leg.by is not None
        dx, dy = at.x - leg.centre[0], at.y - leg.centre[1]
        walker.walk(Arc(*leg.centre, math.hypot(dx, dy), math.atan2(dy, dx), math.radians(leg.by)))
        return
    if leg.z is not None and more_than(abs(leg.z - at.z), 0.0):
        ladder = walker.ladder_to(*leg.to, leg.z)
        if ladder is not None:
            walker.take_ladder(ladder, Place(*leg.to, leg.z))
            return
    walker.walk(Line(at.x, at.y, *leg.to), leg.z)
    if leg.z is None or walker.lost:
        return
    off = abs(walker.place.z - leg.z)
    if off > TOLERANCE and not walker.step_to(leg.z):
        text = f"The path comes to a height of {walker.place.z:.4g} in there, not {leg.z:.4g}."
        walker.hit("MH-MOVE-5", text, measured=walker.place.z, limit=leg.z)
        walker.lost = True
