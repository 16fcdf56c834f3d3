"""Ground that costs 2 or 4 times its length: proven routes and reach, against fast marching."""

from __future__ import annotations

import math
import random
from functools import partial

import numpy as np
from shapely import LineString, Polygon
from shapely import Point as GeosPoint
from shapely.geometry.polygon import orient

from bench.harness import (
    DisagreementError,
    Figure,
    Setting,
    Timing,
    compare,
    duration,
    say,
    time_each,
)
from bench.jobs.route import LIMIT
from bench.peers.marching import Raster
from bench.scenes import outlines
from bench.tables import Point, Table, places_of, random_table
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.weighted.reach import RESOLUTION, WeightedOutline, WeightedReach
from tapeline.geometry.weighted.regions import WeightedGround, WeightedRing
from tapeline.geometry.weighted.route import WeightedRoute, WeightedRouter

__all__ = ["slow_ground"]

_EPS = 0.001
#: Worst error known of the raster at 0.02 in, factor 4, with room.
_RASTER_ERROR = 0.15


def _areas(table: Table, count: int) -> list[tuple[Polygon, float]]:
    """Disjoint slow areas with their factors; terrain may stand in them."""
    shapes = outlines(count, table.width, table.depth, 2)
    return [(shape, (2.0, 4.0)[k % 2]) for k, shape in enumerate(shapes)]


def _router(table: Table, areas: list[tuple[Polygon, float]], compiled: bool) -> WeightedRouter:
    rings = [
        WeightedRing(tuple(float(v) for c in orient(s).exterior.coords[:-1] for v in c), factor)
        for s, factor in areas
    ]
    return WeightedRouter(table.field(compiled), table.radius, WeightedGround(rings))


def _cost(route: WeightedRoute, areas: list[tuple[Polygon, float]]) -> float:
    """What a path costs, by shapely; arcs as 2000 chords a path."""
    if not route.path.legs:
        return 0.0
    corners = [leg.start for leg in route.path.legs] + [route.path.end]
    marks = [k / 2000.0 * route.length for k in range(2001)]
    total = 0.0
    for leg in route.path.legs:
        marks.append(total)
        total += leg.length
    points = [route.path.at(m) for m in sorted(marks)]
    if len(corners) < 2:
        return 0.0
    line = LineString(points)
    # A run along an edge costs what the ground outside does, whatever the rounding of its places.
    open_areas = ((shape.buffer(-1e-6), f) for shape, f in areas)
    slower = (float(line.intersection(shape).length) * (f - 1.0) for shape, f in open_areas)
    return float(line.length) + sum(slower)


def _check(
    table: Table, areas: list[tuple[Polygon, float]], route: WeightedRoute, marched: float
) -> None:
    what = f"{table.name}: route to {route.path.end if route.path.legs else 'its start'}"
    if route.upper - route.lower > _EPS + 1e-9:
        raise DisagreementError(f"{what}: the bracket is {route.upper - route.lower:.6f} wide")
    again = _cost(route, areas)
    if abs(again - route.upper) > 2e-4:
        raise DisagreementError(f"{what}: costs {route.upper:.6f}, by shapely {again:.6f}")
    if not table.field(True).follows(route.path, table.radius, slack=1e-7):
        raise DisagreementError(f"{what}: the path runs into something")
    if math.isfinite(marched) and marched < route.lower - _RASTER_ERROR:
        raise DisagreementError(f"{what}: at least {route.lower:.6f}, raster {marched:.6f}")


def _ask(router: WeightedRouter, start: Point, goal: Point) -> WeightedRoute | None:
    return router.cheapest(start, [PointGoal(*goal)], _EPS, LIMIT)


def _search(router: WeightedRouter, start: Point) -> WeightedReach:
    reach = router.reach(start, LIMIT)
    reach.search()
    return reach


def _search_and_outline(router: WeightedRouter, start: Point) -> WeightedOutline:
    return router.reach(start, LIMIT).outline(_EPS)


def _check_reach(
    table: Table, reach: WeightedReach, goal: Point, found: WeightedRoute | None
) -> float:
    """How far the reach's cost of a place is above the lower bound proven for it."""
    cost = reach.cost(*goal)
    where = f"{table.name}: {reach.start} to {goal}"
    if found is None:
        if cost <= LIMIT:
            raise DisagreementError(f"{where}: costs {cost:.6f}, proven to cost more than {LIMIT}")
        return 0.0
    if cost < found.lower - 1e-9:
        raise DisagreementError(f"{where}: costs {cost:.6f}, proven at least {found.lower:.6f}")
    if found.upper <= LIMIT and cost > found.upper + _EPS:
        raise DisagreementError(f"{where}: costs {cost:.6f}, though {found.upper:.6f} will do")
    if cost > LIMIT:
        return 0.0
    shown = reach.witness(*goal)
    if shown is None or abs(shown[0] - cost) > 1e-6:
        raise DisagreementError(f"{where}: its way does not cost {cost:.6f}")
    if not table.field(True).follows(shown[1], table.radius, slack=1e-7):
        raise DisagreementError(f"{where}: its way runs into something")
    return cost - found.lower


