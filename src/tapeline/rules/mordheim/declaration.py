"""MH-CHG-1 to -5, -9: who may be charged, by sight or by the 4-inch test."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed
from tapeline.engine.limits import TOLERANCE, more_than, overlaps, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import DeclareCharge, Measure, Move
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, JUMP_DOWN_IN, UNSEEN_CHARGE_IN
from tapeline.rules.mordheim.hide import reveal
from tapeline.rules.mordheim.psychology import fear
from tapeline.rules.mordheim.sight import hides, sees_upright
from tapeline.rules.mordheim.state import (
    charge_result,
    charging_allowance,
    is_hidden,
    state_permissions,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.rules.mordheim.wounds import initiative_test
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["declare_charge"]

Declaring = Context[DeclareCharge]


def _targets(ask: Declaring) -> list[Body]:
    return [ask.state.body(target) for target in ask.subject.targets]


@BOOK.clause("MH-CHG-1", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def names_whom_it_attacks(ask: Declaring) -> Iterator[Finding]:
    """The owner announces a charge once and names the enemy model or models attacked."""
    mover, subject = ask.mover, ask.subject
    if not subject.targets:
        yield Finding("A charge names the enemy it attacks.", about=mover.id)
    for target in _targets(ask):
        if target.side == mover.side:
            yield Finding(f"{target.name} is not an enemy.", about=target.id)
    if len(set(subject.targets)) < len(subject.targets):
        yield Finding("Each target of a charge is named once.", about=mover.id)
    if charge_result(mover) not in ("", "unnoticed"):
        yield Finding(f"{mover.name} has already declared a charge.", about=mover.id)


@BOOK.clause("MH-CHG-2", src="seed", bars=Measure, at=Moment.DECLARE)
def declared_without_measuring(ask: Context[Measure]) -> Iterator[Finding]:
    """Charges are declared without measuring: no distance is told before declarations close."""
    if ask.subject.what == "distance" and not ask.declarations_closed:
        yield Finding("No distance is told before the charges of the turn have been declared.")


BOOK.resolves(
    "MH-CHG-3",
    src="seed",
    says="Any enemy may be charged to which an unobstructed line can be drawn.",
)


def _may_be_judged(ask: Declaring) -> bool:
    """Whether the declaration is made in its place; nothing is measured for one that is not."""
    return ask.state.turn.phase == "movement" and not ask.declarations_closed


@BOOK.clause("MH-CHG-4", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def unseen_but_close(ask: Declaring) -> Iterator[Finding]:
    """An enemy that cannot be seen is charged only within 4 inches, after an Initiative test, and
    only if it is not hidden; those below the model's floor apart (MH-DIVE-1)."""
    if not _may_be_judged(ask):
        return
    for target in _targets(ask):
        if target.side == ask.mover.side or hides(ask.state, target):
            continue
        if sees_upright(ask.state, ask.mover, target) or below_its_floor(
            ask.state, ask.mover, target
        ):
            continue
        if more_than(gap(ask.state, ask.mover, target), UNSEEN_CHARGE_IN):
            text = f"{ask.mover.name} cannot see {target.name}, which is farther than 4 in."
            yield Finding(text, None, UNSEEN_CHARGE_IN, about=target.id)


@BOOK.clause("MH-CHG-5", src="seed", bars=(DeclareCharge, Move), at=Moment.DECLARE)
def unnoticed_means_no_charge(ask: Context[DeclareCharge | Move]) -> Iterator[Finding]:
    """A model that failed to notice its target does not charge or run this turn; it may move its
    normal distance, shoot and cast."""
    if charge_result(ask.mover) != "unnoticed":
        return
    ask.cite("MH-CHG-5")
    if isinstance(ask.subject, DeclareCharge):
        text = f"{ask.mover.name} failed to notice its target and does not charge this turn."
        yield Finding(text, about=ask.mover.id)
    elif ask.subject.run:
        text = f"{ask.mover.name} failed to notice its target and does not run this turn."
        yield Finding(text, about=ask.mover.id)


def below_its_floor(state: State, body: Body, target: Body) -> bool:
    """Whether an enemy is below the floor, balcony or overhang that a model stands on, within its
    charge, so that it need not see it (MH-DIVE-1)."""
    floor = terrain_of(state).storeys.support(body.x, body.y, body.z, TOLERANCE)
    if floor is None or not more_than(floor.z, target.z):
        return False
    under = overlaps(floor.depth(target.x, target.y))
    return under and within(gap(state, body, target), charging_allowance(body))


BOOK.resolves(
    "MH-DIVE-1",
    src="seed",
    says="Enemies below the balcony or overhang that the model stands on may be charged, "
    "seen or not.",
)
BOOK.resolves("MH-CHG-9", src="seed", says="Anything inside charge range is a possible target.")


@BOOK.clause("MH-DIVE-3", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def dives_at_most_six(ask: Declaring) -> Iterator[Finding]:
    """A diving charge is tested as a jump down and goes down at most 6 inches."""
    if not ask.subject.dive or not _may_be_judged(ask):
        return
    for target in _targets(ask):
        ask.cite("MH-DIVE-3")
        drop = ask.mover.z - target.z
        if more_than(drop, JUMP_DOWN_IN):
            text = f"{target.name} is {drop:.4g} in below; nobody dives more than 6 in."
            yield Finding(text, drop, JUMP_DOWN_IN, target.centre, target.id)


def declare_charge(run: Run, action: DeclareCharge) -> Procedure:
    """1a: announce a charge; the test to notice targets out of sight, and that of fear."""
    if not run.state.progress.get("watched"):
        reveal(run)
        run.emit(Progressed(Marks({"watched": True}), "MH-HIDE-11"))
    body = run.state.body(action.actor)
    run.cite("MH-PHASE-2")
    if is_hidden(body):
        run.cite("MH-HIDE-8")
    if body.stats.get("frenzy"):
        run.cite("MH-PSY-2")
    unseen = []
    for target_id in action.targets:
        target = run.state.body(target_id)
        if sees_upright(run.state, body, target):
            run.cite("MH-CHG-3")
        elif below_its_floor(run.state, body, target):
            run.cite("MH-DIVE-1")
        else:
            unseen.append(target_id)
    names = " and ".join(run.state.body(t).name for t in action.targets)
    changes = Marks({"targets": action.targets, "dive": action.dive or None, "charge": "declared"})
    run.emit(Marked(body.id, changes, "MH-CHG-1"))
    run.happened("charge declared", f"{body.name} charges {names}", "MH-CHG-1", about=body.id)
    for target_id in unseen:
        name = run.state.body(target_id).name
        noticed = yield from initiative_test(run, body.id, f"to notice {name}", "MH-CHG-4")
        if not noticed:
            changes = Marks({"targets": None, "dive": None, "charge": "unnoticed"})
            run.emit(Marked(body.id, changes, "MH-CHG-5"))
            text = f"{body.name} does not notice {name}"
            run.happened("unnoticed", text, "MH-CHG-5", about=body.id, outcome=True)
            state_permissions(run, body.id)
            return
    yield from fear(run, body.id, action.targets)
