"""Sight on flat ground, from a point to an area.

A feature blocks a line that runs through its inside; one that only runs along its border, or
through a corner, is free. A feature is the union of its parts, so a line along a seam between two
of its parts is blocked, while a line between two features that merely touch is free.

One device gives both, in every orientation: the line is looked at a hair (`slack`) to its left and
to its right, and a feature blocks it where it lies in the way of both at the same distance.

Whether an area can be seen changes only at directions through corners, along tangents of round
parts and through crossings of borders. Those directions, and one between each neighbouring pair,
decide it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.epsilons import LENGTH, ROUNDING, SAME_DIRECTION
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.rectangle import Part, Point, Rect, Region
from tapeline.geometry.rectangles.separating_axis import nearest_on_loop
from tapeline.geometry.rectangles.slide_spans import slide_span
from tapeline.geometry.sight.border_crossings import Piece, border_crossings
from tapeline.work import count_work

#: Radians by which what is seen under an angle is taken to be wider; the angle from which on that
#: is not told. Length: what is as near may lie anywhere.
_ASIDE, _WIDE, _BESIDE = 1e-6, math.pi - 1e-3, 1e-3

__all__ = [
    "FreeLine",
    "chord_of_line",
    "holds",
    "sight_to_region",
]


@dataclass(frozen=True, slots=True)
class FreeLine:
    """Whether there is a free line, and the proof.

    line: a free line (from, to) if visible. blockers: if not, indices of the features that were
    found in the way of some line.
    """

    visible: bool
    line: tuple[Point, Point] | None
    blockers: tuple[int, ...]


@kernel
def chord_of_line(
    loop: Sequence[float],
    radius: float,
    ox: float,
    oy: float,
    ux: float,
    uy: float,
    out: MutableSequence[float],
) -> bool:
    """Where the line o + s u (u a unit vector) runs inside a part: out[0] < s < out[1].

    False if it does not run inside; running along the border is not inside.
    """
    n = len(loop) // 2
    if n == 1:
        x = loop[0] - ox
        y = loop[1] - oy
        along = x * ux + y * uy
        across = x * uy - y * ux
        root = radius * radius - across * across
        if root <= 0.0:
            return False
        root = math.sqrt(root)
        out[0] = along - root
        out[1] = along + root
        return True
    lo = -math.inf
    hi = math.inf
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ex = loop[2 * j] - loop[2 * i]
        ey = loop[2 * j + 1] - loop[2 * i + 1]
        # Inside is to the left: e x (o + s u - corner) > 0.
        k = ex * uy - ey * ux
        f = ex * (oy - loop[2 * i + 1]) - ey * (ox - loop[2 * i])
        if abs(k) <= SAME_DIRECTION * (abs(ex) + abs(ey)):
            if f <= 0.0:
                return False
        elif k > 0.0:
            s = -f / k
            if s > lo:
                lo = s
        else:
            s = -f / k
            if s < hi:
                hi = s
    out[0] = lo
    out[1] = hi
    return lo < hi


def _chord(part: Part, ox: float, oy: float, ux: float, uy: float, out: list[float]) -> bool:
    n = len(part.loop)
    if n == 2 or (n > 4 and part.radius == 0.0):
        return chord_of_line(part.loop, part.radius, ox, oy, ux, uy, out)
    return slide_span((ox, oy), part.loop, part.radius, ux, uy, 0.0, out)


def holds(feature: Region, point: Point, deeper_than: float = LENGTH) -> bool:
    """Whether a point lies inside a feature, deeper than a tolerance (seams between parts inside).

    Looked up at twelve points around it.
    """
    x, y = point
    left, bottom, right, top = feature.bounds
    if x < left or x > right or y < bottom or y > top:
        return False
    out = [0.0, 0.0]
    for k in range(12):
        angle = k * math.pi / 6.0 + 0.1
        qx, qy = x + deeper_than * math.cos(angle), y + deeper_than * math.sin(angle)
        if not any(nearest_on_loop(p.loop, qx, qy, out) <= p.radius for p in feature.parts):
            return False
    return True


def _crosses(part: Part, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether segment ab crosses a two-corner loop of no width from side to side."""
    cx, cy, dx, dy = part.loop
    d1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    d3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    d4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return d1 * d2 < 0.0 and d3 * d4 < 0.0


