"""The region seen from a point among regions that block sight, bounded by segments and arcs.

Borders are cut once where they cross, so that pieces meet only at their ends. For an eye, every
piece that faces it covers a range of directions; over a common range one of two pieces is always
the nearer. A sweep over the directions keeps the open pieces in a heap, nearest first, and so lists
which piece closes the view in which range. Regions are taken up from the nearest outward, and
those that lie wholly behind nearer ones are left out beforehand.

What is seen along single lines only (through slits of no width) has no area and is not part of the
region; `sight.line_is_clear` decides such lines.

Source: rotational sweep, Asano 1985; indexed heap as in Sedgewick, Algorithms.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import LENGTH, PARALLEL, ROUNDING, SAME_DIRECTION
from tapeline.geometry.gears import bare, chosen, entry, floats, functions, ints, kernel
from tapeline.geometry.rectangles.rectangle import Part, Point, Region

__all__ = ["Blockers", "Seen", "VisibleRegion", "view_sweep"]


@kernel
@bare
def _ray_distance(P: Sequence[float], k: int, ex: float, ey: float, ux: float, uy: float) -> float:
    """Distance from e along the unit vector u to the line or near side of the circle of piece k."""
    if k < 0:
        return 0.0
    r = P[5 * k + 4]
    if r > 0.0:
        x = P[5 * k] - ex
        y = P[5 * k + 1] - ey
        along = x * ux + y * uy
        across = x * uy - y * ux
        root = r * r - across * across
        return along - math.sqrt(root) if root > 0.0 else along
    ax = P[5 * k] - ex
    ay = P[5 * k + 1] - ey
    dx = P[5 * k + 2] - P[5 * k]
    dy = P[5 * k + 3] - P[5 * k + 1]
    den = ux * dy - uy * dx
    if den == 0.0:
        return math.sqrt(ax * ax + ay * ay)
    return (ax * dy - ay * dx) / den


@kernel
@bare
def _nearer(
    P: Sequence[float],
    owner: Sequence[int],
    start: Sequence[float],
    stop: Sequence[float],
    ex: float,
    ey: float,
    i: int,
    j: int,
) -> bool:
    """Whether range i is nearer than range j, looked at half-way through what they share."""
    angle = 0.5 * (max(start[i], start[j]) + min(stop[i], stop[j]))
    ux = math.cos(angle)
    uy = math.sin(angle)
    return _ray_distance(P, owner[i], ex, ey, ux, uy) < _ray_distance(P, owner[j], ex, ey, ux, uy)


@kernel
@bare
def _sort(key: Sequence[float], index: MutableSequence[int], n: int) -> None:
    """Sort index[0:n] by key[index[.]] (heap sort)."""
    for i in range(n):
        index[i] = i
    lo = n // 2
    hi = n - 1
    while hi > 0:
        if lo > 0:
            lo -= 1
            item = index[lo]
        else:
            item = index[hi]
            index[hi] = index[0]
            hi -= 1
            if hi == 0:
                index[0] = item
                break
        hole = lo
        while 2 * hole + 1 <= hi:
            child = 2 * hole + 1
            if child < hi and key[index[child]] < key[index[child + 1]]:
                child += 1
            if key[index[child]] <= key[item]:
                break
            index[hole] = index[child]
            hole = child
        index[hole] = item


@kernel
@bare
def _open_range(
    a: float,
    b: float,
    piece: int,
    n: int,
    start: MutableSequence[float],
    stop: MutableSequence[float],
    owner: MutableSequence[int],
) -> int:
    """Add the range of directions from a counter-clockwise to b, cut at the direction pi."""
    if b >= a:
        if b - a > SAME_DIRECTION:
            start[n] = a
            stop[n] = b
            owner[n] = piece
            n += 1
        return n
    if math.pi - a > SAME_DIRECTION:
        start[n] = a
        stop[n] = math.pi
        owner[n] = piece
        n += 1
    if b + math.pi > SAME_DIRECTION:
        start[n] = -math.pi
        stop[n] = b
        owner[n] = piece
        n += 1
    return n


@kernel
@bare
def _pick(
    ex: float,
    ey: float,
    G: Sequence[float],
    I: Sequence[int],  # noqa: E741
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    far: MutableSequence[float],
    near: MutableSequence[float],
    order: MutableSequence[int],
    pick: MutableSequence[int],
    cones: MutableSequence[float],
    cone_of: MutableSequence[int],
) -> tuple[int, int]:
    """List the border pieces of the regions that can close the view; returns how many.

    Also the cones of directions that run into a region on whose border the eye stands: cones[2i],
    cones[2i + 1] for region cone_of[i]; returns how many as well.

    A round of directions is divided into as many bins as `far` has room; far[i] is a distance
    within which some region closes all of bin i.
    """
    bins = len(far)
    width = 2.0 * math.pi / bins
    groups = len(G) // 4
    for i in range(bins):
        far[i] = math.inf
    for g in range(groups):
        gx = max(G[4 * g] - ex, 0.0, ex - G[4 * g + 2])
        gy = max(G[4 * g + 1] - ey, 0.0, ey - G[4 * g + 3])
        near[g] = math.sqrt(gx * gx + gy * gy)
    _sort(near, order, groups)
    count = 0
    touched = 0
    for index in range(groups):
        g = order[index]
        cx = 0.5 * (G[4 * g] + G[4 * g + 2]) - ex
        cy = 0.5 * (G[4 * g + 1] + G[4 * g + 3]) - ey
        wx = G[4 * g + 2] - G[4 * g]
        wy = G[4 * g + 3] - G[4 * g + 1]
        size = 0.5 * math.sqrt(wx * wx + wy * wy)
        d = math.sqrt(cx * cx + cy * cy)
        if d > size:
            middle = math.atan2(cy, cx)
            half = math.asin(size / d)
            hidden = True
            i = math.floor((middle - half + math.pi) / width)
            last = math.floor((middle + half + math.pi) / width)
            while i <= last and hidden:
                hidden = far[i % bins] < near[g]
                i += 1
            if hidden:
                continue
        inside = False
        before = touched
        opening = 0.0
        for k in range(I[4 * g + 2], I[4 * g + 3]):
            lo = O[k]
            n = (O[k + 1] - lo) // 2
            if n == 1:
                x = C[lo] - ex
                y = C[lo + 1] - ey
                d = math.sqrt(x * x + y * y)
                inside = inside or d < R[k] - ROUNDING
                if abs(d - R[k]) <= ROUNDING:
                    cones[2 * touched] = math.atan2(y, x) - 0.5 * math.pi
                    cones[2 * touched + 1] = math.atan2(y, x) + 0.5 * math.pi
                    cone_of[touched] = g
                    touched += 1
                continue
            if n == 2 or near[g] > 0.0:
                continue
            within = True
            beyond = False
            x = 0.0
            y = 0.0
            for j in range(n):
                u = C[lo + 2 * j] - ex
                v = C[lo + 2 * j + 1] - ey
                x += u
                y += v
                j2 = j + 1 if j + 1 < n else 0
                du = C[lo + 2 * j2] - ex - u
                dv = C[lo + 2 * j2 + 1] - ey - v
                side = u * dv - v * du
                slack = ROUNDING * math.sqrt(du * du + dv * dv)
                within = within and side > slack
                beyond = beyond or side < -slack
            inside = inside or within
            if within or beyond:
                continue
            # On the border: the cone of directions towards the other corners.
            base = math.atan2(y, x)
            low = math.inf
            high = -math.inf
            for j in range(n):
                u = C[lo + 2 * j] - ex
                v = C[lo + 2 * j + 1] - ey
                if abs(u) + abs(v) > ROUNDING:
                    angle = math.atan2(x * v - y * u, x * u + y * v)
                    low = min(low, angle)
                    high = max(high, angle)
            cones[2 * touched] = base + low
            cones[2 * touched + 1] = base + high
            cone_of[touched] = g
            touched += 1
            opening += high - low
        if opening > 2.0 * math.pi - LENGTH:
            inside = True
        if inside:
            touched = before
            continue
        for c in range(before, touched):
            i = math.ceil((cones[2 * c] + math.pi) / width)
            last = math.floor((cones[2 * c + 1] + math.pi) / width)
            while i < last:
                far[i % bins] = 0.0
                i += 1
        for k in range(I[4 * g + 2], I[4 * g + 3]):
            # Directions a convex part covers, measured from its first corner.
            lo = O[k]
            n = (O[k + 1] - lo) // 2
            x = C[lo] - ex
            y = C[lo + 1] - ey
            reach = math.sqrt(x * x + y * y)
            base = math.atan2(y, x)
            low = 0.0
            high = 0.0
            if n == 1:
                if reach <= R[k]:
                    continue
                high = math.asin(R[k] / reach)
                low = -high
                reach += R[k]
            for j in range(1, n):
                u = C[lo + 2 * j] - ex
                v = C[lo + 2 * j + 1] - ey
                angle = math.atan2(x * v - y * u, x * u + y * v)
                low = min(low, angle)
                high = max(high, angle)
                reach = max(reach, math.sqrt(u * u + v * v))
            if high - low >= math.pi - LENGTH:
                continue
            i = math.ceil((base + low + math.pi) / width)
            last = math.floor((base + high + math.pi) / width)
            while i < last:
                if reach < far[i % bins]:
                    far[i % bins] = reach
                i += 1
        for k in range(I[4 * g], I[4 * g + 1]):
            pick[count] = k
            count += 1
    return count, touched


@entry(
    "int64(float64, float64, float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], "
    "int64[::1], float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], int64[::1], "
    "float64[::1])"
)
@bare
def view_sweep(
    ex: float,
    ey: float,
    P: Sequence[float],
    A: Sequence[float],
    G: Sequence[float],
    I: Sequence[int],  # noqa: E741
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    start: MutableSequence[float],
    stop: MutableSequence[float],
    work: MutableSequence[int],
    angles: MutableSequence[float],
    pieces: MutableSequence[int],
    ends: MutableSequence[float],
) -> int:
    """Which piece closes the view from (ex, ey) in which range of directions.

    P: 5 numbers a piece: segment ax, ay, bx, by with 0 (seen from both sides) or -1 (seen from its
    right), or circle x, y, 0, 0, radius. A: 2 a piece, the arc of a circle that counts,
    counter-clockwise from A[2k] by A[2k + 1]. The frame's pieces come first, up to I[0].
    G: box of each region; I: 4 a region: its pieces from, to, its convex parts from, to.
    C, O, R: convex parts, flat corners, first number of each and the end, radii.
    start, stop: 4 numbers a piece and 128 and one a region at least; work: 24 a piece; angles,
    pieces: 8 a piece + 8; ends: 4 times as many. Returns the number of ranges; range i begins at
    angles[i] and is closed by pieces[i] from the point ends[4i], ends[4i + 1] to the next two, or
    by region g that the eye touches where pieces[i] is -2 - g.
    """
    count = len(P) // 5
    room = 4 * count
    pick = work[5 * room : 6 * room]
    groups = len(G) // 4
    frame = I[0] if groups > 0 else count
    for k in range(frame):
        pick[k] = k
    picked = frame
    touched = 0
    if groups > 0:
        more = work[0:room]
        order = work[room : 2 * room]
        extra, touched = _pick(
            ex, ey, G, I, C, O, R, start[0:128], stop[0:groups], order, more, angles, pieces
        )
        for k in range(extra):
            pick[picked] = more[k]
            picked += 1
    n = 0
    owner = work[0:room]
    for c in range(touched):
        a = angles[2 * c]
        b = angles[2 * c + 1]
        a -= 2.0 * math.pi * math.floor(a / (2.0 * math.pi) + 0.5)
        b -= 2.0 * math.pi * math.floor(b / (2.0 * math.pi) + 0.5)
        n = _open_range(a, b, -2 - pieces[c], n, start, stop, owner)
    for index in range(picked):
        k = pick[index]
        r = P[5 * k + 4]
        x = P[5 * k] - ex
        y = P[5 * k + 1] - ey
        if r <= 0.0:
            u = P[5 * k + 2] - ex
            v = P[5 * k + 3] - ey
            side = x * v - y * u
            if side > 0.0 and r == 0.0:
                n = _open_range(math.atan2(y, x), math.atan2(v, u), k, n, start, stop, owner)
            elif side < 0.0:
                n = _open_range(math.atan2(v, u), math.atan2(y, x), k, n, start, stop, owner)
            continue
        d = math.sqrt(x * x + y * y)
        if d <= r:
            continue
        half = math.acos(r / d)
        # The near side in the circle's own angle, and how far the arc that counts starts after it.
        near = math.atan2(-y, -x) - half
        offset = A[2 * k] - near
        offset -= 2.0 * math.pi * math.floor(offset / (2.0 * math.pi))
        for turn in range(2):
            lo = offset - 2.0 * math.pi * turn
            hi = lo + A[2 * k + 1]
            lo = max(lo, 0.0)
            hi = min(hi, 2.0 * half)
            if hi - lo <= SAME_DIRECTION:
                continue
            a = near + hi
            b = near + lo
            n = _open_range(
                math.atan2(y + r * math.sin(a), x + r * math.cos(a)),
                math.atan2(y + r * math.sin(b), x + r * math.cos(b)),
                k,
                n,
                start,
                stop,
                owner,
            )
    first = work[room : 2 * room]
    last = work[2 * room : 3 * room]
    _sort(start, first, n)
    _sort(stop, last, n)
    heap = work[3 * room : 4 * room]
    place = work[4 * room : 5 * room]
    size = 0
    i = 0
    j = 0
    found = 0
    now = -math.pi
    while True:
        # Close ranges that end here, then open those that begin here.
        while j < n and stop[last[j]] <= now:
            item = last[j]
            j += 1
            hole = place[item]
            size -= 1
            moved = heap[size]
            if hole < size:
                while hole > 0 and _nearer(
                    P, owner, start, stop, ex, ey, moved, heap[(hole - 1) // 2]
                ):
                    heap[hole] = heap[(hole - 1) // 2]
                    place[heap[hole]] = hole
                    hole = (hole - 1) // 2
                while 2 * hole + 1 < size:
                    child = 2 * hole + 1
                    if child + 1 < size and _nearer(
                        P, owner, start, stop, ex, ey, heap[child + 1], heap[child]
                    ):
                        child += 1
                    if not _nearer(P, owner, start, stop, ex, ey, heap[child], moved):
                        break
                    heap[hole] = heap[child]
                    place[heap[hole]] = hole
                    hole = child
                heap[hole] = moved
                place[moved] = hole
        while i < n and start[first[i]] <= now:
            item = first[i]
            i += 1
            hole = size
            size += 1
            while hole > 0 and _nearer(P, owner, start, stop, ex, ey, item, heap[(hole - 1) // 2]):
                heap[hole] = heap[(hole - 1) // 2]
                place[heap[hole]] = hole
                hole = (hole - 1) // 2
            heap[hole] = item
            place[item] = hole
        piece = owner[heap[0]] if size > 0 else -1
        if found == 0 or pieces[found - 1] != piece:
            angles[found] = now
            pieces[found] = piece
            found += 1
        then = math.pi
        if i < n and start[first[i]] < then:
            then = start[first[i]]
        if j < n and stop[last[j]] < then:
            then = stop[last[j]]
        if then >= math.pi:
            break
        now = then
    angles[found] = math.pi
    # Ranges that nothing closes or that are no wider than rounding are left out.
    kept = 0
    for i in range(found):
        k = pieces[i]
        begin = angles[i]
        end = angles[i + 1]
        if k == -1 or end - begin <= PARALLEL:
            continue
        angles[kept] = begin
        pieces[kept] = k
        for j in range(2):
            ux = math.cos(end if j else begin)
            uy = math.sin(end if j else begin)
            s = _ray_distance(P, k, ex, ey, ux, uy)
            ends[4 * kept + 2 * j] = ex + s * ux
            ends[4 * kept + 2 * j + 1] = ey + s * uy
        kept += 1
    return kept


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
    #: Direction in which each stretch begins, the piece it lies on (as `view_sweep`), its ends.
    _angles: Sequence[float] = field(repr=False)
    _pieces: Sequence[int] = field(repr=False)
    _ends: Sequence[float] = field(repr=False)
    #: All pieces, five numbers each, and the region each belongs to.
    _borders: Sequence[float] = field(repr=False)
    _owners: Sequence[int] = field(repr=False)

    @functools.cached_property
    def outline(self) -> tuple[Seen, ...]:
        """Its stretches, put together when first asked for."""
        found = []
        ends = self._ends
        for i, k in enumerate(int(k) for k in self._pieces):
            a = (float(ends[4 * i]), float(ends[4 * i + 1]))
            b = (float(ends[4 * i + 2]), float(ends[4 * i + 3]))
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
        total = 0.0
        ex, ey = self.eye
        for s in self.outline:
            ax, ay, bx, by = s.a[0] - ex, s.a[1] - ey, s.b[0] - ex, s.b[1] - ey
            total += 0.5 * (ax * by - ay * bx)
            if s.radius > 0.0:
                chord = math.hypot(bx - ax, by - ay)
                angle = 2.0 * math.asin(min(1.0, 0.5 * chord / s.radius))
                total -= 0.5 * s.radius * s.radius * (angle - math.sin(angle))
        return total

    def distance(self, ux: float, uy: float) -> float:
        """How far one sees in the direction of the unit vector (ux, uy)."""
        k = bisect.bisect_right(self._angles, math.atan2(uy, ux)) - 1
        s = self.outline[max(0, min(k, len(self.outline) - 1))]
        piece = (*s.centre, 0.0, 0.0, s.radius) if s.radius > 0.0 else (*s.a, *s.b, 0.0)
        return _ray_distance(piece, 0, *self.eye, ux, uy)

    def contains(self, point: Point) -> bool:
        """Whether the point is seen; on the outline either answer may come."""
        dx, dy = point[0] - self.eye[0], point[1] - self.eye[1]
        d = math.hypot(dx, dy)
        return d == 0.0 or d <= self.distance(dx / d, dy / d)


def _pieces(part: Part) -> list[tuple[float, float, float, float, float]]:
    """Border of a part: sides (ax, ay, bx, by, -1), segments (.., 0), circles (x, y, 0, 0, r)."""
    n = len(part.loop) // 2
    if part.radius > 0.0:
        if n > 1:
            raise ShapeError("visible region: blockers must be discs, polygons or segments")
        return [(part.loop[0], part.loop[1], 0.0, 0.0, part.radius)]
    edges = n if n > 2 else 1
    return [
        (
            part.loop[2 * i],
            part.loop[2 * i + 1],
            part.loop[2 * ((i + 1) % n)],
            part.loop[2 * ((i + 1) % n) + 1],
            -1.0 if n > 2 else 0.0,
        )
        for i in range(edges)
    ]


_Piece = tuple[float, float, float, float, float]


def _cuts(p: _Piece, q: _Piece) -> list[Point]:
    """Points in which two border pieces cross."""
    if p[4] > 0.0 and q[4] > 0.0:
        dx, dy = q[0] - p[0], q[1] - p[1]
        d = math.hypot(dx, dy)
        if d == 0.0 or d >= p[4] + q[4] or d <= abs(p[4] - q[4]):
            return []
        along = (d * d + p[4] * p[4] - q[4] * q[4]) / (2.0 * d)
        root = math.sqrt(max(0.0, p[4] * p[4] - along * along))
        ux, uy = dx / d, dy / d
        x, y = p[0] + along * ux, p[1] + along * uy
        return [(x - root * uy, y + root * ux), (x + root * uy, y - root * ux)]
    if p[4] > 0.0:
        return _cuts(q, p)
    ex, ey = p[2] - p[0], p[3] - p[1]
    if q[4] > 0.0:
        length = math.hypot(ex, ey)
        ux, uy = ex / length, ey / length
        x, y = q[0] - p[0], q[1] - p[1]
        along, across = x * ux + y * uy, x * uy - y * ux
        root = q[4] * q[4] - across * across
        if root <= 0.0:
            return []
        root = math.sqrt(root)
        return [
            (p[0] + s * ux, p[1] + s * uy)
            for s in (along - root, along + root)
            if 0.0 <= s <= length
        ]
    fx, fy = q[2] - q[0], q[3] - q[1]
    den = ex * fy - ey * fx
    if den == 0.0:
        return []
    gx, gy = q[0] - p[0], q[1] - p[1]
    t, s = (gx * fy - gy * fx) / den, (gx * ey - gy * ex) / den
    if -ROUNDING <= t <= 1.0 + ROUNDING and -ROUNDING <= s <= 1.0 + ROUNDING:
        return [(p[0] + t * ex, p[1] + t * ey)]
    return []


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
        whole: list[tuple[_Piece, int]] = [
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
        P, A = self._borders
        self._plain = (P, A, boxes, spans, corners, starts, radii)

    def _cut(self, whole: list[tuple[_Piece, int]]) -> None:
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
                    for point in _cuts(whole[k][0], whole[m][0]):
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
    def _packed(self) -> Any:
        P, A, boxes, spans, corners, starts, radii = self._plain
        return (
            *(floats(values, True) for values in (P, A, boxes)),
            ints(spans, True),
            floats(corners, True),
            ints(starts, True),
            floats(radii, True),
        )

    def _room(self, compiled: bool) -> Any:
        """Scratch and answers of `view_sweep`, one set a call so that threads do not meet."""
        n = len(self.owners)
        if not compiled:
            return (
                [0.0] * (4 * n + 128),
                [0.0] * (4 * n + 128),
                [0] * (24 * n),
                [0.0] * (8 * n + 8),
                [0] * (8 * n + 8),
                [0.0] * (32 * n + 32),
            )
        import numpy as np

        return (
            np.empty(4 * n + 128),
            np.empty(4 * n + 128),
            np.empty(24 * n, dtype=np.int64),
            np.empty(8 * n + 8),
            np.empty(8 * n + 8, dtype=np.int64),
            np.empty(32 * n + 32),
        )

    def seen_from(self, eye: Point) -> VisibleRegion:
        """What is seen from a point inside the frame; regions that hold the eye are left out.

        Raises ShapeError for an eye outside the frame.
        """
        ex, ey = float(eye[0]), float(eye[1])
        if not (0.0 <= ex <= self.width and 0.0 <= ey <= self.depth):
            raise ShapeError(f"visible region: the eye {eye!r} lies outside the frame")
        gear = chosen()
        room = self._room(gear)
        borders = self._packed if gear else self._plain
        count = int(functions(gear).view_sweep(ex, ey, *borders, *room))
        angles, pieces, ends = room[3:]
        return VisibleRegion(
            (ex, ey),
            angles[:count],
            pieces[:count],
            ends[: 4 * count],
            self._plain[0],
            self.owners,
        )
