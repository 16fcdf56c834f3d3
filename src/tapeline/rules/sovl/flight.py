"""SV-FLEE: the Flight Moves at the end of the phase."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tapeline.dice import Roll
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved, Progressed, Removed
from tapeline.engine.limits import more_than, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import Flight, NextTurn
from tapeline.rules.sovl.figures import BOOK, DETOUR_MOST_DEG, DETOUR_STEP_DEG, FLIGHT_IN_PER_DIE
from tapeline.rules.sovl.footprint import (
    Footprint,
    Thing,
    contact_ahead,
    faced,
    footprint_of,
    impassable_ground,
    is_over,
    landing_reach,
    reach_of_border,
    units_near,
)
from tapeline.rules.sovl.profiles import flies, type_of
from tapeline.rules.sovl.sequence import flight_made
from tapeline.rules.sovl.state import FLIGHTS, OrderContext, flown, is_fleeing
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["do_flight"]

#: Outward bearing of each table edge, degrees.
OUTWARD = {"left": 180.0, "right": 0.0, "bottom": 270.0, "top": 90.0}


@BOOK.clause("SV-FLEE-1", src="seed", bars=(Flight, NextTurn), at=Moment.DECLARE)
def fleeing_units_run(ask: OrderContext[Flight | NextTurn]) -> Iterator[Finding]:
    """At the end of the phase every unit still fleeing makes one Flight Move, sides in turn."""
    state = ask.state
    if isinstance(ask.subject, NextTurn):
        if state.turn.phase == FLIGHTS:
            yield Finding("Fleeing units have yet to make their Flight Moves.")
        return
    actor = ask.mover
    if state.turn.phase != FLIGHTS:
        yield Finding("Flight Moves are made at the end of the Strategic Phase.", about=actor.id)
    elif not is_fleeing(actor):
        yield Finding(f"{actor.name} can make a Flight Move only while fleeing.", about=actor.id)
    elif actor.id in flown(state):
        yield Finding(f"The Flight Move of {actor.name} has been made.", 2.0, 1.0, about=actor.id)
    elif actor.side != state.turn.active:
        text = (
            f"The next Flight Move is {ask.side_name(state.turn.active)}'s, not that of "
            f"{actor.name}, {ask.side_name(actor.side)}'s."
        )
        yield Finding(text, about=actor.id)


BOOK.resolves_each("""
SV-FLEE-2 (seed) A Flight Move goes toward the nearest table edge; between equal ones the owner
    chooses.
SV-FLEE-3 (public) It is a straight line of 1D6 for every 4 of base allowance, clear of units and
    terrain.
