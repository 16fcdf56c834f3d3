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
from tapeline.geometry.discs.cells import CELLS
from tapeline.geometry.discs.chaining import chained
from tapeline.geometry.discs.clearance import BOARD, Floats, Ints
from tapeline.geometry.discs.following import fronts, put_place
from tapeline.geometry.discs.rivals import GENERATOR, bury, spread_out, within
from tapeline.geometry.discs.shading import SAME, laid_out, near_by
from tapeline.geometry.discs.sides import SIDE, free_pieces
from tapeline.geometry.gears import bare, entry, kernel

__all__ = ["GENERATOR", "outline"]

_TAU = 2.0 * math.pi


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
def _ends(P: Floats, starts: Ints, pieces: int, Y: list[float]) -> int:
    """Write where pieces begin and end to Y: x, y, in the order of x. Gives how many."""
    n = 2 * pieces
    for i in range(n):
        k = 2 * (starts[1 + i // 2] if i % 2 == 0 else starts[2 + i // 2] - 1)
        Y[2 * i], Y[2 * i + 1] = P[k], P[k + 1]
    gap = 1
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            x, y = Y[2 * i], Y[2 * i + 1]
            k = i
            while k >= gap and Y[2 * (k - gap)] > x:
                Y[2 * k], Y[2 * k + 1] = Y[2 * (k - gap)], Y[2 * (k - gap) + 1]
                k -= gap
            Y[2 * k], Y[2 * k + 1] = x, y
        gap //= 3
    return n


@kernel
@bare
def _first_from(Y: Floats, n: int, x: float) -> int:
    """The first of n places in the order of x that is not to the left of x."""
    lo, hi = 0, n
    while lo < hi:
        m = (lo + hi) // 2
        if Y[2 * m] < x:
            lo = m + 1
        else:
            hi = m
    return lo


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
    Y: Floats,
    ends: int,
    hint: int,
    allowance: float,
    eps: float,
    X: Floats,
    n: int,
    r: float,
    slack: float,
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    pieces: int,
    CF: Floats,
    CG: Ints,
    CV: Ints,
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
    """Cut a free arc where other pieces end; add its parts that are within reach.

    Y: the `ends` places where pieces end, in the order of x. inward: the reach is inside the
    circle. Gives the count of pieces, -1 or -3 if arrays are too short, and a generator to hint at.
    """
    near = SAME + 4.0 * slack
    width = end - begin
    m = 1
    for i in range(_first_from(Y, ends, cx - radius - near), ends):
        dx, dy = Y[2 * i] - cx, Y[2 * i + 1] - cy
        if dx > radius + near:
            break
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
        mx, my = math.cos(middle), math.sin(middle)
        x, y = cx + radius * mx, cy + radius * my
        out = radius
        if inward:
            out = mx = my = 0.0
        found = within(
            x,
            y,
            allowance,
            hint,
            cx,
            cy,
            out,
            mx,
            my,
            X,
            n,
            r,
            slack,
            CF,
            CG,
            CV,
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
    Y: Floats,
    ends: int,
    hint: int,
    allowance: float,
    U: Floats,
    X: Floats,
    n: int,
    r: float,
    slack: float,
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    pieces: int,
    CF: Floats,
    CG: Ints,
    CV: Ints,
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
    low = ax + min(begin * vx, end * vx) - near
    high = ax + max(begin * vx, end * vx) + near
    for i in range(_first_from(Y, ends, low), ends):
        if Y[2 * i] > high:
            break
        dx, dy = Y[2 * i] - ax, Y[2 * i + 1] - ay
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
        found = within(
            x,
            y,
            allowance,
            hint,
            0.0,
            0.0,
            0.0,
            vy,
            -vx,
            X,
            n,
            r,
            slack,
            CF,
            CG,
            CV,
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


@entry(
    "int64(float64[::1], int64, float64, float64, float64, float64, float64, float64, "
    "float64[::1], int64[::1], float64[::1], int64, "
    "float64[::1], int64[::1], float64[::1], int64, float64[::1], "
    "int64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "int64[::1], int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], "
    "float64[::1], "
    f"{CELLS}, {BOARD})"
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
    X: list[float],
    keys: list[float],
    I: list[float],  # noqa: E741
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    near: list[int],
    order: list[int],
    Y: list[float],
    out: list[float],
    rings: list[int],
    areas: list[float],
    CF: Floats,
    CG: Ints,
    CV: Ints,
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
    radius, from, to. dead, X, keys, I, L, P, starts, turned, near, order, Y: scratch; dead an
    int a generator, X GENERATOR floats, keys, near and order one a circle or side, I THING. out:
    corners of the rings x, y; rings: where each begins, and the end; areas: of each. Gives their
    count, or what is too short: -1 P, out and their like, -2 room, -3 L, -4 span.
    """
    bury(V, n, dead)
    live = spread_out(V, n, dead, X)
    circles, sides = near_by(sx, sy, allowance, C, H, near)
    wide = laid_out(C, H, near, circles, sides, slack, order, keys, I)
    pieces = fronts(
        X,
        live,
        allowance,
        eps,
        r,
        slack,
        U,
        I,
        circles + sides,
        wide,
        order,
        keys,
        L,
        P,
        starts,
        turned,
        CF,
        CG,
        CV,
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
    ends = _ends(P, starts, pieces, Y)
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
                Y,
                ends,
                hint,
                allowance,
                eps,
                X,
                live,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                CF,
                CG,
                CV,
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
    if 2 * pieces > ends:
        ends = _ends(P, starts, pieces, Y)
    for at in range(circles):
        i = near[at] // 3
        x, y, g = C[3 * i], C[3 * i + 1], C[3 * i + 2]
        if N[i] == 0:
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
                Y,
                ends,
                hint,
                allowance,
                eps,
                X,
                live,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                CF,
                CG,
                CV,
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
    for at in range(circles, circles + sides):
        h = near[at]
        i = h // SIDE
        if M[i] == 0:
            continue
        ax, ay, bx, by = H[h], H[h + 1], H[h + 2], H[h + 3]
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
                Y,
                ends,
                hint,
                allowance,
                U,
                X,
                live,
                r,
                slack,
                L,
                P,
                starts,
                turned,
                pieces,
                CF,
                CG,
                CV,
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
    return chained(P, starts, turned, pieces, eps, order, Y, out, rings, areas)
