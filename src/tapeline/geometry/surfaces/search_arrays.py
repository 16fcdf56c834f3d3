"""How a search over levels is laid out flat for its kernels: levels, gates, sources, images, legs.

Rows of numbers, so many each; what a column holds is named here. Plain Python takes them as lists,
compiled code as arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.board import Board

__all__ = ["FlatLevels", "Image", "LevelBoards", "SearchMemory", "image_at", "windows_of"]

#: Whole numbers of a level: where its targets begin, circles end, targets end; its gates, goals,
#: shut angles and bounds, from and to; room for arcs of a circle, where they begin; then from where
#: its edges, discs, starts, parts, slots, rings and their starts are in `LevelBoards`, and to.
LEVEL = 27
TARGETS, CIRCLES, TARGETS_END, GATES, GATES_END, GOALS, GOALS_END, SHUT, SHUT_END = range(9)
BOUNDS, BOUNDS_END, ROOM, ARCS, BOARD = range(9, 14)
#: Floats of a level's grid, whole numbers of its counts.
GRID, COUNTS = 9, 5
#: Whole numbers of a gate: levels entered on and left to; the same the other way, or -1; pieces
#: that marks divide it into; where its marks begin as it is left, and as it is entered; its link.
GATE = 7
START, END, TWIN, CELLS, LEFT, ENTERED, LINK = range(7)
#: Floats of a gate: a, b, c, d; its cost and length; what is left at least from where it is left.
ENDS = 11
COST, LENGTH, TO_GO = 8, 9, 10
#: Floats of a source: x, y, radius, angle, ahead, cost; turned round the one before, and the leg
#: from there.
SOURCE = 11
AHEAD, SPENT, TURNED, LEG = 4, 5, 6, 7
#: Whole numbers of a source: level, sense, circle, the source before, the image whose leg leads
#: there, the gate taken at its end, the next point on its level.
SOURCE_INTS = 7
CIRCLE, PARENT, BY, THROUGH, NEXT = range(2, 7)
#: Floats of an image: x, y, angle, cost, low; first, last turn; begin, end.
IMAGE = 9
LOW, FIRST, LAST, BEGIN, STOP = range(4, 9)
#: Whole numbers of an image: source, level, sense, side, gate, the image before, where its windows
#: begin, how many there are.
IMAGE_INTS = 8
SENSE, SIDE, GATE_OF, BEFORE, WINDOWS, DEPTH = range(2, 8)
#: Floats of a leg: as `windows.ROW` has them, and its image.
LEG_ROW = 11
#: What is counted: cut by the limit; waiting, pushed; legs, images, sources, windows' floats,
#: costs met; goals found, images fanned, sources taken up; the most windows of an image; what is
#: asked for.
TOLD = 13
CUT, WAITING, PUSHED, LEGS, IMAGES, SOURCES, SEEN_FLOATS, MET, GOALS_FOUND, FANNED = range(10)
TAKEN, DEEPEST, ASKED = 10, 11, 12
#: What waits: a source, an image, a leg, or a leg to a goal.
TAKE_SOURCE, TAKE_IMAGE, TAKE_LEG, TAKE_GOAL = range(4)


class FlatLevels(NamedTuple):
    """Levels, gates and goals of one search, which it only reads.

    doors: gate and mark of each target, -1 for circles. bounds: segments and what is left from
    each.
    """

    levels: list[int]
    gates: Ints
    ends: list[float]
    by_level: Ints
    targets: list[float]
    doors: list[int]
    goals: Floats
    shut: Floats
    bounds: list[float]


class LevelBoards(NamedTuple):
    """What stands on the levels, and free arcs of circles.

    boards: those of the levels one after another, array by array.
    """

    r: float
    slack: float
    boards: Board
    arc_counts: list[int]
    arcs: list[float]
    spans: list[float]
    nothing: list[float]
    none: list[int]


class SearchMemory(NamedTuple):
    """What a search has found so far, and scratch.

    left: what marks cost at most where gates are left, and entered. ahead, onward: what is left
    from each mark, and from each target, -1 unknown. opens: whether there is room beside a gate,
    entered right and left of it, left so; -1 unknown. heads, met, met_ints: costs at targets, as
    lists. points: the first on each level.
    """

    best: list[float]
    told: list[int]
    left: list[float]
    ahead: list[float]
    onward: list[float]
    opens: list[int]
    heads: list[int]
    met: list[float]
    met_ints: list[int]
    points: list[int]
    waiting: list[float]
    waiting_ints: list[int]
    things: list[int]
    legs: list[float]
    sources: list[float]
    source_ints: list[int]
    images: list[float]
    image_ints: list[int]
    windows: list[float]
    found: list[int]
    fanned: list[int]
    rows: list[float]
    fractions: list[float]
    parts: list[float]
    cuts: list[float]


class Image(NamedTuple):
    """A source as seen in the plane of a level, through windows in order; without any: itself.

    first, last: the turns between which its legs leave. side: to which side of the last window they
    go, 1 left of it, -1 right, 0 without windows.
    """

    x: float
    y: float
    radius: float
    sense: int
    angle: float
    first: float
    last: float
    cost: float
    side: int


@kernel
def image_at(taken: SearchMemory, i: int) -> Image:
    """An image by number."""
    f, k = IMAGE * i, IMAGE_INTS * i
    images, ints = taken.images, taken.image_ints
    radius = taken.sources[SOURCE * ints[k] + 2]
    return Image(
        images[f], images[f + 1], radius, ints[k + SENSE], images[f + 2],
        images[f + FIRST], images[f + LAST], images[f + 3], ints[k + SIDE],
    )  # fmt: skip


@kernel
def windows_of(taken: SearchMemory, i: int) -> tuple[int, int]:
    """Where the windows of an image are, from and to: in order, 4 floats each."""
    k = IMAGE_INTS * i
    at = taken.image_ints[k + WINDOWS]
    return at, at + 4 * taken.image_ints[k + DEPTH]
