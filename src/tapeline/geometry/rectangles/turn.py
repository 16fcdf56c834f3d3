"""Turning: rectangles turned about any point, when they overlap something and when they meet it.

While a convex part turns, whether it overlaps another by more than a given depth can change only at
angles where a corner of one lies on (an offset of) an edge line of the other, or at a given
distance from a corner of a round part. All of them are arc cosines. Between neighbouring ones the
answer is constant, so one test half-way decides each gap.

Angles in radians; those in answers count from the start of the turn and are never signed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tapeline.geometry.backends import Floats, chosen, entry, floats, functions, kernel, room
from tapeline.geometry.epsilons import LENGTH, STRETCH
from tapeline.geometry.plane.checks import checked_turn
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.plane.legs import Line, box_of
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
    normal_of_side,
    turn_loop,
    unit_vector,
)
from tapeline.geometry.rectangles.slide import Contact, Edge, contact_of, widened
from tapeline.geometry.rectangles.slide_spans import Span, join_overlaps

__all__ = [
    "Turn",
    "TurnRoom",
    "Turning",
    "pairs_near",
    "put_span",
    "sort_up",
    "turn",
    "turn_spans",
    "turn_to_border",
    "turned",
]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn against one feature.

    spans: the angles between which the two overlap, of overlaps that get deeper than the tolerance,
    joined over the parts where the mover is never clear of all, cut to the turn.
    contact: where the turn first enters the feature, None if it never does or only grazes.
    """

    spans: tuple[Span, ...]
    contact: Contact | None


class Turning(NamedTuple):
    """A turn: the point turned about, 1 counter-clockwise or -1 clockwise, how far."""

    px: float
    py: float
    sense: float
    limit: float


class TurnRoom(NamedTuple):
    """What a kernel of turns works with: a loop, 4 numbers; and the answer, as long as it says."""

    work: list[float]
    four: list[float]
    out: list[float]


@kernel
def _push_angles(offset: float, ratio: float, limit: float, count: int, out: list[float]) -> int:
    """Add offset +- arccos(ratio), wrapped into (0, limit); returns the new count."""
    if ratio > 1.0 or ratio < -1.0:
        return count
    spread = math.acos(ratio)
    for which in range(2):
        angle = offset + spread if which == 0 else offset - spread
        angle -= 2.0 * math.pi * math.floor(angle / (2.0 * math.pi))
        while angle < limit:
            if angle > 0.0:
                out[count] = angle
                count += 1
            angle += 2.0 * math.pi
    return count


@kernel
def _edge_angles(
    a: Floats, b: Floats, turn: Turning, sense: float, need: float, count: int, out: list[float]
) -> int:
    """Angles at which a corner of `b`, turning in a sense, reaches an edge line of the fixed `a`.

    The edge lines are moved inward by `need`.
    """
    px, py, _, limit = turn
    na, nb = len(a) // 2, len(b) // 2
    for i in range(na if na > 1 else 0):
        nx, ny = normal_of_side(a, i)
        if nx == 0.0 and ny == 0.0:
            continue
        h = nx * (a[2 * i] - px) + ny * (a[2 * i + 1] - py) - need
        normal = math.atan2(ny, nx)
        for k in range(nb):
            x, y = b[2 * k] - px, b[2 * k + 1] - py
            rho = math.sqrt(x * x + y * y)
            if rho > 0.0:
                offset = sense * (normal - math.atan2(y, x))
                count = _push_angles(offset, h / rho, limit, count, out)
    return count


@kernel
def sort_up(values: list[float], count: int) -> None:
    """Sort the first so many numbers, by insertion: they are a few dozen."""
    for i in range(1, count):
        key = values[i]
        k = i - 1
        while k >= 0 and values[k] > key:
            values[k + 1] = values[k]
            k -= 1
        values[k + 1] = key


@kernel
def put_span(out: list[float], found: int, start: float, end: float) -> int:
    """Write a span behind so many others; how many there are then."""
    out[2 * found], out[2 * found + 1] = start, end
    return found + 1


@entry()
def turn_spans(pair: Pair, turn: Turning, need: float, room: TurnRoom) -> int:
    """Intervals of the angle in [0, limit] at which the turned `a` overlaps `b` by more than need.

    Room for work: as many numbers as `a` has; for the answer: as `room_of` says. Returns the number
    of intervals; they are out[2i], out[2i + 1], in order, disjoint.
    """
    (a, b, radius), (px, py, sense, limit), (work, four, out) = pair, turn, room
    na, nb = len(a) // 2, len(b) // 2
    inset = need - radius
    count = _edge_angles(b, a, turn, sense, inset, 0, out)
    count = _edge_angles(a, b, turn, -sense, inset, count, out)
    if inset < 0.0:
        for i in range(na):
            x, y = a[2 * i] - px, a[2 * i + 1] - py
            rho = math.sqrt(x * x + y * y)
            if rho == 0.0:
                continue
            for j in range(nb):
                u, v = b[2 * j] - px, b[2 * j + 1] - py
                sigma = math.sqrt(u * u + v * v)
                if sigma > 0.0:
                    ratio = (rho * rho + sigma * sigma - inset * inset) / (2.0 * rho * sigma)
                    offset = sense * (math.atan2(v, u) - math.atan2(y, x))
                    count = _push_angles(offset, ratio, limit, count, out)
    sort_up(out, count)
    # Angles closer than rounding are one. Intervals are written behind the angles still to be read.
    found, before, open_at = 0, 0.0, -1.0
    for i in range(count + 1):
        after = out[i] if i < count else limit
        if after - before > STRETCH:
            half = sense * 0.5 * (before + after)
            turn_loop(a, px, py, math.cos(half), math.sin(half), 0.0, 0.0, work)
            deep = depth_of_parts(work, b, radius, four) > need
            if deep and open_at < 0.0:
                open_at = before
            if not deep and open_at >= 0.0:
                found = put_span(out, found, open_at, before)
                open_at = -1.0
            before = after
        elif i == count:
            before = after
    return put_span(out, found, open_at, limit) if open_at >= 0.0 else found


