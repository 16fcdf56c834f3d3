"""WM-DB, WM-RET, WM-FB, WM-CONF-2, WM-TER-9..11: moves that other phases force on units."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tapeline.dice import Roll
from tapeline.dice.rolls import MOST_DICE
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.attested import Chances
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved, Removed, UnitMarked
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.geometry.rectangles.slide import slide_into, slide_to_border
from tapeline.geometry.rectangles.slide_spans import free_stretches
from tapeline.ranks.bases import (
    NearestPair,
    Point,
    all_nearest_to,
    apart,
    apart_at_least,
    away_from,
    box_of_slide,
    grown,
    in_contact,
    rect_of,
    shape_of,
)
from tapeline.ranks.edges import keeps_behind
from tapeline.rules.warmaster.actions import DriveBack, FallBack, Retreat
from tapeline.rules.warmaster.characters import make_way, settled
from tapeline.rules.warmaster.figures import (
    BOOK,
    FALL_BACK_DICE,
    HALT_SHORT_CM,
    flies,
    full_pace,
    is_character,
    mask_of,
    type_of,
)
from tapeline.rules.warmaster.formation import (
    engaged_units,
    fortified_stands,
    goes_by_road,
    in_dense,
    is_engaged,
    islands,
)
from tapeline.rules.warmaster.measures import MoveSpec, study_of
from tapeline.rules.warmaster.moves import goes_beyond
from tapeline.rules.warmaster.state import (
    OTHER,
    UnitContext,
    called,
    characters,
    company_of,
    enemy_units,
    lost,
    rects_of,
    stands_of,
    unit_of,
    units_on_table,
)
from tapeline.rules.warmaster.table_edge import destroy, goes_off, leave, left_alone
from tapeline.rules.warmaster.terrain import clause_barring, clauses_allowing, ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = [
    "ATTESTED",
    "confuse",
    "do_drive_back",
    "do_fall_back",
    "do_retreat",
    "first_halt",
    "leaves_works",
    "room_to_land",
    "shift_unit",
    "straight_off",
]

#: What combat does to a unit in it where a table plays alone: points it is beaten by, or nothing.
#: Our own figures.
ATTESTED = {
    "retreat": Chances(
        {None: 3, 1: 1, 2: 1, 3: 1},
        slot="points",
        befalls=lambda state, name: name in engaged_units(state),
    )
}


def confuse(run: Run, unit: Unit, clause: str) -> None:
    """Confuse a unit, unless it cannot be."""
    stands = stands_of(run.state, unit)
    if stands and stands[0].keyword("not_confused"):
        run.happened("not_confused", f"{unit.name} cannot be confused.", clause, about=unit.id)
        return
    run.emit(UnitMarked(unit.id, Marks({"confused": True}), clause))
    text = f"{unit.name} is confused."
    run.happened("confused", text, "WM-CONF-1", about=unit.id, outcome=True)


def straight_off(
    run: Run, unit: Unit, pairs: Iterable[NearestPair], why: str, clause: str
) -> Generator[Ask, Answer, tuple[NearestPair, Point] | None]:
    """One of the nearest pairs with the direction straight away: of several directions the owner
    of the unit chooses, as for an evade (WM-EVADE-4). None where all touch."""
    ways: dict[str, tuple[NearestPair, Point]] = {}
    for pair in pairs:
        v = away_from(pair)
        if v is not None and all(more_than(math.dist(v, known), 0.0) for _, known in ways.values()):
            ways[f"{pair.own.id} {pair.other.id}"] = (pair, v)
    if len(ways) < 2:
        return next(iter(ways.values()), None)
    options = {
        name: f"{called(run.state, pair.own.id)} and {called(run.state, pair.other.id)}"
        for name, (pair, _) in ways.items()
    }
    asked = f"{unit.name} {why}: along the line between which two of those as near?"
    first = next(iter(ways))
    chosen = yield from run.pick(unit.side, asked, clause, options, default=first, about=unit.id)
    return ways[str(chosen)]


@dataclass(frozen=True, slots=True)
class Halt:
    """What halts a slide, and after how far. sort: "terrain", "foe", "fight" or "friend". bars: the
    clause by which terrain may not be entered. over: how far until a stand is on a friend, cm."""

    at: float
    sort: str
    id: str
    name: str
    place: Point
    stand: str
    bars: str = ""
    over: float = 0.0


def stand_halts(
    state: State,
    unit: Unit,
    body: Body,
    v: Point,
    distance: float,
    *,
    short: float,
) -> list[Halt]:
    """Everything that a stand meets on a slide along a unit vector, the nearest first.

    short: how far before enemies, fights and friends it halts, cm; a stand that begins nearer to
    one of them comes no nearer to it. Friends are run into only where it would go over them: those
    beside or beyond its way, near as they are, do not halt it (WM-CONF-2). Terrain is touched.
    """
    rect = rect_of(body)
    box = box_of_slide(rect, distance * v[0], distance * v[1])
    found: list[Halt] = []
    on_road, mask = goes_by_road(state, unit), mask_of(body)
    for feature in ground_of(state).barred(mask, box, on_road=on_road):
        _, contact = slide_into(rect, feature.region, v, distance, TOLERANCE)
        if contact is not None:
            bars = clause_barring(feature.piece, mask)
            found.append(
                Halt(contact.at, "terrain", feature.id, feature.name, contact.point, body.id, bars)
            )
    for other in units_on_table(state):
        if other.id == unit.id:
            continue
        sort = "foe" if other.side != unit.side else "friend"
        if sort == "friend" and is_engaged(state, other):
            sort = "fight"
        for stand in stands_of(state, other):
            there = rect_of(stand)
            if apart_at_least(rect, there) > distance + short:
                continue
            on = slide_into(rect, there, v, distance, TOLERANCE)[0] if sort == "friend" else ()
            if sort == "friend" and not on:
                continue
            over = on[0].start if on else 0.0
            wide = grown(there, min(short, apart(rect, there).gap))
            _, contact = slide_into(rect, wide, v, distance, TOLERANCE)
            if contact is not None:
                at, point = contact.at, contact.point
                found.append(Halt(at, sort, other.id, other.name, point, body.id, over=over))
    return sorted(found, key=lambda halt: halt.at)


def first_halt(state: State, unit: Unit, v: Point, distance: float) -> Halt | None:
    """What first halts a rigid slide of the whole unit (3.15 of the notes), if anything does:
    friends only if it would be on them before it halts at something else or leaves the table."""
    halts = [
        halt
        for body in stands_of(state, unit)
        for halt in stand_halts(state, unit, body, v, distance, short=HALT_SHORT_CM)
    ]
    reach = min((halt.at for halt in halts if halt.sort != "friend"), default=distance)
    off = goes_off(state, rects_of(state, unit), v, reach)
    met = [h for h in halts if h.sort != "friend" or h.over < (reach if off is None else off)]
    return min(met, key=lambda halt: halt.at, default=None)


def leaves_works(run: Run, unit: Unit, left: Collection[str], clause: str) -> bool:
    """Whether a unit is no longer fortified as a whole by its mark once some stands have left their
    places: the mark passes to those that have not, and is gone from the others (WM-PACE-6)."""
    whole = unit.has("fortified") and bool(left)
    for body in stands_of(run.state, unit):
        stays = (whole or body.has("fortified")) and body.id not in left
        if stays is not body.has("fortified"):
            run.emit(Marked(body.id, Marks({"fortified": stays or None}), clause))
    return whole


def shift_unit(run: Run, unit: Unit, v: Point, distance: float, clause: str) -> Procedure:
    """Slide a unit rigidly, with the characters that have joined it (WM-CHAR-3), who stay behind
    in the Command phase (WM-CHAR-2); other characters make way (WM-CHAR-10)."""
    company = company_of(run.state, unit)
    if company and run.state.turn.phase != OTHER:
        run.cite("WM-CHAR-2")
        company = []
    starts = rects_of(run.state, unit)
    for body in (*stands_of(run.state, unit), *company):
        x, y = body.x + distance * v[0], body.y + distance * v[1]
        if is_character(body):
            x, y = yield from settled(run, body, (x, y))
        path = (Leg(to=(x, y)),) if distance > 0.0 else ()
        run.emit(Moved(body.id, x, y, body.z, body.facing, path, clause))
    if distance > 0.0 and leaves_works(run, unit, {*unit.members}, clause):
        run.emit(UnitMarked(unit.id, Marks({"fortified": None}), clause))
    if company:
        run.cite("WM-CHAR-3")

    def over(shape: Rect | Region) -> bool:
        return any(slide_into(rect, shape, v, distance, TOLERANCE)[0] for rect in starts)

    flew = flies(stands_of(run.state, unit)) and run.state.turn.phase != OTHER
    passed = _gone_over(run.start, unit, company, over) if distance > 0.0 and not flew else ()
    run.cite(*(("WM-FLY-4",) if flew else passed))
    yield from make_way(run, unit, None if flew else over)


def _gone_over(
    state: State, unit: Unit, company: Sequence[Body], over: Callable[[Rect | Region], bool]
) -> Iterator[str]:
    """Clauses about the ground and the characters that a unit slides over."""
    mask = mask_of(stands_of(state, unit)[0])
    for feature in ground_of(state).near():
        if over(feature.region):
            yield from clauses_allowing(feature.piece, mask)
    for body in characters(state):
        if all(body.id != one.id for one in company) and over(shape_of(body)):
            yield "WM-STAND-11"
            yield from ("WM-CHAR-8",) if body.side == unit.side else ()


def room_to_land(state: State, unit: Unit, v: Point, distance: float) -> float:
    """The longest slide of at most that distance at whose end a flyer may land, cm; 0 if none."""
    rects = rects_of(state, unit)
    shapes: list[Region] = [f.region for f in ground_of(state).no_landing()]
    for other in units_on_table(state):
        if other.id == unit.id:
            continue
        # Enemies may not even be touched.
        more = 2.0 * TOLERANCE if other.side != unit.side else 0.0
        shapes += [grown(rect, more) for rect in rects_of(state, other)]
    spans = [
        (span.start, span.stop)
        for rect in rects
        for shape in shapes
        for span in slide_into(rect, shape, v, distance, TOLERANCE)[0]
    ]
    edge = slide_to_border(rects, v, state.table.width, state.table.depth)
    if edge is not None and edge.at < distance:
        spans.append((edge.at, distance + 1.0))
    free = free_stretches(spans, 0.0, distance, 0.25 * TOLERANCE)
    return max((stop for _, stop in free), default=0.0)


BOOK.resolves_each("""
WM-TER-9 (seed) A unit forced into terrain that it cannot cross halts at the edge of it.
WM-TER-10 (seed) Driven back into impassable terrain it halts there, and is confused on a 6.
WM-TER-11 (seed) Forced to retreat into impassable terrain, each stand that is stopped is destroyed.
WM-CONF-2 (public) Driven back on a 6, or into enemies, fights or friends, a unit is confused.
WM-DB-1 (public) A unit is driven back a D6 for each hit, from the nearest stand that shot; beyond
    its full pace it is destroyed.
