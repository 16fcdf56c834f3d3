"""Legs of a path: straight lines and arcs, each measured along its own length."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tapeline.geometry.plane.grid import Box

__all__ = ["Arc", "Leg", "Line", "Path", "Point", "arc_from", "box_of"]

#: x and y, table units.
Point: TypeAlias = tuple[float, float]


class Line(NamedTuple):
    """A straight leg from (ax, ay) to (bx, by); zero length allowed."""

    ax: float
    ay: float
    bx: float
    by: float

    @property
    def length(self) -> float:
        """Length, table units."""
        return math.hypot(self.bx - self.ax, self.by - self.ay)

    @property
    def start(self) -> tuple[float, float]:
        """First point."""
        return self.ax, self.ay

    @property
    def end(self) -> tuple[float, float]:
        """Last point."""
        return self.bx, self.by

    def at(self, travelled: float) -> tuple[float, float]:
        """The point after that length; beyond the ends the end."""
        whole = self.length
        if travelled >= whole:
            return self.bx, self.by
        if travelled <= 0.0:
            return self.ax, self.ay
        t = travelled / whole
        return self.ax + t * (self.bx - self.ax), self.ay + t * (self.by - self.ay)

    def part(self, begin: float, end: float) -> Line:
        """The piece between two lengths along it."""
        return Line(*self.at(begin), *self.at(end))


class Arc(NamedTuple):
    """A leg along a circle about (cx, cy): from angle `begin` by `sweep`, radians, signed."""

    cx: float
    cy: float
    radius: float
    begin: float
    sweep: float

    @property
    def length(self) -> float:
        """Length, table units."""
        return self.radius * abs(self.sweep)

    @property
    def start(self) -> tuple[float, float]:
        """First point."""
        return self.at(0.0)

    @property
    def end(self) -> tuple[float, float]:
        """Last point."""
        return self.at(self.length)

    @property
    def turn(self) -> tuple[float, float, float]:
        """The centre and the signed angle."""
        return self.cx, self.cy, self.sweep

    def angle(self, travelled: float) -> float:
        """The angle from the centre after that length, radians."""
        if self.radius == 0.0:
            return self.begin
        turned = min(max(travelled / self.radius, 0.0), abs(self.sweep))
        return self.begin + math.copysign(turned, self.sweep)

    def at(self, travelled: float) -> tuple[float, float]:
        """The point after that length; beyond the ends the end."""
        angle = self.angle(travelled)
        return self.cx + self.radius * math.cos(angle), self.cy + self.radius * math.sin(angle)

    def part(self, begin: float, end: float) -> Arc:
        """The piece between two lengths along it."""
        first, last = self.angle(begin), self.angle(end)
        return Arc(self.cx, self.cy, self.radius, first, last - first)

    def travelled_to(self, angle: float) -> float | None:
        """Length along the arc to that angle from the centre, None if the arc does not pass it."""
        turned = (angle - self.begin) % math.tau
        if self.sweep < 0.0:
            turned = (self.begin - angle) % math.tau
        if math.tau - turned < 1e-12:
            turned = 0.0
        return self.radius * turned if turned <= abs(self.sweep) else None


def arc_from(x: float, y: float, cx: float, cy: float, sweep: float) -> Arc:
    """The arc that a point goes about a centre."""
    dx, dy = x - cx, y - cy
    return Arc(cx, cy, math.hypot(dx, dy), math.atan2(dy, dx), sweep)


Leg: TypeAlias = Line | Arc


def box_of(leg: Leg, margin: float = 0.0) -> Box:
    """The box of a leg, of its whole circle if it is an arc, wider by a margin on all sides."""
    if isinstance(leg, Arc):
        r = leg.radius + margin
        return leg.cx - r, leg.cy - r, leg.cx + r, leg.cy + r
    return (
        min(leg.ax, leg.bx) - margin,
        min(leg.ay, leg.by) - margin,
        max(leg.ax, leg.bx) + margin,
        max(leg.ay, leg.by) + margin,
    )


@dataclass(frozen=True, slots=True)
class Path:
    """Legs in order, each beginning where the one before ends."""

    legs: tuple[Leg, ...]

    @classmethod
    def of(cls, legs: Iterable[Leg]) -> Path:
        """A path of legs."""
        return cls(tuple(legs))

    @property
    def length(self) -> float:
        """Length, table units."""
        return sum(leg.length for leg in self.legs)

    @property
    def end(self) -> tuple[float, float]:
        """Last point. IndexError if there is no leg."""
        return self.legs[-1].end

    def at(self, travelled: float) -> tuple[float, float]:
        """The point after that length; beyond the ends the end."""
        for leg in self.legs:
            length = leg.length
            if travelled <= length:
                return leg.at(travelled)
            travelled -= length
        return self.legs[-1].end
