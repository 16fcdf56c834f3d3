"""What is said at the table, kept with the match: the newest remarks, numbered from 1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from tapeline.web.store.store import StaleError, Store
from tapeline.web.store.tables import RemarkRow

__all__ = ["KeptRemark", "remark", "remarks"]


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
