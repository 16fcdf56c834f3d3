"""Sight over heights: from an upright axis to an upright cylinder past upright prisms.

A plan direction cuts everything into a picture in the upright plane: the axis is a segment at
distance 0, the cylinder a rectangle, every opaque prism one or more rectangles. A free line in that
plane, if there is one, can be moved until it touches two corners, so finitely many lines decide
one direction.

Over all directions: between neighbouring critical ones (through corners of prisms, along tangents,
square to edges) every border is seen along one piece and its distance only rises or only falls.
Such a range is hidden as a whole if the plane picture is hidden even with every prism at its least
and the cylinder at its largest over the range. Ranges that are neither hidden as a whole nor seen
in their middle are halved, which closes in on the directions where heights decide, until the range
is narrower than the promise of the kernels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.rectangle import Part, Region
from tapeline.geometry.sight.lines import holds
from tapeline.geometry.sight.obstructions import chord_of_line
from tapeline.work import count_work

__all__ = ["Cylinder", "Prism", "SightLine", "sight_over_heights"]


Point3 = tuple[float, float, float]
#: (near, far, bottom, top) of one prism in the plane of a direction.
_Block = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Prism:
    """An opaque upright solid: ground times heights bottom..top. A circle makes a cylinder."""

    ground: Region
    bottom: float
    top: float


@dataclass(frozen=True, slots=True)
class Cylinder:
    """An upright cylinder: disc (x, y, radius >= 0) times heights bottom..top."""

    x: float
    y: float
    radius: float
    bottom: float
    top: float


@dataclass(frozen=True, slots=True)
class SightLine:
    """Whether there is a free segment, and the segment (viewer end first)."""

    visible: bool
    line: tuple[Point3, Point3] | None


def _line_hits(c: float, m: float, d: float, blocks: Sequence[_Block]) -> bool:
    """Whether the segment z = c + m s, 0 < s < d, enters the inside of a block."""
    for block in blocks:
        s0, s1 = max(block[0], 0.0), min(block[1], d)
        if s1 - s0 <= LENGTH:
            continue
        z0, z1 = c + m * s0, c + m * s1
        if max(z0, z1) > block[2] + LENGTH and min(z0, z1) < block[3] - LENGTH:
            return True
    return False


def _plane(
    z0: float,
    z1: float,
    d0: float,
    d1: float,
    w0: float,
    w1: float,
    blocks: Sequence[_Block],
) -> tuple[float, float, float] | None:
    """A free line in one upright plane as (z at the viewer, distance, z there), or None.

    Viewer at distance 0, heights z0..z1; target d0..d1 by w0..w1.
    """
    standing = all(b[2] <= min(z0, w0) for b in blocks)
    if d0 <= 0.0:
        low, high = max(z0, w0), min(z1, w1)
        if low <= high:
            return (high, 0.0, high)
    tries = [max(d0, 0.0), d1, *(b[0] for b in blocks if d0 < b[0] < d1)]
    for d in tries:
        if d <= 0.0:
            continue
        if not _line_hits(z1, (w1 - z1) / d, d, blocks):
            return (z1, d, w1)
    if standing:
        # With nothing overhead the highest line to a distance is the best one, and the distances
        # tried are the ends of all ranges of distances that can be free.
        return None
    points = [(0.0, z0), (0.0, z1), (d0, w0), (d0, w1), (d1, w0), (d1, w1)]
    for a, b, h0, h1 in blocks:
        if a >= d1 or b <= 0.0:
            continue
        for h in (h0, h1):
            if h == -math.inf:
                continue
            points.extend((s, h) for s in (a, b, d0, d1) if 0.0 <= s <= d1)
        for w in (w0, w1):
            points.extend((s, w) for s in (a, b) if d0 <= s <= d1)
    points = list(dict.fromkeys(points))
    for i, (s0, p0) in enumerate(points):
        for s1, p1 in points[i + 1 :]:
            if abs(s1 - s0) <= ROUNDING:
                continue
            m = (p1 - p0) / (s1 - s0)
            c = p0 - m * s0
            if c < z0 - ROUNDING or c > z1 + ROUNDING:
                continue
            c = min(max(c, z0), z1)
            # The nearest place where the line is within the target's heights.
            d, z = max(d0, 0.0), c + m * max(d0, 0.0)
            if z > w1 + ROUNDING or z < w0 - ROUNDING:
                w = w1 if z > w1 else w0
                if m == 0.0:
                    continue
                d = (w - c) / m
                if d < d0 or d > d1 + ROUNDING:
                    continue
                d, z = min(d, d1), w
            if not _line_hits(c, m, d, blocks):
                return (c, d, min(max(z, w0), w1))
    return None


class _Chord:
    """The border pieces through which a ray enters and leaves a part, and distances along them."""

    __slots__ = ("far", "loop", "near", "radius", "x", "y")

    def __init__(self, part: Part, x: float, y: float, ux: float, uy: float) -> None:
        self.loop, self.radius, self.x, self.y = part.loop, part.radius, x, y
        self.near = self.far = -1
        n = len(part.loop) // 2
        if n == 1:
            return
        low, high = -math.inf, math.inf
        for i in range(n):
            f, k = self._terms(i, ux, uy)
            if k > 0.0:
                if -f / k > low:
                    low, self.near = -f / k, i
            elif k < 0.0 and -f / k < high:
                high, self.far = -f / k, i

    def _terms(self, i: int, ux: float, uy: float) -> tuple[float, float]:
        loop = self.loop
        j = (i + 1) % (len(loop) // 2)
        ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
        f = ex * (self.y - loop[2 * i + 1]) - ey * (self.x - loop[2 * i])
        return f, ex * uy - ey * ux

    def at(self, ux: float, uy: float) -> tuple[float, float]:
        """(near, far) along the same border pieces in another direction."""
        if len(self.loop) == 2:
            gx, gy = self.loop[0] - self.x, self.loop[1] - self.y
            along, across = gx * ux + gy * uy, gx * uy - gy * ux
            root = math.sqrt(max(0.0, self.radius * self.radius - across * across))
            return along - root, along + root
        low, high = -math.inf, math.inf
        if self.near >= 0:
            f, k = self._terms(self.near, ux, uy)
            low = -f / k if k > 0.0 else math.inf
        if self.far >= 0:
            f, k = self._terms(self.far, ux, uy)
            high = -f / k if k < 0.0 else -math.inf
        return low, high


def _angles_of(part: Part, x: float, y: float) -> list[float]:
    """Directions in which the pieces of a part's border begin, end or are nearest."""
    loop, r = part.loop, part.radius
    n = len(loop) // 2
    found: list[float] = []
    if n == 1:
        dx, dy = loop[0] - x, loop[1] - y
        d = math.hypot(dx, dy)
        if d > 0.0:
            middle = math.atan2(dy, dx)
            found.append(middle)
            if d >= r:
                spread = math.asin(min(1.0, r / d))
                found.extend((middle - spread, middle + spread))
            else:
                found.append(middle + math.pi)
        return found
    for i in range(n):
        j = (i + 1) % n
        dx, dy = loop[2 * i] - x, loop[2 * i + 1] - y
        if dx != 0.0 or dy != 0.0:
            found.append(math.atan2(dy, dx))
        square = math.atan2(loop[2 * i] - loop[2 * j], loop[2 * j + 1] - loop[2 * i + 1])
        found.extend((square, square + math.pi))
    return found


