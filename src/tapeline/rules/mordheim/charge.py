"""MH-CHG-6 to -16 and MH-DIVE: moving a declared charge, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from tapeline.engine.asks import Answer, Ask, Choice, Option
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved
from tapeline.engine.limits import affords, more_than, same, within
from tapeline.engine.paths import Place
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.contact import distance_to
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.rules.mordheim.actions import Charge, Shoot
from tapeline.rules.mordheim.approach import (
    route_to_contact,
    straight_towards,
)
from tapeline.rules.mordheim.contact import (
    across_barrier,
    fights_from,
    first_contact,
    flat_gap,
    in_contact,
    touching,
)
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.corridor import Interceptor, interceptors, passed_by, set_in_way
from tapeline.rules.mordheim.figures import BOOK, DIVE_IN, DIVE_MIN_IN
from tapeline.rules.mordheim.hide import give_away, reveal
from tapeline.rules.mordheim.moves import cite_rates, cite_ways, go_along
from tapeline.rules.mordheim.psychology import charged_in_flight
from tapeline.rules.mordheim.state import (
    base_part,
    charge_result,
    charging_allowance,
    engage,
    engaged_with,
    is_fleeing,
    is_standing,
    may_climb,
    movement,
    next_step,
    radius,
    state_permissions,
    targets_of,
    touching_at_start,
)
from tapeline.rules.mordheim.walker import (
    ends_in_contact,
    facings_along,
    pivot,
    walk,
    where_it_fits,
)
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.marks import Marks
from tapeline.travel.route import Crossing, Route

__all__ = ["Plan", "charge", "planned"]

#: Inches. A failed charge that would end against an enemy stops this much short of it.
_SHORT_IN = 1e-3


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a declared charge leads: the way, the targets it is meant to touch, whether there is a
    way to contact at all, and how the base faces on it, degrees."""

    track: Route
    targets: tuple[str, ...]
    feasible: bool
    facing: float


def planned(state: State, body: Body) -> Plan | None:
    """The most direct route of a declared charge (3.6); None if no target is left on the table.

    Of several targets those are charged that this move can reach, the one named first before all.
    """
    targets = tuple(t for t in targets_of(body) if t in state.bodies)
    if not targets:
        return None
    full = charging_allowance(body)
    several = len(targets) > 1
    beyond: list[Plan] = []
    for some in _preferred(targets):
        plans: list[Plan] = []
        for plan in _plans(state, body, some, near=several):
            if affords(plan.track.cost, full):
                return plan
            plans.append(plan)
        beyond = beyond or plans
    for some in (targets, targets[:1]) if several else ():
        plans = list(_plans(state, body, some, near=False))
        if plans:
            return _most_direct(plans)
    if beyond:
        return _most_direct(beyond)
    towards = straight_towards(state, body, state.body(targets[0]))
    return Plan(towards, targets[:1], False, body.facing)


def _most_direct(plans: list[Plan]) -> Plan:
    """The shortest of some ways, as the base reaches farthest; the first of those equally short."""
    least = min(plan.track.length for plan in plans)
    return next(plan for plan in plans if within(plan.track.length, least))


