"""What a path costs: its length, doubled over Difficult ground, and the ledger of it."""

from __future__ import annotations

from collections.abc import Sequence

from tapeline.engine.referee import Run
from tapeline.rules.trench_crusade.book import DIFFICULT_FACTOR
from tapeline.rules.trench_crusade.ground import Stretch
from tapeline.travel.route import Route

__all__ = ["cost_of", "enter_ledger", "spent_at"]


def cost_of(track: Route, difficult: Sequence[Stretch]) -> float:
    """Inches of allowance a track takes. difficult: its stretches there, apart and in order."""
    return track.length + (DIFFICULT_FACTOR - 1.0) * sum(
        max(0.0, min(part.end, track.length) - part.start) for part in difficult
    )


def spent_at(track: Route, difficult: Sequence[Stretch], allowance: float) -> float:
    """How far along the track the allowance is spent; its whole length if it is not."""
    at, left = 0.0, allowance
    for part in difficult:
        free = part.start - at
        if left <= free:
            return at + left
        left -= free
        slow = (part.end - part.start) * DIFFICULT_FACTOR
        if left <= slow:
            return part.start + left / DIFFICULT_FACTOR
        left -= slow
        at = part.end
    return min(track.length, at + left)


def enter_ledger(run: Run, track: Route, difficult: Sequence[Stretch]) -> None:
    """One line a leg and kind of ground."""
    for number, (start, piece) in enumerate(track.marked, 1):
        leg = f"leg {number}"
        if piece.length <= 0.0:
            run.pay(f"{leg}, turn", 0.0, 1.0, 0.0, "TC-MOVE-3")
            continue
        end = start + piece.length
        slow = sum(max(0.0, min(part.end, end) - max(part.start, start)) for part in difficult)
        if slow < piece.length:
            free = piece.length - slow
            run.pay(leg, free, 1.0, free, "TC-MOVE-4")
        if slow > 0.0:
            cost = slow * DIFFICULT_FACTOR
            run.pay(f"{leg}, difficult", slow, DIFFICULT_FACTOR, cost, "TC-TER-2")
            run.cite("TC-TER-6")
