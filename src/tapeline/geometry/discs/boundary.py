"""Kernels: the border of a reach, from its fronts and the border of free ground.

The border is made of two kinds of pieces. Fronts: where last legs end because the allowance does
(`wavefront_tracing.py`), where no other generator gets there sooner. And pieces of the border of
free ground, free arcs and sides, that are within reach. Along these the cost runs on without a
jump, so a piece changes from in reach to out of reach only where a front meets it: the fronts are
worked out first, free arcs and sides are cut where fronts end (`boundary_cells.py`), and each part
is in or out as the fronts at its ends say, or else as its middle is.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.boundary_cells import (
    ALONE,
    IN,
    OUT,
    PART,
    TABLE,
    UNTOLD,
    chain_of,
    chains,
    cut_arc,
    cut_side,
    front_ends,
    told,
)
from tapeline.geometry.discs.clearance import BOARD, Floats, Ints
from tapeline.geometry.discs.clearance_grid import CELLS
from tapeline.geometry.discs.dominance import GENERATOR, bury, spread_out, within
from tapeline.geometry.discs.occlusion import laid_out, leave_twins, near_by
from tapeline.geometry.discs.offset_arcs import free_arcs
from tapeline.geometry.discs.offset_sides import SIDE, free_pieces
from tapeline.geometry.discs.rings import chained
from tapeline.geometry.discs.wavefront_tracing import fronts, put_place

__all__ = ["GENERATOR", "outline"]

#: Kinds of border: an arc with the reach inside it, one with the reach outside, a side.
_INWARD = 0
_OUTWARD = 1
_ALONG = 2
#: Length: with less or more slack than this each part is asked alone.
_LEAST, _MOST = 1e-10, 1e-8


@kernel
@no_refcount
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
    step = (end - begin) / count
    turn_x, turn_y = math.cos(step), math.sin(step)
    x, y = radius * math.cos(begin), radius * math.sin(begin)
    for _ in range(count):
        points = put_place(P, points, cx + x, cy + y)
        x, y = x * turn_x - y * turn_y, x * turn_y + y * turn_x
    return put_place(P, points, cx + radius * math.cos(end), cy + radius * math.sin(end))


@kernel
@no_refcount
def _leads(
    px: float,
    py: float,
    qx: float,
    qy: float,
    span: float,
    kind: int,
    begin: float,
    end: float,
    hint: int,
    allowance: float,
    U: Floats,
    X: Floats,
    n: int,
    r: float,
    slack: float,
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
    """A generator that reaches the middle of a part, -1 if there is none.

    kind: _INWARD or _OUTWARD, an arc about (px, py) with the reach inside or outside it, span its
    radius; _ALONG, of a side from (px, py) along (qx, qy).
    """
    middle = 0.5 * (begin + end)
    if kind == _ALONG:
        x, y = px + middle * qx, py + middle * qy
        for k in range(0, len(U), 5):
            dx, dy = x - U[k], y - U[k + 1]
            if dx * dx + dy * dy > U[k + 2] * U[k + 2]:
                return -1
        ox = oy = out = 0.0
        mx, my = qy, -qx
    else:
        mx, my = math.cos(middle), math.sin(middle)
        x, y = px + span * mx, py + span * my
        ox, oy, out = px, py, span
        if kind == _INWARD:
            out = mx = my = 0.0
    return within(
        x,
        y,
        allowance,
        hint,
        ox,
        oy,
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


@kernel
@no_refcount
def _added(
    px: float,
    py: float,
    qx: float,
    qy: float,
    span: float,
    kind: int,
    begin: float,
    end: float,
    eps: float,
    P: list[float],
    starts: list[int],
    turned: list[int],
    pieces: int,
) -> int:
    """Add a part to the pieces. Gives their count, -1 if arrays are too short."""
    points = starts[1 + pieces]
    if kind == _ALONG:
        points = put_place(P, points, px + end * qx, py + end * qy)
        points = put_place(P, points, px + begin * qx, py + begin * qy)
    else:
        points = _round_arc(px, py, span, begin, end, eps, P, points)
    if points < 0 or pieces + 4 > len(starts) or pieces >= len(turned):
        return -1
    turned[pieces] = 1 if kind == _OUTWARD else 0
    pieces += 1
    starts[1 + pieces] = points
    return pieces


@kernel
@no_refcount
def _parted(
    sx: float,
    sy: float,
    allowance: float,
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
    near: Ints,
    circles: int,
    sides: int,
    Y: Floats,
    ends: int,
    L: list[float],
    parts: list[int],
    spans: list[float],
    tips: list[float],
    joints: list[int],
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
    """Cut all free arcs and sides where fronts end. Gives the count of parts or what is short."""
    n = 0
    for at in range(circles):
        if near[at] < 0:
            continue
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
            n = cut_arc(
                x,
                y,
                g,
                A[a],
                A[a + 1],
                at,
                sx,
                sy,
                allowance,
                Y,
                ends,
                slack,
                L,
                parts,
                spans,
                n,
                tips,
                joints,
            )
            if n < 0:
                return n
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
            n = cut_side(
                ax,
                ay,
                vx / length,
                vy / length,
                Z[a],
                Z[a + 1],
                at,
                sx,
                sy,
                allowance,
                Y,
                ends,
                slack,
                L,
                parts,
                spans,
                n,
                tips,
                joints,
            )
            if n < 0:
                return n
    return n


@kernel
@no_refcount
def _cleared(joints: list[int]) -> None:
    """Forget all tips."""
    for i in range(TABLE):
        joints[i] = -1
    joints[TABLE] = 0


@entry(
    "int64(float64[::1], int64, float64, float64, float64, float64, float64, float64, "
    "float64[::1], int64[::1], float64[::1], int64, "
    "float64[::1], int64[::1], float64[::1], int64, float64[::1], "
    "int64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "int64[::1], int64[::1], int64[::1], int64[::1], float64[::1], int64[::1], float64[::1], "
    "float64[::1], int64[::1], float64[::1], int64[::1], float64[::1], "
    f"{CELLS}, {BOARD})"
)
@no_refcount
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
    parts: list[int],
    spans: list[float],
    tips: list[float],
    joints: list[int],
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
    radius, from, to. dead, X, keys, I, L, P, starts, turned, near, order, Y, parts, spans, tips,
    joints: scratch; dead an int a generator, X GENERATOR floats, keys, near and order one a circle
    or side, order one a generator too, I THING. out:
    corners of the rings x, y; rings: where each begins, and the end; areas: of each. Gives their
    count, or what is too short: -1 P, out and their like, -2 room, -3 L, -4 span.
    """
    bury(V, n, dead)
    live = spread_out(V, n, dead, X)
    circles, sides = near_by(sx, sy, allowance, C, H, near)
    wide = laid_out(C, H, near, circles, sides, slack, order, keys, I)
    leave_twins(C, near, circles, circles + sides, slack, order, keys)
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
        Y,
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
    ends = front_ends(P, starts, turned, pieces, Y)
    hint = 0
    for i in range(0, len(U), 5):
        if U[i + 4] <= U[i + 3]:
            continue
        _cleared(joints)
        x, y, g = U[i], U[i + 1], U[i + 2]
        n = cut_arc(
            x,
            y,
            g,
            U[i + 3],
            U[i + 4],
            0,
            sx,
            sy,
            allowance,
            Y,
            ends,
            slack,
            L,
            parts,
            spans,
            0,
            tips,
            joints,
        )
        if n < 0:
            return n
        for one in range(n):
            a, b = spans[2 * one], spans[2 * one + 1]
            found = _leads(
                x,
                y,
                0.0,
                0.0,
                g,
                _INWARD,
                a,
                b,
                hint,
                allowance,
                U,
                X,
                live,
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
            pieces = _added(x, y, 0.0, 0.0, g, _INWARD, a, b, eps, P, starts, turned, pieces)
            if pieces < 0:
                return pieces
    # Arcs and sides end where fronts do, and where circles to stay in do.
    if 2 * pieces + starts[0] > ends:
        ends = front_ends(P, starts, turned, pieces, Y)
    _cleared(joints)
    n = _parted(
        sx,
        sy,
        allowance,
        r,
        slack,
        C,
        N,
        A,
        room,
        H,
        M,
        Z,
        span,
        near,
        circles,
        sides,
        Y,
        ends,
        L,
        parts,
        spans,
        tips,
        joints,
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
    if n < 0:
        return n
    alone = len(U) > 0 or not _LEAST <= slack <= _MOST
    if not alone:
        chains(parts, n, tips, joints)
    for one in range(n):
        own = one if alone else chain_of(parts, one)
        known = ALONE if alone else parts[PART * own + 5]
        if known == OUT:
            continue
        at = parts[PART * one]
        a, b = spans[2 * one], spans[2 * one + 1]
        h = near[at]
        kind, g = _OUTWARD, 0.0
        vx = vy = 0.0
        if at < circles:
            x, y, g = C[h], C[h + 1], C[h + 2]
        else:
            kind = _ALONG
            x, y, vx, vy = H[h], H[h + 1], H[h + 2] - H[h], H[h + 3] - H[h + 1]
            length = math.sqrt(vx * vx + vy * vy)
            vx, vy = vx / length, vy / length
        if known != IN:
            found = _leads(
                x,
                y,
                vx,
                vy,
                g,
                kind,
                a,
                b,
                hint,
                allowance,
                U,
                X,
                live,
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
            if known == UNTOLD:
                told(parts, own, found >= 0)
            if found < 0:
                continue
            hint = found
        pieces = _added(x, y, vx, vy, g, kind, a, b, eps, P, starts, turned, pieces)
        if pieces < 0:
            return pieces
    return chained(P, starts, turned, pieces, eps, order, Y, out, rings, areas)
