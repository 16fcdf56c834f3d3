"""`tapeline admin delete, purge, rotate-link, revoke`: what is taken away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from tapeline.cli.admin.group import (
    Office,
    about_document,
    about_rows,
    address_option,
    admin,
    age,
    office,
    yes_option,
)
from tapeline.cli.output import say, table_lines
from tapeline.errors import TapelineError
from tapeline.wording import counted

if TYPE_CHECKING:
    from tapeline.web.store.admin import AdminStore, ListedMatch
    from tapeline.web.store.store import KeptLink

__all__ = ["delete", "purge", "revoke", "rotate_link"]


@admin.command(short_help="Delete matches, for good.")
@click.argument("matches", nargs=-1, required=True)
@yes_option
@office
def delete(office: Office, matches: tuple[str, ...], yes: bool) -> None:
    """Delete matches with their logs and links, and the copies made of them to try things on.
    Whoever has one open is told that it is gone.

    Nothing of them stays in the files of the database, which is written anew for that; servers
    wait so long before they write. It stays in copies (`tapeline admin backup`) made before.

    \b
    Examples:
      tapeline admin delete 0123456789abcdef
      tapeline admin delete 0123456789abcdef fedcba9876543210 --yes
    """
    with office.store() as store:
        _delete(office, store, store.with_copies(matches), yes)


@admin.command(short_help="Delete matches that nobody plays any more.")
@click.option(
    "--older-than", type=age, metavar="AGE", required=True, help="Not played for so long, as 90d."
)
@click.option("--copies", is_flag=True, help="Only copies on which somebody tried things.")
@click.option("--dry-run", is_flag=True, help="Only tell which.")
@yes_option
@office
def purge(office: Office, older_than: timedelta, copies: bool, dry_run: bool, yes: bool) -> None:
    """Delete all matches whose newest entry is older than that, as `delete` does.

    A server does the same by itself, once a day, with `tapeline serve --keep`.

    \b
    Examples:
      tapeline admin purge --older-than 90d --dry-run
      tapeline admin purge --older-than 1w --copies --yes
    """
    with office.store() as store:
        found = store.matches(datetime.now(UTC) - older_than, copies)
        if found and not dry_run:
            _delete(office, store, found, yes)
            return
    lines = [*(table_lines(about_rows(found)) if found else []), "nothing was deleted"]
    document = {"matches": [about_document(one) for one in found], "deleted": 0, "scrubbed": None}
    office.say("delete", document, lines)


def _delete(office: Office, store: AdminStore, found: Sequence[ListedMatch], yes: bool) -> None:
    what = counted(len(found), "match", "matches")
    if not yes:
        say(*table_lines(about_rows(found)), err=True)
        click.confirm(f"Delete {what} for good?", abort=True, err=True)
    deleted = 0
    for one in found:
        with office.audited("delete", match=one.id, entries=one.entries):
            deleted += store.delete([one.id])
    scrubbed = store.scrub()
    left = (
        "nothing of it is left in the files of the database"
        if scrubbed
        else "old bytes stay in the file beside the database until whoever reads there has ended"
    )
    document = {
        "matches": [about_document(one) for one in found],
        "deleted": deleted,
        "scrubbed": scrubbed,
    }
    office.say("delete", document, [f"deleted {counted(deleted, 'match', 'matches')}; {left}"])


@admin.command("rotate-link", short_help="Give a link of a match a new secret.")
@click.argument("match")
@click.argument("who")
@address_option
@yes_option
@office
def rotate_link(office: Office, match: str, who: str, address: str, yes: bool) -> None:
    """Make a link anew; the one before it opens nothing any longer.

    WHO is the id of a side, `both` (the link of a match on one device) or `watch`, as
    `tapeline admin show` lists them. The new link is told this once.

    \b
    Examples:
      tapeline admin rotate-link 0123456789abcdef red --address https://table.example.org
    """
    from tapeline.web.hub.matches import digest, new_token

    with office.store() as store:
        (link,) = _links(store, match, [who])
        if not yes:
            click.confirm(f"End the link of {who} that is in use?", abort=True, err=True)
        token = new_token()
        with office.audited("rotate-link", match=match, link=who):
            store.change_link(match, link, digest(token))
    path = f"/t/{match}#{token}"
    document = {"match": match, "role": link.role, "side": link.side, "path": path, "token": token}
    office.say("link", document, [address.rstrip("/") + path])


@admin.command(short_help="Take links of a match away, or an invitation.")
@click.argument("match", required=False)
@click.argument("who", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All links: nobody opens the match any longer.")
@click.option("--invitation", type=int, metavar="N", help="Instead: the invitation of that number.")
@yes_option
@office
def revoke(
    office: Office,
    match: str | None,
    who: tuple[str, ...],
    every: bool,
    invitation: int | None,
    yes: bool,
) -> None:
    """Take links away; whoever has the match open by one of them is sent away within a second.

    WHO is the id of a side, `both` or `watch`, as for `tapeline admin rotate-link`, which gives
    another link instead. The match itself stays until it is deleted.

    \b
    Examples:
      tapeline admin revoke 0123456789abcdef watch
      tapeline admin revoke 0123456789abcdef --all --yes
      tapeline admin revoke --invitation 3
    """
    if (match is None) == (invitation is None) or (match is not None and every == bool(who)):
        raise click.UsageError("name a match with links of it or --all, or give --invitation")
    with office.store() as store:
        if match is None:
            assert invitation is not None
            with office.audited("revoke", invitation=invitation):
                store.uninvite(invitation)
            office.say("revoke", {"invitation": invitation}, [f"invitation {invitation} is gone"])
            return
        links = _links(store, match, None if every else who)
        what = counted(len(links), "link", "links")
        if not yes:
            click.confirm(f"Take {what} of {match} away?", abort=True, err=True)
        for link in links:
            with office.audited("revoke", match=match, link=link.side or link.role):
                store.change_link(match, link, None)
    told = [{"role": link.role, "side": link.side} for link in links]
    office.say("revoke", {"match": match, "links": told}, [f"{what} taken away"])


def _links(store: AdminStore, match: str, who: Sequence[str] | None) -> list[KeptLink]:
    """The links of a match that are named; all for None. Raises TapelineError."""
    store.about(match)
    there = store.links(match)
    if who is None:
        return there
    found = []
    for name in who:
        named = [link for link in there if (link.side or link.role) == name]
        if not named:
            names = ", ".join(link.side or link.role for link in there) or "none"
            raise TapelineError(f"match {match} has no link {name!r}; it has: {names}")
        found += named
    return found
