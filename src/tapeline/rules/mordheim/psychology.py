"""MH-PSY: fear, frenzy and stupidity, as far as they move models or keep them from moving."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.asks import Choice, Option
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.limits import within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, DeclareCharge, Move
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import STUMBLE_MOVES
from tapeline.rules.mordheim.measures import gap
from tapeline.rules.mordheim.rolls import leadership_test
from tapeline.rules.mordheim.sight import sees_upright
from tapeline.rules.mordheim.state import (
    charging_allowance,
    counts,
    is_engaged,
    is_fleeing,
    is_hidden,
    is_standing,
    of_side,
)
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["fear", "frenzy", "stupidity"]

BOOK.resolves(
    "MH-PSY-1",
    src="public",
    says="A charge at an enemy that causes fear needs a Leadership test; failed, the model stands "
    "still and has failed its charge.",
)
BOOK.resolves(
    "MH-PSY-2",
    src="public",
    says="A frenzied model must charge if an enemy is in charge range once charges are declared.",
)


@BOOK.clause("MH-PSY-3", src="public", bars=(DeclareCharge, Move, Crawl), at=Moment.DECLARE)
def stupid_model_is_not_free(ask: Context[DeclareCharge | Move | Crawl]) -> Iterator[Finding]:
    """A stupid model that failed its Leadership test and is not engaged stumbles straight ahead at
    half speed or stands still; it does not charge."""
    mover = ask.mover
    if mover.has("stands_still"):
        if isinstance(ask.subject, DeclareCharge) or ask.subject.path:
            yield Finding(f"{mover.name} is stupid and stands still this turn.", about=mover.id)
    elif mover.has("stumbles") and not mover.has("moved"):
        yield Finding(f"{mover.name} is stupid and stumbles straight ahead.", about=mover.id)


def fear(run: Run, body_id: str, targets: tuple[str, ...]) -> Procedure:
    """The test of a model that charges one it fears (MH-PSY-1)."""
    body = run.state.body(body_id)
    feared = [t for t in targets if run.state.body(t).stats.get("fear")]
    if not feared or body.stats.get("fear") or body.stats.get("unshaken"):
        return
    name = run.state.body(feared[0]).name
    if (yield from leadership_test(run, body_id, f"fears {name}", "MH-PSY-1")):
        return
    changes = Marks({"targets": None, "dive": None, "charge": "failed", "moved": True})
    run.emit(Marked(body_id, changes, "MH-PSY-1"))
    text = f"{body.name} dares not charge {name} and stands still"
    run.happened("fears", text, "MH-PSY-1", about=body_id, outcome=True)


def _in_charge_range(state: State, body: Body) -> list[Body]:
    reach = charging_allowance(body)
    return [
        enemy
        for enemy in state.enemies(body)
        if not is_hidden(enemy)
        and within(gap(state, body, enemy), reach)
        and sees_upright(state, body, enemy)
    ]


def frenzy(run: Run) -> Procedure:
    """Frenzied models that have not declared a charge do so now, if they can (MH-PSY-2)."""
    barred = ("charge", "stood_up", "rallied", "fallen", "stands_still", "stumbles", "moved")
    for body in of_side(run.state, run.state.turn.active):
        if not body.stats.get("frenzy") or not is_standing(body) or is_fleeing(body):
            continue
        if is_engaged(body) or any(body.has(mark) for mark in barred):
            continue
        near = _in_charge_range(run.state, body)
        if not near:
            continue
        target: Any = near[0].id
        if len(near) > 1:
            options = tuple(Option(enemy.id, enemy.name) for enemy in near)
            purpose = f"{body.name} is frenzied and must charge: whom?"
            target = yield from run.choose(
                Choice(
                    body.side, purpose, "MH-PSY-2", options=options, default=target, about=body.id
                )
            )
        changes = Marks({"targets": (target,), "charge": "declared"})
        run.emit(Marked(body.id, changes, "MH-PSY-2"))
        text = f"{body.name} is frenzied and charges {run.state.body(target).name}"
        run.happened("must charge", text, "MH-PSY-2", about=body.id)


def _spared(state: State, body: Body) -> bool:
    """Whether a friendly hero is near enough to keep a stupid model in hand."""
    reach = body.stat("stupid_hero_in")
    return reach > 0.0 and any(
        friend.stats.get("hero") and counts(friend) and within(gap(state, body, friend), reach)
        for friend in state.friends(body)
    )


def stupidity(run: Run) -> Procedure:
    """Stupid models test as their movement phase begins (MH-PSY-3)."""
    for body in of_side(run.state, run.state.turn.active):
        if not body.stats.get("stupid") or not is_standing(body) or is_engaged(body):
            continue
        if is_fleeing(body):
            continue
        if _spared(run.state, body):
            run.cite("MH-PSY-3")
            continue
        if (yield from leadership_test(run, body.id, "is stupid", "MH-PSY-3")):
            continue
        roll = Roll(1, f"{body.name}: stumbles on 1-3", "MH-PSY-3", body.side, about=body.id)
        (face,) = yield from run.roll(roll, lambda faces: faces[0] <= STUMBLE_MOVES)
        moves = face <= STUMBLE_MOVES
        mark = "stumbles" if moves else "stands_still"
        run.emit(Marked(body.id, Marks({mark: True}), "MH-PSY-3"))
        text = f"{body.name} {'stumbles straight ahead' if moves else 'stands still'}"
        run.happened("stupid", text, "MH-PSY-3", about=body.id, outcome=True)


def ahead(body: Body) -> tuple[float, float]:
    """The unit vector a model faces."""
    angle = math.radians(body.facing)
    return math.cos(angle), math.sin(angle)
