"""What players may ask for, and the two things the rules force: flights and the next turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.actions import Action, ActorAction

__all__ = [
    "ORDERS",
    "Ability",
    "Activate",
    "Advance",
    "EndActivation",
    "Flight",
    "Manoeuvre",
    "NextTurn",
    "Order",
    "Pass",
    "Pivot",
    "Rally",
    "RollOff",
    "Shoot",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOff(Action):
    """Settle the first initiative of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activate(ActorAction):
    """Activate a unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Action):
    """Activate nothing more. side: who passes; the side to act unless given."""

    side: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance(ActorAction):
    """Go straight forward. distance: inches. direction: degrees; the facing unless given."""

    distance: float
    direction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivot(ActorAction):
    """Turn on the spot. by: degrees, counter-clockwise positive. about: the centre unless given."""

    by: float
    about: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manoeuvre(ActorAction):
    """Go to a pose by one manoeuvre, whichever leads there. to: the centre; facing: degrees."""

    to: tuple[float, float]
    facing: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot(ActorAction):
    """Make the ranged attack against a unit."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability(ActorAction):
    """Use an ability. commander: in the slot of the Commander in the unit."""

    name: str
    commander: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rally(ActorAction):
    """Try to rally a fleeing unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndActivation(ActorAction):
    """End the activation of a unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(ActorAction):
    """Make the Flight Move of a fleeing unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTurn(Action):
    """Begin the Strategic Phase of the next turn."""


Order: TypeAlias = Advance | Pivot | Manoeuvre | Shoot | Ability | Rally
#: Actions of an active unit, its end excepted.
ORDERS = (Advance, Pivot, Manoeuvre, Shoot, Ability, Rally)
