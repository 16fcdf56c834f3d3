"""MH-CLIMB: who climbs what, how high, and the test of each climb."""

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
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.rolls import initiative_test
from tapeline.rules.mordheim.state import (
    charge_result,
    may_climb,
    movement,
    touching_at_start,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.table.marks import Marks
from tapeline.travel.route import Crossing

__all__ = ["cross"]

Pathed = Context[Move | Crawl]


def _climbs(ask: Pathed) -> list[Crossing]:
    return [hurdle for hurdle in ask.bound.crossings if hurdle.kind.startswith("climb")]


@BOOK.clause("MH-CLIMB-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def animals_do_not_climb(ask: Pathed) -> Iterator[Finding]:
    """Any model on its feet but an animal may climb walls, fences and the like, up or down."""
    climbs = _climbs(ask)
    if climbs and not may_climb(ask.mover):
        why = "is an animal" if ask.mover.stats.get("animal") else "is not on its feet"
        place = climbs[0].start
        yield Finding(f"{ask.mover.name} {why} and does not climb.", None, None, (place.x, place.y))
    yield from ask.hits("MH-CLIMB-1")


@BOOK.clause("MH-CLIMB-2", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def touched_since_the_phase_began(ask: Pathed) -> Iterator[Finding]:
    """What is climbed was touched when the movement phase began."""
    touched = touching_at_start(ask.mover)
    wanted: dict[str, Crossing] = {}
    for hurdle in _climbs(ask):
        wanted.setdefault(hurdle.piece or "", hurdle)
    for feature, hurdle in wanted.items():
        if feature not in touched:
            name = terrain_of(ask.state).name(feature)
            text = f"{ask.mover.name} did not touch {name} when the movement phase began."
            place = hurdle.start
            yield Finding(text, None, None, (place.x, place.y), feature)


@BOOK.clause("MH-CLIMB-3", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def climbs_are_paid_from_movement(ask: Pathed) -> Iterator[Finding]:
    """All that is climbed in a phase is paid from the Movement."""
    climbs = _climbs(ask)
    height = sum(hurdle.cost for hurdle in climbs)
    if len(climbs) > 1 and not affords(height, ask.allowance):
        place = climbs[0].start
        text = f"{height:.4g} in to climb in all; {ask.mover.name} has {ask.allowance:g} in."
        yield Finding(text, height, ask.allowance, (place.x, place.y), climbs[0].piece)


@BOOK.clause("MH-CLIMB-4", src="seed", bars=Move, at=Moment.DECLARE)
def nobody_runs_and_climbs(ask: Context[Move]) -> Iterator[Finding]:
    """Nobody runs and climbs in one move."""
    if not ask.subject.run:
        return
    if any(leg.how == "climb" for leg in ask.subject.path):
        yield Finding(f"{ask.mover.name} may not run and climb in one move.", about=ask.mover.id)


BOOK.resolves("MH-CLIMB-5", src="seed", says="Movement left after a climb is used as usual.")


@BOOK.clause("MH-CLIMB-6", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def not_higher_than_a_move(ask: Pathed) -> Iterator[Finding]:
    """What is higher than the model's normal move cannot be climbed."""
    limit = min(movement(ask.mover), ask.allowance)
    for hurdle in _climbs(ask):
        if more_than(hurdle.rise, limit):
            place = hurdle.start
            text = f"{hurdle.rise:.4g} in to climb at once; {ask.mover.name} climbs {limit:g} in."
            yield Finding(text, hurdle.rise, limit, (place.x, place.y), hurdle.piece)


BOOK.resolves("MH-CLIMB-7", src="seed", says="Each climb needs one Initiative test.")
BOOK.resolves(
    "MH-CLIMB-8",
    src="seed",
    says="If the test to climb up is failed the model cannot move that turn.",
)
BOOK.resolves(
    "MH-CLIMB-9",
    src="seed",
    says="If the test to climb down is failed it falls from where the descent began.",
)


def cross(run: Run, body_id: str, hurdle: Crossing, left: float) -> Generator[Ask, Answer, bool]:
    """One climb: its test, and what follows. Whether the model may go on."""
    body = run.state.body(body_id)
    if not affords(hurdle.cost, left):
        return False
    up = hurdle.kind == "climb up"
    name = terrain_of(run.state).name(hurdle.piece or "")
    words = f"climbs {'up' if up else 'down'} {name}, {hurdle.rise:.4g} in"
    run.cite("MH-CLIMB-1", "MH-CLIMB-2", "MH-CLIMB-6")
    if charge_result(body) == "":
        run.cite("MH-CLIMB-4")
    run.emit(Marked(body_id, Marks({"climbed": True}), "MH-CLIMB-7"))
    passed = yield from initiative_test(run, body_id, words, "MH-CLIMB-7")
    run.cite("MH-CLIMB-3")
    if not passed:
        if up:
            run.emit(Marked(body_id, Marks({"climb_failed": True}), "MH-CLIMB-8"))
            text = f"{body.name} does not get up {name} and moves no more"
            run.happened("climb failed", text, "MH-CLIMB-8", about=body_id, outcome=True)
            return False
        assert hurdle.fall is not None
        yield from fall(run, body_id, hurdle.fall, "MH-CLIMB-9")
        return False
    run.pay(words.removeprefix("climbs "), hurdle.rise, 1.0, hurdle.cost, "MH-CLIMB-3")
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-CLIMB-7"))
    text = f"{body.name} {words}"
    run.happened("climbed", text, "MH-CLIMB-7", about=body_id, outcome=True)
    if more_than(left, hurdle.cost):
        run.cite("MH-CLIMB-5")
    return True
