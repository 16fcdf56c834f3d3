"""What other servers have written to the same database, looked for while pages watch.

The log in the database is the truth for all servers on it, and its key lets no two of them write
the same entry. What is missing is that one hears of the other: each looks whether the matches that
its own pages watch have grown, one question for all of them; on PostgreSQL at those of which it is
told (`notices.py`), elsewhere at all, about once a second.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from tapeline.web.hub.room import Room
from tapeline.web.store.store import News

__all__ = ["changed", "differs"]

#: Matches asked about in one question at most.
AT_ONCE = 500


def differs(room: Room, news: News) -> bool:
    """Whether a match has other entries, proposals or remarks than this server knows of."""
    if news.entries < room.version:
        # Written here after the look.
        return False
    known = {plan.id: plan.kept().body for plan in room.plans if plan.version == room.version}
    told = {kept.id: kept.body for kept in news.proposals if kept.version == news.entries}
    return news.entries > room.version or known != told or news.remarks > room.remarks


async def changed(
    rooms: Iterable[Room], look: Callable[[list[str]], Awaitable[dict[str, News]]]
) -> list[Room]:
    """Those of some matches that another server has written to.

    look: what the database has of matches by id.
    """
    asked, found = [*rooms], []
    for at in range(0, len(asked), AT_ONCE):
        part = asked[at : at + AT_ONCE]
        news = await look([room.id for room in part])
        found += [room for room in part if differs(room, news.get(room.id, News(0)))]
    return found
