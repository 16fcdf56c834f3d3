"""MH-EDGE: the edges near a model, and where it lands if it slips off one (3.12)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.rules.mordheim.features import touching_features
from tapeline.rules.mordheim.figures import EDGE_IN, EDGE_MIN_DROP_IN
from tapeline.rules.mordheim.ground import ground_of
from tapeline.rules.mordheim.landing import fall_over
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid
from tapeline.table.storeys import TABLE, Edge, Surface
from tapeline.travel.edges import NearEdge, nearest_on, round_edge
from tapeline.travel.landing import Landing
from tapeline.travel.terrain import Terrain

__all__ = ["edges_near", "nearest_edges", "touching_features"]


def edges_near(state: State, body: Body, reach: float) -> list[NearEdge]:
    """Edges with a drop within reach of the base, the nearest first, each at its nearest point.

    Those of its surface, and of level ones that low steps lead to, as a coping or a kerb.
    A wall or a barrier of 1 inch or more between the model and an edge keeps it from what of the
    edge lies behind.
    """
    ground = ground_of(state)
    surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None or surface.id == TABLE:
        return []
    found = _edges_of(ground, surface, body)
    far = body.base.reach + reach
    box = (body.x - far, body.y - far, body.x + far, body.y + far)
    tops = [top for top in ground.storeys.near(box) if top.ramp is None and top.id != TABLE]
    for top in tops if surface.ramp is None else ():
        if top is not surface:
            beyond = _edges_of(ground, top, body)
            found += [edge for edge in beyond if _stepped(ground, tops, body, top, edge.point)]
    near = [edge for edge in found if within(edge.distance, reach)]
    return sorted(near, key=lambda edge: edge.distance)


def _edges_of(ground: Terrain, surface: Surface, body: Body) -> list[NearEdge]:
    curved = round_edge(ground.storeys, surface, body)
    found = [] if curved is None or more_than(EDGE_MIN_DROP_IN, curved.drop) else [curved]
    for edge in ground.storeys.edges(surface):
        found += _straight_edge(ground, edge, body)
    return found


def _stepped(
    ground: Terrain, tops: Sequence[Surface], body: Body, last: Surface, end: tuple[float, float]
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


def _straight_edge(ground: Terrain, edge: Edge, body: Body) -> list[NearEdge]:
    if edge.beyond is None:
        return []
    ax, ay, bx, by = edge.ax, edge.ay, edge.bx, edge.by
    first, last = edge.drop(ax, ay), edge.drop(bx, by)
    if more_than(EDGE_MIN_DROP_IN, max(first, last)):
        return []
    if more_than(EDGE_MIN_DROP_IN, min(first, last)):
        # Beside stairs: only where the drop is deep enough.
        t = (EDGE_MIN_DROP_IN - first) / (last - first)
        cut = edge.at(t)
        if first < last:
            ax, ay = cut
        else:
            bx, by = cut
    distance, point = nearest_on(body, ax, ay, bx, by)
    if _walled(ground, body, point):
        open_places = [
            nearest_on(body, *place, *place)
            for place in _shadow_ends(ground, body, Line(ax, ay, bx, by))
            if not _walled(ground, body, place)
        ]
        if not open_places:
            return []
        distance, point = min(open_places)
    return [NearEdge(distance, point, (edge.nx, edge.ny), edge.drop(*point))]


def _shadow_ends(ground: Terrain, body: Body, edge: Line) -> Iterator[tuple[float, float]]:
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


def _outermost(plan: Plan, x: float, y: float) -> Iterator[tuple[float, float]]:
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
    """What is too high to leap in the box of a model's centre and a line."""
    xs, ys = (body.x, line.ax, line.bx), (body.y, line.ay, line.by)
    for solid in ground.storeys.solids_near((min(xs), min(ys), max(xs), max(ys))):
        if solid.bottom <= body.z + TOLERANCE and not ground.low(solid.top - body.z):
            yield solid


def _walled(ground: Terrain, body: Body, point: tuple[float, float]) -> bool:
    """Whether something too high to leap stands between a model and a point."""
    line = Line(body.x, body.y, *point)
    if line.length == 0.0:
        return False
    return any(
        solid.ground.nearest_to(line).distance < -TOLERANCE
        for solid in _standing_between(ground, body, line)
    )


def nearest_edges(state: State, body: Body) -> list[tuple[float, Landing]]:
    """The nearest edges within 1 inch of a model put down, ties among them: the distance from its
    base, inches, and the fall."""
    near = edges_near(state, body, EDGE_IN)
    found: list[tuple[float, Landing]] = []
    points: list[tuple[float, float]] = []
    for edge in near:
        if more_than(edge.distance, near[0].distance):
            break
        if any(math.dist(edge.point, point) <= TOLERANCE for point in points):
            continue  # the corner of two edges
        fall = fall_over(state, body, edge.point, edge.normal, body.z)
        if fall is not None:
            found.append((edge.distance, fall))
            points.append(edge.point)
    return found
