"""The board as a side may see it: table, terrain, bodies, units, whose turn it is."""

from __future__ import annotations

from typing import Literal

from tapeline.web.documents.base import Document, Point, Values

__all__ = ["Badge", "Board", "Figure", "Ground", "Group", "Party", "Shape", "Storey", "Zone"]


class Shape(Document):
    """A closed outline on the plan: corners, or a circle; holes are cut out of corners. Two corners
    are a line.

    part: what of the piece it is: "ground", "zone", "floor", "hole", "hatch", "wall", "door",
    "window", "gap", "step" (a line across stairs or a ladder), "edge" (the line of a face).
    bottom, top: heights of a part of a wall, None for those of the entry: parts above one another
    have the same corners. id, shut, says: of an opening.
    """

    part: str = "ground"
    corners: list[Point] = []
    holes: list[list[Point]] = []
    circle: tuple[float, float, float] | None = None
    bottom: float | None = None
    top: float | None = None
    id: str = ""
    shut: bool = False
    says: str = ""


class Ground(Document):
    """An entry of terrain. pattern: the name of its texture, form: what is drawn on it; label: what
    stands on it.

    storeys: the plans that show it in full. foot, head: x, y, height of the ends of a ramp or
    ladder; arrows point from foot to head.
    """

    id: str
    type: Literal["piece", "floor", "wall", "ramp", "ladder", "face"]
    kind: str
    name: str
    label: str
    shapes: list[Shape]
    bottom: float
    top: float
    traits: list[str]
    pattern: str
    storeys: list[int]
    says: str
    foot: tuple[float, float, float] | None = None
    head: tuple[float, float, float] | None = None
    form: str = ""


class Storey(Document):
    """One plan: heights from bottom up to, but not at, top (None: no end)."""

    index: int
    bottom: float
    top: float | None
    caption: str


class Party(Document):
    """A side. look: which of the page's colours and rims is its: 0 red, 1 blue, 2 orange, 3 purple,
    4 green, 5 yellow, 6 white, 7 black; a side called after a colour has that one."""

    id: str
    name: str
    look: int
    bodies: int
    gone: int


class Badge(Document):
    """A state of a body: a letter on the board, words beside it."""

    letter: str
    words: str


class Figure(Document):
    """A body. radius, or width and depth with the front towards `facing`; table units, degrees.

    models, files: of a regiment on one base, how many stand on it and how many abreast. role: the
    sign of its troop type, "" if its profile has none. aims: ids of those it has declared to go
    for, while it has not yet gone.
    """

    id: str
    name: str
    side: str
    unit: str | None
    x: float
    y: float
    z: float
    facing: float
    radius: float | None
    width: float | None
    depth: float | None
    storey: int
    badges: list[Badge]
    profile: str
    stats: Values
    says: str
    models: int | None = None
    files: int | None = None
    role: str = ""
    aims: list[str] = []


class Group(Document):
    """A unit of bodies that are ordered together. words: its formation and state."""

    id: str
    name: str
    side: str
    members: list[str]
    profile: str
    words: str
    badges: list[Badge]
    stats: Values


class Zone(Document):
    """A part of the plan that no rule heeds, drawn under the terrain: hatched, with a dashed edge.

    side: whose models are set up in it, whose colour it has; None: nobody's. shape: corners or a
    circle. label: what stands on it. says: the zone in one line, for who does not see the board.
    """

    id: str
    name: str
    side: str | None
    shape: Shape
    label: str
    says: str


class Board(Document):
    """Everything to be seen at one moment. acting: sides that may act or must answer now.

    terrain: None where the page has it already: it never changes during a match. zones: always.
    ground: the look of the table: paper, flagstones, clay or meadow. active: ids of the bodies or
    units that act now; waiting: of those that still may before the step ends, and idle: what they
    have not done then, as "have not moved". tape: whether lengths may be measured now.
    tray: ids of those among the gone that have yet to be set up; None once the game has begun;
    hidden: whether the sides hide from one another what they set up.
    over: whether the game that the scene states has been played. next: of the sides that may act,
    those whose turn it is. score: how the game stands, in one line, "" without one; goals: what is
    played for, a sentence each.
    """

    system: str
    title: str
    name: str
    unit: Literal["in", "cm"]
    width: float
    depth: float
    round: int
    phase: str
    status: list[str]
    acting: list[str]
    parties: list[Party]
    storeys: list[Storey]
    terrain: list[Ground] | None
    figures: list[Figure]
    groups: list[Group]
    gone: list[Figure]
    hash: str
    tray: list[str] | None = None
    hidden: bool = False
    zones: list[Zone] = []
    ground: str = "paper"
    over: bool = False
    next: list[str] = []
    score: str = ""
    goals: list[str] = []
    active: list[str] = []
    waiting: list[str] = []
    idle: str = ""
    tape: bool = True
