"""What terrain means to Trench Crusade over storeys, and where heights matter."""

from __future__ import annotations

from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.figures import (
    DIFFICULT_FACTOR,
    LOW_OBSTACLE_IN,
    TRENCH_WALL_IN,
)
from tapeline.rules.trench_crusade.ground import TRENCH, is_low
from tapeline.rules.trench_crusade.state import flies, height
from tapeline.table.bodies import Body
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, Surface
from tapeline.table.terrain import Battlefield
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy

__all__ = ["built", "in_space", "on_table", "terrain_of"]


def _policy(half_area: bool) -> TerrainPolicy:
    return TerrainPolicy(
        height=height,
        step=LOW_OBSTACLE_IN,
        step_included=True,
        steps=((TRENCH, TRENCH_WALL_IN),),
        stands_on_low=True,
        barred="impassable",
        low_piece=is_low,
        slow=(SlowKind("difficult", DIFFICULT_FACTOR, "TC-TER-2"),),
        hazard="dangerous",
        half_area=half_area,
        climbs_windows=True,
    )


def terrain_of(state: State) -> Terrain:
    """The prepared terrain of a state's table."""
    half = state.options.get("terrain_in") == "half_area"
    key = f"trench-crusade terrain {half}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Terrain):
        found = state.table.prepared[key] = Terrain(state.table, _policy(half))
    return found


def built(table: Battlefield) -> bool:
    """Whether a table has storeys, walls or tops to stand on: whether heights matter on it."""
    found = table.prepared.get("trench-crusade built")
    if not isinstance(found, bool):
        found = bool(table.structures) or any(
            p.has(SOLID) or p.has(STANDABLE) for p in table.pieces
        )
        table.prepared["trench-crusade built"] = found
    return found


def in_space(state: State, body: Body, path: LegPath = ()) -> bool:
    """Whether a move is measured in three dimensions: on a built table, in the air, up or down."""
    return (
        built(state.table)
        or flies(body)
        or body.z != 0.0
        or any(leg.how != "walk" or leg.z is not None for leg in path)
    )


def on_table(surface: Surface | None) -> bool:
    """Whether a surface is the table itself."""
    return surface is not None and surface.id == TABLE
