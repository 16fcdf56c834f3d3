"""Kernels: many shortest routes to points in one call, their legs written out."""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.clearance_grid import leg_clear, outside_solids
from tapeline.geometry.discs.tangent_graph import LINK, NODE, TIE, Search, bound, search

__all__ = ["ANSWER", "LEG", "Questions", "ways", "write_legs"]

_TAU = 2.0 * math.pi
#: Whole numbers of an answer of `ways`: what came of it, states, tests, row of its first route.
ANSWER = 4
#: Floats of a row of `ways`. Its kind: 0 a line (ax, ay, bx, by), 1 an arc (cx, cy, radius, begin,
#: sweep), 2 the head of a route (length, how many legs follow, which goal).
LEG = 6
#: Angle: what is left of a whole turn by rounding is no turn.
_NO_TURN = 1e-9


class Questions(NamedTuple):
    """Questions to `ways`, and room for their answers."""

    #: Start and goal of each: x, y, x, y.
    points: Floats
    #: The length of each route; infinity if there is none.
    lengths: list[float]
    #: ANSWER whole numbers each: 0 found, 1 longer than the limit, 2 cut off, 3 no place to start,
    #: 4 no place at the goal; states made; segments tested; the row where its routes begin (given
    #: for the first). After the last: the end.
    answers: list[int]
    #: LEG floats a row: of each route a head, then its legs; of routes of one length the shortest
    #: comes first.
    rows: list[float]


@entry()
def write_legs(
    node: int, F: Floats, K: Ints, cand: Ints, C: Floats, Z: list[float], row: int
) -> int:
    """Write the legs that lead to a node to rows of Z, from `row` on. Gives the row after them.

    -1 when Z is too short. F, K, cand, C: as `search` has left them.
    """
    count = 0
    at = node
    for writing in range(2):
        at = node
        left = count
        while at > 0:
            f = NODE * at
            px, py, qx, qy, leave = F[f + 2], F[f + 3], F[f + 4], F[f + 5], F[f + 6]
            if qx != px or qy != py:
                if writing:
                    left -= 1
                    z = LEG * (row + left)
                    Z[z], Z[z + 1], Z[z + 2], Z[z + 3] = 0.0, px, py, qx
                    Z[z + 4], Z[z + 5] = qy, 0.0
                else:
                    count += 1
            at = K[LINK * at + 3]
            if at <= 0:
                break
            i = 3 * cand[K[LINK * at]]
            sense = K[LINK * at + 1]
            begin, radius = F[NODE * at + 1], C[i + 2]
            turned = (sense * (leave - begin)) % _TAU
            if turned > _TAU - _NO_TURN:
                turned = 0.0
            if radius * turned > 0.0:
                if writing:
                    left -= 1
                    z = LEG * (row + left)
                    Z[z], Z[z + 1], Z[z + 2], Z[z + 3] = 1.0, C[i], C[i + 1], radius
                    Z[z + 4], Z[z + 5] = begin, sense * turned
                else:
                    count += 1
        if LEG * (row + count) > len(Z):
            return -1
    return row + count


@kernel
def _widening(sx: float, sy: float, limit: float, tested: int, asked: Search) -> int:
    """`search` near the straight way to the goals first, as most routes are hardly longer, then
    farther. told: states and tests of all rounds together, and those `tested` before."""
    told = asked.space.told
    straight = bound(asked.goals.rows, asked.goals.first, sx, sy)
    extra = 0.05 * straight + 0.25
    states = 0
    while True:
        reach = min(limit, straight + extra)
        code = search(sx, sy, reach, asked)
        states += told[2]
        tested += told[4]
        if code != 0 or told[0] > 0 or told[1] == 0 or reach >= limit:
            told[2], told[4] = states, tested
            return code
        extra *= 4.0


