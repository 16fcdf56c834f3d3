"""Sliding: rectangles shifted along a direction, when they overlap something and when they meet it.

For convex parts the shifts at which they overlap form one open interval: on every separating axis
they overlap between two shifts, and the interval is what all axes have in common. Corners against
round parts give the two roots of a quadratic. Everything is closed form.

The tolerance of a rule comes from the caller as `depth`: an overlap of at most that much is a
touch, and a slide that never overlaps by more only grazes. Times given are those at which the
shapes themselves meet, not those at which the tolerance is used up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.errors import ShapeError
from tapeline.geometry.backends import (
    blank,
    chosen,
    entry,
    floats,
    functions,
    kernel,
    no_refcount,
)
from tapeline.geometry.epsilons import LENGTH, PARALLEL, ROUNDING, SAME_DIRECTION, STRETCH
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Point,
    Rect,
    Region,
    Shape,
    contact_ends,
    parts_of,
    table_sides,
)
from tapeline.geometry.rectangles.separating_axis import extent, normal_of_side

__all__ = [
    "Contact",
    "Edge",
    "Slide",
    "Span",
    "contact_of",
    "entered_spans",
    "free_stretches",
    "join_overlaps",
    "merge_spans",
    "slide",
    "slide_into",
    "slide_span",
    "slide_to_border",
    "widened",
]

#: Indices of a part of the mover and of one of what it meets.
Pairs: TypeAlias = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Span:
    """An open interval of a motion during which two shapes overlap.

    start, stop: where the overlap begins and ends, in the motion's own measure (length of a slide,
    angle of a turn, both from the start of the motion and never signed). A start of at most 0 on a
    slide says that they overlap already.
    """

    start: float
    stop: float


@dataclass(frozen=True, slots=True)
class Contact:
    """Where a motion first meets a shape.

    at: length slid or angle turned. ends: the two ends of the contact (equal when it is one
    point). point: its middle. mover, part: indices of the two parts that meet.
    """

    at: float
    point: Point
    ends: tuple[Point, Point]
    mover: int
    part: int


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide against one feature.

    spans: when the two overlap deeper than the tolerance, merged over the parts, in order, not cut
    to the length of the slide.
    contact: where the slide first enters the feature; None if it never does, or only grazes.
    touch: where closed shapes first come to meet ahead, entering or grazing; what they already
    touch and slide along at the start does not count.
    """

    spans: tuple[Span, ...]
    contact: Contact | None
    touch: Contact | None


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a motion is stopped by the border of the table.

    at: length slid or angle turned when the corner reaches the border and goes beyond next.
    """

    at: float
    side: str
    point: Point
    rect: int
    corner: int


@kernel
@no_refcount
def _axis_span(
    a: Sequence[float],
    b: Sequence[float],
    nx: float,
    ny: float,
    k: float,
    need: float,
    lo: float,
    hi: float,
    out: MutableSequence[float],
) -> None:
    """Cut (lo, hi) to the shifts at which a and b overlap by more than `need` along n."""
    a0, a1 = extent(a, nx, ny)
    b0, b1 = extent(b, nx, ny)
    if abs(k) < PARALLEL:
        if a1 - b0 <= need or b1 - a0 <= need:
            lo = math.inf
            hi = -math.inf
    else:
        s0 = (b0 + need - a1) / k
        s1 = (b1 - need - a0) / k
        if k < 0.0:
            s0, s1 = s1, s0
        if s0 > lo:
            lo = s0
        if s1 < hi:
            hi = s1
    out[0] = lo
    out[1] = hi


@kernel
@no_refcount
def _opposite_parallel(loop: Sequence[float]) -> bool:
    """Whether a loop of four is a parallelogram to the last bit: two of its axes say it all."""
    return loop[2] - loop[0] == loop[4] - loop[6] and loop[3] - loop[1] == loop[5] - loop[7]


@kernel
@no_refcount
def _cores_span(
    a: Sequence[float],
    b: Sequence[float],
    dx: float,
    dy: float,
    need: float,
    out: MutableSequence[float],
) -> None:
    """Shifts of a along (dx, dy) at which the loops overlap by more than `need` on every axis."""
    # What is not in the lane of the slide is never met: one axis instead of all.
    _axis_span(a, b, dy, -dx, 0.0, need, -math.inf, math.inf, out)
    lo = out[0]
    hi = out[1]
    if lo >= hi:
        return
    for which in range(2):
        n = len(a if which == 0 else b) // 2
        sides = n if n > 2 else n - 1
        if n == 4 and _opposite_parallel(a if which == 0 else b):
            sides = 2
        for i in range(sides):
            nx, ny = normal_of_side(a if which == 0 else b, i)
            if nx == 0.0 and ny == 0.0:
                continue
            _axis_span(a, b, nx, ny, nx * dx + ny * dy, need, lo, hi, out)
            lo = out[0]
            hi = out[1]
            if lo >= hi:
                return


@entry()
@no_refcount
def slide_span(
    a: Sequence[float],
    b: Sequence[float],
    radius: float,
    dx: float,
    dy: float,
    need: float,
    out: MutableSequence[float],
) -> bool:
    """The open interval of shifts of `a` along the unit vector (dx, dy) that overlap `b`.

    a, b: convex loops; radius: sum of the radii they are grown by; need: overlap that is still no
    overlap (negative: a gap that still counts as one). out[0:2]: the interval. False if none.
    """
    grown = radius - need
    if grown <= 0.0:
        _cores_span(a, b, dx, dy, -grown, out)
        return out[0] < out[1]
    # What even the cores, so far apart on every axis, do not meet is never met.
    _cores_span(a, b, dx, dy, -grown - LENGTH, out)
    if out[0] >= out[1]:
        out[0] = math.inf
        out[1] = -math.inf
        return False
    # The shifts form a ray against the Minkowski sum grown by a disc: corners, sides, core.
    _cores_span(a, b, dx, dy, 0.0, out)
    lo = out[0]
    hi = out[1]
    if lo >= hi:
        lo = math.inf
        hi = -math.inf
    na = len(a) // 2
    nb = len(b) // 2
    for i in range(na):
        i2 = i + 1 if i + 1 < na else 0
        for j in range(nb):
            j2 = j + 1 if j + 1 < nb else 0
            qx = b[2 * j] - a[2 * i]
            qy = b[2 * j + 1] - a[2 * i + 1]
            along = qx * dx + qy * dy
            across = qx * dy - qy * dx
            root = grown * grown - across * across
            if root > 0.0:
                root = math.sqrt(root)
                if along - root < lo:
                    lo = along - root
                if along + root > hi:
                    hi = along + root
            for which in range(2):
                # Sides of the sum that start at this corner: an edge of one, a corner of the other.
                if which == 0:
                    ex = a[2 * i] - a[2 * i2]
                    ey = a[2 * i + 1] - a[2 * i2 + 1]
                else:
                    ex = b[2 * j2] - b[2 * j]
                    ey = b[2 * j2 + 1] - b[2 * j + 1]
                length = math.sqrt(ex * ex + ey * ey)
                if length == 0.0:
                    continue
                ex /= length
                ey /= length
                # The slab: 0..length along e, within `grown` of the side.
                ke = ex * dx + ey * dy
                kn = ex * dy - ey * dx
                pe = ex * qx + ey * qy
                pn = ex * qy - ey * qx
                s0 = -math.inf
                s1 = math.inf
                if abs(ke) < PARALLEL:
                    if pe >= 0.0 or pe + length <= 0.0:
                        continue
                else:
                    u0 = pe / ke
                    u1 = (pe + length) / ke
                    s0 = min(u0, u1)
                    s1 = max(u0, u1)
                if abs(kn) < PARALLEL:
                    if abs(pn) >= grown:
                        continue
                else:
                    u0 = (pn - grown) / kn
                    u1 = (pn + grown) / kn
                    s0 = max(s0, min(u0, u1))
                    s1 = min(s1, max(u0, u1))
                if s0 < s1:
                    if s0 < lo:
                        lo = s0
                    if s1 > hi:
                        hi = s1
    out[0] = lo
    out[1] = hi
    return lo < hi


def merge_spans(spans: Sequence[tuple[float, float]], slack: float = 0.0) -> list[Span]:
    """The union of intervals as disjoint spans in order; closer than `slack` counts as joined."""
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1].stop + slack:
            if stop > merged[-1].stop:
                merged[-1] = Span(merged[-1].start, stop)
        else:
            merged.append(Span(start, stop))
    return merged


def free_stretches(
    spans: Sequence[tuple[float, float]], low: float, high: float, slack: float
) -> Iterator[tuple[float, float]]:
    """The stretches from low to high that no span covers, in order; their ends are free.

    Spans that run into each other by no more than two slacks, and a limit that a span runs beyond
    by no more, leave room for an exact fit: a stretch of no length.

    >>> list(free_stretches([(0.0, 2.0), (2.0000001, 3.0)], 1.0, 4.0, 1e-6))
    [(2.0, 2.0000001), (3.0, 4.0)]
    >>> list(free_stretches([(0.0, 2.0), (1.5, 3.0)], 1.0, 3.0, 1e-6))
    [(3.0, 3.0)]
    """
    taken = [(a + slack, b - slack) for a, b in spans if b - a > 2.0 * slack]
    stop = -math.inf
    for span in (*merge_spans(taken), Span(math.inf, math.inf)):
        a, b = max(stop, low), min(span.start - slack, high)
        if a <= b:
            yield a, b
        elif a <= b + 2.0 * slack:
            middle = min(max(0.5 * (a + b), low), high)
            yield middle, middle
        stop = span.stop + slack


def join_overlaps(found: Sequence[tuple[float, float, float, float]]) -> list[Span]:
    """The overlaps of a motion with the parts of one feature, as disjoint spans in order.

    found: start and stop of each, then those of its stretch deeper than the tolerance. Two are one
    where their deep stretches meet; if not, the mover is clear of both between, if only for an
    instant.

    >>> join_overlaps([(1.0, 3.0, 1.1, 2.9), (2.0, 5.0, 2.1, 4.9), (5.0, 6.0, 5.1, 5.9)])
    [Span(start=1.0, stop=5.0), Span(start=5.0, stop=6.0)]
    """
    joined: list[Span] = []
    deep = -math.inf
    for deep_start, deep_stop, start, stop in sorted((d0, d1, s0, s1) for s0, s1, d0, d1 in found):
        if joined and deep_start <= deep + ROUNDING:
            last = joined[-1]
            joined[-1] = Span(min(last.start, start), max(last.stop, stop))
        else:
            joined.append(Span(start, stop))
        deep = max(deep, deep_stop)
    return joined


def _direction(direction: Point, distance: float) -> Point:
    dx, dy = direction
    checked((dx, dy, distance), "slide")
    length = math.hypot(dx, dy)
    if length == 0.0:
        raise ShapeError(f"slide: direction {direction!r} and distance {distance!r} give no line")
    if distance < 0.0:
        raise ShapeError(f"slide: distance {distance} is negative")
    if dx == 0.0 or dy == 0.0:
        return (math.copysign(1.0, dx) if dx else 0.0, math.copysign(1.0, dy) if dy else 0.0)
    if abs(length - 1.0) <= 4e-16:
        return (dx, dy)
    return (dx / length, dy / length)


def _shifted(part: Part, dx: float, dy: float) -> Part:
    return Part(tuple(v + (dx if i % 2 == 0 else dy) for i, v in enumerate(part.loop)), part.radius)


def contact_of(
    at: float,
    place: Callable[[Part], Part],
    movers: Sequence[Part],
    parts: Sequence[Part],
    pairs: Pairs,
) -> Contact:
    """The contact of pairs of parts that meet at once. place: a mover's part as it lies then."""
    ends: list[Point] = []
    for i, j in pairs:
        ends.extend(contact_ends(place(movers[i]), parts[j]))
    one, two = ends[0], ends[0]
    far = 0.0
    for k, p in enumerate(ends):
        for q in ends[k + 1 :]:
            length = math.hypot(q[0] - p[0], q[1] - p[1])
            if length > far:
                far, one, two = length, p, q
    middle = (0.5 * (one[0] + two[0]), 0.5 * (one[1] + two[1]))
    return Contact(at, middle, (one, two), pairs[0][0], pairs[0][1])


