"""MH-RUN, MH-MOVE, MH-ENG: runs, what every move keeps to, how a checked way is carried out."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved, Progressed, Rolled
from tapeline.engine.limits import TOLERANCE, affords, closer_than, within
from tapeline.engine.paths import Place
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import (
    Cast,
    Crawl,
    DeclareCharge,
    Hide,
    Measure,
    Move,
    Rally,
    Shoot,
    StandUp,
    Strike,
)
from tapeline.rules.mordheim.climb import cross
from tapeline.rules.mordheim.contact import (
    across_barrier,
    fights_from,
    first_contact,
    gap,
    in_contact,
    touching,
)
from tapeline.rules.mordheim.context import Context, findings_of, longest_beginning
from tapeline.rules.mordheim.figures import BOOK, RUN_BAN_IN
from tapeline.rules.mordheim.hide import give_away, reveal, reveal_along, reveal_behind
from tapeline.rules.mordheim.sight import first_within
from tapeline.rules.mordheim.state import (
    counts,
    engaged_with,
    has_skill,
    is_engaged,
    is_hidden,
    is_standing,
    of_side,
    release,
    state_permissions,
)
from tapeline.rules.mordheim.walker import pivot, walk
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.travel.route import Route, Stretch
from tapeline.wording import told_both

__all__ = ["cite_gone", "cite_rates", "cite_ways", "crawl", "go_along", "hide", "move", "snapshot"]


@BOOK.clause("MH-RUN-1", src="seed", bars=Move, at=Moment.PATH)
def not_farther_than_a_run(ask: Context[Move]) -> Iterator[Finding]:
    """A run covers up to twice the Movement."""
    length = ask.bound.length
    if ask.subject.run and not ask.mover.has("stood_up") and not affords(length, ask.allowance):
        yield _too_long(ask, length)


BOOK.resolves_each("""
MH-RUN-2 (seed) Running is not charging: a run does not bring the model into combat (MH-CHG-13).
""")


@BOOK.clause("MH-RUN-3", src="seed", bars=Move, at=Moment.DECLARE)
def counting_enemy_too_near(ask: Context[Move]) -> Iterator[Finding]:
    """No run if a counting enemy was 8 inches or less away when declarations closed."""
    if not ask.subject.run or not ask.may_be_measured:
        return
    if ask.mover.has("run_ok"):
        enemies = ask.state.enemies(ask.mover)
        if any(
            not counts(enemy) and within(gap(ask.state, ask.mover, enemy), RUN_BAN_IN)
            for enemy in enemies
        ):
            ask.cite("MH-RUN-4")
        return
    text = f"{ask.mover.name} had an enemy within 8 in when declarations closed and may not run."
    near = [(gap(ask.state, ask.mover, e), e.id) for e in ask.state.enemies(ask.mover) if counts(e)]
    measured, who = min(near, default=(math.inf, ""))
    if within(measured, RUN_BAN_IN):
        yield Finding(text, measured, RUN_BAN_IN, about=who)
    else:  # the enemy that the check found is no longer as near
        yield Finding(text, None, RUN_BAN_IN, about=ask.mover.id)


def comes_near(state: State, body: Body, track: Route) -> bool:
    """Whether a way comes within 8 inches of an enemy that counts."""
    return any(
        counts(enemy)
        and any(
            isinstance(part, Stretch)
            and first_within(state, body, part, enemy, RUN_BAN_IN) is not None
            for part in track.parts
        )
        for enemy in state.enemies(body)
    )


BOOK.resolves(
    "MH-RUN-4", "seed", "Enemies that are fleeing, stunned, knocked down or hidden do not count."
)


@BOOK.clause("MH-RUN-5", src="seed", bars=Measure, at=Moment.DECLARE)
def checked_after_declarations(ask: Context[Measure]) -> Iterator[Finding]:
    """The 8-inch check is made once the charges have been declared; nobody learns it before."""
    if ask.subject.what == "run" and not ask.declarations_closed:
        yield Finding("Whether a model may run is not told before declarations close.")


BOOK.resolves_each("""
MH-RUN-6 (seed) Once allowed to run, the model may come nearer than 8 inches to enemies as it moves.
""")


@BOOK.clause("MH-RUN-7", src="seed", bars=Shoot, at=Moment.DECLARE)
def runner_does_not_shoot(ask: Context[Shoot]) -> Iterator[Finding]:
    """A model that ran does not shoot that turn."""
    if ask.mover.has("ran"):
        yield Finding(f"{ask.mover.name} ran this turn and does not shoot.", about=ask.mover.id)


BOOK.resolves_each("""
MH-RUN-8 (seed) A run is announced as the model moves; without it MH-MOVE-1 binds the path.
MH-RUN-9 (seed) A model that ran may still cast spells.
""")


@BOOK.clause("MH-RUN-10", src="public", bars=Move, at=Moment.DECLARE)
def never_runs(ask: Context[Move]) -> Iterator[Finding]:
    """Some profiles never run, though they charge at double Movement."""
    if ask.subject.run and ask.mover.stats.get("no_run"):
        yield Finding(f"{ask.mover.name} never runs.", about=ask.mover.id)


def snapshot(run: Run) -> None:
    """The 8-inch check of every model of the active side, kept for the turn (3.4)."""
    state = run.state
    run.cite("MH-RUN-5")
    for body in of_side(state, state.turn.active):
        near = [e for e in state.enemies(body) if within(gap(state, body, e), RUN_BAN_IN)]
        if any(not counts(enemy) for enemy in near):
            run.cite("MH-RUN-4")
        if not any(counts(enemy) for enemy in near):
            run.emit(Marked(body.id, Marks({"run_ok": True}), "MH-RUN-5"))


# Moves.


#: What only a model in its senses does.
DOING = (Rally, StandUp, Move, DeclareCharge, Crawl, Hide, Shoot, Cast, Strike)
Doing = Rally | StandUp | Move | DeclareCharge | Crawl | Hide | Shoot | Cast | Strike


@BOOK.clause("MH-MOVE-1", src="seed", bars=Move, at=Moment.PATH)
def not_too_far(ask: Context[Move]) -> Iterator[Finding]:
    """A model moves up to its Movement, in any direction."""
    length = ask.bound.length
    if ask.subject.run or affords(length, ask.allowance):
        return
    if is_standing(ask.mover) and not ask.mover.has("stood_up"):
        ask.cite("MH-RUN-8")
        yield _too_long(ask, length)


def _too_long(ask: Context[Any], length: float) -> Finding:
    place = ask.bound.place(ask.allowance)
    does = "move" if ask.mover.has("stood_up") else ask.manner
    long, most = told_both(length, ask.allowance, ".2f", "g")
    text = f"The path is {long} in long; {ask.mover.name} may {does} {most} in."
    return Finding(text, length, ask.allowance, place.xy, ask.mover.id, ask.allowance)


#: The clauses that look along a path.
_ON_THE_WAY = frozenset({Moment.PATH})


BOOK.resolves_each("""
MH-MOVE-2 (seed) Ladders, stairs and low obstacles are on the way of moves, runs and charges alike.
MH-MOVE-4 (seed) A model that kept to its normal rate keeps its chance to shoot and to act.
MH-ARM-1 (public) Heavy armour with a shield takes 1 inch of Movement.
MH-SKILL-1 (public) Sprint runs and charges at three times the Movement; Jump Up ignores being
    knocked down.
