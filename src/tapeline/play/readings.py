"""The page of readings: contested points that are switches, and those decided once.

python -m tapeline.play.readings docs/reference/readings.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from tapeline.engine.system import System
from tapeline.play.systems import load_system, system_names

__all__ = ["main", "page"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(system: System) -> list[str]:
    lines = [f"## {system.title}", "", "### Switches", ""]
    lines += ["| option | question | values, the default first | clauses |", "|---|---|---|---|"]
    for spec in system.options:
        values = "; ".join(f"`{value}` {_cell(means)}" for value, means in spec.values.items())
        clauses = ", ".join(spec.clauses)
        lines.append(f"| `{spec.name}` | {_cell(spec.question)} | {values} | {clauses} |")
    lines += ["", "### Decided once", "", "| point | as built | why |", "|---|---|---|"]
    lines += [f"| {_cell(a)} | {_cell(b)} | {_cell(c)} |" for a, b, c in system.decided]
    return [*lines, ""]


def page(systems: Iterable[System]) -> str:
    """The page of all readings, as Markdown."""
    lines = [
        "# Readings",
        "",
        "Written by `python -m tapeline.play.readings docs/reference/readings.md`; do not edit.",
        "Where a rulebook can be read in more than one way, the point is either a *switch* (set in",
        "a scene's `options`, each value shown by a golden case) or was *decided once*, with the",
        "reason.",
        "",
    ]
    for system in systems:
        lines += _section(system)
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the page; 2 on wrong use."""
    if len(arguments) != 1:
        print("usage: python -m tapeline.play.readings PAGE", file=sys.stderr)
        return 2
    text = page(load_system(name) for name in system_names())
    Path(arguments[0]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
