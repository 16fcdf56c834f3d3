"""`tapeline roster`: a list of what a side brings, read and checked."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tapeline.cli.output import json_option, print_json, say
from tapeline.errors import DocumentError, Fault
from tapeline.play.files import write_whole
from tapeline.play.rosters import read_roster
from tapeline.play.systems import load_system
from tapeline.wording import counted

__all__ = ["roster"]


@click.command()
@click.argument("system")
@click.argument("source", metavar="FILE")
@click.option("--name", default="", help="What the roster is called.")
@click.option("-o", "--out", metavar="ROSTER", help="Where to write it as JSON.")
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
    found = read_roster(text, load_system(system), name)
    document = found.model_dump(exclude_none=True)
    if out is not None:
        content = json.dumps(document, indent=1, ensure_ascii=False)
        write_whole(out, f"{content}\n".encode())
    if as_json:
        print_json(document)
        return
    for line in found.lines:
        size = f" ({line.size})" if line.size is not None else ""
        profile = f": {line.profile}" if line.profile != line.name else ""
        say(f"{line.count} x {line.name}{profile}{size}")
    say(counted(sum(line.count for line in found.lines), "entry", "entries") + " in all")
