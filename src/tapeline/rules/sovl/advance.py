"""SV-ADV: going straight forward, and what halts it."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved, Progressed
from tapeline.engine.limits import more_than, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import Advance, Pivot
from tapeline.rules.sovl.figures import BOOK
from tapeline.rules.sovl.footprint import along_border, touches_ahead
from tapeline.rules.sovl.measures import (
    AdvanceMeasure,
    Stop,
    advance_measure,
    off_course,
    pivot_measure,
)
from tapeline.rules.sovl.movement import record_order
from tapeline.rules.sovl.profiles import flies
from tapeline.rules.sovl.state import OrderContext, is_engaged
from tapeline.rules.sovl.terrain import pay_toll
from tapeline.table.marks import Marks
from tapeline.wording import told_apart

__all__ = ["do_advance"]


@BOOK.clause("SV-ADV-1", src="seed", bars=Advance, at=Moment.DECLARE)
def straight_forward(ask: OrderContext[Advance]) -> Iterator[Finding]:
    """An Advance goes straight forward, by more than nothing; the facing stays."""
    action, actor = ask.subject, ask.mover
    if not action.distance > 0.0:
        text = f"An Advance goes forward by more than 0 in; got {action.distance:g}."
        yield Finding(text, action.distance, 0.0, about=actor.id)
    off = off_course(actor, action)
    if not within(off, 0.0):
        far = told_apart(off, 0.0, ".3f")
        text = f"An Advance goes where the unit faces; this direction is {far} degrees off."
        yield Finding(text, off, 0.0, about=actor.id)


BOOK.resolves(
    "SV-ADV-2", "seed", "An Advance that meets another unit or impassable terrain halts on contact."
)
BOOK.resolves("SV-ADV-3", "seed", "An Advance costs the inches really moved.")


@BOOK.clause("SV-ADV-4", src="pick", bars=Pivot, at=Moment.END)
def the_edge_is_a_wall(ask: OrderContext[Pivot]) -> Iterator[Finding]:
    """The table edge halts an Advance and bars a Pivot; only a Flight Move leaves the table."""
    measured = ask.measure(pivot_measure)
    if measured is None:
        return
    for edge, excess, place in measured.beyond:
        far = told_apart(excess, 0.0, ".3f")
        how = "come as far as" if measured.swept else "stand"
        text = f"The unit would {how} {far} in beyond the {edge} edge."
        yield Finding(text, excess, 0.0, place, ask.mover.id)


def do_advance(run: Run, action: Advance) -> None:
    """Move as far as the way is free, and pay for it."""
    state = run.state
    actor = state.body(action.actor)
    measured = OrderContext(state, action, run).measure(advance_measure)
    assert measured is not None
    x, y = measured.start.centre_after(measured.moved)
    if measured.moved > 0.0:
        run.emit(Moved(actor.id, x, y, actor.z, actor.facing, (Leg(to=(x, y)),), "SV-ADV-1"))
    run.cite("SV-ADV-1")
    run.pay("advance", measured.moved, 1.0, measured.moved, "SV-ADV-3")
    pay_toll(run, measured.toll)
    if flies(actor):
        run.cite("SV-PROP-3")
    record_order(run, measured)
    _cite_contacts(run, measured)
    run.value(moved=measured.moved)
    short = more_than(action.distance, measured.moved)
    for stop in measured.stops:
        if stop.thing is not None and stop.thing.is_unit:
            _meet(run, actor.id, stop.thing.id, still=measured.moved == 0.0)
        if short:
            _say_stopped(run, measured, stop)


def _cite_contacts(run: Run, measured: AdvanceMeasure) -> None:
    """What it comes to touch halts it, or it slides along: by these clauses either way."""
    if any(stop.edge for stop in measured.stops) or along_border(measured.start, run.state.table):
        run.cite("SV-ADV-4")
    for thing in measured.near:
        if touches_ahead(measured.start, thing, measured.moved):
            run.cite("SV-ADV-2")
            if not thing.is_unit:
                run.cite("SV-TER-5")


def _say_stopped(run: Run, measured: AdvanceMeasure, stop: Stop) -> None:
    after = f"after {measured.moved:.3f} in"
    figures = (measured.moved, None, stop.place)
    if stop.thing is None:
        text = f"Halts at the {stop.edge} edge of the table {after}."
        run.stopped(Finding(text, *figures, stop.edge, stop.at, "SV-ADV-4"))
        return
    text = f"Halts on contact with {stop.thing.name} {after}."
    run.stopped(Finding(text, *figures, stop.thing.id, stop.at, "SV-ADV-2"))
    if not stop.thing.is_unit:
        text = f"No way leads through {stop.thing.name}."
        run.stopped(Finding(text, *figures, stop.thing.id, stop.at, "SV-TER-5"))


def _meet(run: Run, mover: str, other: str, still: bool) -> None:
    """Record a contact. still: it has not moved, so a contact that is known is no news."""
    state = run.state
    one, two = state.body(mover), state.body(other)
    known = state.progress.get("contacts", ())
    assert isinstance(known, tuple)
    is_known = (mover, other) in known or (other, mover) in known
    if not is_known:
        run.emit(Progressed(Marks({"contacts": (*known, (mover, other))}), "SV-ADV-2"))
    is_news = not (is_known and still)
    if is_news:
        text = f"{one.name} came into contact with {two.name}."
        run.happened("contact", text, "SV-ADV-2", about=other)
    if one.side == two.side or state.option("contact.strategic") != "engage":
        return
    if is_news or not (is_engaged(one) and is_engaged(two)):
        for unit in (mover, other):
            run.emit(Marked(unit, Marks({"engaged": True}), "SV-ACT-9"))
        run.happened("engaged", f"Engaged: {one.name} and {two.name}.", "SV-ACT-9", about=other)
