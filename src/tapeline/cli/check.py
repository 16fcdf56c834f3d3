"""`tapeline check`: can these documents be used, and if not, why not?

`tapeline puzzle`: can a puzzle be solved, and has a log solved it?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tapeline.cli.files import kind_of_file, must_be_log, open_match
from tapeline.cli.output import json_option, print_json, say, work_option
from tapeline.engine.codec import plain
from tapeline.engine.deployment import in_trays
from tapeline.engine.state import State
from tapeline.errors import DocumentError, Fault, LogError, TapelineError
from tapeline.play.battle import load, zone_notes
from tapeline.play.cases import expectation_faults, open_case, read_cases
from tapeline.play.match import Match, rereferee
from tapeline.play.puzzles import Attempt, outcome, solve, unsolved
from tapeline.wording import counted

__all__ = ["check", "puzzle"]


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@work_option
@json_option
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Check scenes, cases and logs: every fault with its place and what is allowed there.

    Of a scene with zones a note tells which models stand outside those of their side.

    \b
    Exit codes: 0 all can be used, 2 some cannot.

    \b
    Examples:
      tapeline check examples/sovl-ford.json
      tapeline check examples/*.json --json
    """
    reports = [_report(path) for path in paths]
    sound = all(report["ok"] for report in reports)
    if as_json:
        print_json("checked", ok=sound, files=reports)
    for report in reports:
        if report["ok"] and not as_json:
            say(f"{report['file']}: {report['summary']}")
            for note in report.get("notes", ()):
                say(f"  note: {note}")
        elif not report["ok"]:
            say(f"{report['file']}: cannot be used", err=True)
            for fault in report["faults"]:
                where = f"{fault['path']}: " if fault["path"] else ""
                say(f"  {where}{fault['message']}", err=True)
    ctx.exit(0 if sound else 2)


def _report(path: str) -> dict[str, Any]:
    report: dict[str, Any] = {"file": path, "ok": True, "faults": []}
    try:
        kind = kind_of_file(path)
        report["kind"] = kind
        report.update(_use(path, kind))
    except (TapelineError, OSError) as error:
        report["ok"] = False
        report["faults"] = plain(_faults(error))
    return report


def _faults(error: TapelineError | OSError) -> Sequence[Fault]:
    if isinstance(error, DocumentError):
        return error.faults
    if isinstance(error, LogError):
        where = f"entry {error.entry}"
        return [Fault(where, str(error).removeprefix(f"{where}: "))]
    return [Fault("", (isinstance(error, OSError) and error.strerror) or str(error))]


def _use(path: str, kind: str) -> dict[str, Any]:
    if kind == "case":
        cases = read_cases(Path(path))
        faults: list[Fault] = []
        for case in cases:
            unknown = expectation_faults(case, open_case(case, Path(path)))
            faults += [Fault(f"case {case.id}: {f.path}", f.message) for f in unknown]
        if faults:
            raise DocumentError(path, faults)
        return {"summary": counted(len(cases), "case", "cases")}
    if kind == "log":
        match = Match.replay(path)
        count = len(match.entries)
        held = f"log of {counted(count, 'entry', 'entries')}, every hash agrees"
        summary = f"{held}; {_counts(match.battle.state)}"
        return {"summary": summary, "hash": match.battle.hash}
    battle = load(path)
    state = battle.state
    report = {"summary": f"{battle.system.title}, {_counts(state)}", "hash": battle.hash}
    notes = [*zone_notes(state)]
    return {**report, "notes": notes} if notes else report


def _counts(state: State) -> str:
    table = state.table
    bodies = Counter(body.side for body in state.bodies.values())
    sides = ", ".join(f"{side.name} {bodies.get(side.id, 0)}" for side in state.sides)
    waiting = len([*in_trays(state.gone)])
    trays = f"; {waiting} in trays" if waiting else ""
    size = f"{table.width:g} x {table.depth:g} {table.unit}"
    return f"{size}, {table.inventory}; bodies: {sides}{trays}"


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
            document["faults"] = plain(faults)
        print_json("puzzle-outcome", good=good, **document)
    elif faults:
        say(f"{source}: not a sound puzzle", *(f"  {f.path}: {f.message}" for f in faults))
    else:
        say(*_lines(found, log))
    ctx.exit(0 if good else 1)


def _of(source: str, puzzle: Any, log: str) -> Any:
    """The match of a log that was begun from the puzzle. Raises DocumentError, LogError."""
    must_be_log(log)
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
