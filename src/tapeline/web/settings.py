"""Every setting of the server: what it means, its default, and what it may be.

`tapeline serve` makes an option, a variable and a line of its file of each.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import Annotated, NamedTuple

__all__ = ["About", "Settings", "default_database", "user_folder"]


def user_folder() -> Path:
    """Where a user's own data lie."""
    if sys.platform == "win32":
        root = Path(environ.get("LOCALAPPDATA", "~")).expanduser()
    else:
        root = Path(environ.get("XDG_DATA_HOME", "~/.local/share")).expanduser()
    return root / "tapeline"


def default_database() -> str:
    """The URL of the user's own matches: a SQLite file among the user's data."""
    return f"sqlite:///{user_folder() / 'matches.db'}"


class About(NamedTuple):
    """What a setting is: in words, and for a number the most that it may be.

    The least is 1 of what is counted; what is measured is above 0, or 0 where that means never.
    """

    says: str
    most: int | None = None
    never: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs. Rates are a second and last; bursts are what comes at once."""

    database: Annotated[
        str,
        About(
            "Where matches are kept: an SQLAlchemy URL, as sqlite:////var/lib/tapeline.db or "
            "postgresql+psycopg://user@host/name (extra postgres)."
        ),
    ] = "sqlite:///:memory:"
    examples: Annotated[
        Path | None,
        About("A folder of scenes for the start page, instead of those that come along."),
    ] = None
    title: Annotated[str, About("The name of this server, on its start page.")] = "Tapeline"
    compile: Annotated[
        bool, About("Compile the kernels in a child process, or measure in plain Python.")
    ] = False
    threads: Annotated[int, About("Questions to the database at the same time.")] = 4
    judges: Annotated[
        int, About("Processes that judge what is dragged, and answer all that is quick.", 64)
    ] = 1
    long_judges: Annotated[int, About("Processes for what may take long.", 64)] = 2
    quick_seconds: Annotated[
        float, About("Seconds of a processor for a quick answer; then it is a long one.")
    ] = 0.2
    worker_state: Annotated[
        int, About("Bytes that a worker may grow by until it puts down what it follows.")
    ] = 96 * 1024 * 1024
    worker_memory: Annotated[
        int, About("Bytes that a worker may grow by; beyond these it gets no more.")
    ] = 192 * 1024 * 1024
    look_seconds: Annotated[
        float,
        About(
            "Seconds between two looks at what other servers on the same database have written "
            "to matches that are watched, while these cannot tell it themselves, as on PostgreSQL; "
            "0: never, as there is no other.",
            never=True,
        ),
    ] = 1.0
    reveal_seconds: Annotated[
        float, About("Seconds that a roll waits for the shares of the sides in its dice.")
    ] = 4.0
    proxies: Annotated[
        tuple[str, ...],
        About(
            "The address of a proxy before the server, whose X-Forwarded-For is believed; may be "
            "given again. Nobody else's is."
        ),
    ] = ()
    host_names: Annotated[
        tuple[str, ...],
        About(
            "A name under which the server is called, as tables.example.org; may be given again. "
            "Addresses, localhost and the name of this machine always are; a call by any other is "
            "refused, so that no site elsewhere can pass as this one."
        ),
    ] = ()
    watchers: Annotated[
        tuple[str, ...],
        About("An address, beside this machine, that may read /metrics; may be given again."),
    ] = ()
    access_log: Annotated[
        str,
        About(
            "A file that gets a line for each call, without secrets; - for standard error, nothing "
            "for none."
        ),
    ] = ""
    any_host: Annotated[bool, About("Answer to any name at all, or only to those known.")] = False
    closed: Annotated[
        bool,
        About(
            "Let matches be begun by nobody but who has an invitation (tapeline admin invite), or "
            "the password if there is one; or by anybody."
        ),
    ] = False
    create_password_file: Annotated[
        Path | None,
        About(
            "A file that tapeline admin password has written: matches are begun by who knows that "
            "password, or has an invitation, and by nobody else."
        ),
    ] = None
    keep_days: Annotated[
        float, About("Days after which a match that nobody plays is deleted; 0: never.", never=True)
    ] = 0.0

    programs: Annotated[
        tuple[str, ...],
        About(
            "A program that players may choose as the opponent, by the name they see: club=python "
            "/srv/bots/club.py; may be given again, in a variable each on a line of its own. It "
            "runs as this server does, see docs/bots.md."
        ),
    ] = ()
    program_seconds: Annotated[float, About("Seconds that a program has for each turn.")] = 5.0
    program_processor: Annotated[
        float, About("Seconds of a processor that a program may use for each turn.")
    ] = 10.0
    program_memory: Annotated[
        int,
        About("Bytes of memory that a program may use; Node.js sets half a gigabyte of it aside."),
    ] = 1024 * 1024 * 1024
    programs_at_once: Annotated[int, About("Programs that run at the same time.", 64)] = 2

    body_bytes: Annotated[int, About("Bytes of a body.")] = 64 * 1024
    scene_bytes: Annotated[int, About("Bytes of a body that holds a scene or a log.")] = (
        8 * 1024 * 1024
    )
    message_bytes: Annotated[int, About("Bytes of a live message.")] = 64 * 1024
    link_rate: Annotated[float, About("Calls a second with one link.")] = 20.0
    link_burst: Annotated[int, About("Calls at once with one link.")] = 120
    address_rate: Annotated[float, About("Calls a second of one address.")] = 100.0
    address_burst: Annotated[int, About("Calls at once of one address.")] = 400
    tries_rate: Annotated[float, About("Live messages a second of one connection.")] = 120.0
    tries_burst: Annotated[int, About("Live messages at once of one connection.")] = 360
    matches_an_hour: Annotated[int, About("New matches of one address in an hour.")] = 120
    guesses_a_minute: Annotated[
        int, About("Passwords and invitations tried by one address in a minute.")
    ] = 10
    connections_a_match: Annotated[int, About("Live connections of a match.")] = 64
    connections_a_link: Annotated[int, About("Live connections of a link.")] = 24
    connections_an_address: Annotated[int, About("Live connections of one address.")] = 400
    connections: Annotated[int, About("Live connections in all.")] = 2_000
    sockets: Annotated[int, About("Sockets in all, and never as many as files may be open.")] = (
        4_000
    )
    sockets_an_address: Annotated[int, About("Sockets of one address; of a proxy any.")] = 400
    head_seconds: Annotated[float, About("Seconds until the head of a call must be there.")] = 10.0
    body_seconds: Annotated[float, About("Seconds until a body must be there.")] = 20.0
    hello_seconds: Annotated[float, About("Seconds until the first live message.")] = 10.0
    bodies_bytes: Annotated[int, About("Bytes of bodies held at a time, in all.")] = (
        64 * 1024 * 1024
    )
    bodies_bytes_an_address: Annotated[
        int, About("Bytes of bodies held at a time, of one address.")
    ] = 16 * 1024 * 1024
    entries_a_minute: Annotated[int, About("Entries in a minute with one link.")] = 240
    entry_bytes_a_minute: Annotated[int, About("Bytes of entries in a minute with one link.")] = (
        2 * 1024 * 1024
    )
    proposals_a_minute: Annotated[int, About("Proposals in a minute with one link.")] = 30
    remarks_a_minute: Annotated[int, About("Things said in a minute with one link.")] = 30
    pointing_a_minute: Annotated[int, About("Places pointed at in a minute with one link.")] = 60
    remarks: Annotated[int, About("Things said that are kept of a match, the newest.")] = 500
    onlookers_talk: Annotated[
        bool, About("Let links for looking on speak and point, or those of the sides alone.")
    ] = False
    match_bytes: Annotated[int, About("Bytes of a match.")] = 32 * 1024 * 1024
    matches_in_memory: Annotated[int, About("Matches open at a time.")] = 500
    object_seconds: Annotated[
        float, About("Seconds in which others may object to what a side tells of the real table.")
    ] = 30.0
    idle_seconds: Annotated[
        float, About("Seconds after which a match nobody asks about is put down.")
    ] = 900.0
    entries: Annotated[
        int, About("Entries of a match; there are dice for no more than may be said.", 32_768)
    ] = 20_000
    pieces: Annotated[int, About("Pieces of terrain of a scene, with their parts.")] = 600
    corners: Annotated[int, About("Corners of a scene.")] = 8_000
    bodies: Annotated[int, About("Bodies of a scene.")] = 1_200
