"""Kernels: the border of a reach, from its fronts and the border of free ground.

The border is made of two kinds of pieces. Fronts: where last legs end because the allowance does
(`fronts.py`), where no other generator gets there sooner. And pieces of the border of free ground,
free arcs and sides, that are within reach. Along these the cost runs on without a jump, so a piece
changes from in reach to out of reach only where a front meets it: the fronts are worked out first,
free arcs and sides are cut where fronts end, and each part is in or out as its middle is.

A front is followed by steps that cannot pass the next place where another generator takes over:
the other's excess, its slope and a bound on its bend are known at each place.
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import BOARD, Floats, Ints, near_point, segment_free
from tapeline.geometry.discs.fronts import shade_by_disc, shade_by_keep, shade_by_side
from tapeline.geometry.discs.search import NODE, TIE, TURN, free_arcs, tangent_cost
from tapeline.geometry.discs.sides import SIDE, free_pieces
from tapeline.geometry.gears import bare, entry, kernel

__all__ = ["GENERATOR", "cheapest", "gather", "outline"]

_TAU = 2.0 * math.pi
#: Floats of a generator: x, y, radius, sense, angle, ahead, cost, parent, angle left there, node;
#: then the first ray's arc radius as a unit vector, the last one's, and the least and the most
#: that places before it can have along these (see `_faces`).
GENERATOR = 16
#: Length: how far outside a fan of rays a place is that none of them leads to.
_WIDE = 1e-6
#: Length: costs closer than this tie.
_TIE = 1e-8
#: Length: least step along a front; it grows where two fronts run together.
_STEP = 1e-7
#: Length: pieces shorter than this are left out, and ends closer than this are one.
_SAME = 1e-7


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
def _faces(V: Floats, f: int, dx: float, dy: float) -> bool:
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
        if not _faces(V, f, dx, dy):
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
def _clear(
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
def _rival(
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
        if not _faces(V, f, dx, dy):
            continue
        sense = int(V[f + 3])
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        excess = c - allowance
        if excess >= best:
            continue
        ok, px, py = _clear(
            i, x, y, V[o], V[o + 1], V[o + 2], 0.0, 0.0, V, r, slack, W, J, E, D, S, T, B, R, Q
        )
        if not ok:
            continue
        if radius == 0.0 and V[o + 2] == 0.0 and abs(excess) <= _TIE:
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
def _put(P: list[float], points: int, x: float, y: float) -> int:
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
    tie = _TIE if rho == 0.0 and V[f + 3] != 0.0 else -_TIE
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
        excess, ux, uy, leg = _rival(
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
                e, _, _, _ = _rival(
                    mx,
                    my,
                    allowance,
                    own,
                    2.0 * _TIE,
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
                points = _put(P, points, mx, my)
                points = _thinned(P, starts[1 + pieces], points, chord)
                if points < 0 or pieces + 4 > len(starts):
                    return -1
                pieces += 1
                starts[1 + pieces] = points
            else:
                points = _put(P, points, mx, my)
        if out:
            points = _put(P, points, x, y)
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
def _fronts(
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
        for i in range(1, m):
            b, e = L[2 * i], L[2 * i + 1]
            k = i - 1
            while k >= 0 and L[2 * k] > b:
                L[2 * k + 2], L[2 * k + 3] = L[2 * k], L[2 * k + 1]
                k -= 1
            L[2 * k + 2], L[2 * k + 3] = b, e
        had = pieces
        at = 0.0
        for i in range(m + 1):
            b = L[2 * i] if i < m else most
            width = (b - at) * max(1.0, left - rho * at)
            ok = width > _SAME + 20.0 * slack
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

    The obstacle: as in `_clear`.
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
        if not _faces(V, f, dx, dy):
            continue
        sense = int(V[f + 3])
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        if c <= limit:
            ok, _, _ = _clear(i, x, y, ox, oy, og, mx, my, V, r, slack, W, J, E, D, S, T, B, R, Q)
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
        points = _put(P, points, cx + radius * math.cos(a), cy + radius * math.sin(a))
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
    near = _SAME + 4.0 * slack
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
        if radius * (b - a) < _SAME:
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
    near = _SAME + 4.0 * slack
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
        if b - a < _SAME:
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
        points = _put(P, starts[1 + pieces], ax + b * vx, ay + b * vy)
        points = _put(P, points, ax + a * vx, ay + a * vy)
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
                    if dx * dx + dy * dy < _SAME * _SAME:
                        continue
                out[2 * o], out[2 * o + 1] = x, y
                o += 1
            x, y = out[2 * o - 2], out[2 * o - 1]
            best = math.inf
            if o - at > 2:
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
        if o - at > 1 and dx * dx + dy * dy < _SAME * _SAME:
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
    pieces = _fronts(
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
