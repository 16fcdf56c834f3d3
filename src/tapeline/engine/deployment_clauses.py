"""What bars setting up, and what it bars: clauses of the engine, for every system alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.bases import base_overlap, base_shape
from tapeline.engine.clauses import Clause, Moment, RuleBook
from tapeline.engine.context import Context
from tapeline.engine.deployment import Deployment, in_trays
from tapeline.engine.deployment_actions import PickUp, Ready, SetUp, held_with, placed, wards_of
from tapeline.engine.faults import located
from tapeline.engine.kept import Kept
from tapeline.engine.limits import TOLERANCE, sunk
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.support import bearing_fault
from tapeline.engine.system import System
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Ground, ground_of

__all__ = ["ACTIONS", "Book", "Setting", "faults_left"]

#: The actions of setting up.
ACTIONS: tuple[type[Action], ...] = (SetUp, PickUp, Ready)


class Setting(Context[Any]):
    """An action in a state that has a deployment, or one of setting up at any time."""

    def __init__(self, system: System, state: State, subject: Any, run: Run | None) -> None:
        super().__init__(state, subject, run)
        self.system = system

    @property
    def now(self) -> Deployment | None:
        """The set-up that goes on."""
        return self.state.deployment

    @cached_property
    def side(self) -> str:
        """The side that sets up."""
        subject = self.subject
        if isinstance(subject, Ready):
            return subject.side
        return held_with(self.state, subject.actor).side

    @cached_property
    def placed(self) -> list[Body]:
        """Where the bodies of a SetUp would stand."""
        return placed(self.system, self.state, self.subject)

    @cached_property
    def others(self) -> list[Body]:
        """Those on the table that it may be measured to: what others hide is as if not there."""
        mine = {body.id for body in self.placed}
        hidden = self.now is not None and self.now.hidden
        return [
            body
            for body in self.state.bodies.values()
            if body.id not in mine and (body.side == self.side or not hidden)
        ]

    @cached_property
    def then(self) -> State:
        """The state with these bodies alone on the table, where they would stand."""
        return _with_alone(self.state, self.placed)


def _barred(ask: Setting) -> Iterator[Finding]:
    """Before all sides are ready, nothing is done but setting up."""
    if ask.now is not None:
        names = [ask.side_name(side) for side in ask.now.acting]
        yield Finding(f"the set-up goes on: {' and '.join(names)} must set up first")


def _turn_to_set_up(ask: Setting) -> Iterator[Finding]:
    """A side sets up while the set-up lasts, in its turn, and until it is ready."""
    now = ask.now
    name = ask.state.side(ask.side).name
    if now is None:
        yield Finding("the set-up is over")
    elif ask.side not in now.sides:
        yield Finding(f"{name} has no zone and sets nothing up")
    elif ask.side in now.ready:
        yield Finding(f"{name} is ready and sets nothing up any more")
    elif ask.side not in now.acting:
        yield Finding(f"it is for {ask.side_name(now.next)} to set up")


def _stands_fast(ask: Setting) -> Iterator[Finding]:
    """Where sides set up in turn, what has been set up stands fast; and only that can be taken
    back."""
    for body in wards_of(ask.state, ask.subject.actor):
        up = body.id in ask.state.bodies
        if isinstance(ask.subject, PickUp) and not up:
            yield Finding(f"{body.name} is in its tray", about=body.id)
        elif up and ask.now is not None and ask.now.order == "alternate":
            yield Finding(f"{body.name} has been set up", about=body.id, place=body.centre)


def _in_zone(ask: Setting) -> Iterator[Finding]:
    """The whole base is set up in one zone of its side."""
    zones = [zone for zone in ask.state.table.zones if zone.side == ask.side]
    for body in ask.placed:
        outside = [(_outside(ground_of(zone.outline), body), zone) for zone in zones]
        far, zone = min(outside, key=lambda found: found[0])
        if sunk(far):
            text = f"{body.name} is not wholly in {zone.name}"
            yield Finding(text, far, 0.0, body.centre, body.id)


def _outside(ground: Ground, body: Body) -> float:
    """How far a base reaches out of a zone, table units; zero or less when it does not."""
    if isinstance(body.base, Round):
        return body.base.radius - ground.depth(body.x, body.y)
    shape = base_shape(body)
    assert isinstance(shape, Rect)
    loop = shape.loop
    corners = [(loop[i], loop[i + 1]) for i in range(0, len(loop), 2)]
    far = max(-ground.depth(x, y) for x, y in corners)
    if not sunk(far):
        sides = (Line(*corners[i - 1], *corners[i]) for i in range(len(corners)))
        if not all(ground.holds(side, 2.0 * TOLERANCE) for side in sides):
            # Between two corners a notch of the zone cuts into the base.
            return max(far, 4.0 * TOLERANCE)
    return far


def _has_room(ask: Setting) -> Iterator[Finding]:
    """No base is set up on another's."""
    for body in ask.placed:
        for other in ask.others:
            far = body.base.reach + other.base.reach
            if abs(body.x - other.x) >= far or abs(body.y - other.y) >= far:
                continue
            if abs(body.z - other.z) > TOLERANCE or ask.system.may_overlap(body, other):
                continue
            depth = base_overlap(body, other)
            if sunk(depth):
                text = f"{body.name} stands on the base of {other.name}"
                yield Finding(text, depth, 0.0, body.centre, other.id)


