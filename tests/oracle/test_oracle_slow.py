"""Least-cost routes against closed forms, brute force over crossing points and fast marching.

Nothing here uses the search under test but to ask it.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
import shapely

from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.plane.legs import Line, Path
from tapeline.geometry.weighted.regions import WeightedDisc, WeightedGround, WeightedRing
from tapeline.geometry.weighted.route import WeightedRouter

pytestmark = pytest.mark.compiled

FAR = 200.0


def least(f: Callable[[float], float], lo: float, hi: float) -> float:
    """Least value of a convex function, by thirds."""
    for _ in range(200):
        a, b = lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0
        if f(a) <= f(b):
            hi = b
        else:
            lo = a
    return f(0.5 * (lo + hi))


@pytest.mark.parametrize("factor", [1.25, 2.0, 4.0])
def test_half_plane_keeps_snells_law(factor: float) -> None:
    rng = random.Random(int(8 * factor))
    slow = WeightedRouter(
        Field.of(),
        0.5,
        WeightedGround([WeightedRing((0.0, -FAR, FAR, -FAR, FAR, FAR, 0.0, FAR), factor)]),
    )
    for _ in range(12):
        a, b = rng.uniform(0.05, 8.0), rng.uniform(0.05, 8.0)
        h = rng.uniform(-9.0, 9.0)
        truth = least(
            lambda y, a=a, b=b, h=h: math.hypot(a, y) + factor * math.hypot(b, h - y),
            min(0.0, h),
            max(0.0, h),
        )
        route = slow.cheapest((-a, 0.0), [PointGoal(b, h)])
        assert route is not None
        assert route.lower - 1e-9 <= truth <= route.upper + 1e-9
        assert route.upper - route.lower <= 0.001 + 1e-9
        first, second = route.ledger
        assert (first.factor, second.factor) == (1.0, factor)
        sine = [abs(line.leg.end[1] - line.leg.start[1]) / line.leg.length for line in route.ledger]
        assert sine[0] == pytest.approx(factor * sine[1], abs=1e-5)


@pytest.mark.parametrize("factor", [1.5, 2.0, 4.0])
def test_a_strip_is_crossed_with_two_equal_bends(factor: float) -> None:
    slow = WeightedRouter(
        Field.of(),
        0.5,
        WeightedGround([WeightedRing((0.0, -FAR, 2.0, -FAR, 2.0, FAR, 0.0, FAR), factor)]),
    )
    for rise in (0.0, 1.0, 5.0, 20.0):
        truth = least(
            lambda y, rise=rise: (
                2.0 * math.hypot(3.0, y) + factor * math.hypot(2.0, rise - 2.0 * y)
            ),
            0.0,
            rise,
        )
        route = slow.cheapest((-3.0, 0.0), [PointGoal(5.0, rise)])
        assert route is not None
        assert route.lower - 1e-9 <= truth <= route.upper + 1e-9
        assert route.upper - route.lower <= 0.001 + 1e-9


@pytest.mark.parametrize("factor", [2.0, 4.0])
def test_within_slow_ground_the_border_is_sought_at_the_critical_angle(factor: float) -> None:
    # Both ends d deep: out at the critical angle, along the border at 1, and in again.
    slow = WeightedRouter(
        Field.of(),
        0.5,
        WeightedGround([WeightedRing((0.0, -FAR, FAR, -FAR, FAR, FAR, 0.0, FAR), factor)]),
    )
    d, far = 1.0, 12.0
    truth = min(factor * far, far + 2.0 * d * math.sqrt(factor * factor - 1.0))
    route = slow.cheapest((d, 0.0), [PointGoal(d, far)])
    assert route is not None
    assert route.lower - 1e-9 <= truth <= route.upper + 1e-9
    assert route.upper - truth <= 1e-4
    assert any(line.factor == 1.0 and line.leg.length > 5.0 for line in route.ledger)


def test_round_a_slow_circle_or_through_it() -> None:
    radius = 3.0
    for factor, d in product((1.2, 1.5, 2.0, 6.0), (4.0, 7.0)):
        slow = WeightedRouter(
            Field.of(), 0.5, WeightedGround([WeightedDisc(0.0, 0.0, radius, factor)])
        )
        turn = math.pi - 2.0 * math.acos(radius / d)
        round_it = 2.0 * math.sqrt(d * d - radius * radius) + radius * turn
        straight = 2.0 * (d - radius) + 2.0 * radius * factor
        route = slow.cheapest((-d, 0.0), [PointGoal(d, 0.0)])
        assert route is not None
        # Any chord: in at the angle t off the axis, out at the mirror image.
        between = min(
            2.0 * math.hypot(d - radius * math.cos(t), radius * math.sin(t))
            + 2.0 * factor * radius * math.cos(t)
            for t in np.linspace(0.0, math.acos(radius / d), 20001)
        )
        truth = min(round_it, straight, between)
        assert route.lower - 1e-9 <= truth
        assert route.upper - route.lower <= 0.001 + 1e-9
        assert route.upper <= truth + 0.001 + 1e-9


def table(
    rng: random.Random,
) -> tuple[WeightedGround, list[tuple[shapely.Geometry, float]], Field, shapely.Geometry, float]:
    """A 12 by 12 table: areas, the same as shapes, obstacles, free space, the disc's radius."""
    areas: list[WeightedRing | WeightedDisc] = []
    shapes: list[tuple[shapely.Geometry, float]] = []
    for _ in range(rng.randint(1, 3)):
        factor = rng.choice([1.5, 2.0, 4.0])
        if rng.random() < 0.3:
            x, y, r = rng.uniform(2, 10), rng.uniform(2, 10), rng.uniform(0.8, 2.0)
            areas.append(WeightedDisc(x, y, r, factor))
            shapes.append((shapely.Point(x, y).buffer(r, quad_segs=64), factor))
            continue
        x, y, w, h = rng.uniform(0, 8), rng.uniform(0, 8), rng.uniform(1, 5), rng.uniform(1, 5)
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        if rng.random() < 0.4:
            corners.insert(2, (x + 0.4 * w, y + 0.5 * h))
        areas.append(WeightedRing(tuple(v for c in corners for v in c), factor))
        shapes.append((shapely.Polygon(corners), factor))
    r = 0.4
    solids, barred = [], []
    for _ in range(rng.randint(0, 2)):
        x, y, w, h = (
            rng.uniform(1, 10),
            rng.uniform(1, 10),
            rng.uniform(0.3, 3),
            rng.uniform(0.3, 1),
        )
        solids.append([x, y, x + w, y, x + w, y + h, x, y + h])
        barred.append(shapely.box(x, y, x + w, y + h).buffer(r * 1.0006, quad_segs=32))
    free = shapely.box(r, r, 12 - r, 12 - r).difference(shapely.union_all(barred))
    return WeightedGround(areas), shapes, Field.of(width=12.0, depth=12.0, solids=solids), free, r


