"""What a side may know of a match in which the sides hide from one another what they set up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tapeline.engine.deployment_actions import PickUp, SetUp, held_with
from tapeline.engine.state import State
from tapeline.play.entries import Entry
from tapeline.play.match import Match

__all__ = ["hides_set_up", "seen_by"]

#: Actions of setting up that name where something stands, or that it does.
_TELLING = (SetUp.kind, PickUp.kind)


def hides_set_up(state: State) -> bool:
    """Whether a set-up goes on that the sides hide from one another."""
    return state.deployment is not None and state.deployment.hidden


def seen_by(match: Match, sides: Collection[str]) -> Match:
    """The match as those who move these sides may know it: itself, unless a set-up is hidden.

    Else what the others set up waits in their trays still, and their entries have no action and no
    events. It is to be looked at only: what is done counts on the match itself.
    """
    start = match.battles[0].state
    if not hides_set_up(match.battle.state) or {s.id for s in start.sides} <= {*sides}:
        return match

    def told(entry: Entry) -> Entry:
        action = entry.action
        if action is None or action["kind"] not in _TELLING:
            return entry
        if held_with(start, action["actor"]).side in sides:
            return entry
        return replace(entry, action=None, events=())

    return match.retold(told)
