"""Puzzles: what a scene asks of one side, and how far a match has come with it.

Nothing is judged here: moves are the referee's, sight the system's, distances those of the tape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tapeline.dice import Roll
from tapeline.engine.bases import base_gap
from tapeline.engine.events import Answered, Moved
from tapeline.engine.limits import closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.errors import DocumentError, Fault
from tapeline.play.battle import Battle
from tapeline.play.entries import Entry
from tapeline.play.match import Match
from tapeline.table.bodies import Body
from tapeline.table.marks import freeze
from tapeline.table.puzzle import Apart, Condition, Gone, Inside, Marked, PuzzleDoc, Sight, Touch
from tapeline.table.scene import validate
from tapeline.table.zones import lies_in

__all__ = ["EvenDice", "Outcome", "Part", "outcome", "puzzle_of", "solve", "unsolved"]

#: What is looked at of a condition: whether it holds, and what stands in its way.
_Looked: TypeAlias = "tuple[bool, str]"


@dataclass(frozen=True, slots=True)
class EvenDice:
    """Dice that all show one face, or their highest where they have fewer."""

    face: int

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """The faces."""
        return (min(self.face, roll.sides),) * roll.count


@dataclass(frozen=True, slots=True)
class Part:
    """One condition. words: what is wanted; met: whether it is; why: what is amiss, or ""."""

    words: str
    met: bool
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a match has come with its puzzle.

    solved: at entry `at`, all goals held and nothing was broken. lost: why it can no longer be
    solved without taking back; "" if it can. moves: made so far. parts: its goals as they stand,
    then what must hold all the time.
    """

    solved: bool
    lost: str
    moves: int
    parts: tuple[Part, ...]
    at: int = 0


def puzzle_of(scene: Mapping[str, Any]) -> PuzzleDoc | None:
    """The puzzle of a scene document, None if it is no puzzle. Raises DocumentError."""
    found = scene.get("puzzle")
    return None if found is None else validate(PuzzleDoc, found, "puzzle")


def outcome(match: Match) -> Outcome:
    """How far a match has come with the puzzle of its scene. Raises DocumentError without one."""
    puzzle = _puzzle(match)
    system, start = match.battle.system, match.battles[0].state
    moves, lost = 0, ""
    parts = _parts(system, start, puzzle)
    for number in match.counting():
        entry = match.entries[number - 1]
        before, battle = match.battles[number - 1], match.battles[number]
        moves += _moves(before.state, entry, puzzle.side)
        lost = _unfair(before, entry, puzzle.side)
        if lost:
            break
        if battle.pending is not None:
            continue
        parts = _parts(system, battle.state, puzzle)
        lost = _broken(puzzle, parts, moves)
        if lost:
            break
        if all(part.met for part in parts):
            return Outcome(True, "", moves, parts, number)
        turn = battle.state.turn
        if puzzle.turn and (turn.round, turn.active) != (start.turn.round, start.turn.active):
            lost = "The turn is over."
            break
    return Outcome(False, lost, moves, parts)


def _moves(state: State, entry: Entry, side: str) -> bool:
    """Whether a model of the side moved in an entry."""
    moved = (event.body for event in entry.events if isinstance(event, Moved))
    return any(body in state.bodies and state.bodies[body].side == side for body in moved)


def _unfair(before: Battle, entry: Entry, side: str) -> str:
    """Why an entry is no part of solving: it did what a player could not have the other side,
    the dice or the table do; "" if it is."""
    if entry.what == "override":
        return "The table was changed by hand."
    if entry.action is not None:
        action = before.action(dict(entry.action))
        if action.claims:
            return "A result was told that nobody rolled for."
        state, actor = before.state, getattr(action, "actor", None)
        holder = state.bodies.get(str(actor)) or state.units.get(str(actor))
        if holder is not None and holder.side != side:
            return "The other side has acted."
    for event in entry.events:
        if isinstance(event, Answered) and event.choice.by != side:
            if event.value != event.choice.default:
                return "The other side has chosen otherwise than it would."
    return ""


