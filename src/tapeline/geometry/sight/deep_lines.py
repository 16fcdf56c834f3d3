"""Lines of sight that run no deeper into deep features than they must.

Through a spot that a line has to keep to, what a line has in a feature of several parts is least
neither square to a side nor at another spot, but somewhere in between. Between two neighbouring
directions in which other spots lie the same borders are met, and the least is closed in on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from tapeline.geometry.plane.searches import least_of_convex

__all__ = ["PartOf", "lines_least_inside"]

#: A convex part of a deep feature: its corners, flat, its radius, the number of the feature.
PartOf: TypeAlias = tuple[Sequence[float], float, int]
#: A place that lines keep to, and how far off it they stay.
_Spot: TypeAlias = tuple[float, float, float]

#: Radians: directions no farther apart have nothing between them.
_SAME = 1e-9
#: Length: how far beside the border of a feature a line is tried.
_ASIDE = 1e-5
#: How closely the least is found, of the stretch that holds it.
_SHARE = 1e-10


def lines_least_inside(
    edge: Sequence[float],
    ahead: Sequence[float],
    spots: Sequence[_Spot],
    parts: Sequence[PartOf],
    depths: Sequence[float],
) -> Iterator[tuple[float, float, float, float]]:
    """Lines from an edge to a convex area, each by a spot, that have least of the deep features in
    which they begin or end, as long as that is not too much; what else is in the way is not
    looked at.

    edge: its ends and the unit vector ahead.
    """
    look = _Look(edge, ahead, parts, depths)
    # Where edge or area come out of a feature, lines cease to begin or end in it.
    spots = [*spots, *_crossings([*edge[:4]], parts), *_crossings([*ahead, *ahead[:2]], parts)]
    for number, (x, y, r) in enumerate(spots):
        others = [spot for i, spot in enumerate(spots) if i != number]
        for side in (1.0, -1.0) if r else (1.0,):
            turns = sorted({t for spot in others for t in look.towards((x, y, side * r), spot)})
            for low, high in pairwise(turns):
                if high - low > _SAME:
                    yield from look.least((x, y, side * r), low, high)


class _Look:
    """An edge, an area and the deep features about them."""

    def __init__(
        self,
        edge: Sequence[float],
        ahead: Sequence[float],
        parts: Sequence[PartOf],
        depths: Sequence[float],
    ) -> None:
        self.edge, self.ahead, self.parts, self.depths = edge, ahead, parts, depths
        self.square = math.atan2(edge[5], edge[4])

    def towards(self, spot: _Spot, other: _Spot) -> Iterator[float]:
        """The directions, from that square to the edge, of lines by both spots."""
        x, y, r = spot
        dx, dy = other[0] - x, other[1] - y
        far = math.hypot(dx, dy)
        for more in (other[2], -other[2]) if other[2] else (0.0,):
            if far > abs(r - more):
                turned = math.atan2(dy, dx) - self.square - math.asin((more - r) / far)
                turned = math.remainder(turned, math.pi)
                if abs(turned) < 0.5 * math.pi - _SAME:
                    yield turned

    def line(self, spot: _Spot, turned: float) -> tuple[float, float, float, float] | None:
        """The line by a spot in a direction, between edge and area; None if it misses one."""
        ax, ay, bx, by, nx, ny = self.edge[:6]
        ux, uy = math.cos(self.square + turned), math.sin(self.square + turned)
        x, y = spot[0] + spot[2] * uy, spot[1] - spot[2] * ux
        back = ((ax - x) * nx + (ay - y) * ny) / (ux * nx + uy * ny)
        x, y = x + back * ux, y + back * uy
        along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
        if not 0.0 <= along <= (bx - ax) ** 2 + (by - ay) ** 2:
            return None
        met = _chord(self.ahead, 0.0, x, y, ux, uy)
        if met is None or met[1] <= 0.0:
            return None
        far = max(met[0], 0.0)
        return x, y, x + far * ux, y + far * uy

    def over(self, line: tuple[float, float, float, float]) -> float:
        """By how much a line has more than it may of a feature in which it begins or ends."""
        x, y = line[:2]
        size = math.hypot(line[2] - x, line[3] - y)
        if size <= 0.0:
            return math.inf
        ux, uy = (line[2] - x) / size, (line[3] - y) / size
        within: dict[int, list[tuple[float, float]]] = {}
        for loop, radius, owner in self.parts:
            met = _chord(loop, radius, x, y, ux, uy)
            if met is not None and max(met[0], 0.0) < min(met[1], size):
                within.setdefault(owner, []).append((max(met[0], 0.0), min(met[1], size)))
        most = -math.inf
        for owner, stretches in within.items():
            stretches.sort()
            ends = stretches[0][0] <= 0.0 or max(high for _, high in stretches) >= size
            total, reached = 0.0, -math.inf
            for low, high in stretches:
                total += max(0.0, high - max(low, reached))
                reached = max(reached, high)
            most = max(most, total - self.depths[owner] if ends else math.inf)
        return most

    def least(
        self, spot: _Spot, low: float, high: float
    ) -> Iterator[tuple[float, float, float, float]]:
        """The line by a spot, between two directions, with least of what it begins or ends in."""

        def over(turned: float) -> float:
            line = self.line(spot, turned)
            return math.inf if line is None else self.over(line)

        # Of what meets nothing, or what it neither begins nor ends in, there is no least.
        if math.isinf(over(0.5 * (low + high))):
            return
        turned = least_of_convex(over, low, high, _SHARE * (high - low), 0.0)
        line = self.line(spot, turned)
        if line is not None and self.over(line) <= 0.0:
            yield line


def _crossings(line: Sequence[float], parts: Sequence[PartOf]) -> Iterator[_Spot]:
    """The places just to either side of where a broken line comes into a part or out of it."""
    for i in range(0, len(line) - 2, 2):
        x, y, dx, dy = line[i], line[i + 1], line[i + 2] - line[i], line[i + 3] - line[i + 1]
        size = math.hypot(dx, dy)
        if size <= 0.0:
            continue
        for loop, radius, _ in parts:
            for at in _chord(loop, radius, x, y, dx / size, dy / size) or ():
                for far in (at - _ASIDE, at + _ASIDE):
                    if 0.0 <= far <= size:
                        yield x + far * dx / size, y + far * dy / size, 0.0


def _chord(
    loop: Sequence[float], radius: float, x: float, y: float, ux: float, uy: float
) -> tuple[float, float] | None:
    """From where to where a line lies in a convex loop, or in a disc; None if in none of it."""
    if radius:
        along = (loop[0] - x) * ux + (loop[1] - y) * uy
        aside = (loop[1] - y) * ux - (loop[0] - x) * uy
        half = radius * radius - aside * aside
        if half <= 0.0:
            return None
        return along - math.sqrt(half), along + math.sqrt(half)
    low, high = -math.inf, math.inf
    for i in range(0, len(loop), 2):
        px, py = loop[i], loop[i + 1]
        ex, ey = loop[(i + 2) % len(loop)] - px, loop[(i + 3) % len(loop)] - py
        left = ex * (y - py) - ey * (x - px)
        grows = ex * uy - ey * ux
        if grows > 0.0:
            low = max(low, -left / grows)
        elif grows < 0.0:
            high = min(high, -left / grows)
        elif left < 0.0:
            return None
    return (low, high) if low < high else None
