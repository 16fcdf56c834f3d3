"""Who asks: the link in the Authorization header, and bodies read strictly."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from tapeline.errors import DocumentError, TapelineError
from tapeline.table.json_documents import parse_json
from tapeline.web.api.guard import address_of
from tapeline.web.hub.hub import Hub
from tapeline.web.hub.room import Room
from tapeline.web.work.faults import stale
from tapeline.web.work.kinds import Holder

__all__ = [
    "Address",
    "Asker",
    "Asking",
    "Bearer",
    "Coordinate",
    "StrictRoute",
    "TheHub",
    "body_schema",
    "json_body",
    "json_response",
]

_BEARER = HTTPBearer(
    auto_error=False, description="The secret of a link, as it stands after # in its address."
)


#: Far beyond any table, so that no figure overflows.
Coordinate = Annotated[float, Query(ge=-1e4, le=1e4, allow_inf_nan=False)]


class _StrictRequest(Request):
    async def json(self) -> Any:
        """The body: no key twice, no NaN, not too deep."""
        try:
            return parse_json(await self.body(), "body")
        except DocumentError as error:
            message = error.faults[0].message.removeprefix("is not JSON: ")
            raise json.JSONDecodeError(message, "", 0) from None


class StrictRoute(APIRoute):
    """A route whose body is read as strictly as a scene file."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """As of FastAPI, but for how the body is read."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return handle


async def json_body(request: Request) -> bytes:
    """The body as it came, to be read by a worker. Raises RequestValidationError if it is said to
    be no JSON: what a form of another site can send."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        fault = {"type": "dict_type", "loc": ("body",), "msg": "must be sent as application/json"}
        raise RequestValidationError([fault])
    return await request.body()


def body_schema(document: type[BaseModel] | None) -> dict[str, Any]:
    """How a body that a worker reads is described: as a document, or as any object."""
    schema: dict[str, Any] = {"type": "object", "additionalProperties": True}
    if document is not None:
        schema = document.model_json_schema()
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


TheHub = Annotated[Hub, Depends(_hub)]


def _address(request: Request) -> str:
    return address_of(request.scope)


Address = Annotated[str, Depends(_address)]


@dataclass(frozen=True, slots=True)
class Asking:
    """A call about a match: the room, who asks, and the hub; maybe for one version alone."""

    hub: Hub
    room: Room
    holder: Holder
    version: int | None = None

    async def ask(self, what: str, **said: Any) -> Response:
        """What the engine answers about the match as it stands, as JSON.

        Raises StaleVersionError, whatever the answer, where the match is past the version meant.
        """
        try:
            answer = await self.recall(what, **said)
        except TapelineError:
            await self._timely()
            raise
        await self._timely()
        return answer

    async def recall(self, what: str, **said: Any) -> Response:
        """The same about what no later entry changes."""
        return json_response(await self.hub.ask(self.room, self.holder, what, said))

    async def _timely(self) -> None:
        if self.version is None:
            return
        # A deed under way may have been answered from already.
        async with self.room.lock:
            if self.version < self.room.version:
                raise stale(self.version, self.room.version)


def json_response(text: str | bytes, status: int = 200) -> Response:
    """An answer that is JSON already."""
    return Response(text, status, media_type="application/json")


Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


_Version = Annotated[
    int | None,
    Header(
        alias="Tapeline-Version",
        ge=0,
        description="The version that is asked about: 409 if the match has moved on since.",
    ),
]


_Side = Annotated[
    str | None,
    Header(
        alias="Tapeline-Side",
        max_length=200,
        description="With a link of all sides: the side that is at the device. Only what it may "
        "see is told, and only for it is anything done. Percent-encoded.",
    ),
]


async def _asking(
    match_id: str,
    hub: TheHub,
    address: Address,
    given: Bearer,
    version: _Version = None,
    side: _Side = None,
) -> Asking:
    room, holder = await hub.enter(
        match_id, given.credentials if given else "", address, unquote(side or "")
    )
    hub.link_rate.take(holder.key)
    return Asking(hub, room, holder, version)


Asker = Annotated[Asking, Depends(_asking)]
