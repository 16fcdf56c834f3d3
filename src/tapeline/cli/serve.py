"""`tapeline serve`, `tapeline play`: the browser table as a server, or opened on this machine."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from threading import Thread
from typing import Any

import click

from tapeline.cli.output import json_option, number_option, say
from tapeline.cli.settings import config_option, make_settings, setting_options, variable
from tapeline.web.settings import Settings

__all__ = ["PORT", "address", "listening", "play", "run_server", "serve", "serving_line"]


#: The port of the browser table; browsers keep recent matches by address, so it stays the same.
PORT = 8023


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
    from tapeline.work import settle

    # Threads that read the database give way sooner to the loop, which a drag waits for.
    sys.setswitchinterval(0.001)

    class Ready(Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                settle()
                ready()

    once_a_while()
    with made:
        config = config_of(create_app(settings))
        try:
            Ready(config).run([made])
        except KeyboardInterrupt:
            say("", err=True)


_PORTS = click.IntRange(0, 65_535)


@click.command()
@config_option
@click.option(
    "--host", default="127.0.0.1", show_default=True, envvar=variable("host"), show_envvar=True,
    help="The address to listen on.",
)  # fmt: skip
@number_option(
    "--port", default=PORT, kind=_PORTS, envvar=variable("port"), show_envvar=True,
    says="The port; 0 for any that is free.",
)  # fmt: skip
@setting_options()
@json_option
def serve(host: str, port: int, as_json: bool, **values: Any) -> None:
    """Serve the browser table until Ctrl-C.

    By default only this machine reaches it. With another --host everybody who reaches that
    address can begin matches and play those they have a link of. What they send is not encrypted
    on the way: for the open internet put a server with TLS before it, one that passes WebSocket
    connections on (docs/server.md). Needs the extra: pip install 'tapeline[web]'.

    Every setting is an option, a variable, and a line of the file that --config names.

    \b
    Examples:
      tapeline serve
      tapeline serve --host 0.0.0.0 --port 80 --title "Club night"
      tapeline serve --database postgresql+psycopg://tapeline@localhost/tapeline
      tapeline serve --config /etc/tapeline.toml
    """
    settings = make_settings(**values)
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
            say(serving_line(where, exposed))
        else:
            say(f"{settings.title} is at {where}", says, "Ctrl-C ends it.")

    run_server(settings, made, ready)


def _has_screen() -> bool:
    """Whether there is a screen; without one, a browser of text would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@click.command()
@click.option("--no-browser", is_flag=True, help="Only say the address.")
@number_option(
    "--port", default=PORT, kind=_PORTS, says="The port; if it is taken, any that is free."
)
@setting_options("database", "examples", "compile", "programs")
@json_option
def play(no_browser: bool, port: int, as_json: bool, **values: Any) -> None:
    """Open the table in the browser: play, measure, try things out.

    The table is served to this machine alone until Ctrl-C. Matches are kept, and are there again
    the next time. Needs the extra: pip install 'tapeline[web]'.

    \b
    Examples:
      tapeline play
      tapeline play --no-browser --examples my-scenes
    """
    settings = make_settings(**values)
    made = listening("127.0.0.1", port, otherwise_any=True)
    where = address(made)

    def ready() -> None:
        if as_json:
            say(serving_line(where, False))
        else:
            say(f"The table is at {where}", "Ctrl-C ends it; matches are kept.")
        if not no_browser and _has_screen():
            # Some browsers hold up whoever opens them.
            Thread(target=webbrowser.open, args=(where,), daemon=True).start()

    run_server(settings, made, ready)
