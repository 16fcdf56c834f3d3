"""WM-DB, WM-RET, WM-FB, WM-CONF-2, WM-TER-9..11: moves that other phases force on units."""

from __future__ import annotations

import math

from tapeline.dice import Roll
from tapeline.engine.asks import Choice, Option
from tapeline.engine.events import Removed, UnitMarked
from tapeline.engine.limits import more_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import DriveBack, FallBack, Retreat
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.confusion import confuse
from tapeline.rules.warmaster.evade import away_from
from tapeline.rules.warmaster.figures import FALL_BACK_DICE
from tapeline.rules.warmaster.formation import islands
from tapeline.rules.warmaster.leaving import destroy, goes_off, leave
from tapeline.rules.warmaster.pace import fortified_stands
from tapeline.rules.warmaster.profiles import full_pace, type_of
from tapeline.rules.warmaster.sliding import Halt, first_halt, shift_unit, stand_halts
from tapeline.rules.warmaster.stands import Nearest, Point, nearest_pairs, rect_of
from tapeline.rules.warmaster.state import called, lost, stands_of, unit_of
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Unit
from tapeline.table.marks import Marks

__all__ = ["do_drive_back", "do_fall_back", "do_retreat", "lose_stands"]

BOOK.resolves(
    "WM-TER-9", "seed", "A unit forced into terrain that it cannot cross halts at the edge of it."
)
BOOK.resolves(
    "WM-TER-10",
    "seed",
    "Driven back into impassable terrain it halts there, and is confused on a 6.",
)
BOOK.resolves(
    "WM-TER-11",
    "seed",
    "Forced to retreat into impassable terrain, each stand that is stopped is destroyed.",
)
BOOK.resolves(
    "WM-CONF-2",
    "public",
    "Driven back on a 6, or into enemies, fights or friends, a unit is confused.",
)
BOOK.resolves(
    "WM-DB-1",
    "public",
    "A unit is driven back a D6 for each hit, from the nearest stand that shot; beyond its "
    "full pace it is destroyed.",
)
BOOK.resolves(
    "WM-RET-1",
    "public",
    "A beaten unit retreats 1 cm a point; stands that are stopped are destroyed.",
)
BOOK.resolves("WM-FB-1", "public", "A unit falls back up to 3D6 cm as in an ordered move.")
BOOK.resolves(
    "WM-ADV-1",
    "public",
    "A unit advances up to 20 cm in a charge on the closest enemy that it sees.",
)
BOOK.resolves(
    "WM-FORM-6", "public", "Losses come off the ends; if they split a unit, one more stand goes."
)


def _spared(run: Run, unit: Unit) -> int:
    """Hits that do not drive a unit back: one if any stand is defended, two if fortified."""
    ground = ground_of(run.state)
    rects = [rect_of(body) for body in stands_of(run.state, unit)]
    if fortified_stands(run.state, unit):
        return 2
    infantry = type_of(stands_of(run.state, unit)[0]) == "infantry"
    return 1 if infantry and any(ground.stands_in(rect, "dense") for rect in rects) else 0


def _from_shooter(run: Run, unit: Unit, shooter: str) -> Nearest | None:
    pairs = nearest_pairs(stands_of(run.state, unit), (run.state.body(shooter),))
    return pairs[0] if pairs else None


def do_drive_back(run: Run, action: DriveBack) -> Procedure:
    """Roll for the hits and slide the unit back."""
    run.forced()
    unit = unit_of(run.state, action.actor)
    stands = stands_of(run.state, unit)
    pair = _from_shooter(run, unit, action.shooter)
    v = None if pair is None else away_from(pair)
    dice = max(0, action.hits - _spared(run, unit))
    run.value(dice=dice)
    run.cite("WM-MOVE-1", "WM-DB-1")
    if dice == 0 or v is None or stands[0].keyword("never_driven_back"):
        run.happened("stands", f"{unit.name} is not driven back.", "WM-DB-1", about=unit.id)
        return
    roll = Roll(
        dice, f"{unit.name} is driven back", "WM-DB-1", unit.side, about=unit.id, reads="sum"
    )
    faces = yield from run.roll(roll)
    distance = float(sum(faces))
    run.value(distance=distance)
    run.cite("WM-PACE-10", "WM-MOVE-1")
    if more_than(distance, full_pace(stands[0])):
        destroy(run, unit, "WM-DB-1", "routed")
        return
    halt = first_halt(run.state, unit, v, distance)
    reach = distance if halt is None else max(0.0, halt.at)
    off = goes_off(run.state, [rect_of(body) for body in stands], v, reach)
    yield from shift_unit(run, unit, v, reach if off is None else off, "WM-DB-1")
    run.value(moved=reach if off is None else off)
    if 6 in faces:
        confuse(run, unit_of(run.state, unit.id), "WM-CONF-2")
    if off is not None:
        yield from leave(run, unit_of(run.state, unit.id))
    elif halt is not None:
        yield from _halted(run, unit, halt, sure=6 in faces)


