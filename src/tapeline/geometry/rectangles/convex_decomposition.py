"""Cutting a simple polygon into convex parts along its own diagonals.

Ears are clipped with an exact orientation test, then triangles are joined across diagonals while
the result stays convex. No new corner appears, so the parts cover the polygon exactly.

Source: Meisters 1975 (ears); Hertel and Mehlhorn 1983 (joining).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import ROUNDING

__all__ = ["convex_parts", "orientation"]

#: Rounding of the 2 x 2 determinant, relative (Shewchuk 1997, constant A of orient2d).
_ORIENT_BOUND = 3.3306690738754716e-16


def orientation(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    """Exact sense of a -> b -> c: 1 left, -1 right, 0 straight.

    >>> orientation(0.0, 0.0, 0.1, 0.1, 0.3, 0.3)
    0
    """
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    det = left - right
    if abs(det) > _ORIENT_BOUND * (abs(left) + abs(right)):
        return 1 if det > 0.0 else -1
    if (ax == cx or by == cy) and (ay == cy or bx == cx):
        return 0  # two of them are one, or all are on a line along an axis
    fx, fy = Fraction(cx), Fraction(cy)
    exact = (Fraction(ax) - fx) * (Fraction(by) - fy) - (Fraction(ay) - fy) * (Fraction(bx) - fx)
    return (exact > 0) - (exact < 0)


_P = tuple[float, float]


def _sense(a: _P, b: _P, c: _P) -> int:
    return orientation(a[0], a[1], b[0], b[1], c[0], c[1])


def _cross(a: _P, b: _P, c: _P, d: _P) -> bool:
    """Whether two segments cross properly, or one runs through or over the other."""
    d1, d2 = _sense(a, b, c), _sense(a, b, d)
    d3, d4 = _sense(c, d, a), _sense(c, d, b)
    if d1 * d2 < 0 and d3 * d4 < 0:
        return True
    if d1 == d2 == 0:
        axis = 0 if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else 1
        low = max(min(a[axis], b[axis]), min(c[axis], d[axis]))
        high = min(max(a[axis], b[axis]), max(c[axis], d[axis]))
        return high > low
    return False


def _cleaned(flat: Sequence[float]) -> list[_P]:
    points: list[_P] = []
    for i in range(0, len(flat), 2):
        p = (flat[i], flat[i + 1])
        if not points or math.dist(points[-1], p) > ROUNDING:
            points.append(p)
    while len(points) > 1 and math.dist(points[0], points[-1]) <= ROUNDING:
        points.pop()
    if len(points) < 3:
        raise ShapeError(f"polygon: {len(points)} distinct corners, at least 3 are needed")
    changed = True
    while changed and len(points) >= 3:
        changed = False
        for i in range(len(points)):
            a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
            if _sense(a, b, c) == 0:
                if (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0.0:
                    raise ShapeError(f"polygon: the border runs back over itself at {b}")
                del points[i]
                changed = True
                break
    if len(points) < 3:
        raise ShapeError("polygon: no area")
    return points


def _doubled_area(points: Sequence[_P]) -> float:
    x0, y0 = points[0]
    return math.fsum(
        (points[i - 1][0] - x0) * (points[i][1] - y0)
        - (points[i][0] - x0) * (points[i - 1][1] - y0)
        for i in range(len(points))
    )


def _ears(points: list[_P]) -> list[list[int]]:
    ring = list(range(len(points)))
    triangles: list[list[int]] = []
    while len(ring) > 3:
        n = len(ring)
        for k in range(n):
            i, j, m = ring[k - 1], ring[k], ring[(k + 1) % n]
            a, b, c = points[i], points[j], points[m]
            sense = _sense(a, b, c)
            if sense < 0:
                continue
            if sense == 0:
                del ring[k]
                break
            if any(
                p not in (a, b, c)
                and _sense(a, b, p) >= 0
                and _sense(b, c, p) >= 0
                and _sense(c, a, p) >= 0
                for p in (points[r] for r in ring)
            ):
                continue
            triangles.append([i, j, m])
            del ring[k]
            break
        else:
            raise ShapeError("polygon: its border touches or crosses itself")
    if _sense(points[ring[0]], points[ring[1]], points[ring[2]]) > 0:
        triangles.append(ring)
    return triangles


def _join(points: list[_P], loops: list[list[int]]) -> list[list[int]]:
    joined = True
    while joined:
        joined = False
        owner: dict[tuple[int, int], int] = {}
        for index, loop in enumerate(loops):
            for k in range(len(loop)):
                owner[(loop[k - 1], loop[k])] = index
        for (i, j), one in owner.items():
            two = owner.get((j, i))
            if two is None or two == one:
                continue
            first, second = loops[one], loops[two]
            at = first.index(j)
            head = first[at:] + first[:at]
            at = second.index(i)
            tail = second[at:] + second[:at]
            ring = head + tail[1:-1]
            n = len(ring)
            if all(
                _sense(points[ring[k - 1]], points[ring[k]], points[ring[(k + 1) % n]]) >= 0
                for k in range(n)
            ):
                loops = [loop for k, loop in enumerate(loops) if k not in (one, two)]
                loops.append(ring)
                joined = True
                break
    return loops


def convex_parts(flat: Sequence[float]) -> tuple[tuple[float, ...], list[tuple[float, ...]]]:
    """The cleaned counter-clockwise outline of a simple polygon, and its convex parts.

    flat: x0, y0, x1, y1, ...; either orientation; repeated and collinear corners are dropped.
    Raises ShapeError on fewer than three distinct corners, no area, or a border that crosses.

    >>> convex_parts([0, 0, 0, 2, 2, 2, 2, 0])[1]
    [(2, 0, 2, 2, 0, 2, 0, 0)]
    """
    points = _cleaned(flat)
    area = _doubled_area(points)
    if area == 0.0:
        raise ShapeError("polygon: no area")
    if area < 0.0:
        points.reverse()
    n = len(points)
    for i in range(n):
        for k in range(i + 1, n):
            if _cross(points[i - 1], points[i], points[k - 1], points[k]):
                raise ShapeError(f"polygon: its border crosses itself near {points[i]}")
    loops: list[tuple[float, ...]] = []
    if all(_sense(points[i - 2], points[i - 1], points[i]) > 0 for i in range(n)):
        rings = [list(range(n))]
    else:
        rings = _join(points, _ears(points))
    for ring in rings:
        kept = [
            points[ring[k]]
            for k in range(len(ring))
            if _sense(points[ring[k - 1]], points[ring[k]], points[ring[(k + 1) % len(ring)]]) > 0
        ]
        loops.append(tuple(v for p in kept for v in p))
    return tuple(v for p in points for v in p), loops
