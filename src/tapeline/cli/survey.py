"""`tapeline survey`: are tables fair, with figures, pictures and a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from tapeline.analysis.survey_figures import SurveyOptions
from tapeline.cli.draw import write_picture
from tapeline.cli.output import (
    WRITTEN,
    Numbers,
    Progress,
    json_option,
    picture_option,
    print_json,
    say,
    table_lines,
)
from tapeline.errors import DocumentError, Fault, TapelineError, in_one_line
from tapeline.opponent.standings import in_processes
from tapeline.picture.survey import Sheet, report_page, sheet_of
from tapeline.play.files import write_whole
from tapeline.play.surveys import TableDefaults, compile_kernels
from tapeline.play.surveys import survey as surveyed
from tapeline.table.json_documents import read_json

__all__ = ["survey"]


@click.command()
@click.argument("tables", metavar="TABLE|FOLDER...", nargs=-1, required=True)
@click.option("--system", default="trench-crusade", show_default=True,
              help="Rules of a table that is no scene.")  # fmt: skip
@click.option("--terrain", default="", metavar="KIND",
              help="What bare outlines are; usually what nobody enters.")  # fmt: skip
@click.option("--zones", type=click.Choice(["long-edges", "short-edges", "corners"]),
              default="long-edges", show_default=True, help="For a table without any.")  # fmt: skip
@click.option("--zone-depth", type=Numbers(0.1), default=8.0, show_default=True,
              help="How deep these are, inches.")  # fmt: skip
@click.option("--base", type=Numbers(1.0), default=32.0, show_default=True, metavar="MM",
              help="Round base that goes and looks.")  # fmt: skip
@click.option("--move", type=Numbers(0.01), metavar="LENGTH",
              help="How far in a turn; the system's usual move unless given.")  # fmt: skip
@click.option("--turns", type=click.IntRange(1, 10), default=3, show_default=True,
              help="Turns after which it is looked who gets where.")  # fmt: skip
@click.option("--sizes", default="25,40,60,100", show_default=True, metavar="MM,MM,...",
              help="Bases for lanes and choke points.")  # fmt: skip
@click.option("--step", type=Numbers(0.1), default=1.0, show_default=True,
              help="Side of the squares that areas are counted in, inches.")  # fmt: skip
@click.option("--tolerance", type=Numbers(0.0), default=1e-6, show_default=True,
              help="How far a symmetric table may be off, table units.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), help="Processes; as many as there are cores.")
@click.option("--no-compile", is_flag=True,
              help="Plain Python: slower, but nothing is compiled first.")  # fmt: skip
@click.option(
    "--report", type=WRITTEN, metavar="FILE", help="Write one HTML page with figures and pictures."
)
@picture_option("Draw the survey of one table:")
@json_option
def survey(
    tables: tuple[str, ...], report: str | None, out: str | None, jobs: int | None, as_json: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Survey tables: how much each side gets to by turn 1, 2, 3, what it sees, how long it has to
    each goal and in what cover, lanes and choke points, and whether all that is fair.

    A table is a scene, or {"width", "depth", "unit", "terrain": [[[x, y], ...], ...], "deployment":
    {"player": [...], "opponent": [...]}}. A folder stands for its .json files. The middle of the
    table is always looked at; goals are those of the scene.

    \b
    Exit codes: 0 all fair, 1 one is not, 2 a table that cannot be surveyed.

    \b
    Examples:
      tapeline survey examples/set-ups/trench-pump-house.json
      tapeline survey tables/ --report out.html --jobs 2
      tapeline survey examples/trench-ruined-square.json --zones corners --base 25 --move 8 --json
    """
    files = list(_files(tables))
    if out is not None and len(files) != 1:
        raise click.UsageError("--out draws one table; write a --report of several")
    options = SurveyOptions(
        given["base"], given["move"], given["turns"], _sizes(given["sizes"]), given["step"],
        tolerance=given["tolerance"],
    )  # fmt: skip
    defaults = TableDefaults(given["system"], given["terrain"], given["zones"], given["zone_depth"])
    found: list[Sheet] = []
    failed: list[tuple[str, str]] = []
    pictured = report is not None or out is not None
    progress = Progress("tables", len(files))
    compiled = not given["no_compile"] and any(one.is_file() for one in files)
    for k, one in enumerate(
        _all(files, options, defaults, jobs or os.cpu_count() or 1, pictured, compiled), 1
    ):
        if isinstance(one, str):
            failed.append((files[k - 1].name, one))
        else:
            found.append(one)
        progress(k)
    progress.done()
    if report is not None:
        write_whole(Path(report), report_page(found, failed).encode())
    if out is not None and found:
        write_picture(found[0].picture, out)
    if as_json:
        told = [one.document for one in found]
        print_json("surveys", tables=told, failed=dict(failed))
    elif len(files) == 1:
        for one in found:
            say(one.name, *one.lines, *table_lines([("", *one.sides, ""), *one.rows]))
    else:
        say(*table_lines([("table", "fair", "symmetric", "why"), *map(_row, found)]))
    for name, why in failed:
        say(f"{name}: {why}", err=True)
    if failed:
        click.get_current_context().exit(2)
    click.get_current_context().exit(0 if all(one.survey.fair for one in found) else 1)


def _row(one: Sheet) -> tuple[str, str, str, str]:
    survey = one.survey
    same = (
        "yes" if survey.symmetric else f"no, {len(survey.off)} off by {survey.symmetry.apart:.6g}"
    )
    if survey.rounded:
        same += ", rounding?"
    return one.name, "yes" if survey.fair else "NO", same, survey.verdict


def _files(tables: tuple[str, ...]) -> Iterator[Path]:
    for name in tables:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        inside = sorted(path.glob("*.json"))
        if not inside:
            raise DocumentError(name, [Fault("", "holds no .json files")])
        yield from inside


def _sizes(text: str) -> tuple[float, ...]:
    try:
        sizes = tuple(sorted(float(one) for one in text.split(",")))
    except ValueError:
        sizes = ()
    if not sizes or not all(0.0 < size < 1000.0 for size in sizes):
        raise click.BadParameter(f"write millimetres, as 25,40,60; got {text!r}")
    return sizes


def _all(
    files: list[Path],
    options: SurveyOptions,
    defaults: TableDefaults,
    jobs: int,
    pictured: bool,
    compiled: bool,
) -> Iterator[Sheet | str]:
    """The survey of each file in order, or why there is none."""
    if compiled:
        # Once, before the workers: else each compiles the same for itself.
        compile_kernels()
    one, jobs = partial(_one, options, defaults, pictured, compiled), min(jobs, len(files))
    if jobs > 1:
        yield from in_processes(one, files, jobs)
        return
    for file in files:
        progress = Progress("ways over the table, for a side and a base each")

        def told(done: int, total: int, progress: Progress = progress) -> None:
            progress.total = total
            progress(done)

        yield one(file, told)
        progress.done()


def _one(
    options: SurveyOptions,
    defaults: TableDefaults,
    pictured: bool,
    compiled: bool,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
) -> Sheet | str:
    if compiled:
        compile_kernels()
    try:
        document: Any = read_json(path)
        return sheet_of(surveyed(document, options, defaults, path.stem, progress), pictured)
    except TapelineError as error:
        return in_one_line(error)
    except OSError as error:
        return error.strerror or str(error)
