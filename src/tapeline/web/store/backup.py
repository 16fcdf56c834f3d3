"""Copies of a database of SQLite: made while servers write to it, looked over, put back.

Most of what a running server has written lately is in the file beside the database (`-wal`), so
that a copy of the one file alone is old or broken. SQLite copies both, as they were at one moment.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tapeline.web.store.connection import StoreError, known

__all__ = ["Copied", "back_up", "database_file", "look_over", "parsed", "restore"]


@dataclass(frozen=True, slots=True)
class Copied:
    """A database that was looked over: its revision, what it holds, its size."""

    revision: str
    matches: int
    entries: int
    bytes: int


def parsed(url: str) -> URL:
    """The parts of a URL of a database. Raises StoreError if it is none."""
    try:
        return make_url(url)
    except ArgumentError as error:
        raise StoreError(f"the database cannot be used: {error}") from None


def database_file(url: str) -> Path:
    """The file of a database. Raises StoreError, with what to do, where it has none."""
    place = parsed(url)
    if place.get_backend_name() == "postgresql":
        # Its tools ask for the password, or read it from ~/.pgpass.
        there = place._replace(drivername="postgresql", password=None)
        told = shlex.quote(there.render_as_string())
        raise StoreError(
            "a PostgreSQL database is copied by its own tools, also while servers run: "
            f"pg_dump --format=custom --file=tapeline.dump {told} -- and put back by them once all "
            "servers are stopped: pg_restore --clean --if-exists --single-transaction "
            f"--dbname={told} tapeline.dump"
        )
    if place.database in (None, "", ":memory:"):
        raise StoreError("a database in memory has no file")
    return Path(str(place.database))


def look_over(path: Path) -> Copied:
    """Read all of a database, and check it. Raises StoreError if it is damaged, or none of ours."""
    with _opened(path, "ro") as connection:
        (found, *_), *more = connection.execute("PRAGMA integrity_check").fetchall()
        if found != "ok" or more:
            raise StoreError(f"{path} is damaged: {found}")
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(f"{path} is damaged: entries or links of matches that are not there")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not {"alembic_version", "matches", "entries"} <= tables:
            raise StoreError(f"{path} is no database of Tapeline")
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if revision not in known():
            raise StoreError(f"{path} is of a later version of Tapeline ({revision})")
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        return Copied(revision, matches, entries, path.stat().st_size)


def back_up(database: Path, to: Path, replace: bool = False) -> Copied:
    """Copy a database to a file of its own, as it is at one moment; servers go on meanwhile.

    The copy appears whole and looked over, or not at all. Raises StoreError, OSError.
    """
    if to.exists() and not replace:
        raise StoreError(f"{to} is there already (--force writes over it)")
    part = to.with_name(to.name + ".part")
    with suppress(FileNotFoundError):
        part.unlink()
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with _opened(database, "ro") as source, _opened(part, "rw") as copy:
            source.backup(copy)
            # One file, without another beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
        found = look_over(part)
        _to_disk(part)
        os.replace(part, to)
        return found
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def restore(backup: Path, database: Path, force: bool = False) -> tuple[Copied, Path | None]:
    """Put what a copy holds in the place of what a database holds; all of it or nothing.

    force: also while a server has the database open; it must be started anew then. Gives what was
    put back, and where a damaged database was put aside. Raises StoreError, OSError.
    """
    found = look_over(backup)
    aside = _put_aside(database)
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, 0o600))
    with _opened(backup, "ro") as source, _opened(database, "rw") as into:
        if not force:
            _alone(into, database)
        source.backup(into)
        into.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    look_over(database)
    return found, aside


def _alone(into: sqlite3.Connection, database: Path) -> None:
    """Raises StoreError if anybody else has the database open."""
    into.execute("PRAGMA busy_timeout=500")
    try:
        # SQLite goes back to this manner only where nobody else is there.
        into.execute("PRAGMA journal_mode=DELETE")
        into.execute("BEGIN EXCLUSIVE")
        into.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"a server has {database} open ({error}): stop it first, or say --force and start it "
            "anew afterwards; nothing was changed"
        ) from None
    into.execute("PRAGMA busy_timeout=20000")


def _put_aside(database: Path) -> Path | None:
    """Move a file away that SQLite cannot read, and what is beside it."""
    if not database.exists():
        return None
    try:
        with _opened(database, "rw") as connection:
            connection.execute("PRAGMA schema_version").fetchone()
        return None
    except StoreError as error:
        if not isinstance(error.__cause__, sqlite3.DatabaseError) or isinstance(
            error.__cause__, sqlite3.OperationalError
        ):
            raise
    aside = database.with_name(f"{database.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.replace(f"{database}{ending}", f"{aside}{ending}")
    return aside


@contextmanager
def _opened(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    """A file of SQLite; how: "ro" or "rw". Raises StoreError for all that goes wrong with it."""
    try:
        at = f"{path.resolve().as_uri()}?mode={how}"
        with closing(sqlite3.connect(at, uri=True, timeout=20.0, isolation_level=None)) as opened:
            yield opened
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error


def _to_disk(path: Path) -> None:
    at = os.open(path, os.O_RDONLY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
