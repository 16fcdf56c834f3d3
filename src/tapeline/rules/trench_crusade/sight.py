"""G-12: who sees whom, with models as upright cylinders and opaque terrain as prisms."""

from __future__ import annotations

from tapeline.engine.state import State
from tapeline.rules.trench_crusade.ground import ground_of
from tapeline.table.bodies import Body

__all__ = ["visible"]


def visible(state: State, viewer: Body, target: Body, *, attested: bool = True) -> bool:
    """Whether one model sees another. attested: what the players say, where they settle it."""
    if state.option("los_mode") == "attested":
        return attested
    return not ground_of(state).crosses(viewer.centre, target.centre, "opaque")
