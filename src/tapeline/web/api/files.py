"""A match as files: its log, a scene, a case, a picture."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from tapeline.web.api.calls import Asker
from tapeline.web.api.faults import answers
from tapeline.web.documents.base import Values

__all__ = ["router"]

router = APIRouter(
    prefix="/api/matches/{match_id}", tags=["files"], responses=answers(403, 404, 422, 429, 503)
)

_Entry = Annotated[int | None, Query(ge=0, le=1_000_000, description="after entry n; else now")]


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


@router.get(
    "/log",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def log(asker: Asker) -> Response:
    """The log of the match, a line an entry; `tapeline replay` reads it, and checks the dice."""
    said = {"seed": asker.room.kept.seed}
    text = await asker.hub.ask(asker.room, asker.holder, "log", said)
    name = _named(f"match-{asker.room.id}.jsonl")
    return Response(text, media_type="application/x-ndjson", headers=name)


@router.get("/scene", response_model=Values)
async def scene(asker: Asker, n: _Entry = None) -> Response:
    """The scene as it is now, or after entry n. Not to be had while a question is open."""
    return await asker.recall("scene", n=n)


@router.get("/case", response_model=Values)
async def case(asker: Asker, n: Annotated[int, Query(ge=1, le=1_000_000)]) -> Response:
    """Entry n as a case: the scene before it, its action, what was expected of it."""
    return await asker.recall("case", n=n)


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
    version = asker.room.version
    picture = await asker.hub.ask(asker.room, asker.holder, "picture", {"n": n, "form": form})
    name = _named(f"match-{asker.room.id}-{version if n is None else n}.{form}")
    return Response(picture, media_type=media, headers=name)
