"""Matches at their beginning and their end: kept with their links, deleted when nobody plays.

Links: their secrets, and what each lets its holder do.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from tapeline.web.documents.match import Created, Link
from tapeline.web.store.store import KeptLink, KeptMatch, Store
from tapeline.web.work.faults import ForbiddenError

__all__ = [
    "COPIES_KEPT",
    "digest",
    "find",
    "forget",
    "keep",
    "keep_again",
    "make_links",
    "new_id",
    "new_token",
]
Role: TypeAlias = Literal["side", "both", "watch"]

#: How long copies are kept on which somebody tried things.
COPIES_KEPT = timedelta(days=14)


def keep(
    store: Store,
    begun: bytes,
    match_id: str,
    seed: str,
    told: Mapping[str, Any] | None = None,
    copy_of: str | None = None,
    invitation: bytes | None = None,
) -> Created:
    """Keep a match that a worker has begun, with new links; they are told this once.

    told: what is known better than the worker says. Raises StoreError, UninvitedError, and
    ForbiddenError for the log of a match between two of which no copy is made.
    """
    first, *lines = begun.decode().split("\n")
    about = {**json.loads(first), **(told or {})}
    played = store.match(about["log_of"]) if about.get("no_copies") else None
    if played is not None and played.mode == "links":
        raise ForbiddenError(about["no_copies"])
    links, kept_links = make_links(match_id, about["sides"], about["mode"])
    clock = about.get("clock")
    kept = KeptMatch(match_id, about["mode"], about["dice"], seed, copy_of)
    if clock and kept.mode == "links":
        kept = replace(kept, clock=json.dumps({"setting": clock}))
    store.create(kept, lines, kept_links, invitation)
    return Created(id=match_id, links=links, commitment=about["commitment"])


def keep_again(
    store: Store,
    begun: bytes,
    match_id: str,
    seed: str,
    before: KeptMatch,
    links: Iterable[KeptLink],
) -> None:
    """Keep a match that follows another and that the links of that one open.

    Raises StoreError, StaleError where one follows already.
    """
    _, *lines = begun.decode().split("\n")
    clock = before.clock and json.dumps({"setting": json.loads(before.clock)["setting"]})
    kept = KeptMatch(match_id, before.mode, before.dice, seed, clock=clock)
    store.create(kept, lines, links, after=before.id)


def forget(store: Store, days: float) -> int:
    """Delete old copies, and matches without play for so many days (0: never). Gives how many.

    Nothing of them stays in the files of the database; where it could not be taken out, the next
    time tries again. Raises StoreError.
    """
    now = datetime.now(UTC)
    gone = store.prune(now - COPIES_KEPT)
    if days:
        gone += store.prune(now - timedelta(days=days), copies=False)
    if store.unscrubbed:
        store.scrub()
    return gone


def new_id() -> str:
    """An id of a match or a proposal; no secret, but not to be guessed either."""
    return secrets.token_hex(8)


def new_token() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(16)


def digest(token: str) -> bytes:
    """What is kept of a secret. The secret is random, so that a plain hash cannot be searched."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def find(links: Iterable[KeptLink], token: str) -> KeptLink | None:
    """The link with that secret, every one compared in constant time."""
    given, found = digest(token), None
    for link in links:
        if hmac.compare_digest(link.digest, given):
            found = link
    return found


def make_links(
    match_id: str, sides: Iterable[tuple[str, str]], mode: str
) -> tuple[list[Link], list[KeptLink]]:
    """New links of a match: as they are told once, and as they are kept.

    sides: id and name of each.
    """
    wanted: list[tuple[Role, str | None, str]] = [("both", None, "All sides")]
    if mode == "links":
        wanted = [("side", side, name) for side, name in sides]
    wanted.append(("watch", None, "Onlookers"))
    told, kept = [], []
    for role, side, name in wanted:
        token = new_token()
        path = f"/t/{match_id}#{token}"
        told.append(Link(role=role, side=side, name=name, path=path, token=token))
        kept.append(KeptLink(role, side, digest(token)))
    return told, kept
