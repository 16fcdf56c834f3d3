"""A ring of many corners with its sides by place, for questions that only those near one decide."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.geometry.plane.distance import Ring, point_segment
from tapeline.geometry.plane.grid import Box, Grid

__all__ = ["Rim", "Side", "sides_near"]

#: A side of a ring: ax, ay, bx, by.
Side = tuple[float, float, float, float]

#: Length: more than rounding moves a side.
_ROOM = 1e-6


class Rim:
    """A ring that tells its sides near a place without a look at all of them.

    >>> rim = Rim([0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0])
    >>> rim.depth(1.0, 0.25, 0.5), rim.depth(1.0, 0.5, 0.1), rim.depth(1.0, 9.0, 0.1)
    (0.25, inf, -inf)
    """

    __slots__ = ("_east", "_grid", "_sides")

    def __init__(self, ring: Ring) -> None:
        corners = list(zip(ring[0::2], ring[1::2], strict=True))
        self._sides: list[Side] = [
            (*a, *b) for a, b in zip([corners[-1], *corners[:-1]], corners, strict=True)
        ]
        boxes = [(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)) for ax, ay, bx, by in self]
        self._east = max(ring[0::2])
        wide = max(self._east - min(ring[0::2]), max(ring[1::2]) - min(ring[1::2]))
        # A cell holds a few sides, and a line across the ring meets few cells.
        self._grid = Grid(boxes, 32.0 * wide / len(boxes))

    def __iter__(self) -> Iterator[Side]:
        return iter(self._sides)

    def near(self, box: Box) -> Iterator[Side]:
        """Sides whose box meets a box, in order."""
        return (self._sides[i] for i in self._grid.near(box))

    def depth(self, x: float, y: float, most: float) -> float:
        """How deep a point is inside, negative outside; infinitely where the border is farther than
        `most`."""
        far = most + _ROOM
        sides = self.near((x - far, y - far, x + far, y + far))
        best = min((point_segment(x, y, *side)[0] for side in sides), default=math.inf)
        inside = False
        for ax, ay, bx, by in self.near((x - _ROOM, y, self._east, y)):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        depth = best if best <= most else math.inf
        return depth if inside else -depth


def sides_near(ring: Ring, box: Box) -> Iterator[Side]:
    """Sides of a ring that do not lie on one side of a box altogether, in order."""
    x0, y0, x1, y1 = box
    ax, ay = ring[-2], ring[-1]
    for i in range(0, len(ring), 2):
        bx, by = ring[i], ring[i + 1]
        if not (
            (ax < x0 and bx < x0)
            or (ax > x1 and bx > x1)
            or (ay < y0 and by < y0)
            or (ay > y1 and by > y1)
        ):
            yield ax, ay, bx, by
        ax, ay = bx, by
