"""Sheer surfaces, which are climbed: sides of solids, and faces of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Leg, Line, Point
from tapeline.geometry.plane.sweeps import spans_near_segment
from tapeline.table.solids import Ground
from tapeline.table.terrain import Face

__all__ = ["Sheer", "faces_near", "run_over"]


@dataclass(frozen=True, slots=True)
class Sheer:
    """A sheer surface of an entry: the side of a solid (plan), or a face of its own (segment)."""

    entry: str
    bottom: float
    top: float
    plan: Ground | None = None
    segment: tuple[float, float, float, float] | None = None

    def distance(self, x: float, y: float) -> float:
        """Distance of a point of the plan; negative inside."""
        if self.plan is not None:
            return -self.plan.depth(x, y)
        assert self.segment is not None
        return point_segment(x, y, *self.segment)[0]

    def nearest(self, x: float, y: float) -> Point:
        """The point of its border that is nearest to one of the plan."""
        if self.plan is not None:
            return self.plan.nearest(x, y)
        assert self.segment is not None
        return point_segment(x, y, *self.segment)[1:]

    def spans_near(self, leg: Leg, limit: float) -> list[tuple[float, float]]:
        """Lengths of a leg between which its point is closer than a limit, or inside."""
        if self.plan is not None:
            return self.plan.spans_near(leg, limit)
        assert self.segment is not None
        return spans_near_segment(leg, *self.segment, limit)

    def marks_near(self, leg: Leg, limit: float) -> list[float]:
        """Lengths at which a leg comes to be closer to the border than a limit, or farther."""
        if self.plan is not None:
            return self.plan.marks_near(leg, limit)
        return [s for span in self.spans_near(leg, limit) for s in span]

    def over(self, line: Line, slack: float) -> list[tuple[float, float]]:
        """Lengths of a line between which it is over a solid; where it is nowhere inside, those
        between which it runs along the border, as between two that stand flush."""
        assert self.plan is not None
        return self.plan.spans(line) or [
            (a, b)
            for a, b in pairwise(sorted(self.plan.marks(line, slack)))
            if b - a > slack and self.plan.depth(*line.at(0.5 * (a + b))) >= -slack
        ]

    def crossing(self, line: Line, slack: float) -> float | None:
        """The length at which a line enters the solid, or crosses the face; None if it does not.

        slack: how far short of it the line may end. A line that ends on the border of a solid,
        as between two that stand flush, enters it where it comes to the border.
        """
        if self.plan is not None:
            spans = self.over(line, slack)
            if spans:
                return spans[0][0]
            if self.plan.depth(*line.end) < -slack:
                return None
            marks = sorted(self.plan.marks(line, slack))
            return next(s for s in marks if self.plan.depth(*line.at(s)) >= -slack)
        assert self.segment is not None
        ax, ay, bx, by = self.segment
        ux, uy, vx, vy = line.bx - line.ax, line.by - line.ay, bx - ax, by - ay
        down = ux * vy - uy * vx
        if down == 0.0:
            return None
        s = ((ax - line.ax) * vy - (ay - line.ay) * vx) / down
        t = ((ax - line.ax) * uy - (ay - line.ay) * ux) / down
        over = slack / line.length
        if -over <= s <= 1.0 + over and -over <= t <= 1.0 + over:
            return min(1.0, max(0.0, s)) * line.length
        return None

    def touch(self, line: Line, r: float, crossed: float) -> float:
        """The length at which a disc of radius r on its way to the crossing first touches it."""
        if self.distance(*line.start) <= r:
            return 0.0
        return min([crossed, *(begin for begin, _ in self.spans_near(line, r))])


def faces_near(faces: Iterable[Face], box: Box, without: str = "") -> Iterator[Sheer]:
    """Faces that come into a box, but those with a trait."""
    for face in faces:
        if without and face.has(without):
            continue
        (ax, ay), (bx, by) = face.start, face.end
        across = min(ax, bx) <= box[2] and max(ax, bx) >= box[0]
        if across and min(ay, by) <= box[3] and max(ay, by) >= box[1]:
            yield Sheer(face.id, face.bottom, face.top, None, (ax, ay, bx, by))


def run_over(solids: Iterable[Sheer], line: Line, slack: float) -> tuple[float, list[Sheer]]:
    """How far a line runs from its start over solids with nothing in between, and over which."""
    spans = [(span, solid) for solid in solids for span in solid.over(line, slack)]
    end = 0.0
    found: list[Sheer] = []
    for (low, high), solid in sorted(spans, key=lambda each: each[0]):
        if low <= end + slack:
            end = max(end, high)
            found.append(solid)
    return end, found
