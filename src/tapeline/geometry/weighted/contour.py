"""Kernels: the border of all places within a cost, marched over squares.

All of a way costs no more than where it leads, so what is within the level hangs together but for
portals. Squares are taken up from where ways begin, each from one beside it through a side that a
way may pass: one of its ends is within the level, or a way may slip through between them. The rest
is out of reach and never looked at.

Squares are taken in blocks of 4 by 4. Of the nodes and arcs that ways come from only those go with
a block that may lead into it within the level, by their cost and by Snell's law; and of those none
whose legs into the block are all barred. Of a corner's price no more is asked than whether it is
within: one step from a corner known to be often tells, or a leg from where the last one's way came
from.

    WAIT  ints  whether each block waits, then each sixteen of them, then these in their order
    UP  floats  corners: no less than what it costs to get there, infinity out of reach, 0 not known
    ROOM  floats  corners: as `corner_room` has it
    AT, SEEN, LO, LT, BO, BT  as `candidates` has them
    BAR  floats as `sides` has it
    ALL         the arrays from NF on, as `cost_to_point.place_cost` takes them, with places of ways
"""

from __future__ import annotations

import math
from typing import Any

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints, place_free, segment_free
from tapeline.geometry.weighted.blocked_sides import barred_parts, passable
from tapeline.geometry.weighted.candidates import BLOCK, BLOCKS, list_block
from tapeline.geometry.weighted.contour_crossing import (
    ROUGH,
    crossing,
    factors_round,
    free_until,
    middle_in,
    within,
)
from tapeline.geometry.weighted.corner_room import room_round
from tapeline.geometry.weighted.cost_to_point import FOUND, price_from
from tapeline.geometry.weighted.dijkstra import (
    GROUND,
    NET,
    NODE,
    SPREAD,
    TIE,
)

__all__ = ["march"]

#: Of a square, in `joined`: it is to be taken up, it has been.
_WAITS, _DONE = 2, 4


@kernel
@no_refcount
def _stepped(
    k: int, w: float, level: float, step: float, columns: int, inside: list[int],
    UP: list[float], ROOM: Floats,
) -> bool:  # fmt: skip
    """Whether a corner is one free step from one that costs so little that it is within too."""
    low = ROOM[k]
    if low < 0.0:
        UP[k] = math.inf
        return True
    i, j = k % columns, k // columns
    for side in range(4):
        if side == 0 and i > 0:
            n = k - 1
        elif side == 1 and j > 0:
            n = k - columns
        elif side == 2 and i < columns - 1:
            n = k + 1
        elif side == 3 and j < columns - 1:
            n = k + columns
        else:
            continue
        if inside[n] == 1 and UP[n] + w * step <= level and low + ROOM[n] > step + 1e-6:
            inside[k] = 1
            UP[k] = UP[n] + w * step
            return True
    return False


@kernel
@no_refcount
def _walked(
    k: int, w: float, level: float, MESH: Any, inside: list[int], UP: list[float], BOARD: Any
) -> bool:
    """As `_stepped` has it of a free corner, each step tried."""
    x0, y0, step, columns = MESH
    i, j = k % columns, k // columns
    x, y = x0 + step * i, y0 + step * j
    for side in range(4):
        if side == 0 and i > 0:
            n, px, py = k - 1, x - step, y
        elif side == 1 and j > 0:
            n, px, py = k - columns, x, y - step
        elif side == 2 and i < columns - 1:
            n, px, py = k + 1, x + step, y
        elif side == 3 and j < columns - 1:
            n, px, py = k + columns, x, y + step
        else:
            continue
        if inside[n] == 1 and UP[n] + w * step <= level and segment_free(px, py, x, y, *BOARD):
            inside[k] = 1
            UP[k] = UP[n] + w * step
            return True
    return False


