"""MH-REC: rallying, and standing up, in the recovery phase."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.limits import closer_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import DeclareCharge, Move, Rally, Shoot, StandUp
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.rolls import leadership_test
from tapeline.rules.mordheim.state import counts, is_fleeing, is_standing, state_permissions
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["rally", "stand_up"]


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
    are disregarded."""
    if any(ask.state.enemies(ask.mover)):
        ask.cite("MH-REC-2")
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
