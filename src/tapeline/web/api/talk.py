"""Talk at the table, and places that people point at."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from tapeline.web.api.calls import Asker, StrictRoute
from tapeline.web.api.faults import answers
from tapeline.web.documents.live import Draw, Point, Remark, Say

__all__ = ["router"]

router = APIRouter(
    prefix="/api/matches/{match_id}",
    tags=["talk"],
    route_class=StrictRoute,
    responses=answers(404, 422, 429, 503),
)


@router.get("/talk")
async def heard(
    asker: Asker, after: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0
) -> list[Remark]:
    """What was said after remark `after`, the newest as far as they are kept."""
    return await asker.hub.talk.since(asker.room, after)


@router.post("/talk", status_code=201, responses=answers(400, 403, 413))
async def say(asker: Asker, said: Say) -> Remark:
    """Say something to all who are at the table."""
    return await asker.hub.talk.say(asker.room, asker.holder, said.text)


@router.post("/pointing", status_code=204, responses=answers(400, 403, 413))
async def point(asker: Asker, at: Point) -> None:
    """Point at a place: pages that are there show it for a moment."""
    asker.hub.talk.point(asker.room, asker.holder, at)


@router.post("/drawing", status_code=204, responses=answers(400, 403, 413))
async def draw(asker: Asker, drawn: Draw) -> None:
    """Show arrows and rings: pages that are there draw them until others come, or none."""
    asker.hub.talk.draw(asker.room, asker.holder, drawn)
