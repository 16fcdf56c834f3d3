"""What holds for every answer and every call: headers, size of bodies, calls of an address."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tapeline.web.documents.faults import Refusal
from tapeline.web.hub.hub import Hub
from tapeline.web.work.faults import TooOftenError

__all__ = ["HEADERS", "Guard", "address_of"]

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
    """The address that a call comes from."""
    client = scope.get("client")
    return str(client[0]) if client else "nowhere"


class Guard:
    """Around the application. Live connections look after themselves once they are open."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self.app = app
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a call, or say why not."""
        if scope["type"] != "http":
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
                wait = str(max(1, int(error.after + 0.999)))
                await _refuse(sending, 429, str(error), {"retry-after": wait})
                return
        settings = self.hub.settings
        limit = settings.scene_bytes if path in _LARGE else settings.body_bytes
        length = dict(scope["headers"]).get(b"content-length", b"")
        too_large = f"a body here may have up to {limit} bytes"
        if length.isdigit() and (len(length) > 12 or int(length) > limit):
            await _refuse(sending, 413, too_large)
            return
        taken = 0

        async def receiving() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > limit:
                    raise HTTPException(413, too_large)
            return message

        await self.app(scope, receiving, sending)


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
