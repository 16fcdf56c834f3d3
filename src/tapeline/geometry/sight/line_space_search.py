"""Kernel of sight between two upright bodies past upright solids (`bodies.py`): the search.

All plan lines x = p + q y that meet both bodies form a set of points (p, q), covered by convex
cells; the lines through one corner form a straight line there, so cells are cut where a corner
decides. Whether the lines of a cell can be free at all, `transversals.py` says. Where the line in a
cell's middle is free, there is sight. Bodies stand in a cell as half planes touching them, round
solids as chords of them: both err on the side of sight, by the square of the size of the cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.sight.line_space import (
    CORNERS,
    ROW,
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
    Floats,
    Ints,
    Room,
    barred,
    blocked_whole,
    choose,
    line_for,
)

__all__ = ["CELLS", "DEMANDS", "find_beam", "room_sizes"]

#: Cells waiting at most, demands on a line at most.
CELLS = 1024
DEMANDS = 96

#: Cells looked at before the search is given up.
_LOOKS = 20_000


@kernel
@no_refcount
def _joined(
    new: int,
    bottoms: Floats,
    tops: Floats,
    item: Ints,
    item_in: Ints,
    item_out: Ints,
    item_ok: Ints,
    enter: Room,
    leave: Room,
) -> int:
    """Join the newest solid with those of its heights that it meets at a seam; its new number.

    Lines that nearly run along a seam cross it anywhere: as one solid, it does not matter where.
    """
    m = 0
    while m < new:
        i, j = item[m], item[new]
        after = abs(leave[m] - enter[new]) <= LENGTH
        before = abs(leave[new] - enter[m]) <= LENGTH
        if tops[i] != tops[j] or bottoms[i] != bottoms[j] or not (after or before):
            m += 1
            continue
        if after:
            enter[new], item_in[new] = enter[m], item_in[m]
        else:
            leave[new], item_out[new] = leave[m], item_out[m]
        item_ok[new] = min(item_ok[new], item_ok[m])
        last = new - 1
        # The last but one takes the place of the one joined, the newest that of the last but one.
        for k in range(2):
            a = m if k == 0 else last
            b = last if k == 0 else new
            item[a], item_in[a], item_out[a] = item[b], item_in[b], item_out[b]
            item_ok[a], enter[a], leave[a] = item_ok[b], enter[b], leave[b]
        new = last
        m = 0
    return new


@kernel
@no_refcount
def _between(n: int, rows: Room, used: int, cut_a: bool, cut_b: bool) -> bool:
    """Whether a solid, in two rows, lies between the bodies on every line of a cell."""
    if cut_a and least(n, rows, used + 1, 1.0, A_OUT, -1.0, A_OUT, 0.0) <= 0.0:
        return False
    if cut_b and least(n, rows, B_IN, 1.0, used, -1.0, used, 0.0) <= 0.0:
        return False
    return not (cut_a and cut_b and least(n, rows, B_IN, 1.0, A_OUT, -1.0, A_OUT, 0.0) <= 0.0)


@kernel
@no_refcount
def _span(loop: Floats, radius: float, axis: int, out: Room) -> None:
    """The range of a body along an axis of the frame."""
    out[0] = math.inf
    out[1] = -math.inf
    for j in range(len(loop) // 2):
        out[0] = min(out[0], loop[2 * j + axis] - radius)
        out[1] = max(out[1], loop[2 * j + axis] + radius)


@entry(
    "int64(float64[::1], float64, float64, float64, float64[::1], float64, float64, float64,"
    " float64[::1], float64[::1], int64[::1], float64[::1], float64[::1], float64[::1],"
    " float64, float64, float64, float64[::1], int64[::1], float64[::1], int64[::1],"
    " float64[::1])"
)
@no_refcount
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
    work, whole: rooms of `room_sizes`. out: p, q, height at y = 0, slope. Returns 1 seen, 0
    hidden, -1 given up.
    """
    solids = len(radii)
    if a_high < b_low:
        return 0
    width = 2 * CORNERS + 4
    spare, cell, piece = work[0:width], work[width : 2 * width], work[2 * width : 3 * width]
    small = 3 * width
    chord_a, chord_b = work[small : small + 8], work[small + 8 : small + 16]
    chord, span = work[small + 16 : small + 24], work[small + 24 : small + 26]
    best = work[small + 26 : small + 30]
    large = small + 30
    zs, at = work[large : large + DEMANDS], work[large + DEMANDS : large + 2 * DEMANDS]
    enter = work[large + 2 * DEMANDS : large + 3 * DEMANDS]
    leave = work[large + 3 * DEMANDS : large + 4 * DEMANDS]
    rows = work[large + 4 * DEMANDS : large + 4 * DEMANDS + 2 * DEMANDS * ROW]
    ups, row, alt = whole[0:DEMANDS], whole[DEMANDS : 2 * DEMANDS], whole[2 * DEMANDS : 3 * DEMANDS]
    sound, choice = whole[3 * DEMANDS : 4 * DEMANDS], whole[4 * DEMANDS : 5 * DEMANDS]
    item, failing = whole[5 * DEMANDS : 6 * DEMANDS], whole[6 * DEMANDS : 7 * DEMANDS]
    item_in, item_out = whole[7 * DEMANDS : 8 * DEMANDS], whole[8 * DEMANDS : 9 * DEMANDS]
    item_ok, order = whole[9 * DEMANDS : 10 * DEMANDS], whole[10 * DEMANDS : 11 * DEMANDS]
    ways, edges = whole[11 * DEMANDS : 12 * DEMANDS], whole[12 * DEMANDS : 12 * DEMANDS + 2]
    _span(a, a_radius, 0, span)
    wide = max(1.0, span[1], -span[0])
    _span(b, b_radius, 0, span)
    wide = max(wide, span[1], -span[0])
    _span(a, a_radius, 1, span)
    a_first, a_last = span[0], span[1]
    _span(b, b_radius, 1, span)
    b_first, b_last = span[0], span[1]
    reach = max(1.0, abs(a_first), abs(a_last), abs(b_first), abs(b_last))
    wide += max(abs(q_low), abs(q_high)) * reach
    store[0], store[1], store[2], store[3] = -wide, q_low, wide, q_low
    store[4], store[5], store[6], store[7] = wide, q_high, -wide, q_high
    sizes[0] = 4
    # The oldest cell first, so that a wide view is found before the rim of another is searched.
    taken = 0
    added = 1
    while taken < added:
        slot = taken % CELLS
        taken += 1
        if taken > _LOOKS:
            return -1
        n = sizes[slot]
        for k in range(2 * n):
            cell[k] = store[slot * 2 * CORNERS + k]
        n = keep_meeting(cell, n, a, a_radius, spare)
        if n >= 3:
            n = keep_meeting(cell, n, b, b_radius, spare)
        if n < 3:
            continue
        p0, p1, q0, q1 = math.inf, -math.inf, math.inf, -math.inf
        p = 0.0
        q = 0.0
        for k in range(n):
            p0, p1 = min(p0, cell[2 * k]), max(p1, cell[2 * k])
            q0, q1 = min(q0, cell[2 * k + 1]), max(q1, cell[2 * k + 1])
            p += cell[2 * k]
            q += cell[2 * k + 1]
        if p1 - p0 < finest and (q1 - q0) * reach < finest:
            continue
        p /= n
        q /= n
        # Solids from top to bottom of all that can be, across the whole cell.
        hidden = False
        for i in range(solids):
            if tops[i] >= a_high and bottoms[i] <= b_low:
                first, last = starts[i], starts[i + 1]
                if blocked_whole(cell, n, xs, ys, first, last, radii[i], a_last, b_first):
                    hidden = True
                    break
        if hidden:
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
                p, q = lp, lq
                break
        if meets and b_last < a_first:
            continue
        if meets:
            a0, a1, b0, b1 = chord_a[0], chord_a[4], chord_b[0], chord_b[4]
            for k in range(4):
                if k < 2:
                    body_row(cell, n, p, q, a, a_radius, k == 0, rows, k, chord)
                else:
                    body_row(cell, n, p, q, b, b_radius, k == 2, rows, k, chord)
                row[k], alt[k], sound[k] = k, -1, 1
                ups[k] = 1 - k % 2
            # Bodies that overlap on the plan: lines along which b lies behind a are no way to it.
            ahead = b1 >= a0
            if not ahead and least(n, rows, 0, 1.0, 3, -1.0, 3, 0.0) >= 0.0:
                continue
            zs[0], zs[1], zs[2], zs[3] = a_low, a_high, b_low, b_high
            at[0], at[1], at[2], at[3] = a0, a1, b0, b1
            # Solids over this line, each in two rows: where it is come to and left.
            items = 0
            used = 4
            closed = False
            for i in range(solids):
                first, last = starts[i], starts[i + 1]
                if tops[i] <= b_low or bottoms[i] >= a_high:
                    continue
                if not chord_of_solid(xs, ys, first, last, radii[i], p, q, span, edges):
                    continue
                y0, y1 = span[0], span[1]
                if y0 >= b1 or y1 <= a0:
                    continue
                # What of it lies within a body of its own heights, or beyond one, is left out.
                cut_a = tops[i] > a_low + FLUSH
                cut_b = bottoms[i] < b_high - FLUSH
                if cut_a and y0 < a1 - FLUSH:
                    y0 = a1
                if cut_b and y1 > b0 + FLUSH:
                    y1 = b0
                if y0 >= y1:
                    continue
                # Every line from body to body passes over it, or under it.
                if b0 > a0 and y0 >= a0 and y1 <= b0:
                    slope = (b_low - a_low) / (b0 - a0)
                    if tops[i] <= a_low + slope * ((y1 if slope < 0.0 else y0) - a0):
                        continue
                if b1 > a1 and y0 >= a1 and y1 <= b1:
                    slope = (b_high - a_high) / (b1 - a1)
                    if bottoms[i] >= a_high + slope * ((y0 if slope < 0.0 else y1) - a1):
                        continue
                if items >= DEMANDS - 8:
                    return -1
                e, f, r = edges[0], edges[1], radii[i]
                good = solid_row(cell, n, p, q, xs, ys, first, last, r, e, True, rows, used, best)
                good = (
                    solid_row(cell, n, p, q, xs, ys, first, last, r, f, False, rows, used + 1, best)
                    and good
                )
                good = good and _between(n, rows, used, cut_a, cut_b)
                if not (tops[i] < a_high or bottoms[i] > b_low):
                    closed = True
                    if good:
                        hidden = True
                        break
                    continue
                item[items], item_in[items], item_out[items] = i, used, used + 1
                item_ok[items] = 1 if good else 0
                enter[items], leave[items] = y0, y1
                items = 1 + _joined(
                    items, bottoms, tops, item, item_in, item_out, item_ok, enter, leave
                )
                used += 2
            if not hidden:
                state = 0
                for k in range(1, 4):
                    if state < 2:
                        state = max(
                            state,
                            barred(cell, n, k, k + 1, ups, zs, at, rows, row, alt, sound, best),
                        )
                if state < 2:
                    state = choose(
                        cell,
                        n,
                        items,
                        state,
                        closed,
                        a_low,
                        a_high,
                        b_low,
                        b_high,
                        bottoms,
                        tops,
                        item,
                        item_in,
                        item_out,
                        item_ok,
                        enter,
                        leave,
                        choice,
                        failing,
                        order,
                        ways,
                        ups,
                        zs,
                        at,
                        rows,
                        row,
                        alt,
                        sound,
                        best,
                    )
                if state == 0 and ahead and not closed:
                    out[0], out[1] = p, q
                    line_for(4 + items, ups, zs, at, out)
                    return 1
                hidden = state == 2
        if hidden:
            continue
        # Halve the cell: at a corner that decides, else across its longer side.
        for j in range(len(a) // 2 if len(a) > 4 else 0):
            cut_at(cell, n, a[2 * j], a[2 * j + 1], best)
        for j in range(len(b) // 2 if len(b) > 4 else 0):
            cut_at(cell, n, b[2 * j], b[2 * j + 1], best)
        ca, cb, cc = 1.0, best[1], best[2]
        if best[0] <= 0.02 * max(p1 - p0, (q1 - q0) * reach):
            if p1 - p0 >= (q1 - q0) * reach:
                ca, cb, cc = 1.0, 0.0, 0.5 * (p0 + p1)
            else:
                ca, cb, cc = 0.0, 1.0, 0.5 * (q0 + q1)
        if added - taken + 2 > CELLS:
            return -1
        if n > CORNERS - 8:
            cell[0], cell[1], cell[2], cell[3] = p0, q0, p1, q0
            cell[4], cell[5], cell[6], cell[7] = p1, q1, p0, q1
            n = 4
        for half in range(2):
            sign = 1.0 if half == 0 else -1.0
            for k in range(2 * n):
                piece[k] = cell[k]
            m = clip_cell(piece, n, sign * ca, sign * cb, sign * cc, spare)
            if m >= 3:
                slot = added % CELLS
                for k in range(2 * m):
                    store[slot * 2 * CORNERS + k] = piece[k]
                sizes[slot] = m
                added += 1
    return 0


def room_sizes() -> tuple[int, int, int, int]:
    """Lengths of the rooms store, sizes, work and whole."""
    work = 3 * (2 * CORNERS + 4) + 30 + 4 * DEMANDS + 2 * DEMANDS * ROW
    return CELLS * 2 * CORNERS, CELLS, work, 12 * DEMANDS + 2
