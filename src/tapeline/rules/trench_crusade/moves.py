"""TC-MOVE, TC-DASH: what every move must keep to, how a checked path is carried out, dashes."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import Any

from tapeline.engine.asks import Answer, Ask, Choice
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.paths import LegPath, legs_from_value
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade import journey, spatial
from tapeline.rules.trench_crusade.actions import Charge, Dash, Move, Walk
from tapeline.rules.trench_crusade.book import BOOK, NEAR_IN
from tapeline.rules.trench_crusade.context import PATHS, SLIDING, Context, Pathed
from tapeline.rules.trench_crusade.costs import cost_of, enter_ledger
from tapeline.rules.trench_crusade.ground import ground_of
from tapeline.rules.trench_crusade.injuries import end_activation, in_own_activation, injury_roll
from tapeline.rules.trench_crusade.journey import Gone
from tapeline.rules.trench_crusade.measures import gap_at, holding, level_with, reach_of
from tapeline.rules.trench_crusade.nearest import refuse_path
from tapeline.rules.trench_crusade.rolls import success_roll
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.state import (
    MOVES,
    activation,
    is_halved,
    may_leave_table,
    movement,
    radius,
)
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

__all__ = [
    "carry_out",
    "dash",
    "go_level",
    "move",
    "set_back",
    "too_far",
]


Walked = Context[Pathed]


@BOOK.clause("TC-MOVE-1", src="seed", bars=PATHS, at=Moment.PATH)
def not_too_far(ask: Walked) -> Iterator[Finding]:
    """A move covers any distance up to the Movement Characteristic, zero included."""
    walk = ask.walk
    if walk is None or walk.manner in ("retreat", "slide"):
        return
    ask.cite("TC-MOVE-1")
    yield from too_far(ask, walk)


def too_far(ask: Context[Any], walk: Walk) -> Iterator[Finding]:
    """The path is longer than the allowance of the move, TC-MOVE-1 and TC-RET-9."""
    ask.bears("TC-MOVE-4")
    if is_halved(ask.state, ask.mover):
        ask.cite("TC-DOWN-3", "TC-MOVE-14")
    if ask.way is not None:
        yield from spatial.too_far(ask, walk.allowance)
        return
    length = ask.track.length
    if not affords(length, walk.allowance):
        s = walk.allowance
        text = f"The path is {length:.2f} in long; {ask.mover.name} may move {walk.allowance:g} in."
        yield Finding(text, length, walk.allowance, ask.track.place(s).xy, ask.mover.id, s)


BOOK.resolves(
    "TC-MOVE-2",
    src="seed",
    says="Any direction and any mix of directions may be used: a path has any number of legs.",
)
BOOK.resolves("TC-MOVE-3", src="seed", says="Turning on the spot costs nothing.")
BOOK.resolves(
    "TC-MOVE-4", src="seed", says="The length of the path counts, not how far apart its ends are."
)


@BOOK.clause("TC-MOVE-5", src="seed", bars=SLIDING, at=Moment.END)
def clear_of_friends(ask: Walked) -> Iterator[Finding]:
    """A friendly base may be crossed only if the mover comes out completely clear of it."""
    if ask.walk is None:
        return
    ask.bears("TC-MOVE-5")
    if ask.way is not None:
        yield from spatial.ends_on_friends(ask)
        return
    x, y, _ = ask.track.end
    for friend in ask.around.friends:
        room = ask.radius + radius(friend)
        dx, dy = friend.x - x, friend.y - y
        if dx * dx + dy * dy >= room * room or not level_with(ask.mover, friend):
            continue
        depth = room - (dx * dx + dy * dy) ** 0.5
        if overlaps(depth):
            text = f"{ask.mover.name} would end on {friend.name}, overlapping by {depth:.2f} in."
            yield Finding(text, depth, 0.0, ask.track.end.xy, friend.id, ask.track.length)


@BOOK.clause("TC-MOVE-6", src="seed", bars=SLIDING, at=Moment.PATH)
def stays_on_the_battlefield(ask: Walked) -> Iterator[Finding]:
    """The mover may not leave the Battlefield unless a rule says that it may."""
    ask.bears("TC-MOVE-6")
    if ask.walk is None or may_leave_table(ask.mover):
        return
    found = ask.ground.leaves_table(ask.track, ask.radius, ask.state.option("edge_overhang"))
    if found is not None:
        text = f"{ask.mover.name} would leave the table by {found.depth:.2f} in."
        if ask.state.option("edge_overhang") == "under_half":
            text = f"Half of {ask.mover.name}'s base or more would be off the table."
        gone = found.travelled
        if ask.way is not None:
            gone = spatial.on_way(ask.way, ask.track.place(gone).xy)
        yield Finding(text, found.depth, 0.0, found.place, ask.mover.id, gone)


@BOOK.clause("TC-MOVE-7", src="seed", bars=PATHS, at=Moment.PATH)
def not_near_enemies(ask: Walked) -> Iterator[Finding]:
    """Only a charge may come within 1 inch of an enemy; a retreat may not come back in either."""
    walk = ask.walk
    if walk is None:
        return
    ask.bears("TC-MOVE-7", "TC-MOVE-13")
    if ask.way is not None:
        yield from spatial.near_enemies(ask)
        return
    track, mover = ask.track, ask.mover
    held = {enemy.id for enemy in ask.held}
    leaving = walk.manner == "retreat" or (held and not ask.holding)
    for enemy in ask.around.enemies:
        reach = reach_of(mover, enemy, NEAR_IN)
        if reach is None or _far(track, enemy, reach):
            continue
        if enemy.id in held:
            if leaving:
                yield from _comes_back(ask, enemy, reach)
            continue
        near = track.nearest(enemy.centre)
        measured = gap_at(near.distance, mover, enemy)
        if more_than(measured, NEAR_IN):
            continue
        s = track.enters(enemy.centre, reach)
        yield _too_near(mover, enemy, measured, near.place, near.travelled if s is None else s)


def _far(track: Route, enemy: Body, reach: float) -> bool:
    span = reach + track.length + 1e-3
    x, y, _ = track.start
    dx, dy = enemy.x - x, enemy.y - y
    return dx * dx + dy * dy > span * span


def _too_near(
    mover: Body, enemy: Body, measured: float, place: tuple[float, float], travelled: float
) -> Finding:
    text = f"Too near {enemy.name}: {measured:.2f} in, must be more than 1 in."
    return Finding(text, measured, NEAR_IN, place, enemy.id, travelled)


def _comes_back(ask: Walked, enemy: Body, reach: float) -> Iterator[Finding]:
    """A path that leaves the zone of an enemy and enters it again."""
    track, mover = ask.track, ask.mover
    out = False
    for s in track.critical(enemy.centre):
        x, y, _ = track.place(s)
        measured = gap_at(((enemy.x - x) ** 2 + (enemy.y - y) ** 2) ** 0.5, mover, enemy)
        if more_than(measured, NEAR_IN):
            out = True
        elif out:
            entry = track.last_entry(enemy.centre, reach, s)
            text = f"Comes back within 1 in of {enemy.name}: {measured:.2f} in."
            yield Finding(text, measured, NEAR_IN, (x, y), enemy.id, entry)
            return


@BOOK.clause("TC-MOVE-8", src="seed", bars=(*SLIDING, Charge), at=Moment.PATH)
def stays_with_enemies(ask: Context[Pathed | Charge]) -> Iterator[Finding]:
    """A model that begins within 1 inch of enemies stays within 1 inch of every one of them,
    unless it retreats."""
    if isinstance(ask.subject, Charge):
        plan = ask.approach if ask.state.option("charge_from_within_1") == "allow" else None
        if plan is None or ask.target.id not in {enemy.id for enemy in ask.holding}:
            return
        route = plan.track
    elif ask.walk is None:
        return
    else:
        route = ask.track if ask.way is None else ask.way
    if ask.held:
        ask.cite("TC-MOVE-8")
    if ask.walk is not None and ask.walk.manner == "retreat":
        return
    if not route.level:
        yield from spatial.leaves_enemies(ask, route)
        return
    for enemy in ask.holding:
        far = route.farthest(enemy.centre)
        measured = gap_at(far.distance, ask.mover, enemy)
        if within(measured, NEAR_IN):
            continue
        reach = reach_of(ask.mover, enemy, NEAR_IN)
        s = None if reach is None else route.leaves(enemy.centre, reach)
        text = f"Leaves {enemy.name}: {measured:.2f} in, must stay within 1 in or retreat."
        yield Finding(
            text, measured, NEAR_IN, far.place, enemy.id, far.travelled if s is None else s
        )


BOOK.registers(
    "TC-MOVE-9",
    src="public",
    says="No part of the base finishes farther from where it started than the Movement.",
    reason="measured on the plan it follows from TC-MOVE-4 for round bases, the free shift of a "
    "Jump apart, which the rule exempts; oval bases are refused with the scene",
)


@BOOK.clause("TC-MOVE-10", src="public", bars=SLIDING, at=Moment.PATH)
def no_overlap_with_enemies(ask: Walked) -> Iterator[Finding]:
    """Bases never overlap another base, except a friend's in passing, nor IMPASSABLE terrain."""
    if ask.walk is None:
        return
    ask.bears("TC-MOVE-10")
    if ask.way is not None:
        yield from spatial.over_enemies(ask)
        return
    track, mover = ask.track, ask.mover
    for enemy in ask.around.enemies:
        room = ask.radius + radius(enemy)
        if not level_with(mover, enemy) or _far(track, enemy, room):
            continue
        if ask.walk.manner == "slide":  # it may have come to contact by the tolerance
            room = min(room, math.dist(track.start.xy, enemy.centre))
        near = track.nearest(enemy.centre)
        depth = room - near.distance
        if overlaps(depth):
            s = track.enters(enemy.centre, room)
            if s == 0.0 and not overlaps(room - math.dist(track.start.xy, enemy.centre)):
                s = track.enters(enemy.centre, room - TOLERANCE)
            text = f"The path runs over {enemy.name}, overlapping by {depth:.2f} in."
            at = near.travelled if s is None else s
            yield Finding(text, depth, 0.0, near.place, enemy.id, at)


