"""Structures that kernels of discs take: a table laid out flat, and one disc's free space on it.

A `Board` is all that stands on a table, over a grid; `Cells` are finer, made for one radius
(`clearance_grid.py`); a `FreeSpace` is both for one disc. All are `NamedTuple`s of flat arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints

__all__ = ["SLACK", "WORK", "Board", "Cells", "Circles", "Clearance", "FreeSpace", "Sides"]

#: Rounding that a disc may stand inside an obstacle and still count as clear of it; length.
SLACK = 1e-9
#: States a search may make before it gives up, unless told otherwise.
WORK = 1_000_000


class Board(NamedTuple):
    """What stands on a table.

    A disc of radius r keeps clear of a part when its centre keeps thickness + r (radius + r) from
    it; slack (length) is how much deeper than that still counts as clear. Loose discs are those of
    one query only; they are not in the grid.
    """

    #: 0, 1 corner of the grid; 2 side of a cell; 3, 4 columns, rows; 5..8 table x0, y0, x1, y1.
    grid: Floats
    #: 0 edges; 1 index of the first loose disc; 2 discs; 3 room of a slot; 4 rings.
    counts: list[int]
    #: ax, ay, bx, by, thickness.
    edges: Floats
    #: x, y, radius; minus infinity where one was taken off.
    discs: list[float]
    #: parts[starts[c]:starts[c + 1]] are edges, and discs that stay, in cell c; discs count on from
    #: the edges.
    starts: Ints
    parts: Ints
    #: Discs that come and go in each cell: as many as a slot has room for, -1 ends.
    slots: list[int]
    #: Rings that the centre may not enter: x0, y0, x1, y1 of the box, then the corners.
    rings: Floats
    #: Where each ring begins in rings, and the end.
    ring_starts: Ints


class Clearance(NamedTuple):
    """What a disc of radius r keeps clear of, up to the slack."""

    r: float
    slack: float
    board: Board


class Cells(NamedTuple):
    """Fine cells for one radius and slack, empty where none are laid; see `clearance_grid.py`."""

    #: The grid of cells, then the parts, then rings.
    figures: list[float]
    #: A number a cell: 0 free, -1 shut, else where its list begins: count, parts; then rings.
    lists: Ints
    #: Bodies that may be near each cell, 16 bits each, counted from 1; -1 more than fit.
    marks: list[int]


class FreeSpace(NamedTuple):
    """Where the centre of one disc may be: configuration space (Lozano-Perez 1983)."""

    r: float
    slack: float
    board: Board
    cells: Cells
    #: Rings that a disc may not be inside of, laid out as those of the board.
    solids: Floats
    solid_starts: Ints


class Circles(NamedTuple):
    """The circles that the centre of one disc may run round, and their free arcs, found so far."""

    #: x, y, radius.
    discs: list[float]
    #: How many free arcs each has; -1 unknown.
    counts: list[int]
    #: From, to (radians); `room` a circle.
    arcs: list[float]
    room: int


class Sides(NamedTuple):
    """The straight parts of the border of free ground, and their free pieces, found so far."""

    #: `offset_sides.SIDE` floats each.
    figures: Floats
    #: How many free pieces each has; -1 unknown.
    counts: list[int]
    #: From, to (lengths along the side); `room` a side.
    pieces: list[float]
    room: int
