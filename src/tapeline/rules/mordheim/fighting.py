"""MH-SHOOT and what movement needs of fights: who may shoot, cast and strike, and what came of it.

Fights are settled by the players; the result that they attest is kept, with what it moves.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Cast, Shoot, Strike
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.falls import put_down
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.revealing import give_away, reveal
from tapeline.rules.mordheim.state import (
    charge_result,
    condition,
    engaged_with,
    is_engaged,
    is_fleeing,
    is_hidden,
)
from tapeline.table.marks import Marks

__all__ = ["cast", "shoot", "strike"]


@BOOK.clause("MH-SHOOT-1", src="public", bars=(Shoot, Cast, Strike), at=Moment.DECLARE)
def who_may_attack(ask: Context[Shoot | Cast | Strike]) -> Iterator[Finding]:
    """No shot if engaged, fleeing, knocked down or stunned, nor at a friend; a blow only at an
    enemy it is engaged with; no spell and no blow from one knocked down."""
    mover, subject = ask.mover, ask.subject
    if condition(mover) == "knocked_down":
        yield Finding(f"{mover.name} is knocked down.", about=mover.id)
    if isinstance(subject, Strike):
        if subject.target not in engaged_with(mover):
            text = f"{mover.name} does not fight {ask.name(subject.target)}."
            yield Finding(text, about=subject.target)
        return
    if isinstance(subject, Shoot):
        if is_engaged(mover):
            yield Finding(f"{mover.name} is engaged and does not shoot.", about=mover.id)
        if is_fleeing(mover):
            yield Finding(f"{mover.name} is fleeing and does not shoot.", about=mover.id)
    if subject.target is not None and ask.state.body(subject.target).side == mover.side:
        yield Finding(f"{ask.name(subject.target)} is not an enemy.", about=subject.target)


def shoot(run: Run, action: Shoot) -> Procedure:
    """A shot, settled by the players; what it did to the target."""
    yield from _loose(run, action, "shoots", "MH-SHOOT-1")


def cast(run: Run, action: Cast) -> Procedure:
    """A spell, settled by the players; what it did to the target."""
    if run.state.body(action.actor).has("ran"):
        run.cite("MH-RUN-9")
    if run.state.body(action.actor).has("rallied"):
        run.cite("MH-REC-1")
    yield from _loose(run, action, "casts", "MH-SHOOT-1")


def _loose(run: Run, action: Shoot | Cast, does: str, clause: str) -> Procedure:
    body = run.state.body(action.actor)
    if action.target is not None and is_hidden(run.state.body(action.target)):
        reveal(run)
    if body.has("stood_up"):
        run.cite("MH-KD-2")
    if charge_result(body) == "unnoticed":
        run.cite("MH-CHG-5")
    if charge_result(body) == "failed":
        run.cite("MH-CHG-12")  # it casts
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
