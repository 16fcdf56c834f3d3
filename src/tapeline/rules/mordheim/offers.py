"""Legal actions: drawn at random for whoever must act; the longest legal part of a refused one; the
ways in which a model could strike another in its next turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.attacks import Attack, Attacking, placing
from tapeline.engine.codec import action_marks
from tapeline.engine.limits import closer_than, more_than
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import short_of, with_path
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
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
from tapeline.rules.mordheim.context import is_legal, longest_beginning
from tapeline.rules.mordheim.figures import (
    CRAWL_IN,
    DIVE_IN,
    EDGE_MIN_DROP_IN,
    GAP_IN,
    GAP_RISE_IN,
    JUMP_DOWN_IN,
)
from tapeline.rules.mordheim.route import falls_short
from tapeline.rules.mordheim.state import (
    CHARGING,
    COMPULSORY,
    DECLARING,
    HAND_TO_HAND,
    OF_TURN,
    PROGRESS,
    RECOVERY,
    SHOOTING,
    charge_result,
    charging_allowance,
    condition,
    engaged_with,
    is_standing,
    movement,
    must_move,
    of_side,
    radius,
    step,
    to_charge,
    touching_at_start,
)
from tapeline.table.bodies import Body
from tapeline.table.storeys import Edge, Storeys, Surface, storeys_of
from tapeline.table.terrain import Ladder, Ramp

__all__ = ["ATTACKING", "nearest", "offers"]


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """A legal move near a refused one, or None."""
    if isinstance(action, Charge):
        direct = Charge(actor=action.actor)
        if action.path is None or not is_legal(state, direct):
            return None
        return Nearest(action_marks(direct), "end", "The charge by the most direct route.", 0.0)
    if not isinstance(action, Move | Crawl) or not action.path:
        return None
    plain: Move | Crawl = replace(action, hide=False)
    path = longest_beginning(state, plain)
    if path is None and isinstance(plain, Move) and plain.run:
        plain = replace(plain, run=False)
        path = longest_beginning(state, plain)
    if path is None:
        return None
    text = "The longest legal beginning of the path." if path else "Staying is legal."
    if isinstance(action, Move) and action.run and not (isinstance(plain, Move) and plain.run):
        text = f"Without running: {text[0].lower()}{text[1:]}"
    body = state.body(action.actor)
    start = (body.x, body.y, body.z)
    return Nearest(with_path(plain, path), "prefix", text, short_of(start, path, action.path))


_RESULTS: tuple[Result, ...] = ("nothing", "nothing", "knocked_down", "stunned", "out")
#: Models for which moves are drawn, and enemies to charge or shoot at.
_MOVERS = 3
_TARGETS = 3
#: Heights that differ by less are one, inches.
_SAME_IN = 1e-6
#: How far beyond the top edge a climb goes on, and beyond a gap a jump, inches.
_ON_IN = 0.6


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions, in random order, but for those that take long to work out, which come last of
    a model's; each judges legal in this state."""
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
            if not state.body(last).has("hidden") and is_legal(state, hiding):
                yield hiding
        yield EndPhase()


def _recovery(state: State, mine: list[Body]) -> Iterator[Action]:
    for body in mine:
        for action in (Rally(actor=body.id), StandUp(actor=body.id)):
            if is_legal(state, action):
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
            if is_legal(state, action):
                yield action


def _wander(state: State, body: Body, rng: Random, far: float) -> LegPath:
    """A random path: towards a way up or down now and then, else anywhere."""
    ways = _waypoints(state, body)
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
    plains: list[tuple[Move | Crawl, float]] = [(Crawl(actor=body.id), CRAWL_IN)]
    if is_standing(body):
        run = Move(actor=body.id, run=True)
        plains = [(Move(actor=body.id), movement(body)), (run, charging_allowance(body))]
    for plain, length in plains:
        if not is_legal(state, plain):
            continue
        if isinstance(plain, Crawl) or not plain.run:
            yield plain
        path = longest_beginning(state, replace(plain, path=_wander(state, body, rng, length)))
        if path:
            yield replace(plain, path=path)
    hiding = Hide(actor=body.id)
    if is_legal(state, hiding):
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
                if is_legal(state, action):
                    yield action


def _blows(state: State, rng: Random) -> Iterator[Action]:
    for body in state.bodies.values():
        for enemy_id in engaged_with(body):
            action = Strike(actor=body.id, target=enemy_id, result=rng.choice(_RESULTS))
            if not body.has("struck") and is_legal(state, action):
                yield action


def _waypoints(state: State, body: Body) -> list[LegPath]:
    """Paths by which a model might change its level, in the order of the scene."""
    storeys = storeys_of(state.table)
    surface = storeys.support(*body.centre, body.z, _SAME_IN)
    found = [*_links(state, body), *_climbs(storeys, body)]
    if surface is not None:
        for edge in storeys.edges(surface):
            found += _over_edge(storeys, surface, edge, body)
    return found


