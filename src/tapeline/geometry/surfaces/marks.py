"""Kernels of marks: places of gates, a piece of a window apart, and what they cost at most.

An image that comes to a window dearer than walking along it from a mark is given up: the filter of
windows by distances known at vertices, with marks for vertices (Xin and Wang, "Improving Chen and
Han's algorithm on the discrete geodesic problem", 2009).
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.tangent_graph import TIE
from tapeline.geometry.surfaces.search_arrays import (
    AHEAD,
    BEGIN,
    BOUNDS,
    BOUNDS_END,
    CELLS,
    COST,
    DEPTH,
    ENDS,
    ENTERED,
    FIRST,
    GATE,
    GATE_OF,
    IMAGE,
    IMAGE_INTS,
    LAST,
    LEFT,
    LENGTH,
    LEVEL,
    LOW,
    SOURCE,
    START,
    STOP,
    WINDOWS,
    FlatLevels,
    SearchMemory,
    image_at,
)
from tapeline.geometry.surfaces.unfolding import least, turn_to
from tapeline.geometry.surfaces.windows import to_go

__all__ = ["CLEAR", "lives", "note", "trim"]

#: Cost: what is had cheaper by walking along a gate is given up only if that saves more, as two
#: computations of a leg that barely leaves a circle differ; by much less.
CLEAR = 1e-7


@kernel
def note(plan: FlatLevels, taken: SearchMemory, gate: int, mark: int, cost: float) -> None:
    """A mark of a gate can be entered at a cost, so it and the others by walking along."""
    g = GATE * gate
    n, length = plan.gates[g + CELLS], plan.ends[ENDS * gate + LENGTH]
    step = length / max(1, n)
    behind = cost + plan.ends[ENDS * gate + COST]
    entered, left = plan.gates[g + ENTERED], plan.gates[g + LEFT]
    for k in range(n + 1):
        more = abs(k - mark) * step
        taken.left[entered + k] = min(taken.left[entered + k], cost + more)
        taken.left[left + k] = min(taken.left[left + k], behind + more)


@kernel
def trim(plan: FlatLevels, taken: SearchMemory, number: int) -> bool:
    """Leave out ends of an image's last window that are had cheaper along it; False if all is."""
    f, i = IMAGE * number, IMAGE_INTS * number
    images, ints, windows, left = taken.images, taken.image_ints, taken.windows, taken.left
    image = image_at(taken, number)
    gate = GATE * ints[i + GATE_OF]
    at, n = plan.gates[gate + LEFT], plan.gates[gate + CELLS]
    w = ints[i + WINDOWS] + 4 * ints[i + DEPTH] - 4
    c, d = complex(windows[w], windows[w + 1]), complex(windows[w + 2], windows[w + 3])
    low, from_, to = images[f + LOW], images[f + BEGIN], images[f + STOP]
    step = abs(d - c) / n
    first, last = 1.0, 0.0
    for k in range(int(from_ * n), n):
        begin, end = max(from_, k / n), min(to, (k + 1) / n)
        if begin > to:
            break
        # What walking along the window from the mark on either side of it costs at most.
        one, two = left[at + k], left[at + k + 1]
        x, y = (begin * n - k) * step, (end * n - k) * step
        most = max(min(one + x, two + step - x), min(one + y, two + step - y))
        if two < math.inf and x < 0.5 * (two + step - one) < y:
            most = 0.5 * (one + two + step)
        if (
            low <= most + CLEAR
            and least(image, c + begin * (d - c), c + end * (d - c)) <= most + CLEAR
        ):
            first, last = min(first, begin), max(last, end)
    if first > last:
        return False
    if first > from_ or last < to:
        images[f + BEGIN], images[f + STOP] = first, last
        p, q = c + first * (d - c), c + last * (d - c)
        images[f + LOW] = least(image, p, q)
        one, two = turn_to(image, p)[0], turn_to(image, q)[0]
        images[f + FIRST] = max(image.first, min(one, two))
        images[f + LAST] = min(image.last, max(one, two))
    return True


@kernel
def lives(plan: FlatLevels, taken: SearchMemory, number: int, estimate: float) -> bool:
    """Whether some leg of an image may yet be free up to its last window.

    If one is, the marks beside it cost hardly more, and they come up in order of their
    estimates: once those are past, a mark that was not had so cheap says that none is.
    """
    f, i = IMAGE * number, IMAGE_INTS * number
    gate = taken.image_ints[i + GATE_OF]
    g, e = GATE * gate, ENDS * gate
    at, n = plan.gates[g + LEFT], plan.gates[g + CELLS]
    z = complex(taken.images[f], taken.images[f + 1])
    a, b = complex(plan.ends[e], plan.ends[e + 1]), complex(plan.ends[e + 2], plan.ends[e + 3])
    c, d = complex(plan.ends[e + 4], plan.ends[e + 5]), complex(plan.ends[e + 6], plan.ends[e + 7])
    step = plan.ends[e + LENGTH] / n
    s = SOURCE * taken.image_ints[i]
    radius = taken.sources[s + 2]
    around = taken.images[f + 3] + radius * taken.sources[s + AHEAD] + radius
    level = LEVEL * plan.gates[g + START]
    bounds = plan.bounds[5 * plan.levels[level + BOUNDS] : 5 * plan.levels[level + BOUNDS_END]]
    for k in range(int(taken.images[f + BEGIN] * n), n):
        if k / n > taken.images[f + STOP]:
            break
        far = max(abs(c + k / n * (d - c) - z), abs(c + (k + 1) / n * (d - c) - z))
        most = around + far + step + TIE
        if taken.left[at + k] <= most:
            return True
        if taken.ahead[at + k] < 0.0:
            place = a + k / n * (b - a)
            taken.ahead[at + k] = to_go(place.real, place.imag, bounds)
        if estimate <= most - plan.ends[e + COST] + taken.ahead[at + k] + TIE:
            return True
    return False
