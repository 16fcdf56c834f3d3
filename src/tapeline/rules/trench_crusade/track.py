"""The path of a model's centre, as geometry legs that know how far along the path they begin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import within
from tapeline.engine.paths import Leg, LegPath
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import (
    farthest_from_point,
    nearest_to_point,
    spans_near_point,
)

__all__ = ["Measured", "Part", "Track", "legs_of"]

Point: TypeAlias = tuple[float, float]


class Measured(NamedTuple):
    """A distance somewhere along a track: how far, after what length, and where; inches."""

    distance: float
    travelled: float
    place: Point


class Part(NamedTuple):
    """One leg of a track. before: length of the track up to it; leg: its number in the path."""

    shape: Line | Arc
    before: float
    length: float
    leg: int

    @property
    def end(self) -> Point:
        """Its last point."""
        return self.shape.end


def legs_of(shapes: Iterable[Line | Arc]) -> LegPath:
    """Legs as documents give them."""
    legs = []
    for shape in shapes:
        if isinstance(shape, Line):
            legs.append(Leg(to=(shape.bx, shape.by)))
        else:
            legs.append(Leg(centre=(shape.cx, shape.cy), by=math.degrees(shape.sweep)))
    return tuple(legs)


class Track:
    """A path from a start, measurable; turns on the spot take no length."""

    __slots__ = ("end", "length", "parts", "path", "start")

    def __init__(self, start: Point, path: LegPath) -> None:
        self.start = start
        self.path = path
        parts = []
        at, before = start, 0.0
        for index, leg in enumerate(path):
            shape: Line | Arc
            if leg.to is not None:
                shape = Line(at[0], at[1], leg.to[0], leg.to[1])
            elif leg.centre is not None and leg.by is not None:
                dx, dy = at[0] - leg.centre[0], at[1] - leg.centre[1]
                shape = Arc(
                    *leg.centre, math.hypot(dx, dy), math.atan2(dy, dx), math.radians(leg.by)
                )
            else:
                shape = Line(*at, *at)
            length = shape.length
            parts.append(Part(shape, before, length, index))
            at, before = shape.end, before + length
        self.parts = tuple(parts)
        self.end = at
        self.length = before

    def at(self, s: float) -> Point:
        """The point after length s, inches."""
        for part in self.parts:
            if s <= part.before + part.length:
                return part.shape.at(s - part.before)
        return self.end

    def cut(self, s: float) -> LegPath:
        """The legs of the first s inches."""
        legs: list[Leg] = []
        for part in self.parts:
            if s >= part.before + part.length:
                legs.append(self.path[part.leg])
                continue
            if s > part.before:
                legs.extend(legs_of([part.shape.part(0.0, s - part.before)]))
            break
        return tuple(legs)

    def box(self, margin: float) -> tuple[float, float, float, float]:
        """A box about the track, so much wider on every side."""
        xs, ys = [self.start[0]], [self.start[1]]
        for part in self.parts:
            shape = part.shape
            if isinstance(shape, Arc):
                xs += [shape.cx - shape.radius, shape.cx + shape.radius]
                ys += [shape.cy - shape.radius, shape.cy + shape.radius]
            else:
                xs.append(shape.bx)
                ys.append(shape.by)
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin

    def nearest(self, p: Point) -> Measured:
        """Where the track comes nearest to a point; the first such place."""
        best = Measured(math.dist(self.start, p), 0.0, self.start)
        for part in self.parts:
            near = nearest_to_point(part.shape, *p)
            if near.distance < best.distance:
                best = Measured(near.distance, part.before + near.travelled, near.at)
        return best

    def farthest(self, p: Point) -> Measured:
        """Where the track gets farthest from a point; the first such place."""
        best = Measured(math.dist(self.start, p), 0.0, self.start)
        for part in self.parts:
            far = farthest_from_point(part.shape, *p)
            if far.distance > best.distance:
                best = Measured(far.distance, part.before + far.travelled, far.at)
        return best

    def _within(self, p: Point, radius: float) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for part in self.parts:
            for begin, end in spans_near_point(part.shape, *p, radius):
                begin, end = part.before + begin, part.before + end
                if found and begin <= found[-1][1] + 1e-12:
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((begin, end))
        return found

    def enters(self, p: Point, radius: float) -> float | None:
        """The first length at which the distance to a point is less than a radius."""
        if math.dist(self.start, p) < radius:
            return 0.0
        spans = self._within(p, radius)
        return spans[0][0] if spans else None

    def touches(self, p: Point, radius: float) -> float | None:
        """As `enters`, but coming as near as the radius without passing it counts, at the nearest
        point."""
        s = self.enters(p, radius)
        if s is not None:
            return s
        near = self.nearest(p)
        return near.travelled if within(near.distance, radius) else None

    def leaves(self, p: Point, radius: float) -> float:
        """The first length at which the distance to a point is no longer less than a radius."""
        if math.dist(self.start, p) >= radius:
            return 0.0
        spans = self._within(p, radius)
        return spans[0][1] if spans else 0.0

    def last_entry(self, p: Point, radius: float, upto: float) -> float:
        """Where the track last came nearer to a point than a radius, at most `upto`."""
        begins = [begin for begin, _ in self._within(p, radius) if begin <= upto]
        return max(begins, default=upto)

    def critical(self, p: Point) -> list[float]:
        """Lengths between which the distance to a point only grows or only falls, in order."""
        found = {0.0, self.length}
        for part in self.parts:
            found.add(part.before)
            found.add(part.before + nearest_to_point(part.shape, *p).travelled)
            found.add(part.before + farthest_from_point(part.shape, *p).travelled)
        return sorted(found)
