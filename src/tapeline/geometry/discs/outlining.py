"""Kernels: the border of a reach, traced ray by ray.

Everything within reach lies on a straight last leg of some generator: the start, or an arc taken
up at an angle. The end of such a leg, its tip, is where the allowance ends (front) or where the
disc meets something. Tips that no other generator reaches sooner, and the arcs themselves, are the
border. Between two neighbouring rays whose tips are of one kind the border is smooth and is
followed until chords are within `eps`; where the kind changes, the place is bisected.
"""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import BOARD, Floats, Ints, deep_in_ring, segment_free
from tapeline.geometry.discs.search import NODE, TIE, TURN, tangent_cost
from tapeline.geometry.gears import entry, kernel

__all__ = ["GENERATOR", "cheapest", "gather", "ray_hit", "trace"]

_TAU = 2.0 * math.pi
#: Floats of a generator: x, y, radius, sense, angle, ahead, cost, parent, angle left there, spare.
GENERATOR = 10
#: Length: costs closer than this tie, and the first of the generators owns the place.
_TIE = 1e-8
#: Kinds of a tip: what ended it. Items of the board count from 0.
_COVERED = -9
_FRONT = -1
_BASE = -8
#: Angle, radians: rays closer than this are one.
_FINE = 1e-12


@kernel
def _disc_entry(
    px: float, py: float, ux: float, uy: float, x: float, y: float, g: float, best: float
) -> float:
    """Where a ray enters a disc of radius g, if before `best`."""
    if g <= 0.0:
        return best
    dx, dy = x - px, y - py
    b = dx * ux + dy * uy
    if b <= 0.0:
        return best
    off = dx * uy - dy * ux
    d2 = (g - off) * (g + off)
    if d2 <= 0.0:
        return best
    t = b - math.sqrt(d2)
    if t < 0.0:
        t = 0.0
    return t if t < best else best


@kernel
def _edge_entry(
    px: float,
    py: float,
    ux: float,
    uy: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    g: float,
    best: float,
) -> float:
    """Where a ray enters an edge grown by g, if before `best`."""
    best = _disc_entry(px, py, ux, uy, ax, ay, g, best)
    best = _disc_entry(px, py, ux, uy, bx, by, g, best)
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return best
    vx, vy = dx / length, dy / length
    h = (py - ay) * vx - (px - ax) * vy
    s = uy * vx - ux * vy
    t = 0.0
    if abs(h) >= g:
        if h * s >= 0.0:
            return best
        t = (abs(h) - g) / abs(s)
    along = (px + t * ux - ax) * vx + (py + t * uy - ay) * vy
    if 0.0 <= along <= length and t < best:
        return t
    return best


@kernel
def ray_hit(
    px: float,
    py: float,
    ux: float,
    uy: float,
    length: float,
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
) -> tuple[float, int]:
    """How far a disc of radius r can go along a ray, and what stops it (_FRONT: the length)."""
    best, kind = length, _FRONT
    g = r - slack
    edges = J[0]
    # The table's sides are items after all others.
    after = edges + J[2]
    if ux < 0.0 and px + best * ux < W[5] + g:
        best, kind = max(0.0, (W[5] + g - px) / ux), after
    if uy < 0.0 and py + best * uy < W[6] + g:
        best, kind = max(0.0, (W[6] + g - py) / uy), after + 1
    if ux > 0.0 and px + best * ux > W[7] - g:
        best, kind = max(0.0, (W[7] - g - px) / ux), after + 2
    if uy > 0.0 and py + best * uy > W[8] - g:
        best, kind = max(0.0, (W[8] - g - py) / uy), after + 3
    for k in range(J[1], J[2]):
        t = _disc_entry(px, py, ux, uy, D[3 * k], D[3 * k + 1], D[3 * k + 2] + r - slack, best)
        if t < best:
            best, kind = t, edges + k
    qy = py + best * uy
    cell = W[2]
    nx, ny = int(W[3]), int(W[4])
    room = J[3]
    v = (min(py, qy) - r - W[1]) / cell
    j0 = 0 if v <= 0.0 else min(ny - 1, int(v))
    v = (max(py, qy) + r - W[1]) / cell
    j1 = 0 if v <= 0.0 else min(ny - 1, int(v))
    for j in range(j0, j1 + 1):
        ta, tb = 0.0, best
        if abs(uy) > 1e-9 and j1 > j0:
            if j > 0:
                t = (W[1] + j * cell - r - py) / uy
                if uy > 0.0:
                    ta = max(ta, t)
                else:
                    tb = min(tb, t)
            if j < ny - 1:
                t = (W[1] + (j + 1) * cell + r - py) / uy
                if uy > 0.0:
                    tb = min(tb, t)
                else:
                    ta = max(ta, t)
            if ta > tb + 1e-9:
                continue
        xa, xb = px + ta * ux, px + tb * ux
        if xa > xb:
            xa, xb = xb, xa
        v = (xa - r - 1e-9 - W[0]) / cell
        i0 = 0 if v <= 0.0 else min(nx - 1, int(v))
        v = (xb + r + 1e-9 - W[0]) / cell
        i1 = 0 if v <= 0.0 else min(nx - 1, int(v))
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(S[c], S[c + 1]):
                e = T[s]
                if e < edges:
                    f = 5 * e
                    g = E[f + 4] + r - slack
                    t = best
                    if g > 0.0:
                        t = _edge_entry(px, py, ux, uy, E[f], E[f + 1], E[f + 2], E[f + 3], g, best)
                else:
                    f = 3 * (e - edges)
                    t = _disc_entry(px, py, ux, uy, D[f], D[f + 1], D[f + 2] + r - slack, best)
                if t < best:
                    best, kind = t, e
            for s in range(c * room, (c + 1) * room):
                k = B[s]
                if k < 0:
                    break
                f = 3 * k
                t = _disc_entry(px, py, ux, uy, D[f], D[f + 1], D[f + 2] + r - slack, best)
                if t < best:
                    best, kind = t, edges + k
    for i in range(J[4]):
        t = _ring_entry(px, py, ux, uy, best, R, Q[i], Q[i + 1], slack)
        if t < best:
            best, kind = t, after + 4 + i
    return best, kind


