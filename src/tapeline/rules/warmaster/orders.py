"""WM-CMD: who may order whom, the roll, what comes of it; brigades; what a
blunder makes of units: they halt, run away, or rush at the enemy."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tapeline.dice import Band, Reading, Roll, said_reading
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, TurnChanged, UnitMarked
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.ranks.bases import Point, nearest_pairs, rect_of, unit_gap
from tapeline.rules.warmaster.actions import Charge, EndStep, InitiativeCharge, MoveUnit, Order
from tapeline.rules.warmaster.charge import Check, found_charge
from tapeline.rules.warmaster.closing_up import (
    ends_together,
    not_charging,
    not_together,
    to_close_up,
)
from tapeline.rules.warmaster.figures import (
    BOOK,
    BRIGADE_MOST,
    COMMAND_BAND_CM,
    COMMAND_NEAR_CM,
    FLYER_ORDER_CM,
    HALT_SHORT_CM,
    ORDERS_MOST,
    command_of,
    flies,
    full_pace,
    is_character,
    rank_of,
)
from tapeline.rules.warmaster.forced import first_halt, room_to_land, shift_unit, straight_off
from tapeline.rules.warmaster.formation import in_dense
from tapeline.rules.warmaster.measures import MoveSpec, study_of
from tapeline.rules.warmaster.sight import closest_seen, line_of_sight, sight_clauses
from tapeline.rules.warmaster.state import (
    HOME,
    INITIATIVE,
    ORDERS,
    UnitContext,
    cm,
    distance_to,
    enemies_near,
    enemy_units,
    findings,
    kept,
    kept_while_placed,
    lost,
    stands_of,
    unit_of,
    units_apart,
)
from tapeline.rules.warmaster.table_edge import goes_off, leave
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value
from tapeline.wording import counted

__all__ = [
    "ORDER_RANGE_CM",
    "blunder",
    "do_order",
    "give_up",
    "needed_for",
    "reading",
    "rush_on",
]

#: How far each rank's orders reach, cm (WM-CMD-6).
ORDER_RANGE_CM = {"general": math.inf, "hero": 60.0, "wizard": 20.0}
#: The roll at which an order always fails (WM-CMD-7).
ORDER_FAILS = 12
#: The shortest step of a search along a slide, cm: what is found is too long by no more.
_STEP_CM = 0.01


@dataclass(frozen=True, slots=True)
class Penalty:
    """What lowers Command for an order, or, below 0, raises it, and why."""

    amount: int
    why: str


def _bands(distance: float) -> int:
    """Whole bands of 20 cm beyond the first; the end of a band still counts to it."""
    return max(0, math.ceil((distance - TOLERANCE) / COMMAND_BAND_CM) - 1)


def penalties(state: State, character: Body, units: Sequence[Unit]) -> list[Penalty]:
    """Everything that changes Command for an order to some units (WM-CMD-3, -8)."""
    found = []
    far = max(distance_to(state, character, unit) for unit in units)
    if _bands(far):
        found.append(Penalty(_bands(far), f"{far:.4g} cm away"))
    given = max(unit.marks.whole("orders") for unit in units)
    if given:
        found.append(Penalty(given, f"{counted(given, 'order')} already"))
    if any(_enemy_near(state, unit) for unit in units):
        found.append(Penalty(1, "an enemy unit within 20 cm"))
    if any(in_dense(state, unit) for unit in units):
        found.append(Penalty(1, "dense terrain"))
    gone = max(lost(unit) for unit in units)
    if gone:
        found.append(Penalty(gone, f"{counted(gone, 'stand')} lost"))
    of_unit = min(command_of(stands_of(state, unit)[0]) for unit in units)
    if of_unit:
        how = "hard" if of_unit < 0 else "easy"
        found.append(Penalty(-of_unit, f"troops that are {how} to command"))
    blundered = character.marks.whole("command")
    if blundered < 0:
        found.append(Penalty(-blundered, "blunders"))
    return found


def needed_for(state: State, character: Body, units: Sequence[Unit]) -> int:
    """What the roll of an order to some units must not exceed; a 12 fails whatever Command is
    (WM-CMD-2, -7)."""
    lost = sum(penalty.amount for penalty in penalties(state, character, units))
    return min(command_of(character) - lost, ORDER_FAILS - 1)


@kept_while_placed
def _enemy_near(state: State, unit: Unit) -> bool:
    stands = stands_of(state, unit)
    if stands[0].keyword("no_near_penalty"):
        return False
    near = enemies_near(state, unit, COMMAND_NEAR_CM)
    return any(within(gap, COMMAND_NEAR_CM) for gap, _ in near)


def ordered_units(state: State, order: Order) -> list[Unit]:
    """The units that an order is for."""
    return [unit_of(state, name) for name in order.units]


@BOOK.clause("WM-CMD-1", src="public", bars=(Order, EndStep), at=Moment.DECLARE)
def the_steps_of_the_phase(ask: UnitContext[Order | EndStep]) -> Iterator[Finding]:
    """The Command phase: initiative, home back, orders, characters; then other phases."""
    state = ask.state
    if state.progress.get("over"):
        yield Finding("The battle is over.")
    if isinstance(ask.subject, EndStep):
        return
    actor = ask.mover
    if not is_character(actor):
        yield Finding(f"{actor.name} is no character.", about=actor.id)
    if actor.side != ask.state.turn.active:
        yield Finding(f"{actor.name} is not of the side whose turn it is.", about=actor.id)
    if ask.state.turn.phase not in (INITIATIVE, HOME, ORDERS):
        yield Finding(f"The step of orders is over: it is {ask.state.turn.phase}.", about=actor.id)


@BOOK.clause("WM-CMD-7", src="public", bars=(Order, EndStep, MoveUnit, Charge), at=Moment.DECLARE)
def who_blunders_does_as_rolled(
    ask: UnitContext[Order | EndStep | MoveUnit | Charge],
) -> Iterator[Finding]:
    """A Hero or Wizard who rolls 12 blunders: a D6 says what his units do; who has to charge does
    that first, the closest enemy that it sees."""
    state, action = ask.state, ask.subject
    if isinstance(action, Order | EndStep):
        for unit in rushing(state):
            if can_rush(partial(findings, state), state, unit):
                yield Finding(f"{unit.name} still has to charge.", about=unit.id)
    elif ask.unit.marks.text("may_move") == "rush":
        goals = {enemy.id: enemy.name for enemy in closest_seen(state, ask.unit)}
        if not isinstance(action, Charge) or action.target not in goals:
            text = f"{ask.unit.name} blundered and must charge {' or '.join(goals.values())}."
            yield Finding(text, about=ask.unit.id)


@BOOK.clause("WM-INIT-4", src="seed", bars=Order, at=Moment.DECLARE)
def no_orders_after_initiative(ask: UnitContext[Order]) -> Iterator[Finding]:
    """A unit that moved on initiative gets no order this turn."""
    for unit in ordered_units(ask.state, ask.subject):
        if unit.has("initiative"):
            yield Finding(f"{unit.name} has moved on initiative.", about=unit.id)


@BOOK.clause("WM-CONF-1", src="public", bars=Order, at=Moment.DECLARE)
def confused_units_take_no_orders(ask: UnitContext[Order]) -> Iterator[Finding]:
    """A confused unit takes no initiative and no orders until its own Command phase ends."""
    for unit in ordered_units(ask.state, ask.subject):
        if unit.has("confused"):
            yield Finding(f"{unit.name} is confused and takes no orders.", about=unit.id)


@BOOK.clause("WM-CMD-4", src="public", bars=Order, at=Moment.DECLARE)
def one_character_at_a_time(ask: UnitContext[Order]) -> Iterator[Finding]:
    """A unit gets at most 3 orders in a turn, all from one character, one after the other."""
    actor, state = ask.mover, ask.state
    group = state.progress.texts("group")
    if actor.has("done"):
        yield Finding(f"{actor.name} has finished giving orders.", about=actor.id)
    for unit in ordered_units(ask.state, ask.subject):
        given, by = unit.marks.whole("orders"), unit.marks.text("ordered_by")
        if given >= ORDERS_MOST:
            text = f"{unit.name} has had {given} orders this turn."
            yield Finding(text, given, ORDERS_MOST, about=unit.id)
        goes_on = state.turn.phase == ORDERS
        left = goes_on and unit.id not in group and not unit.has("failed")
        if by and (by != actor.id or left):
            why = "by another character" if by != actor.id else "and was left for another"
            yield Finding(f"{unit.name} has been ordered {why}.", about=unit.id)


@BOOK.clause("WM-CMD-5", src="public", bars=Order, at=Moment.DECLARE)
def after_a_failure(ask: UnitContext[Order]) -> Iterator[Finding]:
    """A failed order ends the orders of that character and that unit; a General's ends all."""
    actor = ask.mover
    if ask.state.progress.get("general_failed") is True:
        yield Finding("The General has failed: orders are over.", about=actor.id)
    if actor.has("failed"):
        yield Finding(f"{actor.name} has failed and gives no more orders.", about=actor.id)
    for unit in ordered_units(ask.state, ask.subject):
        if unit.has("failed"):
            yield Finding(f"An order to {unit.name} has failed this turn.", about=unit.id)


