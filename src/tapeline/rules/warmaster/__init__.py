"""Warmaster: the Command phase of units of stands; see README.md in this folder."""

from __future__ import annotations

from tapeline.engine.system import System
from tapeline.rules.warmaster import (
    actions,
    brigades,
    characters,
    forced,
    orders,
    sequence,
    table_edge,
    terrain,
)
from tapeline.rules.warmaster.controls import controls
from tapeline.rules.warmaster.figures import BOOK, PROFILES, derive
from tapeline.rules.warmaster.offers import ATTACKING, nearest, offers
from tapeline.rules.warmaster.orders import reading
from tapeline.rules.warmaster.scene import (
    DECIDED,
    OPTIONS,
    STEPS,
    acting,
    activity,
    faults,
    may_share_ground,
    notes,
    status,
    unit_words,
)
from tapeline.rules.warmaster.sight import looks, seen
from tapeline.rules.warmaster.state import BADGES, MARKS, NAMES, PHASES, PROGRESS, UnitContext

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="warmaster",
    title="Warmaster",
    unit="cm",
    book=BOOK,
    options=OPTIONS,
    procedures={
        actions.InitiativeCharge: sequence.do_initiative,
        actions.Evade: sequence.do_evade_move,
        actions.HomeBack: sequence.do_home_back,
        actions.Order: orders.do_order,
        actions.MoveUnit: sequence.do_move,
        actions.Block: brigades.do_as_one,
        actions.Wheel: brigades.do_as_one,
        actions.AboutFace: brigades.do_as_one,
        actions.FormLine: brigades.do_as_one,
        actions.FormColumn: brigades.do_as_one,
        actions.Brigade: brigades.do_brigade,
        actions.Charge: sequence.do_charge_order,
        actions.MoveCharacter: characters.do_move_character,
        actions.EndStep: sequence.do_end_step,
        actions.DriveBack: forced.do_drive_back,
        actions.Retreat: forced.do_retreat,
        actions.FallBack: forced.do_fall_back,
        actions.Advance: sequence.do_advance,
        actions.LeaveTable: table_edge.do_leave_table,
    },
    profiles=PROFILES,
    derive=derive,
    context=UnitContext,
    attacking=ATTACKING,
    phases=PHASES,
    marks=MARKS,
    idle=("confused",),
    beaten="over",
    away="off",
    stride=lambda state, body: body.stat("full"),
    attested=forced.ATTESTED,
    progress=PROGRESS,
    names=NAMES,
    steps=STEPS,
    badges=BADGES,
    terrain_kinds=terrain.KINDS,
    traits=terrain.TRAITS,
    faults=faults,
    notes=notes,
    may_overlap=may_share_ground,
    status=status,
    unit_words=unit_words,
    acting=acting,
    reading=reading,
    activity=activity,
    sees=seen,
    looks=looks,
    controls=controls,
    offers=offers,
    nearest=nearest,
    decided=DECIDED,
    no_reach="Warmaster moves units stand by stand; where one may go is a question of every stand.",
)
