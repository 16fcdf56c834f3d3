"""How far bodies come in a usual move, as their system tells in numbers."""

from __future__ import annotations

from collections.abc import Hashable

from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.table.bodies import Body

__all__ = ["ranges"]

#: Share of the shorter side of the table, for bodies of which their system tells nothing.
_SOME = 0.1


def ranges(system: System, state: State) -> dict[str, float]:
    """The usual move of every body on the table, table units, walls left out of account."""
    some = _SOME * min(state.table.width, state.table.depth)
    known: dict[Hashable, float] = {}
    told: dict[str, float] = {}
    for body in state.bodies.values():
        key = (body.profile, body.stats)
        if key not in known:
            known[key] = _stride(system, state, body) or some
        told[body.id] = known[key]
    return told


def _stride(system: System, state: State, body: Body) -> float:
    if system.stride is not None:
        return system.stride(state, body)
    return max((limits(state, body).allowance for limits in system.reaching.values()), default=0.0)
