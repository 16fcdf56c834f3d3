"""Run the benchmarks and print their table: `python -m bench --help`."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.exchange import ExchangeError, read_answers, write_questions
from bench.harness import DisagreementError, Figure, Setting, say, table_lines
from bench.jobs import JOBS, find
from bench.tables import data_folder
from tapeline.errors import BackendError
from tapeline.geometry import backends

__all__ = ["main"]


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="The figures of docs/bench.md for this machine."
    )
    parser.add_argument(
        "--only", action="append", metavar="JOB", help=f"one job, repeatable: {', '.join(JOBS)}"
    )
    parser.add_argument("--quick", action="store_true", help="few tables, few queries")
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="folder with tables/table_*.json (default: TAPELINE_DATA, or ../shared/data)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the table there as well")
    parser.add_argument(
        "--export", metavar="DIR", help="write tables and questions for other programs; no timing"
    )
    parser.add_argument(
        "--import",
        dest="answers",
        action="append",
        default=[],
        metavar="FILE",
        help="answers of another program to set beside ours; repeatable",
    )
    chosen = parser.parse_args(words)
    unknown = [name for name in chosen.only or [] if name not in JOBS]
    if unknown:
        parser.error(f"there is no job {unknown[0]!r}; there are {', '.join(JOBS)}")
    if chosen.data is not None and not Path(chosen.data).is_dir():
        parser.error(f"--data {chosen.data}: there is no such folder")
    return chosen


def _run(name: str, setting: Setting) -> tuple[list[Figure], bool]:
    """Figures of a job, and whether its answers agreed."""
    say(f"... {name}")
    begun = time.perf_counter()
    try:
        figures = find(name)(setting)
    except ImportError as fault:
        why = f"needs {fault.name or fault}: pip install -e '.[fast,bench]'"
        return [Figure(name, "", "left out", note=why)], True
    except DisagreementError as fault:
        say(f"    answers differ, not timed: {fault}")
        return [Figure(name, "", "not timed", met=False, note=f"answers differ: {fault}")], False
    say(f"    {time.perf_counter() - begun:.0f} s")
    return figures, True


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure with its peer and goal. 0: all answers agreed, 1: some did not."""
    chosen = _arguments(words)
    setting = Setting(chosen.quick, data_folder(chosen.data))
    if setting.data is None or not (setting.data / "tables").is_dir():
        setting = Setting(chosen.quick)
        say("tournament tables left out: no folder with tables/ (--data or TAPELINE_DATA)")
    try:
        if chosen.export:
            say(f"{write_questions(Path(chosen.export), setting)} tables written")
            return 0
        backends.use("compiled")
        figures: list[Figure] = []
        sound = True
        jobs = chosen.only or ([] if chosen.answers else list(JOBS))
        for name in jobs:
            found, agreed = _run(name, setting)
            figures += found
            sound = sound and agreed
        for file in chosen.answers:
            figures += read_answers(Path(file), setting)
    except (ExchangeError, BackendError) as fault:
        print(f"bench: {fault}", file=sys.stderr)
        return 2
    except DisagreementError as fault:
        print(f"bench: answers differ, not timed: {fault}", file=sys.stderr)
        return 1
    when = datetime.datetime.now(datetime.UTC).date().isoformat()
    heading = (
        f"{when}, Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores; one thread unless said otherwise; compiled backend, warm, "
        "unless said otherwise; medians."
    )
    lines = [heading, "", *table_lines(figures)]
    met = [f.met for f in figures if f.met is not None]
    lines += ["", f"{sum(met)} of {len(met)} goals met."]
    print("\n".join(lines))
    if chosen.output:
        Path(chosen.output).write_text("\n".join(lines) + "\n")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
