"""What players may ask for in Mordheim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.attested import Chances
from tapeline.engine.paths import LegPath
from tapeline.table.marks import Value

__all__ = [
    "ATTESTED",
    "Cast",
    "Charge",
    "CloseDeclarations",
    "Compulsory",
    "Crawl",
    "DeclareCharge",
    "EndPhase",
    "Hide",
    "Measure",
    "Move",
    "Rally",
    "Result",
    "Shoot",
    "StandUp",
    "Strike",
]

#: What an attack came to, as the players attest.
Result = Literal["nothing", "knocked_down", "stunned", "out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rally(ActorAction):
    """A fleeing model tries to rally, in recovery."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandUp(ActorAction):
    """A model knocked down before this turn stands up, in recovery."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareCharge(ActorAction):
    """A charge is announced, the model that is attacked named; the one that matters most first.

    dive: as a diving charge, where the landing allows it.
    """

    targets: tuple[str, ...]
    dive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseDeclarations(Action):
    """No more charges are announced; the 8-inch check is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(ActorAction):
    """A declared charge is moved. path: a route wanted among equally short ones."""

    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compulsory(ActorAction):
    """A model makes the move it is forced to make: it flees, or stumbles on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(ActorAction):
    """A remaining move along a path; an empty path is staying.

    Legs: how "walk" (ladders and stairs included), "climb", "drop" (jumping down), "jump" (over a
    gap). run: announced as a run. hide: ends it hiding.
    """

    path: LegPath = ()
    run: bool = False
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl(ActorAction):
    """A knocked down model crawls."""

    path: LegPath = ()
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide(ActorAction):
    """A model hides where its move ended; one that has not moved stays where it is.

    Also a part: what a move with `hide` is checked for at its end.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot(ActorAction):
    """A model shoots; what it did to the target, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    target: str | None = None
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(ActorAction):
    """A model casts a spell, in the shooting phase; what it did, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    target: str | None = None
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(ActorAction):
    """A model fights an enemy it is engaged with; what came of it, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    target: str
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(ActorAction):
    """A side asks the referee for a measure, where it may be told (MH-CHG-2, MH-RUN-5, MH-GAP-3).

    what: "distance" from the actor to the target, "run" whether it may run, "gap" the width of a
    gap before it.
    """

    measures: ClassVar[bool] = True
    what: Literal["distance", "run", "gap"] = "distance"
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPhase(Action):
    """The phase is over; the next one begins, or the turn of the other side."""


_BLOWS: dict[Value, int] = {"nothing": 5, "knocked_down": 1, "stunned": 1, "out": 1}
#: What blows do where a table plays alone; profiles have no missiles, so nobody shoots. Our own
#: figures.
ATTESTED = {"strike": Chances(_BLOWS, slot="result", once="struck"), "MH-FLEE-1": Chances(_BLOWS)}
