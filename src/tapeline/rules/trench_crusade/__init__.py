"""Trench Crusade: skirmish models that act one by one; see README.md."""

from __future__ import annotations

from tapeline.engine.system import System
from tapeline.rules.trench_crusade.actions import (
    Activate,
    Charge,
    Dash,
    EndActivation,
    Fight,
    ForcedRetreat,
    Move,
    NextTurn,
    Retreat,
    Shoot,
)
from tapeline.rules.trench_crusade.book import BOOK, DECIDED, OPTIONS
from tapeline.rules.trench_crusade.charge import charge
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.controls import controls
from tapeline.rules.trench_crusade.ground import is_low
from tapeline.rules.trench_crusade.moves import dash, move, nearest
from tapeline.rules.trench_crusade.names import BADGES, NAMES
from tapeline.rules.trench_crusade.offers import offers
from tapeline.rules.trench_crusade.reach import REACHING
from tapeline.rules.trench_crusade.retreat import forced_retreat, retreat
from tapeline.rules.trench_crusade.scene import acting, faults, finish, off_edge, status
from tapeline.rules.trench_crusade.sequence import (
    activate,
    fight,
    finish_activation,
    next_turn,
    shoot,
)
from tapeline.rules.trench_crusade.sight import seen
from tapeline.rules.trench_crusade.state import (
    ALLOWED,
    ALLOWED_PROGRESS,
    PROGRESS,
    STATE_MARKS,
    derive,
    profiles,
)
from tapeline.rules.trench_crusade.terrain import TERRAIN_KINDS, TRAITS

__all__ = [
    "SYSTEM",
    "Activate",
    "Charge",
    "Dash",
    "EndActivation",
    "Fight",
    "ForcedRetreat",
    "Move",
    "NextTurn",
    "Retreat",
    "Shoot",
]

SYSTEM = System(
    name="trench-crusade",
    title="Trench Crusade",
    unit="in",
    ground="clay",
    book=BOOK,
    options=OPTIONS,
    procedures={
        Activate: activate,
        Move: move,
        Dash: dash,
        Charge: charge,
        Retreat: retreat,
        Fight: fight,
        Shoot: shoot,
        EndActivation: finish_activation,
        ForcedRetreat: forced_retreat,
        NextTurn: next_turn,
    },
    context=Context,
    profiles=profiles(),
    derive=derive,
    terrain_kinds=TERRAIN_KINDS,
    names=NAMES,
    phases=("activations",),
    state_marks=STATE_MARKS,
    allowed=ALLOWED,
    progress=PROGRESS,
    allowed_progress=ALLOWED_PROGRESS,
    offers=offers,
    nearest=nearest,
    finish=finish,
    faults=faults,
    status=status,
    badges=BADGES,
    acting=acting,
    sees=seen,
    traits=TRAITS,
    storeys=True,
    may_bear=is_low,
    off_edge=off_edge,
    decided=DECIDED,
    reaching=REACHING,
    controls=controls,
)
