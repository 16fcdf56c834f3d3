"""Reach within 12 in: the search and single answers, against fast marching on a raster."""

from __future__ import annotations

import math
import random
from functools import partial

import numpy as np
from shapely import LinearRing
from shapely import Point as GeosPoint

from bench.harness import DisagreementError, Figure, Setting, compare, duration, say, time_each
from bench.jobs.route import LIMIT, bracket, route_length
from bench.peers.marching import Raster
from bench.tables import Point, Table, groups, places_of
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.reach import DiscReach, Outline

__all__ = ["check_against_raster", "outline", "reaching"]

#: Chords of the outline keep this near the border, in.
EPS = 0.001
#: Length: where the raster is off by more, the bracket must say that ours is right.
_RASTER_ERROR = 0.4


def check_against_raster(
    table: Table, found: DiscReach, raster: Raster, rng: random.Random, count: int
) -> float:
    """Compare costs at random cells; gives the raster's error at 95 % of them.

    Where the raster's cells leak through a gap or shut one it is far off. Who is right there is
    told by the exact bracket: DisagreementError if it is not us.
    """
    times = raster.march()
    rows, columns = np.nonzero(np.isfinite(times))
    errors, far = [], []
    for _ in range(count):
        k = rng.randrange(len(rows))
        x, y = float(raster.xs[columns[k]]), float(raster.ys[rows[k]])
        mine, theirs = found.cost(x, y), float(times[rows[k], columns[k]])
        if math.isfinite(mine) and mine < raster.budget - _RASTER_ERROR:
            errors.append(abs(mine - theirs))
            if errors[-1] > _RASTER_ERROR:
                far.append(((x, y), mine))
    errors.sort()
    bracket(table, [(found.start, place) for place, _ in far[:8]], [cost for _, cost in far[:8]])
    return errors[int(0.95 * (len(errors) - 1))] if errors else 0.0


def _check(table: Table, field: Field, start: Point, found: DiscReach, count: int) -> int:
    """Costs against routes of the same kernel, and against the exact bracket."""
    rng = random.Random(f"reach-{table.name}-{start}")
    pairs, costs = [], []
    for _ in range(count):
        d, angle = LIMIT * math.sqrt(rng.random()), rng.uniform(0.0, math.tau)
        place = (start[0] + d * math.cos(angle), start[1] + d * math.sin(angle))
        if not field.standable(*place, table.radius):
            if found.contains(*place):
                raise DisagreementError(f"{table.name}: {place} is not free, yet in reach")
            continue
        cost = found.cost(*place)
        length = route_length(table, field, (start, place))
        if cost != length and not abs(cost - length) <= 1e-9:
            raise DisagreementError(
                f"{table.name}: {start} to {place}: reach {cost:.9f}, route {length:.9f}"
            )
        pairs.append((start, place))
        costs.append(cost)
    bracket(table, pairs[:8], costs[:8])
    return len(pairs)


def _search_and_outline(table: Table, field: Field, start: Point) -> Outline:
    return field.reach(start, table.radius, LIMIT).outline(EPS)


def _check_outline(table: Table, found: DiscReach, count: int) -> int:
    """The outline and the exact membership agree but within eps of the border."""
    rng = random.Random(f"outline-{table.name}-{found.start}")
    border = found.outline(EPS)
    rings = [LinearRing(ring) for ring in border.rings]
    for _ in range(count):
        d, angle = 1.02 * LIMIT * math.sqrt(rng.random()), rng.uniform(0.0, math.tau)
        x, y = found.start[0] + d * math.cos(angle), found.start[1] + d * math.sin(angle)
        if found.contains(x, y) != border.contains(x, y):
            gap = min((float(ring.distance(GeosPoint(x, y))) for ring in rings), default=math.inf)
            if gap > EPS:
                raise DisagreementError(
                    f"{table.name}: from {found.start} the place {(x, y)} is "
                    f"{'in' if found.contains(x, y) else 'out of'} reach, the outline says "
                    f"otherwise, {gap:.6f} in from its border"
                )
    return count


def reaching(setting: Setting) -> list[Figure]:
    """The search against scikit-fmm at 0.05 in; then what one answer costs."""
    figures = []
    for group in groups(setting):
        say(f"    {group.name}")
        starts = max(2, setting.count(30, 8) // len(group.tables))
        searches, answers, marches, error, checked = [], [], [], 0.0, 0
        for table in group.tables:
            field = table.field(True)
            rng = random.Random(f"raster-{table.name}")
            for number, start in enumerate(places_of(table, starts, 13)):
                found = field.reach(start, table.radius, LIMIT)
                checked += _check(table, field, start, found, 12)
                searches.append(partial(field.reach, start, table.radius, LIMIT))
                if number < max(1, 6 // len(group.tables)):
                    raster = Raster(table, start, LIMIT, 0.05)
                    error = max(error, check_against_raster(table, found, raster, rng, 200))
                    marches.append(raster.march)
                x, y = start[0] + rng.uniform(-8, 8), start[1] + rng.uniform(-8, 8)
                answers.append(partial(found.cost, x, y))
        timing = time_each(searches, 3)
        figures.append(
            compare(
                "reach 12 in, search",
                group.name,
                timing.median,
                time_each(marches[:10], 2).median,
                "scikit-fmm, 0.05 in",
                100.0,
                f"{checked} costs agree with routes; 95 %: {duration(timing.high)}; "
                f"raster off by up to {error:.3f} in at 95 % of cells",
            )
        )
        figures.append(
            Figure(
                "reach 12 in, cost of one place",
                group.name,
                duration(time_each(answers, 5).median),
            )
        )
    return figures


def outline(setting: Setting) -> list[Figure]:
    """The search with its outline within 0.001 in, against the same march, which gives none."""
    figures = []
    for group in groups(setting):
        say(f"    {group.name}")
        count = max(1, setting.count(20, 10) // len(group.tables))
        calls, marches, checked = [], [], 0
        for table in group.tables:
            field = table.field(True)
            for number, start in enumerate(places_of(table, count, 13)):
                checked += _check_outline(table, field.reach(start, table.radius, LIMIT), 400)
                calls.append(partial(_search_and_outline, table, field, start))
                if number < max(1, 6 // len(group.tables)):
                    marches.append(Raster(table, start, LIMIT, 0.05).march)
        figures.append(
            compare(
                "reach 12 in, search and outline at 0.001 in",
                group.name,
                time_each(calls, 2).median,
                time_each(marches[:10], 2).median,
                "scikit-fmm, 0.05 in, no outline",
                20.0,
                f"{checked} places agree on being inside",
            )
        )
    return figures
