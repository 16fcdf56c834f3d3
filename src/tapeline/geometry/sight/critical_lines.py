"""Kernel: the first free line from an edge to a convex area, of those that can be at the border of
the set of free lines.

Tried in turn: a few lines near the middle, lines that touch two spots (points, or circles that a
line must keep off), lines square to a side of a deep feature through a spot. Each is cut to what
lies between edge and area and held against all that blocks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.separating_axis import (
    depth_of_loops,
    depth_of_parts,
    distance_of_loops,
    nearest_on_loop,
)
from tapeline.geometry.sight.obstructions import chord_of_line

__all__ = ["EdgeSight", "SightRoom", "first_free_line"]

#: Length: a line that misses edge or area by more misses them whatever is rounded.
_CLEARLY = 1e-6


class EdgeSight(NamedTuple):
    """An edge, the area that is looked at, and what may be in between.

    edge: ends a and b, unit vector ahead, length. ahead: corners of the area, counter-clockwise;
    sides: length of each of its sides. hull: corners of edge and area. corners, starts, radii: the
    convex parts of what blocks, then of what is deep. owners: of each part, the deep feature that
    it is of, -1 for what blocks. depths: how deep sight goes into each feature. middling: lines
    tried first, 4 numbers each.
    """

    edge: Floats
    ahead: Floats
    sides: Floats
    hull: Floats
    corners: Floats
    starts: Ints
    radii: Floats
    owners: Ints
    depths: Floats
    middling: Floats


class SightRoom(NamedTuple):
    """Room to work in. line, out: 4 numbers each; line: the free line found, from where to where.
    chords: 2 a part. near: whether each part is near enough to matter. spots: x, y and radius of
    each corner of edge, area and parts. stopped: the part that stopped the last line, -1 before
    one did.
    """

    line: list[float]
    out: list[float]
    chords: list[float]
    near: list[int]
    spots: list[float]
    stopped: list[int]


@kernel
def _cut(px: float, py: float, qx: float, qy: float, sight: EdgeSight, out: list[float]) -> bool:
    """The part of a line from the edge to where it first meets the area, going forward."""
    edge, ahead = sight.edge, sight.ahead
    ux, uy = qx - px, qy - py
    size = math.hypot(ux, uy)
    ux, uy = ux / size, uy / size
    ax, ay = edge[0], edge[1]
    forward = ux * edge[4] + uy * edge[5]
    if abs(forward) <= 1e-12:
        return False
    if forward < 0.0:
        ux, uy, forward = -ux, -uy, -forward
    back = ((ax - px) * edge[4] + (ay - py) * edge[5]) / forward
    sx, sy = px + back * ux, py + back * uy
    length = edge[6]
    along = ((sx - ax) * (edge[2] - ax) + (sy - ay) * (edge[3] - ay)) / length
    if along < -ROUNDING or along > length + ROUNDING:
        return False
    # Where the line comes into the closed area: a touch of a corner counts.
    low, high = -math.inf, math.inf
    n = len(ahead) // 2
    for i in range(n if n > 2 else 0):
        j = (i + 1) % n
        ex, ey = ahead[2 * j] - ahead[2 * i], ahead[2 * j + 1] - ahead[2 * i + 1]
        side = sight.sides[i]
        inward = (ex * uy - ey * ux) / side
        off = (ex * (sy - ahead[2 * i + 1]) - ey * (sx - ahead[2 * i])) / side
        if abs(inward) <= 1e-12:
            if off < -ROUNDING:
                return False
        elif inward > 0.0:
            low = max(low, -off / inward)
        else:
            high = min(high, -off / inward)
    if low > high + ROUNDING or not math.isfinite(low):
        return False
    out[0], out[1], out[2], out[3] = sx, sy, sx + low * ux, sy + low * uy
    return True


@kernel
def _go_by(
    x: float, y: float, dx: float, dy: float, r: float, more: float, loop: Floats, count: int
) -> bool:
    """Whether the first corners of a loop lie all on one side of a line, clearly off it; and of all
    lines that touch circles of radius r about the place and of radius `more` where it leads."""
    if 10.0 * (r + more) > max(abs(dx), abs(dy)):
        return False
    # Such lines are turned by little, and shifted no farther than this; nothing here is a root.
    far = (r + _CLEARLY) * (abs(dx) + abs(dy))
    above = False
    for i in range(0, count, 2):
        px, py = loop[i] - x, loop[i + 1] - y
        side = dx * py - dy * px
        if 0.9 * abs(side) <= far + (r + more) * (abs(px) + abs(py)):
            return False
        if i > 0 and (side > 0.0) != above:
            return False
        above = side > 0.0
    return True


@kernel
def _meets(
    line: Floats, ux: float, uy: float, loop: Floats, radius: float, slack: float, out: list[float]
) -> bool:
    """Whether a segment of direction u runs into a part, or within the slack of it."""
    keep = radius + slack
    least, most = math.inf, -math.inf
    for i in range(0, len(loop), 2):
        side = ux * (loop[i + 1] - line[1]) - uy * (loop[i] - line[0])
        least, most = min(least, side), max(most, side)
    if least > keep or most < -keep:
        return False
    if depth_of_loops(line, loop, out) > 0.0:
        return True
    return distance_of_loops(line, loop, out) <= keep


@kernel
def _ends_in(sight: EdgeSight, first: int, last: int, slack: float, room: SightRoom) -> bool:
    """Whether an end of the line is in any of some parts, or within the slack of one."""
    line, out = room.line, room.out
    for k in range(first, last):
        loop = sight.corners[sight.starts[k] : sight.starts[k + 1]]
        for end in range(0, 4, 2):
            if nearest_on_loop(loop, line[end], line[end + 1], out) - sight.radii[k] <= slack:
                return True
    return False


@kernel
def _inside(
    ux: float, uy: float, size: float, sight: EdgeSight, first: int, last: int, room: SightRoom
) -> float:
    """How much of the line, of direction u, lies in the union of some parts."""
    line, out, chords = room.line, room.out, room.chords
    count = 0
    for k in range(first, last):
        loop = sight.corners[sight.starts[k] : sight.starts[k + 1]]
        if not chord_of_line(loop, sight.radii[k], line[0], line[1], ux, uy, out):
            continue
        low, high = max(out[0], 0.0), min(out[1], size)
        if low >= high:
            continue
        at = count
        while at > 0 and chords[2 * at - 2] > low:
            chords[2 * at] = chords[2 * at - 2]
            chords[2 * at + 1] = chords[2 * at - 1]
            at -= 1
        chords[2 * at], chords[2 * at + 1] = low, high
        count += 1
    total = 0.0
    start = stop = 0.0
    for k in range(count):
        if k == 0 or chords[2 * k] > stop:
            total += stop - start
            start, stop = chords[2 * k], chords[2 * k + 1]
        else:
            stop = max(stop, chords[2 * k + 1])
    return total + stop - start


@kernel
def _last_of(sight: EdgeSight, first: int) -> int:
    """The part after the last of the feature that a part begins."""
    last = first + 1
    owner = sight.owners[first]
    while owner >= 0 and last < len(sight.radii) and sight.owners[last] == owner:
        last += 1
    return last


@kernel
def _is_free(
    px: float, py: float, qx: float, qy: float, sight: EdgeSight, slack: float, room: SightRoom
) -> bool:
    """Whether a line, cut to what lies between edge and area, runs into nothing."""
    line = room.line
    if not _cut(px, py, qx, qy, sight, line):
        return False
    ux, uy = line[2] - line[0], line[3] - line[1]
    size = math.hypot(ux, uy)
    ux, uy = ux / size, uy / size
    # What stopped the line before this one often stops it too.
    k = room.stopped[0]
    if k >= 0:
        loop = sight.corners[sight.starts[k] : sight.starts[k + 1]]
        if _meets(line, ux, uy, loop, sight.radii[k], slack, room.out):
            return False
    k = 0
    while k < len(sight.radii):
        last = _last_of(sight, k)
        if not room.near[k]:
            k = last
            continue
        owner = sight.owners[k]
        if owner >= 0 and _ends_in(sight, k, last, slack, room):
            inside = _inside(ux, uy, size, sight, k, last, room)
            if inside > sight.depths[owner] + slack:
                return False
            k = last
        while k < last:
            loop = sight.corners[sight.starts[k] : sight.starts[k + 1]]
            if _meets(line, ux, uy, loop, sight.radii[k], slack, room.out):
                if owner < 0:
                    room.stopped[0] = k
                return False
            k += 1
    return True


@kernel
def _put(loop: Floats, radius: float, spots: list[float], count: int) -> int:
    for i in range(0, len(loop), 2):
        spots[count], spots[count + 1], spots[count + 2] = loop[i], loop[i + 1], radius
        count += 3
    return count


@kernel
def _prepare(sight: EdgeSight, slack: float, keep: float, room: SightRoom) -> int:
    """Find what is near and the spots that lines may touch; how many numbers of these."""
    count = _put(sight.edge[0:4], 0.0, room.spots, 0)
    count = _put(sight.ahead, 0.0, room.spots, count)
    k = 0
    while k < len(sight.radii):
        last = _last_of(sight, k)
        near = 0
        for j in range(k, last):
            loop = sight.corners[sight.starts[j] : sight.starts[j + 1]]
            if depth_of_parts(sight.hull, loop, sight.radii[j], room.out) > -2.0 * slack:
                near = 1
                break
        for j in range(k, last):
            room.near[j] = near
            if near:
                loop = sight.corners[sight.starts[j] : sight.starts[j + 1]]
                count = _put(loop, sight.radii[j] + keep, room.spots, count)
        k = last
    return count


@entry()
def first_free_line(sight: EdgeSight, slack: float, keep: float, room: SightRoom) -> bool:
    """Whether any line tried is free; it is left in the room.

    keep: how far off what blocks lines to be tried keep, a hair more than the slack.
    """
    count = _prepare(sight, slack, keep, room)
    for i in range(0, len(sight.middling), 4):
        px, py = sight.middling[i], sight.middling[i + 1]
        if _is_free(px, py, sight.middling[i + 2], sight.middling[i + 3], sight, slack, room):
            return True
    spots = room.spots
    for i in range(0, count, 3):
        x0, y0 = spots[i], spots[i + 1]
        for j in range(i + 3, count, 3):
            dx, dy = spots[j] - x0, spots[j + 1] - y0
            # Most miss the edge or the area by far, which is soon told.
            if _go_by(x0, y0, dx, dy, spots[i + 2], spots[j + 2], sight.edge, 4) or _go_by(
                x0, y0, dx, dy, spots[i + 2], spots[j + 2], sight.ahead, len(sight.ahead)
            ):
                continue
            d = math.hypot(dx, dy)
            if d <= ROUNDING:
                continue
            # The line s0 r0 to the left of one centre and s1 r1 to the left of the other.
            for which in range(4):
                s0 = 1.0 if which < 2 else -1.0
                s1 = 1.0 if which % 2 == 0 else -1.0
                if (s0 < 0.0 and spots[i + 2] == 0.0) or (s1 < 0.0 and spots[j + 2] == 0.0):
                    continue
                turn = (s0 * spots[i + 2] - s1 * spots[j + 2]) / d
                if abs(turn) > 1.0:
                    continue
                c = math.sqrt(1.0 - turn * turn)
                ux, uy = (c * dx + turn * dy) / d, (c * dy - turn * dx) / d
                px, py = x0 + s0 * spots[i + 2] * uy, y0 - s0 * spots[i + 2] * ux
                qx, qy = px + d * ux, py + d * uy
                if _is_free(px, py, qx, qy, sight, slack, room):
                    return True
    for k in range(len(sight.radii)):
        if sight.owners[k] < 0 or not room.near[k]:
            continue
        loop = sight.corners[sight.starts[k] : sight.starts[k + 1]]
        n = len(loop)
        for i in range(0, n if n > 4 else 0, 2):
            ex, ey = loop[(i + 2) % n] - loop[i], loop[(i + 3) % n] - loop[i + 1]
            size = math.hypot(ex, ey)
            ex, ey = ex / size, ey / size
            for j in range(0, count, 3):
                for which in range(2 if spots[j + 2] != 0.0 else 1):
                    off = spots[j + 2] if which == 0 else -spots[j + 2]
                    px, py = spots[j] + off * ex, spots[j + 1] + off * ey
                    qx, qy = px + ey, py - ex
                    if _is_free(px, py, qx, qy, sight, slack, room):
                        return True
    return False