def _on_ground(ask: Setting) -> Iterator[Finding]:
    """It is set up on the table, on ground that carries it, as its rules let it stand, a unit in
    formation."""
    system, then = ask.system, ask.then
    for body in ask.placed:
        for text in (system.off_edge(then, body), bearing_fault(system, body, then.table)):
            if text:
                yield Finding(text, place=body.centre, about=body.id)
    known = _BARE.once(ask.state, "faults", lambda: _faults(system, _with_alone(ask.state, ())))
    first = ask.placed[0]
    for text in _faults(system, then):
        if text not in known:
            about = next((body for body in ask.placed if repr(body.id) in text), first)
            yield Finding(text, place=about.centre, about=about.id)


#: What is wrong with states in which nobody stands on the table.
_BARE = Kept(8)


def _with_alone(state: State, placed: Sequence[Body]) -> State:
    """The state with these bodies alone on the table: what a system finds wrong with one does not
    hang on where others stand, and the whole is looked at when the game begins."""
    bodies = {body.id: body.marked(gone=None) for body in placed}
    everybody = {**state.gone, **state.bodies}
    gone = {key: body for key, body in everybody.items() if key not in bodies}
    return replace(state, bodies=bodies, gone=gone)


def _faults(system: System, state: State) -> list[str]:
    """What a system finds wrong with a state, in words."""
    return [fault.message for fault in located(system.faults(state), {})]


def faults_left(system: System, state: State) -> list[Finding]:
    """What a system finds wrong with a game that is to begin."""
    return [Finding(text, clause="SET-6") for text in _faults(system, state)]


def _tray_is_empty(ask: Setting) -> Iterator[Finding]:
    """A side is ready once nobody of it is left in the tray."""
    left = [*in_trays(ask.state.gone, ask.side)]
    if left and ask.now is not None:
        names = ", ".join(dict.fromkeys(held_with(ask.state, body.id).name for body in left))
        yield Finding(f"still in the tray: {names}", float(len(left)), 0.0, about=left[0].id)


#: Clauses of setting up: id, what checks it, which of its actions it bars.
_CLAUSES: tuple[tuple[str, Callable[[Setting], Iterator[Finding]], tuple[type, ...]], ...] = (
    ("SET-2", _turn_to_set_up, ACTIONS),
    ("SET-3", _stands_fast, (SetUp, PickUp)),
    ("SET-4", _in_zone, (SetUp,)),
    ("SET-5", _has_room, (SetUp,)),
    ("SET-6", _on_ground, (SetUp,)),
    ("SET-7", _tray_is_empty, (Ready,)),
)


class Book(RuleBook):
    """The clauses of a game, and those of setting up, which look while that goes on."""

    def __init__(self, game: RuleBook, actions: Sequence[type]) -> None:
        super().__init__("SET")
        self.game = RuleBook("SET")
        self.clause("SET-1", src="pick", bars=tuple(actions), at=Moment.DECLARE)(_barred)
        for clause_id, check, bars in _CLAUSES:
            self.clause(clause_id, src="pick", bars=bars, at=Moment.DECLARE)(check)
        self.seal()
        self.game = game

    def __iter__(self) -> Iterator[Clause]:
        yield from super().__iter__()
        yield from self.game

    def __contains__(self, clause_id: object) -> bool:
        return super().__contains__(clause_id) or clause_id in self.game

    def __getitem__(self, clause_id: str) -> Clause:
        return (
            super().__getitem__(clause_id) if clause_id.startswith("SET-") else self.game[clause_id]
        )

    def __len__(self) -> int:
        return super().__len__() + len(self.game)

    def check(
        self, subject: type, ask: Any, *which: Any, **named: Any
    ) -> tuple[list[Finding], list[str]]:
        """Findings of the clauses of setting up on a `Setting`, else of those of the game."""
        check = super().check if isinstance(ask, Setting) else self.game.check
        return check(subject, ask, *which, **named)
