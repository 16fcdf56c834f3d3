"""Outlines joined and cut at the door, by GEOS: floors as polygons with holes, and without."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from tapeline.geometry.plane.legs import Point

__all__ = [
    "Area", "beyond", "cut_out", "enters", "grown", "joined", "lapped", "straightened", "welded",
    "without_holes",
]  # fmt: skip

#: An outer ring and its holes, all counter-clockwise.
Area: TypeAlias = tuple[tuple[Point, ...], tuple[tuple[Point, ...], ...]]

#: Area: slivers that joining leaves are smaller.
_SLIVER = 1e-8
#: Corners stay sharp while their point is no farther from its sides than so many widths.
_SHARP = 100.0
#: Share by which a core grows back farther than it shrank: several times what that is rounded by.
_MORE = 0.05
#: Length by which the parts of a floor run into each other, so that no line slips between them.
_LAP = 0.05
#: Length: outlines no farther apart share a border, whatever their corners were rounded by.
_SEAM = 1e-9
#: Length to which corners are rounded where borders meet only so.
_GRID = 0.1 * _SEAM


def cut_out(
    outlines: Iterable[Sequence[Point]], holes: Iterable[Sequence[Point]], thin: float = 0.0
) -> list[Area]:
    """The union of outlines without the holes, as areas that do not touch, the largest first.

    thin: what the holes leave that is no wider than that is gone too; the rest keeps its corners.
    """
    from shapely import Polygon, union_all

    shape: Any = union_all([Polygon(corners) for corners in outlines])
    gone = [Polygon(corners) for corners in holes]
    if gone:
        shape = shape.difference(union_all(gone))
        if thin:
            shape = _without_strips(shape, thin)
    return [_area(part) for part in _parts(shape)]


def welded(outlines: Iterable[Sequence[Point]], slit: float) -> list[Area]:
    """The union of outlines and of what lies between them and is no wider than a length, as areas
    that do not touch, the largest first."""
    from shapely import Polygon, union_all

    how: Any = {"join_style": "mitre", "mitre_limit": _SHARP}
    shape = union_all([Polygon(corners).buffer(slit, **how) for corners in outlines])
    return [_area(part) for part in _parts(shape.buffer(-slit, **how))]


def enters(line: Sequence[Point], outlines: Iterable[Sequence[Point]], deeper: float) -> bool:
    """Whether a line goes deeper than a length into the union of outlines."""
    from shapely import LineString, Polygon, union_all

    shape = union_all([Polygon(corners) for corners in outlines])
    inside: Any = shape.buffer(-deeper, join_style="mitre", mitre_limit=_SHARP)
    return bool(inside.intersects(LineString(line)))


def _without_strips(shape: Any, thin: float) -> Any:
    """A shape without what is no wider than a length."""
    # The core grows back by a little more than it shrank, so that the cut gives it its own corners.
    half = 0.5 * thin
    core = shape.buffer(-half, join_style="mitre", mitre_limit=_SHARP)
    if core.is_empty:
        return core
    grown_back = core.buffer((1.0 + _MORE) * half, join_style="mitre", mitre_limit=_SHARP)
    # What is left of the strips where they begin is shorter than the corners dropped here.
    return shape.intersection(grown_back).simplify(2.0 * _MORE * half)


def joined(areas: Sequence[Area]) -> list[tuple[tuple[int, ...], Area]]:
    """Areas that meet made one: each with the numbers of those it is made of."""
    from shapely import Polygon, union_all

    shapes = [Polygon(outer, holes) for outer, holes in areas]
    parts, found = _parts(union_all(shapes)), []
    if len(parts) > 1:
        # Corners on a border beside them meet it only as far as they were rounded.
        rounded = _parts(union_all(shapes, grid_size=_GRID))
        parts = rounded if len(rounded) < len(parts) else parts
    for part in parts:
        inner = part.buffer(_LAP)
        of = tuple(
            i for i, shape in enumerate(shapes) if inner.contains(shape.representative_point())
        )
        # One that is alone keeps its own corners.
        found.append((of, areas[of[0]] if len(of) == 1 else _area(part)))
    return found


def lapped(outline: Sequence[Point], others: Iterable[Sequence[Point]]) -> list[tuple[Point, ...]]:
    """An outline run into those with which it shares a border, so that no line slips between them,
    as rings without holes. An outline that it overlaps is left alone."""
    from shapely import Polygon

    own = Polygon(outline)
    shape, about = own, own.buffer(_LAP, join_style="mitre")
    for other in map(Polygon, others):
        beside: Any = other.buffer(_SEAM, join_style="mitre")
        shared = beside.intersection(own.boundary).length > _SLIVER
        if shared and own.intersection(other).area <= _SLIVER:
            shape = shape.union(beside.intersection(about))
    return [tuple(outline)] if shape is own else without_holes(_area(_parts(shape)[0]))


def _parts(shape: Any) -> list[Any]:
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon"]
    parts = [part for part in parts if part.area > _SLIVER]
    return sorted(parts, key=lambda part: (-part.area, part.bounds))


def _area(part: Any) -> Area:
    from shapely import Polygon

    def ring(line: Any) -> tuple[Point, ...]:
        corners = [(float(x), float(y)) for x, y in line.coords[:-1]]
        return tuple(corners if line.is_ccw else corners[::-1])

    holes = [hole for hole in part.interiors if Polygon(hole).area > _SLIVER]
    return ring(part.exterior), tuple(ring(hole) for hole in holes)


def grown(ring: Sequence[float], by: float) -> list[float]:
    """A ring, flat x, y, with every side moved out by a length; its corners stay sharp."""
    from shapely import Polygon

    corners = list(zip(ring[0::2], ring[1::2], strict=True))
    shape = Polygon(corners).buffer(by, join_style="mitre", mitre_limit=3.0)
    outer = _area(_parts(shape)[0])[0]
    return [v for corner in outer for v in corner]


def beyond(ring: Sequence[float], start: Point, along: Point) -> list[list[float]]:
    """What of a ring, flat x, y, lies beyond the line through a place square to a direction."""
    from shapely import Polygon

    shape = Polygon(list(zip(ring[0::2], ring[1::2], strict=True)))
    x0, y0, x1, y1 = shape.bounds
    (x, y), d = start, math.hypot(*along)
    ux, uy = along[0] / d, along[1] / d
    far = math.hypot(x1 - x0, y1 - y0) + math.hypot(x - x0, y - y0) + 1.0
    corners = [
        (x + far * (s * ux - t * uy), y + far * (s * uy + t * ux))
        for s, t in ((0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0))
    ]
    parts = _parts(shape.intersection(Polygon(corners)))
    return [[v for corner in _area(part)[0] for v in corner] for part in parts]


def straightened(ring: Sequence[Point]) -> Sequence[Point]:
    """A ring without the corners that lie on the line from the one before to the one after."""

    def bends(k: int) -> bool:
        (ax, ay), (bx, by), (cx, cy) = ring[k - 1], ring[k], ring[(k + 1) % len(ring)]
        across = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        return abs(across) > _SEAM * math.hypot(cx - ax, cy - ay)

    return [corner for k, corner in enumerate(ring) if bends(k)]


def without_holes(area: Area) -> list[tuple[Point, ...]]:
    """The same area as rings without holes, cut through the holes and overlapping at the cuts."""
    outer, holes = area
    if not holes:
        return [outer]
    from shapely import Polygon, box

    shape = Polygon(outer, holes)
    x0, y0, x1, y1 = shape.bounds
    widths = [max(x for x, _ in hole) - min(x for x, _ in hole) for hole in holes]
    lap = min(_LAP, 0.25 * min(widths))
    cuts = sorted({0.5 * (max(x for x, _ in h) + min(x for x, _ in h)) for h in holes})
    found: list[tuple[Point, ...]] = []
    for low, high in zip([x0, *cuts], [*cuts, x1], strict=True):
        strip = shape.intersection(box(low - lap, y0 - 1.0, high + lap, y1 + 1.0))
        for part in _parts(strip):
            found += without_holes(_area(part))
    return found