def _check_outline(
    table: Table, reach: WeightedReach, rng: random.Random, times: np.ndarray, raster: Raster
) -> int:
    """Outline and costs agree on places of the raster, but for those a square from the border."""
    border = [LineString([*ring, ring[0]]) for ring in reach.outline(_EPS).rings]
    inside = Polygon()
    for line in border:
        inside = inside.symmetric_difference(Polygon(line.coords).buffer(0.0))
    rows, columns = np.nonzero(np.ones(times.shape, dtype=bool))
    checked = 0
    for _ in range(400):
        k = rng.randrange(len(rows))
        x, y = float(raster.xs[columns[k]]), float(raster.ys[rows[k]])
        spot = GeosPoint(x, y)
        if (
            min((float(line.distance(spot)) for line in border), default=math.inf)
            < 0.7 * RESOLUTION
        ):
            continue
        checked += 1
        if bool(inside.contains(spot)) != reach.contains(x, y):
            raise DisagreementError(
                f"{table.name}: from {reach.start} the outline and the cost of {(x, y)} differ"
            )
    return checked


def slow_ground(setting: Setting) -> list[Figure]:
    """One place proven; everywhere from one search; its outline. The peer gives all places."""
    figures = []
    for pieces, count in ((20, 12), (60, 12)):
        table = random_table(pieces)
        areas = _areas(table, count)
        router = _router(table, areas, True)
        size = f"{pieces} pieces, 40 models, {count} slow areas"
        rng = random.Random(f"slow-{table.name}")
        calls, searches, borders, marches, errors = [], [], [], [], []
        cut = spots = 0
        gap = 0.0
        for start in places_of(table, setting.count(4, 2), 19):
            say(f"    {pieces} pieces, from {start[0]:.1f}, {start[1]:.1f}")
            raster = Raster(table, start, LIMIT, 0.02, areas)
            times = raster.march()
            reach = _search(router, start)
            rows, columns = np.nonzero(times < LIMIT - 0.5)
            for _ in range(setting.count(40, 10)):
                k = rng.randrange(len(rows))
                goal = (float(raster.xs[columns[k]]), float(raster.ys[rows[k]]))
                found = _ask(router, start, goal)
                marched = float(times[rows[k], columns[k]])
                gap = max(gap, _check_reach(table, reach, goal, found))
                if found is None:
                    # A cell may leak where a disc does not pass; a place well inside may not.
                    cut += 1
                    continue
                _check(table, areas, found, marched)
                errors.append(abs(marched - found.upper))
                calls.append(partial(_ask, router, start, goal))
            spots += _check_outline(table, reach, rng, times, raster)
            searches.append(partial(_search, router, start))
            borders.append(partial(_search_and_outline, router, start))
            marches.append(raster.march)
        if cut > len(calls):
            raise DisagreementError(f"{table.name}: {cut} places reached by the raster, not by us")
        errors.sort()
        peer = time_each(marches, 2).median
        timing: Timing = time_each(calls, 1)
        figures.append(
            compare(
                f"slow ground, one place, bracket {_EPS}",
                size,
                timing.median,
                peer,
                "scikit-fmm, 0.02 in, all places",
                None,
                f"{len(calls)} brackets hold, 95 %: {duration(timing.high)}; raster off by "
                f"{errors[len(errors) // 2]:.3f} in (median), {errors[-1]:.3f} (worst)",
            )
        )
        figures.append(
            compare(
                "reach over slow ground, search",
                size,
                time_each(searches, 5).median,
                peer,
                "scikit-fmm, 0.02 in",
                20.0,
                f"{len(calls)} costs within {gap:.6f} in of the least, as proven one by one",
            )
        )
        figures.append(
            compare(
                f"reach over slow ground, search and outline, squares of {RESOLUTION} in",
                size,
                time_each(borders, 2).median,
                peer,
                "scikit-fmm, 0.02 in, no outline",
                20.0,
                f"{spots} places agree on being inside",
            )
        )
    return figures