def _blocks(feature: Region, a: Point, b: Point, slack: float) -> bool:
    """Whether a feature blocks the open segment ab."""
    ax, ay = a
    bx, by = b
    left, bottom, right, top = feature.bounds
    if max(ax, bx) < left or min(ax, bx) > right or max(ay, by) < bottom or min(ay, by) > top:
        return False
    dx, dy = bx - ax, by - ay
    length = math.hypot(dx, dy)
    if length <= 2.0 * slack:
        return False
    ux, uy = dx / length, dy / length
    sx, sy = -uy * slack, ux * slack
    out = [0.0] * 4
    low, high = slack, length - slack
    one: list[tuple[float, float]] = []
    two: list[tuple[float, float]] = []
    thin_one = thin_two = False
    for part in feature.parts:
        if part.radius == 0.0 and len(part.loop) == 4:
            ex, ey = ux * slack, uy * slack
            thin_one = thin_one or _crosses(
                part, ax + sx + ex, ay + sy + ey, bx + sx - ex, by + sy - ey
            )
            thin_two = thin_two or _crosses(
                part, ax - sx + ex, ay - sy + ey, bx - sx - ex, by - sy - ey
            )
            continue
        if _chord(part, ax + sx, ay + sy, ux, uy, out):
            s0, s1 = max(out[0], low), min(out[1], high)
            if s0 < s1:
                one.append((s0, s1))
        if _chord(part, ax - sx, ay - sy, ux, uy, out):
            s0, s1 = max(out[0], low), min(out[1], high)
            if s0 < s1:
                two.append((s0, s1))
    if thin_one and thin_two:
        return True
    for s0, s1 in one:
        for t0, t1 in two:
            if min(s1, t1) - max(s0, t0) > slack:
                return True
    return False


def _pieces(parts: Sequence[Part]) -> list[Piece]:
    """The borders of parts: straight pieces, and circles round the corners of those with radii."""
    found: list[Piece] = []
    for part in parts:
        loop, r = part.loop, part.radius
        n = len(loop) // 2
        if r > 0.0:
            found.extend((loop[2 * i], loop[2 * i + 1], 0.0, 0.0, r) for i in range(n))
        for i in range(n if n > 1 else 0):
            j = (i + 1) % n
            ax, ay, bx, by = loop[2 * i], loop[2 * i + 1], loop[2 * j], loop[2 * j + 1]
            if r > 0.0:
                length = math.hypot(bx - ax, by - ay)
                ox, oy = r * (by - ay) / length, -r * (bx - ax) / length
                ax, ay, bx, by = ax + ox, ay + oy, bx + ox, by + oy
            found.append((ax, ay, bx, by, 0.0))
    return found


def _meets(one: Sequence[Piece], two: Sequence[Piece]) -> Iterator[Point]:
    for p, q in itertools.product(one, two):
        yield from border_crossings(p, q, touching=True)


def _tangents(eye: Point, circle: Piece) -> list[Point]:
    """Directions from a point that touch a circle."""
    dx, dy = circle[0] - eye[0], circle[1] - eye[1]
    d2 = dx * dx + dy * dy
    r = circle[4]
    root = d2 - r * r
    if d2 == 0.0 or root < -LENGTH * r * r:
        return []
    # On the circle, but for rounding, the two tangents are one.
    root = math.sqrt(max(0.0, root))
    return [
        ((dx * root - dy * r) / d2, (dy * root + dx * r) / d2),
        ((dx * root + dy * r) / d2, (dy * root - dx * r) / d2),
    ]


