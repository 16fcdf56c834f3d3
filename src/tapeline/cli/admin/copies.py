"""`tapeline admin backup, restore`: copies of the database."""

from __future__ import annotations

from pathlib import Path

import click

from tapeline.cli.admin.group import Office, admin, office, yes_option
from tapeline.wording import counted

__all__ = ["backup", "restore"]


@admin.command(short_help="Copy the database, also while servers write to it.")
@click.argument("to", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@office
def backup(office: Office, to: Path, force: bool) -> None:
    """Copy a SQLite database to the file TO, as it is at one moment; servers go on meanwhile.

    The copy is one file, looked over before it takes its name. Do not copy the file of the
    database by other means while a server runs: most of it may be in the file beside it. For a
    PostgreSQL database it tells the command of that.

    \b
    Examples:
      tapeline admin backup /var/backups/tapeline.db
      tapeline admin backup tapeline-$(date +%F).db --database sqlite:////var/lib/tapeline/matches.db
    """
    from tapeline.web.store.backup import back_up, database_file

    database = database_file(office.database)
    with office.audited("backup", to=str(to)):
        found = back_up(database, to, force)
    document = {"file": str(to), "matches": found.matches, "entries": found.entries}
    line = f"{to}: {_words(found.matches, found.entries)}, {found.bytes} bytes"
    office.say("backup", {**document, "bytes": found.bytes}, [line])


@admin.command(short_help="Put a copy back in the place of the database.")
@click.argument("copy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--force", is_flag=True, help="Also while a server has the database open; start it anew then."
)
@yes_option
@office
def restore(office: Office, copy: Path, force: bool, yes: bool) -> None:
    """Put what a copy holds in the place of all that the database holds.

    The copy is looked over first, and all of it is put back or nothing. A database that is damaged
    is put aside. While a server runs it is refused unless forced.

    \b
    Examples:
      tapeline admin restore /var/backups/tapeline.db
    """
    from tapeline.web.store import backup as copies

    database = copies.database_file(office.database)
    found = copies.look_over(copy)
    if database.exists() and not yes:
        what = _words(found.matches, found.entries)
        click.confirm(f"Put {what} in the place of all in {database}?", abort=True, err=True)
    with office.audited("restore", copy=str(copy), matches=found.matches):
        found, aside = copies.restore(copy, database, force)
    lines = [f"{database}: {_words(found.matches, found.entries)}"]
    if aside is not None:
        lines.append(f"the damaged database is now {aside}")
    if force:
        lines.append("start all servers on it anew")
    document = {"matches": found.matches, "entries": found.entries}
    aside_at = None if aside is None else str(aside)
    office.say("restore", {"file": str(database), **document, "aside": aside_at}, lines)


def _words(matches: int, entries: int) -> str:
    return f"{counted(matches, 'match', 'matches')}, {counted(entries, 'entry', 'entries')}"
