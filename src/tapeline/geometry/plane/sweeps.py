"""A point travelling along a leg: how near it comes to things, and when it is how near.

A disc of radius r clears a thing when its centre keeps r from it, so discs are points with a
wider limit. Everything is closed form; spans are found by cutting the leg at every length where
it crosses the border of "within the limit" and asking the middle of each piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.distance import (
    Rim,
    Ring,
    Side,
    point_in_ring,
    point_ring,
    point_segment,
    segment_segment,
    sides_near,
    sides_of,
)
from tapeline.geometry.plane.legs import Arc, Leg, Line, box_of

__all__ = [
    "Approach",
    "Span",
    "deepest_in_rings",
    "farthest_from_point",
    "joined",
    "nearest_to_circle",
    "nearest_to_point",
    "nearest_to_ring",
    "nearest_to_segment",
    "spans_inside_ring",
    "spans_near_point",
    "spans_near_ring",
    "spans_near_segment",
    "without",
]

#: Length, table units: a piece of a leg that is nowhere deeper than this within a limit touches it.
_TOUCH = LENGTH
#: Length: more than the crossings of a leg with a side are off.
_ROOM = 1e-6

#: From and to, lengths along the leg.
Span: TypeAlias = tuple[float, float]


class Approach(NamedTuple):
    """How near a leg comes: the distance, the length travelled, its point, the thing's point."""

    distance: float
    travelled: float
    at: tuple[float, float]
    to: tuple[float, float]


def _travelled(leg: Line, x: float, y: float) -> float:
    return min(math.hypot(x - leg.ax, y - leg.ay), leg.length)


def _pick(leg: Leg, ex: float, ey: float, candidates: Sequence[float], far: bool) -> Approach:
    best: Approach | None = None
    for travelled in candidates:
        x, y = leg.at(travelled)
        d = math.hypot(ex - x, ey - y)
        if best is None or (d > best.distance if far else d < best.distance):
            best = Approach(d, travelled, (x, y), (ex, ey))
    assert best is not None
    return best


def nearest_to_point(leg: Leg, ex: float, ey: float) -> Approach:
    """Nearest approach of a leg to a point.

    >>> nearest_to_point(Line(0.0, 0.0, 4.0, 0.0), 1.0, 2.0).distance
    2.0
    """
    if isinstance(leg, Line):
        d, x, y = point_segment(ex, ey, leg.ax, leg.ay, leg.bx, leg.by)
        return Approach(d, _travelled(leg, x, y), (x, y), (ex, ey))
    along = leg.travelled_to(math.atan2(ey - leg.cy, ex - leg.cx))
    if along is not None:
        x, y = leg.at(along)
        d = abs(math.hypot(ex - leg.cx, ey - leg.cy) - leg.radius)
        return Approach(d, along, (x, y), (ex, ey))
    return _pick(leg, ex, ey, [0.0, leg.length], far=False)


def farthest_from_point(leg: Leg, ex: float, ey: float) -> Approach:
    """The place of a leg that is farthest from a point."""
    candidates = [0.0, leg.length]
    if isinstance(leg, Arc):
        along = leg.travelled_to(math.atan2(leg.cy - ey, leg.cx - ex))
        if along is not None:
            candidates.append(along)
    return _pick(leg, ex, ey, candidates, far=True)


def nearest_to_segment(leg: Leg, ax: float, ay: float, bx: float, by: float) -> Approach:
    """Nearest approach of a leg to a segment; 0 where they cross."""
    if isinstance(leg, Line):
        d, x, y, qx, qy = segment_segment(leg.ax, leg.ay, leg.bx, leg.by, ax, ay, bx, by)
        return Approach(d, _travelled(leg, x, y), (x, y), (qx, qy))
    for along in _crossings_line(leg, ax, ay, bx - ax, by - ay):
        x, y = leg.at(along)
        d, qx, qy = point_segment(x, y, ax, ay, bx, by)
        if d <= 1e-12:
            return Approach(0.0, along, (x, y), (qx, qy))
    one, other = nearest_to_point(leg, ax, ay), nearest_to_point(leg, bx, by)
    best = other if other.distance < one.distance else one
    normal = math.atan2(ax - bx, by - ay)
    feet = (leg.travelled_to(normal), leg.travelled_to(normal + math.pi))
    for along in (0.0, leg.length, *(foot for foot in feet if foot is not None)):
        x, y = leg.at(along)
        d, qx, qy = point_segment(x, y, ax, ay, bx, by)
        if d < best.distance:
            best = Approach(d, along, (x, y), (qx, qy))
    return best


