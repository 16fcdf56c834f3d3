"""SV-SHOOT, SV-RNG, SV-HIT, SV-SAVE: the ranged attack from target to casualties."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, Removed, Resized
from tapeline.engine.limits import more_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.setup import block_size
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import Shoot
from tapeline.rules.sovl.figures import (
    BOOK,
    HIT_BASE,
    HIT_BEST,
    HIT_WORST,
    LONG_RANGE_SHARE,
    SAVE_BASE,
    SAVE_WIDE_GAP,
)
from tapeline.rules.sovl.footprint import facing_vector
from tapeline.rules.sovl.profiles import Weapon, defense_of, models_of, weapon_of
from tapeline.rules.sovl.sight import Shot, shot_of, view_of
from tapeline.rules.sovl.state import OrderContext, allowance, slots_used
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.marks import Marks
from tapeline.wording import counted, told_apart

__all__ = ["do_shoot", "save_number", "to_hit"]


@BOOK.clause("SV-SHOOT-1", src="seed", bars=Shoot, at=Moment.DECLARE)
def needs_a_ranged_attack(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """Only a unit with a ranged attack may make one."""
    if weapon_of(ask.mover) is None:
        yield Finding(f"{ask.mover.name} cannot shoot: no ranged attack.", about=ask.mover.id)


@BOOK.clause("SV-SHOOT-2", src="seed", bars=Shoot, at=Moment.DECLARE)
def once_in_an_activation(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """At most one ranged attack in an activation."""
    if ask.actor_is_active and ask.state.progress.get("shot") is True:
        yield Finding(
            f"The ranged attack of {ask.mover.name} has been made.", 2.0, 1.0, about=ask.mover.id
        )


BOOK.resolves(
    "SV-SHOOT-3", "seed", "The attack comes at any point of the activation and costs no movement."
)


@BOOK.clause("SV-SHOOT-4", src="seed", bars=Shoot, at=Moment.DECLARE)
def target_is_an_enemy(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """The target is an enemy unit, chosen before any dice, in range and in line of sight."""
    if ask.target.side == ask.mover.side:
        text = f"Only enemies may be shot at, not {ask.target.name}."
        yield Finding(text, about=ask.target.id)


@BOOK.clause("SV-RNG-1", src="seed", bars=Shoot, at=Moment.DECLARE)
def in_range(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """A target beyond the maximum range may not be chosen; exactly at it is in range."""
    weapon = weapon_of(ask.mover)
    if weapon is None or ask.subject.target == ask.mover.id:
        return
    shot: Shot = ask.measure(shot_of)
    if more_than(shot.distance, weapon.reach):
        far = told_apart(shot.distance, weapon.reach, ".3f")
        text = f"It is {far} in to {ask.target.name}; a {weapon.name} reaches {weapon.reach:g} in."
        yield Finding(text, shot.distance, weapon.reach, shot.nearest, ask.subject.target)


BOOK.resolves_each("""
SV-HIT-1 (seed) The attack rolls a D6 for each model of the unit, in all ranks.
SV-HIT-2 (seed) A die hits on 4 or more.
SV-HIT-3 (seed) For each point of Skill above 3, one better.
SV-HIT-4 (seed) For each point of Skill below 3, one worse.
SV-HIT-5 (seed) Beyond half the range, not at half, is Long Range: one worse.
SV-HIT-6 (pick) A 1 always misses and a 6 always hits.
SV-HIT-7 (public) Artillery has dice or hits of its own instead of a die for each model.
SV-SHOOT-5 (seed) The defender rolls a Damage Save for each hit.
SV-SAVE-1 (public) Saves are on 4; one better or worse as Defense or Power is higher, two from 3
    points on.
