"""MH-CHG, MH-DIVE: who may be charged, moving a declared charge, and what comes of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved, Progressed
from tapeline.engine.limits import affords, more_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Charge, DeclareCharge, Move, Shoot
from tapeline.rules.mordheim.climb import dived_at
from tapeline.rules.mordheim.contact import (
    across_barrier,
    fights_from,
    first_contact,
    flat_gap,
    gap,
    in_contact,
    touching,
)
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.corridor import (
    Barred,
    Interceptor,
    barred_at,
    interceptors,
    passed_by,
    set_in_way,
)
from tapeline.rules.mordheim.figures import (
    BOOK,
    DIVE_MIN_IN,
    JUMP_DOWN_IN,
    UNSEEN_CHARGE_IN,
)
from tapeline.rules.mordheim.hide import exposed_now, give_away, reveal
from tapeline.rules.mordheim.moves import cite_gone, cite_rates, cite_ways, go_along
from tapeline.rules.mordheim.psychology import fear, run_for_edge
from tapeline.rules.mordheim.route import WAYS, ChargePlan, cheaper, equally_short, planned
from tapeline.rules.mordheim.sight import below_its_floor, hides, sees_upright
from tapeline.rules.mordheim.state import (
    MOVEMENT,
    charge_result,
    charging_allowance,
    engage,
    engaged_with,
    is_fleeing,
    is_hidden,
    is_standing,
    may_climb,
    movement,
    next_step,
    state_permissions,
    targets_of,
    touching_at_start,
)
from tapeline.rules.mordheim.walker import ends_in_contact, pivot, walk, where_it_fits
from tapeline.rules.mordheim.wounds import initiative_test
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.travel.route import Crossing
from tapeline.wording import listed, told_apart, told_both

__all__ = ["charge", "declare_charge"]

Declaring = Context[DeclareCharge]


def _targets(ask: Declaring) -> list[Body]:
    return [ask.state.body(target) for target in ask.subject.targets]


@BOOK.clause("MH-CHG-1", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def names_whom_it_attacks(ask: Declaring) -> Iterator[Finding]:
    """The owner announces a charge once and names the enemy model or models attacked."""
    mover, subject = ask.mover, ask.subject
    if not subject.targets:
        yield Finding("A charge names the enemy it attacks.", about=mover.id)
    for target in _targets(ask):
        if target.side == mover.side:
            yield Finding(f"{target.name} is not an enemy.", about=target.id)
    if len(set(subject.targets)) < len(subject.targets):
        yield Finding("Each target of a charge is named once.", about=mover.id)
    if charge_result(mover) not in ("", "unnoticed"):
        yield Finding(f"{mover.name} has already declared a charge.", about=mover.id)


BOOK.resolves(
    "MH-CHG-3", "seed", "Any enemy may be charged to which an unobstructed line can be drawn."
)


def _may_be_judged(ask: Declaring) -> bool:
    """Whether the declaration is made in its place; nothing is measured for one that is not, or
    that is only tried out."""
    return not ask.declarations_closed and ask.may_be_told(MOVEMENT)


@BOOK.clause("MH-CHG-4", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def unseen_but_close(ask: Declaring) -> Iterator[Finding]:
    """An enemy that cannot be seen is charged only within 4 inches, after an Initiative test, and
    only if it is not hidden; those below the model's floor apart (MH-DIVE-1)."""
    if not _may_be_judged(ask):
        return
    state = ask.state
    for found in exposed_now(state):  # who is found stands, and may be in the way (MH-HIDE-11)
        state = state.with_body(state.body(found.body).marked(hidden=None))
    for target in _targets(ask):
        if target.side == ask.mover.side or hides(state, target):
            continue
        if sees_upright(state, ask.mover, target) or below_its_floor(state, ask.mover, target):
            continue
        if more_than(gap(state, ask.mover, target), UNSEEN_CHARGE_IN):
            text = f"{ask.mover.name} cannot see {target.name}, which is farther than 4 in."
            yield Finding(text, None, UNSEEN_CHARGE_IN, about=target.id)


@BOOK.clause("MH-CHG-5", src="seed", bars=(DeclareCharge, Move), at=Moment.DECLARE)
def unnoticed_means_no_charge(ask: Context[DeclareCharge | Move]) -> Iterator[Finding]:
    """A model that failed to notice its target does not charge or run this turn; it may move its
    normal distance, shoot and cast."""
    if charge_result(ask.mover) != "unnoticed":
        return
    ask.cite("MH-CHG-5")
    if isinstance(ask.subject, DeclareCharge):
        text = f"{ask.mover.name} failed to notice its target and does not charge this turn."
        yield Finding(text, about=ask.mover.id)
    elif ask.subject.run:
        text = f"{ask.mover.name} failed to notice its target and does not run this turn."
        yield Finding(text, about=ask.mover.id)


