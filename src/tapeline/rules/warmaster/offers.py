"""Legal actions for whoever must act, for bots and for random play."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Charge,
    EndStep,
    Evade,
    HomeBack,
    InitiativeCharge,
    MoveCharacter,
    MoveUnit,
    Order,
    StandMove,
)
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.charge import Placement, attacked_edges
from tapeline.rules.warmaster.charge_aim import aims
from tapeline.rules.warmaster.charge_plan import plan_charge
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.evade_plan import plan_evade
from tapeline.rules.warmaster.figures import EVADE_LEAST_CM
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.planner import plan_move
from tapeline.rules.warmaster.profiles import flies, full_pace, policy_of
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.rules.warmaster.stands import rect_of, unit_gap
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    HOME,
    INITIATIVE,
    ORDERS,
    characters,
    enemy_units,
    stands_of,
    units_on_table,
    word,
)
from tapeline.rules.warmaster.wanted import as_block, middle, pivot_of, wheeled
from tapeline.table.bodies import Body, Unit

__all__ = ["is_legal", "offers"]

#: Random moves tried for an offer; those that are not legal are not offered.
_TRIES = 3


def is_legal(state: State, subject: Any) -> bool:
    """Whether no clause bars an action, or the move or placement that it leads to."""
    findings, _ = BOOK.check(type(subject), Context(state, subject, None), None)
    return not findings


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions: a random one or two of each kind for each unit and character that may act."""
    if state.progress.get("over"):
        return
    phase, side = state.turn.phase, state.turn.active
    mine = [unit for unit in units_on_table(state) if unit.side == side]
    bound = False
    if phase == INITIATIVE:
        for unit in mine:
            for action in _on_initiative(state, unit, rng):
                bound = bound or (isinstance(action, InitiativeCharge) and _is_bound(state, unit))
                yield action
    if bound:
        return
    if phase in (INITIATIVE, HOME):
        for unit in mine:
            for body in characters(state, side):
                back = HomeBack(actor=unit.id, character=body.id)
                if flies(stands_of(state, unit)) and is_legal(state, back):
                    yield back
    if phase in (INITIATIVE, HOME, ORDERS):
        for body in characters(state, side):
            yield from _orders(state, body, mine, rng)
        for unit in mine:
            if word(unit, "may_move"):
                yield from _moves(state, unit, rng)
    if phase == CHARACTERS:
        for body in characters(state, side):
            yield from _steps(state, body, rng)
    for unit in units_on_table(state):
        if word(unit, "may_move") == "fall_back":
            yield from _moves(state, unit, rng)
    if is_legal(state, EndStep()):
        yield EndStep()


def _is_bound(state: State, unit: Unit) -> bool:
    """Whether a unit that can charge must do so before anything else is done."""
    return policy_of(stands_of(state, unit)[0]) == "must_charge"


def _on_initiative(state: State, unit: Unit, rng: Random) -> Iterator[Action]:
    for candidate in targets_of(state, unit):
        charge = InitiativeCharge(actor=unit.id, target=candidate.unit.id)
        if is_legal(state, charge):
            stands = _charge(state, unit, candidate.unit, "initiative_charge")
            if stands:
                yield InitiativeCharge(actor=unit.id, target=candidate.unit.id, stands=stands)
        if is_legal(state, Evade(actor=unit.id, target=candidate.unit.id)):
            yield from _evades(state, unit, candidate.unit, rng)


def _charge(state: State, unit: Unit, target: Unit, kind: str) -> tuple[StandMove, ...]:
    """The stands of a planned charge, if it is legal."""
    spec = MoveSpec(
        unit=unit.id,
        kind=kind,
        stands=(),
        allowance=pace_of(state, unit, kind).allowance,
        target=target.id,
    )
    stands = plan_charge(state, spec)
    spec = MoveSpec(
        unit=unit.id, kind=kind, stands=stands, allowance=spec.allowance, target=target.id
    )
    if not stands or not is_legal(state, spec):
        return ()
    for body in aims(state, spec):
        edges = attacked_edges(state, unit, body)
        placements = [Placement(spec=spec, stand=body.id, edge=edge) for edge in edges]
        # Where a die names the edge, the other way is asked for.
        if any(is_legal(state, placement) for placement in placements):
            return stands
    return ()


