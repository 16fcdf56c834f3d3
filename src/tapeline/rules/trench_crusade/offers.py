"""Legal actions of whoever must act, drawn at random where a choice is continuous; and the ways in
which a model could strike another when it is next activated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Literal, TypeAlias

from tapeline.engine.actions import Action
from tapeline.engine.attacks import Attack, Attacking
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.plain_offers import wander
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line
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
from tapeline.rules.trench_crusade.approach import approach
from tapeline.rules.trench_crusade.book import (
    BOOK,
    CHARGE_CAP_IN,
    CHARGE_RANGE_IN,
    LOW_OBSTACLE_IN,
    NEAR_IN,
)
from tapeline.rules.trench_crusade.context import Context, is_legal
from tapeline.rules.trench_crusade.ground import built, in_space, terrain_of
from tapeline.rules.trench_crusade.measures import gap, holding
from tapeline.rules.trench_crusade.moves import longest_prefix
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import (
    MOVES,
    NO_ACTIVATION,
    activation,
    carries,
    flies,
    is_down,
    movement,
    movement_to_come,
    radius,
    unactivated,
)
from tapeline.rules.trench_crusade.ways_out import ways_out
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.table.storeys import TABLE, Surface
from tapeline.travel.terrain import Terrain

__all__ = ["ATTACKING", "offers"]

_Maker: TypeAlias = Callable[[State, Body, Random], Iterator[Action]]

#: Paths tried for one offer of a move.
_TRIES = 3
#: Inches by which the way of a charge may be longer as it is sought than what is walked of it: the
#: last to its target, and what laying it may spare.
_OVER_IN = 2.0 * NEAR_IN
#: Inches between places at which the far side of a gap is looked for.
_STRIDE = 0.25


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions, in random order, but for those that take long to work out, which come last;
    each judges LEGAL (or CHOICE) in this state."""
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
    soon: list[_Maker] = [_fights, _shots]
    later: list[_Maker] = [_moves, _dashes, _retreats]
    rng.shuffle(soon)
    rng.shuffle(later)
    for maker in soon:
        yield from maker(state, body, rng)
    yield EndActivation(actor=body.id)
    for maker in (*later, _charges):
        yield from maker(state, body, rng)


def _wander(state: State, body: Body, rng: Random, kind: Literal["dash", "move"]) -> LegPath | None:
    """A random path cut to what is legal; None if nothing but staying is."""
    held = tuple(enemy.id for enemy in holding(state, body))
    allowance = movement(state, body)
    if in_space(state, body):
        for path in _up_and_down(state, body, allowance, rng)[:_TRIES]:
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
    if is_legal(state, Move(actor=body.id)):
        yield Move(actor=body.id, path=_wander(state, body, rng, "move") or ())