BOOK.resolves_each("""
MH-DIVE-1 (seed) Enemies below the balcony or overhang that the model stands on may be charged, seen
    or not.
MH-CHG-9 (seed) Anything inside charge range is a possible target.
""")


@BOOK.clause("MH-DIVE-3", src="seed", bars=DeclareCharge, at=Moment.DECLARE)
def dives_at_most_six(ask: Declaring) -> Iterator[Finding]:
    """A diving charge is tested as a jump down and goes down at most 6 inches."""
    if not ask.subject.dive or not _may_be_judged(ask):
        return
    for target in _targets(ask):
        ask.cite("MH-DIVE-3")
        drop = ask.mover.z - target.z
        if more_than(drop, JUMP_DOWN_IN) and not _jumps_in_parts(ask, target):
            below = told_apart(drop, JUMP_DOWN_IN)
            text = f"{target.name} is {below} in below; nobody dives more than 6 in."
            yield Finding(text, drop, JUMP_DOWN_IN, target.centre, target.id)


def _jumps_in_parts(ask: Declaring, target: Body) -> bool:
    """Whether the way to a target leads off a ledge or a lower floor: each drop is one jump."""
    plan = planned(ask.state, ask.mover.marked(targets=(target.id,)))
    return plan is not None and plan.feasible and any(plan.track.crossings)


def declare_charge(run: Run, action: DeclareCharge) -> Procedure:
    """1a: announce a charge; the test to notice targets out of sight, and that of fear."""
    run.untold()
    hiding = any(map(is_hidden, run.state.bodies.values()))
    if hiding and not run.state.progress.get("watched"):
        reveal(run)
        run.emit(Progressed(Marks({"watched": True}), "MH-HIDE-11"))
    body = run.state.body(action.actor)
    run.cite("MH-PHASE-2")
    if is_hidden(body):
        run.cite("MH-HIDE-8")
    if body.stats.get("frenzy"):
        run.cite("MH-PSY-2")
    unseen = []
    for target_id in action.targets:
        target = run.state.body(target_id)
        if sees_upright(run.state, body, target):
            run.cite("MH-CHG-3")
        elif below_its_floor(run.state, body, target):
            run.cite("MH-DIVE-1")
        else:
            unseen.append(target_id)
    names = listed([run.state.body(t).name for t in action.targets])
    changes = Marks({"targets": action.targets, "dive": action.dive or None, "charge": "declared"})
    run.emit(Marked(body.id, changes, "MH-CHG-1"))
    run.happened("charge declared", f"{body.name} charges {names}", "MH-CHG-1", about=body.id)
    for target_id in unseen:
        name = run.state.body(target_id).name
        noticed = yield from initiative_test(run, body.id, f"to notice {name}", "MH-CHG-4")
        if not noticed:
            changes = Marks({"targets": None, "dive": None, "charge": "unnoticed"})
            run.emit(Marked(body.id, changes, "MH-CHG-5"))
            text = f"{body.name} does not notice {name}"
            run.happened("unnoticed", text, "MH-CHG-5", about=body.id, outcome=True)
            state_permissions(run, body.id)
            return
    yield from fear(run, body.id, action.targets)


# Moving it.


#: Inches. A failed charge that would end against an enemy stops this much short of it.
_SHORT_IN = 1e-3


def _plan_of(ask: Context[Charge]) -> ChargePlan | None:
    mover = ask.mover
    return ask.once(("plan", mover), lambda: planned(ask.state, mover))


