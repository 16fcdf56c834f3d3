"""`tapeline new`: a scene to start from; `tapeline roster`: a list of what a side brings, read."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tapeline.cli.output import WRITTEN, json_option, print_json, print_plain, say
from tapeline.errors import DocumentError, Fault
from tapeline.play.cities import make_city
from tapeline.play.files import write_whole
from tapeline.play.rosters import read_roster
from tapeline.play.systems import load_system
from tapeline.play.templates import TEMPLATES, make_scene
from tapeline.wording import counted

__all__ = ["new", "roster"]


@click.command()
@click.argument("system")
@click.option("--template", help="duel, skirmish (the default), battle or city.")
@click.option("--random", "seed", metavar="SEED", help="A table at random from a seed.")
@click.option(
    "-o", "--out", type=WRITTEN, metavar="FILE", help="Where to write it; else to stdout."
)
@json_option
def new(
    system: str, template: str | None, seed: str | None, out: str | None, as_json: bool
) -> None:
    """Write a scene for a SYSTEM to start from. It always passes `tapeline check`.

    Templates: duel (two bodies, an empty table), skirmish (a small table with terrain), battle
    (a full one), city (10 to 40 ruins of 2 to 4 storeys, for systems that climb). --random draws
    table, terrain and bodies from a seed; the same seed gives the same scene.

    \b
    Examples:
      tapeline new sovl -o scene.json
      tapeline new trench-crusade --template battle -o big.json
      tapeline new sovl --random 42 -o random.json
      tapeline new mordheim --template city --random 7 -o city.json
    """
    if template is not None and seed is not None and template != "city":
        raise click.UsageError("give one of --template and --random")
    if template is not None and template not in (*TEMPLATES, "city"):
        known = ", ".join((*TEMPLATES, "city"))
        fault = Fault("--template", f"must be one of {known}; got {template!r}")
        raise DocumentError("new", [fault])
    if template == "city":
        scene = make_city(load_system(system), seed or 0)
    else:
        scene = make_scene(load_system(system), template or "skirmish", seed)
    text = json.dumps(scene, indent=1, ensure_ascii=False)
    if out is not None:
        if Path(out).exists():
            raise DocumentError(out, [Fault("", "exists already")])
        write_whole(out, f"{text}\n".encode())
    if as_json:
        print_json("new", file=out, scene=scene)
    elif out is not None:
        say(f"{out}: {scene['name']}")
    else:
        say(*text.split("\n"))


@click.command()
@click.argument("system")
@click.argument("source", metavar="FILE")
@click.option("--name", default="", help="What the roster is called.")
@click.option("-o", "--out", type=WRITTEN, metavar="ROSTER", help="Where to write it as JSON.")
@json_option
def roster(system: str, source: str, name: str, out: str | None, as_json: bool) -> None:
    """Read a roster for a SYSTEM: a list, CSV or JSON; - reads standard input.

    A list has a line for each entry: "3x Azeb", "Ash: Azeb", "Spears: Infantry (20)". CSV has a
    header with profile, and name, count and size if wanted. Every line that cannot be read or
    whose profile is not known is told. The scene editor takes the same text, and what -o writes.

    \b
    Exit codes: 0 read, 2 not.

    \b
    Examples:
      tapeline roster trench-crusade warband.txt
      tapeline roster sovl army.csv --name "Host of Dawn" -o army.json
    """
    if out is not None and Path(out).exists():
        raise DocumentError(out, [Fault("", "exists already")])
    try:
        with click.open_file(source, encoding="utf-8-sig") as file:
            text = file.read()
    except UnicodeDecodeError:
        raise DocumentError(source, [Fault("", "is not UTF-8 text")]) from None
    rules = load_system(system)
    try:
        found = read_roster(text, rules, name)
    except DocumentError as error:
        raise DocumentError(source, error.faults) from None
    document = found.model_dump(exclude_none=True)
    if out is not None:
        content = json.dumps(document, indent=1, ensure_ascii=False)
        write_whole(out, f"{content}\n".encode())
    if as_json:
        print_plain(document)
        return
    for line in found.lines:
        size = f" ({line.size})" if line.size is not None else ""
        profile = f": {line.profile}" if line.profile != line.name else ""
        say(f"{line.count} x {line.name}{profile}{size}")
    say(counted(sum(line.count for line in found.lines), "entry", "entries") + " in all")
