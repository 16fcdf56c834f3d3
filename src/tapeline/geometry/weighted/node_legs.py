"""Kernels: straight legs between nodes of borders: what they cross, how they leave and arrive."""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.weighted.arrays import (
    BEND,
    GAP,
    LEFT,
    LOW,
    NODE,
    RIGHT,
    TAU,
    UX,
    UY,
    Areas,
    Clearance,
    clear_leg,
    factor_at,
)

__all__ = [
    "NEAR",
    "SLIP",
    "TIE",
    "borders_met",
    "even_leg",
    "faces_border",
    "leaves",
    "leg_over",
    "met_at",
    "turned_to",
]


#: Cost: gains smaller than this are rounding.
TIE = 1e-11
#: Length: crossings nearer to an end of a leg than this are none.
NEAR = 1e-9
#: Angle, radians: arcs met this near to their ends are met.
SLIP = 1e-7
#: How many distances between nodes a leg may be off Snell's law.
_OFF = 1.5


@kernel
def borders_met(px: float, py: float, qx: float, qy: float, areas: Areas) -> int:
    """-1 if a leg crosses a border or passes a corner, 1 if it runs along a border, else 0."""
    borders, circles = areas.borders, areas.circles
    along_border = False
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        return 0
    ux, uy = dx / length, dy / length
    x0, x1 = (px, qx) if px < qx else (qx, px)
    y0, y1 = (py, qy) if py < qy else (qy, py)
    for k in range(0, len(borders), 5):
        if borders[k + 4] > 0.0:
            continue
        ax, ay, bx, by = borders[k], borders[k + 1], borders[k + 2], borders[k + 3]
        if max(ax, bx) < x0 - NEAR or min(ax, bx) > x1 + NEAR:
            continue
        if max(ay, by) < y0 - NEAR or min(ay, by) > y1 + NEAR:
            continue
        c1, c2 = ux * (ay - py) - uy * (ax - px), ux * (by - py) - uy * (bx - px)
        if (c1 > NEAR and c2 > NEAR) or (c1 < -NEAR and c2 < -NEAR):
            continue
        vx, vy = bx - ax, by - ay
        e = math.sqrt(vx * vx + vy * vy)
        d1, d2 = (vx * (py - ay) - vy * (px - ax)) / e, (vx * (qy - ay) - vy * (qx - ax)) / e
        if (d1 > NEAR and d2 < -NEAR) or (d1 < -NEAR and d2 > NEAR):
            return -1
        if abs(d1) <= NEAR and abs(d2) <= NEAR:
            along_border = True
    for k in range(0, len(circles), 4):
        cx, cy, radius = circles[k] - px, circles[k + 1] - py, circles[k + 2]
        off = ux * cy - uy * cx
        v = (radius - off) * (radius + off)
        if v <= 0.0:
            continue
        along = ux * cx + uy * cy
        half = math.sqrt(v)
        if half < 1e-7:
            continue
        for side in range(2):
            t = along - half if side == 0 else along + half
            if t < 1e-8 or t > length - 1e-8:
                continue
            step = min(1e-6, 0.5 * t, 0.5 * (length - t))
            a = factor_at(px + (t - step) * ux, py + (t - step) * uy, areas)
            b = factor_at(px + (t + step) * ux, py + (t + step) * uy, areas)
            # Along a border one point does not tell what lies on both sides; links do.
            if a != b or along_border:
                return -1
    return 1 if along_border else 0


@kernel
def leg_over(px: float, py: float, qx: float, qy: float, areas: Areas) -> float:
    """The factor of a leg that crosses no border, -1 for one that does or passes a corner.

    Along a border the cheaper side counts.
    """
    met = borders_met(px, py, qx, qy, areas)
    if met < 0:
        return -1.0
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        return areas.factors[0]
    x, y = 0.5 * (px + qx), 0.5 * (py + qy)
    if met == 1:
        ux, uy = dx / length, dy / length
        a = factor_at(x - 1e-6 * uy, y + 1e-6 * ux, areas)
        return min(a, factor_at(x + 1e-6 * uy, y - 1e-6 * ux, areas))
    return factor_at(x, y, areas)


@kernel
def even_leg(
    px: float, py: float, qx: float, qy: float, w: float, areas: Areas, clear: Clearance
) -> bool:
    """Whether a leg is free and runs over factor w alone."""
    # Obstacles first: they are on a grid, borders are not.
    return clear_leg(px, py, qx, qy, clear) and leg_over(px, py, qx, qy, areas) == w


@kernel
def leaves(i: int, dx: float, dy: float, dist: float, nodes: Floats, slopes: Floats) -> float:
    """The factor at which a leg may leave node i for what is dx, dy away; -1 if Snell forbids."""
    f = NODE * i
    ux, uy = nodes[f + UX], nodes[f + UY]
    if ux == 0.0 and uy == 0.0:
        return nodes[f + LOW]
    w = nodes[f + LEFT] if ux * dy - uy * dx > 0.0 else nodes[f + RIGHT]
    off = abs(w * (ux * dx + uy * dy) / dist - slopes[2 * i])
    wide = _OFF * nodes[f + GAP] * (slopes[2 * i + 1] + w / dist + w * abs(nodes[f + BEND]))
    return w if off <= wide + 1e-9 else -1.0


@kernel
def faces_border(j: int, dx: float, dy: float, w: float, nodes: Floats) -> bool:
    """Whether a leg with direction dx, dy over factor w may come to node j."""
    f = NODE * j
    ux, uy = nodes[f + UX], nodes[f + UY]
    if ux == 0.0 and uy == 0.0:
        return True
    return nodes[f + RIGHT if ux * dy - uy * dx > 0.0 else f + LEFT] == w


@kernel
def met_at(met: float, begin: float, sweep: float, closed: int) -> float:
    """How far along an arc, counter-clockwise from its begin, an angle is; -1 if not on it."""
    t = (met - begin) % TAU
    if closed or t <= sweep:
        return t
    if t >= TAU - SLIP:
        return 0.0
    return sweep if t <= sweep + SLIP else -1.0


@kernel
def turned_to(sense: int, leave: float, angle: float) -> float:
    """How far an arc taken up at an angle, in a sense, is gone round before it is left."""
    turned = (sense * (leave - angle)) % TAU
    return 0.0 if turned > TAU - SLIP else turned
