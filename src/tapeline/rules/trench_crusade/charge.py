"""TC-CHG, TC-KW-2: who may be charged, along which route, how far; evasion; what comes of it."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, affords, more_than, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Arc
from tapeline.rules.trench_crusade.actions import Charge, Slide, Walk
from tapeline.rules.trench_crusade.approach import Approach, approach, others_of, way_taken
from tapeline.rules.trench_crusade.book import (
    BOOK,
    CHARGE_CAP_IN,
    CHARGE_RANGE_IN,
    NEAR_IN,
    STOOD_UP_FACTOR,
)
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.journey import go
from tapeline.rules.trench_crusade.measures import (
    Citations,
    beside,
    counts_all_the_same,
    gap,
    holding,
    level_with,
    reach_of,
)
from tapeline.rules.trench_crusade.moves import carry_out, refuse_path
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import activation, carries, is_down, negates_heavy, radius
from tapeline.rules.trench_crusade.walker import lay
from tapeline.table.bodies import Body
from tapeline.travel.nearness import first_near
from tapeline.travel.route import Route
from tapeline.wording import figures, told_apart

__all__ = ["charge", "charge_bonus_dice", "evade", "legal_target", "switched"]


Charging = Context[Charge]
#: Clauses about enemies that a charge answers in its own way, TC-CHG-3 and TC-CHG-12.
_OWN = frozenset({"TC-MOVE-7", "TC-MOVE-13"})
Sliding = Context[Slide]

BOOK.resolves_each("""
TC-CHG-1 (seed) A Charge makes one special move meant to bring the charger within 1 inch of an
    enemy.
""")


@BOOK.clause("TC-CHG-2", src="seed", bars=Charge, at=Moment.DECLARE)
def target_seen_and_in_range(ask: Charging) -> Iterator[Finding]:
    """The target of a charge is an enemy, visible and within 12 inches."""
    mover, target = ask.mover, ask.target
    if not ask.target_is_enemy():
        yield Finding(f"{target.name} is not an enemy.", about=target.id)
        return
    ask.cite("TC-CHG-2")
    measured = gap(mover, target)
    if not ask.in_range:
        off = told_apart(measured, CHARGE_RANGE_IN, ".2f")
        text = f"{target.name} is {off} in away, must be within 12 in."
        yield Finding(text, measured, CHARGE_RANGE_IN, target.centre, target.id)
    if not visible(ask.state, mover, target, attested=ask.subject.visible):
        yield Finding(f"{mover.name} cannot see {target.name}.", None, None, None, target.id)


@BOOK.clause("TC-CHG-3", src="seed", bars=Charge, at=Moment.DECLARE)
def nobody_interposes(ask: Charging) -> Iterator[Finding]:
    """An enemy is not the target if the route to it passes within 1 inch of another enemy before
    the charger is within 1 inch of the target."""
    plan = ask.approach if ask.target_is_enemy() else None
    if plan is None or plan.strays:
        return
    for enemy in others_of(ask.state, ask.mover, ask.target) if ask.run is not None else ():
        if within(gap(ask.mover, enemy), plan.near + NEAR_IN):
            ask.cite("TC-CHG-3")
            if counts_all_the_same(ask.state, ask.mover, enemy):
                ask.cite("TC-MOVE-13")
    for s, enemy, way in plan.met():
        here, there = figures(s, way.near)
        text = (
            f"{enemy.name} interposes: within 1 in of it after {here} in, of {ask.target.name} "
            f"only after {there} in."
        )
        yield Finding(text, s, way.near, way.track.place(s).xy, enemy.id, s)


@BOOK.clause("TC-CHG-4", src="seed", bars=Charge, at=Moment.DECLARE)
def interposer_or_nobody(ask: Charging) -> Iterator[Finding]:
    """Where an enemy interposes, it is named as target instead or there is no charge."""
    plan = ask.approach if ask.target_is_enemy() else None
    if plan is None or plan.strays or not plan.interposers:
        return
    ask.cite("TC-CHG-4")
    if not any(
        legal_target(ask.state, ask.mover, enemy, ask.subject.forbid) for _, enemy, _ in plan.met()
    ):
        s, enemy = plan.interposers[0]
        text = f"{enemy.name}, which interposes, cannot be charged either: no charge this way."
        yield Finding(text, s, plan.near, plan.track.place(s).xy, enemy.id, s)


def legal_target(state: State, mover: Body, target: Body, forbid: Sequence[str] = ()) -> bool:
    """Whether an enemy may be named: visible, in range, to be reached, nobody interposing."""
    if target.side == mover.side or not within(gap(mover, target), CHARGE_RANGE_IN):
        return False
    if not visible(state, mover, target):
        return False
    plan = approach(state, mover, target, forbid)
    return plan is not None and not plan.interposers


BOOK.resolves_each("""
TC-CHG-5 (seed) After the target is fixed a D6 is added to the Movement Characteristic, 12 inches at
    most.
