"""Legal actions in a state, for bots and for trying out: one of each kind that is open."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.state import State
from tapeline.rules.warmaster.actions import (
    EndStep,
)

__all__ = ["offers"]


def offers(state: State, random: Random) -> Iterator[Action]:
    """Legal actions, drawn with the random source."""
    yield EndStep()
