"""The store: synchronous, to be called from worker threads. Written means committed to disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from alembic.util import CommandError
from sqlalchemy import (
    ColumnElement,
    Select,
    create_engine,
    delete,
    event,
    exists,
    func,
    insert,
    make_url,
    or_,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import StaticPool

from tapeline.errors import TapelineError
from tapeline.web.store.connection import (
    WRITES,
    StoreError,
    make_file,
    migrate,
    scrub,
    sqlite_begin,
    sqlite_settings,
    why_not,
)
from tapeline.web.store.tables import (
    CommitmentRow,
    EntryRow,
    InvitationRow,
    LinkRow,
    MatchRow,
    ProposalRow,
    RemarkRow,
)

__all__ = [
    "CHANNEL",
    "KeptCommitment",
    "KeptLink",
    "KeptMatch",
    "KeptProposal",
    "KeptRemark",
    "News",
    "StaleError",
    "Store",
    "UninvitedError",
    "idle",
    "remark",
    "remarks",
]

#: What servers on one PostgreSQL listen to. A notice is who sends it and the match.
CHANNEL = "tapeline"


class StaleError(TapelineError):
    """Somebody else has written an entry of that number."""


class UninvitedError(TapelineError):
    """An invitation that is used up, over, or none."""


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match without its log; fields as of `MatchRow`."""

    id: str
    mode: str
    dice: str
    seed: str
    copy_of: str | None = None
    rematch: str | None = None
    clock: str | None = None
    hints: bool = False


@dataclass(frozen=True, slots=True)
class KeptLink:
    """A link: its role, the side it moves (None: both, or none), the digest of its secret."""

    role: str
    side: str | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class KeptProposal:
    """A proposal: the version it is for, and what is proposed, as JSON."""

    id: str
    version: int
    body: str


@dataclass(frozen=True, slots=True)
class KeptCommitment:
    """What the page of a side has committed to; fields as of `CommitmentRow`."""

    side: str
    commitment: str
    number: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class News:
    """How many entries a match has, its open proposals, and how many remarks were made."""

    entries: int
    proposals: tuple[KeptProposal, ...] = ()
    remarks: int = 0


