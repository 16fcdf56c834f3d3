"""How far the corners of a rectangle travel along a list of legs.

Displacement on one leg, and the length of the way followed, are convex in the body point, and so
are their sums; on a rectangle a convex function is largest at a corner. So the four corners answer
for the whole base, exactly.

The way a corner follows on a free leg has speed sqrt(A + B cos u), an elliptic integral of the
second kind.

Source: Carlson, Computing elliptic integrals by duplication, 1979.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry.backends import kernel
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.rectangle import Point, Rect

__all__ = [
    "Corners",
    "FreeLeg",
    "Leg",
    "SlideLeg",
    "Travel",
    "TurnLeg",
    "added_straight",
    "after",
    "elliptic_e",
    "free_length",
    "travel_between",
    "travel_of",
]


@dataclass(frozen=True, slots=True)
class SlideLeg:
    """Shifts by (dx, dy); the facing stays."""

    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class TurnLeg:
    """Turns about the point (x, y) by a signed angle, radians."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class FreeLeg:
    """The centre runs straight by (dx, dy) while the rectangle turns evenly by a signed angle."""

    dx: float
    dy: float
    angle: float


Leg: TypeAlias = SlideLeg | TurnLeg | FreeLeg


Corners: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Travel:
    """How far each corner goes: front right, front left, rear left, rear right.

    straight: sum over the legs of the straight line from where the leg takes the corner up to where
    it puts it down. followed: length of the way itself. The farthest is the larger of the four.
    legs: each with the pose that it leaves, none where the straight lines are the way. end: the
    pose reached.
    """

    straight: Corners
    legs: tuple[tuple[Rect, Leg], ...]
    end: Rect

    @property
    def followed(self) -> Corners:
        """How far each corner goes along its way."""
        if not self.legs:
            return self.straight
        a = b = c = d = 0.0
        for pose, leg in self.legs:
            more = [_along(leg, pose, corner) for corner in pose.corners]
            a, b, c, d = a + more[0], b + more[1], c + more[2], d + more[3]
        return a, b, c, d

    @property
    def farthest_straight(self) -> float:
        """The largest of the corners' straight sums."""
        return max(self.straight)

    @property
    def farthest_followed(self) -> float:
        """The largest of the corners' ways."""
        return max(self.followed)


@kernel
def _rf(x: float, y: float, z: float) -> float:
    """Carlson's R_F."""
    for _ in range(60):
        mean = (x + y + z) / 3.0
        if max(abs(x - mean), abs(y - mean), abs(z - mean)) <= 1e-3 * mean:
            break
        root = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        x, y, z = 0.25 * (x + root), 0.25 * (y + root), 0.25 * (z + root)
    dx, dy = 1.0 - x / mean, 1.0 - y / mean
    dz = -dx - dy
    e2, e3 = dx * dy - dz * dz, dx * dy * dz
    series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0
    return series / math.sqrt(mean)


@kernel
def _rd(x: float, y: float, z: float) -> float:
    """Carlson's R_D."""
    total, power = 0.0, 1.0
    for _ in range(60):
        mean = (x + y + 3.0 * z) / 5.0
        if max(abs(x - mean), abs(y - mean), abs(z - mean)) <= 1e-3 * mean:
            break
        root = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        total += power / (math.sqrt(z) * (z + root))
        power *= 0.25
        x, y, z = 0.25 * (x + root), 0.25 * (y + root), 0.25 * (z + root)
    dx, dy = (mean - x) / mean, (mean - y) / mean
    dz = -(dx + dy) / 3.0
    e2 = dx * dy - 6.0 * dz * dz
    e3 = (3.0 * dx * dy - 8.0 * dz * dz) * dz
    e4 = 3.0 * (dx * dy - dz * dz) * dz * dz
    e5 = dx * dy * dz * dz * dz
    series = (
        1.0
        - 3.0 * e2 / 14.0
        + e3 / 6.0
        + 9.0 * e2 * e2 / 88.0
        - 3.0 * e4 / 22.0
        - 9.0 * e2 * e3 / 52.0
        + 3.0 * e5 / 26.0
    )
    return 3.0 * total + power * series / (mean * math.sqrt(mean))


@kernel
def elliptic_e(phi: float, m: float) -> float:
    """Integral of sqrt(1 - m sin^2 t) from 0 to phi, 0 <= m <= 1, any phi.

    >>> round(elliptic_e(math.pi / 2, 0.5), 12)
    1.350643881048
    """
    turns = math.floor(phi / math.pi + 0.5)
    rest = phi - math.pi * turns
    total = 0.0
    if turns != 0:
        whole = 1.0
        if m < 1.0:
            whole = _rf(0.0, 1.0 - m, 1.0) - m / 3.0 * _rd(0.0, 1.0 - m, 1.0)
        total = 2.0 * turns * whole
    s, c = math.sin(rest), math.cos(rest)
    if m == 1.0:
        return total + s
    y = 1.0 - m * s * s
    return total + s * _rf(c * c, y, 1.0) - m / 3.0 * s * s * s * _rd(c * c, y, 1.0)


