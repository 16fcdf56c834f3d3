"""Kernels of spans along a circle or a side: cells they meet, crossings with rings, what is free.

Shared by the tests of a leg (`clearance.py`), the free arcs of circles (`offset_arcs.py`) and the
free pieces of sides (`offset_sides.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from tapeline.geometry.backends import kernel, no_refcount

__all__ = ["cell_at", "left_free", "next_crossing", "sort_spans"]

Floats: TypeAlias = Sequence[float]

_TAU = 2.0 * math.pi
#: Length or angle: shorter free pieces are gaps of rounding between two obstacles.
_SLIVER = 1e-11
#: Angle, radians: a crossing this little after the one before is the same.
_SAME = 1e-13


@kernel
@no_refcount
def cell_at(v: float, cells: int) -> int:
    """The column or row of a place v cells from the first; those at the rim hold all beyond."""
    return 0 if v <= 0.0 else min(cells - 1, int(v))


@kernel
@no_refcount
def next_crossing(
    cx: float,
    cy: float,
    radius: float,
    begin: float,
    sweep: float,
    t: float,
    total: float,
    R: Floats,
    lo: int,
    hi: int,
) -> float:
    """Where an arc next crosses the ring R[lo:hi], as an angle from its beginning.

    After t, at most total; only the sign of sweep counts.
    """
    nxt = total
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo + 4, hi, 2):
        bx, by = R[i], R[i + 1]
        dx, dy = bx - ax, by - ay
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            h = ((ay - cy) * dx - (ax - cx) * dy) / length
            if abs(h) < radius:
                normal = math.atan2(dx, -dy)
                half = math.acos(h / radius)
                for k in range(2):
                    a = normal - half if k == 0 else normal + half
                    s = (a - begin) % _TAU if sweep >= 0.0 else (begin - a) % _TAU
                    if t + _SAME < s < nxt:
                        nxt = s
        ax, ay = bx, by
    return nxt


@kernel
@no_refcount
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
@no_refcount
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
