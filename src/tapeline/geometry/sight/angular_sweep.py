"""Kernels: which piece of border closes the view of an eye, in which range of directions.

The borders are cut beforehand so that pieces meet only at their ends (`visible_region`). One call
looks from many eyes, so that little crosses from Python.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.epsilons import LENGTH, PARALLEL, ROUNDING, SAME_DIRECTION
from tapeline.geometry.sight.triangular_expansion import ELSEWHERE, ROW, direction, expand

__all__ = ["STARTS", "VIEW", "Borders", "areas_seen", "ray_distance", "views"]

#: Scratch of `views` in X: this many numbers, and 16 for every piece.
VIEW = 264
#: Scratch of `views` in Y: this many whole numbers, and 32 for every piece.
STARTS = 8
#: Bins that a round of directions is divided into.
_BINS = 128


class Borders(NamedTuple):
    """Borders of a table in flat arrays, as `Blockers` cuts them.

    pieces: 5 numbers each: segment ax, ay, bx, by with 0 (seen from both sides) or -1 (seen from
    its right), or circle x, y, 0, 0, radius; those of the frame come first. arcs: 2 a piece, the
    part of a circle that counts: where it begins and how far it goes counter-clockwise. boxes: 4 a
    region; spans: 4 a region, its pieces from and to, its convex parts from and to. corners,
    starts, radii: the convex parts, the first number of each and the end.
    """

    pieces: Floats
    arcs: Floats
    boxes: Floats
    spans: Ints
    corners: Floats
    starts: Ints
    radii: Floats


class Ranges(NamedTuple):
    """Ranges of directions: where each begins and ends, and the piece that closes it there."""

    start: list[float]
    stop: list[float]
    owner: list[int]


class SweepRoom(NamedTuple):
    """Scratch of a view. start, stop: 4 numbers a piece and 128 and one a region at least; work: 24
    a piece; angles, pieces: 8 a piece + 8."""

    start: list[float]
    stop: list[float]
    work: list[int]
    angles: list[float]
    pieces: list[int]


@kernel
def ray_distance(P: Floats, k: int, ex: float, ey: float, ux: float, uy: float) -> float:
    """Distance from e along the unit vector u to the line or near side of the circle of piece k."""
    if k < 0:
        return 0.0
    r = P[5 * k + 4]
    if r > 0.0:
        x, y = P[5 * k] - ex, P[5 * k + 1] - ey
        along, across = x * ux + y * uy, x * uy - y * ux
        root = r * r - across * across
        return along - math.sqrt(root) if root > 0.0 else along
    ax, ay = P[5 * k] - ex, P[5 * k + 1] - ey
    dx, dy = P[5 * k + 2] - P[5 * k], P[5 * k + 3] - P[5 * k + 1]
    den = ux * dy - uy * dx
    if den == 0.0:
        return math.sqrt(ax * ax + ay * ay)
    return (ax * dy - ay * dx) / den


@kernel
def _nearer(P: Floats, ranges: Ranges, ex: float, ey: float, i: int, j: int) -> bool:
    """Whether range i is nearer than range j, looked at half-way through what they share."""
    start, stop, owner = ranges
    angle = 0.5 * (max(start[i], start[j]) + min(stop[i], stop[j]))
    ux, uy = math.cos(angle), math.sin(angle)
    return ray_distance(P, owner[i], ex, ey, ux, uy) < ray_distance(P, owner[j], ex, ey, ux, uy)


@kernel
def _sort(key: Floats, index: list[int], n: int) -> None:
    """Sort index[0:n] by key[index[.]] (heap sort)."""
    for i in range(n):
        index[i] = i
    lo, hi = n // 2, n - 1
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
def _open_range(a: float, b: float, piece: int, n: int, ranges: Ranges) -> int:
    """Add the range of directions from a counter-clockwise to b, cut at the direction pi."""
    cut = b < a
    for part in range(2 if cut else 1):
        low = -math.pi if part == 1 else a
        high = math.pi if cut and part == 0 else b
        if high - low > SAME_DIRECTION:
            ranges.start[n], ranges.stop[n], ranges.owner[n] = low, high, piece
            n += 1
    return n


@kernel
def _pick(ex: float, ey: float, borders: Borders, room: SweepRoom) -> tuple[int, int]:
    """List the border pieces of the regions that can close the view at the front of `room.work`;
    returns how many.

    Also the cones of directions that run into a region on whose border the eye stands: angles[2i],
    angles[2i + 1] for region pieces[i] of `room`; returns how many as well.
    """
    boxes, spans, corners = borders.boxes, borders.spans, borders.corners
    starts, radii = borders.starts, borders.radii
    pick, cones, cone_of = room.work, room.angles, room.pieces
    groups = len(boxes) // 4
    # A round of directions is divided into bins: some region closes all of bin i within far[i].
    far, near = room.start[0:_BINS], room.stop[0:groups]
    bins, order = _BINS, room.work[4 * len(borders.pieces) // 5 : len(room.work)]
    width = 2.0 * math.pi / bins
    for i in range(bins):
        far[i] = math.inf
    for g in range(groups):
        gx = max(boxes[4 * g] - ex, 0.0, ex - boxes[4 * g + 2])
        gy = max(boxes[4 * g + 1] - ey, 0.0, ey - boxes[4 * g + 3])
        near[g] = math.sqrt(gx * gx + gy * gy)
    _sort(near, order, groups)
    count = 0
    touched = 0
    for index in range(groups):
        g = order[index]
        cx = 0.5 * (boxes[4 * g] + boxes[4 * g + 2]) - ex
        cy = 0.5 * (boxes[4 * g + 1] + boxes[4 * g + 3]) - ey
        wx, wy = boxes[4 * g + 2] - boxes[4 * g], boxes[4 * g + 3] - boxes[4 * g + 1]
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
        for k in range(spans[4 * g + 2], spans[4 * g + 3]):
            lo = starts[k]
            n = (starts[k + 1] - lo) // 2
            if n == 1:
                x, y = corners[lo] - ex, corners[lo + 1] - ey
                d = math.sqrt(x * x + y * y)
                inside = inside or d < radii[k] - ROUNDING
                if abs(d - radii[k]) <= ROUNDING:
                    cones[2 * touched] = math.atan2(y, x) - 0.5 * math.pi
                    cones[2 * touched + 1] = math.atan2(y, x) + 0.5 * math.pi
                    cone_of[touched] = g
                    touched += 1
                continue
            if n == 2 or near[g] > 0.0:
                continue
            within = True
            beyond = False
            x = y = 0.0
            for j in range(n):
                u, v = corners[lo + 2 * j] - ex, corners[lo + 2 * j + 1] - ey
                x += u
                y += v
                j2 = j + 1 if j + 1 < n else 0
                du, dv = corners[lo + 2 * j2] - ex - u, corners[lo + 2 * j2 + 1] - ey - v
                side = u * dv - v * du
                slack = ROUNDING * math.sqrt(du * du + dv * dv)
                within = within and side > slack
                beyond = beyond or side < -slack
            inside = inside or within
            if within or beyond:
                continue
            # On the border: the cone of directions towards the other corners.
            base = math.atan2(y, x)
            low, high = math.inf, -math.inf
            for j in range(n):
                u, v = corners[lo + 2 * j] - ex, corners[lo + 2 * j + 1] - ey
                if abs(u) + abs(v) > ROUNDING:
                    angle = math.atan2(x * v - y * u, x * u + y * v)
                    low, high = min(low, angle), max(high, angle)
            cones[2 * touched], cones[2 * touched + 1] = base + low, base + high
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
        for k in range(spans[4 * g + 2], spans[4 * g + 3]):
            # Directions a convex part covers, measured from its first corner.
            lo = starts[k]
            n = (starts[k + 1] - lo) // 2
            x, y = corners[lo] - ex, corners[lo + 1] - ey
            reach = math.sqrt(x * x + y * y)
            base = math.atan2(y, x)
            low = high = 0.0
            if n == 1:
                if reach <= radii[k]:
                    continue
                high = math.asin(radii[k] / reach)
                low = -high
                reach += radii[k]
            for j in range(1, n):
                u, v = corners[lo + 2 * j] - ex, corners[lo + 2 * j + 1] - ey
                angle = math.atan2(x * v - y * u, x * u + y * v)
                low, high = min(low, angle), max(high, angle)
                reach = max(reach, math.sqrt(u * u + v * v))
            if high - low >= math.pi - LENGTH:
                continue
            i = math.ceil((base + low + math.pi) / width)
            last = math.floor((base + high + math.pi) / width)
            while i < last:
                if reach < far[i % bins]:
                    far[i % bins] = reach
                i += 1
        for k in range(spans[4 * g], spans[4 * g + 1]):
            pick[count] = k
            count += 1
    return count, touched


@kernel
def _view(
    ex: float, ey: float, borders: Borders, scratch: SweepRoom, X: list[float], at: int
) -> int:
    """List in rows at X[at] what one eye sees. Returns how many rows, -1 when X is too short."""
    start, stop, work, angles, pieces = scratch
    P, A = borders.pieces, borders.arcs
    count = len(P) // 5
    room = 4 * count
    pick = work[5 * room : 6 * room]
    groups = len(borders.boxes) // 4
    frame = borders.spans[0] if groups > 0 else count
    for k in range(frame):
        pick[k] = k
    picked = frame
    touched = 0
    if groups > 0:
        extra, touched = _pick(ex, ey, borders, scratch)
        for k in range(extra):
            pick[picked] = work[k]
            picked += 1
    n = 0
    owner = work[0:room]
    ranges = Ranges(start, stop, owner)
    for c in range(touched):
        a, b = angles[2 * c], angles[2 * c + 1]
        a -= 2.0 * math.pi * math.floor(a / (2.0 * math.pi) + 0.5)
        b -= 2.0 * math.pi * math.floor(b / (2.0 * math.pi) + 0.5)
        n = _open_range(a, b, -2 - pieces[c], n, ranges)
    for index in range(picked):
        k = pick[index]
        r = P[5 * k + 4]
        x, y = P[5 * k] - ex, P[5 * k + 1] - ey
        if r <= 0.0:
            u, v = P[5 * k + 2] - ex, P[5 * k + 3] - ey
            side = x * v - y * u
            if side > 0.0 and r == 0.0:
                n = _open_range(math.atan2(y, x), math.atan2(v, u), k, n, ranges)
            elif side < 0.0:
                n = _open_range(math.atan2(v, u), math.atan2(y, x), k, n, ranges)
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
            lo, hi = max(lo, 0.0), min(hi, 2.0 * half)
            if hi - lo <= SAME_DIRECTION:
                continue
            a, b = near + hi, near + lo
            a = math.atan2(y + r * math.sin(a), x + r * math.cos(a))
            b = math.atan2(y + r * math.sin(b), x + r * math.cos(b))
            n = _open_range(a, b, k, n, ranges)
    first, last = work[room : 2 * room], work[2 * room : 3 * room]
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
                while hole > 0 and _nearer(P, ranges, ex, ey, moved, heap[(hole - 1) // 2]):
                    heap[hole] = heap[(hole - 1) // 2]
                    place[heap[hole]] = hole
                    hole = (hole - 1) // 2
                while 2 * hole + 1 < size:
                    child = 2 * hole + 1
                    beside = child + 1
                    if beside < size and _nearer(P, ranges, ex, ey, heap[beside], heap[child]):
                        child = beside
                    if not _nearer(P, ranges, ex, ey, heap[child], moved):
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
            while hole > 0 and _nearer(P, ranges, ex, ey, item, heap[(hole - 1) // 2]):
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
        row = at + ROW * kept
        if row + ROW > len(X):
            return -1
        X[row + 1] = k
        for j in range(2):
            ux = math.cos(end if j else begin)
            uy = math.sin(end if j else begin)
            if j == 0:
                X[row] = direction(ux, uy)
            s = ray_distance(P, k, ex, ey, ux, uy)
            X[row + 2 + 2 * j], X[row + 3 + 2 * j] = ex + s * ux, ey + s * uy
        kept += 1
    return kept


@entry()
def views(
    first: int, eyes: int, borders: Borders, M: Floats, Q: Ints, X: list[float], Y: list[int]
) -> int:
    """List what is seen from eyes `first` to `eyes` - 1.

    Returns the eye for which X is too short, or -1.
    M, Q: triangles between the borders (`constrained_delaunay`), empty if there are none: from an
    eye inside one that is open the view is expanded, other views are swept. X: VIEW + 16 n of
    scratch for n pieces, the eyes (x, y), then rows of ROW numbers. Y: STARTS + 32 n of scratch,
    the first row of each eye (given for `first`), and the end. A row: the direction a range begins
    in; piece k that closes it, or -2 - g for region g that the eye touches; from where (x, y) to
    where.
    """
    n = len(borders.pieces) // 5
    size = 4 * n + _BINS
    start, stop = X[0:size], X[size : 2 * size]
    pieces = Y[24 * n : 32 * n + STARTS]
    scratch = SweepRoom(start, stop, Y[0 : 24 * n], X[2 * size : 2 * size + 8 * n + 8], pieces)
    at = VIEW + 16 * n
    begin = STARTS + 32 * n
    for i in range(first, eyes):
        ex, ey = X[at + 2 * i], X[at + 2 * i + 1]
        row = at + 2 * eyes + ROW * Y[begin + i]
        found = expand(ex, ey, M, Q, X, pieces, X, row)
        if found == ELSEWHERE:
            found = _view(ex, ey, borders, scratch, X, row)
        if found < 0:
            return i
        Y[begin + i + 1] = Y[begin + i] + found
    return -1


@entry()
def areas_seen(eyes: Floats, first: Ints, rows: Floats, pieces: Floats, out: list[float]) -> None:
    """The areas of views: eyes x, y, first row of each and the end, rows and pieces as in
    `views`."""
    for i in range(len(out)):
        ex, ey = eyes[2 * i], eyes[2 * i + 1]
        total = 0.0
        for row in range(ROW * first[i], ROW * first[i + 1], ROW):
            ax, ay = rows[row + 2] - ex, rows[row + 3] - ey
            bx, by = rows[row + 4] - ex, rows[row + 5] - ey
            total += 0.5 * (ax * by - ay * bx)
            k = int(rows[row + 1])
            r = pieces[5 * k + 4] if k >= 0 else 0.0
            if r > 0.0:
                dx, dy = bx - ax, by - ay
                angle = 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(dx * dx + dy * dy) / r))
                total -= 0.5 * r * r * (angle - math.sin(angle))
        out[i] = total
