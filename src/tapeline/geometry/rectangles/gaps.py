"""Gaps between two regions: how wide at the narrowest, and the zone that is narrower than a width.

With A_h the part of A within h of B, and B_h likewise, the narrow zone is the convex hull of both
less A and B. For convex A and B its corners are known: every straight line from A to B leaves A
within h of B, so only the borders of A_h and B_h on the borders of A and B count; of round borders
their ends and the points where tangents from the other side touch. What the hull of those corners
leaves out lies inside A or B. For concave regions the corners of all pairs of parts make the hull.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.intersections import both_circles, lengths_at
from tapeline.geometry.plane.legs import Arc
from tapeline.geometry.rectangles.contact import border_of
from tapeline.geometry.rectangles.convex_decomposition import orientation
from tapeline.geometry.rectangles.rectangle import Part, Point, Region, separation
from tapeline.geometry.rectangles.slide_spans import slide_span

__all__ = ["convex_hull", "narrow_zone"]


def convex_hull(points: list[Point]) -> tuple[float, ...]:
    """The convex hull as a flat loop, counter-clockwise; two corners for points in line, or one.

    Exact: corners are chosen by an exact orientation test.

    >>> convex_hull([(0, 0), (2, 0), (1, 0), (1, 1)])
    (0, 0, 2, 0, 1, 1)
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(v for p in ordered for v in p)
    rows: list[list[Point]] = []
    for way in (ordered, ordered[::-1]):
        row: list[Point] = []
        for p in way:
            while len(row) > 1 and orientation(*row[-2], *row[-1], *p) <= 0:
                row.pop()
            row.append(p)
        rows.append(row[:-1])
    return tuple(v for p in rows[0] + rows[1] for v in p)


def _border_within(a: Part, b: Part, h: float) -> list[Point]:
    """Ends of the stretches of a's border within h of b."""
    found: list[Point] = []
    loop, n = a.loop, len(a.loop) // 2
    out = [0.0, 0.0]
    if n == 1:
        # Where the circle of a meets the border of b grown by h: straight sides and corners.
        circle = (loop[0], loop[1], a.radius)
        for piece in border_of(Part(b.loop, b.radius + h)):
            if isinstance(piece, Arc):
                found.extend(both_circles(circle, (piece.cx, piece.cy, piece.radius)))
            else:
                crossed = lengths_at(piece, circle)
                found.extend(piece.at(s) for s in crossed if 0.0 <= s <= piece.length)
        return found
    for i in range(n):
        j = (i + 1) % n
        x, y = loop[2 * i], loop[2 * i + 1]
        ex, ey = loop[2 * j] - x, loop[2 * j + 1] - y
        length = math.hypot(ex, ey)
        ex, ey = ex / length, ey / length
        for low, high in _sides_before(x, y, ex, ey, length, b, h):
            found.extend(((x + low * ex, y + low * ey), (x + high * ex, y + high * ey)))
        if not slide_span((x, y), b.loop, b.radius, ex, ey, -h, out):
            continue
        low, high = max(0.0, out[0]), min(length, out[1])
        if low <= high:
            found.append((x + low * ex, y + low * ey))
            found.append((x + high * ex, y + high * ey))
    return found


def _sides_before(
    x: float, y: float, ex: float, ey: float, length: float, b: Part, h: float
) -> Iterator[tuple[float, float]]:
    """Stretches of a straight side before sides of b that lie h off and along it: whether they are
    just within h is left to rounding otherwise, and a hair more of h makes them much longer."""
    n = len(b.loop) // 2
    for i in range(n if n > 1 else 0):
        j = (i + 1) % n
        ax, ay = b.loop[2 * i] - x, b.loop[2 * i + 1] - y
        bx, by = b.loop[2 * j] - x, b.loop[2 * j + 1] - y
        one, other = ex * ay - ey * ax, ex * by - ey * bx
        if abs(one - other) > LENGTH or abs(abs(one) - b.radius - h) > LENGTH:
            continue
        ends = sorted((ax * ex + ay * ey, bx * ex + by * ey))
        low, high = max(0.0, ends[0]), min(length, ends[1])
        if low <= high:
            yield low, high


