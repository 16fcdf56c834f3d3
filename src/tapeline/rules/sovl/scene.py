"""What is wrong with a scene under these rules, and what a state means in words."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.faults import at_body
from tapeline.engine.limits import same, sunk
from tapeline.engine.state import State
from tapeline.engine.system import Activity
from tapeline.errors import Fault
from tapeline.rules.sovl.footprint import footprint_of, impassable_ground, overlap
from tapeline.rules.sovl.profiles import KEYWORDS, TYPES, WEAPONS, move_of_type
from tapeline.rules.sovl.state import (
    DONE,
    FLIGHTS,
    ROLL_OFF,
    STRATEGIC,
    active_unit,
    allowance,
    flown,
    is_fleeing,
    may_be_activated,
    passed,
    pending_flights,
)
from tapeline.table.bodies import Body, Rectangle
from tapeline.wording import counted

__all__ = ["acting", "activity", "faults", "status"]

_FIGURES = ("move", "skill", "power", "defense", "attacks", "wounds", "discipline")


def faults(state: State) -> list[Fault]:
    """Every fault of a scene that the shape of the document does not show."""
    found: list[Fault] = []
    if len(state.sides) != 2:
        found.append(Fault("sides", f"SOVL is played by two sides; got {len(state.sides)}"))
    if state.units:
        found.append(Fault("units", "units of SOVL have models and files, not members"))
    for body in state.bodies.values():
        found.extend(_body_faults(state, body, at_body(body)))
    found.extend(_progress_faults(state))
    return found


def _body_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    if not isinstance(body.base, Rectangle):
        yield Fault(f"{where}.base", "must be a rectangle; got a round base")
        return
    if not same(body.z, 0.0):
        yield Fault(f"{where}.z", f"must be 0, the table is flat; got {body.z:g}")
    yield from _profile_faults(body, f"{where}.profile")
    block = footprint_of(body)
    for thing in impassable_ground(state.table, block, 0.0):
        clash = overlap(block, thing)
        if clash is not None and sunk(clash[0]):
            message = f"{body.id!r} overlaps {thing.id!r}, which is impassable, by {clash[0]:.4g}"
            yield Fault(f"{where}.position", message)


def _profile_faults(body: Body, where: str) -> Iterator[Fault]:
    stats = body.stats
    for name in _FIGURES:
        if name not in stats:
            yield Fault(f"{where}.{name}", "is missing")
        elif body.stat(name, -1.0) < 0.0:
            yield Fault(f"{where}.{name}", f"must be 0 or more; got {stats[name]!r}")
        elif name != "move" and body.stat(name) != int(body.stat(name)):
            yield Fault(f"{where}.{name}", f"must be a whole number; got {stats[name]!r}")
    files = body.stat("files", 1.0)
    if files < 1.0 or files != int(files):
        yield Fault(f"{where}.files", f"must be a whole number, 1 or more; got {files:g}")
    weapon = stats.get("weapon", "")
    if weapon and weapon not in WEAPONS:
        allowed = ", ".join(WEAPONS)
        yield Fault(f"{where}.weapon", f"must be one of {allowed}; got {weapon!r}")
    for name in ("keywords", "abilities"):
        words = stats.get(name, ())
        if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
            yield Fault(f"{where}.{name}", f"must be a list of words; got {words!r}")
            return
    for word in stats.get("keywords", ()):  # type: ignore[union-attr]
        if word not in KEYWORDS:
            allowed = ", ".join(KEYWORDS)
            yield Fault(f"{where}.keywords", f"must be among {allowed}; got {word!r}")
    kind = stats.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        allowed = ", ".join(TYPES)
        yield Fault(f"{where}.type", f"must be one of {allowed}; got {kind!r}")
        return
    keywords = [word for word in stats.get("keywords", ()) if isinstance(word, str)]  # type: ignore[union-attr]
    move = move_of_type(TYPES[kind], keywords)
    if "move" in stats and not same(body.stat("move"), move):
        given = " and ".join([kind, *keywords])
        message = f"must be {move:g}, from {given}; got {body.stat('move'):g}"
        yield Fault(f"{where}.move", message)
    wounds = body.stat("wounds")
    if "wounds" in stats and wounds < 1:
        yield Fault(f"{where}.wounds", f"must be 1 or more; got {wounds:g}")
    carried = body.marks.whole("wounds")
    if not 0 <= carried < max(1.0, wounds):
        message = f"must be from 0 to {wounds - 1:g}, or a model is lost; got {carried}"
        yield Fault(where.replace(".profile", ".state.wounds"), message)


def _progress_faults(state: State) -> Iterator[Fault]:
    progress = state.progress
    where = "turn.progress"
    ids = {*state.bodies, *state.gone}
    contacts = progress.get("contacts", ())
    for pair in contacts if isinstance(contacts, tuple) else ():
        if not isinstance(pair, tuple) or len(pair) != 2 or not ids.issuperset(pair):
            yield Fault(f"{where}.contacts", f"must be pairs of ids; got {pair!r}")
        elif pair[0] == pair[1]:
            yield Fault(f"{where}.contacts", f"{pair[0]!r} cannot be in contact with itself")
    here = state.turn.active
    if state.turn.phase == STRATEGIC and here in passed(state):
        yield Fault(f"{where}.passed", f"{here!r} is the side to act, so it has not passed")
    if state.turn.phase != FLIGHTS and flown(state):
        yield Fault(f"{where}.flown", "Flight Moves are made in the phase flights alone")
    unit = progress.get("unit")
    if isinstance(unit, str):
        if state.turn.phase != STRATEGIC:
            yield Fault(f"{where}.unit", "no unit is active outside the strategic phase")
        if unit in state.gone:
            yield Fault(f"{where}.unit", f"{unit!r} has left the table")
        elif unit in state.bodies and state.bodies[unit].side != here:
            yield Fault(f"{where}.unit", f"{unit!r} is not of the active side")
        elif "allowance" not in progress:
            yield Fault(f"{where}.allowance", "is missing: what the active unit has left, inches")
    else:
        for name in ("allowance", "lost", "orders", "shot", "slots"):
            if name in progress:
                yield Fault(f"{where}.{name}", "needs unit, the id of the active unit")
    if state.turn.phase == FLIGHTS and not pending_flights(state, here):
        yield Fault("turn.phase", f"{here} has no Flight Move to make")


def acting(state: State) -> tuple[str, ...]:
    """The sides that may act: both where the phase is over or has not begun."""
    if state.turn.phase in (ROLL_OFF, DONE):
        return tuple(side.id for side in state.sides)
    return (state.turn.active,)


def activity(state: State) -> Activity:
    """The unit that is active, and those of the side that may still be activated."""
    unit = active_unit(state)
    mine = (body for body in state.bodies.values() if body.side == state.turn.active)
    if state.turn.phase == FLIGHTS:
        return Activity(tuple(body.id for body in pending_flights(state, state.turn.active)))
    left = () if state.turn.phase != STRATEGIC else tuple(b.id for b in mine if may_be_activated(b))
    return Activity(() if unit is None else (unit,), left, "have not been activated")


def status(state: State) -> list[str]:
    """Where the game is and who must act, in a few lines."""
    turn = state.turn
    names = {side.id: side.name for side in state.sides}
    who = names.get(turn.active, turn.active)
    lines = [f"Turn {turn.round}, {_PHASE_WORDS[turn.phase]}."]
    if turn.phase == ROLL_OFF:
        lines.append("Both sides roll for the first initiative.")
    elif turn.phase == FLIGHTS:
        fleeing = ", ".join(body.id for body in pending_flights(state, turn.active))
        lines.append(f"{who} must make a Flight Move: {fleeing}.")
    elif turn.phase == STRATEGIC:
        unit = active_unit(state)
        if unit is None:
            mine = (body for body in state.bodies.values() if body.side == turn.active)
            left = counted(sum(may_be_activated(body) for body in mine), "unit")
            lines.append(f"Next to activate: {who}, {left} left.")
        elif unit in state.bodies and is_fleeing(state.bodies[unit]):
            lines.append(f"Active for {who}: {unit}, which flees: Rally.")
        else:
            lines.append(f"Active for {who}: {unit}, {allowance(state):.3f} in of allowance left.")
    for side in state.sides:
        bodies = [body for body in state.bodies.values() if body.side == side.id]
        fleeing_count = sum(is_fleeing(body) for body in bodies)
        lines.append(f"{side.name}: {counted(len(bodies), 'unit')}, {fleeing_count} fleeing.")
    return lines


_PHASE_WORDS = {
    STRATEGIC: "Strategic Phase",
    FLIGHTS: "Flight Moves at the end of the Strategic Phase",
    DONE: "Strategic Phase over, the Combat Phase is outside these rules",
    ROLL_OFF: "before the game",
}
