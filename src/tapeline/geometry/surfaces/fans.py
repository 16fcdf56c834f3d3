"""Kernels: all legs of an image and its images behind gates, put in the queue."""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.clearance import near_point
from tapeline.geometry.discs.priority_queue import push
from tapeline.geometry.discs.tangent_graph import TIE
from tapeline.geometry.surfaces.arrivals import by_same_gate, come_by, had_cheaper, new_source
from tapeline.geometry.surfaces.marks import trim
from tapeline.geometry.surfaces.search_arrays import (
    AHEAD,
    BOUNDS,
    BOUNDS_END,
    CIRCLE,
    COST,
    CUT,
    DEPTH,
    END,
    ENDS,
    FANNED,
    GATE,
    GATES,
    GATES_END,
    GOALS,
    GOALS_END,
    IMAGE,
    IMAGE_INTS,
    IMAGES,
    LEG_ROW,
    LEGS,
    LENGTH,
    LEVEL,
    LOW,
    PUSHED,
    SEEN_FLOATS,
    SHUT,
    SHUT_END,
    SOURCE,
    SOURCE_INTS,
    SOURCES,
    TAKE_GOAL,
    TAKE_IMAGE,
    TAKE_LEG,
    TAKE_SOURCE,
    TARGETS,
    TARGETS_END,
    THROUGH,
    TO_GO,
    WAITING,
    FlatLevels,
    SearchMemory,
    image_at,
    windows_of,
)
from tapeline.geometry.surfaces.unfolding import cut_window, idle, on_line, unfold
from tapeline.geometry.surfaces.windows import ROW, Found, Rays, fan, finish

__all__ = ["fan_out", "leave_by_gate", "put_in_queue"]

#: Angle: a leg may leave an image this much outside its own turns, but for rounding.
_OWN = 1e-7


@kernel
def put_in_queue(taken: SearchMemory, estimate: float, kind: int, what: int, limit: float) -> bool:
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


@kernel
def _push_legs(taken: SearchMemory, image: int, made: int, kind: int, limit: float) -> None:
    """Put a leg that was found, the `made`th, in the queue."""
    o, told = ROW * made, taken.told
    leg = told[LEGS]
    if put_in_queue(taken, taken.rows[o], kind, leg, limit):
        told[LEGS] = leg + 1
        row = LEG_ROW * leg
        for k in range(ROW):
            taken.legs[row + k] = taken.rows[o + k]
        taken.legs[row + ROW] = float(image)


@kernel
def fan_out(plan: FlatLevels, taken: SearchMemory, image: int, limit: float) -> None:
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
        if beyond or not had_cheaper(plan, taken, level, int(taken.rows[o + 2]), taken.rows[o + 1]):
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
            if not by_same_gate(plan, taken, taken.image_ints[IMAGE_INTS * image], gate):
                leave_by_gate(
                    plan, taken, image, gate, out, at.cost, 0.0, (at.x, at.y, at.x, at.y), limit
                )
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
            if put_in_queue(taken, estimate, TAKE_IMAGE, other, limit):
                told[IMAGES] = other + 1
                told[SEEN_FLOATS] += 4 * taken.image_ints[IMAGE_INTS * other + DEPTH]


@kernel
def leave_by_gate(
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
    source = new_source(taken, level, out.real, out.imag, total, -1)
    come_by(taken, source, image, turned, ends)
    taken.source_ints[SOURCE_INTS * source + THROUGH] = gate
    if not put_in_queue(taken, total + plan.ends[ENDS * gate + TO_GO], TAKE_SOURCE, source, limit):
        taken.told[SOURCES] = source
