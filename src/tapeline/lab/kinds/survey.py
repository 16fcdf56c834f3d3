"""survey: is each table fair; a unit is a table, its results a row for each figure compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pydantic import Field

from tapeline.analysis.survey_figures import SurveyOptions
from tapeline.errors import DocumentError, Fault
from tapeline.lab.kind import ExperimentKind, Row, Section, Settings, Unit, Varied
from tapeline.play.surveys import TableDefaults, compile_kernels
from tapeline.play.surveys import survey as surveyed

__all__ = ["KIND"]

#: Tables from which on compiling kernels first pays.
_MANY = 4


class _SurveyDoc(Settings):
    """As of `tapeline survey`: lengths as there, `system` to `zone_depth` for bare tables."""

    system: str = "trench-crusade"
    terrain: str = ""
    zones: Literal["long-edges", "short-edges", "corners"] = "long-edges"
    zone_depth: float = Field(8.0, ge=0.1)
    base: float = Field(32.0, ge=1.0)
    move: float | None = Field(None, gt=0.0)
    turns: int = Field(3, ge=1, le=10)
    sizes: list[float] = Field([25.0, 40.0, 60.0, 100.0], min_length=1)
    step: float = Field(1.0, ge=0.1)
    tolerance: float = Field(1e-6, ge=0.0)


def _compiled(plan: Varied) -> bool:
    return len(plan.sources) >= _MANY


def _units(plan: Varied) -> Iterator[Unit]:
    asked = {**plan.settings.model_dump(), "compiled": _compiled(plan)}
    for number, source in enumerate(plan.sources):
        yield Unit(number, source, "", asked, "table")


def _prepare(plan: Varied) -> None:
    # Once, before the workers: else each compiles the same for itself.
    if _compiled(plan):
        compile_kernels()


def _do(unit: Unit, document: Any) -> list[Row]:
    if isinstance(document, dict) and "log" in document:
        fault = Fault("", "is a log; the kind survey looks at tables (vary.scenes)")
        raise DocumentError(unit.source, [fault])
    asked = unit.asked
    if asked["compiled"]:
        compile_kernels()
    options = SurveyOptions(
        asked["base"], asked["move"], asked["turns"], tuple(sorted(asked["sizes"])), asked["step"],
        tolerance=asked["tolerance"],
    )  # fmt: skip
    defaults = TableDefaults(asked["system"], asked["terrain"], asked["zones"], asked["zone_depth"])
    found = surveyed(document, options, defaults, unit.source).survey
    apart = found.symmetry.apart
    same = {
        "table_fair": "yes" if found.fair else "no",
        "symmetric": "yes" if found.symmetric else "no",
        "apart": apart if apart < float("inf") else None,
        "verdict": found.verdict,
    }
    return [
        {**same, "what": one.what, "one": one.figures[0], "other": one.figures[1],
         "measure": one.unit, "fair": "yes" if one.fair else "no"}
        for one in found.differences
    ]  # fmt: skip


def _sections(plan: Varied, rows: Iterable[Row]) -> list[Section]:
    tables: dict[str, tuple[str, ...]] = {}
    for row in rows:
        if row["fault"] or row["source"] in tables:
            continue
        apart = "no counterpart" if row["apart"] is None else f"{row['apart']:.6g}"
        tables[row["source"]] = (
            row["source"], row["table_fair"], row["symmetric"], apart, row["verdict"],
        )  # fmt: skip
    fair = sum(one[1] == "yes" for one in tables.values())
    same = sum(one[2] == "yes" for one in tables.values())
    tolerance = plan.settings.tolerance
    words = f"{len(tables)} tables: {fair} fair, {same} symmetric within {tolerance:g}."
    head = ("table", "fair", "symmetric", "off by at most", "verdict")
    return [Section("Tables", words, head, tuple(tables.values()))]


KIND = ExperimentKind(
    name="survey",
    says="is each table fair: ground, sight, time to goals and cover of both sides",
    settings=_SurveyDoc,
    columns={
        "table_fair": "text", "symmetric": "text", "apart": "figure", "verdict": "text",
        "what": "text", "one": "figure", "other": "figure", "measure": "text", "fair": "text",
    },
    units=_units,
    do=_do,
    sections=_sections,
    prepare=_prepare,
)  # fmt: skip
