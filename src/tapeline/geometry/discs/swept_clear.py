"""Yes or no for paths of straight legs, many times over: a radius prepared once.

`Field.checker` and `Field.follows_many` make one where the backend is compiled; `Field.follows`
does when it has been asked often enough. The answers are those of `clearance.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.backends import Floats
from tapeline.geometry.discs.board import Cells, FreeSpace
from tapeline.geometry.discs.clearance_grid import CLEAR, HEAD, PART
from tapeline.geometry.discs.scratch import listed, rows_of
from tapeline.geometry.plane.checks import checked

__all__ = ["Checker", "batch", "lay", "marked", "walked"]

#: Cells a side for one of the field's own, as long as there are no more than MOST in all.
_SPLIT = 4
#: Most fine cells; 8 bytes each, twice.
MOST = 1 << 17
#: Largest coordinate of the cells: beyond it rounding would use up their room, table units.
_FAR = 1e5
#: A place this near to the far sides of the cells is beyond them, length.
_RIM = 1e-6


def _fits(grid: Floats, g: float) -> bool:
    """Whether a table can be cut into cells, g the radius less slack: not for points or far out."""
    x1, y1 = grid[0] + grid[2] * grid[3], grid[1] + grid[2] * grid[4]
    return g > 0.0 and max(abs(grid[0]), abs(grid[1]), abs(x1), abs(y1), g) <= _FAR


def _parts(free: FreeSpace, posts: int) -> list[float]:
    """PART floats for each edge, then for each post."""
    r, slack = free.r, free.slack
    flat: list[float] = []
    for ax, ay, bx, by, thickness in rows_of(free.board.edges, 5):
        g = thickness + r - slack
        square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
        # A little more than the gap, so that rounding can never let a leg pass.
        off = g * (1.0 + 1e-9) + 1e-9
        flat += [ax, ay, bx, by, g * g if g > 0.0 else 0.0, off * off * square]
        flat += [off * math.sqrt(square) + 1e-9, square]
    for x, y, radius in rows_of(free.board.discs[: 3 * posts], 3):
        g = radius + r - slack
        flat += [x, y, x, y, g * g if g > 0.0 else 0.0, 0.0, 0.0, 0.0]
    return flat


def lay(free: FreeSpace, posts: int, compiled: bool) -> Cells:
    """Cut the still parts of a board into cells for one disc, no bodies marked yet.

    Where that will not do, there is one cell and no place is within it: all is asked elsewhere.
    """
    board, solids, r, slack = free.board, free.solids, free.r, free.slack
    grid = listed(board.grid)
    g = r - slack
    fits = _fits(grid, g)
    split = _SPLIT
    while split > 1 and grid[3] * grid[4] * split * split > MOST:
        split -= 1
    x0, y0, cell = grid[0], grid[1], grid[2] / split
    nx, ny = (int(grid[3]) * split, int(grid[4]) * split) if fits else (1, 1)
    table = [grid[5] + g, grid[6] + g, grid[7] - g, grid[8] - g]
    within = [max(table[0], x0), max(table[1], y0)]
    within += [min(table[2], x0 + nx * cell - _RIM), min(table[3], y0 + ny * cell - _RIM)]
    if not fits:
        within = [math.inf, math.inf, -math.inf, -math.inf]
    parts = _parts(free, posts) if fits else []
    count = len(parts) // PART
    edges = int(board.counts[0]) if fits else 0
    head = [x0, y0, cell, 1.0 / cell, float(nx), float(ny), *within, *table]
    head += [g, slack, float(edges), float(HEAD + len(parts)), 0.0]
    head += [float(len(free.solid_starts) - 1), float(HEAD + len(parts) + len(solids)), 0.0]
    head += [float(board.counts[4]), float(posts), r]
    figures = backends.floats([*head, *parts, *listed(solids), *listed(board.rings)], compiled)
    kernel, room = backends.functions(compiled).lay_cells, 2 * nx * ny
    while True:
        lists = backends.blank_ints(room, compiled)
        needed = kernel(figures, lists, count, solids, free.solid_starts)
        if needed <= room:
            break
        room = needed
    figures[18], figures[21] = float(needed), float(needed + len(free.solid_starts))
    lists = backends.joined(
        lists[:needed], [*listed(free.solid_starts), *listed(board.ring_starts)]
    )
    return Cells(figures, lists, backends.blank_ints(nx * ny, compiled))


def marked(
    kernels: Any, discs: Any, cells: Cells, before: tuple[Checker, list[int]] | None
) -> Cells:
    """Cells with the bodies of `discs` that may be near each.

    cells: as `lay` gives them. before: the checker of an earlier state and what has changed since,
    if there is one; else every body is put in anew.
    """
    mark = kernels.mark_bodies
    marks: Any = cells.marks
    if before is not None and before[0].cells.figures is cells.figures:
        earlier, changed = before
        marks = earlier.cells.marks.copy()
        for k in changed:
            if 3 * k < len(earlier.discs):
                mark(marks, cells.figures, earlier.discs, k, False)
            mark(marks, cells.figures, discs, k, True)
    else:
        marks = marks.copy()
        for k in range(int(cells.figures[23]), len(discs) // 3):
            mark(marks, cells.figures, discs, k, True)
    return cells._replace(marks=marks)


def batch(corners: Sequence[float], starts: Sequence[int], compiled: bool) -> tuple[Any, Any, Any]:
    """Corners, starts and room for the answers, as kernels of that backend want them.

    ShapeError for starts that are not in order or beyond the corners.
    """
    if compiled:
        import numpy as np

        flat: Any = np.ascontiguousarray(corners, np.float64)
        at: Any = np.ascontiguousarray(starts, np.int64)
        out: Any = np.empty(max(0, len(at) - 1), np.bool_)
        fine = bool((at[1:] >= at[:-1]).all())
    else:
        flat, at = [float(v) for v in corners], [int(v) for v in starts]
        out = [False] * max(0, len(at) - 1)
        fine = all(a <= b for a, b in pairwise(at))
    if len(at) and not (fine and at[0] >= 0 and 2 * at[-1] <= len(flat)):
        raise ShapeError("paths: starts must rise from 0 to at most the count of corners")
    return flat, at, out


def walked(kernels: Any, free: FreeSpace, corners: Any, starts: Any) -> Any:
    """`Field.follows_many` with nothing prepared."""
    compiled = not isinstance(free.board.discs, list)
    flat, at, out = batch(corners, starts, compiled)
    # Of arrays the largest by size also finds a nan.
    checked((float(abs(flat).max(initial=0.0)),) if compiled else flat, "path")
    kernels.free_batch(flat, at, out, free)
    return out


class Checker:
    """Whether a disc of one radius may follow a path, on one field. Made by `Field.checker`.

    Call it with corners (x, y), or `flat` with a flat float64 array; `one` is the call itself, a
    plain function and a little faster. The answers are those of `Field.follows`; ShapeError for
    numbers that are not finite or beyond 1e10.

    >>> from tapeline.geometry.discs.field import Field
    >>> clear = Field.of(width=10.0, depth=10.0, posts=[(5.0, 5.0, 1.0)]).checker(0.5)
    >>> clear([(1.0, 1.0), (9.0, 1.0)]), clear([(1.0, 5.0), (9.0, 5.0)])
    (True, False)
    >>> clear.flat([1.0, 1.0, 9.0, 1.0])
    True
    """

    __slots__ = ("_free", "_kernels", "cells", "discs", "flat", "one")

    #: One path, by corners (x, y).
    one: Callable[[Sequence[Sequence[float]]], bool]
    #: One path, by a flat sequence x, y, x, y, ...; fastest as a float64 array.
    flat: Callable[[Any], bool]

    def __init__(self, kernels: Any, free: FreeSpace, cells: Cells) -> None:
        # Not the field itself: it keeps this one, and the pair would wait for the collector.
        self._kernels, self._free = kernels, free
        self.cells, self.discs = cells, free.board.discs
        self.flat = self._of_flat()
        self.one = self._of_corners()

    def __call__(self, path: Sequence[Sequence[float]]) -> bool:
        """Whether a path of straight legs, by corners (x, y), is clear."""
        return self.one(path)

    def _of_corners(self) -> Callable[[Sequence[Sequence[float]]], bool]:
        kernel, flat, cells, discs = self._kernels.corners_free, self.flat, self.cells, self.discs

        def one(path: Sequence[Sequence[float]]) -> bool:
            count = len(path)
            if count == 4:
                (ax, ay), (bx, by), (cx, cy), (dx, dy) = path
                answer = kernel(3, ax, ay, bx, by, cx, cy, dx, dy, cells, discs)
            elif count == 3:
                (ax, ay), (bx, by), (cx, cy) = path
                answer = kernel(2, ax, ay, bx, by, cx, cy, cx, cy, cells, discs)
            elif count == 2:
                (ax, ay), (bx, by) = path
                answer = kernel(1, ax, ay, bx, by, bx, by, bx, by, cells, discs)
            else:
                return flat([float(v) for x, y in path for v in (x, y)])
            if answer > CLEAR:
                return flat([float(v) for x, y in path for v in (x, y)])
            return bool(answer == CLEAR)

        return one

    def _of_flat(self) -> Callable[[Any], bool]:
        kernel, elsewhere = self._kernels.path_free, partial(walked, self._kernels, self._free)
        F, G, V = self.cells
        D = self.discs
        if isinstance(D, list):

            def plain(corners: Any) -> bool:
                corners = [float(v) for v in corners]
                answer = kernel(corners, F, G, D, V)
                if answer > CLEAR:
                    return bool(elsewhere(corners, (0, len(corners) // 2))[0])
                return bool(answer == CLEAR)

            return plain

        import numpy as np

        def flat(corners: Any) -> bool:
            if corners.__class__ is not np.ndarray:
                corners = np.array(corners, np.float64)
            try:
                answer = kernel(corners, F, G, D, V)
            except TypeError:  # not flat, not float64 or not in one piece
                corners = np.array(corners, np.float64).ravel()
                answer = kernel(corners, F, G, D, V)
            if answer > CLEAR:
                return bool(elsewhere(corners, (0, len(corners) // 2))[0])
            return bool(answer == CLEAR)

        return flat

    def many(self, corners: Any, starts: Any) -> Any:
        """`Field.follows_many`."""
        flat, at, out = batch(corners, starts, not isinstance(self.discs, list))
        if self._kernels.paths_free(flat, at, out, self.cells, self.discs) > CLEAR:
            return walked(self._kernels, self._free, flat, at)
        return out
