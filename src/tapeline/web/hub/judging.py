"""The referee asked without consequences, as functions of a match, by name.

Each takes the match and plain JSON values and gives a document, so that it may as well be asked of
another process that follows the log of the match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from tapeline.errors import DocumentError, Fault
from tapeline.play.battle import Battle
from tapeline.play.match import Match, judged_again
from tapeline.web.documents.match import Again
from tapeline.web.documents.verdict import Verdict
from tapeline.web.hub.deeds import try_answer
from tapeline.web.hub.links import Holder
from tapeline.web.views.asked import Place, odds_view, reach_view, route_view
from tapeline.web.views.verdicts import verdict_of

__all__ = ["ASKED", "Arguments", "judge_again", "verdict_on"]

Arguments = Mapping[str, Any]


def verdict_on(battle: Battle, document: Any, *, nearest: bool = True) -> Verdict:
    """The verdict on an action. Raises DocumentError, AnswerError while a question is open.

    nearest: whether a refusal comes with the nearest legal move.
    """
    action = battle.action(document)
    return verdict_of(battle, action, battle.judge(action, nearest=nearest))


def judge_again(match: Match, number: int) -> Again:
    """Whether the referee rules an entry as before, and in words what differs."""
    if not 1 <= number <= len(match.entries):
        message = f"must be from 1 to {len(match.entries)}"
        raise DocumentError("judge again", [Fault("n", message)])
    what = match.entries[number - 1].what
    if what == "undo":
        return Again(same=True, message="An undo is not judged.")
    differs = judged_again(match, number)
    if differs is not None:
        return Again(same=False, message=f"Entry {number}: {differs}.")
    if what == "override":
        words = "Agreed on by the players; the referee takes it as it is."
        return Again(same=True, message=words)
    return Again(same=True, message="The referee rules as before.")


def _trial(match: Match, said: Arguments) -> Verdict:
    return verdict_on(match.battle, said["action"], nearest=said["nearest"])


def _trial_answer(match: Match, said: Arguments) -> Verdict:
    holder = Holder(said["role"], tuple(said["sides"]))
    return try_answer(match.battle, holder, said["path"])


def _reach(match: Match, said: Arguments) -> BaseModel:
    return reach_view(match.battle, said["body"], said["kind"], said["storey"])


def _route(match: Match, said: Arguments) -> BaseModel | None:
    x, y, z = said["to"]
    to: Place = (x, y) if z is None else (x, y, z)
    return route_view(match.battle, said["body"], said["kind"], to)


def _odds(match: Match, said: Arguments) -> BaseModel:
    return odds_view(match.battle, match.battle.action(said["action"]))


def _again(match: Match, said: Arguments) -> BaseModel:
    return judge_again(match, said["n"])


#: What can be asked, by name.
ASKED: dict[str, Callable[[Match, Arguments], BaseModel | None]] = {
    "try": _trial,
    "try answer": _trial_answer,
    "reach": _reach,
    "route": _route,
    "odds": _odds,
    "again": _again,
}
