"""referee: logs judged again, under this version or other readings; a unit is a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tapeline.errors import DocumentError, Fault
from tapeline.lab.charts import Share, share_chart
from tapeline.lab.kind import ExperimentKind, Row, Section, Settings, Unit, Varied
from tapeline.opponent.standings import wilson
from tapeline.play.match import differences
from tapeline.wording import counted

__all__ = ["KIND"]

#: Differences that the report shows; the results hold them all.
_SHOWN = 500


class _RefereeDoc(Settings):
    """Nothing is to be said: what is varied are logs and options."""


def _units(plan: Varied) -> Iterator[Unit]:
    for number, source in enumerate(plan.sources):
        yield Unit(number, source, "", alike="log")


def _do(unit: Unit, document: Any) -> list[Row]:
    if not isinstance(document, dict) or "log" not in document:
        fault = Fault("", "is a scene; the kind referee judges logs (vary.logs)")
        raise DocumentError(unit.source, [fault])
    match, found = differences(document["log"].split("\n"), document["options"])
    options = [f"{name}={value}" for name, value in document["options"].items()]
    same = {"reading": " ".join(options), "entries": len(match.entries)}
    return [{**same, "entry": one.entry, "difference": one.message} for one in found] or [
        {**same, "entry": None, "difference": None}
    ]


def _sections(plan: Varied, rows: Iterable[Row]) -> list[Section]:
    logs: dict[str, int] = {}
    reading_of: dict[str, str] = {}
    entries = 0
    shown: list[tuple[str, ...]] = []
    for row in rows:
        if row["fault"]:
            continue
        if row["source"] not in logs:
            logs[row["source"]] = 0
            reading_of[row["source"]] = row["reading"] or "as it was"
            entries += row["entries"]
        if row["entry"] is not None:
            logs[row["source"]] += 1
            if len(shown) < _SHOWN:
                shown.append((row["source"], str(row["entry"]), row["difference"]))
    found = sum(logs.values())
    differ = [source for source, number in logs.items() if number]
    words = (
        f"{counted(len(logs), 'log', 'logs')} with {counted(entries, 'entry', 'entries')} judged "
        f"again: {counted(found, 'difference', 'differences')} in {len(differ)} of them."
    )
    if found > len(shown):
        words += f" The first {_SHOWN} are shown; results.csv holds all."
    readings: dict[str, list[bool]] = {}
    for source, number in logs.items():
        readings.setdefault(reading_of[source], []).append(not number)
    shares = []
    for reading, agree in readings.items():
        share = sum(agree) / len(agree)
        shares.append(Share(reading, share, *wilson(share, len(agree))))
    said = "Share of logs without a difference, with its 95 % interval."
    chart = share_chart("Logs that agree", shares, said) if shares else ""
    return [Section("Differences", words, ("log", "entry", "difference"), tuple(shown), chart)]


KIND = ExperimentKind(
    name="referee",
    says="logs judged again, under this version or other readings, every difference listed",
    settings=_RefereeDoc,
    columns={"reading": "text", "entries": "whole", "entry": "whole", "difference": "text"},
    units=_units,
    do=_do,
    sections=_sections,
)
