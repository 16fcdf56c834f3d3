"""Mordheim: warbands in ruins of several storeys, turn and turn about; see README.md."""

from __future__ import annotations

from tapeline.engine.bases import centre_on_table
from tapeline.engine.system import System
from tapeline.rules.mordheim.actions import (
    Cast,
    Charge,
    CloseDeclarations,
    Compulsory,
    Crawl,
    DeclareCharge,
    EndPhase,
    Hide,
    Measure,
    Move,
    Rally,
    Shoot,
    StandUp,
    Strike,
)
from tapeline.rules.mordheim.charge import charge, declare_charge
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.controls import controls
from tapeline.rules.mordheim.figures import BOOK, DECIDED, OPTIONS
from tapeline.rules.mordheim.moves import crawl, hide, move
from tapeline.rules.mordheim.offers import nearest, offers
from tapeline.rules.mordheim.psychology import compulsory
from tapeline.rules.mordheim.reach import REACHING, may_measure, measure
from tapeline.rules.mordheim.scene import BADGES, NAMES, PROFILES, acting, faults, finish, status
from tapeline.rules.mordheim.sequence import (
    cast,
    close_declarations,
    end_phase,
    rally,
    shoot,
    stand_up,
    strike,
)
from tapeline.rules.mordheim.sight import seen
from tapeline.rules.mordheim.state import ALLOWED, ALLOWED_PROGRESS, PHASES, PROGRESS, STATE_MARKS
from tapeline.rules.mordheim.terrain import TERRAIN_KINDS, TRAITS

__all__ = [
    "SYSTEM",
    "Cast",
    "Charge",
    "CloseDeclarations",
    "Compulsory",
    "Crawl",
    "DeclareCharge",
    "EndPhase",
    "Hide",
    "Measure",
    "Move",
    "Rally",
    "Shoot",
    "StandUp",
    "Strike",
]

SYSTEM = System(
    name="mordheim",
    title="Mordheim",
    unit="in",
    ground="flagstones",
    book=BOOK,
    options=OPTIONS,
    procedures={
        Rally: rally,
        StandUp: stand_up,
        DeclareCharge: declare_charge,
        CloseDeclarations: close_declarations,
        Charge: charge,
        Compulsory: compulsory,
        Move: move,
        Crawl: crawl,
        Hide: hide,
        Shoot: shoot,
        Cast: cast,
        Strike: strike,
        EndPhase: end_phase,
        Measure: measure,
    },
    context=Context,
    profiles=PROFILES,
    terrain_kinds=TERRAIN_KINDS,
    names=NAMES,
    phases=PHASES,
    state_marks=STATE_MARKS,
    allowed=ALLOWED,
    progress=PROGRESS,
    allowed_progress=ALLOWED_PROGRESS,
    offers=offers,
    controls=controls,
    nearest=nearest,
    finish=finish,
    faults=faults,
    status=status,
    badges=BADGES,
    acting=acting,
    sees=seen,
    traits=TRAITS,
    decided=DECIDED,
    may_measure=may_measure,
    reaching=REACHING,
    storeys=True,
    off_edge=centre_on_table,
)