def _tangent_points(a: Part, b: Part, h: float, others: list[Point]) -> list[Point]:
    """Where tangents from points touch the circle of a, as far as within h of b."""
    found: list[Point] = []
    cx, cy, r = a.loop[0], a.loop[1], a.radius
    for x, y in others:
        dx, dy = x - cx, y - cy
        d2 = dx * dx + dy * dy
        if d2 <= r * r:
            continue
        f, g = r * r / d2, r * math.sqrt(d2 - r * r) / d2
        for s in (g, -g):
            p = (cx + f * dx - s * dy, cy + f * dy + s * dx)
            if separation(Region((Part(p),), (*p, *p)), Region((b,), (0, 0, 0, 0))).gap <= h:
                found.append(p)
    return found


def narrow_zone(a: Region, b: Region, width: float) -> Region | None:
    """The convex zone between two regions where they are no farther apart than `width`.

    None where they are farther apart everywhere (by 1e-9), or meet (then there is nothing to pass).
    The zone may be a segment; test a rectangle against it with `overlaps`. It may reach into the
    regions themselves, where no rectangle can be. Exact for convex regions. Raises ShapeError on a
    width that is not positive and on parts that are neither discs, segments nor polygons.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_polygon
    >>> left = region_of_polygon([(0, 0), (2, 0), (2, 4), (0, 4)])
    >>> right = region_of_polygon([(3, 1), (5, 1), (5, 9), (3, 9)])
    >>> [round(v, 4) for v in narrow_zone(left, right, 1).bounds]
    [2.0, 1.0, 3.0, 4.0]
    """
    if not math.isfinite(width) or width <= 0.0:
        raise ShapeError(f"narrow zone: width {width} must be positive")
    gap = separation(a, b).gap
    if gap > width + LENGTH or gap == 0.0:
        return None
    # Rounding may have made the narrowest place the wider of two that are meant to be equal.
    width = max(width, gap)
    points: list[Point] = []
    for pa in a.parts:
        for pb in b.parts:
            for part in (pa, pb):
                if part.radius > 0.0 and len(part.loop) > 2:
                    raise ShapeError("narrow zone: parts must be discs, segments or polygons")
            one, two = _border_within(pa, pb, width), _border_within(pb, pa, width)
            near = separation(Region((pa,), (0, 0, 0, 0)), Region((pb,), (0, 0, 0, 0)))
            if near.gap > width + LENGTH:
                continue
            one.append(near.on_a)
            two.append(near.on_b)
            if pa.radius > 0.0:
                one.extend(_tangent_points(pa, pb, width, two))
            if pb.radius > 0.0:
                two.extend(_tangent_points(pb, pa, width, one))
            if pa.radius > 0.0 and pb.radius > 0.0:
                # Two discs: their outer tangents as well. Arcs that bound the hull between these
                # corners lie on the discs, so their chords leave out nothing but the discs' inside.
                (ax, ay), (bx, by) = pa.loop[:2], pb.loop[:2]
                d = math.hypot(bx - ax, by - ay)
                ratio = (pb.radius - pa.radius) / d
                root = math.sqrt(max(0.0, 1.0 - ratio * ratio))
                for s in (root, -root):
                    nx = (-ratio * (bx - ax) - s * (by - ay)) / d
                    ny = (-ratio * (by - ay) + s * (bx - ax)) / d
                    pair = (
                        (ax + pa.radius * nx, ay + pa.radius * ny),
                        (bx + pb.radius * nx, by + pb.radius * ny),
                    )
                    if (
                        math.dist(pair[0], (bx, by)) <= pb.radius + width
                        and math.dist(pair[1], (ax, ay)) <= pa.radius + width
                    ):
                        one.append(pair[0])
                        two.append(pair[1])
            points.extend(one)
            points.extend(two)
    loop = convex_hull(points)
    part = Part(loop)
    xs, ys = loop[::2], loop[1::2]
    return Region((part,), (min(xs), min(ys), max(xs), max(ys)), (loop,) if len(loop) > 4 else ())
