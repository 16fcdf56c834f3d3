"""Controls of a unit of Warmaster: its moves by order, on initiative, home; and what all share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.controls import Control, Extra, Ring
from tapeline.engine.limits import within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Advance,
    Block,
    Charge,
    Evade,
    FormColumn,
    FormLine,
    HomeBack,
    InitiativeCharge,
    MoveUnit,
    Wheel,
)
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.figures import INITIATIVE_CM
from tapeline.rules.warmaster.help import planned, turned_about
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.profiles import flies
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.stands import unit_gap
from tapeline.rules.warmaster.state import characters, enemy_units, friendly_units, stands_of, word
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value

__all__ = [
    "barred_move",
    "begun",
    "each_once",
    "findings",
    "home_controls",
    "initiative_controls",
    "move_controls",
    "stand_by_stand",
]

_EXTEND = Extra(
    "extend",
    "Line up",
    "one",
    (("both", "to both sides"), ("left", "to the left"), ("right", "to the right")),
    "both",
)
_ABOUT = Extra(
    "about",
    "About",
    "one",
    (("left", "the left front corner"), ("right", "the right front corner")),
    "left",
)


def findings(state: State, subject: Any) -> list[Finding]:
    """What all clauses have against an action or a part of one."""
    return BOOK.check(type(subject), Context(state, subject, None))[0]


def begun(kind: type[Action], actor: Unit | Body, **settled: Value) -> Marks:
    """An action of a unit or character as far as it is settled."""
    return Marks({"kind": kind.kind, "actor": actor.id, **settled})


def barred_move(state: State, unit: Unit) -> Iterator[Control]:
    """The move of a unit that has no order, and why it may not be made."""
    yield replace(
        _block(state, unit),
        spent=None,
        why_not=tuple(findings(state, MoveUnit(actor=unit.id))),
    )


def _block(state: State, unit: Unit) -> Control:
    return Control(
        begun(Block, unit),
        "Move",
        "pose",
        "to",
        "by",
        "by",
        optional=True,
        spent=0.0,
        allowance=allowance_of(state, unit, kind_of(unit)),
        says="The whole unit as one block, to a place and turned.",
        clause="WM-MOVE-1",
    )


def move_controls(state: State, unit: Unit) -> Iterator[Control]:
    """What a unit may do that has been given an order, failed its first one, or falls back."""
    block = _block(state, unit)
    why = tuple(findings(state, MoveUnit(actor=unit.id)))
    yield replace(block, why_not=why)
    if word(unit, "may_move") != "fall_back":
        yield from _charges(state, unit)
    if why:
        return
    for control in _manoeuvres(state, unit, block.allowance or 0.0):
        yield replace(control, spent=block.spent, allowance=block.allowance)


def _manoeuvres(state: State, unit: Unit, allowance: float) -> Iterator[Control]:
    several = len(stands_of(state, unit)) > 1
    if several:
        yield Control(
            begun(Wheel, unit),
            "Wheel",
            "turn",
            "by",
            low=-180.0,
            high=180.0,
            turns="by",
            extras=(_ABOUT,),
            says="Turn the unit about a front corner at one of its ends.",
            clause="WM-STAND-6",
        )
    spec = MoveSpec(
        unit=unit.id,
        kind=kind_of(unit),
        stands=planned(state, unit, turned_about).stands,
        allowance=allowance,
    )
    yield Control(
        begun(AboutFace, unit),
        "About face",
        why_not=tuple(findings(state, spec)),
        says="Every stand turns about on the spot.",
        clause="WM-STAND-14",
    )
    if several:
        yield Control(
            begun(FormLine, unit),
            "Form line",
            "pose",
            "to",
            "facing",
            optional=True,
            extras=(_EXTEND,),
            says="Side by side on the first stand, which goes to a place and faces as you say.",
            clause="WM-FORM-4",
        )
        yield Control(
            begun(FormColumn, unit),
            "Form column",
            "pose",
            "to",
            "facing",
            optional=True,
            says="Behind the first stand, which goes to a place and faces as you say.",
            clause="WM-FORM-3",
        )
    yield Control(
        begun(MoveUnit, unit),
        "Move stand by stand" if several else "Move by a path",
        "stands",
        "stands",
        says="A way for each stand, in the order in which they move.",
        clause="WM-STAND-1",
    )


def _charges(state: State, unit: Unit) -> Iterator[Control]:
    """Charges at enemies within a charge's reach, planned by the engine or stand by stand."""
    bodies = stands_of(state, unit)
    pace = pace_of(state, unit, "charge").allowance
    near = [
        e for e in enemy_units(state, unit.side) if unit_gap(bodies, stands_of(state, e)) <= pace
    ]
    if not near:
        return
    legal, against = _targets(state, unit, near, Charge)
    yield Control(
        begun(Charge, unit),
        "Charge",
        "pick",
        "target",
        candidates=tuple(enemy.id for enemy in legal),
        spent=0.0,
        allowance=pace,
        why_not=() if legal else against,
        says="At full pace into an enemy that it sees; the ways of the stands are planned.",
        clause="WM-CHG-1",
    )
    for enemy in legal:
        yield stand_by_stand(Charge, unit, enemy, pace, "WM-CHG-1")


