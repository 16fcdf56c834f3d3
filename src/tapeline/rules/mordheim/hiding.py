"""MH-HIDE: where a model may hide, and what its counter keeps others from."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Region
from tapeline.geometry.rectangles.rectangle import separation as apart
from tapeline.rules.mordheim.actions import DeclareCharge, Hide, Shoot
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, HIDE_FEATURE_IN
from tapeline.rules.mordheim.sight import (
    body_of,
    bystanders,
    detects,
    hides,
    sight_between,
)
from tapeline.rules.mordheim.state import (
    base_part,
    charge_result,
    condition,
    height,
    initiative,
    is_hidden,
    movement,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid
from tapeline.table.storeys import storeys_of

__all__ = ["nearest_feature", "uncovered", "would_be_seen_by"]


def _feature_distance(body: Body, solid: Solid) -> float:
    base = base_part(body)
    own = Region((base,), (body.x, body.y, body.x, body.y))
    return apart(own, solid.ground.region).gap


def nearest_feature(state: State, body: Body) -> tuple[float, str] | None:
    """The nearest wall, block or barrier beside a model: distance and its id; None if the table
    has none.

    Only what rises beside the model counts: it ends above its feet and begins below its head.
    """
    storeys = storeys_of(state.table)
    reach = body.base.reach + HIDE_FEATURE_IN + TOLERANCE
    box = (body.x - reach, body.y - reach, body.x + reach, body.y + reach)
    best: tuple[float, str] | None = None
    for solids in (storeys.solids_near(box), storeys.solids):
        if best is not None and within(best[0], HIDE_FEATURE_IN):
            break
        beside = (
            solid
            for solid in solids
            if not solid.see_through
            and more_than(solid.top, body.z)
            and more_than(body.z + height(body), solid.bottom)
        )
        best = min(
            ((_feature_distance(body, solid), solid.entry) for solid in beside), default=None
        )
    return best


def would_be_seen_by(state: State, body: Body) -> Iterator[tuple[Body, tuple[float, float]]]:
    """Enemies, stunned ones apart, that would see a model crouched where it is; and from where."""
    crouched = body_of(body, crouched=True)
    for enemy in state.enemies(body):
        if condition(enemy) == "stunned":
            continue
        more = bystanders(state, body.id, enemy.id)
        sight = sight_between(state.table, body_of(enemy), crouched, more)
        if sight.line is not None:
            x, y, _ = sight.line[1]
            yield enemy, (x, y)


def uncovered(ask: Context[Hide]) -> Iterator[Finding]:
    """What is amiss with what a model would hide behind, whoever sees it there (MH-HIDE-1)."""
    mover, state = ask.mover, ask.state
    feature = nearest_feature(state, mover)
    touches = state.option("hide_cover") == "touching_cover"
    limit = 0.0 if touches else HIDE_FEATURE_IN
    if feature is not None and within(feature[0], limit):
        return
    text = f"Nothing that {mover.name} could hide behind is within {limit:g} in."
    if touches:
        text = f"{mover.name} does not touch anything to hide behind."
    if feature is None:
        yield Finding(text, None, limit, mover.centre, mover.id)
        return
    measured, entry = feature
    text += f" {terrain_of(state).name(entry)}, the nearest, is {measured:.4g} in away."
    yield Finding(text, measured, limit, mover.centre, entry)


@BOOK.clause("MH-HIDE-1", src="seed", bars=Hide, at=Moment.PATH)
def believably_concealed(ask: Context[Hide]) -> Iterator[Finding]:
    """A model hides where its move ends, within 1 inch of a wall, column or the like, if no enemy
    sees it crouched; or, by the other reading, against one."""
    mover, state = ask.mover, ask.state
    if not ask.may_be_measured:
        return
    yield from uncovered(ask)
    if state.option("hide_cover") == "touching_cover":
        return
    for enemy, place in would_be_seen_by(state, mover):
        text = f"{enemy.name} would see {mover.name}."
        yield Finding(text, place=place, about=enemy.id)


BOOK.resolves(
    "MH-HIDE-2",
    src="seed",
    says="Hiding is declared and marked with a counter; without it a model is not hidden.",
)


@BOOK.clause("MH-HIDE-3", src="seed", bars=Hide, at=Moment.DECLARE)
def not_after_haste(ask: Context[Hide]) -> Iterator[Finding]:
    """No hiding in a turn in which the model ran, fled, was stunned or charged."""
    mover = ask.mover
    done = []
    if mover.has("ran"):
        done.append("ran")
    if mover.has("fled") or mover.has("fleeing"):
        done.append("fled")
    if mover.has("was_stunned") or condition(mover) == "stunned":
        done.append("was stunned")
    if charge_result(mover) in ("declared", "success", "failed"):
        done.append("charged")
    if done:
        yield Finding(f"{mover.name} {' and '.join(done)} this turn.", about=mover.id)


@BOOK.clause("MH-HIDE-7", src="seed", bars=(Shoot, DeclareCharge), at=Moment.DECLARE)
def hidden_models_are_out_of_sight(ask: Context[Shoot | DeclareCharge]) -> Iterator[Finding]:
    """While its counter is on, no enemy shoots at a model or charges it; that any of them finds it
    takes it off."""
    subject = ask.subject
    named = subject.targets if isinstance(subject, DeclareCharge) else (subject.target,)
    for target_id in named:
        if target_id is None:
            continue
        target = ask.state.body(target_id)
        if target.side == ask.mover.side or not is_hidden(target):
            continue
        if not hides(ask.state, target):
            ask.cite("MH-HIDE-11")
            continue
        does = "charged" if isinstance(subject, DeclareCharge) else "shot at"
        yield Finding(
            f"{target.name} is hidden and cannot be {does}.", place=target.centre, about=target_id
        )


BOOK.resolves(
    "MH-HIDE-8", src="seed", says="A hidden model that shoots or casts gives itself away."
)


@BOOK.clause("MH-HIDE-10", src="seed", bars=Hide, at=Moment.PATH)
def not_too_near_an_enemy(ask: Context[Hide]) -> Iterator[Finding]:
    """A model does not hide within the Initiative in inches of an enemy, however good the cover."""
    mover, state = ask.mover, ask.state
    if not ask.may_be_measured:
        return
    for enemy in state.enemies(mover):
        measured, limit = gap(state, enemy, mover), float(initiative(enemy))
        if condition(enemy) != "stunned" and within(measured, limit + movement(mover)):
            ask.cite("MH-HIDE-10")
        if detects(state, enemy, mover):
            text = f"{enemy.name} is {measured:.2f} in away and finds within {limit:g} in."
            yield Finding(text, measured, limit, enemy.centre, enemy.id)