@BOOK.clause("MH-CHG-6", src="seed", bars=Charge, at=Moment.PATH)
def by_the_most_direct_route(ask: Context[Charge]) -> Iterator[Finding]:
    """A declared charge goes by the most direct route into base contact, up to twice the
    Movement."""
    mover, path = ask.mover, ask.subject.path
    if charge_result(mover) != "declared":
        yield Finding(f"{mover.name} has no declared charge to move.", about=mover.id)
        return
    if path is None or not ask.declarations_closed:
        return
    plan = _plan_of(ask)
    if plan is None:
        return
    if plan.over_a_gap:
        yield Finding("The direct route leads over a gap: the charge goes by it.", about=mover.id)
        return
    if not plan.feasible:
        name = ask.name(plan.targets[0])
        yield Finding(f"No way leads to {name}: the charge goes straight there.", about=mover.id)
        return
    mover = mover.at(mover.x, mover.y, facing=plan.facing)
    track = walk(ask.state, mover, path)
    yield from track.findings()
    climb = next((h for h in track.crossings if h.kind.startswith("climb")), None)
    if climb is not None and not _may_climb_in_charge(ask.state, mover, climb):
        text = f"{mover.name} does not climb that in a charge."
        yield Finding(text, None, None, climb.start.xy, climb.piece)
    direct = plan.track.length
    if more_than(track.length, direct):
        long, least = told_both(track.length, direct, ".3f")
        text = f"The path is {long} in long; the most direct route {least} in."
        yield Finding(text, track.length, direct, None, mover.id)
        return
    end = mover.at(*track.end)
    for target_id in plan.targets:
        target = ask.state.body(target_id)
        if not touching(end, target) and not across_barrier(ask.state, end, target):
            text = f"The path does not end in contact with {target.name}."
            yield Finding(text, flat_gap(end, target), 0.0, end.centre, target_id)


def _may_climb_in_charge(state: State, body: Body, climb: Crossing) -> bool:
    """Whether a climb may be part of the route of a charge (`climb_in_charge`, 3.9)."""
    return (
        state.option("climb_in_charge") == "yes"
        and may_climb(body)
        and climb.piece in touching_at_start(body)
        and not more_than(climb.rise, movement(body))
    )


BOOK.resolves_each("""
MH-CHG-7 (seed) Base contact puts both models in combat.
MH-CHG-8 (seed) A low wall or obstacle that keeps the bases apart does not prevent engagement.
MH-CHG-11 (seed) A charge that falls short is a failed charge: the model goes its Movement towards
    the target, no more and no less.
""")


@BOOK.clause("MH-CHG-12", src="seed", bars=Shoot, at=Moment.DECLARE)
def failed_charger_does_not_shoot(ask: Context[Shoot]) -> Iterator[Finding]:
    """After a failed charge a model does not shoot that turn; it may cast."""
    if charge_result(ask.mover) == "failed":
        text = f"{ask.mover.name} failed a charge this turn and does not shoot."
        yield Finding(text, about=ask.mover.id)


BOOK.resolves_each("""
MH-CHG-14 (seed) If one charge move touches several enemies they may all be charged, and are all
    fought.
MH-CHG-16 (public) A charger strikes first in the coming combat.
MH-DIVE-2 (seed) A charge that jumps down within 2 inches of the enemy may be a diving charge.
MH-DIVE-4 (seed) A diving charger that fails a test has fallen, moves no more and does not charge.
MH-DIVE-5 (seed) A dive that succeeds gives +1 Strength and +1 to hit in the next hand-to-hand
    phase.
""")


def charge(run: Run, action: Charge) -> Procedure:
    """1b: move one declared charge: route, interception, cost, tests, contact."""
    ask = Context(run.state, action, run)
    body, plan = ask.mover, _plan_of(ask)
    if plan is None:
        _blocked(run, body, "nobody is left to charge", "MH-CHG-1")
        next_step(run)
        return
    if plan.over_a_gap:
        text = "How wide the gap on its route is, and what comes of it, is told once it is charged."
        run.untold(Finding(text, about=body.id, clause="MH-GAP-3"))
    if action.path is not None:
        turned = body.at(body.x, body.y, facing=plan.facing)
        track = walk(run.state, turned, action.path)
        plan = replace(plan, track=track)
    elif plan.feasible:
        way = _past_nobody(run.state, body, plan)
        if way is not plan:
            declared = targets_of(body)
            way = cheaper(
                run.state,
                body,
                way,
                lambda track: not interceptors(run.state, body, track, declared),
            )
        plan = way
    full = charging_allowance(body)
    cite_rates(run, body, run_like=True)
    if plan.feasible:
        cite_ways(run, plan.track)
    if body.stats.get("no_run"):
        run.cite("MH-RUN-10")
    if len(targets_of(body)) > 1:
        run.cite("MH-CHG-14")
    if engaged_with(body):
        run.cite("MH-ENG-1")
    stopped = yield from _intercepted(run, body, plan, full)
    if not stopped:
        if plan.feasible and affords(plan.track.cost, full):
            run.cite("MH-CHG-9")
            yield from _charge_home(run, body.id, plan, full)
        else:
            yield from _fall_short(run, body, plan)
    if body.id in run.state.bodies:
        state_permissions(run, body.id)
    next_step(run)


