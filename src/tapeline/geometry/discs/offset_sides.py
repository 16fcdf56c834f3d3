"""The straight parts of the border of free ground.

A side is an edge moved off by as much as a disc keeps from it (or an edge of ground that the centre
may not enter, or of the table), with the free ground on its right. With the free arcs of circles,
the free pieces of the sides are the whole border of where a disc may be (`free_border.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tapeline.geometry.backends import entry
from tapeline.geometry.discs.board import Sides
from tapeline.geometry.discs.clearance import near_point

__all__ = ["SIDE", "all_sides", "forget_sides", "once"]

#: Floats of a side: ax, ay, bx, by; then how much shorter each end gets as it is moved back by 1.
SIDE = 6
#: Where the sides of a table that is bounded on some sides only are cut off, table units.
_FAR = 1e6
#: Length: places along a line that are as near as this are one.
_SAME = 1e-9


def offset(edges: Iterable[Sequence[float]], both: bool) -> list[float]:
    """Sides of edges (ax, ay, bx, by, distance): on their right, on their left too if `both`."""
    flat: list[float] = []
    for ax, ay, bx, by, off in edges:
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        if length == 0.0:
            continue
        mx, my = off * dy / length, -off * dx / length
        flat += [ax + mx, ay + my, bx + mx, by + my, 0.0, 0.0]
        if both:
            flat += [bx - mx, by - my, ax - mx, ay - my, 0.0, 0.0]
    return flat


def along_ring(ring: Sequence[float]) -> list[float]:
    """The edges of a ring, corners counter-clockwise, as sides; moved back they still meet."""
    n = len(ring) // 2
    corners = [(ring[2 * i], ring[2 * i + 1]) for i in range(n)]
    headings = [
        math.atan2(corners[(i + 1) % n][1] - y, corners[(i + 1) % n][0] - x)
        for i, (x, y) in enumerate(corners)
    ]
    mitres = []
    for i in range(n):
        turn = (headings[i] - headings[i - 1] + math.pi) % math.tau - math.pi
        mitres.append(max(-1e3, min(1e3, math.tan(0.5 * turn))))
    flat: list[float] = []
    for i, (x, y) in enumerate(corners):
        j = (i + 1) % n
        flat += [x, y, *corners[j], mitres[i], mitres[j]]
    return flat


def once(sides: Sequence[float]) -> list[float]:
    """Sides without what of them lies on earlier ones that run the same way, as where the two rings
    of a `fence` cover each other: a border is put together from each of its pieces once.

    Where two end alike the lesser mitre is kept; where one ends along the other there is none.
    """
    kept: list[list[float]] = []
    # By line: where its sides begin and end along it, and which of the kept they are.
    lines: dict[tuple[float, float, float], list[tuple[float, float, int]]] = {}
    for k in range(0, len(sides), SIDE):
        ax, ay, bx, by, *mitres = sides[k : k + SIDE]
        length = math.hypot(bx - ax, by - ay)
        if length == 0.0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        at = ax * ux + ay * uy
        line = lines.setdefault(
            (round(ux, 9) + 0.0, round(uy, 9) + 0.0, round(ax * uy - ay * ux, 8) + 0.0), []
        )
        left = [(0.0, length)]
        for begin, end, one in line:
            lo, hi = begin - at, end - at
            # What is deep in either is shut: the one that reaches farther past an end has it.
            for i, end_at in enumerate((lo, hi)):
                if -_SAME <= end_at <= length + _SAME and hi > _SAME and lo < length - _SAME:
                    alike = abs(end_at - i * length) <= _SAME
                    kept[one][4 + i] = min(kept[one][4 + i], mitres[i] if alike else 0.0)
            left = [
                (p, q)
                for p0, q0 in left
                for p, q in ((p0, min(q0, lo)), (max(p0, hi), q0))
                if q - p > _SAME
            ]
        for p, q in left:
            line.append((at + p, at + q, len(kept)))
            start = (ax, ay, mitres[0]) if p == 0.0 else (ax + p * ux, ay + p * uy, 0.0)
            stop = (bx, by, mitres[1]) if q == length else (ax + q * ux, ay + q * uy, 0.0)
            kept.append([*start[:2], *stop[:2], start[2], stop[2]])
    return [v for side in kept for v in side]


def all_sides(
    edges: Sequence[Sequence[float]],
    walls: int,
    rings: Iterable[Sequence[float]],
    table: tuple[float, float, float, float],
    r: float,
) -> list[float]:
    """The straight parts of the border of where a disc of radius r may be, all of them.

    edges: ax, ay, bx, by, thickness; the first `walls` of them have two sides. rings: corners of
    ground that the centre may not enter. table: x0, y0, x1, y1, infinite where there is no edge.
    """
    grown = [(*edge[:4], edge[4] + r) for edge in edges]
    flat = offset([v for v in grown[:walls] if v[4] > 0.0], both=True)
    flat += offset([v for v in grown[walls:] if v[4] > 0.0], both=False)
    for ring in rings:
        flat += along_ring(ring)
    # The table's own sides; where it has no bounds they end far out.
    x0, y0, x1, y1 = table[0] + r, table[1] + r, table[2] - r, table[3] - r
    w, s, e, n = max(x0, -_FAR), max(y0, -_FAR), min(x1, _FAR), min(y1, _FAR)
    for end, side in (
        (x0, (x0, s, x0, n)),
        (y1, (w, y1, e, y1)),
        (x1, (x1, n, x1, s)),
        (y0, (e, y0, w, y0)),
    ):
        if math.isfinite(end):
            flat += (*side, -1.0, -1.0)
    return once(flat)


@entry()
def forget_sides(sides: Sides, x: float, y: float, reach: float) -> None:
    """Forget the free pieces of sides that come within `reach` of a point."""
    figures, counts = sides.figures, sides.counts
    for i in range(len(counts)):
        k = SIDE * i
        ax, ay, bx, by = figures[k], figures[k + 1], figures[k + 2], figures[k + 3]
        if near_point(x, y, ax, ay, bx, by) <= reach * reach:
            counts[i] = -1
