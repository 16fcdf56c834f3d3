"""Kernels: the border of free ground cut where fronts end, and which of its parts are alike.

A part is a stretch of a free arc or side without a front's end on it: all of it is in reach, or
none. So are parts that meet where no front ends: a chain of them is in or out as a whole. Which of
the two is told by the fronts at its ends: the ring goes on from where a front ends, on the part
that begins there, with the reach on its left, and runs into a front on the part that ends there.
Nothing counts that is not told twice; where ends of fronts or parts crowd, parts stand alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.occlusion import SAME
from tapeline.geometry.discs.spans import Curve
from tapeline.geometry.discs.wavefront_pieces import Pieces
from tapeline.geometry.plane.searches import first_from

__all__ = [
    "ALONE",
    "IN",
    "OUT",
    "PART",
    "TABLE",
    "TIP",
    "UNTOLD",
    "FrontEnds",
    "Parts",
    "chain_of",
    "chains",
    "cut",
    "front_ends",
    "told",
]

_TAU = 2.0 * math.pi
#: Ints of a part: number of its circle or side; its chain, as a part nearer to the one that stands
#: for it; how often it was told that it is in, and that it is out; parts of the chain; what is
#: known of the chain.
PART = 6
#: What is known of a chain: it is out, it is in, each part is to be asked alone, or nothing yet.
OUT = 0
IN = 1
ALONE = 2
UNTOLD = 3
#: Ints of a tip, the end of a free arc or side: its part, the next tip in its slot, its mate.
TIP = 3
#: Slots for tips by place, a power of 2, and how many there are to a unit of length.
TABLE = 1024
_FINE = 32.0
#: Length: tips no farther apart than this meet. An arc runs on beside the side that it goes over
#: to until it is slack deep: the root of twice the radius times slack.
_MEET = 2e-4
#: Length: parts as near as this to a front too narrow to be seen stand alone.
_DOUBT = 1e-5
#: Length: ends that are nearer than this to one another crowd.
_CROWD = 1e-3


class FrontEnds(NamedTuple):
    """Where fronts end, and what else tells parts in reach from parts out of it."""

    #: Places in the order of x: x, y, then -1 where a front begins, 1 where one ends, 0 where one
    #: too narrow to be seen may lie.
    places: list[float]
    size: int
    #: The start, how far it reaches, and the slack.
    sx: float
    sy: float
    allowance: float
    slack: float
    #: Scratch for the cuts of one piece: where, and which way the front runs.
    cuts: list[float]


class Parts(NamedTuple):
    """Parts of the border of free ground, and where the ends of its pieces, tips, lie."""

    #: PART whole numbers each.
    rows: list[int]
    #: Where each begins and ends on its curve.
    spans: list[float]
    #: x, y of each tip.
    tips: list[float]
    #: TABLE slots, the first tip of each or -1; how many tips; TIP whole numbers each.
    joints: list[int]


@kernel
def front_ends(made: Pieces, pieces: int, Y: list[float]) -> int:
    """Add where pieces begin and end to the starts[0] places in Y; put them in the order of x.

    As `FrontEnds.places`. Gives how many.
    """
    P, starts, turned = made
    n = starts[0]
    for i in range(2 * pieces):
        k = 2 * (starts[1 + i // 2] if i % 2 == 0 else starts[2 + i // 2] - 1)
        Y[3 * n], Y[3 * n + 1] = P[k], P[k + 1]
        Y[3 * n + 2] = 1.0 if (i + turned[i // 2]) % 2 == 1 else -1.0
        n += 1
    gap = 1
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            x, y, way = Y[3 * i], Y[3 * i + 1], Y[3 * i + 2]
            k = i
            while k >= gap and Y[3 * (k - gap)] > x:
                o = 3 * (k - gap)
                Y[3 * k], Y[3 * k + 1], Y[3 * k + 2] = Y[o], Y[o + 1], Y[o + 2]
                k -= gap
            Y[3 * k], Y[3 * k + 1], Y[3 * k + 2] = x, y, way
        gap //= 3
    return n


@kernel
def _noted(L: list[float], m: int, t: float, way: float) -> int:
    """Put a cut among the m in L, in their order: where, and which way the front runs."""
    k = m
    while k > 1 and L[2 * k - 2] > t:
        L[2 * k], L[2 * k + 1] = L[2 * k - 2], L[2 * k - 1]
        k -= 1
    L[2 * k], L[2 * k + 1] = t, way
    return m + 1


@kernel
def _tip(x: float, y: float, part: int, bad: bool, parts: Parts) -> None:
    """Note a tip and find its mate: the only other one within a crowd's length."""
    tips, joints = parts.tips, parts.joints
    one = joints[TABLE]
    joints[TABLE] = one + 1
    tips[2 * one], tips[2 * one + 1] = x, y
    o = TABLE + 1 + TIP * one
    joints[o], joints[o + 2] = part, -2 if bad else -1
    i0, i1 = math.floor((x - _CROWD) * _FINE), math.floor((x + _CROWD) * _FINE)
    j0, j1 = math.floor((y - _CROWD) * _FINE), math.floor((y + _CROWD) * _FINE)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            k = joints[(31 * i + 977 * j) & (TABLE - 1)]
            while k >= 0:
                other = TABLE + 1 + TIP * k
                if abs(tips[2 * k] - x) <= _CROWD and abs(tips[2 * k + 1] - y) <= _CROWD:
                    if joints[o + 2] == -1 and joints[other + 2] == -1:
                        joints[o + 2], joints[other + 2] = k, one
                    else:
                        # Three of them, or a front's end: none has a mate.
                        for mate in (joints[o + 2], joints[other + 2]):
                            if mate >= 0:
                                joints[TABLE + 3 + TIP * mate] = -2
                        joints[o + 2] = joints[other + 2] = -2
                k = joints[other + 1]
    i, j = math.floor(x * _FINE), math.floor(y * _FINE)
    slot = (31 * i + 977 * j) & (TABLE - 1)
    joints[o + 1] = joints[slot]
    joints[slot] = one


