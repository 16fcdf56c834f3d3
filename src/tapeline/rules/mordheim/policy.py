"""What terrain means to Mordheim."""

from __future__ import annotations

from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import BARRIER_IN, DIFFICULT_FACTOR, VERY_DIFFICULT_FACTOR
from tapeline.rules.mordheim.state import height
from tapeline.rules.mordheim.terrain import DIFFICULT, VERY_DIFFICULT
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy

__all__ = ["terrain_of"]


def terrain_of(state: State) -> Terrain:
    """The terrain of a state's table, prepared for the readings in force."""
    low_limit = state.option("low_limit")
    key = f"mordheim terrain {low_limit}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Terrain):
        policy = TerrainPolicy(
            height=height,
            step=BARRIER_IN,
            step_included=low_limit == "le",
            stands_on_low=False,
            slow=(
                SlowKind(VERY_DIFFICULT, VERY_DIFFICULT_FACTOR, "MH-TER-4"),
                SlowKind(DIFFICULT, DIFFICULT_FACTOR, "MH-TER-3"),
            ),
        )
        found = state.table.prepared[key] = Terrain(state.table, policy)
    return found
