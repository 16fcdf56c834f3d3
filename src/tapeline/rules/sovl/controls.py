"""What a player can ask for now, for faces: in the words of the rulebook, most wanted first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.actions import Action
from tapeline.engine.clauses import DECLARED
from tapeline.engine.codec import action_marks
from tapeline.engine.controls import Control, Extra, Ring, begun
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import (
    Ability,
    Activate,
    Advance,
    EndActivation,
    Flight,
    Manoeuvre,
    NextTurn,
    Pass,
    Pivot,
    Rally,
    RollOff,
    Shoot,
)
from tapeline.rules.sovl.figures import (
    BOOK,
    LONG_RANGE_SHARE,
    PIVOT_DEG,
    PIVOT_ORDER_MOST_DEG,
    REPOSITION_IN,
)
from tapeline.rules.sovl.measures import Stop, measure_advance, start_loss
from tapeline.rules.sovl.offers import longest_advance
from tapeline.rules.sovl.profiles import type_of, weapon_of
from tapeline.rules.sovl.state import (
    FLIGHTS,
    ROLL_OFF,
    STRATEGIC,
    OrderContext,
    active_unit,
    allowance,
    findings,
    is_fleeing,
    may_be_activated,
    slots_used,
)
from tapeline.table.bodies import Body

__all__ = ["controls"]

#: Clauses on a declaration that look at what is still open: the pose, the target.
_OF_THE_REST = frozenset({"SV-MOV-1", "SV-SHOOT-4", "SV-RNG-1", "SV-LOS-1", "SV-LOS-2"})
#: What abilities do; one that is not named has its effect outside these rules.
_DOES = {
    "Reposition": f"{REPOSITION_IN:g} in more allowance in this activation.",
    "": "Uses up the slot of an ability; what it does is settled on the table.",
}
#: Inches, degrees: an order to ask about where none is legal.
_ANY_ADVANCE_IN, _ANY_PIVOT_DEG = 1.0, PIVOT_DEG


def controls(state: State, of: str | None) -> Iterator[Control]:
    """What can be asked for now: by the sides, or of a unit. Raises UnknownIdError."""
    if of is None:
        yield from _steps(state)
        return
    body, phase = state.body(of), state.turn.phase
    if active_unit(state) == body.id:
        yield from _orders(state, body)
        yield _pressed(
            state,
            EndActivation(actor=body.id),
            "End activation",
            "SV-ACT-6",
            "The unit does nothing more this turn.",
            step=True,
        )
        return
    if phase == FLIGHTS and is_fleeing(body):
        yield _pressed(
            state,
            Flight(actor=body.id),
            "Flight Move",
            "SV-FLEE-1",
            "The unit runs for the nearest table edge, as far as its dice take it.",
        )
        return
    yield _pressed(
        state, Activate(actor=body.id), "Activate", "SV-ACT-1", "Begin the activation of this unit."
    )
    if phase in (STRATEGIC, ROLL_OFF) and may_be_activated(body):
        yield from _orders(state, body)


def _why_not(state: State, action: Action) -> tuple[Finding, ...]:
    """What bars an action that has been begun, whatever comes of the rest of it."""
    context = OrderContext(state, action, None)
    return tuple(BOOK.check(type(action), context, DECLARED, _OF_THE_REST)[0])


def _pressed(
    state: State, action: Action, label: str, clause: str, says: str, *, step: bool = False
) -> Control:
    return Control(
        action_marks(action),
        label,
        why_not=_why_not(state, action),
        group="step" if step else "act",
        says=says,
        clause=clause,
    )


def _steps(state: State) -> Iterator[Control]:
    """What leads the phase on."""
    phase = state.turn.phase
    if phase == ROLL_OFF:
        yield _pressed(
            state,
            RollOff(),
            "Roll off",
            "SV-ACT-8",
            "Both sides roll; the winner takes the first initiative or the choice of zone.",
            step=True,
        )
        return
    if phase == STRATEGIC:
        names = {side.id: side.name for side in state.sides}
        says = f"Nothing more of {names[state.turn.active]} will act for now."
        yield _pressed(state, Pass(side=state.turn.active), "Pass", "SV-ACT-7", says, step=True)
    following = _pressed(
        state,
        NextTurn(),
        "Next turn",
        "SV-ACT-8",
        "The Strategic Phase of the next turn begins; settle charges and combats first.",
        step=True,
    )
    yield replace(following, settles=True)


def _orders(state: State, body: Body) -> Iterator[Control]:
    """The orders of a unit that is active or may still be activated."""
    if is_fleeing(body):
        yield _pressed(
            state,
            Rally(actor=body.id),
            "Rally",
            "SV-RALLY-3",
            "A Discipline Test: passed, the unit no longer flees; its activation is over either "
            "way.",
        )
        return
    yield from _movement(state, body)
    yield from _shooting(state, body)
    yield from _abilities(state, body)


# Movement.


def _movement(state: State, body: Body) -> Iterator[Control]:
    active = active_unit(state) == body.id
    total, left = _allowance(state, body, active)
    spent = max(0.0, total - left)
    reach, turn = left, _turn(body, left)
    manoeuvre = _why_not(state, Manoeuvre(actor=body.id, to=body.centre))
    advance = _why_not(state, Advance(actor=body.id, distance=_ANY_ADVANCE_IN))
    pivot = _why_not(state, Pivot(actor=body.id, by=_ANY_PIVOT_DEG))
    if active:
        reach = longest_advance(state, body, left)
        if not (advance or reach > TOLERANCE):
            advance = _no_advance(state, body, left)
        if not (pivot or turn > TOLERANCE):
            pivot = tuple(findings(state, Pivot(actor=body.id, by=_ANY_PIVOT_DEG)))
        if advance and pivot and not manoeuvre:
            manoeuvre = (*advance, *pivot)
    yield Control(
        begun(Manoeuvre, body),
        "Manoeuvre",
        "pose",
        slot="to",
        turn_slot="facing",
        spent=spent,
        allowance=total,
        why_not=manoeuvre,
        says="Show where the unit shall stand: one Advance or one Pivot must lead there.",
        clause="SV-MOV-1",
    )
    yield Control(
        begun(Advance, body),
        "Advance",
        "distance",
        slot="distance",
        low=0.0,
        high=max(0.0, reach),
        spent=spent,
        allowance=total,
        why_not=advance,
        says="Go straight forward; the way really gone is paid, inch for inch.",
        clause="SV-ADV-1",
    )
    price = type_of(body).pivot_cost
    yield Control(
        begun(Pivot, body),
        "Pivot",
        "turn",
        slot="by",
        turns="by",
        low=-turn,
        high=turn,
        spent=spent,
        allowance=total,
        why_not=pivot,
        says=f"Turn about the centre: {price:g} in of allowance for every 45 degrees begun.",
        clause="SV-PIV-1",
    )


def _allowance(state: State, body: Body, active: bool) -> tuple[float, float]:
    """The whole allowance of the activation, and what is left of it; inches."""
    total = body.stat("move")
    if active:
        left = allowance(state)
        slot = bool(slots_used(state)) and state.progress.get("shot") is not True
        if (slot and "Reposition" in body.stats.texts("abilities")) or left > total + TOLERANCE:
            total += REPOSITION_IN
        return total, left
    return total, total - min(total, start_loss(state, body)[0])


def _turn(body: Body, left: float) -> float:
    """How far the unit can turn for what is left, degrees."""
    price = type_of(body).pivot_cost
    if price <= 0.0:
        return PIVOT_ORDER_MOST_DEG
    return min(PIVOT_ORDER_MOST_DEG, PIVOT_DEG * math.floor((left + TOLERANCE) / price))


def _no_advance(state: State, body: Body, left: float) -> tuple[Finding, ...]:
    """Why no Advance of the active unit is legal, or leads anywhere."""
    most = max(left, _ANY_ADVANCE_IN)
    found = tuple(findings(state, Advance(actor=body.id, distance=most)))
    if found:
        return found
    stops = measure_advance(state, body, most).stops
    return tuple(_against(body, stop) for stop in stops)


def _against(body: Body, stop: Stop) -> Finding:
    if stop.thing is None:
        text = f"{body.name} cannot go on: the {stop.edge} edge of the table."
        return Finding(text, 0.0, None, stop.place, stop.edge, 0.0, "SV-ADV-4")
    text = f"{body.name} cannot go on: {stop.thing.name}."
    return Finding(text, 0.0, None, stop.place, stop.thing.id, 0.0, "SV-ADV-2")


# Shooting and abilities.


def _shooting(state: State, body: Body) -> Iterator[Control]:
    weapon = weapon_of(body)
    if weapon is None:
        return
    enemies = sorted(state.enemies(body), key=lambda enemy: math.dist(enemy.centre, body.centre))
    rings: tuple[Ring, ...] = ()
    if state.option("range.measure") == "edge_to_edge":
        rings = (
            Ring(body.id, weapon.reach * LONG_RANGE_SHARE, "long range", "SV-HIT-5"),
            Ring(body.id, weapon.reach, "range", "SV-RNG-1"),
        )
    yield Control(
        begun(Shoot, body),
        "Shoot",
        "pick",
        slot="target",
        candidates=tuple(enemy.id for enemy in enemies),
        rings=rings,
        why_not=_why_not(state, Shoot(actor=body.id, target="")),
        says=f"A ranged attack with the {weapon.name.lower()}, up to {weapon.reach:g} in; it "
        "costs no movement.",
        clause="SV-SHOOT-4",
    )


def _abilities(state: State, body: Body) -> Iterator[Control]:
    used = slots_used(state) if active_unit(state) == body.id else ()
    commander = body.keyword("Commander")
    extras = (Extra("commander", "The Commander's", "flag", default=False),) if commander else ()
    for name in body.stats.texts("abilities"):
        action, offered = Ability(actor=body.id, name=name), extras
        if commander and "unit" in used and "commander" not in used:
            action, offered = Ability(actor=body.id, name=name, commander=True), ()
        pressed = _pressed(state, action, name, "SV-ABL-1", _DOES.get(name, _DOES[""]))
        yield replace(pressed, extras=offered)
