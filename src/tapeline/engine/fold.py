"""Folding: the next state from a state and an event. Knows no rule and never refuses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tapeline.engine.deployment import Deployment
from tapeline.engine.events import (
    Answered,
    Deployed,
    Event,
    Happened,
    Marked,
    Moved,
    Progressed,
    Removed,
    Resized,
    Returned,
    Rolled,
    TurnChanged,
    UnitMarked,
)
from tapeline.engine.score import scored
from tapeline.engine.state import State

__all__ = ["fold", "fold_all"]


def fold(state: State, event: Event) -> State:
    """The state after one event, its score too. An unknown body raises KeyError."""
    after = _folded(state, event)
    if state.game is None or state.deployment is not None:
        return after
    return scored(state, after, event)


def _folded(state: State, event: Event) -> State:
    match event:
        case Rolled() | Answered() | Happened():
            return state
        case Moved():
            body = state.bodies[event.body]
            return state.with_body(body.at(event.x, event.y, event.z, event.facing))
        case Marked():
            body = (state.gone if event.body in state.gone else state.bodies)[event.body]
            body = replace(body, marks=body.marks.update(event.changes), _digest=[])
            if body.id in state.gone:
                return replace(state, gone={**state.gone, body.id: body})
            return state.with_body(body)
        case Progressed():
            return replace(state, progress=state.progress.update(event.changes))
        case Resized():
            body = state.bodies[event.body]
            return state.with_body(body.based(event.base).at(event.x, event.y))
        case UnitMarked():
            unit = state.units[event.unit]
            units = dict(state.units)
            units[unit.id] = replace(unit, marks=unit.marks.update(event.changes))
            return replace(state, units=units)
        case Removed():
            bodies = dict(state.bodies)
            body = bodies.pop(event.body)
            gone = {**state.gone, body.id: body.marked(gone=event.reason)}
            return replace(state, bodies=bodies, gone=gone)
        case Returned():
            gone = dict(state.gone)
            body = gone.pop(event.body).marked(gone=None)
            body = body.at(event.x, event.y, event.z, event.facing)
            return replace(state.with_body(body), gone=gone)
        case Deployed():
            return replace(state, deployment=_deployed(state.deployment, event))
        case TurnChanged():
            turn = state.turn
            turn = replace(
                turn,
                round=turn.round if event.round is None else event.round,
                phase=turn.phase if event.phase is None else event.phase,
                active=turn.active if event.active is None else event.active,
                initiative=turn.initiative if event.initiative is None else event.initiative,
            )
            return replace(state, turn=turn)


def _deployed(before: Deployment | None, event: Deployed) -> Deployment | None:
    if before is None or event.over:
        return None
    return replace(
        before,
        next=before.next if event.next is None else event.next,
        ready=before.ready if event.ready is None else event.ready,
    )


def fold_all(state: State, events: Iterable[Event]) -> State:
    """The state after all events, in order."""
    for event in events:
        state = fold(state, event)
    return state
