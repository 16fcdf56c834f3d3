"""`tapeline play`: the browser table, opened on this machine."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread
from typing import Any

import click

from tapeline.cli.output import json_option, say
from tapeline.cli.serve import PORT, address, listening, run_server, serving_line
from tapeline.cli.settings import make_settings, setting_options

__all__ = ["play"]


def _has_screen() -> bool:
    """Whether there is a screen; without one, a browser of text would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@click.command()
@click.option("--no-browser", is_flag=True, help="Only say the address.")
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; if it is taken, any that is free.",
)
@setting_options("database", "examples", "compile", "programs")
@json_option
def play(no_browser: bool, port: int, as_json: bool, **values: Any) -> None:
    """Open the table in the browser: play, measure, try things out.

    The table is served to this machine alone until Ctrl-C. Matches are kept, and are there again
    the next time. Needs the extra: pip install 'tapeline[web]'.

    \b
    Examples:
      tapeline play
      tapeline play --no-browser --examples my-scenes
    """
    settings = make_settings(**values)
    made = listening("127.0.0.1", port, otherwise_any=True)
    where = address(made)

    def ready() -> None:
        if as_json:
            say(serving_line(where, False))
        else:
            say(f"The table is at {where}", "Ctrl-C ends it; matches are kept.")
        if not no_browser and _has_screen():
            # Some browsers hold up whoever opens them.
            Thread(target=webbrowser.open, args=(where,), daemon=True).start()

    run_server(settings, made, ready)
