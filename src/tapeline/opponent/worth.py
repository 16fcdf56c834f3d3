"""What a position is worth to a side: by the goals of its game, who stands, and who threatens whom.

Distances are as the crow flies: the moves that are compared were laid by the referee, round
everything; only what is left to walk after them is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from tapeline.engine.game import Game
from tapeline.engine.prospects import Prospects
from tapeline.engine.score import able, chosen, figures, is_idle, marker, points_of, to_edge
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.opponent.levels import Weights
from tapeline.opponent.ways import moves_into
from tapeline.table.bodies import Body
from tapeline.table.goals import CarryDoc, HoldDoc, LastDoc, LeaveDoc, ReachDoc, StrikeDoc
from tapeline.table.solids import ground_of
from tapeline.table.terrain import Outline

__all__ = ["Worth", "worth"]

#: A game won or lost, in points.
_WON = 20.0
#: Length, as a share of a move: so near counts as contact.
_TOUCH = 0.1
#: How sure a zone is that one body more holds.
_MAJORITY = 1.4
#: How surely a body on its way goes to the nearest zone: 0 for any of them alike.
_SURE = 2.0
#: Exponent from which on a zone is out of reach.
_NEVER = 30.0
#: Share of a move by which a way that ends just there is sure enough.
_EASE = 0.1


@dataclass
class Worth:
    """A value in points, with its parts by name."""

    parts: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """All parts together."""
        return sum(self.parts.values())

    def add(self, part: str, value: float) -> None:
        """Add to a part."""
        self.parts[part] = self.parts.get(part, 0.0) + value


def worth(
    state: State,
    side: str,
    far: Mapping[str, float],
    weights: Weights,
    system: System | None = None,
) -> Worth:
    """What a state is worth to a side against the others.

    far: the longest moves, by body. system: tells with which marks a body can do nothing where no
    game says so, and of ways to zones.
    """
    found = Worth()
    game, idle = state.game, system.idle if system else ()
    points = points_of(state)
    ahead = points[side] - max(n for other, n in points.items() if other != side)
    found.add("points", weights.score * ahead)
    if game is not None and game.over:
        found.add("the end", _WON * ((ahead > 0) - (ahead < 0)))
        return found
    ready = {
        body.id
        for body in state.bodies.values()
        if (able(state, body) if game else not is_idle(state, body, idle))
    }
    view = _View(state, side, far, weights, ready, _prizes(state, weights.prize), system)
    if game is not None:
        _goals(view, game, found)
    _standing(view, found)
    if weights.fire and system is not None and system.prospects is not None:
        _fire(view, system.prospects, found)
    if weights.risk or weights.chance or weights.contact:
        _threats(view, found)
    return found


class _View(NamedTuple):
    """What is weighed. ready: ids of who can act; prize: what enemies get for each body."""

    state: State
    side: str
    far: Mapping[str, float]
    weights: Weights
    ready: set[str]
    prize: Mapping[str, float]
    system: System | None


def _goals(view: _View, game: Game, found: Worth) -> None:
    state, side, far, weights, ready, _, _ = view
    left = max(1, game.rounds - state.turn.round + 1)
    ends = sum(weights.later**n for n in range(left))
    counted = set(game.score.texts("counted"))
    grounds = {zone.id: zone.outline for zone in state.table.zones}
    bodies = [body for body in state.bodies.values() if body.id in ready]
    held = dict.fromkeys(
        goal.zone for goal in game.goals if isinstance(goal, HoldDoc) and goal.id not in counted
    )
    shares_of = _shares(view, bodies, {zone: grounds[zone] for zone in held}, left)
    for goal in game.goals:
        sign = 1.0 if goal.side in (None, side) else -1.0
        if goal.id in counted:
            continue
        value = weights.hold * goal.points
        if isinstance(goal, HoldDoc):
            shares = shares_of[goal.zone]
            if goal.each == "end":
                shares = shares[-1:]
            if goal.side is not None:
                shares = [(max(0.0, sign * share) * sign, times) for share, times in shares]
            found.add(goal.name or goal.id, value * sum(s * times for s, times in shares))
        elif isinstance(goal, CarryDoc):
            times = ends if goal.each == "round" and goal.zone is None else 1.0
            (x, y), by = marker(state, goal)
            mine = [b for b in bodies if goal.side in (None, b.side)]
            zone = None if goal.zone is None else grounds[goal.zone]
            share = _carrying(state, mine, side, (x, y), by, zone, far)
            value = weights.carry * goal.points
            found.add(goal.name or goal.id, value * times * share)
        elif isinstance(goal, ReachDoc | LeaveDoc):
            for body in bodies:
                if f"{goal.id}:{body.id}" in counted or not chosen(state, body, goal):
                    continue
                if isinstance(goal, ReachDoc):
                    away = max(0.0, -ground_of(grounds[goal.zone]).depth(body.x, body.y))
                else:
                    away = max(0.0, to_edge(state, goal.edge, body) - goal.within)
                walk = away / max(far.get(body.id, 1.0), 1e-6)
                hope = max(0.0, 1.0 - walk / (left + 1.0))
                found.add(goal.name or goal.id, sign * value * hope)
        elif isinstance(goal, LastDoc):
            mine = [body for body in bodies if chosen(state, body, goal)]
            hope = min(1.0, len(mine) / (goal.least + 1))
            found.add(goal.name or goal.id, sign * value * hope)


def _shares(
    view: _View, bodies: list[Body], grounds: Mapping[str, Outline], left: int
) -> dict[str, list[tuple[float, float]]]:
    """For each zone at the end of each round to come, from -1 (the enemy's) to 1 (ours): whose it
    will be; and how much that counts now. Nearly all of it is whoever has one body more. A body
    counts once: where it stands, else shared among the zones it may go to, the nearest most."""
    later = [view.weights.later**n for n in range(left)]
    to_come, steep = _to_come(view), view.weights.sure
    more = {zone: [0.0] * left for zone in grounds}
    for body in bodies:
        sign = 1.0 if body.side == view.side else -1.0
        inside, moves = _moves(view, body, grounds)
        come = to_come[body.id]
        for zone in inside:
            more[zone] = [one + sign for one in more[zone]]
        for n in range(0 if inside else left):
            hopes = {
                zone: 1.0 / (1.0 + math.exp(min(steep * (away - n - come), _NEVER)))
                for zone, away in moves.items()
                if away < n + 4.0 and n + come > 0.0
            }
            whole = sum(hope**_SURE for hope in hopes.values())
            for zone, hope in hopes.items():
                more[zone][n] += sign * view.weights.near * hope ** (1.0 + _SURE) / whole
    return {
        zone: [(math.tanh(_MAJORITY * one), later[n]) for n, one in enumerate(found)]
        for zone, found in more.items()
    }


def _moves(
    view: _View, body: Body, grounds: Mapping[str, Outline]
) -> tuple[list[str], dict[str, float]]:
    """The zones that a body is in; and how many moves take it into each, those that others leave
    it no way to by going round them, where that is looked at."""
    far = max(view.far.get(body.id, 1.0), 1e-6)
    away = {zone: -ground_of(one).depth(body.x, body.y) / far for zone, one in grounds.items()}
    inside = [zone for zone, moves in away.items() if moves <= 0.0]
    weights, system = view.weights, view.system
    if inside or not weights.ways or system is None or system.prospects is None:
        return inside, away
    moves = partial(moves_into, system.prospects.moves_to, view.state, body)
    return inside, {zone: moves(one, weights.detour) - _EASE for zone, one in grounds.items()}


def _to_come(view: _View) -> dict[str, float]:
    """The moves that each body still has in this round: where ways are looked at 1 if it has still
    to act, else 0. By sides, where each has a turn of its own: 1 before it and 0 after it, else
    half of one, as in one's turn."""
    state, system = view.state, view.system
    if view.weights.ways and system is not None and system.prospects is not None:
        acts = system.prospects.to_act(state)
        return {name: float(name in acts) for name in state.bodies}
    turn, sides = state.turn, [side.id for side in state.sides]
    first = sides.index(turn.initiative) if turn.initiative in sides else 0
    order = [*sides[first:], *sides[:first]]
    now = order.index(turn.active) if turn.active in sides else 0
    half = 0.5 * view.weights.order
    come = {side: 0.5 + half * ((place > now) - (place < now)) for place, side in enumerate(order)}
    return {name: come[body.side] for name, body in state.bodies.items()}


def _carrying(
    state: State,
    bodies: list[Body],
    side: str,
    at: tuple[float, float],
    by: str,
    zone: Outline | None,
    far: Mapping[str, float],
) -> float:
    """From -1 to 1: who has a marker or is near it, and how far it is from where it shall go."""
    if by:
        body = state.bodies[by]
        sign = 1.0 if body.side == side else -1.0
        if zone is None:
            return sign * 0.7
        away = max(0.0, -ground_of(zone).depth(body.x, body.y))
        return sign * (0.5 + 0.45 * math.exp(-away / (2.0 * far.get(by, 1.0))))
    best = {True: 0.0, False: 0.0}
    for body in bodies:
        away = max(0.0, math.dist(at, body.centre) - body.base.reach)
        near = 0.45 * math.exp(-away / (1.5 * max(far.get(body.id, 1.0), 1e-6)))
        best[body.side == side] = max(best[body.side == side], near)
    return best[True] - best[False]


def _standing(view: _View, found: Worth) -> None:
    """Who is on the table and can act; whoever is worth points when struck counts so much more, a
    regiment as many models as it has left."""
    state, side, _, weights, ready, _, _ = view
    most = max((_models(body) for body in state.bodies.values()), default=1)
    for body in state.bodies.values():
        value = _left(view, body, _models(body), most)
        if body.id not in ready:
            value *= 1.0 - weights.idle
        found.add("figures", value if body.side == side else -value)


def _figure(view: _View) -> float:
    """What a whole body on the table is worth, the more the more rounds are to come."""
    weights = view.weights
    return weights.figure + weights.lasting * _then(view.state, weights)


def _then(state: State, weights: Weights) -> float:
    """How much the rounds after this one count."""
    rounds = max(1, state.game.rounds - state.turn.round + 1) if state.game else 1
    return sum(weights.later**n for n in range(1, rounds))


def _left(view: _View, body: Body, models: float, most: int) -> float:
    """What a body is worth of which so many models are left, the largest having `most`."""
    whole = _figure(view) + view.prize.get(body.id, 0.0)
    return whole * math.pow(models / most, view.weights.rest)


def _fire(view: _View, prospects: Prospects, found: Worth) -> None:
    """What shots to come may take, each at whom it harms most from where a move brings it."""
    state, far, weights = view.state, view.far, view.weights
    most = max((_models(body) for body in state.bodies.values()), default=1)
    then = _then(state, weights)
    now = prospects.to_shoot(state)
    for body in state.bodies.values():
        best = 0.0
        for enemy in state.enemies(body) if body.id in view.ready else ():
            apart = math.dist(body.centre, enemy.centre) - body.base.inner - enemy.base.inner
            harm = prospects.harm(body, enemy, max(0.0, apart - far.get(body.id, 0.0)))
            if harm > 0.0:
                models = _models(enemy)
                after = max(0.0, models - harm)
                gain = _left(view, enemy, models, most) - _left(view, enemy, after, most)
                best = max(best, gain)
        if best:
            value = weights.fire * best * ((body.id in now) + then)
            found.add("shots to come", value if body.side == view.side else -value)


def _models(body: Body) -> int:
    """How many models a body is: of a regiment those left, else one."""
    return max(1, body.marks.whole("models"))


def _prizes(state: State, weight: float) -> dict[str, float]:
    """What the goals of enemies pay for each body, shared among the models of a unit."""
    prizes: dict[str, float] = {}
    goals = state.game.goals if state.game else ()
    for goal in goals:
        if not isinstance(goal, StrikeDoc):
            continue
        for one in figures(state, goal.side, goal.targets):
            left = state.bodies_of(one.id)
            for body in left:
                prizes[body.id] = prizes.get(body.id, 0.0) + weight * goal.points / len(left)
    return prizes


def _threats(view: _View, found: Worth) -> None:
    """Who stands where an enemy can come to in its next move."""
    state, side, far, weights, ready, prize, _ = view
    armies = {unit.side for unit in state.units.values()} if weights.leader else ()
    # Those who lead are worth striking, and strike nobody themselves.
    alone = {b.id for b in state.bodies.values() if b.side in armies and not state.unit_of(b.id)}
    strikes = ready - alone
    spots = [
        (body, body.x, body.y, body.base.reach, far.get(body.id, 0.0), body.id in strikes)
        for body in state.bodies.values()
    ]
    ours = [spot for spot in spots if spot[0].side == side]
    theirs = [spot for spot in spots if spot[0].side != side]
    for group, others, sign, weight in (
        (ours, theirs, -1.0, weights.risk),
        (theirs, ours, 1.0, weights.chance),
    ):
        for body, x, y, reach, _, _ in group:
            near = 0
            for _, u, v, wide, move, can in others:
                span = move + reach + wide
                if can and (x - u) * (x - u) + (y - v) * (y - v) <= span * span:
                    near += 1
            if near:
                value = _figure(view) + prize.get(body.id, 0.0)
                value += weights.leader * (body.id in alone)
                found.add("threats", sign * weight * value * (1.0 - 0.6**near))
    for _, x, y, reach, move, can in ours:
        for _, u, v, wide, _, ready_too in theirs if can else ():
            span = reach + wide + _TOUCH * move
            if (x - u) * (x - u) + (y - v) * (y - v) <= span * span:
                found.add("contact", weights.contact * (1.0 if ready_too else 2.0))
