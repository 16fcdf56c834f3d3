"""How much of a disc lies inside an outline; where, and on which part of a leg, more than half."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain, pairwise

from tapeline.geometry.backends import kernel
from tapeline.geometry.plane.distance import Ring, point_ring, point_segment, sides_of
from tapeline.geometry.plane.legs import Leg
from tapeline.geometry.plane.sweeps import (
    Span,
    joined,
    spans_inside_ring,
    spans_near_point,
    spans_near_segment,
)

__all__ = [
    "disc_disc_area",
    "disc_ring_area",
    "half_in_circle",
    "half_in_convex",
    "half_out_corners",
    "spans_half_in_circle",
    "spans_half_in_ring",
]

#: Halvings that find where half of a disc is inside.
_HALVINGS = 60
#: Corners along the curve on which half a disc is outside the corner of a rectangle: chords are
#: within 4e-5 of it for a radius of 0.63.
_STEPS = 64
#: Places on either side of the corner of a polygon at which the curve of half a disc is met.
_BESIDE = 6


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


#: Pieces that the halving below may look at; beyond it a piece has the sign of its middle.
_PIECES = 4_000
#: Shortest piece it looks at, table units: an order below the tolerance of any rule.
_SHORTEST = 1e-7


def _halves(
    leg: Leg, begin: float, end: float, r: float, share: Callable[[float, float], float]
) -> list[Span]:
    """Where share(x, y) > 1/2 between two lengths along the leg, by a Lipschitz bound.

    Moving a disc by ds changes its share by at most 2 ds / (pi r): a piece whose middle is farther
    from one half than that allows has one sign. A stay of less than 1e-7 above or below one half
    may be missed; so may, after 4,000 pieces, one that is nowhere farther than 1e-5 from it.
    """
    slope = 2.0 / (math.pi * r)
    pieces: list[tuple[float, float, bool]] = []
    todo = [(begin, end)]
    looked = 0
    while todo:
        a, b = todo.pop()
        middle = 0.5 * (a + b)
        over = share(*leg.at(middle)) - 0.5
        looked += 1
        if abs(over) > slope * 0.5 * (b - a) or b - a <= _SHORTEST or looked > _PIECES:
            pieces.append((a, b, over > 1e-9))
        else:
            todo += [(middle, b), (a, middle)]
    return [(a, b) for a, b, inside in pieces if inside]


def spans_half_in_ring(leg: Leg, r: float, ring: Ring) -> list[Span]:
    """Where more than half of a disc of radius r, moving along the leg, is inside a polygon.

    Where the disc meets one straight edge and no corner, half of it is inside exactly when its
    centre is, so those parts are cut at the edge in closed form; only near corners is the share
    followed numerically.
    """
    whole = math.pi * r * r

    def share(x: float, y: float) -> float:
        return disc_ring_area(x, y, r, ring) / whole

    sides = list(sides_of(ring))
    met = [spans_near_segment(leg, *side, r) for side in sides]
    met += [spans_near_point(leg, bx, by, r) for _, _, bx, by in sides]
    cuts = {0.0, leg.length, *chain.from_iterable(chain(*met, spans_inside_ring(leg, ring)))}
    spans: list[Span] = []
    for begin, end in pairwise(sorted(cuts)):
        x, y = leg.at(0.5 * (begin + end))
        edges = sum(point_segment(x, y, *side)[0] < r for side in sides)
        if edges <= 1 and not any(math.hypot(x - bx, y - by) < r for _, _, bx, by in sides):
            if point_ring(x, y, ring)[0] < -1e-9:
                spans.append((begin, end))
        else:
            spans += _halves(leg, begin, end, r, share)
    return joined(spans, 1e-12 * (1.0 + leg.length))


def spans_half_in_circle(leg: Leg, r: float, cx: float, cy: float, radius: float) -> list[Span]:
    """Where more than half of a disc of radius r, moving along the leg, is inside a circle."""
    return spans_near_point(leg, cx, cy, half_in_circle(r, radius))


def half_in_circle(r: float, radius: float) -> float:
    """The distance of centres at which half of a disc is in a circle; 0 if it never is.

    The shared area falls as the centres part, so one distance divides the cases.
    """
    half = 0.5 * math.pi * r * r
    if disc_disc_area(0.0, r, radius) <= half:
        return 0.0
    return _leaves(
        lambda x, y: disc_disc_area(x, r, radius) <= half, 0.0, 0.0, 1.0, 0.0, r + radius
    )[0]


def half_in_convex(r: float, ring: tuple[float, ...]) -> tuple[float, ...] | None:
    """Corners on the border of where more than half of a disc is in a convex polygon.

    That region is convex (the root of the shared area is concave in the place, Brunn-Minkowski),
    so the polygon lies within it.
    """
    half = 0.5 * math.pi * r * r
    n = len(ring) // 2
    x, y = sum(ring[0::2]) / n, sum(ring[1::2]) / n
    if disc_ring_area(x, y, r, ring) <= half:
        return None

    def out(px: float, py: float) -> bool:
        return disc_ring_area(px, py, r, ring) <= half

    far = max(math.hypot(ring[i] - x, ring[i + 1] - y) for i in range(0, 2 * n, 2)) + r
    angles: set[float] = set()
    for i in range(0, 2 * n, 2):
        # Farther from the corners than the radius the curve is the edge itself.
        ax, ay, bx, by = ring[i - 2], ring[i - 1], ring[i], ring[i + 1]
        length = math.hypot(bx - ax, by - ay)
        for k in range(_BESIDE + 1):
            t = min(0.5, k * r / (_BESIDE * length))
            for s in (t, 1.0 - t):
                angles.add(math.atan2(ay + s * (by - ay) - y, ax + s * (bx - ax) - x) % math.tau)
    corners: list[float] = []
    for angle in sorted(angles):
        px, py = _leaves(out, x, y, math.cos(angle), math.sin(angle), far)
        if not corners or math.hypot(px - corners[-2], py - corners[-1]) > 1e-6:
            corners += (px, py)
    return tuple(corners) if len(corners) >= 6 else None


def half_out_corners(width: float, depth: float, r: float) -> Iterator[tuple[float, ...]]:
    """Where in the corners of a rectangle from (0, 0) half of a disc or more is outside though its
    centre is inside: rings, one a corner."""
    ring = (0.0, 0.0, width, 0.0, width, depth, 0.0, depth)
    whole = math.pi * r * r

    def out(x: float, y: float) -> bool:
        return disc_ring_area(x, y, r, ring) < 0.5 * whole

    for cx, cy, a in (
        (0.0, 0.0, math.pi),
        (width, 0.0, 1.5 * math.pi),
        (width, depth, 0.0),
        (0.0, depth, 0.5 * math.pi),
    ):
        # Seen from the point r from both edges, the curve is met once in every direction.
        inner_x, inner_y = cx + math.copysign(r, 0.5 - cx), cy + math.copysign(r, 0.5 - cy)
        corners = [cx - math.copysign(r, 0.5 - cx), cy - math.copysign(r, 0.5 - cy)]
        for k in range(_STEPS, -1, -1):
            angle = a + 0.5 * math.pi * k / _STEPS
            corners += _leaves(out, inner_x, inner_y, math.cos(angle), math.sin(angle), 2.0 * r)
        yield tuple(corners)


def _leaves(
    out: Callable[[float, float], bool], x: float, y: float, ux: float, uy: float, far: float
) -> tuple[float, float]:
    """Where a ray from inside a convex region leaves it."""
    low, high = 0.0, far
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if out(x + middle * ux, y + middle * uy):
            high = middle
        else:
            low = middle
    return x + low * ux, y + low * uy