def lattice(
    shapes: list[tuple[shapely.Geometry, float]],
    free: shapely.Geometry,
    a: tuple[float, float],
    b: tuple[float, float],
    step: float,
) -> list[tuple[float, float]]:
    """Corners of a fair path from a to b over a lattice, empty if there is none."""
    n = round(12.0 / step)
    xs = (np.arange(n) + 0.5) * step
    px, py = np.meshgrid(xs, xs, indexing="ij")
    shapely.prepare(free)
    ok = shapely.contains_xy(free, px, py)
    factor = np.ones_like(px)
    for shape, f in shapes:
        shapely.prepare(shape)
        factor = np.where(shapely.contains_xy(shape, px, py), np.maximum(factor, f), factor)
    moves = [(i, j) for i, j in product(range(-3, 4), repeat=2) if math.gcd(i, j) == 1]
    start = tuple(min(n - 1, max(0, int(v / step))) for v in a)
    goal = tuple(min(n - 1, max(0, int(v / step))) for v in b)
    dist = {start: 0.0}
    came: dict[tuple[int, ...], tuple[int, ...]] = {}
    heap = [(0.0, start)]
    done = set()
    while heap:
        d, (i, j) = heapq.heappop(heap)
        if (i, j) == goal:
            corners = [b]
            at = goal
            while at in came:
                at = came[at]
                corners.append(((at[0] + 0.5) * step, (at[1] + 0.5) * step))
            corners[-1] = a
            return corners[::-1]
        if (i, j) in done:
            continue
        done.add((i, j))
        for di, dj in moves:
            k, m = i + di, j + dj
            if not (0 <= k < n and 0 <= m < n and ok[k, m]):
                continue
            at = [(i + round(di * s / 3), j + round(dj * s / 3)) for s in range(4)]
            if not all(ok[p] for p in at):
                continue
            c = d + step * math.hypot(di, dj) * sum(factor[p] for p in at) / 4.0
            if c < dist.get((k, m), math.inf):
                dist[k, m] = c
                came[k, m] = (i, j)
                heapq.heappush(heap, (c, (k, m)))
    return []


