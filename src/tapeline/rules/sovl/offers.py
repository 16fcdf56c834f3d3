"""Legal orders: for bots and random play, and in place of a refused one, in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.codec import action_marks
from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.sovl.actions import (
    Ability,
    Activate,
    Advance,
    EndActivation,
    Flight,
    Manoeuvre,
    NextTurn,
    Pass,
    Pivot,
    Rally,
    RollOff,
    Shoot,
)
from tapeline.rules.sovl.figures import PIVOT_DEG, PIVOT_ORDER_MOST_DEG
from tapeline.rules.sovl.footprint import (
    Footprint,
    border_turning,
    difficult_ground,
    facing_vector,
    footprint_of,
    impassable_ground,
    landing_reach,
    spans_turning,
    units_near,
)
from tapeline.rules.sovl.measures import AdvanceMeasure, measure_advance
from tapeline.rules.sovl.profiles import flies, type_of, weapon_of
from tapeline.rules.sovl.state import (
    DONE,
    FLIGHTS,
    ROLL_OFF,
    active_unit,
    allowance,
    is_fleeing,
    is_legal,
    may_be_activated,
    pending_flights,
)
from tapeline.table.bodies import Body

__all__ = ["longest_advance", "nearest", "offers"]


#: What another figure in the same order can mend; anything else has no nearest order.
_MENDABLE = frozenset(
    {"SV-SEQ-2", "SV-TER-4", "SV-TER-5", "SV-PIV-2", "SV-PIV-6", "SV-ADV-4", "SV-PROP-3"}
)


def longest_advance(state: State, body: Body, wanted: float) -> float:
    """The longest legal Advance of the active unit up to the one wanted, inches; 0 if none.

    The way up to the first stop, to the border of ground that may not be entered, or to what
    the allowance pays for; a flyer comes down short of impassable ground.
    """
    return _longest(state, body, measure_advance(state, body, wanted))


def _longest(state: State, body: Body, found: AdvanceMeasure) -> float:
    reach = min(found.moved, found.left - found.toll.loss)
    if found.toll.bars:
        reach = min(reach, found.toll.bars[0].at)
    if flies(body) and reach > 0.0:
        reach = landing_reach(state.table, found.start, reach)[0] or 0.0
    return max(0.0, reach)


def _critical_angles(state: State, body: Body, start: Footprint, by: float) -> Iterable[float]:
    """Angles at which the turning unit comes to touch, or leaves, anything."""
    for thing in (
        *units_near(state, body.id, start, 0.0, all_round=True),
        *impassable_ground(state.table, start, 0.0, all_round=True),
        *difficult_ground(state.table, start, 0.0, all_round=True),
    ):
        for span in spans_turning(start, by, thing):
            yield from span
    for span in border_turning(start, by, state.table):
        yield from span


def nearest_turn(state: State, body: Body, by: float) -> float | None:
    """The legal Pivot of the active unit nearest to the one wanted, degrees; None if staying is."""
    sign, wanted = math.copysign(1.0, by), abs(by)
    most = min(2.0 * wanted, PIVOT_ORDER_MOST_DEG)
    each = type_of(body).pivot_cost
    if each > 0.0:
        most = min(most, PIVOT_DEG * math.floor((allowance(state) + TOLERANCE) / each))
    if most <= TOLERANCE:
        return None
    start = footprint_of(body)
    steps = [PIVOT_DEG * n for n in range(1, 5)]
    angles = {min(wanted, most), *steps, *_critical_angles(state, body, start, sign * most)}
    near = {a for a in angles if TOLERANCE < a <= most and more_than(wanted, abs(a - wanted))}
    for angle in sorted(near, key=lambda a: (abs(a - wanted), a)):
        if is_legal(state, Pivot(actor=body.id, by=sign * angle)):
            return sign * angle
    return None


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """The nearest legal order for a refused Advance or Pivot, or toward a pose."""
    wrong = {finding.clause for finding in findings}
    if isinstance(action, Manoeuvre):
        return None if wrong - _MENDABLE - {"SV-MOV-1"} else _toward(state, action)
    # A turn about another point is offered about the centre.
    if wrong - _MENDABLE - {"SV-PIV-1"}:
        return None
    if isinstance(action, Advance):
        return _shorter(state, state.body(action.actor), action.distance)
    if isinstance(action, Pivot):
        return _turned(state, state.body(action.actor), action.by)
    return None


def _shorter(state: State, body: Body, distance: float) -> Nearest | None:
    wanted = measure_advance(state, body, distance)
    reach = _longest(state, body, wanted)
    if not reach > TOLERANCE:
        return None
    order = Advance(actor=body.id, distance=reach)
    far = _as_legal(reach, lambda figure: is_legal(state, replace(order, distance=figure)))
    text = f"Advance {far} in."
    return Nearest(action_marks(order), "prefix", text, wanted.moved - reach)


def _turned(state: State, body: Body, wanted: float) -> Nearest | None:
    by = nearest_turn(state, body, wanted) if abs(wanted) > 0.0 else None
    if by is None:
        return None
    order = Pivot(actor=body.id, by=by)
    told = _as_legal(by, lambda figure: is_legal(state, replace(order, by=figure)))
    return Nearest(action_marks(order), "turn", f"Pivot {told} degrees.", abs(wanted - by))


def _as_legal(exact: float, legal: Callable[[float], bool]) -> str:
    """A figure near that of an order, in three decimals or as many more as it takes, that is legal
    as it is told."""
    for decimals in range(3, 9):
        scale = 10.0**decimals
        near = {round(exact, decimals), math.floor(exact * scale) / scale}
        near.add(math.ceil(exact * scale) / scale)
        for told in sorted(near, key=lambda told: (abs(told - exact), told)):
            if legal(told):
                return f"{told:.{decimals}f}"
    return f"{exact:.9g}"


def _toward(state: State, action: Manoeuvre) -> Nearest | None:
    """As far toward a pose as one Advance goes; if it lies not ahead, the turn to its facing, or
    the turn toward it, with which the way there begins."""
    body = state.body(action.actor)
    start = footprint_of(body)
    x, y = action.to
    by = 0.0 if action.facing is None else action.facing - body.facing
    if not all(map(math.isfinite, (x, y, by))):
        return None
    ux, uy = facing_vector(body.facing)
    ahead = (x - body.x) * ux + (y - body.y) * uy
    found = _shorter(state, body, ahead) if ahead > TOLERANCE else None
    if found is None:
        toward = math.degrees(math.atan2(y - body.y, x - body.x)) - body.facing
        far = math.dist((x, y), body.centre) > TOLERANCE
        return _turned(state, body, math.remainder(by, 360.0)) or (
            _turned(state, body, math.remainder(toward, 360.0)) if far else None
        )
    reach = found.action["distance"]
    assert isinstance(reach, float)
    return replace(found, how="end", short_by=math.dist((x, y), start.centre_after(reach)))


#: Random turns tried for an offer; those that are not legal are not offered.
_TURNS = 2


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions: every discrete one, and the longest and a random manoeuvre of each kind."""
    turn = state.turn
    if turn.phase == ROLL_OFF:
        yield RollOff()
    elif turn.phase == DONE:
        yield NextTurn()
    elif turn.phase == FLIGHTS:
        for body in pending_flights(state, turn.active):
            yield Flight(actor=body.id)
    else:
        unit = active_unit(state)
        if unit is None:
            for body in state.bodies.values():
                if body.side == turn.active and may_be_activated(body):
                    yield Activate(actor=body.id)
            yield Pass(side=turn.active)
        else:
            yield from _orders(state, state.body(unit), rng)


