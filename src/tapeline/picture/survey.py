"""Surveys as pictures, words and one page of HTML that needs nothing else."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from tapeline.analysis.contours import Point, Ring, contours
from tapeline.analysis.survey_figures import ROUNDED, Survey
from tapeline.picture.look import theme_of
from tapeline.picture.regions import Plan, Region, draw_plans
from tapeline.wording import counted, figure

if TYPE_CHECKING:
    from tapeline.play.surveys import Surveyed

__all__ = ["Sheet", "report_page", "sheet_of", "survey_lines", "survey_picture", "survey_rows"]

#: Narrowest gaps that are drawn.
_GAPS = 6


def survey_picture(found: Surveyed) -> str:
    """The table three times as an SVG document: where each side gets to by each turn with its ways
    to goals and the worst place, and the narrow gaps, lanes and lines of sight."""
    survey, state = found.survey, found.state
    unit = state.table.unit
    plans = []
    for side, figures in enumerate(survey.sides):
        places: tuple[tuple[Point, str], ...] = ()
        if survey.worst is not None:
            place, gap, ahead = survey.worst
            mine = ahead == figures.side
            if mine or side == 0:
                words = f"worst place: {state.name_of(ahead)} {_less(survey, gap, unit, 2)} nearer"
                places = ((place, words),)
        ways = tuple(goal.path for goal in figures.goals if len(goal.path) > 1)
        caption = f"{state.name_of(figures.side)}: turns 1 to {len(figures.area)}, ways to goals"
        plans.append(
            Plan(state, _regions(found, side), caption, zones=True, places=places, lines=ways)
        )
    gaps = [one for one in survey.chokes if one.width > 0.0][:_GAPS]
    marks = [(one.place, f"{figure(one.width)} {unit}") for one in gaps]
    lanes = survey.lanes[0] if survey.lanes else None
    if lanes is not None:
        marks += [
            (place, f"lane {figure(wide, 0)} {unit}")
            for place, wide in zip(lanes.places, lanes.widths, strict=True)
        ]
    caption = "Narrow gaps, lanes, shortest and longest line of sight"
    plans.append(Plan(state, (), caption, zones=True, places=tuple(marks), lines=survey.sight.ends))
    notes = [survey.verdict[:1].upper() + survey.verdict[1:] + ".", *survey.notes]
    return draw_plans(plans, found.system, heading=f"Survey: {found.name}", notes=notes)


def _regions(found: Surveyed, side: int) -> tuple[Region, ...]:
    """Where a side gets to, a region a turn; between middles of squares lengths run evenly."""
    survey, table = found.survey, found.state.table
    rows, columns = survey.arrivals[side].shape
    wide, deep = table.width / columns, table.depth / rows
    lengths = survey.arrivals[side].tolist()

    def length(x: float, y: float) -> float:
        u = min(max(x / wide - 0.5, 0.0), columns - 1.0)
        v = min(max(y / deep - 0.5, 0.0), rows - 1.0)
        i, j = min(int(v), rows - 2), min(int(u), columns - 2)
        s, t = u - j, v - i
        # A corner without weight has no say, though no way leads there.
        near = ((i, j, (1 - s) * (1 - t)), (i, j + 1, s * (1 - t)),
                (i + 1, j, (1 - s) * t), (i + 1, j + 1, s * t))  # fmt: skip
        return math.fsum(lengths[a][b] * w for a, b, w in near if w > 1e-9)

    levels = [turn * survey.move for turn in range(1, len(survey.sides[side].area) + 1)]
    box = (0.0, 0.0, table.width, table.depth)
    rings: list[list[Ring]] = contours(length, box, 0.5 * min(wide, deep), levels, 0.05)
    last = len(levels) - 1
    return tuple(
        Region(f"reached by turn {turn + 1}", tuple(one), "reach", min(2, last, turn))
        for turn, one in enumerate(rings)
    )


def _less(survey: Survey, gap: float, unit: str, places: int) -> str:
    """How much less a side has to go: a least figure where the other's way is blocked."""
    return f"{'at least ' if survey.blocked else ''}{figure(gap, places)} {unit}"