@BOOK.clause("TC-MOVE-11", src="public", bars=SLIDING, at=Moment.END)
def more_than_half_stands(ask: Walked) -> Iterator[Finding]:
    """A base may overhang a ledge while more than half of it is supported."""
    ask.bears("TC-MOVE-11")
    if ask.way is not None:
        yield from spatial.found(ask.way, "TC-MOVE-11")


BOOK.resolves(
    "TC-MOVE-12",
    src="public",
    says="A model cannot pass through an opening narrower than its base: the whole base is swept "
    "along the path.",
)
BOOK.resolves(
    "TC-MOVE-13",
    src="public",
    says="Enemies count for every 1-inch rule even when Down or within 1 inch of somebody else.",
)
BOOK.resolves(
    "TC-MOVE-14",
    src="public",
    says="Distances keep their fractions; other halved numbers round up.",
)


def set_back(run: Run, body: Body, track: Route, s: float) -> float:
    """The last length up to s at which the mover overlaps no friend, G-8."""
    friends = [friend for friend in run.state.friends(body) if level_with(body, friend)]
    while s > 0.0:
        under = next((f for f in friends if overlaps(_depth(body, f, track.place(s).xy))), None)
        if under is None:
            return s
        s = track.last_entry(under.centre, radius(body) + radius(under), s)
    return 0.0


