"""Kernels of the search over levels: what it does with each source, image and leg it takes up.

The method is told in `window_search`. `run` goes on until nothing is left or something is missing
that its caller sees to; it may then be called again, as all that it knows is in its arrays.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, Ints, entry, kernel, no_refcount
from tapeline.geometry.discs.board import Board, Cells, FreeSpace
from tapeline.geometry.discs.clearance import leg_free, near_point, near_segment
from tapeline.geometry.discs.free_border import free_arcs
from tapeline.geometry.discs.priority_queue import pop, push
from tapeline.geometry.discs.tangent_graph import TIE, TURN
from tapeline.geometry.surfaces.least_first import take_least, value_fell
from tapeline.geometry.surfaces.marks import CLEAR, lives, note, trim
from tapeline.geometry.surfaces.search_arrays import (
    AHEAD,
    ARCS,
    ASKED,
    BEFORE,
    BOARD,
    BOUNDS,
    BOUNDS_END,
    BY,
    CELLS,
    CIRCLE,
    CIRCLES,
    COST,
    COUNTS,
    CUT,
    DEEPEST,
    DEPTH,
    END,
    ENDS,
    ENTERED,
    FANNED,
    GATE,
    GATE_OF,
    GATES,
    GATES_END,
    GOALS,
    GOALS_END,
    GOALS_FOUND,
    GRID,
    IMAGE,
    IMAGE_INTS,
    IMAGES,
    LEFT,
    LEG,
    LEG_ROW,
    LEGS,
    LENGTH,
    LEVEL,
    LINK,
    LOW,
    MET,
    NEXT,
    PARENT,
    PUSHED,
    ROOM,
    SEEN_FLOATS,
    SENSE,
    SHUT,
    SHUT_END,
    SIDE,
    SOURCE,
    SOURCE_INTS,
    SOURCES,
    SPENT,
    START,
    TAKE_GOAL,
    TAKE_IMAGE,
    TAKE_LEG,
    TAKE_SOURCE,
    TAKEN,
    TARGETS,
    TARGETS_END,
    THROUGH,
    TO_GO,
    TURNED,
    TWIN,
    WAITING,
    WINDOWS,
    FlatLevels,
    LevelBoards,
    SearchMemory,
    image_at,
    windows_of,
)
from tapeline.geometry.surfaces.unfolding import cut_window, idle, on_line, unfold
from tapeline.geometry.surfaces.windows import ROW, Found, Rays, crossings, fan, finish

__all__ = ["begin", "least_left", "run", "way_free", "write_targets", "write_way"]

_TAU = 2.0 * math.pi
#: Arrivals of equal cost kept at one place: ties beyond are not told.
_EQUAL = 3
#: Length: points this near to each other are in one place.
_PLACE = 5e-10
#: Angle: a leg may leave an image this much outside its own turns, but for rounding.
_OWN = 1e-7
#: Floats of a straight part of a way: level, from, to, and the gate before it.
PART = 6
#: What `run` comes back for, besides 0 when it is through: room of an array, whether a gate has
#: room beside it, more arcs for a circle, more spans, more work.
ROOM_LEGS, ROOM_IMAGES, ROOM_WINDOWS, ROOM_SOURCES, ROOM_MET, ROOM_FOUND, ROOM_PARTS = range(1, 8)
OPENS, MORE_ARCS, MORE_SPANS, MORE_WORK = 8, 9, 10, 11


# What stands on a level.


@kernel
@no_refcount
def _board(plan: FlatLevels, standing: LevelBoards, level: int) -> Board:
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
@no_refcount
def _arcs(plan: FlatLevels, standing: LevelBoards, level: int, circle: int) -> int:
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
        standing.r, standing.slack, _board(plan, standing, level), cells,
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


# Ways through windows.


@entry()
@no_refcount
def write_way(
    plan: FlatLevels,
    taken: SearchMemory,
    image: int,
    px: float,
    py: float,
    qx: float,
    qy: float,
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
@no_refcount
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
        board = _board(plan, standing, int(out[o]))
        if not leg_free(out[o + 1], out[o + 2], out[o + 3], out[o + 4], r, slack, board):
            return False
    return True


@kernel
@no_refcount
def _leg_free(plan: FlatLevels, standing: LevelBoards, taken: SearchMemory, leg: int) -> bool:
    row = LEG_ROW * leg
    v = taken.legs
    return way_free(
        plan, standing, taken, int(v[row + ROW]), v[row + 6], v[row + 7], v[row + 8], v[row + 9]
    )


# What waits.


@kernel
@no_refcount
def _push(taken: SearchMemory, estimate: float, kind: int, what: int, limit: float) -> bool:
    """Put something in the queue; False where no cheapest way within the limit needs it."""
    told = taken.told
    if estimate == math.inf:
        return False
    if estimate > limit + TIE:
        told[CUT] = 1
        return False
    number = told[PUSHED]
    told[PUSHED] = number + 1
    taken.things[2 * number], taken.things[2 * number + 1] = kind, what
    told[WAITING] = push(taken.waiting, taken.waiting_ints, 0, 0, told[WAITING], estimate, number)
    return True


# Places that were come to.


@kernel
@no_refcount
def _known(taken: SearchMemory, target: int, cost: float) -> bool:
    """Whether a point was reached cheaper already, or as cheaply often enough; else noted."""
    had, at = 0, taken.heads[target]
    while at >= 0:
        if taken.met[2 * at] < cost - TIE:
            return True
        had += 1
        at = taken.met_ints[2 * at + 1]
    if had >= _EQUAL:
        return True
    _meet(taken, target, cost, 0.0, 0)
    return False


@kernel
@no_refcount
def _meet(taken: SearchMemory, target: int, cost: float, place: float, arc: int) -> None:
    made = taken.told[MET]
    taken.told[MET] = made + 1
    taken.met[2 * made], taken.met[2 * made + 1] = cost, place
    taken.met_ints[2 * made], taken.met_ints[2 * made + 1] = arc, taken.heads[target]
    taken.heads[target] = made


@kernel
@no_refcount
def _had(plan: FlatLevels, taken: SearchMemory, level: int, j: int, cost: float) -> bool:
    """Whether a leg that costs so much leads to a point that was reached cheaper already."""
    target = plan.levels[LEVEL * level + TARGETS] + j
    gate = plan.doors[2 * target]
    if gate >= 0:
        mark, n = plan.doors[2 * target + 1], plan.gates[GATE * gate + CELLS]
        known = taken.left[plan.gates[GATE * gate + ENTERED] + mark]
        if 0 < mark < n:
            total = cost + plan.ends[ENDS * gate + COST]
            behind = taken.left[plan.gates[GATE * gate + LEFT] + mark]
            return cost >= known - TIE and total >= behind - TIE
        if cost > known + CLEAR:
            return True
    elif plan.targets[3 * target + 2] != 0.0:
        return False
    at = taken.heads[target]
    while at >= 0:
        if taken.met[2 * at] < cost - TIE:
            return True
        at = taken.met_ints[2 * at + 1]
    return False


@kernel
@no_refcount
def _same_links(plan: FlatLevels, taken: SearchMemory, one: int, two: int) -> bool:
    """Whether the legs to two sources take the same links and portals in order."""
    ints, images = taken.source_ints, taken.image_ints
    i, j = ints[SOURCE_INTS * one + BY], ints[SOURCE_INTS * two + BY]
    g, h = ints[SOURCE_INTS * one + THROUGH], ints[SOURCE_INTS * two + THROUGH]
    while True:
        if g < 0 and i >= 0:
            g, i = images[IMAGE_INTS * i + GATE_OF], images[IMAGE_INTS * i + BEFORE]
        if h < 0 and j >= 0:
            h, j = images[IMAGE_INTS * j + GATE_OF], images[IMAGE_INTS * j + BEFORE]
        if g < 0 or h < 0:
            return g < 0 and h < 0
        if plan.gates[GATE * g + LINK] != plan.gates[GATE * h + LINK]:
            return False
        g = h = -1


@kernel
@no_refcount
def _again(plan: FlatLevels, taken: SearchMemory, source: int, other: int, ties: bool) -> bool:
    """Whether a point need not be taken up: another in its place does as well.

    Of ways as cheap those that are told apart by their links stay where ties are told, but no
    way that leads round to where it was.
    """
    cost, had = taken.sources[SOURCE * source + SPENT], taken.sources[SOURCE * other + SPENT]
    if had < cost - TIE or not ties:
        return had <= cost + TIE
    if had > cost + TIE:
        return False
    parent = taken.source_ints[SOURCE_INTS * source + PARENT]
    at = parent
    while at >= 0 and taken.sources[SOURCE * at + SPENT] >= had - TIE:
        if at == other:
            return True
        at = taken.source_ints[SOURCE_INTS * at + PARENT]
    turned = taken.sources[SOURCE * source + TURNED] - taken.sources[SOURCE * other + TURNED]
    return (
        taken.source_ints[SOURCE_INTS * other + PARENT] == parent
        and abs(turned) <= TURN
        and _same_links(plan, taken, source, other)
    )


@kernel
@no_refcount
def _back(plan: FlatLevels, taken: SearchMemory, source: int, gate: int) -> bool:
    """Whether a source was just reached by the same gate the other way."""
    twin = plan.gates[GATE * gate + TWIN]
    return twin >= 0 and taken.source_ints[SOURCE_INTS * source + THROUGH] == twin


# What is taken up.


@kernel
@no_refcount
def _new_source(
    taken: SearchMemory, level: int, x: float, y: float, cost: float, circle: int
) -> int:
    """Write down a source that may be left anyhow, come to by nothing yet."""
    made = taken.told[SOURCES]
    taken.told[SOURCES] = made + 1
    f, k = SOURCE * made, SOURCE_INTS * made
    taken.sources[f], taken.sources[f + 1], taken.sources[f + 2] = x, y, 0.0
    taken.sources[f + 3], taken.sources[f + AHEAD], taken.sources[f + SPENT] = 0.0, _TAU, cost
    taken.sources[f + TURNED] = 0.0
    taken.source_ints[k], taken.source_ints[k + 1] = level, 1
    taken.source_ints[k + CIRCLE], taken.source_ints[k + PARENT] = circle, -1
    taken.source_ints[k + BY], taken.source_ints[k + THROUGH] = -1, -1
    return made


@kernel
@no_refcount
def _come_by(
    taken: SearchMemory,
    source: int,
    image: int,
    turned: float,
    ends: tuple[float, float, float, float],
) -> None:
    """Note by what leg of an image a source is come to."""
    f, k = SOURCE * source, SOURCE_INTS * source
    taken.sources[f + TURNED] = turned
    v = f + LEG
    taken.sources[v], taken.sources[v + 1], taken.sources[v + 2], taken.sources[v + 3] = ends
    taken.source_ints[k + PARENT] = taken.image_ints[IMAGE_INTS * image]
    taken.source_ints[k + BY] = image


@kernel
@no_refcount
def _take_source(
    plan: FlatLevels, taken: SearchMemory, number: int, limit: float, ties: bool
) -> None:
    f, k = SOURCE * number, SOURCE_INTS * number
    level = taken.source_ints[k]
    if taken.sources[f + 2] == 0.0:
        at = taken.points[level]
        while at >= 0:
            if (
                abs(taken.sources[SOURCE * at] - taken.sources[f]) <= _PLACE
                and abs(taken.sources[SOURCE * at + 1] - taken.sources[f + 1]) <= _PLACE
                and _again(plan, taken, number, at, ties)
            ):
                return
            at = taken.source_ints[SOURCE_INTS * at + NEXT]
        taken.source_ints[k + NEXT] = taken.points[level]
        taken.points[level] = number
    taken.told[TAKEN] += 1
    made = taken.told[IMAGES]
    taken.told[IMAGES] = made + 1
    i, n = IMAGE * made, IMAGE_INTS * made
    taken.images[i], taken.images[i + 1] = taken.sources[f], taken.sources[f + 1]
    taken.images[i + 2], taken.images[i + 3] = taken.sources[f + 3], taken.sources[f + SPENT]
    taken.images[i + LOW], taken.images[i + 5] = taken.sources[f + SPENT], 0.0
    taken.images[i + 6] = taken.sources[f + AHEAD]
    taken.images[i + 7], taken.images[i + 8] = 0.0, 1.0
    taken.image_ints[n], taken.image_ints[n + 1] = number, level
    taken.image_ints[n + SENSE] = taken.source_ints[k + 1]
    taken.image_ints[n + SIDE], taken.image_ints[n + GATE_OF] = 0, -1
    taken.image_ints[n + BEFORE] = -1
    taken.image_ints[n + WINDOWS], taken.image_ints[n + DEPTH] = taken.told[SEEN_FLOATS], 0
    _fan(plan, taken, made, limit)


@kernel
@no_refcount
def _take_image(
    plan: FlatLevels, taken: SearchMemory, number: int, estimate: float, limit: float
) -> None:
    if not trim(plan, taken, number):
        return
    at = taken.image_ints[IMAGE_INTS * number + BEFORE]
    while taken.image_ints[IMAGE_INTS * at + DEPTH] > 0:
        if not lives(plan, taken, at, estimate):
            return
        at = taken.image_ints[IMAGE_INTS * at + BEFORE]
    _fan(plan, taken, number, limit)


@kernel
@no_refcount
def _push_legs(taken: SearchMemory, image: int, made: int, kind: int, limit: float) -> None:
    """Put a leg that was found, the `made`th, in the queue."""
    o, told = ROW * made, taken.told
    leg = told[LEGS]
    if _push(taken, taken.rows[o], kind, leg, limit):
        told[LEGS] = leg + 1
        row = LEG_ROW * leg
        for k in range(ROW):
            taken.legs[row + k] = taken.rows[o + k]
        taken.legs[row + ROW] = float(image)


@kernel
@no_refcount
def _fan(plan: FlatLevels, taken: SearchMemory, image: int, limit: float) -> None:
    """All legs of an image, and its images behind the gates of its level."""
    k = IMAGE_INTS * image
    source, level = taken.image_ints[k], taken.image_ints[k + 1]
    at, v = image_at(taken, image), LEVEL * level
    levels = plan.levels
    i, j = windows_of(taken, image)
    windows = taken.windows[i:j]
    first, last = at.first - _OWN, at.last + _OWN
    if at.radius > 0.0:
        first = max(0.0, first)
        last = min(taken.sources[SOURCE * source + AHEAD], last)
    rays = Rays(at.x, at.y, at.radius, at.sense, at.angle, first, last, at.cost, limit, windows)
    targets = plan.targets[3 * levels[v + TARGETS] : 3 * levels[v + TARGETS_END]]
    own = taken.source_ints[SOURCE_INTS * source + CIRCLE] if len(windows) == 0 else -1
    bounds = plan.bounds[5 * levels[v + BOUNDS] : 5 * levels[v + BOUNDS_END]]
    found = Found(taken.rows, taken.told, taken.fractions)
    for i in range(fan(rays, targets, own, bounds, taken.onward, levels[v + TARGETS], found)):
        o = ROW * i
        beyond = taken.rows[o] > limit + TIE
        if beyond or not _had(plan, taken, level, int(taken.rows[o + 2]), taken.rows[o + 1]):
            _push_legs(taken, image, i, TAKE_LEG, limit)
    if levels[v + GOALS_END] > levels[v + GOALS]:
        goals = plan.goals[6 * levels[v + GOALS] : 6 * levels[v + GOALS_END]]
        shut = plan.shut[levels[v + SHUT] : levels[v + SHUT_END]]
        for i in range(finish(rays, goals, shut, found)):
            _push_legs(taken, image, i, TAKE_GOAL, limit)
    taken.fanned[taken.told[FANNED]] = image
    taken.told[FANNED] += 1
    for i in range(levels[v + GATES], levels[v + GATES_END]):
        gate = plan.by_level[i]
        if plan.ends[ENDS * gate + LENGTH] > 0.0:
            _unfold(plan, taken, image, gate, limit)


@kernel
@no_refcount
def _unfold(plan: FlatLevels, taken: SearchMemory, image: int, gate: int, limit: float) -> None:
    """Take up the images of an image behind a gate, as far as any legs lead there."""
    e = ENDS * gate
    ends, left = plan.ends, plan.ends[e + TO_GO]
    if left == math.inf:
        return
    at, cost = image_at(taken, image), plan.ends[e + COST]
    near = near_point(at.x, at.y, ends[e], ends[e + 1], ends[e + 2], ends[e + 3])
    if taken.told[CUT] and at.cost + math.sqrt(near) - at.radius + cost + left > limit + TIE:
        return
    if idle(plan, taken, image, gate):
        return
    i, j = windows_of(taken, image)
    windows = taken.windows[i:j]
    if len(windows) == 0:
        stands, out = on_line(plan, at, gate)
        if stands:
            if not _back(plan, taken, taken.image_ints[IMAGE_INTS * image], gate):
                _leave(plan, taken, image, gate, out, at.cost, 0.0, (at.x, at.y, at.x, at.y), limit)
            return
    a, b = complex(ends[e], ends[e + 1]), complex(ends[e + 2], ends[e + 3])
    told = taken.told
    for cut in range(cut_window(at, windows, a, b, ends[e + LENGTH], taken.cuts)):
        for mirrored in range(2):
            other = unfold(plan, taken, image, gate, cut, mirrored == 1)
            estimate = taken.images[IMAGE * other + LOW] + left
            if estimate <= limit + TIE and not trim(plan, taken, other):
                continue
            estimate = taken.images[IMAGE * other + LOW] + left
            if _push(taken, estimate, TAKE_IMAGE, other, limit):
                told[IMAGES] = other + 1
                told[SEEN_FLOATS] += 4 * taken.image_ints[IMAGE_INTS * other + DEPTH]


@kernel
@no_refcount
def _leave(
    plan: FlatLevels,
    taken: SearchMemory,
    image: int,
    gate: int,
    out: complex,
    cost: float,
    turned: float,
    ends: tuple[float, float, float, float],
    limit: float,
) -> None:
    """A gate is entered at a cost: take up the place behind it."""
    total = cost + plan.ends[ENDS * gate + COST]
    level = plan.gates[GATE * gate + END]
    source = _new_source(taken, level, out.real, out.imag, total, -1)
    _come_by(taken, source, image, turned, ends)
    taken.source_ints[SOURCE_INTS * source + THROUGH] = gate
    if not _push(taken, total + plan.ends[ENDS * gate + TO_GO], TAKE_SOURCE, source, limit):
        taken.told[SOURCES] = source


@kernel
@no_refcount
def _take_door(
    plan: FlatLevels,
    standing: LevelBoards,
    taken: SearchMemory,
    leg: int,
    target: int,
    limit: float,
) -> None:
    """A leg to where a gate is entered, or to a mark of it."""
    row = LEG_ROW * leg
    legs = taken.legs
    cost, turned, image = legs[row + 1], legs[row + 5], int(legs[row + ROW])
    gate, mark = plan.doors[2 * target], plan.doors[2 * target + 1]
    i, g, e = IMAGE_INTS * image, GATE * gate, ENDS * gate
    if (
        taken.image_ints[i + DEPTH] == 0
        and cost == taken.images[IMAGE * image + 3]
        and _back(plan, taken, taken.image_ints[i], gate)
    ):
        return
    level, n = plan.gates[g + START], plan.gates[g + CELLS]
    if _had(plan, taken, level, int(legs[row + 2]), cost):
        return
    if 0 < mark < n:
        # Only a mark: no way turns there.
        if _leg_free(plan, standing, taken, leg):
            note(plan, taken, gate, mark, cost)
        return
    if _known(taken, target, cost):
        return
    if not _leg_free(plan, standing, taken, leg):
        taken.heads[target] = taken.met_ints[2 * taken.heads[target] + 1]
        return
    behind = taken.left[plan.gates[g + LEFT] + mark]
    note(plan, taken, gate, mark, cost)
    if cost + plan.ends[e + COST] > behind + CLEAR:
        return
    ends = (legs[row + 6], legs[row + 7], legs[row + 8], legs[row + 9])
    c, d = complex(plan.ends[e + 4], plan.ends[e + 5]), complex(plan.ends[e + 6], plan.ends[e + 7])
    out = c + mark / max(1, n) * (d - c)
    _leave(plan, taken, image, gate, out, cost, turned, ends, limit)


@kernel
@no_refcount
def _take_leg(
    plan: FlatLevels, standing: LevelBoards, taken: SearchMemory, leg: int, limit: float, ties: bool
) -> None:
    """A leg to a circle, to a corner or to where a gate is entered."""
    row = LEG_ROW * leg
    legs = taken.legs
    image, j, cost = int(legs[row + ROW]), int(legs[row + 2]), legs[row + 1]
    level = taken.image_ints[IMAGE_INTS * image + 1]
    v = LEVEL * level
    target = plan.levels[v + TARGETS] + j
    if plan.doors[2 * target] >= 0:
        _take_door(plan, standing, taken, leg, target, limit)
        return
    x, y = plan.targets[3 * target], plan.targets[3 * target + 1]
    radius = plan.targets[3 * target + 2]
    ends = (legs[row + 6], legs[row + 7], legs[row + 8], legs[row + 9])
    arcs = standing.arc_counts[target]
    if radius == 0.0:
        if _known(taken, target, cost):
            return
        if arcs == 0 or not _leg_free(plan, standing, taken, leg):
            taken.heads[target] = taken.met_ints[2 * taken.heads[target] + 1]
            return
        source = _new_source(taken, level, x, y, cost, j)
        _come_by(taken, source, image, legs[row + 5], ends)
        _take_source(plan, taken, source, limit, ties)
        return
    sense, met = int(legs[row + 3]), legs[row + 4]
    slip = TURN + standing.slack / max(radius, 1e-3)
    at = plan.levels[v + ARCS] + 2 * plan.levels[v + ROOM] * j
    for slot in range(arcs):
        begin = standing.arcs[at + 2 * slot]
        width = standing.arcs[at + 2 * slot + 1] - begin
        t = (met - begin) % _TAU
        if t > width:
            if t >= _TAU - slip:
                t = 0.0
            elif t <= width + slip:
                t = width
            else:
                continue
        place = t if sense > 0 else width - t
        whole = width >= _TAU - TURN
        arc, equal, node = 2 * slot + (1 if sense > 0 else 0), 0, taken.heads[target]
        while node >= 0:
            if taken.met_ints[2 * node] == arc:
                other, ahead = taken.met[2 * node], place - taken.met[2 * node + 1]
                if whole and ahead < -TURN:
                    ahead += _TAU
                if ahead >= -TURN:
                    there = other + radius * max(0.0, ahead)
                    if there < cost - TIE:
                        return
                    if there <= cost + TIE:
                        equal += 1
            node = taken.met_ints[2 * node + 1]
        if equal >= _EQUAL or not _leg_free(plan, standing, taken, leg):
            return
        _meet(taken, target, cost, place, arc)
        source = _new_source(taken, level, x, y, cost, j)
        f = SOURCE * source
        taken.sources[f + 2], taken.sources[f + 3] = radius, met
        taken.sources[f + AHEAD] = _TAU if whole else max(0.0, width - place)
        taken.source_ints[SOURCE_INTS * source + 1] = sense
        _come_by(taken, source, image, legs[row + 5], ends)
        _take_source(plan, taken, source, limit, ties)
        return


@kernel
@no_refcount
def _room(taken: SearchMemory, most_legs: int, most_images: int) -> int:
    """What array may run out of room with the next thing that is taken up, 0 for none."""
    told = taken.told
    deep = told[DEEPEST] + 1
    if (told[LEGS] + most_legs) * LEG_ROW > len(taken.legs):
        return ROOM_LEGS
    if 2 * (told[PUSHED] + most_legs + most_images) > len(taken.things):
        return ROOM_LEGS
    if (told[IMAGES] + most_images) * IMAGE > len(taken.images):
        return ROOM_IMAGES
    if told[SEEN_FLOATS] + 4 * deep * most_images > len(taken.windows):
        return ROOM_WINDOWS
    # At most one that is taken up, and one behind each gate that a point stands in.
    if (told[SOURCES] + most_images) * SOURCE > len(taken.sources):
        return ROOM_SOURCES
    if 2 * (told[MET] + 1) > len(taken.met):
        return ROOM_MET
    if max(told[GOALS_FOUND], told[FANNED]) + 1 > len(taken.found):
        return ROOM_FOUND
    if PART * (deep + 1) > len(taken.parts):
        return ROOM_PARTS
    return 0


@kernel
@no_refcount
def _opens(plan: FlatLevels, taken: SearchMemory, image: int) -> int:
    """Whether there is room where an image's legs come to its gate and leave it: 1 yes, 0 no, or
    the number of what is not known, -1 and below."""
    k = IMAGE_INTS * image
    gate, side = taken.image_ints[k + GATE_OF], taken.image_ints[k + SIDE]
    before = taken.image_ints[k + BEFORE]
    same = taken.image_ints[k + SENSE] == taken.image_ints[IMAGE_INTS * before + SENSE]
    came = -side if same else side
    for leaving in range(2):
        at = 4 * gate + 2 * leaving + (1 if (side if leaving else came) > 0 else 0)
        if taken.opens[at] < 0:
            return -1 - at
        if taken.opens[at] == 0:
            return 0
    return 1


@entry()
@no_refcount
def run(
    plan: FlatLevels,
    standing: LevelBoards,
    taken: SearchMemory,
    limit: float,
    ties: bool,
    work: int,
    most_legs: int,
    most_images: int,
) -> int:
    """Search on. Gives 0 when through, else what to see to before going on; told[ASKED] says more.

    most_legs, most_images: made of one source or image at most.
    """
    told = taken.told
    while told[WAITING] > 0:
        if told[PUSHED] > work:
            return MORE_WORK
        estimate = taken.waiting[0]
        if estimate > taken.best[0] + TIE:
            break
        full = _room(taken, most_legs, most_images)
        if full:
            return full
        number = taken.waiting_ints[0]
        kind, what = taken.things[2 * number], taken.things[2 * number + 1]
        opens = 1
        if kind == TAKE_IMAGE:
            opens = _opens(plan, taken, what)
            if opens < 0:
                told[ASKED] = -1 - opens
                return OPENS
        elif kind == TAKE_LEG:
            row = LEG_ROW * what
            level = taken.image_ints[IMAGE_INTS * int(taken.legs[row + ROW]) + 1]
            j = int(taken.legs[row + 2])
            if j < plan.levels[LEVEL * level + CIRCLES] - plan.levels[LEVEL * level + TARGETS]:
                short = _arcs(plan, standing, level, j)
                if short < 0:
                    told[ASKED] = level
                    return -short
        told[WAITING] = pop(taken.waiting, taken.waiting_ints, 0, 0, told[WAITING])
        if kind == TAKE_SOURCE:
            _take_source(plan, taken, what, limit, ties)
        elif kind == TAKE_IMAGE:
            if opens:
                _take_image(plan, taken, what, estimate, limit)
        elif kind == TAKE_LEG:
            _take_leg(plan, standing, taken, what, limit, ties)
        elif _leg_free(plan, standing, taken, what):
            taken.best[0] = min(taken.best[0], taken.legs[LEG_ROW * what + 1])
            taken.found[told[GOALS_FOUND]] = what
            told[GOALS_FOUND] += 1
    return MORE_WORK if told[PUSHED] > work else 0


@entry()
@no_refcount
def begin(taken: SearchMemory, level: int, x: float, y: float, limit: float) -> None:
    """Put the start in the queue."""
    _push(taken, 0.0, TAKE_SOURCE, _new_source(taken, level, x, y, 0.0, -1), limit)


@entry()
@no_refcount
def least_left(
    plan: FlatLevels,
    starts: Ints,
    goals: Floats,
    leaving: Ints,
    by_exit: Ints,
    done: list[int],
    heap: list[int],
    place: list[int],
) -> None:
    """What is left at least from each gate's exit, through gates and straight between, to
    plan.ends; infinity for those that are done beforehand. What is left from places of each level,
    to goals there or by gates, to plan.bounds.

    goals: segments and what is left from each, 5 floats; starts: from which on they lie on each
    level. by_exit: gates by the level they are left to; leaving: from where in that, and to where,
    of each level. heap, place: room. Source: Dijkstra 1959, backward from the goals.
    """
    gates, ends, count = plan.gates, plan.ends, 0
    for i in range(len(done)):
        o, level = ENDS * i, gates[GATE * i + END]
        left = math.inf
        for k in range(5 * starts[level], 5 * starts[level + 1], 5):
            near = near_segment(
                ends[o + 4], ends[o + 5], ends[o + 6], ends[o + 7],
                goals[k], goals[k + 1], goals[k + 2], goals[k + 3],
            )  # fmt: skip
            left = min(left, max(0.0, math.sqrt(near) + goals[k + 4]))
        ends[o + TO_GO] = left if done[i] == 0 else math.inf
        place[i] = -1
        if ends[o + TO_GO] < math.inf:
            count = value_fell(ends, ENDS, TO_GO, heap, place, count, i)
    while count > 0:
        k = heap[0]
        best = ends[ENDS * k + TO_GO]
        count = take_least(ends, ENDS, TO_GO, heap, place, count)
        done[k] = 1
        e, level = ENDS * k, gates[GATE * k + START]
        ax, ay, bx, by = ends[e], ends[e + 1], ends[e + 2], ends[e + 3]
        through = ends[e + COST] + best
        for at in range(leaving[2 * level], leaving[2 * level + 1]):
            i = by_exit[at]
            o = ENDS * i
            if done[i] == 0 and through < ends[o + TO_GO]:
                near = near_segment(
                    ends[o + 4], ends[o + 5], ends[o + 6], ends[o + 7], ax, ay, bx, by
                )
                if through + math.sqrt(near) < ends[o + TO_GO]:
                    ends[o + TO_GO] = through + math.sqrt(near)
                    count = value_fell(ends, ENDS, TO_GO, heap, place, count, i)
    _write_bounds(plan, starts, goals)


@kernel
@no_refcount
def _write_bounds(plan: FlatLevels, starts: Ints, goals: Floats) -> None:
    """Write down for each level the segments to come to, and what is left from each."""
    levels, ends, bounds, at = plan.levels, plan.ends, plan.bounds, 0
    for level in range(len(starts) - 1):
        v, first = LEVEL * level, at
        for k in range(5 * starts[level], 5 * starts[level + 1]):
            bounds[at] = goals[k]
            at += 1
        for i in range(levels[v + GATES], levels[v + GATES_END]):
            e = ENDS * plan.by_level[i]
            if ends[e + TO_GO] < math.inf:
                for k in range(4):
                    bounds[at + k] = ends[e + k]
                bounds[at + 4] = ends[e + COST] + ends[e + TO_GO]
                at += 5
        if at == first:
            bounds[at + 4] = math.inf
            at += 5
        levels[v + BOUNDS], levels[v + BOUNDS_END] = first // 5, at // 5


@entry()
@no_refcount
def write_targets(
    plan: FlatLevels, standing: LevelBoards, doors: list[int], shut: list[int]
) -> None:
    """Write down where gates are entered, after the circles of each level, to plan.targets.

    doors: gates by the level they are entered on; shut: 1 for each gate that is not to be. Circles
    without a free arc are shut too.
    """
    levels, targets = plan.levels, plan.targets
    for v in range(0, len(levels), LEVEL):
        for target in range(levels[v + TARGETS], levels[v + CIRCLES]):
            plan.doors[2 * target] = -1
            if standing.arc_counts[target] == 0:
                targets[3 * target + 2] = -1.0
    at, level = 0, -1
    for gate in doors:
        if plan.gates[GATE * gate + START] != level:
            level = plan.gates[GATE * gate + START]
            at = levels[LEVEL * level + CIRCLES]
        e, n = ENDS * gate, plan.gates[GATE * gate + CELLS]
        a = complex(plan.ends[e], plan.ends[e + 1])
        b = complex(plan.ends[e + 2], plan.ends[e + 3])
        for k in range(n + 1):
            z = a + k / max(1, n) * (b - a)
            targets[3 * at], targets[3 * at + 1] = z.real, z.imag
            targets[3 * at + 2] = 0.0 if shut[gate] == 0 else -1.0
            plan.doors[2 * at], plan.doors[2 * at + 1] = gate, k
            at += 1
