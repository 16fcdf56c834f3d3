"""`tapeline draw`: pictures of scenes, cases, logs and judged actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tapeline.cli.chance import Chance, Given, chance_options
from tapeline.cli.files import kind_of_file, no_open_question, open_match
from tapeline.cli.judge import drive
from tapeline.cli.output import json_option, print_json, say, theme_option, work_option
from tapeline.cli.shortform import ACTION_HELP, read_action
from tapeline.engine.codec import parse_action, verdict_document
from tapeline.engine.referee import Session
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError, Fault
from tapeline.picture import draw as draw_picture
from tapeline.picture import png
from tapeline.picture.page import draw_entry
from tapeline.play.cases import CaseDoc, read_cases, run_case
from tapeline.play.files import write_whole
from tapeline.play.match import Match

__all__ = ["draw", "picture_of_action", "picture_of_case", "write_picture"]


@click.command()
@click.argument("source", metavar="SCENE|CASE|LOG")
@click.option("-o", "--out", required=True, metavar="FILE", help="Where to: .svg or .png.")
@click.option("--action", "-a", "actions", multiple=True, metavar="ACTION", help=ACTION_HELP)
@chance_options
@click.option("--case", "case_id", metavar="ID", help="Which case of a file with several.")
@click.option("--step", type=click.IntRange(0), help="Which step of a case, or entry of a log.")
@theme_option
@click.option("--title", default="", help="Title instead of the name of the scene.")
@click.option(
    "--floor",
    default="",
    metavar="all|top|HEIGHT",
    help="Storeys side by side (all, usual where there are floors), from above, or one.",
)
@work_option
@json_option
def draw(
    source: str,
    out: str,
    actions: tuple[str, ...],
    given: Given,
    case_id: str | None,
    step: int | None,
    as_json: bool,
    **look: str,
) -> None:
    """Draw a scene, a step of a case, or a log where it stands.

    With --action the last action is judged and drawn: the way, the findings where they bite,
    the nearest legal move; the actions before it are carried out first. A case is drawn at its
    last step unless --step says which (from 0); a log at its last entry (from 1; 0 is the
    beginning). PNG needs the extra: pip install 'tapeline[png]'.

    \b
    Examples:
      tapeline draw examples/sovl-ford.json -o table.svg
      tapeline draw examples/sovl-salt-pans.json -a "advance S5 distance=12" -o no.png --theme dark
      tapeline draw tests/golden/sovl/6_2_advance.json --case SV-7 --step 0 -o case.svg
      tapeline draw game.log --step 2 -o turn.svg
      tapeline draw examples/mordheim-street-block.json --floor 3 -o upstairs.svg
    """
    kind = kind_of_file(source)
    verdict: Verdict | None = None
    if actions:
        if kind == "case":
            raise click.UsageError("a case brings its own actions")
        chance = given.chance()
        match = open_match(source)
        match = match.upto(_entry(match, source, step))
        svg, verdict = picture_of_action(match, source, actions, chance, **look)
    elif kind == "case":
        svg, verdict = picture_of_case(_case(source, case_id), Path(source), step, **look)
    else:
        match = open_match(source)
        at = _entry(match, source, step)
        svg = draw_entry(match, at, **look)
    write_picture(svg, out)
    if as_json:
        document = {"format": "tapeline-drawn/1", "file": out}
        extra = {} if verdict is None else {"verdict": verdict_document(verdict)}
        print_json({**document, **extra})
    else:
        say(out if verdict is None else f"{out}  ({verdict.kind})")


def _entry(match: Match, source: str, step: int | None) -> int:
    count = len(match.entries)
    if step is None:
        return count
    if step > count:
        raise DocumentError(source, [Fault("--step", f"there are {count} entries; got {step}")])
    return step


def _case(source: str, case_id: str | None) -> CaseDoc:
    cases = read_cases(Path(source))
    if case_id is None:
        if len(cases) == 1:
            return cases[0]
        known = ", ".join(case.id for case in cases)
        raise DocumentError(source, [Fault("--case", f"say which of {known}")])
    for case in cases:
        if case.id == case_id:
            return case
    known = ", ".join(case.id for case in cases)
    raise DocumentError(source, [Fault("--case", f"no case {case_id!r}; there are {known}")])


def picture_of_action(
    match: Match, source: str, actions: tuple[str, ...], chance: Chance, **look: Any
) -> tuple[str, Verdict]:
    """The last of some actions judged and drawn; those before it are carried out. look: theme,
    title and floor, as of `picture.draw`.
    """
    system, state = match.battle.system, no_open_question(match, source)
    session = None
    for number, text in enumerate(actions, 1):
        if session is not None:
            if session.ask is not None or not session.verdict.legal:
                why = "is illegal" if session.ask is None else "waits for an answer"
                fault = Fault(f"action {number - 1}", f"{why}; the next cannot be drawn")
                raise DocumentError(source, [fault])
            state = session.state
        action = parse_action(system, read_action(text, system), f"action {number}")
        session = Session(system, state, action)
        drive(session, chance)
    assert session is not None
    verdict = session.verdict
    return draw_picture(state, system, action=session.action, verdict=verdict, **look), verdict


def picture_of_case(
    case: CaseDoc, path: Path, step: int | None, **look: Any
) -> tuple[str, Verdict]:
    """A step of a case: the table before its action, and what came of it. look: as above."""
    count = len(case.steps)
    at = count - 1 if step is None else step
    if at >= count:
        fault = Fault("--step", f"the case has steps 0 to {count - 1}; got {at}")
        raise DocumentError(str(path), [fault])
    part = case.model_copy(update={"steps": case.steps[: at + 1]})
    sessions: list[Session] = []
    result = run_case(part, path, sessions.append)
    session = sessions[-1]
    verdict = result.steps[-1].verdict
    look["title"] = look.get("title") or case.title or case.id
    note = f"case {case.id}" + (f", step {at} of 0 to {count - 1}" if count > 1 else "")
    look |= {"action": session.action, "verdict": verdict, "note": note}
    return draw_picture(session.start, result.start.system, **look), verdict


def write_picture(svg: str, target: str | Path) -> None:
    """Write a picture as SVG or PNG, by the ending of the name. Raises PngError, OSError."""
    path = Path(target)
    ending = path.suffix.lower()
    if ending == ".png":
        data = png(svg)
    elif ending == ".svg":
        data = svg.encode()
    else:
        message = f"pictures are .svg or .png; got {path.name!r}"
        raise DocumentError("draw", [Fault("--out", message)])
    write_whole(path, data)
