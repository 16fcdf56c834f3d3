"""Ways and places of a survey: along borders, the nearest of many, where two sides meet, gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tapeline.analysis.survey_figures import Array
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.many_goals import REASONS
from tapeline.geometry.plane.distance import point_ring, segment_segment
from tapeline.geometry.plane.legs import Path
from tapeline.table.terrain import Circle, Outline, Point

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


#: Into how many parts places are split by how short a way is known.
_TOGETHER = 16
#: Codes of routes that are there, or may be beyond a limit.
_OPEN = (0, REASONS.index("limit"))
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

    Sources are tried in the order of their straight distance, which no way is shorter than, so few
    are; a source is left out where another that it is joined to found no way.
    """
    best = np.full(len(places), math.inf)
    at = np.zeros(len(places), dtype=np.int64)
    if not len(places):
        return best, at
    straight = np.hypot(*(places[:, None, :] - sources[None, :, :]).transpose(2, 0, 1))
    order = np.argsort(straight, axis=1, kind="stable")
    room = _rooms(field, r, sources)
    shut = np.zeros((len(places), int(room.max()) + 1), dtype=bool)
    rows = np.arange(len(places))
    for k in range(len(sources)):
        source = order[:, k]
        ask = rows[straight[rows, source] < best - 1e-12]
        if not len(ask):
            break
        ask = ask[~shut[ask, room[source[ask]]]]
        if not len(ask):
            continue
        # Those together of which about as short ways are known: longer ones are not looked for.
        for some in np.array_split(ask[np.argsort(best[ask], kind="stable")], _TOGETHER):
            if not len(some):
                continue
            found = field.routes(sources[source[some]], places[some], r, limit=best[some].max())
            lengths = np.asarray(found.lengths)
            closed = ~np.isin(found.codes, _OPEN)
            shut[some[closed], room[source[some[closed]]]] = True
            better = lengths < best[some]
            best[some[better]] = lengths[better]
            at[some[better]] = source[some[better]]
    return best, at


def _rooms(field: Field, r: float, sources: Array) -> npt.NDArray[np.int64]:
    """Which sources are joined by ways: the same number for those that are."""
    room = np.full(len(sources), -1, dtype=np.int64)
    while (room < 0).any():
        left = np.flatnonzero(room < 0)
        found = np.asarray(field.routes([sources[left[0]]], sources[left], r).lengths)
        room[left[np.isfinite(found)]] = room.max() + 1
        if room[left[0]] < 0:
            room[left[0]] = room.max() + 1
    return room


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
