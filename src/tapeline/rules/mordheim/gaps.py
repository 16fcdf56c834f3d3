"""MH-GAP: jumps over gaps and streets, whose width nobody may measure before."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved
from tapeline.engine.limits import affords, more_than
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, Move
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.falls import fall
from tapeline.rules.mordheim.figures import BOOK, GAP_IN
from tapeline.rules.mordheim.jumping import tests_passed
from tapeline.rules.mordheim.rolls import initiative_test
from tapeline.table.marks import Marks
from tapeline.travel.route import Crossing

__all__ = ["cross"]


@BOOK.clause("MH-GAP-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def leads_to_another_side(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Gaps of up to 3 inches may be jumped, to a side less than 1 inch higher."""
    yield from ask.hits("MH-GAP-1")


BOOK.resolves(
    "MH-GAP-2", src="seed", says="The distance jumped is taken from the movement allowance."
)
BOOK.resolves(
    "MH-GAP-4",
    src="seed",
    says="Without enough movement for the distance the model falls, without a test.",
)
BOOK.resolves("MH-GAP-5", src="seed", says="With enough movement it tests Initiative, or falls.")
BOOK.resolves(
    "MH-GAP-6", src="seed", says="Jumping a gap does not cost a model its shot; running does."
)
BOOK.resolves("MH-GAP-7", src="seed", says="Jumps over gaps may be part of a charge or a run.")


def cross(run: Run, body_id: str, hurdle: Crossing, left: float) -> Generator[Ask, Answer, bool]:
    """One jump over a gap: too wide or too far is a fall, else tested. Whether the model may go
    on."""
    body = run.state.body(body_id)
    run.emit(Marked(body_id, Marks({"gap_jumped": True}), "MH-GAP-1"))
    run.cite("MH-GAP-3")
    if not affords(hurdle.width, left) or more_than(hurdle.width, GAP_IN):
        short = not affords(hurdle.width, left)
        clause = "MH-GAP-4" if short else "MH-GAP-1"
        why = f"with {left:.4g} in left" if short else f"and {GAP_IN:g} in is the most"
        run.value(gap=hurdle.width)
        text = f"{body.name} jumps {hurdle.width:.4g} in {why}: it falls"
        run.happened("gap too wide", text, clause, about=body_id, outcome=True)
        yield from _falls(run, body_id, hurdle, clause)
        return False
    # How wide it is is told once the test is rolled (MH-GAP-3).
    passed = yield from initiative_test(run, body_id, "jumps a gap", "MH-GAP-5")
    run.value(gap=hurdle.width)
    words = f"jumps a gap of {hurdle.width:.4g} in"
    if not passed:
        yield from _falls(run, body_id, hurdle, "MH-GAP-5")
        return False
    if not body.has("ran") and body.marks.get("charge") is None:
        run.cite("MH-GAP-6")
    if body.has("ran") or body.marks.get("charge") is not None:
        run.cite("MH-GAP-7")
    run.pay(f"jump over {hurdle.width:.4g} in", hurdle.width, 1.0, hurdle.cost, "MH-GAP-2")
    if hurdle.low is not None:
        landed = yield from tests_passed(run, body_id, hurdle.rise, hurdle.low)
        if not landed:
            return False
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-GAP-5"))
    text = f"{body.name} {words}"
    run.happened("gap jumped", text, "MH-GAP-5", about=body_id, outcome=True)
    return True


def _falls(run: Run, body_id: str, hurdle: Crossing, clause: str) -> Generator[Ask, Answer, None]:
    if hurdle.fall is None:
        return
    yield from fall(run, body_id, hurdle.fall, clause)
