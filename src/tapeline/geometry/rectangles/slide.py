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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tapeline.errors import ShapeError
from tapeline.geometry.backends import blank, chosen, floats, functions
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.contact import distance_to
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Point,
    Rect,
    Region,
    Shape,
    contact_ends,
    corners_by_side,
    farthest_pair,
    parts_of,
)
from tapeline.geometry.rectangles.slide_spans import Pairs, Span, merge_spans

__all__ = [
    "Contact",
    "Edge",
    "Slide",
    "contact_of",
    "entered_spans",
    "overlaps_along",
    "slide",
    "slide_into",
    "slide_to_border",
    "widened",
]


#: A point so near a part is on it: corners in contact are as near (`contact_ends`).
_ON_IT = 1e-7

#: Two straight sides that come to touch so much sooner than they meet slide along each other.
_ALONG = 1e-3


@dataclass(frozen=True, slots=True)
class Contact:
    """Where a motion first meets a shape.

    at: length slid or angle turned. ends: the two ends of the contact (equal when it is one
    point). point: its middle, or an end where the middle lies between parts. mover, part: indices
    of the two parts that meet.
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
    ends = [end for i, j in pairs for end in contact_ends(place(movers[i]), parts[j])]
    one, two = farthest_pair(ends)
    point = (0.5 * (one[0] + two[0]), 0.5 * (one[1] + two[1]))
    if len(pairs) > 1 and all(distance_to(part, *point)[0] > _ON_IT for part in parts):
        point = one
    return Contact(at, point, (one, two), pairs[0][0], pairs[0][1])


def _slid(u: Point, s: float) -> Callable[[Part], Part]:
    return lambda part: _shifted(part, s * u[0], s * u[1])


def widened(
    deep: Sequence[tuple[float, float]], whole: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float, float, float]]:
    """Overlaps of a motion that get deeper than the tolerance: start and stop of each, then those
    of its stretch that is deep. whole: all overlaps, however shallow; one of them that is deep in
    several stretches is as many, each up to the middle of what is shallow between.

    >>> list(widened([(0.1, 2.9), (3.1, 5.9)], [(0.0, 6.0)]))
    [(0.0, 3.0, 0.1, 2.9), (3.0, 6.0, 3.1, 5.9)]
    """
    for k, (start, stop) in enumerate(deep):
        middle = 0.5 * (start + stop)
        low, high = next((s for s in whole if s[0] <= middle <= s[1]), (start, stop))
        if k > 0 and deep[k - 1][1] >= low:
            low = 0.5 * (deep[k - 1][1] + start)
        if k + 1 < len(deep) and deep[k + 1][0] <= high:
            high = 0.5 * (stop + deep[k + 1][0])
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
    spans, contact = slide_into(mover, feature, direction, distance, depth)
    u = _direction(direction, distance)
    movers = parts_of(mover)
    parts = parts_of(feature)
    near = [
        (wide0, wide1, start, i, j)
        for start, _, wide0, wide1, i, j in _overlaps(movers, parts, u, -depth)
        if wide1 >= 0.0 and wide0 <= distance
    ]
    touch = contact
    if near:
        for span in merge_spans([(n[0], n[1]) for n in near], depth):
            if span.start <= depth or span.start > distance:
                continue
            inside2 = [n for n in near if n[0] >= span.start and n[1] <= span.stop]
            at, pairs = math.inf, []
            for wide0, wide1, nominal, i, j in inside2:
                apart, level = _passing(movers[i], parts[j], u)
                radius = movers[i].radius + parts[j].radius
                flat, s = radius == 0.0, nominal
                if math.isnan(s) or (not flat and apart >= radius - depth):
                    # A round part is first met the square root of its overlap before it lies
                    # level: an overlap that is a touch is one where it does.
                    s = min(max(level, wide0), wide1)
                if flat and wide0 + depth < s - _ALONG:
                    # Sides so nearly parallel that the gap stays below the tolerance for a while.
                    s = wide0 + depth
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


def _overlaps(
    movers: Sequence[Part], parts: Sequence[Part], u: Point, need: float
) -> Iterator[tuple[float, float, float, float, int, int]]:
    """Pairs of parts that a slide brings to overlap by more than need: where they overlap at all
    (nan for nowhere), where by that, and their indices."""
    backend = chosen()
    run, out = functions(backend).slide_span, blank(4, backend)
    loops = [floats(b.loop, backend) for b in parts]
    for i, a in enumerate(movers):
        loop = floats(a.loop, backend)
        for j, b in enumerate(parts):
            radius = a.radius + b.radius
            if run(loop, loops[j], radius, *u, need, out):
                low, high = float(out[0]), float(out[1])
                if not run(loop, loops[j], radius, *u, 0.0, out):
                    out[0] = out[1] = math.nan
                yield float(out[0]), float(out[1]), low, high, i, j


def overlaps_along(
    mover: Shape, feature: Region | Rect, direction: Point, depth: float
) -> list[tuple[float, float, float, float]]:
    """The overlaps of an endless slide with the parts of a feature that get deeper than a touch.

    Start and stop of each, then those of its stretch that is deep, as `join_overlaps` takes them.
    """
    u = _direction(direction, 0.0)
    return [d[:4] for d in _overlaps(parts_of(mover), parts_of(feature), u, depth)]


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
    deep = list(_overlaps(movers, parts, u, depth))
    spans = entered_spans([d[:4] for d in deep], distance) if deep else []
    if not spans:
        return (), None
    at = max(0.0, spans[0].start)
    inside = [d for d in deep if d[0] >= spans[0].start and d[1] <= spans[0].stop]
    pairs = [(d[4], d[5]) for d in inside if d[0] <= at + LENGTH and d[1] > at]
    return tuple(spans), contact_of(at, _slid(u, at), movers, parts, pairs)


def _passing(a: Part, b: Part, u: Point) -> tuple[float, float]:
    """How far apart the lanes of two parts lie, a sliding by b, and when they first lie level.

    The gap between the loops is least at the corners of each that are next to the other's lane: at
    the first shift at which one of those of a reaches one of those of b. Radii are not counted.
    """
    (first, last), (near, far) = _across(a, u), _across(b, u)
    if near - last >= first - far:
        return near - last, _along(b, u, near, min) - _along(a, u, last, max)
    return first - far, _along(b, u, far, min) - _along(a, u, first, max)


def _across(part: Part, u: Point) -> tuple[float, float]:
    """The least and the greatest distance of a loop's corners to the left of a line."""
    loop = part.loop
    offsets = [u[0] * y - u[1] * x for x, y in zip(loop[::2], loop[1::2], strict=True)]
    return min(offsets), max(offsets)


def _along(part: Part, u: Point, across: float, pick: Callable[[Iterable[float]], float]) -> float:
    """The least or greatest shift of the corners that lie so far to the left of a line."""
    corners = zip(part.loop[::2], part.loop[1::2], strict=True)
    return pick(
        u[0] * x + u[1] * y for x, y in corners if abs(u[0] * y - u[1] * x - across) <= LENGTH
    )


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
    best: Edge | None = None
    for (side, nx, ny, h), rect, corner, (x, y) in corners_by_side(mover, width, depth):
        k = nx * u[0] + ny * u[1]
        if k > ROUNDING:
            s = max(0.0, (h - nx * x - ny * y) / k)
            if best is None or s < best.at:
                best = Edge(s, side, (x + s * u[0], y + s * u[1]), rect, corner)
    return best