def polish(
    corners: list[tuple[float, float]],
    price: Callable[[list[tuple[float, float]]], float],
    finest: float,
) -> float:
    """Cost of a path after its corners were dropped and shifted while that made it cheaper."""
    best = price(corners)
    step = 0.4
    while step > finest:
        gained = False
        k = 1
        while k < len(corners) - 1:
            without = corners[:k] + corners[k + 1 :]
            cost = price(without)
            if cost <= best:
                best, corners, gained = cost, without, True
                continue
            x, y = corners[k]
            for t in range(8):
                moved = (
                    x + step * math.cos(0.25 * math.pi * t),
                    y + step * math.sin(0.25 * math.pi * t),
                )
                trial = [*corners[:k], moved, *corners[k + 1 :]]
                cost = price(trial)
                if cost < best - 1e-9:
                    best, corners, gained = cost, trial, True
                    break
            k += 1
        if not gained:
            step *= 0.5
    return best


def test_no_path_beats_the_lower_bound(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    checked = near = wide = 0
    for _ in range(budget(4, 400)):
        ground, shapes, field, free, r = table(rng)
        a = (rng.uniform(0.5, 11.5), rng.uniform(0.5, 11.5))
        b = (rng.uniform(0.5, 11.5), rng.uniform(0.5, 11.5))
        if not (free.contains(shapely.Point(a)) and free.contains(shapely.Point(b))):
            continue
        slow, gap = WeightedRouter(field, r, ground), 0.001
        try:
            route = slow.cheapest(a, [PointGoal(*b)], gap)
        except WorkLimitError:
            # It says so rather than search on; a wider gap must still be proven.
            gap, wide = 0.1, wide + 1
            route = slow.cheapest(a, [PointGoal(*b)], gap, work=4_000_000)
        corners = lattice(shapes, free, a, b, 0.3)
        if route is None:
            assert not corners
            continue

        def price(
            corners: list[tuple[float, float]],
            field: Field = field,
            ground: WeightedGround = ground,
        ) -> float:
            if not field.follows(corners, 0.4):
                return math.inf
            return ground.cost(Path(tuple(Line(*p, *q) for p, q in pairwise(corners))))

        checked += 1
        assert route.upper - route.lower <= gap + 1e-9
        assert field.follows(route.path, r)
        cost = sample_cost(shapes, route.path.at, route.path.length)
        assert cost == pytest.approx(route.upper, abs=0.02)
        if len(corners) > 1:  # else both ends are one place of the lattice
            peer = polish(corners, price, 0.01)
            assert route.lower <= peer + 1e-9
            near += peer <= route.upper + 0.05
    assert checked >= budget(3, 200)
    assert near >= checked // 3
    assert wide <= 0.05 * checked


def sample_cost(
    shapes: list[tuple[shapely.Geometry, float]],
    at: Callable[[float], tuple[float, float]],
    length: float,
) -> float:
    """Cost of a path by many samples, each taken at the cheapest side within 1e-6."""
    n = 4000
    total = 0.0
    points = np.array([at(length * (k + 0.5) / n) for k in range(n)])
    total = np.full(n, math.inf)
    for dx, dy in ((1e-5, 0.7e-5), (-1e-5, -0.7e-5), (0.7e-5, -1e-5), (-0.7e-5, 1e-5)):
        here = np.ones(n)
        for shape, f in shapes:
            inside = shapely.contains_xy(shape, points[:, 0] + dx, points[:, 1] + dy)
            here = np.where(inside, np.maximum(here, f), here)
        total = np.minimum(total, here)
    return float(total.mean() * length)


def chain_cost(
    curves: list[tuple[tuple[float, float], tuple[float, float]]],
    factors: list[float],
    a: tuple[float, float],
    b: tuple[float, float],
    n: int,
) -> float:
    """Least cost over n crossing points on each of a chain of segments, by brute force."""
    at = np.array([a])
    cost = np.zeros(1)
    for (p, q), factor in zip(curves, factors, strict=False):
        t = np.linspace(0.0, 1.0, n)[:, None]
        nxt = np.array(p) * (1 - t) + np.array(q) * t
        step = np.hypot(*(nxt[:, None, :] - at[None, :, :]).transpose(2, 0, 1))
        cost = (cost[None, :] + factor * step).min(axis=1)
        at = nxt
    return float((cost + factors[-1] * np.hypot(*(at - np.array(b)).T)).min())


def test_brute_force_over_crossing_points_of_layers() -> None:
    rng = random.Random(9)
    for _ in range(6):
        widths = [rng.uniform(0.3, 3.0) for _ in range(3)]
        factors = [rng.choice([1.0, 1.5, 2.0, 3.0, 4.0]) for _ in range(3)]
        edges = [0.0, widths[0], widths[0] + widths[1], sum(widths)]
        rings = [
            WeightedRing((edges[k], -9.0, edges[k + 1], -9.0, edges[k + 1], 9.0, edges[k], 9.0), f)
            for k, f in enumerate(factors)
        ]
        a, b = (-1.0, rng.uniform(-3, 3)), (edges[3] + 1.0, rng.uniform(-3, 3))
        curves = [((x, -9.0), (x, 9.0)) for x in edges]
        truth = chain_cost(curves, [1.0, *factors, 1.0], a, b, 1201)
        route = WeightedRouter(Field.of(), 0.0, WeightedGround(rings)).cheapest(a, [PointGoal(*b)])
        assert route is not None
        # Other chains may be cheaper (along an edge), so the brute force is an upper bound; the
        # route's own chain is checked by its ledger.
        assert route.lower <= truth + 1e-9
        assert route.upper <= truth + 0.001 + 1e-9


def test_contact_with_a_circle_is_the_least_over_its_points() -> None:
    ground = WeightedGround([WeightedRing((0.0, -9.0, 4.0, -9.0, 4.0, 9.0, 0.0, 9.0), 2.0)])
    slow = WeightedRouter(Field.of(), 0.0, ground)
    goal = CircleGoal(7.0, 2.0, 2.5)
    route = slow.cheapest((-2.0, -1.0), [goal])
    assert route is not None
    rim = [
        (7.0 + 2.5 * math.cos(t), 2.0 + 2.5 * math.sin(t))
        for t in np.linspace(math.pi - 1.0, math.pi + 1.0, 81)
    ]
    curves = [((0.0, -9.0), (0.0, 9.0)), ((4.0, -9.0), (4.0, 9.0))]
    truth = min(chain_cost(curves, [1.0, 2.0, 1.0], (-2.0, -1.0), p, 801) for p in rim)
    assert route.lower - 1e-9 <= truth
    assert route.upper <= truth + 0.001
    assert math.dist(route.path.end, (7.0, 2.0)) == pytest.approx(2.5, abs=1e-9)


def test_fast_marching_agrees() -> None:
    skfmm = pytest.importorskip("skfmm")
    ground = WeightedGround([WeightedRing((2.0, 2.0, 8.0, 2.0, 8.0, 7.0, 2.0, 7.0), 2.0)])
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.0, ground)
    h = 0.02
    xs = (np.arange(600) + 0.5) * h
    px, py = np.meshgrid(xs, xs, indexing="ij")
    speed = np.where((px > 2) & (px < 8) & (py > 2) & (py < 7), 0.5, 1.0)
    a = (1.01, 4.51)
    phi = np.hypot(px - a[0], py - a[1]) - 0.1
    time = skfmm.travel_time(phi, speed, dx=h)
    for x, y in ((5.01, 4.51), (9.01, 4.51), (7.51, 6.51), (11.01, 8.01)):
        route = slow.cheapest(a, [PointGoal(x, y)])
        assert route is not None
        assert route.upper == pytest.approx(float(time[int(x / h), int(y / h)]) + 0.1, abs=0.08)


