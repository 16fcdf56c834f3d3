"""The scene document of a state; loading it again gives the same state."""

from __future__ import annotations

from typing import Any

from tapeline.engine.deployment import deployment_document, in_trays
from tapeline.engine.game import game_document
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.table.bodies import MM_PER_UNIT, Base, Body, Rectangle
from tapeline.table.entries import entry_document
from tapeline.table.marks import thaw
from tapeline.table.terrain import Piece
from tapeline.table.zones import zone_document

__all__ = ["GONE", "scene_document"]


#: The mark of a body that has left the table; it says why.
GONE = "gone"


def scene_document(state: State, system: System) -> dict[str, Any]:
    """The scene document of a state: loading it again gives the same state."""
    from tapeline.table.scene import SCENE_FORMAT

    table = state.table
    terrain = []
    for part in table.entries:
        own = system.terrain_kinds[part.kind].traits if isinstance(part, Piece) else frozenset()
        terrain.append({**entry_document(part), "traits": sorted(part.traits - own)})
    models, units = [], []
    waiting = {body.id for body in in_trays(state.gone)} if state.deployment else set()
    mm = MM_PER_UNIT[table.unit]
    for body in (*state.bodies.values(), *state.gone.values()):
        entry: dict[str, Any] = {
            "id": body.id,
            "side": body.side,
            "name": body.name,
            "profile": _profile_document(body, system),
            "position": [body.x, body.y],
            "z": body.z,
            "facing": body.facing,
        }
        marks = thaw(body.marks)
        if body.id in waiting:
            del marks[GONE]
        if "file_width" in body.marks:
            assert isinstance(body.base, Rectangle)
            entry["models"], entry["files"] = marks.pop("models"), marks.pop("files")
            del marks["file_width"], marks["rank_depth"]
            entry["base"] = {"rectangle": [body.base.width, body.base.depth]}
            units.append(entry)
        else:
            entry["base"] = _base_document(body.base, mm)
            models.append(entry)
        entry["state"] = marks
    units.extend(
        {
            "id": unit.id,
            "side": unit.side,
            "name": unit.name,
            "members": list(unit.members),
            "profile": unit.profile,
            "state": thaw(unit.marks),
        }
        for unit in state.units.values()
    )
    turn = state.turn
    zones = {"zones": [zone_document(zone) for zone in table.zones]} if table.zones else {}
    return {
        "format": SCENE_FORMAT,
        "system": state.system,
        "name": state.name,
        "options": thaw(state.options),
        "table": {"width": table.width, "depth": table.depth, "unit": table.unit},
        "terrain": terrain,
        **zones,
        **_deployment(state),
        **({} if state.game is None else {"game": game_document(state.game)}),
        "sides": [{"id": side.id, "name": side.name} for side in state.sides],
        "models": models,
        "units": units,
        "turn": {
            "round": turn.round,
            "phase": turn.phase,
            "active": turn.active,
            "initiative": turn.initiative,
            "progress": thaw(state.progress),
        },
    }


def _deployment(state: State) -> dict[str, Any]:
    now = state.deployment
    return {} if now is None else {"deployment": deployment_document(now, state.units, state.gone)}


def _base_document(base: Base, mm_per_unit: float) -> dict[str, Any]:
    """A base so that loading it gives the very same figures."""
    if isinstance(base, Rectangle):
        return {"rectangle": [base.width, base.depth]}
    diameter_mm = round(2 * base.radius * mm_per_unit, 9)
    if 0.5 * diameter_mm * (1.0 / mm_per_unit) == base.radius:
        return {"round_mm": diameter_mm}
    return {"round": 2 * base.radius}


def _profile_document(body: Body, system: System) -> Any:
    known = system.profiles.get(body.profile)
    if known is not None and known.stats == body.stats:
        return body.profile
    return {"name": body.profile, **thaw(body.stats)}