WM-RET-1 (public) A beaten unit retreats 1 cm a point; stands that are stopped are destroyed.
WM-FORM-6 (public) Losses come off the ends; if they split a unit, one more stand goes.
""")


@BOOK.clause("WM-FB-1", src="public", bars=MoveSpec, at=Moment.END)
def the_first_falls_back_behind_the_fight(ask: UnitContext[MoveSpec]) -> Iterator[Finding]:
    """A unit falls back up to 3D6 cm as in an ordered move; the first stand ends wholly behind the
    line of contact, where there is one."""
    if ask.subject.kind != "fall_back":
        return
    yield from goes_beyond(ask, "WM-FB-1", "rolled for its fall back were")
    stands = ask.measure(study_of).stands
    first, left = stands[0], [rect_of(stand.body) for stand in stands]
    for enemy in enemy_units(ask.state, ask.unit.side):
        for foe in stands_of(ask.state, enemy):
            there = rect_of(foe)
            touching = [start for start in left if in_contact(start, there)]
            if not all(keeps_behind(first.end, start, there) for start in touching):
                name = called(ask.state, foe.id)
                text = f"{first.name} goes first and ends across the line of contact with {name}."
                yield Finding(text, place=first.end.centre, about=foe.id)


@BOOK.clause("WM-ADV-1", src="public", bars=MoveSpec, at=Moment.PATH)
def advances_go_so_far(ask: UnitContext[MoveSpec]) -> Iterator[Finding]:
    """A unit advances up to 20 cm in a charge on the closest enemy that it sees."""
    yield from goes_beyond(ask, "WM-ADV-1", "an advance goes up to")


def _spared(run: Run, unit: Unit) -> int:
    """Hits that do not drive a unit back: one if any stand is defended, two if fortified."""
    if fortified_stands(run.state, unit):
        return 2
    infantry = type_of(stands_of(run.state, unit)[0]) == "infantry"
    return int(infantry and in_dense(run.state, unit))


def _no_shot(state: State, action: DriveBack) -> Iterator[Finding]:
    """Why nobody is driven back by what is said to have hit a unit."""
    shooter = state.body(action.shooter)
    if shooter.side == unit_of(state, action.actor).side:
        text = f"{shooter.name} is of the side of the unit; the enemy drives it back."
        yield Finding(text, about=shooter.id, clause="WM-DB-1")
    if not 0 <= action.hits <= MOST_DICE:
        text = f"A unit takes from 0 to {MOST_DICE:,} hits; got {action.hits:,}."
        limit = 0.0 if action.hits < 0 else float(MOST_DICE)
        yield Finding(text, action.hits, limit, about=action.actor, clause="WM-DB-1")


def do_drive_back(run: Run, action: DriveBack) -> Procedure:
    """Roll for the hits and slide the unit back."""
    run.refuse(list(_no_shot(run.state, action)))
    run.forced()
    unit = unit_of(run.state, action.actor)
    stands = stands_of(run.state, unit)
    pairs = all_nearest_to(stands, run.state.body(action.shooter))
    dice = max(0, action.hits - _spared(run, unit))
    run.value(dice=dice)
    run.cite("WM-MOVE-1", "WM-DB-1")
    touching = within(pairs[0].gap, 0.0)
    if dice == 0 or touching or stands[0].keyword("never_driven_back"):
        run.happened("stands", f"{unit.name} is not driven back.", "WM-DB-1", about=unit.id)
        return
    # A 6 confuses, whatever the sum (WM-CONF-2).
    text = f"{unit.name} is driven back"
    roll = Roll(dice, text, "WM-DB-1", unit.side, about=unit.id, reads="sum_highest")
    faces = yield from run.roll(roll, lambda faces: (sum(faces), 6 in faces))
    distance = float(sum(faces))
    run.value(distance=distance)
    run.cite("WM-PACE-10", "WM-MOVE-1")
    if more_than(distance, full_pace(stands[0])):
        destroy(run, unit, "WM-DB-1", "routed")
        return
    way = yield from straight_off(run, unit, pairs, "is driven back", "WM-DB-1")
    assert way is not None
    v = way[1]
    halt = first_halt(run.state, unit, v, distance)
    reach = distance if halt is None else max(0.0, halt.at)
    off = goes_off(run.state, [rect_of(body) for body in stands], v, reach)
    yield from shift_unit(run, unit, v, reach if off is None else off, "WM-DB-1")
    run.value(moved=reach if off is None else off)
    if 6 in faces:
        confuse(run, unit_of(run.state, unit.id), "WM-CONF-2")
    if off is not None:
        yield from leave(run, unit_of(run.state, unit.id), v)
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
    run.cite(*([halt.bars] if halt.bars else []))
    if sure:
        return
    confused = halt.sort != "terrain"
    if not confused:
        roll = Roll(
            1, f"{unit.name} is stopped by {halt.name}: confused on 6", "WM-TER-10", unit.side,
            about=unit.id,
        )  # fmt: skip
        faces = yield from run.roll(roll, lambda faces: faces[0] == 6)
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
    run.cite("WM-PACE-10", "WM-MOVE-1", "WM-RET-1")
    if type_of(stands[0]) == "artillery" and action.points > 0:
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
        text = f"{called(run.state, name)} is stopped by {halt.name}."
        run.happened("stopped", text, clause, about=halt.id)
        run.cite(*([halt.bars] if halt.bars else []))
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
            left_alone(run, unit)
            run.happened("destroyed", f"{unit.name} is destroyed.", clause, about=unit.id)
            return
        if len(islands([rect_of(body) for body in left])) == 1:
            return
        options = {body.id: called(run.state, body.id) for body in left}
        which = f"{unit.name} is split: which stand goes?"
        value = yield from run.pick(
            unit.side, which, "WM-FORM-6", options, default=left[-1].id, about=unit.id
        )
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
