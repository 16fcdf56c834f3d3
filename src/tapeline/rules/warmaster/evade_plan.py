"""An evade planned: the whole unit as one block, straight away from the enemy.

What is planned is judged by the clauses like an evade given stand by stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tapeline.engine.limits import within
from tapeline.engine.state import State
from tapeline.rules.warmaster.actions import Evade, StandMove
from tapeline.rules.warmaster.charging import Check
from tapeline.rules.warmaster.evade import away_from
from tapeline.rules.warmaster.figures import EVADE_LEAST_CM
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.planner import plan_move
from tapeline.rules.warmaster.stands import Point, nearest_pairs, rect_of
from tapeline.rules.warmaster.state import stands_of, unit_of
from tapeline.rules.warmaster.wanted import as_block, middle
from tapeline.table.bodies import Body, Unit

__all__ = ["best_evade", "plan_evade"]

#: Shares of the longest way that are tried, the first legal one taken.
_SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)


def plan_evade(
    state: State, unit: Unit, target: Unit, distance: float, burst: tuple[str, ...] = ()
) -> Iterator[MoveSpec]:
    """Moves of an evade that goes so far, cm; they need not be legal. One for each nearest pair of
    stands (WM-EVADE-4), those with clear ways first; none where the units touch or no ways are
    found."""
    bodies = stands_of(state, unit)
    pace = pace_of(state, unit, "evade").allowance
    rects = [rect_of(body) for body in bodies]
    x, y = middle(rects)
    spec = MoveSpec(
        unit=unit.id, kind="evade", stands=(), allowance=pace, target=target.id, burst=burst
    )
    late: list[MoveSpec] = []
    for first, v in _ways_off(bodies, stands_of(state, target)):
        poses = as_block(rects, (x + distance * v[0], y + distance * v[1]), 0.0)
        ends = {body.id: pose for body, pose in zip(bodies, poses, strict=True)}
        plan = plan_move(state, spec, ends, first=first, detours=False)
        if plan.whole:
            yield replace(spec, stands=plan.stands)
        elif plan.stands:
            late.append(replace(spec, stands=plan.stands))
    yield from late


def _ways_off(mine: Sequence[Body], theirs: Sequence[Body]) -> list[tuple[str, Point]]:
    """Which stand goes first in which direction, for each nearest pair; none twice."""
    found: list[tuple[str, Point]] = []
    for pair in nearest_pairs(mine, theirs):
        v = away_from(pair)
        if v is None or any(
            pair.own.id == first and within(math.dist(v, known), 0.0) for first, known in found
        ):
            continue
        found.append((pair.own.id, v))
    return found


def best_evade(check: Check, state: State, action: Evade) -> tuple[StandMove, ...]:
    """The stands of the longest evade among some that nothing bars; if all are barred, of the
    first of them; empty if there is none.

    check: gives the findings of all clauses about a part of an action in that state.
    """
    unit, target = unit_of(state, action.actor), unit_of(state, action.target)
    pace = pace_of(state, unit, "evade").allowance
    first: MoveSpec | None = None
    for share in _SHARES:
        distance = EVADE_LEAST_CM + share * (pace - EVADE_LEAST_CM)
        for spec in plan_evade(state, unit, target, distance, action.burst):
            if not check(spec):
                return spec.stands
            first = first or spec
    return () if first is None else first.stands
