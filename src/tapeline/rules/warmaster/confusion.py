"""WM-CONF: units in confusion."""

from __future__ import annotations

from tapeline.engine.events import UnitMarked
from tapeline.engine.referee import Run
from tapeline.rules.warmaster.state import stands_of
from tapeline.table.bodies import Unit
from tapeline.table.marks import Marks

__all__ = ["confuse"]


def confuse(run: Run, unit: Unit, clause: str) -> None:
    """Confuse a unit, unless it cannot be."""
    stands = stands_of(run.state, unit)
    if stands and stands[0].keyword("not_confused"):
        run.happened("not_confused", f"{unit.name} cannot be confused.", clause, about=unit.id)
        return
    run.emit(UnitMarked(unit.id, Marks({"confused": True}), clause))
    run.happened("confused", f"{unit.name} is confused.", "WM-CONF-1", about=unit.id)
