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
from tapeline.geometry.discs.board import Board
from tapeline.geometry.discs.clearance_grid import CLEAR, HEAD, PART
from tapeline.geometry.discs.obstacles import Cells
from tapeline.geometry.plane.checks import checked

__all__ = ["Checker", "batch", "lay", "marked", "walked"]

#: Cells a side for one of the field's own, as long as there are no more than MOST in all.
SPLIT = 4
#: Most fine cells; 8 bytes each, twice.
MOST = 1 << 17
#: Largest coordinate of the cells: beyond it rounding would use up their room, table units.
_FAR = 1e5
#: A place this near to the far sides of the cells is beyond them, length.
_RIM = 1e-6


def _fits(w: Any, r: float, slack: float) -> bool:
    """Whether a field can be cut into cells for a radius: not for points, not far out."""
    x1, y1 = w[0] + w[2] * w[3], w[1] + w[2] * w[4]
    return slack < r and max(abs(w[0]), abs(w[1]), abs(x1), abs(y1), r - slack) <= _FAR


def _parts(field: Board, r: float, slack: float, posts: int) -> list[float]:
    """PART floats for each edge, then for each post."""
    _, ints, edges, discs, *_ = field.board
    flat: list[float] = []
    rows = [float(v) for v in edges[: 5 * int(ints[0])]]
    for k in range(0, len(rows), 5):
        ax, ay, bx, by, g = rows[k : k + 5]
        g += r - slack
        square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
        # A little more than the gap, so that rounding can never let a leg pass.
        off = g * (1.0 + 1e-9) + 1e-9
        flat += [ax, ay, bx, by, g * g if g > 0.0 else 0.0, off * off * square]
        flat += [off * math.sqrt(square) + 1e-9, square]
    for k in range(posts):
        x, y, radius = (float(v) for v in discs[3 * k : 3 * k + 3])
        g = radius + r - slack
        flat += [x, y, x, y, g * g if g > 0.0 else 0.0, 0.0, 0.0, 0.0]
    return flat


def lay(field: Board, r: float, slack: float, posts: int) -> Cells:
    """Cut a field's still parts into cells for one radius.

    Where that will not do, there is one cell and no place is within it: all is asked elsewhere.
    """
    w, ints, _, _, _, _, _, rings, at = field.board
    solids, solids_at = field.solids_for(r)
    fits = _fits(w, r, slack)
    split = SPLIT
    while split > 1 and w[3] * w[4] * split * split > MOST:
        split -= 1
    x0, y0, cell = float(w[0]), float(w[1]), float(w[2]) / split
    nx, ny = (int(w[3]) * split, int(w[4]) * split) if fits else (1, 1)
    g = r - slack
    table = [float(w[5]) + g, float(w[6]) + g, float(w[7]) - g, float(w[8]) - g]
    within = [max(table[0], x0), max(table[1], y0)]
    within += [min(table[2], x0 + nx * cell - _RIM), min(table[3], y0 + ny * cell - _RIM)]
    if not fits:
        within = [math.inf, math.inf, -math.inf, -math.inf]
    parts = _parts(field, r, slack, posts) if fits else []
    edges = int(ints[0]) if fits else 0
    count = len(parts) // PART
    head = [x0, y0, cell, 1.0 / cell, float(nx), float(ny), *within, *table]
    head += [g, slack, float(edges), float(HEAD + len(parts)), 0.0, float(len(solids_at) - 1)]
    head += [float(HEAD + len(parts) + len(solids)), 0.0, float(int(ints[4])), float(posts), r]
    flat = backends.floats(
        [*head, *parts, *(float(v) for v in solids), *(float(v) for v in rings)], field.compiled
    )
    kernel, room = field.kernels.lay_cells, 2 * nx * ny
    while True:
        lists = backends.ints([0] * room, field.compiled)
        needed = kernel(flat, lists, count, solids, solids_at)
        if needed <= room:
            break
        room = needed
    more = [*(int(v) for v in solids_at), *(int(v) for v in at)]
    flat[18], flat[21] = float(needed), float(needed + len(solids_at))
    tail = backends.ints(more, field.compiled)
    if field.compiled:
        import numpy as np

        lists = np.concatenate((lists[:needed], tail))
    else:
        lists = lists[:needed] + tail
    return Cells(flat, lists, nx * ny)


