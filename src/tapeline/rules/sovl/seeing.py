"""Sight between two units told to whoever asks: arc and line, or what cuts it."""

from __future__ import annotations

from tapeline.engine.seeing import Seen
from tapeline.engine.state import State
from tapeline.rules.sovl.actions import Shoot
from tapeline.rules.sovl.footprint import block_of
from tapeline.rules.sovl.sight import shot_of, view_of
from tapeline.table.bodies import Body

__all__ = ["seen"]


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one unit sees another as a shooter does (SV-LOS-1, SV-LOS-2)."""
    shot = Shoot(actor=a.id, target=b.id)
    view = view_of(state, shot)
    if not view.in_arc:
        return Seen(False, f"The front arc of {a.name} does not reach {b.name}.", "SV-LOS-1")
    if view.blockers:
        names = ", ".join(thing.name for thing in view.blockers)
        words = f"{a.name} cannot see {b.name}: {names} in the way."
        return Seen(False, words, "SV-LOS-2", (), tuple(thing.id for thing in view.blockers))
    line = view.line or (block_of(a).rect.front, shot_of(state, shot).nearest)
    return Seen(True, f"{a.name} can see {b.name}.", "SV-LOS-2", (line,))
