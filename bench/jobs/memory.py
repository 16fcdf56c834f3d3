"""Memory that the state of one table takes, each in a fresh process: growth of resident memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.harness import Figure, Setting
from bench.tables import SIZES

__all__ = ["memory"]

_MEASURE = """
import gc, os, sys
from bench.jobs.memory import resident
from bench.tables import RADIUS, places_of, random_table
pieces, models, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
table = random_table(pieces, models)
if kind == "field":
    from tapeline.geometry import backends
    places, states, n = places_of(table, 40), [], 20
    backends.warmup()
    make = lambda: used(table.field(True))
    def used(field):
        for place in places:
            field.reach(place, RADIUS, 12.0)
        return field
    used(table.field(True))
else:
    import shapely
    from bench.peers.visibility import VisibilityGraph, free_space
    space = lambda: free_space(table.shapes, table.discs, RADIUS, table.width, table.depth)
    states, n = [space()], 1
    make = lambda: VisibilityGraph(space())
gc.collect()
before = resident()
states += [make() for _ in range(n)]
gc.collect()
print((resident() - before) / n)
"""


def resident() -> int:
    """Resident memory of this process, bytes (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def _measure(pieces: int, models: int, kind: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(pieces), str(models), kind],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def _size(count: float) -> str:
    return f"{count / 1e6:.2f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB"


def memory(setting: Setting) -> list[Figure]:
    """State of a table in use (arcs round 40 places known) beside a ready visibility graph."""
    if not Path("/proc/self/statm").exists():
        return [Figure("memory of a table's state", "", "not measured: needs Linux")]
    figures = []
    for pieces, models in SIZES[: 2 if setting.quick else len(SIZES)]:
        ours, theirs = _measure(pieces, models, "field"), 0.0
        if (pieces, models) in ((20, 40), (60, 40)):
            theirs = _measure(pieces, models, "graph")
        figures.append(
            Figure(
                "memory of a table's state",
                f"{pieces} pieces, {models} models",
                _size(ours),
                f"shapely + rustworkx {_size(theirs)}" if theirs else "",
                f"{theirs / ours:.0f}" if theirs else "",
            )
        )
    return figures