TC-CHG-6 (seed) That D6 is the Charge Bonus, by which other rules know it.
""")


@BOOK.clause("TC-CHG-7", src="seed", bars=Charge, at=Moment.DECLARE)
def moves_toward_the_target(ask: Charging) -> Iterator[Finding]:
    """After the roll the charger is moved toward the target; it stops short of its own will only
    under `charge_extent` upto."""
    stop = ask.subject.stop
    if stop is None:
        return
    if ask.state.option("charge_extent") == "full":
        text = f"{ask.mover.name} charges as far as it can; it may not choose to stop early."
        yield Finding(text, place=stop, about=ask.mover.id)
    elif ask.approach is not None:
        near = ask.approach.track.nearest(stop)
        if not within(near.distance, 0.0):
            off = told_apart(near.distance, 0.0, ".2f")
            text = f"The stop is {off} in off the route."
            yield Finding(text, near.distance, 0.0, stop, ask.mover.id, near.travelled)


@BOOK.clause("TC-CHG-8", src="seed", bars=Charge, at=Moment.PATH)
def shortest_route(ask: Charging) -> Iterator[Finding]:
    """The charge follows the shortest available route straight at the target."""
    if not (ask.target_is_enemy() and ask.in_range):
        return
    plan = ask.approach
    if plan is None:
        yield Finding(f"No route leads to {ask.target.name}.", about=ask.target.id)
    elif plan.strays:
        long, least = figures(plan.track.length, plan.shortest)
        text = f"This way is {long} in long; the shortest route to {ask.target.name} is {least} in."
        if affords(plan.track.length, plan.shortest):
            text = "This way cannot be taken."
        wanted = Route.read(ask.mover, ask.subject.path or ())
        yield Finding(text, plan.track.length, plan.shortest, wanted.end.xy, ask.target.id)


BOOK.resolves_each("""
TC-CHG-9 (seed) Dangerous ground need not be gone through in a charge, nor climbed or jumped; the
    way round it is as short as possible.
""")


@BOOK.clause("TC-CHG-10", src="seed", bars=Slide, at=Moment.ANSWER)
def stays_in_contact(ask: Sliding) -> Iterator[Finding]:
    """On contact the charger stops; if it goes on, it keeps base contact with the target and to
    its allowance."""
    target, walk = ask.target, ask.subject
    for before, part in ask.track.stretches:
        arc = part.leg
        about_target = isinstance(arc, Arc) and within(
            math.dist((arc.cx, arc.cy), target.centre), 0.0
        )
        if part.length > 0.0 and not about_target:
            text = f"Leaves contact with {target.name}: a slide is an arc about its centre."
            far = ask.track.farthest(target.centre).distance - ask.radius - radius(target)
            yield Finding(text, max(0.0, far), 0.0, part.end.xy, target.id, before)
    for before, stretch in ask.way.marked:
        rise = abs(stretch.end.z - target.z)
        if more_than(rise, 0.0):
            high = told_apart(rise, 0.0, ".2f")
            text = f"Leaves contact with {target.name}: {high} in above or below it."
            place = (stretch.end.x, stretch.end.y)
            yield Finding(text, rise, 0.0, place, target.id, before + stretch.length)
            break
    cost = ask.way.cost
    if not affords(cost, walk.left):
        costs, left = figures(cost, walk.left)
        text = f"The slide costs {costs} in; {left} in are left."
        yield Finding(text, cost, walk.left, ask.track.end.xy, ask.mover.id)


@BOOK.clause("TC-CHG-11", src="seed", bars=Slide, at=Moment.END)
def slide_reaches_another(ask: Sliding) -> Iterator[Finding]:
    """The charger goes on after contact only to end within 1 inch of one or more other enemies."""
    if ask.track.length <= 0.0:
        return
    x, y, _ = ask.track.end
    there = ask.mover.at(x, y, ask.way.end.z)
    gaps = [(gap(there, e), e.id) for e in ask.state.enemies(there) if e.id != ask.target.id]
    if not gaps:
        yield Finding("There is no other enemy to end within 1 in of.", about=ask.mover.id)
        return
    measured, who = min(gaps)
    if more_than(measured, NEAR_IN):
        off = told_apart(measured, NEAR_IN, ".2f")
        text = f"The slide ends {off} in from the nearest other enemy, not within 1 in."
        yield Finding(text, measured, NEAR_IN, ask.track.end.xy, who)


BOOK.resolves_each("""
TC-CHG-12 (seed) The charge succeeds if the charger is within 1 inch of the target when it has
    moved.
