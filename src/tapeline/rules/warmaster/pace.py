"""WM-PACE: how far a unit may move, from its type, its formation and the kind of move."""

from __future__ import annotations

from dataclasses import dataclass

from tapeline.engine.state import State
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.figures import ADVANCE_CM, FLYER_CHARGE_CM
from tapeline.rules.warmaster.formation import Formation, formation_of
from tapeline.rules.warmaster.moving import CHARGES
from tapeline.rules.warmaster.profiles import flies, full_pace, half_pace
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import flag, number, stands_of
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit

__all__ = ["Pace", "fortified_stands", "pace_of"]

BOOK.resolves(
    "WM-PACE-1",
    "seed",
    "The allowance of a move follows from type, formation at the start and kind of move.",
)
BOOK.resolves("WM-PACE-2", "seed", "Each troop type has a full and a half pace.")
BOOK.resolves("WM-PACE-3", "seed", "Any shorter move is allowed, none included.")
BOOK.resolves("WM-PACE-4", "seed", "Formation is told before the move begins.")
BOOK.resolves("WM-PACE-5", "seed", "A charge or an evade is made at full pace.")
BOOK.resolves("WM-PACE-7", "seed", "A column moves at full pace.")
BOOK.resolves("WM-PACE-8", "seed", "A line moves at full pace.")
BOOK.resolves(
    "WM-PACE-10",
    "seed",
    "A distance that comes from dice or from combat takes no account of formation.",
)


@dataclass(frozen=True, slots=True)
class Pace:
    """An allowance, cm, and the clause that it comes from."""

    allowance: float
    clause: str


def fortified_stands(state: State, unit: Unit) -> list[Body]:
    """The stands of a unit in fortified positions, even in part; all if the scene says so."""
    ground, stands = ground_of(state), stands_of(state, unit)
    if flag(unit, "fortified"):
        return list(stands)
    return [s for s in stands if ground.stands_in(rect_of(s), "fortified") is not None]


def pace_of(state: State, unit: Unit, kind: str) -> Pace:
    """How far a unit may move by a kind of move, and by which clause."""
    bodies = stands_of(state, unit)
    full = min((full_pace(body) for body in bodies), default=0.0)
    half = min((half_pace(body) for body in bodies), default=0.0)
    formation = formation_of([rect_of(b) for b in bodies], state.option("column_joint"))
    if kind == "advance":
        return Pace(ADVANCE_CM, "WM-ADV-1")
    if kind == "fall_back":
        return Pace(float(number(unit.marks, "allowance")), "WM-PACE-10")
    if kind in CHARGES:
        if flies(bodies):
            if formation.regular:
                return Pace(FLYER_CHARGE_CM, "WM-FLY-3")
            return Pace(half, "WM-FLY-5")
        return Pace(full, "WM-PACE-5")
    if kind in ("evade", "blunder"):
        return Pace(full, "WM-PACE-5")
    if kind == "half":
        return Pace(half, "WM-PACE-11")
    if fortified_stands(state, unit):
        return Pace(half, "WM-PACE-6")
    if formation is Formation.COLUMN:
        return Pace(full, "WM-PACE-7")
    if formation is Formation.LINE:
        return Pace(full, "WM-PACE-8")
    return Pace(half, "WM-PACE-9")
