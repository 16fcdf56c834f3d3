"""Kernels: where plan lines meet upright bodies and solids, for one line and over a cell of lines.

A plan line is x = p + q y; a cell is a convex polygon of pairs (p, q), flat [p0, q0, p1, q1, ...].
The station of a point of a line is its y. The lines through one point (x, y) are a straight line
in (p, q); so is the station at which lines cross a straight line a quotient of linear functions,
kept over a cell as a row: its value at one line of the cell, a bound of what its tangent plane
misses, the straight line crossed, and the tangent plane at every corner of the cell.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.rectangles.clip import clip_loop

__all__ = [
    "CORNERS",
    "HEAD",
    "ON",
    "ROW",
    "BodyLoop",
    "LineCell",
    "Room",
    "SolidLoops",
    "Whole",
    "body_row",
    "chord_of_body",
    "chord_of_solid",
    "clip_cell",
    "cut_at",
    "keep_meeting",
    "least",
    "side_of",
    "solid_row",
]

Room: TypeAlias = list[float]
Whole: TypeAlias = list[int]

#: Corners of a cell at most.
CORNERS = 40
#: Length: a corner this near to a line is on it.
ON = 1e-11
#: A row: value, bound, the line X a + Y b = c that is crossed, then one number a corner.
HEAD = 5
ROW = HEAD + CORNERS


class BodyLoop(NamedTuple):
    """A body: a convex loop grown by a radius, upright from low to high."""

    loop: Floats
    radius: float
    low: float
    high: float


class SolidLoops(NamedTuple):
    """Upright solids: corners xs, ys from starts[i] to starts[i + 1], a disc by its centre and
    radii[i] > 0; from bottoms[i] to tops[i]."""

    xs: Floats
    ys: Floats
    starts: Ints
    radii: Floats
    bottoms: Floats
    tops: Floats


class LineCell(NamedTuple):
    """A cell of lines: n corners, the line in it that is looked at, rows of stations over the cell.

    best: the corner of a body or solid to cut the cell at: how far inside its line lies, y, x.
    """

    corners: Room
    n: int
    p: float
    q: float
    rows: Room
    best: Room


@kernel
def chord_of_body(body: BodyLoop, p: float, q: float, out: Room) -> bool:
    """Where the line x = p + q y enters and leaves a body.

    out: station of entry, unit normal there and the half plane's limit (nx, ny, c), then the same
    for leaving. False if the line misses.
    """
    loop, radius = body.loop, body.radius
    n = len(loop) // 2
    w = 1.0 + q * q
    out[0], out[4] = math.inf, -math.inf
    if radius > 0.0:
        for j in range(n):
            x, y = loop[2 * j], loop[2 * j + 1]
            d = p + q * y - x
            under = radius * radius * w - d * d
            if under < 0.0:
                continue
            root = math.sqrt(under)
            for side in range(2):
                s = (-d * q - root) / w if side == 0 else (-d * q + root) / w
                k = 4 * side
                if (side == 0 and y + s < out[0]) or (side == 1 and y + s > out[4]):
                    nx, ny = (d + q * s) / radius, s / radius
                    out[k], out[k + 1] = y + s, nx
                    out[k + 2], out[k + 3] = ny, nx * x + ny * y + radius
    if n > 1:
        for j in range(n):
            i = j + 1 if j + 1 < n else 0
            ex, ey = loop[2 * i] - loop[2 * j], loop[2 * i + 1] - loop[2 * j + 1]
            length = math.sqrt(ex * ex + ey * ey)
            nx, ny = ey / length, -ex / length
            x1, y1 = loop[2 * j] + radius * nx, loop[2 * j + 1] + radius * ny
            x2, y2 = x1 + ex, y1 + ey
            d1, d2 = p + q * y1 - x1, p + q * y2 - x2
            if (d1 >= 0.0) == (d2 >= 0.0):
                continue
            y = (y1 * d2 - y2 * d1) / (d2 - d1)
            if nx * q + ny < 0.0:
                if y < out[0]:
                    out[0], out[1], out[2], out[3] = y, nx, ny, nx * x1 + ny * y1
            elif y > out[4]:
                out[4], out[5], out[6], out[7] = y, nx, ny, nx * x1 + ny * y1
    return out[0] < out[4]


@kernel
def chord_of_solid(solids: SolidLoops, i: int, p: float, q: float, out: Room, edges: Whole) -> bool:
    """Where the line enters and leaves a solid: stations, and the edges by their first corners."""
    xs, ys, radius = solids.xs, solids.ys, solids.radii[i]
    first, last = solids.starts[i], solids.starts[i + 1]
    if radius > 0.0:
        w = 1.0 + q * q
        d = p + q * ys[first] - xs[first]
        under = radius * radius * w - d * d
        if under <= 0.0:
            return False
        root = math.sqrt(under)
        out[0], out[1] = ys[first] + (-d * q - root) / w, ys[first] + (-d * q + root) / w
        edges[0], edges[1] = first, first
        return True
    found = 0
    previous = last - 1
    d1 = p + q * ys[previous] - xs[previous]
    for k in range(first, last):
        d2 = p + q * ys[k] - xs[k]
        if (d1 >= 0.0) != (d2 >= 0.0) and found < 2:
            out[found] = (ys[previous] * d2 - ys[k] * d1) / (d2 - d1)
            edges[found] = previous
            found += 1
        previous, d1 = k, d2
    if found < 2:
        return False
    if out[0] > out[1]:
        out[0], out[1] = out[1], out[0]
        edges[0], edges[1] = edges[1], edges[0]
    return out[0] < out[1]


@kernel
def clip_cell(cell: Room, n: int, a: float, b: float, c: float, spare: Room) -> int:
    """Keep the part of a convex cell where a p + b q <= c. Its new number of corners."""
    beyond = False
    for k in range(n):
        if a * cell[2 * k] + b * cell[2 * k + 1] > c + ROUNDING:
            beyond = True
    if not beyond or n >= CORNERS - 1:
        return n
    kept = clip_loop(cell[0 : 2 * n], a, b, c, spare)
    for k in range(kept):
        cell[k] = spare[k]
    return kept // 2 if kept >= 6 else 0


@kernel
def _side(body: BodyLoop, q: float, high: bool) -> float:
    """The greatest, or least, p of a line of that q that meets a body."""
    best = -math.inf if high else math.inf
    loop = body.loop
    for j in range(len(loop) // 2):
        v = loop[2 * j] - q * loop[2 * j + 1]
        if (high and v > best) or (not high and v < best):
            best = v
    grown = body.radius * math.sqrt(1.0 + q * q)
    return best + grown if high else best - grown


@kernel
def keep_meeting(cell: Room, n: int, body: BodyLoop, spare: Room) -> int:
    """Cut away lines that miss a body, by secants of the border, which is convex in q."""
    for half in range(2):
        if n < 3:
            return 0
        high = half == 0
        q0, q1 = math.inf, -math.inf
        missing = True
        for k in range(n):
            q0, q1 = min(q0, cell[2 * k + 1]), max(q1, cell[2 * k + 1])
            limit = _side(body, cell[2 * k + 1], high)
            if (high and cell[2 * k] <= limit) or (not high and cell[2 * k] >= limit):
                missing = False
        if missing:
            return 0
        f0, f1 = _side(body, q0, high), _side(body, q1, high)
        slope = 0.0
        if q1 - q0 > ROUNDING:
            slope = (f1 - f0) / (q1 - q0)
        elif high:
            f0 = max(f0, f1)
        else:
            f0 = min(f0, f1)
        if high:
            n = clip_cell(cell, n, 1.0, -slope, f0 - slope * q0, spare)
        else:
            n = clip_cell(cell, n, -1.0, slope, -f0 + slope * q0, spare)
    return n


@kernel
def side_of(cell: LineCell, x: float, y: float) -> int:
    """Where the lines of a cell run by a corner: 1 right of it, -1 left, 0 on both sides."""
    corners = cell.corners
    left = right = False
    for k in range(cell.n):
        d = corners[2 * k] + corners[2 * k + 1] * y - x
        if d > ON:
            right = True
        elif d < -ON:
            left = True
    if left and right:
        return 0
    return -1 if left else 1


@kernel
def _fill(cell: LineCell, a: float, b: float, c: float, row: int) -> bool:
    """Where lines cross the straight line a x + b y = c, over a cell, into a row.

    The station is (c - a p) / (a q + b). False if that is not tame over the cell.
    """
    corners, rows, at = cell.corners, cell.rows, row * ROW
    dc = a * cell.q + b
    if dc < 0.0:
        a, b, c, dc = -a, -b, -c, -dc
    if dc <= ROUNDING:
        return False
    value = (c - a * cell.p) / dc
    least = dc
    drift = most = 0.0
    for k in range(cell.n):
        d = a * corners[2 * k + 1] + b
        part = c - a * corners[2 * k] - value * d
        rows[at + HEAD + k] = part / dc
        least = min(least, d)
        drift, most = max(drift, abs(d - dc)), max(most, abs(part))
    if least < 0.25 * dc:
        return False
    rows[at], rows[at + 1] = value, most * drift / (least * dc)
    rows[at + 2], rows[at + 3] = a, b
    rows[at + 4] = c
    return True


@kernel
def _flat(cell: LineCell, value: float, row: int) -> None:
    """A station that does not change over a cell, into a row."""
    rows, at = cell.rows, row * ROW
    rows[at], rows[at + 1] = value, 0.0
    rows[at + 2], rows[at + 3] = 0.0, 1.0
    rows[at + 4] = value
    for k in range(cell.n):
        rows[at + HEAD + k] = 0.0


@kernel
def body_row(cell: LineCell, body: BodyLoop, entering: bool, row: int, chord: Room) -> None:
    """Where lines enter or leave a body, or a little farther out, over a cell, into a row.

    chord: 8 numbers of scratch.
    """
    corners, loop = cell.corners, body.loop
    k0 = 0 if entering else 4
    # The half plane at the line looked at; if that is too nearly along it somewhere, the one at
    # the corner of the cell whose line runs deepest through the body.
    if chord_of_body(body, cell.p, cell.q, chord) and _fill(
        cell, chord[k0 + 1], chord[k0 + 2], chord[k0 + 3], row
    ):
        return
    best = 0.0
    nx = ny = 0.0
    c = 0.0
    for k in range(cell.n):
        lp, lq = corners[2 * k], corners[2 * k + 1]
        if not chord_of_body(body, lp, lq, chord):
            continue
        d = abs(chord[k0 + 1] * lq + chord[k0 + 2])
        if d > best:
            best = d
            nx, ny, c = chord[k0 + 1], chord[k0 + 2], chord[k0 + 3]
    if best > 0.0 and (nx * cell.q + ny < 0.0) == entering and _fill(cell, nx, ny, c, row):
        return
    limit = math.inf if entering else -math.inf
    for j in range(len(loop) // 2):
        y = loop[2 * j + 1]
        limit = min(limit, y - body.radius) if entering else max(limit, y + body.radius)
    _flat(cell, limit, row)


@kernel
def _edge_over_cell(
    cell: LineCell, x1: float, y1: float, x2: float, y2: float, entering: bool, row: int
) -> None:
    """Where lines cross an edge of a solid, over a cell all of whose lines do, into a row."""
    # d1 = p + q y1 - x1 and d2 = p + q y2 - x2; the crossing is at (y1 d2 - y2 d1) / (d2 - d1).
    if _fill(cell, y2 - y1, x1 - x2, y2 * x1 - y1 * x2, row):
        return
    corners = cell.corners
    best = -math.inf if entering else math.inf
    for k in range(cell.n):
        d1 = corners[2 * k] + corners[2 * k + 1] * y1 - x1
        d2 = corners[2 * k] + corners[2 * k + 1] * y2 - x2
        if abs(d2 - d1) <= ON:
            y = max(y1, y2) if entering else min(y1, y2)
        else:
            t = min(max(d1 / (d1 - d2), 0.0), 1.0)
            y = y1 + t * (y2 - y1)
        best = max(best, y) if entering else min(best, y)
    _flat(cell, best, row)


@kernel
def _circle_over_cell(
    cell: LineCell, x: float, y: float, radius: float, entering: bool, row: int
) -> bool:
    """Where lines cross a chord of a round solid, the arc they cross it by cut off; into a row."""
    corners, q = cell.corners, cell.q
    q0, q1 = math.inf, -math.inf
    d0, d1 = math.inf, -math.inf
    w = math.sqrt(1.0 + q * q)
    for k in range(cell.n):
        lq = corners[2 * k + 1]
        q0, q1 = min(q0, lq), max(q1, lq)
        d = corners[2 * k] + lq * y - x
        # Within the tangent of the border of lines that meet the disc, which is convex in q.
        if abs(d) > radius * (1.0 + q * lq) / w + ON:
            return False
        d0, d1 = min(d0, d), max(d1, d)
    small, big = max(0.0, q0, -q1), max(abs(q0), abs(q1))
    w0, w1 = radius * math.sqrt(1.0 + small * small), radius * math.sqrt(1.0 + big * big)
    # Sine of the place of the line across the disc, from side to side.
    a0 = math.asin(max(-1.0, d0 / w0) if d0 < 0.0 else min(1.0, d0 / w1))
    a1 = math.asin(min(1.0, d1 / w0) if d1 > 0.0 else max(-1.0, d1 / w1))
    t0, t1 = math.atan(q0), math.atan(q1)
    # Entering before the middle of the chord and leaving after it, whatever the chord.
    swing, sway = max(q0 * d0, q0 * d1, q1 * d0, q1 * d1), min(q0 * d0, q0 * d1, q1 * d0, q1 * d1)
    if not entering:
        swing, sway = -sway, -swing
    edge = -sway / (1.0 + (small * small if sway < 0.0 else big * big))
    middle = y + edge if entering else y - edge
    # The point at angle f: (x + r sin f, y - r cos f) on entering; mirrored in y on leaving.
    if entering:
        f0, f1 = a0 - t1, a1 - t0
    else:
        f0, f1 = a0 + t0, a1 + t1
    if f1 - f0 >= 1.5:
        _flat(cell, middle, row)
        return True
    sign = -1.0 if entering else 1.0
    x1, y1 = x + radius * math.sin(f0), y + sign * radius * math.cos(f0)
    x2, y2 = x + radius * math.sin(f1), y + sign * radius * math.cos(f1)
    if f1 - f0 < LENGTH or not _fill(cell, y2 - y1, x1 - x2, y2 * x1 - y1 * x2, row):
        _flat(cell, middle, row)
    return True


@kernel
def least(cell: LineCell, i: int, wi: float, j: int, wj: float, k: int, wk: float) -> float:
    """A lower bound of wi yi + wj yj + wk yk, stations by their rows, over a cell."""
    rows = cell.rows
    a, b = i * ROW, j * ROW
    c = k * ROW
    low = math.inf
    for v in range(cell.n):
        low = min(low, wi * rows[a + HEAD + v] + wj * rows[b + HEAD + v] + wk * rows[c + HEAD + v])
    value = wi * rows[a] + wj * rows[b] + wk * rows[c]
    slip = abs(wi) * rows[a + 1] + abs(wj) * rows[b + 1] + abs(wk) * rows[c + 1]
    return value + low - slip


@kernel
def cut_at(cell: LineCell, x: float, y: float) -> None:
    """Note a corner as one to cut the cell at, if it splits the cell better than what is noted."""
    corners, best = cell.corners, cell.best
    low, high = math.inf, -math.inf
    for k in range(cell.n):
        d = corners[2 * k] + corners[2 * k + 1] * y - x
        low, high = min(low, d), max(high, d)
    if low < -ON and high > ON and min(-low, high) > best[0]:
        best[0], best[1], best[2] = min(-low, high), y, x


@kernel
def solid_row(
    cell: LineCell, solids: SolidLoops, i: int, edge: int, entering: bool, row: int
) -> bool:
    """Where lines cross a side of a solid, or a little farther in, over a cell, into a row.

    edge: the first corner of the side. False, with a corner to cut the cell at noted, if not all
    lines of the cell cross it.
    """
    xs, ys, radius = solids.xs, solids.ys, solids.radii[i]
    x1, y1 = xs[edge], ys[edge]
    if radius > 0.0:
        if _circle_over_cell(cell, x1, y1, radius, entering, row):
            return True
        # Cut along the tangents of the border of lines that meet the disc.
        q = cell.q
        w = math.sqrt(1.0 + q * q)
        cut_at(cell, x1 - radius / w, y1 + radius * q / w)
        cut_at(cell, x1 + radius / w, y1 - radius * q / w)
        return False
    j = edge + 1 if edge + 1 < solids.starts[i + 1] else solids.starts[i]
    x2, y2 = xs[j], ys[j]
    s1, s2 = side_of(cell, x1, y1), side_of(cell, x2, y2)
    if s1 == 0:
        cut_at(cell, x1, y1)
    if s2 == 0:
        cut_at(cell, x2, y2)
    if s1 == 0 or s2 == 0 or s1 == s2:
        return False
    _edge_over_cell(cell, x1, y1, x2, y2, entering, row)
    return True