""")


@BOOK.clause("MH-ENG-1", src="public", bars=(Move, DeclareCharge, Crawl), at=Moment.DECLARE)
def nobody_leaves_a_fight(ask: Context[Move | DeclareCharge | Crawl]) -> Iterator[Finding]:
    """An engaged model does not move unless every opponent in contact is knocked down or stunned;
    then it may charge somebody else too, but not whom it fights. One knocked down leaves as
    MH-KD-1 says."""
    mover, subject = ask.mover, ask.subject
    if isinstance(subject, Move | Crawl) and not subject.path:
        return
    named = subject.targets if isinstance(subject, DeclareCharge) else ()
    held = _held_by(ask) if isinstance(subject, Crawl) else None
    for enemy_id in engaged_with(mover):
        ask.cite("MH-ENG-1")
        enemy = ask.state.bodies.get(enemy_id)
        if enemy is not None and is_standing(enemy) and (held is None or enemy in held):
            text = f"{mover.name} fights {enemy.name} and may not leave."
            yield Finding(text, about=enemy.id)
        elif enemy_id in named:
            text = f"{mover.name} fights {ask.name(enemy_id)} already."
            yield Finding(text, about=enemy_id)


def _held_by(ask: Context[Any]) -> list[Body]:
    """Opponents that one knocked down may not crawl off from: those who fight nobody else."""
    fought = (ask.state.bodies.get(enemy_id) for enemy_id in engaged_with(ask.mover))
    return [e for e in fought if e is not None and is_standing(e) and len(engaged_with(e)) < 2]


@BOOK.clause(
    "MH-KD-1",
    src="public",
    bars=(Move, DeclareCharge, Crawl, Shoot, Cast, Strike),
    at=Moment.DECLARE,
)
def knocked_down_crawls(
    ask: Context[Move | DeclareCharge | Crawl | Shoot | Cast | Strike],
) -> Iterator[Finding]:
    """A knocked down model does nothing but crawl up to 2 inches; out of contact with an enemy
    only if that enemy also fights somebody else."""
    mover = ask.mover
    if not isinstance(ask.subject, Crawl):
        if mover.marks.get("condition") == "knocked_down":
            yield Finding(f"{mover.name} is knocked down and only crawls.", about=mover.id)
        return
    if is_standing(mover):
        yield Finding(f"{mover.name} is not knocked down.", about=mover.id)
        return
    if not affords(ask.bound.length, ask.allowance):
        yield _too_long(ask, ask.bound.length)
    for enemy in _held_by(ask) if ask.subject.path else ():
        text = f"{enemy.name} fights nobody else; {mover.name} may not crawl off."
        yield Finding(text, about=enemy.id)


@BOOK.clause("MH-KD-2", src="public", bars=(StandUp, Move, DeclareCharge), at=Moment.DECLARE)
def stood_up_is_slow(ask: Context[StandUp | Move | DeclareCharge]) -> Iterator[Finding]:
    """A model knocked down may stand up at the start of its next turn; that turn it moves at half
    rate, neither runs nor charges, and leaves no fight, whatever its opponents lie in."""
    mover = ask.mover
    if isinstance(ask.subject, StandUp):
        if is_standing(mover) or mover.has("was_stunned"):
            yield Finding(f"{mover.name} was not knocked down before this turn.", about=mover.id)
        return
    if not mover.has("stood_up"):
        return
    ask.cite("MH-KD-2")
    if isinstance(ask.subject, DeclareCharge):
        yield Finding(f"{mover.name} has just stood up and does not charge.", about=mover.id)
        return
    if ask.subject.path:
        for enemy_id in engaged_with(mover):
            text = f"{mover.name} has just stood up and does not leave {ask.name(enemy_id)}."
            yield Finding(text, about=enemy_id)
    if ask.subject.run:
        yield Finding(f"{mover.name} has just stood up and does not run.", about=mover.id)
    if not affords(ask.bound.length, ask.allowance):
        yield _too_long(ask, ask.bound.length)


@BOOK.clause("MH-STUN-1", src="public", bars=DOING, at=Moment.DECLARE)
def stunned_does_nothing(ask: Context[Doing]) -> Iterator[Finding]:
    """A stunned model does nothing; in its side's next recovery it becomes knocked down."""
    if ask.mover.marks.get("condition") == "stunned":
        yield Finding(f"{ask.mover.name} is stunned and does nothing.", about=ask.mover.id)


