"""Kernels: where a generator's rays get to the end of the allowance, and what shades them.

A generator is the start or an arc taken up at an angle; its rays leave the arc along tangents. Its
front is where they end, all at one cost: a circle's arc about a start or corner, an involute behind
an arc. An obstacle shades an interval of rays: those that meet it before their end. The interval
ends where a ray is tangent to the obstacle, or where the front meets it; both have closed forms or
are roots of a function with one turning point, whose slope is known.

Here a generator is seen in its own frame: the arc's circle about the origin, its sense
counter-clockwise (mirrored if need be). Angles run on from the generator's own.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import Floats, kernel

__all__ = ["Fan", "fan_of", "shade_by_disc", "shade_by_keep", "shade_by_side"]

_TAU = 2.0 * math.pi

#: A place of a line, and its direction as a unit vector.
Straight: TypeAlias = tuple[float, float, float, float]


class Fan(NamedTuple):
    """The rays of a generator. In its own frame its circle lies about the origin."""

    #: The middle of its circle on the table, and that circle's radius.
    gx: float
    gy: float
    rho: float
    #: 1, or -1 where its frame is mirrored.
    turn: float
    #: Angle of the first ray's arc radius; how far the first ray goes; how far the last is turned.
    alpha: float
    left: float
    most: float


@kernel
def fan_of(X: Floats, own: int, allowance: float) -> Fan:
    """The fan of the generator X[own:], its last ray no longer than the allowance lets it be."""
    rho, most = X[own + 2], X[own + 5]
    turn = -1.0 if X[own + 3] < 0.0 else 1.0
    alpha = -0.5 * math.pi if X[own + 3] == 0.0 else turn * X[own + 4]
    left = allowance - X[own + 6]
    if left > 0.0 and rho * most > left:
        most = left / rho
    return Fan(X[own], X[own + 1], rho, turn, alpha, left, most)


@kernel
def _shade(L: list[float], n: int, lo: float, hi: float, most: float) -> int:
    """Add an interval of shaded rays to the n in L, which are in order and apart.

    Gives the new count, -1 when L is full.
    """
    if n < 0 or hi <= 0.0 or lo >= most or hi <= lo:
        return n
    # Those from i on end after it begins, those before j begin before it ends.
    i = n
    while i > 0 and L[2 * i - 1] >= lo:
        i -= 1
    j = i
    while j < n and L[2 * j] <= hi:
        j += 1
    if i == j:
        if 2 * n + 2 > len(L):
            return -1
        for k in range(n, i, -1):
            L[2 * k], L[2 * k + 1] = L[2 * k - 2], L[2 * k - 1]
        L[2 * i], L[2 * i + 1] = lo, hi
        return n + 1
    L[2 * i], L[2 * i + 1] = min(lo, L[2 * i]), max(hi, L[2 * j - 1])
    gone = j - i - 1
    if gone > 0:
        for k in range(j, n):
            L[2 * (k - gone)], L[2 * (k - gone) + 1] = L[2 * k], L[2 * k + 1]
    return n - gone


@kernel
def _meet_disc(
    d: float, g: float, theta: float, psi: float, inner: float, outer: float, fan: Fan
) -> float:
    """The ray whose end lies on a disc, between two of its places: cost too low, too high.

    Places are angles on the disc, where the ray passes its centre at g * sin. theta, psi: a ray and
    the angle of the disc's centre from that ray's arc radius.
    """
    rho, left = fan.rho, fan.left
    b = 0.5 * (inner + outer)
    found = theta
    for _ in range(80):
        w = g * math.sin(b)
        c = max(-1.0, min(1.0, (rho + w) / d))
        at = math.acos(c)
        along = d * math.sqrt((1.0 - c) * (1.0 + c))
        t = along - g * math.cos(b)
        found = theta + psi - at
        h = t + rho * found - left
        if h > 0.0:
            outer = b
        else:
            inner = b
        slope = w * t / along if along > 0.0 else 0.0
        new = b - h / slope if slope != 0.0 else math.inf
        if not (min(inner, outer) < new < max(inner, outer)):
            new = 0.5 * (inner + outer)
        if abs(h) < 1e-14 * (1.0 + left) or abs(new - b) < 1e-15:
            break
        b = new
    return found


@kernel
def shade_by_disc(L: list[float], n: int, x: float, y: float, g: float, fan: Fan) -> int:
    """Note rays of a fan that meet a disc of radius g before they end, as intervals.

    (x, y): the disc's middle in the fan's frame.
    """
    _, _, rho, _, alpha, left, most = fan
    d = math.sqrt(x * x + y * y)
    if d + g <= rho or d + rho <= g or d - rho - g > left:
        return n
    phi = math.atan2(y, x) - alpha
    over = d < rho + g
    psi = psi_in = beta_in = 0.0
    t = 0.0
    beta = 0.0
    if over:
        c = max(-1.0, min(1.0, (rho * rho + d * d - g * g) / (2.0 * rho * d)))
        psi_in = math.acos(c)
        beta_in = math.asin(max(-1.0, min(1.0, (d * c - rho) / g)))
        psi, beta = psi_in, beta_in
    if not over or beta_in > 0.0:
        # The ray through the disc's centre meets the disc at the least cost.
        psi, beta = math.acos(rho / d), 0.0
        t = math.sqrt((d - rho) * (d + rho)) - g
    theta = (phi - psi) % _TAU + _TAU
    for _ in range(3):
        if -math.pi < theta < most + math.pi and t + rho * theta <= left:
            v = max(-1.0, (rho - g) / d)
            lo = theta + psi - math.acos(v)
            if d * math.sqrt((1.0 - v) * (1.0 + v)) + rho * lo > left:
                lo = _meet_disc(d, g, theta, psi, beta, -0.5 * math.pi, fan)
            if over:
                hi = theta + psi
                if beta_in > 0.0 and rho * (hi - psi_in) > left:
                    hi = _meet_disc(d, g, theta, psi, beta, beta_in, fan)
            else:
                v = (rho + g) / d
                hi = theta + psi - math.acos(v)
                if d * math.sqrt((1.0 - v) * (1.0 + v)) + rho * hi > left:
                    hi = _meet_disc(d, g, theta, psi, beta, 0.5 * math.pi, fan)
            n = _shade(L, n, lo, hi, most)
        theta -= _TAU
    return n


@kernel
def _to_line(line: Straight, s: float, rho: float) -> tuple[float, float, float]:
    """The ray to a place of a line: angle of its arc radius, length, cosine with the line."""
    ax, ay, vx, vy = line
    px, py = ax + s * vx, ay + s * vy
    d2 = px * px + py * py - rho * rho
    t = math.sqrt(d2) if d2 > 0.0 else 0.0
    a = math.atan2(py, px) - math.atan2(t, rho)
    return a, t, vy * math.cos(a) - vx * math.sin(a)


@kernel
def _meet_line(line: Straight, theta: float, a0: float, near: float, far: float, fan: Fan) -> float:
    """The ray whose end lies on a line, between a place of less and one of more cost.

    Cost is convex along a line, so Newton's steps from the far place never pass the root.
    """
    rho, left = fan.rho, fan.left
    s = far
    found = theta
    for _ in range(80):
        a, t, slope = _to_line(line, s, rho)
        turn = (a - a0) % _TAU
        if turn > math.pi:
            turn -= _TAU
        found = theta + turn
        h = t + rho * found - left
        if slope == 0.0 or abs(h) < 1e-14 * (1.0 + left):
            break
        step = h / slope
        s -= step
        if (s - near) * (far - near) < 0.0:
            s = near
        if abs(step) < 1e-14 * (1.0 + abs(s)):
            break
    return found


@kernel
def shade_by_side(
    L: list[float], n: int, ax: float, ay: float, bx: float, by: float, fan: Fan
) -> int:
    """Note rays of a fan that cross a side from its right to its left before they end."""
    _, _, rho, _, alpha, left, most = fan
    vx, vy = bx - ax, by - ay
    length = math.sqrt(vx * vx + vy * vy)
    if length == 0.0:
        return n
    vx, vy = vx / length, vy / length
    # k: how far the arc's centre lies to the right of the line; foot: where along it.
    k = ay * vx - ax * vy
    if k <= -rho or k - rho > left:
        return n
    foot = -(ax * vx + ay * vy)
    first, last = 0.0, length
    if k < rho:
        first = max(0.0, foot + math.sqrt((rho - k) * (rho + k)))
        if first >= last:
            return n
    # The ray square to the line, if there is one, costs least.
    nearest = max(first, min(last, foot + rho)) if k > 0.0 else first
    line = (ax, ay, vx, vy)
    a0, t, _ = _to_line(line, nearest, rho)
    theta = (a0 - alpha) % _TAU + _TAU
    for _ in range(3):
        if -math.pi < theta < most + math.pi and t + rho * theta <= left:
            lo = hi = theta
            if nearest < last:
                a, far, _ = _to_line(line, last, rho)
                turn = (a0 - a) % _TAU
                if turn > math.pi:
                    turn -= _TAU
                lo = theta - turn
                if far + rho * lo > left:
                    lo = _meet_line(line, theta, a0, nearest, last, fan)
            if nearest > first:
                a, far, _ = _to_line(line, first, rho)
                turn = (a - a0) % _TAU
                if turn > math.pi:
                    turn -= _TAU
                hi = theta + turn
                if far + rho * hi > left:
                    hi = _meet_line(line, theta, a0, nearest, first, fan)
            n = _shade(L, n, lo, hi, most)
        theta -= _TAU
    return n


@kernel
def _room_in_keep(theta: float, phi: float, d: float, rho: float, g: float, left: float) -> float:
    """How much farther than its end a ray could go before it leaves a disc."""
    psi = phi - theta
    w = d * math.cos(psi) - rho
    v = (g - w) * (g + w)
    return d * math.sin(psi) + (math.sqrt(v) if v > 0.0 else 0.0) - left + rho * theta


@kernel
def shade_by_keep(L: list[float], n: int, x: float, y: float, g: float, fan: Fan) -> int:
    """Note rays of a fan that leave a disc, from which they start, before they end."""
    _, _, rho, _, alpha, left, most = fan
    d = math.sqrt(x * x + y * y)
    if left + rho + d <= g:
        return n
    phi = math.atan2(y, x) - alpha
    psi = math.acos(rho / d) if d > rho else 0.0
    # Between the rays along the line of centres the room only grows or only shrinks.
    low = 0.0
    while low < most:
        high = most
        for k in range(2):
            t = (phi - psi if k == 0 else phi + psi) % _TAU
            if low + 1e-12 < t < high:
                high = t
        a = _room_in_keep(low, phi, d, rho, g, left)
        b = _room_in_keep(high, phi, d, rho, g, left)
        if a < 0.0 and b < 0.0:
            n = _shade(L, n, low, high, most)
        elif a < 0.0 or b < 0.0:
            p, q = low, high
            for _ in range(60):
                m = 0.5 * (p + q)
                if (_room_in_keep(m, phi, d, rho, g, left) < 0.0) == (a < 0.0):
                    p = m
                else:
                    q = m
            n = _shade(L, n, low, p, most) if a < 0.0 else _shade(L, n, q, high, most)
        low = high
    return n
