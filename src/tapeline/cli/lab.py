"""`tapeline lab`: experiments of many units of work."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tapeline.cli.output import Progress, json_option, print_json, say, table_lines
from tapeline.lab.experiment import read_experiment
from tapeline.lab.run import run as run_experiment
from tapeline.wording import counted

__all__ = ["lab"]


@click.group()
def lab() -> None:
    """Experiments of many units of work, on this machine or on a cluster.

    Games between programs, runs of dice beside exact odds, archives of logs judged again: an
    experiment is a file that says what is varied and what is done. Commands print JSON with
    --json.

    \b
    Examples:
      tapeline lab run levels.toml
      tapeline lab run volley.toml --jobs 2 --json
    """


@lab.command(short_help="Run an experiment, or go on with it.")
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.option(
    "-o", "--out", metavar="FOLDER",
    help="Where results go; the name of the experiment's file without its ending.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=None, help="Processes; as many as processors."
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786.")
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    experiment: str,
    out: str | None,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Run an EXPERIMENT: what is varied, what is done, and how often stand in its file.

    Kinds are arena (who is stronger), odds (rare events, beside exact odds) and referee (logs
    judged again). A run that was stopped goes on where it was when the same command is given again.
    Results are the same on any number of processes: results.parquet, results.csv, report.html.

    \b
    Exit codes: 0 done, 1 done but for units that could not be (results name them),
    2 input that cannot be used.

    \b
    Examples:
      tapeline lab run mill.toml
      tapeline lab run mill.toml --out mill-1 --jobs 8
      tapeline lab run mill.toml --cluster tcp://10.0.0.5:8786
    """
    read = read_experiment(experiment)
    folder = Path(out) if out is not None else Path(Path(experiment).stem)
    progress = Progress("units")

    def told(done: int, total: int, left: float | None) -> None:
        progress.total = total
        progress(done, "" if left is None else f"{_duration(left)} left")

    ran = run_experiment(
        read, folder, jobs=jobs or os.cpu_count() or 1, cluster=cluster, progress=told
    )
    progress.done()
    if as_json:
        print_json(
            "lab", experiment=read.hash, kind=read.kind.name, units=ran.units,
            done_before=ran.before, rows=ran.rows, units_at_fault=ran.faults,
            processor_seconds=round(ran.seconds, 3), folder=str(folder),
        )  # fmt: skip
    else:
        for section in ran.sections:
            say(section.title, *([section.words] if section.words else []))
            if section.rows:
                say(*table_lines([section.head, *section.rows[:30]]))
            if len(section.rows) > 30:
                say(f"... {len(section.rows) - 30} more in the report")
            say("")
        earlier = f", {ran.before} of them by earlier runs" if ran.before else ""
        say(
            f"{counted(ran.units, 'unit', 'units')} done{earlier}, {ran.seconds:.1f} s of "
            f"processor; {folder / 'report.html'}, results.parquet, results.csv"
        )
    ctx.exit(1 if ran.faults else 0)


def _duration(seconds: float) -> str:
    """As people say it.

    >>> _duration(50), _duration(200), _duration(9000)
    ('50 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
