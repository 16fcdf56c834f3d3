"""What a player of Warmaster can ask for now, as controls for any face.

Findings come from the clauses, asked about the action as far as it is settled; of charges nothing
is planned for a control, except where troops that must charge keep others from going on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from tapeline.engine.controls import Control, Extra, Ring, begun
from tapeline.engine.limits import within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Advance,
    AnyCharge,
    Block,
    Brigade,
    Charge,
    DriveBack,
    EndStep,
    Evade,
    FallBack,
    FormColumn,
    FormLine,
    HomeBack,
    InitiativeCharge,
    LeaveTable,
    MoveCharacter,
    MoveUnit,
    Order,
    Retreat,
    Wheel,
)
from tapeline.rules.warmaster.brigades import planned
from tapeline.rules.warmaster.charge import bound_to_charge
from tapeline.rules.warmaster.figures import (
    FLYER_ORDER_CM,
    INITIATIVE_CM,
    flies,
    full_pace,
    is_character,
    rank_of,
)
from tapeline.rules.warmaster.formation import is_engaged, pace_of
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.measures import kind_of, spec_of
from tapeline.rules.warmaster.orders import ORDER_RANGE_CM, needed_for
from tapeline.rules.warmaster.sight import closest_seen
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    END,
    HOME,
    INITIATIVE,
    ORDERS,
    OTHER,
    characters,
    enemy_units,
    findings,
    kept,
    stands_of,
    units_apart,
    units_on_table,
)
from tapeline.table.bodies import Body, Unit

__all__ = ["controls"]


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


def barred_move(state: State, unit: Unit) -> Iterator[Control]:
    """The move of a unit that has no order, and why it may not be made."""
    yield replace(
        _block(state, unit), spent=None, why_not=tuple(findings(state, MoveUnit(actor=unit.id)))
    )


def _block(state: State, unit: Unit) -> Control:
    return Control(
        begun(Block, unit),
        Block.title,
        "pose",
        "to",
        "by",
        "by",
        optional=True,
        spent=0.0,
        allowance=pace_of(state, unit, kind_of(unit)).allowance,
        says="The whole unit as one block, to a place and turned.",
        clause="WM-MOVE-1",
    )


def move_controls(state: State, unit: Unit) -> Iterator[Control]:
    """What a unit may do that has been given an order, failed its first one, or falls back."""
    block = _block(state, unit)
    why = tuple(findings(state, MoveUnit(actor=unit.id)))
    yield replace(block, why_not=why)
    if unit.marks.text("may_move") != "fall_back":
        pace = pace_of(state, unit, "charge").allowance
        near = [e for e in enemy_units(state, unit.side) if units_apart(state, unit, e) <= pace]
        like = Control(
            block.action,
            "Charge",
            closes=True,
            says="At full pace into an enemy that it sees; the ways of the stands are planned.",
            clause="WM-CHG-1",
        )
        by_hand = "Charge {} stand by stand"
        yield from _charges(state, unit, Charge, near, like, by_hand) if near else ()
    if why:
        return
    for control in _manoeuvres(state, unit):
        yield replace(control, spent=block.spent, allowance=block.allowance)


def _manoeuvres(state: State, unit: Unit) -> Iterator[Control]:
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
    spec = spec_of(state, unit, stands=planned(state, AboutFace(actor=unit.id)).stands)
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


def _charges(
    state: State,
    unit: Unit,
    kind: type[AnyCharge],
    enemies: Iterable[Unit],
    like: Control,
    by_hand: str,
) -> Iterator[Control]:
    """A charge at those of some enemies that may be charged, planned by the engine; then one at
    each stand by stand. like: the first but for that; by_hand: how to call the others, {} the
    enemy."""
    pace = pace_of(state, unit, kind.kind).allowance
    like = replace(like, action=begun(kind, unit), spent=0.0, allowance=pace)
    legal: list[Unit] = []
    against: list[Finding] = []
    for enemy in enemies:
        found = findings(state, kind(actor=unit.id, target=enemy.id))
        against += found
        legal += [] if found else [enemy]
    targets, why = tuple(enemy.id for enemy in legal), () if legal else each_once(against)
    yield replace(like, gesture="pick", slot="target", candidates=targets, why_not=why)
    for enemy in legal:
        yield replace(
            like,
            action=begun(kind, unit, target=enemy.id),
            label=by_hand.format(enemy.name),
            gesture="stands",
            slot="stands",
            optional=True,
            rings=(),
            closes=False,
            says="A way for each stand; the first to move meets the enemy.",
        )


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
    like = Control(
        begun(InitiativeCharge, unit),
        InitiativeCharge.title,
        rings=rings,
        closes=True,
        says="Into the closest enemy that it sees; the ways of the stands are planned.",
        clause="WM-INIT-1",
    )
    by_hand = "Charge {} stand by stand, on initiative"
    planned, *others = _charges(state, unit, InitiativeCharge, targets or [near], like, by_hand)
    yield planned
    for enemy in targets:
        yield _evade(state, unit, enemy, rings)
    yield from others


def _nearest_enemy(state: State, unit: Unit) -> Unit | None:
    """The nearest enemy unit within 20 cm."""
    gaps = [(units_apart(state, unit, e), e.id) for e in enemy_units(state, unit.side)]
    least, name = min(gaps, default=(math.inf, ""))
    return state.units[name] if within(least, INITIATIVE_CM) else None


def _evade(state: State, unit: Unit, enemy: Unit, rings: tuple[Ring, ...]) -> Control:
    pace = pace_of(state, unit, "evade").allowance
    friends = [
        friend
        for friend in units_on_table(state)
        if friend.side == unit.side and friend.id != unit.id
        if units_apart(state, unit, friend) <= pace
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
        HomeBack.title,
        "pick",
        "character",
        candidates=() if why else leaders,
        why_not=tuple(why),
        says="D6 x 10 cm straight toward a character; then no unit moves on initiative any more.",
        clause="WM-FLY-2",
    )


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
    unit = state.units.get(of) or state.unit_of(of)
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
    HOME: ("End the flights home", "No flyer goes home any more; orders begin."),
    ORDERS: ("End orders", "No more orders; moves that were ordered and not made are lost."),
    CHARACTERS: (
        "End the characters' moves",
        "The Command phase ends; who was confused is not.",
    ),
    END: ("Go on to shooting and combat", "Both are settled on the table."),
    OTHER: ("End the turn", "The Command phase of the other side begins."),
}


def _of_the_phase(state: State) -> Iterator[Control]:
    yield from _brigade(state)
    label, says = _END[state.turn.phase]
    yield Control(
        begun(EndStep),
        label,
        why_not=(*_bound(state), *findings(state, EndStep())),
        group="step",
        says=says,
        clause="WM-CMD-1",
    )


@kept
def _bound(state: State) -> list[Finding]:
    """Troops that must charge before anything else is done."""
    return list(bound_to_charge(partial(findings, state), state))


def _brigade(state: State) -> Iterator[Control]:
    """The units ordered as a brigade that have not moved yet, as one block."""
    group = [state.units[name] for name in state.progress.texts("group") if name in state.units]
    waiting = [unit for unit in group if unit.marks.text("may_move") in ("order", "half")]
    if len(waiting) < 2:
        return
    names = ", ".join(unit.name for unit in waiting)
    why = [finding for unit in waiting for finding in findings(state, MoveUnit(actor=unit.id))]
    yield replace(
        _block(state, waiting[0]),
        action=begun(Brigade, units=tuple(unit.id for unit in waiting)),
        label="Move the brigade",
        allowance=min(pace_of(state, unit, kind_of(unit)).allowance for unit in waiting),
        why_not=tuple(why),
        says=f"{names}: all as one block, to a place and turned.",
        clause="WM-CMD-8",
    )


# Units


def _of_unit(state: State, unit: Unit) -> Iterator[Control]:
    phase, mine = state.turn.phase, unit.side == state.turn.active
    if unit.marks.text("may_move"):
        yield from move_controls(state, unit)
    if mine and phase == INITIATIVE:
        yield from initiative_controls(state, unit)
    if mine and phase in (INITIATIVE, HOME):
        yield from home_controls(state, unit)
    if mine and phase in _COMMANDING:
        yield from _to_be_ordered(state, unit)
        if not unit.marks.text("may_move"):
            yield from barred_move(state, unit)
        if unit.id in state.progress.texts("group"):
            yield from _brigade(state)
    if phase == OTHER:
        yield from _forced(state, unit)


# Orders


def _to_be_ordered(state: State, unit: Unit) -> Iterator[Control]:
    """An order to this unit alone from each character."""
    bound = _bound(state)
    for body in characters(state, unit.side):
        why = (*bound, *findings(state, Order(actor=body.id, units=(unit.id,))))
        yield Control(
            begun(Order, body, units=(unit.id,)),
            f"Order from {body.name}",
            why_not=why,
            says=f"{needed_for(state, body, [unit])} or less on 2D6.",
            clause="WM-CMD-2",
        )


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
        MoveCharacter.title,
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
    if not unit.marks.text("may_move"):
        yield Control(
            begun(FallBack, unit),
            "Fall back",
            why_not=tuple(findings(state, FallBack(actor=unit.id))),
            group="attest",
            says="It won its combat: 3D6 are rolled for how far it may go.",
            clause="WM-FB-1",
        )
    enemies = closest_seen(state, unit, front_only=True) or closest_seen(state, unit)
    like = Control(
        begun(Advance, unit),
        "Advance",
        group="attest",
        says="It won its combat: into the closest enemy that it sees.",
        clause="WM-ADV-1",
    )
    by_hand = "Advance on {} stand by stand"
    yield from _charges(state, unit, Advance, enemies, like, by_hand) if enemies else ()
