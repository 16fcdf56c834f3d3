"""The file of a database, how SQLite is to keep it, and what its errors mean.

SQLite overwrites what it deletes when told to (`secure_delete`), but where rows were moved from
page to page before that, pieces of them stay; the file beside the database holds all that was
written lately. PostgreSQL leaves deleted rows where they are until their place is needed.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from tapeline.errors import TapelineError
from tapeline.web.store.tables import Base

__all__ = [
    "WRITES",
    "StoreError",
    "config",
    "known",
    "make_file",
    "migrate",
    "scrub",
    "sqlite_begin",
    "sqlite_settings",
    "why_not",
]


#: Seconds for which transactions of others are waited for, as on SQLite.
PATIENCE_S = 20


class StoreError(TapelineError):
    """A database that cannot be used."""


def make_file(path: Path) -> None:
    """See to a file of a database and its folder, for its owner alone. Raises StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        # What SQLite puts beside it gets the same rights; what is there already may have others.
        for one in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if one.exists() and one.stat().st_mode & 0o077:
                with suppress(PermissionError):
                    one.chmod(0o600)
    except OSError as error:
        raise StoreError(
            f"the database {path} cannot be written: {error.strerror}; give another with --database"
        ) from None


#: What an error of a database says, what that means, and what is to be done.
_SAYS = (
    ("malformed", "it is damaged; put it aside and restore a backup"),
    ("not a database", "it is damaged; put it aside and restore a backup"),
    ("Could not decode", "it is damaged; put it aside and restore a backup"),
    ("is full", "the disk of the server is full; whoever runs it must make room, then try again"),
    ("disk I/O", "its disk fails; whoever runs the server must see to it"),
    ("readonly", "it cannot be written; whoever runs the server must let it"),
    ("locked", "others keep it busy; try again"),
    ("unable to open", "its file cannot be opened; files open or rights are lacking"),
)


def why_not(error: DBAPIError) -> str:
    """What is wrong with a database, and what to do."""
    told = " ".join(str(error.orig).split())
    says = next((says for words, says in _SAYS if words in told), "")
    return f"{says} ({told})" if says else told


def sqlite_settings(connection: Any, _record: Any) -> None:
    """Readers beside the writer; a commit is on the disk before it returns; what is deleted is
    overwritten."""
    # Transactions begin where SQLAlchemy begins them, also around changes of tables.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.close()


def sqlite_begin(connection: Connection) -> None:
    """Who will write says so at once, and waits for its turn instead of failing half-way."""
    how = "IMMEDIATE" if connection.get_execution_options().get("writes") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {how}")


def scrub(engine: Engine) -> bool:
    """Write the tables anew, without what was deleted from them.

    Others can read meanwhile (not from PostgreSQL), and wait to write. False if somebody who reads
    kept old bytes in the file beside a database of SQLite; they go once that is full, or all
    servers have ended. Raises errors of the driver.
    """
    if engine.dialect.name != "sqlite":
        alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        with alone.connect() as connection:
            connection.exec_driver_sql(f"SET lock_timeout = '{PATIENCE_S}s'")
            connection.exec_driver_sql(f"VACUUM (FULL) {', '.join(Base.metadata.tables)}")
        return True
    with closing(engine.raw_connection()) as raw:
        cursor = raw.cursor()
        cursor.execute("VACUUM")
        (busy, *_) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


#: Execution options of a transaction that will write.
WRITES: dict[str, Any] = {"writes": True}

#: Alembic keeps what it works on in its module.
_ONE = Lock()


def config() -> Config:
    """Alembic's configuration: the steps that come with the package."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return made


def known() -> set[str]:
    """All revisions that databases of this version or an earlier one can be at."""
    return {step.revision for step in ScriptDirectory.from_config(config()).walk_revisions()}


def migrate(engine: Engine, to: str = "head") -> None:
    """Run the steps that a database still lacks; all of them or none.

    Of several servers that start at once the first does it, while the others wait.
    """
    made = config()
    with _ONE, engine.execution_options(**WRITES).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8023)")
        made.attributes["connection"] = connection
        command.upgrade(made, to)
