"""Chances for what a system leaves to the players, so that a table can play alone.

A system that only keeps what people attest (a shot, a blow) may state a table of chances in
`System.attested`; nobody but a computer opponent uses it, and no ruling depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from tapeline.engine.state import State
from tapeline.table.marks import Value

__all__ = ["Chances"]


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each result is, as weights.

    slot: the field of the action it goes into, "" for the answer to a question. A result of None:
    the action is not done. once: a mark of the actor with which it is not done again. within: the
    farthest target, base to base, table units. seen: whether the actor must see the target.
    befalls: nobody chooses it; it is drawn once a turn for every unit and lone body, of any side,
    whose id this is true of.
    """

    weights: Mapping[Value, int] = field(default_factory=dict)
    slot: str = ""
    once: str = ""
    within: float | None = None
    seen: bool = False
    befalls: Callable[[State, str], bool] | None = None

    def draw(self, rng: Random) -> Value:
        """One result."""
        return rng.choices([*self.weights], [*self.weights.values()])[0]
