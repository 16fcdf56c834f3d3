"""The tables. A match is its header line and its entries, as in a log file; nothing is changed."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Boolean, DateTime, ForeignKey, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = [
    "Base",
    "CommitmentRow",
    "EntryRow",
    "InvitationRow",
    "LinkRow",
    "MatchRow",
    "ProposalRow",
    "RemarkRow",
]


def _now() -> datetime:
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """What all tables share."""


class MatchRow(Base):
    """A match. header: the first line of its log. seed: secret, of the dice the server rolls.

    rematch: the match that was begun after it with the same links. clock: how it was set and what
    is left, as JSON. hints: whether all sides have agreed that they may be asked for.
    """

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=_now)
    header: Mapped[str] = mapped_column(Text)
    mode: Mapped[str] = mapped_column(String(16))
    dice: Mapped[str] = mapped_column(String(16))
    seed: Mapped[str] = mapped_column(String(64))
    copy_of: Mapped[str | None] = mapped_column(String(32))
    rematch: Mapped[str | None] = mapped_column(String(32))
    clock: Mapped[str | None] = mapped_column(Text)
    hints: Mapped[bool] = mapped_column(Boolean, default=False)


class EntryRow(Base):
    """A line of the log. The key lets no two servers write the same number."""

    __tablename__ = "entries"

    match_id: Mapped[str] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    written: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=_now)
    line: Mapped[str] = mapped_column(Text)


class LinkRow(Base):
    """A link. The secret itself is not kept: digest is its SHA-256."""

    __tablename__ = "links"
    __table_args__ = (Index("links_of_match", "match_id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(8))
    side: Mapped[str | None] = mapped_column(String(64))
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))


class ProposalRow(Base):
    """Something to be agreed on at one version; body: JSON. What is decided or has lapsed
    is forgotten; state is "open"."""

    __tablename__ = "proposals"
    __table_args__ = (Index("proposals_of_match", "match_id", "state"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    version: Mapped[int] = mapped_column(Integer)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=_now)
    body: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), default="open")


class CommitmentRow(Base):
    """What the page of a side has committed to, while it is there. number, key: of the entry that
    it has revealed a key for last."""

    __tablename__ = "commitments"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    side: Mapped[str] = mapped_column(String(64))
    commitment: Mapped[str] = mapped_column(String(64))
    number: Mapped[int] = mapped_column(Integer, default=0)
    key: Mapped[str] = mapped_column(String(64), default="")


class RemarkRow(Base):
    """What somebody has said at the table. n: its number in the match. side: or "both", "watch"."""

    __tablename__ = "remarks"

    match_id: Mapped[str] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    written: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=_now)
    side: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)


class InvitationRow(Base):
    """Leave to begin as many matches as `uses` says. digest: SHA-256 of its secret."""

    __tablename__ = "invitations"
    __table_args__ = (Index("invitations_by_digest", "digest", unique=True),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=_now)
    expires: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    uses: Mapped[int] = mapped_column(Integer)
    note: Mapped[str] = mapped_column(String(200), default="")
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))
