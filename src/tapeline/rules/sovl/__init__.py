"""SOVL: the Strategic Phase of a rank-and-file game; see README.md in this folder."""

from __future__ import annotations

from tapeline.engine.system import System
from tapeline.rules.sovl.actions import (
    Ability,
    Activate,
    Advance,
    EndActivation,
    Flight,
    Manoeuvre,
    NextTurn,
    Pass,
    Pivot,
    Rally,
    RollOff,
    Shoot,
)
from tapeline.rules.sovl.activation import (
    do_ability,
    do_activate,
    do_end_activation,
    do_next_turn,
    do_pass,
    do_roll_off,
)
from tapeline.rules.sovl.advance import do_advance
from tapeline.rules.sovl.controls import controls
from tapeline.rules.sovl.figures import BOOK
from tapeline.rules.sovl.flight import do_flight
from tapeline.rules.sovl.offers import nearest, offers
from tapeline.rules.sovl.options import DECIDED, OPTIONS
from tapeline.rules.sovl.pivot import do_manoeuvre, do_pivot
from tapeline.rules.sovl.profiles import PROFILES, derive
from tapeline.rules.sovl.rally import do_rally
from tapeline.rules.sovl.ranged_attack import do_shoot
from tapeline.rules.sovl.scene import acting, faults, status
from tapeline.rules.sovl.sight import seen
from tapeline.rules.sovl.state import (
    ALLOWED,
    ALLOWED_PROGRESS,
    BADGES,
    NAMES,
    PHASES,
    PROGRESS,
    STATE_MARKS,
    OrderContext,
)
from tapeline.rules.sovl.terrain import KINDS, TRAITS

__all__ = [
    "SYSTEM",
    "Ability",
    "Activate",
    "Advance",
    "EndActivation",
    "Flight",
    "Manoeuvre",
    "NextTurn",
    "Pass",
    "Pivot",
    "Rally",
    "RollOff",
    "Shoot",
]

SYSTEM = System(
    name="sovl",
    title="SOVL",
    unit="in",
    ground="meadow",
    book=BOOK,
    options=OPTIONS,
    procedures={
        RollOff: do_roll_off,
        Activate: do_activate,
        Advance: do_advance,
        Pivot: do_pivot,
        Manoeuvre: do_manoeuvre,
        Shoot: do_shoot,
        Ability: do_ability,
        Rally: do_rally,
        EndActivation: do_end_activation,
        Pass: do_pass,
        Flight: do_flight,
        NextTurn: do_next_turn,
    },
    context=OrderContext,
    profiles=PROFILES,
    derive=derive,
    terrain_kinds=KINDS,
    traits=TRAITS,
    names=NAMES,
    phases=PHASES,
    state_marks=STATE_MARKS,
    allowed=ALLOWED,
    progress=PROGRESS,
    allowed_progress=ALLOWED_PROGRESS,
    offers=offers,
    nearest=nearest,
    faults=faults,
    status=status,
    badges=BADGES,
    acting=acting,
    sees=seen,
    decided=DECIDED,
    controls=controls,
    no_reach="regiments move by advance and pivot, which reach does not cover; judge an advance or "
    "a pivot, or ask what is offered",
)
