"""The page on commands, written from their own --help: `python -m tapeline.cli.reference DIR`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

__all__ = ["commands_page", "main"]

_HEAD = """# Commands

Written by `make docs` from each command's `--help`; do not edit. What `--json` prints:
[json-output.md](json-output.md).
"""


def commands_page() -> str:
    """The help of `tapeline` and of every command as one Markdown page."""
    from tapeline.cli.app import app

    parts = [_HEAD, _block(app, "tapeline")]
    for name in app.list_commands(click.Context(app)):
        parts.append(f"## {name}\n")
        parts.append(_block(app.commands[name], f"tapeline {name}"))
    return "\n".join(parts)


def _block(command: click.Command, name: str) -> str:
    context = click.Context(
        command, info_name=name, terminal_width=90, help_option_names=["-h", "--help"]
    )
    lines = [line.rstrip() for line in command.get_help(context).splitlines()]
    return "```text\n" + "\n".join(lines) + "\n```\n"


def main(folder: str) -> None:
    """Write the page into a folder."""
    Path(folder, "commands.md").write_text(commands_page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
