"""Actions of setting up, and where they put the bodies of a model or unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.deployment import in_trays
from tapeline.engine.state import State
from tapeline.engine.support import heights_at
from tapeline.engine.system import System
from tapeline.table.bodies import Body, Rectangle, Unit

__all__ = ["PickUp", "Ready", "SetUp", "held_with", "placed", "wards_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(ActorAction):
    """Set a model or unit up, from its tray or from where it was set up before.

    at: where the centre of its base goes; of a unit the middle of the centres of its stands.
    facing: degrees, as it stands in the tray unless said; z: its height, the lowest that carries it
    unless said. files: of a unit, how many stand abreast; formed as in the tray unless said.
    """

    at: tuple[float, float]
    facing: float | None = None
    z: float | None = None
    files: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PickUp(ActorAction):
    """Put a model or unit that was set up back into its tray."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Action):
    """A side has set up. side: its id."""

    side: str


# Who and where


def held_with(state: State, one: str) -> Body | Unit:
    """The unit of an id, or that of a stand, or the body alone, in the tray or on the table.
    Raises UnknownIdError."""
    waiting = (body for body in in_trays(state.gone) if body.id == one)
    return state.units.get(one) or state.unit_of(one) or next(waiting, None) or state.body(one)


def wards_of(state: State, one: str) -> list[Body]:
    """The bodies set up together under an id, in the tray or on the table; none of a unit that has
    none left. Raises UnknownIdError."""
    holder = held_with(state, one)
    if isinstance(holder, Body):
        return [holder]
    known = {body.id: body for body in in_trays(state.gone)} | dict(state.bodies)
    return [known[name] for name in holder.members if name in known]


def placed(system: System, state: State, action: SetUp) -> list[Body]:
    """The bodies of an action where it sets them up. Raises UnknownIdError."""
    wards = wards_of(state, action.actor)
    facing = wards[0].facing if action.facing is None else action.facing
    if action.files is None or len(wards) == 1:
        offsets = _as_formed(wards, facing)
    else:
        offsets = _in_ranks(wards, action.files, facing)
    x, y = action.at
    z = heights_at(system, state.table, x, y)[:1] if action.z is None else [action.z]
    return [
        body.at(x + dx, y + dy, z[0] if z else 0.0, turned)
        for body, (dx, dy, turned) in zip(wards, offsets, strict=True)
    ]


def _as_formed(wards: Sequence[Body], facing: float) -> list[tuple[float, float, float]]:
    """Places about the middle, and facings, of bodies that keep their formation."""
    mx = sum(body.x for body in wards) / len(wards)
    my = sum(body.y for body in wards) / len(wards)
    by = facing - wards[0].facing
    c, s = _turn(by)
    return [
        (c * (b.x - mx) - s * (b.y - my), s * (b.x - mx) + c * (b.y - my), (b.facing + by) % 360.0)
        for b in wards
    ]


def _in_ranks(wards: Sequence[Body], files: int, facing: float) -> list[tuple[float, float, float]]:
    """The same of bodies that stand in ranks, the last of them in the middle."""
    base = wards[0].base
    size = (base.width, base.depth) if isinstance(base, Rectangle) else (2.0 * base.reach,) * 2
    files = max(1, min(files, len(wards)))
    c, s = _turn(facing)
    found = []
    for index in range(len(wards)):
        rank, file = divmod(index, files)
        abreast = min(files, len(wards) - rank * files)
        along, left = -rank * size[1], (0.5 * (abreast - 1) - file) * size[0]
        found.append((c * along - s * left, s * along + c * left, facing % 360.0))
    mx, my = (sum(place[axis] for place in found) / len(found) for axis in (0, 1))
    return [(x - mx, y - my, turned) for x, y, turned in found]


def _turn(degrees: float) -> tuple[float, float]:
    """Cosine and sine, exact at quarter turns."""
    quarter, rest = divmod(degrees % 360.0, 90.0)
    if rest == 0.0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