def survey_rows(survey: Survey) -> list[tuple[str, str, str, str]]:
    """What is compared: what, a figure a side, and whether that is fair."""
    return [
        (
            one.what,
            _told(one.figures[0], one.unit),
            _told(one.figures[1], one.unit),
            "fair" if one.fair else f"NOT FAIR (more than {figure(one.limit)} {one.unit} apart)",
        )
        for one in survey.differences
    ]


def _told(value: float | None, unit: str) -> str:
    return "no way" if value is None else f"{figure(value)} {unit}"


def survey_lines(found: Surveyed) -> list[str]:
    """What a survey found besides the figures that are compared, in sentences."""
    survey, unit, named = found.survey, found.state.table.unit, found.state.name_of
    said = [f"{survey.verdict[:1].upper()}{survey.verdict[1:]}."]
    apart = survey.symmetry.apart
    within = f"within {survey.options.tolerance:g} {unit}"
    if survey.symmetric:
        said.append(f"Symmetric ({survey.symmetry.kind}) {within}: off by {apart:.1e} {unit}.")
    else:
        most = f"{len(survey.off)} off by up to {apart:.6g} {unit}"
        if not math.isfinite(apart):
            most = f"{len(survey.off)} off, some without a counterpart"
        said.append(
            f"Not symmetric {within}: nearest to it as {survey.symmetry.kind}, {most}: "
            + "; ".join(survey.off[:4])
            + (" ..." if len(survey.off) > 4 else ".")
        )
    if survey.rounded:
        said.append(f"Off by less than {ROUNDED:g} {unit}: rounding?")
    if survey.worst is not None:
        (x, y), gap, ahead = survey.worst
        said.append(
            f"Worst place: {figure(x)}, {figure(y)}: {named(ahead)} has "
            f"{_less(survey, gap, unit, 2 if gap >= 0.01 else 6)} less to go than the other to "
            "its counterpart" + (", for which it is blocked or too far." if survey.blocked else ".")
        )
    else:
        said.append("Worst place: none, the sides have as far to every place and its counterpart.")
    for lane in survey.lanes:
        across = "no way across" if lane.across is None else f"{figure(lane.across)} {unit} across"
        wide = ", ".join(figure(one, 1) for one in lane.widths)
        widths = f" ({wide} {unit} wide)" if wide else ""
        said.append(f"Base {lane.base_mm:g} mm: {counted(lane.lanes, 'lane')}{widths}, {across}.")
    gaps = [
        f"{figure(one.width, 3)} {unit} between {one.between[0]} and {one.between[1]} "
        + (f"(up to {one.passes_mm:g} mm)" if one.passes_mm else "(none passes)")
        for one in survey.chokes[:_GAPS]
    ]
    said.append(f"Choke points, {len(survey.chokes)}: {'; '.join(gaps) or 'none'}.")
    if survey.sight.shortest is None:
        said.append("No line of sight from zone to zone.")
    else:
        least, mean, most = (
            figure(v or 0.0)
            for v in (survey.sight.shortest, survey.sight.mean, survey.sight.longest)
        )
        said.append(
            f"Lines of sight from zone to zone: {survey.sight.share:.0%} of pairs of places, "
            f"{least} to {most} {unit} long, {mean} {unit} in the mean."
        )
    for side in survey.sides:
        by = ", ".join(
            f"{100 * a:.1f} ± {100 * e:.1f}"
            for a, e in zip(side.area, side.area_error, strict=True)
        )
        said.append(f"{named(side.side)} gets to {by} % of the table by turn 1, 2, ...")
    return [*said, *survey.notes]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A survey as it is told, of plain values that a process can send: unit: of the table; sides:
    their names; lines, rows, picture: of `survey_lines`, `survey_rows` and `survey_picture`, which
    is "" unless wanted; document: as JSON."""

    name: str
    unit: str
    sides: tuple[str, ...]
    survey: Survey
    lines: tuple[str, ...]
    rows: tuple[tuple[str, str, str, str], ...]
    picture: str
    document: dict[str, Any]


def sheet_of(found: Surveyed, pictured: bool) -> Sheet:
    """A survey as it is told, with its picture if wanted."""
    return Sheet(
        found.name,
        found.state.table.unit,
        tuple(found.state.name_of(side.side) for side in found.survey.sides),
        found.survey,
        tuple(survey_lines(found)),
        tuple(survey_rows(found.survey)),
        survey_picture(found) if pictured else "",
        found.document(),
    )


_STYLE = """
body { font: 15px/1.45 "DejaVu Sans", Verdana, sans-serif; margin: 2rem auto; max-width: 1280px;
 padding: 0 1rem; background: %s; color: %s }