def _comes_out(run: Run, body: Body) -> None:
    """Who moves in a charge hides no longer; one that was barred never charged."""
    give_away(run, body.id, f"{body.name} charges and is no longer hidden", "MH-HIDE-8")


def _blocked(run: Run, body: Body, why: str, clause: str) -> None:
    run.emit(Marked(body.id, Marks({"charge": "blocked", "targets": None, "dive": None}), clause))
    text = f"{body.name} does not charge: {why}"
    run.happened("charge blocked", text, clause, about=body.id, outcome=True)


def _past_nobody(state: State, body: Body, plan: ChargePlan) -> ChargePlan:
    """The same by a way equally short beside which no enemy stands, if there is one."""
    found = interceptors(state, body, plan.track, targets_of(body))
    if not found or _only_way(state, body, plan):
        return plan
    barring, limit = dict[str, Body](), found[0].limit
    while more := {near.body: state.body(near.body) for near in found if near.body not in barring}:
        barring |= more
        other = equally_short(state, body, plan, clear_of=barring.values(), off=limit)
        if other is None:
            break
        found = interceptors(state, body, other.track, targets_of(body))
        if not found:
            return other
    # One beside the end of a way, but not of the corridor, leaves it free: the others in turn.
    way, barred = plan, list[Barred]()
    while found := interceptors(state, body, way.track, targets_of(body)):
        at = barred_at(state, way.track, state.body(found[0].body))
        if at is None or len(barred) == WAYS:
            return plan
        barred.append(at)
        other = equally_short(state, body, plan, not_over=barred)
        if other is None:
            return plan
        way = other
    return way


def _only_way(state: State, body: Body, plan: ChargePlan) -> bool:
    """Whether a way is the straight one to its target, so that no other is as short."""
    if len(plan.track.parts) > 1 or len(plan.targets) > 1:
        return False
    turned = body.at(body.x, body.y, facing=plan.facing)
    return not more_than(plan.track.length, flat_gap(turned, state.body(plan.targets[0])))


def _intercepted(
    run: Run, body: Body, plan: ChargePlan, full: float
) -> Generator[Ask, Answer, bool]:
    """Enemies beside the route. Whether the charge is thereby settled."""
    declared = targets_of(body)
    found = interceptors(run.state, body, plan.track, declared) if plan.feasible else []
    if passed_by(run.state, body, plan.track, declared):
        run.cite("MH-CHG-10")
    if not found:
        return False
    if run.state.option("intercept_mode") == "forbid":
        for near in found:
            name = run.state.body(near.body).name
            off = told_apart(near.gap, near.limit, ".2f")
            text = f"{name} stands {off} in from the route of the charge."
            run.stopped(
                Finding(text, near.gap, near.limit, near.place, near.body, clause="MH-CHG-10")
            )
        _blocked(run, body, "an enemy stands beside its route", "MH-CHG-10")
        return True
    return (yield from _met(run, body, plan, found, full))


def _met(
    run: Run, body: Body, plan: ChargePlan, found: list[Interceptor], full: float
) -> Generator[Ask, Answer, bool]:
    """The opponent may set one enemy in the way (MH-CHG-15)."""
    places = {near.body: set_in_way(run.state, near, plan.track) for near in found}
    able = [near for near in found if places[near.body] is not None]
    if not able:
        return False
    opponent = run.state.body(able[0].body).side
    options = {None: "let the charge go on"} | {
        near.body: f"{run.state.body(near.body).name} steps in the way" for near in able
    }
    who = f"{body.name} charges past: who intercepts?"
    value = yield from run.pick(opponent, who, "MH-CHG-15", options, about=body.id)
    if not isinstance(value, str):
        return False
    place = places[value]
    assert place is not None
    enemy = run.state.body(value)
    run.emit(Moved(value, *place, enemy.facing, (), "MH-CHG-15"))
    text = f"{enemy.name} intercepts {body.name}"
    run.happened("intercepted", text, "MH-CHG-15", about=value, outcome=True)
    reveal(run, value)
    turned = body.at(body.x, body.y, facing=plan.facing)
    met = first_contact(turned, run.state.body(value), plan.track)
    assert met is not None, "the interceptor stands on the route"
    # Where there is no room beside it, as astride a low wall, it may be met across that (3.6.8).
    track, facing = where_it_fits(run.state, turned, plan.track.upto(met[0]))
    met_plan = replace(plan, track=track, targets=(value,), facing=facing)
    turned = body.at(body.x, body.y, facing=facing)
    if affords(track.cost, full) and ends_in_contact(run.state, turned, track, (value,)):
        yield from _charge_home(run, body.id, met_plan, full)
    else:
        yield from _fall_short(run, body, met_plan)
    return True