def _slid(u: Point, s: float) -> Callable[[Part], Part]:
    return lambda part: _shifted(part, s * u[0], s * u[1])


def widened(
    deep: Sequence[tuple[float, float]], whole: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float, float, float]]:
    """Overlaps of a motion that get deeper than the tolerance: start and stop of each, then those
    of its stretch that is deep. whole: all overlaps, however shallow."""
    for start, stop in deep:
        middle = 0.5 * (start + stop)
        low, high = next((s for s in whole if s[0] <= middle <= s[1]), (start, stop))
        yield min(low, start), max(high, stop), start, stop


def slide(
    mover: Shape, feature: Region | Rect, direction: Point, distance: float, depth: float = LENGTH
) -> Slide:
    """Slide a rectangle (or a block of them) along a direction against one feature.

    direction: any length but 0. distance >= 0. depth: overlap that is still a touch, gap that is
    already one. Raises ShapeError on a direction of no length or numbers that are not finite.
    Error <= 1e-9 while |coordinate| <= 200.

    >>> s = slide(Rect(10, 18, 0, 4, 2), Rect(18, 18, math.pi / 2, 4, 2), (1, 0), 8)
    >>> s.contact.at, s.contact.point
    (5.0, (16.0, 18.0))
    >>> slide(Rect(10, 18, 0, 4, 2), Rect(14, 22, 0, 4, 2), (1, 0), 8).contact is None
    True
    """
    u = _direction(direction, distance)
    movers = parts_of(mover)
    parts = parts_of(feature)
    out = [0.0] * 4
    deep: list[tuple[float, float, float, float, int, int]] = []
    near: list[tuple[float, float, float, int, int]] = []
    for i, a in enumerate(movers):
        for j, b in enumerate(parts):
            radius = a.radius + b.radius
            if not slide_span(a.loop, b.loop, radius, u[0], u[1], -depth, out):
                continue
            wide0, wide1 = out[0], out[1]
            if wide1 < 0.0 or wide0 > distance:
                if slide_span(a.loop, b.loop, radius, u[0], u[1], depth, out):
                    q0, q1 = out[0], out[1]
                    slide_span(a.loop, b.loop, radius, u[0], u[1], 0.0, out)
                    deep.append((out[0], out[1], q0, q1, i, j))
                continue
            exact = slide_span(a.loop, b.loop, radius, u[0], u[1], 0.0, out)
            nominal0, nominal1 = out[0], out[1]
            if slide_span(a.loop, b.loop, radius, u[0], u[1], depth, out):
                deep.append((nominal0, nominal1, out[0], out[1], i, j))
            near.append((wide0, wide1, nominal0 if exact else math.nan, i, j))
    spans, contact = _entered(movers, parts, u, distance, deep)
    touch = contact
    if near:
        for span in merge_spans([(n[0], n[1]) for n in near], depth):
            if span.start <= depth or span.start > distance:
                continue
            inside2 = [n for n in near if n[0] >= span.start and n[1] <= span.stop]
            at, pairs = math.inf, []
            for wide0, wide1, nominal, i, j in inside2:
                s = nominal
                if math.isnan(s):
                    s = _first_touch(movers[i], parts[j], u, wide0, wide1)
                s = max(s, 0.0)
                if s < at - LENGTH:
                    at, pairs = s, [(i, j)]
                elif s <= at + LENGTH:
                    pairs.append((i, j))
            if at <= distance + depth and (touch is None or at < touch.at - ROUNDING):
                at = min(at, distance)
                touch = contact_of(at, _slid(u, at), movers, parts, pairs)
            break
    return Slide(spans, contact, touch)


