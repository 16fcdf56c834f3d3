"""Cutting discs out of regions given by rings, or regions down to discs.

The border of the result is made of stretches of the rings and of arcs of the circle between the
places where they cross; arcs become chords within `eps`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.analysis.contours import Point, Ring
from tapeline.geometry.discs.reach import inside_rings

__all__ = ["cut_disc", "rings_area"]

#: Length: a circle that touches a ring without crossing it is made wider by this and tried again.
_NUDGE = 1e-8
#: Tries before a ring is left as it is.
_TRIES = 6


def rings_area(rings: Sequence[Ring]) -> float:
    """Area inside rings that run counter-clockwise about it, holes clockwise."""
    return math.fsum(
        0.5 * (ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1])
        for ring in rings
        for i in range(len(ring))
    )


def cut_disc(
    rings: Sequence[Ring], x: float, y: float, radius: float, *, keep: bool, eps: float
) -> list[Ring]:
    """What of a region lies in a disc (keep), or outside it.

    rings: the region on their left. Chords of the circle are within eps of it.
    """
    for k in range(_TRIES):
        found = _cut(rings, x, y, radius + k * _NUDGE, keep, eps)
        if found is not None:
            return found
    return list(rings)


def _cut(
    rings: Sequence[Ring], x: float, y: float, radius: float, keep: bool, eps: float
) -> list[Ring] | None:
    """As `cut_disc`; None where the circle only touches a ring."""
    done: list[Ring] = []
    crossings: list[Point] = []
    starts: dict[int, tuple[list[Point], int]] = {}
    for ring in rings:
        line, marks = _crossed(ring, x, y, radius, crossings)
        if not marks:
            if (math.hypot(ring[0][0] - x, ring[0][1] - y) < radius) == keep:
                done.append(ring)
            continue
        for k, (at, number) in enumerate(marks):
            end, last = marks[(k + 1) % len(marks)]
            run = line[at : end + 1] if end > at else [*line[at:], *line[: end + 1]]
            mx, my = 0.5 * (run[0][0] + run[1][0]), 0.5 * (run[0][1] + run[1][1])
            if (math.hypot(mx - x, my - y) < radius) == keep:
                starts[number] = (run, last)
    order = sorted(
        range(len(crossings)), key=lambda i: math.atan2(crossings[i][1] - y, crossings[i][0] - x)
    )
    if not order:
        if inside_rings(rings, x + radius, y):
            done.append(tuple(_arc(x, y, radius, 0.0, math.tau, keep, eps)[:-1]))
        return done
    for k, i in enumerate(order):
        j = order[(k + 1) % len(order)]
        begin = math.atan2(crossings[i][1] - y, crossings[i][0] - x)
        width = (math.atan2(crossings[j][1] - y, crossings[j][0] - x) - begin) % math.tau
        middle = begin + 0.5 * width
        if inside_rings(rings, x + radius * math.cos(middle), y + radius * math.sin(middle)):
            first, last = (i, j) if keep else (j, i)
            if first in starts:
                return None
            starts[first] = (_arc(x, y, radius, begin, width, keep, eps), last)
    while starts:
        first = at = next(iter(starts))
        corners: list[Point] = []
        while at in starts:
            run, at = starts.pop(at)
            corners += run[:-1]
        if at != first:
            return None
        if len(corners) > 2:
            done.append(tuple(corners))
    return done


def _crossed(
    ring: Ring, x: float, y: float, radius: float, crossings: list[Point]
) -> tuple[list[Point], list[tuple[int, int]]]:
    """A ring with its crossings of a circle put in, and those: place in the line, number."""
    line: list[Point] = []
    marks: list[tuple[int, int]] = []
    for i in range(len(ring)):
        (ax, ay), (bx, by) = ring[i - 1], ring[i]
        line.append((ax, ay))
        dx, dy = bx - ax, by - ay
        a = dx * dx + dy * dy
        if a == 0.0:
            continue
        b = dx * (ax - x) + dy * (ay - y)
        c = (ax - x) ** 2 + (ay - y) ** 2 - radius * radius
        d = b * b - a * c
        if d <= 0.0:
            continue
        root = math.sqrt(d)
        for t in ((-b - root) / a, (-b + root) / a):
            if 0.0 <= t < 1.0:
                marks.append((len(line), len(crossings)))
                crossings.append((ax + t * dx, ay + t * dy))
                line.append(crossings[-1])
    return line, marks


def _arc(
    x: float, y: float, radius: float, begin: float, width: float, ahead: bool, eps: float
) -> list[Point]:
    """Corners on an arc with chords within eps of it, counter-clockwise if ahead."""
    part = 2.0 * math.acos(max(0.0, 1.0 - eps / radius)) if radius > eps else 1.0
    n = max(1 if width < 1.0 else 8, math.ceil(width / part))
    corners = [
        (x + radius * math.cos(begin + width * k / n), y + radius * math.sin(begin + width * k / n))
        for k in range(n + 1)
    ]
    return corners if ahead else corners[::-1]
