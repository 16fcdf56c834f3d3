"""Where pieces of borders cross: closed forms for straight pieces and circles."""

from __future__ import annotations

import math

from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.rectangle import Point

__all__ = ["Piece", "border_crossings"]

#: A straight piece (ax, ay, bx, by, at most 0) or a circle (x, y, 0, 0, its radius).
Piece = tuple[float, float, float, float, float]


def border_crossings(p: Piece, q: Piece, *, touching: bool) -> list[Point]:
    """Points in which two pieces cross. touching: also where they touch a circle, or end at it."""
    if p[4] > 0.0 and q[4] > 0.0:
        dx, dy = q[0] - p[0], q[1] - p[1]
        d, far, near = math.hypot(dx, dy), p[4] + q[4], abs(p[4] - q[4])
        if d == 0.0 or not near <= d <= far or (not touching and d in (near, far)):
            return []
        along = (d * d + p[4] * p[4] - q[4] * q[4]) / (2.0 * d)
        root = math.sqrt(max(0.0, p[4] * p[4] - along * along))
        ux, uy = dx / d, dy / d
        x, y = p[0] + along * ux, p[1] + along * uy
        return [(x - root * uy, y + root * ux), (x + root * uy, y - root * ux)]
    if p[4] > 0.0:
        return border_crossings(q, p, touching=touching)
    ex, ey = p[2] - p[0], p[3] - p[1]
    if q[4] > 0.0:
        length = math.hypot(ex, ey)
        ux, uy = ex / length, ey / length
        x, y = q[0] - p[0], q[1] - p[1]
        along, across = x * ux + y * uy, x * uy - y * ux
        root = q[4] * q[4] - across * across
        if root < 0.0 or (root == 0.0 and not touching):
            return []
        root, beyond = math.sqrt(root), ROUNDING if touching else 0.0
        return [
            (p[0] + s * ux, p[1] + s * uy)
            for s in (along - root, along + root)
            if -beyond <= s <= length + beyond
        ]
    fx, fy = q[2] - q[0], q[3] - q[1]
    den = ex * fy - ey * fx
    if den == 0.0:
        return []
    gx, gy = q[0] - p[0], q[1] - p[1]
    t, s = (gx * fy - gy * fx) / den, (gx * ey - gy * ex) / den
    if -ROUNDING <= t <= 1.0 + ROUNDING and -ROUNDING <= s <= 1.0 + ROUNDING:
        return [(p[0] + t * ex, p[1] + t * ey)]
    return []
