"""A uniform grid over boxes: which things can matter near a place, whatever the table's size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor
from typing import TypeAlias

__all__ = ["CELL", "Box", "Grid"]

#: Side of a cell, table units: about the size of a base, so that a leg meets few cells.
CELL = 2.0

#: A box over more cells than this is looked at one by one instead: tables are far smaller. Also
#: how many sets of cells are remembered.
_WIDE = 4096

#: Least x, least y, greatest x, greatest y.
Box: TypeAlias = tuple[float, float, float, float]


class Grid:
    """Boxes by cell. Built once; asked often.

    >>> grid = Grid([(0.0, 0.0, 1.0, 1.0), (8.0, 8.0, 9.0, 9.0)])
    >>> grid.near((0.5, 0.5, 0.6, 0.6))
    [0]
    """

    def __init__(self, boxes: Sequence[Box], cell: float = CELL) -> None:
        self._cell = cell
        self._boxes = tuple(boxes)
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._wide: list[int] = []
        self._known: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
        for index, box in enumerate(self._boxes):
            if self._count(box) > _WIDE:
                self._wide.append(index)
                continue
            for key in self._keys(box):
                self._cells.setdefault(key, []).append(index)

    def _keys(self, box: Box) -> Iterable[tuple[int, int]]:
        c = self._cell
        x0, y0, x1, y1 = (floor(v / c) for v in box)
        return ((i, j) for i in range(x0, x1 + 1) for j in range(y0, y1 + 1))

    def _count(self, box: Box) -> float:
        c = self._cell
        return ((box[2] - box[0]) / c + 2.0) * ((box[3] - box[1]) / c + 2.0)

    def near(self, box: Box) -> list[int]:
        """Indices, ascending, of the boxes that meet `box` (touching counts)."""
        boxes = self._boxes
        x0, y0, x1, y1 = box
        found: Iterable[int] = range(len(boxes))
        if self._count(box) <= min(_WIDE, len(boxes)):  # else there are fewer boxes than cells
            c = self._cell
            found = self._within((floor(x0 / c), floor(y0 / c), floor(x1 / c), floor(y1 / c)))
        return [
            i
            for i in found
            if boxes[i][0] <= x1 and boxes[i][2] >= x0 and boxes[i][1] <= y1 and boxes[i][3] >= y0
        ]

    def _within(self, cells: tuple[int, int, int, int]) -> tuple[int, ...]:
        """Indices of the boxes over some cells, kept for those asked about last."""
        known = self._known.get(cells)
        if known is None:
            many, (i0, j0, i1, j1) = set(self._wide), cells
            for i in range(i0, i1 + 1):
                for j in range(j0, j1 + 1):
                    many.update(self._cells.get((i, j), ()))
            if len(self._known) >= _WIDE:
                self._known.clear()
            known = self._known[cells] = tuple(sorted(many))
        return known
