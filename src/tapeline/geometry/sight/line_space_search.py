"""Kernel of sight between two upright bodies past upright solids (`bodies.py`): the search.

All plan lines x = p + q y that meet both bodies form a set of points (p, q), covered by convex
cells; the lines through one corner form a straight line there, so cells are cut where a corner
decides. Whether the lines of a cell can be free at all, `transversals.py` says. Where the line in a
cell's middle is free, there is sight. Bodies stand in a cell as half planes touching them, round
solids as chords of them: both err on the side of sight, by the square of the size of the cell.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import entry, kernel, room
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.sight.line_space import (
    CORNERS,
    ROW,
    BodyLoop,
    LineCell,
    Room,
    SolidLoops,
    Whole,
    body_row,
    chord_of_body,
    chord_of_solid,
    clip_cell,
    cut_at,
    keep_meeting,
    least,
    solid_row,
)
from tapeline.geometry.sight.transversals import (
    A_OUT,
    B_IN,
    FLUSH,
    CellLook,
    Choices,
    Crossed,
    Demands,
    barred,
    blocked_whole,
    choose,
    line_for,
)

__all__ = ["CELLS", "DEMANDS", "SearchRoom", "find_beam", "search_room"]

#: Cells waiting at most, demands on a line at most.
CELLS = 1024
DEMANDS = 96

#: Cells looked at before the search is given up.
_LOOKS = 20_000
#: Numbers of scratch for the corners of a cell while it is cut.
_WIDE = 2 * CORNERS + 4


class SearchRoom(NamedTuple):
    """Scratch of `find_beam`, as `search_room` makes it: cells that wait and their numbers of
    corners, numbers and whole numbers for one cell. found: p, q, height at y = 0 and slope."""

    store: Room
    sizes: Whole
    work: Room
    whole: Whole
    found: Room


def search_room(compiled: bool) -> SearchRoom:
    """Scratch of the search for a backend; it may be used again and again, by one thread."""
    work = 3 * _WIDE + 30 + 4 * DEMANDS + 2 * DEMANDS * ROW
    return room(compiled, SearchRoom, CELLS * 2 * CORNERS, CELLS, work, 12 * DEMANDS + 2, 4)


@kernel
def _joined(new: int, solids: SolidLoops, crossed: Crossed) -> int:
    """Join the newest solid with those of its heights that it meets at a seam; its new number.

    Lines that nearly run along a seam cross it anywhere: as one solid, it does not matter where.
    """
    solid, enter, leave = crossed.solid, crossed.enter, crossed.leave
    row_in, row_out, sound = crossed.row_in, crossed.row_out, crossed.sound
    m = 0
    while m < new:
        i, j = solid[m], solid[new]
        after = abs(leave[m] - enter[new]) <= LENGTH
        before = abs(leave[new] - enter[m]) <= LENGTH
        alike = solids.tops[i] == solids.tops[j] and solids.bottoms[i] == solids.bottoms[j]
        if not (alike and (after or before)):
            m += 1
            continue
        if after:
            enter[new], row_in[new] = enter[m], row_in[m]
        else:
            leave[new], row_out[new] = leave[m], row_out[m]
        sound[new] = min(sound[new], sound[m])
        last = new - 1
        # The last but one takes the place of the one joined, the newest that of the last but one.
        for k in range(2):
            a = m if k == 0 else last
            b = last if k == 0 else new
            solid[a], row_in[a], row_out[a] = solid[b], row_in[b], row_out[b]
            sound[a], enter[a], leave[a] = sound[b], enter[b], leave[b]
        new = last
        m = 0
    return new


@kernel
def _between(cell: LineCell, used: int, cut_a: bool, cut_b: bool) -> bool:
    """Whether a solid, in two rows, lies between the bodies on every line of a cell."""
    if cut_a and least(cell, used + 1, 1.0, A_OUT, -1.0, A_OUT, 0.0) <= 0.0:
        return False
    if cut_b and least(cell, B_IN, 1.0, used, -1.0, used, 0.0) <= 0.0:
        return False
    return not (cut_a and cut_b and least(cell, B_IN, 1.0, A_OUT, -1.0, A_OUT, 0.0) <= 0.0)


@kernel
def _span(body: BodyLoop, axis: int) -> tuple[float, float]:
    """The range of a body along an axis of the frame."""
    low, high = math.inf, -math.inf
    for j in range(len(body.loop) // 2):
        low = min(low, body.loop[2 * j + axis] - body.radius)
        high = max(high, body.loop[2 * j + axis] + body.radius)
    return low, high


@entry()
def find_beam(
    a: BodyLoop,
    b: BodyLoop,
    solids: SolidLoops,
    q_low: float,
    q_high: float,
    finest: float,
    room: SearchRoom,
) -> int:
    """Look for a free line that falls on its way from body a to body b, y growing.

    q: range of slopes x / y of plan lines. finest: length below which a cell counts as hidden. The
    line found is left in `room.found`. Returns 1 seen, 0 hidden, -1 given up.
    """
    if a.high < b.low:
        return 0
    store, sizes, work, whole, found = room.store, room.sizes, room.work, room.whole, room.found
    tops, bottoms = solids.tops, solids.bottoms
    spare, corners, piece = work[0:_WIDE], work[_WIDE : 2 * _WIDE], work[2 * _WIDE : 3 * _WIDE]
    k = 3 * _WIDE
    chord_a, chord_b, chord = work[k : k + 8], work[k + 8 : k + 16], work[k + 16 : k + 24]
    span, best = work[k + 24 : k + 26], work[k + 26 : k + 30]
    k += 30
    n = DEMANDS
    zs, at, enter = work[k : k + n], work[k + n : k + 2 * n], work[k + 2 * n : k + 3 * n]
    leave, rows = work[k + 3 * n : k + 4 * n], work[k + 4 * n : len(work)]
    ups, row, alt, sound = whole[0:n], whole[n : 2 * n], whole[2 * n : 3 * n], whole[3 * n : 4 * n]
    demands = Demands(ups, zs, at, row, alt, sound)
    crossed = Crossed(
        whole[4 * n : 5 * n],
        enter,
        leave,
        whole[5 * n : 6 * n],
        whole[6 * n : 7 * n],
        whole[7 * n : 8 * n],
    )
    choices = Choices(
        whole[8 * n : 9 * n], whole[9 * n : 10 * n], whole[10 * n : 11 * n], whole[11 * n : 12 * n]
    )
    edges = whole[12 * n : 12 * n + 2]
    low_a, high_a = _span(a, 0)
    low_b, high_b = _span(b, 0)
    wide = max(1.0, high_a, -low_a, high_b, -low_b)
    a_first, a_last = _span(a, 1)
    b_first, b_last = _span(b, 1)
    reach = max(1.0, abs(a_first), abs(a_last), abs(b_first), abs(b_last))
    wide += max(abs(q_low), abs(q_high)) * reach
    store[0], store[1], store[2], store[3] = -wide, q_low, wide, q_low
    store[4], store[5], store[6], store[7] = wide, q_high, -wide, q_high
    sizes[0] = 4
    # The oldest cell first, so that a wide view is found before the rim of another is searched.
    taken, added = 0, 1
    while taken < added:
        slot = taken % CELLS
        taken += 1
        if taken > _LOOKS:
            return -1
        n = sizes[slot]
        for k in range(2 * n):
            corners[k] = store[slot * 2 * CORNERS + k]
        n = keep_meeting(corners, n, a, spare)
        if n >= 3:
            n = keep_meeting(corners, n, b, spare)
        if n < 3:
            continue
        p0, p1, q0, q1 = math.inf, -math.inf, math.inf, -math.inf
        p = q = 0.0
        for k in range(n):
            p0, p1 = min(p0, corners[2 * k]), max(p1, corners[2 * k])
            q0, q1 = min(q0, corners[2 * k + 1]), max(q1, corners[2 * k + 1])
            p += corners[2 * k]
            q += corners[2 * k + 1]
        if p1 - p0 < finest and (q1 - q0) * reach < finest:
            continue
        p /= n
        q /= n
        cell = LineCell(corners, n, p, q, rows, best)
        # Solids from top to bottom of all that can be, across the whole cell.
        hidden = False
        for i in range(len(tops)):
            if (
                tops[i] >= a.high
                and bottoms[i] <= b.low
                and blocked_whole(cell, solids, i, a_last, b_first)
            ):
                hidden = True
                break
        if hidden:
            continue
        best[0] = 0.0
        # The line to look at: the middle of the cell, or a corner that meets both bodies.
        meets = False
        for k in range(n + 1):
            lp = p if k == 0 else corners[2 * k - 2]
            lq = q if k == 0 else corners[2 * k - 1]
            if chord_of_body(a, lp, lq, chord_a) and chord_of_body(b, lp, lq, chord_b):
                meets = True
                p, q = lp, lq
                break
        if meets and b_last < a_first:
            continue
        cell = LineCell(corners, n, p, q, rows, best)
        if meets:
            a0, a1, b0, b1 = chord_a[0], chord_a[4], chord_b[0], chord_b[4]
            for k in range(4):
                if k < 2:
                    body_row(cell, a, k == 0, k, chord)
                else:
                    body_row(cell, b, k == 2, k, chord)
                row[k], alt[k], sound[k] = k, -1, 1
                ups[k] = 1 - k % 2
            # Bodies that overlap on the plan: lines along which b lies behind a are no way to it.
            ahead = b1 >= a0
            if not ahead and least(cell, 0, 1.0, 3, -1.0, 3, 0.0) >= 0.0:
                continue
            zs[0], zs[1], zs[2], zs[3] = a.low, a.high, b.low, b.high
            at[0], at[1], at[2], at[3] = a0, a1, b0, b1
            # Solids over this line, each in two rows: where it is come to and left.
            items = 0
            used = 4
            closed = False
            for i in range(len(tops)):
                if tops[i] <= b.low or bottoms[i] >= a.high:
                    continue
                if not chord_of_solid(solids, i, p, q, span, edges):
                    continue
                y0, y1 = span[0], span[1]
                if y0 >= b1 or y1 <= a0:
                    continue
                # What of it lies within a body of its own heights, or beyond one, is left out.
                cut_a, cut_b = tops[i] > a.low + FLUSH, bottoms[i] < b.high - FLUSH
                if cut_a and y0 < a1 - FLUSH:
                    y0 = a1
                if cut_b and y1 > b0 + FLUSH:
                    y1 = b0
                if y0 >= y1:
                    continue
                # Every line from body to body passes over it, or under it.
                if b0 > a0 and y0 >= a0 and y1 <= b0:
                    slope = (b.low - a.low) / (b0 - a0)
                    if tops[i] <= a.low + slope * ((y1 if slope < 0.0 else y0) - a0):
                        continue
                if b1 > a1 and y0 >= a1 and y1 <= b1:
                    slope = (b.high - a.high) / (b1 - a1)
                    if bottoms[i] >= a.high + slope * ((y0 if slope < 0.0 else y1) - a1):
                        continue
                if items >= DEMANDS - 8:
                    return -1
                good = solid_row(cell, solids, i, edges[0], True, used)
                good = solid_row(cell, solids, i, edges[1], False, used + 1) and good
                good = good and _between(cell, used, cut_a, cut_b)
                if not (tops[i] < a.high or bottoms[i] > b.low):
                    closed = True
                    if good:
                        hidden = True
                        break
                    continue
                crossed.solid[items], crossed.sound[items] = i, 1 if good else 0
                crossed.row_in[items], crossed.row_out[items] = used, used + 1
                enter[items], leave[items] = y0, y1
                items = 1 + _joined(items, solids, crossed)
                used += 2
            if not hidden:
                state = 0
                for k in range(1, 4):
                    if state < 2:
                        state = max(state, barred(cell, demands, k, k + 1))
                if state < 2:
                    look = CellLook(cell, a, b, solids, crossed, demands)
                    state = choose(look, items, state, closed, choices)
                if state == 0 and ahead and not closed:
                    found[0], found[1] = p, q
                    line_for(demands, 4 + items, found)
                    return 1
                hidden = state == 2
        if hidden:
            continue
        # Halve the cell: at a corner that decides, else across its longer side.
        for j in range(len(a.loop) // 2 if len(a.loop) > 4 else 0):
            cut_at(cell, a.loop[2 * j], a.loop[2 * j + 1])
        for j in range(len(b.loop) // 2 if len(b.loop) > 4 else 0):
            cut_at(cell, b.loop[2 * j], b.loop[2 * j + 1])
        ca, cb, cc = 1.0, best[1], best[2]
        if best[0] <= 0.02 * max(p1 - p0, (q1 - q0) * reach):
            if p1 - p0 >= (q1 - q0) * reach:
                ca, cb, cc = 1.0, 0.0, 0.5 * (p0 + p1)
            else:
                ca, cb, cc = 0.0, 1.0, 0.5 * (q0 + q1)
        if added - taken + 2 > CELLS:
            return -1
        if n > CORNERS - 8:
            corners[0], corners[1], corners[2], corners[3] = p0, q0, p1, q0
            corners[4], corners[5], corners[6], corners[7] = p1, q1, p0, q1
            n = 4
        for half in range(2):
            sign = 1.0 if half == 0 else -1.0
            for k in range(2 * n):
                piece[k] = corners[k]
            m = clip_cell(piece, n, sign * ca, sign * cb, sign * cc, spare)
            if m >= 3:
                slot = added % CELLS
                for k in range(2 * m):
                    store[slot * 2 * CORNERS + k] = piece[k]
                sizes[slot] = m
                added += 1
    return 0
