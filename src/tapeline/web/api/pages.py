"""The pages and their files."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse
from pydantic import BaseModel

import tapeline

__all__ = ["STATIC", "router"]

#: Where the page's own files are.
STATIC = Path(__file__).resolve().parents[1] / "static"

router = APIRouter(include_in_schema=False)


class Health(BaseModel):
    """That the server is up, and which version it is."""

    up: bool
    version: str


def _page(name: str) -> FileResponse:
    path = STATIC / name
    if not path.is_file():
        raise HTTPException(404, f"this server has no page {name}")
    return FileResponse(path, media_type="text/html; charset=utf-8")


@router.get("/healthz")
async def health() -> Health:
    """Whether the server is up."""
    return Health(up=True, version=tapeline.__version__)


@router.get("/")
async def start() -> FileResponse:
    """The start page."""
    return _page("index.html")


@router.get("/t/{match_id}")
async def table(match_id: str) -> FileResponse:
    """A match; the secret of the link stays in the browser."""
    return _page("table.html")


@router.get("/edit")
async def edit() -> FileResponse:
    """The scene editor."""
    return _page("editor.html")


@router.get("/favicon.ico")
async def icon() -> FileResponse:
    """A sign for the tab of the browser."""
    path = STATIC / "icon.svg"
    if not path.is_file():
        raise HTTPException(404, "this server has no icon")
    return FileResponse(path, media_type="image/svg+xml")
