"""The group `tapeline admin`, and what its commands share: the database, the audit log, times."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tapeline.cli.output import FILE, json_option, print_json, say
from tapeline.cli.settings import require_web, variable

if TYPE_CHECKING:
    from tapeline.web.store.admin import AdminStore, ListedMatch

__all__ = [
    "Office",
    "about_document",
    "about_rows",
    "address_option",
    "admin",
    "age",
    "moment",
    "office",
    "yes_option",
]


@click.group()
def admin() -> None:
    """Look after the matches of a server: on its database, also while it runs.

    A running server notices within a second: a match that was deleted closes, a link that was taken
    away or changed opens nothing any longer. What changes something, or
    carries something away, is written to the audit log first. Times are in UTC. Each command prints
    JSON with --json.

    \b
    Examples:
      tapeline admin list --older-than 90d
      tapeline admin delete 0123456789abcdef
      tapeline admin backup /var/backups/tapeline.db
      tapeline admin purge --older-than 52w --yes --database sqlite:////var/lib/tapeline/matches.db
    """


_HOURS = {"h": 1, "d": 24, "w": 168}


def age(text: str) -> timedelta:
    """A time span: 36h, 90d, 12w. Raises BadParameter."""
    found = re.fullmatch(r"(\d{1,5})([hdw])", text)
    if found is None or int(found[1]) == 0:
        raise click.BadParameter(f"{text!r} is no age; say it as 36h, 90d or 12w")
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


yes_option = click.option("--yes", "-y", is_flag=True, help="Do it without asking.")

address_option = click.option(
    "--address",
    metavar="URL",
    default="",
    help="Where people reach the server, as https://table.example.org; put before the link.",
)


@dataclass(frozen=True, slots=True)
class Office:
    """What a command works with: a database by URL, the audit log, the form of the answer."""

    database: str
    log: Path
    as_json: bool

    @contextmanager
    def store(self) -> Iterator[AdminStore]:
        """The database, while it is needed. Raises StoreError if there is none."""
        from tapeline.web.store.admin import AdminStore

        store = AdminStore(self.database)
        try:
            yield store
        finally:
            store.close()

    def audited(self, act: str, **about: str | int | None) -> AbstractContextManager[None]:
        """Write an act to the audit log, then let it be done. Raises TapelineError."""
        from tapeline.web.audit import audited

        return audited(self.log, act, **about)

    def say(self, name: str, document: dict[str, Any], lines: Sequence[str]) -> None:
        """Answer, as lines or as a document of the format `tapeline-admin-NAME/1`."""
        if self.as_json:
            print_json(f"admin-{name}", **document)
        else:
            say(*lines)


def office(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an `Office` as its first argument, and the options that make one."""

    @functools.wraps(command)
    def run(database: str | None, audit_log: Path | None, as_json: bool, **given: Any) -> None:
        require_web()
        from tapeline.web.audit import audit_file
        from tapeline.web.settings import default_database
        from tapeline.web.store.backup import parsed

        url = database or default_database()
        parsed(url)
        command(Office(url, audit_log or audit_file(url), as_json), **given)

    for option in (
        json_option,
        click.option(
            "--audit-log",
            type=FILE,
            envvar=variable("audit-log"),
            show_envvar=True,
            help="Where acts are written down. By default beside the file of the database, else "
            "among the data of the user.",
        ),
        click.option(
            "--database",
            metavar="URL",
            envvar=variable("database"),
            show_envvar=True,
            help="Where matches are kept, as for `tapeline serve`.",
        ),
    ):
        run = option(run)
    return run


def moment(time: datetime | None) -> str:
    """A time in words for a table; empty for none."""
    return "" if time is None else f"{time.astimezone(UTC):%Y-%m-%d %H:%M}"


def about_document(about: ListedMatch) -> dict[str, Any]:
    """A match as it is listed, as JSON."""
    times = ("made", "played")
    return asdict(about) | {t: getattr(about, t).isoformat(timespec="seconds") for t in times}


def about_rows(matches: Sequence[ListedMatch]) -> list[Sequence[str]]:
    """A table of matches, its head first."""
    rows: list[Sequence[str]] = [
        ("match", "made", "played", "entries", "bytes", "mode", "system", "name")
    ]
    for one in matches:
        name = one.name + (f" (a copy of {one.copy_of})" if one.copy_of else "")
        counts = (str(one.entries), str(one.bytes))
        times = (moment(one.made), moment(one.played))
        rows.append((one.id, *times, *counts, one.mode, one.system, name))
    return rows
