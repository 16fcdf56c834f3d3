"""Climbs and jumps on a way: carried out one by one, each by its own chapter."""

from __future__ import annotations

from collections.abc import Generator

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.referee import Run
from tapeline.rules.mordheim import climbing, gaps, jumping
from tapeline.rules.mordheim.track import Hurdle

__all__ = ["cross"]


def cross(run: Run, body_id: str, hurdle: Hurdle, left: float) -> Generator[Ask, Answer, bool]:
    """Carry out a climb or a jump with what is left of the allowance, inches.

    Whether the model may go on from the end of the hurdle.
    """
    match hurdle.kind:
        case "climb up" | "climb down":
            return (yield from climbing.cross(run, body_id, hurdle, left))
        case "jump down":
            return (yield from jumping.cross(run, body_id, hurdle, left))
        case "gap":
            return (yield from gaps.cross(run, body_id, hurdle, left))