@kernel
def _ring_entry(
    px: float,
    py: float,
    ux: float,
    uy: float,
    best: float,
    R: Floats,
    lo: int,
    hi: int,
    slack: float,
) -> float:
    """Where a ray goes into a ring that the centre may not enter, if before `best`."""
    t = 0.0
    while t < best:
        nxt = best
        ax, ay = R[hi - 2], R[hi - 1]
        for i in range(lo + 4, hi, 2):
            bx, by = R[i], R[i + 1]
            vx, vy = bx - ax, by - ay
            den = ux * vy - uy * vx
            if den != 0.0:
                s = ((ax - px) * vy - (ay - py) * vx) / den
                if t + 1e-12 < s < nxt:
                    nxt = s
            ax, ay = bx, by
        m = 0.5 * (t + nxt)
        if deep_in_ring(px + m * ux, py + m * uy, R, lo, hi, slack):
            return t
        t = nxt
    return best


@kernel
def _covered(
    x: float,
    y: float,
    cost: float,
    own: int,
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
) -> bool:
    """Whether another generator reaches a place sooner, or as soon and comes first."""
    for i in range(n):
        if i == own:
            continue
        f = GENERATOR * i
        gx, gy, radius = V[f], V[f + 1], V[f + 2]
        sense = int(V[f + 3])
        limit = cost + _TIE if i < own else cost - _TIE
        dx, dy = x - gx, y - gy
        # The last leg alone, a tangent of the arc's circle, must not be too long.
        far = limit - V[f + 6]
        if far <= 0.0 or dx * dx + dy * dy - radius * radius > far * far:
            continue
        c = tangent_cost(x, y, gx, gy, radius, sense, V[f + 4], V[f + 5], V[f + 6], slack)
        if c > limit:
            continue
        px, py = gx, gy
        if sense != 0 and radius > 0.0:
            d = math.sqrt(dx * dx + dy * dy)
            a = math.atan2(dy, dx) - sense * math.acos(min(1.0, radius / d))
            px, py = gx + radius * math.cos(a), gy + radius * math.sin(a)
        # Tips lie where a ray meets something, to the last bit: look a hair more kindly.
        if segment_free(px, py, x, y, r, 1.001 * slack + 1e-12, W, J, E, D, S, T, B, R, Q):
            return True
    return False


@kernel
def _tip(
    theta: float,
    base: bool,
    own: int,
    allowance: float,
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
) -> tuple[float, float, int]:
    """The tip of a generator's last leg that leaves at an angle past its own, and its kind.

    base: the place on the arc itself where that leg begins.
    """
    f = GENERATOR * own
    gx, gy, radius = V[f], V[f + 1], V[f + 2]
    sense = V[f + 3]
    turn = theta if sense >= 0.0 else -theta
    a = V[f + 4] + turn
    cost = V[f + 6] + radius * theta
    px, py = gx, gy
    ux, uy = math.cos(a), math.sin(a)
    if sense != 0.0:
        px, py = gx + radius * ux, gy + radius * uy
        ux, uy = (-uy, ux) if sense > 0.0 else (uy, -ux)
    kind = _BASE
    if not base:
        t, kind = ray_hit(
            px, py, ux, uy, max(0.0, allowance - cost), r, slack, W, J, E, D, S, T, B, R, Q
        )
        px, py = px + t * ux, py + t * uy
        cost += t
    if _covered(px, py, cost, own, V, n, r, slack, W, J, E, D, S, T, B, R, Q):
        kind = _COVERED
    return px, py, kind


