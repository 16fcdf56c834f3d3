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
    in the background. threads: questions to the database at the same time. judges: worker processes
    that answer what is quick; long_judges: those for what may take long. quick_seconds: of a
    processor, for an answer of the quick ones. worker_state: bytes that the memory of a worker
    may grow by until it puts down what it follows; worker_memory: beyond these it gets no more.
    look_seconds: how often is looked for what another server on the same
    database has written to matches that are watched; 0: never, where there is no other.
    reveal_seconds: how long a roll waits for the keys of the sides. proxies:
    addresses whose X-Forwarded-For is believed. host_names: names under which the server is
    called; addresses and this machine's own name always are, and any at all with any_host.
    watchers: addresses, beside those of this machine, that are told the metrics. object_seconds:
    for how long others may object to what a side tells of the real table before it may go on
    without their word.

    Limits: bytes of a body (of a new match or a checked scene, which hold scenes and logs) and of
    a live message; `link` for all calls with one link, `address` for all calls of one address,
    `tries` for live messages of one connection; matches made by one address in an hour;
    connections of a match, of a link and of the whole server; sockets in all and of an address;
    seconds until a head, a body and a hello must have come; bytes of bodies held at a time, in
    all and of an address; entries, bytes of entries and proposals of a link in a minute, bytes of
    a match; matches kept in memory, and seconds after
    which one that nobody asks about leaves it; entries of a match (at most 32,768, as many have
    dice), and pieces of terrain, corners and bodies of a scene.
    """

    database: str = "sqlite:///:memory:"
    examples: Path | None = None
    title: str = "Tapeline"
    compile: bool = False
    threads: int = 4
    judges: int = 1
    long_judges: int = 2
    quick_seconds: float = 0.2
    worker_state: int = 96 * 1024 * 1024
    worker_memory: int = 192 * 1024 * 1024
    look_seconds: float = 1.0
    reveal_seconds: float = 4.0
    proxies: tuple[str, ...] = ()
    host_names: tuple[str, ...] = ()
    watchers: tuple[str, ...] = ()
    any_host: bool = False
    object_seconds: float = 30.0

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
    connections_a_link: int = 24
    connections: int = 2_000
    sockets: int = 4_000
    sockets_an_address: int = 400
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    bodies_bytes: int = 64 * 1024 * 1024
    bodies_bytes_an_address: int = 16 * 1024 * 1024
    entries_a_minute: int = 240
    entry_bytes_a_minute: int = 2 * 1024 * 1024
    proposals_a_minute: int = 30
    match_bytes: int = 32 * 1024 * 1024
    matches_in_memory: int = 500
    idle_seconds: float = 900.0
    entries: int = 20_000
    pieces: int = 600
    corners: int = 8_000
    bodies: int = 1_200
    hello_seconds: float = 10.0
