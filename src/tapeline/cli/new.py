"""`tapeline new`: a scene to start from, by template or at random."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tapeline.cli.output import json_option, print_json, say
from tapeline.errors import DocumentError, Fault
from tapeline.play.cities import make_city
from tapeline.play.files import write_whole
from tapeline.play.systems import load_system
from tapeline.play.templates import TEMPLATES, make_scene

__all__ = ["new"]


@click.command()
@click.argument("system")
@click.option("--template", help="duel, skirmish (the default), battle or city.")
@click.option("--random", "seed", metavar="SEED", help="A table at random from a seed.")
@click.option("-o", "--out", metavar="FILE", help="Where to write it; else to stdout.")
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
        print_json({"format": "tapeline-new/1", "file": out, "scene": scene})
    elif out is not None:
        say(f"{out}: {scene['name']}")
    else:
        say(*text.split("\n"))
