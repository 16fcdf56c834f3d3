"""What the rest of a turn may bring: who has still to act or to shoot, how long ways take, what a
ranged attack does on average. For whoever looks ahead; no verdict rests on it."""

from __future__ import annotations

import math

from tapeline.engine.limits import more_than
from tapeline.engine.prospects import Prospects
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.rules.sovl.figures import LONG_RANGE_SHARE
from tapeline.rules.sovl.measures import pivots_in
from tapeline.rules.sovl.profiles import defense_of, models_of, type_of, weapon_of
from tapeline.rules.sovl.ranged_attack import save_number, to_hit
from tapeline.rules.sovl.state import STRATEGIC, active_unit, may_be_activated, passed
from tapeline.table.bodies import Body

__all__ = ["PROSPECTS"]


def to_act(state: State) -> frozenset[str]:
    """Ids of the units of both sides that may still be activated in this turn (SV-ACT-5)."""
    if state.turn.phase != STRATEGIC:
        return frozenset()
    done, unit = passed(state), active_unit(state)
    return frozenset(
        body.id
        for body in state.bodies.values()
        if may_be_activated(body) and body.side not in done and body.id != unit
    )


def to_shoot(state: State) -> frozenset[str]:
    """The same and the active unit, unless it has made its ranged attack (SV-SHOOT-2)."""
    unit = active_unit(state)
    shot = unit is None or state.progress.get("shot")
    return to_act(state) if shot else to_act(state) | {str(unit)}


def moves_to(state: State, body: Body, place: Point) -> float:
    """How many activations of a unit take its centre to a place by a Pivot, if only a small
    one, and Advances, were nothing in the way (SV-PIV-2, SV-PIV-3, SV-ADV-3)."""
    dx, dy = place[0] - body.x, place[1] - body.y
    turn = (math.degrees(math.atan2(dy, dx)) - body.facing + 180.0) % 360.0 - 180.0
    price = pivots_in(turn) * type_of(body).pivot_cost
    return (math.hypot(dx, dy) + price) / max(body.stat("move"), 1e-6)


def harm(shooter: Body, target: Body, distance: float) -> float:
    """Models that a ranged attack from so far away costs a unit on average, inches (SV-HIT-1..7,
    SV-SAVE-1, SV-SHOOT-6)."""
    weapon = weapon_of(shooter)
    if weapon is None or more_than(distance, weapon.reach):
        return 0.0
    if weapon.hits is not None:
        dice, plus = weapon.hits
        hits = 2.0 * dice + plus
    else:
        long = more_than(distance, LONG_RANGE_SHARE * weapon.reach)
        number = to_hit(int(shooter.stat("skill")), long)
        hits = (weapon.shots or models_of(shooter)) * (7 - number) / 6.0
    lost = (save_number(weapon.power, defense_of(target)) - 1) / 6.0
    return hits * lost / max(target.stat("wounds"), 1.0)


PROSPECTS = Prospects(to_act, to_shoot, moves_to, harm)