def nearest_to_ring(leg: Leg, ring: Ring) -> Approach:
    """Nearest approach to a solid polygon; a negative distance is how deep the leg goes inside.

    A leg that crosses the solid is never reported clear. The depth is good to 1e-9 on straight
    legs and to 1e-7 on arcs.
    """
    best: Approach | None = None
    n = len(ring)
    ax, ay = ring[n - 2], ring[n - 1]
    x0, y0, x1, y1 = box_of(leg, _ROOM)
    for i in range(0, n, 2):
        bx, by = ring[i], ring[i + 1]
        far = math.inf if best is None else best.distance
        # A side that lies farther to one side of the leg's box is no nearer.
        if not (
            (ax - x1 > far and bx - x1 > far)
            or (x0 - ax > far and x0 - bx > far)
            or (ay - y1 > far and by - y1 > far)
            or (y0 - ay > far and y0 - by > far)
        ):
            near = nearest_to_segment(leg, ax, ay, bx, by)
            if best is None or near.distance < best.distance:
                best = near
        ax, ay = bx, by
    assert best is not None
    if best.distance <= 1e-12 or point_in_ring(*leg.start, ring, 0, len(ring)):
        sides = list(sides_of(ring))
        for begin, end in spans_inside_ring(leg, ring):
            deepest = _deepest(leg, sides, begin, end)
            if deepest.distance < best.distance:
                best = deepest
    return best


def deepest_in_rings(leg: Leg, rings: Sequence[Ring]) -> Approach | None:
    """Where a leg goes deepest into the union of solid polygons, as a negative distance; None if
    it goes into none. Sides within another of the polygons are no border of the union."""
    sides = [
        (ax, ay, bx, by)
        for ring in rings
        for ax, ay, bx, by in sides_of(ring)
        if not any(
            point_ring(0.5 * (ax + bx), 0.5 * (ay + by), other)[0] < -_ROOM
            for other in rings
            if other is not ring
        )
    ]
    spans = [span for ring in rings for span in spans_inside_ring(leg, ring)]
    found = (_deepest(leg, sides, begin, end) for begin, end in spans)
    return min(found, key=lambda near: near.distance, default=None)


#: Pieces that the search for the deepest place may look at; enough for 1e-9 on any straight leg.
_PIECES = 20_000


def _deepest(leg: Leg, sides: Sequence[Side], begin: float, end: float) -> Approach:
    """Deepest place of the leg between two lengths that are inside a border of such sides.

    The depth is the least of the distances from the edges, and the distance from an edge is convex
    along a straight leg: over a piece the depth is at most the least, over the edges, of the larger
    of the two distances at the piece's ends, plus the sag of an arc. The piece with the largest
    bound is halved until no bound is above the best found by more than 1e-9 (1e-7 on arcs).
    """
    enough = 1e-9 if isinstance(leg, Line) else 1e-7

    def distances(along: float) -> list[float]:
        x, y = leg.at(along)
        return [point_segment(x, y, *side)[0] for side in sides]

    def bound(a: float, da: list[float], b: float, db: list[float]) -> float:
        sag = 0.0 if isinstance(leg, Line) else (b - a) ** 2 / (8.0 * leg.radius)
        return min(max(pair) for pair in zip(da, db, strict=True)) + sag

    da, db = distances(begin), distances(end)
    depth, deepest = max((min(da), begin), (min(db), end))
    heap = [(-bound(begin, da, end, db), begin, da, end, db)]
    for _ in range(_PIECES):
        most, a, da, b, db = heappop(heap)
        if -most <= depth + enough or b - a <= 1e-12:
            break
        middle = 0.5 * (a + b)
        dm = distances(middle)
        if min(dm) > depth:
            depth, deepest = min(dm), middle
        heappush(heap, (-bound(a, da, middle, dm), a, da, middle, dm))
        heappush(heap, (-bound(middle, dm, b, db), middle, dm, b, db))
    x, y = leg.at(deepest)
    # Of sides that are equally near the first, as where the nearest of a polygon is asked for.
    d, qx, qy = min((point_segment(x, y, *side) for side in sides), key=itemgetter(0))
    return Approach(-d, deepest, (x, y), (qx, qy))