# Everywhere from one search.


@pytest.mark.parametrize("factor", [1.25, 2.0, 4.0])
def test_reach_over_a_half_plane_keeps_snells_law(factor: float) -> None:
    rng = random.Random(int(8 * factor))
    slow = WeightedRouter(
        Field.of(),
        0.5,
        WeightedGround([WeightedRing((0.0, -FAR, FAR, -FAR, FAR, FAR, 0.0, FAR), factor)]),
    )
    a = 2.0
    reach = slow.reach((-a, 0.0), 12.0)
    for _ in range(40):
        b, h = rng.uniform(0.02, 3.0), rng.uniform(-8.0, 8.0)
        truth = least(
            lambda y, b=b, h=h: math.hypot(a, y) + factor * math.hypot(b, h - y),
            min(0.0, h),
            max(0.0, h),
        )
        cost = reach.cost(b, h)
        assert cost == math.inf if truth > 12.0 else cost == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize("factor", [1.5, 3.0])
def test_reach_over_two_half_planes(factor: float) -> None:
    # Free ground, a strip, slower ground without end.
    rings = [
        WeightedRing((0.0, -FAR, 2.0, -FAR, 2.0, FAR, 0.0, FAR), factor),
        WeightedRing((2.0, -FAR, FAR, -FAR, FAR, FAR, 2.0, FAR), 2.0 * factor),
    ]
    reach = WeightedRouter(Field.of(), 0.5, WeightedGround(rings)).reach((-1.0, 0.0), 14.0)
    rng = random.Random(3)
    seen = 0
    for _ in range(20):
        b, h = rng.uniform(0.05, 1.0), rng.uniform(-4.0, 4.0)
        truth = least(
            lambda y, b=b, h=h: (
                math.hypot(1.0, y)
                + least(
                    lambda z: factor * math.hypot(2.0, z - y) + 2.0 * factor * math.hypot(b, h - z),
                    -5.0,
                    5.0,
                )
            ),
            -5.0,
            5.0,
        )
        cost = reach.cost(2.0 + b, h)
        assert cost == math.inf if truth > 14.0 else cost == pytest.approx(truth, abs=1e-5)
        seen += truth <= 14.0
    assert seen > 5


