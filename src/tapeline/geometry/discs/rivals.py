"""Kernels: generators of a reach, and which of them gets to a place first.

A generator is a start or an arc taken up at an angle; all places its last legs lead to lie in a
fan of rays. Rivals of one along a front are those that get to a place of it sooner.
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import BOARD, Floats, Ints, near_point, segment_free
from tapeline.geometry.discs.search import NODE, TIE, TURN, tangent_cost
from tapeline.geometry.gears import bare, entry, kernel

__all__ = ["GENERATOR", "TIED", "cheapest", "clear", "faces", "gather", "rival"]

_TAU = 2.0 * math.pi
#: Floats of a generator: x, y, radius, sense, angle, ahead, cost, parent, angle left there, node;
#: then the first ray's arc radius as a unit vector, the last one's, and the least and the most
#: that places before it can have along these (see `faces`).
GENERATOR = 16
#: Length: how far outside a fan of rays a place is that none of them leads to.
_WIDE = 1e-6
#: Length: costs closer than this tie.
TIED = 1e-8


@entry(
    "void(int64[::1], int64, float64[::1], int64[::1], int64[::1], float64[::1], float64[::1], "
    "int64, float64[::1])"
)
@bare
def gather(
    found: Ints,
    n: int,
    F: Floats,
    K: list[int],
    cand: Ints,
    C: Floats,
    A: Floats,
    room: int,
    V: list[float],
) -> None:
    """Write the states that a search without goals took up as generators to V.

    The number of each generator is noted in its node, in the place of a goal.
    """
    for i in range(n):
        node = found[i]
        K[6 * node + 4] = i
        f, v = NODE * node, GENERATOR * i
        V[v], V[v + 1], V[v + 2], V[v + 3] = F[f + 4], F[f + 5], 0.0, 0.0
        V[v + 4], V[v + 5], V[v + 6], V[v + 7] = 0.0, _TAU, 0.0, -1.0
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
        V[v], V[v + 1], V[v + 2], V[v + 3] = (
            C[3 * c],
            C[3 * c + 1],
            C[3 * c + 2],
            float(K[6 * node + 1]),
        )
        V[v + 4], V[v + 5], V[v + 6] = F[f + 1], ahead, F[f]
        V[v + 7], V[v + 8] = float(K[6 * K[6 * node + 3] + 4]), F[f + 6]
        if ahead <= math.pi:
            last = F[f + 1] + K[6 * node + 1] * ahead
            V[v + 10], V[v + 11] = math.cos(F[f + 1]), math.sin(F[f + 1])
            V[v + 12], V[v + 13] = math.cos(last), math.sin(last)
            V[v + 14] = C[3 * c + 2] * math.cos(ahead) - _WIDE
            V[v + 15] = C[3 * c + 2] + _WIDE


@kernel
@bare
def faces(V: Floats, f: int, dx: float, dy: float) -> bool:
    """Whether a place, from the middle of a generator's arc, may be on one of its rays.

    All are on the inner side of the first, and of the last as far as it is turned from the first.
    """
    more = 1e-8 * (abs(dx) + abs(dy))
    return (
        dx * V[f + 10] + dy * V[f + 11] <= V[f + 15] + more
        and dx * V[f + 12] + dy * V[f + 13] >= V[f + 14] - more
    )


@entry(f"int64(float64, float64, float64, float64[::1], int64, float64, float64, {BOARD})")
@bare
def cheapest(
    x: float,
    y: float,
    limit: float,
    V: Floats,
    n: int,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """The generator that reaches a place with the least length up to limit, -1 if none does."""
    best, who = limit + TIE, -1
    for i in range(n):
        f = GENERATOR * i
        gx, gy, radius = V[f], V[f + 1], V[f + 2]
        dx, dy = x - gx, y - gy
        far = best - V[f + 6]
        if far < 0.0 or dx * dx + dy * dy - radius * radius > far * far:
            continue
        if not faces(V, f, dx, dy):
            continue
        sense = int(V[f + 3])
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        if c > best or (c == best and who >= 0):
            continue
        px, py = gx, gy
        if sense != 0 and radius > 0.0:
            d = math.sqrt(dx * dx + dy * dy)
            a = math.atan2(dy, dx) - sense * math.acos(min(1.0, radius / d))
            px, py = gx + radius * math.cos(a), gy + radius * math.sin(a)
        if segment_free(px, py, x, y, r, slack, W, J, E, D, S, T, B, R, Q):
            best, who = c, i
    return who


@kernel
@bare
def clear(
    i: int,
    x: float,
    y: float,
    ox: float,
    oy: float,
    og: float,
    mx: float,
    my: float,
    V: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> tuple[bool, float, float]:
    """Whether the last leg of a generator to a place is free, and where it begins.

    An obstacle that is known is tried first: a grown disc, or (og 0) a half-plane whose edge goes
    through the place, (mx, my) pointing out of it; (0, 0) for none.
    """
    f = GENERATOR * i
    px, py, radius = V[f], V[f + 1], V[f + 2]
    if radius > 0.0:
        dx, dy = x - px, y - py
        d = math.sqrt(dx * dx + dy * dy)
        a = math.atan2(dy, dx) - V[f + 3] * math.acos(min(1.0, radius / d))
        px, py = px + radius * math.cos(a), py + radius * math.sin(a)
    if og > 0.0:
        g = og - 1.01 * slack - 1e-11
        if near_point(ox, oy, px, py, x, y) < g * g:
            return False, px, py
    elif (px - x) * mx + (py - y) * my < -2.0 * slack - 1e-9:
        return False, px, py
    # Ends of fronts lie where a ray meets something, to the last bit: look a hair more kindly.
    ok = segment_free(px, py, x, y, r, 1.01 * slack + 1e-11, W, J, E, D, S, T, B, R, Q)
    return ok, px, py


@kernel
@bare
def rival(
    x: float,
    y: float,
    allowance: float,
    own: int,
    look: float,
    V: Floats,
    n: int,
    dead: Ints,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> tuple[float, float, float, float]:
    """What another generator costs at a place beyond the allowance, at most `look`.

    With it the direction in which its last leg arrives, and that leg's length.
    """
    best = look
    ux = uy = length = 0.0
    o = GENERATOR * own
    for i in range(n):
        if i == own or dead[i]:
            continue
        f = GENERATOR * i
        gx, gy, radius = V[f], V[f + 1], V[f + 2]
        dx, dy = x - gx, y - gy
        # The last leg alone, a tangent of the arc's circle, must not be too long.
        far = allowance + best - V[f + 6]
        if far <= 0.0 or dx * dx + dy * dy - radius * radius > far * far:
            continue
        if not faces(V, f, dx, dy):
            continue
        sense = int(V[f + 3])
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        excess = c - allowance
        if excess >= best:
            continue
        ok, px, py = clear(
            i, x, y, V[o], V[o + 1], V[o + 2], 0.0, 0.0, V, r, slack, W, J, E, D, S, T, B, R, Q
        )
        if not ok:
            continue
        if radius == 0.0 and V[o + 2] == 0.0 and abs(excess) <= TIED:
            ex, ey = gx - V[o], gy - V[o + 1]
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
