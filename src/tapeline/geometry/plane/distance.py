"""Distances between points, segments, polygons and circles, with the nearest points.

Polygons are flat rings `[x0, y0, x1, y1, ...]`, counter-clockwise, not closed. The distance of a
solid is negative inside it: minus the way out to its border.
`Rim`: a ring of many corners with its sides by place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tapeline.geometry.backends import kernel
from tapeline.geometry.plane.grid import Box, Grid

__all__ = [
    "Rim",
    "Ring",
    "Side",
    "point_in_ring",
    "point_ring",
    "point_segment",
    "ring_area",
    "segment_segment",
    "sides_near",
    "sides_of",
]

#: Corners of a simple polygon, flat, counter-clockwise, not closed.
Ring: TypeAlias = Sequence[float]
#: A side of a ring: ax, ay, bx, by.
Side = tuple[float, float, float, float]

#: Length: more than rounding moves a side.
_ROOM = 1e-6


@kernel
def point_segment(
    px: float, py: float, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float, float]:
    """Distance of a point from a segment, and the segment's nearest point.

    >>> point_segment(1.0, 2.0, 0.0, 0.0, 4.0, 0.0)
    (2.0, 1.0, 0.0)
    >>> point_segment(-3.0, 4.0, 0.0, 0.0, 0.0, 0.0)
    (5.0, 0.0, 0.0)
    """
    dx, dy = bx - ax, by - ay
    l2 = dx * dx + dy * dy
    if l2 == 0.0:
        return math.hypot(px - ax, py - ay), ax, ay
    t = ((px - ax) * dx + (py - ay) * dy) / l2
    if t <= 0.0:
        return math.hypot(px - ax, py - ay), ax, ay
    if t >= 1.0:
        return math.hypot(px - bx, py - by), bx, by
    # The cross product keeps the digits that the foot of the perpendicular would lose.
    cross = (px - ax) * dy - (py - ay) * dx
    return abs(cross) / math.sqrt(l2), ax + t * dx, ay + t * dy


@kernel
def segment_segment(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> tuple[float, float, float, float, float]:
    """Distance of two segments, and the nearest points on the first and on the second.

    Where they cross the distance is 0 and both points are the crossing.

    >>> segment_segment(0.0, 0.0, 4.0, 0.0, 1.0, 1.0, 1.0, 3.0)
    (1.0, 1.0, 0.0, 1.0, 1.0)
    """
    ux, uy = bx - ax, by - ay
    vx, vy = dx - cx, dy - cy
    den = ux * vy - uy * vx
    if den != 0.0:
        wx, wy = cx - ax, cy - ay
        s, t = (wx * vy - wy * vx) / den, (wx * uy - wy * ux) / den
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y = ax + s * ux, ay + s * uy
            return 0.0, x, y, x, y
    best, x, y = point_segment(ax, ay, cx, cy, dx, dy)
    p, q, x2, y2 = ax, ay, x, y
    d, x, y = point_segment(bx, by, cx, cy, dx, dy)
    if d < best:
        best, p, q, x2, y2 = d, bx, by, x, y
    d, x, y = point_segment(cx, cy, ax, ay, bx, by)
    if d < best:
        best, p, q, x2, y2 = d, x, y, cx, cy
    d, x, y = point_segment(dx, dy, ax, ay, bx, by)
    if d < best:
        best, p, q, x2, y2 = d, x, y, dx, dy
    return best, p, q, x2, y2


@kernel
def ring_area(ring: Ring) -> float:
    """Signed area of a ring, positive when counter-clockwise.

    >>> ring_area([0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0])
    2.0
    """
    n = len(ring)
    total = 0.0
    x0, y0 = ring[0], ring[1]
    for i in range(2, n - 2, 2):
        ux, uy = ring[i] - x0, ring[i + 1] - y0
        vx, vy = ring[i + 2] - x0, ring[i + 3] - y0
        total += ux * vy - uy * vx
    return 0.5 * total


@kernel
def point_in_ring(px: float, py: float, ring: Ring, lo: int, hi: int) -> bool:
    """Whether a point is inside the ring ring[lo:hi]; on its border either answer may come."""
    inside = False
    ax, ay = ring[hi - 2], ring[hi - 1]
    for i in range(lo, hi, 2):
        bx, by = ring[i], ring[i + 1]
        if (ay > py) != (by > py) and px < ax + (py - ay) * (bx - ax) / (by - ay):
            inside = not inside
        ax, ay = bx, by
    return inside


@kernel
def point_ring(px: float, py: float, ring: Ring) -> tuple[float, float, float]:
    """Signed distance of a point from a solid polygon, and the nearest point of its border.

    >>> point_ring(1.0, 0.25, [0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0])
    (-0.25, 1.0, 0.0)
    """
    best, x, y = math.inf, px, py
    inside = False
    n = len(ring)
    ax, ay = ring[n - 2], ring[n - 1]
    for i in range(0, n, 2):
        bx, by = ring[i], ring[i + 1]
        if (ay > py) != (by > py) and px < ax + (py - ay) * (bx - ax) / (by - ay):
            inside = not inside
        # A side that lies beyond what is nearest so far on one side of it is no nearer.
        if not (
            (ax - px >= best and bx - px >= best)
            or (px - ax >= best and px - bx >= best)
            or (ay - py >= best and by - py >= best)
            or (py - ay >= best and py - by >= best)
        ):
            d, qx, qy = point_segment(px, py, ax, ay, bx, by)
            if d < best:
                best, x, y = d, qx, qy
        ax, ay = bx, by
    return (-best if inside else best), x, y


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


def sides_of(ring: Ring) -> Iterator[Side]:
    """The sides of a ring, the one that closes it first."""
    for i in range(0, len(ring), 2):
        yield ring[i - 2], ring[i - 1], ring[i], ring[i + 1]


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
