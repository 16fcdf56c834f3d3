"""`tapeline check`: can these documents be used, and if not, why not?"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from tapeline.cli.files import kind_of_file
from tapeline.cli.output import json_option, print_json, say, work_option
from tapeline.engine.deployment import in_trays
from tapeline.engine.state import State
from tapeline.errors import DocumentError, Fault, LogError, TapelineError
from tapeline.play.battle import load
from tapeline.play.cases import expectation_faults, open_case, read_cases
from tapeline.play.match import Match
from tapeline.play.notes import zone_notes
from tapeline.wording import counted

__all__ = ["check"]


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
        print_json({"format": "tapeline-checked/1", "ok": sound, "files": reports})
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
    except DocumentError as error:
        report["ok"] = False
        report["faults"] = [{"path": f.path, "message": f.message} for f in error.faults]
    except LogError as error:
        report["ok"] = False
        report["faults"] = [
            {
                "path": f"entry {error.entry}",
                "message": str(error).removeprefix(f"entry {error.entry}: "),
            }
        ]
    except (TapelineError, OSError) as error:
        message = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        report["ok"] = False
        report["faults"] = [{"path": "", "message": message}]
    return report


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
    return (
        f"{table.width:g} x {table.depth:g} {table.unit}, "
        f"{table.inventory}; bodies: {sides}{_trays(state)}"
    )


def _trays(state: State) -> str:
    waiting = len([*in_trays(state.gone)])
    return f"; {waiting} in trays" if waiting else ""
