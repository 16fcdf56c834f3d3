"""WM-MOVE, WM-CMD, WM-FLY: the steps of a Command phase, and units moving in them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from tapeline.dice import Roll
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, TurnChanged, UnitMarked
from tapeline.engine.limits import closer_than, more_than, overlaps, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect, Region, separation
from tapeline.ranks.bases import Point, all_nearest_to, box_about, nearest_to, shape_of, unit_gap
from tapeline.rules.warmaster.actions import (
    Advance,
    Charge,
    DriveBack,
    EndStep,
    Evade,
    FallBack,
    HomeBack,
    InitiativeCharge,
    MoveCharacter,
    MoveUnit,
    Order,
    Retreat,
    StandMove,
    UnitMove,
)
from tapeline.rules.warmaster.characters import end_of, go_along, make_way, off_stands
from tapeline.rules.warmaster.charge import advances_elsewhere, do_charge
from tapeline.rules.warmaster.evade import do_evade, not_to_burst, plan_evade
from tapeline.rules.warmaster.figures import (
    BOOK,
    EVADE_CLEAR_CM,
    EVADE_LEAST_CM,
    HALT_SHORT_CM,
    HOME_BACK_CM,
    flies,
    is_character,
)
from tapeline.rules.warmaster.forced import (
    confuse,
    leaves_works,
    room_to_land,
    shift_unit,
    straight_off,
)
from tapeline.rules.warmaster.formation import is_engaged, pace_of
from tapeline.rules.warmaster.initiative import cite_answer
from tapeline.rules.warmaster.measures import (
    MoveSpec,
    MoveStudy,
    flies_over,
    kind_of,
    spec_of,
    study_of,
)
from tapeline.rules.warmaster.moves import carry_out
from tapeline.rules.warmaster.orders import give_up, ordered_units, rush_on
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    END,
    HOME,
    INITIATIVE,
    OF_TURN,
    ORDERS,
    OTHER,
    PHASES,
    PROGRESS,
    UnitContext,
    called,
    characters,
    cm,
    company_of,
    stands_of,
    unit_joined,
    unit_of,
    units_on_table,
)
from tapeline.rules.warmaster.table_edge import come_back
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value

__all__ = [
    "do_advance",
    "do_charge_order",
    "do_end_step",
    "do_evade_move",
    "do_home_back",
    "do_initiative",
    "do_move",
]


ORDERED = (MoveUnit, Charge)
FORCED = (DriveBack, Retreat, FallBack, Advance)


@BOOK.clause("WM-MOVE-1", src="seed", bars=(*ORDERED, *FORCED, Order), at=Moment.DECLARE)
def units_move_when_a_rule_says_so(
    ask: UnitContext[UnitMove | DriveBack | Order],
) -> Iterator[Finding]:
    """In the Command phase a unit that is not in combat moves on initiative or by an order; in
    other phases only where a rule says so."""
    if isinstance(ask.subject, Order):
        for unit in ordered_units(ask.state, ask.subject):
            if is_engaged(ask.state, unit):
                yield Finding(f"{unit.name} is in combat.", about=unit.id)
        return
    unit, phase = ask.unit, ask.state.turn.phase
    may = unit.marks.text("may_move")
    if not ask.stands:
        yield Finding(f"{unit.name} is not on the table.", about=unit.id)
        return
    if isinstance(ask.subject, FORCED):
        if phase != OTHER:
            yield Finding(f"This is no time for it: it is {phase}.", about=unit.id)
        return
    if phase not in (INITIATIVE, HOME, ORDERS) and may != "fall_back":
        yield Finding(f"Units do not move now: it is {phase}.", about=unit.id)
    if not may or (may == "rush" and isinstance(ask.subject, MoveUnit)):
        yield Finding(f"{unit.name} has no order to move.", about=unit.id)
    if is_engaged(ask.state, unit) and may != "fall_back":
        yield Finding(f"{unit.name} is in combat.", about=unit.id)
    if isinstance(ask.subject, Charge) and may == "fall_back":
        yield Finding(f"{unit.name} falls back; it does not charge.", about=unit.id)


def _moved(run: Run, unit: str, study: MoveStudy, clause: str) -> Procedure:
    gone: dict[str, Value] = {"may_move": None, "allowance": None}
    # Turning on the spot a stand stays where it was said to be fortified.
    left = {
        stand.body.id
        for stand in study.stands
        if more_than(math.dist(stand.start.centre, stand.end.centre), 0.0)
    }
    if leaves_works(run, unit_of(run.state, unit), left, clause):
        gone["fortified"] = None
    run.emit(UnitMarked(unit, Marks(gone), clause))
    if company_of(run.start, unit_of(run.start, unit)):
        if run.start.turn.phase == OTHER:
            yield from go_along(run, unit)
        else:
            run.cite("WM-CHAR-2")

    def over(shape: Region) -> bool:
        return any(stand.goes_over(shape) for stand in study.stands)

    flew = flies_over(study.spec, (stand.body for stand in study.stands))
    yield from make_way(run, unit_of(run.state, unit), None if flew else over)


def do_move(run: Run, action: MoveUnit) -> Procedure:
    """Carry out an ordered move, the half-pace move after a failed order, or a fall back."""
    unit = unit_of(run.state, action.actor)
    kind = kind_of(unit)
    spec = spec_of(run.state, unit, stands=action.stands)
    clause = "WM-FB-1" if kind == "fall_back" else "WM-MOVE-1"
    study = carry_out(run, spec, clause)
    group = run.start.progress.texts("group")
    if len(group) > 1 and unit.id in group and kind != "fall_back":
        run.cite("WM-CMD-8")
    yield from _moved(run, unit.id, study, clause)
    if kind == "fall_back":
        _after_fall_back(run, unit.id)


def _after_fall_back(run: Run, name: str) -> None:
    """A unit that ends its fall back less than 1 cm from enemies or fights is confused."""
    unit = unit_of(run.state, name)
    stands = stands_of(run.state, unit)
    for other in units_on_table(run.state):
        if other.id == name or (other.side == unit.side and not is_engaged(run.state, other)):
            continue
        if closer_than(unit_gap(stands, stands_of(run.state, other)), HALT_SHORT_CM):
            confuse(run, unit, "WM-FB-1")
            return


def do_charge_order(run: Run, action: Charge) -> Procedure:
    """Carry out a charge by order, or one that a blunder obliges to."""
    if unit_of(run.state, action.actor).marks.text("may_move") == "rush":
        run.cite("WM-CMD-7")
    study = yield from do_charge(run, action, "WM-CHG-1")
    yield from _moved(run, action.actor, study, "WM-CHG-1")


def do_initiative(run: Run, action: InitiativeCharge) -> Procedure:
    """Carry out a charge on initiative."""
    study = yield from do_charge(run, action, "WM-INIT-1")
    cite_answer(run, unit_of(run.start, action.actor), action.target, charges=True)
    run.emit(UnitMarked(action.actor, Marks({"initiative": True}), "WM-INIT-4"))
    yield from _moved(run, action.actor, study, "WM-CHG-1")


def do_advance(run: Run, action: Advance) -> Procedure:
    """Carry out an advance after combat, which goes at the closest enemy that the unit sees and
    can reach; of those equally close the player chooses."""
    run.refuse(advances_elsewhere(run.check, run.state, action))
    study = yield from do_charge(run, action, "WM-ADV-1")
    yield from _moved(run, action.actor, study, "WM-ADV-1")


def _planned_evade(run: Run, action: Evade) -> tuple[StandMove, ...]:
    unit, target = unit_of(run.state, action.actor), unit_of(run.state, action.target)
    run.refuse(list(not_to_burst(run.state, unit, action.burst)))
    plan = plan_evade(run.check, run.state, unit, target, action.burst)
    if not plan.stands:
        pace = pace_of(run.state, unit, "evade").allowance
        why = (
            f"none of {plan.tried} arrangements with room for it has a clear way for every stand"
            if plan.tried
            else f"no arrangement has room there, on the table and {EVADE_CLEAR_CM:g} cm from "
            "enemies and fights (WM-EVADE-10)"
        )
        text = (
            f"No evade was found for {unit.name}: straight away from {target.name}, from "
            f"{EVADE_LEAST_CM:g} to {pace:g} cm, as it stands, in line, in column and mixed, {why}."
        )
        run.refuse([Finding(text, about=target.id, clause="WM-EVADE-11")])
    return plan.stands


def do_evade_move(run: Run, action: Evade) -> Procedure:
    """Carry out an evade, planned if no stands are given."""
    if not action.stands:
        action = replace(action, stands=_planned_evade(run, action))
    study = do_evade(run, action)
    yield from _moved(run, action.actor, study, "WM-EVADE-1")


# Steps


def do_end_step(run: Run, action: EndStep) -> Procedure:
    """Go on to the next step; the Command phase of the other side follows after other phases."""
    yield from rush_on(run)
    state = run.state
    phase = PHASES[(PHASES.index(state.turn.phase) + 1) % len(PHASES)]
    run.cite("WM-CMD-1")
    if len(state.progress.texts("group")) > 1:
        run.cite("WM-CMD-8")
    if phase in (HOME, ORDERS):
        run.emit(Progressed(Marks({"closed": True}), "WM-INIT-3"))
    if phase == CHARACTERS:
        give_up(run, state.progress.texts("group"))
        run.emit(Progressed(Marks({"group": None, "commander": None}), "WM-CMD-1"))
    if phase == END:
        _left_behind(run)
        _recover(run)
    if phase != INITIATIVE:
        run.emit(TurnChanged(phase=phase, clause="WM-CMD-1"))
        return
    side = state.other_side(state.turn.active)
    first = state.sides[0].id
    turn = state.turn.round + (1 if side == first else 0)
    _fresh(run)
    run.emit(TurnChanged(round=turn, phase=INITIATIVE, active=side, clause="WM-CMD-1"))
    gone = Marks(dict.fromkeys(name for name in PROGRESS if name != "over"))
    run.emit(Progressed(gone, "WM-CMD-1"))
    before = {*run.state.bodies}
    yield from come_back(run, side)
    for unit in units_on_table(run.state):
        if before.isdisjoint(unit.members):
            yield from make_way(run, unit)
    for body in list(characters(run.state, side)):
        if body.id not in before:
            yield from off_stands(run, body)


def _left_behind(run: Run) -> None:
    """The end of a Command phase: characters whose unit has moved on without them, and who have
    not come up with it, are on their own."""
    for body in list(characters(run.state, run.state.turn.active)):
        unit = unit_joined(run.state, body)
        if body.marks.text("joined") and (
            unit is None or more_than(nearest_to(stands_of(run.state, unit), body).gap, 0.0)
        ):
            run.emit(Marked(body.id, Marks({"joined": None}), "WM-CHAR-2"))


def _recover(run: Run) -> None:
    """The end of a Command phase: its side's units are confused no longer."""
    side = run.state.turn.active
    for unit in list(run.state.units.values()):
        if unit.side == side and unit.has("confused"):
            run.emit(UnitMarked(unit.id, Marks({"confused": None}), "WM-CONF-1"))


