"""TC-MOVE, TC-DASH: what every move keeps to, how it is carried out, its longest legal part."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.codec import action_marks, plain
from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.paths import LegPath
from tapeline.engine.prefix import short_of, with_path
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.trench_crusade import journey
from tapeline.rules.trench_crusade.actions import Charge, Dash, ForcedRetreat, Move, Retreat, Walk
from tapeline.rules.trench_crusade.book import BOOK, NEAR_IN
from tapeline.rules.trench_crusade.context import (
    PATHS,
    SLIDING,
    Context,
    Pathed,
    findings_of,
    is_legal,
    walk_of,
)
from tapeline.rules.trench_crusade.measures import (
    base_of,
    based,
    beside,
    holding,
    is_attempt,
    runs_out,
)
from tapeline.rules.trench_crusade.rolls import end_activation, risky_roll
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.state import (
    MOVES,
    activation,
    flies,
    is_halved,
    may_leave_table,
    movement,
)
from tapeline.rules.trench_crusade.walker import last_stop
from tapeline.rules.trench_crusade.ways_out import SHORT_IN, out_of_zones
from tapeline.table.marks import Marks, freeze
from tapeline.travel.nearness import comes_back, first_near, least, leaves, most, runs_over
from tapeline.travel.route import Crossing, Stretch
from tapeline.travel.table_edge import leaves_table
from tapeline.wording import told_apart, told_both

__all__ = ["carry_out", "dash", "longest_prefix", "move", "nearest", "refuse_path", "too_far"]


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
    way, allowance = ask.way, walk.allowance
    out = runs_out(way, allowance)
    slow = any(isinstance(part, Stretch) and part.factor > 1.0 for part in way.parts)
    if out is None or is_attempt(out[0]) or (slow and affords(way.length, allowance)):
        return
    name, s = ask.mover.name, out[1] if isinstance(out[0], Crossing) else allowance
    long, most = told_both(way.length, allowance, ".2f", "g")
    text = f"The path is {long} in long; {name} may move {most} in."
    yield Finding(text, way.length, allowance, way.place(s).xy, ask.mover.id, s)


BOOK.resolves_each("""
TC-MOVE-2 (seed) Any direction and any mix of directions may be used: a path has any number of legs.
TC-MOVE-3 (seed) Turning on the spot costs nothing.
TC-MOVE-4 (seed) The length of the path counts, not how far apart its ends are.
""")


@BOOK.clause("TC-MOVE-5", src="seed", bars=SLIDING, at=Moment.END)
def clear_of_friends(ask: Walked) -> Iterator[Finding]:
    """A friendly base may be crossed only if the mover comes out completely clear of it."""
    if ask.walk is None:
        return
    ask.bears("TC-MOVE-5")
    end, beyond, table = ask.way.end, ask.track.end, ask.state.table
    if not (0.0 <= beyond.x <= table.width and 0.0 <= beyond.y <= table.depth):
        end = beyond  # past the table's edge, not where the ground stops there
    for friend in ask.around.friends:
        depth = base_of(ask.state, ask.mover, friend).overlap(end)
        if overlaps(depth):
            deep = told_apart(depth, 0.0, ".2f")
            text = f"{ask.mover.name} would end on {friend.name}, overlapping by {deep} in."
            yield Finding(text, depth, 0.0, end.xy, friend.id, ask.way.length)


@BOOK.clause("TC-MOVE-6", src="seed", bars=SLIDING, at=Moment.PATH)
def stays_on_the_battlefield(ask: Walked) -> Iterator[Finding]:
    """The mover may not leave the Battlefield unless a rule says that it may."""
    ask.bears("TC-MOVE-6")
    if ask.walk is None or may_leave_table(ask.mover):
        return
    way, track = ask.way, ask.track
    under_half = ask.state.option("edge_overhang") == "under_half"
    off = leaves_table(ask.state.table, track, ask.radius, under_half)
    if off is not None:
        far = told_apart(off.distance, 0.0, ".2f")
        text = f"{ask.mover.name} would leave the table by {far} in."
        if under_half:
            text = f"More than half of {ask.mover.name}'s base would be off the table."
        gone = off.travelled
        if not way.level:
            gone = way.nearest(track.place(gone).xy).travelled
        yield Finding(text, off.distance, 0.0, off.place, ask.mover.id, gone)


@BOOK.clause("TC-MOVE-7", src="seed", bars=PATHS, at=Moment.PATH)
def not_near_enemies(ask: Walked) -> Iterator[Finding]:
    """Only a charge may come within 1 inch of an enemy; a retreat may not come back in either."""
    walk = ask.walk
    if walk is None:
        return
    ask.bears("TC-MOVE-7", "TC-MOVE-13")
    way, mover, held = ask.way, ask.mover, {enemy.id for enemy in ask.held}
    leaving = walk.manner == "retreat" or (held and not ask.holding)
    for enemy in ask.around.enemies if way.parts else ():  # who stays comes near nobody
        holds = enemy.id in held
        # A flyer on a ledge may begin beside the body of an enemy below: it only leaves it.
        if holds or (flies(mover) and within(beside(mover, enemy).gap(way.start), NEAR_IN)):
            near = comes_back(way, beside(mover, enemy), NEAR_IN) if leaving or not holds else None
            if near is not None:
                off = told_apart(near.gap, NEAR_IN, ".2f")
                text = f"Comes back within 1 in of {enemy.name}: {off} in."
                s = near.travelled
                yield Finding(text, near.gap, NEAR_IN, near.place.xy, enemy.id, s)
            continue
        near = least(way, beside(mover, enemy), NEAR_IN)
        if near is None or more_than(near.gap, NEAR_IN):
            continue
        first = first_near(way, beside(mover, enemy), NEAR_IN)
        s = near.travelled if first is None else first.travelled
        off = told_apart(near.gap, NEAR_IN, ".2f")
        text = f"Too near {enemy.name}: {off} in, must be more than 1 in."
        yield Finding(text, near.gap, NEAR_IN, near.place.xy, enemy.id, s)


@BOOK.clause("TC-MOVE-8", src="seed", bars=(*SLIDING, Charge), at=Moment.PATH)
def stays_with_enemies(ask: Context[Pathed | Charge]) -> Iterator[Finding]:
    """A model that begins within 1 inch of enemies stays within 1 inch of every one of them,
    unless it retreats."""
    if isinstance(ask.subject, Charge):
        plan = ask.approach if ask.state.option("charge_from_within_1") == "allow" else None
        if plan is None or ask.target.id not in {enemy.id for enemy in ask.holding}:
            return
        route, stop = plan.track, ask.subject.stop
        if stop is not None and ask.state.option("charge_extent") == "upto":
            route = route.upto(route.nearest(stop).travelled)
    elif ask.walk is None:
        return
    else:
        route = ask.way
    if ask.held:
        ask.cite("TC-MOVE-8")
    if ask.walk is not None and ask.walk.manner == "retreat":
        return
    for enemy in ask.holding:
        far = most(route, based(ask.mover, enemy))
        if within(far.gap, NEAR_IN):
            continue
        s = leaves(route, based(ask.mover, enemy), NEAR_IN)
        off = told_apart(far.gap, NEAR_IN, ".2f")
        text = f"Leaves {enemy.name}: {off} in, must stay within 1 in or retreat."
        yield Finding(text, far.gap, NEAR_IN, far.place.xy, enemy.id, s)


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
    sliding = ask.walk.manner == "slide"
    for enemy in ask.around.enemies:
        deep = runs_over(ask.way, base_of(ask.state, ask.mover, enemy), sliding=sliding)
        if deep is not None:
            by = told_apart(deep.gap, 0.0, ".2f")
            text = f"The path runs over {enemy.name}, overlapping by {by} in."
            yield Finding(text, deep.gap, 0.0, deep.place.xy, enemy.id, deep.travelled)


@BOOK.clause("TC-MOVE-11", src="public", bars=SLIDING, at=Moment.END)
def more_than_half_stands(ask: Walked) -> Iterator[Finding]:
    """A base may overhang a ledge while more than half of it is supported."""
    ask.bears("TC-MOVE-11")
    yield from ask.way.findings("TC-MOVE-11")


BOOK.resolves_each("""
TC-MOVE-12 (public) A model cannot pass through an opening narrower than its base: the whole base is
    swept along the path.
