"""A uniform grid over boxes: which things can matter near a place, whatever the table's size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import floor
from typing import TypeAlias

__all__ = ["CELL", "Box", "Grid", "box_about", "boxes_meet"]

#: Side of a cell, table units: about the size of a base, so that a leg meets few cells.
CELL = 2.0

#: A box over more cells than this is looked at one by one instead: tables are far smaller. Also
#: how many sets of cells are remembered.
_WIDE = 4096

#: Least x, least y, greatest x, greatest y.
Box: TypeAlias = tuple[float, float, float, float]
_Boxed: TypeAlias = tuple[tuple[int, float, float, float, float], ...]


def box_about(x: float, y: float, r: float) -> Box:
    """The square about a place, so far to each side."""
    return x - r, y - r, x + r, y + r


def boxes_meet(a: Box, b: Box, slack: float = 0.0) -> bool:
    """Whether two boxes are no farther apart than the slack along either axis."""
    return (
        a[0] <= b[2] + slack
        and b[0] <= a[2] + slack
        and a[1] <= b[3] + slack
        and b[1] <= a[3] + slack
    )


class Grid:
    """Boxes by cell. Built once; asked often.

    >>> grid = Grid([(0.0, 0.0, 1.0, 1.0), (8.0, 8.0, 9.0, 9.0)])
    >>> grid.near((0.5, 0.5, 0.6, 0.6))
    [0]
    """

    def __init__(self, boxes: Sequence[Box], cell: float = CELL) -> None:
        self._cell = cell
        #: Numbers and boxes: of all, and by cells.
        self._all: _Boxed = tuple((index, *box) for index, box in enumerate(boxes))
        self._known: dict[tuple[int, int, int, int], _Boxed] = {}

    @cached_property
    def _cells(self) -> tuple[dict[tuple[int, int], list[int]], list[int]]:
        """What is over each cell, and what is wide: a few boxes are gone through without."""
        c = self._cell
        cells: dict[tuple[int, int], list[int]] = {}
        wide: list[int] = []
        for index, x0, y0, x1, y1 in self._all:
            if self._count((x0, y0, x1, y1)) > _WIDE:
                wide.append(index)
                continue
            for i in range(floor(x0 / c), floor(x1 / c) + 1):
                for j in range(floor(y0 / c), floor(y1 / c) + 1):
                    cells.setdefault((i, j), []).append(index)
        return cells, wide

    def _count(self, box: Box) -> float:
        c = self._cell
        return ((box[2] - box[0]) / c + 2.0) * ((box[3] - box[1]) / c + 2.0)

    def near(self, box: Box) -> list[int]:
        """Indices, ascending, of the boxes that meet `box` (touching counts)."""
        (x0, y0, x1, y1), c, found = box, self._cell, self._all
        if self._count(box) <= min(_WIDE, len(found)):  # else there are fewer boxes than cells
            cells = floor(x0 / c), floor(y0 / c), floor(x1 / c), floor(y1 / c)
            known = self._known.get(cells)
            found = self._within(cells) if known is None else known
        return [
            i
            for i, left, low, right, high in found
            if left <= x1 and right >= x0 and low <= y1 and high >= y0
        ]

    def _within(self, cells: tuple[int, int, int, int]) -> _Boxed:
        """The boxes over some cells, kept for those asked about last."""
        over, wide = self._cells
        many, (i0, j0, i1, j1) = set(wide), cells
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                many.update(over.get((i, j), ()))
        if len(self._known) >= _WIDE:
            self._known.clear()
        known = self._known[cells] = tuple(self._all[index] for index in sorted(many))
        return known
