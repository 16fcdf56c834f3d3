"""Kernels: the border of all places within a cost, by marching squares.

All of a way costs no more than where it leads, so what is within the level hangs together but for
portals. Squares are taken up from where ways begin, each from one beside it through a side that a
way may pass: one of its ends is within the level, or a way may slip through between them. The rest
is out of reach and never looked at.

Squares are taken in blocks of 4 by 4. Of the nodes and arcs that ways come from only those go with
a block that may lead into it within the level (`candidates`), and of those none whose legs into the
block are all barred. Of a corner's price no more is asked than whether it is within: one step from
a corner known to be often tells, or a leg from where the last one's way came from.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.discs.clearance import stand_free
from tapeline.geometry.weighted.arrays import NODE, Clearance, Spread, clear_leg, clear_place
from tapeline.geometry.weighted.candidates import (
    BLOCK,
    BLOCKS,
    ROUGH,
    Block,
    Lists,
    Mesh,
    list_block,
)
from tapeline.geometry.weighted.contour_sides import (
    Side,
    SideRoom,
    crossing,
    factors_round,
    free_parts,
    free_until,
    passable,
    within,
)
from tapeline.geometry.weighted.corner_room import room_round
from tapeline.geometry.weighted.cost_to_point import About, Known, price_from
from tapeline.geometry.weighted.node_legs import TIE

__all__ = ["Front", "march"]

#: Of a square, in `joined`, and of sixteen blocks: to be taken up (for the first time), has been.
_WAITS, _DONE = 2, 4


class Front(NamedTuple):
    """What is known of the corners, the sides and the squares of a mesh. All but `room` 0 at first.

    inside: of a corner, 1 or 0. up: no less than what it costs to get to a corner, infinity out of
    reach, 0 not known. room: of a corner, as `corner_room` has it. place: of a side that the border
    crosses the part, from its west or south end, where that is; two a corner, for the side east and
    the side north of it. sides: those, in no order. joined: odd for a square, by its corner
    south-west, whose middle is within though two opposite corners are not. blocks: whether each
    block waits; wides: likewise sixteen together; queue: these in their order. counts: sides
    crossed, sixteens that wait, the first of them. parts: of a side, scratch.
    """

    inside: list[int]
    up: list[float]
    room: list[float]
    place: list[float]
    sides: list[int]
    joined: list[int]
    blocks: list[int]
    wides: list[int]
    queue: list[int]
    counts: list[int]
    parts: SideRoom


@kernel
def _stepped(k: int, w: float, walk: bool, mesh: Mesh, front: Front, clear: Clearance) -> bool:
    """Whether a corner is one free step from one that costs so little that it is within too.

    walk: each step is tried; else those are free that the room at their ends says are.
    """
    step, columns = mesh.step, mesh.columns
    inside, up, room = front.inside, front.up, front.room
    if room[k] < 0.0:
        up[k] = math.inf
        return True
    i, j = k % columns, k // columns
    x, y = mesh.x0 + step * i, mesh.y0 + step * j
    for side in range(4):
        # West, south, east, north.
        u, v = (side == 2) - (side == 0), (side == 3) - (side == 1)
        if not (0 <= i + u < columns and 0 <= j + v < columns):
            continue
        n = k + u + v * columns
        if inside[n] == 0 or up[n] + w * step > mesh.level:
            continue
        if walk:
            free = clear_leg(x + step * u, y + step * v, x, y, clear)
        else:
            free = room[k] + room[n] > step + 1e-6
        if free:
            inside[k] = 1
            up[k] = up[n] + w * step
            return True
    return False


@kernel
def _await(i: int, j: int, mesh: Mesh, front: Front) -> None:
    """Note that a square, if there is one in a column and row, is to be taken up, unless it was."""
    if not (0 <= i < mesh.columns - 1 and 0 <= j < mesh.columns - 1):
        return
    s = j * mesh.columns + i
    if front.joined[s] >= _WAITS:
        return
    front.joined[s] += _WAITS
    blocks = (mesh.columns - 1) // BLOCK
    wides = blocks // BLOCKS
    i, j = i // BLOCK, j // BLOCK
    front.blocks[j * blocks + i] = 1
    wide = j // BLOCKS * wides + i // BLOCKS
    if front.wides[wide] == 0 or front.wides[wide] == _DONE:
        # Taken up for the first time or once more.
        front.wides[wide] = _WAITS if front.wides[wide] == 0 else 1
        front.queue[(front.counts[2] + front.counts[1]) % (wides * wides)] = wide
        front.counts[1] += 1


@kernel
def _cheapest_corner(block: Block, columns: int, front: Front) -> tuple[float, int, int]:
    """The cheapest corner of a block that is within: cost, column and row in it.

    Below 0 if one is surely out of reach.
    """
    best, u, v = math.inf, 0, 0
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            k = (block.row + j) * columns + block.column + i
            if front.up[k] == math.inf:
                return -1.0, 0, 0
            if front.inside[k] == 1 and front.up[k] < best:
                best, u, v = front.up[k], i, j
    return best, u, v


@kernel
def _filled(block: Block, mesh: Mesh, front: Front, clear: Clearance) -> bool:
    """Whether all of a block is free and within, told by its cheapest corner; it is noted then.

    So are the squares round it, which are to be taken up.
    """
    x, y, rho = block.about
    if rho == 0.0:
        return False
    columns, i0, j0, far = mesh.columns, block.column, block.row, block.worst * mesh.step
    best, u, v = _cheapest_corner(block, columns, front)
    i, j = max(u, BLOCK - u), max(v, BLOCK - v)
    if best < 0.0 or best + far * math.sqrt(float(i * i + j * j)) > mesh.level:
        return False
    if not stand_free(x, y, clear.r + rho, clear.slack, clear.board):
        return False
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            k = (j0 + j) * columns + i0 + i
            if front.inside[k] == 0:
                front.inside[k] = 1
                front.up[k] = best + far * math.sqrt(float((i - u) * (i - u) + (j - v) * (j - v)))
    for k in range(BLOCK):
        for n in range(BLOCK):
            front.joined[(j0 + k) * columns + i0 + n] = _DONE
        _await(i0 + k, j0 - 1, mesh, front)
        _await(i0 - 1, j0 + k, mesh, front)
        _await(i0 + k, j0 + BLOCK, mesh, front)
        _await(i0 + BLOCK, j0 + k, mesh, front)
    return True


@kernel
def _leads_on(a: int, b: int, mesh: Mesh, even: bool, front: Front, clear: Clearance) -> bool:
    """Whether a way may pass the side between two corners that are both out of reach."""
    x0, y0, step, columns = mesh.x0, mesh.y0, mesh.step, mesh.columns
    room = front.room
    if abs(room[a]) + abs(room[b]) > step + 1e-6:
        # All of it is free, or all is barred.
        return not even and room[a] >= 0.0
    n = free_parts(
        x0 + step * (a % columns), y0 + step * (a // columns),
        x0 + step * (b % columns), y0 + step * (b // columns), front.parts, clear,
    )  # fmt: skip
    return passable(n, room[a] >= 0.0, room[b] >= 0.0, even, front.parts)


@kernel
def _sow(mesh: Mesh, front: Front, lists: Lists, spread: Spread) -> None:
    """Note the squares in which ways begin: at the start, behind portals, at the mesh's rim."""
    nodes, curves, step = spread.graph.nodes, spread.graph.curves, mesh.step
    last = mesh.columns - 2
    n = NODE * (len(curves) - 1)
    most = step * (last + 1)
    x, y = nodes[n] - mesh.x0, nodes[n + 1] - mesh.y0
    if min(x, y, most - x, most - y) < mesh.level:
        # Ways may come in from beyond the mesh.
        for k in range(last + 1):
            _await(k, 0, mesh, front)
            _await(k, last, mesh, front)
            _await(0, k, mesh, front)
            _await(last, k, mesh, front)
    for m in range(lists.all.counts[0]):
        i = lists.all.nodes[m]
        if curves[i] >= 0 or spread.costs.cost[i] > mesh.level:
            continue
        u, v = (nodes[NODE * i] - mesh.x0) / step, (nodes[NODE * i + 1] - mesh.y0) / step
        # On a line between squares in those on both sides.
        for b in range(math.ceil(v - 1.0 - 1e-6), math.floor(v + 1e-6) + 1):
            for a in range(math.ceil(u - 1.0 - 1e-6), math.floor(u + 1e-6) + 1):
                _await(a, b, mesh, front)


