"""What was deleted, taken out of the files of a database.

SQLite overwrites what it deletes when told to (`secure_delete`), but where rows were moved from
page to page before that, pieces of them stay; the file beside the database holds all that was
written lately. PostgreSQL leaves deleted rows where they are until their place is needed.
"""

from __future__ import annotations

from contextlib import closing

from sqlalchemy import Engine

from tapeline.web.store.tables import Base

__all__ = ["scrub"]

#: Seconds for which transactions of others are waited for, as on SQLite.
PATIENCE_S = 20


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
