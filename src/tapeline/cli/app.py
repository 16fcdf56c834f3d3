"""The command `tapeline`: its subcommands, and what every one of them does with errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

import tapeline
from tapeline.cli.output import error_lines, say
from tapeline.errors import TapelineError, printable

__all__ = ["COMMANDS", "app"]


#: What each command does, in the order of a game; its file has its name.
COMMANDS = {
    "play": "Open the table in the browser.",
    "serve": "Serve the browser table, also to others.",
    "admin": "Look after the matches of a server.",
    "judge": "Judge cases, or actions on a scene.",
    "draw": "Draw a scene, a case, a log or a judged action.",
    "gallery": "Judge and draw the example scenes.",
    "reach": "Where a body can get to in one move.",
    "route": "A cheapest way to a place or towards a body.",
    "threat": "Whom the enemy can strike next, where, and how likely.",
    "see": "What a body or a side sees, and who sees a place.",
    "survey": "Is a table fair: reach, sight, lanes and goals of both sides.",
    "odds": "The chances of what an action leads to.",
    "suggest": "The best few actions, with reasons.",
    "opponent": "Let the computer opponent play itself.",
    "ladder": "Many games of each level against the next, as a table.",
    "arena": "Many games between programs: a table and ratings.",
    "lab": "Experiments of many games, tables or logs.",
    "offers": "What may be done now.",
    "do": "Do actions and keep a log.",
    "replay": "Replay a log; check or referee it again.",
    "bot": "Let programs play each other.",
    "rules": "The clauses and options of a system.",
    "check": "Check documents; list every fault.",
    "compare": "One position under the values of a reading, side by side.",
    "new": "Write a scene to start from.",
    "roster": "Read a list of what a side brings.",
    "puzzle": "Check a puzzle, or a log that solves one.",
    "warmup": "Compile the measuring kernels ahead.",
}
#: Commands that stand in the file of another.
_TOGETHER = {
    "offers": "do",
    "puzzle": "check",
    "roster": "new",
    "arena": "bot",
    "gallery": "draw",
    "see": "threat",
    "ladder": "opponent",
    "play": "serve",
    "route": "reach",
    "suggest": "opponent",
}


class _Failure(click.ClickException):
    """Something Tapeline refuses to work with; exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """The message on stderr."""
        say(*f"tapeline: {self.message}".split("\n"), err=True)


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """What goes wrong within is told in a sentence."""
    try:
        yield
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


class _Commands(click.Group):
    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """With --help and --version, which are told now."""
        with _in_a_sentence():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_a_sentence():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a game, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, whose file is imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tapeline.cli.{_TOGETHER.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What they do, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


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
