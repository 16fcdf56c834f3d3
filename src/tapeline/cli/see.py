"""`tapeline see`: what a body or a side sees, past what, and who sees a place."""

from __future__ import annotations

from typing import Any

import click

from tapeline.analysis.sight import Sight, sight_of
from tapeline.cli.draw import write_picture
from tapeline.cli.files import position
from tapeline.cli.output import json_option, print_json, say, theme_option, work_option
from tapeline.cli.reach import place_of
from tapeline.engine.codec import plain
from tapeline.engine.sight import Seen
from tapeline.errors import DocumentError, Fault
from tapeline.picture.regions import Region, draw_regions

__all__ = ["see"]


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.argument("by", metavar="SIDE|ID")
@click.option("--on", metavar="ID", help="Who is looked at; each enemy unless given.")
@click.option("--at", "place", metavar="X,Y", help="As if --on stood there.")
@click.option("-o", "--out", metavar="FILE", help="Draw what is seen: .svg or .png.")
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
    at = None if place is None else place_of(place)
    mine = {state.body(name).side for name in sight.by}
    enemies = [body.id for body in state.bodies.values() if body.side not in mine]
    targets = enemies if on is None else [on]
    found = [(target, name, seen) for target in targets for name, seen in sight.sees(target, at)]
    if out is not None:
        write_picture(_picture(sight, by, theme), out)
    if as_json:
        print_json(_document(sight, by, at, found), out)
        return
    for target, name, seen in found:
        _say(target, name, seen)
    if out is not None:
        say(out)


def _say(target: str, name: str, seen: Seen) -> None:
    blocks = f" ({', '.join(seen.blocks)})" if seen.blocks else ""
    cover = f" {seen.cover}" if seen.cover else ""
    say(f"{name} > {target}: {seen.words.rstrip('.')}{blocks}.{cover}")


def _picture(sight: Sight, by: str, theme: str) -> str:
    rings = tuple(view.ring for view in sight.views if len(view.ring) > 2)
    notes = list(dict.fromkeys(view.words for view in sight.views))
    names = {entry.id: entry.name or entry.id for entry in sight.state.table.entries}
    closing = dict.fromkeys(names.get(b, b) for view in sight.views for b in view.blocks)
    if closing:
        notes.append(f"What closes the view: {', '.join(closing)}.")
    name = next((side.name for side in sight.state.sides if side.id == by), by)
    if by in sight.state.bodies:
        name = sight.state.bodies[by].name
    regions = [
        Region("" if number else f"seen by {name}", (ring,), "sight", 2)
        for number, ring in enumerate(rings)
    ]
    heading = f"What {name} sees"
    return draw_regions(
        sight.state, sight.system, regions, heading=heading, notes=notes, theme=theme
    )


def _document(
    sight: Sight, by: str, at: tuple[float, ...] | None, found: list[tuple[str, str, Seen]]
) -> dict[str, Any]:
    return {
        "format": "tapeline-sight/1",
        "by": by,
        "at": plain(at),
        "seen": [{"by": name, "on": target, **plain(seen)} for target, name, seen in found],
        "views": plain(sight.views),
    }
