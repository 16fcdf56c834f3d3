"""`tapeline reach` and `tapeline route`: where a body can get to, by which way, at what cost."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import click

from tapeline.analysis.reach import Reach, reach_of, route_of
from tapeline.analysis.storeys import StoreyReach, StoreyWay
from tapeline.analysis.ways import Border, Way
from tapeline.cli.draw import write_picture
from tapeline.cli.files import position
from tapeline.cli.output import (
    Numbers,
    Progress,
    json_option,
    number_option,
    picture_option,
    print_json,
    say,
    table_lines,
    theme_option,
    work_option,
)
from tapeline.engine.codec import plain
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.picture.bands import ColouredBand, DrawnRoute, StoreyBands, draw_reach, levels_of
from tapeline.picture.reached import Reached, reached
from tapeline.picture.traces import trace
from tapeline.table.bodies import Body
from tapeline.wording import figure

__all__ = ["place_of", "reach", "route"]

_NUMBER = r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)"
_PLACE = re.compile(f"{_NUMBER},{_NUMBER}(?:,{_NUMBER})?")
_EPS = 0.001

#: x and y, and on tables with floors the height.
Place: TypeAlias = tuple[float, ...]
AnyWay: TypeAlias = "Way | StoreyWay"

_kind = click.option("--kind", metavar="KIND", help="Kind of move; the usual one unless given.")
_out = picture_option("Draw it:")


def place_of(text: str, option: str = "--to") -> tuple[float, ...]:
    """A place as x, y or x, y, height, given to an option."""
    found = _PLACE.fullmatch(text)
    if found is not None:
        try:
            figures = tuple(float(part) for part in found.groups() if part is not None)
        except ValueError:
            pass
        else:
            if all(abs(figure) <= 1e6 for figure in figures):
                return figures
    message = f"must be a place x,y or x,y,height in table units; got {text!r}"
    raise DocumentError(option, [Fault("", message)])


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("body")
@_kind
@click.option("--to", "places", multiple=True, metavar="X,Y", help="Ask about a place; repeatable.")
@_out
@number_option(
    "--eps", default=_EPS, kind=Numbers(1e-6, 1.0),
    says="How closely outlines follow the border, table units.",
)  # fmt: skip
@click.option(
    "--resolution",
    type=Numbers(0.01),
    help="Side of the squares by which outlines over slow ground are marched.",
)
@click.option("--title", default="", help="Title of the picture.")
@theme_option
@work_option
@json_option
@click.pass_context
def reach(
    ctx: click.Context,
    source: str,
    body: str,
    kind: str | None,
    places: tuple[str, ...],
    out: str | None,
    eps: float,
    resolution: float | None,
    title: str,
    theme: str,
    as_json: bool,
) -> None:
    """Where BODY can get to in one move, as the referee would judge it.

    With --to: whether a place is in reach, what the way costs, and the path to give to the
    referee; on tables with floors a place may have a height. Without: the area, and with -o the
    picture with bands by cost, a plan for every floor. Membership is exact; over slow ground costs
    come with the lowest they could be. Reach is given also for a body that may not move now, with
    the reason.

    \b
    Exit codes: 0 all places given are in reach, 1 one is not, 2 input that cannot be used.

    \b
    Examples:
      tapeline reach examples/trench-ruined-square.json r-3 -o reach.png
      tapeline reach examples/trench-well.json red-1 --kind dash --to 8,7 --to 9,8.5
      tapeline reach examples/trench-storeys.json r-3 --to 24,22.7,2.25 -o upstairs.png
      tapeline reach examples/trench-well.json red-1 --to 8,7 --json
    """
    system, state = position(source)
    found = reach_of(system, state, body, kind)
    asked = [place_of(text) for text in places]
    ways = [_way_to(found, p) for p in asked]
    plans: Sequence[Reached] = ()
    levels = levels_of(found.allowance)
    if out is not None or not places:
        levels = levels if out is not None else (found.allowance,)
        progress = Progress("places measured")
        plans = reached(state, found, levels, eps, resolution=resolution, progress=progress)
        progress.done()
    if out is not None:
        routes = [
            _drawn(p, way, state) for p, way in zip(asked, ways, strict=True) if way is not None
        ]
        svg = _picture(system, state, found, levels, plans, routes, title, theme)
        write_picture(svg, out)
    if as_json:
        print_json("reach", out, **_document(found, asked, ways, levels, plans))
    else:
        _print(state, found, asked, ways, plans, out)
    ctx.exit(0 if all(way is not None for way in ways) else 1)


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("body")
@click.option("--to", "target", required=True, metavar="X,Y|BODY", help="A place, or a body.")
@_kind
@_out
@click.option("--title", default="", help="Title of the picture.")
@theme_option
@work_option
@json_option
@click.pass_context
def route(
    ctx: click.Context,
    source: str,
    body: str,
    target: str,
    kind: str | None,
    out: str | None,
    title: str,
    theme: str,
    as_json: bool,
) -> None:
    """A cheapest way of BODY to a place, or as near to another body as its move may bring it.

    The way may be longer than one move; the answer says how many moves it takes to pay for it.

    \b
    Exit codes: 0 there is a way, 1 there is none, 2 input that cannot be used.

    \b
    Examples:
      tapeline route examples/trench-ruined-square.json r-3 --to 30,12.5 -o way.svg
      tapeline route examples/trench-ruined-square.json r-3 --to b-2 --json
    """
    system, state = position(source)
    to = target if target in state.bodies or "," not in target else _flat(place_of(target))
    found = reach_of(system, state, body, kind)
    way = route_of(system, state, body, to, kind)
    unit = state.table.unit
    if out is not None:
        end = way.end if way is not None and way.path.legs else found.leeway.start
        routes = [] if way is None else [_drawn(end, way, state)]
        svg = _picture(system, state, found, (), [], routes, title, theme)
        write_picture(svg, out)
    if as_json:
        print_json(
            "route",
            body=body,
            kind=found.leeway.kind,
            to=list(to) if isinstance(to, tuple) else to,
            allowance=found.allowance,
            way=None if way is None else way.document(),
            findings=plain(found.findings),
        )
    elif way is None:
        say(f"no way of {body} leads to {target}")
    else:
        moves = math.ceil((way.cost - 1e-6) / found.allowance) if found.allowance > 0.0 else 0
        takes = f", at least {moves} moves of {found.allowance:g}" if moves > 1 else ""
        say(f"{_way_words(way, unit)}{takes}")
        say(*_legs_lines(state.body(body), way))
    if not as_json and out is not None:
        say(out)
    ctx.exit(0 if way is not None else 1)


def _flat(place: Place) -> tuple[float, float]:
    if len(place) == 3:
        fault = Fault("", "must be a place x,y on the floor that the body stands on")
        raise DocumentError("--to", [fault])
    return place[0], place[1]


def _way_to(found: Reach, place: Place) -> AnyWay | None:
    """A way to a place; with a height, over the storeys of the table."""
    if len(place) == 3:
        return StoreyReach(found.leeway).route((place[0], place[1], place[2]))
    return found.route((place[0], place[1]))


def _drawn(p: Place, way: AnyWay, state: State) -> DrawnRoute:
    place = f"to ({', '.join(figure(v) for v in p)}): "
    return DrawnRoute(way.legs, way.cost, place + _way_words(way, state.table.unit))


def _picture(
    system: System,
    state: State,
    found: Reach,
    levels: Sequence[float],
    plans: Sequence[Reached],
    routes: Sequence[DrawnRoute],
    title: str,
    theme: str,
) -> str:
    def bands(borders: Sequence[Border]) -> tuple[ColouredBand, ...]:
        return tuple(ColouredBand(level, b.rings) for level, b in zip(levels, borders, strict=True))

    drawn = [StoreyBands(plan.storey, tuple(map(bands, plan.surfaces))) for plan in plans]
    drawn = drawn or [StoreyBands(None, ())]
    notes = _exactness(plans, state.table.unit)
    return draw_reach(
        state, system, found.leeway, drawn, routes, notes=notes, title=title, theme=theme
    )


def _exactness(plans: Sequence[Reached], unit: str) -> list[str]:
    """How close the borders are to the true ones, a line for each sort."""
    lines: dict[str, None] = {}
    for plan in plans:
        for borders in plan.surfaces:
            border = borders[-1]
            eps = f"{border.eps:g} {unit}"
            if border.resolution is None:
                lines[f"Outlines are within {eps} of the true border."] = None
            else:
                lines[
                    f"Outlines over slow ground and on floors are marched: eps {eps} at "
                    "their corners, between them chords across squares of "
                    f"{figure(border.resolution)} {unit}."
                ] = None
    return list(lines)


def _way_words(way: AnyWay, unit: str) -> str:
    places = 4 if way.gap > 1e-6 else 2
    words = f"costs {figure(way.cost, places)}"
    if isinstance(way, Way):
        words = f"{figure(way.length)} {unit} long, {words}"
    if way.gap > 1e-6:
        words += f", none below {figure(way.lower, places)}"
    if isinstance(way, Way) and way.hazards:
        words += f", a roll for {', '.join(way.hazards)}"
    return words


def _legs_lines(body: Body, way: AnyWay) -> list[str]:
    rows: list[tuple[str, str, str]] = []
    for leg, part in zip(way.legs, trace(body, way.legs).stretches, strict=True):
        low, high = part.heights
        length = math.hypot(part.length, high - low)
        if length <= TOLERANCE and leg.by is None:
            continue  # nobody can measure it
        x, y = part.end
        to = f"to ({figure(x, 3)}, {figure(y, 3)})"
        if abs(high - low) > 1e-9:
            to += f" at height {figure(high, 3)}"
        if leg.centre is not None:
            cx, cy = leg.centre
            to += f" round ({figure(cx, 3)}, {figure(cy, 3)}) by {figure(leg.by or 0.0)} degrees"
        rows.append((f"  {len(rows) + 1}", figure(length), to))
    return table_lines(rows)


def _document(
    found: Reach,
    asked: Sequence[Place],
    ways: Sequence[AnyWay | None],
    levels: Sequence[float],
    plans: Sequence[Reached],
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "body": found.leeway.body,
        "kind": found.leeway.kind,
        "start": list(found.leeway.start),
        "allowance": found.allowance,
        "clauses": list(found.leeway.clauses),
        "findings": plain(found.findings),
        "places": [
            {
                "to": list(p),
                "reachable": way is not None,
                "surely_not": way is None and _surely_not(found, p),
                "way": None if way is None else way.document(),
            }
            for p, way in zip(asked, ways, strict=True)
        ],
    }
    if plans:
        # The floor it stands on comes by itself, as on a table without others.
        document["bands"] = [
            band for plan in plans if plan.own for band in _bands(levels, plan.surfaces[0])
        ]
        document["floors"] = [
            {"from": plan.storey.bottom, "surfaces": [_bands(levels, s) for s in plan.surfaces]}
            for plan in plans
            if plan.storey is not None
        ]
    return document


def _bands(levels: Sequence[float], borders: Sequence[Border]) -> list[dict[str, Any]]:
    return [
        {"cost": level, **border.document()} for level, border in zip(levels, borders, strict=True)
    ]


def _surely_not(found: Reach, place: Place) -> bool:
    return len(place) == 2 and found.excludes((place[0], place[1]))


def _print(
    state: State,
    found: Reach,
    asked: Sequence[Place],
    ways: Sequence[AnyWay | None],
    plans: Sequence[Reached],
    out: str | None,
) -> None:
    lee, unit = found.leeway, state.table.unit
    say(f"{lee.body}: {lee.kind} up to {figure(found.allowance)} {unit}")
    say(*(f"  not now: {one.text} ({one.clause})" for one in found.findings))
    for p, way in zip(asked, ways, strict=True):
        place = f"({', '.join(figure(v, 3) for v in p)})"
        if way is not None:
            say(f"  {place}: in reach, {_way_words(way, unit)}")
            say(*("  " + line for line in _legs_lines(state.body(lee.body), way)))
        else:
            sure = "out of reach" if _surely_not(found, p) else "no way found within the allowance"
            say(f"  {place}: {sure}")
    for plan in plans:
        area = sum(borders[-1].area for borders in plan.surfaces)
        floor = "" if plan.storey is None else f" from height {figure(plan.storey.bottom)}"
        say(f"  area{floor} {figure(area)} square {unit}")
    for line in _exactness(plans, unit):
        say(f"  {line}")
    if out is not None:
        say(out)
