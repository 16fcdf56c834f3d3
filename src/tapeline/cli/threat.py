"""`tapeline threat`: whom the enemy can strike when it acts next, where, and how likely;
`tapeline see`: what a body or a side sees, past what, and who sees a place."""

from __future__ import annotations

from typing import Any

import click

from tapeline.analysis.reach import reach_of
from tapeline.analysis.sight import Sight, sight_of
from tapeline.analysis.threat import Danger, Safest, Threat, foes_of, threat_of
from tapeline.analysis.ways import Border
from tapeline.cli.draw import write_picture
from tapeline.cli.files import position, speed_up
from tapeline.cli.output import (
    Numbers,
    Progress,
    json_option,
    picture_option,
    print_json,
    say,
    table_lines,
    theme_option,
    work_option,
)
from tapeline.cli.reach import place_of
from tapeline.engine.codec import plain
from tapeline.engine.sight import Seen
from tapeline.engine.state import State
from tapeline.errors import DocumentError, Fault
from tapeline.picture.regions import Plan, Region, draw_plans
from tapeline.wording import figure, percent_and_fraction

__all__ = ["BANDS", "band_regions", "bands_document", "resolution_option", "see", "threat"]

#: The chances that bands are drawn for, the surest first, with their words; 0 is any at all.
BANDS = ((1.0, "struck for sure"), (0.5, "struck at least one time in two"), (0.0, "struck at all"))

resolution_option = click.option(
    "--resolution",
    type=Numbers(0.05),
    help="Side of the squares by which bands are marched; a 24th of the table unless given.",
)


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("by", metavar="SIDE|ID")
@click.option("--on", metavar="ID", help="Who could be struck; each enemy unless given.")
@click.option("--at", "places", multiple=True, metavar="X,Y", help="If it stood there; repeatable.")
@click.option("--safest", is_flag=True, help="The safest place in reach of a move of --on.")
@picture_option("Draw bands of chance for --on:")
@resolution_option
@theme_option
@work_option
@json_option
def threat(
    source: str,
    by: str,
    on: str | None,
    places: tuple[str, ...],
    safest: bool,
    out: str | None,
    resolution: float | None,
    theme: str,
    as_json: bool,
) -> None:
    """Whom a side, or one of its models or units, could strike when it acts next.

    BY is the id of the side, model or unit that would strike. Each way that the rules give it is
    played by the referee with every result of the dice, so chances are exact; what is taken for
    granted is said. With --on and --at: if that one stood there. With -o: a picture of where it
    would be struck, in bands of chance. In a city that takes minutes: sooner with one attacker or a
    greater --resolution; --work gives up.

    \b
    Examples:
      tapeline threat examples/sovl-salt-pans.json raid
      tapeline threat examples/trench-well.json blue --on red-1 --at 14,14 --at 11,9
      tapeline threat examples/trench-ruined-square.json b-3 --on r-2 -o threat.png
      tapeline threat examples/trench-well.json blue --on red-1 --safest --json
    """
    if on is None and (places or out or safest):
        raise click.UsageError("--at, --safest and -o need --on: who could be struck")
    system, state = position(source)
    speed_up(state)
    asked = [place_of(text, "--at") for text in places]
    names = foes_of(system, state, by) if on is None else [on]
    threats = [threat_of(system, state, by, name) for name in names]
    here = [found.here() for found in threats]
    first = threats[0] if threats else None
    there = [first.at(place) for place in asked] if first is not None else []
    best = None
    if safest and first is not None:
        best = first.safest(reach_of(system, state, first.on))
    borders: list[Border] = []
    if out is not None and first is not None:
        progress = Progress("points judged")
        levels = [chance for chance, _ in BANDS]

        def told(band: int, done: int, total: int) -> None:
            progress.total = total
            progress(done, f"band {band} of {len(levels)}")

        borders = first.bands(levels, resolution=resolution, progress=told)
        progress.done()
        write_picture(_picture(first, here[0], borders, theme), out)
    if as_json:
        print_json("threat", out, **_document(by, threats, here, there, best, borders))
    else:
        _print(state, threats, here, there, best, out)


def _picture(found: Threat, here: Danger, borders: list[Border], theme: str) -> str:
    state = found.state
    target = state.name_of(found.on)
    marks = {
        strike.by: percent_and_fraction(strike.chance)
        for strike in here.strikes
        if strike.by in state.bodies and strike.chance
    }
    border = borders[0]
    unit = state.table.unit
    notes = [
        f"Where the centre of {target} would be struck, by the likeliest of the attackers.",
        f"Corners of the bands are within {border.eps:g} {unit}; between them run chords across "
        f"squares of {border.resolution:.3g} {unit}.",
        *found.terms,
    ]
    plan, heading = Plan(state, band_regions(borders), marks=marks), f"Threat to {target}"
    return draw_plans([plan], found.system, heading=heading, notes=notes, theme=theme)


def band_regions(borders: list[Border]) -> tuple[Region, ...]:
    """The borders of `BANDS` as they are drawn."""
    return tuple(
        Region(words, border.rings, "threat", weight)
        for weight, ((_, words), border) in enumerate(zip(BANDS, borders, strict=True))
    )


