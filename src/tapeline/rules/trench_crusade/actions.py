"""What players and rules may ask for in Trench Crusade, and the parts that are checked later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.attested import Chances
from tapeline.engine.paths import LegPath

__all__ = [
    "ATTESTED",
    "Activate",
    "Charge",
    "Dash",
    "EndActivation",
    "Fight",
    "ForcedRetreat",
    "Hazard",
    "Move",
    "NextTurn",
    "Retreat",
    "Shoot",
    "Slide",
    "Walk",
]

#: What a charger need not do or go through, TC-CHG-9.
Hazard = Literal["climb", "jump", "jump_down", "dangerous"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Activate(ActorAction):
    """A side names the model that acts next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndActivation(ActorAction):
    """The active model does nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTurn(Action):
    """The next turn begins. initiative: the side that has it; as before unless given."""

    initiative: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(ActorAction):
    """The Move ACTION along a path; an empty path is a move of length zero."""

    path: LegPath = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dash(ActorAction):
    """The Dash ACTION; the path is asked for after the roll unless it is given."""

    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(ActorAction):
    """The Charge ACTION.

    forbid: hazards the charger will not go through. path: the route wanted where several are
    shortest, or its beginning. stop: where to stop of one's own will (`charge_extent` upto).
    visible: what the players attest (`los_mode` attested).
    """

    target: str
    forbid: tuple[Hazard, ...] = ()
    path: LegPath | None = None
    stop: tuple[float, float] | None = None
    visible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat(ActorAction):
    """The Retreat ACTION; the path is asked for after the attacks unless it is given."""

    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedRetreat(ActorAction):
    """A rule makes a model retreat, outside its Activation or within."""

    attests: ClassVar[tuple[str, ...]] = ("kind",)
    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight(ActorAction):
    """The Fight ACTION: one Melee Attack. visible: what the players attest."""

    target: str
    visible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot(ActorAction):
    """The Shoot ACTION with a weapon; what it did to the target, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    weapon: str
    target: str | None = None
    result: Literal["miss", "minor", "down", "out"] = "miss"


@dataclass(frozen=True, slots=True)
class Walk:
    """A path given after a roll or an attack, to be checked. allowance in inches.

    manner: which ACTION, or what in one, moves the model. held: ids of the enemies within 1 inch
    at the start.
    """

    actor: str
    path: LegPath
    allowance: float
    manner: Literal["move", "dash", "retreat", "evade", "slide"]
    held: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slide:
    """Going on in contact with the target of a charge, to be checked. left in inches.

    held: ids of the enemies within 1 inch when the charge began.
    """

    actor: str
    target: str
    path: LegPath
    left: float
    held: tuple[str, ...] = ()


#: What shots do where a table plays alone: 2 in 3 of those that hit hurt. Our own figures.
ATTESTED = {
    "shoot": Chances(
        {"miss": 6, "minor": 3, "down": 2, "out": 1}, slot="result", within=24.0, seen=True
    )
}