class Store:
    """The matches of a server in a database. Raises StoreError if it cannot be opened."""

    def __init__(self, url: str) -> None:
        try:
            place = make_url(url)
            keywords: dict[str, Any] = {}
            lite = place.get_backend_name() == "sqlite"
            memory = lite and place.database in (None, "", ":memory:")
            if lite:
                keywords["connect_args"] = {"check_same_thread": False, "timeout": 20.0}
                if memory:
                    keywords["poolclass"] = StaticPool
                else:
                    make_file(Path(str(place.database)))
            else:
                keywords["pool_pre_ping"] = True
            self.engine = create_engine(place, **keywords)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise StoreError(f"the database cannot be used: {error}") from None
        #: Whether pieces of what was deleted may be left in its files.
        self.unscrubbed = False
        # In memory there is one connection, which takes one transaction at a time.
        self._gate: AbstractContextManager[object] = Lock() if memory else nullcontext()
        if lite:
            event.listen(self.engine, "connect", sqlite_settings)
            event.listen(self.engine, "begin", sqlite_begin)
        self._reads: sessionmaker[Session] = sessionmaker(self.engine)
        self._writes: sessionmaker[Session] = sessionmaker(self.engine.execution_options(**WRITES))
        try:
            migrate(self.engine)
        except DBAPIError as error:
            self.engine.dispose()
            raise StoreError(f"the database cannot be opened: {why_not(error)}") from None
        except CommandError as error:
            self.engine.dispose()
            raise StoreError(
                f"the database is not of this version of Tapeline ({error}); nothing was changed"
            ) from None

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is on the disk when it is left. Raises StoreError, IntegrityError."""
        try:
            with self._gate, self._writes.begin() as session:
                yield session
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise StoreError(f"it could not be kept: {why_not(error)}") from None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A look at the database. Raises StoreError."""
        try:
            with self._gate, self._reads() as session:
                yield session
        except DBAPIError as error:
            raise StoreError(f"the database does not answer: {why_not(error)}") from None

    def create(
        self,
        kept: KeptMatch,
        lines: Iterable[str],
        links: Iterable[KeptLink],
        invitation: bytes | None = None,
        after: str | None = None,
    ) -> None:
        """Keep a new match. lines: its log, the header first.

        invitation: the digest of one that is used up by it. after: the match that it is the rematch
        of. Raises UninvitedError, StaleError where there is one already.
        """
        header, *entries = lines
        with self.writing() as session:
            if invitation is not None:
                _use(session, invitation)
            if after is not None:
                _follow(session, after, kept.id)
            session.add(MatchRow(header=header, **asdict(kept)))
            session.flush()
            if entries:
                session.execute(insert(EntryRow), _rows(kept.id, entries, 1))
            session.add_all(LinkRow(match_id=kept.id, **asdict(link)) for link in links)

    def match(self, match_id: str) -> KeptMatch | None:
        """The match of that id, None if there is none."""
        with self.reading() as session:
            row = session.get(MatchRow, match_id)
            names = (field.name for field in fields(KeptMatch))
            return None if row is None else KeptMatch(*(getattr(row, name) for name in names))

    def keep_clock(self, match_id: str, clock: str) -> None:
        """Keep what is left on the clock of a match."""
        with self.writing() as session:
            session.execute(update(MatchRow).where(MatchRow.id == match_id).values(clock=clock))

    def allow_hints(self, match_id: str, on: bool) -> None:
        """Keep whether the sides of a match have agreed to hints."""
        with self.writing() as session:
            session.execute(update(MatchRow).where(MatchRow.id == match_id).values(hints=on))

    def hints(self, match_id: str) -> bool:
        """Whether the sides of a match have agreed to hints."""
        with self.reading() as session:
            return bool(session.scalar(select(MatchRow.hints).where(MatchRow.id == match_id)))

    def beside(self, match_id: str) -> tuple[str | None, int]:
        """The match that was begun after one with its links, and how many remarks were made."""
        last = select(func.max(RemarkRow.n)).where(RemarkRow.match_id == match_id)
        with self.reading() as session:
            rematch = session.scalar(select(MatchRow.rematch).where(MatchRow.id == match_id))
            return rematch, session.scalar(last) or 0

    def newest(self) -> datetime | None:
        """When the newest match was begun; None if there is none."""
        with self.reading() as session:
            found = session.scalar(select(func.max(MatchRow.created)))
            return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)

    def links(self, match_id: str) -> list[KeptLink]:
        """The links of a match; none of one that is not there."""
        return self.links_of([match_id])[match_id]

    def links_of(self, match_ids: Sequence[str]) -> dict[str, list[KeptLink]]:
        """The links of each of some matches."""
        found: dict[str, list[KeptLink]] = {match_id: [] for match_id in match_ids}
        wanted = select(LinkRow).where(LinkRow.match_id.in_(match_ids)).order_by(LinkRow.id)
        with self.reading() as session:
            for row in session.scalars(wanted):
                found[row.match_id].append(KeptLink(row.role, row.side, row.digest))
        return found

    def lines(self, match_id: str, after: int = 0, most: int | None = None) -> list[str]:
        """The lines of the entries after number `after`, in order; below 0, the header first.

        most: how many entries at most.
        """
        with self.reading() as session:
            header = select(MatchRow.header).where(MatchRow.id == match_id)
            found = [] if after >= 0 else list(session.scalars(header))
            entries = (
                select(EntryRow.line)
                .where(EntryRow.match_id == match_id, EntryRow.n > after)
                .order_by(EntryRow.n)
                .limit(most)
            )
            return found + list(session.scalars(entries))

    def length(self, match_id: str) -> tuple[int, int]:
        """How many entries a match has, and how many characters they have."""
        sums = select(func.max(EntryRow.n), func.sum(func.length(EntryRow.line)))
        with self.reading() as session:
            n, size = session.execute(sums.where(EntryRow.match_id == match_id)).one()
            return n or 0, int(size or 0)

    def news(self, match_ids: Sequence[str]) -> dict[str, News]:
        """How matches stand; those without entries and open proposals are left out.

        Raises StoreError if the database cannot be asked.
        """
        with self.reading() as session:
            found = {
                match_id: News(n) for match_id, n in session.execute(_last(EntryRow, match_ids))
            }
            for row in session.scalars(_open_proposals(match_ids)):
                kept = KeptProposal(row.id, row.version, row.body)
                so_far = found.get(row.match_id, News(0))
                found[row.match_id] = replace(so_far, proposals=(*so_far.proposals, kept))
            for match_id, n in session.execute(_last(RemarkRow, match_ids)):
                found[match_id] = replace(found.get(match_id, News(0)), remarks=n)
        return found

    def append(self, match_id: str, after: int, lines: Sequence[str]) -> None:
        """Write entries `after` + 1 and so on; all of them are on disk when this returns.

        after: the number of an entry that is there, 0 for none. Proposals lapse with it. Raises
        StaleError if an entry of such a number is there.
        """
        newest = select(func.max(EntryRow.n)).where(EntryRow.match_id == match_id)
        try:
            with self.writing() as session:
                if (session.scalar(newest) or 0) != after:
                    raise StaleError(f"the match is not at entry {after}")
                session.execute(insert(EntryRow), _rows(match_id, lines, after + 1))
                session.execute(delete(ProposalRow).where(ProposalRow.match_id == match_id))
        except IntegrityError:
            raise StaleError(f"entry {after + 1} is written") from None

    def prune(self, before: datetime, copies: bool = True) -> int:
        """Forget matches on which nothing was done since a time. Gives how many.

        copies: only those to try things on. What is left of them in the file: `scrub`.
        """
        with self.writing() as session:
            found = list(session.scalars(select(MatchRow.id).where(*idle(before, copies))))
            for match_id in found:
                session.execute(delete(MatchRow).where(MatchRow.id == match_id))
        self.unscrubbed |= bool(found)
        return len(found)

    def scrub(self) -> bool:
        """Write the database anew without what was deleted, of which pages keep pieces otherwise.

        False if somebody who reads kept them in the file beside it until later. Raises StoreError.
        """
        try:
            with self._gate:
                self.unscrubbed = not scrub(self.engine)
            return not self.unscrubbed
        except (DBAPIError, sqlite3.Error) as error:
            told = getattr(error, "orig", error)
            raise StoreError(
                f"what was deleted is still in the files of the database ({told})"
            ) from None

    def invited(self, digest: bytes) -> bool:
        """Whether an invitation with that digest may still be used."""
        with self.reading() as session:
            return session.scalar(select(InvitationRow.id).where(*_usable(digest))) is not None

    def proposals(self, match_id: str, version: int) -> list[KeptProposal]:
        """The open proposals that are for a version; those for others have lapsed."""
        with self.reading() as session:
            rows = session.scalars(_open_proposals([match_id], ProposalRow.version == version))
            return [KeptProposal(row.id, row.version, row.body) for row in rows]

    def propose(self, match_id: str, kept: KeptProposal, instead_of: Sequence[str] = ()) -> None:
        """Keep a proposal, in the place of earlier ones."""
        with self.writing() as session:
            for proposal_id in instead_of:
                session.execute(delete(ProposalRow).where(ProposalRow.id == proposal_id))
            session.add(ProposalRow(match_id=match_id, **asdict(kept)))

    def rewrite(self, proposal_id: str, body: str) -> None:
        """Change what a proposal says: who has agreed so far."""
        with self.writing() as session:
            known = update(ProposalRow).where(ProposalRow.id == proposal_id)
            session.execute(known.values(body=body))

    def decline(self, proposal_id: str) -> None:
        """Forget a proposal that was not agreed to."""
        with self.writing() as session:
            session.execute(delete(ProposalRow).where(ProposalRow.id == proposal_id))

    def commitments(self, match_id: str) -> list[KeptCommitment]:
        """What the pages of the sides have committed to, the oldest first."""
        wanted = select(CommitmentRow).where(CommitmentRow.match_id == match_id)
        with self.reading() as session:
            rows = session.scalars(wanted.order_by(CommitmentRow.id))
            return [KeptCommitment(row.side, row.commitment, row.number, row.key) for row in rows]

    def commit(self, match_id: str, side: str, commitment: str) -> None:
        """Keep what a page has committed to; one that is kept stays as it is."""
        mine = _committed(match_id, side, commitment)
        with self.writing() as session:
            if session.scalar(select(CommitmentRow.id).where(*mine)) is None:
                session.add(CommitmentRow(match_id=match_id, side=side, commitment=commitment))

    def reveal(self, match_id: str, side: str, commitment: str, number: int, key: str) -> None:
        """Keep the key of an entry that a page has revealed."""
        mine = _committed(match_id, side, commitment)
        with self.writing() as session:
            session.execute(update(CommitmentRow).where(*mine).values(number=number, key=key))

    def forget(self, match_id: str, side: str, commitment: str) -> None:
        """Forget what a page has committed to that is gone."""
        with self.writing() as session:
            session.execute(delete(CommitmentRow).where(*_committed(match_id, side, commitment)))


