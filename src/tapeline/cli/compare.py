"""`tapeline compare`: one position under the values of a contested reading, side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tapeline.analysis.compare import Comparison, Under
from tapeline.analysis.compare import compare as compared
from tapeline.analysis.ways import Border
from tapeline.cli.draw import write_picture
from tapeline.cli.files import position, speed_up
from tapeline.cli.output import (
    json_option,
    picture_option,
    print_json,
    say,
    table_lines,
    theme_option,
    verdict_lines,
    work_option,
)
from tapeline.cli.shortform import ACTION_HELP, read_action
from tapeline.cli.threat import BANDS, band_regions, bands_document, resolution_option
from tapeline.engine.actions import Action
from tapeline.engine.codec import parse_action, verdict_document
from tapeline.engine.system import System
from tapeline.picture.regions import Plan, Region, draw_plans
from tapeline.wording import figure, percent_and_fraction

__all__ = ["compare"]

#: Table units: how closely outlines of reach follow the border.
_EPS = 0.001


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("option")
@click.option("--value", "values", multiple=True, help="A value of it; all unless given.")
@click.option("--action", "-a", metavar="ACTION", help=ACTION_HELP)
@click.option("--reach", "body", metavar="ID", help="Where that body can get to.")
@click.option("--kind", metavar="KIND", help="By which kind of move; the usual one unless given.")
@click.option("--threat", "by", metavar="SIDE|ID", help="Whom these could strike ...")
@click.option("--on", metavar="ID", help="... of whom: the first enemy unless given.")
@picture_option("Draw them side by side:")
@resolution_option
@theme_option
@work_option
@json_option
def compare(
    source: str,
    option: str,
    values: tuple[str, ...],
    action: str | None,
    body: str | None,
    kind: str | None,
    by: str | None,
    on: str | None,
    out: str | None,
    resolution: float | None,
    theme: str,
    as_json: bool,
) -> None:
    """One position under the values of OPTION: what is legal, in reach, or to be feared.

    Nothing but the reading changes. With --action the verdict, with --reach the area and its
    border, with --threat the chance of being struck; what differs is said. `tapeline rules SYSTEM`
    lists the options.

    \b
    Examples:
      tapeline compare examples/sovl-salt-pans.json pivot.check -a "pivot S5 by=45" -o both.png
      tapeline compare examples/trench-ruined-square.json edge_overhang --reach r-2 --json
      tapeline compare examples/sovl-ford.json contact.graze --threat E4 --on W1
    """
    if action is None and body is None and by is None:
        raise click.UsageError("say what to compare: --action, --reach or --threat")
    system, state = position(source)
    speed_up(state)
    asked = None if action is None else parse_action(system, read_action(action, system))
    reach = None if body is None else (body, kind)
    threat = None if by is None else (by, on)
    found = compared(system, state, option, values, action=asked, reach=reach, threat=threat)
    borders = [_borders(one, resolution, out is not None) for one in found.under]
    if out is not None:
        write_picture(_picture(system, found, asked, borders, theme), out)
    if as_json:
        print_json("compare", out, **_document(found, borders))
        return
    _print(system, found, asked, borders)
    if out is not None:
        say(out)


class _Borders(NamedTuple):
    """The borders of a reading: of reach, on the floor that the body stands on, and of threat."""

    reach: Border | None
    threat: list[Border]


def _borders(one: Under, resolution: float | None, drawn: bool) -> _Borders:
    reach = None
    if one.reach is not None:
        reach = one.reach.bands([one.reach.allowance], _EPS, resolution=resolution)[0]
    threat = []
    if drawn and one.threat is not None:
        threat = one.threat.bands([chance for chance, _ in BANDS], resolution=resolution)
    return _Borders(reach, threat)


def _regions(borders: _Borders) -> tuple[Region, ...]:
    feared = band_regions(borders.threat) if borders.threat else ()
    reach = borders.reach
    return feared if reach is None else (*feared, Region("in reach", reach.rings, "reach", 2))


def _picture(
    system: System, found: Comparison, action: Action | None, borders: list[_Borders], theme: str
) -> str:
    plans = [
        Plan(
            one.state,
            _regions(known),
            f"{found.option.name} = {one.value}"
            + ("" if one.verdict is None else f": {one.verdict.kind}"),
            {
                s.by: percent_and_fraction(s.chance)
                for s in one.danger.strikes
                if s.by in one.state.bodies
            }
            if one.danger is not None
            else {},
            action=action,
            verdict=one.verdict,
        )
        for one, known in zip(found.under, borders, strict=True)
    ]
    notes = [f"{one.value}: {one.meaning}" for one in found.under]
    return draw_plans(
        plans, system, heading=found.option.question, notes=[*notes, *_differences(found, borders)],
        theme=theme,
    )  # fmt: skip


def _differences(found: Comparison, borders: list[_Borders]) -> list[str]:
    """What the reading changes, in sentences."""
    lines = []
    first = found.under[0]
    if first.verdict is not None:
        lines.append(f"The verdicts {'differ' if found.verdicts_differ else 'are the same'}.")
    areas = [known.reach.area for known in borders if known.reach is not None]
    if areas:
        alike = max(areas) - min(areas) <= _EPS * max(1.0, *areas)
        lines.append("The areas in reach " + ("are alike." if alike else "differ."))
    if first.danger is not None:
        what = "differs" if found.dangers_differ else "is the same"
        lines.append(f"The danger where it stands {what}.")
    return lines


def _print(
    system: System, found: Comparison, action: Action | None, borders: list[_Borders]
) -> None:
    say(f"{found.option.name}: {found.option.question}")
    for one, known in zip(found.under, borders, strict=True):
        say("", f"{one.value}: {one.meaning}")
        unit = one.state.table.unit
        if one.verdict is not None and action is not None:
            say(*verdict_lines(action, one.verdict, system.book))
        if known.reach is not None and one.reach is not None:
            say(f"  {one.reach.leeway.body} reaches {figure(known.reach.area)} square {unit}")
        if one.danger is not None and one.threat is not None:
            say(f"  {one.threat.on} is struck: {percent_and_fraction(one.danger.chance)}")
            rows = [
                (f"    {s.by}", percent_and_fraction(s.chance), s.way) for s in one.danger.strikes
            ]
            say(*table_lines(rows))
    say("", *_differences(found, borders))


def _document(found: Comparison, borders: list[_Borders]) -> dict[str, Any]:
    readings = []
    for one, known in zip(found.under, borders, strict=True):
        reading: dict[str, Any] = {"value": one.value, "meaning": one.meaning}
        if one.verdict is not None:
            reading["verdict"] = verdict_document(one.verdict)
        if one.reach is not None and known.reach is not None:
            lee = one.reach.leeway
            reading["reach"] = {"body": lee.body, "kind": lee.kind, "allowance": lee.allowance}
            reading["reach"] |= known.reach.document()
        if one.threat is not None and one.danger is not None:
            reading["threat"] = {
                "on": one.threat.on,
                "terms": list(one.threat.terms),
                **one.danger.document(),
            }
        if known.threat:
            reading["threat"]["bands"] = bands_document(known.threat)
        readings.append(reading)
    return {
        "option": found.option.name,
        "question": found.option.question,
        "clauses": list(found.option.clauses),
        "differences": _differences(found, borders),
        "readings": readings,
    }
