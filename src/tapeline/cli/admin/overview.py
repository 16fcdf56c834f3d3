"""`tapeline admin list, show, export, stats, backup, restore`: what there is, and copies of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from tapeline.cli.admin.group import (
    Office,
    about_document,
    about_rows,
    admin,
    age,
    moment,
    office,
    yes_option,
)
from tapeline.cli.output import FILE, say, table_lines
from tapeline.wording import counted

__all__ = ["backup", "export", "list_matches", "restore", "show", "stats"]


@admin.command("list", short_help="The matches, the one played last first.")
@click.option(
    "--older-than", type=age, metavar="AGE", help="Only those not played for so long, as 90d."
)
@click.option("--copies", is_flag=True, help="Only copies on which somebody tries things.")
@office
def list_matches(office: Office, older_than: timedelta | None, copies: bool) -> None:
    """List the matches: when they were made and played, how long and large they are.

    \b
    Examples:
      tapeline admin list
      tapeline admin list --older-than 12w --json
    """
    before = None if older_than is None else datetime.now(UTC) - older_than
    with office.store() as store:
        found = store.matches(before, copies)
    lines = table_lines(about_rows(found)) if found else []
    lines.append(counted(len(found), "match", "matches"))
    office.say("list", {"matches": [about_document(one) for one in found]}, lines)


@admin.command(short_help="One match: its size, its times, its links.")
@click.argument("match")
@office
def show(office: Office, match: str) -> None:
    """Show what there is of one match, and which links it has. Their secrets are not kept.

    MATCH is the part of its address between /t/ and #.

    \b
    Examples:
      tapeline admin show 0123456789abcdef
    """
    with office.store() as store:
        about = store.about(match)
        links = store.links(match)
        proposals = len(store.proposals(match, about.entries))
    told = [{"role": link.role, "side": link.side} for link in links]
    lines = table_lines(
        [
            ("match", about.id),
            ("scene", f"{about.name} ({about.system})"),
            ("made", moment(about.made)),
            ("played", moment(about.played)),
            ("entries", str(about.entries)),
            ("bytes", str(about.bytes)),
            ("mode", about.mode),
            *([("copy of", about.copy_of)] if about.copy_of else []),
            ("proposals", str(proposals)),
            ("links", ", ".join(link.side or link.role for link in links) or "none"),
        ]
    )
    office.say("show", {**about_document(about), "proposals": proposals, "links": told}, lines)


@admin.command(short_help="The log of a match as a file.")
@click.argument("match")
@click.option("--output", "-o", type=FILE, help="The file to write; by default the log is printed.")
@office
def export(office: Office, match: str, output: Path | None) -> None:
    """Write the log of a match, as its players can; `tapeline replay` reads and checks it.

    It holds the key to the dice thrown so far, not to those to come.

    \b
    Examples:
      tapeline admin export 0123456789abcdef -o match.jsonl
    """
    from tapeline.play.files import write_whole
    from tapeline.play.match import Match
    from tapeline.web.views.exports import log_of

    with office.store() as store, office.audited("export", match=match):
        entries = store.about(match).entries
        kept = store.match(match)
        assert kept is not None
        text = log_of(Match.replay(store.lines(match, -1)), kept.seed)
    if output is not None:
        write_whole(output, text.encode())
    elif not office.as_json:
        say(*text.splitlines())
        return
    document = {"match": match, "entries": entries, "file": None, "log": text}
    if output is not None:
        document.update(file=str(output), log=None)
    office.say("export", document, [f"{output}: {counted(entries, 'entry', 'entries')}"])


@admin.command(short_help="Counts and sizes.")
@office
def stats(office: Office) -> None:
    """Tell how much there is of everything, and how large it is.

    What is not yet in the file of a SQLite database is in the file beside it (-wal): a copy of the
    first alone would lack it (`tapeline admin backup`).

    \b
    Examples:
      tapeline admin stats --json
    """
    with office.store() as store:
        told = store.stats()
    rows = [
        (name.replace("_", " "), str(v) if isinstance(v, int) else moment(v) or "never")
        for name, v in told.items()
    ]
    document = {
        name: v.isoformat(timespec="seconds") if isinstance(v, datetime) else v
        for name, v in told.items()
    }
    office.say("stats", document, table_lines(rows))


@admin.command(short_help="Copy the database, also while servers write to it.")
@click.argument("to", type=FILE)
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
