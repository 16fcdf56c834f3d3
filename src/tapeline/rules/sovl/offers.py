"""Legal actions for whoever must act, for bots and for random play."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.state import State
from tapeline.rules.sovl.actions import (
    Ability,
    Activate,
    Advance,
    EndActivation,
    Flight,
    NextTurn,
    Pass,
    Pivot,
    Rally,
    RollOff,
    Shoot,
)
from tapeline.rules.sovl.figures import PIVOT_DEG
from tapeline.rules.sovl.footprint import block_of
from tapeline.rules.sovl.nearest import is_legal, longest_advance
from tapeline.rules.sovl.profiles import type_of, weapon_of
from tapeline.rules.sovl.state import (
    DONE,
    FLIGHTS,
    ROLL_OFF,
    active_unit,
    allowance,
    is_fleeing,
    may_be_activated,
    pending_flights,
)
from tapeline.table.bodies import Body

__all__ = ["offers"]

#: Random turns tried for an offer; those that are not legal are not offered.
_TURNS = 2


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions: every discrete one, and the longest and a random manoeuvre of each kind."""
    turn = state.turn
    if turn.phase == ROLL_OFF:
        yield RollOff()
    elif turn.phase == DONE:
        yield NextTurn()
    elif turn.phase == FLIGHTS:
        for body in pending_flights(state, turn.active):
            yield Flight(actor=body.id)
    else:
        unit = active_unit(state)
        if unit is None:
            for body in state.bodies.values():
                if body.side == turn.active and may_be_activated(body):
                    yield Activate(actor=body.id)
            yield Pass(side=turn.active)
        else:
            yield from _orders(state, state.body(unit), rng)


def _orders(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if is_fleeing(body):
        yield Rally(actor=body.id)
    else:
        yield from _advances(state, body, rng)
        yield from _pivots(state, body, rng)
        yield from _shots(state, body)
        held = body.stats.get("abilities", ())
        for name in held if isinstance(held, tuple) else ():
            ability = Ability(actor=body.id, name=str(name))
            if is_legal(state, ability):
                yield ability
    yield EndActivation(actor=body.id)


def _advances(state: State, body: Body, rng: Random) -> Iterator[Action]:
    left = allowance(state)
    if left <= TOLERANCE:
        return
    reach = longest_advance(state, body, left)
    if reach <= TOLERANCE:
        return
    yield Advance(actor=body.id, distance=reach)
    part = Advance(actor=body.id, distance=reach * rng.uniform(0.1, 0.9))
    if is_legal(state, part):
        yield part


def _pivots(state: State, body: Body, rng: Random) -> Iterator[Action]:
    each = type_of(body).pivot_cost
    most = 4 if each <= 0.0 else min(4, math.floor((allowance(state) + TOLERANCE) / each))
    if most < 1:
        return
    for _ in range(_TURNS):
        turn = Pivot(actor=body.id, by=rng.uniform(-most, most) * PIVOT_DEG)
        if is_legal(state, turn):
            yield turn


def _shots(state: State, body: Body) -> Iterator[Action]:
    weapon = weapon_of(body)
    if weapon is None or state.progress.get("shot") is True:
        return
    rect = block_of(body).rect
    for enemy in state.enemies(body):
        reach = enemy.base.reach
        ahead, aside = rect.local(enemy.centre)
        ahead += reach - 0.5 * rect.depth
        far = weapon.reach + rect.reach + reach
        # No wider arc is read than 45 degrees from the corners.
        if (
            ahead < 0.0
            or abs(aside) - reach > 0.5 * rect.width + ahead
            or math.hypot(enemy.x - body.x, enemy.y - body.y) > far
        ):
            continue
        shot = Shoot(actor=body.id, target=enemy.id)
        if is_legal(state, shot):
            yield shot
