"""Kernel: how much room there is round the corners of a mesh of squares."""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.clearance import enters, near_point
from tapeline.geometry.discs.obstacles import Wall
from tapeline.geometry.discs.spans import cell_at
from tapeline.geometry.weighted.arrays import Clearance
from tapeline.geometry.weighted.candidates import Mesh

__all__ = ["room_round"]

#: Length: where the disc may not stand it is at least this far inside of something.
_BARRED = 1e-300


class _Corners(NamedTuple):
    """Corners of a mesh: columns from left to right and rows from low to top, both included."""

    left: int
    right: int
    low: int
    top: int


@kernel
def _room_beside(wall: Wall, some: _Corners, mesh: Mesh, room: list[float]) -> None:
    """Note how near a segment, grown by some, comes to such corners as are within a step of it.

    Below 0 how far inside they are.
    """
    x0, y0, step, (ax, ay, bx, by, grown) = mesh.x0, mesh.y0, mesh.step, wall
    far = grown + step
    i0 = max(some.left, math.ceil((min(ax, bx) - far - x0) / step))
    i1 = min(some.right, math.floor((max(ax, bx) + far - x0) / step))
    j0 = max(some.low, math.ceil((min(ay, by) - far - y0) / step))
    j1 = min(some.top, math.floor((max(ay, by) + far - y0) / step))
    for j in range(j0, j1 + 1):
        y = y0 + step * j
        for i in range(i0, i1 + 1):
            k = j * mesh.columns + i
            low = grown + room[k]
            if low <= 0.0 or room[k] <= -step:
                continue
            d2 = near_point(x0 + step * i, y, ax, ay, bx, by)
            if d2 < low * low:
                room[k] = math.sqrt(d2) - grown
                if d2 < grown * grown:
                    room[k] = min(room[k], -_BARRED)
                elif room[k] < 0.0:
                    room[k] = 0.0


@kernel
def room_round(
    mesh: Mesh, left: int, low: int, size: int, room: list[float], clear: Clearance
) -> None:
    """How far corners are from where the disc would touch something, a step of the mesh at most.

    left, low, size: of which corners: from column `left` and row `low` on, size + 1 each way.
    Below 0 where the disc may not stand, as `clearance.stand_free` says: within so much of there it
    may not either (up to a step). The inside of solids is not asked here, only how near their
    borders are.
    """
    x0, y0, step, columns = mesh.x0, mesh.y0, mesh.step, mesh.columns
    r, slack, board = clear
    grid, counts, edges, discs, starts, parts, slots, rings, ring_starts = board
    g = r - slack
    right, top = left + size, low + size
    every = _Corners(left, right, low, top)
    for j in range(low, top + 1):
        y = y0 + step * j
        up = min(y - (grid[6] + g), (grid[8] - g) - y)
        for i in range(left, right + 1):
            x = x0 + step * i
            in_by = min(up, x - (grid[5] + g), (grid[7] - g) - x)
            if y < grid[6] + g or y > grid[8] - g or x < grid[5] + g or x > grid[7] - g:
                room[j * columns + i] = min(in_by, -_BARRED)
            else:
                room[j * columns + i] = min(step, max(0.0, in_by))
    for k in range(counts[1], counts[2]):
        g = discs[3 * k + 2] + r - slack
        if g > 0.0:
            x, y = discs[3 * k], discs[3 * k + 1]
            _room_beside((x, y, x, y, g), every, mesh, room)
    cell = grid[2]
    nx, ny = int(grid[3]), int(grid[4])
    m, slot_room = counts[0], counts[3]
    # Parts are in all cells that they lie in, thick as they are: what lies farther is no matter.
    far = r + step + cell
    for v in range(cell_at((y0 + step * low - far - grid[1]) / cell, ny), ny):
        if v > 0 and grid[1] + v * cell > y0 + step * top + far:
            break
        for u in range(cell_at((x0 + step * left - far - grid[0]) / cell, nx), nx):
            if u > 0 and grid[0] + u * cell > x0 + step * right + far:
                break
            c = v * nx + u
            for s in range(starts[c], starts[c + 1]):
                e = parts[s]
                if e < m:
                    e *= 5
                    ax, ay, bx, by = edges[e], edges[e + 1], edges[e + 2], edges[e + 3]
                    g = edges[e + 4] + r - slack
                else:
                    k = 3 * (e - m)
                    ax, ay, g = discs[k], discs[k + 1], discs[k + 2] + r - slack
                    bx, by = ax, ay
                if g <= 0.0:
                    continue
                # Of a part in several cells what lies in this one; cells at the rim hold the rest.
                near = g + step
                i0, i1, j0, j1 = left, right, low, top
                if u > 0:
                    i0 = max(i0, math.ceil((grid[0] + u * cell - near - x0) / step) - 1)
                if u < nx - 1:
                    i1 = min(i1, math.floor((grid[0] + (u + 1) * cell + near - x0) / step) + 1)
                if v > 0:
                    j0 = max(j0, math.ceil((grid[1] + v * cell - near - y0) / step) - 1)
                if v < ny - 1:
                    j1 = min(j1, math.floor((grid[1] + (v + 1) * cell + near - y0) / step) + 1)
                _room_beside((ax, ay, bx, by, g), _Corners(i0, i1, j0, j1), mesh, room)
            for s in range(c * slot_room, (c + 1) * slot_room):
                k = 3 * slots[s]
                if k < 0:
                    break
                g = discs[k + 2] + r - slack
                if g > 0.0:
                    x, y = discs[k], discs[k + 1]
                    _room_beside((x, y, x, y, g), every, mesh, room)
    for n in range(counts[4]):
        lo, hi = ring_starts[n], ring_starts[n + 1]
        ax, ay = rings[hi - 2], rings[hi - 1]
        for q in range(lo + 4, hi, 2):
            bx, by = rings[q], rings[q + 1]
            _room_beside((ax, ay, bx, by, 0.0), every, mesh, room)
            ax, ay = bx, by
        i0, i1 = math.ceil((rings[lo] - x0) / step), math.floor((rings[lo + 2] - x0) / step)
        j0, j1 = math.ceil((rings[lo + 1] - y0) / step), math.floor((rings[lo + 3] - y0) / step)
        for j in range(max(low, j0), min(top, j1) + 1):
            for i in range(max(left, i0), min(right, i1) + 1):
                x, y = x0 + step * i, y0 + step * j
                if enters(x, y, x, y, rings, lo, hi, slack):
                    room[j * columns + i] = min(room[j * columns + i], -_BARRED)
