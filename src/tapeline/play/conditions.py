"""What conditions of puzzles and lessons come to in a state, in words.

Nothing is judged here: sight is the system's, distances are those of the tape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tapeline.analysis.threat import threat_of
from tapeline.engine.bases import base_gap
from tapeline.engine.limits import closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.errors import MeasuringError, UnknownIdError
from tapeline.table.marks import freeze
from tapeline.table.puzzle import (
    ApartDoc,
    ConditionDoc,
    GoneDoc,
    InsideDoc,
    SafeDoc,
    SightDoc,
    StateDoc,
    TouchDoc,
)
from tapeline.table.zones import lies_in
from tapeline.wording import listed

__all__ = ["Part", "part"]

#: What is looked at of a condition: whether it holds, and what stands in its way.
_Looked: TypeAlias = "tuple[bool, str]"


@dataclass(frozen=True, slots=True)
class Part:
    """One condition. words: what is wanted; met: whether it is; why: what is amiss, or ""."""

    words: str
    met: bool
    why: str


def part(system: System, state: State, condition: ConditionDoc) -> Part:
    """A condition as it stands in a state."""
    met, why = _looked(system, state, condition)
    return Part(_words(state, condition), met, "" if met else why)


def _looked(system: System, state: State, condition: ConditionDoc) -> _Looked:
    if isinstance(condition, GoneDoc):
        left = [name for name in condition.who if state.bodies_of(name)]
        return not left, f"still on the table: {_names(state, left)}"
    for one in condition.who:
        if not state.bodies_of(one):
            return False, f"no longer on the table: {state.name_of(one)}"
    if isinstance(condition, InsideDoc):
        return _inside(state, condition)
    if isinstance(condition, StateDoc):
        return _marked(state, condition)
    if isinstance(condition, SafeDoc):
        return _safe(system, state, condition)
    others = condition.by if isinstance(condition, SightDoc) else condition.of
    for one in condition.who:
        for other in others:
            found = _between(system, state, condition, one, other)
            if found:
                return False, found
    return True, ""


def _inside(state: State, condition: InsideDoc) -> _Looked:
    zone = next(zone for zone in state.table.zones if zone.id == condition.zone)
    for one in condition.who:
        if not all(lies_in(zone, body) for body in state.bodies_of(one)):
            return False, f"not wholly: {state.name_of(one)}"
        if any(closer_than(body.z, condition.height) for body in state.bodies_of(one)):
            return False, f"too low: {state.name_of(one)}"
    return True, ""


def _marked(state: State, condition: StateDoc) -> _Looked:
    for one in condition.who:
        marks = state.units[one].marks if one in state.units else state.bodies[one].marks
        for key, value in condition.state.items():
            wanted = freeze(value) or None
            if (marks.get(key) or None) != wanted:
                return False, f"not yet: {state.name_of(one)}"
    return True, ""


def _safe(system: System, state: State, condition: SafeDoc) -> _Looked:
    for one in condition.who:
        for by in condition.by:
            if not state.bodies_of(by):
                continue
            try:
                danger = threat_of(system, state, by, one).here()
            except MeasuringError:
                return False, "nobody may know yet"
            except UnknownIdError as error:
                return False, str(error)
            names = f"{state.name_of(by)} could strike {state.name_of(one)}"
            if danger.worst:
                return False, f"{names}: {float(danger.worst):.0%}"
            if any(strike.untold for strike in danger.strikes):
                return False, f"nobody may know yet whether {names}"
    return True, ""


def _between(
    system: System, state: State, condition: ApartDoc | TouchDoc | SightDoc, one: str, other: str
) -> str:
    """Why a condition does not hold between two, "" if it does. Of units the nearest count."""
    ones, others = state.bodies_of(one), state.bodies_of(other)
    if not others:
        gone = f"no longer on the table: {state.name_of(other)}"
        return gone if condition.kind != "unseen" else ""
    names = state.name_of(one), state.name_of(other)
    if isinstance(condition, SightDoc):
        assert system.sees is not None
        seen = next((s for b in others for a in ones if (s := system.sees(state, b, a)).sees), None)
        if condition.kind == "seen":
            return "" if seen else f"{names[1]} cannot see {names[0]}"
        return seen.words.rstrip(".") if seen else ""
    gap = min(base_gap(a, b) for a in ones for b in others)
    if isinstance(condition, TouchDoc):
        return "" if within(gap, 0.0) else f"{names[0]} and {names[1]} do not touch"
    holds = within if condition.kind == "within" else more_than
    if holds(gap, condition.distance):
        return ""
    if system.may_measure(state, Question("tape", ones[0].id)):
        how = "far apart" if condition.kind == "within" else "near"
        return f"{names[0]} and {names[1]} are too {how}"
    return f"{names[0]} and {names[1]} are {gap:.2f} {state.table.unit} apart"


def _words(state: State, condition: ConditionDoc) -> str:
    """What a condition wants."""
    who = f"{_names(state, condition.who)}:"
    if isinstance(condition, ApartDoc):
        how = "within {} of" if condition.kind == "within" else "more than {} from"
        length = f"{condition.distance:g} {state.table.unit}"
        return f"{who} {how.format(length)} {_names(state, condition.of)}"
    if isinstance(condition, TouchDoc):
        return f"{who} in contact with {_names(state, condition.of)}"
    if isinstance(condition, InsideDoc):
        zone = next(zone for zone in state.table.zones if zone.id == condition.zone)
        height = condition.height
        up = f", {height:g} {state.table.unit} up or higher" if height else ""
        return f"{who} wholly within {zone.name}{up}"
    if isinstance(condition, SightDoc):
        seen = "seen" if condition.kind == "seen" else "not seen"
        return f"{who} {seen} by {_names(state, condition.by)}"
    if isinstance(condition, SafeDoc):
        return f"{who} out of the reach of {_names(state, condition.by)}"
    if isinstance(condition, StateDoc):
        said = [_state_words(key, value) for key, value in condition.state.items()]
        return f"{who} {', '.join(said)}"
    return f"{who} off the table"


def _state_words(key: str, value: object) -> str:
    word = key.replace("_", " ")
    if value is True:
        return word
    if value in (None, False):
        return f"not {word}"
    return f"{word} {value}"


def _names(state: State, ids: list[str]) -> str:
    return listed([state.name_of(one) for one in ids])