def _critical_directions(
    eye: Point, centre: Point, points: Sequence[Point], circles: Sequence[Piece]
) -> list[tuple[float, float, float]]:
    """Unit directions from the eye to points and along tangents, sorted by angle from a centre."""
    cx, cy = centre[0] - eye[0], centre[1] - eye[1]
    found: list[tuple[float, float, float]] = []
    rays = [(p[0] - eye[0], p[1] - eye[1]) for p in points]
    for circle in circles:
        rays.extend(_tangents(eye, circle))
    for x, y in rays:
        length = math.hypot(x, y)
        if length > LENGTH:
            angle = math.atan2(cx * y - cy * x, cx * x + cy * y)
            found.append((angle, x / length, y / length))
    found.sort()
    return found


def _between(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> tuple[float, float, float] | None:
    if b[0] - a[0] <= SAME_DIRECTION:
        return None
    x, y = a[1] + b[1], a[2] + b[2]
    length = math.hypot(x, y)
    if length == 0.0:
        return None
    return (0.5 * (a[0] + b[0]), x / length, y / length)


def _target_parts(target: Region | Rect | Sequence[float]) -> tuple[Part, ...]:
    if isinstance(target, Rect):
        return (Part(target.loop),)
    if isinstance(target, Region):
        return target.parts
    if len(target) < 2:
        return ()
    return (Part(tuple(float(v) for v in target)),)


def sight_to_region(
    eye: Point,
    target: Region | Rect | Sequence[float],
    features: Sequence[Region],
    *,
    see_out: bool = False,
    slack: float = LENGTH,
) -> FreeLine:
    """Whether some point of a target area can be seen from a point past blocking features.

    target: a region, a rectangle, or a flat convex loop as `clip_to` gives it (empty: not seen).
    see_out: a feature that holds the eye, or the point seen, does not block that line. slack: how
    far a line may enter a feature and still run along its border.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_polygon
    >>> wood = region_of_polygon([(17, 6), (20, 6), (20, 14), (17, 14)])
    >>> sight_to_region((11, 10), Rect(20, 10, math.pi, 4, 2), [wood]).visible
    False
    >>> sight_to_region((11, 10), Rect(20, 10, math.pi, 4, 2), [wood], see_out=True).visible
    True
    """
    checked(eye, "eye")
    standing = {i for i, f in enumerate(features) if see_out and holds(f, eye)}
    active = [i for i in range(len(features)) if i not in standing]
    view = _View(eye, features, see_out, slack, set())
    for part in _target_parts(target):
        line = _see_part(view, part, active)
        if line is not None:
            return FreeLine(True, (eye, line), ())
    return FreeLine(False, None, tuple(sorted(view.blocked)))


class _View(NamedTuple):
    """What is looked past, as `sight_to_region` has it; blocked: what was found in the way."""

    eye: Point
    features: Sequence[Region]
    see_out: bool
    slack: float
    blocked: set[int]


def _free(view: _View, point: Point, active: Sequence[int]) -> bool:
    eye, features, see_out, slack, blocked = view
    count_work(5 * (1 + len(active)), "sight")
    for i in active:
        if _blocks(features[i], eye, point, slack) and not (see_out and holds(features[i], point)):
            blocked.add(i)
            return False
    return True


def _see_part(view: _View, part: Part, active: Sequence[int]) -> Point | None:
    """A point of a convex part that is seen, or None."""
    eye, features, see_out = view.eye, view.features, view.see_out
    out = [0.0] * 4
    gap = nearest_on_loop(part.loop, eye[0], eye[1], out)
    if gap <= part.radius:
        return eye
    f = part.radius / gap
    nearest = (out[0] + f * (eye[0] - out[0]), out[1] + f * (eye[1] - out[1]))
    if _free(view, nearest, active):
        return nearest
    # Only features that reach into the hull of the eye and the target can matter.
    loop, r = part.loop, part.radius
    xs, ys = (*loop[::2], eye[0]), (*loop[1::2], eye[1])
    left, right, bottom, top = min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r
    near = [
        i
        for i in active
        if features[i].bounds[0] <= right
        and features[i].bounds[2] >= left
        and features[i].bounds[1] <= top
        and features[i].bounds[3] >= bottom
    ]
    own = _pieces((part,))
    others = [_pieces(features[i].parts) for i in near]
    points: list[Point] = [(loop[k], loop[k + 1]) for k in range(0, len(loop), 2)] if not r else []
    circles: list[Piece] = []
    for piece in itertools.chain(own, *others):
        if piece[4] > 0.0:
            circles.append(piece)
        else:
            points.extend(((piece[0], piece[1]), (piece[2], piece[3])))
    for k, border in enumerate(others):
        points.extend(_meets(own, border))
        if see_out:
            for other in others[k + 1 :]:
                points.extend(_meets(border, other))
    n = len(loop) // 2
    centre = (sum(loop[::2]) / n, sum(loop[1::2]) / n)
    rays = _critical_directions(eye, centre, points, circles)
    candidates: list[tuple[float, float, float]] = []
    for k, ray in enumerate(rays):
        if k > 0:
            middle = _between(rays[k - 1], ray)
            if middle is None:
                continue
            candidates.append(middle)
        candidates.append(ray)
    sectors = [(i, p, *_sector(eye, centre, p)) for i in near for p in features[i].parts]
    for angle, ux, uy in candidates:
        if not slide_span(eye, loop, r, ux, uy, -ROUNDING, out) or out[1] < 0.0:
            continue
        # A feature that lies altogether to one side of the line is not in its way.
        ahead = [(i, part) for i, part, low, high in sectors if low <= angle <= high]
        t0, t1 = max(out[0], 0.0), out[1]
        spots = [t0]
        if see_out:
            stops = [t0, t1]
            inside = False
            for _, other_part in ahead:
                if _chord(other_part, eye[0], eye[1], ux, uy, out):
                    inside = inside or (out[0] < t1 and out[1] > t0)
                    stops.extend(s for s in (out[0], out[1]) if t0 < s < t1)
            if inside:
                stops.sort()
                spots.extend(0.5 * (a + b) for a, b in itertools.pairwise(stops) if b > a)
        met = list(dict.fromkeys(i for i, _ in ahead))
        for s in spots:
            p = _onto(part, (eye[0] + s * ux, eye[1] + s * uy))
            if _free(view, p, met):
                return p
    return None


def _sector(eye: Point, centre: Point, part: Part) -> tuple[float, float]:
    """Angles at an eye, from the direction to a centre, between which all of a part lies, and a
    little more; any angle where that cannot be told."""
    cx, cy = centre[0] - eye[0], centre[1] - eye[1]
    angles: list[float] = []
    nearest = math.inf
    for k in range(0, len(part.loop), 2):
        x, y = part.loop[k] - eye[0], part.loop[k + 1] - eye[1]
        nearest = min(nearest, math.hypot(x, y))
        angles.append(math.atan2(cx * y - cy * x, cx * x + cy * y))
    low, high = min(angles), max(angles)
    if high - low >= _WIDE or nearest <= part.radius + _BESIDE:
        return -math.inf, math.inf
    more = _ASIDE + math.asin(part.radius / nearest)
    return low - more, high + more


def _onto(part: Part, point: Point) -> Point:
    """The point itself if the part holds it, or the nearest of the part."""
    out = [0.0, 0.0]
    gap = nearest_on_loop(part.loop, point[0], point[1], out)
    if gap <= part.radius:
        return point
    f = part.radius / gap
    return (out[0] + f * (point[0] - out[0]), out[1] + f * (point[1] - out[1]))
