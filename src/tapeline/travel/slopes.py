"""What is within a gap of a body that stands on a slope, seen in the plane of the slope."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from tapeline.geometry.plane.legs import Point
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.table.terrain import Ramp

__all__ = ["NearOnSlope", "inch_on"]


#: Halvings of an angle: beyond the last bit.
_HALVINGS = 60
#: Places of a border that straight legs touch: a way round half of it is longer for them by less
#: than 5e-4 inch. Three times as many take seconds.
_TOUCHED = 120


class NearOnSlope(NamedTuple):
    """The places on a slope that are within a gap of a round body on it: convex, an oval.

    x, y: the body's centre. reach: centre distance in contact on the plan. gap: in space. rise:
    height for each unit uphill on the plan, in the direction (ux, uy).
    """

    x: float
    y: float
    reach: float
    gap: float
    rise: float
    ux: float
    uy: float

    @classmethod
    def about(cls, centre: Point, reach: float, gap: float, ramp: Ramp) -> NearOnSlope:
        """That about a body on a ramp."""
        run = math.dist(ramp.foot[:2], ramp.head[:2])
        ux, uy = ((b - a) / run for a, b in zip(ramp.foot[:2], ramp.head[:2], strict=True))
        return cls(*centre, reach, gap, (ramp.head[2] - ramp.foot[2]) / run, ux, uy)

    @property
    def stretch(self) -> float:
        """Length along the slope for each unit uphill on the plan."""
        return math.hypot(1.0, self.rise)

    @property
    def inner(self) -> float:
        """Radius, in the slope's plane, of the largest circle about the body that lies in it."""
        return self._border(0.0)[0] * self.stretch

    def _border(self, angle: float) -> tuple[float, float]:
        """How far on the plan it extends in a direction from uphill, and the angle of its normal
        there in the slope's plane."""
        c, s = math.cos(angle), math.sin(angle)
        steep = 1.0 + (self.rise * c) ** 2
        root = self.reach**2 - steep * (self.reach**2 - self.gap**2)
        t = (self.reach + math.sqrt(max(0.0, root))) / steep
        if root < 0.0 or t < self.reach:  # above or below the body's base: only height counts
            return self.gap / abs(self.rise * c), 0.0
        off = t - self.reach
        return t, math.atan2(off * s, (off + self.rise**2 * t) * c / self.stretch)

    def circle_met(self, leg: tuple[Point, Point], radius: float) -> Point:
        """Centre of a circle that lies in the oval and touches its border where a straight leg of
        that direction on the plan would meet it square. radius: small, in the slope's plane."""
        (ax, ay), (bx, by) = leg
        dx, dy = bx - ax, by - ay
        along, across = (dx * self.ux + dy * self.uy) * self.stretch, dy * self.ux - dx * self.uy
        wanted, low, high = math.atan2(abs(across), abs(along)), 0.0, 0.5 * math.pi
        for _ in range(_HALVINGS):
            angle = 0.5 * (low + high)
            low, high = (angle, high) if self._border(angle)[1] < wanted else (low, angle)
        t, _ = self._border(low)
        u = math.copysign(t * math.cos(low) - radius * math.cos(wanted) / self.stretch, -along)
        v = math.copysign(t * math.sin(low) - radius * math.sin(wanted), -across)
        return self.x + u * self.ux - v * self.uy, self.y + u * self.uy + v * self.ux

    def nearest(self, place: tuple[float, float, float], foot: tuple[float, float, float]) -> Point:
        """The plan of the place in it that is nearest to a place in space. foot: a point of the
        slope."""
        (px, py, pz), stretch = place, self.stretch
        up = (px - foot[0]) * self.ux + (py - foot[1]) * self.uy
        lift = (pz - foot[2] - up * self.rise) * self.rise / stretch  # along the slope, uphill
        dx, dy = px - self.x, py - self.y
        a = (dx * self.ux + dy * self.uy) * stretch + lift
        b = dy * self.ux - dx * self.uy
        low, high = 0.0, 0.5 * math.pi
        for _ in range(_HALVINGS):
            angle = 0.5 * (low + high)
            t, normal = self._border(angle)
            u, v = t * math.cos(angle) * stretch, t * math.sin(angle)
            left = (abs(b) - v) * math.cos(normal) > (abs(a) - u) * math.sin(normal)
            low, high = (angle, high) if left else (low, angle)
        t, normal = self._border(low)
        u, v = t * math.cos(low), t * math.sin(low)
        if (abs(a) - u * stretch) * math.cos(normal) + (abs(b) - v) * math.sin(normal) < 0.0:
            u, v = abs(a) / stretch, abs(b)  # it lies within
        u, v = math.copysign(u, a), math.copysign(v, b)
        return self.x + u * self.ux - v * self.uy, self.y + u * self.uy + v * self.ux


def inch_on(ramp: Ramp, centre: Point, room: float, z: float, limit: float) -> list[Point]:
    """Corners, on the plan, of straight legs on the plane of a ramp that lead round all that is
    within a limit of a round base: each touches the border. No corners if nothing is.

    room: how far apart the centres are where bases touch. z: how high that base is.
    """
    run = math.dist(ramp.foot[:2], ramp.head[:2])
    ux, uy = ((b - a) / run for a, b in zip(ramp.foot[:2], ramp.head[:2], strict=True))
    steep = (ramp.head[2] - ramp.foot[2]) / run
    up = (centre[0] - ramp.foot[0]) * ux + (centre[1] - ramp.foot[1]) * uy
    over = z - ramp.foot[2] - steep * up  # how far above the slope its middle is

    def apart(a: float, b: float) -> float:
        """The gap so far uphill of the base, and so far aside."""
        return math.hypot(max(0.0, math.hypot(a, b) - room), over - steep * a)

    far = room + limit
    middle = least_of_convex(lambda a: apart(a, 0.0), -far, far, 1e-12)
    if apart(middle, 0.0) >= limit:
        return []
    sides: list[tuple[float, float, float, float]] = []
    for k in range(_TOUCHED):
        turn = math.tau * k / _TOUCHED
        c, s, low, high = math.cos(turn), math.sin(turn), 0.0, 2.0 * far
        for _ in range(_HALVINGS):
            t = 0.5 * (low + high)
            low, high = (t, high) if apart(middle + t * c, t * s) < limit else (low, t)
        a, b = middle + low * c, low * s
        flat = max(0.0, 1.0 - room / max(math.hypot(a, b), room))
        sides.append((a, b, flat * a - steep * (over - steep * a), flat * b))
    found = []
    for (a, b, na, nb), (c, d, nc, nd) in pairwise([*sides, sides[0]]):
        cross = na * nd - nb * nc
        if abs(cross) > 1e-12 * math.hypot(na, nb) * math.hypot(nc, nd):
            p, q = na * a + nb * b, nc * c + nd * d
            a, b = (p * nd - q * nb) / cross, (q * na - p * nc) / cross
        found.append((centre[0] + a * ux - b * uy, centre[1] + a * uy + b * ux))
    return found
