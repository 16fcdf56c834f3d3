"""WM-CMD-7: what a blunder brings on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.dice import Roll
from tapeline.engine.events import Marked, Progressed, UnitMarked
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.rules.warmaster.actions import Charge
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.charging import charge_bars
from tapeline.rules.warmaster.evade import away_from
from tapeline.rules.warmaster.landing import room_to_land
from tapeline.rules.warmaster.leaving import goes_off, leave
from tapeline.rules.warmaster.profiles import flies, full_pace
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.rules.warmaster.sliding import first_halt, shift_unit
from tapeline.rules.warmaster.stands import Nearest, Point, nearest_pairs, rect_of, unit_gap
from tapeline.rules.warmaster.state import enemy_units, number, stands_of, unit_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["blunder", "nearest_seen", "seen_by"]

#: The shortest step of a search along a slide, cm: what is found is too long by no more.
_STEP_CM = 0.01

BOOK.resolves(
    "WM-CMD-7", "public", "A Hero or Wizard who rolls 12 blunders: a D6 says what his units do."
)


def nearest_seen(state: State, unit: Unit) -> tuple[Unit, Nearest] | None:
    """The closest enemy unit that a unit sees, with a nearest pair of stands."""
    return next(seen_by(state, unit), None)


def seen_by(state: State, unit: Unit) -> Iterator[tuple[Unit, Nearest]]:
    """The enemy units that a unit sees, each with a nearest pair of stands, the closest first."""
    mine = stands_of(state, unit)
    found: list[tuple[float, Unit, Nearest]] = []
    for enemy in enemy_units(state, unit.side):
        pairs = nearest_pairs(mine, stands_of(state, enemy))
        if pairs:
            found.append((pairs[0].gap, enemy, pairs[0]))
    for _, enemy, pair in sorted(found, key=lambda item: item[0]):
        if line_of_sight(state, unit, enemy) is not None:
            yield enemy, pair


def blunder(run: Run, actor: Body, units: Sequence[Unit]) -> Procedure:
    """Roll on the table and carry out what it says for each unit."""
    roll = Roll(1, f"{actor.name} blunders", "WM-CMD-7", actor.side, about=actor.id)
    faces = yield from run.roll(roll)
    face = faces[0]
    run.value(blunder=face)
    for unit in units:
        run.emit(UnitMarked(unit.id, Marks({"may_move": None}), "WM-CMD-7"))
    if len(units) > 1:
        # Each does what it must by itself: nothing holds them together any longer.
        run.emit(Progressed(Marks({"group": None}), "WM-CMD-7"))
    if face == 1:
        less = number(actor.marks, "command") - 1
        run.emit(Marked(actor.id, Marks({"command": less}), "WM-CMD-7"))
        run.happened("command", f"{actor.name} loses 1 Command.", "WM-CMD-7", about=actor.id)
    elif face in (2, 3):
        for unit in units:
            yield from _run_away(run, unit_of(run.state, unit.id))
    elif face == 6:
        for unit in units:
            yield from _rush(run, unit_of(run.state, unit.id))


def _run_away(run: Run, unit: Unit) -> Procedure:
    """Straight away from the closest enemy seen within a full pace, until more than that from all
    enemies; without such an enemy the unit halts."""
    pace = full_pace(stands_of(run.state, unit)[0])
    seen = nearest_seen(run.state, unit)
    if seen is None or more_than(seen[1].gap, pace):
        run.happened("halts", f"{unit.name} halts.", "WM-CMD-7", about=unit.id)
        return
    v = away_from(seen[1])
    if v is None:
        return
    yield from _forced(run, unit, v, _until_clear(run.state, unit, v, pace))


def _until_clear(state: State, unit: Unit, v: Point, pace: float) -> float:
    """The least slide after which every enemy is more than a pace away, at most two paces."""
    stands = stands_of(state, unit)

    def missing(distance: float) -> float:
        moved = [body.at(body.x + distance * v[0], body.y + distance * v[1]) for body in stands]
        gaps = (unit_gap(moved, stands_of(state, enemy)) for enemy in enemy_units(state, unit.side))
        return pace + 2.0 * TOLERANCE - min(gaps, default=math.inf)

    at = before = 0.0
    # What is short of the pace is at least the slide that is missing: distances change no
    # faster, so no step of that length goes too far; one of a hair is halved back to the place.
    while at < 2.0 * pace:
        short = missing(at)
        if short <= 0.5 * TOLERANCE:
            while at - before > 0.1 * TOLERANCE:
                middle = 0.5 * (before + at)
                before, at = (middle, at) if missing(middle) > 0.5 * TOLERANCE else (before, middle)
            return at
        before, at = at, at + max(short, _STEP_CM)
    return 2.0 * pace


def _rush(run: Run, unit: Unit) -> Procedure:
    """A full pace straight toward the closest enemy seen; it halts short of contact where
    no charge can be made."""
    pace = full_pace(stands_of(run.state, unit)[0])
    seen = nearest_seen(run.state, unit)
    if seen is None:
        run.happened("halts", f"{unit.name} sees no enemy and halts.", "WM-CMD-7", about=unit.id)
        return
    enemy, pair = seen
    if within(pair.gap, pace):
        # Near enough: the owner makes the charge, stand by stand, if there is one to make.
        run.emit(UnitMarked(unit.id, Marks({"may_move": "rush"}), "WM-CMD-7"))
        charge = Charge(actor=unit.id, target=enemy.id)
        if not run.check(charge) and not charge_bars(run.check, run.state, charge):
            text = f"{unit.name} must charge {enemy.name}."
            run.happened("rush", text, "WM-CMD-7", about=enemy.id)
            return
        run.emit(UnitMarked(unit.id, Marks({"may_move": None}), "WM-CMD-7"))
    v = away_from(pair)
    if v is not None:
        yield from _forced(run, unit, (-v[0], -v[1]), pace)


def _forced(run: Run, unit: Unit, v: Point, distance: float) -> Procedure:
    """A rigid slide that halts at barred terrain and short of stands, and may leave the table;
    flyers pass over everything and land where there is room (WM-FLY-4)."""
    flying = flies(stands_of(run.state, unit))
    halt = None if flying else first_halt(run.state, unit, v, distance)
    reach = distance if halt is None else max(0.0, halt.at)
    rects = [rect_of(body) for body in stands_of(run.state, unit)]
    off = goes_off(run.state, rects, v, reach)
    if flying and off is None:
        reach = room_to_land(run.state, unit, v, reach)
    yield from shift_unit(run, unit, v, reach if off is None else off, "WM-CMD-7")
    run.value(distance=reach if off is None else off)
    if off is not None:
        yield from leave(run, unit_of(run.state, unit.id))
