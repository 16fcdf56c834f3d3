"""The region seen from a point among regions that block sight, bounded by segments and arcs.

Borders are cut once where they cross, so that pieces meet only at their ends. Where all are
straight, the space between is laid out in triangles when first asked about, and a view is expanded
from one to the next (`triangular_expansion`).

Where some are round, or the eye is on or in something, a view is swept. For an eye, every piece
that faces it covers a range of directions; over a common range one of two pieces is always
the nearer. A sweep over the directions keeps the open pieces in a heap, nearest first, and so lists
which piece closes the view in which range. Regions are taken up from the nearest outward, and
those that lie wholly behind nearer ones are left out beforehand.

What is seen along single lines only (through slits of no width) has no area and is not part of the
region; `lines.sight_to_region` decides such lines.

Source: rotational sweep, Asano 1985; indexed heap as in Sedgewick, Algorithms.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from tapeline.errors import ShapeError
from tapeline.geometry.backends import chosen, converted, floats, functions, ints
from tapeline.geometry.epsilons import PARALLEL, ROUNDING
from tapeline.geometry.plane.intersections import Piece, border_crossings
from tapeline.geometry.rectangles.rectangle import Part, Point, Region
from tapeline.geometry.sight.angular_sweep import STARTS, VIEW, Borders, areas_seen, ray_distance
from tapeline.geometry.sight.constrained_delaunay import triangles
from tapeline.geometry.sight.triangular_expansion import ROW, direction

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Blockers", "Seen", "Views", "VisibleRegion"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A stretch of the outline of what is seen, counter-clockwise as seen from the eye.

    a, b: its ends. region: index of the region that closes the view here, -1 for the frame.
    centre, radius: of the circle it lies on (it bulges towards the eye), radius 0 for a segment.
    """

    a: Point
    b: Point
    region: int
    centre: Point
    radius: float


