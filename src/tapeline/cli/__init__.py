"""The command line: thin commands over `tapeline.play` and `tapeline.picture`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Entry point of the command `tapeline`."""
    from tapeline.cli.app import app

    app(prog_name="tapeline")
