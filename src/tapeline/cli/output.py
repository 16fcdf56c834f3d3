"""What commands print: verdicts in words and as JSON, tables, progress."""

from __future__ import annotations

import errno
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tapeline.errors import DocumentError, printable
from tapeline.work import work_limit

if TYPE_CHECKING:
    from tapeline.engine.actions import Action
    from tapeline.engine.clauses import RuleBook
    from tapeline.engine.events import Event
    from tapeline.engine.verdicts import Verdict
    from tapeline.opponent.standings import Tally

__all__ = [
    "FILE",
    "WRITTEN",
    "Numbers",
    "Progress",
    "error_lines",
    "jobs_option",
    "json_option",
    "number_option",
    "picture_option",
    "print_json",
    "print_plain",
    "reasons_of",
    "say",
    "seconds_option",
    "table_lines",
    "tally_document",
    "theme_option",
    "verdict_lines",
    "work_option",
]


F = TypeVar("F", bound=Callable[..., Any])


class Numbers(click.FloatRange):
    """A range of numbers, which what is no number is not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Fails for one out of the range."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class _Written(click.ParamType[str]):
    """The path of a file to write, in a folder that may yet have to be made.

    Whether it can be written is asked before there is any work.
    """

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path. Raises OSError, as writing would, where no file can be written."""
        path = Path(value)
        there = path if path.exists() else next(p for p in path.absolute().parents if p.exists())
        fault = 0
        if path.is_dir():
            fault = errno.EISDIR
        elif there != path and not there.is_dir():
            fault = errno.ENOTDIR
        elif not os.access(there, os.W_OK):
            fault = errno.EACCES
        if fault:
            raise OSError(fault, os.strerror(fault), str(value))
        return str(value)


class _PictureFile(_Written):
    """The path of a picture to write."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path. Fails for one with another ending, and where no file can be written."""
        if Path(value).suffix.lower() not in {".svg", ".png"}:
            self.fail(f"pictures are .svg or .png; got {Path(value).name!r}", param, ctx)
        return super().convert(value, param, ctx)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


theme_option = click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True
)


def picture_option(says: str, *names: str, required: bool = False) -> Callable[[F], F]:
    """An option that takes the file of a picture to write: -o, unless it has other names."""
    return click.option(
        *(names or ("-o", "--out")),
        required=required,
        type=_PictureFile(),
        metavar="FILE",
        help=f"{says} .svg or .png.",
    )


def number_option(
    *names: str, default: float, says: str, kind: click.ParamType[Any] | None = None, **more: Any
) -> Callable[[F], F]:
    """An option that takes a number and shows its default. kind: a count from 1 unless given."""
    kind = kind or click.IntRange(1)
    return click.option(*names, type=kind, default=default, show_default=True, help=says, **more)


jobs_option = number_option("--jobs", default=1, says="Processes at a time.")
seconds_option = number_option(
    "--seconds", default=5.0, says="For each turn of a program.", kind=Numbers(0, min_open=True)
)

#: What takes the path of a file, which need not be there.
FILE = click.Path(dir_okay=False, path_type=Path)
#: The same of one to be written.
WRITTEN = _Written()


def _limit(ctx: click.Context, _: click.Parameter, steps: int | None) -> None:
    if steps is not None:
        ctx.with_resource(work_limit(steps))


work_option = click.option(
    "--work",
    type=click.IntRange(1),
    metavar="STEPS",
    expose_value=False,
    callback=_limit,
    help="Give up after so many steps of work; a million take some seconds.",
)


def say(*lines: str, err: bool = False, end: bool = True) -> None:
    """Print lines, with whatever a terminal would obey written out; the only way to print.

    Texts of documents stand in most lines: a name must neither clear a screen nor pass for a
    verdict. JSON stays the same JSON by it.
    """
    if lines:
        click.echo("\n".join(map(printable, lines)), nl=end, err=err)


def error_lines(error: Exception) -> list[str]:
    """What is wrong, a fault a line."""
    if isinstance(error, DocumentError):
        # Its faults are lines of their own, and hold no others.
        return str(error).split("\n")
    return [str(error)]


def print_json(form: str, picture: str | None = None, /, **members: Any) -> None:
    """A document of the format `tapeline-FORM/1` on stdout; picture: what was drawn, told last."""
    drawn = {} if picture is None else {"file": picture}
    print_plain({"format": f"tapeline-{form}/1", **members, **drawn})


def print_plain(data: dict[str, Any]) -> None:
    """Plain values as JSON on stdout."""
    say(*json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False).split("\n"))


