"""What a newcomer can start from, what the scene editor works with, and what is answered instead of
what was asked for.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tapeline.web.documents.asked import Reach
from tapeline.web.documents.base import Document, Values
from tapeline.web.documents.board import Board
from tapeline.web.documents.verdict import Finding

__all__ = [
    "Checked",
    "Clause",
    "Example",
    "Fault",
    "Faults",
    "Fix",
    "ListRead",
    "Listed",
    "Profile",
    "Reading",
    "Refusal",
    "Roster",
    "RosterLine",
    "Server",
    "System",
    "Task",
    "Terrain",
]


class Server(Document):
    """How this server is run. closed: whether beginning a match takes a password or an invitation.

    keep_days: after how many days without play a match is deleted; 0: not by itself. copy_days:
    the same of copies to try things on. programs: names of those that may be chosen as the
    opponent.
    """

    title: str
    closed: bool
    keep_days: float
    copy_days: float
    programs: list[str]


class Task(Document):
    """What a puzzle asks for. level: 1 easy to 3 hard."""

    words: str
    level: int


class Example(Document):
    """A scene that comes with the server. counts: bodies by side name. game: whether it says what
    is played for, so that the table itself can play it. puzzle: its task, if it is one. lesson: how
    many steps it has, if it is one."""

    name: str
    system: str
    title: str
    says: str
    width: float
    depth: float
    unit: Literal["in", "cm"]
    counts: dict[str, int]
    game: bool = False
    puzzle: Task | None = None
    lesson: int | None = None


class Reading(Document):
    """A contested reading that is a switch: values with their meaning, the default first."""

    name: str
    question: str
    values: dict[str, str]
    clauses: list[str]


class Profile(Document):
    """A type of body. base_mm: (diameter,) or (width, depth), None if it has none.

    form: how it goes on the table: alone, as a regiment of ranked models, or as a unit of stands;
    count, least, most: of models or stands; files: models in a rank.
    """

    name: str
    base_mm: list[float] | None
    stats: Values
    form: Literal["model", "regiment", "stands"] = "model"
    count: int = 1
    least: int = 1
    most: int = 1
    files: int = 1


class Terrain(Document):
    """A kind of terrain."""

    name: str
    traits: list[str]
    height: float
    pattern: str


class System(Document):
    """A rule system, as the editor and the start page need it.

    marks: states that a body may begin in, by name, each "flag", "whole", "number", "text" or
    "list". mm: millimetres in the unit of its tables. ground: the look of its tables.
    """

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
    marks: dict[str, str] = {}
    mm: float = 25.4
    ground: str = "paper"


class RosterLine(Document):
    """`count` bodies or units of a profile. size: models or stands in each, None: as usual."""

    profile: str
    name: str
    count: int
    size: int | None


class Roster(Document):
    """What a side brings, as `tapeline roster` writes it."""

    format: Literal["tapeline-roster/1"]
    system: str
    name: str
    lines: list[RosterLine]


class Listed(Document):
    """A roster as text: a pasted list, CSV or JSON. name: what it is to be called."""

    text: Annotated[str, Field(max_length=100_000)]
    name: Annotated[str, Field(max_length=120)] = ""


class Clause(Document):
    """A clause: its sentence, where it comes from, what became of it."""

    id: str
    says: str
    source: str
    state: str
    reason: str = ""


class Fix(Document):
    """A change of the document that would end a fault: the value to be put at the path."""

    label: str
    path: str
    value: object


class Fault(Document):
    """What is wrong with a document, and where. about: the id of the entry, if it is in one."""

    path: str
    message: str
    about: str | None = None
    fixes: list[Fix] = []


class Demo(Document):
    """A board to try: `body` may go as far as `reach`. example: the scene, to be played in full."""

    example: str
    body: str
    board: Board
    reach: Reach


class ListRead(Document):
    """A roster that was read, or every fault of its text; the path of a fault names its line."""

    roster: Roster | None
    faults: list[Fault] = []


class Checked(Document):
    """A scene looked at: faults if any, else its board. notes: what is odd but allowed."""

    faults: list[Fault]
    notes: list[str]
    board: Board | None


class Faults(Document):
    """Input that cannot be used: every fault, and where it is."""

    detail: list[Fault]


class Refusal(Document):
    """Why something is not done. findings: the clauses behind it, where it is the rules."""

    detail: str
    findings: list[Finding] = []