def _fresh(run: Run) -> None:
    """Take away what lasted for a turn, also from who is off the table and may come back."""
    off = (body for body in run.state.gone.values() if is_character(body) and not body.has("slain"))
    holders: tuple[Unit | Body, ...] = (*run.state.units.values(), *characters(run.state), *off)
    for who in holders:
        gone = Marks(dict.fromkeys(name for name in OF_TURN if name in who.marks))
        if gone:
            event = UnitMarked if isinstance(who, Unit) else Marked
            run.emit(event(who.id, gone, "WM-CMD-1"))


#: A home back goes this far for each point of the die (WM-FLY-2), cm.
HOME_CM_PER_POINT = 10.0


@BOOK.clause("WM-FLY-4", src="public", bars=(MoveSpec, MoveCharacter), at=Moment.END)
def flyers_land_clear(ask: UnitContext[MoveSpec | MoveCharacter]) -> Iterator[Finding]:
    """Flyers pass over everything; they do not land on stands, where infantry may not go or in
    woods, nor touching enemies unless they charge."""
    if isinstance(ask.subject, MoveCharacter):
        if flies([ask.mover]):
            at = end_of(ask.state, ask.subject)
            yield from _in_bad_ground(ask.state, shape_of(ask.mover.at(*at)), ask.mover.name, at)
        return
    study = study_of(ask.state, ask.subject)
    if not flies(stand.body for stand in study.stands):
        return
    for stand in study.stands:
        rect = stand.end
        place = rect.centre
        yield from _in_bad_ground(ask.state, rect, stand.name, place)
        for barrier in stand.barriers:
            if barrier.sort == "foe" and not ask.subject.charges:
                gap = separation(rect, barrier.shape).gap
                if within(gap, 0.0):
                    text = f"{stand.name} lands touching {barrier.name}."
                    yield Finding(text, gap, 0.0, place, barrier.id)


