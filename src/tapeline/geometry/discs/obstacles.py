"""What stands still on a table, checked and laid out as the flat arrays and grid of kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from tapeline.errors import ShapeError
from tapeline.geometry.backends import Floats, Ints, converted
from tapeline.geometry.discs.board import Board, Cells
from tapeline.geometry.plane.checks import checked, oriented
from tapeline.geometry.plane.distance import Ring
from tapeline.geometry.plane.grid import Box

__all__ = ["Circle", "StaticBoard", "Thing", "Wall", "ground_of", "with_boxes"]

#: x, y, radius.
Circle: TypeAlias = tuple[float, float, float]
#: ax, ay, bx, by, thickness: how much farther a disc keeps off than its own radius.
Wall: TypeAlias = tuple[float, float, float, float, float]

#: What stands there: kind, id or index, figures, thickness, and the box of its figures.
Thing: TypeAlias = tuple[str, str | int, tuple[float, ...], float, Box]

#: Side of a grid cell, table units: about two bases, so that a move meets few cells.
CELL = 2.0
#: Bodies a cell has room for at first.
SLOT = 8
#: Most cells a side; larger tables get larger cells.
_CELLS = 128


def with_boxes(
    things: Iterable[tuple[str, str | int, tuple[float, ...], float]],
) -> Iterator[Thing]:
    """Things as `Field.things` has them, each with the box of its figures."""
    for kind, which, figures, thickness in things:
        if kind in ("post", "body"):
            x, y, r = figures
            box = (x - r, y - r, x + r, y + r)
        else:
            xs, ys = figures[0::2], figures[1::2]
            box = (min(xs), min(ys), max(xs), max(ys))
        yield kind, which, figures, thickness, box


def _convex_corners(ring: Sequence[float]) -> Iterable[tuple[float, float]]:
    """Corners (x, y) of a counter-clockwise ring where it turns left; flat corners in."""
    n = len(ring)
    for i in range(0, n, 2):
        ax, ay, bx, by = ring[i - 2], ring[i - 1], ring[i], ring[i + 1]
        cx, cy = ring[(i + 2) % n], ring[(i + 3) % n]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0.0:
            yield bx, by


class Rings(NamedTuple):
    """Rings laid out as those of a board: a box, then corners; where each begins, and the end."""

    flat: Floats
    starts: Ints


def _boxed(rings: Sequence[Sequence[float]], compiled: bool) -> Rings:
    flat: list[float] = []
    at = [0]
    for ring in rings:
        xs, ys = ring[0::2], ring[1::2]
        flat += [min(xs), min(ys), max(xs), max(ys), *ring]
        at.append(len(flat))
    return converted(Rings(flat, at), compiled)


@dataclass(slots=True, frozen=True)
class StaticBoard:
    """What never changes of a table: a board without bodies, and what it was made from."""

    board: Board
    #: Solid rings, as the board's; then its rings and these together, for points.
    solids: Rings
    all_rings: Rings
    thick: float  # the least thickness of a solid
    thin_walls: bool
    corners: tuple[tuple[float, float, float], ...]
    posts: tuple[Circle, ...]
    walls: int
    thicknesses: tuple[float, ...]
    cells: dict[tuple[float, float], Cells]  # by radius and slack, without marks

    @property
    def first_body(self) -> int:
        """Number of the first body's circle among those that a disc may run round."""
        return len(self.corners) + len(self.posts)

    def on_backend(self, compiled: bool) -> StaticBoard:
        """The same in plain Python or compiled."""
        board, solids = converted(self.board, compiled), converted(self.solids, compiled)
        rings = converted(self.all_rings, compiled)
        return replace(self, board=board, solids=solids, all_rings=rings, cells={})


