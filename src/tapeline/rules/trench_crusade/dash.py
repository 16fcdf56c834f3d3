"""TC-DASH: a Risky Success Roll, then an ordinary move."""

from __future__ import annotations

from tapeline.engine.asks import Choice
from tapeline.engine.paths import legs_from_value
from tapeline.engine.referee import Procedure, Run
from tapeline.rules.trench_crusade.actions import Dash, Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.injuries import end_activation
from tapeline.rules.trench_crusade.measures import holding
from tapeline.rules.trench_crusade.moves import carry_out
from tapeline.rules.trench_crusade.nearest import refuse_path
from tapeline.rules.trench_crusade.rolls import success_roll
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.state import MOVES, activation, movement

__all__ = ["dash"]

BOOK.resolves(
    "TC-DASH-1",
    src="seed",
    says="Before the model moves in a Dash, a Risky Success Roll is taken for it.",
)


def dash(run: Run, action: Dash) -> Procedure:
    """The Dash ACTION: the roll, then the path, given or asked for."""
    body = run.state.body(action.actor)
    before = activation(run.state)
    if before is not None and MOVES.intersection(before.taken):
        run.cite("TC-ACT-7")
    take(run, "dash", "TC-DASH-1")
    dice = int(body.stat("dash_dice"))
    if dice:
        run.cite("TC-KW-3")
    grade = yield from success_roll(
        run, body.id, f"{body.name} dashes", "TC-DASH-1", dice=dice, risky=True
    )
    if grade == "failure":
        run.happened(
            "dash failed", f"{body.name} fails to dash", "TC-DASH-2", about=body.id, outcome=True
        )
        end_activation(run, "dash", "TC-DASH-2")
        return
    run.happened("dash succeeded", f"{body.name} dashes", "TC-DASH-2", about=body.id, outcome=True)
    allowance = movement(run.state, body)
    path = action.path
    if path is None:
        value = yield from run.choose(
            Choice(
                body.side,
                f"{body.name} dashes up to {allowance:g} in: along which path?",
                "TC-DASH-2",
                "path",
                default=(),
                about=body.id,
            )
        )
        path = legs_from_value(value)
        held = tuple(enemy.id for enemy in holding(run.state, body))
        refuse_path(run, Walk(body.id, path, allowance, "dash", held))
    run.cite("TC-ACT-2")
    yield from carry_out(run, body.id, path, "TC-DASH-2", allowance=allowance)
