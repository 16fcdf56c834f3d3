"""Whose turn it is at something that serves one at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

__all__ = ["Turns"]


@dataclass(eq=False, slots=True)
class _Waiting:
    since: float
    takes: float
    called: asyncio.Future[None]


class Turns:
    """A lock that lets the short before the long, and nobody wait for ever.

    Next is whose waiting is longest against what its turn takes (highest response ratio): among
    quick questions a slow one waits about as many times its own length as they do theirs.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._taken = False
        self._waiting: list[_Waiting] = []

    @property
    def length(self) -> int:
        """How many wait or are served."""
        return len(self._waiting) + self._taken

    @asynccontextmanager
    async def turn(self, takes: float) -> AsyncIterator[None]:
        """A turn, which will take about so many seconds (more than 0)."""
        await self._take(takes)
        try:
            yield
        finally:
            self._next()

    async def _take(self, takes: float) -> None:
        if not self._taken:
            self._taken = True
            return
        me = _Waiting(self._clock(), takes, asyncio.get_running_loop().create_future())
        self._waiting.append(me)
        try:
            await me.called
        except asyncio.CancelledError:
            if me in self._waiting:
                self._waiting.remove(me)
            else:
                # Called already, at the same moment.
                self._next()
            raise

    def _next(self) -> None:
        # Who has gone may still stand here, until it is its turn on the event loop.
        waiting = [one for one in self._waiting if not one.called.done()]
        if not waiting:
            self._taken = False
            return
        now = self._clock()
        first = max(waiting, key=lambda one: (now - one.since) / one.takes)
        self._waiting.remove(first)
        first.called.set_result(None)
