"""The page of readings: contested points that are switches, and those decided once."""

from __future__ import annotations

from collections.abc import Iterable

from tapeline.engine.system import System

__all__ = ["page"]


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
        "Written by `make docs`; do not edit.",
        "Where a rulebook can be read in more than one way, the point is either a *switch* (set in",
        "a scene's `options`, each value shown by a golden case) or was *decided once*, with the",
        "reason.",
        "",
    ]
    for system in systems:
        lines += _section(system)
    return "\n".join(lines).rstrip() + "\n"
