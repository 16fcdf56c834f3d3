"""What players may ask for in a Command phase, and what the other phases force on units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.paths import LegPath

__all__ = [
    "CHARGES",
    "CHARGE_KINDS",
    "AboutFace",
    "Advance",
    "AnyCharge",
    "Block",
    "Brigade",
    "Charge",
    "DriveBack",
    "EndStep",
    "Evade",
    "FallBack",
    "FormColumn",
    "FormLine",
    "HomeBack",
    "InitiativeCharge",
    "LeaveTable",
    "MoveCharacter",
    "MoveUnit",
    "Order",
    "Retreat",
    "StandMove",
    "UnitMove",
    "Wheel",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandMove:
    """The way of one stand: straight legs, turns about a point, free legs; none if it stays."""

    stand: str
    path: LegPath = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMove(ActorAction):
    """What every move of a unit has: stands in the order in which they move.

    Stands left out stay where they are, after those listed.
    """

    stands: tuple[StandMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveUnit(UnitMove):
    """Move a unit that has been given an order, or at half pace after its first one failed."""

    kind: ClassVar[str] = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(UnitMove):
    """Charge an enemy unit with a unit that has been given an order.

    Without stands the engine plans their ways.
    """

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeCharge(UnitMove):
    """Charge the closest visible enemy unit on initiative; without stands the engine plans."""

    title: ClassVar[str] = "Charge on initiative"
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evade(UnitMove):
    """Evade from the closest visible enemy unit; without stands the engine plans.

    burst: friendly units it may go through.
    """

    target: str
    burst: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(ActorAction):
    """A character tries to give an order to a unit, or to several as a brigade."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeBack(ActorAction):
    """A flyer far from all characters goes back toward one of them. most: no farther, cm."""

    title: ClassVar[str] = "Fly home"
    character: str
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCharacter(ActorAction):
    """Move a character. join: a unit of its side that it joins at the end."""

    title: ClassVar[str] = "Move"
    path: LegPath = ()
    join: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndStep(Action):
    """Go on to the next step of the Command phase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveBack(ActorAction):
    """Missiles or magic drive a unit back. hits: those it took. shooter: the stand it flees from.

    magic: whether magic did it.
    """

    attests: ClassVar[tuple[str, ...]] = ("hits",)
    hits: int
    shooter: str
    magic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTable(ActorAction):
    """Something obliges a character that is on its own to leave the table where it stands."""

    attests: ClassVar[tuple[str, ...]] = ("kind",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat(ActorAction):
    """A beaten unit retreats straight. direction: degrees.

    points: what its side lost by, divided among its beaten units and rounded up.
    """

    attests: ClassVar[tuple[str, ...]] = ("points",)
    points: int
    direction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FallBack(ActorAction):
    """A unit that won falls back: 3D6 are rolled for how far it may then move."""

    attests: ClassVar[tuple[str, ...]] = ("kind",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance(UnitMove):
    """A unit that won advances into the closest visible enemy."""

    attests: ClassVar[tuple[str, ...]] = ("kind",)
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(ActorAction):
    """Move a unit as one block. to: its middle. by: degrees that it turns about its middle.

    Only where the block ends counts: by 270 is by 90 the other way, and stands may change places.
    """

    title: ClassVar[str] = "Move"
    to: tuple[float, float] | None = None
    by: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel(ActorAction):
    """Wheel a unit about the front corner at its left or right end. by: degrees, 180 at most."""

    by: float
    about: Literal["left", "right"] = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutFace(ActorAction):
    """Turn every stand of a unit about on the spot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormLine(ActorAction):
    """Form a line on the first stand, which goes to a place and facing if they are given.

    extend: to which side of it the others line up, or to both; one left over goes to the right, or
    to the left where there is no way to that.
    """

    to: tuple[float, float] | None = None
    facing: float | None = None
    extend: Literal["both", "left", "right"] = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormColumn(ActorAction):
    """Form a column behind the first stand, which goes to a place and facing if given."""

    to: tuple[float, float] | None = None
    facing: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Brigade(Action):
    """Move the units of a brigade as one block. to: the middle of all; by: degrees about it."""

    units: tuple[str, ...]
    to: tuple[float, float] | None = None
    by: float = 0.0


AnyCharge: TypeAlias = Charge | InitiativeCharge | Advance
#: Moves that end in contact with an enemy, and their kinds.
CHARGES = (Charge, InitiativeCharge, Advance)
CHARGE_KINDS = frozenset(charge.kind for charge in CHARGES)
