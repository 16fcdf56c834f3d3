"""Ways and places of a survey: along borders, the nearest of many, where two sides meet, gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tapeline.analysis.survey_figures import Array
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.plane.distance import point_ring, segment_segment
from tapeline.geometry.plane.legs import Path, Point
from tapeline.table.terrain import Circle, Outline

__all__ = [
    "ON",
    "border_of",
    "depth_in",
    "front_of",
    "gap_between",
    "inset",
    "nearest_ways",
    "places_along",
]


#: Length: places nearer to a border than this are on it.
ON = 1e-6


def depth_in(outline: Outline, x: float, y: float) -> float:
    """How deep a point is inside; negative outside."""
    if isinstance(outline, Circle):
        return outline.radius - math.hypot(x - outline.x, y - outline.y)
    return -point_ring(x, y, outline.ring)[0]


def inset(outline: Outline, r: float, apart: float) -> Iterator[Point]:
    """Places r inside the border of an outline, no farther apart than that along it."""
    if isinstance(outline, Circle):
        radius = outline.radius - r
        count = 4 * max(1, math.ceil(math.tau * max(radius, 0.0) / apart / 4))
        for k in range(count if radius >= 0.0 else 0):
            t = math.tau * k / count
            yield outline.x + radius * math.cos(t), outline.y + radius * math.sin(t)
        return
    corners = outline.corners
    n = len(corners)
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy) = corners[i - 1], corners[i], corners[(i + 1) % n]
        long = math.dist((ax, ay), (bx, by))
        ux, uy = (bx - ax) / long, (by - ay) / long
        count = max(1, math.ceil(long / apart))
        for k in range(count + 1):
            x, y = ax + ux * long * k / count, ay + uy * long * k / count
            yield x - uy * r, y + ux * r
        wide = math.dist((bx, by), (cx, cy))
        vx, vy = (cx - bx) / wide, (cy - by) / wide
        turn = ux * vy - uy * vx
        if turn > ON:
            # Where the two lines r inside meet.
            s = r * (1.0 - ux * vx - uy * vy) / turn
            yield bx - ux * s - uy * r, by - uy * s + ux * r
        elif turn < -ON and r > 0.0:
            begin, sweep = math.atan2(ux, -uy), math.asin(max(-1.0, turn))
            steps = max(2, math.ceil(abs(sweep) * r / apart) + 1)
            for k in range(steps + 1):
                t = begin + sweep * k / steps
                yield bx + r * math.cos(t), by + r * math.sin(t)


def nearest_ways(
    field: Field, r: float, sources: Array, places: Array
) -> tuple[Array, npt.NDArray[np.int64]]:
    """Length of the way from the nearest source to each place, and which source that is.

    One search a place, to whichever source is nearest; the way is then asked for from that source,
    as its length may differ in the last digit from that of the way back. Of sources as near it is
    the first by straight distance. No search looks farther than the way of the place before it and
    the straight leg from there, if that leg is free. Sources and places are such where the base may
    stand.
    """
    best = np.full(len(places), math.inf)
    at = np.zeros(len(places), dtype=np.int64)
    goals = [PointGoal(x, y) for x, y in sources.tolist()]
    pairs: list[tuple[int, int]] = []
    before, limit = (0.0, 0.0), math.inf
    for i, (x, y) in enumerate(places.tolist()):
        straight = np.hypot(*(sources - (x, y)).T)
        known = math.isfinite(limit) and field.straight(*before, x, y, r)
        limit = limit + math.dist(before, (x, y)) + ON if known else math.inf
        near = np.argsort(straight, kind="stable")
        near = near[straight[near] <= limit]
        found = field.route((x, y), [goals[k] for k in near], r, limit=limit).route
        ties = () if found is None else (found, *found.ties)
        pairs += [(i, int(near[k])) for k in sorted(one.goal for one in ties)]
        before, limit = (x, y), math.inf if found is None else found.length
    if pairs:
        rows, from_ = np.array(pairs).T
        lengths = np.asarray(field.routes(sources[from_], places[rows], r).lengths)
        for i, k, length in zip(rows.tolist(), from_.tolist(), lengths.tolist(), strict=True):
            if length < best[i]:
                best[i], at[i] = length, k
    return best, at


def front_of(lead: Array) -> npt.NDArray[np.bool_]:
    """Squares where who is first changes towards a neighbour, and those reached together."""
    front: npt.NDArray[np.bool_] = lead == 0.0
    behind = lead > 0.0
    known = np.isfinite(lead)
    across = known[:, 1:] & known[:, :-1] & (behind[:, 1:] != behind[:, :-1])
    along = known[1:] & known[:-1] & (behind[1:] != behind[:-1])
    front[:, 1:] |= across
    front[:, :-1] |= across
    front[1:] |= along
    front[:-1] |= along
    return front


def border_of(inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Squares inside with a neighbour outside, or at the edge of the table: a base keeps off it."""
    framed = np.pad(inside, 1)
    whole = framed[:-2, 1:-1] & framed[2:, 1:-1] & framed[1:-1, :-2] & framed[1:-1, 2:]
    found: npt.NDArray[np.bool_] = inside & ~whole
    return found


def places_along(path: Path, apart: float) -> list[Point]:
    """Places along a path, no farther apart than that."""
    count = max(1, math.ceil(path.length / apart))
    return [path.at(path.length * k / count) for k in range(count + 1)]


def gap_between(a: Sequence[float], b: Sequence[float]) -> tuple[float, Point, tuple[Point, Point]]:
    """Least distance of two rings or segments, the middle of it and its ends."""
    best: tuple[float, ...] = (math.inf,) * 5
    for i in range(0, len(a) if len(a) > 4 else 2, 2):
        j = (i + 2) % len(a)
        for k in range(0, len(b) if len(b) > 4 else 2, 2):
            m = (k + 2) % len(b)
            found = segment_segment(a[i], a[i + 1], a[j], a[j + 1], b[k], b[k + 1], b[m], b[m + 1])
            best = min(best, found)
    d, ax, ay, bx, by = best
    return d, (0.5 * (ax + bx), 0.5 * (ay + by)), ((ax, ay), (bx, by))