def stand_by_stand(
    kind: type[Charge | InitiativeCharge | Advance],
    unit: Unit,
    enemy: Unit,
    pace: float,
    clause: str,
) -> Control:
    """A charge at an enemy unit with a way for each stand, first stand first."""
    verb = "Advance on" if kind is Advance else "Charge"
    return Control(
        begun(kind, unit, target=enemy.id),
        f"{verb} {enemy.name} stand by stand",
        "stands",
        "stands",
        optional=True,
        spent=0.0,
        allowance=pace,
        group="attest" if kind is Advance else "act",
        says="A way for each stand; the first to move meets the enemy.",
        clause=clause,
    )


def _targets(
    state: State, unit: Unit, enemies: Iterable[Unit], kind: type[Charge | InitiativeCharge]
) -> tuple[list[Unit], tuple[Finding, ...]]:
    """Of some enemies those it may charge, and what bars the others."""
    legal: list[Unit] = []
    against: list[Finding] = []
    for enemy in enemies:
        found = findings(state, kind(actor=unit.id, target=enemy.id))
        against += found
        if not found:
            legal.append(enemy)
    return legal, each_once(against)


def each_once(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings that say the same thing, once."""
    return tuple({(f.clause, f.text): f for f in found}.values())


# Initiative


def initiative_controls(state: State, unit: Unit) -> Iterator[Control]:
    """What a unit may do on its own initiative (WM-INIT); nothing where no enemy is near."""
    if state.progress.get("closed") is True:
        return
    near = _nearest_enemy(state, unit)
    if near is None:
        return
    targets = [candidate.unit for candidate in targets_of(state, unit)]
    rings = tuple(
        Ring(body.id, INITIATIVE_CM, f"initiative {INITIATIVE_CM:g} cm", "WM-INIT-1")
        for body in stands_of(state, unit)
    )
    pace = pace_of(state, unit, "initiative_charge").allowance
    legal, against = _targets(state, unit, targets or [near], InitiativeCharge)
    yield Control(
        begun(InitiativeCharge, unit),
        "Charge on initiative",
        "pick",
        "target",
        candidates=tuple(enemy.id for enemy in legal),
        rings=rings,
        spent=0.0,
        allowance=pace,
        why_not=() if legal else against,
        says="Into the closest enemy that it sees; the ways of the stands are planned.",
        clause="WM-INIT-1",
    )
    for enemy in targets:
        yield _evade(state, unit, enemy, rings)
    for enemy in legal:
        by_hand = stand_by_stand(InitiativeCharge, unit, enemy, pace, "WM-INIT-1")
        yield replace(by_hand, label=f"{by_hand.label}, on initiative")


def _nearest_enemy(state: State, unit: Unit) -> Unit | None:
    """The nearest enemy unit within 20 cm."""
    mine = stands_of(state, unit)
    gaps = [(unit_gap(mine, stands_of(state, e)), e.id) for e in enemy_units(state, unit.side)]
    least, name = min(gaps, default=(math.inf, ""))
    return state.units[name] if within(least, INITIATIVE_CM) else None


def _evade(state: State, unit: Unit, enemy: Unit, rings: tuple[Ring, ...]) -> Control:
    pace = pace_of(state, unit, "evade").allowance
    friends = [
        friend
        for friend in friendly_units(state, unit)
        if unit_gap(stands_of(state, unit), stands_of(state, friend)) <= pace
    ]
    burst = Extra("burst", "Burst through", "some", tuple((f.id, f.name) for f in friends), ())
    return Control(
        begun(Evade, unit, target=enemy.id),
        f"Evade from {enemy.name}",
        "stands",
        "stands",
        optional=True,
        extras=(burst,) if friends else (),
        rings=rings,
        spent=0.0,
        allowance=pace,
        why_not=tuple(findings(state, Evade(actor=unit.id, target=enemy.id))),
        says="Straight away from it, the nearest stand first; planned as one block if you like.",
        clause="WM-EVADE-1",
    )


def home_controls(state: State, unit: Unit) -> Iterator[Control]:
    """The way home of a flyer that has strayed (WM-FLY-2)."""
    if not flies(stands_of(state, unit)):
        return
    leaders = tuple(body.id for body in characters(state, unit.side))
    if not leaders:
        return
    why = findings(state, HomeBack(actor=unit.id, character=leaders[0]))
    yield Control(
        begun(HomeBack, unit),
        "Home back",
        "pick",
        "character",
        candidates=() if why else leaders,
        why_not=tuple(why),
        says="D6 x 10 cm straight toward a character; then no unit moves on initiative any more.",
        clause="WM-FLY-2",
    )
