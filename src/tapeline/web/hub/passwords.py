"""A password as it is kept: not itself, but what scrypt makes of it, in one line of text.

scrypt (RFC 7914) from the standard library; its cost is in the line, so that it can be raised.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from tapeline.errors import TapelineError

__all__ = ["LEAST", "fits", "kept_line", "read_line"]

#: Characters that a password has at least.
LEAST = 8

#: Cost: 16 MB of memory, and a fifth of a second of a processor for the five times over it.
_N, _R, _P = 2**14, 8, 5

_LINE = re.compile(r"scrypt:(\d{1,8}):(\d{1,3}):(\d{1,3}):([0-9a-f]{32}):([0-9a-f]{64})")


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
