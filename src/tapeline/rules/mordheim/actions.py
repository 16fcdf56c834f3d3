"""What players may ask for in Mordheim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeline.engine.actions import Action
from tapeline.engine.paths import LegPath

__all__ = [
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
class Rally(Action):
    """A fleeing model tries to rally, in recovery."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandUp(Action):
    """A model knocked down before this turn stands up, in recovery."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareCharge(Action):
    """A charge is announced, the model that is attacked named; the one that matters most first.

    dive: as a diving charge, where the landing allows it.
    """

    actor: str
    targets: tuple[str, ...]
    dive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseDeclarations(Action):
    """No more charges are announced; the 8-inch check is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(Action):
    """A declared charge is moved. path: a route wanted among equally short ones."""

    actor: str
    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compulsory(Action):
    """A model makes the move it is forced to make: it flees, or stumbles on."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Action):
    """A remaining move along a path; an empty path is staying.

    Legs: how "walk" (ladders and stairs included), "climb", "drop" (jumping down), "jump" (over a
    gap). run: announced as a run. hide: ends it hiding.
    """

    actor: str
    path: LegPath = ()
    run: bool = False
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl(Action):
    """A knocked down model crawls."""

    actor: str
    path: LegPath = ()
    hide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide(Action):
    """A model hides where its move ended; one that has not moved stays where it is.

    Also a part: what a move with `hide` is checked for at its end.
    """

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot(Action):
    """A model shoots; what it did to the target, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    actor: str
    target: str | None = None
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(Action):
    """A model casts a spell, in the shooting phase; what it did, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    actor: str
    target: str | None = None
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Action):
    """A model fights an enemy it is engaged with; what came of it, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    actor: str
    target: str
    result: Result = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(Action):
    """A side asks the referee for a measure, where it may be told (MH-CHG-2, MH-RUN-5, MH-GAP-3).

    what: "distance" from the actor to the target, "run" whether it may run, "gap" the width of a
    gap before it.
    """

    actor: str
    what: Literal["distance", "run", "gap"] = "distance"
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPhase(Action):
    """The phase is over; the next one begins, or the turn of the other side."""
