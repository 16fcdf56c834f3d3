"""Every setting of the server, with its default."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from os import environ
from pathlib import Path

__all__ = ["Settings", "default_database"]


def default_database() -> str:
    """The URL of the user's own matches: a SQLite file among the user's data."""
    if sys.platform == "win32":
        root = Path(environ.get("LOCALAPPDATA", "~")).expanduser()
    else:
        root = Path(environ.get("XDG_DATA_HOME", "~/.local/share")).expanduser()
    return f"sqlite:///{root / 'tapeline' / 'matches.db'}"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs. Rates are calls a second that last; bursts are what comes at once.

    database: an SQLAlchemy URL. examples: a folder of scenes, None for those that come along.
    title: the name of this server, shown on the start page. compile: whether kernels are compiled
    in the background. threads: engine calls at the same time. judges: processes that answer what is
    tried, and one more for long questions; 0: the threads do. patience_seconds: how long a judge
    may take for an answer. look_seconds: how often is looked for what another server on the same
    database has written to matches that are watched; 0: never, where there is no other.

    Limits: bytes of a body (of a new match or a checked scene, which hold scenes and logs) and of
    a live message; `link` for all calls with one link, `address` for all calls of one address,
    `tries` for live messages of one connection; matches made by one address in an hour;
    connections of a match and of the whole server; matches kept in memory, and seconds after
    which one that nobody asks about leaves it.
    """

    database: str = "sqlite:///:memory:"
    examples: Path | None = None
    title: str = "Tapeline"
    compile: bool = False
    threads: int = 4
    judges: int = 0
    patience_seconds: float = 30.0
    look_seconds: float = 1.0

    body_bytes: int = 64 * 1024
    scene_bytes: int = 8 * 1024 * 1024
    message_bytes: int = 64 * 1024
    link_rate: float = 20.0
    link_burst: int = 120
    address_rate: float = 100.0
    address_burst: int = 400
    tries_rate: float = 120.0
    tries_burst: int = 360
    matches_an_hour: int = 120
    connections_a_match: int = 64
    connections: int = 2_000
    matches_in_memory: int = 500
    idle_seconds: float = 900.0
    entries: int = 20_000
    hello_seconds: float = 10.0
