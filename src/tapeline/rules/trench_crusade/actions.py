"""What players and rules may ask for in Trench Crusade, and the parts that are checked later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeline.engine.actions import Action
from tapeline.engine.paths import LegPath

__all__ = [
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
class Activate(Action):
    """A side names the model that acts next."""

    kind: ClassVar[str] = "activate"
    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndActivation(Action):
    """The active model does nothing more."""

    kind: ClassVar[str] = "end_activation"
    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTurn(Action):
    """The next turn begins. initiative: the side that has it; as before unless given."""

    kind: ClassVar[str] = "next_turn"
    initiative: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Action):
    """The Move ACTION along a path; an empty path is a move of length zero."""

    kind: ClassVar[str] = "move"
    actor: str
    path: LegPath = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dash(Action):
    """The Dash ACTION; the path is asked for after the roll unless it is given."""

    kind: ClassVar[str] = "dash"
    actor: str
    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(Action):
    """The Charge ACTION.

    forbid: hazards the charger will not go through. path: the route wanted where several are
    shortest, or its beginning. stop: where to stop of one's own will (`charge_extent` upto).
    visible: what the players attest (`los_mode` attested).
    """

    kind: ClassVar[str] = "charge"
    actor: str
    target: str
    forbid: tuple[Hazard, ...] = ()
    path: LegPath | None = None
    stop: tuple[float, float] | None = None
    visible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat(Action):
    """The Retreat ACTION; the path is asked for after the attacks unless it is given."""

    kind: ClassVar[str] = "retreat"
    actor: str
    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedRetreat(Action):
    """A rule makes a model retreat, outside its Activation or within."""

    attests: ClassVar[tuple[str, ...]] = ("kind",)
    kind: ClassVar[str] = "forced_retreat"
    actor: str
    path: LegPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight(Action):
    """The Fight ACTION: one Melee Attack. visible: what the players attest."""

    kind: ClassVar[str] = "fight"
    actor: str
    target: str
    visible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot(Action):
    """The Shoot ACTION with a weapon; what it did to the target, as the players attest."""

    attests: ClassVar[tuple[str, ...]] = ("result",)
    kind: ClassVar[str] = "shoot"
    actor: str
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
