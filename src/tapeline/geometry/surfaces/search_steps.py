"""Kernels of the search over levels: what it does with each source, image and leg it takes up.

The method is told in `window_search`. `run` goes on until nothing is left or something is missing
that its caller sees to; it may then be called again, as all that it knows is in its arrays.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.clearance import near_segment
from tapeline.geometry.discs.priority_queue import pop, take_least, value_fell
from tapeline.geometry.discs.tangent_graph import TIE, TURN
from tapeline.geometry.surfaces.arrivals import (
    EQUAL,
    by_same_gate,
    come_by,
    had_alike,
    had_cheaper,
    had_or_noted,
    new_source,
    note_arrival,
)
from tapeline.geometry.surfaces.fans import fan_out, leave_by_gate, put_in_queue
from tapeline.geometry.surfaces.image_legs import PART, found_leg_free, see_to_arcs
from tapeline.geometry.surfaces.marks import CLEAR, lives, note, trim
from tapeline.geometry.surfaces.search_arrays import (
    AHEAD,
    ARCS,
    ASKED,
    BEFORE,
    BOUNDS,
    BOUNDS_END,
    CELLS,
    CIRCLES,
    COST,
    DEEPEST,
    DEPTH,
    END,
    ENDS,
    FANNED,
    GATE,
    GATE_OF,
    GATES,
    GATES_END,
    GOALS_FOUND,
    IMAGE,
    IMAGE_INTS,
    IMAGES,
    LEFT,
    LEG_ROW,
    LEGS,
    LEVEL,
    LOW,
    MET,
    NEXT,
    PUSHED,
    ROOM,
    SEEN_FLOATS,
    SENSE,
    SIDE,
    SOURCE,
    SOURCE_INTS,
    SOURCES,
    SPENT,
    START,
    TAKE_IMAGE,
    TAKE_LEG,
    TAKE_SOURCE,
    TAKEN,
    TARGETS,
    TO_GO,
    WAITING,
    WINDOWS,
    FlatLevels,
    LevelBoards,
    SearchMemory,
)
from tapeline.geometry.surfaces.windows import ROW

__all__ = ["begin", "least_left", "run", "write_targets"]

_TAU = 2.0 * math.pi
#: Length: points this near to each other are in one place.
_PLACE = 5e-10
#: What `run` comes back for, besides 0 when it is through: room of an array, whether a gate has
#: room beside it, more work, or what `image_legs` needs.
ROOM_LEGS, ROOM_IMAGES, ROOM_WINDOWS, ROOM_SOURCES, ROOM_MET, ROOM_FOUND, ROOM_PARTS = range(1, 8)
OPENS, MORE_WORK = 8, 11


@kernel
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
                and had_alike(plan, taken, number, at, ties)
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
    fan_out(plan, taken, made, limit)


@kernel
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
    fan_out(plan, taken, number, limit)


@kernel
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
        and by_same_gate(plan, taken, taken.image_ints[i], gate)
    ):
        return
    level, n = plan.gates[g + START], plan.gates[g + CELLS]
    if had_cheaper(plan, taken, level, int(legs[row + 2]), cost):
        return
    if 0 < mark < n:
        # Only a mark: no way turns there.
        if found_leg_free(plan, standing, taken, leg):
            note(plan, taken, gate, mark, cost)
        return
    if had_or_noted(taken, target, cost):
        return
    if not found_leg_free(plan, standing, taken, leg):
        taken.heads[target] = taken.met_ints[2 * taken.heads[target] + 1]
        return
    behind = taken.left[plan.gates[g + LEFT] + mark]
    note(plan, taken, gate, mark, cost)
    if cost + plan.ends[e + COST] > behind + CLEAR:
        return
    ends = (legs[row + 6], legs[row + 7], legs[row + 8], legs[row + 9])
    c, d = complex(plan.ends[e + 4], plan.ends[e + 5]), complex(plan.ends[e + 6], plan.ends[e + 7])
    out = c + mark / max(1, n) * (d - c)
    leave_by_gate(plan, taken, image, gate, out, cost, turned, ends, limit)


@kernel
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
        if had_or_noted(taken, target, cost):
            return
        if arcs == 0 or not found_leg_free(plan, standing, taken, leg):
            taken.heads[target] = taken.met_ints[2 * taken.heads[target] + 1]
            return
        source = new_source(taken, level, x, y, cost, j)
        come_by(taken, source, image, legs[row + 5], ends)
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
        if equal >= EQUAL or not found_leg_free(plan, standing, taken, leg):
            return
        note_arrival(taken, target, cost, place, arc)
        source = new_source(taken, level, x, y, cost, j)
        f = SOURCE * source
        taken.sources[f + 2], taken.sources[f + 3] = radius, met
        taken.sources[f + AHEAD] = _TAU if whole else max(0.0, width - place)
        taken.source_ints[SOURCE_INTS * source + 1] = sense
        come_by(taken, source, image, legs[row + 5], ends)
        _take_source(plan, taken, source, limit, ties)
        return


@kernel
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
                short = see_to_arcs(plan, standing, level, j)
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
        elif found_leg_free(plan, standing, taken, what):
            taken.best[0] = min(taken.best[0], taken.legs[LEG_ROW * what + 1])
            taken.found[told[GOALS_FOUND]] = what
            told[GOALS_FOUND] += 1
    return MORE_WORK if told[PUSHED] > work else 0


@entry()
def begin(taken: SearchMemory, level: int, x: float, y: float, limit: float) -> None:
    """Put the start in the queue."""
    put_in_queue(taken, 0.0, TAKE_SOURCE, new_source(taken, level, x, y, 0.0, -1), limit)


@entry()
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
