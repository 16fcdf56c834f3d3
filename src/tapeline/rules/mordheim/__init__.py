"""Mordheim: warbands in ruins of several storeys, turn and turn about; see README.md."""

from __future__ import annotations

from tapeline.engine.bases import centre_on_table
from tapeline.engine.system import System
from tapeline.rules.mordheim import actions, charge, moves, psychology, reach, sequence
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.controls import controls
from tapeline.rules.mordheim.figures import BOOK, DECIDED, OPTIONS
from tapeline.rules.mordheim.offers import ATTACKING, nearest, offers
from tapeline.rules.mordheim.reach import REACHING, may_measure
from tapeline.rules.mordheim.scene import (
    BADGES,
    NAMES,
    PROFILES,
    acting,
    activity,
    faults,
    finish,
    status,
)
from tapeline.rules.mordheim.sight import looks, seen
from tapeline.rules.mordheim.state import MARKS, PHASES, PROGRESS
from tapeline.rules.mordheim.terrain import TERRAIN_KINDS, TRAITS
from tapeline.rules.mordheim.wounds import reading

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="mordheim",
    title="Mordheim",
    unit="in",
    ground="flagstones",
    book=BOOK,
    options=OPTIONS,
    procedures={
        actions.Rally: sequence.rally,
        actions.StandUp: sequence.stand_up,
        actions.DeclareCharge: charge.declare_charge,
        actions.CloseDeclarations: sequence.close_declarations,
        actions.Charge: charge.charge,
        actions.Compulsory: psychology.compulsory,
        actions.Move: moves.move,
        actions.Crawl: moves.crawl,
        actions.Hide: moves.hide,
        actions.Shoot: sequence.shoot,
        actions.Cast: sequence.cast,
        actions.Strike: sequence.strike,
        actions.EndPhase: sequence.end_phase,
        actions.Measure: reach.measure,
    },
    context=Context,
    attacking=ATTACKING,
    profiles=PROFILES,
    names=NAMES,
    badges=BADGES,
    faults=faults,
    finish=finish,
    status=status,
    acting=acting,
    reading=reading,
    activity=activity,
    phases=PHASES,
    marks=MARKS,
    idle=("condition=knocked_down", "condition=stunned", "fleeing"),
    attested=actions.ATTESTED,
    progress=PROGRESS,
    terrain_kinds=TERRAIN_KINDS,
    traits=TRAITS,
    storeys=True,
    off_edge=centre_on_table,
    sees=seen,
    looks=looks,
    offers=offers,
    nearest=nearest,
    controls=controls,
    may_measure=may_measure,
    reaching=REACHING,
    decided=DECIDED,
)
