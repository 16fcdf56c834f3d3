"""WM-CHG, WM-INIT-2: charges, from the sight of the target to the contact of front and edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import UnitMarked
from tapeline.engine.limits import closer_than, more_than
from tapeline.engine.referee import Refused, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.ranks.bases import rect_of, unit_gap
from tapeline.ranks.edges import offset_along, opposed
from tapeline.rules.warmaster.actions import (
    CHARGES,
    Advance,
    AnyCharge,
    EndStep,
    Evade,
    HomeBack,
    InitiativeCharge,
    Order,
    StandMove,
)
from tapeline.rules.warmaster.figures import BOOK, policy_of
from tapeline.rules.warmaster.formation import pace_of
from tapeline.rules.warmaster.gaps import beside_enemy, narrow_places, sides_near
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.lineup import (
    Placement,
    aims,
    attacked_edges,
    line_up,
    plan_charge,
    who_sees,
)
from tapeline.rules.warmaster.measures import (
    MoveSpec,
    MoveStudy,
    StandStudy,
    flies_over,
    spec_of,
    study_of,
)
from tapeline.rules.warmaster.moves import carry_out
from tapeline.rules.warmaster.plans import ways_of
from tapeline.rules.warmaster.sight import (
    all_round,
    cite_unseen,
    line_of_sight,
    seen_by,
    sight_clauses,
)
from tapeline.rules.warmaster.state import (
    INITIATIVE,
    UnitContext,
    called,
    cm,
    rects_of,
    stands_of,
    unit_of,
    units_apart,
    units_on_table,
)
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = [
    "Check",
    "advances_elsewhere",
    "bound_to_charge",
    "charge_bars",
    "do_charge",
    "found_charge",
]


# Declaring


@BOOK.clause("WM-CHG-1", src="public", bars=CHARGES, at=Moment.DECLARE)
def the_target_is_seen(ask: UnitContext[AnyCharge]) -> Iterator[Finding]:
    """A charge is declared at an enemy unit that a stand sees from its front as the move starts."""
    target = unit_of(ask.state, ask.subject.target)
    if target.side == ask.unit.side or not stands_of(ask.state, target):
        yield Finding(f"{target.name} is no enemy unit on the table.")
        return
    if line_of_sight(ask.state, ask.unit, target, front_only=True) is None and not (
        all_round(ask.stands) and line_of_sight(ask.state, ask.unit, target)
    ):
        cite_unseen(ask, target)
        yield Finding(f"{ask.unit.name} does not see {target.name}.", about=target.id)


@BOOK.clause("WM-VIS-6", src="seed", bars=CHARGES, at=Moment.DECLARE)
def charges_need_the_front(ask: UnitContext[AnyCharge]) -> Iterator[Finding]:
    """Troops that see to every side still charge only what they see from a front edge."""
    target = ask.state.units.get(ask.subject.target)
    if target is None or not all_round(ask.stands):
        return
    if line_of_sight(ask.state, ask.unit, target, front_only=True) is None and line_of_sight(
        ask.state, ask.unit, target
    ):
        text = f"{ask.unit.name} sees {target.name} from its sides or rear only."
        yield Finding(text, about=target.id)


BOOK.resolves_each("""
WM-INIT-9 (seed) Sight to every side lets a unit evade an enemy at its side or rear, never charge
    it.