def _in_bad_ground(
    state: State, shape: Rect | Region, name: str, place: Point
) -> Iterator[Finding]:
    """The terrain that a flyer may not land in and is in."""
    for feature in ground_of(state).no_landing(box_about(shape)):
        depth = separation(shape, feature.region).depth
        if overlaps(depth):
            yield Finding(
                f"{name} lands {cm(depth)} inside {feature.name}.", depth, 0.0, place, feature.id
            )


@BOOK.clause("WM-FLY-2", src="public", bars=HomeBack, at=Moment.DECLARE)
def strayed_flyers_go_home(ask: UnitContext[HomeBack]) -> Iterator[Finding]:
    """Before orders a flyer more than 20 cm from all its characters goes back D6 x 10 cm toward
    one of them, facing as before; it may do so confused, not engaged."""
    unit, state = ask.unit, ask.state
    if unit.side != state.turn.active or state.turn.phase not in (INITIATIVE, HOME):
        yield Finding("Flyers go home before orders, in their own turn.", about=unit.id)
    if not ask.stands or not flies(ask.stands):
        yield Finding(f"{unit.name} does not fly.", about=unit.id)
        return
    if unit.id in state.progress.texts("home"):
        yield Finding(f"{unit.name} has gone home this turn.", about=unit.id)
    if is_engaged(state, unit):
        yield Finding(f"{unit.name} is in combat.", about=unit.id)
    if ask.subject.most is not None and ask.subject.most < 0.0:
        yield Finding("A flyer goes home by 0 cm or more.", ask.subject.most, 0.0, about=unit.id)
    character = state.body(ask.subject.character)
    if not is_character(character) or character.side != unit.side:
        text = f"{called(state, character.id)} is no character of this side."
        yield Finding(text, about=character.id)
        return
    for body in characters(state, unit.side):
        gap = nearest_to(ask.stands, body).gap
        if within(gap, HOME_BACK_CM):
            away = f"{cm(gap, HOME_BACK_CM)} from {body.name}"
            text = f"{unit.name} is {away}; more than 20 is straying."
            yield Finding(text, gap, HOME_BACK_CM, about=body.id)


