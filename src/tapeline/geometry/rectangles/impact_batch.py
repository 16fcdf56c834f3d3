"""Kernels: first contact of many rectangles that slide or move freely with many parts.

Parts lie from left to right in flat arrays, so those that a motion can meet are one stretch of
them; lanes of slides leave few of these to `slide_impact`. Turns: `turn_batch.py`.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.rectangles.free_leg import comes_near, free_spans
from tapeline.geometry.rectangles.slide import slide_span
from tapeline.geometry.rectangles.slide_impact import box_slide, frame_of

__all__ = ["MORE", "PARTS", "first_frees", "first_slides", "reached"]

#: Signature of what `Obstacles` packs, in two parts.
PARTS = "float64[::1], int64[::1], float64[::1], float64[::1]"
MORE = "float64[::1], float64[::1]"


@kernel
@no_refcount
def reached(W: Sequence[float], x: float) -> int:
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
@no_refcount
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
    for k in range(reached(W, f[0] - half + min(best * dx, 0.0)), len(R)):
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
    f"void(float64[::1], float64[::1], float64[::1], float64, {PARTS}, {MORE}, float64[::1], "
    "float64[::1], int64[::1])"
)
@no_refcount
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


@entry(
    f"int64(float64[::1], float64[::1], float64[::1], float64, {PARTS}, {MORE}, float64[::1], "
    "float64[::1], int64[::1])"
)
@no_refcount
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
        for k in range(reached(W, min(px, px + dx) - reach), len(R)):
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
