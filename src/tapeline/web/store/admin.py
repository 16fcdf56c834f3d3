"""What whoever runs a server asks of its database and does to it, while servers use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Subquery, cast, delete, func, select, true, type_coerce, update
from sqlalchemy.orm import Session

from tapeline.web.store.backup import database_file
from tapeline.web.store.connection import StoreError
from tapeline.web.store.store import CHANNEL, KeptLink, Store, idle
from tapeline.web.store.tables import EntryRow, InvitationRow, LinkRow, MatchRow, ProposalRow

__all__ = ["AdminStore", "Invitation", "ListedMatch"]


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as it is listed. played: when its newest entry was written, or it was made."""

    id: str
    made: datetime
    played: datetime
    entries: int
    bytes: int
    mode: str
    system: str
    name: str
    copy_of: str | None


@dataclass(frozen=True, slots=True)
class Invitation:
    """Leave to begin so many more matches, until it expires; None: it does not."""

    id: int
    made: datetime
    expires: datetime | None
    uses: int
    note: str


class AdminStore(Store):
    """The database of a server. Raises StoreError if there is none yet."""

    def __init__(self, url: str) -> None:
        if url.startswith("sqlite") and not database_file(url).exists():
            raise StoreError(f"there is no database {database_file(url)}; name it with --database")
        super().__init__(url)

    def matches(
        self, before: datetime | None = None, copies: bool = False, only: str | None = None
    ) -> list[ListedMatch]:
        """What there is of matches, the one played last first.

        before: those on which nothing was done since. copies: those to try things on. only: the
        match of that id.
        """
        # SQLite knows a text that is JSON by looking at it.
        lite = self.engine.dialect.name == "sqlite"
        header: Any = type_coerce(MatchRow.header, JSON) if lite else cast(MatchRow.header, JSON)
        lines = _logs(only)
        played = func.coalesce(lines.c.written, MatchRow.created)
        wanted = (
            select(
                MatchRow.id,
                MatchRow.created,
                type_coerce(played, MatchRow.created.type),
                func.coalesce(lines.c.entries, 0),
                func.coalesce(lines.c.size, 0) + func.length(MatchRow.header),
                MatchRow.mode,
                header[("scene", "system")].as_string(),
                func.coalesce(header[("scene", "name")].as_string(), ""),
                MatchRow.copy_of,
            )
            .outerjoin(lines, lines.c.match_id == MatchRow.id)
            .order_by(played.desc(), MatchRow.id)
        )
        if before is not None:
            wanted = wanted.where(*idle(before, copies))
        elif copies:
            wanted = wanted.where(MatchRow.copy_of.is_not(None))
        if only is not None:
            wanted = wanted.where(MatchRow.id == only)
        with self.reading() as session:
            return [
                ListedMatch(id, _utc(made), _utc(last), entries, int(size), *rest)
                for id, made, last, entries, size, *rest in session.execute(wanted)
            ]

    def about(self, match_id: str) -> ListedMatch:
        """What there is of one match. Raises StoreError if there is none of that id."""
        found = self.matches(only=match_id)
        if not found:
            raise StoreError(f"there is no match {match_id!r}")
        return found[0]

    def with_copies(self, match_ids: Sequence[str]) -> list[ListedMatch]:
        """Matches, and the copies made of them to try things on: they hold the same.

        Raises StoreError if one is not there.
        """
        found = {match_id: self.about(match_id) for match_id in match_ids}
        copies = self.matches(copies=True)
        while more := [one for one in copies if one.copy_of in found and one.id not in found]:
            found |= {one.id: one for one in more}
        return list(found.values())

    def delete(self, match_ids: Sequence[str]) -> int:
        """Delete matches with all that is theirs. Gives how many there were."""
        with self.writing() as session:
            self._tell(session, match_ids)
            return sum(
                _count(session, delete(MatchRow).where(MatchRow.id == id)) for id in match_ids
            )

    def change_link(self, match_id: str, link: KeptLink, digest: bytes | None) -> None:
        """Give a link another secret, None to take it away. Raises StoreError if it is gone."""
        here = (LinkRow.match_id == match_id, LinkRow.digest == link.digest)
        with self.writing() as session:
            work: Any = delete(LinkRow).where(*here)
            if digest is not None:
                work = update(LinkRow).where(*here).values(digest=digest)
            if not _count(session, work):
                raise StoreError("the link is not there any longer")
            self._tell(session, [match_id])

    def _tell(self, session: Session, match_ids: Sequence[str]) -> None:
        """Have servers look at once at matches; those on SQLite look each second anyway."""
        if self.engine.dialect.name == "postgresql":
            for match_id in match_ids:
                session.execute(select(func.pg_notify(CHANNEL, f"admin {match_id}")))

    def invite(self, digest: bytes, uses: int, expires: datetime | None, note: str) -> int:
        """Keep an invitation; gives its number."""
        row = InvitationRow(digest=digest, uses=uses, expires=expires, note=note)
        with self.writing() as session:
            session.add(row)
            session.flush()
            return row.id

    def invitations(self) -> list[Invitation]:
        """The invitations that are left, also those used up or over."""
        with self.reading() as session:
            return [
                Invitation(
                    row.id,
                    _utc(row.created),
                    None if row.expires is None else _utc(row.expires),
                    row.uses,
                    row.note,
                )
                for row in session.scalars(select(InvitationRow).order_by(InvitationRow.id))
            ]

    def uninvite(self, number: int) -> None:
        """Take an invitation back. Raises StoreError if there is none of that number."""
        with self.writing() as session:
            if not _count(session, delete(InvitationRow).where(InvitationRow.id == number)):
                raise StoreError(f"there is no invitation {number}")

    def stats(self) -> dict[str, Any]:
        """Counts and sizes: of tables, of what is in them, of files."""
        counts = {
            "matches": select(func.count()).select_from(MatchRow),
            "copies": select(func.count(MatchRow.copy_of)),
            "entries": select(func.count()).select_from(EntryRow),
            "links": select(func.count()).select_from(LinkRow),
            "proposals": select(func.count()).select_from(ProposalRow),
            "invitations": select(func.count()).select_from(InvitationRow),
            "bytes_of_entries": select(func.sum(func.length(EntryRow.line))),
            "bytes_of_scenes": select(func.sum(func.length(MatchRow.header))),
        }
        with self.reading() as session:
            told: dict[str, Any] = {
                name: int(session.scalar(wanted) or 0) for name, wanted in counts.items()
            }
            first = session.scalar(select(func.min(MatchRow.created)))
            last = session.scalar(select(func.max(EntryRow.written)))
            if self.engine.dialect.name != "sqlite":
                size = select(func.pg_database_size(func.current_database()))
                told["bytes_of_database"] = int(session.scalar(size) or 0)
        told["oldest"] = None if first is None else _utc(first)
        told["played"] = None if last is None else _utc(last)
        if self.engine.dialect.name == "sqlite":
            for name, ending in (("bytes_of_database", ""), ("bytes_not_yet_in_it", "-wal")):
                path = Path(f"{self.engine.url.database}{ending}")
                told[name] = path.stat().st_size if path.exists() else 0
        return told


def _logs(only: str | None) -> Subquery:
    """How long the logs of matches are, or of the one of that id, and when they grew last."""
    return (
        select(
            EntryRow.match_id,
            func.max(EntryRow.written).label("written"),
            func.count().label("entries"),
            func.sum(func.length(EntryRow.line)).label("size"),
        )
        .where(true() if only is None else EntryRow.match_id == only)
        .group_by(EntryRow.match_id)
        .subquery()
    )


def _count(session: Session, work: Any) -> int:
    done: Any = session.execute(work)
    return int(done.rowcount)


def _utc(time: datetime) -> datetime:
    """SQLite keeps no time zone; all times are written in UTC."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
