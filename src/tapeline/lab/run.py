"""An experiment from its file to its report, taken up again where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tapeline.lab.experiment import Experiment
from tapeline.lab.journal import Journal
from tapeline.lab.kind import Section
from tapeline.lab.results import columns_of, needs_parquet, report, write_results
from tapeline.lab.work import do_units, versions
from tapeline.play.files import write_whole

__all__ = ["Ran", "run"]


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
