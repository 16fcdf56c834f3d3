"""TC-MEL: Melee Attacks, and the Fight ACTION as far as a charge or retreat needs it."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Progressed
from tapeline.engine.limits import within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade.actions import Fight
from tapeline.rules.trench_crusade.book import BOOK, NEAR_IN
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.injuries import Injury, injury_roll
from tapeline.rules.trench_crusade.measures import gap
from tapeline.rules.trench_crusade.rolls import success_roll
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.sight import cover_between, visible
from tapeline.rules.trench_crusade.state import activation, is_down, melee_armed
from tapeline.table.marks import Marks

__all__ = ["fight", "melee_attack"]


@BOOK.clause("TC-MEL-1", src="public", bars=Fight, at=Moment.DECLARE)
def melee_needs(ask: Context[Fight]) -> Iterator[Finding]:
    """A Melee Attack needs a Melee Weapon and a visible enemy within 1 inch."""
    ask.cite("TC-MEL-1")
    attacker, target = ask.mover, ask.target
    if target.side == attacker.side:
        yield Finding(f"{target.name} is not an enemy.", about=target.id)
        return
    if not melee_armed(attacker):
        yield Finding(f"{attacker.name} has no Melee Weapon.", about=attacker.id)
    measured = gap(attacker, target)
    if not within(measured, NEAR_IN):
        text = f"{target.name} is {measured:.2f} in away; a Melee Attack reaches 1 in."
        yield Finding(text, measured, NEAR_IN, target.centre, target.id)
    elif not visible(ask.state, attacker, target, attested=ask.subject.visible):
        yield Finding(f"{attacker.name} cannot see {target.name}.", about=target.id)


def melee_attack(
    run: Run, attacker_id: str, target_id: str, purpose: str
) -> Generator[Ask, Answer, Injury]:
    """One Melee Attack with one weapon; what it came to."""
    attacker, target = run.state.bodies[attacker_id], run.state.bodies[target_id]
    run.cite("TC-MEL-1")
    dice = int(attacker.stat("melee_dice"))
    if cover_between(run.state, attacker, target):
        dice -= 1
    if target.keyword("FEAR") and not attacker.keyword("IMMUNE TO FEAR"):
        dice -= 1
    current = activation(run.state)
    if current is not None and current.dived and current.actor == attacker_id:
        run.cite("TC-FALL-2")
        run.emit(Progressed(Marks({"dived": None}), "TC-FALL-2"))
        dice += 1
    grade = yield from success_roll(run, attacker_id, purpose, "TC-MEL-1", dice=dice)
    if grade == "failure":
        run.happened(
            "attack misses",
            f"{attacker.name} misses {target.name}",
            "TC-MEL-1",
            about=target_id,
            outcome=True,
        )
        return "nothing"
    injury_dice = 1 if grade == "critical" else 0
    if is_down(run.state.bodies[target_id]):
        injury_dice += 1
        run.cite("TC-INJ-2")
    return (yield from injury_roll(run, target_id, purpose, dice=injury_dice))


def fight(run: Run, action: Fight) -> Procedure:
    """The Fight ACTION."""
    attacker, target = run.state.body(action.actor), run.state.body(action.target)
    take(run, "fight", "TC-MEL-1")
    yield from melee_attack(run, attacker.id, target.id, f"{attacker.name} attacks {target.name}")