@kernel
def _beyond(x: float, y: float, ends: FrontEnds) -> int:
    """2 if a place is farther from the start than the allowance, 0 if not."""
    dx, dy = x - ends.sx, y - ends.sy
    far = ends.allowance + _CROWD
    return 2 if dx * dx + dy * dy > far * far else 0


@kernel
def _on(curve: Curve, x: float, y: float, wide: float) -> bool:
    """Whether a place is no farther than `wide` from a whole circle or the line of a side."""
    dx, dy, radius = x - curve.x, y - curve.y, curve.radius
    if radius == 0.0:
        return abs(dx * curve.vy - dy * curve.vx) <= wide
    low, high = (radius - wide) * abs(radius - wide), (radius + wide) * (radius + wide)
    return low <= dx * dx + dy * dy <= high


@kernel
def _place_on(curve: Curve, t: float) -> tuple[float, float]:
    """The place on a curve at an angle or a length."""
    if curve.radius == 0.0:
        return curve.x + t * curve.vx, curve.y + t * curve.vy
    return curve.x + curve.radius * math.cos(t), curve.y + curve.radius * math.sin(t)


@kernel
def _parted(
    L: Floats,
    m: int,
    unit: float,
    shift: float,
    number: int,
    told_a: int,
    told_b: int,
    parts: Parts,
    n: int,
) -> tuple[int, int, int]:
    """Write the parts between the cuts in L, 1 to m - 1, and the piece's ends, 0 and m.

    unit: length of what the cuts are 1 apart for. shift: added to them. told: 1 if a front ends at
    that end of the piece, 2 if it is out of reach for certain, 4 if parts of the piece stand alone,
    or sums of these. Gives the count of parts, -1 if arrays are too short; the first and the last.
    """
    rows, spans = parts.rows, parts.spans
    first = last = -1
    for i in range(m):
        a, b = shift + L[2 * i], shift + L[2 * i + 2]
        if unit * (b - a) < SAME:
            continue
        o = PART * n
        if o + PART > len(rows) or 2 * n + 2 > len(spans):
            return -1, first, last
        spans[2 * n], spans[2 * n + 1] = a, b
        inside = outside = 1 if told_a & 4 else 0
        # Seen along the ring a part begins at b.
        for k in range(i, i + 2):
            if k == 0 or k == m:
                continue
            way = L[2 * k + 1]
            if k == i:
                way = -way
            if unit * min(L[2 * k] - L[2 * k - 2], L[2 * k + 2] - L[2 * k]) < _CROWD:
                continue
            if way > 0.0:
                inside += 1
            else:
                outside += 1
        rows[o], rows[o + 1], rows[o + 2], rows[o + 3] = number, n, inside, outside
        rows[o + 4], rows[o + 5] = 1, UNTOLD
        if i == 0:
            first = n
            rows[o + 3] += told_a & 2
        if i == m - 1:
            last = n
            rows[o + 3] += told_b & 2
        n += 1
    return n, first, last


