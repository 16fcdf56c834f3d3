"""Ledges, and where a model comes to lie that goes over one (TC-FALL-1, TC-DOWN-4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than, overlaps, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.distance import point_segment
from tapeline.rules.trench_crusade.closeness import overlap
from tapeline.rules.trench_crusade.figures import LEDGE_NEAR_IN
from tapeline.rules.trench_crusade.heights import Heights, built, heights_of
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface

__all__ = ["Landing", "free_place", "landing_off", "ledge_near"]

Point = tuple[float, float]
_Line = tuple[float, float, float, float]
_Circle = tuple[float, float, float]

#: Inches. How far from the ledge a free place is looked for at first; doubled until there is one.
_ROOM = 2.0
#: Inches from an edge at which a little more than half of any base is carried.
_JUST_IN = 8.0 * TOLERANCE


class Landing(NamedTuple):
    """Where a model lands, and how far down that is, inches."""

    place: Place
    drop: float


def landing_off(state: State, body: Body, lip: Point, normal: Point, z: float) -> Landing | None:
    """Where a model lands that Falls over a lip: on the first surface below that can hold it.

    One base radius beyond the lip; the nearest place on that surface where nothing stands, if the
    base does not fit there. None if nothing below can hold it.
    """
    heights, r = heights_of(state), radius(body)
    w, d = heights.table.width, heights.table.depth
    x = min(max(lip[0] + r * normal[0], r), w - r)
    y = min(max(lip[1] + r * normal[1], r), d - r)
    level = z
    while True:
        below = heights.storeys.below(x, y, level, TOLERANCE)
        if below is None:
            return None
        found = free_place(state, heights, body, x, y, below)
        if found is not None:
            there = below.height(*found)
            return Landing(Place(*found, there), z - there)
        level = below.height(x, y)


def ledge_near(state: State, body: Body) -> tuple[Point, Point, float] | None:
    """The nearest ledge within 1 inch of a base: its nearest point, the way off, how far."""
    if not built(state.table):
        return None
    heights = heights_of(state)
    surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None or surface.ramp is not None:
        return None
    best: tuple[Point, Point, float] | None = None
    for point, normal, drop in _ledges(heights, surface, body):
        apart = max(0.0, math.dist(point, body.centre) - radius(body))
        if not more_than(drop, heights.step(surface)) or not within(apart, LEDGE_NEAR_IN):
            continue
        if best is None or apart < best[2]:
            best = (point, normal, apart)
    return best


def _ledges(heights: Heights, surface: Surface, body: Body) -> Iterator[tuple[Point, Point, float]]:
    """Nearest points of the edges of a surface, the way off there, and the drop."""
    for edge in heights.storeys.edges(surface):
        if edge.beyond is not None:
            _, x, y = point_segment(body.x, body.y, edge.ax, edge.ay, edge.bx, edge.by)
            yield (x, y), (edge.nx, edge.ny), edge.drop(x, y)
    circle = surface.outer.circle
    if circle is not None:
        x, y = surface.outer.nearest(body.x, body.y)
        nx, ny = (x - circle[0]) / circle[2], (y - circle[1]) / circle[2]
        beyond, _ = heights.storeys.beyond(surface, x + 1e-6 * nx, y + 1e-6 * ny)
        if beyond is not None:
            yield (x, y), (nx, ny), surface.z - beyond.height(x, y)


def free_place(
    state: State, heights: Heights, body: Body, x: float, y: float, surface: Surface
) -> Point | None:
    """The nearest place to (x, y) on a surface where the base fits; None if there is none."""
    r, table = radius(body), heights.table

    def able(px: float, py: float) -> bool:
        inside = r - TOLERANCE <= px <= table.width - r + TOLERANCE
        inside = inside and r - TOLERANCE <= py <= table.depth - r + TOLERANCE
        if not inside or surface.depth(px, py) < -TOLERANCE:
            return False
        place = Place(px, py, surface.height(px, py))
        if heights.standing_in(body.at(*place)) is not None:
            return False
        if heights.support(surface, px, py, r) <= 0.5 + TOLERANCE:
            return False
        return not any(overlaps(overlap(body, o, place)) for o in state.others(body))

    if able(x, y):
        return x, y
    room = _ROOM
    while room <= 2.0 * max(table.width, table.depth):
        best: tuple[float, float, float] | None = None
        for px, py in _candidates(state, heights, body, x, y, surface, room):
            apart = math.hypot(px - x, py - y)
            if apart <= room and (best is None or apart < best[0]) and able(px, py):
                best = (apart, px, py)
        if best is not None:
            return best[1], best[2]
        if room > _ROOM and surface.outer.box[2] - surface.outer.box[0] < room:
            return None
        room *= 2.0
    return None


def _candidates(
    state: State, heights: Heights, body: Body, x: float, y: float, surface: Surface, room: float
) -> Iterator[Point]:
    """Places among which the nearest free one is: beside one thing, or between two."""
    r, tall, z = radius(body), height(body), surface.height(x, y)
    circles: list[_Circle] = []
    lines: list[_Line] = []
    for other in state.others(body):
        reach = r + radius(other)
        if within(abs(other.z - z), 0.0) and math.dist(other.centre, (x, y)) <= room + reach:
            circles.append((other.x, other.y, reach))
    box = (x - room - r, y - room - r, x + room + r, y + room + r)
    for o in heights.beside(box, z, tall):
        if not heights.stops(o, z, z, tall):
            continue
        if o.plan.circle is not None:
            circles.append((o.plan.circle[0], o.plan.circle[1], o.plan.circle[2] + r))
            continue
        ring = o.plan.ring or ()
        for i in range(0, len(ring), 2):
            ax, ay, bx, by = ring[i - 2], ring[i - 1], ring[i], ring[i + 1]
            length = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length * r, -(bx - ax) / length * r
            lines.append((ax + nx, ay + ny, bx + nx, by + ny))
            circles.append((ax, ay, r))
    if surface.outer.ring is not None and surface.ramp is None:
        lines += _in_from(surface.outer.ring, _JUST_IN)
        lines += _in_from(surface.outer.ring, r)
    for cx, cy, reach in circles:
        d = math.hypot(x - cx, y - cy)
        ux, uy = ((x - cx) / d, (y - cy) / d) if d > 0.0 else (1.0, 0.0)
        yield cx + ux * reach, cy + uy * reach
    for line in lines:
        yield point_segment(x, y, *line)[1:]
    for one, two in combinations(circles, 2):
        yield from _both_circles(one, two)
    for circle in circles:
        for line in lines:
            yield from _circle_line(circle, line)
    for first, second in combinations(lines, 2):
        yield from _both_lines(first, second)


def _in_from(ring: Sequence[float], off: float) -> Iterator[_Line]:
    """The edges of a counter-clockwise ring, moved in."""
    for i in range(0, len(ring), 2):
        ax, ay, bx, by = ring[i - 2], ring[i - 1], ring[i], ring[i + 1]
        length = math.hypot(bx - ax, by - ay)
        nx, ny = -(by - ay) / length * off, (bx - ax) / length * off
        yield ax + nx, ay + ny, bx + nx, by + ny


def _both_circles(a: _Circle, b: _Circle) -> Iterator[Point]:
    d = math.hypot(b[0] - a[0], b[1] - a[1])
    if d == 0.0 or d > a[2] + b[2] or d < abs(a[2] - b[2]):
        return
    along = (d * d + a[2] * a[2] - b[2] * b[2]) / (2.0 * d)
    off = math.sqrt(max(0.0, a[2] * a[2] - along * along))
    ux, uy = (b[0] - a[0]) / d, (b[1] - a[1]) / d
    for side in (off, -off):
        yield a[0] + along * ux - side * uy, a[1] + along * uy + side * ux


def _circle_line(circle: _Circle, line: _Line) -> Iterator[Point]:
    (cx, cy, r), (ax, ay, bx, by) = circle, line
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    along, off = (cx - ax) * ux + (cy - ay) * uy, (cx - ax) * uy - (cy - ay) * ux
    if abs(off) <= r:
        half = math.sqrt(r * r - off * off)
        for s in (along - half, along + half):
            if 0.0 <= s <= length:
                yield ax + s * ux, ay + s * uy


def _both_lines(a: _Line, b: _Line) -> Iterator[Point]:
    ux, uy, vx, vy = a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1]
    down = ux * vy - uy * vx
    if down == 0.0:
        return
    s = ((b[0] - a[0]) * vy - (b[1] - a[1]) * vx) / down
    t = ((b[0] - a[0]) * uy - (b[1] - a[1]) * ux) / down
    if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
        yield a[0] + s * ux, a[1] + s * uy
