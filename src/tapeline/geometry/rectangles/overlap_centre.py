"""The middle of the part of a convex shape that lies near another one.

A_h, the part of A within h of B, is A cut to B grown by h: a polygon, rounded where a corner of the
grown B has its arc. Area and first moments of a polygon, and of a polygon within a circle about a
point, have closed forms, edge by edge.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from tapeline.geometry.epsilons import AREA
from tapeline.geometry.plane.intersections import lengths_at
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.clip import HalfPlane, clip_to
from tapeline.geometry.rectangles.rectangle import Part, Point, Region

__all__ = ["middle_near"]


def _polygon_moments(loop: Sequence[float]) -> tuple[float, float, float]:
    """Area and first moments of a counter-clockwise loop."""
    area = mx = my = 0.0
    n = len(loop) // 2
    for i in range(n):
        x0, y0 = loop[2 * i - 2], loop[2 * i - 1]
        x1, y1 = loop[2 * i], loop[2 * i + 1]
        cross = 0.5 * (x0 * y1 - x1 * y0)
        area += cross
        mx += cross * (x0 + x1) / 3.0
        my += cross * (y0 + y1) / 3.0
    return area, mx, my


def _disc_moments(loop: Sequence[float], radius: float) -> tuple[float, float, float]:
    """Area and first moments of the part of a loop within a circle about the origin."""
    area = mx = my = 0.0
    n = len(loop) // 2
    for i in range(n):
        p = (loop[2 * i - 2], loop[2 * i - 1])
        q = (loop[2 * i], loop[2 * i + 1])
        for a, b, inside in _cut_at_circle(p, q, radius):
            cross = a[0] * b[1] - a[1] * b[0]
            if inside:
                area += 0.5 * cross
                mx += 0.5 * cross * (a[0] + b[0]) / 3.0
                my += 0.5 * cross * (a[1] + b[1]) / 3.0
            else:
                turn = math.atan2(cross, a[0] * b[0] + a[1] * b[1])
                start = math.atan2(a[1], a[0])
                area += 0.5 * radius * radius * turn
                third = radius**3 / 3.0
                mx += third * (math.sin(start + turn) - math.sin(start))
                my += third * (math.cos(start) - math.cos(start + turn))
    return area, mx, my


def _cut_at_circle(p: Point, q: Point, radius: float) -> Iterator[tuple[Point, Point, bool]]:
    """The parts of a segment inside and outside a circle about the origin."""
    line = Line(*p, *q)
    length = line.length
    if length == 0.0:
        return
    crossed = [s for s in lengths_at(line, (0.0, 0.0, radius)) if 0.0 < s < length]
    for begin, end in itertools.pairwise((0.0, *crossed, length)):
        inside = math.hypot(*line.at(0.5 * (begin + end))) <= radius
        yield line.at(begin), line.at(end), inside


def _moments_near(a: Part, b: Part, h: float) -> tuple[float, float, float]:
    loop, n = b.loop, len(b.loop) // 2
    grown = b.radius + h
    planes: list[HalfPlane] = []
    normals: list[Point] = []
    for i in range(n):
        j = (i + 1) % n
        ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
        length = math.hypot(ex, ey)
        if n == 1 or length == 0.0:
            continue
        nx, ny = ey / length, -ex / length
        normals.append((nx, ny))
        planes.append((nx, ny, nx * loop[2 * i] + ny * loop[2 * i + 1] + grown))
    cut = clip_to(a.loop, planes) if planes else a.loop
    if len(cut) < 6:
        return 0.0, 0.0, 0.0
    area, mx, my = _polygon_moments(cut)
    for i in range(n if grown > 0.0 else 0):
        # Beyond corner i, between the normals of its two sides, the border is an arc about it.
        x, y = loop[2 * i], loop[2 * i + 1]
        wedge: list[HalfPlane] = []
        if normals:
            (ax, ay), (bx, by) = normals[i - 1], normals[i]
            wedge = [(ay, -ax, ay * x - ax * y), (-by, bx, -by * x + bx * y)]
        part = clip_to(cut, wedge) if wedge else cut
        if len(part) < 6:
            continue
        here = [v - (x, y)[k % 2] for k, v in enumerate(part)]
        whole, kept = _polygon_moments(here), _disc_moments(here, grown)
        gone = whole[0] - kept[0]
        area -= gone
        mx -= whole[1] - kept[1] + gone * x
        my -= whole[2] - kept[2] + gone * y
    return area, mx, my


def middle_near(a: Region, b: Region, h: float) -> Point | None:
    """The centroid of the part of `a` within h of `b`; None if there is none.

    Parts of `a` are polygons that do not overlap; `b` is convex, or its nearest part counts.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_polygon
    >>> left = region_of_polygon([(0, 0), (4, 0), (4, 2), (0, 2)])
    >>> right = region_of_polygon([(5, 0), (9, 0), (9, 2), (5, 2)])
    >>> [round(v, 9) for v in middle_near(left, right, 2)]
    [3.5, 1.0]
    """
    area = mx = my = 0.0
    for pa in a.parts:
        # A part is near to the union of b's parts as far as to its nearest one.
        best = max((_moments_near(pa, pb, h) for pb in b.parts), key=lambda m: m[0])
        area, mx, my = area + best[0], mx + best[1], my + best[2]
    # What is left of areas taken from each other is no part.
    return None if area <= AREA else (mx / area, my / area)