def _broken(puzzle: PuzzleDoc, parts: tuple[Part, ...], moves: int) -> str:
    """Which limit of the puzzle no longer holds, "" if all do."""
    if puzzle.moves is not None and moves > puzzle.moves:
        return f"That was move {moves}, and there may be {puzzle.moves}."
    always = parts[len(puzzle.goals) :]
    return next((f"{part.words}: {part.why}." for part in always if not part.met), "")


def _puzzle(match: Match) -> PuzzleDoc:
    puzzle = puzzle_of(match.scene)
    if puzzle is None:
        raise DocumentError("scene", [Fault("puzzle", "is missing: this scene is no puzzle")])
    return puzzle


def solve(scene: dict[str, Any]) -> Match:
    """The match in which the solution of a puzzle is played.

    Raises DocumentError where the referee refuses one of its steps, or it asks for more answers.
    """
    match = Match.start(scene)
    puzzle = _puzzle(match)
    for index, step in enumerate(puzzle.solution):
        where = f"puzzle.solution[{index}]"
        try:
            after = match.do(step.action, dice=EvenDice(puzzle.die), answers=step.answers)
        except DocumentError as error:
            raise DocumentError("puzzle", error.faults_at(f"{where}.action")) from None
        verdict = after.last
        if verdict is None or not verdict.legal:
            why = "; ".join(f"{f.text} ({f.clause})" for f in verdict.findings) if verdict else ""
            raise DocumentError("puzzle", [Fault(where, f"is refused: {why}")])
        if after.pending is not None:
            asked = after.pending.ask.purpose
            raise DocumentError("puzzle", [Fault(where, f"leaves a question open: {asked}")])
    return match


def unsolved(scene: dict[str, Any]) -> list[Fault]:
    """What keeps a scene from being a puzzle that its own solution solves, and nothing else does
    already. Raises DocumentError for a scene that cannot be played."""
    start = Match.start(scene)
    puzzle = _puzzle(start)
    before = outcome(start)
    faults = []
    if all(part.met for part in before.parts):
        faults.append(Fault("puzzle.goals", "all hold before anything is done"))
    always = before.parts[len(puzzle.goals) :]
    faults += [Fault("puzzle.always", f"{p.words}: {p.why}") for p in always if not p.met]
    if not puzzle.solution:
        return [*faults, Fault("puzzle.solution", "is missing")]
    try:
        done = outcome(solve(scene))
    except DocumentError as error:
        return [*faults, *error.faults]
    if not done.solved:
        why = done.lost or "; ".join(f"{p.words}: {p.why}" for p in done.parts if not p.met)
        faults.append(Fault("puzzle.solution", f"does not solve it: {why}"))
    return faults


# What conditions come to


def _parts(system: System, state: State, puzzle: PuzzleDoc) -> tuple[Part, ...]:
    conditions = (*puzzle.goals, *puzzle.always)
    return tuple(_part(system, state, condition) for condition in conditions)


def _part(system: System, state: State, condition: Condition) -> Part:
    met, why = _looked(system, state, condition)
    return Part(_words(state, condition), met, "" if met else why)


def _looked(system: System, state: State, condition: Condition) -> _Looked:
    if isinstance(condition, Gone):
        left = [name for name in condition.who if _bodies(state, name)]
        return not left, f"{_names(state, left)} still on the table"
    for one in condition.who:
        if not _bodies(state, one):
            return False, f"{_name(state, one)} has left the table"
    if isinstance(condition, Inside):
        return _inside(state, condition)
    if isinstance(condition, Marked):
        return _marked(state, condition)
    others = condition.by if isinstance(condition, Sight) else condition.of
    for one in condition.who:
        for other in others:
            found = _between(system, state, condition, one, other)
            if found:
                return False, found
    return True, ""