@BOOK.clause("MH-CHG-13", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def only_a_charge_brings_contact(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Only a charge brings a warrior into combat; whatever does so is a charge."""
    mover, track = ask.mover, ask.bound
    if not track.parts and ask.turned is mover:
        return
    fought = {*engaged_with(mover), *(enemy.id for enemy in in_contact(ask.state, mover))}
    met = set()
    near = track.length + sum(hurdle.rise for hurdle in track.crossings)  # drops cost nothing
    for enemy in ask.state.enemies(mover):
        # Whom it fights it may come back to as little as to others, once it has left him.
        left = _leaves_at(ask.turned, enemy, track) if enemy.id in fought else 0.0
        if left == math.inf:
            continue
        if enemy.id not in fought and within(gap(ask.state, mover, enemy), near):
            ask.cite("MH-CHG-13")
        found = first_contact(ask.turned, enemy, track, left)
        if found is not None:
            travelled, place = found
            met.add(enemy.id)
            text = (
                f"The path brings {mover.name} into contact with {enemy.name}: only a charge may."
            )
            yield Finding(text, 0.0, 0.0, place.xy, enemy.id, travelled)
    # Over a gap, where it lands; told at the take-off, since the place would give the width away.
    end = track.end
    there = ask.turned.at(*(end if ask.gap is None else ask.gap.end))
    ends = ask.gap is None or ask.ends_as_it_lands
    for enemy in fights_from(ask.state, there) if ends else in_contact(ask.state, there):
        if enemy.id in met or (enemy.id in fought and not _left(ask, enemy)):
            continue
        how = "in contact with" if touching(there, enemy) else "across a low wall from"
        text = f"{mover.name} would {'end' if ends else 'land'} {how} {enemy.name}: "
        text += "only a charge may."
        yield Finding(text, None, None, end.xy, enemy.id, track.length)


def _left(ask: Context[Move | Crawl], enemy: Body) -> bool:
    """Whether a part of a way before the last ends where it does not fight an enemy."""
    ends = (ask.turned.at(*part.end) for part in ask.bound.parts[:-1])
    return any(
        not touching(there, enemy) and not across_barrier(ask.state, there, enemy) for there in ends
    )


def _leaves_at(body: Body, enemy: Body, track: Route) -> float:
    """Length of a way at the end of the first part where a base touches another no more; inf if
    there is none."""
    ends = ((gone + part.length, body.at(*part.end)) for gone, part in track.marked)
    return next((length for length, there in ends if not touching(there, enemy)), math.inf)


def leaves_fight(run: Run, body_id: str, clause: str) -> None:
    """A model that moved fights only those whom it still touches."""
    body = run.state.bodies.get(body_id)
    if body is not None and is_engaged(body):
        still = [enemy.id for enemy in fights_from(run.state, body)]
        release(run, body_id, clause, keep=still)


def _walk_stretches(
    run: Run, body_id: str, start: Place, parts: list[Stretch], clause: str
) -> float:
    """Walk some pieces of ground: the move, the ledger, what it exposes. What they cost."""
    body = run.state.body(body_id)
    track = Route(start, tuple(parts))
    for part in parts:
        own = part.own[1]  # what is leapt or passed stays so where worse ground slows the whole way
        if own == "MH-TER-6":
            run.cite("MH-TER-5", own)
        elif own == "MH-TER-2":
            run.cite(own)
        if part.length > 0.0:
            run.pay(part.what, part.length, part.factor, part.cost, part.clause)
    x, y, z = track.end
    run.emit(Moved(body_id, x, y, z, body.facing, track.legs, clause))
    reveal_along(run, body, track)
    return track.cost


def go_along(
    run: Run,
    body_id: str,
    track: Route,
    allowance: float,
    clause: str,
    beyond: Callable[[Route, float], Route] | None = None,
) -> Generator[Ask, Answer, bool]:
    """Carry a way out part by part. Whether the model got to its end; what it spent is marked.

    beyond: what of the way after a gap is legal from there, with so much left; all unless given.
    """
    spent, ok, at = 0.0, True, track.start
    walking: list[Stretch] = []
    ahead = [*track.parts]
    while ahead:
        part = ahead.pop(0)
        if isinstance(part, Stretch):
            walking.append(part)
            continue
        if walking:
            spent += _walk_stretches(run, body_id, at, walking, clause)
            walking = []
        before, paid = run.state.body(body_id), len(run.ledger)
        ok = yield from cross(run, body_id, part, max(0.0, allowance - spent))
        if not ok:
            # Who slips on the far side of a gap has paid for the gap.
            spent += sum(line.cost for line in run.ledger[paid:])
            break
        reveal_along(run, before, Route(part.start, (part,)))
        spent += part.cost
        at = part.end
        if part.kind == "gap" and ahead and beyond is not None:
            ahead = [*beyond(Route(at, tuple(ahead)), max(0.0, allowance - spent)).parts]
    if ok and walking:
        spent += _walk_stretches(run, body_id, at, walking, clause)
    if body_id in run.state.bodies:
        if spent > 0.0:
            run.emit(Marked(body_id, Marks({"spent": spent}), clause))
        leaves_fight(run, body_id, clause)
    left = allowance - spent
    run.value(spent=spent, allowance_left=left if left > TOLERANCE else 0.0)
    # Who goes along a way is watched on it; others come into view only if bodies hide them.
    if ok:
        reveal_behind(run)
    else:
        reveal(run)
    return ok


def cite_rates(run: Run, body: Body, *, run_like: bool) -> None:
    """Cite what makes the rate of a model other than its profile says."""
    if body.stats.get("heavy_armour") and body.stats.get("shield"):
        run.cite("MH-ARM-1")
    if run_like and has_skill(body, "Sprint"):
        run.cite("MH-SKILL-1")


def cite_ways(run: Run, track: Route) -> None:
    """Cite that ladders, stairs and low obstacles are on a way, and that it leads past things."""
    low = any(isinstance(part, Stretch) and part.own[1] == "MH-TER-6" for part in track.parts)
    if low or any(part.start.z != part.end.z for part in track.parts):
        run.cite("MH-MOVE-2")
    if track.beside:
        run.cite("MH-MOVE-5")


def cite_gone(run: Run, body: Body, gone: Route, blocked: Route) -> None:
    """The same of a way that nobody chose, by what of it is gone. blocked: the whole of it, beside
    what ends it if anything does."""
    cite_ways(run, walk(run.state, body, gone.legs))
    if blocked.beside and not closer_than(gone.length, blocked.length):
        run.cite("MH-MOVE-5")


def move(run: Run, action: Move) -> Procedure:
    """A remaining move: normal, or a run."""
    ask = Context(run.state, action, run)
    body = ask.mover
    cite_rates(run, body, run_like=action.run)
    if action.run:
        give_away(run, body.id, f"{body.name} runs and is no longer hidden", "MH-HIDE-3")
    changes: dict[str, bool | None] = {"moved": True, "ran": True if action.run else None}
    clause = "MH-RUN-1" if action.run else "MH-MOVE-1"
    yield from _remaining(run, body, ask, clause, changes, action.hide)
    if action.run:
        run.cite("MH-RUN-2", "MH-RUN-3", "MH-RUN-8")
        if comes_near(ask.state, body, ask.track):
            run.cite("MH-RUN-6")
    elif action.path:
        run.cite("MH-MOVE-4")
    if not affords(ask.allowance, ask.track.cost):
        run.cite("MH-MOVE-3")
    cite_ways(run, ask.track)


def crawl(run: Run, action: Crawl) -> Procedure:
    """A knocked down model crawls."""
    ask = Context(run.state, action, run)
    changes: dict[str, bool | None] = {"moved": True}
    yield from _remaining(run, ask.mover, ask, "MH-KD-1", changes, action.hide)
    cite_ways(run, ask.track)


def _remaining(
    run: Run,
    body: Body,
    ask: Context[Any],
    clause: str,
    changes: dict[str, bool | None],
    hiding: bool,
) -> Procedure:
    run.emit(Marked(body.id, Marks(changes), clause))
    run.emit(Progressed(Marks({"last": body.id}), "MH-PHASE-4"))
    pivot(run, body.id, ask.turned.facing, clause)

    def beyond(rest: Route, left: float) -> Route:
        return _beyond(run, ask, rest, left)

    ok = yield from go_along(run, body.id, ask.track, ask.allowance, clause, beyond)
    if body.id not in run.state.bodies:
        return
    if hiding and ok:
        findings = run.check(Hide(actor=body.id))
        if not findings:
            take_cover(run, body.id)
        elif any(isinstance(event, Rolled) for event in run.events):
            run.stopped(findings[0])
        else:
            run.refuse(findings)
    state_permissions(run, body.id)


def _beyond(run: Run, ask: Context[Any], rest: Route, left: float) -> Route:
    """What of a way may be gone after a gap: it is judged from there, since nobody could know
    before how much of it the allowance lets go (MH-GAP-3)."""
    state, wanted = run.state, replace(ask.subject, path=rest.legs, hide=False)
    judged = Context(state, wanted, None, left)
    found = findings_of(state, wanted, _ON_THE_WAY, left)
    if not found and not affords(judged.bound.length, left):
        # Who has just stood up is bound by another clause, at the declaration.
        found = (replace(_too_long(judged, judged.bound.length), clause="MH-KD-2"),)
    if not found:
        return rest
    run.stopped(found[0])
    path = longest_beginning(state, wanted, _ON_THE_WAY, left) or ()
    return walk(state, judged.mover, path).spending(left, crossings=True)


def take_cover(run: Run, body_id: str) -> None:
    """Put the Hidden counter beside a model."""
    body = run.state.body(body_id)
    run.cite("MH-HIDE-1", "MH-HIDE-2")
    if not is_hidden(body):
        run.emit(Marked(body_id, Marks({"hidden": True}), "MH-HIDE-2"))
        run.happened("hides", f"{body.name} hides", "MH-HIDE-2", about=body_id)
        reveal_behind(run)


def hide(run: Run, action: Hide) -> None:
    """A model hides where its move ended, or stays where it is and hides."""
    body = run.state.body(action.actor)
    if not body.has("moved"):
        run.emit(Marked(body.id, Marks({"moved": True}), "MH-MOVE-3"))
    run.emit(Progressed(Marks({"last": body.id}), "MH-PHASE-4"))
    take_cover(run, body.id)
    state_permissions(run, body.id)
