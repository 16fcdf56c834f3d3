"""Kernels: fronts of a reach, where last legs end because the allowance does, followed by steps.

No step can pass the next place where another generator takes over: the other's excess, its slope
and a bound on its bend are known at each place.
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import Floats, Ints, near_point, segment_free
from tapeline.geometry.discs.fronts import shade_by_disc, shade_by_keep, shade_by_side
from tapeline.geometry.discs.rivals import GENERATOR, TIED, rival
from tapeline.geometry.discs.search import TIE, TURN
from tapeline.geometry.discs.sides import SIDE
from tapeline.geometry.discs.spans import sort_spans
from tapeline.geometry.gears import bare, kernel

__all__ = ["SAME", "fronts", "put_place"]

_TAU = 2.0 * math.pi
#: Length: least step along a front; it grows where two fronts run together.
_STEP = 1e-7
#: Length: pieces shorter than this are left out, and ends closer than this are one.
SAME = 1e-7


@kernel
@bare
def _bury(V: Floats, n: int, dead: list[int]) -> None:
    """Mark generators that another on the same arc makes needless."""
    for own in range(n):
        o = GENERATOR * own
        dead[own] = 0
        if V[o + 3] == 0.0:
            continue
        for i in range(n):
            f = GENERATOR * i
            if i == own or V[f + 3] != V[o + 3] or abs(V[f + 2] - V[o + 2]) > TIE:
                continue
            if abs(V[f] - V[o]) > TIE or abs(V[f + 1] - V[o + 1]) > TIE:
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
@bare
def put_place(P: list[float], points: int, x: float, y: float) -> int:
    """Add a point. Gives the new count, -1 when P is full."""
    if points < 0 or 2 * points + 2 > len(P):
        return -1
    P[2 * points], P[2 * points + 1] = x, y
    return points + 1


@kernel
@bare
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
@bare
def _front(
    own: int,
    begin: float,
    end: float,
    allowance: float,
    eps: float,
    V: Floats,
    n: int,
    dead: Ints,
    P: list[float],
    starts: list[int],
    pieces: int,
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
    """The pieces of a generator's front, between two rays and unshaded, that no other gets behind.

    P: points x, y; starts: 0 unused, then the index of each piece's first point, and of the end.
    Gives the count of pieces, -1 if P or starts is full.
    """
    f = GENERATOR * own
    gx, gy, rho = V[f], V[f + 1], V[f + 2]
    turn = -1.0 if V[f + 3] < 0.0 else 1.0
    alpha = -0.5 * math.pi if V[f + 3] == 0.0 else turn * V[f + 4]
    left = allowance - V[f + 6]
    # About a corner, the ray that goes straight on is a tie, and whose place it is the other's.
    tie = TIED if rho == 0.0 and V[f + 3] != 0.0 else -TIED
    points = starts[1 + pieces]
    theta = before = begin
    out = was = False
    first = True
    least = _STEP
    while True:
        x, y, vx, vy = _end(theta, gx, gy, rho, turn, alpha, left)
        t = max(left - rho * theta, 1e-9)
        chord = math.sqrt(7.9 * eps * t)
        chord = min(chord, 0.4 * t)
        excess, ux, uy, leg = rival(
            x, y, allowance, own, chord, V, n, dead, r, slack, W, J, E, D, S, T, B, R, Q
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
                    V,
                    n,
                    dead,
                    r,
                    slack,
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
@bare
def fronts(
    V: Floats,
    n: int,
    dead: list[int],
    allowance: float,
    eps: float,
    r: float,
    slack: float,
    C: Floats,
    H: Floats,
    U: Floats,
    L: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
    near: list[int],
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
    """All pieces of fronts that are border. Gives their count, -1 or -3 if arrays are too short."""
    pieces = 0
    starts[1] = 0
    _bury(V, n, dead)
    # What is near enough to the start to matter at all.
    if len(C) // 3 + len(H) // SIDE > len(near):
        return -1
    sx, sy = V[0], V[1]
    circles = sides = 0
    for i in range(0, len(C), 3):
        dx, dy = C[i] - sx, C[i + 1] - sy
        far = allowance + C[i + 2]
        if C[i + 2] > 0.0 and dx * dx + dy * dy <= far * far:
            near[circles] = i
            circles += 1
    for i in range(0, len(H), SIDE):
        if near_point(sx, sy, H[i], H[i + 1], H[i + 2], H[i + 3]) <= allowance * allowance:
            near[circles + sides] = i
            sides += 1
    for own in range(n):
        if dead[own]:
            continue
        f = GENERATOR * own
        gx, gy, rho, most = V[f], V[f + 1], V[f + 2], V[f + 5]
        turn = -1.0 if V[f + 3] < 0.0 else 1.0
        alpha = -0.5 * math.pi if V[f + 3] == 0.0 else turn * V[f + 4]
        left = allowance - V[f + 6]
        if left <= 0.0:
            continue
        if rho * most > left:
            most = left / rho
        m = 0
        # All rays are on the inner side of the first, and of the last as far as it is turned.
        c0, s0 = math.cos(alpha), math.sin(alpha)
        c1, s1 = math.cos(alpha + most), math.sin(alpha + most)
        wide = most > math.pi
        inner = rho * math.cos(most)
        ahead = most <= 0.5 * math.pi
        far = rho + left
        for i in range(circles):
            k = near[i]
            x, y, g = C[k] - gx, turn * (C[k + 1] - gy), C[k + 2] - slack
            if x * x + y * y > (far + g) * (far + g):
                continue
            if not wide and (
                x * c0 + y * s0 - g > rho
                or x * c1 + y * s1 + g < inner
                or (ahead and y * c0 - x * s0 + g < 0.0)
            ):
                continue
            m = shade_by_disc(L, m, x, y, g, alpha, rho, left, most)
        for i in range(circles, circles + sides):
            k = near[i]
            ax, ay, bx, by = H[k] - gx, H[k + 1] - gy, H[k + 2] - gx, H[k + 3] - gy
            if (
                (ax > far and bx > far)
                or (ay > far and by > far)
                or (ax < -far and bx < -far)
                or (ay < -far and by < -far)
            ):
                continue
            dx, dy = bx - ax, by - ay
            # Moved back by slack.
            q = slack / math.sqrt(dx * dx + dy * dy)
            ta, tb = q * H[k + 4], q * H[k + 5]
            ax, ay = ax - q * dy + ta * dx, ay + q * dx + ta * dy
            bx, by = bx - q * dy - tb * dx, by + q * dx - tb * dy
            if turn < 0.0:
                ax, ay, bx, by = bx, -by, ax, -ay
            if not wide and (
                (ax * c0 + ay * s0 > rho and bx * c0 + by * s0 > rho)
                or (ax * c1 + ay * s1 < inner and bx * c1 + by * s1 < inner)
                or (ahead and ay * c0 < ax * s0 and by * c0 < bx * s0)
            ):
                continue
            m = shade_by_side(L, m, ax, ay, bx, by, alpha, rho, left, most)
        for i in range(0, len(U), 5):
            g = U[i + 2] + slack
            m = shade_by_keep(L, m, U[i] - gx, turn * (U[i + 1] - gy), g, alpha, rho, left, most)
        if m < 0:
            return -3
        sort_spans(L, m)
        had = pieces
        at = 0.0
        for i in range(m + 1):
            b = L[2 * i] if i < m else most
            width = (b - at) * max(1.0, left - rho * at)
            ok = width > SAME + 20.0 * slack
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
                    V,
                    n,
                    dead,
                    P,
                    starts,
                    pieces,
                    r,
                    slack,
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
