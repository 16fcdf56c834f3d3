"""Timing and the table of figures: medians with spread, peers and goals beside them."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "DisagreementError",
    "Figure",
    "Setting",
    "Timing",
    "compare",
    "duration",
    "say",
    "table_lines",
    "time_each",
    "time_whole",
]


class DisagreementError(Exception):
    """Two answers to the same question differ; the job is not timed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run was asked for. data: the folder with `tables/`, None if there is none."""

    quick: bool = False
    data: Path | None = None

    def count(self, full: int, quick: int) -> int:
        """How many queries."""
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call: median, and the 5th and 95th percentile of single calls."""

    median: float
    low: float
    high: float
    calls: int


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. met is None where there is no goal or nothing to compare with."""

    job: str
    size: str
    value: str
    peer: str = ""
    ratio: str = ""
    goal: str = ""
    met: bool | None = None
    note: str = ""


def say(text: str) -> None:
    """Tell of progress."""
    print(text, file=sys.stderr, flush=True)


def time_each(calls: Sequence[Callable[[], object]], repeats: int = 3) -> Timing:
    """Time each call alone, the best of some repeats, garbage collection off while timing."""
    best = []
    gc.collect()
    gc.disable()
    try:
        for call in calls:
            lowest = float("inf")
            for _ in range(repeats):
                begun = time.perf_counter_ns()
                call()
                lowest = min(lowest, time.perf_counter_ns() - begun)
            best.append(lowest * 1e-9)
    finally:
        gc.enable()
    best.sort()
    low, high = best[int(0.05 * (len(best) - 1))], best[int(0.95 * (len(best) - 1))]
    return Timing(statistics.median(best), low, high, len(best))


def time_whole(call: Callable[[], object], repeats: int = 5) -> Timing:
    """Time one call that does much, several times."""
    taken = []
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    taken.sort()
    return Timing(statistics.median(taken), taken[0], taken[-1], repeats)


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them.

    >>> duration(0.0000123), duration(0.25), duration(3e-8)
    ('12.3 us', '250 ms', '0.03 us')
    """
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale or unit == "us":
            value = seconds / scale
            digits = 0 if value >= 100.0 else 1 if value >= 10.0 else 2
            return f"{value:.{digits}f} {unit}"
    raise AssertionError


def compare(
    job: str,
    size: str,
    ours: float,
    peer: float,
    name: str,
    goal: float | None = None,
    note: str = "",
) -> Figure:
    """A line with ours and a peer's time, seconds; the goal is how many times faster."""
    ratio = peer / ours
    return Figure(
        job,
        size,
        duration(ours),
        f"{name} {duration(peer)}",
        f"{ratio:.{0 if ratio >= 100.0 else 1 if ratio >= 1.0 else 2}f}",
        "" if goal is None else f">= {goal:g} times",
        None if goal is None else ratio >= goal,
        note,
    )


def table_lines(figures: Sequence[Figure]) -> list[str]:
    """The figures as a Markdown table, goals met marked in words."""
    rows = [("job", "table", "ours", "peer", "ratio", "goal", "met", "note")]
    for f in figures:
        met = "" if f.met is None else "yes" if f.met else "NO"
        rows.append((f.job, f.size, f.value, f.peer, f.ratio, f.goal, met, f.note))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        cells = (cell.ljust(w) for cell, w in zip(row, widths, strict=True))
        lines.append("| " + " | ".join(cells) + " |")
        if number == 0:
            lines.append("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return lines
