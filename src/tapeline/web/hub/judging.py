"""The referee asked without consequences: a verdict on a trial move, an entry judged again."""

from __future__ import annotations

from typing import Any

from tapeline.errors import DocumentError, Fault
from tapeline.play.battle import Battle
from tapeline.play.match import Match, judged_again
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views.verdicts import verdict_of

__all__ = ["judge_again", "verdict_on"]


def verdict_on(battle: Battle, document: Any, *, nearest: bool = True) -> Verdict:
    """The verdict on an action. Raises DocumentError, AnswerError while a question is open.

    nearest: whether a refusal comes with the nearest legal move.
    """
    action = battle.action(document)
    return verdict_of(battle, action, battle.judge(action, nearest=nearest))


def judge_again(match: Match, number: int) -> tuple[bool, str]:
    """Whether the referee rules an entry as before, and in words what differs."""
    if not 1 <= number <= len(match.entries):
        message = f"must be from 1 to {len(match.entries)}"
        raise DocumentError("judge again", [Fault("n", message)])
    what = match.entries[number - 1].what
    if what == "undo":
        return True, "An undo is not judged."
    differs = judged_again(match, number)
    if differs is not None:
        return False, f"Entry {number}: {differs}."
    if what == "override":
        return True, "Agreed on by the players; the referee takes it as it is."
    return True, "The referee rules as before."
