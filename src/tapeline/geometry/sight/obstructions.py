"""Kernels: what is in the way of lines from a point, and the first of some lines that is free."""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.epsilons import LENGTH, ROUNDING, SAME_DIRECTION
from tapeline.geometry.rectangles.separating_axis import nearest_on_loop
from tapeline.geometry.rectangles.slide_spans import slide_span
from tapeline.geometry.rectangles.turn import sort_up

__all__ = ["Eye", "Features", "LineRoom", "chord_of_line", "first_seen", "free_to", "in_feature"]


class Features(NamedTuple):
    """Features, each the union of its parts. corners: of all parts; starts: the first number of
    each part, and the end; radii: of parts; firsts: the first part of each feature, and the end;
    bounds: left, bottom, right, top, 4 a feature."""

    corners: Floats
    starts: Ints
    radii: Floats
    firsts: Ints
    bounds: Floats


class Eye(NamedTuple):
    """An eye, and what it looks past. active: features that may block, ascending. see_out: what
    holds the point seen does not block. slack: how far a line may enter a feature."""

    x: float
    y: float
    features: Features
    active: Ints
    see_out: bool
    slack: float


class LineRoom(NamedTuple):
    """Room to work in: point 2, out 4, chords 4 a part, stops 2 a part and 2 more, met 1 a feature.

    seen: the point that is found, 2. blocked: 1 for each feature found in the way. looks: features
    looked at, and lines.
    """

    point: list[float]
    out: list[float]
    chords: list[float]
    stops: list[float]
    met: list[int]
    seen: list[float]
    blocked: list[int]
    looks: list[int]


@kernel
def chord_of_line(
    loop: Floats, radius: float, ox: float, oy: float, ux: float, uy: float, out: list[float]
) -> bool:
    """Where the line o + s u (u a unit vector) runs inside a part: out[0] < s < out[1].

    False if it does not run inside; running along the border is not inside.
    """
    n = len(loop) // 2
    if n == 1:
        x, y = loop[0] - ox, loop[1] - oy
        along, across = x * ux + y * uy, x * uy - y * ux
        root = radius * radius - across * across
        if root <= 0.0:
            return False
        root = math.sqrt(root)
        out[0], out[1] = along - root, along + root
        return True
    lo, hi = -math.inf, math.inf
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
        # Inside is to the left: e x (o + s u - corner) > 0.
        k = ex * uy - ey * ux
        f = ex * (oy - loop[2 * i + 1]) - ey * (ox - loop[2 * i])
        if abs(k) <= SAME_DIRECTION * (abs(ex) + abs(ey)):
            if f <= 0.0:
                return False
        elif k > 0.0:
            lo = max(lo, -f / k)
        else:
            hi = min(hi, -f / k)
    out[0], out[1] = lo, hi
    return lo < hi


@kernel
def _chord(
    loop: Floats, radius: float, ox: float, oy: float, ux: float, uy: float, room: LineRoom
) -> bool:
    """`chord_of_line` for parts of any form, those of no width too; room.out[0:2]."""
    n = len(loop)
    if n == 2 or (n > 4 and radius == 0.0):
        return chord_of_line(loop, radius, ox, oy, ux, uy, room.out)
    room.point[0], room.point[1] = ox, oy
    return slide_span(room.point, loop, radius, ux, uy, 0.0, room.out)


@entry()
def in_feature(
    features: Features, i: int, x: float, y: float, deeper_than: float, out: list[float]
) -> bool:
    """Whether a point lies inside a feature, deeper than a tolerance (seams between parts inside).

    Looked up at twelve points around it. out: 2 numbers of room.
    """
    bounds = features.bounds
    if x < bounds[4 * i] or x > bounds[4 * i + 2] or y < bounds[4 * i + 1] or y > bounds[4 * i + 3]:
        return False
    for k in range(12):
        angle = k * math.pi / 6.0 + 0.1
        qx, qy = x + deeper_than * math.cos(angle), y + deeper_than * math.sin(angle)
        within = False
        for part in range(features.firsts[i], features.firsts[i + 1]):
            loop = features.corners[features.starts[part] : features.starts[part + 1]]
            if nearest_on_loop(loop, qx, qy, out) <= features.radii[part]:
                within = True
                break
        if not within:
            return False
    return True


