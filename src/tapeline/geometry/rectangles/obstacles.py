"""First contact of rectangles with many obstacles at once, from flat arrays.

`Obstacles` packs the convex parts of regions into a few arrays. One slide, turn or free leg is a
batch of one: both go through the same kernel, so their answers are the same bit for bit. The gear
(plain Python or compiled) is the one `gears` chooses when the call is made.

A contact counts when the motion goes on to overlap by more than the tolerance (`depth`); the number
given is where the shapes themselves meet, as in `sliding`, `turning` and `freeleg`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import MutableSequence, Sequence
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.epsilons import LENGTH, STRETCH
from tapeline.geometry.gears import chosen, entry, floats, functions, ints, kernel
from tapeline.geometry.rectangles.convex import depth_of_parts, turn_loop
from tapeline.geometry.rectangles.freeleg import free_spans
from tapeline.geometry.rectangles.rectangle import Point, Rect, Region
from tapeline.geometry.rectangles.sliding import slide_span
from tapeline.geometry.rectangles.turning import turn_spans

__all__ = ["Obstacles", "first_frees", "first_slides", "first_turns"]

_ARRAYS = "float64[::1], int64[::1], float64[::1], float64[::1]"


@kernel
def _first_slide(
    a: Sequence[float],
    dx: float,
    dy: float,
    limit: float,
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    out: MutableSequence[float],
) -> int:
    """Part met first, -1 for none; out[2] is the length slid until then, `limit` for none."""
    best = limit
    which = -1
    x0 = min(a[0], a[2], a[4], a[6])
    x1 = max(a[0], a[2], a[4], a[6])
    y0 = min(a[1], a[3], a[5], a[7])
    y1 = max(a[1], a[3], a[5], a[7])
    for k in range(len(R)):
        ex = best * dx
        ey = best * dy
        if (
            B[4 * k] > x1 + max(ex, 0.0)
            or B[4 * k + 2] < x0 + min(ex, 0.0)
            or B[4 * k + 1] > y1 + max(ey, 0.0)
            or B[4 * k + 3] < y0 + min(ey, 0.0)
        ):
            continue
        b = C[O[k] : O[k + 1]]
        if not slide_span(a, b, R[k], dx, dy, need, out):
            continue
        if out[0] >= limit or out[1] <= 0.0:
            continue
        slide_span(a, b, R[k], dx, dy, 0.0, out)
        s = max(out[0], 0.0)
        if s < best or (which < 0 and s <= best):
            best = s
            which = k
    out[2] = best
    return which


@entry(
    f"void(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, float64[::1], int64[::1])"
)
def first_slides(
    A: Sequence[float],
    D: Sequence[float],
    L: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> None:
    """Slides of n rectangles: corners A (8 n), unit directions D (2 n), lengths L (n).

    C, O, R, B: parts as `Obstacles` packs them. at (n + 4): lengths until first contact, the length
    asked for where there is none. part (n): the part met, -1 for none.
    """
    n = len(L)
    out = at[n : n + 4]
    for i in range(n):
        a = A[8 * i : 8 * i + 8]
        part[i] = _first_slide(a, D[2 * i], D[2 * i + 1], L[i], need, C, O, R, B, out)
        at[i] = out[2]


@kernel
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


@entry(
    f"void(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, float64[::1], "
    "float64[::1], int64[::1])"
)
def first_turns(
    A: Sequence[float],
    P: Sequence[float],
    L: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
    scratch: MutableSequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> None:
    """Turns of n rectangles: corners A (8 n), pivots P (2 n), signed angles L (n), at most 2 pi.

    scratch: 12 + 8 * (12 * most corners of a part + 4) numbers. at (n): angles (not signed) until
    first contact, the angle asked for where there is none. part (n): the part met, -1 for none.
    """
    work = scratch[0:8]
    four = scratch[8:12]
    out = scratch[12 : len(scratch)]
    for i in range(len(L)):
        a = A[8 * i : 8 * i + 8]
        px = P[2 * i]
        py = P[2 * i + 1]
        best = abs(L[i])
        sense = 1.0 if L[i] >= 0.0 else -1.0
        which = -1
        reach = 0.0
        for k in range(4):
            x = a[2 * k] - px
            y = a[2 * k + 1] - py
            reach = max(reach, math.sqrt(x * x + y * y))
        for k in range(len(R)):
            gx = max(B[4 * k] - px, 0.0, px - B[4 * k + 2])
            gy = max(B[4 * k + 1] - py, 0.0, py - B[4 * k + 3])
            if gx * gx + gy * gy > reach * reach:
                continue
            b = C[O[k] : O[k + 1]]
            s = _first_angle(a, b, R[k], px, py, sense, best, need, work, four, out)
            if s < best or (which < 0 and s <= best):
                best = s
                which = k
        at[i] = best
        part[i] = which


@kernel
def _comes_near(
    a: Sequence[float],
    b: Sequence[float],
    radius: float,
    px: float,
    py: float,
    dx: float,
    dy: float,
    w: float,
    limit: float,
    reach: float,
    need: float,
    stack: MutableSequence[float],
    work: MutableSequence[float],
    four: MutableSequence[float],
) -> bool:
    """False only if a free leg keeps `a` off `b` up to the fraction `limit`.

    No point moves faster than `speed`, so a gap at the middle of an interval clears all of it that
    is no farther away than the gap lasts.
    """
    speed = math.sqrt(dx * dx + dy * dy) + abs(w) * reach
    stack[0] = 0.0
    stack[1] = limit
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[2 * depth]
        hi = stack[2 * depth + 1]
        t = 0.5 * (lo + hi)
        turn_loop(a, px, py, math.cos(w * t), math.sin(w * t), dx * t, dy * t, work)
        gap = -depth_of_parts(work, b, radius, four)
        if gap > 0.5 * speed * (hi - lo):
            continue
        if gap < -need or hi - lo < 0.02:
            return True
        stack[2 * depth] = t
        stack[2 * depth + 1] = hi
        stack[2 * depth + 2] = lo
        stack[2 * depth + 3] = t
        depth += 2
    return False


@entry(
    f"int64(float64[::1], float64[::1], float64[::1], float64, {_ARRAYS}, float64[::1], "
    "float64[::1], int64[::1])"
)
def first_frees(
    A: Sequence[float],
    P: Sequence[float],
    M: Sequence[float],
    need: float,
    C: Sequence[float],
    O: Sequence[int],  # noqa: E741
    R: Sequence[float],
    B: Sequence[float],
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
        for k in range(4):
            x = a[2 * k] - px
            y = a[2 * k + 1] - py
            reach = max(reach, math.sqrt(x * x + y * y))
        for k in range(len(R)):
            if (
                B[4 * k] > max(px, px + dx) + reach
                or B[4 * k + 2] < min(px, px + dx) - reach
                or B[4 * k + 1] > max(py, py + dy) + reach
                or B[4 * k + 3] < min(py, py + dy) - reach
            ):
                continue
            b = C[O[k] : O[k + 1]]
            if not _comes_near(a, b, R[k], px, py, dx, dy, w, best, reach, need, stack, work, four):
                continue
            count = free_spans(a, b, R[k], px, py, dx, dy, w, need, f, stack, work, four, out)
            if count < 0:
                return i
            if count == 0 or out[0] > best:
                continue
            start = out[0]
            middle = 0.5 * (out[0] + out[1])
            count = free_spans(a, b, R[k], px, py, dx, dy, w, 0.0, f, stack, work, four, out)
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


class Obstacles:
    """The convex parts of many regions as flat arrays, with first contacts of rectangles.

    Arrays: `corners` (x0, y0, ...), `starts` (first number of each part, and the end), `radii`,
    `boxes` (left, bottom, right, top). `owners[k]` is the region part k belongs to.
    Answers: (how far until the contact, index of the region, -1 for none).

    >>> from tapeline.geometry.rectangles.rectangle import region_of_circle
    >>> walls = Obstacles([region_of_circle(18, 19, 3), region_of_circle(18, 21, 3)])
    >>> walls.slide(Rect(10, 18, 0, 4, 2), (1, 0), 8)
    (4.0, 0)
    """

    def __init__(self, regions: Sequence[Region]) -> None:
        corners: list[float] = []
        starts = [0]
        radii: list[float] = []
        boxes: list[float] = []
        owners: list[int] = []
        for index, region in enumerate(regions):
            for part in region.parts:
                xs, ys, r = part.loop[::2], part.loop[1::2], part.radius
                corners.extend(part.loop)
                starts.append(len(corners))
                radii.append(r)
                boxes.extend((min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r))
                owners.append(index)
        self.owners = tuple(owners)
        self._plain = (corners, starts, radii, boxes)
        self._packed: Any = None
        most = max((b - a for a, b in itertools.pairwise(starts)), default=2) // 2
        self._room = 12 + 8 * (12 * most + 4)

    def _arrays(self, compiled: bool) -> Any:
        if not compiled:
            return self._plain
        if self._packed is None:
            corners, starts, radii, boxes = self._plain
            self._packed = (
                floats(corners, True),
                ints(starts, True),
                floats(radii, True),
                floats(boxes, True),
            )
        return self._packed

    def slides(
        self, loops: Any, directions: Any, distances: Any, depth: float = LENGTH
    ) -> tuple[Any, Any]:
        """Slides of n rectangles: flat corners (8 n), unit directions (2 n), distances (n).

        Sequences of floats in plain gear, float64 arrays when compiled; out come the lengths until
        first contact (the distance where there is none) and the parts met (-1 for none).
        """
        gear = chosen()
        n = len(distances)
        at, part = floats([0.0] * (n + 4), gear), ints([0] * n, gear)
        run = functions(gear).first_slides
        run(loops, directions, distances, depth, *self._arrays(gear), at, part)
        return at[:n], part

    def turns(self, loops: Any, pivots: Any, angles: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Turns of n rectangles: flat corners (8 n), pivots (2 n), signed angles (n, <= 2 pi)."""
        gear = chosen()
        at, part = floats([0.0] * len(angles), gear), ints([0] * len(angles), gear)
        scratch = floats([0.0] * self._room, gear)
        run = functions(gear).first_turns
        run(loops, pivots, angles, depth, *self._arrays(gear), scratch, at, part)
        return at, part

    def frees(self, loops: Any, centres: Any, legs: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Free legs of n rectangles: flat corners (8 n), centres (2 n), (dx, dy, angle) (3 n).

        Out come fractions of the legs. Raises WorkLimitError if a leg winds so often that it has
        more than 65536 critical places.
        """
        gear = chosen()
        n = len(centres) // 2
        at, part = floats([0.0] * n, gear), ints([0] * n, gear)
        run = functions(gear).first_frees
        size = 512
        while size <= 1 << 16:
            scratch = floats([0.0] * (219 + size), gear)
            row = run(loops, centres, legs, depth, *self._arrays(gear), scratch, at, part)
            if row < 0:
                return at, part
            size *= 8
        raise WorkLimitError(f"free leg {row}: too many critical places; split the leg")

    def _owner(self, part: int) -> int:
        return self.owners[part] if part >= 0 else -1

    def slide(
        self, rect: Rect, direction: Point, distance: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Length slid until the first contact, and the region met."""
        length = math.hypot(*direction)
        if not (math.isfinite(length) and math.isfinite(distance)) or not length or distance < 0.0:
            raise ShapeError(f"slide: direction {direction!r}, distance {distance!r}")
        gear = chosen()
        u = floats([direction[0] / length, direction[1] / length], gear)
        at, part = self.slides(floats(rect.loop, gear), u, floats([distance], gear), depth)
        return float(at[0]), self._owner(int(part[0]))

    def turn(
        self, rect: Rect, pivot: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Angle turned (not signed) until the first contact, and the region met."""
        if not all(math.isfinite(v) for v in (*pivot, angle)) or abs(angle) > 2.0 * math.pi:
            raise ShapeError(f"turn: pivot {pivot!r}, angle {angle!r} (at most a whole turn)")
        gear = chosen()
        at, part = self.turns(
            floats(rect.loop, gear), floats(pivot, gear), floats([angle], gear), depth
        )
        return float(at[0]), self._owner(int(part[0]))

    def free(
        self, rect: Rect, shift: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Fraction of a free leg until the first contact, and the region met."""
        if not all(math.isfinite(v) for v in (*shift, angle)):
            raise ShapeError(f"free leg: shift {shift!r}, angle {angle!r} must be finite")
        gear = chosen()
        at, part = self.frees(
            floats(rect.loop, gear),
            floats([rect.x, rect.y], gear),
            floats([*shift, angle], gear),
            depth,
        )
        return float(at[0]), self._owner(int(part[0]))