def _halted(run: Run, unit: Unit, halt: Halt, *, sure: bool) -> Procedure:
    """What halts a unit confuses it, terrain on a 6 alone. sure: whether the dice have already."""
    finding = Finding(
        f"Halts at {halt.name} after {halt.at:.4f} cm.",
        halt.at,
        None,
        halt.place,
        halt.id,
        clause="WM-TER-9" if halt.sort == "terrain" else "WM-CONF-2",
    )
    run.happened("halts", finding.text, finding.clause, about=halt.id)
    if sure:
        return
    confused = halt.sort != "terrain"
    if not confused:
        roll = Roll(
            1, f"{unit.name} is stopped by {halt.name}: confused on 6", "WM-TER-10", unit.side,
            about=unit.id,
        )  # fmt: skip
        faces = yield from run.roll(roll)
        confused = faces[0] == 6
    if confused:
        confuse(run, unit_of(run.state, unit.id), "WM-CONF-2")


def do_retreat(run: Run, action: Retreat) -> Procedure:
    """Slide the unit straight back; stands that are stopped are destroyed."""
    if action.points < 0:
        text = f"A side loses by 0 points or more; got {action.points}."
        run.refuse([Finding(text, action.points, 0.0, clause="WM-RET-1")])
    run.forced()
    unit = unit_of(run.state, action.actor)
    stands = stands_of(run.state, unit)
    turn = math.radians(action.direction)
    v: Point = (math.cos(turn), math.sin(turn))
    distance = float(action.points)
    run.value(distance=distance)
    run.cite("WM-PACE-10", "WM-MOVE-1")
    if type_of(stands[0]) == "artillery":
        destroy(run, unit, "WM-RET-1", "artillery that retreats")
        return
    stopped: list[tuple[str, Halt]] = []
    leaves = False
    for body in stands:
        halts = stand_halts(run.state, unit, body, v, distance, short=0.0)
        off = goes_off(run.state, [rect_of(body)], v, distance)
        if halts and (off is None or halts[0].at <= off):
            stopped.append((body.id, halts[0]))
        elif off is not None:
            leaves = True
    if leaves:
        run.cite("WM-OFF-1", "WM-OFF-2")
        destroy(run, unit, "WM-OFF-3", "left the table in a retreat")
        return
    for name, halt in stopped:
        clause = "WM-TER-11" if halt.sort == "terrain" else "WM-RET-1"
        run.happened(
            "stopped",
            f"{called(run.state, name)} is stopped by {halt.name}.",
            clause,
            about=halt.id,
        )
    if stopped:
        yield from lose_stands(run, unit, [name for name, _ in stopped], "WM-RET-1")
    if not stands_of(run.state, unit):
        return
    yield from shift_unit(run, unit, v, distance, "WM-RET-1")


def lose_stands(run: Run, unit: Unit, names: list[str], clause: str) -> Procedure:
    """Take stands away; if that splits the unit, its owner takes away one more at a time."""
    for name in names:
        run.emit(Removed(name, "destroyed", clause))
    gone = lost(unit) + len(names)
    run.emit(UnitMarked(unit.id, Marks({"lost": gone}), clause))
    while True:
        left = stands_of(run.state, unit)
        if not left:
            run.happened("destroyed", f"{unit.name} is destroyed.", clause, about=unit.id)
            return
        if len(islands([rect_of(body) for body in left])) == 1:
            return
        options = tuple(Option(body.id, called(run.state, body.id)) for body in left)
        choice = Choice(
            unit.side,
            f"{unit.name} is split: which stand goes?",
            "WM-FORM-6",
            "one",
            options,
            default=left[-1].id,
            about=unit.id,
        )
        value = yield from run.choose(choice)
        run.emit(Removed(str(value), "destroyed", "WM-FORM-6"))
        gone += 1
        run.emit(UnitMarked(unit.id, Marks({"lost": gone}), "WM-FORM-6"))


def do_fall_back(run: Run, action: FallBack) -> Procedure:
    """Roll how far the unit may fall back; the move itself follows."""
    unit = unit_of(run.state, action.actor)
    roll = Roll(
        FALL_BACK_DICE, f"{unit.name} falls back", "WM-FB-1", unit.side, about=unit.id, reads="sum"
    )
    faces = yield from run.roll(roll)
    marks = Marks({"may_move": "fall_back", "allowance": sum(faces)})
    run.emit(UnitMarked(unit.id, marks, "WM-FB-1"))
    run.value(allowance=sum(faces))
    run.cite("WM-PACE-10", "WM-MOVE-1")