def do_home_back(run: Run, action: HomeBack) -> Procedure:
    """Roll, then move the flyer straight toward the character, as far as it finds room to land and
    is to go."""
    most = math.inf if action.most is None else action.most
    unit = unit_of(run.state, action.actor)
    character = run.state.body(action.character)
    if run.state.turn.phase == INITIATIVE:
        run.emit(TurnChanged(phase=HOME, clause="WM-CMD-1"))
        run.emit(Progressed(Marks({"closed": True}), "WM-INIT-3"))
    roll = Roll(1, f"{unit.name} goes home", "WM-FLY-2", unit.side, about=unit.id)
    faces = yield from run.roll(roll)
    distance = HOME_CM_PER_POINT * faces[0]
    pairs = all_nearest_to(stands_of(run.state, unit), character)
    way = yield from straight_off(run, unit, pairs, "goes home", "WM-FLY-2")
    assert way is not None
    nearest, (ax, ay) = way
    v: Point = (-ax, -ay)
    reach = room_to_land(run.state, unit, v, min(distance, nearest.gap, most))
    yield from shift_unit(run, unit, v, reach, "WM-FLY-2")
    home = (*run.state.progress.texts("home"), unit.id)
    run.emit(Progressed(Marks({"home": home}), "WM-FLY-2"))
    run.value(distance=distance, moved=reach)
