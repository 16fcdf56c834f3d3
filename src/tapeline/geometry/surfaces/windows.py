"""Kernels: straight legs from one source to everything it can see, also through portals.

A source is a point (radius 0) or an arc taken up at an angle; its legs leave it at turns from
`first` to `last`, in its sense. Seen through portals, a source is its image in the plane of the
level looked at, and its straight legs must cross the portals' windows in order: straight lines of
the unfolded levels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.discs.clearance import Floats
from tapeline.geometry.discs.tangent_graph import _TAU, TIE, TURN, _round, last_leg, tangent_cost
from tapeline.geometry.plane.distance import point_segment

__all__ = ["ROW", "Found", "Rays", "arrivals", "crossings", "fan", "finish", "to_go"]

#: Floats of a leg found: estimate, cost, target, sense, angle met at, turned, px, py, qx, qy.
ROW = 10
#: Length: a leg this near to a window's end still crosses it.
_TOUCH = 1e-9


class Rays(NamedTuple):
    """The legs of a source, or of its image behind portals.

    They leave a circle about x, y (radius 0: a point), taken up at an angle in a sense, at turns
    from `first` to `last`. cost: of the source. limit: dearer legs are none. windows: segments to
    be crossed in order, 4 floats each.
    """

    x: float
    y: float
    radius: float
    sense: int
    angle: float
    first: float
    last: float
    cost: float
    limit: float
    windows: Floats


class Found(NamedTuple):
    """Legs found: rows of ROW floats; 1 if the limit cut any off; fractions of windows, scratch."""

    rows: list[float]
    told: list[int]
    fractions: list[float]


@kernel
def crossings(
    px: float, py: float, qx: float, qy: float, windows: Floats, out: list[float]
) -> bool:
    """Whether a leg from p to q crosses windows in order; fractions of its length to `out`.

    windows: segments, 4 floats each. A leg along one crosses it where it first can.
    """
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    slip = _TOUCH / length if length > _TOUCH else 1.0
    before = 0.0
    for i in range(len(windows) // 4):
        k = 4 * i
        ax, ay, bx, by = windows[k], windows[k + 1], windows[k + 2], windows[k + 3]
        t = -9.0
        if before <= slip and point_segment(px, py, ax, ay, bx, by)[0] <= _TOUCH:
            t = 0.0
        else:
            ex, ey = bx - ax, by - ay
            span = math.sqrt(ex * ex + ey * ey)
            det = dx * ey - dy * ex
            p_off = abs((px - ax) * ey - (py - ay) * ex)
            q_off = abs((qx - ax) * ey - (qy - ay) * ex)
            if p_off <= _TOUCH * span and q_off <= _TOUCH * span and length > 0.0:
                u = ((ax - px) * dx + (ay - py) * dy) / (length * length)
                v = ((bx - px) * dx + (by - py) * dy) / (length * length)
                low, high = min(u, v), max(u, v)
                low = max(low, before)
                if low <= min(1.0, high) + slip:
                    t = low
            elif det != 0.0:
                u = ((ax - px) * ey - (ay - py) * ex) / det
                v = ((ax - px) * dy - (ay - py) * dx) / det * span
                if -slip <= u <= 1.0 + slip and -_TOUCH <= v <= span + _TOUCH:
                    t = u
            if t < -1.0 and point_segment(qx, qy, ax, ay, bx, by)[0] <= _TOUCH:
                t = 1.0
        if t < before - slip:
            return False
        t = max(before, min(1.0, t))
        out[i] = t
        before = t
    return True


@kernel
def to_go(x: float, y: float, onward: Floats) -> float:
    """What is left at least: segments on this level and what is left from each, 5 floats."""
    best = math.inf
    for k in range(0, len(onward), 5):
        v = (
            point_segment(x, y, onward[k], onward[k + 1], onward[k + 2], onward[k + 3])[0]
            + onward[k + 4]
        )
        if v < best:
            best = v
    return max(0.0, best) if len(onward) > 0 else 0.0


@kernel
def _turned(
    sense: int, leave: float, angle: float, radius: float, first: float, last: float
) -> float:
    """Angle to turn from where an arc is taken up to where it is left, 0 for a point; -1 for a leg
    that leaves before the first turn or after the last. leave: of a point, the leg's direction."""
    if radius == 0.0:
        t = (sense * (leave - angle) - first) % _TAU
        return 0.0 if t <= last - first else -1.0
    turned = _round(sense, leave, angle, radius, last)
    return turned if turned >= first else -1.0


@kernel
def _write(
    made: int, estimate: float, cost: float, what: int, sense: int, met: float, turned: float,
    ends: tuple[float, float, float, float], rows: list[float],
) -> int:  # fmt: skip
    """Write down a leg found; how many there are now."""
    o = ROW * made
    rows[o], rows[o + 1], rows[o + 2], rows[o + 3] = estimate, cost, float(what), float(sense)
    rows[o + 4], rows[o + 5] = met, turned
    rows[o + 6], rows[o + 7], rows[o + 8], rows[o + 9] = ends
    return made + 1


