"""Kernels: first contact of many rectangles that slide or move freely with many parts.

Parts lie from left to right in flat arrays, so those that a motion can meet are one stretch of
them; lanes of slides leave few of these to `slide_impact`. Turns: `turn_batch.py`.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.searches import first_from
from tapeline.geometry.rectangles.free_leg import FreeMotion, FreeRoom, comes_near, free_spans
from tapeline.geometry.rectangles.separating_axis import Pair, lie_of_loops
from tapeline.geometry.rectangles.slide_impact import (
    Frame,
    PackedParts,
    Sliding,
    box_slide,
    frame_of,
)
from tapeline.geometry.rectangles.slide_spans import slide_span

__all__ = [
    "Contacts",
    "Motions",
    "comes_within",
    "first_frees",
    "first_slides",
    "slide_overlaps",
]


#: How far a rectangle reaches along its slide, and across, and sideways on the table; the farthest
#: left that it gets.
Lane: TypeAlias = tuple[float, float, float, float]


class Motions(NamedTuple):
    """n motions of rectangles of one kind: corners (8 n), and the overlap that is still none.

    where: unit directions of slides, pivots of turns, centres of free legs (2 n). amounts: lengths
    of slides, signed angles of turns, at most 2 pi (n), dx, dy, angle of free legs (3 n).
    """

    loops: Floats
    where: Floats
    amounts: Floats
    need: float


class Contacts(NamedTuple):
    """First contacts of n motions. at: how far each goes until then, or as far as was asked.

    part: the part met, -1 for none. scratch: room to work in, as much as the kernel says.
    """

    scratch: list[float]
    at: list[float]
    part: list[int]


@kernel
def _lane_of(f: Frame, slide: Sliding, more: float) -> Lane:
    """The lane of a rectangle that slides, longer at both ends by `more`."""
    dx, dy, limit, _ = slide
    du, dv = abs(dx * f[2] + dy * f[3]), abs(dy * f[2] - dx * f[3])
    half = abs(f[2]) * f[4] + abs(f[3]) * f[5] + more
    front, side = du * f[4] + dv * f[5] + more, dv * f[4] + du * f[5] + LENGTH
    return front, side, half, f[0] - half + min(limit * dx, 0.0)


@kernel
def _off_lane(boxes: Floats, k: int, f: Frame, slide: Sliding, length: float, lane: Lane) -> bool:
    """Whether the box of part k is off the lane of a rectangle that slides so far."""
    dx, dy, front, side = slide.dx, slide.dy, lane[0], lane[1]
    x, y = boxes[4 * k] - f[0], boxes[4 * k + 1] - f[1]
    w, h = boxes[4 * k + 2], boxes[4 * k + 3]
    if abs(x * dy - y * dx) > side + w * abs(dy) + h * abs(dx):
        return True
    along = x * dx + y * dy
    more = front + w * abs(dx) + h * abs(dy)
    return along < -more or along > length + more


@kernel
def first_slides(asked: Motions, parts: PackedParts, found: Contacts) -> int:
    """First contacts of slides: lengths. found: with 4 numbers of scratch. Returns -1."""
    corners, starts, radii, boxes, _, rights = parts
    loops, directions, lengths, need = asked
    out, at, part = found
    for i in range(len(lengths)):
        dx, dy = directions[2 * i], directions[2 * i + 1]
        limit = lengths[i]
        best, which = limit, -1
        f, slide = frame_of(loops, 8 * i), Sliding(dx, dy, limit, need)
        lane = _lane_of(f, slide, LENGTH)
        half, x0 = lane[2], lane[3]
        x1 = f[0] + half + max(best * dx, 0.0)
        for k in range(first_from(rights, 1, 0, 0, len(radii), x0), len(radii)):
            if boxes[4 * k] - boxes[4 * k + 2] > x1:
                break
            if _off_lane(boxes, k, f, slide, best, lane):
                continue
            r = radii[k]
            first, last = starts[k], starts[k + 1]
            if r == 0.0 or (last - first == 2 and r > need):
                s = box_slide(f, slide, best, k, parts, out)
            else:
                a, b = loops[8 * i : 8 * i + 8], corners[first:last]
                if not slide_span(a, b, r, dx, dy, need, out):
                    continue
                if out[0] >= limit or out[1] <= 0.0:
                    continue
                slide_span(a, b, r, dx, dy, 0.0, out)
                s = max(out[0], 0.0)
            if s < best:
                best, which = s, k
                x1 = f[0] + half + max(best * dx, 0.0)
        at[i], part[i] = best, which
    return -1


@entry()
def slide_overlaps(
    loop: Floats, slide: Sliding, parts: PackedParts, found: list[float], met: list[int]
) -> int:
    """Parts that a rectangle (8) overlaps deeper than its slide needs; how many.

    found: 4 numbers of room a part, and 4 more: where each overlap begins and ends, and where it
    is that deep. met: the parts. What lies more than 1 beyond the slide or behind it is left out.
    """
    corners, starts, radii, boxes, _, rights = parts
    dx, dy, length, need = slide
    room = 4 * len(radii)
    out = found[room : room + 4]
    f = frame_of(loop, 0)
    lane = _lane_of(f, slide, 1.0)
    count = 0
    x1 = f[0] + lane[2] + max(length * dx, 0.0)
    for k in range(first_from(rights, 1, 0, 0, len(radii), lane[3]), len(radii)):
        if boxes[4 * k] - boxes[4 * k + 2] > x1:
            break
        if _off_lane(boxes, k, f, slide, length, lane):
            continue
        b = corners[starts[k] : starts[k + 1]]
        if not slide_span(loop, b, radii[k], dx, dy, need, out):
            continue
        low, high = out[0], out[1]
        slide_span(loop, b, radii[k], dx, dy, 0.0, out)
        found[4 * count], found[4 * count + 1] = out[0], out[1]
        found[4 * count + 2], found[4 * count + 3] = low, high
        met[count] = k
        count += 1
    return count


@kernel
def comes_within(line: Floats, keep: float, parts: PackedParts, out: list[float]) -> bool:
    """Whether a segment (4) comes nearer than `keep` to any part. out: room for 4 numbers."""
    corners, starts, radii, boxes, _, rights = parts
    left, right = min(line[0], line[2]) - keep, max(line[0], line[2]) + keep
    low, high = min(line[1], line[3]) - keep, max(line[1], line[3]) + keep
    for k in range(first_from(rights, 1, 0, 0, len(radii), left), len(radii)):
        if boxes[4 * k] - boxes[4 * k + 2] > right:
            break
        if boxes[4 * k] + boxes[4 * k + 2] < left:
            continue
        if boxes[4 * k + 1] - boxes[4 * k + 3] > high or boxes[4 * k + 1] + boxes[4 * k + 3] < low:
            continue
        loop = corners[starts[k] : starts[k + 1]]
        if -lie_of_loops(line, loop, out) - radii[k] < keep:
            return True
    return False


@kernel
def first_frees(asked: Motions, parts: PackedParts, found: Contacts) -> int:
    """First contacts of free legs: fractions of them. found: with 219 numbers of scratch, and room
    for the critical places. Returns the first row whose critical places did not fit, -1 if all did.
    """
    corners, starts, radii, boxes, _, rights = parts
    loops, centres, legs, need = asked
    scratch, at, part = found
    out = scratch[219 : len(scratch)]
    room = FreeRoom(scratch[0:7], scratch[7:207], scratch[207:215], scratch[215:219], out)
    for i in range(len(centres) // 2):
        a = loops[8 * i : 8 * i + 8]
        px, py = centres[2 * i], centres[2 * i + 1]
        dx, dy = legs[3 * i], legs[3 * i + 1]
        motion = FreeMotion(px, py, dx, dy, legs[3 * i + 2])
        best, which = 1.0, -1
        reach = 0.0
        long = math.sqrt(dx * dx + dy * dy)
        for k in range(4):
            x, y = a[2 * k] - px, a[2 * k + 1] - py
            reach = max(reach, math.sqrt(x * x + y * y))
        for k in range(
            first_from(rights, 1, 0, 0, len(radii), min(px, px + dx) - reach), len(radii)
        ):
            if boxes[4 * k] - boxes[4 * k + 2] > max(px, px + dx) + reach:
                break
            if (
                boxes[4 * k] + boxes[4 * k + 2] < min(px, px + dx) - reach
                or boxes[4 * k + 1] - boxes[4 * k + 3] > max(py, py + dy) + reach
                or boxes[4 * k + 1] + boxes[4 * k + 3] < min(py, py + dy) - reach
            ):
                continue
            # How far the box of the part is off the line of the centre.
            off = abs((boxes[4 * k] - px) * dy - (boxes[4 * k + 1] - py) * dx)
            off -= boxes[4 * k + 2] * abs(dy) + boxes[4 * k + 3] * abs(dx)
            if off > (reach + LENGTH) * long:
                continue
            pair = Pair(a, corners[starts[k] : starts[k + 1]], radii[k])
            if not comes_near(pair, motion, best, reach, need, room):
                continue
            count = free_spans(pair, motion, need, 0.0, room)
            if count < 0:
                return i
            if count == 0 or out[0] > best:
                continue
            start = out[0]
            middle = 0.5 * (out[0] + out[1])
            count = free_spans(pair, motion, 0.0, middle, room)
            if count < 0:
                return i
            for j in range(count):
                if out[2 * j] <= middle <= out[2 * j + 1]:
                    start = min(start, out[2 * j])
            if start < best or (which < 0 and start <= best):
                best, which = start, k
        at[i], part[i] = best, which
    return -1
