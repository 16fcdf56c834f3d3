"""What holds for every call and answer: name of the server, rates, bodies, headers, packing."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tapeline.web.documents.catalogue import Refusal
from tapeline.web.hub.hub import Hub
from tapeline.web.hub.rates import grouped
from tapeline.web.settings import Settings
from tapeline.web.work.faults import TooOftenError

__all__ = ["HEADERS", "Compression", "Guard", "address_of", "known_host", "status_of"]


#: Nothing from elsewhere, no script or style but files of this server, in nobody's frame.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

#: Headers of every answer.
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

#: Paths whose bodies hold scenes and logs.
_LARGE = ("/api/matches", "/api/scenes/check")


def address_of(scope: MutableMapping[str, Any]) -> str:
    """The address that a call comes from, of IPv6 the network that one subscriber has."""
    client = scope.get("client")
    return grouped(str(client[0])) if client else "nowhere"


def known_host(scope: MutableMapping[str, Any], settings: Settings) -> bool:
    """Whether a call names the server as it is called.

    Addresses cannot be rebound by whoever rules over a name; other names must be said beforehand.
    """
    if settings.any_host:
        return True
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
    name = host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    if name in ("", "localhost", socket.gethostname().lower(), *settings.host_names):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def status_of(message: Message) -> int | None:
    """The status that a message to whoever calls ends with; a live connection is closed with one
    plus 4000, and begins with 101."""
    match message["type"]:
        case "http.response.start":
            return int(message["status"])
        case "websocket.accept":
            return 101
        case "websocket.close" if message.get("code", 1000) > 4000:
            return int(message["code"]) - 4000
    return None


class Guard:
    """Around the application. Live connections look after themselves once they are open."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self.app = app
        self.hub = hub
        self._bodies: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a call or a live connection, or say why not; count what came of it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        live = scope["type"] == "websocket"

        async def counting(message: Message) -> None:
            status = status_of(message)
            if status is not None:
                self.hub.answered(live, status)
            await send(message)

        try:
            await self._serve(scope, receive, counting)
        except Exception:
            # It is answered further out.
            self.hub.answered(live, 500)
            raise

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        settings = self.hub.settings
        if not known_host(scope, settings):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4421})
            else:
                await _refuse(send, 421, "this server is not called by that name (--host-name)")
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        secret = path.startswith("/api")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                # Files are asked for again, and not sent again while they are the same.
                headers.setdefault("cache-control", "no-store" if secret else "no-cache")
            await send(message)

        if secret:
            try:
                self.hub.address_rate.take(address_of(scope))
            except TooOftenError as error:
                await _refuse(sending, 429, str(error), error.headers)
                return
        limit = settings.scene_bytes if path in _LARGE else settings.body_bytes
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and (len(length) > 12 or int(length) > limit):
            await _refuse(sending, 413, f"a body here may have up to {limit} bytes")
            return
        address = address_of(scope)
        body = _Body(self._bodies, settings, address, limit)
        try:
            try:
                async with asyncio.timeout(settings.body_seconds):
                    content = await body.read(receive)
            except TimeoutError:
                await _refuse(sending, 408, "the body did not come in time")
                return
            except _NotTaken as refused:
                await _refuse(sending, refused.status, str(refused))
                return
            if content is None:
                return
            waiting = [{"type": "http.request", "body": content, "more_body": False}]

            async def receiving() -> Message:
                return waiting.pop() if waiting else await receive()

            await self.app(scope, receiving, sending)
        finally:
            body.done()


class _NotTaken(Exception):
    def __init__(self, status: int, why: str) -> None:
        self.status = status
        super().__init__(why)


class _Body:
    """The body of a call while it comes and is worked on; it counts against what may be held."""

    def __init__(self, held: Counter[str], settings: Settings, address: str, limit: int) -> None:
        self._held = held
        self._settings = settings
        self._address = address
        self._limit = limit
        self._taken = 0

    async def read(self, receive: Receive) -> bytes | None:
        """All of it; None if whoever sends it is gone. Raises _NotTaken."""
        parts: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            part = message.get("body", b"")
            self._take(len(part))
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def _take(self, size: int) -> None:
        self._taken += size
        self._held[self._address] += size
        self._held[""] += size
        if self._taken > self._limit:
            raise _NotTaken(413, f"a body here may have up to {self._limit} bytes")
        mine, settings = self._held[self._address], self._settings
        if mine > settings.bodies_bytes_an_address or self._held[""] > settings.bodies_bytes:
            raise _NotTaken(503, "too much is being sent at the same time; try again later")

    def done(self) -> None:
        """It is no longer held."""
        for key in (self._address, ""):
            self._held[key] -= self._taken
            if self._held[key] <= 0:
                del self._held[key]


async def _refuse(
    send: Send, status: int, detail: str, headers: dict[str, str] | None = None
) -> None:
    body = Refusal(detail=detail).model_dump_json().encode()
    all_headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **(headers or {}),
    }
    raw = [(name.encode(), value.encode()) for name, value in all_headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


#: Of the calls those that hold no secret. What a match answers is never packed: its length would
#: tell of secrets in it to whoever can put words of their own beside them (the BREACH attack).
_OPEN = ("/api/demo", "/api/examples", "/api/scenes/check", "/api/server", "/api/systems")
#: Bytes from which on it pays.
_LEAST = 600


class Compression:
    """The application, with pages, their files and open calls packed for whoever takes that."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.packed = GZipMiddleware(app, minimum_size=_LEAST, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One call, or one connection."""
        path: str = scope.get("path", "")
        secret = path.startswith("/api") and not path.startswith(_OPEN)
        packs = scope["type"] == "http" and not secret
        await (self.packed if packs else self.app)(scope, receive, send)
