"""One process goes ahead of others that do the same work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["one_ahead"]


@contextlib.contextmanager
def one_ahead(place: Path) -> Iterator[None]:
    """Whoever comes first goes on; who comes meanwhile waits until that is done, then goes on too.

    place: a file that all of them can open; nothing is written to it.
    """
    try:
        import fcntl
    except ImportError:
        yield  # Where files cannot be locked, nobody waits.
        return
    with place.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
            fcntl.flock(file, fcntl.LOCK_UN)
        yield
