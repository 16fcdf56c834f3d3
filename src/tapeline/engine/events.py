"""What happened, complete and in the past tense. Folding events is all that changes a state.

No event knows a rule. `clause` names the rule that brought it about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, get_args

from tapeline.dice import Roll
from tapeline.engine.asks import Choice
from tapeline.engine.paths import LegPath
from tapeline.table.bodies import Base
from tapeline.table.marks import EMPTY, Marks, Value

__all__ = [
    "EVENTS",
    "Answered",
    "Deployed",
    "Event",
    "Happened",
    "Marked",
    "Moved",
    "Progressed",
    "Removed",
    "Resized",
    "Returned",
    "Rolled",
    "TurnChanged",
    "UnitMarked",
]


class _Record:
    """What all events share: documents with other keys than theirs are refused."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, slots=True)
class Moved(_Record):
    """A body went along a path and stands at x, y, z with that facing (degrees)."""

    body: str
    x: float
    y: float
    z: float
    facing: float
    path: LegPath = ()
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Marked(_Record):
    """Marks of a body changed; None takes a mark away."""

    body: str
    changes: Marks
    clause: str = ""


@dataclass(frozen=True, slots=True)
class UnitMarked(_Record):
    """Marks of a unit changed; None takes a mark away."""

    unit: str
    changes: Marks
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Resized(_Record):
    """A body stands on another base, as when a rank is lost."""

    body: str
    base: Base
    x: float
    y: float
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Removed(_Record):
    """A body left the table for the reason given; it is kept among the gone."""

    body: str
    reason: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Returned(_Record):
    """A body that was gone stands on the table again."""

    body: str
    x: float
    y: float
    z: float
    facing: float
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Rolled(_Record):
    """Dice were thrown for a roll."""

    roll: Roll
    faces: tuple[int, ...]
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Answered(_Record):
    """A side answered a question."""

    choice: Choice
    value: Value
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Progressed(_Record):
    """What the system remembers of the sequence changed; None takes an entry away."""

    changes: Marks
    clause: str = ""


@dataclass(frozen=True, slots=True)
class TurnChanged(_Record):
    """Round, phase, active side or initiative changed; None means unchanged."""

    round: int | None = None
    phase: str | None = None
    active: str | None = None
    initiative: str | None = None
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Deployed(_Record):
    """The set-up went on: whose turn it is, who is ready; None means unchanged. over: the game
    begins."""

    next: str | None = None
    ready: tuple[str, ...] | None = None
    over: bool = False
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Happened(_Record):
    """Something the players want to know of that changes nothing by itself.

    outcome: whether odds tell results apart by it.
    """

    name: str
    text: str
    about: str | None = None
    data: Marks = EMPTY
    outcome: bool = False
    clause: str = ""


Event: TypeAlias = (
    Moved
    | Marked
    | UnitMarked
    | Resized
    | Removed
    | Returned
    | Rolled
    | Answered
    | Progressed
    | TurnChanged
    | Deployed
    | Happened
)

#: Every kind of event by the name it has in documents: that of its class, as of actions.
EVENTS: dict[str, type[Event]] = {
    re.sub(r"\B([A-Z])", r"_\1", kind.__name__).lower(): kind for kind in get_args(Event)
}
