"""The gates of some levels for one radius, by level and laid out flat for kernels.

Made once for a table and a radius, kept with it; `search_arrays` says what the rows hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.search_arrays import CELLS as CELLS_AT

__all__ = ["CELLS_AT", "Gates"]

#: Most marks on a window: places whose cost is noted so that dearer images are not taken up.
_MARKS = 32


def _cells(length: float, other: float) -> int:
    """Into how many pieces marks divide a window with sides so long; 0 for a point."""
    return 0 if length == 0.0 else max(1, min(_MARKS, math.ceil(max(length, other))))


class Gates:
    """Gates of some levels. ints, ends: rows of them; marks: how many costs at marks there are."""

    def __init__(self, gates: Sequence[Gate]) -> None:
        self.gates = tuple(gates)
        self.ints: list[int] = []
        self.ends: list[float] = []
        links: dict[str, int] = {}
        lengths = [(abs(gate.b - gate.a), abs(gate.d - gate.c)) for gate in self.gates]
        pieces = [_cells(*both) for both in lengths]
        left = [*accumulate((n + 1 for n in pieces), initial=0)]
        self.marks = left[-1]
        for k, (way, start, end, a, b, c, d, twin) in enumerate(self.gates):
            entered = left[twin]
            if twin < 0:
                entered = self.marks
                self.marks += pieces[k] + 1
            link = links.setdefault(way.id, len(links))
            self.ints += (start, end, twin, pieces[k], left[k], entered, link)
            self.ends += (a.real, a.imag, b.real, b.imag, c.real, c.imag, d.real, d.imag)
            self.ends += (way.cost, lengths[k][0], 0.0)

    def by_entry(self, levels: int) -> list[list[int]]:
        """Gates by the level they are entered on."""
        found: list[list[int]] = [[] for _ in range(levels)]
        for k, gate in enumerate(self.gates):
            found[gate.start].append(k)
        return found

    def by_exit(self, levels: int) -> tuple[list[int], list[int]]:
        """Of each level from where to where, in the second, are gates that are left to it."""
        found: list[list[int]] = [[] for _ in range(levels)]
        for k, gate in enumerate(self.gates):
            found[gate.end].append(k)
        leaving: list[int] = []
        flat: list[int] = []
        for here in found:
            leaving += (len(flat), len(flat) + len(here))
            flat += here
        return leaving, flat

    @cached_property
    def _sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Where gates are entered, then where they are left: ends, (2 n, 2), x + y i; levels."""
        into = [(gate.a, gate.b) for gate in self.gates]
        out = [(gate.c, gate.d) for gate in self.gates]
        levels = [gate.start for gate in self.gates] + [gate.end for gate in self.gates]
        return np.array(into + out, dtype=complex).reshape(-1, 2), np.array(levels)

    def runs_along(self, number: int, leaving: bool, near: float) -> bool:
        """Whether another gate runs along where a gate is entered, or left, within `near`."""
        n, gate, (sides, levels) = len(self.gates), self.gates[number], self._sides
        here = number + leaving * n
        # The side itself and its twin's are none of the others.
        own = {here, gate.twin + (not leaving) * n} if gate.twin >= 0 else {here}
        others = np.flatnonzero(levels == levels[here])
        a, b = sides[here]
        ends = (sides[others] - a) / ((b - a) / gate.length)
        low, high = np.min(ends.real, axis=1), np.max(ends.real, axis=1)
        along = np.abs(ends.imag).max(axis=1) <= near
        along &= (np.minimum(high, gate.length) - np.maximum(low, 0.0)) > 0.0
        return not own.issuperset(others[along].tolist())
