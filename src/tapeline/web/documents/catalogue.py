"""What a newcomer can start from, and what the scene editor works with."""

from __future__ import annotations

from typing import Literal

from tapeline.web.documents.base import Document, Values
from tapeline.web.documents.board import Board

__all__ = ["Checked", "Clause", "Example", "Fault", "Profile", "Reading", "System", "Terrain"]


class Example(Document):
    """A scene that comes with the server. counts: bodies by side name."""

    name: str
    system: str
    title: str
    says: str
    width: float
    depth: float
    unit: Literal["in", "cm"]
    counts: dict[str, int]


class Reading(Document):
    """A contested reading that is a switch: values with their meaning, the default first."""

    name: str
    question: str
    values: dict[str, str]
    clauses: list[str]


class Profile(Document):
    """A type of body. base_mm: (diameter,) or (width, depth), None if it has none."""

    name: str
    base_mm: list[float] | None
    stats: Values


class Terrain(Document):
    """A kind of terrain."""

    name: str
    traits: list[str]
    height: float
    pattern: str


class System(Document):
    """A rule system, as the editor and the start page need it."""

    name: str
    title: str
    unit: Literal["in", "cm"]
    storeys: bool
    units: bool
    phases: list[str]
    traits: list[str]
    readings: list[Reading]
    profiles: list[Profile]
    terrain: list[Terrain]
    actions: list[str]
    clauses: int


class Clause(Document):
    """A clause: its sentence, where it comes from, what became of it."""

    id: str
    says: str
    source: str
    state: str
    reason: str = ""


class Fault(Document):
    """What is wrong with a document, and where."""

    path: str
    message: str


class Checked(Document):
    """A scene looked at: faults if any, else its board. notes: what is odd but allowed."""

    faults: list[Fault]
    notes: list[str]
    board: Board | None
