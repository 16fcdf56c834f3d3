"""Routes against two programs of others: exact ones among polygons, and a raster's arrival times.

Development-only peers: extremitypathfinder (shortest paths of a point among polygons) and
scikit-fmm (fast marching). Nothing but these tests and bench/ uses them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry import box
from shapely.geometry.polygon import orient

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.discs.reach import reach
from tapeline.geometry.discs.shortest_path import shortest

pytestmark = pytest.mark.compiled

SIDE = 20.0


def scattered(rng: random.Random, count: int) -> list[Polygon]:
    """Boxes and L shapes, turned anyhow, 0.3 apart or more and off the border."""
    found: list[Polygon] = []
    while len(found) < count:
        w, h = rng.uniform(1.0, 5.0), rng.uniform(0.6, 3.0)
        shape: Polygon = box(0.0, 0.0, w, h)
        if rng.random() < 0.4:
            shape = shape.difference(box(0.4 * w, 0.4 * h, w + 1.0, h + 1.0))
        shape = rotate(shape, rng.uniform(0.0, 360.0), origin=(0.0, 0.0))
        shape = translate(shape, rng.uniform(2.0, SIDE - 2.0), rng.uniform(2.0, SIDE - 2.0))
        inside = box(0.3, 0.3, SIDE - 0.3, SIDE - 0.3).contains(shape)
        if inside and all(shape.distance(other) > 0.3 for other in found):
            found.append(shape)
    return found


def corners_of(shape: Polygon) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in orient(shape).exterior.coords[:-1]]


def free_place(rng: random.Random, shapes: list[Polygon], off: float) -> tuple[float, float]:
    while True:
        place = (rng.uniform(off, SIDE - off), rng.uniform(off, SIDE - off))
        if all(shape.distance(shapely.Point(place)) > off for shape in shapes):
            return place


def test_points_among_polygons_as_extremitypathfinder(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Unless it is told not to, it compiles its functions as it is imported, which takes seconds.
    monkeypatch.setattr("numba.config.DISABLE_JIT", True)
    peer = pytest.importorskip("extremitypathfinder")
    monkeypatch.undo()
    rng = random.Random(61)
    bent = 0
    for _ in range(budget(3, 400)):
        shapes = scattered(rng, rng.randint(6, 14))
        field = Field.of(width=SIDE, depth=SIDE, solids=[np.ravel(corners_of(s)) for s in shapes])
        space = peer.PolygonEnvironment()
        frame = [(0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE)]
        space.store(frame, [corners_of(s)[::-1] for s in shapes], validate=False)
        for _ in range(6):
            a, b = free_place(rng, shapes, 0.01), free_place(rng, shapes, 0.01)
            path, theirs = space.find_shortest_path(a, b)
            route = shortest(field, a, [PointGoal(*b)], 0.0).route
            assert route is not None
            assert theirs is not None
            assert math.isclose(route.length, theirs, abs_tol=1e-9), (a, b)
            bent += len(path) > 2
    assert bent >= 5


def march(
    free: shapely.Geometry, x: np.ndarray, y: np.ndarray, start: tuple[float, float], h: float
) -> np.ndarray:
    """Arrival times on a raster of cells h, from a small circle about the start."""
    skfmm = pytest.importorskip("skfmm")
    shapely.prepare(free)
    phi = np.hypot(x - start[0], y - start[1]) - 2.0 * h
    shut = ~shapely.contains_xy(free, x, y)
    times = skfmm.travel_time(np.ma.array(phi, mask=shut), np.ones_like(phi), dx=h, order=2)
    return np.asarray(times.filled(np.inf)) + 2.0 * h


def test_arrival_times_as_scikit_fmm(budget: Callable[[int, int], int]) -> None:
    """A raster errs at corners, by a few cells: the bound is the one its own figures give.

    Second-order marching in free ground is exact to less than a cell; at each corner it turns it
    loses up to about one cell, and obstacles are drawn half a cell too large or too small. Bases
    must not pass where the raster says there is no way, nor the other way round, but for openings
    of about a cell.
    """
    rng = random.Random(62)
    h, r, budget_in = 0.05, 0.5, 9.0
    checked = bent = 0
    for _ in range(budget(2, 80)):
        shapes = scattered(rng, 10)
        field = Field.of(width=SIDE, depth=SIDE, solids=[np.ravel(corners_of(s)) for s in shapes])
        start = free_place(rng, shapes, r + 0.1)
        if not r + 0.1 < min(*start, SIDE - start[0], SIDE - start[1]):
            continue
        xs = np.arange(0.0, SIDE + h, h)
        x, y = np.meshgrid(xs, xs)
        free = box(r, r, SIDE - r, SIDE - r).difference(
            shapely.union_all([shape.buffer(r, quad_segs=64) for shape in shapes])
        )
        arrival = march(free, x, y, start, h)
        # With openings of about a cell: what there may be at best.
        best = march(free.buffer(1.5 * h), x, y, start, h)
        got = reach(field, start, r, budget_in)
        for _ in range(120):
            i, j = rng.randrange(len(xs)), rng.randrange(len(xs))
            place = (float(xs[j]), float(xs[i]))
            # Cells on a rim, or seen through an opening of a cell, say nothing.
            if not free.buffer(-2.0 * h).contains(shapely.Point(place)):
                continue
            theirs = float(arrival[i, j])
            ours = got.cost(*place)
            if theirs < budget_in - 0.3:
                assert ours <= theirs + 2.0 * h, (start, place)
                checked += 1
                bent += ours > math.dist(start, place) + 1e-6
            assert ours >= best[i, j] - 0.3, (start, place)
    assert checked >= 30
    assert bent >= 5
