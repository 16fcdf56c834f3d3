"""Contours of a cost that can only be asked for point by point: squares marched, edges searched.

Costs are asked on a square mesh; where a contour passes between two neighbours its place on the
edge between them is sought. A corner has the cost of the contour within `eps`; between two corners
runs a chord across one square, and a part of the region that no point of the mesh meets is missed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import TypeAlias

import shapely

from tapeline.geometry.plane.legs import Point
from tapeline.table.solids import Ground

__all__ = ["Point", "Ring", "contours", "cut", "disc", "rings_area", "widened"]

Ring: TypeAlias = tuple[Point, ...]

#: Sides of a square: 0 south, 1 east, 2 north, 3 west. For each case (bit 0 south-west, 1
#: south-east, 2 north-east, 3 north-west inside) the sides a contour enters and leaves by, the
#: inside on its left.
_CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 3),),
    ((1, 0),),
    ((1, 3),),
    ((2, 1),),
    ((0, 3), (2, 1)),
    ((2, 0),),
    ((2, 3),),
    ((3, 2),),
    ((0, 2),),
    ((1, 0), (3, 2)),
    ((1, 2),),
    ((3, 1),),
    ((0, 1),),
    ((3, 0),),
    (),
)
#: The two saddles when the middle is inside: the two inside corners are joined.
_JOINED = {5: ((0, 1), (2, 3)), 10: ((1, 2), (3, 0))}


class _Costs:
    """The cost at points, asked for exactly only where bounds do not settle the question."""

    def __init__(
        self,
        cost: Callable[[float, float], float],
        bounds: Callable[[float, float], tuple[float, float]],
        box: tuple[float, float, float, float],
        progress: Callable[[int], None] | None,
    ) -> None:
        self._cost, self._bounds, self._box = cost, bounds, box
        self._progress = progress
        self._known: dict[Point, float] = {}
        self._near: dict[Point, tuple[float, float]] = {}

    def within(self, p: Point, level: float) -> bool:
        """Whether the cost at a point is at most that."""
        found = self._near.get(p)
        if found is None:
            x, y = p
            box = self._box
            inside = box[0] <= x <= box[2] and box[1] <= y <= box[3]
            found = self._near[p] = self._bounds(x, y) if inside else (math.inf, math.inf)
        if found[0] > level or found[1] <= level:
            return found[1] <= level
        return self.at(p) <= level

    def at(self, p: Point) -> float:
        """The cost at a point; infinite outside the box and where nothing leads."""
        found = self._known.get(p)
        if found is None:
            shut = self._near.get(p, (0.0, 0.0))[0] == math.inf
            found = self._known[p] = math.inf if shut else self._cost(*p)
            if self._progress is not None:
                self._progress(len(self._known))
        return found

    def between(self, a: Point, b: Point, level: float, eps: float) -> Point:
        """A point within the level, and within eps of it in cost or of a border in place."""
        low, high = 0.0, 1.0
        f, g = self.at(a) - level, self.at(b) - level
        length = math.dist(a, b)
        last, slack = 0, -f
        while slack > eps and (high - low) * length > eps:
            t = low + (high - low) * (f / (f - g) if math.isfinite(g) else 0.5)
            t = min(max(t, low + 0.02 * (high - low)), high - 0.02 * (high - low))
            p = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
            if not self.within(p, level):
                high, g = t, self.at(p) - level
                if last == -1:
                    f *= 0.5
                last = -1
            else:
                low, f = t, self.at(p) - level
                slack = -f
                if last == 1 and math.isfinite(g):
                    g *= 0.5
                last = 1
        return a[0] + low * (b[0] - a[0]), a[1] + low * (b[1] - a[1])


def contours(
    cost: Callable[[float, float], float],
    box: tuple[float, float, float, float],
    step: float,
    levels: Sequence[float],
    eps: float,
    *,
    bounds: Callable[[float, float], tuple[float, float]] | None = None,
    progress: Callable[[int], None] | None = None,
    stage: Callable[[int, int], None] | None = None,
) -> list[list[Ring]]:
    """For each level the rings round where the cost is at most that, inside on their left.

    box: least x, y, greatest x, y; the cost beyond it counts as infinite. step: side of a square.
    bounds: quick lower and upper bounds of the cost, so that `cost` is asked only where they
    leave it open. progress: called with how many places `cost` has been asked for. stage: called
    with how many points of the mesh are done for a level, and corners after them, and of how many
    as far as that is known: corners are when the mesh is done.
    """
    columns = math.ceil((box[2] - box[0]) / step) + 1
    rows = math.ceil((box[3] - box[1]) / step) + 1
    x0, y0 = box[0] - 0.5 * step, box[1] - 0.5 * step
    costs = _Costs(cost, bounds or (lambda x, y: (-math.inf, math.inf)), box, progress)
    xs = [x0 + step * i for i in range(columns + 1)]
    ys = [y0 + step * j for j in range(rows + 1)]
    return [
        _rings(costs, xs, ys, level, eps, stage or (lambda done, total: None)) for level in levels
    ]


def _rings(
    costs: _Costs,
    xs: Sequence[float],
    ys: Sequence[float],
    level: float,
    eps: float,
    stage: Callable[[int, int], None],
) -> list[Ring]:
    mesh = len(xs) * len(ys)
    within: list[list[bool]] = []
    for y in ys:
        within.append([])
        for x in xs:
            stage(len(within[-1]) + len(xs) * (len(within) - 1), mesh)
            within[-1].append(costs.within((x, y), level))
    follow: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    places: dict[tuple[int, int, int], Point] = {}

    def side(i: int, j: int, which: int) -> tuple[int, int, int]:
        """An edge of the mesh: its west or south end, and 0 if it runs east, 1 north."""
        if which == 0:
            return i, j, 0
        if which == 1:
            return i + 1, j, 1
        return (i, j + 1, 0) if which == 2 else (i, j, 1)

    def place(edge: tuple[int, int, int]) -> Point:
        found = places.get(edge)
        if found is None:
            i, j, up = edge
            a, b = (xs[i], ys[j]), (xs[i + 1 - up], ys[j + up])
            if not within[j][i]:
                a, b = b, a
            found = places[edge] = costs.between(a, b, level, eps)
        return found

    for j in range(len(ys) - 1):
        for i in range(len(xs) - 1):
            case = (
                within[j][i]
                + 2 * within[j][i + 1]
                + 4 * within[j + 1][i + 1]
                + 8 * within[j + 1][i]
            )
            pairs = _CASES[case]
            if case in _JOINED:
                middle = (0.5 * (xs[i] + xs[i + 1]), 0.5 * (ys[j] + ys[j + 1]))
                if costs.within(middle, level):
                    pairs = _JOINED[case]
            for enter, leave in pairs:
                follow[side(i, j, enter)] = side(i, j, leave)
    rings, corners = [], len(follow)
    while follow:
        first = next(iter(follow))
        ring, edge = [], first
        while edge in follow:
            ring.append(place(edge))
            edge = follow.pop(edge)
            stage(mesh + corners - len(follow), mesh + corners)
        if len(ring) > 2:
            rings.append(tuple(ring))
    return rings


def rings_area(rings: Iterable[Ring]) -> float:
    """Area inside rings that run counter-clockwise about it, holes clockwise."""
    return math.fsum(
        0.5 * (ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1])
        for ring in rings
        for i in range(len(ring))
    )


def disc(x: float, y: float, radius: float, eps: float) -> shapely.Geometry:
    """A disc; its border is made of chords within eps of the circle."""
    return shapely.Point(x, y).buffer(radius, quad_segs=_chords(radius, eps))


def widened(ground: Ground, by: float, eps: float) -> shapely.Geometry:
    """All places closer to a plan than that, corners rounded; chords are within eps of the arcs."""
    if ground.circle is not None:
        x, y, radius = ground.circle
        return disc(x, y, radius + by, eps)
    corners = ground.ring or ()
    polygon = shapely.Polygon(list(zip(corners[0::2], corners[1::2], strict=True)))
    return polygon.buffer(by, quad_segs=_chords(by, eps))


def _chords(radius: float, eps: float) -> int:
    """Chords for a quarter of a circle."""
    return math.ceil(0.25 * math.pi / math.acos(1.0 - eps / radius)) if radius > eps else 2


def cut(rings: Sequence[Ring], area: shapely.Geometry, *, keep: bool) -> list[Ring]:
    """What of a region lies in an area (keep), or outside it."""
    solid = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings]
    region = reduce(shapely.symmetric_difference, solid, shapely.Polygon())
    found = shapely.intersection(region, area) if keep else shapely.difference(region, area)
    polygons = [part for part in shapely.get_parts(found) if part.area > 0.0]
    return [
        tuple((x, y) for x, y in ring.coords[:-1])
        for polygon in map(shapely.geometry.polygon.orient, polygons)
        for ring in (polygon.exterior, *polygon.interiors)
    ]
