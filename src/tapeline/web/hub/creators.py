"""Who may begin matches: anybody, or whoever has the password or an invitation of the operator.

A password is kept as what scrypt (RFC 7914) makes of it, in one line of text with its cost.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.to_thread

from tapeline.errors import TapelineError
from tapeline.web.hub.matches import digest
from tapeline.web.hub.rates import Rate
from tapeline.web.settings import Settings
from tapeline.web.work.faults import BusyError, ForbiddenError

__all__ = ["LEAST", "Creators", "fits", "kept_line", "read_line"]

#: Passwords that wait to be looked at, at most; each takes a fifth of a second.
WAITING = 20
#: Characters that a password has at least.
LEAST = 8

#: Cost: 16 MB of memory, and a fifth of a second of a processor for the five times over it.
_N, _R, _P = 2**14, 8, 5

_LINE = re.compile(r"scrypt:(\d{1,8}):(\d{1,3}):(\d{1,3}):([0-9a-f]{32}):([0-9a-f]{64})")


class Creators:
    """invited: whether the digest of a secret is that of an invitation that may be used.

    Raises TapelineError where the file of the password holds none.
    """

    def __init__(self, settings: Settings, invited: Callable[[bytes], Awaitable[bool]]) -> None:
        self.settings = settings
        self._password = _read(settings.create_password_file)
        self._invited = invited
        self._guesses = Rate.a_minute(settings.guesses_a_minute)
        self._one = anyio.CapacityLimiter(1)
        self._waiting = 0

    @property
    def closed(self) -> bool:
        """Whether a password or an invitation is needed."""
        return self.settings.closed or bool(self._password)

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
        if not self._password:
            return False
        if self._waiting > WAITING:
            raise BusyError("Many passwords are being looked at; try again in a moment.")
        self._waiting += 1
        try:
            # One at a time: looking takes memory and a processor on purpose.
            return await anyio.to_thread.run_sync(fits, key, self._password, limiter=self._one)
        finally:
            self._waiting -= 1


def _read(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return read_line(file.read_text("utf-8"))
    except (TapelineError, UnicodeDecodeError) as error:
        raise TapelineError(f"{file}: {error}") from None


def kept_line(password: str) -> str:
    """What is kept of a password. Raises TapelineError for one that is too short."""
    if len(password) < LEAST:
        raise TapelineError(f"a password has at least {LEAST} characters")
    salt = secrets.token_bytes(16)
    return f"scrypt:{_N}:{_R}:{_P}:{salt.hex()}:{_made(password, salt, _N, _R, _P).hex()}"


def read_line(text: str) -> str:
    """The line of a file that holds nothing else. Raises TapelineError for any other text."""
    line = text.strip()
    if _LINE.fullmatch(line) is None:
        raise TapelineError("holds no password as `tapeline admin password` writes it")
    return line


def fits(password: str, line: str) -> bool:
    """Whether that is the password, compared in constant time."""
    found = _LINE.fullmatch(line)
    if found is None:
        return False
    n, r, p = map(int, found.group(1, 2, 3))
    salt, kept = map(bytes.fromhex, found.group(4, 5))
    return hmac.compare_digest(_made(password, salt, n, r, p), kept)


def _made(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    said = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(said, salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=32)
