"""Answers to what is asked besides actions: reach, routes, odds, tape, sight."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tapeline.web.documents.base import Coordinate, Document, Point, Values
from tapeline.web.documents.verdict import Finding, Ring, Trace, Verdict

__all__ = [
    "Band",
    "Hint",
    "Hints",
    "Laid",
    "Measure",
    "Odds",
    "Outcome",
    "Push",
    "Reach",
    "Route",
    "Sight",
    "Stood",
]


class Band(Document):
    """Where a cost of at most `limit` leads. rings: outer counter-clockwise, holes clockwise."""

    limit: float
    label: str
    rings: list[list[Point]]
    eps: float


class Reach(Document):
    """Where a body can get to in one move of a kind, for its centre; on one storey.

    bands: one for each surface of the storey that it comes to. findings: why the move may not be
    made now. notes: what a border leaves out.
    """

    body: str
    kind: str
    label: str
    storey: int
    allowance: float
    bands: list[Band]
    rings: list[Ring]
    findings: list[Finding]
    notes: list[str] = []


class Route(Document):
    """A cheapest way to a place. path: for the action. None if there is no way of the allowance."""

    path: list[Values]
    trace: Trace
    cost: float
    length: float


class Outcome(Document):
    """A result and how likely it is. at_least: of a count, how likely it or more is."""

    text: str
    chance: float
    at_least: float | None = None


class Odds(Document):
    """Exact odds of an action; total of the chances is 1."""

    outcomes: list[Outcome]
    notes: list[str] = []


class Measure(Document):
    """What the tape says: between two places or the bases there, table units.

    centres: between the points. bases: between the nearest points of the bases, if bodies stand at
    both or either end. start, end: the points the tape lies on. rise: difference of heights.
    """

    centres: float
    bases: float | None
    start: Point
    end: Point
    rise: float
    words: str


class Sight(Document):
    """Whether one body sees another, and what is in the way. lines: rays to be drawn.

    sees: None where the rules leave it to the players or know no sight. blocks: ids.
    """

    sees: bool | None
    words: str
    clause: str
    lines: list[tuple[Point, Point]]
    blocks: list[str]


class View(Document):
    """What one figure sees on the plan. ring: the region on its left; blocks: ids of what closes
    it; words: what it shows and what not. ring is empty where none is drawn."""

    body: str
    ring: list[Point]
    blocks: list[str]
    words: str


class Strike(Document):
    """What one figure or unit could do. chance: 0 to 1, of the likeliest way. least: whether it may
    be more. way: where each leg of it ends. untold: why nobody may know."""

    by: str
    chance: float
    least: bool
    words: str
    way: list[Point]
    untold: str = ""


class Danger(Document):
    """What threatens a figure or unit at a place. chance: that any of them strikes, each as if it
    were alone. strikes: the likeliest first."""

    id: str
    x: float
    y: float
    chance: float
    safe: bool
    words: str
    strikes: list[Strike]


class ThreatBand(Document):
    """Where the likeliest strike has at least a chance; 0 is any. rings: inside on their left."""

    chance: float
    words: str
    rings: list[list[Point]]


class Threat(Document):
    """Whom a side, or one of its figures or units, could strike when it acts next.

    here: where those stand who could be struck. there: for the one asked about, at the place asked
    about. bands: for the one asked about, if they were asked for. terms: what is taken for granted.
    """

    by: str
    here: list[Danger]
    there: Danger | None = None
    bands: list[ThreatBand] = []
    terms: list[str] = []


class Hint(Document):
    """An action that a side may well do now. reasons: in words, what counts most first. chances:
    what its dice come to, the likeliest first. verdict: of the referee, with its way."""

    action: Values
    words: str
    reasons: list[str]
    chances: list[Outcome]
    verdict: Verdict


class Hints(Document):
    """The best few actions of a side, the best first. by_eye: places of enemies were guessed, as
    nobody may measure now."""

    side: str
    hints: list[Hint]
    by_eye: bool


class Stood(Document):
    """Where a hand holds a body: table units, degrees."""

    body: Annotated[str, Field(max_length=200)]
    x: Coordinate
    y: Coordinate
    facing: Annotated[float, Field(ge=-1e6, le=1e6)] = 0.0


class Push(Document):
    """A stand drawn near to others of its unit. near: how far it may be shifted to meet one."""

    stand: Stood
    others: Annotated[list[Stood], Field(max_length=200)]
    near: Annotated[float, Field(ge=0.0, le=1e4)]


class Laid(Document):
    """Where it comes to lie. against: the stand that it lies flush with, None if it stays."""

    x: float
    y: float
    against: str | None = None