def ground_of(
    table: tuple[float, float, float, float],
    solids: Iterable[Ring],
    walls: Iterable[Sequence[float]],
    posts: Iterable[Circle],
    grounds: Iterable[Ring],
    thickness: float | Sequence[float],
    compiled: bool,
) -> StaticBoard:
    """What stands still, from what `Field.of` is told. ShapeError for what will not do."""
    inner = [oriented(ring, "solid") for ring in solids]
    if isinstance(thickness, (int, float)):
        thick = [float(thickness)] * len(inner)
    else:
        thick = [float(v) for v in thickness]
        if len(thick) != len(inner):
            raise ShapeError(f"{len(inner)} solids but {len(thick)} thicknesses")
    zones = [oriented(ring, "ground") for ring in grounds]
    fixed = tuple((float(x), float(y), float(r)) for x, y, r in posts)
    edges: list[Wall] = []
    corners: dict[tuple[float, float, float], None] = {}
    for wall in walls:
        ax, ay, bx, by = (float(v) for v in wall[:4])
        edges.append((ax, ay, bx, by, float(wall[4]) if len(wall) > 4 else 0.0))
        corners[(ax, ay, edges[-1][4])] = None
        corners[(bx, by, edges[-1][4])] = None
    thin_walls = any(edge[4] == 0.0 for edge in edges)
    for ring, more in zip(inner, thick, strict=True):
        for i in range(0, len(ring), 2):
            edges += [(ring[i - 2], ring[i - 1], ring[i], ring[i + 1], more)]
        corners.update(dict.fromkeys((x, y, more) for x, y in _convex_corners(ring)))
    for ring in zones:
        corners.update(dict.fromkeys((x, y, -math.inf) for x, y in _convex_corners(ring)))
    checked([v for edge in edges for v in edge], "wall")
    checked([v for post in fixed for v in post], "post")
    if any(post[2] < 0.0 for post in fixed) or any(edge[4] < 0.0 for edge in edges):
        raise ShapeError("a radius or thickness must be 0 or more")
    if not (table[0] < table[2] and table[1] < table[3]):
        raise ShapeError(f"a table needs a width and a depth above 0, not {table}")
    return StaticBoard(
        _laid(table, edges, fixed, _boxed(zones, compiled), compiled),
        _boxed(inner, compiled),
        _boxed([*zones, *inner], compiled),
        min(thick, default=1.0),
        thin_walls,
        tuple(corners),
        fixed,
        len(edges) - sum(len(ring) // 2 for ring in inner),
        tuple(thick),
        {},
    )


def _laid(
    table: tuple[float, float, float, float],
    edges: Sequence[Wall],
    posts: tuple[Circle, ...],
    rings: Rings,
    compiled: bool,
) -> Board:
    """A board of all that stands still, laid on a grid."""
    xs = [v for e in edges for v in (e[0], e[2])] + [p[0] for p in posts]
    ys = [v for e in edges for v in (e[1], e[3])] + [p[1] for p in posts]
    xs += [v for v in (table[0], table[2]) if math.isfinite(v)]
    ys += [v for v in (table[1], table[3]) if math.isfinite(v)]
    x0, x1 = (min(xs), max(xs)) if xs else (0.0, 0.0)
    y0, y1 = (min(ys), max(ys)) if ys else (0.0, 0.0)
    cell = max(CELL, (x1 - x0) / _CELLS, (y1 - y0) / _CELLS)
    nx, ny = int((x1 - x0) / cell) + 1, int((y1 - y0) / cell) + 1
    cells: dict[int, list[int]] = {}
    boxes = [
        (min(a, c) - t, min(b, d) - t, max(a, c) + t, max(b, d) + t) for a, b, c, d, t in edges
    ]
    boxes += [(x - r, y - r, x + r, y + r) for x, y, r in posts]
    for k, (bx0, by0, bx1, by1) in enumerate(boxes):
        i0, i1 = (min(nx - 1, max(0, int((v - x0) / cell))) for v in (bx0, bx1))
        j0, j1 = (min(ny - 1, max(0, int((v - y0) / cell))) for v in (by0, by1))
        meets = _meeting(edges[k], cell) if k < len(edges) else None
        for j in range(j0, j1 + 1):
            y, row = y0 + j * cell, j * nx
            for i in range(i0, i1 + 1):
                # The cells at the rim stand for all that lies beyond them.
                rim = i in (0, nx - 1) or j in (0, ny - 1)
                if rim or meets is None or meets(x0 + i * cell, y):
                    cells.setdefault(row + i, []).append(k)
    starts: list[int] = [0]
    items: list[int] = []
    for at in sorted(cells):
        starts += [len(items)] * (at + 1 - len(starts))
        items += cells[at]
        starts.append(len(items))
    starts += [len(items)] * (nx * ny + 1 - len(starts))
    board = Board(
        [x0, y0, cell, float(nx), float(ny), *table],
        [len(edges), len(posts), len(posts), SLOT, len(rings.starts) - 1],
        [v for e in edges for v in e],
        [v for post in posts for v in post],
        starts,
        items,
        [-1] * (nx * ny * SLOT),
        *rings,
    )
    return converted(board, compiled)


def _meeting(edge: Wall, cell: float) -> Callable[[float, float], bool] | None:
    """Whether an edge, thickened, may come into the cell at a place: its distance from the cell's
    middle; None for one without length, which may."""
    ax, ay, bx, by, t = edge
    dx, dy, half = bx - ax, by - ay, 0.5 * cell
    length = math.hypot(dx, dy)
    if length == 0.0:
        return None
    most = half * (abs(dx) + abs(dy)) / length + t + 1e-9
    return lambda x, y: abs((x + half - ax) * dy - (y + half - ay) * dx) / length <= most
