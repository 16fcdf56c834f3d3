"""TC-ACT, TC-MEL: whose turn it is, which ACTIONs may be taken; Activations, Fight and Shoot."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, TurnChanged
from tapeline.engine.limits import within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade.actions import (
    Activate,
    Charge,
    Dash,
    EndActivation,
    Fight,
    Move,
    NextTurn,
    Retreat,
    Shoot,
)
from tapeline.rules.trench_crusade.book import BOOK, NEAR_IN
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.measures import counts_all_the_same, gap, holding
from tapeline.rules.trench_crusade.rolls import (
    Injury,
    end_activation,
    injury_roll,
    success_roll,
    take_injury,
)
from tapeline.rules.trench_crusade.sight import cover_between, visible
from tapeline.rules.trench_crusade.state import (
    MOVES,
    NO_ACTIVATION,
    activation,
    base_mm,
    carries,
    is_down,
    melee_armed,
    negates_heavy,
    unactivated,
)
from tapeline.rules.trench_crusade.terrain import activated_in_danger
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.wording import told_apart

__all__ = ["activate", "fight", "finish_activation", "melee_attack", "next_turn", "shoot", "take"]


#: ACTIONs a model takes in its Activation, and those of them that move it.
ACTIONS = (Move, Dash, Charge, Retreat, Fight, Shoot)
MOVING = (Move, Dash, Charge, Retreat)

Acting = Move | Dash | Charge | Retreat | Fight | Shoot


@BOOK.clause("TC-ACT-1", src="seed", bars=MOVING, at=Moment.DECLARE)
def moves_its_own(ask: Context[Move | Dash | Charge | Retreat]) -> Iterator[Finding]:
    """Move, Charge, Retreat and Dash let a side move a model of its own."""
    ask.cite("TC-ACT-1")
    active = ask.state.turn.active
    if ask.mover.side != active:
        text = f"{ask.mover.name} is not a model of {ask.side_name(active)}, which acts now."
        yield Finding(text, about=ask.mover.id)


BOOK.resolves_each("""
TC-ACT-2 (seed) A Dash move is carried out like a Move move.
TC-ACT-3 (seed) Charge and Retreat moves obey the rules of every move plus their own.
TC-ACT-4 (seed) A lower-case move is the displacing itself, so the rules of every move bind it
    whatever ACTION or rule brought it about.
