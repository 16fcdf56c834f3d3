"""Timing and the table of figures: medians with spread, goals beside them, met or not."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Figure", "Timing", "print_table", "time_each", "time_whole"]


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
    goal: str = ""
    met: bool | None = None
    note: str = ""


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


def print_table(figures: Sequence[Figure]) -> None:
    """Print the figures as a Markdown table, goals met marked in words."""
    rows = [("job", "size", "figure", "goal", "met", "note")]
    for f in figures:
        met = "" if f.met is None else "yes" if f.met else "NO"
        rows.append((f.job, f.size, f.value, f.goal, met, f.note))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