def _rows(match_id: str, lines: Sequence[str], first: int) -> list[dict[str, Any]]:
    """Entries as rows, numbered from the first: put in by one statement, without an object each."""
    return [{"match_id": match_id, "n": n, "line": line} for n, line in enumerate(lines, first)]


def _last(rows: type[EntryRow | RemarkRow], match_ids: Sequence[str]) -> Select[str, int]:
    """The number of the last of each match."""
    last = select(rows.match_id, func.max(rows.n))
    return last.where(rows.match_id.in_(match_ids)).group_by(rows.match_id)


def _open_proposals(match_ids: Sequence[str], *more: ColumnElement[bool]) -> Select[ProposalRow]:
    """The open proposals of matches, the oldest first."""
    of_these = (ProposalRow.match_id.in_(match_ids), ProposalRow.state == "open", *more)
    return select(ProposalRow).where(*of_these).order_by(ProposalRow.created, ProposalRow.id)


def _committed(match_id: str, side: str, commitment: str) -> tuple[ColumnElement[bool], ...]:
    """Which row of a commitment is meant."""
    return (
        CommitmentRow.match_id == match_id,
        CommitmentRow.side == side,
        CommitmentRow.commitment == commitment,
    )


def idle(before: datetime, copies: bool) -> list[ColumnElement[bool]]:
    """What holds for matches (or for copies alone) on which nothing was done since a time."""
    later = exists().where(EntryRow.match_id == MatchRow.id, EntryRow.written >= before)
    found: list[ColumnElement[bool]] = [MatchRow.created < before, ~later]
    return [*found, MatchRow.copy_of.is_not(None)] if copies else found


