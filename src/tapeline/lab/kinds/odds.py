"""odds: outcomes of actions counted in many runs, beside their exact odds; a unit is a lot of runs.

Rare events want runs by the million: lots of them are counted together at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field

from tapeline.analysis.odds import odds, sampled
from tapeline.errors import DocumentError, Fault
from tapeline.lab.charts import Share, share_chart
from tapeline.lab.kind import ExperimentKind, Row, Section, Settings, Unit, Varied
from tapeline.opponent.standings import wilson
from tapeline.play.battle import load

__all__ = ["KIND"]

#: Half-widths of an interval outside of which chance alone hardly comes: 1 in 16,000.
_BEYOND = 4.0


class _OddsDoc(Settings):
    """actions: documents of actions. runs: of each action, source and seed. lot: runs a unit.

    before: actions done first; none of them may need dice or a choice.
    """

    actions: list[dict[str, Any]] = Field(min_length=1)
    before: list[dict[str, Any]] = Field(default_factory=list)
    runs: int = Field(20_000, ge=1)
    lot: int = Field(1_000, ge=1)


def _units(plan: Varied) -> Iterator[Unit]:
    settings: _OddsDoc = plan.settings
    number = 0
    for source in plan.sources:
        for action in settings.actions:
            said = json.dumps(action, sort_keys=True)
            asked = {"action": action, "before": settings.before}
            yield Unit(number, source, "", {**asked, "runs": 0}, f"exact|{source}|{said}")
            number += 1
            for seed in plan.seeds:
                for lot, start in enumerate(range(0, settings.runs, settings.lot)):
                    runs = min(settings.lot, settings.runs - start)
                    alike = f"{runs}|{source}|{said}"
                    yield Unit(number, source, f"{seed}:{lot}", {**asked, "runs": runs}, alike)
                    number += 1


def _do(unit: Unit, scene: Any) -> list[Row]:
    battle = load(scene)
    for action in unit.asked["before"]:
        battle, _ = battle.play(action)
        if battle.pending is not None or (battle.last is not None and not battle.last.legal):
            fault = Fault("do.before", f"{action['kind']} is refused, or leaves a question open")
            raise DocumentError(unit.source, [fault])
    action, runs = battle.action(unit.asked["action"]), unit.asked["runs"]
    said = json.dumps(unit.asked["action"], sort_keys=True)
    if runs:
        counts = sampled(battle.system, battle.state, action, runs, unit.seed)
        return [
            {"action": said, "outcome": name, "times": times, "runs": runs, "exact": None}
            for name, times in (counts or {"illegal": runs}).items()
        ]
    found = odds(battle.system, battle.state, action)
    return [
        {"action": said, "outcome": one.label, "times": None, "runs": None, "exact": one.chance}
        for one in found.outcomes
        if one.exact is not None
    ] or [{"action": said, "outcome": None, "times": None, "runs": None, "exact": None}]


def _sections(plan: Varied, rows: Iterable[Row]) -> list[Section]:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    runs: dict[tuple[str, str], int] = {}
    exact: dict[tuple[str, str], dict[str, float]] = {}
    seen: set[int] = set()
    for row in rows:
        if row["fault"]:
            continue
        asked = row["source"], row["action"]
        if row["runs"] is None:
            if row["exact"] is not None:
                exact.setdefault(asked, {})[row["outcome"]] = row["exact"]
            continue
        if row["unit"] not in seen:
            seen.add(row["unit"])
            runs[asked] = runs.get(asked, 0) + row["runs"]
        of = counts.setdefault(asked, {})
        of[row["outcome"]] = of.get(row["outcome"], 0) + row["times"]
    sections = []
    for asked, of in counts.items():
        known, number = exact.get(asked, {}), runs[asked]
        table, shares = [], []
        for outcome in sorted({*of, *known}, key=lambda o: (-of.get(o, 0), o)):
            share = of.get(outcome, 0) / number
            low, high = wilson(share, number)
            chance = known.get(outcome)
            if chance is None:
                verdict = "exact odds not known" if not known else "not among the exact odds"
            else:
                wide = wilson(share, number, _BEYOND)
                agrees = wide[0] - 1e-12 <= chance <= wide[1] + 1e-12
                inside = "within" if low <= chance <= high else "near"
                verdict = f"{inside} the interval" if agrees else "DISAGREES"
            figures = f"{low:.6f} to {high:.6f}"
            told = "" if chance is None else f"{chance:.6f}"
            times = str(of.get(outcome, 0))
            table.append((outcome, times, f"{share:.6f}", figures, told, verdict))
            shares.append(Share(outcome, share, low, high, chance))
        head = ("outcome", "times", "share", "95 % interval", "exact", "")
        words = f"{asked[1]} in {number:,} runs."
        said = "Dot and bar: runs with their 95 % interval. Rhombus: the exact odds."
        chart = share_chart(asked[0], shares[:40], said)
        sections.append(Section(asked[0], words, head, tuple(table), chart))
    return sections


KIND = ExperimentKind(
    name="odds",
    says="outcomes of actions counted in many runs, beside their exact odds",
    settings=_OddsDoc,
    columns={
        "action": "text", "outcome": "text", "times": "whole", "runs": "whole", "exact": "figure",
    },
    units=_units,
    do=_do,
    sections=_sections,
)  # fmt: skip
