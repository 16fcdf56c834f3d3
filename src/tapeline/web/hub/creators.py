"""Who may begin matches: anybody, or whoever has the password or an invitation of the operator."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import anyio.to_thread

from tapeline.web.hub.links import digest
from tapeline.web.hub.passwords import fits
from tapeline.web.hub.rates import Rate
from tapeline.web.settings import Settings
from tapeline.web.work.faults import BusyError, ForbiddenError

__all__ = ["Creators"]

#: Passwords that wait to be looked at, at most; each takes some tenths of a second.
WAITING = 20


class Creators:
    """invited: whether the digest of a secret is that of an invitation that may be used."""

    def __init__(self, settings: Settings, invited: Callable[[bytes], Awaitable[bool]]) -> None:
        self.settings = settings
        self._invited = invited
        self._guesses = Rate.a_minute(settings.guesses_a_minute)
        self._one = anyio.CapacityLimiter(1)

    @property
    def closed(self) -> bool:
        """Whether a password or an invitation is needed."""
        return self.settings.closed or bool(self.settings.create_password)

    async def check(self, key: str, address: str) -> bytes | None:
        """Look at the password or invitation that somebody gives.

        Gives the digest of an invitation, which is used up by the match. Raises ForbiddenError,
        TooOftenError, BusyError.
        """
        if not self.closed:
            return None
        if not key:
            raise ForbiddenError("Beginning a match here takes a password or an invitation.")
        self._guesses.take(address)
        if await self._invited(digest(key)):
            return digest(key)
        if not await self._fits(key):
            raise ForbiddenError("That is no password or invitation that opens this server.")
        return None

    async def _fits(self, key: str) -> bool:
        line = self.settings.create_password
        if not line:
            return False
        if self._one.statistics().tasks_waiting >= WAITING:
            raise BusyError("Many passwords are being looked at; try again in a moment.")
        # One at a time: looking takes memory and a processor on purpose.
        return await anyio.to_thread.run_sync(fits, key, line, limiter=self._one)
