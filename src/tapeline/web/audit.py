"""The audit log: a line for each thing that whoever runs a server does to its matches.

A line is JSON: `at` (UTC), `who` (the user of the system, also the one behind sudo), `host`, `act`,
and what the act is about. It is on the disk before the act begins, so that none goes without; an
act that fails has a second line, with `failed`. Secrets of links have no place in it.
"""

from __future__ import annotations

import errno
import getpass
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url

from tapeline.errors import TapelineError
from tapeline.web.settings import user_folder

__all__ = ["audit_file", "audited"]

#: What a line says of an act: names, numbers, times; no texts of players, no secrets.
Said = str | int | float | bool | None


def audit_file(database: str) -> Path:
    """Where the acts on a database are written by default: beside a file of SQLite, else among the
    data of the user."""
    url = make_url(database)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        return Path(str(url.database) + ".audit.jsonl")
    return user_folder() / "audit.jsonl"


@contextmanager
def audited(log: Path, act: str, **about: Said) -> Iterator[None]:
    """Write an act down, then let it be done.

    Raises TapelineError, and nothing is done, where it cannot be written.
    """
    _write(log, {"act": act, **about})
    try:
        yield
    except BaseException as error:
        with suppress(TapelineError):
            _write(log, {"act": act, **about, "failed": str(error)[:200] or type(error).__name__})
        raise


def _who() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # in a container a user need not have a name
        user = str(os.getuid())
    behind = os.environ.get("SUDO_USER")
    return f"{user} ({behind})" if behind else user


def _write(log: Path, said: dict[str, Said]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = {"at": now, "who": _who(), "host": socket.gethostname(), **said}
    line = (json.dumps(row) + "\n").encode()
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        # Appended in one piece: others may write at the same time.
        to = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.write(to, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(to)
        finally:
            os.close(to)
    except OSError as error:
        raise TapelineError(
            f"the audit log {log} cannot be written ({error.strerror}); nothing was done"
        ) from None
