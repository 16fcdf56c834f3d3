"""SV-PIV: turning on the spot; and a manoeuvre given by the pose that it should lead to."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved
from tapeline.engine.limits import more_than, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import nearest_point
from tapeline.rules.sovl.actions import Advance, Manoeuvre, Pivot
from tapeline.rules.sovl.advance import do_advance
from tapeline.rules.sovl.figures import BOOK, PIVOT_DEG, PIVOT_ORDER_MOST_DEG
from tapeline.rules.sovl.footprint import Footprint, impassable_ground, units_near
from tapeline.rules.sovl.measures import may_be_ordered, pivot_measure
from tapeline.rules.sovl.movement import as_one_manoeuvre, record_order
from tapeline.rules.sovl.profiles import flies, type_of
from tapeline.rules.sovl.state import OrderContext
from tapeline.rules.sovl.terrain import pay_toll
from tapeline.table.bodies import Body
from tapeline.wording import counted, told_apart

__all__ = ["do_manoeuvre", "do_pivot"]


@BOOK.clause("SV-PIV-1", src="seed", bars=Pivot, at=Moment.DECLARE)
def about_the_centre(ask: OrderContext[Pivot]) -> Iterator[Finding]:
    """A Pivot turns the unit about its centre point, which stays."""
    about, actor = ask.subject.about, ask.mover
    if about is None:
        return
    off = math.hypot(about[0] - actor.x, about[1] - actor.y)
    if not within(off, 0.0):
        far = told_apart(off, 0.0, ".3f")
        text = f"A Pivot turns about the centre of the unit; this point is {far} in off."
        yield Finding(text, off, 0.0, (about[0], about[1]), actor.id)


@BOOK.clause("SV-PIV-2", src="seed", bars=Pivot, at=Moment.DECLARE)
def a_pivot_is_45_degrees(ask: OrderContext[Pivot]) -> Iterator[Finding]:
    """One pivot covers up to 45 degrees, an order from more than 0 to 180 of them."""
    by = ask.subject.by
    if not may_be_ordered(by):
        limit = PIVOT_ORDER_MOST_DEG if abs(by) > PIVOT_ORDER_MOST_DEG else 0.0
        got = told_apart(by, math.copysign(PIVOT_ORDER_MOST_DEG, by), "g")
        text = (
            f"A Pivot order turns by more than 0 and at most {PIVOT_ORDER_MOST_DEG:g} degrees; "
            f"got {got}."
        )
        yield Finding(text, abs(by), limit, about=ask.mover.id)


BOOK.resolves_each("""
SV-PIV-3 (seed) Each pivot costs what the unit type says.
SV-PIV-4 (seed) Less than 45 degrees is a whole pivot: infantry that turns 10 degrees pays 1.
SV-PIV-5 (seed) More than 45 degrees is several pivots: cavalry that turns 180 degrees pays 4 times
    2.
""")


@BOOK.clause("SV-PIV-6", src="pick", bars=Pivot, at=Moment.END)
def the_pose_is_clear(ask: OrderContext[Pivot]) -> Iterator[Finding]:
    """A Pivot may not end over a unit, impassable terrain or the table edge; touching is fine."""
    measured = ask.measure(pivot_measure)
    if measured is None:
        return
    for clash in measured.clashes:
        deep = told_apart(clash.depth, 0.0, ".3f")
        text = f"The unit would overlap {clash.thing.name} by {deep} in."
        if clash.turned is not None:
            text = f"The unit would come over {clash.thing.name} after {clash.turned:.3f} degrees."
        figures = clash.figures(ask.subject.by)
        yield Finding(text, *figures, clash.place, clash.thing.id)
    for edge, excess, place in measured.beyond:
        far = told_apart(excess, 0.0, ".3f")
        stay = "stay on the table as it turns" if measured.swept else "stand on the table"
        text = f"The unit would not {stay}, {far} in over the {edge} edge."
        yield Finding(text, excess, 0.0, place, edge)


def do_pivot(run: Run, action: Pivot) -> None:
    """Turn, and pay for every pivot."""
    state = run.state
    actor = state.body(action.actor)
    measured = OrderContext(state, action, run).measure(pivot_measure)
    assert measured is not None
    count = measured.pivots
    run.emit(
        Moved(
            actor.id,
            actor.x,
            actor.y,
            actor.z,
            measured.end.facing,
            (Leg(by=action.by),),
            "SV-PIV-1",
        )
    )
    each = type_of(actor).pivot_cost
    run.pay(counted(count, "pivot"), count, each, measured.price, "SV-PIV-3")
    run.cite("SV-PIV-2")
    if count > 1:
        run.cite("SV-PIV-5")
    if more_than(PIVOT_DEG * count, abs(action.by)):
        run.cite("SV-PIV-4")
    _cite_room(run, measured.start, actor)
    pay_toll(run, measured.toll)
    record_order(run, measured)
    run.value(pivots=count)


def _cite_room(run: Run, start: Footprint, actor: Body) -> None:
    """It had to be clear of whatever some turn about its centre comes over."""
    flying, table, rect = flies(actor), run.state.table, start.rect
    if flying:
        run.cite("SV-PROP-3")
    border = min(rect.x, rect.y, table.width - rect.x, table.depth - rect.y)
    if within(border, rect.reach):
        run.cite("SV-ADV-4", "SV-PIV-6")
    for thing in (
        *units_near(run.state, actor.id, start, 0.0, all_round=True),
        *impassable_ground(table, start, 0.0, all_round=True),
    ):
        if within(nearest_point(thing.shape, start.centre)[0], rect.reach):
            run.cite("SV-PIV-6")
            if not thing.is_unit and not flying:
                run.cite("SV-TER-5")


def do_manoeuvre(run: Run, action: Manoeuvre) -> None:
    """Carry the manoeuvre out as the Advance or the Pivot that it is (SV-MOV-1)."""
    order = as_one_manoeuvre(run.state.body(action.actor), action)
    assert order is not None  # SV-MOV-1 refused all others
    run.refuse(run.check(order))
    if isinstance(order, Advance):
        do_advance(run, order)
    else:
        do_pivot(run, order)