def marked(field: Board, cells: Cells, before: tuple[Checker, list[int]] | None) -> Any:
    """Which bodies may be near each cell: array V of `clearance_grid.py`.

    before: the checker of an earlier state and what has changed since, if there is one; else every
    body is put in anew.
    """
    mark = field.kernels.mark_bodies
    if before is not None and before[0].cells is cells:
        earlier, changed = before
        marks = earlier.V.copy()
        for k in changed:
            if 3 * k < len(earlier.D):
                mark(marks, cells.F, earlier.D, k, False)
            mark(marks, cells.F, field.D, k, True)
        return marks
    marks = cells.blank()
    for k in range(int(cells.F[23]), len(field.D) // 3):
        mark(marks, cells.F, field.D, k, True)
    return marks


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


def walked(field: Board, corners: Any, starts: Any, r: float, slack: float) -> Any:
    """`Field.follows_many` with nothing prepared."""
    return _walked(field.kernels, _still(field, r, slack), corners, starts)


def _still(field: Board, r: float, slack: float) -> tuple[Any, ...]:
    """Backend, radius, slack, solids and board: all that `free_batch` takes beside the paths."""
    checked((r, slack), "radius")
    board = field.board_for(r)
    return field.compiled, float(r), float(slack), (*field.solids_for(r), *board)


def _walked(kernels: Any, still: tuple[Any, ...], corners: Any, starts: Any) -> Any:
    compiled, r, slack, board = still
    flat, at, out = batch(corners, starts, compiled)
    # Of arrays the largest by size also finds a nan.
    checked((float(abs(flat).max(initial=0.0)),) if compiled else flat, "path")
    kernels.free_batch(flat, at, r, slack, out, *board)
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

    __slots__ = ("D", "V", "_kernels", "_still", "cells", "flat", "one")

    #: One path, by corners (x, y).
    one: Callable[[Sequence[Sequence[float]]], bool]
    #: One path, by a flat sequence x, y, x, y, ...; fastest as a float64 array.
    flat: Callable[[Any], bool]

    def __init__(self, field: Board, r: float, slack: float, cells: Cells, marks: Any) -> None:
        # Not the field itself: it keeps this one, and the pair would wait for the collector.
        self._kernels, self._still = field.kernels, _still(field, r, slack)
        self.cells, self.D, self.V = cells, field.D, marks
        if field.compiled:
            # Whole numbers become floats then; otherwise Numba would compile anew for them.
            self._kernels.corners_free.disable_compile()
            self._kernels.path_free.disable_compile()
            self._kernels.paths_free.disable_compile()
        self.flat = self._of_flat()
        self.one = self._of_corners()

    def __call__(self, path: Sequence[Sequence[float]]) -> bool:
        """Whether a path of straight legs, by corners (x, y), is clear."""
        return self.one(path)

    def _of_corners(self) -> Callable[[Sequence[Sequence[float]]], bool]:
        kernel, flat = self._kernels.corners_free, self.flat
        F, G, D, V = self.cells.F, self.cells.G, self.D, self.V

        def one(path: Sequence[Sequence[float]]) -> bool:
            count = len(path)
            if count == 4:
                (ax, ay), (bx, by), (cx, cy), (dx, dy) = path
                answer = kernel(3, ax, ay, bx, by, cx, cy, dx, dy, F, G, D, V)
            elif count == 3:
                (ax, ay), (bx, by), (cx, cy) = path
                answer = kernel(2, ax, ay, bx, by, cx, cy, cx, cy, F, G, D, V)
            elif count == 2:
                (ax, ay), (bx, by) = path
                answer = kernel(1, ax, ay, bx, by, bx, by, bx, by, F, G, D, V)
            else:
                return flat([float(v) for x, y in path for v in (x, y)])
            if answer > CLEAR:
                return flat([float(v) for x, y in path for v in (x, y)])
            return bool(answer == CLEAR)

        return one

    def _of_flat(self) -> Callable[[Any], bool]:
        kernel, elsewhere = self._kernels.path_free, partial(_walked, self._kernels, self._still)
        F, G, D, V = self.cells.F, self.cells.G, self.D, self.V
        if not self._still[0]:

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
        flat, at, out = batch(corners, starts, self._still[0])
        if self._kernels.paths_free(flat, at, out, *self._arrays) > CLEAR:
            return _walked(self._kernels, self._still, flat, at)
        return out

    @property
    def _arrays(self) -> tuple[Any, Any, Any, Any]:
        return self.cells.F, self.cells.G, self.D, self.V
