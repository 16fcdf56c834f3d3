"""Where a base comes down that goes over an edge: the nearest free place on what lies below.

The nearest place to a point at which a base fits is that point, lies nearest to it on the border of
one thing in the way, or is where two such borders cross. About another base the border is a circle;
beside a solid it is the sides of its plan, moved out by the reach of the base, and circles about
its corners (Minkowski sum, Lozano-Perez 1983).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Place
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.distance import point_segment, sides_of
from tapeline.geometry.plane.intersections import both_circles, lengths_at
from tapeline.geometry.plane.legs import Leg, Line, Point
from tapeline.table.solids import Ground as Plan
from tapeline.table.storeys import Storeys, Surface

__all__ = ["Borders", "Landing", "landing", "nearest_free"]

Segment: TypeAlias = tuple[float, float, float, float]

#: Table units. How far off a free place is looked for at first; doubled until there is one.
_ROOM = 2.0
#: Rings of which it is kept where their border lies, moved out.
_RINGS = 4096


class Landing(NamedTuple):
    """Where a base comes down, and how far down that is, table units; foot: where it would come
    down with nothing in the way, if that was looked for."""

    place: Place
    drop: float
    foot: Point | None = None


class Borders:
    """Borders of where the centre of a base may be: circles x, y, radius, and segments."""

    def __init__(self, reach: float) -> None:
        self.reach = reach
        self.circles: list[Circle] = []
        self.segments: list[Segment] = []

    def add(self, plans: Iterable[Plan], off: float | None = None) -> None:
        """The borders of plans, moved out; as far as the base reaches unless given."""
        off = self.reach if off is None else off
        for plan in plans:
            if plan.circle is not None:
                x, y, far = plan.circle
                self.circles.append((x, y, far + off))
            elif plan.ring is not None:
                self.add_ring(plan.ring, off)

    def add_ring(self, ring: Sequence[float], off: float) -> None:
        """The border of a counter-clockwise ring, or of a point, moved out."""
        segments, circles = _moved_out(tuple(ring), off)
        self.segments += segments
        self.circles += circles

    def trace(self, border: Iterable[Leg]) -> None:
        """A border that is known: its lines, and its arcs as whole circles."""
        for piece in border:
            if isinstance(piece, Line):
                self.segments.append(piece)
            else:
                self.circles.append((piece.cx, piece.cy, piece.radius))

    def add_within(self, surface: Surface, off: float) -> None:
        """The border of a surface and of its holes, moved in."""
        if surface.outer.circle is not None:
            x, y, far = surface.outer.circle
            if far >= off:
                self.circles.append((x, y, far - off))
        else:
            self.segments += _beside(surface.outer.ring or (), -off)
        for hole in surface.holes:
            self.add_ring(hole.ring or (), off)

    def near(self, x: float, y: float, far: float) -> Borders:
        """Those of them that come no farther from a point than that."""
        found = Borders(self.reach)
        found.circles = [
            c for c in self.circles if abs(math.hypot(x - c[0], y - c[1]) - c[2]) <= far
        ]
        room = far + LENGTH  # their boxes are told by rounded sums
        found.segments = [
            s
            for s in self.segments
            if min(s[0], s[2]) - room <= x <= max(s[0], s[2]) + room
            and min(s[1], s[3]) - room <= y <= max(s[1], s[3]) + room
            and point_segment(x, y, *s)[0] <= far
        ]
        return found

    def places(self, x: float, y: float) -> Iterator[Point]:
        """Places on one border that are nearest to a point, and where two cross."""
        yield from self.alone(x, y)
        yield from self._crossings()

    def alone(self, x: float, y: float) -> Iterator[Point]:
        """Places on one border that are nearest to a point."""
        for cx, cy, far in self.circles:
            d = math.hypot(x - cx, y - cy)
            ux, uy = ((x - cx) / d, (y - cy) / d) if d > 0.0 else (1.0, 0.0)
            yield cx + ux * far, cy + uy * far
        for segment in self.segments:
            yield point_segment(x, y, *segment)[1:]

    def _crossings(self) -> Iterator[Point]:
        for one, two in combinations(self.circles, 2):
            yield from both_circles(one, two)
        for circle in self.circles:
            for segment in self.segments:
                line = Line(*segment)
                yield from (line.at(s) for s in lengths_at(line, circle) if 0.0 <= s <= line.length)
        for first, second in combinations(self.segments, 2):
            yield from _both_segments(first, second)


def landing(
    storeys: Storeys, x: float, y: float, z: float, free: Callable[[Surface], Place | None]
) -> Landing | None:
    """Where a base comes down at a point of the plan, from a height: on the first surface below
    that has room; None if none has. free: the nearest free place to the point on a surface."""
    level = z
    while (below := storeys.below(x, y, level, TOLERANCE)) is not None:
        found = free(below)
        if found is not None:
            return Landing(found, z - found.z, (x, y))
        # No room there at all, as on narrow stairs: on down.
        level = below.height(x, y)
    return None


def nearest_free(
    x: float,
    y: float,
    able: Callable[[float, float], bool],
    borders: Callable[[float], Borders],
    farthest: float,
) -> Point | None:
    """The place nearest to a point at which a base is able to stand; None if there is none.

    borders: of all things in the way as near as that to the point. farthest: how far off it may
    be, table units.
    """
    if able(x, y):
        return x, y
    room = _ROOM
    while room <= farthest:
        best: tuple[float, float, float] | None = None
        for px, py in borders(room).places(x, y):
            apart = math.hypot(px - x, py - y)
            if apart <= room and (best is None or apart < best[0]) and able(px, py):
                best = (apart, px, py)
        if best is not None:
            return best[1], best[2]
        room *= 2.0
    return None


def _corners(ring: Sequence[float]) -> Iterator[Point]:
    for i in range(0, len(ring), 2):
        yield ring[i - 2], ring[i - 1]


@lru_cache(maxsize=_RINGS)
def _moved_out(ring: tuple[float, ...], off: float) -> tuple[list[Segment], list[Circle]]:
    """Segments and circles of the border of a ring, or of a point, moved out."""
    segments = [*_beside(ring, off)] if len(ring) > 2 else []
    return segments, [(x, y, off) for x, y in _corners(ring)]


def _beside(ring: Sequence[float], off: float) -> Iterator[Segment]:
    """The sides of a counter-clockwise ring, moved out; in if `off` is negative."""
    for ax, ay, bx, by in sides_of(ring):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length * off, -(bx - ax) / length * off
        yield ax + nx, ay + ny, bx + nx, by + ny


def _both_segments(a: Segment, b: Segment) -> Iterator[Point]:
    ux, uy, vx, vy = a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1]
    down = ux * vy - uy * vx
    if down == 0.0:
        return
    s = ((b[0] - a[0]) * vy - (b[1] - a[1]) * vx) / down
    t = ((b[0] - a[0]) * uy - (b[1] - a[1]) * ux) / down
    if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
        yield a[0] + s * ux, a[1] + s * uy