""")


@BOOK.clause("TC-ACT-5", src="public", bars=ACTIONS, at=Moment.DECLARE)
def once_each(ask: Context[Acting]) -> Iterator[Finding]:
    """Each type of ACTION is taken at most once in an Activation."""
    kind = ask.subject.kind
    if ask.taken:
        ask.cite("TC-ACT-5")
    count = ask.taken.count(kind)
    if count:
        text = f"{ask.mover.name} has already taken {_title(kind)} in this Activation."
        yield Finding(text, float(count + 1), 1.0, about=ask.mover.id)


@BOOK.clause("TC-ACT-6", src="public", bars=(Move, Charge, Retreat), at=Moment.DECLARE)
def one_of_three(ask: Context[Move | Charge | Retreat]) -> Iterator[Finding]:
    """Only one of Move, Charge and Retreat may be taken in an Activation."""
    if ask.taken:
        ask.cite("TC-ACT-6")
    if "dash" in ask.taken:
        ask.cite("TC-ACT-7")
    for kind in ask.taken:
        if kind in MOVES and kind != ask.subject.kind:
            text = (
                f"{ask.mover.name} has taken {_title(kind)}; only one of Move, Charge and Retreat "
                "in an Activation."
            )
            yield Finding(text, 2.0, 1.0, about=ask.mover.id)


BOOK.resolves(
    "TC-ACT-7", src="public", says="Dash may be added before or after Move, Charge or Retreat."
)


@BOOK.clause("TC-ACT-8", src="public", bars=Charge, at=Moment.DECLARE)
def no_charge_from_contact(ask: Context[Charge]) -> Iterator[Finding]:
    """A model within 1 inch of an enemy may not Charge (`charge_from_within_1` forbid)."""
    ask.cite("TC-ACT-8")
    if ask.state.option("charge_from_within_1") == "allow":
        return
    for enemy in ask.holding:
        measured = gap(ask.mover, enemy)
        off = told_apart(measured, NEAR_IN, ".2f")
        text = f"{ask.mover.name} is {off} in from {enemy.name}; within 1 in no Charge."
        if counts_all_the_same(ask.state, ask.mover, enemy):
            ask.cite("TC-MOVE-13")
        yield Finding(text, measured, NEAR_IN, enemy.centre, enemy.id)


@BOOK.clause("TC-ACT-9", src="public", bars=(Charge, Shoot), at=Moment.DECLARE)
def shoot_or_charge(ask: Context[Charge | Shoot]) -> Iterator[Finding]:
    """Shoot and Charge are not both taken in an Activation unless the weapon has ASSAULT."""
    if isinstance(ask.subject, Shoot) and ask.weapon is None:
        text = f"{ask.mover.name} has no ranged weapon {ask.subject.weapon!r}."
        yield Finding(text, about=ask.mover.id)
    if isinstance(ask.subject, Charge):
        if "shoot" in ask.taken:
            ask.cite("TC-ACT-9")
        if "shoot" in ask.taken and "ASSAULT" not in ask.shot:
            yield Finding(
                f"{ask.mover.name} has shot with a weapon without ASSAULT and may not Charge.",
                about=ask.mover.id,
            )
    elif "charge" in ask.taken and "ASSAULT" not in ask.weapon_keywords:
        yield Finding(
            f"{ask.mover.name} has charged and may shoot only with an ASSAULT weapon.",
            about=ask.mover.id,
        )


@BOOK.clause(
    "TC-ACT-10", src="public", bars=(Activate, EndActivation, NextTurn, *ACTIONS), at=Moment.DECLARE
)
def alternate(ask: Context[Activate | EndActivation | NextTurn | Acting]) -> Iterator[Finding]:
    """Sides activate one model each in turn, each model once a Turn; when one side has none left
    the other goes on."""
    ask.cite("TC-ACT-10")
    state, subject, current = ask.state, ask.subject, ask.current
    open_for = current.actor if current is not None and not current.over else None
    if isinstance(subject, Activate):
        if open_for is not None:
            yield Finding(f"{ask.name(open_for)} is still being activated.", about=open_for)
        if ask.mover.side != state.turn.active:
            side = ask.side_name(state.turn.active)
            yield Finding(f"It is for {side} to activate a model.", about=ask.mover.id)
        if ask.mover.marks.get("activated"):
            text = f"{ask.mover.name} has already been activated this Turn."
            yield Finding(text, 2.0, 1.0, about=ask.mover.id)
    elif isinstance(subject, NextTurn):
        if open_for is not None:
            yield Finding(f"{ask.name(open_for)} is still being activated.", about=open_for)
        left = [body for body in state.bodies.values() if not body.marks.get("activated")]
        if left:
            text = f"{len(left)} models have not been activated, {left[0].name} among them."
            if len(left) == 1:
                text = f"{left[0].name} has not been activated."
            yield Finding(text, float(len(left)), 0.0, about=left[0].id)
    elif open_for != ask.mover.id:
        if current is not None and current.actor == ask.mover.id and current.over not in _ENDINGS:
            return
        text = f"{ask.mover.name} is not being activated."
        if current is not None and current.actor == ask.mover.id:
            text = f"The Activation of {ask.mover.name} has ended."
        elif open_for is not None:
            text = f"{ask.mover.name} is not being activated; {ask.name(open_for)} is."
        yield Finding(text, about=ask.mover.id)


#: Endings that no clause of their own bars what follows.
_ENDINGS = frozenset({"", "ended", "out"})


BOOK.registers(
    "TC-ACT-11",
    src="public",
    says="Measuring is allowed at any time.",
    reason="a permission; the referee answers any question before a declaration",
)
BOOK.registers(
    "TC-ACT-12",
    src="public",
    says="Deployment and redeployment are not moves.",
    reason="a scene places models without moving them, and no other redeployment is offered",
)


@BOOK.clause("TC-DASH-2", src="public", bars=ACTIONS, at=Moment.DECLARE)
def over_by_dash(ask: Context[Acting]) -> Iterator[Finding]:
    """A Dash that succeeds is one move up to the Movement Characteristic; one that fails ends the
    Activation."""
    yield from _over(ask, {"dash"}, "failed its Dash")


@BOOK.clause("TC-DOWN-1", src="public", bars=ACTIONS, at=Moment.DECLARE)
def over_by_down(ask: Context[Acting]) -> Iterator[Finding]:
    """A model taken Down in its own Activation has no more of it."""
    yield from _over(ask, {"down"}, "was taken Down")


@BOOK.clause("TC-ROLL-5", src="public", bars=ACTIONS, at=Moment.DECLARE)
def over_by_danger(ask: Context[Acting]) -> Iterator[Finding]:
    """A failed Risky Success Roll ends the model's Activation, or only the ACTION outside it."""
    yield from _over(ask, {"danger"}, "failed a Risky Success Roll")


