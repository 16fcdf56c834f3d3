"""The visible region against rays cast one by one with shapely, and closed forms of area."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import pytest
import shapely
from shapely import LineString, Point, Polygon

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.rectangles.rectangle import (
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
    union_of,
)
from tapeline.geometry.sight.visible_region import Blockers

W, D = 24.0, 18.0


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    backends.use("plain")
    yield
    backends.use("auto")


def cast(eye: tuple[float, float], angle: float, solids: list[shapely.Geometry | tuple]) -> float:  # type: ignore[type-arg]
    """Distance to the first border, table border included; circles by their quadratic."""
    u = (math.cos(angle), math.sin(angle))
    ray = LineString([eye, (eye[0] + 60 * u[0], eye[1] + 60 * u[1])])
    frame = Polygon([(0, 0), (W, 0), (W, D), (0, D)]).exterior
    best = math.inf
    for solid in [frame, *solids]:
        if isinstance(solid, tuple):
            x, y, r = solid[0] - eye[0], solid[1] - eye[1], solid[2]
            along, across = x * u[0] + y * u[1], x * u[1] - y * u[0]
            if abs(across) < r and along > 0:
                best = min(best, along - math.sqrt(r * r - across * across))
            continue
        meet = ray.intersection(solid)
        if not meet.is_empty:
            best = min(best, meet.distance(Point(eye)))
    return best


def table(rng: random.Random, count: int) -> tuple[list[Region], list[shapely.Geometry | tuple]]:  # type: ignore[type-arg]
    regions: list[Region] = []
    solids: list[shapely.Geometry | tuple] = []  # type: ignore[type-arg]
    for _ in range(count):
        x, y = rng.uniform(0, W), rng.uniform(0, D)
        kind = rng.random()
        if kind < 0.3:
            regions.append(region_of_circle(x, y, rng.uniform(0.3, 2)))
            part = regions[-1].parts[0]
            solids.append((*part.loop, part.radius))
        elif kind < 0.4:
            ends = [(x, y), (x + rng.uniform(-3, 3), y + rng.uniform(-3, 3))]
            regions.append(region_of_segment(*ends))
            solids.append(LineString(ends))
        else:
            n = rng.randint(3, 8)
            corners = [
                (x + r * math.cos(a), y + r * math.sin(a))
                for k in range(n)
                for a in [2 * math.pi * (k + 0.7 * rng.random()) / n]
                for r in [rng.uniform(0.6, 2.5)]
            ]
            if rng.random() < 0.5:  # on the grid, so that borders meet in corners and run together
                corners = [(round(x), round(y)), (round(x) + 2, round(y))]
                corners += [(round(x) + 2, round(y) + 1), (round(x), round(y) + 1)]
            if Polygon(corners).is_valid:
                regions.append(region_of_polygon(corners))
                solids.append(Polygon(corners))
    return regions, solids


def test_rays_agree(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(41)
    tried = 0
    for _ in range(budget(40, 3_000)):
        regions, solids = table(rng, rng.randint(1, 12))
        eye = (rng.uniform(0.1, W - 0.1), rng.uniform(0.1, D - 0.1))
        if any(
            math.dist(eye, s[:2]) <= s[2] if isinstance(s, tuple) else s.distance(Point(eye)) == 0
            for s in solids
        ):
            continue
        view = Blockers(regions, W, D).seen_from(eye)
        for _ in range(40):
            angle = rng.uniform(-math.pi, math.pi)
            expected = cast(eye, angle, solids)
            found = view.distance(math.cos(angle), math.sin(angle))
            assert found == pytest.approx(expected, abs=1e-8)
            tried += 1
        steps = 3000
        area = sum(
            0.5 * view.distance(math.cos(a), math.sin(a)) ** 2 * 2 * math.pi / steps
            for k in range(steps)
            for a in [2 * math.pi * (k + 0.5) / steps]
        )
        assert view.area == pytest.approx(area, rel=5e-3)
    assert tried > 400


def test_area_behind_a_disc_in_closed_form() -> None:
    # Eye in a corner of a frame far larger than the disc: the wedge of the tangents is cut off at
    # the near arc; tangent length t, half angle h: area inside is t r - r^2 (pi / 2 - h).
    disc = region_of_circle(9, 9, 3)
    view = Blockers([disc], 18, 18).seen_from((9, 0))
    tangent = math.sqrt(81 - 9)
    half = math.asin(3 / 9)
    before = tangent * 3 - 9 * (math.pi / 2 - half)
    # Frame: 18 by 18 less the wedge to the top side at y = 18.
    wedge = 18 * 18 * math.tan(half)
    assert view.area == pytest.approx(18 * 18 - wedge + before, abs=1e-9)
    assert view.contains((9, 5.9))
    assert not view.contains((9, 6.1))
    assert not view.contains((9, 17))
    assert view.contains((1, 17))


def test_outline_is_closed_by_the_right_regions() -> None:
    wall = region_of_polygon([(4, 4), (6, 4), (6, 6), (4, 6)])
    view = Blockers([wall], 10, 10).seen_from((5, 2))
    assert [s.region for s in view.outline].count(0) == 1
    near = next(s for s in view.outline if s.region == 0)
    assert (*near.a, *near.b) == pytest.approx((6, 4, 4, 4), abs=1e-9)
    assert view.area == pytest.approx(70, abs=1e-9)


def test_crossing_walls_and_seams_leak_nothing() -> None:
    cross = [
        region_of_polygon([(2, 5), (8, 5), (8, 5.5), (2, 5.5)]),
        region_of_polygon([(5, 2), (5.5, 2), (5.5, 8), (5, 8)]),
    ]
    view = Blockers(cross, 10, 10).seen_from((3, 3))
    assert not view.contains((7, 7))
    flush = [
        region_of_polygon([(0, 5), (5, 5), (5, 6), (0, 6)]),
        region_of_polygon([(5, 5), (10, 5), (10, 6), (5, 6)]),
    ]
    assert Blockers(flush, 10, 10).seen_from((5, 2)).area == pytest.approx(50, abs=1e-9)


def test_regions_that_hold_the_eye_are_left_out() -> None:
    bay = region_of_polygon([(2, 2), (8, 2), (8, 8), (5, 8), (5, 5), (2, 5)])
    wall = region_of_polygon([(9, 0), (9.5, 0), (9.5, 10), (9, 10)])
    for eye in ((3, 3), (7, 7), (5, 2.5)):
        assert Blockers([bay, wall], 10, 10).seen_from(eye).area == pytest.approx(90, abs=1e-9)
    assert Blockers([region_of_circle(5, 5, 2)], 10, 10).seen_from((5, 4)).area == 100


def test_eyes_on_a_border_do_not_see_through_it() -> None:
    bay = region_of_polygon([(2, 2), (8, 2), (8, 8), (5, 8), (5, 5), (2, 5)])
    assert Blockers([bay], 10, 10).seen_from((2, 3)).area == pytest.approx(20, abs=1e-9)
    # At a corner the quarter towards the inside is hidden, and what the rest leaves in view is
    # the frame less the quarter beyond the corner.
    assert Blockers([bay], 10, 10).seen_from((2, 2)).area == pytest.approx(100 - 64, abs=1e-9)
    # In the notch three quarters are hidden.
    assert Blockers([bay], 10, 10).seen_from((5, 5)).area == pytest.approx(25, abs=1e-9)
    disc = region_of_circle(5, 5, 2)
    assert Blockers([disc], 10, 10).seen_from((3, 5)).area == pytest.approx(30, abs=1e-9)
    parts = union_of(
        [
            region_of_polygon([(2, 2), (5, 2), (5, 5), (2, 5)]),
            region_of_polygon([(5, 2), (8, 2), (8, 5), (5, 5)]),
        ]
    )
    assert Blockers([parts], 10, 10).seen_from((5, 3)).area == pytest.approx(100, abs=1e-9)
    assert Blockers([parts], 10, 10).seen_from((5, 5)).area == pytest.approx(50, abs=1e-9)


def test_bad_frames_and_eyes() -> None:
    with pytest.raises(ShapeError):
        Blockers([], 0, 5)
    for eye in ((-1, 1), (1, math.nan), (11, 1)):
        with pytest.raises(ShapeError):
            Blockers([], 10, 10).seen_from(eye)


def test_many_short_walls(budget: Callable[[int, int], int]) -> None:
    """Rays among 200 segments, each cast by solving two lines."""
    rng = random.Random(42)
    for _ in range(budget(4, 200)):
        ends = []
        for _ in range(200):
            x, y, a = rng.uniform(0, W), rng.uniform(0, D), rng.uniform(0, math.pi)
            size = rng.uniform(0.1, 1.5)
            ends.append((x, y, x + size * math.cos(a), y + size * math.sin(a)))
        walls = Blockers([region_of_segment(e[:2], e[2:]) for e in ends], W, D)
        ends += [(0, 0, W, 0), (W, 0, W, D), (W, D, 0, D), (0, D, 0, 0)]
        for _ in range(6):
            ex, ey = rng.uniform(1, W - 1), rng.uniform(1, D - 1)
            view = walls.seen_from((ex, ey))
            for _ in range(60):
                angle = rng.uniform(-math.pi, math.pi)
                ux, uy = math.cos(angle), math.sin(angle)
                best = math.inf
                for ax, ay, bx, by in ends:
                    den = ux * (by - ay) - uy * (bx - ax)
                    s = ((ax - ex) * (by - ay) - (ay - ey) * (bx - ax)) / den
                    t = ((ax - ex) * uy - (ay - ey) * ux) / den
                    if s > 0 and 0 <= t <= 1:
                        best = min(best, s)
                assert view.distance(ux, uy) == pytest.approx(best, abs=1e-8)
