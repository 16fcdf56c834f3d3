"""Storeys of a table: heights at which models can stand, each drawn as a plan of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.table.bodies import Body
from tapeline.table.terrain import Battlefield, Entry, Face, Floor, Ladder, Piece, Ramp, Wall
from tapeline.wording import figure

__all__ = ["CUT", "Storey", "heights_of", "storey_of", "storeys_of"]

#: How high above its floor a storey is cut for its plan, table units.
CUT = 0.5
#: Floors no farther apart than this are one storey, table units.
_SAME = 0.5
_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Storey:
    """What lies from `bottom` up to, but not at, `top`; table units."""

    index: int
    bottom: float
    top: float

    def holds(self, z: float) -> bool:
        """Whether a height belongs to the storey."""
        return self.bottom - _NEAR <= z < self.top - _NEAR

    def caption(self, unit: str) -> str:
        """The heading of its plan."""
        if self.index == 0:
            return f"On the table, below {figure(self.top)} {unit}"
        above = f", below {figure(self.top)}" if math.isfinite(self.top) else " and above"
        return f"From {figure(self.bottom)} {unit}{above}"

    def shows(self, entry: Entry) -> bool:
        """Whether a plan of this storey shows the entry in full, not only as a faint outline."""
        if isinstance(entry, Floor):
            return self.holds(entry.z)
        if isinstance(entry, Piece):
            flat = entry.top <= entry.bottom + _NEAR
            return self.holds(entry.bottom) or (
                not flat and entry.bottom < self.bottom and entry.top > self.bottom - _NEAR
            )
        low, high = heights_of(entry)
        if isinstance(entry, Ramp | Ladder):
            return low < self.top - _NEAR and high >= self.bottom - _NEAR
        return low < self.top - _NEAR and high > self.bottom + _NEAR


def heights_of(entry: Entry) -> tuple[float, float]:
    """The lowest and the highest height of an entry of terrain."""
    if isinstance(entry, Floor):
        return entry.z, entry.z
    if isinstance(entry, Ramp | Ladder):
        return min(entry.foot[2], entry.head[2]), max(entry.foot[2], entry.head[2])
    assert isinstance(entry, Piece | Wall | Face)
    return entry.bottom, entry.top


def storeys_of(table: Battlefield, bodies: Sequence[Body] = ()) -> tuple[Storey, ...]:
    """The storeys of a table, the lowest first: the table, then every height with a floor, or
    with a body on top of a block."""
    heights = {floor.z for floor in table.floors}
    tops = {piece.top for piece in table.pieces if piece.top > _NEAR}
    heights |= {top for top in tops if any(abs(body.z - top) <= _NEAR for body in bodies)}
    kept = [0.0]
    for height in sorted(heights):
        if height > kept[-1] + _SAME:
            kept.append(height)
    return tuple(
        Storey(index, low, high)
        for index, (low, high) in enumerate(zip(kept, [*kept[1:], math.inf], strict=True))
    )


def storey_of(storeys: Sequence[Storey], z: float) -> Storey:
    """The storey that a height belongs to; what lies below the table counts to the lowest."""
    return next((storey for storey in reversed(storeys) if z >= storey.bottom - _NEAR), storeys[0])
