"""Kernels: fronts of a reach, where last legs end because the allowance does, followed by steps.

No step can pass the next place where another generator takes over: the other's excess, its slope
and a bound on its bend are known at each place.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import kernel, no_refcount
from tapeline.geometry.discs.clearance import Floats, Ints, segment_free
from tapeline.geometry.discs.dominance import GENERATOR, TIED, rival, rivals_near
from tapeline.geometry.discs.occlusion import shades, slit
from tapeline.geometry.discs.wavefront import shade_by_keep

__all__ = ["fronts", "put_place"]

#: Length: least step along a front; it grows where two fronts run together.
_STEP = 1e-7


@kernel
@no_refcount
def put_place(P: list[float], points: int, x: float, y: float) -> int:
    """Add a point. Gives the new count, -1 when P is full."""
    if points < 0 or 2 * points + 2 > len(P):
        return -1
    P[2 * points], P[2 * points + 1] = x, y
    return points + 1


@kernel
@no_refcount
def _thinned(P: list[float], first: int, points: int, far: float) -> int:
    """Leave out points of the last piece that chords of length `far` can spare."""
    if points < 0:
        return -1
    kept = first
    for i in range(first + 1, points - 1):
        dx, dy = P[2 * i + 2] - P[2 * kept], P[2 * i + 3] - P[2 * kept + 1]
        if dx * dx + dy * dy > far * far:
            kept += 1
            P[2 * kept], P[2 * kept + 1] = P[2 * i], P[2 * i + 1]
    if points - 1 > first:
        kept += 1
        P[2 * kept], P[2 * kept + 1] = P[2 * points - 2], P[2 * points - 1]
    return kept + 1


@kernel
def _end(
    theta: float, gx: float, gy: float, rho: float, turn: float, alpha: float, left: float
) -> tuple[float, float, float, float]:
    """Where the ray at an angle past a generator's own ends, and the direction of the front."""
    a = alpha + theta
    c, s = math.cos(a), math.sin(a)
    t = left - rho * theta
    if t < 0.0:
        t = 0.0
    return gx + rho * c - t * s, gy + turn * (rho * s + t * c), -c, -turn * s


