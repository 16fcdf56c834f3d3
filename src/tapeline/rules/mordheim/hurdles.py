"""Climbs and jumps on a way: carried out one by one, each by its own chapter."""

from __future__ import annotations

from collections.abc import Generator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.referee import Run
from tapeline.rules.mordheim import climbing, gaps, jumping
from tapeline.travel.route import Crossing

__all__ = ["cross"]


def cross(run: Run, body_id: str, hurdle: Crossing, left: float) -> Generator[Ask, Answer, bool]:
    """Carry out a climb or a jump with what is left of the allowance, inches.

    Whether the model may go on from the end of the hurdle.
    """
    carried_out = {"jump down": jumping.cross, "gap": gaps.cross}.get(hurdle.kind, climbing.cross)
    return (yield from carried_out(run, body_id, hurdle, left))
