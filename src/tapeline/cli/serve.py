"""`tapeline serve`: the browser table as a server."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tapeline.cli.output import json_option
from tapeline.errors import TapelineError

if TYPE_CHECKING:
    from tapeline.web.settings import Settings

__all__ = [
    "PORT",
    "address",
    "listening",
    "make_settings",
    "require_web",
    "run_server",
    "serve",
    "serving_line",
    "web_options",
]

F = TypeVar("F", bound=Callable[..., Any])

#: The port of the browser table; browsers keep recent matches by address, so it stays the same.
PORT = 8023

_NEEDED = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "websockets")


def require_web() -> None:
    """Raises TapelineError, with what to do, where the extra `web` is not installed."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise TapelineError("the browser table needs more packages: pip install 'tapeline[web]'")


def web_options(command: F) -> F:
    """Options of all commands that start a server."""
    for option in (
        click.option(
            "--database",
            metavar="URL",
            help="Where matches are kept: an SQLAlchemy URL, as sqlite:////var/lib/tapeline.db or "
            "postgresql+psycopg://user@host/name (extra postgres). By default a file among the "
            "data of the user.",
        ),
        click.option(
            "--examples",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="A folder of scenes for the start page, instead of those that come along.",
        ),
        click.option(
            "--no-compile",
            is_flag=True,
            help="Measure in plain Python; otherwise a child process compiles the kernels.",
        ),
    ):
        command = option(command)
    return command


def make_settings(
    database: str | None,
    examples: Path | None,
    no_compile: bool,
    title: str = "Tapeline",
    judges: int = 1,
    proxies: tuple[str, ...] = (),
    host_names: tuple[str, ...] = (),
    watchers: tuple[str, ...] = (),
) -> Settings:
    """Settings from the options. Raises TapelineError where the extra `web` is missing."""
    require_web()
    from tapeline.web.settings import Settings, default_database

    return Settings(
        database=database or default_database(),
        examples=examples,
        title=title,
        compile=not no_compile,
        judges=judges,
        proxies=proxies,
        watchers=watchers,
        host_names=tuple(name.lower() for name in host_names),
    )


def listening(host: str, port: int, otherwise_any: bool = False) -> socket.socket:
    """A socket that listens there; on a free port if that is taken and `otherwise_any` is set.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        if otherwise_any and port:
            made.close()
            return listening(host, 0)
        made.close()
        raise OSError(error.errno, f"{host} port {port}: {error.strerror}") from None
    made.listen(512)
    made.set_inheritable(True)
    return made


def address(made: socket.socket) -> str:
    """The address of the start page as a browser takes it."""
    host, port = made.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serving_line(where: str, exposed: bool) -> str:
    """What `--json` prints once calls are taken: one line, since the command then goes on."""
    return json.dumps({"format": "tapeline-serving/1", "address": where, "exposed": exposed})


def run_server(settings: Settings, made: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C; `ready` is called once calls are taken. Calls are never logged."""
    from tapeline.web.app import create_app
    from tapeline.web.server import Server, config_of, once_a_while

    class Ready(Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    once_a_while()
    config = config_of(create_app(settings))
    try:
        Ready(config).run([made])
    except KeyboardInterrupt:
        click.echo("", err=True)


@click.command(short_help="Serve the browser table, also to others.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; 0 for any that is free.",
)
@web_options
@click.option(
    "--judges",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Processes that judge what is dragged, beside two for what may take long. By default as "
    "many as there are processors.",
)
@click.option(
    "--host-name",
    "host_names",
    multiple=True,
    metavar="NAME",
    help="A name under which the server is called, as tables.example.org; may be given again. "
    "Addresses, localhost and the name of this machine always are; a call by any other is refused, "
    "so that no site elsewhere can pass as this one.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="The address of a proxy before the server, whose X-Forwarded-For is believed; may be "
    "given again. Nobody else's is.",
)
@click.option(
    "--watcher",
    "watchers",
    multiple=True,
    metavar="ADDRESS",
    help="An address, beside this machine, that may read /metrics; may be given again.",
)
@click.option("--title", default="Tapeline", show_default=True, help="The name of this server.")
@json_option
def serve(
    host: str,
    port: int,
    database: str | None,
    examples: Path | None,
    no_compile: bool,
    judges: int | None,
    host_names: tuple[str, ...],
    proxies: tuple[str, ...],
    watchers: tuple[str, ...],
    title: str,
    as_json: bool,
) -> None:
    """Serve the browser table until Ctrl-C.

    By default only this machine reaches it. With another --host everybody who reaches that
    address can begin matches and play those they have a link of. What they send is not encrypted
    on the way: for the open internet put a server with TLS before it, one that passes WebSocket
    connections on. Needs the extra: pip install 'tapeline[web]'.

    \b
    Examples:
      tapeline serve
      tapeline serve --host 0.0.0.0 --port 80 --title "Club night"
      tapeline serve --database postgresql+psycopg://tapeline@localhost/tapeline
    """
    settings = make_settings(
        database,
        examples,
        no_compile,
        title,
        (os.cpu_count() or 1) if judges is None else judges,
        proxies,
        host_names,
        watchers,
    )
    made = listening(host, port)
    where = address(made)
    exposed = not ipaddress.ip_address(made.getsockname()[0]).is_loopback
    says = (
        "Everybody who reaches this address can begin matches, and play those they have a link of. "
        "Nothing is encrypted on the way."
        if exposed
        else "Only this machine reaches it."
    )

    def ready() -> None:
        if as_json:
            click.echo(serving_line(where, exposed))
        else:
            click.echo(f"{settings.title} is at {where}\n{says}\nCtrl-C ends it.")

    run_server(settings, made, ready)