def _depth(body: Body, other: Body, at: tuple[float, float]) -> float:
    """How deep a base that stands at a place is in another at its height, inches."""
    return radius(body) + radius(other) - math.dist(at, other.centre)


def carry_out(
    run: Run, body_id: str, path: LegPath, clause: str, *, allowance: float
) -> Generator[Ask, Answer, bool]:
    """Walk a checked path, with the roll where it enters Dangerous ground. Whether it got there.

    The model stands at the end of the path, or where the roll failed.
    """
    context = Context(run.state, Walk(body_id, path, allowance, "move", ()), run)
    run.cite("TC-ACT-4")
    if sum(not leg.is_turn for leg in path) > 1:
        run.cite("TC-MOVE-2")
    if context.way is not None:
        if any(leg.is_turn for leg in path):
            run.cite("TC-MOVE-3")
        gone = yield from journey.go(run, body_id, context.way, allowance, clause)
        return gone.arrived
    gone = yield from go_level(run, body_id, context.track, allowance, clause)
    return gone.arrived


def go_level(
    run: Run, body_id: str, track: Route, allowance: float, clause: str, *, rolled: bool = False
) -> Generator[Ask, Answer, Gone]:
    """Go along a checked track on level ground, as `journey.go` does over storeys.

    rolled: whether a roll in Dangerous ground covers it already.
    """
    body, ground = run.state.bodies[body_id], ground_of(run.state)
    entry = None if rolled else ground.first_entry(track, body, "dangerous")
    caught = False
    if entry is not None:
        rolled = True
        run.cite("TC-TER-6")
        grade = yield from success_roll(
            run, body_id, f"{body.name} enters {entry.name}", "TC-TER-3", risky=True
        )
        if grade == "failure":
            caught = True
            track = track.upto(set_back(run, body, track, entry.start))
    difficult = ground.difficult_stretches(track, body)
    enter_ledger(run, track, difficult)
    cost = cost_of(track, difficult)
    left = max(0.0, allowance - cost)
    run.value(moved=track.length, cost=cost, allowance_left=left)
    if track.parts:
        x, y, _ = track.end
        run.emit(Moved(body_id, x, y, body.z, body.facing, track.legs, clause))
    if entry is not None and caught:
        text = f"{body.name} is caught at {entry.name}"
        run.happened("dangerous ground", text, "TC-TER-3", about=body_id, outcome=True)
        mine = in_own_activation(run, body_id)
        yield from injury_roll(run, body_id, f"{body.name} in dangerous ground")
        if mine:
            end_activation(run, "danger", "TC-ROLL-5")
    return Gone(not caught, left, rolled)