TC-CHG-13 (seed) Otherwise it has failed and the charger stays where its move ended.
TC-CHG-14 (seed) Completing a charge gives no attack; that takes a Fight ACTION.
TC-CHG-15 (public) Visibility and the 12 inches are tested only when the charge is declared.
TC-KW-2 (public) A SKIRMISHER named as target and not within 1 inch of an enemy may first move D3
    inches, ending more than 1 inch from all enemies; if an enemy now interposes it becomes the
    target.
TC-KW-3 (public) Abilities of single entries: +1 DICE on a Dash, Movement not halved on standing up,
    enemies that may not attack it as it retreats, better Charge Bonus, pinning Down enemies.
""")


def charge_bonus_dice(body: Body) -> int:
    """Dice of the Charge Bonus, the best of which counts; 0 under HEAVY that nothing negates."""
    if _heavy(body) and not negates_heavy(body):
        return 0
    return max(1, int(body.stat("charge_dice", 1)))


def _heavy(body: Body) -> bool:
    """Whether a model has HEAVY equipment, TC-KW-1: by its own keywords or those of a weapon."""
    return body.keyword("HEAVY") or any("HEAVY" in weapon.keywords for weapon in carries(body))


def charge(run: Run, action: Charge) -> Procedure:
    """The Charge ACTION: target, evasion, Charge Bonus, route, contact, result."""
    mover = run.state.body(action.actor)
    target_id, forbid = run.state.body(action.target).id, action.forbid
    take(run, "charge", "TC-CHG-1")
    stood = _place(run, target_id)
    held = tuple(enemy.id for enemy in holding(run.state, mover))
    yield from evade(run, target_id)
    if target_id not in run.state.bodies:
        run.happened(
            "charge failed", "The target is gone", "TC-CHG-13", about=mover.id, outcome=True
        )
        return
    wanted = action.path
    if _place(run, target_id) != stood:
        run.cite("TC-CHG-15")
        target_id, wanted = switched(run, mover.id, target_id, forbid), None
    target = run.state.bodies[target_id]
    allowance = yield from _allowance(run, mover)
    if _place(run, target_id) == stood and "approach" in run.memo:
        plan: Approach | None = run.memo["approach"]
    else:
        plan = approach(run.state, mover, target, forbid, wanted)
    if plan is not None and plan.ties:
        plan = yield from _choose_way(run, mover, plan)
    evaded = len(run.ledger)
    if plan is not None:
        yield from _lay(run, mover, target, plan, action, allowance, held)
    if evaded:
        _paid_by(run, evaded, mover, allowance)
    _result(run, mover.id, target_id)


def _place(run: Run, body_id: str) -> tuple[float, float, float]:
    body = run.state.bodies[body_id]
    return body.x, body.y, body.z


def _choose_way(run: Run, mover: Body, plan: Approach) -> Generator[Ask, Answer, Approach]:
    """Routes of one length: the player picks, G-20."""
    tracks = (plan.track, *plan.ties)
    options = {}
    for number, track in enumerate(tracks):
        x, y, _ = track.place(track.length / 2)
        options[number] = f"by ({x:.1f}, {y:.1f})"
    which = f"{mover.name} has {len(tracks)} routes as short: which way?"
    value = yield from run.pick(mover.side, which, "TC-CHG-8", options, default=0, about=mover.id)
    return replace(plan, track=tracks[int(value) if isinstance(value, int) else 0], ties=())


def _allowance(run: Run, mover: Body) -> Generator[Ask, Answer, float]:
    """Movement and Charge Bonus, capped and then halved for a charger that has stood up."""
    dice, total = charge_bonus_dice(mover), mover.stat("movement")
    if dice:
        name = f"{mover.name}: Charge Bonus"
        keep = 1 if dice > 1 else 0
        roll = Roll(dice, name, "TC-CHG-5", mover.side, 6, mover.id, "sum", keep)
        faces = yield from run.roll(roll)
        bonus = roll.total(faces)
        run.cite("TC-CHG-6")
        if _heavy(mover):
            run.cite("TC-KW-1")  # which STRONG negates
        if dice > 1:
            run.cite("TC-KW-3")
        run.value(charge_bonus=bonus)
        total = min(CHARGE_CAP_IN, total + bonus)
    else:
        run.cite("TC-KW-1")
    current = activation(run.state)
    if current is not None and current.stood_up:
        run.cite("TC-DOWN-3", "TC-MOVE-14")
        total *= STOOD_UP_FACTOR
    run.value(allowance=total)
    return total


def _lay(
    run: Run,
    mover: Body,
    target: Body,
    plan: Approach,
    action: Charge,
    allowance: float,
    held: tuple[str, ...],
) -> Procedure:
    """Move the charger along its route, with the rolls and the slide on the way.

    held: ids of the enemies within 1 inch when it began.
    """
    run.cite("TC-CHG-7", "TC-CHG-8", "TC-ACT-3", "TC-ACT-4")
    if action.forbid:
        run.cite("TC-CHG-9")
    if action.path:
        run.cite("TC-MOVE-2")
    way, ended = way_taken(run, mover, target, plan.track, action, allowance)
    _bears(run, mover, way, allowance)
    gone = yield from go(run, mover.id, way, allowance, "TC-CHG-8", target=target.id)
    moved, enemies = run.values["moved"], run.state.enemies(mover)
    met = (first_near(way, beside(mover, enemy), NEAR_IN) for enemy in enemies)
    near = min((place.travelled for place in met if place is not None), default=math.inf)
    if isinstance(moved, float) and affords(near, moved):
        run.cite("TC-MOVE-7")  # which a charge alone may do, won or not
    now = run.state.bodies.get(mover.id)
    if now is None or not gone.arrived:
        return
    run.cite(*ended)
    if level_with(now, target) and within(gap(now, target), 0.0):
        run.cite("TC-CHG-10")
        if more_than(gone.left, 0.0) and _could_slide(run.state, now, target, gone.left):
            yield from _slide(run, Slide(mover.id, target.id, (), gone.left, held), gone.rolled)


def _bears(run: Run, mover: Body, route: Route, allowance: float) -> None:
    """Cite what bears on the way that a charger goes, TC-ACT-3: the clauses of every move, but
    that it may come near enemies."""
    # What level ground costs is cited as it is paid.
    but = _OWN | {"TC-TER-2", "TC-TER-6"} if route.level else _OWN
    run.cite(*(c for c in Citations(run.state, mover, route, allowance).clauses() if c not in but))
    if route.crossings or any(part.danger is not None for part in route.parts):
        run.cite("TC-CHG-9")


def _could_slide(state: State, mover: Body, target: Body, left: float) -> bool:
    """Whether an arc about the target, no longer than what is left, comes near another enemy."""
    room = radius(mover) + radius(target)
    here = math.atan2(mover.y - target.y, mover.x - target.x)
    for enemy in state.enemies(mover):
        reach = reach_of(mover, enemy, NEAR_IN)
        if enemy.id == target.id or reach is None:
            continue
        d = math.dist(enemy.centre, target.centre)
        if d > room + reach + TOLERANCE or d <= 0.0:
            continue
        cosine = (d * d + room * room - reach * reach) / (2 * d * room)
        spread = math.acos(min(1.0, max(-1.0, cosine)))
        toward = math.atan2(enemy.y - target.y, enemy.x - target.x)
        off = abs((here - toward + math.pi) % math.tau - math.pi)
        if affords((off - spread) * room, left):
            return True
    return False


def _slide(run: Run, slide: Slide, rolled: bool) -> Procedure:
    """Ask for the path of a slide, check it and go along it. rolled: in danger by now."""
    mover_id, left = slide.actor, slide.left
    mover, target = run.state.bodies[mover_id], run.state.bodies[slide.target]
    touch = f"{mover.name} touches {target.name} with {left:.2f} in left: slide on? None: it stops"
    path = yield from run.path(mover.side, touch, "TC-CHG-11", mover_id)
    run.refuse(run.check(replace(slide, path=path)))
    if not path:
        return
    before = {name: run.values[name] for name in ("moved", "cost")}
    way = lay(run.state, mover, path)
    yield from go(run, mover_id, way, left, "TC-CHG-11", rolled=rolled)
    run.value(slid=run.values["moved"], **before)


def _result(run: Run, mover_id: str, target_id: str) -> None:
    mover, target = run.state.bodies.get(mover_id), run.state.bodies[target_id]
    if mover is None:
        return
    measured = gap(mover, target)
    run.value(gap=measured, target=target_id)
    succeeds = within(measured, NEAR_IN)
    if succeeds:
        run.cite("TC-CHG-14")
        if counts_all_the_same(run.state, mover, target):
            run.cite("TC-MOVE-13")
    kind, what = ("charge succeeded", "succeeds") if succeeds else ("charge failed", "fails")
    off = told_apart(measured, NEAR_IN, ".2f")
    text = f"{mover.name} is {off} in from {target.name}: the charge {what}"
    clause = "TC-CHG-12" if succeeds else "TC-CHG-13"
    run.happened(kind, text, clause, about=mover_id, outcome=True)


def evade(run: Run, target_id: str) -> Procedure:
    """A SKIRMISHER steps aside."""
    target = run.state.bodies[target_id]
    if not target.keyword("SKIRMISHER") or is_down(target) or holding(run.state, target):
        return
    asked, options = (
        f"{target.name} is charged: does it evade?",
        {True: "evade D3 in", False: "stay"},
    )
    evades = yield from run.pick(
        target.side, asked, "TC-KW-2", options, default=False, about=target_id
    )
    if evades is not True:
        return
    faces = yield from run.roll(
        Roll(1, f"{target.name} evades, D3 inches", "TC-KW-2", target.side, about=target_id),
        lambda faces: math.ceil(faces[0] / 2),
    )
    run.cite("TC-ROLL-6", "TC-ACT-4")
    reach = float(math.ceil(faces[0] / 2))
    prompt = f"{target.name} evades up to {reach:g} in: along which path?"
    path = yield from run.path(target.side, prompt, "TC-KW-2", target_id)
    refuse_path(run, Walk(target_id, path, reach, "evade", ()))
    yield from carry_out(run, target_id, path, "TC-KW-2", allowance=reach)
    _paid_by(run, 0, target, reach)


def _paid_by(run: Run, start: int, body: Body, allowance: float) -> None:
    """Say of lines of the ledger who pays them, where charger and target both move."""
    run.ledger[start:] = (
        replace(line, what=f"{body.name}: {line.what}", payer=body.id, allowance=allowance)
        for line in run.ledger[start:]
    )


def switched(run: Run, charger_id: str, target_id: str, forbid: Sequence[str]) -> str:
    """The target after an evasion: whoever interposes now, else the same."""
    seen = {target_id}
    while True:
        mover, target = run.state.bodies[charger_id], run.state.bodies[target_id]
        plan = approach(run.state, mover, target, forbid)
        if plan is None or not plan.interposers:
            return target_id
        new = next((e for _, e in plan.interposers if e.id not in seen), None)
        if new is None:
            return target_id
        text = f"{new.name} now interposes and is charged instead"
        run.happened("target switched", text, "TC-CHG-4", about=new.id)
        target_id = new.id
        seen.add(target_id)