def _preferred(targets: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Which targets to charge: as many as can be together with the one named first; without it if
    it cannot be charged at all."""
    for k, first in enumerate(targets):
        rest = targets[k + 1 :]
        for count in range(len(rest), -1, -1):
            yield from ((first, *others) for others in combinations(rest, count))


def _plans(state: State, body: Body, targets: tuple[str, ...], *, near: bool) -> Iterator[Plan]:
    """Ways into contact with all of some targets: the base as it stands or a quarter turn from it,
    whichever is shorter; if that does not do, turned so that it reaches farther, as far off as the
    target may be.

    near: only within what a charge may cost.
    """
    best = list(_facing_so(state, body, targets, _quarters(body), near))
    if len(best) > 1 and more_than(best[0].track.length, best[1].track.length):
        best.reverse()
    yield from best
    if isinstance(body.base, Round):
        return
    if len(targets) > 1:
        alike = (turn for t in targets for turn in _quarters(state.body(t)))
        yield from _facing_so(state, body, targets, alike, True)
        return
    target = state.body(targets[0])
    for reach in (body.base.reach, radius(body)):
        disc = Part((0.0, 0.0), reach)
        only = near or (bool(best) and reach <= radius(body))
        climb = state.option("climb_in_charge") == "yes"
        track = route_to_contact(state, body, targets, climb=climb, shape=disc, near=only)
        if track is None:
            continue
        for facing in (*_corner_first(body, track.end, target), *facings_along(body, track)):
            turned = body.at(body.x, body.y, facing=facing)
            met = first_contact(turned, target, track)
            ways = (track,) if met is None else (track, track.upto(met[0]))
            fitting = [way for way in ways if ends_in_contact(state, turned, way, targets)]
            if fitting:
                yield Plan(fitting[0], targets, True, facing)
                break


def _facing_so(
    state: State, body: Body, targets: tuple[str, ...], facings: Iterable[float], near: bool
) -> Iterator[Plan]:
    """Ways into contact for a base that faces so, one for each facing."""
    climb = state.option("climb_in_charge") == "yes"
    for facing in facings:
        turned = body.at(body.x, body.y, facing=facing)
        faced = state if facing == body.facing else state.with_body(turned)
        track = route_to_contact(faced, turned, targets, climb=climb, near=near)
        if track is not None and ends_in_contact(faced, turned, track, targets):
            yield Plan(track, targets, True, facing)
            near = True


def _quarters(body: Body) -> tuple[float, ...]:
    """Facings of a base that differ by quarter turns: two if it is oblong, degrees."""
    base = body.base
    if isinstance(base, Round) or same(base.width, base.depth):
        return (body.facing,)
    return body.facing, body.facing + 90.0


def _corner_first(body: Body, at: Place, target: Body) -> Iterator[float]:
    """Facings in which a corner of the base points at the nearest point of a target, degrees."""
    assert isinstance(body.base, Rectangle)
    _, (x, y) = distance_to(base_part(target), at.x, at.y)
    towards = math.degrees(math.atan2(y - at.y, x - at.x))
    corner = math.degrees(math.atan2(body.base.width, body.base.depth))
    yield towards - corner
    yield towards + corner


def _plan_of(ask: Context[Charge]) -> Plan | None:
    if ask.run is None:
        return planned(ask.state, ask.mover)
    key = ("plan", ask.mover)
    if key not in ask.run.memo:
        ask.run.memo[key] = planned(ask.state, ask.mover)
    found = ask.run.memo[key]
    assert found is None or isinstance(found, Plan)
    return found


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
    if not plan.feasible:
        name = ask.name(plan.targets[0])
        yield Finding(f"No way leads to {name}: the charge goes straight there.", about=mover.id)
        return
    mover = mover.at(mover.x, mover.y, facing=plan.facing)
    track = walk(ask.state, mover, path, manner="charge")
    for hit in track.hits:
        place = (hit.place.x, hit.place.y)
        yield Finding(hit.text, hit.measured, hit.limit, place, hit.about, hit.travelled)
    climb = next((h for h in track.crossings if h.kind.startswith("climb")), None)
    if climb is not None and not _may_climb_in_charge(ask.state, mover, climb):
        text = f"{mover.name} does not climb that in a charge."
        yield Finding(text, None, None, (climb.start.x, climb.start.y), climb.piece)
    direct = plan.track.length
    if more_than(track.length, direct):
        text = f"The path is {track.length:.3f} in long; the most direct route {direct:.3f} in."
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


BOOK.resolves("MH-CHG-7", src="seed", says="Base contact puts both models in combat.")
BOOK.resolves(
    "MH-CHG-8",
    src="seed",
    says="A low wall or obstacle that keeps the bases apart does not prevent engagement.",
)
BOOK.resolves(
    "MH-CHG-11",
    src="seed",
    says="A charge that falls short is a failed charge: the model goes its Movement towards the "
    "target, no more and no less.",
)


@BOOK.clause("MH-CHG-12", src="seed", bars=Shoot, at=Moment.DECLARE)
def failed_charger_does_not_shoot(ask: Context[Shoot]) -> Iterator[Finding]:
    """After a failed charge a model does not shoot that turn; it may cast."""
    if charge_result(ask.mover) == "failed":
        text = f"{ask.mover.name} failed a charge this turn and does not shoot."
        yield Finding(text, about=ask.mover.id)


BOOK.resolves(
    "MH-CHG-14",
    src="seed",
    says="If one charge move touches several enemies they may all be charged, and are all fought.",
)
BOOK.resolves("MH-CHG-16", src="public", says="A charger strikes first in the coming combat.")
BOOK.resolves(
    "MH-DIVE-2",
    src="seed",
    says="A charge that jumps down within 2 inches of the enemy may be a diving charge.",
)
BOOK.resolves(
    "MH-DIVE-4",
    src="seed",
    says="A diving charger that fails a test has fallen, moves no more and does not charge.",
)
BOOK.resolves(
    "MH-DIVE-5",
    src="seed",
    says="A dive that succeeds gives +1 Strength and +1 to hit in the next hand-to-hand phase.",
)


def charge(run: Run, action: Charge) -> Procedure:
    """1b: move one declared charge: route, interception, cost, tests, contact."""
    ask = Context(run.state, action, run)
    body, plan = ask.mover, _plan_of(ask)
    if plan is None:
        _blocked(run, body, "nobody is left to charge", "MH-CHG-1")
        next_step(run)
        return
    give_away(run, body.id, f"{body.name} charges and is no longer hidden", "MH-HIDE-3")
    body = run.state.body(body.id)
    if action.path is not None:
        turned = body.at(body.x, body.y, facing=plan.facing)
        track = walk(run.state, turned, action.path, manner="charge")
        plan = replace(plan, track=track)
    full = charging_allowance(body)
    cite_rates(run, body, run_like=True)
    cite_ways(run, plan.track)
    if body.stats.get("no_run"):
        run.cite("MH-RUN-10")
    if len(targets_of(body)) > 1:
        run.cite("MH-CHG-14")
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


def _blocked(run: Run, body: Body, why: str, clause: str) -> None:
    run.emit(Marked(body.id, Marks({"charge": "blocked", "targets": None, "dive": None}), clause))
    text = f"{body.name} does not charge: {why}"
    run.happened("charge blocked", text, clause, about=body.id, outcome=True)


def _intercepted(run: Run, body: Body, plan: Plan, full: float) -> Generator[Ask, Answer, bool]:
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
            text = f"{name} stands {near.gap:.2f} in from the route of the charge."
            run.stopped(
                Finding(text, near.gap, near.limit, near.place, near.body, clause="MH-CHG-10")
            )
        _blocked(run, body, "an enemy stands beside its route", "MH-CHG-10")
        return True
    return (yield from _met(run, body, plan, found, full))


def _met(
    run: Run, body: Body, plan: Plan, found: list[Interceptor], full: float
) -> Generator[Ask, Answer, bool]:
    """The opponent may set one enemy in the way (MH-CHG-15)."""
    places = {near.body: set_in_way(run.state, near, plan.track) for near in found}
    able = [near for near in found if places[near.body] is not None]
    if not able:
        return False
    opponent = run.state.body(able[0].body).side
    options = [Option(None, "let the charge go on")]
    options += [
        Option(near.body, f"{run.state.body(near.body).name} steps in the way") for near in able
    ]
    value = yield from run.choose(
        Choice(
            opponent,
            f"{body.name} charges past: who intercepts?",
            "MH-CHG-15",
            options=tuple(options),
            about=body.id,
        )
    )
    if not isinstance(value, str):
        return False
    place = places[value]
    assert place is not None
    enemy = run.state.body(value)
    run.emit(Moved(value, *place, enemy.facing, (), "MH-CHG-15"))
    text = f"{enemy.name} intercepts {body.name}"
    run.happened("intercepted", text, "MH-CHG-15", about=value, outcome=True)
    reveal(run)
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


def _charge_home(run: Run, body_id: str, plan: Plan, full: float) -> Generator[Ask, Answer, None]:
    """Go the whole route; if every test is passed, fight what is touched at its end."""
    name = run.state.body(body_id).name
    if any(hurdle.kind == "jump down" for hurdle in plan.track.crossings):
        run.cite("MH-DIVE-1")
    run.emit(Marked(body_id, Marks({"moved": True}), "MH-CHG-6"))
    pivot(run, body_id, plan.facing, "MH-CHG-6")
    ok = yield from go_along(run, body_id, plan.track, full, "MH-CHG-6")
    if not ok:
        if body_id in run.state.bodies:
            run.emit(Marked(body_id, Marks({"charge": "failed"}), "MH-CHG-11"))
            if run.state.body(body_id).has("fallen"):
                run.cite("MH-DIVE-4")
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
            continue  # it runs on
        engage(run, body_id, enemy.id, "MH-CHG-7" if touching(body, enemy) else "MH-CHG-8")
    if body.has("dive"):
        _dived(run, body, plan)
    for enemy in met:
        if is_fleeing(enemy) and is_standing(enemy):
            yield from charged_in_flight(run, enemy.id)
    run.value(engaged=engaged_with(run.state.body(body_id)))


def _dived(run: Run, body: Body, plan: Plan) -> None:
    """Whether the last jump down was a dive at a target (3.10)."""
    jumps = [h for h in plan.track.crossings if h.kind == "jump down"]
    if not jumps:
        return
    landing = body.at(*jumps[-1].end)
    for target_id in plan.targets:
        target = run.state.bodies.get(target_id)
        if target is None or more_than(abs(target.z - landing.z), 0.0):
            continue
        near = within(flat_gap(landing, target), DIVE_IN)
        if near and not more_than(DIVE_MIN_IN, jumps[-1].rise):
            run.cite("MH-DIVE-2")
            run.emit(Marked(body.id, Marks({"dive_bonus": True}), "MH-DIVE-5"))
            return


def _fall_short(run: Run, body: Body, plan: Plan) -> Generator[Ask, Answer, None]:
    """A failed charge: the Movement spent along the route, short of any enemy on it."""
    track = plan.track.spending(movement(body))
    touched = {enemy.id for enemy in in_contact(run.state, body)}
    for enemy in run.state.enemies(body):
        met = None if enemy.id in touched else first_contact(body, enemy, track)
        if met is not None and touching(body.at(*track.end), enemy):
            track = track.upto(max(0.0, met[0] - _SHORT_IN))
    track, facing = where_it_fits(run.state, body, track)
    run.emit(Marked(body.id, Marks({"moved": True, "charge": "failed"}), "MH-CHG-11"))
    pivot(run, body.id, facing, "MH-CHG-11")
    text = f"{body.name} falls short of its charge"
    run.happened("charge failed", text, "MH-CHG-11", about=body.id, outcome=True)
    yield from go_along(run, body.id, track, movement(body), "MH-CHG-11")
