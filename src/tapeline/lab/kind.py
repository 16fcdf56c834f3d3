"""What a kind of experiment is: its settings, its units of work, what is done, what is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = ["Column", "ExperimentKind", "Row", "Section", "Settings", "Unit", "Varied"]

#: A line of the results: plain values by column.
Row = dict[str, Any]
#: What a column holds: "text", "whole" or "figure".
Column = str


class Settings(BaseModel):
    """What `[do]` of an experiment says; each kind has its own."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Varied:
    """What an experiment varies and does. sources: the names of what units are done on."""

    sources: tuple[str, ...]
    seeds: tuple[int, ...]
    settings: Any


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of work, the same whoever does it.

    number: from 0, its place in the experiment. source: what of the experiment it is done on, see
    `Experiment.document`. asked: what else the kind needs to know, plain values. alike: units that
    say the same here cost about the same.
    """

    number: int
    source: str
    seed: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    alike: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: words, a table, a picture as SVG, each may be empty."""

    title: str
    words: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    chart: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentKind:
    """A kind of experiment.

    columns: of its results, beside those that all have. units: all of them, always in the same
    order. do: a unit on its document, at least one row; a function of a module, so that other
    processes find it; what it raises as TapelineError is kept as the fault of the unit. sections:
    of the report, from the rows in their order. prepare: what is better done once before work
    begins, on the machine that leads it.
    """

    name: str
    says: str
    settings: type[Settings]
    columns: Mapping[str, Column]
    units: Callable[[Varied], Iterator[Unit]]
    do: Callable[[Unit, Any], list[Row]]
    sections: Callable[[Varied, Iterable[Row]], list[Section]]
    prepare: Callable[[Varied], None] = lambda plan: None
