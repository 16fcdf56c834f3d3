"""MH-RUN: how far a run goes, who may run, and the 8-inch check."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.limits import affords, within
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Measure, Move, Shoot
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.detection import first_within
from tapeline.rules.mordheim.figures import BOOK, RUN_BAN_IN
from tapeline.rules.mordheim.state import counts, of_side
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.travel.route import Route, Stretch

__all__ = ["comes_near", "snapshot"]


@BOOK.clause("MH-RUN-1", src="seed", bars=Move, at=Moment.PATH)
def not_farther_than_a_run(ask: Context[Move]) -> Iterator[Finding]:
    """A run covers up to twice the Movement."""
    length = ask.bound.length
    if ask.subject.run and not affords(length, ask.allowance):
        if ask.over_a_gap:
            yield ask.too_long_over_it()
            return
        place = ask.track.place(ask.allowance)
        text = f"The path is {length:.2f} in long; {ask.mover.name} may run {ask.allowance:g} in."
        yield Finding(text, length, ask.allowance, (place.x, place.y), ask.mover.id, ask.allowance)


BOOK.resolves(
    "MH-RUN-2",
    src="seed",
    says="Running is not charging: a run does not bring the model into combat (MH-CHG-13).",
)


@BOOK.clause("MH-RUN-3", src="seed", bars=Move, at=Moment.DECLARE)
def counting_enemy_too_near(ask: Context[Move]) -> Iterator[Finding]:
    """No run if a counting enemy was 8 inches or less away when declarations closed."""
    if not ask.subject.run or not ask.may_be_measured:
        return
    if ask.mover.has("run_ok"):
        enemies = ask.state.enemies(ask.mover)
        if any(
            not counts(enemy) and within(gap(ask.state, ask.mover, enemy), RUN_BAN_IN)
            for enemy in enemies
        ):
            ask.cite("MH-RUN-4")
        return
    text = f"{ask.mover.name} had an enemy within 8 in when declarations closed and may not run."
    found = _nearest_counting(ask)
    if found is None:
        yield Finding(text, None, RUN_BAN_IN, about=ask.mover.id)
    else:
        yield Finding(text, found[0], RUN_BAN_IN, about=found[1])


def _nearest_counting(ask: Context[Move]) -> tuple[float, str] | None:
    """Gap and id of the nearest counting enemy, if it is still as near as the check found it."""
    near = [(gap(ask.state, ask.mover, e), e.id) for e in ask.state.enemies(ask.mover) if counts(e)]
    best = min(near, default=None)
    return best if best is not None and within(best[0], RUN_BAN_IN) else None


def comes_near(state: State, body: Body, track: Route) -> bool:
    """Whether a way comes within 8 inches of an enemy that counts."""
    return any(
        counts(enemy)
        and any(
            isinstance(part, Stretch)
            and first_within(state, body, part, enemy, RUN_BAN_IN) is not None
            for part in track.parts
        )
        for enemy in state.enemies(body)
    )


BOOK.resolves(
    "MH-RUN-4",
    src="seed",
    says="Enemies that are fleeing, stunned, knocked down or hidden do not count.",
)


@BOOK.clause("MH-RUN-5", src="seed", bars=Measure, at=Moment.DECLARE)
def checked_after_declarations(ask: Context[Measure]) -> Iterator[Finding]:
    """The 8-inch check is made once the charges have been declared; nobody learns it before."""
    if ask.subject.what == "run" and not ask.declarations_closed:
        yield Finding("Whether a model may run is not told before declarations close.")


BOOK.resolves(
    "MH-RUN-6",
    src="seed",
    says="Once allowed to run, the model may come nearer than 8 inches to enemies as it moves.",
)


@BOOK.clause("MH-RUN-7", src="seed", bars=Shoot, at=Moment.DECLARE)
def runner_does_not_shoot(ask: Context[Shoot]) -> Iterator[Finding]:
    """A model that ran does not shoot that turn."""
    if ask.mover.has("ran"):
        yield Finding(f"{ask.mover.name} ran this turn and does not shoot.", about=ask.mover.id)


BOOK.resolves(
    "MH-RUN-8",
    src="seed",
    says="A run is announced as the model moves; without it MH-MOVE-1 binds the path.",
)
BOOK.resolves("MH-RUN-9", src="seed", says="A model that ran may still cast spells.")


@BOOK.clause("MH-RUN-10", src="public", bars=Move, at=Moment.DECLARE)
def never_runs(ask: Context[Move]) -> Iterator[Finding]:
    """Some profiles never run, though they charge at double Movement."""
    if ask.subject.run and ask.mover.stats.get("no_run"):
        yield Finding(f"{ask.mover.name} never runs.", about=ask.mover.id)


def snapshot(run: Run) -> None:
    """The 8-inch check of every model of the active side, kept for the turn (3.4)."""
    state = run.state
    run.cite("MH-RUN-5")
    for body in of_side(state, state.turn.active):
        near = [e for e in state.enemies(body) if within(gap(state, body, e), RUN_BAN_IN)]
        if any(not counts(enemy) for enemy in near):
            run.cite("MH-RUN-4")
        if not any(counts(enemy) for enemy in near):
            run.emit(Marked(body.id, Marks({"run_ok": True}), "MH-RUN-5"))
