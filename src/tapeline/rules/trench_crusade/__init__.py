"""Trench Crusade: skirmish models that act one by one; see README.md."""

from __future__ import annotations

from tapeline.engine.system import System
from tapeline.rules.trench_crusade import actions, charge, moves, retreat, sequence
from tapeline.rules.trench_crusade.book import BOOK, DECIDED, OPTIONS
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.controls import controls
from tapeline.rules.trench_crusade.ground import is_low
from tapeline.rules.trench_crusade.moves import nearest
from tapeline.rules.trench_crusade.offers import ATTACKING, offers
from tapeline.rules.trench_crusade.reach import REACHING
from tapeline.rules.trench_crusade.rolls import reading
from tapeline.rules.trench_crusade.scene import (
    BADGES,
    NAMES,
    acting,
    activity,
    faults,
    finish,
    off_edge,
    status,
)
from tapeline.rules.trench_crusade.sight import looks, seen
from tapeline.rules.trench_crusade.state import MARKS, PROGRESS, derive, movement_to_come, profiles
from tapeline.rules.trench_crusade.terrain import TERRAIN_KINDS, TRAITS

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="trench-crusade",
    title="Trench Crusade",
    unit="in",
    ground="clay",
    book=BOOK,
    options=OPTIONS,
    procedures={
        actions.Activate: sequence.activate,
        actions.Move: moves.move,
        actions.Dash: moves.dash,
        actions.Charge: charge.charge,
        actions.Retreat: retreat.retreat,
        actions.Fight: sequence.fight,
        actions.Shoot: sequence.shoot,
        actions.EndActivation: sequence.finish_activation,
        actions.ForcedRetreat: retreat.forced_retreat,
        actions.NextTurn: sequence.next_turn,
    },
    context=Context,
    profiles=profiles(),
    derive=derive,
    marks=MARKS,
    idle=("down",),
    attested=actions.ATTESTED,
    progress=PROGRESS,
    phases=("activations",),
    names=NAMES,
    badges=BADGES,
    terrain_kinds=TERRAIN_KINDS,
    traits=TRAITS,
    storeys=True,
    may_bear=is_low,
    finish=finish,
    faults=faults,
    off_edge=off_edge,
    status=status,
    acting=acting,
    reading=reading,
    activity=activity,
    sees=seen,
    looks=looks,
    stride=movement_to_come,
    attacking=ATTACKING,
    reaching=REACHING,
    controls=controls,
    offers=offers,
    nearest=nearest,
    decided=DECIDED,
)
