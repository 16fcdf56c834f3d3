"""An evade planned: the whole unit as one block, straight away from the enemy.

What is planned is judged by the clauses like an evade given stand by stand.
"""

from __future__ import annotations

from tapeline.engine.state import State
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.evade import away_from
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.planner import plan_move
from tapeline.rules.warmaster.stands import nearest_pairs, rect_of
from tapeline.rules.warmaster.state import stands_of
from tapeline.rules.warmaster.wanted import as_block, middle
from tapeline.table.bodies import Unit

__all__ = ["plan_evade"]


def plan_evade(state: State, unit: Unit, target: Unit, distance: float) -> MoveSpec | None:
    """The move of an evade that goes so far, cm; it need not be legal. None where the units touch
    or no ways are found."""
    bodies = stands_of(state, unit)
    pair = nearest_pairs(bodies, stands_of(state, target))[0]
    v = away_from(pair)
    if v is None:
        return None
    pace = pace_of(state, unit, "evade").allowance
    rects = [rect_of(body) for body in bodies]
    x, y = middle(rects)
    poses = as_block(rects, (x + distance * v[0], y + distance * v[1]), 0.0)
    ends = {body.id: pose for body, pose in zip(bodies, poses, strict=True)}
    spec = MoveSpec(unit=unit.id, kind="evade", stands=(), allowance=pace, target=target.id)
    stands: tuple[StandMove, ...] = plan_move(
        state, spec, ends, first=pair.own.id, detours=False
    ).stands
    if not stands:
        return None
    return MoveSpec(unit=unit.id, kind="evade", stands=stands, allowance=pace, target=target.id)
