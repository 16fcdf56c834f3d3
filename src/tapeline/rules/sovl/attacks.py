"""How a unit could come into contact with another when it is next activated: one Pivot at most,
then an Advance.

Of all headings only those matter at which something changes: where a front corner begins to graze
a corner or a side of the target or of what stands in the way, where a side is met soonest, and the
most that one, two, three or four pivots turn. Between two of them the way to contact grows or
shrinks throughout, so that the least cost is found at one of them or beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tapeline.engine.attacks import Attack, Attacking, placing
from tapeline.engine.limits import TOLERANCE, affords, within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect, parts_of, separation
from tapeline.rules.sovl.actions import Activate, Advance, Pivot
from tapeline.rules.sovl.figures import PIVOT_DEG, PIVOT_ORDER_MOST_DEG
from tapeline.rules.sovl.footprint import (
    Thing,
    contact_ahead,
    footprint_of,
    impassable_ground,
    turned,
    unit_thing,
    units_near,
)
from tapeline.rules.sovl.measures import measure_advance, measure_pivot, pivots_in, start_loss
from tapeline.rules.sovl.profiles import flies, type_of
from tapeline.rules.sovl.sequence import THIS_TURN
from tapeline.rules.sovl.state import OF_ACTIVATION, STRATEGIC, is_engaged
from tapeline.table.bodies import Body

__all__ = ["ATTACKING"]

#: Degrees: how far beside a heading at which something is just met it is missed.
_BESIDE = 1e-4
#: Inches that an Advance is ordered beyond contact, which halts it.
_PAST_IN = 0.01


def attacks(state: State, by: str, target: str) -> Iterator[Attack]:
    """The cheapest Pivot and Advance into contact with a unit, or the fight it is in already."""
    changes = dict.fromkeys(THIS_TURN)
    body = state.body(by).marked(**changes)
    fresh = replace(
        state.with_body(body),
        turn=replace(state.turn, phase=STRATEGIC, active=body.side, initiative=body.side),
        progress=state.progress.update(dict.fromkeys((*OF_ACTIVATION, "passed", "contacts"))),
    )
    foe = state.body(target)
    touching = within(separation(footprint_of(body).rect, footprint_of(foe).rect).gap, 0.0)
    if touching and is_engaged(body):
        yield Attack(by, target, "fight", fresh, (), lambda after: True)
        return

    def touches(after: State) -> bool:
        known = after.progress.get("contacts", ())
        return isinstance(known, tuple) and (by, target) in known

    orders = _into_contact(fresh, body, foe)
    if orders is not None:
        begun = (Activate(actor=by), *orders)
        yield Attack(by, target, "advance", fresh, begun, touches)


def _into_contact(state: State, body: Body, foe: Body) -> tuple[Pivot | Advance, ...] | None:
    """The cheapest orders that bring a unit into contact; None if none are found."""
    loss, _ = start_loss(state, body)
    allowance = body.stat("move") - min(loss, body.stat("move"))
    state = replace(
        state, progress=state.progress.update({"allowance": allowance, "lost": loss or None})
    )
    best: tuple[float, tuple[Pivot | Advance, ...]] | None = None
    block, thing = footprint_of(body), unit_thing(foe)
    graze, each = state.option("contact.graze") == "stop", type_of(body).pivot_cost
    for by in _headings(state, body, foe, allowance):
        price = pivots_in(by) * each if by else 0.0
        most = allowance - price if best is None else min(allowance, best[0]) - price
        if most < 0.0 or contact_ahead(turned(block, by), thing, most, graze) is None:
            continue
        found = _ordered(state, body, foe, by, allowance)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
    return None if best is None else best[1]


def _ordered(
    state: State, body: Body, foe: Body, by: float, allowance: float
) -> tuple[float, tuple[Pivot | Advance, ...]] | None:
    """What a Pivot and the Advance after it cost that lead to contact, and both; None if they do
    not, or may not be ordered."""
    orders: tuple[Pivot | Advance, ...] = ()
    left = allowance
    if by:
        turn = measure_pivot(state, body, by)
        left = allowance - turn.cost
        barred = turn.clashes or turn.beyond or turn.landing or turn.toll.bars
        if barred or left < -TOLERANCE:
            return None
        lost = state.progress.number("lost") + turn.toll.loss
        body = body.at(body.x, body.y, facing=turn.end.facing)
        progress = state.progress.update({"allowance": left, "lost": lost or None})
        state = replace(state.with_body(body), progress=progress)
        orders = (Pivot(actor=body.id, by=by),)
    ahead = measure_advance(state, body, max(left, TOLERANCE))
    if not any(stop.thing is not None and stop.thing.id == foe.id for stop in ahead.stops):
        return None
    if ahead.toll.bars or not affords(ahead.cost, left):
        return None
    cost = allowance - left + ahead.cost
    return cost, (*orders, Advance(actor=body.id, distance=ahead.moved + _PAST_IN))


def _headings(state: State, body: Body, foe: Body, allowance: float) -> Iterator[float]:
    """Turns worth trying, degrees, the least first."""
    block = footprint_of(body)
    things: list[Thing] = units_near(state, body.id, block, allowance, all_round=True)
    if not flies(body):
        things += impassable_ground(state.table, block, allowance, all_round=True)
    if all(thing.id != foe.id for thing in things):
        return
    at = block.rect
    found = {0.0}
    for thing in things:
        shape = thing.shape
        for part in parts_of(shape):
            found.update(_grazes(at, part.loop, part.radius))
            if thing.id == foe.id:
                found.update(_squares(at, part.loop))
    marks = [math.remainder(math.degrees(angle) - body.facing, 360.0) for angle in found - {0.0}]
    marks += [k * PIVOT_DEG for k in range(-4, 5)]
    near = {m + d for m in marks for d in (-_BESIDE, 0.0, _BESIDE)}
    order = sorted({round(m, 9) for m in near if abs(m) <= PIVOT_ORDER_MOST_DEG})
    middles = [0.5 * (a + b) for a, b in pairwise(order) if b - a > _BESIDE]
    yield from sorted({0.0, *order, *middles}, key=abs)


def _grazes(rect: Rect, loop: Sequence[float], radius: float) -> Iterator[float]:
    """Directions, radians, in which one side of the lane ahead just meets a corner or a disc."""
    half = 0.5 * rect.width
    for x, y in zip(loop[::2], loop[1::2], strict=True):
        dx, dy = x - rect.x, y - rect.y
        far = math.hypot(dx, dy)
        for aside in {half + radius, half - radius, -half + radius, -half - radius}:
            if abs(aside) <= far:
                yield math.atan2(dy, dx) + math.asin(aside / far)


def _squares(rect: Rect, loop: Sequence[float]) -> Iterator[float]:
    """Directions, radians, in which a side is met squarely, or by a front corner soonest."""
    corners = list(zip(loop[::2], loop[1::2], strict=True))
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        nx, ny = by - ay, ax - bx
        length = math.hypot(nx, ny)
        if not length:
            continue
        off = ((ax - rect.x) * nx + (ay - rect.y) * ny) / length
        if off:
            straight = math.atan2(ny, nx) if off > 0.0 else math.atan2(-ny, -nx)
            yield straight
            lean = 0.5 * rect.width / abs(off)
            if lean <= 1.0:
                yield straight + math.asin(lean)
                yield straight - math.asin(lean)


def _far(state: State, by: str) -> float:
    body = state.body(by)
    return body.base.reach + body.stat("move")


def _parted(state: State, target: str) -> State:
    return state.with_body(state.body(target).marked(engaged=None))


ATTACKING = Attacking(
    attacks,
    _far,
    (
        "It is activated next, and nobody moves before.",
        "It pivots once at most and then advances; going on in more orders is not weighed.",
    ),
    placed=placing(_parted),
)
