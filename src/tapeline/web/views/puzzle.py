"""The puzzle or the lesson of a match as the page shows it; what it comes to the engine says."""

from __future__ import annotations

from tapeline.play.match import Match
from tapeline.play.puzzles import lesson_of, outcome, puzzle_of, steps_done
from tapeline.web.documents.match import Lesson, LessonStep, Puzzle, PuzzlePart, PuzzleStep

__all__ = ["lesson_view", "puzzle_view", "solution_view"]


def puzzle_view(match: Match) -> Puzzle | None:
    """The puzzle of a match and how far it has come; None of a match that has none."""
    puzzle = puzzle_of(match.scene)
    if puzzle is None:
        return None
    found = outcome(match)
    parts = [*map(PuzzlePart.of, found.parts)]
    count = len(puzzle.goals)
    return Puzzle.of(
        puzzle,
        goals=parts[:count],
        always=parts[count:],
        moves=found.moves,
        most=puzzle.moves,
        solved=found.solved,
        lost=found.lost,
        steps=len(puzzle.solution),
    )


def lesson_view(match: Match) -> Lesson | None:
    """The lesson of a match and how many of its steps are over; None of a match that has none."""
    lesson = lesson_of(match.scene)
    if lesson is None:
        return None
    return Lesson.of(lesson, steps=[*map(LessonStep.of, lesson.steps)], done=steps_done(match))


def solution_view(match: Match) -> list[PuzzleStep]:
    """What solves the puzzle of a match, or does the step at which its lesson is; else nothing."""
    puzzle, lesson = puzzle_of(match.scene), lesson_of(match.scene)
    steps = [] if puzzle is None else puzzle.solution
    if lesson is not None and steps_done(match) < len(lesson.steps):
        steps = lesson.steps[steps_done(match)].solution
    return [*map(PuzzleStep.of, steps)]
