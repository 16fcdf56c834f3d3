"""How much of a disc lies inside an outline, and along which part of a leg it is more than half."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeline.geometry.distance import Ring, point_ring
from tapeline.geometry.gears import kernel
from tapeline.geometry.legs import Leg
from tapeline.geometry.sweeps import Span

__all__ = ["disc_disc_area", "disc_ring_area", "spans_half_in_circle", "spans_half_in_ring"]


@kernel
def _wedge(ax: float, ay: float, bx: float, by: float, r: float) -> float:
    """Signed area of the disc about the origin within the triangle origin, a, b."""
    dx, dy = bx - ax, by - ay
    l2 = dx * dx + dy * dy
    if l2 == 0.0:
        return 0.0
    cross = ax * by - ay * bx
    d2 = r * r * l2 - cross * cross
    if d2 <= 0.0:
        return 0.5 * r * r * math.atan2(cross, ax * bx + ay * by)
    root = math.sqrt(d2)
    dot = ax * dx + ay * dy
    t0 = max(0.0, min(1.0, (-dot - root) / l2))
    t1 = max(0.0, min(1.0, (-dot + root) / l2))
    px, py = ax + t0 * dx, ay + t0 * dy
    qx, qy = ax + t1 * dx, ay + t1 * dy
    area = 0.5 * (px * qy - py * qx)
    area += 0.5 * r * r * math.atan2(ax * py - ay * px, ax * px + ay * py)
    area += 0.5 * r * r * math.atan2(qx * by - qy * bx, qx * bx + qy * by)
    return area


@kernel
def disc_ring_area(cx: float, cy: float, r: float, ring: Ring) -> float:
    """Area of a disc inside a polygon ring.

    >>> round(disc_ring_area(0.0, 0.0, 1.0, [0.0, -9.0, 9.0, -9.0, 9.0, 9.0, 0.0, 9.0]), 9)
    1.570796327
    """
    total = 0.0
    n = len(ring)
    ax, ay = ring[n - 2] - cx, ring[n - 1] - cy
    for i in range(0, n, 2):
        bx, by = ring[i] - cx, ring[i + 1] - cy
        total += _wedge(ax, ay, bx, by, r)
        ax, ay = bx, by
    return min(max(total, 0.0), math.pi * r * r)


@kernel
def disc_disc_area(d: float, r: float, s: float) -> float:
    """Area shared by two discs of radii r and s whose centres are d apart.

    >>> round(disc_disc_area(0.0, 1.0, 2.0), 9)
    3.141592654
    """
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return math.pi * min(r, s) ** 2
    a = math.acos(max(-1.0, min(1.0, (d * d + r * r - s * s) / (2.0 * d * r))))
    b = math.acos(max(-1.0, min(1.0, (d * d + s * s - r * r) / (2.0 * d * s))))
    return r * r * (a - 0.5 * math.sin(2.0 * a)) + s * s * (b - 0.5 * math.sin(2.0 * b))


def _spans_over_half(leg: Leg, r: float, share: Callable[[float, float], float]) -> list[Span]:
    """Where share(x, y) - 1/2 > 0 along the leg, by cutting with a Lipschitz bound.

    Moving a disc by ds changes its share by at most 2 ds / (pi r): a piece whose middle is farther
    from one half than that allows has one sign. Pieces shorter than 1e-10 keep the sign of their
    middle, so a stay of less than that above or below one half may be missed.
    """
    slope = 2.0 / (math.pi * r)
    length = leg.length
    pieces: list[tuple[float, float, bool]] = []
    todo = [(0.0, length)]
    while todo:
        a, b = todo.pop()
        middle = 0.5 * (a + b)
        over = share(*leg.at(middle)) - 0.5
        if abs(over) > slope * 0.5 * (b - a) or b - a <= 1e-10:
            pieces.append((a, b, over > 1e-12))
        else:
            todo += [(middle, b), (a, middle)]
    spans: list[Span] = []
    for a, b, inside in pieces:
        if not inside:
            continue
        if spans and spans[-1][1] == a:
            spans[-1] = (spans[-1][0], b)
        else:
            spans.append((a, b))
    return spans


def spans_half_in_ring(leg: Leg, r: float, ring: Ring) -> list[Span]:
    """Where more than half of a disc of radius r, moving along the leg, is inside a polygon."""
    whole = math.pi * r * r

    def share(x: float, y: float) -> float:
        d, _, _ = point_ring(x, y, ring)
        if d >= r:
            return 0.0
        if d <= -r:
            return 1.0
        return disc_ring_area(x, y, r, ring) / whole

    return _spans_over_half(leg, r, share)


def spans_half_in_circle(leg: Leg, r: float, cx: float, cy: float, radius: float) -> list[Span]:
    """Where more than half of a disc of radius r, moving along the leg, is inside a circle."""
    whole = math.pi * r * r

    def share(x: float, y: float) -> float:
        return disc_disc_area(math.hypot(x - cx, y - cy), r, radius) / whole

    return _spans_over_half(leg, r, share)
