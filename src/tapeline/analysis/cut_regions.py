"""What of a region, given by its rings, lies in an area or outside it.

A ring has the region on its left: outer rings run counter-clockwise, those of holes clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce

import shapely

from tapeline.analysis.contours import Ring
from tapeline.table.solids import Ground

__all__ = ["cut", "disc", "rings_area", "widened"]


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
