"""The gates of some levels for one radius, by level and laid out flat for kernels.

Made once for a table and a radius, kept with it; `search_arrays` says what the rows hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tapeline.geometry.surfaces import search_arrays as arrays
from tapeline.geometry.surfaces.links import Gate, Link, Portal
from tapeline.geometry.surfaces.portal_gaps import FreePiece

__all__ = ["Gates"]


class Gates(Sequence[Gate]):
    """Gates of some levels: first there, then back where a way leads both ways.

    ints, ends: rows of them; marks: how many costs at marks there are.
    """

    def __init__(
        self,
        ways: Sequence[Link | Portal],
        numbers: Any,
        leads: Any,
        points: Any,
        pieces: Sequence[FreePiece],
        both: Any,
    ) -> None:
        """Of links, then pieces of portals, n: their ways by number, (n,); the levels that each is
        entered on and left to, (n, 2); of links where, (m, 4) x + y i; pieces; whether each leads
        back too, (n,)."""
        self._ways, self._pieces, self._links = ways, pieces, len(points)
        apart = np.array([piece.sides for piece in pieces], dtype=complex).reshape(-1, 4)
        sides = np.concatenate((points, apart))
        lengths, cells = np.zeros((len(numbers), 2)), np.zeros((len(numbers), 2), dtype=np.int64)
        if pieces:
            lengths[self._links :] = [piece.lengths for piece in pieces]
            cells[self._links :] = [piece.marks for piece in pieces]
        at = np.repeat(np.arange(len(numbers)), 1 + both)
        back = np.zeros(len(at), dtype=np.int64)
        back[1:] = at[1:] == at[:-1]
        k = np.arange(len(at))
        self._numbers, self._at, self._back = numbers[at], at, back
        self.twins = np.where(both[at], k + 1 - 2 * back, -1)
        self.starts, self.ends_on = leads[at, back], leads[at, 1 - back]
        self.sides = np.where(back[:, None] == 1, sides[at][:, [2, 3, 0, 1]], sides[at])
        self.cells, self.lengths = cells[at, back], lengths[at, back]
        room = self.cells + 1
        left = np.cumsum(room) - room
        total = int(room.sum())
        alone = np.where(self.twins < 0, room, 0)
        entered = np.where(self.twins < 0, total + np.cumsum(alone) - alone, left[self.twins])
        self.marks = total + int(alone.sum())
        links = np.zeros(len(at), dtype=np.int64)
        links[1:] = np.cumsum(self._numbers[1:] != self._numbers[:-1])
        self.ints: Any = np.stack(
            (self.starts, self.ends_on, self.twins, self.cells, left, entered, links), axis=1
        ).astype(np.int64)
        self.ends: Any = np.zeros((len(at), arrays.ENDS))
        self.ends[:, 0 : arrays.COST : 2] = self.sides.real
        self.ends[:, 1 : arrays.COST : 2] = self.sides.imag
        self.ends[:, arrays.COST] = [ways[n].cost for n in self._numbers.tolist()]
        self.ends[:, arrays.LENGTH] = self.lengths

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Gate]:
        return map(self._gate, range(len(self)))

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self._gate(k) for k in range(len(self))[number]]
        return self._gate(number)

    def _gate(self, number: int) -> Gate:
        way = self._ways[self._numbers[number]]
        start, end = int(self.starts[number]), int(self.ends_on[number])
        a, b, c, d = self.sides[number].tolist()
        return Gate(way, start, end, a, b, c, d, int(self.twins[number]))

    def marked(self, levels: int) -> list[int]:
        """How many marks the gates entered on each level have."""
        return list(map(int, np.bincount(self.starts, self.cells + 1, levels)))

    def of_kinds(self, kinds: frozenset[str]) -> list[int]:
        """Those of some kinds of ways, by number."""
        if not kinds:
            return []
        return [k for k, n in enumerate(self._numbers.tolist()) if self._ways[n].kind in kinds]

    def room(self, number: int, leaving: bool, side: int, work: Callable[[], bool]) -> bool:
        """Whether there is room just beside a gate, entered or left, to its left for side 1, to its
        right for -1; worked out once."""
        known = self._pieces[self._at[number] - self._links].room
        k = (2 * leaving + (side > 0) + 2 * int(self._back[number])) % 4
        if known[k] < 0:
            known[k] = int(work())
        return bool(known[k])

    def opens(self, near: float) -> Any:
        """Whether legs may come to each, or leave it, by side, as far as that is known, else -1:
        where there is room, where there is none to either side, and where another gate runs along
        within `near`. (4 n,)"""
        room = np.full((len(self._at), 4), -1, dtype=np.int64)
        if self._pieces:
            first = int(np.searchsorted(self._at, self._links))
            known = np.array([piece.room for piece in self._pieces], dtype=np.int64)
            room[first:] = known[self._at[first:] - self._links]
        room = np.where(self._back[:, None] == 1, room[:, [2, 3, 0, 1]], room)
        other = room[:, [1, 0, 3, 2]]
        opens = np.where(room == 1, 1, np.where((room == 0) & (other == 0), 1, -1))
        gates, columns = np.nonzero((room == 0) & (other == 1))
        if len(gates):
            opens[gates, columns] = self._alongside(gates + columns // 2 * len(self), near)
        return opens.ravel()

    def by_entry(self, levels: int) -> list[list[int]]:
        """Gates by the level they are entered on."""
        flat, starts = _by_level(self.starts, levels)
        return [flat[a:b] for a, b in pairwise(starts)]

    def by_exit(self, levels: int) -> tuple[list[int], list[int]]:
        """Of each level from where to where, in the second, are gates that are left to it."""
        flat, starts = _by_level(self.ends_on, levels)
        return [k for pair in pairwise(starts) for k in pair], flat

    def inside(
        self, level: int, x: float, y: float, radius: float
    ) -> Iterator[tuple[complex, complex]]:
        """Pieces of gates left to a level that are in a circle there."""
        there = np.flatnonzero((self.ends_on == level) & (self.lengths != 0.0))
        for k in there.tolist():
            c, d = self.sides[k, 2:].tolist()
            length = float(self.lengths[k])
            along = (d - c) / length
            z = (complex(x, y) - c) / along
            if abs(z.imag) > radius:
                continue
            half = math.sqrt((radius - z.imag) * (radius + z.imag))
            low, high = max(0.0, z.real - half), min(length, z.real + half)
            if low <= high:
                yield c + low * along, c + high * along

    @cached_property
    def _borders(self) -> tuple[Any, Any, Any, Any]:
        """Where gates are entered, then where they are left: ends, (2 n, 2), x + y i; levels; by
        number those of one level after another, and from which on those of each are there."""
        sides = np.concatenate((self.sides[:, :2], self.sides[:, 2:]))
        levels = np.concatenate((self.starts, self.ends_on))
        order = np.argsort(levels, kind="stable")
        starts = np.searchsorted(levels[order], np.arange(int(levels.max(initial=-1)) + 2))
        return sides, levels, order, starts

    def runs_along(self, number: int, leaving: bool, near: float) -> bool:
        """Whether another gate runs along where a gate is entered, or left, within `near`."""
        return bool(self._alongside(np.array([number + leaving * len(self)]), near)[0])

    def _alongside(self, here: Any, near: float) -> Any:
        """Whether others run along some borders, (k,), by number."""
        n, (sides, levels, order, starts) = len(self), self._borders
        gates = here % n
        # Each with all borders of its level.
        first, counts = starts[levels[here]], np.diff(starts)[levels[here]]
        rows = np.repeat(np.arange(len(here)), counts)
        after = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        others = order[np.repeat(first, counts) + after]
        length, a = self.lengths[gates], sides[here, 0]
        turn = (sides[here, 1] - a) / length
        ends = (sides[others] - a[rows, None]) / turn[rows, None]
        one, two = ends[:, 0], ends[:, 1]
        high, low = np.maximum(one.real, two.real), np.minimum(one.real, two.real)
        along = np.maximum(np.abs(one.imag), np.abs(two.imag)) <= near
        along &= (np.minimum(high, length[rows]) - np.maximum(low, 0.0)) > 0.0
        # The border itself and its twin's are none of the others.
        twins = self.twins[gates]
        twins = np.where(twins >= 0, twins + np.where(here < n, n, 0), -1)
        along &= (others != here[rows]) & (others != twins[rows])
        found = np.zeros(len(here), dtype=bool)
        found[rows[along]] = True
        return found


def _by_level(on: Any, levels: int) -> tuple[list[int], list[int]]:
    """Gates by level, in order, and from which on those of each level are there."""
    order = np.argsort(on, kind="stable")
    starts = np.searchsorted(on[order], np.arange(levels + 1))
    return order.tolist(), starts.tolist()
