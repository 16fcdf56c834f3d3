"""MH-GAP-3 and what may be asked when: nothing that tells a distance before it may be measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import within
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Measure, Move
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import RUN_BAN_IN
from tapeline.rules.mordheim.measures import gap
from tapeline.rules.mordheim.state import counts

__all__ = ["may_measure", "measure"]


@BOOK.clause("MH-GAP-3", src="seed", bars=Measure, at=Moment.DECLARE)
def gaps_are_not_measured(ask: Context[Measure]) -> Iterator[Finding]:
    """The width of a gap is not measured before jumping."""
    if ask.subject.what == "gap":
        yield Finding("The width of a gap is not told before the jump.", about=ask.mover.id)


def may_measure(state: State, question: Question) -> list[Finding]:
    """Why a question to the referee is not answered now; empty if it is."""
    if question.body is None:
        return []
    what: Literal["distance", "run", "gap"] = "distance"
    action = question.action
    if isinstance(action, Move) and any(leg.how == "jump" for leg in action.path):
        what = "gap"
    elif question.move == "run":
        what = "run"
    return BOOK.check(Measure, Context(state, Measure(actor=question.body, what=what), None))[0]


def measure(run: Run, action: Measure) -> None:
    """Tell a distance, or whether a model may run."""
    state = run.state
    body = state.body(action.actor)
    if action.what == "run":
        may = body.has("run_ok")
        if body.side != state.turn.active:
            near = [gap(state, body, e) for e in state.enemies(body) if counts(e)]
            may = not any(within(measured, RUN_BAN_IN) for measured in near)
        run.value(run_ok=may)
        text = f"{body.name} {'may' if may else 'may not'} run"
        run.happened("measured", text, "MH-RUN-5", about=body.id)
        return
    if action.target is None:
        run.refuse([Finding("Name the model to measure to.", about=body.id, clause="MH-CHG-2")])
        return
    target = state.body(action.target)
    measured = gap(state, body, target)
    run.value(gap=measured)
    text = f"{target.name} is {measured:.2f} in from {body.name}"
    run.happened("measured", text, "MH-CHG-2", about=body.id)
