"""Systems, clauses, examples, and the check of a scene: nothing here belongs to a match."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, HTTPException

from tapeline.errors import UnknownSystemError
from tapeline.web.documents.base import Values
from tapeline.web.documents.catalogue import Checked, Clause, Example, System
from tapeline.web.views import catalogue
from tapeline.web.views.checking import checked

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["catalogue"])


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
def examples() -> list[Example]:
    """The scenes that come with the server."""
    return catalogue.examples(catalogue.examples_folder())


@router.get("/examples/{name}")
def example(name: str) -> Values:
    """One of them, whole."""
    try:
        return catalogue.example(catalogue.examples_folder(), name)
    except KeyError:
        raise HTTPException(404, f"there is no example {name!r}") from None


@router.post("/scenes/check")
def check(scene: Annotated[Values, Body()]) -> Checked:
    """Every fault of a scene with its path, or its board. Keeps nothing."""
    return checked(scene)