def _usable(digest: bytes) -> list[ColumnElement[bool]]:
    now = datetime.now(UTC)
    return [
        InvitationRow.digest == digest,
        InvitationRow.uses > 0,
        or_(InvitationRow.expires.is_(None), InvitationRow.expires > now),
    ]


def _use(session: Session, digest: bytes) -> None:
    taken = update(InvitationRow).where(*_usable(digest)).values(uses=InvitationRow.uses - 1)
    done: Any = session.execute(taken)
    if not done.rowcount:
        raise UninvitedError("this invitation has been used, or is over")


def _follow(session: Session, before: str, after: str) -> None:
    """Say of a match which one was begun after it. Raises StaleError if there is one."""
    free = update(MatchRow).where(MatchRow.id == before, MatchRow.rematch.is_(None))
    done: Any = session.execute(free.values(rematch=after))
    if not done.rowcount:
        raise StaleError("another match was begun after this one")


@dataclass(frozen=True, slots=True)
class KeptRemark:
    """A remark. side: or "both", "watch". at: seconds since 1970."""

    n: int
    side: str
    text: str
    at: float


def remarks(store: Store, match_id: str, after: int, most: int) -> list[KeptRemark]:
    """The newest remarks after a number, at most so many, in order. Raises StoreError."""
    wanted = select(RemarkRow).where(RemarkRow.match_id == match_id, RemarkRow.n > after)
    with store.reading() as session:
        rows = session.scalars(wanted.order_by(RemarkRow.n.desc()).limit(most)).all()
        return [KeptRemark(row.n, row.side, row.text, _seconds(row.written)) for row in rows[::-1]]


def remark(store: Store, match_id: str, side: str, text: str, most: int) -> KeptRemark:
    """Keep a remark, and no more than so many of a match. Raises StoreError, StaleError if
    somebody else spoke at the same time."""
    last = select(func.max(RemarkRow.n)).where(RemarkRow.match_id == match_id)
    now = datetime.now(UTC)
    try:
        with store.writing() as session:
            n = (session.scalar(last) or 0) + 1
            session.add(RemarkRow(match_id=match_id, n=n, written=now, side=side, text=text))
            old = delete(RemarkRow).where(RemarkRow.match_id == match_id, RemarkRow.n <= n - most)
            session.execute(old)
    except IntegrityError:
        raise StaleError("somebody spoke at the same moment") from None
    return KeptRemark(n, side, text, now.timestamp())


def _seconds(written: datetime) -> float:
    return (written if written.tzinfo else written.replace(tzinfo=UTC)).timestamp()
