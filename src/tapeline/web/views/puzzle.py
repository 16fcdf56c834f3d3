"""The puzzle of a match as the page shows it; what it comes to the engine says."""

from __future__ import annotations

from tapeline.play.match import Match
from tapeline.play.puzzles import outcome, puzzle_of
from tapeline.web.documents.match import Puzzle, PuzzlePart

__all__ = ["puzzle_view"]


def puzzle_view(match: Match) -> Puzzle | None:
    """The puzzle of a match and how far it has come; None of a match that has none."""
    puzzle = puzzle_of(match.scene)
    if puzzle is None:
        return None
    found = outcome(match)
    parts = [PuzzlePart(words=p.words, met=p.met, why=p.why) for p in found.parts]
    count = len(puzzle.goals)
    return Puzzle(
        task=puzzle.task,
        level=puzzle.level,
        hint=puzzle.hint,
        die=puzzle.die,
        goals=parts[:count],
        always=parts[count:],
        moves=found.moves,
        most=puzzle.moves,
        solved=found.solved,
        lost=found.lost,
        steps=len(puzzle.solution),
    )
