"""Kernels: between which shifts of a slide two convex parts overlap; spans joined and merged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.epsilons import LENGTH, PARALLEL, ROUNDING
from tapeline.geometry.rectangles.separating_axis import extent, normal_of_side

__all__ = ["Pairs", "Span", "free_stretches", "join_overlaps", "merge_spans", "slide_span"]


#: Indices of a part of the mover and of one of what it meets.
Pairs: TypeAlias = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Span:
    """An open interval of a motion during which two shapes overlap.

    start, stop: where the overlap begins and ends, in the motion's own measure (length of a slide,
    angle of a turn, both from the start of the motion and never signed). A start of at most 0 on a
    slide says that they overlap already.
    """

    start: float
    stop: float


@kernel
def _axis_span(
    a: Floats, b: Floats, nx: float, ny: float, k: float, need: float, lo: float, hi: float
) -> tuple[float, float]:
    """(lo, hi) cut to the shifts at which a and b overlap by more than `need` along n."""
    a0, a1 = extent(a, nx, ny)
    b0, b1 = extent(b, nx, ny)
    if abs(k) < PARALLEL:
        return (math.inf, -math.inf) if a1 - b0 <= need or b1 - a0 <= need else (lo, hi)
    s0, s1 = (b0 + need - a1) / k, (b1 - need - a0) / k
    if k < 0.0:
        s0, s1 = s1, s0
    return max(lo, s0), min(hi, s1)


@kernel
def _opposite_parallel(loop: Floats) -> bool:
    """Whether a loop of four is a parallelogram to the last bit: two of its axes say it all."""
    return loop[2] - loop[0] == loop[4] - loop[6] and loop[3] - loop[1] == loop[5] - loop[7]


@kernel
def _cores_span(a: Floats, b: Floats, dx: float, dy: float, need: float) -> tuple[float, float]:
    """Shifts of a along (dx, dy) at which the loops overlap by more than `need` on every axis."""
    # What is not in the lane of the slide is never met: one axis instead of all.
    lo, hi = _axis_span(a, b, dy, -dx, 0.0, need, -math.inf, math.inf)
    if lo >= hi:
        return lo, hi
    for which in range(2):
        n = len(a if which == 0 else b) // 2
        sides = n if n > 2 else n - 1
        if n == 4 and _opposite_parallel(a if which == 0 else b):
            sides = 2
        for i in range(sides):
            nx, ny = normal_of_side(a if which == 0 else b, i)
            if nx == 0.0 and ny == 0.0:
                continue
            lo, hi = _axis_span(a, b, nx, ny, nx * dx + ny * dy, need, lo, hi)
            if lo >= hi:
                return lo, hi
    return lo, hi


@entry()
def slide_span(
    a: Floats, b: Floats, radius: float, dx: float, dy: float, need: float, out: list[float]
) -> bool:
    """The open interval of shifts of `a` along the unit vector (dx, dy) that overlap `b`.

    a, b: convex loops; radius: sum of the radii they are grown by; need: overlap that is still no
    overlap (negative: a gap that still counts as one). out[0:2]: the interval. False if none.
    """
    grown = radius - need
    if grown <= 0.0:
        out[0], out[1] = _cores_span(a, b, dx, dy, -grown)
        return out[0] < out[1]
    # What even the cores, so far apart on every axis, do not meet is never met.
    lo, hi = _cores_span(a, b, dx, dy, -grown - LENGTH)
    if lo >= hi:
        out[0], out[1] = math.inf, -math.inf
        return False
    # The shifts form a ray against the Minkowski sum grown by a disc: corners, sides, core.
    lo, hi = _cores_span(a, b, dx, dy, 0.0)
    if lo >= hi:
        lo, hi = math.inf, -math.inf
    na, nb = len(a) // 2, len(b) // 2
    for i in range(na):
        i2 = i + 1 if i + 1 < na else 0
        for j in range(nb):
            j2 = j + 1 if j + 1 < nb else 0
            qx, qy = b[2 * j] - a[2 * i], b[2 * j + 1] - a[2 * i + 1]
            along, across = qx * dx + qy * dy, qx * dy - qy * dx
            root = grown * grown - across * across
            if root > 0.0:
                root = math.sqrt(root)
                lo, hi = min(lo, along - root), max(hi, along + root)
            for which in range(2):
                # Sides of the sum that start at this corner: an edge of one, a corner of the other.
                if which == 0:
                    ex, ey = a[2 * i] - a[2 * i2], a[2 * i + 1] - a[2 * i2 + 1]
                else:
                    ex, ey = b[2 * j2] - b[2 * j], b[2 * j2 + 1] - b[2 * j + 1]
                length = math.sqrt(ex * ex + ey * ey)
                if length == 0.0:
                    continue
                ex, ey = ex / length, ey / length
                # The slab: 0..length along e, within `grown` of the side.
                ke, kn = ex * dx + ey * dy, ex * dy - ey * dx
                pe, pn = ex * qx + ey * qy, ex * qy - ey * qx
                s0, s1 = -math.inf, math.inf
                if abs(ke) < PARALLEL:
                    if pe >= 0.0 or pe + length <= 0.0:
                        continue
                else:
                    u0, u1 = pe / ke, (pe + length) / ke
                    s0, s1 = min(u0, u1), max(u0, u1)
                if abs(kn) < PARALLEL:
                    if abs(pn) >= grown:
                        continue
                else:
                    u0, u1 = (pn - grown) / kn, (pn + grown) / kn
                    s0, s1 = max(s0, min(u0, u1)), min(s1, max(u0, u1))
                if s0 < s1:
                    lo, hi = min(lo, s0), max(hi, s1)
    out[0], out[1] = lo, hi
    return lo < hi


def merge_spans(spans: Sequence[tuple[float, float]], slack: float = 0.0) -> list[Span]:
    """The union of intervals as disjoint spans in order; closer than `slack` counts as joined."""
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1].stop + slack:
            if stop > merged[-1].stop:
                merged[-1] = Span(merged[-1].start, stop)
        else:
            merged.append(Span(start, stop))
    return merged


def free_stretches(
    spans: Sequence[tuple[float, float]], low: float, high: float, slack: float
) -> Iterator[tuple[float, float]]:
    """The stretches from low to high that no span covers, in order; their ends are free.

    Spans that run into each other by no more than two slacks, and a limit that a span runs beyond
    by no more, leave room for an exact fit: a stretch of no length.

    >>> list(free_stretches([(0.0, 2.0), (2.0000001, 3.0)], 1.0, 4.0, 1e-6))
    [(2.0, 2.0000001), (3.0, 4.0)]
    >>> list(free_stretches([(0.0, 2.0), (1.5, 3.0)], 1.0, 3.0, 1e-6))
    [(3.0, 3.0)]
    """
    taken = [(a + slack, b - slack) for a, b in spans if b - a > 2.0 * slack]
    stop = -math.inf
    for span in (*merge_spans(taken), Span(math.inf, math.inf)):
        a, b = max(stop, low), min(span.start - slack, high)
        if a <= b:
            yield a, b
        elif a <= b + 2.0 * slack:
            middle = min(max(0.5 * (a + b), low), high)
            yield middle, middle
        stop = span.stop + slack


def join_overlaps(found: Sequence[tuple[float, float, float, float]]) -> list[Span]:
    """The overlaps of a motion with the parts of one feature, as disjoint spans in order.

    found: start and stop of each, then those of its stretch deeper than the tolerance. Two are one
    where their deep stretches meet; if not, the mover is clear of both between, if only for an
    instant.

    >>> join_overlaps([(1.0, 3.0, 1.1, 2.9), (2.0, 5.0, 2.1, 4.9), (5.0, 6.0, 5.1, 5.9)])
    [Span(start=1.0, stop=5.0), Span(start=5.0, stop=6.0)]
    """
    joined: list[Span] = []
    deep = -math.inf
    for deep_start, deep_stop, start, stop in sorted((d0, d1, s0, s1) for s0, s1, d0, d1 in found):
        if joined and deep_start <= deep + ROUNDING:
            last = joined[-1]
            joined[-1] = Span(min(last.start, start), max(last.stop, stop))
        else:
            joined.append(Span(start, stop))
        deep = max(deep, deep_stop)
    return joined