def test_reach_behind_a_slow_circle() -> None:
    radius, d = 2.0, 4.0
    for factor in (1.2, 1.5, 3.0):
        slow = WeightedRouter(
            Field.of(), 0.5, WeightedGround([WeightedDisc(0.0, 0.0, radius, factor)])
        )
        reach = slow.reach((-d, 0.0), 12.0)
        turn = math.pi - 2.0 * math.acos(radius / d)
        round_it = 2.0 * math.sqrt(d * d - radius * radius) + radius * turn
        through = min(
            2.0 * math.hypot(d - radius * math.cos(t), radius * math.sin(t))
            + 2.0 * factor * radius * math.cos(t)
            for t in np.linspace(0.0, math.acos(radius / d), 20001)
        )
        truth = min(round_it, through)
        assert truth - 1e-6 <= reach.cost(d, 0.0) <= truth + 0.001
        assert reach.cost(0.0, 0.0) == pytest.approx(d - radius + factor * radius, abs=1e-9)
        shown = reach.witness(d, 0.0)
        assert shown is not None
        assert shown[0] == pytest.approx(reach.cost(d, 0.0), abs=1e-7)


def test_fast_marching_agrees_on_the_whole_reach() -> None:
    skfmm = pytest.importorskip("skfmm")
    rng = random.Random(11)
    h = 0.04
    xs = (np.arange(300) + 0.5) * h
    px, py = np.meshgrid(xs, xs, indexing="ij")
    compared = 0
    for _ in range(4):
        ground, shapes, field, free, r = table(rng)
        a = (float(xs[rng.randrange(300)]), float(xs[rng.randrange(300)]))
        shapely.prepare(free)
        if not free.buffer(-0.2).contains(shapely.Point(a)):
            continue
        speed = np.ones_like(px)
        for shape, f in shapes:
            speed = np.where(shapely.contains_xy(shape, px, py), np.minimum(speed, 1.0 / f), speed)
        here = ground.factor(*a)
        phi = np.ma.array(
            np.hypot(px - a[0], py - a[1]) - 0.1, mask=~shapely.contains_xy(free, px, py)
        )
        times = skfmm.travel_time(phi, speed, dx=h, narrow=8.0).filled(np.nan) + 0.1 * here
        reach = WeightedRouter(field, r, ground).reach(a, 7.0)
        errors = []
        for _ in range(60):
            i, j = rng.randrange(300), rng.randrange(300)
            cost = reach.cost(float(xs[i]), float(xs[j]))
            if math.isfinite(cost) and math.isfinite(times[i, j]):
                errors.append(abs(cost - times[i, j]))
        errors.sort()
        compared += len(errors)
        # The raster leaks through corners and rounds the borders of ground to its cells.
        assert not errors or errors[int(0.9 * (len(errors) - 1))] < 0.25
    assert compared > 30


