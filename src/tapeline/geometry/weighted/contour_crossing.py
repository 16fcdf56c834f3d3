"""Kernels: where the border of all places within a cost crosses a side of a mesh of squares.

MESH    the corner south-west, the side of a square, how many corners a side of the mesh has
ABOUT   of a block of squares: column, row, its middle x, y; the factor all over it, 0 if a
        border may be there; the greatest on it and a side of a square beyond, whether that is
        the only one there; the circle round it, as `cost_to_point.place_cost` takes it
LISTS   SEEN, AT, LO, LT, as `candidates` has them; the nodes and the states to choose from
BOARD   as `clearance` takes it
UP, ROOM, BAR, PRICE, POLISH  as in `contour`
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.backends import kernel, no_refcount
from tapeline.geometry.discs.clearance import (
    Floats,
    Ints,
    near_point,
    place_free,
    segment_free,
)
from tapeline.geometry.weighted.blocked_sides import CLOSE, barred_parts, free_at, spanned
from tapeline.geometry.weighted.candidates import list_block
from tapeline.geometry.weighted.cost_to_point import FOUND, least, place_cost
from tapeline.geometry.weighted.dijkstra import ground_at

__all__ = ["ROUGH", "crossing", "factors_round", "free_until", "middle_in", "within"]

#: Cost: a way not yet polished may be too dear by this.
ROUGH = 0.01


@kernel
@no_refcount
def _price(
    x: float,
    y: float,
    limit: float,
    here: float,
    free: bool,
    about: tuple[float, float, float],
    SEEN: list[int],
    nodes: int,
    states: int,
    PRICE: Any,
    BOARD: Any,
) -> float:
    """What it costs to get to a place, not polished; infinity if it is not free (may be known)."""
    if not free and not place_free(x, y, *BOARD):
        return math.inf
    c: float = place_cost(x, y, limit, here, *about, SEEN, nodes, states, *PRICE)
    return c


@kernel
@no_refcount
def within(
    x: float,
    y: float,
    limit: float,
    here: float,
    level: float,
    about: tuple[float, float, float],
    SEEN: list[int],
    nodes: int,
    states: int,
    PRICE: Any,
    POLISH: Any,
) -> float:
    """What it costs to get to a free place, not polished where that need not be to tell."""
    c: float = place_cost(x, y, limit, here, *about, SEEN, nodes, states, *PRICE)
    if level < c <= level + ROUGH:
        c = least(x, y, limit, here, c, level, nodes, states, PRICE, POLISH)
    return c


@kernel
@no_refcount
def free_until(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    fine: float,
    room: float,
    BAR: list[float],
    BOARD: Any,
) -> tuple[float, bool]:
    """The part of the way from a, which is free, to b, which is not, that is; whether all of it is.

    fine: how close, as a part. room: within it of a all is free.
    """
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    dx, dy = bx - ax, by - ay
    n = barred_parts(ax, ay, bx, by, BAR, *BOARD)
    first, last, whole = math.inf, -math.inf, False
    if n > 0:
        first, last, whole = spanned(n, BAR)
    lo, hi = max(0.0, (room - 1e-9) / length), 1.0
    while hi - lo > fine:
        t = 0.5 * (lo + hi)
        if n > 0 and t < first - CLOSE:
            lo = t
        elif whole and first + CLOSE < t < last - CLOSE:
            hi = t
        else:
            free = free_at(t, n, BAR)
            if free < 0:
                free = 1 if place_free(ax + t * dx, ay + t * dy, *BOARD) else 0
            if free == 1:
                lo = t
            else:
                hi = t
    if n >= 0 and first >= lo:
        return lo, True
    return lo, segment_free(ax, ay, ax + lo * dx, ay + lo * dy, *BOARD)


@kernel
@no_refcount
def _cross(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    end: float,
    free: bool,
    limit: float,
    here: float,
    level: float,
    eps: float,
    about: tuple[float, float, float],
    SEEN: list[int],
    nodes: int,
    states: int,
    PRICE: Any,
    POLISH: Any,
    BOARD: Any,
) -> float:
    """The part of the way from a, within the level, that is, up to the part `end`, which is not.

    here: the factor all round, 0 if a border is near. free: all places up to there are.
    """
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    dx, dy = bx - ax, by - ay
    fine = 0.5 * eps / length
    # Where the price, not polished, is the level.
    lo, hi = 0.0, end
    paid: float = _price(ax, ay, limit, here, free, about, SEEN, nodes, states, PRICE, BOARD)
    came = PRICE[FOUND][0]
    x, y = ax + end * dx, ay + end * dy
    g: float = _price(x, y, limit, here, free, about, SEEN, nodes, states, PRICE, BOARD) - level
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
            x, y = ax + t * dx, ay + t * dy
            price: float = _price(
                x, y, limit, here, free, about, SEEN, nodes, states, PRICE, BOARD
            )  # fmt: skip
            c = price - level
            if c <= 0.0:
                lo, f, paid, came = t, c, price, PRICE[FOUND][0]
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
        PRICE[FOUND][0] = came
        x, y = ax + lo * dx, ay + lo * dy
        paid = least(x, y, limit, here, paid, 0.0, nodes, states, PRICE, POLISH)
    for _ in range(6):
        left = level - paid
        if left <= 0.5 * eps or over - lo <= fine:
            break
        t = min(lo + 0.9 * left / (max(steep, 0.5) * length), lo + 0.9 * (over - lo))
        x, y = ax + t * dx, ay + t * dy
        price = _price(x, y, limit, here, free, about, SEEN, nodes, states, PRICE, BOARD)
        if price < math.inf:
            price = least(x, y, limit, here, price, 0.0, nodes, states, PRICE, POLISH)
        if price <= level:
            lo, paid = t, price
        else:
            over = t
    return lo


@kernel
@no_refcount
def factors_round(
    x: float,
    y: float,
    rho: float,
    more: float,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
) -> tuple[float, float, bool]:
    """The factor within rho of a point, 0 if a border may be there; the greatest within `more`.

    And whether that is the only one.
    """
    near = far = True
    for k in range(0, len(XL), 5):
        d2 = near_point(x, y, XL[k], XL[k + 1], XL[k + 2], XL[k + 3])
        sag = XL[k + 4]
        if d2 <= (more + sag) * (more + sag):
            far = False
            if d2 <= (rho + sag) * (rho + sag):
                near = False
                break
    here = ground_at(x, y, AR, AQ, AF, AC, WT) if near else 0.0
    return here, here if far else WT[len(WT) - 1], far


@kernel
@no_refcount
def crossing(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    end: float,
    barred: bool,
    clear: bool,
    block: int,
    MESH: Any,
    ABOUT: Any,
    limit: float,
    level: float,
    eps: float,
    LISTS: Any,
    PRICE: Any,
    POLISH: Any,
    BOARD: Any,
) -> float:
    """The part of the way from a, within the level, up to the border, which is no farther than end.

    barred: all beyond `end` is out for it is not free. clear: all before is free.
    """
    here, about = ABOUT[4], ABOUT[7]
    SEEN, AT = LISTS[0], LISTS[1]
    if here == 0.0:
        x, y = 0.5 * (ax + bx), 0.5 * (ay + by)
        step = MESH[2]
        here = factors_round(x, y, 0.5 * step, 0.5 * step, *PRICE[16:22])[0]
    list_block(block, MESH, ABOUT, level + ROUGH, LISTS, PRICE)
    nodes, states = AT[4], AT[5]
    if barred:
        x, y = ax + end * (bx - ax), ay + end * (by - ay)
        c: float = within(x, y, limit, here, level, about, SEEN, nodes, states, PRICE, POLISH)
        if c <= level:
            return end
    past: float = _cross(
        ax, ay, bx, by, end, clear, limit, here, level, eps, about, SEEN, nodes, states, PRICE,
        POLISH, BOARD,
    )  # fmt: skip
    return past


@kernel
@no_refcount
def middle_in(
    x: float,
    y: float,
    block: int,
    MESH: Any,
    ABOUT: Any,
    level: float,
    LISTS: Any,
    PRICE: Any,
    POLISH: Any,
) -> int:
    """Whether the free middle of a square is within the level, 1 or 0."""
    close = level + ROUGH
    list_block(block, MESH, ABOUT, close, LISTS, PRICE)
    AT = LISTS[1]
    c: float = within(
        x, y, close, ABOUT[4], level, ABOUT[7], LISTS[0], AT[4], AT[5], PRICE, POLISH
    )  # fmt: skip
    return 1 if c <= level else 0
