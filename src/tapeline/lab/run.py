"""An experiment from its file to its results and report, taken up again where a run stopped."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tapeline.errors import TapelineError
from tapeline.lab.experiment import Experiment
from tapeline.lab.journal import Journal
from tapeline.lab.kind import ExperimentKind, Row, Section
from tapeline.lab.work import do_units, versions
from tapeline.picture.svg import element, text_content
from tapeline.play.files import write_whole

__all__ = ["Ran", "columns_of", "needs_parquet", "report", "run", "write_results"]


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that has come to its end.

    units: of the experiment; before: of them, done by earlier runs. rows: of the results. faults:
    units that could not be done. seconds: of processor time that all units took.
    """

    units: int
    before: int
    rows: int
    faults: int
    seconds: float
    sections: tuple[Section, ...]


def run(
    experiment: Experiment,
    folder: str | Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int, float | None], None] | None = None,
) -> Ran:
    """Do what is left of an experiment, and write its results and report to a folder.

    jobs: processes of this machine; cluster: the address of a Dask scheduler instead. progress:
    told of units done, of all, and of the seconds left where that is known. The results are the
    same for any number of processes and however often a run was stopped. Raises DocumentError for a
    folder of another experiment, TapelineError where a library or a cluster is missing.
    """
    needs_parquet()
    folder, said = Path(folder), versions()
    with Journal(folder, experiment, said) as journal:
        total = sum(1 for _ in experiment.units())
        before = len(journal.done)
        done = frozenset(journal.done)
        if before < total:
            experiment.kind.prepare(experiment.plan)
            todo = (unit for unit in experiment.units() if unit.number not in done)
            for number, left in do_units(
                experiment, todo, total - before, journal, jobs=jobs, cluster=cluster
            ):
                if progress is not None:
                    progress(before + number, total, left)
        rows = write_results(folder, columns_of(experiment.kind), journal.rows())
        faulty: dict[str, str] = {}
        faults = 0
        for row in journal.rows():
            if row["fault"]:
                faults += 1
                faulty.setdefault(row["source"], row["fault"])
        sections = experiment.kind.sections(experiment.plan, journal.rows())
        if faulty:
            words = f"{faults} of {total} units could not be done; the first fault of each source:"
            shown = tuple(list(faulty.items())[:500])
            sections = [Section("Faults", words, ("source", "fault"), shown), *sections]
        seeds = ", ".join(map(str, experiment.plan.seeds))
        facts = [
            ("Experiment", experiment.hash),
            ("Kind", f"{experiment.kind.name}: {experiment.kind.says}"),
            ("Sources", str(len(experiment.sources))),
            ("Seeds", seeds),
            ("Units of work", str(total)),
            ("Versions", said),
        ]
        page = report(experiment.name, facts, sections)
        write_whole(folder / "report.html", page.encode())
        return Ran(total, before, rows, faults, journal.seconds, tuple(sections))


#: Rows of a row group of Parquet.
_GROUP = 50_000
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #888; padding: .2rem .6rem; text-align: left; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; border: 1px solid #888; }
.wide { overflow-x: auto; }
"""


def columns_of(kind: ExperimentKind) -> dict[str, str]:
    """All columns of the results: those of every kind, and its own between."""
    first = {"unit": "whole", "source": "text", "seed": "text"}
    last = {"fault": "text", "document": "text", "hash": "text", "versions": "text"}
    return {**first, **kind.columns, **last}


def needs_parquet() -> Any:
    """The library for Parquet. Raises TapelineError where it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise TapelineError("the lab wants the extra `lab`: pip install 'tapeline[lab]'") from None
    return pyarrow


def write_results(folder: Path, columns: Mapping[str, str], rows: Iterable[Row]) -> int:
    """Write results.parquet and results.csv; how many rows. Each appears whole or not at all."""
    arrow = needs_parquet()
    types = {"text": arrow.string(), "whole": arrow.int64(), "figure": arrow.float64()}
    schema = arrow.schema([(name, types[holds]) for name, holds in columns.items()])
    parts = [folder / "results.parquet.part", folder / "results.csv.part"]
    count, rows = 0, iter(rows)
    with (
        arrow.parquet.ParquetWriter(parts[0], schema, compression="zstd") as parquet,
        parts[1].open("w", encoding="utf-8", newline="") as file,
    ):
        lines = csv.DictWriter(file, list(columns), lineterminator="\n")
        lines.writeheader()
        while group := [{name: row.get(name) for name in columns} for row in islice(rows, _GROUP)]:
            parquet.write_table(arrow.Table.from_pylist(group, schema=schema))
            lines.writerows(group)
            count += len(group)
    for part in parts:
        part.replace(part.with_suffix(""))
    return count


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(element("th", text_content(cell), scope="col") for cell in head)
    body = "\n".join(
        element("tr", "".join(element("td", text_content(cell)) for cell in row)) for row in rows
    )
    table = (element("thead", element("tr", top)) if any(head) else "") + element("tbody", body)
    return element("div", element("table", table), class_="wide", tabindex=0)


def report(title: str, facts: Sequence[tuple[str, str]], sections: Sequence[Section]) -> str:
    """The page. facts: what was run, by whom, as rows of a table."""
    parts = [element("h1", text_content(title))]
    for section in sections:
        parts.append(element("h2", text_content(section.title)))
        if section.words:
            parts.append(element("p", text_content(section.words)))
        if section.chart:
            parts.append(section.chart)
        if section.rows:
            parts.append(_table(section.head, section.rows))
    parts.append(element("h2", "What was run"))
    parts.append(_table(("", ""), facts))
    head = f'<meta charset="utf-8"><title>{text_content(title)}</title><style>{_STYLE}</style>'
    page = element("head", head) + element("body", element("main", "\n".join(parts)))
    return "<!doctype html>\n" + element("html", page, lang="en") + "\n"
