"""Edges of what a base stands on: the nearest point of each, the way off, and the drop there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.bases import base_shape
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.plane.sweeps import nearest_to_ring
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid
from tapeline.table.storeys import TABLE, Edge, Surface
from tapeline.travel.terrain import Terrain

__all__ = ["NearEdge", "open_edges"]


#: Length off a round edge at which is looked what lies beyond.
_BEYOND = 1e-6


class NearEdge(NamedTuple):
    """A point of an edge near a base: distance from the base, the point, the unit normal that leads
    off, the drop there. Table units."""

    distance: float
    point: Point
    normal: Point
    drop: float


def open_edges(ground: Terrain, body: Body, reach: float, least: float) -> list[NearEdge]:
    """Edges with a drop of at least so much within reach of a base, the nearest first, each at its
    nearest point.

    Those of its surface, and of level ones that low steps lead to, as a coping or a kerb. What is
    too high to step over between the base and an edge keeps it from what of the edge lies behind.
    """
    surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None or surface.id == TABLE:
        return []
    found = _edges_of(ground, surface, body, least)
    box = box_about(*body.centre, body.base.reach + reach)
    tops = [top for top in ground.storeys.near(box) if top.ramp is None and top.id != TABLE]
    for top in tops if surface.ramp is None else ():
        if top is not surface:
            beyond = _edges_of(ground, top, body, least)
            found += [edge for edge in beyond if _stepped(ground, tops, body, top, edge.point)]
    near = [edge for edge in found if within(edge.distance, reach)]
    return sorted(near, key=lambda edge: edge.distance)


def _edges_of(ground: Terrain, surface: Surface, body: Body, least: float) -> list[NearEdge]:
    curved = _round_edge(ground, surface, body)
    found = [] if curved is None or more_than(least, curved.drop) else [curved]
    for edge in ground.edges(surface):
        found += _straight_edge(ground, edge, body, least)
    return found


def _stepped(
    ground: Terrain, tops: Sequence[Surface], body: Body, last: Surface, end: Point
) -> bool:
    """Whether only low steps lie between a model and a place on the border of a level surface."""
    line = Line(body.x, body.y, *end)
    marks = sorted({0.0, line.length}.union(*(top.marks(line, TOLERANCE) for top in tops)))
    z = body.z
    for a, b in pairwise(marks):
        if b - a <= TOLERANCE:
            continue
        x, y = line.at(0.5 * (a + b))
        steps = [t.z for t in tops if t.depth(x, y) >= -TOLERANCE and ground.low(abs(t.z - z))]
        if not steps:
            return False
        z = max(steps)
    return z == last.z


def _straight_edge(ground: Terrain, edge: Edge, body: Body, least: float) -> list[NearEdge]:
    if edge.beyond is None:
        return []
    ax, ay, bx, by = edge.ax, edge.ay, edge.bx, edge.by
    first, last = edge.drop(ax, ay), edge.drop(bx, by)
    if more_than(least, max(first, last)):
        return []
    if more_than(least, min(first, last)):
        # Beside stairs: only where the drop is deep enough.
        t = (least - first) / (last - first)
        cut = edge.at(t)
        if first < last:
            ax, ay = cut
        else:
            bx, by = cut
    distance, point = _nearest_on(body, ax, ay, bx, by)
    if _walled(ground, body, point):
        open_places = [
            _nearest_on(body, *place, *place)
            for place in _shadow_ends(ground, body, Line(ax, ay, bx, by))
            if not _walled(ground, body, place)
        ]
        if not open_places:
            return []
        distance, point = min(open_places)
    return [NearEdge(distance, point, (edge.nx, edge.ny), edge.drop(*point))]


def _shadow_ends(ground: Terrain, body: Body, edge: Line) -> Iterator[Point]:
    """Places of an edge where what stands between it and a model may begin or end to hide it."""
    ux, uy = edge.bx - edge.ax, edge.by - edge.ay
    for solid in _standing_between(ground, body, edge):
        for x, y in _outermost(solid.ground, body.x, body.y):
            vx, vy = x - body.x, y - body.y
            down = ux * vy - uy * vx
            if down == 0.0:
                continue
            s = ((body.x - edge.ax) * vy - (body.y - edge.ay) * vx) / down
            along = ((body.x - edge.ax) * uy - (body.y - edge.ay) * ux) / down
            if 0.0 <= s <= 1.0 and along > 0.0:
                yield edge.ax + s * ux, edge.ay + s * uy


def _outermost(plan: Plan, x: float, y: float) -> Iterator[Point]:
    """Corners of a plan, or where the lines from a point touch a round one."""
    if plan.ring is not None:
        yield from zip(plan.ring[0::2], plan.ring[1::2], strict=True)
        return
    assert plan.circle is not None
    cx, cy, radius = plan.circle
    d = math.hypot(cx - x, cy - y)
    if d <= radius:
        return
    towards, aside = math.atan2(cy - y, cx - x), math.asin(radius / d)
    for angle in (towards - aside, towards + aside):
        far = math.sqrt(d * d - radius * radius)
        yield x + far * math.cos(angle), y + far * math.sin(angle)


def _standing_between(ground: Terrain, body: Body, line: Line) -> Iterator[Solid]:
    """What is too high to step over in the box of a model's centre and a line."""
    xs, ys = (body.x, line.ax, line.bx), (body.y, line.ay, line.by)
    for solid in ground.storeys.solids_near((min(xs), min(ys), max(xs), max(ys))):
        if solid.bottom <= body.z + TOLERANCE and not ground.low(solid.top - body.z):
            yield solid


def _walled(ground: Terrain, body: Body, point: Point) -> bool:
    """Whether something too high to step over stands between a model and a point."""
    line = Line(body.x, body.y, *point)
    if line.length == 0.0:
        return False
    return any(
        solid.ground.nearest_to(line).distance < -TOLERANCE
        for solid in _standing_between(ground, body, line)
    )


def _round_edge(ground: Terrain, surface: Surface, body: Body) -> NearEdge | None:
    """The edge of a round surface beside a base; None if it is not round, or what is beyond rises
    there."""
    if surface.outer.circle is None:
        return None
    cx, cy, radius = surface.outer.circle
    dx, dy, far = _farthest(body, cx, cy)
    d = math.hypot(dx, dy)
    nx, ny = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    x, y = cx + nx * radius, cy + ny * radius
    off = x + _BEYOND * nx, y + _BEYOND * ny
    beyond, _ = ground.storeys.beyond(surface, *off)
    if beyond is None or ground.steps_up(surface, *off, surface.z) is not None:
        return None
    return NearEdge(max(0.0, radius - far), (x, y), (nx, ny), surface.z - beyond.height(x, y))


def _nearest_on(body: Body, ax: float, ay: float, bx: float, by: float) -> tuple[float, Point]:
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
