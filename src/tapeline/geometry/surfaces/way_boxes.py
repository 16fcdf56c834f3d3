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

    def wider(self, more: Any, compiled: bool) -> WayTable:
        """With each way, by number, entered and left so far off, and charged so much less."""
        less: Any = np.repeat(more, 2)
        grown: Any = (less[:, None] * (-1.0, -1.0, 1.0, 1.0)).ravel()
        cost: Any = np.maximum(0.0, self.cost - less)
        made = self._replace(cost=cost, entered=self.entered + grown, left=self.left + grown)
        return made if compiled else backends.converted(made, False)

    def back(self) -> WayTable:
        """The same ways gone from their ends to where they begin."""
        before, after, cost, entered, left, *by_entry, exit_starts, by_exit = self
        return WayTable(after, before, cost, left, entered, exit_starts, by_exit, *by_entry)


class _Rows(NamedTuple):
    """Of each way: its ends in the levels' own planes; the numbers of the levels it leads from and
    to; what it costs there and back, infinity where it does not lead back; the boxes of where it is
    entered there and back; its ends on the plan; how much farther it leads there than it costs;
    what tells it apart in all that is made of these."""

    sides: Any
    leads: Any
    cost: Any
    boxes: Any
    plan: Any
    aside: Any
    names: Any


