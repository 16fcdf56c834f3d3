"""Kernels: where the border of all places within a cost crosses a side of a mesh of squares.

By regula falsi on prices as they stand (Illinois, Dowell and Jarratt 1971), then a little on by
prices that were polished. Where the disc may stand on a side, and whether a way may pass between:
free parts are 2 floats each, in order: from where to where, of the side's length as 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.clearance import near_point
from tapeline.geometry.discs.free_border import free_spans
from tapeline.geometry.discs.spans import Curve
from tapeline.geometry.weighted.arrays import Areas, Clearance, Spread, factor_at
from tapeline.geometry.weighted.candidates import ROUGH, Block, Lists, Mesh, list_block
from tapeline.geometry.weighted.cost_to_point import Known, least_cost, place_cost

__all__ = [
    "CLOSE",
    "Side",
    "SideRoom",
    "crossing",
    "factors_round",
    "free_parts",
    "free_until",
    "passable",
    "within",
]


#: Part of a side: ends of free parts that are nearer to its own ends than this are these.
CLOSE = 1e-7


class Side(NamedTuple):
    """A side of a square, from a, within the level, to b, which is not.

    end: all beyond this part of it is out. barred: because it is not free. clear: all before is
    free. known: the border is at the end.
    """

    ax: float
    ay: float
    bx: float
    by: float
    end: float
    barred: bool
    clear: bool
    known: bool


@kernel
def within(x: float, y: float, limit: float, known: Known, level: float, spread: Spread) -> float:
    """What it costs to get to a free place, not polished where that need not be to tell."""
    c = place_cost(x, y, limit, known, spread)
    if level < c <= level + ROUGH:
        c = least_cost(x, y, known.factor, c, level, spread)
    return c


@kernel
def free_until(
    side: Side, fine: float, room: float, parts: SideRoom, clear: Clearance
) -> tuple[float, bool]:
    """The part of a side beyond which the disc may not stand, and whether all before is free.

    fine: how far short of there it is left, as a part: ways that barely touch are hard to find.
    room: within it of a all is free.
    """
    dx, dy = side.bx - side.ax, side.by - side.ay
    least = max(0.0, (room - 1e-9) / math.sqrt(dx * dx + dy * dy))
    n = free_parts(side.ax, side.ay, side.bx, side.by, parts, clear)
    if n <= 0:
        return least, True
    return max(least, parts.free[2 * n - 1] - fine), n == 1 and parts.free[0] < CLOSE


@kernel
def factors_round(
    x: float, y: float, rho: float, more: float, areas: Areas
) -> tuple[float, float, bool]:
    """The factor within rho of a point, 0 if a border may be there; the greatest within `more`.

    And whether that is the only one.
    """
    borders, factors = areas.borders, areas.factors
    near = far = True
    for k in range(0, len(borders), 5):
        d2 = near_point(x, y, borders[k], borders[k + 1], borders[k + 2], borders[k + 3])
        sag = borders[k + 4]
        if d2 <= (more + sag) * (more + sag):
            far = False
            if d2 <= (rho + sag) * (rho + sag):
                near = False
                break
    here = factor_at(x, y, areas) if near else 0.0
    return here, here if far else factors[len(factors) - 1], far


@kernel
def crossing(side: Side, block: Block, mesh: Mesh, lists: Lists, spread: Spread) -> float:
    """The part of a side up to the border, which is no farther than its `end`."""
    ax, ay, bx, by, end, barred, free, known = side
    if known:
        return end
    here = block.factor
    if here == 0.0:
        half = 0.5 * mesh.step
        here = factors_round(0.5 * (ax + bx), 0.5 * (ay + by), half, half, spread.areas)[0]
    list_block(block, mesh, lists, spread)
    limit, level, eps, found = mesh.limit, mesh.level, mesh.eps, spread.way.found
    if barred:
        x, y = ax + end * (bx - ax), ay + end * (by - ay)
        if within(x, y, limit, Known(True, here, block.about), level, spread) <= level:
            return end
    place = Known(free, here, block.about)
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    dx, dy = bx - ax, by - ay
    fine = 0.5 * eps / length
    # Where the price, not polished, is the level.
    lo, hi = 0.0, end
    paid = place_cost(ax, ay, limit, place, spread)
    came = found[0]
    g = place_cost(ax + end * dx, ay + end * dy, limit, place, spread) - level
    f = paid - level
    steep = 1.0
    if f <= 0.0 and g > 0.0:
        last = 0
        for _ in range(40):
            if hi - lo <= fine:
                break
            t = 0.5 * (lo + hi)
            if g < math.inf:
                steep = (g - f) / ((hi - lo) * length)
                t = min(max(lo - f / (g - f) * (hi - lo), lo + 0.3 * fine), hi - 0.3 * fine)
            price = place_cost(ax + t * dx, ay + t * dy, limit, place, spread)
            c = price - level
            if c <= 0.0:
                lo, f, paid, came = t, c, price, found[0]
                if f > -0.25 * eps:
                    break
                if last == 1 and g < math.inf:
                    g *= 0.5
                last = 1
            else:
                hi, g = t, c
                if last == -1:
                    f *= 0.5
                last = -1
    # Polished it costs less, so it goes on a little.
    over = end
    if paid < math.inf:
        found[0] = came
        x, y = ax + lo * dx, ay + lo * dy
        paid = least_cost(x, y, here, paid, 0.0, spread)
    for _ in range(6):
        left = level - paid
        if left <= 0.5 * eps or over - lo <= fine:
            break
        t = min(lo + 0.9 * left / (max(steep, 0.5) * length), lo + 0.9 * (over - lo))
        x, y = ax + t * dx, ay + t * dy
        price = place_cost(x, y, limit, place, spread)
        if price < math.inf:
            price = least_cost(x, y, here, price, 0.0, spread)
        if price <= level:
            lo, paid = t, price
        else:
            over = t
    return lo


class SideRoom(NamedTuple):
    """Room for the free parts of a side, and scratch for what bars it."""

    free: list[float]
    barred: list[float]


@kernel
def free_parts(ax: float, ay: float, bx: float, by: float, room: SideRoom, clear: Clearance) -> int:
    """The parts of a side from a to b where the disc may stand; how many, below 0 without room."""
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    side = Curve(ax, ay, dx / length, dy / length, length, 0.0)
    n = free_spans(side, room.free, 0, len(room.free) // 2, room.barred, clear)
    for k in range(2 * n):
        room.free[k] /= length
    return n


@kernel
def passable(n: int, a_free: bool, b_free: bool, even: bool, room: SideRoom) -> bool:
    """Whether a way may pass a side from whose ends none leads on that is cheap enough.

    even: all within a side's length of it is ground of one factor. A way through a free part that
    begins at an end does not get farther than one through that end does, if it goes on for a
    side's length or more; so only parts between two that are barred count.
    """
    if n <= 0:
        return n < 0
    from_a, to_b = room.free[0] < CLOSE, room.free[2 * n - 1] > 1.0 - CLOSE
    if (from_a and not a_free) or (to_b and not b_free):
        return True
    if n == 1 and from_a and to_b:
        return not even
    return n > from_a + to_b or (not even and (from_a or to_b))
