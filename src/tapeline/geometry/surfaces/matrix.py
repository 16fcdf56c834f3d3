"""How far gates lie apart at least: from where each is left to where each is entered, straight.

Told once for the gates of a table and a radius, as arrays; a search then asks what is left from
each gate to its goals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tapeline.geometry.surfaces.links import Gate

__all__ = ["Matrix", "segments_apart"]


class Matrix:
    """Gates of some levels and the straight distances between them."""

    def __init__(self, gates: Sequence[Gate]) -> None:
        self.gates = tuple(gates)

    @cached_property
    def _sides(self) -> tuple[Any, Any]:
        """Where gates are entered and where they are left: ends, (n, 2) each, x + y i."""
        ends = np.array([(g.a, g.b, g.c, g.d) for g in self.gates], dtype=complex).reshape(-1, 4)
        return ends[:, :2], ends[:, 2:]

    @cached_property
    def apart(self) -> Any:
        """Distances, (n, n): from the exit of the row's gate to the entry of the column's.

        Infinity where that lies on another level.
        """
        entered, left = self._sides
        found = np.full((len(self.gates), len(self.gates)), math.inf)
        starts = np.array([gate.start for gate in self.gates], dtype=int)
        ends = np.array([gate.end for gate in self.gates], dtype=int)
        for level in np.unique(ends):
            rows, columns = np.flatnonzero(ends == level), np.flatnonzero(starts == level)
            found[np.ix_(rows, columns)] = segments_apart(left[rows], entered[columns])
        return found

    def runs_along(self, number: int, leaving: bool, near: float) -> bool:
        """Whether another gate runs along where a gate is entered, or left, within `near`."""
        gate = self.gates[number]
        level, side = (gate.end if leaving else gate.start), int(leaving)
        a, b = self._sides[side][number]
        ends = (np.concatenate(self._sides) - a) / ((b - a) / gate.length)
        levels = [one.start for one in self.gates] + [one.end for one in self.gates]
        low, high = np.min(ends.real, axis=1), np.max(ends.real, axis=1)
        along = (np.array(levels) == level) & (np.abs(ends.imag).max(axis=1) <= near)
        along &= (np.minimum(high, gate.length) - np.maximum(low, 0.0)) > 0.0
        # The side itself, and its twin's.
        along[number + side * len(self.gates)] = False
        if gate.twin >= 0:
            along[gate.twin + (1 - side) * len(self.gates)] = False
        return bool(along.any())

    def to_go(self, shown: Sequence[int], goals: Iterable[Sequence[float]]) -> Any:
        """What is left at least from the exit of each gate, through those shown, to a goal.

        goals: level, segment ax, ay, bx, by, and what is left from there. Returns (shown,). Least
        sums over the matrix, by rounds (Bellman and Ford): as many as a way takes gates.
        """
        left = self._sides[1][list(shown)]
        ends = np.array([self.gates[k].end for k in shown], dtype=int)
        costs = np.array([self.gates[k].link.cost for k in shown])
        least = np.full(len(shown), math.inf)
        for level, ax, ay, bx, by, more in goals:
            there = ends == level
            goal = np.array([[complex(ax, ay), complex(bx, by)]])
            far = np.maximum(0.0, segments_apart(left[there], goal)[:, 0] + more)
            least[there] = np.minimum(least[there], far)
        steps = self.apart[np.ix_(shown, shown)] + costs
        fresh = least < math.inf
        while fresh.any():
            found = (steps[:, fresh] + least[fresh]).min(axis=1)
            fresh = found < least
            least[fresh] = found[fresh]
        return least


def segments_apart(one: Any, two: Any) -> Any:
    """Distances of segments from segments.

    one: (n, 2), ends as x + y i. two: (m, 2). Returns (n, m); 0 where they cross.
    """
    a, b, c, d = one[:, :1], one[:, 1:], two[None, :, 0], two[None, :, 1]
    found = np.minimum(
        np.minimum(_off(a, c, d), _off(b, c, d)), np.minimum(_off(c, a, b), _off(d, a, b))
    )
    across = _cross(b - a, c - a) * _cross(b - a, d - a) < 0.0
    across &= _cross(d - c, a - c) * _cross(d - c, b - c) < 0.0
    found[across] = 0.0
    return found


def _cross(p: Any, q: Any) -> Any:
    return p.real * q.imag - p.imag * q.real


def _off(p: Any, a: Any, b: Any) -> Any:
    """Distances of points from segments."""
    u, w = b - a, p - a
    square = u.real**2 + u.imag**2
    t = (w.real * u.real + w.imag * u.imag) / np.where(square > 0.0, square, 1.0)
    return np.abs(w - np.clip(t, 0.0, 1.0) * u)
