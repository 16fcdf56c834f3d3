"""Kernels: the border of a reach, from its fronts and the border of free ground.

The border is made of two kinds of pieces. Fronts: where last legs end because the allowance does
(`following.py`), where no other generator gets there sooner. And pieces of the border of free
ground, free arcs and sides, that are within reach. Along these the cost runs on without a jump, so
a piece changes from in reach to out of reach only where a front meets it: the fronts are worked out
first, free arcs and sides are cut where fronts end, and each part is in or out as its middle is.
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.arcs import free_arcs
from tapeline.geometry.discs.clearance import BOARD, Floats, Ints, near_point
from tapeline.geometry.discs.following import SAME, fronts, put_place
from tapeline.geometry.discs.rivals import GENERATOR, clear, faces
from tapeline.geometry.discs.search import tangent_cost
from tapeline.geometry.discs.sides import SIDE, free_pieces
from tapeline.geometry.gears import bare, entry, kernel

__all__ = ["GENERATOR", "outline"]

_TAU = 2.0 * math.pi


@kernel
@bare
def _within(
    x: float,
    y: float,
    limit: float,
    hint: int,
    ox: float,
    oy: float,
    og: float,
    mx: float,
    my: float,
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
    """A generator that reaches a place within the limit, the hinted one first; -1: none does.

    The obstacle: as in `clear`.
    """
    for k in range(-1, n):
        i = hint if k < 0 else k
        if k == hint:
            continue
        f = GENERATOR * i
        gx, gy, radius = V[f], V[f + 1], V[f + 2]
        dx, dy = x - gx, y - gy
        far = limit - V[f + 6]
        if far < 0.0 or dx * dx + dy * dy - radius * radius > far * far:
            continue
        if not faces(V, f, dx, dy):
            continue
        sense = int(V[f + 3])
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        if c <= limit:
            ok, _, _ = clear(i, x, y, ox, oy, og, mx, my, V, r, slack, W, J, E, D, S, T, B, R, Q)
            if ok:
                return i
    return -1


@kernel
@bare
def _sorted_cuts(L: list[float], m: int) -> None:
    for i in range(1, m):
        v = L[i]
        k = i - 1
        while k >= 0 and L[k] > v:
            L[k + 1] = L[k]
            k -= 1
        L[k + 1] = v


@kernel
@bare
def _round_arc(
    cx: float,
    cy: float,
    radius: float,
    begin: float,
    end: float,
    eps: float,
    P: list[float],
    points: int,
) -> int:
    """Add the corners of an arc, its chords within eps."""
    count = int((end - begin) / min(0.8, math.sqrt(7.9 * eps / radius))) + 1
    for k in range(count + 1):
        a = begin + (end - begin) * k / count
        points = put_place(P, points, cx + radius * math.cos(a), cy + radius * math.sin(a))
    return points


@kernel
@bare
def _arcs(
    cx: float,
    cy: float,
    radius: float,
    begin: float,
    end: float,
    inward: bool,
    ends: int,
    hint: int,
    allowance: float,
    eps: float,
    V: Floats,
    n: int,
    r: float,
    slack: float,
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    pieces: int,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> tuple[int, int]:
    """Cut a free arc where the first `ends` pieces end; add its parts that are within reach.

    inward: the reach is inside the circle. Gives the count of pieces, -1 or -3 if arrays are too
    short, and a generator to hint at.
    """
    near = SAME + 4.0 * slack
    width = end - begin
    m = 1
    for i in range(2 * ends):
        k = 2 * (starts[1 + i // 2] if i % 2 == 0 else starts[2 + i // 2] - 1)
        dx, dy = P[k] - cx, P[k + 1] - cy
        d2 = dx * dx + dy * dy
        if (radius - near) * abs(radius - near) <= d2 <= (radius + near) * (radius + near):
            t = (math.atan2(dy, dx) - begin) % _TAU
            if t < width:
                if m + 2 > len(L):
                    return -3, hint
                L[m] = t
                m += 1
    L[0], L[m] = 0.0, width
    _sorted_cuts(L, m)
    for i in range(m):
        a, b = begin + L[i], begin + L[i + 1]
        if radius * (b - a) < SAME:
            continue
        middle = 0.5 * (a + b)
        x, y = cx + radius * math.cos(middle), cy + radius * math.sin(middle)
        out = 0.0 if inward else radius
        found = _within(
            x, y, allowance, hint, cx, cy, out, 0.0, 0.0, V, n, r, slack, W, J, E, D, S, T, B, R, Q
        )
        if found < 0:
            continue
        hint = found
        points = _round_arc(cx, cy, radius, a, b, eps, P, starts[1 + pieces])
        if points < 0 or pieces + 4 > len(starts) or pieces >= len(turned):
            return -1, hint
        turned[pieces] = 0 if inward else 1
        pieces += 1
        starts[1 + pieces] = points
    return pieces, hint


@kernel
@bare
def _side(
    ax: float,
    ay: float,
    vx: float,
    vy: float,
    begin: float,
    end: float,
    ends: int,
    hint: int,
    allowance: float,
    U: Floats,
    V: Floats,
    n: int,
    r: float,
    slack: float,
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    pieces: int,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> tuple[int, int]:
    """As `_arcs`, for a free piece of a side; the reach is on its right."""
    near = SAME + 4.0 * slack
    m = 1
    for i in range(2 * ends):
        k = 2 * (starts[1 + i // 2] if i % 2 == 0 else starts[2 + i // 2] - 1)
        dx, dy = P[k] - ax, P[k + 1] - ay
        along = dx * vx + dy * vy
        if abs(dx * vy - dy * vx) <= near and begin < along < end:
            if m + 2 > len(L):
                return -3, hint
            L[m] = along
            m += 1
    L[0], L[m] = begin, end
    _sorted_cuts(L, m)
    for i in range(m):
        a, b = L[i], L[i + 1]
        if b - a < SAME:
            continue
        middle = 0.5 * (a + b)
        x, y = ax + middle * vx, ay + middle * vy
        kept = True
        for k in range(0, len(U), 5):
            dx, dy = x - U[k], y - U[k + 1]
            if dx * dx + dy * dy > U[k + 2] * U[k + 2]:
                kept = False
        if not kept:
            continue
        found = _within(
            x, y, allowance, hint, 0.0, 0.0, 0.0, vy, -vx, V, n, r, slack, W, J, E, D, S, T, B, R, Q
        )
        if found < 0:
            continue
        hint = found
        points = put_place(P, starts[1 + pieces], ax + b * vx, ay + b * vy)
        points = put_place(P, points, ax + a * vx, ay + a * vy)
        if points < 0 or pieces + 4 > len(starts) or pieces >= len(turned):
            return -1, hint
        turned[pieces] = 0
        pieces += 1
        starts[1 + pieces] = points
    return pieces, hint


@kernel
@bare
def _chained(
    P: Floats,
    starts: Ints,
    turned: list[int],
    pieces: int,
    eps: float,
    out: list[float],
    rings: list[int],
    areas: list[float],
) -> int:
    """Put pieces together to rings, each going on where the one before ends, as near as there is.

    out: corners; rings: where each ring begins in out, and the end. turned: spoilt. Gives the
    count of rings, -1 if out or rings is too short.
    """
    found = 0
    rings[0] = 0
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
            for j in range(pieces):
                if turned[j] >= 0:
                    c = 2 * (starts[1 + j] if turned[j] == 0 else starts[2 + j] - 1)
                    dx, dy = P[c] - x, P[c + 1] - y
                    d2 = dx * dx + dy * dy
                    if d2 < best:
                        best, i = d2, j
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


@entry(
    "int64(float64[::1], int64, float64, float64, float64, float64, float64, float64, "
    "float64[::1], int64[::1], float64[::1], int64, "
    "float64[::1], int64[::1], float64[::1], int64, float64[::1], "
    "int64[::1], float64[::1], float64[::1], int64[::1], int64[::1], int64[::1], "
    "float64[::1], int64[::1], float64[::1], "
    f"{BOARD})"
)
@bare
def outline(
    V: Floats,
    n: int,
    sx: float,
    sy: float,
    allowance: float,
    eps: float,
    r: float,
    slack: float,
    C: Floats,
    N: list[int],
    A: list[float],
    room: int,
    H: Floats,
    M: list[int],
    Z: list[float],
    span: int,
    U: Floats,
    dead: list[int],
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    near: list[int],
    out: list[float],
    rings: list[int],
    areas: list[float],
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
    """The border of a reach as rings with the reach on their left.

    V: n generators. (sx, sy): the start. C, N, A, room: circles and their free arcs, filled in. H,
    M, Z, span: sides and their free pieces likewise. U: free arcs of discs to stay in: x, y,
    radius, from, to. dead, L, P, starts, turned, near: scratch. out: corners of the rings x, y;
    rings: where each begins, and the end; areas: of each. Gives their count, or what is too
    short: -1 P, out and their like, -2 room, -3 L, -4 span.
    """
    pieces = fronts(
        V,
        n,
        dead,
        allowance,
        eps,
        r,
        slack,
        C,
        H,
        U,
        L,
        P,
        starts,
        turned,
        near,
        W,
        J,
        E,
        D,
        S,
        T,
        B,
        R,
        Q,
    )
    if pieces < 0:
        return pieces
    ends = pieces
    hint = 0
    for i in range(0, len(U), 5):
        if U[i + 4] > U[i + 3]:
            pieces, hint = _arcs(
                U[i],
                U[i + 1],
                U[i + 2],
                U[i + 3],
                U[i + 4],
                True,
                ends,
                hint,
                allowance,
                eps,
                V,
                n,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                W,
                J,
                E,
                D,
                S,
                T,
                B,
                R,
                Q,
            )
            if pieces < 0:
                return pieces
    # Arcs and sides end where fronts do, and where circles to stay in do.
    ends = pieces
    for i in range(len(N)):
        x, y, g = C[3 * i], C[3 * i + 1], C[3 * i + 2]
        far = allowance + g
        if N[i] == 0 or g == 0.0 or (x - sx) * (x - sx) + (y - sy) * (y - sy) > far * far:
            continue
        if N[i] < 0:
            k = free_arcs(x, y, g, r, slack, A, 2 * room * i, room, L, W, J, E, D, S, T, B, R, Q)
            if k < 0:
                return -2 if k == -1 else -3
            N[i] = k
        for k in range(N[i]):
            a = 2 * (room * i + k)
            pieces, hint = _arcs(
                x,
                y,
                g,
                A[a],
                A[a + 1],
                False,
                ends,
                hint,
                allowance,
                eps,
                V,
                n,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                W,
                J,
                E,
                D,
                S,
                T,
                B,
                R,
                Q,
            )
            if pieces < 0:
                return pieces
    for i in range(len(M)):
        h = SIDE * i
        ax, ay, bx, by = H[h], H[h + 1], H[h + 2], H[h + 3]
        if M[i] == 0 or near_point(sx, sy, ax, ay, bx, by) > allowance * allowance:
            continue
        if M[i] < 0:
            k = free_pieces(
                ax, ay, bx, by, r, slack, Z, 2 * span * i, span, L, W, J, E, D, S, T, B, R, Q
            )
            if k < 0:
                return -4 if k == -1 else -3
            M[i] = k
        vx, vy = bx - ax, by - ay
        length = math.sqrt(vx * vx + vy * vy)
        for k in range(M[i]):
            a = 2 * (span * i + k)
            pieces, hint = _side(
                ax,
                ay,
                vx / length,
                vy / length,
                Z[a],
                Z[a + 1],
                ends,
                hint,
                allowance,
                U,
                V,
                n,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                W,
                J,
                E,
                D,
                S,
                T,
                B,
                R,
                Q,
            )
            if pieces < 0:
                return pieces
    return _chained(P, starts, turned, pieces, eps, out, rings, areas)
