"""Where along a portal a disc may begin to be free, or cease to be: marks between which it is or is
not all along."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.geometry import backends
from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.board import Board
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.scratch import listed

__all__ = ["CLEAR", "marks_moving", "marks_standing", "moving", "standing"]

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


@kernel
def _at_line(
    px: float, py: float, ux: float, uy: float,
    kx: float, ky: float, lx: float, ly: float, g: float, found: list[float], count: int,
) -> int:  # fmt: skip
    """Where along a line from (px, py) a disc may begin or cease to be as near a segment as g;
    how many are found then."""
    ax, ay = _quotient(kx - px, ky - py, ux, uy)
    bx, by = _quotient(lx - px, ly - py, ux, uy)
    for x, y in ((ax, ay), (bx, by)):
        if g >= abs(y):
            half = math.sqrt((g - y) * (g + y))
            found[count], found[count + 1] = x - half, x + half
            count += 2
    if ay != by:
        more, down = g * math.hypot(bx - ax, by - ay), by - ay
        # Where it meets the segment moved by that to a side.
        for side in (-more, 0.0, more):
            found[count] = ax + (side - (bx - ax) * ay) / down
            count += 1
    return count


@kernel
def _at_circle(
    px: float, py: float, ux: float, uy: float, cx: float, cy: float, g: float,
    found: list[float], count: int,
) -> int:  # fmt: skip
    """As `_at_line`, for a point."""
    x, y = _quotient(cx - px, cy - py, ux, uy)
    if g >= abs(y):
        half = math.sqrt((g - y) * (g + y))
        found[count], found[count + 1] = x - half, x + half
        count += 2
    return count


@kernel
def _as_fractions(found: list[float], count: int, length: float) -> int:
    """Lengths as fractions of a segment, those that are on it; how many."""
    kept = 0
    for k in range(count):
        if 0.0 < found[k] < length:
            found[kept] = found[k] / length
            kept += 1
    return kept


@entry()
def marks_moving(
    px: float, py: float, qx: float, qy: float, circles: Floats, found: list[float]
) -> int:
    """Fractions of a segment at which a disc may begin or cease to be free on it; how many.

    circles: x, y and how near it may come, 3 floats each; found: room for 2 of each.
    """
    length, count = math.hypot(qx - px, qy - py), 0
    ux, uy = (qx - px) / length, (qy - py) / length
    for k in range(0, len(circles), 3):
        x, y, g = circles[k], circles[k + 1], circles[k + 2]
        count = _at_circle(px, py, ux, uy, x, y, g, found, count)
    return _as_fractions(found, count, length)


@entry()
def marks_standing(
    px: float, py: float, qx: float, qy: float, r: float, posts: int, board: Board,
    found: list[float],
) -> int:  # fmt: skip
    """The same of what stands still on a board for a disc of radius r.

    posts: how many of its discs stand still; found: room for 7 of each edge and corner, 2 of each
    post, and 4.
    """
    edges, rings, starts = board.edges, board.rings, board.ring_starts
    length, count = math.hypot(qx - px, qy - py), 0
    ux, uy = (qx - px) / length, (qy - py) / length
    x0, x1, y0, y1 = min(px, qx), max(px, qx), min(py, qy), max(py, qy)
    for k in range(0, len(edges), 5):
        ax, ay, bx, by, g = edges[k], edges[k + 1], edges[k + 2], edges[k + 3], edges[k + 4] + r
        if max(ax, bx) + g < x0 or min(ax, bx) - g > x1:
            continue
        if max(ay, by) + g < y0 or min(ay, by) - g > y1:
            continue
        count = _at_line(px, py, ux, uy, ax, ay, bx, by, g, found, count)
    for ring in range(len(starts) - 1):
        k, end = starts[ring], starts[ring + 1]
        if rings[k + 2] < x0 - CLEAR or rings[k] > x1 + CLEAR:
            continue
        if rings[k + 3] < y0 - CLEAR or rings[k + 1] > y1 + CLEAR:
            continue
        ax, ay = rings[end - 2], rings[end - 1]
        for at in range(k + 4, end, 2):
            bx, by = rings[at], rings[at + 1]
            count = _at_line(px, py, ux, uy, ax, ay, bx, by, 0.0, found, count)
            ax, ay = bx, by
    for k in range(0, 3 * posts, 3):
        x, y, g = board.discs[k], board.discs[k + 1], board.discs[k + 2] + r
        count = _at_circle(px, py, ux, uy, x, y, g, found, count)
    west, south, east, north = board.grid[5], board.grid[6], board.grid[7], board.grid[8]
    if ux != 0.0:
        found[count], found[count + 1] = (west + r - px) / ux, (east - r - px) / ux
        count += 2
    if uy != 0.0:
        found[count], found[count + 1] = (south + r - py) / uy, (north - r - py) / uy
        count += 2
    return _as_fractions(found, count, length)


def moving(circles: Sequence[Circle], p: complex, q: complex) -> list[float]:
    """Fractions at which bodies and zones may bar a segment or cease to."""
    if not circles:
        return []
    flat, found = [v for circle in circles for v in circle], [0.0] * (2 * len(circles))
    return found[: marks_moving(p.real, p.imag, q.real, q.imag, flat, found)]


def standing(field: Field, r: float, p: complex, q: complex) -> list[float]:
    """Fractions at which what stands still on a level may bar a segment or cease to, as a disc of
    radius r meets it."""
    board, posts = field.board_for(r), len(field.posts)
    lines = len(board.edges) // 5 + len(board.rings) // 2
    found = backends.blank(7 * lines + 2 * posts + 4, field.compiled)
    marks = field.kernels.marks_standing
    count = marks(p.real, p.imag, q.real, q.imag, float(r), posts, board, found)
    return listed(found[:count])
