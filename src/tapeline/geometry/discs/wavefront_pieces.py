"""Kernels: fronts of a reach, where last legs end because the allowance does, followed by steps.

No step can pass the next place where another generator takes over: the other's excess, its slope
and a bound on its bend are known at each place.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.clearance import leg_free
from tapeline.geometry.discs.dominance import GENERATOR, TIED, Reaching, rival, rivals_near
from tapeline.geometry.discs.occlusion import Things, shades, slit
from tapeline.geometry.discs.wavefront import Fan, fan_of, shade_by_keep

__all__ = ["Pieces", "fronts", "put_place"]

#: Length: least step along a front; it grows where two fronts run together.
_STEP = 1e-7


class Pieces(NamedTuple):
    """Pieces of border, in the order in which they were found."""

    #: x, y of all places, one piece after the other.
    points: list[float]
    #: How many fronts are too narrow to be seen; then the first place of each piece, and the end.
    starts: list[int]
    #: 1 for a piece with the reach on its right.
    turned: list[int]


@kernel
def put_place(P: list[float], points: int, x: float, y: float) -> int:
    """Add a point. Gives the new count, -1 when P is full."""
    if points < 0 or 2 * points + 2 > len(P):
        return -1
    P[2 * points], P[2 * points + 1] = x, y
    return points + 1


@kernel
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
def _end(theta: float, fan: Fan) -> tuple[float, float, float, float]:
    """Where the ray at an angle past a fan's first ends, and the direction of the front."""
    gx, gy, rho, turn, alpha, left, _ = fan
    a = alpha + theta
    c, s = math.cos(a), math.sin(a)
    t = left - rho * theta
    if t < 0.0:
        t = 0.0
    return gx + rho * c - t * s, gy + turn * (rho * s + t * c), -c, -turn * s


@kernel
def _closed(pieces: int, points: int, chord: float, made: Pieces) -> int:
    """End a piece with the last of the points so far. Gives the count of pieces, -1: no room."""
    starts = made.starts
    points = _thinned(made.points, starts[1 + pieces], points, chord)
    if points < 0 or pieces + 4 > len(starts):
        return -1
    starts[2 + pieces] = points
    return pieces + 1


@kernel
def _front(
    own: int,
    fan: Fan,
    begin: float,
    end: float,
    eps: float,
    reach: Reaching,
    made: Pieces,
    pieces: int,
) -> int:
    """The pieces of a front, between two rays and unshaded, that no other generator gets behind.

    own: which generator's. Gives the count of pieces, -1 without room for more.
    """
    P, starts, X = made.points, made.starts, reach.generators
    rho, left = fan.rho, fan.left
    # About a corner, the ray that goes straight on is a tie, and whose place it is the other's.
    tie = TIED if rho == 0.0 and X[GENERATOR * own + 3] != 0.0 else -TIED
    points = starts[1 + pieces]
    theta = before = begin
    out = was = False
    first = True
    least = _STEP
    # Who is no rival within half the front's length of its middle is none.
    x, y, _, _ = _end(0.5 * (begin + end), fan)
    t = max(left - rho * begin, 1e-9)
    look = max(min(math.sqrt(7.9 * eps * t), 0.4 * t), 2.0 * TIED)
    far = 0.5 * t * (end - begin)
    count = rivals_near(x, y, far, own, look, reach)
    while True:
        x, y, vx, vy = _end(theta, fan)
        t = max(left - rho * theta, 1e-9)
        chord = math.sqrt(7.9 * eps * t)
        chord = min(chord, 0.4 * t)
        excess, ux, uy, leg = rival(x, y, own, chord, count, reach)
        out = excess > tie
        if not first and out != was:
            # It changed: between the last place and this one, which may be far apart.
            p, q = before, theta
            for _ in range(60):
                if (q - p) * t <= 2.0 * _STEP:
                    break
                m = 0.5 * (p + q)
                mx, my, _, _ = _end(m, fan)
                e, _, _, _ = rival(mx, my, own, 2.0 * TIED, count, reach)
                if (e > tie) == was:
                    p = m
                else:
                    q = m
            mx, my, _, _ = _end(p if was else q, fan)
            if was:
                pieces = _closed(pieces, put_place(P, points, mx, my), chord, made)
                if pieces < 0:
                    return -1
                points = starts[1 + pieces]
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
        return _closed(pieces, points, chord, made)
    return pieces if points >= 0 else -1


@kernel
def fronts(
    eps: float, reach: Reaching, things: Things, L: list[float], made: Pieces, Y: list[float]
) -> int:
    """All pieces of fronts that are border.

    Y: where gaps between shades end that are too narrow for a
    front: x, y, 0; made.starts[0]: how many. Gives the count of pieces, -1 or -3 if arrays are too
    short.
    """
    starts, turned = made.starts, made.turned
    free, keep, slack = reach.free, reach.keep, reach.free.slack
    pieces = 0
    starts[0] = starts[1] = 0
    for own in range(reach.size):
        fan = fan_of(reach.generators, GENERATOR * own, reach.allowance)
        gx, gy, rho, turn, alpha, left, most = fan
        if left <= 0.0:
            continue
        m = shades(fan, slack, things, L)
        for i in range(0, len(keep), 5):
            x, y = keep[i] - gx, turn * (keep[i + 1] - gy)
            m = shade_by_keep(L, m, x, y, keep[i + 2] + slack, fan)
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
                Y[k], Y[k + 1], _, _ = _end(0.5 * (at + b), fan)
                Y[k + 2] = 0.0
                starts[0] += 1
            if ok and (width < 1e-4 or b - at < 1e-5):
                # Two shades that meet may leave a slit by rounding.
                x, y, _, _ = _end(0.5 * (at + b), fan)
                px, py = gx + rho * math.cos(alpha + 0.5 * (at + b)), gy
                py += turn * rho * math.sin(alpha + 0.5 * (at + b))
                ok = leg_free(px, py, x, y, free.r, slack, free.board)
            if ok:
                pieces = _front(own, fan, at, b, eps, reach, made, pieces)
                if pieces < 0 or pieces > len(turned):
                    return -1
            if i < m and L[2 * i + 1] > at:
                at = L[2 * i + 1]
        for i in range(had, pieces):
            turned[i] = 0 if turn > 0.0 else 1
    return pieces