def move(run: Run, action: Move) -> Procedure:
    """The Move ACTION."""
    body = run.state.body(action.actor)
    context = Context(run.state, action, run)
    assert context.walk is not None
    take(run, "move", "TC-ACT-1")
    yield from carry_out(run, body.id, action.path, "TC-MOVE-1", allowance=context.walk.allowance)


BOOK.resolves(
    "TC-DASH-1",
    src="seed",
    says="Before the model moves in a Dash, a Risky Success Roll is taken for it.",
)


def dash(run: Run, action: Dash) -> Procedure:
    """The Dash ACTION: the roll, then the path, given or asked for."""
    body = run.state.body(action.actor)
    before = activation(run.state)
    if before is not None and MOVES.intersection(before.taken):
        run.cite("TC-ACT-7")
    take(run, "dash", "TC-DASH-1")
    dice = int(body.stat("dash_dice"))
    if dice:
        run.cite("TC-KW-3")
    grade = yield from success_roll(
        run, body.id, f"{body.name} dashes", "TC-DASH-1", dice=dice, risky=True
    )
    if grade == "failure":
        run.happened(
            "dash failed", f"{body.name} fails to dash", "TC-DASH-2", about=body.id, outcome=True
        )
        end_activation(run, "dash", "TC-DASH-2")
        return
    run.happened("dash succeeded", f"{body.name} dashes", "TC-DASH-2", about=body.id, outcome=True)
    allowance = movement(run.state, body)
    path = action.path
    if path is None:
        value = yield from run.choose(
            Choice(
                body.side,
                f"{body.name} dashes up to {allowance:g} in: along which path?",
                "TC-DASH-2",
                "path",
                default=(),
                about=body.id,
            )
        )
        path = legs_from_value(value)
        held = tuple(enemy.id for enemy in holding(run.state, body))
        refuse_path(run, Walk(body.id, path, allowance, "dash", held))
    run.cite("TC-ACT-2")
    yield from carry_out(run, body.id, path, "TC-DASH-2", allowance=allowance)
