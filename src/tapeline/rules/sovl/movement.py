"""SV-MOV, SV-SEQ: which manoeuvres there are, and what all of them together may cost."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Progressed
from tapeline.engine.limits import TOLERANCE, affords, same
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import Advance, Manoeuvre, Pivot
from tapeline.rules.sovl.figures import BOOK
from tapeline.rules.sovl.footprint import facing_vector
from tapeline.rules.sovl.measures import (
    AdvanceMeasure,
    PivotMeasure,
    order_measure,
)
from tapeline.rules.sovl.state import OrderContext, allowance, slots_used
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value
from tapeline.wording import listed, told_both

__all__ = ["as_one_manoeuvre", "record_order"]


def as_one_manoeuvre(body: Body, action: Manoeuvre) -> Advance | Pivot | None:
    """The Advance or the Pivot that leads to the pose wanted, None if neither does."""
    x, y = action.to
    facing = body.facing if action.facing is None else action.facing
    if not all(map(math.isfinite, (x, y, facing))):
        return None
    by = math.remainder(facing - body.facing, 360.0)
    dx, dy = x - body.x, y - body.y
    ux, uy = facing_vector(body.facing)
    ahead, aside = dx * ux + dy * uy, dy * ux - dx * uy
    if same(by, 0.0):
        if ahead > TOLERANCE and same(aside, 0.0):
            return Advance(actor=action.actor, distance=ahead)
        return None
    if same(ahead, 0.0) and same(aside, 0.0):
        return Pivot(actor=action.actor, by=by)
    return None


@BOOK.clause("SV-MOV-1", src="seed", bars=Manoeuvre, at=Moment.DECLARE)
def advance_or_pivot(ask: OrderContext[Manoeuvre]) -> Iterator[Finding]:
    """There are two manoeuvres, Advance and Pivot: no backing up, side-step, wheel, re-forming."""
    actor = ask.mover
    if as_one_manoeuvre(actor, ask.subject) is None:
        x, y = ask.subject.to
        text = f"No single Advance or Pivot brings {actor.name} to that pose."
        yield Finding(text, math.hypot(x - actor.x, y - actor.y), None, (x, y), actor.id)


BOOK.resolves(
    "SV-SEQ-1", "seed", "Advances and Pivots mix freely, as many as the allowance pays for."
)


@BOOK.clause("SV-SEQ-2", src="seed", bars=(Advance, Pivot), at=Moment.END)
def within_the_allowance(ask: OrderContext[Advance | Pivot]) -> Iterator[Finding]:
    """The costs of an activation, ground included, may equal the allowance but not exceed it."""
    if not ask.actor_is_active:
        return
    measured, left = ask.measure(order_measure), allowance(ask.state)
    if measured is None or affords(measured.cost, left):
        return
    cost = measured.cost
    left, place = max(0.0, left), ask.mover.centre
    if isinstance(measured, AdvanceMeasure):
        reach = max(0.0, left - measured.toll.loss)
        place = measured.start.front_after(min(measured.moved, reach))
    told, rest = told_both(cost, left, ".3f")
    of_it = ""
    if measured.toll.loss:
        names = dict.fromkeys(entry.thing.name for entry in measured.toll.entries)
        of_it = f", {measured.toll.loss:g} of it to enter {listed([*names])}"
    text = f"The order costs {told} in of allowance{of_it}; {rest} in are left."
    yield Finding(text, cost, left, place, ask.mover.id)


def record_order(run: Run, measured: AdvanceMeasure | PivotMeasure) -> None:
    """Take the cost of an order from the allowance."""
    state = run.state
    given = state.progress.whole("orders")
    run.cite("SV-MOV-1", "SV-SEQ-2")
    if given:
        run.cite("SV-SEQ-1")
    if slots_used(state):
        run.cite("SV-ACT-2")
    left = allowance(state) - measured.cost
    changes: dict[str, Value] = {"allowance": left, "orders": given + 1}
    if measured.toll.loss:
        changes["lost"] = state.progress.number("lost") + measured.toll.loss
    run.emit(Progressed(Marks(changes), "SV-SEQ-2"))
    run.value(allowance_left=left, cost=measured.cost)
