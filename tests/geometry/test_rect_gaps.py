"""Gaps and narrow zones, against lines drawn at random between the near parts."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

import pytest
from shapely import MultiPoint, Point, Polygon

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.gaps import convex_hull, narrow_zone
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    region_of_segment,
    separation,
)


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def test_gap_has_width_and_ends() -> None:
    gap = separation(box(0, 0, 2, 4), box(4, 1, 6, 9))
    assert gap.gap == 2
    assert (gap.on_a, gap.on_b) == ((2, 2.5), (4, 2.5))
    assert separation(box(0, 0, 2, 4), box(2, 1, 6, 9)).gap == 0


def test_zone_between_two_walls() -> None:
    left, right = box(0, 0, 2, 4), box(4, 1, 6, 9)
    zone = narrow_zone(left, right, 2)
    assert zone is not None
    loop = zone.parts[0].loop
    corners = {(round(x, 4), round(y, 4)) for x, y in zip(loop[::2], loop[1::2], strict=True)}
    assert corners == {(2, 1), (4, 1), (4, 4), (2, 4)}
    assert narrow_zone(left, right, 1.9) is None
    assert narrow_zone(left, box(2, 0, 3, 4), 1.9) is None
    # Within 2.5: 1.5 along the walls beyond either end.
    wider = narrow_zone(left, right, 2.5)
    assert wider is not None
    assert overlaps(Rect(3, 4.6, 0, 0.2, 0.2), wider)
    assert not overlaps(Rect(3, 5.7, 0, 0.2, 0.2), wider)
    assert overlaps(Rect(3, 2, 0, 1, 1), wider)


def test_zone_of_two_points_is_a_segment() -> None:
    a = region_of_polygon([(0, 0), (-1, 1), (-1, -1)])
    b = region_of_polygon([(1, 0), (2, -1), (2, 1)])
    zone = narrow_zone(a, b, 1)
    assert zone is not None
    left, bottom, right, top = zone.bounds
    assert (left, bottom, right, top) == pytest.approx((0, 0, 1, 0), abs=1e-4)
    assert overlaps(Rect(0.5, 0, 0, 1, 0.5), zone)
    assert not overlaps(Rect(0.5, 1, 0, 1, 0.5), zone)


def test_hull_and_bad_widths() -> None:
    assert convex_hull([(1, 1)]) == (1, 1)
    assert convex_hull([(0.0, 0.0), (0.1, 0.1), (0.3, 0.3)]) == (0.0, 0.0, 0.3, 0.3)
    with pytest.raises(ShapeError):
        narrow_zone(box(0, 0, 1, 1), box(2, 0, 3, 1), 0)
    with pytest.raises(ShapeError):
        narrow_zone(box(0, 0, 1, 1), box(2, 0, 3, 1), math.nan)


def test_zones_hold_every_line_between_the_near_parts(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(61)
    made = 0
    for _ in range(budget(60, 2_000)):
        shapes = []
        for x in (0.0, rng.uniform(3, 6)):
            kind = rng.random()
            y = rng.uniform(-2, 2)
            if kind < 0.3:
                r = rng.uniform(0.5, 2)
                shapes.append((region_of_circle(x, y, r), Point(x, y).buffer(r, quad_segs=256)))
            elif kind < 0.5:
                rect = Rect(x, y, rng.uniform(0, 3), 3, 1)
                shapes.append((region_of_rect(rect), Polygon(rect.corners)))
            elif kind < 0.6:
                ends = [(x, y), (x + rng.uniform(-1, 1), y + 2)]
                shapes.append((region_of_segment(*ends), MultiPoint(ends).convex_hull))
            else:
                hull = MultiPoint(
                    [(x + rng.uniform(-1.5, 1.5), y + rng.uniform(-1.5, 1.5)) for _ in range(6)]
                ).convex_hull
                corners = list(hull.exterior.coords)[:-1]
                shapes.append((region_of_polygon(corners), hull))
        (a, pa), (b, pb) = shapes
        h = rng.uniform(0.5, 4)
        gap = separation(a, b).gap
        zone = narrow_zone(a, b, h)
        assert (zone is None) == (gap > h or gap == 0)
        if zone is None:
            continue
        made += 1
        loop = zone.parts[0].loop
        corners = list(zip(loop[::2], loop[1::2], strict=True))
        for c in corners:
            assert min(pa.distance(Point(c)), pb.distance(Point(c))) < 1e-4
            assert max(pa.distance(Point(c)), pb.distance(Point(c))) < h + 1e-4
        shape = MultiPoint(corners).convex_hull.buffer(1e-3)
        near_a, near_b = pa.intersection(pb.buffer(h)), pb.intersection(pa.buffer(h))
        rims = [list(MultiPoint(list(_outer(g))).geoms) for g in (near_a, near_b)]
        for _ in range(30):
            p, q = (rng.choice(rim) for rim in rims)
            t = rng.random()
            x = Point(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y))
            if pa.distance(x) > 1e-3 and pb.distance(x) > 1e-3:
                assert shape.contains(x)
    assert made > 10


def _outer(shape: Polygon) -> list[tuple[float, float]]:
    ring = shape.exterior if shape.geom_type == "Polygon" else shape
    return [(c[0], c[1]) for c in ring.coords]


def test_zone_between_two_discs_holds_every_line() -> None:
    rng = random.Random(3)
    for _ in range(150):
        ra, rb, gap = rng.uniform(0.2, 4), rng.uniform(0.2, 4), rng.uniform(0.01, 2)
        h, t = gap + rng.uniform(0, 3), rng.uniform(0, 7)
        d = ra + rb + gap
        one, two = (0.0, 0.0, ra), (d * math.cos(t), d * math.sin(t), rb)
        zone = narrow_zone(region_of_circle(*one), region_of_circle(*two), h)
        assert zone is not None
        assert narrow_zone(region_of_circle(*one), region_of_circle(*two), 0.99 * gap) is None
        loop = zone.parts[0].loop
        ends: list[list[tuple[float, float]]] = [[], []]
        for (x, y, r), (ox, oy, other), row in ((one, two, ends[0]), (two, one, ends[1])):
            for k in range(60):
                p = (x + r * math.cos(k * math.tau / 60), y + r * math.sin(k * math.tau / 60))
                if math.dist(p, (ox, oy)) <= other + h:
                    row.append(p)
        for (px, py), (qx, qy) in itertools.product(*ends):
            for s in (0.2, 0.5, 0.8):
                x, y = px + s * (qx - px), py + s * (qy - py)
                if min(math.dist((x, y), c[:2]) - c[2] for c in (one, two)) > 0:
                    n = len(loop)
                    for i in range(0, n, 2):
                        ax, ay, bx, by = *loop[i : i + 2], *(loop + loop)[i + 2 : i + 4]
                        assert (bx - ax) * (y - ay) - (by - ay) * (x - ax) > -1e-9