@entry()
def fan(
    rays: Rays, targets: Floats, skip: int, onward: Floats, left: list[float], at: int, found: Found
) -> int:
    """Tangent legs of a source to circles: x, y, radius; a radius below 0 is shut.

    Gives how many, 4 a circle at most. skip: the source's own circle, -1 for none. onward: see
    `to_go`; left[at:]: what it tells of targets that are points, -1 where that is not known yet.
    """
    x, y, radius, sense, angle, first, last, cost, limit, windows = rays
    told = found.told
    made = 0
    point = radius == 0.0
    for j in range(len(targets) // 3):
        x2, y2, r2 = targets[3 * j], targets[3 * j + 1], targets[3 * j + 2]
        if r2 < 0.0 or j == skip:
            continue
        dx, dy = x2 - x, y2 - y
        d2 = dx * dx + dy * dy
        d = math.sqrt(d2)
        if cost + d - radius - r2 > limit + TIE:
            told[0] = 1
            continue
        if d2 == 0.0 and not (point and r2 == 0.0):
            continue
        towards = math.atan2(dy, dx)
        for k in range(4):
            s1 = 1 if k < 2 else -1
            s2 = s1 if k % 2 == 0 else -s1
            if point:
                if k % 2 == 1 or (r2 == 0.0 and k > 0):
                    continue
            elif s1 != sense or (r2 == 0.0 and s2 < 0):
                continue
            q = radius - r2 if s1 == s2 else radius + r2
            if d < abs(q) - TURN:
                continue
            leave = towards
            if d > 0.0:
                leave = towards - s1 * math.acos(max(-1.0, min(1.0, q / d)))
            way = leave + 0.5 * math.pi * s1 if point else leave
            turned = _turned(sense, way, angle, radius, first, last)
            if turned < 0.0:
                continue
            v = (d - q) * (d + q)
            c = cost + radius * turned + (math.sqrt(v) if v > 0.0 else 0.0)
            if c > limit + TIE:
                told[0] = 1
                continue
            met = leave if s1 == s2 else leave + math.pi
            px, py = x + radius * math.cos(leave), y + radius * math.sin(leave)
            qx, qy = x2 + r2 * math.cos(met), y2 + r2 * math.sin(met)
            if len(windows) > 0 and not crossings(px, py, qx, qy, windows, found.fractions):
                continue
            if r2 > 0.0:
                estimate = c + to_go(qx, qy, onward)
            else:
                if left[at + j] < 0.0:
                    left[at + j] = to_go(x2, y2, onward)
                estimate = c + left[at + j]
            if estimate > limit + TIE:
                if estimate < math.inf:
                    told[0] = 1
                continue
            ends = (px, py, qx, qy)
            made = _write(made, estimate, c, j, s2, met % _TAU, turned, ends, found.rows)
    return made


@kernel
def _square(
    x: float, y: float, radius: float, sense: int, side: float, goals: Floats, g: int
) -> tuple[bool, float, float, float]:
    """The last leg that meets segment goal g square, from one side of it; as `last_leg`."""
    ax, ay = goals[6 * g + 1], goals[6 * g + 2]
    ex, ey = goals[6 * g + 3] - ax, goals[6 * g + 4] - ay
    span = math.sqrt(ex * ex + ey * ey)
    if span == 0.0:
        return False, 0.0, 0.0, 0.0
    nx, ny = -side * ey / span, side * ex / span
    leave = math.atan2(ny, nx)
    px, py = x, y
    if radius > 0.0:
        leave -= 0.5 * math.pi * sense
        px, py = x + radius * math.cos(leave), y + radius * math.sin(leave)
    far = (ax - px) * nx + (ay - py) * ny
    along = ((px - ax) * ex + (py - ay) * ey) / span
    if far < -_TOUCH or along < -_TOUCH or along > span + _TOUCH:
        return False, 0.0, 0.0, 0.0
    return True, leave, ax + along * ex / span, ay + along * ey / span


@entry()
def finish(rays: Rays, goals: Floats, shut: Floats, found: Found) -> int:
    """Last legs of a source to goals; as `fan`, 2 a goal at most.

    goals, shut: as `tangent_graph.search` has them, and kind 3: a segment (ax, ay, bx, by) that is
    met square.
    """
    x, y, radius, sense, angle, first, last, cost, limit, windows = rays
    made = 0
    point = radius == 0.0
    for g in range(len(goals) // 6):
        for side in range(2):
            if goals[6 * g] == 3.0:
                ok, leave, qx, qy = _square(x, y, radius, sense, 1.0 - 2.0 * side, goals, g)
            elif side == 1:
                continue
            else:
                ok, leave, qx, qy = last_leg(x, y, radius, sense, point, goals, g, shut)
            if not ok:
                continue
            turned = _turned(sense, leave, angle, radius, first, last)
            if turned < 0.0:
                continue
            px, py = x + radius * math.cos(leave), y + radius * math.sin(leave)
            dx, dy = qx - px, qy - py
            c = cost + radius * turned + math.sqrt(dx * dx + dy * dy)
            if c > limit + TIE:
                found.told[0] = 1
                continue
            if len(windows) > 0 and not crossings(px, py, qx, qy, windows, found.fractions):
                continue
            ends = (px, py, qx, qy)
            made = _write(made, c, c, g, 0, 0.0, turned, ends, found.rows)
    return made


@entry()
def arrivals(x: float, y: float, sources: Floats, out: list[float]) -> None:
    """What a place costs from each source, walls and windows apart; infinity if no leg leads.

    sources: 7 floats each: x, y, radius, sense, angle, ahead, cost.
    """
    for i in range(len(out)):
        k = 7 * i
        cx, cy, radius, sense = sources[k], sources[k + 1], sources[k + 2], int(sources[k + 3])
        angle, ahead, cost = sources[k + 4], sources[k + 5], sources[k + 6]
        out[i] = tangent_cost(x, y, cx, cy, radius, sense, angle, ahead, cost)
