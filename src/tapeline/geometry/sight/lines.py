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

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, product
from typing import Any, NamedTuple

from tapeline.geometry.backends import blank, chosen, converted, floats, functions, ints, room
from tapeline.geometry.epsilons import LENGTH, SAME_DIRECTION
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.plane.intersections import Piece, border_crossings
from tapeline.geometry.rectangles.rectangle import Part, Point, Rect, Region
from tapeline.geometry.rectangles.separating_axis import nearest_on_loop
from tapeline.geometry.sight.obstructions import Eye, Features, LineRoom
from tapeline.work import count_work

#: Radians by which what is seen under an angle is taken to be wider; the angle from which on that
#: is not told. Length: what is as near may lie anywhere.
_ASIDE, _WIDE, _BESIDE = 1e-6, math.pi - 1e-3, 1e-3

__all__ = ["FreeLine", "flat_features", "sight_to_region"]


@dataclass(frozen=True, slots=True)
class FreeLine:
    """Whether there is a free line, and the proof.

    line: a free line (from, to) if visible. blockers: if not, indices of the features that were
    found in the way of some line.
    """

    visible: bool
    line: tuple[Point, Point] | None
    blockers: tuple[int, ...]


def flat_features(features: Sequence[Region], compiled: bool) -> Features:
    """Features as kernels take them."""
    parts = [part for feature in features for part in feature.parts]
    starts = accumulate((len(part.loop) for part in parts), initial=0)
    firsts = accumulate((len(feature.parts) for feature in features), initial=0)
    corners, radii = [v for part in parts for v in part.loop], [part.radius for part in parts]
    bounds = [v for feature in features for v in feature.bounds]
    return converted(Features(corners, list(starts), radii, list(firsts), bounds), compiled)


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
    for p, q in product(one, two):
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
    compiled = chosen()
    flat, kernels = flat_features(features, compiled), functions(compiled)
    seen, parts = blank(2, compiled), len(flat.radii)
    active = list(range(len(features)))
    if see_out:
        active = [i for i in active if not kernels.in_feature(flat, i, *eye, LENGTH, seen)]
    view = Eye(*eye, flat, ints(active, compiled), see_out, slack)
    sizes = (2, 4, 4 * parts, 2 * parts + 2, len(features), 2, len(features), 2)
    scratch = room(compiled, LineRoom, *sizes)
    line = None
    for part in _target_parts(target):
        line = _see_part(_Look(eye, features, active, view, scratch, kernels), part)
        if line is not None:
            break
    count_work(5 * (int(scratch.looks[0]) + int(scratch.looks[1])), "sight")
    if line is not None:
        return FreeLine(True, (eye, line), ())
    return FreeLine(False, None, tuple(i for i in active if scratch.blocked[i]))


class _Look(NamedTuple):
    """What is looked past, as `sight_to_region` has it and as kernels have it."""

    eye: Point
    features: Sequence[Region]
    active: Sequence[int]
    view: Eye
    room: LineRoom
    kernels: Any


def _see_part(look: _Look, part: Part) -> Point | None:
    """A point of a convex part that is seen, or None."""
    eye, features, active, view, scratch, kernels = look
    out = [0.0] * 2
    gap = nearest_on_loop(part.loop, eye[0], eye[1], out)
    if gap <= part.radius:
        return eye
    f = part.radius / gap
    nearest = (out[0] + f * (eye[0] - out[0]), out[1] + f * (eye[1] - out[1]))
    if kernels.free_to(view, *nearest, scratch):
        return nearest
    # Only features that reach into the hull of the eye and the target can matter.
    loop, r = part.loop, part.radius
    xs, ys = (*loop[::2], eye[0]), (*loop[1::2], eye[1])
    hull = min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r
    near = [i for i in active if boxes_meet(features[i].bounds, hull)]
    n = len(loop) // 2
    centre = (sum(loop[::2]) / n, sum(loop[1::2]) / n)
    candidates: list[float] = []
    rays = _critical_directions(eye, centre, *_critical(part, features, near, view.see_out))
    for k, ray in enumerate(rays):
        if k > 0:
            middle = _between(rays[k - 1], ray)
            if middle is None:
                continue
            candidates += middle
        candidates += ray
    nowhere = (math.inf, -math.inf)
    sectors = [
        angle
        for i, feature in enumerate(features)
        for p in feature.parts
        for angle in (_sector(eye, centre, p) if i in near else nowhere)
    ]
    compiled = not isinstance(scratch.out, list)
    flat = (floats(values, compiled) for values in (candidates, sectors))
    if kernels.first_seen(view, floats(loop, compiled), r, *flat, scratch):
        x, y = scratch.seen
        return float(x), float(y)
    return None


def _critical(
    part: Part, features: Sequence[Region], near: Sequence[int], see_out: bool
) -> tuple[list[Point], list[Piece]]:
    """Points and circles in the directions of which what is seen of a part changes."""
    loop = part.loop
    own = _pieces((part,))
    others = [_pieces(features[i].parts) for i in near]
    points: list[Point] = []
    if not part.radius:
        points += ((loop[k], loop[k + 1]) for k in range(0, len(loop), 2))
    circles: list[Piece] = []
    for piece in chain(own, *others):
        if piece[4] > 0.0:
            circles.append(piece)
        else:
            points.extend(((piece[0], piece[1]), (piece[2], piece[3])))
    xs, ys, r = loop[::2], loop[1::2], part.radius
    bounds = min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r
    borders = [(bounds, own), *((features[i].bounds, o) for i, o in zip(near, others, strict=True))]
    # Of borders that are apart no pieces cross; those of the part meet all, and if it matters
    # who stands in what, those of features each other.
    for k, (box, one) in enumerate(borders if see_out else borders[:1]):
        for other, two in borders[k + 1 :]:
            if boxes_meet(box, other, LENGTH):
                points.extend(_meets(one, two))
    return points, circles


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
