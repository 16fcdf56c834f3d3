"""Kernels of sight between two upright bodies past upright solids (`bodies.py`).

A sight line runs over a plan line x = p + q y, in a frame whose y axis points from one body to the
other, and only falls on its way. Over one plan line everything is a picture in the upright plane:
the line must be at or above some points (the far top edges of solids it passes over, the lower
rims of the bodies) and at or below others (near bottom edges of solids it passes under, upper
rims). By Helly's theorem a set of such demands that cannot be met holds three, or two, that cannot.

All plan lines that meet both bodies form a set of points (p, q), covered by convex cells; the
lines through one corner form a straight line there, so cells are cut where a corner decides.
A cell is hidden if for every choice of passing over or under the solids two or three demands
contradict each other over the whole cell. Stations of demands are quotients of functions linear
in p and q, so what they miss of their tangent planes has a bound quadratic in the size of the
cell, and cells near a line that just is not free stay few. Where the line in a cell's middle is
free, there is sight. Bodies stand in a cell as half planes touching them, round solids as chords
of them: both err on the side of sight, by the square of the size of the cell as well.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.gears import entry, kernel

__all__ = ["CELLS", "CORNERS", "DEMANDS", "find_beam"]

Floats: TypeAlias = Sequence[float]
Room: TypeAlias = MutableSequence[float]
Ints: TypeAlias = MutableSequence[int]

#: Cells waiting at most, corners of a cell at most, demands on a line at most.
CELLS = 1024
CORNERS = 40
DEMANDS = 96

#: Length: how deep a solid may reach into a body before its part in there counts as inside.
_FLUSH = 1e-6
#: Length: a corner this near to a line is on it.
_ON = 1e-11
#: Steps of choosing, and cells looked at, before the search is given up.
_STEPS = 20_000
_LOOKS = 20_000

# Whose station a demand is at.
_A_IN = 0
_A_OUT = 1
_B_IN = 2
_B_OUT = 3
_ENTER = 4
_LEAVE = 5

# One row of `rows`: value at the look, bound of what the linear part misses, the straight line
# X a + Y b = c it is the crossing with, then the linear part at every corner of the cell.
_HEAD = 5
_ROW = _HEAD + CORNERS


@kernel
def chord_of_body(loop: Floats, radius: float, p: float, q: float, out: Room) -> bool:
    """Where the line x = p + q y enters and leaves a convex loop grown by a radius.

    out: station of entry, unit normal there and the half plane's limit (nx, ny, c), then the same
    for leaving. False if the line misses.
    """
    n = len(loop) // 2
    w = 1.0 + q * q
    out[0] = math.inf
    out[4] = -math.inf
    if radius > 0.0:
        for j in range(n):
            x = loop[2 * j]
            y = loop[2 * j + 1]
            d = p + q * y - x
            under = radius * radius * w - d * d
            if under < 0.0:
                continue
            root = math.sqrt(under)
            for side in range(2):
                s = (-d * q - root) / w if side == 0 else (-d * q + root) / w
                k = 4 * side
                if (side == 0 and y + s < out[0]) or (side == 1 and y + s > out[4]):
                    nx = (d + q * s) / radius
                    ny = s / radius
                    out[k] = y + s
                    out[k + 1] = nx
                    out[k + 2] = ny
                    out[k + 3] = nx * x + ny * y + radius
    if n > 1:
        for j in range(n):
            i = j + 1 if j + 1 < n else 0
            ex = loop[2 * i] - loop[2 * j]
            ey = loop[2 * i + 1] - loop[2 * j + 1]
            length = math.sqrt(ex * ex + ey * ey)
            nx = ey / length
            ny = -ex / length
            x1 = loop[2 * j] + radius * nx
            y1 = loop[2 * j + 1] + radius * ny
            x2 = x1 + ex
            y2 = y1 + ey
            d1 = p + q * y1 - x1
            d2 = p + q * y2 - x2
            if (d1 >= 0.0) == (d2 >= 0.0):
                continue
            y = (y1 * d2 - y2 * d1) / (d2 - d1)
            if nx * q + ny < 0.0:
                if y < out[0]:
                    out[0] = y
                    out[1] = nx
                    out[2] = ny
                    out[3] = nx * x1 + ny * y1
            elif y > out[4]:
                out[4] = y
                out[5] = nx
                out[6] = ny
                out[7] = nx * x1 + ny * y1
    return out[0] < out[4]


@kernel
def _chord(
    xs: Floats,
    ys: Floats,
    first: int,
    last: int,
    radius: float,
    p: float,
    q: float,
    out: Room,
    edges: Ints,
) -> bool:
    """Where the line enters and leaves a solid: stations, and the edges by their first corners."""
    if radius > 0.0:
        w = 1.0 + q * q
        d = p + q * ys[first] - xs[first]
        under = radius * radius * w - d * d
        if under <= 0.0:
            return False
        root = math.sqrt(under)
        out[0] = ys[first] + (-d * q - root) / w
        out[1] = ys[first] + (-d * q + root) / w
        edges[0] = first
        edges[1] = first
        return True
    found = 0
    previous = last - 1
    d1 = p + q * ys[previous] - xs[previous]
    for i in range(first, last):
        d2 = p + q * ys[i] - xs[i]
        if (d1 >= 0.0) != (d2 >= 0.0) and found < 2:
            out[found] = (ys[previous] * d2 - ys[i] * d1) / (d2 - d1)
            edges[found] = previous
            found += 1
        previous = i
        d1 = d2
    if found < 2:
        return False
    if out[0] > out[1]:
        y = out[0]
        out[0] = out[1]
        out[1] = y
        k = edges[0]
        edges[0] = edges[1]
        edges[1] = k
    return out[0] < out[1]


@kernel
def _clip(cell: Room, n: int, a: float, b: float, c: float, spare: Room) -> int:
    """Keep the part of a convex cell where a p + b q <= c. Its new number of corners."""
    beyond = False
    for k in range(n):
        if a * cell[2 * k] + b * cell[2 * k + 1] > c + ROUNDING:
            beyond = True
    if not beyond or n >= CORNERS - 1:
        return n
    m = 0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        f = a * cell[2 * k] + b * cell[2 * k + 1] - c
        g = a * cell[2 * j] + b * cell[2 * j + 1] - c
        if f <= 0.0:
            spare[2 * m] = cell[2 * k]
            spare[2 * m + 1] = cell[2 * k + 1]
            m += 1
        if (f < 0.0 and g > 0.0) or (f > 0.0 and g < 0.0):
            t = f / (f - g)
            spare[2 * m] = cell[2 * k] + t * (cell[2 * j] - cell[2 * k])
            spare[2 * m + 1] = cell[2 * k + 1] + t * (cell[2 * j + 1] - cell[2 * k + 1])
            m += 1
    for k in range(2 * m):
        cell[k] = spare[k]
    return m if m >= 3 else 0


@kernel
def _side(loop: Floats, radius: float, q: float, high: bool) -> float:
    """The greatest, or least, p of a line of that q that meets a body."""
    best = -math.inf if high else math.inf
    for j in range(len(loop) // 2):
        v = loop[2 * j] - q * loop[2 * j + 1]
        if (high and v > best) or (not high and v < best):
            best = v
    grown = radius * math.sqrt(1.0 + q * q)
    return best + grown if high else best - grown


@kernel
def _keep_meeting(cell: Room, n: int, loop: Floats, radius: float, spare: Room) -> int:
    """Cut away lines that miss a body, by secants of the border, which is convex in q."""
    for half in range(2):
        if n < 3:
            return 0
        high = half == 0
        q0 = math.inf
        q1 = -math.inf
        missing = True
        for k in range(n):
            q0 = min(q0, cell[2 * k + 1])
            q1 = max(q1, cell[2 * k + 1])
            limit = _side(loop, radius, cell[2 * k + 1], high)
            if (high and cell[2 * k] <= limit) or (not high and cell[2 * k] >= limit):
                missing = False
        if missing:
            return 0
        f0 = _side(loop, radius, q0, high)
        f1 = _side(loop, radius, q1, high)
        slope = 0.0
        if q1 - q0 > ROUNDING:
            slope = (f1 - f0) / (q1 - q0)
        elif high:
            f0 = max(f0, f1)
        else:
            f0 = min(f0, f1)
        if high:
            n = _clip(cell, n, 1.0, -slope, f0 - slope * q0, spare)
        else:
            n = _clip(cell, n, -1.0, slope, -f0 + slope * q0, spare)
    return n


@kernel
def _straddled(cell: Room, n: int, x: float, y: float) -> int:
    """Where the lines of a cell run by a corner: 1 right of it, -1 left, 0 on both sides."""
    left = False
    right = False
    for k in range(n):
        d = cell[2 * k] + cell[2 * k + 1] * y - x
        if d > _ON:
            right = True
        elif d < -_ON:
            left = True
    if left and right:
        return 0
    return -1 if left else 1


@kernel
def _fill(
    cell: Room,
    n: int,
    p: float,
    q: float,
    a: float,
    b: float,
    c: float,
    rows: Room,
    at: int,
) -> bool:
    """Where lines cross the straight line a x + b y = c, over a cell, into a row.

    The station is (c - a p) / (a q + b). False if that is not tame over the cell.
    """
    dc = a * q + b
    if dc < 0.0:
        a, b, c, dc = -a, -b, -c, -dc
    if dc <= ROUNDING:
        return False
    value = (c - a * p) / dc
    least = dc
    drift = 0.0
    most = 0.0
    for k in range(n):
        d = a * cell[2 * k + 1] + b
        part = c - a * cell[2 * k] - value * d
        rows[at + _HEAD + k] = part / dc
        least = min(least, d)
        drift = max(drift, abs(d - dc))
        most = max(most, abs(part))
    if least < 0.25 * dc:
        return False
    rows[at] = value
    rows[at + 1] = most * drift / (least * dc)
    rows[at + 2] = a
    rows[at + 3] = b
    rows[at + 4] = c
    return True


@kernel
def _flat(n: int, value: float, rows: Room, at: int) -> None:
    """A station that does not change over a cell, into a row."""
    rows[at] = value
    rows[at + 1] = 0.0
    rows[at + 2] = 0.0
    rows[at + 3] = 1.0
    rows[at + 4] = value
    for k in range(n):
        rows[at + _HEAD + k] = 0.0


@kernel
def _touching_half_plane(
    cell: Room,
    n: int,
    p: float,
    q: float,
    loop: Floats,
    radius: float,
    entering: bool,
    rows: Room,
    at: int,
    chord: Room,
) -> None:
    """Where lines enter or leave a body at the latest or earliest, over a cell, into a row."""
    k0 = 0 if entering else 4
    best = 0.0
    nx = 0.0
    ny = 0.0
    c = 0.0
    for k in range(n + 1):
        lp = p if k == 0 else cell[2 * k - 2]
        lq = q if k == 0 else cell[2 * k - 1]
        if not chord_of_body(loop, radius, lp, lq, chord):
            continue
        d = abs(chord[k0 + 1] * lq + chord[k0 + 2])
        if d > (2.0 * best if k > 0 else best):
            best = d
            nx = chord[k0 + 1]
            ny = chord[k0 + 2]
            c = chord[k0 + 3]
    if best > 0.0 and (nx * q + ny < 0.0) == entering and _fill(cell, n, p, q, nx, ny, c, rows, at):
        return
    limit = math.inf if entering else -math.inf
    for j in range(len(loop) // 2):
        y = loop[2 * j + 1]
        limit = min(limit, y - radius) if entering else max(limit, y + radius)
    _flat(n, limit, rows, at)


@kernel
def _edge_over_cell(
    cell: Room,
    n: int,
    p: float,
    q: float,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    entering: bool,
    rows: Room,
    at: int,
) -> None:
    """Where lines cross an edge of a solid, over a cell all of whose lines do, into a row."""
    # d1 = p + q y1 - x1 and d2 = p + q y2 - x2; the crossing is at (y1 d2 - y2 d1) / (d2 - d1).
    if _fill(cell, n, p, q, y2 - y1, x1 - x2, y2 * x1 - y1 * x2, rows, at):
        return
    best = -math.inf if entering else math.inf
    for k in range(n):
        d1 = cell[2 * k] + cell[2 * k + 1] * y1 - x1
        d2 = cell[2 * k] + cell[2 * k + 1] * y2 - x2
        if abs(d2 - d1) <= _ON:
            y = max(y1, y2) if entering else min(y1, y2)
        else:
            t = min(max(d1 / (d1 - d2), 0.0), 1.0)
            y = y1 + t * (y2 - y1)
        best = max(best, y) if entering else min(best, y)
    _flat(n, best, rows, at)


@kernel
def _circle_over_cell(
    cell: Room,
    n: int,
    p: float,
    q: float,
    x: float,
    y: float,
    radius: float,
    entering: bool,
    rows: Room,
    at: int,
) -> bool:
    """Where lines cross a chord of a round solid, the arc they cross it by cut off; into a row."""
    q0 = math.inf
    q1 = -math.inf
    d0 = math.inf
    d1 = -math.inf
    w = math.sqrt(1.0 + q * q)
    for k in range(n):
        lq = cell[2 * k + 1]
        q0 = min(q0, lq)
        q1 = max(q1, lq)
        d = cell[2 * k] + lq * y - x
        # Within the tangent of the border of lines that meet the disc, which is convex in q.
        if abs(d) > radius * (1.0 + q * lq) / w + _ON:
            return False
        d0 = min(d0, d)
        d1 = max(d1, d)
    small = max(0.0, q0, -q1)
    big = max(abs(q0), abs(q1))
    w0 = radius * math.sqrt(1.0 + small * small)
    w1 = radius * math.sqrt(1.0 + big * big)
    # Sine of the place of the line across the disc, from side to side.
    a0 = math.asin(max(-1.0, d0 / w0) if d0 < 0.0 else min(1.0, d0 / w1))
    a1 = math.asin(min(1.0, d1 / w0) if d1 > 0.0 else max(-1.0, d1 / w1))
    t0 = math.atan(q0)
    t1 = math.atan(q1)
    # Entering before the middle of the chord and leaving after it, whatever the chord.
    swing = max(q0 * d0, q0 * d1, q1 * d0, q1 * d1)
    sway = min(q0 * d0, q0 * d1, q1 * d0, q1 * d1)
    if not entering:
        swing, sway = -sway, -swing
    edge = -sway / (1.0 + (small * small if sway < 0.0 else big * big))
    middle = y + edge if entering else y - edge
    # The point at angle f: (x + r sin f, y - r cos f) on entering; mirrored in y on leaving.
    if entering:
        f0 = a0 - t1
        f1 = a1 - t0
    else:
        f0 = a0 + t0
        f1 = a1 + t1
    if f1 - f0 >= 1.5:
        _flat(n, middle, rows, at)
        return True
    sign = -1.0 if entering else 1.0
    x1 = x + radius * math.sin(f0)
    y1 = y + sign * radius * math.cos(f0)
    x2 = x + radius * math.sin(f1)
    y2 = y + sign * radius * math.cos(f1)
    if f1 - f0 < LENGTH or not _fill(cell, n, p, q, y2 - y1, x1 - x2, y2 * x1 - y1 * x2, rows, at):
        _flat(n, middle, rows, at)
    return True


@kernel
def _least(n: int, rows: Room, i: int, wi: float, j: int, wj: float, k: int, wk: float) -> float:
    """A lower bound of wi yi + wj yj + wk yk over a cell."""
    a = i * _ROW
    b = j * _ROW
    c = k * _ROW
    low = math.inf
    for v in range(n):
        low = min(
            low, wi * rows[a + _HEAD + v] + wj * rows[b + _HEAD + v] + wk * rows[c + _HEAD + v]
        )
    value = wi * rows[a] + wj * rows[b] + wk * rows[c]
    slip = abs(wi) * rows[a + 1] + abs(wj) * rows[b + 1] + abs(wk) * rows[c + 1]
    return value + low - slip


@kernel
def _cut_at(cell: Room, n: int, x: float, y: float, best: Room) -> None:
    """Note a corner as one to cut the cell at, if it splits the cell better than what is noted."""
    low = math.inf
    high = -math.inf
    for k in range(n):
        d = cell[2 * k] + cell[2 * k + 1] * y - x
        low = min(low, d)
        high = max(high, d)
    if low < -_ON and high > _ON and min(-low, high) > best[0]:
        best[0] = min(-low, high)
        best[1] = y
        best[2] = x


@kernel
def _prepare(
    cell: Room,
    n: int,
    p: float,
    q: float,
    a: Floats,
    a_radius: float,
    b: Floats,
    b_radius: float,
    xs: Floats,
    ys: Floats,
    starts: Sequence[int],
    radii: Floats,
    kind: int,
    which: int,
    edge: int,
    rows: Room,
    row: int,
    chord: Room,
    best: Room,
) -> bool:
    """Fill the row of a station over a cell; False, with a corner to cut at, if it has none."""
    at = row * _ROW
    if kind in (_A_IN, _A_OUT):
        _touching_half_plane(cell, n, p, q, a, a_radius, kind == _A_IN, rows, at, chord)
        return True
    if kind in (_B_IN, _B_OUT):
        _touching_half_plane(cell, n, p, q, b, b_radius, kind == _B_IN, rows, at, chord)
        return True
    if radii[which] > 0.0:
        x, y, r = xs[edge], ys[edge], radii[which]
        if _circle_over_cell(cell, n, p, q, x, y, r, kind == _ENTER, rows, at):
            return True
        # Cut along the tangent of the border of lines that meet the disc.
        w = math.sqrt(1.0 + q * q)
        for sign in (-1.0, 1.0):
            f = sign * r
            _cut_at(cell, n, x + f / w, y - f * q / w, best)
        return False
    i = edge
    j = edge + 1 if edge + 1 < starts[which + 1] else starts[which]
    s1 = _straddled(cell, n, xs[i], ys[i])
    s2 = _straddled(cell, n, xs[j], ys[j])
    if s1 == 0:
        _cut_at(cell, n, xs[i], ys[i], best)
    if s2 == 0:
        _cut_at(cell, n, xs[j], ys[j], best)
    if s1 == 0 or s2 == 0 or s1 == s2:
        return False
    _edge_over_cell(cell, n, p, q, xs[i], ys[i], xs[j], ys[j], kind == _ENTER, rows, at)
    return True


@kernel
def _later(cell: Room, n: int, rows: Room, first: int, second: int, best: Room) -> bool:
    """Whether one station never comes before another, over a cell; else note where they cross."""
    if _least(n, rows, second, 1.0, first, -1.0, first, 0.0) >= -ROUNDING:
        return True
    a, b = first * _ROW, second * _ROW
    den = rows[a + 2] * rows[b + 3] - rows[a + 3] * rows[b + 2]
    if abs(den) > ROUNDING:
        x = (rows[a + 4] * rows[b + 3] - rows[a + 3] * rows[b + 4]) / den
        y = (rows[a + 2] * rows[b + 4] - rows[a + 4] * rows[b + 2]) / den
        _cut_at(cell, n, x, y, best)
    return False


@kernel
def _pair_bars(
    cell: Room, n: int, rows: Room, row: Ints, alt: Ints, under: int, over: int, best: Room
) -> bool:
    """Whether an upper demand never comes after a lower one, over a cell."""
    for u in range(2):
        ru = row[under] if u == 0 else alt[under]
        if ru < 0:
            continue
        for v in range(2):
            rv = row[over] if v == 0 else alt[over]
            if rv < 0:
                continue
            if not _later(cell, n, rows, ru, rv, best):
                return False
    return True


@kernel
def _triple_bars(
    cell: Room,
    n: int,
    rows: Room,
    row: Ints,
    alt: Ints,
    zs: Floats,
    i: int,
    j: int,
    k: int,
    up: bool,
    best: Room,
) -> bool:
    """Whether demand j lies on the wrong side of the chord from i to k, over a cell.

    up: j is a lower demand above the chord of two upper ones; else the other way round.
    """
    zi, zj, zk = zs[i], zs[j], zs[k]
    wi = zk - zj
    wj = zi - zk
    wk = zj - zi
    if not up:
        wi, wj, wk = -wi, -wj, -wk
    for a in range(2):
        ri = row[i] if a == 0 else alt[i]
        if ri < 0:
            continue
        for b in range(2):
            rj = row[j] if b == 0 else alt[j]
            if rj < 0:
                continue
            for c in range(2):
                rk = row[k] if c == 0 else alt[k]
                if rk < 0:
                    continue
                if not _least(n, rows, ri, wi, rj, wj, rk, wk) > 0.0:
                    return False
                # Out of order on the one side, two of the three contradict each other alone.
                if (up or zi <= zj) and not _later(cell, n, rows, ri, rj, best):
                    return False
                if (not up or zj <= zk) and not _later(cell, n, rows, rj, rk, best):
                    return False
    return True


@kernel
def _barred(
    cell: Room,
    n: int,
    new: int,
    count: int,
    ups: Ints,
    zs: Floats,
    at: Floats,
    rows: Room,
    row: Ints,
    alt: Ints,
    sound: Ints,
    best: Room,
) -> int:
    """Whether the newest demand contradicts others: 0 no, 1 at the look, 2 over the whole cell.

    ups: 1 for a lower demand (the line is at or above it). sound: 0 for demands without a row.
    """
    result = 0
    for i in range(count):
        if i == new:
            continue
        # An upper demand first and a higher lower demand later: the line would have to rise.
        if ups[i] != ups[new]:
            over = i if ups[i] == 1 else new
            under = new if ups[i] == 1 else i
            if zs[over] > zs[under] and at[under] <= at[over]:
                result = max(result, 1)
                if (
                    sound[i] == 1
                    and sound[new] == 1
                    and _pair_bars(cell, n, rows, row, alt, under, over, best)
                ):
                    return 2
        for j in range(i):
            if j == new:
                continue
            lows = ups[i] + ups[j] + ups[new]
            if lows == 0 or lows == 3:
                continue
            # Two of a kind and one odd one, which must lie between them.
            odd = 1 if lows == 1 else 0
            if ups[new] == odd:
                m, e, f = new, i, j
            elif ups[i] == odd:
                m, e, f = i, j, new
            else:
                m, e, f = j, i, new
            if at[e] > at[f]:
                e, f = f, e
            # Two of the three contradict each other alone where they stand the other way round.
            if at[m] < at[e] and (odd == 1 or zs[e] <= zs[m]):
                continue
            if at[m] > at[f] and (odd == 0 or zs[m] <= zs[f]):
                continue
            if at[f] <= at[e]:
                continue
            chord = zs[e] * (at[f] - at[m]) + zs[f] * (at[m] - at[e])
            side = zs[m] * (at[f] - at[e]) - chord
            if (odd == 1 and side > 0.0) or (odd == 0 and side < 0.0):
                result = max(result, 1)
                if (
                    sound[e] == 1
                    and sound[m] == 1
                    and sound[f] == 1
                    and _triple_bars(cell, n, rows, row, alt, zs, e, m, f, odd == 1, best)
                ):
                    return 2
    return result


@kernel
def _line_for(count: int, ups: Ints, zs: Floats, at: Floats, out: Room) -> None:
    """A falling line that meets all demands, as far as possible: height at station 0 and slope."""
    best = -math.inf
    for i in range(count):
        for j in range(count):
            if at[j] <= at[i] + LENGTH or zs[j] > zs[i]:
                slope = 0.0
            else:
                slope = (zs[j] - zs[i]) / (at[j] - at[i])
            height = zs[i] - slope * at[i]
            worst = math.inf
            for k in range(count):
                gap = height + slope * at[k] - zs[k]
                worst = min(worst, gap if ups[k] == 1 else -gap)
            if worst > best:
                best = worst
                out[2] = height
                out[3] = slope


@kernel
def _blocked_whole(
    cell: Room,
    n: int,
    xs: Floats,
    ys: Floats,
    first: int,
    last: int,
    radius: float,
    near: float,
    far: float,
) -> bool:
    """Whether a solid between two stations lies across all lines of a cell."""
    if radius > 0.0:
        q0 = math.inf
        q1 = -math.inf
        for k in range(n):
            q0 = min(q0, cell[2 * k + 1])
            q1 = max(q1, cell[2 * k + 1])
        small = max(0.0, q0, -q1)
        limit = radius * math.sqrt(1.0 + small * small)
        x, y = xs[first], ys[first]
        if y < near or y > far:
            return False
        far_out = 0.0
        for k in range(n):
            far_out = max(far_out, abs(cell[2 * k] + cell[2 * k + 1] * y - x))
        return far_out < limit
    lx = 0.0
    ly = 0.0
    rx = 0.0
    ry = 0.0
    has_left = False
    has_right = False
    for i in range(first, last):
        y = ys[i]
        if y < near or y > far:
            continue
        side = _straddled(cell, n, xs[i], y)
        if side == 1 and (not has_left or xs[i] < lx):
            has_left = True
            lx, ly = xs[i], y
        elif side == -1 and (not has_right or xs[i] > rx):
            has_right = True
            rx, ry = xs[i], y
    return has_left and has_right and (abs(lx - rx) + abs(ly - ry)) > LENGTH


@entry(
    "int64(float64[::1], float64, float64, float64, float64[::1], float64, float64, float64,"
    " float64[::1], float64[::1], int64[::1], float64[::1], float64[::1], float64[::1],"
    " float64, float64, float64, float64[::1], int64[::1], float64[::1], int64[::1],"
    " float64[::1])"
)
def find_beam(
    a: Floats,
    a_radius: float,
    a_low: float,
    a_high: float,
    b: Floats,
    b_radius: float,
    b_low: float,
    b_high: float,
    xs: Floats,
    ys: Floats,
    starts: Sequence[int],
    radii: Floats,
    bottoms: Floats,
    tops: Floats,
    q_low: float,
    q_high: float,
    finest: float,
    store: Room,
    sizes: Ints,
    work: Room,
    whole: Ints,
    out: Room,
) -> int:
    """Look for a free line that falls on its way from body a to body b, y growing.

    a, b: convex loops grown by radii, from low to high. Solids: corners xs, ys from starts[i] to
    starts[i + 1], a disc by its centre and radii[i] > 0, from bottoms[i] to tops[i]. q: range of
    slopes x / y of plan lines. finest: length below which a cell counts as hidden. store, sizes,
    work, whole: rooms as `bodies.py` makes them. out: p, q, height at y = 0, slope; entry of b,
    leaving of a. Returns 1 seen, 0 hidden, -1 given up.
    """
    solids = len(radii)
    if a_high < b_low:
        return 0
    # Rooms.
    spare = work[0 : 2 * CORNERS + 4]
    cell = work[100 : 100 + 2 * CORNERS + 4]
    piece = work[200 : 200 + 2 * CORNERS + 4]
    chord_a = work[300:308]
    chord_b = work[308:316]
    chord = work[316:324]
    span = work[324:326]
    best = work[326:330]
    base = 340
    zs = work[base : base + DEMANDS]
    at = work[base + DEMANDS : base + 2 * DEMANDS]
    rows = work[base + 2 * DEMANDS : base + 2 * DEMANDS + 2 * DEMANDS * _ROW]
    here = base + 2 * DEMANDS + 2 * DEMANDS * _ROW
    enter = work[here : here + solids + 1]
    leave = work[here + solids + 1 : here + 2 * solids + 2]
    ups = whole[0:DEMANDS]
    row = whole[DEMANDS : 2 * DEMANDS]
    alt = whole[2 * DEMANDS : 3 * DEMANDS]
    sound = whole[3 * DEMANDS : 4 * DEMANDS]
    choice = whole[4 * DEMANDS : 5 * DEMANDS]
    edges = whole[5 * DEMANDS : 5 * DEMANDS + 2]
    item = whole[6 * DEMANDS : 7 * DEMANDS]
    item_in = whole[7 * DEMANDS : 8 * DEMANDS]
    item_out = whole[8 * DEMANDS : 9 * DEMANDS]
    item_ok = whole[9 * DEMANDS : 10 * DEMANDS]

    a_first = math.inf
    a_last = -math.inf
    reach = 1.0
    wide = 1.0
    for j in range(len(a) // 2):
        a_first = min(a_first, a[2 * j + 1] - a_radius)
        a_last = max(a_last, a[2 * j + 1] + a_radius)
        reach = max(reach, abs(a[2 * j + 1]) + a_radius)
        wide = max(wide, abs(a[2 * j]) + a_radius)
    b_first = math.inf
    b_last = -math.inf
    for j in range(len(b) // 2):
        b_first = min(b_first, b[2 * j + 1] - b_radius)
        b_last = max(b_last, b[2 * j + 1] + b_radius)
        reach = max(reach, abs(b[2 * j + 1]) + b_radius)
        wide = max(wide, abs(b[2 * j]) + b_radius)
    wide += max(abs(q_low), abs(q_high)) * reach

    store[0], store[1] = -wide, q_low
    store[2], store[3] = wide, q_low
    store[4], store[5] = wide, q_high
    store[6], store[7] = -wide, q_high
    sizes[0] = 4
    # The oldest cell first, so that a wide view is found before the rim of another is searched.
    taken = 0
    added = 1
    looks = 0
    while taken < added:
        slot = taken % CELLS
        taken += 1
        n = sizes[slot]
        for k in range(2 * n):
            cell[k] = store[slot * 2 * CORNERS + k]
        n = _keep_meeting(cell, n, a, a_radius, spare)
        if n >= 3:
            n = _keep_meeting(cell, n, b, b_radius, spare)
        if n < 3:
            continue
        looks += 1
        if looks > _LOOKS:
            return -1
        p0 = math.inf
        p1 = -math.inf
        q0 = math.inf
        q1 = -math.inf
        p = 0.0
        q = 0.0
        for k in range(n):
            p0 = min(p0, cell[2 * k])
            p1 = max(p1, cell[2 * k])
            q0 = min(q0, cell[2 * k + 1])
            q1 = max(q1, cell[2 * k + 1])
            p += cell[2 * k]
            q += cell[2 * k + 1]
        if p1 - p0 < finest and (q1 - q0) * reach < finest:
            continue
        p /= n
        q /= n
        # Solids from top to bottom of all that can be, across the whole cell.
        barred = False
        for i in range(solids):
            if (
                tops[i] >= a_high
                and bottoms[i] <= b_low
                and _blocked_whole(
                    cell, n, xs, ys, starts[i], starts[i + 1], radii[i], a_last, b_first
                )
            ):
                barred = True
                break
        if barred:
            continue
        best[0] = 0.0
        # The line to look at: the middle of the cell, or a corner that meets both bodies.
        meets = False
        for k in range(n + 1):
            lp = p if k == 0 else cell[2 * k - 2]
            lq = q if k == 0 else cell[2 * k - 1]
            if chord_of_body(a, a_radius, lp, lq, chord_a) and chord_of_body(
                b, b_radius, lp, lq, chord_b
            ):
                meets = True
                p = lp
                q = lq
                break
        hidden = False
        if meets and b_last < a_first:
            continue
        if meets and chord_b[4] >= chord_a[0]:
            a0, a1 = chord_a[0], chord_a[4]
            b0, b1 = chord_b[0], chord_b[4]
            # Demands of the bodies: rows 0..3.
            for k in range(4):
                _prepare(
                    cell,
                    n,
                    p,
                    q,
                    a,
                    a_radius,
                    b,
                    b_radius,
                    xs,
                    ys,
                    starts,
                    radii,
                    k,
                    0,
                    0,
                    rows,
                    k,
                    chord,
                    best,
                )
                row[k] = k
                alt[k] = -1
                sound[k] = 1
            zs[0], at[0], ups[0] = a_low, a0, 1
            zs[1], at[1], ups[1] = a_high, a1, 0
            zs[2], at[2], ups[2] = b_low, b0, 1
            zs[3], at[3], ups[3] = b_high, b1, 0
            # Solids over this line.
            items = 0
            used = 4
            closed = False
            for i in range(solids):
                if tops[i] <= b_low or bottoms[i] >= a_high:
                    continue
                if not _chord(xs, ys, starts[i], starts[i + 1], radii[i], p, q, span, edges):
                    continue
                y0, y1 = span[0], span[1]
                if y0 >= b1 or y1 <= a0:
                    continue
                cut_a = tops[i] > a_low
                cut_b = bottoms[i] < b_high
                if cut_a and y0 < a1 - _FLUSH:
                    y0 = a1
                if cut_b and y1 > b0 + _FLUSH:
                    y1 = b0
                if y0 >= y1:
                    continue
                over = tops[i] < a_high
                below = bottoms[i] > b_low
                if items >= DEMANDS - 8:
                    return -1
                # Rows: where the line enters and leaves the solid, over the cell.
                good = _prepare(
                    cell,
                    n,
                    p,
                    q,
                    a,
                    a_radius,
                    b,
                    b_radius,
                    xs,
                    ys,
                    starts,
                    radii,
                    _ENTER,
                    i,
                    edges[0],
                    rows,
                    used,
                    chord,
                    best,
                )
                good = (
                    _prepare(
                        cell,
                        n,
                        p,
                        q,
                        a,
                        a_radius,
                        b,
                        b_radius,
                        xs,
                        ys,
                        starts,
                        radii,
                        _LEAVE,
                        i,
                        edges[1],
                        rows,
                        used + 1,
                        chord,
                        best,
                    )
                    and good
                )
                # It must lie between the bodies on every line of the cell.
                if good and cut_a and _least(n, rows, used + 1, 1.0, 1, -1.0, 1, 0.0) <= 0.0:
                    good = False
                if good and cut_b and _least(n, rows, 2, 1.0, used, -1.0, used, 0.0) <= 0.0:
                    good = False
                if good and cut_a and cut_b and _least(n, rows, 2, 1.0, 1, -1.0, 1, 0.0) <= 0.0:
                    good = False
                if not (over or below):
                    closed = True
                    if good:
                        hidden = True
                        break
                    continue
                item[items] = i
                item_in[items] = used
                item_out[items] = used + 1
                item_ok[items] = 1 if good else 0
                enter[items] = y0
                leave[items] = y1
                items += 1
                used += 2
            if not hidden:
                # The bodies alone.
                state = 0
                for k in range(1, 4):
                    state = max(
                        state, _barred(cell, n, k, k + 1, ups, zs, at, rows, row, alt, sound, best)
                    )
                    if state == 2:
                        break
                if state == 2:
                    hidden = True
                elif state == 0:
                    # Choose over or under for every solid in turn.
                    k = 0
                    certain = True
                    free = items == 0
                    choice[0] = 0
                    steps = 0
                    while k >= 0 and items > 0:
                        steps += 1
                        if steps > _STEPS:
                            certain = False
                            break
                        i = item[k]
                        choice[k] += 1
                        if choice[k] == 3:
                            k -= 1
                            continue
                        new = 4 + k
                        cut_a = tops[i] > a_low
                        cut_b = bottoms[i] < b_high
                        if choice[k] == 1:
                            if not tops[i] < a_high:
                                continue
                            ups[new] = 1
                            zs[new] = tops[i]
                            at[new] = leave[k]
                            row[new] = item_out[k]
                            alt[new] = -1
                            if cut_b and item_ok[k] == 1:
                                if _least(n, rows, row[new], 1.0, 2, -1.0, 2, 0.0) >= 0.0:
                                    row[new] = 2
                                elif _least(n, rows, 2, 1.0, row[new], -1.0, 2, 0.0) < -_FLUSH:
                                    alt[new] = 2
                        else:
                            if not bottoms[i] > b_low:
                                continue
                            ups[new] = 0
                            zs[new] = bottoms[i]
                            at[new] = enter[k]
                            row[new] = item_in[k]
                            alt[new] = -1
                            if cut_a and item_ok[k] == 1:
                                if _least(n, rows, 1, 1.0, row[new], -1.0, 1, 0.0) >= 0.0:
                                    row[new] = 1
                                elif _least(n, rows, row[new], 1.0, 1, -1.0, 1, 0.0) < -_FLUSH:
                                    alt[new] = 1
                        sound[new] = item_ok[k]
                        state = _barred(
                            cell, n, new, new + 1, ups, zs, at, rows, row, alt, sound, best
                        )
                        if state == 0:
                            if k + 1 == items:
                                free = True
                                break
                            k += 1
                            choice[k] = 0
                        elif state == 1:
                            certain = False
                    if free and not closed:
                        out[0] = p
                        out[1] = q
                        _line_for(4 + items, ups, zs, at, out)
                        out[4] = b0
                        out[5] = a1
                        return 1
                    if certain and not free:
                        hidden = True
        if hidden:
            continue
        # Halve the cell: at a corner that decides, else across its longer side.
        if best[0] == 0.0:
            for j in range(len(a) // 2 if len(a) > 4 else 0):
                _cut_at(cell, n, a[2 * j], a[2 * j + 1], best)
            for j in range(len(b) // 2 if len(b) > 4 else 0):
                _cut_at(cell, n, b[2 * j], b[2 * j + 1], best)
        ca, cb, cc = 1.0, best[1], best[2]
        if best[0] <= 0.02 * max(p1 - p0, (q1 - q0) * reach):
            if p1 - p0 >= (q1 - q0) * reach:
                ca, cb, cc = 1.0, 0.0, 0.5 * (p0 + p1)
            else:
                ca, cb, cc = 0.0, 1.0, 0.5 * (q0 + q1)
        if added - taken + 2 > CELLS:
            return -1
        if n > CORNERS - 8:
            cell[0], cell[1] = p0, q0
            cell[2], cell[3] = p1, q0
            cell[4], cell[5] = p1, q1
            cell[6], cell[7] = p0, q1
            n = 4
        for half in range(2):
            sign = 1.0 if half == 0 else -1.0
            for k in range(2 * n):
                piece[k] = cell[k]
            m = _clip(piece, n, sign * ca, sign * cb, sign * cc, spare)
            if m >= 3:
                slot = added % CELLS
                for k in range(2 * m):
                    store[slot * 2 * CORNERS + k] = piece[k]
                sizes[slot] = m
                added += 1
    return 0
