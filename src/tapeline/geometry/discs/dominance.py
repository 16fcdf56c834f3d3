"""Kernels: generators of a reach, and which of them gets to a place first.

A generator is a start or an arc taken up at an angle; all places its last legs lead to lie in a
fan of rays. Rivals of one along a front are those that get to a place of it sooner.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel
from tapeline.geometry.discs.board import FreeSpace
from tapeline.geometry.discs.clearance import leg_free, near_point
from tapeline.geometry.discs.clearance_grid import leg_clear, outside_solids
from tapeline.geometry.discs.tangent_graph import NODE, TIE, TURN, Search, search, tangent_cost

__all__ = [
    "GENERATOR",
    "NOWHERE",
    "TIED",
    "Place",
    "Reaching",
    "bury",
    "cheapest",
    "faces",
    "rival",
    "rivals_near",
    "sources",
    "spread_out",
    "within",
]

_TAU = 2.0 * math.pi
#: Floats of a generator: x, y, radius, sense, angle, ahead, cost, the direction of the angle as a
#: unit vector, node; then the first ray's arc radius as a unit vector, the last one's, and the
#: least and the most that places before it can have along these (see `faces`).
GENERATOR = 16
#: Given where the disc may not stand at the start.
NOWHERE = 10
#: Length: how far outside a fan of rays a place is that none of them leads to.
_WIDE = 1e-6
#: Length: costs closer than this tie.
TIED = 1e-8
#: Length: how much more kindly than by slack a last leg to the border is looked at.
_KIND = 1e-11
#: Length: a leg that dips into what it passes by no more than slack begins no farther behind it.
_GRAZE = 0.01


@kernel
def _gather(asked: Search, V: list[float]) -> None:
    """Write the states that a search without goals took up as generators to V."""
    space, (C, _, A, room) = asked.space, asked.circles
    found, cand, F, K = space.found, space.candidates, space.nodes, space.links
    for i in range(space.told[0]):
        node = found[i]
        f, v = NODE * node, GENERATOR * i
        V[v], V[v + 1], V[v + 2], V[v + 3] = F[f + 4], F[f + 5], 0.0, 0.0
        V[v + 4], V[v + 5], V[v + 6], V[v + 7] = 0.0, _TAU, 0.0, 1.0
        V[v + 8], V[v + 9] = 0.0, float(node)
        V[v + 10] = V[v + 11] = V[v + 12] = V[v + 13] = 0.0
        V[v + 14], V[v + 15] = -1.0, 1.0
        if K[6 * node] < 0:
            continue
        c = cand[K[6 * node]]
        a = 2 * (room * c + K[6 * node + 2] // 2)
        ahead = _TAU
        if A[a + 1] - A[a] < _TAU - TURN:
            ahead = max(0.0, A[a + 1] - A[a] - F[f + 7])
        if C[3 * c + 2] == 0.0:
            ahead = math.pi
        V[v], V[v + 1] = C[3 * c], C[3 * c + 1]
        V[v + 2], V[v + 3] = C[3 * c + 2], float(K[6 * node + 1])
        V[v + 4], V[v + 5], V[v + 6] = F[f + 1], ahead, F[f]
        V[v + 7], V[v + 8] = math.cos(F[f + 1]), math.sin(F[f + 1])
        if ahead <= math.pi:
            last = F[f + 1] + K[6 * node + 1] * ahead
            V[v + 10], V[v + 11] = V[v + 7], V[v + 8]
            V[v + 12], V[v + 13] = math.cos(last), math.sin(last)
            V[v + 14] = C[3 * c + 2] * math.cos(ahead) - _WIDE
            V[v + 15] = C[3 * c + 2] + _WIDE


@entry()
def sources(sx: float, sy: float, limit: float, asked: Search, V: list[float]) -> int:
    """All states of a disc within a limit, written to V as generators.

    asked: without goals. V: GENERATOR floats for each that `found` has room for. Gives as `search`;
    4 when `found` is full, NOWHERE if the disc may not stand at the start.
    """
    if not leg_clear(sx, sy, sx, sy, 0.0, asked.free) or not outside_solids(sx, sy, asked.free):
        return NOWHERE
    code = search(sx, sy, limit, asked)
    if code != 0:
        return code
    if asked.space.told[0] == len(asked.space.found):
        return 4
    _gather(asked, V)
    return 0


@kernel
def faces(V: Floats, f: int, dx: float, dy: float) -> bool:
    """Whether a place, from the middle of a generator's arc, may be on one of its rays.

    All are on the inner side of the first, and of the last as far as it is turned from the first.
    """
    more = 1e-8 * (abs(dx) + abs(dy))
    return (
        dx * V[f + 10] + dy * V[f + 11] <= V[f + 15] + more
        and dx * V[f + 12] + dy * V[f + 13] >= V[f + 14] - more
    )


@kernel
def _arrival(
    X: Floats, f: int, x: float, y: float, limit: float, slack: float
) -> tuple[float, float, float]:
    """`tangent_cost` of a generator in X, without an angle more than it takes.

    Gives infinity where none leads there or the length is more than limit; and where the last leg
    begins.
    """
    gx, gy, radius, sense = X[f], X[f + 1], X[f + 2], X[f + 3]
    dx, dy = x - gx, y - gy
    d2 = dx * dx + dy * dy
    # The last leg alone, a tangent of the arc's circle, must not be too long.
    far = limit - X[f + 6]
    if far < 0.0 or d2 - radius * radius > far * far or not faces(X, f, dx, dy):
        return math.inf, gx, gy
    d = math.sqrt(d2)
    if sense == 0.0:
        return X[f + 6] + d, gx, gy
    if radius == 0.0 or d == 0.0:
        c = tangent_cost(x, y, gx, gy, radius, int(sense), X[f + 4], X[f + 5], X[f + 6], slack)
        return c, gx, gy
    if d < radius - TURN - 2.0 * slack:
        return math.inf, gx, gy
    v = (d - radius) * (d + radius)
    t = math.sqrt(v) if v > 0.0 else 0.0
    # From the place's direction to that of the tangent's point, by cosine and sine.
    c, s = min(1.0, radius / d), sense * t / d
    ux, uy = (dx * c + dy * s) / d, (dy * c - dx * s) / d
    ax, ay = X[f + 7], X[f + 8]
    px, py = gx + radius * ux, gy + radius * uy
    # The chord is no longer than the arc.
    wx, wy = ux - ax, uy - ay
    if X[f + 6] + t + radius * math.sqrt(wx * wx + wy * wy) > limit + _WIDE:
        return math.inf, px, py
    turned = math.atan2(sense * (ax * uy - ay * ux), ax * ux + ay * uy)
    if turned < 0.0:
        turned += _TAU
    if turned > _TAU - TURN:
        turned = 0.0
    elif turned > X[f + 5] + TURN:
        return math.inf, px, py
    return X[f + 6] + radius * turned + t, px, py


@entry()
def cheapest(x: float, y: float, limit: float, V: Floats, n: int, free: FreeSpace) -> int:
    """The generator that reaches a place with the least length up to limit, -1 if none does."""
    best, who = limit + TIE, -1
    for i in range(n):
        c, px, py = _arrival(V, GENERATOR * i, x, y, best, free.slack)
        if c > best or (c == best and who >= 0):
            continue
        if leg_free(px, py, x, y, free.r, free.slack, free.board):
            best, who = c, i
    return who


@kernel
def bury(V: Floats, n: int, dead: list[int]) -> None:
    """Mark generators that another on the same arc makes needless."""
    for own in range(n):
        o = GENERATOR * own
        dead[own] = 0
        if V[o + 3] == 0.0:
            continue
        for i in range(n):
            f = GENERATOR * i
            if abs(V[f] - V[o]) > TIE or abs(V[f + 1] - V[o + 1]) > TIE:
                continue
            if i == own or V[f + 3] != V[o + 3] or abs(V[f + 2] - V[o + 2]) > TIE:
                continue
            turn = (V[o + 3] * (V[o + 4] - V[f + 4])) % _TAU
            if turn > _TAU - TURN:
                turn = 0.0
            if turn > (TURN if V[o + 2] == 0.0 else V[f + 5] + TURN):
                continue
            lead = V[o + 6] - V[f + 6] - V[o + 2] * turn
            if lead > TIE or (lead >= -TIE and i < own and dead[i] == 0):
                dead[own] = 1
                break


@kernel
def spread_out(V: Floats, n: int, dead: Ints, X: list[float]) -> int:
    """Copy the generators that are not dead to X, in their order. Gives their count."""
    live = 0
    for i in range(n):
        if dead[i]:
            continue
        f, o = GENERATOR * i, GENERATOR * live
        for k in range(GENERATOR):
            X[o + k] = V[f + k]
        live += 1
    return live


class Reaching(NamedTuple):
    """A reach: how far it goes, over what, and where from."""

    allowance: float
    free: FreeSpace
    #: GENERATOR floats each of the first `size` generators.
    generators: Floats
    size: int
    #: Scratch, an int a generator.
    some: list[int]
    #: Free arcs of discs to stay in: x, y, radius, from, to.
    keep: list[float]


class Place(NamedTuple):
    """A place of the border, and the obstacle that it is on, grown by the disc."""

    x: float
    y: float
    #: The obstacle: a disc about (ox, oy), or (radius 0) one with a straight edge.
    ox: float
    oy: float
    radius: float
    #: Points out of it; (0, 0) where the reach is inside it.
    mx: float
    my: float


@kernel
def within(place: Place, hint: int, reach: Reaching) -> int:
    """A generator from which a place is in reach; -1: there is none. The hinted one goes first."""
    limit, free, X, n, _, _ = reach
    x, y, ox, oy, og, mx, my = place
    slack = free.slack
    give = 0.01 * slack + _KIND
    g = og - slack - give
    behind = _GRAZE if slack < 1e-8 else math.inf
    for k in range(-1, n):
        i = hint if k < 0 else k
        if k == hint:
            continue
        f = GENERATOR * i
        # From behind the edge none gets there.
        if (x - X[f]) * mx + (y - X[f + 1]) * my > X[f + 2] + behind:
            continue
        c, px, py = _arrival(X, f, x, y, limit, slack)
        if c > limit:
            continue
        if og > 0.0:
            if near_point(ox, oy, px, py, x, y) < g * g:
                continue
        elif (px - x) * mx + (py - y) * my < -2.0 * slack - 1e-9:
            continue
        if leg_clear(px, py, x, y, give, free):
            return i
    return -1


@kernel
def rivals_near(x: float, y: float, far: float, own: int, look: float, reach: Reaching) -> int:
    """Note in `some` which generators may be rivals at places no farther than `far` off.

    look: as `rival` takes it, at the most. Gives their count.
    """
    allowance, _, X, n, some, _ = reach
    count = 0
    more = far + _WIDE
    for i in range(n):
        f = GENERATOR * i
        dx, dy = x - X[f], y - X[f + 1]
        left = allowance + look - X[f + 6]
        if i == own or left <= 0.0:
            continue
        # A tangent's length, and the tests of `faces`, with room for the places about.
        out = math.sqrt(left * left + X[f + 2] * X[f + 2]) + more
        if (
            dx * dx + dy * dy > out * out
            or dx * X[f + 10] + dy * X[f + 11] > X[f + 15] + more
            or dx * X[f + 12] + dy * X[f + 13] < X[f + 14] - more
        ):
            continue
        some[count] = i
        count += 1
    return count


@kernel
def rival(
    x: float, y: float, own: int, look: float, count: int, reach: Reaching
) -> tuple[float, float, float, float]:
    """What another generator costs at a place beyond the allowance, at most `look`.

    Asked are the first `count` of `some`, not `own` among them. With the excess the direction in
    which the last leg arrives, and that leg's length.
    """
    allowance, free, X, _, some, _ = reach
    slack = free.slack
    best = look
    ux = uy = length = 0.0
    o = GENERATOR * own
    # Ends of fronts lie where a ray meets something, to the last bit: look a hair more kindly.
    give = 0.01 * slack + _KIND
    g = X[o + 2] - slack - give
    for q in range(count):
        i = some[q]
        f = GENERATOR * i
        c, px, py = _arrival(X, f, x, y, allowance + best, slack)
        excess = c - allowance
        if excess >= best:
            continue
        if g > 0.0 and near_point(X[o], X[o + 1], px, py, x, y) < g * g:
            continue
        if not leg_clear(px, py, x, y, give, free):
            continue
        if X[f + 2] == 0.0 and X[o + 2] == 0.0 and abs(excess) <= TIED:
            ex, ey = X[f] - X[o], X[f + 1] - X[o + 1]
            if ex * ex + ey * ey <= 1e-18:
                # One front twice: the first has it.
                if i > own:
                    continue
                excess = -1e-3
                if excess >= best:
                    continue
        best = excess
        ux, uy = x - px, y - py
        length = math.sqrt(ux * ux + uy * uy)
        if length > 0.0:
            ux, uy = ux / length, uy / length
    return best, ux, uy, length
