"""Kernels: a leg of an image as it runs on each level, and whether it is free there."""

from __future__ import annotations

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.discs.board import Board, Cells, FreeSpace
from tapeline.geometry.discs.clearance import leg_free
from tapeline.geometry.discs.free_border import free_arcs
from tapeline.geometry.surfaces.search_arrays import (
    ARCS,
    BEFORE,
    BOARD,
    COUNTS,
    DEPTH,
    ENDS,
    GATE_OF,
    GRID,
    IMAGE_INTS,
    LEG_ROW,
    LENGTH,
    LEVEL,
    ROOM,
    SENSE,
    TARGETS,
    FlatLevels,
    LevelBoards,
    SearchMemory,
    windows_of,
)
from tapeline.geometry.surfaces.windows import ROW, crossings

__all__ = [
    "MORE_ARCS",
    "MORE_SPANS",
    "PART",
    "board_of",
    "found_leg_free",
    "see_to_arcs",
    "way_free",
    "write_way",
]

#: Floats of a straight part of a way: level, from, to, and the gate before it.
PART = 6
#: What more room is needed for, as `search_steps.run` gives it: arcs of a circle, spans.
MORE_ARCS, MORE_SPANS = 9, 10


@kernel
def board_of(plan: FlatLevels, standing: LevelBoards, level: int) -> Board:
    """What stands on a level."""
    k = LEVEL * level + BOARD
    v, all_of = plan.levels, standing.boards
    return Board(
        all_of.grid[GRID * level : GRID * level + GRID],
        all_of.counts[COUNTS * level : COUNTS * level + COUNTS],
        all_of.edges[v[k] : v[k + 1]],
        all_of.discs[v[k + 2] : v[k + 3]],
        all_of.starts[v[k + 4] : v[k + 5]],
        all_of.parts[v[k + 6] : v[k + 7]],
        all_of.slots[v[k + 8] : v[k + 9]],
        all_of.rings[v[k + 10] : v[k + 11]],
        all_of.ring_starts[v[k + 12] : v[k + 13]],
    )


@kernel
def see_to_arcs(plan: FlatLevels, standing: LevelBoards, level: int, circle: int) -> int:
    """See to the free arcs of a circle: how many, or what to come back for, below 0."""
    v = LEVEL * level
    target = plan.levels[v + TARGETS] + circle
    n = standing.arc_counts[target]
    if n >= 0:
        return n
    room = plan.levels[v + ROOM]
    at = plan.levels[v + ARCS] + 2 * room * circle
    cells = Cells(standing.nothing, standing.none, standing.none)
    free = FreeSpace(
        standing.r, standing.slack, board_of(plan, standing, level), cells,
        standing.nothing, standing.none,
    )  # fmt: skip
    x, y = plan.targets[3 * target], plan.targets[3 * target + 1]
    radius = plan.targets[3 * target + 2]
    n = free_arcs(x, y, radius, standing.arcs, at, room, standing.spans, free)
    if n == -1:
        return -MORE_ARCS
    if n == -2:
        return -MORE_SPANS
    standing.arc_counts[target] = n
    return n


@entry()
def write_way(
    plan: FlatLevels, taken: SearchMemory, image: int, px: float, py: float, qx: float, qy: float
) -> int:
    """A leg of an image as what it is on each level, from its end back, to taken.parts.

    How many parts; PART floats each.
    """
    out, ints = taken.parts, taken.image_ints
    at, made = image, 0
    while ints[IMAGE_INTS * at + DEPTH] > 0:
        k = IMAGE_INTS * at
        i, j = windows_of(taken, at)
        crossings(px, py, qx, qy, taken.windows[i:j], taken.fractions)
        gate = ints[k + GATE_OF]
        e = ENDS * gate
        a, b = complex(plan.ends[e], plan.ends[e + 1]), complex(plan.ends[e + 2], plan.ends[e + 3])
        c = complex(plan.ends[e + 4], plan.ends[e + 5])
        d = complex(plan.ends[e + 6], plan.ends[e + 7])
        length = plan.ends[e + LENGTH]
        p, q = complex(px, py), complex(qx, qy)
        along, onward = (b - a) / length, (d - c) / length
        cross = p + taken.fractions[ints[k + DEPTH] - 1] * (q - p)
        s = min(length, max(0.0, ((cross - c) / onward).real))
        left, into = c + s * onward, a + s * along
        o = PART * made
        out[o], out[o + 1], out[o + 2] = ints[k + 1], left.real, left.imag
        out[o + 3], out[o + 4], out[o + 5] = qx, qy, gate
        made += 1
        # Back into the plane before the gate.
        t = (p - c) / onward
        before = ints[k + BEFORE]
        if ints[k + SENSE] != ints[IMAGE_INTS * before + SENSE]:
            t = t.conjugate()
        p = a + t * along
        px, py, qx, qy = p.real, p.imag, into.real, into.imag
        at = before
    o = PART * made
    out[o], out[o + 1], out[o + 2] = ints[IMAGE_INTS * at + 1], px, py
    out[o + 3], out[o + 4], out[o + 5] = qx, qy, -1.0
    return made + 1


@entry()
def way_free(
    plan: FlatLevels,
    standing: LevelBoards,
    taken: SearchMemory,
    image: int,
    px: float,
    py: float,
    qx: float,
    qy: float,
) -> bool:
    """Whether a leg of an image is free on all levels."""
    r, slack, out = standing.r, standing.slack, taken.parts
    for k in range(write_way(plan, taken, image, px, py, qx, qy)):
        o = PART * k
        board = board_of(plan, standing, int(out[o]))
        if not leg_free(out[o + 1], out[o + 2], out[o + 3], out[o + 4], r, slack, board):
            return False
    return True


@kernel
def found_leg_free(plan: FlatLevels, standing: LevelBoards, taken: SearchMemory, leg: int) -> bool:
    """Whether a leg that was found is free on all levels."""
    row = LEG_ROW * leg
    v = taken.legs
    return way_free(
        plan, standing, taken, int(v[row + ROW]), v[row + 6], v[row + 7], v[row + 8], v[row + 9]
    )