def _range(state: State, actor: Body, units: Sequence[Unit]) -> float:
    """How far a character's orders reach to some units, cm."""
    limit = ORDER_RANGE_CM[rank_of(actor)]
    flying = any(flies(stands_of(state, unit)) for unit in units)
    return min(limit, FLYER_ORDER_CM) if flying else limit


@BOOK.clause("WM-CMD-6", src="public", bars=Order, at=Moment.DECLARE)
def within_range_of_orders(ask: UnitContext[Order]) -> Iterator[Finding]:
    """A Hero orders up to 60 cm away, a Wizard up to 20; flyers are ordered up to 20 away."""
    actor = ask.mover
    for unit in ordered_units(ask.state, ask.subject):
        if not stands_of(ask.state, unit) or not is_character(actor):
            continue
        limit = _range(ask.state, actor, [unit])
        if limit == math.inf:
            continue
        distance = distance_to(ask.state, actor, unit)
        if more_than(distance, limit):
            text = (
                f"{unit.name} is {cm(distance, limit)} from {actor.name}; orders reach {limit:g}."
            )
            yield Finding(text, distance, limit, about=unit.id)


@BOOK.clause("WM-CMD-8", src="public", bars=(Order, EndStep, MoveSpec), at=Moment.END)
def brigades(ask: UnitContext[Order | EndStep | MoveSpec]) -> Iterator[Finding]:
    """Up to 4 units that form one touching body get an order as a brigade; those of them that do
    not charge end as one touching body; a unit that charged gets no more orders."""
    if isinstance(ask.subject, MoveSpec):
        yield from ends_together(ask.state, ask.subject)
        return
    if isinstance(ask.subject, Order):
        yield from _may_be_ordered(ask.state, ask.subject)
    late = to_close_up(ask.state)
    if late:
        names = ", ".join(unit.name for unit in late)
        text = f"The brigade ordered before does not stand together: still to move: {names}."
        yield from not_together(ask.state, not_charging(ask.state), text, late[0].id)


