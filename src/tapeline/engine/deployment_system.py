"""Setting up: a system whose scene states a deployment, until all sides are ready.

`deploying(system)` is that system with three actions more (`deployment_actions.py`) and the clauses
for them (`deployment_clauses.py`). While the state has a deployment nothing else may be done; after
it the system rules as it did.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, TypeVar

from tapeline.engine.actions import Action
from tapeline.engine.codec import action_marks
from tapeline.engine.controls import Control, Extra, begun
from tapeline.engine.deployment import TRAY, in_trays
from tapeline.engine.deployment_actions import PickUp, Ready, SetUp, held_with, placed, wards_of
from tapeline.engine.deployment_clauses import ACTIONS, Book, Setting, faults_left
from tapeline.engine.events import (
    Deployed,
    Event,
    Marked,
    Moved,
    Progressed,
    Removed,
    Returned,
    TurnChanged,
    UnitMarked,
)
from tapeline.engine.referee import Run, judge
from tapeline.engine.state import State
from tapeline.engine.system import Activity, System
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["deploying", "set_up_by"]

T = TypeVar("T")

#: Systems that have been made, by name, with what each was made of.
_MADE: dict[str, tuple[System, System]] = {}


def deploying(system: System) -> System:
    """The system with setting up: for scenes that state a deployment."""
    made = _MADE.get(system.name)
    if made is None or made[0] is not system:
        made = _MADE[system.name] = system, _made(system)
    return made[1]


def _made(game: System) -> System:
    def either(ours: Callable[..., T], theirs: Callable[..., T]) -> Callable[..., T]:
        def asked(state: State, *more: Any) -> T:
            return theirs(state, *more) if state.deployment is None else ours(state, *more)

        return asked

    def context(state: State, subject: Any, run: Run | None) -> Any:
        if state.deployment is None and not isinstance(subject, ACTIONS):
            return game.context(state, subject, run)
        return Setting(game, state, subject, run)

    def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
        if isinstance(action, SetUp):
            return None if state.deployment is None else _nearest(game, state, action)
        return None if state.deployment is not None else game.nearest(state, action, findings)

    def advance(run: Run) -> None:
        _advance(game, run)

    def place(run: Run, action: SetUp) -> None:
        for body in placed(game, run.state, action):
            where = (body.x, body.y, body.z, body.facing)
            up = body.id in run.state.bodies
            run.emit(
                Moved(body.id, *where, clause="SET-4")
                if up
                else Returned(body.id, *where, clause="SET-4")
            )
        advance(run)

    def ready(run: Run, action: Ready) -> None:
        assert run.state.deployment is not None
        run.emit(Deployed(ready=(*run.state.deployment.ready, action.side), clause="SET-7"))
        advance(run)

    kinds: dict[str, type[Action]] = {action.kind: action for action in ACTIONS}
    procedures: dict[type[Action], Callable[[Run, Any], Any]] = {
        SetUp: place,
        PickUp: _take_back,
        Ready: ready,
    }
    return replace(
        game,
        book=Book(game.book, [*game.procedures]),
        actions={**game.actions, **kinds},
        procedures={**game.procedures, **procedures},
        context=context,
        nearest=nearest,
        controls=either(lambda state, of: _controls(game, state, of), game.controls),
        offers=either(lambda state, rng: _offers(game, state, rng), game.offers),
        acting=either(_acting, game.acting),
        activity=either(lambda state: Activity(), game.activity),
        status=either(_status, game.status),
    )


# Carrying out


def _take_back(run: Run, action: PickUp) -> None:
    for body in wards_of(run.state, action.actor):
        run.emit(Removed(body.id, TRAY, "SET-3"))


def _advance(game: System, run: Run) -> None:
    """Whose turn it is next; the game begins if there is nobody."""
    now = run.state.deployment
    assert now is not None
    wait = {body.side for body in in_trays(run.state.gone)}
    left = [side for side in now.sides if side not in now.ready]
    if now.order == "alternate":
        left = [side for side in left if side in wait]
    if not left:
        run.emit(Deployed(over=True, clause="SET-1"))
        fresh = game.finish(run.state)
        run.refuse(faults_left(game, fresh))
        run.emit(*_changes(run.state, fresh))
        run.happened("set_up", "All are set up: the game begins.", "SET-1")
    elif now.order == "alternate":
        after = now.sides.index(now.next) + 1
        run.emit(Deployed(next=next(s for s in (now.sides * 2)[after:] if s in left)))
    elif now.order == "sides" and now.next not in left:
        run.emit(Deployed(next=left[0]))


def _changes(before: State, after: State) -> Iterator[Event]:
    """Events that make one state of another in which nobody stands elsewhere."""
    for key, body in after.bodies.items():
        if body.marks != before.bodies[key].marks:
            yield Marked(key, _changed(before.bodies[key].marks, body.marks), "SET-1")
    for key, unit in after.units.items():
        if unit.marks != before.units[key].marks:
            yield UnitMarked(key, _changed(before.units[key].marks, unit.marks), "SET-1")
    if after.progress != before.progress:
        yield Progressed(_changed(before.progress, after.progress), "SET-1")
    if after.turn != before.turn:
        turn = after.turn
        yield TurnChanged(turn.round, turn.phase, turn.active, turn.initiative, "SET-1")


def _changed(before: Marks, after: Marks) -> Marks:
    gone = {key: None for key in before if key not in after}
    return Marks({**gone, **{k: v for k, v in after.items() if before.get(k) != v}})


# What can be asked for


def _acting(state: State) -> tuple[str, ...]:
    assert state.deployment is not None
    return state.deployment.acting


def _status(state: State) -> list[str]:
    """Who sets up, and how many still wait, theirs first."""
    now = state.deployment
    assert now is not None
    names = {side.id: side.name for side in state.sides}
    lines = [f"Set-up: {' and '.join(names[side] for side in now.acting)} to set up."]
    for side in sorted(now.sides, key=lambda side: side not in now.acting):
        left = len({held_with(state, body.id).id for body in in_trays(state.gone, side)})
        word = "ready" if side in now.ready else f"{left} in the tray"
        lines.append(f"{names[side]}: {word}.")
    if now.hidden:
        lines.append("What one side sets up the other sees when both are ready.")
    return lines


def set_up_by(state: State, side: str) -> list[Body | Unit]:
    """Models and units of a side that wait in its tray, in scene order."""
    holders = (held_with(state, body.id) for body in in_trays(state.gone, side))
    return [*{one.id: one for one in holders}.values()]


def _controls(game: System, state: State, of: str | None) -> Iterator[Control]:
    assert state.deployment is not None
    if of is None:
        in_turn = state.deployment.order == "alternate"
        for side in state.deployment.acting:
            if not in_turn or not set_up_by(state, side):
                yield _ready(game, state, side)
        return
    holder, wards = held_with(state, of), wards_of(state, of)
    if not wards or holder.side not in state.deployment.sides:
        return
    files: tuple[Extra, ...] = ()
    if isinstance(holder, Unit) and len(wards) > 1:
        listed = ((None, "as it is"), *((n, f"{n} abreast") for n in range(1, len(wards) + 1)))
        files = (Extra("files", "Formation", "one", listed),)
    up = wards[0].id in state.bodies
    yield Control(
        begun(SetUp, holder),
        "Set up elsewhere" if up else "Set up",
        "pose",
        slot="at",
        turn_slot="facing",
        height_slot="z" if game.storeys else "",
        extras=files,
        why_not=_barred(game, state, SetUp(actor=holder.id, at=wards[0].centre), "SET-2", "SET-3"),
        says="Put it down in a zone of its side.",
        clause="SET-4",
    )
    if up:
        back = PickUp(actor=holder.id)
        yield Control(
            begun(PickUp, holder),
            "Back into the tray",
            why_not=_barred(game, state, back, "SET-2", "SET-3"),
            says="Take it off the table again.",
            clause="SET-3",
        )


def _ready(game: System, state: State, side: str) -> Control:
    name = next(s.name for s in state.sides if s.id == side)
    return Control(
        Marks({"kind": Ready.kind, "side": side}),
        f"{name}: ready",
        group="step",
        why_not=_barred(game, state, Ready(side=side)),
        says="Set-up ends once all sides are ready.",
        clause="SET-7",
    )


def _barred(game: System, state: State, action: Action, *only: str) -> tuple[Finding, ...]:
    """What bars an action, of all clauses or of some."""
    found = judge(deploying(game), state, action, nearest=False).findings
    return tuple(finding for finding in found if not only or finding.clause in only)


# Places


#: Places tried at random for each who waits, and offered.
_TRIES, _OFFERED = 12, 2
#: Steps of the search for the nearest place: as a share of the base's reach, how many in all, and
#: how often the way from it to where it was wanted is halved.
_STEP, _MOST, _HALVINGS = 0.75, 1_500, 20
_DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def _offers(game: System, state: State, rng: Random) -> Iterator[Action]:
    """Legal places for those who wait, and who is ready."""
    assert state.deployment is not None
    for side in state.deployment.acting:
        waiting = set_up_by(state, side)
        rng.shuffle(waiting)
        for holder in waiting:
            tries = (_at_random(state, holder, rng) for _ in range(_TRIES))
            yield from islice((a for a in tries if _legal(game, state, a)), _OFFERED)
        done = Ready(side=side)
        if not waiting and _legal(game, state, done):
            yield done


def _at_random(state: State, holder: Body | Unit, rng: Random) -> SetUp:
    zone = rng.choice([zone for zone in state.table.zones if zone.side == holder.side])
    west, south, east, north = zone.outline.box
    at = (rng.uniform(west, east), rng.uniform(south, north))
    return SetUp(actor=holder.id, at=at)


def _legal(game: System, state: State, action: Action) -> bool:
    return deploying(game).book.allows(type(action), Setting(game, state, action, None))


def _nearest(game: System, state: State, action: SetUp) -> Nearest | None:
    """The nearest legal place for who is to be set up, of those on a grid over its zones, and then
    as far towards the wanted one as is legal."""
    wards = placed(game, state, action)
    if not wards or _barred(game, state, action, "SET-2", "SET-3"):
        return None

    def off(at: tuple[float, float]) -> float:
        return math.dist(at, action.at)

    step = max(_STEP * wards[0].base.reach, 0.02 * min(state.table.width, state.table.depth))
    for at in sorted(_grid(state, wards[0].side, action.at, step), key=off)[:_MOST]:
        if _legal(game, state, replace(action, at=at)):
            found = _closer(game, state, action, _towards(game, state, action, at).at, step)
            name = held_with(state, action.actor).name
            return Nearest(action_marks(found), "end", f"set {name} up here", off(found.at))
    return None


def _grid(
    state: State, side: str, about: tuple[float, float], step: float
) -> Iterator[tuple[float, float]]:
    """Places over the zones of a side, on a grid through a place."""
    for zone in state.table.zones:
        if zone.side == side:
            west, south, east, north = zone.outline.box
            xs, ys = _marks(west, east, about[0], step), _marks(south, north, about[1], step)
            yield from ((x, y) for x in xs for y in ys)


def _marks(low: float, high: float, about: float, step: float) -> list[float]:
    first = math.ceil((low - about) / step)
    return [about + step * n for n in range(first, math.floor((high - about) / step) + 1)]


def _closer(
    game: System, state: State, wanted: SetUp, at: tuple[float, float], step: float
) -> SetUp:
    """A legal place as near as steps in eight directions, halved again and again, lead to."""
    far, least = math.dist(at, wanted.at), step * 2.0**-_HALVINGS
    while step > least:
        tried = [(at[0] + step * dx, at[1] + step * dy) for dx, dy in _DIRECTIONS]
        nearer = (one for one in tried if math.dist(one, wanted.at) < far)
        better = (one for one in nearer if _legal(game, state, replace(wanted, at=one)))
        found = next(better, None)
        if found is None:
            step *= 0.5
        else:
            at, far = found, math.dist(found, wanted.at)
    return replace(wanted, at=at)


def _towards(game: System, state: State, wanted: SetUp, at: tuple[float, float]) -> SetUp:
    """The farthest legal place found on the line from a legal one to that wanted."""
    (x, y), (u, v) = at, wanted.at
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = 0.5 * (low + high)
        there = replace(wanted, at=(x + share * (u - x), y + share * (v - y)))
        low, high = (share, high) if _legal(game, state, there) else (low, share)
    return replace(wanted, at=(x + low * (u - x), y + low * (v - y)))
