"""`tapeline admin invite, invitations, password`: who may begin matches."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from tapeline.cli.admin.group import Office, address_option, admin, age, moment, office
from tapeline.cli.output import FILE, json_option, number_option, print_json, say, table_lines
from tapeline.cli.settings import require_web

__all__ = ["invitations", "invite", "password"]


@admin.command(short_help="Make an invitation to begin matches.")
@number_option(
    "--uses",
    default=1,
    says="How many matches may be begun with it.",
    kind=click.IntRange(1, 10_000),
)
@click.option(
    "--expires", type=age, metavar="AGE", default="30d", show_default=True, help="For how long."
)
@click.option("--note", default="", help="For whom, up to 200 characters; only you see it.")
@address_option
@office
def invite(office: Office, uses: int, expires: timedelta, note: str, address: str) -> None:
    """Make an invitation: with it one may begin matches on a server that is closed otherwise.

    Closed is a server with `tapeline serve --closed` or `--create-password-file`. The invitation
    is told this once, as a link to the start page; what is kept of it opens nothing.

    \b
    Examples:
      tapeline admin invite --note "Ann, Tuesday" --address https://table.example.org
      tapeline admin invite --uses 20 --expires 12w
    """
    from tapeline.web.hub.matches import digest, new_token

    if len(note) > 200:
        raise click.BadParameter("has more than 200 characters", param_hint="--note")
    token, until = new_token(), datetime.now(UTC) + expires
    with office.store() as store, office.audited("invite", uses=uses):
        number = store.invite(digest(token), uses, until, note)
    path = f"/#invitation={token}"
    document = {
        "number": number,
        "uses": uses,
        "expires": until.isoformat(timespec="seconds"),
        "path": path,
        "token": token,
    }
    office.say("invite", document, [address.rstrip("/") + path])


@admin.command(short_help="The invitations that were made.")
@office
def invitations(office: Office) -> None:
    """List the invitations: for how many matches each is good still, and until when.

    \b
    Examples:
      tapeline admin invitations
    """
    with office.store() as store:
        found = store.invitations()
    rows = [("number", "made", "expires", "left", "note")]
    told = []
    for one in found:
        times = (moment(one.made), moment(one.expires))
        rows.append((str(one.id), *times, str(one.uses), one.note))
        made = one.made.isoformat(timespec="seconds")
        expires = one.expires and one.expires.isoformat(timespec="seconds")
        until = {"number": one.id, "made": made, "expires": expires}
        told.append({**until, "uses": one.uses, "note": one.note})
    lines = table_lines(rows) if found else ["no invitations"]
    office.say("invitations", {"invitations": told}, lines)


@admin.command(short_help="Keep a password for beginning matches.")
@click.argument("file", type=FILE)
@click.password_option(help="Better typed when asked for: others see what a command is given.")
@json_option
def password(file: Path, password: str, as_json: bool) -> None:
    """Write what is kept of a password (by scrypt) to FILE, for
    `tapeline serve --create-password-file FILE`.

    Whoever knows it can begin matches. A server that runs takes a new one when it is started anew.

    \b
    Examples:
      tapeline admin password /etc/tapeline/create.password
    """
    require_web()
    from tapeline.web.hub.creators import kept_line

    line = kept_line(password)
    part = file.with_name(file.name + ".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as to:
        to.write(line + "\n")
    os.replace(part, file)
    if as_json:
        print_json("admin-password", file=str(file))
    else:
        say(f"{file}: give it to tapeline serve with --create-password-file")
