"""SOVL: the Strategic Phase of a rank-and-file game; see README.md in this folder."""

from __future__ import annotations

from tapeline.engine.system import System
from tapeline.rules.sovl import actions, activation, advance, flight, pivot, rally, ranged_attack
from tapeline.rules.sovl.attacks import ATTACKING
from tapeline.rules.sovl.controls import controls
from tapeline.rules.sovl.figures import BOOK
from tapeline.rules.sovl.offers import nearest, offers
from tapeline.rules.sovl.options import DECIDED, OPTIONS
from tapeline.rules.sovl.profiles import PROFILES, derive
from tapeline.rules.sovl.prospects import PROSPECTS
from tapeline.rules.sovl.rally import reading
from tapeline.rules.sovl.scene import acting, activity, faults, status
from tapeline.rules.sovl.sight import looks, seen
from tapeline.rules.sovl.state import BADGES, MARKS, NAMES, PHASES, PROGRESS, OrderContext
from tapeline.rules.sovl.terrain import KINDS, TRAITS

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="sovl",
    title="SOVL",
    unit="in",
    ground="meadow",
    book=BOOK,
    options=OPTIONS,
    procedures={
        actions.RollOff: activation.do_roll_off,
        actions.Activate: activation.do_activate,
        actions.Advance: advance.do_advance,
        actions.Pivot: pivot.do_pivot,
        actions.Manoeuvre: pivot.do_manoeuvre,
        actions.Shoot: ranged_attack.do_shoot,
        actions.Ability: activation.do_ability,
        actions.Rally: rally.do_rally,
        actions.EndActivation: activation.do_end_activation,
        actions.Pass: activation.do_pass,
        actions.Flight: flight.do_flight,
        actions.NextTurn: activation.do_next_turn,
    },
    profiles=PROFILES,
    derive=derive,
    terrain_kinds=KINDS,
    traits=TRAITS,
    context=OrderContext,
    names=NAMES,
    phases=PHASES,
    marks=MARKS,
    idle=("fleeing",),
    stride=lambda state, body: body.stat("move"),
    prospects=PROSPECTS,
    progress=PROGRESS,
    badges=BADGES,
    faults=faults,
    acting=acting,
    reading=reading,
    activity=activity,
    status=status,
    sees=seen,
    looks=looks,
    attacking=ATTACKING,
    offers=offers,
    nearest=nearest,
    controls=controls,
    decided=DECIDED,
    no_reach="regiments move by advance and pivot, which reach does not cover; judge an advance or "
    "a pivot, or ask what is offered",
)
