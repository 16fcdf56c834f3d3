"""Links and portals of a table, how far apart they lie at least, and where portals meet.

What depends on who stands where is not told here: it is worked out once for a table, and for what
is put to it for one question only what is new.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tapeline.geometry.surfaces.links import Link, Portal

__all__ = ["WayBoxes", "boxes_apart"]

#: Ways of which all distances are kept at most.
_KEPT = 512
#: Length: portals farther from each other do not meet.
_NEAR = 1e-8


def _met(a: complex, b: complex, c: complex, d: complex) -> Iterator[float]:
    """Shares of a segment, its ends aside, at which another crosses it or ends on it."""
    v, w = b - a, d - c
    ends = 1e-9 / abs(v)
    turn = (v.conjugate() * w).imag
    if abs(turn) > 1e-12 * abs(v) * abs(w):
        t = ((c - a).conjugate() * w).imag / turn
        u = ((c - a).conjugate() * v).imag / turn
        if -1e-9 <= u * abs(w) <= abs(w) + 1e-9 and ends < t < 1.0 - ends:
            yield t
        return
    for at in (c, d):
        along = (at - a) / v
        if abs(along.imag) <= ends and ends < along.real < 1.0 - ends:
            yield along.real


class WayBoxes:
    """Links and portals by number, there (2 k) and back (2 k + 1), and the boxes of their ends.

    position: numbers and the ways themselves by id. before, after: numbers of the levels they
    lead from and to, by `levels`. cost: infinity back where a way leads there only. Kept with a
    table: what is only left out, or put in, of ways leaves the numbers of others.
    """

    def __init__(
        self,
        ways: Sequence[Link | Portal],
        ends: Sequence[tuple[complex, complex, complex, complex]],
        base: WayBoxes | None = None,
    ) -> None:
        """ends: where each is entered, from and to, and left. base: what is known already."""
        self.levels: dict[str, int] = {} if base is None else dict(base.levels)
        self.position: dict[str, tuple[int, Link | Portal]]
        self.position = {} if base is None else dict(base.position)
        first = 0 if base is None else len(base.cost) // 2
        numbers = self.levels
        places: list[tuple[int, int]] = []
        costs: list[float] = []
        for k, way in enumerate(ways, first):
            self.position[way.id] = k, way
            start = numbers.setdefault(way.start[0], len(numbers))
            end = numbers.setdefault(way.end[0], len(numbers))
            places += ((start, end), (end, start))
            costs += (way.cost, way.cost if way.both else math.inf)
        corners = np.array(ends, dtype=complex).reshape(-1, 4)
        into, out = _boxes(corners[:, 0], corners[:, 1]), _boxes(corners[:, 2], corners[:, 3])
        entered = np.stack((into, out), axis=1).reshape(-1, 4)
        left = np.stack((out, into), axis=1).reshape(-1, 4)
        lead = np.array(places, dtype=int).reshape(-1, 2)
        self.sides: Any = corners
        self.before: Any = lead[:, 0]
        self.after: Any = lead[:, 1]
        self.cost: Any = np.array(costs)
        self.entered, self.left = entered, left
        self._apart: Any = None
        self._base, self._first = base, first
        if base is not None:
            self.sides = np.concatenate((base.sides, corners))
            self.before = np.concatenate((base.before, self.before))
            self.after = np.concatenate((base.after, self.after))
            self.cost = np.concatenate((base.cost, self.cost))
            self.entered = np.concatenate((base.entered, entered))
            self.left = np.concatenate((base.left, left))

    def _extended(self, known: Any, n: int) -> Any:
        found = np.empty((len(self.cost), len(self.cost)))
        found[:n, :n] = known
        found[n:] = self._rows(slice(n, None), slice(None))
        found[:n, n:] = self._rows(slice(n), slice(n, None))
        return found

    def _rows(self, rows: Any, columns: Any) -> Any:
        """Distances from where some are left to where others are entered; infinity where that is on
        another level."""
        found = boxes_apart(self.left[rows], self.entered[columns])
        found[self.after[rows][:, None] != self.before[columns]] = math.inf
        return found

    @cached_property
    def ends(self) -> list[list[complex]]:
        """Where each is entered, from and to, and left, in the levels' own planes, x + y i."""
        found: list[list[complex]] = self.sides.tolist()
        return found

    @property
    def all_apart(self) -> Any:
        """Distances from where each is left to where each is entered."""
        if self._apart is None:
            if self._base is None:
                self._apart = self._rows(slice(None), slice(None))
            else:
                self._apart = self._extended(self._base.all_apart, 2 * self._first)
        return self._apart

    def steps(self, backward: bool) -> Callable[[Any], Any]:
        """Distances of some, row by row, to all that can come next, or before."""
        if len(self.cost) <= 2 * _KEPT:
            known = self.all_apart.T if backward else self.all_apart
            return lambda rows: known[rows]
        if backward:
            return lambda rows: self._rows(slice(None), rows).T
        return lambda rows: self._rows(rows, slice(None))

    def cuts(self, ways: Sequence[int]) -> list[set[float]]:
        """For each of some portals the shares at which the others meet either side of it."""
        here, met = set(ways), self._meetings
        return [
            {share for other, share in met.get(way, ()) if other in here} if way in met else set()
            for way in ways
        ]

    @cached_property
    def _meetings(self) -> dict[int, tuple[tuple[int, float], ...]]:
        """By portal, others that meet a side of it, and the share at which they do."""
        base = self._base
        found = {} if base is None else dict(base._meetings)
        portals = np.flatnonzero(self.sides[:, 0] != self.sides[:, 1])
        numbers = np.concatenate((2 * portals, 2 * portals + 1))
        fresh, known = numbers[numbers >= 2 * self._first], numbers[numbers < 2 * self._first]
        for rows, columns in ((fresh, numbers), (known, fresh)):
            if not (len(rows) and len(columns)):
                continue
            near = np.argwhere(self._rows(rows, columns) <= _NEAR)
            for i, j in zip(rows[near[:, 0]].tolist(), columns[near[:, 1]].tolist(), strict=True):
                # Where one is left, be it there or back, and where another is entered.
                way, side, other, its = i // 2, 1 - i % 2, j // 2, j % 2
                if way != other or side != its:
                    a, b = self.ends[way][2 * side : 2 * side + 2]
                    c, d = self.ends[other][2 * its : 2 * its + 2]
                    shares = tuple((other, share) for share in _met(a, b, c, d))
                    found[way] = found.get(way, ()) + shares
        return found


def _boxes(a: Any, b: Any) -> Any:
    """Boxes of segments: least x, least y, greatest x, greatest y."""
    return np.stack(
        (
            np.minimum(a.real, b.real),
            np.minimum(a.imag, b.imag),
            np.maximum(a.real, b.real),
            np.maximum(a.imag, b.imag),
        ),
        axis=1,
    )


def boxes_apart(one: Any, two: Any) -> Any:
    """How far each of some boxes is from each of others: rows of the first."""
    dx = np.maximum(two[:, 0] - one[:, 2:3], one[:, 0:1] - two[:, 2])
    dy = np.maximum(two[:, 1] - one[:, 3:4], one[:, 1:2] - two[:, 3])
    return np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0))