def _over(ask: Context[Acting], reasons: set[str], what: str) -> Iterator[Finding]:
    current = ask.current
    if current is not None and current.actor == ask.mover.id and current.over in reasons:
        yield Finding(f"The Activation of {ask.mover.name} is over: it {what}.", about=ask.mover.id)


@BOOK.clause("TC-DOWN-2", src="public", bars=(Move, Dash, Charge), at=Moment.DECLARE)
def down_does_not_move(ask: Context[Move | Dash | Charge]) -> Iterator[Finding]:
    """A Down model has -1 DICE on Success Rolls and cannot be moved."""
    if is_down(ask.mover):
        yield Finding(f"{ask.mover.name} is Down and cannot be moved.", about=ask.mover.id)


BOOK.resolves_each("""
TC-DOWN-3 (public) A Down model stands up when it is next activated; its Movement Characteristic,
    Charge Bonus included, is halved for that Activation.
""")


@BOOK.clause("TC-KW-1", src="public", bars=(Move, Dash, Charge, Retreat, Shoot), at=Moment.DECLARE)
def heavy(ask: Context[Move | Dash | Charge | Retreat | Shoot]) -> Iterator[Finding]:
    """HEAVY equipment gives no Charge Bonus, and a HEAVY ranged weapon is not used in an
    Activation with a Move, Charge, Retreat or Dash, unless the model is STRONG."""
    if negates_heavy(ask.mover):
        if "HEAVY" in ask.shot or "HEAVY" in ask.weapon_keywords:
            ask.cite("TC-KW-1")
        return
    if isinstance(ask.subject, Shoot):
        if "HEAVY" in ask.weapon_keywords:
            for kind in ask.taken:
                if kind in MOVES or kind == "dash":
                    yield Finding(
                        f"{ask.mover.name} has taken {_title(kind)}: no HEAVY weapon now.",
                        about=ask.mover.id,
                    )
    elif "HEAVY" in ask.shot:
        yield Finding(
            f"{ask.mover.name} has used a HEAVY weapon and may not {_title(ask.subject.kind)}.",
            about=ask.mover.id,
        )


def _title(kind: str) -> str:
    return kind.replace("_", " ").capitalize()


def take(run: Run, kind: str, clause: str, **more: tuple[str, ...]) -> None:
    """Write down that the active model has taken a type of ACTION."""
    current = activation(run.state)
    taken = current.taken if current is not None else ()
    run.emit(Progressed(Marks({"taken": (*taken, kind), **more}), clause))


def _pinned_by(run: Run, body: Body) -> Body | None:
    for enemy in holding(run.state, body):
        limit = enemy.stat("pins_base_mm")
        if limit and within(base_mm(body), limit):
            return enemy
    return None


def activate(run: Run, action: Activate) -> Procedure:
    """4.3: mark it activated, stand it up if it is Down, roll if it is in Dangerous ground."""
    body = run.state.body(action.actor)
    run.emit(
        Marked(body.id, Marks({"activated": True}), "TC-ACT-10"),
        Progressed(NO_ACTIVATION.update({}), "TC-ACT-10"),
        Progressed(Marks({**dict.fromkeys(NO_ACTIVATION), "actor": body.id}), "TC-ACT-10"),
    )
    if is_down(body):
        pin = _pinned_by(run, body)
        if pin is not None:
            text = f"{body.name} cannot stand up within 1 in of {pin.name}"
            run.happened("stays down", text, "TC-KW-3", about=body.id)
        else:
            run.emit(Marked(body.id, Marks({"down": None}), "TC-DOWN-3"))
            if body.stats.get("stands_unhindered"):
                run.happened(
                    "stands up", f"{body.name} stands up unhindered", "TC-KW-3", about=body.id
                )
            else:
                run.emit(Progressed(Marks({"stood_up": True}), "TC-DOWN-3"))
    yield from activated_in_danger(run, body.id)


