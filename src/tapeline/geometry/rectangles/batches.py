"""Kernels: first contact of many rectangles with many parts, from flat arrays.

Parts lie from left to right, so those that a motion can meet are one stretch of them; lanes of
slides, rings and sectors of turns leave few of these to `meeting`.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence

from tapeline.geometry.epsilons import LENGTH, RELATIVE, STRETCH
from tapeline.geometry.gears import bare, entry, kernel
from tapeline.geometry.rectangles.convex import depth_of_parts, turn_loop
from tapeline.geometry.rectangles.freeleg import comes_near, free_spans
from tapeline.geometry.rectangles.meeting import UNSURE, box_slide, box_turn, frame_of
from tapeline.geometry.rectangles.sliding import slide_span
from tapeline.geometry.rectangles.turning import turn_spans

__all__ = ["TURNING", "first_frees", "first_slides", "first_turns"]

#: Parts that are put in order before a turn is held against them.
_HANDFUL = 24
#: Numbers of scratch that `first_turns` takes beside room for contacts.
TURNING = 20 + 2 * _HANDFUL

_ARRAYS = "float64[::1], int64[::1], float64[::1], float64[::1]"
_MORE = "float64[::1], float64[::1]"


@kernel
@bare
def _reached(W: Sequence[float], x: float) -> int:
    """The first part with W at x or beyond; W never falls."""
    lo = 0
    hi = len(W)
    while lo < hi:
        mid = (lo + hi) // 2
        if W[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@kernel
@bare
def _first_slide(
    A: Sequence[float],
    i: int,
    dx: float,
    dy: float,
    limit: float,
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    N: Sequence[float],
    W: Sequence[float],
    f: MutableSequence[float],
    out: MutableSequence[float],
) -> int:
    """Part met first, -1 for none; out[2] is the length slid until then, `limit` for none."""
    best = limit
    which = -1
    frame_of(A, 8 * i, f)
    du = abs(dx * f[2] + dy * f[3])
    dv = abs(dy * f[2] - dx * f[3])
    front = du * f[4] + dv * f[5] + LENGTH
    side = dv * f[4] + du * f[5] + LENGTH
    half = abs(f[2]) * f[4] + abs(f[3]) * f[5] + LENGTH
    ax = abs(dx)
    ay = abs(dy)
    x1 = f[0] + half + max(best * dx, 0.0)
    for k in range(_reached(W, f[0] - half + min(best * dx, 0.0)), len(R)):
        if B[4 * k] - B[4 * k + 2] > x1:
            break
        x = B[4 * k] - f[0]
        y = B[4 * k + 1] - f[1]
        w = B[4 * k + 2]
        h = B[4 * k + 3]
        if abs(x * dy - y * dx) > side + w * ay + h * ax:
            continue
        along = x * dx + y * dy
        more = front + w * ax + h * ay
        if along < -more or along > best + more:
            continue
        if R[k] == 0.0 or (O[k + 1] - O[k] == 2 and R[k] > need):
            s = box_slide(f, dx, dy, limit, best, need, C, N, O[k], O[k + 1], R[k], out)
        else:
            a = A[8 * i : 8 * i + 8]
            b = C[O[k] : O[k + 1]]
            if not slide_span(a, b, R[k], dx, dy, need, out):
                continue
            if out[0] >= limit or out[1] <= 0.0:
                continue
            slide_span(a, b, R[k], dx, dy, 0.0, out)
            s = max(out[0], 0.0)
        if s < best:
            best = s
            which = k
            x1 = f[0] + half + max(best * dx, 0.0)
    out[2] = best
    return which


@entry(
    f"void(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, {_MORE}, float64[::1], "
    "float64[::1], int64[::1])"
)
@bare
def first_slides(
    A: Sequence[float],
    D: Sequence[float],
    L: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    N: Sequence[float],
    W: Sequence[float],
    scratch: MutableSequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> None:
    """Slides of n rectangles: corners A (8 n), unit directions D (2 n), lengths L (n).

    C, O, R, B, N, W: parts as `Obstacles` packs them. scratch: 12 numbers. at (n): lengths until
    first contact, the length asked for where there is none. part (n): the part met, -1 for none.
    """
    f = scratch[0:8]
    out = scratch[8:12]
    for i in range(len(L)):
        part[i] = _first_slide(A, i, D[2 * i], D[2 * i + 1], L[i], need, C, O, R, B, N, W, f, out)
        at[i] = out[2]


@kernel
@bare
def _corner_hits(
    a: Sequence[float],
    b: Sequence[float],
    px: float,
    py: float,
    sense: float,
    limit: float,
    count: int,
    out: MutableSequence[float],
) -> int:
    """Add the angles in [0, limit) at which a corner of `a`, turning about p, meets a side of b."""
    na = len(a) // 2
    nb = len(b) // 2
    for j in range(nb if nb > 1 else 0):
        j2 = j + 1 if j + 1 < nb else 0
        bx = b[2 * j] - px
        by = b[2 * j + 1] - py
        ex = b[2 * j2] - px - bx
        ey = b[2 * j2 + 1] - py - by
        ee = ex * ex + ey * ey
        foot = -(bx * ex + by * ey)
        cross = bx * ey - by * ex
        slack = LENGTH * math.sqrt(ee)
        for i in range(na):
            x = a[2 * i] - px
            y = a[2 * i + 1] - py
            root = (x * x + y * y) * ee - cross * cross
            if root < 0.0:
                continue
            root = math.sqrt(root)
            for which in range(2):
                f = foot + root if which == 0 else foot - root
                if f < -slack or f > ee + slack:
                    continue
                hx = bx + f / ee * ex
                hy = by + f / ee * ey
                angle = sense * math.atan2(x * hy - y * hx, x * hx + y * hy)
                if angle < 0.0:
                    angle += 2.0 * math.pi
                if angle < limit:
                    out[count] = angle
                    count += 1
    return count


@kernel
@bare
def _first_angle(
    a: Sequence[float],
    b: Sequence[float],
    radius: float,
    px: float,
    py: float,
    sense: float,
    limit: float,
    need: float,
    work: MutableSequence[float],
    four: MutableSequence[float],
    out: MutableSequence[float],
) -> float:
    """Angle of the first contact of a turn that gets deeper than need; infinite if none."""
    if radius == 0.0:
        # Sharp parts change between apart and overlapping only where a corner meets a side.
        deep = depth_of_parts(a, b, radius, four)
        if deep > need:
            return 0.0
        count = _corner_hits(a, b, px, py, sense, limit, 0, out)
        count = _corner_hits(b, a, px, py, -sense, limit, count, out)
        if count == 0 and deep <= 0.0:
            return math.inf
        for i in range(1, count):
            key = out[i]
            k = i - 1
            while k >= 0 and out[k] > key:
                out[k + 1] = out[k]
                k -= 1
            out[k + 1] = key
        before = 0.0
        sure = deep <= 0.0
        for i in range(count + 1):
            after = out[i] if i < count else limit
            if after - before > STRETCH:
                half = sense * 0.5 * (before + after)
                turn_loop(a, px, py, math.cos(half), math.sin(half), 0.0, 0.0, work)
                deep = depth_of_parts(work, b, radius, four)
                if deep > need:
                    if sure:
                        return before
                    break
                if deep > -need:
                    # Too near to call by one look: let the general way decide.
                    sure = False
                before = after
        if sure:
            return math.inf
    if turn_spans(a, b, radius, px, py, sense, limit, need, work, four, out) == 0:
        return math.inf
    start = out[0]
    middle = 0.5 * (out[0] + out[1])
    count = turn_spans(a, b, radius, px, py, sense, limit, 0.0, work, four, out)
    for i in range(count):
        if out[2 * i] <= middle <= out[2 * i + 1]:
            return min(start, out[2 * i])
    return start


@kernel
@bare
def _sector(
    A: Sequence[float],
    i: int,
    px: float,
    py: float,
    sense: float,
    limit: float,
    out: MutableSequence[float],
) -> int:
    """Unit vectors that bound what a turn sweeps: trailing out[0:2], leading out[2:4].

    Returns 1 if both sides of the angle must be kept, 2 if either may be, 0 if they bound nothing.
    """
    mx = 0.5 * (A[8 * i] + A[8 * i + 4]) - px
    my = 0.5 * (A[8 * i + 1] + A[8 * i + 5]) - py
    mm = mx * mx + my * my
    if mm == 0.0:
        return 0
    lag = 0.0
    lead = 0.0
    for k in range(4):
        x = A[8 * i + 2 * k] - px
        y = A[8 * i + 2 * k + 1] - py
        rr = x * x + y * y
        if rr < LENGTH * LENGTH:
            continue
        dot = mx * x + my * y
        if dot < 0.0:
            return 0
        # The sine against the middle, which grows with the angle while that is sharp.
        t = sense * (mx * y - my * x) / math.sqrt(rr * mm)
        lead = max(lead, t)
        lag = min(lag, t)
    if lead > 0.9999999 or lag < -0.9999999:
        return 0
    first = math.asin(lag)
    last = math.asin(lead)
    m = math.sqrt(mm)
    mx /= m
    my /= m
    c = math.sqrt(1.0 - lag * lag)
    n = sense * lag
    out[0] = c * mx - n * my
    out[1] = n * mx + c * my
    c = math.cos(last + limit)
    n = sense * math.sin(last + limit)
    out[2] = c * mx - n * my
    out[3] = n * mx + c * my
    width = last + limit - first
    if width <= math.pi:
        return 1
    return 2 if width < 1.9 * math.pi else 0


@kernel
@bare
def _aside(
    sector: int,
    x: float,
    y: float,
    w: float,
    h: float,
    tx: float,
    ty: float,
    lx: float,
    ly: float,
) -> bool:
    """Whether a box about (x, y) from the pivot, half lengths w, h, is out of a sector."""
    if sector == 0:
        return False
    lag = tx * y - ty * x + w * abs(ty) + h * abs(tx) < -LENGTH
    lead = x * ly - y * lx + w * abs(ly) + h * abs(lx) < -LENGTH
    return (lag and lead) or (sector == 1 and (lag or lead))


@kernel
@bare
def _out_of_reach(
    sector: int,
    px: float,
    py: float,
    reach: float,
    inner: float,
    tx: float,
    ty: float,
    lx: float,
    ly: float,
    C: Sequence[float],
    N: Sequence[float],
    start: int,
    stop: int,
    radius: float,
) -> bool:
    """Whether a part, itself and not its box, is out of a sector or of the ring about its pivot.

    reach: the ring's outer radius; inner: the square of the inner one.
    """
    lag = -math.inf
    lead = -math.inf
    far = 0.0
    off = -math.inf
    for i in range(start, stop, 2):
        x = C[i] - px
        y = C[i + 1] - py
        lag = max(lag, tx * y - ty * x)
        lead = max(lead, x * ly - y * lx)
        far = max(far, x * x + y * y)
        if stop - start > 4:
            j = 3 * (i // 2)
            off = max(off, N[j] * px + N[j + 1] * py - N[j + 2])
    if off > radius + reach:
        return True
    if inner > 0.0:
        far = math.sqrt(far) + radius + LENGTH
        if far * far < inner:
            return True
    late = lag + radius < -LENGTH
    early = lead + radius < -LENGTH
    return (sector > 0 and late and early) or (sector == 1 and (late or early))


@entry(
    f"void(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, {_MORE}, float64[::1], "
    "float64[::1], int64[::1])"
)
@bare
def first_turns(
    A: Sequence[float],
    P: Sequence[float],
    L: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    N: Sequence[float],
    W: Sequence[float],
    scratch: MutableSequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> None:
    """Turns of n rectangles: corners A (8 n), pivots P (2 n), signed angles L (n), at most 2 pi.

    scratch: TURNING + 8 * (12 * most corners of a part + 4) numbers. at (n): angles (not signed)
    until first contact, the angle asked for where there is none. part (n): the part met, -1 for
    none.
    """
    work = scratch[0:8]
    four = scratch[8:12]
    f = scratch[12:20]
    held_keys = scratch[20 : 20 + 2 * _HANDFUL]
    out = scratch[20 + 2 * _HANDFUL : len(scratch)]
    loop = scratch[24 + 2 * _HANDFUL : len(scratch)]
    for i in range(len(L)):
        px = P[2 * i]
        py = P[2 * i + 1]
        best = abs(L[i])
        sense = 1.0 if L[i] >= 0.0 else -1.0
        which = -1
        frame_of(A, 8 * i, f)
        # The ring that the turn sweeps, and the sector.
        x = f[0] - px
        y = f[1] - py
        cx = abs(x * f[2] + y * f[3])
        cy = abs(y * f[2] - x * f[3])
        outer = (cx + f[4]) * (cx + f[4]) + (cy + f[5]) * (cy + f[5])
        reach = math.sqrt(outer) + LENGTH
        outer = reach * reach
        x = max(cx - f[4], 0.0)
        y = max(cy - f[5], 0.0)
        inner = x * x + y * y
        sector = _sector(A, i, px, py, sense, best, four)
        tx = four[0] * sense
        ty = four[1] * sense
        lx = four[2] * sense
        ly = four[3] * sense
        narrow = math.cos(best) - RELATIVE if best < 3.14 else -2.0
        # What lies in the sector, by the handful; then from the first in the way of the turn to the
        # last, as a contact leaves little of the sector to those behind it.
        nx = A[8 * i] + A[8 * i + 4] - 2.0 * px
        ny = sense * (A[8 * i + 1] + A[8 * i + 5] - 2.0 * py)
        k = _reached(W, px - reach)
        while k < len(R):
            held = 0
            while k < len(R) and held < _HANDFUL:
                x = B[4 * k] - px
                w = B[4 * k + 2]
                if x - w > reach:
                    k = len(R)
                    break
                y = B[4 * k + 1] - py
                h = B[4 * k + 3]
                k += 1
                ax = abs(x)
                ay = abs(y)
                gx = max(ax - w, 0.0)
                gy = max(ay - h, 0.0)
                if gx * gx + gy * gy > outer:
                    continue
                gx = ax + w + LENGTH
                gy = ay + h + LENGTH
                if gx * gx + gy * gy < inner:
                    continue
                if _aside(sector, x, y, w, h, tx, ty, lx, ly):
                    continue
                # How far round from the middle of the rectangle, by a number that grows with it.
                y *= sense
                along = x * nx + y * ny
                across = nx * y - ny * x
                key = across / (abs(along) + abs(across) + LENGTH)
                if along < 0.0:
                    key = 2.0 - key
                elif key < -0.5:
                    key += 4.0
                m = held
                while m > 0 and held_keys[m - 1] > key:
                    held_keys[m] = held_keys[m - 1]
                    held_keys[m + _HANDFUL] = held_keys[m + _HANDFUL - 1]
                    m -= 1
                held_keys[m] = key
                held_keys[m + _HANDFUL] = k - 1
                held += 1
            for m in range(held):
                j = int(held_keys[m + _HANDFUL])
                if _out_of_reach(
                    sector, px, py, reach, inner, tx, ty, lx, ly, C, N, O[j], O[j + 1], R[j]
                ):
                    continue
                s = UNSURE
                if R[j] == 0.0 or O[j + 1] - O[j] == 2:
                    s = box_turn(
                        f, px, py, sense, best, narrow, need, C, O[j], O[j + 1], R[j], loop, out
                    )
                if s == UNSURE:
                    a = A[8 * i : 8 * i + 8]
                    b = C[O[j] : O[j + 1]]
                    s = _first_angle(a, b, R[j], px, py, sense, best, need, work, four, out)
                # Of two that are met at once the one farther left.
                if s < best or (s <= best and (which < 0 or j < which)):
                    best = s
                    which = j
                    narrow = math.cos(best) - RELATIVE if best < 3.14 else -2.0
                    sector = _sector(A, i, px, py, sense, best, four)
                    lx = four[2] * sense
                    ly = four[3] * sense
        at[i] = best
        part[i] = which


@entry(
    f"int64(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, {_MORE}, float64[::1], "
    "float64[::1], int64[::1])"
)
@bare
def first_frees(
    A: Sequence[float],
    P: Sequence[float],
    M: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    N: Sequence[float],
    W: Sequence[float],
    scratch: MutableSequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> int:
    """Free legs of n rectangles: corners A (8 n), centres P (2 n), M (3 n): dx, dy, angle.

    scratch: 219 numbers and room for the critical places. at (n): fraction of the leg until first
    contact, 1 where there is none. part (n): the part met, -1 for none. Returns the first row whose
    critical places did not fit, -1 if all did.
    """
    f = scratch[0:7]
    stack = scratch[7:207]
    work = scratch[207:215]
    four = scratch[215:219]
    out = scratch[219 : len(scratch)]
    for i in range(len(P) // 2):
        a = A[8 * i : 8 * i + 8]
        px = P[2 * i]
        py = P[2 * i + 1]
        dx = M[3 * i]
        dy = M[3 * i + 1]
        w = M[3 * i + 2]
        best = 1.0
        which = -1
        reach = 0.0
        long = math.sqrt(dx * dx + dy * dy)
        for k in range(4):
            x = a[2 * k] - px
            y = a[2 * k + 1] - py
            reach = max(reach, math.sqrt(x * x + y * y))
        for k in range(_reached(W, min(px, px + dx) - reach), len(R)):
            if B[4 * k] - B[4 * k + 2] > max(px, px + dx) + reach:
                break
            if (
                B[4 * k] + B[4 * k + 2] < min(px, px + dx) - reach
                or B[4 * k + 1] - B[4 * k + 3] > max(py, py + dy) + reach
                or B[4 * k + 1] + B[4 * k + 3] < min(py, py + dy) - reach
            ):
                continue
            # How far the box of the part is off the line of the centre.
            off = abs((B[4 * k] - px) * dy - (B[4 * k + 1] - py) * dx)
            off -= B[4 * k + 2] * abs(dy) + B[4 * k + 3] * abs(dx)
            if off > (reach + LENGTH) * long:
                continue
            b = C[O[k] : O[k + 1]]
            if not comes_near(a, b, R[k], px, py, dx, dy, w, best, reach, need, stack, work, four):
                continue
            count = free_spans(a, b, R[k], px, py, dx, dy, w, need, 0.0, f, stack, work, four, out)
            if count < 0:
                return i
            if count == 0 or out[0] > best:
                continue
            start = out[0]
            middle = 0.5 * (out[0] + out[1])
            count = free_spans(
                a, b, R[k], px, py, dx, dy, w, 0.0, middle, f, stack, work, four, out
            )
            if count < 0:
                return i
            for j in range(count):
                if out[2 * j] <= middle <= out[2 * j + 1]:
                    start = min(start, out[2 * j])
            if start < best or (which < 0 and start <= best):
                best = start
                which = k
        at[i] = best
        part[i] = which
    return -1