def _orders(state: State, body: Body, rng: Random) -> Iterator[Action]:
    if is_fleeing(body):
        yield Rally(actor=body.id)
    else:
        yield from _advances(state, body, rng)
        yield from _pivots(state, body, rng)
        yield from _shots(state, body)
        for name in body.stats.texts("abilities"):
            ability = Ability(actor=body.id, name=name)
            if is_legal(state, ability):
                yield ability
    yield EndActivation(actor=body.id)


def _advances(state: State, body: Body, rng: Random) -> Iterator[Action]:
    left = allowance(state)
    if left <= TOLERANCE:
        return
    reach = longest_advance(state, body, left)
    if reach <= TOLERANCE:
        return
    yield Advance(actor=body.id, distance=reach)
    part = Advance(actor=body.id, distance=reach * rng.uniform(0.1, 0.9))
    if is_legal(state, part):
        yield part


def _pivots(state: State, body: Body, rng: Random) -> Iterator[Action]:
    each = type_of(body).pivot_cost
    most = 4 if each <= 0.0 else min(4, math.floor((allowance(state) + TOLERANCE) / each))
    if most < 1:
        return
    for _ in range(_TURNS):
        turn = Pivot(actor=body.id, by=rng.uniform(-most, most) * PIVOT_DEG)
        if is_legal(state, turn):
            yield turn


def _shots(state: State, body: Body) -> Iterator[Action]:
    weapon = weapon_of(body)
    if weapon is None or state.progress.get("shot") is True:
        return
    rect = footprint_of(body).rect
    for enemy in state.enemies(body):
        reach = enemy.base.reach
        ahead, aside = rect.local(enemy.centre)
        ahead += reach - 0.5 * rect.depth
        far = weapon.reach + rect.reach + reach
        # No wider arc is read than 45 degrees from the corners.
        if (
            ahead < 0.0
            or abs(aside) - reach > 0.5 * rect.width + ahead
            or math.hypot(enemy.x - body.x, enemy.y - body.y) > far
        ):
            continue
        shot = Shoot(actor=body.id, target=enemy.id)
        if is_legal(state, shot):
            yield shot
