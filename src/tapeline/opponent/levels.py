"""Levels of strength, and the weights of what a position is worth. Weights are data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["LEVELS", "Level", "Weights", "weights_of"]


class Weights(NamedTuple):
    """How much each part of `worth` counts, a point of the score counting 1.

    score: points scored. hold: what zones held now promise. carry: a marker in hand. near: how much
    of that a body that still has to walk brings. figure: a body on the table; lasting: so much more
    for each round that it has still to come, as `later` counts those. prize: what it is worth to
    the enemy when struck. rest: power by which what is left of a regiment counts, so that one that
    is nearly gone is worth finishing. idle: what is lost of a body while it can do nothing. risk:
    being where an enemy can come to; chance: having an enemy where one can come to. contact: an
    enemy reached. later: a round to come against the present one. order: how far it is heeded whose
    turn in this round is over, and whose is to come; 0 where sides act by turns, figure by figure.
    leader: what a body of no unit, where others are in units, is worth more to those who can come
    to it. answered: 1 where the best actions are played on until the enemy has answered, 0 where
    that showed no help; exact: so with each result of the dice, where the level asks for it. ways:
    1 where ways to zones are looked at, who stands in them and who has still to act in the round, 0
    where distances are. sure: how surely who can come to a zone in time is taken to be there.
    detour: moves that it takes to go round those who leave no way to a zone. fire: what shots to
    come may take.
    """

    score: float = 1.0
    hold: float = 0.8
    carry: float = 0.8
    near: float = 0.6
    figure: float = 0.5
    lasting: float = 0.0
    prize: float = 1.0
    rest: float = 0.6
    idle: float = 0.4
    risk: float = 0.15
    chance: float = 0.1
    contact: float = 0.1
    later: float = 0.8
    order: float = 0.0
    leader: float = 0.0
    answered: float = 1.0
    exact: float = 1.0
    ways: float = 0.0
    sure: float = 2.0
    detour: float = 1.5
    fire: float = 0.0


@dataclass(frozen=True, slots=True)
class Level:
    """How hard an opponent thinks; in counts, not seconds, so that a seed gives the same game.

    actors: bodies looked at for one action. places: tried for each. throws: of the dice, for an
    action that has some. exact: results of its dice up to which each is looked at instead, with its
    exact chance. deep: candidates that are played on until the enemy has answered; rollouts: how
    many times each of the best two at most. slip: the chance to take any of the better half instead
    of the best. order: whether it heeds whose turn is over and whose is to come, where that counts.
    """

    name: str
    actors: int
    places: int
    throws: int
    deep: int = 0
    rollouts: int = 0
    slip: float = 0.0
    order: bool = True
    exact: int = 0


LEVELS = {
    level.name: level
    for level in (
        Level("novice", actors=2, places=3, throws=1, slip=1.0, order=False),
        Level("steady", actors=6, places=6, throws=4, slip=0.02),
        Level("sharp", actors=10, places=10, throws=6, deep=4, rollouts=6, exact=40),
    )
}


@cache
def weights_of(system: str, level: str = "") -> Weights:
    """The weights for a system: those tuned for a level in it, else for it, else those for all."""
    path = Path(__file__).with_name("weights.json")
    known = json.loads(path.read_text(encoding="utf-8"))
    return Weights(
        **{**known.get("", {}), **known.get(system, {}), **known.get(f"{system} {level}", {})}
    )
