"""TC-KW-2: a SKIRMISHER that is charged steps aside, and who is charged after that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.dice import Roll
from tapeline.engine.asks import Choice, Option
from tapeline.engine.paths import legs_from_value
from tapeline.engine.referee import Procedure, Run
from tapeline.rules.trench_crusade.actions import Walk
from tapeline.rules.trench_crusade.approach import approach
from tapeline.rules.trench_crusade.measures import holding
from tapeline.rules.trench_crusade.moves import carry_out
from tapeline.rules.trench_crusade.nearest import refuse_path
from tapeline.rules.trench_crusade.state import is_down

__all__ = ["evade", "switched"]


def evade(run: Run, target_id: str) -> Procedure:
    """A SKIRMISHER steps aside."""
    target = run.state.bodies[target_id]
    if not target.keyword("SKIRMISHER") or is_down(target) or holding(run.state, target):
        return
    evades = yield from run.choose(
        Choice(
            target.side,
            f"{target.name} is charged: does it evade?",
            "TC-KW-2",
            "one",
            (Option(True, "evade D3 in"), Option(False, "stay")),
            default=False,
            about=target_id,
        )
    )
    if evades is not True:
        return
    faces = yield from run.roll(
        Roll(1, f"{target.name} evades, D3 inches", "TC-KW-2", target.side, about=target_id),
        lambda faces: math.ceil(faces[0] / 2),
    )
    run.cite("TC-ROLL-6", "TC-ACT-4")
    reach = float(math.ceil(faces[0] / 2))
    value = yield from run.choose(
        Choice(
            target.side,
            f"{target.name} evades up to {reach:g} in: along which path?",
            "TC-KW-2",
            "path",
            default=(),
            about=target_id,
        )
    )
    path = legs_from_value(value)
    refuse_path(run, Walk(target_id, path, reach, "evade", ()))
    yield from carry_out(run, target_id, path, "TC-KW-2", allowance=reach)


def switched(run: Run, charger_id: str, target_id: str, forbid: Sequence[str]) -> str:
    """The target after an evasion: whoever interposes now, else the same."""
    seen = {target_id}
    while True:
        mover, target = run.state.bodies[charger_id], run.state.bodies[target_id]
        plan = approach(run.state, mover, target, forbid)
        if plan is None or not plan.interposers:
            return target_id
        new = next((e for _, e in plan.interposers if e.id not in seen), None)
        if new is None:
            return target_id
        run.happened(
            "target switched",
            f"{new.name} now interposes and is charged instead",
            "TC-CHG-4",
            about=new.id,
        )
        target_id = new.id
        seen.add(target_id)
