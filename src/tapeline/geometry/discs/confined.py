"""Reach of a disc whose centre stays within circles: the common part of discs it may not leave.

That part is convex, so a straight leg between two of its points stays in it, and a shortest path
within it bends only round obstacles. It is enough to cut the free arcs of the obstacles' circles
down to it; the search then finds the shortest ways that never leave it. (An outline of straight
edges may have nooks, and a way bends round their corners: `surfaces.level.fence` makes an obstacle
of it.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tapeline.errors import ShapeError
from tapeline.geometry.discs.board import SLACK, WORK, Board
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.reach import Reach
from tapeline.geometry.discs.shortest_path import Query

__all__ = ["reach_within"]

_TAU = math.tau
#: Angle, radians: shorter arcs are left out.
_SLIVER = 1e-11


class _Kept(Query):
    """A search whose free arcs end where its circles leave the discs to stay in."""

    def __init__(
        self, field: Board, r: float, zones: Sequence[Circle], keep: Sequence[Circle], slack: float
    ) -> None:
        super().__init__(field, r, tuple(zones), slack)
        self.keep = keep
        self.circles = self.circles.copy()
        self._restrict()

    def keeps(self, x: float, y: float) -> bool:
        """Whether a place is in all the discs to stay in."""
        return all(math.hypot(x - kx, y - ky) <= kr + self.slack for kx, ky, kr in self.keep)

    def kept_arcs(self) -> list[float]:
        """Free arcs of the discs' own circles, each within the other discs; one row at least."""
        flat: list[float] = []
        for i, (x, y, g) in enumerate(self.keep):
            arcs = self.arcs(x, y, g, self.slack) if g > 0.0 else []
            for k, (kx, ky, kr) in enumerate(self.keep):
                # Of two circles that are one, the first is the border.
                if k != i and not (k > i and (x, y, g) == (kx, ky, kr)):
                    arcs = _cut(arcs, *_inside(x, y, g, kx, ky, kr))
                    if (x, y, g) == (kx, ky, kr):
                        arcs = []
            for begin, end in arcs or [(0.0, 0.0)]:
                flat += [x, y, g, begin, end]
        return flat

    def _widen(self) -> None:
        super()._widen()
        self._restrict()

    def _restrict(self) -> None:
        c = self.circles
        for i in range(len(c.N)):
            x, y, g = (float(v) for v in c.C[3 * i : 3 * i + 3])
            if c.N[i] == 0:
                continue
            if any(math.hypot(x - kx, y - ky) > g + kr for kx, ky, kr in self.keep):
                c.N[i] = 0
            elif g == 0.0:
                continue
            elif any(math.hypot(x - kx, y - ky) + g > kr for kx, ky, kr in self.keep):
                arcs = self.arcs(x, y, g, self.slack)
                for kx, ky, kr in self.keep:
                    arcs = _cut(arcs, *_inside(x, y, g, kx, ky, kr))
                while len(arcs) > c.room:
                    super()._widen()
                    c = self.circles
                c.N[i] = len(arcs)
                for k, (begin, end) in enumerate(arcs):
                    c.A[2 * (c.room * i + k)] = begin
                    c.A[2 * (c.room * i + k) + 1] = end


def _inside(x: float, y: float, g: float, kx: float, ky: float, kr: float) -> tuple[float, float]:
    """Where a circle runs inside a disc: from an angle, by an angle."""
    d = math.hypot(kx - x, ky - y)
    if d + g <= kr:
        return 0.0, _TAU
    if d == 0.0:
        return 0.0, 0.0
    v = (g * g + d * d - kr * kr) / (2.0 * g * d)
    half = math.acos(max(-1.0, min(1.0, v)))
    return math.atan2(ky - y, kx - x) - half, 2.0 * half


def _cut(
    arcs: Sequence[tuple[float, float]], begin: float, width: float
) -> list[tuple[float, float]]:
    """What of arcs lies in one interval of angles."""
    if width >= _TAU:
        return list(arcs)
    found = []
    for a, b in arcs:
        if b - a >= _TAU:
            # A whole circle has no ends where it might be cut in two.
            found.append((begin % _TAU, begin % _TAU + width))
            continue
        shift = (begin - a) % _TAU
        for low in (a + shift - _TAU, a + shift):
            first, last = max(a, low), min(b, low + width)
            if last - first > _SLIVER:
                found.append((first, last))
    return found


def reach_within(
    field: Board,
    start: tuple[float, float],
    r: float,
    allowance: float,
    keep: Iterable[Circle],
    *,
    zones: Iterable[Circle] = (),
    slack: float = SLACK,
    work: int = WORK,
) -> Reach:
    """Where a disc of radius r can get to without its centre leaving any of the discs `keep`.

    A place counts only if it lies in all of them. Otherwise as `reach.reach`. Raises ShapeError
    for a start outside the discs.
    """
    discs = tuple(keep)
    if any(math.hypot(start[0] - x, start[1] - y) > kr + slack for x, y, kr in discs):
        raise ShapeError("the start lies outside a disc that is to be stayed in")
    if not (math.isfinite(allowance) and allowance >= 0.0):
        raise ShapeError(f"an allowance must be 0 or more and finite, not {allowance}")
    query = _Kept(field, r, tuple(zones), discs, slack)
    return Reach(query, start, allowance, (), query.sources(start, allowance, work))