def finish_activation(run: Run, action: EndActivation) -> None:
    """The player ends the Activation."""
    end_activation(run, "ended", "TC-ACT-10")


def next_turn(run: Run, action: NextTurn) -> None:
    """A new Turn: nobody has been activated, and the side with the Initiative begins."""
    state = run.state
    initiative = action.initiative or state.turn.initiative
    if initiative not in {side.id for side in state.sides}:
        known = ", ".join(side.id for side in state.sides)
        text = f"No side {initiative!r} can have the Initiative; sides are {known}."
        run.refuse([Finding(text, clause="TC-ACT-10")])
    for body in state.bodies.values():
        if body.marks.get("activated"):
            run.emit(Marked(body.id, Marks({"activated": None}), "TC-ACT-10"))
    run.emit(Progressed(NO_ACTIVATION, "TC-ACT-10"))
    first = initiative
    if not unactivated(run.state, first):
        first = run.state.other_side(first)
    run.emit(
        TurnChanged(
            round=state.turn.round + 1, active=first, initiative=initiative, clause="TC-ACT-10"
        )
    )


def shoot(run: Run, action: Shoot) -> Procedure:
    """Shooting is settled by the players; what it bars and the result they attest are kept."""
    body = run.state.body(action.actor)
    target = None if action.target is None else run.state.body(action.target)
    weapon = next(w for w in carries(body) if w.name == action.weapon)
    take(run, "shoot", "TC-ACT-9", shot=tuple(sorted(weapon.keywords)))
    if target is not None and action.result != "miss":
        yield from take_injury(run, target.id, action.result, "TC-INJ-1")


@BOOK.clause("TC-MEL-1", src="public", bars=Fight, at=Moment.DECLARE)
def melee_needs(ask: Context[Fight]) -> Iterator[Finding]:
    """A Melee Attack needs a Melee Weapon and a visible enemy within 1 inch."""
    ask.cite("TC-MEL-1")
    attacker, target = ask.mover, ask.target
    if target.side == attacker.side:
        yield Finding(f"{target.name} is not an enemy.", about=target.id)
        return
    if not melee_armed(attacker):
        yield Finding(f"{attacker.name} has no Melee Weapon.", about=attacker.id)
    measured = gap(attacker, target)
    if not within(measured, NEAR_IN):
        off = told_apart(measured, NEAR_IN, ".2f")
        text = f"{target.name} is {off} in away; a Melee Attack reaches 1 in."
        yield Finding(text, measured, NEAR_IN, target.centre, target.id)
    if not visible(ask.state, attacker, target, attested=ask.subject.visible):
        yield Finding(f"{attacker.name} cannot see {target.name}.", about=target.id)


def melee_attack(
    run: Run, attacker_id: str, target_id: str, purpose: str
) -> Generator[Ask, Answer, Injury]:
    """One Melee Attack with one weapon; what it came to."""
    attacker, target = run.state.bodies[attacker_id], run.state.bodies[target_id]
    run.cite("TC-MEL-1")
    dice = [int(attacker.stat("melee_dice"))]
    if cover_between(run.state, attacker, target):
        dice.append(-1)
    immune = attacker.keyword("IMMUNE TO FEAR") or attacker.keyword("NEGATE FEAR")
    if target.keyword("FEAR") and not immune:
        dice.append(-1)
    current = activation(run.state)
    if current is not None and current.dived and current.actor == attacker_id:
        run.cite("TC-FALL-2")
        run.emit(Progressed(Marks({"dived": None}), "TC-FALL-2"))
        dice.append(1)
    grade = yield from success_roll(run, attacker_id, purpose, "TC-MEL-1", *dice)
    if grade == "failure":
        text = f"{attacker.name} misses {target.name}"
        run.happened("attack misses", text, "TC-MEL-1", about=target_id, outcome=True)
        return "nothing"
    injury_dice = 1 if grade == "critical" else 0
    if is_down(run.state.bodies[target_id]):
        injury_dice += 1
        run.cite("TC-INJ-2")
    return (yield from injury_roll(run, target_id, purpose, dice=injury_dice))


def fight(run: Run, action: Fight) -> Procedure:
    """The Fight ACTION."""
    attacker, target = run.state.body(action.actor), run.state.body(action.target)
    take(run, "fight", "TC-MEL-1")
    yield from melee_attack(run, attacker.id, target.id, f"{attacker.name} attacks {target.name}")
