"""Matches: begun, shown, played; talk at the table, and places that people point at."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Query, Request, Response

from tapeline.web.api.calls import (
    Address,
    Asker,
    Bearer,
    StrictRoute,
    TheHub,
    body_schema,
    json_body,
    json_response,
)
from tapeline.web.api.faults import answers
from tapeline.web.documents import live
from tapeline.web.documents import match as documents

__all__ = ["router", "talk"]

_SHARED: dict[str, Any] = {"route_class": StrictRoute, "responses": answers(404, 422, 429, 503)}
router = APIRouter(prefix="/api/matches", tags=["matches"], **_SHARED)
talk = APIRouter(prefix="/api/matches/{match_id}", tags=["talk"], **_SHARED)


@router.post(
    "",
    status_code=201,
    responses=answers(400, 403, 413),
    openapi_extra=body_schema(documents.NewMatch),
)
async def create(
    request: Request, hub: TheHub, address: Address, given: Bearer
) -> documents.Created:
    """Begin a match. Its links are told this once.

    Where the server asks for a password or an invitation, it is sent as a link's secret would be,
    percent-encoded.
    """
    key = unquote(given.credentials) if given else ""
    return await hub.create(await json_body(request), address, key)


@router.get("/{match_id}", response_model=documents.Match)
async def show(asker: Asker, since: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Response:
    """The match as this link sees it, with its log after entry `since`; terrain only from 0."""
    await asker.hub.renew(asker.room, asker.holder)
    _, shown = await asker.hub.show(asker.room, asker.holder, since)
    return json_response(shown)


#: Of what writes to a match, or proposes to.
_DEED: dict[str, Any] = {"response_model": documents.Done, "responses": answers(400, 403, 409, 413)}


@router.post("/{match_id}/actions", **_DEED)
async def act(asker: Asker, wanted: documents.Act) -> Response:
    """Do an action. An illegal one writes nothing; its verdict says why."""
    return json_response(await asker.hub.act(asker.room, asker.holder, wanted))


@router.post("/{match_id}/answers", **_DEED)
async def answer(asker: Asker, given: documents.Answered) -> Response:
    """Answer the open question, if this link moves the side that is asked."""
    return json_response(await asker.hub.answer(asker.room, asker.holder, given))


@router.post(
    "/{match_id}/opponent",
    response_model=documents.Done,
    responses=answers(400, 403, 409, 413, 502),
)
async def think(asker: Asker, wanted: documents.Think) -> Response:
    """Have the computer opponent, or a program, do the next thing for a side that this link
    moves."""
    return json_response(await asker.hub.think(asker.room, asker.holder, wanted))


@router.post("/{match_id}/undo", **_DEED)
async def undo(asker: Asker, wanted: documents.Undo) -> Response:
    """Take entries back if that is free, else propose it to the other side."""
    return json_response(await asker.hub.undo(asker.room, asker.holder, wanted))


@router.post("/{match_id}/overrides", **_DEED)
async def override(asker: Asker, wanted: documents.Override) -> Response:
    """Propose to change the table by agreement, whatever the rules say."""
    return json_response(await asker.hub.override(asker.room, asker.holder, wanted))


@router.post("/{match_id}/ending", **_DEED)
async def end(asker: Asker, wanted: documents.Ending) -> Response:
    """Give up; or propose a draw, or to play the same again."""
    return json_response(await asker.hub.agreements.end(asker.room, asker.holder, wanted))


@router.post("/{match_id}/hints", **_DEED)
async def allow_hints(asker: Asker, wanted: documents.AllowHints) -> Response:
    """Propose to the others that hints may be asked for, or end that."""
    return json_response(await asker.hub.agreements.allow_hints(asker.room, asker.holder, wanted))


@router.post("/{match_id}/proposals/{proposal_id}", **_DEED)
async def reply(asker: Asker, proposal_id: str, reply: documents.Reply) -> Response:
    """Agree to a proposal, or do not; who proposed it may take it back."""
    return json_response(await asker.hub.reply(asker.room, asker.holder, proposal_id, reply))


@router.post("/{match_id}/copy", status_code=201, responses=answers(400, 403, 413))
async def copy(asker: Asker, wanted: documents.Copy) -> documents.Created:
    """A hot-seat copy to try things on. The match itself stays as it is."""
    return await asker.hub.copy(asker.room, asker.holder, wanted.at)


@talk.get("/talk")
async def heard(
    asker: Asker, after: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0
) -> list[live.Remark]:
    """What was said after remark `after`, the newest as far as they are kept."""
    return await asker.hub.talk.since(asker.room, after)


@talk.post("/talk", status_code=201, responses=answers(400, 403, 413))
async def say(asker: Asker, said: live.Say) -> live.Remark:
    """Say something to all who are at the table."""
    return await asker.hub.talk.say(asker.room, asker.holder, said.text)


@talk.post("/pointing", status_code=204, responses=answers(400, 403, 413))
async def point(asker: Asker, at: live.Point) -> None:
    """Point at a place: pages that are there show it for a moment."""
    asker.hub.talk.point(asker.room, asker.holder, at)


@talk.post("/drawing", status_code=204, responses=answers(400, 403, 413))
async def draw(asker: Asker, drawn: live.Draw) -> None:
    """Show arrows and rings: pages that are there draw them until others come, or none."""
    asker.hub.talk.draw(asker.room, asker.holder, drawn)