def nearest_to_circle(leg: Leg, cx: float, cy: float, radius: float) -> Approach:
    """Nearest approach to a solid circle; negative when the leg goes inside it."""
    near = nearest_to_point(leg, cx, cy)
    gap = near.distance - radius
    if near.distance > 0.0:
        k = radius / near.distance
        to = (cx + k * (near.at[0] - cx), cy + k * (near.at[1] - cy))
    else:
        to = (cx + radius, cy)
    return Approach(gap, near.travelled, near.at, to)


# Crossings: lengths along a leg at which it meets a line or a circle.


def _crossings_line(leg: Leg, px: float, py: float, ux: float, uy: float) -> list[float]:
    """Where a leg crosses the whole line through (px, py) along (ux, uy)."""
    if isinstance(leg, Line):
        dx, dy = leg.bx - leg.ax, leg.by - leg.ay
        den = dx * uy - dy * ux
        if den == 0.0:
            return []
        t = ((px - leg.ax) * uy - (py - leg.ay) * ux) / den
        return [t * leg.length] if 0.0 <= t <= 1.0 else []
    length = math.hypot(ux, uy)
    if length == 0.0 or leg.radius == 0.0:
        return []
    h = ((px - leg.cx) * uy - (py - leg.cy) * ux) / length
    if abs(h) > leg.radius:
        return []
    normal = math.atan2(-ux, uy)
    half = math.acos(max(-1.0, min(1.0, h / leg.radius)))
    found = (leg.travelled_to(normal + half), leg.travelled_to(normal - half))
    return [along for along in found if along is not None]


def _crossings_circle(leg: Leg, cx: float, cy: float, radius: float) -> list[float]:
    """Where a leg crosses a circle."""
    if isinstance(leg, Line):
        length = leg.length
        if length == 0.0:
            return []
        ux, uy = (leg.bx - leg.ax) / length, (leg.by - leg.ay) / length
        wx, wy = cx - leg.ax, cy - leg.ay
        middle, off = wx * ux + wy * uy, wx * uy - wy * ux
        d2 = (radius - off) * (radius + off)
        if d2 < 0.0:
            return []
        half = math.sqrt(d2)
        return [s for s in (middle - half, middle + half) if 0.0 <= s <= length]
    dx, dy = cx - leg.cx, cy - leg.cy
    d = math.hypot(dx, dy)
    r = leg.radius
    if d == 0.0 or r == 0.0 or d > r + radius or d < abs(r - radius):
        return []
    cosine = (r * r + d * d - radius * radius) / (2.0 * r * d)
    half = math.acos(max(-1.0, min(1.0, cosine)))
    towards = math.atan2(dy, dx)
    found = (leg.travelled_to(towards + half), leg.travelled_to(towards - half))
    return [along for along in found if along is not None]


def _spans(leg: Leg, cuts: Iterable[float], holds: Callable[[float, float], bool]) -> list[Span]:
    """Pieces of the leg between cuts whose middle holds, neighbours joined."""
    length = leg.length
    if length == 0.0:
        return [(0.0, 0.0)] if holds(*leg.start) else []
    least, at = 1e-12 * (1.0 + length), _places_of(leg, length)
    pieces = pairwise(sorted({0.0, length, *cuts}))
    return joined(((a, b) for a, b in pieces if b - a > least and holds(*at(0.5 * (a + b)))), least)


def joined(spans: Iterable[Span], slack: float) -> list[Span]:
    """Spans in order, those one that are no farther apart than a slack."""
    found: list[Span] = []
    for begin, end in spans:
        if found and begin - found[-1][1] <= slack:
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
    return found


def _places_of(leg: Leg, length: float) -> Callable[[float], tuple[float, float]]:
    """`leg.at` for lengths between 0 and its whole, without working that out each time."""
    if not isinstance(leg, Line):
        return leg.at
    ax, ay, bx, by = leg
    dx, dy = bx - ax, by - ay

    def at(travelled: float) -> tuple[float, float]:
        if travelled >= length:
            return bx, by
        t = travelled / length
        return ax + t * dx, ay + t * dy

    return at


