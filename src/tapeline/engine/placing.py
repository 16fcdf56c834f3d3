"""Do two bases share ground, and by how much? How far does one reach along the table?"""

from __future__ import annotations

import math

from tapeline.table.bodies import Body, Rectangle, Round

__all__ = ["base_extent", "base_overlap"]

#: Sine and cosine at quarter turns, where floating point misses them.
_QUARTERS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


def _heading(facing: float) -> tuple[float, float]:
    turn = facing % 360.0
    if turn in _QUARTERS:
        return _QUARTERS[turn]
    angle = math.radians(turn)
    return math.cos(angle), math.sin(angle)


def base_extent(body: Body) -> tuple[float, float, float, float]:
    """West, south, east and north end of a base, table units."""
    if isinstance(body.base, Round):
        across = up = body.base.radius
    else:
        c, s = _heading(body.facing)
        half_depth, half_width = 0.5 * body.base.depth, 0.5 * body.base.width
        across = abs(c) * half_depth + abs(s) * half_width
        up = abs(s) * half_depth + abs(c) * half_width
    return body.x - across, body.y - up, body.x + across, body.y + up


def base_overlap(a: Body, b: Body) -> float:
    """Depth by which two bases overlap, table units; zero or less when they do not.

    The depth is the least shift that parts them. Bases that are apart give a negative figure no
    smaller than minus their gap.
    """
    if isinstance(a.base, Round):
        if isinstance(b.base, Round):
            return a.base.radius + b.base.radius - math.hypot(a.x - b.x, a.y - b.y)
        return _disc_in_rectangle(a, a.base, b, b.base)
    if isinstance(b.base, Round):
        return _disc_in_rectangle(b, b.base, a, a.base)
    return _rectangles(a, a.base, b, b.base)


def _disc_in_rectangle(disc: Body, round_: Round, block: Body, base: Rectangle) -> float:
    c, s = _heading(block.facing)
    dx, dy = disc.x - block.x, disc.y - block.y
    ahead, aside = abs(c * dx + s * dy), abs(c * dy - s * dx)
    past_u, past_v = ahead - 0.5 * base.depth, aside - 0.5 * base.width
    outside = math.hypot(max(past_u, 0.0), max(past_v, 0.0))
    return round_.radius - (outside if outside > 0.0 else max(past_u, past_v))


def _rectangles(a: Body, base_a: Rectangle, b: Body, base_b: Rectangle) -> float:
    # Separating axes: the least overlap of the two shadows over the four side directions.
    least = math.inf
    dx, dy = b.x - a.x, b.y - a.y
    ua, ub = _heading(a.facing), _heading(b.facing)
    for c, s in (ua, (-ua[1], ua[0]), ub, (-ub[1], ub[0])):
        shadows = 0.0
        for (hx, hy), base in ((ua, base_a), (ub, base_b)):
            along, across = abs(c * hx + s * hy), abs(c * -hy + s * hx)
            shadows += 0.5 * (base.depth * along + base.width * across)
        least = min(least, shadows - abs(c * dx + s * dy))
    return least