def _inside(state: State, condition: Inside) -> _Looked:
    zone = next(zone for zone in state.table.zones if zone.id == condition.zone)
    for one in condition.who:
        if not all(lies_in(zone, body) for body in _bodies(state, one)):
            return False, f"{_name(state, one)} is not wholly within it"
        if any(closer_than(body.z, condition.height) for body in _bodies(state, one)):
            return False, f"{_name(state, one)} stands too low"
    return True, ""


def _marked(state: State, condition: Marked) -> _Looked:
    for one in condition.who:
        marks = state.units[one].marks if one in state.units else state.bodies[one].marks
        for key, value in condition.state.items():
            wanted = freeze(value) or None
            if (marks.get(key) or None) != wanted:
                return False, f"{_name(state, one)} is not yet so"
    return True, ""


def _between(
    system: System, state: State, condition: Apart | Touch | Sight, one: str, other: str
) -> str:
    """Why a condition does not hold between two, "" if it does. Of units the nearest count."""
    ones, others = _bodies(state, one), _bodies(state, other)
    if not others:
        return f"{_name(state, other)} has left the table" if condition.want != "unseen" else ""
    names = _name(state, one), _name(state, other)
    if isinstance(condition, Sight):
        assert system.sees is not None
        seen = next((s for b in others for a in ones if (s := system.sees(state, b, a)).sees), None)
        if condition.want == "seen":
            return "" if seen else f"{names[1]} does not see {names[0]}"
        return seen.words.rstrip(".") if seen else ""
    gap = min(base_gap(a, b) for a in ones for b in others)
    if isinstance(condition, Touch):
        return "" if within(gap, 0.0) else f"{names[0]} does not touch {names[1]}"
    holds = within if condition.want == "within" else more_than
    if holds(gap, condition.distance):
        return ""
    if system.may_measure(state, Question("tape", ones[0].id)):
        return f"{names[0]} is too {'far' if condition.want == 'within' else 'near'}"
    return f"{names[0]} is {gap + 0.0:.2f} {state.table.unit} from {names[1]}"


def _bodies(state: State, name: str) -> list[Body]:
    """Those on the table of a model or a unit."""
    members = state.units[name].members if name in state.units else (name,)
    return [state.bodies[one] for one in members if one in state.bodies]


def _words(state: State, condition: Condition) -> str:
    """What a condition wants, as the beginning of a sentence."""
    who = _names(state, condition.who)
    are = "is" if len(condition.who) == 1 else "are"
    if isinstance(condition, Apart):
        how = "within" if condition.want == "within" else "more than"
        link = "of" if condition.want == "within" else "from"
        length = f"{condition.distance:g} {state.table.unit}"
        return f"{who} {are} {how} {length} {link} {_names(state, condition.of)}"
    if isinstance(condition, Touch):
        touch = "touches" if len(condition.who) == 1 else "touch"
        return f"{who} {touch} {_names(state, condition.of)}"
    if isinstance(condition, Inside):
        zone = next(zone for zone in state.table.zones if zone.id == condition.zone)
        height = condition.height
        up = f", {height:g} {state.table.unit} up or higher" if height else ""
        return f"{who} {are} wholly within {zone.name}{up}"
    if isinstance(condition, Sight):
        seen = "seen" if condition.want == "seen" else "not seen"
        return f"{who} {are} {seen} by {_names(state, condition.by)}"
    if isinstance(condition, Marked):
        said = [_state_words(key, value) for key, value in condition.state.items()]
        return f"{who}: {', '.join(said)}"
    return f"{who} {'has' if len(condition.who) == 1 else 'have'} left the table"


def _state_words(key: str, value: object) -> str:
    word = key.replace("_", " ")
    if value is True:
        return word
    if value in (None, False):
        return f"not {word}"
    return f"{word} {value}"


def _names(state: State, ids: list[str]) -> str:
    names = [_name(state, one) for one in ids]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _name(state: State, one: str) -> str:
    holder = state.units.get(one) or state.bodies.get(one) or state.gone[one]
    return holder.name