def bands_document(borders: list[Border]) -> list[dict[str, Any]]:
    """The borders of `BANDS` as JSON."""
    return [
        {"chance": chance, **border.document()}
        for (chance, _), border in zip(BANDS, borders, strict=True)
    ]


def _document(
    by: str,
    threats: list[Threat],
    here: list[Danger],
    there: list[Danger],
    best: Safest | None,
    borders: list[Border],
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "by": by,
        "terms": list(threats[0].terms) if threats else [],
        "targets": [
            {"on": found.on, **danger.document()}
            for found, danger in zip(threats, here, strict=True)
        ],
        "places": [danger.document() for danger in there],
    }
    if best is not None:
        document["safest"] = {**best.danger.document(), "looked": best.looked}
    if borders:
        document["bands"] = bands_document(borders)
    return document


def _lines(state: State, where: str, danger: Danger) -> list[str]:
    """A danger for people: the whole, then who, how and how likely."""
    if danger.safe:
        return [f"{where}: safe"]
    rows = []
    for strike in danger.strikes:
        name = f"  {state.name_of(strike.by)}"
        if strike.chance:
            least = "at least " if strike.least and strike.chance < 1 else ""
            rows.append((name, least + percent_and_fraction(strike.chance), strike.way))
        rows += [(name, "not told", f.text) for f in strike.untold]
    whole = f"{where}: {percent_and_fraction(danger.chance)}"
    if not rows:
        return [f"{where}: none of the ways that are weighed strikes"]
    return [whole, *table_lines(rows)]


def _print(
    state: State,
    threats: list[Threat],
    here: list[Danger],
    there: list[Danger],
    best: Safest | None,
    out: str | None,
) -> None:
    for found, danger in zip(threats, here, strict=True):
        say(*_lines(state, f"{state.name_of(found.on)}, where it stands", danger))
    for danger in there:
        x, y = (figure(value, 3) for value in danger.place[:2])
        say(*_lines(state, f"at ({x}, {y})", danger))
    if best is not None:
        x, y = (figure(value, 3) for value in best.place)
        say(*_lines(state, f"safest of {best.looked} places: ({x}, {y})", best.danger))
    if threats:
        say(*threats[0].terms)
    say("Of several attackers each is taken to try as if it were alone.")
    if out is not None:
        say(out)


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("by", metavar="SIDE|ID")
@click.option("--on", metavar="ID", help="Who is looked at; each enemy unless given.")
@click.option("--at", "place", metavar="X,Y", help="As if --on stood there.")
@picture_option("Draw what is seen:")
@theme_option
@work_option
@json_option
def see(
    source: str,
    by: str,
    on: str | None,
    place: str | None,
    out: str | None,
    theme: str,
    as_json: bool,
) -> None:
    """What a body, or all of a unit or a side, sees of the table and of the enemy.

    Whom it sees is answered by the system's own rule of sight, with cover where it knows any. The
    region drawn is seen from one eye a body; what closes the view is named.

    \b
    Examples:
      tapeline see examples/trench-ruined-square.json r-3 -o seen.svg
      tapeline see examples/trench-ruined-square.json red --on b-2 --at 14,20
      tapeline see examples/sovl-ford.json W1 --json
    """
    system, state = position(source)
    sight = sight_of(system, state, by)
    if place is not None and on is None:
        raise DocumentError("--at", [Fault("", "say with --on who would stand there")])
    at = None if place is None else place_of(place, "--at")
    mine = {state.body(name).side for name in sight.by}
    enemies = [body.id for body in state.bodies.values() if body.side not in mine]
    targets = enemies if on is None else [on]
    found = [(target, name, seen) for target in targets for name, seen in sight.sees(target, at)]
    if out is not None:
        write_picture(_sight_picture(sight, by, theme), out)
    if as_json:
        told = [{"by": name, "on": target, **plain(seen)} for target, name, seen in found]
        print_json("sight", out, by=by, at=plain(at), seen=told, views=plain(sight.views))
        return
    for target, name, seen in found:
        _say(target, name, seen)
    if out is not None:
        say(out)


def _say(target: str, name: str, seen: Seen) -> None:
    blocks = f" ({', '.join(seen.blocks)})" if seen.blocks else ""
    cover = f" {seen.cover}" if seen.cover else ""
    say(f"{name} > {target}: {seen.words.rstrip('.')}{blocks}.{cover}")


def _sight_picture(sight: Sight, by: str, theme: str) -> str:
    rings = tuple(view.ring for view in sight.views if len(view.ring) > 2)
    notes = list(dict.fromkeys(view.words for view in sight.views))
    names = {entry.id: entry.name or entry.id for entry in sight.state.table.entries}
    closing = dict.fromkeys(names.get(b, b) for view in sight.views for b in view.blocks)
    if closing:
        notes.append(f"What closes the view: {', '.join(closing)}.")
    name = next((side.name for side in sight.state.sides if side.id == by), by)
    if by in sight.state.bodies:
        name = sight.state.bodies[by].name
    regions = tuple(
        Region("" if number else f"seen by {name}", (ring,), "sight", 2)
        for number, ring in enumerate(rings)
    )
    plan, heading = Plan(sight.state, regions), f"What {name} sees"
    return draw_plans([plan], sight.system, heading=heading, notes=notes, theme=theme)
