"""MH-HIDE: where a model may hide, what its counter keeps others from, who is found where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.limits import more_than, within
from tapeline.engine.paths import Place
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import box_about
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
    first_seen,
    first_within,
    found_by,
    hides,
    sight_between,
    solids_of,
    tall,
    watches,
)
from tapeline.rules.mordheim.state import (
    MOVEMENT,
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
from tapeline.table.marks import Marks
from tapeline.table.solids import Solid
from tapeline.table.storeys import storeys_of
from tapeline.travel.route import Route, Stretch
from tapeline.wording import listed, told_apart

__all__ = [
    "Exposure",
    "exposed_now",
    "exposures",
    "give_away",
    "reveal",
    "reveal_along",
    "reveal_behind",
    "uncovered",
]


def _feature_distance(body: Body, solid: Solid) -> float:
    base = base_part(body)
    own = Region((base,), (body.x, body.y, body.x, body.y))
    return apart(own, solid.ground.region).gap


def nearest_feature(state: State, body: Body) -> tuple[float, str] | None:
    """The nearest wall, block or barrier beside a model: distance and its id; None if the table
    has none.

    Only what rises beside the model counts: it ends above its feet and begins below its head.
    """
    storeys, far = storeys_of(state.table), HIDE_FEATURE_IN
    while True:
        near = storeys.solids_near(box_about(body.x, body.y, body.base.reach + 2.0 * far))
        found = _nearest_of(near, body)
        close = found is not None and within(found[0], far)
        if close or len(near) == len(storeys.solids):
            return found
        far *= 2.0


def _nearest_of(solids: Iterable[Solid], body: Body) -> tuple[float, str] | None:
    x, y, reach = body.x, body.y, body.base.reach
    beside = []
    for solid in solids:
        rises = more_than(solid.top, body.z) and more_than(body.z + height(body), solid.bottom)
        if rises and not solid.see_through:
            x0, y0, x1, y1 = solid.ground.box
            off = math.hypot(max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1)) - reach
            beside.append((off, solid))
    best: tuple[float, str] | None = None
    # None is nearer than its box, and so none that follows.
    for least, solid in sorted(beside, key=lambda found: found[0]):
        if best is not None and more_than(least, best[0]):
            break
        found = (_feature_distance(body, solid), solid.entry)
        best = found if best is None else min(best, found)
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
    text += (
        f" {terrain_of(state).name(entry)}, the nearest, is {told_apart(measured, limit)} in away."
    )
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


BOOK.resolves_each("""
MH-HIDE-2 (seed) Hiding is declared and marked with a counter; without it a model is not hidden.
""")


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
        yield Finding(f"{mover.name} {listed(done)} this turn.", about=mover.id)


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
        # Whether somebody is near enough to find it shows when it is done (MH-CHG-2).
        if ask.may_be_told(MOVEMENT) and not hides(ask.state, target):
            enemies = ask.state.enemies(target)
            ask.cite(next(filter(None, (found_by(ask.state, e, target) for e in enemies))))
            continue
        does = "charged" if isinstance(subject, DeclareCharge) else "shot at"
        yield Finding(
            f"{target.name} is hidden and cannot be {does}.", place=target.centre, about=target_id
        )


BOOK.resolves("MH-HIDE-8", "seed", "A hidden model that shoots, casts or charges is given away.")


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
            off = told_apart(measured, limit, ".2f")
            text = f"{enemy.name} is {off} in away and finds within {limit:g} in."
            yield Finding(text, measured, limit, enemy.centre, enemy.id)


# Who is found.


BOOK.resolves_each("""
MH-HIDE-4 (seed) Hiding lasts from turn to turn while what conceals the model still covers it.
MH-HIDE-5 (seed) A hidden model may move and stay hidden so long as it is concealed all the way.
MH-HIDE-6 (seed) An enemy that moves so that it sees a hidden model takes the counter off and goes
    on.
MH-HIDE-9 (seed) A hidden model that moves into view is no longer hidden from that point on.
MH-HIDE-11 (seed) Every enemy that is not stunned finds hidden models within its Initiative in
    inches.
