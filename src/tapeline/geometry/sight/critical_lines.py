"""Lines at the border of a set of free lines, and which of them are worth a close look.

A line that touches two circles is a candidate. Of many, those are dropped at once that plainly
miss the edge or the area, or that run through something by more than any rounding; what is left
is for the caller to decide exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.rectangles.rectangle import Part, Point

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Line", "Spot", "border_lines"]

#: A point and the radius of the circle about it that a line must keep off.
Spot: TypeAlias = tuple[float, float, float]
Line: TypeAlias = tuple[Point, Point]
Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

#: Where many lines begin, and unit vectors along them.
Rays: TypeAlias = "tuple[Array, Array, Array, Array]"

#: Fewer circles than this are not worth arrays.
_FEW = 7
#: Length: what is decided here is decided by more than this, hundreds of times any rounding.
_PLAIN = 1e-6
#: Share: a line this near to running along an edge is not decided here.
_ALONG = 1e-6
#: Length: across a table, what runs along an edge so nearly strays from it by less.
_FAR = 1e-3
#: Which side of the first and of the second circle a line touches, in the order of trying.
_SIDES = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))


def border_lines(
    early: Sequence[Line],
    a: Point,
    b: Point,
    normal: Point,
    ahead: Sequence[float],
    parts: Sequence[Part],
    deep: Sequence[tuple[Sequence[Part], float]],
    spots: Sequence[Spot],
    slack: float,
) -> Iterator[Line]:
    """Some lines, those that touch two of the spots, and those through one square to a side of a
    deep feature, in that order.

    a, b, normal: the edge that lines leave, and the unit vector ahead of it. ahead: the convex
    area that they go to. parts: what blocks them; deep: what blocks them beyond a depth. Lines
    that cannot be free, from the edge to the area, may be left out; no other is.
    """
    sides = [line for features, _ in deep for part in features for line in _side_lines(part)]
    if len(spots) < _FEW:
        yield from early
        for one, other in itertools.combinations(spots, 2):
            for s0, s1 in _SIDES:
                line = _tangent(one, other, s0, s1)
                if line is not None:
                    yield line
        for side in sides:
            for spot in spots:
                yield from (_square(side, spot, sign) for sign in _signs(spot))
        return
    import numpy as np

    x, y, r = (np.array([spot[k] for spot in spots]) for k in range(3))
    first, second = np.triu_indices(len(spots), 1)
    kept = _Sieve(a, b, normal, ahead, parts, deep, slack)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        keep = kept.keep(*_through(early))
    yield from (early[int(k)] for k in np.flatnonzero(keep))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        keep = kept.keep(*_tangents(x, y, r, first, second))
    for k in np.flatnonzero(keep):
        pair, which = divmod(int(k), 4)
        line = _tangent(spots[int(first[pair])], spots[int(second[pair])], *_SIDES[which])
        if line is not None:
            yield line
    if not sides:
        return
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        keep = kept.keep(*_squares(x, y, r, sides))
    for k in np.flatnonzero(keep):
        rest, which = divmod(int(k), 2)
        side, spot = sides[rest // len(spots)], spots[rest % len(spots)]
        signs = _signs(spot)
        if which < len(signs):
            yield _square(side, spot, signs[which])


# One line


def _tangent(one: Spot, other: Spot, s0: float, s1: float) -> Line | None:
    """The line s0 r0 to the left of one centre and s1 r1 to the left of the other; None if there
    is none, or for a point the same as for the other side."""
    (x0, y0, r0), (x1, y1, r1) = one, other
    if (s0 < 0.0 and not r0) or (s1 < 0.0 and not r1):
        return None
    dx, dy = x1 - x0, y1 - y0
    d = math.hypot(dx, dy)
    if d <= ROUNDING:
        return None
    turn = (s0 * r0 - s1 * r1) / d
    if abs(turn) > 1.0:
        return None
    c = math.sqrt(1.0 - turn * turn)
    ux, uy = (c * dx + turn * dy) / d, (c * dy - turn * dx) / d
    px, py = x0 + s0 * r0 * uy, y0 - s0 * r0 * ux
    return (px, py), (px + d * ux, py + d * uy)


def _side_lines(part: Part) -> Iterator[tuple[float, float]]:
    """Unit vectors along the sides of a polygon."""
    loop, m = part.loop, len(part.loop) // 2
    for i in range(m if m > 2 else 0):
        j = (i + 1) % m
        ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
        size = math.hypot(ex, ey)
        yield ex / size, ey / size


def _signs(spot: Spot) -> tuple[float, ...]:
    return (1.0, -1.0) if spot[2] else (0.0,)


def _square(side: tuple[float, float], spot: Spot, sign: float) -> Line:
    """The line square to a side that touches a circle."""
    (ex, ey), (x, y, r) = side, spot
    px, py = x + sign * r * ex, y + sign * r * ey
    return (px, py), (px + ey, py - ex)


# Many lines at once: points on them and unit vectors along them; not a number where there is none.


def _through(lines: Sequence[Line]) -> Rays:
    import numpy as np

    px, py, qx, qy = np.array([(*p, *q) for p, q in lines]).reshape(-1, 4).T
    dx, dy = qx - px, qy - py
    size = np.hypot(dx, dy)
    return px, py, dx / size, dy / size


def _tangents(x: Array, y: Array, r: Array, first: Array, second: Array) -> Rays:
    import numpy as np

    dx, dy = (x[second] - x[first])[:, None], (y[second] - y[first])[:, None]
    r0, r1 = r[first][:, None], r[second][:, None]
    s0, s1 = (np.array([pair[k] for pair in _SIDES])[None, :] for k in range(2))
    d = np.hypot(dx, dy)
    turn = (s0 * r0 - s1 * r1) / d
    none = (d <= 0.5 * ROUNDING) | ((s0 < 0.0) & (r0 == 0.0)) | ((s1 < 0.0) & (r1 == 0.0))
    c = np.sqrt(np.maximum(1.0 - turn * turn, np.where(np.abs(turn) > 1.0 + 1e-12, np.nan, 0.0)))
    ux, uy = (c * dx + turn * dy) / d, (c * dy - turn * dx) / d
    ux = np.where(none, np.nan, ux)
    px = x[first][:, None] + s0 * r0 * uy
    py = y[first][:, None] - s0 * r0 * ux
    return px.ravel(), py.ravel(), ux.ravel(), uy.ravel()


def _squares(x: Array, y: Array, r: Array, sides: Sequence[tuple[float, float]]) -> Rays:
    import numpy as np

    ex = np.array([side[0] for side in sides])[:, None, None]
    ey = np.array([side[1] for side in sides])[:, None, None]
    sign = np.array([1.0, -1.0])[None, None, :]
    px = x[None, :, None] + sign * r[None, :, None] * ex
    py = y[None, :, None] + sign * r[None, :, None] * ey
    return (
        px.ravel(),
        py.ravel(),
        np.broadcast_to(ey, px.shape).ravel(),
        np.broadcast_to(-ex, px.shape).ravel(),
    )


class _Sieve:
    """Which of many lines may be free from an edge to an area."""

    def __init__(
        self,
        a: Point,
        b: Point,
        normal: Point,
        ahead: Sequence[float],
        parts: Sequence[Part],
        deep: Sequence[tuple[Sequence[Part], float]],
        slack: float,
    ) -> None:
        self.a, self.b, self.normal, self.ahead = a, b, normal, ahead
        self.length = math.dist(a, b)
        heights = [
            normal[0] * (ahead[i] - a[0]) + normal[1] * (ahead[i + 1] - a[1])
            for i in range(0, len(ahead), 2)
        ]
        self.close = min(heights) <= _FAR
        # What a line may at most run through each of.
        self.walls = [(part, 0.0) for part in parts if len(part.loop) > 4]
        self.walls += [
            (part, depth + slack)
            for features, depth in deep
            for part in features
            if len(part.loop) > 4
        ]
        self.discs = [part for part in parts if len(part.loop) == 2]

    def keep(self, px: Array, py: Array, ux: Array, uy: Array) -> Array:
        """Lines that are not plainly out of the question."""
        import numpy as np

        (ax, ay), (bx, by), (nx, ny) = self.a, self.b, self.normal
        forward = ux * nx + uy * ny
        there = ~np.isnan(forward)
        sign = np.where(forward < 0.0, -1.0, 1.0)
        ux, uy, forward = ux * sign, uy * sign, forward * sign
        level = forward <= _ALONG
        back = ((ax - px) * nx + (ay - py) * ny) / forward
        sx, sy = px + back * ux, py + back * uy
        along = ((sx - ax) * (bx - ax) + (sy - ay) * (by - ay)) / self.length
        # What crosses the edge, comes to the area, and runs through nothing in between.
        left = np.flatnonzero(~level & (along >= -_PLAIN) & (along <= self.length + _PLAIN))
        rays = (sx[left], sy[left], ux[left], uy[left])
        low, high = _chord(self.ahead, *rays)
        comes = low <= high + _PLAIN
        left, low, rays = left[comes], low[comes], _some(rays, comes)
        for part, through in self.walls:
            enter, leave = _chord(part.loop, *rays, inside=_FAR)
            free = np.minimum(leave, low) - np.maximum(enter, 0.0) <= through + _PLAIN
            free |= ~np.isfinite(low)
            left, low, rays = left[free], low[free], _some(rays, free)
        for part in self.discs:
            dx, dy = part.loop[0] - rays[0], part.loop[1] - rays[1]
            near = np.clip(dx * rays[2] + dy * rays[3], 0.0, np.maximum(low, 0.0))
            gap = np.hypot(dx - near * rays[2], dy - near * rays[3])
            free = (gap >= part.radius - _PLAIN) | ~np.isfinite(low)
            left, low, rays = left[free], low[free], _some(rays, free)
        ok = np.zeros(px.shape, dtype=bool)
        ok[left] = True
        # Across a table, lines so nearly along the edge come to nothing that is plainly ahead.
        if self.close:
            ok |= there & level
        return ok


def _some(rays: Rays, which: Array) -> Rays:
    return rays[0][which], rays[1][which], rays[2][which], rays[3][which]


def _chord(
    loop: Sequence[float], sx: Array, sy: Array, ux: Array, uy: Array, inside: float = 0.0
) -> tuple[Array, Array]:
    """Between what lengths along them lines run in a convex polygon. Those that nearly run
    along a side count as outside of it only where that is plain; or, given how far, as inside
    of it only from there on."""
    import numpy as np

    n = len(loop) // 2
    low = np.full(sx.shape, -np.inf)
    high = np.full(sx.shape, np.inf)
    for i in range(n if n > 2 else 0):
        j = (i + 1) % n
        ex, ey = loop[2 * j] - loop[2 * i], loop[2 * j + 1] - loop[2 * i + 1]
        side = math.hypot(ex, ey)
        if side <= _PLAIN:
            continue
        inward = (ex * uy - ey * ux) / side
        off = (ex * (sy - loop[2 * i + 1]) - ey * (sx - loop[2 * i])) / side
        flat = np.abs(inward) <= _ALONG
        at = -off / inward
        low = np.where(~flat & (inward > 0.0), np.maximum(low, at), low)
        high = np.where(~flat & (inward < 0.0), np.minimum(high, at), high)
        # Along a side: outside of it where that is plain, or unless inside is plain.
        high = np.where(flat & (off < (inside if inside else -_FAR)), -np.inf, high)
    return low, high