def _reaches(body: Body, x: float, y: float) -> bool:
    return math.dist(body.centre, (x, y)) <= charging_allowance(body)


def _links(state: State, body: Body) -> Iterator[LegPath]:
    ways: list[Ladder | Ramp] = [*state.table.ladders, *state.table.ramps]
    far = charging_allowance(body)
    for way in ways:
        for (ax, ay, az), (bx, by, bz) in ((way.foot, way.head), (way.head, way.foot)):
            if abs(az - body.z) > _SAME_IN or math.dist(body.centre, (ax, ay)) > far:
                continue
            yield Leg(to=(ax, ay)), Leg(to=(bx, by), z=bz)


def _climbs(storeys: Storeys, body: Body) -> Iterator[LegPath]:
    """Up what it touched as the phase began."""
    touched = touching_at_start(body)
    for solid in storeys.solids if touched else ():
        if solid.entry not in touched or not more_than(solid.top, body.z):
            continue
        if solid.top - body.z > movement(body):
            continue
        x, y = solid.ground.nearest(*body.centre)
        far = math.dist((x, y), body.centre)
        if far <= 0.0 or far > movement(body):
            continue
        ux, uy = (x - body.x) / far, (y - body.y) / far
        yield (Leg(to=(x + _ON_IN * ux, y + _ON_IN * uy), z=solid.top, how="climb"),)


def _over_edge(storeys: Storeys, surface: Surface, edge: Edge, body: Body) -> Iterator[LegPath]:
    t = ((body.x - edge.ax) * (edge.bx - edge.ax) + (body.y - edge.ay) * (edge.by - edge.ay)) / (
        edge.length**2
    )
    x, y = edge.at(min(1.0, max(0.0, t)))
    if not _reaches(body, x, y):
        return
    drop = edge.drop(x, y)
    r = radius(body)
    out = (x + r * edge.nx, y + r * edge.ny)
    if edge.beyond is not None and drop >= EDGE_MIN_DROP_IN:
        low = edge.beyond.height(*out)
        if not more_than(drop, JUMP_DOWN_IN):
            yield (Leg(to=out, z=low, how="drop"),)
        if drop <= movement(body):
            yield (Leg(to=out, z=low, how="climb"),)
    height = surface.height(x, y)
    for far in (1.0, 2.0, GAP_IN):
        px, py = x + far * edge.nx, y + far * edge.ny
        for other in storeys.over(px, py, 0.0):
            level = other.height(px, py)
            if other is not surface and closer_than(abs(level - height), GAP_RISE_IN):
                to = (px + _ON_IN * edge.nx, py + _ON_IN * edge.ny)
                yield (Leg(to=to, z=level, how="jump"),)


# Attacks to come.


def attacks(state: State, by: str, target: str) -> Iterator[Attack]:
    """How a model could come to fight another in its next turn: it fights already, or charges."""
    mover = state.body(by)
    bodies = {name: body.marked(**dict.fromkeys(OF_TURN)) for name, body in state.bodies.items()}
    fresh = replace(
        state,
        bodies=bodies,
        turn=replace(state.turn, active=mover.side, phase=RECOVERY),
        progress=state.progress.update(dict.fromkeys(PROGRESS)),
    )

    def fights(after: State) -> bool:
        return by in after.bodies and target in engaged_with(after.bodies[by])

    if fights(fresh):
        yield Attack(by, target, "fight", fresh, (), fights)
        return
    if falls_short(fresh, mover, target):
        return
    rises = (StandUp(actor=by),) if condition(mover) == "knocked_down" else ()
    charge = (
        EndPhase(),
        DeclareCharge(actor=by, targets=(target,)),
        CloseDeclarations(),
        Charge(actor=by),
    )
    yield Attack(by, target, "charge", fresh, (*rises, *charge), fights)


def _far(state: State, by: str) -> float:
    body = state.body(by)
    return body.base.reach + charging_allowance(body) + DIVE_IN


def _parted(state: State, target: str) -> State:
    """The state in which whoever fought a model fights it no more."""
    for name in (*engaged_with(state.body(target)), target):
        if name in state.bodies:
            body = state.bodies[name]
            left = () if name == target else engaged_with(body)
            still = tuple(enemy for enemy in left if enemy != target)
            state = state.with_body(body.marked(engaged=still or None))
    return state


ATTACKING = Attacking(
    attacks,
    _far,
    (
        "It charges in the next turn of its side, which begins as everything stands; of its side "
        "nobody but those who must charges before it.",
        "Questions on the way are answered as by default: nobody steps in its way.",
    ),
    placed=placing(_parted),
)
