"""How a system says in which ways one could strike another when it acts next.

An attack is a script for the referee: a state as it will be then, actions in order, and what counts
as having struck. Analysis plays it with every result of the dice; no rule is known there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.actions import Action
from tapeline.engine.state import State
from tapeline.table.bodies import Body

__all__ = ["Attack", "Attacking", "Placed", "placing"]


#: The state in which a target stands at a place (x, y, height, table units), facing so or as ever.
Placed: TypeAlias = Callable[[State, str, tuple[float, float, float], float | None], State]


@dataclass(frozen=True, slots=True)
class Attack:
    """One way in which a body or unit could strike another.

    way: a word or two for it. state: the game as it is when it begins. actions: what is done, in
    order; where one is illegal the attack has failed. strikes: whether it has struck, in the state
    after them.
    """

    by: str
    target: str
    way: str
    state: State
    actions: tuple[Action, ...]
    strikes: Callable[[State], bool]


def placing(parted: Callable[[State, str], State] | None = None) -> Placed:
    """How a body comes to stand elsewhere. parted: the state in which it is out of the fight that
    it was in where it stood; nothing of the kind unless given."""

    def placed(
        state: State, target: str, place: tuple[float, float, float], facing: float | None
    ) -> State:
        before = state.body(target)
        moved = state.with_body(before.at(*place, facing))
        if parted is None or (before.x, before.y, before.z) == place:
            return moved
        return parted(moved, target)

    return placed


_MOVED = placing()


def _bodies(state: State, side: str) -> Iterator[str]:
    return (body.id for body in state.bodies.values() if body.side == side)


def _itself(state: State, name: str) -> tuple[Body, ...]:
    return (state.body(name),)


def _anything(state: State, action: Action) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Attacking:
    """What a system says of attacks to come.

    attacks: the ways in which one (first id) could strike another where it stands. far: how far
    the nearest point of a base may be from the middle of the attacker, or of each of its bodies,
    for it to be struck by whatever could be done; table units. sure: whether nothing else could
    strike that is likelier than the attacks; where it is false their chance is a least one.
    terms: what is taken for granted, in sentences. fighters: ids of those on a side that could
    strike or be struck; bodies: those that one of them consists of. placed: the state in which a
    target stands elsewhere. allows: whether no clause bars an action, where that is told sooner
    than by judging it.
    """

    attacks: Callable[[State, str, str], Iterator[Attack]]
    far: Callable[[State, str], float]
    terms: tuple[str, ...]
    sure: bool = False
    fighters: Callable[[State, str], Iterator[str]] = _bodies
    bodies: Callable[[State, str], tuple[Body, ...]] = _itself
    placed: Placed = _MOVED
    allows: Callable[[State, Action], bool] = _anything