@kernel
@no_refcount
def _corner(
    k: int,
    block: int,
    MESH: Any,
    ABOUT: Any,
    level: float,
    inside: list[int],
    UP: list[float],
    LISTS: Any,
    PRICE: Any,
    POLISH: Any,
) -> None:
    """Tell whether a free corner of a block is within the level."""
    x0, y0, step, columns = MESH
    here, about = ABOUT[4], ABOUT[7]
    UP[k] = math.inf
    i, j = k % columns, k // columns
    x, y = x0 + step * i, y0 + step * j
    AT = LISTS[1]
    c = math.inf
    if AT[6] >= 0:
        c = price_from(AT[6], x, y, level, here, PRICE)
    if c > level:
        close = level + ROUGH
        list_block(block, MESH, ABOUT, close, LISTS, PRICE)
        if AT[4] + AT[5] == 0:
            return
        c = within(
            x, y, close, here, level, about, LISTS[0], AT[4], AT[5], PRICE, POLISH
        )  # fmt: skip
        if PRICE[FOUND][0] >= 0:
            AT[6] = PRICE[FOUND][0]
    if c <= level:
        inside[k] = 1
        UP[k] = max(c, TIE)


@kernel
@no_refcount
def _await(s: int, columns: int, joined: list[int], AT: list[int], WAIT: list[int]) -> None:
    """Note that a square is to be taken up, if it has not been."""
    if joined[s] >= _WAITS:
        return
    blocks = (columns - 1) // BLOCK
    wides = blocks // BLOCKS
    joined[s] += _WAITS
    i, j = s % columns // BLOCK, s // columns // BLOCK
    WAIT[j * blocks + i] = 1
    wide = j // BLOCKS * wides + i // BLOCKS
    at = blocks * blocks + wide
    if WAIT[at] == 0 or WAIT[at] == _DONE:
        # Taken up for the first time or once more.
        WAIT[at] = _WAITS if WAIT[at] == 0 else 1
        first = blocks * blocks + wides * wides
        WAIT[first + (AT[9] + AT[8]) % (wides * wides)] = wide
        AT[8] += 1


@kernel
@no_refcount
def _all_in(
    i0: int, j0: int, w: float, level: float, step: float, columns: int, inside: list[int],
    UP: list[float],
) -> bool:  # fmt: skip
    """Whether all of a block is within if it is free, told by its corners that are; UP likewise."""
    best, u, v = math.inf, 0, 0
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            k = (j0 + j) * columns + i0 + i
            if UP[k] == math.inf:
                return False
            if inside[k] == 1 and UP[k] < best:
                best, u, v = UP[k], i, j
    far = w * step
    i, j = max(u, BLOCK - u), max(v, BLOCK - v)
    return best + far * math.sqrt(float(i * i + j * j)) <= level


@kernel
@no_refcount
def _fill(
    i0: int, j0: int, w: float, step: float, columns: int, inside: list[int], UP: list[float],
    joined: list[int], AT: list[int], WAIT: list[int],
) -> None:  # fmt: skip
    """Note that all of a block is within, and that the squares round it are to be taken up."""
    best, u, v = math.inf, 0, 0
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            k = (j0 + j) * columns + i0 + i
            if inside[k] == 1 and UP[k] < best:
                best, u, v = UP[k], i, j
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            k = (j0 + j) * columns + i0 + i
            if inside[k] == 0:
                inside[k] = 1
                UP[k] = best + w * step * math.sqrt(float((i - u) * (i - u) + (j - v) * (j - v)))
    for k in range(BLOCK):
        for n in range(BLOCK):
            joined[(j0 + k) * columns + i0 + n] = _DONE
        if j0 > 0:
            _await((j0 - 1) * columns + i0 + k, columns, joined, AT, WAIT)
        if i0 > 0:
            _await((j0 + k) * columns + i0 - 1, columns, joined, AT, WAIT)
        if j0 + BLOCK < columns - 1:
            _await((j0 + BLOCK) * columns + i0 + k, columns, joined, AT, WAIT)
        if i0 + BLOCK < columns - 1:
            _await((j0 + k) * columns + i0 + BLOCK, columns, joined, AT, WAIT)


