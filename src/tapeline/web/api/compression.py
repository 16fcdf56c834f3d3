"""Answers that are the same for everybody, sent packed: a quarter of their weight."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Compression"]

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