def _gauss(n: int) -> tuple[float, ...]:
    """Nodes on [-1, 1] and weights that sum to 1 of Gauss and Legendre's rule, in turn."""
    rule: list[float] = []
    for k in range(n):
        x = math.cos(math.pi * (k + 0.75) / (n + 0.5))
        slope = 1.0
        for _ in range(12):
            p0, p1 = 1.0, x
            for j in range(2, n + 1):
                p0, p1 = p1, ((2 * j - 1) * x * p1 - (j - 1) * p0) / j
            slope = n * (x * p1 - p0) / (x * x - 1.0)
            x -= p1 / slope
        rule += (x, 1.0 / ((1.0 - x * x) * slope * slope))
    return tuple(rule)


_GAUSS = _gauss(12)


@kernel
def free_length(dx: float, dy: float, w: float, x: float, y: float) -> float:
    """Length of the way of a corner, (x, y) from the centre, along a free leg that turns by w."""
    speed = math.sqrt(dx * dx + dy * dy)
    if w == 0.0:
        return speed
    # Velocity v + w J R(u) a, u = w t: speed^2 = A + B cos(u - u0).
    rho = math.sqrt(x * x + y * y)
    a = speed * speed + w * w * rho * rho
    b = 2.0 * abs(w) * speed * rho
    if b <= 1e-300:
        return math.sqrt(a)
    # v . J R(u) a = |v| rho cos(u + alpha + pi / 2 - nu), sign of w.
    phase = math.atan2(y, x) + 0.5 * math.pi - math.atan2(dy, dx)
    if w < 0.0:
        phase += math.pi
    if abs(w) <= 1.0 and speed > 4.0 * abs(w) * rho:
        # Far from the cusp, where the difference of two integrals would lose digits to the small w.
        total = 0.0
        for k in range(0, len(_GAUSS), 2):
            along = phase + 0.5 * w * (1.0 + _GAUSS[k])
            total += _GAUSS[k + 1] * math.sqrt(a + b * math.cos(along))
        return total
    m = min(1.0, 2.0 * b / (a + b))
    lo, hi = 0.5 * phase, 0.5 * (phase + w)
    return abs(2.0 * math.sqrt(a + b) / w * (elliptic_e(hi, m) - elliptic_e(lo, m)))


def _along(leg: Leg, pose: Rect, corner: Point) -> float:
    """Length of the way of a corner along a leg that leaves a pose."""
    if isinstance(leg, SlideLeg):
        return math.hypot(leg.dx, leg.dy)
    if isinstance(leg, TurnLeg):
        return abs(leg.angle) * math.hypot(corner[0] - leg.x, corner[1] - leg.y)
    x, y = corner[0] - pose.x, corner[1] - pose.y
    return free_length(leg.dx, leg.dy, leg.angle, x, y)


def after(rect: Rect, leg: Leg) -> Rect:
    """The pose after a leg. Raises ShapeError as `travel_of`."""
    if isinstance(leg, SlideLeg):
        checked((leg.dx, leg.dy), "slide")
        return rect.moved(leg.dx, leg.dy)
    if isinstance(leg, TurnLeg):
        checked((leg.x, leg.y, leg.angle), "turn")
        return rect.turned(leg.angle, (leg.x, leg.y))
    checked((leg.dx, leg.dy, leg.angle), "free leg")
    return rect.turned(leg.angle).moved(leg.dx, leg.dy)


def travel_of(rect: Rect, legs: Sequence[Leg]) -> Travel:
    """How far the corners travel along legs, each starting where the one before ended.

    Raises ShapeError for a leg with numbers that are not finite or beyond LARGEST.

    >>> t = travel_of(Rect(0, 0, 0, 4, 2), [SlideLeg(3, 0), TurnLeg(3, 0, math.pi)])
    >>> round(t.farthest_straight - 3 - 2 * math.sqrt(5), 9)
    0.0
    """
    sums: Corners = (0.0, 0.0, 0.0, 0.0)
    pose, left = rect, []
    for leg in legs:
        left.append((pose, leg))
        end = after(pose, leg)
        sums = added_straight(sums, pose.loop, end.loop)
        pose = end
    return Travel(sums, tuple(left), pose)


def added_straight(sums: Corners, a: Sequence[float], b: Sequence[float]) -> Corners:
    """Sums of the four corners with what each goes straight from one loop to another."""
    return (
        sums[0] + math.hypot(b[0] - a[0], b[1] - a[1]),
        sums[1] + math.hypot(b[2] - a[2], b[3] - a[3]),
        sums[2] + math.hypot(b[4] - a[4], b[5] - a[5]),
        sums[3] + math.hypot(b[6] - a[6], b[7] - a[7]),
    )


def travel_between(start: Rect, end: Rect, angle: float) -> tuple[float, float]:
    """Least and greatest farthest-corner travel that a move between two poses needs.

    angle: the turn taken from one to the other. First: the largest straight distance from a corner
    to where it ends; no list of legs measures less, straight or followed. Second: a turn about the
    centre and a slide, whose followed way is always to be had on open ground.
    """
    least = max(
        math.hypot(q[0] - p[0], q[1] - p[1])
        for p, q in zip(start.corners, end.corners, strict=True)
    )
    shift: Point = (end.x - start.x, end.y - start.y)
    return least, math.hypot(*shift) + start.reach * abs(angle)