@kernel
def _side(a: int, b: int, worst: float, mesh: Mesh, front: Front, clear: Clearance) -> Side:
    """The side from corner a east or north to b, of which one is within: from that, what is told.

    worst: the greatest factor on it.
    """
    step, columns, room = mesh.step, mesh.columns, front.room
    ax, ay = mesh.x0 + step * (a % columns), mesh.y0 + step * (a // columns)
    bx, by = (ax, ay + step) if b > a + 1 else (ax + step, ay)
    if front.inside[b] == 1:
        a, b, ax, ay, bx, by = b, a, bx, by, ax, ay
    if room[b] >= 0.0:
        return Side(ax, ay, bx, by, 1.0, False, room[a] + room[b] > step + 1e-6, False)
    side = Side(ax, ay, bx, by, 1.0, True, False, False)
    end, free = free_until(side, 0.5 * mesh.eps / step, room[a], front.parts, clear)
    known = end == 0.0 or (free and front.up[a] + worst * step <= mesh.level)
    return Side(ax, ay, bx, by, end, True, free, known)


@kernel
def _square(
    i: int, j: int, block: Block, mesh: Mesh, front: Front, lists: Lists, spread: Spread
) -> None:
    """Take up the square in a column and row of the mesh, and note those beside it that lead on."""
    columns, w, clear = mesh.columns, block.worst, spread.clear
    inside, up = front.inside, front.up
    s = j * columns + i
    front.joined[s] = _DONE
    at, level, found, counts = lists.at, mesh.level, spread.way.found, spread.sources.counts
    known = Known(True, block.factor, block.about)
    case = 0
    for m in range(4):
        k = s + m % 2 + m // 2 * columns
        if (
            up[k] == 0.0
            and not _stepped(k, w, False, mesh, front, clear)
            and not _stepped(k, w, True, mesh, front, clear)
        ):
            up[k] = c = math.inf
            x, y = mesh.x0 + mesh.step * (k % columns), mesh.y0 + mesh.step * (k // columns)
            if at[2] >= 0:
                c = price_from(at[2], x, y, level, block.factor, spread)
            if c > level:
                list_block(block, mesh, lists, spread)
                if counts[0] + counts[1] > 0:
                    c = within(x, y, level + ROUGH, known, level, spread)
                    if found[0] >= 0:
                        at[2] = found[0]
            if c <= level:
                inside[k] = 1
                up[k] = max(c, TIE)
        case += inside[k] << m
    # South, west, north, east.
    for m in range(4):
        u, v = (m == 3) - (m == 1), (m == 2) - (m == 0)
        a = s + max(u, 0) + max(v, 0) * columns
        b = a + 1 if m % 2 == 0 else a + columns
        if m < 2 and inside[a] != inside[b]:
            side = _side(a, b, w, mesh, front, clear)
            part = crossing(side, block, mesh, lists, spread)
            n = 2 * a + m
            front.place[n] = part if inside[a] == 1 else 1.0 - part
            front.sides[front.counts[0]] = n
            front.counts[0] += 1
        if not (0 <= i + u < columns - 1 and 0 <= j + v < columns - 1):
            continue
        if front.joined[s + u + v * columns] < _WAITS and (
            inside[a] + inside[b] > 0 or _leads_on(a, b, mesh, block.even, front, clear)
        ):
            _await(i + u, j + v, mesh, front)
    # Opposite corners within, the other two not.
    if case == 6 or case == 9:
        x, y = mesh.x0 + mesh.step * (i + 0.5), mesh.y0 + mesh.step * (j + 0.5)
        if clear_place(x, y, clear):
            list_block(block, mesh, lists, spread)
            front.joined[s] += within(x, y, level + ROUGH, known, level, spread) <= level


@kernel
def _block(number: int, mesh: Mesh, spread: Spread) -> Block:
    """A block of squares by its number."""
    step, blocks = mesh.step, (mesh.columns - 1) // BLOCK
    i0, j0 = BLOCK * (number % blocks), BLOCK * (number // blocks)
    rho = 0.5 * math.sqrt(2.0) * BLOCK * step
    x, y = mesh.x0 + step * (i0 + 0.5 * BLOCK), mesh.y0 + step * (j0 + 0.5 * BLOCK)
    factor, worst, even = factors_round(x, y, rho, rho + step, spread.areas)
    # Rings that may not be entered do not grow with the disc: nothing is told by it.
    about = About(x, y, rho if spread.clear.board.counts[4] == 0 else 0.0)
    return Block(number, i0, j0, factor, worst, even, about)


@entry()
def march(mesh: Mesh, front: Front, lists: Lists, spread: Spread) -> int:
    """Which corners of a mesh of squares cost its `level` or less, and where its sides leave that.

    `inside`, `place`, `sides` and `joined` of the front say so. Gives how many sides are crossed.
    """
    counts = front.counts
    lists.at[0] = lists.at[1] = lists.at[2] = -1
    _sow(mesh, front, lists, spread)
    blocks = (mesh.columns - 1) // BLOCK
    wides = blocks // BLOCKS
    while counts[1] > 0:
        wide = front.queue[counts[2]]
        i0, j0 = BLOCKS * (wide % wides), BLOCKS * (wide // wides)
        if front.wides[wide] == _WAITS:
            room_round(mesh, BLOCK * i0, BLOCK * j0, BLOCK * BLOCKS, front.room, spread.clear)
        more = True
        while more:
            more = False
            for part in range(BLOCKS * BLOCKS):
                number = (j0 + part // BLOCKS) * blocks + i0 + part % BLOCKS
                if front.blocks[number] == 0:
                    continue
                more = True
                block = _block(number, mesh, spread)
                middle = (block.row + BLOCK // 2) * mesh.columns + block.column + BLOCK // 2
                if front.room[middle] >= 0.0 and _filled(block, mesh, front, spread.clear):
                    front.blocks[number] = 0
                while front.blocks[number] == 1:
                    front.blocks[number] = 0
                    for n in range(BLOCK * BLOCK):
                        i, j = block.column + n % BLOCK, block.row + n // BLOCK
                        if front.joined[j * mesh.columns + i] == _WAITS:
                            _square(i, j, block, mesh, front, lists, spread)
        # Not before: what a block of it meets in another is taken up here.
        front.wides[wide] = _DONE
        counts[2] = (counts[2] + 1) % (wides * wides)
        counts[1] -= 1
    return counts[0]
