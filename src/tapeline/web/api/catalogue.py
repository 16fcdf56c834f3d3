"""Systems, clauses, examples, and the check of a scene: nothing here belongs to a match."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request, Response

from tapeline.web.api.calls import (
    Address,
    Coordinate,
    StrictRoute,
    TheHub,
    body_schema,
    json_body,
    json_response,
)
from tapeline.web.api.faults import answers
from tapeline.web.documents import catalogue as documents
from tapeline.web.documents.base import Values
from tapeline.web.documents.verdict import Verdict
from tapeline.web.hub.hub import Hub
from tapeline.web.hub.matches import COPIES_KEPT

__all__ = ["router"]

router = APIRouter(
    prefix="/api",
    tags=["catalogue"],
    route_class=StrictRoute,
    responses=answers(404, 422, 429, 503),
)


async def _told(hub: Hub, address: str, what: str, **said: Any) -> Response:
    """What does not change while the server runs is worked out once."""
    key = (what, *said.values())
    if key not in hub.told:
        hub.told[key] = await hub.ask_alone(what, said, address)
    return json_response(hub.told[key])


@router.get("/server")
async def server(hub: TheHub) -> documents.Server:
    """How this server is run: who may begin matches, and how long they are kept."""
    settings = hub.settings
    return documents.Server(
        title=settings.title,
        closed=hub.creators.closed,
        keep_days=settings.keep_days,
        copy_days=COPIES_KEPT / timedelta(days=1),
        programs=hub.programs.names,
    )


@router.get("/systems", response_model=list[documents.System])
async def systems(hub: TheHub, address: Address) -> Response:
    """The rule systems this server knows."""
    return await _told(hub, address, "systems")


@router.get("/systems/{name}", response_model=documents.System)
async def system(name: str, hub: TheHub, address: Address) -> Response:
    """One rule system, as the editor and the start page need it."""
    return await _told(hub, address, "system", name=name)


@router.get("/systems/{name}/clauses/{clause_id}", response_model=documents.Clause)
async def clause(name: str, clause_id: str, hub: TheHub, address: Address) -> Response:
    """A clause: its sentence, its source, what became of it."""
    return await _told(hub, address, "clause", name=name, clause=clause_id)


@router.post(
    "/systems/{name}/roster", response_model=documents.ListRead, responses=answers(400, 413)
)
async def roster(name: str, listed: documents.Listed, hub: TheHub, address: Address) -> Response:
    """A roster from a pasted list, CSV or JSON; every line that cannot be read is told."""
    said = {"name": name, "text": listed.text, "called": listed.name}
    return json_response(await hub.ask_alone("roster", said, address))


@router.get("/examples", response_model=list[documents.Example])
async def examples(hub: TheHub, address: Address) -> Response:
    """The scenes that come with the server."""
    return await _told(hub, address, "examples")


@router.get("/examples/{name}", response_model=Values)
async def example(name: str, hub: TheHub, address: Address) -> Response:
    """One of them, whole."""
    return await _told(hub, address, "example", name=name)


@router.get("/demo", response_model=documents.Demo)
async def demo(hub: TheHub, address: Address) -> Response:
    """A board to try on the start page."""
    return await _told(hub, address, "demo")


@router.get("/demo/try", response_model=Verdict)
async def demo_try(hub: TheHub, address: Address, x: Coordinate, y: Coordinate) -> Response:
    """The verdict on a drag of its body to a place. Nothing is kept."""
    return json_response(await hub.ask_alone("demo try", {"to": [x, y]}, address))


@router.post(
    "/scenes/check",
    response_model=documents.Checked,
    responses=answers(400, 413),
    openapi_extra=body_schema(None),
)
async def check(request: Request, hub: TheHub, address: Address) -> Response:
    """Every fault of a scene with its path, or its board. Keeps nothing."""
    body = await json_body(request)
    return json_response(await hub.ask_alone("check", {}, address, body))