def _dashes(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if is_legal(state, Dash(actor=body.id)):
        yield Dash(actor=body.id, path=_wander(state, body, rng, "dash"))


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
    if not is_legal(state, Retreat(actor=body.id)):
        return
    ends = list(ways_out(state, body, movement(state, body)))
    rng.shuffle(ends)
    for end in ends:
        action = Retreat(actor=body.id, path=(Leg(to=end),))
        if is_legal(state, action):
            yield action
            break
    else:
        yield Retreat(actor=body.id)


def _fights(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for enemy in holding(state, body):
        action = Fight(actor=body.id, target=enemy.id)
        if is_legal(state, action):
            yield action


def _shots(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for weapon in carries(body):
        action = Shoot(actor=body.id, weapon=weapon.name)
        if not weapon.melee and is_legal(state, action):
            yield action


def _up_and_down(state: State, body: Body, allowance: float, rng: Random) -> list[LegPath]:
    """Paths that leave the level a model is on, in random order; not all of them are legal."""
    found: list[LegPath] = []
    if flies(body):
        found += _flights(state, body, allowance, rng)
    elif built(state.table):
        heights = terrain_of(state)
        surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
        if surface is not None:
            found += _ladders(heights, body, allowance)
            for end in _ahead(heights, surface, body, allowance, rng):
                found += _straight_on(heights, surface, body, end)
    rng.shuffle(found)
    return found


def _flights(state: State, body: Body, allowance: float, rng: Random) -> Iterator[LegPath]:
    heights = terrain_of(state)
    for _ in range(3):
        angle, far = rng.uniform(0.0, math.tau), allowance * math.sqrt(rng.random())
        x, y = body.x + far * math.cos(angle), body.y + far * math.sin(angle)
        for surface in heights.storeys.over(x, y, TOLERANCE)[:1]:
            z = surface.height(x, y)
            yield (Leg(to=(x, y), z=z, how="fly"),)
            top = max(z, body.z) + 1.0
            mid = (0.5 * (x + body.x), 0.5 * (y + body.y))
            yield (Leg(to=mid, z=top, how="fly"), Leg(to=(x, y), z=z, how="fly"))


def _ladders(heights: Terrain, body: Body, allowance: float) -> Iterator[LegPath]:
    for ladder in heights.table.ladders:
        for here, there in ((ladder.foot, ladder.head), (ladder.head, ladder.foot)):
            near = math.dist(here[:2], body.centre) <= allowance
            if near and not more_than(abs(here[2] - body.z), 0.0):
                yield Leg(to=here[:2]), Leg(to=there[:2], z=there[2])


def _ahead(
    heights: Terrain, surface: Surface, body: Body, allowance: float, rng: Random
) -> Iterator[tuple[float, float]]:
    """Ends of straight lines worth trying: over edges of its surface, on to other ones."""
    r = radius(body)
    if surface.id != TABLE:
        edges = [e for e in heights.storeys.edges(surface) if e.beyond is not None]
        for edge in rng.sample(edges, min(2, len(edges))):
            x, y = edge.at(rng.random())
            yield x + 1.5 * r * edge.nx, y + 1.5 * r * edge.ny
    box = box_about(*body.centre, allowance + r)
    others = [s for s in heights.storeys.near(box) if s.id not in (TABLE, surface.id)]
    for other in rng.sample(others, min(2, len(others))):
        x, y = other.outer.nearest(body.x, body.y)
        d = math.dist((x, y), body.centre)
        if 0.0 < d <= allowance:
            k = (d + 1.5 * r) / d
            yield body.x + k * (x - body.x), body.y + k * (y - body.y)


def _straight_on(
    heights: Terrain, surface: Surface, body: Body, end: tuple[float, float]
) -> Iterator[LegPath]:
    line, r = Line(*body.centre, *end), radius(body)
    if line.length <= TOLERANCE:
        return
    yield (Leg(to=end),)
    for other in heights.storeys.over(*end, TOLERANCE):
        if more_than(abs(other.height(*end) - body.z), LOW_OBSTACLE_IN):
            yield (Leg(to=end, z=other.height(*end), how="climb"),)
    off = surface.leaves(line, TOLERANCE)
    if off is not None:
        yield (Leg(to=end, how="drop"),)
        ux, uy = (end[0] - body.x) / line.length, (end[1] - body.y) / line.length
        s = off + _STRIDE
        while s < off + 0.5 * body.stat("movement"):
            x, y = body.x + s * ux, body.y + s * uy
            for far in heights.storeys.over(x, y, TOLERANCE):
                if far is not surface and far.id != TABLE:
                    landing = (x + (r + _STRIDE) * ux, y + (r + _STRIDE) * uy)
                    yield (Leg(to=landing, how="jump"),)
                    return
            s += _STRIDE
    elif any(o.ground.spans(line) for o in heights.near(box_of(line, 0.0))):
        yield (Leg(to=end, z=body.z, how="climb"),)


# Attacks to come.


def attacks(state: State, by: str, target: str) -> Iterator[Attack]:
    """How a model could come to fight another when it is next activated: where it stands, by a
    Charge, or by a Charge after a Dash along its way."""
    mover, foe = state.body(by).marked(activated=None), state.body(target)
    fresh = replace(
        state.with_body(mover),
        turn=replace(state.turn, active=mover.side),
        progress=state.progress.update(NO_ACTIVATION),
    )
    begins = Activate(actor=by)

    def fights(after: State) -> bool:
        on_table = by in after.bodies and target in after.bodies
        return on_table and is_legal(after, Fight(actor=by, target=target))

    if within(gap(mover, foe), NEAR_IN):
        yield Attack(by, target, "fight", fresh, (begins,), fights)
    charges = Charge(actor=by, target=target)
    if within(gap(mover, foe), CHARGE_RANGE_IN):
        yield Attack(by, target, "charge", fresh, (begins, charges), fights)
    far, near = movement_to_come(fresh, mover), within(gap(mover, foe), CHARGE_RANGE_IN)
    # Whom it cannot charge at once it does not come to by a way longer than both moves.
    plan = approach(fresh, mover, foe, limit=math.inf if near else far + CHARGE_CAP_IN + _OVER_IN)
    if plan is None or (near and within(plan.near, far)):
        return
    held = tuple(enemy.id for enemy in holding(fresh, mover))
    beginning = longest_prefix(fresh, Walk(by, plan.track.legs, far, "dash", held))
    if beginning is not None and beginning[0]:
        dashes = Dash(actor=by, path=beginning[0])
        yield Attack(by, target, "dash and charge", fresh, (begins, dashes, charges), fights)


def _far(state: State, by: str) -> float:
    body = state.body(by)
    bonus = 6.0
    charge = min(CHARGE_CAP_IN, body.stat("movement") + bonus)
    return radius(body) + body.stat("movement") + charge + NEAR_IN


ATTACKING = Attacking(
    attacks,
    _far,
    (
        "It is activated next, and nobody moves before.",
        "It charges, if that is likelier after a Dash along the way of the charge; other ways of "
        "dashing first are not weighed.",
    ),
    allows=is_legal,
)
