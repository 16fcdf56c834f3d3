"""Systems, clauses, examples, and the check of a scene: nothing here belongs to a match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Body, Depends, HTTPException

from tapeline.errors import UnknownSystemError
from tapeline.web.api.asking import StrictRoute, TheHub
from tapeline.web.api.faults import answers
from tapeline.web.documents.base import Values
from tapeline.web.documents.catalogue import Checked, Clause, Example, System
from tapeline.web.views import catalogue
from tapeline.web.views.checking import checked

__all__ = ["router"]

router = APIRouter(
    prefix="/api", tags=["catalogue"], route_class=StrictRoute, responses=answers(404, 422, 429)
)


def _folder(hub: TheHub) -> Path | None:
    return hub.settings.examples or catalogue.examples_folder()


Folder: TypeAlias = Annotated[Path | None, Depends(_folder)]


@router.get("/systems")
def systems() -> list[System]:
    """The rule systems this server knows."""
    return catalogue.systems()


@router.get("/systems/{name}")
def system(name: str) -> System:
    """One rule system, as the editor and the start page need it."""
    try:
        return catalogue.system(name)
    except UnknownSystemError as error:
        raise HTTPException(404, str(error)) from None


@router.get("/systems/{name}/clauses/{clause_id}")
def clause(name: str, clause_id: str) -> Clause:
    """A clause: its sentence, its source, what became of it."""
    try:
        return catalogue.clause(name, clause_id)
    except UnknownSystemError as error:
        raise HTTPException(404, str(error)) from None
    except KeyError:
        raise HTTPException(404, f"{name} has no clause {clause_id!r}") from None


@router.get("/examples")
def examples(folder: Folder) -> list[Example]:
    """The scenes that come with the server."""
    return catalogue.examples(folder)


@router.get("/examples/{name}")
def example(name: str, folder: Folder) -> Values:
    """One of them, whole."""
    try:
        return catalogue.example(folder, name)
    except KeyError:
        raise HTTPException(404, f"there is no example {name!r}") from None


@router.post("/scenes/check", responses=answers(400, 413))
async def check(scene: Annotated[Values, Body()], hub: TheHub) -> Checked:
    """Every fault of a scene with its path, or its board. Keeps nothing."""
    return await hub.run(checked, scene)
