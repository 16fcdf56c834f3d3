"""Kernels: which legs can be run over ground of several factors, from piece to piece of curves.

All curves that a least-cost path may touch are cut into short pieces: borders between factors
(segments and arcs), free arcs round obstacles, the goal. A path is a chain of legs from piece to
piece. A leg from x on piece I to y on piece J over ground of factor w costs at least
w * u . (y - x) for any unit vector u: a sum of a function of x and one of y, both affine. So the
cost of a chain is at least an affine function of the places on its pieces, which is least at ends
of pieces: the least cost over all chains is bounded by a shortest path in the graph of the pieces'
ends. With u from middle to middle the bound falls short by the square of the pieces' lengths only.

A bent piece is taken as its chord, and each leg that meets it gives up w times its sagitta. A leg
is left out only when it cannot be run from any place of I to any place of J.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.clearance import in_ring, near_point, near_segment
from tapeline.geometry.weighted.arrays import Areas, rank_at

__all__ = [
    "ARC",
    "BEND",
    "BORDER",
    "GATE",
    "GOAL",
    "INNER",
    "POINT",
    "PORTAL",
    "ROUND",
    "UNSURE",
    "Barriers",
    "Pieces",
    "leg_factor",
    "sides",
]  # fmt: skip

#: Kinds of pieces: a point, a straight border, a bent border, an arc round an obstacle, a goal arc.
POINT, BORDER, ROUND, ARC, GOAL = 0, 1, 2, 3, 4
#: And of straight borders those that hold no end of theirs; the sides of a portal; of arcs round
#: obstacles those that hold no end; the sides of a portal with even ground on both of them.
INNER, PORTAL, BEND, GATE = 5, 6, 7, 8
#: Added to a factor's index where a leg may run over others, too.
UNSURE = 64

#: Length: how deep in an obstacle a leg may be before it counts as barred.
_SLACK = 1e-8
#: Length: orientations nearer to zero than this decide nothing.
_FLAT = 1e-10
#: Length: runs along a border that are shorter are nothing.
_PART = 1e-6


class Barriers(NamedTuple):
    """What the centre of a disc keeps out of, grown.

    edges: 5 floats each: px, py, qx, qy, how near it may not come. discs: x, y, radius. rings: the
    box of each (x0, y0, x1, y1) and its corners, flat; begins: where each begins, and the end.
    """

    edges: Floats
    discs: Floats
    rings: Floats
    begins: Ints


class Pieces(NamedTuple):
    """Short pieces of curves, and the curves.

    ends: 8 floats a piece: ax, ay, bx, by, sagitta, half (chord / 2 + sagitta), where it begins and
    ends along its curve. kinds: 5 ints a piece: kind, curve (-1 none), circle (-1 none), factors to
    the left and to the right as bits. curves: 4 floats a curve: factor along it, period (0: open),
    radius (0: straight), factor of chords (0: there are none). twins: of a piece the one behind a
    portal, place for place, -1 for none, and what that portal charges; empty: no portals. status:
    one each pair of pieces (0 not yet looked at, 1 no leg, 2 + factor).
    """

    ends: Floats
    kinds: Ints
    curves: Floats
    status: bytearray
    areas: Areas
    barriers: Barriers
    twins: Ints
    charges: Floats


@kernel
def _ring2(x: float, y: float, R: Floats, lo: int, hi: int) -> float:
    """Square of the distance of a point from the border of the ring R[lo:hi]."""
    best = math.inf
    ax, ay = R[hi - 2], R[hi - 1]
    for i in range(lo, hi, 2):
        bx, by = R[i], R[i + 1]
        d = near_point(x, y, ax, ay, bx, by)
        if d < best:
            best = d
        ax, ay = bx, by
    return best


@kernel
def _all_cross(
    i: int, j: int, ends: Floats, px: float, py: float, qx: float, qy: float, sag: float
) -> bool:
    """Whether every segment from piece i to piece j crosses the inside of the segment pq.

    The side of p on which a line through x and y lies is bilinear in the places of x and y, so
    four ends of pieces stand for all.
    """
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return False
    dx, dy = dx / length, dy / length
    i *= 8
    j *= 8
    mi = sag + ends[i + 4] + _FLAT
    mj = sag + ends[j + 4] + _FLAT
    s1 = dx * (ends[i + 1] - py) - dy * (ends[i] - px)
    s2 = dx * (ends[i + 3] - py) - dy * (ends[i + 2] - px)
    s3 = dx * (ends[j + 1] - py) - dy * (ends[j] - px)
    s4 = dx * (ends[j + 3] - py) - dy * (ends[j + 2] - px)
    if s1 > mi and s2 > mi:
        if s3 > -mj or s4 > -mj:
            return False
        sign = 1.0
    elif s1 < -mi and s2 < -mi:
        if s3 < mj or s4 < mj:
            return False
        sign = -1.0
    else:
        return False
    m = max(ends[i + 4], ends[j + 4]) + _FLAT
    for a in range(2):
        ax, ay = ends[i + 2 * a], ends[i + 2 * a + 1]
        for b in range(2):
            ux, uy = ends[j + 2 * b] - ax, ends[j + 2 * b + 1] - ay
            d = m * math.sqrt(ux * ux + uy * uy)
            if sign * (ux * (py - ay) - uy * (px - ax)) > -d:
                return False
            if sign * (ux * (qy - ay) - uy * (qx - ax)) < d:
                return False
    return True


@kernel
def _all_along(i: int, j: int, ends: Floats, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether every segment from piece i to piece j runs along a part of the segment pq."""
    i *= 8
    j *= 8
    if ends[i + 4] > 0.0 or ends[j + 4] > 0.0:
        return False
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return False
    dx, dy = dx / length, dy / length
    for k in range(4):
        at = (i if k < 2 else j) + 2 * (k % 2)
        if abs(dx * (ends[at + 1] - py) - dy * (ends[at] - px)) > _FLAT:
            return False
    a = dx * (ends[i] - px) + dy * (ends[i + 1] - py)
    b = dx * (ends[i + 2] - px) + dy * (ends[i + 3] - py)
    c = dx * (ends[j] - px) + dy * (ends[j + 1] - py)
    d = dx * (ends[j + 2] - px) + dy * (ends[j + 3] - py)
    # The gap between the pieces, if they lie apart.
    low, high = min(max(a, b), max(c, d)), max(min(a, b), min(c, d))
    return min(high, length) - max(low, 0.0) > _PART


