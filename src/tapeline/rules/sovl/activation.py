"""SV-ACT, SV-ABL: who may act, when the phase goes on, abilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from tapeline.dice import Roll
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, TurnChanged
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import (
    ORDERS,
    Ability,
    Activate,
    EndActivation,
    NextTurn,
    Order,
    Pass,
    Rally,
    RollOff,
    Shoot,
)
from tapeline.rules.sovl.figures import BOOK, MOVE_CHANGE_IN, REPOSITION_IN
from tapeline.rules.sovl.measures import start_loss
from tapeline.rules.sovl.profiles import flies
from tapeline.rules.sovl.sequence import (
    begin_turn,
    close_activation,
    pass_if_nothing_left,
    passing,
)
from tapeline.rules.sovl.state import (
    ROLL_OFF,
    STRATEGIC,
    OrderContext,
    active_unit,
    allowance,
    is_engaged,
    is_fleeing,
    slots_used,
    spent,
    tried_to_rally,
)
from tapeline.table.marks import Marks

__all__ = [
    "do_ability",
    "do_activate",
    "do_end_activation",
    "do_next_turn",
    "do_pass",
    "do_roll_off",
]


@BOOK.clause(
    "SV-ACT-1", src="seed", bars=(Activate, *ORDERS, EndActivation, Pass), at=Moment.DECLARE
)
def sides_alternate(
    ask: OrderContext[Activate | Order | EndActivation | Pass],
) -> Iterator[Finding]:
    """The sides take turns; each activates one unit of its own and acts with it."""
    if ask.state.turn.phase != STRATEGIC:
        return
    finding = _out_of_turn(ask)
    if finding is None:
        ask.cite("SV-ACT-1")
    else:
        yield finding


def _out_of_turn(ask: OrderContext[Activate | Order | EndActivation | Pass]) -> Finding | None:
    state, action = ask.state, ask.subject
    here, unit = state.turn.active, active_unit(state)
    if isinstance(action, Pass):
        side = state.side(action.side or here)
        if side.id != here:
            text = f"It is {ask.side_name(here)}'s turn to act, not {side.name}'s."
            return Finding(text)
    elif isinstance(action, Activate):
        if ask.mover.side != here:
            text = (
                f"It is {ask.side_name(here)}'s turn to act, not that of {ask.mover.name}, "
                f"{ask.side_name(ask.mover.side)}'s."
            )
            return Finding(text, about=ask.mover.id)
    else:
        actor = ask.mover
        rallied = tried_to_rally(actor) and not isinstance(action, EndActivation)
        if unit == actor.id or rallied:
            return None
        now = f"the active unit: {state.body(unit).name}" if unit else "no unit is active"
        return Finding(f"{actor.name} cannot act now; {now}.", about=actor.id)
    if unit is not None:
        text = f"The activation of {state.body(unit).name} has to be ended first."
        return Finding(text, about=unit)
    return None


@BOOK.clause("SV-ACT-2", src="seed", bars=(Ability, Rally), at=Moment.DECLARE)
def known_actions_only(ask: OrderContext[Ability | Rally]) -> Iterator[Finding]:
    """An active unit that does not flee may move, make a ranged attack and use its abilities."""
    actor, action = ask.mover, ask.subject
    if isinstance(action, Rally):
        if not is_fleeing(actor) and not tried_to_rally(actor):
            yield Finding(f"{actor.name} can Rally only while fleeing.", about=actor.id)
        return
    if action.name not in actor.stats.texts("abilities"):
        yield Finding(f"{actor.name} cannot use {action.name!r}: no such ability.", about=actor.id)


BOOK.resolves_each("""
SV-ACT-3 (seed) Movement of one activation is limited by the unit's allowance; nothing carries over.
SV-ACT-4 (seed) Allowance and pivot cost come from the type table; an unknown type is a faulty
    scene.
""")


@BOOK.clause("SV-ACT-5", src="public", bars=Activate, at=Moment.DECLARE)
def one_activation_a_turn(ask: OrderContext[Activate]) -> Iterator[Finding]:
    """A unit is activated once a turn; declaring a charge counts."""
    actor = ask.mover
    how = spent(actor)
    if how and not is_fleeing(actor):
        yield Finding(f"{actor.name} {how} this turn already.", 2.0, 1.0, about=actor.id)


BOOK.resolves_each("""
SV-ACT-6 (public) After an activation the initiative goes to the other side, or back if it has none
    left.
