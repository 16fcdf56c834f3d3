"""uvicorn as the application wants it: time-outs and numbers that it does not keep itself.

uvicorn closes a connection that idles between two calls, and refuses large messages. It does not
end one that never finishes what it begins to say, and takes any number of them: `Doorkeeper` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections import Counter
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from tapeline.errors import TapelineError
from tapeline.web.hub.rates import grouped
from tapeline.web.settings import Settings

__all__ = ["Server", "config_of", "files_limit", "once_a_while"]

#: File descriptors that are no connections: the database, workers, files of the page.
RESERVED = 96

#: Connections below which it is not worth to serve.
FEWEST = 32

#: Seconds in which the same line is written to the log once.
QUIET_S = 60.0


def config_of(app: FastAPI, **more: Any) -> uvicorn.Config:
    """How the application is served. Raises TapelineError where too few files may be open."""
    settings: Settings = app.state.settings
    return uvicorn.Config(
        app,
        http=_doorkeeper(settings, app.state.hub.refusals),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        ws_max_size=settings.message_bytes,
        ws_max_queue=16,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=64 * 1024,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        **more,
    )


class Server(uvicorn.Server):
    """uvicorn's, which ends what is worked on before it waits for whoever asked."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more calls, end the workers, then all that is open."""
        app: Any = self.config.app
        app.state.hub.draws.close()
        await app.state.hub.pool.close()
        await super().shutdown(sockets)


def files_limit() -> int | None:
    """How many files this process may have open, after asking for as many as it can get."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def _doorkeeper(settings: Settings, refusals: Counter[tuple[str, int]]) -> type[H11Protocol]:
    files = files_limit()
    if files is not None and files < RESERVED + FEWEST:
        raise TapelineError(
            f"this process may have {files} files open, the server needs {RESERVED + FEWEST}: "
            "raise the limit (ulimit -n)"
        )
    most = settings.sockets if files is None else min(settings.sockets, files - RESERVED)
    by_address: Counter[str] = Counter()

    class Doorkeeper(H11Protocol):
        """A connection: refused where there are too many, closed where a head takes too long."""

        _address = ""
        _late: asyncio.TimerHandle | None = None
        _live = False

        def connection_made(self, transport: Any) -> None:
            """Somebody connects."""
            peer = transport.get_extra_info("peername")
            host = str(peer[0]) if isinstance(peer, tuple) and peer else "nowhere"
            address, alone = grouped(host), host not in settings.proxies
            full = by_address[address] >= settings.sockets_an_address and alone
            if full or by_address.total() >= most:
                refusals["socket", 429 if full else 503] += 1
                transport.abort()
                return
            self._address = address
            by_address[address] += 1
            super().connection_made(transport)
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            """It is over."""
            if self._address:
                self._gone()
                super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            """Something is said; if it is not the whole head of a call, the rest has a time."""
            if not self._address:
                return
            super().data_received(data)
            if self._live or (self.cycle is not None and not self.cycle.response_complete):
                self._stop()
            elif self._late is None and not self.transport.is_closing():
                self._wait()

        def handle_websocket_upgrade(self, event: Any) -> None:
            """From here on it is a live connection; it still counts."""
            self._live = True
            super().handle_websocket_upgrade(event)
            live: Any = self.transport.get_protocol()
            lost = live.connection_lost

            def connection_lost(exc: Exception | None) -> None:
                self._gone()
                lost(exc)

            live.connection_lost = connection_lost

        def _wait(self) -> None:
            self._late = self.loop.call_later(settings.head_seconds, self._close)

        def _stop(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _close(self) -> None:
            self._late = None
            if self.cycle is None or self.cycle.response_complete:
                refusals["socket", 408] += 1
                self.transport.abort()

        def _gone(self) -> None:
            self._stop()
            by_address[self._address] -= 1
            if by_address[self._address] <= 0:
                del by_address[self._address]

    return Doorkeeper


class _Once(logging.Filter):
    """The same line at most once a minute, and then how often it was meant."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        key = (record.name, record.levelno, str(record.msg)[:200])
        now = time.monotonic()
        since, times = self._seen.get(key, (-QUIET_S, 0))
        if now < since + QUIET_S:
            self._seen[key] = (since, times + 1)
            return False
        if len(self._seen) > 1_000:
            self._seen.clear()
        self._seen[key] = (now, 0)
        if times:
            record.msg = f"{record.msg} (and {times} times more meanwhile)"
        return True


def once_a_while() -> None:
    """Let no line fill the log, whatever somebody does a million times."""
    for name in ("uvicorn.error", "asyncio", "websockets.server", "tapeline.web"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, _Once) for one in logger.filters):
            logger.addFilter(_Once())