def _charge_home(
    run: Run, body_id: str, plan: ChargePlan, full: float
) -> Generator[Ask, Answer, None]:
    """Go the whole route; if every test is passed, fight what is touched at its end."""
    name = run.state.body(body_id).name
    _comes_out(run, run.state.body(body_id))
    if any(hurdle.kind == "jump down" for hurdle in plan.track.crossings):
        run.cite("MH-DIVE-1")
    run.emit(Marked(body_id, Marks({"moved": True}), "MH-CHG-6"))
    pivot(run, body_id, plan.facing, "MH-CHG-6")
    ok = yield from go_along(run, body_id, plan.track, full, "MH-CHG-6")
    if not ok:
        if body_id in run.state.bodies:
            run.emit(Marked(body_id, Marks({"charge": "failed"}), "MH-CHG-11"))
        text = f"{name} fails its charge"
        run.happened("charge failed", text, "MH-CHG-11", about=body_id, outcome=True)
        return
    state = run.state
    body = state.body(body_id)
    run.emit(Marked(body_id, Marks({"charge": "success", "strikes_first": True}), "MH-CHG-16"))
    run.happened("charge succeeds", f"{name} charges home", "MH-CHG-6", about=body_id, outcome=True)
    met = fights_from(state, body)
    if len(met) > 1:
        run.cite("MH-CHG-14")
    for enemy in met:
        if is_fleeing(enemy) and is_standing(enemy):
            if not touching(body, enemy):
                run.cite("MH-CHG-8")  # charged home across the wall all the same
            continue  # it runs on
        engage(run, body_id, enemy.id, _how_met(body, enemy))
    if body.has("dive"):
        _dived(run, body, plan)
    for enemy in met:
        if is_fleeing(enemy) and is_standing(enemy):
            yield from _runs_on(run, body_id, enemy.id)
    run.value(engaged=engaged_with(run.state.body(body_id)))


def _runs_on(run: Run, body_id: str, enemy_id: str) -> Generator[Ask, Answer, None]:
    """Who is charged in flight runs on, at no cost to the charger; without a way it must fight."""
    paid, spent = len(run.ledger), run.values["spent"]
    left = run.values["allowance_left"]
    yield from run_for_edge(run, enemy_id, "MH-FLEE-3")
    del run.ledger[paid:]
    run.value(spent=spent, allowance_left=left)
    body = run.state.body(body_id)
    enemy = next((one for one in fights_from(run.state, body) if one.id == enemy_id), None)
    if enemy is not None:
        engage(run, body_id, enemy_id, _how_met(body, enemy))


def _how_met(body: Body, enemy: Body) -> str:
    """The clause by which a charger fights one it has met: in contact, or across a low wall."""
    return "MH-CHG-7" if touching(body, enemy) else "MH-CHG-8"


def _dived(run: Run, body: Body, plan: ChargePlan) -> None:
    """Whether the last jump down was a dive at a target (3.10)."""
    jumps = [h for h in plan.track.crossings if h.kind == "jump down"]
    if not jumps or more_than(DIVE_MIN_IN, jumps[-1].rise):
        return
    if dived_at(run.state, body, jumps[-1]):
        run.cite("MH-DIVE-2")
        run.emit(Marked(body.id, Marks({"dive_bonus": True}), "MH-DIVE-5"))


def _fall_short(run: Run, body: Body, plan: ChargePlan) -> Generator[Ask, Answer, None]:
    """A failed charge: the Movement spent along the route, short of any enemy on it."""
    _comes_out(run, body)
    track = plan.track.spending(movement(body))
    touched = {enemy.id for enemy in in_contact(run.state, body)}
    for enemy in run.state.enemies(body):
        met = None if enemy.id in touched else first_contact(body, enemy, track)
        if met is not None and touching(body.at(*track.end), enemy):
            track = track.upto(max(0.0, met[0] - _SHORT_IN))
    track, facing = where_it_fits(run.state, body, track)
    if not plan.feasible:
        cite_gone(run, body, track, plan.track)
    run.emit(Marked(body.id, Marks({"moved": True, "charge": "failed"}), "MH-CHG-11"))
    pivot(run, body.id, facing, "MH-CHG-11")
    text = f"{body.name} falls short of its charge"
    run.happened("charge failed", text, "MH-CHG-11", about=body.id, outcome=True)
    yield from go_along(run, body.id, track, movement(body), "MH-CHG-11")
