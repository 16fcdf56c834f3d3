"""Controls: what a face can offer a player, as data. No face knows a rule or a system by name.

A control is an action that has been begun, and how the rest of it is given: by pressing, dragging
a path, picking a target and so on. A system says its own in `System.controls`; `plain_controls`
derives them from the actions of a system that says none. Whether the action that results may be
done is for the referee alone; a control only says what may be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tapeline.engine.actions import Action
from tapeline.engine.verdicts import Finding
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value

__all__ = ["Control", "Extra", "Gesture", "Manner", "Ring", "begun"]

#: How the open part of an action is given.
#: press: nothing is open. path: legs from where the body stands, into `slot`. pick: one of
#: `candidates`; pick_many: several, in the order of picking. place: a point of the table. pose: a
#: point and a facing (`slot` and `turn_slot`). turn: an angle in degrees. distance: a length
#: straight ahead of the facing. stands: a path for each stand of a unit, in the order they move.
Gesture: TypeAlias = Literal[
    "press", "path", "pick", "pick_many", "place", "pose", "turn", "distance", "stands"
]


@dataclass(frozen=True, slots=True)
class Extra:
    """A further key of the action that a player may set.

    form: "flag" (true or false), "one" of `options` (value and words), "some" of them, or
    "number". default: what the action has without it.
    """

    name: str
    label: str
    form: Literal["flag", "one", "some", "number"]
    options: tuple[tuple[Value, str], ...] = ()
    default: Value = None


@dataclass(frozen=True, slots=True)
class Manner:
    """A manner in which a leg of a path may be gone: `how` of the leg, and words for it."""

    how: str
    label: str


@dataclass(frozen=True, slots=True)
class Ring:
    """A distance from the base of a body that matters for this control, table units."""

    about: str
    distance: float
    label: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    """Something a player can do now, or could but for `why_not`.

    action: its document as far as it is settled, "kind" included. slot: the key that the gesture
    fills; turn_slot: for a pose, the key of the angle, and `turns`: whether it is a "facing" or a
    turn "by" so much; height_slot: the key of the height of its place, "" where there is none.
    optional: the action may be done with the slot left out: the rules then plan it, ask for it
    later, or take it as staying. low, high: bounds of a number for a handle, None where there is
    none.
    reach: the kind of move whose reach shows how far it goes, "" if none. spent, allowance: what
    the body has used and may use, None where that means nothing. group: "act" for what a body
    does, "step" for what leads the game on, "attest" for what the players tell of what was settled
    on the real table. closes: it brings who does it to the one picked, or to those settled already
    where it is pressed, so that a drag onto one of them stands for it. settles: before this step is
    led on from, players settle something on the real table that is not told here. says: one
    sentence of what it does. clause: the rule behind it.
    """

    action: Marks
    label: str
    gesture: Gesture = "press"
    slot: str = ""
    turn_slot: str = ""
    turns: Literal["facing", "by"] = "facing"
    optional: bool = False
    candidates: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    extras: tuple[Extra, ...] = ()
    manners: tuple[Manner, ...] = ()
    rings: tuple[Ring, ...] = ()
    reach: str = ""
    spent: float | None = None
    allowance: float | None = None
    why_not: tuple[Finding, ...] = ()
    group: Literal["act", "step", "attest"] = "act"
    closes: bool = False
    settles: bool = False
    says: str = ""
    clause: str = ""
    height_slot: str = ""


def begun(kind: type[Action], actor: Body | Unit | None = None, **settled: Value) -> Marks:
    """An action as a document, as far as it is settled: its kind, who does it, and more."""
    who = {} if actor is None else {"actor": actor.id}
    return Marks({"kind": kind.kind, **who, **settled})
