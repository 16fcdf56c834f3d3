"""Hints, puzzles and lessons as the page shows them; what they are opponent and engine say."""

from __future__ import annotations

from tapeline.engine.codec import action_document
from tapeline.engine.system import Question
from tapeline.errors import MeasuringError
from tapeline.opponent import Opponent
from tapeline.opponent.player import Suggestion
from tapeline.play.battle import Battle
from tapeline.play.match import Match
from tapeline.play.puzzles import lesson_of, outcome, puzzle_of, steps_done
from tapeline.web.documents import asked as documents
from tapeline.web.documents.match import Lesson, LessonStep, Puzzle, PuzzlePart, PuzzleStep
from tapeline.web.views.asked import odds_view
from tapeline.web.views.log import action_title
from tapeline.web.views.verdicts import verdict_of

__all__ = ["hints_view", "lesson_view", "puzzle_view", "solution_view"]


#: Hints that are given, actions that are looked through for them, and what is said of each.
_HINTS, _MOST, _REASONS, _CHANCES = 3, 12, 3, 3
#: Points that a reason must count for.
_SMALL = 0.005
#: Parts of what a position is worth, in words: what is gained and what is lost by more of them.
_WORDS = {
    "points": ("scores", "lets the enemy score"),
    "the end": ("wins the game", "loses the game"),
    "figures": ("costs the enemy figures", "costs own figures"),
    "threats": ("threatens more", "is threatened more"),
    "contact": ("comes to blows", "comes to blows at a loss"),
}


def hints_view(battle: Battle, side: str, seed: str) -> documents.Hints:
    """The best few actions of a side that the referee lets through, each with reasons.

    What cannot be told without measuring what nobody may measure is left out, unless all of it was
    guessed by eye. Raises AnswerError while a question is open.
    """
    found = Opponent(seed=seed).suggest(battle, side, _MOST)
    hints: list[documents.Hint] = []
    for one in found:
        hint = _hint(battle, one)
        if hint is not None and all(hint.words != other.words for other in hints):
            hints.append(hint)
        if len(hints) == _HINTS:
            break
    return documents.Hints(side=side, hints=hints, by_eye=any(one.by_eye for one in found))


def _hint(battle: Battle, one: Suggestion) -> documents.Hint | None:
    action = one.action
    if battle.system.may_measure(battle.state, Question.odds(action)) and not one.by_eye:
        return None
    verdict = verdict_of(battle, action, battle.judge(action, nearest=False))
    if not verdict.legal:
        return None
    document = action_document(action)
    return documents.Hint(
        action=document,
        words=action_title(battle, document, verdict.moved or verdict.wanted),
        reasons=_reasons(battle, one),
        chances=_chances(battle, one),
        verdict=verdict,
    )


def _reasons(battle: Battle, one: Suggestion) -> list[str]:
    """What speaks for an action and against it, in points, what counts most first."""
    unnamed = _unnamed(battle)
    parts = sorted(one.parts.items(), key=lambda part: -abs(part[1]))
    told = [(name, value) for name, value in parts if abs(value) >= _SMALL][:_REASONS]
    if not told:
        return ["makes no difference that counts now"]
    named = [(unnamed.get(name, name), value) for name, value in told]
    return [f"{_part(name, value > 0.0)} ({value:+.2f})" for name, value in named]


def _unnamed(battle: Battle) -> dict[str, str]:
    """What goals without a name are told as, by id: the zone that they are about."""
    state = battle.state
    zones = {zone.id: zone.name for zone in state.table.zones}
    goals = state.game.goals if state.game else ()
    return {
        g.id: zones.get(getattr(g, "zone", None) or "", "the goal") for g in goals if not g.name
    }


def _part(name: str, gained: bool) -> str:
    good, bad = _WORDS.get(name, (f"nearer to: {name}", f"farther from: {name}"))
    return good if gained else bad


def _chances(battle: Battle, one: Suggestion) -> list[documents.Outcome]:
    """What the dice of an action come to, the likeliest first; none where it has none, or where
    nobody may know."""
    try:
        outcomes = odds_view(battle, one.action).outcomes
    except MeasuringError:
        return []
    if len(outcomes) < 2:
        return []
    return sorted(outcomes, key=lambda outcome: -outcome.chance)[:_CHANCES]


def puzzle_view(match: Match) -> Puzzle | None:
    """The puzzle of a match and how far it has come; None of a match that has none."""
    puzzle = puzzle_of(match.scene)
    if puzzle is None:
        return None
    found = outcome(match)
    parts = [*map(PuzzlePart.of, found.parts)]
    count = len(puzzle.goals)
    wanted = {"goals": parts[:count], "always": parts[count:], "most": puzzle.moves}
    come = {"moves": found.moves, "solved": found.solved, "lost": found.lost}
    return Puzzle.of(puzzle, **wanted, **come, steps=len(puzzle.solution))


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