def test_no_cost_of_a_reach_contradicts_a_proven_bracket(budget: Callable[[int, int], int]) -> None:
    count = budget(14, 20_000)
    rng = random.Random(17)
    checked = slower = 0
    long = count > 1000
    while checked < count:
        ground, _, field, free, r = table(rng)
        slow = WeightedRouter(field, r, ground)
        a = (rng.uniform(0.5, 11.5), rng.uniform(0.5, 11.5))
        if not free.contains(shapely.Point(a)):
            continue
        limit = rng.uniform(2.0, 12.0)
        reach = slow.reach(a, limit)
        for _ in range(40 if long else 6):
            b = (rng.uniform(0.4, 11.6), rng.uniform(0.4, 11.6))
            cost = reach.cost(*b)
            eps = 0.001 if long else 0.05
            route = slow.cheapest(a, [PointGoal(*b)], eps, limit)
            checked += 1
            if route is None:
                assert cost == math.inf, (a, b, limit)
                continue
            slower += route.upper > math.dist(a, b) + 1e-6
            assert cost >= route.lower - 1e-9, (a, b, limit)
            if route.upper <= limit:
                assert cost <= route.upper + 0.001, (a, b, limit)
    assert slower > 0.2 * checked


def test_of_two_ways_to_a_place_close_to_a_border_the_cheaper_is_taken() -> None:
    # Along the side of the slower ground and in, or across the slow strip: at the nodes of the side
    # next to the place the second is cheaper, but the first is left from between two of them.
    def box(x: float, y: float, u: float, v: float, factor: float) -> WeightedRing:
        return WeightedRing((x, y, u, y, u, v, x, v), factor)

    ground = WeightedGround(
        [
            box(3.9185548127353185, 6.866449711485645, 6.302719835, 11.132503814, 4.0),
            box(1.752012228, 2.936725193, 3.955668135814421, 4.475962693, 1.5),
            box(3.6385293301280637, 7.13344806312485, 6.989882236, 8.139775657, 2.0),
        ]
    )
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, ground)
    start, place = (4.494555638131825, 1.1675126171925596), (3.939282657875258, 7.656560299096333)
    route = slow.cheapest(start, [PointGoal(*place)])
    assert route is not None
    assert route.upper < 7.1131
    reach = slow.reach(start, 11.7)
    assert route.lower - 1e-9 <= reach.cost(*place) <= route.upper + 1e-6
    shown = reach.witness(*place)
    assert shown is not None
    assert shown[0] == pytest.approx(reach.cost(*place), abs=1e-7)


def test_a_run_along_an_edge_into_a_slow_circle_is_paid_for() -> None:
    ring = (5.7, 7.3, 7.5, 7.3, 7.5, 12.0, 5.7, 12.0)
    ground = WeightedGround([WeightedRing(ring, 4.0), WeightedDisc(5.6, 7.35, 1.6, 1.5)])
    slow = WeightedRouter(Field.of(), 0.5, ground)
    reach = slow.reach((6.1, 11.3), 11.0)
    route = slow.cheapest(reach.start, [PointGoal(6.4, 5.5)], 0.05)
    assert route is not None
    assert route.lower - 1e-9 <= reach.cost(6.4, 5.5) <= route.upper + 0.005