@dataclass(frozen=True, eq=False)
class VisibleRegion:
    """What is seen from `eye`: a star-shaped region closed by `outline`, in order of direction.

    Between the end of one stretch and the start of the next the outline runs along a line of sight.
    """

    eye: Point
    #: Rows as `angular_sweep.views` writes them; see `Views.rows`.
    _rows: Any = field(repr=False)
    #: All pieces, five numbers each, and the region each belongs to.
    _borders: Sequence[float] = field(repr=False)
    _owners: Sequence[int] = field(repr=False)

    @functools.cached_property
    def outline(self) -> tuple[Seen, ...]:
        """Its stretches, put together when first asked for."""
        found = []
        rows = [float(v) for v in self._rows]
        for i in range(0, len(rows), ROW):
            k = int(rows[i + 1])
            a, b = (rows[i + 2], rows[i + 3]), (rows[i + 4], rows[i + 5])
            if k < 0:
                found.append(Seen(a, b, -2 - k, (0.0, 0.0), 0.0))
                continue
            x, y, _, _, r = self._borders[5 * k : 5 * k + 5]
            centre = (x, y) if r > 0.0 else (0.0, 0.0)
            found.append(Seen(a, b, self._owners[k], centre, max(r, 0.0)))
        return tuple(found)

    @property
    def area(self) -> float:
        """Area of the region, exact up to rounding."""
        rows = [float(v) for v in self._rows]
        found = [0.0]
        areas_seen(self.eye, (0, len(rows) // ROW), rows, self._borders, found)
        return found[0]

    @functools.cached_property
    def _turns(self) -> list[float]:
        """Where each stretch begins, as `triangular_expansion.direction` less that of the first,
        modulo 4."""
        first = self._rows[0] if len(self._rows) else 0.0
        return [float((v - first) % 4.0) for v in self._rows[::ROW]]

    def distance(self, ux: float, uy: float) -> float:
        """How far one sees in the direction of the unit vector (ux, uy)."""
        turn = (direction(ux, uy) - float(self._rows[0])) % 4.0
        k = bisect.bisect_right(self._turns, turn) - 1
        s = self.outline[max(0, min(k, len(self.outline) - 1))]
        piece = (*s.centre, 0.0, 0.0, s.radius) if s.radius > 0.0 else (*s.a, *s.b, 0.0)
        return ray_distance(piece, 0, *self.eye, ux, uy)

    def contains(self, point: Point) -> bool:
        """Whether the point is seen; on the outline either answer may come."""
        dx, dy = point[0] - self.eye[0], point[1] - self.eye[1]
        d = math.hypot(dx, dy)
        return d == 0.0 or d <= self.distance(dx / d, dy / d)


class Views(Sequence[VisibleRegion]):
    """What is seen from many eyes, in flat arrays, in their order. `Blockers.views` makes it.

    views[i] is the region that `Blockers.seen_from` gives. The arrays (lists in plain Python), for
    n eyes:
    first: (n + 1,) int64, the row where the outline of each begins, and the end.
    rows: float64, 6 a row, the stretches of the outlines, counter-clockwise: the direction in which
    it begins (a number from -2 to 2 that rises as the angle from -pi to pi does;
    `triangular_expansion`), its piece, from where (x, y) to where. `owners`[piece] is the region
    that closes the view, -1 the frame; a negative piece -2 - g: the eye touches region g.
    areas: (n,) float64, square units.
    """

    def __init__(
        self, eyes: Sequence[Point], rows: Any, first: Any, table: Any, borders: Any, owners: Any
    ) -> None:
        self.eyes, self.rows, self.first, self.owners = eyes, rows, first, owners
        self._table, self._borders = table, borders

    @functools.cached_property
    def areas(self) -> Any:
        """The area of each, square units; `VisibleRegion.area` bit for bit."""
        backend = type(self.rows) is not list
        found = floats([0.0] * len(self), backend)
        flat = floats([v for eye in self.eyes for v in eye], backend)
        functions(backend).areas_seen(flat, self.first, self.rows, self._table, found)
        return found

    def __len__(self) -> int:
        return len(self.eyes)

    @overload
    def __getitem__(self, index: int) -> VisibleRegion: ...
    @overload
    def __getitem__(self, index: slice) -> list[VisibleRegion]: ...
    def __getitem__(self, index: int | slice) -> VisibleRegion | list[VisibleRegion]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"there are {count} views, none has the number {index}")
        i = index % count
        rows = self.rows[ROW * int(self.first[i]) : ROW * int(self.first[i + 1])]
        return VisibleRegion(self.eyes[i], rows, self._borders, self.owners)


def _pieces(part: Part) -> list[Piece]:
    """Border of a part: sides (ax, ay, bx, by, -1), segments (.., 0), circles (x, y, 0, 0, r)."""
    n = len(part.loop) // 2
    if part.radius > 0.0:
        if n > 1:
            raise ShapeError("visible region: blockers must be discs, polygons or segments")
        return [(part.loop[0], part.loop[1], 0.0, 0.0, part.radius)]
    x, y, kind = [*part.loop[::2], part.loop[0]], [*part.loop[1::2], part.loop[1]], -1.0
    if n < 3:
        n, kind = 1, 0.0
    return [(x[i], y[i], x[i + 1], y[i + 1], kind) for i in range(n)]


#: Scratch of each thread, as large as it has needed so far.
_KEPT = threading.local()


class Blockers:
    """Regions that block sight, with their borders cut where they cross, ready for many eyes.

    width, depth: the frame 0..width x 0..depth closes every view; eyes lie within it.
    Regions that reach beyond the frame are cut by it.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_polygon
    >>> wall = region_of_polygon([(4, 4), (6, 4), (6, 6), (4, 6)])
    >>> round(Blockers([wall], 10, 10).seen_from((5, 2)).area, 9)
    70.0
    """

    def __init__(self, regions: Sequence[Region], width: float, depth: float) -> None:
        if not (math.isfinite(width) and math.isfinite(depth)) or width <= 0.0 or depth <= 0.0:
            raise ShapeError(f"visible region: frame {width} x {depth} must be positive")
        self.width, self.depth = width, depth
        whole: list[tuple[Piece, int]] = [
            ((0.0, 0.0, width, 0.0, 0.0), -1),
            ((width, 0.0, width, depth, 0.0), -1),
            ((width, depth, 0.0, depth, 0.0), -1),
            ((0.0, depth, 0.0, 0.0, 0.0), -1),
        ]
        for index, region in enumerate(regions):
            # Outlines leave out the seams between the convex parts of one polygon.
            loops = [Part(outline) for outline in region.outlines]
            loops.extend(p for p in region.parts if p.radius > 0.0 or len(p.loop) < 6 or not loops)
            whole.extend((piece, index) for part in loops for piece in _pieces(part))
        self._cut(whole)
        boxes: list[float] = []
        spans: list[int] = []
        corners: list[float] = []
        starts = [0]
        radii: list[float] = []
        for index, region in enumerate(regions):
            boxes.extend(region.bounds)
            low = bisect.bisect_left(self.owners, index)
            spans.extend((low, bisect.bisect_right(self.owners, index), len(radii)))
            for part in region.parts:
                corners.extend(part.loop)
                starts.append(len(corners))
                radii.append(part.radius)
            spans.append(len(radii))
        self._parts = [part.loop for region in regions for part in region.parts]
        self._plain = Borders(*self._borders, boxes, spans, corners, starts, radii)

    def _cut(self, whole: list[tuple[Piece, int]]) -> None:
        boxes = []
        for p, _ in whole:
            if p[4] > 0.0:
                boxes.append((p[0] - p[4], p[1] - p[4], p[0] + p[4], p[1] + p[4]))
            else:
                boxes.append((min(p[0], p[2]), min(p[1], p[3]), max(p[0], p[2]), max(p[1], p[3])))
        cuts: list[list[Point]] = [[] for _ in whole]
        order = sorted(range(len(whole)), key=lambda k: boxes[k][0])
        open_now: list[int] = []
        for k in order:
            box = boxes[k]
            open_now = [m for m in open_now if boxes[m][2] >= box[0]]
            for m in open_now:
                if boxes[m][3] >= box[1] and boxes[m][1] <= box[3]:
                    for point in border_crossings(whole[k][0], whole[m][0], touching=False):
                        cuts[k].append(point)
                        cuts[m].append(point)
            open_now.append(k)
        P: list[float] = []
        A: list[float] = []
        owners: list[int] = []
        for (p, index), points in zip(whole, cuts, strict=True):
            if p[4] > 0.0:
                turns = sorted({math.atan2(y - p[1], x - p[0]) for x, y in points})
                arcs = [(0.0, 2.0 * math.pi)]
                if turns:
                    turns.append(turns[0] + 2.0 * math.pi)
                    arcs = [(a, b - a) for a, b in itertools.pairwise(turns) if b - a > PARALLEL]
                for arc in arcs:
                    P.extend(p)
                    A.extend(arc)
                    owners.append(index)
                continue
            ex, ey = p[2] - p[0], p[3] - p[1]
            length = ex * ex + ey * ey
            inner = sorted((((x - p[0]) * ex + (y - p[1]) * ey) / length, x, y) for x, y in points)
            row = [(p[0], p[1])]
            row.extend((x, y) for t, x, y in inner if ROUNDING < t < 1.0 - ROUNDING)
            row.append((p[2], p[3]))
            for a, b in itertools.pairwise(row):
                if a != b:
                    P.extend((*a, *b, p[4]))
                    A.extend((0.0, 0.0))
                    owners.append(index)
        self.owners = tuple(owners)
        self._borders = (P, A)

    @functools.cached_property
    def _mesh(self) -> tuple[list[float], list[int]]:
        """Triangles between straight borders; empty where some are round."""
        P, _ = self._borders
        if max(P[4::5]) > 0.0:
            return [], []
        M, Q = triangles(P, self._parts, self.width, self.depth)
        # As many as the scratch of `views` is for.
        return (M, Q) if Q and Q[0] <= 4 * len(self.owners) + 56 else ([], [])

    @functools.cached_property
    def _packed(self) -> tuple[Borders, Any, Any]:
        """What the compiled `views` takes of the table: arrays."""
        M, Q = self._mesh
        return converted(self._plain, True), floats(M, True), ints(Q, True)

    def _table(self, compiled: bool) -> tuple[Borders, Any, Any]:
        return self._packed if compiled else (self._plain, *self._mesh)

    def _room(self, eyes: int, rows: int, compiled: bool) -> Any:
        """Scratch and answers of `views`."""
        n = len(self.owners)
        x, y = VIEW + 16 * n + 2 * eyes + ROW * rows, STARTS + 32 * n + eyes + 1
        if not compiled:
            return [0.0] * x, [0] * y
        import numpy as np

        room = np.empty(x), np.empty(y, dtype=np.int64)
        room[1][STARTS + 32 * n] = 0
        return room

    def _checked(self, eye: Point) -> Point:
        ex, ey = float(eye[0]), float(eye[1])
        if not (0.0 <= ex <= self.width and 0.0 <= ey <= self.depth):
            raise ShapeError(f"visible region: the eye {eye!r} lies outside the frame")
        return ex, ey

    def seen_from(self, eye: Point) -> VisibleRegion:
        """What is seen from a point inside the frame; regions that hold the eye are left out.

        Raises ShapeError for an eye outside the frame.
        """
        eye = self._checked(eye)
        backend = chosen()
        n = len(self.owners)
        at, begin = VIEW + 16 * n, STARTS + 32 * n
        if not backend:
            X, Y = self._room(1, 8 * n + 8, False)
        else:
            # Kept for the next call of this thread; what is found is copied out of it.
            if getattr(_KEPT, "pieces", 0) < n:
                _KEPT.pieces, _KEPT.room = n, self._room(1, 8 * n + 8, True)
            X, Y = _KEPT.room
            Y[begin] = 0
        X[at], X[at + 1] = eye
        functions(backend).views(0, 1, *self._table(backend), X, Y)
        rows = X[at + 2 : at + 2 + ROW * int(Y[begin + 1])]
        if backend:
            rows = rows.copy()
        return VisibleRegion(eye, rows, self._borders[0], self.owners)

    def views(self, eyes: Sequence[Point] | npt.NDArray[np.float64]) -> Views:
        """What is seen from each of many points, in one call of the kernel, in flat arrays.

        Each view is that of `seen_from`, bit for bit. Eyes as an array (n, 2) are fastest.
        Raises ShapeError for an eye outside the frame.

        >>> table = Blockers([], 10, 10)
        >>> [round(float(area), 9) for area in table.views([(5, 2), (1, 1)]).areas]
        [100.0, 100.0]
        """
        backend = chosen()
        points, flat = self._eyes(eyes, backend)
        n, count = len(self.owners), len(points)
        at = VIEW + 16 * n
        many = 8 * n + 8 + 16 * count
        table = self._table(backend)
        X, Y = self._room(count, many, backend)
        X[at : at + 2 * count] = flat
        done = functions(backend).views(0, count, *table, X, Y)
        while done >= 0:
            # Out of room for rows: more of it, and on with the eye that did not fit.
            many *= 2
            more, _ = self._room(count, many, backend)
            more[: len(X)] = X
            X = more
            done = functions(backend).views(done, count, *table, X, Y)
        first = Y[STARTS + 32 * n :]
        begin = at + 2 * count
        rows = X[begin : begin + ROW * int(first[count])]
        return Views(points, rows, first, table[0].pieces, self._borders[0], self.owners)

    def _eyes(self, eyes: Any, backend: bool) -> tuple[list[Point], Any]:
        """Eyes as points and flat, checked."""
        if not backend:
            points = [self._checked(eye) for eye in eyes]
            return points, [v for eye in points for v in eye]
        import numpy as np

        flat = np.asarray(eyes, np.float64)
        if flat.size and (flat.ndim != 2 or flat.shape[1] != 2):
            raise ShapeError(f"visible region: eyes must be rows of x, y, not {flat.shape}")
        flat = flat.reshape(-1, 2)
        inside = (flat >= 0.0) & (flat <= (self.width, self.depth))
        if not inside.all():
            self._checked(flat[np.argmin(inside.all(axis=1))].tolist())
        return [(x, y) for x, y in flat.tolist()], flat.ravel()
