"""Triangles between straight borders, along which a view is expanded (`triangular_expansion`).

A constrained Delaunay triangulation of a frame: every piece of border is a chain of edges that keep
its number. It is worked out in floats and looked over afterwards; where it did not come out right
(borders closer together than rounding tells apart), there is none, and views are swept.

Source: Lawson 1977 (flips); Sloan 1993 (edges that have to be there).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tapeline.geometry.epsilons import LENGTH

__all__ = ["triangles"]

#: Cells of the grid that tells where to begin to look for a place: about so many triangles each.
_TRIANGLES_A_CELL = 2
#: Flips that an edge or a point may take, per triangle, before it counts as gone wrong.
_PATIENCE = 50

_Corners = list[tuple[float, float]]


class _FaultError(Exception):
    """The triangles did not come out right."""


def _cross(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


class _Mesh:
    """Triangles as the third corner of each edge, which runs counter-clockwise round its own."""

    def __init__(self, width: float, depth: float) -> None:
        self.at: _Corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
        self.third: dict[tuple[int, int], int] = {}
        self.pieces: dict[tuple[int, int], int] = {}
        self.some = [0] * 4
        self._add(0, 1, 2)
        self._add(0, 2, 3)
        self.last = (0, 1)

    def _add(self, a: int, b: int, c: int) -> None:
        self.third[a, b], self.third[b, c], self.third[c, a] = c, a, b
        self.some[a], self.some[b], self.some[c] = b, c, a

    def _drop(self, a: int, b: int, c: int) -> None:
        del self.third[a, b], self.third[b, c], self.third[c, a]

    def _off(self, a: int, b: int, p: Sequence[float]) -> float:
        """How far a point lies to the left of the line through an edge."""
        at = self.at
        return _cross(at[a], at[b], p) / math.dist(at[a], at[b])

    def locate(self, p: tuple[float, float]) -> tuple[int, int, int]:
        """The triangle that holds a point; the search goes on from the last one."""
        a, b = self.last if self.last in self.third else next(iter(self.third))
        c = self.third[a, b]
        for _ in range(_PATIENCE * len(self.third)):
            for u, v in ((a, b), (b, c), (c, a)):
                if self._off(u, v, p) < -LENGTH and (v, u) in self.third:
                    a, b = v, u
                    c = self.third[a, b]
                    break
            else:
                break
        else:
            raise _FaultError
        self.last = a, b
        return a, b, c

    def insert(self, p: tuple[float, float]) -> int:
        """A corner at a point: the one that is there already, or a new one."""
        a, b, c = self.locate(p)
        for u in (a, b, c):
            if math.dist(self.at[u], p) <= LENGTH:
                return u
        new = len(self.at)
        self.at.append(p)
        self.some.append(a)
        self._drop(a, b, c)
        on = [abs(self._off(u, v, p)) <= LENGTH for u, v in ((a, b), (b, c), (c, a))]
        check = []
        for there, u, v in zip(on, (a, b, c), (b, c, a), strict=True):
            if not there:
                self._add(u, v, new)
                check.append((u, v))
            elif (v, u) in self.third:
                w = self.third[v, u]
                self._drop(v, u, w)
                self._add(u, w, new)
                self._add(w, v, new)
                check += [(u, w), (w, v)]
        self.last = check[0]
        self.legalise(check)
        return new

    def legalise(self, edges: Iterable[tuple[int, int]]) -> None:
        """Flip edges until the circle of each triangle holds no corner across an edge."""
        stack = list(edges)
        left = _PATIENCE * len(self.third)
        while stack:
            u, v = stack.pop()
            if (u, v) not in self.third or (v, u) not in self.third:
                continue
            if (u, v) in self.pieces or (v, u) in self.pieces:
                continue
            c, d = self.third[u, v], self.third[v, u]
            if not self._in_circle(u, v, c, d) or not self._flip(u, v):
                continue
            left -= 1
            if left < 0:
                raise _FaultError
            stack += [(u, d), (d, v), (v, c), (c, u)]

    def _in_circle(self, a: int, b: int, c: int, d: int) -> bool:
        """Whether corner d is inside the circle through a, b, c by more than rounding."""
        dx, dy = self.at[d]
        (ax, ay), (bx, by), (cx, cy) = (
            (x - dx, y - dy) for x, y in map(self.at.__getitem__, (a, b, c))
        )
        one, two, three = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
        parts = (one * (bx * cy - by * cx), two * (ax * cy - ay * cx), three * (ax * by - ay * bx))
        return parts[0] - parts[1] + parts[2] > 1e-10 * sum(map(abs, parts))

    def _flip(self, u: int, v: int) -> bool:
        """Turn the edge between two triangles to their other corners, if they are convex."""
        c, d = self.third[u, v], self.third[v, u]
        if self._off(c, d, self.at[v]) <= LENGTH or self._off(c, d, self.at[u]) >= -LENGTH:
            return False
        self._drop(u, v, c)
        self._drop(v, u, d)
        self._add(u, d, c)
        self._add(d, v, c)
        return True

    def _round(self, u: int) -> Iterable[tuple[int, int]]:
        """Edges across from a corner, one of each of its triangles."""
        found = (
            [(self.some[u], self.third[u, self.some[u]])] if (u, self.some[u]) in self.third else []
        )
        if not found:
            found = [(b, c) for (a, b), c in self.third.items() if a == u][:1]
        first = found[0]
        a, b = first
        while True:
            yield a, b
            if (u, b) not in self.third:
                break
            a, b = b, self.third[u, b]
            if (a, b) == first:
                return
        # The border of the frame: the rest lies the other way round.
        a, b = first
        while (a, u) in self.third:
            a, b = self.third[a, u], a
            yield a, b

    def run(self, u: int, v: int, piece: int) -> None:
        """See to it that edges lead straight from corner u to corner v, and number them."""
        while u != v:
            p, q = self.at[u], self.at[v]
            through: tuple[int, int] | None = None
            onto = -1
            for a, b in self._round(u):
                for w in (a, b):
                    if w == v or (
                        abs(self._off(u, v, self.at[w])) <= LENGTH
                        and (q[0] - p[0]) * (self.at[w][0] - p[0])
                        + (q[1] - p[1]) * (self.at[w][1] - p[1])
                        > 0.0
                    ):
                        onto = w
                if onto >= 0:
                    break
                if self._off(u, v, self.at[a]) < 0.0 < self._off(u, v, self.at[b]):
                    through = a, b
            if onto < 0:
                if through is None:
                    raise _FaultError
                onto = self._clear(u, v, *through)
            self.pieces.setdefault((u, onto), piece)
            self.pieces.setdefault((onto, u), piece)
            u = onto

    def _clear(self, u: int, v: int, a: int, b: int) -> int:
        """Flip away what crosses the way from u to v, first edge a, b. Gives where that leads.

        That is v, or a corner on the way. Edges are told with their corner on the right first.
        """
        crossing = []
        while True:
            if (a, b) in self.pieces or (b, a) not in self.third:
                raise _FaultError
            crossing.append((a, b))
            w = self.third[b, a]
            off = self._off(u, v, self.at[w])
            if w == v or abs(off) <= LENGTH:
                break
            a, b = (w, b) if off < 0.0 else (a, w)
        left = _PATIENCE * (len(crossing) + 1) ** 2
        while crossing:
            left -= 1
            if left < 0:
                raise _FaultError
            a, b = crossing.pop(0)
            c, d = self.third[a, b], self.third[b, a]
            if not self._flip(a, b):
                crossing.append((a, b))
                continue
            one, two = self._off(u, w, self.at[c]), self._off(u, w, self.at[d])
            if not {c, d} & {u, w} and one * two < 0.0:
                crossing.append((c, d) if one < 0.0 else (d, c))
        return w

    def corners(self) -> list[tuple[int, int, int]]:
        """The triangles, each once; _FaultError unless they fill the frame and do not overlap."""
        found = []
        area = 0.0
        for (a, b), c in self.third.items():
            twice = _cross(self.at[a], self.at[b], self.at[c])
            if (
                twice <= 0.0
                or self.third.get((b, c)) != a
                or self.third.get((c, a)) != b
                or ((b, a) not in self.third and (a, b) not in self.pieces)
            ):
                raise _FaultError
            if a < b and a < c:
                found.append((a, b, c))
                area += 0.5 * twice
        width, depth = self.at[2]
        if abs(area - width * depth) > LENGTH * width * depth:
            raise _FaultError
        return found


def _inside(x: float, y: float, parts: Iterable[Sequence[float]]) -> bool:
    """Whether a place is in one of some convex outlines of three corners or more."""
    for part in parts:
        n = len(part)
        if n >= 6 and all(
            (part[(i + 2) % n] - part[i]) * (y - part[i + 1])
            >= (part[(i + 3) % n] - part[i + 1]) * (x - part[i])
            for i in range(0, n, 2)
        ):
            return True
    return False


def triangles(
    pieces: Sequence[float], parts: Sequence[Sequence[float]], width: float, depth: float
) -> tuple[list[float], list[int]]:
    """The triangles of a frame 0..width x 0..depth among straight pieces, as `triangular_expansion`
    has them.

    pieces: ax, ay, bx, by and one more number each; they meet only at their ends, the frame's come
    first. parts: convex outlines, flat, counter-clockwise; triangles in one of them are marked.
    Two flat arrays, empty where it did not work out:
    floats: cells of a grid a unit of length along x, along y; corners x, y.
    ints: triangles, columns, rows; three corners a triangle, counter-clockwise; its edges across
    (edge k leads from corner k to the next; 3 times the triangle, and k), -1 at the frame; the
    piece each edge is on, or -1; whether each triangle is in a part; a triangle at the middle of
    each cell, or near.
    """
    mesh = _Mesh(width, depth)
    try:
        ends = []
        for k in range(0, len(pieces), 5):
            a, b = pieces[k : k + 2], pieces[k + 2 : k + 4]
            x, y = 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])
            if -LENGTH <= x <= width + LENGTH and -LENGTH <= y <= depth + LENGTH:
                u, v = (mesh.insert(_snapped(end, width, depth)) for end in (a, b))
                ends.append((u, v, k // 5))
        for u, v, piece in ends:
            mesh.run(u, v, piece)
        mesh.legalise(list(mesh.third))
        found = mesh.corners()
    except (_FaultError, KeyError, ZeroDivisionError):
        return [], []
    return _packed(mesh, found, parts, width, depth)


def _snapped(end: Sequence[float], width: float, depth: float) -> tuple[float, float]:
    """An end of a piece, on the frame where it is that near."""
    x, y = end
    x = 0.0 if abs(x) <= LENGTH else width if abs(x - width) <= LENGTH else x
    y = 0.0 if abs(y) <= LENGTH else depth if abs(y - depth) <= LENGTH else y
    return x, y


def _packed(
    mesh: _Mesh,
    found: list[tuple[int, int, int]],
    parts: Sequence[Sequence[float]],
    width: float,
    depth: float,
) -> tuple[list[float], list[int]]:
    number = {}
    for t, (a, b, c) in enumerate(found):
        number[a, b], number[b, c], number[c, a] = 3 * t, 3 * t + 1, 3 * t + 2
    edges = sorted(number, key=number.__getitem__)
    across = [number.get((b, a), -1) for a, b in edges]
    on = [mesh.pieces.get(edge, -1) for edge in edges]
    middles = [
        (sum(mesh.at[u][0] for u in three) / 3.0, sum(mesh.at[u][1] for u in three) / 3.0)
        for three in found
    ]
    marked = [int(_inside(x, y, parts)) for x, y in middles]
    side = max(1, math.isqrt(len(found) // _TRIANGLES_A_CELL))
    grid = []
    for j in range(side):
        for i in range(side):
            mesh.locate(((i + 0.5) * width / side, (j + 0.5) * depth / side))
            grid.append(number[mesh.last] // 3)
    floats = [side / width, side / depth, *(v for corner in mesh.at for v in corner)]
    corners = [u for three in found for u in three]
    return floats, [len(found), side, side, *corners, *across, *on, *marked, *grid]