@kernel
def sides(i: int, j: int, pieces: Pieces) -> int:
    """Factors, as bits, over which a straight leg may leave piece i for piece j."""
    ends, kinds = pieces.ends, pieces.kinds
    left, right = kinds[5 * i + 3], kinds[5 * i + 4]
    if left == right:
        return left
    if kinds[5 * i + 2] >= 0 and kinds[5 * i + 2] == kinds[5 * j + 2]:
        return left  # a chord runs inside its circle
    f, g = 8 * i, 8 * j
    dx, dy = ends[f + 2] - ends[f], ends[f + 3] - ends[f + 1]
    length = math.sqrt(dx * dx + dy * dy)
    if length < _FLAT:
        return left | right
    s1 = (dx * (ends[g + 1] - ends[f + 1]) - dy * (ends[g] - ends[f])) / length
    s2 = (dx * (ends[g + 3] - ends[f + 1]) - dy * (ends[g + 2] - ends[f])) / length
    sag = ends[g + 4]
    if min(s1, s2) >= sag - 1e-12 and max(s1, s2) > sag + _FLAT:
        if ends[f + 4] == 0.0:
            return left
        # From a bent piece a leg may pass beside the chord: it must lie within the tangents too,
        # which are off the chord by no more than this angle.
        off = 4.0 * ends[f + 4] / length
        c, s = math.cos(off), math.sin(off)
        ux, uy = (c * dx + s * dy) / length, (c * dy - s * dx) / length
        vx, vy = (c * dx - s * dy) / length, (c * dy + s * dx) / length
        inside = off < 1.0
        for k in range(2):
            x, y = ends[g + 2 * k], ends[g + 2 * k + 1]
            if (
                ux * (y - ends[f + 1]) - uy * (x - ends[f]) < sag
                or vx * (y - ends[f + 3]) - vy * (x - ends[f + 2]) < sag
            ):
                inside = False
        if inside:
            return left
        return left | right
    sag += ends[f + 4]
    if max(s1, s2) <= -sag + 1e-12 and min(s1, s2) < -sag - _FLAT:
        return right
    return left | right


