"""TC-ROLL: Success Rolls, +DICE and -DICE, and markers spent on a roll."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask, Choice, Option
from tapeline.engine.events import Marked
from tapeline.engine.referee import Run
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.figures import (
    CRITICAL_TOTAL,
    DOWN_DICE,
    SUCCESS_DICE,
    SUCCESS_TOTAL,
)
from tapeline.rules.trench_crusade.state import is_down, number
from tapeline.table.marks import Marks

__all__ = ["Grade", "Pool", "pool", "spend_markers", "success_roll"]

Grade = Literal["failure", "success", "critical"]

BOOK.resolves(
    "TC-ROLL-1",
    src="public",
    says="A Success Roll is 2D6: 2 to 6 fails, 7 to 11 succeeds, 12 or more is critical.",
)
BOOK.resolves(
    "TC-ROLL-2",
    src="public",
    says="+DICE and -DICE cancel; what is left adds that many dice, of which the highest two (or "
    "the lowest two) count.",
)
BOOK.resolves(
    "TC-ROLL-3",
    src="public",
    says="On a Success Roll the opponent may spend the model's BLOOD MARKERs for -1 DICE each, "
    "its owner BLESSING MARKERs for +1 DICE each.",
)
BOOK.resolves(
    "TC-ROLL-4",
    src="public",
    says="When both sides could act on one roll, the side with the Initiative sets the order.",
)
BOOK.resolves("TC-ROLL-6", src="public", says="A D3 is a D6 halved, rounded up.")


@dataclass(frozen=True, slots=True)
class Pool:
    """How many dice to roll and how many of them count: +n the highest, -n the lowest, 0 all."""

    count: int
    keep: int


def pool(base: int, net: int) -> Pool:
    """The dice of a roll of `base` dice under a net number of +DICE or -DICE.

    >>> pool(2, 1), pool(2, -2), pool(3, 0)
    (Pool(count=3, keep=2), Pool(count=4, keep=-2), Pool(count=3, keep=0))
    """
    if net == 0:
        return Pool(base, 0)
    return Pool(base + abs(net), base if net > 0 else -base)


def spend_markers(
    run: Run, body_id: str, purpose: str, clause: str
) -> Generator[Ask, Answer, tuple[int, int]]:
    """Ask both sides what they spend on a roll; take the markers off.

    Returns BLOOD and BLESSING MARKERs spent.
    """
    body = run.state.bodies[body_id]
    owner, opponent = body.side, run.state.other_side(body.side)
    order = []
    if number(body.marks, "blood"):
        order.append("blood")
    if number(body.marks, "blessing"):
        order.append("blessing")
    if len(order) == 2:
        first = yield from run.choose(
            Choice(
                run.state.turn.initiative,
                f"{purpose}: which side decides first on markers?",
                "TC-ROLL-4",
                "one",
                (Option(opponent, "the opponent"), Option(owner, "the owner")),
                default=opponent,
                about=body_id,
            )
        )
        if first == owner:
            order.reverse()
    spent = {"blood": 0, "blessing": 0}
    for marker in order:
        have = number(body.marks, marker)
        value = yield from run.choose(
            Choice(
                opponent if marker == "blood" else owner,
                f"{purpose}: how many {marker.upper()} MARKERs of {body.name} to spend?",
                clause,
                "number",
                low=0.0,
                high=float(have),
                default=0,
                about=body_id,
            )
        )
        count = int(value) if isinstance(value, int | float) else 0
        if count:
            run.emit(Marked(body_id, Marks({marker: (have - count) or None}), clause))
        spent[marker] = count
    return spent["blood"], spent["blessing"]


def success_roll(
    run: Run, body_id: str, purpose: str, clause: str, *, dice: int = 0, risky: bool = False
) -> Generator[Ask, Answer, Grade]:
    """A Success Roll for a model. dice: net +DICE from profile, keywords and cover.

    What follows from a failed Risky roll is the caller's; the grade is returned.
    """
    body = run.state.bodies[body_id]
    if is_down(body):
        dice += DOWN_DICE
        run.cite("TC-DOWN-2")
    blood, blessing = yield from spend_markers(run, body_id, purpose, "TC-ROLL-3")
    net = dice - blood + blessing
    if net or dice:
        run.cite("TC-ROLL-2")
    thrown = pool(SUCCESS_DICE, net)
    name = f"{purpose}: {'Risky ' if risky else ''}Success Roll"
    roll = Roll(thrown.count, name, clause, body.side, 6, body_id, "sum", thrown.keep)
    faces = yield from run.roll(roll, lambda faces: _grade(roll.total(faces)))
    run.cite("TC-ROLL-1")
    total = roll.total(faces)
    run.value(total=total)
    if risky:
        run.cite("TC-ROLL-5")
    return _grade(total)


def _grade(total: int) -> Grade:
    if total >= CRITICAL_TOTAL:
        return "critical"
    return "success" if total >= SUCCESS_TOTAL else "failure"
