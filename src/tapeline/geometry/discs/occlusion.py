"""Kernels: which rays of a generator something shades before they end, found from near to far.

What is near shades most: once every ray is shaded, or all but those between two angles, what lies
farther off or to the side of these is not looked at any more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.discs.clearance import near_point
from tapeline.geometry.discs.offset_sides import SIDE
from tapeline.geometry.discs.wavefront import Fan, shade_by_disc, shade_by_side
from tapeline.geometry.plane.searches import first_from

__all__ = [
    "SAME",
    "THING",
    "Things",
    "laid_out",
    "leave_twins",
    "near_by",
    "shades",
    "slit",
    "sort",
]

#: Length: pieces shorter than this are left out, and ends closer than this are one.
SAME = 1e-7
#: Angle: wider fans are looked at in parts.
_PART = 0.5 * math.pi
#: Shades after which it is asked again what is left.
_OFTEN = 3
#: Length: things no farther than this beside a fan are looked at all the same.
_BESIDE = 1e-9
#: Length: what is nearer to a generator's arc than this is looked at first, where its rays go
#: farther, by this factor at the least.
_NEAR = 2.5
_FAR = 1.5
#: Length: what is this close to that border is looked at on both sides of it.
_AGAIN = 1e-3
#: Length: things wider than this are wide.
_WIDE = 4.0
#: Floats of a thing that shades.
THING = 9


class Things(NamedTuple):
    """What may shade rays: circles and sides near a start, wide ones first, then from the left."""

    #: THING floats each. A circle: x, y, radius less slack, 0, 0; a side, moved back by slack: ax,
    #: ay, bx, by, 1; then least and greatest x and y.
    figures: list[float]
    size: int
    #: How many are wide.
    wide: int
    #: Scratch, one a thing.
    order: list[int]
    keys: list[float]


@kernel
def slit(slack: float) -> float:
    """Length: gaps between shades up to this are rounding."""
    return SAME + 20.0 * slack


@kernel
def sort(order: list[int], keys: list[float], n: int) -> None:
    """Put n numbers in the order of their keys."""
    gap = 1
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            key, one = keys[i], order[i]
            k = i
            while k >= gap and keys[k - gap] > key:
                keys[k], order[k] = keys[k - gap], order[k - gap]
                k -= gap
            keys[k], order[k] = key, one
        gap //= 3


@kernel
def near_by(
    sx: float, sy: float, allowance: float, C: Floats, H: Floats, near: list[int]
) -> tuple[int, int]:
    """Note where in C circles are within the allowance of the start, and then where in H sides.

    Gives the counts of both.
    """
    circles = sides = 0
    for i in range(0, len(C), 3):
        far = allowance + C[i + 2]
        dx, dy = C[i] - sx, C[i + 1] - sy
        if abs(dx) > far or abs(dy) > far:
            continue
        if C[i + 2] > 0.0 and dx * dx + dy * dy <= far * far:
            near[circles] = i
            circles += 1
    x0, x1, y0, y1 = sx - allowance, sx + allowance, sy - allowance, sy + allowance
    for i in range(0, len(H), SIDE):
        ax, ay, bx, by = H[i], H[i + 1], H[i + 2], H[i + 3]
        if (
            (ax < x0 and bx < x0)
            or (ax > x1 and bx > x1)
            or (ay < y0 and by < y0)
            or (ay > y1 and by > y1)
        ):
            continue
        if near_point(sx, sy, ax, ay, bx, by) <= allowance * allowance:
            near[circles + sides] = i
            sides += 1
    return circles, sides


@kernel
def _moved_back(H: Floats, k: int, slack: float) -> tuple[float, float, float, float]:
    """The ends of the side at k in H, moved back by slack; its tips go as far as they must."""
    ax, ay, bx, by = H[k], H[k + 1], H[k + 2], H[k + 3]
    dx, dy = bx - ax, by - ay
    back = slack / math.sqrt(dx * dx + dy * dy)
    ta, tb = back * H[k + 4], back * H[k + 5]
    return (
        ax - back * dy + ta * dx,
        ay + back * dx + ta * dy,
        bx - back * dy - tb * dx,
        by + back * dx - tb * dy,
    )


@kernel
def laid_out(
    C: Floats, H: Floats, near: Ints, circles: int, sides: int, slack: float, room: Things
) -> Things:
    """Write what `near_by` found to the figures of `room`; gives it with the counts."""
    I, _, _, order, keys = room  # noqa: E741
    wide = 0
    for i in range(circles + sides):
        k = near[i]
        if i < circles:
            low, high = C[k] - C[k + 2], C[k] + C[k + 2]
        else:
            # As it is written below: what is looked up by its left end must be in order to the bit.
            ax, _, bx, _ = _moved_back(H, k, slack)
            low, high = min(ax, bx), max(ax, bx)
        order[i], keys[i] = i, low
        if high - low > _WIDE:
            keys[i] = -math.inf
            wide += 1
    sort(order, keys, circles + sides)
    for q in range(circles + sides):
        i, o = order[q], THING * q
        k = near[i]
        if i < circles:
            I[o], I[o + 1], I[o + 2] = C[k], C[k + 1], C[k + 2] - slack
            I[o + 3] = I[o + 4] = 0.0
            g = C[k + 2]
            I[o + 5], I[o + 6], I[o + 7], I[o + 8] = C[k] - g, C[k] + g, C[k + 1] - g, C[k + 1] + g
        else:
            I[o], I[o + 1], I[o + 2], I[o + 3] = _moved_back(H, k, slack)
            I[o + 4], I[o + 5], I[o + 6] = 1.0, min(I[o], I[o + 2]), max(I[o], I[o + 2])
            I[o + 7], I[o + 8] = min(I[o + 1], I[o + 3]), max(I[o + 1], I[o + 3])
    return Things(I, circles + sides, wide, order, keys)


@kernel
def leave_twins(C: Floats, near: list[int], circles: int, slack: float, things: Things) -> None:
    """Put -1 in `near` for a circle that is another one over again, as of bases set in one place.

    things: as `laid_out` leaves them, in order by keys.
    """
    _, n, _, order, keys = things
    for q in range(n):
        i = order[q]
        if i >= circles or near[i] < 0:
            continue
        k = near[i]
        for p in range(q + 1, n):
            if keys[p] > keys[q] + 2.0 * slack:
                break
            j = order[p]
            if j >= circles or near[j] < 0:
                continue
            o = near[j]
            if (
                abs(C[o] - C[k]) <= slack
                and abs(C[o + 1] - C[k + 1]) <= slack
                and abs(C[o + 2] - C[k + 2]) <= slack
            ):
                near[j] = -1


@kernel
def _left_open(
    L: Floats, m: int, lo: float, hi: float, a: float, b: float, fan: Fan, least: float
) -> tuple[float, float]:
    """The first and the last of the rays from lo to hi that m shades leave, slits aside.

    (a, b): the part of the fan that is looked at; what is left at its ends may go on beyond. The
    second is below the first if none is left.
    """
    rho, left = fan.rho, fan.left
    first, last = hi, lo
    at = lo
    for i in range(m + 1):
        end = hi
        if i < m:
            if L[2 * i + 1] <= at:
                continue
            end = min(hi, L[2 * i])
        if end > at and (at <= a or end >= b or (end - at) * max(1.0, left - rho * at) > least):
            first, last = min(first, at), max(last, end)
        if i == m or L[2 * i] >= hi:
            break
        at = L[2 * i + 1]
    return first, last


@kernel
def _gathered(fan: Fan, since: float, until: float, things: Things) -> int:
    """Put what may shade rays into order and keys, the nearest first. Gives how many things.

    since, until: distances from the generator; what is nearer than the one is left out, and what is
    farther off than the other.
    """
    gx, gy, rho, turn, alpha, left, most = fan
    I, size, wide, order, keys = things  # noqa: E741
    reach = min(until, math.sqrt(rho * rho + left * left) + _BESIDE)
    c0, s0 = math.cos(alpha), math.sin(alpha)
    c1, s1 = math.cos(alpha + most), math.sin(alpha + most)
    narrow = most <= math.pi
    square = most <= 0.5 * math.pi
    outer, inner = rho + _BESIDE, rho * math.cos(most) - _BESIDE
    found = 0
    # The rays' own box, first without a branch.
    cos_low, cos_high = min(0.0, c0, c1), max(0.0, c0, c1)
    sin_low, sin_high = min(0.0, s0, s1), max(0.0, s0, s1)
    quarter = math.ceil(alpha / (0.5 * math.pi))
    while quarter * 0.5 * math.pi < alpha + most:
        if quarter % 4 == 0:
            cos_high = 1.0
        elif quarter % 4 == 1:
            sin_high = 1.0
        elif quarter % 4 == 2:
            cos_low = -1.0
        else:
            sin_low = -1.0
        quarter += 1
    low_x = gx + rho * cos_low - left * sin_high - _BESIDE
    high_x = gx + rho * cos_high - left * sin_low + _BESIDE
    low_y, high_y = rho * sin_low + left * cos_low, rho * sin_high + left * cos_high
    if turn < 0.0:
        low_y, high_y = -high_y, -low_y
    low_y, high_y = gy + low_y - _BESIDE, gy + high_y + _BESIDE
    low_x, high_x = max(low_x, gx - reach), min(high_x, gx + reach)
    low_y, high_y = max(low_y, gy - reach), min(high_y, gy + reach)
    first = first_from(I, THING, 5, wide, size, low_x - _WIDE)
    last = first_from(I, THING, 5, wide, size, high_x)
    some = 0
    for q in range(wide + last - first):
        i = q if q < wide else first + q - wide
        o = THING * i
        order[some] = i
        inside = (I[o + 6] >= low_x) & (I[o + 7] <= high_y) & (I[o + 8] >= low_y)
        some += 1 if inside else 0
    for q in range(some):
        i = order[q]
        o = THING * i
        if I[o + 4] == 0.0:
            x, y, g = I[o] - gx, turn * (I[o + 1] - gy), I[o + 2]
            d2 = x * x + y * y
            if d2 > (reach + g) * (reach + g) or (since > 0.0 and d2 <= (since + g) * (since + g)):
                continue
            if narrow and (
                x * c0 + y * s0 - g > outer
                or x * c1 + y * s1 + g < inner
                or (square and y * c0 - x * s0 + g < -_BESIDE)
            ):
                continue
            order[found], keys[found] = i, math.sqrt(d2) - g
            found += 1
            continue
        ax, bx = I[o] - gx, I[o + 2] - gx
        ay, by = turn * (I[o + 1] - gy), turn * (I[o + 3] - gy)
        # Sides shade what comes from their right.
        if turn * (ax * by - ay * bx) > outer * (abs(bx - ax) + abs(by - ay)):
            continue
        if narrow and (
            (ax * c0 + ay * s0 > outer and bx * c0 + by * s0 > outer)
            or (ax * c1 + ay * s1 < inner and bx * c1 + by * s1 < inner)
            or (square and ay * c0 - ax * s0 < -_BESIDE and by * c0 - bx * s0 < -_BESIDE)
        ):
            continue
        d2 = near_point(0.0, 0.0, ax, ay, bx, by)
        if d2 > reach * reach or (since > 0.0 and d2 <= since * since):
            continue
        order[found], keys[found] = i, math.sqrt(d2)
        found += 1
    sort(order, keys, found)
    return found


@kernel
def shades(fan: Fan, slack: float, things: Things, L: list[float]) -> int:
    """Note in L which rays of a fan things shade, in order and apart. Gives the count, -1: L full.

    things: as `laid_out` has left them.
    """
    gx, gy, rho, turn, alpha, left, most = fan
    I, order, keys = things.figures, things.order, things.keys  # noqa: E741
    outer = rho + _BESIDE
    least = slit(slack)
    parts = int(most / _PART) + 1
    m = 0
    first, last = 0.0, most
    since = 0.0
    for stage in range(2):
        until = math.inf
        if stage == 0 and left > _FAR * _NEAR:
            until = rho + _NEAR
        if stage == 1:
            first, last = _left_open(L, m, 0.0, most, 0.0, most, fan, least)
            if first >= last:
                break
        some = Fan(gx, gy, rho, turn, alpha + first, left - rho * first, last - first)
        found = _gathered(some, since, until, things)
        for part in range(parts):
            a, b = most * part / parts, most * (part + 1) / parts
            if b <= first or a >= last:
                continue
            lo, hi = _left_open(L, m, a, b, a, b, fan, least)
            seen = _OFTEN
            for q in range(found):
                if seen == _OFTEN:
                    if q > 0:
                        lo, hi = _left_open(L, m, lo, hi, a, b, fan, least)
                    if lo >= hi:
                        break
                    seen = 0
                    c0, s0 = math.cos(alpha + lo), math.sin(alpha + lo)
                    c1, s1 = math.cos(alpha + hi), math.sin(alpha + hi)
                    inner = rho * math.cos(hi - lo) - _BESIDE
                    t = left - rho * lo
                    reach = math.sqrt(rho * rho + t * t) + _BESIDE
                if keys[q] > reach:
                    break
                o = THING * order[q]
                if I[o + 4] == 0.0:
                    x, y, g = I[o] - gx, turn * (I[o + 1] - gy), I[o + 2]
                    if (
                        x * c0 + y * s0 - g > outer
                        or x * c1 + y * s1 + g < inner
                        or y * c0 - x * s0 + g < -_BESIDE
                    ):
                        continue
                    m = shade_by_disc(L, m, x, y, g, fan)
                else:
                    ax, ay, bx, by = I[o] - gx, I[o + 1] - gy, I[o + 2] - gx, I[o + 3] - gy
                    if turn < 0.0:
                        ax, ay, bx, by = bx, -by, ax, -ay
                    if (
                        (ax * c0 + ay * s0 > outer and bx * c0 + by * s0 > outer)
                        or (ax * c1 + ay * s1 < inner and bx * c1 + by * s1 < inner)
                        or (ay * c0 - ax * s0 < -_BESIDE and by * c0 - bx * s0 < -_BESIDE)
                    ):
                        continue
                    m = shade_by_side(L, m, ax, ay, bx, by, fan)
                if m < 0:
                    break
                seen += 1
            if m < 0:
                return -1
        if until == math.inf:
            break
        # What lies about there may have been left out by its box, to the last bit: look again.
        since = until - _AGAIN
    return m