def _overlapped(
    one: list[tuple[float, float]], two: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    return [
        (max(a0, b0), min(a1, b1)) for a0, a1 in one for b0, b1 in two if min(a1, b1) > max(a0, b0)
    ]


def sight_over_heights(
    viewer: tuple[float, float, float, float],
    target: Cylinder,
    prisms: Sequence[Prism],
) -> SightLine:
    """Whether a segment from an upright axis to a cylinder meets the inside of no prism.

    viewer: (x, y, bottom, top) of the axis. Touching and running along a face is free, save along
    the underside of a prism that begins no higher than both ends. Raises ShapeError on numbers that
    are not finite, heights upside down, or ground with parts that are neither discs nor polygons.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_polygon
    >>> wall = Prism(region_of_polygon([(4, -9), (5, -9), (5, 9), (4, 9)]), 0, 3)
    >>> sight_over_heights((0, 0, 0, 2), Cylinder(10, 0, 0.5, 0, 2), [wall]).visible
    False
    >>> sight_over_heights((0, 0, 3, 5), Cylinder(10, 0, 0.5, 0, 2), [wall]).visible
    True
    """
    x, y, z0, z1 = viewer
    numbers = (*viewer, target.x, target.y, target.radius, target.bottom, target.top)
    checked(numbers, "sight")
    if z0 > z1 or target.bottom > target.top or target.radius < 0.0:
        raise ShapeError(f"sight: heights upside down or negative radius in {viewer!r}, {target!r}")
    r, w0, w1 = target.radius, target.bottom, target.top
    gx, gy = target.x - x, target.y - y
    distance = math.hypot(gx, gy)
    reach = distance + r
    active: list[tuple[int, Part]] = []
    low, high = min(z0, w0), max(z1, w1)
    # No line runs below both ends, nor along the underside of what stands no higher than both.
    bottoms = [p.bottom if p.bottom > low else -math.inf for p in prisms]
    for i, prism in enumerate(prisms):
        if prism.bottom >= high or prism.top <= low or prism.top <= prism.bottom:
            continue
        left, bottom, right, top = prism.ground.bounds
        if (
            left >= max(x, target.x + r)
            or right <= min(x, target.x - r)
            or bottom >= max(y, target.y + r)
            or top <= min(y, target.y - r)
        ):
            continue
        for part in prism.ground.parts:
            if len(part.loop) == 4 or (len(part.loop) > 4 and part.radius > 0.0):
                raise ShapeError(f"prism {i}: its ground must be made of discs and polygons")
            active.append((i, part))

    def segment(ux: float, uy: float, found: tuple[float, float, float]) -> SightLine:
        c, d, z = found
        return SightLine(True, ((x, y, c), (x + d * ux, y + d * uy, z)))

    inside = distance <= r
    if inside:
        a, b = min(z1, w1), max(z0, w0)
        if a >= b:
            return SightLine(True, ((x, y, a), (x, y, a)))
        # Straight up or down.
        over = [i for i, p in enumerate(prisms) if holds(p.ground, (x, y))]
        if not any(prisms[i].top > a + LENGTH and prisms[i].bottom < b - LENGTH for i in over):
            ends = (z1, w0) if z1 < w0 else (z0, w1)
            return SightLine(True, ((x, y, ends[0]), (x, y, ends[1])))

    centre = math.atan2(gy, gx) if distance > 0.0 else 0.0
    spread = math.pi if inside else math.asin(min(1.0, r / distance))
    marks = {-spread, 0.0, spread}
    for _, part in active:
        for angle in _angles_of(part, x, y):
            turn = math.remainder(angle - centre, 2.0 * math.pi)
            if -spread < turn < spread:
                marks.add(turn)
    stops = sorted(marks)

    def target_span(ux: float, uy: float) -> tuple[float, float]:
        along, across = gx * ux + gy * uy, gx * uy - gy * ux
        root = math.sqrt(max(0.0, r * r - across * across))
        return max(0.0, along - root), along + root

    def direction(turn: float) -> tuple[float, float]:
        if turn == 0.0 and distance > 0.0:
            return gx / distance, gy / distance
        return math.cos(centre + turn), math.sin(centre + turn)

    # The critical directions themselves, looked at from a hair to both sides.
    for turn in sorted(stops, key=abs):
        ux, uy = direction(turn)
        d0, d1 = target_span(ux, uy)
        sides: list[dict[int, list[tuple[float, float]]]] = []
        out = [0.0, 0.0]
        for sign in (LENGTH, -LENGTH):
            chords: dict[int, list[tuple[float, float]]] = {}
            for i, part in active:
                ox, oy = x - sign * uy, y + sign * ux
                if chord_of_line(part.loop, part.radius, ox, oy, ux, uy, out):
                    chords.setdefault(i, []).append((out[0], out[1]))
            sides.append(chords)
        blocks = [
            (a, b, bottoms[i], prisms[i].top)
            for i, one in sides[0].items()
            for a, b in _overlapped(one, sides[1].get(i, []))
        ]
        found = _plane(z0, z1, d0, d1, w0, w1, blocks)
        if found is not None:
            return segment(ux, uy, found)

    work = [(a, b) for a, b in itertools.pairwise(stops) if b - a > ROUNDING]
    work.reverse()
    while work:
        left_turn, right_turn = work.pop()
        count_work(5 * (1 + len(active)), "sight")
        middle = 0.5 * (left_turn + right_turn)
        u, v, w = direction(left_turn), direction(middle), direction(right_turn)
        true_blocks: list[_Block] = []
        sure_blocks: list[_Block] = []
        for i, part in active:
            if not chord_of_line(part.loop, part.radius, x, y, v[0], v[1], out):
                continue
            if out[1] <= 0.0 or out[0] >= reach:
                continue
            h0, h1 = bottoms[i], prisms[i].top
            true_blocks.append((out[0], out[1], h0, h1))
            chord = _Chord(part, x, y, v[0], v[1])
            a0, b0 = chord.at(*u)
            a1, b1 = chord.at(*w)
            if min(b0, b1) > max(a0, a1):
                sure_blocks.append((max(a0, a1), min(b0, b1), h0, h1))
        d0, d1 = target_span(*v)
        found = _plane(z0, z1, d0, d1, w0, w1, true_blocks)
        if found is not None:
            return segment(v[0], v[1], found)
        e0, e1 = target_span(*u)
        f0, f1 = target_span(*w)
        if _plane(z0, z1, min(e0, f0), max(e1, f1), w0, w1, sure_blocks) is None:
            continue
        if right_turn - left_turn > ROUNDING:
            work.append((middle, right_turn))
            work.append((left_turn, middle))
    return SightLine(False, None)
