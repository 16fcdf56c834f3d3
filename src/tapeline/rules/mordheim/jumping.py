"""MH-JUMP and MH-DIVE: jumping down, and what a failed test leads to."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, Move
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.falls import fall
from tapeline.rules.mordheim.figures import BOOK, JUMP_TEST_IN
from tapeline.rules.mordheim.rolls import initiative_test
from tapeline.rules.mordheim.state import is_standing
from tapeline.travel.landing import Landing
from tapeline.travel.route import Crossing

__all__ = ["cross", "tests_of", "tests_passed"]


@BOOK.clause("MH-JUMP-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def no_higher_than_six(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """A warrior jumps down from 6 inches at most, any time in its movement phase."""
    jumps = [hurdle for hurdle in ask.bound.crossings if not hurdle.kind.startswith("climb")]
    if jumps and not is_standing(ask.mover):
        place = jumps[0].start
        text = f"{ask.mover.name} is not on its feet and does not jump."
        yield Finding(text, None, None, (place.x, place.y))
    yield from ask.hits("MH-JUMP-1")


BOOK.resolves(
    "MH-JUMP-2", src="seed", says="One Initiative test for each complete 2 inches of the drop."
)
BOOK.resolves(
    "MH-JUMP-3",
    src="seed",
    says="If a test is failed the model falls from where it jumped and moves no more that phase.",
)
BOOK.resolves("MH-JUMP-4", src="seed", says="If all tests are passed the move goes on.")
BOOK.resolves("MH-JUMP-5", src="seed", says="Jumping down takes nothing of the movement.")
BOOK.resolves(
    "MH-JUMP-6",
    src="public",
    says="Worked example: 3 inches to the edge, a drop of 5 with two tests, then 7 more.",
)


def tests_of(drop: float) -> int:
    """How many Initiative tests a drop takes: one for each complete 2 inches.

    >>> [tests_of(drop) for drop in (1.99, 2.0, 3.99, 4.0)]
    [0, 1, 1, 2]
    """
    return math.floor((drop + TOLERANCE) / JUMP_TEST_IN)


def tests_passed(
    run: Run, body_id: str, drop: float, down: Landing | None
) -> Generator[Ask, Answer, bool]:
    """Roll the tests of a drop, one at a time; at the first failure the model falls."""
    clause = "MH-DIVE-3" if run.state.body(body_id).has("dive") else "MH-JUMP-2"
    run.cite("MH-JUMP-1", clause)
    count = tests_of(drop)
    for number in range(1, count + 1):
        words = f"jumps down {drop:.4g} in, test {number} of {count}"
        passed = yield from initiative_test(run, body_id, words, clause)
        if not passed:
            assert down is not None
            yield from fall(run, body_id, down, "MH-JUMP-3")
            return False
    return True


def cross(run: Run, body_id: str, hurdle: Crossing, left: float) -> Generator[Ask, Answer, bool]:
    """One jump down: its tests, and what follows. Whether the model may go on."""
    passed = yield from tests_passed(run, body_id, hurdle.rise, hurdle.fall)
    if not passed:
        return False
    body = run.state.body(body_id)
    run.pay(f"jump down {hurdle.rise:.4g} in", hurdle.rise, 0.0, 0.0, "MH-JUMP-5")
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-JUMP-4"))
    if body.has("ran"):
        run.cite("MH-JUMP-6")
    text = f"{body.name} jumps down {hurdle.rise:.4g} in"
    run.happened("jumped down", text, "MH-JUMP-4", about=body_id, outcome=True)
    return True
