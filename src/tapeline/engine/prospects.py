"""What a system tells of the moves and shots that are still to come in a round: numbers for whoever
looks ahead, such as the computer opponent. No verdict rests on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.table.bodies import Body

__all__ = ["Prospects"]


@dataclass(frozen=True, slots=True)
class Prospects:
    """What is still to come.

    to_act: ids of the bodies of all sides that have still to act in the round; to_shoot: of those
    that may still shoot in it. moves_to: how many usual moves a body needs to a place, turns too,
    were nobody in the way. harm: how many models a shot of one body at another takes on average,
    from so far away, table units; 0 where it cannot shoot so far.
    """

    to_act: Callable[[State], frozenset[str]]
    to_shoot: Callable[[State], frozenset[str]]
    moves_to: Callable[[State, Body, Point], float]
    harm: Callable[[Body, Body, float], float]