table { border-collapse: collapse; margin: .8rem 0 }
th, td { border: 1px solid %s; padding: .25rem .6rem; text-align: left; vertical-align: top }
img { max-width: 100%%; height: auto } .no { font-weight: bold }
section { border-top: 2px solid %s; margin-top: 2.5rem } a { color: inherit }
"""


def report_page(found: Sequence[Sheet], failed: Sequence[tuple[str, str]] = ()) -> str:
    """One HTML page of surveys, pictures in it; it loads nothing. failed: tables that could not be
    surveyed, with why."""
    style = tuple(theme_of("light")[name] for name in ("paper", "ink", "grid", "grid"))
    head = "<th>".join(("<tr><th>table", "verdict", "symmetric", "worst place", "not fair in"))
    rows = []
    for k, one in enumerate(found):
        survey, unit = one.survey, one.unit
        worst = "none"
        if survey.worst is not None:
            (x, y), gap, ahead = survey.worst
            worst = f"({figure(x)}, {figure(y)}): {ahead} {_less(survey, gap, unit, 3)} nearer"
        same = "yes" if survey.symmetric else f"no: {len(survey.off)} off"
        if not survey.symmetric and math.isfinite(survey.symmetry.apart):
            same += f" by up to {survey.symmetry.apart:.6g} {unit}"
            same += ", rounding?" if survey.rounded else ""
        unfair = "; ".join(row.what for row in survey.differences if not row.fair) or "nothing"
        cells = [
            f'<a href="#t{k}">{escape(one.name)}</a>',
            "fair" if survey.fair else '<span class="no">not fair</span>',
            *map(escape, (same, worst, unfair)),
        ]
        rows.append("<tr><td>" + "<td>".join(cells))
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Survey of tables</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{_STYLE % style}</style>",
        f"<h1>Survey of {len(found)} tables</h1><table>{head}{''.join(rows)}</table>",
    ]
    if failed:
        items = "".join(f"<li>{escape(name)}: {escape(why)}" for name, why in failed)
        parts.append(f"<h2>Not surveyed</h2><ul>{items}</ul>")
    parts += [_section(k, one) for k, one in enumerate(found)]
    return "\n".join(parts) + "\n"


def _section(k: int, one: Sheet) -> str:
    heads = ["figure", *one.sides, "verdict"]
    table = "<tr>" + "".join(f"<th>{escape(head)}" for head in heads)
    for row in one.rows:
        bad = ' class="no"' if not row[3].startswith("fair") else ""
        table += f"<tr{bad}>" + "".join(f"<td>{escape(cell)}" for cell in row)
    words = "".join(f"<li>{escape(line)}" for line in one.lines)
    coded = base64.b64encode(one.picture.encode()).decode()
    alt = escape(f"{one.name}: reach of each side by turn, gaps and lines of sight", quote=True)
    return (
        f'<section id="t{k}"><h2>{escape(one.name)}</h2><ul>{words}</ul><table>{table}</table>'
        f'<img alt="{alt}" src="data:image/svg+xml;base64,{coded}"></section>'
    )
