"""`tapeline draw`: pictures of scenes, cases, logs and judged actions; `tapeline gallery`: those of
all example scenes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from tapeline.cli.chance import Chance, Given, chance_options
from tapeline.cli.files import kind_of_file, no_open_question, open_match
from tapeline.cli.judge import drive
from tapeline.cli.output import (
    Progress,
    json_option,
    picture_option,
    print_json,
    say,
    table_lines,
    theme_option,
    work_option,
)
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
from tapeline.wording import counted

__all__ = ["draw", "gallery", "picture_of_action", "picture_of_case", "write_picture"]


@click.command()
@click.argument("source", metavar="SCENE|CASE|LOG")
@picture_option("Where to:", required=True)
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
    if case_id is not None and kind != "case":
        raise DocumentError(source, [Fault("--case", f"holds no cases; it is a {kind}")])
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
        extra = {} if verdict is None else {"verdict": verdict_document(verdict)}
        print_json("drawn", file=out, **extra)
    else:
        say(out if verdict is None else f"{out}  ({verdict.kind})")


def _entry(match: Match, source: str, step: int | None) -> int:
    count = len(match.entries)
    if step is None:
        return count
    if step > count:
        there = counted(count, "entry", "entries")
        raise DocumentError(source, [Fault("--step", f"the log has {there}; got {step}")])
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
    write_whole(path, png(svg) if path.suffix.lower() == ".png" else svg.encode())


@click.command()
@click.argument("folder", default="examples", metavar="[FOLDER]")
@click.option("-o", "--out", default="out", show_default=True, help="Where the pictures go.")
@click.option("--svg", is_flag=True, help="SVG even where PNG could be made.")
@theme_option
@json_option
@click.pass_context
def gallery(
    ctx: click.Context, folder: str, out: str, svg: bool, theme: str, as_json: bool
) -> None:
    """Judge and draw every scene and case in FOLDER (examples/ by default).

    A scene is drawn as it stands. A case is judged, and every step of it drawn in which something
    moves, is refused or is asked: the way, the findings where they bite, the nearest legal move.

    \b
    Exit codes: 0 all as expected, 1 not, 2 a document that cannot be used.

    \b
    Examples:
      tapeline gallery
      tapeline gallery my-scenes -o pictures --theme dark
    """
    place = Path(folder)
    if not place.is_dir():
        raise DocumentError(folder, [Fault("", "is not a folder with scenes")])
    files = sorted(place.rglob("*.json"))
    if not files:
        raise DocumentError(folder, [Fault("", "holds no scene (*.json)")])
    ending = ".svg" if svg or find_spec("resvg_py") is None else ".png"
    progress = Progress("pictures")
    drawn: list[dict[str, Any]] = []
    for path in files:
        name = "-".join(path.relative_to(place).with_suffix("").parts)
        stem = Path(out) / name
        if kind_of_file(path) == "case":
            _draw_cases(path, stem, ending, theme, drawn)
        else:
            _draw_scene(path, stem, ending, theme, drawn)
        progress(len(drawn))
    progress.done()
    good = all(item["as_expected"] for item in drawn)
    if as_json:
        print_json("gallery", as_expected=good, pictures=drawn)
    else:
        rows = [(item["says"], item["picture"], item["title"]) for item in drawn]
        say(*table_lines(rows))
        for item in drawn:
            for line in item["wrong"]:
                say(f"WRONG {item['picture']}: {line}")
        say(f"{counted(len(drawn), 'picture is', 'pictures are')} in {Path(out).resolve()}")
    ctx.exit(0 if good else 1)


def _draw_scene(
    path: Path, stem: Path, ending: str, theme: str, drawn: list[dict[str, Any]]
) -> None:
    battle = open_match(path).battle
    target = stem.with_name(stem.name + ending)
    write_picture(draw_picture(battle.state, battle.system, theme=theme), target)
    title = f"{battle.system.title}: {battle.state.name}"
    drawn.append(_item(target, "scene", title, []))


def _draw_cases(
    path: Path, stem: Path, ending: str, theme: str, drawn: list[dict[str, Any]]
) -> None:
    cases: list[CaseDoc] = read_cases(path)
    for case in cases:
        result = run_case(case, path)
        last = result.steps[-1].index
        for step in result.steps:
            seen = step.verdict.moved or step.verdict.findings or step.verdict.ask
            if not (seen or step.wrong or step.index == last):
                continue
            label = f"-{case.id}" if len(cases) > 1 else ""
            number = f"-{step.index}" if len(case.steps) > 1 else ""
            target = stem.with_name(f"{stem.name}{label}{number}{ending}")
            svg, verdict = picture_of_case(case, path, step.index, theme=theme)
            write_picture(svg, target)
            wrong = list(step.wrong)
            if not step.expected and not verdict.legal:
                wrong.append("is illegal")
            drawn.append(_item(target, str(verdict.kind), case.title or case.id, wrong))


def _item(target: Path, says: str, title: str, wrong: list[str]) -> dict[str, Any]:
    return {
        "picture": str(target),
        "says": says,
        "title": title,
        "as_expected": not wrong,
        "wrong": wrong,
    }