def _evades(state: State, unit: Unit, target: Unit, rng: Random) -> Iterator[Action]:
    pace = pace_of(state, unit, "evade").allowance
    most = EVADE_LEAST_CM + rng.choice((1.0, rng.uniform(0.3, 0.9))) * (pace - EVADE_LEAST_CM)

    def check(spec: Any) -> list[Finding]:
        return BOOK.check(type(spec), Context(state, spec, None), None)[0]

    plan = plan_evade(check, state, unit, target, most=most)
    if plan.stands:
        yield Evade(actor=unit.id, target=target.id, stands=plan.stands)


def _orders(state: State, body: Body, mine: list[Unit], rng: Random) -> Iterator[Action]:
    able = [unit for unit in mine if is_legal(state, Order(actor=body.id, units=(unit.id,)))]
    for unit in rng.sample(able, min(2, len(able))):
        yield Order(actor=body.id, units=(unit.id,))
        other = next(
            (
                u
                for u in able
                if u.id != unit.id and unit_gap(stands_of(state, u), stands_of(state, unit)) <= 0.0
            ),
            None,
        )
        if other is not None:
            both = Order(actor=body.id, units=(unit.id, other.id))
            if is_legal(state, both):
                yield both


def _moves(state: State, unit: Unit, rng: Random) -> Iterator[Action]:
    bodies = stands_of(state, unit)
    if not bodies:
        return
    if word(unit, "may_move") in ("order", "rush"):
        for enemy in enemy_units(state, unit.side):
            reach = pace_of(state, unit, "charge").allowance
            near = unit_gap(bodies, stands_of(state, enemy)) <= reach
            if not near or line_of_sight(state, unit, enemy, front_only=True) is None:
                continue
            charge = Charge(actor=unit.id, target=enemy.id)
            stands = _charge(state, unit, enemy, "charge") if is_legal(state, charge) else ()
            if stands:
                yield Charge(actor=unit.id, target=enemy.id, stands=stands)
    if word(unit, "may_move") == "rush" or not is_legal(state, MoveUnit(actor=unit.id)):
        return
    kind = kind_of(unit)
    allowance = allowance_of(state, unit, kind)
    rects = [rect_of(body) for body in bodies]
    for _ in range(_TRIES):
        poses = _some_poses(rects, allowance, rng)
        ends = {body.id: pose for body, pose in zip(bodies, poses, strict=True)}
        spec = MoveSpec(unit=unit.id, kind=kind, stands=(), allowance=allowance)
        stands = plan_move(state, spec, ends, detours=False).stands
        spec = MoveSpec(unit=unit.id, kind=kind, stands=stands, allowance=allowance)
        if stands and is_legal(state, spec):
            yield MoveUnit(actor=unit.id, stands=stands)
    face = tuple(StandMove(stand=b.id, path=(Leg(by=180.0),)) for b in bodies)
    about = MoveSpec(unit=unit.id, kind=kind, stands=face, allowance=allowance)
    if is_legal(state, about):
        yield AboutFace(actor=unit.id)


def _some_poses(rects: list[Rect], allowance: float, rng: Random) -> list[Rect]:
    if rng.random() < 0.3:
        side = rng.choice(("left", "right"))
        return wheeled(rects, pivot_of(rects, side), rng.uniform(-60.0, 60.0))
    x, y = middle(rects)
    ahead = math.atan2(rects[0].uy, rects[0].ux) + rng.choice((0.0, 0.0, 0.4, -0.4, math.pi))
    distance = rng.uniform(0.2, 0.999) * allowance
    by = rng.choice((0.0, 0.0, rng.uniform(-30.0, 30.0)))
    to = (x + distance * math.cos(ahead), y + distance * math.sin(ahead))
    return as_block(rects, to, by)


def _steps(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for _ in range(_TRIES):
        turn, far = rng.uniform(0.0, math.tau), rng.uniform(0.05, 0.99) * full_pace(body)
        to = (body.x + far * math.cos(turn), body.y + far * math.sin(turn))
        step = MoveCharacter(actor=body.id, path=(Leg(to=to),))
        if is_legal(state, step):
            yield step
            return
