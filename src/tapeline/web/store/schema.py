"""Bringing a database to the tables of this version."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

__all__ = ["WRITES", "config", "known", "migrate"]

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
