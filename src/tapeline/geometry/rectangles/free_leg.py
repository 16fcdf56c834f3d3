"""Free legs: the centre runs straight while a rectangle turns evenly.

Whether parts overlap by more than a given depth can change only where a corner of one lies on (an
offset of) an edge line of the other, or at a given distance from a corner of a round part. With t
from 0 to 1 each of these is a root of

    p0 + p1 t + p2 t^2 + (q0 + q1 t) cos(w t) + (s0 + s1 t) sin(w t).

The second derivative has a plain bound, so Taylor's formula certifies for an interval that there is
no root, or at most one; intervals that are neither are halved. No contact is missed: what is not
excluded is kept as a candidate, and one test half-way between candidates decides each gap.

Source: isolation as in Moore, Kearfott and Cloud, Introduction to Interval Analysis, 2009.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tapeline.errors import WorkLimitError
from tapeline.geometry.backends import Floats, blank, chosen, entry, floats, functions, kernel
from tapeline.geometry.epsilons import BESIDE, LENGTH, NARROW_LEG, ROUNDING, STRETCH
from tapeline.geometry.plane.checks import checked_turn
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Point,
    Rect,
    Region,
    Shape,
    corners_by_side,
    parts_of,
)
from tapeline.geometry.rectangles.separating_axis import (
    Pair,
    depth_of_parts,
    loops_part,
    normal_of_side,
    turn_loop,
    unit_vector,
)
from tapeline.geometry.rectangles.slide import Contact, Edge, contact_of, widened
from tapeline.geometry.rectangles.slide_spans import Span, merge_spans
from tapeline.geometry.rectangles.turn import pairs_near, put_span, sort_up, turned

__all__ = [
    "Free",
    "FreeMotion",
    "FreeRoom",
    "comes_near",
    "free_leg",
    "free_leg_to_border",
    "free_roots",
    "free_spans",
]


@dataclass(frozen=True, slots=True)
class Free:
    """A free leg against one feature; spans and contact in fractions of the leg, 0 to 1."""

    spans: tuple[Span, ...]
    contact: Contact | None


class FreeMotion(NamedTuple):
    """A free leg: the centre p runs by (dx, dy) while all turns about it evenly by w, radians."""

    px: float
    py: float
    dx: float
    dy: float
    w: float


#: A side of a loop: where it starts, its unit direction, its length.
_Side: TypeAlias = tuple[float, float, float, float, float]


class FreeRoom(NamedTuple):
    """Scratch of `free_spans` and `comes_near`: 7 coefficients, 200 numbers, exactly as many as the
    moving loop has, 4 numbers; and the answer, as long as it may get."""

    f: list[float]
    stack: list[float]
    work: list[float]
    four: list[float]
    out: list[float]


def _room(part: Part, size: int, compiled: bool) -> FreeRoom:
    return FreeRoom(*(blank(count, compiled) for count in (7, 200, len(part.loop), 4, size)))


@kernel
def free_roots(f: Floats, w: float, stack: list[float], count: int, out: list[float]) -> int:
    """Add every root in [0, 1] of the function with coefficients f to `out` from index `count`.

    f: p0, p1, p2, q0, q1, s0, s1. stack: 200 numbers. Returns the new count, -1 when `out` is full.
    Roots that cannot be told apart from a double one come as points no farther than 1e-8.
    """
    p0, p1, p2, q0, q1, s0, s1 = f[0], f[1], f[2], f[3], f[4], f[5], f[6]
    q = max(abs(q0), abs(q0 + q1))
    s = max(abs(s0), abs(s0 + s1))
    bend_c, bend_s = 2.0 * abs(w * s1) + w * w * q, 2.0 * abs(w * q1) + w * w * s
    bend = 2.0 * abs(p2) + math.sqrt(bend_c * bend_c + bend_s * bend_s)
    noise = ROUNDING * (1.0 + abs(p0) + abs(p1) + abs(p2) + q + s)
    stack[0], stack[1] = 0.0, 1.0
    depth = 1
    while depth > 0:
        depth -= 1
        lo, hi = stack[2 * depth], stack[2 * depth + 1]
        mid = 0.5 * (lo + hi)
        half = 0.5 * (hi - lo)
        c, n = math.cos(w * mid), math.sin(w * mid)
        big_q, big_s = q0 + q1 * mid, s0 + s1 * mid
        value = p0 + (p1 + p2 * mid) * mid + big_q * c + big_s * n
        slope = p1 + 2.0 * p2 * mid + (q1 + w * big_s) * c + (s1 - w * big_q) * n
        if abs(value) > abs(slope) * half + 0.5 * bend * half * half + noise:
            continue
        x = mid
        single = abs(slope) > bend * half
        if single:
            f_lo = p0 + (p1 + p2 * lo) * lo
            f_lo += (q0 + q1 * lo) * math.cos(w * lo) + (s0 + s1 * lo) * math.sin(w * lo)
            f_hi = p0 + (p1 + p2 * hi) * hi
            f_hi += (q0 + q1 * hi) * math.cos(w * hi) + (s0 + s1 * hi) * math.sin(w * hi)
            if (f_lo > 0.0 and f_hi > 0.0) or (f_lo < 0.0 and f_hi < 0.0):
                continue
            # Newton's steps, kept inside the bracket by halving.
            rising = f_hi > f_lo
            for _ in range(80):
                c, n = math.cos(w * x), math.sin(w * x)
                big_q, big_s = q0 + q1 * x, s0 + s1 * x
                value = p0 + (p1 + p2 * x) * x + big_q * c + big_s * n
                if value == 0.0:
                    break
                if (value > 0.0) == rising:
                    hi = x
                else:
                    lo = x
                slope = p1 + 2.0 * p2 * x + (q1 + w * big_s) * c + (s1 - w * big_q) * n
                step = x
                if slope != 0.0:
                    step = x - value / slope
                if step <= lo or step >= hi:
                    step = 0.5 * (lo + hi)
                if step == x:
                    break
                x = step
        if single or hi - lo < NARROW_LEG:
            if count >= len(out):
                return -1
            out[count] = x
            count += 1
            continue
        stack[2 * depth], stack[2 * depth + 1] = mid, hi
        stack[2 * depth + 2], stack[2 * depth + 3] = lo, mid
        depth += 2
    return count


@kernel
def _beside_side(
    out: list[float], first: int, count: int, motion: FreeMotion, corner: Point, side: _Side
) -> int:
    """Of the fractions from `first` on keep those at which a corner that moves lies beside a side,
    not beyond its ends, where it changes nothing. Returns the new count.

    corner: from p; side: its start from p, its unit direction, its length.
    """
    kept = first
    for k in range(first, count):
        t = out[k]
        c, n = math.cos(motion.w * t), math.sin(motion.w * t)
        x = c * corner[0] - n * corner[1] + motion.dx * t - side[0]
        y = n * corner[0] + c * corner[1] + motion.dy * t - side[1]
        if -BESIDE <= side[2] * x + side[3] * y <= side[4] + BESIDE:
            out[kept] = t
            kept += 1
    return kept


@kernel
def _outermost(
    out: list[float], first: int, count: int, w: float, loop: Floats, j: int, normal: Point
) -> int:
    """Of the fractions from `first` on keep those at which corner j of a loop is the one that lies
    farthest against a normal that turns by w; another changes nothing. Returns the new count."""
    last = len(loop) // 2 - 1
    before = j - 1 if j > 0 else last
    after = j + 1 if j < last else 0
    kept = first
    for k in range(first, count):
        t = out[k]
        c, n = math.cos(w * t), math.sin(w * t)
        x, y = c * normal[0] - n * normal[1], n * normal[0] + c * normal[1]
        least = x * loop[2 * j] + y * loop[2 * j + 1] - BESIDE
        if (
            x * loop[2 * before] + y * loop[2 * before + 1] >= least
            and x * loop[2 * after] + y * loop[2 * after + 1] >= least
        ):
            out[kept] = t
            kept += 1
    return kept


@entry()
def free_spans(pair: Pair, motion: FreeMotion, need: float, place: float, room: FreeRoom) -> int:
    """Fractions of a free leg at which loop `a` overlaps loop `b` by more than `need`.

    Returns the number of spans, out[2i],
    out[2i + 1], or -1 when the room for them is too small. place: who wants no more than the first
    span that goes on beyond that fraction gives it, and gets the spans up to there, the last of
    them only as far as it was followed; others give 2.
    """
    (a, b, radius), (px, py, dx, dy, w), (f, stack, work, four, out) = pair, motion, room
    na, nb = len(a) // 2, len(b) // 2
    inset = need - radius
    count = 0
    # A corner of `a` on an edge line of `b`.
    for j in range(nb if nb > 1 else 0):
        j2 = j + 1 if j + 1 < nb else 0
        ex, ey = b[2 * j2] - b[2 * j], b[2 * j2 + 1] - b[2 * j + 1]
        length = math.sqrt(ex * ex + ey * ey)
        nx, ny = ey / length, -ex / length
        h = nx * (b[2 * j] - px) + ny * (b[2 * j + 1] - py) - inset
        for i in range(na):
            x, y = a[2 * i] - px, a[2 * i + 1] - py
            f[0], f[1], f[2], f[3] = -h, nx * dx + ny * dy, 0.0, nx * x + ny * y
            f[4], f[5], f[6] = 0.0, ny * x - nx * y, 0.0
            first = count
            count = free_roots(f, w, stack, count, out)
            if count < 0:
                return -1
            if need >= 0.0:
                side = (b[2 * j] - px, b[2 * j + 1] - py, -ny, nx, length)
                count = _beside_side(out, first, count, motion, (x, y), side)
    # A corner of `b` on an edge line of `a`.
    for i in range(na if na > 1 else 0):
        nx, ny = normal_of_side(a, i)
        o = nx * (a[2 * i] - px) + ny * (a[2 * i + 1] - py) - inset
        for j in range(nb):
            x, y = b[2 * j] - px, b[2 * j + 1] - py
            f[0], f[1], f[2], f[3] = -o, 0.0, 0.0, nx * x + ny * y
            f[4], f[5], f[6] = -(nx * dx + ny * dy), nx * y - ny * x, -(nx * dy - ny * dx)
            first = count
            count = free_roots(f, w, stack, count, out)
            if count < 0:
                return -1
            if need >= 0.0:
                count = _outermost(out, first, count, w, b, j, (nx, ny))
    # Corners at a distance.
    if inset < 0.0:
        for i in range(na):
            x, y = a[2 * i] - px, a[2 * i + 1] - py
            for j in range(nb):
                u, v = px - b[2 * j], py - b[2 * j + 1]
                f[0], f[1] = u * u + v * v + x * x + y * y - inset * inset, 2.0 * (u * dx + v * dy)
                f[2], f[3] = dx * dx + dy * dy, 2.0 * (u * x + v * y)
                f[4], f[5] = 2.0 * (dx * x + dy * y), 2.0 * (v * x - u * y)
                f[6] = 2.0 * (dy * x - dx * y)
                count = free_roots(f, w, stack, count, out)
                if count < 0:
                    return -1
    if count + 2 > len(out):
        return -1
    sort_up(out, count)
    found, before, open_at = 0, 0.0, -1.0
    for i in range(count + 1):
        after = out[i] if i < count else 1.0
        if after - before > STRETCH:
            t = 0.5 * (before + after)
            turn_loop(a, px, py, math.cos(w * t), math.sin(w * t), dx * t, dy * t, work)
            # Most are clear on some axis; of what is hardly so the depth decides.
            deep = not loops_part(work, b, inset - LENGTH)
            if deep:
                deep = depth_of_parts(work, b, radius, four) > need
            if deep and open_at < 0.0:
                open_at = before
            if not deep and open_at >= 0.0:
                found = put_span(out, found, open_at, before)
                open_at = -1.0
            before = after
            if deep and after > place:
                break
    if open_at < 0.0:
        return found
    return put_span(out, found, open_at, before if before > place else 1.0)


def _spans(a: Part, b: Part, motion: FreeMotion, need: float) -> list[tuple[float, float]]:
    size, backend = 256, chosen()
    pair = Pair(floats(a.loop, backend), floats(b.loop, backend), a.radius + b.radius)
    while size <= 1 << 16:
        room = _room(a, size, backend)
        count = functions(backend).free_spans(pair, motion, need, 2.0, room)
        if count >= 0:
            return [(float(room.out[2 * i]), float(room.out[2 * i + 1])) for i in range(count)]
        size *= 8
    raise WorkLimitError("free leg: more than 65536 critical places; split the leg")


@entry()
def comes_near(
    pair: Pair, motion: FreeMotion, limit: float, reach: float, need: float, room: FreeRoom
) -> bool:
    """False only if a free leg keeps `a` off `b` up to the fraction `limit`.

    reach: the farthest of `a` from the centre. No point moves faster than `speed`, so a gap at the
    middle of an interval clears all of it that is no farther away than the gap lasts.
    """
    (a, b, radius), (px, py, dx, dy, w) = pair, motion
    stack, work, four = room.stack, room.work, room.four
    speed = math.sqrt(dx * dx + dy * dy) + abs(w) * reach
    stack[0], stack[1] = 0.0, limit
    depth = 1
    while depth > 0:
        depth -= 1
        lo, hi = stack[2 * depth], stack[2 * depth + 1]
        t = 0.5 * (lo + hi)
        turn_loop(a, px, py, math.cos(w * t), math.sin(w * t), dx * t, dy * t, work)
        far = 0.5 * speed * (hi - lo)
        if loops_part(work, b, -far - radius):
            continue
        gap = -depth_of_parts(work, b, radius, four)
        if gap > far:
            continue
        if gap < -need or hi - lo < 0.02:
            return True
        stack[2 * depth], stack[2 * depth + 1] = t, hi
        stack[2 * depth + 2], stack[2 * depth + 3] = lo, t
        depth += 2
    return False


def _check(centre: Point, shift: Point, angle: float) -> None:
    checked_turn((*centre, *shift), angle, "free leg")


def free_leg(
    mover: Shape,
    feature: Region | Rect,
    centre: Point,
    shift: Point,
    angle: float,
    depth: float = LENGTH,
) -> Free:
    """A rectangle (or a block of them) whose centre runs by `shift` while it turns by `angle`.

    centre: the point that runs straight and that is turned about. depth: overlap that is still a
    touch. Raises ShapeError on numbers that are not finite. Error
    <= 1e-9 while |coordinate| <= 200.

    >>> f = free_leg(Rect(0, 0, 0, 2, 2), Rect(5, 0, 0, 9, 2), (0, 0), (5, 0), math.pi / 2)
    >>> t = f.contact.at  # the corner that starts at -45 degrees reaches x = 4
    >>> round(5 * t + math.sqrt(2) * math.cos(math.pi / 2 * t - math.pi / 4), 9)
    4.0
    """
    _check(centre, shift, angle)
    movers, parts = parts_of(mover), parts_of(feature)
    motion, backend = FreeMotion(*centre, *shift, angle), chosen()
    goal = (centre[0] + shift[0], centre[1] + shift[1])
    meets = functions(backend).comes_near
    deep: list[tuple[float, float, int, int]] = []
    for i, j, reach in pairs_near(movers, parts, centre, goal):
        a, b = movers[i], parts[j]
        pair = Pair(floats(a.loop, backend), floats(b.loop, backend), a.radius + b.radius)
        if depth >= 0.0 and not meets(pair, motion, 1.0, reach, depth, _room(a, 0, backend)):
            continue
        strict = _spans(a, b, motion, depth)
        if strict:
            wide = _spans(a, b, motion, 0.0)
            deep.extend((*span[:2], i, j) for span in widened(strict, wide))
    spans = merge_spans([(d[0], d[1]) for d in deep], ROUNDING)
    if not spans:
        return Free((), None)
    at = spans[0].start
    pairs = [(d[2], d[3]) for d in deep if d[0] <= at + LENGTH]
    then = (shift[0] * at, shift[1] * at)
    contact = contact_of(
        at, lambda part: turned(part, centre, angle * at, then), movers, parts, pairs
    )
    return Free(tuple(spans), contact)


def free_leg_to_border(
    mover: Rect | Sequence[Rect],
    centre: Point,
    shift: Point,
    angle: float,
    width: float,
    depth: float,
    within: float = LENGTH,
) -> Edge | None:
    """Where a free leg first takes a corner beyond the border of the table 0..width x 0..depth.

    within: how far beyond is still on the border. `at` of the answer is a fraction of the leg.
    None: the leg stays on the table.
    """
    _check(centre, shift, angle)
    best: Edge | None = None
    stack = [0.0] * 200
    for (side, nx, ny, far), rect, corner, (cx, cy) in corners_by_side(mover, width, depth):
        base = nx * centre[0] + ny * centre[1] - far
        along = nx * shift[0] + ny * shift[1]
        x, y = cx - centre[0], cy - centre[1]
        q, s = nx * x + ny * y, ny * x - nx * y
        stops = [0.0, 1.0]
        for level in (0.0, within):
            out = [0.0] * 64
            count = free_roots([base - level, along, 0.0, q, 0.0, s, 0.0], angle, stack, 0, out)
            if count < 0:
                raise WorkLimitError("free leg: too many turns; split the leg")
            stops.extend(out[:count])
        stops.sort()
        start = None
        for t0, t1 in itertools.pairwise(stops):
            if t1 - t0 <= STRETCH:
                continue
            t = 0.5 * (t0 + t1)
            value = base + along * t + q * math.cos(angle * t) + s * math.sin(angle * t)
            if value > within:
                at = t0 if start is None else start
                if best is None or at < best.at:
                    c, n = unit_vector(angle * at)
                    px, py = centre[0] + shift[0] * at, centre[1] + shift[1] * at
                    point = (px + c * x - n * y, py + n * x + c * y)
                    best = Edge(at, side, point, rect, corner)
                break
            start = (t0 if start is None else start) if value > 0.0 else None
    return best