""")


@BOOK.clause(
    "SV-ACT-7",
    src="public",
    bars=(Activate, *ORDERS, EndActivation, Pass, NextTurn),
    at=Moment.DECLARE,
)
def until_all_are_activated(
    ask: OrderContext[Activate | Order | EndActivation | Pass | NextTurn],
) -> Iterator[Finding]:
    """Activations go on until every unit has had its own or both sides have passed, no longer."""
    phase = ask.state.turn.phase
    if isinstance(ask.subject, NextTurn):
        if phase == STRATEGIC:
            yield Finding("Units are left to activate, and not both sides have passed.")
    elif phase not in (STRATEGIC, ROLL_OFF):
        yield Finding("The activations of this turn are over.")


@BOOK.clause(
    "SV-ACT-8",
    src="public",
    bars=(RollOff, Activate, *ORDERS, EndActivation, Pass, NextTurn),
    at=Moment.DECLARE,
)
def first_initiative(
    ask: OrderContext[RollOff | Activate | Order | Pass | NextTurn],
) -> Iterator[Finding]:
    """The first initiative of the game is rolled for, once; a turn has three phases."""
    before = ask.state.turn.phase == ROLL_OFF
    if isinstance(ask.subject, RollOff):
        if not before:
            yield Finding("The first initiative of the game is settled already.")
    elif before:
        yield Finding("The first initiative of the game has to be rolled for.")


@BOOK.clause("SV-ACT-9", src="pick", bars=Activate, at=Moment.DECLARE)
def engaged_units_stay(ask: OrderContext[Activate]) -> Iterator[Finding]:
    """An engaged unit is not activated in the Strategic Phase."""
    if is_engaged(ask.mover):
        yield Finding(f"{ask.mover.name} cannot act while engaged in combat.", about=ask.mover.id)


@BOOK.clause("SV-ABL-1", src="public", bars=(Shoot, Ability), at=Moment.DECLARE)
def one_slot_each(ask: OrderContext[Shoot | Ability]) -> Iterator[Finding]:
    """One ability or one ranged attack in an activation, and one more slot for a Commander."""
    if not ask.actor_is_active:
        return
    actor, action = ask.mover, ask.subject
    slot = "unit"
    if isinstance(action, Ability) and action.commander:
        slot = "commander"
        if not actor.keyword("Commander"):
            yield Finding(f"There is no Commander with {actor.name}.", 1.0, 0.0, about=actor.id)
            return
    if isinstance(action, Shoot) and ask.state.progress.get("shot") is True:
        return
    if slot in slots_used(ask.state):
        text = f"The {slot}'s ability or ranged attack of this activation is used."
        yield Finding(text, 2.0, 1.0, about=actor.id)


def _roll_off_die(side: str) -> Roll:
    return Roll(1, "roll-off for the first initiative", "SV-ACT-8", side)


def _lead(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """1 where the first is higher, -1 where the second is, 0 for a tie."""
    return (mine[0] > theirs[0]) - (mine[0] < theirs[0])


def do_roll_off(run: Run, action: RollOff) -> Procedure:
    """Roll off; the winner takes the first initiative or the choice of zone (SV-ACT-8)."""
    first, second = (side.id for side in run.state.sides)
    lead = 0
    while lead == 0:
        mine = yield from run.roll(_roll_off_die(first), anew=True)
        theirs = yield from run.roll(_roll_off_die(second), partial(_lead, mine))
        lead = _lead(mine, theirs)
    winner, loser = (first, second) if lead > 0 else (second, first)
    options = {"initiative": "the first initiative", "zone": "the choice of zone"}
    taken = yield from run.pick(winner, "what to take", "SV-ACT-8", options, default="initiative")
    holder, zone = (winner, loser) if taken == "initiative" else (loser, winner)
    run.emit(Progressed(Marks({"zone": zone}), "SV-ACT-8"))
    run.emit(TurnChanged(phase=STRATEGIC, active=holder, initiative=holder, clause="SV-ACT-8"))
    text = f"The first initiative: {holder}; the choice of zone: {zone}."
    run.happened("first initiative", text, "SV-ACT-8", outcome=True, side=holder, zone=zone)
    pass_if_nothing_left(run)


def do_activate(run: Run, action: Activate) -> None:
    """Begin an activation with the full allowance, less what the ground takes."""
    state = run.state
    actor = state.body(action.actor)
    run.emit(Marked(actor.id, Marks({"activated": True}), "SV-ACT-5"))
    move = actor.stat("move")
    loss, where = start_loss(state, actor)
    taken = min(move, loss)
    left = move - taken
    run.cite("SV-ACT-3", "SV-ACT-4")
    if flies(actor):
        run.cite("SV-PROP-3")
    elif any(actor.keyword(word) for word in MOVE_CHANGE_IN):
        run.cite("SV-PROP-1")
    if loss:
        assert where is not None
        run.pay(f"starts in {where.name}", 0.0, 1.0, taken, "SV-TER-2")
        run.cite("SV-TER-1")
    elif where is not None:
        run.cite("SV-TER-1", "SV-PROP-2")
    run.emit(
        Progressed(
            Marks({"unit": actor.id, "allowance": left, "lost": taken if loss else None}),
            "SV-ACT-3",
        )
    )
    if is_fleeing(actor):
        run.cite("SV-RALLY-1")
    run.value(allowance_left=left)


def do_end_activation(run: Run, action: EndActivation) -> None:
    """End the activation."""
    close_activation(run)


def do_pass(run: Run, action: Pass) -> None:
    """Pass."""
    passing(run, run.state.turn.active)


def do_ability(run: Run, action: Ability) -> None:
    """Use up the slot of an ability; of abilities only Reposition has an effect here."""
    state = run.state
    slot = "commander" if action.commander else "unit"
    run.emit(Progressed(Marks({"slots": (*slots_used(state), slot)}), "SV-ABL-1"))
    text = f"{run.state.body(action.actor).name} used {action.name}."
    run.happened("ability used", text, "SV-ABL-1", about=action.actor, ability=action.name)
    left = allowance(state)
    if action.name == "Reposition":
        left += REPOSITION_IN
        run.emit(Progressed(Marks({"allowance": left}), "SV-ABL-1"))
    run.cite("SV-ACT-2")
    run.value(allowance_left=left)


def do_next_turn(run: Run, action: NextTurn) -> None:
    """Begin the next turn."""
    begin_turn(run)
    run.cite("SV-ACT-7")
    run.value(turn=run.state.turn.round)