@kernel
@no_refcount
def _leads_on(
    a: int, b: int, MESH: Any, even: bool, ROOM: Floats, BAR: list[float], BOARD: Any
) -> bool:
    """Whether a way may pass the side between two corners that are both out of reach."""
    x0, y0, step, columns = MESH
    if abs(ROOM[a]) + abs(ROOM[b]) > step + 1e-6:
        # All of it is free, or all is barred.
        return not even and ROOM[a] >= 0.0
    n = barred_parts(
        x0 + step * (a % columns), y0 + step * (a // columns),
        x0 + step * (b % columns), y0 + step * (b // columns), BAR, *BOARD,
    )  # fmt: skip
    return passable(n, ROOM[a] >= 0.0, ROOM[b] >= 0.0, even, BAR)


@kernel
@no_refcount
def _sown(
    level: float, MESH: Any, NF: Floats, NI: Ints, order: Ints, cost: Floats, joined: list[int],
    AT: list[int], WAIT: list[int],
) -> None:  # fmt: skip
    """Note the squares in which ways begin: at the start, behind portals, at the mesh's rim."""
    x0, y0, step, columns = MESH
    last = columns - 2
    n = NODE * (len(NI) - 1)
    most = step * (last + 1)
    x, y = NF[n] - x0, NF[n + 1] - y0
    if min(x, y, most - x, most - y) < level:
        # Ways may come in from beyond the mesh.
        for k in range(last + 1):
            for s in (k, last * columns + k, k * columns, k * columns + last):
                _await(s, columns, joined, AT, WAIT)
    for m in range(len(order)):
        i = order[m]
        if NI[i] >= 0 or cost[i] > level:
            continue
        u, v = (NF[NODE * i] - x0) / step, (NF[NODE * i + 1] - y0) / step
        # On a line between squares in those on both sides.
        for b in range(max(0, math.ceil(v - 1.0 - 1e-6)), min(last, math.floor(v + 1e-6)) + 1):
            for a in range(max(0, math.ceil(u - 1.0 - 1e-6)), min(last, math.floor(u + 1e-6)) + 1):
                _await(b * columns + a, columns, joined, AT, WAIT)


@entry(
    "int64(float64, float64, float64, int64, float64, float64, float64, int64[::1], float64[::1], "
    "int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], int64[::1], int64[::1], "
    "int64[::1], int64[::1], int64[::1], int64[::1], float64[::1], "
    f"{NET}{SPREAD}float64[::1], int64[::1], float64[::1], int64[::1], int64[::1], {GROUND})"
)
@no_refcount
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
    AT: list[int],
    WAIT: list[int],
    BAR: list[float],
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

    columns: corners along a side of the mesh, one more than a multiple of 16. inside, joined,
    UP, AT and WAIT are 0 at first. inside: 1 or 0 a corner. sides: those that the border crosses,
    in no order: two a corner, for the side east and the side north of it. place: for these the
    part of the side, from its west or south end, where the border is. joined: odd for a square, by
    its corner south-west, whose middle is within though two opposite corners are not. UP, ROOM,
    SEEN, LO, LT, BO, BT, AT, WAIT, BAR: scratch. Gives how many sides are crossed.
    """
    LAID = (NF, NI, LI, LN, LC, AP, AI, BO, cost, SL, SF, SI, BT, kin)
    ROUND = (XL, AR, AQ, AF, AC, WT, r, slack, W, J, E, D, S, T, B, R, Q)
    PRICE = (*LAID, tried, found, *ROUND)
    POLISH = (*LAID, P, K, chain, *ROUND)
    BOARD = (r, slack, W, J, E, D, S, T, B, R, Q)
    MESH = (x0, y0, step, columns)
    LISTS = (SEEN, AT, LO, LT, order, taken)
    level -= TIE  # corners are told by their parts of sides, which rounds
    AT[0] = AT[3] = AT[6] = -1
    _sown(level, MESH, NF, NI, order, cost, joined, AT, WAIT)
    blocks = (columns - 1) // BLOCK
    wides = blocks // BLOCKS
    rho = 0.5 * math.sqrt(2.0) * BLOCK * step
    while AT[8] > 0:
        wide = WAIT[blocks * blocks + wides * wides + AT[9]]
        if WAIT[blocks * blocks + wide] == _WAITS:
            size = BLOCK * BLOCKS
            room_round(
                x0, y0, step, columns, wide % wides * size, wide // wides * size, size, step, ROOM,
                *BOARD,
            )  # fmt: skip
        more = True
        while more:
            more = False
            for part in range(BLOCKS * BLOCKS):
                i0 = BLOCKS * (wide % wides) + part % BLOCKS
                j0 = BLOCKS * (wide // wides) + part // BLOCKS
                block = j0 * blocks + i0
                if WAIT[block] == 0:
                    continue
                more = True
                i0, j0 = BLOCK * i0, BLOCK * j0
                x, y = x0 + step * (i0 + 0.5 * BLOCK), y0 + step * (j0 + 0.5 * BLOCK)
                here, w, even = factors_round(x, y, rho, rho + step, XL, AR, AQ, AF, AC, WT)
                # Rings that may not be entered do not grow with the disc: nothing is told by it.
                about = (x, y, rho if J[4] == 0 else 0.0)
                ABOUT = (i0, j0, x, y, here, w, even, about)
                if (
                    ROOM[(j0 + BLOCK // 2) * columns + i0 + BLOCK // 2] >= 0.0
                    and J[4] == 0
                    and _all_in(i0, j0, w, level, step, columns, inside, UP)
                    and place_free(x, y, r + rho, slack, W, J, E, D, S, T, B, R, Q)
                ):
                    WAIT[block] = 0
                    _fill(i0, j0, w, step, columns, inside, UP, joined, AT, WAIT)
                    continue
                while WAIT[block] == 1:
                    WAIT[block] = 0
                    for n in range(BLOCK * BLOCK):
                        i, j = i0 + n % BLOCK, j0 + n // BLOCK
                        s = j * columns + i
                        if joined[s] != _WAITS:
                            continue
                        joined[s] = _DONE
                        known = 0
                        for m in range(4):
                            k = s + m % 2 + m // 2 * columns
                            if (
                                UP[k] == 0.0
                                and not _stepped(k, w, level, step, columns, inside, UP, ROOM)
                                and not _walked(k, w, level, MESH, inside, UP, BOARD)
                            ):
                                _corner(
                                    k, block, MESH, ABOUT, level, inside, UP, LISTS, PRICE, POLISH
                                )
                            known += inside[k] << m
                        if known == 15:
                            if j > 0:
                                _await(s - columns, columns, joined, AT, WAIT)
                            if i > 0:
                                _await(s - 1, columns, joined, AT, WAIT)
                            if j < columns - 2:
                                _await(s + columns, columns, joined, AT, WAIT)
                            if i < columns - 2:
                                _await(s + 1, columns, joined, AT, WAIT)
                            continue
                        # South, west, north, east.
                        for m in range(4):
                            a = s
                            t, rim = s - columns, j == 0
                            if m == 1:
                                t, rim = s - 1, i == 0
                            elif m == 2:
                                a = s + columns
                                t, rim = a, j == columns - 2
                            elif m == 3:
                                a = s + 1
                                t, rim = a, i == columns - 2
                            b = a + 1 if m % 2 == 0 else a + columns
                            if m < 2 and inside[a] != inside[b]:
                                # From the end that is within.
                                p, q = a, b
                                ax, ay = x0 + step * (a % columns), y0 + step * (a // columns)
                                bx, by = (ax + step, ay) if m == 0 else (ax, ay + step)
                                if inside[b] == 1:
                                    p, q, ax, ay, bx, by = b, a, bx, by, ax, ay
                                end, barred = 1.0, ROOM[q] < 0.0
                                clear = ROOM[p] + ROOM[q] > step + 1e-6
                                done = False
                                if barred:
                                    end, clear = free_until(
                                        ax, ay, bx, by, 0.5 * eps / step, ROOM[p], BAR, BOARD
                                    )
                                    done = end == 0.0 or (clear and UP[p] + w * step <= level)
                                if not done:
                                    end = crossing(
                                        ax, ay, bx, by, end, barred, clear, block, MESH, ABOUT,
                                        limit, level, eps, LISTS, PRICE, POLISH, BOARD,
                                    )  # fmt: skip
                                place[2 * a + m] = end if p == a else 1.0 - end
                                sides[AT[7]] = 2 * a + m
                                AT[7] += 1
                            if (
                                not rim
                                and joined[t] < _WAITS
                                and (
                                    inside[a] + inside[b] > 0
                                    or _leads_on(a, b, MESH, even, ROOM, BAR, BOARD)
                                )
                            ):
                                _await(t, columns, joined, AT, WAIT)
                        # Opposite corners within, the other two not.
                        if (known == 6 or known == 9) and place_free(
                            x0 + step * (i + 0.5), y0 + step * (j + 0.5), *BOARD
                        ):
                            joined[s] += middle_in(
                                x0 + step * (i + 0.5), y0 + step * (j + 0.5), block, MESH, ABOUT,
                                level, LISTS, PRICE, POLISH,
                            )  # fmt: skip
        # Not before: what a block of it meets in another is taken up here.
        WAIT[blocks * blocks + wide] = _DONE
        AT[9] = (AT[9] + 1) % (wides * wides)
        AT[8] -= 1
    return AT[7]
