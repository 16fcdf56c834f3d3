"""Kernels of what a sight line must pass over and under, and whether it can.

Used by `line_space_search.py`.

A sight line runs over a plan line x = p + q y, in a frame whose y axis points from one body to the
other, and only falls on its way. Over one plan line everything is a picture in the upright plane:
the line must be at or above some points (the far top edges of solids it passes over, the lower
rims of the bodies) and at or below others (near bottom edges of solids it passes under, upper
rims). By Helly's theorem a set of such demands that cannot be met holds three, or two, that cannot.

A cell of plan lines is hidden if for every choice of passing over or under the solids two or three
demands contradict each other over the whole cell. Stations of demands are quotients of functions
linear in p and q, so what they miss of their tangent planes has a bound quadratic in the size of
the cell, and cells near a line that just is not free stay few.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.sight.line_space import (
    ROW,
    BodyLoop,
    LineCell,
    Room,
    SolidLoops,
    Whole,
    cut_at,
    least,
    side_of,
)

__all__ = [
    "A_OUT",
    "B_IN",
    "FLUSH",
    "CellLook",
    "Choices",
    "Crossed",
    "Demands",
    "barred",
    "blocked_whole",
    "choose",
    "line_for",
]

#: Length: how deep a solid may reach into a body before its part in there counts as inside.
FLUSH = 1e-6
#: Steps of choosing in a cell before it is given up.
_STEPS = 2_000

#: The first demands, so many, are those of the bodies themselves; the rows of two of them.
_BODIES = 4
A_OUT = 1
B_IN = 2


class Demands(NamedTuple):
    """What the line must be at or above (ups 1) or below (ups 0), at the line looked at.

    zs: heights; at: stations there; row, alt: rows of the stations over the cell, the second -1
    where there is one only; sound: 0 for demands without a row.
    """

    ups: Whole
    zs: Room
    at: Room
    row: Whole
    alt: Whole
    sound: Whole


class Crossed(NamedTuple):
    """Solids over the line looked at: which, where it is come to and left (stations and rows), and
    whether these rows are sound (1) or not (0)."""

    solid: Whole
    enter: Room
    leave: Room
    row_in: Whole
    row_out: Whole
    sound: Whole


class Choices(NamedTuple):
    """Scratch of `choose`: for each solid in its order the way taken (1 over it, 2 under it) and
    what fails so far; by solid, the ways it leaves (3: both)."""

    taken: Whole
    failing: Whole
    order: Whole
    ways: Whole


@kernel
def _later(cell: LineCell, first: int, second: int) -> bool:
    """Whether one station never comes before another, over a cell; else note where they cross."""
    if least(cell, second, 1.0, first, -1.0, first, 0.0) >= -ROUNDING:
        return True
    rows, a, b = cell.rows, first * ROW, second * ROW
    den = rows[a + 2] * rows[b + 3] - rows[a + 3] * rows[b + 2]
    if abs(den) > ROUNDING:
        x = (rows[a + 4] * rows[b + 3] - rows[a + 3] * rows[b + 4]) / den
        y = (rows[a + 2] * rows[b + 4] - rows[a + 4] * rows[b + 2]) / den
        cut_at(cell, x, y)
    return False


@kernel
def _pair_bars(cell: LineCell, demands: Demands, under: int, over: int) -> bool:
    """Whether an upper demand never comes after a lower one, over a cell."""
    row, alt = demands.row, demands.alt
    for u in range(2):
        ru = row[under] if u == 0 else alt[under]
        if ru < 0:
            continue
        for v in range(2):
            rv = row[over] if v == 0 else alt[over]
            if rv < 0:
                continue
            if not _later(cell, ru, rv):
                return False
    return True


@kernel
def _triple_bars(cell: LineCell, demands: Demands, i: int, j: int, k: int, up: bool) -> bool:
    """Whether demand j lies on the wrong side of the chord from i to k, over a cell.

    up: j is a lower demand above the chord of two upper ones; else the other way round.
    """
    row, alt = demands.row, demands.alt
    zi, zj, zk = demands.zs[i], demands.zs[j], demands.zs[k]
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
                if not least(cell, ri, wi, rj, wj, rk, wk) > 0.0:
                    return False
                # Out of order on the one side, two of the three contradict each other alone.
                if (up or zi <= zj) and not _later(cell, ri, rj):
                    return False
                if (not up or zj <= zk) and not _later(cell, rj, rk):
                    return False
    return True


@kernel
def barred(cell: LineCell, demands: Demands, new: int, count: int) -> int:
    """Whether one of so many demands contradicts others: 0 no, 1 at the look, 2 over the whole
    cell."""
    ups, zs, at, sound = demands.ups, demands.zs, demands.at, demands.sound
    result = 0
    for i in range(count):
        if i == new:
            continue
        # An upper demand first and a higher lower demand later: the line would have to rise. Of two
        # solids as high a lower demand: a slit without width, as where one stands on the other.
        if ups[i] != ups[new]:
            over = i if ups[i] == 1 else new
            under = new if ups[i] == 1 else i
            slit = LENGTH if min(i, new) >= _BODIES else 0.0
            if zs[over] > zs[under] - slit and at[under] <= at[over]:
                result = max(result, 1)
                if sound[i] == 1 and sound[new] == 1 and _pair_bars(cell, demands, under, over):
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
                known = sound[e] == 1 and sound[m] == 1 and sound[f] == 1
                if known and _triple_bars(cell, demands, e, m, f, odd == 1):
                    return 2
    return result


@kernel
def line_for(demands: Demands, count: int, out: Room) -> None:
    """A falling line that meets all demands, as far as possible: height at station 0 and slope,
    out[2:4]."""
    ups, zs, at = demands.ups, demands.zs, demands.at
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
                out[2], out[3] = height, slope


@kernel
def blocked_whole(cell: LineCell, solids: SolidLoops, i: int, near: float, far: float) -> bool:
    """Whether a solid between two stations lies across all lines of a cell."""
    xs, ys, radius, corners = solids.xs, solids.ys, solids.radii[i], cell.corners
    first, last = solids.starts[i], solids.starts[i + 1]
    if radius > 0.0:
        q0, q1 = math.inf, -math.inf
        for k in range(cell.n):
            q0, q1 = min(q0, corners[2 * k + 1]), max(q1, corners[2 * k + 1])
        small = max(0.0, q0, -q1)
        limit = radius * math.sqrt(1.0 + small * small)
        x, y = xs[first], ys[first]
        if y < near or y > far:
            return False
        far_out = 0.0
        for k in range(cell.n):
            far_out = max(far_out, abs(corners[2 * k] + corners[2 * k + 1] * y - x))
        return far_out < limit
    lx = ly = 0.0
    rx = ry = 0.0
    has_left = has_right = False
    for k in range(first, last):
        x, y = xs[k], ys[k]
        if y < near or y > far:
            continue
        side = side_of(cell, x, y)
        if side == 1 and (not has_left or x < lx):
            has_left = True
            lx, ly = x, y
        elif side == -1 and (not has_right or x > rx):
            has_right = True
            rx, ry = x, y
    return has_left and has_right and (abs(lx - rx) + abs(ly - ry)) > LENGTH


class CellLook(NamedTuple):
    """What is looked at: a cell of lines from body a to body b past solids, and the line in it."""

    cell: LineCell
    a: BodyLoop
    b: BodyLoop
    solids: SolidLoops
    crossed: Crossed
    demands: Demands


@kernel
def _demand(look: CellLook, k: int, over: bool, new: int) -> None:
    """The demand of passing over or under the k-th solid crossed, as one of the list.

    Over it: above its top where it is left, or the far body come to if that is sooner. Under it:
    below its bottom where it is come to, or the near body left if that is later.
    """
    cell, a, b, solids, crossed, demands = look
    i, sound = crossed.solid[k], crossed.sound[k]
    if over:
        z, y, row, rim = solids.tops[i], crossed.leave[k], crossed.row_out[k], B_IN
        cut = solids.bottoms[i] < b.high - FLUSH
    else:
        z, y, row, rim = solids.bottoms[i], crossed.enter[k], crossed.row_in[k], A_OUT
        cut = solids.tops[i] > a.low + FLUSH
    alt = -1
    if cut and sound == 1:
        first, second = (row, rim) if over else (rim, row)
        if least(cell, first, 1.0, second, -1.0, rim, 0.0) >= 0.0:
            row = rim
        elif least(cell, second, 1.0, first, -1.0, rim, 0.0) < -FLUSH:
            alt = rim
    demands.ups[new], demands.zs[new], demands.at[new] = 1 if over else 0, z, y
    demands.row[new], demands.alt[new], demands.sound[new] = row, alt, sound


@kernel
def choose(look: CellLook, items: int, alone: int, closed: bool, choices: Choices) -> int:
    """Pass over or under each of so many solids: 0 a line at the look is free, 2 none of the cell.

    1: none at the look, but not surely none of the cell. alone: what the bodies' own demands say,
    the first four; closed: some solid leaves no way at the look.
    """
    cell, a, b, solids, crossed, demands = look
    taken, failing, order, ways = choices.taken, choices.failing, choices.order, choices.ways
    # Each solid by itself, with the bodies.
    for k in range(items):
        i = crossed.solid[k]
        ways[k] = 0
        for side in range(2):
            if solids.tops[i] < a.high if side == 0 else solids.bottoms[i] > b.low:
                _demand(look, k, side == 0, _BODIES)
                if barred(cell, demands, _BODIES, _BODIES + 1) < 2:
                    ways[k] += 1 + side
        if ways[k] == 0:
            return 2
    if closed:
        return 1
    if items == 0:
        return alone
    # Those with one way left first.
    placed = 0
    for both in range(2):
        for k in range(items):
            if (ways[k] == 3) == (both == 1):
                order[placed] = k
                placed += 1
    depth = 0
    taken[0] = 0
    certain = True
    steps = 0
    while depth >= 0:
        steps += 1
        if steps > _STEPS:
            return 1
        k = order[depth]
        taken[depth] += 1
        if taken[depth] == 3:
            depth -= 1
            continue
        if ways[k] != 3 and ways[k] != taken[depth]:
            continue
        new = _BODIES + depth
        _demand(look, k, taken[depth] == 1, new)
        state = barred(cell, demands, new, new + 1)
        if state == 2:
            continue
        # What fails at the look, but not surely all over the cell, may do so surely with the
        # solids to come.
        failing[depth] = max(state, alone if depth == 0 else failing[depth - 1])
        if depth + 1 < items:
            depth += 1
            taken[depth] = 0
        elif failing[depth] == 0:
            return 0
        else:
            certain = False
    return 2 if certain else 1
