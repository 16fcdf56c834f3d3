"""Where a model comes to stand that goes or falls over an edge (3.10, 3.12, 3.13)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import combinations

from tapeline.engine.limits import TOLERANCE, closer_than, overlaps
from tapeline.engine.paths import Place
from tapeline.engine.placing import base_overlap
from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.ground import Ground, ground_of
from tapeline.rules.mordheim.state import height, radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface
from tapeline.travel.route import Fall

__all__ = ["fall_over", "free_at"]

#: A circle about a thing that a centre keeps out of, or a line beside one: x, y, radius or ends.
_Circle = tuple[float, float, float]
_Line = tuple[float, float, float, float]
#: Inches. How far beyond a base a free place is looked for at first; doubled until there is one.
_ROOM = 2.0


def fall_over(
    state: State, body: Body, edge: tuple[float, float], normal: tuple[float, float], z: float
) -> Fall | None:
    """Where a model lands that goes over an edge at a height, and how far down; None off the table.

    One base radius beyond the edge; the nearest free place on the same surface if that is taken,
    or on the next one below if there is no room on it.
    """
    ground, r = ground_of(state), radius(body)
    x, y = edge[0] + r * normal[0], edge[1] + r * normal[1]
    w, d = ground.table.width, ground.table.depth
    x, y = min(max(x, 0.0), w), min(max(y, 0.0), d)
    below = ground.storeys.below(x, y, z, TOLERANCE)
    while below is not None:
        found = _free_place(state, ground, body, x, y, below)
        if found is not None:
            level = below.height(*found)
            return Fall(Place(*found, level), z - level)
        # No room there at all, as on narrow stairs: on down.
        below = ground.storeys.below(x, y, below.height(x, y), TOLERANCE)
    return None


def free_at(
    state: State,
    ground: Ground,
    body: Body,
    x: float,
    y: float,
    z: float,
    but: Collection[str] = (),
) -> bool:
    """Whether a model may stand there: clear of solids and of all other bases but for some."""
    moved = body.at(x, y, z)
    if ground.overlapped(moved) is not None:
        return False
    for other in state.others(body):
        if other.id in but or not closer_than(abs(other.z - z), CONTACT_RISE_IN):
            continue
        far = body.base.reach + other.base.reach
        if math.hypot(other.x - x, other.y - y) < far and overlaps(base_overlap(moved, other)):
            return False
    return True


def _free_place(
    state: State, ground: Ground, body: Body, x: float, y: float, surface: Surface
) -> tuple[float, float] | None:
    """The nearest place on a surface where the base fits."""

    def able(px: float, py: float) -> bool:
        if surface.depth(px, py) < -TOLERANCE:
            return False
        return free_at(state, ground, body, px, py, surface.height(px, py))

    if able(x, y):
        return x, y
    room = _ROOM
    while room <= 2.0 * max(ground.table.width, ground.table.depth):
        best: tuple[float, float, float] | None = None
        for px, py in _candidates(state, ground, body, x, y, surface.height(x, y), room):
            apart = math.hypot(px - x, py - y)
            if apart <= room and (best is None or apart < best[0]) and able(px, py):
                best = (apart, px, py)
        if best is not None:
            return best[1], best[2]
        room *= 2.0
    return None


def _candidates(
    state: State, ground: Ground, body: Body, x: float, y: float, z: float, room: float
) -> Iterator[tuple[float, float]]:
    """Places among which the nearest free one is: beside one thing, or between two."""
    # A rectangle is given the room of the circle about it, however it faces.
    r, tall = body.base.reach, height(body)
    circles: list[_Circle] = []
    lines: list[_Line] = []
    for other in state.others(body):
        away = math.hypot(other.x - x, other.y - y)
        near = closer_than(abs(other.z - z), CONTACT_RISE_IN)
        if near and away <= room + r + other.base.reach:
            circles.append((other.x, other.y, r + other.base.reach))
    box = (x - room - r, y - room - r, x + room + r, y + room + r)
    for solid in ground.near(box):
        if not ground.rises(solid, z, tall):
            continue
        plan = solid.ground
        if plan.circle is not None:
            circles.append((plan.circle[0], plan.circle[1], plan.circle[2] + r))
            continue
        ring = plan.ring or ()
        for i in range(0, len(ring), 2):
            ax, ay, bx, by = ring[i - 2], ring[i - 1], ring[i], ring[i + 1]
            length = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length * r, -(bx - ax) / length * r
            lines.append((ax + nx, ay + ny, bx + nx, by + ny))
            circles.append((ax, ay, r))
    for cx, cy, radius_ in circles:
        d = math.hypot(x - cx, y - cy)
        ux, uy = ((x - cx) / d, (y - cy) / d) if d > 0.0 else (1.0, 0.0)
        yield cx + ux * radius_, cy + uy * radius_
    for ax, ay, bx, by in lines:
        t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
        t = min(1.0, max(0.0, t))
        yield ax + t * (bx - ax), ay + t * (by - ay)
    for one, two in combinations(circles, 2):
        yield from _circle_circle(one, two)
    for circle in circles:
        for line in lines:
            yield from _circle_line(circle, line)
    for first, second in combinations(lines, 2):
        yield from _line_line(first, second)


def _circle_circle(a: _Circle, b: _Circle) -> Iterator[tuple[float, float]]:
    d = math.hypot(b[0] - a[0], b[1] - a[1])
    if d == 0.0 or d > a[2] + b[2] or d < abs(a[2] - b[2]):
        return
    along = (d * d + a[2] * a[2] - b[2] * b[2]) / (2.0 * d)
    off = math.sqrt(max(0.0, a[2] * a[2] - along * along))
    ux, uy = (b[0] - a[0]) / d, (b[1] - a[1]) / d
    for side in (off, -off):
        yield a[0] + along * ux - side * uy, a[1] + along * uy + side * ux


def _circle_line(circle: _Circle, line: _Line) -> Iterator[tuple[float, float]]:
    (cx, cy, r), (ax, ay, bx, by) = circle, line
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    along = (cx - ax) * ux + (cy - ay) * uy
    off = (cx - ax) * uy - (cy - ay) * ux
    if abs(off) > r:
        return
    half = math.sqrt(r * r - off * off)
    for s in (along - half, along + half):
        if 0.0 <= s <= length:
            yield ax + s * ux, ay + s * uy


def _line_line(a: _Line, b: _Line) -> Iterator[tuple[float, float]]:
    ux, uy, vx, vy = a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1]
    down = ux * vy - uy * vx
    if down == 0.0:
        return
    s = ((b[0] - a[0]) * vy - (b[1] - a[1]) * vx) / down
    t = ((b[0] - a[0]) * uy - (b[1] - a[1]) * ux) / down
    if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
        yield a[0] + s * ux, a[1] + s * uy