@kernel
def _tangent(i: int, j: int, ends: Floats) -> bool:
    """Whether a leg between an arc round an obstacle and piece j may be a tangent of the arc.

    Inside an arc, with even ground about it, a least-cost path bends by the arc alone.
    """
    f, g = 8 * i, 8 * j
    dx, dy = ends[f + 2] - ends[f], ends[f + 3] - ends[f + 1]
    ux = 0.5 * (ends[g] + ends[g + 2] - ends[f] - ends[f + 2])
    uy = 0.5 * (ends[g + 1] + ends[g + 3] - ends[f + 1] - ends[f + 3])
    chord, far = math.sqrt(dx * dx + dy * dy), math.sqrt(ux * ux + uy * uy)
    loose = ends[f + 5] + ends[g + 5] + _FLAT
    if chord < _FLAT or loose >= far:
        return True
    # How far tangents turn along half the piece, legs between its places and the other's, and how
    # far the leg between the middles is off the tangent there.
    turn = 2.0 * math.atan(2.0 * ends[f + 4] / chord)
    off = math.asin(min(1.0, abs(dx * uy - dy * ux) / (chord * far)))
    return off <= turn + math.asin(loose / far) + 1e-7


@kernel
def leg_factor(i: int, j: int, pieces: Pieces) -> int:
    """The cheapest factor, by rank, at which a straight leg may run from piece i to piece j.

    -1 when no leg can: all meet an obstacle, or all cross a border on the way. A leg runs over
    ground of one factor: it ends where it meets a border. UNSURE is added where others may be met.
    """
    ends, kinds, areas = pieces.ends, pieces.kinds, pieces.areas
    borders, circles = areas.borders, areas.circles
    edges, discs, rings, begins = pieces.barriers
    ki, kj = kinds[5 * i + 2], kinds[5 * j + 2]
    if ki >= 0 and ki == kj and (kinds[5 * i] == ARC or kinds[5 * i] == BEND):
        return -1
    if (kinds[5 * i] == BEND and not _tangent(i, j, ends)) or (
        kinds[5 * j] == BEND and not _tangent(j, i, ends)
    ):
        return -1
    bits = sides(i, j, pieces) & sides(j, i, pieces)
    if bits == 0:
        return -1
    f, g = 8 * i, 8 * j
    cx, cy = 0.5 * (ends[f] + ends[f + 2]), 0.5 * (ends[f + 1] + ends[f + 3])
    ex, ey = 0.5 * (ends[g] + ends[g + 2]), 0.5 * (ends[g + 1] + ends[g + 3])
    h = max(ends[f + 5], ends[g + 5])
    x0, x1 = min(cx, ex) - h, max(cx, ex) + h
    y0, y1 = min(cy, ey) - h, max(cy, ey) + h
    # No place of a leg is farther than h from the same fraction of the leg between the middles.
    for k in range(0, len(discs), 3):
        r = discs[k + 2] - _SLACK - h
        if r > 0.0 and near_point(discs[k], discs[k + 1], cx, cy, ex, ey) < r * r:
            return -1
    for k in range(0, len(edges), 5):
        px, py, qx, qy, grown = edges[k], edges[k + 1], edges[k + 2], edges[k + 3], edges[k + 4]
        if (
            max(px, qx) + grown < x0
            or min(px, qx) - grown > x1
            or max(py, qy) + grown < y0
            or min(py, qy) - grown > y1
        ):
            continue
        r = grown - _SLACK - h
        if r > 0.0 and near_segment(cx, cy, ex, ey, px, py, qx, qy) < r * r:
            return -1
        if _all_cross(i, j, ends, px, py, qx, qy, 0.0):
            return -1
    for k in range(0, len(borders), 5):
        px, py, qx, qy = borders[k], borders[k + 1], borders[k + 2], borders[k + 3]
        if max(px, qx) < x0 or min(px, qx) > x1 or max(py, qy) < y0 or min(py, qy) > y1:
            continue
        if _all_cross(i, j, ends, px, py, qx, qy, borders[k + 4]):
            return -1
        # A run along a border is that border's: the leg ends where it begins.
        if borders[k + 4] == 0.0 and _all_along(i, j, ends, px, py, qx, qy):
            return -1
    # At places of the leg that are farther than h from all borders every leg meets the same
    # ground. Tried: the middles between where the leg between the middles meets a border or passes
    # the end of one.
    d = h + _SLACK
    wide = 3.0 * d
    dx, dy = ex - cx, ey - cy
    l2 = dx * dx + dy * dy
    begin = 0.0
    while begin < 1.0:
        end = 1.0
        for k in range(0, len(borders), 5):
            if borders[k + 4] > 0.0:
                continue
            px, py, qx, qy = borders[k], borders[k + 1], borders[k + 2], borders[k + 3]
            if max(px, qx) < x0 or min(px, qx) > x1 or max(py, qy) < y0 or min(py, qy) > y1:
                continue
            c1, c2 = dx * (py - cy) - dy * (px - cx), dx * (qy - cy) - dy * (qx - cx)
            if (c1 > 0.0) != (c2 > 0.0):
                part = c1 / (c1 - c2)
                mx, my = px + part * (qx - px), py + part * (qy - py)
                t = ((mx - cx) * dx + (my - cy) * dy) / l2 if l2 > 0.0 else 0.0
                if begin + 1e-6 < t < end:
                    end = t
            if c1 * c1 <= d * d * l2 and l2 > 0.0:
                t = ((px - cx) * dx + (py - cy) * dy) / l2
                if begin + 1e-6 < t < end:
                    end = t
            if c2 * c2 <= d * d * l2 and l2 > 0.0:
                t = ((qx - cx) * dx + (qy - cy) * dy) / l2
                if begin + 1e-6 < t < end:
                    end = t
        # Round borders as they are: a leg may run through less than their chords lie off them.
        for k in range(0, len(circles), 4):
            ux, uy, r = circles[k] - cx, circles[k + 1] - cy, circles[k + 2]
            if ux < x0 - cx - r or ux > x1 - cx + r or uy < y0 - cy - r or uy > y1 - cy + r:
                continue
            if l2 == 0.0:
                continue
            m = (ux * dx + uy * dy) / l2
            off = ux * dy - uy * dx
            half2 = (r * r - off * off / l2) / l2
            root = math.sqrt(half2) if half2 > 0.0 else 0.0
            if half2 > 0.0 or abs(off) <= (r + d) * math.sqrt(l2):
                if begin + 1e-6 < m - root < end:
                    end = m - root
                if begin + 1e-6 < m + root < end:
                    end = m + root
        t = 0.5 * (begin + end)
        begin = end
        x, y = cx + t * (ex - cx), cy + t * (ey - cy)
        for k in range(len(begins) - 1):
            lo, hi = begins[k], begins[k + 1]
            if in_ring(x, y, rings, lo, hi) and _ring2(x, y, rings, lo + 4, hi) > d * d:
                return -1
        # Borders near that place: how many, whether one may be met, and what lies across it.
        near, met = 0, False
        nx = ny = 0.0
        for k in range(0, len(borders), 5):
            px, py, qx, qy = borders[k], borders[k + 1], borders[k + 2], borders[k + 3]
            if (
                borders[k + 4] > 0.0
                or max(px, qx) + wide < x
                or min(px, qx) - wide > x
                or max(py, qy) + wide < y
                or min(py, qy) - wide > y
            ):
                continue
            off = near_point(x, y, px, py, qx, qy)
            if off > wide * wide:
                continue
            near += 1
            if off <= d * d:
                met = True
            nx, ny = qy - py, px - qx
            off = min((x - px) ** 2 + (y - py) ** 2, (x - qx) ** 2 + (y - qy) ** 2)
            if off <= wide * wide:
                near += 1
        for k in range(0, len(circles), 4):
            ux, uy, r = x - circles[k], y - circles[k + 1], circles[k + 2]
            off = ux * ux + uy * uy
            if off > (r + wide) * (r + wide) or (r > wide and off < (r - wide) * (r - wide)):
                continue
            near += 1
            if off <= (r + d) * (r + d) and (r <= d or off >= (r - d) * (r - d)):
                met = True
            nx, ny = ux, uy
            if r < 2.0 * wide:
                near += 1
        if not met:
            bits &= 1 << rank_at(x, y, areas)
        elif near == 1:
            # One border parts all that lies about; legs here are on one side of it or the other.
            off = 2.0 * d / math.sqrt(nx * nx + ny * ny)
            bits &= (1 << rank_at(x + off * nx, y + off * ny, areas)) | (
                1 << rank_at(x - off * nx, y - off * ny, areas)
            )
        if bits == 0:
            return -1
    k = 0
    while bits & (1 << k) == 0:
        k += 1
    return k if bits == 1 << k else k + UNSURE
