"""SV-RALLY, SV-DISC: fleeing units and the Discipline Test."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.dice import Reading, Roll, said_reading
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import ORDERS, Activate, Order, Rally
from tapeline.rules.sovl.figures import BOOK, RALLY_DICE, RANK_MODELS
from tapeline.rules.sovl.profiles import models_of
from tapeline.rules.sovl.sequence import close_activation
from tapeline.rules.sovl.state import OrderContext, is_fleeing, spent, tried_to_rally
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["do_rally", "reading"]


@BOOK.clause("SV-RALLY-1", src="seed", bars=Activate, at=Moment.DECLARE)
def fleeing_units_once_too(ask: OrderContext[Activate]) -> Iterator[Finding]:
    """A fleeing unit that has not been activated this turn may be activated."""
    actor = ask.mover
    how = spent(actor)
    if how and is_fleeing(actor):
        yield Finding(f"{actor.name} {how} this turn already.", 2.0, 1.0, about=actor.id)


@BOOK.clause("SV-RALLY-2", src="seed", bars=ORDERS, at=Moment.DECLARE)
def only_one_rally(ask: OrderContext[Order]) -> Iterator[Finding]:
    """A fleeing unit does one thing, a Rally, and nothing after it, passed or failed."""
    actor = ask.mover
    if tried_to_rally(actor):
        yield Finding(
            f"The Rally of {actor.name} has been made: the activation is over.", about=actor.id
        )
    elif is_fleeing(actor) and not isinstance(ask.subject, Rally):
        yield Finding(f"{actor.name} can do nothing but Rally while fleeing.", about=actor.id)


BOOK.resolves_each("""
SV-RALLY-3 (seed) A Rally is a Discipline Test of the unit.
SV-RALLY-4 (seed) A unit that passes no longer flees; after a failure it still does.
SV-DISC-1 (public) The test is passed on 2D6 of at most Discipline and Rank Bonus together.
SV-DISC-2 (public) The Rank Bonus is 1 for every rank of at least 3 models, the first included.
SV-DISC-3 (public) Reanimated and Demonic units pass without dice.
""")


def rank_bonus(body: Body) -> int:
    """One for each rank of at least three models (SV-DISC-2)."""
    models = models_of(body)
    files = body.marks.whole("files") or models
    full, rest = divmod(models, files)
    return (full if files >= RANK_MODELS else 0) + (rest >= RANK_MODELS)


def do_rally(run: Run, action: Rally) -> Procedure:
    """Test discipline; the activation is over either way."""
    actor = run.state.body(action.actor)
    run.cite("SV-RALLY-2", "SV-RALLY-3")
    if actor.keyword("Reanimated") or actor.keyword("Demonic"):
        run.cite("SV-DISC-3")
        passed = True
    else:
        bonus = rank_bonus(actor)
        limit = int(actor.stat("discipline")) + bonus
        run.cite("SV-DISC-1", "SV-DISC-2")
        run.value(limit=limit, rank_bonus=bonus)
        roll = Roll(
            RALLY_DICE,
            f"Discipline Test of {actor.name}, {limit} or less passes",
            "SV-DISC-1",
            actor.side,
            about=actor.id,
            reads="sum",
        )
        faces = yield from run.roll(roll, lambda faces: sum(faces) <= limit)
        total = sum(faces)
        run.value(total=total)
        passed = total <= limit
    run.value(rallied=passed)
    changes = {"rallied": True, "fleeing": None} if passed else {"rallied": True}
    run.emit(Marked(actor.id, Marks(changes), "SV-RALLY-4"))
    name = "rallied" if passed else "rally failed"
    text = f"{actor.name} rallied." if passed else f"{actor.name} fled on."
    run.happened(name, text, "SV-RALLY-4", about=actor.id, outcome=True)
    close_activation(run)


def reading(state: State, roll: Roll) -> Reading | None:
    """How shots, Damage Saves and Discipline Tests are read."""
    if roll.target is not None:
        saves = roll.clause == "SV-SHOOT-5"
        return Reading(each=("saved", "saves") if saves else ("hit", "hits"))
    return said_reading(roll, "rallies", "flees on")
