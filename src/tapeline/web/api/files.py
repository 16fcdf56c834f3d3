"""A match as files: its log, a scene, a case, a picture."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from tapeline.errors import AnswerError, DocumentError, Fault
from tapeline.play.match import Match
from tapeline.web.api.asking import Asker
from tapeline.web.api.faults import answers
from tapeline.web.documents.base import Values
from tapeline.web.views.exports import case_of, log_of, picture_of

__all__ = ["router"]

router = APIRouter(
    prefix="/api/matches/{match_id}",
    tags=["files"],
    responses=answers(403, 404, 422, 429),
)

_Entry = Annotated[int | None, Query(ge=0, le=1_000_000, description="after entry n; else now")]


def _number(match: Match, n: int | None) -> int:
    if n is None:
        return len(match.entries)
    if n > len(match.entries):
        raise DocumentError("file", [Fault("n", f"must be from 0 to {len(match.entries)}")])
    return n


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


@router.get(
    "/log",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def log(asker: Asker) -> Response:
    """The log of the match, a line an entry; `tapeline replay` reads it, and checks the dice."""
    text = await asker.hub.run(log_of, asker.room.match, asker.room.kept.seed)
    name = _named(f"match-{asker.room.id}.jsonl")
    return Response(text, media_type="application/x-ndjson", headers=name)


@router.get("/scene")
async def scene(asker: Asker, n: _Entry = None) -> Values:
    """The scene as it is now, or after entry n. Not to be had while a question is open."""
    match = asker.room.match
    battle = await asker.hub.run(match.battles.__getitem__, _number(match, n))
    if battle.pending is not None:
        raise AnswerError("a question is open; a scene cannot hold it: take the log")
    return await asker.hub.run(battle.scene)


@router.get("/case")
async def case(asker: Asker, n: Annotated[int, Query(ge=1, le=1_000_000)]) -> Values:
    """Entry n as a case: the scene before it, its action, what was expected of it."""
    match = asker.room.match
    _number(match, n)
    return await asker.hub.run(case_of, match, n)


@router.get(
    "/picture.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def svg(asker: Asker, n: _Entry = None) -> Response:
    """The table now, or after entry n, with the ways gone in it."""
    return await _picture(asker, n, "svg", "image/svg+xml")


@router.get(
    "/picture.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def png(asker: Asker, n: _Entry = None) -> Response:
    """The same as a PNG."""
    return await _picture(asker, n, "png", "image/png")


async def _picture(
    asker: Asker, n: int | None, form: Literal["svg", "png"], media: str
) -> Response:
    match = asker.room.match
    number = _number(match, n)
    picture = await asker.hub.run(picture_of, match, number, form)
    name = _named(f"match-{asker.room.id}-{number}.{form}")
    return Response(picture, media_type=media, headers=name)
