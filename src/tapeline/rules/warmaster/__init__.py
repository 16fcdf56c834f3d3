"""Warmaster: the Command phase of units of stands; see README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.system import System
from tapeline.rules.warmaster import terrain
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Advance,
    Block,
    Brigade,
    Charge,
    DriveBack,
    EndStep,
    Evade,
    FallBack,
    FormColumn,
    FormLine,
    HomeBack,
    InitiativeCharge,
    LeaveTable,
    MoveCharacter,
    MoveUnit,
    Order,
    Retreat,
    Wheel,
)
from tapeline.rules.warmaster.blocks import (
    do_about_face,
    do_block,
    do_brigade,
    do_form_column,
    do_form_line,
    do_wheel,
)
from tapeline.rules.warmaster.characters import do_move_character
from tapeline.rules.warmaster.controls import controls
from tapeline.rules.warmaster.figures import BOOK, PROFILES, derive
from tapeline.rules.warmaster.forced import do_drive_back, do_fall_back, do_retreat
from tapeline.rules.warmaster.offers import nearest, offers
from tapeline.rules.warmaster.options import DECIDED, OPTIONS
from tapeline.rules.warmaster.orders import do_order
from tapeline.rules.warmaster.scene import acting, faults, may_share_ground, status, unit_words
from tapeline.rules.warmaster.sequence import (
    do_advance,
    do_charge_order,
    do_end_step,
    do_evade_move,
    do_home_back,
    do_initiative,
    do_move,
)
from tapeline.rules.warmaster.sight import seen
from tapeline.rules.warmaster.state import (
    ALLOWED,
    ALLOWED_PROGRESS,
    BADGES,
    NAMES,
    PHASES,
    PROGRESS,
    STATE_MARKS,
    UnitContext,
)
from tapeline.rules.warmaster.table_edge import do_leave_table

__all__ = [
    "SYSTEM",
    "AboutFace",
    "Advance",
    "Block",
    "Brigade",
    "Charge",
    "DriveBack",
    "EndStep",
    "Evade",
    "FallBack",
    "FormColumn",
    "FormLine",
    "HomeBack",
    "InitiativeCharge",
    "LeaveTable",
    "MoveCharacter",
    "MoveUnit",
    "Order",
    "Retreat",
    "Wheel",
]

_PROCEDURES: dict[type[Action], Callable[[Run, Any], Procedure | None]] = {
    InitiativeCharge: do_initiative,
    Evade: do_evade_move,
    HomeBack: do_home_back,
    Order: do_order,
    MoveUnit: do_move,
    Block: do_block,
    Wheel: do_wheel,
    AboutFace: do_about_face,
    FormLine: do_form_line,
    FormColumn: do_form_column,
    Brigade: do_brigade,
    Charge: do_charge_order,
    MoveCharacter: do_move_character,
    EndStep: do_end_step,
    DriveBack: do_drive_back,
    Retreat: do_retreat,
    FallBack: do_fall_back,
    Advance: do_advance,
    LeaveTable: do_leave_table,
}

SYSTEM = System(
    name="warmaster",
    title="Warmaster",
    unit="cm",
    book=BOOK,
    options=OPTIONS,
    actions={action.kind: action for action in _PROCEDURES},
    procedures=_PROCEDURES,
    context=UnitContext,
    profiles=PROFILES,
    derive=derive,
    terrain_kinds=terrain.KINDS,
    names=NAMES,
    phases=PHASES,
    state_marks=STATE_MARKS,
    allowed=ALLOWED,
    progress=PROGRESS,
    allowed_progress=ALLOWED_PROGRESS,
    offers=offers,
    controls=controls,
    nearest=nearest,
    faults=faults,
    may_overlap=may_share_ground,
    status=status,
    badges=BADGES,
    acting=acting,
    sees=seen,
    unit_words=unit_words,
    traits=terrain.TRAITS,
    decided=DECIDED,
    no_reach="Warmaster moves units stand by stand; where one may go is a question of every stand.",
)
