"""Legal actions of whoever must act, drawn at random where a choice is continuous."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.rules.mordheim.actions import (
    Cast,
    Charge,
    CloseDeclarations,
    Compulsory,
    Crawl,
    DeclareCharge,
    EndPhase,
    Hide,
    Move,
    Rally,
    Result,
    Shoot,
    StandUp,
    Strike,
)
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.nearest import longest_beginning
from tapeline.rules.mordheim.state import (
    CHARGING,
    COMPULSORY,
    DECLARING,
    HAND_TO_HAND,
    RECOVERY,
    SHOOTING,
    charge_result,
    charging_allowance,
    engaged_with,
    is_standing,
    movement,
    of_side,
    step,
)
from tapeline.rules.mordheim.steps import must_move, to_charge
from tapeline.rules.mordheim.waypoints import waypoints
from tapeline.table.bodies import Body

__all__ = ["offers"]

_RESULTS: tuple[Result, ...] = ("nothing", "nothing", "knocked_down", "stunned", "out")
#: Models for which moves are drawn, and enemies to charge or shoot at.
_MOVERS = 3
_TARGETS = 3


def _legal(state: State, action: Action) -> bool:
    return not BOOK.check(type(action), Context(state, action, None))[0]


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions, in random order; each judges legal in this state."""
    side = state.turn.active
    mine = of_side(state, side)
    rng.shuffle(mine)
    now = step(state)
    if not state.bodies:
        return
    if state.turn.phase == RECOVERY:
        yield from _recovery(state, mine)
        yield EndPhase()
    elif now == DECLARING:
        yield from _declarations(state, mine, rng)
        yield CloseDeclarations()
    elif now == CHARGING:
        for body in to_charge(state):
            yield Charge(actor=body.id)
    elif now == COMPULSORY:
        for body in must_move(state):
            yield Compulsory(actor=body.id)
    elif state.turn.phase == SHOOTING:
        yield from _shots(state, mine, rng)
        yield EndPhase()
    elif state.turn.phase == HAND_TO_HAND:
        yield from _blows(state, rng)
        yield EndPhase()
    else:
        waiting = [body for body in mine if not body.has("moved")]
        for body in waiting[:_MOVERS]:
            yield from _moves(state, body, rng)
        last = state.progress.get("last")
        if isinstance(last, str) and last in state.bodies:
            hiding = Hide(actor=last)
            if not state.body(last).has("hidden") and _legal(state, hiding):
                yield hiding
        yield EndPhase()


def _recovery(state: State, mine: list[Body]) -> Iterator[Action]:
    for body in mine:
        for action in (Rally(actor=body.id), StandUp(actor=body.id)):
            if _legal(state, action):
                yield action


def _declarations(state: State, mine: list[Body], rng: Random) -> Iterator[Action]:
    for body in mine:
        if charge_result(body):
            continue
        enemies = sorted(state.enemies(body), key=lambda e: math.dist(e.centre, body.centre))
        near = [
            e
            for e in enemies
            if math.dist(e.centre, body.centre) < 1.5 * charging_allowance(body) + 2.0
        ][:_TARGETS]
        rng.shuffle(near)
        for enemy in near:
            targets: tuple[str, ...] = (enemy.id,)
            others = [e.id for e in near if e.id != enemy.id]
            if others and rng.random() < 0.2:
                targets = (enemy.id, rng.choice(others))
            dive = body.z > enemy.z and rng.random() < 0.5
            action = DeclareCharge(actor=body.id, targets=targets, dive=dive)
            if _legal(state, action):
                yield action


def _wander(state: State, body: Body, rng: Random, far: float) -> LegPath:
    """A random path: towards a way up or down now and then, else anywhere."""
    ways = waypoints(state, body)
    if ways and rng.random() < 0.5:
        return rng.choice(ways)
    x, y = body.x, body.y
    legs = []
    for share in (0.6, 0.4) if rng.random() < 0.5 else (1.0,):
        angle, length = rng.uniform(0.0, math.tau), share * far * math.sqrt(rng.random())
        x, y = x + length * math.cos(angle), y + length * math.sin(angle)
        x, y = min(max(x, 0.0), state.table.width), min(max(y, 0.0), state.table.depth)
        legs.append(Leg(to=(x, y)))
    return tuple(legs)


def _moves(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if not is_standing(body):
        crawl = Crawl(actor=body.id)
        if _legal(state, crawl):
            yield crawl
            path = longest_beginning(state, replace(crawl, path=_wander(state, body, rng, 2.0)))
            if path:
                yield replace(crawl, path=path)
        return
    for run in (False, True):
        plain = Move(actor=body.id, run=run)
        if not _legal(state, plain):
            continue
        far = charging_allowance(body) if run else movement(body)
        path = longest_beginning(state, replace(plain, path=_wander(state, body, rng, far)))
        if path:
            yield replace(plain, path=path)
        if not run:
            yield plain
    hiding = Hide(actor=body.id)
    if _legal(state, hiding):
        yield hiding


def _shots(state: State, mine: list[Body], rng: Random) -> Iterator[Action]:
    for body in mine:
        if body.has("shot"):
            continue
        enemies = list(state.enemies(body))
        rng.shuffle(enemies)
        for enemy in enemies[:1]:
            result = rng.choice(_RESULTS)
            for action in (
                Shoot(actor=body.id, target=enemy.id, result=result),
                Cast(actor=body.id),
            ):
                if _legal(state, action):
                    yield action


def _blows(state: State, rng: Random) -> Iterator[Action]:
    for body in state.bodies.values():
        for enemy_id in engaged_with(body):
            action = Strike(actor=body.id, target=enemy_id, result=rng.choice(_RESULTS))
            if not body.has("struck") and _legal(state, action):
                yield action
