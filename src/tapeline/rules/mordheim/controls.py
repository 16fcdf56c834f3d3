"""What a player of Mordheim can ask for now, as controls for any face.

Findings come from the clauses, asked about the action as far as it is settled. Nothing here tells a
distance that may not be measured yet: no reach and no rings before declarations close, and enemies
out of sight are offered alike whether they are near enough to be charged or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.clauses import DECLARED
from tapeline.engine.controls import Control, Extra, Manner, Ring, begun
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.engine.system import Question
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
    Measure,
    Move,
    Rally,
    Shoot,
    StandUp,
    Strike,
)
from tapeline.rules.mordheim.context import Context, findings_of, is_legal
from tapeline.rules.mordheim.figures import RUN_BAN_IN, UNSEEN_CHARGE_IN
from tapeline.rules.mordheim.hide import uncovered
from tapeline.rules.mordheim.reach import may_measure
from tapeline.rules.mordheim.sight import sees_upright
from tapeline.rules.mordheim.state import (
    CHARGING,
    COMPULSORY,
    DECLARING,
    HAND_TO_HAND,
    MOVEMENT,
    RECOVERY,
    REMAINING,
    SHOOTING,
    allowance,
    charge_result,
    condition,
    counts,
    engaged_with,
    initiative,
    is_fleeing,
    is_hidden,
    is_standing,
    must_move,
    step,
    targets_of,
)
from tapeline.table.bodies import Body

__all__ = ["controls"]

_MANNERS = (
    Manner("walk", "Walk"),
    Manner("climb", "Climb"),
    Manner("drop", "Jump down"),
    Manner("jump", "Jump a gap"),
)
_RESULT = Extra(
    "result",
    "Result",
    "one",
    (
        ("nothing", "no effect"),
        ("knocked_down", "knocked down"),
        ("stunned", "stunned"),
        ("out", "out of action"),
    ),
    "nothing",
)
_HIDE = Extra("hide", "Hide at the end", "flag", default=False)
_DIVE = Extra("dive", "As a diving charge", "flag", default=False)


def controls(state: State, of: str | None) -> Iterator[Control]:
    """What can be asked for now of a model, or of nobody in particular; the most wanted first.

    Raises UnknownIdError for an id that nothing on the table has.
    """
    # The sort keeps the order among those that may be done.
    yield from sorted(_asked(state, of), key=lambda control: bool(control.why_not))


def _asked(state: State, of: str | None) -> Iterator[Control]:
    if of is None:
        yield from _of_the_turn(state)
        return
    body = state.body(of)
    phase = state.turn.phase
    if body.side == state.turn.active:
        if phase == RECOVERY:
            yield from _in_recovery(state, body)
        elif phase == MOVEMENT:
            yield from _in_movement(state, body)
        elif phase == SHOOTING:
            yield from _in_shooting(state, body)
    if phase == HAND_TO_HAND:
        yield from _in_combat(state, body)
    yield from _measures(state, body)


def _of_the_turn(state: State) -> Iterator[Control]:
    if not state.bodies:
        return
    if step(state) == DECLARING:
        yield Control(
            begun(CloseDeclarations),
            "Close declarations",
            group="step",
            says="No more charges are announced; then it is checked who may run.",
            clause="MH-RUN-5",
        )
        return
    ends = {
        RECOVERY: ("End recovery", "Those who were stunned come round; the movement phase begins."),
        MOVEMENT: ("End movement", "Models that have not moved stay; the shooting phase begins."),
        SHOOTING: ("End shooting", "The hand-to-hand phase begins."),
        HAND_TO_HAND: ("End the turn", "Who fights alone tests; then it is the other side's turn."),
    }
    label, says = ends[state.turn.phase]
    yield Control(
        begun(EndPhase),
        label,
        why_not=findings_of(state, EndPhase()),
        group="step",
        says=says,
        clause="MH-PHASE-5",
    )


# Recovery


def _in_recovery(state: State, body: Body) -> Iterator[Control]:
    if is_fleeing(body):
        yield Control(
            begun(Rally, body),
            "Rally",
            why_not=findings_of(state, Rally(actor=body.id)),
            says="A Leadership test; passed, it flees no longer and spends the turn on that.",
            clause="MH-REC-1",
        )
    if not is_standing(body):
        yield Control(
            begun(StandUp, body),
            "Stand up",
            why_not=findings_of(state, StandUp(actor=body.id)),
            says="It moves at half rate this turn and neither runs nor charges.",
            clause="MH-KD-2",
        )


# Movement


def _in_movement(state: State, body: Body) -> Iterator[Control]:
    now = step(state)
    if now == DECLARING:
        yield from _declarations(state, body)
    elif now == CHARGING and charge_result(body) == "declared":
        yield from _charges(state, body)
        return
    elif now == COMPULSORY and body.id in {mover.id for mover in must_move(state)}:
        yield Control(
            begun(Compulsory, body),
            "Compulsory move",
            says="It flees or stumbles on as it must; its owner has no say in it.",
            clause="MH-COMP-1",
        )
        return
    yield from _remaining(state, body)


def _declarations(state: State, body: Body) -> Iterator[Control]:
    """A charge at enemies in sight, and one at those out of sight, who must be noticed first."""
    enemies = list(state.enemies(body))
    if not enemies:
        return
    declared = begun(DeclareCharge, body)
    says = "Name whom it attacks, the one that matters most first; it moves when all are declared."
    clause = "MH-CHG-1"
    # What is found against naming nobody and against naming itself is about the model.
    itself = findings_of(state, DeclareCharge(actor=body.id, targets=(body.id,)))
    barred = findings_of(state, DeclareCharge(actor=body.id, targets=()))
    own = tuple(finding for finding in barred if finding in itself)
    if own:
        yield Control(
            declared,
            "Declare charge",
            "pick_many",
            "targets",
            why_not=own,
            says=says,
            clause=clause,
        )
        return
    seen: list[Body] = []
    unseen: list[Body] = []
    out: list[Finding] = []
    for enemy in enemies:
        action = DeclareCharge(actor=body.id, targets=(enemy.id,))
        others = findings_of(state, action) if is_hidden(enemy) else ()
        if others:
            out += others
        elif sees_upright(state, body, enemy):
            seen.append(enemy)
        else:
            unseen.append(enemy)
    extras = (_DIVE,) if any(enemy.z < body.z for enemy in (*seen, *unseen)) else ()
    if not seen and not unseen:
        why = tuple(out)
    elif not seen:
        why = (Finding(f"{body.name} sees no enemy to charge.", None, clause="MH-CHG-3"),)
    else:
        why = ()
    yield Control(
        declared,
        "Declare charge",
        "pick_many",
        "targets",
        candidates=tuple(enemy.id for enemy in seen),
        extras=extras,
        why_not=why,
        closes=True,
        says=says,
        clause=clause,
    )
    if unseen:
        yield Control(
            declared,
            "Declare charge out of sight",
            "pick_many",
            "targets",
            candidates=tuple(enemy.id for enemy in (*unseen, *seen)),
            extras=extras,
            says=f"At an enemy within {UNSEEN_CHARGE_IN:g} in whom it has to notice: an Initiative "
            "test each. Failed, it does not charge this turn.",
            clause="MH-CHG-4",
        )


def _charges(state: State, body: Body) -> Iterator[Control]:
    yield Control(
        begun(Charge, body),
        "Charge",
        candidates=targets_of(body),
        closes=True,
        says="By the most direct route into contact; beyond its range it goes its Movement.",
        clause="MH-CHG-6",
    )
    yield Control(
        begun(Charge, body),
        "Charge by a route of your own",
        "path",
        "path",
        manners=_manners(state),
        allowance=allowance(body, run=True),
        says="Of routes that are equally short, the one you draw.",
        clause="MH-CHG-6",
    )


def _remaining(state: State, body: Body) -> Iterator[Control]:
    """A move of a model on its feet, a crawl of one on the ground."""
    if condition(body) == "stunned":
        return
    stands = is_standing(body)
    kind: type[Move | Crawl] = Move if stands else Crawl
    word, clause = ("move", "MH-MOVE-1") if stands else ("crawl", "MH-KD-1")
    # A way of no length: what bars any way, not only one that goes somewhere.
    anyhow = (Leg(to=body.centre),)
    barred = findings_of(state, kind(actor=body.id, path=anyhow), DECLARED)
    told = not may_measure(state, Question("reach", body.id, word))
    farther = body.has("ran") or charge_result(body) == "success"
    crawls = "On the ground, it crawls and does nothing else."
    yield Control(
        begun(kind, body),
        word.capitalize(),
        "path",
        "path",
        optional=True,
        extras=() if is_hidden(body) else (_HIDE,),
        manners=_manners(state),
        rings=_finders(state, body) if stands and told and is_hidden(body) else (),
        reach=word if told else "",
        spent=body.marks.number("spent") if stands else 0.0,
        allowance=allowance(body, run=farther),
        why_not=barred,
        says="In any direction, as far as its Movement goes." if stands else crawls,
        clause=clause,
    )
    if step(state) != REMAINING:
        return
    if stands and not barred:
        yield from _running(state, body, anyhow)
    yield from _hiding(state, body)
    if barred and is_legal(state, kind(actor=body.id)):
        yield Control(
            begun(kind, body),
            "Stay",
            says=f"It stays where it {'is' if stands else 'lies'}; that is its move.",
            clause="MH-MOVE-3" if stands else clause,
        )


def _running(state: State, body: Body, anyhow: tuple[Leg, ...]) -> Iterator[Control]:
    why = findings_of(state, Move(actor=body.id, path=anyhow, run=True), DECLARED)
    near: tuple[Ring, ...] = ()
    if any(finding.clause == "MH-RUN-3" for finding in why):
        label = f"{RUN_BAN_IN:g} in: no running"
        near = tuple(
            Ring(enemy.id, RUN_BAN_IN, label, "MH-RUN-3")
            for enemy in state.enemies(body)
            if counts(enemy)
        )
    yield Control(
        begun(Move, body, run=True),
        "Run",
        "path",
        "path",
        manners=_manners(state),
        rings=near,
        reach="run",
        spent=0.0,
        allowance=allowance(body, run=True),
        why_not=why,
        says="Farther than a move; a model that runs neither shoots nor hides this turn.",
        clause="MH-RUN-1",
    )


def _hiding(state: State, body: Body) -> Iterator[Control]:
    """Where the model stands: before it moves, or right after."""
    hidden = is_hidden(body)
    if body.has("moved") and (hidden or state.progress.get("last") != body.id):
        return
    yield Control(
        begun(Hide, body),
        "Stay hidden" if hidden else "Hide",
        rings=_finders(state, body),
        why_not=_unhideable(state, body),
        says="Behind what conceals it; it stays where it is.",
        clause="MH-HIDE-1",
    )


def _unhideable(state: State, body: Body) -> tuple[Finding, ...]:
    """Why a model may not hide where it is; who sees it there only where all else is in order."""
    ask = Context(state, Hide(actor=body.id), None)
    bare = (replace(finding, clause="MH-HIDE-1") for finding in uncovered(ask))
    return (
        findings_of(state, ask.subject, DECLARED) or tuple(bare) or findings_of(state, ask.subject)
    )


def _finders(state: State, body: Body) -> tuple[Ring, ...]:
    """How far enemies find who hides."""
    return tuple(
        Ring(enemy.id, float(initiative(enemy)), f"{enemy.name} finds who hides here", "MH-HIDE-11")
        for enemy in state.enemies(body)
        if condition(enemy) != "stunned"
    )


def _manners(state: State) -> tuple[Manner, ...]:
    """All manners where anything is built or lies on the table, else walking alone."""
    table = state.table
    return _MANNERS if table.pieces or table.ladders or table.ramps else _MANNERS[:1]


# Attested


def _in_shooting(state: State, body: Body) -> Iterator[Control]:
    if condition(body) == "stunned":
        return
    enemies = list(state.enemies(body))
    kinds: tuple[tuple[type[Shoot | Cast], str, str], ...] = (
        (Shoot, "Shoot", "What a shot did, as it was rolled on the table."),
        (Cast, "Cast a spell", "What a spell did, as it was rolled on the table."),
    )
    for kind, label, says in kinds:
        why = findings_of(state, kind(actor=body.id))
        yield Control(
            begun(kind, body),
            label,
            "pick",
            "target",
            optional=True,
            candidates=() if why else _open_to(state, kind, body, enemies),
            extras=(_RESULT,),
            why_not=why,
            group="attest",
            says=_once(body, says),
            clause="MH-SHOOT-1",
        )


def _once(body: Body, says: str) -> str:
    return f"{says} It has had its attack this phase." if body.has("shot") else says


def _open_to(
    state: State, kind: type[Shoot | Cast], body: Body, enemies: list[Body]
) -> tuple[str, ...]:
    return tuple(
        enemy.id for enemy in enemies if is_legal(state, kind(actor=body.id, target=enemy.id))
    )


def _in_combat(state: State, body: Body) -> Iterator[Control]:
    foes = [name for name in engaged_with(body) if name in state.bodies]
    if not foes or condition(body) == "stunned":
        return
    says = "What a blow did, as it was rolled on the table."
    if body.has("struck"):
        says += " It has struck this phase."
    yield Control(
        begun(Strike, body),
        "Strike",
        "pick",
        "target",
        candidates=tuple(foes),
        extras=(_RESULT,),
        why_not=findings_of(state, Strike(actor=body.id, target=foes[0])),
        group="attest",
        says=says,
        clause="MH-SHOOT-1",
    )


# Measuring


def _measures(state: State, body: Body) -> Iterator[Control]:
    """What the referee may tell now; nothing before declarations close."""
    others = tuple(other.id for other in state.others(body))
    if others and is_legal(state, Measure(actor=body.id)):
        yield Control(
            begun(Measure, body),
            "Measure",
            "pick",
            "target",
            candidates=others,
            says="The distance to another model, from base to base.",
            clause="MH-CHG-2",
        )
    running = state.turn.phase == MOVEMENT and is_standing(body) and not body.has("moved")
    if running and is_legal(state, Measure(actor=body.id, what="run")):
        yield Control(
            begun(Measure, body, what="run"),
            "Ask whether it may run",
            says="Whether an enemy that counts is within 8 in of it.",
            clause="MH-RUN-5",
        )
