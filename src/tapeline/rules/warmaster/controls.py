"""What a player of Warmaster can ask for now, as controls for any face.

Findings come from the clauses, asked about the action as far as it is settled; of charges nothing
is planned for a control, except where troops that must charge keep others from going on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.controls import Control, Extra, Ring
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import (
    Advance,
    Brigade,
    DriveBack,
    EndStep,
    FallBack,
    LeaveTable,
    MoveCharacter,
    MoveUnit,
    Order,
    Retreat,
)
from tapeline.rules.warmaster.blunders import nearest_seen
from tapeline.rules.warmaster.figures import FLYER_ORDER_CM
from tapeline.rules.warmaster.orders import ORDER_RANGE_CM, penalties
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.policy import must_charge
from tapeline.rules.warmaster.profiles import (
    command_of,
    full_pace,
    is_character,
    rank_of,
)
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.stands import is_engaged
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    END,
    HOME,
    INITIATIVE,
    ORDERS,
    OTHER,
    characters,
    enemy_units,
    kept_for,
    stands_of,
    unit_of_stand,
    units_on_table,
    word,
    words,
)
from tapeline.rules.warmaster.unit_controls import (
    barred_move,
    begun,
    each_once,
    findings,
    home_controls,
    initiative_controls,
    move_controls,
    stand_by_stand,
)
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["controls"]

_COMMANDING = (INITIATIVE, HOME, ORDERS)
_HITS = Extra("hits", "Hits", "number", default=1)
_MAGIC = Extra("magic", "By magic", "flag", default=False)
_POINTS = Extra("points", "Points lost by", "number", default=1)


def controls(state: State, of: str | None) -> Iterator[Control]:
    """What can be asked for now of a unit (or a stand of one), a character, or nobody in
    particular; the most wanted first.

    Raises UnknownIdError for an id of nothing in the game.
    """
    # The sort keeps the order among those that may be done.
    yield from sorted(_asked(state, of), key=lambda control: bool(control.why_not))


def _asked(state: State, of: str | None) -> Iterator[Control]:
    if of is None:
        yield from _of_the_phase(state)
        return
    unit = state.units.get(of) or unit_of_stand(state, of)
    if unit is not None:
        if stands_of(state, unit):
            yield from _of_unit(state, unit)
        return
    body = state.body(of)
    if is_character(body):
        yield from _of_character(state, body)


# The phase


_END = {
    INITIATIVE: ("End initiative", "No unit moves on initiative any more; flyers may go home."),
    HOME: ("End home back", "No flyer goes home any more; orders begin."),
    ORDERS: ("End orders", "No more orders; moves that were ordered and not made are lost."),
    CHARACTERS: (
        "End of the characters' moves",
        "The Command phase ends; who was confused is not.",
    ),
    END: ("Go on to the other phases", "Shooting and combat, settled on the table."),
    OTHER: ("End the turn", "The Command phase of the other side begins."),
}


def _of_the_phase(state: State) -> Iterator[Control]:
    yield from _brigade(state)
    label, says = _END[state.turn.phase]
    yield Control(
        Marks({"kind": EndStep.kind}),
        label,
        why_not=(*_bound(state), *findings(state, EndStep())),
        group="step",
        says=says,
        clause="WM-CMD-1",
    )


def _bound(state: State) -> list[Finding]:
    """Troops that must charge before anything else is done (WM-INIT-2)."""
    if state.turn.phase != INITIATIVE or state.progress.get("closed") is True:
        return []
    known: dict[None, list[Finding]] = kept_for(state, "warmaster:bound")
    if None not in known:
        known[None] = _binding(state)
    return known[None]


def _binding(state: State) -> list[Finding]:
    found = []
    for unit in units_on_table(state):
        if unit.side != state.turn.active:
            continue
        target = must_charge(lambda subject: findings(state, subject), state, unit)
        if target is not None:
            text = f"{unit.name} must charge {target.name} first."
            found.append(Finding(text, about=unit.id, clause="WM-INIT-2"))
    return found


def _brigade(state: State) -> Iterator[Control]:
    """The units ordered as a brigade that have not moved yet, as one block."""
    group = [state.units[name] for name in words(state, "group") if name in state.units]
    waiting = [unit for unit in group if word(unit, "may_move") in ("order", "half")]
    if len(waiting) < 2:
        return
    names = ", ".join(unit.name for unit in waiting)
    why = [finding for unit in waiting for finding in findings(state, MoveUnit(actor=unit.id))]
    yield Control(
        Marks({"kind": Brigade.kind, "units": tuple(unit.id for unit in waiting)}),
        "Move the brigade",
        "pose",
        "to",
        "by",
        "by",
        optional=True,
        spent=0.0,
        allowance=min(allowance_of(state, unit, kind_of(unit)) for unit in waiting),
        why_not=tuple(why),
        says=f"{names}: all as one block, to a place and turned.",
        clause="WM-CMD-8",
    )


# Units


def _of_unit(state: State, unit: Unit) -> Iterator[Control]:
    phase, mine = state.turn.phase, unit.side == state.turn.active
    if word(unit, "may_move"):
        yield from move_controls(state, unit)
    if mine and phase == INITIATIVE:
        yield from initiative_controls(state, unit)
    if mine and phase in (INITIATIVE, HOME):
        yield from home_controls(state, unit)
    if mine and phase in _COMMANDING:
        yield from _to_be_ordered(state, unit)
        if not word(unit, "may_move"):
            yield from barred_move(state, unit)
        if unit.id in words(state, "group"):
            yield from _brigade(state)
    if phase == OTHER:
        yield from _forced(state, unit)


# Orders


def _to_be_ordered(state: State, unit: Unit) -> Iterator[Control]:
    """An order to this unit alone from each character, those who may give it first."""
    bound = _bound(state)
    given = []
    for body in characters(state, unit.side):
        why = (*bound, *findings(state, Order(actor=body.id, units=(unit.id,))))
        needed = command_of(body) - sum(p.amount for p in penalties(state, body, [unit]))
        given.append(
            Control(
                begun(Order, body, units=(unit.id,)),
                f"Order from {body.name}",
                why_not=why,
                says=f"{needed} or less on 2D6.",
                clause="WM-CMD-2",
            )
        )
    yield from sorted(given, key=lambda control: bool(control.why_not))


def _orders(state: State, body: Body) -> Iterator[Control]:
    bound = _bound(state)
    legal, against = [], []
    for unit in units_on_table(state):
        if unit.side != body.side:
            continue
        found = findings(state, Order(actor=body.id, units=(unit.id,)))
        if found:
            against.append(found)
        else:
            legal.append(unit.id)
    if not legal and not against:
        return
    # What is said of every unit is about the character; else each has a reason of its own.
    own = [f for f in against[0] if all(f in each for each in against)] if against else []
    why = own or [finding for each in against for finding in each]
    reach = ORDER_RANGE_CM[rank_of(body)]
    rings = [Ring(body.id, FLYER_ORDER_CM, f"{FLYER_ORDER_CM:g} cm: flyers", "WM-CMD-6")]
    if reach < math.inf:
        rings.insert(0, Ring(body.id, reach, f"orders reach {reach:g} cm", "WM-CMD-6"))
    yield Control(
        begun(Order, body),
        "Order",
        "pick_many",
        "units",
        candidates=() if bound else tuple(legal),
        rings=tuple(rings),
        why_not=(*bound, *(() if legal else each_once(why))),
        says="To a unit, or to up to four that touch as a brigade; 2D6 at most Command.",
        clause="WM-CMD-2",
    )


# Characters


def _of_character(state: State, body: Body) -> Iterator[Control]:
    phase = state.turn.phase
    if body.side == state.turn.active:
        if phase in _COMMANDING:
            yield from _orders(state, body)
        if phase in (*_COMMANDING, CHARACTERS):
            yield from _steps(state, body)
    if phase == OTHER:
        yield Control(
            begun(LeaveTable, body),
            "Leave the table",
            why_not=tuple(findings(state, LeaveTable(actor=body.id))),
            group="attest",
            says="Something obliges it to leave on its own; a D6 says whether it comes back.",
            clause="WM-OFF-11",
        )


def _steps(state: State, body: Body) -> Iterator[Control]:
    units = [u for u in units_on_table(state) if u.side == body.side]
    joins = [u for u in units if not stands_of(state, u)[0].keyword("no_character")]
    join = Extra("join", "Join", "one", tuple((unit.id, unit.name) for unit in joins))
    yield Control(
        begun(MoveCharacter, body),
        "Move",
        "path",
        "path",
        optional=True,
        extras=(join,) if joins else (),
        spent=0.0,
        allowance=full_pace(body),
        why_not=tuple(findings(state, MoveCharacter(actor=body.id))),
        says="One move along a path; ended touching a unit, it may join that.",
        clause="WM-CHAR-4",
    )


# Other phases


def _forced(state: State, unit: Unit) -> Iterator[Control]:
    """What shooting and combat bring about; a fight first for units that are in one."""
    shot = _driven_back(state, unit)
    fought = (*_beaten(state, unit), *_won(state, unit))
    yield from (*fought, *shot) if is_engaged(state, unit) else (*shot, *fought)


def _driven_back(state: State, unit: Unit) -> Iterator[Control]:
    enemies = list(enemy_units(state, unit.side))
    shooters = tuple(body.id for enemy in enemies for body in stands_of(state, enemy))
    if not shooters:
        return
    one_hit = DriveBack(actor=unit.id, hits=1, shooter=shooters[0])
    yield Control(
        begun(DriveBack, unit, hits=1),
        "Drive back",
        "pick",
        "shooter",
        candidates=shooters,
        extras=(_HITS, _MAGIC),
        why_not=tuple(findings(state, one_hit)),
        group="attest",
        says="Shot at: a D6 of centimetres for each hit, away from the nearest stand that shot.",
        clause="WM-DB-1",
    )


def _beaten(state: State, unit: Unit) -> Iterator[Control]:
    yield Control(
        begun(Retreat, unit, points=1),
        "Retreat",
        "turn",
        "direction",
        low=0.0,
        high=360.0,
        extras=(_POINTS,),
        why_not=tuple(findings(state, Retreat(actor=unit.id, points=1, direction=0.0))),
        group="attest",
        says="Beaten in combat: straight back, 1 cm for each point lost by.",
        clause="WM-RET-1",
    )


def _won(state: State, unit: Unit) -> Iterator[Control]:
    if not word(unit, "may_move"):
        yield Control(
            begun(FallBack, unit),
            "Fall back",
            why_not=tuple(findings(state, FallBack(actor=unit.id))),
            group="attest",
            says="It won its combat: 3D6 are rolled for how far it may go.",
            clause="WM-FB-1",
        )
    seen = nearest_seen(state, unit)
    if seen is None:
        return
    enemy, pace = seen[0], pace_of(state, unit, "advance").allowance
    why = findings(state, Advance(actor=unit.id, target=enemy.id))
    yield Control(
        begun(Advance, unit),
        "Advance",
        "pick",
        "target",
        candidates=() if why else (enemy.id,),
        spent=0.0,
        allowance=pace,
        why_not=tuple(why),
        group="attest",
        says="It won its combat: into the closest enemy that it sees.",
        clause="WM-ADV-1",
    )
    if not why:
        yield stand_by_stand(Advance, unit, enemy, pace, "WM-ADV-1")
