"""What a straight line in space runs into, to name it to people; whether it is free, sight says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tapeline.geometry.plane.legs import Line
from tapeline.table.solids import Solid
from tapeline.table.terrain import Place3

__all__ = ["entries_between"]

#: Length: a line inside a solid for less only touches it.
_TOUCH = 1e-6


def entries_between(solids: Iterable[Solid], start: Place3, end: Place3) -> Iterator[str]:
    """Ids of what the solids are parts of, of those that a segment goes through, each once."""
    line = Line(start[0], start[1], end[0], end[1])
    seen: set[str] = set()
    for solid in solids:
        if solid.entry not in seen and _through(solid, line, start[2], end[2]):
            seen.add(solid.entry)
            yield solid.entry


def _through(solid: Solid, line: Line, low: float, high: float) -> bool:
    if line.length <= _TOUCH:
        upright = solid.bottom < max(low, high) and solid.top > min(low, high)
        return upright and solid.ground.depth(line.ax, line.ay) > 0.0
    for a, b in solid.ground.spans(line):
        if b - a <= _TOUCH:
            continue
        heights = [low + (high - low) * at / line.length for at in (a, b)]
        if max(heights) > solid.bottom and min(heights) < solid.top:
            return True
    return False
