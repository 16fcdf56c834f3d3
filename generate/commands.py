"""The page on commands, written from their own --help, and what other pages show of commands."""

from __future__ import annotations

import re
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from shlex import split
from shutil import copytree
from tempfile import TemporaryDirectory

import click

from tapeline.cli.app import COMMANDS, app
from tapeline.cli.draw import picture_of_case, write_picture
from tapeline.play.cases import read_cases

__all__ = ["PICTURES", "commands_page", "with_outputs", "write_pictures"]

#: Pictures in the documentation: name, and the case whose last step it shows.
PICTURES = {"trench-refused": "into-the-hall", "sovl-refused": "the-brake"}

_HEAD = """# Commands

Written by `make docs` from each command's `--help`; do not edit. What `--json` prints:
[json-output.md](json-output.md).
"""


def commands_page() -> str:
    """The help of `tapeline` and of every command as one Markdown page."""
    parts = [_HEAD, _block(app, "tapeline")]
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        parts += [f"## {name}\n", _block(command, f"tapeline {name}")]
        for below, one in (command.commands if isinstance(command, click.Group) else {}).items():
            parts += [f"### {name} {below}\n", _block(one, f"tapeline {name} {below}")]
    return "\n".join(parts)


def _block(command: click.Command, name: str) -> str:
    context = click.Context(
        command, info_name=name, terminal_width=90, help_option_names=["-h", "--help"]
    )
    lines = [line.rstrip() for line in command.get_help(context).splitlines()]
    return "```text\n" + "\n".join(lines) + "\n```\n"


_CONSOLE = re.compile(r"^```console\n\$ (.*)\n(?:.*\n)*?```$", re.MULTILINE)
_JSON = re.compile(r"^```json\n((?:.*\n)*?)```$", re.MULTILINE)


def with_outputs(page: str, examples: Path) -> str:
    """A page with what the command of every `console` block prints in its block.

    Commands find the folder `examples`, and the first case among the page's JSON as `case.json`.
    """
    if not _CONSOLE.search(page):
        return page
    there = examples.resolve()
    with TemporaryDirectory() as folder, chdir(folder):
        copytree(there, "examples")
        cases = (text for text in _JSON.findall(page) if '"tapeline-case/' in text)
        Path("case.json").write_text(next(cases, "{}"), encoding="utf-8")
        return _CONSOLE.sub(lambda found: f"```console\n$ {found[1]}\n{_output(found[1])}```", page)


def _output(command: str) -> str:
    program, *words = split(command)
    assert program == "tapeline", command
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()), suppress(SystemExit):
        app(words, prog_name="tapeline")
    assert out.getvalue(), f"{command}: prints nothing"
    return out.getvalue()


def write_pictures(examples: Path, folder: Path) -> None:
    """Draw what the pages of the documentation show, from the examples."""
    for name, case_id in PICTURES.items():
        path = examples / f"{name.partition('-')[0]}-judged.json"
        case = next(case for case in read_cases(path) if case.id == case_id)
        svg, _ = picture_of_case(case, path, None)
        write_picture(svg, folder / f"{name}.svg")