SV-FLEE-4 (public) A unit that reaches a table edge leaves the table and is destroyed.
""")


@dataclass(frozen=True, slots=True)
class _Run:
    """A run along one bearing: its turned start pose, inches, and whether it leaves."""

    offset: int
    block: Footprint
    length: float
    leaves: bool


def flight_dice(body: Body) -> int:
    """How many dice a Flight Move of the unit has (SV-FLEE-3).

    Base allowances are 0, 8, 12 and 16 in: whole numbers of dice.
    """
    return math.floor(type_of(body).move / FLIGHT_IN_PER_DIE)


def nearest_edges(state: State, body: Body) -> list[str]:
    """The table edges nearest to the centre of a unit (SV-FLEE-2)."""
    table = state.table
    away = {
        "left": body.x,
        "right": table.width - body.x,
        "bottom": body.y,
        "top": table.depth - body.y,
    }
    least = min(away.values())
    return [edge for edge, distance in away.items() if within(distance, least)]


def _obstacles(state: State, body: Body, reach: float) -> list[Thing]:
    """Units and impassable ground that a run of that length might meet, whatever its bearing.

    Ground is no obstacle to a flyer (SV-PROP-3).
    """
    block = footprint_of(body)
    around = units_near(state, body.id, block, reach, all_round=True)
    if not flies(body):
        around.extend(impassable_ground(state.table, block, reach, all_round=True))
    return around


def _stopped_run(
    state: State,
    start: Footprint,
    bearing: float,
    distance: float,
    things: list[Thing],
    offset: int = 0,
) -> tuple[_Run | None, Thing | None]:
    """The run up to the first contact; None if it cannot even turn. And what is met.

    offset: degrees that it is turned off the bearing.
    """
    block = faced(start, bearing + offset)
    border = reach_of_border(block, state.table)
    length, stop = min(distance, border), None
    for thing in things:
        if is_over(block, thing):
            return None, thing
        met = contact_ahead(block, thing, length, False)
        if met is not None and more_than(length, met):
            length, stop = met, thing
    return _Run(offset, block, length, stop is None and within(border, distance)), stop


def _landed(state: State, way: _Run) -> tuple[_Run | None, Thing | None]:
    """A flyer's run ended before the ground on which it may not come down (SV-PROP-3), and that.

    None if there is no place for it on the way, not even where it would turn.
    """
    reach, before = landing_reach(state.table, way.block, way.length)
    return (None if reach is None else replace(way, length=reach)), before


def do_flight(run: Run, action: Flight) -> Procedure:
    """Edge, dice, bearing, then the run."""
    run.forced()
    state = run.state
    actor = state.body(action.actor)
    run.cite("SV-FLEE-1")
    edges = nearest_edges(state, actor)
    edge, dice = edges[0], flight_dice(actor)
    if len(edges) > 1 and dice:
        options = {name: f"the {name} edge" for name in edges}
        which = "which of the nearest edges to flee to"
        chosen = yield from run.pick(
            actor.side, which, "SV-FLEE-2", options, default=edge, about=actor.id
        )
        edge = str(chosen)
    run.cite("SV-FLEE-2")
    distance = 0.0
    if dice:
        purpose = f"Flight Move of {actor.name}"
        faces = yield from run.roll(
            Roll(dice, purpose, "SV-FLEE-3", actor.side, about=actor.id, reads="sum")
        )
        distance = float(sum(faces))
    run.value(edge=edge, distance=distance)
    stop: Thing | None = None
    way: _Run | None = None
    if dice:
        start, bearing = footprint_of(actor), OUTWARD[edge]
        things = _obstacles(state, actor, distance)
        if state.option("flight.avoid") == "detour":
            ways = _best_runs(state, start, bearing, distance, things)
            way = ways[0] if ways else None
            if len(ways) > 1:
                round_it = {
                    w.offset: f"{abs(w.offset)} degrees to the {side}"
                    for w, side in zip(ways, ("left", "right"), strict=True)
                }
                chosen = yield from run.pick(
                    actor.side,
                    "which way round to flee",
                    "SV-FLEE-3",
                    round_it,
                    default=ways[0].offset,
                    about=actor.id,
                )
                way = next(w for w in ways if w.offset == chosen)
        if way is None:
            way, stop = _stopped_run(state, start, bearing, distance, things)
        if flies(actor):
            run.cite("SV-PROP-3")
            if way is not None and not way.leaves:
                way, before = _landed(state, way)
                stop = before or stop
    run.cite("SV-FLEE-3")
    if way is not None:
        _flee(run, actor, way, stop)
    elif stop is not None:
        run.value(moved=0.0)
        text = f"{actor.name} cannot turn for {stop.name} and must stay."
        run.happened("flight blocked", text, "SV-FLEE-3", about=stop.id, outcome=True)
    else:
        run.value(moved=0.0)
    run.emit(Progressed(Marks({"flown": (*flown(run.state), actor.id)}), "SV-FLEE-1"))
    flight_made(run)


def _best_runs(
    state: State, start: Footprint, bearing: float, distance: float, things: list[Thing]
) -> list[_Run]:
    """The clear run or runs with the least offset from the bearing, counter-clockwise first."""
    for offset in range(0, DETOUR_MOST_DEG + 1, DETOUR_STEP_DEG):
        found = []
        for signed in (offset, -offset) if offset else (0,):
            way, stop = _stopped_run(state, start, bearing, distance, things, signed)
            if way is not None and stop is None:
                found.append(way)
        if found:
            return found
    return []


def _flee(run: Run, actor: Body, way: _Run, stop: Thing | None) -> None:
    x, y = way.block.centre_after(way.length)
    facing = way.block.facing
    by = math.remainder(facing - actor.facing, 360.0)
    legs = (Leg(by=by),) if by else ()
    if way.length > 0.0:
        legs = (*legs, Leg(to=(x, y)))
    if legs:
        run.emit(Moved(actor.id, x, y, actor.z, facing, legs, "SV-FLEE-3"))
    run.pay("flight", way.length, 0.0, 0.0, "SV-FLEE-3")
    run.value(moved=way.length, offset=way.offset)
    if way.leaves:
        run.emit(Removed(actor.id, "fled from the table", "SV-FLEE-4"))
        text = f"{actor.name} reached the edge of the table: destroyed."
        run.happened("left the table", text, "SV-FLEE-4", about=actor.id, outcome=True)
    elif stop is not None:
        text = f"{actor.name} fled {way.length:.3f} in and halted at {stop.name}."
        run.happened("flight stopped", text, "SV-FLEE-3", about=stop.id, outcome=True)
    else:
        text = f"{actor.name} fled {way.length:.3f} in and stayed on the table."
        run.happened("still on the table", text, "SV-FLEE-3", about=actor.id, outcome=True)
