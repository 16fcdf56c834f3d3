"""`tapeline puzzle`: can a puzzle be solved, and has a log solved it?"""

from __future__ import annotations

from typing import Any

import click

from tapeline.cli.files import open_match
from tapeline.cli.output import json_option, print_json, say, work_option
from tapeline.errors import DocumentError, Fault, LogError
from tapeline.play.match import rereferee
from tapeline.play.puzzles import Attempt, outcome, solve, unsolved
from tapeline.wording import counted

__all__ = ["puzzle"]


@click.command()
@click.argument("source", metavar="SCENE")
@click.option("--solve", "log", metavar="LOG", help="A log of the puzzle: does it solve it?")
@work_option
@json_option
@click.pass_context
def puzzle(ctx: click.Context, source: str, log: str | None, as_json: bool) -> None:
    """Check that a puzzle is solved by the solution in its file, and not before anything is done.

    With --solve, say instead how far a log has come with it. The log must have been begun from
    this puzzle; every entry is judged again.

    \b
    Exit codes: 0 sound or solved, 1 not, 2 input that cannot be used.

    \b
    Examples:
      tapeline puzzle examples/puzzles/trench-gap.json
      tapeline puzzle trench-gap.json --solve mine.log
    """
    start = open_match(source)
    outcome(start)  # raises for a scene without a puzzle
    faults: list[Fault] = []
    if log is not None:
        found = outcome(_of(source, start.scene["puzzle"], log))
    else:
        faults = unsolved(start.scene)
        found = outcome(start if faults else solve(start.scene))
    good = found.solved and not faults
    if as_json:
        document = _document(found)
        if log is None:
            document["faults"] = [{"path": f.path, "message": f.message} for f in faults]
        print_json({"format": "tapeline-puzzle-outcome/1", "good": good, **document})
    elif faults:
        say(f"{source}: not a sound puzzle", *(f"  {f.path}: {f.message}" for f in faults))
    else:
        say(*_lines(found, log))
    ctx.exit(0 if good else 1)


def _of(source: str, puzzle: Any, log: str) -> Any:
    """The match of a log that was begun from the puzzle. Raises DocumentError, LogError."""
    match, differs = rereferee(log)
    if match.scene.get("puzzle") != puzzle:
        raise DocumentError(log, [Fault("line 1.scene", f"is not the puzzle of {source}")])
    if match.battles[0].hash != open_match(source).battle.hash:
        raise DocumentError(log, [Fault("line 1.scene", f"is not the table of {source}")])
    if differs is not None:
        raise LogError(f"{log}: entry {differs.entry}: {differs.message}", differs.entry)
    return match


def _document(found: Attempt) -> dict[str, Any]:
    return {
        "solved": found.solved,
        "lost": found.lost,
        "moves": found.moves,
        "parts": [{"words": p.words, "met": p.met, "why": p.why} for p in found.parts],
    }


def _lines(found: Attempt, log: str | None) -> list[str]:
    moves = counted(found.moves, "move")
    if log is None:
        return [f"sound: its solution solves it with {moves}"]
    head = f"solved with {moves}" if found.solved else f"not solved: {found.lost}"
    head = head if found.solved or found.lost else f"not yet solved, after {moves}"
    parts = [
        f"  {'x' if p.met else ' '} {p.words}{f': {p.why}' * (not p.met)}" for p in found.parts
    ]
    return [head, *parts]
