"""The machine of the Strategic Phase: who is to act, when the phase ends, flights, the next turn.

strategic: sides alternate activations. flights: fleeing units run. done: the phase is over;
`next_turn` begins that of the next turn. The Charge and Combat Phases between are outside.
"""

from __future__ import annotations

from tapeline.engine.events import Marked, Progressed, TurnChanged
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.sovl.state import (
    DONE,
    FLIGHTS,
    OF_ACTIVATION,
    STRATEGIC,
    active_unit,
    may_be_activated,
    passed,
    pending_flights,
)
from tapeline.table.marks import Marks

__all__ = [
    "THIS_TURN",
    "begin_turn",
    "close_activation",
    "flight_made",
    "pass_if_nothing_left",
    "passing",
]

#: Marks that last for one turn.
THIS_TURN = ("activated", "charged", "fled", "rallied")


def _left(state: State, side: str) -> bool:
    return any(body.side == side and may_be_activated(body) for body in state.bodies.values())


def close_activation(run: Run) -> None:
    """End the activation and hand the initiative on (SV-ACT-6, SV-ACT-7)."""
    unit = active_unit(run.state)
    if unit is not None and "activated" not in run.state.bodies[unit].marks:
        run.emit(Marked(unit, Marks({"activated": True}), "SV-ACT-5"))
    run.emit(Progressed(Marks(dict.fromkeys(OF_ACTIVATION)), "SV-ACT-6"))
    if run.state.option("phase.pass") == "consecutive" and passed(run.state):
        run.emit(Progressed(Marks({"passed": None}), "SV-ACT-7"))
    give_way(run)


def passing(run: Run, side: str) -> None:
    """A side passes (SV-ACT-7)."""
    _pass(run, side)
    name = next(s.name for s in run.state.sides if s.id == side)
    run.happened("passed", f"{name} passed.", "SV-ACT-7")
    give_way(run)


def _pass(run: Run, side: str) -> None:
    held = passed(run.state)
    if side not in held:
        run.emit(Progressed(Marks({"passed": (*held, side)}), "SV-ACT-7"))


def give_way(run: Run) -> None:
    """Hand the initiative to the other side, or back, or end the alternation."""
    state = run.state
    here = state.turn.active
    there = state.other_side(here)
    held = passed(state)
    consecutive = state.option("phase.pass") == "consecutive"
    if _left(state, there) and (consecutive or there not in held) and len(held) < 2:
        run.emit(TurnChanged(active=there, initiative=there, clause="SV-ACT-6"))
        return
    if there not in held:  # nothing left: it hands over by itself, as a pass
        _pass(run, there)
        held = passed(run.state)
    if _left(state, here) and here not in held:
        run.emit(TurnChanged(active=here, initiative=here, clause="SV-ACT-6"))
        return
    _end_alternation(run)


def _end_alternation(run: Run) -> None:
    run.emit(Progressed(Marks({"passed": None}), "SV-ACT-7"))
    run.happened("activations over", "All units were activated or both sides passed.", "SV-ACT-7")
    state = run.state
    holder = state.turn.initiative
    if pending_flights(state):
        first = holder if pending_flights(state, holder) else state.other_side(holder)
        run.emit(TurnChanged(phase=FLIGHTS, active=first, clause="SV-FLEE-1"))
    else:
        run.emit(TurnChanged(phase=DONE, active=holder, clause="SV-ACT-7"))


def flight_made(run: Run) -> None:
    """Pass the flights on, sides in turn while both have units to move (SV-FLEE-1)."""
    state = run.state
    here = state.turn.active
    there = state.other_side(here)
    if pending_flights(state, there):
        if there != here:
            run.emit(TurnChanged(active=there, clause="SV-FLEE-1"))
    elif not pending_flights(state, here):
        run.emit(Progressed(Marks({"flown": None}), "SV-FLEE-1"))
        run.emit(TurnChanged(phase=DONE, active=state.turn.initiative, clause="SV-FLEE-1"))


def begin_turn(run: Run) -> None:
    """Begin the Strategic Phase of the next turn (SV-ACT-8)."""
    for body in run.state.bodies.values():
        if any(name in body.marks for name in THIS_TURN):
            run.emit(Marked(body.id, Marks(dict.fromkeys(THIS_TURN)), "SV-ACT-5"))
    run.emit(Progressed(Marks(dict.fromkeys((*OF_ACTIVATION, "passed", "contacts", "flown")))))
    turn = run.state.turn
    holder = turn.initiative
    run.emit(TurnChanged(round=turn.round + 1, phase=STRATEGIC, active=holder, clause="SV-ACT-8"))
    pass_if_nothing_left(run)


def pass_if_nothing_left(run: Run) -> None:
    """The side that begins the phase hands over by itself if it has nothing to activate."""
    side = run.state.turn.active
    if not _left(run.state, side):
        _pass(run, side)
        give_way(run)