def _entered(
    movers: Sequence[Part],
    parts: Sequence[Part],
    u: Point,
    distance: float,
    deep: Sequence[tuple[float, float, float, float, int, int]],
) -> tuple[tuple[Span, ...], Contact | None]:
    """Spans and first contact from the stretches, meant and strict, of each pair of parts."""
    spans, contact = entered_spans([d[:4] for d in deep], distance), None
    if spans:
        at = max(0.0, spans[0].start)
        inside = [d for d in deep if d[0] >= spans[0].start and d[1] <= spans[0].stop]
        pairs = [(d[4], d[5]) for d in inside if d[0] <= at + LENGTH and d[1] > at]
        contact = contact_of(at, _slid(u, at), movers, parts, pairs)
    return tuple(spans), contact


def entered_spans(
    found: Sequence[tuple[float, float, float, float]], distance: float
) -> list[Span]:
    """The overlaps of a slide with the parts of one feature as disjoint spans, in order, as far as
    any is deep within the distance.

    found: start and stop of each, then those of its stretch deeper than the tolerance.
    """
    if len(found) == 1:
        (d,) = found
        return [Span(d[0], d[1])] if max(d[2], 0.0) < min(d[3], distance) else []
    return [
        span
        for span in merge_spans([(d[0], d[1]) for d in found], LENGTH)
        if any(
            d[0] >= span.start and d[1] <= span.stop and max(d[2], 0.0) < min(d[3], distance)
            for d in found
        )
    ]