@kernel
def cut(
    curve: Curve, begin: float, end: float, number: int, ends: FrontEnds, parts: Parts, n: int
) -> int:
    """Cut a free piece of a curve, `begin` to `end`, where fronts end; add its parts to the n.

    number: what the parts note of the curve. Gives the count of parts, -1 or -3 if arrays are too
    short.
    """
    Y, L, radius = ends.places, ends.cuts, curve.radius
    near = SAME + 4.0 * ends.slack
    wide = max(near, _DOUBT)
    ax, ay = _place_on(curve, begin)
    bx, by = _place_on(curve, end)
    told_a, told_b = _beyond(ax, ay, ends), _beyond(bx, by, ends)
    # Cuts of an arc are counted from where it begins, those of a side from the side's first end.
    low, high, unit, shift = begin, end, 1.0, 0.0
    west, base, east = min(ax, bx) - wide, 0.0, max(ax, bx) + wide
    if radius > 0.0:
        low, high, unit, shift = 0.0, end - begin, radius, begin
        west, base, east = curve.x - radius - wide, curve.x, radius + wide
    m = 1
    for i in range(first_from(Y, 3, 0, 0, ends.size, west), ends.size):
        x, y = Y[3 * i], Y[3 * i + 1]
        if x - base > east:
            break
        if not _on(curve, x, y, wide):
            continue
        # A front too narrow to be seen ends a part all the same: beyond it is out of reach.
        seen = Y[3 * i + 2] != 0.0
        if not seen:
            told_a |= 5
            told_b |= 5
        if not seen or _on(curve, x, y, near):
            if abs(x - ax) <= _CROWD and abs(y - ay) <= _CROWD:
                told_a |= 1
            if abs(x - bx) <= _CROWD and abs(y - by) <= _CROWD:
                told_b |= 1
            dx, dy = x - curve.x, y - curve.y
            if radius > 0.0:
                t = (math.atan2(dy, dx) - begin) % _TAU
            else:
                t = dx * curve.vx + dy * curve.vy
            if t < high and (radius > 0.0 or t > low):
                if 2 * m + 4 > len(L):
                    return -3
                m = _noted(L, m, t, Y[3 * i + 2])
    L[0], L[1] = low, 0.0
    L[2 * m], L[2 * m + 1] = high, 0.0
    n, first, last = _parted(L, m, unit, shift, number, told_a, told_b, parts, n)
    tips, joints = parts.tips, parts.joints
    if n < 0 or 2 * joints[TABLE] + 4 > len(tips):
        return -1
    if TABLE + 1 + TIP * (joints[TABLE] + 2) > len(joints):
        return -1
    _tip(ax, ay, first, (told_a & 1) != 0 or first < 0, parts)
    _tip(bx, by, last, (told_b & 1) != 0 or last < 0, parts)
    return n


@kernel
def chain_of(parts: list[int], one: int) -> int:
    """The part that stands for the chain of one."""
    while parts[PART * one + 1] != one:
        up = parts[PART * parts[PART * one + 1] + 1]
        parts[PART * one + 1] = up
        one = up
    return one


@kernel
def _known(parts: Ints, chain: int) -> int:
    """What is known of a chain by what it was told: a thing said once is not enough."""
    o = PART * chain
    if parts[o + 2] > 0 and parts[o + 3] > 0:
        return ALONE
    if parts[o + 2] > 1:
        return IN
    if parts[o + 3] > 1:
        return OUT
    return ALONE if parts[o + 4] <= 2 else UNTOLD


@kernel
def chains(made: Parts, n: int) -> None:
    """Put n parts together to chains where their tips meet."""
    parts, _, tips, joints = made
    for one in range(joints[TABLE]):
        mate = joints[TABLE + 3 + TIP * one]
        if mate <= one:
            continue
        dx, dy = tips[2 * one] - tips[2 * mate], tips[2 * one + 1] - tips[2 * mate + 1]
        if dx * dx + dy * dy > _MEET * _MEET:
            continue
        a = chain_of(parts, joints[TABLE + 1 + TIP * one])
        b = chain_of(parts, joints[TABLE + 1 + TIP * mate])
        if a == b:
            continue
        if a > b:
            a, b = b, a
        o, i = PART * a, PART * b
        parts[i + 1] = a
        parts[o + 2] += parts[i + 2]
        parts[o + 3] += parts[i + 3]
        parts[o + 4] += parts[i + 4]
    for one in range(n):
        if parts[PART * one + 1] == one:
            # One part of a chain is asked at the least before all of it is in.
            parts[PART * one + 2] = min(1, parts[PART * one + 2])
            parts[PART * one + 5] = _known(parts, one)


@kernel
def told(parts: list[int], chain: int, inside: bool) -> None:
    """Note about a chain that is not told yet that a part of it is in or out."""
    parts[PART * chain + (2 if inside else 3)] += 1
    parts[PART * chain + 5] = _known(parts, chain)
