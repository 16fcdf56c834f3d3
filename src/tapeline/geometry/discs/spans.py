"""Kernels of spans along a circle or a side: cells they meet, crossings with rings, what is free.

Shared by the tests of a leg (`clearance.py`) and by what is free of circles and sides
(`free_border.py`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, kernel

__all__ = ["Curve", "cell_at", "cells_of", "left_free", "next_crossing"]

_TAU = 2.0 * math.pi
#: Length or angle: shorter free pieces are gaps of rounding between two obstacles.
_SLIVER = 1e-11
#: Angle, radians: a crossing this little after the one before is the same.
_SAME = 1e-13


class Curve(NamedTuple):
    """A circle about (x, y), or, radius 0, a side from (x, y) along the unit vector (vx, vy).

    Places on a circle are angles, its length tau; places on a side are lengths.
    """

    x: float
    y: float
    vx: float
    vy: float
    length: float
    radius: float


@kernel
def cell_at(v: float, cells: int) -> int:
    """The column or row of a place v cells from the first; those at the rim hold all beyond."""
    return 0 if v <= 0.0 else min(cells - 1, int(v))


@kernel
def cells_of(x0: float, y0: float, x1: float, y1: float, grid: Floats) -> tuple[int, int, int, int]:
    """First and last column, first and last row of a box on the grid of a board."""
    cell = grid[2]
    nx, ny = int(grid[3]), int(grid[4])
    return (
        cell_at((x0 - grid[0]) / cell, nx),
        cell_at((x1 - grid[0]) / cell, nx),
        cell_at((y0 - grid[1]) / cell, ny),
        cell_at((y1 - grid[1]) / cell, ny),
    )


@kernel
def next_crossing(circle: Curve, t: float, R: Floats, lo: int, hi: int) -> float:
    """Where a circle next crosses the ring R[lo:hi] after an angle t; tau if it does not."""
    x, y, radius = circle.x, circle.y, circle.radius
    nxt = _TAU
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo + 4, hi, 2):
        bx, by = R[i], R[i + 1]
        dx, dy = bx - ax, by - ay
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            h = ((ay - y) * dx - (ax - x) * dy) / length
            if abs(h) < radius:
                normal = math.atan2(dx, -dy)
                half = math.acos(h / radius)
                for k in range(2):
                    s = (normal - half if k == 0 else normal + half) % _TAU
                    if t + _SAME < s < nxt:
                        nxt = s
        ax, ay = bx, by
    return nxt


@kernel
def sort_spans(L: list[float], n: int) -> None:
    """Put n spans in L, each a beginning and an end, in order of their beginnings."""
    for i in range(1, n):
        b, e = L[2 * i], L[2 * i + 1]
        k = i - 1
        while k >= 0 and L[2 * k] > b:
            L[2 * k + 2], L[2 * k + 3] = L[2 * k], L[2 * k + 1]
            k -= 1
        L[2 * k + 2], L[2 * k + 3] = b, e


@kernel
def left_free(L: list[float], n: int, whole: float, A: list[float], at: int, room: int) -> int:
    """What n spans in L leave free of [0, whole], written to A[at:] as (from, to), in order.

    L is sorted on the way. Gives the count; -1 when more than `room`.
    """
    sort_spans(L, n)
    found = 0
    t = 0.0
    for i in range(n + 1):
        b = L[2 * i] if i < n else whole
        if b - t > _SLIVER:
            if found == room:
                return -1
            A[at + 2 * found], A[at + 2 * found + 1] = t, b
            found += 1
        if i < n:
            t = max(t, L[2 * i + 1])
    return found
