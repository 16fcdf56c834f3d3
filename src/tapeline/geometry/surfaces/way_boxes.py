"""Links and portals of a table, how far apart they lie at least, and where portals meet.

What depends on who stands where is not told here: it is worked out once for a table, and for what
is put to it for one question only what is new.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tapeline.geometry import backends
from tapeline.geometry.backends import Floats, Ints
from tapeline.geometry.surfaces.links import Link, Portal

__all__ = ["WayBoxes", "WayTable", "by_level"]

#: Length: portals farther from each other do not meet.
_NEAR = 1e-8


def _shares(a: complex, b: complex, c: complex, d: complex) -> Iterator[float]:
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


class WayTable(NamedTuple):
    """Ways by number as `WayBoxes` has them, boxes 4 floats each. by_entry: ways by the level they
    are entered on, entry_starts: from which on those of each level are there; by_exit: the same by
    the level they lead to."""

    before: Ints
    after: Ints
    cost: Floats
    entered: Floats
    left: Floats
    entry_starts: Ints
    by_entry: Ints
    exit_starts: Ints
    by_exit: Ints


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
        lead = np.array(places, dtype=np.int64).reshape(-1, 2).T.copy()
        self.sides: Any = corners
        self.before: Any = lead[0]
        self.after: Any = lead[1]
        self.cost: Any = np.array(costs)
        self.entered, self.left = entered, left
        self._base, self._first = base, first
        self._shares: dict[int, list[tuple[float, int]]] = {}
        self._tables: dict[bool, WayTable] = {}
        if base is not None:
            self.sides = np.concatenate((base.sides, corners))
            self.before = np.concatenate((base.before, self.before))
            self.after = np.concatenate((base.after, self.after))
            self.cost = np.concatenate((base.cost, self.cost))
            self.entered = np.concatenate((base.entered, entered))
            self.left = np.concatenate((base.left, left))

    def table(self, compiled: bool) -> WayTable:
        """All of it flat, for kernels."""
        found = self._tables.get(compiled)
        if found is None:
            count = len(self.levels)
            arrays: list[Any] = [self.before, self.after, self.cost]
            arrays += [self.entered.ravel(), self.left.ravel()]
            for levels in (self.before, self.after):
                order = np.argsort(levels, kind="stable")
                arrays += [np.searchsorted(levels[order], np.arange(count + 1)), order]
            made = WayTable(*arrays)
            found = made if compiled else backends.converted(made, False)
            self._tables[compiled] = found
        return found

    def cuts(self, ways: Sequence[int]) -> list[frozenset[float]]:
        """For each of some portals the shares at which the others meet either side of it."""
        here = set(ways)
        met = (self._met(way) for way in ways)
        return [frozenset([share for share, other in of if other in here]) for of in met]

    def _met(self, way: int) -> list[tuple[float, int]]:
        """Shares at which portals meet either side of one, each with the number of the other."""
        known = self._shares.get(way)
        if known is None:
            known = [] if self._base is None or way >= self._first else [*self._base._met(way)]
            for side, other, its in self._meetings.get(way, ()):
                (a, b), (c, d) = (
                    self.sides[k, 2 * s : 2 * s + 2].tolist()
                    for k, s in ((way, side), (other, its))
                )
                known += ((share, other) for share in _shares(a, b, c, d))
            self._shares[way] = known
        return known

    @cached_property
    def _meetings(self) -> dict[int, list[tuple[int, int, int]]]:
        """By portal: a side of it, another that it may meet there, and that one's side; of pairs of
        which one is new."""
        first = 2 * self._first
        wide = np.repeat(self.sides[:, 0] != self.sides[:, 1], 2)
        new = np.arange(len(self.cost)) >= first
        found: dict[int, list[tuple[int, int, int]]] = {}
        some = np.flatnonzero(wide)
        left, entered = by_level(self.after, some), by_level(self.before, some)
        for level in np.unique(self.after[wide & new]).tolist():
            rows, columns = left[level], entered.get(level, _NONE)
            old = rows[~new[rows]]
            pairs = _touching(self.left, rows[new[rows]], self.entered, columns)
            pairs += _touching(self.left, old, self.entered, columns[new[columns]])
            for i, j in pairs:
                # Where one is left, be it there or back, and where another is entered.
                way, side, other, its = i // 2, 1 - i % 2, j // 2, j % 2
                if way != other or side != its:
                    found.setdefault(way, []).append((side, other, its))
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


#: No numbers.
_NONE: Any = np.zeros(0, dtype=np.int64)


def by_level(levels: Any, some: Any) -> dict[int, Any]:
    """Some places of an array of levels, ascending, by the level that is there."""
    order = some[np.argsort(levels[some], kind="stable")]
    found, counts = np.unique(levels[order], return_counts=True)
    ends = np.cumsum(counts)
    parts = zip(found.tolist(), (ends - counts).tolist(), ends.tolist(), strict=True)
    return {level: order[begin:end] for level, begin, end in parts}


def _touching(one: Any, rows: Any, two: Any, columns: Any) -> list[tuple[int, int]]:
    """Of two sets of boxes, numbers of some rows and columns that meet."""
    if not len(rows) or not len(columns):
        return []
    a, b = one[rows][:, None] - (_NEAR, _NEAR, -_NEAR, -_NEAR), two[columns]
    near = (a[..., 0] <= b[:, 2]) & (a[..., 2] >= b[:, 0])
    near &= (a[..., 1] <= b[:, 3]) & (a[..., 3] >= b[:, 1])
    i, j = np.nonzero(near)
    return list(zip(rows[i].tolist(), columns[j].tolist(), strict=True))
