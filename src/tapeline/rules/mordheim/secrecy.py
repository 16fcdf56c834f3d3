"""MH-GAP-3 and what may be asked when: nothing that tells a distance before it may be measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, same, within
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Line
from tapeline.rules.mordheim.actions import Charge, Measure, Move
from tapeline.rules.mordheim.charge import planned
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, RUN_BAN_IN
from tapeline.rules.mordheim.state import counts
from tapeline.table.storeys import storeys_of

__all__ = ["may_measure", "measure"]

#: x, y and height, inches.
Place3: TypeAlias = tuple[float, float, float]


@BOOK.clause("MH-GAP-3", src="seed", bars=Measure, at=Moment.DECLARE)
def gaps_are_not_measured(ask: Context[Measure]) -> Iterator[Finding]:
    """The width of a gap is not measured before jumping."""
    if ask.subject.what == "gap":
        yield Finding("The width of a gap is not told before the jump.", about=ask.mover.id)


def may_measure(state: State, question: Question) -> list[Finding]:
    """Why a question to the referee is not answered now; empty if it is.

    A tape between two places is refused while none may be laid between models, and across a gap at
    any time.
    """
    who = question.body
    if who is None and question.about == "tape":
        who = next(iter(state.bodies), None)
    if who is None:
        return []
    what: Literal["distance", "run", "gap"] = "distance"
    action = question.action
    if isinstance(action, Move) and any(leg.how == "jump" for leg in action.path):
        what = "gap"
    elif question.move == "run":
        what = "run"
    found = _told(state, who, what)
    if not found and isinstance(action, Charge) and _leads_over_a_gap(state, action):
        return _told(state, who, "gap")
    if not found and len(question.ends) == 2 and _over_a_gap(state, *question.ends):
        return _told(state, who, "gap")
    return found


def _told(state: State, who: str, what: Literal["distance", "run", "gap"]) -> list[Finding]:
    return BOOK.check(Measure, Context(state, Measure(actor=who, what=what), None))[0]


def _leads_over_a_gap(state: State, action: Charge) -> bool:
    """Whether the route of a declared charge jumps a gap."""
    plan = planned(state, state.body(action.actor))
    return plan is not None and any(hurdle.kind == "gap" for hurdle in plan.track.crossings)


def _over_a_gap(state: State, a: Place3, b: Place3) -> bool:
    """Whether a tape between two places of one height goes off the floor they are on."""
    if a[:2] == b[:2] or not same(a[2], b[2]):
        return False
    surface = storeys_of(state.table).support(*a, TOLERANCE)
    return surface is not None and surface.leaves(Line(*a[:2], *b[:2]), TOLERANCE) is not None


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
