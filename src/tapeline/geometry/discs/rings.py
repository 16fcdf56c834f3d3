"""Kernel: pieces of border put together to rings."""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.occlusion import SAME, sort

__all__ = ["chained"]


@kernel
def chained(
    P: Floats,
    starts: Ints,
    turned: list[int],
    pieces: int,
    eps: float,
    order: list[int],
    Y: list[float],
    out: list[float],
    rings: list[int],
    areas: list[float],
) -> int:
    """Put pieces together to rings, each going on where the one before ends, as near as there is.

    out: corners; rings: where each ring begins in out, and the end. turned: spoilt. order, Y:
    scratch. Gives the count of rings, -1 if out or rings is too short.
    """
    found = 0
    rings[0] = 0
    # Beginnings in the order of x; y is infinite once a piece is taken.
    for j in range(pieces):
        c = 2 * (starts[1 + j] if turned[j] == 0 else starts[2 + j] - 1)
        order[j], Y[j] = j, P[c]
    sort(order, Y, pieces)
    for k in range(pieces):
        j = order[k]
        c = 2 * (starts[1 + j] if turned[j] == 0 else starts[2 + j] - 1)
        Y[pieces + k] = P[c + 1]
        order[pieces + j] = k
    for one in range(pieces):
        if turned[one] < 0:
            continue
        at = rings[found]
        o = at
        i = one
        while i >= 0:
            lo, hi = starts[1 + i], starts[2 + i]
            backwards = turned[i] == 1
            turned[i] = -1
            Y[pieces + order[pieces + i]] = math.inf
            if 2 * (o + hi - lo) > len(out):
                return -1
            for k in range(lo, hi):
                c = 2 * (lo + hi - 1 - k if backwards else k)
                x, y = P[c], P[c + 1]
                if o > at:
                    dx, dy = x - out[2 * o - 2], y - out[2 * o - 1]
                    if dx * dx + dy * dy < SAME * SAME:
                        continue
                out[2 * o], out[2 * o + 1] = x, y
                o += 1
            x, y = out[2 * o - 2], out[2 * o - 1]
            # A stray sliver ends by its own beginning, not at another one far away.
            dx, dy = out[2 * at] - x, out[2 * at + 1] - y
            best = dx * dx + dy * dy
            i = -1
            lo, hi = 0, pieces
            while lo < hi:
                m = (lo + hi) // 2
                if Y[m] < x:
                    lo = m + 1
                else:
                    hi = m
            for up in range(2):
                k = lo if up else lo - 1
                while 0 <= k < pieces:
                    dx, dy = Y[k] - x, Y[pieces + k] - y
                    if dx * dx > best:
                        break
                    d2 = dx * dx + dy * dy
                    # Of two as near the first; none is as near as the ring's own beginning.
                    if d2 < best or (d2 == best and 0 <= order[k] < i):
                        best, i = d2, order[k]
                    k += 1 if up else -1
        dx, dy = out[2 * at] - out[2 * o - 2], out[2 * at + 1] - out[2 * o - 1]
        if o - at > 1 and dx * dx + dy * dy < SAME * SAME:
            o -= 1
        # A ring thinner than eps is border on both sides: none of it is farther off than eps.
        area = around = 0.0
        px, py = out[2 * o - 2], out[2 * o - 1]
        for k in range(at, o):
            x, y = out[2 * k], out[2 * k + 1]
            area += px * y - x * py
            dx, dy = x - px, y - py
            around += math.sqrt(dx * dx + dy * dy)
            px, py = x, y
        if o - at > 2 and abs(area) > eps * around:
            if found + 2 > len(rings):
                return -1
            areas[found] = 0.5 * area
            found += 1
            rings[found] = o
    return found
