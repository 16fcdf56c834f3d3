"""Legal actions of whoever must act, drawn at random where a choice is continuous."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Literal

from tapeline.engine.actions import Action
from tapeline.engine.limits import within
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.plain_offers import wander
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.actions import (
    Activate,
    Charge,
    Dash,
    EndActivation,
    Fight,
    Move,
    NextTurn,
    Retreat,
    Shoot,
    Walk,
)
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.escape import ways_out
from tapeline.rules.trench_crusade.figures import CHARGE_RANGE_IN
from tapeline.rules.trench_crusade.measures import gap, holding
from tapeline.rules.trench_crusade.nearest import longest_prefix
from tapeline.rules.trench_crusade.policy import in_space
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import (
    MOVES,
    activation,
    carries,
    is_down,
    movement,
    unactivated,
)
from tapeline.rules.trench_crusade.wandering import ways_up_and_down
from tapeline.table.bodies import Body

__all__ = ["offers"]

#: Paths tried for one offer of a move.
_TRIES = 3


def _legal(state: State, action: Action) -> bool:
    return not BOOK.check(type(action), Context(state, action, None))[0]


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions, in random order; each judges LEGAL (or CHOICE) in this state."""
    current = activation(state)
    if current is None or current.over:
        side = state.turn.active
        waiting = unactivated(state, side)
        rng.shuffle(waiting)
        for body in waiting:
            yield Activate(actor=body.id)
        if not any(unactivated(state, s.id) for s in state.sides) and state.bodies:
            yield NextTurn()
        return
    body = state.body(current.actor)
    makers: list[Callable[[State, Body, Random], Iterator[Action]]] = [
        _moves,
        _dashes,
        _charges,
        _retreats,
        _fights,
        _shots,
    ]
    rng.shuffle(makers)
    for maker in makers:
        yield from maker(state, body, rng)
    yield EndActivation(actor=body.id)


def _wander(state: State, body: Body, rng: Random, manner: str) -> LegPath | None:
    """A random path cut to what is legal; None if nothing but staying is."""
    held = tuple(enemy.id for enemy in holding(state, body))
    allowance = movement(state, body)
    kind: Literal["dash", "move"] = "dash" if manner == "dash" else "move"
    if in_space(state, body):
        for path in ways_up_and_down(state, body, allowance, rng)[:_TRIES]:
            up = longest_prefix(state, Walk(body.id, path, allowance, kind, held))
            if up is not None and up[0]:
                return up[0]
    for _ in range(_TRIES):
        walk = Walk(body.id, wander(body.centre, allowance, rng), allowance, kind, held)
        found = longest_prefix(state, walk)
        if found is not None and found[0]:
            return found[0]
    return None


def _moves(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if not _legal(state, Move(actor=body.id)):
        return
    path = _wander(state, body, rng, "move")
    if path is not None:
        yield Move(actor=body.id, path=path)
    else:
        yield Move(actor=body.id)


def _dashes(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if not _legal(state, Dash(actor=body.id)):
        return
    path = _wander(state, body, rng, "dash")
    if path is not None:
        yield Dash(actor=body.id, path=path)
    else:
        yield Dash(actor=body.id)


def _charges(state: State, body: Body, rng: Random) -> Iterator[Action]:
    current = activation(state)
    if current is None or MOVES.intersection(current.taken) or is_down(body):
        return
    if holding(state, body) and state.option("charge_from_within_1") == "forbid":
        return
    targets = [e for e in state.enemies(body) if within(gap(body, e), CHARGE_RANGE_IN)]
    rng.shuffle(targets)
    if in_space(state, body):
        del targets[_TRIES:]  # routes over storeys take long to find
    for target in targets:
        action = Charge(actor=body.id, target=target.id)
        context = Context(state, action, None)
        if not visible(state, body, target):
            continue
        plan = context.approach
        if plan is None or plan.interposers or BOOK.check(Charge, context)[0]:
            continue
        yield action


def _retreats(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if not _legal(state, Retreat(actor=body.id)):
        return
    ends = list(ways_out(state, body, movement(state, body)))
    rng.shuffle(ends)
    for end in ends:
        action = Retreat(actor=body.id, path=(Leg(to=end),))
        if _legal(state, action):
            yield action
            break
    else:
        yield Retreat(actor=body.id)


def _fights(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for enemy in holding(state, body):
        action = Fight(actor=body.id, target=enemy.id)
        if _legal(state, action):
            yield action


def _shots(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for weapon in carries(body):
        action = Shoot(actor=body.id, weapon=weapon.name)
        if not weapon.melee and _legal(state, action):
            yield action