""")


# Placing the stands


BOOK.resolves_each("""
WM-CHG-2 (public) The edge attacked is that of the zone which holds most of the charging unit.
""")


#: A charge being carried out, which gives the move as measured.
Charging: TypeAlias = Generator[Ask, Answer, MoveStudy]
#: Findings of all clauses about an action or a part of one.
Check: TypeAlias = Callable[[Any], list[Finding]]


def _edges(check: Check, state: State, spec: MoveSpec) -> tuple[Body, list[str]] | None:
    """The stand that a charge goes at, and the edges of it that may be the one attacked; None if
    nothing of the target is seen. Of several that it may have gone at, one that it is legal at."""
    unit = unit_of(state, spec.unit)
    met = _attacked(state, spec, unit)
    if not met:
        return None
    body = met[0]
    if len(met) > 1 and spec.stands and not check(spec):
        for one in met:
            placements = (
                Placement(spec=spec, stand=one.id, edge=edge)
                for edge in attacked_edges(state, unit, one)
            )
            if any(not check(placement) for placement in placements):
                body = one
                break
    return body, attacked_edges(state, unit, body)


def _bars(check: Check, spec: MoveSpec, body: Body, edge: str) -> list[Finding]:
    placement = Placement(spec=spec, stand=body.id, edge=edge)
    return [*check(spec), *check(placement)]


def _ways_to(
    check: Check, state: State, spec: MoveSpec, body: Body, edges: list[str]
) -> dict[str, tuple[MoveSpec, list[Finding]]]:
    """For each edge that may be attacked the charge that goes at it, and what bars that: the one
    given, or one planned."""
    found = {}
    for edge in edges:
        one = spec
        if not spec.stands:
            one = replace(spec, stands=plan_charge(state, spec, (body.id, edge)))
        found[edge] = (one, _bars(check, one, body, edge))
    return found


def charge_bars(check: Check, state: State, action: AnyCharge) -> list[Finding]:
    """What bars a charge planned by the engine; empty if it may be carried out.

    check: gives the findings of all clauses about an action or a part in that state.
    """
    spec = _spec(state, action)
    planned = replace(spec, stands=plan_charge(state, spec))
    aim = _edges(check, state, planned)
    if aim is None:
        return check(planned)
    body, edges = aim
    tied = spec if len(edges) > 1 else planned
    return min((bars for _, bars in _ways_to(check, state, tied, body, edges).values()), key=len)


def advances_elsewhere(check: Check, state: State, action: Advance) -> list[Finding]:
    """What bars an advance that leaves out a closer enemy which the unit sees and can reach; of
    those equally close the player chooses."""
    unit, target = unit_of(state, action.actor), unit_of(state, action.target)
    gap = unit_gap(stands_of(state, unit), stands_of(state, target))
    for enemy, pair in seen_by(state, unit):
        if enemy.id == target.id or not closer_than(pair.gap, gap):
            break
        if found_charge(check, state, [Advance(actor=unit.id, target=enemy.id)]) is not None:
            text = f"{unit.name} advances on {enemy.name}, not on {target.name}."
            return [Finding(text, gap, pair.gap, about=target.id, clause="WM-ADV-1")]
    return []


def found_charge(check: Check, state: State, charges: Iterable[AnyCharge]) -> AnyCharge | None:
    """The first of some charges that may be carried out as the engine plans it."""
    may = (one for one in charges if not check(one) and not charge_bars(check, state, one))
    return next(may, None)


def do_charge(run: Run, action: AnyCharge, clause: str) -> Charging:
    """Carry out a charge, by order, on initiative or after combat; gives the move as measured.

    clause: what lets it move.
    """
    unit, target = unit_of(run.state, action.actor), unit_of(run.state, action.target)
    given = spec = _spec(run.state, action)
    if not given.stands:
        spec = replace(spec, stands=plan_charge(run.state, spec))
    aim = _edges(run.check, run.state, spec)
    if aim is None:
        # Nothing of the target is seen: the clauses on declaring have refused the charge.
        text = f"{unit.name} does not see {target.name}."
        raise Refused(run.check(spec) or [Finding(text, about=target.id, clause="WM-CHG-1")])
    body, edges = aim
    # Each edge that the die may name has a plan of its own.
    ways = _ways_to(run.check, run.state, given if len(edges) > 1 else spec, body, edges[:2])
    bars = min((bars for _, bars in ways.values()), key=len)
    run.refuse(bars if given.stands else _no_charge(run.state, spec, body, bars))
    edge = edges[0]
    if len(edges) > 1:
        attacked = called(run.state, body.id)
        purpose = f"which edge of {attacked} is charged: {edges[0]} on 1 to 3, {edges[1]} on 4 to 6"
        roll = Roll(1, purpose, "WM-CHG-2", unit.side, about=unit.id)
        faces = yield from run.roll(roll, lambda faces: faces[0] <= 3)
        edge = edges[0] if faces[0] <= 3 else edges[1]
    spec, bars = ways[edge]
    if bars:
        instead = yield from _other_way(run, spec, body, edge)
        if instead is None:
            return _comes_to_nothing(run, spec, clause)
        spec = instead
    study = carry_out(run, spec, clause)
    run.cite("WM-CHG-1", "WM-CHG-2", "WM-CHG-3", "WM-CHG-4")
    run.cite(*sight_clauses(run.start, unit, target))
    if all_round(stands_of(run.start, unit)):
        run.cite("WM-VIS-6")
    if _waives(study):
        run.cite("WM-GAP-3")
    run.emit(UnitMarked(unit.id, Marks({"charged": True}), "WM-CHG-1"))
    text = f"{unit.name} charges {target.name}."
    run.happened("charge", text, "WM-CHG-1", about=target.id, outcome=True)
    return study


def _other_way(
    run: Run, spec: MoveSpec, body: Body, edge: str
) -> Generator[Ask, Answer, MoveSpec | None]:
    """Ask for the way of the first stand to the edge that the die has named, where the charge as
    it was does not go there: the die stands. None if there is no charge at that edge."""
    unit = unit_of(run.state, spec.unit)
    planned = replace(
        spec, stands=plan_charge(run.state, replace(spec, stands=()), (body.id, edge))
    )
    found = bool(planned.stands) and not _bars(run.check, planned, body, edge)
    stands = spec.stands or planned.stands
    first = run.state.bodies[stands[0].stand] if stands else who_sees(run.state, unit, body)[0]
    name = first.id
    rest = "as planned" if found else "the charge comes to nothing"
    asked = (
        f"the {edge} edge of {called(run.state, body.id)} is charged: "
        f"which way does {called(run.state, name)} go? None: {rest}"
    )
    path = yield from run.path(first.side, asked, "WM-CHG-2", name)
    if not path:
        return planned if found else None
    given = replace(
        spec,
        stands=(StandMove(stand=name, path=path), *(s for s in spec.stands if s.stand != name)),
    )
    bars = _bars(run.check, given, body, edge)
    ways = ways_of(run.state, given)
    study = ways.along(first, path, ()) if bars else None
    if study is not None:
        line = line_up(ways, study, rects_of(run.state, unit_of(run.state, spec.target or "")))
        if line is not None:
            given = replace(given, stands=line.stands)
            bars = _bars(run.check, given, body, edge)
    run.refuse(bars)
    return given


def _comes_to_nothing(run: Run, spec: MoveSpec, clause: str) -> MoveStudy:
    """Leave a unit where it is that finds no way to the edge that the die has named."""
    unit = unit_of(run.state, spec.unit)
    stay = tuple(StandMove(stand=stand.id, path=()) for stand in stands_of(run.state, unit))
    study = carry_out(run, replace(spec, stands=stay), clause)
    run.cite("WM-CHG-2")
    text = f"{unit.name} finds no way to charge that edge and stays."
    run.happened("no charge", text, "WM-CHG-3", about=unit.id, outcome=True)
    return study


def _no_charge(state: State, spec: MoveSpec, body: Body, bars: list[Finding]) -> list[Finding]:
    """Why a charge that was to be planned is refused, if the best plan is barred: the enemy is too
    far away, or no ways were found; what was tried."""
    if not bars:
        return []
    unit, target = unit_of(state, spec.unit), unit_of(state, spec.target or "")
    gap = units_apart(state, unit, target)
    pace = pace_of(state, unit, spec.kind)
    if more_than(gap, spec.allowance):
        far = f"{cm(gap, spec.allowance)} away, pace {spec.allowance:g}"
        text = f"{far}: {unit.name} cannot reach {target.name}."
        clause = "WM-CHG-1" if pace.clause == "WM-PACE-5" else pace.clause
        return [Finding(text, gap, spec.allowance, about=target.id, clause=clause)]
    attacked, seeing = attacked_edges(state, unit, body), who_sees(state, unit, body)
    edges, firsts = " or ".join(attacked), ", ".join(called(state, one.id) for one in seeing)
    why = bars[0].text
    if seeing and not spec.stands:
        # Not one pose was there to try: what lies at the middle of the edge says why.
        end = opposed(rect_of(seeing[0]), rect_of(body), attacked[0])
        there = study_of(state, replace(spec, ends=((seeing[0].id, end),))).stands[0].meetings
        names = " and ".join(dict.fromkeys(meeting.name for meeting in there))
        why = f"in the way at its middle: {names}." if names else why
    text = (
        f"No way was found for {unit.name} to charge {target.name}: tried with each stand that "
        f"sees it first ({firsts}), at the {edges} edge of {called(state, body.id)}, as near to "
        f"the centre as room and pace allow, the others beside, staggered or behind. The best is "
        f"barred: {why}"
    )
    return [Finding(text, place=bars[0].place, about=target.id, clause="WM-CHG-3")]


def _attacked(state: State, spec: MoveSpec, unit: Unit) -> list[Body]:
    """The closest visible stand of the target that can be met; of several, those that the first
    stand meets, the one nearest to centre to centre first."""
    first = study_of(state, spec).stands[0].end

    def off(body: Body) -> float:
        rect = rect_of(body)
        offsets = (offset_along(first, rect, edge) for edge in attacked_edges(state, unit, body))
        return min((abs(offset) for offset in offsets if offset is not None), default=math.inf)

    found = sorted(aims(state, spec), key=off)
    return found[:1] + [body for body in found[1:] if math.isfinite(off(body))]


def _waives(study: MoveStudy) -> bool:
    """Whether the charge goes between stands that would bar it otherwise, as they do not flyers."""
    if flies_over(study.spec, (stand.body for stand in study.stands)):
        return False

    def goes_between(stand: StandStudy) -> bool:
        sides, front = sides_near(study.state, stand), stand.start.width
        return any(narrow_places(stand, sides, front, beside_enemy, strict=False))

    return any(map(goes_between, study.stands))


def _spec(state: State, action: AnyCharge) -> MoveSpec:
    unit = unit_of(state, action.actor)
    return spec_of(state, unit, action.kind, stands=action.stands, target=action.target)


#: What goes on to orders, after which nobody acts on initiative.
_GOING_ON = (Order, EndStep, HomeBack)


def must_charge(check: Check, state: State, unit: Unit) -> Unit | None:
    """The enemy unit that troops bound to charge can and must charge; None if there is none."""
    stands = stands_of(state, unit)
    if policy_of(stands[0]) != "must_charge" or unit.has("initiative"):
        return None
    near = targets_of(state, unit)
    charges = (InitiativeCharge(actor=unit.id, target=each.unit.id) for each in near)
    charge = found_charge(check, state, charges)
    return None if charge is None else state.units[charge.target]


@BOOK.clause("WM-INIT-2", src="seed", bars=(InitiativeCharge, Evade, *_GOING_ON), at=Moment.DECLARE)
def what_the_army_list_says(
    ask: UnitContext[InitiativeCharge | Evade | Order],
) -> Iterator[Finding]:
    """Initiative is optional, but for troops that their list binds."""
    action = ask.subject
    if isinstance(action, InitiativeCharge | Evade):
        if not ask.stands:
            return
        yield from _may_answer(ask.unit, ask, charges=isinstance(action, InitiativeCharge))
        return
    if ask.run is not None:
        yield from bound_to_charge(ask.run.check, ask.state)


def bound_to_charge(check: Check, state: State) -> Iterator[Finding]:
    """That troops must charge before anything else is done (WM-INIT-2)."""
    if state.turn.phase != INITIATIVE or state.progress.get("closed") is True:
        return
    for unit in units_on_table(state):
        target = must_charge(check, state, unit) if unit.side == state.turn.active else None
        if target is not None:
            text = f"{unit.name} must charge {target.name} first."
            yield Finding(text, about=unit.id, clause="WM-INIT-2")


def _may_answer(
    unit: Unit, ask: UnitContext[InitiativeCharge | Evade | Order], *, charges: bool
) -> Iterator[Finding]:
    policy = policy_of(ask.stands[0])
    if policy == "never":
        yield Finding(f"{unit.name} never acts on initiative.", about=unit.id)
    elif policy == "no_charge" and charges:
        yield Finding(f"{unit.name} does not charge on initiative.", about=unit.id)
    elif not charges and (policy == "must_charge" or ask.stands[0].keyword("never_evades")):
        yield Finding(f"{unit.name} never evades.", about=unit.id)
