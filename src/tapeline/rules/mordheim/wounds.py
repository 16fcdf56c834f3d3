"""MH-WND, MH-INJ, MH-OUT, MH-TEST, MH-DICE: tests, rolls to wound, injuries."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from tapeline.dice import Band, Reading, Roll, said_reading
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.events import Marked, Removed
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import (
    ALWAYS_FAILS,
    BOOK,
    D3_FACES,
    FLEE_DICE,
    INJURY_OUT,
    INJURY_STUNNED,
    LEADERSHIP_DICE,
    WOUND_CHART,
)
from tapeline.rules.mordheim.state import condition, has_skill, initiative, release, wounds_left
from tapeline.table.marks import Marks
from tapeline.wording import counted

__all__ = [
    "apply_result",
    "d3",
    "distance_fled",
    "initiative_test",
    "leadership_test",
    "needed_to_wound",
    "reading",
    "take_hits",
    "take_out",
]


BOOK.resolves_each("""
MH-TEST-1 (public) A characteristic test is passed on a D6 at or below the value; a 6 always fails.
MH-TEST-2 (public) A Leadership test is passed on 2D6 at or below Leadership.
MH-DICE-1 (public) A D3 is a D6 halved, rounded up.
""")


def initiative_test(
    run: Run, body_id: str, purpose: str, clause: str, *, settled: bool = False
) -> Generator[Ask, Answer, bool]:
    """Roll one Initiative test for a model. Whether it passed. clause: what asks for the test.
    settled: as of `Run.roll`."""
    body = run.state.body(body_id)
    value = initiative(body)
    needs = min(value, ALWAYS_FAILS - 1)
    name = f"{body.name} {purpose}: Initiative test, {needs} or less"
    roll = Roll(1, name, clause, body.side, about=body_id)
    (face,) = yield from run.roll(roll, lambda faces: faces[0] <= needs, settled=settled)
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


BOOK.resolves_each("""
MH-WND-1 (public) To wound on a D6 by Strength minus Toughness: 2 or more 2+, 1 3+, 0 4+, -1 5+, -2
    or -3 6, less never.
MH-INJ-1 (public) The wound that takes the last one and each after it: 1-2 knocked down, 3-4
    stunned, 5-6 out of action; the worst counts.
MH-OUT-1 (public) Out of action: removed from the table.
""")


def reading(state: State, roll: Roll) -> Reading | None:
    """How a test, a roll to wound or a roll for injuries is read."""
    if roll.clause == "MH-INJ-1":
        return Reading(
            (
                Band("Out of action", "is out of action", INJURY_OUT),
                Band("Stunned", "is stunned", INJURY_STUNNED),
                Band("Knocked down", "is knocked down"),
            ),
            highest=True,
        )
    if roll.target is not None:
        return Reading(each=("wound", "wounds"))
    test = next(
        (name for name in ("Initiative", "Leadership") if f"{name} test" in roll.purpose), ""
    )
    return said_reading(roll, f"passes the {test} test", f"fails the {test} test") if test else None


_ORDER = ("nothing", "knocked_down", "stunned", "out")
_WORDS = {"knocked_down": "knocked down", "stunned": "stunned", "out": "out of action"}


def needed_to_wound(strength: int, toughness: int) -> int | None:
    """What a D6 must show; None if it never wounds.

    >>> needed_to_wound(3, 3), needed_to_wound(4, 3), needed_to_wound(9, 3), needed_to_wound(1, 5)
    (4, 3, 2, None)
    """
    return WOUND_CHART.get(min(strength - toughness, max(WOUND_CHART)))


def worst(results: list[str]) -> str:
    """The worst of some results; "nothing" of none."""
    return max(results, key=_ORDER.index, default="nothing")


def take_out(run: Run, body_id: str, clause: str, reason: str = "out of action") -> None:
    """A model leaves the table; nobody fights it any more."""
    name = run.state.body(body_id).name
    release(run, body_id, clause)
    run.emit(Removed(body_id, reason, clause))
    run.happened(reason, f"{name} is {reason}", clause, about=body_id, outcome=True)


def apply_result(run: Run, body_id: str, result: str, clause: str) -> bool:
    """Put a model down or out. Whether it was newly put down, so that it may slip off an edge.

    A stunned model stays stunned when knocked down.
    """
    body = run.state.body(body_id)
    if result == "nothing":
        return False
    if result == "out":
        run.cite("MH-OUT-1")
        take_out(run, body_id, clause)
        return False
    if result == "knocked_down" and has_skill(body, "Jump Up"):
        text = f"{body.name} jumps up again"
        run.happened("jumps up", text, "MH-SKILL-1", about=body_id, outcome=True)
        return False
    before = condition(body)
    if _ORDER.index(result) > ("standing", "knocked_down", "stunned").index(before):
        changes = Marks({"condition": result})
        if result == "stunned":
            changes = Marks({"condition": result, "hidden": None, "was_stunned": True})
        run.emit(Marked(body_id, changes, clause))
    stays = before == "stunned" and result == "knocked_down"
    text = f"{body.name} {'stays stunned' if stays else f'is {_WORDS[result]}'}"
    run.happened(result, text, clause, about=body_id, outcome=True)
    return True


def take_hits(
    run: Run, body_id: str, hits: int, strength: int, clause: str
) -> Generator[Ask, Answer, str]:
    """Roll to wound for hits without a save, then for the injuries; the worst injury rolled.

    Wounds are taken; the injury is left to `apply_result`.
    """
    body = run.state.body(body_id)
    needs = needed_to_wound(strength, int(body.stat("toughness")))
    run.cite("MH-WND-1")
    if hits == 0 or needs is None:
        run.value(hits=hits, wounds=0)
        run.happened("unhurt", f"{body.name} is unhurt", clause, about=body_id, outcome=True)
        return "nothing"
    by = run.state.other_side(body.side)
    name = f"{body.name}: {counted(hits, 'hit')} at S {strength}, wounds on {needs}+"
    roll = Roll(hits, name, clause, by, about=body_id, reads="successes", target=needs)
    faces = yield from run.roll(roll)
    wounds = roll.successes(faces)
    run.value(hits=hits, wounds=wounds)
    if wounds == 0:
        run.happened("unhurt", f"{body.name} is unhurt", clause, about=body_id, outcome=True)
        return "nothing"
    left = wounds_left(body)
    taken = min(wounds, left)
    if taken:
        lost = body.marks.whole("wounds_lost") + taken
        run.emit(Marked(body_id, Marks({"wounds_lost": lost}), "MH-INJ-1"))
    injuries = wounds - max(0, left - 1)
    if injuries <= 0:
        text = f"{body.name} has {left - taken} wounds left"
        run.happened("wounded", text, "MH-INJ-1", about=body_id, outcome=True)
        return "nothing"
    roll = Roll(injuries, f"{body.name}: injuries", "MH-INJ-1", by, about=body_id)
    return _worst_of((yield from run.roll(roll, _worst_of, settled=True)))


def _worst_of(faces: Sequence[int]) -> str:
    return worst([_injury(face) for face in faces])


def _injury(face: int) -> str:
    if face >= INJURY_OUT:
        return "out"
    return "stunned" if face >= INJURY_STUNNED else "knocked_down"
