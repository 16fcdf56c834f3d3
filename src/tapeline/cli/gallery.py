"""`tapeline gallery`: judge and draw the example scenes, and say where the pictures are."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from tapeline.cli.draw import picture_of_case, write_picture
from tapeline.cli.files import kind_of_file, open_match
from tapeline.cli.output import Progress, json_option, print_json, say, table_lines, theme_option
from tapeline.errors import DocumentError, Fault
from tapeline.picture import draw as draw_picture
from tapeline.play.cases import CaseDoc, read_cases, run_case
from tapeline.wording import counted

__all__ = ["gallery"]


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
        print_json({"format": "tapeline-gallery/1", "as_expected": good, "pictures": drawn})
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