@entry(
    "void(int64[::1], int64, float64[::1], int64[::1], int64[::1], float64[::1], float64[::1], "
    "int64, float64[::1])"
)
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


@entry(f"int64(float64, float64, float64, float64[::1], int64, float64, float64, {BOARD})")
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
def _mark(H: list[float], marks: int, theta: float, most: float) -> int:
    if 0.0 < theta < most and marks < len(H):
        H[marks] = theta
        return marks + 1
    return marks


@kernel
def _marks(
    V: Floats,
    n: int,
    own: int,
    allowance: float,
    step: float,
    H: list[float],
    C: Floats,
    E: Floats,
    edges: int,
    r: float,
) -> int:
    """Angles past a generator's own that its rays must be looked at; ascending.

    Besides even steps: where other generators branch off, and where a ray meets a circle or an edge
    square just where the allowance ends, so that nothing pokes through the front unseen.
    """
    f = GENERATOR * own
    gx, gy, radius, angle, cost = V[f], V[f + 1], V[f + 2], V[f + 4], V[f + 6]
    sense = V[f + 3]
    start = sense == 0.0
    most = V[f + 5]
    if radius > 0.0:
        most = min(most, (allowance - cost) / radius)
    H[0] = 0.0
    marks = 1
    even = int(most / step) + 1
    for i in range(1, even):
        marks = _mark(H, marks, most * i / even, most)
    way = 1.0 if start else sense
    for i in range(n):
        if int(V[GENERATOR * i + 7]) == own:
            t = (way * (V[GENERATOR * i + 8] - angle)) % _TAU
            for k in range(5):
                marks = _mark(H, marks, t + (k - 2) * 1e-4, most)
    near = 0.05 + step
    for i in range(len(C) // 3 + edges):
        if i < len(C) // 3:
            dx, dy, g = C[3 * i] - gx, C[3 * i + 1] - gy, C[3 * i + 2]
            d = math.sqrt(dx * dx + dy * dy)
            if d <= radius or d - g > allowance - cost + radius:
                continue
            a = math.atan2(dy, dx)
            if not start and radius > 0.0:
                a -= sense * math.acos(radius / d)
            elif not start:
                a -= 0.5 * math.pi * sense
            t = (way * (a - angle)) % _TAU
            left = allowance - cost - radius * t - math.sqrt((d - radius) * (d + radius)) + g
            if abs(left) < near:
                marks = _mark(H, marks, t, most)
        else:
            e = 5 * (i - len(C) // 3)
            dx, dy = E[e + 2] - E[e], E[e + 3] - E[e + 1]
            h = (gy - E[e + 1]) * dx - (gx - E[e]) * dy
            length = math.sqrt(dx * dx + dy * dy)
            g = E[e + 4] + r
            if length == 0.0 or abs(h) > length * (allowance - cost + radius + g):
                continue
            a = math.atan2(-dx, dy) if h > 0.0 else math.atan2(dx, -dy)
            if not start:
                a -= 0.5 * math.pi * sense
            t = (way * (a - angle)) % _TAU
            # The arc's place there is nearer to the edge's line by its part along the ray: none.
            px = gx + radius * math.cos(a)
            py = gy + radius * math.sin(a)
            h = abs((py - E[e + 1]) * dx - (px - E[e]) * dy) / length
            if abs(allowance - cost - radius * t - h + g) < near:
                marks = _mark(H, marks, t, most)
    H[marks] = most
    marks += 1
    for i in range(1, marks):
        v = H[i]
        k = i - 1
        while k >= 0 and H[k] > v:
            H[k + 1] = H[k]
            k -= 1
        H[k + 1] = v
    return marks


@kernel
def _trace(
    V: Floats,
    n: int,
    own: int,
    base: bool,
    allowance: float,
    eps: float,
    r: float,
    slack: float,
    H: list[float],
    marks: int,
    K: list[float],
    P: list[float],
    starts: list[int],
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
) -> int:
    """The border that one generator of V owns: its tips, or (base) the places of its arc.

    H[:marks]: angles past its own, ascending, to look at; more are put between. K: stack of 8
    floats a level. P: points x, y of the pieces one after another; starts: 0 how many pieces, then
    the index of each one's first point, and of the end. Pieces there are gone on from. Gives their
    count, -1 if P, starts or K is full.
    """
    points = starts[1 + pieces]
    open_piece = False
    x0, y0, k0 = _tip(H[0], base, own, allowance, V, n, r, slack, W, J, E, D, S, T, B, R, Q)
    for m in range(1, marks):
        if H[m] - H[m - 1] < _FINE:
            continue
        x1, y1, k1 = _tip(H[m], base, own, allowance, V, n, r, slack, W, J, E, D, S, T, B, R, Q)
        K[0], K[1], K[2], K[3] = H[m - 1], x0, y0, float(k0)
        K[4], K[5], K[6], K[7] = H[m], x1, y1, float(k1)
        depth = 1
        while depth > 0:
            depth -= 1
            f = 8 * depth
            ta, xa, ya, tb, xb, yb = K[f], K[f + 1], K[f + 2], K[f + 4], K[f + 5], K[f + 6]
            ka, kb = int(K[f + 3]), int(K[f + 7])
            same = ka == kb
            if same and ka == _COVERED:
                open_piece = False
                continue
            middle = 0.5 * (ta + tb)
            dx, dy = xb - xa, yb - ya
            chord2 = dx * dx + dy * dy
            split = True
            xm, ym, km = xa, ya, ka
            if (
                tb - ta < _FINE
                or middle <= ta
                or middle >= tb
                or chord2 <= (1e-18 if same else 1e-4 * eps * eps)
            ):
                split = False
            else:
                xm, ym, km = _tip(
                    middle, base, own, allowance, V, n, r, slack, W, J, E, D, S, T, B, R, Q
                )
                if same and km == ka:
                    off = (xm - xa) * dy - (ym - ya) * dx
                    split = off * off > eps * eps * chord2
            if split:
                if 8 * depth + 16 > len(K):
                    return -1
                K[f], K[f + 1], K[f + 2], K[f + 3] = middle, xm, ym, float(km)
                K[f + 4], K[f + 5], K[f + 6], K[f + 7] = tb, xb, yb, float(kb)
                K[f + 8], K[f + 9], K[f + 10], K[f + 11] = ta, xa, ya, float(ka)
                K[f + 12], K[f + 13], K[f + 14], K[f + 15] = middle, xm, ym, float(km)
                depth += 2
                continue
            apart = chord2 > 1e-4 * eps * eps or ka == _COVERED or kb == _COVERED
            if not same and apart:
                # The tips jump, or another generator takes over; else the border goes on.
                open_piece = False
                continue
            if 2 * points + 4 > len(P) or pieces + 3 > len(starts):
                return -1
            if open_piece:
                gx, gy = P[2 * points - 2] - xa, P[2 * points - 1] - ya
                if gx * gx + gy * gy > 1e-12:
                    open_piece = False
            if not open_piece:
                starts[1 + pieces] = points
                pieces += 1
                P[2 * points], P[2 * points + 1] = xa, ya
                points += 1
                open_piece = True
            P[2 * points], P[2 * points + 1] = xb, yb
            points += 1
        x0, y0, k0 = x1, y1, k1
    starts[1 + pieces] = points
    return pieces


@entry(
    "int64(float64[::1], int64, float64, float64, float64, float64, float64, "
    "float64[::1], float64[::1], float64[::1], float64[::1], int64[::1], int64[::1], "
    f"{BOARD})"
)
def trace(
    V: Floats,
    n: int,
    allowance: float,
    eps: float,
    step: float,
    r: float,
    slack: float,
    C: Floats,
    H: list[float],
    K: list[float],
    P: list[float],
    starts: list[int],
    turned: list[int],
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
    """The whole border of a reach in pieces, each with the reach on its left or (turned) right.

    V: n generators. C: circles. eps: chords keep this close to the border. step: angle between the
    rays that are always looked at. H, K: scratch. P: points x, y; starts: where each piece begins,
    and the end; turned: 1 for pieces to be read backwards. Gives the count of pieces, -1 if an
    array is too short.
    """
    pieces = 0
    starts[1] = 0
    for own in range(n):
        f = GENERATOR * own
        if len(H) < int(V[f + 5] / step) + 5 * n + len(C) // 3 + J[0] + 8:
            return -1
        marks = _marks(V, n, own, allowance, step, H, C, E, J[0], r)
        for k in range(2):
            base = k == 1
            if base and V[f + 2] == 0.0:
                continue
            had = pieces
            pieces = _trace(
                V,
                n,
                own,
                base,
                allowance,
                eps,
                r,
                slack,
                H,
                marks,
                K,
                P,
                starts,
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
            if pieces < 0 or pieces > len(turned):
                return -1
            backwards = (V[f + 3] < 0.0) != base
            for i in range(had, pieces):
                turned[i] = 1 if backwards else 0
    starts[0] = pieces
    return pieces
