"""Where pieces of borders cross: closed forms for straight pieces and circles."""

from __future__ import annotations

import math

from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.plane.intersections import both_circles, lengths_at
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.rectangle import Point

__all__ = ["Piece", "border_crossings"]

#: A straight piece (ax, ay, bx, by, at most 0) or a circle (x, y, 0, 0, its radius).
Piece = tuple[float, float, float, float, float]


def border_crossings(p: Piece, q: Piece, *, touching: bool) -> list[Point]:
    """Points in which two pieces cross. touching: also where they touch a circle, or end at it."""
    if p[4] > 0.0 and q[4] > 0.0:
        found = list(both_circles((p[0], p[1], p[4]), (q[0], q[1], q[4])))
        return found if touching or len(found) > 1 else []
    if p[4] > 0.0:
        return border_crossings(q, p, touching=touching)
    ex, ey = p[2] - p[0], p[3] - p[1]
    if q[4] > 0.0:
        length = math.hypot(ex, ey)
        met = lengths_at(Line(*p[:4]), (q[0], q[1], q[4]))
        if len(met) < 2 and not touching:
            return []
        beyond = ROUNDING if touching else 0.0
        return [
            (p[0] + s * ex / length, p[1] + s * ey / length)
            for s in met
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