TC-MOVE-13 (public) Enemies count for every 1-inch rule even when Down or within 1 inch of somebody
    else.
TC-MOVE-14 (public) Distances keep their fractions; other halved numbers round up.
""")


def carry_out(
    run: Run, body_id: str, path: LegPath, clause: str, *, allowance: float
) -> Generator[Ask, Answer, bool]:
    """Walk a checked path, with the roll where it enters Dangerous ground. Whether it got there.

    The model stands at the end of the path, or where the roll failed.
    """
    context = Context(run.state, Walk(body_id, path, allowance, "move", ()), run)
    run.cite("TC-ACT-4")
    if sum(not leg.is_turn for leg in path) > 1 or any(leg.is_arc and leg.by for leg in path):
        run.cite("TC-MOVE-2")
    if not context.way.level and any(leg.is_turn for leg in path):
        run.cite("TC-MOVE-3")
    gone = yield from journey.go(run, body_id, context.way, allowance, clause)
    return gone.arrived


def move(run: Run, action: Move) -> Procedure:
    """The Move ACTION."""
    body = run.state.body(action.actor)
    context = Context(run.state, action, run)
    assert context.walk is not None
    take(run, "move", "TC-ACT-1")
    yield from carry_out(run, body.id, action.path, "TC-MOVE-1", allowance=context.walk.allowance)


BOOK.resolves_each("""
TC-DASH-1 (seed) Before the model moves in a Dash, a Risky Success Roll is taken for it.
""")


def dash(run: Run, action: Dash) -> Procedure:
    """The Dash ACTION: the roll, then the path, given or asked for."""
    body = run.state.body(action.actor)
    before = activation(run.state)
    if before is not None and MOVES.intersection(before.taken):
        run.cite("TC-ACT-7")
    take(run, "dash", "TC-DASH-1")
    grade = yield from risky_roll(run, body.id, f"{body.name} dashes", "TC-DASH-1", "dash_dice")
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
        prompt = f"{body.name} dashes up to {allowance:g} in: along which path?"
        path = yield from run.path(body.side, prompt, "TC-DASH-2", body.id)
        held = tuple(enemy.id for enemy in holding(run.state, body))
        refuse_path(run, Walk(body.id, path, allowance, "dash", held))
    run.cite("TC-ACT-2")
    yield from carry_out(run, body.id, path, "TC-DASH-2", allowance=allowance)


#: Cuts tried before giving up: each is at a further offence or off another friend.
_TRIES = 12


def longest_prefix(
    state: State, walk: Walk, findings: list[Finding] | None = None
) -> tuple[LegPath, float] | None:
    """The longest legal beginning of a path and its length; None if there is none but zero.

    findings: those of the whole path if known. A retreat that is wrong only where its path
    ends has no such beginning.
    """
    body, ask = state.body(walk.actor), Context(state, walk, None)
    found = BOOK.check(Walk, ask)[0] if findings is None else findings
    track = ask.way
    length, back = track.length, 2 * SHORT_IN
    for _ in range(_TRIES):
        if not found:
            return track.upto(length).legs, length
        if any(finding.travelled is None for finding in found):
            return None
        cuts = [f.travelled for f in found if f.travelled is not None]
        cut = min(cuts)
        if cut >= length - TOLERANCE:
            cut = last_stop(state, body, track.upto(length), length)
            if cut >= length - TOLERANCE:
                if walk.manner == "retreat" and length == track.length:
                    return None
                cut, back = length - back, 8 * back
        length = cut - SHORT_IN
        if length <= 4.0 * SHORT_IN:  # it stands against what stops it
            return None
        shorter = Walk(walk.actor, track.upto(length).legs, walk.allowance, walk.manner, walk.held)
        found = findings_of(state, shorter)
    return None


def nearest(state: State, action: object, findings: list[Finding]) -> Nearest | None:
    """The nearest legal move in place of a refused action, if its path alone is at fault."""
    if isinstance(action, Charge):
        return _nearest_charge(state, action, findings)
    if not isinstance(action, Move | Dash | Retreat | ForcedRetreat) or not action.path:
        return None
    walk = walk_of(state, action)
    if walk is None:
        return None
    of_path = findings_of(state, walk)
    if {f.clause for f in findings} - {f.clause for f in of_path}:
        return None
    found = longest_prefix(state, walk, of_path)
    track = Context(state, walk, None).way
    if found is not None:
        path, length = found
        return _prefix(state, with_path(action, path), walk, path, length)
    out = out_of_zones(state, walk, track)
    return None if out is None else Nearest(with_path(action, out.path), "end", out.text, out.short)


def _prefix(state: State, action: Marks, walk: Walk, path: LegPath, length: float) -> Nearest:
    body = state.body(walk.actor)
    short = short_of((body.x, body.y, body.z), path, walk.path)
    text = f"The first {length:.2f} in of the path are legal."
    return Nearest(action, "prefix", text, short)


def _nearest_charge(state: State, action: Charge, findings: list[Finding]) -> Nearest | None:
    """The interposing enemy as target, or the way and the end that the rules lay down, where
    that is all that is wrong."""
    wrong = {f.clause for f in findings}
    target, text = state.body(action.target), ""
    if wrong <= {"TC-CHG-7", "TC-CHG-8"} and (action.path or action.stop):
        text = "The charge by the shortest route, as far as it goes."
    elif wrong == {"TC-CHG-3"} and findings[0].about is not None:
        target = state.body(findings[0].about)
        text = f"{target.name} stands in the way and may be charged."
    by_rule = Charge(actor=action.actor, target=target.id, forbid=action.forbid)
    if not text or not is_legal(state, by_rule):
        return None
    return Nearest(action_marks(by_rule), "end", text, 0.0)


def refuse_path(run: Run, walk: Walk) -> None:
    """Refuse a path given as an answer, with the longest legal beginning of it."""
    findings = run.check(walk)
    if not findings:
        return
    offer, track = None, Context(run.state, walk, None).way
    found = longest_prefix(run.state, walk, findings)
    out = out_of_zones(run.state, walk, track) if found is None else None
    if found is not None:
        path, length = found
        offer = _prefix(run.state, Marks({"path": freeze(plain(path))}), walk, path, length)
    elif out is not None:
        offer = Nearest(Marks({"path": freeze(plain(out.path))}), "end", out.text, out.short)
    run.refuse(findings, offer)
