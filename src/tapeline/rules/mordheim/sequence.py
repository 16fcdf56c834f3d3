"""MH-PHASE, MH-REC, MH-SHOOT: phases, the steps of movement, and what other phases hold."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, TurnChanged
from tapeline.engine.limits import closer_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import (
    Cast,
    Charge,
    CloseDeclarations,
    Compulsory,
    Crawl,
    DeclareCharge,
    EndPhase,
    Hide,
    Move,
    Rally,
    Shoot,
    StandUp,
    Strike,
)
from tapeline.rules.mordheim.climb import put_down
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.hide import give_away, reveal
from tapeline.rules.mordheim.moves import snapshot
from tapeline.rules.mordheim.psychology import breaking, frenzy, stupidity
from tapeline.rules.mordheim.state import (
    CHARGING,
    COMPULSORY,
    DECLARING,
    HAND_TO_HAND,
    MOVEMENT,
    OF_TURN,
    RECOVERY,
    REMAINING,
    SHOOTING,
    charge_result,
    condition,
    counts,
    engaged_with,
    is_fleeing,
    is_forced,
    is_hidden,
    is_standing,
    must_move,
    next_step,
    of_side,
    shots_barred,
    state_permissions,
    step,
    to_charge,
)
from tapeline.rules.mordheim.terrain import touching_features
from tapeline.rules.mordheim.wounds import leadership_test
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["cast", "close_declarations", "end_phase", "rally", "shoot", "stand_up", "strike"]


# Shooting and fighting: settled by the players; the result that they attest is kept.


@BOOK.clause("MH-SHOOT-1", src="public", bars=(Shoot, Cast, Strike), at=Moment.DECLARE)
def who_may_attack(ask: Context[Shoot | Cast | Strike]) -> Iterator[Finding]:
    """No shot if engaged, fleeing, knocked down or stunned, nor after a run, a rally or a failed
    charge, nor at a friend; a blow only at an enemy it is engaged with."""
    mover, subject = ask.mover, ask.subject
    if isinstance(subject, Strike):
        if subject.target not in engaged_with(mover):
            text = f"{mover.name} does not fight {ask.name(subject.target)}."
            yield Finding(text, about=subject.target)
        return
    if isinstance(subject, Shoot):
        for why in shots_barred(mover):
            yield Finding(f"{mover.name} {why} and does not shoot.", about=mover.id)
    if subject.target is not None and ask.state.body(subject.target).side == mover.side:
        yield Finding(f"{ask.name(subject.target)} is not an enemy.", about=subject.target)


def shoot(run: Run, action: Shoot) -> Procedure:
    """A shot, settled by the players; what it did to the target."""
    yield from _loose(run, action, "shoots")


def cast(run: Run, action: Cast) -> Procedure:
    """A spell, settled by the players; what it did to the target."""
    if run.state.body(action.actor).has("ran"):
        run.cite("MH-RUN-9")
    if run.state.body(action.actor).has("rallied"):
        run.cite("MH-REC-1")
    yield from _loose(run, action, "casts")


def _loose(run: Run, action: Shoot | Cast, does: str) -> Procedure:
    clause, body = "MH-SHOOT-1", run.state.body(action.actor)
    if action.target is not None and is_hidden(run.state.body(action.target)):
        reveal(run)
    if body.has("stood_up"):
        run.cite("MH-KD-2")
    if charge_result(body) == "unnoticed":
        run.cite("MH-CHG-5")
    if charge_result(body) == "failed":
        run.cite("MH-CHG-12")  # it casts
    faster = body.has("ran") or body.has("fled") or charge_result(body) in ("success", "failed")
    if body.has("spent") and not faster:
        run.cite("MH-MOVE-4")
        if body.has("gap_jumped") and does == "shoots":
            run.cite("MH-GAP-6")
    run.emit(Marked(body.id, Marks({"shot": True}), clause))
    run.happened(does, f"{body.name} {does}", clause, about=body.id)
    give_away(run, body.id, f"{body.name} {does} and is no longer hidden", "MH-HIDE-8")
    if action.target is not None:
        yield from put_down(run, action.target, action.result, clause)


def strike(run: Run, action: Strike) -> Procedure:
    """A blow, settled by the players; what it did to the target."""
    body, target = run.state.body(action.actor), run.state.body(action.target)
    text = f"{body.name} strikes {target.name}"
    if body.has("stood_up"):
        run.cite("MH-KD-2")
    if body.has("strikes_first"):
        run.cite("MH-CHG-16")
    if body.has("dive_bonus"):
        text += " with +1 Strength and +1 to hit"
        run.cite("MH-DIVE-5")
    run.emit(Marked(body.id, Marks({"struck": True}), "MH-SHOOT-1"))
    run.happened("strikes", text, "MH-SHOOT-1", about=target.id)
    yield from put_down(run, target.id, action.result, "MH-SHOOT-1")


# Recovery.


@BOOK.clause("MH-REC-1", src="public", bars=(Rally, Move, DeclareCharge, Shoot), at=Moment.DECLARE)
def rallies_and_stays(ask: Context[Rally | Move | DeclareCharge | Shoot]) -> Iterator[Finding]:
    """A fleeing model rallies on a Leadership test; that turn it does not move or shoot, but may
    cast."""
    mover = ask.mover
    if isinstance(ask.subject, Rally):
        if not is_fleeing(mover) or not is_standing(mover):
            yield Finding(f"{mover.name} is not fleeing on its feet.", about=mover.id)
        elif mover.has("rally_failed"):
            yield Finding(f"{mover.name} has tried to rally this turn.", about=mover.id)
    elif mover.has("rallied"):
        ask.cite("MH-REC-1")
        if isinstance(ask.subject, Move) and not ask.subject.path:
            return
        yield Finding(f"{mover.name} rallied this turn and only collects itself.", about=mover.id)


@BOOK.clause("MH-REC-2", src="public", bars=Rally, at=Moment.DECLARE)
def no_rally_beside_enemies(ask: Context[Rally]) -> Iterator[Finding]:
    """No rally if the closest model is an enemy; fleeing, stunned, knocked down and hidden models
    are disregarded. How far it is is not told: nothing is measured before charges (MH-CHG-2)."""
    if any(ask.state.enemies(ask.mover)):
        ask.cite("MH-REC-2")
    if not ask.may_be_told(RECOVERY):
        return
    found = _closest_enemy(ask.state, ask.mover)
    if found is not None:
        text = f"{found.name}, an enemy, is the model closest to {ask.mover.name}."
        yield Finding(text, about=found.id)


def _closest_enemy(state: State, body: Body) -> Body | None:
    """The enemy nearest to a model, if no friend is as near."""
    enemies = [(gap(state, body, e), e) for e in state.enemies(body) if counts(e)]
    if not enemies:
        return None
    measured, enemy = min(enemies, key=lambda pair: pair[0])
    friends = [gap(state, body, f) for f in state.friends(body) if counts(f)]
    return enemy if all(closer_than(measured, friend) for friend in friends) else None


def rally(run: Run, action: Rally) -> Procedure:
    """One attempt to rally."""
    body = run.state.body(action.actor)
    if (yield from leadership_test(run, body.id, "rallies", "MH-REC-1")):
        run.emit(Marked(body.id, Marks({"fleeing": None, "rallied": True}), "MH-REC-1"))
        run.happened("rallies", f"{body.name} rallies", "MH-REC-1", about=body.id, outcome=True)
    else:
        run.emit(Marked(body.id, Marks({"rally_failed": True}), "MH-REC-1"))
        text = f"{body.name} flees on"
        run.happened("flees on", text, "MH-REC-1", about=body.id, outcome=True)
    state_permissions(run, body.id)


def stand_up(run: Run, action: StandUp) -> None:
    """A model knocked down before this turn stands up."""
    body = run.state.body(action.actor)
    run.emit(Marked(body.id, Marks({"condition": None, "stood_up": True}), "MH-KD-2"))
    run.happened("stands up", f"{body.name} stands up", "MH-KD-2", about=body.id)
    state_permissions(run, body.id)


# Phases.


#: The phase each action belongs to.
_PHASE_OF: dict[type, str] = {
    Rally: RECOVERY,
    StandUp: RECOVERY,
    DeclareCharge: MOVEMENT,
    CloseDeclarations: MOVEMENT,
    Charge: MOVEMENT,
    Compulsory: MOVEMENT,
    Move: MOVEMENT,
    Crawl: MOVEMENT,
    Hide: MOVEMENT,
    Shoot: SHOOTING,
    Cast: SHOOTING,
    Strike: HAND_TO_HAND,
}
#: The step of the movement phase each action belongs to.
_STEP_OF: dict[type, str] = {
    CloseDeclarations: DECLARING,
    Charge: CHARGING,
    Compulsory: COMPULSORY,
    Move: REMAINING,
    Crawl: REMAINING,
    Hide: REMAINING,
}
_STEP_WORDS = {
    DECLARING: "charges are being declared",
    CHARGING: "declared charges are being moved",
    COMPULSORY: "compulsory moves are being made",
    REMAINING: "the remaining moves are being made",
}
_NEXT_PHASE = {RECOVERY: MOVEMENT, MOVEMENT: SHOOTING, SHOOTING: HAND_TO_HAND}


Acting = Rally | StandUp | DeclareCharge | Charge | Compulsory | Move | Crawl | Hide | Shoot | Cast


@BOOK.clause(
    "MH-PHASE-1",
    src="seed",
    bars=(CloseDeclarations, Charge, Compulsory, Move, Crawl, Hide, EndPhase),
    at=Moment.DECLARE,
)
def step_by_step(
    ask: Context[CloseDeclarations | Charge | Compulsory | Move | Crawl | Hide | EndPhase],
) -> Iterator[Finding]:
    """The movement phase has three steps in this order: charges, compulsory moves, remaining
    moves."""
    state, subject = ask.state, ask.subject
    now = step(state)
    if not now:
        return
    if isinstance(subject, EndPhase):
        if now != REMAINING:
            yield Finding(f"The phase cannot end while {_STEP_WORDS[now]}.")
        return
    wanted = _STEP_OF[type(subject)]
    if now == wanted or (now == COMPULSORY and wanted == REMAINING):
        return
    yield Finding(f"Not now: {_STEP_WORDS[now]}.")


@BOOK.clause("MH-PHASE-2", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def charges_come_first(ask: Context[DeclareCharge]) -> Iterator[Finding]:
    """All charging is done at the start of the movement phase, before any other model of that side
    has moved."""
    if step(ask.state) not in ("", DECLARING):
        yield Finding("Charges were declared at the start of the phase; no more are declared now.")


@BOOK.clause("MH-PHASE-3", src="seed", bars=(Move, Crawl, Hide), at=Moment.DECLARE)
def compulsory_comes_first(ask: Context[Move | Crawl | Hide]) -> Iterator[Finding]:
    """Every compulsory move of the side is carried out before any remaining move is finished."""
    if any(b.has("fled") or b.has("stumbles") for b in of_side(ask.state, ask.mover.side)):
        ask.cite("MH-PHASE-3")
    if step(ask.state) != COMPULSORY:
        return
    for body in must_move(ask.state):
        yield Finding(f"{body.name} must make its compulsory move first.", about=body.id)


@BOOK.clause("MH-PHASE-4", src="seed", bars=(Move, Crawl, Hide), at=Moment.DECLARE)
def moves_once(ask: Context[Move | Crawl | Hide]) -> Iterator[Finding]:
    """In the remaining moves every other warrior may move, in any order, each once."""
    mover = ask.mover
    if not mover.has("moved"):
        return
    if isinstance(ask.subject, Hide):
        if ask.state.progress.get("last") != mover.id:
            text = f"{mover.name} may hide only where and when its move ends."
            yield Finding(text, about=mover.id)
        return
    yield Finding(f"{mover.name} has made its move this turn.", 2.0, 1.0, about=mover.id)


@BOOK.clause("MH-PHASE-5", src="public", bars=tuple(_PHASE_OF), at=Moment.DECLARE)
def phase_by_phase(ask: Context[Acting | CloseDeclarations | Strike]) -> Iterator[Finding]:
    """A turn is recovery, movement, shooting, hand-to-hand; sides alternate turns, and both fight
    in the hand-to-hand phase."""
    state, subject = ask.state, ask.subject
    wanted = _PHASE_OF[type(subject)]
    if state.turn.phase != wanted:
        yield Finding(f"That belongs to the {wanted} phase; this is the {state.turn.phase} phase.")
    if isinstance(subject, CloseDeclarations | Strike):
        return
    if ask.mover.side != state.turn.active:
        text = f"{ask.mover.name} is not of {ask.side_name(state.turn.active)}, whose turn it is."
        yield Finding(text, about=ask.mover.id)


@BOOK.clause(
    "MH-COMP-1",
    src="seed",
    bars=(Compulsory, DeclareCharge, Move, Crawl, Hide, EndPhase),
    at=Moment.DECLARE,
)
def compulsory_moves(
    ask: Context[Compulsory | DeclareCharge | Move | Crawl | Hide | EndPhase],
) -> Iterator[Finding]:
    """A compulsory move is one a model is forced to make in a set way; its owner can neither skip
    nor shorten it."""
    if isinstance(ask.subject, EndPhase):
        for body in must_move(ask.state) if step(ask.state) else ():
            yield Finding(f"{body.name} must make its compulsory move.", about=body.id)
        return
    mover = ask.mover
    if isinstance(ask.subject, Compulsory):
        if mover.id not in {body.id for body in must_move(ask.state)}:
            yield Finding(f"{mover.name} has no compulsory move to make.", about=mover.id)
    elif is_forced(mover):
        does = "is fleeing" if is_fleeing(mover) else "stumbles"
        yield Finding(f"{mover.name} {does} and makes only its compulsory move.", about=mover.id)


@BOOK.clause("MH-MOVE-3", src="seed", bars=EndPhase, at=Moment.DECLARE)
def charges_are_moved(ask: Context[EndPhase]) -> Iterator[Finding]:
    """Moving is optional and may fall short of the allowance; but a declared charge is moved, and
    so is whoever must make a compulsory move (MH-COMP-1)."""
    for body in to_charge(ask.state):
        yield Finding(f"{body.name} must make the charge it declared.", about=body.id)


def begin_movement(run: Run) -> Procedure:
    """0: what models touch as the phase begins, the tests of the stupid; then declarations."""
    run.emit(Progressed(Marks({"step": DECLARING, "begun": True, "last": None}), "MH-PHASE-1"))
    reveal(run)
    for body in of_side(run.state, run.state.turn.active):
        touched = touching_features(run.state, body)
        if touched:
            run.emit(Marked(body.id, Marks({"touching": touched}), "MH-CLIMB-2"))
    yield from stupidity(run)


def close_declarations(run: Run, action: CloseDeclarations) -> Procedure:
    """1a ends: frenzied models charge, the 8-inch check is made, the next step begins."""
    run.untold()
    reveal(run)
    yield from frenzy(run)
    snapshot(run)
    next_step(run)


def end_phase(run: Run, action: EndPhase) -> Procedure:
    """The phase ends with what ends it; the next one begins."""
    phase = run.state.turn.phase
    if phase == RECOVERY:
        run.untold()
        for body in of_side(run.state, run.state.turn.active):
            if condition(body) == "stunned":
                changes = Marks({"condition": "knocked_down", "was_stunned": True})
                run.emit(Marked(body.id, changes, "MH-STUN-1"))
                text = f"{body.name} is no longer stunned but knocked down"
                run.happened("comes round", text, "MH-STUN-1", about=body.id)
    elif phase == HAND_TO_HAND:
        yield from breaking(run)
        for body in list(run.state.bodies.values()):
            spent = [m for m in ("dive_bonus", "strikes_first") if m in body.marks]
            if spent:
                run.emit(Marked(body.id, Marks(dict.fromkeys(spent)), "MH-DIVE-5"))
        _end_turn(run)
        return
    run.emit(TurnChanged(phase=_NEXT_PHASE[phase], clause="MH-PHASE-5"))
    if phase == RECOVERY:
        yield from begin_movement(run)
    elif phase == MOVEMENT:
        run.emit(Progressed(Marks({"step": None, "last": None, "watched": None}), "MH-PHASE-5"))


def _end_turn(run: Run) -> None:
    state = run.state
    if any(is_hidden(body) for body in state.bodies.values()):
        run.cite("MH-HIDE-4")
    for body in state.bodies.values():
        past = {mark: None for mark in OF_TURN if mark in body.marks}
        if past:
            run.emit(Marked(body.id, Marks(past), "MH-PHASE-5"))
    following = state.other_side(state.turn.active)
    again = following == state.turn.initiative
    run.emit(
        TurnChanged(
            round=state.turn.round + 1 if again else None,
            phase=RECOVERY,
            active=following,
            clause="MH-PHASE-5",
        )
    )