def slide_into(
    mover: Shape, feature: Region | Rect, direction: Point, distance: float, depth: float = LENGTH
) -> tuple[tuple[Span, ...], Contact | None]:
    """Spans and contact of `slide`, without what it merely touches: several times cheaper.

    >>> slide_into(Rect(10, 18, 0, 4, 2), Rect(18, 18, math.pi / 2, 4, 2), (1, 0), 8)[1].at
    5.0
    """
    u = _direction(direction, distance)
    movers, parts = parts_of(mover), parts_of(feature)
    backend = chosen()
    run, out = functions(backend).slide_span, blank(4, backend)
    loops = [floats(b.loop, backend) for b in parts]
    deep: list[tuple[float, float, float, float, int, int]] = []
    for i, a in enumerate(movers):
        loop = floats(a.loop, backend)
        for j, b in enumerate(parts):
            radius = a.radius + b.radius
            if run(loop, loops[j], radius, *u, depth, out):
                q0, q1 = float(out[0]), float(out[1])
                run(loop, loops[j], radius, *u, 0.0, out)
                deep.append((float(out[0]), float(out[1]), q0, q1, i, j))
    return _entered(movers, parts, u, distance, deep) if deep else ((), None)


def _first_touch(a: Part, b: Part, u: Point, lo: float, hi: float) -> float:
    """When parts that pass with a gap below the tolerance, but never meet, first come level.

    The gap is a convex function of the shift; where it first reaches its least value is the
    answer, found by bisection on the gap grown by that value.
    """
    out = [0.0] * 4
    radius = a.radius + b.radius
    low, high = 0.0, 0.0
    # Least growth at which they meet at all, within [0, tolerance].
    step = SAME_DIRECTION
    while not slide_span(a.loop, b.loop, radius, u[0], u[1], -step, out):
        low, step = step, step * 4.0
        if step > 1.0:
            return lo
    high = step
    for _ in range(60):
        middle = 0.5 * (low + high)
        if slide_span(a.loop, b.loop, radius, u[0], u[1], -middle, out):
            high = middle
        else:
            low = middle
    slide_span(a.loop, b.loop, radius, u[0], u[1], -high - STRETCH, out)
    return min(max(out[0], lo), hi)


def slide_to_border(
    mover: Rect | Sequence[Rect], direction: Point, width: float, depth: float
) -> Edge | None:
    """The largest slide with no corner beyond the border of the table 0..width x 0..depth.

    Sliding along a border is free, and so is coming back over one from outside. A corner already
    on or beyond a border that would go farther out gives 0. None: the direction meets no border.

    >>> slide_to_border(Rect(44, 18, 0, 4, 2), (1, 0), 48, 36).at
    3.0
    """
    u = _direction(direction, 0.0)
    rects = (mover,) if isinstance(mover, Rect) else tuple(mover)
    best: Edge | None = None
    for side, nx, ny, h in table_sides(width, depth):
        k = nx * u[0] + ny * u[1]
        if k <= ROUNDING:
            continue
        for i, rect in enumerate(rects):
            for c, (x, y) in enumerate(rect.corners):
                s = max(0.0, (h - nx * x - ny * y) / k)
                if best is None or s < best.at:
                    best = Edge(s, side, (x + s * u[0], y + s * u[1]), i, c)
    return best
