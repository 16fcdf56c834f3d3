"""Edges of what a base stands on: the nearest point of each, the way off, and the drop there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from tapeline.engine.bases import base_shape
from tapeline.engine.limits import within
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import nearest_to_ring
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table.bodies import Body, Round
from tapeline.table.storeys import Storeys, Surface

__all__ = ["NearEdge", "edges_beside", "nearest_on", "round_edge"]

Point: TypeAlias = tuple[float, float]

#: Length off a round edge at which is looked what lies beyond.
_BEYOND = 1e-6


class NearEdge(NamedTuple):
    """A point of an edge near a base: distance from the base, the point, the unit normal that leads
    off, the drop there. Table units."""

    distance: float
    point: Point
    normal: Point
    drop: float


def edges_beside(storeys: Storeys, surface: Surface, body: Body) -> Iterator[NearEdge]:
    """The edges of a surface that a base may go over, each at the point nearest to the base."""
    for edge in storeys.edges(surface):
        if edge.beyond is not None:
            distance, point = nearest_on(body, edge.ax, edge.ay, edge.bx, edge.by)
            yield NearEdge(distance, point, (edge.nx, edge.ny), edge.drop(*point))
    found = round_edge(storeys, surface, body)
    if found is not None:
        yield found


def round_edge(storeys: Storeys, surface: Surface, body: Body) -> NearEdge | None:
    """The edge of a round surface beside a base; None if it is not round, or a solid is beyond."""
    if surface.outer.circle is None:
        return None
    cx, cy, radius = surface.outer.circle
    dx, dy, far = _farthest(body, cx, cy)
    d = math.hypot(dx, dy)
    nx, ny = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    x, y = cx + nx * radius, cy + ny * radius
    beyond, _ = storeys.beyond(surface, x + _BEYOND * nx, y + _BEYOND * ny)
    if beyond is None:
        return None
    return NearEdge(max(0.0, radius - far), (x, y), (nx, ny), surface.z - beyond.height(x, y))


def nearest_on(body: Body, ax: float, ay: float, bx: float, by: float) -> tuple[float, Point]:
    """Distance of a base from a segment, and the segment's point nearest to it; of several that
    nearest to the middle of the base, as where a side lies along it."""
    d, x, y = point_segment(body.x, body.y, ax, ay, bx, by)
    if isinstance(body.base, Round):
        return max(0.0, d - body.base.radius), (x, y)
    ring = _corners(body)
    near = nearest_to_ring(Line(ax, ay, bx, by), ring)
    distance = max(0.0, near.distance)
    abreast = within(nearest_to_ring(Line(x, y, x, y), ring).distance, distance)
    return distance, (x, y) if abreast else near.at


def _farthest(body: Body, x: float, y: float) -> tuple[float, float, float]:
    """From a place to the point of a base farthest off: the way there, and how far; where corners
    are equally far the way lies amid them."""
    if isinstance(body.base, Round):
        dx, dy = body.x - x, body.y - y
        return dx, dy, math.hypot(dx, dy) + body.base.radius
    ring = _corners(body)
    corners = [(ring[k] - x, ring[k + 1] - y) for k in range(0, len(ring), 2)]
    far = max(math.hypot(*corner) for corner in corners)
    most = [corner for corner in corners if within(far, math.hypot(*corner))]
    return sum(dx for dx, _ in most), sum(dy for _, dy in most), far


def _corners(body: Body) -> tuple[float, ...]:
    shape = base_shape(body)
    assert isinstance(shape, Rect)
    return shape.loop