def _may_be_ordered(state: State, action: Order) -> Iterator[Finding]:
    units = [unit_of(state, name) for name in action.units]
    side = state.body(action.actor).side
    if not units or len(set(action.units)) < len(units):
        yield Finding("An order goes to one unit, or to several different ones.")
        return
    if len(units) > BRIGADE_MOST:
        text = f"A brigade has at most {BRIGADE_MOST} units; got {len(units)}."
        yield Finding(text, len(units), BRIGADE_MOST)
    for unit in units:
        stands = stands_of(state, unit)
        if unit.side != side or not stands:
            yield Finding(f"{unit.name} is no unit of this side on the table.", about=unit.id)
            return
        if unit.has("charged"):
            yield Finding(f"{unit.name} has charged.", about=unit.id)
        if len(units) > 1 and stands[0].keyword("no_brigade"):
            yield Finding(f"{unit.name} is never part of a brigade.", about=unit.id)
    if len(units) > 1:
        text = "The units do not form one touching body."
        yield from not_together(state, units, text, units[0].id)
    yield from _formed_later(state, units)


def _formed_later(state: State, units: Sequence[Unit]) -> Iterator[Finding]:
    """A brigade is formed by units as they stood when the step of orders began: one that has moved
    by an order since is joined only by those ordered with it."""
    group = state.progress.texts("group")
    new = [unit for unit in units if unit.id not in group]
    for unit in units:
        given = unit.marks.whole("orders")
        waits = given == 1 and unit.marks.text("may_move") == "order"
        if given and not waits and new and unit.id in group:
            text = f"{new[0].name} did not stand with {unit.name} as orders began."
            yield Finding(text, about=new[0].id)
            return


@BOOK.clause(
    "WM-PACE-11", src="public", bars=(Charge, InitiativeCharge, MoveSpec), at=Moment.DECLARE
)
def half_pace_after_a_failed_order(
    ask: UnitContext[Charge | InitiativeCharge | MoveSpec],
) -> Iterator[Finding]:
    """A unit whose first order of the turn fails may make one move at half pace, no charge."""
    action = ask.subject
    if isinstance(action, Charge | InitiativeCharge):
        if ask.unit.marks.text("may_move") == "half":
            text = f"{ask.unit.name} may not charge after a failed order."
            yield Finding(text, about=ask.unit.id)
        return
    if action.kind != "half":
        return
    for stand, distance in study_of(ask.state, action).too_far():
        text = f"{stand.name} travels {cm(distance, action.allowance)} after a failed order."
        yield Finding(text, distance, action.allowance, about=stand.body.id)