@kernel
def _to_point(sx: float, sy: float, gx: float, gy: float, limit: float, asked: Search) -> int:
    """`search` for one point: the straight line first, then `_widening`.

    asked: with room for one goal. Gives as `search`, 10 if the disc may not stand at the start, 11
    if not at the goal. told: states and tests of all rounds together.
    """
    free, space = asked.free, asked.space
    F, K, found, told = space.nodes, space.links, space.found, space.told
    told[0] = told[1] = told[2] = told[3] = told[4] = 0
    # A disc that may follow the straight line may stand at both its ends.
    clear = leg_clear(sx, sy, gx, gy, 0.0, free)
    if not clear and not leg_clear(sx, sy, sx, sy, 0.0, free):
        return 10
    if not outside_solids(sx, sy, free):
        return 10
    if not clear and not leg_clear(gx, gy, gx, gy, 0.0, free):
        return 11
    # A disc with a radius that goes straight from outside of all solids never gets into one.
    if not (clear and free.r > free.slack) and not outside_solids(gx, gy, free):
        return 11
    dx, dy = gx - sx, gy - sy
    straight = math.sqrt(dx * dx + dy * dy)
    if straight > limit + TIE:
        told[1] = 1
        return 0
    if clear:
        for f in range(2 * NODE):
            F[f] = 0.0
        F[2], F[3], F[4], F[5] = sx, sy, sx, sy
        F[NODE], F[NODE + 6] = straight, 0.0
        F[NODE + 2], F[NODE + 3], F[NODE + 4], F[NODE + 5] = sx, sy, gx, gy
        K[0] = K[1] = K[2] = K[3] = K[4] = K[5] = -1
        K[6], K[7], K[8], K[9], K[10], K[11] = -2, 0, -1, 0, 0, -1
        found[0] = 1
        told[0], told[2], told[3], told[4], told[5] = 1, 2, 1, 1, 0
        return 0
    G = asked.goals.rows
    G[0], G[1], G[2], G[3], G[4], G[5] = 0.0, gx, gy, 0.0, 0.0, 0.0
    return _widening(sx, sy, limit, 1, asked)


@entry()
def ways(
    first: int, count: int, limit: float, questions: Questions, asked: Search, given: bool
) -> int:
    """The shortest routes of a disc for the questions `first` to `count` - 1.

    asked: with room for one point; or (given) with the goals instead of the questions' own, to the
    nearest of which a route is sought from where the disc may stand. Gives 0, or what ran out,
    told[6] being the number of the question to go on with: 1 nodes, 2 arcs of a circle, 3 scratch,
    4 `found`, 5 rows.
    """
    P, lengths, O, Z = questions  # noqa: E741
    space = asked.space
    F, K, found, told = space.nodes, space.links, space.found, space.told
    for i in range(first, count):
        told[6] = i
        o = ANSWER * i
        row = O[o + 3]
        k = 4 * i
        if given:
            code = _widening(P[k], P[k + 1], limit, 0, asked)
        else:
            code = _to_point(P[k], P[k + 1], P[k + 2], P[k + 3], limit, asked)
        lengths[i] = math.inf
        if code >= 10:
            O[o], O[o + 1], O[o + 2] = code - 7, 0, 0
        elif code > 0:
            return code
        else:
            O[o + 1], O[o + 2] = told[2], told[4]
            O[o] = 0 if told[0] > 0 else 2 - told[1]
        if O[o] == 0:
            if told[0] == len(found):
                return 4
            best = found[0]
            for k in range(1, told[0]):
                if F[NODE * found[k]] < F[NODE * best]:
                    best = found[k]
            lengths[i] = F[NODE * best]
            for k in range(-1, told[0]):
                node = best if k < 0 else found[k]
                if k >= 0 and (node == best or F[NODE * node] > lengths[i] + TIE):
                    continue
                if LEG * (row + 1) > len(Z):
                    return 5
                C = asked.circles.discs
                after = write_legs(node, F, K, space.candidates, C, Z, row + 1)
                if after < 0:
                    return 5
                z = LEG * row
                Z[z], Z[z + 1], Z[z + 2] = 2.0, F[NODE * node], after - row - 1
                Z[z + 3], Z[z + 4], Z[z + 5] = float(K[LINK * node + 4]), 0.0, 0.0
                row = after
        O[o + ANSWER + 3] = row
    return 0