def room_of(na: int, nb: int, limit: float) -> int:
    """How many numbers `turn_spans` may write for loops of na and nb corners."""
    return 2 * (3 * na * nb + 4) * (2 + math.ceil(limit / (2.0 * math.pi)))


def turned(part: Part, pivot: Point, angle: float, shift: Point = (0.0, 0.0)) -> Part:
    """A part turned about a point, then shifted."""
    loop = [0.0] * len(part.loop)
    turn_loop(part.loop, *pivot, *unit_vector(angle), *shift, loop)
    return Part(tuple(loop), part.radius)


def _spans(a: Part, b: Part, pivot: Point, angle: float, need: float) -> list[tuple[float, float]]:
    """Angles from the start at which `a`, turned about the pivot, is deeper than need in `b`."""
    limit, backend = abs(angle), chosen()
    loop, other = floats(a.loop, backend), floats(b.loop, backend)
    size = room_of(len(loop) // 2, len(other) // 2, limit)
    scratch = room(backend, TurnRoom, len(loop), 4, size)
    turning = Turning(float(pivot[0]), float(pivot[1]), 1.0 if angle >= 0.0 else -1.0, limit)
    pair = Pair(loop, other, a.radius + b.radius)
    count = functions(backend).turn_spans(pair, turning, need, scratch)
    return [(float(scratch.out[2 * i]), float(scratch.out[2 * i + 1])) for i in range(count)]


def pairs_near(
    movers: Sequence[Part], parts: Sequence[Part], p: Point, q: Point
) -> Iterator[tuple[int, int, float]]:
    """Pairs of parts that may meet while a mover turns about a point that goes from p to q.

    Their indices, and how far from p the mover's part reaches.
    """
    way = box_of(Line(*p, *q))
    for i, a in enumerate(movers):
        loop = a.loop
        reach = a.radius + max(
            math.hypot(loop[k] - p[0], loop[k + 1] - p[1]) for k in range(0, len(loop), 2)
        )
        for j, b in enumerate(parts):
            xs, ys, r = b.loop[::2], b.loop[1::2], b.radius + reach
            box = (min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r)
            if boxes_meet(box, way):
                yield i, j, reach


def turn(
    mover: Shape, feature: Region | Rect, pivot: Point, angle: float, depth: float = LENGTH
) -> Turn:
    """Turn a rectangle (or a block of them) about a point by a signed angle against one feature.

    depth: overlap that is still a touch. Raises ShapeError on numbers that are not finite.
    Error <= 1e-9 while |coordinate| <= 200.

    >>> t = turn(Rect(10, 10, 0, 4, 2), Rect(13, 10, 0, 4, 2), (10, 10), math.radians(60))
    >>> round(math.degrees(t.contact.at), 6), t.contact.point
    (36.869898, (12.0, 9.0))
    """
    checked_turn(pivot, angle, "turn")
    movers, parts = parts_of(mover), parts_of(feature)
    deep: list[tuple[float, float, float, float, int, int]] = []
    for i, j, _ in pairs_near(movers, parts, pivot, pivot):
        strict = _spans(movers[i], parts[j], pivot, angle, depth)
        if strict:
            wide = _spans(movers[i], parts[j], pivot, angle, 0.0)
            deep.extend((*span, i, j) for span in widened(strict, wide))
    spans = join_overlaps([d[:4] for d in deep])
    if not spans:
        return Turn((), None)
    at = spans[0].start
    signed = at if angle >= 0.0 else -at
    pairs = [(d[4], d[5]) for d in deep if d[0] <= at + LENGTH]
    contact = contact_of(at, lambda part: turned(part, pivot, signed), movers, parts, pairs)
    return Turn(tuple(spans), contact)


def turn_to_border(
    mover: Rect | Sequence[Rect],
    pivot: Point,
    angle: float,
    width: float,
    depth: float,
    within: float = LENGTH,
) -> Edge | None:
    """Where a turn first takes a corner beyond the border of the table 0..width x 0..depth.

    within: how far beyond is still on the border. None: the turn stays on the table.

    >>> e = turn_to_border(Rect(46.5, 18, 0, 4, 2), (46.5, 18), math.radians(90), 48, 36)
    >>> e.side, round(math.degrees(e.at), 6)
    ('right', 15.565364)
    """
    limit, sense = abs(angle), (1.0 if angle >= 0.0 else -1.0)
    best: Edge | None = None
    for (side, nx, ny, far), rect, corner, (x, y) in corners_by_side(mover, width, depth):
        h = far - nx * pivot[0] - ny * pivot[1]
        rx, ry = x - pivot[0], y - pivot[1]
        rho = math.hypot(rx, ry)
        at = math.inf
        if nx * rx + ny * ry - h > within:
            at = 0.0
        elif rho > 0.0 and (h + within) / rho < 1.0:
            start = sense * (math.atan2(ny, nx) - math.atan2(ry, rx))
            deep = math.acos(max(-1.0, (h + within) / rho))
            enter = (start - deep) % (2.0 * math.pi)
            if enter < limit:
                at = max(0.0, enter - (math.acos(max(-1.0, h / rho)) - deep))
        if at < limit and (best is None or at < best.at):
            ca, sa = unit_vector(sense * at)
            point = (pivot[0] + ca * rx - sa * ry, pivot[1] + sa * rx + ca * ry)
            best = Edge(at, side, point, rect, corner)
    return best