@kernel
def _crosses(loop: Floats, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether segment ab crosses a two-corner loop of no width from side to side."""
    cx, cy, dx, dy = loop[0], loop[1], loop[2], loop[3]
    d1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    d3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    d4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return d1 * d2 < 0.0 and d3 * d4 < 0.0


@kernel
def _blocks(eye: Eye, i: int, bx: float, by: float, room: LineRoom) -> bool:
    """Whether a feature blocks the open segment from the eye to b."""
    ax, ay, slack = eye.x, eye.y, eye.slack
    features = eye.features
    bounds = features.bounds
    if max(ax, bx) < bounds[4 * i] or min(ax, bx) > bounds[4 * i + 2]:
        return False
    if max(ay, by) < bounds[4 * i + 1] or min(ay, by) > bounds[4 * i + 3]:
        return False
    dx, dy = bx - ax, by - ay
    length = math.hypot(dx, dy)
    if length <= 2.0 * slack:
        return False
    ux, uy = dx / length, dy / length
    low, high = slack, length - slack
    # Chords a hair to the left of the line, then those a hair to its right.
    half = len(room.chords) // 2
    left = count = 0
    thin_left = thin = False
    for side in range(2):
        sign = 1.0 if side == 0 else -1.0
        ox, oy = ax + sign * (-uy * slack), ay + sign * (ux * slack)
        left, thin_left = count, thin
        count, thin = 0, False
        for part in range(features.firsts[i], features.firsts[i + 1]):
            loop = features.corners[features.starts[part] : features.starts[part + 1]]
            radius = features.radii[part]
            if radius == 0.0 and len(loop) == 4:
                ex, ey = ux * slack, uy * slack
                px, py = bx + sign * (-uy * slack), by + sign * (ux * slack)
                thin = thin or _crosses(loop, ox + ex, oy + ey, px - ex, py - ey)
                continue
            if not _chord(loop, radius, ox, oy, ux, uy, room):
                continue
            s0, s1 = max(room.out[0], low), min(room.out[1], high)
            if s0 >= s1:
                continue
            at = side * half + 2 * count
            room.chords[at], room.chords[at + 1] = s0, s1
            count += 1
    if thin_left and thin:
        return True
    for k in range(left):
        for m in range(count):
            start = max(room.chords[2 * k], room.chords[half + 2 * m])
            if min(room.chords[2 * k + 1], room.chords[half + 2 * m + 1]) - start > slack:
                return True
    return False


@kernel
def _free(eye: Eye, x: float, y: float, those: Ints, count: int, room: LineRoom) -> bool:
    """Whether none of some features blocks the line from the eye to a point."""
    room.looks[0] += count
    room.looks[1] += 1
    for k in range(count):
        i = those[k]
        if _blocks(eye, i, x, y, room) and not (
            eye.see_out and in_feature(eye.features, i, x, y, LENGTH, room.out)
        ):
            room.blocked[i] = 1
            return False
    return True


@entry()
def free_to(eye: Eye, x: float, y: float, room: LineRoom) -> bool:
    """Whether no active feature blocks the line from the eye to a point."""
    return _free(eye, x, y, eye.active, len(eye.active), room)


@entry()
def first_seen(
    eye: Eye, target: Floats, radius: float, rays: Floats, sectors: Floats, room: LineRoom
) -> bool:
    """Whether a point of a convex part is seen along any of some rays: room.seen, of the first.

    rays: angle and unit direction, 3 a ray. sectors: by part of a feature the angles between which
    it lies altogether, 2 a part; features that lie to one side of a ray are not in its way.
    """
    features, out, stops = eye.features, room.out, room.stops
    for ray in range(len(rays) // 3):
        angle, ux, uy = rays[3 * ray], rays[3 * ray + 1], rays[3 * ray + 2]
        room.point[0], room.point[1] = eye.x, eye.y
        if not slide_span(room.point, target, radius, ux, uy, -ROUNDING, out) or out[1] < 0.0:
            continue
        t0, t1 = max(out[0], 0.0), out[1]
        stops[0], stops[1] = t0, t1
        count = 2
        met = 0
        inside = False
        for k in range(len(eye.active)):
            i = eye.active[k]
            ahead = False
            for part in range(features.firsts[i], features.firsts[i + 1]):
                if not sectors[2 * part] <= angle <= sectors[2 * part + 1]:
                    continue
                ahead = True
                if not eye.see_out:
                    break
                loop = features.corners[features.starts[part] : features.starts[part + 1]]
                if _chord(loop, features.radii[part], eye.x, eye.y, ux, uy, room):
                    inside = inside or (out[0] < t1 and out[1] > t0)
                    for end in range(2):
                        if t0 < out[end] < t1:
                            stops[count] = out[end]
                            count += 1
            if ahead:
                room.met[met] = i
                met += 1
        # The nearest point of the target on the ray, then one of each stretch between borders.
        if inside:
            sort_up(stops, count)
        for k in range(count if inside else 1):
            s = t0 if k == 0 else 0.5 * (stops[k - 1] + stops[k])
            if k > 0 and not stops[k] > stops[k - 1]:
                continue
            x, y = eye.x + s * ux, eye.y + s * uy
            gap = nearest_on_loop(target, x, y, out)
            if gap > radius:  # onto the target, of which rounding takes it off
                f = radius / gap
                x, y = out[0] + f * (x - out[0]), out[1] + f * (y - out[1])
            if _free(eye, x, y, room.met, met, room):
                room.seen[0], room.seen[1] = x, y
                return True
    return False
