"""Kinds and traits of terrain in Mordheim, and what is wrong with the terrain of a scene."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.errors import Fault
from tapeline.rules.mordheim.figures import BARRIER_IN, GAP_IN, JUMP_DOWN_IN
from tapeline.table.access import out_of_reach
from tapeline.table.storeys import SOLID, STANDABLE, UNCLIMBABLE, storeys_of

__all__ = ["DIFFICULT", "LOW", "TERRAIN_KINDS", "TRAITS", "VERY_DIFFICULT", "terrain_faults"]

#: Ground that halves and quarters the rate, MH-TER-3 and -4.
DIFFICULT, VERY_DIFFICULT = "difficult", "very_difficult"
#: A barrier across which models fight whatever its height, 3.6.8.
LOW = "low"
#: Traits a scene may add.
TRAITS = frozenset({SOLID, STANDABLE, UNCLIMBABLE, DIFFICULT, VERY_DIFFICULT, LOW})


_BLOCK = frozenset({SOLID, STANDABLE})
_KINDS = (
    TerrainKind("open", frozenset(), 0.0, "plain"),
    TerrainKind("building", _BLOCK, 4.0, "bricks"),
    TerrainKind("block", _BLOCK, 2.0, "solid"),
    TerrainKind("crate", _BLOCK, 0.8, "cross-hatch"),
    TerrainKind("barrel", _BLOCK, 0.8, "rings"),
    TerrainKind("column", frozenset({SOLID}), 3.0, "solid"),
    TerrainKind("fence", frozenset({SOLID}), 2.0, "hatch"),
    TerrainKind("hedge", frozenset({SOLID}), 0.75, "hatch"),
    TerrainKind("barrier", frozenset({SOLID}), 0.75, "hatch"),
    TerrainKind("rubble", frozenset({DIFFICULT}), 0.0, "stones"),
    TerrainKind("bushes", frozenset({DIFFICULT}), 0.0, "trees"),
    TerrainKind("slope", frozenset({DIFFICULT}), 0.0, "dashes"),
    TerrainKind("crawlhole", frozenset({VERY_DIFFICULT}), 0.0, "dots"),
)
#: The kinds a scene may use, by name.
TERRAIN_KINDS = {kind.name: kind for kind in _KINDS}


def terrain_faults(state: State) -> Iterator[Fault]:
    """Surfaces of a scene that no model could ever come to."""
    table = state.table
    storeys = storeys_of(table)
    for surface in out_of_reach(storeys, step=BARRIER_IN, drop=JUMP_DOWN_IN, gap=GAP_IN):
        for entry in surface.entries[:1]:
            text = (
                f"nobody can reach {surface.id!r}: no stairs, ladder, rope or face leads to it, "
                f"and nothing within {GAP_IN:g} in to jump from"
            )
            yield Fault(table.where(entry), text)