def without(spans: Iterable[Span], gone: Iterable[Span]) -> list[Span]:
    """What is left of some spans without others."""
    found: list[Span] = []
    for begin, end in spans:
        for a, b in sorted(gone):
            if a > begin and min(a, end) > begin:
                found.append((begin, min(a, end)))
            begin = max(begin, b)
        if end > begin:
            found.append((begin, end))
    return found


def spans_near_point(leg: Leg, ex: float, ey: float, limit: float) -> list[Span]:
    """Where the leg is within `limit` of a point; a mere touch is no span.

    >>> spans_near_point(Line(0.0, 0.0, 10.0, 0.0), 5.0, 3.0, 5.0)
    [(1.0, 9.0)]
    """
    if limit <= 0.0:
        return []
    cuts = _crossings_circle(leg, ex, ey, limit)
    return _spans(leg, cuts, lambda x, y: math.hypot(x - ex, y - ey) < limit - _TOUCH)


def spans_inside_ring(leg: Leg, ring: Ring, rim: Rim | None = None) -> list[Span]:
    """Where the leg is inside a polygon; running along its border is outside.

    rim: the same ring by place, if it has many corners.

    >>> spans_inside_ring(Line(-1.0, 0.5, 3.0, 0.5), [0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0])
    [(1.0, 3.0)]
    """
    cuts: list[float] = []
    box = box_of(leg, _ROOM)
    for ax, ay, bx, by in sides_near(ring, box) if rim is None else rim.near(box):
        crossed = _crossings_line(leg, ax, ay, bx - ax, by - ay)
        cuts += (s for s in crossed if point_segment(*leg.at(s), ax, ay, bx, by)[0] <= 1e-9)
        if box[0] <= bx <= box[2] and box[1] <= by <= box[3]:
            near = nearest_to_point(leg, bx, by)
            if near.distance <= 1e-9:
                cuts.append(near.travelled)

    def holds(x: float, y: float) -> bool:
        depth = -point_ring(x, y, ring)[0] if rim is None else rim.depth(x, y, 1e-9)
        return depth > 1e-9

    return _spans(leg, cuts, holds)


def _cuts_beside(leg: Leg, ax: float, ay: float, bx: float, by: float, limit: float) -> list[float]:
    """Where a leg crosses the lines at `limit` to either side of a segment."""
    dx, dy = bx - ax, by - ay
    length = math.hypot(dx, dy)
    if length == 0.0:
        return []
    nx, ny = -dy / length * limit, dx / length * limit
    return [
        *_crossings_line(leg, ax + nx, ay + ny, dx, dy),
        *_crossings_line(leg, ax - nx, ay - ny, dx, dy),
    ]


def spans_near_segment(
    leg: Leg, ax: float, ay: float, bx: float, by: float, limit: float
) -> list[Span]:
    """Where the leg is closer than `limit` to a segment; a mere touch is no span."""
    if limit <= 0.0:
        return []
    cuts = _cuts_beside(leg, ax, ay, bx, by, limit)
    cuts += _crossings_circle(leg, ax, ay, limit) + _crossings_circle(leg, bx, by, limit)
    return _spans(leg, cuts, lambda x, y: point_segment(x, y, ax, ay, bx, by)[0] < limit - _TOUCH)


def spans_near_ring(leg: Leg, ring: Ring, limit: float) -> list[Span]:
    """Where the leg is closer than `limit` (>= 0) to a solid polygon, its inside included."""
    if limit <= 0.0:
        return spans_inside_ring(leg, ring)
    x0, y0, x1, y1 = box_of(leg, _ROOM)
    near = list(sides_near(ring, (x0 - limit, y0 - limit, x1 + limit, y1 + limit)))
    cuts = [s for side in near for s in _cuts_beside(leg, *side, limit)]
    # Each corner once: sides share them.
    for x, y in {corner for ax, ay, bx, by in near for corner in ((ax, ay), (bx, by))}:
        cuts += _crossings_circle(leg, x, y, limit)
    close = limit - _TOUCH

    def holds(x: float, y: float) -> bool:
        for ax, ay, bx, by in near:
            if point_segment(x, y, ax, ay, bx, by)[0] < close:
                return True
        return point_in_ring(x, y, ring, 0, len(ring))

    return _spans(leg, cuts, holds)
