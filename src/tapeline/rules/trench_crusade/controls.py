"""What a player can ask for now, for faces: in the words of the rulebook, most wanted first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tapeline.engine.clauses import DECLARED
from tapeline.engine.codec import action_marks
from tapeline.engine.controls import Control, Extra, Manner, Ring, begun
from tapeline.engine.limits import within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade.actions import (
    Activate,
    Charge,
    Dash,
    EndActivation,
    Fight,
    ForcedRetreat,
    Move,
    NextTurn,
    Retreat,
    Shoot,
)
from tapeline.rules.trench_crusade.book import BOOK, CHARGE_RANGE_IN, NEAR_IN
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.ground import built
from tapeline.rules.trench_crusade.measures import gap, holding
from tapeline.rules.trench_crusade.state import activation, carries, flies, movement_to_come
from tapeline.table.bodies import Body
from tapeline.table.marks import Value

__all__ = ["controls"]

#: Clauses on the declaration of a charge that look at its target, which is still open.
_OF_TARGET = frozenset({"TC-CHG-2", "TC-CHG-3", "TC-CHG-4", "TC-CHG-7"})

_ON_FOOT = (
    Manner("walk", "Walk"),
    Manner("climb", "Climb"),
    Manner("jump", "Jump over a gap"),
    Manner("drop", "Jump down"),
)
_IN_THE_AIR = (Manner("fly", "Fly"),)

_RESULT = Extra(
    "result",
    "Result",
    "one",
    (("miss", "Miss"), ("minor", "Minor Hit"), ("down", "Down"), ("out", "Out of Action")),
    "miss",
)
_VISIBLE = Extra("visible", "The target is visible", "flag", default=True)


def controls(state: State, of: str | None) -> Iterator[Control]:
    """What can be asked for now: by the sides, or of a model. Raises UnknownIdError."""
    if of is None:
        yield _next_turn(state)
        return
    body = state.body(of)
    current = activation(state)
    active = current is not None and current.actor == body.id and not current.over
    held = holding(state, body)
    if not active:
        yield Control(
            begun(Activate, body),
            "Activate",
            why_not=_why_not(state, Activate(actor=body.id)),
            says="Begin the Activation of this model.",
            clause="TC-ACT-10",
        )
    if active or not body.marks.get("activated"):
        yield from _actions(state, body, held)
    if active:
        yield Control(
            begun(EndActivation, body),
            "End activation",
            why_not=_why_not(state, EndActivation(actor=body.id)),
            group="step",
            says="This model does nothing more this Turn.",
            clause="TC-ACT-10",
        )
    if held:
        yield Control(
            begun(ForcedRetreat, body),
            "Forced retreat",
            "path",
            slot="path",
            optional=True,
            manners=_manners(state, body),
            rings=_near(state, body),
            why_not=_why_not(state, ForcedRetreat(actor=body.id)),
            group="attest",
            says="A rule makes this model retreat.",
            clause="TC-RET-3",
        )


def _why_not(state: State, action: Any, but: frozenset[str] = _OF_TARGET) -> tuple[Finding, ...]:
    """What bars an action that has been begun, whatever comes of the rest of it."""
    return tuple(BOOK.check(type(action), Context(state, action, None), DECLARED, but)[0])


def _next_turn(state: State) -> Control:
    names = {side.id: side.name for side in state.sides}
    options: list[tuple[Value, str]] = [(None, f"{names[state.turn.initiative]} keeps it")]
    options += [(side, f"{name} has it") for side, name in names.items()]
    return Control(
        begun(NextTurn),
        "Next Turn",
        extras=(Extra("initiative", "Initiative", "one", tuple(options), None),),
        why_not=_why_not(state, NextTurn()),
        group="step",
        says="Every model may be activated again.",
        clause="TC-ACT-10",
    )


def _actions(state: State, body: Body, held: list[Body]) -> Iterator[Control]:
    """The ACTIONs of a model that is active or may still be activated this Turn."""
    move = _path(state, body, Move(actor=body.id), "Move", "TC-MOVE-1")
    move = replace(move, optional=False, says="Go up to the Movement Characteristic.")
    dash = _path(state, body, Dash(actor=body.id), "Dash", "TC-DASH-1")
    dash = replace(
        dash,
        says="A Risky Success Roll, then a move up to the Movement Characteristic; the path may be "
        "given before the roll or after it.",
    )
    if held:
        yield from _fight(state, body, held)
        retreat = _path(state, body, Retreat(actor=body.id), "Retreat", "TC-RET-1")
        yield replace(
            retreat,
            says="Get away from the enemies within 1 inch, each of which may attack first; the "
            "path may be given before the attacks or after them.",
        )
    yield move
    yield from _charges(state, body)
    yield dash
    yield from _shots(state, body)


# Moving.


def _path(
    state: State, body: Body, action: Move | Dash | Retreat, label: str, clause: str
) -> Control:
    current = activation(state)
    taken = current.taken if current is not None and current.actor == body.id else ()
    done = action.kind in taken
    return Control(
        action_marks(action),
        label,
        "path",
        slot="path",
        optional=True,
        manners=_manners(state, body),
        rings=_near(state, body),
        reach="" if flies(body) and built(state.table) else action.kind,
        spent=None if done else 0.0,
        allowance=None if done else movement_to_come(state, body),
        why_not=_why_not(state, action),
        clause=clause,
    )


def _manners(state: State, body: Body) -> tuple[Manner, ...]:
    if flies(body):
        return _IN_THE_AIR
    return _ON_FOOT if built(state.table) else ()


def _near(state: State, body: Body) -> tuple[Ring, ...]:
    """The 1 inch about enemies that a move keeps out of, or a model they hold keeps in."""
    return tuple(Ring(enemy.id, NEAR_IN, "1 in", "TC-MOVE-7") for enemy in state.enemies(body))


# Charging.


def _charges(state: State, body: Body) -> Iterator[Control]:
    enemies = sorted(state.enemies(body), key=lambda enemy: gap(body, enemy))
    if not enemies:
        return
    attested = state.option("los_mode") == "attested"
    extras: tuple[Extra, ...] = (_VISIBLE,) if attested else ()
    hazards = _hazards(state)
    if hazards:
        extras += (Extra("forbid", "Go round", "some", hazards, ()),)
    rings = (Ring(body.id, CHARGE_RANGE_IN, "charge range", "TC-CHG-2"), *_near(state, body))
    nearest = Charge(actor=body.id, target=enemies[0].id)
    why_not = _why_not(state, nearest)
    if not (why_not or within(gap(body, enemies[0]), CHARGE_RANGE_IN)):
        why_not = _why_not(state, nearest, _OF_TARGET - {"TC-CHG-2"})
    charge = Control(
        begun(Charge, body),
        "Charge",
        "pick",
        slot="target",
        candidates=tuple(enemy.id for enemy in enemies),
        extras=extras,
        rings=rings,
        why_not=why_not,
        closes=True,
        says="Name an enemy in sight within 12 inches, roll the Charge Bonus and go straight at "
        "it.",
        clause="TC-CHG-1",
    )
    yield charge
    if state.option("charge_extent") == "upto":
        names: tuple[tuple[Value, str], ...] = tuple((e.id, e.name) for e in enemies)
        yield replace(
            charge,
            action=begun(Charge, body, target=enemies[0].id),
            label="Charge up to a point",
            gesture="place",
            slot="stop",
            candidates=(),
            extras=(Extra("target", "Target", "one", names, enemies[0].id), *extras),
            says="Charge, and stop of your own will at a point of the route.",
            clause="TC-CHG-7",
        )


def _hazards(state: State) -> tuple[tuple[Value, str], ...]:
    """What there is on the table that a charger may go round, TC-CHG-9."""
    found: list[tuple[Value, str]] = []
    if built(state.table):
        found += [
            ("climb", "What must be climbed"),
            ("jump", "Gaps to jump over"),
            ("jump_down", "Ledges to jump down"),
        ]
    if any("dangerous" in entry.traits for entry in state.table.entries):
        found.append(("dangerous", "Dangerous Terrain"))
    return tuple(found)


# Fighting and shooting.


def _fight(state: State, body: Body, held: list[Body]) -> Iterator[Control]:
    why_not: tuple[Finding, ...] = ()
    for enemy in held:
        why_not = _why_not(state, Fight(actor=body.id, target=enemy.id))
        if not why_not:
            break
    yield Control(
        begun(Fight, body),
        "Fight",
        "pick",
        slot="target",
        candidates=tuple(enemy.id for enemy in held),
        extras=(_VISIBLE,) if state.option("los_mode") == "attested" else (),
        why_not=why_not,
        says="A Melee Attack on an enemy within 1 inch.",
        clause="TC-MEL-1",
    )


def _shots(state: State, body: Body) -> Iterator[Control]:
    enemies = sorted(state.enemies(body), key=lambda enemy: gap(body, enemy))
    for weapon in carries(body):
        if weapon.melee:
            continue
        action = Shoot(actor=body.id, weapon=weapon.name)
        yield Control(
            action_marks(action),
            f"Shoot: {weapon.name}",
            "pick",
            slot="target",
            optional=True,
            candidates=tuple(enemy.id for enemy in enemies),
            extras=(_RESULT,),
            why_not=_why_not(state, action),
            says="Roll for the shot on the table and tell what came of it.",
            clause="TC-ACT-9",
        )