BOOK.resolves_each("""
WM-CMD-2 (public) An order is given on 2D6 of at most Command less the penalties.
WM-CMD-3 (public) Distance, orders already given, enemies near, dense terrain and losses lower
    Command.
WM-TER-5 (seed) A unit with a stand even partly in dense terrain is harder to order by 1.
""")


def give_up(run: Run, units: Sequence[str]) -> None:
    """Units ordered before that have not moved lose that move."""
    for name in units:
        unit = run.state.units[name]
        if unit.marks.text("may_move"):
            run.emit(UnitMarked(name, Marks({"may_move": None}), "WM-CMD-4"))


def rush_on(run: Run) -> Procedure:
    """Units that had to charge, and find no charge any more, go straight on."""
    for unit in list(rushing(run.state)):
        run.emit(UnitMarked(unit.id, Marks({"may_move": None}), "WM-CMD-7"))
        yield from straight_on(run, unit_of(run.state, unit.id))


def do_order(run: Run, action: Order) -> Procedure:
    """Roll for an order; what comes of it stands in the marks of the units."""
    yield from rush_on(run)
    actor = run.state.body(action.actor)
    units = [unit_of(run.state, name) for name in action.units]
    first = run.state.option("init_close") == "first_attempt"
    changes: dict[str, Value] = {"group": tuple(action.units)}
    before = run.state.progress.get("commander")
    if isinstance(before, str) and before != actor.id and before in run.state.bodies:
        run.emit(Marked(before, Marks({"done": True}), "WM-CMD-4"))
    changes["commander"] = actor.id
    if first:
        changes["closed"] = True
    group = [name for name in run.state.progress.texts("group") if name not in action.units]
    give_up(run, [*group, *action.units])
    run.emit(Progressed(Marks(changes), "WM-CMD-4"))
    if first and run.state.turn.phase != ORDERS:
        run.emit(TurnChanged(phase=ORDERS, clause="WM-INIT-3"))
    found = penalties(run.state, actor, units)
    needed = needed_for(run.state, actor, units)
    for penalty in found:
        run.pay(penalty.why, 0.0, 1.0, float(penalty.amount), "WM-CMD-3")
    if any(penalty.why == "dense terrain" for penalty in found):
        run.cite("WM-TER-5")
    names = ", ".join(unit.name for unit in units)
    roll = Roll(
        2, f"{actor.name} orders {names}: {needed} or less", "WM-CMD-2", actor.side, about=actor.id,
        reads="sum",
    )  # fmt: skip
    faces = yield from run.roll(
        roll, lambda faces: (sum(faces) <= needed, sum(faces) >= ORDER_FAILS)
    )
    total = sum(faces)
    run.value(needed=needed, rolled=total)
    run.cite("WM-CMD-1", "WM-CMD-3")
    if len(units) > 1:
        run.cite("WM-CMD-8")
    if math.isfinite(_range(run.state, actor, units)):
        run.cite("WM-CMD-6")
    if total <= needed:
        _obeyed(run, actor, units)
        return
    yield from _failed(run, actor, units, total)


def _obeyed(run: Run, actor: Body, units: Sequence[Unit]) -> None:
    if run.state.progress.get("closed") is not True:
        run.emit(Progressed(Marks({"closed": True}), "WM-INIT-3"))
    if run.state.turn.phase != ORDERS:
        run.emit(TurnChanged(phase=ORDERS, clause="WM-INIT-3"))
    for unit in units:
        marks: dict[str, Value] = {
            "orders": unit.marks.whole("orders") + 1,
            "ordered_by": actor.id,
            "may_move": "order",
        }
        run.emit(UnitMarked(unit.id, Marks(marks), "WM-CMD-2"))
    names = ", ".join(unit.name for unit in units)
    run.happened("ordered", f"{names}: the order is given.", "WM-CMD-2", outcome=True)


def _failed(run: Run, actor: Body, units: Sequence[Unit], total: int) -> Procedure:
    general = rank_of(actor) == "general"
    if general:
        run.emit(Progressed(Marks({"general_failed": True}), "WM-CMD-5"))
    run.emit(Marked(actor.id, Marks({"failed": True}), "WM-CMD-5"))
    half = run.state.option("failed_order") == "half_pace" and total < ORDER_FAILS
    for unit in units:
        may = "half" if half and unit.marks.whole("orders") == 0 else None
        marks: dict[str, Value] = {"failed": True, "ordered_by": actor.id, "may_move": may}
        run.emit(UnitMarked(unit.id, Marks(marks), "WM-CMD-5"))
        if may:
            run.cite("WM-PACE-11")
    names = ", ".join(unit.name for unit in units)
    if total < ORDER_FAILS:
        run.happened("failed", f"{names}: the order fails.", "WM-CMD-5", outcome=True)
        return
    text = f"{names}: the order fails by a 12."
    run.happened("blundered", text, "WM-CMD-7", outcome=True)
    if not general:
        yield from blunder(run, actor, units)


