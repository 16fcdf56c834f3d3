"""The command `tapeline`: its subcommands, and what every one of them does with errors."""

from __future__ import annotations

from typing import Any

import click

import tapeline
from tapeline.cli.admin import admin
from tapeline.cli.arena import arena
from tapeline.cli.bot import bot
from tapeline.cli.check import check
from tapeline.cli.compare import compare
from tapeline.cli.do import do
from tapeline.cli.draw import draw
from tapeline.cli.gallery import gallery
from tapeline.cli.judge import judge
from tapeline.cli.lab import lab
from tapeline.cli.ladder import ladder
from tapeline.cli.new import new
from tapeline.cli.odds import odds
from tapeline.cli.offers import offers
from tapeline.cli.opponent import opponent, suggest
from tapeline.cli.output import error_lines, say
from tapeline.cli.play import play
from tapeline.cli.puzzle import puzzle
from tapeline.cli.reach import reach, route
from tapeline.cli.replay import replay
from tapeline.cli.roster import roster
from tapeline.cli.rules import rules
from tapeline.cli.see import see
from tapeline.cli.serve import serve
from tapeline.cli.survey import survey
from tapeline.cli.threat import threat
from tapeline.cli.warmup import warmup
from tapeline.errors import TapelineError, printable

__all__ = ["app"]


class _Failure(click.ClickException):
    """Something Tapeline refuses to work with; exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """The message on stderr."""
        say(*f"tapeline: {self.message}".split("\n"), err=True)


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Whoever read our output has stopped; click ends quietly then.
            raise
        except TapelineError as error:
            raise _Failure("\n".join(map(printable, error_lines(error)))) from None
        except OSError as error:
            name = f"{error.filename}: " if error.filename is not None else ""
            raise _Failure(printable(f"{name}{error.strerror or error}")) from None
        except MemoryError:
            raise _Failure("there is not enough memory for this") from None
        except ImportError as error:
            why = f"a library cannot be loaded ({error}): reinstall it, or allow more memory"
            raise _Failure(printable(why)) from None
        except click.UsageError as error:
            # The name of a file may stand in it.
            message = "\n".join(map(printable, error.format_message().split("\n")))
            if message == error.format_message():
                raise
            raise click.UsageError(message, error.ctx) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a game, not of the alphabet."""
        return list(self.commands)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command explains itself with --help and prints JSON with --json.",
)
@click.version_option(tapeline.__version__, prog_name="tapeline")
def app() -> None:
    """The referee with the tape measure for miniatures wargames.

    A scene file goes in, a move is judged, the verdict and a picture come out.

    \b
    Exit codes: 0 as expected or legal, 1 not, 2 input that cannot be used.
    """


for _command in (
    play,
    serve,
    admin,
    judge,
    draw,
    gallery,
    reach,
    route,
    threat,
    see,
    survey,
    odds,
    suggest,
    opponent,
    ladder,
    arena,
    lab,
    offers,
    do,
    replay,
    bot,
    rules,
    check,
    compare,
    new,
    roster,
    puzzle,
    warmup,
):
    app.add_command(_command)
