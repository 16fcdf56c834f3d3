"""`tapeline judge`: cases against what they expect, or actions on a scene."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tapeline.cli.chance import Chance, Given, chance_options
from tapeline.cli.files import kind_of_file, load_compiled, position
from tapeline.cli.output import (
    Progress,
    error_lines,
    json_option,
    print_json,
    reasons_of,
    say,
    table_lines,
    verdict_lines,
    work_option,
)
from tapeline.cli.shortform import ACTION_HELP, read_action
from tapeline.dice import Roll, ScriptedDice
from tapeline.engine.asks import Answer
from tapeline.engine.codec import action_document, parse_action, verdict_document
from tapeline.engine.referee import Session
from tapeline.errors import DocumentError, Fault, TapelineError, printable
from tapeline.play.cases import CaseDoc, CaseResult, case_entries, case_files, run_case
from tapeline.table.marks import freeze
from tapeline.wording import counted

__all__ = ["drive", "judge"]

#: From so many cases on, compiled kernels save more time than it takes to load them.
_MANY = 200


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--action", "-a", "actions", multiple=True, metavar="ACTION", help=ACTION_HELP)
@chance_options
@click.option("--failed", is_flag=True, help="Print only the cases that are not as expected.")
@work_option
@json_option
@click.pass_context
def judge(
    ctx: click.Context,
    paths: tuple[str, ...],
    actions: tuple[str, ...],
    given: Given,
    failed: bool,
    as_json: bool,
) -> None:
    """Judge cases, or actions on a scene.

    Without --action every case in the files and folders is judged against what it expects; a
    step without expectation passes if it is legal. What cannot be read counts as not as expected,
    and the rest is judged all the same. docs/cases.md tells how cases are written.

    With --action one scene or log is taken, and each action is judged where the one before left
    the table; nothing is written.

    \b
    Exit codes: 0 all as expected (or legal), 1 not, 2 a document that cannot be used.

    \b
    Examples:
      tapeline judge tests/golden
      tapeline judge examples/sovl-salt-pans.json -a "advance S5 distance=5"
      tapeline judge examples/sovl-salt-pans.json --json \\
          -a '{"kind": "pivot", "actor": "S5", "by": 45}'
      tapeline judge examples/trench-storeys.json -a "activate r-2" \\
          -a "move r-2 path=9,9;9,10.4,0@drop;11,12"
      tapeline judge examples/mordheim-market.json --seed 7 \\
          -a "declare_charge r-captain targets=b-ogre,b-adept"
    """
    if actions:
        if len(paths) != 1:
            raise click.UsageError("with --action give one scene or log")
        chance = given.chance()
        ctx.exit(_judge_actions(paths[0], actions, chance, as_json))
    if given != Given():
        raise click.UsageError("dice and answers go with --action; cases bring their own")
    ctx.exit(_judge_cases(paths, failed, as_json))


def drive(session: Session, chance: Chance) -> None:
    """Answer what is asked as far as the dice and answers go; the rest stays open."""
    while session.ask is not None:
        ask = session.ask
        if isinstance(ask, Roll):
            source = chance.dice
            if source is None or (isinstance(source, ScriptedDice) and not source.left):
                return
            accepted = session.send(Answer(faces=source.roll(ask)))
        elif chance.answers:
            accepted = session.send(Answer(value=freeze(chance.answers.pop(0))))
        elif chance.chooser is not None:
            accepted = session.send(Answer(value=chance.chooser(ask)))
        else:
            return
        if not accepted:
            return


def _judge_actions(path: str, actions: tuple[str, ...], chance: Chance, as_json: bool) -> int:
    system, state = position(path)
    judged: list[dict[str, Any]] = []
    legal = True
    for number, text in enumerate(actions, 1):
        action = parse_action(system, read_action(text, system), f"action {number}")
        session = Session(system, state, action)
        drive(session, chance)
        verdict = session.verdict
        legal = legal and verdict.legal
        done = {"action": action_document(action), "verdict": verdict_document(verdict)}
        judged.append({**done, "why": reasons_of(verdict, system.book)})
        if not as_json:
            say(*verdict_lines(action, verdict, system.book, session.events))
        if session.ask is not None and number < len(actions):
            left = f"action {number} waits for an answer; give it with --dice, --seed or --answer"
            raise DocumentError(path, [Fault("", left)])
        state = session.state
    chance.nothing_left(path)
    if as_json:
        print_json("judged", legal=legal, actions=judged)
    return 0 if legal else 1


def _files(paths: tuple[str, ...]) -> Iterator[Path | str]:
    """Files with cases, or why there are none; in a folder scenes and logs are passed over."""
    for place in paths:
        path = Path(place)
        if path.is_dir():
            inside = [file for file in case_files([path]) if _may_be_case(file)]
            yield from inside
            if not inside:
                yield f"{place}: holds no case file (*.json)"
            continue
        try:
            kind = kind_of_file(path)
        except (DocumentError, OSError) as error:
            yield _error_text(path, error)
            continue
        if kind == "case":
            yield path
        else:
            yield f"{place}: is a {kind}, not a case; say with --action what to judge on it"


def _may_be_case(path: Path) -> bool:
    try:
        return kind_of_file(path) == "case"
    except (DocumentError, OSError):
        return True


def _judge_cases(paths: tuple[str, ...], failed: bool, as_json: bool) -> int:
    results: list[CaseResult] = []
    errors: list[str] = []
    progress = Progress("judged")
    for path in _files(paths):
        if isinstance(path, str):
            errors.append(path)
            continue
        try:
            entries = case_entries(path)
        except (DocumentError, OSError) as error:
            errors.append(_error_text(path, error))
            continue
        for entry in entries:
            try:
                if not isinstance(entry, CaseDoc):
                    raise entry
                results.append(run_case(entry, path))
            except TapelineError as error:
                errors.append(_error_text(path, error))
            progress(len(results))
            if len(results) == _MANY:
                load_compiled()
    progress.done()
    wrong = [result for result in results if not result.passed]
    shown = wrong if failed else results
    total, passed = len(results) + len(errors), len(results) - len(wrong)
    if as_json:
        counts = {"judged": total, "as_expected": passed, "unusable": len(errors)}
        print_json("judged", **counts, cases=[*map(_case_document, shown)], errors=errors)
    else:
        _print_cases(shown)
        left = f"; {len(errors)} could not be judged" if errors else ""
        say(f"{passed} of {counted(total, 'case', 'cases')} as expected{left}")
    for error_text in errors:
        say(*f"tapeline: {error_text}".split("\n"), err=True)
    return 2 if errors else 1 if wrong else 0


def _error_text(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{path}: {error.strerror or error}"
    text = "\n".join(map(printable, error_lines(error)))
    return text if text.startswith(str(path)) else f"{path}: {text}"


def _case_document(result: CaseResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "title": result.title,
        "path": result.path,
        "as_expected": result.passed,
        "steps": [
            {"step": s.index, "wrong": [*s.wrong], "verdict": verdict_document(s.verdict)}
            for s in result.steps
        ],
    }


def _print_cases(results: list[CaseResult]) -> None:
    rows = []
    for result in results:
        kinds = [str(step.verdict.kind) for step in result.steps]
        shown = " ".join(kinds[:4]) + (f" +{len(kinds) - 4}" if len(kinds) > 4 else "")
        rows.append(("ok" if result.passed else "WRONG", result.id, shown, result.title))
    for line, result in zip(table_lines(rows), results, strict=True):
        say(line)
        if result.passed:
            continue
        for step in result.steps:
            reasons = list(step.wrong)
            if not reasons and not step.expected and not step.verdict.legal:
                reasons = [f"{f.text} ({f.clause})" for f in step.verdict.findings]
            for reason in reasons:
                say(f"       step {step.index}: {reason}")