def reading(state: State, roll: Roll) -> Reading | None:
    """How an order, a blunder and the test for being confused are read."""
    if roll.clause == "WM-TER-10":
        confused = Band("Confused", "is confused", 6, good=False)
        return Reading((confused, Band("Steady", "is not confused", good=True)))
    if roll.clause == "WM-CMD-7":
        return BLUNDERS
    return said_reading(roll, "is obeyed", "is not obeyed")


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


def _sighted(run: Run, unit: Unit) -> list[Unit]:
    """The enemy units that one which blunders sees closest; cites what its sight turned on."""
    foes = closest_seen(run.state, unit)
    for foe in foes:
        run.cite(*sight_clauses(run.state, unit, foe))
        if line_of_sight(run.state, unit, foe, front_only=True) is None:
            run.cite("WM-VIS-5")
    return foes


def _straight(
    run: Run, unit: Unit, foes: Sequence[Unit]
) -> Generator[Ask, Answer, tuple[float, Point] | None]:
    """How far off the closest enemy is that a unit sees, and the direction straight away from it;
    of several as near its owner chooses, as for an evade (WM-INIT-8, WM-EVADE-4)."""
    state = run.state
    pairs = [
        pair
        for enemy in foes
        for pair in nearest_pairs(stands_of(state, unit), stands_of(state, enemy))
    ]
    way = yield from straight_off(run, unit, pairs, "blunders", "WM-CMD-7")
    return None if way is None else (way[0].gap, way[1])


def _run_away(run: Run, unit: Unit) -> Procedure:
    """Straight away from the closest enemy seen within a full pace, until more than that from all
    enemies; without such an enemy the unit halts."""
    pace = full_pace(stands_of(run.state, unit)[0])
    foes = _sighted(run, unit)
    if not _any_within(run.state, unit, foes, pace):
        run.happened("halts", f"{unit.name} halts.", "WM-CMD-7", about=unit.id)
        return
    way = yield from _straight(run, unit, foes)
    if way is not None:
        yield from _forced(run, unit, way[1], _until_clear(run.state, unit, way[1], pace))


def _any_within(state: State, unit: Unit, foes: Sequence[Unit], far: float) -> bool:
    """Whether one of some enemy units is no farther off than that."""
    return any(within(units_apart(state, unit, foe), far) for foe in foes)


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
    foes = _sighted(run, unit)
    if _any_within(run.state, unit, foes, full_pace(stands_of(run.state, unit)[0])):
        run.emit(UnitMarked(unit.id, Marks({"may_move": "rush"}), "WM-CMD-7"))
        if can_rush(run.check, run.state, unit):
            text = f"{unit.name} must charge {' or '.join(foe.name for foe in foes)}."
            run.happened("rush", text, "WM-CMD-7", about=foes[0].id)
            return
        run.emit(UnitMarked(unit.id, Marks({"may_move": None}), "WM-CMD-7"))
    yield from straight_on(run, unit)


def straight_on(run: Run, unit: Unit) -> Procedure:
    """A full pace straight toward the closest enemy seen, halting short of contact; no farther
    than short of that enemy for those who could fly on over it."""
    foes = _sighted(run, unit)
    if not foes:
        run.happened("halts", f"{unit.name} sees no enemy and halts.", "WM-CMD-7", about=unit.id)
        return
    way = yield from _straight(run, unit, foes)
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
    gone, before = reach if off is None else off, run.values.get("distance")
    run.value(distance=max(gone, before) if isinstance(before, float) else gone)
    if off is not None:
        yield from leave(run, unit_of(run.state, unit.id), v)
    elif halt is not None and halt.sort == "terrain":
        run.cite("WM-TER-9", halt.bars)


#: How the roll for a blunder is read.
BLUNDERS = Reading(
    (
        Band("Rushed", "blunders, and they rush at the enemy", 6),
        Band("Halted", "blunders, and they halt", 4),
        Band("Driven off", "blunders, and they run from the enemy", 2),
        Band("Command falls", "blunders, and loses 1 Command", 1),
    )
)
