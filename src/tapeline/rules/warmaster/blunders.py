"""WM-CMD-7: what a blunder makes of units: they halt, run away, or rush at the enemy."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

from tapeline.dice import Band, Reading, Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.events import Marked, Progressed, UnitMarked
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.ranks.bases import NearestPair, Point, rect_of, unit_gap, ways_off
from tapeline.rules.warmaster.actions import Charge
from tapeline.rules.warmaster.charge import Check, found_charge
from tapeline.rules.warmaster.figures import BOOK, HALT_SHORT_CM, flies, full_pace
from tapeline.rules.warmaster.forced import first_halt, room_to_land, shift_unit
from tapeline.rules.warmaster.sight import closest_seen
from tapeline.rules.warmaster.state import (
    called,
    enemy_units,
    kept,
    stands_of,
    unit_of,
    units_apart,
)
from tapeline.rules.warmaster.table_edge import goes_off, leave
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = [
    "BLUNDERS",
    "blunder",
    "can_rush",
    "rushing",
    "straight_on",
]


#: The shortest step of a search along a slide, cm: what is found is too long by no more.
_STEP_CM = 0.01

BOOK.resolves(
    "WM-CMD-7", "public", "A Hero or Wizard who rolls 12 blunders: a D6 says what his units do."
)


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
        less = actor.marks.whole("command") - 1
        run.emit(Marked(actor.id, Marks({"command": less}), "WM-CMD-7"))
        run.happened("command", f"{actor.name} loses 1 Command.", "WM-CMD-7", about=actor.id)
    elif face in (2, 3):
        for unit in units:
            yield from _run_away(run, unit_of(run.state, unit.id))
    elif face == 6:
        for unit in units:
            yield from _rush(run, unit_of(run.state, unit.id))


def _straight(run: Run, unit: Unit) -> Generator[Ask, Answer, tuple[float, Point] | None]:
    """How far off the closest enemy is that a unit sees, and the direction straight away from it;
    of several as near its owner chooses, as for an evade (WM-INIT-8, WM-EVADE-4)."""
    state, ways = run.state, list[tuple[NearestPair, Point]]()
    for enemy in closest_seen(state, unit):
        for pair, v in ways_off(stands_of(state, unit), stands_of(state, enemy)):
            if all(more_than(math.dist(v, known), 0.0) for _, known in ways):
                ways.append((pair, v))
    if not ways:
        return None
    named = {f"{pair.own.id} {pair.other.id}": (pair, v) for pair, v in ways}
    chosen = next(iter(named))
    if len(named) > 1:
        options = {
            name: f"{called(state, pair.own.id)} and {called(state, pair.other.id)}"
            for name, (pair, _) in named.items()
        }
        asked = f"{unit.name} blunders: along the line between which two of those as near?"
        value = yield from run.pick(
            unit.side, asked, "WM-CMD-7", options, default=chosen, about=unit.id
        )
        chosen = str(value)
    pair, v = named[chosen]
    return pair.gap, v


def _run_away(run: Run, unit: Unit) -> Procedure:
    """Straight away from the closest enemy seen within a full pace, until more than that from all
    enemies; without such an enemy the unit halts."""
    pace = full_pace(stands_of(run.state, unit)[0])
    if not _sees_within(run.state, unit, pace):
        run.happened("halts", f"{unit.name} halts.", "WM-CMD-7", about=unit.id)
        return
    way = yield from _straight(run, unit)
    if way is not None:
        yield from _forced(run, unit, way[1], _until_clear(run.state, unit, way[1], pace))


def _sees_within(state: State, unit: Unit, far: float) -> bool:
    """Whether the closest enemy that a unit sees is no farther off than that."""
    return any(within(units_apart(state, unit, foe), far) for foe in closest_seen(state, unit))


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


def can_rush(check: Check, state: State, unit: Unit) -> bool:
    """Whether a unit that has to charge finds a charge at the closest enemy it sees."""
    charges = (Charge(actor=unit.id, target=enemy.id) for enemy in closest_seen(state, unit))
    return found_charge(check, state, charges) is not None


def _rush(run: Run, unit: Unit) -> Procedure:
    """A full pace straight toward the closest enemy seen; the owner makes a charge of it, stand by
    stand, if there is one to make."""
    if _sees_within(run.state, unit, full_pace(stands_of(run.state, unit)[0])):
        run.emit(UnitMarked(unit.id, Marks({"may_move": "rush"}), "WM-CMD-7"))
        if can_rush(run.check, run.state, unit):
            foes = closest_seen(run.state, unit)
            text = f"{unit.name} must charge {' or '.join(foe.name for foe in foes)}."
            run.happened("rush", text, "WM-CMD-7", about=foes[0].id)
            return
        run.emit(UnitMarked(unit.id, Marks({"may_move": None}), "WM-CMD-7"))
    yield from straight_on(run, unit)


def straight_on(run: Run, unit: Unit) -> Procedure:
    """A full pace straight toward the closest enemy seen, halting short of contact; no farther
    than short of that enemy for those who could fly on over it."""
    if not closest_seen(run.state, unit):
        run.happened("halts", f"{unit.name} sees no enemy and halts.", "WM-CMD-7", about=unit.id)
        return
    way = yield from _straight(run, unit)
    if way is None:
        return
    (gap, v), stands = way, stands_of(run.state, unit)
    far = full_pace(stands[0])
    if flies(stands):
        far = min(far, max(0.0, gap - HALT_SHORT_CM))
    yield from _forced(run, unit, (-v[0], -v[1]), far)


@kept
def rushing(state: State) -> list[Unit]:
    """The units that blundered at an enemy and still have to charge."""
    return [unit for unit in state.units.values() if unit.marks.text("may_move") == "rush"]


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


#: How the roll for a blunder is read.
BLUNDERS = Reading(
    (
        Band("Rushed", "blunders, and they rush at the enemy", 6),
        Band("Halted", "blunders, and they halt", 4),
        Band("Driven off", "blunders, and they run from the enemy", 2),
        Band("Command falls", "blunders, and loses 1 Command", 1),
    )
)
