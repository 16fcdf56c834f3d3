"""What the clauses of every move find in a way in three dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.measures import (
    comes_onto,
    deepest,
    first_near,
    gap_there,
    least,
    leaves,
    most,
    overlap,
    samples,
)
from tapeline.travel.route import Crossing, Part, Route, Stretch

if TYPE_CHECKING:
    from tapeline.rules.trench_crusade.context import Context
    from tapeline.table.bodies import Body

__all__ = [
    "ends_near",
    "ends_on_friends",
    "found",
    "leaves_enemies",
    "near_enemies",
    "on_way",
    "over_enemies",
    "short_of_allowance",
    "slow_too_far",
    "too_far",
]


def found(way: Route, clause: str) -> Iterator[Finding]:
    """What the ground forbids by a clause."""
    for hit in way.hits:
        if hit.clause == clause:
            place = (hit.place.x, hit.place.y)
            yield Finding(hit.text, hit.measured, hit.limit, place, hit.about, hit.travelled)


def _runs_out(way: Route, allowance: float) -> tuple[Part, float, float] | None:
    """The part in which the allowance is spent, the length there, and the cost before it."""
    spent = 0.0
    for before, part in way.marked:
        if not affords(spent + part.cost, allowance):
            left = max(0.0, allowance - spent)
            factor = part.factor if isinstance(part, Stretch) else 1.0
            return part, before + (0.0 if isinstance(part, Crossing) else left / factor), spent
        spent += part.cost
    return None


def _is_attempt(part: Part) -> bool:
    """Whether it is a Climb or a Jump, whose own clauses say what it must fit in."""
    return isinstance(part, Crossing) and part.kind != "drop"


def _slow(way: Route) -> list[Stretch]:
    """The stretches in Difficult ground that the mover feels."""
    return [p for p in way.parts if isinstance(p, Stretch) and p.factor > 1.0]


def too_far(ask: Context[Any], allowance: float) -> Iterator[Finding]:
    """The way is longer than the allowance, on a leg and not in a Climb or a Jump."""
    way = ask.way
    assert way is not None
    out = _runs_out(way, allowance)
    if out is None or _is_attempt(out[0]) or (_slow(way) and affords(way.length, allowance)):
        return
    name, s = ask.mover.name, out[1] if isinstance(out[0], Crossing) else allowance
    text = f"The path is {way.length:.2f} in long; {name} may move {allowance:g} in."
    yield Finding(text, way.length, allowance, way.place(s).xy, ask.mover.id, s)


def slow_too_far(ask: Context[Any], allowance: float) -> Iterator[Finding]:
    """The way costs more than the allowance with Difficult ground doubled."""
    way = ask.way
    assert way is not None
    out, slow = _runs_out(way, allowance), _slow(way)
    if out is None or _is_attempt(out[0]) or not slow:
        return
    text = (
        f"The path costs {way.cost:.2f} in with Difficult ground doubled; {ask.mover.name} may "
        f"spend {allowance:g} in."
    )
    yield Finding(text, way.cost, allowance, way.place(out[1]).xy, slow[0].piece, out[1])


def short_of_allowance(ask: Context[Any], clause: str) -> Iterator[Finding]:
    """A Climb or a Jump that does not fit in what is left of the allowance."""
    way, walk = ask.way, ask.walk
    assert way is not None
    assert walk is not None
    out = _runs_out(way, walk.allowance)
    if out is None:
        return
    hurdle, s, spent = out
    if not isinstance(hurdle, Crossing) or not _is_attempt(hurdle):
        return
    rises = hurdle.kind == "jump" and affords(spent + hurdle.width, walk.allowance)
    if clause != ("TC-JMP-4" if rises else hurdle.clause):
        return
    total, left = spent + hurdle.cost, walk.allowance - spent
    what = "Climb" if hurdle.kind == "climb" else "Jump"
    more = f", {hurdle.cost - hurdle.width:.4g} of them up," if rises else ""
    text = (
        f"The {what} takes {hurdle.cost:.4g} in{more} and {ask.mover.name} has {left:.4g} left of "
        f"{walk.allowance:g}."
    )
    place = (hurdle.start.x, hurdle.start.y)
    yield Finding(text, total, walk.allowance, place, hurdle.piece or ask.mover.id, s)


# Other models.


def ends_on_friends(ask: Context[Any]) -> Iterator[Finding]:
    """The way ends on the base of a friend."""
    way = ask.way
    assert way is not None
    for friend in ask.around.friends:
        depth = overlap(ask.mover, friend, way.end)
        if overlaps(depth):
            text = f"{ask.mover.name} would end on {friend.name}, overlapping by {depth:.2f} in."
            yield Finding(text, depth, 0.0, way.end.xy, friend.id, way.length)


def over_enemies(ask: Context[Any]) -> Iterator[Finding]:
    """The way leads over the base of an enemy."""
    way = ask.way
    assert way is not None
    sliding = ask.walk is not None and ask.walk.manner == "slide"
    for enemy in ask.around.enemies:
        deep = deepest(way, ask.mover, enemy)
        # Who slides may have come to contact by the tolerance.
        if overlaps(deep.gap) and not (
            sliding and deep.gap <= overlap(ask.mover, enemy, way.start) + TOLERANCE
        ):
            text = f"The path runs over {enemy.name}, overlapping by {deep.gap:.2f} in."
            s = min(deep.travelled, comes_onto(way, ask.mover, enemy))
            yield Finding(text, deep.gap, 0.0, (deep.place.x, deep.place.y), enemy.id, s)


def near_enemies(ask: Context[Any]) -> Iterator[Finding]:
    """The way comes within 1 inch of an enemy, or back within 1 inch of one it has left."""
    way, walk = ask.way, ask.walk
    assert way is not None
    assert walk is not None
    if not way.parts:
        return  # who stays comes near nobody
    held = {enemy.id for enemy in ask.held}
    leaving = walk.manner == "retreat" or (held and not ask.holding)
    for enemy in ask.around.enemies:
        if enemy.id in held:
            if leaving:
                yield from _comes_back(ask, way, enemy)
            continue
        near = least(way, ask.mover, enemy, NEAR_IN)
        if near is None or more_than(near.gap, NEAR_IN):
            continue
        first = first_near(way, ask.mover, enemy, NEAR_IN)
        s = near.travelled if first is None else first.travelled
        text = f"Too near {enemy.name}: {near.gap:.2f} in, must be more than 1 in."
        place = (near.place.x, near.place.y)
        yield Finding(text, near.gap, NEAR_IN, place, enemy.id, s)


def _comes_back(ask: Context[Any], way: Route, enemy: Body) -> Iterator[Finding]:
    out: float | None = None
    for near in samples(way, ask.mover, enemy):
        if more_than(near.gap, NEAR_IN):
            out = near.travelled
        elif out is not None:
            text = f"Comes back within 1 in of {enemy.name}: {near.gap:.2f} in."
            place = (near.place.x, near.place.y)
            s = _enters(ask, way, enemy, out, near.travelled)
            yield Finding(text, near.gap, NEAR_IN, place, enemy.id, s)
            return


def _enters(ask: Context[Any], way: Route, enemy: Body, out: float, near: float) -> float:
    """Where a gap that only falls between two lengths comes to 1 inch."""
    while near - out > 0.5 * TOLERANCE:
        middle = 0.5 * (out + near)
        if gap_there(ask.mover, enemy, way.place(middle)) > NEAR_IN:
            out = middle
        else:
            near = middle
    return near


def leaves_enemies(ask: Context[Any], way: Route) -> Iterator[Finding]:
    """The way gets more than 1 inch away from an enemy that holds the mover."""
    for enemy in ask.holding:
        far = most(way, ask.mover, enemy)
        if within(far.gap, NEAR_IN):
            continue
        s = leaves(way, ask.mover, enemy, NEAR_IN)
        text = f"Leaves {enemy.name}: {far.gap:.2f} in, must stay within 1 in or retreat."
        yield Finding(text, far.gap, NEAR_IN, (far.place.x, far.place.y), enemy.id, s)


def ends_near(ask: Context[Any]) -> Iterator[Finding]:
    """A retreat that ends within 1 inch of an enemy."""
    way = ask.way
    assert way is not None
    for enemy in ask.around.enemies:
        measured = gap_there(ask.mover, enemy, way.end)
        if not more_than(measured, NEAR_IN):
            text = f"Ends {measured:.2f} in from {enemy.name}, must be more than 1 in."
            yield Finding(text, measured, NEAR_IN, way.end.xy, enemy.id, way.length)


def on_way(way: Route, place: tuple[float, float]) -> float:
    """The length of a way at which it comes to a place of the plan."""
    return way.nearest(place).travelled