@kernel
@no_refcount
def _front(
    own: int,
    begin: float,
    end: float,
    allowance: float,
    eps: float,
    X: Floats,
    n: int,
    some: list[int],
    P: list[float],
    starts: list[int],
    pieces: int,
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
    """The pieces of a front, between two rays and unshaded, that no other generator gets behind.

    X: n generators; own: which of them. some: scratch, an int a generator.
    P: points x, y; starts: 0 unused, then the index of each piece's first point, and of the end.
    Gives the count of pieces, -1 if P or starts is full.
    """
    f = GENERATOR * own
    gx, gy, rho = X[f], X[f + 1], X[f + 2]
    turn = -1.0 if X[f + 3] < 0.0 else 1.0
    alpha = -0.5 * math.pi if X[f + 3] == 0.0 else turn * X[f + 4]
    left = allowance - X[f + 6]
    # About a corner, the ray that goes straight on is a tie, and whose place it is the other's.
    tie = TIED if rho == 0.0 and X[f + 3] != 0.0 else -TIED
    points = starts[1 + pieces]
    theta = before = begin
    out = was = False
    first = True
    least = _STEP
    # Who is no rival within half the front's length of its middle is none.
    x, y, _, _ = _end(0.5 * (begin + end), gx, gy, rho, turn, alpha, left)
    t = max(left - rho * begin, 1e-9)
    look = max(min(math.sqrt(7.9 * eps * t), 0.4 * t), 2.0 * TIED)
    far = 0.5 * t * (end - begin)
    count = rivals_near(x, y, far, allowance, own, look, X, n, some)
    while True:
        x, y, vx, vy = _end(theta, gx, gy, rho, turn, alpha, left)
        t = max(left - rho * theta, 1e-9)
        chord = math.sqrt(7.9 * eps * t)
        chord = min(chord, 0.4 * t)
        excess, ux, uy, leg = rival(
            x,
            y,
            allowance,
            own,
            chord,
            X,
            some,
            count,
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
        out = excess > tie
        if not first and out != was:
            # It changed: between the last place and this one, which may be far apart.
            p, q = before, theta
            for _ in range(60):
                if (q - p) * t <= 2.0 * _STEP:
                    break
                m = 0.5 * (p + q)
                mx, my, _, _ = _end(m, gx, gy, rho, turn, alpha, left)
                e, _, _, _ = rival(
                    mx,
                    my,
                    allowance,
                    own,
                    2.0 * TIED,
                    X,
                    some,
                    count,
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
                if (e > tie) == was:
                    p = m
                else:
                    q = m
            mx, my, _, _ = _end(p if was else q, gx, gy, rho, turn, alpha, left)
            if was:
                points = put_place(P, points, mx, my)
                points = _thinned(P, starts[1 + pieces], points, chord)
                if points < 0 or pieces + 4 > len(starts):
                    return -1
                pieces += 1
                starts[1 + pieces] = points
            else:
                points = put_place(P, points, mx, my)
        if out:
            points = put_place(P, points, x, y)
        if theta >= end:
            break
        # The other's excess is at least |excess| + slope s - bend s^2 / 2 in size from here on.
        slope = ux * vx + uy * vy
        bend = 1.0 / t
        if not out:
            slope = -slope
            bend += 1.0 / max(leg, 0.05 * t, 1e-6)
        step = chord
        if excess < chord:
            step = (slope + math.sqrt(slope * slope + 2.0 * bend * abs(excess))) / bend
        if out and step > chord:
            step = chord
        if step < least:
            step = least
            least = min(2.0 * least, chord)
        else:
            least = _STEP
        before = theta
        theta = min(end, theta + step / t)
        was = out
        first = False
    if out:
        points = _thinned(P, starts[1 + pieces], points, chord)
        if points < 0 or pieces + 4 > len(starts):
            return -1
        pieces += 1
        starts[1 + pieces] = points
    return pieces if points >= 0 else -1


@kernel
@no_refcount
def fronts(
    X: Floats,
    n: int,
    allowance: float,
    eps: float,
    r: float,
    slack: float,
    U: Floats,
    I: Floats,  # noqa: E741
    things: int,
    wide: int,
    order: list[int],
    keys: list[float],
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    Y: list[float],
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
    """All pieces of fronts that are border, of the generators X.

    Y: where gaps between shades end that are too narrow for a front: x, y, 0; starts[0]: how many.
    I, things, wide, order, keys: as `shades` takes them. Gives their count, -1 or -3 if arrays
    are too short.
    """
    pieces = 0
    starts[0] = starts[1] = 0
    for own in range(n):
        f = GENERATOR * own
        gx, gy, rho, most = X[f], X[f + 1], X[f + 2], X[f + 5]
        turn = -1.0 if X[f + 3] < 0.0 else 1.0
        alpha = -0.5 * math.pi if X[f + 3] == 0.0 else turn * X[f + 4]
        left = allowance - X[f + 6]
        if left <= 0.0:
            continue
        if rho * most > left:
            most = left / rho
        m = shades(gx, gy, rho, turn, alpha, left, most, slack, I, things, wide, order, keys, L)
        for i in range(0, len(U), 5):
            g = U[i + 2] + slack
            m = shade_by_keep(L, m, U[i] - gx, turn * (U[i + 1] - gy), g, alpha, rho, left, most)
        if m < 0:
            return -3
        had = pieces
        at = 0.0
        for i in range(m + 1):
            b = L[2 * i] if i < m else most
            width = (b - at) * max(1.0, left - rho * at)
            ok = width > slit(slack)
            if b > at and not ok:
                k = 3 * starts[0]
                if k + 3 > len(Y):
                    return -1
                Y[k], Y[k + 1], _, _ = _end(0.5 * (at + b), gx, gy, rho, turn, alpha, left)
                Y[k + 2] = 0.0
                starts[0] += 1
            if ok and (width < 1e-4 or b - at < 1e-5):
                # Two shades that meet may leave a slit by rounding.
                x, y, _, _ = _end(0.5 * (at + b), gx, gy, rho, turn, alpha, left)
                px, py = gx + rho * math.cos(alpha + 0.5 * (at + b)), gy
                py += turn * rho * math.sin(alpha + 0.5 * (at + b))
                ok = segment_free(px, py, x, y, r, slack, W, J, E, D, S, T, B, R, Q)
            if ok:
                pieces = _front(
                    own,
                    at,
                    b,
                    allowance,
                    eps,
                    X,
                    n,
                    order,
                    P,
                    starts,
                    pieces,
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
                if pieces < 0 or pieces > len(turned):
                    return -1
            if i < m and L[2 * i + 1] > at:
                at = L[2 * i + 1]
        for i in range(had, pieces):
            turned[i] = 0 if turn > 0.0 else 1
    return pieces
