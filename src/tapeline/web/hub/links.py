"""Links: their secrets, and what each lets its holder do."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from tapeline.web.documents.match import Link
from tapeline.web.store.store import KeptLink

__all__ = ["digest", "find", "make_links", "new_id", "new_token"]


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
    wanted: list[tuple[str, str | None, str]] = [("both", None, "All sides")]
    if mode == "links":
        wanted = [("side", side, name) for side, name in sides]
    wanted.append(("watch", None, "Onlookers"))
    told, kept = [], []
    for role, side, name in wanted:
        token = new_token()
        told.append(
            Link(
                role=role,  # type: ignore[arg-type]
                side=side,
                name=name,
                path=f"/t/{match_id}#{token}",
                token=token,
            )
        )
        kept.append(KeptLink(role, side, digest(token)))
    return told, kept