def table_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows as lines with columns flush left; the last column is not padded."""
    rows = [tuple(row) for row in rows]
    if not rows:
        return []
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join([*(cell.ljust(widths[at]) for at, cell in enumerate(row[:-1])), row[-1]]).rstrip()
        for row in rows
    ]


def tally_document(found: Tally) -> dict[str, Any]:
    """Games won, drawn and lost as JSON, with the share and its interval."""
    return {
        "games": found.games,
        "won": found.wins,
        "drawn": found.draws,
        "lost": found.losses,
        "share": round(found.share, 4),
        "interval": [round(end, 4) for end in found.interval],
    }


def reasons_of(verdict: Verdict, book: RuleBook) -> list[dict[str, str]]:
    """Why what is not refused may be done: the clauses that bore on it, with what each says.

    Clauses that are findings say it themselves and are left out.
    """
    if not verdict.legal:
        return []
    said = {finding.clause for finding in verdict.findings}
    return [{"clause": id, "says": book[id].says} for id in verdict.cites if id not in said]


def verdict_lines(
    action: Action | None, verdict: Verdict, book: RuleBook, events: Iterable[Event] = ()
) -> list[str]:
    """A verdict in words: kind, findings with measure and limit, what came of it as events tell,
    cost, what is needed next, and of one that is legal the clauses that bore on it."""
    from tapeline.engine.events import Happened, Removed
    from tapeline.picture.words import action_words, ask_words, measure_words, value_words
    from tapeline.table.marks import thaw
    from tapeline.wording import figure

    words = f"  {action_words(action)}" if action is not None else ""
    lines = [f"{verdict.kind:<8}{words}".rstrip()]
    for number, finding in enumerate(verdict.findings, 1):
        lines.append(f"  {number}. {finding.text} ({finding.clause})")
        facts = [measure_words(finding)]
        if finding.place is not None:
            facts.append(f"at ({figure(finding.place[0], 3)}, {figure(finding.place[1], 3)})")
        if finding.about is not None:
            facts.append(f"about {finding.about}")
        if any(facts):
            lines.append("     " + ", ".join(fact for fact in facts if fact))
    events = tuple(events)
    left = {event.body for event in events if isinstance(event, Removed)}
    for moved in verdict.moved:
        x, y, z = moved.end
        up = f", {figure(z, 3)} up" if z else ""
        there = "was last" if moved.body in left else "stands"
        lines.append(
            f"  {moved.body} {there} at ({figure(x, 3)}, {figure(y, 3)}){up}, "
            f"facing {figure(moved.facing, 3)}"
        )
    lines.extend(f"  {e.text}" for e in events if isinstance(e, Happened) and e.outcome)
    lines.extend(
        f"  cost {figure(line.cost, 3)}: {line.what} ({line.clause})" for line in verdict.ledger
    )
    if len(verdict.ledger) > 1:
        lines.append(f"  cost {figure(verdict.cost, 3)} all together")
    for name, value in thaw(verdict.values).items():
        lines.append(f"  {name.replace('_', ' ')}: {value_words(value)}")
    if verdict.ask is not None:
        lines.append(f"  needed next: {ask_words(verdict.ask)}")
    for reason in reasons_of(verdict, book):
        text = f"by {reason['clause']}: {reason['says']}"
        wrapped = click.wrap_text(text, 96, initial_indent="  ", subsequent_indent="      ")
        lines += wrapped.split("\n")
    if verdict.nearest is not None:
        nearest = verdict.nearest
        lines.append(f"  nearest legal move: {nearest.text}")
        lines.append(f"     {json.dumps(thaw(nearest.action))}")
    return lines


class Progress:
    """A count on stderr for work that takes more than a second; nothing for less."""

    def __init__(self, what: str, total: int | None = None) -> None:
        self.what = what
        self.total = total
        self._start = self._last = time.monotonic()
        self._shown = False
        self._live = sys.stderr.isatty()

    def __call__(self, done: int, note: str = "") -> None:
        """So many are done; note: what else is to be told, as the time that is left."""
        now = time.monotonic()
        wait = 0.3 if self._live else 5.0
        if now - self._start < 1.0 or now - self._last < wait:
            return
        self._last = now
        of = f" of {self.total}" if self.total is not None else ""
        start = "\r" if self._live else ""
        click.echo(
            f"{start}{self.what}: {done}{of}{note and f', {note}'}", nl=not self._live, err=True
        )
        self._shown = True

    def done(self) -> None:
        """End the line, if one was begun."""
        if self._shown and self._live:
            click.echo("", err=True)
