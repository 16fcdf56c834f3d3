"""Where along a portal a disc may begin to be free, or cease to be: marks between which it is or is
not all along."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeline.geometry import backends
from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.scratch import listed

__all__ = ["CLEAR", "Standing", "marks_along", "moving"]

#: Length: what is this much farther than its reach does not touch a portal, nor a line just beside.
CLEAR = 1e-4


@kernel
def _quotient(x: float, y: float, u: float, v: float) -> tuple[float, float]:
    """(x + y i) / (u + v i), rounded as Python itself does."""
    if abs(u) >= abs(v):
        ratio = v / u
        under = u + v * ratio
        return (x + y * ratio) / under, (y - x * ratio) / under
    ratio = u / v
    under = u * ratio + v
    return (x * ratio + y) / under, (y * ratio - x) / under


@entry()
def marks_along(
    px: float, py: float, qx: float, qy: float, lines: Floats, circles: Floats, found: list[float]
) -> int:
    """Fractions of a segment at which a disc may begin or cease to be free on it; how many.

    lines: 5 floats each, the ends and how near it may come to them and in between; circles: x, y
    and how near; found: room for 7 of each line, 2 of each circle.
    """
    length, count = math.hypot(qx - px, qy - py), 0
    ux, uy = (qx - px) / length, (qy - py) / length
    for k in range(0, len(lines), 5):
        g = lines[k + 4]
        ax, ay = _quotient(lines[k] - px, lines[k + 1] - py, ux, uy)
        bx, by = _quotient(lines[k + 2] - px, lines[k + 3] - py, ux, uy)
        for x, y in ((ax, ay), (bx, by)):
            if g >= abs(y):
                half = math.sqrt((g - y) * (g + y))
                found[count], found[count + 1] = x - half, x + half
                count += 2
        if ay != by:
            more, down = g * math.hypot(bx - ax, by - ay), by - ay
            # Where the segment meets the line moved by that to a side.
            for side in (-more, 0.0, more):
                found[count] = ax + (side - (bx - ax) * ay) / down
                count += 1
    for k in range(0, len(circles), 3):
        g = circles[k + 2]
        x, y = _quotient(circles[k] - px, circles[k + 1] - py, ux, uy)
        if g >= abs(y):
            half = math.sqrt((g - y) * (g + y))
            found[count], found[count + 1] = x - half, x + half
            count += 2
    kept = 0
    for k in range(count):
        if 0.0 < found[k] < length:
            found[kept] = found[k] / length
            kept += 1
    return kept


def _fractions(
    p: complex, q: complex, lines: Any, circles: Any, *, compiled: bool = False
) -> list[float]:
    """Fractions of a segment as `marks_along` tells them."""
    found = backends.blank(7 * len(lines) // 5 + 2 * len(circles) // 3, compiled)
    marks = backends.functions(compiled).marks_along
    return listed(found[: marks(p.real, p.imag, q.real, q.imag, lines, circles, found)])


def moving(circles: Sequence[Circle], p: complex, q: complex) -> list[float]:
    """Fractions at which bodies and zones may bar a segment or cease to."""
    return _fractions(p, q, (), [v for circle in circles for v in circle]) if circles else []


class Standing:
    """What stands still on a level, as a disc of one radius meets it."""

    __slots__ = ("_boxes", "_compiled", "_edges", "_posts", "_rings", "_table", "ground")

    def __init__(self, field: Field, r: float) -> None:
        self.ground, self._compiled = field.board[0], field.compiled
        w, _, edges, _, _, _, _, rings, at = field.board_for(r)
        west, south, east, north = (float(v) for v in w[5:9])
        self._table = (west + r, east - r), (south + r, north - r)
        self._edges = np.array(edges, dtype=float).reshape(-1, 5)
        self._edges[:, 4] += r
        flat = listed(rings)
        boxed = [flat[at[i] : at[i + 1]] for i in range(len(at) - 1)]
        self._boxes = np.array([ring[:4] for ring in boxed]).reshape(-1, 4)
        corners = (np.array(ring[4:]).reshape(-1, 2) for ring in boxed)
        self._rings = [np.hstack((np.roll(c, 1, 0), c, np.zeros((len(c), 1)))) for c in corners]
        posts = (figures for kind, _, figures, _ in field.things if kind == "post")
        flat = [v for x, y, radius in posts for v in (x, y, radius + r)]
        self._posts = backends.floats(flat, self._compiled)

    def fractions(self, p: complex, q: complex) -> list[float]:
        """Fractions of a segment at which it may bar that or cease to."""
        x0, x1 = min(p.real, q.real), max(p.real, q.real)
        y0, y1 = min(p.imag, q.imag), max(p.imag, q.imag)
        rows, box = self._edges, self._boxes
        g = rows[:, 4]
        near = np.maximum(rows[:, 0], rows[:, 2]) + g >= x0
        near &= np.minimum(rows[:, 0], rows[:, 2]) - g <= x1
        near &= np.maximum(rows[:, 1], rows[:, 3]) + g >= y0
        near &= np.minimum(rows[:, 1], rows[:, 3]) - g <= y1
        over = (box[:, 2] >= x0 - CLEAR) & (box[:, 0] <= x1 + CLEAR)
        over &= (box[:, 3] >= y0 - CLEAR) & (box[:, 1] <= y1 + CLEAR)
        met = [rows[near], *(self._rings[i] for i in np.flatnonzero(over).tolist())]
        flat: Any = np.concatenate(met).ravel()
        lines = backends.floats(flat, self._compiled)
        marks = _fractions(p, q, lines, self._posts, compiled=self._compiled)
        length = abs(q - p)
        u = (q - p) / length
        for sides, at, along in (
            (self._table[0], p.real, u.real),
            (self._table[1], p.imag, u.imag),
        ):
            if along != 0.0:
                ways = ((side - at) / along for side in sides)
                marks += [v / length for v in ways if 0.0 < v < length]
        return marks
