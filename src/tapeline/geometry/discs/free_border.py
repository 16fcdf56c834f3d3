"""Kernels: where on the border of one obstacle, grown by a disc, the disc's centre may be.

The border of grown obstacles (Minkowski sums; Lozano-Perez 1983) is made of circles and straight
sides. Everything in the way shuts stretches of one: sides of the table, discs, the strip along and
the ends of each edge, insides of rings. What no stretch covers is free. Closed forms; the work is
that of the cells about the curve.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.board import Clearance, FreeSpace
from tapeline.geometry.discs.clearance import deep_in_ring, leg_free, near_point, near_segment
from tapeline.geometry.discs.obstacles import Wall
from tapeline.geometry.discs.spans import Curve, cells_of, left_free, next_crossing

__all__ = ["ARCS", "free_arcs", "free_spans"]

_TAU = 2.0 * math.pi
#: Arcs a circle may have before the caller must give more room.
ARCS = 8

#: A rectangle along an edge: from (x, y) along a unit vector by a length, so far to either side.
Strip: TypeAlias = tuple[float, float, float, float, float, float]


@kernel
def _shut_angles(L: list[float], n: int, begin: float, width: float) -> int:
    """Note an interval of angles that is not free. Gives the new count, -1 when L is full."""
    if n < 0 or 2 * n + 4 > len(L):
        return -1
    if width >= _TAU:
        L[2 * n], L[2 * n + 1] = 0.0, _TAU
        return n + 1
    b = begin % _TAU
    e = b + width
    if e > _TAU:
        L[2 * n], L[2 * n + 1] = 0.0, e - _TAU
        n += 1
        e = _TAU
    L[2 * n], L[2 * n + 1] = b, e
    return n + 1


@kernel
def _shut_lengths(L: list[float], n: int, lo: float, hi: float, length: float) -> int:
    """Note a stretch of a side that is not free. Gives the new count, -1 when L is full."""
    lo, hi = max(0.0, lo), min(length, hi)
    if n < 0 or hi <= lo:
        return n
    if 2 * n + 2 > len(L):
        return -1
    L[2 * n], L[2 * n + 1] = lo, hi
    return n + 1


@kernel
def _shut_disc(L: list[float], n: int, curve: Curve, x: float, y: float, g: float) -> int:
    """Note where a curve runs inside a disc of radius g."""
    if g <= 0.0:
        return n
    radius = curve.radius
    dx, dy = x - curve.x, y - curve.y
    if radius == 0.0:
        off = dx * curve.vy - dy * curve.vx
        if abs(off) >= g:
            return n
        along = dx * curve.vx + dy * curve.vy
        half = math.sqrt((g - off) * (g + off))
        return _shut_lengths(L, n, along - half, along + half, curve.length)
    d = math.sqrt(dx * dx + dy * dy)
    if d >= radius + g or radius >= d + g:
        return n
    if d + radius <= g:
        return _shut_angles(L, n, 0.0, _TAU)
    v = (radius * radius + d * d - g * g) / (2.0 * radius * d)
    half = math.acos(max(-1.0, min(1.0, v)))
    return _shut_angles(L, n, math.atan2(dy, dx) - half, 2.0 * half)


@kernel
def _side_in_strip(L: list[float], n: int, side: Curve, strip: Strip) -> int:
    """Note where a side runs inside a strip."""
    (ax, ay, vx, vy, length, _), (px, py, ex, ey, d, g) = side, strip
    lo, hi = 0.0, length
    # Across the edge from -g to g, and along it from 0 to d.
    for k in range(2):
        if k == 0:
            at, slope, least, most = (ay - py) * ex - (ax - px) * ey, vy * ex - vx * ey, -g, g
        else:
            at, slope, least, most = (ax - px) * ex + (ay - py) * ey, vx * ex + vy * ey, 0.0, d
        if abs(slope) < 1e-15:
            if at <= least or at >= most:
                return n
            continue
        s, t = (least - at) / slope, (most - at) / slope
        if s > t:
            s, t = t, s
        lo, hi = max(lo, s), min(hi, t)
    return _shut_lengths(L, n, lo, hi, length)


@kernel
def _circle_in_strip(L: list[float], n: int, circle: Curve, strip: Strip) -> int:
    """Note where a circle runs inside a strip."""
    (cx, cy, _, _, _, radius), (px, py, ux, uy, d, g) = circle, strip
    # Across: off + radius * cos(t - (along + 90 deg)) in (-g, g); along: at + radius * cos in
    # (0, d). Each is one interval about the axis, mirrored: two, or one that is whole.
    off = (cy - py) * ux - (cx - px) * uy
    at = (cx - px) * ux + (cy - py) * uy
    if abs(off) >= radius + g or at <= -radius or at >= d + radius:
        return n
    axis = math.atan2(uy, ux)
    lo, hi = (-g - off) / radius, (g - off) / radius
    a0 = 0.0 if hi >= 1.0 else math.acos(hi)
    a1 = math.pi if lo <= -1.0 else math.acos(lo)
    lo, hi = -at / radius, (d - at) / radius
    b0 = 0.0 if hi >= 1.0 else math.acos(hi)
    b1 = math.pi if lo <= -1.0 else math.acos(lo)
    for i in range(2):
        p = axis + 0.5 * math.pi + (a0 if i == 0 else -a1)
        wp = a1 - a0
        for j in range(2):
            wq = b1 - b0
            s = (axis + (b0 if j == 0 else -b1) - p) % _TAU
            if s < wp:
                n = _shut_angles(L, n, p + s, min(wp, s + wq) - s)
            if s + wq > _TAU:
                n = _shut_angles(L, n, p, min(wp, s + wq - _TAU))
    return n


@kernel
def _shut_edge(L: list[float], n: int, curve: Curve, wall: Wall) -> int:
    """Note where a curve runs nearer to a wall than it says: its ends, and the strip along it."""
    (x, y, vx, vy, length, radius), (px, py, qx, qy, g) = curve, wall
    far = radius + g
    near = near_point(x, y, px, py, qx, qy)
    if radius == 0.0:
        near = near_segment(x, y, x + length * vx, y + length * vy, px, py, qx, qy)
    if g <= 0.0 or near >= far * far:
        return n
    n = _shut_disc(L, n, curve, px, py, g)
    n = _shut_disc(L, n, curve, qx, qy, g)
    dx, dy = qx - px, qy - py
    d = math.sqrt(dx * dx + dy * dy)
    if d == 0.0:
        return n
    strip = (px, py, dx / d, dy / d, d, g)
    if radius == 0.0:
        return _side_in_strip(L, n, curve, strip)
    return _circle_in_strip(L, n, curve, strip)


@kernel
def _next_on_side(side: Curve, t: float, R: Floats, lo: int, hi: int) -> float:
    """Where a side next crosses the line of an edge of the ring R[lo:hi], after t."""
    ax, ay, vx, vy, nxt, _ = side
    px, py = R[hi - 2], R[hi - 1]
    for i in range(lo + 4, hi, 2):
        qx, qy = R[i], R[i + 1]
        ex, ey = qx - px, qy - py
        den = vx * ey - vy * ex
        if den != 0.0:
            s = ((px - ax) * ey - (py - ay) * ex) / den
            if t + 1e-12 < s < nxt:
                nxt = s
        px, py = qx, qy
    return nxt


@kernel
def _shut_ring(
    L: list[float], n: int, curve: Curve, R: Floats, lo: int, hi: int, slack: float
) -> int:
    """Note where a curve runs deeper than slack inside the ring R[lo:hi], between crossings."""
    x, y, vx, vy, length, radius = curve
    bx, by = x + length * vx, y + length * vy
    if (
        max(x, bx) + radius <= R[lo]
        or max(y, by) + radius <= R[lo + 1]
        or min(x, bx) - radius >= R[lo + 2]
        or min(y, by) - radius >= R[lo + 3]
    ):
        return n
    t = 0.0
    while t < length:
        if radius == 0.0:
            nxt = _next_on_side(curve, t, R, lo, hi)
            m = 0.5 * (t + nxt)
            if deep_in_ring(x + m * vx, y + m * vy, R, lo, hi, slack):
                n = _shut_lengths(L, n, t, nxt, length)
        else:
            nxt = next_crossing(curve, t, R, lo, hi)
            m = 0.5 * (t + nxt)
            if deep_in_ring(x + radius * math.cos(m), y + radius * math.sin(m), R, lo, hi, slack):
                n = _shut_angles(L, n, t, nxt - t)
        t = nxt
    return n


@kernel
def _shut_beyond(L: list[float], n: int, curve: Curve, turn: int, beyond: float) -> int:
    """Note where a curve is beyond a side of the table: left, bottom, right, top by quarter turns.

    beyond: how far the curve's own place (x, y) is.
    """
    radius, length = curve.radius, curve.length
    if radius > 0.0:
        v = beyond / radius
        if v <= -1.0:
            return n
        half = math.acos(min(1.0, v))
        return _shut_angles(L, n, 0.5 * math.pi * turn + half, _TAU - 2.0 * half)
    slope = curve.vx if turn % 2 == 0 else curve.vy
    if turn > 1:
        slope = -slope
    if slope == 0.0:
        return _shut_lengths(L, n, 0.0, length, length) if beyond > 0.0 else n
    s = beyond / slope
    if slope > 0.0:
        return _shut_lengths(L, n, 0.0, s, length)
    return _shut_lengths(L, n, s, length, length)


@kernel
def _gather(curve: Curve, L: list[float], clear: Clearance) -> int:
    """Note all that is not free on a curve. Gives how many stretches, -1 when L is full."""
    r, slack, board = clear
    grid, counts, edges, discs, starts, parts, slots, rings, ring_starts = board
    x, y, vx, vy, length, radius = curve
    g = r - slack
    right, above = x - grid[7] + g, y - grid[8] + g
    if radius == 0.0:
        right, above = g - grid[7] + x, g - grid[8] + y
    n = _shut_beyond(L, 0, curve, 0, grid[5] + g - x)
    n = _shut_beyond(L, n, curve, 1, grid[6] + g - y)
    n = _shut_beyond(L, n, curve, 2, right)
    n = _shut_beyond(L, n, curve, 3, above)
    for k in range(3 * counts[1], 3 * counts[2], 3):
        n = _shut_disc(L, n, curve, discs[k], discs[k + 1], discs[k + 2] + r - slack)
    bx, by = x + length * vx, y + length * vy
    far = radius + r
    nx, m, room = int(grid[3]), counts[0], counts[3]
    i0, i1, j0, j1 = cells_of(
        min(x, bx) - far, min(y, by) - far, max(x, bx) + far, max(y, by) + far, grid
    )
    for j in range(j0, j1 + 1):
        for c in range(j * nx + i0, j * nx + i1 + 1):
            for s in range(starts[c], starts[c + 1]):
                e = parts[s]
                if e < m:
                    e *= 5
                    px, py, qx, qy = edges[e], edges[e + 1], edges[e + 2], edges[e + 3]
                    n = _shut_edge(L, n, curve, (px, py, qx, qy, edges[e + 4] + r - slack))
                else:
                    k = 3 * (e - m)
                    g = discs[k + 2] + r - slack
                    n = _shut_disc(L, n, curve, discs[k], discs[k + 1], g)
            for s in range(c * room, (c + 1) * room):
                k = 3 * slots[s]
                if k < 0:
                    break
                n = _shut_disc(L, n, curve, discs[k], discs[k + 1], discs[k + 2] + r - slack)
            if n < 0:
                return -1
    for i in range(counts[4]):
        n = _shut_ring(L, n, curve, rings, ring_starts[i], ring_starts[i + 1], slack)
    return n


@kernel
def free_spans(
    curve: Curve, spans: list[float], at: int, room: int, L: list[float], clear: Clearance
) -> int:
    """Where on a curve the centre of a disc may be, written to spans[at:] as (from, to).

    On a circle 0 <= from < tau, to <= from + tau; the whole circle is (0, tau). Gives how many
    spans; -1 when more than `room`, -2 when the scratch L is full.
    """
    n = _gather(curve, L, clear)
    if n < 0:
        return -2
    found = left_free(L, n, curve.length, spans, at, room)
    if curve.radius > 0.0 and found > 1 and spans[at] == 0.0 and spans[at + 2 * found - 1] == _TAU:
        spans[at + 1] += _TAU
        spans[at] = spans[at + 2 * found - 2]
        found -= 1
    return found


@entry()
def free_arcs(
    x: float,
    y: float,
    radius: float,
    arcs: list[float],
    at: int,
    room: int,
    L: list[float],
    free: FreeSpace,
) -> int:
    """`free_spans` of a circle; one of no radius is whole or not there."""
    if radius > 0.0:
        clear = Clearance(free.r, free.slack, free.board)
        return free_spans(Curve(x, y, 0.0, 0.0, _TAU, radius), arcs, at, room, L, clear)
    if leg_free(x, y, x, y, free.r, free.slack, free.board):
        arcs[at], arcs[at + 1] = 0.0, _TAU
        return 1
    return 0