""")


@dataclass(frozen=True, slots=True)
class Exposure:
    """A hidden model that is found: by whom, where whoever moves is then, and how far it has come.

    clause: MH-HIDE-11 detected, MH-HIDE-6 an enemy moved to see it, MH-HIDE-9 it moved into view,
    MH-HIDE-4 it is seen where it is.
    """

    body: str
    by: str
    place: Place
    travelled: float
    clause: str
    text: str


def exposed_now(state: State, mover: str = "") -> list[Exposure]:
    """Hidden models that are found where they stand, each by one enemy.

    mover: who has just come to where it is, if anybody.
    """
    came = state.bodies.get(mover)
    found = []
    for hider in filter(is_hidden, state.bodies.values()):
        for enemy in state.enemies(hider):
            clause = found_by(state, enemy, hider, mover)
            if clause:
                text, at = _told(hider, enemy, clause), came or hider
                place = Place(at.x, at.y, at.z)
                found.append(Exposure(hider.id, enemy.id, place, 0.0, clause, text))
                break
    return found


def exposures(state: State, mover: Body, track: Route) -> list[Exposure]:
    """Every hidden model that is found while one goes along a way, the mover included, in order.

    mover: as it stood at the start. Whoever has been found stands up from there on.
    """
    state = state.with_body(mover)
    pieces = track.traced
    found: list[Exposure] = []
    index, share = 0, 0.0
    while index < len(pieces):
        before, piece = pieces[index]
        mover = state.body(mover.id)
        event = _next_found(state, mover, piece, share)
        if event is None:
            index, share = index + 1, 0.0
            continue
        share, other, detected = event
        enemy = state.body(other)
        pairs = [(mover, enemy, "MH-HIDE-9"), (enemy, mover, "MH-HIDE-6")]
        for hider, watcher, clause in pairs:
            if not _may_be_found(hider, watcher):
                continue
            if detected and hider.id != detected:
                continue
            named = "MH-HIDE-11" if detected else clause
            text = _told(hider, watcher, named)
            place = piece.at(share)
            travelled = before + share * piece.length
            found.append(Exposure(hider.id, watcher.id, place, travelled, named, text))
            up = state.body(hider.id).marked(hidden=None)
            state = state.with_body(up)
    return found


def _may_be_found(hider: Body, watcher: Body) -> bool:
    return is_hidden(hider) and watches(watcher)


def _told(hider: Body, watcher: Body, clause: str) -> str:
    if clause == "MH-HIDE-11":
        return f"{watcher.name} finds {hider.name}, who is within {initiative(watcher)} in"
    if clause == "MH-HIDE-4":
        return f"{watcher.name} sees {hider.name}, who is hidden no longer"
    if clause == "MH-HIDE-9":
        return f"{hider.name} moves into view of {watcher.name}"
    return f"{watcher.name} comes to see {hider.name}"


def _next_found(
    state: State, mover: Body, stretch: Stretch, begin: float
) -> tuple[float, str, str] | None:
    """Where on a piece somebody hidden is found next: the share, the enemy concerned, and who was
    detected ("" if seen)."""
    concerned = [
        enemy
        for enemy in state.enemies(mover)
        if _may_be_found(mover, enemy) or _may_be_found(enemy, mover)
    ]
    best: tuple[float, str, str] | None = None
    for enemy in concerned:
        for hider, watcher in ((mover, enemy), (enemy, mover)):
            if not _may_be_found(hider, watcher):
                continue
            limit = float(initiative(watcher))
            near = first_within(state, mover, stretch, enemy, limit, begin)
            if near is not None and (best is None or near < best[0]):
                best = (near, enemy.id, hider.id)
    end = 1.0 if best is None else best[0]
    if best is not None and end <= begin:
        return best
    others = [body_of(enemy) for enemy in concerned]
    more = [bystanders(state, mover.id, enemy.id) for enemy in concerned]
    solids = solids_of(state.table)
    seen = first_seen(stretch, mover, tall(mover), others, solids, more, begin, end)
    return best if seen is None else (seen[0], concerned[seen[1]].id, "")


# Counters taken off.


def give_away(run: Run, body_id: str, text: str, clause: str) -> None:
    """Take the Hidden counter off a model, if it has one."""
    if body_id in run.state.bodies and is_hidden(run.state.body(body_id)):
        run.emit(Marked(body_id, Marks({"hidden": None}), clause))
        run.happened("revealed", text, clause, about=body_id)


def _found_out(run: Run, found: Exposure) -> None:
    body = run.state.bodies.get(found.body)
    if body is None or not is_hidden(body):
        return
    run.emit(Marked(found.body, Marks({"hidden": None}), found.clause))
    x, y, z = found.place
    run.happened(
        "revealed",
        found.text,
        found.clause,
        about=found.body,
        by=found.by,
        place=(x, y, z),
        travelled=found.travelled,
    )
    told = run.values.get("revealed", Marks())
    assert isinstance(told, Marks)
    run.value(revealed=told.update({found.body: Marks({"place": (x, y, z), "by": found.by})}))


def reveal(run: Run, mover: str = "") -> None:
    """Take the counter off every model that stands detected or seen where it is.

    mover: who has just come to where it is, if anybody, as by a fall.
    """
    for found in exposed_now(run.state, mover):
        _found_out(run, found)


def reveal_behind(run: Run) -> None:
    """Where models block sight: take the counter off whoever somebody hides no more, who has gone,
    lies or crouches now."""
    if run.state.option("models_block_sight") == "yes":
        reveal(run)


def reveal_along(run: Run, mover: Body, track: Route) -> None:
    """Take the counter off every model exposed as one goes along its way, the mover included.

    mover: as it stood at the start of the way. The verdict's value `revealed` says of each by whom
    it was found, and where whoever moved was then.
    """
    for found in exposures(run.state, mover, track):
        _found_out(run, found)
    if mover.id in run.state.bodies and is_hidden(run.state.body(mover.id)) and track.parts:
        run.cite("MH-HIDE-5")
