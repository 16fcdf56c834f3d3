"""Which step of the movement phase has something left to do."""

from __future__ import annotations

from tapeline.engine.events import Progressed
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.mordheim.state import (
    CHARGING,
    COMPULSORY,
    REMAINING,
    charge_result,
    is_engaged,
    is_fleeing,
    is_standing,
    of_side,
    step,
)
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["must_move", "next_step", "to_charge"]


def to_charge(state: State) -> list[Body]:
    """Models of the active side whose declared charge is still to be moved, in scene order."""
    return [b for b in of_side(state, state.turn.active) if charge_result(b) == "declared"]


def must_move(state: State) -> list[Body]:
    """Models of the active side whose compulsory move is still to be made, in scene order."""
    return [
        body
        for body in of_side(state, state.turn.active)
        if is_standing(body)
        and not body.has("moved")
        and (is_fleeing(body) or (body.has("stumbles") and not is_engaged(body)))
    ]


def next_step(run: Run) -> None:
    """Go on to the step of the movement phase that has something to do."""
    state = run.state
    if to_charge(state):
        following = CHARGING
    elif must_move(state):
        following = COMPULSORY
    else:
        following = REMAINING
    if step(state) != following:
        run.emit(Progressed(Marks({"step": following}), "MH-PHASE-1"))