class WayBoxes:
    """Links and portals by number, there (2 k) and back (2 k + 1), and the boxes of their ends.

    ways: by number. levels: numbers of levels. Kept with a table: what is only left out, or put in,
    of ways leaves the numbers of others.
    """

    ways: tuple[Link | Portal, ...]
    named: int
    _base: WayBoxes | None

    def __init__(
        self,
        ways: Sequence[Link | Portal],
        ends: Sequence[tuple[complex, complex, complex, complex]],
        base: WayBoxes | None = None,
    ) -> None:
        """ends: where each is entered, from and to, and left. base: what is known already."""
        self.levels: dict[str, int] = {} if base is None else dict(base.levels)
        numbers = self.levels
        leads = [
            (
                numbers.setdefault(way.start[0], len(numbers)),
                numbers.setdefault(way.end[0], len(numbers)),
            )
            for way in ways
        ]
        sides = np.array(ends, dtype=complex).reshape(-1, 4)
        corners = _boxes(sides[:, 0], sides[:, 1]), _boxes(sides[:, 2], sides[:, 3])
        # A link begins and ends at one place.
        ground = (way.start[1:3] + way.start[-2:] + way.end[1:3] + way.end[-2:] for way in ways)
        plan = np.array([*ground], dtype=float).reshape(-1, 4, 2) @ (1.0, 1.0j)
        shift = np.maximum(abs(plan[:, 2] - plan[:, 0]), abs(plan[:, 3] - plan[:, 1]))
        first = 0 if base is None else base.named
        rows = _Rows(
            sides,
            np.array(leads, dtype=np.int64).reshape(-1, 2),
            np.array([(w.cost, w.cost if w.both else math.inf) for w in ways]).reshape(-1, 2),
            np.stack(corners, axis=1),
            plan,
            shift - np.array([way.cost for way in ways]),
            np.arange(first, first + len(ways)),
        )
        self.ways = (*ways,) if base is None else (*base.ways, *ways)
        self.named, self._base = first + len(ways), base
        if base is not None:
            rows = _Rows(*map(np.concatenate, zip(base.rows, rows, strict=True)))
        self._lay(rows, range(len(self.ways) - len(ways)))

    def only(self, numbers: Sequence[int]) -> WayBoxes:
        """What is known of some of them, by new numbers in that order."""
        made = object.__new__(WayBoxes)
        rows = _Rows(*(array[numbers] for array in self.rows))
        used, leads = np.unique(rows.leads, return_inverse=True)
        names = [*self.levels]
        made.levels = {names[level]: k for k, level in enumerate(used.tolist())}
        made.ways = tuple(self.ways[number] for number in numbers)
        made.named, made._base = self.named, self
        made._lay(rows._replace(leads=leads.reshape(-1, 2)), numbers)
        return made

    def _lay(self, rows: _Rows, before: Sequence[int]) -> None:
        """before: numbers that the first of them have in the base."""
        self.rows, self._before = rows, before
        self._number = {way.id: k for k, way in enumerate(self.ways)}
        self._entered, self._left = (b.reshape(-1, 4) for b in (rows.boxes, rows.boxes[:, ::-1]))
        self._leads, self._leads_to = rows.leads.ravel(), rows.leads[:, ::-1].ravel()
        self._shares: dict[int, list[tuple[float, int]]] = {}
        self._meetings: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
        self._tables: dict[bool, WayTable] = {}

    def number(self, way: Link | Portal) -> int:
        """The number of a way, -1 if it is not among them."""
        found = self._number.get(way.id, -1)
        return found if found >= 0 and self.ways[found] is way else -1

    def comes_from(self, other: WayBoxes) -> bool:
        """Whether it was made of another, or is that: what tells ways apart is the same then."""
        here: WayBoxes | None = self
        while here is not None and here is not other:
            here = here._base
        return here is other

    def table(self, compiled: bool) -> WayTable:
        """All of it flat, for kernels."""
        found = self._tables.get(compiled)
        if found is None:
            count = len(self.levels)
            arrays: list[Any] = [self._leads, self._leads_to, self.rows.cost.ravel()]
            arrays += [self._entered.ravel(), self._left.ravel()]
            for levels in (self._leads, self._leads_to):
                order = np.argsort(levels, kind="stable")
                arrays += [np.searchsorted(levels[order], np.arange(count + 1)), order]
            made = WayTable(*arrays)
            found = made if compiled else backends.converted(made, False)
            self._tables[compiled] = found
        return found

    def cuts(self, ways: Sequence[int]) -> list[frozenset[float]]:
        """For each of some portals the shares at which the others meet either side of it."""
        here = set(self.rows.names[ways].tolist())
        known: WayBoxes = self
        of = ways
        while known._base is not None and not known._portals[0]:
            # Of no new ones: these are told where what is found out of them is kept.
            known, of = known._base, [known._before[way] for way in of]
        return [
            frozenset([share for share, other in its if other in here]) if its else _UNCUT
            for its in map(known._met, of)
        ]

    def _met(self, way: int) -> list[tuple[float, int]]:
        """Shares at which portals meet either side of one, each with the name of the other."""
        known = self._shares.get(way)
        if known is None:
            old = self._base is not None and way < len(self._before)
            known = [*self._base._met(self._before[way])] if self._base and old else []
            for level in set(self.rows.leads[way].tolist()):
                for side, other, its in self._meeting(level).get(way, ()):
                    (a, b), (c, d) = (
                        self.rows.sides[k, 2 * s : 2 * s + 2].tolist()
                        for k, s in ((way, side), (other, its))
                    )
                    name = int(self.rows.names[other])
                    known += ((share, name) for share in _shares(a, b, c, d))
            self._shares[way] = known
        return known

    def _meeting(self, level: int) -> dict[int, list[tuple[int, int, int]]]:
        """By portal on a level: a side of it, another that it may meet there, and that one's side;
        of pairs of which one is not of the base."""
        found = self._meetings.get(level)
        if found is None:
            found = self._meetings[level] = {}
            first = 2 * len(self._before)
            left, entered = (by.get(level, _NONE) for by in self._portals)
            old = left[left < first]
            pairs = _touching(self._left, left[left >= first], self._entered, entered)
            pairs += _touching(self._left, old, self._entered, entered[entered >= first])
            for i, j in pairs:
                # Where one is left, be it there or back, and where another is entered.
                way, side, other, its = i // 2, 1 - i % 2, j // 2, j % 2
                if way != other or side != its:
                    found.setdefault(way, []).append((side, other, its))
        return found

    @cached_property
    def _portals(self) -> tuple[dict[int, Any], dict[int, Any]]:
        """Portals there and back by the level that they lead to, and by that they lead from; none
        if all are of the base."""
        sides, new = self.rows.sides, len(self._before)
        wide = sides[:, 0] != sides[:, 1]
        if not wide[new:].any():
            return {}, {}
        some = np.flatnonzero(np.repeat(wide, 2))
        return by_level(self._leads_to, some), by_level(self._leads, some)


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


#: No shares of a portal.
_UNCUT: frozenset[float] = frozenset()
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
