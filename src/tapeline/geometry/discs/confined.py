"""Arcs of circles within discs that a centre may not leave.

The common part of discs is convex, so a straight leg between two of its points stays in it, and a
shortest path within it bends only round obstacles: it is enough to cut the free arcs of the
obstacles' circles down to it. (An outline of straight edges may have nooks, and a way bends round
their corners: `surfaces.level.fence` makes an obstacle of it.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.geometry.discs.obstacles import Circle

__all__ = ["Arcs", "holds", "within_disc"]

_TAU = math.tau
#: Angle, radians: shorter arcs are left out.
_SLIVER = 1e-11

#: Angles (from, to) of one circle.
Arcs = Sequence[tuple[float, float]]


def holds(discs: Sequence[Circle], x: float, y: float, slack: float) -> bool:
    """Whether a place is in all of the discs."""
    return all(math.hypot(x - kx, y - ky) <= kr + slack for kx, ky, kr in discs)


def within_disc(arcs: Arcs, circle: Circle, disc: Circle) -> list[tuple[float, float]]:
    """What of a circle's arcs lies in a disc."""
    begin, width = _inside(*circle, *disc)
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