def test_a_way_through_a_narrow_wedge_is_slid_all_the_way() -> None:
    # Into the tip of one area between two sides that meet at a small angle: sliding one crossing
    # after the other comes to rest slowly there.
    def box(x: float, y: float, u: float, v: float, factor: float) -> WeightedRing:
        return WeightedRing((x, y, u, y, u, v, x, v), factor)

    wedge = (
        0.46771598227792044, 2.5942436591578906, 4.694907053461981, 2.5942436591578906,
        2.158592410751545, 3.442546072698512, 4.694907053461981, 4.290848486239135,
        0.46771598227792044, 4.290848486239135,
    )  # fmt: skip
    ground = WeightedGround(
        [
            WeightedRing(wedge, 1.5),
            box(1.019853690346931, 1.7533860686838088, 4.129315454, 3.175258954460153, 1.5),
            box(4.533203864, 6.329318972, 6.149631689, 9.155203357, 1.5),
        ]
    )
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, ground)
    reach = slow.reach((2.6566378738035503, 5.04665251880056), 9.46)
    place = (5.347511543813655, 0.6745387442679867)
    route = slow.cheapest(reach.start, [PointGoal(*place)])
    assert route is not None
    assert route.lower - 1e-9 <= reach.cost(*place) <= route.upper + 1e-5


def test_a_way_that_would_slide_over_a_corner_slides_up_to_it() -> None:
    def box(x: float, y: float, u: float, v: float, factor: float) -> WeightedRing:
        return WeightedRing((x, y, u, y, u, v, x, v), factor)

    left, top = 6.777230357973612, 5.331396878547275
    notched = (
        left, 1.6752806346868594, 11.298509502301133, 1.6752806346868594, 8.585742015704621,
        3.503338756617067, 11.298509502301133, top, left, top,
    )  # fmt: skip
    ground = WeightedGround(
        [
            box(5.5807188915395445, 4.351285937767653, 8.499126497, 6.315319445632582, 1.5),
            WeightedRing(notched, 2.0),
        ]
    )
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, ground)
    reach = slow.reach((6.790353594381967, 8.93285733014442), 6.12)
    place = (6.862963769747761, 4.644199890453452)
    route = slow.cheapest(reach.start, [PointGoal(*place)])
    assert route is not None
    assert route.lower - 1e-9 <= reach.cost(*place) <= route.upper + 5e-5


def test_an_outline_parts_the_corners_of_its_mesh_as_their_costs_do(
    budget: Callable[[int, int], int],
) -> None:
    # Blocks, rooms and legs seen from blocks are told by bounds; here every corner is asked.
    count, step = budget(2, 150), 0.4
    rng = random.Random(23)
    inside = outside = done = 0
    while done < count:
        ground, *_, r = table(rng)
        corners = [(rng.uniform(0.5, 11.0), rng.uniform(0.5, 11.0)) for _ in range(10)]
        sizes = [(rng.uniform(0.1, 1.5), rng.uniform(0.1, 1.5)) for _ in corners]
        solids = [
            [x, y, x + w, y, x + w, y + h, x, y + h]
            for (x, y), (w, h) in zip(corners, sizes, strict=True)
        ]
        field = Field.of(width=12.0, depth=12.0, solids=solids)
        start = (rng.uniform(0.5, 11.5), rng.uniform(0.5, 11.5))
        slow = WeightedRouter(field, r, ground)
        if not field.standable(*start, r):
            continue
        done += 1
        level = rng.uniform(4.0, 9.0)
        reach = slow.reach(start, level)
        region = shapely.Polygon()
        border = []
        for ring in reach.outline(resolution=step).rings:
            border.append(shapely.LinearRing(ring))
            region = region.symmetric_difference(shapely.Polygon(ring).buffer(0.0))
        edge = shapely.union_all(border)
        n = 16 * math.ceil((level + step) / (8.0 * step)) + 1
        for i, j in product(range(n), repeat=2):
            x, y = start[0] + step * (i - (n - 1) // 2), start[1] + step * (j - (n - 1) // 2)
            spot = shapely.Point(x, y)
            if border and edge.distance(spot) < 1e-6:
                continue
            within = reach.cost(x, y) <= level
            assert bool(region.contains(spot)) == within, (start, level, x, y)
            inside += within
            outside += not within
    assert min(inside, outside) > 20 * done
