"""Kernels: what a search over levels has come to, how cheaply, and what need not be again."""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.tangent_graph import TIE, TURN
from tapeline.geometry.surfaces.marks import CLEAR
from tapeline.geometry.surfaces.search_arrays import (
    AHEAD,
    BEFORE,
    BY,
    CELLS,
    CIRCLE,
    COST,
    ENDS,
    ENTERED,
    GATE,
    GATE_OF,
    IMAGE_INTS,
    LEFT,
    LEG,
    LEVEL,
    LINK,
    MET,
    PARENT,
    SOURCE,
    SOURCE_INTS,
    SOURCES,
    SPENT,
    TARGETS,
    THROUGH,
    TURNED,
    TWIN,
    FlatLevels,
    SearchMemory,
)

__all__ = [
    "EQUAL",
    "by_same_gate",
    "come_by",
    "had_alike",
    "had_cheaper",
    "had_or_noted",
    "new_source",
    "note_arrival",
]

_TAU = 2.0 * math.pi
#: Arrivals of equal cost kept at one place: ties beyond are not told.
EQUAL = 3


@kernel
def had_or_noted(taken: SearchMemory, target: int, cost: float) -> bool:
    """Whether a point was reached cheaper already, or as cheaply often enough; else noted."""
    had, at = 0, taken.heads[target]
    while at >= 0:
        if taken.met[2 * at] < cost - TIE:
            return True
        had += 1
        at = taken.met_ints[2 * at + 1]
    if had >= EQUAL:
        return True
    note_arrival(taken, target, cost, 0.0, 0)
    return False


@kernel
def note_arrival(taken: SearchMemory, target: int, cost: float, place: float, arc: int) -> None:
    """Note that a place was come to: at what cost, where on an arc, and on which."""
    made = taken.told[MET]
    taken.told[MET] = made + 1
    taken.met[2 * made], taken.met[2 * made + 1] = cost, place
    taken.met_ints[2 * made], taken.met_ints[2 * made + 1] = arc, taken.heads[target]
    taken.heads[target] = made


@kernel
def had_cheaper(plan: FlatLevels, taken: SearchMemory, level: int, j: int, cost: float) -> bool:
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
def had_alike(plan: FlatLevels, taken: SearchMemory, source: int, other: int, ties: bool) -> bool:
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
def by_same_gate(plan: FlatLevels, taken: SearchMemory, source: int, gate: int) -> bool:
    """Whether a source was just reached by the same gate the other way."""
    twin = plan.gates[GATE * gate + TWIN]
    return twin >= 0 and taken.source_ints[SOURCE_INTS * source + THROUGH] == twin


@kernel
def new_source(
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
def come_by(
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
