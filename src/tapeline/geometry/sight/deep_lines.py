"""Lines of sight that run no deeper into deep features than they must.

Through a spot that a line has to keep to, what a line has in a feature of several parts is least
neither square to a side nor at another spot, but somewhere in between. Between two neighbouring
directions in which other spots lie the same borders are met, and the least is closed in on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.sight.obstructions import chord_of_line

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
    # Where edge or area come out of a feature, lines cease to begin or end in it.
    spots = [*spots, *_crossings([*edge[:4]], parts), *_crossings([*ahead, *ahead[:2]], parts)]
    look = _Look(edge, ahead, spots, parts, depths)
    for x, y, r in spots:
        for side in (1.0, -1.0) if r else (1.0,):
            spot = x, y, side * r
            for low, high in look.between(spot):
                yield from look.least(spot, low, high)


class _Look:
    """An edge, an area, spots that lines keep to, and the deep features about them."""

    def __init__(
        self,
        edge: Sequence[float],
        ahead: Sequence[float],
        spots: Sequence[_Spot],
        parts: Sequence[PartOf],
        depths: Sequence[float],
    ) -> None:
        self.edge, self.ahead, self.parts, self.depths = edge, ahead, parts, depths
        self.square = math.atan2(edge[5], edge[4])
        self.spots = np.array([(x, y, r) for x, y, off in spots for r in {off, -off}])
        self.loops = [np.array(loop).reshape(-1, 2) for loop in (edge[:4], ahead)]

    def between(self, spot: _Spot) -> list[tuple[float, float]]:
        """The directions, from that square to the edge, of lines by a spot and a further one, each
        with the next, of those between which lines lead from the edge to the area."""
        x, y, r = spot
        dx, dy, more = (self.spots - (x, y, 0.0)).T
        far = np.hypot(dx, dy)
        apart = far > abs(more - r)
        dx, dy, far, more = dx[apart], dy[apart], far[apart], more[apart]
        turned = np.arctan2(dy, dx) - np.arcsin((more - r) / far) - self.square
        turns = np.unique(np.remainder(turned + 0.5 * np.pi, np.pi) - 0.5 * np.pi)
        turns = turns[abs(turns) < 0.5 * np.pi - _SAME]
        low, high = turns[:-1], turns[1:]
        middle = self.square + 0.5 * (low + high)
        ux, uy = np.cos(middle)[:, None], np.sin(middle)[:, None]
        leads = high - low > _SAME
        for loop in self.loops:
            aside = ux * (loop[:, 1] - y) - uy * (loop[:, 0] - x) + r
            leads &= (aside.min(axis=1) < 0.0) & (aside.max(axis=1) > 0.0)
        return list(zip(low[leads].tolist(), high[leads].tolist(), strict=True))

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
    out = [0.0, 0.0]
    inside = chord_of_line(loop, radius, x, y, ux, uy, out)
    return (out[0], out[1]) if inside else None
