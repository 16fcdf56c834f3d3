"""Kernels: the border of all places within a cost, marched over squares.

Squares are taken in blocks of 4 by 4. Of the nodes and arcs that ways come from only those go with
a block that may lead into it within the level, by their cost and by Snell's law; and of those none
whose legs into the block are all barred. A block is done with at once where none is left, and where
no obstacle stands in it and its middle costs so little that all of it is within the level. Of a
corner's price no more is asked than whether it is within: one step from a corner known to be often
tells, or a leg from where the last one's way came from.

    BL  ints    the nodes, then the states, that may lead into the sixteen blocks round a block
    BK  ints    likewise into a block
    UP  floats  corners: no less than what it costs to get there, infinity where that is not known
    ROOM  floats  corners: as `clearing` has it
    SEEN  ints  of those that may lead into a block, as `pricing` has it
    ALL         the arrays from NF on, as `pricing.place_cost` takes them, with places of ways
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.discs.clearance import Floats, Ints, near_point, place_free, segment_free
from tapeline.geometry.gears import bare, entry, kernel
from tapeline.geometry.slow.clearing import room_round
from tapeline.geometry.slow.pricing import FOUND, least, place_cost, price_from, swing
from tapeline.geometry.slow.spreading import (
    GROUND,
    NET,
    NODE,
    SLIP,
    SPREAD,
    STATE,
    TAU,
    TIE,
    ground_at,
)

__all__ = ["march"]

#: Squares along the side of a block, blocks along the side of those looked at first.
_BLOCK, _BLOCKS = 4, 4
#: Cost: a way not yet polished may be too dear by this.
_ROUGH = 0.01
#: How many distances between nodes a leg may be off Snell's law, as `spreading` has it, with room.
_OFF = 1.6


@kernel
@bare
def _leads(
    i: int, x: float, y: float, rho: float, limit: float, NF: Floats, cost: Floats, SL: Floats
) -> bool:
    """Whether a leg from node i may lead into the circle of radius rho about a point."""
    f = NODE * i
    dx, dy = x - NF[f], y - NF[f + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    if cost[i] + NF[f + 6] * max(0.0, dist - rho) > limit:
        return False
    ux, uy = NF[f + 2], NF[f + 3]
    if (ux == 0.0 and uy == 0.0) or dist < 1.2 * rho + 2.0 * NF[f + 7]:
        return True
    across, ahead = ux * dy - uy * dx, (ux * dx + uy * dy) / dist
    # Directions to places of the circle differ from that to its middle by no more than this.
    swing = 1.6 * rho / dist
    for side in range(2):
        if (across < -rho) if side == 0 else (across > rho):
            continue
        w = NF[f + 4 + side]
        wide = _OFF * NF[f + 7] * (SL[2 * i + 1] + w / (dist - rho) + w * abs(NF[f + 8]))
        if abs(w * ahead - SL[2 * i]) <= wide + w * swing + 1e-9:
            return True
    return False


@kernel
@bare
def _winds(
    s: int, x: float, y: float, rho: float, limit: float, AP: Floats, SF: Floats, SI: Ints
) -> bool:
    """Whether a leg from the arc of state s may lead into the circle of radius rho about x, y."""
    a = 6 * SI[4 * s]
    g = STATE * s
    radius, w = AP[a + 2], AP[a + 5]
    dx, dy = x - AP[a], y - AP[a + 1]
    dist = math.sqrt(dx * dx + dy * dy)
    far = max(0.0, dist - rho)
    v = far * far - radius * radius
    if v <= 0.0:
        return True
    if SF[g] + w * math.sqrt(v) > limit:
        return False
    turn = swing(dist, radius, rho)
    if turn > math.pi:
        return True
    sense = SI[4 * s + 1]
    tangent = math.sqrt(dist * dist - radius * radius)
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    turned = (sense * (leave - SF[g + 4])) % TAU
    # Ways to some places of the circle may only just have to go round.
    if turned + turn >= TAU - SLIP:
        return True
    least = SF[g] + w * (radius * turned + tangent - rho)
    return turned - turn <= SF[g + 5] + SLIP and least <= limit


@kernel
@bare
def _chosen(
    x: float,
    y: float,
    rho: float,
    limit: float,
    nodes: int,
    states: int,
    some: Ints,
    more: Ints,
    BO: list[int],
    BT: list[int],
    NF: Floats,
    AP: Floats,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
) -> tuple[int, int]:
    """Those of some nodes and of more states that may lead into a circle, put into BO and BT."""
    kept, wound = 0, 0
    for k in range(nodes):
        if _leads(some[k], x, y, rho, limit, NF, cost, SL):
            BO[kept] = some[k]
            kept += 1
    for k in range(states):
        if _winds(more[k], x, y, rho, limit, AP, SF, SI):
            BT[wound] = more[k]
            wound += 1
    return kept, wound


@kernel
@bare
def _price(
    x: float,
    y: float,
    limit: float,
    here: float,
    about: tuple[float, float, float],
    SEEN: list[int],
    nodes: int,
    states: int,
    PRICE: Any,
    BOARD: Any,
) -> float:
    """What it costs to get to a place, not polished; infinity if that is not free."""
    if not place_free(x, y, *BOARD):
        return math.inf
    c: float = place_cost(x, y, limit, here, *about, SEEN, nodes, states, *PRICE)
    return c


@kernel
@bare
def _within(
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
    if level < c <= level + _ROUGH:
        c = least(x, y, limit, here, c, level, nodes, states, PRICE, POLISH)
    return c


@kernel
@bare
def _cross(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    limit: float,
    here: float,
    level: float,
    eps: float,
    sure: bool,
    room: float,
    about: tuple[float, float, float],
    SEEN: list[int],
    nodes: int,
    states: int,
    PRICE: Any,
    POLISH: Any,
    BOARD: Any,
) -> float:
    """The part of the way from a, within the level, to b, which is not, up to the border.

    here: the factor all round, 0 if a border is near. sure: what can be got to from a straight on
    costs no more than the level. room: within it of a all places are free.
    """
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    dx, dy = bx - ax, by - ay
    fine = 0.5 * eps / length
    end = 1.0
    if not place_free(bx, by, *BOARD):
        # Up to the obstacle first.
        lo, hi = max(0.0, (room - 1e-9) / length), 1.0
        while hi - lo > fine:
            t = 0.5 * (lo + hi)
            if place_free(ax + t * dx, ay + t * dy, *BOARD):
                lo = t
            else:
                hi = t
        end = lo
        if end == 0.0 or (sure and segment_free(ax, ay, ax + end * dx, ay + end * dy, *BOARD)):
            return end
        x, y = ax + end * dx, ay + end * dy
        if _within(x, y, limit, here, level, about, SEEN, nodes, states, PRICE, POLISH) <= level:
            return end
    # Then where the price, not polished, is the level.
    lo, hi = 0.0, end
    f: float = _price(ax, ay, limit, here, about, SEEN, nodes, states, PRICE, BOARD) - level
    g: float = (
        _price(ax + end * dx, ay + end * dy, limit, here, about, SEEN, nodes, states, PRICE, BOARD)
        - level
    )
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
            c = _price(x, y, limit, here, about, SEEN, nodes, states, PRICE, BOARD) - level
            if c <= 0.0:
                lo, f = t, c
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
    for _ in range(6):
        x, y = ax + lo * dx, ay + lo * dy
        c = _price(x, y, limit, here, about, SEEN, nodes, states, PRICE, BOARD)
        if c < math.inf:
            c = least(x, y, limit, here, c, 0.0, nodes, states, PRICE, POLISH)
        left = level - c
        if left <= 0.5 * eps or over - lo <= fine:
            break
        t = min(lo + 0.9 * left / (max(steep, 0.5) * length), lo + 0.9 * (over - lo))
        x, y = ax + t * dx, ay + t * dy
        c = _price(x, y, limit, here, about, SEEN, nodes, states, PRICE, BOARD)
        if c < math.inf:
            c = least(x, y, limit, here, c, 0.0, nodes, states, PRICE, POLISH)
        if c <= level:
            lo = t
        else:
            over = t
    return lo


@kernel
@bare
def _factor_round(
    x: float,
    y: float,
    rho: float,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
) -> float:
    """The factor within rho of a point; if a border may be there, the greatest one, below 0."""
    for k in range(0, len(XL), 5):
        far = rho + XL[k + 4]
        if near_point(x, y, XL[k], XL[k + 1], XL[k + 2], XL[k + 3]) <= far * far:
            return -WT[len(WT) - 1]
    return ground_at(x, y, AR, AQ, AF, AC, WT)


@kernel
@bare
def _block(
    i0: int,
    j0: int,
    x0: float,
    y0: float,
    step: float,
    columns: int,
    limit: float,
    level: float,
    eps: float,
    inside: list[int],
    place: list[float],
    joined: list[int],
    UP: list[float],
    ROOM: Floats,
    SEEN: list[int],
    nodes: int,
    states: int,
    BO: list[int],
    BT: list[int],
    PRICE: Any,
    POLISH: Any,
    BOARD: Any,
    GROUNDS: Any,
) -> None:
    """The corners of a block, and where its sides south and west of corners leave the level."""
    rho = 0.5 * math.sqrt(2.0) * _BLOCK * step
    mx, my = x0 + step * (i0 + 0.5 * _BLOCK), y0 + step * (j0 + 0.5 * _BLOCK)
    here = _factor_round(mx, my, rho, *GROUNDS)
    w, here = abs(here), max(0.0, here)
    r, slack = BOARD[0], BOARD[1]
    close = level + _ROUGH
    middle = math.inf
    # Rings that may not be entered do not grow with the disc, so nothing is told by its size.
    about = (mx, my, rho if BOARD[3][4] == 0 else 0.0)
    for k in range(nodes + states):
        SEEN[k] = 0
    if ROOM[(j0 + _BLOCK // 2) * columns + i0 + _BLOCK // 2] >= 0.0 and place_free(
        mx, my, r + rho, slack, *BOARD[2:]
    ):
        middle = place_cost(mx, my, close, here, *about, SEEN, nodes, states, *PRICE)
        if middle < math.inf:
            nodes, states = _chosen(
                mx, my, rho, min(close, middle + w * rho), nodes, states, BO, BT, BO, BT,
                PRICE[0], PRICE[5], PRICE[8], PRICE[9], PRICE[10], PRICE[11],
            )  # fmt: skip
            for k in range(nodes + states):
                SEEN[k] = 0
    last = -1
    for j in range(j0, j0 + _BLOCK + 1):
        for i in range(i0, i0 + _BLOCK + 1):
            k = j * columns + i
            if inside[k] >= 0:
                continue
            inside[k] = 0
            if nodes + states == 0 or ROOM[k] < 0.0:
                continue
            x, y = x0 + step * i, y0 + step * j
            if middle < math.inf:
                c = middle + w * math.sqrt((x - mx) ** 2 + (y - my) ** 2)
                if c <= level:
                    inside[k] = 1
                    UP[k] = c
                    continue
            for side in range(4):
                if side == 0 and i > 0:
                    n, px, py = k - 1, x - step, y
                elif side == 1 and j > 0:
                    n, px, py = k - columns, x, y - step
                elif side == 2 and i < i0 + _BLOCK:
                    n, px, py = k + 1, x + step, y
                elif side == 3 and j < j0 + _BLOCK:
                    n, px, py = k + columns, x, y + step
                else:
                    continue
                if (
                    inside[n] == 1
                    and UP[n] + w * step <= level
                    and (ROOM[k] + ROOM[n] > step + 1e-6 or segment_free(px, py, x, y, *BOARD))
                ):
                    inside[k] = 1
                    UP[k] = UP[n] + w * step
                    break
            if inside[k] == 1:
                continue
            c = math.inf
            if last >= 0:
                c = price_from(last, x, y, level, here, PRICE)
            if c > level:
                c = _within(x, y, close, here, level, about, SEEN, nodes, states, PRICE, POLISH)
                last = PRICE[FOUND][0]
            if c <= level:
                inside[k] = 1
                UP[k] = c
    for j in range(j0, j0 + _BLOCK):
        for i in range(i0, i0 + _BLOCK):
            k = j * columns + i
            x, y = x0 + step * i, y0 + step * j
            for up in range(2):
                n = k + 1 if up == 0 else k + columns
                if inside[k] == inside[n]:
                    continue
                ax, ay = x, y
                bx, by = (x + step, y) if up == 0 else (x, y + step)
                of = k
                if inside[k] == 0:
                    ax, ay, bx, by, of = bx, by, ax, ay, n
                sure = UP[of] + w * step <= level
                t = _cross(
                    ax, ay, bx, by, limit, here, level, eps, sure, ROOM[of], about, SEEN, nodes,
                    states, PRICE, POLISH, BOARD,
                )  # fmt: skip
                place[2 * k + up] = t if inside[k] == 1 else 1.0 - t
            east, north = inside[k + 1], inside[k + columns]
            if inside[k] == inside[k + columns + 1] and east == north and inside[k] != east:
                x, y = x + 0.5 * step, y + 0.5 * step
                if place_free(x, y, *BOARD):
                    c = _within(x, y, close, here, level, about, SEEN, nodes, states, PRICE, POLISH)
                    joined[k] = 1 if c <= level else 0


@entry(
    "int64(float64, float64, float64, int64, float64, float64, float64, int64[::1], float64[::1], "
    "int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], int64[::1], int64[::1], "
    f"int64[::1], int64[::1], {NET}{SPREAD}float64[::1], int64[::1], float64[::1], int64[::1], "
    f"int64[::1], {GROUND})"
)
@bare
def march(
    x0: float,
    y0: float,
    step: float,
    columns: int,
    limit: float,
    level: float,
    eps: float,
    inside: list[int],
    place: list[float],
    sides: list[int],
    joined: list[int],
    UP: list[float],
    ROOM: list[float],
    SEEN: list[int],
    LO: list[int],
    LT: list[int],
    BO: list[int],
    BT: list[int],
    NF: Floats,
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    order: Ints,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
    taken: Ints,
    kin: Ints,
    tried: list[float],
    found: list[int],
    P: list[float],
    K: list[int],
    chain: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """Which corners of a mesh of squares cost `level` or less, and where its sides leave that.

    columns: corners along a side of the mesh, one more than a multiple of 16. inside: 1 or 0 a
    corner. place: two a corner, for the side east and the side north of it: the part of it, from
    its west or south end, where the border is; -1 where both ends are alike. sides: those that the
    border crosses, as places in `place`. joined: 1 for a square, by its corner south-west, whose
    middle is within though two opposite corners are not. UP, ROOM, SEEN, LO, LT, BO, BT: scratch.
    Gives how many sides are crossed.
    """
    LAID = (NF, NI, LI, LN, LC, AP, AI, BO, cost, SL, SF, SI, BT, kin)
    ROUND = (XL, AR, AQ, AF, AC, WT, r, slack, W, J, E, D, S, T, B, R, Q)
    PRICE = (*LAID, tried, found, *ROUND)
    POLISH = (*LAID, P, K, chain, *ROUND)
    BOARD = (r, slack, W, J, E, D, S, T, B, R, Q)
    GROUNDS = (XL, AR, AQ, AF, AC, WT)
    for k in range(columns * columns):
        inside[k] = -1
        joined[k] = 0
        UP[k] = math.inf
        place[2 * k] = place[2 * k + 1] = -1.0
    room_round(x0, y0, step, columns, step, ROOM, *BOARD)
    level -= TIE  # corners are told by their parts of sides, which rounds
    close = level + _ROUGH
    wide = _BLOCK * _BLOCKS
    half = 0.5 * math.sqrt(2.0) * step
    for jj in range(0, columns - 1, wide):
        for ii in range(0, columns - 1, wide):
            x, y = x0 + step * (ii + 0.5 * wide), y0 + step * (jj + 0.5 * wide)
            many, wound = _chosen(
                x, y, half * wide, close, len(order), len(taken), order, taken, LO, LT,
                NF, AP, cost, SL, SF, SI,
            )  # fmt: skip
            if many + wound == 0:
                continue
            for j in range(jj, jj + wide, _BLOCK):
                for i in range(ii, ii + wide, _BLOCK):
                    x, y = x0 + step * (i + 0.5 * _BLOCK), y0 + step * (j + 0.5 * _BLOCK)
                    nodes, states = _chosen(
                        x, y, half * _BLOCK, close, many, wound, LO, LT, BO, BT,
                        NF, AP, cost, SL, SF, SI,
                    )  # fmt: skip
                    if nodes + states > 0:
                        _block(
                            i, j, x0, y0, step, columns, limit, level, eps, inside, place, joined,
                            UP, ROOM, SEEN, nodes, states, BO, BT, PRICE, POLISH, BOARD, GROUNDS,
                        )  # fmt: skip
    crossings = 0
    for k in range(columns * columns):
        inside[k] = max(0, inside[k])
        for up in range(2):
            if place[2 * k + up] >= 0.0:
                sides[crossings] = 2 * k + up
                crossings += 1
    return crossings
