"""First contact of a rectangle by shapely: a swept hull or steps of a degree, then bisection."""

from __future__ import annotations

import math

import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

__all__ = ["placed", "slide_contact", "turn_contact"]


def slide_contact(
    ground: BaseGeometry, rect: Polygon, dx: float, dy: float, tolerance: float = 0.0005
) -> float:
    """Length slid before the rectangle meets prepared ground; the whole length if it does not."""
    corners = rect.exterior.coords[:-1]

    def swept(t: float) -> Polygon:
        moved = [(x + t * dx, y + t * dy) for x, y in corners]
        return shapely.multipoints([*corners, *moved]).convex_hull

    whole = math.hypot(dx, dy)
    if not ground.intersects(swept(1.0)):
        return whole
    low, high = 0.0, 1.0
    while (high - low) * whole > tolerance:
        middle = 0.5 * (low + high)
        if ground.intersects(swept(middle)):
            high = middle
        else:
            low = middle
    return low * whole


def turn_contact(
    ground: BaseGeometry,
    rect: Polygon,
    pivot: tuple[float, float],
    degrees: float,
    tolerance: float = 0.005,
) -> float:
    """Degrees turned before the rectangle meets prepared ground, by steps of a degree.

    A contact that begins and ends between two steps is missed.
    """
    sense = 1.0 if degrees > 0.0 else -1.0
    limit, low = abs(degrees), 0.0
    while low < limit:
        high = min(limit, low + 1.0)
        if ground.intersects(rotate(rect, sense * high, origin=pivot)):
            while high - low > tolerance:
                middle = 0.5 * (low + high)
                if ground.intersects(rotate(rect, sense * middle, origin=pivot)):
                    high = middle
                else:
                    low = middle
            return low
        low = high
    return limit


def placed(width: float, depth: float, x: float, y: float, degrees: float) -> Polygon:
    """A rectangle with its front towards `degrees`, 0 = +x."""
    across, along = 0.5 * width, 0.5 * depth
    corners = [(along, across), (-along, across), (-along, -across), (along, -across)]
    return translate(rotate(Polygon(corners), degrees, origin=(0, 0)), x, y)
