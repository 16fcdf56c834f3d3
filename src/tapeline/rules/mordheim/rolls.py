"""MH-TEST and MH-DICE: characteristic tests, Leadership tests, D3."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.referee import Run
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.figures import ALWAYS_FAILS, D3_FACES, FLEE_DICE, LEADERSHIP_DICE
from tapeline.rules.mordheim.state import initiative

__all__ = ["d3", "distance_fled", "initiative_test", "leadership_test"]

BOOK.resolves(
    "MH-TEST-1",
    src="public",
    says="A characteristic test is passed on a D6 at or below the value; a 6 always fails.",
)
BOOK.resolves(
    "MH-TEST-2", src="public", says="A Leadership test is passed on 2D6 at or below Leadership."
)
BOOK.resolves("MH-DICE-1", src="public", says="A D3 is a D6 halved, rounded up.")


def initiative_test(
    run: Run, body_id: str, purpose: str, clause: str
) -> Generator[Ask, Answer, bool]:
    """Roll one Initiative test for a model. Whether it passed. clause: what asks for the test."""
    body = run.state.body(body_id)
    value = initiative(body)
    needs = min(value, ALWAYS_FAILS - 1)
    name = f"{body.name} {purpose}: Initiative test, {needs} or less"
    roll = Roll(1, name, clause, body.side, about=body_id)
    (face,) = yield from run.roll(roll, lambda faces: faces[0] <= needs)
    run.cite("MH-TEST-1")
    return face <= needs


def leadership_test(
    run: Run, body_id: str, purpose: str, clause: str
) -> Generator[Ask, Answer, bool]:
    """Roll one Leadership test for a model. Whether it passed."""
    body = run.state.body(body_id)
    value = int(body.stat("leadership"))
    name = f"{body.name} {purpose}: Leadership test, {value} or less"
    roll = Roll(LEADERSHIP_DICE, name, clause, body.side, about=body_id, reads="sum")
    faces = yield from run.roll(roll, lambda faces: roll.total(faces) <= value)
    run.cite("MH-TEST-2")
    return roll.total(faces) <= value


def distance_fled(run: Run, body_id: str, clause: str) -> Generator[Ask, Answer, int]:
    """Roll how far a model flees, inches."""
    body = run.state.body(body_id)
    roll = Roll(FLEE_DICE, f"{body.name} flees", clause, body.side, about=body_id, reads="sum")
    faces = yield from run.roll(roll)
    return roll.total(faces)


def d3(run: Run, body_id: str, purpose: str, clause: str) -> Generator[Ask, Answer, int]:
    """Roll a D3: a D6 halved, rounded up."""
    by = run.state.body(body_id).side
    roll = Roll(1, purpose, clause, by, about=body_id)
    faces = yield from run.roll(roll, _halved)
    run.cite("MH-DICE-1")
    return _halved(faces)


def _halved(faces: Sequence[int]) -> int:
    return (faces[0] + D3_FACES - 1) // D3_FACES
