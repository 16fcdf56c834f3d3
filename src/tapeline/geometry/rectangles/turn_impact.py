"""Kernels: when one turning rectangle first meets one convex part, in the rectangle's own frame.

The frame has the pivot at its origin and is mirrored for a clockwise turn, so that the rectangle, a
box between four numbers, always turns counter-clockwise, or the part clockwise about it. What comes
into contact there is a corner of the box with a side of the part, or a corner of the part with a
side of the box. A circle about the pivot enters a side at one place at most, and only some corners
and sides of the box are ever in front. What cannot be told so for sure (parts that touch at the
start, grazes) is left to the general way of `turn`.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.epsilons import LENGTH, STRETCH
from tapeline.geometry.rectangles.slide_impact import Frame, PackedParts
from tapeline.geometry.rectangles.turn import Turning, TurnRoom

__all__ = ["FRONT", "UNSURE", "box_turn", "front_of", "swept_until"]

#: What `box_turn` gives when only the general way can tell. No angle is negative.
UNSURE = -1.0
#: Numbers that `front_of` and `swept_until` write.
FRONT = 41

#: Angle: how far behind a contact it is looked whether the overlap is deep.
_STEP = 1e-5
#: Angle: a quarter turn, with room for rounding.
_QUARTER = 0.5 * math.pi + 1e-14
#: Where in scratch places met are written down, three numbers each.
_PLACES = 8
#: Length times length: growth of a square of a distance along a side that rounding may hide.
_FLAT = 1e-9


@kernel
def front_of(f: Frame, px: float, py: float, sense: float, g: list[float]) -> None:
    """What of a rectangle with frame f can be in front when it turns about p; sense as in
    `turn_batch`.

    The frame is turned by quarters until the box's middle is to the right of the pivot and above.
    g[0:4]: the box, x0, x1, y0, y1; [4:7]: unit vector along x on the table, sense; [7], [8]: radii
    of the ring it sweeps, the outer with room, squared; [9]: how many of its corners can be in
    front; from [10] on x, y and the square of the distance for each; [22:26]: 1 for a side that
    can be (top, left, bottom, right), else 0; [26:28], [31:33]: unit vectors that bound the box as
    seen from the pivot, the trailing one and the leading one, if [30] is not negative; [33:35]: the
    trailing one on the table, times sense.
    """
    ux, uy = f[2], f[3]
    x, y = f[0] - px, f[1] - py
    cx, cy = x * ux + y * uy, sense * (y * ux - x * uy)
    long, wide = f[4], f[5]
    while cx < 0.0 or cy < 0.0:
        cx, cy = cy, -cx
        ux, uy = -sense * uy, sense * ux
        long, wide = wide, long
    x0, x1 = cx - long, cx + long
    y0, y1 = cy - wide, cy + wide
    g[0], g[1] = x0, x1
    g[2], g[3] = y0, y1
    g[4], g[5] = ux, uy
    g[6] = sense
    reach = math.sqrt(x1 * x1 + y1 * y1) + LENGTH
    g[7] = reach * reach
    x, y = max(x0, 0.0), max(y0, 0.0)
    g[8] = x * x + y * y
    # Top and left are in front where they are to the right of the pivot and above, as some always
    # is; the others where they are to the left and below.
    bottom = x0 < -LENGTH
    right = y0 < -LENGTH
    g[22] = g[23] = 1.0
    g[24], g[25] = 1.0 if bottom else 0.0, 1.0 if right else 0.0
    g[10], g[11] = x1, y1
    g[12], g[13] = x1 * x1 + y1 * y1, x0
    g[14], g[15] = y1, x0 * x0 + y1 * y1
    k = 16
    if bottom or y0 > LENGTH:
        g[k], g[k + 1], g[k + 2] = x0, y0, x0 * x0 + y0 * y0
        k += 3
    if right:
        g[k], g[k + 1], g[k + 2] = x1, y0, x1 * x1 + y0 * y0
        k += 3
    g[9], g[30] = float((k - 10) // 3), -1.0
    if (bottom and y0 <= LENGTH) or (right and x0 <= LENGTH):
        return
    # The pivot is outside, or a corner.
    x = x0 if right else x1
    d = math.sqrt(x * x + y0 * y0)
    tx, ty = x / d, y0 / d
    y = y0 if bottom else y1
    d = math.sqrt(x0 * x0 + y * y)
    g[26], g[27] = tx, ty
    g[30], g[31] = 0.0, x0 / d
    g[32], g[33] = y / d, sense * tx * ux - ty * uy
    g[34] = sense * tx * uy + ty * ux


@kernel
def swept_until(limit: float, c: float, s: float, g: list[float]) -> None:
    """Bounds of what a turn by an angle, of cosine c and sine s, sweeps; g as `front_of` has it.

    g[28:30]: unit vector that the box stays behind; [35:37]: the same on the table, times sense;
    [30]: whether what is swept lies behind it and before the trailing one (1), either of them is
    enough (2), or they bound nothing (0, or negative: for no angle). [37]: how far along x at the
    start there is anything to meet; [38:41]: the same upward at the end, with that direction on
    the table.
    """
    ux, uy = g[4], g[5]
    sense = g[6]
    if g[30] >= 0.0:
        g[30] = 0.0
        if limit < 3.14:
            x, y = c * g[31] - s * g[32], s * g[31] + c * g[32]
            g[28], g[29], g[35], g[36] = x, y, sense * x * ux - y * uy, sense * x * uy + y * ux
            # From the trailing vector to this one it is less than two half turns.
            if g[26] * y - g[27] * x >= 0.0:
                g[30] = 1.0
            elif g[26] * x + g[27] * y < 0.95:
                g[30] = 2.0
    g[37], g[38], g[39], g[40] = math.inf, 0.0, 0.0, math.inf
    if limit <= _QUARTER and g[2] >= -LENGTH:
        # What is farther right than a box above the pivot goes down, and in a quarter turn does not
        # come up again.
        g[37] = g[1] + LENGTH
        if g[0] >= -LENGTH:
            # What is once below the top of a box to the right of the pivot stays below it.
            g[38], g[39] = -s * ux - c * sense * uy, c * sense * ux - s * uy
            g[40] = g[3] + LENGTH


@kernel
def _note(cross: float, dot: float, square: float, out: list[float]) -> None:
    """Write down a place met unless it is farther round than another; the pivot itself never is.

    cross, dot: of the two directions, out to `square`, that of the distance. out[2]: cosine of
    the angle beyond which nothing counts, with room, or -2 where that is a half turn or more;
    out[5]: where these three numbers are written.
    """
    if square == 0.0 or (out[2] >= -1.0 and (cross < 0.0 or dot < out[2] * square)):
        return
    k = int(out[5])
    out[k], out[k + 1], out[k + 2] = cross, dot, square
    out[5] = float(k + 3)
    if cross >= 0.0:
        # Room for all that is met before it is looked whether the overlap is deep.
        out[2] = max(out[2], dot / square - 4.0 * _STEP)


@kernel
def _least(limit: float, out: list[float]) -> bool:
    """Whether a place written down is met before the limit.

    out[0]: the least angle, out[1]: the next one, infinite where it is far behind; out[3:5]: cosine
    and sine of an angle a little behind the first place and before any other, out[6:8]: of the
    least.
    """
    out[0], out[1] = math.inf, math.inf
    for k in range(_PLACES, int(out[5]), 3):
        cross, dot = out[k], out[k + 1]
        if out[2] >= -1.0 and (cross < 0.0 or dot < out[2] * out[k + 2]):
            continue
        angle = math.atan2(cross, dot)
        if angle < 0.0:
            angle += 2.0 * math.pi
        if angle >= limit:
            continue
        if angle < out[0] - STRETCH:
            out[1], out[0] = out[0], angle
            out[6] = dot / out[k + 2]
            out[7] = cross / out[k + 2]
        elif angle <= out[0] + STRETCH:
            out[0] = min(out[0], angle)
        elif angle < out[1]:
            out[1] = angle
    if out[0] == math.inf:
        return False
    more = min(_STEP, 0.5 * (min(out[1], limit) - out[0]))
    near = 1.0 - 0.5 * more * more
    out[3] = out[6] * near - out[7] * more
    out[4] = out[7] * near + out[6] * more
    return True


@kernel
def _note_sides(
    x: float, y: float, square: float, grow: float, g: Floats, out: list[float]
) -> None:
    """Note where (x, y), going clockwise, comes in over a side of the box moved outward."""
    for side in range(4):
        if g[22 + side] == 0.0:
            continue
        if side == 0:
            at = g[3] + grow
        elif side == 1:
            at = g[0] - grow
        elif side == 2:
            at = g[2] - grow
        else:
            at = g[1] + grow
        root = square - at * at
        if root < 0.0:
            continue
        root = math.sqrt(root)
        if side >= 2:
            root = -root
        if side == 0 or side == 2:
            if g[0] - LENGTH <= root <= g[1] + LENGTH:
                _note(y * root - x * at, x * root + y * at, square, out)
        elif g[2] - LENGTH <= root <= g[3] + LENGTH:
            _note(y * at - x * root, x * at + y * root, square, out)


@kernel
def _turn_disc(
    x: float, y: float, r: float, limit: float, need: float, g: Floats, out: list[float]
) -> float:
    """`box_turn` for a disc of radius r at (x, y) in the frame."""
    square = x * x + y * y
    late, early = g[26] * y - g[27] * x + r < -LENGTH, x * g[29] - y * g[28] + r < -LENGTH
    if (g[30] > 0.0 and late and early) or (g[30] == 1.0 and (late or early)):
        return math.inf
    x0, x1 = g[0], g[1]
    y0, y1 = g[2], g[3]
    gx, gy = max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1)
    if gx * gx + gy * gy <= (r + need) * (r + need):
        return UNSURE
    _note_sides(x, y, square, r, g, out)
    for k in range(10, 10 + 3 * int(g[9]), 3):
        cx, cy = g[k], g[k + 1]
        dd = g[k + 2]
        if dd == 0.0:
            continue
        # Where the circle about the pivot comes into that about the corner.
        t = 0.5 * (square - r * r + dd) / dd
        root = square / dd - t * t
        if root < 0.0:
            continue
        root = math.sqrt(root)
        hx, hy = t * cx - root * cy, t * cy + root * cx
        if (hx <= x0 + LENGTH if cx == x0 else hx >= x1 - LENGTH) and (
            hy <= y0 + LENGTH if cy == y0 else hy >= y1 - LENGTH
        ):
            _note(y * hx - x * hy, x * hx + y * hy, square, out)
    if not _least(limit, out):
        return math.inf
    c, s = out[3], out[4]
    px, py = c * x + s * y, c * y - s * x
    gx, gy = max(x0 - px, px - x1), max(y0 - py, py - y1)
    gap = math.sqrt(gx * gx + gy * gy) if gx > 0.0 and gy > 0.0 else max(gx, gy)
    return out[0] if r - gap > need else UNSURE


@kernel
def box_turn(
    g: Floats, turn: Turning, narrow: float, need: float, k: int, parts: PackedParts, room: TurnRoom
) -> float:
    """Angle turned to the contact with part k, infinite if none before the limit, or UNSURE.

    g: as `front_of` and `swept_until` write it. narrow: cosine of the limit less rounding, or -2
    where the limit is a half turn or more. A part with a radius has one corner. Room for work:
    twice as many numbers as the part has; for the answer: 8 numbers and 12 times as many as that;
    out[6:8] are cosine and sine of the angle given.
    """
    (px, py, sense, limit), (work, _, out) = turn, room
    C, start, stop, radius = parts.corners, parts.starts[k], parts.starts[k + 1], parts.radii[k]
    ux, uy = g[4], g[5]
    out[2], out[5] = narrow, _PLACES
    if radius > 0.0:
        x, y = C[start] - px, C[start + 1] - py
        return _turn_disc(x * ux + y * uy, sense * (y * ux - x * uy), radius, limit, need, g, out)
    x0, x1 = g[0], g[1]
    y0, y1 = g[2], g[3]
    tx, ty = g[26], g[27]
    lx, ly = g[28], g[29]
    n = stop - start
    p0, p1 = math.inf, -math.inf
    q0, q1 = math.inf, -math.inf
    lag, lead = -math.inf, -math.inf
    far = 0.0
    k = 0
    for i in range(start, stop, 2):
        x, y = C[i] - px, C[i + 1] - py
        p, q = x * ux + y * uy, sense * (y * ux - x * uy)
        square = p * p + q * q
        ahead = p * ly - q * lx
        work[k], work[k + 1], work[k + 2], work[k + 3] = p, q, square, ahead
        k += 4
        lag, lead = max(lag, tx * q - ty * p), max(lead, ahead)
        far = max(far, square)
        p0, p1 = min(p0, p), max(p1, p)
        q0, q1 = min(q0, q), max(q1, q)
    # Out of the sector, or within the ring.
    late, early = lag < -LENGTH, lead < -LENGTH
    if (g[30] > 0.0 and late and early) or (g[30] == 1.0 and (late or early)):
        return math.inf
    reach = g[7]
    if far < g[8] and (math.sqrt(far) + LENGTH) * (math.sqrt(far) + LENGTH) < g[8]:
        return math.inf
    gate = -LENGTH if g[30] == 1.0 else -math.inf
    apart = p0 > x1 + need or x0 > p1 + need or q0 > y1 + need or y0 > q1 + need
    # What the comparison of squares of distances leaves to that of lengths along the side.
    spare = 4.0 * LENGTH * (1.0 + reach)
    fronts = 10 + 3 * int(g[9])
    ax, ay = work[k - 4], work[k - 3]
    az, ahead = work[k - 2], work[k - 1]
    # How the square of the distance from the pivot grows along the side before a.
    grown = -math.inf
    if n > 2:
        grown = sense * ((ax - work[k - 8]) * ax + (ay - work[k - 7]) * ay)
    for i in range(0, k, 4):
        bx, by = work[i], work[i + 1]
        bz = work[i + 2]
        ex, ey = bx - ax, by - ay
        ee = ex * ex + ey * ey
        foot = -(ax * ex + ay * ey)
        grows = -sense * foot
        # A corner of the part on sides of the box.
        if az <= reach and ahead >= gate and (grown >= -_FLAT or grows >= -_FLAT):
            _note_sides(ax, ay, az, 0.0, g, out)
        grown = grows + sense * ee
        late = ahead < gate and work[i + 3] < gate
        ahead = work[i + 3]
        if ee > 0.0:
            # Corners of the box on this side of the part.
            cross = ax * ey - ay * ex
            if not apart:
                gap = min(sense * ey * x0, sense * ey * x1) - sense * cross
                gap += min(-sense * ex * y0, -sense * ex * y1)
                apart = gap > 0.0 and gap * gap > need * need * ee
            if cross * cross > reach * ee:
                if sense * cross < 0.0:
                    return math.inf
            elif not late and max(grown, grows) > -_FLAT:
                low = -math.inf
                if grows > 0.0 and grown > 0.0:
                    low = min(az, bz) - spare
                high = (bz if sense > 0.0 else az) + spare
                for j in range(10, fronts, 3):
                    square = g[j + 2]
                    if square < low or square > high:
                        continue
                    root = square * ee - cross * cross
                    if root < 0.0:
                        continue
                    t = foot + sense * math.sqrt(root)
                    slack = LENGTH * math.sqrt(ee)
                    if t < -slack or t > ee + slack:
                        continue
                    t /= ee
                    x, y = g[j], g[j + 1]
                    p, q = ax + t * ex, ay + t * ey
                    _note(x * q - y * p, x * p + y * q, square, out)
        ax, ay = bx, by
        az = bz
    if not apart:
        return UNSURE
    if not _least(limit, out):
        return math.inf
    # A little farther: is it deep there?
    c, s = out[3], out[4]
    p0, p1 = math.inf, -math.inf
    q0, q1 = math.inf, -math.inf
    for i in range(0, k, 4):
        x, y = c * work[i] + s * work[i + 1], c * work[i + 1] - s * work[i]
        work[i], work[i + 1] = x, y
        p0, p1 = min(p0, x), max(p1, x)
        q0, q1 = min(q0, y), max(q1, y)
    if min(x1 - p0, p1 - x0, y1 - q0, q1 - y0) <= need:
        return UNSURE
    ax, ay = work[k - 4], work[k - 3]
    for i in range(0, k if n > 2 else 0, 4):
        bx, by = work[i], work[i + 1]
        ex, ey = sense * (bx - ax), sense * (by - ay)
        deep = ax * ey - ay * ex - min(ey * x0, ey * x1) - min(-ex * y0, -ex * y1)
        if deep <= need * math.sqrt(ex * ex + ey * ey) and (ex != 0.0 or ey != 0.0):
            return UNSURE
        ax, ay = bx, by
    return out[0]
