"""Sight from an edge: is there a free line from some point of a segment, forward, to an area?

What lies within `slack` of a line blocks it, so a slit no wider than two of that lets nothing
through. The free lines then form an open set, and the lines at its border touch two of: the ends of
the edge, corners of the area, circles of that radius about the corners of features; or, where sight
reaches only so deep into a feature, run square to one of its sides. Those lines decide it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.clip import clip_to
from tapeline.geometry.rectangles.gaps import convex_hull
from tapeline.geometry.rectangles.rectangle import Part, Point, Region, nearest_point
from tapeline.geometry.rectangles.separating_axis import depth_of_parts, distance_of_loops
from tapeline.geometry.rectangles.slide import merge_spans
from tapeline.geometry.sight.critical_lines import Line, Spot, border_lines
from tapeline.geometry.sight.lines import chord_of_line
from tapeline.work import count_work

__all__ = ["Deep", "sight_from_edge"]

#: So many lines are tried before others are sifted.
_AT_ONCE = 5
#: Length: boxes farther apart are not looked at more closely.
_NEAR = 1e-2
#: Share of the slack by which candidate lines keep off more than they must.
_MORE = 1e-3


@dataclass(frozen=True, slots=True)
class Deep:
    """A feature that sight enters only from or to a point in it or on its edge, so deep."""

    region: Region
    depth: float


def sight_from_edge(
    a: Point,
    b: Point,
    target: Sequence[float],
    features: Sequence[Region],
    deep: Sequence[Deep] = (),
    slack: float = 1e-6,
) -> Line | None:
    """A free line from a point of the edge ab to a convex area, or None if there is none.

    a, b: the edge, with what is before it on its right. target: flat corners, counter-clockwise.
    Lines go strictly forward: the end lies before the line of the edge by more than the slack.
    Features block what runs within the slack of them.

    >>> box = (4.0, 5.0, 6.0, 5.0, 6.0, 7.0, 4.0, 7.0)
    >>> sight_from_edge((0.0, 0.0), (10.0, 0.0), box, [])
    >>> line = sight_from_edge((10.0, 0.0), (0.0, 0.0), box, [])
    >>> line[1][1] >= 5.0
    True
    """
    length = math.dist(a, b)
    nx, ny = (b[1] - a[1]) / length, (a[0] - b[0]) / length
    ahead = clip_to(target, [(-nx, -ny, -(nx * a[0] + ny * a[1]) - slack)])
    if not ahead:
        return None
    hull = convex_hull([a, b, *((ahead[i], ahead[i + 1]) for i in range(0, len(ahead), 2))])
    parts = [
        part
        for feature in features
        if _boxes_meet(hull, feature.bounds)
        for part in feature.parts
        if depth_of_parts(hull, part.loop, part.radius, [0.0] * 4) > -2.0 * slack
    ]
    hiding = [
        d for d in deep if _boxes_meet(hull, d.region.bounds) and _near(hull, d.region, slack)
    ]
    deeps = [(d.region.parts, d.depth) for d in hiding]
    spots = _spots(a, b, ahead, parts, hiding, slack)
    middling = list(_middling(a, b, ahead))
    lines = itertools.chain(
        middling[:_AT_ONCE],
        border_lines(middling[_AT_ONCE:], a, b, (nx, ny), ahead, parts, deeps, spots, slack),
    )
    for line in lines:
        cut = _from_edge_to(line, a, b, (nx, ny), ahead)
        if cut is not None and _free(cut, parts, hiding, slack):
            return cut
    return None


def _boxes_meet(hull: Sequence[float], box: tuple[float, float, float, float]) -> bool:
    """Whether a box comes near that about a convex loop; what does not is far from both."""
    xs, ys = hull[::2], hull[1::2]
    return (
        box[0] <= max(xs) + _NEAR
        and box[2] >= min(xs) - _NEAR
        and box[1] <= max(ys) + _NEAR
        and box[3] >= min(ys) - _NEAR
    )


def _near(hull: Sequence[float], region: Region, slack: float) -> bool:
    out = [0.0] * 4
    return any(depth_of_parts(hull, p.loop, p.radius, out) > -2.0 * slack for p in region.parts)


def _corners(ahead: Sequence[float]) -> list[Point]:
    return [(ahead[i], ahead[i + 1]) for i in range(0, len(ahead), 2)]


def _middling(a: Point, b: Point, ahead: Sequence[float]) -> Iterator[Line]:
    """A few lines near the middle, among which most answers are found."""
    corners = _corners(ahead)
    n = len(corners)
    middle = (sum(x for x, _ in corners) / n, sum(y for _, y in corners) / n)
    for share in (0.5, 0.25, 0.75, 0.02, 0.98):
        start = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        for end in (middle, *corners):
            if math.dist(start, end) > ROUNDING:
                yield start, end


def _spots(
    a: Point,
    b: Point,
    ahead: Sequence[float],
    parts: Sequence[Part],
    hiding: Sequence[Deep],
    slack: float,
) -> list[Spot]:
    """What lines at the border of the free ones may touch."""
    keep = slack * (1.0 + _MORE)
    spots: list[Spot] = [(*a, 0.0), (*b, 0.0), *((x, y, 0.0) for x, y in _corners(ahead))]
    for part in (*parts, *(part for d in hiding for part in d.region.parts)):
        loop, r = part.loop, part.radius + keep
        spots += [(loop[i], loop[i + 1], r) for i in range(0, len(loop), 2)]
    return spots


def _from_edge_to(
    line: Line, a: Point, b: Point, normal: Point, ahead: Sequence[float]
) -> Line | None:
    """The part of a line from the edge to where it first meets the area, going forward."""
    (px, py), (qx, qy) = line
    ux, uy = qx - px, qy - py
    size = math.hypot(ux, uy)
    ux, uy = ux / size, uy / size
    forward = ux * normal[0] + uy * normal[1]
    if abs(forward) <= 1e-12:
        return None
    if forward < 0.0:
        ux, uy, forward = -ux, -uy, -forward
    back = ((a[0] - px) * normal[0] + (a[1] - py) * normal[1]) / forward
    start = (px + back * ux, py + back * uy)
    length = math.dist(a, b)
    along = ((start[0] - a[0]) * (b[0] - a[0]) + (start[1] - a[1]) * (b[1] - a[1])) / length
    if along < -ROUNDING or along > length + ROUNDING:
        return None
    # Where the line comes into the closed area: a touch of a corner counts.
    low, high = -math.inf, math.inf
    n = len(ahead) // 2
    for i in range(n if n > 2 else 0):
        j = (i + 1) % n
        ex, ey = ahead[2 * j] - ahead[2 * i], ahead[2 * j + 1] - ahead[2 * i + 1]
        side = math.hypot(ex, ey)
        inward = (ex * uy - ey * ux) / side
        off = (ex * (start[1] - ahead[2 * i + 1]) - ey * (start[0] - ahead[2 * i])) / side
        if abs(inward) <= 1e-12:
            if off < -ROUNDING:
                return None
        elif inward > 0.0:
            low = max(low, -off / inward)
        else:
            high = min(high, -off / inward)
    if low > high + ROUNDING or not math.isfinite(low):
        return None
    return start, (start[0] + low * ux, start[1] + low * uy)


def _free(line: Line, parts: Sequence[Part], hiding: Sequence[Deep], slack: float) -> bool:
    count_work(5 * (1 + len(parts)), "sight")
    (ax, ay), (bx, by) = line
    ux, uy = bx - ax, by - ay
    size = math.hypot(ux, uy)
    ux, uy = ux / size, uy / size
    pair = (ax, ay, bx, by)
    out = [0.0] * 4
    if any(_meets(part, pair, (ux, uy), slack) for part in parts):
        return False
    for d in hiding:
        if not any(nearest_point(d.region, end)[0] <= slack for end in ((ax, ay), (bx, by))):
            if any(_meets(part, pair, (ux, uy), slack) for part in d.region.parts):
                return False
            continue
        chords: list[tuple[float, float]] = []
        for part in d.region.parts:
            if chord_of_line(part.loop, part.radius, ax, ay, ux, uy, out):
                low, high = max(out[0], 0.0), min(out[1], size)
                chords += [(low, high)] if low < high else []
        inside = math.fsum(span.stop - span.start for span in merge_spans(chords))
        if inside > d.depth + slack:
            return False
    return True


def _meets(part: Part, pair: Sequence[float], u: Point, slack: float) -> bool:
    """Whether a segment of direction u runs into a part, or within the slack of it."""
    keep, loop = part.radius + slack, part.loop
    sides = [
        u[0] * (loop[i + 1] - pair[1]) - u[1] * (loop[i] - pair[0]) for i in range(0, len(loop), 2)
    ]
    if min(sides) > keep or max(sides) < -keep:
        return False
    out = [0.0] * 4
    if depth_of_parts(pair, loop, 0.0, out) > 0.0:
        return True
    return distance_of_loops(pair, loop, out) <= keep
