"""The access log: a line for each call once it is answered, for each live connection at its end.

In the common log format, and after it the seconds it took. No line holds a secret: links travel in
a header and in a message, and of whatever else somebody puts into an address only that is written
down which paths of this server are made of.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import time
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tapeline.errors import TapelineError
from tapeline.web.api.guard import status_of

__all__ = ["AccessLog", "lines_to", "shown_path"]

#: What a path may be made of: plain words, the id of a match, the number of an entry.
_PART = re.compile(r"[a-z][a-z.-]{0,19}|[0-9a-f]{16}|[0-9]{1,5}")

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def shown_path(path: str) -> str:
    """A path as it is written down.

    >>> shown_path("/api/matches/0123456789abcdef/proposals/kQ3zVx0pXQ8bq1dT2mZf4w")
    '/api/matches/0123456789abcdef/proposals/*'
    """
    parts = path.split("/")[:12]
    return "/".join(part if not part or _PART.fullmatch(part) else "*" for part in parts)


def lines_to(file: str) -> logging.Handler:
    """What writes lines to a file, "-" for standard error; one that is moved away, as by logrotate,
    is begun anew. Raises TapelineError where it cannot be written."""
    try:
        return logging.StreamHandler() if file == "-" else _Lines(file)
    except OSError as error:
        message = f"the access log {file} cannot be written: {error.strerror}"
        raise TapelineError(message) from None


class AccessLog:
    """Around the application. lines: what writes them."""

    def __init__(self, app: ASGIApp, lines: logging.Handler) -> None:
        self.app = app
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a call, then write it down."""
        if scope["type"] == "lifespan":
            # It lasts as long as the server.
            try:
                await self.app(scope, receive, send)
            finally:
                self._lines.close()
            return
        call = _Call(scope)

        async def sending(message: Message) -> None:
            call.note(message)
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception:
            call.note({"type": "http.response.start", "status": 500})
            raise
        finally:
            record = logging.LogRecord("", logging.INFO, "", 0, call.line(), None, None)
            self._lines.handle(record)


class _Call:
    """What is told of a call."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._begun = time.monotonic()
        self._status = 499
        self._bytes = 0

    def note(self, message: Message) -> None:
        """Something is sent to whoever calls."""
        self._status = status_of(message) or self._status
        self._bytes += len(message.get("body") or message.get("text") or b"")

    def line(self) -> str:
        """The line."""
        scope = self._scope
        method = scope.get("method", "LIVE")
        shown = method if method in _METHODS or scope["type"] == "websocket" else "-"
        return (
            f"{_address(scope)} - - [{datetime.now(UTC):%d/%b/%Y:%H:%M:%S +0000}] "
            f'"{shown} {shown_path(scope["path"])} HTTP/{scope["http_version"]}" '
            f"{self._status} {self._bytes} {time.monotonic() - self._begun:.3f}"
        )


def _address(scope: Scope) -> str:
    """Where a call comes from: what a proxy says of it need not be an address."""
    try:
        return str(ipaddress.ip_address(scope["client"][0]))
    except (TypeError, ValueError):
        return "-"


class _Lines(WatchedFileHandler):
    """A file of lines for its owner alone; that it cannot be written is said in the other log."""

    def _open(self) -> TextIOWrapper:
        to = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return open(to, "a", encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:
        """Not with a traceback for each line."""
        logging.getLogger("tapeline.web").warning("the access log cannot be written")
