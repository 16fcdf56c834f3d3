"""What servers on one PostgreSQL tell each other at once, by NOTIFY: which matches have changed.

A notice goes out after the commit, on a connection of its own, many matches at a time. PostgreSQL
lets transactions that notify commit one after the other, each waiting for the disk: sent with the
entry itself it would allow an eighth of the entries a second (docs/scale.md). So a notice can be
lost, with the server that owes it: all matches are looked at too, every `LOOK_S`, and whenever
nothing could be heard for a while, in one question for all that pages watch here (`changed`). The
log in the database is the truth: its key lets no two servers write the same entry.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from tapeline.web.hub.matches import new_id
from tapeline.web.hub.room import Room
from tapeline.web.store.store import CHANNEL, News

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["LOOK_S", "Notices", "changed", "differs"]

_log = logging.getLogger(__name__)

#: Seconds between two looks at all matches while notices come.
LOOK_S = 30.0

#: A database that is gone without a word is found out within so many seconds.
_ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
#: Matches asked about in one question at most.
AT_ONCE = 500


class Notices:
    """Told and heard; without PostgreSQL nothing but the time to look again."""

    def __init__(self, engine: Engine, look_seconds: float) -> None:
        self._engine = engine if engine.driver == "psycopg" and look_seconds else None
        self._look_seconds = look_seconds
        self._me = new_id()
        self._due = 0.0
        self._listening = False
        self._heard: set[str] = set()
        self._owed: set[str] = set()
        self._news = asyncio.Event()
        self._owes = asyncio.Event()

    def tell(self, match_id: str) -> None:
        """Tell the others that this server has changed a match."""
        if self._engine is not None:
            self._owed.add(match_id)
            self._owes.set()

    async def changed(self) -> set[str] | None:
        """Wait for matches that others have changed; None when all are to be looked at."""
        clock = asyncio.get_running_loop().time
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._due):
                await self._news.wait()
        self._news.clear()
        heard, self._heard = self._heard, set()
        if clock() < self._due:
            return heard
        self._due = clock() + (LOOK_S if self._listening else self._look_seconds)
        return None

    def look_soon(self) -> None:
        """It could not be looked: let it be tried again, at all matches."""
        self._due = asyncio.get_running_loop().time() + self._look_seconds

    async def run(self) -> None:
        """Listen and tell, for ever; where the database is gone, again when it is back."""
        if self._engine is None:
            return
        from psycopg import Error

        while True:
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._listen())
                    both.create_task(self._send())
            except* Error as errors:
                _log.warning("no notices from other servers for now: %s", errors.exceptions[0])
            self._turn(False)
            await asyncio.sleep(self._look_seconds)

    def _turn(self, listening: bool) -> None:
        """From here on notices come, or do not: look at all at once, something may be missed."""
        self._listening = listening
        self._due = 0.0
        self._news.set()

    async def _connection(self) -> AsyncConnection[Any]:
        from psycopg import AsyncConnection

        assert self._engine is not None
        _, keywords = self._engine.dialect.create_connect_args(self._engine.url)
        return await AsyncConnection.connect(**{**_ALIVE, **keywords}, autocommit=True)

    async def _listen(self) -> None:
        async with await self._connection() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._turn(True)
            while True:
                async for notice in connection.notifies(timeout=LOOK_S):
                    sender, _, match_id = notice.payload.partition(" ")
                    if sender != self._me:
                        self._heard.add(match_id)
                        self._news.set()
                await connection.execute("SELECT 1")

    async def _send(self) -> None:
        tell = "SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told"
        async with await self._connection() as connection:
            await connection.execute("SET synchronous_commit = off")
            while True:
                await self._owes.wait()
                self._owes.clear()
                owed, self._owed = self._owed, set()
                told = [f"{self._me} {match_id}" for match_id in owed]
                try:
                    await connection.execute(tell, (CHANNEL, told))
                except BaseException:
                    for match_id in owed:
                        self.tell(match_id)
                    raise


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
