"""Puzzles and lessons: what a scene asks of one side, and how far a match has come with it.

Nothing is judged here: moves are the referee's, sight the system's, distances those of the tape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tapeline.dice import DiceSource, Roll
from tapeline.engine.events import Answered, Moved, Rolled
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.play.battle import Battle
from tapeline.play.conditions import Part, part
from tapeline.play.entries import Entry
from tapeline.play.match import Match
from tapeline.table.json_documents import validate
from tapeline.table.puzzle import LessonDoc, LessonStepDoc, PuzzleDoc, PuzzleStepDoc

__all__ = [
    "Attempt",
    "EvenDice",
    "lesson_of",
    "outcome",
    "play_steps",
    "puzzle_of",
    "solve",
    "steps_done",
    "unsolved",
]


@dataclass(frozen=True, slots=True)
class EvenDice:
    """Dice that all show one face, or their highest where they have fewer."""

    face: int

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """The faces."""
        return (min(self.face, roll.sides),) * roll.count


@dataclass(frozen=True, slots=True)
class Attempt:
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


def outcome(match: Match) -> Attempt:
    """How far a match has come with the puzzle of its scene. Raises DocumentError without one."""
    puzzle = _puzzle(match)
    system, start = match.battle.system, match.battles[0].state
    moves, lost = 0, ""
    parts = _parts(system, start, puzzle)
    for number in match.counting():
        entry = match.entries[number - 1]
        before, battle = match.battles[number - 1], match.battles[number]
        moves += _moves(before.state, entry, puzzle.side)
        lost = _unfair(before, entry, puzzle)
        if lost:
            break
        if battle.pending is not None:
            continue
        parts = _parts(system, battle.state, puzzle)
        lost = _broken(puzzle, parts, moves)
        if lost:
            break
        if all(part.met for part in parts):
            return Attempt(True, "", moves, parts, number)
        turn = battle.state.turn
        if puzzle.turn and (turn.round, turn.active) != (start.turn.round, start.turn.active):
            lost = "The turn is over."
            break
    return Attempt(False, lost, moves, parts)


def _moves(state: State, entry: Entry, side: str) -> bool:
    """Whether a model of the side moved in an entry."""
    moved = (event.body for event in entry.events if isinstance(event, Moved))
    return any(body in state.bodies and state.bodies[body].side == side for body in moved)


def _unfair(before: Battle, entry: Entry, puzzle: PuzzleDoc) -> str:
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
        if holder is not None and holder.side != puzzle.side:
            return "The other side has acted."
    rolled = [event for event in entry.events if isinstance(event, Rolled)]
    if any(event.faces != EvenDice(puzzle.die).roll(event.roll) for event in rolled):
        return f"Dice were thrown; here every die shows {puzzle.die}."
    chosen = [event for event in entry.events if isinstance(event, Answered)]
    if any(e.choice.by != puzzle.side and e.value != e.choice.default for e in chosen):
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
    play_steps(match, puzzle.solution, EvenDice(puzzle.die), "puzzle.solution")
    return match


def play_steps(match: Match, steps: Sequence[PuzzleStepDoc], dice: DiceSource, where: str) -> None:
    """Play steps on a match. Raises DocumentError where the referee refuses one of them, or it
    leaves a question open; `where` is the path of the list."""
    for index, step in enumerate(steps):
        path = f"{where}[{index}]"
        try:
            after = match.do(step.action, dice=dice, answers=step.answers)
        except DocumentError as error:
            raise DocumentError("steps", error.faults_at(f"{path}.action")) from None
        verdict = after.last
        if verdict is None or not verdict.legal:
            why = "; ".join(f"{f.text} ({f.clause})" for f in verdict.findings) if verdict else ""
            raise DocumentError("steps", [Fault(path, f"is refused: {why}")])
        if after.pending is not None:
            asked = after.pending.ask.purpose
            raise DocumentError("steps", [Fault(path, f"leaves a question open: {asked}")])


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


def _parts(system: System, state: State, puzzle: PuzzleDoc) -> tuple[Part, ...]:
    conditions = (*puzzle.goals, *puzzle.always)
    return tuple(part(system, state, condition) for condition in conditions)


def lesson_of(scene: Mapping[str, Any]) -> LessonDoc | None:
    """The lesson of a scene document, None if it is none. Raises DocumentError."""
    found = scene.get("lesson")
    return None if found is None else validate(LessonDoc, found, "lesson")


def steps_done(match: Match) -> int:
    """How many steps of its lesson are over; each must be done after the one before it."""
    lesson = lesson_of(match.scene)
    steps = [] if lesson is None else lesson.steps
    at, acted = 0, False
    for number in match.counting():
        entry, battle = match.entries[number - 1], match.battles[number]
        acted = acted or (at < len(steps) and _acts(entry, steps[at]))
        while at < len(steps) and battle.pending is None and _over(battle, steps[at], acted):
            at, acted = at + 1, False
    return at


def _acts(entry: Entry, step: LessonStepDoc) -> bool:
    action = entry.action or {}
    return action.get("kind") == step.done and (not step.who or action.get("actor") in step.who)


def _over(battle: Battle, step: LessonStepDoc, acted: bool) -> bool:
    system: System = battle.system
    done = acted or not step.done
    return done and all(part(system, battle.state, one).met for one in step.until)