SV-SHOOT-6 (seed) Each failed save is a wound; models leave from the rear rank, rests are carried.
""")


def to_hit(skill: int, long: bool) -> int:
    """The number a die must show (SV-HIT-2..6).

    >>> to_hit(3, False), to_hit(5, True), to_hit(2, True), to_hit(6, False)
    (4, 3, 6, 2)
    """
    return min(HIT_WORST, max(HIT_BEST, HIT_BASE - skill + long))


def save_number(power: int, defense: int) -> int:
    """The number a Damage Save must show (SV-SAVE-1).

    >>> [save_number(p, d) for p, d in ((3, 3), (8, 5), (6, 5), (5, 3), (3, 4), (3, 6))]
    [4, 6, 5, 5, 3, 2]
    """
    gap = power - defense
    step = 0 if gap == 0 else 2 if abs(gap) >= SAVE_WIDE_GAP else 1
    return SAVE_BASE + step * (1 if gap > 0 else -1)


def do_shoot(run: Run, action: Shoot) -> Procedure:
    """Hits, saves and casualties, in that order."""
    state = run.state
    shooter, target = state.body(action.actor), state.body(action.target)
    weapon = weapon_of(shooter)
    assert weapon is not None
    context = OrderContext(state, action, run)
    shot: Shot = context.measure(shot_of)
    run.cite("SV-SHOOT-1", "SV-SHOOT-3", "SV-SHOOT-4", "SV-RNG-1", "SV-LOS-1")
    between = context.measure(view_of).between()
    if any(thing.cuts_sight for thing in between):
        run.cite("SV-LOS-2")
    if not all(thing.is_unit for thing in between):
        run.cite("SV-TER-6")
    if state.progress.whole("orders") or slots_used(state):
        run.cite("SV-ACT-2")
    if shooter.stats.get("abilities") or shooter.keyword("Commander"):
        run.cite("SV-ABL-1")
    left = allowance(state)
    run.value(distance=shot.distance, allowance_left=left)
    slots = (*slots_used(state), "unit")
    run.emit(Progressed(Marks({"shot": True, "slots": slots}), "SV-SHOOT-2"))
    hits = yield from _hits(run, shooter, target, weapon, shot.distance)
    by = "SV-HIT-7" if weapon.shots or weapon.hits else "SV-HIT-1"
    run.happened("hits", f"{counted(hits, 'hit')}.", by, about=target.id, count=hits)
    run.value(hits=hits)
    wounds = 0
    if hits:
        wounds = yield from _failed_saves(run, target, weapon, hits)
    run.value(wounds=wounds)
    if wounds:
        by = "SV-SHOOT-6"
    elif hits:
        by = "SV-SHOOT-5"
    _take_casualties(run, target.id, wounds, by)


def _hits(
    run: Run, shooter: Body, target: Body, weapon: Weapon, distance: float
) -> Generator[Ask, Answer, int]:
    long = more_than(distance, LONG_RANGE_SHARE * weapon.reach)
    if weapon.hits is not None:
        dice, plus = weapon.hits
        roll = Roll(
            dice,
            f"hits of the {weapon.name} on {target.name}",
            "SV-HIT-7",
            shooter.side,
            sides=3,
            about=shooter.id,
            reads="sum",
        )
        faces = yield from run.roll(roll)
        return sum(faces) + plus
    skill = int(shooter.stat("skill"))
    number = to_hit(skill, long)
    run.cite("SV-HIT-2")
    if skill != 3:
        run.cite("SV-HIT-3" if skill > 3 else "SV-HIT-4")
    if long:
        run.cite("SV-HIT-5")
    if number != HIT_BASE - skill + long:
        run.cite("SV-HIT-6")
    run.value(long=long, to_hit=number)
    roll = Roll(
        weapon.shots or models_of(shooter),
        f"shots of {shooter.name} at {target.name}, {number} or more hits",
        "SV-HIT-7" if weapon.shots else "SV-HIT-1",
        shooter.side,
        about=shooter.id,
        reads="successes",
        target=number,
    )
    faces = yield from run.roll(roll)
    return roll.successes(faces)


def _failed_saves(run: Run, target: Body, weapon: Weapon, hits: int) -> Generator[Ask, Answer, int]:
    number = save_number(weapon.power, defense_of(target))
    run.cite("SV-SAVE-1")
    run.value(save=number)
    roll = Roll(
        hits,
        f"Damage Saves of {target.name}, {number} or more saves",
        "SV-SHOOT-5",
        target.side,
        about=target.id,
        reads="successes",
        target=number,
    )
    faces = yield from run.roll(roll)
    return hits - roll.successes(faces)


def _take_casualties(run: Run, target_id: str, wounds: int, by: str) -> None:
    target = run.state.body(target_id)
    each = int(target.stat("wounds"))
    models = models_of(target)
    dead, carried = divmod(target.marks.whole("wounds") + wounds, each)
    dead = min(dead, models)
    left = models - dead
    text = f"{target.name} lost {dead} of {counted(models, 'model')}."
    run.happened("casualties", text, by, about=target.id, outcome=True, count=dead)
    run.value(casualties=dead, models_left=left)
    if not wounds:
        return
    if left == 0:
        run.emit(Removed(target.id, "destroyed", "SV-SHOOT-6"))
        text = f"Nothing is left of {target.name}."
        run.happened("unit destroyed", text, "SV-SHOOT-6", about=target.id, outcome=True)
        return
    changes = Marks({"wounds": carried or None, **({"models": left} if dead else {})})
    run.emit(Marked(target.id, changes, "SV-SHOOT-6"))
    if dead:
        _close_ranks(run, run.state.body(target.id), left)
    run.value(wounds_carried=carried)


def _close_ranks(run: Run, target: Body, models: int) -> None:
    """The rear ranks are thinned; the front edge stays where it is."""
    marks, base = target.marks, target.base
    if "file_width" not in marks:
        return
    assert isinstance(base, Rectangle)
    files, depth_of_rank = marks.whole("files"), marks.number("rank_depth")
    _, depth = block_size(models, files, marks.number("file_width"), depth_of_rank)
    ranks_lost = math.floor((base.depth - depth) / depth_of_rank + 0.5)
    if ranks_lost <= 0:
        return
    ux, uy = facing_vector(target.facing)
    forward = 0.5 * (base.depth - depth)
    run.emit(
        Resized(
            target.id,
            Rectangle(base.width, depth),
            target.x + forward * ux,
            target.y + forward * uy,
            "SV-SHOOT-6",
        )
    )
