"""Do two bases share ground, and by how much? How far does one reach along the table?"""

from __future__ import annotations

from tapeline.geometry.rectangles.rectangle import Rect, Region, region_of_circle, separation
from tapeline.table.bodies import Body, Round

__all__ = ["base_extent", "base_overlap", "base_shape"]


def base_shape(body: Body) -> Rect | Region:
    """The plan of a base: a disc or a rectangle."""
    base = body.base
    if isinstance(base, Round):
        return region_of_circle(body.x, body.y, base.radius)
    return Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)


def base_extent(body: Body) -> tuple[float, float, float, float]:
    """West, south, east and north end of a base, table units."""
    shape = base_shape(body)
    if isinstance(shape, Rect):
        xs, ys = shape.loop[0::2], shape.loop[1::2]
        return min(xs), min(ys), max(xs), max(ys)
    r = body.base.reach
    return body.x - r, body.y - r, body.x + r, body.y + r


def base_overlap(a: Body, b: Body) -> float:
    """Depth by which two bases overlap, table units; zero or less when they do not.

    The depth is the least shift that parts them. Bases that are apart give minus their gap.
    """
    found = separation(base_shape(a), base_shape(b))
    return found.depth - found.gap
